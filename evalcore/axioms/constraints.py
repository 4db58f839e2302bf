"""The four formal constraints of Amigó et al. (2009), and invariance to scale, on seeded random solutions.

Every case is a pair of tables of whole counts; the second should score better (constraints) or the same
(scale).
"""

from collections.abc import Callable, Sequence

import numpy as np

from ..checks import TOLERANCE, Check, Outcome, explain_change, goodness, margins, outcome
from ..contingency import Contingency
from ..measures import Measure
from ..statistics import Statistics

CASES = 200  # of each check
WITHOUT_CONTEXT = 20  # the first cases are bare, smallest first; the others have more around them
FACTORS = (2, 10)  # all counts are multiplied by these

AMIGO = "Amigó, Gonzalo, Artiles and Verdejo 2009, A comparison of extrinsic clustering evaluation metrics"

HOMOGENEITY = Check(
    "A1", "homogeneity", "A cluster of two classes, split into one of each, should score better.", AMIGO
)
COMPLETENESS = Check(
    "A2", "completeness", "Two clusters of one and the same class, merged, should score better.", AMIGO
)
RAG_BAG = Check(
    "A3",
    "rag bag",
    "A stray item should do less harm in a cluster of n items of n classes than in one of n of one class.",
    AMIGO,
)
SIZE = Check(
    "A4",
    "size against quantity",
    "Losing one item of a large cluster should cost less than halving n clusters of two.",
    AMIGO,
)
SCALE = Check(
    "S",
    "scale",
    "The same proportions in a larger data set should score the same.",
    "after Reichart and Rappoport 2009: scores of data sets of different size should be comparable",
)


def _homogeneity(number, rng):
    context = _context(number, rng, least_classes=2)
    first, second = rng.choice(len(context), 2, replace=False)
    apart = np.zeros((len(context), 2), dtype=int)
    apart[first, 0], apart[second, 1] = _sizes(number, rng)
    return np.hstack([context, apart.sum(axis=1, keepdims=True)]), np.hstack([context, apart])


def _completeness(number, rng):
    context = _context(number, rng, least_classes=2)
    if number < WITHOUT_CONTEXT:  # another class, or any cluster would be perfect
        context = np.array([[0], [number + 2]])
    apart = np.zeros((len(context), 2), dtype=int)
    apart[0] = _sizes(number, rng)
    return np.hstack([context, apart]), np.hstack([context, apart.sum(axis=1, keepdims=True)])


def _rag_bag(number, rng):
    n = 2 + number if number < WITHOUT_CONTEXT else int(rng.integers(2, 12))
    # rows: the clean class, n classes of one item, the stray item's class; columns: clean cluster, rag bag
    table = np.zeros((n + 2, 2), dtype=int)
    table[0, 0], table[1 : n + 1, 1] = n, 1
    clean, noisy = table.copy(), table.copy()
    clean[-1, 0] = noisy[-1, 1] = 1
    context = _context(number, rng)
    return _beside(clean, context), _beside(noisy, context)


def _size_against_quantity(number, rng):
    n = 2 + number if number < WITHOUT_CONTEXT else int(rng.integers(2, 12))
    # rows: the large class of n + 1, n classes of two
    large = np.zeros((n + 1, n + 2), dtype=int)
    large[0, :2], large[1:, 2:] = (n, 1), 2 * np.eye(n, dtype=int)
    small = np.zeros((n + 1, 2 * n + 1), dtype=int)
    small[0, 0], small[1:, 1:] = n + 1, np.repeat(np.eye(n, dtype=int), 2, axis=1)
    context = _context(number, rng)
    return _beside(small, context), _beside(large, context)


def _scaled(number, rng):
    table = rng.poisson(rng.choice([0.5, 3]), size=rng.integers(2, 5, size=2))
    table[0] += 1  # no cluster is empty, nor is any class
    table[:, 0] += 1
    return table, table * FACTORS[number % len(FACTORS)]


def _sizes(number, rng):
    """Sizes of two parts: small and equal in the first cases, then anything."""
    return (1 + number, 1 + number) if number < WITHOUT_CONTEXT else rng.integers(1, 12, size=2)


def _context(number, rng, least_classes=0):
    """Other clusters, with a random mixture of classes; none in the first cases."""
    if number < WITHOUT_CONTEXT:
        return np.zeros((least_classes, 0), dtype=int)
    shape = rng.integers(max(least_classes, 1), 5), rng.integers(1, 5)
    context = rng.poisson(rng.choice([0.5, 3]), size=shape)
    context[:, 0] += 1  # no class is empty
    return context


def _beside(table, context):
    """Both in one table, with no class and no cluster in common."""
    both = np.zeros(np.add(table.shape, context.shape), dtype=int)
    both[: table.shape[0], : table.shape[1]] = table
    both[table.shape[0] :, table.shape[1] :] = context
    return both


# by key: the check, the function that makes a case, what should happen to the score, what the two tables are
CHECKS: dict[str, tuple[Check, Callable, str, tuple[str, str]]] = {
    "A1": (HOMOGENEITY, _homogeneity, "get better", ("mixed cluster", "split by class")),
    "A2": (COMPLETENESS, _completeness, "get better", ("class in two clusters", "merged")),
    "A3": (RAG_BAG, _rag_bag, "get better", ("stray item in the clean cluster", "stray item in the rag bag")),
    "A4": (SIZE, _size_against_quantity, "get better", ("n pairs halved", "large cluster loses one")),
    "S": (SCALE, _scaled, "stay the same", ("table", "all counts multiplied")),
}


def check(
    key: str, measures: Sequence[Measure], seed: int = 0, cases: int = CASES, tolerance: float = TOLERANCE
) -> Outcome:
    """How often each measure satisfies one of CHECKS, over `cases` seeded random cases.

    >>> from evalcore.measures import MEASURES
    >>> check("A3", [MEASURES["V"], MEASURES["BCubed_F"]]).held  # entropies see no difference
    {'V': 0, 'BCubed_F': 200}
    """
    what, make, expected, names = CHECKS[key]
    rng = np.random.default_rng([seed, list(CHECKS).index(key)])
    pairs = [make(number, rng) for number in range(cases)]
    scores = score_tables([table for pair in pairs for table in pair], measures).reshape(cases, 2, -1)
    better = goodness(scores, measures)
    change, margin = better[:, 1] - better[:, 0], margins(scores, tolerance)
    if expected == "get better":
        held, wrong_by = change > margin, -change
    else:
        held, wrong_by = np.abs(change) <= margin, np.abs(change)

    def explain(case, measure, amount):
        tables = dict(zip(names, (Contingency.from_matrix(table) for table in pairs[case])))
        column = [m.name for m in measures].index(measure.name)
        return explain_change(measure, tables, scores[case, :, column], expected, amount, tolerance)

    return outcome(what, measures, held, wrong_by, explain)


def score_tables(tables: Sequence[np.ndarray], measures: Sequence[Measure]) -> np.ndarray:
    """Scores (tables, measures) of tables of different shapes, filled up with empty rows and columns."""
    largest = np.max([table.shape for table in tables], axis=0)
    batch = np.zeros((len(tables), *largest), dtype=np.int64)
    for row, table in zip(batch, tables):
        row[: table.shape[0], : table.shape[1]] = table
    statistics = Statistics(batch)
    return np.stack([np.broadcast_to(m.compute(statistics), len(tables)) for m in measures], axis=-1)
