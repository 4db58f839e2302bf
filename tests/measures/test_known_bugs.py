"""Mistakes that live in other libraries, kept out of this one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from mpmath import mp
from scipy import sparse

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
    ari = (
        2 * (n11 * n00 - n10 * n01) / ((n11 + n10) * (n10 + n00) + (n11 + n01) * (n01 + n00))
    )  # Python's integers are exact
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
    assert (scores[worst] == 0).all()
    assert scores[["V", "h", "c", "NMI_min", "ARI", "AMI", "FM", "Q2", "purity", "CEAF_e"]].eq(1).all()


@given(
    arrays(
        np.float64, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.just(0.0) | st.floats(1e-70, 1e6)
    ).filter(lambda x: x.any())
)
def test_entropies_are_never_negative(table):
    e = ec.Statistics(C.from_matrix(table)).entropies
    for value in (e.C, e.K, e.joint, e.C_given_K, e.K_given_C):
        assert value >= 0 and math.copysign(1, value) == 1


@given(st.integers(1, 6), st.lists(st.floats(0.1, 1e6), min_size=6, max_size=6))
def test_vi_of_a_perfect_solution_is_exactly_zero(k, masses):
    scores = ec.score(C.from_matrix(np.diag(masses[:k])))
    assert scores["VI"] == scores["NVI"] == 0 and scores["V"] == scores["h"] == scores["c"] == 1


@pytest.mark.parametrize("estimator", ["ML", "MM", "JK", "Grassberger", "Zhang", "ChaoShen", "ChaoWangJost"])
def test_vi_of_a_perfect_solution_is_exactly_zero_by_estimators_too(estimator):
    rng = np.random.default_rng(0)
    for k in range(1, 30):
        scores = ec.score(np.diag(rng.integers(1, 60, k))[:, rng.permutation(k)], ["VI", "NVI", "V"], estimator)
        assert scores["VI"] == 0 and math.copysign(1, scores["VI"]) == 1
        assert scores["V"] == 1 or k == 1 and scores["V"] == pytest.approx(1)


@pytest.mark.parametrize("scale", [1e-69, 1e-30, 1e30, 1e68])
def test_no_measure_leaves_the_range_of_floating_point(scale):
    table = np.array([[3.5, 1, 0], [1, 4.25, 2]])
    plain, scaled = ec.score(table), ec.score(table * scale)
    for name, measure in ec.MEASURES.items():
        if measure.needs != "split" and (measure.scale_free or measure.family == "pairs" and name != "Mirkin"):
            assert scaled[name] == pytest.approx(plain[name], abs=1e-12), name


@pytest.mark.parametrize("n", [10**12, 10**15, 10**18])
def test_ami_of_huge_counts(n):
    """Chance gives next to nothing here, so AMI is I / mean."""
    scores = ec.score([[n, 3 * n], [2 * n, n]], ["AMI", "NMI"])
    assert scores["AMI"] == pytest.approx(scores["NMI"], abs=2e-11 if n == 10**12 else 1e-14)


@pytest.mark.parametrize("n", [10**4, 10**6, 10**9, 10**12])
@pytest.mark.parametrize("rest", [(1, 1, 1), (0, 1, 1), (3, 2, 1), (0, 0, 1), (2, 1, 0)])
def test_a_few_items_beside_one_huge_cell_keep_all_digits(n, rest):
    """log(N/a) with N/a rounded to 1 + 1e-12 has four digits left."""
    table = np.array([[n, rest[0]], rest[1:]])
    with mp.workdps(50):
        (w, x), (y, z) = ([mp.mpf(int(cell)) for cell in row] for row in table)
        total = w + x + y + z

        def entropy(*counts):
            return -sum(c / total * mp.log(c / total) for c in counts if c)

        def code(size):  # log binom(size + |C| - 1, |C| - 1), two classes
            return mp.log(size + 1) / total

        hc, hk, joint = entropy(w + x, y + z), entropy(w + y, x + z), entropy(w, x, y, z)
        vi, mutual, q0 = 2 * joint - hc - hk, hc + hk - joint, joint - hk + code(w + y) + code(x + z)
        q2 = (code(w + x) + code(y + z)) / q0
        exact = {
            "VI": vi,
            "NVI": vi / hc,
            "MI": mutual,
            "V": 2 * mutual / (hc + hk),
            "h": mutual / hc,
            "Q0": q0,
            "Q2": q2,
        }
        exact = {name: float(value) for name, value in exact.items()}
    batch = ec.score(np.stack([table, table]), list(exact)).iloc[1]
    for scores in (batch, *(ec.score(x, list(exact)) for x in (table, sparse.csr_array(table)))):
        assert scores.to_dict() == pytest.approx(exact, rel=1e-14, abs=0)


def test_vi_over_log_n_of_a_mass_is_not_decided_by_roundoff():
    """Shares that add up to 1 + 1e-16 would give 1e16."""
    for shares in ([[0.3, 0.3], [0.3, 0.1]], [[0.1, 0.2], [0.3, 0.4]], [[0.5, 0.25], [0.125, 0.125]]):
        assert np.isnan(ec.score(shares, ["VI_logN"])["VI_logN"])
    assert ec.score([[1]], ["VI_logN"])["VI_logN"] == 0
    batch = ec.score(np.array([[[0.5, 0.25], [0.125, 0.125]], [[1.0, 0], [0, 0]], [[1.5, 0], [0, 1.5]]]), ["VI_logN"])[
        "VI_logN"
    ]
    assert np.isnan(batch[0]) and batch[1] == 0 and batch[2] == 0
    soft = C.from_memberships(["a", "b", "b"], [[0.1, 0.9], [0.3, 0.7], [1, 2]])
    assert ec.score(soft, ["VI_logN"])["VI_logN"] == pytest.approx(
        ec.score(soft, ["VI"])["VI"] / math.log(3), rel=1e-15
    )
    assert ec.score(C.from_memberships(["a"], [[0.1, 0.9]]), ["VI_logN"])["VI_logN"] == 0


def test_v_may_leave_its_range_with_an_estimator_and_is_not_pulled_back():
    singletons = C.from_labels([0] * 60 + [1] * 20 + [2] * 5 + [3] * 4, range(89))
    assert ec.score(singletons, ["V"], "BUB")["V"] < -0.1
