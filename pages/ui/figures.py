"""Figures: one look, titles that say what is seen, PNG and data to take away."""

import html
import io
import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from evalcore import Contingency

from .style import class_colour, number

MARGIN = dict(l=64, r=24, t=56, b=52)


def figure(title: str, x: str = "", y: str = "", height: int = 380, data: Sequence[dict] = (), **layout) -> go.Figure:
    """A figure in the house style; `title` is a statement, the axes carry names with units.

    Traces and layout given here cost a fraction of what `add_trace` and `update_layout` take later: a page that is redrawn at
    every edit gives them at once.
    """
    house = dict(
        title=dict(text=title, x=0, xanchor="left", font=dict(size=17)),
        height=height,
        margin=MARGIN,
        hovermode="x unified",
        showlegend=False,
        font=dict(size=14),
        hoverlabel=dict(font=dict(size=13)),
    )
    for name, text in (("xaxis", x), ("yaxis", y)):
        house[name] = dict(zeroline=False, title=dict(text=text, standoff=8)) | layout.pop(name, {})
    return go.Figure(data=list(data), layout=house | layout)


def label_line(fig: go.Figure, x, y, text: str, colour: str, **where):
    """A label at the end of a line, in place of a legend."""
    fig.add_annotation(
        x=x,
        y=y,
        text=f"<b>{text}</b>",
        font=dict(color=colour, size=13),
        showarrow=False,
        xanchor="left",
        xshift=6,
        **where,
    )


def show(fig: go.Figure, data: pd.DataFrame, *, key: str, file: str, alt: str = "", on_select="ignore", **options):
    """Draw a figure with its two downloads: a camera for PNG in its corner, and the data as CSV below."""
    chosen = st.plotly_chart(
        fig,
        key=key,
        on_select=on_select,
        alt=alt or _spoken(fig.layout.title.text or ""),
        config={
            "displayModeBar": True,
            "displaylogo": False,
            "modeBarButtons": [["toImage"]],
            "toImageButtonOptions": {"format": "png", "filename": file, "scale": 3},
        },
        **options,
    )
    csv_button(data, key=f"{key}.figure-csv", file=file)  # frame.LOOK moves it up beside the axis
    return chosen


def _spoken(text):
    """Plotly's little HTML as plain text."""
    return html.unescape(re.sub("<[^>]*>", " ", text))


def csv_button(data: pd.DataFrame, *, key: str, file: str, label: str = "Data (CSV)"):
    st.download_button(
        label,
        lambda: csv(data),
        file_name=f"{file}.csv",
        mime="text/csv",
        key=key,
        type="tertiary",
        icon=":material/download:",
        on_click="ignore",
    )


def csv(data: pd.DataFrame) -> str:
    """CSV for spreadsheets: text that would start a formula there gets an apostrophe in front."""

    def safe(x):
        return "'" + x if isinstance(x, str) and x[:1] in ("=", "+", "-", "@", "\t", "\r") else x

    safe_data = data.copy()
    for position, kind in enumerate(safe_data.dtypes):
        if not pd.api.types.is_numeric_dtype(kind):
            safe_data.isetitem(position, safe_data.iloc[:, position].map(safe))
    safe_data.columns = [safe(c) for c in safe_data.columns]
    buffer = io.StringIO()
    safe_data.to_csv(buffer, index=False)
    return buffer.getvalue()


def html_text(text) -> str:
    """User text made safe for Plotly, whose labels understand a little HTML."""
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def mosaic(table: Contingency, title: str, height: int = 250) -> tuple[go.Figure, pd.DataFrame]:
    """Clusters side by side, as wide as they are large, filled by class; and the same as data."""
    counts, sizes = table.counts, table.cluster_sizes
    held = np.flatnonzero(sizes > 0)
    widths, total = sizes[held].astype(float), float(table.n)
    gap = 0.012 * total if len(held) <= 40 else 0.3 * total / len(held) if len(held) <= 150 else 0.0
    starts = np.concatenate([[0.0], np.cumsum(widths + gap)[:-1]])
    shares = counts[:, held] / widths
    base = np.cumsum(shares, axis=0) - shares
    digits = 0 if table.is_whole else 3
    classes, clusters = [html_text(c) for c in table.classes], [html_text(table.clusters[j]) for j in held]
    i, j = np.nonzero(shares)
    bars = dict(
        type="bar",
        x=starts[j].tolist(),
        y=shares[i, j].tolist(),
        base=base[i, j].tolist(),
        width=widths[j].tolist(),
        offset=0,
        marker=dict(
            color=[class_colour(at) for at in i],
            line=dict(width=0.5 if len(held) <= 60 else 0, color="rgba(255,255,255,.6)"),
        ),
        # names go in as data: in a template a class called %{y} would be taken for a variable
        customdata=[
            (classes[at], clusters[to], number(float(counts[at, held[to]]), digits), number(widths[to], digits))
            for at, to in zip(i, j)
        ],
        hovertemplate="<b>%{customdata[0]}</b> in %{customdata[1]}: %{customdata[2]} of %{customdata[3]}<extra></extra>",
    )
    low = height < 220  # no room for the name of the y axis, nor for names that stand upright
    few = len(held) <= (20 if low else 30)
    fig = figure(
        title,
        "clusters, width = size" if few else f"{len(held)} clusters, width = size",
        "" if low else "share of the cluster",
        height,
        [bars],
        barmode="overlay",
        bargap=0,
        hovermode="closest",
        margin=MARGIN | (dict(l=52, t=38, b=46) if low else {}),
        xaxis=dict(
            tickvals=(starts + widths / 2).tolist() if few else [], ticktext=clusters if few else [], showgrid=False
        ),
        yaxis=dict(range=[0, 1], tickformat=".0%", showgrid=False, nticks=3),
    )
    rows, columns = counts.shape
    return fig, pd.DataFrame(
        {
            "class": np.repeat(np.array(table.classes, dtype=object), columns),
            "cluster": np.tile(np.array(table.clusters, dtype=object), rows),
            "count": counts.ravel(),
        }
    )
