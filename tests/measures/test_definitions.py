"""Every registered measure against its definition, by brute force with 50 digits, on small label lists of all shapes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore as ec
from evalcore.measures import resolve

from .reference import REFERENCE, v

WITH_TABLE = [name for name, m in ec.MEASURES.items() if m.needs != "split"]
DEGENERATE = {
    "one item": ([0], [0]),
    "two alike": ([0, 0], [0, 0]),
    "two apart": ([0, 1], [0, 1]),
    "two, one cluster": ([0, 1], [0, 0]),
    "two, one class": ([0, 0], [0, 1]),
    "singletons": ([0, 1, 2, 3], [3, 2, 1, 0]),
    "one cluster": ([0, 0, 1, 1], [0, 0, 0, 0]),
    "one class": ([0, 0, 0], [0, 0, 1]),
    "independent": ([0, 0, 1, 1], [0, 1, 0, 1]),
    "clusters alone": ([0, 0, 1, 1], [0, 1, 2, 3]),
    "classes alone": ([0, 1, 2, 3], [0, 0, 1, 1]),
    "identical": ([0, 0, 1], [1, 1, 0]),
}


def test_every_measure_has_a_reference():
    assert set(REFERENCE) == set(ec.MEASURES)


@pytest.mark.parametrize("case", DEGENERATE)
@pytest.mark.parametrize("name", WITH_TABLE)
def test_degenerate_cases(name, case):
    gold, predicted = DEGENERATE[case]
    value = ec.score(ec.Contingency.from_labels(gold, predicted), [name])[name]
    assert value == pytest.approx(float(REFERENCE[name](gold, predicted)), abs=1e-15)
    assert str(value) != "-0.0"


labels = st.integers(1, 7).flatmap(
    lambda n: st.tuples(*(st.lists(st.integers(0, 3), min_size=n, max_size=n) for _ in range(2)))
)


@pytest.mark.parametrize("name", WITH_TABLE)
@settings(max_examples=25)
@given(labels)
def test_equals_its_definition(name, both):
    gold, predicted = both
    value = ec.score(ec.Contingency.from_labels(gold, predicted), [name])[name]
    assert value == pytest.approx(float(REFERENCE[name](gold, predicted)), abs=1e-13)


@given(labels, st.sampled_from([0, 0.25, 0.5, 2, 5]))
def test_v_beta(both, beta):
    table = ec.Contingency.from_labels(*both)
    expected = float(v(*both, beta=beta))
    assert ec.score(table, ["V"], beta=beta)["V"] == pytest.approx(expected, abs=1e-13)
    assert ec.score(table, [f"V({beta:g})"]).iloc[0] == pytest.approx(expected, abs=1e-13)


@given(st.data())
def test_supervised_recall(data):
    n = data.draw(st.integers(2, 12))
    gold, predicted = (data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)) for _ in range(2))
    mapping = data.draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(lambda x: not all(x)))
    memberships = np.eye(4)[predicted]
    assert ec.supervised_recall(gold, memberships, mapping) == pytest.approx(
        float(REFERENCE["SR"](gold, predicted, mapping))
    )


def test_supervised_recall_with_weights():
    # each item counts once: the 9 of the first is 1, so P(0|k0) = 1 / 1.5 = 2/3, P(1|k0) = 1/3, P(1|k1) = 1
    memberships = [[9, 0], [1, 1], [0, 1], [0.7, 0.3]]
    # the test item's votes: class 0 gets .7 * 2/3 = .467, class 1 gets .7 / 3 + .3 = .533
    assert ec.supervised_recall([0, 1, 1, 0], memberships, [True, True, True, False]) == 0
    assert ec.supervised_recall([0, 1, 1, 1], memberships, [True, True, True, False]) == 1
    # as given, the 9 would have won: .7 * .9 against .7 * .1 + .3


def test_supervised_recall_never_mapped_is_wrong():
    assert ec.supervised_recall([0, 0], [[1, 0], [0, 1]], [True, False]) == 0
    assert ec.supervised_recall([0, 0], [[1, 0], [0, 0]], [True, False]) == 0  # unanswered


def test_supervised_recall_takes_any_labels():
    memberships, mapping = [[1, 0], [0, 1], [1, 0], [1, 0]], [True, True, False, False]
    assert ec.supervised_recall(["x", "y", "x", "y"], memberships, mapping) == 0.5


@pytest.mark.parametrize(
    "classes, memberships, mapping, message",
    [
        ([0, None], [[1], [1]], [True, False], "Item 2 has no class."),
        ([0, 1], [[1], [np.nan]], [True, False], "Row 2 of memberships has a weight that is no number"),
        ([0, 1], [[-1], [1]], [True, False], "Row 1 of memberships has a weight that is no number"),
        ([0, 1], [["x"], [1]], [True, False], "Memberships are numbers, equally many"),
        ([0, 1], [1, 1], [True, False], "matrix of items by clusters, not of shape \\(2,\\)"),
        ([0, 1], [[1], [1]], [0, 1], "marked by True"),
    ],
)
def test_supervised_recall_refuses_what_it_cannot_use(classes, memberships, mapping, message):
    with pytest.raises(ec.InputError, match=message):
        ec.supervised_recall(classes, memberships, mapping)


def test_a_beta_is_part_of_the_name():
    for beta in (2.0, 0.1234567, 12345678.0, 1e-7):
        measure = resolve(f"V({beta!r})")
        table = ec.Contingency.from_matrix([[5, 1], [2, 3]])
        assert ec.score(table, [measure.name]).iloc[0] == ec.score(table, ["V"], beta=beta).iloc[0]


def test_supervised_recall_refuses():
    with pytest.raises(ec.InputError, match="test part is empty"):
        ec.supervised_recall([0, 1], [[1], [1]], [True, True])
    with pytest.raises(ec.InputError, match="2 classes, 1 rows of memberships and 2 marks"):
        ec.supervised_recall([0, 1], [[1]], [True, False])
    with pytest.raises(ec.InputError, match="SR needs a mapping"):
        ec.score([[1, 2]], ["SR"])
