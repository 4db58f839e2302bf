"""The Parametric lab's first view: one solution as blocks, its scores, and what one more step of each dial would do."""

import streamlit as st

from evalcore import InputError, score
from evalcore.measures import resolve
from evalcore.parametric import Setting, dom
from evalcore.sweeps import Sweep, sweep

from . import frame, tray
from .figures import show
from .parametric_dials import dials, presets, setting
from .parametric_figures import block_figure
from .solutions import extreme_scores
from .strip import strips
from .style import plain, signed

STEPS = {"useful_clusters": 1, "noise_clusters": 1, "noise_classes": 1, "eps1": 0.02, "eps2": 0.02, "eps3": 0.02}
HEADS = {"useful_clusters": "Kᵤ", "noise_clusters": "noise clusters", "noise_classes": "noise classes", "eps1": "ε₁", "eps2": "ε₂",
         "eps3": "ε₃"}


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
    """Draw it; `beside` is the room next to the choice of views."""
    with beside:
        presets(page)
    controls, picture, scores = st.columns([1.05, 1.55, 1.75], gap="medium")
    with controls:
        dials(page)
    at = setting(page)
    try:
        table = dom(*at, page["whole"])
    except InputError as error:
        picture.error(plain(error), icon=":material/block:")
        picture.markdown("The blocks and scores are back as soon as the dials say something possible.")
        return
    with picture:
        matched = max(0.0, 1 - sum((at.eps1 * (at.n_classes > 1 and at.useful_clusters > 1), at.eps2 * (at.noise_clusters > 0),
                                    at.eps3 * (at.noise_classes > 0))))
        fig = block_figure(table, f"{matched:.0%} of the mass is where it belongs", 560)
        data = table.to_frame().stack().rename("count").reset_index()
        show(fig, data, key="parametric.blocks", file="dom-solution", alt=f"A table of {table.shape[0]} classes and {table.shape[1]} clusters in "
             f"blocks: {matched:.0%} of the mass in matched cells, the rest in error cells")
        with st.container(horizontal=True, gap="small"):
            tray.add_button(table, f"Dom {at.n_classes}/{at.useful_clusters}", "Parametric lab", "parametric.tray")
            if st.button("Open in Matrix lab", icon=":material/grid_on:", key="parametric.open"):
                frame.open_in("matrix", table=table)
    with scores:
        measures = page.measures
        values = score(table, measures, base=page.base, pairs=pairs(page["whole"]))
        strips(values, extreme_scores(table, measures, base=page.base), key="parametric.strips", compact=True,
               label="Scores of this solution", file="dom-scores")
        _steps_table(next_steps(at, tuple(measures), page["whole"]), measures)
    page.code(lambda: _snippet(at, page))


def _steps_table(steps, measures):
    """One more step of each dial: how each score moves, and whether that is the right way."""
    columns = [name for name in STEPS if steps[name] is not None]
    marked = [(name, measure) for name in columns for measure in measures if _wrong(steps[name], measure)]
    st.markdown(f"**One more step of each dial** {_said(marked)}")
    lines = ["| |" + "|".join(f"{HEADS[name]} {'+1' if STEPS[name] == 1 else '+.02'}" for name in columns) + "|",
             "|:--|" + "--:|" * len(columns)]
    for measure in measures:
        m = resolve(measure)
        cells = [_step(steps[name], measure) for name in columns]
        lines.append(f"|**{plain(m.symbol)}** {m.arrow}|" + "|".join(cells) + "|")
    st.markdown("\n".join(lines))
    st.caption("▲ better, ▼ worse; :red[**✗**] the wrong way, or no change where it should get worse.")


def _at(line, measure):
    return [m.name for m in line.measures].index(measure)


def _wrong(line, measure):
    (name,) = line.values
    return bool(line.wrong[name][1, _at(line, measure)])


def _step(line, measure):
    before, after = line.scores[:, _at(line, measure)]
    if before != before or after != after:
        return "–"
    text = signed(after - before) or "0"
    better = (after > before) == resolve(measure).higher_is_better
    arrow = "" if text == "0" else "▲ " if better else "▼ "
    return f":red[**✗ {arrow}{text}**]" if _wrong(line, measure) else f"{arrow}{text}"


def _said(marked):
    if not marked:
        return "moves every score shown the right way."
    first = [measure for name, measure in marked if name == marked[0][0]]
    return f"moves some the wrong way: {', '.join(first[:3])} with {HEADS[marked[0][0]]}."


def _snippet(at, page):
    whole = ", whole=True" if page["whole"] else ""
    return f"""import evalcore as ec
from evalcore.parametric import dom

table = dom({', '.join(f'{x:g}' for x in at[:7])}, n={at.n:g}{whole})
print(table.to_frame())
print(ec.score(table, {page.measures!r}, base={page.base!r}, pairs={pairs(page['whole'])!r}))
"""
