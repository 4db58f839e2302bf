"""Mistakes that live in other libraries, kept out of this one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import evalcore as ec

C = ec.Contingency


@pytest.mark.parametrize("n", [10**5, 10**7, 10**9, 10**12])
def test_pair_counts_do_not_overflow(n):
    table = C.from_matrix([[n, 3 * n], [2 * n, n]])
    exact = ([n, 3 * n], [2 * n, n])
    a, b, total = [sum(r) for r in exact], [sum(c) for c in zip(*exact)], 7 * n
    pairs = [x * (x - 1) // 2 for row in exact for x in row]
    n11 = sum(pairs)
    n10, n01 = sum(x * (x - 1) // 2 for x in a) - n11, sum(x * (x - 1) // 2 for x in b) - n11
    n00 = total * (total - 1) // 2 - n11 - n10 - n01
    assert ec.Statistics(table).pairs == pytest.approx((n11, n10, n01, n00), rel=1e-15)
    ari = 2 * (n11 * n00 - n10 * n01) / ((n11 + n10) * (n10 + n00) + (n11 + n01) * (n01 + n00))  # Python's integers are exact
    assert ec.score(table, ["ARI"])["ARI"] == pytest.approx(ari, abs=1e-15)
    assert ec.score(table, ["Rand"])["Rand"] == pytest.approx((n11 + n00) / (n11 + n10 + n01 + n00), abs=1e-15)


@pytest.mark.parametrize("n", [2, 3, 50, 1000])
def test_identical_singletons_are_a_perfect_match(n):
    scores = ec.score(C.from_labels(range(n), range(n)))
    for name in ("FM", "ARI", "AMI", "AMI_max", "V", "NMI_geometric", "Jaccard", "pair_F", "Gamma", "Rand", "BCubed_F"):
        assert scores[name] == 1, name
    assert scores["VI"] == scores["NVI"] == scores["D"] == 0


def test_ami_of_two_items():
    assert ec.score(C.from_labels([0, 1], [0, 1]), ["AMI"])["AMI"] == 1
    assert ec.score(C.from_labels([0, 1], [0, 0]), ["AMI"])["AMI"] == 0


@pytest.mark.parametrize("shape", [(2, 2), (3, 5), (7, 11), (100, 100)])
def test_independent_labels_give_zero(shape):
    table = np.multiply.outer(np.arange(1, shape[0] + 1), np.arange(1, shape[1] + 1))
    scores = ec.score(table, ["V", "h", "c", "MI", "NMI_max", "NMI_geometric", "V(2)"])
    assert (scores == 0).all()


@pytest.mark.parametrize("n", [1, 2, 10])
def test_one_cluster_and_one_class(n):
    scores = ec.score(C.from_labels([0] * n, [0] * n))
    worst = [name for name in scores.index if not ec.MEASURES[name].higher_is_better]
    assert (scores[worst] == 0).all() or scores["Q0"] == 0
    assert scores[["V", "h", "c", "NMI_min", "ARI", "AMI", "FM", "Q2", "purity", "CEAF_e"]].eq(1).all()


@given(arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.just(0.0) | st.floats(1e-100, 1e6)).filter(lambda x: x.any()))
def test_entropies_are_never_negative(table):
    e = ec.Statistics(C.from_matrix(table)).entropies
    for value in (e.C, e.K, e.joint, e.C_given_K, e.K_given_C):
        assert value >= 0 and math.copysign(1, value) == 1


@given(st.integers(1, 6), st.lists(st.floats(0.1, 1e6), min_size=6, max_size=6))
def test_vi_of_a_perfect_solution_is_exactly_zero(k, masses):
    scores = ec.score(C.from_matrix(np.diag(masses[:k])))
    assert scores["VI"] == scores["NVI"] == 0 and scores["V"] == scores["h"] == scores["c"] == 1


def test_v_may_leave_its_range_with_an_estimator_and_is_not_pulled_back():
    singletons = C.from_labels([0] * 60 + [1] * 20 + [2] * 5 + [3] * 4, range(89))
    assert ec.score(singletons, ["V"], "BUB")["V"] < -0.1
