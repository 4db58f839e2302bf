"""Turning label sequences into integer codes, and codes into tables, quickly."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import sparse

from .errors import InputError

MISSING_POLICIES = ("error", "drop", "cluster", "singletons")
UNANSWERED = "(unanswered)"
# Up to this many cells a table is dense whatever it holds; beyond, only if it has at most 4 cells an item.
SMALL_TABLE = 1 << 16
PROBE = 4096  # labels looked at to see whether few objects stand for many labels
# A chunk of codes that stays in the second-level cache while it is made and counted.
CHUNK = 1 << 16


def code(labels, what: str = "labels"):
    """Codes 0..m-1 of the labels (-1 where missing) and the m labels themselves, sorted where they can be.

    >>> code(["b", "a", None, "b"])
    (array([ 1,  0, -1,  1]), ['a', 'b'])
    """
    _check_sequence(labels, what)
    if hasattr(labels, "dtype") and isinstance(labels.dtype, pd.CategoricalDtype):
        values = pd.Categorical(labels)  # its codes are ours, less the categories that nothing belongs to
        codes = values.codes.astype(np.int64)
        used = np.bincount(codes + 1, minlength=len(values.categories) + 1)[1:] > 0
        return np.append(np.cumsum(used) - 1, -1)[codes], values.categories[used].tolist()
    values = _as_array(labels)
    narrow = _narrow_range(values)
    if narrow is not None:  # whole numbers close together need no hashing
        offset = values.astype(np.int64) - narrow[0]
        present = np.bincount(offset, minlength=narrow[1]) > 0
        return (np.cumsum(present) - 1)[offset], (np.flatnonzero(present) + narrow[0]).tolist()
    try:
        codes, uniques = _factorize(values)
    except (TypeError, NotImplementedError) as error:
        raise InputError(f"{what} must be hashable: {error}.") from None
    kind = uniques.dtype.kind
    names = (pd.Index(uniques) if kind in "mM" else uniques).tolist()  # numpy would give nanoseconds as numbers
    try:
        numeric = kind in "iuf" and isinstance(uniques, np.ndarray)
        order = np.argsort(uniques).tolist() if numeric else sorted(range(len(names)), key=names.__getitem__)
    except TypeError:  # labels of mixed types keep the order of their first appearance
        return codes, names
    rank = np.empty(len(names) + 1, dtype=np.intp)
    rank[order] = np.arange(len(names))
    rank[-1] = -1  # index -1, the missing ones
    return rank[codes], [names[i] for i in order]


def _factorize(values):
    """Codes by first appearance, -1 where missing, and the distinct labels.

    Most sequences of strings hold few objects, each many times: those are told apart by their addresses, which is many
    times faster than by hashing, and only one of each is hashed.
    """
    if values.dtype != object or not isinstance(values, np.ndarray):
        return pd.factorize(values)
    addresses = np.asarray(_Addresses(values))
    if 4 * len(pd.unique(addresses[:PROBE])) > min(PROBE, len(values)):
        return pd.factorize(values)
    of_object, objects = pd.factorize(addresses)
    where = np.empty(len(objects), dtype=np.intp)
    where[of_object] = np.arange(len(values))
    codes, uniques = pd.factorize(values[where])
    return codes[of_object], uniques


class _Addresses:
    """An object array seen as the addresses of its objects (what `id` says); the array must outlive it."""

    def __init__(self, values):
        self.__array_interface__ = {
            "data": (values.ctypes.data, True),
            "typestr": np.dtype(np.intp).str,
            "shape": values.shape,
            "strides": values.strides,
            "version": 3,
        }


def _check_sequence(labels, what):
    if getattr(labels, "ndim", 1) != 1:
        raise InputError(f"{what} must be one-dimensional, not of shape {labels.shape}.")
    array_like = hasattr(labels, "__array__") and not sparse.issparse(labels)
    if isinstance(labels, (str, bytes)) or not (isinstance(labels, Sequence) or array_like):
        raise InputError(f"{what} must be a sequence of labels, not {type(labels).__name__}.")


def _as_array(labels):
    """A 1-D array of the labels that turns none of them into another type."""
    if isinstance(labels, np.ma.MaskedArray):
        array = np.where(np.ma.getmaskarray(labels), None, labels.data.astype(object))
    elif hasattr(labels, "null_count"):  # Arrow, whose whole numbers stay such beside missing ones only if asked to
        array = labels.to_pandas(integer_object_nulls=True).to_numpy()
    elif isinstance(getattr(labels, "dtype", None), pd.api.extensions.ExtensionDtype):
        plain = labels.dtype.kind in "iufb" and not labels.isna().any()
        return labels.to_numpy() if plain else getattr(labels, "array", labels)
    elif hasattr(labels, "__array__") or isinstance(labels, range):
        array = np.asarray(labels)
    else:
        labels = list(labels)
        array = _of_integers(labels) if all(type(x) is int for x in labels[:64]) else None
        if array is None:  # numpy would turn [1, "a"] into strings
            array = np.fromiter(labels, dtype=object, count=len(labels))
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return array.astype(object) if array.dtype.kind in "US" else array


def _narrow_range(array):
    """(low, width) of whole-number labels that can serve as codes themselves, else None."""
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "iu" or not len(array):
        return None
    low, high = int(array.min()), int(array.max())
    width = high - low + 1
    # beyond 2**31 the arithmetic on the codes might overflow: hash such labels instead
    return (low, width) if width <= max(SMALL_TABLE, len(array)) and -(2**31) < low and high < 2**31 else None


def count(gold, predicted, missing: str = "error"):
    """The table of two label sequences: (matrix, classes, clusters); dense or CSR, as suits its size."""
    if missing not in MISSING_POLICIES:
        raise InputError(f"missing must be one of {', '.join(MISSING_POLICIES)}, not {missing!r}.")
    _check_sequence(gold, "gold labels")
    _check_sequence(predicted, "predicted labels")
    if len(gold) != len(predicted):
        raise InputError(f"There are {len(gold)} gold labels but {len(predicted)} predicted ones.")
    if not len(gold):
        raise InputError("There are no items: both label sequences are empty.")
    fast = _count_small_integers(gold, predicted)
    if fast is not None:
        return fast
    (rows, classes), (columns, clusters) = code(gold, "gold labels"), code(predicted, "predicted labels")
    rows, columns, clusters = _settle_missing(rows, columns, clusters, missing)
    return _table(rows, columns, (len(classes), len(clusters))), classes, clusters


def _count_small_integers(gold, predicted):
    """Whole-number labels in narrow ranges are their own codes: no hashing, one pass over the items."""
    gold, predicted = (_plain_integers(x) for x in (gold, predicted))
    if gold is None or predicted is None:
        return None
    ranges = _narrow_range(gold), _narrow_range(predicted)
    if None in ranges:
        return None
    (low_c, width_c), (low_k, width_k) = ranges
    if width_c * width_k > max(SMALL_TABLE, 4 * len(gold)):
        return None
    counts = np.zeros(width_c * width_k, dtype=np.int64)
    buffer = np.empty(min(CHUNK, len(gold)), dtype=np.int64)
    offset = low_c * width_k + low_k
    for start in range(0, len(gold), CHUNK):
        part = gold[start : start + CHUNK]
        cell = buffer[: len(part)]
        np.multiply(part, width_k, out=cell, dtype=np.int64, casting="unsafe")
        np.add(cell, predicted[start : start + CHUNK], out=cell, dtype=np.int64, casting="unsafe")
        if offset:
            cell -= offset
        counts += np.bincount(cell, minlength=len(counts))
    counts = counts.reshape(width_c, width_k)
    rows, columns = counts.any(axis=1), counts.any(axis=0)
    if not (rows.all() and columns.all()):
        counts = counts[np.ix_(rows, columns)]
    return counts, (np.flatnonzero(rows) + low_c).tolist(), (np.flatnonzero(columns) + low_k).tolist()


def _plain_integers(labels):
    """The labels as an integer array without a copy where their container already is one, else None."""
    if isinstance(labels, np.ma.MaskedArray):
        return None
    if isinstance(getattr(labels, "dtype", None), np.dtype):
        return np.asarray(labels) if labels.dtype.kind in "iu" else None
    if isinstance(labels, (list, tuple)) and all(type(x) is int for x in labels):
        return _of_integers(labels)
    return None


def _of_integers(labels):
    """An integer array of labels that may be whole numbers, or None."""
    try:
        array = np.asarray(labels)
    except ValueError:  # a list among them
        return None
    return array if array.dtype.kind in "iub" else None


def _settle_missing(rows, columns, clusters, policy):
    """Apply the policy to items without a label; an item without a gold label is never scored."""
    no_class, no_cluster = rows < 0, columns < 0
    if policy == "error":
        for bad, what in ((no_class, "gold"), (no_cluster, "predicted")):
            if bad.any():
                item = int(bad.argmax()) + 1
                raise InputError(
                    f"Item {item} has no {what} label (missing='drop', 'cluster' or 'singletons' "
                    f"says what to do with such items)."
                )
        return rows, columns, clusters
    keep = ~no_class & ~no_cluster if policy == "drop" else ~no_class
    rows, columns = rows[keep], columns[keep].copy()
    if not len(rows):
        raise InputError("No item has both a gold and a predicted label.")
    empty = np.flatnonzero(columns < 0)
    if len(empty):
        clusters = list(clusters)
        fresh, taken = 1 if policy == "cluster" else len(empty), set(clusters)
        columns[empty] = len(clusters) + (np.arange(fresh) if policy == "singletons" else 0)
        clusters += [unused_name(UNANSWERED if fresh == 1 else f"{UNANSWERED} {i + 1}", taken) for i in range(fresh)]
    return rows, columns, clusters


def unused_name(wish: str, taken) -> str:
    """The wish, or the wish with the first number that makes it new."""
    if wish not in taken:
        return wish
    number = 2
    while f"{wish} {number}" in taken:
        number += 1
    return f"{wish} {number}"


def _table(rows, columns, shape):
    cells = shape[0] * shape[1]
    if cells <= max(SMALL_TABLE, 4 * len(rows)):
        return np.bincount(rows * shape[1] + columns, minlength=cells).reshape(shape)
    table = sparse.coo_array((np.ones(len(rows), dtype=np.int64), (rows, columns)), shape=shape).tocsr()
    table.sum_duplicates()
    return table
