"""Number of clusters: measures (or estimators) against k on a log axis, with the k that each likes best."""

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from evalcore import MEASURES

from .figures import figure
from .lines import band, labels_at_right, log_axis, spread
from .style import GREY, estimator_colour, measure_colour, number

HEIGHT = 540
ROOM = 72  # pixels for the names of lines
TRIVIAL = ("h", "c")  # h likes as many clusters as there are, c one, whatever the data
LETTER = 8.5  # pixels, about
PLOT = 620  # pixels that the figure's inside is wide, about; labels are set apart for it


def listed(names) -> str:
    """V; V and VI; V, VI and NVI."""
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def symbol(name: str) -> str:
    return MEASURES[name].symbol


def favourites(liked: pd.DataFrame, column: str) -> dict[int, list[str]]:
    """Which measures (or estimators) like each k, in the order in which they are drawn."""
    found: dict[int, list[str]] = {}
    for row in liked.itertuples():
        if math.isfinite(row.value):
            found.setdefault(row.k, []).append(getattr(row, column))
    return found


def truth(classes: int) -> str:
    return "there is 1 class" if classes == 1 else f"there are {classes} classes"


def measures_title(liked: pd.DataFrame, classes: int) -> str:
    """What each measure likes; h and c only where there is nothing else to say."""
    main = liked[~liked["measure"].isin(TRIVIAL)]
    groups = favourites(main if len(main) else liked, "measure")
    if not groups:
        return "No measure has a value here"
    if len(groups) == 1:
        ((k, names),) = groups.items()
        return f"{listed(map(symbol, names))} like{'s' if len(names) == 1 else ''} k = {k}; {truth(classes)}"
    parts = [f"{listed(map(symbol, names))} k = {k}" for k, names in list(groups.items())[:4]]
    first, rest = parts[0].rsplit(" k = ", 1), parts[1:]
    verb = "likes" if len(next(iter(groups.values()))) == 1 else "like"
    return f"{first[0]} {verb} k = {first[1]}, {', '.join(rest)}; {truth(classes)}"


def measures_figure(board: pd.DataFrame, liked: pd.DataFrame, classes: int, k: int, unit: str) -> go.Figure:
    """Each measure from its worst (0) to its best (1) over the k tried."""
    traces, ends, drawn = [], [], []
    for name, part in board.groupby("measure", sort=False):
        colour, values = measure_colour(name), part["value"].to_numpy()
        heights = from_worst_to_best(values, MEASURES[name].higher_is_better)
        said = [number(x) + (f" {unit}" if MEASURES[name].unit else "") for x in values]
        # VI and NVI have the same shape: both are seen where the second is dashed
        dash = "dash" if any(np.allclose(heights, other) for other in drawn) else "solid"
        traces.append(
            dict(
                type="scatter",
                x=part["k"].tolist(),
                y=heights.tolist(),
                name=symbol(name),
                mode="lines",
                customdata=said,
                hovertemplate="%{customdata}",
                line=dict(color=colour, width=2.6, dash=dash),
            )
        )
        drawn.append(heights)
        ends.append((symbol(name), float(heights[-1]), colour))
    groups = favourites(liked, "measure")
    rows, deepest = _rows({at: ", ".join(map(symbol, names)) for at, names in groups.items()}, board["k"])
    low = -0.16 - 0.065 * deepest
    traces.append(_peaks([(at, measure_colour(name)) for at, names in groups.items() for name in names], 1.0))
    fig = figure(measures_title(liked, classes), y="worst k (0) to best k (1)", height=HEIGHT, data=traces,
                 yaxis=dict(range=[low, 1.1], tickvals=[0, 0.25, 0.5, 0.75, 1]))  # fmt: skip
    for at, names in groups.items():
        colours = [measure_colour(name) for name in names]
        text = ", ".join(f"<span style='color:{c}'>{symbol(n)}</span>" for n, c in zip(names, colours, strict=True))
        _favourite(fig, at, max(board["k"]), f"<b>{text}</b>", -0.045, -0.095 - 0.065 * rows[at])
    _finish(fig, board["k"], ends, 0, classes, k)
    return fig


def from_worst_to_best(values: np.ndarray, higher_is_better: bool) -> np.ndarray:
    """0 where the measure is at its worst, 1 where at its best; 1 throughout where it is always the same."""
    good = values if higher_is_better else -values
    if not np.isfinite(good).any():
        return np.full(len(good), np.nan)
    worst, best = np.nanmin(good), np.nanmax(good)
    return (good - worst) / (best - worst) if best > worst else np.where(np.isfinite(good), 1.0, np.nan)


def estimators_title(board, liked, whole, classes, k, sample) -> str:
    name = board["measure"].iloc[0]
    if not liked["estimator"].iloc[0]:
        return f"{symbol(name)} likes k = {liked['k'].iloc[0]} and needs no estimator; {truth(classes)}"
    if whole is None:
        groups = favourites(liked, "estimator")
        said = ", ".join(f"by {listed(names)} k = {at}" for at, names in list(groups.items())[:4])
        return f"{symbol(name)} {said.replace(' k = ', ' likes k = ', 1)}; {truth(classes)}"
    here, there = (b[b["k"] == k].set_index("estimator")["value"] for b in (board, whole))
    first, last = here.index[0], here.index[-1]
    said = ", ".join(f"{number(here[e])} by {e}" for e in dict.fromkeys((first, last)))
    everything = f"all make it {number(there[first])} by {first}"
    return f"k = {k}: {sample:,} items make {symbol(name)} {said}; {everything}"


def estimators_figure(
    board: pd.DataFrame,
    liked: pd.DataFrame,
    whole: pd.DataFrame | None,
    classes: int,
    k: int,
    unit: str,
    sample: int | None,
) -> go.Figure:
    """One measure as each estimator has it, on its own scale; with samples, beside what all items say."""
    name = board["measure"].iloc[0]
    measure = MEASURES[name]
    colours = {e: estimator_colour(e) if e else measure_colour(name) for e in board["estimator"].unique()}
    parts = {e: part for e, part in board.groupby("estimator", sort=False)}
    reference = None if whole is None else whole[whole["estimator"] == whole["estimator"].iloc[0]]
    low, high = spread(
        board["value"] - board["sd"],
        board["value"] + board["sd"],
        [] if reference is None else reference["value"],
    )
    groups = favourites(liked, "estimator")
    rows, deepest = _rows({at: ", ".join(names) for at, names in groups.items()}, board["k"])
    # up is better: the axis of a measure where lower is better is turned, and its foot is its highest value
    foot, top = (low, high) if measure.higher_is_better else (high, low)
    step = (top - foot) * 0.06
    span = [foot - step * (2 + deepest), top]
    where = f"{measure.title}{f', {unit}' if measure.unit else ''} {measure.arrow}"
    title = estimators_title(board, liked, whole, classes, k, sample)
    fig, ends = figure(title, y=where, height=HEIGHT, yaxis=dict(range=span, tickvals=_ticks(low, high))), []
    for e, part in parts.items():
        if sample:
            band(fig, part["k"].tolist(), part["value"] - part["sd"], part["value"] + part["sd"], colours[e])
        ends.append(_line(fig, part, e or symbol(name), colours[e]))
    if reference is not None:
        ends.append(_line(fig, reference, f"{reference['estimator'].iloc[0]} all".strip(), GREY, "dash"))
    for at, names in groups.items():
        text = ", ".join(f"<span style='color:{colours[e]}'>{e or symbol(name)}</span>" for e in names)
        _favourite(fig, at, max(board["k"]), f"<b>{text}</b>", foot - step * 0.3, foot - step * (1.1 + rows[at]))
    for row in liked.itertuples():
        if math.isfinite(row.value):
            fig.add_trace(_peaks([(row.k, colours[row.estimator])], row.value))
    _finish(fig, board["k"], ends, foot, classes, k)
    return fig


# ---- parts ----


def _line(fig, part, name, colour, dash="solid"):
    """A line of true values; and its name, end and colour for the label."""
    look = dict(color=colour, width=2.6 if dash == "solid" else 2, dash=dash)
    x, y = part["k"].tolist(), part["value"].tolist()
    fig.add_scatter(x=x, y=y, name=name, mode="lines", hovertemplate="%{y:.4f}", line=look)
    return name, y[-1], colour


def _peaks(found, height):
    """A dot where a line is highest; found are (k, colour)."""
    x, colours = [at for at, _ in found], [colour for _, colour in found]
    marker = dict(size=9, color=colours, line=dict(width=1.5, color="white"))
    return dict(type="scatter", x=x, y=[height] * len(x), mode="markers", hoverinfo="skip", marker=marker)


def _favourite(fig, at, last, text, mark, label):
    """A triangle on the axis, and beneath it who likes this k."""
    look = dict(symbol="triangle-up", size=11, color=GREY)
    fig.add_scatter(x=[at], y=[mark], mode="markers", hoverinfo="skip", marker=look)
    side = "left" if at == 1 else "right" if at == last else "center"
    shift = {"left": -8, "right": 8, "center": 0}[side]
    where = dict(x=math.log10(at), y=label, xanchor=side, xshift=shift)
    fig.add_annotation(text=f"{text}: {at}", showarrow=False, font=dict(size=13), **where)


def _ticks(low, high):
    """Round numbers between low and high, three to nine of them."""
    rough = (high - low) / 8
    step = 10 ** math.floor(math.log10(rough))
    step *= next(by for by in (1, 2, 5, 10) if by * step >= rough)
    return [round(i * step, 10) for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _rows(labels: dict[int, str], ks) -> tuple[dict[int, int], int]:
    """A row for each label so that neighbours do not write over each other, and the last row used."""
    width = max(math.log10(max(ks)) - math.log10(min(ks)), 0.1)
    ends: list[float] = []
    rows = {}
    for at in sorted(labels):
        centre = (math.log10(at) - math.log10(min(ks))) / width * PLOT
        half = (len(labels[at]) + len(f": {at}")) * LETTER / 2 + 6
        row = next((r for r, end in enumerate(ends) if end <= centre - half), len(ends))
        ends[row : row + 1] = [centre + half]
        rows[at] = row
    return rows, max(len(ends) - 1, 0)


def _finish(fig, ks, ends, foot, classes, k):
    """The axis of k, the true number of classes, the k looked at, and the lines' names."""
    bottom, top = fig.layout.yaxis.range
    log_axis(fig, min(ks), max(max(ks), 2), "number of clusters k (log scale)")
    marks = [(classes, dict(color=GREY, width=1.6, dash="dash"))]
    marks += [(k, dict(color=GREY, width=1, dash="dot"))] if k != classes else []
    for at, look in marks:
        fig.add_shape(type="line", x0=at, x1=at, y0=foot, y1=top, line=look, layer="below")
    text = f"{classes} class{'' if classes == 1 else 'es'}"
    where = dict(x=math.log10(classes), y=top, xanchor="left", yanchor="top", xshift=4)
    fig.add_annotation(text=text, showarrow=False, font=dict(size=13), **where)
    fig.update_layout(margin=dict(r=ROOM))
    labels_at_right(fig, ends, min(bottom, top), max(bottom, top), HEIGHT - 108)
