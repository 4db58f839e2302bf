"""python -m evalcore cluster, as the command line calls it."""

import json

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from evalcore.cli import Parser
from evalcore.clusterers import counts, datasets, distributional, experiments, mdl, sweep
from evalcore.commands import cluster
from evalcore.errors import InputError
from evalcore.tables import read_labels


def run(*arguments):
    parser = Parser(prog="cluster", allow_abbrev=False)
    cluster.add_options(parser)
    return cluster.run(parser.parse_intermixed_args(list(map(str, arguments))))


def rows(*arguments):
    return json.loads(run(*arguments, "--format", "json"))


@pytest.fixture
def files(tmp_path):
    pairs, classes, text, points = (tmp_path / name for name in ("pairs.csv", "classes.csv", "text.txt", "points.csv"))
    frame = counts.made(12, 8, 2, sample_size=600).to_frame()
    pairs.write_text("".join(f"{noun},{verb},{n}\n" for noun, row in frame.iterrows() for verb, n in row.items()))
    classes.write_text("".join(f"{noun},{noun[0]}\n" for noun in frame.index))
    text.write_text("Cats chase mice. Dogs chase cats. Mice eat cheese. Dogs eat bones. " * 20)
    points.write_text("x,y,class\n" + "".join(f"{i % 2 * 9 + i / 100},{i % 3},{'ab'[i % 2]}\n" for i in range(30)))
    return tmp_path


def test_a_made_model_by_mdl():
    pairs = counts.made(sample_size=500, seed=3)
    tree = mdl.cluster(pairs, seed=3)
    found = rows("made", "--pairs", 500, "--seed", 3, "--measures", "V,ARI", "--estimators", "ML,BUB")
    assert [row["k"] for row in found] == list(range(1, len(tree.leaves()) + 1))
    assert found[-1]["total"] == pytest.approx(tree.history[-1].total)
    scores = ec.score(pairs.contingency(tree.labels()), ["V", "ARI"], "BUB")
    assert (found[-1]["V-BUB"], found[-1]["ARI"]) == (
        pytest.approx(scores["V"]),
        pytest.approx(scores["ARI"]),
    )


@pytest.mark.parametrize("memberships", [False, True])
def test_soft_clusters_of_a_file(files, memberships):
    found = rows(
        files / "pairs.csv",
        "--classes",
        files / "classes.csv",
        "--algorithm",
        "soft",
        "--most",
        3,
        *["--memberships"] * memberships,
    )
    from evalcore.clusterers.corpora import read_classes, read_pairs, with_classes

    pairs = with_classes(read_pairs(files / "pairs.csv"), read_classes(files / "classes.csv"))
    snapshots = distributional.anneal(pairs, 3).by_k()
    assert [row["k"] for row in found] == list(snapshots)
    for row, snapshot in zip(found, snapshots.values(), strict=True):
        table = pairs.soft_contingency(snapshot.memberships) if memberships else pairs.contingency(snapshot.labels())
        assert row["V-JK"] == pytest.approx(ec.score(table, ["V"], "JK")["V"], abs=1e-12)
        assert row["beta"] == pytest.approx(snapshot.beta)


def test_words_of_a_text_without_classes_have_lengths_but_no_scores(files):
    found = rows(files / "text.txt", "--text", "--window", 1)
    assert set(found[0]) == {"k", "model", "parameters", "data", "total"}


def test_items_by_every_algorithm(files):
    for algorithm in ("k-means", "ward", "average"):
        found = rows(
            files / "points.csv",
            "--algorithm",
            algorithm,
            "--most",
            4,
            "--measures",
            "V",
            "--estimators",
            "ML",
        )
        assert [row["k"] for row in found] == [1, 2, 3, 4]
    assert rows("iris", "--algorithm", "ward", "--most", 3, "--measures", "ARI")[2]["ARI"] == pytest.approx(
        0.615, abs=0.001
    )
    assert 10 in [row["k"] for row in rows("digits", "--most", 12, "--measures", "V")]  # by k-means, with the true k


def test_items_scored_on_samples_in_bits():
    found = rows("iris", "--algorithm", "ward", "--most", 3, "--sample", 40, "--measures", "VI", "--base", 2)
    items = datasets.load("iris")
    board = sweep.sweep_scores(sweep.sweep(items.X, [1, 2, 3], "ward"), items.gold, ["VI"], ["JK"], sample=40)
    assert [row["VI-JK"] * np.log(2) for row in found] == pytest.approx(board["value"].tolist())


def test_studies_are_those_of_the_page():
    found = rows("made", "--study", "sizes", "--nouns", 12, "--true", 2, "--verbs", 8, "--frequency-skew", 1)
    trials = experiments.experiment_1(counts.known_model(12, 8, 2, 1.5, 1.0), measures=["V", "VI", "NVI"])
    means = trials.groupby(["energy", "size"]).mean()
    assert [(row["leaves"], row["NVI"]) for row in found] == [*zip(means["leaves"], means["NVI"], strict=True)]
    pairs = counts.made(sample_size=900)
    for study, expected in (
        ("held-out", experiments.held_out_curves(pairs, max_clusters=4)["held_out"]),
        ("verbs", experiments.verb_decisions(pairs, max_clusters=4)["all"]),
    ):
        found = pd.DataFrame(rows("made", "--pairs", 900, "--study", study, "--most", 4))
        assert np.allclose(found["held_out" if study == "held-out" else "all"], expected)


def test_the_terminal_says_what_is_happening(monkeypatch):
    said = []
    monkeypatch.setattr(cluster.ProgressBar, "__call__", lambda bar, done, total: said.append(bar.what))
    for algorithm, words in (("mdl", "leaves; dividing"), ("soft", "beta 1")):
        run("made", "--pairs", 500, "--algorithm", algorithm)
        assert any(words in what for what in said)
    run("iris", "--most", 3)
    assert "k-means with 3 clusters" in said[-1]


def test_labels_go_back_into_score(files):
    text = run(files / "pairs.csv", "--classes", files / "classes.csv", "--labels", "--format", "csv")
    labels = read_labels(text.encode(), "labels.csv")
    assert labels.items[0] == "A1" and list(labels.systems)[0] == "mdl 1"
    assert labels.table("mdl 2").shape == (2, 2)


@pytest.mark.parametrize(
    "arguments",
    [
        ("no-such-file",),
        ("made", "--true", 99),
        ("made", "--memberships"),
        ("made", "--algorithm", "x"),
        ("made", "--algorithm", "soft", "--most", 1),
        ("made", "--pairs", 0),
        ("made", "--nouns", 0),
        ("made", "--most", 0, "--algorithm", "soft"),
        ("made", "--seed", -1),
        ("made", "--seed", "x"),
        ("made", "--window", 2),
        ("made", "--text"),
        ("made", "--algorithm", "k-means"),
        ("made", "--sample", 9),
        ("iris", "--algorithm", "mdl"),
        ("iris", "--memberships"),
        ("iris", "--study", "held-out"),
        ("iris", "--classes", "x"),
        ("iris", "--most", -3),
        ("pairs.csv", "--study", "sizes"),
    ],
)
def test_bad_input_is_one_sentence(arguments):
    with pytest.raises(InputError) as caught:
        run(*arguments)
    assert "\n" not in str(caught.value)
