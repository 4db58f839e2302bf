"""Exact moments against enumeration, double sums, closed cases, simulation and published figures."""

from itertools import combinations_with_replacement, product
from math import factorial, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaln
from scipy.stats import binom

from evalcore.entropy import ESTIMATORS, coefficients, entropy, expectation, moments
from evalcore.entropy import exact as exact_module
from evalcore.errors import InputError

LINEAR = [name for name, estimator in ESTIMATORS.items() if estimator.kind == "linear"]

DISTRIBUTIONS = [
    [1.0],
    [0.5, 0.5],
    [0.9, 0.1],
    [0.999, 0.001],
    [1 / 3, 1 / 3, 1 / 3],
    [0.6, 0.3, 0.1],
    [0.25, 0.25, 0.25, 0.25],
    [0.7, 0.1, 0.1, 0.1],
    [0.97, 0.01, 0.01, 0.01],
]


def zipf(m, s):
    weights = np.arange(1.0, m + 1) ** -s
    return weights / weights.sum()


def enumerated(p, n, name, support):
    """Mean and variance over every possible sample."""
    chances, estimates = [], []
    for outcomes in combinations_with_replacement(range(len(p)), n):
        counts = np.bincount(outcomes, minlength=len(p))
        ways = factorial(n) // prod(factorial(c) for c in counts.tolist())
        chances.append(ways * prod(x**c for x, c in zip(p, counts.tolist(), strict=True)))
        estimates.append(entropy(counts, name, support))
    chances, estimates = np.array(chances), np.array(estimates)
    mean = chances @ estimates
    return mean, chances @ (estimates - mean) ** 2


@pytest.mark.parametrize("name", LINEAR)
@pytest.mark.parametrize("p", DISTRIBUTIONS)
def test_equals_enumeration(name, p):
    for n, extra in product([1, 2, 3, 5, 8], [0, 2]):
        mean, variance = enumerated(p, n, name, len(p) + extra)
        exact = moments(p, n, name, len(p) + extra)
        assert exact.mean == pytest.approx(mean, abs=1e-12, rel=1e-12)
        assert exact.variance == pytest.approx(variance, abs=1e-14, rel=1e-11)


def double_sum(p, n, name):
    """Variance as a sum over pairs of outcomes and pairs of counts, by the trinomial law."""
    a = coefficients(name, n, len(p))
    j = np.arange(n + 1)
    f = [a - binom.pmf(j, n, x) @ a for x in p]
    variance = sum(binom.pmf(j, n, x) @ (g * g) for x, g in zip(p, f, strict=True))
    first, second = np.meshgrid(j, j, indexing="ij")
    rest = n - first - second
    possible = rest >= 0
    rest = np.where(possible, rest, 0)
    ways = gammaln(n + 1) - gammaln(first + 1) - gammaln(second + 1) - gammaln(rest + 1)
    for i, k in product(range(len(p)), repeat=2):
        if i != k:
            log_chance = ways + first * np.log(p[i]) + second * np.log(p[k]) + rest * np.log(1 - p[i] - p[k])
            variance += f[i] @ np.where(possible, np.exp(log_chance), 0) @ f[k]
    return variance


@pytest.mark.parametrize("name", LINEAR)
@pytest.mark.parametrize("s", [0, 1, 4])
def test_equals_the_trinomial_double_sum(name, s):
    p = zipf(10, s)
    expected = double_sum(p, 100, name)
    assert moments(p, 100, name).variance == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("name", LINEAR)
@pytest.mark.parametrize("n", [20, 1000, 100_000])
@pytest.mark.parametrize("q", [0.5, 0.3, 0.01, 1e-4])
def test_two_outcomes_are_a_binomial(name, n, q):
    # nearly everything cancels in the variance of two equal outcomes, and Grassberger's parity terms do not
    a = coefficients(name, n, 2)
    chance = binom.pmf(np.arange(n + 1), n, q)
    chance /= chance.sum()
    estimates = a + a[::-1]
    mean = chance @ estimates
    exact = moments([q, 1 - q], n, name)
    assert exact.mean == pytest.approx(mean, rel=1e-12)
    assert exact.variance == pytest.approx(chance @ (estimates - mean) ** 2, rel=1e-10)


@pytest.mark.parametrize(
    ("s", "n", "expected"),
    [(0, 10, [-0.533, -0.258, -0.039, -0.073]), (4, 50, [-0.038, -0.021, -0.012, -0.003])],
)
def test_known_biases(s, n, expected):
    biases = [moments(zipf(10, s), n, name).bias for name in ("ML", "MM", "JK", "BUB")]
    assert biases == pytest.approx(expected, abs=6e-4)


N = np.arange(1, 101)


def figure(s):
    """|bias| against N = 1..100 of the four estimators, Figures 1 and 2 of Li, Titov and Sporleder (2014)."""
    p = zipf(10, s)
    truth = moments(p, 1).truth
    return {name: np.abs(expectation(p, N, name) - truth) for name in ("ML", "JK", "BUB")}


def where(mask):
    return N[mask].tolist()


def test_jackknife_beats_ml_everywhere():
    for s in range(5):
        bias = figure(s)
        assert where(bias["JK"] < bias["ML"]) == list(range(2, 101))


@pytest.mark.parametrize(
    ("s", "jackknife_wins"),
    [
        (0, [*range(9, 32), *range(47, 101)]),
        (1, [*range(14, 101)]),
        (2, [*range(20, 101)]),
        (3, [*range(1, 20), *range(23, 38), *range(78, 101)]),
        (4, [*range(1, 20)]),
    ],
)
def test_where_the_jackknife_beats_bub(s, jackknife_wins):
    bias = figure(s)
    assert where(bias["JK"] < bias["BUB"]) == jackknife_wins


def test_bub_is_worse_than_ml_in_small_skewed_samples():
    bias = figure(4)
    assert where(bias["BUB"] > bias["ML"]) == list(range(1, 20))


@pytest.mark.parametrize("name", LINEAR)
def test_simulation_agrees(name):
    rng = np.random.default_rng(5)
    for p, n in ((zipf(6, 1), 12), (zipf(20, 2), 60), ([0.2] * 5, 200)):
        estimates = entropy(rng.multinomial(n, p, size=20_000), name, len(p))
        exact = moments(p, n, name)
        assert abs(estimates.mean() - exact.mean) < 4 * exact.sd / np.sqrt(20_000)
        assert estimates.var() == pytest.approx(exact.variance, rel=0.06)


@pytest.mark.parametrize("name", LINEAR)
def test_large_samples(name):
    # first order: N Var = sum p log^2 p - H^2
    p = zipf(10, 1)
    exact = moments(p, 10**6, name)
    first_order = (p * np.log(p) ** 2).sum() - exact.truth**2
    assert exact.variance * 10**6 == pytest.approx(first_order, rel=1e-3)
    assert abs(exact.bias) < 2e-4


def test_many_outcomes():
    p = zipf(3000, 1)
    a = coefficients("JK", 500)
    mean = sum(binom.pmf(np.arange(501), 500, x) @ a for x in p)
    assert expectation(p, 500, "JK") == pytest.approx(mean, rel=1e-12)
    assert moments(p, 500, "JK").mean == pytest.approx(mean, rel=1e-12)


def test_outcomes_in_several_parts(monkeypatch):
    together = moments(zipf(40, 1), 200, "BUB")
    monkeypatch.setattr(exact_module, "_CHUNK", 500)
    apart = moments(zipf(40, 1), 200, "BUB")
    assert apart.mean == pytest.approx(together.mean, rel=1e-14)
    assert apart.variance == pytest.approx(together.variance, rel=1e-12)


def test_outcomes_of_equal_probability_are_grouped():
    p = np.repeat([0.5, 0.004, 0.003], [1, 50, 100])
    nudged = p * (1 + 1e-13 * np.arange(len(p)))
    for name in ("ML", "BUB"):
        grouped, separate = moments(p, 70, name), moments(nudged / nudged.sum(), 70, name)
        assert grouped.mean == pytest.approx(separate.mean, rel=1e-10)
        assert grouped.variance == pytest.approx(separate.variance, rel=1e-9)


def test_several_sizes():
    sizes = [[1, 7], [20, 3000]]
    together = moments(zipf(4, 1), sizes, "BUB")
    for at in product(range(2), repeat=2):
        alone = moments(zipf(4, 1), sizes[at[0]][at[1]], "BUB")
        assert (together.mean[at], together.variance[at]) == (alone.mean, alone.variance)
        assert isinstance(alone.mean, float) and isinstance(alone.variance, float)
    assert together.rmse == pytest.approx(np.hypot(together.bias, together.sd))
    assert expectation(zipf(4, 1), sizes, "BUB") == pytest.approx(together.mean, rel=1e-15)


@pytest.mark.parametrize("name", LINEAR)
def test_a_certain_outcome(name):
    exact = moments([1.0, 0.0], 30, name)
    assert exact.mean == pytest.approx(entropy([30], name), abs=1e-15)
    assert str(exact.variance) == str(exact.truth) == "0.0"  # and not -0.0
    nearly = moments([1.0, 1e-20], 30, name)
    assert nearly.mean == pytest.approx(entropy([30], name, 2), abs=1e-15)
    assert 0 <= nearly.variance < 1e-18


@given(st.lists(st.floats(1e-6, 1), min_size=1, max_size=6), st.integers(1, 60), st.sampled_from(LINEAR))
def test_order_and_impossible_outcomes_do_not_matter(weights, n, name):
    p = np.array(weights) / sum(weights)
    exact = moments(p, n, name)
    other = moments([0.0, *p[::-1], 0.0], n, name)
    assert other.mean == pytest.approx(exact.mean, rel=1e-12, abs=1e-14)
    assert other.variance == pytest.approx(exact.variance, rel=1e-9, abs=1e-15)
    assert exact.variance >= 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.5, 0.6], 10), "must add up to 1, not to 1.1"),
        (([1.5, -0.5], 10), "not negative; outcome 2 has -0.5"),
        (([0.5, float("nan")], 10), "outcome 2 has nan"),
        (([], 10), "one sequence of numbers"),
        (([[0.5, 0.5]], 10), "one sequence of numbers"),
        ((["a"], 10), "Probabilities must be numbers"),
        (([0.5, 0.5], 0), "sample size must be a whole number of at least 1, not 0"),
        (([0.5, 0.5], [5, 2.5]), "not 2.5"),
        (([0.5, 0.5], 10, "NSB"), "NSB is not a linear estimator; only linear ones have exact moments"),
        (([0.5, 0.5], 10, "BUB", 1), "The support is 1, but 2 outcomes have positive probability"),
        (([0.5, 0.5], 10, "BUB", 2.5), "number of possible outcomes must be a whole number"),
    ],
)
def test_bad_input(arguments, message):
    for function in (moments, expectation):
        with pytest.raises(InputError, match=message):
            function(*arguments)
