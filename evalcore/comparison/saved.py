"""A whole comparison as a JSON file that restores it: the data, and the settings under which it was looked
at.
"""

import hashlib
import json
import sys

from ..contingency import Contingency
from ..errors import InputError
from ..keys import Key
from ..text import quoted, read_bytes
from .sources import KeyComparison, TableComparison, answers_from

MARK = "measure_lab_comparison"
VERSION = 1


def to_json(comparison: KeyComparison | TableComparison | None, settings: dict[str, str] | None = None) -> str:
    """The comparison (without its baselines, which settings bring back) and the settings as text for a file.

    None stands for data that needs no file, such as a published table.

    >>> from evalcore.keys import read_key
    >>> gold, mine = read_key(b"a 1 x\\na 2 y", "gold.key"), read_key(b"a 1 A/0.5 B/0.25\\na 2", "mine.key")
    >>> saved = to_json(KeyComparison("made", gold, {"mine": mine}), {"view": "Doubt"})
    >>> from_json(saved.encode())
    (<KeyComparison 'made': 1 systems, 2 instances of 1 words>, {'view': 'Doubt'})
    """
    content: dict = {MARK: VERSION, "settings": settings or {}}
    if comparison is not None:
        systems = {name: system for name, system in comparison.systems.items() if name not in comparison.baselines}
        content["name"] = comparison.name
        if isinstance(comparison, KeyComparison):
            content |= {
                "gold": _key(comparison.gold),
                "systems": {name: _key(key) for name, key in systems.items()},
                "splits": [[_key(part) for part in split] for split in comparison.splits],
            }
        else:
            content["tables"] = {
                name: {
                    "classes": list(map(str, t.classes)),
                    "clusters": list(map(str, t.clusters)),
                    "counts": t.counts.tolist(),
                }
                for name, t in systems.items()
            }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _key(key):
    return {
        "file": key.file,
        "words": {
            word: {name: _answer(answers, at) for name, at in answers.instances.items()}
            for word, answers in key.words.items()
        },
    }


def _answer(answers, at):
    span = slice(answers.starts[at], answers.starts[at + 1])
    weights = {
        answers.senses[code]: weight
        for code, weight in zip(answers.codes[span].tolist(), answers.weights[span].tolist())
    }
    if len(weights) == 1 and 1.0 in weights.values():
        return next(iter(weights))
    return weights or None


def from_json(source, name: str | None = None) -> tuple[KeyComparison | TableComparison | None, dict[str, str]]:
    """The comparison of a saved file and its settings; one sentence says what is wrong with a file that
    holds none.
    """
    data, file = read_bytes(source, name)
    try:
        content = json.loads(data, parse_constant=_refuse)
        if b"\\ud" in data.lower():  # half of a surrogate pair is no text that could be shown or saved again
            json.dumps(content, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or content.get(MARK) != VERSION:
        raise InputError(f"{file} is not a comparison saved from Measure Lab.")
    settings = _mapping(content.get("settings"), f"{file}: its settings")
    if not all(isinstance(value, str) for value in settings.values()):
        raise InputError(f"{file}: its settings are not all text.")
    title = content.get("name", "")
    if not isinstance(title, str):
        raise InputError(f"{file}: its name is not text.")
    if "tables" in content:
        tables = _mapping(content["tables"], f"{file}: its tables")
        if not tables:
            raise InputError(f"{file} holds no tables.")
        return TableComparison(title, {k: _table(v, f"{file}, table {quoted(k)}") for k, v in tables.items()}), settings
    if "gold" not in content:
        return None, settings
    gold = _read_key(content["gold"], "gold", f"{file}, gold", every_sense=True)
    systems = {
        k: _read_key(v, k, f"{file}, system {quoted(k)}")
        for k, v in _mapping(content.get("systems"), f"{file}: its systems").items()
    }
    digest = hashlib.blake2b(data, digest_size=16).hexdigest()
    return KeyComparison(title, gold, systems, _splits(content.get("splits", []), file), digest), settings


def _splits(content, file):
    if not isinstance(content, list) or not all(isinstance(split, list) and len(split) == 2 for split in content):
        raise InputError(f"{file}: its splits are not pairs of keys.")
    return tuple(
        tuple(
            _read_key(part, what, f"{file}, {what} key {number}", every_sense=True)
            for part, what in zip(split, ("mapping", "test"), strict=True)
        )
        for number, split in enumerate(content, 1)
    )


def _read_key(content, name, place, every_sense=False):
    content = _mapping(content, place)
    words = _mapping(content.get("words"), f"{place}: its words")
    if not words:
        raise InputError(f"{place} has no words.")
    file = content.get("file", name)
    return Key(
        name,
        file if isinstance(file, str) and file else name,
        {word: _read_answers(answers, f"{place}, word {quoted(word)}", every_sense) for word, answers in words.items()},
    )


def _read_answers(content, place, every_sense):
    answers = _mapping(content, place)
    if not answers:
        raise InputError(f"{place} has no instances.")
    for instance, answer in answers.items():
        if isinstance(answer, dict):
            good = bool(answer) and all(map(_is_weight, answer.values())) and any(answer.values())
        else:
            good = answer is None or isinstance(answer, str)
            if answer is None and every_sense:
                raise InputError(f"{place}, instance {quoted(instance)} has no sense, which a gold key must give.")
        if not good:
            raise InputError(
                f"{place}, instance {quoted(instance)}: an answer is a sense, senses with weights that are "
                f"not all zero, or null."
            )
    return answers_from(answers)


def _is_weight(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= sys.float_info.max


def _table(content, place):
    content = _mapping(content, place)
    names = [content.get("classes"), content.get("clusters")]
    if not all(isinstance(side, list) and all(isinstance(x, str) for x in side) for side in names):
        raise InputError(f"{place}: its classes and clusters are not lists of names.")
    if not isinstance(content.get("counts"), list):
        raise InputError(f"{place} holds no counts.")
    try:
        return Contingency.from_matrix(content["counts"], *names)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


def _mapping(content, what):
    if not isinstance(content, dict):
        raise InputError(f"{what} cannot be read.")
    return content


def _refuse(constant):
    raise ValueError(f"{constant} is not JSON")
