"""Opening a page without a browser, doing things on it and reading what it shows."""

import base64
import json
import re
from pathlib import Path

import numpy as np
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parent.parent.parent


def visit(page: str, **link) -> AppTest:
    """The page after its first run, opened by a link with these fields; "start" within the whole app, since it links to all pages."""
    app = AppTest.from_file(str(ROOT / ("app.py" if page == "start" else f"pages/{page}.py")), default_timeout=60)
    for name, value in link.items():
        app.query_params[name] = str(value)
    return run(app)


def run(app: AppTest) -> AppTest:
    app.run()
    assert not app.exception
    assert not [error for error in app.error if "on our side" in error.value]
    return app


def click(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click()
    return run(app)


def choose(app: AppTest, kind: str, key: str, value) -> AppTest:
    getattr(app, kind)(key=key).set_value(value)
    return run(app)


def open_popover(app: AppTest, key: str) -> AppTest:
    """Open a popover that is only filled when it is open."""
    app.session_state[key] = True
    return run(app)


def edit_grid(app: AppTest, counts, classes, clusters, action: str = "edit", detail: str = "edited") -> AppTest:
    """What the browser sends when somebody has edited the grid."""
    seen = app.session_state["_matrix.grid_seen"]
    item = {"seq": seen.number + 1, "version": app.session_state["_history.matrix"].version, "action": action,
            "detail": detail, "steps": 1, "counts": counts, "classes": classes, "clusters": clusters}  # fmt: skip
    app.session_state["matrix.grid"] = {"outbox": {"client": seen.client or "a", "turn": 1, "items": [item]}}
    return run(app)


def component(app: AppTest, name: str) -> dict:
    """What one of our components was given to draw."""
    (found,) = (e.proto for e in app.get("bidi_component") if e.proto.component_name.endswith(name))
    return json.loads(found.json)


def strip_values(app: AppTest) -> dict[str, str]:
    return {row["name"]: row["value"] for row in component(app, "strip")["rows"]}


def figures(app: AppTest) -> list[dict]:
    return [json.loads(e.proto.spec) for e in app.get("plotly_chart")]


def unpacked(part):
    """Plotly sends arrays as base64."""
    if isinstance(part, dict) and "bdata" in part:
        array = np.frombuffer(base64.b64decode(part["bdata"]), part["dtype"])
        return array.reshape([int(x) for x in str(part.get("shape", len(array))).split(",")]).tolist()
    if isinstance(part, dict):
        return {name: unpacked(value) for name, value in part.items()}
    return [unpacked(value) for value in part] if isinstance(part, list) else part


def unescaped(text: str) -> str:
    """Markdown as a reader sees it: escapes undone, bold as plain."""
    return re.sub(r"\\(.)|\*\*", r"\1", text)


def said(app: AppTest) -> str:
    """All that the page says outside of figures and tables."""
    kinds = (app.markdown, app.error, app.info, app.success, app.warning, app.caption, app.toast)
    return " ".join(unescaped(e.value) for kind in kinds for e in kind)
