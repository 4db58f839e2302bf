"""Number of clusters: the scores of every k, on all items or on samples of them, and two pictures of them."""

import math

import pandas as pd
import streamlit as st

from evalcore import ESTIMATORS, MEASURES, InputError
from evalcore.clusterers.sweep import preferred, sweep_scores

from . import clusters_figures as draw
from . import state, work
from .clusters_source import READERS, Swept
from .figures import show
from .frame import SHOWABLE, Page
from .style import plain

SHOWN = ("V", "VI", "NVI", "Q2", "AMI", "ARI", "h", "c")
SAMPLES = (0, 30, 50, 100, 200, 500, 1000, 2000, 5000)  # 0: all items
REPEATS = 20
VIEWS = ("Measures", "Estimators")

FIELDS = (
    state.choice("view", VIEWS, "Measures"),
    state.choices("m", SHOWABLE, SHOWN),
    state.choice("by", tuple(ESTIMATORS), "ML"),
    state.choice("one", SHOWABLE, "V"),
    state.choice("sample", SAMPLES, 0),
)


def shown(page: Page) -> list[str]:
    """The measures drawn, in this page's order."""
    return [m for m in dict.fromkeys((*SHOWN, *SHOWABLE)) if m in page["m"]] or ["V"]


def controls(page: Page):
    """On how many items the clusterings are scored, and by which estimator."""
    st.selectbox(
        "Scored on",
        SAMPLES,
        key=page.key("sample"),
        width=165,
        format_func=lambda n: f"samples of {n:,}" if n else "all items",
        help=f"Small samples show the bias of the estimators: the clusterings stay those of all items, but "
        f"only so many items are scored, {REPEATS} times over.",
    )
    if page["view"] == "Measures":
        st.selectbox(
            "Entropies by",
            list(ESTIMATORS),
            key=page.key("by"),
            width=150,
            help="The estimator that feeds V, VI, NVI, Q₂, h and c.  \n"
            + "  \n".join(f"**{name}**: {e.label}" for name, e in ESTIMATORS.items()),
        )
    else:
        st.selectbox(
            "Measure",
            SHOWABLE,
            key=page.key("one"),
            width=150,
            format_func=lambda name: MEASURES[name].symbol,
            help="  \n".join(f"**{MEASURES[name].symbol}**: {MEASURES[name].title}" for name in SHOWN),
        )


def view_controls(page: Page):
    """Compare measures, or estimators."""
    st.segmented_control(
        "Compare", VIEWS, key=page.key("view"), required=True, label_visibility="collapsed", width="content"
    )
    if page["view"] == "Measures":
        with st.container(width="stretch"):
            st.multiselect(
                "Measures drawn",
                SHOWABLE,
                key=page.key("m"),
                format_func=lambda name: MEASURES[name].symbol,
                label_visibility="collapsed",
            )
        return
    page.estimator_pills("stretch")


def sample_of(page: Page, swept: Swept) -> int | None:
    """How many items are scored; None for all."""
    return page["sample"] if 0 < page["sample"] < swept.n else None


def wanted(page: Page) -> tuple[list[str], list[str]]:
    """Measures and estimators that the picture needs."""
    if page["view"] == "Measures":
        return shown(page), [page["by"]]
    return [page["one"]], page.estimators


def board_of(page: Page, swept: Swept, sample: int | None) -> pd.DataFrame | None:
    """The scores in the visitor's unit; None while they are being computed."""
    measures, estimators = wanted(page)
    seed = page["seed"] if sample else None
    key = (swept.key, tuple(measures), tuple(estimators), sample, seed)
    board = work.run(
        f"clusters.scores.{'sample' if sample else 'all'}",
        key,
        lambda progress: sweep_scores(
            swept.solutions, swept.gold, measures, estimators, sample, REPEATS, seed or 0, progress
        ),
        label="Score",
        what="Scores the clustering of each k.",
        auto=True,
    )
    return None if board is None else in_unit(board, page.base)


def in_unit(board: pd.DataFrame, base: float) -> pd.DataFrame:
    """Measures of information in another unit than nats; the others as they are."""
    unit = board["measure"].map(lambda name: math.log(base) if MEASURES[name].unit else 1.0)
    return board.assign(value=board["value"] / unit, sd=board["sd"] / unit)


def picture(page: Page, swept: Swept, k: int):
    """The figure asked for."""
    sample = sample_of(page, swept)
    try:
        board = board_of(page, swept, sample)
        whole = board_of(page, swept, None) if sample and page["view"] == "Estimators" else None
    except InputError as error:
        st.error(plain(error))
        return
    if board is None or (sample and page["view"] == "Estimators" and whole is None):
        return
    liked = preferred(board)
    if page["view"] == "Measures":
        fig = draw.measures_figure(board, liked, swept.classes, k, page.unit)
    else:
        fig = draw.estimators_figure(board, liked, whole, swept.classes, k, page.unit, sample)
    data = board.assign(k=board["k"].astype(int), n_classes=swept.classes)
    show(fig, data, key=f"clusters.{page['view']}", file="number-of-clusters")
    st.caption(_note(page, swept, sample))


def _note(page, swept, sample):
    items = f"{plain(swept.name)}: {swept.n:,} items in {swept.classes} classes; {swept.note}."
    if sample:
        items += f" Scored on {sample:,} of the items, mean of {REPEATS} samples."
    elif page["sample"]:
        items += f" There are no more than {swept.n:,} items, so all are scored."
    if page["view"] == "Measures":
        how = (
            "Up is better for every line; ▲ marks the k that a measure likes best, the smallest of equals. "
            "After Figures 4 and 5 of Rosenberg and Hirschberg 2007."
        )
    else:
        how = "Up is better. " + (
            "Bands are one standard deviation of the samples; dashed: all items."
            if sample
            else "Choose samples under “Scored on” to see the bias."
        )
    link = " A link keeps the settings, not the file." if page["data"] in READERS else ""
    return f"{items} {how}{link}"


def snippet(page: Page, swept: Swept) -> str:
    """Python that gives the figure's numbers."""
    measures, estimators = wanted(page)
    sample = sample_of(page, swept)
    source = page["data"]
    if source in READERS:
        load = f"datasets.{READERS[source].__name__}({swept.key[1][0]!r})"
    else:
        load = f"datasets.load({source!r})"
    chosen = "" if sample is None else f", sample={sample}, repeats={REPEATS}, seed={page['seed']}"
    seed = f", seed={page['seed']}" if page["algorithm"] == "k-means" else ""
    return f"""from evalcore.clusterers import datasets, sweep

items = {load}
ks = {swept.ks!r}
solutions = sweep.sweep(items.X, ks, {page["algorithm"]!r}{seed})
board = sweep.sweep_scores(solutions, items.gold, {measures!r}, {estimators!r}{chosen})
print(board.to_string())  # measures of information in nats
print(sweep.preferred(board))
"""
