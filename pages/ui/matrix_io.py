"""Getting tables into and out of the Matrix lab."""

import json

import pandas as pd
import streamlit as st

from evalcore import ESTIMATORS, Contingency, InputError, scoreboard
from evalcore.tables import read_labels, read_matrix

from .figures import csv
from .frame import SHOWABLE
from .state import table_to_json
from .style import plain

EXAMPLES = {"matrix": ",k1,k2,k3\nc1,7,1,0\nc2,1,5,2", "labels": "item,gold,mine\n1,a,x\n2,a,x\n3,b,y\n4,b,x"}
HELP = {
    "matrix": "Rows are classes, columns clusters; names are optional. Commas, semicolons, tabs or blanks, as copied from a spreadsheet.",
    "labels": "A header, then a line per item: item, gold label, predicted label. With several systems the first one is taken, or choose.",
}
MOST_LABELS = 1_000_000


def imports(load):
    """A popover that takes a matrix or labels, pasted or as a file; `load(table, label)` receives what was read."""
    with st.popover("Import", icon=":material/upload:", key="matrix.import", on_change="rerun") as popover:
        if not popover.open:  # or a file would be read again at every edit
            return
        kind = st.segmented_control(
            "What",
            ["matrix", "labels"],
            default="matrix",
            required=True,
            key="matrix.import.kind",
            format_func={"matrix": "A matrix", "labels": "Labels"}.get,
        )
        st.caption(HELP[kind])
        text = st.text_area("Paste here", key=f"matrix.import.text.{kind}", placeholder=EXAMPLES[kind], height=150)
        file = st.file_uploader(
            "or choose a file", key=f"matrix.import.file.{kind}", type=["csv", "tsv", "txt", "parquet"]
        )
        source, name = (file.getvalue(), file.name) if file is not None else (text.encode(), "the pasted text")
        if not source.strip():
            if file is not None:
                st.error(f"{plain(name)} is empty.")
            return
        try:
            table, label = _read(kind, source, name)
        except InputError as error:
            st.error(plain(error))
            return
        st.markdown(f"{table.shape[0]} classes, {table.shape[1]} clusters, n = {table.n:g}.")
        st.button("Use this table", type="primary", key="matrix.import.use", on_click=_use, args=(load, table, label))


def _use(load, table, label):
    load(table, label)
    st.session_state["matrix.import"] = False  # closes the popover, so that the table or the refusal is seen


def _read(kind, source, name):
    if kind == "matrix":
        return read_matrix(source, name), f"imported {name}"
    labels = read_labels(source, name)
    systems = list(labels.systems)
    system = systems[0] if len(systems) == 1 else st.selectbox("System", systems, key="matrix.import.system")
    missing = "cluster"
    if any(x is None for x in labels.systems[system]):
        missing = st.selectbox(
            "Items without an answer",
            ["cluster", "drop", "singletons"],
            key="matrix.import.missing",
            format_func={"cluster": "share one extra cluster", "drop": "are left out", "singletons": "stand alone"}.get,
        )
    return labels.table(system, missing), f"imported {system}"


def exports(table: Contingency, page):
    """A popover with the matrix, labels and scores as files."""
    with st.popover("Export", icon=":material/download:", key="matrix.export"):

        def button(label, data, file, mime="text/csv"):
            st.download_button(
                label, data, file_name=file, mime=mime, key=f"matrix.export.{file}", on_click="ignore", width="stretch"
            )

        button("Matrix (CSV)", lambda: csv(_matrix(table)), "matrix.csv")
        button(
            "Matrix (JSON)",
            lambda: json.dumps(table_to_json(table), ensure_ascii=False),
            "matrix.json",
            "application/json",
        )
        if table.is_whole and table.n <= MOST_LABELS:
            button("Labels (CSV)", lambda: csv(_labels(table)), "labels.csv")
        else:
            st.caption(f"Labels: only for whole counts of at most {MOST_LABELS:,} items.")
        base = page.base  # a download is made later, outside of any page
        button("Scores (CSV)", lambda: csv(_scores(table, base)), "scores.csv")


def _matrix(table):
    frame = table.to_frame()
    frame.insert(0, "class", table.classes, allow_duplicates=True)  # a cluster may have that name too
    return frame


def _labels(table):
    gold, predicted = table.to_labels()
    return pd.DataFrame({"item": range(1, len(gold) + 1), "gold": gold, "predicted": predicted})


def _scores(table, base):
    estimators = list(ESTIMATORS) if table.is_whole else ["ML"]
    return scoreboard({"this table": table}, SHOWABLE, estimators, base=base).drop(columns="solution")
