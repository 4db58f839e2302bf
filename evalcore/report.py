"""A report as one HTML file that needs nothing else: tables, sentences, and figures that come as HTML of
their own.
"""

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from .formats import plain

STYLE = """:root {color-scheme: light; font: 16px/1.5 system-ui, sans-serif; color: #0d151f; background: #fff}
body {max-width: 1100px; margin: 2rem auto; padding: 0 1rem}
h1 {font-size: 1.7rem} h2 {font-size: 1.25rem; margin-top: 2rem}
table {border-collapse: collapse; font-variant-numeric: tabular-nums}
th, td {padding: .2rem .7rem; border-bottom: 1px solid #c3cad4; text-align: right}
th:first-child, td:first-child {text-align: left}
thead th {border-bottom: 2px solid #8a94a3} sup {color: #4a5563; margin-left: .15em} figure {margin: 1rem 0}
@media print {h2, figure, tr {break-inside: avoid}}"""
# nothing may be fetched, whatever a name in the data says
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:"
)


@dataclass(frozen=True)
class Section:
    """A part of the report: any of sentences, a table and a figure. Sentences and tables are escaped;
    the figure is HTML as it is.
    """

    heading: str
    sentences: Sequence[str] = ()
    table: pd.DataFrame | None = None
    ranks: dict[str, Sequence[float]] | None = None  # of the columns that hold scores: shown beside them, the best bold
    figure: str = ""


def html_report(title: str, sections: Sequence[Section], scripts: Sequence[str] = (), digits: int = 4) -> str:
    """The whole page; `scripts` are JavaScript sources that the figures need.

    >>> page = html_report("<b>", [Section("Scores", table=pd.DataFrame({"system": ["a&b"], "V": [0.5]}))])
    >>> "&lt;b&gt;" in page, "a&amp;b" in page, "0.5000" in page, "://" in page
    (True, True, True, False)
    """
    name = html.escape(plain(title))
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{name}</title>\n<style>{STYLE}</style>",
        *(f"<script>{source}</script>" for source in scripts),
        f"</head>\n<body>\n<h1>{name}</h1>",
    ]
    for section in sections:
        parts.append(f"<h2>{html.escape(plain(section.heading))}</h2>")
        parts += [f"<p>{html.escape(plain(sentence))}</p>" for sentence in section.sentences]
        if section.figure:
            parts.append(f"<figure>{section.figure}</figure>")
        if section.table is not None:
            parts.append(_table(section, digits))
    return "\n".join([*parts, "</body>\n</html>\n"])


def _table(section, digits):
    frame, ranks = section.table, section.ranks or {}
    head = "".join(f'<th scope="col">{html.escape(plain(name))}</th>' for name in frame.columns)
    rows = []
    for number, row in enumerate(frame.itertuples(index=False, name=None)):
        cells = [
            _cell(value, ranks.get(name, {number: math.nan})[number], digits) for name, value in zip(frame.columns, row)
        ]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody>\n</table>"


def _cell(value, rank, digits):
    if isinstance(value, float):
        text = f"{value:z.{digits}f}" if math.isfinite(value) else "–"
    else:
        text = html.escape(plain(value))
    text = f"<b>{text}</b>" if rank == 1 else text
    return f"<td>{text}{'' if math.isnan(rank) else f'<sup>{int(rank)}</sup>'}</td>"
