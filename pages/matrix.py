"""Matrix lab: a contingency table to edit, and every measure watching."""

import time

import streamlit as st

from evalcore import ESTIMATORS, Contingency, InputError, published, score
from evalcore.contingency import named_by_text
from pages.ui import frame, state, tray
from pages.ui.figures import mosaic, show
from pages.ui.frame import SHOWABLE
from pages.ui.grid import LARGEST, LONGEST_NAME, MOST, MOST_CLUSTERS, grid_event, matrix_grid
from pages.ui.history import history
from pages.ui.matrix_code import snippet
from pages.ui.matrix_entropies import entropies
from pages.ui.matrix_finder import finder
from pages.ui.matrix_io import exports, imports
from pages.ui.matrix_shares import shares
from pages.ui.matrix_splits import splits_and_merges
from pages.ui.matrix_whatif import whatif
from pages.ui.solutions import examples, extreme_scores, random_table
from pages.ui.strip import strips
from pages.ui.style import class_colour, plain

PANELS = {
    "shares": "Shares",
    "what if": "What if",
    "split and merge": "Split and merge",
    "disagreement": "Find a disagreement",
}
ROOM = 510  # pixels beside the grid, above which the strips scroll
MOMENT = 0.06  # seconds in which a browser draws the scores, before it gets the rest of the page to draw
FIELDS = (
    state.table("table", published.solution_r()),
    state.table("pin"),
    state.choice("estimator", tuple(ESTIMATORS), "ML"),
    state.flag("all"),
    state.flag("fractions"),
    state.choice("panel", tuple(PANELS), "shares"),
    state.choice("by", ("cluster", "class"), "cluster"),
    state.choice("measure", SHOWABLE, "V"),
    state.choice("second", SHOWABLE, "NVI"),
    state.integer("seed", 1, 0, 999_999),
    state.choice("first_estimator", tuple(ESTIMATORS), "ML"),
    state.choice("second_estimator", tuple(ESTIMATORS), "ML"),
    state.text("sizes", "5, 5, 5", 200),
    state.choice("want", ("small", "blatant"), "blatant"),
    state.integer("search_seed", 1, 0, 999_999),
    state.text("cluster", "", LONGEST_NAME),
    state.text("source", "", 20),
)


def fit(table):
    """A table that the grid can draw: names as text, not too many of them, counts that a browser can tell apart."""
    if table.shape[0] > MOST or table.shape[1] > MOST_CLUSTERS:
        raise InputError(
            f"The grid shows at most {MOST} classes and {MOST_CLUSTERS} clusters; this table has {table.shape[0]} x {table.shape[1]}."
        )
    if table.counts.max() > LARGEST:
        raise InputError(
            f"A cell of the grid holds at most {LARGEST:,}; this table has one with {table.counts.max():,}."
        )
    table = named_by_text(table)
    if max(map(len, table.classes + table.clusters)) > LONGEST_NAME:
        raise InputError(f"The grid shows names of at most {LONGEST_NAME} characters.")
    return table if table.memberships is None else Contingency(table.matrix, table.classes, table.clusters)


def refuse(error):
    """Say in this run's page why a table was not taken."""
    st.session_state["_matrix_refused"] = str(error)


def opened(page):
    """The history of the table, once it has taken in what a link, a file or another page has put into the page's state."""
    steps = st.session_state.get("_history.matrix")
    try:
        if steps is None:
            steps = history("matrix", fit(page["table"]))
        elif page["table"] is not steps.now and page["table"] != steps.now:
            steps.do(fit(page["table"]), "opened")
    except InputError as error:
        steps = steps or history("matrix", published.solution_r())
        refuse(error)
    if not steps.now.is_whole:
        page["fractions"] = True
    return steps


def take(page, steps):
    """Apply what the visitor did in the grid, and tell whether that was anything."""
    event = grid_event("matrix.grid", version=steps.version, integer=not page["fractions"])
    if event is None:
        return False
    if event.action in ("undo", "redo"):
        getattr(steps, event.action)()
        return True
    try:
        steps.do(Contingency.from_matrix(event.counts, event.classes, event.clusters), event.detail, silently=True)
    except InputError as error:
        steps.version += 1  # the grid goes back to what it was
        refuse(error)
    return True


def load(page, table, label):
    """A new table, as one undoable step; if the grid cannot show it, the page says so and keeps the old one."""
    steps = opened(page)
    try:
        steps.do(fit(table), label)
    except InputError as error:
        refuse(error)
    page["table"] = steps.now


def step(page, direction):
    steps = opened(page)
    getattr(steps, direction)()
    page["table"] = steps.now


def show_example(page):
    """The callback of the menu of examples."""
    chosen = st.session_state["matrix._example"]
    if chosen in examples():
        load(page, examples()[chosen], chosen)
    elif chosen:
        load(page, random_table(page["seed"]), chosen)
        page["seed"] += 1


def toolbar(page, steps):
    with st.container(horizontal=True, vertical_alignment="bottom", key="matrix-toolbar"):
        st.menu_button(
            "Example",
            [*examples(), f"Random, seed {page['seed']}"],
            icon=":material/auto_stories:",
            key="matrix._example",
            on_click=show_example,
            args=(page,),
        )
        st.selectbox(
            "Estimator",
            list(ESTIMATORS),
            key=page.key("estimator"),
            label_visibility="collapsed",
            width=170,
            format_func=lambda name: f"Entropy: {name}",
            help="How entropies are estimated from these counts. " + ESTIMATORS[page["estimator"]].summary,
        )
        last, following = (f": {plain(label)}" if label else "" for label in (steps.label, steps.label_ahead))
        st.button(
            "Undo",
            icon=":material/undo:",
            help=f"Ctrl+Z{last}",
            key="matrix._undo",
            disabled=not steps.can_undo,
            on_click=step,
            args=(page, "undo"),
        )
        st.button(
            "Redo",
            icon=":material/redo:",
            help=f"Ctrl+Shift+Z{following}",
            key="matrix._redo",
            disabled=not steps.can_redo,
            on_click=step,
            args=(page, "redo"),
        )
        imports(lambda table, label: load(page, table, label))
        exports(steps.now, page)
        if page["pin"] is None:
            st.button(
                "Pin",
                icon=":material/push_pin:",
                key="matrix._pin",
                help="Keep this solution as the baseline to compare with",
                on_click=page.__setitem__,
                args=("pin", steps.now),
            )
        else:
            st.button(
                "Unpin",
                icon=":material/keep_off:",
                key="matrix._unpin",
                help="Forget the baseline",
                on_click=page.__setitem__,
                args=("pin", None),
            )
        tray.add_button(steps.now, "Matrix solution", "Matrix lab", "matrix.tray")
        st.toggle(
            "All measures", key=page.key("all"), help="All of them, by family, in place of those chosen in the sidebar"
        )
        st.toggle(
            "Fractions",
            key=page.key("fractions"),
            disabled=not steps.now.is_whole,
            help="Let cells hold fractions, as expected counts do. A table that has some keeps them allowed.",
        )


def scores(page, steps, measures, estimator):
    """Strips for the current table among the extremes, the tray and the pin."""
    table = steps.now
    references = extreme_scores(table, measures, estimator, page.base)
    for solution in tray.solutions()[:4]:
        if sorted(solution.table.class_sizes.tolist()) == sorted(table.class_sizes.tolist()):
            name = f"{solution.name} (tray)" if solution.name in references else solution.name
            references[name] = scored(solution.table, measures, estimator, page.base)
    pinned = scored(page["pin"], measures, estimator, page.base)
    strips(
        score(table, measures, estimator, base=page.base),
        {k: v for k, v in references.items() if v is not None},
        key="matrix.strips",
        families=page["all"],
        file="measure-strips",
        label="Where this solution stands",
        compact=len(measures) > 12,
        before=scored(steps.before, measures, estimator, page.base),
        pinned=pinned,
    )


def scored(table, measures, estimator, base):
    """The scores of a solution to compare with; None where there is none, or where the estimator cannot take it."""
    try:
        return score(table, measures, estimator, base=base) if table is not None else None
    except InputError:
        return None


@st.fragment
def live(page):
    """The grid and its scores. An edit reruns this alone, so that the scores come at once; the rest of the page follows."""
    steps = opened(page)
    edited = take(page, steps)
    page["table"] = table = steps.now
    with frame.guarded("matrix"):
        left, right = st.columns([1, 1.08], gap="medium")
        with right.container(height=ROOM) if page["all"] else right:
            scores(page, steps, *shown(page, table))
        with left:
            matrix_grid(
                table.counts,
                table.classes,
                table.clusters,
                key="matrix.grid",
                version=steps.version,
                integer=not page["fractions"],
                colours=[class_colour(i) for i in range(len(table.classes))],
                height=470,
                page_keys=True,
            )
    if edited:
        time.sleep(MOMENT)
        st.rerun()


def shown(page, table):
    """The measures and the estimator that are seen: of a table with fractions only ML can be."""
    return SHOWABLE if page["all"] else page.measures, page["estimator"] if table.is_whole else "ML"


with frame.page("matrix", FIELDS, "Matrix lab") as page:
    steps = opened(page)
    take(page, steps)
    page["table"] = table = steps.now
    measures, estimator = shown(page, table)
    page.code(lambda: snippet(page, measures, estimator))
    tools, notes = st.container(), st.container()
    live(page)
    with tools:
        toolbar(page, steps)
    if "_matrix_refused" in st.session_state:
        notes.error(plain(st.session_state.pop("_matrix_refused")))
    if estimator != page["estimator"]:
        notes.info(f"{page['estimator']} needs whole counts, but this table has fractions: ML is shown.")
    elif estimator != "ML" and page["pin"] is not None and not page["pin"].is_whole:
        notes.info(f"{estimator} needs whole counts, but the pinned table has fractions: it is not compared.")
    left, right = st.columns([1, 1.08], gap="medium")
    with left:
        fig, data = mosaic(table, "Each cluster, filled by class", height=152)
        show(fig, data, key="matrix.mosaic", file="mosaic")
    with right:
        entropies(table, page)
    st.segmented_control(
        "Look closer",
        list(PANELS),
        format_func=PANELS.get,
        key=page.key("panel"),
        required=True,
        label_visibility="collapsed",
    )
    if page["panel"] == "shares":
        shares(table, page)
    elif page["panel"] == "what if":
        whatif(table, page, estimator)
    elif page["panel"] == "split and merge":
        splits_and_merges(table, page, estimator, lambda new, label: load(page, new, label))
    else:
        finder(page, lambda new, label: load(page, new, label))
