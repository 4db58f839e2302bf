"""Doubt: what is left of a ranking when words or instances are drawn again."""

import streamlit as st

from evalcore import InputError
from evalcore.ranking import bootstrap_instances, bootstrap_words

from . import work
from .style import number, plain
from .systems_doubt_figures import interval_figure, win_map
from .systems_figures import show_names

REPLICATES = (200, 1000, 5000)


def doubt_view(page, source):
    if source.comparison is None:
        st.info(
            "The papers print no scores of single words, so nothing can be drawn again. Upload a task’s "
            "keys, or a table of labels, to see "
            "how sure a ranking is.",
            icon=":material/info:",
        )
        return
    _choose(page, source)
    doubt = _doubt(page, source)
    if doubt is None:
        return
    if isinstance(doubt, InputError):
        st.error(plain(doubt))
        return
    said = doubt.sentences()
    unsure = sum("cannot be told apart" in sentence for sentence in said)
    left, right = st.columns(2, gap="medium")
    height = max(310, min(620, 100 + 23 * len(doubt.systems)))
    with left:
        title = interval_title(doubt.column.name, unsure, len(said))
        show_names(*interval_figure(doubt, title, height), key="systems.intervals", file="intervals")
    with right:
        show_names(*win_map(doubt, height), key="systems.wins", file="wins")
    _say(page, doubt, said)


def interval_title(column: str, unsure: int, neighbours: int) -> str:
    """How many of those that follow each other on the board may stand there by chance."""
    if not neighbours:
        return f"{column} of the one system there is"
    if not unsure:
        return f"All neighbours on the board can be told apart by {column}"
    return f"{unsure} of {neighbours} neighbours on the board cannot be told apart by {column}"


def _choose(page, source):
    board = source.board
    names = [c.name for c in board.columns if not c.split]
    page["by"] = page["by"] if page["by"] in names else names[-1]
    if len(source.comparison.words) < 2:
        page["draw"] = "instances"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox("Ranked by", names, key=page.key("by"), width=180)
        st.segmented_control(
            "Draw again",
            ["words", "instances"],
            key=page.key("draw"),
            required=True,
            help="Words: would other words rank the systems alike? Instances: would other instances of the "
            "same words? Drawn "
            "with replacement, the same for all systems.",
        )
        st.segmented_control(
            "Resamples", REPLICATES, format_func="{:,}".format, key=page.key("replicates"), required=True
        )
        st.number_input("Seed", 0, 10**6, key=page.key("again"), width=130)


def _doubt(page, source):
    """The bootstrap, or the error that says why there is none, or None while it is not computed."""
    comparison, board, policy = source.comparison, source.board, source.policy
    by, replicates, seed, base = page["by"], page["replicates"], page["again"], page.base
    if page["draw"] == "words":
        try:
            return bootstrap_words(board, by, replicates, seed)
        except InputError as error:
            return error
    if policy.soft or policy.average == "pooled":  # refused before a button promises anything
        try:
            return bootstrap_instances(comparison, board, by, policy, replicates, seed)
        except InputError as error:
            return error

    def compute(progress):
        try:
            return bootstrap_instances(
                comparison,
                board,
                by,
                policy,
                replicates,
                seed,
                base=base,
                progress=lambda done, total, what: progress(done, total, plain(what)),
            )
        except InputError as error:
            return error

    key = (comparison.digest, board.systems, by, policy, page["k"], replicates, seed, base)
    return work.run(
        "systems.instances",
        key,
        compute,
        label="Draw instances",
        what=f"{replicates:,} resamples of {len(board.systems)} systems, with progress; it can be cancelled.",
    )


def _say(page, doubt, said):
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in said))
    if doubt.shift.any():
        most = max(range(len(doubt.systems)), key=lambda i: abs(doubt.shift[i]))
        st.caption(
            f"Drawing an instance twice makes two items that belong together, which moves every score "
            f"(most: {plain(doubt.systems[most])}, by "
            f"{number(doubt.shift[most], 4)}). That shift is taken off; what you see is the spread around "
            f"the score."
        )
    else:
        st.caption(
            "Intervals hold the middle 95% of the resamples. “Told apart” means: the same one is better in "
            "at least 97.5% of them."
        )
