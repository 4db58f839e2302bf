"""The index of the reference page: a line for each entry, with its numbers; a click opens it."""

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "measure_lab_entries",
    js=(_HERE / "entries.js").read_text("utf-8"),
    css=(_HERE / "entries.css").read_text("utf-8"),
)


def entries(sections: Sequence[dict], *, key: str, chosen: str, choose: Callable[[str], None], empty: str):
    """Draw the index.

    Parameters
    ----------
    sections : tables, each with label, corner, columns (head, says) and rows (name, symbol, arrow, title,
        says, spoken, colour, family, and cells with text and tint: a percentage, or None)
    chosen : the entry that is open; the list scrolls to it
    choose : called with an entry's name when it is clicked, before the page runs again
    empty : what is said where there are no sections
    """
    names = {row["name"] for section in sections for row in section["rows"]}

    def clicked():
        name = (st.session_state.get(key) or {}).get("entry")
        if name in names:
            choose(name)

    _component(key=key, on_entry_change=clicked, data={"sections": list(sections), "chosen": chosen, "empty": empty})
