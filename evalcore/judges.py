"""Judges: a measure with the estimator that feeds it, for scoring many solutions of the same items."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .entropy import Estimator, entropy
from .entropy import resolve as estimator_named
from .errors import InputError
from .measures import Measure
from .scoring import measures_named
from .statistics import Entropies, Statistics


@dataclass(frozen=True)
class Judge:
    """What ranks solutions: a measure, and the estimator of its entropies (ML where it uses none).

    >>> judge = Judge.of(("V", "BUB"))
    >>> judge.label
    'V (BUB)'
    >>> judge.values(np.array([[[2, 0], [0, 2]], [[1, 1], [1, 1]]])).round(3).tolist()
    [0.492, -0.321]
    """

    measure: Measure
    estimator: Estimator

    @classmethod
    def of(cls, who) -> "Judge":
        """From a Judge, a measure's name, or a (measure, estimator) pair of names."""
        if isinstance(who, cls):
            return who
        measure, estimator = (who, "ML") if isinstance(who, (str, Measure)) else who
        [found] = measures_named([measure])
        return cls(found, estimator_named(estimator if found.needs == "entropies" else "ML"))

    @property
    def label(self) -> str:
        """The measure's name, with the estimator where it is not maximum likelihood."""
        return self.measure.name + (f" ({self.estimator.name})" if self.estimator.name != "ML" else "")

    @property
    def sign(self) -> int:
        """1 where higher is better, else -1: times a change of the score it is positive for the better."""
        return 1 if self.measure.higher_is_better else -1

    @property
    def is_slow(self) -> bool:
        """Whether a score takes an integral, or a sum over all tables with the same margins."""
        return self.estimator.kind == "nonlinear" or self.measure.family == "chance"

    def values(self, tables: np.ndarray, base: float = math.e, pairs: str = "auto") -> np.ndarray:
        """Scores of tables (..., classes, clusters) of the same items."""
        if not (base > 0 and base != 1):
            raise InputError(f"The base of the logarithm must be positive and not 1, not {base!r}.")
        unit = math.log(base) if self.measure.unit == "nats" else 1.0
        return np.asarray(self.measure.compute(SameItems(tables, self.estimator, pairs=pairs))) / unit


class SameItems(Statistics):
    """Statistics of many solutions of the same items, of which many share their sizes or their cell counts.

    An entropy depends on the counts in any order, and is computed once for all solutions with the same ones: that
    makes the estimators without coefficients quick here.
    """

    def _estimated(self):
        if self.estimator.kind == "linear" or not self.is_whole or any(m is not None for m in self.support):
            return super()._estimated()
        x, joint = self.cells, self.n_classes * self.n_clusters
        sides = ((x.a, self.n_classes), (x.b, self.n_clusters), (x.flat, joint))
        return Entropies.from_triple(*(self._entropy(counts, support) for counts, support in sides))

    def _entropy(self, counts, support):
        keys = np.column_stack([np.ravel(support), np.sort(_rows(counts), axis=1)])
        values = _once(keys, lambda distinct: entropy(distinct[:, 1:], self.estimator, distinct[:, 0].astype(int)))
        return values.reshape(np.shape(self.n))[()]


def _rows(counts):
    return counts.reshape(-1, counts.shape[-1])


def _once(rows: np.ndarray, compute: Callable) -> np.ndarray:
    """compute(distinct rows), given back for every row."""
    distinct, place = np.unique(rows, axis=0, return_inverse=True)
    return np.asarray(compute(distinct))[place.ravel()]
