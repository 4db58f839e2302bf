"""Files on the Systems page: dropped, read, remembered for the session, and what is wrong with them."""

import streamlit as st

from evalcore import InputError
from evalcore.comparison import BASELINES, Batch, read_files, with_baselines

from .style import plain
from .systems_rules import tell_again

BATCH = "_systems_batch"  # in the session: what was uploaded
LARGEST_WARNINGS = 4  # sentences that stand open; the others wait to be unfolded


def from_files(page):
    """The comparison that the files make; None, and what is missing is said, where they make none."""
    batch: Batch | None = st.session_state.get(BATCH)
    if batch is None:
        _empty(page)
        return None
    if not batch.kind:
        warn(batch.problems)
        return None
    if batch.kind == "keys" and not page["gold"]:
        warn(batch.problems)
        _choose_gold(page, batch)
        return None
    gold = page["gold"] if batch.kind == "keys" else None
    asked = (batch.digest, gold, tuple(page["baselines"]), page["k"], page["seed"])
    known, comparison = st.session_state.get("_systems_comparison", (None, None))
    if asked != known:  # a table of many labels takes a while to turn into a comparison
        try:
            comparison = add_baselines(page, batch.comparison(gold))
        except InputError as error:
            warn(batch.problems)
            st.error(plain(error))
            return None
        st.session_state["_systems_comparison"] = asked, comparison
    return comparison


def loaded_kind() -> str:
    """What the files at hand are; "" where there are none."""
    return getattr(st.session_state.get(BATCH), "kind", "")


def loaded_problems() -> tuple[str, ...]:
    """Sentences on the files that could not be read."""
    return getattr(st.session_state.get(BATCH), "problems", ())


def settle_gold(page):
    """The gold key is one of the keys at hand, or none yet."""
    batch = st.session_state.get(BATCH)
    if batch is not None and page["gold"] not in batch.keys:
        page["gold"] = batch.likely_gold or ""


def _choose_gold(page, batch):
    tell_again(page, "gold")
    st.selectbox("Which of these is the gold key?", ["", *batch.keys], key=page.key("gold"), width=400)


def _empty(page):
    with st.container(border=True, key="systems-empty"):
        st.header("Load your systems", anchor=False)
        st.markdown(
            "A link cannot carry uploaded data: if you followed one, its settings are in place, and only "
            "the files are missing. Drop "
            "them here, all at once:\n"
            "- **keys** (`word instance sense/weight …`): one whose name says *gold*, and one for each "
            "system; keys called "
            "*mapping…* and *test…* add supervised recall\n"
            "- a **table of labels** (CSV, TSV, Parquet): item, gold, and a column for each system\n"
            "- **matrices** of counts (CSV), a row for each class\n"
            "- a **comparison** saved from this page (JSON), with all its settings"
        )
        uploader(page, "inline")


def uploader(page, place):
    key = f"systems.files.{place}.{st.session_state.get('_systems_round', 0)}"
    st.file_uploader(
        "Keys, a table of labels, matrices, or a saved comparison",
        accept_multiple_files=True,
        key=key,
        on_change=_files_came,
        args=(page, key),
    )
    st.caption(
        "UTF-8 text, or Parquet; up to 50 MB a file and 200 MB together. Files stay in this session and are "
        "forgotten with it."
    )
    batch = st.session_state.get(BATCH)
    if batch is not None and batch.files:
        st.markdown(
            f"Loaded: {', '.join(map(plain, batch.files[:12]))}{' …' if len(batch.files) > 12 else ''}. A "
            f"link to this page keeps the "
            "settings, not the files: to pass on both, export the comparison."
        )
        if batch.kind == "keys" and page["gold"]:
            _choose_gold(page, batch)
        st.button("Forget these files", key=f"systems.forget.{place}", icon=":material/delete:", on_click=_forget)


def _files_came(page, key):
    if not st.session_state.get(key):  # the last one was taken out again
        _forget()
        return
    st.session_state["_systems_pending"] = key
    page["source"] = "files"


def _forget():
    st.session_state.pop(BATCH, None)
    st.session_state.pop("_systems_comparison", None)
    st.session_state["_systems_round"] = st.session_state.get("_systems_round", 0) + 1  # empty uploaders again


def read_new_files(page):
    """Read what was just uploaded, before any control is drawn: a saved comparison sets them all."""
    key = st.session_state.pop("_systems_pending", None)
    files = st.session_state.get(key) if key else None
    if not files:
        return
    place = st.empty()
    bar = place.progress(0.0, text="Reading …")
    batch = read_files(
        [(file.name, file.getvalue()) for file in files],
        lambda done, total, what: bar.progress(done / total, text=plain(what)),
    )
    place.empty()
    if batch.kind == "saved":
        page.state.load(batch.settings)
        warn(
            [note.replace("The link’s", "The file’s").replace("The link's", "The file's") for note in page.state.notes]
        )
        if batch.saved is None:
            return  # settings of a published table; what was loaded before stays
        page["source"] = "files"
    st.session_state[BATCH] = batch
    page["gold"] = batch.likely_gold or ""


def add_baselines(page, comparison):
    try:
        return with_baselines(
            comparison, [name for name in BASELINES if name in page["baselines"]], page["k"], page["seed"]
        )
    except InputError as error:
        st.error(plain(error))
        return comparison


def warn(problems):
    """Say what is wrong, a sentence each: the first few at once, the others in a box that unfolds."""
    if not problems:
        return
    lines = [f"- {plain(problem)}" for problem in problems]
    st.warning("\n".join(lines[:LARGEST_WARNINGS]), icon=":material/warning:")
    if lines[LARGEST_WARNINGS:]:
        with st.expander(f"{len(lines) - LARGEST_WARNINGS} more of these", icon=":material/warning:"):
            st.markdown("\n".join(lines[LARGEST_WARNINGS:]))
