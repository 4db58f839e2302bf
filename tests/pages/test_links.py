"""Links and saved files of a page that holds one field of every kind."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import frame, state
from tests.pages.test_state import BAD_TABLES, GOOD
from tests.pages.visit import visit

PAGE = """
import streamlit as st
from evalcore import Contingency
from pages.ui import frame, state
FIELDS = (state.choice("mode", ("one", "two"), "one"), state.choices("some", ("a", "b", "c"), ("a", "b")),
          state.number("share", 0.5, 0.0, 1.0), state.integer("size", 3, 0, 9), state.flag("on"), state.text("note", "", 9000),
          state.span("range", (1, 5), 0, 9), state.table("table", Contingency.from_matrix([[1, 0], [0, 1]])))
with frame.page("sample", FIELDS, "Sample") as page:
    st.segmented_control("Mode", ["one", "two"], key=page.key("mode"), required=True)
    if page["mode"] == "one":
        st.multiselect("Some", ["a", "b", "c"], key=page.key("some"))
        st.slider("Share", 0.0, 1.0, key=page.key("share"))
    st.number_input("Size", 0, 9, key=page.key("size"))
    st.toggle("On", key=page.key("on"))
    st.text_area("Note", key=page.key("note"))
    st.slider("Range", 0, 9, key=page.key("range"))
    st.text(repr({name: page[name] for name in ("mode", "some", "share", "size", "on", "note", "range")}))
    st.text(repr(page["table"].counts.tolist()))
"""
DEFAULTS = {"mode": "one", "some": ["a", "b"], "share": 0.5, "size": 3, "on": False, "note": "", "range": (1, 5)}


def sample(**link) -> AppTest:
    app = AppTest.from_string(PAGE, default_timeout=30)
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def held(app) -> dict:
    return eval(app.text[0].value)


def link_of(app) -> dict:
    return dict(app.query_params)


def test_defaults_need_no_link():
    app = sample()
    assert held(app) == DEFAULTS
    assert link_of(app) == {}


def test_what_differs_from_the_defaults_is_in_the_link_and_comes_back():
    app = sample()
    app.multiselect(key="sample.some").set_value(["c"])
    app.slider(key="sample.share").set_value(0.3)
    app.toggle(key="sample.on").set_value(True)
    app.text_area(key="sample.note").set_value("a&b=c #1 🔑")
    app.slider(key="sample.range").set_value((2, 3))
    app.run()
    wanted = {"mode": "one", "some": ["c"], "share": 0.3, "size": 3, "on": True, "note": "a&b=c #1 🔑", "range": (2, 3)}
    assert held(app) == wanted
    assert set(link_of(app)) == {"some", "share", "on", "note", "range"}
    assert held(sample(**link_of(app))) == wanted


def test_nothing_chosen_comes_back_as_nothing_chosen():
    app = sample()
    app.multiselect(key="sample.some").set_value([])
    app.run()
    assert held(sample(**link_of(app)))["some"] == []


def test_a_field_keeps_its_value_while_its_widget_is_not_drawn():
    app = sample()
    app.slider(key="sample.share").set_value(0.25)
    app.run()
    app.segmented_control(key="sample.mode").set_value("two")
    app.run()
    app.run()
    assert held(app)["share"] == 0.25
    assert link_of(app)["share"] == "0.25"
    app.segmented_control(key="sample.mode").set_value("one")
    app.run()
    assert app.slider(key="sample.share").value == 0.25


def test_a_bad_field_gives_a_note_and_its_default_and_spoils_no_other():
    app = sample(size="99", share="0.25", table=GOOD[:-6], mode="<b>three</b>")
    assert held(app) == DEFAULTS | {"share": 0.25}
    assert app.text[1].value == "[[1, 0], [0, 1]]"
    notes = [note.value.replace("\\", "") for note in app.warning]
    assert notes == [
        "The link's “mode” was not used: “<b>three</b>” is not one of one, two.",
        "The link's “size” was not used: 99 is not between 0 and 9.",
        "The link's “table” was not used: it is cut off or garbled.",
    ]
    assert set(link_of(app)) == {"share"}


@pytest.mark.parametrize("name", ["bomb", "deep", "no base64", "zeros"])
def test_no_link_breaks_the_page(name):
    app = sample(table=BAD_TABLES[name])
    assert len(app.warning) == 1
    assert app.text[1].value == "[[1, 0], [0, 1]]"


def test_an_overlong_state_gives_a_file_instead_and_says_so():
    app = sample()
    app.text_area(key="sample.note").set_value("ä" * 1500)  # 9,000 characters in an address
    app.run()
    assert link_of(app) == {}
    assert held(app)["note"] == "ä" * 1500
    assert "Too large for a link" in [popover.label for popover in popovers(app)]
    assert any("too much for a link" in text.value and "reloading it would lose" in text.value for text in app.markdown)
    app.text_area(key="sample.note").set_value("short")
    app.run()
    assert link_of(app) == {"note": "short"}
    assert "Link" in [popover.label for popover in popovers(app)]


def popovers(app):
    found, todo = [], [app.main]
    while todo:
        block = todo.pop()
        children = getattr(block, "children", {})
        todo += children.values()
        proto = getattr(block, "proto", None)
        if proto is not None and hasattr(proto, "popover") and proto.popover.label:
            found.append(proto.popover)
    return found


def saved(app, **changes) -> bytes:
    written = {"note": "ä" * 1500, "size": "4", "table": GOOD, "base": "bits"} | changes
    return json.dumps({"measure_lab_page": "sample", "state": written}).encode()


def restore(app, data: bytes):
    app.file_uploader(key="sample._file").upload("saved.json", data)
    app.run()
    app.button(key="sample._open").click()
    app.run()
    assert not app.exception
    return app


def test_a_saved_page_is_opened_whatever_its_size():
    app = sample(size="7", share="0.25")
    restore(app, saved(app))
    assert held(app) == DEFAULTS | {"note": "ä" * 1500, "size": 4}
    assert app.text[1].value == "[[3, 1], [0, 4]]"
    assert app.session_state["settings.base"] == "bits"
    assert not app.error


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xfe", b"[]", b"null", b"{}", b'{"measure_lab_page": "sample"}', b"[" * 100_000,
     b'{"measure_lab_page": "matrix", "state": {}}', b'{"measure_lab_page": "sample", "state": {"size": 4}}'],
)  # fmt: skip
def test_a_file_that_is_none_of_ours_is_refused(data):
    app = restore(sample(size="7"), data)
    assert [error.value.replace("\\", "") for error in app.error] == ["This file was not saved from this page."]
    assert held(app)["size"] == 7


def test_a_saved_page_with_a_bad_field_says_which():
    app = sample()
    restore(app, saved(app, size="99"))
    (error,) = app.error
    assert "The file's “size” was not used: 99 is not between 0 and 9." in error.value.replace("\\", "")
    assert held(app)["size"] == 3


def test_a_new_address_on_the_same_page_is_taken():
    """As after a step back in the browser."""
    app = sample(size="7")
    app.query_params["size"] = "8"
    app.run()
    assert held(app)["size"] == 8
    app.query_params.clear()
    app.run()
    assert held(app)["size"] == 3


def test_two_fields_of_one_name_are_a_mistake_of_the_page():
    with pytest.raises(ValueError, match="share a name"):
        state.PageState("p", (state.flag("a"), state.flag("a")))
    app = AppTest.from_string(PAGE.replace('state.flag("on")', 'state.flag("base")'), default_timeout=30).run()
    assert len(app.exception) == 1  # found at once by whoever writes the page


def test_settings_are_in_the_link_of_every_page():
    app = visit("matrix", base="bits", measures="V,VI", estimators="BUB")
    assert app.session_state["settings.base"] == "bits"
    assert frame.BASES["bits"] == 2
    assert app.multiselect(key="settings.measures").value == ["V", "VI"]
    assert app.multiselect(key="settings.estimators").value == ["BUB"]
    assert link_of(app) == {"base": "bits", "measures": "V,VI", "estimators": "BUB"}


def test_an_exception_on_a_page_becomes_a_sentence():
    body = "\nwith frame.page('sample', (), 'Sample') as page:\n    {}\n"
    start = "import streamlit as st\nfrom evalcore import InputError\nfrom pages.ui import frame"
    app = AppTest.from_string(start + body.format("raise KeyError('inner')"), default_timeout=30).run()
    assert not app.exception
    assert "on our side" in app.error[0].value and "inner" not in app.error[0].value
    app = AppTest.from_string(start + body.format("raise InputError('Line 3: *no* number.')"), default_timeout=30).run()
    assert app.error[0].value.replace("\\", "") == "Line 3: *no* number."
