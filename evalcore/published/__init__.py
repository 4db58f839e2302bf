"""The papers' own figures, as data, to set beside what is computed here."""

from importlib.resources import files

import pandas as pd

from ..contingency import Contingency

TABLES = {
    "wsi2010_v_by_estimator": "Li, Titov and Sporleder 2014, Table 1: V x 100 of 29 systems by four estimators, and supervised recall",
    "grammar_induction_scores": "Reichart and Rappoport 2009, Tables 2-4: label counts, V, VI, NVI and entropies of nine labellings",
    "properties_rates": "Rosenberg and Hirschberg 2007, Table 2: how often nine measures have properties P1-P7",
    "pp_attachment": "Li and Abe 1996, Tables 1-2: coverage and accuracy of PP attachment",
}


def table(name: str) -> pd.DataFrame:
    """A published table by its name in TABLES.

    >>> table("pp_attachment").columns.tolist()
    ['method', 'coverage_percent', 'accuracy_percent']
    """
    if name not in TABLES:
        raise KeyError(f"no published table called {name!r}; there are {', '.join(TABLES)}")
    with (files(__package__) / f"{name}.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file)


def singletons(class_sizes) -> Contingency:
    """Every item in a cluster of its own."""
    sizes = list(class_sizes)
    gold = [f"c{i + 1}" for i, size in enumerate(sizes) for _ in range(size)]
    return Contingency.from_labels(gold, range(1, len(gold) + 1)).reorder(
        [f"c{i + 1}" for i in range(len(sizes))], "class"
    )


def solution_r() -> Contingency:
    """Solution R of Reichart and Rappoport 2009, Table 1: the 10 x 10 circulant with first row 7 1 1 1 0 ... 0."""
    first = [7, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    return Contingency.from_matrix([first[-i:] + first[:-i] for i in range(10)])


def figure_2() -> dict[str, Contingency]:
    """Solutions A-D of Rosenberg and Hirschberg 2007, Figure 2, as recovered from its scores.

    >>> {name: solution.n for name, solution in figure_2().items()}
    {'A': 15, 'B': 15, 'C': 21, 'D': 21}
    """
    b = [[3, 2, 0], [0, 3, 2], [2, 0, 3]]
    more = [[1, 1, 0], [0, 1, 1], [1, 0, 1]]
    alone = [[1, 1, 0, 0, 0, 0], [0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1]]
    join = [[left + right for left, right in zip(b, side)] for side in (more, alone)]
    tables = {"A": [[3, 1, 1], [1, 3, 1], [1, 1, 3]], "B": b, "C": join[0], "D": join[1]}
    return {name: Contingency.from_matrix(matrix) for name, matrix in tables.items()}
