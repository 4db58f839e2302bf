"""Label tables (item, gold, one column per system) from CSV, TSV or Parquet, and matrices of counts."""

import io
import re
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .contingency import Contingency
from .delimited import SEPARATORS, check_names, check_widths, find_separator, first_line, read_rows
from .errors import InputError
from .text import decode, quoted, read_bytes, read_lines, title

LARGEST_TABLE = 100_000_000  # labels; a small Parquet file can unpack to any number of them
LARGEST_MATRIX = 5_000_000  # cells
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(nan|inf|infinity)", re.ASCII | re.IGNORECASE)
DECIMAL_COMMA = re.compile(r"[+-]?(\d+,\d*|,\d+)([eE][+-]?\d+)?", re.ASCII)
INFINITY = float("inf")
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+", re.ASCII)


@dataclass(frozen=True, eq=False, repr=False)
class LabelTable:
    """Items with their gold label and the label that each system gives them; None where a cell is empty."""

    name: str
    file: str
    items: list[str]
    gold: list[str | None]
    systems: dict[str, list[str | None]]

    def table(self, system: str, missing: str = "cluster") -> Contingency:
        """The contingency table of one system; items without a gold label are left out."""
        if system not in self.systems:
            raise InputError(
                f"{self.file} has no system called {quoted(system)}; it has {', '.join(map(quoted, self.systems))}."
            )
        try:
            return Contingency.from_labels(self.gold, self.systems[system], missing)
        except InputError as error:
            raise InputError(f"{self.file}, system {quoted(system)}: {error}") from None

    def __len__(self):
        return len(self.items)

    def __repr__(self):
        return f"<LabelTable {self.name!r}: {len(self)} items, {len(self.systems)} systems>"


def read_labels(source, name: str | None = None) -> LabelTable:
    """A label table from a path, bytes, or a file open for reading: CSV, TSV, semicolons, or Parquet.

    The first column names the items, the second holds the gold labels, and each further one those of a
    system; the first line names the columns. An empty cell is a missing label; outer blanks are dropped.

    >>> labels = read_labels(b"item,gold,mine\\n1,a,x\\n2,a,x\\n3,b,\\n", "labels.csv")
    >>> labels.table("mine").clusters
    ('x', '(unanswered)')
    """
    data, file = read_bytes(source, name)
    if data.startswith(b"PAR1"):
        return _label_table(*_parquet(data, file), file)
    return _label_table(*_text_columns(decode(data, file), file), file)


def _text_columns(lines, file):
    separator = find_separator(lines)
    if separator is None:
        raise InputError(
            f"{file}, line {first_line(lines)}: there is one column only; columns are separated by commas, "
            "semicolons or tabs."
        )
    rows, numbers = read_rows(lines, separator, file)
    check_widths(rows, numbers, f"the header (separated by {SEPARATORS[separator]})", file)
    columns = [list(column) for column in zip(*rows[1:], strict=True)]
    return rows[0], columns, lambda row: f"line {numbers[row]}"


def _label_table(header, columns, place, file):
    """The checked table; `place` says where a row stands, counted from 0, the header."""
    if len(header) < 3:
        raise InputError(
            f"{file} has {len(header)} column{'s' * (len(header) != 1)}; it needs at least three: item, gold "
            "and one for each system."
        )
    check_names(header, "columns", lambda at: f"{file}, {place(0)}, column {at + 1}")
    if not columns or not columns[0]:
        raise InputError(f"{file} has a header but no items below it.")
    below = zip(header[1:], columns[1:], strict=True)
    if all(NUMBER.fullmatch(name) or name in column for name, column in below):
        raise InputError(f"{file}, {place(0)}: these look like labels; the header must name the columns.")
    seen = {}
    for row, item in enumerate(columns[0], 1):
        if not item:
            raise InputError(f"{file}, {place(row)}: the item has no name.")
        if item in seen:
            raise InputError(f"{file}, {place(row)}: item {quoted(item)} is listed in {place(seen[item])} already.")
        seen[item] = row
    items, gold, *labels = ([cell or None for cell in column] for column in columns)
    if not any(gold):
        raise InputError(f"{file}: no item has a gold label; they belong in the second column, {quoted(header[1])}.")
    return LabelTable(title(file), file, items, gold, dict(zip(header[2:], labels, strict=True)))


def _parquet(data, file):
    try:
        from pyarrow import parquet
    except ImportError:
        raise InputError(
            f"{file} is a Parquet table, and reading it takes the package pyarrow, which is not installed."
        ) from None
    try:
        content = parquet.ParquetFile(io.BytesIO(data))
        cells = content.metadata.num_rows * content.metadata.num_columns
        if cells <= LARGEST_TABLE:
            frame = content.read().to_pandas(types_mapper=pd.ArrowDtype)
            if not isinstance(frame.index, pd.RangeIndex):
                frame = frame.reset_index()  # pandas wrote the items as the index
            columns = [[_label(x) for x in frame.iloc[:, at].tolist()] for at in range(frame.shape[1])]
            header = [_label(name) for name in frame.columns.tolist()]
    except Exception as error:  # what a broken file makes the library raise has no common type
        raise InputError(
            f"{file} cannot be read as a Parquet table: {' '.join(str(error).split())[:120].rstrip('.')}."
        ) from None
    if cells > LARGEST_TABLE:
        raise InputError(f"{file} holds {cells:,} labels; {LARGEST_TABLE:,} is the limit.")
    return header, columns, lambda row: f"row {row}" if row else "header"


def _label(value):
    """A label as text; numbers as they are written in a CSV."""
    if isinstance(value, bytes):
        value = value.decode("utf-8")
    return "" if value is None or value is pd.NA or value != value else str(value).strip()


def read_matrix(source, name: str | None = None) -> Contingency:
    """A matrix of counts, rows = classes, from a path, bytes, or a file open for reading.

    Cells are separated by tabs, semicolons, commas or blanks. A first line that holds no numbers names the
    clusters, a first column that holds none names the classes; where the corner between them is empty or says
    "class" both are names whatever they look like. Where commas do not separate, they may be decimal commas.

    >>> read_matrix(b";k1;k2\\na;1,5;2\\nb;0;3").to_frame().loc["a"].tolist()
    [1.5, 2.0]
    """
    lines, file = read_lines(source, name)
    separator = find_separator(lines)
    if separator is None:
        separator, lines = " ", [line.strip() for line in lines]
    rows, numbers = read_rows(lines, separator, file)
    width = max(map(len, rows))
    if width * len(rows) > LARGEST_MATRIX:
        raise InputError(f"{file} has {len(rows):,} lines of {width:,} cells; {LARGEST_MATRIX:,} cells are the limit.")
    if len(rows) > 1 and len(rows[0]) == len(rows[1]) - 1 and not any(map(NUMBER.fullmatch, rows[0])):
        rows[0] = ["", *rows[0]]  # names of the clusters with no corner before them
    check_widths(rows, numbers, f"line {numbers[0]}", file)
    if separator != ",":
        _settle_decimal_commas(rows, numbers, file)
    top, side = _margins(rows, numbers, file)
    clusters = classes = None
    if top:
        clusters = rows[0][side:]
        check_names(clusters, "clusters", lambda at: f"{file}, line {numbers[0]}, column {at + side + 1}")
    if side:
        classes = [row[0] for row in rows[top:]]
        check_names(classes, "classes", lambda at: f"{file}, line {numbers[at + top]}, column 1")
    counts = [
        [_count(cell, file, number, at) for at, cell in enumerate(row[side:], side + 1)]
        for row, number in zip(rows[top:], numbers[top:], strict=True)
    ]
    try:
        return Contingency.from_matrix(np.array(counts), classes, clusters)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def _margins(rows, numbers, file):
    """Whether there is a line and whether there is a column of names, as 0 or 1 each."""
    corner, alone = rows[0][0], len(rows[0]) == 1
    top = side = 1
    if corner and (corner.lower() != "class" or alone):
        first_line = rows[0] if alone else rows[0][1:]
        top = _are_names(first_line, lambda at: f"{file}, line {numbers[0]}, column {at + 1 + (not alone)}")
        below = [row[0] for row in rows[top:]]
        side = 0 if alone else _are_names(below, lambda at: f"{file}, line {numbers[at + top]}, column 1")
        if top and not side and not alone:  # then the corner is one of the clusters' names
            _are_names(rows[0], lambda at: f"{file}, line {numbers[0]}, column {at + 1}")
    if len(rows) == top or len(rows[0]) == side:
        raise InputError(f"{file} holds names but no counts.")
    return top, side


def _are_names(cells, place):
    """1 if all are names, 0 if all are numbers; a mixture is refused: no slip may turn counts into names."""
    numeric = [NUMBER.fullmatch(cell) is not None for cell in cells]
    if any(numeric) and not all(numeric):
        odd = numeric.index(False)
        wrong = f"{quoted(cells[odd])} is not a number" if cells[odd] else "the cell is empty"
        raise InputError(f"{place(odd)}: {wrong}, as its neighbours are numbers.")
    return int(not all(numeric))


def _settle_decimal_commas(rows, numbers, file):
    """Turn decimal commas into points, in place; 1,234 alone might be a thousand, and is refused."""
    if not any("," in cell for row in rows for cell in row):
        return
    sure = any(DECIMAL_COMMA.fullmatch(cell) and not THOUSANDS.fullmatch(cell) for row in rows for cell in row)
    for row, number in zip(rows, numbers, strict=True):
        for at, cell in enumerate(row):
            if THOUSANDS.fullmatch(cell) and not (sure and DECIMAL_COMMA.fullmatch(cell)):
                raise InputError(
                    f"{file}, line {number}, column {at + 1}: {quoted(cell)} may be a thousand or a "
                    "fraction; write it without a comma."
                )
            if DECIMAL_COMMA.fullmatch(cell):
                row[at] = cell.replace(",", ".")


def _count(cell, file, line, column):
    value = float(cell) if NUMBER.fullmatch(cell) else None
    if value is None or not 0 <= value < INFINITY:
        wrong = (
            "the cell is empty; write 0 where there are no items"
            if not cell
            else f"{quoted(cell)} is not a number"
            if value is None
            else f"{quoted(cell)[1:-1]} is not a count; counts are finite and at least 0"
        )
        raise InputError(f"{file}, line {line}, column {column}: {wrong}.")
    return value
