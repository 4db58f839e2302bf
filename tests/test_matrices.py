"""Matrices that must not be taken for counts, and counts so large that sums or products of them might break."""

import warnings

import numpy as np
import pytest
from scipy import sparse

import evalcore as ec
from evalcore import Contingency, InputError


@pytest.mark.parametrize(
    "matrix, message",
    [
        (np.ma.masked_array([[1, 2], [3, 4]], mask=[[0, 0], [1, 0]]), "Row 2, column 1: the cell is masked"),
        (np.array([[1, 1j]], dtype=np.complex64), "Row 1, column 1: np.complex64(1+0j) is not a number."),
        (
            np.array([["2020", "2021"]], dtype="datetime64[s]"),
            "Row 1, column 1: np.datetime64('2020-01-01T00:00:00') is not a number.",
        ),
        (np.array([[3]], dtype="timedelta64[s]"), "Row 1, column 1: np.timedelta64(3,'s') is not a number."),
    ],
)
def test_what_numpy_would_take_for_numbers(matrix, message):
    with warnings.catch_warnings(), pytest.raises(InputError) as caught:
        warnings.simplefilter("error")
        Contingency.from_matrix(matrix)
    assert message in str(caught.value)


def test_a_mask_that_hides_nothing():
    assert Contingency.from_matrix(np.ma.masked_array([[1, 2]])).counts.tolist() == [[1, 2]]


@pytest.mark.parametrize("wrap", [np.array, sparse.csr_array, lambda x: x])
def test_sums_of_huge_counts_do_not_overflow(wrap):
    table = Contingency.from_matrix(wrap([[2**62, 2**62], [2**62, 2**62]]))
    assert table.n == 2.0**64 and table.class_sizes.tolist() == [2.0**63] * 2
    merged = Contingency.from_matrix(wrap([[2**61, 2**61], [1, 1]])).add("k3", [2**62, 1]).add("k4", [2**62, 0])
    assert merged.merge(["k1", "k2", "k3", "k4"]).class_sizes.tolist() == [2**61 * 6, 3]


def test_whole_numbers_in_lists_are_exact():
    table = Contingency.from_matrix([[2**60 + 1, 1]])
    assert table.is_whole and table.counts.tolist() == [[2**60 + 1, 1]]
    assert Contingency.from_matrix([[10**30, 1]]).n == 1e30


def test_sparse_unsigned_counts():
    assert (
        Contingency.from_matrix(sparse.csr_array(np.array([[2**63 + 2**12, 1]], dtype=np.uint64))).n == 2.0**63 + 2**12
    )
    assert Contingency.from_matrix(sparse.csr_array(np.array([[200, 100]], dtype=np.uint8))).n == 300


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda: Contingency.from_rows([("a", "x", 1e150)]),
            "In counts: Counts above 0 must lie between 1e-70 and 1e+70",
        ),
        (
            lambda: Contingency.from_matrix([[1, 2]]).move(("c1", "k1"), ("c1", "k2"), 1e150),
            "In mass: Counts above 0 must lie",
        ),
        (lambda: Contingency.from_rows(5), "Rows are a sequence of (class, cluster, count)."),
        (lambda: Contingency.from_rows([5]), "Rows are a sequence of (class, cluster, count)."),
        (lambda: Contingency.from_matrix([[1, 2]], classes=5), "Names are a sequence, not 5."),
        (
            lambda: Contingency.from_matrix([[1, 2]], clusters=[[1], [2]]),
            "Names of clusters must be hashable: unhashable type: 'list'.",
        ),
        (lambda: ec.score([[1, 2], [3]]), "Row 2 has 1 cell, but row 1 has 2."),
        (lambda: ec.score([[[1, 2], [3, 4]], [[1, 2]]]), "Row 2 has 1 cell"),
        (
            lambda: ec.Statistics([[[1, 2], [3, 4]], [[1, 2]]]),
            "A batch is a numeric array of shape (..., classes, clusters)",
        ),
        (
            lambda: ec.score(np.array([[[1, 2], [3, 4]], [[1, np.nan], [3, 4]]])),
            "Table 2 of the batch: Row 1, column 2: the value is not a number (NaN)",
        ),
        (
            lambda: ec.score(np.ma.masked_array(np.ones((2, 1, 2)), mask=[[[0, 0]], [[0, 1]]])),
            "Row 1, column 2: the cell is masked",
        ),
        (
            lambda: ec.score(np.full((2, 2, 2), 1e308)),
            "Counts above 0 must lie between 1e-70 and 1e+70, but they run from 1e+308",
        ),
        (lambda: ec.score(np.full((2, 2, 2), 1e-200)), "but they run from 1e-200 to 1e-200."),
        (lambda: ec.Statistics(np.zeros((2, 2))), "The table is all zeros"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value) and "\n" not in str(caught.value)
