"""The counterexample beside the table of properties: solutions on which a measure fails a check."""

import streamlit as st

from evalcore import MEASURES, axioms
from evalcore.measures import resolve
from evalcore.properties import PROPERTIES
from evalcore.scoring import measures_named

from . import frame, state
from .figures import show
from .grid import MOST
from .parametric_blocks import block_table
from .parametric_dials import greek
from .parametric_figures import chance_figure
from .style import number, plain

CHECKS = {**PROPERTIES, **axioms.CHECKS}
JUDGED = [m.name for m in measures_named()]
FIELDS = (
    state.choice("check", tuple(CHECKS), "P6"),
    state.choice("measure", tuple(JUDGED), "NVI"),
    state.integer("rank", 1, 1, 10),
)


def settle_check(page, outcomes) -> None:
    """Have a check chosen that is among these rows: the first that the chosen measure fails, if it fails one."""
    if page["check"] in outcomes:
        return
    measure = page["measure"]
    failed = [key for key, outcome in outcomes.items() if outcome.held[measure] < outcome.total[measure]]
    page["check"], page["rank"] = (failed or list(outcomes))[0], 1


def panel_of(page, outcomes) -> None:
    """The chosen cell: what is asked, how often it fails, and the case that the visitor looks at."""
    left, middle, right = st.columns([1.5, 1.5, 0.9], gap="small", vertical_alignment="bottom")
    left.selectbox(
        "Check",
        list(outcomes),
        key=page.key("check"),
        format_func=lambda key: f"{key} {CHECKS[key].title}",
        help="Choose here, or click a cell of the table.",
    )
    middle.selectbox(
        "Measure",
        JUDGED,
        key=page.key("measure"),
        format_func=lambda name: name if MEASURES[name].symbol == name else f"{MEASURES[name].symbol} · {name}",
    )
    check, measure = CHECKS[page["check"]], page["measure"]
    outcome = outcomes[check.key]
    held, total = outcome.held[measure], outcome.total[measure]
    found = outcome.counterexamples(measure) if total else []
    if len(found) > 1:
        page["rank"] = min(page["rank"], len(found))
        right.number_input("Case", 1, len(found), key=page.key("rank"), help=f"The {len(found)} worst, worst first.")
    st.markdown(greek(plain(check.says)), help=plain(check.source))
    if not total:
        st.info(plain(f"{measure} {outcome.unjudged[measure]}."), icon=":material/info:")
    elif not found:
        st.success(f"{measure} holds in all {total:,} cases: there is no counterexample.", icon=":material/check:")
    else:
        case = found[page["rank"] - 1 if len(found) > 1 else 0]
        failed = f"{plain(measure)} fails in {total - held:,} of {total:,} cases ({1 - held / total:.1%})."
        st.markdown(f"**{failed}** {plain(case.says)}")
    if check.key == "R":
        curve = _curve(measure, page["seed"])
        show(chance_figure(curve, held == total, 230), curve.to_frame(), key="parametric.chance", file="chance")
    if found:
        _counterexample(page, measure, case)


@st.cache_resource(max_entries=128, show_spinner=False)
def _curve(measure: str, seed: int) -> axioms.ChanceCurve:
    return axioms.chance_curve([resolve(measure)], seed=seed)


def _counterexample(page, measure, found):
    for place, (name, table) in enumerate(found.tables.items()):
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            score = f"{plain(MEASURES[measure].symbol)} = {number(found.scores[name], 4)}"
            st.markdown(f"**{greek(plain(name))}: {score}**", width="stretch")
            large = max(table.shape) > MOST
            if st.button(
                "Open in Matrix lab",
                icon=":material/grid_on:",
                key=f"parametric.example.open.{place}",
                type="tertiary",
                disabled=large,
                help=f"The Matrix lab takes up to {MOST} classes and clusters." if large else None,
            ):
                frame.open_in("matrix", table=table)
        st.html(block_table(table, name, dom=page["check"] in PROPERTIES))
