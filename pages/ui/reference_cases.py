"""What the reference page computes: scores of the extreme solutions, and estimators' exact bias."""

import pandas as pd
import streamlit as st

from evalcore import ESTIMATORS, MEASURES, InputError, entropy, score
from evalcore.entropy.enumerated import small_sample_bias
from evalcore.extremes import extreme_solutions

MOST_ITEMS, MOST_CLASSES = 1000, 40
SIZES = (10,) * 10
SCORED = [name for name, m in MEASURES.items() if m.needs != "split"]

# The distribution for the exact bias of estimators: skewed, and small enough to list all samples.
TRUTH, TRUTH_WORDS = (0.5, 0.25, 0.125, 0.125), "½, ¼, ⅛, ⅛"
SAMPLE_SIZES = (*range(2, 13), 14, 16, 18, 19, 20, 22, 25, 30, 35, 40)
SHOWN_SIZES = (5, 10, 20)


def checked_sizes(sizes: tuple[int, ...] | None) -> tuple[int, ...]:
    """The class sizes, if the page can compute everything for them at once."""
    if sizes is None:
        raise InputError("Give at least one class size.")
    if len(sizes) > MOST_CLASSES or sum(sizes) > MOST_ITEMS:
        raise InputError(
            f"Here up to {MOST_ITEMS:,} items in {MOST_CLASSES} classes are taken, not {sum(sizes):,} in {len(sizes)}."
        )
    return sizes


@st.cache_data(max_entries=128, show_spinner=False)
def case_scores(sizes: tuple[int, ...], estimator: str, base: float) -> pd.DataFrame:
    """Scores (measures, cases); NaN where an estimator needs whole counts and the case has fractions."""
    found = {}
    for name, table in extreme_solutions(sizes).items():
        try:
            found[name] = score(table, SCORED, estimator, base=base)
        except InputError:
            found[name] = score(table, [m for m in SCORED if MEASURES[m].needs != "entropies"], base=base)
    return pd.DataFrame(found, index=SCORED)


@st.cache_data(max_entries=128, show_spinner=False)
def estimates(sizes: tuple[int, ...]) -> dict[str, float]:
    """H(C) of these class sizes by every estimator, in nats."""
    return {name: entropy(sizes, name) for name in ESTIMATORS}


@st.cache_data(max_entries=64, show_spinner=False)
def bias(estimator: str, sample_sizes: tuple[int, ...]) -> list[float]:
    """The exact bias of an estimator for TRUTH, in nats."""
    return [small_sample_bias(TRUTH, n, estimator) for n in sample_sizes]
