"""Every estimator against its definition, and what holds for all of them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.entropy import ESTIMATORS, entropy

from .reference import REFERENCE, dirichlet

NAMES = list(ESTIMATORS)
LINEAR = [name for name, estimator in ESTIMATORS.items() if estimator.kind == "linear"]

SAMPLES = [
    ([1], 1),
    ([1], 4),
    ([7], 1),
    ([7], 3),
    ([1, 1], 2),
    ([1, 1, 1, 1, 1], 9),
    ([2, 2, 2], 3),
    ([5, 3, 2], 3),
    ([5, 3, 2], 6),
    ([1, 9, 2, 1, 4, 2], 8),
    ([12, 4, 2, 1, 1], 5),
    ([19, 1], 2),
    ([14, 3, 1, 1, 1, 1], 12),
    ([30, 12, 5, 2, 1], 7),
]

A_BILLION = [10**9 - 10**6, 10**6 - 111, 100, 10, 1]

rows_of_counts = st.lists(st.integers(0, 30), min_size=1, max_size=8).filter(any)


def test_every_estimator_has_a_reference():
    assert list(REFERENCE) == NAMES


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("counts", "m"), SAMPLES)
def test_definition(name, counts, m):
    expected = REFERENCE[name](counts, m)
    assert entropy(counts, name, support=m) == pytest.approx(float(expected), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_support_defaults_to_the_outcomes_seen(name):
    assert entropy([5, 0, 3, 2], name) == entropy([5, 0, 3, 2], name, support=3)
    changed = entropy([5, 3, 2], name, support=7) != entropy([5, 3, 2], name, support=3)
    assert changed == ESTIMATORS[name].uses_support


@pytest.mark.parametrize("name", NAMES)
def test_large_samples_approach_the_truth(name):
    p = np.array([0.5, 0.25, 0.15, 0.1])
    truth = -(p * np.log(p)).sum()
    assert entropy((p * 1e7).astype(int), name) == pytest.approx(truth, abs=2e-6)


@pytest.mark.parametrize("name", NAMES)
def test_a_billion_items_need_no_table_of_a_billion_coefficients(name):
    # the plug-in is right to 1e-8 here, and every correction is below outcomes * log N / N
    assert entropy(A_BILLION, name) == pytest.approx(float(REFERENCE["ML"](A_BILLION, 5)), abs=1e-7)


@pytest.mark.parametrize("name", ["ML", "MM", "JK", "Grassberger", "ChaoShen", "Shrinkage"])
def test_a_billion_items_to_the_last_digits(name):
    expected = float(REFERENCE[name](A_BILLION, 5))
    assert entropy(A_BILLION, name) == pytest.approx(expected, rel=1e-12)
    assert entropy([A_BILLION, [1, 2, 0, 0, 0]], name)[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", [n for n in NAMES if n not in ("BUB", "Grassberger", "Bonachela")])
def test_one_outcome_has_exactly_no_entropy(name):
    for n in (1, 2, 10, 10**6):
        for value in (entropy([0, n, 0], name), entropy([n], name), entropy([[n], [n + 1]], name)[0]):
            assert value == 0.0 and math.copysign(1, value) == 1


def test_ml_takes_fractions():
    assert entropy([0.5, 0.25, 0.25]) == pytest.approx(1.5 * math.log(2), rel=1e-15)
    assert entropy([[1.5, 1.5], [0.3, 0.0]]).tolist() == [pytest.approx(math.log(2), rel=1e-15), 0.0]


def test_ml_keeps_its_digits_when_one_outcome_has_nearly_everything():
    counts = [10**12, 1]
    assert entropy(counts) == pytest.approx(float(REFERENCE["ML"](counts, 2)), rel=1e-14)


@pytest.mark.parametrize("alpha", [0.01, 0.5, 3])
def test_dirichlet_weight(alpha):
    expected = float(dirichlet([5, 3, 2], 6, alpha))
    assert entropy([5, 3, 2], f"Dirichlet({alpha})", support=6) == pytest.approx(expected, rel=1e-11)


@given(rows_of_counts)
def test_jackknife_leaves_out_one_observation_at_a_time(counts):
    assert entropy(counts, "JK") == pytest.approx(float(REFERENCE["JK"](counts, None)), rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("j", [1, 2, 3, 99, 100, 12345, 10**6, 10**6 + 1])
def test_grassberger_at_large_counts(j):
    counts = [j, 10**6, 17]
    assert entropy(counts, "Grassberger") == pytest.approx(float(REFERENCE["Grassberger"](counts, 3)), rel=1e-13)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25)
@given(data=st.data())
def test_order_and_empty_slots_do_not_matter(name, data):
    counts = data.draw(rows_of_counts)
    support = data.draw(st.none() | st.integers(len(counts), 40))
    shuffled = data.draw(st.permutations(counts + [0] * data.draw(st.integers(0, 5))))
    assert entropy(shuffled, name, support) == pytest.approx(entropy(counts, name, support), rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25)
@given(data=st.data())
def test_a_batch_equals_a_loop(name, data):
    width = data.draw(st.integers(1, 6))
    rows = st.lists(st.integers(0, 40), min_size=width, max_size=width).filter(any)
    counts = np.array(data.draw(st.lists(rows, min_size=1, max_size=6)))
    support = data.draw(st.none() | st.lists(st.integers(6, 30), min_size=len(counts), max_size=len(counts)))
    looped = [entropy(row, name, None if support is None else support[i]) for i, row in enumerate(counts)]
    assert entropy(counts, name, support) == pytest.approx(np.array(looped), rel=1e-12, abs=1e-14)
    assert entropy(counts.astype(float), name, support) == pytest.approx(np.array(looped), rel=1e-12, abs=1e-14)
    assert entropy(counts[None, :, None, :], name).shape == (1, len(counts), 1)


@pytest.mark.parametrize("name", LINEAR)
def test_a_batch_of_many_sample_sizes_equals_a_loop(name):
    rng = np.random.default_rng(4)
    counts = rng.poisson(rng.gamma(1, 5, size=(300, 1)), size=(300, 5)) + [1, 0, 0, 0, 0]
    looped = [entropy(row, name, 9) for row in counts]
    assert entropy(counts, name, 9) == pytest.approx(np.array(looped), rel=1e-13)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint64, np.float32, object])
def test_any_number_type(name, dtype):
    counts = np.array([250, 3, 2, 1])
    assert entropy(counts.astype(dtype), name, 9) == entropy(counts, name, 9)
