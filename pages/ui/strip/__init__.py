"""The strip: one line per measure, better always to the right, the current solution among named reference solutions."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import streamlit as st

from evalcore import MEASURES
from evalcore.measures import resolve

from ..style import measure_colour, number, signed

_HERE = Path(__file__).parent
_component = st.components.v2.component("measure_lab_strip", js=(_HERE / "strip.js").read_text("utf-8"),
                                        css=(_HERE / "strip.css").read_text("utf-8"))
FAMILY_NAMES = {"information": "Information", "chance": "Corrected for chance", "pairs": "Pairs", "matching": "Matching and overlap"}


def strips(now: pd.Series | None, references: Mapping[str, pd.Series], *, key: str, label: str, before: pd.Series | None = None,
           pinned: pd.Series | None = None, now_label: str = "", families: bool = False, compact: bool = False,
           before_name: str = "since the last edit", value_head: str = "", file: str = "strips"):
    """Draw strips for the measures in `now` (or in the first reference, where there is no current solution).

    Parameters
    ----------
    now : scores of the current solution by measure name, the large mark
    references : scores by measure name of each named reference solution, the small marks
    before : scores to show the change against
    pinned : scores of the pinned baseline, a diamond
    families : whether to head each family of measures
    """
    lead = now if now is not None else next(iter(references.values()))
    rows = [_row(name, now, references, before, pinned, now_label) for name in lead.index]
    widest = max(len(row["symbol"]) for row in rows)
    name_width = 2.6 + 0.62 * min(max(widest, 3), 9)
    with_change = before is not None
    _component(key=key, data={
        "rows": rows, "label": label, "families": families, "row": 2.05 if compact else 2.45, "file": file,
        "nameWidth": f"{name_width}rem", "withChange": with_change, "withValue": now is not None, "valueHead": value_head,
        "changeHead": before_name if with_change and len(before_name) < 14 else "change" if with_change else "",
        # what the columns beside the track take, in pixels, so that labels know their room
        "fixed": round(16 * (name_width + (4 if now is not None else 0) + (4.1 if with_change else 0) + 3 * 0.5 + 5.6 + 0.25))})


def _row(name, now, references, before, pinned, now_label):
    measure = resolve(name)
    values = {ref: float(scores[name]) for ref, scores in references.items() if name in scores and _finite(scores[name])}
    value = float(now[name]) if now is not None else math.nan
    everything = [*values.values()] + ([value] if _finite(value) else [])
    baseline = float(pinned[name]) if pinned is not None and name in pinned and _finite(pinned[name]) else None
    everything += [baseline] if baseline is not None else []
    low, high = scale(measure, everything)
    place = (lambda x: (x - low) / (high - low)) if measure.higher_is_better else (lambda x: (high - x) / (high - low))
    marks = [{"kind": "reference", "label": ref, "at": place(x)} for ref, x in values.items()]
    marks += [{"kind": "pinned", "label": "pinned", "at": place(baseline)}] if baseline is not None else []
    marks += [{"kind": "now", "label": now_label, "at": place(value)}] if _finite(value) else []
    change = value - float(before[name]) if before is not None and name in before else math.nan
    all_marks = ([{"name": now_label or "this solution", "value": number(value)}] if now is not None else [])
    all_marks += [{"name": "pinned", "value": number(baseline)}] if baseline is not None else []
    all_marks += [{"name": ref, "value": number(x)} for ref, x in sorted(values.items(), key=lambda r: -place(r[1]))]
    ends = (low, high) if measure.higher_is_better else (high, low)
    direction = "higher" if measure.higher_is_better else "lower"
    return {"name": name, "symbol": measure.symbol, "title": measure.title, "arrow": measure.arrow, "rewards": measure.rewards,
            "family": FAMILY_NAMES.get(measure.family, measure.family), "colour": measure_colour(name),
            "value": number(value) if now is not None else "", "change": signed(change),
            "improved": (change > 0) == measure.higher_is_better, "marks": marks, "all": all_marks,
            "low": _end(ends[0]), "high": _end(ends[1]),
            "spoken": f"{measure.title}, {direction} is better: " + "; ".join(f"{m['name']} {m['value']}" for m in all_marks)}


def scale(measure, values: Sequence[float]) -> tuple[float, float]:
    """The axis: the measure's own bounds, stretched where a value lies outside (as estimators may) or where it has no bound."""
    low, high = measure.bounds
    low = min([low, *values])
    high = max([high if high is not None else low, *values])
    return (low, high) if high > low else (low, low + 1.0)


def _finite(x):
    return x is not None and math.isfinite(x)


def _end(x):
    return "0" if x == 0 else f"{x:,.0f}" if abs(x) >= 100 else f"{x:.3g}".replace("-", "−")


def shown(names: Sequence[str], families: bool) -> list[str]:
    """The measures in the order of the registry, so that families stay together."""
    order = list(MEASURES)
    return sorted(names, key=lambda n: order.index(resolve(n).name.split("(")[0])) if families else list(names)
