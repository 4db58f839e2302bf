"""Scores: from tables to Series and DataFrames; and each cluster's and class's share of a score."""

import math
from numbers import Real

import numpy as np
import pandas as pd

from .contingency import Contingency
from .errors import InputError
from .measures import MEASURES, Measure, resolve
from .measures.information import ratio
from .statistics import Statistics, as_statistics


def measures_named(names=None) -> list:
    """The measures of these names; all that need no more than a table where none are given."""
    if names is None:
        return [m for m in MEASURES.values() if m.needs != "split"]
    try:
        chosen = [resolve(name) for name in ([names] if isinstance(names, (str, Measure)) else names)]
    except TypeError:
        raise InputError(f"Measures are given by a list of their names, not by {names!r}.") from None
    for measure in chosen:
        if measure.needs == "split":
            raise InputError(
                f"{measure.name} needs a mapping and a test part, not only a table: see supervised_recall."
            )
    return chosen


def nats_in(base: float) -> float:
    """The unit of information in nats: log(base). A base below 1 would make every distance negative, and the worst best.

    >>> round(nats_in(2), 3)
    0.693
    """
    if not isinstance(base, Real) or not 1 < base < math.inf:
        raise InputError(f"The base of the logarithm must be a finite number above 1, not {base!r}.")
    return math.log(base)


def score(
    table,
    measures=None,
    estimator=None,
    *,
    base: float = math.e,
    support=None,
    pairs: str = "auto",
    beta: float | None = None,
) -> pd.Series | pd.DataFrame:
    """Scores of a table, as a Series; of a batch of tables (..., classes, clusters), as a DataFrame with a row a table.

    Parameters
    ----------
    table : Contingency, matrix, batch of matrices, or Statistics
    measures : names, such as ["V", "NVI", "V(2)"]; all by default
    estimator : of the entropies that feed the information measures; ML by default, or what the Statistics have
    base : of the logarithm for measures in units of information (e: nats, 2: bits)
    support : numbers of possible (classes, clusters, cells) for estimators that use them; None means observed
    pairs : "auto", or "asymptotic" to count pairs as squares
    beta : weight of completeness in V; 1 by default, or what the Statistics have

    A measure that needs whole counts is NaN on a fractional table.

    >>> score(Contingency.from_matrix([[2, 0], [1, 1]]), ["V", "VI", "ARI"]).round(3).to_dict()
    {'V': 0.344, 'VI': 0.824, 'ARI': 0.0}
    """
    statistics = as_statistics(table, estimator=estimator, support=support, pairs=pairs, beta=beta)
    return score_statistics(statistics, measures, base)


def score_statistics(statistics: Statistics, measures=None, base: float = math.e):
    """As `score`, for statistics at hand, such as `Statistics.from_entropies`."""
    chosen = measures_named(measures)
    unit = nats_in(base)
    values = {m.name: m.compute(statistics) / (unit if m.unit == "nats" else 1.0) for m in chosen}
    shape = np.broadcast_shapes(*(np.shape(v) for v in values.values())) if values else ()
    if shape == ():
        return pd.Series(
            np.array(list(values.values()), dtype=float), index=list(values), name=statistics.estimator.name
        )
    index = pd.RangeIndex(shape[0]) if len(shape) == 1 else pd.MultiIndex.from_product([range(k) for k in shape])
    return pd.DataFrame({name: np.broadcast_to(v, shape).ravel() for name, v in values.items()}, index=index)


def scoreboard(tables: dict, measures=None, estimators=("ML",), *, base: float = math.e, **options) -> pd.DataFrame:
    """A tidy table: one row for each solution, measure and estimator ("" for measures that use none).

    >>> board = scoreboard({"R": [[2, 1], [1, 2]]}, ["V", "ARI"], ["ML", "JK"])
    >>> board[["solution", "measure", "estimator"]].values.tolist()
    [['R', 'V', 'ML'], ['R', 'ARI', ''], ['R', 'V', 'JK']]
    """
    chosen, rows = measures_named(measures), []
    for solution, table in tables.items():
        statistics = as_statistics(table, **options)
        if np.ndim(statistics.n):
            raise InputError(f"{solution!r} is a batch of tables; a scoreboard takes one table for each solution.")
        for number, estimator in enumerate([estimators] if isinstance(estimators, str) else estimators):
            fed = [m for m in chosen if m.needs == "entropies" or number == 0]
            values = score_statistics(statistics.with_estimator(estimator), fed, base)
            rows += [(solution, m.name, values.name if m.needs == "entropies" else "", x) for m, x in zip(fed, values)]
    return pd.DataFrame(rows, columns=["solution", "measure", "estimator", "value"])


def contributions(table, by: str = "cluster") -> pd.DataFrame:
    """Each cluster's (or class's) share of H(C|K), H(K|C), VI, NVI, h and c; every column adds up to the table's total.

    A share of VI is what the group loses; a share of h or c is what it tells: for a cluster, its mass times the
    divergence of its classes from all classes, over H(C) or H(K). Maximum likelihood, nats. Where H(C) = 0 (or H(K) = 0)
    h (or c) is 1 and the share is the group's mass.

    >>> contributions(Contingency.from_matrix([[2, 0], [1, 1]]))[["size", "VI", "h"]].round(3).values.tolist()
    [[3.0, 0.651, 0.061], [1.0, 0.173, 0.25]]
    """
    if by not in ("class", "cluster"):
        raise InputError(f"by must be 'class' or 'cluster', not {by!r}.")
    table = table if isinstance(table, Contingency) else Contingency.from_matrix(table)
    s = Statistics(Contingency(table.matrix, table.classes, table.clusters))
    x = s.cells
    add_up, sizes, names = (
        (x.sum_by_cluster, x.b, table.clusters) if by == "cluster" else (x.sum_by_class, x.a, table.classes)
    )
    parts = {name: add_up(terms) for name, terms in s.cell_terms().items()}
    mass, e = sizes / s.n, s.entropies
    vi = parts["H(C|K)"] + parts["H(K|C)"]
    columns = {
        "size": sizes,
        "H(C|K)": parts["H(C|K)"],
        "H(K|C)": parts["H(K|C)"],
        "VI": vi,
        "NVI": ratio(vi, e.C, vi),
        "h": ratio(parts["I"], e.C, mass),
        "c": ratio(parts["I"], e.K, mass),
    }
    return pd.DataFrame(columns, index=pd.Index(names, name=by, tupleize_cols=False))
