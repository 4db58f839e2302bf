"""Matchings of sparse tables against the dense solver, and what is out of reach."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

import evalcore.matching as matching
from evalcore import Contingency, Statistics

tables = arrays(
    np.int64, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=st.sampled_from([0, 0, 0, 1, 2, 3, 50])
).filter(lambda x: x.any())


@given(tables)
def test_sparse_equals_dense(table):
    dense, thin = (Statistics(Contingency.from_matrix(x)) for x in (table, sparse.csr_array(table)))
    assert thin.matched == dense.matched and thin.matched_greedily == dense.matched_greedily
    assert thin.matched_dice == pytest.approx(dense.matched_dice, abs=1e-12)
    assert dense.matched / 2 <= dense.matched_greedily <= dense.matched


@pytest.mark.parametrize("scale", [1e-60, 1e-20, 1e-3, 1e60])
def test_fractions_of_any_size(scale):
    table = np.array([[2.5, 1, 0], [1.2, 3, 2.2], [0, 1, 4.1]]) * scale
    thin = Statistics(Contingency.from_matrix(sparse.csr_array(table)))
    assert thin.matched == pytest.approx(9.6 * scale, rel=1e-14, abs=0)


def test_out_of_reach_is_not_guessed(monkeypatch):
    monkeypatch.setitem(matching.MOST_ENTANGLED, "fractional", 2)
    ring = sparse.csr_array([[2, 1, 0], [0, 2, 1], [1, 0, 2]])
    assert np.isnan(Statistics(Contingency.from_matrix(ring)).matched_dice)
    assert Statistics(Contingency.from_matrix(ring)).matched == 6


def test_large_sparse_star_pieces_are_quick():
    n = 200_000
    table = Contingency.from_labels(np.arange(n) // 4, np.arange(n))
    assert table.is_sparse and Statistics(table).matched == n // 4


def test_greedy_ties_survive_roundoff():
    """0.1 + 0.2 and 0.3 are one count: the first class takes the first cluster either way."""
    for first in (0.3, 0.1 + 0.2):
        table = Contingency.from_matrix([[first, 0.3, 0.0], [0.3, 0.0, 0.0], [0.0, 0.0, 0.1]])
        assert Statistics(table).matched_greedily == pytest.approx(0.4)
