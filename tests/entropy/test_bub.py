"""BUB against the procedure written down step by step, and what is known about it."""

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy.special import xlogy
from scipy.stats import binom

from evalcore.entropy import coefficients, entropy, expectation
from evalcore.entropy.bub import _strided_v1, free_coefficients

from .reference import bub_all_free, bub_coefficients, bub_first_free

SUPPORTS = [1, 2, 3, 7, 10, 29, 30, 31, 100, 1000]


@pytest.mark.parametrize(
    ("n", "m", "expected"),
    [
        (10, 5, [0.068573, 0.249403, 0.362034, 0.404641]),
        (50, 10, [0.001679, 0.096649, 0.142724, 0.167306, 0.211258]),
    ],
)
def test_published_coefficients(n, m, expected):
    assert coefficients("BUB", n, m)[: len(expected)] == pytest.approx(expected, abs=5e-7)


def test_published_choice_of_k():
    assert len(free_coefficients(50, 10)) == 4


@pytest.mark.parametrize("n", range(1, 20))
@pytest.mark.parametrize("m", SUPPORTS)
def test_all_free(n, m):
    assert coefficients("BUB", n, m) == pytest.approx(bub_all_free(n, m), rel=1e-9, abs=1e-11)


@pytest.mark.parametrize("n", [20, 21, 25, 31, 50, 79, 80, 81, 137, 250, 299, 300, 301, 500, 1000, 3000])
@pytest.mark.parametrize("m", SUPPORTS)
def test_first_free(n, m):
    k, expected = bub_first_free(n, m)
    assert len(free_coefficients(n, m)) == k
    assert coefficients("BUB", n, m) == pytest.approx(expected, rel=1e-9)


def test_first_free_for_many_random_pairs():
    rng = np.random.default_rng(7)
    for n, m in zip(rng.integers(20, 250, 100), np.exp(rng.uniform(0, 7, 100)), strict=True):
        k, expected = bub_first_free(int(n), int(m))
        assert len(free_coefficients(int(n), int(m))) == k, (n, m)
        assert coefficients("BUB", int(n), int(m)) == pytest.approx(expected, rel=1e-9), (n, m)


@pytest.mark.parametrize(("n", "m"), [(20, 10**6), (100, 10**6), (2000, 10**6)])
def test_huge_support_in_fifty_digits(n, m):
    # here the literal system is too ill-conditioned for doubles, so it is solved in 50 digits
    free = free_coefficients(n, m)
    assert free == pytest.approx(fitted_in_fifty_digits(n, m, len(free)), rel=1e-8)


def fitted_in_fifty_digits(n, m, k):
    with mp.workdps(50):
        x = [mpf(float(v)) for v in np.geomspace(1e-4 / n, min(1, 30 / n) - 1e-10 / n, 200)]
        top = int(np.ceil(min(n, 80 * max(n / m, 1))))
        start = [(-mpf(j) / n * mp.log(mpf(j) / n) if j else 0) + (1 - mpf(j) / n) / (2 * n) for j in range(top + 1)]
        choose = [mp.binomial(n, j) for j in range(top + 1)]
        b = [[choose[j] * v**j * (1 - v) ** (n - j) for j in range(top + 1)] for v in x]
        p = mp.matrix([row[:k] for row in b])
        left = [-v * mp.log(v) - mp.fdot(start[k:], row[k:]) for v, row in zip(x, b, strict=True)]
        a = m**2 * (p.T * p)
        right = m**2 * (p.T * mp.matrix(left))
        for i in range(k - 1):
            for r, c, sign in ((i, i, 1), (i + 1, i + 1, 1), (i, i + 1, -1), (i + 1, i, -1)):
                a[r, c] += sign * n
        a[k - 1, k - 1] += n * (2 if k == 1 else 1)
        right[k - 1] += n * start[k - 1]
        return [float(v) for v in mp.lu_solve(a, right)]


@pytest.mark.parametrize("n", [10**5, 10**7, 10**9])
def test_huge_samples(n):
    a = free_coefficients(n, 100)
    assert np.isfinite(a).all() and 1 <= len(a) <= 11
    counts = [n // 2, n // 4, n - n // 2 - n // 4]
    assert entropy(counts, "BUB", 100) == pytest.approx(1.5 * np.log(2), abs=100 / n)


@pytest.mark.parametrize("n", [10**13, 4 * 10**15])
def test_astronomic_samples(n):
    assert entropy([n // 2, n // 4, n - n // 2 - n // 4], "BUB") == pytest.approx(1.5 * np.log(2), rel=1e-11)


def test_large_sample_against_the_literal_procedure():
    k, expected = bub_first_free(20_000, 40)
    assert len(free_coefficients(20_000, 40)) == k
    assert coefficients("BUB", 20_000, 40) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("n", [301, 1000, 20_000])
def test_worst_variance_sums_with_strides(n):
    x = np.array([151 / n, 0.6, 0.9, 0.99, 0.995])
    j = np.arange(1, n + 1)
    share = np.arange(n + 1) / n
    steps = np.diff(-xlogy(share, share) + (1 - share) / (2 * n))
    expected = [binom.pmf(j, n, v) @ (j / n * steps**2) for v in x]
    assert _strided_v1(n, x) == pytest.approx(expected, rel=1e-8)


def test_wrong_support_moves_it_a_lot():
    # uniform over 10, N = 10; "with the k-loop" is the procedure for N >= 20 used at N = 10
    p = binom.pmf(np.arange(11), 10, 0.1)

    def bias(a, m):
        return 10 * p @ a + (m - 10) * a[0] - np.log(10)

    looped = [bias(bub_first_free(10, m)[1], m) for m in (10, 20, 100, 1000)]
    assert looped == pytest.approx([-0.22, -0.13, 0.36, 1.95], abs=0.006)
    # the procedure for N < 20, which is what BUB means at N = 10
    free = [expectation([0.1] * 10, 10, "BUB", support=m) - np.log(10) for m in (10, 20, 100, 1000)]
    assert free == pytest.approx([bias(bub_coefficients(10, m), m) for m in (10, 20, 100, 1000)], rel=1e-9)
    assert free == pytest.approx([-0.073, 0.177, 0.596, 2.304], abs=6e-4)


def test_it_jumps_where_the_procedure_changes():
    means = expectation([0.1] * 10, [17, 18, 19, 20, 21], "BUB")
    steps = np.diff(means)
    assert steps[2] < 0 and min(abs(steps[2] / steps[[0, 1, 3]])) > 1.5


@pytest.mark.parametrize(("n", "m"), [(10, 10), (10, 10**4), (20, 10**4)])
def test_it_may_exceed_log_m(n, m):
    assert entropy([1] * n, "BUB", support=m) > np.log(m) + 0.4
