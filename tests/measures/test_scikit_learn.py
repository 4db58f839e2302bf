"""Agreement with scikit-learn to 1e-12 on random tables, for every measure that it has."""

import numpy as np
import pytest
from sklearn import metrics

import evalcore as ec

PEERS = {
    "V": metrics.v_measure_score,
    "h": metrics.homogeneity_score,
    "c": metrics.completeness_score,
    "V(0.5)": lambda g, p: metrics.v_measure_score(g, p, beta=0.5),
    "V(3)": lambda g, p: metrics.v_measure_score(g, p, beta=3),
    "MI": metrics.mutual_info_score,
    "Rand": metrics.rand_score,
    "ARI": metrics.adjusted_rand_score,
    "FM": metrics.fowlkes_mallows_score,
    "NMI": lambda g, p: metrics.normalized_mutual_info_score(g, p, average_method="arithmetic"),
    "NMI_geometric": lambda g, p: metrics.normalized_mutual_info_score(g, p, average_method="geometric"),
    "NMI_max": lambda g, p: metrics.normalized_mutual_info_score(g, p, average_method="max"),
    "NMI_min": lambda g, p: metrics.normalized_mutual_info_score(g, p, average_method="min"),
    "AMI": metrics.adjusted_mutual_info_score,
    "AMI_max": lambda g, p: metrics.adjusted_mutual_info_score(g, p, average_method="max"),
}


def random_labels(seed, n, classes, clusters, noise):
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, classes, n)
    return gold, np.where(rng.random(n) < noise, rng.integers(0, clusters, n), gold % clusters)


@pytest.mark.parametrize(
    "seed, n, classes, clusters, noise",
    [
        (0, 30, 3, 3, 0.5),
        (1, 200, 10, 4, 0.3),
        (2, 200, 4, 50, 0.9),
        (3, 1000, 20, 20, 1.0),
        (4, 1000, 2, 2, 0.01),
        (5, 5000, 40, 7, 0.6),
    ],
)
def test_agrees(seed, n, classes, clusters, noise):
    gold, predicted = random_labels(seed, n, classes, clusters, noise)
    ours = ec.score(ec.Contingency.from_labels(gold, predicted), list(PEERS))
    for name, peer in PEERS.items():
        # scikit-learn's own E[I] is off by more than 1e-12 at larger n (see test_permutation)
        tolerance = 1e-12 if not name.startswith("AMI") or n <= 200 else 1e-10
        assert ours[name] == pytest.approx(peer(gold, predicted), abs=tolerance), name


def test_pair_counts_agree():
    gold, predicted = random_labels(7, 300, 5, 8, 0.5)
    (n00, n01), (n10, n11) = metrics.cluster.pair_confusion_matrix(gold, predicted) / 2
    assert ec.Statistics(ec.Contingency.from_labels(gold, predicted)).pairs == (n11, n10, n01, n00)
