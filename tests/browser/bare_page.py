"""The least that a Streamlit page with a score and a chart can be: what the Matrix lab's speed is measured against."""

import plotly.graph_objects as go
import streamlit as st

st.set_page_config(page_title="Bare", layout="wide")
count = st.number_input("Count", 0, 1000, 7)
st.text(f"score {count / 3:.3f}")
st.plotly_chart(go.Figure(go.Bar(x=["k1", "k2", "k3"], y=[count, 2, 3])))
