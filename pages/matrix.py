"""Matrix lab: a contingency table to edit, and every measure watching."""

import streamlit as st

from evalcore import ESTIMATORS, Contingency, InputError, published, score
from evalcore.contingency import named_by_text
from pages.ui import frame, state, tray
from pages.ui.figures import mosaic, show
from pages.ui.frame import SHOWABLE
from pages.ui.grid import MOST, grid_event, matrix_grid
from pages.ui.history import history
from pages.ui.matrix_entropies import entropies
from pages.ui.matrix_finder import finder
from pages.ui.matrix_io import exports, imports
from pages.ui.matrix_shares import shares
from pages.ui.matrix_splits import splits_and_merges
from pages.ui.matrix_whatif import whatif
from pages.ui.solutions import examples, extreme_scores, random_table
from pages.ui.strip import strips
from pages.ui.style import class_colour, plain

PANELS = {"shares": "Shares", "what if": "What if", "split and merge": "Split and merge", "disagreement": "Find a disagreement"}
FIELDS = (
    state.table("table", published.solution_r()), state.table("pin"), state.choice("estimator", tuple(ESTIMATORS), "ML"),
    state.flag("all"), state.flag("fractions"), state.choice("panel", tuple(PANELS), "shares"), state.choice("by", ("cluster", "class"), "cluster"),
    state.choice("measure", SHOWABLE, "V"), state.choice("second", SHOWABLE, "NVI"), state.integer("seed", 1, 0, 999_999),
    state.choice("first_estimator", tuple(ESTIMATORS), "ML"), state.choice("second_estimator", tuple(ESTIMATORS), "ML"),
    state.text("sizes", "5, 5, 5", 200), state.choice("want", ("small", "blatant"), "blatant"), state.integer("search_seed", 1, 0, 999_999),
    state.text("cluster", "", 80), state.text("source", "", 170),
)


def take(page, steps):
    """Bring together what a link, a file or another page has set and what the visitor did in the grid."""
    if page["table"] is not steps.now:
        steps.do(fit(page["table"]), "opened")
    if not steps.now.is_whole:
        page["fractions"] = True
    event = grid_event("matrix.grid", version=steps.version, integer=not page["fractions"])
    if event is None:
        return
    if event.action in ("undo", "redo"):
        getattr(steps, event.action)()
        return
    try:
        steps.do(Contingency.from_matrix(event.counts, event.classes, event.clusters), event.detail, silently=True)
    except InputError as error:
        steps.version += 1  # the grid goes back to what it was
        st.session_state["_matrix_refused"] = str(error)


def fit(table):
    """A table that the grid can draw: names as text, at most so many rows and columns."""
    if max(table.shape) > MOST:
        raise InputError(f"The grid shows at most {MOST} classes and {MOST} clusters; this table has {table.shape[0]} x {table.shape[1]}.")
    return named_by_text(table)


def load(page, table, label):
    """A new table, as one undoable step."""
    steps = history("matrix", page["table"])
    steps.do(fit(table), label)
    page["table"] = steps.now


def toolbar(page, steps):
    with st.container(horizontal=True, vertical_alignment="bottom", key="matrix-toolbar"):
        known = examples()
        chosen = st.menu_button("Example", [*known, "Random (next seed)"], icon=":material/auto_stories:", key="matrix._example")
        st.selectbox("Estimator", list(ESTIMATORS), key=page.key("estimator"), label_visibility="collapsed", width=170,
                     format_func=lambda name: f"Entropy: {name}",
                     help="How entropies are estimated from these counts. " + ESTIMATORS[page["estimator"]].summary)
        st.button("Undo", icon=":material/undo:", help="Ctrl+Z, in the grid too", key="matrix._undo", disabled=not steps.can_undo, shortcut="Ctrl+Z", on_click=_step,
                  args=(page, "undo"))
        st.button("Redo", icon=":material/redo:", help="Ctrl+Shift+Z", key="matrix._redo", disabled=not steps.can_redo, shortcut="Ctrl+Shift+Z", on_click=_step,
                  args=(page, "redo"))
        imports(lambda table, label: load(page, table, label))
        exports(steps.now, page)
        if page["pin"] is None:
            st.button("Pin", icon=":material/push_pin:", key="matrix._pin", help="Keep this solution as the baseline to compare with",
                      on_click=page.__setitem__, args=("pin", steps.now))
        else:
            st.button("Unpin", icon=":material/keep_off:", key="matrix._unpin", on_click=page.__setitem__, args=("pin", None))
        tray.add_button(steps.now, "Matrix solution", "Matrix lab", "matrix.tray")
    if chosen == "Random (next seed)":
        page_seed = st.session_state["_random_seed"] = st.session_state.get("_random_seed", 0) + 1
        load(page, random_table(page_seed), f"random, seed {page_seed}")
        st.rerun()
    elif chosen:
        load(page, known[chosen], chosen)
        st.rerun()


def _step(page, direction):
    steps = history("matrix", page["table"])
    getattr(steps, direction)()
    page["table"] = steps.now


def scores(page, steps, measures, estimator):
    """Strips for the current table among the extremes, the tray and the pin."""
    table = steps.now
    now = score(table, measures, estimator, base=page.base)
    references = dict(extreme_scores(table, measures, estimator, page.base))
    for solution in tray.solutions()[:4]:
        if sorted(solution.table.class_sizes.tolist()) == sorted(table.class_sizes.tolist()):
            references[solution.name] = _scored(solution.table, measures, estimator, page.base)
    against = page["pin"] if page["pin"] is not None else steps.before
    strips(now, {k: v for k, v in references.items() if v is not None}, key="matrix.strips", families=page["all"], file="measure-strips",
           label="Where this solution stands", compact=page["all"] or len(measures) > 9,
           before=_scored(against, measures, estimator, page.base) if against is not None else now,
           before_name="from the pin" if page["pin"] is not None else "last edit",
           pinned=_scored(page["pin"], measures, estimator, page.base) if page["pin"] is not None else None)
    return now


def _scored(table, measures, estimator, base):
    try:
        return score(table, measures, estimator, base=base)
    except InputError:
        return None


def snippet(page, measures, estimator):
    table = page["table"]
    return f"""import evalcore as ec

table = ec.Contingency.from_matrix(
    {table.counts.tolist()},
    classes={[str(x) for x in table.classes]},
    clusters={[str(x) for x in table.clusters]})
print(ec.score(table, {measures}, estimator={estimator!r}, base={page.base!r}))
print(ec.contributions(table))
"""


with frame.page("matrix", FIELDS, "Matrix lab") as page:
    steps = history("matrix", page["table"])
    take(page, steps)
    page["table"] = steps.now
    toolbar(page, steps)
    table, estimator = steps.now, page["estimator"]
    measures = SHOWABLE if page["all"] else page.measures
    page.code(lambda: snippet(page, measures, estimator))
    if "_matrix_refused" in st.session_state:
        st.error(plain(st.session_state.pop("_matrix_refused")))
    left, right = st.columns([1, 1.08], gap="medium")
    with left:
        matrix_grid(table.counts, table.classes, table.clusters, key="matrix.grid", version=steps.version, integer=not page["fractions"],
                    colours=[class_colour(i) for i in range(len(table.classes))], height=470)
        fig, data = mosaic(table, "Each cluster, filled by class", height=205)
        show(fig, data, key="matrix.mosaic", file="mosaic")
    with right:
        if not table.is_whole and estimator != "ML":
            st.info(f"{estimator} needs whole counts, but this table has fractions: ML is shown.")
            estimator = "ML"
        now = scores(page, steps, measures, estimator)
        with st.container(horizontal=True):
            st.toggle("All measures, by family", key=page.key("all"))
            st.toggle("Fractions in cells", key=page.key("fractions"), disabled=not table.is_whole,
                      help="Let cells hold fractions, as expected counts do. A table that has some keeps them allowed.")
        entropies(table, page)
    st.segmented_control("Look closer", list(PANELS), format_func=PANELS.get, key=page.key("panel"), required=True, label_visibility="collapsed")
    if page["panel"] == "shares":
        shares(table, page)
    elif page["panel"] == "what if":
        whatif(table, page, estimator)
    elif page["panel"] == "split and merge":
        splits_and_merges(table, page, estimator, lambda new, label: load(page, new, label))
    else:
        finder(page, lambda new, label: load(page, new, label))
