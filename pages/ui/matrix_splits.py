"""Split and merge: what it would do to each measure, and VI's convex additivity as it happens."""

import streamlit as st

from evalcore import MEASURES, Contingency, InputError
from evalcore.additivity import vi_of_split
from evalcore.whatif import merges, splits

from .style import decimals, number, plain, signed


def splits_and_merges(table: Contingency, page, estimator: str, load):
    """Two halves: split the chosen cluster, or merge a pair; `load(table, label)` does it as one undoable step."""
    held = [k for k, size in zip(table.clusters, table.cluster_sizes) if size > 0]
    if page["cluster"] not in held:
        page["cluster"] = max(held, key=lambda k: float(table.cluster_sizes[table.clusters.index(k)]))
    left, right = st.columns(2, gap="large")
    measures = page.measures
    with left:
        st.markdown("**Split a cluster**")
        try:
            _split(table, page, estimator, measures, held, load)
        except InputError as error:
            st.info(plain(error))
    with right:
        st.markdown("**Merge two clusters**")
        try:
            _merge(table, page, estimator, measures, held, load)
        except InputError as error:
            st.info(plain(error))


def _columns(found, measures):
    return {
        m: st.column_config.NumberColumn(
            f"{MEASURES[m].symbol} {MEASURES[m].arrow}", format=f"%+.{decimals(found[m])}f"
        )
        for m in measures
    }


def said(measure: str, change: float, digits: int) -> str:
    """A predicted change in words; what is only too small to be written is not called unchanged."""
    if change != change:
        text = "–"
    elif abs(change) < 1e-12:
        text = "unchanged"
    else:
        text = signed(change, digits) or "almost unchanged"
    return f"{MEASURES[measure].symbol} {text}"


def _split(table, page, estimator, measures, held, load):
    st.selectbox("Cluster", held, key=page.key("cluster"))
    found = splits(table, measures, estimator, page.base, cluster=page["cluster"])
    if found.empty:
        st.info("This cluster holds too little to be split.")
        return
    found["off"] = ["in halves" if x is None else f"{x} goes out" for x in found["off"]]
    st.dataframe(
        found[["off", *measures]],
        hide_index=True,
        alt="Predicted change for each split",
        height=min(36 * len(found) + 38, 260),
        column_config=_columns(found, measures) | {"off": "split"},
    )
    way = st.selectbox("How", found["off"].tolist(), key="matrix._split_way", format_func=str)
    part = found.loc[found["off"] == way, "part"].iloc[0]
    loss = vi_of_split(table, page["cluster"], part, page.base)
    st.markdown(
        f"VI is a sum over clusters, so only {plain(page['cluster'])}'s own share changes: "
        f"**{number(loss.before)}** − {number(loss.own)} + {number(loss.parts[0])} + {number(loss.parts[1])} = **{number(loss.after)}**. "
        f"The parts tell {number(loss.told)} about the classes and tear {number(loss.torn)} apart; together that is "
        f"{number(loss.distance)}, the VI between the clustering before and after: the cluster's mass times the entropy of its parts."
    )
    st.button(
        "Split it",
        key="matrix._split",
        icon=":material/call_split:",
        on_click=lambda: load(table.split(page["cluster"], part), f"split {page['cluster']}"),
    )


def _merge(table, page, estimator, measures, held, load):
    if len(held) < 2:
        st.info("There is only one cluster: nothing to merge.")
        return
    found = merges(table, measures, estimator, page.base)
    lead = measures[0]
    found = found.sort_values(lead, ascending=not MEASURES[lead].higher_is_better, kind="stable", ignore_index=True)
    found["pair"] = [f"{a} + {b}" for a, b in zip(found["first"], found["second"])]
    st.dataframe(
        found[["pair", *measures]].head(200),
        hide_index=True,
        height=260,
        alt="Predicted change for each merge",
        column_config=_columns(found, measures),
    )
    pair = st.selectbox(
        f"Pair (best for {MEASURES[lead].symbol} first)", found["pair"].tolist(), key="matrix._merge_pair"
    )
    row = found[found["pair"] == pair].iloc[0]
    st.markdown("Predicted: " + ", ".join(said(m, row[m], decimals(found[m])) for m in measures))
    st.button(
        "Merge them",
        key="matrix._merge",
        icon=":material/merge:",
        on_click=lambda: load(table.merge([row["first"], row["second"]]), f"merged {pair}"),
    )
