"""The table: every way in, every refusal, every edit."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import evalcore as ec
from evalcore import Contingency, InputError

GOLD, PREDICTED = ["a", "a", "b", "b", "b"], [1, 2, 2, 2, 1]
TABLE = [[1, 1], [1, 2]]


@pytest.mark.parametrize(
    "wrap",
    [
        list,
        tuple,
        np.array,
        pd.Series,
        pd.Index,
        pd.Categorical,
        pa.array,
        lambda x: pa.chunked_array([x]),
        lambda x: np.array(x, dtype=object),
        lambda x: pd.Series(x).convert_dtypes(),
        lambda x: (
            pd.Series(x, dtype="string[pyarrow]") if isinstance(x[0], str) else pd.Series(x, dtype="int64[pyarrow]")
        ),
    ],
)
def test_any_sequence_of_labels(wrap):
    table = Contingency.from_labels(wrap(GOLD), wrap(PREDICTED))
    assert table.counts.tolist() == TABLE and table.classes == ("a", "b") and table.clusters == (1, 2)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint32", "int64", "uint64", "bool"])
def test_every_integer_type(dtype):
    labels = np.array([0, 1, 1, 0, 1, 1], dtype=dtype)
    other = np.array([0, 100, 100, 0, 120, 100], dtype="uint8" if dtype == "bool" else dtype)
    table = Contingency.from_labels(labels, other)
    assert table.counts.tolist() == [[2, 0, 0], [0, 3, 1]] and table.clusters == (0, 100, 120)


def test_extreme_integers_are_labels_like_any_other():
    labels = np.array([-(2**63), 2**63 - 1, 0, 0])
    assert Contingency.from_labels(labels, labels).counts.tolist() == np.diag([1, 2, 1]).tolist()
    assert Contingency.from_labels([10**30, 5], [1, 1]).classes == (5, 10**30)


def test_hashables_of_mixed_types():
    table = Contingency.from_labels([(1, 2), "x", 3.5, (1, 2)], [frozenset("a"), 1, "1", frozenset("a")])
    assert table.shape == (3, 3) and table.n == 4 and table.counts.max() == 2
    assert Contingency.from_labels([1, "1", 2], [1, 1, 1]).shape == (3, 1)  # the number and the string are two labels


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 40)), min_size=1, max_size=50))
def test_fast_and_hashed_paths_agree(pairs):
    gold, predicted = map(list, zip(*pairs))
    fast = Contingency.from_labels(gold, np.array(predicted))
    hashed = Contingency.from_labels([f"{x:03}" for x in [g + 5 for g in gold]], [f"{x:03}" for x in predicted])
    assert fast.counts.tolist() == hashed.counts.tolist()
    assert fast.classes == tuple(sorted(set(gold))) and fast.n == len(pairs)


@pytest.mark.parametrize("nothing", [None, float("nan"), pd.NA, pd.NaT])
def test_missing_labels(nothing):
    gold, predicted = ["a", "b", "b", nothing, "a"], ["x", nothing, "x", "y", nothing]
    with pytest.raises(InputError, match="Item 4 has no gold label"):
        Contingency.from_labels(gold, predicted)
    with pytest.raises(InputError, match="Item 2 has no predicted label"):
        Contingency.from_labels(["a"] * 5, predicted)
    drop, cluster, alone = (
        Contingency.from_labels(gold, predicted, missing=m) for m in ("drop", "cluster", "singletons")
    )
    assert (drop.n, cluster.n, alone.n) == (2, 4, 4)
    assert cluster.counts[:, cluster.clusters.index("(unanswered)")].tolist() == [1, 1]
    assert alone.cluster_sizes.tolist() == [2, 0, 1, 1]


def test_missing_policy_must_be_known_and_leave_something():
    with pytest.raises(InputError, match="missing must be one of error, drop, cluster, singletons, not 'skip'"):
        Contingency.from_labels([1], [1], missing="skip")
    with pytest.raises(InputError, match="No item has both"):
        Contingency.from_labels([None], [1], missing="cluster")


def test_an_unanswered_cluster_keeps_clear_of_a_real_one_of_that_name():
    table = Contingency.from_labels(["a", "b"], ["(unanswered)", None], missing="cluster")
    assert table.clusters == ("(unanswered)", "(unanswered) 2")


REFUSED = {
    "Row 1, column 2: -2 is negative": [[1, -2]],
    "Row 2, column 1: the value is not a number": [[1], [float("nan")]],
    "Row 1, column 1: the value is infinite": np.array([[np.inf, 1]]),
    "Row 2, column 2: 'x' is not a number": [[1, 2], [3, "x"]],
    "Row 2 has 1 cell, but row 1 has 2": [[1, 2], [3]],
    "The table is empty": [],
    "it needs at least one row and one column": [[]],
    "All cells are zero": [[0, 0], [0, 0]],
    "this has 1 dimension": np.array([1, 2]),
    "this has 3 dimensions": np.ones((2, 2, 2)),
    "A table is a list of rows": 5,
    "Row 1, column 2: -1 is negative;": sparse.csr_array([[0, -1]]),
    "All cells are zero: there": sparse.csr_array((3, 3)),
    "Row 1, column 1: b'1' is not a number": [[b"1"]],
    "Row 1, column 1: 1j is not a number": [[1j]],
    "Counts above 0 must lie between 1e-70 and 1e+70, but they run from 1e-200 to 1": [[1, 1e-200]],
    "they run from 0.5 to 1e+200": sparse.csr_array([[1e200, 0.5]]),
    "holds complex128, not numbers": sparse.csr_array([[1j]]),
}


@pytest.mark.parametrize("message", REFUSED)
def test_bad_matrices_are_refused_with_the_place(message):
    with pytest.raises(InputError) as caught:
        Contingency.from_matrix(REFUSED[message])
    assert message in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: Contingency.from_labels([1], [1, 2]), "There are 1 gold labels but 2 predicted ones."),
        (lambda: Contingency.from_labels([], []), "There are no items"),
        (lambda: Contingency.from_labels("ab", "ab"), "gold labels must be a sequence of labels, not str"),
        (lambda: Contingency.from_labels([1], 7), "predicted labels must be a sequence of labels, not int"),
        (lambda: Contingency.from_labels([[1], [2]], [1, 2]), "gold labels must be hashable"),
        (lambda: Contingency.from_labels(np.ones((2, 2)), [1, 2]), "one-dimensional, not of shape (2, 2)"),
        (lambda: Contingency.from_matrix([[1, 2]], classes=["a", "b"]), "There are 2 class names for 1 classes."),
        (lambda: Contingency.from_matrix([[1, 2]], clusters=["a", "a"]), "Two clusters are called 'a'"),
        (lambda: Contingency.from_rows([]), "There are no rows"),
        (lambda: Contingency.from_rows([("a", "b", 1), ("a", 2)]), "Row 2 has 2 fields"),
        (lambda: Contingency.from_rows([("a", "b", "many")]), "In counts, number 1: 'many' is not a number."),
        (lambda: Contingency.from_rows([("a", None, 1)]), "Row 1 names no cluster."),
        (lambda: Contingency.from_rows([("a", "b", 0)]), "All counts are zero"),
        (lambda: Contingency.from_memberships(["a", "b"], [[1, 0], [0, 0]]), "Row 2 of memberships has no weight"),
        (lambda: Contingency.from_memberships(["a"], [[1, 0], [0, 1]]), "There are 1 gold labels but 2 rows"),
        (lambda: Contingency.from_memberships(["a", None], [[1, 0], [0, 1]]), "Item 2 has no gold label."),
        (lambda: Contingency.from_memberships(["a"], [[-1, 2]]), "In memberships: Row 1, column 1: -1 is negative"),
        (lambda: ec.score(np.zeros((3, 2, 2))), "Table 1 of the batch is all zeros"),
        (lambda: ec.score(np.array([np.ones((2, 2)), [[1, 1], [-1, 1]]])), "Row 2, column 1: -1 is negative"),
        (lambda: ec.score(np.full((2, 2, 2), np.nan)), "is not a number (NaN)"),
        (lambda: ec.score(np.full((2, 2, 2), "x")), "A batch is a numeric array"),
    ],
)
def test_other_refusals(call, message):
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)


def test_matrices_of_all_kinds():
    frame = pd.DataFrame([[1, 2], [0, 3]], index=["noun", "verb"], columns=["x", "y"])
    table = Contingency.from_matrix(frame)
    assert (table.classes, table.clusters) == (("noun", "verb"), ("x", "y"))
    assert table.to_frame().equals(frame.rename_axis(index="class", columns="cluster"))
    assert Contingency.from_matrix(sparse.coo_matrix(frame.to_numpy())).counts.tolist() == [[1, 2], [0, 3]]
    assert Contingency.from_matrix([["1", 2.0]]).counts.tolist() == [[1, 2]]
    assert Contingency.from_matrix([[0.5, 1]]).is_whole is False
    assert Contingency.from_matrix([[2.0, 1]]).is_whole is True
    assert Contingency.from_matrix(np.array([[True, False]])).n == 1


def test_immutable():
    table = Contingency.from_matrix(TABLE)
    with pytest.raises(ValueError):
        table.counts[0, 0] = 9
    with pytest.raises(AttributeError):
        table.classes = ()
    for array in (table.class_sizes, table.cluster_sizes, *Contingency.from_memberships([1, 2], np.eye(2)).memberships):
        with pytest.raises(ValueError):
            array[0] = 9
    mine = np.array(TABLE)
    other = Contingency.from_matrix(mine)
    mine[0, 0] = 99
    assert other == table


def test_rows_add_up():
    frame = pd.DataFrame({"class": ["a", "b", "a"], "cluster": ["x", "y", "x"], "count": [1, 2, 0.5]})
    assert Contingency.from_rows(frame).counts.tolist() == [[1.5, 0], [0, 2]]


def test_labels_come_back():
    table = Contingency.from_labels(GOLD, PREDICTED)
    assert Contingency.from_labels(*table.to_labels()) == table
    with pytest.raises(InputError, match="fractional"):
        Contingency.from_matrix([[0.5, 1]]).to_labels()


def edited(*edits):
    table = Contingency.from_matrix([[4, 0], [2, 3]])
    for edit in edits:
        table = edit(table)
    return table.counts.tolist()


@pytest.mark.parametrize(
    "edit, expected",
    [
        (lambda t: t.move(("c1", "k1"), ("c2", "k2")), [[3, 0], [2, 4]]),
        (lambda t: t.move(("c1", "k1"), ("c1", "k2"), 0.5), [[3.5, 0.5], [2, 3]]),
        (lambda t: t.move(("c1", "k1"), ("c1", "k1"), 4), [[4, 0], [2, 3]]),
        (lambda t: t.with_cell(("c1", "k2"), 7), [[4, 7], [2, 3]]),
        (lambda t: t.with_cell(("c1", "k1"), 0), [[0, 0], [2, 3]]),
        (lambda t: t.split("k1", [1, 2]), [[3, 1, 0], [0, 2, 3]]),
        (lambda t: t.split("c2", [1, 0], axis="class"), [[4, 0], [1, 3], [1, 0]]),
        (lambda t: t.merge(["k2", "k1"]), [[4], [5]]),
        (lambda t: t.merge(["c1", "c2"], axis="class"), [[6, 3]]),
        (lambda t: t.add("k3"), [[4, 0, 0], [2, 3, 0]]),
        (lambda t: t.add("k3", [1, 2.5]), [[4, 0, 1], [2, 3, 2.5]]),
        (lambda t: t.add("c3", [0, 9], axis="class"), [[4, 0], [2, 3], [0, 9]]),
        (lambda t: t.remove("k1"), [[0], [3]]),
        (lambda t: t.remove("c2", axis="class"), [[4, 0]]),
        (lambda t: t.reorder(["k2", "k1"]), [[0, 4], [3, 2]]),
        (lambda t: t.transpose(), [[4, 2], [0, 3]]),
    ],
)
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_edits(edit, expected, kind):
    table = Contingency.from_matrix([[4, 0], [2, 3]] if kind == "dense" else sparse.csr_array([[4, 0], [2, 3]]))
    new = edit(table)
    assert new.counts.tolist() == expected
    assert table.counts.tolist() == [[4, 0], [2, 3]]


@pytest.mark.parametrize("wrap", [np.array, sparse.csr_array])
def test_what_a_table_is_depends_on_its_counts_and_not_on_how_they_came_about(wrap):
    halves = Contingency.from_matrix(wrap([[0.5, 0.5, 1], [1.5, 0.5, 0]]))
    assert not halves.is_whole
    for table in (
        halves.merge(["k1", "k2"]),
        halves.remove("k1").remove("k2"),
        halves.reorder(["k3"]),
        halves.merge(["k1", "k2"]).move(("c1", "k1"), ("c1", "k3"), 0.5).move(("c1", "k3"), ("c1", "k1"), 0.5),
    ):
        anew = Contingency.from_matrix(table.counts, table.classes, table.clusters)
        assert table.is_whole and table == anew
        np.testing.assert_allclose(ec.score(table), ec.score(anew), atol=1e-14)


def test_merging_in_a_huge_table_spreads_nothing_out():
    n = 100_000
    table = Contingency.from_labels(np.arange(n), np.arange(n)).merge([0, n - 1]).merge([3, 1, 2], axis="class")
    assert table.shape == (n - 2, n - 1) and table.n == n and table.is_sparse
    assert table.cluster_sizes[0] == 2 and table.class_sizes[table.classes.index(3)] == 3


def test_edits_keep_names():
    table = Contingency.from_matrix([[4, 0], [2, 3]])
    assert table.split("k1", [1, 0]).clusters == ("k1", "k1b", "k2")
    assert table.split("k1", [1, 0], new_name="new").clusters == ("k1", "new", "k2")
    assert table.merge(["k2", "k1"], new_name="all").clusters == ("all",)
    assert table.rename("c1", "noun", axis="class").classes == ("noun", "c2")
    assert table.transpose().classes == ("k1", "k2")


@pytest.mark.parametrize(
    "edit, message",
    [
        (lambda t: t.move(("c1", "k1"), ("c1", "k2"), 5), "holds 4, so 5 cannot be moved"),
        (lambda t: t.move(("c1", "k1"), ("c1", "k2"), -1), "In mass, number 1: -1 is negative"),
        (lambda t: t.move("c1", ("c1", "k2")), "A cell is a (class, cluster) pair"),
        (lambda t: t.move(("c9", "k1"), ("c1", "k2")), "There is no class called 'c9'."),
        (lambda t: t.with_cell(("c1", "k1"), "x"), "In count, number 1: 'x' is not a number."),
        (lambda t: t.split("k9", [1, 0]), "There is no cluster called 'k9'."),
        (lambda t: t.split("k1", [5, 0]), "holds 4 of class 'c1', so 5 cannot be split off"),
        (lambda t: t.split("k1", [1]), "The new cluster has 1 counts for 2 classes."),
        (lambda t: t.merge(["k1"]), "at least two different clusters"),
        (lambda t: t.add("k1"), "Two clusters are called 'k1'"),
        (lambda t: t.add("k3", [1]), "has 1 counts for 2 classes"),
        (lambda t: t.add("k3", 5), "counts must be a list of counts"),
        (lambda t: t.remove("k1").remove("k2"), "The last cluster cannot be removed."),
        (lambda t: t.remove("c2", axis="class").remove("k1"), "Nothing would be left"),
        (lambda t: t.remove("k1", axis="row"), "axis must be 'class' or 'cluster', not 'row'."),
        (lambda t: t.rename("k1", "k2"), "Two clusters are called 'k2'"),
        (
            lambda t: t.split("c1", [9, 0], axis="class"),
            "Class 'c1' holds 4 of cluster 'k1', so 9 cannot be split off.",
        ),
        (lambda t: t.split("c9", [9, 0], axis="class"), "There is no class called 'c9'."),
        (lambda t: t.merge(["c1"], axis="class"), "at least two different classes"),
        (lambda t: t.add("c1", axis="class"), "Two classes are called 'c1'"),
        (lambda t: t.add("c3", [1], axis="class"), "The new class has 1 counts for 2 clusters."),
        (lambda t: t.rename("k1", []), "Names of clusters must be hashable"),
    ],
)
def test_refused_edits(edit, message):
    with pytest.raises(InputError) as caught:
        edit(Contingency.from_matrix([[4, 0], [2, 3]]))
    assert message in str(caught.value)


def test_emptying_a_table_is_refused():
    with pytest.raises(InputError, match="no items"):
        Contingency.from_matrix([[4, 0]]).with_cell(("c1", "k1"), 0)


def test_many_labels_stay_sparse():
    rng = np.random.default_rng(0)
    gold, predicted = rng.integers(0, 100_000, 200_000), rng.integers(0, 100_000, 200_000)
    table = Contingency.from_labels(gold, predicted)
    assert table.is_sparse and table.n == 200_000 and table.shape[0] * table.shape[1] > 10**9
    with pytest.raises(InputError, match="too large to spread out"):
        _ = table.counts
    scores = ec.score(table, ["V", "VI", "ARI", "purity", "BCubed_F"])
    assert 0 < scores["V"] < 1


def test_soft_memberships_with_hard_answers_are_the_hard_table():
    soft = Contingency.from_memberships(GOLD, np.eye(2)[np.array(PREDICTED) - 1], clusters=[1, 2])
    hard = Contingency.from_labels(GOLD, PREDICTED)
    assert soft.counts.tolist() == hard.counts.tolist()
    for estimator in ("ML", "MM", "JK", "BUB", "Grassberger", "Zhang", "Bonachela", "Dirichlet"):
        names = [m.name for m in ec.MEASURES.values() if m.needs != "split" and not m.whole_counts]
        np.testing.assert_allclose(ec.score(soft, names, estimator), ec.score(hard, names, estimator), atol=1e-12)


def test_soft_answers_survive_new_names_and_a_transposition():
    soft = Contingency.from_memberships(["a", "b", "b", "a"], [[1, 2], [0, 1], [3, 1], [1, 1]])
    symmetric = [m.name for m in ec.MEASURES.values() if m.symmetric and m.needs != "split" and not m.whole_counts]
    for estimator in ("ML", "JK", "BUB"):
        expected = ec.score(soft, symmetric, estimator)
        for table in (soft.rename("k1", "first"), soft.transpose(), soft.transpose().transpose()):
            np.testing.assert_allclose(ec.score(table, symmetric, estimator), expected, atol=1e-13)
    assert soft != Contingency.from_matrix(soft.counts, soft.classes, soft.clusters)
    assert soft == soft.rename("k1", "first").rename("first", "k1")
    assert soft.n == 4 and isinstance(soft.n, int)


def test_soft_answers_in_lists_and_sparse_matrices():
    gold, weights = [[1.0, 1.0], [0.0, 2.0]], [[1, 0], [1, 3]]
    for wrap in (np.array, sparse.csr_array, lambda x: x):
        assert Contingency.from_memberships(wrap(gold), wrap(weights)).counts.tolist() == [[0.5, 0], [0.75, 0.75]]


def test_soft_gold():
    table = Contingency.from_memberships(np.array([[1.0, 1.0], [0.0, 2.0]]), [[1, 0], [1, 3]])
    assert table.counts.tolist() == [[0.5, 0], [0.75, 0.75]]


def test_repr_and_equality():
    table = Contingency.from_matrix(TABLE)
    assert repr(table) == "<Contingency: 2 classes x 2 clusters, n = 5>"
    assert table == Contingency.from_matrix(sparse.csr_array(TABLE)) and table != table.rename("k1", "z") and table != 5
