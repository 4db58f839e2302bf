"""A page with nothing but the grid: it keeps the table and the history, and shows what arrives as JSON.

Query parameters: size (rows and columns), fractions, colours, slow (milliseconds that a run takes to begin).
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
import streamlit as st

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from pages.ui.grid import grid_event, matrix_grid  # noqa: E402

PALETTE = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999"]
ask = st.query_params


class Lab:
    """The table, and where it came from."""

    def __init__(self) -> None:
        size = int(ask.get("size", 3))
        counts = np.array([[3, 1, 1], [1, 3, 1], [1, 1, 3]], dtype=float)
        if size != 3:
            counts = np.random.default_rng(1).poisson(2, (size, size)) + 20.0 * np.eye(size)
        if "fractions" in ask:
            counts = counts / 3
        self.table = counts, [f"c{i + 1}" for i in range(size)], [f"k{i + 1}" for i in range(size)]
        self.past, self.future, self.version, self.log = [], [], 0, []

    def change(self, table) -> None:
        self.past.append(self.table)
        self.table, self.future = table, []

    def travel(self, source, target) -> None:
        if source:
            target.append(self.table)
            self.table = source.pop()
        self.version += 1


lab = st.session_state.setdefault("lab", Lab())
st.set_page_config(layout="wide", page_title="Grid")
time.sleep(int(ask.get("slow", 0)) / 1000)
integer = "fractions" not in ask

if event := grid_event("grid", version=lab.version, integer=integer):
    lab.log.append([event.action, event.detail])
    if event.action == "undo":
        lab.travel(lab.past, lab.future)
    elif event.action == "redo":
        lab.travel(lab.future, lab.past)
    else:
        lab.change((event.counts, event.classes, event.clusters))

if st.button("Preset"):
    lab.change((np.array([[5.0, 0.0], [0.0, 5.0]]), ["c1", "c2"], ["k1", "k2"]))
    lab.version += 1

left, right = st.columns([3, 2])
counts, classes, clusters = lab.table
with left:
    colours = [PALETTE[i % len(PALETTE)] for i in range(len(classes))] if "colours" in ask else None
    matrix_grid(counts, classes, clusters, key="grid", version=lab.version, colours=colours, integer=integer)
with right:
    said = {
        "counts": counts.tolist(),
        "classes": classes,
        "clusters": clusters,
        "log": lab.log,
        "undo": len(lab.past),
    }
    with st.container(key="said"):
        st.text(json.dumps(said))
