"""The Parametric lab: what it shows is what evalcore computes."""

import re

import numpy as np
import pytest

import evalcore as ec
from evalcore.parametric import Setting, dom
from evalcore.sweeps import sweep
from pages.ui import parametric_solution, parametric_sweep
from pages.ui.parametric_dials import DEFAULT
from pages.ui.parametric_figures import sweep_title
from pages.ui.style import DEFAULT_MEASURES, number
from tests.pages.parametric_lab import Visitor, change, component, figure, opened, plain, ran, said

# ---- one solution ------------------------------------------------------------------------------


def test_blocks_and_scores_are_those_of_the_dials():
    app = opened()
    table = dom(*DEFAULT)
    np.testing.assert_allclose(figure(app)["data"][0]["customdata"], table.counts, atol=1e-9)
    assert figure(app)["layout"]["title"]["text"] == "50% of the mass is where it belongs"
    scores = ec.score(table, list(DEFAULT_MEASURES), pairs="asymptotic")
    shown = {row["name"]: row["value"] for row in component(app, "strip")["rows"]}
    assert shown == {name: number(score) for name, score in scores.items()}


def test_figure_3():
    app = opened()
    app.button(key="parametric.preset.Figure 3").click()
    app.run()
    np.testing.assert_allclose(
        np.array(figure(app)["data"][0]["customdata"]).T,
        [[12, 12, 2, 3], [2, 2, 12, 3], [4, 4, 4, 0]],
        atol=1e-9,
    )


@pytest.mark.parametrize(
    "eps1, says",
    [(0.004, "99.6%"), (0.0001, "over 99.9%"), (0.9999, "under 0.1%"), (1, "0%"), (0, "100%"), (0.25, "75%")],
)
def test_shares_are_not_rounded_to_all_or_nothing(eps1, says):
    app = opened(eps1=eps1, eps2=0, eps3=0)
    assert figure(app)["layout"]["title"]["text"] == f"{says} of the mass is where it belongs"


def test_one_more_step_of_each_dial():
    data = component(opened(), "rates")
    cells = {row["name"]: dict(zip([c["key"] for c in data["columns"]], row["cells"])) for row in data["rows"]}
    for name, step in parametric_solution.STEPS.items():
        value = getattr(DEFAULT, name)
        for measure in ("V", "VI", "NVI", "ARI", "h"):
            before, after = (
                ec.score(dom(*DEFAULT._replace(**{name: x})), [measure], pairs="asymptotic")[measure]
                for x in (value, value + step)
            )
            cell, m = cells[measure][name], ec.MEASURES[measure]
            worse = (after < before - 1e-12) if m.higher_is_better else (after > before + 1e-12)
            assert cell["kind"] == ("right" if worse else "wrong"), (name, measure)
            assert cell["text"].startswith("▼" if worse else ("▲", "±0"))
    assert cells["NVI"]["noise_classes"] == {
        "count": "",
        "printed": "",
        "wrong": 45,
        "kind": "wrong",
        "text": "▲ −0.029",
        "says": "NVI with one more step of noise classes: −0.029, better, which is the wrong way",
    }
    assert "noise classes: c, NVI, ARI" in said(opened())


def test_a_small_step_is_not_called_none():
    app = opened(n_classes=3, useful_clusters=2, noise_clusters=1, eps3=0.1, n=60)
    figure_3 = Setting(3, 2, 1, 1, 0.1, 0.2, 0.1, 60)
    before, after = (ec.score(dom(*x), ["NVI"])["NVI"] for x in (figure_3, figure_3._replace(eps3=0.12)))
    assert 0 < after - before < 0.0005
    row = next(row for row in component(app, "rates")["rows"] if row["name"] == "NVI")
    assert row["cells"][-1]["text"] == f"▼ +{after - before:.4f}" and row["cells"][-1]["kind"] == "right"


def test_whole_counts_keep_n():
    app = change(change(opened(), "number_input", "n", 137), "toggle", "whole", True)
    counts = np.array(figure(app)["data"][0]["customdata"])
    assert counts.sum() == 137 and (counts == counts.round()).all()
    shown = {row["name"]: row["value"] for row in component(app, "strip")["rows"]}
    assert shown["AMI"] == number(ec.score(dom(*DEFAULT[:7], 137, whole=True), ["AMI"])["AMI"])


def test_impossible_settings_are_explained_and_not_changed():
    app = change(change(opened(), "slider", "eps1", 0.6), "slider", "eps2", 0.5)
    assert [plain(e.value) for e in app.error] == ["ε₁ + ε₂ + ε₃ is 1.3; the error mass cannot exceed 1."]
    assert app.slider(key="parametric.eps1").value == 0.6 and not app.get("plotly_chart")
    app = change(app, "slider", "eps2", 0.2)
    assert not app.error and app.get("plotly_chart")


def test_masses_without_cells_are_explained():
    app = change(opened(), "number_input", "noise_clusters", 0)
    assert "ε₂ is 0.2, but there is no noise cluster to put it in: that mass stays in the matched cells." in said(app)
    assert (
        app.number_input(key="parametric.noise_clusters").value == 0 and app.slider(key="parametric.eps2").value == 0.2
    )
    assert figure(app)["layout"]["title"]["text"] == "70% of the mass is where it belongs"


def test_the_largest_and_the_smallest_solution():
    opened(n_classes=15, useful_clusters=20, noise_clusters=12, noise_classes=12, eps1=0.3, eps2=0.3, eps3=0.4)
    app = opened(n_classes=1, useful_clusters=1, noise_clusters=0, noise_classes=0, n=1, whole=True)
    assert not app.error


# ---- sweeps ------------------------------------------------------------------------------------


def test_a_sweep_along_one_parameter():
    app = opened(view="Sweep")
    found = sweep(DEFAULT, {"noise_classes": range(13)}, list(DEFAULT_MEASURES))
    shown = figure(app)
    assert (
        shown["layout"]["title"]["text"]
        == "c, NVI, ARI do not always move as they should with noise classes; the other 3 do"
    )
    lines = [trace for trace in shown["data"] if trace["mode"].startswith("lines") and trace.get("hovertemplate")]
    for at, (measure, line) in enumerate(zip(found.measures, lines)):
        if measure.name != "AMI":
            np.testing.assert_allclose(line["y"], found.scores[:, at])
    axes = [shown["layout"][f"yaxis{i or ''}"]["autorange"] for i in ("", 2, 3, 4, 5)]
    assert axes == [True, True, True, "reversed", "reversed"]  # V, h, c; VI and NVI are better when low
    red = [trace for trace in shown["data"] if trace["line"]["color"] == "#c0392b"]
    assert [len(trace["x"]) // 3 for trace in red] == found.wrong["noise_classes"].sum(axis=0).tolist()


def test_a_sweep_along_two_parameters():
    app = opened(view="Sweep", along="eps1", across="noise_clusters", eps_to=0.2)
    maps = [trace for trace in figure(app)["data"] if trace["type"] == "heatmap"]
    found = sweep(
        DEFAULT,
        {"eps1": np.linspace(0, 0.2, 21).round(6), "noise_clusters": range(13)},
        list(DEFAULT_MEASURES),
    )
    for at, (measure, trace) in enumerate(zip(found.measures, maps)):
        assert trace["reversescale"] is not measure.higher_is_better  # brighter is better
        if measure.name != "AMI":
            np.testing.assert_allclose(np.array(trace["z"], dtype=float), found.scores[..., at].T)


@pytest.mark.parametrize("along", ["n_classes", "useful_clusters", "eps3", "n"])
def test_every_parameter_can_be_swept(along):
    app = opened(view="Sweep", along=along, whole=along == "n")
    assert not app.error and len(figure(app)["data"]) > 6


def test_sizes_stand_on_a_log_axis_in_maps_too():
    shown = figure(opened(view="Sweep", along="n", across="eps1", n=1234))
    (first, *_), circles = (
        [t for t in shown["data"] if t["type"] == "heatmap"],
        [t for t in shown["data"] if t.get("marker", {}).get("symbol") == "circle-open"],
    )
    np.testing.assert_allclose(first["x"], np.log10(parametric_sweep.values_of("n", 0, 0)))
    assert circles[0]["x"] == [pytest.approx(np.log10(1234))] and first["customdata"][1][2] == "100, 0.025"
    assert dict(zip(shown["layout"]["xaxis"]["tickvals"], shown["layout"]["xaxis"]["ticktext"]))[3] == "1k"


@pytest.mark.parametrize(
    "setting, values, measures, whole, says",
    [
        (DEFAULT, {"eps1": (0, 0.1)}, ["V", "VI"], False, "All 2 measures always move with ε₁ as they should"),
        (DEFAULT, {"eps1": (0, 0.1)}, ["V", "AMI"], False, "V always moves with ε₁ as it should"),
        (DEFAULT, {"eps1": (0, 0.1)}, ["AMI"], False, "The measures shown need whole counts"),
        (DEFAULT, {"noise_classes": (1, 2)}, ["V", "NVI"], False,
         "NVI does not always move as it should with noise classes"),
        (DEFAULT, {"n": (100, 1000), "eps1": (0, 0.1)}, ["V"], False, "V always moves with ε₁ as it should"),
        (DEFAULT, {"n": (100, 1000)}, ["V", "h"], False, "None of the scores shown changes with n"),
        (DEFAULT, {"n": (100, 1000)}, ["V", "Q0"], False, "Q0 changes with n; the other 1 does not"),
        (DEFAULT, {"n": (20, 50)}, ["V", "h"], True,
         "All scores shown change with n; no property says which way is right"),
    ],
)  # fmt: skip
def test_titles_of_sweeps_say_what_is_seen(setting, values, measures, whole, says):
    assert sweep_title(sweep(setting, values, measures, whole)) == says


def test_points_beyond_the_possible_are_told():
    app = opened(view="Sweep", along="eps1", eps_to=1.0)
    assert "of 41 points are left out: there ε₁ + ε₂ + ε₃ exceeds 1." in said(app)


# ---- links and code ----------------------------------------------------------------------------


def test_the_link_holds_what_is_seen():
    app = change(change(opened(), "slider", "eps1", 0.25), "number_input", "useful_clusters", 7)
    link = {name: value[0] if isinstance(value, list) else value for name, value in app.query_params.items()}
    assert link == {"eps1": "0.25", "useful_clusters": "7"}
    again = opened(**link)
    assert figure(again) == figure(app)


def test_bad_links_are_told():
    app = opened(view="Nonsense", eps1="7")
    assert len(app.warning) == 2 and "The link's “eps1” was not used" in plain(app.warning[1].value)


def test_python_of_a_solution():
    text = ran(
        parametric_solution._snippet(DEFAULT, Visitor(fields={"whole": False}, measures=["V", "ARI"], base=np.e))
    )
    for name, score in ec.score(dom(*DEFAULT), ["V", "ARI"], pairs="asymptotic").items():
        assert re.search(rf"{name} +{score:.6f}", text)


def test_python_of_a_sweep():
    visitor = Visitor(fields={"whole": False}, measures=["V", "NVI"])
    text = ran(parametric_sweep._snippet(Setting(5, 6, 2, 1, 0.1, 0.1, 0.1), (("noise_classes", (0, 1, 2)),), visitor))
    assert len(text.splitlines()) == 7 and "noise_classes" in text
