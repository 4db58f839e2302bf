"""NSB against quadrature in 30 digits, where it is hard."""

import numpy as np
import pytest
from scipy.special import entr, psi, softmax

from evalcore.entropy import entropy

from .reference import REFERENCE


@pytest.mark.parametrize(
    ("counts", "m"),
    [
        ([1] * 30, 30),
        ([1] * 30, 10**6),
        ([2, *[1] * 40], 1000),
        ([40], 1000),
        ([10**6], 5),
        ([10**6 - 10, 9, 1], 3),
        ([600_000, 300_000, 99_999, 1], 10**4),
        ([10**5] * 10, 10),
        ([1], 2),
        ([1], 10**9),
        ([7, 5, 1], 10**9),
    ],
)
def test_hard_cases(counts, m):
    assert entropy(counts, "NSB", m) == pytest.approx(float(REFERENCE["NSB"](counts, m)), rel=1e-9)


def test_many_outcomes_make_a_narrow_posterior():
    rng = np.random.default_rng(3)
    p = rng.dirichlet(np.full(2000, 0.7))
    counts = rng.multinomial(20_000, p)
    assert entropy(counts, "NSB", 2000) == pytest.approx(-(p * np.log(p)).sum(), abs=0.02)
    counts = rng.multinomial(2_000_000, p)
    assert entropy(counts, "NSB", 2000) == pytest.approx(-(p * np.log(p)).sum(), abs=0.002)


def test_one_possible_outcome():
    assert entropy([5], "NSB", 1) == 0.0
    assert entropy([[5, 0], [3, 2]], "NSB", [1, 2])[0] == 0.0


def test_one_observation_of_two_outcomes():
    # with a prior flat in entropy nearly nothing is known yet, so the estimate lies well between 0 and log 2
    assert 0.25 < entropy([1], "NSB", 2) < 0.45


def test_average_over_the_prior_is_unbiased():
    """Bayes estimates are right on average over their own prior: checked by drawing from it."""
    rng = np.random.default_rng(11)
    m, n, draws = 6, 15, 3000
    # beta whose prior entropy xi is uniform on (0, log m): inverted on a grid
    log_beta = np.linspace(-14, 14, 4001)
    xi = psi(m * np.exp(log_beta) + 1) - psi(np.exp(log_beta) + 1)
    beta = np.exp(np.interp(rng.uniform(xi[0], xi[-1], draws), xi, log_beta))
    # logs of Gamma(beta) draws, which would underflow: Gamma(beta + 1) times a uniform to the power 1/beta
    beta = np.repeat(beta[:, None], m, axis=1)
    log_gamma = np.log(rng.gamma(beta + 1)) + np.log(rng.uniform(size=beta.shape)) / beta
    p = softmax(log_gamma, axis=1)
    truth = entr(p).sum(axis=1)
    error = entropy(rng.multinomial(n, p), "NSB", m) - truth
    assert abs(error.mean()) < 4 * error.std() / np.sqrt(len(error))
