"""A seeded walk among solutions, for items that have too many of them to try all."""

import numpy as np

from ..checks import Progress
from .fronts import SIDES, TIE, Fronts

NEIGHBOURS = 32  # edits tried at each step
PATIENCE = 4  # steps without success that end a climb


class Walk:
    """Hill climbing towards both fronts: from random solutions, and from what was found before."""

    def __init__(self, fronts: Fronts, class_sizes, seed: int, budget: int, progress: Progress | None = None):
        self.fronts, self.sizes, self.budget, self.progress = fronts, np.array(class_sizes), budget, progress
        self._random = np.random.default_rng(seed)

    def run(self, wish: str, least: float):
        """Score up to `budget` tables; where few clusters are wished for, fewer if some pair will do."""
        n = int(self.sizes.sum())
        limits = [n] if wish == "blatant" else _rising(n)
        for number, limit in enumerate(limits, 1):
            self._among(limit, self.budget * number // len(limits))
            if wish == "small" and self.fronts.best("small", least):
                return self._among(limit, self.budget // 3)  # not fewer clusters, but perhaps a larger gap

    def _among(self, most_clusters, until):
        """Climb among solutions of so many clusters until so many tables have been scored."""
        for table in self.fronts.extremes:
            if table.shape[1] <= most_clusters and self.fronts.searched < until:
                self.fronts.add(table[None])
        while self.fronts.searched < until:
            for side in SIDES:
                self._climb(side, most_clusters, until)

    def _climb(self, side, most_clusters, until):
        """Uphill for one judge and downhill for the other, in proportions drawn for this climb."""
        share = self._random.uniform(0.1, 0.9)
        towards = np.array([share, share - 1]) if side == 0 else np.array([-share, 1 - share])
        table, height, failures = self._start(side, most_clusters), -np.inf, 0
        while failures < PATIENCE and self.fronts.searched < until:
            if self.progress:
                what = f"solutions of up to {most_clusters} clusters"
                self.progress(self.fronts.searched, self.budget, what)
            number = min(NEIGHBOURS, until - self.fronts.searched)
            edited = [self._edited(table, most_clusters) for _ in range(number)]
            failures += 1
            for width in sorted({x.shape[1] for x in edited}):
                tables = np.stack([x for x in edited if x.shape[1] == width])
                heights = np.nan_to_num(self.fronts.add(tables) @ towards, nan=-np.inf)
                if heights.max() > height + TIE:
                    table, height, failures = tables[heights.argmax()], float(heights.max()), 0

    def _start(self, side, most_clusters):
        found = self.fronts.tables(side, most_clusters)
        if found and self._random.random() < 0.6:
            return found[self._random.integers(len(found))]
        width = int(self._random.integers(1, min(most_clusters, 2 * len(self.sizes)) + 1))
        shares = self._random.dirichlet(np.full(width, 0.5), len(self.sizes))
        return _held(self._random.multinomial(self.sizes, shares))

    def _edited(self, table, most_clusters):
        """The table with two clusters merged, one split, or items of a class moved."""
        random, width = self._random, table.shape[1]
        wider = width < most_clusters
        kind, source = random.random(), int(random.integers(width))
        if kind < 0.2 and width > 1:
            part, target = table[:, source], _other(random, source, width)
        elif kind < 0.4 and wider:
            part, target = random.binomial(table[:, source], 0.5), width
        elif width + wider > 1:
            row = random.choice(np.flatnonzero(table[:, source]))
            mass = 1 if random.random() < 0.6 else int(random.integers(1, table[row, source] + 1))
            part = np.where(np.arange(len(table)) == row, mass, 0)
            target = _other(random, source, width + wider)
        else:
            return table
        edited = np.concatenate([table, np.zeros((len(table), 1), dtype=np.int64)], axis=1)
        edited[:, source] -= part
        edited[:, target] += part
        return _held(edited)


def _rising(n):
    """Limits on the number of clusters, from 2 to n."""
    limits = [2]
    while limits[-1] < n:
        limits.append(min(n, max(limits[-1] + 1, limits[-1] * 3 // 2)))
    return limits


def _other(random, place, number):
    return (place + int(random.integers(1, number))) % number


def _held(table):
    """Without the empty clusters."""
    return table[:, table.any(axis=0)]
