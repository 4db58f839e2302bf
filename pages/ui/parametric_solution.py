"""The Parametric lab's first view: one solution, its scores, and what one more step of each dial would do."""

import math

import streamlit as st

from evalcore import InputError, score
from evalcore.checks import TOLERANCE
from evalcore.measures import resolve
from evalcore.parametric import Setting, dom
from evalcore.sweeps import Sweep, sweep

from . import frame, tray
from .figures import show
from .parametric_blocks import block_figure
from .parametric_dials import dials, greek, presets, setting
from .rates import steps_table
from .solutions import extreme_scores
from .strip import strips
from .style import plain, signed

STEPS = {
    "useful_clusters": 1,
    "noise_clusters": 1,
    "noise_classes": 1,
    "eps1": 0.02,
    "eps2": 0.02,
    "eps3": 0.02,
}
HEADS = {
    "useful_clusters": "useful clusters",
    "noise_clusters": "noise clusters",
    "noise_classes": "noise classes",
    "eps1": "ε₁",
    "eps2": "ε₂",
    "eps3": "ε₃",
}


def pairs(whole: bool) -> str:
    return "auto" if whole else "asymptotic"


@st.cache_resource(max_entries=256, show_spinner=False)
def next_steps(at: Setting, measures: tuple[str, ...], whole: bool) -> dict[str, Sweep | None]:
    """For each dial the sweep of one step; None where the step is impossible."""
    found = {}
    for name, step in STEPS.items():
        value = getattr(at, name)
        try:
            found[name] = sweep(at, {name: (value, round(value + step, 9))}, list(measures), whole)
        except InputError:
            found[name] = None
    return found


def view(page, beside) -> None:
    """Draw it; `beside` is the row that holds the choice of views."""
    with beside:
        presets(page)
    controls, rest = st.columns([1.05, 3.3], gap="medium")
    with controls:
        dials(page)
    with rest, st.container(horizontal=True, gap="medium"):
        picture, scores = st.container(key="parametric-picture"), st.container(key="parametric-scores")
    at = setting(page)
    try:
        table = dom(*at, page["whole"])
    except InputError as error:
        picture.error(greek(plain(error)), icon=":material/block:")
        picture.markdown("The blocks and scores are back as soon as the dials say something possible.")
        return
    with picture:
        fig = block_figure(at, table, 560)
        data = table.to_frame().stack().rename("count").reset_index()
        rows, columns = table.shape
        what = f"A table of {rows} classes and {columns} clusters in blocks: {fig.layout.title.text}"
        show(fig, data, key="parametric.blocks", file="dom-solution", alt=what)
        with st.container(horizontal=True, gap="small"):
            tray.add_button(table, f"Dom {at.n_classes}/{at.useful_clusters}", "Parametric lab", "parametric.tray")
            if st.button("Open in Matrix lab", icon=":material/grid_on:", key="parametric.open"):
                frame.open_in("matrix", table=table)
    with scores:
        measures = page.measures
        values = score(table, measures, base=page.base, pairs=pairs(page["whole"]))
        strips(
            values,
            extreme_scores(table, measures, base=page.base),
            key="parametric.strips",
            compact=True,
            label="Scores of this solution",
            file="dom-scores",
        )
        _steps(page, next_steps(at, tuple(measures), page["whole"]), measures)
    page.code(lambda: _snippet(at, page))


def _steps(page, steps, measures):
    """One more step of each dial: how each score moves, and whether that is the right way."""
    possible = {name: line for name, line in steps.items() if line is not None}
    if not possible:
        st.caption("No dial can go one step further.")
        return
    cells = {measure: [_cell(line, measure) for line in possible.values()] for measure in measures}
    wrong = {
        name: [measure for measure in measures if cells[measure][at]["kind"] == "wrong"]
        for at, name in enumerate(possible)
    }
    said = "; ".join(f"{HEADS[name]}: {plain(', '.join(who))}" for name, who in wrong.items() if who)
    st.markdown(
        f"**One more step of each dial** moves these the wrong way or not at all – {said}."
        if said
        else "**One more step of each dial** moves every score shown the right way."
    )

    def to_sweep(name, _):
        page["view"], page["along"], page["across"] = "Sweep", name, "none"

    columns = [
        {
            "key": name,
            "head": "+1" if STEPS[name] == 1 else f"+{STEPS[name]:g}",
            "title": HEADS[name],
            "says": f"Click to sweep along {HEADS[name]}",
        }
        for name in possible
    ]
    steps_table(
        columns,
        cells,
        key="parametric.steps",
        label="What one more step of each dial does to each score",
        choose=to_sweep,
    )


def _cell(line, measure):
    (name,) = line.values
    at = [m.name for m in line.measures].index(measure)
    before, after = line.scores[:, at]
    if before != before or after != after:
        return {"kind": "none", "text": "–", "says": f"{measure} needs whole counts"}
    text = _change(after - before)
    way = "" if text == "±0" else "▲" if (after > before) == resolve(measure).higher_is_better else "▼"
    wrong = bool(line.wrong[name][1, at])
    said = {"▲": "better", "▼": "worse", "": "no change"}[way]
    return {
        "kind": "wrong" if wrong else "right",
        "text": f"{way} {text}".strip(),
        "says": f"{measure} with one more step of {HEADS[name]}: {text}, {said}"
        + (", which is the wrong way" if wrong else ""),
    }


def _change(change):
    """A change with its sign: three decimals, or as many as it takes; ±0 only where there is none."""
    if abs(change) <= TOLERANCE:
        return "±0"
    return signed(change) or signed(change, -math.floor(math.log10(abs(change))))


def _snippet(at, page):
    whole = ", whole=True" if page["whole"] else ""
    return f"""import evalcore as ec
from evalcore.parametric import dom

table = dom({", ".join(f"{x:g}" for x in at[:7])}, n={at.n:g}{whole})
print(table.to_frame())
print(ec.score(table, {page.measures!r}, base={page.base!r}, pairs={pairs(page["whole"])!r}))
"""
