"""Supervised recall of keys: senses for clusters, learned on one part of the gold, tested on another."""

from numbers import Real

import numpy as np

from .errors import InputError
from .keys import Key
from .labels import code
from .measures.supervised import count_right
from .text import quoted


def supervised_recall_keys(system: Key, mapping: Key, test: Key) -> float:
    """The share of test instances that get the right sense by what the mapping instances teach, word by word.

    Every instance counts once in the mapping: its weights are divided by their sum. Of senses that get the
    same vote the first in alphabetical order is taken. An unanswered instance is wrong.

    >>> from evalcore.keys import read_key
    >>> system = read_key(b"bank.n 1 A\\nbank.n 2 B\\nbank.n 3 A\\nbank.n 4 B", "system.key")
    >>> mapping = read_key(b"bank.n 1 money\\nbank.n 2 river", "mapping.key")
    >>> supervised_recall_keys(system, mapping, read_key(b"bank.n 3 money\\nbank.n 4 money", "test.key"))
    0.5
    """
    for part in (mapping, test):
        part.require_senses()
    right = tested = 0
    for word, asked in test.words.items():
        taught = mapping.answers(word)
        for name, number in asked.instances.items():
            if name in taught.instances:
                raise InputError(
                    f"{test.file}, line {asked.lines[number]}: instance {quoted(name)} is in {mapping.file} "
                    "too; nothing may be learned from a test instance."
                )
        names = [*taught.instances, *asked.instances]
        classes, _ = code(taught.labels() + asked.labels())
        counts = count_right(classes, system.distributions(word, names), np.arange(len(names)) < len(taught))
        right, tested = right + counts[0], tested + counts[1]
    return right / tested


def draw_split(gold: Key, share: float = 0.8, seed: int = 0) -> tuple[Key, Key]:
    """A mapping and a test key: of each word's instances the share (rounded) is drawn for the mapping.

    >>> from evalcore.keys import read_key
    >>> gold = read_key(b"a 1 x\\na 2 y\\na 3 x\\na 4 x\\na 5 y", "gold.key")
    >>> draw_split(gold, 0.8, seed=1)
    (<Key 'gold, mapping': 4 instances of 1 words>, <Key 'gold, test': 1 instances of 1 words>)
    """
    if not isinstance(share, Real) or not 0 < share < 1:
        raise InputError(f"The share of the mapping must lie between 0 and 1, not be {share!r}.")
    try:
        random = np.random.default_rng(seed)
    except (TypeError, ValueError):
        raise InputError(f"The seed must be a whole number of at least 0, not {seed!r}.") from None
    parts = {}, {}
    for word, answers in gold.words.items():
        order, size = random.permutation(len(answers)), round(share * len(answers))
        for part, numbers in zip(parts, (order[:size], order[size:]), strict=True):
            if len(numbers):
                part[word] = answers.take(np.sort(numbers))
    if not all(parts):
        raise InputError(f"{gold.file} holds too few instances for a split of {share:g} to {1 - share:g}.")
    mapping, test = (
        Key(f"{gold.name}, {what}", gold.file, part) for what, part in zip(("mapping", "test"), parts, strict=True)
    )
    return mapping, test
