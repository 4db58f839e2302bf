"""SemEval and Senseval keys: `word instance sense[/weight] ...`, one line an instance."""

import re
from array import array
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .errors import InputError
from .text import quoted, read_lines, title

COMMENT = re.compile(r"(?:^|\s)!!")
INFINITY = float("inf")
LARGEST_SOFT = 20_000_000  # weights spread out as instances x senses


@dataclass(frozen=True, eq=False, repr=False)
class Answers:
    """One word's instances with their weighted senses, in flat arrays.

    Entry i is the sense `senses[codes[i]]` with `weights[i]`; instance number j owns the entries from
    `starts[j]` to before `starts[j + 1]`.
    """

    instances: dict[str, int]  # name -> number
    lines: np.ndarray  # where each instance stands in the file
    senses: tuple[str, ...]
    starts: np.ndarray
    codes: np.ndarray
    weights: np.ndarray

    def __len__(self):
        return len(self.instances)

    @cached_property
    def hard(self) -> np.ndarray:
        """Each instance's sense of the largest weight, the first on a tie, as a code; -1 if it has none."""
        best = np.full(len(self), -1)
        answered = np.flatnonzero(np.diff(self.starts))
        if len(answered):
            firsts = self.starts[answered]
            largest = np.maximum.reduceat(self.weights, firsts)
            at_largest = np.flatnonzero(self.weights == np.repeat(largest, np.diff(self.starts)[answered]))
            best[answered] = self.codes[at_largest[np.searchsorted(at_largest, firsts)]]
        return best

    def labels(self, names=None) -> list[str | None]:
        """The hard answers by name, of all instances or of those named; None where there is none."""
        labels = [None if code < 0 else self.senses[code] for code in self.hard.tolist()]
        return labels if names is None else [None if at < 0 else labels[at] for at in self._numbers(names)]

    def distributions(self, names) -> np.ndarray:
        """The named instances' weights over their sum, shape (names, senses); zeros if there is no answer."""
        weights = np.zeros((len(self) + 1, len(self.senses)))  # the last row is for those that are not here
        weights[np.repeat(np.arange(len(self)), np.diff(self.starts)), self.codes] = self.weights
        largest = weights.max(axis=1, keepdims=True, initial=0.0)
        weights /= np.where(largest > 0, largest, 1.0)  # so that no sum overflows
        total = weights.sum(axis=1, keepdims=True)
        return (weights / np.where(total > 0, total, 1.0))[self._numbers(names)]

    def _numbers(self, names):
        return [self.instances.get(name, -1) for name in names]

    def take(self, numbers) -> "Answers":
        """Only the instances of these numbers, in this order."""
        names = list(self.instances)
        spans = [np.arange(self.starts[j], self.starts[j + 1]) for j in numbers]
        entries = np.concatenate([np.zeros(0, dtype=np.intp), *spans])
        return Answers(
            {names[j]: i for i, j in enumerate(numbers)},
            self.lines[numbers],
            self.senses,
            np.cumsum([0, *map(len, spans)]),
            self.codes[entries],
            self.weights[entries],
        )


NO_ANSWERS = Answers({}, np.zeros(0, np.int64), (), np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0))


@dataclass(frozen=True, eq=False, repr=False)
class Key:
    """A gold standard or a system's answers, word by word."""

    name: str
    file: str
    words: dict[str, Answers]

    def answers(self, word: str) -> Answers:
        """The answers to a word; none if the key does not hold it."""
        return self.words.get(word, NO_ANSWERS)

    def distributions(self, word: str, names) -> np.ndarray:
        """`Answers.distributions` of a word, if they are not too many."""
        answers = self.answers(word)
        check_soft_size(len(answers), len(answers.senses), f"{self.file}, {quoted(word)}")
        return answers.distributions(names)

    def require_senses(self) -> None:
        """Refuse to serve as gold if an instance has no sense."""
        empty = [line for answers in self.words.values() for line in answers.lines[answers.hard < 0].tolist()]
        if empty:
            raise InputError(f"{self.file}, line {min(empty)}: this instance has no sense, which a gold key must give.")

    def __len__(self):
        return sum(map(len, self.words.values()))

    def __repr__(self):
        return f"<Key {self.name!r}: {len(self)} instances of {len(self.words)} words>"


def read_key(source, name: str | None = None) -> Key:
    """A key from a path, bytes, or a file open for reading.

    Fields are separated by white space. A sense without a weight weighs 1; a line without a sense is an
    instance left unanswered. Lines that start with # and what follows !! are comments. An instance may be
    listed again if its answer is the same; a sense may not be listed twice on a line.

    >>> key = read_key(b"bank.n bank.n.1 money/0.2 river/0.8\\nbank.n bank.n.2 money", "system.key")
    >>> key, key.words["bank.n"].labels()
    (<Key 'system': 2 instances of 1 words>, ['river', 'money'])
    """
    lines, file = read_lines(source, name)
    words: dict[str, _Growing] = {}
    for number, line in enumerate(lines, 1):
        if "!!" in line:
            line = COMMENT.split(line, maxsplit=1)[0]
        fields = line.split()
        if not fields or fields[0].startswith("#"):
            continue
        if len(fields) < 2:
            raise InputError(
                f"{file}, line {number}: {quoted(fields[0])} stands alone; a line is a word, an instance and "
                "senses, separated by blanks or tabs."
            )
        senses, weights = _senses(fields, file, number)
        words.setdefault(fields[0], _Growing()).add(fields[1], senses, weights, file, number)
    if not words:
        raise InputError(f"{file} holds only comments, no answers.")
    return Key(title(file), file, {word: growing.answers() for word, growing in words.items()})


def check_soft_size(instances: int, senses: int, where: str) -> None:
    """Refuse soft answers that would not fit in memory."""
    if instances * senses > LARGEST_SOFT:
        raise InputError(f"{where}: {instances:,} instances x {senses:,} senses are too many for soft answers.")


def _senses(fields, file, number):
    senses, weights = [], []
    for field in fields[2:]:
        sense, slash, written = field.rpartition("/")
        if slash:
            try:
                weight = float(written)
            except ValueError:
                weight = -1.0
            if not 0.0 <= weight < INFINITY or "_" in written:
                raise InputError(f"{file}, line {number}: the weight of {quoted(field)} is not a number of 0 or more.")
        else:
            sense, weight = field, 1.0
        if not sense:
            raise InputError(f"{file}, line {number}: there is no sense before the weight in {quoted(field)}.")
        senses.append(sense)
        weights.append(weight)
    if weights and not any(weights):
        raise InputError(f"{file}, line {number}: all weights are zero.")
    if len(set(senses)) < len(senses):
        seen = set()
        twice = next(sense for sense in senses if sense in seen or seen.add(sense))
        raise InputError(f"{file}, line {number}: sense {quoted(twice)} is listed twice.")
    return senses, weights


class _Growing:
    """The answers of one word while its lines are read; arrays, since a key may hold millions of weights."""

    def __init__(self):
        self.instances, self.senses = {}, {}
        self.lines, self.starts, self.codes, self.weights = (
            array("q"),
            array("q", [0]),
            array("q"),
            array("d"),
        )

    def add(self, instance, senses, weights, file, line):
        known = self.senses
        codes = [known.setdefault(sense, len(known)) for sense in senses]
        before = self.instances.setdefault(instance, len(self.instances))
        if before < len(self.lines):
            if not self._agrees(before, codes, weights):
                raise InputError(
                    f"{file}, line {line}: instance {quoted(instance)} is answered otherwise in "
                    f"line {self.lines[before]}."
                )
            return
        self.lines.append(line)
        self.codes.extend(array("q", codes))
        self.weights.extend(array("d", weights))
        self.starts.append(len(self.codes))

    def _agrees(self, number, codes, weights):
        span = slice(self.starts[number], self.starts[number + 1])
        old_codes, old_weights = self.codes[span].tolist(), self.weights[span].tolist()
        if dict(zip(codes, weights, strict=True)) != dict(zip(old_codes, old_weights, strict=False)):
            return False
        # the order matters only where it decides a tie
        return not codes or codes[weights.index(max(weights))] == old_codes[old_weights.index(max(old_weights))]

    def answers(self):
        return Answers(
            self.instances,
            np.array(self.lines),
            tuple(self.senses),
            np.array(self.starts),
            np.array(self.codes),
            np.array(self.weights),
        )
