"""Who is to blame: each cluster's and class's share of VI, homogeneity and completeness."""

import math

import streamlit as st

from evalcore import Contingency, contributions

from .figures import figure, html_text, show
from .style import measure_colour, number

PANELS = (("VI", "H(C|K)", "H(K|C)"), ("h",), ("c",))


def shares(table: Contingency, page):
    """Three bar charts on one axis of clusters (or classes); every column adds up to the table's score."""
    st.segmented_control("Shares of each", ["cluster", "class"], key=page.key("by"), required=True,
                         help="A share of VI is what the group loses; a share of h or c is what it tells. Maximum likelihood. They add up to the score.")
    parts = contributions(table, page["by"])
    parts = parts[parts["size"] > 0]
    names, total = [html_text(x) for x in parts.index], parts.sum()
    unit = math.log(page.base)
    worst = parts["VI"].idxmax()
    columns = st.columns(3, gap="medium")
    data = parts.reset_index().rename(columns={page["by"]: page["by"]})
    for column, measure in zip(columns, ("VI", "h", "c")):
        scale = unit if measure == "VI" else 1.0
        title = {"VI": f"{html_text(worst)} loses most of VI's {number(total['VI'] / unit)}",
                 "h": f"What each {page['by']} adds to h = {number(total['h'])}",
                 "c": f"What each {page['by']} adds to c = {number(total['c'])}"}[measure]
        fig = figure(title, x=page["by"], y=f"share of {measure}" + (f", {page.unit}" if measure == "VI" else ""), height=300, barmode="stack")
        if measure == "VI":
            for part, opacity, words in (("H(C|K)", 1.0, "mixed in"), ("H(K|C)", 0.5, "torn apart")):
                fig.add_bar(x=names, y=parts[part] / scale, name=f"{part}: {words}", marker=dict(color=measure_colour("VI"), opacity=opacity))
            fig.update_layout(showlegend=True, legend=dict(orientation="h", y=1.02, yanchor="bottom", x=0))
        else:
            fig.add_bar(x=names, y=parts[measure], name=measure, marker_color=measure_colour(measure))
        fig.update_xaxes(type="category")
        with column:
            show(fig, data, key=f"matrix.shares.{measure}", file=f"shares-{measure}")
