"""Words: nouns clustered by the verbs they go with, by the papers' own algorithms; the measures watch."""

import streamlit as st

from pages.ui import (
    frame,
    state,
    words_experiment,
    words_held_out,
    words_mdl,
    words_scores,
    words_soft,
    words_source,
)

PARTS = {
    "Soft": words_soft,
    "Held out": words_held_out,
    "MDL tree": words_mdl,
    "Experiment 1": words_experiment,
}
FIELDS = (
    state.choice("mode", tuple(PARTS), "Soft"),
    *words_source.FIELDS,
    *words_scores.FIELDS,
    *words_soft.FIELDS,
    *words_held_out.FIELDS,
    *words_mdl.FIELDS,
    *words_experiment.FIELDS,
)
HELP = (
    "Soft and Held out: Pereira, Tishby and Lee 1993. MDL tree and Experiment 1: Li and Abe 1996. "
    "Both group nouns by the verbs that they go with."
)

# On a narrow screen the two figures stand one above the other, so that both keep their room.
NARROW = """<style>@media (max-width: 1200px) {
.st-key-words-body [data-testid=stHorizontalBlock]:has(> [data-testid=stColumn]) {flex-wrap: wrap}
.st-key-words-body [data-testid=stColumn] {min-width: 100%}
}</style>"""

with frame.page("words", FIELDS, "Words that keep the same company: clusters, and what measures say") as page:
    part = PARTS[page["mode"]]
    page.code(lambda: part.code(page))
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        st.segmented_control("Look at", list(PARTS), key=page.key("mode"), required=True, width="content", help=HELP)
        words_source.controls(page, made_only=part is words_experiment)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        part.controls(page)
    st.html(NARROW)
    with st.container(key="words-body"):
        part.body(page)
