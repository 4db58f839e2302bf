"""Chao-Shen, Chao-Wang-Jost and shrinkage beyond the common definitions."""

import numpy as np
import pytest

from evalcore.entropy import entropy

from .reference import REFERENCE


@pytest.mark.parametrize(
    "counts",
    [
        [10**5 - 3, 1, 1, 1],
        [10**5 - 5, 2, 2, 1],
        [50_000, 30_000] + [1] * 20_000,
        [3] * 20_000 + [2] * 10_000 + [1] * 20_000,
        [1] * 100_000,
        [1] * 99_998 + [2],
    ],
    ids=["few", "twice", "many", "rare", "singletons", "one pair"],
)
def test_chao_wang_jost_at_a_hundred_thousand(counts):
    with_repeats = float(reference_at_large_n(counts))
    assert entropy(counts, "ChaoWangJost") == pytest.approx(with_repeats, rel=1e-12)


def reference_at_large_n(counts):
    """The printed formula, whose harmonic numbers are looked up instead of summed anew for each outcome."""
    from collections import Counter

    from mpmath import mp, mpf

    n = sum(counts)
    once, twice = counts.count(1), counts.count(2)
    with mp.workdps(80):
        total = mp.fsum(t * mpf(c) / n * (mp.psi(0, n) - mp.psi(0, c)) for c, t in Counter(counts).items())
        a = mpf(2 * twice) / ((n - 1) * once + 2 * twice) if twice else mpf(2) / ((n - 1) * (once - 1) + 2)
        power, series = mpf(1), mpf(0)
        for r in range(1, n):
            power *= 1 - a
            series += power / r
        return total + mpf(once) / n * (-mp.log(a) - series) / power


@pytest.mark.parametrize("n", [2, 5, 100])
def test_chao_shen_when_every_outcome_was_seen_once(n):
    # coverage 1/N in place of 0
    p = 1 / n**2
    assert entropy([1] * n, "ChaoShen") == pytest.approx(-n * p * np.log(p) / (1 - (1 - p) ** n), rel=1e-11)


def test_shrinkage_intensity_stays_between_zero_and_one():
    assert entropy([3, 3, 3], "Shrinkage", 3) == pytest.approx(np.log(3), rel=1e-15)  # equal counts: target = data
    assert entropy([1], "Shrinkage", 8) == pytest.approx(np.log(8), rel=1e-15)  # one observation says nothing
    assert entropy([2, 1], "Shrinkage", 2) == pytest.approx(np.log(2), rel=1e-15)  # intensity above 1, cut off
    assert entropy([10**6, 1], "Shrinkage", 2) == pytest.approx(float(REFERENCE["Shrinkage"]([10**6, 1], 2)), rel=1e-12)


@pytest.mark.parametrize("name", ["ChaoShen", "ChaoWangJost", "Shrinkage"])
def test_more_rows_than_are_handled_at_once(name):
    rng = np.random.default_rng(2)
    counts = rng.multinomial(30, [0.4, 0.3, 0.1, 0.1, 0.05, 0.05], size=10_000)
    batch = entropy(counts, name, 8)
    for row in (0, 4095, 4096, 9999):
        assert batch[row] == pytest.approx(entropy(counts[row], name, 8), rel=1e-14)
