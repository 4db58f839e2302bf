"""The Matrix lab's panels: shares, what if, split and merge; import and export."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from evalcore import Contingency, contributions, published, score, scoreboard
from evalcore.disagreement import find
from evalcore.tables import read_labels, read_matrix
from evalcore.whatif import disagreements, moves
from pages.ui import matrix_io, matrix_splits
from pages.ui.figures import csv
from pages.ui.frame import SHOWABLE
from pages.ui.matrix_whatif import ALONE, with_new_cluster
from pages.ui.state import pack, table_from_json, table_to_json
from pages.ui.style import decimals, number
from tests.pages.visit import choose, click, figures, open_popover, run, said, strip_values, unpacked, visit

SMALL = Contingency.from_matrix([[5, 1, 0], [1, 4, 2]])
BLATANT = Contingency.from_matrix([[3, 1, 1], [1, 3, 1], [1, 1, 3]])


def at(table, **link):
    return visit("matrix", table=pack(table_to_json(table)), **link)


def held(app) -> Contingency:
    return app.session_state["matrix.table"]


# --- shares


@pytest.mark.parametrize("by", ["cluster", "class"])
def test_shares_are_evalcores_and_add_up(by):
    app = choose(at(SMALL, base="bits"), "segmented_control", "matrix.by", by)
    fig = unpacked(figures(app)[1])
    parts = contributions(SMALL, by)
    bars = {bar["name"].split(",")[0]: bar["y"] for bar in fig["data"]}
    np.testing.assert_allclose(bars["H(C|K)"], parts["H(C|K)"] / np.log(2))
    np.testing.assert_allclose(bars["H(K|C)"], parts["H(K|C)"] / np.log(2))
    np.testing.assert_allclose(bars["h"], parts["h"])
    vi = score(SMALL, ["VI"], base=2)["VI"]
    assert sum(bars["H(C|K)"]) + sum(bars["H(K|C)"]) == pytest.approx(vi)
    assert fig["layout"]["title"]["text"] == f"{parts['VI'].idxmax()} loses most of VI's {number(vi)}"


@pytest.mark.parametrize(
    ("table", "title"),
    [
        (published.solution_r(), "Every cluster loses the same of VI's 1.881"),
        (Contingency.from_matrix([[5, 0], [0, 5]]), "Nothing is lost: VI is 0"),
        (Contingency.from_matrix([[2, 0, 1], [0, 2, 1]]), "k3 loses most of VI's 0.868"),
        (Contingency.from_matrix([[4, 1, 0], [1, 4, 0], [0, 0, 1]]), "k1, k2 lose the same, and most, of VI's 0.910"),
    ],
)
def test_the_title_of_the_shares_is_true(table, title):
    assert figures(at(table))[1]["layout"]["title"]["text"] == title


# --- what if


def test_moving_one_element():
    app = at(SMALL, panel="what if", measure="VI", second="ARI")
    wide = with_new_cluster(SMALL)
    assert wide.clusters == ("k1", "k2", "k3", ALONE)
    found = moves(wide, "VI")
    gain, target = found.best()
    heat = unpacked(figures(app)[1])
    np.testing.assert_allclose(np.array(heat["data"][0]["z"], dtype=float), gain)
    row, column = np.unravel_index(np.nanargmax(gain), gain.shape)
    assert (
        heat["layout"]["title"]["text"]
        == f"VI gains most from c{row + 1}: k{column + 1} → {wide.clusters[target[row, column]]}"
    )
    assert app.session_state["matrix.source"] == f"{row + 1},{column + 1}"
    choose(app, "selectbox", "matrix.source", "2,3")
    bars = unpacked(figures(app)[2])["data"][0]
    np.testing.assert_allclose(np.array(bars["y"], dtype=float), found.change[1, 2])
    # and it is true: c2 from k3 to k1
    moved = SMALL.move(("c2", "k3"), ("c2", "k1"))
    assert bars["y"][0] == pytest.approx(score(moved)["VI"] - score(SMALL)["VI"])


def test_v_and_nvi_quarrel_about_putting_an_element_alone():
    app = at(BLATANT, panel="what if")
    found = disagreements(with_new_cluster(BLATANT), "V", "NVI")
    assert len(found) > 0 and set(found["to"]) == {ALONE}
    assert f"V and NVI disagree about {len(found)} moves" in said(app)
    shown = app.dataframe[1].value
    assert shown["move"].iloc[0] == "{class}: {from} → {to}".format(**found.iloc[0])
    np.testing.assert_allclose(shown["first"], found["first"])


def test_two_measures_that_agree_and_one_measure_twice():
    app = at(SMALL, panel="what if", measure="V", second="NMI")
    assert "V and NMI agree about every single move from here." in said(app)
    choose(app, "selectbox", "matrix.second", "V")
    assert "Choose two different measures" in said(app)


def test_of_a_large_table_the_moves_from_one_cluster():
    counts = np.random.default_rng(1).poisson(2, (30, 30)) + 9 * np.eye(30, dtype=int)
    table = Contingency.from_matrix(counts)
    app = at(table, panel="what if")
    choose(app, "selectbox", "matrix.cluster", "k3")
    wide = with_new_cluster(table)
    gain, _ = moves(wide, "V", source="k3").best()
    np.testing.assert_allclose(np.array(unpacked(figures(app)[1])["data"][0]["z"], dtype=float), gain)
    assert np.isfinite(gain).sum() == np.count_nonzero(counts[:, 2])
    assert figures(app)[1]["layout"]["title"]["text"].endswith(", of moves from k3")
    assert f"V and NVI disagree about {len(disagreements(wide, 'V', 'NVI', source='k3'))} move" in said(app)
    choose(app, "selectbox", "matrix.measure", "AMI")
    assert not app.error


def test_an_empty_cluster_is_new_enough():
    table = Contingency.from_matrix([[5, 0], [1, 0]])
    assert with_new_cluster(table) == table


@pytest.mark.parametrize("measure", SHOWABLE)
def test_every_measure_can_be_asked(measure):
    assert not at(SMALL, panel="what if", measure=measure, second="NVI" if measure == "V" else "V").error
    assert not at(Contingency.from_matrix([[1.5, 0.5], [1, 2]]), panel="what if", measure=measure).error


@pytest.mark.parametrize("estimator", ["BUB", "NSB", "ChaoWangJost"])
def test_estimators_in_the_panels(estimator):
    for panel in ("what if", "split and merge"):
        assert not at(SMALL, panel=panel, estimator=estimator).error


# --- split and merge


def test_a_split_is_predicted_and_done():
    app = at(SMALL, panel="split and merge", cluster="k2")
    tables = {tuple(frame.value.columns[:1]): frame.value for frame in app.dataframe}
    splits = tables[("off",)]
    assert splits["off"].tolist() == ["c1 goes out", "c2 goes out", "in halves"]
    predicted = splits.set_index("off").loc["c1 goes out"]
    before = strip_values(app)
    assert "VI is a sum over clusters, so only k2's own share changes" in said(app)
    click(app, "matrix._split")
    after = SMALL.split("k2", [1, 0])
    assert held(app) == after
    for name, change in predicted.items():
        assert change == pytest.approx(score(after)[name] - score(SMALL)[name], abs=1e-12)
    click(app, "matrix._undo")
    assert strip_values(app) == before


def test_a_merge_is_predicted_and_done():
    app = at(SMALL, panel="split and merge")
    pairs = next(frame.value for frame in app.dataframe if frame.value.columns[0] == "pair")
    assert sorted(pairs["pair"]) == ["k1 + k2", "k1 + k3", "k2 + k3"]
    assert pairs["V"].is_monotonic_decreasing
    choose(app, "selectbox", "matrix._merge_pair", "k1 + k3")
    predicted = pairs.set_index("pair").loc["k1 + k3"]
    click(app, "matrix._merge")
    after = SMALL.merge(["k1", "k3"])
    assert held(app) == after
    for name, change in predicted.items():
        assert change == pytest.approx(score(after)[name] - score(SMALL)[name], abs=1e-12)


@pytest.mark.parametrize(
    ("change", "digits", "text"),
    [(-0.0341, 4, "V −0.0341"), (0.0, 3, "V unchanged"), (-0.0004, 3, "V almost unchanged"), (np.nan, 3, "V –")],
)
def test_only_what_stays_is_called_unchanged(change, digits, text):
    assert matrix_splits.said("V", change, digits) == text


def test_small_changes_are_written_with_the_digits_they_need():
    assert [decimals(x) for x in ([0.2, -0.001], [0.0412], [-0.00041, np.nan], [0.0], [])] == [3, 4, 6, 3, 3]
    large = Contingency.from_matrix(1000 * BLATANT.counts)  # one element of 15,000 changes little
    app = at(large, panel="what if")
    columns = next(json.loads(frame.proto.columns) for frame in app.dataframe if "move" in frame.value.columns)
    change = disagreements(with_new_cluster(large), "V", "NVI")["first"].abs().max()
    assert change < 0.0005  # nothing would be left of it in three decimals
    digits = int(columns["first"]["type_config"]["format"].removeprefix("%+.").removesuffix("f"))
    assert round(change, digits) == pytest.approx(change, rel=0.05)


def test_nothing_to_split_or_merge():
    app = at(Contingency.from_matrix([[1, 0]]), panel="split and merge")
    assert "This cluster holds too little to be split." in said(app)
    assert "There is only one cluster: nothing to merge." in said(app)


# --- import


def importing(kind="matrix"):
    app = open_popover(visit("matrix"), "matrix.import")
    return choose(app, "segmented_control", "matrix.import.kind", kind)


def test_a_pasted_matrix():
    app = choose(importing(), "text_area", "matrix.import.text.matrix", "\tx\ty\na\t7\t1\nb\t0\t5")
    assert "2 classes, 2 clusters, n = 13." in said(app)
    click(app, "matrix.import.use")
    assert held(app) == Contingency.from_matrix([[7, 1], [0, 5]], ["a", "b"], ["x", "y"])
    assert not app.session_state["matrix.import"]  # the popover has closed
    click(app, "matrix._undo")
    assert held(app) == published.solution_r()


def test_pasted_labels():
    app = choose(
        importing("labels"),
        "text_area",
        "matrix.import.text.labels",
        "item,gold,mine,yours\n1,a,x,p\n2,a,x,q\n3,b,y,\n",
    )
    choose(app, "selectbox", "matrix.import.system", "yours")
    choose(app, "selectbox", "matrix.import.missing", "drop")
    click(app, "matrix.import.use")
    assert held(app).clusters == ("p", "q")
    assert held(app).counts.tolist() == [[1, 1], [0, 0]]  # nothing is left of class b


def test_an_uploaded_file():
    app = importing()
    app.file_uploader(key="matrix.import.file.matrix").upload("my <b>table.csv", b"3;1\n0;2\n")
    run(app)
    click(app, "matrix.import.use")
    assert held(app).counts.tolist() == [[3, 1], [0, 2]]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("matrix", "a"),
        ("matrix", "1,2\n3"),
        ("matrix", "1,-2"),
        ("matrix", "0,0"),
        ("matrix", "1,nan"),
        ("matrix", "<b>,2\n3,x"),
        ("matrix", ",x,x\na,1,2"),
        ("labels", "item,gold,mine"),
        ("labels", "1,2"),
        ("labels", "item,gold,mine\n1,a"),
        ("labels", "{}"),
        ("labels", "item,gold,mine\n1,a,x\n1,b,x"),
        ("matrix", "\x00\x01\x02"),
    ],
)
def test_nonsense_gives_one_sentence_and_changes_nothing(kind, text):
    app = choose(importing(kind), "text_area", f"matrix.import.text.{kind}", text)
    assert len(app.error) == 1 and "\n" not in app.error[0].value
    assert "matrix.import.use" not in [button.key for button in app.button]
    assert held(app) == published.solution_r()


@pytest.mark.parametrize("data", [b"", b"PAR1garbage", b"\xff\xfe\x00\x00", bytes(range(256)) * 40])
def test_files_of_nonsense(data):
    app = importing()
    app.file_uploader(key="matrix.import.file.matrix").upload(
        "noise.parquet" if data[:3] == b"PAR" else "noise.csv", data
    )
    run(app)
    assert len(app.error) == 1
    assert held(app) == published.solution_r()


def test_a_table_too_large_for_the_grid_is_refused():
    app = choose(importing(), "text_area", "matrix.import.text.matrix", "\n".join(["1,2"] * 61))
    click(app, "matrix.import.use")
    assert "The grid shows at most 60 classes and 120 clusters; this table has 61 x 2." in said(app)
    assert held(app) == published.solution_r()


# --- export


@pytest.mark.parametrize(
    "table",
    [
        SMALL,
        Contingency.from_matrix([[0.5, 1 / 3]]),
        Contingency.from_matrix([[1, 2], [3, 4]], ["class", "b"], ["class", "gold"]),
    ],
)
def test_exports_come_back(table):
    assert read_matrix(csv(matrix_io._matrix(table)).encode(), "f.csv") == table
    assert table_from_json(json.loads(json.dumps(table_to_json(table)))) == table
    if table.is_whole:
        labels = read_labels(csv(matrix_io._labels(table)).encode(), "f.csv").table("predicted")
        assert sorted(labels.counts[labels.counts > 0]) == sorted(table.counts[table.counts > 0])


def test_exported_names_start_no_formula():
    table = Contingency.from_matrix([[1, 2]], ["=HYPERLINK(1)"], ["+x", "@y"])
    cells = pd.read_csv(io.StringIO(csv(matrix_io._matrix(table))), header=None).to_numpy().ravel()
    assert not [cell for cell in cells if str(cell)[0] in "=+@"]


def test_exported_scores_are_all_of_them():
    app = at(SMALL, base="bits")
    board = matrix_io._scores(SMALL, 2.0)
    assert board.equals(
        scoreboard(
            {"this table": SMALL},
            SHOWABLE,
            list(board["estimator"].unique()[board["estimator"].unique() != ""]),
            base=2.0,
        ).drop(columns="solution")
    )
    vi = board[(board["measure"] == "VI") & (board["estimator"] == "ML")]["value"].item()
    assert number(vi) == strip_values(app)["VI"]
    assert matrix_io._scores(Contingency.from_matrix([[0.5, 1]]), 2.0)["estimator"].isin(["ML", ""]).all()


def test_every_export_has_its_button():
    keys = [button.key for button in at(SMALL).download_button]
    assert [key for key in keys if "export" in key] == [
        f"matrix.export.{x}" for x in ("matrix.csv", "matrix.json", "labels.csv", "scores.csv")
    ]


def test_the_finder_shows_what_evalcore_finds_and_opens_it():
    app = at(SMALL, panel="disagreement", sizes="3, 3", want="small")
    click(app, "run.matrix.finder")
    found = find("V", "NVI", (3, 3), "small", seed=1)
    assert f"V prefers A, NVI prefers B. {found.searched:,} solutions scored, which is all there are." in said(app)
    titles = [fig["layout"]["title"]["text"] for fig in figures(app)[1:]]
    (v_a, v_b), (nvi_a, nvi_b) = found.scores
    assert titles == [
        f"A: V ↑ {number(v_a)} (better) · NVI ↓ {number(nvi_a)}",
        f"B: V ↑ {number(v_b)} · NVI ↓ {number(nvi_b)} (better)",
    ]
    click(app, "matrix._open.B")
    assert held(app) == found.pair[1]


def test_where_the_finder_can_find_nothing_it_says_why():
    app = click(at(SMALL, panel="disagreement", sizes="1"), "run.matrix.finder")
    assert "V and NVI cannot disagree here: there is only one solution of these classes." in said(app)
    app = click(at(SMALL, panel="disagreement", second="NMI"), "run.matrix.finder")
    assert "V and NMI cannot disagree: both are 2 I / (H(C) + H(K))." in said(app)
    assert "“many” is none." in said(at(SMALL, panel="disagreement", sizes="many"))
