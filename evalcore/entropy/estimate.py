"""Entropy of counts by any estimator, and the coefficients of the linear ones."""

import math
from functools import lru_cache

import numpy as np

from ..errors import InputError
from .registry import Estimator, resolve

_TABLE = 4096  # coefficients up to this sample size always come from a table
_CACHED = 2**18  # tables of larger samples are not kept
_LONGEST = 10**8  # coefficients that are listed
_ROWS = 4096  # rows given to a nonlinear estimator at a time
_EXACT = 2**53  # whole numbers above this are not all representable


def entropy(counts, estimator: str | Estimator = "ML", support=None) -> float | np.ndarray:
    """Estimate the entropy, in nats, of the distribution that `counts` were drawn from.

    Parameters
    ----------
    counts : array_like, shape (..., outcomes)
        How often each outcome was seen; leading axes make a batch. Zeros are empty slots and change nothing.
    estimator : str or Estimator
        A name from `ESTIMATORS`; "Dirichlet(0.5)" sets that estimator's prior weight.
    support : int or array_like, optional
        Number of possible outcomes, broadcast over the leading axes; that of the outcomes seen if not given.

    Returns
    -------
    float or ndarray
        One estimate for each set of counts. Nothing is clamped: estimates may exceed log(support).

    Examples
    --------
    >>> round(entropy([5, 3, 2]), 6)
    1.029653
    >>> entropy([[5, 3, 2], [4, 4, 2]], "JK").round(6).tolist()
    [1.149702, 1.174098]
    >>> round(entropy([5, 3, 2], "BUB", support=5), 6)
    1.275678
    """
    estimator = resolve(estimator)
    counts = _checked(counts, estimator)
    lead = counts.shape[:-1]
    rows = counts.reshape(math.prod(lead), counts.shape[-1])
    n = rows.sum(axis=1)
    observed = np.count_nonzero(rows, axis=1)
    _check_occupied(observed, lead)
    m = _checked_support(support, observed, lead)
    if len(rows) == 0:
        return np.zeros(lead)
    if estimator.kind == "linear":
        estimates = _linear(rows, n, m, observed, estimator)
    else:
        estimates = np.empty(len(rows))
        for first in range(0, len(rows), _ROWS):
            part = slice(first, first + _ROWS)
            estimates[part] = estimator.compute(rows[part], n[part].astype(float), m[part].astype(float))
    return estimates.reshape(lead) if lead else float(estimates[0])


def coefficients(estimator: str | Estimator, n: int, support: int | None = None) -> np.ndarray:
    """The coefficients a_0..a_n of a linear estimator for sample size `n`, read-only.

    `support`, the number of possible outcomes, is needed only where they depend on it (BUB, Dirichlet).

    Examples
    --------
    >>> coefficients("BUB", n=10, support=5)[:4].round(6).tolist()
    [0.068573, 0.249403, 0.362034, 0.404641]
    """
    estimator = resolve(estimator)
    require_linear(estimator, "coefficients")
    n = whole(n, "The sample size")
    if n > _LONGEST:
        raise InputError(f"The sample size is {n}, and lists of more than {_LONGEST:,} coefficients are not made.")
    if support is None and not estimator.shared_coefficients:
        raise InputError(f"{estimator.name}'s coefficients depend on the number of possible outcomes: give support.")
    if support is not None:
        support = whole(support, "The number of possible outcomes")
    return coefficient_table(estimator, n, support)


def coefficient_table(estimator, n, support):
    """`coefficients` for arguments known to be good; small and middling tables are kept."""
    if estimator.shared_coefficients:
        support = None
    if n < _TABLE:
        return _small_table(estimator, n, support)
    return _large_table(estimator, n, support) if n < _CACHED else _table(estimator, n, support)


def _table(estimator, n, support):
    a = np.asarray(estimator.compute(np.arange(n + 1), n, support))
    a.flags.writeable = False
    return a


_small_table = lru_cache(maxsize=4096)(_table)
_large_table = lru_cache(maxsize=32)(_table)


def require_linear(estimator, what):
    """Refuse a nonlinear estimator where `what` exists for linear ones only."""
    if estimator.kind != "linear":
        raise InputError(f"{estimator.name} is not a linear estimator; only linear ones have {what}.")


def whole(value, what):
    """`value` as an int of at least 1, or an error that names it as `what`."""
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        number = 0
    if number < 1 or number != value:
        raise InputError(f"{what} must be a whole number of at least 1, not {value!r}.")
    return number


def _linear(rows, n, m, observed, estimator):
    """sum of a[n_i] over the outcomes seen, plus a_0 for each one that was not."""
    shared = estimator.shared_coefficients
    if (n == n[0]).all() and (shared or (m == m[0]).all()):
        return _one_size(rows, n[0], m, observed, estimator)
    sizes, group = np.unique(n, return_inverse=True)
    # with many sample sizes their tables would be longer than the data
    if estimator.elementwise and (rows.dtype.kind == "f" or sizes.sum() > rows.size):
        return _direct(rows, n[:, None], m[:, None], m - observed, estimator)
    if not shared:
        supports, of_support = np.unique(m, return_inverse=True)
        group = group * len(supports) + of_support
    estimates = np.empty(len(n))
    order = np.argsort(group, kind="stable")
    for chosen in np.split(order, np.flatnonzero(np.diff(group[order])) + 1):
        estimates[chosen] = _one_size(rows[chosen], n[chosen[0]], m[chosen], observed[chosen], estimator)
    return estimates


def _one_size(rows, n, m, observed, estimator):
    """Rows that share their sample size and, where it matters, their support."""
    if rows.dtype.kind == "f" or n > max(_TABLE, rows.size):
        return _direct(rows, n, m[0], m - observed, estimator)
    a = coefficient_table(estimator, int(n), int(m[0]))
    seen = a.copy()
    seen[0] = 0.0
    return seen[rows].sum(axis=1) + (m - observed) * a[0]


def _direct(rows, n, m, empty, estimator):
    """The coefficients evaluated at the counts themselves."""
    a = np.where(rows > 0, estimator.compute(rows, n, m), 0.0)
    blank = np.ravel(estimator.compute(np.zeros((1, 1), dtype=rows.dtype), n, m))
    return a.sum(axis=1) + empty * blank


def _checked(counts, estimator):
    """`counts` as an array of finite, non-negative numbers: integers unless the estimator takes fractions."""
    array = _numbers(counts)
    if array.ndim == 0:
        raise InputError("Counts must be a sequence of numbers, one for each outcome.")
    if array.size == 0:
        return array
    if not array.min() >= 0:  # also true of NaN
        at = _first(~(array >= 0))
        raise InputError(f"Counts must not be negative or missing; {_position(at)} has {array[at]:g}.")
    if array.dtype.kind == "f":
        if np.isinf(array.max()):
            raise InputError(f"Counts must be finite; {_position(_first(np.isinf(array)))} is infinite.")
        if not estimator.whole_counts:
            return array
        fractional = array != np.rint(array)
        if fractional.any():
            at = _first(fractional)
            raise InputError(f"{estimator.name} needs whole counts; {_position(at)} has {array[at]:g}.")
    if array.max() >= _EXACT:
        raise InputError(f"Counts of 2^53 or more are not exact; {_position(_first(array >= _EXACT))} is too large.")
    return array.astype(np.int64, copy=False)


def _numbers(counts):
    """`counts` as an array of integers or of float64."""
    try:
        # what is masked is missing
        array = counts.astype(float).filled(np.nan) if np.ma.is_masked(counts) else np.asarray(counts)
        if array.dtype.kind in "bui" or array.dtype == float:
            return array.astype(np.int64) if array.dtype.kind == "b" else array
        if array.dtype.kind in "fO":
            return array.astype(float)
    except (TypeError, ValueError):
        pass
    raise InputError("Counts must be numbers, with equally many outcomes in every row.")


def _check_occupied(observed, lead):
    """Refuse rows without a single count."""
    if 0 in observed:
        row = int(np.argmin(observed))
        where = f"row {_row(np.unravel_index(row, lead))}: " if lead else ""
        raise InputError(f"{where}every count is zero, and an empty sample has no entropy.".capitalize())


def _checked_support(support, observed, lead):
    """The number of possible outcomes of each row."""
    if support is None:
        return observed
    try:
        given = np.asarray(support)
        m = np.broadcast_to(given, lead).reshape(-1)
    except ValueError:
        raise InputError("The support must be one number, or one for each row of counts.") from None
    whole_numbers = given.dtype.kind == "f" and np.all(np.isfinite(given) & (given == np.rint(given)))
    if given.dtype.kind not in "iu" and not whole_numbers:
        raise InputError(f"The number of possible outcomes must be whole, not {support!r}.")
    m = m.astype(np.int64)
    short = m < observed
    if short.any():
        row = int(np.argmax(short))
        where = f"row {_row(np.unravel_index(row, lead))} has" if lead else "there are"
        raise InputError(f"The support is {m[row]}, but {where} {observed[row]} outcomes with counts.")
    return m


def _first(mask):
    return tuple(int(i) for i in np.unravel_index(np.argmax(mask), mask.shape))


def _row(index):
    return ", ".join(str(int(i) + 1) for i in index)


def _position(index):
    """Where an outcome stands, counted from 1."""
    return f"outcome {index[-1] + 1}" if len(index) == 1 else f"row {_row(index[:-1])}, outcome {index[-1] + 1}"
