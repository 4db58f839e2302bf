"""Ranks, how well two columns agree on them, the pairs of systems they put in opposite order, and the
largest moves.
"""

import numpy as np
import pandas as pd
from scipy import stats

from ..errors import InputError

# Scores closer than this, relative to 1 or their size, are equal: the same table may be summed in two orders.
TIE = 1e-12
STATISTICS = {"tau": "Kendall's tau-b", "rho": "Spearman's rho"}


def beats(values, higher_is_better: bool = True) -> np.ndarray:
    """Whether the score at i (last axis but one) is better than that at j (last axis); False where one is
    NaN.

    >>> beats([0.5, 0.2]).tolist()
    [[False, True], [False, False]]
    """
    x = np.asarray(values, dtype=float) * (1.0 if higher_is_better else -1.0)
    first, second = x[..., :, None], x[..., None, :]
    with np.errstate(invalid="ignore"):  # infinite scores
        return first - second > TIE * np.clip(np.minimum(np.abs(first), np.abs(second)), 1.0, 1e300)


def ranks(values, higher_is_better: bool = True) -> np.ndarray:
    """Ranks along the last axis: 1 is best, equal scores share the smaller rank, NaN has none.

    >>> ranks([0.3, 0.5, 0.3, float("nan"), 0.1]).tolist()
    [2.0, 1.0, 2.0, nan, 4.0]
    """
    values = np.asarray(values, dtype=float)
    rank = 1.0 + beats(values, higher_is_better).sum(axis=-2)
    return np.where(np.isnan(values), np.nan, rank)


def agreement(board, statistic: str = "tau") -> pd.DataFrame:
    """Kendall's tau-b ("tau") or Spearman's rho ("rho") between every two columns, over the systems that
    both rank.

    NaN where a column ranks all of them alike.
    """
    if statistic not in STATISTICS:
        raise InputError(f"The statistics are {', '.join(STATISTICS)}, not {statistic!r}.")
    rank, size = board.ranks, len(board.columns)
    table = np.full((size, size), np.nan)
    for i in range(size):
        for j in range(i, size):
            table[i, j] = table[j, i] = correlation(rank[:, i], rank[:, j], statistic)
    return pd.DataFrame(table, index=board.names, columns=board.names)


def correlation(x, y, statistic: str = "tau") -> float:
    """tau-b or rho of two sequences, over the places where neither is NaN; NaN where either has no two
    values.

    >>> correlation([1, 2, 3], [3, 2, 1])
    -1.0
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    both = ~(np.isnan(x) | np.isnan(y))
    x, y = x[both], y[both]
    if len(x) < 2 or (x == x[0]).all() or (y == y[0]).all():
        return float("nan")
    return float((stats.kendalltau if statistic == "tau" else stats.spearmanr)(x, y).statistic)


def flips(board, x: str, y: str) -> pd.DataFrame:
    """Pairs that column x puts in one order and column y in the other, largest swing first.

    `a` is the system that x prefers. The swing is how many ranks the two move against each other: a's lead
    by x plus b's lead by y.
    """
    rank = board.ranks
    by_x, by_y = rank[:, board.column(x)], rank[:, board.column(y)]
    lead_x, lead_y = (
        by_x[None, :] - by_x[:, None],
        by_y[None, :] - by_y[:, None],
    )  # positive where the first is ahead
    a, b = np.nonzero((lead_x > 0) & (lead_y < 0))
    swing = lead_x[a, b] - lead_y[a, b]
    order = np.lexsort((by_x[a], -np.minimum(lead_x[a, b], -lead_y[a, b]), -swing))
    a, b = a[order], b[order]
    names = np.array(board.systems, dtype=object)
    return pd.DataFrame(
        {
            "a": names[a],
            "b": names[b],
            f"a by {x}": by_x[a].astype(int),
            f"b by {x}": by_x[b].astype(int),
            f"a by {y}": by_y[a].astype(int),
            f"b by {y}": by_y[b].astype(int),
            "swing": swing[order].astype(int),
        }
    )


def rank_changes(board, x: str, y: str) -> pd.DataFrame:
    """Systems with their clusters and ranks by two columns; `change` is positive where y ranks a system
    higher than x.
    """
    rank = board.ranks
    by_x, by_y = rank[:, board.column(x)], rank[:, board.column(y)]
    frame = pd.DataFrame(
        {"system": board.systems, "clusters": board.clusters, x: by_x, "to": by_y, "change": by_x - by_y}
    )
    return frame.dropna(subset=["change"]).rename(columns={"to": f"{y} " if x == y else y}).reset_index(drop=True)


def headline(board, called: dict[str, str] | None = None) -> str:
    """The largest move between two columns, in a sentence; `called` gives systems longer names.

    >>> from evalcore.ranking import wsi2010_board
    >>> headline(wsi2010_board())
    'V-ML puts 1ClI first; V-BUB puts it last'
    """
    name, x, y = largest_move(board)
    if len(board.systems) == 1:
        return f"{(called or {}).get(name, name)} stands alone"
    if x == y:
        return _alike(board, called or {})
    at = board.systems.index(name)
    return (
        f"{x} puts {(called or {}).get(name, name)} {_place(board.ranks[:, board.column(x)], at)}; "
        f"{y} puts it {_place(board.ranks[:, board.column(y)], at)}"
    )


def _alike(board, called):
    """Where no two columns differ: that they agree, or who is first by the only one that ranks anybody."""
    ranking = [at for at in range(len(board.columns)) if not np.isnan(board.ranks[:, at]).all()]
    if len(ranking) > 1:
        return f"All columns rank these {len(board.systems)} systems alike"
    if not ranking:
        return f"No column ranks these {len(board.systems)} systems"
    first = np.flatnonzero(board.ranks[:, ranking[0]] == 1)
    who = called.get(board.systems[first[0]], board.systems[first[0]]) if len(first) == 1 else f"{len(first)} systems"
    return f"{board.names[ranking[0]]} puts {who} first"


def largest_move(board) -> tuple[str, str, str]:
    """The system whose rank differs most between two columns, and these two, that which ranks it higher
    first.

    Where all columns rank alike it is the first system, and the columns are the same.
    """
    rank = board.ranks
    change = rank[:, None, :] - rank[:, :, None]
    system, x, y = np.unravel_index(np.where(np.isnan(change), 0, change).argmax(), change.shape)
    return board.systems[system], board.names[x], board.names[y]


def _place(rank, system):
    """A rank in words, among the ranks of a column."""
    mine, worst = int(rank[system]), np.nanmax(rank)
    if mine == 1:
        return "first" if (rank == 1).sum() == 1 else "among the first"
    if mine == worst and (rank == worst).sum() == 1:
        return "last"
    ending = "th" if mine % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(mine % 10, "th")
    return f"{mine}{ending}"
