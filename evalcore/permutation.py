"""The expected mutual information of two random partitions with given sizes, exactly (Vinh, Epps and Bailey 2010)."""

import numpy as np
from scipy.special import xlog1py

CHUNK = 1 << 15  # array elements at a time, so that a walk stays in the second-level cache
LARGE = 1e8  # expected overlap from which on a series gives all digits


def expected_mutual_information(class_sizes, cluster_sizes):
    """E[I] in nats over all ways to deal N items into classes and clusters of these (whole) sizes.

    Sizes lie on the last axis; leading axes are a batch. The overlap of a class of size a with a cluster of size b is
    hypergeometric. Its law is walked from the mode by ratios of neighbours and divided by its own sum, so no gammaln (with its
    cancellation at large N) is needed; each pair of sizes is done once, however many tables of the batch have it. In place of
    n log(n/mu) the sum takes n log(n/mu) - n + mu: the mean of n is mu, so nothing changes, but errors in the weights then
    cancel to first order. Where mu is large a series replaces the walk, so that no count is too large.

    >>> bool(expected_mutual_information([1, 1], [1, 1]) == np.log(2))
    True
    >>> expected_mutual_information([[5, 0], [2, 3]], [[2, 3], [5, 0]]).tolist()
    [0.0, 0.0]
    """
    a, b = (np.asarray(x, dtype=float) for x in (class_sizes, cluster_sizes))
    total = a.sum(axis=-1)
    if a.ndim == 1:
        return float(_same_total(a[None], b[None], float(total))[0])
    tables = a.reshape(-1, a.shape[-1]), b.reshape(-1, b.shape[-1])
    result = np.empty(len(tables[0]))
    for n in np.unique(total):
        these = total.ravel() == n
        result[these] = _same_total(*(x[these] for x in tables), float(n))
    return result.reshape(total.shape)


def _same_total(a, b, total):
    """E[I] for tables of the same number of items; a (tables, classes), b (tables, clusters)."""
    if total <= 1:
        return np.zeros(len(a))
    (sizes_a, at_a), (sizes_b, at_b) = (np.unique(x, return_inverse=True) for x in (a, b))
    if len(a) == 1:  # count equal sizes rather than look each pair of them up
        times_a, times_b = np.bincount(at_a.ravel()), np.bincount(at_b.ravel())
        pairs = np.indices((len(sizes_a), len(sizes_b))).reshape(2, -1)
        return np.array([np.outer(times_a, times_b).ravel() @ _terms(sizes_a[pairs[0]], sizes_b[pairs[1]], total)])
    pair = at_a.reshape(a.shape)[:, :, None] * len(sizes_b) + at_b.reshape(b.shape)[:, None, :]
    used, place = np.unique(pair, return_inverse=True)
    return _terms(sizes_a[used // len(sizes_b)], sizes_b[used % len(sizes_b)], total)[place.reshape(len(a), -1)].sum(
        axis=1
    )


def _terms(a, b, total):
    """The contribution of each pair of sizes, those with similar windows together; 0 where a size is 0."""
    terms = np.zeros(len(a))
    large = a * b >= LARGE * total
    terms[large] = _series(a[large], b[large], total)
    spread = np.sqrt(_variance(a, b, total))
    # Beyond 9 standard deviations (or 22 counts where the law is nearly Poisson with a small mean) less than 1e-17 is left.
    reach = np.minimum(np.ceil(9 * spread + 22), np.minimum(a, b) - np.maximum(0.0, a + b - total))
    order = np.argsort(reach)
    order = order[((a * b > 0) & ~large)[order]]
    start = 0
    while start < len(order):
        # pairs with the next larger reaches, as many as fit a chunk (at least one)
        room = (reach[order[start : start + CHUNK]] * 2 + 1) * np.arange(1, len(order[start : start + CHUNK]) + 1)
        stop = start + max(1, int(np.searchsorted(room, CHUNK, side="right")))
        pick = order[start:stop]
        terms[pick] = _pair_terms(a[pick], b[pick], total, int(reach[pick].max()))
        start = stop
    return terms


def _variance(a, b, total):
    """Of the overlap of a class of size a with a cluster of size b."""
    return a * b / total * (total - a) / total * (total - b) / (total - 1)


def _series(a, b, total):
    """E[n log(n/mu) - n + mu] / N from the moments of d = n - mu: d^2/2mu - d^3/6mu^2 + d^4/12mu^3; what follows is less than
    that by a factor of mu^2. The fourth moment is 3 variance^2, but for as little."""
    mu, variance = a * b / total, _variance(a, b, total)
    third = variance * (total - 2 * a) / total * (total - 2 * b) / (total - 2)
    return (variance / (2 * mu) - third / (6 * mu**2) + variance**2 / (4 * mu**3)) / total


def _pair_terms(a, b, total, reach):
    """For each pair of sizes: E[n log(n/mu) - n + mu] / N, over a window of `reach` counts to both sides of the mode."""
    mode = np.floor((a + 1) * (b + 1) / (total + 2))
    mode = np.clip(mode, np.maximum(0.0, a + b - total), np.minimum(a, b))[:, None]
    a, b = a[:, None], b[:, None]
    mu, rest = a * b / total, total - a - b
    steps = np.arange(reach, dtype=float)
    up, down = mode + steps, mode - steps
    # Past either end of the law's support a factor is 0 and the product stays there; the denominators are at least 1.
    weights_up = np.cumprod(np.maximum(a - up, 0) * np.maximum(b - up, 0) / ((up + 1) * (rest + up + 1)), axis=1)
    weights_down = np.cumprod(
        np.maximum(down, 0) * np.maximum(rest + down, 0) / ((a - down + 1) * (b - down + 1)), axis=1
    )
    mass = 1 + weights_up.sum(axis=1) + weights_down.sum(axis=1)
    value = (weights_up * _divergence(up + 1, mu)).sum(axis=1)
    value += (weights_down * _divergence(np.maximum(down - 1, 0), mu)).sum(axis=1)
    value += _divergence(mode, mu)[:, 0]
    return value / (mass * total)


def _divergence(n, mu):
    """n log(n/mu) - n + mu, which is mu at n = 0; by log1p, for near mu the two parts all but cancel."""
    return xlog1py(n, (n - mu) / mu) - (n - mu)
