"""The Reference page in a real browser: deep links, searching, trying it, formulas that typeset, and axe."""

import re

import pytest
from playwright.sync_api import expect

from evalcore import ESTIMATORS, MEASURES

FORMULAS = """
import streamlit as st
from evalcore import ESTIMATORS, MEASURES
for entry in (*MEASURES.values(), *ESTIMATORS.values()):
    st.latex(entry.formula)
st.write("all typeset")
"""


def index(page):
    return page.get_by_role("table", name="Measures, and their scores of the extreme cases")


def test_a_link_opens_its_entry_on_a_fresh_server(fresh_server, browser_page):
    page = browser_page
    page.goto(f"{fresh_server('app.py')}/reference?entry=CEAF_e")
    expect(page.get_by_role("heading", name="CEAF, entity form")).to_be_visible()
    row = index(page).get_by_role("row", name=re.compile("CEAF, entity form"))
    expect(row).to_have_attribute("aria-current", "true")
    expect(row).to_be_in_viewport()  # the list has scrolled to it
    expect(page.locator(".katex").first).to_be_visible()


def test_searching_choosing_and_trying(serve, browser_page):
    page = browser_page
    page.goto(f"{serve('app.py')}/reference")
    expect(page.get_by_role("heading", name="V-measure")).to_be_visible()
    search = page.get_by_label("Search")
    search.press_sequentially("meila", delay=80)
    search.press("Enter")
    expect(index(page).locator("tr.entry")).to_have_count(4)
    expect(page.get_by_role("heading", name="Variation of information")).to_be_visible()
    index(page).get_by_role("row", name=re.compile("VI over log N")).get_by_role("button").click()
    expect(page.get_by_role("heading", name="VI over log N")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="One-to-one accuracy")).to_be_visible()
    expect(page).to_have_url(re.compile(r"entry=one_to_one&find=meila"))
    page.get_by_role("button", name="Try it").click()
    expect(page).to_have_url(re.compile(r"/matrix"))
    expect(page.get_by_role("heading", level=1)).not_to_have_text(re.compile("judge the same six"))


def test_all_formulas_are_typeset(serve, browser_page, tmp_path):
    script = tmp_path / "formulas.py"
    script.write_text(FORMULAS)
    browser_page.goto(serve(script))
    expect(browser_page.get_by_text("all typeset")).to_be_visible()
    expect(browser_page.locator(".katex-display")).to_have_count(len(MEASURES) + len(ESTIMATORS))
    assert browser_page.locator(".katex-error, [mathcolor='#cc0000']").count() == 0


@pytest.mark.parametrize("width", [1440, 1024])
def test_nothing_hangs_over_the_edge(serve, new_page, width):
    page = new_page(viewport={"width": width, "height": 900})
    for entry in ("Gamma", "Shrinkage", "NVI"):
        page.goto(f"{serve('app.py')}/reference?entry={entry}")
        expect(page.locator(".katex").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        room = page.locator(".st-key-reference-entry").bounding_box()
        formula = page.locator(".st-key-reference-entry .katex-html").first.bounding_box()
        assert formula["x"] + formula["width"] <= room["x"] + room["width"] + 1, entry


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_stands_in_anyones_way(serve, new_page, axe, scheme):
    page = new_page(color_scheme=scheme)
    for link, seen in (
        ("entry=NVI", "Normalised variation of information"),
        ("entry=BUB", "Best upper bound"),
    ):
        page.goto(f"{serve('app.py')}/reference?{link}")
        expect(page.get_by_role("heading", name=seen)).to_be_visible()
        expect(page.locator(".katex").first).to_be_visible()
        assert [(rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in axe(page)] == []


def test_what_no_table_shows_is_tried_on_real_systems(serve, browser_page):
    browser_page.goto(serve() + "/reference?entry=SR")
    browser_page.get_by_role("button", name="Try it").click(timeout=30_000)
    expect(browser_page).to_have_url(re.compile(r"/systems\?recall=80%3A20%2C60%3A40$"), timeout=30_000)
