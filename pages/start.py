"""Start: one surprising example, live, and the ways in."""

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
CHOICES = (("V", "ML"), ("VI", "ML"), ("NVI", "ML"), ("AMI", "ML"), ("V", "JK"), ("V", "BUB"))


def snippet(base: float) -> str:
    return f"""import evalcore as ec
from evalcore import published

r, singletons = published.solution_r(), published.singletons([10] * 10)
for measure, estimator in {list(CHOICES)}:
    for name, table in (("R", r), ("singletons", singletons)):
        print(measure, "by", estimator, name, ec.score(table, [measure], estimator, base={base!r})[measure])
"""


@st.cache_data(max_entries=8, show_spinner=False)
def verdicts(base: float) -> pd.DataFrame:
    """Who prefers which, by measure and estimator: scores of R and of the singletons, computed now."""
    r, alone = published.solution_r(), published.singletons([10] * 10)
    rows = []
    for measure, estimator in CHOICES:
        scores = [score(table, [measure], estimator, base=base)[measure] for table in (r, alone)]
        better = (scores[0] > scores[1]) == MEASURES[measure].higher_is_better
        rows.append((measure, estimator, *scores, "R" if better else "singletons"))
    return pd.DataFrame(rows, columns=["measure", "estimator", "R", "singletons", "prefers"])


@st.cache_data(max_entries=8, show_spinner=False)
def marks(base: float) -> tuple:
    r, alone = published.solution_r(), published.singletons([10] * 10)
    measures = ["V", "VI", "NVI", "AMI"]
    both = {name: score(table, measures, base=base) for name, table in (("R", r), ("singletons", alone))}
    return both, extreme_scores(r, measures, base=base)


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
    page.code(lambda: snippet(page.base))
    r, alone = published.solution_r(), published.singletons([10] * 10)
    left, right = st.columns(2, gap="large")
    for column, table, name, title in (
        (left, r, "R", "R: ten clusters of ten, seven of a class in each"),
        (right, alone, "singletons", "Singletons: a hundred clusters, every item alone"),
    ):
        with column:
            fig, data = mosaic(table, title, height=180 if page["answer"] else 300)
            show(fig, data, key=f"start._{name}", file=f"start-{name}")
            st.button(
                "This one",
                key=f"start._pick.{name}",
                width="stretch",
                type="primary" if page["answer"] == name else "secondary",
                on_click=page.__setitem__,
                args=("answer", name),
            )
    table = verdicts(page.base)
    if not page["answer"]:
        st.markdown(
            "Colours are classes. All of 30 people asked in a study preferred the same one of the two; the V-measure prefers the other. "
            "**Which one do you choose?**"
        )
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
            both, extremes = marks(page.base)
            strips(
                None,
                both | {k: extremes[k] for k in ("no knowledge", "perfect")},
                key="start.strips",
                compact=True,
                label="R and singletons among the extremes",
                file="start-strips",
            )
    with st.container(key="ways-in"):
        for column, (target, title, what, icon) in zip(st.columns(4) * 2, WAYS):
            column.page_link(frame.PAGES[target], label=f"**{title}**  \n{what}", icon=f":material/{icon}:")
