"""Words: a tree of clusters that grows to the right."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import plotly.graph_objects as go

from .figures import MARGIN, figure, html_text
from .lines import GREY, log_axis
from .style import class_colour
from .words_panels import HEIGHT

MOST_LABELLED = 40  # leaves; where there are more, some have no room for their words
FAINT = 0.3  # of branches still to come


@dataclass
class Branch:
    """A cluster in a tree: from where to where on the axis it lasts, and what it holds."""

    number: int
    parent: int | None
    start: float
    end: float
    words: Sequence[str]  # the first ones are shown
    colour: str
    about: str  # under the mouse
    children: list["Branch"] = field(default_factory=list)


def class_colours(gold: Sequence | None) -> dict:
    """The colour of each class, in the order of their names."""
    return {} if gold is None else {c: class_colour(i) for i, c in enumerate(sorted({*gold} - {None}, key=str))}


def majority(members: Sequence[int], gold: Sequence | None, colours: dict) -> tuple[str, str]:
    """The colour of the class of more than half of the members, grey if there is none; and what they are."""
    if gold is None:
        return GREY, ""
    held = Counter(gold[i] for i in members if gold[i] is not None)
    if not held:
        return GREY, ""
    (name, most), *_ = held.most_common(1)
    said = ", ".join(f"{html_text(c)} {n}" for c, n in held.most_common(6))
    return colours[name] if 2 * most > held.total() else GREY, said


def tree_figure(title: str, branches: Sequence[Branch], axis: str, log: bool, chosen: float | None) -> go.Figure:
    """A tree that grows to the right; each branch in the colour of its class, long ones with their words.

    What is still to come where the tree is looked at (`chosen`) is faint.
    """
    by_number = {branch.number: branch for branch in branches}
    for branch in branches:
        branch.children = []
    for branch in branches:
        if branch.parent is not None:
            by_number[branch.parent].children.append(branch)
    heights, leaves = _heights(by_number[min(by_number)])
    fig = figure(
        title,
        axis,
        height=HEIGHT,
        hovermode="closest",
        margin=MARGIN | dict(l=12, r=150),
        yaxis=dict(visible=False, range=[-0.7, len(leaves) - 0.3], autorange=False),
    )
    _draw(fig, branches, heights, math.inf if chosen is None else chosen)
    first, last = min(branch.start for branch in branches), max(branch.end for branch in branches)
    place = math.log10 if log else float  # on a log axis annotations are placed by the logarithm
    width = place(last) - place(first) or 1.0
    small, labelled = 12 if len(leaves) <= 24 else 10, _with_room(leaves, heights, last)
    for branch in branches:
        at, font = heights[branch.number], dict(size=small, color=branch.colour)
        if not branch.children:
            if branch.number in labelled:
                text = _some(branch.words, 4, 22)
                fig.add_annotation(
                    x=place(branch.end), y=at, text=text, showarrow=False, xanchor="left", xshift=5, font=font
                )
        elif len(leaves) <= MOST_LABELLED and branch.parent is not None:
            if place(branch.end) - place(branch.start) > 0.2 * width:
                middle = (place(branch.end) + place(branch.start)) / 2
                text = _some(branch.words, 5, 30)
                fig.add_annotation(x=middle, y=at, text=text, showarrow=False, yanchor="bottom", font=font)
    if log:
        log_axis(fig, first, last, axis, showgrid=False)
    else:
        fig.update_xaxes(
            range=[first - 0.02 * width, last + 0.02 * width],
            showgrid=False,
            tickformat=",d",
            dtick=1 if last <= 13 else None,
        )
    if chosen is not None:
        fig.add_vline(x=chosen, line=dict(color=GREY, width=1, dash="dot"))
    return fig


def _with_room(leaves, heights, last):
    """The leaves whose words are shown: all, or of those that last to the end the large ones, as there is room."""
    apart = len(leaves) / MOST_LABELLED
    if apart > 1:
        leaves = sorted((leaf for leaf in leaves if leaf.end == last), key=lambda leaf: -len(leaf.words))
    kept = []
    for leaf in leaves:
        if all(abs(heights[leaf.number] - heights[other]) >= apart for other in kept):
            kept.append(leaf.number)
    return set(kept)


def _some(words, most, longest):
    """The first words, as many as there is room for."""
    text = ", ".join(map(str, words[:most]))
    if len(text) > longest:
        return html_text(text[: longest - 2].rstrip(", ") + " …")
    return html_text(text + (" …" if len(words) > most else ""))


def _heights(root):
    """A place for each leaf, and each branch in the middle of its children."""
    leaves, heights, stack = [], {}, [(root, False)]
    while stack:  # a tree may be deeper than Python's recursion
        branch, seen = stack.pop()
        if not branch.children:
            heights[branch.number] = len(leaves)
            leaves.append(branch)
        elif seen:
            heights[branch.number] = sum(heights[c.number] for c in branch.children) / len(branch.children)
        else:
            stack.append((branch, True))
            stack += [(child, False) for child in branch.children]
    return heights, leaves


def _draw(fig, branches, heights, chosen):
    """One trace for each colour, and one for what is to come in it: few traces are drawn fast."""
    lines = {}

    def trace(branch):
        return lines.setdefault((branch.colour, branch.start > chosen), ([], []))

    for branch in branches:
        x, y = trace(branch)
        at = heights[branch.number]
        x += [branch.start, branch.end, None]
        y += [at, at, None]
        for child in branch.children:
            cx, cy = trace(child)
            cx += [child.start, child.start, None]
            cy += [at, heights[child.number], None]
    for (colour, to_come), (x, y) in lines.items():
        look = dict(color=colour, width=2.4)
        fig.add_scatter(x=x, y=y, mode="lines", line=look, opacity=FAINT if to_come else 1, hoverinfo="skip")
    fig.add_scatter(
        x=[branch.start for branch in branches],
        y=[heights[branch.number] for branch in branches],
        mode="markers",
        marker=dict(
            size=8 if len(branches) <= 100 else 4,
            color=[branch.colour for branch in branches],
            opacity=[FAINT if branch.start > chosen else 1 for branch in branches],
        ),
        customdata=[branch.about for branch in branches],
        hovertemplate="%{customdata}<extra></extra>",
    )
