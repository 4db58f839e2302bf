"""Opening the Sampling lab without a browser, and reading what it shows."""

import base64
import json
from pathlib import Path

import numpy as np
from streamlit.testing.v1 import AppTest

from pages.ui.style import DEFAULT_ESTIMATORS

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


def unpacked(part):
    """Plotly sends arrays as base64."""
    if isinstance(part, dict) and "bdata" in part:
        array = np.frombuffer(base64.b64decode(part["bdata"]), part["dtype"])
        return array.reshape([int(x) for x in str(part.get("shape", len(array))).split(",")]).tolist()
    if isinstance(part, dict):
        return {name: unpacked(value) for name, value in part.items()}
    return [unpacked(value) for value in part] if isinstance(part, list) else part


def lines(figure, axis="y"):
    """The named lines on one axis, x and y."""
    return {t["name"]: (t["x"], t["y"]) for t in figure["data"] if t.get("name") and t.get("yaxis", "y") == axis}


def title(figure):
    return figure["layout"]["title"]["text"]


def frame(app, column):
    """The table that has this column."""
    return next(f.value for f in app.dataframe if column in f.value)
