"""The strip: better is always to the right, on the measure's real scale."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from evalcore import MEASURES, Contingency, published, score
from pages.ui.frame import SHOWABLE
from pages.ui.solutions import extreme_scores
from pages.ui.strip import FAMILY_NAMES, _row, scale
from pages.ui.style import measure_colour, number

R = published.solution_r()
NAN = math.nan


def row(name, now=None, references=None, changes=None, pinned=None, now_label=""):
    series = {k: pd.Series({name: v}) for k, v in (references or {}).items()}
    return _row(name, None if now is None else pd.Series({name: now}), series,
                {k: pd.Series({name: v}) for k, v in (changes or {}).items()},
                None if pinned is None else pd.Series({name: pinned}), now_label)  # fmt: skip


def places(row) -> dict:
    return {mark["label"]: mark["at"] for mark in row["marks"]}


@pytest.mark.parametrize("name", SHOWABLE)
def test_better_is_to_the_right(name):
    better, worse = (0.75, 0.25) if MEASURES[name].higher_is_better else (0.25, 0.75)
    at = places(row(name, references={"better": better, "worse": worse}))
    assert 0 <= at["worse"] < at["better"] <= 1
    with_extremes = _row(name, score(R, [name]), extreme_scores(R, [name]), {}, None, "R")
    assert max(places(with_extremes).values()) == places(with_extremes)["perfect"]
    assert all(-1e-9 <= x <= 1 + 1e-9 for x in places(with_extremes).values())


@pytest.mark.parametrize("name", SHOWABLE)
def test_the_ends_are_the_worst_and_the_best(name):
    drawn = row(name, references={"a": 0.5})
    low, high = MEASURES[name].bounds
    high = 0.5 if high is None else high
    assert (drawn["low"], drawn["high"]) == (
        ("0", f"{high:.3g}") if MEASURES[name].higher_is_better else (f"{high:.3g}", "0")
    )


def test_the_scale_is_the_measures_own():
    v, vi = MEASURES["V"], MEASURES["VI"]
    assert scale(v, [0.3, 0.4]) == (0, 1)
    assert scale(v, []) == (0, 1)
    assert scale(v, [-0.25, 1.5]) == (-0.25, 1.5)  # an estimator may leave the bounds
    assert scale(vi, [0.4, 2.3]) == (0, 2.3)
    assert scale(vi, []) == scale(vi, [0.0]) == (0, 1.0)
    assert scale(v, [-1e-17, 1 + 2e-16]) == (0, 1)  # roundoff does not


def test_values_outside_the_bounds_are_placed_not_clamped():
    at = places(row("V", references={"below": -0.5, "zero": 0.0, "one": 1.0, "above": 1.5}))
    assert at == {"below": 0, "zero": 0.25, "one": 0.75, "above": 1}
    drawn = row("V", now=-0.5)
    assert (drawn["low"], drawn["high"], drawn["value"]) == ("−0.5", "1", "−0.500")


def test_what_has_no_score_has_no_mark():
    drawn = row("AMI", now=NAN, references={"a": NAN, "b": 0.5, "c": math.inf}, changes={"last edit": 0.2}, pinned=NAN)
    assert places(drawn) == {"b": 0.5}
    assert drawn["value"] == "–"
    assert drawn["changes"] == [{"text": "", "better": False}]
    assert [(m["name"], m["value"], m["exact"]) for m in drawn["all"]] == [
        ("this solution", "–", None),
        ("b", "0.500", 0.5),
    ]
    json.dumps(drawn, allow_nan=False)


@pytest.mark.parametrize("name", ["V", "VI"])
def test_a_change_is_better_or_worse_by_the_measures_direction(name):
    up = row(name, now=0.75, changes={"last edit": 0.5, "from pin": 1.0})["changes"]
    assert [change["text"] for change in up] == ["+0.250", "−0.250"]
    assert [change["better"] for change in up] == ([True, False] if name == "V" else [False, True])
    assert row(name, now=0.5, changes={"last edit": 0.5 + 1e-9})["changes"][0]["text"] == ""


def test_the_tip_reads_everybody_from_best_to_worst():
    drawn = row("VI", now=1.0, references={"a": 2.0, "b": 0.5, "c": 1.5}, pinned=0.25)
    assert [m["name"] for m in drawn["all"]] == ["this solution", "pinned", "b", "c", "a"]
    assert drawn["spoken"] == (
        "Variation of information, lower is better: this solution 1.000; pinned 0.250; b 0.500; c 1.500; a 2.000"
    )


def test_every_measure_has_one_colour_and_a_family_with_a_name():
    assert {m.family for m in MEASURES.values()} == set(FAMILY_NAMES)
    for name in SHOWABLE:
        assert row(name, now=0.5)["colour"] == measure_colour(name)
    assert measure_colour("V(2)") == measure_colour("V")
    leading = [
        measure_colour(name)
        for name in ("V", "h", "c", "VI", "NVI", "AMI", "ARI", "Q0", "Q2", "FM", "BCubed_F", "purity")
    ]
    assert len(set(leading)) == len(leading)


# --- drawn on a page

PAGE = """
import numpy as np
from evalcore import published, score
from pages.ui.strip import strips
from tests.pages.test_strip import ASK
strips(**ASK)
"""
ASK = {}


def given(**options) -> dict:
    ASK.clear()
    ASK.update(key="s", label="Strips", **options)
    app = AppTest.from_string(PAGE, default_timeout=30).run()
    assert not app.exception
    (found,) = app.get("bidi_component")
    return json.loads(found.proto.json)


def test_strips_show_the_scores_of_evalcore():
    names = ["V", "VI", "AMI", "Rand"]
    now = score(R, names)
    data = given(now=now, references=extreme_scores(R, names))
    assert {r["name"]: r["value"] for r in data["rows"]} == {name: number(now[name]) for name in names}
    assert all(r["all"][0]["exact"] == now[r["name"]] for r in data["rows"])
    assert (data["heads"], data["withValue"]) == ([], True)


def test_two_columns_of_changes():
    names = ["V", "VI"]
    now, before, pinned = (
        score(Contingency.from_matrix(m), names) for m in ([[2, 1], [1, 2]], [[3, 0], [1, 2]], [[1, 1], [1, 1]])
    )
    data = given(now=now, references={}, before=before, pinned=pinned)
    assert data["heads"] == ["last edit", "from pin"]
    for r in data["rows"]:
        for change, other in zip(r["changes"], (before, pinned)):
            assert float(change["text"].replace("−", "-")) == pytest.approx(now[r["name"]] - other[r["name"]], abs=6e-4)


def test_without_a_current_solution_the_first_reference_says_what_is_measured():
    data = given(now=None, references={"R": score(R, ["V", "NVI"])}, before=score(R, ["V", "NVI"]))
    assert [r["name"] for r in data["rows"]] == ["V", "NVI"]
    assert (data["withValue"], data["heads"]) == (False, [])
    assert all(r["value"] == "" for r in data["rows"])


def test_families_stay_together():
    data = given(now=score(R, SHOWABLE), references={}, families=True)
    assert {r["name"] for r in data["rows"]} == set(SHOWABLE)
    heads = [r["family"] for r in data["rows"]]
    changes = 1 + int(np.sum(np.array(heads[1:]) != np.array(heads[:-1])))
    assert changes == len(set(heads)) == 4
