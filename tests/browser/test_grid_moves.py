"""The grid in a real browser: moving elements, names and shape, keeping in step with the server."""

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.grid_lab import HARNESS, Lab, changed, wait_until


@pytest.fixture
def lab(browser_page: Page, serve) -> Lab:
    return Lab(browser_page, serve(HARNESS))


# --- moving elements


def test_dragging_moves_one_element(lab):
    lab.drag(lab.cell(0, 0), lab.cell(1, 2))
    said = lab.wait_for(counts=changed((0, 0, 2), (1, 2, 2)))
    assert said["log"] == [["move", "1 from c1,k1 to c2,k3"]]
    assert lab.totals()[2] == "15"


def test_dragging_with_shift_moves_the_cell(lab):
    lab.cell(0, 0).click()
    lab.page.keyboard.down("Shift")
    lab.drag(lab.cell(1, 1), lab.cell(0, 1))
    lab.page.keyboard.up("Shift")
    said = lab.wait_for(counts=changed((1, 1, 0), (0, 1, 4)))
    assert said["log"] == [["move", "3 from c2,k2 to c1,k2"]]


def test_a_drag_can_be_given_up_or_have_nothing_to_take(lab):
    source, target = lab.cell(0, 0).bounding_box(), lab.cell(1, 1).bounding_box()
    lab.page.mouse.move(source["x"] + 9, source["y"] + 9)
    lab.page.mouse.down()
    lab.page.mouse.move(target["x"] + 9, target["y"] + 9, steps=4)
    expect(lab.page.locator(".cell.drop")).to_have_count(1)
    expect(lab.page.locator(".ghost")).to_have_text("1")
    lab.press("Escape")
    expect(lab.page.locator(".ghost")).to_be_hidden()
    lab.page.mouse.up()
    lab.drag(lab.cell(0, 0), lab.page.locator(".total").last)
    lab.wait_for(counts=changed(), log=[])
    lab.cell(0, 1).click()
    lab.press("Delete")
    lab.wait_for(counts=changed((0, 1, 0)))
    lab.drag(lab.cell(0, 1), lab.cell(2, 0))
    expect(lab.alert).to_contain_text("there is no element to move")
    lab.wait_for(counts=changed((0, 1, 0)))


def test_a_finger_drags_from_the_chosen_cell_only(new_page, serve):
    lab = Lab(new_page(has_touch=True), serve(HARNESS))
    touch = lab.page.context.new_cdp_session(lab.page)

    def swipe(source: Locator, target: Locator) -> None:
        one, other = source.bounding_box(), target.bounding_box()
        for step in range(7):
            x, y = (one[k] + 12 + (other[k] - one[k]) * step / 6 for k in "xy")
            kind = "touchMove" if step else "touchStart"
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    swipe(lab.cell(2, 0), lab.cell(0, 0))  # scrolls
    lab.page.wait_for_timeout(300)
    lab.wait_for(counts=changed(), log=[])
    lab.cell(0, 0).tap()
    expect(lab.cell(0, 0)).to_be_focused()
    swipe(lab.cell(0, 0), lab.cell(1, 2))
    lab.wait_for(counts=changed((0, 0, 2), (1, 2, 2)))


def test_an_element_is_carried_by_keyboard(lab):
    lab.cell(0, 0).click()
    lab.press("m", "ArrowDown", "ArrowRight")
    expect(lab.page.locator("[aria-live=polite]")).to_contain_text("1 picked up from class c1, cluster k1")
    lab.press("Enter")
    lab.wait_for(counts=changed((0, 0, 2), (1, 1, 4)))
    lab.press("Shift+M", "ArrowLeft", "Escape")
    expect(lab.cell(1, 1)).to_be_focused()
    lab.wait_for(counts=changed((0, 0, 2), (1, 1, 4)))


# --- names and shape


def test_renaming(lab):
    lab.head("cluster", 1).dblclick()
    lab.type("k1")
    lab.press("Enter")
    expect(lab.alert).to_contain_text("There is already a cluster called “k1”")
    lab.press("Control+a", "Backspace", "Enter")
    expect(lab.alert).to_contain_text("A cluster needs a name.")
    lab.press("Escape")
    expect(lab.head("cluster", 1).locator(".name")).to_have_text("k2")
    lab.press("Enter")
    lab.type("rest")
    lab.press("Enter")
    said = lab.wait_for(clusters=["k1", "rest", "k3"])
    assert said["log"] == [["rename", "cluster k2 → rest"]]


def test_names_are_text(lab):
    hostile = "<img src=x onerror=alert(1)>"
    alerts = []
    lab.page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    lab.head("class", 0).dblclick()
    lab.type(hostile)
    lab.press("Enter")
    lab.wait_for(classes=[hostile, "c2", "c3"])
    expect(lab.head("class", 0).locator(".name")).to_have_text(hostile)
    expect(lab.page.locator(".grid img")).to_have_count(0)
    lab.page.reload()
    assert alerts == []


def test_adding_and_removing(lab):
    lab.page.get_by_label("Add a cluster").click()
    lab.wait_for(clusters=["k1", "k2", "k3", "k4"])
    expect(lab.cell(0, 3)).to_be_focused()
    lab.type("6")
    lab.press("Enter")
    lab.page.get_by_label("Add a class").click()
    said = lab.wait_for(classes=["c1", "c2", "c3", "c4"])
    assert said["counts"] == [[3, 1, 1, 6], [1, 3, 1, 0], [1, 1, 3, 0], [0, 0, 0, 0]]
    lab.head("cluster", 0).click(button="right")
    lab.page.get_by_role("menuitem", name="Remove").click()
    said = lab.wait_for(clusters=["k2", "k3", "k4"])
    assert said["log"][-1] == ["remove_cluster", "cluster k1 removed, with 5 elements"]
    lab.head("class", 1).hover()
    lab.page.get_by_label("Options for class c2").click()
    lab.page.get_by_role("menuitem", name="Insert a class above").click()
    assert lab.wait_for(classes=["c1", "c5", "c2", "c3", "c4"])["counts"][1] == [0, 0, 0]


def test_the_last_one_cannot_be_removed(lab):
    for left in (["c2", "c3"], ["c3"]):
        lab.head("class", 0).click()
        lab.press("Shift+F10", "End", "Enter")
        lab.wait_for(classes=left)
    lab.head("class", 0).click()
    lab.press("Shift+F10", "End", "Enter")
    expect(lab.alert).to_have_text("“c3” is the last class; a table needs at least one.")
    lab.wait_for(classes=["c3"])


def test_reordering(lab):
    lab.cell(0, 0).click()
    lab.type("9")
    lab.press("Enter")
    lab.head("cluster", 0).click()
    lab.press("Alt+ArrowRight")
    said = lab.wait_for(clusters=["k2", "k1", "k3"])
    assert said["counts"] == [[1, 9, 1], [3, 1, 1], [1, 1, 3]]
    expect(lab.head("cluster", 1)).to_be_focused()
    lab.drag(lab.head("class", 0), lab.head("class", 2), past=0.9)
    said = lab.wait_for(classes=["c2", "c3", "c1"])
    assert said["counts"] == [[3, 1, 1], [1, 1, 3], [1, 9, 1]]
    assert said["log"][-1] == ["reorder", "class c1 moved to place 3"]
    lab.head("cluster", 0).click(button="right")
    expect(lab.page.get_by_role("menuitem", name="Move left")).to_be_disabled()
    lab.page.get_by_role("menuitem", name="Move right").click()
    lab.wait_for(clusters=["k1", "k2", "k3"])


# --- keeping in step


def test_twenty_rapid_edits_all_arrive(browser_page, serve):
    lab = Lab(browser_page, serve(HARNESS), "slow=150")
    lab.cell(0, 0).click()
    expected = changed()
    for i in range(20):
        row, column = divmod(i % 9, 3)
        expected[row][column] = float(10 + i)
        lab.press(*str(10 + i), "Tab")
        if i % 9 == 8:
            lab.press("Control+Home")
            lab.cell(0, 0).focus()
    said = lab.wait_for(counts=expected)
    assert lab.totals()[2] == str(int(np.sum(expected)))
    assert len(said["log"]) < 20  # they melted while the server was busy


def test_edits_around_an_undo_keep_their_order(browser_page, serve):
    lab = Lab(browser_page, serve(HARNESS), "slow=200")
    lab.cell(0, 0).click()
    lab.press("7", "Enter", "8", "Enter", "Control+z", "9", "Enter")
    said = lab.wait_for(counts=changed((0, 0, 7), (2, 0, 9)))
    assert [action for action, _ in said["log"]] == ["edit", "edit", "undo", "edit"]


def test_an_answer_in_the_middle_of_an_edit_leaves_it_alone(browser_page, serve):
    lab = Lab(browser_page, serve(HARNESS), "slow=200")
    lab.cell(0, 0).click()
    lab.press("7", "Enter", "4")
    wait_until(lambda: lab.said["counts"][0][0] == 7)
    lab.press("2", "Enter")
    lab.wait_for(counts=changed((0, 0, 7), (1, 0, 42)))


def test_a_new_version_replaces_the_table(lab):
    lab.cell(2, 2).click()
    lab.press("x")
    lab.page.get_by_role("button", name="Preset").click()
    lab.wait_for(counts=[[5, 0], [0, 5]], classes=["c1", "c2"])
    expect(lab.page.locator(".head.cluster")).to_have_count(2)
    lab.cell(0, 1).click()
    lab.press("+")
    lab.wait_for(counts=[[5, 1], [0, 5]])


def test_thirty_by_thirty_is_quick(browser_page, serve):
    lab = Lab(browser_page, serve(HARNESS), "size=30&colours")
    lab.cell(3, 3).click()
    times = lab.page.locator(".table").evaluate(
        """table => Array.from({length: 30}, (_, i) => {
            const start = performance.now();
            const key = new KeyboardEvent("keydown", {key: i % 2 ? "-" : "+", bubbles: true, composed: true});
            table.getRootNode().activeElement.dispatchEvent(key);
            table.getBoundingClientRect();
            return performance.now() - start;
        })"""
    )
    assert np.median(times) < 50, times  # 2 to 9 ms on an idle machine
    assert browser_page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
