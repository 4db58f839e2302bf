"""Systems: how measures and estimators rank real systems, how sure that is, and where they differ."""

import streamlit as st

from evalcore import ESTIMATORS
from evalcore.comparison import BASELINES
from pages.ui import frame, state
from pages.ui.style import DEFAULT_ESTIMATORS
from pages.ui.systems_agreement import agreement_view
from pages.ui.systems_doubt import REPLICATES, doubt_view
from pages.ui.systems_export import export_menu, snippet
from pages.ui.systems_ranks import clusters_view, ranks_view
from pages.ui.systems_rules import AVERAGES, MISSING
from pages.ui.systems_source import SOURCES, controls
from pages.ui.systems_words import words_view

VIEWS = {
    "Ranks": ranks_view,
    "Agreement": agreement_view,
    "Clusters": clusters_view,
    "Doubt": doubt_view,
    "Words": words_view,
}

FIELDS = (
    state.choice("source", tuple(SOURCES), "semeval"),
    state.choice("view", tuple(VIEWS), "Ranks"),
    state.choices("m", frame.SHOWABLE, ("V",)),
    state.choices("e", tuple(ESTIMATORS), DEFAULT_ESTIMATORS),
    state.choices("recall", ("80:20", "60:40"), ()),
    state.choice("average", tuple(AVERAGES), "instances"),
    state.choice("missing", tuple(MISSING), "cluster"),
    state.flag("soft"),
    state.flag("ignore"),
    state.text("gold"),
    state.choices("baselines", tuple(BASELINES), ()),
    state.integer("k", 4, 1, 1000),
    state.integer("seed", 0, 0, 10**6),
    state.text("follow"),
    state.text("x"),
    state.text("y"),
    state.text("a"),
    state.text("b"),
    state.text("word"),
    state.text("by"),
    state.choice("statistic", ("tau", "rho"), "tau"),
    state.choice("draw", ("words", "instances"), "words"),
    state.choice("replicates", REPLICATES, 1000),
    state.integer("again", 0, 0, 10**6),
)

# On a narrow screen what stands side by side is stacked, so that names and figures keep their room.
NARROW = """<style>@media (max-width: 1200px) {
.st-key-systems-view [data-testid=stHorizontalBlock] {flex-wrap: wrap}
.st-key-systems-view [data-testid=stColumn] {min-width: 100%}
}</style>"""

with frame.page("systems", FIELDS, "Who wins depends on the measure, and on the estimator") as page:
    source = controls(page)
    if source.board is not None:
        with st.container(horizontal=True, vertical_alignment="center", key="systems-views"):
            st.segmented_control("View", list(VIEWS), key=page.key("view"), required=True, label_visibility="collapsed")
            export_menu(page, source)
        page.code(lambda: snippet(page, source))
        st.html(NARROW)
        with st.container(key="systems-view"):
            VIEWS[page["view"]](page, source)
