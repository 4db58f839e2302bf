"""Words: the stages of a clustering, what measures say of them, and a closer look at one."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import ESTIMATORS, MEASURES, Contingency, InputError, score, scoreboard
from evalcore.clusterers.counts import Cooccurrence

from . import frame, state, tray, work
from .figures import csv_button
from .frame import SHOWABLE, Page
from .grid import MOST, MOST_CLUSTERS
from .solutions import extreme_scores
from .strip import strips
from .style import measure_colour, plain
from .words_panels import Line, Panel

SHOWN = ("V", "VI", "NVI")
MOST_PANELS = 4

FIELDS = (
    state.choices("m", SHOWABLE, SHOWN),
    state.choice("by", tuple(ESTIMATORS), "ML"),
    state.integer("k", 0, 0, 10_000),  # the stage looked at; 0: the one that the algorithm settles on
)


@dataclass(frozen=True, eq=False)
class Stage:
    """A clustering on the way: how many clusters, where on the axis, who is in which, and their words."""

    k: int
    at: float
    labels: np.ndarray
    words: Sequence[Sequence[str]]  # of each cluster, the most telling first
    memberships: np.ndarray | None = None


def measures_of(page: Page) -> list[str]:
    """The measures drawn, a panel each."""
    return [m for m in (*SHOWN, *(n for n in SHOWABLE if n not in SHOWN)) if m in page["m"]][:MOST_PANELS] or ["V"]


def fed_by_entropies(measures: Sequence[str]) -> list[str]:
    """The measures that soft answers have exact expectations of entropies for."""
    return [m for m in measures if MEASURES[m].needs == "entropies"]


def controls(page: Page):
    st.multiselect(
        "Measures",
        SHOWABLE,
        key=page.key("m"),
        max_selections=MOST_PANELS,
        width=260,
        format_func=lambda name: MEASURES[name].symbol,
    )
    st.selectbox(
        "Entropies by",
        list(ESTIMATORS),
        key=page.key("by"),
        width=130,
        help="  \n".join(f"**{name}**: {e.label}" for name, e in ESTIMATORS.items()),
    )


def scores_of(
    page: Page, name: str, key: tuple, pairs: Cooccurrence, stages: Sequence[Stage], soft: bool = False
) -> pd.DataFrame | None:
    """A row for each stage and a column for each measure; None while computing, or without classes."""
    if pairs.gold is None:
        return None
    measures, by = measures_of(page), page["by"]
    if soft:
        measures = fed_by_entropies(measures)
        if not measures:
            return None

    def compute(progress):
        progress(0, 1, f"scoring {len(stages)} stages")
        tables = {
            i: pairs.soft_contingency(s.memberships) if soft else pairs.contingency(s.labels)
            for i, s in enumerate(stages)
        }
        try:
            board = scoreboard(tables, measures, [by], base=page.base)
        except InputError as error:
            return error
        return board.pivot(index="solution", columns="measure", values="value")[measures]

    found = work.run(
        f"words.{name}.{'soft' if soft else 'hard'}",
        (key, tuple(measures), by, page.base),
        compute,
        label="Score",
        auto=True,
    )
    if isinstance(found, InputError):
        st.error(plain(found))
        return None
    return found


def panels(
    page: Page,
    x: Sequence[float],
    hard: pd.DataFrame | None,
    soft: pd.DataFrame | None = None,
    steps: bool = True,
) -> list[Panel]:
    """A panel for each measure, better always up; x has where each stage begins and, for steps, the end."""
    if hard is None:
        return []
    found = []
    for name in hard.columns:
        measure, colour = MEASURES[name], measure_colour(name)
        unit = f", {page.unit}" if measure.unit else ""
        lines = [_line(hard[name], x, colour, "solid", measure.symbol, "hard" if soft is not None else "", steps)]
        if soft is not None and name in soft:
            lines.append(_line(soft[name], x, colour, "dot", f"{measure.symbol}, soft", "soft", steps))
        found.append(Panel(f"{measure.symbol}{unit} {measure.arrow}", lines, upside_down=not measure.higher_is_better))
    return found


def _line(values, x, colour, dash, name, label, steps):
    y = values.tolist() + ([values.iloc[-1]] if steps else [])
    return Line(name, x, y, colour, dash, steps=steps, label=label)


# ---- a closer look -----------------------------------------------------------------------------------------


def chosen(page: Page, stages: Sequence[Stage], default: int) -> Stage:
    """The stage looked at: of those there are, the nearest to the k asked for."""
    wish = page["k"] or default
    return min(stages, key=lambda stage: (abs(stage.k - wish), stage.k))


def slider(page: Page, stages: Sequence[Stage], stage: Stage):
    """Choose the number of clusters looked at."""
    ks = [s.k for s in stages]
    if len(ks) < 2:
        return
    st.session_state["words._k"] = stage.k

    def take():
        page["k"] = st.session_state["words._k"]

    st.select_slider(
        "Look closer at k", ks, key="words._k", on_change=take, format_func=lambda k: f"{k:,}",
        help="The tree as it is when it has grown to k clusters; what is still to come is faint.",
    )  # fmt: skip


def look(page: Page, pairs: Cooccurrence, stage: Stage, name: str):
    """The words of each cluster; the stage's scores among the extremes; where to take it."""
    table = None
    if pairs.gold is not None:
        named = pairs.contingency(stage.labels)
        table = Contingency.from_matrix(named.counts, [str(c) for c in named.classes])
    left, right = st.columns([1.35, 1], gap="medium")
    with left:
        _words_table(pairs, stage)
    with right:
        if table is None:
            st.info(
                "These words have no classes, so nothing can be scored. Load a file of classes to see what "
                "the measures say."
            )
            return
        measures = page.measures
        strips(
            score(table, measures, page["by"], base=page.base),
            extreme_scores(table, measures, page["by"], base=page.base),
            key="words.strips",
            label=f"Scores of {stage.k} clusters",
            now_label=f"k = {stage.k}",
            compact=True,
            file=f"words-{stage.k}",
        )
        with st.container(horizontal=True, gap="small"):
            wish = f"{name}, k = {stage.k}"
            tray.add_button(table, wish, "Words", f"words.tray.{wish}")
            fits = table.shape[0] <= MOST and table.shape[1] <= MOST_CLUSTERS
            if st.button(
                "Open in Matrix lab",
                icon=":material/grid_on:",
                key="words._open",
                disabled=not fits,
                help=None if fits else f"The grid shows at most {MOST} classes and {MOST_CLUSTERS} clusters.",
            ):
                frame.open_in("matrix", table=table)


def _words_table(pairs, stage):
    rows = []
    for c, words in enumerate(stage.words):
        members = np.flatnonzero(stage.labels == c)
        row = {"cluster": f"k{c + 1}", "nouns": len(members), "words": ", ".join(map(str, words))}
        if pairs.gold is not None:
            held = Counter(pairs.gold[i] for i in members)
            row["classes"] = ", ".join(f"{'–' if name is None else name} {n}" for name, n in held.most_common(5))
        rows.append(row)
    frame_ = pd.DataFrame(rows)
    st.dataframe(
        frame_,
        hide_index=True,
        height=min(38 + 35 * len(rows), 330),
        column_config={
            "cluster": st.column_config.TextColumn(width="small"),
            "nouns": st.column_config.NumberColumn(width="small"),
            "words": st.column_config.TextColumn(width="large"),
        },
    )
    members = pd.DataFrame(
        {
            "noun": pairs.nouns,
            "class": pairs.gold or [""] * len(pairs.nouns),
            "cluster": [f"k{c + 1}" for c in stage.labels],
        }
    )
    csv_button(
        members,
        key="words.members_table",
        file=f"words-{stage.k}-clusters",
        label="Every noun's cluster (CSV)",
    )
