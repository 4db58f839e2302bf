"""Entropies of soft answers: exact expectations over the hard samples that the answers stand for.

An instance that belongs to cluster k with probability P_ik makes every cluster's size a Poisson-binomial
count, so that a linear estimator's expectation is E[H] = sum_k sum_j a_j P(n_k = j) (Li, Titov and
Sporleder 2014).
"""

import math

import numpy as np

from ..errors import InputError
from .estimate import coefficient_table, require_linear, whole
from .registry import Estimator, resolve

_CELLS = 4_000_000  # array elements of one recursion


def poisson_binomial(p) -> np.ndarray:
    """Distribution of the number of successes of independent trials with probabilities `p`.

    Parameters
    ----------
    p : array_like, shape (..., trials)

    Returns
    -------
    ndarray, shape (..., trials + 1)
        Probabilities of 0, 1, ... successes. Only non-negative numbers are added: no digits are lost.

    Examples
    --------
    >>> poisson_binomial([0.5, 0.5]).tolist()
    [0.25, 0.5, 0.25]
    """
    p = _numbers(p, "Probabilities")
    if p.ndim == 0:
        raise InputError("Probabilities must be a sequence of numbers, one for each trial.")
    _check_probabilities(p)
    lead = p.shape[:-1]
    law = _law(p.reshape(math.prod(lead), p.shape[-1]).T)
    return np.ascontiguousarray(law.T).reshape(*lead, -1)


def expected_entropy(probabilities, estimator: str | Estimator = "ML", support: int | None = None) -> float:
    """Expected estimate of the entropy when instance t has outcome i with probability `probabilities[t, i]`.

    Parameters
    ----------
    probabilities : array_like, shape (instances, outcomes)
        Rows add up to 1.
    estimator : str or Estimator
        A linear one.
    support : int, optional
        Number of possible outcomes; those with any probability if not given.

    Examples
    --------
    >>> round(expected_entropy([[0.5, 0.5], [0.5, 0.5]]), 6)  # log 2 half of the time, else 0
    0.346574
    """
    estimator = resolve(estimator)
    require_linear(estimator, "an exact expectation")
    p = _memberships(probabilities, "Probabilities")
    return _entropy(_expected_counts([p], len(p)), p.shape[1], support, p.shape[1], "outcomes", estimator)


def expected_triple(
    classes, memberships, estimator: str | Estimator = "ML", support=None
) -> tuple[float, float, float]:
    """Expected estimates of H(C), H(K) and H(C,K) for soft clusters, and hard or soft classes.

    Parameters
    ----------
    classes : array_like
        One code per instance, or an (instances, classes) array of probabilities with rows that add up to 1.
    memberships : array_like, shape (instances, clusters)
        Rows add up to 1.
    estimator : str or Estimator
        A linear one.
    support : sequence of three, optional
        Numbers of possible classes, clusters and cells. None stands for the classes with any mass, the
        clusters with any mass, and the product of these two.

    Examples
    --------
    >>> [round(h, 6) for h in expected_triple([0, 1], [[0.5, 0.5], [0.5, 0.5]])]
    [0.693147, 0.346574, 0.693147]
    """
    estimator = resolve(estimator)
    require_linear(estimator, "an exact expectation")
    p = _memberships(memberships, "Memberships")
    n, clusters = p.shape
    hard, g = _classes(classes, n)
    told = (None, None, None) if support is None else tuple(support)
    if len(told) != 3:
        raise InputError(f"Supports come in threes (classes, clusters, cells), not {len(told)}.")
    if hard is None:
        by_class, number = _expected_counts([g], n), g.shape[1]
        joint = [weights[weights > 0, None] * p[weights > 0] for weights in g.T]
    else:
        by_class, number = np.bincount(g, minlength=n + 1), len(g)
        joint = [p[hard == code] for code in range(len(g))]  # a cell's count comes from its class's instances alone
    joint = [cells[:, cells.any(axis=0)] for cells in joint]
    cells = sum(part.shape[1] for part in joint)
    return (
        _entropy(by_class, number, told[0], number, "classes", estimator),
        _entropy(_expected_counts([p], n), clusters, told[1], clusters, "clusters", estimator),
        _entropy(_expected_counts(joint, n), cells, told[2], number * clusters, "cells", estimator),
    )


def _law(p):
    """Poisson-binomial laws of the columns of `p` (trials, columns), as (trials + 1, columns)."""
    trials, columns = p.shape
    law = np.zeros((trials + 1, columns))
    law[0] = 1.0
    carried = np.empty_like(law)
    for t in range(trials):
        moved = np.multiply(law[: t + 1], p[t], out=carried[: t + 1])
        law[: t + 1] *= 1.0 - p[t]
        law[1 : t + 2] += moved
    return law


def _expected_counts(tables, n):
    """How many outcomes are expected to be seen 0, 1, ... n times; every column of every table holds one outcome's
    probabilities by instance."""
    expected = np.zeros(n + 1)
    for p in tables:
        # The order of the trials is all one, and those that cannot succeed may go: with many clusters most of them.
        p = -np.sort(-p, axis=0)
        trials = np.count_nonzero(p, axis=0)
        by_trials, at_once = np.argsort(trials), max(1, _CELLS // (len(p) + 1))
        for first in range(0, p.shape[1], at_once):
            chosen = by_trials[first : first + at_once]
            top = trials[chosen[-1]]
            expected[: top + 1] += _law(p[:top, chosen]).sum(axis=1)
    return expected


def _entropy(expected, positive, support, default, what, estimator):
    """E[H] by the numbers of outcomes expected for each count, `positive` outcomes in all and the rest without any mass.

    One product over all counts: sure answers, whose numbers are whole, lose exactly nothing where they are perfect.
    """
    m = default if support is None else whole(support, "The number of possible outcomes")
    if m < positive:
        raise InputError(f"The support is {m}, but {positive} {what} have mass.")
    a = coefficient_table(estimator, len(expected) - 1, m)
    return float(a @ expected + (m - positive) * a[0])


def _numbers(values, what):
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{what} must be numbers, with equally many in every row.") from None


def _check_probabilities(p):
    bad = ~((p >= 0) & (p <= 1))
    if bad.any():
        at = np.unravel_index(int(np.argmax(bad)), p.shape)
        place = ", ".join(str(int(i) + 1) for i in at)
        raise InputError(f"Probabilities must be between 0 and 1; the one at {place} is {p[at]}.")


def _memberships(values, what):
    """An (instances, outcomes) array of probabilities without the empty columns."""
    p = _numbers(values, what)
    if p.ndim != 2 or p.size == 0:
        raise InputError(f"{what} must be a table with one row for each instance.")
    _check_probabilities(p)
    off = np.abs(p.sum(axis=1) - 1) > 1e-9
    if off.any():
        at = int(np.argmax(off))
        raise InputError(f"{what} of an instance must add up to 1; row {at + 1} adds up to {p[at].sum():.10g}.")
    return p[:, p.any(axis=0)]


def _classes(classes, n):
    """Codes and sizes of hard classes; None and the (instances, classes) probabilities of soft ones."""
    given = np.asarray(classes)
    if given.ndim == 2:
        g = _memberships(given, "Class probabilities")
        if len(g) != n:
            raise InputError(f"There are {len(g)} instances with classes, but {n} with memberships.")
        return None, g
    if given.shape != (n,):
        raise InputError(f"There are {given.size} class codes for {n} instances.")
    _, codes, sizes = np.unique(given, return_inverse=True, return_counts=True)
    return codes, sizes
