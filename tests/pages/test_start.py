"""The Start page: its example is computed, and it says who says what."""

import re

import pytest

from evalcore import published, score
from pages.ui.frame import BASES
from pages.ui.style import number
from tests.pages.visit import ROOT, click, component, figures, open_popover, said, visit

R, ALONE = published.solution_r(), published.singletons([10] * 10)


def test_it_asks_before_it_tells():
    app = visit("start")
    assert app.title[0].value == "Two clusterings of the same 100 items. Which one is better?"
    assert "Measure Lab shows" in said(app)
    assert (
        "All of 30 people asked in a study preferred the same one of the two; the V-measure prefers the other."
        in said(app)
    )
    assert not app.get("bidi_component")
    titles = [fig["layout"]["title"]["text"] for fig in figures(app)]
    assert [title.split(":")[0] for title in titles] == ["R", "Singletons"]
    assert len(figures(app)[1]["data"][0]["x"]) == 100


@pytest.mark.parametrize(("answer", "agree"), [("R", "VI, NVI, AMI and V by BUB"), ("singletons", "V and V by JK")])
def test_either_answer_gets_the_verdicts(answer, agree):
    app = click(visit("start"), f"start._pick.{answer}")
    text = said(app)
    assert f"You chose {answer}; so do {agree}. 30 of 30 people" in text
    for measure, estimator in (("V", "ML"), ("VI", "ML"), ("NVI", "ML"), ("AMI", "ML"), ("V", "JK"), ("V", "BUB")):
        r, alone = (number(score(table, [measure], estimator)[measure]) for table in (R, ALONE))
        name = measure if estimator == "ML" else f"{measure} by {estimator}"
        (line,) = re.findall(rf"(?:^|\s){name} [↑↓] says (.*?): ([\d.]+) ([<>]) ([\d.]+)", text)
        assert {line[1], line[3]} == {r, alone}
        assert line[1] == (r if line[0] == "R" else alone)  # the winner first
    # what the page is about
    assert "V ↑ says singletons: 0.667 > 0.592" in text
    assert "NVI ↓ says R: 0.817 < 1.000" in text
    assert app.query_params["answer"] == answer


def test_the_strips_show_both_among_the_extremes():
    app = visit("start", answer="R")
    rows = {row["name"]: row for row in component(app, "strip")["rows"]}
    for name, row in rows.items():
        exact = {mark["name"]: mark["exact"] for mark in row["all"]}
        assert set(exact) == {"R", "singletons", "no knowledge", "perfect"}
        assert exact["R"] == score(R, [name])[name]
        assert exact["singletons"] == score(ALONE, [name])[name]
    at = {name: {mark["label"]: mark["at"] for mark in row["marks"]} for name, row in rows.items()}
    assert at["V"]["singletons"] > at["V"]["R"]
    assert at["NVI"]["singletons"] < at["NVI"]["R"]


def test_a_link_with_nonsense_asks_again():
    app = visit("start", answer="<b>both</b>")
    assert "Which one do you choose?" in said(app)
    assert "The link's “answer” was not used: “<b>both</b>” is not one of R, singletons." in said(app)


@pytest.mark.parametrize("unit", ["nats", "bits"])
def test_the_snippet_gives_every_number_in_the_unit_asked_for(unit):
    app = open_popover(visit("start", answer="R", base=unit), "python")
    printed = []
    exec(app.code[-1].value, {"print": lambda *parts: printed.append(parts)})
    text = said(app)
    for measure, _, estimator, solution, value in printed:
        assert value == score({"R": R, "singletons": ALONE}[solution], [measure], estimator, base=BASES[unit])[measure]
        name = measure if estimator == "ML" else f"{measure} by {estimator}"
        (line,) = re.findall(rf"(?:^|\s){name} [↑↓] says (?:.*?): ([\d.]+ [<>] [\d.]+)", text)
        assert number(value) in line.split()
    assert len(printed) == 2 * len(re.findall(r"[↑↓] says", text))
    marks = {
        mark["name"]: mark["value"]
        for row in component(app, "strip")["rows"]
        if row["name"] == "VI"
        for mark in row["all"]
    }
    assert marks["R"] == ("1.881" if unit == "nats" else "2.714")


def test_there_is_a_way_into_every_page():
    app = visit("start")
    links = {element.proto.page: element.proto.label for element in app.get("page_link")}
    others = {path.stem for path in (ROOT / "pages").glob("*.py")} - {"start"}
    assert {page.rsplit("/", 1)[-1] for page in links} == others
