"""The disagreement finder: every pair it shows is one, and where it tries all solutions it misses none."""

import itertools
import math

import numpy as np
import pytest

from evalcore import ESTIMATORS, MEASURES, InputError, score
from evalcore import disagreement as finder
from evalcore.disagreement import MOST_ITEMS_TRIED, find, same_order
from evalcore.disagreement.enumeration import all_solutions, fewest_solutions, size_lists
from evalcore.judges import Judge

SCORABLE = [m.name for m in MEASURES.values() if m.needs != "split"]
PAIRS = [
    ("V", "NVI"),
    ("V", ("V", "BUB")),
    ("ARI", "AMI"),
    ("h", "c"),
    (("VI", "NSB"), "F"),
    ("NMI_max", "NMI"),
    ("one_to_one", "BCubed_F"),
    (("V", "JK"), ("V", "ChaoShen")),
    ("Q2", "Rand"),
    ("V(2)", "V"),
]


def goodness(judge, table):
    value = score(table, [judge.measure.name], judge.estimator)[judge.measure.name]
    return value if judge.measure.higher_is_better else -value


def span(judge, sizes):
    alone = np.repeat(np.eye(len(sizes), dtype=int), sizes, axis=1)
    values = [goodness(judge, table) for table in (np.array(sizes)[:, None], np.diag(sizes), alone)]
    return max(values) - min(values)


def check_pair(found):
    """What is shown is a disagreement, with these scores and gaps, about these items."""
    first, second = found.pair
    for table in found.pair:
        assert tuple(table.class_sizes.tolist()) == found.class_sizes and (table.cluster_sizes > 0).all()
    for judge, scores, gap, (mine, other) in zip(
        found.judges, found.scores, found.gaps, ((first, second), (second, first))
    ):
        for value, table in zip(scores, (first, second)):
            assert value == pytest.approx(score(table, [judge.measure.name], judge.estimator).iloc[0], abs=1e-11)
        difference = goodness(judge, mine) - goodness(judge, other)
        assert difference > 0
        assert gap == pytest.approx(difference / span(judge, found.class_sizes))
    assert found.possible is True


# ---- all solutions -------------------------------------------------------------------------------


def dealt(sizes):
    """All solutions the slow way: every item into any cluster, clusters told apart by their contents only."""
    items = [row for row, size in enumerate(sizes) for _ in range(size)]
    found = set()
    for labels in itertools.product(range(len(items)), repeat=len(items)):
        table = np.zeros((len(sizes), len(items)), dtype=int)
        np.add.at(table, (items, labels), 1)
        found.add(tuple(sorted(tuple(column) for column in table.T.tolist() if any(column))))
    return found


@pytest.mark.parametrize(
    "sizes", [(1,), (2,), (5,), (1, 1), (2, 1), (2, 2), (3, 2), (1, 4), (2, 1, 1), (1, 2, 3), (1,) * 5]
)
def test_all_solutions_are_all_and_each_once(sizes):
    by_clusters = all_solutions(sizes, most=10**6)
    listed = [
        tuple(sorted(tuple(column) for column in table.T.tolist()))
        for clusters, tables in by_clusters.items()
        for table in tables
        if table.shape == (len(sizes), clusters)
    ]
    assert len(listed) == len(set(listed)) == sum(map(len, by_clusters.values()))
    assert set(listed) == dealt(sizes)


def test_known_numbers_of_solutions():
    def count(sizes):
        return sum(map(len, all_solutions(sizes, most=10**6).values()))

    assert [count([n]) for n in (1, 5, 10, 20)] == [1, 7, 42, 627]  # partitions of n
    assert [count([1] * n) for n in (1, 3, 5, 8)] == [1, 5, 52, 4140]  # Bell numbers
    assert [count([n, n]) for n in (1, 2, 3, 4, 5, 10)] == [2, 9, 31, 109, 339, 59521]  # bipartite partitions
    assert count([4, 4, 4]) == 6721


@pytest.mark.parametrize("sizes", [(2, 2), (5, 4), (3, 3, 2), (1,) * 6, (9,)])
def test_too_many_solutions_are_refused_early(sizes):
    count = sum(map(len, all_solutions(sizes, most=10**6).values()))
    assert all_solutions(sizes, most=count) is not None and all_solutions(sizes, most=count - 1) is None
    assert fewest_solutions(sizes) <= count


def test_size_lists():
    assert size_lists(5) == [(4, 1), (3, 2), (3, 1, 1), (2, 2, 1), (2, 1, 1, 1), (1,) * 5]


# ---- trying all ----------------------------------------------------------------------------------


def brute_force(judges, sizes):
    """All pairs of all solutions, (clusters together, gap) of each disagreement."""
    tables = [table for tables in all_solutions(sizes, 10**5).values() for table in tables]
    values = np.array([[goodness(judge, table) / span(judge, sizes) for judge in judges] for table in tables])
    found = []
    for (i, x), (j, y) in itertools.permutations(enumerate(values), 2):
        gap = min(x[0] - y[0], y[1] - x[1])
        if gap > 1e-9:
            found.append((tables[i].shape[1] + tables[j].shape[1], gap))
    return found


@pytest.mark.parametrize("sizes", [(2, 2), (3, 2), (3, 1, 1), (4, 2)])
@pytest.mark.parametrize(("first", "second"), [pair for pair in PAIRS if "NSB" not in str(pair)])
def test_trying_all_agrees_with_brute_force(first, second, sizes):
    judges = Judge.of(first), Judge.of(second)
    expected = brute_force(judges, sizes)
    blatant, small = (find(first, second, sizes, wish, least=0.0) for wish in ("blatant", "small"))
    assert blatant.exhaustive and small.exhaustive
    if not expected:
        assert blatant.pair is None and blatant.possible is False and small.possible is False
        assert "cannot disagree here" in blatant.reason and f"all {blatant.searched} solutions" in blatant.reason
        return
    check_pair(blatant)
    check_pair(small)
    assert min(blatant.gaps) == pytest.approx(max(gap for _, gap in expected))
    fewest = min(clusters for clusters, _ in expected)
    assert sum(table.shape[1] for table in small.pair) == fewest
    assert min(small.gaps) == pytest.approx(max(gap for clusters, gap in expected if clusters == fewest))


def test_a_gap_that_is_too_small_does_not_count():
    loose, strict = (find("ARI", "AMI", (3, 2), least=least) for least in (0.0, 0.5))
    assert loose.pair and max(loose.gaps) < 0.5
    assert strict.pair is None and strict.possible is True
    assert strict.reason == (
        f"ARI and AMI disagree, but among {strict.searched} solutions of these classes by no more than "
        f"{min(loose.gaps):.2g} of their spans; 0.5 was asked for."
    )


@pytest.mark.parametrize(("first", "second"), [("V", "NVI"), ("ARI", "AMI"), ("VI", "Rand"), ("NMI_max", "NMI")])
def test_as_few_items_as_possible(first, second):
    found = find(first, second, wish="small")
    check_pair(found)
    n = sum(found.class_sizes)
    for fewer in range(2, n):
        for sizes in size_lists(fewer):
            below = find(first, second, sizes)
            assert below.pair is None and below.exhaustive, sizes
    rivals = [find(first, second, sizes, "small") for sizes in size_lists(n)]
    assert sum(table.shape[1] for table in found.pair) == min(
        sum(table.shape[1] for table in rival.pair) for rival in rivals if rival.pair
    )


def test_no_items_are_few_enough(monkeypatch):
    monkeypatch.setattr(finder, "MOST_ITEMS_TRIED", 3)
    found = find("ARI", "AMI")
    assert found.pair is None and found.possible is False and found.exhaustive and found.searched == 11
    assert "of up to 3 items" in found.reason and MOST_ITEMS_TRIED > 3


# ---- the walk ------------------------------------------------------------------------------------


@pytest.mark.parametrize("wish", ["blatant", "small"])
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_a_walk_shows_real_disagreements(first, second, wish):
    found = find(first, second, [12, 9, 6, 3], wish, budget=3000)
    assert not found.exhaustive and found.searched <= 3000
    check_pair(found)
    assert min(found.gaps) >= 0.01


@pytest.mark.parametrize(("first", "second"), [("V", "NVI"), ("ARI", "AMI"), ("V", ("V", "BUB"))])
def test_a_walk_finds_what_trying_all_finds(first, second, monkeypatch):
    sizes = (4, 4, 4)
    all_of = {wish: find(first, second, sizes, wish) for wish in ("blatant", "small")}
    monkeypatch.setattr(finder, "ALL", 0)
    for wish, best in all_of.items():
        walked = find(first, second, sizes, wish, budget=15_000, seed=0)
        assert best.exhaustive and not walked.exhaustive
        check_pair(walked)
        assert min(walked.gaps) >= 0.95 * min(best.gaps)
        if wish == "small":
            assert sum(t.shape[1] for t in walked.pair) == sum(t.shape[1] for t in best.pair)


def test_the_same_question_has_the_same_answer():
    ask = dict(class_sizes=[10, 8, 6, 4], budget=1500)
    one, again, other = (find("V", "ARI", seed=seed, **ask) for seed in (4, 4, 5))
    assert one.pair == again.pair and one.scores == again.scores and one.searched == again.searched
    assert one.pair != other.pair


def test_a_walk_may_find_nothing():
    found = find("V", "ARI", [30, 20, 10], budget=1)
    assert found.pair is None and found.possible is None and found.searched == 1 and not found.exhaustive
    assert "does not mean that V and ARI never disagree" in found.reason


@pytest.mark.parametrize("sizes", [[4, 4, 4], [20, 20, 20], None])
def test_progress_is_told_and_may_cancel(sizes):
    class Cancelled(Exception):
        pass

    told = []

    def listen(done, total, what):
        told.append((done, total, what))

    def cancel(done, total, what):
        raise Cancelled

    find("ARI", "AMI", sizes, budget=600, progress=listen)
    assert told and all(0 <= done <= total and what for done, total, what in told)
    assert [done for done, *_ in told] == sorted(done for done, *_ in told)
    with pytest.raises(Cancelled):
        find("ARI", "AMI", sizes, budget=600, progress=cancel)


# ---- measures that cannot disagree ---------------------------------------------------------------


def disagree(x, y):
    """Whether some two solutions are ranked in opposite order."""
    order = np.argsort(x, kind="stable")
    x, y = x[order] / (np.ptp(x) or 1), y[order] / (np.ptp(y) or 1)
    highest = np.maximum.accumulate(y)
    below = np.searchsorted(x, x - 1e-9, side="left") - 1
    return bool(((below >= 0) & (highest[below] > y + 1e-9)).any())


@pytest.fixture(scope="module")
def all_values():
    """Every measure's goodness of all solutions of some classes."""
    found = []
    for sizes in [(4, 3), (3, 3, 3), (5, 3, 1), (6, 2), (2, 2, 2, 1), (8, 3, 2)]:
        tables = all_solutions(sizes, 10**5).values()
        judges = [Judge.of(name) for name in SCORABLE]
        found.append(
            {judge.measure.name: np.concatenate([judge.values(t) * judge.sign for t in tables]) for judge in judges}
        )
    return found


def test_the_list_of_measures_that_agree_is_right_and_complete(all_values):
    for first, second in itertools.combinations(SCORABLE, 2):
        differ = any(disagree(values[first], values[second]) for values in all_values)
        assert differ != bool(same_order(Judge.of(first), Judge.of(second))), (first, second)


@pytest.mark.parametrize("estimator", ["BUB", "JK", "NSB", "Zhang"])
def test_measures_that_agree_whatever_the_estimator(estimator):
    tables = all_solutions((5, 3, 2), 10**5).values()
    for names, _ in finder.SAME_ORDER:
        judges = [Judge.of((name, estimator)) for name in sorted(names)]
        values = [np.concatenate([judge.values(t) * judge.sign for t in tables]) for judge in judges]
        for (one, x), (other, y) in itertools.combinations(zip(judges, values), 2):
            assert same_order(one, other) and not disagree(x, y)


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ("VI", "VI_logN", "over a constant"),
        ("V", "NMI", "2 I"),
        ("V", "V", "one and the same"),
        (("ARI", "BUB"), ("ARI", "JK"), "one and the same"),
        ("Rand", "Mirkin", "N10"),
        ("h", "MI", "alone"),
    ],
)
def test_measures_that_cannot_disagree(first, second, why):
    found = find(first, second, [30, 20])
    assert found.pair is None and found.possible is False and found.searched == 0
    assert "cannot disagree" in found.reason and why in found.reason


def test_an_estimator_may_turn_an_order_round_so_nothing_is_claimed():
    assert not same_order(Judge.of(("VI", "BUB")), Judge.of(("NVI", "BUB")))
    assert not same_order(Judge.of(("V", "ML")), Judge.of(("V", "MM")))
    assert all(not same_order(Judge.of(("Q0", name)), Judge.of(("Q2", name))) for name in ESTIMATORS if name != "ML")


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (dict(class_sizes=[3, 0]), "Class size 2 is 0"),
        (dict(class_sizes=[]), "no classes"),
        (dict(class_sizes=[2.5]), "Class size 1 is 2.5"),
        (dict(class_sizes=["x"]), "Class size 1 is 'x'"),
        (dict(class_sizes=[math.nan]), "Class size 1 is nan"),
        (dict(class_sizes=7), "list of whole numbers"),
        (dict(class_sizes=[301]), "up to 300 items"),
        (dict(class_sizes=[1] * 31), "in 30 classes"),
        (dict(wish="odd"), "wish"),
        (dict(least=1), "least gap"),
        (dict(budget=0), "budget"),
        (dict(first="nope"), "nope"),
    ],
)
def test_impossible_questions(ask, says):
    with pytest.raises(InputError, match=says):
        find(**{"first": "V", "second": "NVI", "class_sizes": [3, 3]} | ask)
