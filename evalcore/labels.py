"""Turning label sequences into integer codes, and codes into tables, quickly."""

import numpy as np
import pandas as pd
from scipy import sparse

from .errors import InputError

MISSING_POLICIES = ("error", "drop", "cluster", "singletons")
UNANSWERED = "(unanswered)"
# Up to this many cells a table is dense whatever it holds; beyond, only if it has at most 4 cells an item.
SMALL_TABLE = 1 << 16
# A chunk of codes that stays in the second-level cache while it is made and counted.
CHUNK = 1 << 16


def code(labels, what: str = "labels"):
    """Codes 0..m-1 of the labels (-1 where missing) and the m labels themselves, sorted where they can be.

    >>> code(["b", "a", None, "b"])
    (array([ 1,  0, -1,  1]), ['a', 'b'])
    """
    if isinstance(labels, (str, bytes)) or not hasattr(labels, "__len__"):
        raise InputError(f"{what} must be a sequence of labels, not {type(labels).__name__}.")
    if hasattr(labels, "dtype") and isinstance(labels.dtype, pd.CategoricalDtype):
        values = pd.Categorical(labels)
        used, codes = np.unique(values.codes, return_inverse=True)
        names = [values.categories[i] for i in used if i >= 0]
        return codes - (len(used) - len(names)), names
    values = _as_array(labels, what)
    narrow = _narrow_range(values)
    if narrow is not None:  # whole numbers close together need no hashing
        offset = values.astype(np.int64) - narrow[0]
        present = np.bincount(offset, minlength=narrow[1]) > 0
        return (np.cumsum(present) - 1)[offset], (np.flatnonzero(present) + narrow[0]).tolist()
    try:
        codes, uniques = pd.factorize(values, use_na_sentinel=True)
    except TypeError as error:
        raise InputError(f"{what} must be hashable: {error}.") from None
    names = uniques.tolist()
    try:
        order = sorted(range(len(names)), key=names.__getitem__)
    except TypeError:  # labels of mixed types keep the order of their first appearance
        return codes, names
    rank = np.empty(len(names) + 1, dtype=np.intp)
    rank[order] = np.arange(len(names))
    rank[-1] = -1  # index -1, the missing ones
    return rank[codes], [names[i] for i in order]


def _as_array(labels, what):
    """A 1-D array of the labels that turns none of them into another type."""
    if isinstance(labels, (list, tuple)):
        array = np.asarray(labels) if all(type(x) is int for x in labels[:64]) else None
        if array is None or array.dtype.kind not in "iub":  # numpy would turn [1, "a"] into strings
            array = np.fromiter(labels, dtype=object, count=len(labels))
    elif hasattr(labels, "to_numpy"):
        array = labels.to_numpy() if not hasattr(labels, "to_pandas") else labels.to_pandas().to_numpy()
    else:
        array = np.asarray(labels)
    if array.ndim != 1:
        raise InputError(f"{what} must be one-dimensional, not of shape {array.shape}.")
    return array.astype(object) if array.dtype.kind in "US" else array


def _narrow_range(array):
    """(low, width) of whole-number labels that can serve as codes themselves, else None."""
    if array.dtype.kind not in "iu" or not len(array):
        return None
    low, high = int(array.min()), int(array.max())
    width = high - low + 1
    # beyond 2**31 the arithmetic on the codes might overflow: hash such labels instead
    return (low, width) if width <= max(SMALL_TABLE, len(array)) and -(2**31) < low and high < 2**31 else None


def count(gold, predicted, missing: str = "error"):
    """The table of two label sequences: (matrix, classes, clusters); dense or CSR, as suits its size."""
    if missing not in MISSING_POLICIES:
        raise InputError(f"missing must be one of {', '.join(MISSING_POLICIES)}, not {missing!r}.")
    for labels, what in ((gold, "gold labels"), (predicted, "predicted labels")):
        if isinstance(labels, (str, bytes)) or not hasattr(labels, "__len__"):
            raise InputError(f"{what} must be a sequence of labels, not {type(labels).__name__}.")
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
    gold, predicted = (x if isinstance(x, np.ndarray) else _plain_integers(x) for x in (gold, predicted))
    if gold is None or predicted is None or gold.ndim != 1 or predicted.ndim != 1:
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
        part = gold[start:start + CHUNK]
        cell = buffer[:len(part)]
        np.multiply(part, width_k, out=cell, dtype=np.int64, casting="unsafe")
        np.add(cell, predicted[start:start + CHUNK], out=cell, dtype=np.int64, casting="unsafe")
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
    dtype = getattr(labels, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind in "iu" and hasattr(labels, "to_numpy"):
        return labels.to_numpy()
    if isinstance(labels, (list, tuple)) and all(type(x) is int for x in labels):
        array = np.asarray(labels)
        return array if array.dtype.kind in "iu" else None
    return None


def _settle_missing(rows, columns, clusters, policy):
    """Apply the policy to items without a label; an item without a gold label is never scored."""
    no_class, no_cluster = rows < 0, columns < 0
    if policy == "error":
        for bad, what in ((no_class, "gold"), (no_cluster, "predicted")):
            if bad.any():
                item = int(bad.argmax()) + 1
                raise InputError(f"Item {item} has no {what} label (missing='drop', 'cluster' or 'singletons' "
                                 f"says what to do with such items).")
        return rows, columns, clusters
    keep = ~no_class & ~no_cluster if policy == "drop" else ~no_class
    rows, columns = rows[keep], columns[keep].copy()
    if not len(rows):
        raise InputError("No item has both a gold and a predicted label.")
    empty = np.flatnonzero(columns < 0)
    if len(empty):
        clusters = list(clusters)
        fresh = 1 if policy == "cluster" else len(empty)
        columns[empty] = len(clusters) + (np.arange(fresh) if policy == "singletons" else 0)
        clusters += [unused_name(UNANSWERED if fresh == 1 else f"{UNANSWERED} {i + 1}", clusters)
                     for i in range(fresh)]
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
