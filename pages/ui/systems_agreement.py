"""How alike the columns rank, and the pairs of systems that two columns put in opposite order."""

import streamlit as st

from evalcore.ranking import agreement, flips
from evalcore.ranking.ranks import STATISTICS

from .figures import csv_button
from .style import number, plain
from .systems_board import Cell, Head, score_table
from .systems_figures import agreement_map, show_names
from .systems_ranks import choose_columns
from .systems_words import pair_tables

MOST_SHOWN = 200


def agreement_view(page, source):
    board = source.board
    left, right = st.columns([0.5, 0.5], gap="medium")
    with left:
        st.segmented_control(
            "Statistic",
            list(STATISTICS),
            format_func=STATISTICS.get,
            key=page.key("statistic"),
            required=True,
            help="1: the same order; 0: unrelated; −1: the opposite order. tau-b counts pairs of systems in "
            "the same and in "
            "opposite order; rho correlates ranks. Only systems that both columns rank count.",
        )
        show_names(
            *agreement_map(agreement(board, page["statistic"]), page["statistic"]),
            key="systems.agreement",
            file="agreement",
        )
    with right:
        x, y = choose_columns(page, board)
        if x is None:
            return
        pairs = flips(board, x, y)
        _list(page, pairs, x, y)
    chosen = _chosen(page, pairs)
    if chosen is not None:
        _open(page, source, chosen, x, y)


def _list(page, pairs, x, y):
    if pairs.empty:
        st.success(f"{plain(x)} and {plain(y)} put no two systems in opposite order.")
        return
    ranked = len(pairs)
    st.markdown(
        f"**{ranked:,} pair{'s' * (ranked != 1)} flip{'s' * (ranked == 1)}** between {plain(x)} and "
        f"{plain(y)}, largest first. Choose one to see the two."
    )
    heads = [
        Head("preferred first", is_text=True),
        Head("and then", is_text=True),
        Head(x, title=f"Their ranks by {x}"),
        Head(y, title=f"Their ranks by {y}"),
        Head("swing", title="Ranks that the two move against each other"),
    ]
    rows = [
        [
            Cell(row[0], row[0].lower()),
            Cell(row[1], row[1].lower()),
            Cell(f"{row[2]} : {row[3]}", row[2]),
            Cell(f"{row[4]} : {row[5]}", row[4]),
            Cell(str(row[6]), row[6]),
        ]
        for row in pairs.head(MOST_SHOWN).itertuples(index=False, name=None)
    ]

    def choose(row):
        page["a"], page["b"] = pairs.a[row], pairs.b[row]

    here = pairs.index[(pairs.a == page["a"]) & (pairs.b == page["b"])]
    score_table(
        heads,
        rows,
        key="systems.flips",
        label=f"Pairs that flip between {x} and {y}",
        height=290,
        chosen=int(here[0]) if len(here) else None,
        choose=choose,
    )
    csv_button(pairs, key="systems.flips.all", file="flips", label=f"All {ranked:,} pairs (CSV)")


def _chosen(page, pairs):
    here = pairs[(pairs.a == page["a"]) & (pairs.b == page["b"])] if len(pairs) else pairs
    return here.iloc[0] if len(here) else None


def _open(page, source, flip, x, y):
    a, b = plain(flip.a), plain(flip.b)
    values = source.board.values
    at = {name: source.board.systems.index(name) for name in (flip.a, flip.b)}
    st.header(f"{a} and {b}", anchor=False)
    said = [
        f"by {plain(name)} {a} has {number(values[at[flip.a], source.board.column(name)], 4)} and {b} "
        f"{number(values[at[flip.b], source.board.column(name)], 4)}"
        for name in (x, y)
    ]
    st.markdown(f"{said[0][0].upper()}{said[0][1:]}; {said[1]}.")
    if source.comparison is None:
        st.caption("The paper prints scores only, so there are no tables to open. Upload keys to see them.")
        return
    pair_tables(page, source, flip.a, flip.b, x)
