"""E[I] of the permutation model: against enumeration, against 40 digits, and closer to them than scikit-learn."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf
from scipy.sparse import csr_matrix
from sklearn.metrics.cluster import expected_mutual_information as scikit

from evalcore.permutation import expected_mutual_information


def forty_digits(a, b):
    """The sum over hypergeometric laws, as in Vinh, Epps and Bailey 2010, equation 24a."""
    with mp.workdps(40):
        total, n = mpf(0), sum(a)
        for x in a:
            for y in b:
                ways = mp.binomial(n, y)
                for k in range(max(1, x + y - n), min(x, y) + 1):
                    total += mp.binomial(x, k) * mp.binomial(n - x, y - k) / ways * mpf(k) / n * mp.log(mpf(k) * n / (mpf(x) * y))
        return total


sizes = st.lists(st.integers(1, 12), min_size=1, max_size=4)


@given(sizes, st.integers(0, 10**6))
def test_equals_the_definition(a, seed):
    b = np.bincount(np.random.default_rng(seed).integers(0, 4, sum(a)))
    b = b[b > 0].tolist()
    assert expected_mutual_information(a, b) == pytest.approx(float(forty_digits(a, b)), abs=1e-15, rel=1e-13)


def test_equals_the_mean_over_all_arrangements():
    gold, predicted = [0, 0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 1, 0]

    def mutual(x, y):
        n, cells = len(x), {}
        for pair in zip(x, y):
            cells[pair] = cells.get(pair, 0) + 1
        return sum(c / n * math.log(c * n / (x.count(i) * y.count(j))) for (i, j), c in cells.items())

    every = [mutual(gold, list(p)) for p in permutations(predicted)]
    assert expected_mutual_information([3, 2, 2], [3, 4]) == pytest.approx(sum(every) / len(every), rel=1e-13)


@pytest.mark.parametrize("n, k, seed", [(2000, 6, 0), (20_000, 5, 1), (50_000, 4, 2)])
def test_closer_to_forty_digits_than_scikit_learn(n, k, seed):
    rng = np.random.default_rng(seed)
    table = rng.multinomial(n, rng.dirichlet(np.ones(k * k))).reshape(k, k)
    a, b = table.sum(axis=1).tolist(), table.sum(axis=0).tolist()
    exact = forty_digits(a, b)
    ours, theirs = (abs(mpf(float(x)) - exact) for x in (expected_mutual_information(a, b), scikit(csr_matrix(table), n)))
    assert ours / exact < 1e-13
    assert ours < theirs


def test_sizes_of_zero_change_nothing():
    assert expected_mutual_information([3, 0, 2], [0, 4, 1]) == expected_mutual_information([3, 2], [4, 1])


def test_large_and_lopsided():
    # one huge class and cluster: the laws are far from normal
    value = expected_mutual_information([10**6, 1, 1, 5], [10**6 - 3, 10])
    assert value == pytest.approx(float(sum(
        _pair(a, b, 10**6 + 7) for a in (10**6, 1, 1, 5) for b in (10**6 - 3, 10))), rel=1e-10)


def _pair(a, b, n):
    """One pair's term with 40 digits, over its whole (short) range."""
    with mp.workdps(40):
        low, high = max(0, a + b - n), min(a, b)
        if high - low > 50:
            low = high - 50
        return sum(mp.binomial(a, k) * mp.binomial(n - a, b - k) / mp.binomial(n, b) * mpf(k) / n * mp.log(mpf(k) * n / (mpf(a) * b))
                   for k in range(max(low, 1), high + 1))


@given(st.lists(sizes, min_size=1, max_size=5), st.integers(0, 10**6))
def test_a_batch_equals_its_tables(several, seed):
    """Tables with different totals, padded with empty classes and clusters."""
    rng = np.random.default_rng(seed)
    a = np.zeros((len(several), 5))
    b = np.zeros((len(several), 6))
    for row, given_sizes in enumerate(several):
        a[row, :len(given_sizes)] = given_sizes
        dealt = np.bincount(rng.integers(0, 6, sum(given_sizes)), minlength=6)
        b[row] = dealt
    together = expected_mutual_information(a, b)
    for row in range(len(several)):
        assert together[row] == pytest.approx(expected_mutual_information(a[row], b[row]), rel=1e-13, abs=1e-16)
