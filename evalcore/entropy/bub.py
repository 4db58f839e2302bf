"""BUB, the best-upper-bound estimator of entropy (Paninski 2003, section 5; the practical L2 form).

BUB chooses the coefficients a_0..a_N of a linear estimator so that a bound on its worst error is small,

    max_p (bias^2 + variance)
        <=  (m max_x |sum_j a_j B_j(x) - h(x)|)^2 + N min(max_j (a_j - a_(j-1))^2, 4 max_x f(x) V1(x)),

with h(x) = -x log x, B_j(x) = binom(N, j) x^j (1-x)^(N-j) and m the number of possible outcomes.

Quirks of the procedure, kept because the published figures rest on them:

- Below N = 20 all N + 1 coefficients are free, from N = 20 on at most eleven: estimates jump at 19 -> 20.
- A wrong m moves the estimate a lot, and every unseen outcome adds a_0.
- With m far above N the estimate may exceed log m; nothing is clamped.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import binom, gammaln, xlogy

_FEW = 20  # from this sample size on only the first coefficients are free
_FREE = 11  # at most so many
_POINTS = 200  # grid points of each of the two grids
_DIRECT = 300  # V1 sums j one by one up to here, and while N x stays below half of it
_STEPS = 26  # strides to either side of the mean in V1's sum for larger N x


def miller_madow(j, n):
    """a_j of the Miller-Madow correction with the empty outcomes included, Paninski's starting point."""
    x = np.asarray(j) / n
    return _h(x) + (1 - x) / (2 * n)


def bub(j, n: int, support: int) -> np.ndarray:
    """Coefficients a_j of BUB at the counts `j`, for sample size `n` and `support` possible outcomes.

    Examples
    --------
    >>> bub([0, 1, 2, 3, 4], n=50, support=10).round(6).tolist()
    [0.001679, 0.096649, 0.142724, 0.167306, 0.211258]
    """
    j = np.asarray(j)
    free = free_coefficients(int(n), int(support))
    return np.where(j < len(free), free[np.minimum(j, len(free) - 1)], miller_madow(j, n))


@lru_cache(maxsize=16384)
def free_coefficients(n: int, support: int) -> np.ndarray:
    """The fitted head a_0..a_(k-1) of BUB's coefficients; every later one is `miller_madow`."""
    free = _all_free(n, float(support)) if n < _FEW else _first_free(n, float(support))
    free.flags.writeable = False
    return free


def _h(x):
    return -xlogy(x, x)


def _log_binomials(n, top):
    """log binom(n, j) for j = 0..top, as sums of logs: unlike gammaln, exact to rounding for any n."""
    t = np.arange(top)
    return np.concatenate([[0.0], np.cumsum(np.log((n - t) / (t + 1)))])


def _binomial_rows(n, j, log_binomial, x):
    """B_j(x) as a (j, x) array, for 0 < x < 1."""
    rows = np.multiply.outer(j, np.log(x))
    rows += np.multiply.outer(n - j, np.log1p(-x))
    rows += log_binomial[:, None]
    return np.exp(rows, out=rows)


# N < 20: every coefficient is free.


@lru_cache(maxsize=_FEW)
def _small_sample(n):
    """B B', B h and the roughness D'D on the grid x = i/(5N); they depend on N alone."""
    j = np.arange(n + 1)[:, None]
    x = np.arange(5 * n + 1) / (5 * n)
    b = binom(n, j) * x**j * (1 - x) ** (n - j)
    d = np.diff(np.eye(n + 1), axis=0)
    return b @ b.T, b @ _h(x), d.T @ d


def _all_free(n, m):
    gram, target, roughness = _small_sample(n)
    a = m**2 * gram + n * roughness
    a[np.abs(a) < 1e-7 * a.max()] = 0.0
    return np.linalg.pinv(a) @ (m**2 * target)


# N >= 20: the first k coefficients are free.


class _LargeSample(NamedTuple):
    """What the fits for all m share; it depends on N alone."""

    log_binomial: np.ndarray  # log binom(N, j), j = 0..min(N, _DIRECT)
    start: np.ndarray  # Miller-Madow a_j at the same j
    weights: np.ndarray  # (j/N) (a_j - a_(j-1))^2 of Miller-Madow, the terms of V1
    head: np.ndarray  # B_j(x), j < _FREE
    residual: np.ndarray  # h - sum_(j>=k) a_j B_j, one row for each k = 1.._FREE
    factor: np.ndarray  # R of the QR factorisation of head'
    projection: np.ndarray  # Q' residual_k, one row for each k


def _v1_weights(j, n):
    """(j/N)(a_j - a_(j-1))^2 with Miller-Madow's a."""
    return j / n * (miller_madow(j, n) - miller_madow(j - 1, n)) ** 2


@lru_cache(maxsize=512)
def _large_sample(n):
    x = np.geomspace(1e-4 / n, min(1, 30 / n) - 1e-10 / n, _POINTS)
    j = np.arange(min(n, _DIRECT) + 1)
    log_binomial = _log_binomials(n, j[-1])
    start = miller_madow(j, n)
    # N x <= 30 on this grid, so that counts above 120 weigh less than 1e-30
    near = j[: 120 + 1]
    rows = _binomial_rows(n, near, log_binomial[: len(near)], x)
    terms = start[: len(near), None] * rows
    later = terms[_FREE + 1 :].sum(axis=0) + np.cumsum(terms[_FREE:0:-1], axis=0)[::-1]
    residual = _h(x) - later
    q, r = np.linalg.qr(rows[:_FREE].T)
    weights = np.concatenate([[0.0], _v1_weights(j[1:], n)])
    return _LargeSample(log_binomial, start, weights, rows[:_FREE], residual, r, residual @ q)


def _penalties():
    """Rows of a root of D'D + anchor for each k: differences, the anchor at a_(k-1), and zeros from k on.

    D'D of a single coefficient counts as 1, hence the extra row that only k = 1 uses.
    """
    rows = np.tile(np.eye(_FREE + 1, _FREE), (_FREE, 1, 1))
    for k in range(1, _FREE + 1):
        for i in range(k - 1):
            rows[k - 1, i, i + 1] = -1.0
    rows[0, _FREE, 0] = 1.0
    return rows


_PENALTY = _penalties()
_KEEP = np.tri(_FREE)[:, None, :]  # column j belongs to the fit of k when j < k
_LAST = np.arange(_FREE)


def _fits(n, m, shared):
    """The free coefficients for every k at once, row k-1 padded with zeros.

    The minimum of m^2 |P_k' a - residual_k|^2 + N |D a|^2 + N (a_(k-1) - start_(k-1))^2, which is what
    (m^2 P_k P_k' + N D'D + N e e') a = b solves; QR needs only the root of that system's condition number.
    """
    system = np.zeros((_FREE, 2 * _FREE + 1, _FREE + 1))
    system[:, :_FREE, :_FREE] = m * shared.factor * _KEEP
    system[:, :_FREE, _FREE] = m * shared.projection
    system[:, _FREE:, :_FREE] = np.sqrt(n) * _PENALTY
    system[_LAST, _FREE + _LAST, _FREE] = np.sqrt(n) * shared.start[:_FREE]
    r = np.linalg.qr(system, mode="r")
    return np.linalg.solve(r[:, :_FREE, :_FREE], r[:, :_FREE, _FREE:])[:, :, 0]


def _first_free(n, m):
    shared = _large_sample(n)
    free = _fits(n, m, shared)
    bias = m * np.abs(free @ shared.head - shared.residual).max(axis=1)

    # a_0..a_11 of each k: the free head and then Miller-Madow
    k = np.arange(1, _FREE + 1)[:, None]
    j = np.arange(_FREE + 1)
    a = np.where(j < k, np.column_stack([free, np.zeros(_FREE)]), shared.start[j])
    change = np.diff(a, axis=1) ** 2
    # Miller-Madow's steps fall steadily with j, so beyond the head the largest is the last: from N - 1 to N
    steepest = np.maximum(change.max(axis=1), miller_madow(n - 1, n) ** 2)

    x = 1e-10 / m + np.arange(_POINTS) * (min(1, 30 / m) / _POINTS)
    f = np.where(x <= 1 / m, m, 1 / x)
    bound = bias**2 + n * np.minimum(steepest, 4 * _worst_variance(n, x, f, change, shared))
    best = int(np.argmin(bound))
    return free[best, : best + 1].copy()


def _worst_variance(n, x, f, change, shared):
    """max_x f(x) V1(x) for each k, where V1 = sum_j (j/N) (a_j - a_(j-1))^2 B_j(x)."""
    direct = (n * x <= _DIRECT / 2) | (n <= _DIRECT)
    j = np.arange(1, len(shared.log_binomial))
    rows = _binomial_rows(n, j, shared.log_binomial[1:], x[direct])
    v1 = (j[:_FREE] / n * change) @ rows[:_FREE] + shared.weights[_FREE + 1 :] @ rows[_FREE:]
    worst = (f[direct] * v1).max(axis=1, initial=0.0)  # of astronomic samples not even the first x is direct
    if not direct.all():
        worst = np.maximum(worst, (f[~direct] * _strided_v1(n, x[~direct])).max())
    return worst


def _strided_v1(n, x):
    """V1 where N x is large and the fitted head weighs nothing: the sum over every s-th j, with s = sd / 2.

    The binomial's characteristic function at 2 pi / s is below 1e-13, so the sum misses nothing visible.
    """
    sd = np.sqrt(n * x * (1 - x))
    stride = np.maximum(sd // 2, 1)[:, None]
    j = np.rint(n * x)[:, None] + stride * np.arange(-_STEPS, _STEPS + 1)
    inside = (j >= 1) & (j <= n)
    j = np.where(inside, j, 1)
    log_b = j * np.log(x)[:, None] + (n - j) * np.log1p(-x)[:, None] - gammaln(j + 1) - gammaln(n - j + 1)
    log_b[~inside] = -np.inf
    b = np.exp(log_b - log_b.max(axis=1, keepdims=True))
    return (b * _v1_weights(j, n)).sum(axis=1) / b.sum(axis=1)
