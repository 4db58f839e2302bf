"""The disagreement finder: two solutions of the same items that two measures rank in opposite order."""

import streamlit as st

from evalcore import ESTIMATORS, MEASURES, InputError
from evalcore.disagreement import ALL, BUDGET, MOST_CLASSES, MOST_ITEMS, Finding, find

from . import tray, work
from .figures import mosaic, show
from .frame import SHOWABLE
from .style import number, plain

WISHES = {"blatant": "as blatant as possible", "small": "with as few clusters as possible"}


def finder(page, load):
    """Ask, search with progress, and show both solutions side by side."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for which, estimator in (("measure", "first_estimator"), ("second", "second_estimator")):
            st.selectbox(
                "First measure" if which == "measure" else "Second measure",
                SHOWABLE,
                key=page.key(which),
                width=170,
                format_func=lambda name: f"{MEASURES[name].symbol} {MEASURES[name].arrow}",
            )
            st.selectbox(
                "by",
                list(ESTIMATORS),
                key=page.key(estimator),
                width=130,
                disabled=MEASURES[page[which]].needs != "entropies",
                help="The estimator of entropies that feeds this measure",
            )
        st.text_input(
            "Class sizes",
            key=page.key("sizes"),
            width=190,
            help=f"Whole numbers with commas, up to {MOST_ITEMS} items in "
            f"{MOST_CLASSES} classes. Empty: the fewest items on which the two disagree at all.",
        )
        st.selectbox("Find a pair", list(WISHES), key=page.key("want"), format_func=WISHES.get, width=250)
        st.number_input("Seed", 0, 999_999, key=page.key("search_seed"), width=110)
    try:
        sizes = class_sizes(page["sizes"])
        judges = (page["measure"], page["first_estimator"]), (page["second"], page["second_estimator"])
        found = work.run(
            "matrix.finder",
            (judges, sizes, page["want"], page["search_seed"]),
            lambda progress: find(*judges, sizes, page["want"], seed=page["search_seed"], progress=progress),
            label="Search",
            what=f"All solutions are tried where they are at most {ALL:,}, otherwise up to {BUDGET:,} of them: seconds.",
        )
    except InputError as error:
        st.error(plain(error))
        return
    if found is not None:
        _show(found, page, load)


def class_sizes(text: str) -> tuple[int, ...] | None:
    """“5, 5, 5” as numbers; None where nothing is given.

    >>> class_sizes("5, 3 2"), class_sizes(" ")
    ((5, 3, 2), None)
    """
    parts = text.replace(";", " ").replace(",", " ").split()
    for part in parts:
        if not (part.isascii() and part.isdigit() and 0 < len(part) < 7 and int(part)):
            raise InputError(f"Class sizes are whole numbers of at least 1 with commas between; “{part[:20]}” is none.")
    return tuple(int(part) for part in parts) or None


def _show(found: Finding, page, load):
    if found.pair is None:
        st.info(plain(found.reason))  # which tells how many were tried
        return
    searched = (
        f"{found.searched:,} solutions scored, {'which is all there are' if found.exhaustive else 'not all there are'}."
    )
    names = [judge.label for judge in found.judges]
    st.markdown(f"**{names[0]} prefers A, {names[1]} prefers B.** {searched}")
    for column, letter, table, position in zip(st.columns(2, gap="large"), "AB", found.pair, (0, 1)):
        with column:
            scores = " · ".join(
                f"{name} {judge.measure.arrow} {number(values[position])}{' (better)' if position == judge_at else ''}"
                for judge_at, (name, judge, values) in enumerate(zip(names, found.judges, found.scores))
            )
            fig, data = mosaic(table, f"{letter}: {scores}", height=240)
            fig.update_layout(title_font_size=15)
            show(fig, data, key=f"matrix.found.{letter}", file=f"disagreement-{letter}")
            with st.container(horizontal=True):
                st.button(
                    f"Open {letter} above",
                    key=f"matrix._open.{letter}",
                    on_click=load,
                    args=(table, f"disagreement {letter}"),
                )
                tray.add_button(
                    table, f"{names[0]} vs {names[1]}: {letter}", "Disagreement finder", f"matrix._found_tray.{letter}"
                )
