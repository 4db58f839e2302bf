"""The browser fixtures, and what .streamlit/config.toml promises to everyone who opens a page."""

import re

import pytest
from playwright.sync_api import expect

SAMPLE = """
import streamlit as st
st.set_page_config(page_title="Sample", layout="wide")
st.title("Title")
st.markdown("See [the reference](https://example.org) for `V`, :green[better] or :red[worse].")
st.caption("A caption")
st.slider("Sample size", 1, 9)
st.segmented_control("Estimator", ["ML", "BUB"], default="ML")
st.text_input("Name", placeholder="a name")
st.error("Line 3: not a number.")
st.warning("No support given.")
with st.sidebar:
    st.caption("A caption in the sidebar")
    st.markdown("[A link in the sidebar](https://example.org)")
    st.slider("Another", 1, 9)
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    path = tmp_path_factory.mktemp("sample") / "sample.py"
    path.write_text(SAMPLE)
    return path


@pytest.mark.parametrize(("scheme", "background"), [("light", "#ffffff"), ("dark", "#0e1319")])
def test_the_theme_follows_the_visitor_and_has_enough_contrast(serve, script, new_page, axe, scheme, background):
    page = new_page(color_scheme=scheme)
    page.goto(serve(script))
    expect(page.get_by_text("A caption in the sidebar")).to_be_visible()
    expect(page.get_by_text("No support given.")).to_be_visible()
    rgb = tuple(int(background[i : i + 2], 16) for i in (1, 3, 5))
    expect(page.locator(".stApp")).to_have_css("background-color", f"rgb{rgb}")
    assert [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in axe(page)] == []


def test_axe_reports_what_is_wrong(browser_page, axe):
    browser_page.set_content(
        "<html lang=en><title>t</title><main><h1>t</h1><img src=x><p style='color:#ccc'>pale</p></main>"
    )
    assert {"image-alt", "color-contrast"} <= {rule["id"] for rule in axe(browser_page)}


def test_an_exception_tells_visitors_nothing_of_the_code(fresh_server, tmp_path, browser_page):
    script = tmp_path / "broken.py"
    script.write_text("import streamlit as st\nst.write('before')\nraise KeyError('inner detail')\n")
    browser_page.goto(fresh_server(script))
    expect(browser_page.get_by_test_id("stException")).to_be_visible()
    shown = browser_page.locator("body").inner_text()
    assert "before" in shown
    assert not any(word in shown for word in ("inner detail", "KeyError", "broken.py"))


def test_servers_are_shared_or_fresh_as_asked(serve, fresh_server, script):
    assert serve(script) == serve(script)
    assert len({serve(script), fresh_server(script), fresh_server(script)}) == 3


def test_pages_share_no_state(serve, script, new_page):
    first, second = new_page(), new_page(viewport={"width": 1024, "height": 700})
    for page in (first, second):
        page.goto(serve(script))
    first.evaluate("localStorage.setItem('seen', 'yes')")
    assert first.evaluate("localStorage.getItem('seen')") == "yes"
    assert second.evaluate("localStorage.getItem('seen')") is None
    assert second.evaluate("[innerWidth, innerHeight]") == [1024, 700]


def test_one_step_back_leaves_a_page_that_another_one_opened(serve, browser_page):
    page, server = browser_page, serve("app.py")
    page.goto(server)
    page.get_by_role("link", name="Parametric").click()
    page.get_by_role("button", name="Open in Matrix lab").click(timeout=30_000)
    expect(page).to_have_url(re.compile(r"/matrix\?table="), timeout=30_000)
    page.go_back()
    expect(page).to_have_url(f"{server}/parametric")
    expect(page.get_by_role("button", name="Open in Matrix lab")).to_be_visible(timeout=30_000)
    page.go_forward()
    expect(page).to_have_url(re.compile(r"/matrix\?table="), timeout=30_000)
    expect(page.get_by_text("Each cluster, filled by class")).to_be_visible(
        timeout=30_000
    )  # a page that is seen is left
    page.go_back()
    expect(page).to_have_url(f"{server}/parametric")
    expect(page.get_by_role("button", name="Open in Matrix lab")).to_be_visible(timeout=30_000)
    page.go_back()
    expect(page).to_have_url(f"{server}/")


def test_one_step_back_from_another_page_finds_its_state(serve, browser_page):
    page, server = browser_page, serve("app.py")
    page.goto(server)
    page.evaluate("location.href = '/reference?entry=VI'")
    page.get_by_role("button", name="Try it").click(timeout=30_000)
    expect(page).to_have_url(f"{server}/matrix", timeout=30_000)
    page.go_back()
    expect(page).to_have_url(f"{server}/reference?entry=VI")
    expect(page.get_by_role("heading", name="Variation of information")).to_be_visible(timeout=30_000)
    page.go_back()
    expect(page).to_have_url(f"{server}/")


@pytest.mark.parametrize("query", ["?x=1", ""])
def test_the_order_in_which_page_and_fields_come_makes_no_further_step(serve, browser_page, query):
    """Streamlit writes the fields of the next page sometimes before and sometimes after it changes the page."""
    page = browser_page
    page.goto(serve("app.py"))
    expect(page.get_by_role("button", name="This one").first).to_be_visible(timeout=30_000)
    page.wait_for_function("window.measureLabArrivals")
    page.get_by_role("heading", name="Two clusterings").click()
    steps = page.evaluate(
        """query => {
          const before = history.length;
          history.pushState({}, "", location.pathname + query);
          const fields = history.length;
          history.pushState({}, "", "/matrix" + query);
          return [fields - before, history.length - before, location.pathname + location.search];
        }""",
        query,
    )
    assert steps == [1, 1, "/matrix" + query]


def test_nobody_else_is_asked_for_anything(serve, browser_page):
    """Not even for the icon of the browser's tab."""
    asked = []
    browser_page.on("request", lambda request: asked.append(request.url))
    for path in ("/", "/matrix"):
        browser_page.goto(serve("app.py") + path)
        expect(browser_page.get_by_test_id("stPlotlyChart").first).to_be_visible(timeout=30_000)
        browser_page.wait_for_load_state("networkidle")
    own = (serve("app.py"), serve("app.py").replace("http", "ws", 1), "data:", "blob:")
    assert [url for url in asked if not url.startswith(own)] == []


def test_an_address_that_is_completed_is_no_step(serve, browser_page):
    """`seed=07` is shown as `seed=7`: nobody took that step, so Back passes it."""
    page, server = browser_page, serve("app.py")
    page.goto(server)
    page.evaluate("location.href = '/words?seed=07'")
    expect(page).to_have_url(f"{server}/words?seed=7", timeout=30_000)
    page.get_by_label("Seed").fill("8")
    page.get_by_label("Seed").press("Enter")
    expect(page).to_have_url(f"{server}/words?seed=8", timeout=30_000)
    page.go_back()
    expect(page).to_have_url(f"{server}/words?seed=7")
    expect(page.get_by_label("Seed")).to_have_value("7", timeout=30_000)
    page.go_back()
    expect(page).to_have_url(f"{server}/", timeout=30_000)
