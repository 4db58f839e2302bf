"""Meilă's axioms for a distance between clusterings, tried on all partitions of a few items.

A measure becomes a distance d(X, Y): how far its score is from its best value, with X as classes and Y as
clusters. All partitions of five items are so few (52) that no triple of them is left out of the search.
"""

from collections.abc import Sequence

import numpy as np

from ..checks import TOLERANCE, Check, Counterexample, Outcome, margins, outcome
from ..contingency import Contingency
from ..measures import Measure
from ..statistics import Statistics

ITEMS = 5
NO_BEST = "has no best value that does not depend on the data, so it gives no distance"
MEILA = "Meilă 2005, Comparing clusterings: an axiomatic view; Meilă 2007"

IDENTITY = Check(
    "M1", "identity", "d(X, Y) should be 0 where X and Y are the same, and above 0 where they differ.", MEILA
)
SYMMETRY = Check("M2", "symmetry", "d(X, Y) and d(Y, X) should be equal.", MEILA)
TRIANGLE = Check("M3", "triangle inequality", "d(X, Z) should not exceed d(X, Y) + d(Y, Z).", MEILA)
REFINEMENT = Check(
    "M4",
    "additivity along refinement",
    "From one cluster over X to singletons should be as far as the direct way: d(1, X) + d(X, 0) = d(1, 0).",
    MEILA,
)
MEET = Check(
    "M5",
    "additivity over the meet",
    "d(X, Y) should be d(X, M) + d(M, Y), where M is the coarsest partition that refines both.",
    MEILA,
)
CONVEX = Check(
    "M6",
    "convex additivity",
    "Where Y refines X, d(X, Y) should be the mean, by size, of the distances inside the clusters of X.",
    MEILA,
)
AXIOMS = (IDENTITY, SYMMETRY, TRIANGLE, REFINEMENT, MEET, CONVEX)


def partitions(items: int) -> np.ndarray:
    """All partitions of some items, (partitions, items): labels rise from 0 in the order of their first item.

    >>> partitions(3).tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, 2]]
    """
    found = [[0]]
    for _ in range(items - 1):
        found = [[*labels, new] for labels in found for new in range(max(labels) + 2)]
    return np.array(found)


def tables(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Tables (..., labels, labels) of partitions (..., items) with others; leading axes broadcast."""
    labels = np.arange(first.shape[-1])
    one, other = ((side[..., None] == labels).astype(int) for side in (first, second))
    return np.einsum("...xi,...xj->...ij", one, other)


def distances(of: np.ndarray, measures: Sequence[Measure]) -> np.ndarray:
    """How far tables (..., classes, clusters) are from each measure's best value; NaN where there is none."""
    statistics = Statistics(of)
    columns = [np.nan if m.best is None else np.abs(m.compute(statistics) - m.best) for m in measures]
    return np.stack([np.broadcast_to(column, of.shape[:-2]) for column in columns], axis=-1)


def check_axioms(measures: Sequence[Measure], tolerance: float = TOLERANCE) -> list[Outcome]:
    """How often each measure, read as a distance, satisfies each axiom on all partitions of ITEMS items.

    >>> from evalcore.measures import MEASURES
    >>> triangle = check_axioms([MEASURES["VI"], MEASURES["V"]])[2]
    >>> triangle.total["VI"] - triangle.held["VI"], triangle.total["V"] - triangle.held["V"]
    (0, 9670)
    """
    every = partitions(ITEMS)
    d = distances(tables(every[:, None], every[None, :]), measures)
    margin = margins(d, tolerance)

    def judged(check, wrong_by, strict=False, **sides):
        """`sides` names pairs of partitions, as two arrays of places in `every`."""
        places = {
            f"d({', '.join(name)})": [np.broadcast_to(side, len(wrong_by)).astype(np.int16) for side in pair]
            for name, pair in sides.items()
        }
        return _judged(
            check,
            measures,
            wrong_by,
            margin,
            lambda case: {name: [every[side[case]] for side in pair] for name, pair in places.items()},
            strict,
        )

    x, y = (place.ravel() for place in np.indices((len(every),) * 2))
    identity = judged(IDENTITY, np.where((x == y)[:, None], d[x, y], -d[x, y]), strict=x != y, XY=(x, y))
    x, y = np.triu_indices(len(every), 1)
    symmetry = judged(SYMMETRY, np.abs(d[x, y] - d[y, x]), XY=(x, y), YX=(y, x))
    m = _places(every[x] * ITEMS + every[y], every)
    meet = judged(MEET, np.abs(d[x, y] - d[x, m] - d[m, y]), XY=(x, y), XM=(x, m), MY=(m, y))
    x, y, z = (place.ravel() for place in np.indices((len(every),) * 3))
    x, y, z = (place[(x != y) & (y != z) & (x != z)] for place in (x, y, z))
    triangle = judged(TRIANGLE, d[x, z] - d[x, y] - d[y, z], XZ=(x, z), XY=(x, y), YZ=(y, z))
    one, x, singletons = 0, np.arange(1, len(every) - 1), len(every) - 1
    refinement = judged(
        REFINEMENT,
        np.abs(d[one, x] + d[x, singletons] - d[one, singletons]),
        **{"10": (one, singletons), "1X": (one, x), "X0": (x, singletons)},
    )
    return [identity, symmetry, triangle, refinement, meet, _convex(every, d, measures, margin)]


def _convex(every, d, measures, margin):
    """Convex additivity, for X of two clusters: more clusters would show the same thing again."""
    coarse = np.flatnonzero(every.max(axis=1) == 1)
    x, y = (side.ravel() for side in np.meshgrid(coarse, np.arange(len(every)), indexing="ij"))
    refines = (_places(every[x] * ITEMS + every[y], every) == y) & (x != y)
    x, y = x[refines], y[refines]
    cells = tables(every[x], every[y])
    inside = [cells[:, k : k + 1] for k in (0, 1)]  # a cluster of X, as the only class there is, with its parts
    mean = sum(part.sum(axis=(1, 2))[:, None] / ITEMS * distances(part, measures) for part in inside)

    def sides(case):
        whole, parts = every[x[case]], every[y[case]]
        return {
            "d(X, Y)": (whole, parts),
            "inside the first": (whole[whole == 0], parts[whole == 0]),
            "inside the second": (whole[whole == 1], parts[whole == 1]),
        }

    return _judged(CONVEX, measures, np.abs(d[x, y] - mean), margin, sides)


def _places(labels, every):
    """Where in `every` the partitions are that these labels stand for."""

    def keys(labels):  # the first item with the same label, for each item
        first = (labels[:, :, None] == labels[:, None, :]).argmax(axis=2)
        return (first @ ITEMS ** np.arange(ITEMS)).tolist()

    place = {key: number for number, key in enumerate(keys(every))}
    return np.array([place[key] for key in keys(labels)])


def _judged(check, measures, wrong_by, margin, sides, strict=False):
    """The outcome where a case holds if it is wrong by nothing (strict: by less than nothing)."""
    strict = np.broadcast_to(strict, len(wrong_by))[:, None]
    held = np.where(strict, wrong_by < -margin, wrong_by <= margin)

    def explain(case, measure, amount):
        shown = {name: _table(*pair) for name, pair in sides(case).items()}
        scores = {name: float(measure.compute(Statistics(table))) for name, table in shown.items()}
        found = ", ".join(f"{name} = {abs(score - measure.best):.4g}" for name, score in scores.items())
        return Counterexample(shown, scores, f"{found}.", amount)

    unjudged = {m.name: NO_BEST for m in measures if m.best is None}
    return outcome(check, measures, held, wrong_by, explain, unjudged)


def _table(classes, clusters):
    named = [[f"{letter}{label + 1}" for label in side] for letter, side in (("c", classes), ("k", clusters))]
    return Contingency.from_labels(*named)
