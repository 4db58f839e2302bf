"""The entropies under the measures, by every estimator shown."""

import math

import pandas as pd
import streamlit as st

from evalcore import Contingency, Statistics

COLUMNS = {"H(C)": "C", "H(K)": "K", "H(C,K)": "joint", "H(C|K)": "C_given_K", "H(K|C)": "K_given_C", "I": "mutual"}


def entropies(table: Contingency, page):
    """A row per estimator, in the visitor's unit."""
    estimators = page.estimators if table.is_whole else ["ML"]
    unit = math.log(page.base)
    statistics, rows = Statistics(table), []
    for name in estimators:
        e = statistics.with_estimator(name).entropies
        rows.append({"": name} | {label: float(getattr(e, field)) / unit for label, field in COLUMNS.items()})
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        row_height=30,
        height=36 + 30 * len(rows),
        alt="Entropies by estimator",
        column_config={"": st.column_config.TextColumn(f"in {page.unit}", width=78)}
        | {label: st.column_config.NumberColumn(format="%.3f", width=57) for label in COLUMNS},
    )
