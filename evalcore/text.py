"""Bytes from a path, an upload or a paste, decoded into lines; errors name the file and the line."""

import os
from pathlib import PurePath

from .errors import InputError

LARGEST = 200_000_000  # bytes
SUFFIXES = (".key", ".txt", ".csv", ".tsv", ".tab", ".parquet")
SIGNATURES = {
    b"PK\x03\x04": "a zip archive or a workbook",
    b"\x1f\x8b": "a gzip archive",
    b"PAR1": "a Parquet table",
    b"%PDF": "a PDF",
}


def read_lines(source, name: str | None = None) -> tuple[list[str], str]:
    """The lines of a text, without their ends, and the name of the file.

    Parameters
    ----------
    source : a path, bytes, or a file open for reading
    name : what messages call the file; by default its own name

    The text is UTF-8, or UTF-16 with a byte order mark; lines end in LF, CRLF or CR.

    >>> read_lines(b"one\\r\\ntwo", "numbers.txt")
    (['one', 'two'], 'numbers.txt')
    """
    data, file = read_bytes(source, name)
    return decode(data, file), file


def read_bytes(source, name: str | None = None) -> tuple[bytes, str]:
    """The bytes of a source and the name of the file; too large and empty ones are refused."""
    if isinstance(source, (str, os.PathLike)):
        file = _printable(os.fsdecode(source) if name is None else name)
        data = _read_path(source, file)
    elif isinstance(source, (bytes, bytearray, memoryview)):
        file, data = _printable(name or "input"), bytes(source)
    elif hasattr(source, "read"):
        own = getattr(source, "name", None)
        file = _printable(name or (own if isinstance(own, str) and own else "input"))
        data = _read_open(source, file)
    else:
        raise InputError(f"A file is given as a path, as bytes or open for reading, not as {type(source).__name__}.")
    if len(data) > LARGEST:
        raise InputError(f"{file} is larger than {LARGEST // 1_000_000} MB, which is the limit.")
    if not data.strip():
        raise InputError(f"{file} is empty.")
    return data, file


def decode(data: bytes, file: str) -> list[str]:
    """The lines of UTF-8 bytes, or of UTF-16 ones with a byte order mark."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    for signature, what in SIGNATURES.items():
        if data.startswith(signature):
            raise InputError(f"{file} is {what}, not a text file.")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = len(_lines(data[: error.start].decode(encoding, "ignore")))
        if encoding == "utf-16":
            raise InputError(f"{file}, line {line}: this is not UTF-16 text, though it starts like it.") from None
        raise InputError(
            f"{file}, line {line}: byte 0x{data[error.start]:02X} is not UTF-8; save the file as UTF-8 text."
        ) from None
    zero = text.find("\0")
    if zero >= 0:
        raise InputError(
            f"{file}, line {len(_lines(text[:zero]))}: there is a zero byte, so this is neither UTF-8 text "
            "nor UTF-16 with a byte order mark."
        )
    if not text.strip():
        raise InputError(f"{file} is empty.")
    return _lines(text)


def title(file: str) -> str:
    """What a file's content is called: its name without folders and the usual endings.

    >>> title("keys/hermit.v2.key")
    'hermit.v2'
    """
    path = PurePath(file)
    return path.stem if path.suffix.lower() in SUFFIXES else path.name or file


def quoted(name: str) -> str:
    """A name as a message quotes it: on one line, and not longer than that.

    >>> quoted("x" * 100) == repr("x" * 57 + "...")
    True
    """
    return repr(name if len(name) <= 60 else name[:57] + "...")


def _read_path(path, file):
    try:
        with open(path, "rb") as stream:
            return stream.read(LARGEST + 1)
    except IsADirectoryError:
        raise InputError(f"{file} is a folder, not a file.") from None
    except FileNotFoundError:
        raise InputError(f"{file} does not exist.") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}.") from None


def _read_open(stream, file):
    try:
        data = stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read: {error}.") from None
    return data.encode("utf-8", "surrogatepass") if isinstance(data, str) else bytes(data)


def _lines(text):
    # str.splitlines would also break lines at form feeds and other characters that may stand in a name
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [line.removeprefix("\ufeff") for line in lines]  # files put together each bring their byte order mark


def _printable(name):
    """A file name that every output can show: what is no text, and control characters, become "?"."""
    text = str(name).encode("utf-8", "replace").decode()
    return "".join(c if c.isprintable() else "?" for c in text)
