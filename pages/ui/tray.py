"""The solution tray: what a visitor has collected, shared by all pages, to be compared or taken home as a file."""

import json
from dataclasses import dataclass, replace

import streamlit as st

from evalcore import Contingency, InputError

from .state import table_from_json, table_to_json
from .style import plain

MOST, LONGEST_NAME = 60, 80


@dataclass(frozen=True)
class Solution:
    """A named table, and the page it came from."""

    name: str
    table: Contingency
    origin: str = ""


def solutions() -> list[Solution]:
    """This visitor's tray, in order."""
    return st.session_state.setdefault("_tray", [])


def names() -> list[str]:
    return [s.name for s in solutions()]


def add(name: str, table: Contingency, origin: str = ""):
    """Put a solution into the tray; its name must be new."""
    name = " ".join(name.split())
    if not name:
        raise InputError("A solution in the tray needs a name.")
    if len(name) > LONGEST_NAME:
        raise InputError(f"That name has {len(name)} characters; at most {LONGEST_NAME} are allowed.")
    if name in names():
        raise InputError(f"There already is a solution called “{name}” in the tray.")
    if len(solutions()) >= MOST:
        raise InputError(f"The tray holds {MOST} solutions at most; remove one first.")
    if table.is_sparse:
        raise InputError("This table is too large for the tray.")
    st.session_state["_tray"] = [*solutions(), Solution(name, table, origin)]


def free_name(wish: str) -> str:
    """The wish, or the wish with a number."""
    taken, number, name = names(), 1, wish
    while name in taken:
        number += 1
        name = f"{wish} {number}"
    return name


def rename(old: str, new: str):
    new = " ".join(new.split())
    if new == old:
        return
    if not new or len(new) > LONGEST_NAME:
        raise InputError(f"A solution's name has 1 to {LONGEST_NAME} characters.")
    if new in names():
        raise InputError(f"There already is a solution called “{new}” in the tray.")
    st.session_state["_tray"] = [replace(s, name=new) if s.name == old else s for s in solutions()]


def remove(name: str):
    st.session_state["_tray"] = [s for s in solutions() if s.name != name]


def move(name: str, by: int):
    """Up (-1) or down (+1)."""
    items, at = list(solutions()), names().index(name)
    to = min(max(at + by, 0), len(items) - 1)
    items.insert(to, items.pop(at))
    st.session_state["_tray"] = items


def to_json(items: list[Solution]) -> str:
    return json.dumps(
        {
            "measure_lab_tray": 1,
            "solutions": [{"name": s.name, "origin": s.origin, **table_to_json(s.table)} for s in items],
        },
        ensure_ascii=False,
        indent=1,
    )


def from_json(data: bytes) -> list[Solution]:
    """The solutions of a saved tray; one sentence says what is wrong with a file that is none."""
    try:
        content = json.loads(data)
        items = content["solutions"] if content.get("measure_lab_tray") == 1 else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        items = None
    if not isinstance(items, list):
        raise InputError("This file is not a tray saved from Measure Lab.")
    if len(items) > MOST:
        raise InputError(f"This file holds {len(items)} solutions; a tray holds {MOST} at most.")
    found = []
    for number, item in enumerate(items, 1):
        name = item.get("name") if isinstance(item, dict) else None
        name = " ".join(name.split()) if isinstance(name, str) else ""
        if not 0 < len(name) <= LONGEST_NAME or name in [s.name for s in found]:
            raise InputError(f"Solution {number} of this file has no usable name of its own.")
        try:
            found.append(Solution(name, table_from_json(item), str(item.get("origin", ""))[:LONGEST_NAME]))
        except InputError as error:
            raise InputError(f"Solution {number} of this file cannot be used: {str(error).rstrip('.')}.") from None
    return found


# ---- in the sidebar ----------------------------------------------------------------------------------------------------


def sidebar():
    """The tray's own controls."""
    st.subheader("Solution tray")
    if not solutions():
        st.caption(
            "Empty. Every lab has an “Add to tray” button; what lies here can be compared on the Systems page and "
            "marked on the strips."
        )
    if "_tray_error" in st.session_state:
        st.error(plain(st.session_state.pop("_tray_error")))
    for position, solution in enumerate(solutions()):
        _line(position, solution)
    if solutions():
        items = solutions()  # now: a download is made later, outside of any session
        st.download_button(
            "Save the tray (JSON)",
            lambda: to_json(items),
            file_name="measure-lab-tray.json",
            mime="application/json",
            on_click="ignore",
            icon=":material/download:",
            key="tray.save",
        )
    with st.expander("Restore a tray"):
        file = st.file_uploader(
            "A tray saved before (JSON)", type="json", key=f"tray.file.{st.session_state.get('_tray_file', 0)}"
        )
        if file is not None:
            st.button("Replace the tray by this file", key="tray.restore", on_click=_restore, args=(file.getvalue(),))


def _line(position, solution):
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        k = f"tray.name.{position}.{solution.name}"
        st.text_input(
            f"Name of solution {position + 1}",
            solution.name,
            key=k,
            label_visibility="collapsed",
            max_chars=LONGEST_NAME,
            on_change=_rename,
            args=(solution.name, k),
        )
        for icon, verb, action in (
            ("arrow_upward", "Move up", lambda: move(solution.name, -1)),
            ("arrow_downward", "Move down", lambda: move(solution.name, 1)),
            ("delete", "Remove", lambda: remove(solution.name)),
        ):
            st.button(
                "",
                icon=f":material/{icon}:",
                key=f"tray.{icon}.{position}",
                help=f"{verb}: {plain(solution.name)}",
                type="tertiary",
                on_click=_try,
                args=(action,),
            )
    rows, columns = solution.table.shape
    st.caption(
        f"{rows} × {columns}, n = {solution.table.n:g}{' · ' + plain(solution.origin) if solution.origin else ''}"
    )


def _rename(old, key):
    _try(lambda: rename(old, st.session_state[key]))
    st.session_state[key] = old  # a name that was refused must not stay in the box


def _try(action):
    """Do it, and keep the sentence to show if it cannot be done."""
    try:
        action()
    except InputError as error:
        st.session_state["_tray_error"] = str(error)


def _restore(data):
    def replace_tray():
        st.session_state["_tray"] = from_json(data)
        st.session_state["_tray_file"] = st.session_state.get("_tray_file", 0) + 1  # an empty uploader again

    _try(replace_tray)


def add_button(table: Contingency | None, wish: str, origin: str, key: str):
    """“Add to tray”, with a name to confirm."""
    with st.popover("Add to tray", icon=":material/add:", disabled=table is None, key=f"{key}.popover"):
        wish = free_name(wish)  # also in the key: another wish is a new field, not one that still holds the old name
        name = st.text_input("Name", wish, max_chars=LONGEST_NAME, key=f"{key}.name.{len(solutions())}.{wish}")
        if st.button("Add", key=f"{key}.add", type="primary"):
            try:
                add(name, table, origin)
                st.session_state["_tray_added"] = name
                st.rerun()
            except InputError as error:
                st.error(plain(error))
        if "_tray_added" in st.session_state:
            st.caption(f"“{plain(st.session_state.pop('_tray_added'))}” is in the tray, in the sidebar.")
