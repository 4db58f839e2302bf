"""The extreme solutions for given classes: what a measure says of them tells most about the measure."""

from collections.abc import Sequence

import numpy as np

from . import published
from .contingency import Contingency
from .disagreement.enumeration import checked_sizes

EXTREMES = {
    "one cluster": "All items in one cluster",
    "singletons": "Every item alone",
    "no knowledge": "Every class spread alike over as many clusters as there are classes, of the same sizes; "
    "fractions where they do not divide",
    "halved": "Every class split into two pure clusters",
    "R": "Solution R of Reichart and Rappoport, for these classes: seven tenths of each in a cluster of its "
    "own, the rest by turns in the next three",
    "perfect": "One cluster for each class",
}


def extreme_solutions(class_sizes: Sequence[int]) -> dict[str, Contingency]:
    """The solutions that EXTREMES describes, for classes of these sizes.

    >>> from evalcore import score
    >>> [float(score(table, ["NVI"])["NVI"].round(3)) for table in extreme_solutions([10] * 10).values()]
    [1.0, 1.0, 2.0, 0.301, 0.817, 0.0]
    """
    sizes = checked_sizes(class_sizes)
    a = np.array(sizes)
    counts = {
        "one cluster": a[:, None],
        "no knowledge": np.outer(a, a) / a.sum(),
        "halved": _halved(sizes),
        "R": _like_r(sizes),
        "perfect": np.diag(a),
    }
    tables = {name: Contingency.from_matrix(table) for name, table in counts.items()}
    return {name: published.singletons(sizes) if name == "singletons" else tables[name] for name in EXTREMES}


def _halved(sizes):
    """A class of an odd size has one item more in its first cluster; one of a single item stays whole."""
    parts = [(row, part) for row, size in enumerate(sizes) for part in (size - size // 2, size // 2) if part]
    counts = np.zeros((len(sizes), len(parts)), dtype=int)
    for column, (row, part) in enumerate(parts):
        counts[row, column] = part
    return counts


def _like_r(sizes):
    """Seven tenths are rounded, halves up; with fewer than four classes the rest goes to all others."""
    counts = np.zeros((len(sizes), len(sizes)), dtype=int)
    others = min(3, len(sizes) - 1)
    for row, size in enumerate(sizes):
        own = (7 * size + 5) // 10 if others else size
        counts[row, row] = own
        for item in range(size - own):
            counts[row, (row + 1 + item % others) % len(sizes)] += 1
    return counts
