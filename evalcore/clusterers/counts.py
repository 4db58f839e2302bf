"""Co-occurrence counts of nouns and verbs: the type, ways to take them apart, and models that make them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy import sparse

from ..contingency import Contingency
from ..errors import InputError

LARGEST_NOUNS, LARGEST_VERBS = 1_000, 2_200
LARGEST_SAMPLE = 10_000_000  # pairs
NO_SHARE = 1e-60  # a smaller membership changes no digit of any expectation


@dataclass(frozen=True, eq=False, repr=False)
class Cooccurrence:
    """How often each noun stood with each verb; any words and contexts will do.

    Parameters
    ----------
    counts : whole numbers, nouns x verbs; dense or sparse
    nouns, verbs : their names
    gold : the class of each noun, None for a noun without one; None where there are no classes at all
    truth : P(noun, verb), where the counts were drawn from a known distribution

    >>> pairs = Cooccurrence([[2, 0], [1, 4]], ("tea", "coal"), ("drink", "burn"))
    >>> pairs.n_pairs, pairs.noun_totals.tolist()
    (7, [2, 5])
    """

    counts: sparse.csr_array
    nouns: tuple
    verbs: tuple
    gold: tuple | None = None
    truth: np.ndarray | None = None

    def __post_init__(self):
        counts = sparse.csr_array(self.counts)
        n_nouns, n_verbs = counts.shape
        if (n_nouns, n_verbs) != (len(self.nouns), len(self.verbs)):
            raise InputError(
                f"{len(self.nouns)} nouns, {len(self.verbs)} verbs do not fit {n_nouns} x {n_verbs} counts."
            )
        check_size(n_nouns, n_verbs, counts.sum())
        if counts.dtype.kind not in "iu":
            if not np.array_equal(counts.data, np.rint(counts.data)):
                raise InputError("Counts of pairs must be whole numbers.")
        if counts.nnz and counts.data.min() < 0:
            raise InputError("Counts of pairs must not be negative.")
        counts = counts.astype(np.int64)
        counts.eliminate_zeros()
        counts.sort_indices()
        if self.gold is not None and len(self.gold) != n_nouns:
            raise InputError(f"There are {len(self.gold)} classes for {n_nouns} nouns.")
        object.__setattr__(self, "counts", counts)

    def __repr__(self):
        classes = "" if self.gold is None else f", {len(set(self.gold) - {None})} classes"
        size = f"{len(self.nouns)} nouns x {len(self.verbs)} verbs"
        return f"<Cooccurrence: {size}, {self.n_pairs} pairs{classes}>"

    @cached_property
    def n_pairs(self) -> int:
        return int(self.counts.data.sum())

    @cached_property
    def noun_totals(self) -> np.ndarray:
        return np.asarray(self.counts.sum(axis=1))

    @cached_property
    def verb_totals(self) -> np.ndarray:
        return np.asarray(self.counts.sum(axis=0))

    def to_frame(self) -> pd.DataFrame:
        return pd.DataFrame(self.counts.toarray(), index=list(self.nouns), columns=list(self.verbs))

    # ---- solutions -----------------------------------------------------------------------------

    def contingency(self, labels) -> Contingency:
        """The table of classes and clusters for one cluster a noun; nouns without a class are left out."""
        if self.gold is None:
            raise InputError("These nouns have no classes, so no solution can be scored.")
        return Contingency.from_labels(list(self.gold), np.asarray(labels).tolist(), missing="drop")

    def soft_contingency(self, memberships) -> Contingency:
        """The same for p(cluster | noun), one row a noun: entropies are expectations over hard solutions."""
        if self.gold is None:
            raise InputError("These nouns have no classes, so no solution can be scored.")
        known = np.array([c is not None for c in self.gold])
        shares = np.asarray(memberships, dtype=float)[known]
        shares[shares < NO_SHARE] = 0.0
        return Contingency.from_memberships([c for c in self.gold if c is not None], shares)

    # ---- parts ---------------------------------------------------------------------------------

    def part(self, rows) -> "Cooccurrence":
        """The nouns at these positions only, with all verbs."""
        rows = np.asarray(rows)
        gold = None if self.gold is None else tuple(self.gold[i] for i in rows)
        truth = None if self.truth is None else self.truth[rows] / self.truth[rows].sum()
        return Cooccurrence(self.counts[rows], tuple(self.nouns[i] for i in rows), self.verbs, gold, truth)

    def with_counts(self, counts) -> "Cooccurrence":
        return Cooccurrence(counts, self.nouns, self.verbs, self.gold, self.truth)

    def held_out(self, share: float = 0.2, seed: int = 0) -> tuple["Cooccurrence", "Cooccurrence"]:
        """Two disjoint parts of the pairs: each pair goes to the second with this probability."""
        if not 0 < share < 1:
            raise InputError(f"The held-out share must lie between 0 and 1, not {share!r}.")
        aside = self.counts.copy()
        aside.data = np.random.default_rng(seed).binomial(self.counts.data, share)
        kept = self.counts - aside
        if not kept.sum() or not aside.data.sum():
            raise InputError(f"{self.n_pairs} pairs are too few to hold a share of {share:g} out.")
        return self.with_counts(kept), self.with_counts(aside)


def check_size(n_nouns: int, n_verbs: int, n_pairs: int) -> None:
    """Refuse what is too large to cluster here, or too small to cluster at all."""
    if n_nouns > LARGEST_NOUNS or n_verbs > LARGEST_VERBS:
        raise InputError(
            f"{n_nouns:,} nouns x {n_verbs:,} verbs are too many: the limit is {LARGEST_NOUNS:,} x "
            f"{LARGEST_VERBS:,}; keep the most frequent ones."
        )
    if n_pairs > LARGEST_SAMPLE:
        raise InputError(f"{n_pairs:,} pairs are too many: the limit is {LARGEST_SAMPLE:,}.")
    if n_nouns < 2:
        raise InputError("There must be at least two nouns to cluster.")
    if n_pairs < 1:
        raise InputError("There are no pairs to cluster.")


# ---- known models ------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class WordModel:
    """A known distribution of noun-verb pairs, with the class of each noun."""

    truth: np.ndarray  # P(noun, verb)
    gold: tuple
    nouns: tuple
    verbs: tuple

    def sample(self, size: int, seed=0) -> Cooccurrence:
        """This many independent pairs."""
        check_size(*self.truth.shape, size)
        counts = np.random.default_rng(seed).multinomial(size, self.truth.ravel()).reshape(self.truth.shape)
        return Cooccurrence(counts, self.nouns, self.verbs, self.gold, self.truth)


def known_model(
    n_nouns: int = 32,
    n_verbs: int = 20,
    n_clusters: int = 4,
    skew: float = 1.5,
    frequency_skew: float = 0.0,
    seed=0,
) -> WordModel:
    """Nouns of a few true classes, each class with verbs of its own taste.

    Each class ranks the verbs: its own share of them first, then those of its nearest relatives (classes are
    related like the leaves of a binary tree), and takes the verb of rank r in proportion to r ** -s. The
    first class has s = 0.85 skew, the last s = 1.15 skew: some are choosier than others. Nouns of a class
    differ only in how frequent they are: noun number i has the weight i ** -frequency_skew, in random order.

    >>> known_model(6, 4, 2).gold
    ('A', 'A', 'A', 'B', 'B', 'B')
    """
    check_size(n_nouns, n_verbs, 1)
    if not 1 <= n_clusters <= min(n_nouns, n_verbs):
        raise InputError(
            f"The number of true clusters must lie between 1 and {min(n_nouns, n_verbs)}, not {n_clusters}."
        )
    for value, what in ((skew, "skew of the verbs"), (frequency_skew, "skew of the noun frequencies")):
        if not 0 <= value <= 10:
            raise InputError(f"The {what} must lie between 0 and 10, not {value:g}.")
    rng = np.random.default_rng(seed)
    ranks, slopes = np.arange(1, n_verbs + 1), skew * np.linspace(0.85, 1.15, n_clusters)
    owner, place = np.arange(n_verbs) % n_clusters, rng.permutation(n_verbs)
    taste = np.empty((n_clusters, n_verbs))
    for c in range(n_clusters):
        relatives = sorted(range(n_clusters), key=lambda other: c ^ other)
        ranked = np.concatenate([rng.permutation(np.flatnonzero(owner == other)) for other in relatives])
        by_rank = ranks ** -slopes[c]
        taste[c, place[ranked]] = by_rank / by_rank.sum()
    cluster = np.arange(n_nouns) * n_clusters // n_nouns
    weight = rng.permutation(np.arange(1, n_nouns + 1) ** -float(frequency_skew))
    truth = taste[cluster] * (weight / weight.sum())[:, None]
    letters = [_letters(c) for c in range(n_clusters)]
    nouns = tuple(f"{letters[c]}{i - int(np.searchsorted(cluster, c)) + 1}" for i, c in enumerate(cluster))
    return WordModel(truth, tuple(letters[c] for c in cluster), nouns, tuple(f"v{j + 1}" for j in range(n_verbs)))


def made(
    n_nouns: int = 32,
    n_verbs: int = 20,
    n_clusters: int = 4,
    skew: float = 1.5,
    sample_size: int = 10_000,
    frequency_skew: float = 0.0,
    seed=0,
) -> Cooccurrence:
    """Counts drawn from a `known_model`.

    >>> made(sample_size=500)
    <Cooccurrence: 32 nouns x 20 verbs, 500 pairs, 4 classes>
    """
    return known_model(n_nouns, n_verbs, n_clusters, skew, frequency_skew, seed).sample(sample_size, seed)


def _letters(number):
    """A, B, ..., Z, AA, AB, ... as columns of a spreadsheet are named."""
    name = ""
    number += 1
    while number:
        number, last = divmod(number - 1, 26)
        name = chr(65 + last) + name
    return name
