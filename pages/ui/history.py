"""Undo and redo: a list of what a page's table has been."""

import streamlit as st

from evalcore import Contingency

LONGEST = 200


class History:
    """Versions of a value, with what led to each; `version` rises with every step, so that a grid knows to redraw.

    >>> h = History("start")
    >>> h.do("one", "first edit"); h.do("two", "second edit"); h.undo(); h.now
    'one'
    >>> h.redo(); h.now, h.can_redo, h.label
    ('two', False, 'second edit')
    """

    def __init__(self, start):
        self._steps, self._at, self.version = [(start, "")], 0, 0

    @property
    def now(self):
        return self._steps[self._at][0]

    @property
    def label(self) -> str:
        """What led to the present value."""
        return self._steps[self._at][1]

    @property
    def label_ahead(self) -> str:
        """What redo would do again."""
        return self._steps[self._at + 1][1] if self.can_redo else ""

    @property
    def before(self):
        """The value one step back, or None."""
        return self._steps[self._at - 1][0] if self._at else None

    @property
    def can_undo(self) -> bool:
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        return self._at < len(self._steps) - 1

    def do(self, value, label: str, silently: bool = False):
        """A new value; what was undone is forgotten. `silently` keeps `version`, for a grid that shows the edit already."""
        self._steps = self._steps[max(0, self._at + 2 - LONGEST) : self._at + 1] + [(value, label)]
        self._at = len(self._steps) - 1
        self.version += not silently

    def undo(self):
        if self.can_undo:
            self._at -= 1
            self.version += 1

    def redo(self):
        if self.can_redo:
            self._at += 1
            self.version += 1


def history(name: str, start: Contingency) -> History:
    """This visitor's history of that name."""
    return st.session_state.setdefault(f"_history.{name}", History(start))
