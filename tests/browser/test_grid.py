"""The grid in a real browser: typing, refusing, copying and pasting; looks."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.grid_lab import HARNESS, START, Lab, changed, wait_until


@pytest.fixture
def lab(browser_page: Page, serve) -> Lab:
    return Lab(browser_page, serve(HARNESS))


# --- keys


def test_typing_replaces_and_enter_goes_down(lab):
    lab.cell(0, 1).click()
    lab.type("12")
    lab.press("Enter")
    said = lab.wait_for(counts=changed((0, 1, 12)))
    assert said["log"] == [["edit", "c1,k2: 1 → 12"]]
    expect(lab.cell(1, 1)).to_be_focused()
    assert lab.totals() == (["16", "5", "5"], ["5", "16", "5"], "26")
    expect(lab.cell(0, 1)).to_have_attribute("aria-label", "class c1, cluster k2, 12")


def test_the_keyboard_goes_everywhere(lab):
    lab.cell(0, 0).click()
    for keys, place in {
        ("ArrowRight", "ArrowDown"): lab.cell(1, 1),
        ("Tab", "Tab"): lab.cell(2, 0),
        ("Shift+Tab",): lab.cell(1, 2),
        ("Home",): lab.cell(1, 0),
        ("End",): lab.cell(1, 2),
        ("Control+Home",): lab.cell(0, 0),
        ("ArrowLeft",): lab.head("class", 0),
        ("ArrowRight", "ArrowUp"): lab.head("cluster", 0),
        ("ArrowDown", "Control+End"): lab.cell(2, 2),
    }.items():
        lab.press(*keys)
        expect(place).to_be_focused()
    expect(lab.page.locator(".table [tabindex='0']")).to_have_count(1)
    lab.press("Tab")  # leaves at the last cell
    expect(lab.page.get_by_label("Add a cluster")).to_be_focused()


def test_editing_the_present_value_and_giving_up(lab):
    lab.cell(0, 0).dblclick()
    lab.press("End")
    lab.type("7")
    lab.press("Escape")
    expect(lab.cell(0, 0)).to_have_text("3")
    lab.press("F2", "End")
    lab.type("7")
    lab.press("Tab")
    lab.wait_for(counts=changed((0, 0, 37)))
    expect(lab.cell(0, 1)).to_be_focused()


def test_steps_deletion_and_ranges(lab):
    lab.cell(1, 1).click()
    lab.press("+", "+", "-", "Alt++")
    lab.wait_for(counts=changed((1, 1, 14)))
    lab.press("ArrowRight", "-", "-", "-")  # not below 0
    lab.wait_for(counts=changed((1, 1, 14), (1, 2, 0)))
    lab.press("Control+Home", "Shift+ArrowRight", "Shift+ArrowDown")
    expect(lab.page.locator(".cell[aria-selected]")).to_have_count(4)
    lab.press("Delete")
    lab.wait_for(counts=changed((0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0), (1, 2, 0)))


def test_the_wheel_steps_the_focused_cell_only(lab):
    lab.cell(0, 0).click()
    lab.page.mouse.wheel(0, -100)
    lab.page.mouse.wheel(0, -100)
    lab.wait_for(counts=changed((0, 0, 5)))
    lab.page.mouse.wheel(0, 100)
    lab.wait_for(counts=changed((0, 0, 4)))
    lab.cell(2, 2).hover()
    lab.page.mouse.wheel(0, -100)
    lab.page.wait_for_timeout(300)
    lab.wait_for(counts=changed((0, 0, 4)))


def test_undo_and_redo_reach_the_server(lab):
    lab.cell(0, 0).click()
    lab.type("9")
    lab.press("Enter")
    lab.wait_for(counts=changed((0, 0, 9)))
    lab.press("Control+z")
    lab.wait_for_action("undo")
    assert lab.shown() == START
    lab.press("Control+y")
    lab.wait_for_action("redo")
    assert lab.shown() == changed((0, 0, 9))
    lab.press("Control+z", "Control+Shift+Z")
    lab.wait_for(
        log=[["edit", "c1,k1: 3 → 9"], ["undo", "undo"], ["redo", "redo"]] + [["undo", "undo"], ["redo", "redo"]]
    )
    assert lab.shown() == changed((0, 0, 9))


# --- bad input


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("abc", "“abc” is not a number"),
        ("-5", "“-5” is negative"),
        ("2.5", "“2.5” is not a whole number"),
        ("1e999", "“1e999” is too large"),
        ("1,000", "“1,000” is not a number"),
        ("0x10", "“0x10” is not a number"),
    ],
)
def test_nonsense_is_marked_and_refused(lab, text, why):
    lab.cell(1, 1).click()
    lab.type(text)
    lab.press("Enter")
    expect(lab.alert).to_contain_text(f"class c2, cluster k2: {why}")
    editor = lab.cell(1, 1).locator("input")
    expect(editor).to_have_value(text)
    expect(editor).to_have_attribute("aria-invalid", "true")
    lab.press("Escape")
    expect(lab.cell(1, 1)).to_have_text("3")
    expect(lab.alert).to_be_empty()
    lab.wait_for(counts=changed())


def test_nonsense_that_is_left_stays_to_be_mended(lab):
    lab.cell(1, 1).click()
    lab.press("F2", "Control+a", "Backspace")
    lab.press("Enter")
    expect(lab.alert).to_contain_text("nothing is written there")
    lab.type("4x")
    lab.cell(0, 0).click()
    bad = lab.cell(1, 1)
    expect(bad).to_have_text("4x")
    expect(bad).to_have_attribute("aria-invalid", "true")
    expect(lab.alert).to_contain_text("“4x” is not a number")
    assert lab.totals()[2] == "15"
    bad.dblclick()
    lab.press("End", "Backspace", "Enter")
    lab.wait_for(counts=changed((1, 1, 4)))
    expect(bad).not_to_have_attribute("aria-invalid", "true")
    expect(lab.alert).to_be_empty()


def test_streamlit_does_not_see_what_is_typed(lab):
    # It has shortcuts of one letter (c clears the cache, r runs again), and listens on the document.
    lab.page.evaluate("document.addEventListener('keydown', event => (window.heard ??= []).push(event.key))")
    lab.cell(1, 1).click()
    lab.type("cr")
    lab.press("Escape", "Control+z")
    assert lab.page.evaluate("window.heard") in (None, ["Control"])
    lab.press("Control+s")  # what the grid has no use for goes on
    assert lab.page.evaluate("window.heard")[-1] == "s"


def test_exponents_and_fractions(browser_page, serve):
    lab = Lab(browser_page, serve(HARNESS), "fractions")
    expect(lab.cell(0, 1)).to_have_text("0.333")
    expect(lab.cell(0, 1)).to_have_attribute("title", str(1 / 3))
    lab.cell(0, 0).click()
    lab.type("1e-5")
    lab.press("Enter")
    expect(lab.cell(0, 0)).to_have_text("1e-5")
    lab.press("F2")
    expect(lab.cell(1, 0).locator("input")).to_have_value(str(1 / 3))
    lab.press("Control+a")
    lab.type("2.25")
    lab.press("Enter")
    wait_until(lambda: lab.said["counts"][1][0] == 2.25)
    assert lab.said["counts"][0][0] == 1e-5
    expect(lab.cell(1, 0)).to_have_text("2.250")  # decimals alike


# --- clipboard


def test_copy_and_paste_a_block(lab):
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.cell(0, 0).click()
    lab.press("Shift+ArrowRight", "Shift+ArrowDown", "Control+c")
    assert lab.page.evaluate("navigator.clipboard.readText()") == "3\t1\n1\t3"
    lab.cell(1, 1).click()
    lab.press("Control+v")
    said = lab.wait_for(counts=changed((1, 1, 3), (1, 2, 1), (2, 1, 1), (2, 2, 3)))
    assert said["log"] == []  # it was the same already
    lab.cell(0, 0).click()
    lab.press("Control+v")
    lab.cell(0, 1).click()
    lab.press("Control+x")
    lab.wait_for(counts=changed((0, 1, 0)))
    lab.press("Control+a")
    lab.paste("7")  # one value fills the selection
    lab.wait_for(counts=[[7.0] * 3] * 3)


@pytest.mark.parametrize(
    "text", ["1\t2\r\n3\t4\r\n", "1,2\n3,4", "1;2\n3;4\n\n", "1 2\n3   4", '"1"\t2\n3\t"4"', "1e0\t2.0\n3\t4"]
)
def test_separators(lab, text):
    lab.cell(1, 1).click()
    lab.paste(text)
    said = lab.wait_for(counts=changed((1, 1, 1), (1, 2, 2), (2, 1, 3), (2, 2, 4)))
    assert said["log"][-1] == ["paste", "2 × 2 block pasted at c2,k2"]


def test_a_larger_block_grows_the_table(lab):
    lab.cell(2, 2).click()
    lab.paste("5\t6\t7\n8\t9\t10")
    said = lab.wait_for_action("paste")
    assert said["classes"] == ["c1", "c2", "c3", "c4"] and said["clusters"] == ["k1", "k2", "k3", "k4", "k5"]
    assert said["counts"] == [[3, 1, 1, 0, 0], [1, 3, 1, 0, 0], [1, 1, 5, 6, 7], [0, 0, 8, 9, 10]]


def test_too_large_a_block_is_refused(lab):
    lab.cell(1, 0).click()
    lab.paste("\n".join("1" for _ in range(60)))
    expect(lab.alert).to_have_text("Nothing was pasted: the table would be 61 × 1; 60 × 120 is the most.")
    lab.wait_for(counts=changed())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1\t2\t3\n4\t5\tabc", "row 2, column 3 of what you pasted: “abc” is not a number."),
        ("1\t\n3\t4", "row 1, column 2 of what you pasted: nothing is written there; write a number, or 0."),
        ("1\t2\n3", "row 2 of what you pasted has 1 cell, row 1 has 2 cells."),
        ("1\t1,5", "row 1, column 2 of what you pasted: “1,5” is not a whole number."),
        ("\t1,000", "“1,000” may be a thousand or a decimal"),
        ("a\tb\nc\td\ne\t-1", "; and 3 more cells"),
        ("class\tk1\nc1\t4", "Paste the numbers without their names."),
        ("  ", "the clipboard holds no text."),
    ],
)
def test_a_block_with_a_bad_cell_is_refused_whole(lab, text, why):
    lab.cell(0, 0).click()
    lab.paste(text)
    expect(lab.alert).to_contain_text("Nothing was pasted: ")
    expect(lab.alert).to_contain_text(why)
    lab.wait_for(counts=changed(), log=[])


def test_decimal_commas(browser_page, serve):
    lab = Lab(browser_page, serve(HARNESS), "fractions")
    lab.cell(0, 0).click()
    lab.paste("1,5\t2\n0,25\t3")
    wait_until(lambda: [row[:2] for row in lab.said["counts"][:2]] == [[1.5, 2], [0.25, 3]])
    for text, why in [
        ("1,5\t2.5", "has a comma where other cells have a point"),
        ("1,5", "may be one number or two"),
    ]:
        lab.paste(text)
        expect(lab.alert).to_contain_text(why)


# --- looks


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_count_can_be_read(new_page, serve, scheme):
    page = new_page(color_scheme=scheme)
    lab = Lab(page, serve(HARNESS), "colours&size=8")
    lab.cell(0, 0).click()
    lab.paste("\n".join("\t".join(str(8 * row + column) for column in range(8)) for row in range(8)))
    lab.wait_for_action("paste")
    pairs = page.locator(".cell, .total, .head").evaluate_all(
        """nodes => {
            const pen = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
            const rgb = colour => {
                pen.fillStyle = colour;
                pen.fillRect(0, 0, 1, 1);
                return [...pen.getImageData(0, 0, 1, 1).data];
            };
            return nodes.map(getComputedStyle).map(style => [rgb(style.color), rgb(style.backgroundColor)]);
        }"""
    )
    assert len(pairs) > 90
    assert min(contrast(ink, ground) for ink, ground in pairs) >= 4.5
    assert len({tuple(ground) for _, ground in pairs}) > 40


def test_axe_finds_nothing(lab, axe):
    lab.cell(1, 1).click()
    lab.type("abc")
    lab.cell(0, 0).click()
    lab.press("Shift+ArrowDown")
    inside = [
        (rule["id"], node["html"])
        for rule in axe(lab.page)
        for node in rule["nodes"]
        if "stBidiComponent" in str(node["target"])
    ]
    assert inside == []


def contrast(one: list[int], other: list[int]) -> float:
    def luminance(rgba: list[int]) -> float:
        u = np.array(rgba[:3]) / 255
        linear = np.where(u <= 0.04045, u / 12.92, ((u + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
