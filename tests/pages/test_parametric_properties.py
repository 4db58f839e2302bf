"""The Parametric lab's table of properties: what it shows is what evalcore computes."""

import pytest

import evalcore as ec
from evalcore import axioms
from evalcore.parametric import blocks, dom
from evalcore.properties import PROPERTIES, Grid, study
from pages.ui import parametric_counterexample, parametric_properties
from pages.ui.parametric_blocks import block_table, kinds
from tests.pages.parametric_lab import Visitor, change, component, figure, opened, plain, ran, said


@pytest.fixture(scope="module")
def checked():
    return study().outcomes | axioms.study()


def test_the_table_of_rates(checked):
    data = component(opened(view="Properties", rows="All"), "rates")
    assert [column["key"] for column in data["columns"]] == list(checked) and data["chosen"] == ["P6", "NVI"]
    assert sorted(row["name"] for row in data["rows"]) == sorted(
        m.name for m in ec.MEASURES.values() if m.needs != "split"
    )
    for row in data["rows"]:
        for column, cell in zip(data["columns"], row["cells"]):
            held, total = checked[column["key"]].held[row["name"]], checked[column["key"]].total[row["name"]]
            if not total:
                assert cell["kind"] == "none" and cell["text"] == "–"
                continue
            assert cell["count"] == f"{held:,}" and column["note"] == f"of {total:,}"
            assert cell["kind"] == ("right" if held == total else "wrong")
            assert abs(float(cell["text"]) - held / total) < 0.01 and (cell["text"] == "1") == (held == total)


def test_the_first_screen_tells_of_nvi(checked):
    app = opened(view="Properties")
    assert "NVI fails in 10,187 of 20,160 cases (50.5%). NVI should get worse, but it goes from 1.881 to 1.818" in said(
        app
    )
    found = checked["P6"].counterexamples("NVI", 1)[0]
    assert [e.proto.body for e in app.get("html") if "<table" in e.proto.body] == [
        block_table(table, name, dom=True) for name, table in found.tables.items()
    ]


@pytest.mark.parametrize(
    "check, measure, text",
    [
        ("P3", "V", "V holds in all 20,160 cases: there is no counterexample."),
        ("P1", "AMI", "AMI needs whole counts"),
        ("P3", "FM", "FM fails in 13,945 of 20,160 cases"),
        ("M3", "V", "V fails in 9,670 of 132,600 cases"),
        ("R", "V", "V fails in 8 of 8 cases"),
        ("R", "ARI", "ARI holds in all 8 cases"),
        ("M1", "MI", "MI has no best value"),
        ("A3", "NVI", "NVI fails in 200 of 200 cases"),
        ("S", "Rand", "Rand fails in 200 of 200 cases"),
        ("A1", "H", "H fails in"),
    ],
)
def test_cells(check, measure, text):
    app = opened(view="Properties", rows="All", check=check, measure=measure)
    assert text in said(app)


def test_other_counterexamples(checked):
    app = change(opened(view="Properties"), "number_input", "rank", 3)
    assert plain(checked["P6"].counterexamples("NVI")[2].says) in said(app)


def test_the_curve_of_chance_can_be_taken_away():
    app = opened(view="Properties", rows="Beyond", check="R", measure="V")
    curve = axioms.chance_curve([ec.MEASURES["V"]])
    shown = figure(app)
    assert shown["data"][0]["y"] == pytest.approx(curve.mean[:, 0].tolist())
    title = shown["layout"]["title"]["text"]
    assert title == f"V of random solutions goes from {curve.mean[0, 0]:.3f} to {curve.mean[-1, 0]:.3f}"
    assert any("parametric.chance.figure-csv" in e.proto.id for e in app.get("download_button"))


def test_other_rows_show_a_case_of_their_own():
    app = opened(view="Properties", rows="Beyond")  # the check chosen to begin with is P6
    menu = app.selectbox(key="parametric.check")
    assert list(menu.options) == [f"{key} {check.title}" for key, check in axioms.CHECKS.items()]
    failed = next(key for key, outcome in axioms.study().items() if outcome.held["NVI"] < outcome.total["NVI"])
    assert menu.value == failed and "NVI fails in" in said(app)
    assert opened(view="Properties", check="M3").selectbox(key="parametric.check").value == "P6"
    app = change(change(app, "selectbox", "measure", "V"), "selectbox", "check", "A2")
    assert "V holds in all 200 cases" in said(app)


def test_published_rates_stand_beside_the_computed_ones():
    app = opened(view="Properties", set="paper")
    rows = {row["name"]: row["cells"] for row in component(app, "rates")["rows"]}
    assert set(rows) == {"V", "VI", "Q0", "F", "Rand", "Jaccard", "FM", "Gamma", "Mirkin"}
    assert rows["FM"][2]["printed"] == "paper 0.3" and rows["FM"][2]["differs"] and rows["FM"][2]["count"] == "6,215"
    assert not any(cell["differs"] for name in ("V", "VI", "Q0") for cell in rows[name])
    assert "two of its columns contradict each other" in said(app)


def test_another_grid():
    app = opened(
        view="Properties",
        g_useful="4~6",
        g_noise_clusters="0~1",
        g_noise_classes="0~1",
        g_eps1="0, 0.1",
        set="paper",
    )
    data = component(app, "rates")
    small = study(Grid(5, (4, 5, 6), (0, 1), (0, 1), (0.0, 0.1))).outcomes
    assert [column["note"] for column in data["columns"]] == [
        f"of {outcome.total['V']:,}" for outcome in small.values()
    ]
    assert "its rates belong to the default grid" in said(app)


@pytest.mark.parametrize(
    "link, message",
    [
        (dict(g_eps1="0, x"), "ε1 takes numbers separated by commas, not '0, x'."),
        (dict(g_eps2="0.2, 0.1"), "The values of ε₂ must rise"),
        (dict(g_eps1="0, 0.9"), "the error mass cannot exceed 1"),
        (dict(g_useful="1~16", g_noise_clusters="0~10"), "the limit is 100,000 tables"),
    ],
)
def test_impossible_grids_are_explained(link, message):
    assert message in said(opened(view="Properties", **link))


def test_whole_counts_wait_to_be_asked():
    app = opened(
        view="Properties",
        g_whole=True,
        g_useful="4~6",
        g_noise_clusters="0~2",
        g_noise_classes="0~1",
        g_n=100000,
        check="P3",
        measure="AMI",
    )
    app.button(key="run.parametric.study").click()
    app.run()
    assert "AMI holds in all" in said(app)


def test_kinds_are_read_off_the_names():
    assert kinds(dom(3, 4, 2, 1)).tolist() == blocks(3, 4, 2, 1).tolist()
    assert kinds(ec.Contingency.from_matrix([[1, 2]], ["a"], ["k1", "k2"])) is None


def test_names_in_tables_are_data():
    text = block_table(ec.Contingency.from_matrix([[1]], ["<b>"], ["k&"]), "<i>", dom=False)
    assert "<b>" not in text and "&lt;b&gt;" in text and "k&amp;" in text and "<i>" not in text


def test_every_check_has_a_row():
    assert list(parametric_counterexample.CHECKS) == [*PROPERTIES, *axioms.CHECKS]


def test_python_of_the_properties(checked):
    visitor = Visitor(fields={"rows": "P1–P7", "seed": 0, "check": "P6", "measure": "NVI"})
    text = ran(parametric_properties._snippet(Grid(), visitor))
    assert "9973" in text and checked["P6"].counterexamples("NVI", 1)[0].says in text
