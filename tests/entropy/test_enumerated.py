"""Exact bias in small samples: equal to the other exact way, or draw by draw where there is none."""

import itertools
import math

import numpy as np
import pytest

from evalcore import ESTIMATORS, InputError, entropy, moments
from evalcore.entropy.enumerated import samples, small_sample_bias

P = [0.5, 0.25, 0.125, 0.125]


@pytest.mark.parametrize("name", [name for name, e in ESTIMATORS.items() if e.kind == "linear"])
@pytest.mark.parametrize("n", [1, 2, 7, 20])
def test_linear_estimators_have_the_bias_of_moments(name, n):
    assert small_sample_bias(P, n, name) == pytest.approx(moments(P, n, name).bias, abs=1e-12)
    assert small_sample_bias(P, n, name, support=9) == pytest.approx(moments(P, n, name, support=9).bias, abs=1e-12)


@pytest.mark.parametrize("name", [name for name, e in ESTIMATORS.items() if e.kind != "linear"])
def test_nonlinear_estimators_draw_by_draw(name):
    p, n = [0.6, 0.3, 0.1], 5
    mean = 0.0
    for draws in itertools.product(range(3), repeat=n):
        counts = np.bincount(draws, minlength=3)
        mean += math.prod(p[i] for i in draws) * entropy(counts, name, support=3)
    truth = -sum(x * math.log(x) for x in p)
    assert small_sample_bias(p, n, name) == pytest.approx(mean - truth, abs=1e-12)


def test_samples_are_all_and_add_up():
    counts, chance = samples(P, 6)
    assert len(counts) == math.comb(9, 3) and (counts.sum(axis=1) == 6).all()
    assert len({tuple(row) for row in counts.tolist()}) == len(counts)
    assert chance.sum() == pytest.approx(1, abs=1e-12)
    assert samples([1.0], 3)[0].tolist() == [[3]]


def test_what_cannot_be_listed():
    with pytest.raises(InputError, match="different samples of 100"):
        samples([0.1] * 10, 100)
    with pytest.raises(InputError, match="add up to 1"):
        small_sample_bias([0.5, 0.6], 3)
    with pytest.raises(InputError, match="sample size"):
        small_sample_bias(P, 0)
