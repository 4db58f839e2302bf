"""A solution as blocks, one tint for each kind of mass: as a figure, and as a small table."""

from html import escape

import numpy as np
import plotly.graph_objects as go

from evalcore import Contingency
from evalcore.parametric import Setting, blocks

from .figures import figure

# matched mass, then the three kinds of error: light tints that dark ink can be read on, in either theme
TINTS = {0: "#8ec1ea", 1: "#f6b26b", 2: "#dba6c8", 3: "#93d6c0", -1: "rgba(127,138,153,.12)"}
INK = "#0d151f"
NAMES = {0: "matched", 1: "ε₁", 2: "ε₂", 3: "ε₃"}
STYLE = f"""<style>
.blocks {{overflow: auto; max-height: 21rem}}
.blocks table {{border-collapse: separate; border-spacing: 1px; margin: 0; line-height: 1.15;
  font-variant-numeric: tabular-nums}}
.blocks td, .blocks th {{border: 0; padding: .14rem .05rem; min-width: 1.1rem; text-align: center;
  font-weight: 400}}
.blocks tbody td {{color: {INK}; border-radius: 2px}}
.blocks tbody th {{width: 2rem; text-align: right; padding-right: .35rem; white-space: nowrap}}
.blocks caption {{position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)}}
</style>"""


def kinds(table: Contingency) -> np.ndarray | None:
    """What each cell of a Dom solution holds, read off its names; None for any other table."""
    noise = [sum(str(name).startswith("noise ") for name in side) for side in (table.classes, table.clusters)]
    useful = [len(side) - more for side, more in zip((table.classes, table.clusters), noise)]
    plain = [str(name) for name in (*table.classes[: useful[0]], *table.clusters[: useful[1]])]
    if min(useful) < 1 or plain != [f"c{i + 1}" for i in range(useful[0])] + [f"k{i + 1}" for i in range(useful[1])]:
        return None
    return blocks(useful[0], useful[1], noise[1], noise[0])


def block_figure(setting: Setting, table: Contingency, height: int) -> go.Figure:
    """A solution as blocks, one tint for each kind of mass."""
    counts, kind = table.counts.astype(float), blocks(*setting[:4])
    share = {k: _share(counts[kind == k].sum() / table.n) for k in NAMES if (kind == k).any()}
    fig = figure(f"{share[0]} of the mass is where it belongs", "clusters", "classes", height)
    legend = "   ".join(f"<span style='color:{TINTS[k]}'>■</span> {NAMES[k]} {text}" for k, text in share.items())
    fig.update_layout(
        title=dict(subtitle=dict(text=legend, font=dict(size=13))), hovermode="closest", margin=dict(t=74)
    )
    size = 9 if counts.shape[1] > 14 else 13
    fig.add_heatmap(
        z=kind,
        x=list(table.clusters),
        y=list(table.classes),
        showscale=False,
        xgap=2,
        ygap=2,
        zmin=-1.5,
        zmax=3.5,
        colorscale=[[(k + 1 + edge) / 5, TINTS[k]] for k in range(-1, 4) for edge in (0, 1)],
        customdata=counts,
        text=[[_count(x) for x in row] for row in counts],
        texttemplate="%{text}" if counts.shape[1] <= 22 else "",
        textfont=dict(size=size, color=INK),
        hovertemplate="class %{y}, cluster %{x}: %{customdata:,.4~g}<extra></extra>",
    )
    fig.update_xaxes(type="category", showgrid=False, tickfont=dict(size=9 if counts.shape[1] > 14 else 12))
    fig.update_yaxes(type="category", autorange="reversed", showgrid=False, tickfont=dict(size=12))
    return fig


def block_table(table: Contingency, caption: str, *, dom: bool) -> str:
    """The same as a small HTML table; where it is not Dom's, cells are tinted by how full they are."""
    counts = table.counts.astype(float)
    kind = kinds(table) if dom else None

    def tint(i, j):
        if counts[i, j] == 0:
            return f"background:{TINTS[-1]}"
        share = 25 + 75 * counts[i, j] / counts.max()
        return (
            f"background:{TINTS[int(kind[i, j])]}"
            if kind is not None
            else f"background:color-mix(in oklab,{TINTS[0]} {share:.0f}%,#fff)"
        )

    def short(name):
        return escape(str(name).replace("noise ", "n") if dom else str(name))

    head = "".join(f"<th scope=col>{short(name)}</th>" for name in table.clusters)
    body = "".join(
        f"<tr><th scope=row>{short(name)}</th>"
        + "".join(f"<td style='{tint(i, j)}'>{_count(counts[i, j])}</td>" for j in range(counts.shape[1]))
        + "</tr>"
        for i, name in enumerate(table.classes)
    )
    size = ".66rem" if counts.shape[1] > 14 else ".78rem"
    width = f"min(100%,{2.2 + 2.4 * counts.shape[1]:.1f}rem)"
    return (
        f"<div class=blocks tabindex=0 role=region aria-label='{escape(caption)}'>"
        f"<table style='font-size:{size};width:{width}'><caption>{escape(caption)}</caption>"
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>{STYLE}"
    )


def _share(value):
    """A share in percent; not 100 where anything is missing, and not 0 where anything is there."""
    if 1e-12 < value < 0.0005:
        return "under 0.1%"
    return "over 99.9%" if 0.9995 <= value < 1 - 1e-12 else f"{100 * value:.1f}".removesuffix(".0") + "%"


def _count(value):
    return (
        ""
        if value == 0
        else f"{value:,.0f}"
        if value == round(value) or value >= 100
        else f"{value:.1f}"
        if value >= 1
        else f"{value:.2g}"
    )
