"""What the server makes of the grid's messages, which it does not trust."""

import numpy as np
import pytest

from pages.ui import grid


def message(**item) -> dict:
    usual = {"seq": 1, "version": 3, "action": "edit", "detail": "a", "steps": 1, "counts": [[1, 2]]}
    return {"client": "me", "items": [usual | {"classes": ["c"], "clusters": ["k", "l"]} | item]}


def take(monkeypatch, outbox, **options):
    state = {"g": {"outbox": outbox}}
    monkeypatch.setattr(grid.st, "session_state", state)
    return grid.grid_event("g", version=3, **options), state["_g_seen"].number


def test_a_good_message_is_taken_once(monkeypatch):
    event, seen = take(monkeypatch, message())
    assert event.counts.tolist() == [[1, 2]] and (event.classes, event.clusters) == (["c"], ["k", "l"])
    assert (event.action, event.detail, seen) == ("edit", "a", 1)
    assert grid.grid_event("g", version=3) is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"counts": [[1, -2]]},
        {"counts": [[1, 0.5]]},
        {"counts": [[1, float("nan")]]},
        {"counts": [[1, float("inf")]]},
        {"counts": [[1, 10**400]]},
        {"counts": [[1, True]]},
        {"counts": [[1, "2"]]},
        {"counts": [[1], [2]]},
        {"counts": [[1, 2], [3]]},
        {"counts": []},
        {"counts": None},
        {"classes": [], "counts": []},
        {"classes": ["c"] * 2, "counts": [[1, 2]] * 2},
        {"classes": [str(i) for i in range(61)], "counts": [[1, 2]] * 61},
        {"classes": [7]},
        {"classes": ["c" * 1001]},
        {"action": "explode"},
        {"action": ["edit"]},
        {"detail": {}},
        {"version": 2},
    ],
)
def test_a_bad_message_is_refused_but_answered(monkeypatch, wrong):
    assert take(monkeypatch, message(**wrong)) == (None, 1)


@pytest.mark.parametrize(
    "outbox", [None, [], "x", {}, {"client": 1, "items": []}, {"client": "a", "items": [0, {}, {"seq": "1"}]}]
)
def test_a_message_of_another_shape_is_nothing(monkeypatch, outbox):
    assert take(monkeypatch, outbox) == (None, 0)


def test_changes_melt_but_an_undo_is_a_step(monkeypatch):
    first, second, undo, third = (
        message(seq=i + 1, detail=d, counts=[[i, i]])["items"][0] for i, d in enumerate("abud")
    )
    undo |= {"action": "undo", "version": 2}
    take(monkeypatch, None)
    grid.st.session_state["g"]["outbox"] = {"client": "me", "items": [first, second, undo, third]}
    events = [grid.grid_event("g", version=3) for _ in range(4)]
    assert [(e.action, e.detail) for e in events[:3]] == [
        ("edit", "2 changes, last b"),
        ("undo", "u"),
        ("edit", "d"),
    ]
    assert events[3] is None


@pytest.mark.parametrize(
    ("counts", "classes", "options"),
    [
        ([[1, 2]], ["a", "b"], {}),
        ([[1, 2]] * 2, ["a", "a"], {}),
        ([[1, 0.5]], ["a"], {}),
        ([[1, -1]], ["a"], {"integer": False}),
        ([[1, 2]], ["a"], {"colours": ["red", "blue"]}),
        ([[1, 2]] * 61, [str(i) for i in range(61)], {}),
    ],
)
def test_what_cannot_be_drawn_is_said(counts, classes, options):
    with pytest.raises(ValueError, match="grid draws|counts are|colours for"):
        grid.matrix_grid(np.array(counts), classes, ["k", "l"], key="g", version=0, **options)
