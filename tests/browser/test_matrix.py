"""The Matrix lab in a real browser: editing, undoing, links, other pages and back."""

import pytest
from playwright.sync_api import expect

from evalcore import Contingency, published
from pages.ui.state import pack, table_to_json
from tests.browser.matrix_lab import MatrixLab

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
