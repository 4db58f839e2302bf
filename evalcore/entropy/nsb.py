"""NSB, the posterior mean under a prior nearly flat in entropy (Nemenman, Shafee and Bialek 2002).

A Dirichlet prior with weight beta on each of K outcomes fixes the entropy almost before any data, near
xi(beta) = psi(K beta + 1) - psi(beta + 1). NSB mixes these priors over beta with density d xi / d beta, so
that the mixture is spread evenly over entropies, and returns

    int <H>_beta w(beta) d beta / int w(beta) d beta,
    w(beta) = xi'(beta) Gamma(K beta) / Gamma(N + K beta) prod_i Gamma(n_i + beta) / Gamma(beta),

with <H>_beta the posterior mean for one beta. The integrals run over log beta, by the trapezoid rule.
"""

import numpy as np
from scipy.special import gammaln, zeta

from .linear import dirichlet

_DROP = 45.0  # weights below exp(-45) of the largest are left out
_ZOOM_POINTS = 65
_ZOOMS = 12  # each narrows the window up to 32 times
_LARGE = 1e4  # from here on Stirling's series replaces the difference of two gammaln
_CHUNK = 2_000_000  # array elements handled at a time


def nsb(counts, n, m):
    """NSB's estimate for each row of whole `counts`; `m` outcomes are possible."""
    estimates = np.zeros(len(counts))
    pending = np.flatnonzero(m > 1)  # a single possible outcome leaves no doubt
    if len(pending) == 0:
        return estimates
    values, times = _distinct(counts[pending])
    rows_at_once = max(1, _CHUNK // (4 * _ZOOM_POINTS * values.shape[1]))
    for first in range(0, len(pending), rows_at_once):
        part = slice(first, first + rows_at_once)
        chosen = pending[part]
        sample = _Sample(values[part], times[part], n[chosen], m[chosen])
        estimates[chosen] = sample.posterior_mean()
    return estimates


def _distinct(counts):
    """Each row's distinct positive counts and how often each occurs, padded with zeros to a common width."""
    found = [np.unique(row[row > 0], return_counts=True) for row in counts]
    values = np.zeros((len(found), max(len(v) for v, _ in found)))
    times = np.zeros_like(values)
    for i, (v, t) in enumerate(found):
        values[i, : len(v)] = v
        times[i, : len(v)] = t
    return values, times


class _Sample:
    """Rows of distinct counts `values`, found `times` each; sizes `n`, `k` possible outcomes."""

    def __init__(self, values, times, n, k):
        self.values, self.times, self.n, self.k = values, times, n, k

    def posterior_mean(self):
        low, high = self._window()
        estimates = np.empty(len(self.n))
        active = np.arange(len(self.n))
        previous = np.full(len(self.n), np.nan)
        for intervals in 2 ** np.arange(6, 14):
            part = _Sample(self.values[active], self.times[active], self.n[active], self.k[active])
            mean = part._mean_over(low[active], high[active], intervals)
            estimates[active] = mean
            # halving the step of this rule squares its error, so a change of 1e-9 means 1e-18 by now
            settled = np.abs(mean - previous[active]) <= 1e-9 * mean
            previous[active] = mean
            active = active[~settled]
            if len(active) == 0:
                break
        return estimates

    def _mean_over(self, low, high, intervals):
        log_beta = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, intervals + 1)
        weight = self._log_weight(log_beta)
        weight = np.exp(weight - weight.max(axis=1, keepdims=True))
        return (weight * self._entropy(np.exp(log_beta))).sum(axis=1) / weight.sum(axis=1)

    def _window(self):
        """The range of log beta outside of which the weight is negligible, found by zooming in on it."""
        # left: the weight falls at least like beta below 1/(K log N); right: at least like 1/beta above N^2
        low = -np.log(self.k) - 20 - _DROP
        high = 2 * np.log(self.n) + 20 + _DROP
        inside = np.arange(_ZOOM_POINTS)
        for _ in range(_ZOOMS):
            step = (high - low) / (_ZOOM_POINTS - 1)
            weight = self._log_weight(low[:, None] + step[:, None] * inside)
            near = weight > weight.max(axis=1, keepdims=True) - _DROP
            first = near.argmax(axis=1)
            last = _ZOOM_POINTS - 1 - near[:, ::-1].argmax(axis=1)
            low, high = (
                low + step * np.maximum(first - 1, 0),
                low + step * np.minimum(last + 1, _ZOOM_POINTS - 1),
            )
            if np.all(last - first > _ZOOM_POINTS // 4):
                break
        return low, high

    def _log_weight(self, log_beta):
        """log of w(beta) beta, up to a constant."""
        beta = np.exp(log_beta)
        k = self.k[:, None]
        fit = (self.times[:, :, None] * log_rising(beta[:, None, :], self.values[:, :, None])).sum(axis=1)
        return fit - log_rising(k * beta, self.n[:, None]) + np.log(_prior(beta, k)) + log_beta

    def _entropy(self, beta):
        """<H>_beta: the Dirichlet posterior mean."""
        n, k = self.n[:, None], self.k[:, None]
        empty = k - self.times.sum(axis=1, keepdims=True)
        seen = dirichlet(self.values[:, :, None], n[:, :, None], k[:, :, None], beta[:, None, :])
        return (self.times[:, :, None] * seen).sum(axis=1) + empty * dirichlet(0.0, n, k, beta)


def log_rising(x, n):
    """log of Gamma(x + n) / Gamma(x) / x^n, without the loss of digits for x far above n."""
    moderate = np.minimum(x, _LARGE)
    exact = gammaln(moderate + n) - gammaln(moderate) - n * np.log(moderate)
    large = np.maximum(x, _LARGE)
    stirling = (large + n - 0.5) * np.log1p(n / large) - n + (1 / (large + n) - 1 / large) / 12
    return np.where(x < _LARGE, exact, stirling)


def _prior(beta, k):
    """xi'(beta) = K psi'(K beta + 1) - psi'(beta + 1); its asymptotic series where the two would cancel."""
    small = np.minimum(beta, 100.0)
    exact = k * zeta(2, k * small + 1) - zeta(2, small + 1)
    r = 1 / np.maximum(beta, 100.0)
    s = 1 / k
    series = r**2 * ((1 - s) / 2 - r * (1 - s**2) / 6 + r**3 * (1 - s**4) / 30 - r**5 * (1 - s**6) / 42)
    return np.where(beta < 100.0, exact, series)
