"""What every page stands in: its state opened and closed, its header with link and code, settings and tray in the sidebar, and no
traceback for anybody."""

import json
import logging
import math
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from evalcore import ESTIMATORS, MEASURES, InputError

from . import state, tray
from .state import LONGEST_LINK, Field, PageState
from .style import DEFAULT_ESTIMATORS, DEFAULT_MEASURES, plain

LOG = logging.getLogger("measure_lab")
BASES = {"nats": math.e, "bits": 2.0, "bans": 10.0}
SHOWABLE = [m.name for m in MEASURES.values() if m.needs != "split"]
SETTINGS = (
    state.choice("base", tuple(BASES), "nats"),
    state.choices("measures", SHOWABLE, DEFAULT_MEASURES),
    state.choices("estimators", tuple(ESTIMATORS), DEFAULT_ESTIMATORS),
)
PAGES = {
    "start": "pages/start.py",
    "matrix": "pages/matrix.py",
    "parametric": "pages/parametric.py",
    "sampling": "pages/sampling.py",
    "systems": "pages/systems.py",
    "words": "pages/words.py",
    "clusters": "pages/number_of_clusters.py",
    "reference": "pages/reference.py",
}

# Streamlit writes white on the primary colour, which is light in the dark theme: black or white, whichever the text around is not.
# (light-dark() would not do: popovers lie outside of the element that has the theme's colour scheme.)
# A figure's data button moves up beside its axis title. A script takes no room, nor the gap around it.
# Streamlit's colours of code are too pale to be read by all; halfway to the colour of the text they are not.
LOOK = """<style>
.stElementContainer:has(> .stHtml > script:only-child) {display: none}
.stCode .token {color: color-mix(in oklab, var(--hue, #808495) 55%, currentcolor) !important}
.stCode .keyword {--hue: #1c83e1} .stCode .number {--hue: #29b09d}
.stCode .string {--hue: #09ab3b} .stCode .operator {--hue: #ed6f13}
[data-testid=stBaseButton-primary], [data-tag] {color: oklch(from currentcolor calc((0.6 - l) * 1000) 0 0)}
[data-testid=stBaseButton-primary] p {color: inherit}
[class*="st-key-"][class*="-figure-csv"] {margin-top: -2.4rem; position: relative; z-index: 1; width: fit-content}
[class*="st-key-"][class*="-figure-csv"] button {font-size: .8rem; padding: 0 .3rem; min-height: 1.6rem}
[class*="st-key-"][class*="-figure-csv"] button p {font-size: .8rem}
</style>"""

# Streamlit makes a history entry whenever a script writes the address. Those that people cause by doing something are steps that Back
# takes back; but an address completed on arrival is no step, and going back to it would only complete it again. Nor is the address of
# the page that is left with the fields of the next one, which Streamlit passes through where the fields come before the page.
ARRIVALS = """<script>
if (!window.measureLabArrivals) {
  window.measureLabArrivals = true;
  let hasActed = false, hasJustPushed = false;
  for (const kind of ["keydown", "pointerdown", "wheel", "input", "paste", "drop"])
    addEventListener(kind, () => { hasActed = true; hasJustPushed = false; }, { capture: true, passive: true });
  addEventListener("popstate", () => { hasActed = hasJustPushed = false; }, { capture: true });
  const push = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    const to = new URL(url, location.href);
    const isHere = to.pathname === location.pathname;
    const isPassedThrough = !isHere && hasJustPushed && to.search === location.search;
    if (isHere && !hasActed || isPassedThrough) history.replaceState(state, title, url);
    else push(state, title, url);
    hasJustPushed = isHere && hasActed;
    if (!isHere) hasActed = false;
  };
}
</script>"""


class Page:
    """What a page gets: `page["field"]`, `page.key("field")`, the settings, and `page.code` to say how to compute it in Python."""

    def __init__(self, own: PageState, settings: PageState):
        self.state, self._settings = own, settings
        self._code: Callable[[], str] | None = None

    def __getitem__(self, name):
        return self.state[name]

    def __setitem__(self, name, value):
        self.state[name] = value

    def key(self, name: str) -> str:
        """The widget key of a field: st.slider(..., key=page.key("eps1")), without a value of its own."""
        return self.state.key(name)

    @property
    def base(self) -> float:
        return BASES[self._settings["base"]]

    @property
    def unit(self) -> str:
        return self._settings["base"]

    @property
    def measures(self) -> list[str]:
        """The measures the visitor wants to see, in the registry's order."""
        return [name for name in SHOWABLE if name in self._settings["measures"]] or list(DEFAULT_MEASURES)

    @property
    def estimators(self) -> list[str]:
        return [name for name in ESTIMATORS if name in self._settings["estimators"]] or ["ML"]

    def estimator_pills(self, width: str = "content"):
        """The setting “Estimators shown” once more, where a page's picture is about them."""
        key = f"{self.state.page}._estimators"
        st.session_state[key] = self.estimators

        def take():
            st.session_state[self._settings.key("estimators")] = st.session_state[key]

        st.pills(
            "Estimators",
            list(ESTIMATORS),
            selection_mode="multi",
            key=key,
            on_change=take,
            label_visibility="collapsed",
            width=width,
            help="  \n".join(f"**{name}**: {e.label}. {e.summary}" for name, e in ESTIMATORS.items()),
        )

    def code(self, snippet: Callable[[], str]):
        """Say what “Python” in the header shows: a function, so that it is only written when it is looked at."""
        self._code = snippet


@contextmanager
def page(name: str, fields: Sequence[Field], title: str, intro: str = ""):
    """Run a page's body between opening and closing its state; whatever goes wrong becomes one sentence."""
    leave_folder_mode()
    own, settings = PageState(name, fields), PageState("settings", SETTINGS)
    if both := own.fields.keys() & settings.fields.keys():
        raise ValueError(f"page {name} and the settings both declare {', '.join(both)}")
    link, is_new, arrived = _link_of(name)
    own.open(link, is_new, arrived)
    settings.open(link, is_new, arrived)
    st.html(LOOK)
    st.html(ARRIVALS, unsafe_allow_javascript=True)
    this = Page(own, settings)
    with st.container(horizontal=True, vertical_alignment="center", key="page-head"):
        st.title(title, anchor=False, width="stretch")
        head = st.container(horizontal=True, width="content", horizontal_alignment="right")
    if intro:
        st.markdown(intro)
    for note in own.notes + settings.notes:
        st.warning(plain(note), icon=":material/link_off:")
    with guarded(name):
        yield this
    with st.sidebar:  # after the page, which people wait for
        _settings_controls(settings)
        tray.sidebar()
    written = own.close() | settings.close()
    _write_link(own, written)
    with head:
        _share(own, settings, written)
        _python(this)


@contextmanager
def guarded(name: str):
    """Whatever goes wrong inside becomes one sentence; a fragment of a page needs it too, for it is also run without the page."""
    try:
        yield
    except InputError as error:
        st.error(plain(error))
    except Exception:
        LOG.exception("page %s failed", name)
        st.error(
            "Something went wrong here, on our side; it has been noted. Change an input or reload the page: your link "
            "keeps what you entered."
        )


def _link_of(name):
    """The address's fields; whether they are news (a link that was opened, or a step back in the browser); whether we come from elsewhere.

    An address without fields is the page's first state if the visitor was on it already; someone who comes from another page finds
    it as it was left.
    """
    link, seen = dict(st.query_params), st.session_state.get("_link")
    was_here = st.session_state.get("_page") == name
    st.session_state["_page"] = name
    return link, link != seen and (bool(link) or was_here), not was_here


def leave_folder_mode():
    """Run app.py after all, where a server's very first visitor came straight to a page.

    Until st.navigation has been called once, Streamlit takes a pages/ folder for an app of its old kind: it runs the page's file alone,
    or, where no file has the name in the address, app.py under a box that says “Page not found”.
    """
    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()


def _write_link(own, written):
    own.too_large = len(urlencode(written)) > LONGEST_LINK
    link = {} if own.too_large else written
    if link != dict(st.query_params):
        st.query_params.from_dict(link)
    st.session_state["_link"] = link


def _settings_controls(settings):
    st.subheader("Settings")
    st.segmented_control(
        "Unit of information",
        list(BASES),
        key=settings.key("base"),
        required=True,
        help="The base of the logarithm: e (nats), 2 (bits) or 10 (bans). V, h, c and NVI do not depend on it.",
    )
    st.multiselect(
        "Measures shown",
        SHOWABLE,
        key=settings.key("measures"),
        format_func=lambda n: f"{MEASURES[n].symbol} · {MEASURES[n].title}",
    )
    st.multiselect(
        "Estimators shown",
        list(ESTIMATORS),
        key=settings.key("estimators"),
        format_func=lambda n: f"{n} · {ESTIMATORS[n].label}",
    )


def _share(own, settings, written):
    label, icon = ("Too large for a link", "link_off") if own.too_large else ("Link", "link")
    with st.popover(label, icon=f":material/{icon}:", key="share"):
        if own.too_large:
            st.markdown(
                f"This page holds too much for a link (over {LONGEST_LINK:,} characters), and reloading it would lose that. Save it as "
                "a file instead, and open the file here again."
            )
        else:
            st.markdown(
                "The address holds all that you have set on this page, but neither uploaded files nor the tray. Copy it:"
            )
            st.code(_address(), language=None, wrap_lines=True)
        st.download_button(
            "Save this page (JSON)",
            lambda: json.dumps({"measure_lab_page": own.page, "state": written}, indent=1),
            file_name=f"measure-lab-{own.page}.json",
            mime="application/json",
            key=f"{own.page}._save",
            on_click="ignore",
            icon=":material/download:",
        )
        file = st.file_uploader("Open a saved page", type="json", key=f"{own.page}._file")
        if file is not None:
            st.button(
                "Show what the file holds",
                key=f"{own.page}._open",
                on_click=_open_file,
                args=(own, settings, file.getvalue()),
            )
        if "_file_error" in st.session_state:
            st.error(plain(st.session_state.pop("_file_error")))


def _address():
    base = (st.context.url or "").split("?")[0]
    link = st.session_state.get("_link", {})
    return base + ("?" + urlencode(link) if link else "")


def _open_file(own, settings, data):
    try:
        content = json.loads(data)
        values = content["state"] if content["measure_lab_page"] == own.page else None
        if not isinstance(values, dict) or not all(isinstance(v, str) for v in values.values()):
            raise TypeError
    except (ValueError, KeyError, TypeError, RecursionError):
        st.session_state["_file_error"] = "This file was not saved from this page."
        return
    own.load(values)
    settings.load(values)
    if own.notes or settings.notes:
        st.session_state["_file_error"] = " ".join(own.notes + settings.notes).replace("The link's", "The file's")


def _python(this):
    with st.popover(
        "Python", icon=":material/code:", key="python", disabled=this._code is None, on_change="rerun"
    ) as popover:
        if this._code is not None and popover.open:
            st.markdown("Run this with evalcore installed (`pip install .`) and get the same numbers:")
            st.code(this._code(), language="python", wrap_lines=True)


def open_in(target: str, **fields):
    """Go to another page with these fields set there, as from “Open in Matrix lab”."""
    for name, value in fields.items():
        st.session_state[state.key(target, name)] = value
        st.session_state.setdefault("_kept", {}).setdefault(target, {})[name] = value
    # Streamlit empties the address before it leaves, which would be one more step to take back; the next page writes its own.
    link = st.query_params.to_dict()
    st.session_state["_link"] = link
    st.switch_page(PAGES[target], query_params=link)
