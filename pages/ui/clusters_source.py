"""Number of clusters: the data, the algorithm, and the clusterings they give for every k."""

import hashlib
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from evalcore import InputError
from evalcore.clusterers import datasets
from evalcore.clusterers.sweep import ALGORITHMS, LARGEST_TREE, LARGEST_WORK, ks_around, sweep

from . import state, work
from .frame import Page
from .style import plain

READERS = {"texts": datasets.read_documents, "table": datasets.read_features}
SOURCES = {
    "digits": "Handwritten digits",
    "iris": "Iris flowers",
    "wine": "Wines",
    "breast cancer": "Breast cancer",
    "20 newsgroups": "20 newsgroups (download)",
    "texts": "Your texts, with classes",
    "table": "Your feature table, with classes",
}
FORMATS = {
    "texts": "One text a line: its class, a tab (or semicolon, or comma), the text. The texts become tf-idf vectors.",
    "table": "A table (CSV, TSV) with a header: columns of numbers, and one of classes called *class*, "
    "*label* or *gold* (else the last column). The features are standardised.",
}
LARGEST_K = (20, 50, 100, 200, 500, 1000, 2000)
UPLOADS = "_clusters_uploads"  # in the session: source -> (file name, bytes)
LIMITS = (
    f"Limits: {datasets.LARGEST_ITEMS:,} items with {datasets.LARGEST_FEATURES:,} features ({LARGEST_TREE:,} "
    f"items for Ward and average linkage), {LARGEST_K[-1]:,} clusters; for k-means items × features × clusters at "
    f"most {LARGEST_WORK // 10**9} billion; two runs at once on this server."
)

FIELDS = (
    state.choice("data", tuple(SOURCES), "digits"),
    state.choice("algorithm", tuple(ALGORITHMS), "k-means"),
    state.choice("largest", LARGEST_K, 100),
    state.integer("seed", 0, 0, 999_999),
)


@dataclass(frozen=True, eq=False)
class Swept:
    """Clusterings of the same items for many k."""

    key: Hashable  # all that they depend on
    name: str
    note: str  # how the features were made
    gold: np.ndarray
    solutions: dict[int, np.ndarray]

    @property
    def ks(self) -> list[int]:
        return list(self.solutions)

    @property
    def n(self) -> int:
        return len(self.gold)

    @property
    def classes(self) -> int:
        return len(np.unique(self.gold))


def controls(page: Page):
    """What is clustered, and how."""
    st.selectbox(
        "Data",
        list(SOURCES),
        key=page.key("data"),
        format_func=SOURCES.get,
        width=245,
        help=f"The first four ship with scikit-learn. {LIMITS}",
    )
    if page["data"] in READERS and page["data"] in _uploads():
        with st.popover("Another file", icon=":material/upload:", key="clusters-upload"):
            _uploader(page["data"], "popover")
    st.selectbox(
        "Clustered by",
        list(ALGORITHMS),
        key=page.key("algorithm"),
        format_func=lambda name: {"ward": "Ward's method", "average": "average linkage"}.get(name, name),
        width=160,
        help="  \n".join(ALGORITHMS.values()),
    )
    st.selectbox(
        "k up to",
        LARGEST_K,
        key=page.key("largest"),
        format_func=lambda k: f"{k:,}",
        width=95,
        help="At most one cluster for each item.",
    )
    st.number_input(
        "Seed",
        0,
        999_999,
        key=page.key("seed"),
        width=110,
        help="Of the starts of k-means and of the samples scored; it is part of the link.",
    )


def swept(page: Page) -> Swept | None:
    """The clusterings; None, and a word on what to do, while there are none."""
    source, algorithm, largest, seed = (page[name] for name in ("data", "algorithm", "largest", "seed"))
    upload = _uploads().get(source)
    if source in READERS and upload is None:
        _empty(source)
        return None
    # the seed matters to k-means alone
    key = (source, _digest(upload), algorithm, largest, seed if algorithm == "k-means" else None)

    def compute(progress):
        progress(0, 1, f"reading {upload[0] if upload else SOURCES[source]}")
        try:
            items = READERS[source](upload[1], upload[0]) if upload else datasets.load(source, progress)
            solutions = sweep(items.X, ks_around(items.gold, largest), algorithm, seed, progress)
        except InputError as error:
            if source == "20 newsgroups":
                raise  # not kept: the next try may find a network
            return error
        return Swept(key, items.name, items.note, items.gold, solutions)

    def ask():
        return work.run(
            "clusters.sweep",
            key,
            compute,
            label="Download and cluster" if source == "20 newsgroups" else "Cluster",
            what="Fetches 14 MB once, in three minutes at most, and clusters 2,000 posts."
            if source == "20 newsgroups"
            else "Clusters the items for each k.",
            auto=source != "20 newsgroups",
        )

    try:
        found = ask()
    except InputError as error:
        st.error(plain(error))
        return ask()  # what failed waits to be asked again: its button
    if isinstance(found, InputError):
        st.error(plain(found))
        return None
    return found


# ---- files ----


def _uploads():
    return st.session_state.setdefault(UPLOADS, {})


def _digest(upload):
    return None if upload is None else (upload[0], hashlib.sha256(upload[1]).hexdigest())


def _empty(source):
    with st.container(border=True, key="clusters-empty"):
        st.header("Load your data", anchor=False)
        st.markdown(
            FORMATS[source] + " A link cannot carry uploaded data: if you followed one, its settings are in "
            "place, and only the file is missing."
        )
        _uploader(source, "inline")


def _uploader(source, place):
    key = f"clusters._file.{source}.{place}"

    def take():
        file = st.session_state[key]
        if file is not None:
            st.session_state[UPLOADS] = _uploads() | {source: (file.name, file.getvalue())}

    st.file_uploader(SOURCES[source], type=["csv", "tsv", "txt"], key=key, on_change=take)
    st.caption(
        "UTF-8, up to 50 MB. The file stays in this session and is forgotten with it; links keep the "
        f"settings only. {LIMITS}"
    )
    if source in _uploads():
        st.markdown(f"Loaded: {plain(_uploads()[source][0])}")
