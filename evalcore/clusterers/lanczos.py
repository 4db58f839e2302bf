"""The largest eigenvalues of many symmetric operators at once, by Lanczos' method."""

from collections.abc import Callable

import numpy as np

STEPS = (8, 30)  # at least, lest the first direction hides a better one; at most
RESIDUAL = 0.05  # an eigenvalue's relative error is about the square of this
NOTHING = 1e-12


def largest_eigenpairs(
    apply: Callable[[np.ndarray], np.ndarray], start: np.ndarray, apart: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The largest eigenvalue and its unit vector for each of k operators; no eigenvalue may be negative.

    Parameters
    ----------
    apply : maps vectors of shape (n, k), one column for each operator, to their images
    start : first vectors, shape (n, k)
    apart : vectors that are known to be of no interest, shape (n, k); the search is orthogonal to them

    >>> diagonal = np.array([[3.0, 1.0], [2.0, 5.0], [1.0, 4.0]])
    >>> largest_eigenpairs(lambda y: diagonal * y, np.ones((3, 2)), np.zeros((3, 2)))[0].round(6).tolist()
    [3.0, 5.0]
    """
    n, k = start.shape
    most, basis = min(STEPS[1], n), []
    tridiagonal = np.zeros((k, most, most))
    y, norm = _orthogonal(start, [apart])
    for step in range(most):
        basis.append(np.divide(y, norm, out=np.zeros((n, k)), where=norm > NOTHING))
        y = apply(basis[-1])
        tridiagonal[:, step, step] = np.einsum("nk,nk->k", basis[-1], y)
        values, vectors = np.linalg.eigh(tridiagonal[:, : step + 1, : step + 1])
        y, norm = _orthogonal(y, [apart, *basis])
        residual = norm * np.abs(vectors[:, -1, -1])
        if step + 1 >= STEPS[0] and (residual <= RESIDUAL * values[:, -1] + NOTHING).all():
            break
        if step + 1 < most:
            tridiagonal[:, step, step + 1] = tridiagonal[:, step + 1, step] = norm
    return values[:, -1], sum(each * vectors[:, i, -1] for i, each in enumerate(basis))


def _orthogonal(y, others):
    """What is left of y beside the others, and its length; twice, since once leaves roundoff."""
    for _ in (0, 1):
        for other in others:
            y = y - other * np.einsum("nk,nk->k", other, y)
    return y, np.sqrt(np.einsum("nk,nk->k", y, y))
