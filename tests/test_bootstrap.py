"""Resampling of words and instances against enumeration of all resamples, and what is said of the outcome."""

import itertools
import math
import time

import numpy as np
import pytest

import evalcore as ec
from evalcore import InputError
from evalcore.comparison import Policy, TableComparison, with_baselines
from evalcore.ranking import (
    Column,
    Doubt,
    bootstrap_instances,
    bootstrap_words,
    score_comparison,
    wsi2010_board,
)
from evalcore.ranking.board import WordScores
from tests.test_ranking import board_of, made


def word_board(values, weights, higher=True):
    values, weights = np.array(values, dtype=float), np.array(weights, dtype=float)
    words = WordScores(tuple(f"w{i}" for i in range(values.shape[1])), weights, values[:, :, None])
    return board_of(
        (values * weights).sum(axis=1, keepdims=True) / weights.sum(axis=1, keepdims=True),
        [Column("V" if higher else "VI")],
        words=words,
    )


def test_words_drawn_against_all_resamples():
    values, weights = [[0.2, 0.5, 0.9], [0.3, 0.3, 0.8]], [[1, 4, 2], [1, 4, 2]]
    board = word_board(values, weights)
    everything = np.array(
        [
            [np.average(np.array(v)[list(draw)], weights=np.array(w)[list(draw)]) for v, w in zip(values, weights)]
            for draw in itertools.product(range(3), repeat=3)
        ]
    )
    doubt = bootstrap_words(board, "V", 8000, seed=3)
    assert (
        np.abs(doubt.replicates[:, None, :] - everything).max(axis=2).min(axis=1) < 1e-12
    ).all()  # each is one of the 27
    error = everything.std(axis=0) / math.sqrt(8000)
    assert (np.abs(doubt.replicates.mean(axis=0) - everything.mean(axis=0)) < 4 * error).all()
    ahead = (everything[:, 0] > everything[:, 1] + 1e-12).mean() + (
        np.abs(everything[:, 0] - everything[:, 1]) <= 1e-12
    ).mean() / 2
    assert doubt.wins().iat[0, 1] == pytest.approx(ahead, abs=4 * math.sqrt(ahead * (1 - ahead) / 8000))
    low, high = np.quantile(everything, [0.025, 0.975], axis=0, method="inverted_cdf")
    intervals = doubt.intervals()
    assert intervals.low.tolist() == pytest.approx(low.tolist(), abs=0.02) and intervals.high.tolist() == pytest.approx(
        high.tolist(), abs=0.02
    )
    assert intervals.score.tolist() == pytest.approx(board.values[:, 0].tolist()) and intervals["shift"].tolist() == [
        0,
        0,
    ]


def test_resamples_follow_their_seed():
    board = word_board([[0.1, 0.4, 0.8]], [[1, 1, 1]])
    drawn = [bootstrap_words(board, "V", 50, seed).replicates.tolist() for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_sentences():
    rng = np.random.default_rng(0)
    base = rng.random(60)
    board = word_board([base + 0.3, base + 0.3 + 1e-3 * rng.normal(size=60), base], np.ones((3, 60)))
    doubt = bootstrap_words(board, "V", 1000)
    first, second = doubt.sentences()
    assert "cannot be told apart by V: " in first and {"s0", "s1"} <= set(first.replace(":", "").split())
    assert second.endswith("is better than s2 by V, in all of the resamples.")
    assert doubt.sentence("s2", "s0") == "s0 is better than s2 by V, in all of the resamples."
    assert doubt.intervals()["rank_low"].tolist() == [1, 1, 3] and doubt.intervals()["rank_high"].tolist() == [2, 2, 3]
    lower = bootstrap_words(word_board([base + 0.3, base], np.ones((2, 60)), higher=False), "VI", 100)
    assert lower.wins().iat[1, 0] == 1 and lower.intervals()["rank"].tolist() == [2, 1]


def test_what_is_said_at_which_share():
    def doubt(share):
        replicates = np.zeros((10_000, 2))
        replicates[: round(10_000 * share), 0] = 1
        replicates[round(10_000 * share) :, 1] = 1
        return Doubt(("A", "B"), Column("V", "BUB"), np.array([1.0, 0.0]), replicates, np.zeros(2))

    assert (
        doubt(0.974).sentence("A", "B") == "A and B cannot be told apart by V-BUB: A is better in 97% of the resamples."
    )
    assert doubt(0.975).sentence("A", "B") == "A is better than B by V-BUB, in 98% of the resamples."
    assert doubt(0.998).sentence("B", "A") == "A is better than B by V-BUB, in 99.8% of the resamples."
    assert "in more than 99.9% of" in doubt(0.9996).sentence("A", "B")
    tied = Doubt(("A", "B"), Column("V"), np.ones(2), np.ones((9, 2)), np.zeros(2))
    assert tied.wins().iat[0, 1] == 0.5
    assert tied.sentence("A", "B") == "A and B cannot be told apart by V: they tie in all of the resamples."
    partly = Doubt(("A", "B"), Column("V"), np.ones(2), np.array([[1, 1], [2, 1], [2, 1], [1, 2]]), np.zeros(2))
    said = "cannot be told apart by V: A is better in 50% of the resamples, and they tie in 25%."
    assert partly.sentence("B", "A") == f"A and B {said}"
    nothing = Doubt(("A", "B"), Column("V"), np.ones(2), np.array([[1, np.nan], [np.nan, 1]]), np.zeros(2))
    assert nothing.sentence("A", "B") == "A and B never had scores by V on the same resample."


def test_words_that_a_system_lacks():
    board = word_board([[0.5, np.nan], [0.25, 0.75]], [[3, 0], [3, 3]])
    board = board_of([[0.5], [0.5]], [Column("V")], words=board.words)
    doubt = bootstrap_words(board, "V", 400)
    assert set(np.round(doubt.replicates[~np.isnan(doubt.replicates[:, 0]), 0], 12)) == {0.5}
    lost = np.isnan(doubt.replicates[:, 0])
    assert (
        0.15 < lost.mean() < 0.35 and (doubt.replicates[lost, 1] == 0.75).all()
    )  # a quarter draws only the other word
    assert doubt.wins().iat[0, 1] == pytest.approx(
        np.mean((doubt.replicates[~lost, 1] < 0.4) + (doubt.replicates[~lost, 1] == 0.5) / 2)
    )


@pytest.mark.parametrize("average", ["instances", "words"])
@pytest.mark.parametrize("missing", ["cluster", "drop", "singletons"])
def test_instances_drawn_against_all_resamples(missing, average):
    comparison = made(partial="a 1 A\na 2 A\na 4 B\nb 2 B")
    policy = Policy(average, missing)
    board = score_comparison(comparison, ["V"], ["MM"], policy)
    doubt = bootstrap_instances(comparison, board, "V-MM", policy, 3000, seed=5)
    for name in ("half", "partial"):
        at = doubt.systems.index(name)
        everything = all_resamples(comparison, name, policy)
        drawn = doubt.replicates[:, at] + doubt.shift[at]
        drawn, everything = drawn[~np.isnan(drawn)], everything[~np.isnan(everything)]
        assert np.isin(drawn.round(9), np.unique(everything.round(9))).all()
        assert abs(drawn.mean() - everything.mean()) < 4 * everything.std() / math.sqrt(len(drawn)) + 1e-12
    np.testing.assert_allclose(np.nanmean(doubt.replicates, axis=0), doubt.scores, atol=1e-12)


def all_resamples(comparison, name, policy):
    """Every way to draw the instances of both words, scored one table at a time."""
    by_word = []
    for word, answers in comparison.gold.words.items():
        gold = answers.labels()
        given = comparison.systems[name].answers(word).labels(answers.instances)
        given = [
            label or {"cluster": "none", "drop": None, "singletons": f"none {i}"}[policy.missing]
            for i, label in enumerate(given)
        ]
        outcomes = []
        for draw in itertools.product(range(len(gold)), repeat=len(gold)):
            kept = [i for i in draw if given[i] is not None]
            value = (
                ec.score(ec.Contingency.from_labels([gold[i] for i in kept], [given[i] for i in kept]), ["V"], "MM")[
                    "V"
                ]
                if kept
                else 0.0
            )
            outcomes.append((value, (len(kept) if policy.average == "instances" else 1.0) if kept else 0.0))
        by_word.append(outcomes)
    return np.array([(v * n + w * m) / (n + m) if n + m else np.nan for (v, n), (w, m) in itertools.product(*by_word)])


def test_tables_drawn_from_their_cells():
    tables = {
        "s": ec.Contingency.from_matrix([[3, 1], [0, 2]]),
        "t": ec.Contingency.from_matrix([[2, 2], [1, 1]]),
    }
    comparison = TableComparison("t", tables)
    board = score_comparison(comparison, ["VI"], ["ML"])
    steps = []
    doubt = bootstrap_instances(
        comparison,
        board,
        "VI-ML",
        replicates=4000,
        seed=2,
        base=math.e,
        progress=lambda *step: steps.append(step),
    )
    mean, square = 0.0, 0.0
    for draw in itertools.product(range(4), repeat=6):  # the cells of s, by their counts
        weight = math.prod([3, 1, 0, 2][cell] / 6 for cell in draw)
        if weight:
            value = ec.score(np.bincount(draw, minlength=4).reshape(2, 2), ["VI"])["VI"]
            mean, square = mean + weight * value, square + weight * value**2
    raw = doubt.replicates[:, 0] + doubt.shift[0]
    assert abs(raw.mean() - mean) < 4 * math.sqrt((square - mean**2) / 4000)
    assert raw.std() == pytest.approx(math.sqrt(square - mean**2), rel=0.06)
    assert steps[-1][:2] == (8000, 8000)


def test_instances_in_chunks(monkeypatch):
    comparison = with_baselines(made(), ["singletons"])
    board = score_comparison(comparison, ["V"], ["BUB"])
    whole = bootstrap_instances(comparison, board, "V-BUB", replicates=40)
    monkeypatch.setattr("evalcore.ranking.bootstrap.CELLS", 30)
    parts = bootstrap_instances(comparison, board, "V-BUB", replicates=40)
    assert parts.replicates.shape == whole.replicates.shape and not np.isnan(parts.replicates).any()


@pytest.mark.parametrize(
    "policy, column, says",
    [
        (Policy(soft=True), "V-ML", "soft answers are not resampled"),
        (Policy("pooled"), "V-ML", "not pooled"),
        (Policy(), "SR given", "Supervised recall is not"),
        (Policy(), "X", "no column called 'X'"),
    ],
)
def test_instances_that_are_not_drawn(policy, column, says):
    comparison = made(**{"mapping.1": "a 1 x\na 3 y\nb 1 p", "test.1": "a 2 x\na 4 y\nb 2 q"})
    board = score_comparison(comparison, splits=comparison.recall_splits())
    with pytest.raises(InputError, match=says):
        bootstrap_instances(comparison, board, column, policy)


def test_words_that_are_not_drawn():
    comparison = made(**{"mapping.1": "a 1 x\na 3 y\nb 1 p", "test.1": "a 2 x\na 4 y\nb 2 q"})
    board = score_comparison(comparison, splits=comparison.recall_splits())
    for refused, says in (
        (dict(column="SR given"), "No system has a score by SR given that can be resampled"),
        (dict(column="V-ML", replicates=0), "1 to 10,000"),
        (dict(column="V-ML", seed=-1), "seed"),
    ):
        with pytest.raises(InputError, match=says):
            bootstrap_words(board, **refused)
    with pytest.raises(InputError, match="Words can only be drawn"):
        bootstrap_words(wsi2010_board(), "V-ML")
    with pytest.raises(InputError, match="one word only"):
        bootstrap_words(score_comparison(TableComparison("t", {"s": ec.Contingency.from_matrix([[1]])})), "V-ML")
    with pytest.raises(InputError, match="fractional counts"):
        fractions = TableComparison("t", {"s": ec.Contingency.from_matrix([[1.5]])})
        bootstrap_instances(fractions, score_comparison(fractions), "V-ML")


@pytest.mark.timing
def test_time_of_a_thousand_resamples():
    rng = np.random.default_rng(0)
    values = rng.random((29, 100, 6))
    words = WordScores(tuple(map(str, range(100))), np.full((29, 100), 90.0), values)
    board = board_of(
        values.mean(axis=1), [Column("V", e) for e in ("ML", "MM", "JK", "BUB", "NSB", "Zhang")], words=words
    )
    start = time.perf_counter()
    for name in board.names:
        doubt = bootstrap_words(board, name, 1000)
        assert len(doubt.intervals()) == 29 and len(doubt.sentences()) == 28
    assert time.perf_counter() - start < 2
