"""python -m evalcore properties."""

import argparse
import csv
import io
import json

import pytest

from evalcore import InputError, axioms
from evalcore.commands import properties
from evalcore.properties import study


def run(*arguments):
    parser = argparse.ArgumentParser()
    properties.add(parser.add_subparsers())
    options = parser.parse_args(["properties", *arguments])
    return options.run(options)


SMALL = ("--useful-clusters", "4-6", "--noise-clusters", "0-1", "--noise-classes", "0,1,2", "--eps1", "0,.1")


def test_csv_holds_the_study():
    rows = list(csv.DictReader(io.StringIO(run("--checks", "P", "--measures", "V,FM,NVI", "--format", "csv"))))
    outcomes = study(measures=["V", "FM", "NVI"]).outcomes
    assert len(rows) == 21
    for row in rows:
        outcome = outcomes[row["check"]]
        assert (int(row["held"]), int(row["total"])) == (
            outcome.held[row["measure"]],
            outcome.total[row["measure"]],
        )
        assert float(row["rate"]) == outcome.held[row["measure"]] / outcome.total[row["measure"]]


def test_the_default_table_has_every_check():
    lines = run(*SMALL, "--measures", "VI,AMI,MI").splitlines()
    assert lines[0].split() == [
        "measure",
        "P1",
        "P2",
        "P3",
        "P4",
        "P5",
        "P6",
        "P7",
        "A1",
        "A2",
        "A3",
        "A4",
        "M1",
        "M2",
        "M3",
        "M4",
        "M5",
        "M6",
        "S",
        "R",
    ]
    assert lines[1].split() == ["VI", *["1.00"] * 9, "0.00", *["1.00"] * 8, "0.00"]
    assert lines[2].split()[:8] == ["AMI", *"–" * 7] and lines[2].split()[-1] == "1.00"
    assert "P6  more noise classes" in lines and "R   response to chance" in lines
    assert any(line.startswith("–: AMI needs whole counts") for line in lines)
    assert any(line.startswith("–: MI has no best value") for line in lines)


def test_only_what_always_holds_reads_as_one():
    q0 = axioms.study(["Q0"])["M3"]
    assert 0.995 < q0.held["Q0"] / q0.total["Q0"] < 1
    for digits, text in (("2", "0.99"), ("4", f"{q0.held['Q0'] / q0.total['Q0']:.4f}")):
        lines = run(*SMALL, "--checks", "M1,M3", "--measures", "VI,Q0", "--digits", digits).splitlines()
        assert lines[1].split() == ["VI", f"{1:.{digits}f}", f"{1:.{digits}f}"] and lines[2].split()[2] == text


def test_counts():
    lines = run("--checks", "P1,P3", "--measures", "FM,AMI", "--counts").splitlines()
    assert [line.split() for line in lines[:4]] == [
        ["measure", "P1", "P3"],
        ["of", "9408", "20160"],
        ["FM", "9408", "6215"],
        ["AMI", "–", "–"],
    ]


def test_whole_counts():
    text = run(*SMALL, "--checks", "P4", "--measures", "AMI", "--whole", "--n", "100000", "--counts")
    assert text.splitlines()[2].split() == ["AMI", "288"]


def test_latex_and_json():
    text = run(*SMALL, "--checks", "A3", "--measures", "V,BCubed_F", "--format", "latex")
    assert r"BCubed\_F & 1.00 \\" in text and r"V & 0.00 \\" in text
    rows = json.loads(run(*SMALL, "--checks", "A3", "--measures", "V", "--format", "json"))
    assert rows == [{"check": "A3", "measure": "V", "held": 0, "total": 200, "rate": 0.0}]


def test_published():
    text = run("--published")
    assert "P3     FM            0.30   6215  20160  0.31  no" in text and "contradict each other" in text
    rows = list(csv.DictReader(io.StringIO(run("--published", "--format", "csv"))))
    assert len(rows) == 63 and sum(row["agrees"] == "yes" for row in rows) == 40


def test_a_counterexample():
    lines = run("--counterexample", "M3:V").splitlines()
    assert lines[0] == "M3, triangle inequality: V holds in 122,930 of 132,600 cases."
    assert lines[1] == "d(X, Z) should not exceed d(X, Y) + d(Y, Z)."
    assert lines[2] == "d(X, Z) = 0.9794, d(X, Y) = 0.3287, d(Y, Z) = 0.3287."
    assert lines[4] == "d(X, Z): V = 0.0205707" and lines[5].split() == ["class", "k1", "k2"]
    assert run(*SMALL, "--counterexample", "P1:V") == "V has no counterexample to P1: it holds in all 192 cases."
    assert run(*SMALL, "--counterexample", "P1:AMI").startswith("P1 was not judged: AMI needs whole counts")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--eps1", "0,x"], "--eps1 takes numbers separated by commas, not '0,x'"),
        (["--noise-classes", "1.5"], "--noise-classes takes whole numbers, as in 2-11 or 2,3,5, not '1.5'"),
        (["--useful-clusters", "5-2"], "The range of useful_clusters is empty"),
        (["--checks", "P8"], "There is no check called 'P8'"),
        (["--measures", "W"], "There is no measure called 'W'"),
        (["--counterexample", "NVI"], "such as P6:NVI"),
        (["--counterexample", "P6:"], "such as P6:NVI"),
        (["--eps3", "0,1"], "the error mass cannot exceed 1"),
    ],
)
def test_bad_options(arguments, message):
    with pytest.raises(InputError) as caught:
        run(*arguments)
    assert message in str(caught.value)
