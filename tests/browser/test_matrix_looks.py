"""Start and the Matrix lab as they look: to everyone, on a small screen, on the first screen, and as files."""

import csv
import re
import struct

import pytest
from playwright.sync_api import expect

from tests.browser.matrix_lab import MatrixLab, settle, violations

# every part of the pages in the light, and all colours in the dark
SEEN = [("light", path) for path in ("/", "/?answer=R", "/matrix", "/matrix?panel=split+and+merge")]
SEEN += [("dark", "/?answer=R"), ("dark", "/matrix?all=True&panel=what+if")]


@pytest.fixture
def lab(browser_page, serve) -> MatrixLab:
    return MatrixLab(browser_page, serve() + "/matrix")


@pytest.mark.parametrize(("scheme", "path"), SEEN)
def test_everyone_can_use_it(serve, new_page, axe, scheme, path):
    page = new_page(color_scheme=scheme)
    page.goto(serve() + path)
    expect(page.get_by_test_id("stPlotlyChart").first).to_be_visible(timeout=30_000)
    settle(page)
    assert violations(axe, page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everyone_can_use_the_popovers_and_the_sidebar(serve, new_page, axe, scheme):
    lab = MatrixLab(new_page(color_scheme=scheme), serve() + "/matrix")
    page = lab.page
    for name in ("Link", "Python", "Import", "Export", "Add to tray"):
        page.get_by_role("button", name=name).first.click()
        expect(page.get_by_test_id("stPopoverBody")).to_be_visible()
        settle(page)
        assert violations(axe, page) == [], name
        if name != "Add to tray":
            lab.press("Escape")
            expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("“Matrix solution” is in the tray, in the sidebar.")).to_be_visible()
    lab.press("Escape")
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(page.get_by_label("Name of solution 1")).to_have_value("Matrix solution")
    settle(page)
    assert violations(axe, page) == []
    with page.expect_download() as tray:
        page.get_by_role("button", name="Save the tray").click()
    assert '"name": "Matrix solution"' in tray.value.path().read_text()


def test_nothing_overflows_at_1024(serve, new_page):
    page = new_page(viewport={"width": 1024, "height": 768})
    for path in ("/?answer=R", "/matrix", "/matrix?all=True"):
        page.goto(serve() + path)
        expect(page.locator(".strip").last).to_be_visible(timeout=30_000)
        settle(page)
        for part in (page.locator("html"), page.get_by_test_id("stMain")):
            assert part.evaluate("part => part.scrollWidth <= part.clientWidth"), path
        if "matrix" in path:  # ten clusters are seen without scrolling
            scroller = page.locator(".scroll").first
            assert scroller.evaluate("part => part.scrollWidth <= part.clientWidth"), path


def test_the_first_screen_tells_the_story(lab):
    """At 1440 x 900 without scrolling: the grid, all strips, the mosaic, the entropies, and what else there is to look at."""
    page = lab.page
    for thing in (
        lab.cell(9, 9),
        page.locator(".strip").last,
        page.get_by_test_id("stPlotlyChart").first,
        page.get_by_test_id("stDataFrame").first,
        page.get_by_text("Find a disagreement"),
    ):
        box = thing.bounding_box()
        assert box["y"] + box["height"] <= 900


def test_the_start_page_fits_on_one_screen_with_its_answer(serve, new_page):
    page = new_page()
    page.goto(serve() + "/?answer=R")
    expect(page.locator(".strip").last).to_be_visible(timeout=30_000)
    for thing in (page.locator(".strip").last, page.get_by_role("link", name="Every formula")):
        box = thing.bounding_box()
        assert box["y"] + box["height"] <= 900


def test_downloads(lab):
    page = lab.page
    with page.expect_download() as png:
        page.get_by_role("button", name="PNG", exact=True).click()
    data = png.value.path().read_bytes()
    assert png.value.suggested_filename == "measure-strips.png"
    assert data.startswith(b"\x89PNG") and struct.unpack(">II", data[16:24]) == (2280, 3 * (46 + 7 * 40 + 14))
    with page.expect_download() as strips:
        page.get_by_role("button", name="CSV", exact=True).click()
    rows = list(csv.DictReader(strips.value.path().read_text().splitlines()))
    assert {"measure": "V", "solution": "perfect", "value": "1"} in rows
    assert len(rows) == 7 * 5
    with page.expect_download() as mosaic:
        page.locator(".st-key-matrix-mosaic-figure-csv button").first.click()
    assert mosaic.value.suggested_filename == "mosaic.csv"
    assert mosaic.value.path().read_text().splitlines()[:2] == ["class,cluster,count", "c1,k1,7"]
    page.get_by_role("button", name="Export").first.click()
    with page.expect_download() as matrix:
        page.get_by_role("button", name="Matrix (CSV)").click()
    assert matrix.value.path().read_text().splitlines()[1] == "c1,7,1,1,1,0,0,0,0,0,0"
    with page.expect_download() as scores:
        page.get_by_role("button", name="Scores (CSV)").click()
    assert re.search(r"^NVI,BUB,", scores.value.path().read_text(), re.M)
    lab.press("Escape")
    with page.expect_download() as chart:
        page.get_by_test_id("stPlotlyChart").first.hover()
        page.locator("[data-title*='Download plot']").first.click()
    assert chart.value.suggested_filename == "mosaic.png"
    assert chart.value.path().read_bytes().startswith(b"\x89PNG")
