"""The editable matrix: a tinted table of classes by clusters that is its own editor.

The browser shows an edit at once and sends the whole new table with a sequence number; Python owns the table
and its history. What comes from the browser is checked here and never trusted; names are data, never markup.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from ..scripts import module

MOST, MOST_CLUSTERS = 60, 120  # classes, clusters; the browser's side (table.js) says the same
LARGEST = 2**53 - 1  # a count; above it the browser cannot tell neighbouring whole numbers apart
LONGEST_NAME = 1000
HISTORY = ("undo", "redo")
ACTIONS = ("edit", "paste", "move", "rename", "reorder", "add_class", "add_cluster", "remove_class",
           "remove_cluster", *HISTORY)  # fmt: skip

_HERE = Path(__file__).parent
_SCRIPTS = ("numbers", "table", "colour", "sync", "view", "edit", "keys", "clipboard", "drag", "menu", "grid")


@dataclass(frozen=True, eq=False)
class GridEvent:
    """What a person did in the grid: the whole table after it, its kind, and a line for people to read.

    For "undo" and "redo" the table is the one shown when the key was pressed: the page knows where to go.
    """

    counts: np.ndarray
    classes: list[str]
    clusters: list[str]
    action: str
    detail: str


@dataclass
class _Seen:
    """The last change taken from the browser: which grid it came from, and its number there."""

    client: str = ""
    number: int = 0
    early: bool = False  # the page has asked in this run, before drawing


_component = st.components.v2.component(
    "measure_lab_matrix_grid", js=module(_HERE, *_SCRIPTS), css=(_HERE / "grid.css").read_text("utf-8")
)


def grid_event(key: str, *, version: int, integer: bool = True) -> GridEvent | None:
    """Take what the person did in the grid with this key, before the grid is drawn.

    Lets a page apply the change first and then draw everything, the grid included, from the new table. An
    event is given once: `matrix_grid` in the same run then returns None. Get hold of the object that keeps
    the table before calling: a rerun may interrupt any use of st.session_state, and the event would be lost.
    """
    seen, state = _seen(key), st.session_state.get(key)
    seen.early = True
    return _take(seen, state, version, integer)


def _seen(key: str) -> _Seen:
    return st.session_state.setdefault(f"_{key}_seen", _Seen())


def _take(seen: _Seen, state: Any, version: int, integer: bool) -> GridEvent | None:
    client, items = _unseen(state.get("outbox") if state else None, seen)
    if not items:
        return None
    # Neighbouring changes melt into the newest table; an undo is a step of its own.
    stop = next((i for i, item in enumerate(items) if item.get("action") in HISTORY), len(items))
    steps = items[: stop or 1]
    seen.client, seen.number = client, steps[-1]["seq"]
    return _event(steps, version, integer)


def matrix_grid(
    counts: np.ndarray,
    classes: Sequence[str],
    clusters: Sequence[str],
    *,
    key: str,
    version: int,
    colours: Sequence[str] | None = None,
    integer: bool = True,
    height: int | None = None,
    page_keys: bool = False,
) -> GridEvent | None:
    """Draw the grid and return what the person did in it, if anything.

    Parameters
    ----------
    counts, classes, clusters
        The table: one row per class, one column per cluster, at most 60 x 120; their names, which differ.
    key
        Of the widget; each grid of an app has its own.
    version
        Raise it whenever the table changes by other means than an event of this grid (preset, undo, import,
        an event that the page refused), so that the grid replaces what it shows.
    colours
        A CSS colour per class for its swatch and tint; one hue for all without.
    integer
        Whether only whole numbers are accepted.
    height
        In pixels, above which the grid scrolls inside its box.
    page_keys
        Whether the undo and redo keys are this grid's on the whole page, except where somebody is typing.

    Returns
    -------
    An event is either adopted by the page as it is, or refused by raising `version`. After "undo" and "redo"
    the page raises `version` and reruns, unless it took the event with `grid_event` before drawing.
    """
    table = np.asarray(counts, dtype=float)
    _require_drawable(table, classes, clusters, colours, integer)
    seen, state = _seen(key), st.session_state.get(key)
    event = None if seen.early else _take(seen, state, version, integer)
    seen.early = False
    travels = event is not None and event.action in HISTORY
    shown, rows, columns = table, list(classes), list(clusters)
    if event is not None and not travels:
        shown, rows, columns = event.counts, event.classes, event.clusters
    _component(
        key=key,
        data={
            "version": version,
            "client": seen.client,
            # An undo taken here is answered by the page's rerun, which has the table that it led to.
            "seen": seen.number - 1 if travels else seen.number,
            "counts": [[int(v) if v.is_integer() else v for v in row] for row in shown.tolist()],
            "classes": rows,
            "clusters": columns,
            "colours": dict(zip(classes, colours, strict=True)) if colours is not None else None,
            "integer": integer,
            "height": height,
            "pageKeys": page_keys,
        },
        on_outbox_change=lambda: None,  # only names the state value: the run itself takes it
    )
    return event


def _require_drawable(table: np.ndarray, classes, clusters, colours, integer: bool) -> None:
    if table.shape != (len(classes), len(clusters)):
        raise ValueError(f"counts are {table.shape} for {len(classes)} classes and {len(clusters)} clusters")
    for kind, names, most in (("classes", classes, MOST), ("clusters", clusters, MOST_CLUSTERS)):
        if _names(list(names), most) is None:
            raise ValueError(f"the grid draws 1 to {most} {kind}, with names that differ")
    if _counts(table.tolist(), *table.shape, integer) is None:
        raise ValueError(f"the grid draws {'whole ' if integer else ''}counts from 0 to {LARGEST}")
    if colours is not None and len(colours) != len(classes):
        raise ValueError(f"there are {len(colours)} colours for {len(classes)} classes")


# --- what the browser says


def _unseen(outbox: Any, seen: _Seen) -> tuple[str, list[dict]]:
    """The changes in the message that were not taken yet, in order."""
    if not isinstance(outbox, dict):
        return "", []
    client, items = outbox.get("client"), outbox.get("items")
    if not isinstance(client, str) or not isinstance(items, list):
        return "", []
    after = seen.number if client == seen.client else 0
    fresh = [item for item in items if isinstance(item, dict) and _is_number(item.get("seq"))]
    return client, sorted((item for item in fresh if item["seq"] > after), key=lambda item: item["seq"])


def _event(steps: list[dict], version: int, integer: bool) -> GridEvent | None:
    """The newest of some changes as an event; None if it is malformed, or made to a table since replaced."""
    item = steps[-1]
    action, detail = item.get("action"), item.get("detail")
    if action not in ACTIONS or not isinstance(detail, str):
        return None
    if item.get("version") != version and action not in HISTORY:
        return None
    classes, clusters = _names(item.get("classes"), MOST), _names(item.get("clusters"), MOST_CLUSTERS)
    if classes is None or clusters is None:
        return None
    counts = _counts(item.get("counts"), len(classes), len(clusters), integer)
    if counts is None:
        return None
    changes = sum(step["steps"] if _is_number(step.get("steps")) else 1 for step in steps)
    if any(step.get("action") != action for step in steps):
        action = "edit"
    detail = f"{changes} changes, last {detail}" if changes > 1 else detail
    return GridEvent(counts, classes, clusters, action, detail[:LONGEST_NAME])


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 < value <= LARGEST


def _names(value: Any, most: int) -> list[str] | None:
    if not isinstance(value, list) or not 1 <= len(value) <= most:
        return None
    if not all(isinstance(name, str) and len(name) <= LONGEST_NAME for name in value):
        return None
    return value if len(set(value)) == len(value) else None


def _counts(value: Any, rows: int, columns: int, integer: bool) -> np.ndarray | None:
    if not isinstance(value, list) or len(value) != rows:
        return None
    for row in value:
        if not isinstance(row, list) or len(row) != columns:
            return None
        for v in row:
            if type(v) not in (int, float) or not 0 <= v <= LARGEST:  # false for NaN too
                return None
            if integer and v != int(v):
                return None
    return np.array(value, dtype=float)
