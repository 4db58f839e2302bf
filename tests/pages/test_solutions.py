"""The solutions that strips and menus compare with."""

import numpy as np
import pytest

from evalcore import ESTIMATORS, Contingency, published, score
from pages.ui import solutions
from pages.ui.frame import SHOWABLE
from pages.ui.grid import MOST, MOST_CLUSTERS
from pages.ui.solutions import examples, extreme_scores, extremes, random_table

# sizes whose outer product over n is not whole, which once turned whole extremes into fractions
TABLE = Contingency.from_matrix([[7, 10, 1, 0], [1, 9, 3, 0], [0, 0, 0, 0], [0, 2, 5, 0]])


def test_the_extremes_are_of_the_same_items():
    found = extremes(TABLE)
    assert list(found) == ["one cluster", "singletons", "no knowledge", "perfect"]
    for name, table in found.items():
        np.testing.assert_allclose(table.class_sizes, [18, 13, 7], err_msg=name)
        assert table.is_whole == (name != "no knowledge")
    assert found["one cluster"].counts.tolist() == [[18], [13], [7]]
    assert found["singletons"].cluster_sizes.tolist() == [1] * 38
    np.testing.assert_allclose(found["no knowledge"].cluster_sizes, [8, 21, 9])
    np.testing.assert_allclose(found["no knowledge"].counts, np.outer([18, 13, 7], [8, 21, 9]) / 38)
    assert found["perfect"].counts.tolist() == np.diag([18, 13, 7]).tolist()


def test_what_the_extremes_must_score():
    scores = extreme_scores(TABLE, SHOWABLE)
    assert scores["perfect"]["V"] == scores["perfect"]["ARI"] == scores["perfect"]["AMI"] == 1
    assert scores["perfect"]["VI"] == 0
    assert scores["one cluster"]["c"] == scores["singletons"]["h"] == 1
    assert scores["one cluster"]["NVI"] == pytest.approx(1)
    assert scores["no knowledge"]["V"] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_their_scores_are_evalcores(estimator):
    scores = extreme_scores(TABLE, ["V", "VI", "Rand"], estimator, 2.0)
    for name, table in extremes(TABLE).items():
        if name == "no knowledge" and estimator != "ML":
            assert name not in scores  # fractions
        else:
            np.testing.assert_array_equal(scores[name], score(table, ["V", "VI", "Rand"], estimator, base=2.0))


def test_fractions_and_large_tables_have_no_singletons():
    assert "singletons" not in extremes(Contingency.from_matrix([[0.5, 1], [1, 2]]))
    large = Contingency.from_matrix([[solutions.MOST_SINGLETONS, 1]])
    assert "singletons" not in extremes(large)
    assert "singletons" in extremes(Contingency.from_matrix([[solutions.MOST_SINGLETONS - 1, 1]]))


def test_scores_are_remembered_but_not_shared():
    first = extreme_scores(TABLE, ["V"])
    first["my own"] = None
    assert "my own" not in extreme_scores(TABLE, ["V"])


def test_every_example_fits_into_the_grid():
    assert len(examples()) >= 10
    for name, table in examples().items():
        assert table.shape[0] <= MOST and table.shape[1] <= MOST_CLUSTERS, name


def test_the_examples_are_the_papers():
    found = examples()
    r, alone = found["Solution R (Reichart and Rappoport)"], found["Singletons, 100 items"]
    assert r == published.solution_r()
    assert score(alone, ["V"])["V"] > score(r, ["V"])["V"]
    assert score(alone, ["NVI"])["NVI"] > score(r, ["NVI"])["NVI"]  # lower is better
    # Rosenberg and Hirschberg 2007, Figure 2: V of solutions A to D
    shown = {name[0]: score(table, ["V"])["V"] for name, table in found.items() if "Figure 2" in name}
    assert {name: round(v, 2) for name, v in shown.items()} == {"A": 0.14, "B": 0.39, "C": 0.30, "D": 0.41}
    # Rosenberg and Hirschberg 2007, Figure 3: rows are classes. Whole counts, or AMI and all estimators but ML would be missing.
    dom = found["Dom's solution (Rosenberg and Hirschberg, Figure 3)"]
    assert dom.counts.tolist() == [[12, 2, 4], [12, 2, 4], [2, 12, 4], [3, 3, 0]]
    assert all(table.is_whole for table in found.values())


def test_random_tables_depend_on_the_seed_alone():
    assert random_table(3) == random_table(3)
    assert random_table(3) != random_table(4)
    assert random_table(3).n == 60 and random_table(3).shape == (4, 5)
    assert random_table(3, n=500, skill=1.0).counts[np.eye(4, 5) == 0].sum() == 0
