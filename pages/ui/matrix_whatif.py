"""What if one element moved? For a chosen measure, from everywhere to everywhere; and the moves that two measures quarrel about."""

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import MEASURES, Contingency, InputError
from evalcore.whatif import disagreements, moves

from .figures import csv_button, figure, html_text, show
from .frame import SHOWABLE
from .style import decimals, number, plain, signed

# from worse to better, the same two hues for all measures; told apart without red and green
WORSE, BETTER = "#b35806", "#1f6fb4"
DIVERGING = [[0, WORSE], [0.5, "rgba(128,128,128,0.08)"], [1, BETTER]]
ALONE = "(a new one)"


def whatif(table: Contingency, page, estimator: str):
    """The panel: controls, a heatmap, one cell's moves, and the list of disagreements."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for label, name in (("Measure", "measure"), ("against", "second")):
            st.selectbox(label, SHOWABLE, key=page.key(name), width=340, format_func=_title)
    held = [k for k, size in zip(table.clusters, table.cluster_sizes) if size > 0]
    table, source = with_new_cluster(table), None
    try:
        try:
            found = moves(table, page["measure"], estimator, base=page.base)
        except InputError:  # too many at once: those from one cluster
            if page["cluster"] not in held:
                page["cluster"] = held[0]
            source = st.selectbox(
                "This table has too many moves to try them all. Move from", held, key=page.key("cluster"), width=380
            )
            found = moves(table, page["measure"], estimator, base=page.base, source=source)
    except InputError as error:
        st.info(plain(error))
        return
    gain, target = found.best()
    sources = {f"{i + 1},{j + 1}": (int(i), int(j)) for i, j in np.argwhere(~np.isnan(gain))}
    if not sources:
        st.info("There is nothing to move: no cell holds a whole element, or this measure has no score here.")
        return
    if page["source"] not in sources:
        page["source"] = max(sources, key=lambda place: gain[sources[place]])
    left, middle, right = st.columns([1, 1, 1.1], gap="medium")
    with left:
        _best_moves(table, page, gain, target, source)
    with middle:
        st.selectbox(
            "Move one element of",
            list(sources),
            key=page.key("source"),
            format_func=lambda place: f"{table.classes[sources[place][0]]} in {table.clusters[sources[place][1]]}",
        )
        _from(table, page, found, sources[page["source"]])
    with right:
        _quarrels(table, page, estimator, source)


def with_new_cluster(table: Contingency) -> Contingency:
    """The table with an empty cluster at its end, if it has none: to be put alone is a move too, and one that measures quarrel about."""
    return table if not table.cluster_sizes.all() or ALONE in table.clusters else table.add(ALONE)


def _title(name):
    return f"{MEASURES[name].symbol} {MEASURES[name].arrow} · {MEASURES[name].title}"


def _best_moves(table, page, gain, target, source):
    symbol = MEASURES[page["measure"]].symbol
    classes, clusters = [html_text(c) for c in table.classes], [html_text(k) for k in table.clusters]
    row, column = np.unravel_index(np.nanargmax(gain), gain.shape)
    if gain[row, column] > 0:
        title = f"{symbol} gains most from {classes[row]}: {clusters[column]} → {clusters[target[row, column]]}"
    else:
        title = f"No single move makes {symbol} better"
    title += f", of moves from {html_text(source)}" if source is not None else ""
    digits = decimals(gain.ravel())
    hover = [
        [
            f"{c} in {k}: best to {clusters[target[i, j]]}, {signed(gain[i, j], digits) or '0'}"
            if target[i, j] >= 0
            else "nothing to move"
            for j, k in enumerate(clusters)
        ]
        for i, c in enumerate(classes)
    ]
    most = float(np.nanmax(np.abs(gain))) or 1.0
    heat = dict(
        type="heatmap",
        z=gain,
        x=clusters,
        y=classes,
        colorscale=DIVERGING,
        zmin=-most,
        zmax=most,
        xgap=2,
        ygap=2,
        text=hover,
        hovertemplate="%{text}<extra></extra>",
        colorbar=dict(title=dict(text="better →", side="right"), thickness=10, nticks=5, exponentformat="none"),
    )
    fig = figure(
        title,
        "from cluster",
        "class",
        340,
        [heat],
        hovermode="closest",
        title_font_size=15,
        xaxis=dict(type="category", showgrid=False),
        yaxis=dict(type="category", autorange="reversed", showgrid=False),
    )
    data = [(c, k, gain[i, j]) for i, c in enumerate(table.classes) for j, k in enumerate(table.clusters)]
    show(fig, pd.DataFrame(data, columns=["class", "from", "best gain"]), key="matrix.best", file="best-moves")


def _from(table, page, found, source):
    change, gain = found.change[source], found.gain[source]
    bars = dict(
        type="bar",
        x=[html_text(k) for k in table.clusters],
        y=change,
        marker=dict(color=[BETTER if g > 0 else WORSE for g in gain]),
        hovertemplate=f"to %{{x}}: %{{y:+.{decimals(change)}f}}<extra></extra>",
    )
    note = dict(
        text="blue is better",
        xref="paper",
        yref="paper",
        x=1,
        y=1.02,
        yanchor="bottom",
        showarrow=False,
        font=dict(size=12),
    )
    fig = figure(
        f"{MEASURES[page['measure']].symbol} is {number(found.score)}; after the move",
        "to cluster",
        "change",
        270,
        [bars],
        hovermode="closest",
        title_font_size=15,
        annotations=[note],
        xaxis=dict(type="category"),
        yaxis=dict(exponentformat="none"),
    )
    show(fig, pd.DataFrame({"to": table.clusters, "change": change}), key="matrix.from", file="moves-from-cell")


def _quarrels(table, page, estimator, source):
    first, second = page["measure"], page["second"]
    if first == second:
        st.info("Choose two different measures to see what they disagree about.")
        return
    try:
        found = disagreements(table, (first, estimator), (second, estimator), base=page.base, source=source)
    except InputError as error:
        st.info(plain(error))
        return
    a, b = MEASURES[first], MEASURES[second]
    if found.empty:
        st.markdown(f"**{a.symbol} and {b.symbol} agree about every single move from here.**")
        return
    st.markdown(
        f"**{a.symbol} and {b.symbol} disagree about {len(found)} {'move' if len(found) == 1 else 'moves'}** · most blatant first"
    )
    shown = found.head(200)
    shown = shown.assign(move=[f"{c}: {k} → {to}" for c, k, to in zip(shown["class"], shown["from"], shown["to"])])
    st.dataframe(
        shown[["move", "first", "second", "better_for"]],
        hide_index=True,
        height=270,
        alt="Moves that the two measures disagree about",
        column_config={
            "first": st.column_config.NumberColumn(f"{a.symbol} {a.arrow}", format=f"%+.{decimals(found['first'])}f"),
            "second": st.column_config.NumberColumn(f"{b.symbol} {b.arrow}", format=f"%+.{decimals(found['second'])}f"),
            "better_for": "liked by",
            "move": "class: from → to",
        },
    )
    csv_button(found, key="matrix.quarrels.data", file="disagreements")
