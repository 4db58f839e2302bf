"""Driving the grid in the browser: a hand on it, and an eye on what the server says."""

import json
import time

from playwright.sync_api import Locator, Page, expect

START = [[3, 1, 1], [1, 3, 1], [1, 1, 3]]
HARNESS = "tests/browser/grid_harness.py"


def changed(*cells: tuple[int, int, float]) -> list[list[float]]:
    """The table at the start, with some cells changed."""
    table = [[float(v) for v in row] for row in START]
    for row, column, value in cells:
        table[row][column] = value
    return table


class Lab:
    """A page with the grid, and what the server says it has."""

    def __init__(self, page: Page, url: str, query: str = "") -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(f"{url}/?{query}")
        expect(self.cell(0, 0)).to_be_visible()

    def cell(self, row: int, column: int) -> Locator:
        return self.page.locator(f".cell[data-r='{row}'][data-c='{column}']")

    def head(self, axis: str, index: int) -> Locator:
        return self.page.locator(f".head.{axis}").nth(index)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text, delay=30)

    @property
    def said(self) -> dict:
        return json.loads(self.page.locator(".st-key-said [data-testid=stText]").inner_text())

    def wait_for(self, **wanted) -> dict:
        """Until the server has these values; then the grid must show the same table."""
        give_up = time.monotonic() + 15
        while any(self.said[name] != value for name, value in wanted.items()):
            assert time.monotonic() < give_up, {name: self.said[name] for name in wanted}
            self.page.wait_for_timeout(20)
        said = self.said
        assert self.shown() == said["counts"]
        assert self.errors == []
        return said

    def wait_for_action(self, action: str) -> dict:
        give_up = time.monotonic() + 15
        while not self.said["log"] or self.said["log"][-1][0] != action:
            assert time.monotonic() < give_up, self.said["log"]
            self.page.wait_for_timeout(20)
        return self.wait_for()

    def shown(self) -> list[list[float]]:
        rows = self.page.locator(".table").evaluate(
            """table => [...table.querySelectorAll(".row")].map(
                row => [...row.querySelectorAll(".cell")].map(cell => cell.textContent))"""
        )
        return [[float(text) for text in row] for row in rows if row]

    def totals(self) -> tuple[list[str], list[str], str]:
        texts = self.page.locator(".total").all_inner_texts()
        rows = self.page.locator(".head.class").count()
        return texts[:rows], texts[rows:-1], texts[-1]

    def paste(self, text: str) -> None:
        self.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page.evaluate("text => navigator.clipboard.writeText(text)", text)
        self.press("Control+v")

    def drag(self, source: Locator, target: Locator, *, past: float = 0.5) -> None:
        one, other = source.bounding_box(), target.bounding_box()
        mouse = self.page.mouse
        mouse.move(one["x"] + one["width"] / 2, one["y"] + one["height"] / 2)
        mouse.down()
        mouse.move(other["x"] + other["width"] * past, other["y"] + other["height"] * past, steps=6)
        mouse.up()

    @property
    def alert(self) -> Locator:
        return self.page.locator(".grid [role=alert]")


def wait_until(condition) -> None:
    give_up = time.monotonic() + 15
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.02)
