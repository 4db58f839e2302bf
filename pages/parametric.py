"""Parametric lab: solutions with known mistakes, and what measures ought to make of them."""

import streamlit as st

from pages.ui import frame, parametric_dials, parametric_properties, parametric_solution, parametric_sweep, state

VIEWS = {"Solution": parametric_solution.view, "Sweep": parametric_sweep.view, "Properties": parametric_properties.view}
FIELDS = (state.choice("view", tuple(VIEWS), "Solution"), *parametric_dials.FIELDS, *parametric_sweep.FIELDS,
          *parametric_properties.FIELDS)

with frame.page("parametric", FIELDS, "Turn up one mistake at a time: which measures notice?") as page:
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.segmented_control("View", list(VIEWS), key=page.key("view"), required=True, label_visibility="collapsed")
        beside = st.container(horizontal=True, vertical_alignment="center", gap="medium")
    VIEWS[page["view"]](page, beside)
