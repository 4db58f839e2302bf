"""The board: systems by columns, a column being a measure with the estimator that feeds it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..comparison import AS_PUBLISHED, KeyComparison, Policy, TableComparison
from ..errors import InputError
from ..keys import Key
from ..measures import resolve
from ..splits import supervised_recall_keys
from ..words import pooled_table, word_scores
from .ranks import ranks


class Column(NamedTuple):
    """A measure, the estimator of its entropies ("" if it uses none), and for supervised recall which
    split.
    """

    measure: str
    estimator: str = ""
    split: str = ""

    @property
    def name(self) -> str:
        """
        >>> Column("V", "BUB").name, Column("ARI").name, Column("SR", split="80:20").name
        ('V-BUB', 'ARI', 'SR 80:20')
        """
        return "-".join(filter(None, self[:2])) + (f" {self.split}" if self.split else "")

    @property
    def higher_is_better(self) -> bool:
        return resolve(self.measure).higher_is_better


@dataclass(frozen=True, eq=False)
class WordScores:
    """What the board averages: scores of each word; NaN, and weight 0, where a system has no table of it."""

    words: tuple[str, ...]
    weights: np.ndarray  # (systems, words)
    values: np.ndarray  # (systems, words, columns); supervised recall is not split by word and is NaN


@dataclass(frozen=True, eq=False)
class Board:
    """Scores of systems, with what is needed to rank them."""

    systems: tuple[str, ...]
    columns: tuple[Column, ...]
    values: np.ndarray  # (systems, columns); NaN where there is none
    clusters: np.ndarray  # (systems,) clusters per word
    words: WordScores | None = None  # None where only totals are known
    printed_ranks: np.ndarray | None = None  # of a paper that ranked before it rounded
    problems: tuple[str, ...] = ()  # why a system is missing

    @property
    def names(self) -> list[str]:
        """The columns' names."""
        return [column.name for column in self.columns]

    def column(self, name: str) -> int:
        """The place of the column of that name."""
        if name not in self.names:
            raise InputError(f"There is no column called {name!r}; the columns are {', '.join(self.names)}.")
        return self.names.index(name)

    @property
    def ranks(self) -> np.ndarray:
        """(systems, columns); 1 is best, equal scores share the smaller rank, NaN where there is no score."""
        if self.printed_ranks is not None:
            return self.printed_ranks
        return np.column_stack(
            [ranks(values, column.higher_is_better) for values, column in zip(self.values.T, self.columns)]
        )

    @property
    def better(self) -> dict[str, bool]:
        """By column name, whether higher is better: what `evalcore.formats.render` asks for."""
        return {column.name: column.higher_is_better for column in self.columns}

    def frame(self, with_ranks: bool = False) -> pd.DataFrame:
        """One row a system: system, clusters_per_word, and the columns, each followed by its ranks
        if they are wanted.
        """
        data = {"system": list(self.systems), "clusters_per_word": self.clusters}
        for at, name in enumerate(self.names):
            data[name] = self.values[:, at]
            if with_ranks:
                data[f"{name} rank"] = pd.array(
                    [None if math.isnan(r) else int(r) for r in self.ranks[:, at]], dtype="Int64"
                )
        return pd.DataFrame(data)


def score_comparison(
    comparison: KeyComparison | TableComparison,
    measures=("V",),
    estimators=("ML",),
    policy: Policy = AS_PUBLISHED,
    *,
    splits: dict[str, Sequence[tuple[Key, Key]]] | None = None,
    base: float = math.e,
    progress: Callable | None = None,
) -> Board:
    """Score all systems; one that does not fit the gold key becomes a sentence in `problems`, the others
    are kept.

    Parameters
    ----------
    splits : by name, pairs of mapping and test keys; each adds a column of supervised recall, the mean over
        its pairs
    progress : called with what is done, what there is to do, and a sentence

    A table with fractional counts has no scores (NaN) by estimators that need whole ones.

    >>> from evalcore.comparison import read_files
    >>> files = [("gold.key", b"a 1 x\\na 2 y"), ("s.key", b"a 1 1\\na 2 1"), ("t.key", b"a 1 1\\na 2 2")]
    >>> score_comparison(read_files(files).comparison(), ["V", "ARI"]).frame(with_ranks=True).values.tolist()
    [['s', 1.0, 0.0, 2, 0.0, 2], ['t', 2.0, 1.0, 1, 1.0, 1]]
    """
    policy.check()
    if not comparison.systems:
        raise InputError("There are no systems to compare yet: add some, or a baseline.")
    scored, problems, columns = {}, {}, ()
    for number, name in enumerate(comparison.systems):

        def overall(done, total, before=number, name=name):
            progress(before + done / total, len(comparison.systems), f"Scoring {name}")

        try:
            scored[name], columns = _score(comparison, name, measures, estimators, policy, base, progress and overall)
        except InputError as error:
            problems[name] = str(error)
    if not scored:
        raise InputError(next(iter(problems.values())))
    # an error that begins with a file's name says already whose it is
    told = tuple(says if says.startswith(f"{name}.") else f"{name}: {says}" for name, says in problems.items())
    board = _board(comparison, scored, columns, policy, told)
    return _with_recall(board, comparison, splits) if splits else board


class _Scored(NamedTuple):
    """One system: its tables' sizes and scores by word, and what they average to."""

    words: list[str]
    sizes: np.ndarray
    by_word: np.ndarray  # (words, columns)
    values: np.ndarray  # (columns,)
    clusters: float


def _score(comparison, name, measures, estimators, policy, base, progress):
    tables = comparison.tables(name, policy)
    rows = _word_scores(tables, measures, estimators, base, progress)
    columns = tuple(dict.fromkeys(map(Column, rows.measure, rows.estimator)))
    by_word = rows.value.to_numpy().reshape(len(tables), len(columns))
    sizes, clusters = (
        rows.n.to_numpy(dtype=float)[:: len(columns)],
        rows.clusters.to_numpy()[:: len(columns)].mean(),
    )
    if policy.average == "pooled":
        values = _word_scores({"": pooled_table(tables)}, measures, estimators, base, None).value.to_numpy()
    else:
        sizes = sizes if policy.average == "instances" else np.ones(len(sizes))
        values = np.average(by_word, axis=0, weights=sizes)
    return _Scored(list(tables), sizes, by_word, values, float(clusters)), columns


def _word_scores(tables, measures, estimators, base, progress):
    """As `word_scores`, with NaN for estimators that a fractional table cannot feed."""
    fractional = not all(table.is_whole or table.memberships for table in tables.values())
    if not fractional or list(estimators) == ["ML"]:
        return word_scores(tables, measures, estimators, base=base, progress=progress)
    whole = {word: type(table).from_matrix(np.ones(table.shape, dtype=int)) for word, table in tables.items()}
    rows = word_scores(whole, measures, estimators, base=base)  # for its columns
    plain = word_scores(tables, measures, ["ML"], base=base, progress=progress)
    known = {(w, m, e): x for w, m, e, x in plain[["word", "measure", "estimator", "value"]].itertuples(index=False)}
    return rows.assign(
        n=[tables[w].n for w in rows.word],
        value=[known.get((w, m, e), np.nan) for w, m, e in zip(rows.word, rows.measure, rows.estimator)],
    )


def _board(comparison, scored, columns, policy, problems):
    parts = list(scored.values())
    words = None
    if policy.average != "pooled":
        at = {word: i for i, word in enumerate(comparison.words)}
        weights = np.zeros((len(parts), len(at)))
        values = np.full((len(parts), len(at), len(columns)), np.nan)
        for i, part in enumerate(parts):
            here = [at[word] for word in part.words]
            weights[i, here], values[i, here] = part.sizes, part.by_word
        words = WordScores(tuple(at), weights, values)
    return Board(
        tuple(scored),
        columns,
        np.array([part.values for part in parts]),
        np.array([part.clusters for part in parts]),
        words,
        problems=problems,
    )


def _with_recall(board, comparison, splits):
    if isinstance(comparison, TableComparison):
        raise InputError("Supervised recall needs instances that can be split; tables alone have none.")
    recall = [
        [
            np.mean([supervised_recall_keys(comparison.systems[name], *pair) for pair in pairs])
            for pairs in splits.values()
        ]
        for name in board.systems
    ]
    columns = board.columns + tuple(Column("SR", split=name) for name in splits)
    words = board.words
    if words is not None:
        none = np.full((*words.values.shape[:2], len(splits)), np.nan)
        words = WordScores(words.words, words.weights, np.concatenate([words.values, none], axis=2))
    return Board(
        board.systems,
        columns,
        np.hstack([board.values, recall]),
        board.clusters,
        words,
        problems=board.problems,
    )
