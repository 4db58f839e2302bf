"""Every estimator a second time, slowly: the papers' definitions in 40 digits or exact fractions."""

from collections import Counter
from fractions import Fraction
from math import factorial

import numpy as np
from mpmath import mp, mpf
from scipy.special import gammaln, xlog1py, xlogy


def ml(counts, m):
    n = sum(counts)
    return -mp.fsum(mpf(c) / n * mp.log(mpf(c) / n) for c in counts if c)


def mm(counts, m):
    return ml(counts, m) + (sum(c > 0 for c in counts) - 1) / mpf(2 * sum(counts))


def jk(counts, m):
    """Leaves out each observation in turn."""
    n = sum(counts)
    if n == 1:
        return ml(counts, m)
    left_out = mp.fsum(c * ml([*counts[:i], c - 1, *counts[i + 1 :]], m) for i, c in enumerate(counts) if c)
    return n * ml(counts, m) - mpf(n - 1) / n * left_out


def grassberger(counts, m):
    n = sum(counts)

    def g(c):
        return mp.psi(0, c) + mpf((-1) ** c) / 2 * (mp.psi(0, mpf(c + 1) / 2) - mp.psi(0, mpf(c) / 2))

    return mp.log(n) - mp.fsum(c * g(c) for c in counts if c) / n


def zhang(counts, m):
    """The series sum_v Z_v / v of unbiased estimates of sum_i p_i (1 - p_i)^v (Zhang 2012)."""
    n = sum(counts)
    total = Fraction(0)
    for v in range(1, n):
        z = Fraction(0)
        for c in counts:
            term = Fraction(c, n)
            for t in range(v):
                term *= 1 - Fraction(c, n) - Fraction(t, n)
            z += term
        total += z * Fraction(n ** (v + 1) * factorial(n - v - 1), factorial(n)) / v
    return as_mpf(total)


def bonachela(counts, m):
    n = sum(counts)
    counts = [c for c in counts if c] + [0] * (m - sum(c > 0 for c in counts))
    harmonic = sum((c + 1) * sum(Fraction(1, k) for k in range(c + 2, n + 3)) for c in counts)
    return as_mpf(Fraction(harmonic, 1) / (n + 2))


def dirichlet(counts, m, alpha=1):
    """The mean of -p log p under each outcome's Beta posterior, by quadrature."""
    counts = [c for c in counts if c] + [0] * (m - sum(c > 0 for c in counts))
    alpha = mpf(alpha)
    total = sum(counts) + m * alpha
    if m == 1:
        return mpf(0)

    def one(c):
        a, b = c + alpha, total - c - alpha
        density = mp.quad(lambda p: -mp.log(p) * p**a * (1 - p) ** (b - 1), [0, mpf(1) / 2, 1])
        return density / mp.beta(a, b)

    known = {c: one(c) for c in set(counts)}
    return mp.fsum(known[c] for c in counts)


def chao_shen(counts, m):
    n = sum(counts)
    once = counts.count(1)
    if once == n:
        once = n - 1
    coverage = 1 - mpf(once) / n
    p = [coverage * c / n for c in counts if c]
    return -mp.fsum(x * mp.log(x) / (1 - (1 - x) ** n) for x in p)


def chao_wang_jost(counts, m):
    """As printed: the correction is a small difference of large terms, hence the extra digits."""
    n = sum(counts)
    once, twice = counts.count(1), counts.count(2)
    if twice:
        a = mpf(2 * twice) / ((n - 1) * once + 2 * twice)
    elif once:
        a = mpf(2) / ((n - 1) * (once - 1) + 2)
    else:
        a = mpf(1)
    first = mp.fsum(mpf(c) / n * (mp.harmonic(n - 1) - mp.harmonic(c - 1)) for c in counts if c)
    if a == 1:
        return first
    with mp.workdps(60):
        q = 1 - a
        power, series = mpf(1), mpf(0)
        for r in range(1, n):
            power *= q
            series += power / r
        return first + mpf(once) / n * (-mp.log(a) - series) / power


def shrinkage(counts, m):
    n = sum(counts)
    p = [mpf(c) / n for c in counts if c] + [mpf(0)] * (m - sum(c > 0 for c in counts))
    distance = (n - 1) * mp.fsum((mpf(1) / m - x) ** 2 for x in p)
    weight = min(mpf(1), (1 - mp.fsum(x * x for x in p)) / distance) if distance > mpf(10) ** -30 else mpf(1)
    q = [weight / m + (1 - weight) * x for x in p]
    return -mp.fsum(x * mp.log(x) for x in q if x > 0)


def nsb(counts, m):
    """Gauss-Legendre quadrature over log beta, in pieces around the largest weight."""
    if m == 1:
        return mpf(0)
    n, k = sum(counts), mpf(m)
    times = Counter(c for c in counts if c)
    with mp.workdps(30):

        def log_weight(v):
            b = mp.exp(v)
            slope = k * mp.psi(1, k * b + 1) - mp.psi(1, b + 1)
            fit = mp.fsum(t * (mp.loggamma(c + b) - mp.loggamma(b)) for c, t in times.items())
            return fit + mp.loggamma(k * b) - mp.loggamma(n + k * b) + mp.log(slope) + v

        def mean(v):
            b = mp.exp(v)
            a = n + k * b
            outcomes = {**times, 0: m - sum(times.values())}
            return mp.fsum(t * (c + b) / a * (mp.psi(0, a + 1) - mp.psi(0, c + b + 1)) for c, t in outcomes.items())

        low, high = -mp.log(k) - 60, 2 * mp.log(n) + 40
        for _ in range(4):
            grid = mp.linspace(low, high, 41)
            height = [log_weight(v) for v in grid]
            near = [i for i, h in enumerate(height) if h > max(height) - 32]
            low, high = grid[max(near[0] - 1, 0)], grid[min(near[-1] + 1, 40)]
        nodes, shares = np.polynomial.legendre.leggauss(30)
        total = weighted = mpf(0)
        pieces = mp.linspace(low, high, 11)
        for left, right in zip(pieces, pieces[1:], strict=False):
            for node, share in zip(nodes, shares, strict=True):
                v = left + (right - left) * (mpf(float(node)) + 1) / 2
                weight = float(share) * mp.exp(log_weight(v) - max(height))
                total += weight
                weighted += weight * mean(v)
        return weighted / total


def bub(counts, m):
    counts = [c for c in counts if c] + [0] * (m - sum(c > 0 for c in counts))
    return mpf(float(bub_coefficients(sum(counts), m)[counts].sum()))


def as_mpf(fraction):
    return mpf(fraction.numerator) / fraction.denominator


_FUNCTIONS = {
    "ML": ml,
    "MM": mm,
    "JK": jk,
    "BUB": bub,
    "Grassberger": grassberger,
    "Zhang": zhang,
    "Bonachela": bonachela,
    "Dirichlet": dirichlet,
    "ChaoShen": chao_shen,
    "ChaoWangJost": chao_wang_jost,
    "Shrinkage": shrinkage,
    "NSB": nsb,
}

REFERENCE = {name: mp.workdps(40)(function) for name, function in _FUNCTIONS.items()}


# BUB, written down step by step as the procedure is stated.


def bub_coefficients(n, m):
    return bub_all_free(n, m) if n < 20 else bub_first_free(n, m)[1]


def bub_all_free(n, m):
    x = np.arange(5 * n + 1) / (5 * n)
    b = binomial_matrix(n, np.arange(n + 1), x)
    d = np.diff(np.eye(n + 1), axis=0)
    a = m**2 * b @ b.T + n * d.T @ d
    a[np.abs(a) < 1e-7 * a.max()] = 0
    return np.linalg.pinv(a) @ (m**2 * b @ -xlogy(x, x))


def bub_first_free(n, m):
    """The k that gives the smallest bound, and its coefficients a_0..a_n."""
    c = int(np.ceil(min(n, 80 * max(n / m, 1))))
    j = np.arange(c + 1)
    x = np.geomspace(1e-4 / n, min(1, 30 / n) - 1e-10 / n, 200)
    h = -xlogy(x, x)
    p = binomial_matrix(n, j, x)
    xm = 1e-10 / m + np.arange(200) * min(1, 30 / m) / 200
    pm = binomial_matrix(n, j, xm)
    f = np.where(xm <= 1 / m, m, 1 / xm)
    share = np.arange(n + 1) / n
    miller_madow = -xlogy(share, share) + (1 - share) / (2 * n)
    best = (np.inf, None, None)
    for k in range(1, min(11, n) + 1):
        d = np.diff(np.eye(k), axis=0)
        a = m**2 * p[:k] @ p[:k].T + n * (d.T @ d if k > 1 else np.ones((1, 1)))
        a[k - 1, k - 1] += n
        b = m**2 * p[:k] @ (h - miller_madow[k : c + 1] @ p[k:])
        b[k - 1] += n * miller_madow[k - 1]
        coefficients = miller_madow.copy()
        coefficients[:k] = np.linalg.pinv(a) @ b
        bias = m * np.abs(coefficients[: c + 1] @ p - h).max()
        steps = np.diff(coefficients, prepend=0.0)
        v1 = (j / n * steps[: c + 1] ** 2) @ pm
        bound = bias**2 + n * min((np.diff(coefficients) ** 2).max(), 4 * (f * v1).max())
        if bound < best[0]:
            best = (bound, k, coefficients)
    return best[1:]


def binomial_matrix(n, j, x):
    j = j[:, None]
    log_binomial = gammaln(n + 1) - gammaln(j + 1) - gammaln(n - j + 1)
    return np.exp(log_binomial + xlogy(j, x) + xlog1py(n - j, -x))
