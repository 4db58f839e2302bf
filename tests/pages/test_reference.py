"""The Reference page: every entry is there and is found, and shows what evalcore computes."""

import itertools
import math
import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from evalcore import ESTIMATORS, MEASURES, InputError, coefficients, entropy, published, score
from evalcore.disagreement import same_order
from evalcore.entropy.enumerated import small_sample_bias
from evalcore.extremes import EXTREMES, extreme_solutions
from evalcore.judges import Judge
from pages.ui.reference_cases import SAMPLE_SIZES, SHOWN_SIZES, SIZES, TRUTH
from pages.ui.reference_entry import snippet
from pages.ui.reference_index import KINDS, found, searched, written
from pages.ui.reference_notes import NOTES, TELLING, ranks_like, telling
from pages.ui.style import number
from tests.pages.parametric_lab import component, figure, ran

PAGE = str(Path(__file__).resolve().parent.parent.parent / "pages" / "reference.py")
ENTRIES = [*MEASURES, *ESTIMATORS]


def opened(**link):
    app = AppTest.from_file(PAGE, default_timeout=60)
    for name, value in link.items():
        app.query_params[name] = str(value)
    app.run()
    assert not app.exception
    return app


def said(app):
    texts = [e.proto.body for e in app.get("html")] + [
        e.value for kind in (app.caption, app.info, app.error) for e in kind
    ]
    return re.sub("<style>.*?</style>|<[^>]*>", " ", " ".join(texts), flags=re.DOTALL)


def rows(app):
    """The index: for each entry the texts of its cells."""
    data = component(app, "measure_lab_entries")
    return {
        row["name"]: [cell["text"] for cell in row["cells"]] for section in data["sections"] for row in section["rows"]
    }


@pytest.fixture(scope="module")
def start():
    return opened()


# ---- the index -----------------------------------------------------------------------------------


def test_every_measure_and_estimator_is_listed_once(start):
    data = component(start, "measure_lab_entries")
    names = [row["name"] for section in data["sections"] for row in section["rows"]]
    assert sorted(names) == sorted(ENTRIES) and data["chosen"] == "V"
    for section in data["sections"]:
        families = [family for family, _ in itertools.groupby(row["family"] for row in section["rows"])]
        assert len(families) == len(set(families))
        assert all(len(row["cells"]) == len(section["columns"]) for row in section["rows"])


@pytest.mark.parametrize(("sizes", "by"), [(SIZES, "ML"), ((7, 4, 1), "ML"), ((7, 4, 1), "BUB"), ((3,), "JK")])
def test_the_numbers_are_those_of_evalcore(sizes, by):
    shown = rows(opened(sizes=", ".join(map(str, sizes)), by=by))
    for place, (case, table) in enumerate(extreme_solutions(sizes).items()):
        for name, m in MEASURES.items():
            try:
                value = (
                    math.nan
                    if m.needs == "split"
                    else score(table, [name], by if m.needs == "entropies" else "ML")[name]
                )
            except InputError:  # the solution without knowledge has fractions
                assert case == "no knowledge" and by != "ML"
                value = math.nan
            assert shown[name][place] == written(value), (name, case)
    for name in ESTIMATORS:
        expected = [entropy(sizes, name), *(small_sample_bias(TRUTH, n, name) for n in SHOWN_SIZES)]
        assert shown[name] == [number(expected[0]), *map(written, expected[1:])]


def test_solution_r_has_the_papers_numbers(start):
    at = list(EXTREMES).index("R")
    assert [rows(start)[name][at] for name in ("V", "VI", "NVI")] == ["0.592", "1.881", "0.817"]


def test_better_is_deeper_whatever_the_direction(start):
    for row in component(start, "measure_lab_entries")["sections"][0]["rows"]:
        tints = [cell["tint"] for cell in row["cells"]]
        if row["name"] == "SR":
            assert tints == [None] * len(EXTREMES)
        else:
            assert tints[list(EXTREMES).index("perfect")] == max(tints) == 36 and min(tints) == 2


def test_bits(start):
    nats, bits = rows(start)["VI"], rows(opened(base="bits"))["VI"]
    assert bits[0] == number(math.log2(10)) and bits != nats
    assert f"VI = {number(score(published.solution_r(), ['VI'], base=2)['VI'])}" in said(
        opened(base="bits", entry="VI")
    )


@pytest.mark.parametrize(
    ("sizes", "says"),
    [
        ("3, x", "“x” is none"),
        ("", "at least one class size"),
        ("999, 2", "1,001 in 2"),
        (", ".join(["1"] * 41), "41 in 41"),
    ],
)
def test_sizes_that_cannot_be_used_are_named_and_the_page_goes_on(sizes, says):
    app = opened()
    app.text_input(key="reference.sizes").set_value(sizes).run()
    assert (
        not app.exception
        and says in app.error[0].value.replace("\\", "")
        and "Ten classes of ten" in app.error[0].value
    )
    assert rows(app)["NVI"][list(EXTREMES).index("R")] == "0.817"


def test_written():
    assert [written(x) for x in (-1e-17, 0.5915, 900, 9000, -0.25, math.nan)] == [
        "0.000",
        "0.592",
        "900",
        "9,000",
        "−0.250",
        "–",
    ]


# ---- searching and links -------------------------------------------------------------------------


def test_every_entry_is_found_by_its_name_title_and_author():
    for name in ENTRIES:
        m = MEASURES.get(name)
        label, reference = (m.title, m.reference) if m else (ESTIMATORS[name].label, ESTIMATORS[name].reference)
        for words in (name, label, reference.split()[0].strip(",")):
            assert name in found(words, "all"), words
        assert name in [n for kind in KINDS if kind != "all" for n in found("", kind)]


def test_searches():
    assert found("meila heckerman", "all") == ["one_to_one", "H"]
    assert found("B3", "matching") == ["BCubed_P", "BCubed_R", "BCubed_F"]
    assert set(found("corrected for chance", "pairs")) == {"ARI", "Gamma"}
    assert found("jackknife", "all") == ["JK"] and found("no such thing", "all") == []
    assert set(found("", "estimators")) == set(ESTIMATORS)


@pytest.mark.parametrize(
    ("find", "opens"),
    [("jackknife", "JK"), ("H", "H"), ("h", "h"), ("nvi", "NVI"), ("homogeneity", "V"), ("zzz", "V")],
)
def test_a_search_opens_what_it_names(find, opens):
    page = dict(find=find, kind="all", entry="V")
    searched(page)
    assert page["entry"] == opens


def test_searching_on_the_page():
    app = opened()
    app.text_input(key="reference.find").set_value("fowlkes").run()
    assert list(rows(app)) == ["FM"] and "Fowlkes and Mallows index" in said(app)
    app.text_input(key="reference.find").set_value("nothing like it").run()
    assert (
        rows(app) == {} and "Nothing fits" in component(app, "measure_lab_entries")["empty"] and "Fowlkes" in said(app)
    )


def test_a_link_opens_an_entry_and_a_wrong_one_is_told():
    assert component(opened(entry="BUB", kind="estimators"), "measure_lab_entries")["chosen"] == "BUB"
    app = opened(entry="nonsense")
    assert "was not used" in app.warning[0].value and component(app, "measure_lab_entries")["chosen"] == "V"


# ---- one entry -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ENTRIES)
def test_every_entry_opens_with_all_that_the_registry_knows(name):
    app = opened(entry=name, sizes="4, 3, 2")
    text = said(app).replace("&#x27;", "'").replace("&amp;", "&")
    formulas = app.latex[0].value
    if name in MEASURES:
        m = MEASURES[name]
        wanted = [
            m.title,
            f"{m.symbol} {m.arrow}",
            m.rewards,
            m.range.replace("-", "−"),
            m.reference,
            m.convention[1:],
        ]
        wanted.append("Higher is better" if m.higher_is_better else "Lower is better")
        assert m.formula in formulas
    else:
        e = ESTIMATORS[name]
        wanted = [e.label, e.summary, e.reference, number(entropy([4, 3, 2], name))]
        assert all(part.strip() in formulas for part in re.split(r",\s*\\quad", e.formula))
    assert [words for words in wanted if words not in text] == []
    assert [e.value for e in app.info] == ([NOTES[name]] if name in NOTES else [])
    assert [b.label for b in app.button if b.key == "reference.try"] == ["Try it"]


def test_the_strip_shows_the_extreme_solutions():
    strip = component(opened(entry="NVI"), "measure_lab_strip")["rows"]
    assert len(strip) == 1 and {mark["name"]: mark["value"] for mark in strip[0]["all"]} == {
        "one cluster": "1.000",
        "singletons": "1.000",
        "no knowledge": "2.000",
        "halved": "0.301",
        "R": "0.817",
        "perfect": "0.000",
    }


@pytest.mark.parametrize("name", ["JK", "ML", "NSB"])
def test_the_bias_figure_is_exact(name):
    lines = {trace["name"]: trace for trace in figure(opened(entry=name))["data"]}
    assert set(lines) == {"ML", name} and tuple(lines[name]["x"]) == SAMPLE_SIZES
    np.testing.assert_allclose(lines[name]["y"], [small_sample_bias(TRUTH, n, name) for n in SAMPLE_SIZES])


@pytest.mark.parametrize("name", ["BUB", "MM"])
def test_the_coefficients_figure(name):
    drawn = figure(opened(entry=name, figure="coefficients"))
    line = next(trace for trace in drawn["data"] if trace["name"] == name)
    np.testing.assert_allclose(line["y"], coefficients(name, 20, 4))
    assert ("4 outcomes" in drawn["layout"]["title"]["text"]) == ESTIMATORS[name].uses_support


@pytest.mark.parametrize(
    ("entry", "by"), [("NVI", "ML"), ("V", "BUB"), ("ARI", "ML"), ("SR", "ML"), ("JK", "ML"), ("NSB", "ML")]
)
def test_the_snippet_prints_what_the_page_shows(entry, by):
    app = opened(entry=entry, by=by, sizes="6, 5, 2", base="bits")
    printed = ran(snippet(entry, (6, 5, 2), by, 2.0)).splitlines()
    if entry == "SR":
        assert printed == ["0.5"]
        return
    last = [line.rsplit(" ", 1)[1] for line in printed]
    shown = rows(app)[entry]
    assert len(last) == len(shown)
    for text, cell in zip(last, shown):
        assert cell == ("–" if text == "it." or text.endswith("them.") else written(float(text)))


# ---- notes and telling tables --------------------------------------------------------------------


def test_notes_and_tables_belong_to_entries():
    assert set(NOTES) <= set(ENTRIES)
    assert set(TELLING) == {name for name, m in MEASURES.items() if m.needs != "split"}
    for name in ENTRIES:
        table, says = telling(name)
        assert says
        assert name == "SR" if table is None else table.is_whole and max(table.shape) <= 30


def test_what_is_said_of_the_telling_tables_is_true():
    def of(name, *measures):
        return [float(score(TELLING[name][0], [m])[m]) for m in measures]

    assert of("h", "h", "purity", "BCubed_P", "pair_P", "NMI_min") == [1] * 5 and of("Entropy", "Entropy") == [0]
    assert of("V", "V")[0] > 0.5 and of("V", "ARI")[0] == 0
    assert of("c", "c", "inverse_purity", "BCubed_R", "pair_R") == [1] * 4
    a = published.figure_2()["A"]
    assert of("F", "F")[0] == pytest.approx(score(a, ["F"])["F"]) and of("F", "V")[0] > score(a, ["V"])["V"] + 0.2
    assert max(of("AMI", "AMI", "AMI_max", "ARI", "Gamma")) < -0.1 and of("AMI", "V")[0] > 0.25
    assert of("Rand", "Rand")[0] > 0.9 and of("Rand", "ARI")[0] == 0
    assert of("FM", "FM")[0] > 0.95 and of("FM", "BCubed_F")[0] < of("FM", "FM")[0]
    assert of("one_to_one", "one_to_one_greedy", "one_to_one") == pytest.approx([5 / 13, 8 / 13])
    assert score(telling("BUB")[0], ["V"], "BUB")["V"] < 0.2


def test_ranks_like_says_what_the_finder_knows():
    for name in TELLING:
        others, why = ranks_like(name)
        known = [other for other in TELLING if other != name and same_order(Judge.of(name), Judge.of(other))]
        assert others == known and bool(why) == bool(others)
