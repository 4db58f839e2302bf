"""What leaves the Systems page: names are data in it, reports stand alone, and Python gives the same
numbers.
"""

import contextlib
import io
import json
import math
import re
from types import SimpleNamespace

import numpy as np
import pytest

from evalcore.comparison import Policy, from_json, read_files, to_json, with_baselines
from evalcore.ranking import grammar_board, score_comparison, wsi2010_board
from pages.ui import systems_export
from tests.pages.test_systems import ESTIMATORS, boards, comparison, made, opened
from tests.test_ranking import FILES

NASTY = "<img src=x onerror=alert(1)>**b** =1+1 %{y} $x$ </script>"


# ---- names are data ------------------------------------------------------------------------------


def nasty():
    return {"t.csv": f'item,gold,"{NASTY}",=2+2\n1,"{NASTY}",x,1\n2,b,x,2\n3,b,y,2\n'}


@pytest.mark.parametrize("view", ["Ranks", "Agreement", "Clusters", "Words"])
def test_names_are_not_markup(view):
    app = opened(nasty(), source="files", view=view, a=NASTY, b="=2+2", x="V-ML", y="V-MM")
    for kind in (app.markdown, app.caption, app.header, app.warning, app.info, app.success):
        for element in kind:
            assert "<img" not in element.value and "**b**" not in element.value
    for chart in app.get("plotly_chart"):
        spec = json.loads(chart.proto.spec)
        templates = [trace.get("hovertemplate", "") for trace in spec["data"]]
        assert "<img" not in chart.proto.spec and not any("{y} $x$" in text for text in templates)
    assert view != "Ranks" or NASTY in [row[0] for row in boards(app)[0]]  # shown as typed


def source_of(files, **fields):
    """A page without a browser, for what is made on a click."""
    compared = comparison(files)
    board = score_comparison(compared, ["V"], ["ML", "BUB"])
    values = {
        "source": "files",
        "follow": "",
        "x": "",
        "y": "",
        "by": "",
        "replicates": 200,
        "again": 0,
        **fields,
    }
    return values, SimpleNamespace(board=board, comparison=compared, note="A note with <i>", policy=Policy())


def test_exports_are_safe():
    _, source = source_of(nasty())
    csv = systems_export._table(source.board, "csv")
    assert "\n'=2+2," in csv and not re.search(r"^[=+\-@]", csv, flags=re.MULTILINE)
    assert "<img" not in systems_export._table(source.board, "markdown") and "\\%\\{y\\}" in systems_export._table(
        source.board, "latex"
    )
    assert [row["system"] for row in json.loads(systems_export._table(source.board, "json"))] == [
        "=2+2",
        NASTY,
    ]


def test_tables_are_in_the_order_of_the_leaderboard():
    page, source = source_of(made())
    best = [source.board.systems[i] for i in source.board.ranks[:, 0].argsort(kind="stable")]
    assert best != list(source.board.systems)
    for format in ("csv", "json", "latex", "markdown"):
        text = systems_export._table(source.board, format)
        assert sorted(best, key=lambda name, text=text: re.search(rf"\b{name}\b", text).start()) == best
    table = systems_export.report(page, source).split("<tbody>")[1].split("</tbody>")[0]
    assert re.findall(r"<tr><td>(\w+)</td>", table) == best
    ranks = [int(rank) for rank in re.findall(r"<tr>(?:<td>[^<]*</td>){2}<td>.*?<sup>(\d+)</sup>", table)]
    assert ranks == sorted(source.board.ranks[:, 0])


def test_report_stands_alone():
    page, source = source_of(made(**{NASTY.replace("/", "|").replace(" ", "_"): FILES["half"]}))
    report = systems_export.report(page, source)
    outside = re.sub(r"<script>.*?</script>", "", report, count=1, flags=re.DOTALL)  # but for the library itself
    assert not re.search(r"(src|href)\s*=\s*[\"']?\s*(https?:)?//", outside) and "cdn" not in outside
    assert "<img" not in outside and "&lt;img" in outside and "A note with &lt;i&gt;" in outside
    assert "default-src &#x27;none&#x27;" in outside or "default-src 'none'" in outside
    assert outside.count("<figure>") >= 4 and "0.7778" in outside and "cannot be told apart" in outside


def test_settings_travel_with_the_comparison():
    app = opened(made(), source="files", average="words", baselines="gold", view="Words", a="half", b="one")
    fields = {name: app.session_state[f"systems.{name}"] for name in ("average", "baselines", "view", "a")}
    saved = to_json(comparison(made()), {"average": "words", "baselines": "gold", "view": "Words", "a": "half"})
    restored, settings = from_json(saved.encode())
    again = (
        opened(source="files", **settings)
        if restored is None
        else opened({"c.json": saved}, source="files", **settings)
    )
    assert {name: again.session_state[f"systems.{name}"] for name in fields} == fields
    assert boards(again)[0] == boards(app)[0]


# ---- Python --------------------------------------------------------------------------------------


class Visited:
    """What `snippet` asks a page for."""

    base = math.e

    def __init__(self, **fields):
        self.fields = {
            "source": "semeval",
            "e": ESTIMATORS,
            "gold": "gold",
            "baselines": [],
            "k": 4,
            "seed": 0,
            "recall": [],
        } | fields

    def __getitem__(self, name):
        return self.fields[name]


def ran(code):
    space = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, space)
    assert space["board"].systems[0] in printed.getvalue()
    return space["board"]


def test_python_of_published_tables():
    for page, board in (
        (Visited(), wsi2010_board(["ML", "BUB"], ["80:20"])),
        (Visited(source="CTB10"), grammar_board("CTB10", ["V", "h"])),
    ):
        again = ran(systems_export.snippet(page, SimpleNamespace(board=board, comparison=None, policy=Policy())))
        assert again.names == board.names
        np.testing.assert_array_equal(again.values, board.values)


def test_python_of_files(tmp_path, monkeypatch):
    files = made(**{"odd 'name'": FILES["half"]})
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        systems_export.st,
        "session_state",
        {systems_export.BATCH: read_files([(n, t.encode()) for n, t in files.items()])},
    )
    page = Visited(source="files", e=["ML", "BUB"], baselines=["gold", "random"], k=3, seed=2, recall=["60:40"])
    policy = Policy("words", "drop", True, "ignore")
    compared = with_baselines(comparison(files), ["random", "gold"], 3, 2)
    board = score_comparison(compared, ["V", "VI"], ["ML", "BUB"], policy, splits=compared.recall_splits(["60:40"], 2))
    again = ran(systems_export.snippet(page, SimpleNamespace(board=board, comparison=compared, policy=policy)))
    assert again.systems == board.systems and again.names == board.names
    np.testing.assert_array_equal(again.values, board.values)


def test_python_of_the_tray():
    compared = comparison({"m.csv": "2,1\n0,3", "n.csv": ",=a,b\nx,1,2\ny,3,4"})
    board = score_comparison(compared, ["V"], ["ML", "JK"])
    again = ran(
        systems_export.snippet(
            Visited(source="tray", e=["ML", "JK"]),
            SimpleNamespace(board=board, comparison=compared, policy=Policy()),
        )
    )
    np.testing.assert_array_equal(again.values, board.values)
