"""The two kinds of comparison: systems that answer the instances of a gold key, and systems that are tables
alone.
"""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..contingency import Contingency
from ..errors import InputError
from ..keys import Answers, Key
from ..splits import draw_split
from ..tables import LabelTable
from ..words import AVERAGES, MISSING, word_tables


class Policy(NamedTuple):
    """How systems are scored; the options of `evalcore.words.score_key`."""

    average: str = "instances"
    missing: str = "cluster"
    soft: bool = False
    unknown: str = "error"

    def check(self) -> "Policy":
        for value, known, what in (
            (self.average, AVERAGES, "average"),
            (self.missing, MISSING, "missing"),
            (self.unknown, ("error", "ignore"), "unknown"),
        ):
            if value not in known:
                raise InputError(f"{what} must be one of {', '.join(known)}, not {value!r}.")
        return self


AS_PUBLISHED = Policy()


@dataclass(frozen=True, eq=False, repr=False)
class KeyComparison:
    """A gold key and systems that answer its instances; also a table of labels, which is a key of one word.

    `digest` tells comparisons apart that hold different data; `splits` are (mapping, test) keys for
    supervised recall.
    """

    name: str
    gold: Key
    systems: dict[str, Key]
    splits: tuple[tuple[Key, Key], ...] = ()
    digest: str = ""
    baselines: tuple[str, ...] = field(default=())  # those of the systems that nobody submitted

    @property
    def words(self) -> list[str]:
        return list(self.gold.words)

    def tables(self, system: str, policy: Policy = AS_PUBLISHED, word: str | None = None) -> dict[str, Contingency]:
        """The system's contingency table for each word, or for one word only."""
        gold, key = self.gold, self._system(system)
        if word is not None:
            asked, given = gold.answers(word), key.answers(word)
            if not any(given.labels(asked.instances)):  # which would be an error of a whole key
                return {} if policy.missing == "drop" else {word: _unanswered(asked, policy)}
            gold, key = Key(gold.name, gold.file, {word: asked}), Key(key.name, key.file, {word: given})
        return word_tables(gold, key, policy.missing, policy.soft, policy.unknown)

    def recall_splits(self, drawn=(), seed: int = 0, draws: int = 5) -> dict[str, list[tuple[Key, Key]]]:
        """Splits for supervised recall, by column: those at hand, and others drawn from the gold key, as
        "80:20".

        >>> from evalcore.keys import read_key
        >>> gold = read_key(b"a 1 x\\na 2 y\\na 3 x\\na 4 x\\na 5 y", "gold.key")
        >>> splits = KeyComparison("made", gold, {}).recall_splits(["60:40"])
        >>> {name: len(pairs) for name, pairs in splits.items()}
        {'60:40 drawn': 5}
        """
        splits = {"given": list(self.splits)} if self.splits else {}
        for share in drawn:
            mapping, _, test = share.partition(":")
            if not (mapping.isdecimal() and test.isdecimal() and int(mapping) + int(test) > 0):
                raise InputError(f"A split is written as 80:20, not as {share!r}.")
            portion = int(mapping) / (int(mapping) + int(test))
            splits[f"{share} drawn"] = [draw_split(self.gold, portion, seed + i) for i in range(draws)]
        return splits

    def _system(self, name):
        if name not in self.systems:
            raise InputError(f"There is no system called {name!r} in this comparison.")
        return self.systems[name]

    def __repr__(self):
        size = f"{len(self.systems)} systems, {len(self.gold)} instances of {len(self.words)} words"
        return f"<KeyComparison {self.name!r}: {size}>"


@dataclass(frozen=True, eq=False, repr=False)
class TableComparison:
    """Systems that are contingency tables, perhaps of different items; each stands for one word."""

    name: str
    systems: dict[str, Contingency]
    baselines: tuple[str, ...] = field(default=())

    words = [""]
    splits = ()

    def recall_splits(self, drawn=(), seed: int = 0, draws: int = 5) -> dict:
        """None: tables have no instances to split."""
        return {}

    def tables(self, system: str, policy: Policy = AS_PUBLISHED, word: str | None = None) -> dict[str, Contingency]:
        """The system's table, under the one word there is; policies have no say."""
        if system not in self.systems:
            raise InputError(f"There is no system called {system!r} in this comparison.")
        return {"": self.systems[system]}

    @cached_property
    def digest(self) -> str:
        parts = [(name, t.classes, t.clusters, t.counts.tolist()) for name, t in self.systems.items()]
        return hashlib.blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    @property
    def same_items(self) -> bool:
        """Whether all tables have the same classes of the same sizes."""
        sizes = [{c: n for c, n in zip(t.classes, t.class_sizes.tolist()) if n} for t in self.systems.values()]
        return all(other == sizes[0] for other in sizes[1:])

    def __repr__(self):
        return f"<TableComparison {self.name!r}: {len(self.systems)} tables>"


def _unanswered(asked, policy):
    """The table of a word that a system does not answer at all."""
    table = Contingency.from_labels(asked.labels(), [None] * len(asked), policy.missing)
    if not policy.soft:
        return table
    certain = np.ones((len(asked), 1)) if policy.missing == "cluster" else np.eye(len(asked))
    return Contingency.from_memberships(asked.labels(), certain, table.clusters)


def comparison_from_labels(labels: LabelTable, digest: str = "") -> KeyComparison:
    """A table of labels as a comparison: its items are the instances of one word that is called like the
    table.

    Items without a gold label are left out.

    >>> from evalcore.tables import read_labels
    >>> labels = read_labels(b"item,gold,mine\\n1,a,x\\n2,b,\\n3,,x", "labels.csv")
    >>> comparison = comparison_from_labels(labels)
    >>> comparison, comparison.tables("mine")["labels"].clusters
    (<KeyComparison 'labels': 1 systems, 2 instances of 1 words>, ('x', '(unanswered)'))
    """
    scored = [at for at, label in enumerate(labels.gold) if label is not None]

    def key(name, column):
        answers = answers_from({labels.items[at]: column[at] for at in scored}, np.array(scored) + 2)
        return Key(name, labels.file, {labels.name: answers})

    systems = {name: key(name, column) for name, column in labels.systems.items()}
    return KeyComparison(labels.name, key("gold", labels.gold), systems, digest=digest)


def answers_from(answers: dict[str, str | dict[str, float] | None], lines=None) -> Answers:
    """One word's answers: by instance a sense, senses with weights, or None.

    >>> answers_from({"1": "A", "2": {"A": 0.25, "B": 0.75}, "3": None}).labels()
    ['A', 'B', None]
    """
    senses: dict[str, int] = {}
    starts, codes, weights = [0], [], []
    for answer in answers.values():
        given = {} if answer is None else {answer: 1.0} if isinstance(answer, str) else answer
        codes += [senses.setdefault(sense, len(senses)) for sense in given]
        weights += given.values()
        starts.append(len(codes))
    lines = np.arange(1, len(answers) + 1) if lines is None else lines
    return Answers(
        {name: at for at, name in enumerate(answers)},
        lines,
        tuple(senses),
        np.array(starts),
        np.array(codes, dtype=np.int64),
        np.array(weights, dtype=float),
    )
