"""Words: the divisive trees of Li and Abe, with what each split costs and saves."""

import itertools

import pandas as pd
import streamlit as st

from evalcore.clusterers.counts import Cooccurrence
from evalcore.clusterers.mdl import ENERGIES, FORMS, Tree, cluster
from evalcore.clusterers.sweep import default_ks

from . import state, work
from . import words_scores as scores
from . import words_source as source
from .figures import show
from .frame import Page
from .lines import GREY
from .style import AMBER, BLUE, PINK
from .words_panels import Line, Panel, panels_figure
from .words_scores import Stage
from .words_tree import Branch, class_colours, majority, tree_figure

FORM_NAMES = {"paper": "the paper's", "frequency": "frequency-aware"}
FIELDS = (state.choice("energy", tuple(ENERGIES), "mdl"), state.choice("form", tuple(FORMS), "paper"))
FORM_HELP = (
    "In the paper's form all nouns of a cluster are equally likely, so that nouns are also clustered by how "
    "frequent they are (try a frequency skew of 1). The frequency-aware form gives each noun its own share."
)
MOST_STAGES = 60


def controls(page: Page):
    st.segmented_control(
        "Energy",
        list(ENERGIES),
        key=page.key("energy"),
        required=True,
        format_func=str.upper,
        width="content",
        help="MDL: the length of parameters and data. MLE: of the data alone, so that it splits on.",
    )
    st.selectbox("Form", list(FORMS), key=page.key("form"), format_func=FORM_NAMES.get, width=165, help=FORM_HELP)
    scores.controls(page)


def grown(page: Page, key: tuple, pairs: Cooccurrence) -> Tree | None:
    energy, form, seed = page["energy"], page["form"], page["seed"]
    large = pairs.counts.shape[0] * pairs.counts.shape[1] > source.LARGE

    def compute(progress):
        tree = cluster(pairs, energy, form, seed, progress)
        progress(1, 1, "measuring lengths")
        tree.history  # noqa: B018  # computed once, here, and kept
        return tree

    return work.run(
        "words.mdl",
        (key, energy, form),
        compute,
        label="Grow the tree",
        auto=not large,
        what="Divides the nouns in two by simulated annealing, and each part again; a few seconds for "
        "1,000 × 2,100 words.",
    )


def stages_of(tree: Tree) -> list[Stage]:
    """Stages as the tree grows: every one, or as many as can be seen."""
    leaves = len(tree.history)
    ks = range(1, leaves + 1) if leaves <= MOST_STAGES else default_ks(leaves, leaves, MOST_STAGES)
    totals, nouns, found = tree.pairs.noun_totals, tree.pairs.nouns, []
    for k in ks:
        members = [sorted(leaf.members.tolist(), key=lambda i: (-totals[i], i)) for leaf in tree.leaves(k - 1)]
        found.append(Stage(k, k, tree.labels(k - 1), [[nouns[i] for i in part[:12]] for part in members]))
    return found


def body(page: Page):
    counted = source.counted(page)
    tree = counted and grown(page, *counted)
    if not tree:
        return
    key, pairs = counted
    key, stages = (key, page["energy"], page["form"]), stages_of(tree)
    hard = scores.scores_of(page, "mdl", key, pairs, stages)
    stage = scores.chosen(page, stages, stages[-1].k)
    left, right = st.columns([1, 1.05], gap="medium")
    with left:
        show(drawn(tree, pairs, stage), tree_data(tree), key="words.mdl_tree", file="words-mdl-tree")
    with right:
        show(
            lengths(page, tree, stages, stage, hard),
            length_data(tree, stages, hard),
            key="words.lengths",
            file="words-description-length",
        )
    scores.slider(page, stages, stage)
    scores.look(page, pairs, stage, f"{page['energy'].upper()} tree")
    length = tree.history[stage.k - 1]
    st.caption(
        f"{stage.k:,} {'leaf' if stage.k == 1 else 'leaves'}: model {length.model:,.0f} + parameters "
        f"{length.parameters:,.0f} + data {length.data:,.0f} = {length.total:,.0f} bits; the figure has what each "
        "part gains or loses against one leaf. Li and Abe 1996. Model: which partition of the nouns it is, as long "
        "for each. Parameters: half "
        "a log₂(pairs) for each probability of a cluster and a verb. Data: the pairs themselves. The "
        "tree grows by what saves most; a split that is no shorter is refused. As printed, the algorithm "
        "never stops at the true number."
    )


# ---- figures -----------------------------------------------------------------------------------------------


def drawn(tree: Tree, pairs: Cooccurrence, stage: Stage):
    step = {number: i + 1 for i, number in enumerate(tree.splits)}  # a split at step i leaves i + 1 leaves
    colours, branches = class_colours(pairs.gold), []
    last = len(tree.history) + max(0.5, 0.04 * len(tree.history))  # the last leaves need room to be seen
    totals = pairs.noun_totals
    for node in tree.nodes:
        start = 1 if node.parent is None else step[node.parent] + 1
        end = step[node.number] + 1 if node.number in step else last
        members = sorted(node.members.tolist(), key=lambda i: (-totals[i], i))
        colour, held = majority(members, pairs.gold, colours)
        about = (
            f"{len(members):,} nouns"
            + (f": {held}" if held else "")
            + (f"<br>split saves {node.saved:,.0f} bits" if node.children else "")
        )
        branches.append(Branch(node.number, node.parent, start, end, [pairs.nouns[i] for i in members], colour, about))
    leaves, true = len(tree.leaves()), len({*(pairs.gold or ())} - {None})
    how = tree.energy.upper()
    if tree.energy == "mle":
        title = f"MLE splits {len(pairs.nouns):,} nouns into {leaves:,} leaves"
    else:
        title = f"{how} stops at {leaves:,} {'leaf' if leaves == 1 else 'leaves'}" + (
            f"; there are {true} classes" if true else ""
        )
    return tree_figure(title, branches, "leaves", False, stage.at)


def lengths(page: Page, tree: Tree, stages, stage, hard):
    x = [s.k for s in stages]
    history = [tree.history[k - 1] for k in x]
    # The data are a hundred times as long as the rest: what a reader must see is what becomes of each part.
    whole = Panel(
        "bits vs 1 leaf",
        [
            Line(name, x, [getattr(h, name) - getattr(tree.history[0], name) for h in history], colour, label=name)
            for name, colour in (("data", BLUE), ("parameters", AMBER), ("model", GREY), ("total", PINK))
        ],
        share=1.7,
        form="+,.0f",
    )
    saved = [before.data - after.data for before, after in itertools.pairwise(tree.history)]
    price = tree.history[-1].parameters - tree.history[-2].parameters if saved else 0.0
    each = (
        [
            Panel(
                "saved",
                [Line("data saved by the split", list(range(2, len(saved) + 2)), saved, BLUE, marks=None)],
                log=True,
                form=",.0f",
                level=(price, f"price of a split: {price:,.0f} bits"),
                level_at=1.0 if price < saved[0] else 0.0,
            )
        ]
        if saved
        else []
    )
    best = min(range(len(tree.history)), key=lambda i: tree.history[i].total)
    total, alone = tree.history[best].total, tree.history[0].total
    title = f"Shortest at {best + 1:,} {'leaf' if best == 0 else 'leaves'}: {total:,.0f} bits"
    title += f", {alone - total:,.0f} fewer than one cluster" if best else ""
    fig = panels_figure(title, "leaves", [whole, *each, *scores.panels(page, x, hard, steps=False)], room=96)
    fig.add_vline(x=best + 1, line=dict(color=GREY, width=1.4, dash="dash"))
    if stage.k != best + 1:
        fig.add_vline(x=stage.at, line=dict(color=GREY, width=1, dash="dot"))
    width = max(x[-1] - 1, 1)
    fig.update_xaxes(dtick=1 if x[-1] <= 12 else None, tickformat=",d", range=[1 - 0.02 * width, x[-1] + 0.02 * width])
    return fig


def length_data(tree, stages, hard) -> pd.DataFrame:
    data = pd.DataFrame(
        [{"leaves": s.k, **tree.history[s.k - 1]._asdict(), "total": tree.history[s.k - 1].total} for s in stages]
    )
    return data if hard is None else data.join(hard)


def tree_data(tree) -> pd.DataFrame:
    nouns = tree.pairs.nouns
    return pd.DataFrame(
        [
            {
                "node": n.number,
                "parent": n.parent,
                "split saves bits": n.saved if n.children else None,
                "nouns": len(n.members),
                "members": ", ".join(str(nouns[i]) for i in n.members),
            }
            for n in tree.nodes
        ]
    )


def code(page: Page) -> str:
    return f"""import evalcore as ec
from evalcore.clusterers import corpora, counts, mdl

{source.snippet(page)}tree = mdl.cluster(pairs, {page["energy"]!r}, {page["form"]!r}, seed={page["seed"]})
for leaves, length in enumerate(tree.history, 1):
    scores = {{}}
    if pairs.gold is not None:
        table = pairs.contingency(tree.labels(leaves - 1))
        scores = ec.score(table, {scores.measures_of(page)!r}, {page["by"]!r}).to_dict()
    print(leaves, length, length.total, scores)
"""
