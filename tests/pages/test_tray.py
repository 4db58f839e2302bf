"""The solution tray: adding, renaming, ordering, removing; saved and restored as JSON."""

import json

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from evalcore import Contingency, InputError
from pages.ui import tray
from pages.ui.tray import LONGEST_NAME, MOST, Solution
from tests.pages.visit import click, run, said

R = Contingency.from_matrix([[3, 1], [0, 4]])
SOFT = Contingency.from_matrix([[0.5, 1.5], [2, 0]], ["<i>", "=1+1"], ["a, b", "класс"])


@pytest.fixture(autouse=True)
def empty_tray(monkeypatch):
    """Streamlit has no session here: a dictionary is one."""
    monkeypatch.setattr(st, "session_state", {})


def filled(*names):
    for name in names:
        tray.add(name, R, "Matrix lab")
    return tray.names


def test_what_is_added_lies_there_in_order():
    tray.add("  R   and\nmore ", R, "Matrix lab")
    tray.add("soft", SOFT)
    assert tray.solutions() == [Solution("R and more", R, "Matrix lab"), Solution("soft", SOFT, "")]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "needs a name"),
        (" \t\n", "needs a name"),
        ("x" * (LONGEST_NAME + 1), "81 characters"),
        ("R", "already is a solution called “R”"),
        (" R ", "already is"),
    ],
)
def test_a_name_that_cannot_be_is_refused(name, why):
    filled("R")
    with pytest.raises(InputError, match=why):
        tray.add(name, R)
    assert tray.names() == ["R"]


def test_it_is_full_at_some_point():
    filled(*map(str, range(MOST)))
    with pytest.raises(InputError, match=f"{MOST} solutions at most"):
        tray.add("one more", R)
    assert len(tray.names()) == MOST


def test_renaming():
    filled("a", "b")
    tray.rename("a", " c  d ")
    assert tray.names() == ["c d", "b"]
    tray.rename("b", "b")
    for bad, why in (("c d", "already is"), ("", "1 to 80"), ("x" * 81, "1 to 80")):
        with pytest.raises(InputError, match=why):
            tray.rename("b", bad)
    assert tray.names() == ["c d", "b"]


def test_moving_and_removing():
    filled("a", "b", "c")
    tray.move("c", -1)
    assert tray.names() == ["a", "c", "b"]
    tray.move("a", -1)
    tray.move("b", 1)
    assert tray.names() == ["a", "c", "b"]
    tray.move("a", 1)
    assert tray.names() == ["c", "a", "b"]
    tray.remove("a")
    assert tray.names() == ["c", "b"]


def test_a_free_name():
    assert tray.free_name("R") == "R"
    filled("R", "R 2")
    assert tray.free_name("R") == "R 3"


def test_saved_and_restored():
    tray.add("R", R, "Matrix lab")
    tray.add("*soft* <b>", SOFT, "elsewhere")
    back = tray.from_json(tray.to_json(tray.solutions()).encode())
    assert back == tray.solutions()
    assert [s.table.is_whole for s in back] == [True, False]


def item(**changes):
    return {"name": "a", "origin": "", "counts": [[1, 2]]} | changes


def file_of(*items):
    return json.dumps({"measure_lab_tray": 1, "solutions": list(items)}).encode()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "is not a tray saved"),
        (b"\xff\xfe\x00", "is not a tray saved"),
        (b"[]", "is not a tray saved"),
        (b"3", "is not a tray saved"),
        (b"{}", "is not a tray saved"),
        (b"[" * 100_000, "is not a tray saved"),
        (b'{"measure_lab_tray": 1}', "is not a tray saved"),
        (b'{"measure_lab_tray": 1, "solutions": {"a": 1}}', "is not a tray saved"),
        (b'{"measure_lab_tray": 2, "solutions": []}', "is not a tray saved"),
        (file_of(*[item(name=str(i)) for i in range(MOST + 1)]), f"holds {MOST + 1} solutions"),
        (file_of(3), "Solution 1 of this file has no usable name"),
        (file_of(item(name="")), "Solution 1 of this file has no usable name"),
        (file_of(item(name=7)), "Solution 1 of this file has no usable name"),
        (file_of(item(name="x" * 81)), "Solution 1 of this file has no usable name"),
        (file_of(item(), item()), "Solution 2 of this file has no usable name of its own"),
        (file_of(item(), item(name=" a ")), "Solution 2 of this file has no usable name of its own"),
        (file_of(item(), item(name="b", counts=[[-1]])), "Solution 2 of this file cannot be used: .*-1"),
        (file_of(item(counts="many")), "Solution 1 of this file cannot be used"),
        (file_of(item(clusters=["x", "x"])), "Solution 1 of this file cannot be used: Two clusters are called 'x'"),
    ],
)
def test_a_bad_file_is_refused_in_one_sentence(data, why):
    with pytest.raises(InputError, match=why) as refused:
        tray.from_json(data)
    assert "\n" not in str(refused.value)


# --- on a page

PAGE = """
from evalcore import Contingency
from pages.ui import frame, tray
with frame.page("sample", (), "Sample") as page:
    tray.add_button(Contingency.from_matrix([[3, 1], [0, 4]]), "My <b>solution</b>", "Sample lab", "sample.tray")
"""


@pytest.fixture
def app(monkeypatch):
    monkeypatch.undo()  # this one has a session
    return run(AppTest.from_string(PAGE, default_timeout=30))


def names(app):
    return [box.value for box in app.sidebar.text_input]


def test_adding_by_the_button(app):
    assert "Empty. Every lab has an “Add to tray” button" in said(app)
    click(app, "sample.tray.add")
    click(app, "sample.tray.add")
    assert names(app) == ["My <b>solution</b>", "My <b>solution</b> 2"]
    assert "2 × 2, n = 8 · Sample lab" in said(app)
    app.text_input(key="sample.tray.name.2.My <b>solution</b> 3").set_value("My <b>solution</b>")
    click(app, "sample.tray.add")
    assert "There already is a solution called “My <b>solution</b>” in the tray." in said(app)
    assert len(names(app)) == 2


def test_renaming_ordering_and_removing_in_the_sidebar(app):
    click(app, "sample.tray.add")
    click(app, "sample.tray.add")
    app.sidebar.text_input[0].set_value("first")
    run(app)
    assert names(app) == ["first", "My <b>solution</b> 2"]
    app.sidebar.text_input[1].set_value("first")
    run(app)
    assert "already is a solution called “first”" in said(app)
    assert names(app) == ["first", "My <b>solution</b> 2"]  # the refused name is gone from the box
    click(app, "tray.arrow_downward.0")
    assert names(app) == ["My <b>solution</b> 2", "first"]
    click(app, "tray.delete.1")
    assert names(app) == ["My <b>solution</b> 2"]


def test_restoring_in_the_sidebar(app):
    click(app, "sample.tray.add")
    uploader = app.file_uploader(key="tray.file.0")
    uploader.upload("tray.json", b"{}")
    run(app)
    click(app, "tray.restore")
    assert "This file is not a tray saved from Measure Lab." in said(app)
    assert names(app) == ["My <b>solution</b>"]
    app.file_uploader(key="tray.file.0").upload("tray.json", file_of(item(name="b"), item(name="a")))
    run(app)
    click(app, "tray.restore")
    assert names(app) == ["b", "a"]
    assert not app.error
