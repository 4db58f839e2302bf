"""The Systems page: what it shows is what evalcore computes; names are data; files and links bring a
comparison back.
"""

import json
import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from evalcore import Contingency
from evalcore.comparison import Policy, read_files, to_json, with_baselines
from evalcore.ranking import (
    agreement,
    bootstrap_words,
    flips,
    grammar_board,
    rank_changes,
    score_comparison,
    wsi2010_board,
)
from pages.ui import systems_figures
from pages.ui.style import number
from tests.pages.parametric_lab import figure, plain
from tests.test_ranking import FILES

PAGE = str(Path(__file__).resolve().parent.parent.parent / "pages" / "systems.py")
ESTIMATORS = ["ML", "MM", "JK", "BUB"]
NASTY = "<img src=x onerror=alert(1)>**b** =1+1 %{y} $x$ </script>"


def opened(files=None, tray=None, **link):
    app = AppTest.from_file(PAGE, default_timeout=60)
    for name, value in link.items():
        app.query_params[name] = str(value)
    if files is not None:
        app.session_state["_systems_batch"] = read_files([(name, text.encode()) for name, text in files.items()])
    if tray is not None:
        app.session_state["_tray"] = tray
    app.run()
    assert not app.exception
    return app


def made(**more):
    return {f"{name}.key": text for name, text in (FILES | more).items()}


def comparison(files):
    return read_files([(name, text.encode()) for name, text in files.items()]).comparison()


def boards(app):
    """The tables of scores on the page: each a list of rows, a row a list of texts (with the rank after
    a bar).
    """
    found = [
        json.loads(e.proto.json) for e in app.get("bidi_component") if e.proto.component_name == "measure_lab_board"
    ]
    return [
        [
            [cell["text"] + (f"|{cell['rank']}" if cell["rank"] is not None else "") for cell in row]
            for row in data["rows"]
        ]
        for data in found
    ]


def expected_rows(board, digits):
    rank = board.ranks
    order = sorted(range(len(board.systems)), key=lambda i: math.inf if math.isnan(rank[i, 0]) else rank[i, 0])
    return [
        [board.systems[i], number(board.clusters[i], 1)]
        + [number(v, digits) + ("" if math.isnan(r) else f"|{int(r)}") for v, r in zip(board.values[i], rank[i])]
        for i in order
    ]


def said(app):
    return " ".join(
        plain(e.value)
        for kind in (app.markdown, app.error, app.info, app.success, app.caption, app.warning, app.header)
        for e in kind
    )


def title(app, place=0):
    return figure(app, place)["layout"]["title"]["text"]


# ---- published -----------------------------------------------------------------------------------


def test_first_view():
    app = opened()
    assert title(app) == "V-ML puts one cluster per instance first; V-BUB puts it last"
    assert boards(app)[0] == expected_rows(wsi2010_board(), 3)
    assert boards(app)[0][0] == ["1ClI", "89.1", "0.316|1", "0.295|1", "0.274|1", "−0.036|29"]
    followed = figure(app)["data"][-1]  # drawn last, on top
    assert (
        followed["name"] == "1ClI"
        and followed["y"] == [1, 1, 1, 29]
        and followed["line"]["width"] > figure(app)["data"][0]["line"]["width"]
    )
    assert "nothing is clamped" in said(app) and "Starred rows are soft answers" in said(app)


def test_printed_estimators_and_recall():
    app = opened(e="ML,NSB,BUB", recall="60:40")
    assert boards(app)[0] == expected_rows(wsi2010_board(["ML", "BUB"], ["60:40"]), 3)
    assert "does not print V by NSB" in said(app)


def test_follow_another():
    app = opened(follow="UoY")
    assert figure(app)["data"][-1]["name"] == "UoY"


@pytest.mark.parametrize("corpus", ["WSJ10", "NEGRA10", "CTB10"])
def test_grammar_induction(corpus):
    app = opened(source=corpus, m="V,h,ARI")
    assert boards(app)[0] == [
        [*row] for row in expected_rows(grammar_board(corpus, ["V", "VI", "NVI", "NVI_K", "h"]), 4)
    ]
    assert "3 of the nine printed V cells contradict the paper’s own entropies" in said(
        app
    ) and "ARI cannot be had from entropies alone" in said(app)


def test_agreement_and_flips_of_the_paper():
    app = opened(view="Agreement")
    board = wsi2010_board()
    np.testing.assert_allclose(figure(app)["data"][0]["z"], agreement(board).to_numpy())
    pairs = flips(board, "V-ML", "V-BUB")
    assert f"{len(pairs)} pairs flip" in said(app) and boards(app)[0][0] == [
        "1ClI",
        "Duluth-Mix-Narrow-PK2",
        "1 : 16",
        "29 : 10",
        "34",
    ]
    app = opened(view="Agreement", statistic="rho", x="V-JK", y="V-ML", a="Duluth-R-110", b="Duluth-WSI-Co-Gap")
    np.testing.assert_allclose(figure(app)["data"][0]["z"], agreement(board, "rho").to_numpy())
    assert len(boards(app)[0]) == len(flips(board, "V-JK", "V-ML"))


def test_the_two_systems_of_a_flip():
    app = opened(view="Agreement", a="1ClI", b="UoY")
    assert "By V-ML 1ClI has 0.3160 and UoY 0.1570; by V-BUB 1ClI has −0.0360 and UoY 0.1140." in said(app)
    assert "there are no tables to open" in said(app)


def test_rank_change_against_clusters():
    app = opened(view="Clusters")
    changes = rank_changes(wsi2010_board(), "V-ML", "V-BUB")
    assert (
        figure(app)["data"][0]["y"] == changes.change.tolist()
        and figure(app)["data"][0]["x"] == changes.clusters.tolist()
    )
    assert "systems with many clusters lose ranks" in title(app)
    assert "one column only" in said(opened(view="Clusters", e="ML"))


@pytest.mark.parametrize("view", ["Doubt", "Words"])
def test_what_papers_do_not_print(view):
    assert "Upload a task’s keys" in said(opened(view=view))


# ---- files ---------------------------------------------------------------------------------------


def test_keys():
    app = opened(made(), source="files", m="V,VI")
    board = score_comparison(comparison(made()), ["V", "VI"], ESTIMATORS)
    assert boards(app)[0] == expected_rows(board, 4)
    assert boards(app)[0][1][:3] == ["alone", "3.0", "0.7778|2"]  # by hand: (4 * 2/3 + 2 * 1) / 6
    assert "6 instances of 2 words; scores averaged over words, weighted by their instances" in said(app)


def uploaded(app, files, place="popover"):
    """What dropping files on the page does."""
    key = next(u.proto.id for u in app.file_uploader if f"systems.files.{place}" in u.proto.id)
    next(u for u in app.file_uploader if u.proto.id == key).set_value(
        [(name, text.encode(), "") for name, text in files.items()]
    )
    app.run()
    assert not app.exception
    return app


@pytest.mark.parametrize("place, link", [("popover", {}), ("inline", {"source": "files"})])
def test_upload(place, link):
    app = uploaded(opened(**link), made(bad="a 1 A/heavy") | {"empty.key": ""}, place)
    assert boards(app)[0] == expected_rows(score_comparison(comparison(made()), ["V"], ESTIMATORS), 4)
    assert "bad.key, line 1: the weight of 'A/heavy'" in said(app) and "empty.key is empty." in said(app)
    app.button(key="systems.forget.popover").click().run()
    assert not app.exception and "Load your systems" in said(app)


def test_every_file_that_cannot_be_used_has_its_sentence():
    bad = {f"bad{i}": "a 1 A/heavy" for i in range(5)}
    app = uploaded(opened(), made(**bad, strange="z 9 A"))
    (more,) = [box for box in app.expander if "more of these" in box.label]
    told = [line[2:] for text in (app.warning[0].value, more.markdown[0].value) for line in text.split("\n")]
    files = [*(f"bad{i}.key, line 1: the weight" for i in range(5)), "strange.key, line 1: instance"]
    assert [plain(line).startswith(file) for line, file in zip(told, files, strict=True)] == [True] * 6
    assert len(app.warning) == 1 and more.label == "2 more of these" and boards(app)


def test_upload_of_nothing_usable():
    app = uploaded(opened(), {"x.key": "", "y.json": "{}"})
    assert "x.key is empty. - y.json is not a comparison" in " ".join(said(app).split()) and not boards(app)


def test_upload_of_a_saved_comparison():
    saved = to_json(
        comparison(made()),
        {
            "source": "files",
            "average": "words",
            "view": "Words",
            "a": "half",
            "b": "one",
            "by": "V-ML",
            "k": "many",
        },
    )
    app = uploaded(opened(), {"saved.json": saved})
    assert app.session_state["systems.view"] == "Words" and boards(app)[0][0][:2] == ["b", "1"]
    assert "The file's “k” was not used: “many” is not a whole number." in said(app)
    app = uploaded(opened(made(), source="files"), {"saved.json": to_json(None, {"source": "WSJ10"})})
    assert app.session_state["systems.source"] == "WSJ10" and len(boards(app)[0]) == 3
    app.selectbox(key="systems.source").select("files").run()
    assert len(boards(app)[0]) == 4  # the keys are still there


def test_rules_change_the_scores():
    files = made(partial="a 1 A/0.5 B/0.5\na 2 B\nb 1 A\nz 1 A")
    app = opened(files, source="files")
    assert "instance '1' of 'z' is not in gold.key" in said(app) and len(boards(app)[0]) == 4
    app = opened(files, source="files", average="words", missing="singletons", soft=True, ignore=True, e="ML,BUB")
    board = score_comparison(comparison(files), ["V"], ["ML", "BUB"], Policy("words", "singletons", True, "ignore"))
    assert boards(app)[0] == expected_rows(board, 4) and "get a cluster each" in said(app) and "(soft)" in said(app)


def test_baselines_and_drawn_recall():
    app = opened(
        made(),
        source="files",
        baselines="gold,random,singletons,one cluster",
        k=2,
        seed=7,
        recall="60:40",
        e="ML",
    )
    compared = with_baselines(comparison(made()), ["one cluster", "singletons", "random", "gold"], 2, 7)
    board = score_comparison(compared, ["V"], ["ML"], splits=compared.recall_splits(["60:40"], 7))
    assert boards(app)[0] == expected_rows(board, 4) and "Random, 2 clusters" in [row[0] for row in boards(app)[0]]


def test_estimators_that_soft_answers_lack_are_named():
    app = opened(made(), source="files", soft=True, e="NSB")
    assert "NSB is not a linear estimator" in app.error[0].value and not boards(app)


def test_doubt_in_words():
    app = opened(made(), source="files", view="Doubt", by="V-ML", replicates=200)
    doubt = bootstrap_words(score_comparison(comparison(made()), ["V"], ESTIMATORS), "V-ML", 200, 0)
    for sentence in doubt.sentences():
        assert sentence in said(app)
    intervals = doubt.intervals().sort_values("rank")
    drawn = figure(app)["data"][0]
    assert drawn["x"] == pytest.approx(intervals.score.tolist())
    assert drawn["error_x"]["array"] == pytest.approx((intervals.high - intervals.score).tolist())
    unsure = sum("cannot be told apart" in s for s in doubt.sentences())
    assert title(app) == f"{unsure} of 3 neighbours on the board cannot be told apart by V-ML"
    np.testing.assert_allclose(
        figure(app, 1)["data"][0]["z"], doubt.wins().loc[intervals.system, intervals.system].to_numpy()
    )


def test_doubt_in_instances_waits_to_be_asked():
    app = opened(made(), source="files", view="Doubt", draw="instances", replicates=200)
    assert not app.get("plotly_chart")
    app.button(key="run.systems.instances").click().run()
    assert not app.exception and len(app.get("plotly_chart")) == 2 and "That shift is taken off" in said(app)


@pytest.mark.parametrize(
    "link, says",
    [(dict(soft=True), "soft answers are not resampled"), (dict(average="pooled"), "not pooled")],
)
def test_doubt_that_cannot_be(link, says):
    assert says in said(opened(made(), source="files", view="Doubt", draw="instances", e="ML", **link))


def test_words():
    app = opened(made(), source="files", view="Words", a="half", b="right", by="V-ML")
    assert boards(app)[0] == [
        ["a", "4", "0.0000", "1.0000", "−1.0000", "−0.6667"],
        ["b", "2", "1.0000", "1.0000", "0.0000", "0.0000"],
    ]
    assert title(app) == "half against right by V-ML: ahead on 0 of 2 words, behind on 1"
    assert [title(app, i) for i in (1, 2)] == [
        "half, a: 2 classes, 2 clusters",
        "right, a: 2 classes, 2 clusters",
    ]
    assert [title(opened(made(), source="files", view="Words", a="half", b="one", word="b"), i) for i in (1, 2)] == [
        "half, b: 2 classes, 2 clusters",
        "one, b: 2 classes, 1 cluster",
    ]


def test_labels_and_matrices():
    labels = {"t.csv": "item,gold,one,two\n1,a,x,1\n2,a,x,1\n3,b,x,2\n4,b,y,2\n"}
    app = opened(labels, source="files", e="ML")
    assert boards(app)[0] == expected_rows(score_comparison(comparison(labels), ["V"]), 4) and boards(app)[0][0][
        :3
    ] == ["two", "2.0", "1.0000|1"]
    app = opened(labels, source="files", view="Doubt", e="ML")
    assert app.button(key="run.systems.instances")  # one word: only instances can be drawn
    matrices = {"m.csv": "2,1\n0,3", "n.csv": "2.5,1\n0,3"}
    app = opened(matrices, source="files", e="ML,JK")
    assert (
        boards(app)[0] == expected_rows(score_comparison(comparison(matrices), ["V"], ["ML", "JK"]), 4)
        and boards(app)[0][0][3] == "–"
    )


def test_tray():
    solution = SimpleNamespace(name="R", table=Contingency.from_matrix([[2, 1], [0, 3]]), origin="")
    app = opened(tray=[solution], source="tray", baselines="gold", e="ML")
    assert [row[0] for row in boards(app)[0]] == ["Gold", "R"] and title(app) == "V-ML puts Gold first"
    assert "The tray is empty" in said(opened(source="tray"))


def test_empty_state_after_a_link():
    app = opened(source="files", average="words", view="Doubt")
    assert "A link cannot carry uploaded data" in said(app) and not boards(app)
    assert app.session_state["systems.average"] == "words" and not app.error


def test_which_key_is_gold_is_asked():
    files = {"x.key": FILES["gold"], "y.key": FILES["half"]}
    app = opened(files, source="files")
    assert not boards(app)
    app.selectbox(key="systems.gold").select("x").run()
    assert not app.exception and boards(app)[0][0][0] == "y"


def test_links_with_nonsense():
    app = opened(
        source="nowhere",
        view="Ranks",
        k="many",
        follow="x" * 50,
        x="nothing",
        a="nobody",
        word="none",
        replicates="7",
        e="ML,XX",
    )
    assert len(app.warning) == 4 and boards(app)[0][0][0] == "1ClI"


# ---- figures -------------------------------------------------------------------------------------


def test_labels_do_not_overlap():
    fig, data = systems_figures.clusters_against_change(wsi2010_board(), "V-ML", "V-BUB", "1ClI")
    shown = [label for label in fig.data[0].text if label]
    assert "1ClI" in shown and 5 <= len(shown) < len(data)


def test_bump_ends_where_a_system_has_no_rank():
    fig, _ = systems_figures.bump(wsi2010_board(splits=["80:20"]), "1ClI", "t")
    assert list(fig.data[-1].x) == ["V-ML", "V-MM", "V-JK", "V-BUB"] and len(fig.data) == 29
