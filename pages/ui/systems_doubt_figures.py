"""Figures of doubt: scores with their intervals, and who beats whom how often."""

import math

import pandas as pd
import plotly.graph_objects as go

from evalcore.ranking import Doubt

from .figures import figure, html_text
from .style import BLUE, number
from .systems_figures import AGREEMENT, short


def interval_figure(doubt: Doubt, says: str, height: int = 460) -> tuple[go.Figure, pd.DataFrame]:
    """Scores with their intervals, best on top."""
    data = doubt.intervals().sort_values("rank", kind="stable")
    names = [html_text(short(name)) for name in data.system]
    fig = figure(html_text(says), x=f"{doubt.column.name}, with 95% of the resamples", height=height)
    fig.update_layout(
        hovermode="closest", margin=dict(l=30 + 7 * max(map(len, map(short, data.system))), r=24, t=52, b=52)
    )
    fig.add_scatter(
        x=data.score,
        y=list(range(len(names))),
        mode="markers",
        marker=dict(size=11, color=BLUE),
        error_x=dict(
            type="data",
            symmetric=False,
            array=data.high - data.score,
            arrayminus=data.score - data.low,
            thickness=2.5,
            width=6,
        ),
        customdata=[
            [
                html_text(r.system),
                number(r.score, 4),
                number(r.low, 4),
                number(r.high, 4),
                r.rank,
                r.rank_low,
                r.rank_high,
            ]
            for r in data.itertuples()
        ],
        hovertemplate="<b>%{customdata[0]}</b>: %{customdata[1]}, 95%: %{customdata[2]} to "
        "%{customdata[3]}<br>"
        "rank %{customdata[4]}, 95%: %{customdata[5]} to %{customdata[6]}<extra></extra>",
    )
    fig.update_yaxes(tickvals=list(range(len(names))), ticktext=names, range=[len(names) - 0.5, -0.5], showgrid=False)
    return fig, data


def win_map(doubt: Doubt, height: int = 460) -> tuple[go.Figure, pd.DataFrame]:
    """The probability that the system of the row beats that of the column."""
    order = doubt.intervals().sort_values("rank", kind="stable").system.tolist()
    wins = doubt.wins().loc[order, order]
    names = [html_text(short(name)) for name in order]
    fig = figure("How often the row beats the column", height=height)
    fig.add_heatmap(
        z=wins.to_numpy(),
        x=list(range(len(names))),
        y=list(range(len(names))),
        zmin=0,
        zmax=1,
        colorscale=AGREEMENT,
        xgap=1,
        ygap=1,
        text=[[_percent(value) for value in row] for row in wins.to_numpy()],
        texttemplate="%{text}" if len(names) <= 16 else "",
        showscale=len(names) > 16,
        customdata=[[[a, b] for b in names] for a in names],
        hoverongaps=False,
        hovertemplate="%{customdata[0]} beats %{customdata[1]} in %{text}% of the resamples<extra></extra>",
    )
    # columns are numbered like rows: names below them would take the room of the cells
    numbers = [str(i + 1) for i in range(len(names))]
    rows = [f"{name} {number}" for name, number in zip(names, numbers, strict=True)]
    side = 42 + 7 * max(map(len, map(short, order)))
    fig.update_layout(hovermode="closest", margin=dict(l=side, r=16, t=52, b=44))
    places = list(range(len(names)))
    fig.update_yaxes(tickvals=places, ticktext=rows, autorange="reversed", showgrid=False)
    fig.update_xaxes(tickvals=places, ticktext=numbers, showgrid=False)
    return fig, wins.rename_axis("system").reset_index()


def _percent(share):
    """Never 100 or 0 but for always and never."""
    if math.isnan(share):
        return ""
    if 0 < share < 0.005:
        return "&lt;1"
    return "&gt;99" if 0.995 <= share < 1 else f"{100 * share:.0f}"
