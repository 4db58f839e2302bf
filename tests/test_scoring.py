"""score, scoreboard, contributions; how shares add up; VI's convex additivity under splits."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import evalcore as ec
from evalcore import Contingency, InputError, Statistics

tables = arrays(np.int64, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=st.integers(0, 9)).filter(
    lambda x: x.any()
)


@given(tables, st.sampled_from(["class", "cluster"]))
def test_contributions_add_up(table, by):
    shares, total = ec.contributions(table, by).sum(), ec.score(table, ["VI", "h", "c"])
    e = Statistics(Contingency.from_matrix(table)).entropies
    for name in ("VI", "h", "c"):
        assert shares[name] == pytest.approx(total[name], abs=1e-12)
    assert shares["H(C|K)"] == pytest.approx(e.C_given_K, abs=1e-12) and shares["H(K|C)"] == pytest.approx(
        e.K_given_C, abs=1e-12
    )
    assert shares["size"] == table.sum()
    if e.C > 0:
        assert shares["NVI"] == pytest.approx(ec.score(table, ["NVI"])["NVI"], abs=1e-12)


@given(tables)
def test_a_clusters_share_is_what_it_loses(table):
    """b_k/N H(C|k): computed cluster by cluster."""
    shares = ec.contributions(table)["H(C|K)"]
    for column, share in zip(table.T, shares):
        p = column[column > 0] / max(column.sum(), 1)
        assert share == pytest.approx(-(p * np.log(p)).sum() * column.sum() / table.sum(), abs=1e-12)


@settings(max_examples=200)
@given(tables, st.data())
def test_vi_is_convexly_additive_under_a_split(table, data):
    """VI(K, K split) is the cluster's mass times the entropy of the split (Meila 2007, property 9); and splitting one
    cluster k of a solution changes VI(C, .) by that cluster's part alone."""
    split = data.draw(st.integers(0, table.shape[1] - 1))
    part = np.array([data.draw(st.integers(0, int(x))) for x in table[:, split]])
    before = Contingency.from_matrix(table)
    after = before.split(f"k{split + 1}", part)
    n, b, moved = table.sum(), table[:, split].sum(), part.sum()
    if 0 < moved < b:
        refinement = Contingency.from_rows(
            [(f"k{j}", f"k{j}", x) for j, x in enumerate(table.sum(axis=0)) if j != split and x]
            + [("k", "k left", b - moved), ("k", "k moved", moved)]
        )
        q = moved / b
        assert ec.score(refinement, ["VI"])["VI"] == pytest.approx(
            b / n * -(q * math.log(q) + (1 - q) * math.log(1 - q)), abs=1e-12
        )
    change = ec.score(after, ["VI"])["VI"] - ec.score(before, ["VI"])["VI"]
    local = _loss(table[:, split][:, None], table) - _loss(np.stack([table[:, split] - part, part], axis=1), table)
    assert change == pytest.approx(-local, abs=1e-12)


def _loss(columns, table):
    """H(C|K) + H(K|C) summed over some columns of the table only."""
    n, a = table.sum(), table.sum(axis=1)
    return sum(
        x / n * (math.log(column.sum() / x) + math.log(a[i] / x))
        for column in columns.T
        for i, x in enumerate(column)
        if x
    )


@given(st.lists(tables, min_size=2, max_size=3))
def test_vi_and_nvi_of_separate_blocks_are_mean_losses(blocks):
    """If classes and clusters both refine a partition into blocks, VI is the mass-weighted mean of the blocks' VI, and
    H(C) NVI likewise (Reichart and Rappoport 2009, convex additivity)."""
    from scipy.linalg import block_diag

    whole, n = block_diag(*blocks), sum(b.sum() for b in blocks)
    mean = sum(b.sum() / n * ec.score(b, ["VI"])["VI"] for b in blocks)
    assert ec.score(whole, ["VI"])["VI"] == pytest.approx(mean, abs=1e-12)
    h = Statistics(Contingency.from_matrix(whole)).entropies.C
    parts = sum(
        b.sum() / n * ec.score(b, ["NVI"])["NVI"] * (Statistics(Contingency.from_matrix(b)).entropies.C or 1)
        for b in blocks
    )
    if h > 0:
        assert ec.score(whole, ["NVI"])["NVI"] == pytest.approx(parts / h, abs=1e-12)


@given(tables, tables, tables)
def test_vi_obeys_the_triangle_inequality(x, y, z):
    """Three partitions of the same items, drawn from three tables' labels."""
    n = min(t.sum() for t in (x, y, z))
    p, q, r = (np.repeat(np.arange(t.size), t.ravel())[:n] for t in (x, y, z))
    vi = [ec.score(Contingency.from_labels(u, w), ["VI"])["VI"] for u, w in ((p, q), (q, r), (p, r))]
    assert vi[2] <= vi[0] + vi[1] + 1e-12


def test_every_estimator_feeds_every_information_measure():
    names = [m.name for m in ec.MEASURES.values() if m.needs == "entropies"]
    for estimator in ec.ESTIMATORS:
        scores = ec.score([[5, 1, 2], [0, 6, 3]], names, estimator)
        assert scores.notna().all() and scores.name == estimator
        triple = [ec.entropy(x, estimator, m) for x, m in (([8, 9], 2), ([5, 7, 5], 3), ([5, 1, 2, 6, 3], 6))]
        assert scores["VI"] == pytest.approx(2 * triple[2] - triple[0] - triple[1], abs=1e-12)
        assert scores["V"] == pytest.approx(
            2 * (triple[0] + triple[1] - triple[2]) / (triple[0] + triple[1]), abs=1e-12
        )
        assert scores["h"] == pytest.approx(1 - (triple[2] - triple[1]) / triple[0], abs=1e-12)


def test_support_can_be_overridden():
    table = [[5, 1, 2], [0, 6, 3]]
    default = ec.score(table, ["VI"], "BUB")["VI"]
    assert ec.score(table, ["VI"], "BUB", support=(2, 3, 6))["VI"] == default
    wider = ec.score(table, ["VI"], "BUB", support=(2, 3, 20))["VI"]
    assert wider == pytest.approx(
        2 * ec.entropy([5, 1, 2, 6, 3], "BUB", 20) - ec.entropy([8, 9], "BUB", 2) - ec.entropy([5, 7, 5], "BUB", 3)
    )
    with pytest.raises(InputError):
        ec.score(table, ["VI"], "BUB", support=(1, 3, 6))


def test_measures_that_use_no_estimator_do_not_change_with_it():
    rest = [m.name for m in ec.MEASURES.values() if m.needs == "table"]
    np.testing.assert_array_equal(ec.score([[5, 1], [2, 3]], rest, "JK"), ec.score([[5, 1], [2, 3]], rest))


def test_base_changes_units_only():
    nats, bits = ec.score([[5, 1], [2, 3]]), ec.score([[5, 1], [2, 3]], base=2)
    for name, measure in ec.MEASURES.items():
        if measure.needs != "split":
            assert bits[name] == pytest.approx(nats[name] / (math.log(2) if measure.unit else 1)), name
    assert {m.name for m in ec.MEASURES.values() if m.unit} == {"VI", "MI", "Q0"}
    for bad in (1, 0.5, 0, -2, math.inf, math.nan):  # below 1 distances would be negative and the worst the best
        with pytest.raises(InputError, match="base"):
            ec.score([[1, 2]], base=bad)


def test_batches_give_a_frame():
    batch = np.random.default_rng(0).integers(1, 5, (2, 3, 4, 5))
    frame = ec.score(batch, ["V", "NVI"])
    assert isinstance(frame, pd.DataFrame) and frame.shape == (6, 2)
    assert frame.loc[(1, 2), "V"] == pytest.approx(ec.score(batch[1, 2], ["V"])["V"])


@pytest.mark.parametrize("estimator", list(ec.ESTIMATORS))
def test_batches_with_estimators(estimator):
    batch = np.random.default_rng(1).integers(0, 5, (6, 3, 4)) + 1
    batch[0, :, 1] = 0
    frame = ec.score(batch, ["V", "VI"], estimator)
    for i, table in enumerate(batch):
        np.testing.assert_allclose(frame.loc[i], ec.score(table, ["V", "VI"], estimator), atol=1e-10)


def test_statistics_keep_their_own_options():
    table = Contingency.from_matrix([[5, 1, 2], [0, 6, 3]])
    for options in (
        {"estimator": "JK"},
        {"beta": 2},
        {"estimator": "BUB", "support": (2, 3, 9)},
        {"pairs": "asymptotic"},
    ):
        pd.testing.assert_series_equal(
            ec.score(Statistics(table, **options), ["V", "ARI"]), ec.score(table, ["V", "ARI"], **options)
        )
    assert ec.score(Statistics(table, "JK", beta=2), ["V"], "MM", beta=1)["V"] == ec.score(table, ["V"], "MM")["V"]
    with pytest.raises(InputError, match="counted their pairs already"):
        ec.score(Statistics(table), ["ARI"], pairs="asymptotic")


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(support=5), "support is three numbers of possible outcomes \\(classes, clusters, cells\\), not 5."),
        (dict(support=(2, 2)), "support is three numbers"),
        (dict(support={"C": 2, "K": 2, "joint": 4}), "support is three numbers"),
        (dict(beta="x"), "beta must be a number of at least 0, not 'x'"),
        (dict(base="x"), "The base of the logarithm must be a finite number above 1, not 'x'"),
        (dict(measures=5), "Measures are given by a list of their names, not by 5"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(InputError, match=message):
        ec.score([[1, 2], [3, 4]], **{"estimator": "BUB", **options})


def test_names_are_checked():
    with pytest.raises(InputError, match="There is no measure called 'W'; the measures are V, h, c"):
        ec.score([[1, 2]], ["W"])
    with pytest.raises(InputError, match="beta in V"):
        ec.score([[1, 2]], ["V(-1)"])
    with pytest.raises(InputError, match="no measure called 'V\\(e\\)'"):
        ec.score([[1, 2]], ["V(e)"])
    with pytest.raises(InputError, match="beta must be"):
        ec.score([[1, 2]], ["V"], beta=-1)
    with pytest.raises(InputError, match="pairs must be"):
        ec.score([[1, 2]], pairs="all")
    with pytest.raises(InputError, match="by must be"):
        ec.contributions([[1, 2]], "row")
    assert ec.score([[1, 2]], "V").index.tolist() == ["V"]


def test_fractions_and_estimators():
    with pytest.raises(InputError, match="BUB needs whole counts"):
        ec.score([[0.5, 1], [1, 1]], ["V"], "BUB")
    assert ec.score([[0.5, 1], [1, 1]], ["V"])["V"] == pytest.approx(ec.score([[1, 2], [2, 2]], ["V"])["V"])


def test_scoreboard_is_tidy():
    board = ec.scoreboard({"x": [[2, 0], [0, 2]], "y": [[1, 1], [1, 1]]}, ["V", "ARI"], ["ML", "MM"])
    assert board.shape == (6, 4)
    row = board.query("solution == 'y' and measure == 'V' and estimator == 'MM'")["value"].item()
    assert row == pytest.approx(ec.score([[1, 1], [1, 1]], ["V"], "MM")["V"])


def test_scoreboard_takes_one_estimator_and_no_batches():
    assert ec.scoreboard({"x": [[2, 1], [1, 2]]}, ["V"], "JK").estimator.tolist() == ["JK"]
    with pytest.raises(InputError, match="'x' is a batch of tables"):
        ec.scoreboard({"x": np.ones((2, 2, 2))}, ["V"])


def test_scoreboard_in_bits():
    board = ec.scoreboard({"x": [[2, 1], [1, 2]]}, ["VI", "V"], ["ML", "JK"], base=2)
    for row in board.itertuples():
        assert row.value == pytest.approx(ec.score([[2, 1], [1, 2]], [row.measure], row.estimator, base=2).iloc[0])


def test_entropies_alone_can_be_scored():
    s = Statistics.from_entropies(C=1.73, K=4.72, vi=3.83)
    scores = ec.score_statistics(s, ["V", "VI", "NVI", "NVI_K", "h", "c", "MI"])
    assert scores["VI"] == pytest.approx(3.83) and scores["NVI"] == pytest.approx(3.83 / 1.73)
    with pytest.raises(InputError, match="needs the table"):
        ec.score_statistics(s, ["ARI"])
    with pytest.raises(InputError, match="needs the table"):
        ec.score(s, ["V"], "BUB")
    with pytest.raises(InputError, match="either the joint entropy or VI"):
        Statistics.from_entropies(C=1, K=1)
    with pytest.raises(InputError, match="Entropies are numbers"):
        Statistics.from_entropies(C="x", K=1, vi=1)
    with pytest.raises(InputError, match="beta must be"):
        Statistics.from_entropies(C=1, K=1, vi=1, beta=-1)


def test_expected_pairs_of_soft_answers():
    """Against the mean over all hard samples."""
    from itertools import product

    rng = np.random.default_rng(3)
    gold, p = [0, 0, 1, 1, 2], rng.dirichlet(np.ones(3), 5)
    soft = Statistics(Contingency.from_memberships(gold, p)).pairs
    expected = np.zeros(4)
    for answer in product(range(3), repeat=5):
        weight = np.prod([p[i, k] for i, k in enumerate(answer)])
        expected += weight * np.array(Statistics(Contingency.from_labels(gold, list(answer))).pairs)
    np.testing.assert_allclose(soft, expected, atol=1e-13)


def test_soft_pairs_that_cannot_be_are_exactly_none():
    """As differences of sums they came out as -1e-16: pair recall was -1 and FM no number."""
    rng = np.random.default_rng(0)
    for n in range(1, 40):
        spread = rng.dirichlet(np.ones(3), n)
        sure = np.eye(3)[rng.integers(0, 3, n)]
        for gold, p, none in (
            (range(n), spread, ["n11", "n10"]),  # every item a class of its own
            (["a"] * n, spread, ["n01", "n00"]),
            (spread, np.ones((n, 1)), ["n10", "n00"]),
            (sure, np.eye(n), ["n11", "n01"]),
            (sure, sure, ["n10", "n01"]),
            (spread, np.eye(n), ["n11", "n01"]),
        ):
            table = Contingency.from_memberships(np.asarray(gold) if np.ndim(gold) == 2 else list(gold), p)
            pairs = Statistics(table).pairs
            assert [name for name in none if getattr(pairs, name) != 0] == [] and min(pairs) >= 0
            assert ec.score(table, ["FM", "pair_R", "pair_P", "Jaccard"]).between(0, 1 + 1e-12).all()


def test_expected_entropies_of_soft_answers():
    from itertools import product

    rng = np.random.default_rng(4)
    gold, p = [0, 0, 1, 1, 1], rng.dirichlet(np.ones(2), 5)
    for estimator in ("ML", "JK", "BUB"):
        soft = Statistics(Contingency.from_memberships(gold, p), estimator).entropies
        expected = np.zeros(3)
        for answer in product(range(2), repeat=5):
            weight = np.prod([p[i, k] for i, k in enumerate(answer)])
            table = np.zeros((2, 2))
            np.add.at(table, (gold, list(answer)), 1)
            expected += weight * np.array(
                [
                    ec.entropy(table.sum(1), estimator, 2),
                    ec.entropy(table.sum(0), estimator, 2),
                    ec.entropy(table.ravel(), estimator, 4),
                ]
            )
        np.testing.assert_allclose((soft.C, soft.K, soft.joint), expected, atol=1e-12)
