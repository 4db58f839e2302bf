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

from evalcore.permutation import _terms, expected_mutual_information


def forty_digits(a, b):
    """The sum over hypergeometric laws, as in Vinh, Epps and Bailey 2010, equation 24a."""
    with mp.workdps(40):
        total, n = mpf(0), sum(a)
        for x in a:
            for y in b:
                ways = mp.binomial(n, y)
                for k in range(max(1, x + y - n), min(x, y) + 1):
                    total += (
                        mp.binomial(x, k)
                        * mp.binomial(n - x, y - k)
                        / ways
                        * mpf(k)
                        / n
                        * mp.log(mpf(k) * n / (mpf(x) * y))
                    )
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
    ours, theirs = (
        abs(mpf(float(x)) - exact) for x in (expected_mutual_information(a, b), scikit(csr_matrix(table), n))
    )
    assert ours / exact < 1e-13
    assert ours < theirs


@pytest.mark.parametrize(
    "a, b, n",
    [
        (400_000, 500_000, 10**6),
        (6 * 10**6, 2 * 10**6, 7 * 10**6),
        (3 * 10**8, 5 * 10**8, 10**9),
        (10**9, 9 * 10**9, 9 * 10**9 + 1000),
    ],
)
def test_large_overlaps_to_the_last_digits(a, b, n):
    """One pair's term, which the walk gives below an expected overlap of 1e8 and the series above, against 40 digits."""
    assert _terms(np.array([float(a)]), np.array([float(b)]), float(n))[0] == pytest.approx(
        float(_walked(a, b, n)), rel=3e-14
    )


def _walked(a, b, n):
    """The hypergeometric mean of k log(k/mu) - k + mu, over n, with 40 digits, 10 standard deviations to both sides."""
    with mp.workdps(40):
        mu, mode = mpf(a) * b / n, (a + 1) * (b + 1) // (n + 2)
        reach = int(10 * mp.sqrt(mu * (n - a) * (n - b) / (mpf(n) * (n - 1)))) + 25
        mass, value = mpf(1), mode * mp.log(mode / mu) - mode + mu
        for step in (1, -1):
            weight, k = mpf(1), mode
            for _ in range(reach):
                weight *= (
                    mpf((a - k) * (b - k)) / ((k + 1) * (n - a - b + k + 1))
                    if step > 0
                    else mpf(k * (n - a - b + k)) / ((a - k + 1) * (b - k + 1))
                )
                k += step
                mass, value = mass + weight, value + weight * (k * mp.log(k / mu) - k + mu)
        return value / mass / n


def test_sizes_of_zero_change_nothing():
    assert expected_mutual_information([3, 0, 2], [0, 4, 1]) == expected_mutual_information([3, 2], [4, 1])


def test_large_and_lopsided():
    # one huge class and cluster: the laws are far from normal
    value = expected_mutual_information([10**6, 1, 1, 5], [10**6 - 3, 10])
    assert value == pytest.approx(
        float(sum(_pair(a, b, 10**6 + 7) for a in (10**6, 1, 1, 5) for b in (10**6 - 3, 10))), rel=1e-10
    )


def _pair(a, b, n):
    """One pair's term with 40 digits, over its whole (short) range."""
    with mp.workdps(40):
        low, high = max(0, a + b - n), min(a, b)
        if high - low > 50:
            low = high - 50
        return sum(
            mp.binomial(a, k)
            * mp.binomial(n - a, b - k)
            / mp.binomial(n, b)
            * mpf(k)
            / n
            * mp.log(mpf(k) * n / (mpf(a) * b))
            for k in range(max(low, 1), high + 1)
        )


@given(st.lists(sizes, min_size=1, max_size=5), st.integers(0, 10**6))
def test_a_batch_equals_its_tables(several, seed):
    """Tables with different totals, padded with empty classes and clusters."""
    rng = np.random.default_rng(seed)
    a = np.zeros((len(several), 5))
    b = np.zeros((len(several), 6))
    for row, given_sizes in enumerate(several):
        a[row, : len(given_sizes)] = given_sizes
        dealt = np.bincount(rng.integers(0, 6, sum(given_sizes)), minlength=6)
        b[row] = dealt
    together = expected_mutual_information(a, b)
    for row in range(len(several)):
        assert together[row] == pytest.approx(expected_mutual_information(a[row], b[row]), rel=1e-13, abs=1e-16)
