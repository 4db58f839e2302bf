"""The registry, the coefficients, and what is said about input that cannot be used."""

import re

import numpy as np
import pytest

from evalcore.entropy import ESTIMATORS, Estimator, coefficients, entropy, resolve
from evalcore.errors import InputError

NAMES = [
    "ML",
    "MM",
    "JK",
    "BUB",
    "Grassberger",
    "Zhang",
    "Bonachela",
    "Dirichlet",
    "ChaoShen",
    "ChaoWangJost",
    "Shrinkage",
    "NSB",
]
LINEAR = NAMES[:8]


def test_names_in_order():
    assert list(ESTIMATORS) == NAMES
    assert [name for name, estimator in ESTIMATORS.items() if estimator.kind == "linear"] == LINEAR


@pytest.mark.parametrize("name", NAMES)
def test_metadata(name):
    estimator = ESTIMATORS[name]
    assert estimator.name == name
    assert estimator.kind in ("linear", "nonlinear")
    assert estimator.summary.endswith(".") and estimator.summary.count(". ") == 0
    assert re.search(r"\(\d{4}\)", estimator.reference)
    assert estimator.formula.count("{") == estimator.formula.count("}")
    assert not re.search(r"\\quad[A-Za-z]", estimator.formula)


def test_resolve():
    assert resolve("chaoshen") is ESTIMATORS["ChaoShen"]
    assert resolve(" JK ") is ESTIMATORS["JK"]
    assert resolve(ESTIMATORS["ML"]) is ESTIMATORS["ML"]
    half = resolve("dirichlet( 0.5 )")
    assert isinstance(half, Estimator) and half.name == "Dirichlet(0.5)" and resolve(half.name).name == half.name
    precise = resolve("Dirichlet(0.12345678)")
    assert entropy([3, 1], precise, 4) == entropy([3, 1], precise.name, 4)
    assert entropy([3, 1], "Dirichlet(1)", 4) == entropy([3, 1], "Dirichlet", 4)
    assert entropy([3, 1], half, 4) != entropy([3, 1], "Dirichlet", 4)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Laplace", r"Unknown estimator 'Laplace'; the known ones are ML, MM, .*, NSB\."),
        ("Dirichlet(0)", r"prior weight must be a positive number, not '0'"),
        ("Dirichlet(x)", r"prior weight must be a positive number, not 'x'"),
        ("Dirichlet(nan)", r"prior weight"),
        ("", r"Unknown estimator ''"),
        (None, r"by its name, not by None"),
        (3, r"by its name, not by 3"),
    ],
)
def test_unknown_estimators(name, message):
    with pytest.raises(InputError, match=message):
        resolve(name)


@pytest.mark.parametrize("name", LINEAR)
@pytest.mark.parametrize("n", [1, 2, 19, 20, 300, 5000])
def test_coefficients_make_the_estimate(name, n):
    counts = [n - n // 3 - n // 5, n // 3, n // 5]
    seen = [c for c in counts if c]
    a = coefficients(name, n, support=6)
    assert a.shape == (n + 1,)
    assert entropy(counts, name, 6) == pytest.approx(a[seen].sum() + (6 - len(seen)) * a[0], rel=1e-13, abs=1e-16)


def test_coefficients_are_shared_and_read_only():
    a = coefficients("JK", 50)
    assert a is coefficients("jk", 50, support=3)
    with pytest.raises(ValueError):
        a[0] = 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("NSB", 10), "NSB is not a linear estimator; only linear ones have coefficients"),
        (("BUB", 10), "BUB's coefficients depend on the number of possible outcomes: give support"),
        (("Dirichlet", 10), "Dirichlet's coefficients depend"),
        (("ML", 0), "sample size must be a whole number of at least 1, not 0"),
        (("ML", 2.5), "not 2.5"),
        (("ML", "ten"), "not 'ten'"),
        (("BUB", 10, 0), "number of possible outcomes must be a whole number of at least 1, not 0"),
        (("ML", float("nan")), "not nan"),
    ],
)
def test_bad_coefficients(arguments, message):
    with pytest.raises(InputError, match=message):
        coefficients(*arguments)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([3, -1], "negative or missing; outcome 2 has -1"),
        ([[3, 1], [1, -2]], "negative or missing; row 2, outcome 2 has -2"),
        ([3, float("nan")], "negative or missing; outcome 2 has nan"),
        ([3, float("inf")], "finite; outcome 2 is infinite"),
        ([0, 0], "^Every count is zero, and an empty sample has no entropy"),
        ([[1, 2], [0, 0]], "^Row 2: every count is zero"),
        ([[[1, 2], [3, 4]], [[1, 1], [0, 0]]], "^Row 2, 2: every count is zero"),
        ([], "Every count is zero"),
        ([[1, 2], [3]], "equally many outcomes in every row"),
        (["a", "b"], "Counts must be numbers"),
        (["1", "2"], "Counts must be numbers"),
        ([1, None], "negative or missing; outcome 2 has nan|Counts must be numbers"),
        (5, "a sequence of numbers"),
    ],
)
def test_bad_counts(name, counts, message):
    with pytest.raises(InputError, match=message):
        entropy(counts, name)


@pytest.mark.parametrize("name", NAMES[1:])
def test_fractions_are_refused_but_by_ml(name):
    with pytest.raises(InputError, match=f"{name} needs whole counts; outcome 3 has 2.5"):
        entropy([1.0, 2.0, 2.5], name)
    with pytest.raises(InputError, match="row 2, outcome 1 has 0.5"):
        entropy([[1.0, 2.0], [0.5, 1.0]], name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("support", "message"),
    [
        (1, "The support is 1, but there are 2 outcomes with counts"),
        (-3, "The support is -3"),
        (2.5, "must be whole, not 2.5"),
        ("many", "must be whole, not 'many'"),
        (float("inf"), "must be whole, not inf"),
        ([3, 4], "one number, or one for each row"),
        ([[3], [4, 5]], "one number, or one for each row"),
    ],
)
def test_bad_support(name, support, message):
    with pytest.raises(InputError, match=message):
        entropy([3, 1], name, support)


def test_bad_support_in_a_batch():
    with pytest.raises(InputError, match="The support is 1, but row 2 has 2 outcomes with counts"):
        entropy([[3, 0], [3, 1]], "BUB", [1, 1])


def test_no_rows_give_no_estimates():
    assert entropy(np.zeros((0, 4), dtype=int), "JK").shape == (0,)
    assert entropy(np.zeros((0, 4), dtype=int), "NSB").shape == (0,)


def test_counts_too_large_to_be_exact():
    with pytest.raises(InputError, match="outcome 1 is too large"):
        entropy([2**60, 1], "JK")


def test_masked_counts_are_missing():
    with pytest.raises(InputError, match="negative or missing; outcome 2 has nan"):
        entropy(np.ma.masked_array([5, 3, 2], mask=[0, 1, 0]))
    assert entropy(np.ma.masked_array([5, 3, 2])) == entropy([5, 3, 2])


def test_a_list_of_coefficients_has_an_end():
    with pytest.raises(InputError, match="The sample size is 1000000000000, and lists of more than 100,000,000"):
        coefficients("ML", 10**12)
