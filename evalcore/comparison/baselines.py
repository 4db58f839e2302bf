"""Solutions that nobody needs a system for, to measure systems by."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..contingency import Contingency
from ..errors import InputError
from ..keys import Key
from ..labels import unused_name
from .sources import KeyComparison, TableComparison, answers_from

BASELINES = {
    "one cluster": "Most frequent class: all of a word's instances in one cluster",
    "singletons": "One cluster per instance",
    "random": "Random: each instance in one of k clusters, drawn with the seed",
    "gold": "The gold standard itself",
}
NAMES = {"one cluster": "Most frequent class", "singletons": "One cluster per instance", "gold": "Gold"}


def with_baselines(
    comparison: KeyComparison | TableComparison, chosen: Sequence[str], k: int = 4, seed: int = 0
) -> KeyComparison | TableComparison:
    """The comparison with baselines (names in BASELINES) after its systems.

    >>> from evalcore.keys import read_key
    >>> gold = read_key(b"a 1 x\\na 2 y\\na 3 y", "gold.key")
    >>> both = with_baselines(KeyComparison("made", gold, {}), ["singletons", "gold"])
    >>> both.systems["One cluster per instance"].words["a"].labels(), both.systems["Gold"].words["a"].labels()
    (['1', '2', '3'], ['x', 'y', 'y'])
    """
    for name in chosen:
        if name not in BASELINES:
            raise InputError(f"There is no baseline called {name!r}; there are {', '.join(BASELINES)}.")
    if k < 1:
        raise InputError(f"A random baseline needs at least one cluster, not {k}.")
    make = _key if isinstance(comparison, KeyComparison) else _table
    systems, added = dict(comparison.systems), []
    for kind in chosen:
        name = unused_name(NAMES.get(kind, f"Random, {k} clusters"), systems)
        systems[name] = make(comparison, kind, k, seed)
        added.append(name)
    return replace(comparison, systems=systems, baselines=tuple(added))


def _key(comparison, kind, k, seed):
    gold = comparison.gold
    if kind == "gold":
        return gold
    random = np.random.default_rng(seed)
    words = {}
    for word, answers in gold.words.items():
        if kind == "random":
            clusters = random.integers(1, k + 1, len(answers)).tolist()
        else:
            clusters = [1] * len(answers) if kind == "one cluster" else range(1, len(answers) + 1)
        words[word] = answers_from(dict(zip(answers.instances, map(str, clusters), strict=True)))
    return Key(kind, kind, words)


def _table(comparison, kind, k, seed):
    if not comparison.same_items:
        raise InputError("Baselines need solutions of the same items, but these tables have different class sizes.")
    first = next(iter(comparison.systems.values()))
    sizes, classes = first.class_sizes, first.classes
    if kind == "one cluster":
        return Contingency.from_matrix(sizes[:, None], classes)
    if kind == "gold":
        return Contingency.from_matrix(np.diag(sizes), classes, classes)
    if not first.is_whole:
        raise InputError("This baseline needs items, but these tables have fractional counts.")
    gold = np.repeat(np.arange(len(sizes)), sizes)
    answers = np.arange(len(gold)) if kind == "singletons" else np.random.default_rng(seed).integers(0, k, len(gold))
    table = Contingency.from_labels(gold, answers)
    return Contingency.from_matrix(
        table.matrix, [classes[c] for c in table.classes], [f"k{j + 1}" for j in table.clusters]
    )
