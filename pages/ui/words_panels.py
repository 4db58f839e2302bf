"""Words: panels one above the other on a common axis, each with its own scale."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from .figures import MARGIN, figure
from .lines import GREY, faint, spread

HEIGHT = 500
LEAST = 1e-6  # of the largest value: less is off a log axis, and often roundoff
GAP = 0.045  # between panels, as a share of the height


@dataclass
class Line:
    """A line in a panel; `label` stands at its end, if any."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    colour: str
    dash: str = "solid"
    steps: bool = False
    label: str = ""
    marks: bool | None = False  # None: marks without a line
    band: tuple[Sequence[float], Sequence[float]] | None = None


@dataclass
class Panel:
    """One of several figures above each other; up is better where `upside_down` says so."""

    name: str
    lines: list[Line]
    upside_down: bool = False
    log: bool = False
    share: float = 1.0  # of the height, relative to the others
    level: tuple[float, str] | None = None  # a dashed line across, and what it says
    level_at: float = 0.0  # where it says so: 0 left, 1 right
    form: str = ".3f"
    foot: float | None = None  # where the axis ends, if not at the lowest value

    def place(self, y: float) -> float:
        """Where a value stands on the axis, as ranges and annotations count; 0 is not on a log axis."""
        if self.log:
            return math.log10(y) if y > 0 else -math.inf
        return y

    def span(self) -> tuple[float, float]:
        """The axis: all values, with a little air."""
        bands = [part for line in self.lines if line.band is not None for part in line.band]
        parts = [line.y for line in self.lines] + bands
        if self.level is not None:
            parts.append([self.level[0]])
        values = [y for part in parts for y in part if y is not None and math.isfinite(y)]
        if self.log:
            values = [y for y in values if y > LEAST * max(values)]
        dots = any(line.marks is None for line in self.lines)
        low, high = spread([self.place(y) for y in values], pad=0.15 if dots else 0.06)
        return (low if self.foot is None else self.foot), high


def panels_figure(
    title: str, x_title: str, panels: Sequence[Panel], height: int = HEIGHT, room: int = 70, **layout
) -> go.Figure:
    """Panels above each other with one x axis, each with its own y."""
    total = sum(panel.share for panel in panels)
    free, top = 1 - GAP * (len(panels) - 1), 1.0
    fig = figure(title, x_title, height=height, hoversubplots="axis", margin=MARGIN | dict(r=room), **layout)
    for number, panel in enumerate(panels, 1):
        axis = "y" if number == 1 else f"y{number}"
        bottom = top - free * panel.share / total
        low, high = panel.span()
        look = dict(
            domain=[max(bottom, 0.0), min(top, 1.0)],
            title=dict(text=panel.name, standoff=6, font=dict(size=13)),
            zeroline=False,
            nticks=5 if len(panels) < 4 else 3,
            anchor="x",
            tickfont=dict(size=12),
            range=[high, low] if panel.upside_down else [low, high],
        )
        look |= _log_ticks(low, high, 4 if len(panels) < 3 else 2) if panel.log else dict(tickformat=",")
        fig.update_layout({f"yaxis{'' if number == 1 else number}": look})
        for line in panel.lines:
            _add_line(fig, line, axis, panel)
        _add_labels(fig, panel, axis, (top - bottom) * (height - 108))
        if panel.level is not None:
            at, text = panel.level
            fig.add_shape(
                type="line",
                xref="paper",
                x0=0,
                x1=1,
                yref=axis,
                y0=at,
                y1=at,
                line=dict(color=GREY, width=1.4, dash="dash"),
            )
            fig.add_annotation(
                xref="paper",
                x=panel.level_at,
                xanchor="left" if panel.level_at == 0 else "right",
                yref=axis,
                y=panel.place(at),
                yanchor="bottom",
                text=text,
                showarrow=False,
                font=dict(size=12),
            )
        top = bottom - GAP
    fig.update_xaxes(anchor="free", position=0)
    return fig


def _log_ticks(low, high, wanted):
    """A log axis, from 10**low to 10**high, with a few ticks that people read: 1, 10; 1, 3, 10; or 1, 2, 5, 10."""
    for steps in ((1,), (1, 3), (1, 2, 5)):
        ticks = [a * 10.0**k for k in range(math.floor(low), math.ceil(high)) for a in steps]
        ticks = [t for t in ticks if low <= math.log10(t) <= high]
        if len(ticks) >= wanted:
            break
    named = dict(tickvals=ticks, ticktext=[f"{t:,.10g}" for t in ticks]) if ticks else dict(tickformat=",")
    return dict(type="log", **named)


def _add_line(fig, line, axis, panel):
    if line.band is not None:
        low, high = line.band
        fig.add_scatter(
            x=[*line.x, *reversed(list(line.x))],
            y=[*high, *reversed(list(low))],
            fill="toself",
            mode="lines",
            yaxis=axis,
            fillcolor=faint(line.colour, 0.14),
            line=dict(width=0),
            hoverinfo="skip",
        )
    fig.add_scatter(
        x=list(line.x),
        y=list(line.y),
        name=line.name,
        yaxis=axis,
        mode={True: "lines+markers", False: "lines", None: "markers"}[line.marks],
        line=dict(color=line.colour, width=2.6, dash=line.dash, shape="hv" if line.steps else "linear"),
        marker=dict(size=6 if line.marks else 9, color=line.colour),
        hovertemplate=f"%{{y:{panel.form}}}",
    )


def _add_labels(fig, panel, axis, pixels):
    """The names of a panel's lines at its right edge, pushed apart where they end together."""
    low, high = panel.span()
    gap, ends = 16 * (high - low) / pixels, []
    for line in panel.lines:
        last = line.y[-1] if len(line.y) else None
        if last is None or not math.isfinite(last):
            continue
        if line.label:
            ends.append([min(max(panel.place(last), low), high), line])
    ends.sort(key=lambda end: end[0])
    for one, other in itertools.pairwise(ends):
        other[0] = max(other[0], one[0] + gap)
    over = max(ends[-1][0] - high, 0.0) if ends else 0.0
    for at, line in ends:
        fig.add_annotation(
            xref="paper",
            x=1,
            xanchor="left",
            xshift=6,
            yref=axis,
            y=at - over,
            text=f"<b>{line.label}</b>",
            showarrow=False,
            font=dict(size=13, color=line.colour),
        )
