"""Long work: one place that shows progress, lets people cancel, remembers results and keeps a server from drowning.

A page describes the work by a key (all that the result depends on) and a function of a progress callback. The function runs only
when asked for, at most TOGETHER at once on the server; Streamlit stops a script at any st call, so every progress report is
also the place where cancelling takes hold.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

import streamlit as st

from .style import plain

TOGETHER = 2  # heavy runs at once on one server
KEPT = 64  # results remembered, for all visitors


class _Results:
    """Finished results, newest last, shared by all sessions: the same link shows the same figure without computing again."""

    def __init__(self):
        self._lock, self._results = threading.Lock(), OrderedDict()

    def get(self, key):
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
                return self._results[key]
        return None

    def put(self, key, value):
        with self._lock:
            self._results[key] = value
            while len(self._results) > KEPT:
                self._results.popitem(last=False)


@st.cache_resource
def _results() -> _Results:
    return _Results()


@st.cache_resource
def _places() -> threading.BoundedSemaphore:
    return threading.BoundedSemaphore(TOGETHER)


def run(name: str, key: Hashable, compute: Callable, *, label: str = "Run", what: str = "", auto: bool = False):
    """The result of compute(progress), or None while it has not been computed.

    Parameters
    ----------
    name : of this work on its page, unique
    key : everything that the result depends on, seed included
    compute : function of progress(done, total, what); it must not call st itself
    label : of the button that starts it
    what : one sentence on what will be done and how long it takes, shown beside the button
    auto : start without being asked (once for each key; a cancelled one waits to be asked)
    """
    full = (name, key)
    done = _results().get(full)
    if done is not None:
        return done[0]
    asked = f"_asked.{name}"  # the key last dealt with, and what became of it: run, cancelled or failed
    about, became = st.session_state.get(asked, (None, ""))
    became = became if about == key else ""
    if became != "run" and (became or not auto):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                label,
                key=f"run.{name}",
                type="primary",
                icon=":material/play_arrow:",
                on_click=st.session_state.__setitem__,
                args=(asked, (key, "run")),
            )
            if said := "Cancelled. Nothing was changed." if became == "cancelled" else what:
                st.markdown(said)
        return None
    place = st.empty()
    with place.container():
        bar = st.progress(0.0, text="Starting …")
        st.button(
            "Cancel",
            key=f"cancel.{name}",
            icon=":material/close:",
            on_click=st.session_state.__setitem__,
            args=(asked, (key, "cancelled")),
        )
    try:
        with _turn(bar):
            done = _results().get(full)  # another visitor may have waited for the same
            value = done[0] if done is not None else compute(_reporter(bar))
    except Exception:  # a rerun or a stop by Streamlit is none
        st.session_state[asked] = (key, "failed")  # or it would fail again at every click elsewhere
        place.empty()
        raise
    _results().put(full, (value,))
    place.empty()
    return value


class _turn:
    """Wait for one of the server's places for heavy work, telling the visitor, and give it back whatever happens."""

    def __init__(self, bar):
        self._bar = bar

    def __enter__(self):
        while not _places().acquire(timeout=0.3):
            self._bar.progress(0.0, text="Waiting: other long runs on this server are being finished first …")

    def __exit__(self, *_):
        _places().release()


def _reporter(bar):
    """progress(done, total, what), drawn at most ten times a second, with the time left."""
    start, last = time.monotonic(), [0.0]

    def progress(done, total, what=""):
        now = time.monotonic()
        if now - last[0] < 0.1 and done < total:
            return
        last[0] = now
        share = min(max(done / total, 0.0), 1.0) if total else 0.0
        left = (now - start) / share * (1 - share) if share > 0.02 else None
        remaining = "" if left is None or share >= 1 else f" · about {_duration(left)} left"
        bar.progress(share, text=plain(what or "Working") + remaining)

    return progress


def _duration(seconds: float) -> str:
    return f"{round(seconds / 60)} min" if seconds > 90 else f"{max(1, round(seconds))} s"
