"""All solutions of a few items: every table with given class sizes, once, whatever its clusters' names."""

import math
from collections.abc import Sequence

import numpy as np

from ..errors import InputError


def all_solutions(class_sizes: Sequence[int], most: int) -> dict[int, np.ndarray] | None:
    """Every table with these class sizes by number of clusters, as arrays (tables, classes, clusters).

    Tables that differ only in the order of their clusters count as one. None if there are more than `most`.

    >>> {clusters: len(tables) for clusters, tables in all_solutions([2, 2], most=100).items()}
    {1: 1, 2: 4, 3: 3, 4: 1}
    >>> all_solutions([2, 2], most=8) is None
    True
    """
    # A cluster is written as one number, its counts being the digits, so a table is a falling run of numbers
    # that add up to that of the class sizes: a partition of a vector.
    sizes = np.array(checked_sizes(class_sizes))
    weights = np.concatenate([np.cumprod((sizes + 1)[:0:-1])[::-1], [1]]).astype(np.int64)
    if fewest_solutions(sizes.tolist()) > most:
        return None
    clusters = _digits(np.arange(np.prod(sizes + 1)), sizes, weights)
    leading = np.where(clusters.any(axis=1), (clusters > 0).argmax(axis=1), len(sizes))  # first digit's place
    within = [np.flatnonzero((clusters <= cluster).all(axis=1))[1:] for cluster in clusters]
    lengths, joined = np.array([len(x) for x in within]), np.concatenate(within)
    starts = np.cumsum(lengths) - lengths

    whole = len(clusters) - 1
    runs, left = np.zeros((1, 0), dtype=np.int64), np.array([whole])  # unfinished tables, and what they lack
    last = left
    found, count = {}, 0
    while len(runs):
        number = lengths[left]
        parent = np.repeat(np.arange(len(runs)), number)
        offset = np.arange(len(parent)) - np.repeat(np.cumsum(number) - number, number)
        part = joined[starts[left][parent] + offset]
        rest = left[parent] - part
        # the rest must be made of parts that are no larger: possible if its first digit is not further left
        good = (part <= last[parent]) & (leading[rest] >= leading[part])
        runs = np.column_stack([runs[parent[good]], part[good]])
        left, last = rest[good], part[good]
        done = left == 0
        if done.any():
            found[runs.shape[1]] = clusters[runs[done]].transpose(0, 2, 1)
            count += int(done.sum())
        runs, left, last = runs[~done], left[~done], last[~done]
        if count + len(runs) > most:  # each unfinished one leads to a table at least
            return None
    return found


def fewest_solutions(sizes: Sequence[int]) -> int:
    """A lower bound on the number of solutions: ways to deal the items to k named clusters, over k! namings.

    >>> fewest_solutions([2, 2]), fewest_solutions([10] * 10) > 10**12
    (6, True)
    """
    return max(math.prod(math.comb(size + k - 1, k - 1) for size in sizes) // math.factorial(k) for k in range(2, 9))


def size_lists(n: int) -> list[tuple[int, ...]]:
    """All ways to divide n items into two classes or more, the sizes falling.

    >>> size_lists(4)
    [(3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1)]
    """

    def parts(rest, largest):
        if rest == 0:
            yield ()
        for first in range(min(rest, largest), 0, -1):
            yield from ((first, *others) for others in parts(rest - first, first))

    return [sizes for sizes in parts(n, n) if len(sizes) > 1]


def checked_sizes(class_sizes) -> tuple[int, ...]:
    """The class sizes as whole numbers above 0, or a sentence that says which is not."""
    try:
        sizes = list(class_sizes)
    except TypeError:
        raise InputError(f"Class sizes are a list of whole numbers, not {class_sizes!r}.") from None
    if not sizes:
        raise InputError("There are no classes: give at least one class size.")
    for position, size in enumerate(sizes, 1):
        if isinstance(size, str) or not float(size).is_integer() or size < 1:
            raise InputError(f"Class size {position} is {size!r}; sizes are whole numbers above 0.")
    return tuple(int(size) for size in sizes)


def _digits(numbers, sizes, weights):
    return numbers[:, None] // weights % (sizes + 1)
