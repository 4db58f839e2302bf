"""Coefficients a_j of the linear estimators H = sum_i a[n_i], in nats.

Every function takes counts `j`, the sample size `n` and the number `m` of possible outcomes, all of which
broadcast; most ignore `m`. The forms are the textbook ones, rearranged so that nothing large cancels. BUB has
its own file.
"""

import numpy as np
from scipy.special import psi

_LOG2 = np.log(2.0)


def maximum_likelihood(j, n, m=None):
    """-(j/N) log(j/N), the plug-in; also for fractional counts."""
    j = np.asarray(j, dtype=float)
    # log1p keeps the digits when one outcome has nearly everything, and is exactly 0 when it has all
    odds = np.divide(n - j, j, out=np.zeros(np.broadcast(j, n).shape), where=j > 0)
    return j / n * np.log1p(odds)


def miller_madow(j, n, m=None):
    """ML + (1 - j/N)/(2N) for j > 0: summed, (observed - 1)/(2N) (Miller 1955)."""
    j = np.asarray(j)
    return maximum_likelihood(j, n) + np.where(j > 0, (1 - j / n) / (2 * n), 0.0)


def jackknife(j, n, m=None):
    """N ML - (N-1) times the mean of ML with one observation left out (Zahl 1977; Burnham and Overton 1979).

    Collecting N a_ML(j,N) - (N-1)/N ((N-j) a_ML(j,N-1) + j a_ML(j-1,N-1)) by logarithms leaves
    (j/N)(phi(N) - phi(j)) with phi(x) = x log x - (x-1) log(x-1); N = 1 gives ML.
    """
    j = np.asarray(j, dtype=float)
    return j / n * (_phi(n) - _phi(j))


def _phi(x):
    x = np.maximum(x, 1.0)  # phi(0) is only ever multiplied by 0
    # phi(1) = 0, and x - 1 = 0 must not meet log 0
    return np.log(x) - (x - 1) * np.log1p(-1 / np.maximum(x, 1.5))


def grassberger(j, n, m=None):
    """(j/N)(log N - G_j), G_j = psi(j) + (-1)^j/2 (psi((j+1)/2) - psi(j/2)) (Grassberger 2003).

    By his recursion G_(2i+1) = G_(2i), G_(2i+2) = G_(2i) + 2/(2i+1) this is psi(floor(j/2) + 1/2) + log 2:
    one digamma and no difference of two.
    """
    j = np.asarray(j)
    return j / n * (np.log(n) - psi(j // 2 + 0.5) - _LOG2)


def zhang(j, n, m=None):
    """(j/N)(psi(N) - psi(j)) (Zhang 2012, in the closed form of Chao, Wang and Jost 2013)."""
    j = np.asarray(j)
    return j / n * (psi(n) - psi(np.maximum(j, 1)))


def bonachela(j, n, m=None):
    """(j+1)/(N+2) sum_{l=j+2}^{N+2} 1/l (Bonachela, Hinrichsen and Muñoz 2008)."""
    j = np.asarray(j)
    return (j + 1) / (n + 2) * (psi(n + 3) - psi(j + 2))


def dirichlet(j, n, m, alpha=1.0):
    """(j+alpha)/A (psi(A+1) - psi(j+alpha+1)), A = N + m alpha, a posterior mean (Wolpert, Wolf 1995)."""
    j = np.asarray(j)
    total = n + m * alpha
    return (j + alpha) / total * (psi(total + 1) - psi(j + alpha + 1))
