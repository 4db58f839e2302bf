"""The one place where a matrix of counts is checked, whatever it came from."""

import numpy as np
import pandas as pd
from scipy import sparse

from .errors import InputError

# what numpy would turn into a number, though nobody means it as a count
NO_NUMBERS = (bytes, complex, np.complexfloating, np.datetime64, np.timedelta64)
SMALLEST, LARGEST = 1e-70, 1e70


def checked(matrix, where: str = "") -> np.ndarray | sparse.csr_array:
    """The matrix as whole numbers (int64) if all are whole, else as floats; CSR stays CSR.

    Raises InputError, with the row and column counted from 1, for anything that is not a table of counts.

    >>> checked([[1, 2], [3, "x"]])
    Traceback (most recent call last):
    evalcore.errors.InputError: Row 2, column 2: 'x' is not a number.
    """
    if sparse.issparse(matrix):
        return _checked_sparse(matrix, where)
    array = _as_numbers(matrix, where)
    if array.ndim != 2:
        raise InputError(
            f"{where}A table has rows and columns, but this has {array.ndim} dimension{'' if array.ndim == 1 else 's'}."
        )
    _check_values(array, lambda flat: np.unravel_index(flat, array.shape), where)
    if not array.any():
        raise InputError(f"{where}All cells are zero: there are no items to score.")
    array = whole(array)
    if array.dtype.kind == "f":
        _check_magnitude(array, where)
    return array


def checked_counts(counts, what: str) -> np.ndarray:
    """A list of counts, which may all be zero; errors say which one is wrong."""
    try:
        return checked([[1], *([x] for x in counts)])[1:, 0]
    except TypeError:
        raise InputError(f"{what} must be a list of counts, not {counts!r}.") from None
    except InputError as error:
        place, of_one, wrong = str(error).partition(", column 1: ")
        at = f", number {int(place.split()[-1]) - 1}: {wrong}" if of_one else f": {place}"
        raise InputError(f"In {what}{at}") from None


def checked_distributions(weights, what: str) -> np.ndarray:
    """Rows of weights divided by their sums.

    >>> checked_distributions([[1, 3]], "memberships").tolist()
    [[0.25, 0.75]]
    """
    try:
        weights = checked(weights)
        weights = np.asarray(weights.toarray() if sparse.issparse(weights) else weights, dtype=np.float64)
    except InputError as error:
        raise InputError(f"In {what}: {error}") from None
    sums = weights.sum(axis=1)
    if not sums.all():
        raise InputError(f"Row {int((sums == 0).argmax()) + 1} of {what} has no weight at all.")
    return weights / sums[:, None]


def checked_batch(tables) -> np.ndarray:
    """An array of tables, (..., classes, clusters), as floats; every table must hold something."""
    try:
        array = np.asarray(tables)
    except ValueError:  # rows or tables of different lengths
        array = np.empty(0, dtype=object)
    if array.dtype.kind not in "iufb" or array.ndim < 2 or 0 in array.shape:
        raise InputError(
            f"A batch is a numeric array of shape (..., classes, clusters), not {array.dtype} {array.shape}."
        )
    _check_unmasked(tables, "")
    fractional = array.dtype.kind == "f"
    array = array.astype(np.float64, copy=False)
    # one pass finds any trouble (a largest is not finite if a cell is not); only then is it worth saying where
    if array.min() < 0 or not np.isfinite(array.max()):
        for at in np.ndindex(array.shape[:-2]):
            _check_values(array[at], lambda flat: np.unravel_index(flat, array.shape[-2:]), f"{_table(at)}: ")
    if fractional:
        _check_magnitude(array, "")
    sums = np.einsum("...ij->...", array)
    if not (np.asarray(sums) > 0).all():
        at = np.unravel_index(int(np.argmin(sums)), np.shape(sums))
        raise InputError(f"{_table(at)} is all zeros: there are no items to score.")
    return array


def _table(at):
    return f"Table {', '.join(str(i + 1) for i in at)} of the batch" if at else "The table"


def _check_unmasked(values, where):
    if np.ma.is_masked(values):
        row, column = np.argwhere(np.ma.getmaskarray(values))[0][-2:] + 1
        raise InputError(f"{where}Row {row}, column {column}: the cell is masked; every count must be given.")


def _check_magnitude(values, where):
    """Beyond this the products of pair counts, fourth powers of counts, leave the range of floating point."""
    smallest, largest = values.min(initial=np.inf, where=values > 0), values.max()
    if not (smallest >= SMALLEST and largest <= LARGEST):
        raise InputError(
            f"{where}Counts above 0 must lie between {SMALLEST:g} and {LARGEST:g}, "
            f"but they run from {smallest:g} to {largest:g}."
        )


def whole(array):
    """The same numbers as int64 where all of them are whole and exact, else as floats."""
    if sparse.issparse(array):
        data = whole(array.data)
        return array if data is array.data else sparse.csr_array((data, array.indices, array.indptr), shape=array.shape)
    if array.dtype.kind in "iub":
        fits = array.dtype.kind == "b" or array.sum(dtype=np.float64) < 2**63  # else sums of counts would overflow
        return array.astype(np.int64 if fits else np.float64, copy=False)
    if np.abs(array).max(initial=0) < 2**53 and (array == np.trunc(array)).all():
        return array.astype(np.int64)
    return array


def _as_numbers(matrix, where):
    if isinstance(matrix, pd.DataFrame):
        matrix = matrix.to_numpy()
    if not isinstance(matrix, np.ndarray):
        matrix = _rectangular(matrix, where)
    if matrix.ndim == 2:
        _check_unmasked(matrix, where)
    matrix = np.asarray(matrix)
    if matrix.size == 0:
        raise InputError(f"{where}The table is empty: it needs at least one row and one column.")
    if matrix.dtype.kind in "iufb":
        return matrix.astype(np.int64 if matrix.dtype.kind in "ib" else np.float64, copy=True)
    if all(type(x) is int and abs(x) < 2**63 for x in matrix.flat):
        return matrix.astype(np.int64)  # also where floats would not be exact
    numbers = np.empty(matrix.shape, dtype=np.float64)
    for place in np.ndindex(matrix.shape):
        try:
            if isinstance(matrix[place], NO_NUMBERS):
                raise TypeError
            numbers[place] = matrix[place]
        except (TypeError, ValueError, OverflowError):
            spot = f"Row {place[0] + 1}, column {place[1] + 1}" if len(place) == 2 else f"Position {place}"
            raise InputError(f"{where}{spot}: {matrix[place]!r} is not a number.") from None
    return numbers


def _rectangular(matrix, where):
    try:
        rows = [list(row) for row in matrix]
    except TypeError:
        raise InputError(f"{where}A table is a list of rows, each a list of counts.") from None
    if rows and len({len(row) for row in rows}) > 1:
        first = len(rows[0])
        bad = next(i for i, row in enumerate(rows) if len(row) != first)
        raise InputError(f"{where}Row {bad + 1} has {_cells(len(rows[bad]))}, but row 1 has {first}.")
    array = np.empty((len(rows), len(rows[0]) if rows else 0), dtype=object)
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            array[i, j] = cell
    return array


def _cells(number):
    return "1 cell" if number == 1 else f"{number} cells"


def _check_values(values, place_of, where):
    """Name the first cell that is NaN, infinite or negative."""
    bad = ~(np.isfinite(values) & (values >= 0))
    if not bad.any():
        return
    flat = int(np.argmax(bad.ravel()))
    row, column = (int(i) + 1 for i in place_of(flat))
    value = values.ravel()[flat]
    wrong = "is not a number (NaN)" if np.isnan(value) else "is infinite" if np.isinf(value) else "is negative"
    number = "the value" if not np.isfinite(value) else f"{value:g}"
    raise InputError(f"{where}Row {row}, column {column}: {number} {wrong}; counts are finite and at least 0.")


def _checked_sparse(matrix, where):
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise InputError(f"{where}The table is empty: it needs at least one row and one column.")
    if matrix.dtype.kind not in "iufb":
        raise InputError(f"{where}The sparse table holds {matrix.dtype}, not numbers.")
    table = sparse.csr_array(matrix, copy=True)
    table.sum_duplicates()
    table.data = table.data.astype(np.float64 if table.dtype.kind in "fu" else np.int64)
    rows = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
    _check_values(table.data, lambda flat: (rows[flat], table.indices[flat]), where)
    table.eliminate_zeros()
    if not table.nnz:
        raise InputError(f"{where}All cells are zero: there are no items to score.")
    table = whole(table)
    if table.dtype.kind == "f":
        _check_magnitude(table.data, where)
    return table
