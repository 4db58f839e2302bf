"""The Parametric lab's third view: how often each measure does what it ought to, and where it does not."""

import streamlit as st

from evalcore import FAMILIES, MEASURES, InputError, axioms
from evalcore.checks import Outcome, rates
from evalcore.commands.properties import show as as_text
from evalcore.measures import resolve
from evalcore.properties import MOST_TABLES, PROPERTIES, PUBLISHED_NOTE, Grid, beside_published, study
from evalcore.scoring import measures_named

from . import frame, state, work
from .figures import csv_button
from .parametric_figures import block_figure, chance_figure
from .rates import rates_table
from .style import number, plain

ROWS = ("P1–P7", "Beyond", "All")
SETS = {"all": "All measures", "mine": "Those in the settings", "paper": "The paper’s nine"}
PAPER = ("V", "VI", "Q0", "F", "Rand", "Jaccard", "FM", "Gamma", "Mirkin")
CHECKS = {**PROPERTIES, **axioms.CHECKS}
JUDGED = [m.name for m in measures_named()]
TOLERANCES = ("0", "1e-15", "1e-12", "1e-9", "1e-6", "0.001")
EPS = {"g_eps1": "0, 0.033, 0.066, 0.1", "g_eps2": "0, 0.066, 0.133, 0.2", "g_eps3": "0, 0.066, 0.133, 0.2"}
FIELDS = (state.choice("rows", ROWS, ROWS[0]), state.choice("set", tuple(SETS), "all"), state.flag("published"),
          state.choice("check", tuple(CHECKS), "P6"), state.choice("measure", tuple(JUDGED), "NVI"), state.integer("rank", 1, 1, 10),
          state.integer("g_classes", 5, 1, 12), state.span("g_useful", (2, 11), 1, 16), state.span("g_noise_clusters", (0, 6), 0, 10),
          state.span("g_noise_classes", (0, 6), 0, 10), *(state.text(name, text, 100) for name, text in EPS.items()),
          state.integer("g_n", 1000, 2, 1_000_000), state.flag("g_whole"), state.choice("tolerance", TOLERANCES, "1e-12"),
          state.integer("seed", 0, 0, 1_000_000))


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
    return Grid(page["g_classes"], values("g_useful"), values("g_noise_clusters"), values("g_noise_classes"),
                *(masses(name) for name in EPS), page["g_n"], page["g_whole"], float(page["tolerance"]))


def view(page, beside) -> None:
    """Draw it; `beside` is the room next to the choice of views."""
    with beside:
        st.segmented_control("Rows", ROWS, key=page.key("rows"), required=True, label_visibility="collapsed",
                             help="P1–P7: Rosenberg and Hirschberg's properties on a grid of Dom's solutions. Beyond: Amigó et al.'s "
                                  "constraints, Meilă's axioms, scale and chance.")
        st.selectbox("Measures", list(SETS), key=page.key("set"), format_func=SETS.get, label_visibility="collapsed", width=200)
        st.toggle("Published rates", key=page.key("published"), help="Rosenberg and Hirschberg's Table 2 below the computed rates.")
        with st.popover("Grid", icon=":material/tune:", key="parametric.grid"):
            _grid_controls(page)
    try:
        grid = grid_of(page)
    except InputError as error:
        st.error(plain(error), icon=":material/block:")
        return
    outcomes, printed = _outcomes(page, grid)
    if not outcomes:
        return
    names = {"all": JUDGED, "mine": page.measures, "paper": PAPER}[page["set"]]
    names = sorted(names, key=lambda name: list(FAMILIES).index(MEASURES[name].family))
    table, panel = st.columns([1.55, 1], gap="medium")

    def choose(check, measure):
        page["check"], page["measure"], page["rank"] = check, measure, 1
    with table:
        st.markdown(f"**{_headline(outcomes, names)}** Click a cell.")
        rates_table(outcomes, names, key="parametric.rates", label="How often each measure does what it ought to", height=590,
                    chosen=(page["check"], page["measure"]), choose=choose, published=printed)
        with st.container(horizontal=True, gap="small"):
            csv_button(rates(list(outcomes.values())), key="parametric.rates.csv", file="properties", label="CSV")
            st.download_button("LaTeX", lambda: as_text(outcomes, "latex"), "properties.tex", "text/x-tex", key="parametric.rates.tex",
                               type="tertiary", icon=":material/download:", on_click="ignore")
        if printed is not None:
            st.caption(PUBLISHED_NOTE if grid == Grid() else "The article's grid is another one: its rates belong to the default grid.")
    with panel:
        _panel(page, outcomes)
    page.code(lambda: _snippet(grid, page))


def _outcomes(page, grid):
    """The outcomes of the rows wanted, by key; empty while they are not computed."""
    outcomes: dict[str, Outcome] = {}
    printed = None
    if page["rows"] != "Beyond":
        result = work.run("parametric.study", grid, lambda progress: study(grid, None, progress), label="Run the study",
                          what=f"{grid.size:,} tables by {len(JUDGED)} measures: some seconds.", auto=not grid.whole)
        if result is None:
            return {}, None
        outcomes |= result.outcomes
        if page["published"]:
            both = beside_published(result)
            printed = {(row.check, row.measure): row.published for row in both.itertuples()}
    if page["rows"] != "P1–P7":
        key = (page["seed"], grid.tolerance)
        found = work.run("parametric.axioms", key, lambda progress: axioms.study(None, *key, progress), label="Run the checks",
                         what="Constraints, axioms, scale and chance: some seconds.", auto=True)
        if found is None:
            return {}, None
        outcomes |= found
    return outcomes, printed


def _grid_controls(page):
    st.markdown(f"**The solutions that P1–P7 are counted on**, at most {MOST_TABLES:,} tables. All neighbours are compared.")
    left, right = st.columns(2)
    left.number_input("Useful classes |C|", 1, 12, key=page.key("g_classes"))
    right.slider("Useful clusters |Kᵤ|", 1, 16, key=page.key("g_useful"))
    left.slider("Noise clusters", 0, 10, key=page.key("g_noise_clusters"))
    right.slider("Noise classes", 0, 10, key=page.key("g_noise_classes"))
    for column, name in zip(st.columns(3), EPS):
        column.text_input(f"ε{'₁₂₃'[int(name[-1]) - 1]}", key=page.key(name), max_chars=100)
    left, middle, right = st.columns(3, vertical_alignment="bottom")
    left.number_input("n, items", 2, 1_000_000, key=page.key("g_n"), help="Matters to Q0, Q2 and VI/log N, and to whole counts.")
    middle.toggle("Whole counts", key=page.key("g_whole"),
                  help="Round every table to whole counts: pairs are counted as n(n−1)/2 and AMI takes part. Rounding small cells moves "
                       "more than a step does: take a large n, such as 100,000.")
    right.selectbox("Tolerance", TOLERANCES, key=page.key("tolerance"), help="A change up to this is a tie. At 0, roundoff decides ties.")
    st.number_input("Seed of the random cases (Beyond)", 0, 1_000_000, key=page.key("seed"))


def _headline(outcomes, names):
    judged = [name for name in names if all(o.total[name] for o in outcomes.values())]
    perfect = [name for name in judged if all(o.held[name] == o.total[name] for o in outcomes.values())]
    if len(perfect) == 0:
        best = max(judged, key=lambda name: sum(o.held[name] == o.total[name] for o in outcomes.values()), default=None)
        return "" if best is None else (f"No measure passes every check; {best} passes most of them, "
                                        f"{sum(o.held[best] == o.total[best] for o in outcomes.values())} of {len(outcomes)}.")
    said = ", ".join(plain(MEASURES[name].symbol) for name in perfect[:4])
    return f"{len(perfect)} of {len(judged)} measures always do what they should: {said}{', …' if len(perfect) > 4 else ''}"


def _panel(page, outcomes):
    left, middle, right = st.columns([1.5, 1.5, 0.9], gap="small", vertical_alignment="bottom")
    left.selectbox("Check", list(CHECKS), key=page.key("check"), format_func=lambda key: f"{key} {CHECKS[key].title}",
                   help="Choose here, or click a cell of the table.")
    middle.selectbox("Measure", JUDGED, key=page.key("measure"), format_func=lambda name: f"{MEASURES[name].symbol} · {name}")
    check, measure = CHECKS[page["check"]], page["measure"]
    outcome = outcomes.get(check.key)
    if outcome is None:
        st.info(f"{check.key} is among the rows “{'P1–P7' if check.key in PROPERTIES else 'Beyond'}”.", icon=":material/info:")
        return
    held, total = outcome.held[measure], outcome.total[measure]
    found = outcome.counterexamples(measure) if total else []
    if len(found) > 1:
        page["rank"] = min(page["rank"], len(found))
        right.number_input("Case", 1, len(found), key=page.key("rank"), help=f"The {len(found)} worst, worst first.")
    st.markdown(plain(check.says), help=plain(check.source))
    if not total:
        st.info(plain(f"{measure} {outcome.unjudged[measure]}."), icon=":material/info:")
    elif not found:
        st.success(f"{measure} holds in all {total:,} cases: there is no counterexample.", icon=":material/check:")
    else:
        case = found[page["rank"] - 1 if len(found) > 1 else 0]
        st.markdown(f"**{plain(measure)} fails in {total - held:,} of {total:,} cases ({(total - held) / total:.1%}).** {plain(case.says)}")
    if check.key == "R":
        fig, _ = chance_figure(_curve(measure, page["seed"]), 230)
        st.plotly_chart(fig, key="parametric.chance", config={"displayModeBar": False}, alt=fig.layout.title.text)
    if found:
        _counterexample(page, measure, case)


@st.cache_resource(max_entries=128, show_spinner=False)
def _curve(measure: str, seed: int) -> axioms.ChanceCurve:
    return axioms.chance_curve([resolve(measure)], seed=seed)


def _counterexample(page, measure, found):
    room = 430 // len(found.tables)
    for place, (name, table) in enumerate(found.tables.items()):
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.markdown(f"**{plain(name)}: {plain(MEASURES[measure].symbol)} = {number(found.scores[name], 4)}**", width="stretch")
            if st.button("Open in Matrix lab", icon=":material/grid_on:", key=f"parametric.example.open.{place}", type="tertiary"):
                frame.open_in("matrix", table=table)
        rows = table.shape[0]
        fig = block_figure(table, "", min(30 + 30 * rows, max(room - 46, 30 + 14 * rows)), dom=page["check"] in PROPERTIES, small=True)
        st.plotly_chart(fig, key=f"parametric.example.{place}", config={"displayModeBar": False},
                        alt=f"{name}: a table of {rows} classes and {table.shape[1]} clusters")


def _snippet(grid, page):
    beyond = f"outcomes |= axioms.study(seed={page['seed']}, tolerance={grid.tolerance!r})\n" if page["rows"] != "P1–P7" else ""
    first = f"outcomes = dict(study({_call(grid)}).outcomes)\n" if page["rows"] != "Beyond" else "outcomes = {}\n"
    return f"""from evalcore import axioms
from evalcore.checks import rates
from evalcore.properties import Grid, study

{first}{beyond}print(rates(list(outcomes.values())).to_string())
for found in outcomes[{page['check']!r}].counterexamples({page['measure']!r}, 1):
    print(found.says)
    for name, table in found.tables.items():
        print(name, found.scores[name], table.to_frame(), sep="\\n")
"""


def _call(grid):
    return "Grid()" if grid == Grid() else repr(grid)
