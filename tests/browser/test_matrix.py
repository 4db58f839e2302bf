"""The Matrix lab in a real browser: editing, undoing, links, other pages and back; how it looks to everyone."""

import csv
import re
import struct

import pytest
from playwright.sync_api import expect

from evalcore import Contingency, published
from pages.ui.state import pack, table_to_json
from tests.browser.matrix_lab import MatrixLab, violations

R = published.solution_r()
TABLE = Contingency.from_matrix([[5, 1, 0], [1, 4, 2]], ["cats & dogs", "<b>birds</b>"], ["*x*", "y", "z"])
LINK = f"/matrix?table={pack(table_to_json(TABLE))}"


@pytest.fixture
def lab(browser_page, serve) -> MatrixLab:
    return MatrixLab(browser_page, serve() + "/matrix")


def edited(*cells) -> Contingency:
    counts = R.counts.copy()
    for row, column, value in cells:
        counts[row, column] = value
    return Contingency.from_matrix(counts)


# --- editing


def test_typing_pasting_nonsense_and_undoing(lab):
    lab.shows(R)
    lab.type(0, 0, "3")
    lab.shows(edited((0, 0, 3)))
    expect(lab.page.locator(".strip[data-measure=V] .change")).to_have_text("−0.010")
    lab.cell(8, 3).click()
    lab.paste("4\t5\n6\t0\n")
    pasted = edited((0, 0, 3), (8, 3, 4), (8, 4, 5), (9, 3, 6), (9, 4, 0))
    lab.shows(pasted)
    lab.type(0, 1, "abc")
    expect(lab.alert).to_contain_text("“abc” is not a number")
    lab.press("Escape")
    lab.shows(pasted)
    lab.press("Control+z")
    lab.shows(edited((0, 0, 3)))
    lab.press("Control+z")
    lab.shows(R)
    lab.press("Control+Shift+Z", "Control+y")
    lab.shows(pasted)


def test_dragging_an_element(lab):
    lab.drag(lab.cell(0, 0), lab.cell(0, 9))
    lab.shows(R.move(("c1", "k1"), ("c1", "k10")))


def test_an_edit_that_leaves_nothing_is_refused(new_page, serve):
    one = Contingency.from_matrix([[1, 0], [0, 0]])
    lab = MatrixLab(new_page(), f"{serve()}/matrix?table={pack(table_to_json(one))}")
    lab.type(0, 0, "0")
    expect(lab.page.get_by_text("All cells are zero: there are no items to score.")).to_be_visible()
    lab.shows(one)


def test_undo_keys_belong_to_the_page_but_not_to_text_inputs(lab):
    page = lab.page
    lab.type(0, 0, "3")
    lab.shows(edited((0, 0, 3)))
    lab.type(1, 1, "2")
    both = edited((0, 0, 3), (1, 1, 2))
    lab.shows(both)
    # in a text input the key is the input's
    page.get_by_role("button", name="Add to tray").click()
    box = page.get_by_role("textbox", name="Name", exact=True)
    box.click()
    page.keyboard.type("x")
    lab.press("Control+z")
    expect(box).to_have_value("Matrix solution")
    lab.shows(both)
    lab.press("Escape")
    # in a cell that is being edited, too
    lab.cell(5, 5).click()
    page.keyboard.type("9")
    lab.press("Control+z", "Escape")
    lab.shows(both)
    # elsewhere it is the table's, and one key is one step
    page.get_by_role("heading", name="Matrix lab").click()
    lab.press("Control+z")
    lab.shows(edited((0, 0, 3)))
    lab.press("Control+z")
    lab.shows(R)
    lab.press("Control+Shift+Z")
    lab.shows(edited((0, 0, 3)))
    page.get_by_role("button", name="Undo").first.click()
    lab.shows(R)


# --- links


def test_reloading_keeps_everything(lab):
    lab.type(0, 0, "3")
    lab.shows(edited((0, 0, 3)))
    lab.wait_for_address(r"\?.*table=")
    lab.page.get_by_text("What if", exact=True).click()
    lab.wait_for_address("panel=what")
    lab.page.reload()
    lab.shows(edited((0, 0, 3)))
    expect(lab.page.get_by_text("Move one element of")).to_be_visible()


def test_a_copied_link_shows_the_same_to_others(lab, new_page):
    lab.page.goto(lab.page.url.split("/matrix")[0] + LINK)
    lab.shows(TABLE)
    lab.page.get_by_role("button", name="Pin").first.click()
    lab.wait_for_address("pin=")
    lab.page.get_by_role("button", name="Link").first.click()
    copied = lab.page.get_by_test_id("stCode").inner_text().strip()
    assert copied == lab.page.url
    other = MatrixLab(new_page(), copied)
    other.shows(TABLE)
    expect(other.page.get_by_text("cats & dogs").first).to_be_visible()
    expect(other.page.get_by_text("<b>birds</b>").first).to_be_visible()
    expect(other.page.get_by_role("button", name="Unpin").first).to_be_visible()


@pytest.mark.parametrize("path", [LINK, "/matrix"])
def test_a_link_is_the_first_thing_a_fresh_server_sees(fresh_server, new_page, path):
    lab = MatrixLab(new_page(), fresh_server() + path)
    lab.shows(TABLE if "table" in path else R)
    expect(lab.page).to_have_title("Matrix · Measure Lab")
    expect(lab.page.get_by_role("link", name="Start")).to_be_visible()  # the app's own navigation
    # and goes on from there
    lab.page.reload()
    lab.shows(TABLE if "table" in path else R)


def test_a_garbled_link_gives_a_note(new_page, serve):
    lab = MatrixLab(new_page(), f"{serve()}{LINK[:-9]}&estimator=XX")
    lab.shows(R)
    expect(lab.page.get_by_text("The link's “table” was not used: it is cut off or garbled.")).to_be_visible()
    expect(lab.page.get_by_text("The link's “estimator” was not used: “XX” is not one of ML")).to_be_visible()


def test_other_pages_and_back(lab):
    page = lab.page
    lab.type(0, 0, "3")
    lab.shows(edited((0, 0, 3)))
    page.get_by_role("link", name="Start").click()
    expect(page.get_by_role("heading", name="Two clusterings")).to_be_visible()
    page.get_by_role("link", name="Edit a table").click()
    lab.shows(edited((0, 0, 3)))
    lab.wait_for_address(r"/matrix\?.*table=")
    lab.press("Control+z")
    lab.shows(R)


def test_the_browsers_back_button_steps_back(lab):
    page = lab.page
    lab.type(0, 0, "3")
    lab.shows(edited((0, 0, 3)))
    first = lab.wait_for_address("table=")
    lab.type(0, 0, "4")
    lab.shows(edited((0, 0, 4)))
    page.wait_for_url(lambda url: url != first)
    page.go_back()
    lab.shows(edited((0, 0, 3)))
    page.go_back()
    lab.shows(R)
    page.go_forward()
    lab.shows(edited((0, 0, 3)))


def test_back_from_another_page(lab):
    page = lab.page
    lab.type(0, 0, "3")
    lab.shows(edited((0, 0, 3)))
    lab.wait_for_address("table=")
    page.get_by_role("link", name="Start").click()
    expect(page.get_by_role("heading", name="Two clusterings")).to_be_visible()
    page.go_back()
    lab.shows(edited((0, 0, 3)))


# --- looks and downloads


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/?answer=R", "/matrix", "/matrix?all=True&panel=what+if", "/matrix?panel=split+and+merge"])
def test_everyone_can_use_it(serve, new_page, axe, scheme, path):
    page = new_page(color_scheme=scheme)
    page.goto(serve() + path)
    expect(page.get_by_test_id("stPlotlyChart").first).to_be_visible(timeout=30_000)
    if path != "/":
        expect(page.locator(".strip").first).to_be_visible()
    settle(page)
    assert violations(axe, page) == []


@pytest.mark.parametrize("popover", ["Link", "Import", "Export", "Add to tray"])
def test_everyone_can_use_the_popovers(lab, axe, popover):
    lab.page.get_by_role("button", name=popover).first.click()
    expect(lab.page.get_by_test_id("stPopoverBody")).to_be_visible()
    settle(lab.page)
    assert violations(axe, lab.page) == []


def test_everyone_can_use_the_sidebar(lab, axe):
    lab.page.get_by_role("button", name="Add to tray").click()
    lab.page.get_by_role("button", name="Add", exact=True).click()
    lab.press("Escape")
    lab.page.get_by_test_id("stExpandSidebarButton").click()
    expect(lab.page.get_by_label("Name of solution 1")).to_have_value("Matrix solution")
    settle(lab.page)
    assert violations(axe, lab.page) == []


def settle(page):
    """Until nothing runs and nothing moves any more."""
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    page.wait_for_function("document.getAnimations().every(a => a.playState !== 'running' || a.effect.getTiming().iterations === Infinity)")


@pytest.mark.parametrize("path", ["/", "/?answer=R", "/matrix", LINK, "/matrix?all=True"])
def test_nothing_overflows_at_1024(serve, new_page, path):
    page = new_page(viewport={"width": 1024, "height": 768})
    page.goto(serve() + path)
    expect(page.get_by_test_id("stPlotlyChart").first).to_be_visible(timeout=30_000)
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth <= main.clientWidth")


def test_the_first_screen_tells_the_story(lab):
    """At 1440 x 900 without scrolling: the grid, all strips, the mosaic, the entropies, and what else there is to look at."""
    page = lab.page
    for thing in (lab.cell(9, 9), page.locator(".strip").last, page.get_by_test_id("stPlotlyChart").first, page.get_by_test_id("stDataFrame").first,
                  page.get_by_text("Find a disagreement")):  # fmt: skip
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
