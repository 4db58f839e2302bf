"""Dom's parametric solutions: tables that are right but for chosen amounts of chosen kinds of error."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from .contingency import Contingency
from .errors import InputError
from .measures import Measure
from .statistics import Statistics

LARGEST_N = 10**9  # for whole counts: far beyond it the remainders drown in rounding
CHUNK = 2048  # tables scored at a time


class Setting(NamedTuple):
    """The parameters of a solution; `dom(*setting)` makes it."""

    n_classes: int = 5  # useful classes; noise classes are extra
    useful_clusters: int = 5
    noise_clusters: int = 0
    noise_classes: int = 0
    eps1: float = 0.0  # mass in useful clusters, but in the wrong class
    eps2: float = 0.0  # mass of useful classes in noise clusters
    eps3: float = 0.0  # mass of noise classes in useful clusters
    n: float = 1000  # total mass


def matching(n_classes: int, useful_clusters: int) -> np.ndarray:
    """Which useful cluster is meant for which class, as a boolean matrix (classes, clusters).

    max(|C|, |K_u|) pairs; what there is more of is spread as evenly as possible, in contiguous blocks.

    >>> matching(3, 2).astype(int).tolist()
    [[1, 0], [1, 0], [0, 1]]
    """
    pairs = max(n_classes, useful_clusters)
    blocks = [
        np.repeat(np.arange(size), [len(part) for part in np.array_split(np.arange(pairs), size)])
        for size in (n_classes, useful_clusters)
    ]
    matched = np.zeros((n_classes, useful_clusters), dtype=bool)
    matched[tuple(blocks)] = True
    return matched


def blocks(n_classes: int, useful_clusters: int, noise_clusters: int = 0, noise_classes: int = 0) -> np.ndarray:
    """What each cell of a solution holds: 0 matched mass, 1, 2 or 3 the mass of that eps, -1 nothing.

    >>> blocks(3, 2, 1, 1).tolist()
    [[0, 1, 2], [0, 1, 2], [1, 0, 2], [3, 3, -1]]
    """
    kind = np.full((n_classes + noise_classes, useful_clusters + noise_clusters), -1)
    kind[:n_classes, :useful_clusters] = np.where(matching(n_classes, useful_clusters), 0, 1)
    kind[:n_classes, useful_clusters:] = 2
    kind[n_classes:, :useful_clusters] = 3
    return kind


def dom_tables(n_classes: int, useful_clusters: int, noise_clusters: int, noise_classes: int, eps, n=1.0) -> np.ndarray:
    """Many solutions of one structure, as an array (solutions, classes, clusters).

    `eps` has a row (eps1, eps2, eps3) for each; `n` is one total mass for all, or one for each.

    >>> dom_tables(2, 2, 0, 0, [[0, 0, 0], [0.5, 0, 0]]).tolist()
    [[[0.5, 0.0], [0.0, 0.5]], [[0.25, 0.25], [0.25, 0.25]]]
    """
    for value, what, least in (
        (n_classes, "useful classes", 1),
        (useful_clusters, "useful clusters", 1),
        (noise_clusters, "noise clusters", 0),
        (noise_classes, "noise classes", 0),
    ):
        if not isinstance(value, (int, np.integer)) or value < least:
            raise InputError(f"The number of {what} must be a whole number of at least {least}, not {value!r}.")
    eps = np.asarray(eps, dtype=float).reshape(-1, 3)
    for value, what in zip(eps.T, ("eps1", "eps2", "eps3")):
        fits = (value >= 0) & (value <= 1)
        if not fits.all():
            raise InputError(f"{what} must lie between 0 and 1, not {value[~fits][0]:g}.")
    total = eps.sum(axis=1)
    if (total > 1 + 1e-12).any():  # decimals that add up to 1 need not do so in binary
        raise InputError(f"eps1 + eps2 + eps3 is {total.max():g}; the error mass cannot exceed 1.")
    n = np.asarray(n, dtype=float)
    if not ((n > 0) & (n < np.inf)).all():
        raise InputError(f"n must be a positive number, not {n[~((n > 0) & (n < np.inf))][0]:g}.")
    kind = blocks(n_classes, useful_clusters, noise_clusters, noise_classes)
    cells = np.array([(kind == error).sum() for error in (1, 2, 3)])
    placed = np.where(cells > 0, eps, 0.0)
    left = 1 - placed.sum(axis=1)
    masses = np.zeros((len(eps), 5))  # the last column is the cells that hold nothing: kind -1
    masses[:, 0], masses[:, 1:4] = np.where(left < 1e-12, 0.0, left), placed
    # divided last: 60 x 0.6 / 3 is 12, while a third of 0.6 is not 0.2 in binary
    masses = n.reshape(-1, 1) * masses / np.array([(kind == 0).sum(), *np.maximum(cells, 1), 1])
    return masses[:, kind]


def unplaced(setting: Setting) -> list[str]:
    """The error masses of a setting that have no cell to go to, each as one sentence.

    >>> unplaced(Setting(5, 5, eps2=0.1))
    ['eps2 is 0.1, but there is no noise cluster to put it in: that mass stays in the matched cells.']
    """
    kind = blocks(*setting[:4])
    places = ("unmatched pair of a useful class and a useful cluster", "noise cluster", "noise class")
    return [
        f"eps{error} is {mass:g}, but there is no {place} to put it in: that mass stays in the matched cells."
        for error, mass, place in zip((1, 2, 3), setting[4:7], places)
        if mass > 0 and not (kind == error).any()
    ]


def rounded(tables) -> np.ndarray:
    """Whole counts with the same (whole) sum, for one table or a batch: the largest remainders go up.

    No cell moves by 1 or more, and empty cells stay empty. Ties, of which these tables have many, are broken
    along diagonals, so that no class and no cluster gets all of the rounding.

    >>> rounded([[1.5, 1.5], [1.5, 1.5]]).tolist()
    [[2, 1], [1, 2]]
    """
    tables = np.asarray(tables, dtype=float)
    rows, columns = tables.shape[-2:]
    row, column = np.indices((rows, columns))
    diagonal = ((column - row) % columns * rows + row).ravel()
    flat = tables.reshape(-1, rows * columns)[:, np.argsort(diagonal)]
    total = flat.sum(axis=1)
    n = np.round(total)
    if (np.abs(total - n) > 1e-9 * np.maximum(n, 1)).any() or (n < 1).any() or (n > LARGEST_N).any():
        raise InputError(f"Whole counts need a whole n between 1 and {LARGEST_N:,}, not {total[0]:g}.")
    lower = np.floor(flat + 1e-9)  # 11.999999999999998 is 12
    remainders = np.round(flat - lower, 9)  # equal masses computed in two ways tie
    short = n - lower.sum(axis=1)
    rank = np.argsort(np.argsort(-remainders, axis=1, kind="stable"), axis=1)
    whole = (lower + (rank < short[:, None])).astype(np.int64)
    return whole[:, diagonal].reshape(tables.shape)


def dom(
    n_classes: int,
    useful_clusters: int,
    noise_clusters: int = 0,
    noise_classes: int = 0,
    eps1: float = 0.0,
    eps2: float = 0.0,
    eps3: float = 0.0,
    n: float = 1.0,
    whole: bool = False,
) -> Contingency:
    """Dom's solution with these parameters (Rosenberg and Hirschberg 2007, section 4).

    Parameters
    ----------
    n_classes : useful classes; noise classes are extra
    eps1 : mass in useful clusters, but in the wrong class
    eps2 : mass of useful classes in noise clusters
    eps3 : mass of noise classes in useful clusters
    n : total mass
    whole : round the counts to whole numbers that keep n

    Where there is no cell for an error mass, it goes back to the matched cells.

    >>> dom(3, 2, 1, 1, 0.1, 0.2, 0.1, n=60).counts.T.tolist()  # their Figure 3
    [[12, 12, 2, 3], [2, 2, 12, 3], [4, 4, 4, 0]]
    """
    table = dom_tables(n_classes, useful_clusters, noise_clusters, noise_classes, [eps1, eps2, eps3], n)[0]
    sides = ("c", n_classes, noise_classes), ("k", useful_clusters, noise_clusters)
    names = [
        [f"{letter}{i + 1}" for i in range(useful)] + [f"noise {i + 1}" for i in range(noise)]
        for letter, useful, noise in sides
    ]
    return Contingency.from_matrix(rounded(table) if whole else table, *names)


def score_settings(
    settings: pd.DataFrame,
    measures: Sequence[Measure],
    whole: bool = False,
    progress: Callable[[int, int, str], None] | None = None,
) -> np.ndarray:
    """Scores (settings, measures) of many solutions: `settings` has the columns of Setting, a row each.

    Pairs are counted as squares (the limit of large n), unless counts are rounded to whole ones; measures
    that need whole counts are NaN on the others. `progress(done, total, what)` may raise to cancel.

    >>> from evalcore.measures import MEASURES
    >>> two = pd.DataFrame([Setting(2, 2), Setting(2, 2, eps1=0.5)])
    >>> score_settings(two, [MEASURES["V"], MEASURES["AMI"]]).tolist()
    [[1.0, nan], [0.0, nan]]
    """
    scores = np.full((len(settings), len(measures)), np.nan)
    computed = [(i, m) for i, m in enumerate(measures) if whole or not m.whole_counts]
    by_shape: dict[tuple, list] = {}
    for structure, rows in settings.groupby(list(Setting._fields[:4]), sort=False).indices.items():
        shape = structure[0] + structure[3], structure[1] + structure[2]
        by_shape.setdefault(shape, []).append((tuple(map(int, structure)), rows))
    columns, done = settings[["eps1", "eps2", "eps3", "n"]].to_numpy(dtype=float), 0
    for shape, structures in by_shape.items():
        tables = np.concatenate(
            [dom_tables(*structure, columns[rows, :3], columns[rows, 3]) for structure, rows in structures]
        )
        at = np.concatenate([rows for _, rows in structures])
        for start in range(0, len(at), CHUNK):
            if progress:
                progress(done, len(settings), f"scoring tables of {shape[0]} classes and {shape[1]} clusters")
            part = tables[start : start + CHUNK]
            statistics = Statistics(rounded(part) if whole else part, pairs="auto" if whole else "asymptotic")
            rows = at[start : start + CHUNK]
            for column, measure in computed:
                scores[rows, column] = measure.compute(statistics)
            done += len(rows)
    if progress:
        progress(done, len(settings), "scored")
    return scores
