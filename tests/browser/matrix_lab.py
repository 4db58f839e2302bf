"""Driving the Matrix lab in the browser, and reading what it shows."""

import re

from playwright.sync_api import Locator, Page, expect

from evalcore import Contingency, score
from pages.ui.style import DEFAULT_MEASURES, number


class MatrixLab:
    """A visitor on the Matrix lab."""

    def __init__(self, page: Page, url: str):
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(url)
        expect(self.cell(0, 0)).to_be_visible(timeout=30_000)
        expect(page.locator(".strip").first).to_be_visible()

    def cell(self, row: int, column: int) -> Locator:
        return self.page.locator(f".cell[data-r='{row}'][data-c='{column}']")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, row: int, column: int, text: str) -> None:
        """Type into a cell, and Enter."""
        self.cell(row, column).click()
        self.page.keyboard.type(text, delay=30)
        self.press("Enter")

    def paste(self, text: str) -> None:
        self.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page.evaluate("text => navigator.clipboard.writeText(text)", text)
        self.press("Control+v")

    def drag(self, source: Locator, target: Locator) -> None:
        one, other = source.bounding_box(), target.bounding_box()
        mouse = self.page.mouse
        mouse.move(one["x"] + one["width"] / 2, one["y"] + one["height"] / 2)
        mouse.down()
        mouse.move(other["x"] + other["width"] / 2, other["y"] + other["height"] / 2, steps=6)
        mouse.up()

    def shows(self, table: Contingency, measures=DEFAULT_MEASURES) -> None:
        """Wait until the grid and all strips show this table, the address holds it, and nothing has gone wrong."""
        for row, counts in enumerate(table.counts):
            for column, count in enumerate(counts):
                expect(self.cell(row, column)).to_have_text(f"{count:g}")
        for name, value in score(table, list(measures)).items():
            expect(self.value(name)).to_have_text(number(value))
        self.is_well()

    def value(self, measure: str) -> Locator:
        return self.page.locator(f".strip[data-measure='{measure}'] .value")

    def is_well(self) -> None:
        assert self.errors == []
        expect(self.page.get_by_test_id("stException")).to_have_count(0)
        expect(self.page.get_by_text("Page not found")).to_have_count(0)
        expect(self.page.get_by_text("on our side")).to_have_count(0)

    def wait_for_address(self, pattern: str) -> str:
        self.page.wait_for_url(re.compile(pattern))
        return self.page.url

    @property
    def alert(self) -> Locator:
        return self.page.locator(".grid [role=alert]")


def violations(axe, page: Page) -> list:
    """What axe finds, but for Streamlit's own file_uploader."""
    found = []
    for rule in axe(page):
        nodes = [node["html"] for node in rule["nodes"] if "stFileUploader" not in str(node["target"]) + node["html"]]
        found += [(rule["id"], nodes)] if nodes else []
    return found


def settle(page: Page) -> None:
    """Until nothing runs and nothing moves any more."""
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    page.wait_for_function(
        "document.getAnimations().every(a => a.playState !== 'running' || a.effect.getTiming().iterations === Infinity)"
    )
