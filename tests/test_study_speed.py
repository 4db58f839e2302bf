"""How fast the largest studies are: the table of properties, and a weighted key of 15 MB scored soft."""

import itertools

import numpy as np
import pytest

from tests.benchmarks import bench_properties, bench_systems

pytestmark = pytest.mark.timing


def test_the_full_study_takes_seconds_and_scikit_learn_two_hundred_times_as_long():
    study, shared = itertools.islice(bench_properties.rows(), 2)
    assert "31,360 tables" in study[0] and study[1] < 10
    assert shared[3] / shared[1] >= 200


def test_a_weighted_key_of_15_mb_is_scored_soft_in_15_seconds():
    ((what, seconds, *_),) = bench_systems.weighted(np.random.default_rng(0))  # word by word, with progress
    assert int(what.split(" MB")[0].split()[-1]) >= 15 and seconds < 15
