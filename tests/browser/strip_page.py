"""Strips in trouble: many reference solutions, long names, values that lie close together or outside the bounds."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import streamlit as st

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from pages.ui.strip import strips  # noqa: E402

st.set_page_config(layout="wide", page_title="Strips")
rng = np.random.default_rng(int(st.query_params.get("seed", 1)))
measures = ["V", "VI", "NVI", "ARI", "Mirkin", "NMI_geometric", "one_to_one_greedy"]
NAMES = ["one cluster", "singletons", "no knowledge", "perfect", "my best solution so far, with a long name",
         "<b>bold</b> & more", "x", "another one"]  # fmt: skip
references = {name: pd.Series(rng.beta(0.6, 0.6, len(measures)) * 1.6 - 0.3, measures) for name in NAMES}
references["twin of x"] = references["x"] + 1e-6
now = pd.Series(rng.random(len(measures)), measures)
st.title("Strips")
left, right = st.columns([1, 1.5])
with left:
    strips(now, references, key="narrow", label="Narrow", before=now + 0.1, pinned=now - 0.2)
with right:
    strips(now, references, key="wide", label="Wide", before=now + 0.1, families=True, compact=True)
