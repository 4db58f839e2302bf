"""VI's convex additivity, as numbers: what splitting a cluster does to VI depends on that cluster alone."""

import math
from dataclasses import dataclass

import numpy as np

from .contingency import Contingency
from .scoring import nats_in
from .statistics import Statistics


@dataclass(frozen=True)
class SplitLoss:
    """What a split does to VI, part by part, by maximum likelihood.

    VI is a sum over clusters, so a split touches one term: after = before - own + sum(parts). In terms of
    information, after = before - told + torn; and told + torn is VI between the clustering before and after,
    which is the cluster's mass times the entropy of its parts (Meilă 2007).
    """

    before: float  # VI with the cluster whole
    own: float  # the cluster's share of it
    parts: tuple[float, float]  # the shares of what stays and of what is split off
    after: float  # VI with the cluster split
    told: float  # what the parts tell about the classes
    torn: float  # how far the parts tear classes apart
    distance: float  # VI between the clustering before and after

    @property
    def predicted(self) -> float:
        """VI after, from what was known before and the two parts."""
        return self.before - self.own + sum(self.parts)


def vi_of_split(table: Contingency, cluster, part, base: float = math.e) -> SplitLoss:
    """VI before and after splitting `part` (a count for each class) off a cluster, and what it is made of.

    >>> loss = vi_of_split(Contingency.from_matrix([[2, 0], [2, 4]]), "k1", [2, 0])
    >>> round(loss.before, 3), round(loss.after, 3), round(loss.told, 3), round(loss.torn, 3)
    (0.824, 0.477, 0.347, 0.0)
    >>> math.isclose(loss.predicted, loss.after) and math.isclose(loss.told + loss.torn, loss.distance)
    True
    """
    whole = Contingency(table.counts, table.classes, table.clusters)  # of a soft table, the expected counts
    at, unit = whole._position(cluster, "cluster"), nats_in(base)
    split = whole.split(cluster, part)
    before, after = Statistics(whole), Statistics(split)
    parts = _shares(after)[at : at + 2] / unit
    told = torn = 0.0
    pieces = split.counts[:, at : at + 2]
    if pieces.any():
        inside, mass = Statistics(pieces).entropies, pieces.sum() / whole.n
        told, torn = (float(mass * x) / unit for x in (inside.mutual, inside.K_given_C))
    own = float(_shares(before)[at] / unit)
    return SplitLoss(
        _vi(before) / unit,
        own,
        (float(parts[0]), float(parts[1])),
        _vi(after) / unit,
        told,
        torn,
        _distance(split.cluster_sizes, at) / unit,
    )


def _vi(statistics):
    return float(statistics.entropies.C_given_K + statistics.entropies.K_given_C)


def _shares(statistics):
    """Each cluster's share of VI."""
    terms = statistics.cell_terms()
    return statistics.cells.sum_by_cluster(terms["H(C|K)"] + terms["H(K|C)"])


def _distance(sizes, at):
    """VI between the clusters after a split (columns) and before it, when the two from `at` on were one."""
    joined = np.zeros((len(sizes) - 1, len(sizes)), dtype=sizes.dtype)
    for k, size in enumerate(sizes):
        joined[k - (k > at), k] = size
    return _vi(Statistics(joined))
