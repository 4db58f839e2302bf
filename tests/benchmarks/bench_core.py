"""Tables and measures: against scikit-learn and a bare np.bincount, in one run."""

import numpy as np
from scipy.stats import entropy
from sklearn import metrics

import evalcore as ec

from .timing import best_of

MILLION = 10**6


def rows():
    rng = np.random.default_rng(0)
    gold, predicted = rng.integers(0, 100, MILLION), rng.integers(0, 100, MILLION)
    everything = [m.name for m in ec.MEASURES.values() if m.needs != "split" and not m.name.startswith("AMI")]
    codes = gold * 100 + predicted
    ours = best_of(lambda: ec.score(ec.Contingency.from_labels(gold, predicted), everything), 15)
    yield (
        "all measures but AMI, 1e6 int labels, 100 x 100",
        ours,
        "sklearn v_measure_score",
        best_of(lambda: metrics.v_measure_score(gold, predicted), 3),
        ">= 15 (aim 25)",
    )
    yield (
        "the same",
        ours,
        "np.bincount of known codes",
        best_of(lambda: np.bincount(codes, minlength=10**4), 15),
        ">= 1/3",
    )
    names = np.array([f"label{i}" for i in range(100)], dtype=object)
    texts = names[gold], names[predicted]
    yield (
        "all measures but AMI, 1e6 strings (object)",
        best_of(lambda: ec.score(ec.Contingency.from_labels(*texts), everything), 9),
        "sklearn v_measure_score",
        best_of(lambda: metrics.v_measure_score(*texts), 1),
        ">= 50",
    )
    wide = rng.integers(0, 10**5, MILLION), rng.integers(0, 10**5, MILLION)
    yield (
        "all measures but AMI, 1e6 labels, 1e5 x 1e5 possible cells",
        best_of(lambda: ec.score(ec.Contingency.from_labels(*wide), everything), 1),
        "sklearn v_measure_score",
        best_of(lambda: metrics.v_measure_score(*wide), 1),
        "no dense array; CEAF_e NaN",
    )
    yield from batch_rows(rng)
    yield (
        "AMI, 1e6 labels, 100 x 100",
        best_of(lambda: ec.score(ec.Contingency.from_labels(gold, predicted), ["AMI"]), 5),
        "sklearn adjusted_mutual_info_score",
        best_of(lambda: metrics.adjusted_mutual_info_score(gold, predicted), 1),
        ">= 50",
    )


def batch_rows(rng):
    """The peer is timed on 40 of the tables, from labels at hand, and multiplied up."""
    tables = rng.integers(0, 20, (10_000, 10, 10))
    ours = best_of(lambda: ec.score(tables, ["V", "VI", "NVI", "Rand", "ARI", "FM", "Jaccard"]), 5)
    labels = [
        tuple(map(np.array, ec.Contingency.from_matrix(t, range(10), range(10)).to_labels())) for t in tables[:40]
    ]

    def loop():
        for g, p in labels:
            metrics.v_measure_score(g, p)
            metrics.rand_score(g, p)
            metrics.adjusted_rand_score(g, p)
            metrics.fowlkes_mallows_score(g, p)
            # Jaccard from the pair matrix; VI and NVI from mutual information and entropies
            (_, n01), (n10, n11) = metrics.cluster.pair_confusion_matrix(g, p)
            n11 / (n11 + n10 + n01)
            hc, hk = entropy(np.bincount(g)), entropy(np.bincount(p))
            vi = hc + hk - 2 * metrics.mutual_info_score(g, p)
            vi / hc

    yield (
        "V, VI, NVI, Rand, ARI, FM, Jaccard of 10,000 tables of 10 x 10",
        ours,
        "looping sklearn (40 tables x 250)",
        best_of(loop, 3) * 250,
        ">= 1000",
    )
