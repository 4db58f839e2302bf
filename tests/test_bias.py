"""The table of exact biases: columns, units, errors; the moments are tested with the estimators."""

import math

import numpy as np
import pytest

from evalcore import InputError, moments
from evalcore.bias import bias_table, zipf


def test_zipf():
    assert zipf(4, 0).tolist() == [0.25] * 4
    assert zipf(3, 2) == pytest.approx(np.array([36, 9, 4]) / 49)
    assert zipf(1, 3).tolist() == [1.0]
    assert zipf(3, 5000).tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("support, exponent", [(0, 1), (-3, 1), (3, -0.5), (3, math.inf), (3, math.nan)])
def test_no_such_zipf(support, exponent):
    with pytest.raises(InputError):
        zipf(support, exponent)


def test_rows():
    steps = []
    table = bias_table([0.7, 0.3], [3, 5], ["ML", "BUB"], support=4, base=2, progress=lambda *step: steps.append(step))
    assert table.columns.tolist() == ["n", "estimator", "truth", "mean", "bias", "sd", "rmse"]
    assert table[["n", "estimator"]].values.tolist() == [[3, "ML"], [3, "BUB"], [5, "ML"], [5, "BUB"]]
    m = moments([0.7, 0.3], 5, "BUB", support=4)
    expected = np.array([m.truth, m.mean, m.bias, m.sd, m.rmse]) / math.log(2)
    assert table.iloc[3, 2:].tolist() == pytest.approx(expected.tolist())
    assert table.rmse.tolist() == pytest.approx(np.hypot(table.bias, table.sd).tolist())
    assert steps == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_coin_thrown_twice():
    row = bias_table([0.5, 0.5], [2]).iloc[0]
    log2 = math.log(2)
    assert row[["truth", "mean", "bias", "sd"]].tolist() == pytest.approx([log2, log2 / 2, -log2 / 2, log2 / 2])


def test_nonlinear_estimators_are_refused():
    with pytest.raises(
        InputError,
        match="ChaoShen is not linear, so its bias has no exact form; linear are ML, MM, JK, BUB",
    ):
        bias_table([0.5, 0.5], [2], ["ML", "ChaoShen"])
