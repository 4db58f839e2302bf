"""Clusterings over k, data sets, and the scores drawn from them."""

import threading
import time

import numpy as np
import pandas as pd
import pytest
from sklearn import datasets as bundled
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.metrics import adjusted_rand_score, v_measure_score
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

import evalcore as ec
from evalcore.clusterers import datasets, sweep

from .test_counts import refused


@pytest.fixture(scope="module")
def iris():
    return datasets.load("iris")


# ---- algorithms --------------------------------------------------------------------------------


@pytest.mark.parametrize("linkage", ["ward", "average"])
def test_agglomerative_labels_equal_scikit_learns(iris, linkage):
    X = iris.X + np.random.default_rng(0).normal(
        0, 1e-6, iris.X.shape
    )  # iris holds duplicates, whose order is arbitrary
    for k, labels in sweep.sweep(X, [1, 2, 3, 7, 40, 150], linkage).items():
        assert len(set(labels.tolist())) == k
        if k > 1:
            assert adjusted_rand_score(AgglomerativeClustering(k, linkage=linkage).fit(X).labels_, labels) == 1


def test_k_means_is_scikit_learns_and_seeded(iris):
    digits = datasets.load("digits")
    for X, k in ((iris.X, 1), (iris.X, 5), (digits.X, 10), (digits.X, 50)):
        solutions = sweep.sweep(X, [k], "k-means", seed=4)
        with threadpool_limits(1):
            expected = KMeans(k, n_init=sweep.STARTS, random_state=4).fit(X).labels_
        assert adjusted_rand_score(expected, solutions[k]) == 1
        assert (sweep.sweep(X, [k], "k-means", seed=4)[k] == solutions[k]).all()


def test_numbers_of_clusters(iris):
    ks = sweep.default_ks(1_797)
    assert ks[0] == 1 and ks[-1] == 100 and ks == sorted(set(ks))
    assert sweep.default_ks(30)[-1] == 30
    for ks in ([0], [151], []):
        refused(lambda ks=ks: sweep.sweep(iris.X, ks, "ward"), "between 1 and 150")
    refused(lambda: sweep.sweep(iris.X, [2], "dbscan"), "k-means, ward, average")
    refused(lambda: sweep.sweep(np.zeros((5_001, 1)), [2], "ward"), "5,001", "5,000")


def test_progress_is_told_and_may_cancel(iris):
    seen = []

    def cancel(done, total, what):
        seen.append((done, total, what))
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep.sweep(iris.X, [1, 3, 4], progress=cancel)
    assert seen[0] == (0, 8, "k-means with 1 cluster, start 1 of 4")
    assert seen[-1] == (1, 8, "k-means with 3 clusters, start 1 of 4")


@pytest.mark.parametrize("algorithm", ["k-means", "ward"])
def test_large_work_is_done_in_pieces_that_change_nothing(iris, monkeypatch, algorithm):
    whole, seen = sweep.sweep(iris.X, [7], algorithm)[7], []
    monkeypatch.setattr(sweep, "PIECE", 1)  # one step of k-means at a time
    monkeypatch.setattr(sweep, "BLOCK", 4 * iris.X.size)  # the distances of four items
    pieces = sweep.sweep(iris.X, [7], algorithm, progress=lambda *call: seen.append(call))[7]
    assert adjusted_rand_score(whole, pieces) == 1
    assert len(seen) > 15  # so often people can cancel
    assert all(done < total for done, total, _ in seen)


def test_too_much_work_for_k_means_is_refused():
    refused(lambda: sweep.sweep(np.zeros((10_000, 2_000)), [200]), "200 clusters", "10,000 items", "is 100 clusters")


def test_without_scikit_learn_it_says_so(monkeypatch, iris):
    monkeypatch.setitem(__import__("sys").modules, "sklearn.cluster", None)
    refused(lambda: sweep.sweep(iris.X, [2]), "scikit-learn", "not installed")


# ---- scores ------------------------------------------------------------------------------------


def test_scores_are_those_of_the_labels(iris):
    solutions = sweep.sweep(iris.X, [2, 3, 9], "ward")
    board = sweep.sweep_scores(solutions, iris.gold, ["V", "ARI", "NVI"], ["ML", "BUB"]).set_index(
        ["measure", "estimator", "k"]
    )["value"]
    for k, labels in solutions.items():
        assert board["V", "ML", k] == pytest.approx(v_measure_score(iris.gold, labels), abs=1e-12)
        assert board["ARI", "", k] == pytest.approx(adjusted_rand_score(iris.gold, labels), abs=1e-12)
        table = ec.Contingency.from_labels(iris.gold, labels)
        assert board["NVI", "BUB", k] == pytest.approx(ec.score(table, ["NVI"], "BUB")["NVI"], abs=1e-12)


def test_a_sample_shows_the_bias(iris):
    solutions = sweep.sweep(iris.X, [30], "ward")
    full = sweep.sweep_scores(solutions, iris.gold, ["V"], ["ML"])["value"][0]
    part = sweep.sweep_scores(solutions, iris.gold, ["V"], ["ML"], sample=40, repeats=30)
    assert part["value"][0] > full + 3 * part["sd"][0] / np.sqrt(30) > full  # V by ML is too high on few items
    again = sweep.sweep_scores(solutions, iris.gold, ["V"], ["ML"], sample=40, repeats=30)
    assert again.equals(part)
    everything = sweep.sweep_scores(solutions, iris.gold, ["V"], ["ML"], sample=150, repeats=2)
    assert everything["value"][0] == pytest.approx(full, abs=1e-12) and everything["sd"][0] < 1e-12
    refused(lambda: sweep.sweep_scores(solutions, iris.gold, ["V"], sample=151), "between 2 and 150")


def test_preferred_numbers_of_clusters():
    rows = [
        ("V", "ML", [0.1, 0.5, 0.4]),
        ("VI", "ML", [1.0, 2.0, 3.0]),
        ("ARI", "", [0.3, 0.2, 0.3]),
        ("AMI", "", [np.nan] * 3),
    ]
    board = pd.concat(
        pd.DataFrame({"k": [1, 4, 9], "measure": measure, "estimator": estimator, "value": values})
        for measure, estimator, values in rows
    ).reset_index(drop=True)
    found = sweep.preferred(board)
    assert found["k"].tolist() == [4, 1, 1, 1]
    assert found["value"].tolist()[:3] == [0.5, 1.0, 0.3]


# ---- data --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "shape", "classes"),
    [
        ("digits", (1797, 64), 10),
        ("iris", (150, 4), 3),
        ("wine", (178, 13), 3),
        ("breast cancer", (569, 30), 2),
    ],
)
def test_bundled_data(name, shape, classes):
    items = datasets.load(name)
    assert items.X.shape == shape and len(set(items.gold.tolist())) == classes
    raw = getattr(bundled, "load_" + name.replace(" ", "_"))()
    assert items.gold[0] == str(raw.target_names[raw.target[0]])
    if name != "digits":
        assert np.allclose(items.X.mean(axis=0), 0) and np.allclose(items.X.std(axis=0), 1)


def test_unknown_data_is_refused():
    refused(lambda: datasets.load("mnist"), "'mnist'", "digits")


def test_newsgroups_that_cannot_be_had_are_explained(monkeypatch):
    def fetch(**options):
        raise OSError("no network")

    monkeypatch.setattr(bundled, "fetch_20newsgroups", fetch)
    refused(lambda: datasets.load("20 newsgroups"), "20 newsgroups", "could not be downloaded", "upload")


def test_a_server_that_does_not_answer_keeps_nobody_waiting(monkeypatch):
    answer, told = threading.Event(), []

    def fetch(download_if_missing=True, **options):
        if download_if_missing:
            answer.wait(30)
        raise OSError("no network")

    def cancel(done, total, what):
        told.append(what)
        if len(told) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(bundled, "fetch_20newsgroups", fetch)
    try:
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            datasets.load("20 newsgroups", cancel)
        monkeypatch.setattr(datasets, "LONGEST_DOWNLOAD", 0.3)
        refused(lambda: datasets.load("20 newsgroups"), "could not be downloaded (TimeoutError)")
        assert time.monotonic() - start < 10 and "downloading 20 newsgroups" in told[0]
    finally:
        answer.set()


def test_newsgroups_that_can_be_had_become_documents(monkeypatch):
    class Found:
        data = [f"engine wheel car {i}" if i % 2 else f"goal match player {i}" for i in range(40)]
        target = np.arange(40) % 2
        target_names = ["rec.sport", "rec.autos"]

    monkeypatch.setattr(bundled, "fetch_20newsgroups", lambda **options: Found)
    items = datasets.load("20 newsgroups")
    assert len(items.X) == 40 and set(items.gold) == {"rec.sport", "rec.autos"}
    assert adjusted_rand_score(items.gold, sweep.sweep(items.X, [2])[2]) == 1


def test_documents_are_unit_vectors_reduced_where_large():
    rng = np.random.default_rng(0)
    words = [f"word{i}" for i in range(300)]
    items = datasets.documents([" ".join(rng.choice(words, 20)) for _ in range(150)], ["a", "b"] * 75)
    assert items.X.shape == (150, 100) and np.allclose(np.linalg.norm(items.X, axis=1), 1)
    refused(lambda: datasets.documents(["the", "of"], ["a", "b"]), "no words")
    refused(lambda: datasets.documents(["only one"], ["a"]), "two texts")


def test_documents_are_read_from_lines():
    items = datasets.read_documents(b"sport\tgoal match, goal\nsport\tmatch player\n\ncars\tengine wheel", "posts.tsv")
    assert items.gold.tolist() == ["sport", "sport", "cars"]
    refused(lambda: datasets.read_documents(b"sport\tgoal\nno tab here", "posts.tsv"), "posts.tsv, line 2", "tab")
    refused(lambda: datasets.read_documents(b"just text", "posts.tsv"), "one column")


def test_features_are_read_and_standardised():
    items = datasets.read_features(b"label;x;y\na;1;10\nb;3;10\nb;5;10", "points.csv")
    assert items.gold.tolist() == ["a", "b", "b"]
    assert items.X[:, 1].tolist() == [0, 0, 0] and items.X[:, 0].std() == pytest.approx(1)


@pytest.mark.parametrize("unit", [1e-300, 1e-14, 1, 1e200])
def test_the_unit_of_a_feature_does_not_matter(unit):
    rows = "".join(f"{x * unit},0.1,{c}\n" for x, c in ((1, "a"), (2, "b"), (6, "b")))
    items = datasets.read_features(f"x,y,class\n{rows}".encode(), "points.csv")
    expected = StandardScaler().fit_transform(np.array([[1.0], [2.0], [6.0]]))[:, 0]
    assert items.X[:, 0] == pytest.approx(expected, rel=1e-12) and (items.X[:, 1] == 0).all()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x,y,class\n1,2,a\n1,?,b", ["points.csv, line 3", "'?'"]),
        ("x,y,class\n1,2,a\n1,nan,b", ["line 3", "'nan'"]),
        ("x,y,class\n1,2,\n1,2,b", ["line 2", "class is missing"]),
        ("x,y,class", ["no items"]),
        ("x\n1", ["one column"]),
        ("x,y,class\n1,2,a\n1,2", ["line 3"]),
        ("x,class\n1,a", ["two items"]),
    ],
)
def test_bad_features_are_refused_with_file_and_line(text, words):
    refused(lambda: datasets.read_features(text.encode(), "points.csv"), *words)


def test_too_many_items_are_refused():
    refused(lambda: datasets.Items("big", np.zeros((10_001, 1)), np.zeros(10_001), ""), "10,001", "10,000")
