"""Parametric lab: solutions with known mistakes, and what measures ought to make of them."""

import streamlit as st

from pages.ui import (
    frame,
    parametric_dials,
    parametric_properties,
    parametric_solution,
    parametric_sweep,
    state,
)

VIEWS = {
    "Solution": parametric_solution.view,
    "Sweep": parametric_sweep.view,
    "Properties": parametric_properties.view,
}
FIELDS = (
    state.choice("view", tuple(VIEWS), "Solution"),
    *parametric_dials.FIELDS,
    *parametric_sweep.FIELDS,
    *parametric_properties.FIELDS,
)

# side by side where there is room for both, one below the other where there is not
WIDTHS = """<style>
div:has(> .st-key-parametric-picture) {flex: 1 1 23rem; min-width: min(23rem, 100%)}
div:has(> .st-key-parametric-scores) {flex: 1.2 1 29rem; min-width: min(29rem, 100%)}
</style>"""

with frame.page("parametric", FIELDS, "Turn up one mistake at a time: which measures notice?") as page:
    st.html(WIDTHS)
    beside = st.container(horizontal=True, vertical_alignment="center", gap="medium")
    beside.segmented_control("View", list(VIEWS), key=page.key("view"), required=True, label_visibility="collapsed")
    VIEWS[page["view"]](page, beside)
