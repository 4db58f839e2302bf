"""Comparisons saved and restored; and thousands of broken files through the whole path, from bytes to
scores.
"""

import json

import numpy as np
import pytest

from evalcore import Contingency, InputError
from evalcore.comparison import (
    Policy,
    TableComparison,
    comparison_from_labels,
    from_json,
    read_files,
    to_json,
    with_baselines,
)
from evalcore.comparison.sources import answers_from
from evalcore.ranking import bootstrap_words, headline, score_comparison
from evalcore.tables import read_labels
from tests.test_comparison import keys
from tests.test_fuzz_readers import GOLD, LABELS, MATRIX, SYSTEM, mutations

# ---- saved comparisons ---------------------------------------------------------------------------


def same_key(one, other):
    assert list(one.words) == list(other.words) and one.file == other.file
    for word, answers in one.words.items():
        theirs = other.words[word]
        assert list(answers.instances) == list(theirs.instances) and answers.labels() == theirs.labels()
        assert answers.starts.tolist() == theirs.starts.tolist() and answers.weights.tolist() == theirs.weights.tolist()
        assert [answers.senses[c] for c in answers.codes] == [theirs.senses[c] for c in theirs.codes]


def test_keys_come_back_from_a_file():
    odd = ("odd <b>.key", "a 1 =1+1/0.1 é/0.2\na 2 B/1e-300 A/1e300\na 3".encode())
    comparison = with_baselines(keys(odd, ("mapping.key", b"a 1 x"), ("test.key", b"a 2 x")), ["gold", "random"])
    restored, settings = from_json(to_json(comparison, {"view": "Doubt"}).encode(), "saved.json")
    assert (
        settings == {"view": "Doubt"}
        and list(restored.systems) == ["mine", "theirs", "odd <b>"]
        and restored.baselines == ()
    )
    same_key(restored.gold, comparison.gold)
    for name, key in restored.systems.items():
        same_key(key, comparison.systems[name])
    for one, other in zip(restored.splits[0], comparison.splits[0], strict=True):
        same_key(one, other)
    again = with_baselines(restored, ["gold", "random"])
    for policy in (Policy(), Policy("words", "singletons", True), Policy("pooled", "drop")):
        boards = [score_comparison(c, ["V", "ARI"], ["ML", "BUB"], policy) for c in (comparison, again)]
        np.testing.assert_array_equal(boards[0].values, boards[1].values)
    batch = read_files([("saved.json", to_json(comparison, {"k": "9"}).encode())])
    assert (
        batch.kind == "saved"
        and batch.settings == {"k": "9"}
        and list(batch.comparison().systems) == ["mine", "theirs", "odd <b>"]
    )


def test_labels_with_blanks_come_back():
    comparison = comparison_from_labels(read_labels(b'item,gold,my system\n1,a b,"x,y"\n2,c,\n', "t.csv"))
    restored, _ = from_json(to_json(comparison).encode())
    assert restored.tables("my system") == comparison.tables("my system")


def test_tables_and_nothing_come_back():
    comparison = TableComparison(
        "tray",
        {
            "R": Contingency.from_matrix([[1.25, 2], [0, 3]], ["x", "y"], ["=a", "b"]),
            "S": Contingency.from_matrix([[7]]),
        },
    )
    restored, _ = from_json(to_json(comparison).encode())
    assert restored.systems == comparison.systems and restored.digest == comparison.digest
    assert from_json(to_json(None, {"source": "WSJ10"}).encode()) == (None, {"source": "WSJ10"})


@pytest.mark.parametrize(
    "change, says",
    [
        ({"measure_lab_comparison": 2}, "is not a comparison saved from Measure Lab"),
        ({"settings": []}, "its settings cannot be read"),
        ({"settings": {"k": 4}}, "its settings are not all text"),
        ({"name": 1}, "its name is not text"),
        ({"gold": None}, "gold cannot be read"),
        ({"gold": {"words": {}}}, "gold has no words"),
        ({"gold": {"words": {"a": {}}}}, "word 'a' has no instances"),
        ({"gold": {"words": {"a": {"1": None}}}}, "gold, word 'a', instance '1' has no sense"),
        ({"gold": {"words": {"a": {"1": 7}}}}, "instance '1': an answer is"),
        ({"systems": 3}, "its systems cannot be read"),
        ({"systems": {"s": {"words": {"a": {"1": {"A": -1}}}}}}, "system 's', word 'a', instance '1'"),
        ({"systems": {"s": {"words": {"a": {"1": {"A": 0}}}}}}, "not all zero"),
        ({"systems": {"s": {"words": {"a": {"1": {"A": True}}}}}}, "an answer is"),
        ({"systems": {"s": {"words": {"a": {"1": {"A": 10**400}}}}}}, "an answer is"),
        ({"splits": [1]}, "its splits are not pairs"),
        (
            {"splits": [[{"words": {"a": {"1": None}}}] * 2]},
            "mapping key 1, word 'a', instance '1' has no sense",
        ),
        ({"tables": {}}, "holds no tables"),
        ({"tables": {"t": {}}}, "table 't': its classes"),
        ({"tables": {"t": {"classes": ["a"], "clusters": ["k"], "counts": 1}}}, "holds no counts"),
        ({"tables": {"t": {"classes": ["a"], "clusters": ["k"], "counts": [[-1]]}}}, "table 't': "),
        ({"tables": {"t": {"classes": ["a"], "clusters": ["k"], "counts": [["x"]]}}}, "table 't': "),
    ],
)
def test_files_that_hold_no_comparison(change, says):
    content = json.loads(to_json(keys())) | change
    with pytest.raises(InputError) as caught:
        from_json(json.dumps(content).encode(), "saved.json")
    assert str(caught.value).startswith("saved.json") and says in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b'{"measure_lab_comparison": NaN}',
        b"\xff\xfe\x00",
        b"null",
        b'{"measure_lab_comparison": 1, "settings": {"a": "\\ud800"}}',
    ],
)
def test_files_that_are_no_json(data):
    with pytest.raises(InputError, match="saved.json"):
        from_json(data, "saved.json")


def test_answers():
    answers = answers_from({"1": "A", "2": {"B": 0.25, "A": 0.25}, "3": None})
    assert answers.labels() == ["A", "B", None] and answers.distributions(["2", "3", "9"]).tolist() == [
        [0.5, 0.5],
        [0, 0],
        [0, 0],
    ]


# ---- broken files, all the way through -----------------------------------------------------------


def whole_path(files):
    """From bytes to scores and back to a file; whether what the first file holds was scored."""
    batch = read_files(files)
    for problem in batch.problems:
        assert "\n" not in problem and len(problem) < 500 and problem.endswith("."), problem
    scored = False
    for policy in (
        Policy(),
        Policy("words", "singletons", True, "ignore"),
        Policy("pooled", "drop", False, "ignore"),
    ):
        try:
            comparison = with_baselines(batch.comparison(), ["one cluster", "gold"])
            board = score_comparison(comparison, ["V", "ARI"], ["ML", "BUB"], policy)
            assert headline(board) and len(board.frame(with_ranks=True)) == len(board.systems)
            assert all(problem.endswith(".") for problem in board.problems)
            scored = scored or len(board.systems) > 2
            assert from_json(to_json(comparison).encode())[0].systems.keys() == batch.comparison().systems.keys()
            bootstrap_words(board, "V-ML", 3)
        except InputError as error:
            assert "\n" not in str(error) and str(error).endswith("."), str(error)
    return scored


@pytest.mark.parametrize(
    "name, text, others",
    [
        ("system.key", SYSTEM, [("gold.key", GOLD.encode())]),
        ("gold.key", GOLD, [("system.key", SYSTEM.encode())]),
        ("labels.csv", LABELS, []),
        ("matrix.csv", MATRIX, []),
        ("saved.json", to_json(keys()), []),
    ],
    ids=["system", "gold", "labels", "matrix", "saved"],
)
def test_broken_files_give_scores_or_stated_errors(name, text, others):
    outcomes = [whole_path([(name, data), *others]) for data in mutations(text.encode(), 500, seed=len(text))]
    assert outcomes.count(True) > 20 and outcomes.count(False) > 20  # the mutations reach both
