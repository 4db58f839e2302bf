"""Solutions to compare with: the extremes that every strip shows, the papers' examples, and seeded random ones."""

from functools import lru_cache

import numpy as np
import pandas as pd

from evalcore import Contingency, InputError, published, score
from evalcore.parametric import dom

MOST_SINGLETONS = 20_000  # items up to which the singletons solution is built


def extremes(table: Contingency) -> dict[str, Contingency]:
    """What the same items look like in one cluster, all alone, spread without knowledge over the same clusters, and perfectly."""
    return _extremes(*_sizes(table))


def extreme_scores(table: Contingency, measures, estimator: str = "ML", base: float = np.e) -> dict[str, pd.Series]:
    """Scores of the extremes for this table's items, for the strips' reference marks."""
    return dict(_extreme_scores(*_sizes(table), tuple(measures), estimator, float(base)))


def _sizes(table):
    """Sizes of classes and clusters that hold anything: all that the extremes depend on."""
    return tuple(tuple(x[x > 0].tolist()) for x in (table.class_sizes, table.cluster_sizes))


def _extremes(classes, clusters):
    found = {"one cluster": Contingency.from_matrix(np.array(classes)[:, None])}
    if all(isinstance(size, int) for size in classes) and sum(classes) <= MOST_SINGLETONS:
        found["singletons"] = published.singletons(classes)
    found["no knowledge"] = Contingency.from_matrix(np.outer(classes, clusters) / sum(classes))
    found["perfect"] = Contingency.from_matrix(np.diag(classes))
    return found


@lru_cache(maxsize=512)  # st.cache_data would pickle the scores again at every edit
def _extreme_scores(classes, clusters, measures, estimator, base):
    scores = {}
    for name, table in _extremes(classes, clusters).items():
        try:
            scores[name] = score(table, list(measures), estimator, base=base)
        except InputError:
            continue  # a fractional solution has no scores by an estimator that needs whole counts
    return scores


@lru_cache(maxsize=1)
def examples() -> dict[str, Contingency]:
    """The papers' examples, by the name that menus show."""
    tens = [10] * 10
    figure_2 = {f"{name} (Rosenberg and Hirschberg, Figure 2)": table for name, table in published.figure_2().items()}
    return {
        "Solution R (Reichart and Rappoport)": published.solution_r(),
        "Singletons, 100 items": published.singletons(tens),
        **figure_2,
        "Dom's solution (Rosenberg and Hirschberg, Figure 3)": dom(3, 2, 1, 1, 0.1, 0.2, 0.1, n=60, whole=True),
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
