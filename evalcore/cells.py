"""The cells of one table, of a batch of tables or of a sparse table, behind one set of sums and maxima.

Everything above works on `n` (cell counts), `a` (class sizes), `b` (cluster sizes) and these few reductions, so that it never
asks whether it has one dense table, ten thousand of them (leading axes) or the non-zero cells of a huge one.
"""

from functools import cached_property

import numpy as np
from scipy import sparse

BLOCK = 1 << 15  # cells of a batch that are worked on together, so that they stay in the second-level cache


class DenseCells:
    """Cells of tables with shape (..., classes, clusters)."""

    def __init__(self, values: np.ndarray):
        self.n = values.astype(np.float64, copy=False)
        # einsum is several times faster than sum(axis) where the summed axis is short, as in batches
        self.a = np.einsum("...ij->...i", self.n)
        self.b = np.einsum("...ij->...j", self.n)
        self.total = self.a.sum(axis=-1)

    @property
    def a_at(self):
        return self.a[..., :, None]

    @property
    def b_at(self):
        return self.b[..., None, :]

    @property
    def total_at(self):
        return self.total[..., None, None]

    @cached_property
    def empty(self):
        return self.n == 0

    @property
    def divisors(self):
        """n, a and b of each cell, with 1 for 0: a quotient that is then multiplied by n = 0 may be anything finite."""
        return tuple(np.where(x == 0, 1.0, x) for x in (self.n, self.a_at, self.b_at))

    def divide(self, x, y):
        """x / y in the occupied cells; the empty ones hold anything."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.divide(x, y)

    def occupied(self, x):
        """x with its empty cells set to zero."""
        x[self.empty] = 0.0
        return x

    def sum(self, x):
        return np.einsum("...ij->...", x)

    def sums(self, terms):
        """The sum over the cells of each array that terms(cells) gives; of a batch, block by block."""
        shape = self.n.shape
        if len(shape) == 2:
            return [self.sum(x) for x in terms(self)]
        tables, at_once = self.n.reshape(-1, *shape[-2:]), max(1, BLOCK // (shape[-2] * shape[-1]))
        blocks = (DenseCells(tables[start : start + at_once]) for start in range(0, len(tables), at_once))
        sums = np.concatenate([[block.sum(x) for x in terms(block)] for block in blocks], axis=1)
        return sums.reshape(-1, *shape[:-2])

    def sum_by_class(self, x):
        return np.einsum("...ij->...i", x)

    def sum_by_cluster(self, x):
        return np.einsum("...ij->...j", x)

    def max_by_class(self, x):
        return x.max(axis=-1)

    def max_by_cluster(self, x):
        return x.max(axis=-2)

    @property
    def flat(self):
        """The cells of each table on one axis, for an entropy estimator."""
        return self.n.reshape(self.n.shape[:-2] + (-1,))


class SparseCells:
    """The occupied cells of one table in CSR form."""

    def __init__(self, table: sparse.csr_array):
        self.shape = table.shape
        self.rows = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
        self.columns = table.indices.astype(np.intp)
        self.n = table.data.astype(np.float64)
        occupied = self.n > 0
        if not occupied.all():
            self.rows, self.columns, self.n = self.rows[occupied], self.columns[occupied], self.n[occupied]
        self.a = self.sum_by_class(self.n)
        self.b = self.sum_by_cluster(self.n)
        self.total = self.a.sum()
        self.a_at = self.a[self.rows]
        self.b_at = self.b[self.columns]
        self.total_at = self.total

    @property
    def divisors(self):
        return self.n, self.a_at, self.b_at

    def divide(self, x, y):
        return x / y

    def occupied(self, x):
        return x

    def sum(self, x):
        return x.sum()

    def sums(self, terms):
        return [self.sum(x) for x in terms(self)]

    def sum_by_class(self, x):
        return np.bincount(self.rows, weights=x, minlength=self.shape[0])

    def sum_by_cluster(self, x):
        return np.bincount(self.columns, weights=x, minlength=self.shape[1])

    def max_by_class(self, x):
        return _grouped_max(x, self.rows, self.shape[0])

    def max_by_cluster(self, x):
        return _grouped_max(x, self.columns, self.shape[1])

    @property
    def flat(self):
        return self.n


def _grouped_max(x, group, size):
    largest = np.zeros(size)
    np.maximum.at(largest, group, x)
    return largest
