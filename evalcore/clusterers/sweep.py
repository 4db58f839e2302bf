"""Clusterings of the same items for many numbers of clusters, and what measures say of them."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import linkage

from ..contingency import Contingency
from ..errors import InputError
from ..measures import resolve
from ..scoring import scoreboard
from .datasets import scikit_learn

ALGORITHMS = {
    "k-means": "k-means: the best of four starts for each k",
    "ward": "Ward: merges what adds least variance",
    "average": "average linkage: merges the clusters with the nearest members on average",
}
STARTS = 4
LARGEST_TREE = 5_000  # items; agglomerative clustering needs all their distances
Progress = Callable[[int, int, str], None]


def default_ks(n: int, largest: int = 100, count: int = 18) -> list[int]:
    """Numbers of clusters from 1 up, evenly spread on a log axis.

    >>> default_ks(150, largest=20, count=8)
    [1, 2, 4, 6, 8, 13, 20]
    """
    return np.unique(np.rint(np.geomspace(1, min(n, largest), count)).astype(int)).tolist()


def sweep(
    X: np.ndarray, ks, algorithm: str = "k-means", seed: int = 0, progress: Progress | None = None
) -> dict[int, np.ndarray]:
    """Labels for each number of clusters.

    >>> X = np.array([[0.0], [0.1], [5.0], [5.1]])
    >>> [len(set(labels)) for labels in sweep(X, [1, 2, 4], "ward").values()]
    [1, 2, 4]
    """
    if algorithm not in ALGORITHMS:
        raise InputError(f"There is no algorithm called {algorithm!r}; there are {', '.join(ALGORITHMS)}.")
    ks = sorted({int(k) for k in ks})
    if not ks or ks[0] < 1 or ks[-1] > len(X):
        raise InputError(f"The numbers of clusters must lie between 1 and {len(X)}, the number of items.")
    if algorithm != "k-means":
        return _agglomerate(X, ks, algorithm, progress)
    KMeans, solutions = scikit_learn("sklearn.cluster").KMeans, {}
    # One thread: on so few items more gain little, and on a busy machine they wait for each other.
    with scikit_learn("threadpoolctl").threadpool_limits(1):
        for done, k in enumerate(ks):
            if progress:
                progress(done, len(ks), f"k-means with {k} clusters")
            solutions[k] = KMeans(k, n_init=STARTS, random_state=seed).fit(X).labels_.astype(np.intp)
    return solutions


def _agglomerate(X, ks, method, progress):
    n = len(X)
    if n > LARGEST_TREE:
        raise InputError(f"{n:,} items are too many for agglomerative clustering; the limit is {LARGEST_TREE:,}.")
    if progress:
        progress(0, 1, f"{method} linkage of {n} items")
    merges, solutions = linkage(X, method)[:, :2].astype(np.intp), {}
    for k in ks:
        parent = np.arange(2 * n - 1)
        parent[merges[: n - k].ravel()] = np.repeat(np.arange(n, 2 * n - k), 2)
        while not np.array_equal(parent, up := parent[parent]):
            parent = up
        solutions[k] = np.unique(parent[:n], return_inverse=True)[1]
    return solutions


def sweep_scores(
    solutions: dict[int, np.ndarray],
    gold,
    measures,
    estimators=("ML",),
    sample: int | None = None,
    repeats: int = 20,
    seed: int = 0,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Scores of each k: a row for each k, measure and estimator ("" where it uses none).

    Parameters
    ----------
    sample : score only so many items, drawn at random; `value` is then the mean over `repeats` draws (the
        same draws for every k), `sd` their standard deviation. The clusterings are those of all items.
    """
    gold = np.asarray(gold)
    if sample is not None and not 2 <= sample <= len(gold):
        raise InputError(f"The sample must hold between 2 and {len(gold):,} items, not {sample:,}.")
    rng, boards = np.random.default_rng(seed), []
    draws = [np.arange(len(gold))] if sample is None else [rng.permutation(len(gold))[:sample] for _ in range(repeats)]
    for done, draw in enumerate(draws):
        if progress:
            progress(done, len(draws), f"scoring sample {done + 1} of {len(draws)}" if sample else "scoring")
        tables = {k: Contingency.from_labels(gold[draw], labels[draw]) for k, labels in solutions.items()}
        boards.append(scoreboard(tables, measures, estimators))
    board = boards[0].rename(columns={"solution": "k"})
    values = np.array([each["value"] for each in boards])
    return board.assign(value=values.mean(axis=0), sd=values.std(axis=0))


def preferred(board: pd.DataFrame) -> pd.DataFrame:
    """The k that each measure and estimator likes best, and the value there; of equals the smallest k.

    >>> board = pd.DataFrame({"k": [1, 2, 4], "measure": "VI", "estimator": "ML", "value": [1.5, 0.5, 0.9]})
    >>> preferred(board).values.tolist()
    [['VI', 'ML', 2, 0.5]]
    """
    rows = []
    for (measure, estimator), part in board.groupby(["measure", "estimator"], sort=False):
        part = part.sort_values("k")
        good = part["value"] if resolve(measure).higher_is_better else -part["value"]
        best = good.idxmax() if good.notna().any() else part.index[0]
        rows.append((measure, estimator, int(part.loc[best, "k"]), float(part.loc[best, "value"])))
    return pd.DataFrame(rows, columns=["measure", "estimator", "k", "value"])
