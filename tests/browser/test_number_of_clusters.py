"""Number of clusters in a real browser: the story, links, cancelling, files, the Matrix lab."""

import re

from playwright.sync_api import expect

from tests.browser.accessibility import broken_rules

STORY = "V, Q₂ and AMI like k = 14, VI, NVI and ARI k = 11; there are 10 classes"
DRAWN = """JSON.stringify(document.querySelector('.js-plotly-plot').data.map(
    trace => [trace.name, trace.x, trace.y]))"""
SLOW = 30_000


def open_page(page, server, link=""):
    page.goto(f"{server}/number_of_clusters{link}")
    expect(page.get_by_text("How many clusters? Each measure has its favourite")).to_be_visible(timeout=SLOW)


def test_the_story_is_on_the_first_screen_and_nothing_in_anyones_way(serve, new_page, axe):
    for scheme, link, seen in (
        ("light", "", STORY),
        ("dark", "?view=Estimators&data=wine&sample=50", "50 items make V"),
    ):
        page = new_page(color_scheme=scheme)
        open_page(page, serve("app.py"), link)
        expect(page.get_by_text(re.compile(seen.replace(".", r"\.")))).to_be_visible(timeout=SLOW)
        expect(page.get_by_text("number of clusters k (log scale)")).to_be_visible()
        assert page.get_by_text("number of clusters k (log scale)").bounding_box()["y"] < 860
        expect(page.get_by_role("button", name="Open in Matrix lab")).to_be_visible()
        assert broken_rules(axe, page) == [], scheme


def test_the_same_link_shows_the_same_figure_on_a_fresh_server(fresh_server, serve, new_page):
    link = "?data=breast+cancer&view=Estimators&one=NVI&sample=100&seed=7&k=20&estimators=ML,JK"
    seen = []
    for server in (fresh_server("app.py"), serve("app.py")):
        page = new_page()
        open_page(page, server, link)
        expect(page.get_by_text(re.compile(r"k = 2\d: 100 items make NVI"))).to_be_visible(timeout=SLOW)
        seen.append(page.evaluate(DRAWN))
    assert seen[0] == seen[1] and len(seen[0]) > 500


def test_a_long_sweep_can_be_cancelled_and_the_page_stays_usable(serve, browser_page):
    page = browser_page
    open_page(page, serve("app.py"), "?largest=2000&seed=99")
    expect(page.get_by_text(re.compile(r"k-means with \d+ clusters"))).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled. Nothing was changed.")).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("button", name="Cluster", exact=True)).to_be_visible()
    page.get_by_role("combobox", name="Data").click()
    page.get_by_role("option", name="Wines").click()
    expect(page.get_by_text(re.compile("like k = 3; there are 3 classes"))).to_be_visible(timeout=SLOW)
    expect(page).to_have_url(re.compile("data=wine"))


def test_a_file_is_clustered_and_its_solution_opens_in_the_matrix_lab(serve, browser_page, axe):
    page = browser_page
    open_page(page, serve("app.py"), "?data=table&algorithm=ward")
    expect(page.get_by_text("A link cannot carry uploaded data")).to_be_visible()
    assert broken_rules(axe, page) == []
    bad = {"name": "bad.csv", "mimeType": "text/csv", "buffer": b"x,class\n1,a\nmany,b"}
    page.locator('input[type="file"]').last.set_input_files(bad)
    expect(page.get_by_text("bad.csv, line 3: 'many' is not a number.")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Another file").click()
    rows = "".join(f"{i % 3 * 10 + i / 50},{'abc'[i % 3]}\n" for i in range(30))
    good = {"name": "good.csv", "mimeType": "text/csv", "buffer": f"x,class\n{rows}".encode()}
    page.locator('input[type="file"]').last.set_input_files(good)
    expect(page.get_by_text(re.compile("k = 3; there are 3 classes"))).to_be_visible(timeout=SLOW)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Open in Matrix lab").click()
    expect(page).to_have_url(re.compile(r"/matrix\?.*table="), timeout=SLOW)
