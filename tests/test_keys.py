"""Keys: what a line may hold, what becomes of it, and the sentence for every line that is wrong."""

import re
import time

import numpy as np
import pytest

from evalcore import InputError
from evalcore.keys import NO_ANSWERS, read_key


def key(*lines, name="s.key"):
    return read_key("\n".join(lines).encode(), name)


def answers(*lines):
    (only,) = key(*lines).words.values()
    return only


def test_words_and_instances_in_order_of_appearance():
    k = key("b.v b.v.2 x", "a.n a.n.1 y", "b.v b.v.1 x")
    assert list(k.words) == ["b.v", "a.n"]
    assert list(k.words["b.v"].instances) == ["b.v.2", "b.v.1"]
    assert k.words["b.v"].lines.tolist() == [1, 3]
    assert len(k) == 3 and k.name == "s" and k.file == "s.key"
    assert repr(k) == "<Key 's': 3 instances of 2 words>"


def test_weights():
    a = answers("w i x/0.25 y/.5 z", "w j y/2e-1", "w k a/b/3")
    assert a.senses == ("x", "y", "z", "a/b")
    assert a.weights.tolist() == [0.25, 0.5, 1.0, 0.2, 3.0]
    assert a.codes.tolist() == [0, 1, 2, 1, 3] and a.starts.tolist() == [0, 3, 4, 5]


@pytest.mark.parametrize(
    "senses, hard",
    [
        ("x", "x"),
        ("x/1 y/2", "y"),
        ("x/2 y/2", "x"),
        ("y/2 x/2", "y"),
        ("x/0.1 y/0.3 z/0.3", "y"),
        ("x y/1.0", "x"),
        ("x/0 y/0.1", "y"),
        ("", None),
    ],
)
def test_hard_answer_is_the_largest_weight_and_the_first_on_a_tie(senses, hard):
    assert answers(f"w i {senses}").labels() == [hard]


def test_hard_answers_among_unanswered_instances():
    a = answers("w 1", "w 2 x/1 y/3", "w 3", "w 4 z", "w 5")
    assert a.labels() == [None, "y", None, "z", None]
    assert a.labels(["4", "none", "2"]) == ["z", None, "y"]


def test_distributions():
    a = answers("w 1 x/1 y/3", "w 2", "w 3 y/1e308 z/1e308", "w 4 x/5e-324")
    assert a.distributions(["3", "1", "2", "unknown", "4"]).tolist() == [
        [0, 0.5, 0.5],
        [0.25, 0.75, 0],
        [0, 0, 0],
        [0, 0, 0],
        [1, 0, 0],
    ]
    assert NO_ANSWERS.distributions(["a", "b"]).shape == (2, 0) and NO_ANSWERS.labels(["a"]) == [None]


def test_take():
    a = answers("w 1 x/1 y/3", "w 2", "w 3 z", "w 4 y").take(np.array([3, 0]))
    assert list(a.instances.items()) == [("4", 0), ("1", 1)]
    assert a.labels() == ["y", "y"] and a.lines.tolist() == [4, 1]
    assert a.distributions(["1"]).tolist() == [[0.25, 0.75, 0]]
    assert len(answers("w 1 x").take(np.array([], dtype=int))) == 0


def test_separators_and_blank_lines():
    a = answers("", "w\t1\tx", "   w   2   x  ", "", "w 3\t x")
    assert a.labels() == ["x", "x", "x"] and a.lines.tolist() == [2, 3, 5]


def test_comments():
    a = answers("# a comment", "  #another", "w 1 x !! weight=1 !! more", "w 2 !!nothing", "w 3 a!!b #c", "!! alone")
    assert a.labels() == ["x", None, "a!!b"]
    assert a.senses == ("x", "a!!b", "#c")


def test_an_instance_of_two_words():
    assert len(key("a 1 x", "b 1 y")) == 2


@pytest.mark.parametrize("again", ["w 1 x/1 y/3", "w 1 x y/3.0", "w 1 y/3 x/1"])
def test_duplicates_that_agree_count_once(again):
    a = answers("w 1 x/1 y/3", "w 2 x", again)
    assert len(a) == 2 and a.labels() == ["y", "x"]


@pytest.mark.parametrize(
    "first, again",
    [("x", "y"), ("x", ""), ("", "x"), ("x/1 y/3", "x/1 y/2"), ("x/1 y/3", "y/3"), ("x/1 y/1", "y/1 x/1")],
)
def test_duplicates_that_disagree(first, again):
    with pytest.raises(InputError, match=re.escape("s.key, line 3: instance '1' is answered otherwise in line 1.")):
        key(f"w 1 {first}", "w 2 x", f"w 1 {again}")


@pytest.mark.parametrize(
    "line, message",
    [
        ("w", "'w' stands alone; a line is a word, an instance and senses, separated by blanks or tabs."),
        (
            "a,b,c",
            "'a,b,c' stands alone; a line is a word, an instance and senses, separated by blanks or tabs.",
        ),
        ("w 1 x/high", "the weight of 'x/high' is not a number of 0 or more."),
        ("w 1 x/", "the weight of 'x/' is not a number of 0 or more."),
        ("w 1 x/-1", "the weight of 'x/-1' is not a number of 0 or more."),
        ("w 1 x/nan", "the weight of 'x/nan' is not a number of 0 or more."),
        ("w 1 x/inf", "the weight of 'x/inf' is not a number of 0 or more."),
        ("w 1 x/1e999", "the weight of 'x/1e999' is not a number of 0 or more."),
        ("w 1 x/1_0", "the weight of 'x/1_0' is not a number of 0 or more."),
        ("w 1 x/0,5", "the weight of 'x/0,5' is not a number of 0 or more."),
        ("w 1 /0.5", "there is no sense before the weight in '/0.5'."),
        ("w 1 x/0 y/0.0", "all weights are zero."),
        ("w 1 x/1 y x/2", "sense 'x' is listed twice."),
        (
            "w 1 " + "long" * 50 + "/x",
            "the weight of '" + "long" * 14 + "l...' is not a number of 0 or more.",
        ),
    ],
)
def test_bad_lines(line, message):
    with pytest.raises(InputError) as error:
        key("w 0 x", "# comment", line)
    assert str(error.value) == f"s.key, line 3: {message}"


def test_nothing_but_comments():
    with pytest.raises(InputError, match="s.key holds only comments, no answers."):
        key("# nothing", "!! here")


def test_gold_needs_senses():
    with pytest.raises(InputError, match="g.key, line 2: this instance has no sense, which a gold key must give."):
        key("b 1 x", "a 2", "b 3", name="g.key").require_senses()
    key("b 1 x").require_senses()


@pytest.mark.timing
def test_a_weighted_key_of_many_megabytes_is_read_in_seconds():
    random = np.random.default_rng(0)
    lines = []
    for number in range(8915):
        weights = random.random(200).round(4).tolist()
        lines.append(
            f"word{number % 100}.n word{number % 100}.n.{number} "
            + " ".join(f"c{k}/{w}" for k, w in enumerate(weights))
        )
    data = "\n".join(lines).encode()
    assert len(data) > 15_000_000
    start = time.perf_counter()
    k = read_key(data, "big.key")
    assert time.perf_counter() - start < 4
    assert len(k) == 8915 and all(len(a.senses) == 200 for a in k.words.values())
    assert k.words["word7.n"].distributions(["word7.n.7"]).sum() == pytest.approx(1)
