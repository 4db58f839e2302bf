"""Drill down: scores by word, where two systems differ most, and their tables side by side."""

import pandas as pd
import streamlit as st

from evalcore import InputError

from . import frame
from .figures import html_text, mosaic, show
from .grid import MOST, MOST_CLUSTERS
from .style import number, plain
from .systems_board import Cell, Head, score_table
from .systems_figures import word_differences


def words_view(page, source):
    board = source.board
    if source.comparison is None:
        st.info(
            "The papers print totals only. Upload a task’s keys, or a table of labels, to see scores by "
            "word and the tables behind them.",
            icon=":material/info:",
        )
        return
    a, b, column = _choose(page, board)
    listed = len(source.comparison.words) > 1 and board.words is not None and _by_word(page, board, a, b, column)
    pair_tables(page, source, a, b, column, pick=not listed)


def _choose(page, board):
    systems = list(board.systems)
    page["a"] = page["a"] if page["a"] in systems else systems[0]
    others = [name for name in systems if name != page["a"]] or systems
    page["b"] = page["b"] if page["b"] in others else others[0]
    scored = [c.name for c in board.columns if not c.split]
    page["by"] = page["by"] if page["by"] in scored else scored[-1]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox("System", systems, key=page.key("a"), width=260)
        st.selectbox("against", others, key=page.key("b"), width=260)
        st.selectbox("by", scored, key=page.key("by"), width=160)
    return page["a"], page["b"], page["by"]


def differences(board, a: str, b: str, column: str) -> pd.DataFrame:
    """Words with both systems' scores; `better` is how far a is ahead, `counts` that times the word's
    share; largest first.
    """
    at, (i, j) = board.column(column), (board.systems.index(a), board.systems.index(b))
    words, values = board.words, board.words.values[:, :, at]
    sign = 1 if board.columns[at].higher_is_better else -1
    weights = words.weights[i] / words.weights[i].sum()
    data = pd.DataFrame(
        {
            "word": words.words,
            "n": words.weights[i],
            "a": values[i],
            "b": values[j],
            "better": sign * (values[i] - values[j]),
        }
    )
    data["counts"] = data.better * weights
    return data.dropna().sort_values("counts", key=abs, ascending=False, ignore_index=True)


def _by_word(page, board, a, b, column):
    """Draw the words to choose from; False where there are none."""
    data = differences(board, a, b, column)
    if data.empty:
        st.info("The two systems share no word that both have scores for.", icon=":material/info:")
        return False
    if page["word"] not in data.word.tolist():
        page["word"] = data.word[0]
    left, right = st.columns([0.55, 0.45], gap="medium")
    with left:
        by_lead = data.sort_values("better", ascending=False)
        show(
            word_differences(by_lead, a, b, column, page["word"]),
            _named(data, a, b),
            key="systems.words",
            file="words",
        )
    with right:
        heads = [
            Head("word", is_text=True),
            Head("n", title="Instances, or 1 where words weigh the same"),
            Head(_short(a)),
            Head(_short(b)),
            Head("lead", title="How far the first is ahead"),
            Head("counts", title="The lead times the word’s share of the score"),
        ]
        rows = [
            [
                Cell(r.word, r.word.lower()),
                Cell.of(r.n, number(r.n, 0)),
                Cell.of(r.a, number(r.a, 4)),
                Cell.of(r.b, number(r.b, 4)),
                Cell.of(r.better, number(r.better, 4)),
                Cell.of(r.counts, number(r.counts, 4)),
            ]
            for r in data.itertuples()
        ]
        score_table(
            heads,
            rows,
            key="systems.wordlist",
            label="Words, those that count most first. Choose one to see its tables.",
            height=330,
            chosen=data.word.tolist().index(page["word"]),
            choose=lambda row: page.__setitem__("word", data.word[row]),
        )
    return True


def _named(data, a, b):
    frame = data.rename(columns={"a": "first", "b": "second"})
    return frame.assign(first_system=a, second_system=b)


def _short(name):
    return name if len(name) <= 16 else name[:14] + "…"


def pair_tables(page, source, a: str, b: str, column: str, pick: bool = True):
    """The tables of two systems for one word, side by side, ready to be opened in the Matrix lab;
    `pick` offers the words.
    """
    comparison, board = source.comparison, source.board
    words = comparison.words
    if len(words) > 1:
        if page["word"] not in words:
            known = differences(board, a, b, column) if board.words is not None else pd.DataFrame()
            page["word"] = known.word[0] if len(known) else words[0]
        if pick:
            st.selectbox("Word", words, key=page.key("word"), width=260)
    word = page["word"] if len(words) > 1 else words[0]
    for side, name in zip(st.columns(2, gap="medium"), (a, b)):
        with side:
            try:
                table = comparison.tables(name, source.policy, word).get(word)
            except InputError as error:
                st.info(plain(error))
                continue
            if table is None:
                st.info(f"{plain(name)} answers no instance of {plain(word)}.")
                continue
            _one(name, word, table)


def _one(name, word, table):
    what = f"{name}, {word}" if word else name
    classes, clusters = table.shape
    size = f"{classes} class{'es' * (classes > 1)}, {clusters} cluster{'s' * (clusters > 1)}"
    show(*mosaic(table, f"{html_text(what)}: {size}", height=270), key=f"systems.table.{name}", file="table")
    with st.container(horizontal=True):
        if table.shape[0] > MOST or table.shape[1] > MOST_CLUSTERS:
            st.caption(f"The Matrix lab takes at most {MOST} classes and {MOST_CLUSTERS} clusters.")
        elif st.button("Open in Matrix lab", key=f"systems.open.{name}", icon=":material/grid_on:"):
            frame.open_in("matrix", table=table)
