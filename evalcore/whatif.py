"""What if: how scores would change if an item moved, a cluster were split, or two were merged.

Every prediction is the score of the edited table minus the score at hand, for all edits in one batch.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .contingency import Contingency
from .errors import InputError
from .judges import Judge
from .matrices import checked_counts
from .scoring import measures_named

MOST_CELLS = 8_000_000  # of all edited tables together: some 0.2 s
SLOW = 10  # times as long for judges without a closed form
CHUNK = 400_000  # cells scored at a time, so that they stay in the cache
TIE = 1e-12  # changes below it (relative to a score above 1) are rounding


@dataclass(frozen=True)
class Moves:
    """What moving `mass` from a cluster to another would do to one score; items keep their class."""

    table: Contingency
    judge: Judge
    mass: float
    score: float  # as the table is
    change: np.ndarray  # (classes, clusters from, clusters to); NaN where there is nothing to move

    @property
    def gain(self) -> np.ndarray:
        """The changes with the sign that makes more always better."""
        return self.change * self.judge.sign

    def best(self) -> tuple[np.ndarray, np.ndarray]:
        """For each cell the largest gain and the place of the cluster that gives it; NaN and -1 if none."""
        movable = ~np.isnan(self.change).all(axis=2)
        gain = np.where(np.isnan(self.gain), -np.inf, self.gain)
        return np.where(movable, gain.max(axis=2), np.nan), np.where(movable, gain.argmax(axis=2), -1)

    def to_frame(self) -> pd.DataFrame:
        """One row for each move: class, from, to, change and gain; the best first."""
        places = np.argwhere(~np.isnan(self.change))
        frame = _named_moves(self.table, places)
        frame["change"], frame["gain"] = self.change[tuple(places.T)], self.gain[tuple(places.T)]
        return frame.sort_values("gain", ascending=False, kind="stable", ignore_index=True)


def moves(table: Contingency, measure, estimator="ML", mass: float = 1, base: float = math.e, source=None) -> Moves:
    """What moving one item (or `mass`) from any cluster to any other would do to a measure.

    An item keeps its class, since that is all a clusterer can do; for moves to other classes see `drops`. To
    see moves into a cluster of their own, add an empty one first. A large table needs a `source` to move
    from: a cluster, or a (class, cluster) cell.

    >>> found = moves(Contingency.from_matrix([[3, 1], [0, 4]]), "VI")
    >>> round(found.score, 3), found.change[0].round(3).tolist()
    (0.594, [[nan, 0.23], [-0.594, nan]])
    >>> found.to_frame().iloc[0].tolist()[:3]
    ['c1', 'k2', 'k1']
    """
    judge = Judge.of((measure, estimator))
    counts, mass = _checked(table, mass)
    places = _moves_from(table, counts, mass, source)
    _check_bound(len(places) * counts.size, [judge], "choose the cluster or the cell to move from")
    change = np.full(counts.shape + counts.shape[1:], np.nan)
    change[tuple(places.T)] = _changes(counts, judge, base, mass, places[:, [0, 1]], places[:, [0, 2]])
    return Moves(table, judge, float(mass), _score(counts, judge, base), change)


def drops(
    table: Contingency, measure, source: tuple, estimator="ML", mass: float = 1, base: float = math.e
) -> np.ndarray:
    """Changes (classes, clusters) if `mass` were dragged from the source cell to each other cell.

    >>> drops(Contingency.from_matrix([[3, 1], [0, 4]]), "VI", ("c1", "k2")).round(3).tolist()
    [[-0.594, nan], [0.0, -0.594]]
    """
    judge = Judge.of((measure, estimator))
    counts, mass = _checked(table, mass)
    [start] = _cells_from(table, counts, mass, source)
    ends = np.argwhere(np.ones(counts.shape, dtype=bool))
    ends = ends[(ends != start).any(axis=1)]
    _check_bound(len(ends) * counts.size, [judge], "merge some clusters first")
    change = np.full(counts.shape, np.nan)
    change[tuple(ends.T)] = _changes(counts, judge, base, mass, np.broadcast_to(start, ends.shape), ends)
    return change


def disagreements(
    table: Contingency, first, second, mass: float = 1, base: float = math.e, source=None
) -> pd.DataFrame:
    """The moves that one measure calls better and the other worse, the most blatant first.

    `first` and `second` are measures or (measure, estimator) pairs. Columns: class, from, to; the changes
    `first` and `second`; `better_for`, who likes the move; and `blatant`, the smaller of the two changes,
    each as a share of the largest change that any move makes to that measure.

    >>> a = Contingency.from_matrix([[3, 1, 1], [1, 3, 1], [1, 1, 3]])
    >>> disagreements(a.add("new"), "V", "NVI").iloc[0][["class", "from", "to", "better_for"]].tolist()
    ['c1', 'k1', 'new', 'V']
    """
    judges = [Judge.of(first), Judge.of(second)]
    found = [moves(table, judge.measure, judge.estimator, mass, base, source) for judge in judges]
    one, other = (_shares(each) for each in found)
    places = np.argwhere(one * other < 0)
    frame, at = _named_moves(table, places), tuple(places.T)
    frame["first"], frame["second"] = found[0].change[at], found[1].change[at]
    frame["better_for"] = np.where(one[at] > 0, judges[0].label, judges[1].label)
    frame["blatant"] = np.minimum(np.abs(one[at]), np.abs(other[at]))
    return frame.sort_values("blatant", ascending=False, kind="stable", ignore_index=True)


def splits(
    table: Contingency, measures=("V", "VI", "NVI"), estimator="ML", base: float = math.e, cluster=None
) -> pd.DataFrame:
    """Changes of measures if a cluster (or any) were split: one class off it, or the whole of it in halves.

    Columns: cluster, `off` (a class, or None for halves), `part` (what to hand to Contingency.split), and one
    for each measure.

    >>> found = splits(Contingency.from_matrix([[2, 0], [2, 4]]), ["VI"])
    >>> found[["off", "part", "VI"]].round(3).values.tolist()
    [['c1', [2, 0], -0.347], ['c2', [0, 2], -0.347], [None, [1, 1], 0.347], [None, [0, 2], 0.347]]
    """
    counts, _ = _checked(table)
    chosen = range(counts.shape[1]) if cluster is None else [table._position(cluster, "cluster")]
    ways = [(k, off, part) for k in chosen for off, part in _parts(table, counts[:, k])]
    judges = [Judge.of((measure, estimator)) for measure in measures_named(measures)]
    wide = np.concatenate([counts, np.zeros((len(counts), 1), counts.dtype)], axis=1)
    _check_bound(len(ways) * wide.size, judges, "choose the cluster to split")
    edited = np.repeat(wide[None], len(ways), axis=0)
    for number, (k, _, part) in enumerate(ways):
        edited[number, :, k] -= part
        edited[number, :, -1] = part
    frame = pd.DataFrame(
        {
            "cluster": [table.clusters[k] for k, *_ in ways],
            "off": pd.Series([off for _, off, _ in ways], dtype=object),
            "part": [part.tolist() for *_, part in ways],
        }
    )
    return _with_changes(frame, counts, edited, judges, base)


def merges(table: Contingency, measures=("V", "VI", "NVI"), estimator="ML", base: float = math.e) -> pd.DataFrame:
    """Changes of measures if two clusters were merged, for every pair of clusters that hold anything.

    >>> merges(Contingency.from_matrix([[2, 1, 0], [0, 0, 3]]), ["V", "VI"]).round(3).values.tolist()
    [['k1', 'k2', 0.187, -0.318], ['k1', 'k3', -0.582, 0.561], ['k2', 'k3', -0.335, 0.375]]
    """
    counts, _ = _checked(table)
    held = np.flatnonzero(counts.sum(axis=0))
    first, second = (held[side] for side in np.triu_indices(len(held), 1))
    judges = [Judge.of((measure, estimator)) for measure in measures_named(measures)]
    _check_bound(len(first) * counts.size, judges, "merge some clusters first")
    edited = np.repeat(counts[None], len(first), axis=0)
    number = np.arange(len(first))
    edited[number, :, first] += edited[number, :, second]
    edited[number, :, second] = 0
    frame = pd.DataFrame({"first": [table.clusters[k] for k in first], "second": [table.clusters[k] for k in second]})
    return _with_changes(frame, counts, edited, judges, base)


def half(column: np.ndarray) -> np.ndarray:
    """Half of every class in a cluster; of odd counts the odd items go by turns to one half and the other.

    >>> half(np.array([4, 3, 1])).tolist(), half(np.array([0.5, 1.0])).tolist()
    ([2, 2, 0], [0.25, 0.5])
    """
    if column.dtype.kind != "i":
        return column / 2
    odd = column % 2
    return column // 2 + odd * (np.cumsum(odd) % 2)


def _checked(table, mass=1):
    """The counts and the mass to move, of one kind."""
    counts, mass = table.counts, checked_counts([mass], "mass")[0]
    if not mass > 0:
        raise InputError("The mass to move must be above 0.")
    if counts.dtype.kind == "i" and mass.dtype.kind != "i":
        raise InputError(f"This table counts whole items, so {mass:g} of one cannot be moved.")
    return counts, counts.dtype.type(mass)


def _check_bound(cells, judges, advice):
    if cells > MOST_CELLS // (SLOW if any(judge.is_slow for judge in judges) else 1):
        raise InputError(f"This table has too many edits to try all of them at once: {advice}.")


def _cells_from(table, counts, mass, source):
    """Cells (class, cluster) that hold the mass, within the source."""
    movable = counts >= mass
    if isinstance(source, tuple):
        row, column = table._cell(source)
        if not movable[row, column]:
            raise InputError(f"Cell {source!r} holds {counts[row, column]:g}, so {mass:g} cannot leave it.")
        return np.array([[row, column]])
    if source is not None:
        movable = movable & (np.arange(counts.shape[1]) == table._position(source, "cluster"))
    return np.argwhere(movable)


def _moves_from(table, counts, mass, source):
    """All moves as rows (class, from, to)."""
    cells, width = _cells_from(table, counts, mass, source), counts.shape[1]
    places = np.column_stack([np.repeat(cells, width, axis=0), np.tile(np.arange(width), len(cells))])
    return places[places[:, 1] != places[:, 2]]


def _values(tables, counts, judge, base):
    # Fractional tables count pairs as squares; an edit that happens to make one whole must not change that.
    return judge.values(tables, base, "auto" if counts.dtype.kind == "i" else "asymptotic")


def _score(counts, judge, base):
    return float(_values(counts, counts, judge, base))


def _changes(counts, judge, base, mass, starts, ends):
    """Changes of the score for moves of the mass from each start to its end."""
    found = np.empty(len(starts))
    for part in _slices(len(starts), counts.size):
        edited = np.repeat(counts[None], part.stop - part.start, axis=0)
        number = np.arange(len(edited))
        edited[(number, *starts[part].T)] -= mass
        edited[(number, *ends[part].T)] += mass
        found[part] = _values(edited, counts, judge, base)
    return found - _score(counts, judge, base)


def _with_changes(frame, counts, edited, judges, base):
    for judge in judges:
        found = np.empty(len(edited))
        for part in _slices(len(edited), counts.size):
            found[part] = _values(edited[part], counts, judge, base)
        frame[judge.measure.name] = found - _score(counts, judge, base)
    return frame


def _slices(number, size) -> Iterator[slice]:
    step = max(1, CHUNK // size)
    return (slice(start, min(start + step, number)) for start in range(0, number, step))


def _shares(found):
    """Gains as shares of the largest; 0 where there is none, or only the last digits of equal scores."""
    gain = np.where(np.abs(found.change) > TIE * max(1.0, abs(found.score)), found.gain, 0.0)
    return gain / (np.abs(gain).max() or 1.0)


def _parts(table, column):
    """The ways to split a cluster, (class or None, part), none of them empty or whole."""
    alone = [np.where(np.arange(len(column)) == row, column, 0) for row in range(len(column))]
    ways = [*zip(table.classes, alone), (None, half(column))]
    return [(off, part) for off, part in ways if 0 < part.sum() < column.sum()]


def _named_moves(table, places):
    def named(names, axis):
        return pd.Series([names[place] for place in places[:, axis]], dtype=object)

    return pd.DataFrame(
        {"class": named(table.classes, 0), "from": named(table.clusters, 1), "to": named(table.clusters, 2)}
    )
