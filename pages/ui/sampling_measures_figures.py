"""The Sampling lab's figures of a measure on samples: by size, at one size, and by number of clusters."""

import numpy as np
import pandas as pd
import streamlit as st

from .figures import figure, show
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
from .style import estimator_colour, measure_colour, number

SMALL = 245  # height of a figure of which two stand above each other


def colour_of(measure: str, estimator: str) -> str:
    """A measure that uses no estimator has its own colour."""
    return estimator_colour(estimator) if estimator else measure_colour(measure)


def statement(table: pd.DataFrame, measure: str, n: int) -> str:
    """What is true, what ML says at sample size n, and who comes closest."""
    rows = table[table.n == n].set_index("estimator")
    true, first = rows.truth.iloc[0], "ML" if "ML" in rows.index else rows.index[0]
    said = f"{first or 'it'} says {number(rows['mean'][first])}"
    if not np.isfinite(true):
        return f"{measure} grows without end with N; at N = {n:,} {said}"
    best = rows.bias.abs().idxmin()
    closest = f", {best} {number(rows['mean'][best])}" if best != first else " on average"
    return f"True {measure} is {number(true)}; at N = {n:,} {said}{closest}"


def curves(table: pd.DataFrame, measure: str, n: int, unit: str):
    """Mean and middle 90% of the samples' scores against sample size."""
    height = MAIN - 30
    fig = figure(statement(table, measure, n), y=f"{measure} on samples{unit and f' ({unit})'}", height=height)
    true, ends = float(table.truth.iloc[0]), []
    low, high = spread(table.q05, table.q95, [true])
    for estimator, part in table.groupby("estimator", sort=False):
        name, colour = estimator or measure, colour_of(measure, estimator)
        band(fig, part.n, part.q05, part.q95, colour)
        line(fig, part.n, part["mean"], name, colour)
        ends.append((name, float(part["mean"].iloc[-1]), colour))
    if np.isfinite(true):
        fig.add_hline(y=true, line=dict(color=GREY, width=2, dash="dash"))
        ends.append((f"true {number(true)}", true, GREY))
    labels_at_right(fig, ends, low, high, height - 108)
    fig.update_yaxes(range=[low, high])
    log_axis(fig, table.n.min(), table.n.max())
    mark_size(fig, n)
    reads_everything(fig)
    show(fig, table, key="sampling.measures.figure", file=f"{measure}-by-sample-size")


def spread_statement(values: dict, measure: str, n: int, true: float) -> str:
    """How many samples put ML (or whoever is first) above the truth, or,
    where the truth is endless, between which scores most lie."""
    first = "ML" if "ML" in values else next(iter(values))
    x, name = values[first], first or measure
    if not np.isfinite(true):
        low, high = np.quantile(x, [0.05, 0.95])
        return f"N = {n:,}: {name} between {number(low)} and {number(high)} in 90% of samples"
    above = (x > true + 1e-9).mean()  # beyond roundoff
    if above in (0, 1):
        return f"N = {n:,}: {f'all {name} samples exceed' if above else f'no {name} sample exceeds'} the truth"
    return f"N = {n:,}: {min(max(above, 0.01), 0.99):.0%} of {name} samples exceed the truth"


def histogram(scores: pd.DataFrame, measure: str, n: int, unit: str, true: float):
    """All samples of one size, an estimator above the other."""
    values = {estimator: scores[measure, estimator].to_numpy() for _, estimator in scores.columns}
    low, high = spread(*(np.quantile(x, [0.005, 0.995]) for x in values.values()), [true])
    edges = np.linspace(low, high, 61)
    fig = figure(spread_statement(values, measure, n, true), x=f"{measure}{unit and f' ({unit})'}", height=SMALL)
    rows = []
    for row, (estimator, x) in enumerate(reversed(values.items())):
        count = np.histogram(x, edges)[0]
        fig.add_bar(
            x=(edges[1:] + edges[:-1]) / 2,
            y=0.9 * count / max(count.max(), 1),
            base=row,
            width=edges[1] - edges[0],
            marker=dict(color=colour_of(measure, estimator)),
            customdata=count,
            hovertemplate=f"{estimator or measure}: %{{customdata}} samples near %{{x:.3f}}<extra></extra>",
        )
        rows += [(estimator, *place) for place in zip(edges[:-1], edges[1:], count, strict=True)]
    if np.isfinite(true):
        fig.add_vline(x=true, line=dict(color=GREY, width=2, dash="dash"))
    places = [row + 0.25 for row in range(len(values))]
    labels = [estimator or measure for estimator in reversed(values)]
    fig.update_yaxes(tickvals=places, ticktext=labels, range=[-0.05, len(labels) + 0.05], showgrid=False)
    fig.update_xaxes(range=[low, high])
    fig.update_layout(hovermode="closest", bargap=0, barmode="overlay")
    data = pd.DataFrame(rows, columns=["estimator", "from", "to", "samples"])
    show(fig, data, key="sampling.histogram.figure", file=f"{measure}-at-{n}")
    outside = sum(int(((x < low) | (x > high)).sum()) for x in values.values())
    if outside:
        st.caption(f"{outside} value{' lies' if outside == 1 else 's lie'} outside the picture.")


def by_clusters(table: pd.DataFrame, measure: str, n: int):
    """Mean scores of systems that know nothing, against their number of clusters."""
    last = table.clusters.max()
    top = table[table.clusters == last].set_index("estimator")
    first = "ML" if "ML" in top.index else top.index[0]
    said = f"{first or measure} says {number(top['mean'][first])}, truth {number(top.truth[first])}"
    fig = figure(f"Knowing nothing, {last} clusters: {said}", y=f"mean {measure}", height=SMALL)
    ends, (low, high) = [], spread(table["mean"], table.truth)
    for estimator, part in table.groupby("estimator", sort=False):
        name, colour = estimator or measure, colour_of(measure, estimator)
        line(fig, part.clusters, part["mean"], name, colour, error=2 * part.mean_error)
        ends.append((name, float(part["mean"].iloc[-1]), colour))
    truth = table.drop_duplicates("clusters")
    line(fig, truth.clusters, truth.truth, "true", GREY, dash="dash")
    ends.append(("true", float(truth.truth.iloc[-1]), GREY))
    labels_at_right(fig, ends, low, high, SMALL - 108)
    fig.update_yaxes(range=[low, high])
    log_axis(fig, table.clusters.min(), 100, title=f"clusters of a random system, N = {n:,}")
    fig.update_layout(margin=dict(r=80))
    show(fig, table, key="sampling.clusters.figure", file=f"{measure}-by-clusters")
