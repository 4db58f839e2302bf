"""Distributions to sample from."""

import re
from fractions import Fraction

import numpy as np

from ..bias import zipf
from ..errors import InputError

__all__ = ["MOST_OUTCOMES", "geometric", "two_level", "uniform", "weights", "zipf"]

MOST_OUTCOMES = 2_000  # of a distribution typed in or chosen on the page: exact variances take seconds beyond it


def uniform(support: int) -> np.ndarray:
    """Equal probabilities.

    >>> uniform(4).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    return zipf(support, 0.0)


def geometric(support: int, ratio: float) -> np.ndarray:
    """Each probability is `ratio` times the one before.

    >>> geometric(3, 0.5).round(4).tolist()
    [0.5714, 0.2857, 0.1429]
    """
    if support < 1:
        raise InputError(f"A distribution has at least one outcome, not {support}.")
    if not 0 < ratio <= 1:
        raise InputError(f"The ratio of neighbours must be above 0 and at most 1, not {ratio!r}.")
    p = float(ratio) ** np.arange(support)
    return p / p.sum()


def two_level(support: int, heavy: int, share: float) -> np.ndarray:
    """`heavy` outcomes have `share` of the probability between them, evenly; all others the rest, evenly.

    >>> two_level(4, 1, 0.7).round(4).tolist()
    [0.7, 0.1, 0.1, 0.1]
    """
    if not 1 <= heavy < support:
        raise InputError(f"Of {support} outcomes at least 1 and at most {support - 1} can be heavy, not {heavy}.")
    if not 0 < share < 1:
        raise InputError(f"The share of the heavy outcomes must lie between 0 and 1, not {share!r}.")
    return np.concatenate([np.full(heavy, share / heavy), np.full(support - heavy, (1 - share) / (support - heavy))])


def weights(text: str) -> np.ndarray:
    """Probabilities from typed numbers, divided by their sum; fractions such as 1/3 are understood.

    >>> weights("2, 1 1").tolist()
    [0.5, 0.25, 0.25]
    """
    parts = [part for part in re.split(r"[\s,;]+", text.strip()) if part]
    if not parts:
        raise InputError("Type at least one weight, such as 5, 3, 2.")
    if len(parts) > MOST_OUTCOMES:
        raise InputError(f"There are {len(parts):,} weights; {MOST_OUTCOMES:,} are the limit.")
    values = np.array([_weight(part, place) for place, part in enumerate(parts, 1)])
    if not values.sum() > 0:
        raise InputError("At least one weight must be above 0.")
    return values / values.sum()


def _weight(part, place):
    try:
        if len(part) > 40:
            raise ValueError  # an exponent such as 1e999999999 must not be written out
        value = float(Fraction(part)) if "/" in part else float(part)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise InputError(f"Weight {place} is “{part[:40]}”, which is no number.") from None
    if not 0 <= value <= 1e100:
        raise InputError(f"Weight {place} is {part[:40]}; weights lie between 0 and 1e100.")
    return value
