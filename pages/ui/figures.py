"""Figures: one look, titles that say what is seen, PNG and data to take away."""

import io

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from evalcore import Contingency

from .style import class_colour, number

MARGIN = dict(l=64, r=24, t=56, b=52)


def figure(title: str, x: str = "", y: str = "", height: int = 380, **layout) -> go.Figure:
    """An empty figure in the house style; `title` is a statement, the axes carry names with units."""
    fig = go.Figure()
    fig.update_layout(title=dict(text=title, x=0, xanchor="left", font=dict(size=17)), height=height, margin=MARGIN, hovermode="x unified",
                      showlegend=False, font=dict(size=14), hoverlabel=dict(font=dict(size=13)), **layout)
    fig.update_xaxes(title=x, zeroline=False, title_standoff=8)
    fig.update_yaxes(title=y, zeroline=False, title_standoff=8)
    return fig


def label_line(fig: go.Figure, x, y, text: str, colour: str, **where):
    """A label at the end of a line, in place of a legend."""
    fig.add_annotation(x=x, y=y, text=f"<b>{text}</b>", font=dict(color=colour, size=13), showarrow=False, xanchor="left", xshift=6, **where)


def show(fig: go.Figure, data: pd.DataFrame, *, key: str, file: str, alt: str = "", on_select="ignore", **options):
    """Draw a figure with its two downloads: a camera for PNG in its corner, and the data as CSV below."""
    chosen = st.plotly_chart(
        fig, key=key, on_select=on_select, alt=alt or (fig.layout.title.text or ""),
        config={"displayModeBar": True, "displaylogo": False, "modeBarButtons": [["toImage"]],
                "toImageButtonOptions": {"format": "png", "filename": file, "scale": 3}}, **options)
    csv_button(data, key=f"{key}.csv", file=file)
    return chosen


def csv_button(data: pd.DataFrame, *, key: str, file: str, label: str = "Data (CSV)"):
    st.download_button(label, lambda: csv(data), file_name=f"{file}.csv", mime="text/csv", key=key, type="tertiary", icon=":material/download:",
                       on_click="ignore")


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
    held = [j for j in range(len(sizes)) if sizes[j] > 0]
    gap = 0.012 * float(table.n) if len(held) <= 40 else 0.3 * float(table.n) / len(held) if len(held) <= 150 else 0.0
    starts, at = [], 0.0
    for j in held:
        starts.append(at)
        at += float(sizes[j]) + gap
    fig = figure(title, y="share of the cluster", height=height, barmode="stack", bargap=0)
    fig.update_layout(hovermode="closest")
    clusters = [html_text(table.clusters[j]) for j in held]
    for i, name in enumerate(table.classes):
        if not counts[i].any():
            continue
        share = [float(counts[i, j] / sizes[j]) for j in held]
        fig.add_bar(x=starts, y=share, width=[float(sizes[j]) for j in held], offset=0, name=html_text(name),
                    marker=dict(color=class_colour(i), line=dict(width=0.5 if len(held) <= 60 else 0, color="rgba(255,255,255,.6)")),
                    customdata=[[c, number(float(counts[i, j])), number(float(sizes[j]))] for c, j in zip(clusters, held)],
                    hovertemplate=f"<b>{html_text(name)}</b> in %{{customdata[0]}}: %{{customdata[1]}} of %{{customdata[2]}}<extra></extra>")
    few = len(held) <= 30
    fig.update_xaxes(tickvals=[s + float(sizes[j]) / 2 for s, j in zip(starts, held)] if few else [], ticktext=clusters if few else [],
                     showgrid=False, title="clusters, width = size" if few else f"{len(held)} clusters, width = size")
    fig.update_yaxes(range=[0, 1], tickformat=".0%", showgrid=False, nticks=3)
    return fig, table.to_frame().stack().rename("count").reset_index()
