"""Lines over a log axis, their bands and labels: what Sampling, Words and Number of clusters draw alike."""

import math

import plotly.graph_objects as go

TICKS = [a * 10**k for k in range(6) for a in (1, 2, 5)]
MAIN, SIDE = 500, 470  # heights
ROOM = 96  # pixels for the labels of lines, to the right of a figure
GREY = "#8a94a3"  # of truths and other lines that are no result


def faint(colour: str, alpha: float) -> str:
    """A colour such as #1f77c4, made transparent."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha:g})"


def log_axis(fig: go.Figure, first: float, last: float, title: str | None = "sample size N (log scale)", **where):
    """A log axis with ticks that people read: 1, 2, 5, 10, ...; over many decades, powers of ten."""
    step = 3 if last / first > 500 else 1
    ticks = [t for t in TICKS[::step] if first <= t <= last] or [first, last]
    margin = 0.02 * math.log10(last / first) if last > first else 0.1
    look = dict(
        type="log",
        range=[math.log10(first) - margin, math.log10(last) + margin],
        tickvals=ticks,
        ticktext=[f"{t:,}" for t in ticks],
        minor=dict(showgrid=False),
    )
    fig.update_xaxes(**look | ({} if title is None else dict(title=title)) | where)


def band(fig: go.Figure, x, low, high, colour: str, **where):
    """A filled band between two lines, silent under the mouse."""
    fig.add_scatter(
        x=[*x, *reversed(list(x))],
        y=[*high, *reversed(list(low))],
        fill="toself",
        fillcolor=faint(colour, 0.13),
        line=dict(width=0),
        hoverinfo="skip",
        mode="lines",
        **where,
    )


def line(fig: go.Figure, x, y, name: str, colour: str, dash: str = "solid", error=None, **where):
    """A line with its name and value under the mouse, and error bars where errors are given."""
    bars = None if error is None else dict(type="data", array=error, color=colour, thickness=1.2, width=2)
    fig.add_scatter(
        x=x,
        y=y,
        name=name,
        mode="lines" if error is None else "lines+markers",
        line=dict(color=colour, width=2.6, dash=dash),
        marker=dict(size=5),
        error_y=bars,
        hovertemplate="%{y:.4f}",
        **where,
    )


def labels_at_right(fig: go.Figure, lines: list[tuple[str, float, str]], low: float, high: float, height: float):
    """Names of lines in their colours at the right edge, pushed apart where the lines end together.

    `lines` are (name, last value, colour), the axis shows low to high over `height` pixels.
    """
    gap = 17 * (high - low) / height
    ordered = sorted((line for line in lines if math.isfinite(line[1])), key=lambda line: line[1])
    places = []
    for _, value, _ in ordered:
        wish = min(max(value, low + gap / 2), high - gap / 2)
        places.append(max(wish, places[-1] + gap) if places else wish)
    for i in reversed(range(len(places))):  # what was pushed over the top comes down again
        top = high - gap / 2 if i == len(places) - 1 else places[i + 1] - gap
        places[i] = min(places[i], top)
    for (name, _, colour), place in zip(ordered, places, strict=True):
        fig.add_annotation(
            x=1,
            xref="paper",
            y=place,
            text=f"<b>{name}</b>",
            font=dict(color=colour, size=13),
            showarrow=False,
            xanchor="left",
            xshift=6,
        )


def spread(*parts, pad: float = 0.06) -> tuple[float, float]:
    """The range that shows all these numbers, with a little air."""
    numbers = [float(x) for part in parts for x in part if math.isfinite(x)]
    low, high = (min(numbers), max(numbers)) if numbers else (0.0, 1.0)
    air = pad * (high - low) or 0.05 * abs(high) or 0.05
    return low - air, high + air


def mark_size(fig: go.Figure, n: int):
    """A quiet vertical line at the sample size that is read."""
    fig.add_vline(x=n, line=dict(color=GREY, width=1, dash="dot"))


def reads_everything(fig: go.Figure):
    """One hover box for all panels that share the x axis."""
    fig.update_layout(hoversubplots="axis", margin=dict(r=ROOM))
