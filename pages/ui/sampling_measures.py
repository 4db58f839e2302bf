"""Sampling lab, Measures: the spread of a measure on samples of a known truth."""

import pandas as pd
import streamlit as st

from evalcore import MEASURES, Contingency, published
from evalcore.parametric import dom
from evalcore.sampling import (
    MEASURES_SAMPLED,
    Population,
    by_clusters,
    sample_scores,
    sample_sizes,
    sampling_table,
    zipf,
)
from evalcore.sampling.measure_sampling import check_run

from . import frame, state, tray, work
from . import sampling_controls as controls
from . import sampling_measures_figures as figures
from .frame import Page
from .solutions import examples

SOURCES = {
    "channel": "Zipf classes, noisy clusters",
    "dom": "Dom solution",
    "random": "Random system",
    "singletons": "One cluster per instance",
    "matrix": "A matrix as the truth",
}
SIZES = tuple(sample_sizes(10, 10_000, 40))
CLUSTERS = (2, 3, 5, 8, 12, 20, 30, 50, 80)
MOST_AMI = 200  # samples a size for AMI, whose correction for chance is summed exactly for every table
MOST_RANDOM = 500  # samples for each number of clusters of random systems
LIMITS = (
    f"5,000 samples at each of {len(SIZES)} sizes ({MOST_AMI} for AMI), 400 million table cells in all, two "
    "runs at once on this server."
)
DOM = ("dom_c", "dom_k", "dom_noise_k", "dom_noise_c", "eps1", "eps2", "eps3")
SOLUTION_R = "Solution R (Reichart and Rappoport)"
MATRIX_LAB = "The Matrix lab's table"

FIELDS = (
    state.choice("source", tuple(SOURCES), "random"),
    state.integer("classes", 5, 1, 50),
    state.number("skew", 1.0, 0.0, 4.0),
    state.integer("clusters", 20, 1, 200),
    state.number("noise", 0.5, 0.0, 1.0),
    state.integer("dom_c", 5, 1, 30),
    state.integer("dom_k", 7, 1, 60),
    state.integer("dom_noise_k", 2, 0, 30),
    state.integer("dom_noise_c", 0, 0, 30),
    state.number("eps1", 0.1, 0.0, 1.0),
    state.number("eps2", 0.1, 0.0, 1.0),
    state.number("eps3", 0.0, 0.0, 1.0),
    state.table("table", published.solution_r()),
    state.text("table_name", SOLUTION_R, most=100),
    state.choice("measure", MEASURES_SAMPLED, "V"),
    state.choice("at", SIZES, SIZES[13]),
    state.flag("known"),
)

PRESETS = {
    "Random: true V is 0": {"source": "random", "classes": 5, "skew": 1.0, "clusters": 20},
    "One per instance: true V is 0": {"source": "singletons", "classes": 5, "skew": 1.0},
    "Honest: 5 clusters": {"source": "channel", "classes": 5, "skew": 1.0, "clusters": 5, "noise": 0.5},
    "Honest: 40 clusters": {"source": "channel", "classes": 5, "skew": 1.0, "clusters": 40, "noise": 0.5},
    "Dom, with noise clusters": dict(source="dom", **dict(zip(DOM, (5, 7, 2, 0, 0.1, 0.1, 0.0), strict=True))),
    "Solution R as the truth": dict(source="matrix", table=published.solution_r(), table_name=SOLUTION_R),
}


def truth_of(page: Page) -> tuple[tuple, Population]:
    """The population, and all that it depends on."""
    source = page["source"]
    if source == "matrix":
        counts = page["table"].counts
        return (source, counts.shape, counts.tobytes()), Population.from_table(page["table"])
    if source == "dom":
        setting = tuple(page[field] for field in DOM)
        return (source, *setting), Population.from_table(dom(*setting))
    key, classes, k = (page["classes"], page["skew"]), zipf(page["classes"], page["skew"]), page["clusters"]
    if source == "singletons":
        return (source, *key), Population.one_per_instance(classes)
    if source == "random":
        return (source, *key, k), Population.random_system(classes, k)
    return (source, *key, k, page["noise"]), Population.noisy_channel(classes, k, page["noise"])


def inputs(page: Page):
    """What is true, and which measure looks at samples of it."""
    st.selectbox("The truth", list(SOURCES), key=page.key("source"), format_func=SOURCES.get, width=210)
    source = page["source"]
    if source == "matrix":
        _matrix_menu(page)
    elif source == "dom":
        _dom_inputs(page)
    else:
        st.number_input("Classes", 1, 50, key=page.key("classes"), width=105)
        st.number_input(
            "Skew s",
            0.0,
            4.0,
            step=0.5,
            key=page.key("skew"),
            help="Class sizes fall as 1/rank^s; 0 makes them equal.",
            width=110,
        )
        if source != "singletons":
            st.number_input("Clusters", 1, 200, key=page.key("clusters"), width=110)
        if source == "channel":
            st.number_input(
                "Noise",
                0.0,
                1.0,
                step=0.05,
                key=page.key("noise"),
                width=110,
                help=controls.NOISE,
            )


def _dom_inputs(page):
    st.number_input("Classes", 1, 30, key=page.key("dom_c"), width=105)
    st.number_input("Clusters", 1, 60, key=page.key("dom_k"), width=105)
    st.number_input("Noise clusters", 0, 30, key=page.key("dom_noise_k"), width=120)
    st.number_input("Noise classes", 0, 30, key=page.key("dom_noise_c"), width=120)
    for name, says in (
        ("eps1", "wrong useful cluster"),
        ("eps2", "in noise clusters"),
        ("eps3", "of noise classes"),
    ):
        st.number_input(
            name.replace("eps", "ε"),
            0.0,
            1.0,
            step=0.05,
            key=page.key(name),
            help=f"Share of items: {says}.",
            width=105,
        )


def _matrix_menu(page):
    options = _matrices()
    now = page["table_name"]
    st.session_state["sampling._matrix"] = now

    def take():
        chosen = st.session_state["sampling._matrix"]
        if chosen in options:
            page["table"], page["table_name"] = options[chosen], chosen

    st.selectbox(
        "Matrix",
        list(dict.fromkeys([now, *options])),
        key="sampling._matrix",
        on_change=take,
        width=220,
        help="The papers' examples, your tray, and the table of the Matrix lab. Its cells over its total are "
        "taken for the truth.",
    )


def _matrices() -> dict[str, Contingency]:
    found = examples()
    found |= {s.name: s.table for s in tray.solutions()}
    in_lab = st.session_state.get("_kept", {}).get("matrix", {}).get("table")
    return found | ({MATRIX_LAB: in_lab} if isinstance(in_lab, Contingency) else {})


# ---- numbers and pictures ----------------------------------------------------------------------


def body(page: Page, main, side):
    with side:
        st.select_slider("Look closer at N", SIZES, key=page.key("at"), format_func=lambda n: f"{n:,}")
    with main:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            _measure_menu(page)
        made = controls.guarded(checked_truth, page)
        if made is None:
            return
        key, population = made
        measure, names, many = page["measure"], tuple(page.estimators), samples(page)
        unit = page.unit if MEASURES[measure].unit else ""
        # all that is cheap is computed together, so that another measure is there at once
        together = ("AMI",) if measure == "AMI" else tuple(m for m in MEASURES_SAMPLED if m != "AMI")
        options = (names, many, page["seed"], page["known"], page.base)
        place, under = st.container(), st.container()
        with under:
            table = work.run(
                "sampling.measures",
                (key, together, *options),
                lambda progress: sampling_table(population, SIZES, together, *options, progress),
                label="Simulate",
                what=f"{many:,} samples at each of {len(SIZES)} sizes.",
                auto=True,
            )
        if table is None:
            return
        table = table[table.measure == measure]
        with place:
            figures.curves(table, measure, page["at"], unit)
        with under:
            _afterwards(page, population)
    with side:
        scores = _scores(key, page["at"], measure, *options, population)
        figures.histogram(scores, measure, page["at"], unit, float(table.truth.iloc[0]))
        _random_systems(page, population.classes)


def checked_truth(page: Page) -> tuple[tuple, Population]:
    """As `truth_of`, refused where following it would take too long."""
    key, population = truth_of(page)
    check_run([population], SIZES, samples(page))
    return key, population


def samples(page: Page) -> int:
    """How many samples of each size are drawn for the measure shown."""
    return min(page["repetitions"], MOST_AMI) if page["measure"] == "AMI" else page["repetitions"]


def _measure_menu(page):
    st.selectbox(
        "Measure",
        MEASURES_SAMPLED,
        key=page.key("measure"),
        width=320,
        help=MEASURES[page["measure"]].rewards,
        format_func=lambda m: f"{MEASURES[m].symbol} {MEASURES[m].arrow} {MEASURES[m].title}",
    )
    st.toggle(
        "Tell the true support",
        key=page.key("known"),
        help="Otherwise each sample tells BUB and its kin the numbers of classes and clusters it saw, "
        "as when a clustering is scored.",
    )


@st.cache_data(max_entries=64, show_spinner=False)
def _scores(key, n, measure, names, many, seed, known, base, _population) -> pd.DataFrame:
    return sample_scores(_population, n, [measure], names, many, seed, known, base)


def _random_systems(page, classes):
    """Systems that know nothing, with ever more clusters."""
    measure, n, names = page["measure"], page["at"], tuple(page.estimators)
    options = (names, min(samples(page), MOST_RANDOM), page["seed"], page.base)
    table = work.run(
        "sampling.clusters",
        (tuple(classes.tolist()), n, measure, *options),
        lambda progress: by_clusters(classes, CLUSTERS, n, [measure], *options, progress),
        label="Follow random systems",
        what=f"Random systems with {CLUSTERS[0]} to {CLUSTERS[-1]} clusters.",
        auto=True,
    )
    if table is not None:
        figures.by_clusters(table, measure, n)


def _afterwards(page, population):
    if page["source"] != "singletons":
        with st.container(horizontal=True, vertical_alignment="center"):
            name = page["table_name"] if page["source"] == "matrix" else SOURCES[page["source"]]
            tray.add_button(population.table(), name, "Sampling lab", key="sampling.tray")
            if st.button("Open the truth in the Matrix lab", icon=":material/grid_on:"):
                frame.open_in("matrix", table=population.table())
    limit = "its correction for chance vanishes in an endless sample"
    st.caption(
        f"{samples(page):,} samples a size; bands hold the middle 90%. Nothing is clamped: estimates other "
        "than ML may leave a measure's range."
        + (f" AMI's true value is V's: {limit}." if page["measure"] == "AMI" else "")
    )


def code(page: Page) -> str:
    source, measure = page["source"], page["measure"]
    classes = f"zipf({page['classes']}, {page['skew']!r})"
    made = {
        "random": f"Population.random_system({classes}, {page['clusters']})",
        "singletons": f"Population.one_per_instance({classes})",
        "channel": f"Population.noisy_channel({classes}, {page['clusters']}, {page['noise']!r})",
        "matrix": f"Population.from_table({page['table'].counts.tolist()!r})",
        "dom": f"Population.from_table(dom{tuple(page[field] for field in DOM)!r})",
    }[source]
    return f"""from evalcore.parametric import dom
from evalcore.sampling import Population, sample_scores, sample_sizes, sampling_table, zipf

truth = {made}
sizes = sample_sizes({SIZES[0]}, {SIZES[-1]}, {len(SIZES)})
options = dict(estimators={page.estimators!r}, repetitions={samples(page)}, seed={page["seed"]},
               known_support={page["known"]}, base={page.base!r})
table = sampling_table(truth, sizes, [{measure!r}], **options)
print(table)
print(sample_scores(truth, {page["at"]}, [{measure!r}], **options).describe())
"""
