"""The Sampling lab's figure of entropy estimates against sample size, and the numbers beneath it."""

import math

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from evalcore import entropy

from .figures import figure, show
from .frame import Page
from .lines import (
    GREY,
    MAIN,
    band,
    labels_at_right,
    line,
    log_axis,
    mark_size,
    reads_everything,
    spread,
)
from .style import estimator_colour, number

BELOW = {"bias": "Bias", "sd": "Standard deviation", "rmse": "RMSE"}
SPLIT = 0.42  # where the upper panel begins, as a share of the height


def draw(page: Page, lines: pd.DataFrame, points: pd.DataFrame | None, at_n: pd.DataFrame, p, key: str):
    """Exact lines, simulated points (None: not asked for), and the truth; bias, sd or RMSE beneath."""
    lower, truth = page["below"], entropy(p) / math.log(page.base)
    title = statement(at_n, page["n"], truth, page.unit)
    fig = figure(title, height=MAIN)
    ends = [(f"true {number(truth)}", truth, GREY)]
    for name in page.estimators:
        colour, part = estimator_colour(name), lines[lines.estimator == name]
        dots = points[points.estimator == name] if points is not None else part[:0]
        if len(part):
            if page["band"]:
                band(fig, part.n, part["mean"] - part.sd, part["mean"] + part.sd, colour)
            for axis, column in (("y", "mean"), ("y2", lower)):
                line(fig, part.n, part[column], name, colour, yaxis=axis)
        if len(dots):
            _add_points(fig, dots, name, colour, lower, is_check=len(part) > 0)
        if len(part) or len(dots):
            ends.append((name, float((part if len(part) else dots)["mean"].iloc[-1]), colour))
    data = pd.concat([lines.assign(method="exact"), points]) if points is not None else lines.assign(method="exact")
    upper_range, lower_range = spread(data["mean"], [truth], pad=0.08), spread(data[lower], [0.0], pad=0.1)
    below = BELOW[lower] if lower == "rmse" else BELOW[lower].lower()
    fig.add_hline(y=truth, line=dict(color=GREY, width=2, dash="dash"))
    fig.update_layout(
        yaxis=dict(title=f"expected estimate ({page.unit})", domain=[SPLIT, 1], range=upper_range),
        yaxis2=dict(
            title=f"{below} ({page.unit})",
            domain=[0, SPLIT - 0.06],
            range=lower_range,
            anchor="x",
            zeroline=True,
            zerolinecolor=GREY,
            title_standoff=8,
        ),
    )
    labels_at_right(fig, ends, *upper_range, (1 - SPLIT) * (MAIN - 108))
    log_axis(fig, page["first"], page["last"], anchor="y2")
    if page["first"] <= page["n"] <= page["last"]:
        mark_size(fig, page["n"])
    reads_everything(fig)
    show(fig, data, key=key, file="entropy-by-sample-size")


def _add_points(fig: go.Figure, dots, name, colour, lower, is_check):
    """Simulated values with two standard errors; as rings on exact lines, else joined by a dotted line."""
    for axis, column in (("y", "mean"), ("y2", lower)):
        error = dots["mean_error" if column in ("mean", "bias") else f"{column}_error"]
        fig.add_scatter(
            x=dots.n,
            y=dots[column],
            name=f"{name} simulated",
            yaxis=axis,
            mode="markers" if is_check else "lines+markers",
            marker=dict(color=colour, size=8, symbol="circle-open", line=dict(width=2)),
            line=dict(color=colour, width=1.5, dash="dot"),
            error_y=dict(type="data", array=2 * error, color=colour, thickness=1.4, width=3),
            hovertemplate="%{y:.4f}",
        )


def statement(at_n: pd.DataFrame, n: int, truth: float, unit: str) -> str:
    """What ML misses at sample size n, and who comes closest."""
    if not len(at_n):
        return f"The true entropy is {number(truth)} {unit}"
    bias = at_n.set_index("estimator").bias
    best = bias.abs().idxmin()
    first = "ML" if "ML" in bias else bias.abs().idxmax()
    said = f"N = {n:,}: {first} is off by {_small(bias[first])} of {number(truth)} {unit}"
    return said if first == best else f"{said}, {best} by only {_small(bias[best])}"


def _small(value):
    """Three decimals; where these would be zeros, the first two digits that are not."""
    digits = 3 if value == 0 or abs(value) >= 0.0005 else 1 - math.floor(math.log10(abs(value)))
    return number(value, min(digits, 12))


def reading(page: Page, lines: pd.DataFrame, points: pd.DataFrame | None, at_n: pd.DataFrame):
    """The numbers at the chosen sample size, and what the check says."""
    if len(at_n):
        table = at_n.drop(columns=["n"]).rename(columns={"mean": "expected", "rmse": "RMSE"})
        digits = {column: st.column_config.NumberColumn(format="%.4f") for column in table.columns[1:6]}
        st.dataframe(table, hide_index=True, height="content", key="sampling.entropy.reading", column_config=digits)
    if page["check"] and points is not None:
        merged = points.merge(lines, on=["n", "estimator"], suffixes=("", "_exact"))
        merged = merged[merged.mean_error > 0]
        off = (merged["mean"] - merged["mean_exact"]).abs() / merged.mean_error
        if len(off):
            st.caption(
                f"{(off <= 2).sum()} of {len(off)} simulated means lie within two standard errors of the "
                f"exact ones; the farthest is {off.max():.1f} away."
            )
    if "BUB" in page.estimators and page["first"] < 20 <= page["last"]:
        st.caption(
            "BUB jumps from N = 19 to 20: below 20 its procedure leaves all coefficients free, from 20 on "
            "at most eleven."
        )
