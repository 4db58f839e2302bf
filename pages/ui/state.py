"""State and permalinks: each page declares its fields in one table; the link, the widgets and the saved file follow from it.

A field's value lives in st.session_state under `key(page, name)`, which is also its widget's key. What differs from the default
is written to the address; a link is read once, when it is new. Values survive going to another page and back.
"""

import base64
import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from evalcore import Contingency, InputError

LONGEST_LINK = 6000  # characters; browsers take more, but mail programs and proxies cut longer ones


@dataclass(frozen=True)
class Field:
    """One value of a page: its name in links, how it is written and read there, and what it is when a link is silent."""

    name: str
    default: Any
    encode: Callable[[Any], str]
    decode: Callable[[str], Any]


def key(page: str, name: str) -> str:
    """The session-state (and widget) key of a field."""
    return f"{page}.{name}"


# ---- kinds of fields ---------------------------------------------------------------------------------------------------


def choice(name: str, options: Sequence, default) -> Field:
    """One of the options."""
    by_text = {str(option): option for option in options}

    def decode(text):
        if text not in by_text:
            raise InputError(f"“{text}” is not one of {', '.join(filter(None, by_text))}")
        return by_text[text]

    return Field(name, default, str, decode)


def choices(name: str, options: Sequence[str], default: Sequence[str]) -> Field:
    """Several of the options, in any order."""

    def decode(text):
        chosen = [part for part in text.split(",") if part]
        for part in chosen:
            if part not in options:
                raise InputError(f"“{part}” is not one of {', '.join(options)}")
        return chosen

    return Field(name, list(default), lambda value: ",".join(value), decode)


def number(name: str, default: float, low: float, high: float) -> Field:
    """A number between low and high."""

    def decode(text):
        try:
            value = float(text)
        except ValueError:
            raise InputError(f"“{text}” is not a number") from None
        if not low <= value <= high:
            raise InputError(f"{text} is not between {low:g} and {high:g}")
        return value

    return Field(name, default, _exactly, decode)


def _exactly(value) -> str:
    """The shortest text that reads back as the same number."""
    return repr(float(value)).removesuffix(".0") if isinstance(value, float) else str(int(value))


def integer(name: str, default: int, low: int, high: int) -> Field:
    """A whole number between low and high."""

    def decode(text):
        try:
            value = int(text)
        except ValueError:
            raise InputError(f"“{text}” is not a whole number") from None
        if not low <= value <= high:
            raise InputError(f"{text} is not between {low} and {high}")
        return value

    return Field(name, default, lambda value: str(int(value)), decode)


def flag(name: str, default: bool = False) -> Field:
    """Yes or no."""
    return choice(name, (True, False), default)


def text(name: str, default: str = "", most: int = 500) -> Field:
    """Free text; whatever it says, it is data."""

    def decode(value):
        if len(value) > most:
            raise InputError(f"it has {len(value)} characters, more than {most}")
        return value

    return Field(name, default, str, decode)


def span(name: str, default: tuple, low: float, high: float) -> Field:
    """A range (from, to) within low and high."""
    kind = type(default[0])

    def decode(value):
        try:
            first, last = (kind(part) for part in value.split("~"))
        except ValueError:
            raise InputError(f"“{value}” is not a range") from None
        if not low <= first <= last <= high:
            raise InputError(f"{value} is not a range within {low:g} and {high:g}")
        return first, last

    return Field(name, tuple(default), lambda value: "~".join(map(_exactly, value)), decode)


def table(name: str, default: Contingency | None = None) -> Field:
    """A contingency table, packed."""
    return Field(name, default, lambda value: pack(table_to_json(value)), lambda value: table_from_json(unpack(value)))


def tables(name: str, default: dict[str, Contingency] | None = None) -> Field:
    """Named tables, packed."""

    def decode(value):
        data = unpack(value)
        if not isinstance(data, dict):
            raise InputError("it holds no named tables")
        return {str(k): table_from_json(v) for k, v in data.items()}

    return Field(name, default or {}, lambda value: pack({k: table_to_json(v) for k, v in value.items()}), decode)


# ---- packing -----------------------------------------------------------------------------------------------------------


def table_to_json(value: Contingency) -> dict:
    """The table as plain data: counts, and names where they are not the usual c1, c2, ..., k1, k2, ..."""
    data: dict[str, Any] = {"counts": value.counts.tolist()}
    for side, names, letter in (("classes", value.classes, "c"), ("clusters", value.clusters, "k")):
        names = [str(x) for x in names]
        if names != [f"{letter}{i + 1}" for i in range(len(names))]:
            data[side] = names
    return data


def table_from_json(data) -> Contingency:
    if not isinstance(data, dict) or not isinstance(data.get("counts"), list):
        raise InputError("it holds no table")
    for side in ("classes", "clusters"):
        names = data.get(side)
        if names is not None and not (isinstance(names, list) and all(isinstance(x, str) for x in names)):
            raise InputError(f"its {side} are not a list of names")
    return Contingency.from_matrix(data["counts"], data.get("classes"), data.get("clusters"))


def pack(data) -> str:
    """Data as a short run of characters that a link can hold."""
    raw = json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()
    return base64.urlsafe_b64encode(zlib.compress(raw, 9)).decode().rstrip("=")


def unpack(value: str):
    try:
        raw = base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
        unzip = zlib.decompressobj()
        plain = unzip.decompress(raw, 5_000_000)  # a small link must not unfold into all our memory
        if not unzip.eof:
            raise ValueError
        return json.loads(plain)
    except (ValueError, zlib.error, RecursionError):
        raise InputError("it is cut off or garbled") from None


# ---- a page's state ----------------------------------------------------------------------------------------------------


class PageState:
    """The fields of a page: read and set by name, opened at the start of a run and closed at its end."""

    def __init__(self, page: str, fields: Sequence[Field]):
        self.page, self.fields = page, {f.name: f for f in fields}
        if len(self.fields) != len(fields):
            raise ValueError(f"two fields of {page} share a name")
        self.notes: list[str] = []  # what could not be read from a link
        self.too_large = False

    def key(self, name: str) -> str:
        return key(self.page, name) if name in self.fields else self._unknown(name)

    def _unknown(self, name):
        raise KeyError(f"page {self.page} declares no field {name!r}")

    def __getitem__(self, name: str):
        return st.session_state[self.key(name)]

    def __setitem__(self, name: str, value):
        """Before the field's widget is drawn in this run, or in a callback."""
        st.session_state[self.key(name)] = value

    def open(self, link: dict[str, str], is_new: bool, arrived: bool = False):
        """Take the values of a new link, or those at hand from before.

        `arrived`: from another page that has widgets of the same keys. Streamlit tells them apart by page, and here they would begin
        anew, empty, if their values were not set again.
        """
        kept = st.session_state.setdefault("_kept", {}).setdefault(self.page, {})
        for name, field in self.fields.items():
            if is_new:
                self[name] = self._from_link(field, link)
            elif self.key(name) not in st.session_state or arrived and name in kept:
                self[name] = kept.get(name, field.default)  # Streamlit forgets a widget while another page is shown

    def _from_link(self, field, link):
        if field.name not in link:
            return field.default
        try:
            return field.decode(link[field.name])
        except InputError as error:
            self.notes.append(f"The link's “{field.name}” was not used: {str(error).rstrip('.')}.")
            return field.default

    def close(self) -> dict[str, str]:
        """Keep the values for later and return those that differ from the defaults, as a link writes them."""
        kept = {name: self[name] for name in self.fields if self.key(name) in st.session_state}
        st.session_state["_kept"][self.page] = kept
        return {
            name: self.fields[name].encode(value)
            for name, value in kept.items()
            if value is not None and not _same(value, self.fields[name].default)
        }

    def load(self, values: dict[str, str]):
        """Take the values of a saved file (in a callback, or before the widgets are drawn)."""
        self.notes.clear()
        self.open(values, is_new=True)


def _same(value, default):
    return type(value) is type(default) and value == default
