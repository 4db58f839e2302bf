"""Figures of the Parametric lab: sweeps as small multiples, and the response to chance."""

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from evalcore.axioms import ChanceCurve
from evalcore.sweeps import Sweep

from .figures import figure
from .style import RED, measure_colour, number

LABELS = {
    "n_classes": "useful classes, |C|",
    "useful_clusters": "useful clusters, |Kᵤ|",
    "noise_clusters": "noise clusters",
    "noise_classes": "noise classes",
    "eps1": "ε₁, mass in the wrong useful cluster",
    "eps2": "ε₂, mass in noise clusters",
    "eps3": "ε₃, mass of noise classes",
    "n": "n, items",
}
ACROSS = 4  # panels in a row of small multiples


def sweep_title(sweep: Sweep) -> str:
    """What the sweep shows, in one sentence: who goes the wrong way, and who never does."""
    judged = [m.name for i, m in enumerate(sweep.measures) if np.isfinite(sweep.scores[..., i]).any()]
    if not judged:
        return "The measures shown need whole counts"
    told = [p for p in sweep.values if (sweep.expected[p] != 0).any()]  # parameters that a property speaks of
    if not told:
        return _who_moves(sweep, judged)
    steps = {m.name: sum(int(sweep.wrong[p][..., i].sum()) for p in told) for i, m in enumerate(sweep.measures)}
    names = _names(told)
    wrong = sorted((name for name in judged if steps[name]), key=lambda name: -steps[name])
    if not wrong:
        who = judged[0] if len(judged) == 1 else f"All {len(judged)} measures"
        return (
            f"{who} always move{'s' * (len(judged) == 1)} with {names} as {'it' if len(judged) == 1 else 'they'} should"
        )
    rest = len(judged) - len(wrong)
    verb, they = ("does", "it") if len(wrong) == 1 else ("do", "they")
    return f"{_few(wrong)} {verb} not always move as {they} should with {names}" + (
        f"; the other {rest} do" if rest > 1 else ""
    )


def _who_moves(sweep, judged):
    """Where no property says which way is right: whose scores change at all."""
    scores = {m.name: sweep.scores[..., i] for i, m in enumerate(sweep.measures) if m.name in judged}
    moved = [name for name, x in scores.items() if np.nanmax(x) - np.nanmin(x) > 1e-12]
    names, rest = _names(sweep.values), len(judged) - len(moved)
    if not moved:
        return f"None of the scores shown changes with {names}"
    if rest:
        return (
            f"{_few(moved)} change{'s' * (len(moved) == 1)} with {names}; the other {rest} do{'es' * (rest == 1)} not"
        )
    return f"All scores shown change with {names}; no property says which way is right"


def _names(parameters):
    return " and ".join(LABELS[p].split(",")[0] for p in parameters)


def _few(names):
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _panels(sweep, height):
    rows = -(-len(sweep.measures) // ACROSS)
    columns = min(ACROSS, len(sweep.measures))
    titles = [f"<b>{m.symbol}</b> {m.arrow}" for m in sweep.measures]
    fig = make_subplots(
        rows,
        columns,
        subplot_titles=titles,
        figure=figure(sweep_title(sweep), height=height),
        shared_xaxes="all",
        horizontal_spacing=0.055,
        vertical_spacing=min(0.16, 0.34 / rows),
    )
    for i, note in enumerate(fig.layout.annotations):
        note.update(font=dict(size=14, color=measure_colour(sweep.measures[i].name)))
    places = [(1 + i // columns, 1 + i % columns) for i in range(len(sweep.measures))]
    return fig, places, rows


def line_panels(sweep: Sweep, now: float, height: int) -> go.Figure:
    """One parameter: a line for each measure, better always up; steps that go the wrong way are red."""
    ((name, values),) = sweep.values.items()
    fig, places, rows = _panels(sweep, height)
    for i, (measure, (row, column)) in enumerate(zip(sweep.measures, places)):
        y, wrong = sweep.scores[..., i], sweep.wrong[name][..., i]
        where, colour = dict(row=row, col=column), measure_colour(measure.name)
        fig.add_scatter(
            x=values,
            y=y,
            mode="lines+markers" if len(values) <= 21 else "lines",
            line=dict(color=colour, width=2),
            marker=dict(size=5),
            **where,
            hovertemplate=f"%{{x:.4~g}}: %{{y:.4f}}<extra>{measure.symbol}</extra>",
        )
        bad = [j for j in range(1, len(values)) if wrong[j]]
        x_bad, y_bad = ([v for j in bad for v in (side[j - 1], side[j], None)] for side in (values, y))
        fig.add_scatter(
            x=x_bad,
            y=y_bad,
            mode="lines",
            line=dict(color=RED, width=5),
            opacity=0.75,
            hoverinfo="skip",
            **where,
        )
        if values[0] <= now <= values[-1]:
            fig.add_vline(x=now, line=dict(color="rgba(127,138,153,.8)", width=1, dash="dot"), **where)
        if not np.isfinite(y).any():
            fig.add_annotation(
                text="needs whole counts",
                showarrow=False,
                font=dict(size=12),
                x=0.5,
                y=0.5,
                xref="x domain",
                yref="y domain",
                **where,
            )
            fig.update_yaxes(showticklabels=False, showgrid=False, **where)
        fig.update_yaxes(autorange=True if measure.higher_is_better else "reversed", nticks=4, zeroline=False, **where)
    fig.update_xaxes(zeroline=False, nticks=8)
    if name == "n":
        fig.update_xaxes(type="log", dtick=1)
    _bottom_titles(fig, rows, len(sweep.measures), LABELS[name])
    fig.update_layout(hovermode="closest", margin=dict(l=52, r=14, t=78, b=46))
    return fig


def heat_panels(sweep: Sweep, now: tuple[float, float], height: int) -> go.Figure:
    """Two parameters: a heatmap for each measure, brighter always better; crosses mark wrong steps."""
    (first, second), (xs, ys) = sweep.values, (_places(name, x) for name, x in sweep.values.items())
    now = tuple(_places(name, [value])[0] for name, value in zip(sweep.values, now))
    here = [[f"{x:.4g}, {y:.4g}" for x in sweep.values[first]] for y in sweep.values[second]]
    fig, places, rows = _panels(sweep, height)
    for i, (measure, (row, column)) in enumerate(zip(sweep.measures, places)):
        z, where = sweep.scores[..., i].T, dict(row=row, col=column)
        wrong = np.any([mark[..., i] for mark in sweep.wrong.values()], axis=0).T
        fig.add_heatmap(
            x=xs,
            y=ys,
            z=z,
            colorscale="Cividis",
            reversescale=not measure.higher_is_better,
            showscale=False,
            customdata=here,
            **where,
            hovertemplate=f"%{{customdata}}: %{{z:.4f}}<extra>{measure.symbol}</extra>",
        )
        at_y, at_x = np.nonzero(wrong)
        fig.add_scatter(
            x=[xs[j] for j in at_x],
            y=[ys[j] for j in at_y],
            mode="markers",
            hoverinfo="skip",
            **where,
            marker=dict(symbol="x-thin", size=5, line=dict(width=1.5, color="#ff5a4d")),
        )
        fig.add_scatter(
            x=[now[0]],
            y=[now[1]],
            mode="markers",
            hoverinfo="skip",
            **where,
            marker=dict(symbol="circle-open", size=12, color="#ffffff", line=dict(width=2.5)),
        )
        if np.isfinite(z).any():
            worst, best = (np.nanmin(z), np.nanmax(z)) if measure.higher_is_better else (np.nanmax(z), np.nanmin(z))
            fig.layout.annotations[i].text += f"  <span style='font-size:12px'>{number(worst)} … {number(best)}</span>"
        else:
            fig.layout.annotations[i].text += "  <span style='font-size:12px'>needs whole counts</span>"
        fig.update_xaxes(range=_edges(xs), **where)
        fig.update_yaxes(range=_edges(ys), **where)
    for name, update in ((first, fig.update_xaxes), (second, fig.update_yaxes)):
        if name == "n":
            update(tickvals=[2, 3, 4, 5], ticktext=["100", "1k", "10k", "100k"])
    _bottom_titles(fig, rows, len(sweep.measures), LABELS[first])
    for row in range(1, rows + 1):
        fig.update_yaxes(title=dict(text=LABELS[second].split(",")[0], standoff=4), row=row, col=1)
    fig.update_layout(hovermode="closest", margin=dict(l=60, r=14, t=78, b=46))
    return fig


def _places(name, values):
    """Where values stand on an axis: numbers of items, which are many or few, by their logarithm."""
    return np.log10(values).tolist() if name == "n" else list(values)


def _edges(values):
    half = (values[1] - values[0]) / 2 if len(values) > 1 else 0.5
    return [values[0] - half, values[-1] + half]


def _bottom_titles(fig, rows, panels, text):
    """The x axis is common: its name and ticks stand under the lowest panel of each column."""
    columns = min(ACROSS, panels)
    for column in range(1, columns + 1):
        lowest = rows if (rows - 1) * columns + column <= panels else rows - 1
        fig.update_xaxes(title=dict(text=text.split(",")[0], standoff=4), showticklabels=True, row=lowest, col=column)


def chance_figure(curve: ChanceCurve, flat: bool, height: int) -> go.Figure:
    """The mean score of random solutions against their number of clusters, for one measure."""
    measure, data = curve.measures[0], curve.to_frame()
    first, last = number(data["mean"].iloc[0]), number(data["mean"].iloc[-1])
    moves = f"stays near {first}" if flat else f"goes from {first} to {last}"
    fig = figure(f"{measure.name} of random solutions {moves}", "random clusters", measure.symbol, height)
    fig.add_scatter(
        x=data.clusters,
        y=data["mean"],
        error_y=dict(array=data.error),
        mode="lines+markers",
        line=dict(color=measure_colour(measure.name)),
        hovertemplate="%{x} clusters: %{y:.4f}<extra></extra>",
    )
    fig.update_xaxes(type="log", tickvals=list(curve.clusters))
    fig.update_yaxes(autorange=True if measure.higher_is_better else "reversed")
    fig.update_layout(margin=dict(l=56, r=8, t=40, b=44), title=dict(font=dict(size=14)))
    return fig
