"""The extreme solutions: what they are made of, and the paper's own one among them."""

import numpy as np
import pytest

from evalcore import InputError, published, score
from evalcore.extremes import EXTREMES, extreme_solutions


@pytest.mark.parametrize("sizes", [(1,), (4,), (1, 1), (5, 3), (10, 7, 4, 2, 1)])
def test_they_are_solutions_of_these_classes(sizes):
    found = extreme_solutions(sizes)
    assert list(found) == list(EXTREMES)
    for table in found.values():
        np.testing.assert_allclose(table.class_sizes, sizes)
        assert (table.cluster_sizes > 0).all() or table.shape[1] == len(sizes)  # R may leave a tiny cluster empty
    assert score(found["perfect"], ["V"])["V"] == 1 and score(found["one cluster"], ["c"])["c"] == 1
    assert score(found["singletons"], ["h"])["h"] == score(found["halved"], ["h"])["h"] == 1
    assert score(found["no knowledge"], ["MI"])["MI"] == pytest.approx(0, abs=1e-12)
    assert found["singletons"].shape[1] == sum(sizes) and found["halved"].shape[1] == sum(
        min(size, 2) for size in sizes
    )


def test_ten_classes_of_ten_give_solution_r():
    assert extreme_solutions([10] * 10)["R"] == published.solution_r()


def test_smaller_ones_like_r():
    assert extreme_solutions([10, 10, 4])["R"].counts.tolist() == [[7, 2, 1], [1, 7, 2], [1, 0, 3]]
    assert extreme_solutions([3])["R"].counts.tolist() == [[3]]
    assert extreme_solutions([5, 1])["R"].counts.tolist() == [[4, 1], [0, 1]]


@pytest.mark.parametrize("sizes", [[], [0], [2.5], ["x"], 3])
def test_what_are_no_sizes(sizes):
    with pytest.raises(InputError):
        extreme_solutions(sizes)
