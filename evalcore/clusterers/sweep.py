"""Clusterings of the same items for many numbers of clusters, and what measures say of them."""

import warnings
from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import cdist

from ..contingency import Contingency
from ..errors import InputError
from ..measures import resolve
from ..scoring import scoreboard
from .datasets import scikit_learn
from .threads import one_thread

ALGORITHMS = {
    "k-means": "k-means: the best of four starts for each k",
    "ward": "Ward: merges what adds least variance",
    "average": "average linkage: merges the clusters with the nearest members on average",
}
STARTS, ITERATIONS = 4, 300
LARGEST_TREE = 5_000  # items; agglomerative clustering needs all their distances
LARGEST_WORK = 2_000_000_000  # items x features x clusters, for k-means: a start of it takes a few seconds
PIECE, BLOCK = 4e9, 2e8  # the same, of k-means' steps and of distances done between two looks at whether to go on
Progress = Callable[[int, int, str], None]


def default_ks(n: int, largest: int = 100, count: int = 18) -> list[int]:
    """Numbers of clusters from 1 up, evenly spread on a log axis.

    >>> default_ks(150, largest=20, count=8)
    [1, 2, 4, 6, 8, 13, 20]
    """
    if largest < 1:
        raise InputError(f"The largest number of clusters must be at least 1, not {largest}.")
    return np.unique(np.rint(np.geomspace(1, min(n, largest), count)).astype(int)).tolist()


def ks_around(gold, largest: int = 100) -> list[int]:
    """The same for items with these classes, their number among them.

    >>> ks_around(["a", "b", "c"] * 50, largest=5)
    [1, 2, 3, 4, 5]
    """
    return sorted({*default_ks(len(gold), largest, 24), len(np.unique(gold))})


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
    if (most := len(X) * X.shape[1] * ks[-1]) > LARGEST_WORK:
        allowed = int(ks[-1] * LARGEST_WORK / most)
        raise InputError(
            f"{ks[-1]:,} clusters of {len(X):,} items with {X.shape[1]:,} features are too many for k-means; "
            f"the limit for these items is {allowed:,} clusters."
        )
    solutions, done = {}, 0
    with one_thread(), warnings.catch_warnings():
        # items that are the same make fewer clusters than asked for, as anyone can see in the result
        warnings.filterwarnings("ignore", message="Number of distinct clusters")
        for k in ks:
            watch = partial(progress, done, sum(ks)) if progress else lambda what: None
            solutions[k] = _k_means(X, k, seed, watch)
            done += k
    return solutions


def _k_means(X, k, seed, watch):
    """The labels of scikit-learn's KMeans(k, n_init=STARTS, random_state=seed).

    Large work is done in pieces of a few seconds at most, so that people can cancel between them.
    """
    KMeans, rng = scikit_learn("sklearn.cluster").KMeans, np.random.RandomState(seed)
    piece = int(np.clip(PIECE / (X.size * k), 1, ITERATIONS))
    best = None
    for start in range(STARTS):
        said = f"k-means with {k} cluster{'' if k == 1 else 's'}, start {start + 1} of {STARTS}"
        watch(said)
        found = KMeans(k, n_init=1, random_state=rng, max_iter=piece).fit(X)
        for _ in range(piece, ITERATIONS, piece):
            if found.n_iter_ < piece:
                break
            watch(said)
            found = KMeans(k, n_init=1, init=found.cluster_centers_, max_iter=piece).fit(X)
        if best is None or found.inertia_ < best.inertia_:
            best = found
    return best.labels_.astype(np.intp)


def _agglomerate(X, ks, method, progress):
    n = len(X)
    if n > LARGEST_TREE:
        raise InputError(f"{n:,} items are too many for agglomerative clustering; the limit is {LARGEST_TREE:,}.")
    merges, solutions = linkage(_distances(X, method, progress), method)[:, :2].astype(np.intp), {}
    for k in ks:
        parent = np.arange(2 * n - 1)
        parent[merges[: n - k].ravel()] = np.repeat(np.arange(n, 2 * n - k), 2)
        while not np.array_equal(parent, up := parent[parent]):
            parent = up
        solutions[k] = np.unique(parent[:n], return_inverse=True)[1]
    return solutions


def _distances(X, method, progress):
    """All distances, as pdist has them; some rows at a time, so that people can cancel."""
    n = len(X)
    distances, end = np.empty(n * (n - 1) // 2), 0
    rows = int(np.clip(BLOCK / X.size, 1, n))
    for first in range(0, n, rows):
        if progress:
            progress(end, len(distances), f"{method} linkage: distances of {n:,} items")
        block = cdist(X[first : first + rows], X[first:])
        for row in range(len(block)):
            start, end = end, end + n - first - row - 1
            distances[start:end] = block[row, row + 1 :]
    return distances


def sweep_scores(
    solutions: dict[int, np.ndarray],
    gold,
    measures,
    estimators=("ML",),
    sample: int | None = None,
    repeats: int = 20,
    seed: int = 0,
    progress: Progress | None = None,
    base: float = np.e,
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
        boards.append(scoreboard(tables, measures, estimators, base=base))
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
