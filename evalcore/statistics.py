"""What measures are made of: entropies (by any estimator), pair counts and overlaps, each computed once, when asked for.

A measure sees a `Statistics` and never a table. So it works alike on one table, on a batch (arrays with leading
axes), on a sparse table, on expectations over soft answers, and on entropies taken from a paper.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import gammaln

from .cells import DenseCells, SparseCells
from .contingency import Contingency
from .entropy import entropy, expected_triple, resolve
from .entropy.nsb import log_rising
from .errors import InputError
from .matching import greedy_matching, optimal_matching
from .matrices import checked_batch
from .permutation import expected_mutual_information
from .terms import log_terms, pair_terms


class Support(NamedTuple):
    """Numbers of possible outcomes for H(C), H(K) and H(C,K); None means what was observed."""

    C: int | None = None
    K: int | None = None
    joint: int | None = None


@dataclass(frozen=True)
class Entropies:
    """The triple of entropies and what follows from it, in nats.

    >>> Entropies.from_triple(C=1.0, K=2.0, joint=2.5).mutual
    0.5
    """

    C: np.ndarray
    K: np.ndarray
    joint: np.ndarray
    C_given_K: np.ndarray
    K_given_C: np.ndarray
    mutual: np.ndarray

    @classmethod
    def from_triple(cls, C, K, joint) -> "Entropies":
        return cls(C, K, joint, joint - K, joint - C, C + K - joint)


class Pairs(NamedTuple):
    """Unordered pairs of items: same class and cluster, same class only, same cluster only, neither."""

    n11: np.ndarray
    n10: np.ndarray
    n01: np.ndarray
    n00: np.ndarray


class Statistics:
    """Statistics of a table, a batch of tables, or given entropies.

    Parameters
    ----------
    table : Contingency, or an array of shape (..., classes, clusters)
    estimator : entropy estimator that feeds the information measures
    support : Support, overriding the observed numbers of outcomes
    pairs : "auto" counts pairs n(n-1)/2 in whole tables and squares (the limit of large n) in fractional ones, also
        where a batch holds both; "asymptotic" uses squares throughout
    beta : weight of completeness in V

    >>> s = Statistics(Contingency.from_matrix([[2, 0], [0, 2]]))
    >>> float(s.pairs.n11), float(s.entropies.C_given_K)
    (2.0, 0.0)
    """

    def __init__(self, table, estimator="ML", support=None, pairs: str = "auto", beta: float = 1.0):
        if pairs not in ("auto", "asymptotic"):
            raise InputError(f"pairs must be 'auto' or 'asymptotic', not {pairs!r}.")
        self.memberships = None
        if isinstance(table, Contingency):
            self._cells = SparseCells(table.matrix) if table.is_sparse else DenseCells(table.matrix)
            whole, self.memberships = table.is_whole and table.memberships is None, table.memberships
        else:
            batch = checked_batch(table)
            self._cells = DenseCells(batch)
            whole = np.asarray(table).dtype.kind in "iub" or bool((batch == np.trunc(batch)).all())
            if not whole:
                whole = (batch == np.trunc(batch)).all(axis=(-2, -1))
        # of all tables; and of each, where a batch holds both kinds
        self.is_whole, self._whole = bool(np.all(whole)), whole
        self._itself = np.multiply(whole, pairs == "auto")  # whether an item makes no pair with itself
        self._set(estimator, support, beta)

    def _set(self, estimator, support, beta):
        self.estimator, self.support = resolve(estimator), _support(support)
        try:
            self.beta = float(beta)
        except (TypeError, ValueError):
            self.beta = np.nan
        if not 0 <= self.beta < np.inf:
            raise InputError(f"beta must be a number of at least 0, not {beta!r}.")

    @classmethod
    def from_entropies(cls, C, K, joint=None, vi=None, n=None, beta: float = 1.0) -> "Statistics":
        """From H(C), H(K) and either H(C,K) or VI, as papers print them: only information measures can be had.

        >>> s = Statistics.from_entropies(C=1.73, K=2.70, vi=2.32)
        >>> round(float(s.entropies.mutual), 3)
        1.055
        """
        if (joint is None) == (vi is None):
            raise InputError("Give either the joint entropy or VI, not both.")
        try:
            C, K, third = (np.asarray(x, dtype=float) for x in (C, K, vi if joint is None else joint))
        except (TypeError, ValueError):
            raise InputError("Entropies are numbers, or arrays of them.") from None
        joint = (C + K + third) / 2 if joint is None else third
        self = cls.__new__(cls)
        self._cells, self.memberships, self.is_whole = None, None, False
        self._set("ML", None, beta)
        self.__dict__["entropies"] = Entropies.from_triple(C, K, joint)
        if n is not None:
            self.__dict__["n"] = np.asarray(n, dtype=float)
        return self

    def with_estimator(self, estimator, support=None, beta: float | None = None) -> "Statistics":
        """The same statistics with entropies by another estimator; what does not depend on it is kept."""
        other = self.__class__.__new__(self.__class__)
        other.__dict__.update({k: v for k, v in self.__dict__.items() if k not in ("entropies",)})
        other._set(estimator, self.support if support is None else support, self.beta if beta is None else beta)
        if (other.estimator, other.support) == (self.estimator, self.support) and "entropies" in self.__dict__:
            other.__dict__["entropies"] = self.__dict__["entropies"]
        return other

    @property
    def cells(self):
        if self._cells is None:
            raise InputError("Entropies alone do not give this measure: it needs the table.")
        return self._cells

    # ---- sizes ---------------------------------------------------------------------------------

    @cached_property
    def n(self):
        return self.cells.total if self.memberships is None else float(len(self.memberships.clusters))

    @property
    def counts_items(self):
        """Whether n is a number of items, and not a mass; of each table, where a batch holds both kinds."""
        return self._whole if self._cells is not None and self.memberships is None else True

    @cached_property
    def n_classes(self):
        """Classes that hold anything."""
        return (self.cells.a > 0).sum(axis=-1)

    @cached_property
    def n_clusters(self):
        return (self.cells.b > 0).sum(axis=-1)

    # ---- entropies -----------------------------------------------------------------------------

    @cached_property
    def entropies(self) -> Entropies:
        if self.memberships is not None:
            triple = expected_triple(
                self.memberships.classes, self.memberships.clusters, self.estimator, tuple(self.support)
            )
            return Entropies.from_triple(*triple)
        return self._maximum_likelihood() if self.estimator.name == "ML" else self._estimated()

    def _maximum_likelihood(self):
        # Conditional entropies and MI are summed directly, not as differences: zeros are exact and nothing turns negative.
        x = self.cells
        C_given_K, K_given_C, mutual = (total / x.total for total in x.sums(log_terms))
        C, K = _plain_entropy(x.a), _plain_entropy(x.b)
        return Entropies(C, K, C + K_given_C, C_given_K, K_given_C, mutual)

    def _estimated(self):
        x, support = self.cells, self.support
        if not self.is_whole:
            raise InputError(
                f"{self.estimator.name} needs whole counts, but this table has fractions; only ML takes them."
            )
        cells = self.n_classes * self.n_clusters  # the joint's support: every class with every cluster
        return Entropies.from_triple(
            C=entropy(_in_order(x.a), self.estimator, self.n_classes if support.C is None else support.C),
            K=entropy(_in_order(x.b), self.estimator, self.n_clusters if support.K is None else support.K),
            joint=entropy(_in_order(x.flat), self.estimator, cells if support.joint is None else support.joint),
        )

    @cached_property
    def expected_mutual(self):
        """E[I] over all tables with these margins (the permutation model); NaN where counts are fractional."""
        x, whole = self.cells, self._whole
        if self.is_whole:
            return expected_mutual_information(x.a, x.b)
        expected = np.full(np.shape(self.n), np.nan)
        if np.any(whole):
            expected[whole] = expected_mutual_information(x.a[whole], x.b[whole])
        return expected[()]

    @cached_property
    def cluster_code(self):
        """(1/N) sum over clusters of log binom(b + |C| - 1, |C| - 1): Dom's cost of writing a cluster's class counts."""
        return self._code(self.cells.b)

    @cached_property
    def class_code(self):
        return self._code(self.cells.a)

    def _code(self, sizes):
        m = np.asarray(self.n_classes, dtype=float)[..., None]
        # binom(b+m-1, m-1) = (b+1) (b+2) ... (b+m-1) / (m-1)!
        logs = log_rising(sizes + 1, m - 1) + (m - 1) * np.log(sizes + 1) - gammaln(m)
        return logs.sum(axis=-1) / self.n

    # ---- pairs ---------------------------------------------------------------------------------

    @cached_property
    def pairs(self) -> Pairs:
        if self.memberships is not None:
            return self._expected_pairs()
        # Sums of terms that cannot be negative: none comes out as a difference of huge numbers. Only n11 leaves out each
        # item's pair with itself, and is small only where the counts are, which are then exact.
        n11, *others = self.cells.sums(pair_terms)
        return Pairs(*(total / 2 for total in (n11 - self._itself * self.n, *others)))

    def _expected_pairs(self):
        """Expected pair counts of independent draws: of two different items, the chance to be in the same cell."""
        q = self.memberships.class_probabilities(self.cells.a.shape[-1])
        everything = np.ones(len(q))
        sides = np.column_stack([self.memberships.clusters, everything])
        # a row for each class and one for all, a column for each cluster and one for all; where nothing can be apart the
        # sums that are compared below have the same terms in the same order, so that their difference is exactly 0
        together = np.array([_pairs_within(w[w > 0, None] * sides[w > 0]) for w in (*q.T, everything)])
        cells, by_class = together[:-1, :-1], together[:-1, -1]
        between_classes = together[-1] - together[:-1].sum(axis=0)
        n01 = between_classes[:-1].sum()
        return Pairs(cells.sum(), (by_class - cells.sum(axis=1)).sum(), n01, between_classes[-1] - n01)

    # ---- overlaps ------------------------------------------------------------------------------

    @cached_property
    def largest_in_class(self):
        """For each class, its largest part in one cluster."""
        return self.cells.max_by_class(self.cells.n)

    @cached_property
    def largest_in_cluster(self):
        return self.cells.max_by_cluster(self.cells.n)

    @cached_property
    def dice(self):
        """2 n / (a + b) of every cell: the F measure of the cluster as an answer for the class."""
        x = self.cells
        return x.occupied(x.divide(2 * x.n, x.a_at + x.b_at))

    @cached_property
    def best_dice(self):
        """For each class, its best F over the clusters."""
        return self.cells.max_by_class(self.dice)

    @cached_property
    def bcubed(self):
        """B-cubed precision and recall: the mean over items of the share of its cluster (class) that is its class (cluster)."""
        x = self.cells
        square = x.n * x.n
        return tuple(x.sum(x.occupied(x.divide(square, side))) / self.n for side in (x.b_at, x.a_at))

    @cached_property
    def matched(self):
        """The mass of the best one-to-one matching of clusters to classes."""
        return optimal_matching(self.cells, self.cells.n)

    @cached_property
    def matched_greedily(self):
        return greedy_matching(self.cells)

    @cached_property
    def matched_dice(self):
        """The largest sum of F over one-to-one matchings (CEAF's entity form)."""
        return optimal_matching(self.cells, self.dice)

    # ---- shares --------------------------------------------------------------------------------

    def cell_terms(self) -> dict[str, np.ndarray]:
        """Each cell's term of H(C|K), H(K|C) and I (maximum likelihood); they add up to the totals."""
        return dict(zip(("H(C|K)", "H(K|C)", "I"), (terms / self.cells.total_at for terms in log_terms(self.cells))))


def _in_order(counts):
    """One table's occupied counts by size: equal sets of counts then have the same entropy to the last bit, and a perfect
    solution loses exactly nothing."""
    return np.sort(counts[counts > 0]) if counts.ndim == 1 else counts


def _plain_entropy(sizes):
    # over their own sum: of fractional sizes, those of the classes and of the clusters may add up a little differently
    total = sizes.sum(axis=-1, keepdims=True)
    odds = np.divide(total - sizes, sizes, out=np.zeros(sizes.shape), where=sizes > 0)
    return (sizes * np.log1p(odds)).sum(axis=-1) / total[..., 0]


def _pairs_within(weights):
    """For each column, the sum of products over all pairs of rows; only non-negative numbers are added."""
    return (weights[1:] * np.cumsum(weights, axis=0)[:-1]).sum(axis=0)


def as_statistics(table, estimator=None, support=None, pairs: str = "auto", beta: float | None = None) -> Statistics:
    """The statistics of whatever was given: a table, a batch, a sparse matrix, or statistics already.

    None means ML and 1; or, of statistics, what they have.
    """
    if isinstance(table, Statistics):
        if pairs != "auto":
            raise InputError("These statistics have counted their pairs already: say how when making them.")
        return table.with_estimator(table.estimator if estimator is None else estimator, support, beta)
    if not isinstance(table, Contingency) and (sparse.issparse(table) or _depth(table) <= 2):
        table = Contingency.from_matrix(table)
    return Statistics(table, "ML" if estimator is None else estimator, support, pairs, 1.0 if beta is None else beta)


def _depth(table):
    try:
        return np.ndim(table)
    except ValueError:  # ragged: as a matrix it is refused with the place
        return 2


def _support(given):
    """A Support from None or three numbers."""
    if given is None:
        return Support()
    try:
        if isinstance(given, (str, bytes, dict)) or len(given) != 3:
            raise TypeError
    except TypeError:
        raise InputError(
            f"support is three numbers of possible outcomes (classes, clusters, cells), not {given!r}."
        ) from None
    return Support(*given)
