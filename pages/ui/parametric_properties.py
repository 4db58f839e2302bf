"""The Parametric lab's third view: how often each measure does what it ought to, and where it does not."""

import streamlit as st

from evalcore import FAMILIES, MEASURES, InputError, axioms
from evalcore.checks import Outcome
from evalcore.commands.properties import show as as_text
from evalcore.properties import MOST_TABLES, PUBLISHED_NOTE, Grid, beside_published, study

from . import parametric_counterexample, state, work
from .parametric_counterexample import JUDGED, panel_of, settle_check
from .parametric_dials import greek
from .rates import rates_table
from .style import plain

ROWS = ("P1–P7", "Beyond", "All")
SETS = {"all": "All measures", "mine": "Those in the settings", "paper": "Paper’s nine, with its rates"}
PAPER = ("V", "VI", "Q0", "F", "Rand", "Jaccard", "FM", "Gamma", "Mirkin")
TOLERANCES = ("0", "1e-15", "1e-12", "1e-9", "1e-6", "0.001")
EPS = {"g_eps1": "0, 0.033, 0.066, 0.1", "g_eps2": "0, 0.066, 0.133, 0.2", "g_eps3": "0, 0.066, 0.133, 0.2"}
FIELDS = (
    state.choice("rows", ROWS, ROWS[0]),
    state.choice("set", tuple(SETS), "all"),
    *parametric_counterexample.FIELDS,
    state.integer("g_classes", 5, 1, 12),
    state.span("g_useful", (2, 11), 1, 16),
    state.span("g_noise_clusters", (0, 6), 0, 10),
    state.span("g_noise_classes", (0, 6), 0, 10),
    *(state.text(name, text, 100) for name, text in EPS.items()),
    state.integer("g_n", 1000, 2, 1_000_000),
    state.flag("g_whole"),
    state.choice("tolerance", TOLERANCES, "1e-12"),
    state.integer("seed", 0, 0, 1_000_000),
)


def grid_of(page) -> Grid:
    """The grid that the controls say."""

    def values(name):
        low, high = page[name]
        return tuple(range(low, high + 1))

    def masses(name):
        try:
            return tuple(float(part) for part in page[name].replace(";", ",").split(","))
        except ValueError:
            raise InputError(f"ε{name[-1]} takes numbers separated by commas, not {page[name]!r}.") from None

    return Grid(
        page["g_classes"],
        values("g_useful"),
        values("g_noise_clusters"),
        values("g_noise_classes"),
        *(masses(name) for name in EPS),
        page["g_n"],
        page["g_whole"],
        float(page["tolerance"]),
    )


def view(page, beside) -> None:
    """Draw it; `beside` is the row that holds the choice of views."""
    with beside:
        st.segmented_control(
            "Rows",
            ROWS,
            key=page.key("rows"),
            required=True,
            label_visibility="collapsed",
            help="P1–P7: Rosenberg and Hirschberg's properties on a grid of Dom's solutions. "
            "Beyond: Amigó et al.'s constraints, Meilă's axioms, scale and chance.",
        )
        st.selectbox(
            "Measures",
            list(SETS),
            key=page.key("set"),
            format_func=SETS.get,
            label_visibility="collapsed",
            width=240,
        )
        with st.popover("Grid", icon=":material/tune:", key="parametric.grid"):
            _grid_controls(page)
    try:
        grid = grid_of(page)
    except InputError as error:
        st.error(greek(plain(error)), icon=":material/block:")
        return
    outcomes, printed = _outcomes(page, grid)
    if not outcomes:
        return
    settle_check(page, outcomes)
    names = {"all": JUDGED, "mine": page.measures, "paper": PAPER}[page["set"]]
    names = sorted(names, key=lambda name: list(FAMILIES).index(MEASURES[name].family))
    table, side = st.columns([1.55, 1], gap="medium")

    def choose(check, measure):
        page["check"], page["measure"], page["rank"] = check, measure, 1

    with table:
        st.markdown(f"**{_headline(outcomes, names)}** Click a cell.")
        rates_table(
            outcomes,
            names,
            key="parametric.rates",
            label="How often each measure does what it ought to",
            height=590,
            chosen=(page["check"], page["measure"]),
            choose=choose,
            published=printed,
        )
        with st.container(horizontal=True, gap="small"):
            st.download_button(
                "CSV",
                lambda: as_text(outcomes, "csv"),
                "properties.csv",
                "text/csv",
                key="parametric.rates.comma",
                type="tertiary",
                icon=":material/download:",
                on_click="ignore",
            )
            st.download_button(
                "LaTeX",
                lambda: as_text(outcomes, "latex"),
                "properties.tex",
                "text/x-tex",
                key="parametric.rates.tex",
                type="tertiary",
                icon=":material/download:",
                on_click="ignore",
            )
        if printed is not None:
            st.caption(
                PUBLISHED_NOTE
                if grid == Grid()
                else "The article's grid is another one: its rates belong to the default grid."
            )
    with side, st.container(gap="small"):
        panel_of(page, outcomes)
    page.code(lambda: _snippet(grid, page))


def _outcomes(page, grid):
    """The outcomes of the rows wanted, by key; empty while they are not computed."""
    outcomes: dict[str, Outcome] = {}
    printed = None
    if page["rows"] != "Beyond":
        result = work.run(
            "parametric.study",
            grid,
            lambda progress: study(grid, None, progress),
            label="Run the study",
            what=f"{grid.size:,} tables by {len(JUDGED)} measures: some seconds.",
            auto=not grid.whole,
        )
        if result is None:
            return {}, None
        outcomes |= result.outcomes
        if page["set"] == "paper":
            both = beside_published(result)
            printed = {(row.check, row.measure): row.published for row in both.itertuples()}
    if page["rows"] != "P1–P7":
        key = (page["seed"], grid.tolerance)
        found = work.run(
            "parametric.axioms",
            key,
            lambda progress: axioms.study(None, *key, progress),
            label="Run the checks",
            what="Constraints, axioms, scale and chance: some seconds.",
            auto=True,
        )
        if found is None:
            return {}, None
        outcomes |= found
    return outcomes, printed


def _grid_controls(page):
    st.markdown(
        f"**The solutions that P1–P7 are counted on**, at most {MOST_TABLES:,} tables. All neighbours are compared."
    )
    left, right = st.columns(2)
    left.number_input("Useful classes |C|", 1, 12, key=page.key("g_classes"))
    right.slider("Useful clusters |Kᵤ|", 1, 16, key=page.key("g_useful"))
    left.slider("Noise clusters", 0, 10, key=page.key("g_noise_clusters"))
    right.slider("Noise classes", 0, 10, key=page.key("g_noise_classes"))
    for column, name in zip(st.columns(3), EPS):
        column.text_input(f"ε{'₁₂₃'[int(name[-1]) - 1]}", key=page.key(name), max_chars=100)
    left, middle, right = st.columns(3, vertical_alignment="bottom")
    left.number_input(
        "n, items",
        2,
        1_000_000,
        key=page.key("g_n"),
        help="Matters to Q0, Q2 and VI/log N, and to whole counts.",
    )
    middle.toggle(
        "Whole counts",
        key=page.key("g_whole"),
        help="Round every table to whole counts: pairs are counted as n(n−1)/2 and AMI takes part. "
        "Rounding small cells moves more than a step does: take a large n, such as 100,000.",
    )
    right.selectbox(
        "Tolerance",
        TOLERANCES,
        key=page.key("tolerance"),
        help="A change up to this is a tie. At 0, roundoff decides ties.",
    )
    st.number_input("Seed of the random cases (Beyond)", 0, 1_000_000, key=page.key("seed"))


def _headline(outcomes, names):
    judged = [name for name in names if all(o.total[name] for o in outcomes.values())]
    perfect = [name for name in judged if all(o.held[name] == o.total[name] for o in outcomes.values())]
    if not judged:
        return "None of these measures can be judged by all of these checks."
    if not perfect:
        passed = {name: sum(o.held[name] == o.total[name] for o in outcomes.values()) for name in judged}
        most = max(passed.values())
        best = [plain(MEASURES[name].symbol) for name in judged if passed[name] == most]
        who = f"{' and '.join(best)} {'passes' if len(best) == 1 else 'pass'}" if len(best) < 3 else f"{len(best)} pass"
        return f"No measure passes every check; {who} most, {most} of {len(outcomes)}."
    said = ", ".join(plain(MEASURES[name].symbol) for name in perfect[:4]) + (", …" if len(perfect) > 4 else ".")
    return f"{len(perfect)} of {len(judged)} measures always do what they should: {said}"


def _snippet(grid, page):
    beyond = (
        f"outcomes |= axioms.study(seed={page['seed']}, tolerance={grid.tolerance!r})\n"
        if page["rows"] != "P1–P7"
        else ""
    )
    first = f"outcomes = dict(study({_call(grid)}).outcomes)\n" if page["rows"] != "Beyond" else "outcomes = {}\n"
    return f"""from evalcore import axioms
from evalcore.checks import rates
from evalcore.properties import Grid, study

{first}{beyond}print(rates(list(outcomes.values())).to_string())
for found in outcomes[{page["check"]!r}].counterexamples({page["measure"]!r}, 1):
    print(found.says)
    for name, table in found.tables.items():
        print(name, found.scores[name], table.to_frame(), sep="\\n")
"""


def _call(grid):
    return "Grid()" if grid == Grid() else repr(grid)
