"""Opening the Sampling lab without a browser, and reading what it shows."""

import json
from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages.ui.style import DEFAULT_ESTIMATORS
from tests.pages.visit import unpacked

PAGE = str(Path(__file__).resolve().parent.parent.parent / "pages" / "sampling.py")
FOUR = list(DEFAULT_ESTIMATORS)


def opened(**link):
    app = AppTest.from_file(PAGE, default_timeout=120)
    for name, value in link.items():
        app.query_params[name] = str(value)
    return run(app)


def run(app):
    app.run()
    assert not app.exception
    assert not any("on our side" in error.value for error in app.error)
    return app


def change(app, kind, name, value):
    getattr(app, kind)(key=f"sampling.{name}").set_value(value)
    return run(app)


def figures(app):
    return [unpacked(json.loads(chart.proto.spec)) for chart in app.get("plotly_chart")]


def lines(figure, axis="y"):
    """The named lines on one axis, x and y."""
    return {t["name"]: (t["x"], t["y"]) for t in figure["data"] if t.get("name") and t.get("yaxis", "y") == axis}


def title(figure):
    return figure["layout"]["title"]["text"]


def frame(app, column):
    """The table that has this column."""
    return next(f.value for f in app.dataframe if column in f.value)
