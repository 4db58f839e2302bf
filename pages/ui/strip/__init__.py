"""The strip: one line per measure, better always to the right, the current solution among named reference solutions."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import streamlit as st

from evalcore import MEASURES  # noqa: F401, for the examples
from evalcore.measures import Measure, resolve

from ..scripts import module
from ..style import measure_colour, number, signed

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "measure_lab_strip", js=module(_HERE, "strip"), css=(_HERE / "strip.css").read_text("utf-8")
)
FAMILY_NAMES = {
    "information": "Information",
    "chance": "Corrected for chance",
    "pairs": "Pairs",
    "matching": "Matching and overlap",
    "supervised": "Supervised",
}
SHORT = {"one cluster": "one", "singletons": "single", "no knowledge": "none"}  # where there is little room
ROUNDOFF = 1e-12


def strips(
    now: pd.Series | None,
    references: Mapping[str, pd.Series],
    *,
    key: str,
    label: str,
    before: pd.Series | None = None,
    pinned: pd.Series | None = None,
    now_label: str = "",
    families: bool = False,
    compact: bool = False,
    before_name: str = "last edit",
    file: str = "strips",
):
    """Draw strips for the measures in `now` (or in the first reference, where there is no current solution).

    Parameters
    ----------
    now : scores of the current solution by measure name, the large mark
    references : scores by measure name of each named reference solution, the small marks
    before : scores to show the change against, in a column headed `before_name`
    pinned : scores of the pinned baseline, a diamond, and a column of changes from it
    families : whether to head each family of measures
    file : name of the downloads, without ending
    """
    names = list((now if now is not None else next(iter(references.values()))).index)
    if families:
        order = list(FAMILY_NAMES)
        names.sort(key=lambda name: order.index(resolve(name).family))
    changes = {
        head: scores
        for head, scores in ((before_name, before), ("from pin", pinned))
        if scores is not None and now is not None
    }
    rows = [_row(name, now, references, changes, pinned, now_label) for name in names]
    widest = max((len(row["symbol"]) for row in rows), default=3)
    _component(
        key=key,
        data={
            "rows": rows,
            "label": label,
            "families": families,
            "row": 2.05 if compact else min(3.3, max(2.4, 24 / len(rows))),
            "file": file,
            "nameWidth": f"{2.6 + 0.62 * min(max(widest, 3), 9):.2f}rem",
            "heads": list(changes),
            "withValue": now is not None,
        },
    )


def _row(name, now, references, changes, pinned, now_label):
    measure = resolve(name)
    values = {
        ref: float(scores[name]) for ref, scores in references.items() if name in scores and _finite(scores[name])
    }
    value = float(now[name]) if now is not None else math.nan
    everything = [*values.values()] + ([value] if _finite(value) else [])
    baseline = float(pinned[name]) if pinned is not None and name in pinned and _finite(pinned[name]) else None
    everything += [baseline] if baseline is not None else []
    low, high = scale(measure, everything)
    place = (lambda x: (x - low) / (high - low)) if measure.higher_is_better else (lambda x: (high - x) / (high - low))
    marks = [
        {"kind": "reference", "label": ref, "short": SHORT.get(ref, ref), "at": place(x)} for ref, x in values.items()
    ]
    marks += [{"kind": "pinned", "label": "pinned", "at": place(baseline)}] if baseline is not None else []
    marks += [{"kind": "now", "label": now_label, "at": place(value)}] if _finite(value) else []
    everyone = [(now_label or "this solution", value)] if now is not None else []
    everyone += [("pinned", baseline)] if baseline is not None else []
    everyone += sorted(values.items(), key=lambda r: -place(r[1]))
    ends = (low, high) if measure.higher_is_better else (high, low)
    direction = "higher" if measure.higher_is_better else "lower"
    return {
        "name": name,
        "symbol": measure.symbol,
        "title": measure.title,
        "arrow": measure.arrow,
        "rewards": measure.rewards,
        "range": measure.range,
        "family": FAMILY_NAMES[measure.family],
        "colour": measure_colour(name),
        "value": number(value) if now is not None else "",
        "changes": [_change(measure, value, scores.get(name)) for scores in changes.values()],
        "marks": marks,
        "all": [{"name": who, "value": number(x), "exact": x if _finite(x) else None} for who, x in everyone],
        "low": _end(ends[0]),
        "high": _end(ends[1]),
        "spoken": f"{measure.title}, {direction} is better: " + "; ".join(f"{who} {number(x)}" for who, x in everyone),
    }


def _change(measure, value, before):
    change = value - float(before) if before is not None else math.nan
    return {"text": signed(change), "better": bool((change > 0) == measure.higher_is_better)}


def scale(measure: Measure, values: Sequence[float]) -> tuple[float, float]:
    """The axis: the measure's own bounds, stretched where a value lies outside (as estimators may) or where it has no bound.

    >>> scale(MEASURES["V"], [0.2, 0.9]), scale(MEASURES["V"], [-0.5]), scale(MEASURES["VI"], [0.3, 2.0])
    ((0, 1), (-0.5, 1), (0, 2.0))
    """
    lowest, highest = measure.bounds
    low, high = min([lowest, *values]), max([lowest if highest is None else highest, *values])
    # the last digits of a sum are no reason for an axis that ends at 1.0000000000000002
    low = lowest if lowest - low < ROUNDOFF else low
    high = highest if highest is not None and high - highest < ROUNDOFF else high
    return (low, high) if high > low else (low, low + 1.0)


def _finite(x):
    return x is not None and math.isfinite(x)


def _end(x):
    return "0" if x == 0 else f"{x:,.0f}" if abs(x) >= 100 else f"{x:.3g}".replace("-", "−")
