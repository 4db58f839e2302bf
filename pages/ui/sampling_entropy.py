"""Sampling lab, Entropy: what estimators make of samples from a known distribution."""

import math

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import ESTIMATORS
from evalcore.bias import bias_table
from evalcore.sampling import geometric, sample_sizes, simulated_table, two_level, uniform, weights, zipf
from evalcore.sampling.distributions import MOST_OUTCOMES

from . import sampling_controls as controls
from . import sampling_maps, state, work
from .frame import Page
from .sampling_entropy_figure import BELOW, draw, reading

DISTRIBUTIONS = ("uniform", "Zipf", "geometric", "two-level", "typed in")
SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
CHECKED = 14  # sample sizes at which simulation is set beside exact values
LIMITS = (
    f"{MOST_OUTCOMES:,} outcomes, 5,000 samples at each of {CHECKED} sizes and the one that is read, two runs at "
    "once on this server."
)
INLINE = 4e6  # work (outcomes x frequencies) up to which exact curves are drawn at once

FIELDS = (
    state.choice("dist", DISTRIBUTIONS, "uniform"),
    state.integer("m", 10, 2, MOST_OUTCOMES),
    state.number("s", 1.0, 0.0, 6.0),
    state.number("ratio", 0.7, 0.05, 1.0),
    state.integer("heavy", 1, 1, MOST_OUTCOMES - 1),
    state.number("share", 0.8, 0.01, 0.99),
    state.text("weights", "8, 4, 2, 1, 1", most=3000),
    state.choice("first", SIZES, 2),
    state.choice("last", SIZES, 100),
    state.integer("n", 10, 1, 100_000),
    state.choice("below", tuple(BELOW), "bias"),
    state.flag("band", True),
    state.flag("check"),
)

ARTICLE = {"m": 10, "first": 2, "last": 100}
PRESETS = {
    "Uniform (Li et al. 2014)": {"dist": "uniform", **ARTICLE},
    **{f"Zipf s = {s} (Li et al. 2014)": {"dist": "Zipf", "s": float(s), **ARTICLE} for s in (1, 2, 3, 4)},
    "1,000 words: Zipf s = 1": {"dist": "Zipf", "s": 1.0, "m": 1000, "first": 10, "last": 10_000},
    "One has 90%, nine the rest": {
        "dist": "two-level",
        "m": 10,
        "heavy": 1,
        "share": 0.9,
        "first": 2,
        "last": 1000,
    },
    "Up to N = 100,000": {"dist": "Zipf", "s": 1.0, "m": 10, "first": 10, "last": 100_000},
}


def distribution(kind: str, m: int, s: float, ratio: float, heavy: int, share: float, text: str) -> np.ndarray:
    if kind == "uniform":
        return uniform(m)
    if kind == "Zipf":
        return zipf(m, s)
    if kind == "geometric":
        return geometric(m, ratio)
    return two_level(m, heavy, share) if kind == "two-level" else weights(text)


def spec(page: Page) -> tuple:
    """All that the distribution depends on."""
    return tuple(page[name] for name in ("dist", "m", "s", "ratio", "heavy", "share", "weights"))


def inputs(page: Page):
    """What is sampled, and how much."""
    st.selectbox("Distribution", DISTRIBUTIONS, key=page.key("dist"), width=130)
    kind = page["dist"]
    if kind == "typed in":
        st.text_input(
            "Weights",
            key=page.key("weights"),
            help="Numbers or fractions, divided by their sum.",
            max_chars=3000,
            width=220,
        )
    else:
        st.number_input(
            "Outcomes m", 2, MOST_OUTCOMES, key=page.key("m"), help=f"At most {MOST_OUTCOMES:,}.", width=115
        )
    if kind == "Zipf":
        st.number_input(
            "Exponent s",
            0.0,
            6.0,
            step=0.5,
            key=page.key("s"),
            help="Probabilities fall as 1/rank^s.",
            width=115,
        )
    elif kind == "geometric":
        st.number_input(
            "Ratio",
            0.05,
            1.0,
            step=0.05,
            key=page.key("ratio"),
            help="Each probability over the one before.",
            width=115,
        )
    elif kind == "two-level":
        st.number_input("Heavy ones", 1, MOST_OUTCOMES - 1, key=page.key("heavy"), width=115)
        st.number_input("Their share", 0.01, 0.99, step=0.05, key=page.key("share"), width=115)
    st.selectbox("N from", SIZES, key=page.key("first"), format_func=lambda n: f"{n:,}", width=100)
    st.selectbox("to", SIZES, key=page.key("last"), format_func=lambda n: f"{n:,}", width=110)
    st.number_input(
        "Read at N",
        1,
        100_000,
        key=page.key("n"),
        help="The sample size of the dotted line, the title and the table.",
        width=120,
    )


# ---- numbers -----------------------------------------------------------------------------------


@st.cache_data(max_entries=256, show_spinner=False)
def _exact(which: tuple, sizes: tuple, names: tuple, base: float) -> pd.DataFrame:
    return bias_table(distribution(*which), list(sizes), list(names), base=base)


def exact(which: tuple, sizes: tuple, names: tuple, base: float, p) -> pd.DataFrame | None:
    """Exact moments of linear estimators: at once where that is quick, else with progress."""
    if not names:
        return pd.DataFrame(columns=["n", "estimator", "truth", "mean", "bias", "sd", "rmse"])
    cost = len(np.unique(p)) * sum(20 * math.sqrt(n) + 64 for n in sizes) * len(names) / 4
    if cost <= INLINE:
        return _exact(which, sizes, names, base)
    return work.run(
        "sampling.exact",
        (which, sizes, names, base),
        lambda progress: bias_table(
            p,
            list(sizes),
            list(names),
            base=base,
            progress=lambda done, total: progress(done, total, "Exact means and variances"),
        ),
        label="Compute the exact curves",
        auto=True,
    )


def simulated_sizes(page: Page) -> tuple[int, ...]:
    """Where samples are drawn: at a few sizes, and at the one that is read."""
    return tuple(sorted({*sample_sizes(page["first"], page["last"], CHECKED), page["n"]}))


def simulated(page: Page, key: tuple, p) -> pd.DataFrame | None:
    """Simulated moments; None until they are there."""
    _, sizes, names, repetitions, seed, base = key
    return work.run(
        "sampling.entropy",
        key,
        lambda progress: simulated_table(p, sizes, names, repetitions, seed, len(p[p > 0]), base, progress),
        label="Simulate",
        what=f"{repetitions:,} samples at each of {len(sizes)} sizes.",
        auto=True,
    )


def body(page: Page, main, side):
    """The curves, and beside them what `sampling_maps` shows; what is exact does not wait for simulation."""
    with main:
        p = controls.guarded(distribution, *spec(page))
        if p is None:
            return
        if page["first"] >= page["last"]:
            st.error("The smallest sample size must be below the largest.")
            return
        linear = tuple(e for e in page.estimators if ESTIMATORS[e].kind == "linear")
        drawn = linear * page["check"] + tuple(e for e in page.estimators if e not in linear)
        few = tuple(sample_sizes(page["first"], page["last"], CHECKED))
        sizes = tuple(sorted({*few, *sample_sizes(page["first"], page["last"])}))
        _switches(page)
        place, under = st.empty(), st.container()
        with under:
            both = exact(spec(page), tuple(sorted({*sizes, page["n"]})), linear, page.base, p)
        if both is None:
            return
        lines, at_n = both[both.n.isin(sizes)], both[both.n == page["n"]]
        key = (spec(page), simulated_sizes(page), drawn, page["repetitions"], page["seed"], page.base)
        is_late = bool(drawn) and st.session_state.get("sampling._drawn") != key
        if is_late:
            with place.container():
                draw(page, lines, None, at_n, p, key="sampling.entropy.early")
        else:
            _finish(page, place, under, lines, at_n, p, key)
    with side:
        sampling_maps.body(page, p)
    if is_late:
        _finish(page, place, under, lines, at_n, p, key)


def _finish(page, place, under, lines, at_n, p, key):
    """The figure with its simulated points, if any are wanted, and the numbers beneath it."""
    points = None
    if key[2]:
        with under:
            points = simulated(page, key, p)
    if points is not None:
        read = points[(points.n == page["n"]) & ~points.estimator.isin(at_n.estimator)]
        at_n = pd.concat([at_n.assign(by="exact"), read.assign(by="simulation")])[[*at_n.columns, "by"]]
        points = points[points.n.between(page["first"], page["last"])].assign(method="simulated")
        st.session_state["sampling._drawn"] = key
    if points is not None or not key[2]:
        with place.container():
            draw(page, lines, points, at_n, p, key="sampling.entropy.figure")
    with under:
        reading(page, lines, points, at_n)


def _switches(page):
    with st.container(horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            "Lower panel",
            list(BELOW),
            key=page.key("below"),
            format_func=BELOW.get,
            required=True,
            width="content",
            label_visibility="collapsed",
        )
        st.toggle("±1 sd", key=page.key("band"), help="A band of one standard deviation to either side.")
        st.toggle(
            "Check by simulation",
            key=page.key("check"),
            help="Draws samples and sets their means, with two standard errors, on the exact lines. "
            "Estimators that are not linear are always simulated.",
        )


def code(page: Page) -> str:
    kind, m, s, ratio, heavy, share, text = spec(page)
    made = {
        "uniform": f"uniform({m})",
        "Zipf": f"zipf({m}, {s!r})",
        "geometric": f"geometric({m}, {ratio!r})",
        "two-level": f"two_level({m}, {heavy}, {share!r})",
        "typed in": f"weights({text!r})",
    }[kind]
    linear = [e for e in page.estimators if ESTIMATORS[e].kind == "linear"]
    other = [e for e in page.estimators if e not in linear]
    lines = [
        "from evalcore.bias import bias_table",
        "from evalcore.sampling import (",
        "    geometric, sample_sizes, simulated_table, two_level, uniform, weights, zipf)",
        "",
        f"p = {made}",
        f"sizes = sample_sizes({page['first']}, {page['last']})",
        f"exact = bias_table(p, sizes + [{page['n']}], {linear!r}, base={page.base!r})",
        "print(exact)",
    ]
    simulate = linear * page["check"] + other
    if simulate:
        lines += [
            f"few = sorted({{*sample_sizes({page['first']}, {page['last']}, {CHECKED}), {page['n']}}})",
            f"simulated = simulated_table(p, few, {simulate!r}, {page['repetitions']}, seed={page['seed']},",
            f"                            support=len(p[p > 0]), base={page.base!r})",
            "print(simulated)",
        ]
    return "\n".join(lines) + "\n"
