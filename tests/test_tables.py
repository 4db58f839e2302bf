"""Label tables and matrices: separators, names, numbers, and a sentence for each thing that can be wrong."""

import io

import numpy as np
import pandas as pd
import pytest

from evalcore import Contingency, InputError, tables
from evalcore.tables import read_labels, read_matrix


def message(read, data, name):
    with pytest.raises(InputError) as error:
        read(data if isinstance(data, bytes) else data.encode(), name)
    return str(error.value)


# ---- label tables ------------------------------------------------------------------------------

PLAIN = "item,gold,one,two\ni1,a,x,1\ni2,a,,1\ni3,b,y,2\n"


@pytest.mark.parametrize("separator", [",", ";", "\t", " , ", ", "])
def test_labels(separator):
    labels = read_labels(PLAIN.replace(",", separator).encode(), "folder/l.csv")
    assert labels.name == "l" and labels.file == "folder/l.csv" and len(labels) == 3
    assert labels.items == ["i1", "i2", "i3"] and labels.gold == ["a", "a", "b"]
    assert labels.systems == {"one": ["x", None, "y"], "two": ["1", "1", "2"]}
    assert repr(labels) == "<LabelTable 'l': 3 items, 2 systems>"


def test_tables_of_systems():
    labels = read_labels(PLAIN.encode())
    assert labels.table("two") == Contingency.from_matrix([[2, 0], [0, 1]], ["a", "b"], ["1", "2"])
    assert labels.table("one").clusters == ("x", "y", "(unanswered)")
    assert labels.table("one", "drop").counts.tolist() == [[1, 0], [0, 1]]
    with pytest.raises(InputError, match="input has no system called 'none'; it has 'one', 'two'."):
        labels.table("none")
    with pytest.raises(InputError, match="input, system 'one': Item 2 has no predicted label"):
        labels.table("one", "error")


def test_quotes_blank_lines_and_empty_columns():
    text = '\n"item";"go;ld";"a ""b""";;\n\n1;"x\ny";" k ";;\n;;;;\n2;z;k;;\n'
    labels = read_labels(text.encode())
    assert labels.gold == ["x\ny", "z"] and labels.systems == {'a "b"': ["k", "k"]}


def test_items_without_gold_are_left_out():
    labels = read_labels(b"item,gold,s\n1,a,x\n2,,x\n3,b,y")
    assert labels.gold == ["a", None, "b"] and labels.table("s").counts.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    "text, expected",
    [
        (
            "item gold s\n1 a x",
            "f.csv, line 1: there is one column only; columns are separated by commas, semicolons or tabs.",
        ),
        (
            "item,gold\n1,a",
            "f.csv has 2 columns; it needs at least three: item, gold and one for each system.",
        ),
        ("item,gold,s,s\n1,a,x,y", "f.csv, line 1, column 4: two columns are called 's'."),
        ("item,,s\n1,a,x", "f.csv, line 1, column 2: there is no name."),
        ("item,gold,s\n", "f.csv has a header but no items below it."),
        (
            "item,gold,s\n1,a,x\n\n2,a",
            "f.csv, line 4: there are 2 cells, but the header (separated by commas) has 3.",
        ),
        (
            "item,gold,s\n1,a,x\n2,a,x,y",
            "f.csv, line 3: there are 4 cells, but the header (separated by commas) has 3.",
        ),
        ('item,gold,s\n1,"a\nb",x\n1,a,x', "f.csv, line 4: item '1' is listed in line 2 already."),
        ("item,gold,s\n,a,x", "f.csv, line 2: the item has no name."),
        (
            "1,a,x\n2,a,x\n3,b,y",
            "f.csv, line 1: these look like labels; the header must name the columns.",
        ),
        ("item,1,2\n1,a,x", "f.csv, line 1: these look like labels; the header must name the columns."),
        (
            "item,gold,s\n1,,x\n2,,x",
            "f.csv: no item has a gold label; they belong in the second column, 'gold'.",
        ),
        ('item,gold,s\n1,a,x\n2,"a,x\n3,b,x', "f.csv, line 3: a quote is opened and not closed."),
        ('item,gold,s\n1,"a"b,x', "f.csv, line 2: ',' expected after '\"'."),
        (",,\n,,", "f.csv holds only empty cells."),
        ("item,gold,s\n1,a," + "x" * 200_000, "f.csv, line 2: field larger than field limit (131072)."),
    ],
)
def test_bad_label_tables(text, expected):
    assert message(read_labels, text, "f.csv") == expected


def parquet(frame, **options):
    data = io.BytesIO()
    frame.to_parquet(data, **options)
    return data.getvalue()


def test_parquet():
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame(
        {
            "item": [1, 2, 3],
            "gold": ["a", "a", "b"],
            "s": pd.array([1, None, 2], dtype="Int64"),
            "t": [0.5, np.nan, 1.0],
            "u": [b"x", b"y", None],
        }
    )
    labels = read_labels(parquet(frame), "l.parquet")
    assert labels.items == ["1", "2", "3"] and labels.gold == ["a", "a", "b"]
    assert labels.systems == {"s": ["1", None, "2"], "t": ["0.5", None, "1.0"], "u": ["x", "y", None]}


def test_parquet_with_the_items_as_index():
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"gold": ["a", "b"], "s": ["x", "y"]}, index=pd.Index(["i", "j"], name="item"))
    assert read_labels(parquet(frame)).items == ["i", "j"]


def test_bad_parquet(monkeypatch):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"item": [1, 1], "gold": ["a", "b"], "s": ["x", "y"]})
    good = parquet(frame)
    assert message(read_labels, good, "f.parquet") == "f.parquet, row 2: item '1' is listed in row 1 already."
    assert message(read_labels, good[:200], "f.parquet").startswith("f.parquet cannot be read as a Parquet table: ")
    assert "2 columns" in message(read_labels, parquet(frame[["item", "gold"]]), "f.parquet")
    nameless = frame.rename(columns={"s": ""})
    assert message(read_labels, parquet(nameless), "f.parquet") == "f.parquet, header, column 3: there is no name."
    monkeypatch.setattr(tables, "LARGEST_TABLE", 5)
    assert message(read_labels, good, "f.parquet") == "f.parquet holds 6 labels; 5 is the limit."


# ---- matrices ----------------------------------------------------------------------------------

NO_NAMES = Contingency.from_matrix([[1, 2], [3, 4]])
NAMES = Contingency.from_matrix([[1, 2], [3, 4]], ["a", "b"], ["x", "y"])
ROWS = Contingency.from_matrix([[1, 2], [3, 4]], ["a", "b"])
COLUMNS = Contingency.from_matrix([[1, 2], [3, 4]], None, ["x", "y"])


@pytest.mark.parametrize(
    "text, expected",
    [
        ("1,2\n3,4", NO_NAMES),
        ("1;2\n3;4\n", NO_NAMES),
        ("1\t2\r\n\r\n3\t4", NO_NAMES),
        ("  1 2\n3   4  ", NO_NAMES),
        (" 1 , 2 \n3,4", NO_NAMES),
        ("1,2,,\n3,4,,\n,,,", NO_NAMES),
        ("1.0,2e0\n+3,4.", NO_NAMES),
        ("a,1,2\nb,3,4", ROWS),
        ("x,y\n1,2\n3,4", COLUMNS),
        (",x,y\na,1,2\nb,3,4", NAMES),
        ("anything,x,y\na,1,2\nb,3,4", NAMES),
        ("x,y\na,1,2\nb,3,4", NAMES),
        ('"x" "y"\n"a" 1 2\n"b" 3 4', NAMES),
        (",1,2\n7,1,2\n8,3,4", Contingency.from_matrix([[1, 2], [3, 4]], ["7", "8"], ["1", "2"])),
        ("Class;1;2\n7;1;2\nb;3;4", Contingency.from_matrix([[1, 2], [3, 4]], ["7", "b"], ["1", "2"])),
        ("5", Contingency.from_matrix([[5]])),
        ("k\n5\n6", Contingency.from_matrix([[5], [6]], None, ["k"])),
        ("class\n5\n6", Contingency.from_matrix([[5], [6]], None, ["class"])),
        ("a,5", Contingency.from_matrix([[5]], ["a"])),
        ("1;2,5\n3;4", Contingency.from_matrix([[1, 2.5], [3, 4]])),
        ("1\t2,5\n1,234\t4", Contingency.from_matrix([[1, 2.5], [1.234, 4]])),
        ("0,125;2\n3;4", Contingency.from_matrix([[0.125, 2], [3, 4]])),
        ('"a, b";1;2\nc;3;4', Contingency.from_matrix([[1, 2], [3, 4]], ["a, b", "c"])),
    ],
)
def test_matrices(text, expected):
    table = read_matrix(text.encode(), "m.csv")
    assert table == expected and table.classes == expected.classes and table.clusters == expected.clusters
    assert table.is_whole == expected.is_whole


def test_a_table_comes_back_from_its_own_csv():
    table = Contingency.from_labels([1, 1, 2, 3], [7, 8, 8, 8])
    again = read_matrix(table.to_frame().to_csv().encode())
    assert again.counts.tolist() == table.counts.tolist()
    assert again.classes == ("1", "2", "3") and again.clusters == ("7", "8")


@pytest.mark.parametrize(
    "text, expected",
    [
        ("1,x\n3,4", "m.csv, line 1, column 2: 'x' is not a number, as its neighbours are numbers."),
        ("1,2,x\n3,4,5", "m.csv, line 1, column 3: 'x' is not a number, as its neighbours are numbers."),
        ("1,2\n\nx,4\n5,6", "m.csv, line 3, column 1: 'x' is not a number, as its neighbours are numbers."),
        ("1,2\n3,x", "m.csv, line 2, column 2: 'x' is not a number."),
        ("1,2\n,4", "m.csv, line 2, column 1: the cell is empty, as its neighbours are numbers."),
        ("1,2\n3,", "m.csv, line 2, column 2: the cell is empty; write 0 where there are no items."),
        (
            ",x,y\na,1,2\nb,3,-4",
            "m.csv, line 3, column 3: -4 is not a count; counts are finite and at least 0.",
        ),
        ("1,NaN\n3,4", "m.csv, line 1, column 2: NaN is not a count; counts are finite and at least 0."),
        ("1 inf", "m.csv, line 1, column 2: inf is not a count; counts are finite and at least 0."),
        ("1 1e999", "m.csv, line 1, column 2: 1e999 is not a count; counts are finite and at least 0."),
        ("1,2\n3", "m.csv, line 2: there is 1 cell, but line 1 has 2."),
        ("1,2\n3,4,5", "m.csv, line 2: there are 3 cells, but line 1 has 2."),
        (",x,x\na,1,2", "m.csv, line 1, column 3: two clusters are called 'x'."),
        (",x,y\na,1,2\na,3,4", "m.csv, line 3, column 1: two classes are called 'a'."),
        (",x,\na,1,2", "m.csv, line 1, column 3: there is no name."),
        (",x,y\n,1,2", "m.csv, line 2, column 1: there is no name."),
        ("a,b\nc,d", "m.csv, line 2, column 2: 'd' is not a number."),
        ("a,b", "m.csv holds names but no counts."),
        ("a", "m.csv holds names but no counts."),
        ("0,0", "m.csv: All cells are zero: there are no items to score."),
        (
            "1;2,500\n3;4",
            "m.csv, line 1, column 2: '2,500' may be a thousand or a fraction; write it without a comma.",
        ),
        (
            "1;2,500,000\n3,5;4",
            "m.csv, line 1, column 2: '2,500,000' may be a thousand or a fraction; write it without a comma.",
        ),
        ('1,"2\n3,4', "m.csv, line 1: a quote is opened and not closed."),
    ],
)
def test_bad_matrices(text, expected):
    assert message(read_matrix, text, "m.csv") == expected


def test_too_large_a_matrix(monkeypatch):
    monkeypatch.setattr(tables, "LARGEST_MATRIX", 5)
    assert message(read_matrix, "1 2\n3 4\n5 6", "m.csv") == "m.csv has 3 lines of 2 cells; 5 cells are the limit."
