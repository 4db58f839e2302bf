"""Supervised recall of keys, by hand; and splits drawn with a seed."""

import pytest

from evalcore import InputError
from evalcore.keys import read_key
from evalcore.splits import draw_split, supervised_recall_keys


def key(text, name="k.key"):
    return read_key(text.encode(), name)


MAPPING = key("w 1 x\nw 2 x\nw 3 y\nv 1 p", "mapping.key")


@pytest.mark.parametrize(
    "system, test, expected",
    [
        ("w 1 A\nw 2 A\nw 3 B\nw 4 A\nw 5 B", "w 4 x\nw 5 y", 1.0),
        ("w 1 A\nw 2 A\nw 3 A\nw 4 A\nw 5 A", "w 4 x\nw 5 y", 0.5),
        ("w 1 A\nw 2 A\nw 3 B\nw 4 C\nw 5 B", "w 4 x\nw 5 y", 0.5),  # C was never mapped: wrong
        ("w 1 A\nw 2 A\nw 3 B\nw 5 B", "w 4 x\nw 5 y", 0.5),  # 4 is unanswered: wrong
        (
            "w 1 B\nw 2 A\nw 3 A\nw 4 A",
            "w 4 x",
            1.0,
        ),  # a tie between x and y: the first in alphabetical order
        ("w 1 B\nw 2 A\nw 3 A\nw 4 A", "w 4 y", 0.0),
        (
            "w 1 A\nw 2 A\nw 3 B\nw 4 A\nv 1 A\nv 2 A",
            "w 4 x\nv 2 p\nv 3 p\nu 1 p",
            0.5,
        ),  # over words; u was never mapped, v 3 not answered
        # each instance counts once: A is 1 x and 0.6 y, so that A means x
        ("w 1 A\nw 2\nw 3 A/6 B/4\nw 4 A", "w 4 x", 1.0),
        # weights vote: A says x, B says y
        ("w 1 A\nw 2 A\nw 3 B\nw 4 A/0.4 B/0.6\nw 5 A/6 B/4", "w 4 y\nw 5 x", 1.0),
    ],
)
def test_recall(system, test, expected):
    assert supervised_recall_keys(key(system), MAPPING, key(test)) == expected


def test_keys_that_do_not_serve():
    system = key("w 1 A")
    with pytest.raises(
        InputError,
        match="^t.key, line 2: instance '1' is in mapping.key too; nothing may be learned",
    ):
        supervised_recall_keys(system, MAPPING, key("w 9 x\nw 1 x", "t.key"))
    with pytest.raises(InputError, match="t.key, line 1: this instance has no sense"):
        supervised_recall_keys(system, MAPPING, key("w 9", "t.key"))
    with pytest.raises(InputError, match="m.key, line 1: this instance has no sense"):
        supervised_recall_keys(system, key("w 1", "m.key"), key("w 9 x"))


GOLD = key(
    "\n".join(f"{word} {i} s{i % 3}" for word, size in (("a", 10), ("b", 7), ("c", 1)) for i in range(size)),
    "gold.key",
)


@pytest.mark.parametrize("share, sizes", [(0.8, (8, 6, 1)), (0.6, (6, 4, 1)), (0.2, (2, 1, 0))])
def test_split(share, sizes):
    mapping, test = draw_split(GOLD, share, seed=3)
    for (word, answers), size in zip(GOLD.words.items(), sizes, strict=True):
        parts = [part.answers(word) for part in (mapping, test)]
        assert [len(part) for part in parts] == [size, len(answers) - size]
        assert sorted([*parts[0].instances, *parts[1].instances]) == sorted(answers.instances)
        for part in parts:
            assert part.labels() == answers.labels(part.instances)
            assert part.lines.tolist() == [answers.lines[answers.instances[i]] for i in part.instances]
    assert supervised_recall_keys(GOLD, mapping, test) > 0


def test_the_seed_decides():
    def drawn(seed):
        return [list(part.answers("a").instances) for part in draw_split(GOLD, 0.6, seed)]

    assert drawn(1) == drawn(1) and len({str(drawn(seed)) for seed in range(9)}) > 1


def test_splits_that_cannot_be_drawn():
    for share in (0, 1, -1, float("nan"), "x"):
        with pytest.raises(InputError, match="The share of the mapping must lie between 0 and 1"):
            draw_split(GOLD, share)
    with pytest.raises(InputError, match="The seed must be a whole number of at least 0, not -1."):
        draw_split(GOLD, 0.8, seed=-1)
    with pytest.raises(InputError, match="k.key holds too few instances for a split of 0.8 to 0.2."):
        draw_split(key("w 1 x"), 0.8)
