"""The contingency table: how many items of each class (rows) lie in each cluster (columns)."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from . import labels as labelling
from .errors import InputError
from .matrices import checked, checked_counts, checked_distributions, whole

AXES = ("class", "cluster")
LARGEST_DENSE = 50_000_000  # cells; `counts` refuses to spread a larger sparse table out


class Memberships(NamedTuple):
    """Soft answers: for each item a distribution over classes and one over clusters."""

    classes: np.ndarray  # codes, shape (items,), or probabilities, shape (items, classes)
    clusters: np.ndarray  # probabilities, shape (items, clusters)

    def class_probabilities(self, number: int) -> np.ndarray:
        """Probabilities of that number of classes, also where codes are given."""
        return np.eye(number)[self.classes] if self.classes.ndim == 1 else self.classes


@dataclass(frozen=True, eq=False, repr=False)
class Contingency:
    """Counts of items by class and cluster; never changes, edits give a new one.

    Make one with `from_labels`, `from_matrix`, `from_rows` or `from_memberships`.

    >>> table = Contingency.from_labels(["a", "a", "b"], [1, 2, 2])
    >>> table.counts.tolist()
    [[1, 1], [0, 1]]
    >>> table.move(("a", 2), ("a", 1)).counts.tolist()
    [[2, 0], [0, 1]]
    """

    matrix: np.ndarray | sparse.csr_array
    classes: tuple
    clusters: tuple
    memberships: Memberships | None = None

    def __post_init__(self):
        for names, size, what in zip((self.classes, self.clusters), self.matrix.shape, AXES):
            if len(names) != size:
                raise InputError(f"There are {len(names)} {what} names for {size} {_plural(what)}.")
            try:
                distinct = len(set(names))
            except TypeError as error:
                raise InputError(f"Names of {_plural(what)} must be hashable: {error}.") from None
            if distinct != len(names):
                twice, _ = Counter(names).most_common(1)[0]
                raise InputError(f"Two {_plural(what)} are called {twice!r}; names must differ.")
        # an edit may make counts whole, or fractional: a table's scores depend on its counts, not on their history
        matrix = whole(self.matrix)
        object.__setattr__(self, "matrix", matrix)
        parts = (matrix.data, matrix.indices, matrix.indptr) if self.is_sparse else (matrix,)
        for array in (*parts, *(self.memberships or ())):
            array.setflags(write=False)

    # ---- ways in -------------------------------------------------------------------------------

    @classmethod
    def from_labels(cls, gold, predicted, missing: str = "error") -> "Contingency":
        """From one gold and one predicted label per item; any hashable labels, any sequence.

        Items go by position: the index of a pandas Series plays no part. None, NaN, NA and masked labels are missing.
        `missing` says what becomes of such items: "error" refuses them, "drop" leaves them out, "cluster" puts those
        without a prediction into one extra cluster and "singletons" each into its own. An item without a gold label
        cannot be scored: "drop", "cluster" and "singletons" all leave it out.
        """
        matrix, classes, clusters = labelling.count(gold, predicted, missing)
        return cls(matrix, tuple(classes), tuple(clusters))

    @classmethod
    def from_matrix(cls, matrix, classes=None, clusters=None) -> "Contingency":
        """From counts, rows = classes: nested lists, an array, a DataFrame or a scipy sparse matrix.

        Counts may be fractional. A DataFrame names its own classes and clusters.
        """
        if isinstance(matrix, pd.DataFrame):
            classes = matrix.index.tolist() if classes is None else classes
            clusters = matrix.columns.tolist() if clusters is None else clusters
        counts = checked(matrix)
        return cls(counts, _names(classes, "c", counts.shape[0]), _names(clusters, "k", counts.shape[1]))

    @classmethod
    def from_rows(cls, rows) -> "Contingency":
        """From (class, cluster, count) rows, as tuples or a three-column DataFrame; repeated cells add up.

        >>> Contingency.from_rows([("a", "x", 2), ("b", "y", 1), ("a", "x", 1)]).counts.tolist()
        [[3, 0], [0, 1]]
        """
        try:
            rows = rows.itertuples(index=False, name=None) if isinstance(rows, pd.DataFrame) else rows
            rows = [tuple(row) for row in rows]
        except TypeError:
            raise InputError("Rows are a sequence of (class, cluster, count).") from None
        for i, row in enumerate(rows):
            if len(row) != 3:
                raise InputError(f"Row {i + 1} has {len(row)} fields; a row is class, cluster, count.")
        if not rows:
            raise InputError("There are no rows; each row is class, cluster, count.")
        gold, predicted, counts = zip(*rows)
        (at_class, classes), (at_cluster, clusters) = (
            labelling.code(gold, "classes"),
            labelling.code(predicted, "clusters"),
        )
        for codes, what in ((at_class, "class"), (at_cluster, "cluster")):
            if (codes < 0).any():
                raise InputError(f"Row {int((codes < 0).argmax()) + 1} names no {what}.")
        values = checked_counts(counts, "counts")
        if not values.any():
            raise InputError("All counts are zero: there are no items to score.")
        table = sparse.coo_array((values, (at_class, at_cluster)), shape=(len(classes), len(clusters))).tocsr()
        table.sum_duplicates()
        small = table.shape[0] * table.shape[1] <= max(labelling.SMALL_TABLE, 4 * table.nnz)
        return cls(table.toarray() if small else table, tuple(classes), tuple(clusters))

    @classmethod
    def from_memberships(cls, gold, memberships, clusters=None) -> "Contingency":
        """From soft answers: memberships has a row of cluster weights per item, divided by their sum here.

        `gold` is one label per item, or likewise a matrix of weights; items go by position. The table holds the
        expected counts; entropies (by any linear estimator) and pair counts are exact expectations over the hard
        samples that the answers stand for, not plug-in values of that table. Edits other than `rename` and
        `transpose` give a table of plain counts.

        >>> Contingency.from_memberships(["a", "b"], [[1, 1], [0, 3]]).counts.tolist()
        [[0.5, 0.5], [0.0, 1.0]]
        """
        if isinstance(memberships, pd.DataFrame):
            clusters = memberships.columns.tolist() if clusters is None else clusters
        weights = checked_distributions(memberships, "memberships")
        if getattr(gold, "ndim", 1) == 2 or isinstance(gold, (list, tuple)) and gold and isinstance(gold[0], list):
            classes = gold.columns.tolist() if isinstance(gold, pd.DataFrame) else None
            of_class = checked_distributions(gold, "gold")
            classes = _names(classes, "c", of_class.shape[1])
        else:
            of_class, classes = labelling.code(gold, "gold labels")
            if (of_class < 0).any():
                raise InputError(f"Item {int((of_class < 0).argmax()) + 1} has no gold label.")
        if len(of_class) != len(weights):
            raise InputError(f"There are {len(of_class)} gold labels but {len(weights)} rows of memberships.")
        if of_class.ndim == 1:
            expected = np.zeros((len(classes), weights.shape[1]))
            np.add.at(expected, of_class, weights)
        else:
            expected = of_class.T @ weights
        return cls(expected, tuple(classes), _names(clusters, "k", weights.shape[1]), Memberships(of_class, weights))

    # ---- what it is ----------------------------------------------------------------------------

    @property
    def is_sparse(self) -> bool:
        return sparse.issparse(self.matrix)

    @property
    def is_whole(self) -> bool:
        """Whether all counts are whole numbers."""
        return self.matrix.dtype.kind == "i"

    @property
    def shape(self) -> tuple[int, int]:
        return self.matrix.shape

    @cached_property
    def counts(self) -> np.ndarray:
        """The dense matrix, read-only."""
        if not self.is_sparse:
            return self.matrix
        if self.shape[0] * self.shape[1] > LARGEST_DENSE:
            raise InputError(
                f"A table of {self.shape[0]} x {self.shape[1]} cells is too large to spread out; use .matrix."
            )
        dense = self.matrix.toarray()
        dense.setflags(write=False)
        return dense

    @cached_property
    def class_sizes(self) -> np.ndarray:
        return self._sizes(1)

    @cached_property
    def cluster_sizes(self) -> np.ndarray:
        return self._sizes(0)

    def _sizes(self, over):
        sizes = np.asarray(self.matrix.sum(axis=over))
        sizes.setflags(write=False)
        return sizes

    @property
    def n(self):
        """The number of items (or their mass)."""
        return self.class_sizes.sum().item() if self.memberships is None else len(self.memberships.clusters)

    def to_frame(self) -> pd.DataFrame:
        return pd.DataFrame(
            self.counts,
            index=pd.Index(self.classes, name="class", tupleize_cols=False),
            columns=pd.Index(self.clusters, name="cluster", tupleize_cols=False),
        )

    def to_labels(self) -> tuple[list, list]:
        """Gold and predicted labels that give this table; only whole counts have them."""
        if not self.is_whole:
            raise InputError("A table with fractional counts has no list of items.")
        table = sparse.coo_array(self.matrix)
        rows, columns = (np.repeat(side, table.data) for side in table.coords)
        return [self.classes[i] for i in rows], [self.clusters[j] for j in columns]

    def __eq__(self, other):
        if not isinstance(other, Contingency):
            return NotImplemented
        if (self.classes, self.clusters) != (other.classes, other.clusters) or (self.matrix != other.matrix).sum():
            return False
        soft, other_soft = self.memberships or (), other.memberships or ()
        return len(soft) == len(other_soft) and all(map(np.array_equal, soft, other_soft))

    __hash__ = None

    def __repr__(self):
        kind = ", soft" if self.memberships else ", sparse" if self.is_sparse else ""
        return f"<Contingency: {self.shape[0]} classes x {self.shape[1]} clusters, n = {self.n:g}{kind}>"

    # ---- edits: each gives a new table ---------------------------------------------------------

    def move(self, source: tuple, target: tuple, mass=1) -> "Contingency":
        """Move mass from one (class, cluster) cell to another."""
        start, end = self._cell(source), self._cell(target)
        mass, there = checked_counts([mass], "mass")[0], self.matrix[start]
        if mass > there:
            raise InputError(f"Cell {source!r} holds {there:g}, so {mass:g} cannot be moved out of it.")
        return self if start == end else self._assigned(((start, there - mass), (end, self.matrix[end] + mass)))

    def with_cell(self, cell: tuple, count) -> "Contingency":
        """The same table with one cell set."""
        return self._assigned(((self._cell(cell), checked_counts([count], "count")[0]),))

    def split(self, name, part, new_name=None, axis: str = "cluster") -> "Contingency":
        """Move `part` of a cluster (a count for each class) into a new cluster right after it.

        >>> table = Contingency.from_matrix([[4, 0], [2, 3]])
        >>> table.split("k1", [4, 0]).counts.tolist()
        [[0, 4, 0], [2, 0, 3]]
        """
        along, at = _axis(axis), self._position(name, axis)
        part = self._line(part, "part", axis)
        lines = np.moveaxis(self.counts, along, 0)
        if (part > lines[at]).any():
            i = int((part > lines[at]).argmax())
            other = AXES[1 - along]
            raise InputError(
                f"{axis.capitalize()} {name!r} holds {lines[at, i]:g} of {other} {self._along(other)[i]!r}, "
                f"so {part[i]:g} cannot be split off."
            )
        left = lines.astype(np.result_type(lines, part))
        left[at] -= part
        names = self._along(axis)
        new_name = labelling.unused_name(f"{name}b", names) if new_name is None else new_name
        matrix = np.moveaxis(np.insert(left, at + 1, part, axis=0), 0, along)
        return self._with(np.ascontiguousarray(matrix), names[: at + 1] + (new_name,) + names[at + 1 :], axis)

    def merge(self, names, new_name=None, axis: str = "cluster") -> "Contingency":
        """Merge clusters (or classes) into one, at the place and under the name of the first."""
        at = [self._position(name, axis) for name in names]
        if len(set(at)) < 2:
            raise InputError(f"Merging takes at least two different {_plural(axis)}.")
        old = self._along(axis)
        kept = np.delete(np.arange(len(old)), [j for j in at if j != at[0]])
        target = np.empty(len(old), dtype=np.intp)
        target[kept] = np.arange(len(kept))
        target[at] = target[at[0]]
        into = sparse.csr_array((np.ones(len(old), dtype=np.int64), (np.arange(len(old)), target)))
        new = [old[j] for j in kept]
        new[target[at[0]]] = old[at[0]] if new_name is None else new_name
        return self._with(self.matrix @ into if _axis(axis) else into.T @ self.matrix, tuple(new), axis)

    def add(self, name, counts=None, axis: str = "cluster") -> "Contingency":
        """Append a cluster (or class), empty unless counts are given."""
        along = _axis(axis)
        line = self._line([0] * self.shape[1 - along] if counts is None else counts, "counts", axis)
        line = line[:, None] if along else line[None, :]
        if self.is_sparse:
            matrix = (sparse.hstack if along else sparse.vstack)([self.matrix, sparse.csr_array(line)], format="csr")
        else:
            matrix = np.concatenate([self.matrix, line], axis=along)
        return self._with(matrix, self._along(axis) + (name,), axis)

    def remove(self, name, axis: str = "cluster") -> "Contingency":
        """Leave a cluster (or class) out, with its items."""
        names = self._along(axis)
        self._position(name, axis)
        if len(names) == 1:
            raise InputError(f"The last {axis} cannot be removed.")
        return self.reorder([x for x in names if x != name], axis)

    def reorder(self, names, axis: str = "cluster") -> "Contingency":
        """The named clusters (or classes) in this order; those not named are left out."""
        at = [self._position(name, axis) for name in names]
        matrix = self.matrix[:, at] if _axis(axis) else self.matrix[at]
        if not matrix.sum():
            raise InputError("Nothing would be left: all remaining cells are zero.")
        return self._with(matrix, tuple(names), axis)

    def rename(self, old, new, axis: str = "cluster") -> "Contingency":
        """The same table with one cluster (or class) called otherwise."""
        names = list(self._along(axis))
        names[self._position(old, axis)] = new
        return self._with(self.matrix, tuple(names), axis, self.memberships)

    def transpose(self) -> "Contingency":
        """Classes and clusters exchanged."""
        flipped = sparse.csr_array(self.matrix.T) if self.is_sparse else np.ascontiguousarray(self.matrix.T)
        soft = self.memberships
        soft = soft and Memberships(soft.clusters, soft.class_probabilities(len(self.classes)))
        return Contingency(flipped, self.clusters, self.classes, soft)

    def _assigned(self, changes):
        """The table with (place, value) pairs set, in order."""
        kind = np.result_type(self.matrix.dtype, *(value.dtype for _, value in changes))
        table = self.matrix.astype(kind).tolil() if self.is_sparse else self.matrix.astype(kind)
        for place, value in changes:
            table[place] = value
        if not table.sum():
            raise InputError("All cells would be zero: there would be no items to score.")
        return Contingency(table.tocsr() if self.is_sparse else table, self.classes, self.clusters)

    def _along(self, axis):
        return self.clusters if _axis(axis) else self.classes

    def _with(self, matrix, names, axis, memberships=None):
        """Another matrix, and other names along one axis."""
        sides = (self.classes, names) if _axis(axis) else (names, self.clusters)
        return Contingency(matrix, *sides, memberships)

    def _line(self, counts, what, axis):
        """Counts for a cluster, one for each class (or the other way round)."""
        line, other = checked_counts(counts, what), 1 - _axis(axis)
        if len(line) != self.shape[other]:
            raise InputError(f"The new {axis} has {len(line)} counts for {self.shape[other]} {_plural(AXES[other])}.")
        return line

    def _cell(self, cell):
        if not isinstance(cell, tuple) or len(cell) != 2:
            raise InputError(f"A cell is a (class, cluster) pair, not {cell!r}.")
        return self._position(cell[0], "class"), self._position(cell[1], "cluster")

    def _position(self, name, axis):
        try:
            return self._along(axis).index(name)
        except ValueError:
            raise InputError(f"There is no {axis} called {name!r}.") from None


def named_by_text(table: Contingency) -> Contingency:
    """The table with its names as text, as files and pages show them; names that read alike get a number.

    >>> named_by_text(Contingency.from_labels([1, "1", 2], [0, 0, 1])).classes
    ('1', '1 2', '2')
    """
    sides = []
    for names in (table.classes, table.clusters):
        texts: dict[str, None] = {}
        for name in names:
            texts[labelling.unused_name(str(name), texts)] = None
        sides.append(tuple(texts))
    return table if sides == [table.classes, table.clusters] else Contingency(table.matrix, *sides, table.memberships)


def _axis(axis):
    if axis not in AXES:
        raise InputError(f"axis must be 'class' or 'cluster', not {axis!r}.")
    return AXES.index(axis)


def _plural(what):
    return what + ("es" if what.endswith("s") else "s")


def _names(names, letter, size):
    try:
        return tuple(f"{letter}{i + 1}" for i in range(size)) if names is None else tuple(names)
    except TypeError:
        raise InputError(f"Names are a sequence, not {names!r}.") from None
