"""Sampling lab: what small samples do to entropies, to measures and to rankings."""

import streamlit as st

from pages.ui import (
    frame,
    sampling_controls,
    sampling_entropy,
    sampling_maps,
    sampling_measures,
    sampling_misranking,
    state,
)

MODES = ("Entropy", "Measures", "Misranking")
PARTS = {"Entropy": sampling_entropy, "Measures": sampling_measures, "Misranking": sampling_misranking}
FIELDS = (
    state.choice("mode", MODES, "Entropy"),
    *sampling_controls.FIELDS,
    *sampling_entropy.FIELDS,
    *sampling_maps.FIELDS,
    *sampling_measures.FIELDS,
    *sampling_misranking.FIELDS,
)

# On a narrow screen what stands side by side is stacked, so that titles keep their room, and no estimator hides.
NARROW = """<style>
.st-key-sampling-_estimators [role=toolbar] {flex-wrap: wrap}
@media (max-width: 1200px) {
.st-key-sampling-body > [data-testid=stLayoutWrapper] > [data-testid=stHorizontalBlock] {flex-wrap: wrap}
.st-key-sampling-body [data-testid=stColumn] {min-width: 100%}
}</style>"""

with frame.page("sampling", FIELDS, "Small samples lie: about entropy, measures and rankings") as page:
    part = PARTS[page["mode"]]
    page.code(lambda: part.code(page))
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        st.segmented_control("Look at", MODES, key=page.key("mode"), required=True, width="content")
        sampling_controls.presets(page, part.PRESETS)
        part.inputs(page)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        page.estimator_pills()
        sampling_controls.simulation(page, part.LIMITS)
    st.html(NARROW)
    with st.container(key="sampling-body"):
        main, side = st.columns([1.45, 1], gap="medium")
    part.body(page, main, side)
