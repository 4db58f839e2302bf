"""Solutions to compare with: the extremes that every strip shows, the papers' examples, and seeded random ones."""

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import Contingency, InputError, published, score
from evalcore.parametric import dom

MOST_SINGLETONS = 20_000  # items up to which the singletons solution is built


def extremes(table: Contingency) -> dict[str, Contingency]:
    """What the same items look like in one cluster, all alone, spread without knowledge over the same clusters, and perfectly."""
    a, b = table.class_sizes, table.cluster_sizes
    a, b = a[a > 0], b[b > 0]
    found = {"one cluster": Contingency.from_matrix(a[:, None])}
    if table.is_whole and table.n <= MOST_SINGLETONS:
        found["singletons"] = published.singletons(a.tolist())
    found["no knowledge"] = Contingency.from_matrix(np.outer(a, b) / table.n)
    found["perfect"] = Contingency.from_matrix(np.diag(a))
    return found


@st.cache_data(max_entries=512, show_spinner=False)
def _extreme_scores(class_sizes: tuple, cluster_sizes: tuple, measures: tuple, estimator: str, base: float) -> dict[str, pd.Series]:
    # only the margins matter, and a table with these margins is the outer product over n
    margins = Contingency.from_matrix(np.outer(class_sizes, cluster_sizes) / sum(class_sizes))
    whole = all(float(x).is_integer() for x in (*class_sizes, *cluster_sizes))
    found = extremes(margins)
    if whole and sum(class_sizes) <= MOST_SINGLETONS:
        found["singletons"] = published.singletons([int(x) for x in class_sizes])
    scores = {}
    for name in ("one cluster", "singletons", "no knowledge", "perfect"):
        if name in found:
            try:
                scores[name] = score(found[name], list(measures), estimator, base=base)
            except InputError:
                continue  # a fractional solution has no scores by an estimator that needs whole counts
    return scores


def extreme_scores(table: Contingency, measures, estimator: str = "ML", base: float = np.e) -> dict[str, pd.Series]:
    """Scores of the extremes for this table's items, for the strips' reference marks."""
    sizes = [tuple(x[x > 0].tolist()) for x in (table.class_sizes, table.cluster_sizes)]
    return _extreme_scores(*sizes, tuple(measures), estimator, float(base))


def examples() -> dict[str, Contingency]:
    """The papers' examples, by the name that menus show."""
    tens = [10] * 10
    figure_2 = {f"{name} (Rosenberg and Hirschberg, Figure 2)": table for name, table in published.figure_2().items()}
    return {
        "Solution R (Reichart and Rappoport)": published.solution_r(),
        "Singletons, 100 items": published.singletons(tens),
        **figure_2,
        "Dom's Figure 3": dom(3, 2, 1, 1, 0.1, 0.2, 0.1, n=60),
        "One cluster": Contingency.from_matrix([[10], [10], [10]]),
        "Perfect": Contingency.from_matrix(np.diag([10, 10, 10])),
        "No knowledge": Contingency.from_matrix(np.full((3, 3), 4)),
    }


def random_table(seed: int, n: int = 60, classes: int = 4, clusters: int = 5, skill: float = 0.6) -> Contingency:
    """A random solution: items of Zipf-sized classes, each put into its class's cluster with probability `skill`.

    >>> random_table(1, n=20).n
    20
    """
    rng = np.random.default_rng(seed)
    sizes = 1 / np.arange(1, classes + 1)
    gold = rng.choice(classes, n, p=sizes / sizes.sum())
    home = np.arange(classes) % clusters
    answer = np.where(rng.random(n) < skill, home[gold], rng.integers(0, clusters, n))
    counts = np.zeros((classes, clusters), dtype=int)
    np.add.at(counts, (gold, answer), 1)
    return Contingency.from_matrix(counts)
