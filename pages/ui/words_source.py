"""Words: where the co-occurrence counts come from, and the controls for that."""

import hashlib

import streamlit as st

from evalcore import InputError
from evalcore.clusterers import corpora
from evalcore.clusterers.counts import LARGEST_NOUNS, LARGEST_SAMPLE, LARGEST_VERBS, Cooccurrence, made

from . import state
from .frame import Page
from .style import plain

SOURCES = {"made": "a known model", "pairs": "your pairs", "text": "your text"}
UPLOADED = {"pairs": "Pairs (noun, verb, count)", "text": "Text"}
FORMATS = {
    "pairs": "One pair a line: a noun, a verb and how often they were seen together, separated by commas, "
    "semicolons, tabs or blanks (`tea,drink,12`). Without a count each line is one pair.",
    "text": "Plain text, uploaded or pasted. Its most frequent words are clustered by the words beside them.",
}
MODEL = ("nouns", "verbs", "true", "skew", "size", "frequency", "seed")
UPLOADS = "_words_uploads"  # in the session: what it is -> (file name, bytes)
LARGE = 200_000  # cells; larger tables are clustered when asked for only
LIMITS = (
    f"Limits: {LARGEST_NOUNS:,} nouns x {LARGEST_VERBS:,} verbs, {LARGEST_SAMPLE:,} pairs, two runs at once "
    "on this server."
)

FIELDS = (
    state.choice("source", tuple(SOURCES), "made"),
    state.integer("nouns", 32, 2, LARGEST_NOUNS),
    state.integer("verbs", 20, 2, LARGEST_VERBS),
    state.integer("true", 4, 1, 100),
    state.number("skew", 1.5, 0.0, 5.0),
    state.integer("size", 4_000, 20, 5_000_000),
    state.number("frequency", 0.0, 0.0, 3.0),
    state.integer("seed", 0, 0, 999_999),
    state.integer("window", 0, 0, corpora.LARGEST_WINDOW),
    state.integer("kept", 200, 2, LARGEST_NOUNS),
    state.integer("contexts", 1_000, 2, LARGEST_VERBS),
)


def controls(page: Page, made_only: bool = False):
    """What is clustered."""
    if not made_only:
        st.selectbox(
            "Words from",
            list(SOURCES),
            key=page.key("source"),
            format_func=SOURCES.get,
            width=165,
            help=LIMITS,
        )
    if made_only or page["source"] == "made":
        _model_controls(page, made_only)
    else:
        _file_controls(page)


def _model_controls(page, made_only):
    st.number_input("Nouns", 2, LARGEST_NOUNS, key=page.key("nouns"), width=80)
    st.number_input("Verbs", 2, LARGEST_VERBS, key=page.key("verbs"), width=80)
    st.number_input(
        "Classes", 1, 100, key=page.key("true"), width=90, help="True clusters of nouns, which are the gold."
    )
    st.number_input(
        "Skew",
        0.0,
        5.0,
        step=0.1,
        key=page.key("skew"),
        width=80,
        help="How choosy a class is: it takes its favourite verbs in proportion to 1/rank^skew.",
    )
    if not made_only:
        st.number_input(
            "Pairs",
            20,
            5_000_000,
            step=1_000,
            key=page.key("size"),
            width=105,
            help="Sample size: noun-verb pairs drawn from the model.",
        )
    st.number_input(
        "Freq. skew",
        0.0,
        3.0,
        step=0.1,
        key=page.key("frequency"),
        width=108,
        help="0: all nouns are equally frequent. Otherwise their frequencies fall as 1/rank^skew.",
    )
    st.number_input("Seed", 0, 999_999, key=page.key("seed"), width=85)


def _file_controls(page):
    source = page["source"]
    if source == "text":
        st.selectbox(
            "Contexts are",
            range(corpora.LARGEST_WINDOW + 1),
            key=page.key("window"),
            format_func=lambda w: f"words up to {w} away" if w else "the next word",
            width=175,
        )
        st.number_input("Words kept", 2, LARGEST_NOUNS, key=page.key("kept"), width=115)
        st.number_input("Contexts kept", 2, LARGEST_VERBS, key=page.key("contexts"), width=125)
    st.number_input("Seed", 0, 999_999, key=page.key("seed"), width=85)
    if source in _uploads():
        with st.popover("Files", icon=":material/upload:", key="words-files"):
            _uploaders(source, "popover")


def counted(page: Page) -> tuple[tuple, Cooccurrence] | None:
    """All that the counts depend on, and the counts; None, and a word on what to do, while there are none."""
    if page["source"] == "made":
        key = tuple(page[name] for name in MODEL)
        found = _made(*key)
    else:
        source = page["source"]
        if source not in _uploads():
            _empty(source)
            return None
        files = tuple(_uploads().get(what) for what in (source, "classes"))
        how = tuple(page[name] for name in ("window", "kept", "contexts")) if source == "text" else ()
        key = (source, *how, page["seed"], *map(_digest, files))
        found = _read(key, how, files)
    if isinstance(found, str):
        st.error(plain(found))
        return None
    return key, found


@st.cache_resource(max_entries=16, show_spinner=False)
def _made(nouns, verbs, true, skew, size, frequency, seed):
    try:
        return made(nouns, verbs, true, skew, size, frequency, seed)
    except InputError as error:
        return str(error)


@st.cache_resource(max_entries=8, show_spinner="Counting …")
def _read(key, _how, _files):
    (source, *_), (file, classes) = key, _files
    try:
        if source == "pairs":
            pairs = corpora.read_pairs(file[1], file[0])
        else:
            window, kept, contexts = _how
            lines, _ = corpora.read_lines(file[1], file[0])
            pairs = corpora.count_text("\n".join(lines), window or None, kept, contexts)
        if classes is not None:
            pairs = corpora.with_classes(pairs, corpora.read_classes(classes[1], classes[0]))
        return pairs
    except InputError as error:
        return str(error)


# ---- files -------------------------------------------------------------------------------------------------


def _uploads():
    return st.session_state.setdefault(UPLOADS, {})


def _digest(file):
    return None if file is None else (file[0], hashlib.sha256(file[1]).hexdigest())


def _empty(source):
    with st.container(border=True, key="words-empty"):
        st.header("Load your words", anchor=False)
        st.markdown(
            f"{FORMATS[source]} A link cannot carry uploaded data: if you followed one, its settings are in "
            "place, and only the file is missing."
        )
        _uploaders(source, "inline")


def _uploaders(source, place):
    _uploader(source, UPLOADED[source], place)
    if source == "text":
        _paste(place)
    _uploader("classes", "Classes of the nouns, if you have them (noun, class)", place)
    st.caption(
        f"UTF-8, up to 50 MB. Files stay in this session; links keep the settings only. {LIMITS} "
        "With classes the clusters can be scored."
    )


def _uploader(what, label, place):
    key = f"words._file.{what}.{place}"

    def take():
        if (file := st.session_state[key]) is not None:
            st.session_state[UPLOADS] = _uploads() | {what: (file.name, file.getvalue())}

    def forget():
        st.session_state[UPLOADS] = {name: file for name, file in _uploads().items() if name != what}

    st.file_uploader(label, type=["csv", "tsv", "txt"], key=key, on_change=take)
    if what in _uploads():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"Loaded: {plain(_uploads()[what][0])}")
            if what == "classes":
                st.button("Forget", key=f"words._forget.{place}", on_click=forget, type="tertiary")


def _paste(place):
    key = f"words._paste.{place}"

    def take():
        if text := st.session_state[key].strip():
            st.session_state[UPLOADS] = _uploads() | {"text": ("pasted text", text.encode())}

    st.text_area("Or paste it here", key=key, height=120, max_chars=500_000)
    st.button("Count these words", key=f"words._count.{place}", on_click=take)


# ---- in Python ---------------------------------------------------------------------------------------------


def snippet(page: Page) -> str:
    """Python that makes the same counts, as `pairs`."""
    source = page["source"]
    if source == "made":
        nouns, verbs, true, skew, size, frequency, seed = (page[name] for name in MODEL)
        return f"pairs = counts.made({nouns}, {verbs}, {true}, {skew}, {size}, {frequency}, seed={seed})\n"
    file, classes = (_uploads().get(what, (None,))[0] for what in (source, "classes"))
    if source == "pairs":
        lines = f"pairs = corpora.read_pairs({file!r})\n"
    else:
        how = f"{page['window'] or None}, {page['kept']}, {page['contexts']}"
        lines = f"text = open({file!r}, encoding='utf-8').read()\npairs = corpora.count_text(text, {how})\n"
    if classes is not None:
        lines += f"pairs = corpora.with_classes(pairs, corpora.read_classes({classes!r}))\n"
    return lines
