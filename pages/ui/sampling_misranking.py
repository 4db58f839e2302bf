"""Sampling lab, Misranking: how often samples put systems in the wrong order."""

import pandas as pd
import streamlit as st

from evalcore.sampling import MEASURES_SAMPLED, Population, needed_sizes, ranking_errors, zipf
from evalcore.sampling.measure_sampling import check_run
from evalcore.sampling.misranking import check_systems

from . import sampling_controls as controls
from . import sampling_misranking_figures as figures
from . import state, tray, work
from .frame import Page
from .sampling_misranking_figures import SIZES

MADE = {"honest": "Honest", "finer": "Honest, finer", "random": "Random", "singletons": "One per instance"}
MOST_SYSTEMS = 6
MOST_AMI = 300  # samples a size for AMI, whose correction for chance is summed exactly for every table
LIMITS = (
    f"5,000 samples at each of {len(SIZES)} sizes ({MOST_AMI} for AMI), {MOST_SYSTEMS} systems, 400 million "
    "table cells in all, two runs at once on this server."
)

FIELDS = (
    state.choice("from", ("made", "tray"), "made"),
    state.choices("systems", tuple(MADE), ["honest", "random"]),
    state.integer("r_classes", 5, 2, 50),
    state.number("r_skew", 1.0, 0.0, 4.0),
    state.integer("r_clusters", 5, 1, 100),
    state.number("r_noise", 0.6, 0.0, 1.0),
    state.integer("r_random", 60, 1, 200),
    state.integer("r_finer", 4, 2, 20),
    state.tables("ranked"),
    state.flag("r_known"),
)

BASE = {"from": "made", "r_classes": 5, "r_skew": 1.0, "r_clusters": 5, "r_noise": 0.6}
PRESETS = {
    "Honest against random": {**BASE, "systems": ["honest", "random"], "r_random": 60},
    "Honest against singletons": {**BASE, "systems": ["honest", "singletons"]},
    "Honest, coarse or fine": {**BASE, "systems": ["honest", "finer"], "r_finer": 4},
    "All four": {**BASE, "systems": list(MADE), "r_random": 60, "r_finer": 4},
}


def systems_of(page: Page) -> tuple[tuple, dict[str, Population]]:
    """The systems by name, and all that they depend on."""
    if page["from"] == "tray":
        tables = page["ranked"]
        key = tuple((name, t.counts.shape, t.counts.tobytes()) for name, t in tables.items())
        return key, {name: Population.from_table(t) for name, t in tables.items()}
    classes = zipf(page["r_classes"], page["r_skew"])
    k, noise = page["r_clusters"], page["r_noise"]
    made = {
        "honest": lambda: Population.noisy_channel(classes, k, noise),
        "finer": lambda: Population.noisy_channel(classes, k * page["r_finer"], noise),
        "random": lambda: Population.random_system(classes, page["r_random"]),
        "singletons": lambda: Population.one_per_instance(classes),
    }
    chosen = [name for name in MADE if name in page["systems"]]
    key = (
        tuple(chosen),
        *(page[f] for f in ("r_classes", "r_skew", "r_clusters", "r_noise", "r_random", "r_finer")),
    )
    return key, {MADE[name]: made[name]() for name in chosen}


def checked_systems(page: Page) -> tuple[tuple, dict[str, Population]]:
    """As `systems_of`, refused where they cannot be ranked."""
    key, systems = systems_of(page)
    if len(systems) > 1:
        check_systems(systems)
        check_run(list(systems.values()), SIZES, page["repetitions"])
    return key, systems


def inputs(page: Page):
    """Who is ranked."""
    st.segmented_control(
        "Systems",
        ("made", "tray"),
        key=page.key("from"),
        required=True,
        width="content",
        format_func={"made": "Made here", "tray": "From the tray"}.get,
    )
    if page["from"] == "tray":
        _tray_menu(page)
    else:
        st.multiselect("Who takes part", list(MADE), key=page.key("systems"), format_func=MADE.get, width=470)
        st.number_input("Classes", 2, 50, key=page.key("r_classes"), width=105)
        st.number_input(
            "Skew s",
            0.0,
            4.0,
            step=0.5,
            key=page.key("r_skew"),
            help="Class sizes fall as 1/rank^s; 0 makes them equal.",
            width=110,
        )
        st.number_input("Honest clusters", 1, 100, key=page.key("r_clusters"), width=125)
        st.number_input(
            "Their noise",
            0.0,
            1.0,
            step=0.05,
            key=page.key("r_noise"),
            width=115,
            help=controls.NOISE,
        )
        if "finer" in page["systems"]:
            st.number_input("Finer, times", 2, 20, key=page.key("r_finer"), width=115)
        if "random" in page["systems"]:
            st.number_input("Random clusters", 1, 200, key=page.key("r_random"), width=130)
    st.toggle(
        "Tell the true support",
        key=page.key("r_known"),
        help="Otherwise each sample tells BUB and its kin the numbers of classes and clusters it saw.",
    )


def _tray_menu(page):
    held = {s.name: s.table for s in tray.solutions()}
    names = list(dict.fromkeys([*page["ranked"], *held]))
    if not names:
        st.info(
            "The tray is empty. Put solutions of the same items into it, in the Matrix lab for instance, and come back."
        )
        return
    st.session_state["sampling._ranked"] = list(page["ranked"])

    def take():
        known = held | page["ranked"]
        page["ranked"] = {name: known[name] for name in st.session_state["sampling._ranked"] if name in known}

    st.multiselect(
        "Solutions taken for the truth",
        names,
        key="sampling._ranked",
        on_change=take,
        max_selections=MOST_SYSTEMS,
        width=330,
        placeholder="two or more of the same items",
    )


# ---- numbers and pictures ----------------------------------------------------------------------


def body(page: Page, main, side):
    with main:
        made = controls.guarded(checked_systems, page)
        if made is None:
            return
        key, systems = made
        measures = tuple(m for m in MEASURES_SAMPLED if m in page.measures)
        if len(systems) < 2:
            st.info("Choose at least two systems above.", icon=":material/arrow_upward:")
            return
        if not measures:
            st.info(f"Of the measures in the settings none can be followed; {_those_that_can()}.")
            return
        options = (tuple(page.estimators), page["repetitions"], page["seed"], page["r_known"])
        place, under = st.container(), st.container()
        with side:
            needed_place = st.container()
            figures.truth_table(systems, measures, page.base)
        with under:
            errors = work.run(
                "sampling.ranking",
                (key, measures, *options),
                lambda progress: rank(systems, measures, *options, progress),
                label="Rank samples",
                what=f"{page['repetitions']:,} samples at each of {len(SIZES)} sizes.",
                auto=True,
            )
        if errors is not None:
            with place:
                figures.panels(errors, needed_sizes(errors), len(systems))
            with under:
                st.caption(
                    f"{page['repetitions']:,} samples a size (AMI: {min(page['repetitions'], MOST_AMI)}); "
                    "bands are Wilson's 95% intervals. Each measure is held to its own truth; a tie counts "
                    "as half wrong. All systems get the same items."
                )
            with needed_place:
                figures.needed_table(needed_sizes(errors))


def _those_that_can():
    return f"those that can are {', '.join(MEASURES_SAMPLED)}"


def shares(measures, many: int) -> list[tuple[list[str], int]]:
    """Which measures are simulated together, and with how many samples of each size."""
    quick, slow = [m for m in measures if m != "AMI"], [m for m in measures if m == "AMI"]
    return [part for part in ((quick, many), (slow, min(many, MOST_AMI))) if part[0]]


def rank(systems, measures, estimators, many, seed, known, progress):
    """The rates of wrong rankings of all measures."""
    parts = shares(measures, many)

    def reporter(number):
        return lambda done, total, what: progress(number + done / total, len(parts), what)

    return pd.concat(
        [
            ranking_errors(systems, SIZES, some, estimators, repetitions, seed, known, reporter(number))
            for number, (some, repetitions) in enumerate(parts)
        ],
        ignore_index=True,
    )


def code(page: Page) -> str:
    classes, noise = f"zipf({page['r_classes']}, {page['r_skew']!r})", page["r_noise"]
    made = {
        "honest": f"Population.noisy_channel({classes}, {page['r_clusters']}, {noise!r})",
        "finer": f"Population.noisy_channel({classes}, {page['r_clusters'] * page['r_finer']}, {noise!r})",
        "random": f"Population.random_system({classes}, {page['r_random']})",
        "singletons": f"Population.one_per_instance({classes})",
    }
    systems = {MADE[name]: made[name] for name in MADE if name in page["systems"]}
    if page["from"] == "tray":
        tables = page["ranked"].items()
        systems = {name: f"Population.from_table({table.counts.tolist()!r})" for name, table in tables}
    measures = [m for m in MEASURES_SAMPLED if m in page.measures]
    lines = [f"    {name!r}: {made}," for name, made in systems.items()]
    calls = [
        f"    ranking_errors(systems, sizes, {some!r}, repetitions={many}, **options),"
        for some, many in shares(measures, page["repetitions"])
    ]
    return "\n".join(
        [
            "import pandas as pd",
            "from evalcore.sampling import Population, needed_sizes, ranking_errors, sample_sizes, zipf",
            "",
            *("systems = {", *lines, "}"),
            f"sizes = sample_sizes({SIZES[0]}, {SIZES[-1]}, {len(SIZES)})",
            f"options = dict(estimators={page.estimators!r}, seed={page['seed']},",
            f"               known_support={page['r_known']})",
            *("errors = pd.concat([", *calls, "])"),
            "print(needed_sizes(errors))",
            "",
        ]
    )
