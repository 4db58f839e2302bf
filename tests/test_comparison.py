"""Comparisons: what files are taken for, baselines, saving and restoring; and thousands of broken files
through the whole path.
"""

import io

import numpy as np
import pandas as pd
import pytest

from evalcore import Contingency, InputError
from evalcore.comparison import (
    BASELINES,
    KeyComparison,
    Policy,
    TableComparison,
    comparison_from_labels,
    read_files,
    with_baselines,
)
from evalcore.keys import read_key
from evalcore.ranking import score_comparison
from evalcore.tables import read_labels
from evalcore.words import word_tables

FILES = [
    ("gold.key", b"a 1 x\na 2 x\na 3 y\nb 1 p\nb 2 q"),
    ("mine.key", b"a 1 A/0.5 B/0.5\na 2 B/3 A/1\na 3 C\nb 1"),
    ("theirs.key", b"a 1 A\na 2 A\na 3 B\nb 1 A\nb 2 B"),
]
TABLE = b"item,gold,one,two\n1,a,x,1\n2,a,,1\n3,b,y,2\n4,,y,2\n"


def keys(*more):
    return read_files([*FILES, *more]).comparison()


# ---- files ---------------------------------------------------------------------------------------


def test_keys_with_a_gold_key():
    batch = read_files(FILES)
    assert batch.kind == "keys" and batch.problems == () and batch.files == ("gold.key", "mine.key", "theirs.key")
    comparison = batch.comparison()
    assert (
        comparison.gold is batch.keys["gold"]
        and list(comparison.systems) == ["mine", "theirs"]
        and comparison.splits == ()
    )
    assert list(batch.comparison("theirs").systems) == ["gold", "mine"]


@pytest.mark.parametrize(
    "names, found",
    [
        (["gold.key", "golden.key"], "gold"),
        (["x.key", "task-gold.key"], "task-gold"),
        (["x.key", "y.key"], None),
        (["gold-a.key", "gold-b.key"], None),
        (["GOLD.KEY", "x"], "GOLD"),
    ],
)
def test_which_key_is_gold(names, found):
    batch = read_files([(name, b"a 1 x\na 2 y") for name in names])
    assert batch.likely_gold == found
    if found is None:
        with pytest.raises(InputError, match="^None of the files is called gold: say which of them is the gold key.$"):
            batch.comparison()


@pytest.mark.parametrize(
    "name, data, kind",
    [
        ("x.csv", TABLE, "labels"),
        ("x.csv", b"id;Gold;s\n1;1;2\n2;2;1", "labels"),
        ("x.tsv", b"item\tclass\ts\n1\ta\tb", "labels"),
        ("m.csv", b"1,2\n3,4", "matrices"),
        ("m.csv", b",k1,k2\nc1,1,2\nc2,3,4", "matrices"),
        ("m.tsv", b"class\tk1\nc1\t1", "matrices"),
        ("m.csv", "\ufeff;k1\nc1;1".encode("utf-16"), "matrices"),
        ("noname", b"a 1 x", "keys"),
        ("x.txt", b"a 1 x", "keys"),
    ],
)
def test_kinds(name, data, kind):
    batch = read_files([(name, data)])
    assert (batch.kind, batch.problems) == (kind, ())


def test_parquet():
    pytest.importorskip("pyarrow")
    stream = io.BytesIO()
    pd.DataFrame({"item": ["i", "j"], "gold": ["a", "b"], "s": [1, 2]}).to_parquet(stream)
    assert read_files([("x.parquet", stream.getvalue())]).comparison().tables("s")["x"].counts.tolist() == [
        [1, 0],
        [0, 1],
    ]


def test_good_files_of_a_batch_still_load():
    bad = [
        ("empty.key", b""),
        ("binary.key", b"\x00\x01\xff"),
        ("comma.key", b"a,1,x"),
        ("weight.key", b"a 1 A/heavy"),
        ("twice.key", b"a 1 A\na 1 B"),
        ("latin.key", "a 1 é".encode("latin-1")),
        ("zip.key", b"PK\x03\x04rest"),
        ("labels.csv", TABLE),
        ("m.csv", b"1,2"),
        ("bad.json", b"{}"),
    ]
    batch = read_files([*FILES, *bad])
    assert batch.kind == "keys" and list(batch.keys) == ["gold", "mine", "theirs"]
    # each says the file, and the line where there is one; the readers' own tests have the rest of the
    # sentences
    starts = [
        "empty.key is empty.",
        "binary.key, line 1: ",
        "comma.key, line 1: 'a,1,x' stands alone",
        "weight.key, line 1: the weight of 'A/heavy'",
        "twice.key, line 2: instance '1' ",
        "latin.key, line 1: byte 0xE9 is not UTF-8",
        "zip.key is a zip archive",
        "bad.json is not a comparison saved from Measure Lab.",
        "labels.csv was left out: it is a table of labels, and the other files are keys; load one kind at a time.",
        "m.csv was left out: it is a matrix, and the other files are keys; load one kind at a time.",
    ]
    assert len(batch.problems) == len(starts)
    for problem, start in zip(batch.problems, starts, strict=True):
        assert problem.startswith(start)


def test_a_batch_of_nothing():
    batch = read_files([("x.key", b"")])
    assert batch.kind == "" and batch.problems == ("x.key is empty.",)
    with pytest.raises(InputError, match="no file to compare"):
        batch.comparison()


def test_only_one_table_of_labels():
    batch = read_files([("x.csv", TABLE), ("y.csv", TABLE)])
    assert batch.labels.name == "x" and batch.problems == (
        "y.csv was left out: only one table of labels can be shown at a time.",
    )


def test_limits(monkeypatch):
    monkeypatch.setattr("evalcore.comparison.files.LARGEST_BATCH", 2)
    assert read_files(FILES).problems == ("Only the first 2 of 3 files were read.",)
    monkeypatch.setattr("evalcore.comparison.files.LARGEST", 50)
    (problem,) = read_files(FILES[:2]).problems
    assert problem.startswith("mine.key and what follows were not read")


def test_names_that_are_taken():
    assert list(read_files([("a/x.key", b"a 1 x"), ("b/x.key", b"a 1 y")]).keys) == ["x", "x 2"]


def test_gold_without_a_sense():
    with pytest.raises(InputError, match="gold.key, line 2: this instance has no sense"):
        read_files([("gold.key", b"a 1 x\na 2")]).comparison()


def test_splits_are_found_by_their_names():
    parts = [
        ("mapping.1.key", b"a 1 x\nb 1 p"),
        ("test.1.key", b"a 2 x"),
        ("test_2.key", b"a 2 x"),
        ("mapping-2.key", b"a 1 x"),
        ("test.9.key", b"a 1 A"),
    ]
    batch = read_files([*FILES, *parts])
    assert [(m.file, t.file) for m, t in batch.splits] == [
        ("mapping.1.key", "test.1.key"),
        ("mapping-2.key", "test_2.key"),
    ]
    assert list(batch.keys) == ["gold", "mine", "theirs", "test.9"]
    assert batch.problems == ("test.9 has no mapping key of the same ending beside it, so it was taken as a system.",)


# ---- sources -------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["cluster", "drop", "singletons"])
def test_labels_as_a_comparison(missing):
    labels = read_labels(TABLE, "t.csv")
    comparison = comparison_from_labels(labels)
    for system in labels.systems:
        assert comparison.tables(system, Policy(missing=missing))["t"] == labels.table(system, missing)
    assert len(comparison.gold) == 3  # item 4 has no gold label


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("missing", ["cluster", "drop", "singletons"])
def test_one_word_is_the_same_as_all(missing, soft):
    comparison, policy = keys(("none.key", b"a 1 Z")), Policy(missing=missing, soft=soft)
    for system in comparison.systems:
        all_words = word_tables(comparison.gold, comparison.systems[system], missing, soft)
        assert comparison.tables(system, policy) == all_words
        for word in comparison.words:
            one = comparison.tables(system, policy, word)
            assert one == ({word: all_words[word]} if word in all_words else {})


def test_digests_tell_data_apart():
    other = [FILES[0], ("mine.key", FILES[1][1].replace(b"C", b"D")), FILES[2]]
    assert (
        len({read_files(FILES).digest, read_files(other).digest}) == 2
        and read_files(FILES).digest == read_files(FILES).digest
    )
    tables = [TableComparison("t", {"s": Contingency.from_matrix(m)}).digest for m in ([[1, 2]], [[2, 1]], [[1, 2]])]
    assert tables[0] == tables[2] != tables[1]


def test_recall_splits():
    comparison = keys(("mapping.key", b"a 1 x"), ("test.key", b"a 2 x"))
    splits = comparison.recall_splits(["80:20", "60:40"], seed=3, draws=2)
    assert list(splits) == ["given", "80:20 drawn", "60:40 drawn"] and [len(pairs) for pairs in splits.values()] == [
        1,
        2,
        2,
    ]
    mapping, test = splits["60:40 drawn"][0]
    assert len(mapping) == 3 and len(test) == 2  # 2 of 3 and 1 of 2
    with pytest.raises(InputError, match="A split is written as 80:20, not as '80'."):
        comparison.recall_splits(["80"])
    assert TableComparison("t", {}).recall_splits(["80:20"]) == {}


@pytest.mark.parametrize(
    "policy, says",
    [(Policy(average="mean"), "average"), (Policy(missing="x"), "missing"), (Policy(unknown="x"), "unknown")],
)
def test_bad_policies(policy, says):
    with pytest.raises(InputError, match=f"^{says} must be one of"):
        score_comparison(keys(), policy=policy)


def test_unknown_systems():
    for comparison in (keys(), TableComparison("t", {"s": Contingency.from_matrix([[1]])})):
        with pytest.raises(InputError, match="no system called 'nobody'"):
            comparison.tables("nobody")


# ---- baselines -----------------------------------------------------------------------------------


def test_baselines_of_keys():
    comparison = with_baselines(keys(), list(BASELINES), k=3, seed=5)
    assert comparison.baselines == (
        "Most frequent class",
        "One cluster per instance",
        "Random, 3 clusters",
        "Gold",
    )
    board = score_comparison(comparison, ["V", "ARI", "purity"])
    scores = dict(zip(board.systems, board.values.tolist()))
    assert scores["Gold"] == [1, 1, 1]
    # word a has classes 2 + 1 of 3, word b 1 + 1 of 2; its singletons are the gold clusters
    assert scores["Most frequent class"] == pytest.approx([0, 0, (3 * 2 / 3 + 2 * 1 / 2) / 5])
    h = -(2 / 3) * np.log(2 / 3) - (1 / 3) * np.log(1 / 3)
    assert scores["One cluster per instance"] == pytest.approx([(3 * 2 * h / (h + np.log(3)) + 2) / 5, (0 + 2) / 5, 1])
    same = with_baselines(keys(), ["random"], k=3, seed=5)
    assert score_comparison(same).values[-1] == pytest.approx([scores["Random, 3 clusters"][0]])


def test_random_baseline_follows_its_seed():
    gold = read_key("\n".join(f"w {i} s{i % 3}" for i in range(200)).encode(), "gold.key")
    drawn = [
        with_baselines(KeyComparison("g", gold, {}), ["random"], k=5, seed=s)
        .systems["Random, 5 clusters"]
        .words["w"]
        .labels()
        for s in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2] and set(drawn[0]) == set("12345")


def test_baselines_of_tables():
    table = Contingency.from_matrix([[2, 1], [0, 3]], ["x", "y"])
    comparison = with_baselines(TableComparison("t", {"s": table, "Gold": table}), list(BASELINES), k=2)
    tables = {name: comparison.tables(name)[""] for name in comparison.baselines}
    assert list(tables) == ["Most frequent class", "One cluster per instance", "Random, 2 clusters", "Gold 2"]
    assert tables["Most frequent class"].counts.tolist() == [[3], [3]] and tables["Gold 2"].counts.tolist() == [
        [3, 0],
        [0, 3],
    ]
    assert tables["One cluster per instance"].shape == (2, 6) and tables[
        "One cluster per instance"
    ].class_sizes.tolist() == [3, 3]
    assert tables["Random, 2 clusters"].class_sizes.tolist() == [3, 3] and tables["Random, 2 clusters"].classes == (
        "x",
        "y",
    )


def test_baselines_that_cannot_be():
    different = TableComparison("t", {"s": Contingency.from_matrix([[1, 2]]), "t": Contingency.from_matrix([[1, 1]])})
    with pytest.raises(
        InputError,
        match="^Baselines need solutions of the same items, but these tables have different class sizes.$",
    ):
        with_baselines(different, ["gold"])
    with pytest.raises(InputError, match="fractional"):
        with_baselines(TableComparison("t", {"s": Contingency.from_matrix([[1.5, 2]])}), ["singletons"])
    with pytest.raises(InputError, match="no baseline called 'best'"):
        with_baselines(keys(), ["best"])
    with pytest.raises(InputError, match="at least one cluster, not 0"):
        with_baselines(keys(), ["random"], k=0)
