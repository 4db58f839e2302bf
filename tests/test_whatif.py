"""Predictions equal the score of the edited table minus the score at hand, by all measures and estimators."""

import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from evalcore import ESTIMATORS, MEASURES, Contingency, InputError, Statistics, published, score
from evalcore.additivity import vi_of_split
from evalcore.judges import Judge, SameItems
from evalcore.whatif import disagreements, drops, merges, moves, splits

SCORABLE = [m.name for m in MEASURES.values() if m.needs != "split"]
TABLE = Contingency.from_matrix([[3, 1, 0, 0], [0, 2, 2, 0], [1, 0, 4, 0]], "abc", ["p", "q", "r", "empty"])
FRACTIONAL = Contingency.from_matrix([[2.5, 0.5, 0], [1.5, 1, 0.5]])


def rescored(table, edited, measure, estimator="ML", base=math.e):
    pairs = "auto" if table.is_whole else "asymptotic"
    before, after = (score(x, [measure], estimator, base=base, pairs=pairs)[measure] for x in (table, edited))
    return after - before


def check_moves(table, measure, estimator="ML", mass=1, base=math.e):
    found = moves(table, measure, estimator, mass, base)
    for row, name in enumerate(table.classes):
        for start, source in enumerate(table.clusters):
            for end, target in enumerate(table.clusters):
                change = found.change[row, start, end]
                if source == target or table.counts[row, start] < mass:
                    assert np.isnan(change)
                    continue
                moved = table.move((name, source), (name, target), mass)
                assert change == pytest.approx(rescored(table, moved, measure, estimator, base), abs=1e-12, nan_ok=True)
    now = score(table, [measure], estimator, base=base, pairs="auto" if table.is_whole else "asymptotic")
    assert found.score == pytest.approx(now[measure], nan_ok=True)


@pytest.mark.parametrize("measure", SCORABLE)
def test_moves_equal_rescoring(measure):
    check_moves(TABLE, measure)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_moves_equal_rescoring_with_every_estimator(estimator):
    check_moves(TABLE, "V", estimator, mass=2)


@pytest.mark.parametrize("measure", ["V", "ARI", "Q0", "F"])
def test_moves_of_fractions(measure):
    check_moves(FRACTIONAL, measure, mass=0.5)  # one of them makes the table whole; pairs stay squares


def test_moves_in_bits():
    check_moves(TABLE, "VI", base=2)
    assert moves(TABLE, "V", base=2).score == moves(TABLE, "V").score


def test_a_source_gives_the_same_changes_and_no_others():
    every = moves(TABLE, "NVI").change
    cluster = moves(TABLE, "NVI", source="q").change
    cell = moves(TABLE, "NVI", source=("b", "q")).change
    np.testing.assert_array_equal(cluster[:, 1], every[:, 1])
    np.testing.assert_array_equal(cell[1, 1], every[1, 1])
    assert np.isnan(np.delete(cluster, 1, axis=1)).all() and np.isfinite(cell).sum() == 3


def test_best_and_gain_know_the_direction():
    for measure in ("V", "VI"):
        found = moves(TABLE, measure)
        gain, place = found.best()
        first = found.to_frame().iloc[0]
        assert gain[TABLE.classes.index(first["class"]), TABLE.clusters.index(first["from"])] == np.nanmax(found.gain)
        assert first["gain"] == np.nanmax(gain) and first["gain"] > 0
        assert (first["change"] > 0) == MEASURES[measure].higher_is_better
        row, column = np.unravel_index(np.nanargmax(gain), gain.shape)
        assert TABLE.clusters[place[row, column]] == first["to"]
        assert np.isnan(gain[0, 3]) and place[0, 3] == -1


@pytest.mark.parametrize(("measure", "estimator"), [("V", "ML"), ("VI", "BUB"), ("AMI", "ML"), ("one_to_one", "ML")])
def test_drops_equal_rescoring(measure, estimator):
    found = drops(TABLE, measure, ("b", "q"), estimator)
    for row, name in enumerate(TABLE.classes):
        for column, cluster in enumerate(TABLE.clusters):
            if (name, cluster) == ("b", "q"):
                assert np.isnan(found[row, column])
            else:
                moved = TABLE.move(("b", "q"), (name, cluster))
                assert found[row, column] == pytest.approx(rescored(TABLE, moved, measure, estimator), abs=1e-12)


@pytest.mark.parametrize("estimator", ["ML", "BUB", "ChaoShen"])
def test_splits_equal_rescoring(estimator):
    names = ["V", "VI", "NVI", "ARI", "AMI", "F"]
    found = splits(TABLE, names, estimator)
    assert found[["cluster", "off"]].values.tolist() == [
        ["p", "a"],
        ["p", "c"],
        ["p", None],
        ["q", "a"],
        ["q", "b"],
        ["q", None],
        ["r", "b"],
        ["r", "c"],
        ["r", None],
    ]
    for row in found.to_dict("records"):
        edited = TABLE.split(row["cluster"], row["part"])
        for name in names:
            assert row[name] == pytest.approx(rescored(TABLE, edited, name, estimator), abs=1e-12)
    only = splits(TABLE, names, estimator, cluster="q")
    assert only.equals(found[found.cluster == "q"].reset_index(drop=True))


def test_merges_equal_rescoring():
    names = ["V", "VI", "NVI", "Rand", "AMI", "purity"]
    found = merges(TABLE, names)
    assert found[["first", "second"]].values.tolist() == [
        ["p", "q"],
        ["p", "r"],
        ["q", "r"],
    ]  # not the empty one
    for row in found.to_dict("records"):
        edited = TABLE.merge([row["first"], row["second"]])
        for name in names:
            assert row[name] == pytest.approx(rescored(TABLE, edited, name), abs=1e-12)


@pytest.mark.parametrize(("first", "second"), [("V", "NVI"), ("V", ("V", "BUB")), ("h", "c"), ("ARI", "F")])
def test_disagreements_are_all_moves_of_opposite_sign(first, second):
    table = published.figure_2()["D"].add("new")
    judges = Judge.of(first), Judge.of(second)
    gains = [moves(table, judge.measure, judge.estimator).gain for judge in judges]
    scale = [np.nanmax(np.abs(gain)) for gain in gains]
    expected = {}
    for place in np.argwhere((np.nan_to_num(gains[0]) > 1e-12) & (np.nan_to_num(gains[1]) < -1e-12)):
        expected[tuple(place)] = judges[0].label
    for place in np.argwhere((np.nan_to_num(gains[0]) < -1e-12) & (np.nan_to_num(gains[1]) > 1e-12)):
        expected[tuple(place)] = judges[1].label
    found = disagreements(table, first, second)
    rows = {
        (table.classes.index(r["class"]), table.clusters.index(r["from"]), table.clusters.index(r["to"])): r
        for r in found.to_dict("records")
    }
    assert expected and {place: row["better_for"] for place, row in rows.items()} == expected
    for place, row in rows.items():
        blatant = min(abs(gain[place]) / size for gain, size in zip(gains, scale))
        assert row["blatant"] == pytest.approx(blatant)
    assert found.blatant.is_monotonic_decreasing


def test_putting_an_item_alone_pleases_v_only():
    """In Rosenberg and Hirschberg's solution A: any item taken out of its class's own cluster."""
    found = disagreements(published.figure_2()["A"].add("new"), "V", "NVI")
    assert set(found.better_for) == {"V"} and set(found.to) == {"new"} and len(found) == 3


def test_where_there_is_nothing_to_do():
    one = Contingency.from_matrix([[1]])
    assert np.isnan(moves(one, "V").change).all() and np.isnan(drops(one, "V", ("c1", "k1"))).all()
    assert len(disagreements(one, "V", "NVI")) == len(splits(one)) == len(merges(one)) == 0
    assert moves(one, "V").to_frame().columns.tolist() == ["class", "from", "to", "change", "gain"]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: moves(TABLE, "V", mass=0), "above 0"),
        (lambda: moves(TABLE, "V", mass=0.5), "whole items"),
        (lambda: moves(TABLE, "V", mass=-1), "negative"),
        (lambda: moves(TABLE, "V", source="z"), "no cluster called 'z'"),
        (lambda: moves(TABLE, "V", source=("a", "r")), "holds 0, so 1 cannot leave it"),
        (lambda: drops(TABLE, "V", ("a", "r")), "cannot leave it"),
        (lambda: moves(TABLE, "Vee"), "no measure called"),
        (lambda: moves(TABLE, "V", "XX"), "Unknown estimator"),
        (lambda: moves(TABLE, "SR"), "mapping"),
        (lambda: moves(TABLE, "V", base=1), "base of the logarithm"),
        (lambda: moves(FRACTIONAL, "V", "BUB", mass=0.5), "BUB needs whole counts"),
        (lambda: splits(TABLE, cluster="z"), "no cluster called 'z'"),
        (lambda: moves(Contingency.from_matrix(np.ones((60, 60), dtype=int)), "V"), "choose the cluster"),
        (lambda: splits(Contingency.from_matrix(np.full((60, 60), 2))), "choose the cluster to split"),
        (lambda: merges(Contingency.from_matrix(np.ones((20, 200), dtype=int))), "merge some clusters first"),
    ],
)
def test_what_cannot_be_tried_is_said(call, says):
    with pytest.raises(InputError, match=says):
        call()


# ---- statistics shared by solutions of the same items --------------------------------------------


@pytest.mark.parametrize(
    ("measure", "estimator"),
    [
        ("AMI", "ML"),
        ("AMI_max", "ML"),
        *(("NVI", e.name) for e in ESTIMATORS.values() if e.kind == "nonlinear"),
    ],
)
def test_sharing_changes_no_number(measure, estimator):
    rng = np.random.default_rng(3)
    tables = rng.multinomial([7, 4, 2], [[0.5, 0.3, 0.2, 0.0]] * 3, size=(6, 50, 3))  # one cluster stays empty
    plain = MEASURES[measure].compute(Statistics(tables, estimator))
    shared = MEASURES[measure].compute(SameItems(tables, estimator))
    np.testing.assert_allclose(shared, plain, rtol=1e-12, atol=1e-13)
    assert shared.shape == tables.shape[:-2]


# ---- VI's convex additivity ----------------------------------------------------------------------


columns = st.lists(st.integers(0, 6), min_size=3, max_size=3)


@given(st.lists(columns, min_size=2, max_size=4).filter(lambda x: np.sum(x) > 0), st.data())
def test_a_split_changes_one_term_of_vi(matrix, data):
    table = Contingency.from_matrix(np.array(matrix).T)
    at = data.draw(st.integers(0, table.shape[1] - 1))
    part = [data.draw(st.integers(0, int(count))) for count in table.counts[:, at]]
    loss = vi_of_split(table, f"k{at + 1}", part)
    after = table.split(f"k{at + 1}", part)
    assert loss.before == pytest.approx(score(table, ["VI"])["VI"], abs=1e-12)
    assert loss.after == pytest.approx(score(after, ["VI"])["VI"], abs=1e-12)
    assert loss.predicted == pytest.approx(loss.after, abs=1e-12)
    assert loss.before - loss.told + loss.torn == pytest.approx(loss.after, abs=1e-12)
    assert loss.told + loss.torn == pytest.approx(loss.distance, abs=1e-12)
    # the distance between the two clusterings, from their items by scikit-learn
    fine = after.to_labels()[1]
    coarse = [name if name in table.clusters else f"k{at + 1}" for name in fine]
    entropies = [mutual_info_score(x, x) for x in (fine, coarse)]
    assert loss.distance == pytest.approx(sum(entropies) - 2 * mutual_info_score(fine, coarse), abs=1e-12)


def test_a_split_in_bits_and_of_fractions():
    nats, bits = (vi_of_split(FRACTIONAL, "k1", [2.5, 0], base=base) for base in (math.e, 2))
    assert bits.after == pytest.approx(nats.after / math.log(2))
    assert bits.predicted == pytest.approx(bits.after) and nats.told + nats.torn == pytest.approx(nats.distance)
    with pytest.raises(InputError, match="cannot be split off"):
        vi_of_split(TABLE, "p", [4, 0, 0])


# ---- speed ---------------------------------------------------------------------------------------


@pytest.mark.timing
def test_all_moves_cost_little_more_than_a_few_scores():
    rng = np.random.default_rng(1)
    table = Contingency.from_matrix(rng.poisson(3, (10, 10)) + 1)

    def best(run):
        times = []
        for _ in range(5):
            start = time.perf_counter()
            run()
            times.append(time.perf_counter() - start)
        return min(times)

    one = best(lambda: score(table.move(("c1", "k1"), ("c1", "k2")), ["V"]))
    for measure, factor in (("V", 30), ("ARI", 30), ("AMI", 10)):  # of the 900 that one by one would take
        single = one if measure != "AMI" else best(lambda: score(table.move(("c1", "k1"), ("c1", "k2")), ["AMI"]))
        assert best(lambda measure=measure: moves(table, measure)) < 900 * single / factor
