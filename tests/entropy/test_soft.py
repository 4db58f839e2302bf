"""Soft answers against every hard sample they stand for."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from evalcore.entropy import (
    ESTIMATORS,
    coefficients,
    entropy,
    expected_entropy,
    expected_triple,
    poisson_binomial,
    soft,
)
from evalcore.errors import InputError

LINEAR = [name for name, estimator in ESTIMATORS.items() if estimator.kind == "linear"]

MEMBERSHIPS = np.array([[0.5, 0.5, 0], [0.2, 0.3, 0.5], [1, 0, 0], [0, 0.25, 0.75], [0.1, 0.9, 0]])
CLASSES = np.array([0, 1, 0, 1, 1])
SOFT_CLASSES = np.array([[1, 0], [0.5, 0.5], [0.2, 0.8], [0, 1], [0.9, 0.1]])


def hard_samples(p):
    """Every way to give each instance one outcome, with its probability."""
    for chosen in product(range(p.shape[1]), repeat=len(p)):
        chance = p[np.arange(len(p)), chosen].prod()
        if chance:
            yield chance, np.array(chosen)


def table(classes, clusters, shape):
    counts = np.zeros(shape, dtype=int)
    np.add.at(counts, (classes, clusters), 1)
    return counts


@pytest.mark.parametrize("p", [[], [0.3], [0.5, 0.5, 0.5], [0.1, 0.9, 0.4, 0.0, 1.0]])
def test_poisson_binomial_by_fractions(p):
    law = [Fraction(0)] * (len(p) + 1)
    exact = [Fraction(x).limit_denominator(10) for x in p]
    for hits in product([0, 1], repeat=len(p)):
        chance = Fraction(1)
        for x, hit in zip(exact, hits, strict=True):
            chance *= x if hit else 1 - x
        law[sum(hits)] += chance
    assert poisson_binomial(p) == pytest.approx(np.array([float(x) for x in law]), rel=1e-14)


def test_poisson_binomial_of_equal_trials_is_binomial():
    # relative accuracy far into the tails, where convolution by FFT has none
    assert poisson_binomial([0.01] * 200) == pytest.approx(binom.pmf(np.arange(201), 200, 0.01), rel=1e-10)


def test_poisson_binomial_in_batches():
    p = np.random.default_rng(1).uniform(size=(2, 3, 7))
    laws = poisson_binomial(p)
    assert laws.shape == (2, 3, 8)
    for at in product(range(2), range(3)):
        assert laws[at] == pytest.approx(poisson_binomial(p[at]), rel=1e-15)
    assert laws.sum(axis=-1) == pytest.approx(np.ones((2, 3)), rel=1e-14)


@pytest.mark.parametrize("name", LINEAR)
def test_expected_entropy_by_enumeration(name):
    for support in (3, 6):
        expected = sum(
            chance * entropy(np.bincount(chosen, minlength=3), name, support)
            for chance, chosen in hard_samples(MEMBERSHIPS)
        )
        assert expected_entropy(MEMBERSHIPS, name, support) == pytest.approx(expected, rel=1e-13)
    assert expected_entropy(MEMBERSHIPS, name) == expected_entropy(MEMBERSHIPS, name, 3)


@pytest.mark.parametrize("name", LINEAR)
@pytest.mark.parametrize("support", [None, (None, None, None), (4, 5, 12)])
def test_expected_triple_of_hard_classes(name, support):
    m = (2, 3, 6) if support in (None, (None, None, None)) else support
    expected = np.zeros(3)
    for chance, clusters in hard_samples(MEMBERSHIPS):
        counts = table(CLASSES, clusters, (2, 3))
        parts = (counts.sum(axis=1), counts.sum(axis=0), counts.ravel())
        expected += [chance * entropy(part, name, size) for part, size in zip(parts, m, strict=True)]
    assert expected_triple(CLASSES, MEMBERSHIPS, name, support) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("name", LINEAR)
def test_expected_triple_of_soft_classes(name):
    expected = np.zeros(3)
    for class_chance, classes in hard_samples(SOFT_CLASSES):
        for chance, clusters in hard_samples(MEMBERSHIPS):
            counts = table(classes, clusters, (2, 3))
            parts = (counts.sum(axis=1), counts.sum(axis=0), counts.ravel())
            expected += [
                class_chance * chance * entropy(part, name, m) for part, m in zip(parts, (2, 3, 6), strict=True)
            ]
    assert expected_triple(SOFT_CLASSES, MEMBERSHIPS, name) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", LINEAR)
@given(labels=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=40))
def test_hard_memberships_are_a_hard_sample(name, labels):
    classes, clusters = np.array(labels).T
    counts = table(classes, clusters, (4, 5))
    sizes = (counts.sum(axis=1) > 0).sum(), (counts.sum(axis=0) > 0).sum()
    expected = (
        entropy(counts.sum(axis=1), name),
        entropy(counts.sum(axis=0), name),
        entropy(counts.ravel(), name, sizes[0] * sizes[1]),
    )
    hard = np.eye(5)[clusters]
    assert expected_triple(classes, hard, name) == pytest.approx(expected, rel=1e-12, abs=1e-14)
    assert expected_triple(np.eye(4)[classes], hard, name) == pytest.approx(expected, rel=1e-12, abs=1e-14)
    assert expected_entropy(hard, name) == pytest.approx(expected[1], rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("name", ["ML", "MM", "JK", "Grassberger", "Zhang"])
def test_sure_and_perfect_memberships_lose_exactly_nothing(name):
    rng = np.random.default_rng(0)
    for n in range(1, 120):
        classes = rng.integers(0, 9, n)
        h_c, h_k, joint = expected_triple(classes, np.eye(9)[classes][:, rng.permutation(9)], name)
        assert h_c == h_k == joint


def test_class_codes_may_be_anything():
    assert expected_triple(["b", "a", "b", "a", "a"], MEMBERSHIPS) == expected_triple(CLASSES, MEMBERSHIPS)
    assert expected_triple(CLASSES * 7 - 3, MEMBERSHIPS) == expected_triple(CLASSES, MEMBERSHIPS)


def test_empty_clusters_and_classes_do_not_matter():
    padded = np.column_stack([np.zeros(5), MEMBERSHIPS, np.zeros(5)])
    assert expected_triple(CLASSES, padded, "BUB") == pytest.approx(
        expected_triple(CLASSES, MEMBERSHIPS, "BUB"), rel=1e-15
    )
    soft = np.column_stack([SOFT_CLASSES, np.zeros(5)])
    assert expected_triple(soft, MEMBERSHIPS, "BUB") == expected_triple(SOFT_CLASSES, MEMBERSHIPS, "BUB")


@pytest.mark.parametrize("name", ["ML", "MM", "JK", "Zhang"])
def test_one_class_and_one_cluster(name):
    assert str(expected_triple([1, 1, 1], [[1.0], [1.0], [1.0]], name)) == "(0.0, 0.0, 0.0)"


def test_more_columns_than_are_handled_at_once(monkeypatch):
    p = np.random.default_rng(3).dirichlet(np.ones(50), size=20)
    whole = expected_entropy(p, "JK")
    monkeypatch.setattr(soft, "_CELLS", 100)
    assert expected_entropy(p, "JK") == pytest.approx(whole, rel=1e-14)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: expected_entropy([[0.5, 0.4]]),
            "Probabilities of an instance must add up to 1; row 1 adds up to 0.9",
        ),
        (lambda: expected_entropy([[1.5, -0.5]]), "between 0 and 1; the one at 1, 1 is 1.5"),
        (lambda: expected_entropy([[0.5, float("nan")]]), "between 0 and 1; the one at 1, 2 is nan"),
        (lambda: expected_entropy([0.5, 0.5]), "a table with one row for each instance"),
        (lambda: expected_entropy([]), "a table with one row for each instance"),
        (lambda: expected_entropy([["a"]]), "must be numbers"),
        (
            lambda: expected_entropy([[0.5, 0.5]], "NSB"),
            "NSB is not a linear estimator; only linear ones have an exact expectation",
        ),
        (lambda: expected_triple([0], [[1.0]], "ChaoShen"), "ChaoShen is not a linear estimator"),
        (lambda: expected_entropy([[0.5, 0.5]], "BUB", 1), "The support is 1, but 2 outcomes have mass"),
        (lambda: expected_triple([0, 1], [[1.0]]), "2 class codes for 1 instances"),
        (
            lambda: expected_triple([[1.0], [1.0]], [[1.0]]),
            "2 instances with classes, but 1 with memberships",
        ),
        (lambda: expected_triple([0, 1], [[1.0], [1.0]], "ML", (2, 1)), "in threes"),
        (lambda: expected_triple([0, 1], [[1.0], [1.0]], "ML", (1, 1, 2)), "The support is 1"),
        (
            lambda: expected_triple([0, 1], [[1.0], [1.0]], "ML", (2, 1, 1)),
            "The support is 1, but 2 cells have mass",
        ),
        (lambda: poisson_binomial(0.5), "a sequence of numbers"),
        (lambda: poisson_binomial([0.5, 1.2]), "between 0 and 1; the one at 2 is 1.2"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize("name", ["ML", "JK", "BUB"])
def test_instances_that_cannot_be_in_a_cluster_cost_nothing(name, monkeypatch):
    """Two words pooled: their instances and clusters are apart, so each cluster's law is that of its own word's."""
    rng = np.random.default_rng(4)
    first, second = rng.dirichlet(np.ones(3), 20), rng.dirichlet(np.ones(5), 40)
    pooled = np.zeros((60, 8))
    pooled[:20, :3], pooled[20:, 3:] = first, second
    a = coefficients(name, 60, 8)
    expected = sum(a[: len(p) + 1] @ poisson_binomial(p.T).sum(axis=0) for p in (first, second))
    trials = []
    law = soft._law
    monkeypatch.setattr(soft, "_law", lambda p: trials.append(p.shape) or law(p))
    monkeypatch.setattr(soft, "_CELLS", 3 * 61)  # three clusters at a time
    assert expected_entropy(pooled[rng.permutation(60)], name) == pytest.approx(expected, rel=1e-13)
    assert [rows for rows, _ in trials] == [20, 40, 40]
