"""Scoring a system's key against a gold key: a table per word, and averages over the words."""

import math
from collections.abc import Callable

import numpy as np
import pandas as pd

from .contingency import Contingency
from .entropy import resolve as resolve_estimator
from .errors import InputError
from .keys import Key, check_soft_size
from .labels import UNANSWERED, unused_name
from .scoring import measures_named, nats_in
from .statistics import Statistics
from .text import quoted

MISSING = ("cluster", "drop", "singletons")
AVERAGES = ("instances", "words", "pooled")


def word_tables(
    gold: Key, system: Key, missing: str = "cluster", soft: bool = False, unknown: str = "error"
) -> dict[str, Contingency]:
    """The contingency table of each word of the gold key, in its order.

    Parameters
    ----------
    missing : what becomes of instances that the system leaves unanswered: "cluster" puts them into one extra
        cluster of their word, "singletons" each into its own, "drop" leaves them out, and emptied words
    soft : keep the weights of the system's senses; otherwise the largest decides, the first listed on a tie,
        as it always does for the gold
    unknown : "error" refuses answers to instances that the gold key does not hold, "ignore" leaves them out

    >>> from evalcore.keys import read_key
    >>> gold = read_key(b"bank.n 1 money\\nbank.n 2 river\\nbank.n 3 river", "gold.key")
    >>> word_tables(gold, read_key(b"bank.n 1 A\\nbank.n 2 B", "system.key"))["bank.n"].counts.tolist()
    [[1, 0, 0], [0, 1, 1]]
    """
    _one_of(missing, MISSING, "missing")
    _one_of(unknown, ("error", "ignore"), "unknown")
    answered = _check(gold, system, unknown)
    if not answered:
        raise InputError(f"{system.file} answers no instance of {gold.file}.")
    build = _soft_table if soft else _hard_table
    tables = {word: build(answers, system, word, missing) for word, answers in gold.words.items()}
    return {word: table for word, table in tables.items() if table is not None}


def word_scores(
    tables: dict[str, Contingency],
    measures=None,
    estimators=("ML",),
    *,
    base: float = math.e,
    progress: Callable | None = None,
) -> pd.DataFrame:
    """One row for each word, measure and estimator ("" for measures that use none), with n and clusters.

    `progress` is called with the words done and the words to do.

    >>> table = Contingency.from_matrix([[2, 0], [1, 1]])
    >>> scores = word_scores({"bank.n": table}, ["V", "ARI"], ["ML", "MM"])
    >>> scores[["word", "n", "measure", "estimator"]].values.tolist()
    [['bank.n', 4, 'V', 'ML'], ['bank.n', 4, 'V', 'MM'], ['bank.n', 4, 'ARI', '']]
    """
    columns = _columns(measures, estimators)
    values = _values(tables, columns, base, progress)
    rows = [
        (word, _items(table), _clusters(table), measure.name, estimator, value)
        for (word, table), line in zip(tables.items(), values, strict=True)
        for (measure, estimator), value in zip(columns, line, strict=True)
    ]
    return pd.DataFrame(rows, columns=["word", "n", "clusters", "measure", "estimator", "value"])


def score_key(
    gold: Key,
    system: Key,
    measures=None,
    estimators=("ML",),
    *,
    average: str = "instances",
    missing: str = "cluster",
    soft: bool = False,
    unknown: str = "error",
    base: float = math.e,
    progress: Callable | None = None,
) -> pd.DataFrame:
    """Scores of one system: the columns clusters_per_word, measure, estimator and value.

    `average` is "instances" (a word weighs as many instances as its table holds), "words" (all weigh the
    same) or "pooled" (one table of all words, in which no two words share a class or cluster). Other options
    are those of `word_tables` and `word_scores`. The extra cluster of unanswered instances is counted too.

    >>> from evalcore.keys import read_key
    >>> gold = read_key(b"a 1 x\\na 2 y\\nb 3 x\\nb 4 y\\nb 5 y\\nb 6 y", "gold.key")
    >>> system = read_key(b"a 1 1\\na 2 2\\nb 3 1\\nb 4 1\\nb 5 1\\nb 6 1", "system.key")
    >>> [float(score_key(gold, system, ["V"], average=a).value[0]) for a in ("instances", "words", "pooled")]
    [0.3333, 0.5, 0.8223]
    """
    _one_of(average, AVERAGES, "average")
    columns = _columns(measures, estimators)
    tables = word_tables(gold, system, missing, soft, unknown)
    if average == "pooled":
        values = _values({"": pooled_table(tables)}, columns, base, progress)[0]
    else:
        sizes = [_items(table) if average == "instances" else 1 for table in tables.values()]
        values = np.average(_values(tables, columns, base, progress), axis=0, weights=sizes)
    clusters = np.mean([_clusters(table) for table in tables.values()])
    return pd.DataFrame(
        {
            "clusters_per_word": clusters,
            "measure": [m.name for m, _ in columns],
            "estimator": [e for _, e in columns],
            "value": values,
        }
    )


def score_keys(
    gold: Key,
    systems: dict[str, Key],
    measures=None,
    estimators=("ML",),
    *,
    progress: Callable | None = None,
    **options,
) -> pd.DataFrame:
    """`score_key` for several systems, with their names in the column `system`.

    >>> from evalcore.keys import read_key
    >>> gold, other = read_key(b"a 1 x\\na 2 y"), read_key(b"a 1 k\\na 2 k")
    >>> score_keys(gold, {"one": gold, "two": other}, ["V"])[["system", "value"]].values.tolist()
    [['one', 1.0], ['two', 0.0]]
    """
    parts = []
    for number, (name, system) in enumerate(systems.items()):

        def overall(done, total, before=number):
            progress(before + done / total, len(systems))

        scores = score_key(gold, system, measures, estimators, progress=overall if progress else None, **options)
        scores.insert(0, "system", name)
        parts.append(scores)
    if not parts:
        raise InputError("There are no systems to score.")
    return pd.concat(parts, ignore_index=True)


def pooled_table(tables: dict[str, Contingency]) -> Contingency:
    """One table of all words; its classes and clusters are called "word name".

    >>> table = Contingency.from_labels(["x", "y"], ["k", "k"])
    >>> pooled_table({"a": table, "b": table}).clusters
    ('a k', 'b k')
    """
    if not any(table.memberships for table in tables.values()):
        gold, predicted = [], []
        for word, table in tables.items():
            of_class, of_cluster = table.to_labels()
            gold += [f"{word} {name}" for name in of_class]
            predicted += [f"{word} {name}" for name in of_cluster]
        return Contingency.from_labels(gold, predicted)
    shape = tuple(np.sum([table.memberships.clusters.shape for table in tables.values()], axis=0).tolist())
    check_soft_size(*shape, "All words pooled")
    gold, names, memberships, at = [], [], np.zeros(shape), 0
    for word, table in tables.items():
        part = table.memberships.clusters
        memberships[len(gold) : len(gold) + len(part), at : at + part.shape[1]] = part
        at += part.shape[1]
        gold += [f"{word} {table.classes[code]}" for code in table.memberships.classes.tolist()]
        names += [f"{word} {name}" for name in table.clusters]
    return Contingency.from_memberships(gold, memberships, names)


# ---- one word ----------------------------------------------------------------------------------


def _check(gold, system, unknown):
    """The number of instances answered; errors where the keys do not fit together."""
    gold.require_senses()
    strange, answered = [], 0
    for word, answers in system.words.items():
        known = gold.answers(word).instances
        here = np.fromiter((name in known for name in answers.instances), dtype=bool, count=len(answers))
        answered += int((here & (answers.hard >= 0)).sum())
        strange += answers.lines[~here].tolist()
    if strange and unknown == "error":
        line = min(strange)
        word, name = next(
            (word, name)
            for word, answers in system.words.items()
            for name, at in answers.instances.items()
            if answers.lines[at] == line
        )
        more = f", and {len(strange) - 1:,} more are not" if len(strange) > 1 else ""
        raise InputError(
            f"{system.file}, line {line}: instance {quoted(name)} of {quoted(word)} is not in {gold.file}{more}."
        )
    return answered


def _hard_table(gold, system, word, missing):
    predicted = system.answers(word).labels(gold.instances)
    if missing == "drop" and not any(predicted):
        return None
    return Contingency.from_labels(gold.labels(), predicted, missing)


def _soft_table(gold, system, word, missing):
    labels, weights = gold.labels(), system.distributions(word, gold.instances)
    names = list(system.answers(word).senses)
    answered = weights.any(axis=1)
    empty = np.flatnonzero(~answered)
    if missing == "drop":
        labels = [label for label, keep in zip(labels, answered, strict=True) if keep]
        weights = weights[answered]
    elif len(empty):
        more = 1 if missing == "cluster" else len(empty)
        check_soft_size(len(weights), len(names) + more, f"{system.file}, {quoted(word)}")
        extra = np.zeros((len(weights), more))
        extra[empty, 0 if missing == "cluster" else np.arange(len(empty))] = 1.0
        weights = np.hstack([weights, extra])
        names += [unused_name(UNANSWERED if more == 1 else f"{UNANSWERED} {i + 1}", names) for i in range(more)]
    if not labels:
        return None
    used = np.flatnonzero(weights.any(axis=0))
    return Contingency.from_memberships(labels, weights[:, used], [names[k] for k in used])


# ---- scores ------------------------------------------------------------------------------------


def _columns(measures, estimators):
    """(measure, estimator) pairs; a measure that no estimator feeds has "" and stands once."""
    names = [resolve_estimator(e).name for e in ([estimators] if isinstance(estimators, str) else estimators)]
    if not names:
        raise InputError("At least one estimator is needed; ML is the plain one.")
    # each once, however often it is named
    chosen = {measure.name: measure for measure in measures_named(measures)}
    return [
        (measure, name)
        for measure in chosen.values()
        for name in (dict.fromkeys(names) if measure.needs == "entropies" else [""])
    ]


def _values(tables, columns, base, progress):
    """Scores, shape (tables, columns)."""
    unit = nats_in(base)
    names = dict.fromkeys(name or "ML" for _, name in columns)
    units = np.array([unit if measure.unit == "nats" else 1.0 for measure, _ in columns])
    values = np.empty((len(tables), len(columns)))
    for at, (word, table) in enumerate(tables.items()):
        plain = Statistics(table)
        fed = {name: plain.with_estimator(name) for name in names}
        try:
            values[at] = [measure.compute(fed[name] if name else plain) for measure, name in columns]
        except InputError as error:
            raise InputError(f"{word}: {error}" if word else str(error)) from None
        if progress:
            progress(at + 1, len(tables))
    return values / units


def _items(table):
    """The number of items; the mass of soft answers would be off by roundoff."""
    return len(table.memberships.clusters) if table.memberships else table.n


def _clusters(table):
    """Clusters that hold anything: those of items left out are only names."""
    return int((table.cluster_sizes > 0).sum())


def _one_of(value, choices, what):
    if value not in choices:
        raise InputError(f"{what} must be one of {', '.join(choices)}, not {value!r}.")
