"""The clusterers at the papers' scale, and the pages' default figures; most have no peer."""

import time

from evalcore.clusterers import datasets, distributional, experiments, mdl, sweep
from evalcore.clusterers.counts import known_model, made


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def rows():
    large = made(1_000, 2_100, 20, skew=1.0, sample_size=1_100_000, frequency_skew=0.8, seed=1)
    for energy in ("mdl", "mle"):
        yield (
            f"Li and Abe, {energy.upper()}, 1,000 x 2,100, 1.1 M pairs",
            seconds(lambda e=energy: mdl.cluster(large, e)),
            "",
            None,
            "10 s",
        )
    yield (
        "Pereira, Tishby and Lee, the same, to 32 clusters",
        seconds(lambda: distributional.anneal(large, 32)),
        "",
        None,
        "10 s",
    )
    pairs, items = made(), datasets.load("digits")
    yield (
        "Li and Abe's Experiment 1, 120 trees",
        seconds(lambda: experiments.experiment_1(known_model())),
        "",
        None,
        "3 s",
    )
    yield "annealing, 32 x 20, to 16 clusters", seconds(lambda: distributional.anneal(pairs)), "", None, "3 s"
    yield "held-out curves, the same", seconds(lambda: experiments.held_out_curves(pairs)), "", None, "3 s"
    ks = sweep.ks_around(items.gold)
    yield (
        f"k-means over {len(ks)} numbers of clusters, digits",
        seconds(lambda: sweep.sweep(items.X, ks)),
        "",
        None,
        "3 s",
    )
    yield "Ward linkage, the same", seconds(lambda: sweep.sweep(items.X, ks, "ward")), "", None, "3 s"
    from sklearn.cluster import AgglomerativeClustering

    solutions = sweep.sweep(items.X, ks, "ward")
    ours = seconds(lambda: sweep.sweep(items.X, ks, "ward"))
    theirs = seconds(lambda: [AgglomerativeClustering(k).fit(items.X) for k in ks])
    yield "Ward for all k at once", ours, "scikit-learn, each k", theirs, "faster"
    names = ["V", "VI", "NVI", "Q2", "AMI", "ARI", "h", "c"]
    yield (
        "scores of these, four estimators",
        seconds(lambda: sweep.sweep_scores(solutions, items.gold, names, ["ML", "MM", "JK", "BUB"])),
        "",
        None,
        "1 s",
    )
