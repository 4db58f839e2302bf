"""What each cell adds to the pair counts and to the entropies: functions of `DenseCells` or `SparseCells`."""

import numpy as np


def pair_terms(x):
    """Each cell's items times those in the same cell, of the same class only, of the same cluster only, and of neither."""
    yield x.n * x.n
    for others in _elsewhere(x):
        yield x.n * others


def log_terms(x):
    """n log(b/n), n log(a/n) and n log(nN/ab) of each cell; their sums are N times H(C|K), H(K|C) and I.

    By log1p of what a ratio has above 1, which is counted: where nearly all items lie in one cell the ratio itself would
    round it off. nN - ab is n times the items of neither, minus (a - n)(b - n); where that is negative, log(ab/nN) is taken.
    """
    of_class, of_cluster, of_neither = _elsewhere(x)
    n, a, b = x.divisors
    for of_side in (of_cluster, of_class):
        above = of_side / n
        yield np.multiply(np.log1p(above, out=above), x.n, out=above)
    above = x.n * of_neither
    above -= of_class * of_cluster
    smaller = a * b
    above /= np.minimum(smaller, n * x.total_at, out=smaller)
    logs = np.log1p(np.abs(above, out=smaller), out=smaller)
    yield np.multiply(np.copysign(logs, above, out=logs), x.n, out=logs)


def _elsewhere(x):
    """For each cell, the items of its class that lie elsewhere, those of its cluster, and the items of neither."""
    of_class, of_cluster = x.a_at - x.n, x.b_at - x.n
    return of_class, of_cluster, x.total_at - x.b_at - of_class
