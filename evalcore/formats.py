"""DataFrames as text: a table, CSV, JSON, LaTeX or Markdown. Names are data, never markup or formula."""

import csv
import io
import json
import math
import re

import pandas as pd

from .errors import InputError

FORMATS = ("table", "csv", "json", "latex", "markdown")
NOTHING = "–"  # stands for a score that cannot be computed
# Characters that move the cursor, break a line or turn the reading direction have no business in a name.
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]+")
FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    NOTHING: "--",
    **{c: "\\" + c for c in "&%$#_{}"},
}
MARKDOWN = {"&": "&amp;", "<": "&lt;", ">": "&gt;", **{c: "\\" + c for c in r"\`*_[]|~$#!:"}}
SMALL = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def render(frame: pd.DataFrame, format: str = "table", digits: int = 4, better: dict[str, bool] | None = None) -> str:
    """The frame's columns (not its index) as text.

    Parameters
    ----------
    frame : columns of text, whole numbers or floats
    format : "table", "csv", "json", "latex" or "markdown"; CSV and JSON hold full precision
    digits : decimals of floats in the other formats
    better : for columns of scores, whether higher is better: a table then shows small ranks beside them,
        LaTeX and Markdown print the best bold

    >>> frame = pd.DataFrame({"system": ["a", "b"], "V": [0.5, 0.25]})
    >>> print(render(frame, digits=2, better={"V": True}))
    system  V
    a       0.50¹
    b       0.25²
    >>> render(frame.head(1), "csv")
    'system,V\\na,0.5'
    """
    if format not in FORMATS:
        raise InputError(f"There is no format called {format!r}; the formats are {', '.join(FORMATS)}.")
    if format == "csv":
        return _csv(frame)
    if format == "json":
        return _json(frame)
    columns = [_Column(name, frame[name], digits, (better or {}).get(name)) for name in frame.columns]
    return {"table": _table, "latex": _latex, "markdown": _markdown}[format](columns)


class _Column:
    """A column's cells as text, with their ranks where it holds scores of at least two."""

    def __init__(self, name, values, digits, higher_is_better):
        self.name = plain(name)
        self.is_text = not pd.api.types.is_numeric_dtype(values)
        if self.is_text:
            self.cells = [plain(value) for value in values]
        elif pd.api.types.is_integer_dtype(values):
            self.cells = [str(value) for value in values]
        else:
            self.cells = [f"{value:z.{digits}f}" if math.isfinite(value) else NOTHING for value in values]
        self.ranks = [None] * len(values)
        if higher_is_better is not None and len(values) > 1:
            ranks = values.round(12).rank(method="min", ascending=not higher_is_better)  # roundoff is no lead
            self.ranks = [None if math.isnan(rank) else int(rank) for rank in ranks]


def _table(columns):
    rows = [[] for _ in range(1 + len(columns[0].cells))]
    for column in columns:
        marks = [str(rank or "").translate(SMALL) for rank in column.ranks]
        width, room = max(map(len, column.cells), default=0), max(map(len, marks), default=0)
        width = max(width, len(column.name))
        aligned = str.ljust if column.is_text else str.rjust
        for row, text, mark in zip(rows, [column.name, *column.cells], ["", *marks], strict=True):
            row.append(aligned(text, width) + mark.ljust(room))
    return "\n".join("  ".join(row).rstrip() for row in rows)


def _latex(columns):
    def bold(text):
        return f"\\textbf{{{text}}}"

    lines = [
        r"\begin{tabular}{" + "".join("l" if column.is_text else "r" for column in columns) + "}",
        r"\hline",
        *(f"{line} \\\\" for line in _joined(columns, " & ", LATEX, bold)),
        r"\hline",
        r"\end{tabular}",
    ]
    lines.insert(3, r"\hline")
    return "\n".join(lines)


def _markdown(columns):
    lines = [f"| {line} |" for line in _joined(columns, " | ", MARKDOWN, "**{}**".format)]
    lines.insert(1, "|" + "|".join("---" if column.is_text else "---:" for column in columns) + "|")
    return "\n".join(lines)


def _joined(columns, separator, escapes, bold):
    """The header and the rows, escaped, the best values bold."""
    table = str.maketrans(escapes)
    texts = [
        [
            column.name.translate(table),
            *(
                bold(cell) if rank == 1 else cell.translate(table)
                for cell, rank in zip(column.cells, column.ranks, strict=True)
            ),
        ]
        for column in columns
    ]
    return [separator.join(row) for row in zip(*texts, strict=True)]


def _csv(frame):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(safe_cell, frame.columns))
    for row in frame.itertuples(index=False, name=None):
        writer.writerow("" if isinstance(x, float) and math.isnan(x) else safe_cell(x) for x in row)
    return text.getvalue().removesuffix("\n")


def _json(frame):
    def value(x):
        x = x.item() if hasattr(x, "item") else x
        return None if isinstance(x, float) and not math.isfinite(x) else x

    records = [
        dict(zip(frame.columns, map(value, row), strict=True)) for row in frame.itertuples(index=False, name=None)
    ]
    return json.dumps(records, indent=2, ensure_ascii=False, allow_nan=False)


def safe_cell(value):
    """A cell for a spreadsheet: text that would start a formula gets an apostrophe before it.

    >>> safe_cell("=1+1"), safe_cell("plain"), safe_cell(-1.5)
    ("'=1+1", 'plain', -1.5)
    """
    return "'" + value if isinstance(value, str) and FORMULA.match(value) else value


def plain(value) -> str:
    """A name on one line, without control characters."""
    return CONTROL.sub(" ", str(value))
