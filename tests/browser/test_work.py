"""Long work in a real browser: progress is seen, Cancel works, the result is there for everybody."""

from playwright.sync_api import expect

PAGE = "tests/browser/work_page.py"


def test_cancelling(fresh_server, browser_page):
    page = browser_page
    page.goto(f"{fresh_server(PAGE)}/?parts=600")  # a minute, if it could not be cancelled
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("part ", exact=False)).to_be_visible()
    expect(page.get_by_text("s left")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled. Nothing was changed.")).to_be_visible(timeout=5_000)
    expect(page.get_by_text("The end of the page.")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
    page.get_by_role("button", name="Start").click()  # and again, if wanted
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled.")).to_be_visible(timeout=5_000)


def test_what_one_visitor_has_waited_for_is_there_for_the_next(fresh_server, new_page):
    url = fresh_server(PAGE)
    first, second = new_page(), new_page()
    first.goto(url)
    first.get_by_role("button", name="Start").click()
    expect(first.get_by_text("All 5 parts are done.")).to_be_visible()
    second.goto(url)
    expect(second.get_by_text("All 5 parts are done.")).to_be_visible()
    expect(second.get_by_role("button", name="Start")).to_have_count(0)
