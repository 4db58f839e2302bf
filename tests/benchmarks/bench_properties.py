"""The full study of P1-P7, and the same scores by looping scikit-learn over lists of labels."""

import time
import warnings

import numpy as np
from sklearn import metrics

from evalcore import axioms
from evalcore.parametric import dom_tables, rounded, score_settings
from evalcore.properties import Grid, study
from evalcore.scoring import measures_named

SAMPLE = 60  # tables that scikit-learn is timed on; its time for all is the mean times their number

PEER = {
    "V": metrics.v_measure_score,
    "h": metrics.homogeneity_score,
    "c": metrics.completeness_score,
    "MI": metrics.mutual_info_score,
    "NMI": metrics.normalized_mutual_info_score,
    "NMI_geometric": lambda a, b: metrics.normalized_mutual_info_score(a, b, average_method="geometric"),
    "NMI_max": lambda a, b: metrics.normalized_mutual_info_score(a, b, average_method="max"),
    "NMI_min": lambda a, b: metrics.normalized_mutual_info_score(a, b, average_method="min"),
    "Rand": metrics.rand_score,
    "ARI": metrics.adjusted_rand_score,
    "FM": metrics.fowlkes_mallows_score,
}


def rows():
    started = time.perf_counter()
    result = study()
    yield (
        f"study of P1-P7: {result.grid.size:,} tables, {len(result.measures) - 2} measures",
        time.perf_counter() - started,
        "",
        None,
        "a few seconds",
    )

    grid = Grid()
    chosen = measures_named(list(PEER))
    ours = min(_timed(lambda: score_settings(grid.settings, chosen)) for _ in range(3))
    peers = _peer(grid) * grid.size
    yield (
        f"{len(PEER)} measures that both have, {grid.size:,} tables",
        ours,
        f"scikit-learn ({SAMPLE} tables of n = 1000, times {grid.size / SAMPLE:,.0f})",
        peers,
        "200 x",
    )

    started = time.perf_counter()
    axioms.study()
    yield (
        "constraints, metric axioms, scale, chance; all measures",
        time.perf_counter() - started,
        "",
        None,
        "a few seconds",
    )


def _timed(work):
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _peer(grid):
    """Seconds of scikit-learn for one table: it needs labels, so tables are rounded to whole counts."""
    pick = np.random.default_rng(0).choice(grid.size, SAMPLE, replace=False)
    labels = []
    for row in grid.settings.iloc[pick].itertuples(index=False):
        table = rounded(dom_tables(*map(int, row[:4]), row[4:7], row.n)[0])
        at = np.repeat(np.arange(table.size), table.ravel())
        labels.append((at // table.shape[1], at % table.shape[1]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        started = time.perf_counter()
        for gold, predicted in labels:
            for score in PEER.values():
                score(gold, predicted)
        return (time.perf_counter() - started) / SAMPLE
