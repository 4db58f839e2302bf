"""Co-occurrence counts from files: tables of noun, verb and count; plain text; the classes of nouns."""

import re

import numpy as np
import pandas as pd
from scipy import sparse

from ..delimited import find_separator, read_rows
from ..errors import InputError
from ..text import quoted, read_lines
from .counts import LARGEST_NOUNS, LARGEST_VERBS, Cooccurrence, check_size

LARGEST_TEXT = 20_000_000  # characters
LARGEST_WINDOW = 10
HEADERS = {"noun", "nouns", "word", "words", "object"}  # what a header's first cell may say
TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[.!?;:]|\n[ \t]*\n")


def read_pairs(source, name: str | None = None) -> Cooccurrence:
    """Counts from lines of noun, verb and count; a line without a count is one pair. Repeated pairs add up.

    Parameters
    ----------
    source : a path, bytes, or a file open for reading
    name : what messages call the file

    >>> pairs = read_pairs(b"noun,verb,count\\ntea,drink,3\\ncoal,burn,2\\ntea,drink,1", "pairs.csv")
    >>> pairs.counts.toarray().tolist()
    [[2, 0], [0, 4]]
    """
    rows, numbers, file = _cells(source, name)
    width = len(rows[0])
    if width not in (2, 3):
        raise InputError(
            f"{file}, line {numbers[0]}: there are {width} cells; a line holds noun, verb and count, or noun and verb."
        )
    if rows[0][0].lower() in HEADERS or (width == 3 and not _whole(rows[0][2])):
        rows, numbers = rows[1:], numbers[1:]
    if not rows:
        raise InputError(f"{file} has a header but no pairs below it.")
    counts = np.ones(len(rows), dtype=np.int64)
    for at, (row, number) in enumerate(zip(rows, numbers, strict=True)):
        if len(row) != width:
            raise InputError(f"{file}, line {number}: there are {len(row)} cells, but the first line has {width}.")
        if not row[0] or not row[1]:
            raise InputError(f"{file}, line {number}: the {'verb' if row[0] else 'noun'} is missing.")
        if width == 3:
            if not _whole(row[2]):
                raise InputError(f"{file}, line {number}: the count must be a whole number, not {quoted(row[2])}.")
            counts[at] = int(row[2])
    return _counted([row[0] for row in rows], [row[1] for row in rows], counts, file)


def read_classes(source, name: str | None = None) -> dict[str, str]:
    """The class of each noun, from lines of noun and class.

    >>> read_classes(b"tea;drink\\ncoal;fuel", "classes.csv")
    {'tea': 'drink', 'coal': 'fuel'}
    """
    rows, numbers, file = _cells(source, name)
    classes, first = {}, 1 if rows[0][0].lower() in HEADERS else 0
    for row, number in zip(rows[first:], numbers[first:], strict=True):
        if len(row) != 2 or not all(row):
            raise InputError(f"{file}, line {number}: a line holds a noun and its class.")
        if classes.setdefault(row[0], row[1]) != row[1]:
            raise InputError(
                f"{file}, line {number}: {quoted(row[0])} has the class {quoted(classes[row[0]])} already."
            )
    if not classes:
        raise InputError(f"{file} has a header but no nouns below it.")
    return classes


def with_classes(pairs: Cooccurrence, classes: dict[str, str]) -> Cooccurrence:
    """The same counts with these gold classes; nouns that are not listed have none."""
    gold = tuple(classes.get(noun) for noun in pairs.nouns)
    if not any(gold):
        raise InputError("None of the nouns that have a class is among the nouns counted.")
    return Cooccurrence(pairs.counts, pairs.nouns, pairs.verbs, gold, pairs.truth)


def count_text(text: str, window: int | None = None, most_nouns: int = 200, most_verbs: int = 1_000) -> Cooccurrence:
    """Counts from plain text: the most frequent words, by the words that stand next to them.

    Parameters
    ----------
    window : None counts a word with its right-hand neighbour; w with all words up to w places away
    most_nouns, most_verbs : how many words, and how many context words, to keep; the most frequent ones

    Words are lower-cased runs of letters; sentences and paragraphs are not crossed.

    >>> count_text("Drink tea. Drink milk and burn coal.", most_nouns=4).to_frame().loc["drink"].to_dict()
    {'and': 0, 'burn': 0, 'coal': 0, 'milk': 1, 'tea': 1}
    """
    if len(text) > LARGEST_TEXT:
        raise InputError(f"The text has {len(text):,} characters; {LARGEST_TEXT:,} are the limit.")
    if window is not None and not 1 <= window <= LARGEST_WINDOW:
        raise InputError(f"The window must lie between 1 and {LARGEST_WINDOW} words, not {window}.")
    for value, limit, what in (
        (most_nouns, LARGEST_NOUNS, "words"),
        (most_verbs, LARGEST_VERBS, "context words"),
    ):
        if not 2 <= value <= limit:
            raise InputError(f"The number of {what} to keep must lie between 2 and {limit:,}, not {value:,}.")
    tokens = np.array(TOKEN.findall(text.lower()), dtype=object)
    is_word = np.array([token[0].isalpha() for token in tokens], dtype=bool)
    if is_word.sum() < 2:
        raise InputError("The text holds fewer than two words.")
    sentence = np.cumsum(~is_word)[is_word]
    codes, words = pd.factorize(tokens[is_word], sort=True)
    left, right = [], []
    for distance in range(1, (window or 1) + 1):
        same = sentence[distance:] == sentence[:-distance]
        left.append(codes[:-distance][same])
        right.append(codes[distance:][same])
    noun, verb = np.concatenate(left), np.concatenate(right)
    if window is not None:
        noun, verb = np.concatenate([noun, verb]), np.concatenate([verb, noun])
    nouns, verbs = _frequent(noun, len(words), most_nouns), _frequent(verb, len(words), most_verbs)
    kept = np.isin(noun, nouns) & np.isin(verb, verbs)
    if not kept.any():
        raise InputError("No two words of the text stand side by side within a sentence.")
    return _counted(words[noun[kept]], words[verb[kept]], np.ones(kept.sum(), dtype=np.int64), "The text")


def _frequent(codes, size, most):
    """The most frequent codes; of equals the first in the alphabet."""
    return np.argsort(-np.bincount(codes, minlength=size), kind="stable")[:most]


def _counted(nouns, verbs, counts, file):
    (rows, nouns), (columns, verbs) = (pd.factorize(np.asarray(x, dtype=object), sort=True) for x in (nouns, verbs))
    try:
        check_size(len(nouns), len(verbs), int(counts.sum()))
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
    table = sparse.coo_array((counts, (rows, columns)), shape=(len(nouns), len(verbs))).tocsr()
    return Cooccurrence(table, tuple(nouns), tuple(verbs))


def _cells(source, name):
    lines, file = read_lines(source, name)
    separator = find_separator(lines)
    if separator is None:
        separator, lines = " ", [" ".join(line.split()) for line in lines]
    return *read_rows(lines, separator, file), file


def _whole(cell):
    return cell.isascii() and cell.isdigit() and len(cell) <= 15
