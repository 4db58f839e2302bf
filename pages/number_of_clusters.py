"""Number of clusters: which k each measure likes best, on clusterings of real data."""

import streamlit as st

from pages.ui import clusters_scores, clusters_solution, clusters_source, frame

FIELDS = (*clusters_source.FIELDS, *clusters_scores.FIELDS, *clusters_solution.FIELDS)

# On a narrow screen the scores stand below the picture, so that both keep their room.
NARROW = """<style>@media (max-width: 1200px) {
.st-key-clusters-body > [data-testid=stLayoutWrapper] > [data-testid=stHorizontalBlock] {flex-wrap: wrap}
.st-key-clusters-body [data-testid=stColumn] {min-width: 100%}
}</style>"""

with frame.page("clusters", FIELDS, "How many clusters? Each measure has its favourite") as page:
    st.html(NARROW)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        clusters_source.controls(page)
        clusters_scores.controls(page)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        clusters_scores.view_controls(page)
    with st.container(key="clusters-body"):
        main, side = st.columns([1.75, 1], gap="medium")
    with main:
        swept = clusters_source.swept(page)
        k = clusters_solution.chosen(page, swept) if swept else None
        if swept:
            clusters_scores.picture(page, swept, k)
    if swept:
        with side:
            clusters_solution.view(page, swept, k)
        page.code(lambda: clusters_scores.snippet(page, swept))
