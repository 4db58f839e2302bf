"""Estimators that are not sums of a[n_i]: coverage-based and shrinkage ones, in nats.

Each takes whole counts as a (rows, outcomes) array, with the rows' sample sizes `n` and numbers `m` of
possible outcomes, and gives one estimate per row.
"""

import numpy as np
from scipy.special import entr

from .linear import zhang

# Step and reach of the trapezoid rule in _unseen; the step's error is below exp(-pi^2 / step) = 1e-19
_STEP = 0.225
_REACH = 42.0


def chao_shen(counts, n, m):
    """Horvitz-Thompson sum over coverage-adjusted frequencies (Chao and Shen 2003).

    The coverage is C = 1 - f1/N, with f1 the number of outcomes seen once. When every outcome was seen once C
    would be 0, and the usual convention takes f1 = N - 1 instead, so that C = 1/N.
    """
    n = n[:, None]
    singletons = np.minimum((counts == 1).sum(axis=1, keepdims=True), n - 1)
    p = counts * ((n - singletons) / n**2)
    with np.errstate(divide="ignore"):  # p = 1 when one outcome has everything: log1p(-1) = -inf is meant
        inclusion = -np.expm1(n * np.log1p(-p))
    return np.divide(entr(p), inclusion, out=np.zeros_like(p), where=counts > 0).sum(axis=1)


def chao_wang_jost(counts, n, m):
    """Zhang's estimator plus an estimate of what its cut-off series leaves out (Chao, Wang and Jost 2013).

    With A = 2 f2 / ((N-1) f1 + 2 f2), or 2 / ((N-1)(f1-1) + 2) when no outcome was seen twice, the correction
    f1/N (1-A)^(1-N) (-log A - sum_{r<N} (1-A)^r / r) is rewritten as f1/N sum_{s>=0} (1-A)^(s+1) / (N+s).
    """
    once = (counts == 1).sum(axis=1)
    twice = (counts == 2).sum(axis=1)
    numerator = np.where(twice > 0, 2 * twice, 2)
    rest = np.where(twice > 0, (n - 1) * once, (n - 1) * np.maximum(once - 1, 0))
    estimate = zhang(counts, n[:, None]).sum(axis=1)
    correct = (once > 0) & (rest > 0)  # otherwise A = 1 and nothing was left out
    total = numerator[correct] + rest[correct]
    unseen = _unseen(numerator[correct] / total, rest[correct] / total, n[correct])
    estimate[correct] += once[correct] / n[correct] * unseen
    return estimate


def _unseen(a, q, n):
    """sum_{s>=0} q^(s+1) / (n+s) with q = 1 - a, by the integral q int_0^inf e^(-n u) / (1 - q e^(-u)) du.

    Nothing cancels in it however close q is to 1. With u = e^v the integrand is analytic for |Im v| < pi/2
    and falls off exponentially on both sides, which makes the trapezoid rule exact to rounding.
    """
    a, q, n = a[:, None], q[:, None], n[:, None]
    top = np.log(_REACH / n)
    steps = int(np.ceil((top - np.log(np.minimum(a, 1 / n)) + _REACH).max(initial=0.0) / _STEP))
    u = np.exp(top - _STEP * np.arange(steps))
    return _STEP * (q * u * np.exp(-n * u) / (a - q * np.expm1(-u))).sum(axis=1)


def shrinkage(counts, n, m):
    """Entropy of the frequencies shrunk towards 1/m by the James-Stein intensity (Hausser and Strimmer 2009).

    lambda = (1 - sum p^2) / ((N-1) sum (1/m - p)^2), at most 1; 1 for one observation and for equal counts.
    """
    p = counts / n[:, None]
    target = 1 / m
    seen = counts > 0
    empty = m - seen.sum(axis=1)
    spread = (np.where(seen, p - target[:, None], 0.0) ** 2).sum(axis=1) + empty * target**2
    # 1 - sum p^2 as sum p (1 - p), which stays exact when one outcome has nearly everything
    noise = (p * ((n[:, None] - counts) / n[:, None])).sum(axis=1)
    scale = (n - 1) * spread
    weight = np.minimum(np.divide(noise, scale, out=np.ones_like(noise), where=scale > 0), 1.0)
    p = np.where(seen, weight[:, None] * target[:, None] + (1 - weight[:, None]) * p, 0.0)
    return entr(p).sum(axis=1) + empty * entr(weight * target)
