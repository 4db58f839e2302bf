"""What can be taken away: tables in four formats, a report, the whole comparison, and the Python that gives
the same numbers.
"""

import plotly.io as pio
import streamlit as st
from plotly.offline import get_plotlyjs

from evalcore import InputError
from evalcore.comparison import BASELINES, KeyComparison, to_json
from evalcore.formats import render
from evalcore.ranking import agreement, bootstrap_words, flips, headline
from evalcore.report import Section, html_report

from .systems_doubt_figures import interval_figure, win_map
from .systems_figures import agreement_map, bump, clusters_against_change
from .systems_files import BATCH
from .systems_ranks import LONG_NAMES, best_first, followed

KINDS = {
    "csv": ("CSV", "text/csv", "csv"),
    "json": ("JSON", "application/json", "json"),
    "latex": ("LaTeX", "text/x-tex", "tex"),
    "markdown": ("Markdown", "text/markdown", "md"),
}


def export_menu(page, source):
    board = source.board
    fields = {name: page[name] for name in page.state.fields}  # a download is made when no page is there to be asked
    settings = {
        name: field.encode(fields[name]) for name, field in page.state.fields.items() if fields[name] != field.default
    }
    with st.popover("Export", icon=":material/download:", key="systems-export"):
        st.markdown("**The leaderboard**")
        with st.container(horizontal=True):
            for format, (label, mime, ending) in KINDS.items():
                st.download_button(
                    label,
                    lambda format=format: _table(board, format),
                    file_name=f"leaderboard.{ending}",
                    mime=mime,
                    key=f"systems.export.{format}",
                    on_click="ignore",
                )
        st.markdown("**Everything**")
        st.download_button(
            "Report (HTML, stands alone)",
            lambda: report(fields, source),
            file_name="systems.html",
            mime="text/html",
            key="systems.export.report",
            on_click="ignore",
            icon=":material/article:",
        )
        st.download_button(
            "Comparison (JSON, to be uploaded here again)",
            lambda: to_json(source.comparison, settings),
            file_name="comparison.json",
            mime="application/json",
            key="systems.export.comparison",
            on_click="ignore",
            icon=":material/save:",
        )


def _table(board, format):
    with_ranks = format in ("csv", "json")
    return (
        render(board.frame(with_ranks).iloc[best_first(board)].reset_index(drop=True), format, better=board.better)
        + "\n"
    )


def report(page: dict, source) -> str:
    """The comparison as one HTML file: leaderboard, figures, flips, and how sure the ranking is; `page`
    holds the page's fields.
    """
    board = source.board
    follow = followed(page, board)
    says = headline(board, LONG_NAMES if page["source"] == "semeval" else None)
    order = best_first(board)
    scores = board.frame().iloc[order].reset_index(drop=True)
    sections = [
        Section(
            "Leaderboard",
            [source.note],
            scores,
            ranks={name: board.ranks[order, j].tolist() for j, name in enumerate(board.names)},
            figure=_html(bump(board, follow, says)[0]),
        )
    ]
    if len(board.columns) > 1:
        x, y = (page[f] if page[f] in board.names else board.names[at] for f, at in (("x", 0), ("y", -1)))
        sections.append(Section("How alike the columns rank", figure=_html(agreement_map(agreement(board), "tau")[0])))
        if x != y:
            pairs = flips(board, x, y)
            sections.append(
                Section(
                    f"Pairs that {x} and {y} put in opposite order",
                    [f"{len(pairs)} pairs; the 25 largest are listed."],
                    pairs.head(25),
                )
            )
            sections.append(
                Section("Number of clusters", figure=_html(clusters_against_change(board, x, y, follow)[0]))
            )
    return html_report(says, [*sections, *_doubt(page, board)], [get_plotlyjs()])


def _doubt(page, board):
    by = page["by"] if page["by"] in board.names else board.names[-1]
    try:
        doubt = bootstrap_words(board, by, page["replicates"], page["again"])
    except InputError:
        return []
    return [
        Section(
            f"How sure is the ranking by {by}?",
            doubt.sentences(),
            figure=_html(interval_figure(doubt, f"{by} with 95% of {page['replicates']:,} resamples of words")[0])
            + _html(win_map(doubt)[0]),
        )
    ]


def _html(fig):
    fig.update_layout(template="plotly_white")
    return pio.to_html(fig, include_plotlyjs=False, full_html=False, config={"displaylogo": False})


def snippet(page, source) -> str:
    """Python that reproduces the leaderboard."""
    board, comparison = source.board, source.comparison
    if comparison is None:
        names = [c.estimator for c in board.columns if c.estimator]
        call = (
            f"wsi2010_board({names!r}, {[c.split for c in board.columns if c.split]!r})"
            if page["source"] == "semeval"
            else f"grammar_board({page['source']!r}, {board.names!r})"
        )
        made = f"from evalcore.ranking import {call.split('(')[0]}, headline\n\nboard = {call}\n"
    else:
        made = _own_code(page, source)
    return made + "print(headline(board))\nprint(board.frame(with_ranks=True).to_string())\n"


def _own_code(page, source):
    comparison, measures = (
        source.comparison,
        list(dict.fromkeys(c.measure for c in source.board.columns if not c.split)),
    )
    estimators = list(page["e"]) or ["ML"]
    lines = [
        "from pathlib import Path",
        "",
        "from evalcore import Contingency",
        "from evalcore.comparison import Policy, TableComparison, read_files, with_baselines",
        "from evalcore.ranking import headline, score_comparison",
        "",
    ]
    if page["source"] == "tray":
        lines += ["tables = {"]
        lines += [
            f"    {name!r}: Contingency.from_matrix({t.counts.tolist()!r}, {list(map(str, t.classes))!r}, "
            f"{list(map(str, t.clusters))!r}),"
            for name, t in comparison.systems.items()
            if name not in comparison.baselines
        ]
        lines += ["}", 'comparison = TableComparison("tray", tables)']
    else:
        gold = (
            repr(page["gold"])
            if isinstance(comparison, KeyComparison) and st.session_state[BATCH].kind == "keys"
            else ""
        )
        lines += [
            f"names = {list(st.session_state[BATCH].files)!r}  # in the working folder",
            f"comparison = read_files([(name, Path(name).read_bytes()) for name in names]).comparison({gold})",
        ]
    if comparison.baselines:
        chosen = [name for name in BASELINES if name in page["baselines"]]
        lines.append(f"comparison = with_baselines(comparison, {chosen!r}, k={page['k']}, seed={page['seed']})")
    lines += [
        f"board = score_comparison(comparison, {measures!r}, {estimators!r}, {source.policy!r},",
        f"                         "
        f"splits=comparison.recall_splits({sorted(page['recall'], reverse=True)!r}, seed={page['seed']}), "
        f"base={page.base!r})",
    ]
    return "\n".join(lines) + "\n"
