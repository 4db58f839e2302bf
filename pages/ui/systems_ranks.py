"""The leaderboard with its bump chart, and change of rank against number of clusters."""

import math

import streamlit as st

from evalcore import ESTIMATORS, MEASURES
from evalcore.ranking import Board, Column, grammar_contradictions, headline
from evalcore.ranking.ranks import largest_move
from evalcore.ranking.reprints import CORPORA, STARRED_MM

from .style import number, plain
from .systems_board import Cell, Head, score_table
from .systems_figures import bump, clusters_against_change, show_names

LONG_NAMES = {"1ClI": "one cluster per instance", "MFS": "most frequent sense"}
HEIGHT = 590


def ranks_view(page, source):
    board = source.board
    follow = followed(page, board)
    share = min(0.6, max(0.45, 0.3 + 0.042 * len(board.columns)))
    left, right = st.columns([share, 1 - share], gap="medium")
    with left:
        leaderboard(page, board, follow)
        st.caption(" ".join(filter(None, (source.note, _remark(page), _unclamped(board)))))
    with right:
        title = headline(board, LONG_NAMES if page["source"] == "semeval" else None)
        show_names(*bump(board, follow, title, HEIGHT), key="systems.bump", file="ranks")


def followed(page, board: Board) -> str:
    """The system that figures make stand out: the one chosen, or the one that moves most."""
    return page["follow"] if page["follow"] in board.systems else largest_move(board)[0]


def best_first(board: Board) -> list[int]:
    """The systems' places in the order of the first column; those that it does not rank come last."""
    first = board.ranks[:, 0]
    return sorted(range(len(first)), key=lambda i: math.inf if math.isnan(first[i]) else first[i])


def leaderboard(page, board: Board, follow: str):
    rank, order = board.ranks, best_first(board)
    heads = [
        Head("system", is_text=True),
        Head("clusters", title="Clusters per word, on average; unanswered instances may add one"),
        *(Head(column.name, "↑" if column.higher_is_better else "↓", explain(column)) for column in board.columns),
    ]
    rows = []
    for i in order:
        cells = [
            Cell.of(
                board.values[i, j],
                number(board.values[i, j], 4 if source_digits(board) else 3),
                rank[i, j],
                _note(page, board.systems[i], column),
            )
            for j, column in enumerate(board.columns)
        ]
        rows.append(
            [
                Cell(board.systems[i], board.systems[i].lower()),
                Cell.of(board.clusters[i], number(board.clusters[i], 1)),
                *cells,
            ]
        )
    chosen = [board.systems[i] for i in order].index(follow) if follow in board.systems else None
    score_table(
        heads,
        rows,
        key="systems.board",
        label="Leaderboard: values with ranks. Choose a system to follow it in the chart.",
        height=HEIGHT,
        chosen=chosen,
        choose=lambda row: page.__setitem__("follow", board.systems[order[row]]),
    )


def source_digits(board: Board) -> bool:
    """Four decimals where scores were computed; papers print fewer."""
    return board.printed_ranks is None


def explain(column: Column) -> str:
    measure = MEASURES.get(column.measure.split("(")[0])
    says = f"{measure.title}: {measure.rewards}" if measure else ""
    return f"{says} Entropies by {ESTIMATORS[column.estimator].label}." if column.estimator in ESTIMATORS else says


def _note(page, system, column):
    if page["source"] == "semeval" and column == Column("V", "MM") and system in STARRED_MM:
        ours = STARRED_MM[system][1]
        return f"Printed so; the task's keys give {ours}, and no natural reading gives the printed value."
    wrong = grammar_contradictions() if page["source"] in CORPORA else None
    if wrong is not None:
        here = wrong[(wrong.corpus == page["source"]) & (wrong.labelling == system) & (wrong.measure == column.measure)]
        return "".join(
            f"The paper prints {cell.printed:.2f}, which its own entropies and VI contradict."
            for cell in here.itertuples()
        )
    return ""


def _remark(page):
    if page["source"] not in CORPORA:
        return ""
    wrong = grammar_contradictions()
    cells = "; ".join(
        f"{r.corpus} {r.labelling}: {r.printed:.2f} printed, {r.recomputed:.3f} recomputed" for r in wrong.itertuples()
    )
    return (
        f"{len(wrong)} of the nine printed V cells contradict the paper’s own entropies and VI, "
        f"beyond rounding ({plain(cells)})."
    )


def _unclamped(board):
    """Say so where an estimator drives a score out of the range that it has under maximum likelihood."""
    for values, column in zip(board.values.T, board.columns):
        low, high = MEASURES[column.measure.split("(")[0]].bounds
        if column.estimator not in ("", "ML") and any(x < low or high is not None and x > high for x in values):
            bounds = f"below {low} or above {high or 'its bound'}"
            return f"Estimators other than ML can push {column.measure} {bounds}; nothing is clamped."
    return ""


def clusters_view(page, source):
    board = source.board
    x, y = choose_columns(page, board)
    if x is None:
        return
    show_names(
        *clusters_against_change(board, x, y, followed(page, board)),
        key="systems.clusters",
        file="rank-change-by-clusters",
    )
    st.caption(
        "After Figures 3 and 4 of Li, Titov and Sporleder 2014: what another estimator, or another measure, "
        "does to systems with many clusters."
    )


def choose_columns(page, board: Board) -> tuple[str, str] | tuple[None, None]:
    """Two columns to compare; the first and the last of the same measure to begin with."""
    names = board.names
    if len(names) < 2:
        st.info(
            "There is one column only: choose another estimator or measure above to compare rankings.",
            icon=":material/info:",
        )
        return None, None
    alike = [c.name for c in board.columns if c.measure == board.columns[0].measure]
    if page["x"] not in names:
        page["x"] = names[0]
    if page["y"] not in names or page["y"] == page["x"]:
        page["y"] = next(name for name in [*reversed(alike), *reversed(names)] if name != page["x"])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox("From", names, key=page.key("x"), width=200)
        st.selectbox("To", [name for name in names if name != page["x"]], key=page.key("y"), width=200)
    return page["x"], page["y"]
