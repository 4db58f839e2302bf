"""Words: how well soft clusters predict the unseen, after Pereira, Tishby and Lee's Figures 3 and 4."""

import math

import pandas as pd
import streamlit as st

from evalcore import InputError
from evalcore.clusterers.experiments import held_out_curves, verb_decisions

from . import state, work
from . import words_source as source
from .figures import show
from .frame import Page
from .lines import GREY
from .style import BLUE, GREEN, ORANGE, PINK, number, plain
from .words_panels import Line, Panel, panels_figure
from .words_soft import MOST

SHARES = (0.05, 0.1, 0.2, 0.3, 0.5)
DELETED = 100
FIELDS = (state.choice("share", SHARES, 0.2), state.choice("new", SHARES, 0.2))


def controls(page: Page):
    st.number_input("Clusters at most", 2, MOST, key=page.key("most"), width=135)
    st.selectbox("Pairs held out", SHARES, key=page.key("share"), format_func=lambda x: f"{x:.0%}", width=125)
    st.selectbox(
        "New nouns",
        SHARES,
        key=page.key("new"),
        format_func=lambda x: f"{x:.0%}",
        width=115,
        help="Nouns that take no part in clustering; their memberships follow from their own pairs, as in the paper.",
    )


def body(page: Page):
    counted = source.counted(page)
    if not counted:
        return
    key, pairs = counted
    large = pairs.counts.shape[0] * pairs.counts.shape[1] > source.LARGE
    most, share, new, seed = (page[name] for name in ("most", "share", "new", "seed"))
    left, right = st.columns(2, gap="medium")
    with left:
        curves = _run(
            "held_out",
            (key, most, share, new),
            lambda progress: held_out_curves(pairs, share, new, most, seed, progress),
            large,
        )
        if curves is not None:
            show(curves_figure(curves, page), curves, key="words.curves", file="words-held-out")
            st.caption(_curves_note(curves, share, new, page.unit))
    with right:
        decisions = _run(
            "decisions",
            (key, most),
            lambda progress: verb_decisions(pairs, DELETED, most, seed, progress),
            large,
        )
        if decisions is not None:
            show(decisions_figure(decisions), decisions, key="words.decisions", file="words-verb-decisions")
            st.caption(_decisions_note(decisions))


def _run(name, key, compute, large):
    def safely(progress):
        try:
            return compute(progress)
        except InputError as error:
            return error

    found = work.run(
        f"words.{name}",
        key,
        safely,
        label="Anneal",
        what="Anneals the words again without what is held out.",
        auto=not large,
    )
    if isinstance(found, InputError):
        st.error(plain(found))
        return None
    return found


# ---- figures -----------------------------------------------------------------------------------------------


def _axis(fig, ks):
    fig.update_xaxes(tickformat=",d", nticks=min(len(ks), 12))
    return fig


def curves_figure(curves: pd.DataFrame, page: Page):
    unit = math.log(page.base)
    best = int(curves.loc[curves["held_out"].idxmin(), "k"])
    falls = "keeps falling" if (curves["train"].diff().dropna() < 0).all() else "falls"
    inside = "" if best < curves["k"].max() else " so far"
    lines = [
        Line(said, curves["k"].tolist(), (curves[name] / unit).tolist(), colour, label=said, marks=True)
        for name, said, colour in (
            ("train", "train", GREY),
            ("held_out", "held out", BLUE),
            ("new", "new nouns", GREEN),
        )
    ]
    fig = panels_figure(
        f"Held-out pairs are predicted best by {best} clusters{inside}; train {falls}",
        "clusters",
        [Panel(f"relative entropy, {page.unit} ↓ (log scale)", lines, log=True)],
        room=92,
    )
    fig.add_vline(x=best, line=dict(color=BLUE, width=1.4, dash="dash"))
    return _axis(fig, curves["k"])


def _curves_note(curves, share, new, unit):
    lost = curves.iloc[0]
    dropped = (
        ""
        if not lost["lost_held_out"] + lost["lost_new"]
        else f" Verbs that training never saw are dropped: {lost['lost_held_out']:.2%} of the "
        f"held-out pairs, {lost['lost_new']:.2%} of the new nouns'."
    )
    return (
        "After Figure 3 of Pereira, Tishby and Lee 1993, where the minimum is at 206 clusters. "
        f"{share:.0%} of the pairs are held out, {new:.0%} of the nouns are new. Mean of D(observed ‖ "
        f"predicted) in {unit}, lower is better.{dropped}"
    )


def decisions_figure(decisions: pd.DataFrame):
    best = decisions.loc[decisions["all"].idxmin()]
    marginal = float(decisions["marginal"].iloc[0])
    lines = [
        Line(said, decisions["k"].tolist(), decisions[name].tolist(), colour, label=said, marks=True)
        for name, said, colour in (("all", "all", ORANGE), ("exceptional", "exceptional", PINK))
    ]
    title = f"Which of two verbs? {int(best['k'])} clusters err in {best['all']:.0%}"
    title += f", frequency alone in {marginal:.0%}"
    fig = panels_figure(
        title,
        "clusters",
        [Panel("error rate ↓", lines, level=(marginal, "frequency alone"), level_at=1.0, form=".1%", foot=0.0)],
        room=96,
    )
    fig.update_layout(yaxis=dict(tickformat=".0%"))
    return _axis(fig, decisions["k"])


def _decisions_note(decisions):
    row = decisions.iloc[0]
    return (
        "After their Figure 4: all pairs of a noun with one of its verbs are deleted, and the clusters "
        f"say whether it is more likely than another verb; {number(row['triples'], 0)} decisions, "
        f"{number(row['exceptions'], 0)} of them exceptional: the noun goes against the verbs' overall "
        "frequencies."
    )


def code(page: Page) -> str:
    return f"""from evalcore.clusterers import corpora, counts, experiments

{source.snippet(page)}share, new, most, seed = {page["share"]}, {page["new"]}, {page["most"]}, {page["seed"]}
print(experiments.held_out_curves(pairs, share, new, most, seed).to_string())  # nats
print(experiments.verb_decisions(pairs, {DELETED}, most, seed).to_string())
"""
