"""The command line: results and formats. Bad input is in test_cli_process."""

import csv
import io
import json

import pytest
from sklearn.metrics import v_measure_score

from evalcore import ESTIMATORS
from evalcore.cli import COMMANDS, main
from evalcore.keys import read_key
from evalcore.words import score_key

from .command_files import GOLD, SYSTEM, write_files


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_files(tmp_path)


@pytest.fixture
def run(folder, capsys):
    def run(*arguments):
        code = main(arguments)
        out, err = capsys.readouterr()
        assert code == 0 and err == "", err
        return out

    return run


def records(text):
    return json.loads(text)


def test_score(run):
    out = run("score", "gold.key", "keys/mine.key", "--measures", "V")
    head, line = out.splitlines()
    assert head.split() == ["system", "clusters_per_word", "V-ML", "V-MM", "V-JK", "V-BUB"]
    v = 4 / 6 * v_measure_score([0, 0, 1, 1], [0, 0, 0, 1])
    assert line.split()[:3] == ["mine", "1.5000", f"{v:.4f}"]


def test_score_is_what_the_library_says(run):
    gold, system = read_key(GOLD.encode()), read_key(SYSTEM.encode())
    for options, flags in [
        ({}, []),
        (dict(soft=True), ["--soft"]),
        (dict(average="words"), ["--average", "words"]),
        (dict(average="pooled", missing="drop"), ["--average", "pooled", "--missing", "drop"]),
        (dict(missing="singletons", base=2), ["--missing", "singletons", "--base", "2"]),
    ]:
        (record,) = records(run("score", "gold.key", "keys/mine.key", "--format", "json", *flags))
        scores = score_key(gold, system, ["V", "VI", "NVI"], ["ML", "MM", "JK", "BUB"], **options)
        expected = {f"{row.measure}-{row.estimator}": row.value for row in scores.itertuples()}
        assert record == {"system": "mine", "clusters_per_word": scores.clusters_per_word[0], **expected}


def test_a_folder_of_keys(run):
    listed = records(
        run(
            "score",
            "gold.key",
            "keys",
            "gold.key",
            "--format",
            "json",
            "--measures",
            "V,ARI",
            "--estimators",
            "ML",
        )
    )
    assert [record["system"] for record in listed] == ["mine", "theirs", "gold"]
    assert [list(record) for record in listed] == [["system", "clusters_per_word", "V-ML", "ARI"]] * 3
    assert listed[1]["V-ML"] == listed[2]["V-ML"] == listed[1]["ARI"] == 1


def test_options_may_stand_anywhere(run):
    assert run("score", "--soft", "gold.key", "--measures", "V", "keys/mine.key") == run(
        "score", "gold.key", "keys/mine.key", "--soft", "--measures", "V"
    )


def test_systems_of_one_name_are_told_apart(run, folder):
    (folder / "mine.key").write_text(SYSTEM)
    listed = records(run("score", "gold.key", "keys/mine.key", "mine.key", "mine.key", "--format", "json"))
    assert [record["system"] for record in listed] == ["keys/mine.key", "mine.key", "mine.key 2"]


def test_supervised_recall(run, folder):
    (folder / "m1").write_text("a 1 x\na 4 y\n")
    (folder / "t1").write_text("a 2 x\na 3 y\nb 1 p\n")
    (folder / "m2").write_text("a 1 x\na 2 x\na 4 y\nb 1 p\n")
    (folder / "t2").write_text("a 3 y\nb 2 p\n")
    out = run(
        "score",
        "gold.key",
        "keys",
        "--mapping",
        "m1",
        "--test",
        "t1",
        "--mapping",
        "m2",
        "--test",
        "t2",
        "--format",
        "json",
    )
    mine, theirs = records(out)
    assert mine["SR"] == pytest.approx((1 / 3 + 0) / 2)  # A means x, B means y: 2 right, 3 wrong; b is not answered
    assert theirs["SR"] == pytest.approx((2 / 3 + 1 / 2) / 2)


def test_label_table(run):
    s, t = records(run("score", "labels.csv", "--format", "json", "--measures", "V", "--estimators", "ML"))
    assert s == {
        "system": "s",
        "n": 4,
        "clusters": 3,
        "V-ML": pytest.approx(v_measure_score([0, 0, 1, 1], [0, 0, 1, 2])),
    }
    assert t["V-ML"] == pytest.approx(v_measure_score([0, 0, 1, 1], [1, 2, 2, 2]))
    dropped, _ = records(run("score", "labels.csv", "--format", "json", "--measures", "V", "--missing", "drop"))
    assert dropped["n"] == 3 and dropped["V-ML"] == 1


def test_matrix(run):
    (record,) = records(run("matrix", "m.csv", "--format", "json", "--measures", "V,VI,ARI", "--base", "2"))
    assert record["V-ML"] == pytest.approx(v_measure_score([0, 0, 1, 1], [0, 0, 0, 1])) and record["ARI"] == 0
    (nats,) = records(run("matrix", "m.csv", "--format", "json", "--measures", "VI"))
    assert record["VI-ML"] == pytest.approx(nats["VI-ML"] / 0.6931471805599453)
    out = run("matrix", "m.csv", "half.csv")
    assert out.splitlines()[0].split() == [
        "matrix",
        "n",
        "clusters",
        "V-ML",
        "VI-ML",
        "NVI-ML",
    ]  # fractions: ML alone
    assert len(records(run("matrix", "m.csv", "--measures", "all", "--estimators", "all", "--format", "json"))[0]) > 60


def test_bias(run):
    def bias(*arguments):
        return {(r["n"], r["estimator"]): r for r in records(run("bias", *arguments, "--format", "json"))}

    uniform = bias("--support", "10", "--uniform", "--n", "5,10")
    assert [round(uniform[10, e]["bias"], 3) for e in ("ML", "MM", "JK", "BUB")] == [
        -0.533,
        -0.258,
        -0.039,
        -0.073,
    ]
    skewed = bias("--support", "10", "--zipf", "4", "--n", "50")
    assert [round(skewed[50, e]["bias"], 3) for e in ("ML", "MM", "JK", "BUB")] == [
        -0.038,
        -0.021,
        -0.012,
        -0.003,
    ]
    coin = bias("--probabilities", "0.5,0.5", "--n", "2", "--estimators", "ML", "--base", "2")[2, "ML"]
    assert coin == {
        "n": 2,
        "estimator": "ML",
        "truth": 1.0,
        "mean": 0.5,
        "bias": -0.5,
        "sd": pytest.approx(0.5),
        "rmse": pytest.approx(0.5**0.5),
    }
    every = bias("--uniform", "--support", "3", "--n", "4", "--estimators", "all")
    assert [name for _, name in every] == [e.name for e in ESTIMATORS.values() if e.kind == "linear"]


def test_formats(run):
    arguments = ["score", "gold.key", "keys", "--measures", "V", "--estimators", "ML", "--digits", "2"]
    assert run(*arguments).splitlines()[2].split() == ["theirs", "2.00", "1.00¹"]
    assert "| theirs | 2.00 | **1.00** |" in run(*arguments, "--format", "markdown").splitlines()
    assert r"theirs & 2.00 & \textbf{1.00} \\" in run(*arguments, "--format", "latex").splitlines()
    rows = list(csv.reader(io.StringIO(run(*arguments, "--format", "csv"))))
    assert rows[0] == ["system", "clusters_per_word", "V-ML"] and rows[2] == ["theirs", "2.0", "1.0"]
    assert float(rows[1][2]) == pytest.approx(4 / 6 * v_measure_score([0, 0, 1, 1], [0, 0, 0, 1]), abs=1e-15)


def test_names_of_systems_are_data(run, folder):
    (folder / "=1+1.key").write_text(SYSTEM)
    assert run("score", "gold.key", "=1+1.key", "--format", "csv").splitlines()[1].startswith("'=1+1,")


def test_help(run, capsys):
    assert run() == run("--help")
    for name in COMMANDS:
        assert name in run("-h")
        with pytest.raises(SystemExit) as stopped:
            main([name, "--help"])
        assert stopped.value.code == 0 and "--format" in capsys.readouterr().out
