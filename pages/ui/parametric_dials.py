"""The dials of the Parametric lab: one solution's parameters, presets, and what is wrong with a setting."""

import streamlit as st

from evalcore.parametric import Setting, unplaced

from . import state
from .style import plain

MOST = {"n_classes": (1, 15), "useful_clusters": (1, 20), "noise_clusters": (0, 12), "noise_classes": (0, 12)}
DEFAULT = Setting(5, 5, 2, 1, 0.1, 0.2, 0.2, 1000)
PRESETS = {
    "Figure 3": (
        Setting(3, 2, 1, 1, 0.1, 0.2, 0.1, 60),
        "Rosenberg and Hirschberg's Figure 3: 60 items, three useful classes",
    ),
    "NVI’s trap": (DEFAULT, "One more noise class makes NVI better, though the solution got worse"),
    "Perfect": (Setting(5, 5, 0, 0, 0.0, 0.0, 0.0, 1000), "No mistakes at all"),
}

FIELDS = (
    *(state.integer(name, getattr(DEFAULT, name), *MOST[name]) for name in MOST),
    *(state.number(name, getattr(DEFAULT, name), 0, 1) for name in ("eps1", "eps2", "eps3")),
    state.integer("n", int(DEFAULT.n), 1, 10_000_000),
    state.flag("whole"),
)


def greek(text: str) -> str:
    """eps1 as people write it."""
    return text.replace("eps1", "ε₁").replace("eps2", "ε₂").replace("eps3", "ε₃")


def setting(page) -> Setting:
    """The solution that the dials say."""
    return Setting(*(page[name] for name in Setting._fields))


def presets(page) -> None:
    """Buttons that set all dials at once."""

    def preset(chosen):
        for name, value in zip(Setting._fields, chosen):
            page[name] = int(value) if name == "n" else value
        page["whole"] = False

    for name, (chosen, what) in PRESETS.items():
        st.button(
            name,
            key=f"parametric.preset.{name}",
            help=what,
            on_click=preset,
            args=(chosen,),
            type="tertiary",
            icon=":material/replay:",
        )


def dials(page) -> None:
    """Draw them; below, what has no place to go."""
    with st.container(key="parametric-dials", gap="small"):
        left, right = st.columns(2, gap="small")
        with left:
            st.number_input(
                "Useful classes |C|",
                *MOST["n_classes"],
                key=page.key("n_classes"),
                help="Classes that clusters are meant for; noise classes are extra.",
            )
            st.number_input(
                "Noise classes",
                *MOST["noise_classes"],
                key=page.key("noise_classes"),
                help="Classes without a cluster of their own: ε₃ is spread over the useful clusters.",
            )
        with right:
            st.number_input(
                "Useful clusters |Kᵤ|",
                *MOST["useful_clusters"],
                key=page.key("useful_clusters"),
                help="Clusters that are meant for a class. The matching is as even as can be.",
            )
            st.number_input(
                "Noise clusters",
                *MOST["noise_clusters"],
                key=page.key("noise_clusters"),
                help="Clusters without a class of their own: ε₂ of the useful classes is spread over them.",
            )
        for name, label, what in (
            (
                "eps1",
                "ε₁ wrong useful cluster",
                "Share of all mass that lies in a useful cluster of another class.",
            ),
            ("eps2", "ε₂ in noise clusters", "Share of all mass that lies in noise clusters."),
            ("eps3", "ε₃ of noise classes", "Share of all mass that belongs to noise classes."),
        ):
            st.slider(label, 0.0, 1.0, step=0.001, format="%.3f", key=page.key(name), help=what)
        st.number_input("n, items", 1, 10_000_000, key=page.key("n"))
        st.toggle(
            "Whole counts",
            key=page.key("whole"),
            help="Round to whole counts that keep n. Pairs are then counted as n(n−1)/2 and AMI takes part; "
            "otherwise counts are fractional and pairs are counted as squares, the limit of large n.",
        )
    for note in unplaced(setting(page)):
        st.info(greek(plain(note)), icon=":material/info:")
