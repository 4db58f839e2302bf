"""Labels of every type and container become codes without becoming other labels; what is no sequence is refused."""

import datetime
from array import array
from collections import deque

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from evalcore import Contingency, InputError
from evalcore import labels as labelling
from evalcore.labels import code

LARGE = [2**60, 2**60 + 1, None, 2**60]  # the first two are one number as floats


@pytest.mark.parametrize(
    "labels",
    [
        LARGE,
        pd.Series(LARGE, dtype="Int64"),
        pd.array(LARGE, dtype="Int64"),
        pd.Index(LARGE, dtype="Int64"),
        pa.array(LARGE),
        pa.chunked_array([LARGE[:2], LARGE[2:]]),
        pd.Series(LARGE, dtype="int64[pyarrow]"),
        np.ma.masked_array([2**60, 2**60 + 1, 7, 2**60], mask=[0, 0, 1, 0]),
    ],
    ids=lambda labels: type(labels).__name__,
)
def test_large_whole_numbers_stay_apart_beside_missing_ones(labels):
    codes, names = code(labels)
    assert codes.tolist() == [0, 1, -1, 0] and names == LARGE[:2]


def test_whole_numbers_keep_their_type_beside_missing_ones():
    for labels in (pd.Series([3, None, 1], dtype="Int64"), pa.array([3, None, 1])):
        assert [type(name) for name in code(labels)[1]] == [int, int]


def test_masked_labels_are_missing():
    gold, predicted = (
        np.ma.masked_array([0, 1, 1, 5], mask=[0, 0, 0, 1]),
        np.ma.masked_array([0, 1, 9, 2], mask=[0, 0, 1, 0]),
    )
    with pytest.raises(InputError, match="Item 4 has no gold label"):
        Contingency.from_labels(gold, predicted)
    assert Contingency.from_labels(gold, predicted, "drop").n == 2
    assert Contingency.from_labels(gold, predicted, "cluster").cluster_sizes.tolist() == [1, 1, 0, 1]
    assert Contingency.from_labels(np.ma.masked_array([2, 3]), [1, 1]).classes == (2, 3)


@pytest.mark.parametrize(
    "labels, names",
    [
        (deque([1, "a"]), [1, "a"]),
        (array("i", [5, 3]), [3, 5]),
        (range(7, 9), [7, 8]),
        (np.array([2, 10**12], dtype=">i8"), [2, 10**12]),
        (np.array([2.5, 1.5], dtype=">f8"), [1.5, 2.5]),
        (np.array(["b", "a"], dtype=np.dtypes.StringDType()), ["a", "b"]),
        (
            np.array(["2021-01-01", "2020-01-01"], dtype="datetime64[ns]"),
            [pd.Timestamp("2020-01-01"), pd.Timestamp("2021-01-01")],
        ),
        (
            pd.Series(pd.to_datetime(["2021-01-01", "2020-01-01"], utc=True)),
            [pd.Timestamp("2020-01-01", tz="UTC"), pd.Timestamp("2021-01-01", tz="UTC")],
        ),
        (
            [datetime.date(2021, 1, 1), datetime.date(2020, 1, 1)],
            [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)],
        ),
        (pd.Categorical([3, 1], categories=[9, 3, 1]), [3, 1]),
        (pd.Categorical([None, None], categories=["a"]), []),
        (pd.MultiIndex.from_tuples([(1, 2), (1, 1)]), [(1, 1), (1, 2)]),
        (pa.array(["b", "a"]).dictionary_encode(), ["a", "b"]),
        ([2**63, -1], [-1, 2**63]),
        ([1] * 64 + [1.5, "x"], [1, 1.5, "x"]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_names_are_the_labels(labels, names):
    codes, found = code(labels)
    assert found == names and [type(x) for x in found] == [type(x) for x in names]
    assert set(codes.tolist()) == (set(range(len(names))) or {-1})


@pytest.mark.parametrize(
    "labels, message",
    [
        ({1, 2}, "gold labels must be a sequence of labels, not set"),
        ({1: 2, 3: 4}.values(), "gold labels must be a sequence of labels, not dict_values"),
        (iter([1, 2]), "not list_iterator"),
        (np.array(3), "gold labels must be one-dimensional, not of shape ()"),
        (sparse.csr_array([[1, 2]]), "gold labels must be one-dimensional, not of shape (1, 2)"),
        (sparse.coo_array([1, 2]), "gold labels must be a sequence of labels, not coo_array"),
        (pd.DataFrame({"a": [1, 2]}), "one-dimensional, not of shape (2, 1)"),
        ([1] * 70 + [[1, 2]], "gold labels must be hashable: unhashable type: 'list'"),
        (pa.array([[1], [2]]), "gold labels must be hashable"),
        (pd.Series([[1], [2]], dtype=pd.ArrowDtype(pa.list_(pa.int64()))), "gold labels must be hashable"),
    ],
)
def test_what_is_no_sequence_of_labels(labels, message):
    with pytest.raises(InputError) as caught:
        Contingency.from_labels(labels, [1, 1] if not isinstance(labels, list) else [1] * len(labels))
    assert message in str(caught.value)


objects = st.sampled_from(["a", "b", "ab", 1, 2.5, None, float("nan"), (1, 2)])


@given(st.lists(objects, min_size=1, max_size=60), st.booleans())
def test_labels_told_apart_by_address_are_those_told_apart_by_value(labels, fresh):
    """Equal strings at different addresses are one label, and a view with strides is read as it is."""
    if fresh:
        labels = ["".join(x) if isinstance(x, str) and len(x) > 1 else x for x in labels]
    values = np.fromiter((x for label in labels for x in (label, "skipped")), dtype=object, count=2 * len(labels))[::2]
    expected_codes, expected = pd.factorize(values)
    for probe in (1, labelling.PROBE):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(labelling, "PROBE", probe)
            codes, uniques = labelling._factorize(np.concatenate([values] * 5)[: len(values)])
            many, names = labelling._factorize(np.concatenate([values] * 5))
        assert codes.tolist() == expected_codes.tolist() and many.tolist() == expected_codes.tolist() * 5
        assert uniques.tolist() == names.tolist() == expected.tolist()


def test_items_go_by_position():
    gold, predicted = pd.Series([1, 2], index=["x", "y"]), pd.Series([1, 2], index=["y", "x"])
    assert Contingency.from_labels(gold, predicted).counts.tolist() == [[1, 0], [0, 1]]


def test_many_unanswered_singletons_are_quick():
    n = 200_000
    predicted = [None if i % 2 else i for i in range(n)]
    table = Contingency.from_labels(np.arange(n) % 7, predicted, missing="singletons")
    assert table.shape == (7, n) and table.clusters[-1] == f"(unanswered) {n // 2}"
