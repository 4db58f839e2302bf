"""Exact mean, variance, bias and RMSE of a linear estimator when the distribution is known: no simulation.

Mean: E[H] = sum_i sum_j a_j Binom(j; N, p_i). Variance: multinomial counts are independent Poisson counts
given that they add up to N, so E[(sum_i f_i(n_i))^2] is a coefficient of a product of generating functions.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.fft import next_fast_len, rfft
from scipy.special import entr

from ..errors import InputError
from .estimate import coefficient_table, require_linear, whole
from .registry import Estimator, resolve

_TAIL = 45.0  # counts less likely than exp(-45) of the total are left out
_CHUNK = 500_000  # array elements handled at a time


@dataclass(frozen=True)
class Moments:
    """Exact moments of an estimate for one sample size, or arrays of them for several; in nats."""

    mean: float | np.ndarray
    variance: float | np.ndarray
    truth: float

    @property
    def bias(self):
        """mean - truth"""
        return self.mean - self.truth

    @property
    def sd(self):
        """Standard deviation."""
        return self.variance**0.5

    @property
    def rmse(self):
        """Root of the mean squared error."""
        return (self.bias**2 + self.variance) ** 0.5


def moments(p, n, estimator: str | Estimator = "ML", support: int | None = None) -> Moments:
    """Exact moments of a linear estimator over samples of size `n` from the distribution `p`.

    Parameters
    ----------
    p : array_like
        Probabilities of the outcomes, which add up to 1.
    n : int or array_like of int
        Sample size, or several.
    estimator : str or Estimator
        A linear one.
    support : int, optional
        The number of possible outcomes that the estimator is told; that of the positive probabilities if not
        given.

    Examples
    --------
    >>> m = moments([0.1] * 10, 10, "ML")
    >>> round(m.bias, 3), round(m.sd, 3)
    (-0.533, 0.179)
    """
    problem = _Problem(p, estimator, support)
    sizes = _sizes(n)
    mean = np.empty(sizes.shape)
    variance = np.empty(sizes.shape)
    for at, size in np.ndenumerate(sizes):
        means = problem.outcome_means(int(size))
        mean[at] = problem.total(means, int(size))
        variance[at] = problem.variance(means, int(size))
    truth = problem.truth
    return Moments(mean, variance, truth) if sizes.ndim else Moments(float(mean), float(variance), truth)


def expectation(p, n, estimator: str | Estimator = "ML", support: int | None = None) -> float | np.ndarray:
    """Exact mean of a linear estimator over samples of size `n` from `p`; arguments as in `moments`.

    Examples
    --------
    >>> round(expectation([0.5, 0.5], 2, "ML"), 6)  # log 2 half of the time, else 0
    0.346574
    """
    problem = _Problem(p, estimator, support)
    sizes = _sizes(n)
    mean = np.empty(sizes.shape)
    for at, size in np.ndenumerate(sizes):
        mean[at] = problem.total(problem.outcome_means(int(size)), int(size))
    return mean if sizes.ndim else float(mean)


class _Problem:
    """A distribution, grouped by equal probabilities, and an estimator."""

    def __init__(self, p, estimator, support):
        self.estimator = resolve(estimator)
        require_linear(self.estimator, "exact moments")
        p = checked_distribution(p)
        self.m = len(p)
        self.support = self.m if support is None else whole(support, "The number of possible outcomes")
        if self.support < self.m:
            raise InputError(f"The support is {self.support}, but {self.m} outcomes have positive probability.")
        self.truth = float(entr(p).sum())
        self.p, self.times = np.unique(p, return_counts=True)
        self.q = 1 - self.p
        if self.times[-1] == 1:  # the largest may be close to 1: what is left must keep its digits
            self.q[-1] = self.times[:-1] @ self.p[:-1]

    def coefficients(self, j, n):
        """a_j at an array of counts, by table where that is the shorter way."""
        if n <= j.size:
            return coefficient_table(self.estimator, n, self.support)[j]
        return self.estimator.compute(j, n, self.support)

    def outcome_means(self, n):
        """E[a(n_i)] for each distinct probability."""
        means = np.empty(len(self.p))
        for part in _parts(self.p, n):
            j, weight = _binomial(n, self.p[part], self.q[part])
            means[part] = (weight * self.coefficients(j, n)).sum(axis=1)
        return means

    def total(self, means, n):
        unseen = self.support - self.m
        blank = self.coefficients(np.zeros(1, dtype=np.int64), n)[0] if unseen else 0.0
        return (self.times * means).sum() + unseen * blank

    def variance(self, means, n):
        """E[S^2 | sum_i n_i = n] for independent Poisson n_i and S = sum_i f_i(n_i), f_i = a - E[a(n_i)].

        With Q, A, A2 the generating functions of the Poisson weights w_i, of f_i w_i and of f_i^2 w_i, that
        is the coefficient of z^n in sum_i A2_i prod Q + sum_{i != k} A_i A_k prod Q, over that of prod_i Q_i.
        One coefficient needs only the values at L-th roots of unity, once totals of n + L and n - L are
        out of reach.
        """
        if self.m == 1:
            return 0.0
        windows = [self._window(part, means, n) for part in _parts(self.p, n)]
        slope = sum(w.covariance() for w in windows) / sum(w.spread() for w in windows)
        length = next_fast_len(int(20 * np.sqrt(n)) + 64, real=True)
        roots = np.arange(self._roots_needed(n, length))
        s0, s1, s2 = 1.0, 0.0, 0.0
        target = n
        for window in windows:
            f = window.f - slope * window.step
            fw = f * window.weight
            target -= int((window.times * window.first).sum())  # each window starts at its first count, not at 0
            transforms = rfft(np.stack([window.weight, fw, f * fw]), length, axis=-1)[..., : len(roots)]
            for g, q, a, a2 in zip(window.times.tolist(), *transforms, strict=True):
                t0, t1, t2 = _repeated(g, q, a, a2)
                s2 = s2 * t0 + 2 * s1 * t1 + s0 * t2
                s1 = s1 * t0 + s0 * t1
                s0 = s0 * t0
        pick = np.exp(2j * np.pi * (roots * target % length) / length)
        fold = np.where((roots == 0) | (2 * roots == length), 1.0, 2.0)  # the other half of the roots are conjugates
        variance = (fold * (s2 * pick).real).sum() / (fold * (s0 * pick).real).sum()
        return max(variance, 0.0)  # a constant estimate may come out as -1e-33

    def _roots_needed(self, n, length):
        """How many roots of unity matter: |prod Q| without two outcomes falls as exp(-n rest (1-cos))."""
        two = np.repeat(self.p[-2:], np.minimum(self.times[-2:], 2))[-2:]
        rest = max(1 - two.sum(), 0.0)
        fall = n * rest * (1 - np.cos(2 * np.pi * np.arange(length // 2 + 1) / length))
        return int(np.searchsorted(fall, _TAIL + 15, side="right"))

    def _window(self, part, means, n):
        p = self.p[part]
        j, weight = _poisson(n, p)
        f = self.coefficients(j, n) - means[part, None]
        return _Window(self.times[part], j[:, 0], weight, f, j - n * p[:, None])


class _Window(NamedTuple):
    """Some outcomes' possible counts, as rows; each row stands for `times` outcomes."""

    times: np.ndarray
    first: np.ndarray  # the count that the row starts with
    weight: np.ndarray  # Poisson weights
    f: np.ndarray  # a_j - E[a(n_i)]
    step: np.ndarray  # j - N p_i: adds up to 0 over the outcomes, so any multiple may be taken from f

    def covariance(self):
        """Over the spread, this is the multiple of `step` that would only cancel between the outcomes."""
        return self.times @ (self.weight * self.f * self.step).sum(axis=1)

    def spread(self):
        return self.times @ (self.weight * self.step**2).sum(axis=1)


def checked_distribution(p):
    """The positive ones of the probabilities `p`, scaled to add up to exactly 1."""
    try:
        p = np.asarray(p, dtype=float)
    except (TypeError, ValueError):
        raise InputError("Probabilities must be numbers.") from None
    if p.ndim != 1 or p.size == 0:
        raise InputError("Probabilities must be one sequence of numbers, one for each outcome.")
    bad = ~(np.isfinite(p) & (p >= 0))
    if bad.any():
        at = int(np.argmax(bad))
        raise InputError(f"Probabilities must be finite and not negative; outcome {at + 1} has {p[at]}.")
    total = p.sum()
    if abs(total - 1) > 1e-9:
        raise InputError(f"Probabilities must add up to 1, not to {total:.10g}.")
    return p[p > 0] / total


def _sizes(n):
    sizes = np.asarray(n)
    if sizes.ndim == 0:
        return np.asarray(whole(n, "The sample size"))
    return np.array([whole(size, "The sample size") for size in sizes.ravel().tolist()]).reshape(sizes.shape)


def _parts(p, n):
    """Slices of the sorted probabilities whose windows fit in memory together."""
    width = int(min(n, 2 * _reach(n * p[-1])) + 2)
    rows = max(1, _CHUNK // width)
    return [slice(first, first + rows) for first in range(0, len(p), rows)]


def _reach(variance):
    """How far from its mean a binomial or Poisson count goes but for exp(-_TAIL) (Bernstein's inequality)."""
    return _TAIL / 3 + np.sqrt(_TAIL**2 / 9 + 2 * _TAIL * variance)


def _counts_around(n, mean, variance):
    """Counts j as a (rows, width) array around each mean; those above n are there only to fill the rows."""
    reach = _reach(variance)
    low = np.maximum(np.ceil(mean - reach), 0)
    high = np.minimum(np.floor(mean + reach), n)
    return low.astype(np.int64)[:, None] + np.arange(int((high - low).max()) + 1)


def _normalised(ratio, j, n):
    """Weights from their ratios w_j / w_(j-1); scaling the sum to 1 makes up for the unknown first one."""
    ratio[:, 0] = 1.0
    weight = np.cumprod(np.where(j <= n, ratio, 0.0), axis=1)
    return np.minimum(j, n), weight / weight.sum(axis=1, keepdims=True)


def _binomial(n, p, q):
    """Windows of counts and their Binom(n, p) weights, by the walk w_j = w_(j-1) (n-j+1)/j p/q, q = 1 - p.

    Where p > q the failures are walked instead: a window of successes would start too deep in the tail.
    """
    rare, common = np.minimum(p, q), np.maximum(p, q)
    j = _counts_around(n, n * rare, n * rare * common)
    ratio = (n + 1 - j) / np.maximum(j, 1) * (rare / common)[:, None]
    j, weight = _normalised(ratio, j, n)
    return np.where((p > q)[:, None], n - j, j), weight


def _poisson(n, p):
    """Windows of counts and their Poisson(n p) weights, cut off at n, which no count can exceed."""
    j = _counts_around(n, n * p, n * p)
    return _normalised((n * p)[:, None] / np.maximum(j, 1), j, n)


def _repeated(times, q, a, a2):
    """The triple of `times` equal outcomes together."""
    if times == 1:
        return q, a, a2
    rest = _power(q, times - 2)
    rest1 = rest * q
    return rest1 * q, times * a * rest1, times * a2 * rest1 + times * (times - 1) * a * a * rest


def _power(q, exponent):
    """q^exponent by squaring; complex powers by way of logarithms lose digits."""
    result = np.ones_like(q)
    while exponent:
        if exponent & 1:
            result = result * q
        q = q * q
        exponent >>= 1
    return result
