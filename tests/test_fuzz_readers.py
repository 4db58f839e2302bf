"""Thousands of broken files: a reader gives an answer or an InputError of one line, never anything else."""

import io
import random

import pandas as pd
import pytest

from evalcore import Contingency, InputError
from evalcore.keys import Key, read_key
from evalcore.tables import LabelTable, read_labels, read_matrix
from evalcore.words import score_key

GOLD = """# gold
bank.n bank.n.1 money
bank.n bank.n.2 river
bank.n bank.n.3 river
run.v run.v.1 fast !! sure
run.v run.v.2 flow
"""
SYSTEM = """bank.n bank.n.1 c1/0.75 c2/0.25\r
bank.n bank.n.2 c2/1.0\r
run.v run.v.2 naïve/3 c1\r
bank.n bank.n.3\r
"""
LABELS = 'item,gold,one,"two, three"\ni1,a,x,1\ni2,a,,1\n"i3",b,y,2\ni4,"b ""c""",y,2\n'
MATRIX = ";k1;k2;k3\nclass a;1,5;2;0\nclass b;0;3;12\n"
INSERTED = [
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b'"',
    b",",
    b";",
    b"\t",
    b" ",
    b"\n",
    b"\r",
    b"/",
    b"//",
    b"!!",
    b"#",
    b"-",
    b"nan",
    b"inf",
    b"1e999",
    b"9" * 400,
    b"-1",
    b"0",
    b"=1+1",
    "é".encode(),
    "\u2028".encode(),
    "１".encode(),
    b"\xc3",
    b"\xed\xa0\x80",
    b"PAR1",
    b"PK\x03\x04",
    b"x" * 1000,
    b"/1e308 z/1e308",
]
ENCODINGS = ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252", "utf-7", "utf-8-sig", "cp500"]


def mutations(data: bytes, number: int, seed: int):
    """Deterministic broken versions: one to four changes each."""
    draw = random.Random(seed)
    for _ in range(number):
        broken = bytearray(data)
        for _ in range(draw.randint(1, 4)):
            at, end = sorted(draw.randrange(len(broken) + 1) for _ in range(2))
            kind = draw.randrange(8)
            if kind == 0 and at < len(broken):
                broken[at] ^= 1 << draw.randrange(8)
            elif kind == 1:
                del broken[at:]
            elif kind == 2:
                broken[at:at] = draw.choice(INSERTED)
            elif kind == 3:
                del broken[at:end]
            elif kind == 4:
                broken[at:at] = broken[at:end]
            elif kind == 5:
                lines = broken.splitlines(keepends=True)
                draw.shuffle(lines)
                broken = bytearray(b"".join(lines))
            elif kind == 6:
                broken = bytearray(broken.decode("utf-8", "replace").encode(draw.choice(ENCODINGS), "replace"))
            elif at < len(broken):
                broken[at] = draw.randrange(256)
        yield bytes(broken)


def outcome(read, data):
    """What the reader gives, or None for an error that says in one line which file is wrong."""
    try:
        return read(data, "upload.x")
    except InputError as error:
        message = str(error)
        assert "upload.x" in message and "\n" not in message and len(message) < 400 and message.endswith("."), message
        return None


@pytest.mark.parametrize(
    "text, read, kind",
    [
        (GOLD, read_key, Key),
        (SYSTEM, read_key, Key),
        (LABELS, read_labels, LabelTable),
        (MATRIX, read_matrix, Contingency),
    ],
    ids=["gold", "system", "labels", "matrix"],
)
def test_mutations(text, read, kind):
    good = bad = 0
    for data in mutations(text.encode(), 2500, seed=len(text)):
        found = outcome(read, data)
        good, bad = good + (found is not None), bad + (found is None)
        assert found is None or isinstance(found, kind)
        if kind is LabelTable and found:
            for system in found.systems:
                outcome(lambda *_, found=found, system=system: found.table(system), None)
    assert good > 100 and bad > 500  # the mutations reach both


def test_mutated_systems_are_scored_or_refused():
    gold = read_key(GOLD.encode(), "upload.x")
    scored = 0
    for data in mutations(SYSTEM.encode(), 600, seed=5):
        system = outcome(read_key, data)
        for soft in (False, True):
            if system is not None:
                scores = outcome(
                    lambda *_, system=system, soft=soft: score_key(
                        gold, system, ["V", "VI", "ARI"], ["ML", "BUB"], soft=soft
                    ),
                    None,
                )
                scored += scores is not None
    assert scored > 50


def test_mutated_parquet():
    pytest.importorskip("pyarrow")
    stream = io.BytesIO()
    pd.DataFrame({"item": ["i1", "i2", "i3"], "gold": ["a", "a", "b"], "s": [1.0, None, 2.0]}).to_parquet(stream)
    outcomes = [outcome(read_labels, data) for data in mutations(stream.getvalue(), 2000, seed=9)]
    assert any(outcomes) and None in outcomes


def test_random_bytes():
    draw = random.Random(11)
    for _ in range(500):
        data = draw.randbytes(draw.randrange(60))
        for read in (read_key, read_labels, read_matrix):
            outcome(read, data)
    for _ in range(1500):
        data = "".join(draw.choice('ab1 ,;\t\n"/.-0') for _ in range(draw.randrange(40))).encode()
        for read in (read_key, read_labels, read_matrix):
            outcome(read, data)
