"""Words: the annealing of Pereira, Tishby and Lee, with its tree, its plateaus and its scores."""

import pandas as pd
import streamlit as st

from evalcore.clusterers.counts import Cooccurrence
from evalcore.clusterers.distributional import Annealing, anneal
from evalcore.clusterers.sweep import preferred

from . import state, work
from . import words_scores as scores
from . import words_source as source
from .clusters_figures import measures_title
from .figures import html_text, show
from .frame import Page
from .lines import GREY, faint, log_axis
from .style import BLUE
from .words_panels import Line, Panel, panels_figure
from .words_scores import Stage
from .words_tree import Branch, class_colours, majority, tree_figure

MOST = 128
BEYOND = 1.1  # how far the last clusters are drawn beyond the last beta
AGAINST = {"beta": "β", "k": "k"}
FIELDS = (state.integer("most", 12, 2, MOST), state.flag("soft", True), state.choice("against", tuple(AGAINST), "beta"))


def controls(page: Page):
    st.number_input("Clusters at most", 2, MOST, key=page.key("most"), width=135)
    scores.controls(page)
    st.segmented_control(
        "Scores against",
        list(AGAINST),
        key=page.key("against"),
        required=True,
        format_func=AGAINST.get,
        width="content",
    )
    st.toggle(
        "Soft scores too",
        key=page.key("soft"),
        help="Scores expected over the hard solutions that the memberships p(cluster | noun) stand for, "
        "exact by Poisson-binomial laws; by ML, JK, BUB and the other linear estimators.",
    )


def annealed(page: Page, key: tuple, pairs: Cooccurrence) -> Annealing | None:
    most, seed = page["most"], page["seed"]
    large = pairs.counts.shape[0] * pairs.counts.shape[1] > source.LARGE
    return work.run(
        "words.anneal",
        (key, most),
        lambda progress: anneal(pairs, most, seed=seed, progress=progress),
        label="Anneal",
        what="Raises β and splits each cluster where it becomes unstable; about ten seconds for 32 "
        "clusters of 1,000 × 2,100 words.",
        auto=not large,
    )


def stages_of(course: Annealing) -> list[Stage]:
    """One stage for each run of the same number of clusters, in the order of beta."""
    found = []
    for snapshot, first in zip(course.snapshots, course.plateaus()["first"], strict=True):
        words = [course.clusters[number].nearest for number in snapshot.clusters]
        found.append(Stage(snapshot.k, float(first), snapshot.labels(), words, snapshot.memberships))
    return found


def body(page: Page):
    counted = source.counted(page)
    course = counted and annealed(page, *counted)
    if not course:
        return
    key, pairs = counted
    key, stages = (key, page["most"]), stages_of(course)
    hard = scores.scores_of(page, "anneal", key, pairs, stages)
    soft = scores.scores_of(page, "anneal", key, pairs, stages, soft=True) if page["soft"] else None
    kept = [stage for stage in stages if any(s.beta >= stage.at and s.k == stage.k for s in course.by_k().values())]
    by_k = sorted({stage.k: stage for stage in kept}.values(), key=lambda s: s.k)
    stage = scores.chosen(page, by_k, course.plateau() or by_k[-1].k)
    left, right = st.columns([1, 1.05], gap="medium")
    with left:
        show(tree(course, pairs, stage), tree_data(course), key="words.tree", file="words-tree")
    with right:
        if page["against"] == "k" and hard is not None:
            rows = [stages.index(s) for s in by_k]
            fig = scores_by_k(page, pairs, by_k, stage, *(b if b is None else b.iloc[rows] for b in (hard, soft)))
            data = course_data(course, hard, soft).iloc[rows]
        else:
            fig = courses(page, course, pairs, stages, stage, hard, soft)
            data = course_data(course, hard, soft)
        show(fig, data, key="words.course", file="words-annealing")
    scores.slider(page, by_k, stage)
    scores.look(page, pairs, stage, "Soft clusters")
    st.caption(
        "Pereira, Tishby and Lee 1993: p(c|n) ∝ exp(−β D(pₙ‖p_c)). A cluster is split where theory says "
        "that it becomes unstable, at 1 over the largest eigenvalue of its nouns' covariance. As every "
        "centroid weighs the same, the number of clusters can skip values and fall again. Hard scores "
        "take each noun's likeliest cluster."
    )


# ---- figures -----------------------------------------------------------------------------------------------


def tree(course: Annealing, pairs: Cooccurrence, stage: Stage):
    members = {}  # of each cluster, when last seen
    for snapshot in course.snapshots:
        labels = snapshot.labels().tolist()
        members |= {number: [i for i, c in enumerate(labels) if c == at] for at, number in enumerate(snapshot.clusters)}
    colours, last, branches = class_colours(pairs.gold), course.steps[-1].beta, []
    for cluster in course.clusters.values():
        colour, held = majority(members.get(cluster.number, ()), pairs.gold, colours)
        end = last * BEYOND if cluster.ended is None else cluster.ended
        about = f"β = {cluster.born:.3g} to {cluster.ended or last:.3g}" + (f"<br>{held}" if held else "")
        about += f"<br>{html_text(', '.join(map(str, cluster.nearest[:8])))}"
        branches.append(Branch(cluster.number, cluster.parent, cluster.born, end, cluster.nearest, colour, about))
    ended = len(course.snapshots[-1].clusters)
    said = "; colours are classes" if pairs.gold is not None else ""
    return tree_figure(f"As β rises one cluster becomes {ended}{said}", branches, "β (log scale)", True, stage.at)


def courses(page, course, pairs, stages, stage, hard, soft):
    x = [*(s.at for s in stages), course.steps[-1].beta]
    ks = Panel(
        "clusters",
        [Line("clusters", x, [*(s.k for s in stages), stages[-1].k], GREY, steps=True)],
        log=True,
        form=".0f",
        share=1.15,
    )
    true = len({*pairs.gold} - {None}) if pairs.gold is not None else None
    if true and true > 1:
        ks.level = (true, f"{true} classes")
    fig = panels_figure(title(course, true), "β (log scale)", [ks, *scores.panels(page, x, hard, soft)])
    plateau = course.plateau()
    if plateau is not None:
        row = course.plateaus().iloc[1:-1].sort_values("ratio").iloc[-1]
        fig.add_vrect(x0=row["first"], x1=row["last"], fillcolor=faint(BLUE, 0.10), line_width=0, layer="below")
    fig.add_vline(x=stage.at, line=dict(color=GREY, width=1, dash="dot"))
    log_axis(fig, x[0], x[-1], "β (log scale)")
    values = [k for k in (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30, 50, 100) if k <= max(s.k for s in stages)]
    shown = values if len(values) <= 6 else [v for v in values if v in (1, 2, 4, 8, 16, 30, 100, max(values))]
    fig.update_layout(yaxis=dict(tickvals=shown, ticktext=[str(v) for v in shown], dtick=None))
    return fig


def scores_by_k(page, pairs, by_k, stage, hard, soft):
    """The scores of the last solution with each k, on the axis of k."""
    ks, true = [s.k for s in by_k], len({*pairs.gold} - {None})
    board = hard.assign(k=ks).melt("k", var_name="measure").assign(estimator=page["by"])
    fig = panels_figure(
        measures_title(preferred(board), true), "clusters k", scores.panels(page, ks, hard, soft, steps=False)
    )
    fig.add_vline(x=true, line=dict(color=GREY, width=1.4, dash="dash"))
    if stage.k != true:
        fig.add_vline(x=stage.k, line=dict(color=GREY, width=1, dash="dot"))
    fig.update_xaxes(tickformat=",d", dtick=1 if ks[-1] <= 16 else None)
    return fig


def title(course: Annealing, true: int | None) -> str:
    """Where the number of clusters stays longest, and whether that is the truth."""
    plateau = course.plateau()
    if plateau is None:
        return f"The number of clusters never rests on its way to {course.snapshots[-1].k}"
    row = course.plateaus().iloc[1:-1].sort_values("ratio").iloc[-1]
    said = f"From β = {row['first']:.3g} to {row['last']:.3g} there are {plateau} clusters"
    if true is None:
        return f"{said}: the longest plateau"
    return f"{said}, as many as classes" if plateau == true else f"{said}; there are {true} classes"


def course_data(course, hard, soft) -> pd.DataFrame:
    data = course.plateaus()[["k", "first", "last"]].rename(columns={"first": "first beta", "last": "last beta"})
    for board, name in ((hard, ""), (soft, " soft")):
        if board is not None:
            data = data.join(board.add_suffix(name))
    return data


def tree_data(course) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "cluster": c.number,
                "parent": c.parent,
                "from beta": c.born,
                "to beta": c.ended,
                "nearest": ", ".join(map(str, c.nearest)),
            }
            for c in course.clusters.values()
        ]
    )


def code(page: Page) -> str:
    measures, by = scores.measures_of(page), page["by"]
    lines = f"hard = ec.score(pairs.contingency(snapshot.labels()), {measures!r}, {by!r})\n"
    said = "hard.to_dict()"
    if page["soft"] and (fed := scores.fed_by_entropies(measures)):
        lines += f"        soft = ec.score(pairs.soft_contingency(snapshot.memberships), {fed!r}, {by!r})\n"
        said += ", soft.to_dict()"
    return f"""import evalcore as ec
from evalcore.clusterers import corpora, counts, distributional

{source.snippet(page)}course = distributional.anneal(pairs, {page["most"]}, seed={page["seed"]})
print(course.plateaus())
if pairs.gold is not None:
    for snapshot in course.snapshots:
        {lines}        print(snapshot.k, snapshot.beta, {said})  # measures of information in nats
"""
