"""Words: Li and Abe's Experiment 1, MDL against MLE on samples of growing size."""

import pandas as pd
import streamlit as st

from evalcore import ESTIMATORS, MEASURES, InputError
from evalcore.clusterers.counts import known_model
from evalcore.clusterers.experiments import experiment_1
from evalcore.clusterers.mdl import FORMS

from . import state, work
from .figures import show
from .frame import Page
from .lines import log_axis
from .style import BLUE, ORANGE, number, plain
from .words_mdl import FORM_HELP, FORM_NAMES
from .words_panels import Line, Panel, panels_figure

SIZES = (50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
COLOURS = {"mdl": BLUE, "mle": ORANGE}
SMOOTHING_NAMES = {
    "half": "½ a pair added to each cell",
    "mix": "1% uniform mixed in",
    "none": "none: KL may be infinite",
}
MOST_TRIALS = 50
MOST_NOUNS = 200
LIMIT = f"Here at most {MOST_NOUNS} nouns and {MOST_TRIALS} trials at each size."

FIELDS = (
    state.integer("trials", 10, 1, MOST_TRIALS),
    state.choice("from", SIZES, 50),
    state.choice("to", SIZES, 10_000),
    state.choice("smoothing", tuple(SMOOTHING_NAMES), "half"),
)


def controls(page: Page):
    for label, name in (("Pairs from", "from"), ("to", "to")):
        st.selectbox(label, SIZES, key=page.key(name), format_func=lambda n: f"{n:,}", width=110)
    st.number_input("Trials", 1, MOST_TRIALS, key=page.key("trials"), width=100, help=LIMIT)
    st.selectbox("Form", list(FORMS), key=page.key("form"), format_func=FORM_NAMES.get, width=165, help=FORM_HELP)
    st.selectbox(
        "Smoothing for KL",
        list(SMOOTHING_NAMES),
        key=page.key("smoothing"),
        format_func=SMOOTHING_NAMES.get,
        width=235,
        help="What was never seen is estimated as impossible, and KL(truth ‖ estimate) is infinite then. On "
        "tiny samples the winner depends on how that is smoothed.",
    )
    st.selectbox("Entropies by", list(ESTIMATORS), key=page.key("by"), width=130)


def sizes_of(page: Page) -> list[int]:
    first, last = sorted((page["from"], page["to"]))
    return [size for size in SIZES if first <= size <= last]


def found(page: Page) -> pd.DataFrame | None:
    if page["nouns"] > MOST_NOUNS:
        st.error(f"{page['nouns']:,} nouns are too many for so many trees. {LIMIT}")
        return None
    model = tuple(page[name] for name in ("nouns", "verbs", "true", "skew", "frequency", "seed"))
    rest = (tuple(sizes_of(page)), page["trials"], page["form"], page["smoothing"], page["by"])

    def compute(progress):
        try:
            truth = known_model(*model)
            return experiment_1(truth, *rest[:4], ("V", "NVI"), rest[4], page["seed"], progress)
        except InputError as error:
            return error

    small = page["nouns"] * page["trials"] * len(rest[0]) <= 4_000
    result = work.run(
        "words.experiment",
        (model, rest),
        compute,
        label="Run the experiment",
        auto=small,
        what=f"Grows {2 * page['trials'] * len(rest[0])} trees.",
    )
    if isinstance(result, InputError):
        st.error(plain(result))
        return None
    return result


def body(page: Page):
    trials = found(page)
    if trials is None:
        return
    left, right = st.columns(2, gap="medium")
    with left:
        show(
            truth_figure(page, trials),
            trials.drop(columns=["V", "NVI"]),
            key="words.experiment_truth",
            file="experiment-1-truth",
        )
    with right:
        show(
            measures_figure(page, trials),
            trials[["energy", "size", "trial", "V", "NVI"]],
            key="words.experiment_scores",
            file="experiment-1-scores",
        )
    smoothed = {
        "none": "",
        "half": ", smoothed by half a pair in each cell",
        "mix": ", with 1% of the uniform mixed in",
    }[page["smoothing"]]
    st.caption(
        f"After Experiment 1 of Li and Abe 1996. Means of {page['trials']} trials, bands of one standard "
        f"deviation; the same model throughout. KL(truth ‖ estimate) in bits{smoothed}. Up is better for "
        f"V, NVI and KL. V and NVI score the leaves against the true classes, entropies by {page['by']}."
    )


# ---- figures -----------------------------------------------------------------------------------------------


def _lines(trials, column):
    grouped = trials.groupby(["energy", "size"])[column]
    mean, sd = grouped.mean(), grouped.std(ddof=0)
    return [
        Line(
            energy.upper(),
            mean[energy].index.tolist(),
            mean[energy].tolist(),
            COLOURS[energy],
            label=energy.upper(),
            marks=True,
            band=((mean[energy] - sd[energy]).tolist(), (mean[energy] + sd[energy]).tolist()),
        )
        for energy in ("mdl", "mle")
    ]


def _on_sizes(fig, trials):
    log_axis(
        fig,
        trials["size"].min(),
        max(trials["size"].max(), 2 * trials["size"].min()),
        "pairs in the sample (log scale)",
    )
    return fig


def truth_figure(page: Page, trials: pd.DataFrame):
    means, true = trials.groupby(["energy", "size"])["leaves"].mean(), page["true"]
    hits = [size for size in sizes_of(page) if abs(means["mdl", size] - true) < 0.05]
    first = (
        next(
            (size for i, size in enumerate(sizes_of(page)) if sizes_of(page)[i:] == hits[-len(sizes_of(page)[i:]) :]),
            None,
        )
        if hits
        else None
    )
    top = means["mle"].max()
    if first is None:
        title = f"MDL has {number(means['mdl'].iloc[-1], 1)} leaves in the end, MLE up to {number(top, 0)}"
    else:
        title = f"MDL finds the {true} classes from {first:,} pairs on; MLE makes {number(top, 0)} leaves"
    leaves = Panel("leaves", _lines(trials, "leaves"), level=(true, f"{true} classes"), form=".1f")
    fig = panels_figure(title, "", [leaves, Panel("KL, bits ↓", _lines(trials, "KL"), upside_down=True)], room=60)
    return _on_sizes(fig, trials)


def measures_figure(page: Page, trials: pd.DataFrame):
    means = trials.groupby(["energy", "size"])[["V", "NVI"]].mean()
    v, nvi = means["V"].unstack(0), means["NVI"].unstack(0)
    odd = [size for size in v.index if v["mle"][size] > v["mdl"][size] and nvi["mdl"][size] < nvi["mle"][size]]
    if odd:
        said = f"{odd[0]:,}" if len(odd) == 1 else f"{odd[0]:,} to {odd[-1]:,}"
        title = f"On {said} pairs V prefers MLE's near-singletons; NVI prefers MDL"
    else:
        title = "V and NVI agree which of the two is better"
    panels = [
        Panel(
            f"{MEASURES[name].symbol} {MEASURES[name].arrow}",
            _lines(trials, name),
            upside_down=not MEASURES[name].higher_is_better,
        )
        for name in ("V", "NVI")
    ]
    return _on_sizes(panels_figure(title, "", panels, room=60), trials)


def code(page: Page) -> str:
    model = ", ".join(str(page[name]) for name in ("nouns", "verbs", "true", "skew", "frequency", "seed"))
    return f"""from evalcore.clusterers import counts, experiments

model = counts.known_model({model})
trials = experiments.experiment_1(
    model, sizes={sizes_of(page)!r}, trials={page["trials"]}, form={page["form"]!r},
    smoothing={page["smoothing"]!r}, measures=["V", "NVI"], estimator={page["by"]!r}, seed={page["seed"]})
print(trials.groupby(["energy", "size"]).mean().drop(columns="trial").to_string())
"""
