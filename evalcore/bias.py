"""A table of the exact mean, bias, spread and error of linear estimators for a known distribution."""

import math
from collections.abc import Callable

import numpy as np
import pandas as pd

from .entropy import ESTIMATORS, moments
from .entropy import resolve as resolve_estimator
from .errors import InputError
from .scoring import nats_in


def zipf(support: int, exponent: float) -> np.ndarray:
    """Probabilities proportional to 1, 1/2^s, 1/3^s, ...; s = 0 is the uniform distribution.

    >>> zipf(3, 1).round(4).tolist()
    [0.5455, 0.2727, 0.1818]
    """
    if support < 1:
        raise InputError(f"A distribution has at least one outcome, not {support}.")
    if not 0 <= exponent < math.inf:
        raise InputError(f"Zipf's exponent must be a finite number of at least 0, not {exponent!r}.")
    weights = np.arange(1.0, support + 1) ** -exponent
    return weights / weights.sum()


def bias_table(
    p,
    sizes,
    estimators=("ML",),
    support: int | None = None,
    base: float = math.e,
    progress: Callable | None = None,
) -> pd.DataFrame:
    """One row for each sample size and estimator: truth, mean, bias, sd and rmse, in units of the base.

    `support` is the number of outcomes that the estimators are told; by default those with any probability.

    >>> bias_table(zipf(10, 0), [10], ["ML", "JK"]).bias.round(3).tolist()
    [-0.533, -0.039]
    """
    unit = nats_in(base)
    chosen = [resolve_estimator(estimator) for estimator in estimators]
    for estimator in chosen:
        if estimator.kind != "linear":
            linear = ", ".join(name for name, known in ESTIMATORS.items() if known.kind == "linear")
            raise InputError(f"{estimator.name} is not linear, so its bias has no exact form; linear are {linear}.")
    rows, total = [], len(sizes) * len(chosen)
    for size in sizes:
        for estimator in chosen:
            m = moments(p, size, estimator, support)
            rows.append((size, estimator.name, *(x / unit for x in (m.truth, m.mean, m.bias, m.sd, m.rmse))))
            if progress:
                progress(len(rows), total)
    return pd.DataFrame(rows, columns=["n", "estimator", "truth", "mean", "bias", "sd", "rmse"])
