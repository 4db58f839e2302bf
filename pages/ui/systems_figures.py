"""Figures of the Systems page; each function gives a figure and the data behind it."""

import math

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from evalcore.ranking import Board, rank_changes
from evalcore.ranking.ranks import correlation

from .figures import figure, html_text, show
from .style import BLUE, GREY, ORANGE, class_colour, number

AGREEMENT = [[0.0, "#b5480a"], [0.5, "#e9edf2"], [1.0, "#0b5fa5"]]  # against, unrelated, alike
FEW = 8  # systems that still have a colour each


def show_names(fig: go.Figure, data: pd.DataFrame, *, key: str, file: str):
    """Show a figure whose text is mostly names of systems: in full ink, not in the theme's grey, so
    that a projector shows them.
    """
    ink = "#d5dde6" if st.context.theme.type == "dark" else "#27313d"
    fig.update_layout(font_color=ink)
    for axis in (fig.update_xaxes, fig.update_yaxes):
        axis(tickfont_color=ink, title_font_color=ink)
    show(fig, data, key=key, file=file)


def bump(board: Board, follow: str, title: str, height: int = 620) -> tuple[go.Figure, pd.DataFrame]:
    """Ranks by column, a line a system; the one that is followed stands out."""
    rank, names = board.ranks, board.names
    ranked = [i for i in range(len(board.systems)) if not all(map(math.isnan, rank[i]))]
    labels = {i: html_text(short(board.systems[i])) for i in ranked}
    fig = figure(html_text(title), y="", height=height)
    longest = max((len(short(board.systems[i])) for i in ranked), default=0)
    side = 34 + 6.6 * longest
    fig.update_layout(hovermode="closest", margin=dict(l=side, r=side, t=52, b=44))
    few = len(ranked) <= FEW
    for i in sorted(ranked, key=lambda i: board.systems[i] == follow):
        followed = board.systems[i] == follow
        colour = ORANGE if followed else class_colour([0, 2, 3, 4, 5, 6, 8, 9][ranked.index(i)]) if few else GREY
        here = [j for j in range(len(names)) if not math.isnan(rank[i, j])]
        fig.add_scatter(
            x=[names[j] for j in here],
            y=[rank[i, j] for j in here],
            mode="lines+markers",
            name=labels[i],
            line=dict(color=colour, width=5 if followed else 2 if few else 1.3),
            opacity=1 if followed or few else 0.75,
            marker=dict(size=11 if followed else 7 if few else 5, color=colour),
            customdata=[
                [html_text(board.systems[i]), number(board.values[i, j], 4), number(board.clusters[i], 1)] for j in here
            ],
            hovertemplate="<b>%{customdata[0]}</b><br>rank %{y:.0f} by %{x}: %{customdata[1]}<br>"
            "%{customdata[2]} clusters per word<extra></extra>",
        )
    for j, anchor, shift in ((0, "right", -10), (len(names) - 1, "left", 10)):
        for place, together in _by_rank(rank[:, j], ranked).items():
            text = ", ".join(f"<b>{labels[i]}</b>" if board.systems[i] == follow else labels[i] for i in together)
            marked = any(board.systems[i] == follow for i in together)
            fig.add_annotation(
                x=names[j],
                y=place,
                text=f"{text} {place}" if anchor == "right" else f"{place} {text}",
                showarrow=False,
                xanchor=anchor,
                xshift=shift,
                font=dict(size=14 if marked or few else 12, **({"color": ORANGE} if marked else {})),
            )
    lowest = max((rank[i, j] for i in ranked for j in range(len(names)) if not math.isnan(rank[i, j])), default=1)
    fig.update_yaxes(range=[lowest + 0.8, 0.2], showgrid=False, showticklabels=False)
    fig.update_xaxes(
        type="category",
        categoryorder="array",
        categoryarray=names,
        range=[-0.04 * len(names), len(names) - 1 + 0.04 * len(names)],
        tickfont=dict(size=15),
        showgrid=True,
    )
    return fig, board.frame(with_ranks=True)


def _by_rank(column, ranked):
    places = {}
    for i in ranked:
        if not math.isnan(column[i]):
            places.setdefault(int(column[i]), []).append(i)
    return places


def short(name):
    return name if len(name) <= 24 else name[:22] + "…"


def agreement_map(table: pd.DataFrame, statistic: str, height: int = 400) -> tuple[go.Figure, pd.DataFrame]:
    """How alike two columns rank the systems, for every two."""
    names = [html_text(name) for name in table.columns]
    symbol = "τ" if statistic == "tau" else "ρ"
    title = _who_agrees_least(table, names, symbol)
    fig = figure(title, height=height)
    fig.add_heatmap(
        z=table.to_numpy(),
        x=names,
        y=names,
        zmin=-1,
        zmax=1,
        colorscale=AGREEMENT,
        xgap=2,
        ygap=2,
        text=[[number(value, 2) for value in row] for row in table.to_numpy()],
        texttemplate="%{text}" if len(names) <= 14 else "",
        textfont=dict(size=15 if len(names) <= 8 else 11),
        colorbar=dict(title=symbol, thickness=14, tickvals=[-1, 0, 1]),
        hovertemplate=f"%{{y}} and %{{x}}: {symbol} = %{{text}}<extra></extra>",
    )
    fig.update_layout(hovermode="closest")
    fig.update_yaxes(autorange="reversed", type="category")
    fig.update_xaxes(type="category")
    return fig, table.rename_axis("column").reset_index()


def _who_agrees_least(table, names, symbol):
    pairs = {
        (names[j], names[i]): table.iat[i, j] for i in range(len(names)) for j in range(i) if table.iat[i, j] < math.inf
    }
    if len(names) < 2:
        return "There is one column only"
    if not pairs:
        return "There are no two ranks to compare"  # one system, or all of them tied
    (x, y), lowest = min(pairs.items(), key=lambda item: item[1])
    if lowest > 1 - 1e-9:
        return f"All columns that can be compared rank alike: {symbol} = 1"
    return f"{x} and {y} agree least: {symbol} = {number(lowest, 2)}"


def clusters_against_change(
    board: Board, x: str, y: str, follow: str, height: int = 500
) -> tuple[go.Figure, pd.DataFrame]:
    """Change of rank from one column to another against the number of clusters."""
    data = rank_changes(board, x, y)
    tau = correlation(data.clusters, data.change)
    if data.empty:
        says = f"No system has a rank by both {x} and {y}"
    elif not data.change.any():
        says = f"From {x} to {y}, no system changes its rank"
    elif math.isnan(tau):
        says = f"From {x} to {y}, ranks change among systems with the same number of clusters"
    elif abs(tau) < 0.1:
        says = f"From {x} to {y}, ranks change whatever the number of clusters"
    else:
        says = f"From {x} to {y}, systems with many clusters {'lose' if tau < 0 else 'gain'} ranks"
    says += "" if math.isnan(tau) else f" (τ = {number(tau, 2)})"
    fig = figure(html_text(says), x="clusters per word (log scale)", y=f"ranks gained from {x} to {y}", height=height)
    fig.update_layout(hovermode="closest")
    fig.add_hline(y=0, line=dict(color=GREY, width=1))
    marked = data.system == follow
    labels = _without_overlap(data, follow)
    fig.add_scatter(
        x=data.clusters,
        y=data.change,
        mode="markers+text",
        text=labels,
        textposition="middle right",
        textfont=dict(size=13),
        marker=dict(
            size=[15 if m else 10 for m in marked],
            color=[ORANGE if m else BLUE for m in marked],
            opacity=0.85,
        ),
        customdata=[
            [html_text(n), int(a), int(b), number(k, 1)]
            for n, a, b, k in zip(data.system, data.iloc[:, 2], data.iloc[:, 3], data.clusters)
        ],
        hovertemplate="<b>%{customdata[0]}</b>, %{customdata[3]} clusters per word<br>"
        "rank %{customdata[1]} → %{customdata[2]}<extra></extra>",
    )
    fig.update_xaxes(
        type="log",
        tickvals=[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000],
        range=_log_range(data.clusters),
    )
    return fig, data


def _without_overlap(data, follow):
    """Labels for those that move most, as long as none lies on another label or mark; hovering names
    the rest.
    """
    low, high = _log_range(data.clusters)
    across = [(math.log10(k) - low) / (high - low) for k in data.clusters]
    spread = max(data.change.max() - data.change.min(), 1)
    up = [(c - data.change.min()) / spread for c in data.change]
    taken, labels = [(x - 0.006, x + 0.006, y) for x, y in zip(across, up)], [""] * len(data)
    for i in sorted(range(len(data)), key=lambda i: (data.system[i] != follow, -abs(data.change[i]))):
        left, right = across[i] + 0.008, across[i] + 0.012 + 0.0072 * len(short(data.system[i]))
        if not any(a < right and b > left and abs(y - up[i]) < 0.045 for a, b, y in taken):
            labels[i] = html_text(short(data.system[i]))
            taken.append((left, right, up[i]))
    return labels


def _log_range(values):
    if not len(values):
        return [0.0, 1.0]
    low, high = math.log10(min(values)), math.log10(max(values))
    room = 0.06 * max(high - low, 0.3)
    return [low - room, high + 4 * room]  # labels stand on the right


def word_differences(data: pd.DataFrame, a: str, b: str, column: str, chosen: str, height: int = 300) -> go.Figure:
    """By how much a is better than b on each word; data has word, n, a, b and better."""
    ahead, behind = int((data.better > 0).sum()), int((data.better < 0).sum())
    fig = figure(
        html_text(
            f"{short(a)} against {short(b)} by {column}: ahead on {ahead} of {len(data)} words, behind on {behind}"
        ),
        x=f"{len(data)} words, ordered by the lead",
        y=f"lead by {column}",
        height=height,
    )
    fig.update_layout(hovermode="closest", bargap=0.15)
    fig.add_bar(
        x=list(range(len(data))),
        y=data.better,
        marker=dict(
            color=[ORANGE if w == chosen else BLUE if d >= 0 else GREY for w, d in zip(data.word, data.better)]
        ),
        customdata=[
            [
                html_text(r.word),
                number(r.n, 0),
                html_text(short(a)),
                number(r.a, 4),
                html_text(short(b)),
                number(r.b, 4),
            ]
            for r in data.itertuples()
        ],
        hovertemplate="<b>%{customdata[0]}</b>, %{customdata[1]} instances<br>%{customdata[2]}: "
        "%{customdata[3]}<br>"
        "%{customdata[4]}: %{customdata[5]}<extra></extra>",
    )
    fig.update_xaxes(showticklabels=False, showgrid=False)
    return fig
