"""The Matrix lab: what it shows is what evalcore computes, whatever the table and the controls."""

import numpy as np
import pytest

from evalcore import ESTIMATORS, MEASURES, Contingency, Statistics, contributions, published, score
from evalcore.contingency import named_by_text
from pages.ui.frame import BASES, SHOWABLE
from pages.ui.solutions import examples, random_table
from pages.ui.state import pack, table_to_json
from pages.ui.style import DEFAULT_MEASURES, number
from tests.pages.visit import choose, click, component, edit_grid, figures, open_popover, run, said, strip_values, visit

R = published.solution_r()
SMALL = Contingency.from_matrix([[5, 1, 0], [1, 4, 2]])
FRACTIONS = Contingency.from_matrix([[2.5, 1], [0.5, 3]])
ODD = Contingency.from_matrix([[3, 1], [1, 4]], ["*c* <b>1</b>", "$x$ :smile: [a](b)"], ["`k`", "=1+1 & ~~k~~"])


def at(table, **link):
    return visit("matrix", table=pack(table_to_json(table)), **link)


def held(app) -> Contingency:
    return app.session_state["matrix.table"]


def assert_shows(app, table, measures=DEFAULT_MEASURES, estimator="ML", base=np.e):
    """The grid, the strips and the mosaic show this table and its scores."""
    grid = component(app, "matrix_grid")
    assert grid["counts"] == table.counts.tolist()
    assert (grid["classes"], grid["clusters"]) == ([str(c) for c in table.classes], [str(k) for k in table.clusters])
    scores = score(table, list(measures), estimator, base=base)
    assert strip_values(app) == {name: number(value) for name, value in scores.items()}
    exact = {row["name"]: row["all"][0]["exact"] for row in component(app, "strip")["rows"]}
    assert exact == {name: (value if np.isfinite(value) else None) for name, value in scores.items()}
    assert len(figures(app)[0]["data"][0]["x"]) == np.count_nonzero(table.counts)


def test_it_opens_with_solution_r():
    app = visit("matrix")
    assert_shows(app, R)
    assert dict(app.query_params) == {}


@pytest.mark.parametrize("name", examples())
def test_every_example_can_be_shown(name):
    app = visit("matrix")
    app.menu_button(key="matrix._example").click(name)
    run(app)
    assert_shows(app, examples()[name])
    assert held(app) == named_by_text(examples()[name])


def test_random_tables_come_with_their_seed():
    app = visit("matrix", seed=7)
    menu = app.menu_button(key="matrix._example")
    assert menu.options[-1] == "Random, seed 7"
    menu.click("Random, seed 7")
    run(app)
    assert_shows(app, random_table(7))
    assert app.menu_button(key="matrix._example").options[-1] == "Random, seed 8"
    assert app.query_params["seed"] == "8"


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_estimator(estimator):
    app = choose(at(SMALL), "selectbox", "matrix.estimator", estimator)
    assert_shows(app, SMALL, estimator=estimator)


def test_all_measures_by_family():
    app = choose(at(SMALL), "toggle", "matrix.all", True)
    assert_shows(app, SMALL, SHOWABLE)
    assert component(app, "strip")["families"]
    assert {row["name"] for row in component(app, "strip")["rows"]} == {
        m.name for m in MEASURES.values() if m.needs != "split"
    }


@pytest.mark.parametrize("unit", BASES)
def test_settings_of_unit_measures_and_estimators(unit):
    app = at(SMALL, base=unit, measures="VI,Q0,Rand", estimators="JK,NSB")
    assert_shows(app, SMALL, ["VI", "Q0", "Rand"], base=BASES[unit])
    table = app.dataframe[0].value
    assert table.iloc[:, 0].tolist() == ["JK", "NSB"]
    for row, estimator in enumerate(("JK", "NSB")):
        e = Statistics(SMALL, estimator=estimator).entropies
        wanted = np.array([e.C, e.K, e.joint, e.C_given_K, e.K_given_C, e.mutual]) / np.log(BASES[unit])
        np.testing.assert_allclose(table.iloc[row, 1:].astype(float), wanted)


def test_settings_by_hand():
    app = at(SMALL)
    choose(app, "multiselect", "settings.measures", ["NVI", "V"])
    assert_shows(app, SMALL, ["V", "NVI"])  # in the order of the registry
    choose(app, "multiselect", "settings.measures", [])
    assert_shows(app, SMALL)
    choose(app, "multiselect", "settings.estimators", [])
    assert app.dataframe[0].value.iloc[:, 0].tolist() == ["ML"]


# --- edits


def test_an_edit_of_the_grid_is_scored_and_in_the_link():
    app = edit_grid(visit("matrix"), [[3, 0], [1, 2]], ["a", "b"], ["x", "y"])
    table = Contingency.from_matrix([[3, 0], [1, 2]], ["a", "b"], ["x", "y"])
    assert_shows(app, table)
    assert_shows(visit("matrix", **app.query_params), table)
    changes = {row["name"]: row["changes"][0]["text"] for row in component(app, "strip")["rows"]}
    before, now = score(R), score(table)
    for name, text in changes.items():
        assert float(text.replace("−", "-")) == pytest.approx(now[name] - before[name], abs=6e-4)


def test_undo_and_redo():
    app = visit("matrix")
    assert app.button(key="matrix._undo").disabled and app.button(key="matrix._redo").disabled
    edit_grid(app, [[3, 0], [1, 2]], ["a", "b"], ["x", "y"], detail="*c1*: 1 → 3")
    assert unescaped_help(app, "matrix._undo") == "Ctrl+Z: *c1*: 1 → 3"
    edit_grid(app, [[4, 0], [1, 2]], ["a", "b"], ["x", "y"])
    click(app, "matrix._undo")
    assert held(app).counts.tolist() == [[3, 0], [1, 2]]
    click(app, "matrix._undo")
    assert_shows(app, R)
    assert app.button(key="matrix._undo").disabled
    click(app, "matrix._redo")
    assert held(app).counts.tolist() == [[3, 0], [1, 2]]
    # the keys, from the grid
    edit_grid(app, [[3, 0], [1, 2]], ["a", "b"], ["x", "y"], action="undo", detail="undo")
    assert_shows(app, R)
    edit_grid(app, R.counts.tolist(), list(R.classes), list(R.clusters), action="redo", detail="redo")
    assert held(app).counts.tolist() == [[3, 0], [1, 2]]


def unescaped_help(app, key):
    return app.button(key=key).help.replace("\\", "")


def test_an_edit_that_leaves_nothing_is_refused():
    app = edit_grid(visit("matrix"), [[0, 0]], ["a"], ["x", "y"])
    assert "All cells are zero: there are no items to score." in said(app)
    assert_shows(app, R)
    run(app)
    assert not app.error


def test_the_baseline():
    app = click(at(SMALL), "matrix._pin")
    app = edit_grid(app, [[2, 0], [1, 2]], ["a", "b"], ["x", "y"])
    data = component(app, "strip")
    assert data["heads"] == ["last edit", "from pin"]
    pinned = score(SMALL)
    for row in data["rows"]:
        exact = {mark["name"]: mark["exact"] for mark in row["all"]}
        assert exact["pinned"] == pinned[row["name"]]
    again = visit("matrix", **app.query_params)
    assert again.session_state["matrix.pin"] == SMALL
    click(again, "matrix._unpin")
    assert "pin" not in again.query_params
    assert component(again, "strip")["heads"] == []


def test_the_tray_is_marked_where_it_has_the_same_items():
    app = click(at(SMALL), "matrix.tray.add")
    edit_grid(app, [[4, 2, 0], [1, 4, 2]], ["a", "b"], ["x", "y", "z"])
    names = [mark["name"] for mark in component(app, "strip")["rows"][0]["all"]]
    assert "Matrix solution" in names
    edit_grid(app, [[4, 2, 9], [1, 4, 2]], ["a", "b"], ["x", "y", "z"])
    assert "Matrix solution" not in [mark["name"] for mark in component(app, "strip")["rows"][0]["all"]]


def test_a_name_in_the_tray_hides_no_extreme():
    app = at(SMALL)
    app.text_input(key="matrix.tray.name.0.Matrix solution").set_value("perfect")
    click(app, "matrix.tray.add")
    marks = {mark["name"]: mark["exact"] for mark in component(app, "strip")["rows"][0]["all"]}
    assert marks["perfect"] == 1 and marks["perfect (tray)"] == score(SMALL)["V"]


# --- tables of all kinds


def test_fractions():
    app = at(FRACTIONS, estimator="BUB")
    assert_shows(app, FRACTIONS)
    assert "BUB needs whole counts, but this table has fractions: ML is shown." in said(app)
    assert app.toggle(key="matrix.fractions").value and app.toggle(key="matrix.fractions").disabled
    assert app.dataframe[0].value.iloc[:, 0].tolist() == ["ML"]
    assert not component(app, "matrix_grid")["integer"]
    assert "Labels: only for whole counts" in said(app)


def test_a_baseline_with_fractions_is_not_compared_by_estimators_that_cannot():
    app = at(SMALL, pin=pack(table_to_json(FRACTIONS)), estimator="JK")
    assert "JK needs whole counts, but the pinned table has fractions: it is not compared." in said(app)
    assert component(app, "strip")["heads"] == []
    choose(app, "selectbox", "matrix.estimator", "ML")
    assert component(app, "strip")["heads"] == ["from pin"]


def test_allowing_fractions_by_hand():
    app = at(SMALL)
    assert component(app, "matrix_grid")["integer"]
    choose(app, "toggle", "matrix.fractions", True)
    assert not component(app, "matrix_grid")["integer"]
    edit_grid(app, [[0.5, 1], [1, 2]], ["a", "b"], ["x", "y"])
    assert_shows(app, Contingency.from_matrix([[0.5, 1], [1, 2]], ["a", "b"], ["x", "y"]))


@pytest.mark.parametrize(
    "counts",
    [
        [[1]],
        [[1, 1]],
        [[1], [1]],
        [[5, 0], [0, 0]],
        [[0, 3], [0, 2]],
        [[2**40, 1], [1, 2**40]],
        [[1e-9, 1.0]],
        np.eye(60, 120).astype(int).tolist(),
    ],
    ids=["one item", "two items", "one cluster", "one cell", "an empty cluster", "large", "tiny", "largest"],
)
@pytest.mark.parametrize("panel", ["shares", "what if", "split and merge"])
def test_odd_tables_in_every_panel(counts, panel):
    table = Contingency.from_matrix(counts)
    app = at(table, panel=panel, all=True)
    grid = component(app, "matrix_grid")
    np.testing.assert_array_equal(grid["counts"], table.counts)
    assert strip_values(app) == {name: number(value) for name, value in score(table, SHOWABLE).items()}
    assert not app.error


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (Contingency.from_matrix(np.ones((61, 2), int)), "at most 60 classes and 120 clusters; this table has 61 x 2"),
        (Contingency.from_matrix(np.ones((2, 121), int)), "this table has 2 x 121"),
        (Contingency.from_matrix([[2.0**60, 1]]), "A cell of the grid holds at most 9,007,199,254,740,991"),
        (Contingency.from_matrix([[1, 2]], None, ["x" * 1001, "y"]), "names of at most 1000 characters"),
    ],
)
def test_a_table_that_the_grid_cannot_show_is_refused_and_the_page_goes_on(table, why):
    app = at(table)
    assert why in said(app)
    assert_shows(app, R)
    run(app)
    assert not app.error


def test_names_are_shown_as_typed():
    app = at(ODD, panel="what if", cluster="`k`")
    assert_shows(app, ODD)
    for panel in ("split and merge", "shares"):
        choose(app, "segmented_control", "matrix.panel", panel)
        for element in (*app.markdown, *app.error, *app.info):
            assert not any(name in element.value for name in (*ODD.classes, *ODD.clusters))  # only escaped
    assert "<b>1</b>" not in str(figures(app)) and "&lt;b&gt;1&lt;/b&gt;" in str(figures(app))
    choose(app, "segmented_control", "matrix.panel", "split and merge")
    assert "only `k`'s own share changes" in said(app)


def test_another_page_may_bring_names_that_are_no_text():
    app = visit("matrix")
    app.session_state["matrix.table"] = Contingency.from_labels(
        [1, 1, 2, "1"], [None, True, 3.5, 3.5], missing="cluster"
    )
    run(app)
    assert component(app, "matrix_grid")["classes"] == ["1", "2", "1 2"]
    assert held(app).n == 4


# --- the snippet


@pytest.mark.parametrize(
    "link", [{}, {"all": True, "base": "bits", "estimator": "JK", "by": "class"}, {"estimators": "BUB,NSB"}]
)
@pytest.mark.parametrize("table", [SMALL, FRACTIONS, ODD], ids=["whole", "fractions", "odd names"])
def test_the_snippet_gives_the_numbers_of_the_page(table, link):
    app = open_popover(at(table, **link), "python")
    snippet = app.code[-1].value
    said_by = []
    exec(snippet, {"print": lambda *things: said_by.append(things)})
    (scores,), *entropies, (parts,) = said_by
    assert {name: number(value) for name, value in scores.items()} == strip_values(app)
    shown = app.dataframe[0].value
    assert [name for name, _ in entropies] == shown.iloc[:, 0].tolist()
    unit = np.log(BASES[link.get("base", "nats")])
    np.testing.assert_allclose([float(e.joint) / unit for _, e in entropies], shown["H(C,K)"].astype(float))
    assert parts.equals(contributions(table, link.get("by", "cluster")))
