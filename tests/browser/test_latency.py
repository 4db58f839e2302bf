"""How long from an edit to its scores, against a bare Streamlit page with one chart; and what the page's script takes."""

import statistics
import time

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from evalcore import Contingency
from tests.browser.conftest import ROOT

pytestmark = pytest.mark.timing
EDITS, RATIO = 30, 1.5
BODY = {
    "shares": 0.020,
    "what if": 0.040,
    "split and merge": 0.040,
}  # seconds; the latter two score some 300 other tables
ATTEMPTS = 3  # a shared machine stalls now and then: what is too slow every time is too slow

# From the key that commits an edit until the text that shows the score is another one, seen every millisecond.
WATCH = """
() => {
  const deep = (root, selector) => {
    const found = root.querySelector(selector);
    if (found) return found;
    for (const node of root.querySelectorAll("*")) {
      const inner = node.shadowRoot && deep(node.shadowRoot, selector);
      if (inner) return inner;
    }
  };
  window.watchScore = (selector) => {
    window.took = null;
    const read = () => deep(document, selector)?.textContent;
    const before = read();
    const watch = (event) => {
      if (event.key !== "Enter") return;
      removeEventListener("keydown", watch, { capture: true });
      const start = performance.now();
      const look = () => {
        const now = read();
        if (now !== undefined && now !== before) window.took = performance.now() - start;
        else setTimeout(look, 1);
      };
      look();
    };
    addEventListener("keydown", watch, { capture: true });
  };
}
"""


class Lab:
    """A cell of the Matrix lab is edited, its strips are watched."""

    selector = ".strips ul"

    def __init__(self, page: Page, url: str):
        self.page = page
        page.goto(f"{url}/matrix")
        expect(page.locator(".strip").first).to_be_visible(timeout=30_000)
        page.evaluate(WATCH)

    def enter(self, number: int) -> None:
        self.page.locator(f".cell[data-r='{number % 10}'][data-c='{number * 3 % 10}']").click()
        self.page.keyboard.type(str(10 + number), delay=10)


class Bare:
    """A number of the bare page is edited, its text is watched."""

    selector = "[data-testid=stText]"

    def __init__(self, page: Page, url: str):
        self.page = page
        page.goto(url)
        expect(page.get_by_test_id("stPlotlyChart")).to_be_visible(timeout=30_000)
        page.evaluate(WATCH)

    def enter(self, number: int) -> None:
        self.page.get_by_label("Count").click()
        self.page.get_by_label("Count").fill(str(100 + number))


def edit(visitor, number: int) -> float:
    """Milliseconds from Enter to the score."""
    page = visitor.page
    page.bring_to_front()
    visitor.enter(number)
    page.evaluate("selector => watchScore(selector)", visitor.selector)
    page.keyboard.press("Enter")
    page.wait_for_function("window.took !== null")
    took = page.evaluate("window.took")
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    page.wait_for_timeout(250)  # the rest of the page is drawn before the next edit
    return took


def p95(times: list[float]) -> float:
    return float(np.quantile(times, 0.95))


def test_edit_to_score(serve, new_page, record_property):
    lab, bare = Lab(new_page(), serve()), Bare(new_page(), serve("tests/browser/bare_page.py"))
    for number in range(5):  # the first ones load scripts and fill caches
        edit(lab, 50 + number)
        edit(bare, 50 + number)
    said = []
    for attempt in range(ATTEMPTS):
        ours, theirs = [], []
        for number in range(EDITS):  # by turns, so that both meet the same weather
            ours.append(edit(lab, 100 * attempt + number))
            theirs.append(edit(bare, 100 * attempt + number))
        ratio = p95(ours) / p95(theirs)
        said.append(
            f"p95 {p95(ours):.0f} ms to {p95(theirs):.0f} ms, median {statistics.median(ours):.0f} to {statistics.median(theirs):.0f}"
        )
        record_property("edit_to_score", said[-1])
        print(said[-1])
        if ratio <= RATIO:
            return
    pytest.fail(f"more than {RATIO} times a bare page: " + "; ".join(said))


BODY_SCRIPT = """
import time
from tests.browser.test_latency import PAGE, TOOK
start = time.thread_time()
exec(PAGE, {"__name__": "__main__", "__file__": PAGE.co_filename})
TOOK.append(time.thread_time() - start)
"""
PAGE = compile((ROOT / "pages" / "matrix.py").read_text("utf-8"), str(ROOT / "pages" / "matrix.py"), "exec")
TOOK: list[float] = []


@pytest.mark.parametrize("panel", BODY)
def test_the_body_of_the_page(panel, record_property):
    """One edit of a 10 x 10 table, in processor time: other programs on the machine do not count."""
    rng = np.random.default_rng(1)
    app = AppTest.from_string(BODY_SCRIPT, default_timeout=60)
    app.query_params["panel"] = panel
    app.run()
    assert not app.exception and not app.error
    for _ in range(ATTEMPTS):
        TOOK.clear()
        for _ in range(30):
            counts = app.session_state["matrix.table"].counts.copy()
            counts[rng.integers(10), rng.integers(10)] = rng.integers(1, 30)
            app.session_state["matrix.table"] = Contingency.from_matrix(counts)
            app.run()
            time.sleep(0.01)
        said = f"{panel}: median {1000 * statistics.median(TOOK):.1f} ms, p95 {1000 * p95(TOOK):.1f} ms"
        print(said)
        record_property("body", said)
        if statistics.median(TOOK) <= BODY[panel]:
            return
    pytest.fail(said)
