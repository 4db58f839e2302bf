"""A batch of files, as people drop them on a page: what each one is, and what is wrong with those that
cannot be used.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..contingency import Contingency
from ..errors import InputError
from ..keys import Key, read_key
from ..labels import unused_name
from ..tables import NUMBER, LabelTable, read_labels, read_matrix
from ..text import LARGEST, title
from .saved import MARK, from_json
from .sources import KeyComparison, TableComparison, comparison_from_labels

KINDS = {
    "saved": "a saved comparison",
    "keys": "a key",
    "labels": "a table of labels",
    "matrices": "a matrix",
}
SPLIT = re.compile(r"(mapping|test)(?![a-z])[-_. ]*(.*)", re.IGNORECASE)
LARGEST_BATCH = 200  # files


@dataclass(frozen=True, eq=False)
class Batch:
    """What a batch of files holds: keys, a table of labels, matrices, or a saved comparison; and
    sentences on the rest.
    """

    kind: str = ""  # of KINDS; "" where no file could be used
    keys: dict[str, Key] = field(default_factory=dict)  # the gold key may be any of them
    splits: tuple[tuple[Key, Key], ...] = ()
    labels: LabelTable | None = None
    matrices: dict[str, Contingency] = field(default_factory=dict)
    saved: KeyComparison | TableComparison | None = None
    settings: dict[str, str] = field(default_factory=dict)  # of a saved comparison
    problems: tuple[str, ...] = ()
    files: tuple[str, ...] = ()  # names of the files that are used
    digest: str = ""

    @property
    def likely_gold(self) -> str | None:
        """The key that is called gold, if there is just one."""
        called = [name for name in self.keys if name.lower() == "gold"] or [
            name for name in self.keys if "gold" in name.lower()
        ]
        return called[0] if len(called) == 1 else None

    def comparison(self, gold: str | None = None) -> KeyComparison | TableComparison:
        """The comparison that the files make; keys need the name of the gold one, unless it is
        called gold.
        """
        if self.kind == "saved":
            if self.saved is None:
                raise InputError(
                    f"{self.files[0]} holds no systems, only the settings under which a published table was seen."
                )
            return self.saved
        if self.kind == "labels":
            return comparison_from_labels(self.labels, self.digest)
        if self.kind == "matrices":
            return TableComparison("matrices", self.matrices)
        if not self.keys:
            raise InputError("There is no file to compare.")
        gold = self.likely_gold if gold is None else gold
        if gold not in self.keys:
            raise InputError("None of the files is called gold: say which of them is the gold key.")
        self.keys[gold].require_senses()
        systems = {name: key for name, key in self.keys.items() if name != gold}
        return KeyComparison(gold, self.keys[gold], systems, self.splits, f"{self.digest} {gold}")


def read_files(files: Sequence[tuple[str, bytes]], progress: Callable | None = None) -> Batch:
    """Read files given as (name, bytes); what cannot be used becomes a sentence in `problems`, and the rest
    is kept.

    A JSON file is a saved comparison; Parquet is a table of labels; CSV and TSV hold labels if the second
    column is called gold or the line below the header is not all numbers, else a matrix; anything else is a
    key. Keys called mapping... and test... with the same ending make a split for supervised recall.

    >>> batch = read_files([("gold.key", b"a 1 x\\na 2 y"), ("mine.key", b"a 1 A\\na 2"), ("bad.key", b"a")])
    >>> batch.comparison(), len(batch.problems)
    (<KeyComparison 'gold': 1 systems, 2 instances of 1 words>, 1)
    """
    problems, found = [], {kind: [] for kind in KINDS}
    if len(files) > LARGEST_BATCH:
        problems.append(f"Only the first {LARGEST_BATCH} of {len(files)} files were read.")
        files = files[:LARGEST_BATCH]
    digest, size = hashlib.blake2b(digest_size=16), 0
    for number, (name, data) in enumerate(files):
        size += len(data)
        if size > LARGEST:
            problems.append(
                f"{name} and what follows were not read: together the files are larger than {LARGEST // 1_000_000} MB."
            )
            break
        kind = _kind(name, data)
        try:
            found[kind].append((name, _READERS[kind](data, name)))
            digest.update(f"{name} {len(data)} ".encode("utf-8", "surrogatepass") + data)
        except InputError as error:
            problems.append(str(error))
        if progress:
            progress(number + 1, len(files), f"Reading {name}")
    kind = next((kind for kind in KINDS if found[kind]), "")
    problems += [
        f"{name} was left out: it is {KINDS[other]}, and {_main(kind, found)}; load one kind at a time."
        for other in KINDS
        if other != kind
        for name, _ in found[other]
    ]
    if kind in ("labels", "saved"):
        problems += [
            f"{name} was left out: only one {KINDS[kind][2:]} can be shown at a time." for name, _ in found[kind][1:]
        ]
        found[kind] = found[kind][:1]
    named = {}
    for name, content in found.get(kind, []):
        named[unused_name(title(name), named)] = content
    content = _content(kind, named, problems)
    return Batch(
        kind,
        **content,
        problems=tuple(problems),
        files=tuple(name for name, _ in found.get(kind, [])),
        digest=digest.hexdigest(),
    )


def _content(kind, named, problems):
    first = next(iter(named.values()), None)
    if kind == "saved":
        return {"saved": first[0], "settings": first[1]}
    if kind == "labels":
        return {"labels": first}
    if kind == "matrices":
        return {"matrices": named}
    return {"splits": _take_splits(named, problems), "keys": named}


def _take_splits(keys, problems):
    """The pairs of mapping and test keys, taken out of the keys; one without its partner stays a
    system, and that is said.
    """
    parts: dict[str, dict[str, str]] = {}
    for name in keys:
        match = SPLIT.match(name)
        if match:
            parts.setdefault(match[2], {})[match[1].lower()] = name
    splits = []
    for part in parts.values():
        if len(part) == 2:
            splits.append((keys.pop(part["mapping"]), keys.pop(part["test"])))
        else:
            ((role, name),) = part.items()
            other = "test" if role == "mapping" else "mapping"
            problems.append(f"{name} has no {other} key of the same ending beside it, so it was taken as a system.")
    return tuple(splits)


def _main(kind, found):
    (name, _), *others = found[kind]
    return (
        f"{name} is {KINDS[kind]}"
        if not others
        else f"the other files are {'matrices' if kind == 'matrices' else kind}"
    )


def _kind(name, data):
    head = data[:4000].removeprefix(b"\xef\xbb\xbf").lstrip()
    if name.lower().endswith(".json") or head.startswith(b"{") and MARK.encode() in head:
        return "saved"
    if data.startswith(b"PAR1") or name.lower().endswith(".parquet"):
        return "labels"
    if not name.lower().endswith((".csv", ".tsv", ".tab")):
        return "keys"
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    lines = [line for line in head.decode(encoding, "replace").splitlines() if line.strip()][:2]
    header, first = ([cell.strip(' "') for cell in re.split("[\t;,]", line)] for line in (lines + ["", ""])[:2])
    if "gold" in [cell.lower() for cell in header[1:2]]:
        return "labels"
    return "matrices" if all(NUMBER.fullmatch(cell) for cell in first[1:]) else "labels"


_READERS = {"saved": from_json, "keys": read_key, "labels": read_labels, "matrices": read_matrix}
