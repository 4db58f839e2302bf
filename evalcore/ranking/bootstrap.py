"""How sure a ranking is: systems scored again on words, or on instances, drawn with replacement."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..comparison import AS_PUBLISHED, KeyComparison, Policy, TableComparison
from ..errors import InputError
from ..labels import code
from ..measures import resolve
from ..statistics import Statistics
from .board import Board, Column
from .ranks import beats, ranks

LEVEL = 0.95
LARGEST_REPLICATES = 10_000
CELLS = 2_000_000  # numbers in one batch of resampled tables


@dataclass(frozen=True, eq=False)
class Doubt:
    """Scores of systems by one column, and the same on every resample."""

    systems: tuple[str, ...]
    column: Column
    scores: np.ndarray  # (systems,)
    replicates: np.ndarray  # (replicates, systems); NaN where a resample leaves a system nothing to score
    shift: np.ndarray  # (systems,) what resampling itself did to the scores on average, and was taken off

    def intervals(self, level: float = LEVEL) -> pd.DataFrame:
        """system, score, low, high, shift, rank, rank_low, rank_high; between the percentiles of
        the resamples.
        """
        tails = [(1 - level) / 2, (1 + level) / 2]
        low, high = np.nanquantile(self.replicates, tails, axis=0)
        # a rank is a whole number: the percentile is one that occurred
        best, worst = np.nanquantile(
            ranks(self.replicates, self.column.higher_is_better), tails, axis=0, method="inverted_cdf"
        )
        return pd.DataFrame(
            {
                "system": self.systems,
                "score": self.scores,
                "low": low,
                "high": high,
                "shift": self.shift,
                "rank": ranks(self.scores, self.column.higher_is_better).astype(int),
                "rank_low": best.astype(int),
                "rank_high": worst.astype(int),
            }
        )

    def wins(self) -> pd.DataFrame:
        """P(row beats column): the share of resamples in which it does, ties counted half; NaN on
        the diagonal.
        """
        size = len(self.systems)
        won, both = np.zeros((size, size)), np.zeros((size, size))
        for part in np.array_split(self.replicates, max(1, self.replicates.size * size // 10_000_000)):
            won += beats(part, self.column.higher_is_better).sum(axis=0)
            here = (~np.isnan(part)).astype(float)
            both += here.T @ here
        share = (won + (both - won - won.T) / 2) / np.where(both > 0, both, np.nan)
        np.fill_diagonal(share, np.nan)
        return pd.DataFrame(share, index=self.systems, columns=self.systems)

    def sentence(self, a: str, b: str, level: float = LEVEL, wins: pd.DataFrame | None = None) -> str:
        """What can be said of two systems, in plain words; systems that tie are not called better."""
        share = (self.wins() if wins is None else wins).at[a, b]
        if math.isnan(share):
            return f"{a} and {b} never had scores by {self.column.name} on the same resample."
        if share < 0.5:
            a, b, share = b, a, 1 - share
        better, tied = self._better_and_tied(a, b)
        if tied == 1:
            return f"{a} and {b} cannot be told apart by {self.column.name}: they tie in all of the resamples."
        ties = f", and they tie in {_percent(tied)}" if tied else ""
        if share < (1 + level) / 2:
            return (
                f"{a} and {b} cannot be told apart by {self.column.name}: "
                f"{a} is better in {_percent(better)} of the resamples{ties}."
            )
        return f"{a} is better than {b} by {self.column.name}, in {_percent(better)} of the resamples{ties}."

    def _better_and_tied(self, a, b):
        """The shares of resamples, among those that score both, in which a is better, and in which they tie."""
        two = self.replicates[:, [self.systems.index(a), self.systems.index(b)]]
        won = beats(two[~np.isnan(two).any(axis=1)], self.column.higher_is_better)
        return won[:, 0, 1].mean(), (~won[:, 0, 1] & ~won[:, 1, 0]).mean()

    def sentences(self, level: float = LEVEL) -> list[str]:
        """One for each two systems that follow each other on the board, best first."""
        order = np.argsort(ranks(self.scores, self.column.higher_is_better), kind="stable")
        names, wins = [self.systems[i] for i in order], self.wins()
        return [self.sentence(a, b, level, wins) for a, b in zip(names, names[1:])]


def _percent(share):
    """A share in words that round it neither up to all nor down to none."""
    if share == 1:
        return "all"
    if share >= 0.9995:
        return "more than 99.9%"
    if 0 < share < 0.005:
        return "less than 1%"
    return f"{100 * share:.0f}%" if share < 0.995 else f"{100 * share:.1f}%"


def bootstrap_words(board: Board, column: str, replicates: int = 1000, seed: int = 0) -> Doubt:
    """Draw as many words as there are, with replacement, the same for all systems, and average again."""
    at = board.column(column)
    if board.words is None:
        raise InputError(
            "Words can only be drawn where scores of single words are known, and are averaged over words or instances."
        )
    if len(board.words.words) < 2:
        raise InputError("There is one word only, so none can be drawn from several: draw instances instead.")
    values = board.words.values[:, :, at]
    keep = _usable(board, at) & ~(np.isnan(values) & (board.words.weights > 0)).any(axis=1)
    _require(keep, board.columns[at])
    weights = board.words.weights[keep]
    mass = weights * np.where(weights > 0, values[keep], 0.0)
    size = len(board.words.words)
    drawn = (
        np.random.default_rng(_seed(seed))
        .multinomial(size, np.full(size, 1 / size), size=_checked(replicates))
        .astype(float)
    )
    total = drawn @ weights.T
    scores = np.divide(drawn @ mass.T, total, out=np.full(total.shape, np.nan), where=total > 0)
    systems = tuple(name for name, kept in zip(board.systems, keep) if kept)
    return Doubt(systems, board.columns[at], board.values[keep, at], scores, np.zeros(len(systems)))


def bootstrap_instances(
    comparison: KeyComparison | TableComparison,
    board: Board,
    column: str,
    policy: Policy = AS_PUBLISHED,
    replicates: int = 1000,
    seed: int = 0,
    *,
    base: float = math.e,
    progress: Callable | None = None,
) -> Doubt:
    """Draw each word's instances with replacement, the same for all systems, and score the tables that they
    make.

    An instance drawn twice counts as two items of one class and one cluster, and such pairs make any
    solution look better, one cluster per instance most of all. That shift is an artefact of the drawing: it
    is taken off each system's resamples, so that only their spread around the score is left. Tables alone
    do not say which items are the same, so there each system has draws of its own.
    """
    at, replicates = board.column(column), _checked(replicates)
    column = board.columns[at]
    measure = resolve(column.measure)
    if measure.needs == "split":
        raise InputError(
            "Supervised recall is not resampled: a drawn instance would be in the mapping and in the test."
        )
    if policy.soft:
        raise InputError(
            "Instances with soft answers are not resampled, which would take hours: draw words, or score "
            "answers as hard."
        )
    if policy.average == "pooled":
        raise InputError(
            "Instances are drawn word by word, so the average must be over words or instances, not pooled."
        )
    keep = _usable(board, at)
    _require(keep, column)
    systems = [name for name, kept in zip(board.systems, keep) if kept]
    random, unit = np.random.default_rng(_seed(seed)), math.log(base) if measure.unit == "nats" else 1.0

    def score(tables):
        return measure.compute(Statistics(tables, column.estimator or "ML")) / unit

    draw = _draw_tables if isinstance(comparison, TableComparison) else _draw_words
    drawn = draw(comparison, systems, policy, replicates, random, score, progress or (lambda *_: None))
    shift = np.nanmean(drawn, axis=0) - board.values[keep, at]
    return Doubt(tuple(systems), column, board.values[keep, at], drawn - shift, shift)


def _draw_tables(comparison, systems, policy, replicates, random, score, progress):
    scores = np.empty((replicates, len(systems)))
    for i, name in enumerate(systems):
        table = comparison.systems[name]
        if not table.is_whole:
            raise InputError(f"{name} has fractional counts, so there are no instances to draw.")
        cells = table.counts.ravel()
        step = max(1, CELLS // len(cells))
        for first in range(0, replicates, step):
            size = min(step, replicates - first)
            drawn = random.multinomial(table.n, cells / table.n, size=size)
            scores[first : first + size, i] = score(drawn.reshape(size, *table.shape))
            progress(i * replicates + first + size, len(systems) * replicates, f"Drawing instances of {name}")
    return scores


def _draw_words(comparison, systems, policy, replicates, random, score, progress):
    mass, total = np.zeros((replicates, len(systems))), np.zeros((replicates, len(systems)))
    for number, (word, answers) in enumerate(comparison.gold.words.items()):
        classes, _ = code(answers.labels())
        columns = [
            _clusters(comparison.systems[name].answers(word).labels(answers.instances), policy.missing)
            for name in systems
        ]
        # instances that no system tells apart are drawn together
        kinds, counts = np.unique(np.column_stack([classes, *columns]), axis=0, return_counts=True)
        largest = max(len(kinds), (classes.max() + 1) * (kinds[:, 1:].max() + 2))
        step = max(1, CELLS // largest)
        for first in range(0, replicates, step):
            part = slice(first, min(first + step, replicates))
            drawn = random.multinomial(counts.sum(), counts / counts.sum(), size=part.stop - first)
            for i in range(len(systems)):
                scores, sizes = _score_draws(drawn, kinds[:, 0], kinds[:, i + 1], score)
                weights = (sizes > 0).astype(float) if policy.average == "words" else sizes
                mass[part, i] += weights * scores
                total[part, i] += weights
            progress(number + part.stop / replicates, len(comparison.gold.words), f"Drawing instances of {word}")
    return np.divide(mass, total, out=np.full(total.shape, np.nan), where=total > 0)


def _clusters(labels, missing):
    """Cluster codes; unanswered instances as the policy says, -1 where it leaves them out."""
    codes, names = code(labels)
    empty = np.flatnonzero(codes < 0)
    if missing != "drop":
        codes = codes.copy()
        codes[empty] = len(names) + (np.arange(len(empty)) if missing == "singletons" else 0)
    return codes


def _score_draws(drawn, classes, clusters, score):
    """Scores and sizes of the tables that drawn instances make; score 0 where no answered one was drawn."""
    answered = clusters >= 0
    if not answered.any():
        return np.zeros(len(drawn)), np.zeros(len(drawn))
    drawn, classes, clusters = drawn[:, answered], classes[answered], clusters[answered]
    (used, cells), width = (
        np.unique(classes * (clusters.max() + 1) + clusters, return_inverse=True),
        clusters.max() + 1,
    )
    tables = np.zeros((len(drawn), (classes.max() + 1) * width), dtype=np.int64)
    order = np.argsort(cells, kind="stable")
    starts = np.searchsorted(cells[order], np.arange(len(used)))
    tables[:, used] = np.add.reduceat(drawn[:, order], starts, axis=1)
    sizes = drawn.sum(axis=1)
    some = sizes > 0
    scores = np.zeros(len(drawn))
    if some.any():
        scores[some] = score(tables[some].reshape(int(some.sum()), -1, width))
    return scores, sizes.astype(float)


def _usable(board, at):
    return ~np.isnan(board.values[:, at])


def _require(keep, column):
    if not keep.any():
        raise InputError(f"No system has a score by {column.name} that can be resampled.")


def _checked(replicates):
    if not 1 <= replicates <= LARGEST_REPLICATES:
        raise InputError(f"There can be 1 to {LARGEST_REPLICATES:,} resamples, not {replicates}.")
    return int(replicates)


def _seed(seed):
    if seed < 0:
        raise InputError(f"A seed is a whole number of at least 0, not {seed}.")
    return int(seed)
