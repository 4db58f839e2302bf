"""Cells of a text with separators, and the checks that all tables share."""

import csv
import re

from .errors import InputError
from .text import quoted

SEPARATORS = {"\t": "tabs", ";": "semicolons", ",": "commas"}


def first_line(lines: list[str]) -> int:
    """The number, from 1, of the first line that is not blank."""
    return next(number for number, line in enumerate(lines, 1) if line.strip())


def find_separator(lines: list[str]) -> str | None:
    """The first of tab, semicolon and comma that the first line holds outside quotes; None if it holds none.

    >>> find_separator(['"a;b",c'])
    ','
    """
    line = re.sub(r'"[^"]*("|$)', "", lines[first_line(lines) - 1])
    return next((separator for separator in SEPARATORS if separator in line), None)


def read_rows(lines: list[str], separator: str, file: str) -> tuple[list[list[str]], list[int]]:
    """The cells of each line that holds any, and the line's number (its first, if a quoted cell has several).

    Blanks around cells are taken away, and so are columns at the right that are empty on every line, as
    spreadsheets write them.

    >>> read_rows(["a;b;", "", "1; 2;"], ";", "file.csv")
    ([['a', 'b'], ['1', '2']], [1, 3])
    """
    text = (line + "\n" for line in lines)
    reader = csv.reader(text, delimiter=separator, skipinitialspace=separator != "\t", strict=True)
    rows, numbers, start = [], [], 1
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                rows.append(cells)
                numbers.append(start)
            start = reader.line_num + 1
    except csv.Error as error:
        wrong = {"unexpected end of data": "a quote is opened and not closed"}.get(str(error), str(error))
        raise InputError(f"{file}, line {start}: {wrong}.") from None
    if not rows:
        raise InputError(f"{file} holds only empty cells.")
    if len({len(row) for row in rows}) == 1 and not any(row[-1] for row in rows):
        width = max(at for row in rows for at, cell in enumerate(row, 1) if cell)
        rows = [row[:width] for row in rows]
    return rows, numbers


def check_widths(rows: list[list[str]], numbers: list[int], header: str, file: str) -> None:
    """Refuse lines with more or fewer cells than the first."""
    width = len(rows[0])
    for row, number in zip(rows, numbers, strict=True):
        if len(row) != width:
            found = "there is 1 cell" if len(row) == 1 else f"there are {len(row)} cells"
            raise InputError(f"{file}, line {number}: {found}, but {header} has {width}.")


def check_names(names: list[str], what: str, place) -> None:
    """Refuse empty names and names given twice; `place` turns a position into words."""
    seen = set()
    for at, name in enumerate(names):
        if not name:
            raise InputError(f"{place(at)}: there is no name.")
        if name in seen:
            raise InputError(f"{place(at)}: two {what} are called {quoted(name)}.")
        seen.add(name)
