"""The Sampling lab in a real browser: links, cancelling, and nothing in anyone's way."""

import re

from playwright.sync_api import expect

PLOTS = "[...document.querySelectorAll('.js-plotly-plot')]"
DRAWN = f"{PLOTS}.map(plot => JSON.stringify(plot.data.map(trace => [trace.x, trace.y])))"


def open_lab(page, server, link=""):
    page.goto(f"{server}/sampling{link}")
    expect(page.get_by_text("Small samples lie")).to_be_visible()


def drawn(page, figures):
    """The data of all figures, once so many are there."""
    expect(page.locator(".js-plotly-plot .main-svg .xtick").first).to_be_visible()
    expect(page.locator(".js-plotly-plot:visible")).to_have_count(figures)
    return page.evaluate(DRAWN)


def test_the_same_link_shows_the_same_figures_on_a_fresh_server_and_in_another_browser(fresh_server, serve, new_page):
    link = "?mode=Measures&source=channel&clusters=9&repetitions=200&seed=77&at=41"
    first, second = new_page(), new_page()
    open_lab(first, fresh_server("app.py"), link)
    expect(first.get_by_text(re.compile(r"True V is 0\.\d+; at N = 41 ML says 0\.\d+"))).to_be_visible()
    seen = drawn(first, 3)
    open_lab(second, serve("app.py"), link)
    expect(second.get_by_text(re.compile(r"True V is 0\.\d+; at N = 41"))).to_be_visible()
    assert drawn(second, 3) == seen
    first.reload()
    expect(first.get_by_text(re.compile(r"True V is 0\.\d+; at N = 41"))).to_be_visible()
    assert drawn(first, 3) == seen


def test_a_preset_changes_the_picture_and_the_link(serve, browser_page):
    page = browser_page
    open_lab(page, serve("app.py"))
    expect(page.get_by_text("N = 10: ML is off by −0.533 of 2.303 nats, JK by only −0.039")).to_be_visible()
    page.get_by_role("combobox", name="Preset").click()
    page.get_by_role("option", name="Zipf s = 4 (Li et al. 2014)").click()
    expect(page.get_by_text("N = 10: ML is off by −0.107 of 0.331 nats, JK by only −0.049")).to_be_visible()
    expect(page).to_have_url(re.compile(r"dist=Zipf&s=4"))
    page.get_by_role("radio", name="Misranking").click()
    expect(page.get_by_text("Sample size needed for 95% correct rankings")).to_be_visible(timeout=60_000)
    expect(page).to_have_url(re.compile("mode=Misranking"))


def test_a_long_simulation_can_be_cancelled_and_the_page_stays_usable(serve, browser_page):
    page = browser_page
    link = "?dist=Zipf&m=2000&s=0&last=10000&repetitions=5000&seed=9&estimators=ML,NSB&side=Published"
    open_lab(page, serve("app.py"), link)
    expect(page.get_by_text(re.compile("drawing samples of .* for NSB"))).to_be_visible(timeout=30_000)
    expect(page.get_by_text("N = 10: ML is off by")).to_be_visible()  # what is exact does not wait
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled. Nothing was changed.")).to_be_visible(timeout=30_000)
    expect(page.get_by_role("button", name="Simulate")).to_be_visible()
    expect(page.get_by_text("N = 10: ML is off by")).to_be_visible()
    page.get_by_role("button", name="NSB", exact=True).click()
    expect(page.get_by_role("button", name="Simulate")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("NSB"))


def test_nothing_stands_in_anyones_way(serve, new_page, axe):
    for scheme in ("light", "dark"):
        page = new_page(color_scheme=scheme)
        for link, seen in (
            ("?side=Published&check=True&repetitions=200", "simulated means lie within two standard errors"),
            ("?mode=Measures&repetitions=200", "bands hold the middle 90%"),
            ("?mode=Misranking&repetitions=200&measures=V,ARI", "Wilson's 95% intervals"),
        ):
            open_lab(page, serve("app.py"), link)
            expect(page.get_by_text(seen).first).to_be_visible(timeout=60_000)
            broken = [(rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in axe(page)]
            assert broken == [], (scheme, link)


def test_a_narrow_screen_cuts_nothing_off(serve, new_page):
    page = new_page(viewport={"width": 1024, "height": 900})
    open_lab(page, serve("app.py"), "?mode=Measures&repetitions=200")
    expect(page.get_by_text("Knowing nothing, 80 clusters")).to_be_visible(timeout=60_000)
    for plot in page.locator(".js-plotly-plot:visible").all():
        frame, title = plot.bounding_box(), plot.locator(".gtitle").bounding_box()
        assert title["x"] + title["width"] < frame["x"] + frame["width"] - 40  # the camera has its place beside it
    last = page.get_by_role("button", name="NSB", exact=True).bounding_box()
    assert last["x"] + last["width"] < 1024 - 60
