"""The expected mutual information of two random partitions with given sizes, exactly (Vinh, Epps and Bailey 2010)."""

import math

import numpy as np

CHUNK = 1 << 15  # array elements at a time, so that a walk stays in the second-level cache


def expected_mutual_information(class_sizes, cluster_sizes) -> float:
    """E[I] in nats over all ways to deal N items into classes and clusters of these (whole) sizes.

    The overlap of a class of size a with a cluster of size b is hypergeometric. Its law is walked from the mode by ratios
    of neighbours and divided by its own sum, so no gammaln (with its cancellation at large N) is needed; pairs of equal
    sizes are done once. In place of n log(n/mu) the sum takes n log(n/mu) - n + mu: the mean of n is mu, so nothing
    changes, but errors in the weights then cancel to first order.

    >>> expected_mutual_information([1, 1], [1, 1]) == math.log(2)
    True
    >>> expected_mutual_information([5], [2, 3])
    0.0
    """
    total = float(np.sum(class_sizes))
    (a, times_a), (b, times_b) = (np.unique(np.asarray(x, dtype=float), return_counts=True)
                                  for x in (class_sizes, cluster_sizes))
    (a, times_a), (b, times_b) = (a[a > 0], times_a[a > 0]), (b[b > 0], times_b[b > 0])
    if total <= 1 or (len(a), times_a[0]) == (1, 1) or (len(b), times_b[0]) == (1, 1):
        return 0.0  # one class or one cluster: every table is the same
    times = np.outer(times_a, times_b).ravel().astype(float)
    a, b = np.repeat(a, len(b)), np.tile(b, len(a))
    spread = np.sqrt(a * b * (total - a) * (total - b) / (total * total * max(total - 1, 1.0)))
    # Beyond 9 standard deviations (or 22 counts where the law is nearly Poisson with a small mean) less than 1e-17 is left.
    reach = np.minimum(np.ceil(9 * spread + 22), np.minimum(a, b) - np.maximum(0.0, a + b - total))
    order = np.argsort(reach)
    parts, start = [], 0
    while start < len(order):
        # pairs with the next larger reaches, as many as fit a chunk (at least one)
        stop = start + int(np.searchsorted(
            (reach[order[start:]] * 2 + 1) * np.arange(1, len(order) - start + 1), CHUNK, side="right"))
        pick = order[start:max(stop, start + 1)]
        parts.append(float(times[pick] @ _pair_terms(a[pick], b[pick], total, int(reach[pick].max()))))
        start = max(stop, start + 1)
    return math.fsum(parts)


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
    weights_down = np.cumprod(np.maximum(down, 0) * np.maximum(rest + down, 0) / ((a - down + 1) * (b - down + 1)), axis=1)
    mass = 1 + weights_up.sum(axis=1) + weights_down.sum(axis=1)
    value = (weights_up * _divergence(up + 1, mu)).sum(axis=1)
    value += (weights_down * _divergence(np.maximum(down - 1, 0), mu)).sum(axis=1)
    value += _divergence(mode, mu)[:, 0]
    return value / (mass * total)


def _divergence(n, mu):
    """n log(n/mu) - n + mu, which is mu at n = 0."""
    return n * np.log(np.maximum(n, 1e-300) / mu) - (n - mu)
