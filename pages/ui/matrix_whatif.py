"""What if one element moved? For a chosen measure, from everywhere to everywhere; and the moves that two measures quarrel about."""

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import MEASURES, Contingency, InputError
from evalcore.whatif import disagreements, moves

from .figures import csv_button, figure, html_text, show
from .frame import SHOWABLE
from .style import number, plain, signed

# from worse to better, the same two hues for all measures; told apart without red and green
DIVERGING = [[0, "#b35806"], [0.5, "rgba(128,128,128,0.08)"], [1, "#1f6fb4"]]


def whatif(table: Contingency, page, estimator: str):
    """The panel: controls, two heatmaps, and the list of disagreements."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox("Measure", SHOWABLE, key=page.key("measure"), width=240, format_func=_title)
        st.selectbox("against", SHOWABLE, key=page.key("second"), width=240, format_func=_title,
                     help="The list on the right shows moves that one of the two calls better and the other worse")
    try:
        found = moves(table, page["measure"], estimator, base=page.base)
    except InputError as error:
        st.info(plain(error))
        return
    gain, target = found.best()
    sources = {f"{table.classes[i]} in {table.clusters[j]}": (int(i), int(j)) for i, j in np.argwhere(~np.isnan(gain))}
    if not sources:
        st.info("There is nothing to move: no cell holds a whole element, or there is only one cluster.")
        return
    if page["source"] not in sources:
        page["source"] = max(sources, key=lambda label: gain[sources[label]])
    left, middle, right = st.columns([1, 1, 1.1], gap="medium")
    with left:
        _best_moves(table, page, gain, target)
    with middle:
        st.selectbox("Move one element of", list(sources), key=page.key("source"))
        _from(table, page, found, sources[page["source"]])
    with right:
        _quarrels(table, page, estimator)


def _title(name):
    return f"{MEASURES[name].symbol} {MEASURES[name].arrow} · {MEASURES[name].title}"


def _heat(fig, table, values, hover, key, data, file):
    most = np.nanmax(np.abs(values)) if np.isfinite(values).any() else 1.0
    fig.add_heatmap(z=values, x=[html_text(c) for c in table.clusters], y=[html_text(c) for c in table.classes], colorscale=DIVERGING,
                    zmin=-most, zmax=most, xgap=2, ygap=2, text=hover, hovertemplate="%{text}<extra></extra>",
                    colorbar=dict(title=dict(text="better →", side="right"), thickness=10, nticks=5))
    fig.update_layout(hovermode="closest")
    fig.update_xaxes(type="category", showgrid=False)
    fig.update_yaxes(type="category", autorange="reversed", showgrid=False)
    show(fig, data, key=key, file=file)


def _best_moves(table, page, gain, target):
    symbol = MEASURES[page["measure"]].symbol
    best = np.unravel_index(np.nanargmax(gain), gain.shape)
    if gain[best] > 0:
        title = f"{symbol} gains most from {html_text(table.classes[best[0]])}: {html_text(table.clusters[best[1]])} → {html_text(table.clusters[target[best]])}"
    else:
        title = f"No single move makes {symbol} better"
    hover = [[f"{html_text(c)} in {html_text(k)}: best to {html_text(table.clusters[target[i, j]])}, {signed(gain[i, j], 4) or '0'}"
              if target[i, j] >= 0 else "nothing to move" for j, k in enumerate(table.clusters)] for i, c in enumerate(table.classes)]
    fig = figure(title, x="from cluster", y="class", height=340)
    fig.update_layout(title_font_size=15)
    data = [(c, k, gain[i, j]) for i, c in enumerate(table.classes) for j, k in enumerate(table.clusters)]
    _heat(fig, table, gain, hover, "matrix.best", _frame(data, ["class", "from", "best gain"]), "best-moves")


def _from(table, page, found, source):
    row, column = source
    change, gain = found.change[row, column], found.gain[row, column]
    fig = figure(f"{MEASURES[page['measure']].symbol} is {number(found.score)}; after the move", x="to cluster", y="change", height=270)
    fig.update_layout(title_font_size=15, hovermode="closest")
    names = [html_text(k) for k in table.clusters]
    fig.add_bar(x=names, y=change, marker_color=["#1f6fb4" if g > 0 else "#b35806" for g in gain],
                hovertemplate="to %{x}: %{y:+.4f}<extra></extra>")
    fig.update_xaxes(type="category")
    fig.add_annotation(text="blue is better", xref="paper", yref="paper", x=1, y=1.02, yanchor="bottom", showarrow=False, font=dict(size=12))
    show(fig, _frame(list(zip(table.clusters, change)), ["to", "change"]), key="matrix.from", file="moves-from-cell")


def _quarrels(table, page, estimator):
    first, second = page["measure"], page["second"]
    if first == second:
        st.info("Choose two different measures to see what they disagree about.")
        return
    found = disagreements(table, (first, estimator), (second, estimator), base=page.base)
    a, b = MEASURES[first], MEASURES[second]
    if found.empty:
        st.markdown(f"**{a.symbol} and {b.symbol} agree about every single move from here.**")
        return
    st.markdown(f"**{a.symbol} and {b.symbol} disagree about {len(found)} moves** · most blatant first")
    shown = found.head(200).assign(move=[f"{r[1]}: {r[2]} → {r[3]}" for r in found.head(200)[["class", "from", "to"]].itertuples()])
    st.dataframe(shown[["move", "first", "second", "better_for"]], hide_index=True, height=270, alt="Moves that the two measures disagree about",
                 column_config={"first": st.column_config.NumberColumn(f"{a.symbol} {a.arrow}", format="%+.4f"),
                                "second": st.column_config.NumberColumn(f"{b.symbol} {b.arrow}", format="%+.4f"),
                                "better_for": "liked by", "move": "class: from → to"})
    csv_button(found, key="matrix.quarrels.data", file="disagreements")


def _frame(rows, columns):
    return pd.DataFrame(rows, columns=columns)
