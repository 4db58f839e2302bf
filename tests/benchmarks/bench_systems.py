"""The Systems page's work: files to board, resampling, and a weighted key of 15 MB scored soft."""

import time

import numpy as np
import scipy.stats

from evalcore.comparison import Policy, read_files
from evalcore.ranking import agreement, bootstrap_instances, bootstrap_words, flips, score_comparison

from .bench_keys import SEMEVAL, made_key
from .timing import best_of

ESTIMATORS = ["ML", "MM", "JK", "BUB"]


def rows():
    rng = np.random.default_rng(0)
    made = [("gold.key", made_key(rng, 4))] + [(f"system-{k}.key", made_key(rng, k)) for k in range(2, 10)]
    comparison = read_files(made).comparison()
    board = score_comparison(comparison, ["V"], ESTIMATORS)
    yield from resampling(comparison, board)
    yield (
        "agreement of 4 columns, and the pairs that flip",
        best_of(lambda: (agreement(board), flips(board, "V-ML", "V-BUB")), 5),
        "-",
        None,
        "-",
    )
    if SEMEVAL.is_dir():
        files = [(path.name, path.read_bytes()) for path in sorted(SEMEVAL.glob("*.key"))]
        yield (
            "SemEval-2010, 7 systems: bytes to a board of V x 4 estimators",
            best_of(lambda: score_comparison(read_files(files).comparison(), ["V"], ESTIMATORS), 3),
            "-",
            None,
            "<= 3 s with its figures",
        )
    yield from weighted(rng)


def resampling(comparison, board):
    values, sizes = board.words.values[:, :, 3], board.words.weights

    def with_scipy():
        """The same average by scipy's bootstrap, one system after another."""
        for scores, weights in zip(values, sizes, strict=True):
            scipy.stats.bootstrap(
                (scores, weights),
                lambda x, w, axis: (x * w).sum(axis=axis) / w.sum(axis=axis),
                n_resamples=1000,
                paired=True,
                vectorized=True,
                method="percentile",
                rng=0,
            )

    def ours():
        doubt = bootstrap_words(board, "V-BUB", 1000)
        return doubt.intervals(), doubt.wins(), doubt.sentences()

    yield (
        "1,000 resamples of 100 words, 8 systems: intervals, ranks, wins",
        best_of(ours, 5),
        "scipy.stats.bootstrap, intervals of scores only",
        best_of(with_scipy, 3),
        "<= 2 s",
    )
    yield (
        "200 resamples of 9,000 instances, 8 systems, V by BUB",
        best_of(lambda: bootstrap_instances(comparison, board, "V-BUB", replicates=200), 1),
        "-",
        None,
        "-",
    )


def weighted(rng):
    """8,915 instances, each in all of its word's 200 clusters or nearly so, as text of 15 MB."""
    lines = []
    for i in range(8915):
        chosen = rng.permutation(200)[:185].tolist()
        weights = rng.random(len(chosen)).round(3).tolist()
        lines.append(
            f"w{i % 100} w{i % 100}.{i} " + " ".join(f"c{k}/{w}" for k, w in zip(chosen, weights, strict=True))
        )
    data = "\n".join(lines).encode()
    gold = "\n".join(f"w{i % 100} w{i % 100}.{i} s{rng.integers(4)}" for i in range(8915)).encode()
    started = time.perf_counter()
    comparison = read_files([("gold.key", gold), ("weighted.key", data)]).comparison()
    steps = []
    score_comparison(comparison, ["V"], ESTIMATORS, Policy(soft=True), progress=lambda *step: steps.append(step))
    if len(steps) < 100:
        raise AssertionError("progress is reported word by word")
    what = f"weighted key of {len(data) / 1e6:.0f} MB, read and scored soft x 4 estimators"
    yield what, time.perf_counter() - started, "-", None, "<= 15 s"
