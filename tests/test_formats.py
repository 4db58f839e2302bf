"""Tables as text: alignment, ranks, and names that try to be markup or formulas."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest

from evalcore import InputError
from evalcore.formats import FORMATS, render

SCORES = pd.DataFrame(
    {
        "system": ["one", "the second", "c"],
        "n": [5, 12, 7],
        "V": [0.5, 0.123456, np.nan],
        "VI": [1.25, 1.25, 10.0],
    }
)
BETTER = {"V": True, "VI": False}
NASTY = [
    "=cmd|'/c calc'!A0",
    "<b>x</b>",
    "a|b",
    "**bold** _it_ `code`",
    "50% & more_less #1 ~^\\{}$",
    "two\nlines",
    "\x1b[31mred",
    "@SUM(A1)",
    "-1+1",
    "+1",
    "\ttab",
    "[link](http://x)",
    "\u202eesrever",
]


def test_table():
    assert render(SCORES, digits=3, better=BETTER) == "\n".join(
        [
            "system       n      V       VI",
            "one          5  0.500¹   1.250¹",
            "the second  12  0.123²   1.250¹",
            "c            7      –   10.000³",
        ]
    )


def test_scores_that_differ_by_roundoff_share_a_rank():
    scores = pd.DataFrame({"system": ["a", "b", "c"], "V": [0.1 + 0.2, 0.3, 0.2]})
    assert render(scores, digits=1, better={"V": True}) == "system    V\na       0.3¹\nb       0.3¹\nc       0.2³"


def test_a_single_row_has_no_rank():
    assert render(SCORES.head(1), digits=1, better=BETTER) == "system  n    V   VI\none     5  0.5  1.2"


def test_negative_zero_is_zero():
    assert render(pd.DataFrame({"x": [-1e-17, -0.04]}), digits=1) == "  x\n0.0\n0.0"


def test_csv_has_full_precision():
    rows = list(csv.reader(io.StringIO(render(SCORES.assign(V=[0.1 + 0.2, 1 / 3, np.nan]), "csv"))))
    assert rows[0] == ["system", "n", "V", "VI"]
    assert float(rows[1][2]) == 0.1 + 0.2 and float(rows[2][2]) == 1 / 3 and rows[3][2] == ""


def test_json_has_full_precision_and_no_nan():
    records = json.loads(render(SCORES.assign(V=[0.1 + 0.2, 1 / 3, np.nan]), "json"))
    assert records[0] == {"system": "one", "n": 5, "V": 0.1 + 0.2, "VI": 1.25} and records[2]["V"] is None


def test_markdown():
    assert render(SCORES, "markdown", digits=2, better=BETTER).splitlines() == [
        "| system | n | V | VI |",
        "|---|---:|---:|---:|",
        "| one | 5 | **0.50** | **1.25** |",
        "| the second | 12 | 0.12 | **1.25** |",
        "| c | 7 | – | 10.00 |",
    ]


def test_latex():
    assert render(SCORES.head(2), "latex", digits=2, better=BETTER).splitlines() == [
        r"\begin{tabular}{lrrr}",
        r"\hline",
        r"system & n & V & VI \\",
        r"\hline",
        r"one & 5 & \textbf{0.50} & \textbf{1.25} \\",
        r"the second & 12 & 0.12 & \textbf{1.25} \\",
        r"\hline",
        r"\end{tabular}",
    ]


def test_csv_cells_start_no_formula():
    for name in NASTY:
        text = render(pd.DataFrame({name: [name], "score": [-0.5]}), "csv")
        (head, cell), number = [row[0] for row in csv.reader(io.StringIO(text, newline=""))], text[-4:]
        assert head == cell and cell.lstrip("'") == name.lstrip("'") and number == "-0.5"
        assert cell[0] not in "=+-@\t\r\n"


@pytest.mark.parametrize("format", ["table", "latex", "markdown"])
def test_names_stay_on_one_line_and_move_no_cursor(format):
    frame = pd.DataFrame({"system": NASTY, "V": [0.0] * len(NASTY)})
    text = render(frame, format)
    plain = render(frame.assign(system="x"), format)
    assert len(text.splitlines()) == len(plain.splitlines())
    assert not set(text) & set("\x1b\t\u202e")


def test_names_are_no_markdown():
    def cell(name):
        return render(pd.DataFrame({"system": [name]}), "markdown").splitlines()[2]

    assert cell("<b>x</b>") == "| &lt;b&gt;x&lt;/b&gt; |"
    assert cell("a|b") == r"| a\|b |"
    assert cell("**bold** _it_ `code`") == r"| \*\*bold\*\* \_it\_ \`code\` |"
    assert cell("[l](http://x)") == r"| \[l\](http\://x) |"
    assert cell("back\\slash") == r"| back\\slash |"


def test_names_are_no_latex():
    text = render(pd.DataFrame({"system": ["50% & a_b #1 ~^\\{}$"]}), "latex").splitlines()[4]
    assert text == r"50\% \& a\_b \#1 \textasciitilde{}\textasciicircum{}\textbackslash{}\{\}\$ \\"


def test_every_format_renders_an_empty_frame():
    for format in FORMATS:
        assert isinstance(render(SCORES.head(0), format, better=BETTER), str)


def test_unknown_format():
    with pytest.raises(
        InputError,
        match="There is no format called 'xml'; the formats are table, csv, json, latex, markdown.",
    ):
        render(SCORES, "xml")
