"""Start: one surprising example, live, and the ways in."""

from pathlib import Path

import pandas as pd
import streamlit as st

from evalcore import MEASURES, published, score
from pages.ui import frame, state
from pages.ui.figures import mosaic, show
from pages.ui.solutions import extreme_scores
from pages.ui.strip import strips
from pages.ui.style import number

FIELDS = (state.choice("answer", ("", "R", "singletons"), ""),)
WAYS = (
    ("matrix", "Matrix", "Edit a table, see every measure move", "grid_on"),
    ("parametric", "Parametric", "Add known errors, see who notices", "tune"),
    ("sampling", "Sampling", "Small samples lie: by how much?", "casino"),
    ("systems", "Systems", "Rank real systems, yours too", "leaderboard"),
    ("words", "Words", "Cluster words as the papers did", "account_tree"),
    ("clusters", "Number of clusters", "Which k does a measure like?", "bubble_chart"),
    ("reference", "Reference", "Every formula and its source", "menu_book"),
)

INTRO = (
    "**Measure Lab** shows what measures say when they compare clusters with classes, where they contradict each other, and how small "
    "samples mislead them."
)
SNIPPET = """import evalcore as ec
from evalcore import published

r, singletons = published.solution_r(), published.singletons([10] * 10)
for name, table in (("R", r), ("singletons", singletons)):
    print(name, ec.score(table, ["V", "VI", "NVI"]).round(3).to_dict(),
          "V by BUB", ec.score(table, ["V"], estimator="BUB").round(3)["V"])
"""


@st.cache_data(show_spinner=False)
def verdicts() -> pd.DataFrame:
    """Who prefers which, by measure and estimator: scores of R and of the singletons, computed now."""
    r, alone = published.solution_r(), published.singletons([10] * 10)
    rows = []
    for measure, estimator in (("V", "ML"), ("VI", "ML"), ("NVI", "ML"), ("AMI", "ML"), ("V", "JK"), ("V", "BUB")):
        scores = [score(table, [measure], estimator)[measure] for table in (r, alone)]
        better = (scores[0] > scores[1]) == MEASURES[measure].higher_is_better
        rows.append((measure, estimator, *scores, "R" if better else "singletons"))
    return pd.DataFrame(rows, columns=["measure", "estimator", "R", "singletons", "prefers"])


@st.cache_data(show_spinner=False)
def marks() -> tuple:
    r, alone = published.solution_r(), published.singletons([10] * 10)
    measures = ["V", "VI", "NVI", "AMI"]
    return {"R": score(r, measures), "singletons": score(alone, measures)}, extreme_scores(r, measures)


def sentence(row) -> str:
    """“V says singletons: 0.667 > 0.592”."""
    winner, loser = (row.R, row.singletons) if row.prefers == "R" else (row.singletons, row.R)
    sign = ">" if MEASURES[row.measure].higher_is_better else "<"
    said = "**R**" if row.prefers == "R" else "**singletons**"
    return f"{name_of(row)} {MEASURES[row.measure].arrow} says {said}: {number(winner)} {sign} {number(loser)}"


def name_of(row) -> str:
    """“V”, or “V by BUB” where entropies are not estimated by maximum likelihood."""
    return MEASURES[row.measure].symbol + ("" if row.estimator == "ML" else f" by {row.estimator}")


def listed(names) -> str:
    """“VI, NVI and AMI”."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]])) or "none of these measures"


with frame.page("start", FIELDS, "Two clusterings of the same 100 items. Which one is better?", INTRO) as page:
    page.code(lambda: SNIPPET)
    r, alone = published.solution_r(), published.singletons([10] * 10)
    left, right = st.columns(2, gap="large")
    for column, table, name, title in (
        (left, r, "R", "R: ten clusters of ten, seven of a class in each"),
        (right, alone, "singletons", "Singletons: a hundred clusters, every item alone"),
    ):
        with column:
            fig, data = mosaic(table, title, height=180)
            show(fig, data, key=f"start._{name}", file=f"start-{name}")
            st.button(
                "This one",
                key=f"start._pick.{name}",
                width="stretch",
                type="primary" if page["answer"] == name else "secondary",
                on_click=page.__setitem__,
                args=("answer", name),
            )
    table = verdicts()
    if not page["answer"]:
        st.markdown("Colours are classes. Choose one; then see what the measures say.")
    else:
        agree = [name_of(row) for row in table.itertuples() if row.prefers == page["answer"]]
        st.markdown(
            f"You chose **{page['answer']}**; so do {listed(agree)}. 30 of 30 people asked by Reichart and Rappoport (2009) chose **R**."
        )
        words, picture = st.columns([1, 1.5], gap="large")
        with words:
            st.markdown("  \n".join(sentence(row) for row in table.itertuples()))
            st.caption(
                "Singletons are perfectly homogeneous, and V forgives the rest. NVI does not. AMI takes off what "
                "chance would give, and BUB, a better estimator of entropy, sees that a hundred clusters of one item are hardly evidence."
            )
        with picture:
            both, extremes = marks()
            strips(
                None,
                both | {k: extremes[k] for k in ("no knowledge", "perfect")},
                key="start.strips",
                compact=True,
                label="R and singletons among the extremes",
                file="start-strips",
            )
    with st.container(horizontal=True, key="ways-in"):
        for target, title, what, icon in WAYS:
            if (Path(__file__).parent.parent / frame.PAGES[target]).exists():
                st.page_link(frame.PAGES[target], label=f"**{title}**  \n{what}", icon=f":material/{icon}:")
