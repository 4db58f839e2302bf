"""Controls that the three modes of the Sampling lab share."""

from collections.abc import Mapping

import streamlit as st

from evalcore import InputError

from . import state
from .frame import Page
from .style import plain

OWN = "Own settings"
NOISE = "With this probability an item falls into any cluster, otherwise into one of its class's own."
REPETITIONS = (200, 1000, 5000)
FIELDS = (state.choice("repetitions", REPETITIONS, 1000), state.integer("seed", 1, 0, 999_999))


def presets(page: Page, known: Mapping[str, Mapping]):
    """A menu of settings; it names the one that the page's fields agree with."""
    now = next((name for name, values in known.items() if all(page[f] == v for f, v in values.items())), OWN)
    st.session_state["sampling._preset"] = now

    def take():
        for field, value in known.get(st.session_state["sampling._preset"], {}).items():
            page[field] = value

    st.selectbox(
        "Preset",
        [*known, OWN] if now == OWN else list(known),
        key="sampling._preset",
        on_change=take,
        width=210,
    )


def simulation(page: Page, limits: str):
    """How many samples, and which."""
    with st.popover(f"{page['repetitions']:,} samples, seed {page['seed']}", icon=":material/casino:"):
        st.selectbox("Samples of each size", REPETITIONS, key=page.key("repetitions"), format_func=lambda n: f"{n:,}")
        st.number_input(
            "Seed",
            0,
            999_999,
            key=page.key("seed"),
            help="The same seed draws the same samples; it is part of the link.",
        )
        st.caption(f"Limits: {limits}")


def guarded(compute, *arguments, **options):
    """What compute gives, or None after showing the one sentence that says why it cannot be had."""
    try:
        return compute(*arguments, **options)
    except InputError as error:
        st.error(plain(error))
        return None
