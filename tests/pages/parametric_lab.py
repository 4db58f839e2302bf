"""Opening the Parametric lab without a browser, and reading what it shows."""

import contextlib
import io
import json
import re
from pathlib import Path
from types import SimpleNamespace

from streamlit.testing.v1 import AppTest

from tests.pages.visit import unpacked

PAGE = str(Path(__file__).resolve().parent.parent.parent / "pages" / "parametric.py")


def opened(**link):
    app = AppTest.from_file(PAGE, default_timeout=60)
    for name, value in link.items():
        app.query_params[name] = str(value)
    app.run()
    assert not app.exception
    return app


def change(app, kind, name, value):
    getattr(app, kind)(key=f"parametric.{name}").set_value(value)
    app.run()
    assert not app.exception
    return app


def component(app, name):
    """What a component of this page was given to draw."""
    found = [e.proto for e in app.get("bidi_component") if e.proto.component_name.endswith(name)]
    assert len(found) == 1
    return json.loads(found[0].json)


def figure(app, place=0):
    return unpacked(json.loads(app.get("plotly_chart")[place].proto.spec))


def plain(text):
    return re.sub(r"\\(.)|\*\*", r"\1", text)


def said(app):
    return " ".join(
        plain(e.value) for kind in (app.markdown, app.error, app.info, app.success, app.caption) for e in kind
    )


def ran(snippet):
    """What a snippet prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(snippet, {})
    return printed.getvalue()


class Visitor(SimpleNamespace):
    """Just enough of a page for a snippet."""

    def __getitem__(self, name):
        return self.fields[name]
