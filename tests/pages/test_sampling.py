"""The Sampling lab without a browser: entropies, with numbers that are evalcore's, and links."""

import contextlib
import io
import json
import re

import pytest

from evalcore.bias import bias_table
from evalcore.cli import main as command_line
from evalcore.sampling import geometric, simulated_table, support_table, uniform, winner_map
from pages.ui import sampling_controls, sampling_entropy, sampling_maps
from pages.ui.style import number
from tests.pages.sampling_lab import FOUR, change, figures, frame, lines, opened, run, title


def test_the_first_picture_is_the_articles_and_exact():
    app = opened()
    main, side = figures(app)
    exact = bias_table(uniform(10), lines(main)["ML"][0], FOUR)
    for name in FOUR:
        mine = exact[exact.estimator == name]
        assert lines(main)[name][1] == pytest.approx(mine["mean"].tolist(), rel=1e-12)
        assert lines(main, "y2")[name][1] == pytest.approx(mine.bias.tolist(), rel=1e-12)
    assert title(main) == "N = 10: ML is off by −0.533 of 2.303 nats, JK by only −0.039"
    assert title(side).startswith("JK has the least bias in 55%")
    assert app.selectbox(key="sampling._preset").value == "Uniform (Li et al. 2014)"


def test_the_numbers_beneath_are_those_of_the_command_line():
    app = opened(dist="Zipf", s=2, m=12, n=37, base="bits", estimators="ML,JK,BUB,Zhang")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        arguments = "bias --zipf 2 --support 12 --n 37 --estimators ML,JK,BUB,Zhang --base 2 --format json"
        assert command_line(arguments.split()) == 0
    said = json.loads(printed.getvalue())
    said = said["rows"] if isinstance(said, dict) else said
    shown = frame(app, "expected").rename(columns={"expected": "mean", "RMSE": "rmse"})
    assert shown.estimator.tolist() == [row["estimator"] for row in said] == ["ML", "JK", "BUB", "Zhang"]
    for column in ("truth", "mean", "bias", "sd", "rmse"):
        assert shown[column].tolist() == pytest.approx([row[column] for row in said], rel=1e-12)


@pytest.mark.parametrize(
    ("link", "truth"),
    [
        ({"dist": "geometric", "ratio": 0.5, "m": 3}, 0.9557),
        ({"dist": "two-level", "m": 10, "heavy": 1, "share": 0.9}, 0.5448),
        ({"dist": "typed in", "weights": "1/2 1/4 1/4"}, 1.0397),
        ({"dist": "Zipf", "s": 0, "m": 8}, 2.0794),
    ],
)
def test_every_kind_of_distribution(link, truth):
    app = opened(**link)
    assert not app.error
    assert frame(app, "expected").truth.unique().round(4).tolist() == [truth]


@pytest.mark.parametrize("name", list(sampling_entropy.PRESETS))
def test_entropy_presets_can_be_chosen_and_are_recognised(name):
    app = opened(first=5, last=20)
    app.selectbox(key="sampling._preset").set_value(name)
    run(app)
    assert app.selectbox(key="sampling._preset").value == name and not app.error
    for field, value in sampling_entropy.PRESETS[name].items():
        assert app.session_state[f"sampling.{field}"] == value
    assert figures(app)[0]["data"]


def test_other_settings_are_called_ones_own():
    app = change(opened(), "number_input", "m", 13)
    assert app.selectbox(key="sampling._preset").value == sampling_controls.OWN


def test_bad_input_is_told_and_the_rest_stays():
    app = opened(dist="typed in", weights="1, two")
    assert [error.value.replace("\\", "") for error in app.error] == ["Weight 2 is “two”, which is no number."]
    app = change(app, "text_input", "weights", "1, 2")
    assert not app.error and figures(app)
    app = change(app, "selectbox", "first", 100)
    assert "smallest sample size must be below" in app.error[0].value


def test_a_garbled_link_is_told_and_the_defaults_are_shown():
    app = opened(m="many", s=99, first=3, mode="Entropy", seed=-1)
    said = " ".join(warning.value for warning in app.warning)
    assert all(f"“{name}”" in said.replace("\\", "") for name in ("m", "s", "first", "seed"))
    assert title(figures(app)[0]).startswith("N = 10: ML is off by −0.533")


def test_simulation_stands_on_the_exact_lines_and_says_how_well():
    app = opened(check=True, repetitions=200, seed=4)
    main = figures(app)[0]
    sizes, values = lines(main)["JK simulated"]
    drawn = simulated_table(uniform(10), sizes, ["JK"], 200, 4, 10)
    assert values == pytest.approx(drawn["mean"].tolist(), rel=1e-12)
    error = next(t for t in main["data"] if t.get("name") == "JK simulated")["error_y"]["array"]
    assert error == pytest.approx((2 * drawn["mean_error"]).tolist())
    assert any("simulated means lie within two standard errors" in c.value for c in app.caption)


def test_estimators_that_are_not_linear_are_simulated_without_being_asked():
    app = opened(estimators="ML,ChaoShen", repetitions=200)
    assert set(lines(figures(app)[0])) == {"ML", "ChaoShen simulated"}
    alone = opened(estimators="Shrinkage", repetitions=200, n=11)
    drawn = simulated_table(uniform(10), [11], ["Shrinkage"], 200, 1, 10).iloc[0]
    assert title(figures(alone)[0]) == f"N = 11: Shrinkage is off by {number(drawn.bias)} of 2.303 nats"
    assert 11 in lines(figures(alone)[0])["Shrinkage simulated"][0]  # the size that is read is drawn too
    read = frame(alone, "by")
    assert read.iloc[0][["expected", "sd", "RMSE", "by"]].tolist() == [
        drawn["mean"],
        drawn.sd,
        drawn.rmse,
        "simulation",
    ]
    beyond = opened(estimators="ML,Shrinkage", repetitions=200, n=500)
    assert frame(beyond, "by")[["estimator", "by"]].values.tolist() == [["ML", "exact"], ["Shrinkage", "simulation"]]
    assert max(lines(figures(beyond)[0])["Shrinkage simulated"][0]) == 100


def test_titles_stay_true_at_unusual_settings():
    tiny = opened(dist="geometric", ratio=0.05, m=50, n=100_000, last=100_000, estimators="ML,JK")
    bias = bias_table(geometric(50, 0.05), [100_000], ["ML", "JK"]).bias
    told = re.findall(r"(−?)(0\.[0-9]+)(?: of|$)", title(figures(tiny)[0]))
    for value, (minus, digits) in zip(bias, (told[0], told[-1]), strict=True):
        assert float(digits) == pytest.approx(abs(value), rel=0.05) and bool(minus) == (value < 0)
    certain = figures(opened(dist="typed in", weights="1"))
    assert title(certain[0]) == "N = 10: ML is off by 0.000 of 0.000 nats"
    assert title(certain[1]) == "All estimators have the same bias everywhere"
    assert title(figures(opened(estimators="JK"))[1]) == "JK has no rival: choose another estimator"


@pytest.mark.parametrize("below", ["bias", "sd", "rmse"])
def test_the_lower_panel_shows_what_is_asked(below):
    app = change(opened(), "button_group", "below", below)
    x, y = lines(figures(app)[0], "y2")["MM"]
    exact = bias_table(uniform(10), x, ["MM"])
    assert y == pytest.approx(exact[below].tolist(), rel=1e-12)


def test_the_map_is_evalcores_and_waits_to_be_asked_for_simulations():
    app = opened(by="rmse", last=20)
    side = figures(app)[1]
    sizes = [int(x) for x in side["data"][0]["text"][0][0].split("N = ")[1].split(",")[:1]]
    found = winner_map(10, sample_sizes_of(side), sampling_maps.SKEWS, FOUR, "rmse")
    for place, name in enumerate(found.estimators):
        layer = [t for t in side["data"] if t["type"] == "heatmap" and name_of(t) == name]
        assert bool(layer) == (found.winner == place).any()
    assert sizes == [2]
    waiting = opened(estimators="ML,Shrinkage", repetitions=200, last=5)
    assert len(figures(waiting)) == 1
    waiting.button(key="run.sampling.map").click()
    assert len(figures(run(waiting))) == 2


def sample_sizes_of(figure):
    text = figure["data"][0]["text"][0]
    return [int(cell.split("N = ")[1].split("<br>")[0].rsplit(", ", 1)[0].replace(",", "")) for cell in text]


def name_of(trace):
    """The winner that a layer of the map stands for: the bold one in its first cell."""
    for row, values in zip(trace["text"], trace["z"], strict=True):
        for cell, value in zip(row, values, strict=True):
            if value is not None and value == value:
                return cell.split("<b>")[1].split(" ")[0]
    return None


def test_wrong_supports_and_claims():
    app = opened(side="Wrong support", n=50)
    side = figures(app)[1]
    supports, bias = lines(side)["BUB"]
    assert bias == pytest.approx(support_table(uniform(10), 50, supports).bias.tolist(), rel=1e-12)
    assert title(side) == "N = 50: told 100 outcomes, BUB is off by 0.078, not −0.014"
    app = opened(side="Published")
    table = frame(app, "the article")
    assert table.iloc[0].tolist() == ["all five", "JK beats ML", "true throughout"]
    assert table.iloc[1].tolist() == ["uniform", "JK beats BUB", "true for N = 9–31, 47–100"]
    assert table.iloc[-1, 1] == "BUB beats ML (not said)"


def test_the_same_link_gives_the_same_figures():
    link = dict(mode="Measures", source="random", clusters=15, repetitions=200, seed=21, estimators="ML,ChaoShen")
    first, again, other = (figures(opened(**x)) for x in (link, link, link | {"seed": 22}))
    assert first == again and first[0]["data"] != other[0]["data"]


def test_estimators_chosen_here_are_those_of_the_settings():
    app = opened()
    app.button_group(key="sampling._estimators").set_value(["JK", "Zhang"])
    run(app)
    assert app.session_state["settings.estimators"] == ["JK", "Zhang"]
    assert set(lines(figures(app)[0])) == {"JK", "Zhang"}
    assert app.query_params["estimators"] in ("JK,Zhang", ["JK,Zhang"])
