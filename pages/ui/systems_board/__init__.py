"""A table of scores: values with small ranks beside them, the best marked, sortable by every column, rows
to choose.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "measure_lab_board",
    js=(_HERE / "board.js").read_text("utf-8"),
    css=(_HERE / "board.css").read_text("utf-8"),
)


@dataclass(frozen=True)
class Head:
    """A column: its name, an arrow that says which way is better, and what a tooltip tells."""

    name: str
    arrow: str = ""
    title: str = ""
    is_text: bool = False


@dataclass(frozen=True)
class Cell:
    """What a cell says, what it is sorted by (nothing comes last), and its rank, if it has one."""

    text: str
    sort: float | str | None = None
    rank: int | None = None
    note: str = ""  # a tooltip, and an asterisk

    @classmethod
    def of(cls, value: float, text: str, rank: float = math.nan, note: str = "") -> "Cell":
        return cls(text, None if math.isnan(value) else value, None if math.isnan(rank) else int(rank), note)


def score_table(
    heads: Sequence[Head],
    rows: Sequence[Sequence[Cell]],
    *,
    key: str,
    label: str,
    height: int,
    chosen: int | None = None,
    choose: Callable[[int], None] | None = None,
) -> None:
    """Draw the table; its first column names the rows.

    Parameters
    ----------
    height : in pixels, above which the table scrolls in its box
    chosen : number of the row that is marked
    choose : called with a row's number when its name is clicked, before the page runs again
    """

    def clicked():
        row = (st.session_state.get(key) or {}).get("row")
        if choose is not None and isinstance(row, int) and 0 <= row < len(rows):
            choose(row)

    _component(
        key=key,
        on_row_change=clicked,
        data={
            "label": label,
            "height": height,
            "chosen": chosen,
            "choosable": choose is not None,
            "heads": [asdict(head) for head in heads],
            "rows": [[asdict(cell) for cell in row] for row in rows],
        },
    )
