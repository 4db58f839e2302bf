"""The strips in a real browser: labels keep off each other and stay in their row, whatever they are to say."""

import pytest
from playwright.sync_api import expect

PAGE = "tests/browser/strip_page.py"
BOXES = """
strip => {
  const box = (node) => { const b = node.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; };
  return {
    strip: box(strip),
    track: box(strip.querySelector(".track")),
    labels: [...strip.querySelectorAll(".label")].map((node) => [node.textContent, ...box(node)]),
    marks: [...strip.querySelectorAll(".mark")].map((node) => box(node)[0]),
  };
}
"""


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("width", [1440, 1024])
def test_labels_neither_overlap_nor_leave_their_row(serve, new_page, seed, width):
    page = new_page(viewport={"width": width, "height": 1000})
    page.goto(f"{serve(PAGE)}/?seed={seed}")
    expect(page.locator(".strip")).to_have_count(14, timeout=30_000)
    page.wait_for_function("document.fonts.status === 'loaded'")
    seen = 0
    for strip in page.locator(".strip").all():
        found = strip.evaluate(BOXES)
        left, top, right, bottom = found["strip"]
        labels = sorted(found["labels"], key=lambda label: label[1])
        seen += len(labels)
        for one, other in zip(labels, labels[1:]):
            assert one[3] <= other[1] + 1, (one, other)
        for text, from_, above, to, below in labels:
            assert left - 1 <= from_ and to <= right + 1, text
            assert top - 3 <= above and below <= bottom, text
            # near a mark
            assert any(from_ - 20 <= mark <= to + 20 for mark in found["marks"]), text
        assert all(found["track"][0] - 1 <= mark <= found["track"][2] + 1 for mark in found["marks"])
    assert seen > (28 if width == 1440 else 14)  # and many of them are told


def test_the_tip_tells_everything_as_typed(serve, browser_page):
    page = browser_page
    page.goto(serve(PAGE))
    strip = page.locator(".strip[data-measure='V']").first
    strip.hover()
    tip = page.locator(".tip").first
    expect(tip).to_be_visible()
    expect(tip).to_contain_text("V-measure ↑")
    for name in ("my best solution so far, with a long name", "<b>bold</b> & more", "twin of x", "pinned"):
        expect(tip).to_contain_text(name)
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    strip.focus()  # and by keyboard
    expect(tip).to_be_visible()
    assert strip.get_attribute("aria-label").startswith("V-measure, higher is better: this solution")


def test_everyone_can_use_it(serve, browser_page, axe):
    browser_page.goto(serve(PAGE))
    expect(browser_page.locator(".strip")).to_have_count(14)
    assert [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in axe(browser_page)] == []
