"""Number of clusters: the clustering of one k, its scores among the extremes, and where to take it."""

import streamlit as st

from evalcore import Contingency, score

from . import frame, state, tray
from .clusters_source import SOURCES, Swept
from .frame import Page
from .grid import MOST, MOST_CLUSTERS
from .solutions import extreme_scores
from .strip import strips

FIELDS = (state.integer("k", 0, 0, 10_000),)  # 0: as many as there are classes


def chosen(page: Page, swept: Swept) -> int:
    """The k looked at: of those tried, the nearest to the one asked for."""
    wish = page["k"] or swept.classes
    return min(swept.ks, key=lambda k: (abs(k - wish), k))


def table_of(swept: Swept, k: int) -> Contingency:
    """Classes against the clusters of this k, called k1, k2, ..."""
    table = Contingency.from_labels(swept.gold, swept.solutions[k])
    return Contingency.from_matrix(table.counts, table.classes)


def view(page: Page, swept: Swept, k: int):
    """Choose a k; see its strips; take it elsewhere."""
    st.session_state["clusters._k"] = k

    def take():
        page["k"] = st.session_state["clusters._k"]

    st.select_slider("Look closer at k", swept.ks, key="clusters._k", on_change=take, format_func=lambda at: f"{at:,}")
    table = table_of(swept, k)
    measures, estimator = page.measures, page["by"]
    strips(
        score(table, measures, estimator, base=page.base),
        extreme_scores(table, measures, estimator, base=page.base),
        key="clusters.strips",
        label=f"Scores of {k} clusters",
        now_label=f"k = {k}",
        compact=len(measures) > 8,
        file=f"clusters-{k}",
    )
    with st.container(horizontal=True, gap="small"):
        name = swept.name if page["data"] in ("texts", "table") else SOURCES[page["data"]].split(" (")[0]
        wish = f"{name[:40]}, {page['algorithm']}, k = {k}"
        # a key for each solution, or the name proposed would stay that of the first
        key = f"clusters.tray.{page['data']}.{page['algorithm']}.{k}"
        tray.add_button(table, wish, "Number of clusters", key)
        fits = table.shape[0] <= MOST and table.shape[1] <= MOST_CLUSTERS
        if st.button(
            "Open in Matrix lab",
            icon=":material/grid_on:",
            key="clusters._open",
            disabled=not fits,
            help=None if fits else f"The grid shows at most {MOST} classes and {MOST_CLUSTERS} clusters.",
        ):
            frame.open_in("matrix", table=table)
    found = table.shape[1]
    fewer = f" (of {k} asked for: some items are the same)" if found < k else ""
    st.caption(
        f"All {swept.n:,} items in {found} cluster{'' if found == 1 else 's'}{fewer}; "
        f"entropies by {estimator}. Better is to the right. The sidebar's settings say which measures are listed."
    )
