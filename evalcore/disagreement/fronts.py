"""What a search for disagreement keeps of what it has seen: solutions that may be half of the best pair."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..judges import Judge

CHUNK = 200_000  # cells scored at a time
TIE = 1e-9  # gaps up to this are rounding
SIDES = (0, 1)  # 0: liked by the first judge and not by the second; 1: the other way round


@dataclass(frozen=True)
class Pair:
    """Two tables, the scores (tables, judges), and by how much each judge prefers its own, in spans."""

    tables: tuple[np.ndarray, np.ndarray]
    values: np.ndarray
    gaps: tuple[float, float]

    @property
    def clusters(self) -> int:
        return sum(table.shape[1] for table in self.tables)

    @property
    def gap(self) -> float:
        """The smaller one: how blatant the pair is."""
        return min(self.gaps)


class Fronts:
    """The solutions of some items that two judges have seen.

    A solution stays on a front unless another with as many clusters is liked no less by the one judge and no
    more by the other. The most blatant pair takes one from each of the two fronts, so nothing else is kept.

    A span is the distance between a judge's best and worst score of one cluster, singletons and perfect.
    """

    def __init__(self, judges: tuple[Judge, Judge], class_sizes: Sequence[int]):
        self.judges, self.searched = judges, 0
        alone = np.repeat(np.eye(len(class_sizes), dtype=np.int64), class_sizes, axis=1)
        self.extremes = [np.array(class_sizes)[:, None], np.diag(class_sizes), alone]
        span = np.ptp(np.concatenate([self._values(table[None]) for table in self.extremes]), axis=0)
        self._scale = np.array([judge.sign for judge in judges]) / np.where(span > 0, span, 1.0)
        # by side and number of clusters: tables and their values
        self._fronts: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = {}

    def add(self, tables: np.ndarray) -> np.ndarray:
        """Score tables of equally many clusters, none empty; gives goodness (tables, judges) in spans."""
        self.searched += len(tables)
        values = self._values(tables)
        known = ~np.isnan(values).any(axis=1)  # an estimator may leave a measure undefined
        if known.any():
            for side in SIDES:
                old = self._fronts.get((side, tables.shape[2]))
                every = tables[known], values[known]
                every = every if old is None else tuple(np.concatenate(both) for both in zip(old, every))
                front = _front(self._liked(every[1], side))
                self._fronts[side, tables.shape[2]] = every[0][front], every[1][front]
        return values * self._scale

    def add_all(self, by_clusters: dict[int, np.ndarray], report: Callable[[int], None]):
        """Score all these tables; `report` is told how many are done."""
        for tables in by_clusters.values():
            step = max(1, CHUNK // tables[0].size)
            for start in range(0, len(tables), step):
                self.add(tables[start : start + step])
                report(self.searched)

    def tables(self, side: int, most_clusters: int) -> list[np.ndarray]:
        """What lies on one front."""
        return [
            table
            for (of, clusters), (tables, _) in self._fronts.items()
            if of == side and clusters <= most_clusters
            for table in tables
        ]

    def best(self, wish: str, least: float) -> Pair | None:
        """The best pair whose gaps are no rounding, and at least `least`."""
        least = max(least, TIE)
        widths = sorted({clusters for _, clusters in self._fronts})
        blatant = self._most_blatant(widths, widths) if widths else None
        if blatant is None or blatant.gap < least:
            return None
        if wish == "blatant":
            return blatant
        for total in range(2, blatant.clusters):
            pairs = [self._most_blatant([i], [total - i]) for i in widths if total - i in widths]
            pairs = [pair for pair in pairs if pair.gap >= least]
            if pairs:
                return max(pairs, key=lambda pair: pair.gap)
        return blatant

    def _values(self, tables):
        return np.stack([judge.values(tables) for judge in self.judges], axis=-1)

    def _liked(self, values, side):
        """Two coordinates of which a front wants as much as it can get."""
        return values * self._scale * ((1, -1) if side == 0 else (-1, 1))

    def _most_blatant(self, *widths_of_side) -> Pair:
        """The most blatant pair of solutions with so many clusters; its gaps may be negative."""
        points, owners = [], []
        for side, widths in zip(SIDES, widths_of_side):
            values = np.concatenate([self._fronts[side, width][1] for width in widths])
            places = [(width, row) for width in widths for row in range(len(self._fronts[side, width][1]))]
            front = _front(self._liked(values, side))
            points.append(values[front])
            owners.append([places[place] for place in front])
        gaps = self._liked(points[0], 0)[:, None] + self._liked(points[1], 1)[None]
        i, j = np.unravel_index(gaps.min(axis=2).argmax(), gaps.shape[:2])
        first, second = (
            self._fronts[side, owner[0]][0][owner[1]] for side, owner in zip(SIDES, (owners[0][i], owners[1][j]))
        )
        return Pair((first, second), np.stack([points[0][i], points[1][j]]), tuple(gaps[i, j].tolist()))


def _front(points):
    """Places of the points (number, 2) that no other one beats or equals in both coordinates."""
    order = np.lexsort((-points[:, 1], -points[:, 0]))
    second = points[order, 1]
    before = np.concatenate([[-np.inf], np.maximum.accumulate(second)[:-1]])
    return order[second > before]
