"""Figures of doubt: scores with their intervals, and who beats whom how often."""

import itertools
import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from evalcore.ranking import Doubt
from evalcore.ranking.bootstrap import LEVEL

from .figures import figure, html_text
from .style import BLUE, number
from .systems_figures import AGREEMENT, short

MOST_SENTENCES = 40  # systems up to which every two have a sentence


def interval_figure(doubt: Doubt, says: str, height: int = 460) -> tuple[go.Figure, pd.DataFrame]:
    """Scores with their intervals, best on top; beside each name the ranks that it has in 95% of the resamples."""
    data = doubt.intervals().sort_values("rank", kind="stable")
    names = [f"{html_text(short(r.system))}  {_ranks(r)}" for r in data.itertuples()]
    fig = figure(html_text(says), x=f"{doubt.column.name}; bars and ranks: 95% of the resamples", height=height)
    fig.update_layout(
        hovermode="closest", margin=dict(l=88 + 7 * max(map(len, map(short, data.system))), r=24, t=52, b=52)
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


def _ranks(row):
    """The ranks that a system may have: 2–4, or 3 alone."""
    return f"{row.rank_low}–{row.rank_high}" if row.rank_low < row.rank_high else f"{row.rank_low}"


def win_map(doubt: Doubt, height: int = 460) -> tuple[go.Figure, pd.DataFrame]:
    """The probability that the system of the row beats that of the column."""
    order = doubt.intervals().sort_values("rank", kind="stable").system.tolist()
    wins = doubt.wins().loc[order, order]
    names = [html_text(short(name)) for name in order]
    fig = figure(
        _told_apart(wins.to_numpy()), x="how often the row beats the column, in %; ties count half", height=height
    )
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
        customdata=_sentences(doubt, order, wins),
        hoverongaps=False,
        hovertemplate="%{customdata}<extra></extra>",
    )
    # columns are numbered like rows: names below them would take the room of the cells
    numbers = [str(i + 1) for i in range(len(names))]
    rows = [f"{name} {number}" for name, number in zip(names, numbers, strict=True)]
    side = 42 + 7 * max(map(len, map(short, order)))
    fig.update_layout(hovermode="closest", margin=dict(l=side, r=16, t=52, b=52))
    places = list(range(len(names)))
    fig.update_yaxes(tickvals=places, ticktext=rows, autorange="reversed", showgrid=False)
    fig.update_xaxes(tickvals=places, ticktext=numbers, showgrid=False)
    return fig, wins.rename_axis("system").reset_index()


def _sentences(doubt, order, wins):
    """What can be said of every two systems, for the mouse; of very many only how often the row is ahead."""
    if len(order) > MOST_SENTENCES:
        return [[html_text(f"{a} beats {b} in {wins.at[a, b]:.0%}, ties counted half") for b in order] for a in order]
    said = {frozenset(pair): html_text(doubt.sentence(*pair, wins=wins)) for pair in itertools.combinations(order, 2)}
    return [[said.get(frozenset((a, b)), "") for b in order] for a in order]


def _told_apart(wins):
    """How many pairs of systems the resamples tell apart, by the same level as the sentences."""
    shares = wins[np.triu_indices(len(wins), 1)]
    if not len(shares):
        return "There is one system only"
    apart = int((np.maximum(shares, 1 - shares) >= (1 + LEVEL) / 2).sum())
    return f"{apart} of {len(shares)} pairs of systems can be told apart"


def _percent(share):
    """Never 100 or 0 but for always and never."""
    if math.isnan(share):
        return ""
    if 0 < share < 0.005:
        return "&lt;1"
    return "&gt;99" if 0.995 <= share < 1 else f"{100 * share:.0f}"
