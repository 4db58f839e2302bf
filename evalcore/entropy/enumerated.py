"""The exact bias of any estimator, linear or not, in small samples: over all samples that there are."""

import math

import numpy as np
from scipy.special import entr, gammaln

from ..errors import InputError
from .estimate import entropy, whole
from .exact import checked_distribution
from .registry import Estimator

MOST_SAMPLES = 200_000  # count vectors of one size


def samples(p, n: int) -> tuple[np.ndarray, np.ndarray]:
    """All count vectors (samples, outcomes) of n draws from `p`, and how probable each is.

    >>> counts, chance = samples([0.5, 0.5], 2)
    >>> counts.tolist(), chance.round(3).tolist()
    ([[0, 2], [1, 1], [2, 0]], [0.25, 0.5, 0.25])
    """
    p, n = checked_distribution(p), whole(n, "The sample size")
    number = math.comb(n + len(p) - 1, len(p) - 1)
    if number > MOST_SAMPLES:
        raise InputError(
            f"There are {number:,} different samples of {n} from {len(p)} outcomes; "
            f"up to {MOST_SAMPLES:,} can be listed."
        )
    counts = np.zeros((1, 0), dtype=np.int64)
    for _ in range(len(p) - 1):  # one outcome after the other takes 0 to what is left
        left = n - counts.sum(axis=1)
        taken = np.concatenate([np.arange(x + 1) for x in left])
        counts = np.column_stack([np.repeat(counts, left + 1, axis=0), taken])
    counts = np.column_stack([counts, n - counts.sum(axis=1)])
    logs = gammaln(n + 1) - gammaln(counts + 1).sum(axis=1) + counts @ np.log(p)
    return counts, np.exp(logs)


def small_sample_bias(p, n: int, estimator: str | Estimator = "ML", support: int | None = None) -> float:
    """The mean estimate, over all samples of size n from `p`, minus the true entropy; in nats.

    `support` is the number of outcomes that the estimator is told: the true one if not given.

    >>> round(small_sample_bias([0.25] * 4, 10, "ChaoShen"), 4)
    -0.0175
    """
    counts, chance = samples(p, n)
    support = counts.shape[1] if support is None else support
    # an estimate does not depend on the order of the counts
    distinct, place = np.unique(np.sort(counts, axis=1), axis=0, return_inverse=True)
    estimates = entropy(distinct, estimator, np.full(len(distinct), support))
    return float(chance @ estimates[place.ravel()] - entr(checked_distribution(p)).sum())
