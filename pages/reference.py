"""Reference: every measure and estimator, and what each says of the extreme solutions."""

import streamlit as st

from evalcore import ESTIMATORS, MEASURES, InputError
from pages.ui import frame, state
from pages.ui.entries import entries
from pages.ui.figures import csv_button
from pages.ui.matrix_finder import class_sizes
from pages.ui.reference_cases import SCORED, SIZES, case_scores, checked_sizes
from pages.ui.reference_entry import VIEWS, estimator_entry, measure_entry, snippet
from pages.ui.reference_index import KINDS, searched, sections
from pages.ui.style import plain

FIELDS = (
    state.choice("entry", (*MEASURES, *ESTIMATORS), "V"),
    state.text("find", "", 80),
    state.choice("kind", tuple(KINDS), "all"),
    state.text("sizes", ", ".join(map(str, SIZES)), 300),
    state.choice("by", tuple(ESTIMATORS), "ML"),
    state.choice("figure", tuple(VIEWS), "bias"),
)

with frame.page("reference", FIELDS, f"{len(SCORED)} measures judge the same six solutions") as page:
    with st.container(horizontal=True, vertical_alignment="bottom", key="reference-controls"):
        st.text_input(
            "Search",
            key=page.key("find"),
            width=200,
            placeholder="name, author, …",
            icon=":material/search:",
            on_change=searched,
            args=(page,),
        )
        st.segmented_control("Show", list(KINDS), key=page.key("kind"), format_func=KINDS.get, required=True)
        st.text_input(
            "Class sizes",
            key=page.key("sizes"),
            width=300,
            help="Of the items that the extreme cases are made of: whole numbers with commas. "
            "Ten classes of ten, as at the start, are those of Reichart and Rappoport's solution R.",
        )
        st.selectbox(
            "Entropies by",
            list(ESTIMATORS),
            key=page.key("by"),
            width=140,
            help="The estimator that feeds the information measures",
        )
    try:
        sizes = checked_sizes(class_sizes(page["sizes"]))
    except InputError as error:
        st.error(f"{plain(error)} Ten classes of ten are shown instead.")
        sizes = SIZES
    scores = case_scores(sizes, page["by"], page.base)
    page.code(lambda: snippet(page["entry"], sizes, page["by"], page.base))
    left, right = st.columns([1.22, 1], gap="medium")
    with left, st.container(key="reference-index"):
        entries(
            sections(page["find"], page["kind"], sizes, scores),
            key="reference.entries",
            chosen=page["entry"],
            choose=lambda name: page.__setitem__("entry", name),
            empty="Nothing fits this search. Try a family, an author or a word such as “chance” or “pairs”.",
        )
        csv_button(
            scores.rename_axis("measure").reset_index(),
            key="reference.data",
            file="extreme-solutions",
            label="Scores (CSV)",
        )
    with right, st.container(key="reference-entry"):
        if page["entry"] in MEASURES:
            measure_entry(page["entry"], scores, page)
        else:
            estimator_entry(page["entry"], sizes, page)
