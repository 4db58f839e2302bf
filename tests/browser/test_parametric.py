"""The Parametric lab in a real browser: a failing cell leads to its counterexample, and to the Matrix lab."""

import re

from playwright.sync_api import expect


def test_a_failing_cell_leads_to_its_counterexample_and_to_the_matrix_lab(serve, browser_page):
    page = browser_page
    page.goto(f"{serve('app.py')}/parametric?view=Properties")
    table = page.get_by_role("table", name="How often each measure does what it ought to")
    expect(table).to_be_visible()
    cell = table.get_by_role("button", name=re.compile(r"^P3, more noise clusters: FM holds in 6,215 of 20,160 cases"))
    cell.click()
    expect(page.get_by_text("FM fails in 13,945 of 20,160 cases (69.2%).")).to_be_visible()
    expect(cell).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("noise clusters = 1: FM = 0.4992")).to_be_visible()
    expect(page.get_by_text("noise clusters = 2: FM = 0.5246")).to_be_visible()
    before = page.get_by_role("region", name="noise clusters = 1")
    expect(before.get_by_role("row")).to_have_count(6)
    expect(before.get_by_role("cell", name="40", exact=True)).to_have_count(5)
    expect(page).to_have_url(re.compile(r"check=P3&measure=FM"))
    page.get_by_role("button", name="Open in Matrix lab").nth(1).click()
    expect(page).to_have_url(re.compile(r"/matrix"))
    expect(page.get_by_text("noise 2").first).to_be_visible()


def test_arrow_keys_move_between_cells(serve, browser_page):
    page = browser_page
    page.goto(f"{serve('app.py')}/parametric?view=Properties&rows=Beyond&set=mine&check=M3&measure=V")
    table = page.get_by_role("table", name="How often each measure does what it ought to")
    chosen = table.get_by_role("button", name=re.compile("^M3, triangle inequality: V holds"))
    chosen.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_text("h fails in 9,940 of 132,600 cases")).to_be_visible()
    expect(page.get_by_role("region", name="d(X, Z)")).to_have_count(1)  # that of V is gone


def test_a_dial_moves_the_blocks_and_a_step_leads_to_its_sweep(serve, browser_page):
    page = browser_page
    page.goto(f"{serve('app.py')}/parametric")
    expect(page.get_by_text("50% of the mass is where it belongs")).to_be_visible()
    page.get_by_role("button", name="Perfect").click()
    expect(page.get_by_text("100% of the mass is where it belongs")).to_be_visible()
    page.get_by_role("button", name="NVI’s trap").click()
    expect(page.get_by_text("50% of the mass is where it belongs")).to_be_visible()
    page.get_by_role("button", name=re.compile("^NVI with one more step of noise classes")).click()
    expect(page.get_by_text("c, NVI, ARI do not always move as they should with noise classes")).to_be_visible()


def test_nothing_stands_in_anyones_way(serve, new_page, axe):
    for scheme in ("light", "dark"):
        page = new_page(color_scheme=scheme)
        for view, seen in (
            ("Solution", "of the mass is where it belongs"),
            ("Sweep", "Up is always better"),
            ("Properties&set=paper", "contradict each other"),
        ):
            page.goto(f"{serve('app.py')}/parametric?view={view}")
            expect(page.get_by_text(seen).first).to_be_visible()
            broken = [(rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in axe(page)]
            assert broken == [], (scheme, view)
