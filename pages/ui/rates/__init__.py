"""Tinted tables of measures by checks or by steps: green where a measure does right, orange where not."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import streamlit as st

from evalcore import FAMILIES
from evalcore.checks import Outcome
from evalcore.measures import resolve

from ..style import measure_colour

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "measure_lab_rates",
    js=(_HERE / "rates.js").read_text("utf-8"),
    css=(_HERE / "rates.css").read_text("utf-8"),
)


def rates_table(
    outcomes: Mapping[str, Outcome],
    measures: Sequence[str],
    *,
    key: str,
    label: str,
    chosen: tuple[str, str],
    choose: Callable[[str, str], None],
    height: int,
    published: Mapping[tuple[str, str], float] | None = None,
) -> None:
    """How often each measure passes each check.

    Parameters
    ----------
    chosen : (check, measure) of the cell that is marked
    choose : called with a check and a measure when a cell is clicked, before the page runs again
    height : in pixels, above which the table scrolls in its box
    published : rates printed elsewhere, by (check, measure), shown below the computed ones
    """
    printed = published or {}
    columns = [
        {
            "key": key,
            "head": key,
            "title": o.check.title,
            "says": o.check.says,
            "note": f"of {max(o.total.values()):,}",
        }
        for key, o in outcomes.items()
    ]
    rows = [
        {
            **_head(name),
            "family": FAMILIES[resolve(name).family].split(":")[0],
            "cells": [_rate(outcome, name, printed.get((key, name))) for key, outcome in outcomes.items()],
        }
        for name in measures
    ]
    _draw(
        columns,
        rows,
        key,
        label,
        choose,
        height=height,
        chosen=list(chosen),
        widths=["6.4rem", "4.6rem"],
        steps=False,
    )


def steps_table(
    columns: Sequence[Mapping],
    cells: Mapping[str, Sequence[Mapping]],
    *,
    key: str,
    label: str,
    choose: Callable[[str, str], None],
) -> None:
    """What one step of each parameter does to each measure.

    `columns` have key, head, title and says; `cells` holds for each measure one cell a column, with kind
    ("right", "wrong" or "none"), text and says. `choose` is called with a column's key and a measure.
    """
    rows = [
        {**_head(name), "cells": [{"count": "", "printed": "", "wrong": 45, **cell} for cell in line]}
        for name, line in cells.items()
    ]
    _draw(
        [{"note": "", **column} for column in columns],
        rows,
        key,
        label,
        choose,
        height=2000,
        chosen=[],
        widths=["4.4rem", "3.9rem"],
        steps=True,
    )


def _draw(columns, rows, key, label, choose, **more):
    def clicked():
        cell = (st.session_state.get(key) or {}).get("cell")
        if (
            isinstance(cell, list)
            and cell[:1] in [[c["key"]] for c in columns]
            and cell[1:] in [[r["name"]] for r in rows]
        ):
            choose(*cell)

    _component(
        key=key,
        on_cell_change=clicked,
        data={"label": label, "corner": "measure", "columns": columns, "rows": rows, **more},
    )


def _head(name):
    measure = resolve(name)
    return {
        "name": name,
        "symbol": measure.symbol,
        "arrow": measure.arrow,
        "title": measure.title,
        "colour": measure_colour(name),
    }


def _rate(outcome, name, printed):
    held, total = outcome.held[name], outcome.total[name]
    if not total:
        return {"kind": "none", "text": "–", "says": f"{name} {outcome.unjudged[name]}."}
    rate = held / total
    # 0.996 must not read as 1: only what always holds says so
    text = "1" if held == total else "0" if not held else f"{min(max(rate, 0.01), 0.99):.2f}"
    says = f"{outcome.check.key}, {outcome.check.title}: {name} holds in {held:,} of {total:,} cases, {rate:.1%}"
    cell = {
        "kind": "right" if held == total else "wrong",
        "wrong": round(12 + 50 * (1 - rate)),
        "text": text,
        "count": f"{held:,}",
    }
    if printed is None:
        return {**cell, "printed": "", "says": says}
    return {
        **cell,
        "printed": f"paper {printed:g}",
        "differs": round(rate, 2) != round(printed, 2),
        "says": f"{says}; published: {printed:g}",
    }
