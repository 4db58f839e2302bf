"""One-to-one matchings of clusters to classes: the best one, and the greedy one that older articles used."""

import numpy as np
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import connected_components, min_weight_full_bipartite_matching

from .cells import DenseCells

# Classes that hang together through shared clusters, up to which an exact matching of a sparse table takes seconds (with
# whole weights, which tie often, the solver is far quicker). Above, the matching is NaN: not known rather than guessed.
MOST_ENTANGLED = {"whole": 100_000, "fractional": 4_000}


def optimal_matching(cells, weights):
    """The largest sum of weights over one-to-one matchings; one number per table."""
    if isinstance(cells, DenseCells):
        tables = weights.reshape((-1,) + weights.shape[-2:])
        best = [table[linear_sum_assignment(table, maximize=True)].sum() for table in tables]
        return np.array(best).reshape(weights.shape[:-2])[()]
    return _optimal_sparse(cells, weights)


def _optimal_sparse(cells, weights):
    """Without spreading the table out: pieces of one class or one cluster at once, the rest with private dummy clusters.

    NaN where more classes hang together than MOST_ENTANGLED.
    """
    rows, columns = cells.shape
    graph = sparse.coo_array((np.ones(len(weights)), (cells.rows, cells.columns + rows)), shape=(rows + columns,) * 2)
    _, piece = connected_components(graph, directed=False)
    of_edge = piece[cells.rows]
    edges, one_class, one_cluster = (
        np.bincount(x, minlength=piece.max() + 1)
        for x in (of_edge, piece[:rows][cells.a > 0], piece[rows:][cells.b > 0])
    )
    star = (one_class == 1) | (one_cluster == 1)  # only one pair can be matched in such a piece: the heaviest
    heaviest = np.zeros(len(edges))
    np.maximum.at(heaviest, of_edge, weights)
    total = heaviest[star & (edges > 0)].sum()
    rest = ~star[of_edge]
    if not rest.any():
        return total
    whole = (weights == np.trunc(weights)).all()
    if one_class[~star].max() > MOST_ENTANGLED["whole" if whole else "fractional"]:
        return np.nan
    row_names, row = np.unique(cells.rows[rest], return_inverse=True)
    column_names, column = np.unique(cells.columns[rest], return_inverse=True)
    # Every class may also take a dummy cluster of its own, so a full matching exists. The solver drops zero weights
    # and wants all of them explicit: adding 1 to each edge adds len(row_names) to every full matching. Fractions of any
    # size are first scaled to the largest, so that they do not vanish beside that 1.
    size, unit = len(row_names), 1.0 if whole else weights[rest].max()
    cost = sparse.coo_array(
        (
            np.concatenate([weights[rest] / unit + 1, np.ones(size)]),
            (np.concatenate([row, np.arange(size)]), np.concatenate([column, len(column_names) + np.arange(size)])),
        )
    ).tocsr()
    matched = min_weight_full_bipartite_matching(cost, maximize=True)
    gained = np.asarray(cost[matched]).ravel() - 1
    return total + unit * gained.sum()


def greedy_matching(cells):
    """The mass matched by taking the largest cell left, again and again (ties: first class, then first cluster)."""
    order_by = _without_roundoff(cells.n, (-2, -1) if isinstance(cells, DenseCells) else 0)
    if isinstance(cells, DenseCells):
        tables = zip(*(x.reshape((-1,) + x.shape[-2:]) for x in (cells.n, order_by)))
        return np.array([_greedy(*table) for table in tables]).reshape(cells.n.shape[:-2])[()]
    free_rows, free_columns = np.ones(cells.shape[0], bool).tolist(), np.ones(cells.shape[1], bool).tolist()
    mass = 0.0
    order = np.argsort(-order_by, kind="stable")
    for row, column, count in zip(cells.rows[order].tolist(), cells.columns[order].tolist(), cells.n[order].tolist()):
        if free_rows[row] and free_columns[column]:
            free_rows[row] = free_columns[column] = False
            mass += count
    return mass


def _without_roundoff(n, axes):
    """A whole table's counts as they are; fractions to 12 digits of the table's largest, so that equal ones tie however
    they were computed."""
    if (n == np.trunc(n)).all():
        return n
    fractional = (n != np.trunc(n)).any(axis=axes, keepdims=True)
    return np.where(fractional, np.round(n / n.max(axis=axes, keepdims=True), 12), n)


def _greedy(table, order_by):
    mass, left = 0.0, order_by.copy()
    for _ in range(min(table.shape)):
        row, column = divmod(int(left.argmax()), table.shape[1])
        mass += table[row, column]
        left[row] = left[:, column] = -1.0
    return mass
