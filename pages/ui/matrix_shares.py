"""Who is to blame: each cluster's and class's share of VI, homogeneity and completeness."""

import math

import streamlit as st

from evalcore import Contingency, contributions

from .figures import figure, html_text, show
from .style import measure_colour, number


def shares(table: Contingency, page):
    """Bars of VI, h and c by cluster (or class); each set adds up to the table's score."""
    st.segmented_control(
        "Shares of each",
        ["cluster", "class"],
        key=page.key("by"),
        required=True,
        help="A share of VI is what the group loses; a share of h or c is what it tells. Maximum likelihood. They add up to the score.",
    )
    parts = contributions(table, page["by"])
    parts = parts[parts["size"] > 0]
    names = [html_text(x) for x in parts.index]
    unit, total = math.log(page.base), parts.sum()
    title = _title(parts["VI"], number(total["VI"] / unit), page["by"])
    axes, bars, heads = {}, [], []
    for at, (_, head, traces) in enumerate(_panels(parts, total, page, unit), 1):
        left, width, suffix = (at - 1) * 0.36, 0.28, str(at) if at > 1 else ""
        axes[f"xaxis{suffix}"] = dict(
            domain=[left, left + width], type="category", title=dict(text=page["by"], standoff=8)
        )
        axes[f"yaxis{suffix}"] = dict(anchor=f"x{suffix}", zeroline=False)
        heads.append(
            dict(
                text=head, x=left, y=1.02, xref="paper", yref="paper", xanchor="left", yanchor="bottom", showarrow=False
            )
        )
        bars += [dict(type="bar", x=names, xaxis=f"x{suffix}", yaxis=f"y{suffix}", **trace) for trace in traces]
    fig = figure(
        title, height=320, data=bars, barmode="stack", annotations=heads, margin=dict(l=64, r=24, t=86, b=52), **axes
    )
    show(fig, parts.reset_index(), key="matrix.shares", file="shares")


def _title(losses, total, by):
    """Who loses most; in many made-up tables several do, alike."""
    worst = losses[losses > losses.max() - 1e-9]
    if losses.max() <= 1e-9:
        return "Nothing is lost: VI is 0"
    if len(worst) == 1:
        return f"{html_text(worst.index[0])} loses most of VI's {total}"
    if len(worst) == len(losses):
        return f"Every {by} loses the same of VI's {total}"
    return f"{', '.join(map(html_text, worst.index[:4]))}{' …' if len(worst) > 4 else ''} lose the same, and most, of VI's {total}"


def _panels(parts, total, page, unit):
    """(measure, what its bars are, the bars) for VI, h and c."""
    losses = (("H(C|K)", 1.0, "mixed in"), ("H(K|C)", 0.5, "torn apart"))
    yield (
        "VI",
        f"VI, {page.unit}: mixed in H(C|K), and paler torn apart H(K|C)",
        [
            dict(
                name=f"{part}, {words}",
                y=(parts[part] / unit).tolist(),
                marker=dict(color=measure_colour("VI"), opacity=opacity),
            )
            for part, opacity, words in losses
        ],
    )
    for measure in ("h", "c"):
        yield (
            measure,
            f"what each adds to {measure} = {number(total[measure])}",
            [dict(name=measure, y=parts[measure].tolist(), marker=dict(color=measure_colour(measure)))],
        )
