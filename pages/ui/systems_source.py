"""Where the Systems page's data comes from: published tables, uploaded files, the tray; and how it is
scored.
"""

from dataclasses import dataclass

import streamlit as st

from evalcore import ESTIMATORS, InputError
from evalcore.comparison import (
    KeyComparison,
    Policy,
    TableComparison,
)
from evalcore.ranking import CORPORA, Board, grammar_board, score_comparison, wsi2010_board
from evalcore.ranking.reprints import PRINTED, WSI2010_ESTIMATORS, follows_from_entropies

from . import frame, tray, work
from .style import plain
from .systems_files import (
    add_baselines,
    from_files,
    loaded_kind,
    loaded_problems,
    read_new_files,
    settle_gold,
    uploader,
    warn,
)
from .systems_rules import baselines, rules

SOURCES = {
    "semeval": "SemEval-2010, published",
    **{c: f"{c}, published" for c in CORPORA},
    "files": "Your files",
    "tray": "Solution tray",
}


@dataclass(frozen=True)
class Source:
    """What is compared and under which rules."""

    comparison: KeyComparison | TableComparison | None  # None for published tables
    board: Board | None  # None while it is being computed, or cannot be
    policy: Policy
    note: str  # a sentence on where the numbers come from


def controls(page) -> Source:
    """The row of controls, and the board that they ask for."""
    read_new_files(page)
    settle_gold(page)
    with st.container(horizontal=True, vertical_alignment="bottom", key="systems-controls"):
        st.selectbox(
            "Systems",
            list(SOURCES),
            format_func=SOURCES.get,
            key=page.key("source"),
            width=250,
            help="Published tables need no upload. Your files: keys, a table of labels, matrices, or a "
            "comparison saved here.",
        )
        with st.popover("Upload", icon=":material/upload:", key="systems-upload"):
            uploader(page, "popover")
        source = page["source"]
        if source != "semeval":
            st.multiselect("Measures", frame.SHOWABLE, key=page.key("m"), width=300)
        if source not in CORPORA:
            st.multiselect(
                "Entropies by",
                list(ESTIMATORS),
                key=page.key("e"),
                width=330,
                help="The estimators that feed information measures; others do not depend on them.",
            )
        with st.popover("Rules", icon=":material/rule:", key="systems-rules"):
            rules(
                page,
                source,
                only_tables=source == "tray" or source == "files" and loaded_kind() == "matrices",
            )
        if source in ("files", "tray"):
            with st.popover("Baselines", icon=":material/add_chart:", key="systems-baselines"):
                baselines(page)
    if source == "semeval":
        return _semeval(page)
    if source in CORPORA:
        return _grammar(page, source)
    return _own(page, _tray(page) if source == "tray" else from_files(page))


# ---- published ----


def _semeval(page):
    printed = [name for name in page["e"] if name in WSI2010_ESTIMATORS]
    others = [name for name in page["e"] if name not in WSI2010_ESTIMATORS]
    splits = [split for split in ("80:20", "60:40") if split in page["recall"]]
    note = (
        "Li, Titov and Sporleder 2014, Table 1: V of 29 systems and baselines, as printed (there × 100). "
        "1ClI puts each instance in a "
        "cluster of its own; MFS puts all of a word in one. Starred rows are soft answers, which the paper "
        "does not rank."
    )
    if others:
        note += f" The paper does not print V by {' or '.join(others)}."
    return Source(None, wsi2010_board(printed or list(WSI2010_ESTIMATORS), splits), Policy(), note)


def _grammar(page, corpus):
    wanted = list(dict.fromkeys([*PRINTED, *page["m"]]))
    usable = [name for name in wanted if follows_from_entropies(name)]
    note = (
        f"Reichart and Rappoport 2009, Tables 2–4: labellings of {corpus}, recomputed from the printed "
        f"H(C), H(K) and VI. Any measure that "
        "is a function of the entropies can be added."
    )
    left = [name for name in wanted if name not in usable]
    if left:
        note += f" {', '.join(left)} cannot be had from entropies alone."
    return Source(None, grammar_board(corpus, usable), Policy(), note)


# ---- files and tray ----


def _tray(page):
    solutions = tray.solutions()
    if not solutions:
        st.info(
            "The tray is empty. Put solutions into it with “Add to tray” in the Matrix lab or another lab; "
            "here they are then compared.",
            icon=":material/inbox:",
        )
        return None
    return add_baselines(page, TableComparison("tray", {solution.name: solution.table for solution in solutions}))


def _own(page, comparison):
    policy = Policy(page["average"], page["missing"], page["soft"], "ignore" if page["ignore"] else "error")
    if comparison is None:
        return Source(None, None, policy, "")
    above = st.container()  # one box for files that could not be read and systems that could not be scored
    board = _scored(page, comparison, policy)
    with above:
        warn([*(loaded_problems() if page["source"] == "files" else ()), *(board.problems if board else ())])
    return Source(comparison, board, policy, _policy_note(comparison, policy))


def _scored(page, comparison, policy):
    measures, estimators, recall = (
        tuple(page["m"]) or ("V",),
        tuple(page["e"]) or ("ML",),
        tuple(sorted(page["recall"], reverse=True)),
    )
    key = (
        comparison.digest,
        tuple(comparison.systems),
        page["k"],
        page["seed"],
        measures,
        estimators,
        recall,
        policy,
        page.base,
    )

    def compute(progress):
        try:
            splits = comparison.recall_splits(recall, page["seed"])
            return score_comparison(
                comparison,
                measures,
                estimators,
                policy,
                splits=splits,
                base=page.base,
                progress=lambda done, total, what: progress(done, total, plain(what)),
            )
        except InputError as error:
            return error

    result = work.run(
        "systems.score", key, compute, label="Score", what="Scores all systems by all columns.", auto=True
    )
    if isinstance(result, InputError):
        st.error(plain(result))
        return None
    return result


def _policy_note(comparison, policy):
    if isinstance(comparison, TableComparison):
        return "Each solution is one table; ranks compare them as they are, also where their items differ."
    weights = (
        "All weights of an answer count (soft)."
        if policy.soft
        else "The sense with the largest weight is the answer (hard)."
    )
    missing = {
        "cluster": "share one extra cluster of their word",
        "singletons": "get a cluster each",
        "drop": "are left out",
    }[policy.missing]
    if len(comparison.words) == 1:
        return f"{len(comparison.gold):,} items. Those without an answer {missing}. {weights}"
    average = {
        "instances": "averaged over words, weighted by their instances",
        "words": "averaged over words, each alike",
        "pooled": "of one table of all words",
    }[policy.average]
    size = f"{len(comparison.gold):,} instances of {len(comparison.words)} words"
    return f"{size}; scores {average}. Unanswered instances {missing}. {weights}"
