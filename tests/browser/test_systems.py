"""The Systems page in a real browser: the paper's story at once, files dropped on it, and what they show."""

import re

from playwright.sync_api import expect

from tests.browser.accessibility import broken_rules
from tests.test_ranking import FILES
from tests.test_semeval import HARD

STORY = "V-ML puts one cluster per instance first; V-BUB puts it last"
LEADERBOARD = "Leaderboard: values with ranks"


def leaderboard(page):
    return page.get_by_role("region", name=LEADERBOARD)


def row(page, system):
    """The cells of a system: its name, clusters, and scores with ranks after them."""
    line = leaderboard(page).get_by_role("row").filter(has=page.get_by_role("button", name=system, exact=True))
    expect(line).to_have_count(1)
    return line.get_by_role("cell").all_inner_texts()


def files(*names, **more):
    contents = {name: FILES[name] for name in names} | more
    return [
        {"name": f"{name}.key", "mimeType": "text/plain", "buffer": text.encode()} for name, text in contents.items()
    ]


def drop(page, what):
    page.locator('input[type="file"]').last.set_input_files(what)


def choose_view(page, name):
    page.get_by_role("radio", name=name, exact=True).click()


def test_the_story_is_on_the_first_screen(serve, browser_page, axe):
    page = browser_page
    page.goto(f"{serve('app.py')}/systems")
    title = page.get_by_text(STORY)
    expect(title).to_be_visible()
    assert title.bounding_box()["y"] < 500
    assert row(page, "1ClI") == [
        "89.1",
        "0.3161",
        "0.2951",
        "0.2741",
        "−0.03629",
    ]  # the last digits are ranks
    assert leaderboard(page).get_by_role("row").filter(has_text="1ClI").bounding_box()["y"] < 500
    last = page.locator(".annotation-text").filter(has_text=re.compile("^29 1ClI$"))
    assert last.bounding_box()["y"] < 880
    leaderboard(page).get_by_role("button", name="V-BUB").click()
    expect(leaderboard(page).get_by_role("row").nth(1).get_by_role("rowheader")).to_have_text("UoY")
    leaderboard(page).get_by_role("button", name="V-BUB").click()
    expect(leaderboard(page).get_by_role("row").nth(1).get_by_role("rowheader")).to_have_text("1ClI")
    leaderboard(page).get_by_role("button", name="Hermit", exact=True).click()
    expect(
        page.locator(".annotation-text")
        .filter(has_text=re.compile("^2 Hermit$"))
        .locator("[style*='font-weight']")
        .first
    ).to_be_visible()
    expect(page).to_have_url(re.compile("follow=Hermit"))
    assert broken_rules(axe, page) == []


def test_files_are_dropped_scored_doubted_and_opened(serve, browser_page, axe):
    page = browser_page
    page.goto(f"{serve('app.py')}/systems?source=files&average=words")
    expect(page.get_by_text("A link cannot carry uploaded data")).to_be_visible()
    assert broken_rules(axe, page) == []
    drop(page, files("gold", "one", "alone", "half", broken="a 1 A/heavy"))
    expect(page.get_by_text("broken.key, line 1: the weight of 'A/heavy'")).to_be_visible()
    assert [row(page, name)[1] for name in ("alone", "half", "one")] == [
        "0.83331",
        "0.50002",
        "0.00003",
    ]  # 5/6, 1/2, 0 by hand
    choose_view(page, "Doubt")
    expect(
        page.get_by_text(re.compile("alone and half cannot be told apart by V-BUB|is better than"))
    ).not_to_have_count(0)
    page.get_by_role("radio", name="instances", exact=True).click()
    page.get_by_role("button", name="Draw instances").click()
    expect(page.get_by_text("That shift is taken off")).to_be_visible()
    assert broken_rules(axe, page) == []
    choose_view(page, "Words")
    expect(page.get_by_text("alone, b: 2 classes, 2 clusters")).to_be_visible()
    page.get_by_role("button", name="Open in Matrix lab").first.click()
    expect(page).to_have_url(re.compile("/matrix"))
    expect(page.get_by_text("Matrix lab").first).to_be_visible()
    page.get_by_text("Real data", exact=True).click()
    page.get_by_text("Systems", exact=True).last.click()
    expect(page.get_by_text("alone, b: 2 classes, 2 clusters")).to_be_visible()  # the files are still there


def test_resampling_can_be_cancelled(serve, browser_page):
    def key(clusters):
        return "\n".join(f"w{i % 60} {i} c{i * i % clusters}" for i in range(6000))

    page = browser_page
    page.goto(f"{serve('app.py')}/systems?source=files&view=Doubt&draw=instances&replicates=5000&e=BUB")
    expect(page.get_by_text("A link cannot carry uploaded data")).to_be_visible()
    drop(page, [{"name": f"{name}.key", "mimeType": "text/plain", "buffer": key(k).encode()}
                for name, k in (("gold", 4), ("many", 31), ("some", 11), ("few", 5))])  # fmt: skip
    page.get_by_role("button", name="Draw instances").click(timeout=30_000)
    expect(page.get_by_text("Drawing instances of")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled. Nothing was changed.")).to_be_visible()


def test_a_flip_opens_its_two_systems(serve, browser_page, axe):
    page = browser_page
    page.goto(f"{serve('app.py')}/systems?view=Agreement")
    pairs = page.get_by_role("region", name="Pairs that flip between V-ML and V-BUB")
    expect(pairs).to_be_visible()
    pairs.get_by_role("row").filter(has_text="UoY").filter(has_text="1 : 4").click()
    expect(
        page.get_by_text("By V-ML 1ClI has 0.3160 and UoY 0.1570; by V-BUB 1ClI has −0.0360 and UoY 0.1140.")
    ).to_be_visible()
    assert broken_rules(axe, page) == []


def test_the_report_fetches_nothing(serve, new_page, tmp_path):
    page = new_page()
    page.goto(f"{serve('app.py')}/systems")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Report (HTML, stands alone)").click()
    path = tmp_path / "report.html"
    download.value.save_as(path)
    asked, alone = [], new_page(offline=True)
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(path.as_uri())
    expect(alone.locator(".plotly .main-svg").first).to_be_visible()
    expect(alone.get_by_role("heading", name=STORY)).to_be_visible()
    assert asked == [path.as_uri()]


def test_semeval_2010(serve, browser_page, semeval):
    page = browser_page
    page.goto(f"{serve('app.py')}/systems?source=files")
    expect(page.get_by_text("A link cannot carry uploaded data")).to_be_visible()
    splits = sorted((semeval / "splits_80_20").glob("*.key"))
    drop(page, [*sorted(semeval.glob("*.key")), *splits])
    expect(page.get_by_text("V-ML puts 1cluster-per-instance first; V-BUB puts it last")).to_be_visible(timeout=30_000)
    scores = {name: row(page, name) for name in HARD}
    for name, (clusters, *printed) in HARD.items():
        assert scores[name][0] == f"{float(clusters):.1f}" or abs(float(scores[name][0]) - float(clusters)) <= 0.051
        for cell, value in zip(scores[name][1:5], printed, strict=True):
            shown = 100 * float(cell.replace("−", "-")[: cell.index(".") + 5])  # four decimals, then the rank
            assert round(shown, len(value.partition(".")[2])) == float(value)
    ranks = {name: [cell[cell.index(".") + 5 :] for cell in cells[1:5]] for name, cells in scores.items()}
    assert ranks["1cluster-per-instance"] == ["1", "1", "1", "7"] and ranks["mfs"] == ["7", "7", "7", "6"]
    assert [scores[name][5][:6] for name in ("duluth-wsi", "kcdc-pc-2")] == ["0.6046", "0.5984"]
    page.get_by_role("button", name="Rules").click()
    page.get_by_text("Weighted answers are soft").click()
    page.keyboard.press("Escape")
    expect(leaderboard(page).get_by_role("row").filter(has_text="kcdc-pc-2").get_by_role("cell").nth(1)).to_have_text(
        re.compile("^0.0574"), timeout=30_000
    )
    assert [cell[:6] for cell in row(page, "kcdc-pc-2")[1:5]] == ["0.0574", "0.0364", "0.0235", "0.0217"]
