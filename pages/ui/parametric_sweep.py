"""The Parametric lab's second view: scores along one or two parameters."""

import numpy as np
import streamlit as st

from evalcore import InputError
from evalcore.parametric import Setting
from evalcore.sweeps import Sweep, sweep

from . import state
from .figures import show
from .parametric_dials import MOST, dials, greek, setting
from .parametric_figures import ACROSS, LABELS, heat_panels, line_panels
from .style import plain

NONE = "none"
TO = (0.1, 0.2, 0.5, 1.0)
FIELDS = (
    state.choice("along", tuple(LABELS), "noise_classes"),
    state.choice("across", (NONE, *LABELS), NONE),
    state.choice("eps_to", TO, 0.5),
)


def values_of(name: str, eps_to: float, points: int) -> tuple:
    """The values of a parameter that a sweep visits."""
    if name in MOST:
        return tuple(range(MOST[name][0], MOST[name][1] + 1))
    if name == "n":
        return (20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
    return tuple(float(x) for x in np.linspace(0, eps_to, points).round(6))


@st.cache_resource(max_entries=128, show_spinner=False)
def swept(at: Setting, values: tuple, measures: tuple[str, ...], whole: bool) -> Sweep:
    return sweep(at, dict(values), list(measures), whole)


def view(page, beside) -> None:
    """Draw it; `beside` is the row that holds the choice of views."""
    with beside:
        st.selectbox(
            "Along",
            list(LABELS),
            key=page.key("along"),
            format_func=lambda x: f"along {_short(x)}",
            width=215,
            label_visibility="collapsed",
        )
        st.selectbox(
            "And",
            [NONE, *LABELS],
            key=page.key("across"),
            width=215,
            label_visibility="collapsed",
            format_func=lambda x: f"and {_short(x)}" if x in LABELS else "and nothing else",
        )
        if any(page[name].startswith("eps") for name in ("along", "across")):
            st.selectbox(
                "ε up to",
                TO,
                key=page.key("eps_to"),
                format_func=lambda x: f"ε up to {x}",
                width=140,
                label_visibility="collapsed",
            )
    controls, picture = st.columns([1.05, 3.3], gap="medium")
    with controls:
        dials(page)
    with picture:
        _figure(page, setting(page))


def _short(name):
    return LABELS[name].split(",")[0]


def _figure(page, at):
    along, across = page["along"], page["across"]
    two = across not in (NONE, along)
    points = 21 if two else 41
    values = tuple((name, values_of(name, page["eps_to"], points)) for name in ((along, across) if two else (along,)))
    try:
        found = swept(at, values, tuple(page.measures), page["whole"])
    except InputError as error:
        st.error(greek(plain(error)), icon=":material/block:")
        return
    rows = -(-len(found.measures) // ACROSS)
    height = max(600, 100 + 215 * rows)
    now = tuple(getattr(at, name) for name in found.values)
    fig = heat_panels(found, now, height) if two else line_panels(found, now[0], height)
    show(fig, found.to_frame(), key="parametric.sweep", file="dom-sweep")
    st.caption(
        "Brighter is better. Crosses: a step to the right or up after which the score went the wrong way. "
        "Circle: the dials."
        if two
        else "Up is always better: axes of measures where lower is better are turned. Red: the score moves "
        "the wrong way, or not at all. Dotted: the dials."
    )
    if found.impossible:
        st.info(
            f"{found.impossible} of {len(found.settings)} points are left out: there ε₁ + ε₂ + ε₃ exceeds 1.",
            icon=":material/info:",
        )
    page.code(lambda: _snippet(at, values, page))


def _snippet(at, values, page):
    return f"""from evalcore.parametric import Setting
from evalcore.sweeps import sweep

values = {dict(values)!r}
found = sweep({at!r}, values, {page.measures!r}, whole={page["whole"]})
print(found.to_frame().to_string())
"""
