"""How fast the Sampling lab's numbers are; the figures themselves are printed by `make bench`."""

import pytest

from evalcore.bias import bias_table
from evalcore.sampling import Population, sample_sizes, sampling_table, uniform, zipf
from tests.benchmarks.bench_entropy import cold
from tests.benchmarks.timing import best_of

pytestmark = pytest.mark.timing
FOUR = ["ML", "MM", "JK", "BUB"]


def test_a_thousand_samples_at_forty_sizes_by_four_estimators_take_two_seconds_at_most():
    truth, sizes = Population.noisy_channel(zipf(5, 1), 8, 0.4), sample_sizes(10, 10_000, 40)
    assert len(sizes) == 40
    assert best_of(cold(lambda: sampling_table(truth, sizes, ["V"], FOUR, 1000)), 2) < 2


def test_the_first_picture_needs_little_computing():
    # 50 ms is the aim, and what a machine with nothing else to do needs; a busy one gets three times that
    assert best_of(cold(lambda: bias_table(uniform(10), sample_sizes(2, 100), FOUR)), 5) < 0.15
