"""Scores of keys: by hand, against scikit-learn, and for soft answers against all hard samples."""

import itertools
import math

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, v_measure_score

import evalcore as ec
from evalcore import InputError
from evalcore.keys import read_key
from evalcore.words import pooled_table, score_key, score_keys, word_scores, word_tables

GOLD = read_key(b"a 1 x\nb 1 p\na 2 x\na 3 y\nb 2 q\na 4 y", "gold.key")
SYSTEM = read_key(b"a 4 B\na 3 A\na 2 A\na 1 A\n", "system.key")
LOG2 = math.log(2)
# word a: classes 2 + 2, clusters 3 + 1, cells 2, 1, 1 of 4; word b: both instances unanswered
C, K, JOINT = LOG2, 0.75 * math.log(4 / 3) + 0.25 * math.log(4), 0.5 * LOG2 + 0.5 * math.log(4)
V_A = 2 * (C + K - JOINT) / (C + K)
V_A_MM = 2 * (C + K - JOINT) / (C + K + 2 / 8)  # Miller-Madow adds 1/8, 1/8 and 2/8


def value(*arguments, measure="V", **options):
    scores = score_key(GOLD, *arguments, measures=[measure], **options)
    assert len(scores) == 1
    return scores.value[0]


def test_tables():
    tables = word_tables(GOLD, SYSTEM)
    assert list(tables) == ["a", "b"]
    assert tables["a"] == ec.Contingency.from_matrix([[2, 0], [1, 1]], ["x", "y"], ["A", "B"])
    assert tables["b"] == ec.Contingency.from_matrix([[1], [1]], ["p", "q"], ["(unanswered)"])
    assert list(word_tables(GOLD, SYSTEM, "drop")) == ["a"]
    assert word_tables(GOLD, SYSTEM, "singletons")["b"].counts.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize(
    "missing, average, expected",
    [
        ("cluster", "instances", 4 / 6 * V_A),
        ("cluster", "words", V_A / 2),
        ("drop", "instances", V_A),
        ("drop", "words", V_A),
        ("singletons", "instances", (4 * V_A + 2) / 6),
        ("singletons", "words", (V_A + 1) / 2),
    ],
)
def test_policies(missing, average, expected, soft):
    assert value(SYSTEM, missing=missing, average=average, soft=soft) == pytest.approx(expected, abs=1e-14)


def test_estimators_and_measures():
    scores = score_key(GOLD, SYSTEM, ["V", "ARI", "V", "VI"], ["ML", "MM", "ml"], missing="drop")
    assert scores[["measure", "estimator"]].values.tolist() == [
        ["V", "ML"],
        ["V", "MM"],
        ["ARI", ""],
        ["VI", "ML"],
        ["VI", "MM"],
    ]
    assert scores.value.tolist() == pytest.approx(
        [V_A, V_A_MM, 0.0, 2 * JOINT - C - K, 2 * JOINT - C - K + 2 / 8], abs=1e-14
    )
    assert value(SYSTEM, measure="VI", missing="drop", base=2) == pytest.approx((2 * JOINT - C - K) / LOG2)
    assert value(SYSTEM, measure="V", missing="drop", base=2) == pytest.approx(V_A)


def test_clusters_per_word_count_the_extra_one():
    def clusters(**options):
        return score_key(GOLD, SYSTEM, ["V"], **options).clusters_per_word[0]

    assert (clusters(), clusters(missing="drop"), clusters(missing="singletons"), clusters(soft=True)) == (
        1.5,
        2,
        2,
        1.5,
    )


def test_clusters_of_items_left_out_are_not_counted():
    table = ec.Contingency.from_labels(["x", "y", None], ["A", "B", "C"], missing="drop")
    assert table.clusters == ("A", "B", "C")
    assert word_scores({"w": table}, ["V"]).clusters.tolist() == [2]


def test_word_scores():
    scores = word_scores(word_tables(GOLD, SYSTEM), ["V", "ARI"], ["ML", "MM"])
    assert scores.columns.tolist() == ["word", "n", "clusters", "measure", "estimator", "value"]
    assert scores.iloc[0, :5].tolist() == ["a", 4, 2, "V", "ML"] and len(scores) == 6
    assert scores.value.tolist() == pytest.approx([V_A, V_A_MM, 0, 0, 0, 0], abs=1e-14)


def random_key(random, words, senses, share=1.0, name="k"):
    lines = [
        f"{w} {w}.{i} {random.integers(senses)}" for w in words for i in range(words[w]) if random.random() < share
    ]
    random.shuffle(lines)
    return read_key("\n".join(lines).encode(), name)


@pytest.mark.parametrize("missing", ["cluster", "drop", "singletons"])
def test_against_scikit_learn(missing):
    random = np.random.default_rng(1)
    sizes = {f"w{i}": int(random.integers(2, 30)) for i in range(12)}
    gold = random_key(random, sizes, 3)
    system = random_key(random, sizes, 4, 0.7, "system.key")
    v, ari, weights, pooled = [], [], [], ([], [])
    for word, answers in gold.words.items():
        labels = dict(zip(answers.instances, answers.labels(), strict=True))
        theirs = dict(zip(system.answers(word).instances, system.answers(word).labels(), strict=True))
        if missing == "drop":
            labels = {i: c for i, c in labels.items() if i in theirs}
        predicted = [theirs.get(i, "none" if missing == "cluster" else f"none{i}") for i in labels]
        v.append(v_measure_score(list(labels.values()), predicted))
        ari.append(adjusted_rand_score(list(labels.values()), predicted))
        weights.append(len(labels))
        pooled[0].extend((word, c) for c in labels.values())
        pooled[1].extend((word, k) for k in predicted)
    for average, w in (("instances", weights), ("words", None)):
        scores = score_key(gold, system, ["V", "ARI"], missing=missing, average=average)
        assert scores.value.tolist() == pytest.approx([np.average(v, weights=w), np.average(ari, weights=w)], abs=1e-12)
    codes = [np.unique([" ".join(pair) for pair in side], return_inverse=True)[1] for side in pooled]
    scores = score_key(gold, system, ["V", "ARI"], missing=missing, average="pooled")
    assert scores.value.tolist() == pytest.approx([v_measure_score(*codes), adjusted_rand_score(*codes)], abs=1e-12)


def entropy(labels):
    p = np.unique([repr(x) for x in labels], return_counts=True)[1] / len(labels)
    return -(p * np.log(p)).sum()


def test_soft_answers_against_all_hard_samples():
    gold = read_key(b"w 1 x\nw 2 x/2 y/1\nw 3 y\nw 4 y", "gold.key")
    system = read_key(b"w 1 A/1 B/3\nw 2 A/2\nw 3 A/0.5 B/0.25 C/0.25\nw 4 B/1 A/0", "system.key")
    rows = [{"A": 0.25, "B": 0.75}, {"A": 1.0}, {"A": 0.5, "B": 0.25, "C": 0.25}, {"B": 1.0}]
    classes, K, joint = ["x", "x", "y", "y"], 0.0, 0.0
    for sample in itertools.product(*rows):
        p = math.prod(row[k] for row, k in zip(rows, sample, strict=True))
        K, joint = K + p * entropy(sample), joint + p * entropy(list(zip(classes, sample, strict=True)))
    C = entropy(classes)
    scores = score_key(gold, system, ["V", "VI"], soft=True)
    assert scores.value.tolist() == pytest.approx([2 * (C + K - joint) / (C + K), 2 * joint - C - K], abs=1e-12)
    pooled = score_key(gold, system, ["V", "VI"], soft=True, average="pooled")
    assert pooled.value.tolist() == pytest.approx(scores.value.tolist(), abs=1e-12)


def test_soft_equals_hard_where_every_weight_is_certain():
    random = np.random.default_rng(2)
    sizes = {f"w{i}": int(random.integers(2, 40)) for i in range(5)}
    gold, system = random_key(random, sizes, 3), random_key(random, sizes, 4, 0.8)
    for missing, average in itertools.product(("cluster", "drop", "singletons"), ("instances", "words", "pooled")):
        options = dict(
            measures=["V", "VI", "NVI"],
            estimators=["ML", "MM", "JK", "BUB"],
            missing=missing,
            average=average,
        )
        hard, soft = score_key(gold, system, **options), score_key(gold, system, soft=True, **options)
        assert soft.value.tolist() == pytest.approx(hard.value.tolist(), abs=1e-11)
        assert soft.clusters_per_word[0] == hard.clusters_per_word[0]


def test_soft_tables_hold_only_clusters_with_mass():
    system = read_key(b"a 1 A/1 Z/0\na 2 B\na 9 E", "system.key")
    table = word_tables(GOLD, system, soft=True, unknown="ignore")["a"]
    assert table.clusters == ("A", "B", "(unanswered)")
    assert word_tables(GOLD, system, "singletons", True, "ignore")["a"].clusters == (
        "A",
        "B",
        "(unanswered) 1",
        "(unanswered) 2",
    )


def test_huge_weights_do_not_overflow():
    system = read_key(b"a 1 A/1e308 B/1e308\na 2 A/1e-320\na 3 B\na 4 B", "system.key")
    assert word_tables(GOLD, system, soft=True)["a"].counts.tolist() == [[1.5, 0.5], [0, 2]]


def test_a_sense_may_be_called_unanswered():
    system = read_key(b"a 1 (unanswered)\na 2 (unanswered)", "system.key")
    for soft in (False, True):
        assert word_tables(GOLD, system, soft=soft)["a"].clusters == ("(unanswered)", "(unanswered) 2")


def test_pooled_names():
    table = pooled_table(word_tables(GOLD, SYSTEM))
    assert table.classes == ("a x", "a y", "b p", "b q") and table.clusters == (
        "a A",
        "a B",
        "b (unanswered)",
    )


@pytest.mark.parametrize(
    "limit, options, message",
    [
        (
            10,
            dict(average="pooled"),
            "All words pooled: 6 instances x 3 senses are too many for soft answers.",
        ),
        (7, {}, "system.key, 'a': 4 instances x 2 senses are too many for soft answers."),
        (8, dict(missing="singletons"), None),
        (3, dict(missing="singletons"), "system.key, 'a': 4 instances x 2 senses are too many"),
    ],
)
def test_too_many_soft_answers(monkeypatch, limit, options, message):
    monkeypatch.setattr("evalcore.keys.LARGEST_SOFT", limit)
    if message is None:
        assert score_key(GOLD, SYSTEM, ["V"], soft=True, **options).value[0] > 0
        return
    with pytest.raises(InputError, match=message):
        score_key(GOLD, SYSTEM, ["V"], soft=True, **options)


def test_too_many_singletons_for_soft_answers(monkeypatch):
    monkeypatch.setattr("evalcore.keys.LARGEST_SOFT", 11)
    system = read_key(b"a 1 A\nb 1 A\nb 2 A", "system.key")
    with pytest.raises(InputError, match="system.key, 'a': 4 instances x 4 senses are too many"):
        score_key(GOLD, system, ["V"], soft=True, missing="singletons")


def test_unknown_instances():
    strange = read_key(b"a 1 A\na 2 A\nc 1 A\na 3 A\na 7 A", "system.key")
    with pytest.raises(
        InputError, match="^system.key, line 3: instance '1' of 'c' is not in gold.key, and 1 more are not.$"
    ):
        word_tables(GOLD, strange)
    one = read_key(b"a 1 A\na 7 A", "system.key")
    with pytest.raises(InputError, match="^system.key, line 2: instance '7' of 'a' is not in gold.key.$"):
        word_tables(GOLD, one)
    assert word_tables(GOLD, strange, unknown="ignore")["a"].counts.tolist() == [[2, 0], [1, 1]]


@pytest.mark.parametrize("missing", ["cluster", "drop", "singletons"])
@pytest.mark.parametrize("text", [b"z 1 A", b"a 1\na 2\nb 1"])
def test_nothing_answered(text, missing):
    with pytest.raises(InputError, match="^s.key answers no instance of gold.key.$"):
        word_tables(GOLD, read_key(text, "s.key"), missing, unknown="ignore")


def test_gold_without_a_sense():
    with pytest.raises(InputError, match="bad.key, line 2: this instance has no sense"):
        word_tables(read_key(b"a 1 x\na 2", "bad.key"), SYSTEM)


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(missing="guess"), "missing must be one of cluster, drop, singletons, not 'guess'."),
        (dict(average="mean"), "average must be one of instances, words, pooled, not 'mean'."),
        (dict(unknown="what"), "unknown must be one of error, ignore, not 'what'."),
        (dict(measures=["W"]), "There is no measure called 'W'"),
        (dict(measures=["SR"]), "SR needs a mapping"),
        (dict(estimators=["XX"]), "XX"),
        (dict(estimators=[]), "At least one estimator"),
        (dict(base=1), "The base of the logarithm"),
        (dict(base=0.5), "The base of the logarithm"),
        (dict(base=math.inf), "The base of the logarithm"),
        (dict(base=math.nan), "The base of the"),
        (dict(soft=True, estimators=["NSB"]), "NSB"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(InputError, match=message):
        score_key(GOLD, SYSTEM, **options)


def test_several_systems_and_progress():
    steps = []
    scores = score_keys(GOLD, {"s": SYSTEM, "gold": GOLD}, ["V"], progress=lambda *step: steps.append(step))
    assert scores.columns.tolist() == ["system", "clusters_per_word", "measure", "estimator", "value"]
    assert scores.system.tolist() == ["s", "gold"] and scores.value.tolist() == pytest.approx([4 / 6 * V_A, 1])
    assert steps == [(0.5, 2), (1, 2), (1.5, 2), (2, 2)]
    with pytest.raises(InputError, match="no systems"):
        score_keys(GOLD, {})


def test_all_measures_on_a_key():
    scores = score_key(GOLD, GOLD)
    assert set(scores.measure) == {name for name, m in ec.MEASURES.items() if m.needs != "split"}
    assert scores.set_index("measure").value[["V", "ARI", "AMI", "purity", "NVI"]].tolist() == [1, 1, 1, 1, 0]
