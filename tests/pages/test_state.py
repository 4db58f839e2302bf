"""State and links: whatever a page holds comes back from its link, and no link can break a page."""

import base64
import json
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from evalcore import Contingency, InputError
from pages.ui import state
from pages.ui.state import LONGEST_LINK, pack, unpack

R = Contingency.from_matrix([[3, 1], [0, 4]])
NAMED = Contingency.from_matrix([[0.5, 1], [2, 0]], ["<b>a</b>", "*b*"], ["x, y", "ключ 🔑"])

KINDS = [
    (state.choice("f", ("one", "two"), "one"), ["two"]),
    (state.choice("f", (1, 2.5, None), 1), [2.5, None]),
    (state.choices("f", ("a", "b", "c"), ("a",)), [["c", "a"], []]),
    (state.number("f", 0.5, -10, 10), [0.1 + 0.2, -1e-9, 10, 3.0, np.float64(1 / 3)]),
    (state.integer("f", 1, -5, 10**9), [10**9, -5, np.int64(7)]),
    (state.flag("f"), [True]),
    (state.text("f", "", 40), ["", "a b&c=d+e%20\n?#", "ünï 🔑", "x" * 40]),
    (state.span("f", (1, 5), 0, 10**13), [(2, 3), (0, 10**13)]),
    (state.span("f", (0.0, 1.0), 0, 1), [(0.1, 0.3), (1 / 3, 2 / 3)]),
    (state.table("f"), [R, NAMED]),
    (state.tables("f"), [{"R": R, "named & more": NAMED}]),
]


@pytest.mark.parametrize(("field", "value"), [(field, value) for field, values in KINDS for value in values])
def test_every_kind_of_field_comes_back_as_it_was(field, value):
    text = field.encode(value)
    assert isinstance(text, str)
    back = field.decode(text)
    assert back == value
    if isinstance(value, Contingency):
        assert back.is_whole == value.is_whole


@given(some.floats(-1e6, 1e6))
def test_numbers_come_back_exactly(value):
    field = state.number("f", 0.0, -1e6, 1e6)
    assert field.decode(field.encode(value)) == value


@pytest.mark.parametrize(
    ("field", "text", "why"),
    [
        (state.choice("f", ("one", "two"), "one"), "three", "“three” is not one of one, two"),
        (state.choices("f", ("a", "b"), ("a",)), "a,z", "“z” is not one of a, b"),
        (state.number("f", 0.5, 0, 1), "much", "“much” is not a number"),
        (state.number("f", 0.5, 0, 1), "nan", "nan is not between 0 and 1"),
        (state.number("f", 0.5, 0, 1), "inf", "inf is not between 0 and 1"),
        (state.number("f", 0.5, 0, 1), "1.01", "1.01 is not between 0 and 1"),
        (state.integer("f", 1, 0, 9), "1.5", "“1.5” is not a whole number"),
        (state.integer("f", 1, 0, 9), "10", "10 is not between 0 and 9"),
        (state.integer("f", 1, 0, 9), "9" * 5000, "is not a whole number"),
        (state.flag("f"), "yes", "“yes” is not one of True, False"),
        (state.text("f", "", 4), "12345", "it has 5 characters, more than 4"),
        (state.span("f", (1, 5), 0, 9), "3", "“3” is not a range"),
        (state.span("f", (1, 5), 0, 9), "5~3", "5~3 is not a range within 0 and 9"),
        (state.span("f", (0.0, 1.0), 0, 1), "0~nan", "0~nan is not a range"),
        (state.tables("f"), pack([1, 2]), "it holds no named tables"),
        (state.tables("f"), pack({"a": 1}), "it holds no table"),
    ],
)
def test_what_no_field_can_be_is_refused_with_the_reason(field, text, why):
    with pytest.raises(InputError, match=".*") as refused:
        field.decode(text)
    assert why in str(refused.value)


def packed(data) -> str:
    return base64.urlsafe_b64encode(zlib.compress(json.dumps(data).encode())).decode().rstrip("=")


GOOD = pack({"counts": [[3, 1], [0, 4]]})
BOMB = base64.urlsafe_b64encode(zlib.compress(b'{"counts":[[' + b"1," * 20_000_000 + b"1]]}", 9)).decode()
DEEP = base64.urlsafe_b64encode(zlib.compress(b"[" * 200_000)).decode()
BAD_TABLES = {
    "empty": "",
    "cut": GOOD[:-6],
    "without its checksum": GOOD[:-3],
    "two letters swapped": GOOD[:8] + GOOD[9] + GOOD[8] + GOOD[10:],
    "no base64": "§§§ not at all",
    "no zlib": base64.urlsafe_b64encode(b"plain text").decode(),
    "no JSON": base64.urlsafe_b64encode(zlib.compress(b"{'counts'")).decode(),
    "no UTF-8": base64.urlsafe_b64encode(zlib.compress(b'{"counts": "\xff"}')).decode(),
    "bomb": BOMB,
    "deep": DEEP,
    "a list": packed([[1, 2]]),
    "a number": packed(3),
    "no counts": packed({"classes": ["a"]}),
    "counts of text": packed({"counts": [["a", "b"]]}),
    "ragged": packed({"counts": [[1, 2], [3]]}),
    "negative": packed({"counts": [[1, -2]]}),
    "zeros": packed({"counts": [[0, 0]]}),
    "NaN": packed({"counts": [[1, float("nan")]]}),
    "infinite": packed({"counts": [[1, float("inf")]]}),
    "no cells": packed({"counts": []}),
    "three deep": packed({"counts": [[[1]]]}),
    "objects": packed({"counts": [[{"a": 1}]]}),
    "names that are none": packed({"counts": [[1, 2]], "clusters": [1, 2]}),
    "names too many": packed({"counts": [[1, 2]], "clusters": ["a", "b", "c"]}),
    "names twice": packed({"counts": [[1, 2]], "clusters": ["a", "a"]}),
}


@pytest.mark.parametrize("text", BAD_TABLES.values(), ids=BAD_TABLES)
def test_a_bad_table_gives_the_reason_and_no_other_exception(text):
    with pytest.raises(InputError):
        state.table("f").decode(text)


@given(some.text(max_size=60) | some.text(alphabet="abcXYZ012-_=eJzq", max_size=80))
def test_no_text_unpacks_to_anything_but_data_or_the_error(text):
    try:
        unpack(text)
    except InputError:
        pass


@given(some.data())
def test_a_garbled_good_link_is_read_right_or_refused(data):
    text = pack(state.table_to_json(NAMED))
    at = data.draw(some.integers(0, len(text) - 1))
    garbled = text[:at] + data.draw(some.text(max_size=3)) + text[at + data.draw(some.integers(0, 2)) :]
    try:
        assert state.table("f").decode(garbled) == NAMED
    except InputError:
        pass


def test_a_12_by_12_table_with_names_fits_into_a_link():
    rng = np.random.default_rng(1)
    counts = rng.poisson(6, (12, 12)) * rng.integers(1, 40, (12, 12))
    names = [f"{word} {number}" for number, word in enumerate(["sense of the word", "Kategorie", "класс"] * 4, 1)]
    table = Contingency.from_matrix(counts, names, [f"cluster of {name}" for name in names])
    text = state.table("table").encode(table)
    assert len(text) < LONGEST_LINK / 2  # a pinned one of the same size fits too
    assert state.table("table").decode(text) == table
