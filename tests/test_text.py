"""Bytes to lines: encodings, line ends, and what is said of files that are no text."""

import io
from pathlib import Path

import pytest

from evalcore import InputError, text
from evalcore.text import read_bytes, read_lines, title

ZERO = "there is a zero byte, so this is neither UTF-8 text nor UTF-16 with a byte order mark."
LINES = ["naïve.n 1 été", "zweite Zeile", ""]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_and_line_ends(encoding, end):
    assert read_lines(end.join(LINES).encode(encoding), "x.key") == (LINES, "x.key")


def test_utf_16_of_either_byte_order():
    assert read_lines(b"\xff\xfe" + "aé\nb".encode("utf-16-le"))[0] == ["aé", "b"]
    assert read_lines(b"\xfe\xff" + "aé\nb".encode("utf-16-be"))[0] == ["aé", "b"]


def test_only_line_ends_break_lines():
    assert read_lines("a\x0bb\x0cc\x85d\u2028e".encode())[0] == ["a\x0bb\x0cc\x85d\u2028e"]


def test_byte_order_marks_of_files_put_together():
    assert read_lines(b"\xef\xbb\xbfa\n\xef\xbb\xbfb")[0] == ["a", "b"]


@pytest.mark.parametrize(
    "make",
    [
        lambda p: p,
        str,
        lambda p: p.read_bytes(),
        lambda p: bytearray(p.read_bytes()),
        lambda p: memoryview(p.read_bytes()),
        lambda p: io.BytesIO(p.read_bytes()),
        lambda p: io.StringIO(p.read_text()),
        lambda p: p.open("rb"),
    ],
)
def test_sources(tmp_path, make):
    path = tmp_path / "a.key"
    path.write_text("one\ntwo")
    assert read_lines(make(path))[0] == ["one", "two"]


def test_names(tmp_path):
    path = tmp_path / "a.key"
    path.write_text("x")
    upload = io.BytesIO(b"x")
    upload.name = "upload.key"
    assert read_bytes(path)[1] == str(path)
    assert read_bytes(path, "told.key")[1] == "told.key"
    assert read_bytes(upload)[1] == "upload.key"
    assert read_bytes(b"x")[1] == "input"
    assert read_bytes(b"x", "two\nlines \udcff")[1] == "two?lines ?"


@pytest.mark.parametrize(
    "file, expected",
    [
        ("a/b/hermit.key", "hermit"),
        ("x.v2.KEY", "x.v2"),
        ("plain", "plain"),
        ("uoy.2010", "uoy.2010"),
        ("t.csv", "t"),
        (".key", ".key"),
        ("", ""),
    ],
)
def test_title(file, expected):
    assert title(file) == expected


@pytest.mark.parametrize(
    "data, message",
    [
        (b"", "f is empty."),
        (b" \r\n\t\n", "f is empty."),
        (b"\xef\xbb\xbf", "f is empty."),
        (b"\xff\xfe", "f is empty."),
        (b"ok\r\ncaf\xe9 1", "f, line 2: byte 0xE9 is not UTF-8; save the file as UTF-8 text."),
        (b"a\rb\rc\xff", "f, line 3: byte 0xFF is not UTF-8; save the file as UTF-8 text."),
        (
            b"a\nb\0c",
            "f, line 2: " + ZERO,
        ),
        (
            "a\nb".encode("utf-16-le"),
            "f, line 1: " + ZERO,
        ),
        (
            "a\nb".encode("utf-32"),
            "f, line 1: " + ZERO,
        ),
        (b"\xff\xfea\0\n\0x", "f, line 2: this is not UTF-16 text, though it starts like it."),
        (b"PK\x03\x04rest", "f is a zip archive or a workbook, not a text file."),
        (b"\x1f\x8b\x08", "f is a gzip archive, not a text file."),
        (b"PAR1", "f is a Parquet table, not a text file."),
        (b"%PDF-1.7", "f is a PDF, not a text file."),
    ],
)
def test_no_text(data, message):
    with pytest.raises(InputError) as error:
        read_lines(data, "f")
    assert str(error.value) == message


def test_too_large(monkeypatch, tmp_path):
    monkeypatch.setattr(text, "LARGEST", 10)
    (tmp_path / "a").write_bytes(b"x" * 11)
    for source in (b"x" * 11, io.BytesIO(b"x" * 11), tmp_path / "a"):
        with pytest.raises(InputError, match="is larger than 0 MB, which is the limit"):
            read_lines(source)
    assert read_lines(b"x" * 10)[0] == ["x" * 10]


def test_unreadable(tmp_path):
    closed = io.BytesIO(b"x")
    closed.close()
    for source, message in [
        (tmp_path, "is a folder, not a file"),
        (tmp_path / "none", "does not exist"),
        ("a\0b", "cannot be read"),
        (Path("x" * 5000), "cannot be read"),
        (closed, "cannot be read"),
        (None, "not as NoneType"),
        (3, "not as int"),
    ]:
        with pytest.raises(InputError, match=message):
            read_lines(source)
