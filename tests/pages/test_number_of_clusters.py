"""Number of clusters: what is drawn is what evalcore computes; links, files and their faults."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine
from sklearn.metrics import v_measure_score
from sklearn.preprocessing import StandardScaler

from evalcore import Contingency, InputError, score
from evalcore.clusterers import datasets, sweep
from pages.ui import clusters_figures, clusters_source
from pages.ui.clusters_scores import SHOWN
from pages.ui.style import number
from tests.pages import visit
from tests.pages.sampling_lab import lines, title
from tests.pages.visit import unpacked

TABLE = b"x,y,class\n" + b"".join(f"{i % 3 * 10 + i / 50},{i % 3 * 7},{'abc'[i % 3]}\n".encode() for i in range(30))


def opened(upload=None, **link):
    if upload is None:
        return visit.visit("number_of_clusters", **link)
    app = visit.AppTest.from_file(str(visit.ROOT / "pages" / "number_of_clusters.py"), default_timeout=60)
    for name, value in link.items():
        app.query_params[name] = str(value)
    app.session_state[clusters_source.UPLOADS] = {link["data"]: upload}
    return visit.run(app)


def drawn(app):
    (only,) = visit.figures(app)
    return unpacked(only)


def hover(figure):
    return {t["name"]: t["customdata"] for t in figure["data"] if t.get("customdata")}


@pytest.fixture(scope="module")
def wine():
    items = datasets.load("wine")
    ks = sweep.ks_around(items.gold, 100)
    return items, sweep.sweep(items.X, ks, "k-means", 0)


def test_the_first_screen_tells_the_story():
    app = opened()
    figure = drawn(app)
    assert title(figure) == "V, Q₂ and AMI like k = 14, VI, NVI and ARI k = 11; there are 10 classes"
    assert set(hover(figure)) == {"V", "VI", "NVI", "Q₂", "AMI", "ARI", "h", "c"}
    assert "1,797 items in 10 classes" in visit.said(app)
    assert figure["layout"]["xaxis"]["type"] == "log"


def test_values_are_those_of_the_clusterings(wine):
    items, solutions = wine
    figure = drawn(opened(data="wine"))
    board = sweep.sweep_scores(solutions, items.gold, SHOWN).set_index(["measure", "k"])["value"]
    for name, text in hover(figure).items():
        measure = "Q2" if name == "Q₂" else name
        unit = " nats" if measure == "VI" else ""
        assert text == [number(board[measure, k]) + unit for k in solutions]
    x = lines(figure)["V"][0]
    assert x == list(solutions) and 3 in x
    # the whole way again with scikit-learn alone
    raw = load_wine()
    labels = KMeans(9, n_init=4, random_state=0).fit(StandardScaler().fit_transform(raw.data)).labels_
    assert hover(figure)["V"][x.index(9)] == number(v_measure_score(raw.target, labels))


def test_up_is_better_for_every_line(wine):
    figure = drawn(opened(data="wine"))
    found = lines(figure)
    for name in ("V", "VI", "ARI"):
        x, y = found[name]
        assert max(y) == 1 and min(y) == 0
        values = [float(text.split()[0].replace("−", "-")) for text in hover(figure)[name]]
        best = min(values) if name == "VI" else max(values)
        assert values[y.index(1)] == best and x[y.index(1)] == 3
    assert found["VI"][1] == pytest.approx(found["NVI"][1], abs=1e-9)  # the same classes, so the same shape


def test_heights():
    heights = clusters_figures.from_worst_to_best
    assert heights(np.array([2.0, 4.0, 3.0]), True).tolist() == [0, 1, 0.5]
    assert heights(np.array([2.0, 4.0, 3.0]), False).tolist() == [1, 0, 0.5]
    assert heights(np.array([2.0, 2.0]), True).tolist() == [1, 1]
    assert np.isnan(heights(np.array([np.nan, np.nan]), True)).all()


def test_information_comes_in_the_visitors_unit():
    nats, bits = (hover(drawn(opened(data="iris", algorithm="ward", **more))) for more in ({}, {"base": "bits"}))
    first, second = float(nats["VI"][0].split()[0]), float(bits["VI"][0].split()[0])
    assert second == pytest.approx(first / np.log(2), abs=2e-3) and bits["VI"][0].endswith("bits")
    assert nats["V"] == bits["V"]


def test_estimators_on_samples_show_the_bias(wine):
    items, solutions = wine
    app = opened(data="wine", view="Estimators", sample=50, k=100, estimators="ML,BUB", seed=3)
    solutions = sweep.sweep(items.X, list(solutions), "k-means", 3)
    board = sweep.sweep_scores(solutions, items.gold, ["V"], ["ML", "BUB"], 50, 20, 3)
    whole = sweep.sweep_scores(solutions, items.gold, ["V"], ["ML", "BUB"])
    figure = drawn(app)
    found = lines(figure)
    for name in ("ML", "BUB"):
        assert found[name][1] == pytest.approx(board[board.estimator == name]["value"].tolist(), abs=1e-12)
    assert found["ML all"][1] == pytest.approx(whole[whole.estimator == "ML"]["value"].tolist(), abs=1e-12)
    at = board[board.k == 100].set_index("estimator")["value"]
    everything = whole[(whole.k == 100) & (whole.estimator == "ML")]["value"].item()
    assert title(figure) == (
        f"k = 100: 50 items make V {number(at['ML'])} by ML, {number(at['BUB'])} by BUB; "
        f"all make it {number(everything)} by ML"
    )
    assert at["ML"] > everything


def test_lower_is_better_turns_the_axis_and_some_measures_need_no_estimator():
    figure = drawn(opened(data="iris", algorithm="ward", view="Estimators", one="VI"))
    low, high = figure["layout"]["yaxis"]["range"]
    assert low > high
    figure = drawn(opened(data="iris", algorithm="ward", view="Estimators", one="ARI", sample=50))
    assert title(figure).startswith("ARI likes k = 3 and needs no estimator")


def test_a_sample_of_more_than_all_items_is_all_items():
    few, all_items = (opened(data="iris", algorithm="ward", sample=n) for n in (200, 0))
    assert drawn(few)["data"] == drawn(all_items)["data"]
    assert "no more than 150 items, so all are scored" in visit.said(few)


def test_the_chosen_k_has_strips_and_goes_to_the_tray(wine):
    items, solutions = wine
    app = opened(data="wine", by="JK")
    assert visit.strip_values(app)["V"] == number(score_of(items, solutions[3], "V", "JK"))
    app.select_slider(key="clusters._k").set_value(9)
    app = visit.run(app)
    assert app.query_params["k"] in ("9", ["9"])
    for name, text in visit.strip_values(app).items():
        assert text == number(score_of(items, solutions[9], name, "JK"))
    visit.click(app, "clusters.tray.wine.k-means.9.add")
    (solution,) = app.session_state["_tray"]
    assert solution.name == "Wines, k-means, k = 9"
    expected = Contingency.from_labels(items.gold, solutions[9])
    assert (solution.table.counts == expected.counts).all() and solution.table.clusters[0] == "k1"


def test_any_measure_can_be_drawn_once():
    figure = drawn(opened(data="iris", algorithm="ward", m="FM,V,c"))
    items = datasets.load("iris")
    solutions = sweep.sweep(items.X, sweep.ks_around(items.gold, 100), "ward")
    assert list(hover(figure)) == ["V", "c", "FM"]
    for name, text in hover(figure).items():
        assert text == [number(score_of(items, labels, name, "ML")) for labels in solutions.values()]


def test_the_strips_are_the_measures_of_the_settings():
    app = opened(data="iris", algorithm="ward", measures="V,FM")
    assert list(visit.strip_values(app)) == ["V", "FM"]
    assert set(hover(drawn(app))) == {"V", "VI", "NVI", "Q₂", "AMI", "ARI", "h", "c"}  # the picture has its own


def score_of(items, labels, measure, estimator):
    return score(Contingency.from_labels(items.gold, labels), [measure], estimator)[measure]


def test_a_k_that_was_not_tried_gives_the_nearest_and_large_ones_do_not_open_in_the_grid():
    app = opened(data="iris", algorithm="ward", k=9999, largest=200)
    assert app.select_slider(key="clusters._k").value == 150
    assert app.button(key="clusters._open").disabled
    assert not opened(data="iris", algorithm="ward").button(key="clusters._open").disabled


@pytest.mark.parametrize(
    "link",
    [
        {"data": "wine"},
        {"data": "iris", "algorithm": "average", "view": "Estimators", "one": "NVI", "sample": 30, "seed": 5},
    ],
)
def test_the_python_shown_gives_the_same_numbers(link):
    app = visit.open_popover(opened(**link), "python")
    (code,) = (c.value for c in app.code if "evalcore" in c.value)
    scope = {}
    exec(code, scope)
    board = scope["board"]
    figure = drawn(app)
    if "view" not in link:
        rows = board[board.measure == "V"]["value"]
        assert hover(figure)["V"] == [number(x) for x in rows]
    else:
        assert lines(figure)["ML"][1] == pytest.approx(board[board.estimator == "ML"]["value"].tolist(), abs=1e-12)


def test_a_file_is_clustered_and_its_link_says_what_it_lacks():
    app = opened(data="table")
    assert "A link cannot carry uploaded data" in visit.said(app) and not visit.figures(app)
    app = opened(("points.csv", TABLE), data="table", algorithm="ward")
    assert title(drawn(app)).endswith("k = 3; there are 3 classes")
    assert visit.strip_values(app)["ARI"] == "1.000"
    assert "A link keeps the settings, not the file" in visit.said(app)
    texts = b"".join(
        f"{'ab'[i % 2]}\t{'goal match player' if i % 2 else 'engine wheel car'} {i}\n".encode() for i in range(20)
    )
    app = opened(("posts.tsv", texts), data="texts")
    assert visit.strip_values(app)["V"] == "1.000" and "tf-idf" in visit.said(app)


@pytest.mark.parametrize(("source", "content", "words"), [
    ("table", b"x,class\n1,a\nmany,b", ["points.csv, line 3", "'many' is not a number"]),
    ("table", b"\x89PNG\r\n\x1a\n\x00\x00", ["points.csv"]),
    ("table", b"", ["points.csv"]),
    ("table", b"x,class\n" + b"1,a\n" * 10_001, ["10,001", "10,000"]),
    ("texts", b"only text", ["points.csv", "one column"]),
])  # fmt: skip
def test_a_bad_file_gets_one_sentence(source, content, words):
    app = opened(("points.csv", content), data=source)
    (error,) = app.error
    said = visit.unescaped(error.value)
    assert all(word in said for word in words) and "\n" not in said
    assert not visit.figures(app)
    assert [visit.unescaped(e.value) for e in visit.run(app).error] == [said]  # it stays until another file comes


def test_names_from_files_are_data():
    nasty = b"x,class\n" + b"".join(
        f"{i % 2 * 9 + i / 99},{'<b>**b**' if i % 2 else '%{y}'}\n".encode() for i in range(12)
    )
    app = opened(("<img>**b**.csv", nasty), data="table", algorithm="ward")
    assert "**b**" not in next(c.value for c in app.caption if "items in 2 classes" in c.value)


def test_newsgroups_wait_to_be_asked_and_may_fail_again_and_again(monkeypatch):
    def load(name, progress):
        raise InputError("20 newsgroups is not on this machine and could not be downloaded (URLError).")

    monkeypatch.setattr(datasets, "load", load)
    app = opened(data="20 newsgroups")
    assert not app.error and "Fetches 14 MB" in visit.said(app)
    for _ in range(2):
        visit.click(app, "run.clusters.sweep")
        (error,) = app.error
        assert "could not be downloaded" in visit.unescaped(error.value)  # and the button is back


def test_too_many_items_for_a_tree_are_refused():
    content = b"x,class\n" + b"".join(f"{i},{i % 2}\n".encode() for i in range(5_001))
    (error,) = opened(("big.csv", content), data="table", algorithm="ward").error
    assert "5,001 items are too many for agglomerative" in visit.unescaped(error.value)


def test_one_class_or_no_measure_is_no_accident():
    one = b"x,class\n" + b"".join(f"{i},a\n".encode() for i in range(12))
    app = opened(("one.csv", one), data="table", algorithm="ward")
    assert title(drawn(app)).endswith("there is 1 class")
    assert set(hover(drawn(opened(data="iris", algorithm="ward", m="")))) == {"V"}


def test_items_that_are_the_same_share_a_cluster():
    same = b"x,class\n" + b"1,a\n2,b\n" * 6
    app = opened(("same.csv", same), data="table", k=12)
    assert "All 12 items in 2 clusters (of 12 asked for: some items are the same)" in visit.said(app)


def test_bad_links_are_told():
    app = opened(data="mnist", sample="7", k="-1")
    told = [visit.unescaped(warning.value) for warning in app.warning]
    for name in ("data", "sample", "k"):
        assert any(f"The link's “{name}” was not used" in text for text in told)
    assert title(drawn(app)).endswith("there are 10 classes")
