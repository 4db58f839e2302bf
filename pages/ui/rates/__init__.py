"""The table of rates: a row for each measure, a column for each check; a click on a cell asks for its counterexample."""

from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from evalcore import FAMILIES
from evalcore.checks import Outcome
from evalcore.measures import resolve

from ..style import measure_colour

_HERE = Path(__file__).parent
_component = st.components.v2.component("measure_lab_rates", js=(_HERE / "rates.js").read_text("utf-8"),
                                        css=(_HERE / "rates.css").read_text("utf-8"))


def rates_table(outcomes: Mapping[str, Outcome], measures: list[str], *, key: str, label: str,
                chosen: tuple[str, str], choose: Callable[[str, str], None], height: int,
                published: Mapping[tuple[str, str], float] | None = None) -> None:
    """Draw the rates of these measures.

    Parameters
    ----------
    chosen : (check, measure) of the cell that is marked
    choose : called with a check and a measure when a cell is clicked, before the page runs again
    height : in pixels, above which the table scrolls in its box
    published : rates printed elsewhere, by (check, measure), shown below the computed ones
    """
    def clicked():
        cell = (st.session_state.get(key) or {}).get("cell")
        if isinstance(cell, list) and len(cell) == 2 and cell[0] in outcomes and cell[1] in measures:
            choose(*cell)

    _component(key=key, on_cell_change=clicked, data={
        "label": label, "height": height, "chosen": list(chosen),
        "columns": [{"key": o.check.key, "title": o.check.title, "says": o.check.says,
                     "total": f"{max(o.total.values()):,}"} for o in outcomes.values()],
        "rows": [_row(name, outcomes, published or {}) for name in measures]})


def _row(name, outcomes, published):
    measure = resolve(name)
    cells = [_cell(outcome, name, published.get((key, name))) for key, outcome in outcomes.items()]
    return {"name": name, "symbol": measure.symbol, "arrow": measure.arrow, "title": measure.title,
            "colour": measure_colour(name), "family": FAMILIES[measure.family].split(":")[0], "cells": cells}


def _cell(outcome, name, printed):
    held, total = outcome.held[name], outcome.total[name]
    if not total:
        return {"rate": None, "text": "–", "count": "", "says": f"{name} {outcome.unjudged[name]}.", "printed": ""}
    # 0.996 must not read as 1: only what always holds says so
    rate = held / total
    text = "1" if held == total else "0" if not held else f"{min(max(rate, 0.01), 0.99):.2f}"
    says = f"{outcome.check.key}, {outcome.check.title}: {name} holds in {held:,} of {total:,} cases"
    differs = printed is not None and round(rate, 2) != round(printed, 2)
    note = "" if printed is None else f"paper {printed:g}"
    return {"rate": rate, "text": text, "count": f"{held:,}", "printed": note, "differs": differs,
            "says": f"{says}, {rate:.1%}" + (f"; published: {printed:g}" if printed is not None else "")}
