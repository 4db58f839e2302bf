"""Words in a real browser: the stories, links, cancelling, files, the tray."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import broken_rules

TITLE = "Words that keep the same company: clusters, and what measures say"
SLOW = 30_000
STORIES = {
    "Soft": re.compile("there are 4 clusters, as many as classes"),
    "Held out": re.compile("Held-out pairs are predicted best by 4 clusters"),
    "MDL tree": re.compile("MDL stops at 4 leaves; there are 4 classes"),
    "Experiment 1": re.compile("MDL finds the 4 classes from 500 pairs on; MLE makes 32 leaves"),
}
DRAWN = """JSON.stringify([...document.querySelectorAll('.js-plotly-plot')].map(
    plot => plot.data.map(trace => [trace.name, trace.x, trace.y])))"""


def open_page(page, server, link=""):
    page.goto(f"{server}/words{link}")
    expect(page.get_by_text(TITLE)).to_be_visible(timeout=SLOW)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_story_is_on_the_first_screen_and_nothing_in_anyones_way(serve, new_page, axe, scheme):
    page = new_page(color_scheme=scheme)
    open_page(page, serve("app.py"))
    for mode, story in STORIES.items():
        page.get_by_role("radio", name=mode, exact=True).click()
        told = page.get_by_text(story)
        expect(told).to_be_visible(timeout=SLOW)
        assert told.bounding_box()["y"] < 400
        picture = page.get_by_test_id("stPlotlyChart").first.bounding_box()
        assert picture["y"] + picture["height"] < 900, mode
        expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
        assert broken_rules(axe, page) == [], mode


@pytest.mark.parametrize("link", ["?mode=Soft&size=900&most=6&seed=7", "?mode=Held+out&seed=5&most=6"])
def test_the_same_link_shows_the_same_figure_on_a_fresh_server(fresh_server, serve, new_page, link):
    seen = []
    for server in (fresh_server("app.py"), serve("app.py")):
        page = new_page()
        open_page(page, server, link)
        expect(page.locator(".js-plotly-plot")).to_have_count(2, timeout=SLOW)
        expect(page.get_by_test_id("stStatusWidget")).to_have_count(0, timeout=SLOW)
        seen.append(page.evaluate(DRAWN))
    assert seen[0] == seen[1] and len(seen[0]) > 600


@pytest.mark.parametrize(("mode", "start", "sees"), [
    ("Soft", "Anneal", r"beta .*clusters"),
    ("MDL tree", "Grow the tree", r"leaves"),
])  # fmt: skip
def test_long_work_tells_where_it_is_and_can_be_cancelled(serve, browser_page, mode, start, sees):
    page = browser_page
    open_page(
        page, serve("app.py"), f"?mode={mode.replace(' ', '+')}&nouns=1000&verbs=2100&size=1100000&seed=4&most=100"
    )
    page.get_by_role("button", name=start).click(timeout=SLOW)
    expect(page.get_by_test_id("stProgress").get_by_text(re.compile(sees))).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled. Nothing was changed.")).to_be_visible(timeout=10_000)
    expect(page.get_by_role("button", name=start)).to_be_visible()
    page.get_by_role("radio", name="Experiment 1", exact=True).click()  # and the page stays usable
    expect(page.get_by_text("1,000 nouns are too many for so many trees.")).to_be_visible(timeout=SLOW)
    page.get_by_label("Nouns").fill("32")
    page.get_by_label("Nouns").press("Enter")
    page.get_by_label("Verbs").fill("20")
    page.get_by_label("Verbs").press("Enter")
    expect(page.get_by_text(re.compile("MDL finds the 4 classes from"))).to_be_visible(timeout=SLOW)


def test_sizes_of_experiment_1_are_chosen(serve, browser_page):
    page = browser_page
    open_page(page, serve("app.py"), "?mode=Experiment+1&trials=2")
    expect(page.get_by_text(re.compile("MLE makes 32 leaves"))).to_be_visible(timeout=SLOW)
    page.get_by_role("combobox", name="Pairs from").click()
    page.get_by_role("option", name="1,000", exact=True).click()
    expect(page).to_have_url(re.compile("from=1000"))
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0, timeout=SLOW)
    page.wait_for_function("document.querySelector('.js-plotly-plot').data.every(t => !t.x || Math.min(...t.x) >= 900)")


def test_pairs_from_a_file_with_faults_mended_and_a_stage_in_the_tray(serve, browser_page, axe):
    page = browser_page
    open_page(page, serve("app.py"), "?source=pairs&mode=MDL+tree")
    expect(page.get_by_text("A link cannot carry uploaded data")).to_be_visible(timeout=SLOW)
    assert broken_rules(axe, page) == []
    page.locator(".st-key-words-empty").locator('input[type="file"]').first.set_input_files(
        {"name": "bad.csv", "mimeType": "text/csv", "buffer": b"tea,drink,3\ncoal,burn,many"}
    )
    expect(page.get_by_text(re.compile("bad.csv, line 2.*many"))).to_be_visible(timeout=SLOW)
    rows = "".join(
        f"{noun}{i},{verb},{20 if noun == home else 1}\n"
        for noun in ("drink", "fuel") for i in range(4)
        for verb, home in (("sip", "drink"), ("pour", "drink"), ("burn", "fuel"), ("mine", "fuel"))
    )  # fmt: skip
    classes = "".join(f"{noun}{i},{noun}\n" for noun in ("drink", "fuel") for i in range(4))
    page.get_by_role("button", name="Files").click()
    files = page.get_by_test_id("stPopoverBody").locator('input[type="file"]')
    files.first.set_input_files({"name": "good.csv", "mimeType": "text/csv", "buffer": rows.encode()})
    expect(page.get_by_text("MDL stops at 2 leaves", exact=True)).to_be_visible(timeout=SLOW)
    files.last.set_input_files({"name": "classes.csv", "mimeType": "text/csv", "buffer": classes.encode()})
    expect(page.get_by_text("MDL stops at 2 leaves; there are 2 classes")).to_be_visible(timeout=SLOW)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Add to tray").click()
    dialog = page.get_by_role("dialog", name="Add to tray")
    expect(dialog.get_by_label("Name")).to_have_value("MDL tree, k = 2")
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.get_by_text("“MDL tree, k = 2” is in the tray, in the sidebar.")).to_be_visible(timeout=SLOW)


def test_pasted_text_is_counted(serve, browser_page):
    page = browser_page
    open_page(page, serve("app.py"), "?source=text&mode=MDL+tree")
    text = "Cats chase mice. Dogs chase cats. Mice eat cheese. Dogs eat bones. Cats eat mice. " * 20
    page.get_by_label("Or paste it here").fill(text)
    page.get_by_role("button", name="Count these words").click()
    expect(page.get_by_text(re.compile(r"MDL stops at \d+ lea"))).to_be_visible(timeout=SLOW)
    expect(page.get_by_text(re.compile("no classes, so nothing can be scored"))).to_be_visible()
