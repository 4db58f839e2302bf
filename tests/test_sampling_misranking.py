"""How often samples rank systems wrongly: against enumeration, with ties, and what size is needed."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from evalcore import InputError, score
from evalcore.sampling import Population, needed_sizes, ranking_errors, zipf
from evalcore.sampling.misranking import wilson

GOLD = [0.6, 0.4]
A = Population.noisy_channel(GOLD, 2, 0.3)
B = Population.noisy_channel(GOLD, 3, 0.8)


def outcomes(n, p):
    """All ways that n items fall into cells of these probabilities, with their chances."""
    for counts in itertools.product(range(n + 1), repeat=len(p)):
        if sum(counts) == n:
            ways = math.factorial(n) / math.prod(map(math.factorial, counts))
            yield np.array(counts), ways * math.prod(q**c for q, c in zip(p, counts, strict=True))


def tables(population, sizes):
    for rows in itertools.product(*(outcomes(n, p) for n, p in zip(sizes, population.channel, strict=True))):
        yield np.array([row for row, _ in rows]), math.prod(chance for _, chance in rows)


def exactly_wrong(measure, estimator, n, higher):
    """The chance that A, the better one, does not come first; half of it where they tie."""
    wrong, known = 0.0, {}

    def value(table):
        key = table.tobytes(), table.shape
        if key not in known:
            known[key] = score(table, [measure], estimator)[measure] * (1 if higher else -1)
        return known[key]

    for sizes, chance in outcomes(n, GOLD):
        first = [(value(t), p) for t, p in tables(A, sizes)]
        second = [(value(t), p) for t, p in tables(B, sizes)]
        for (x, p), (y, q) in itertools.product(first, second):
            wrong += chance * p * q * (1 - np.sign(x - y)) / 2
    return wrong


@pytest.mark.parametrize(
    ("measure", "estimator", "higher"),
    [("V", "ML", True), ("V", "BUB", True), ("NVI", "MM", False), ("ARI", "", True), ("AMI", "", True)],
)
def test_rates_agree_with_enumeration(measure, estimator, higher):
    exact = exactly_wrong(measure, estimator or "ML", 4, higher)
    found = ranking_errors({"A": A, "B": B}, [4], [measure], [estimator or "ML"], 3000, seed=8).iloc[0]
    assert 0.05 < exact < 0.95
    assert abs(found.wrong - exact) < 4 * math.sqrt(exact * (1 - exact) / 3000)
    assert found.low < found.wrong < found.high


def test_every_measure_is_right_in_the_end():
    systems = {
        "honest": Population.noisy_channel(zipf(4, 1), 4, 0.3),
        "random": Population.random_system(zipf(4, 1), 30),
    }
    measures = ["V", "h", "c", "VI", "NVI", "AMI", "ARI"]
    errors = ranking_errors(systems, [20, 3000], measures, ["ML", "BUB"], 100, seed=1)
    assert (errors[errors.n == 3000].wrong == 0).all()
    small = errors[errors.n == 20].set_index(["measure", "estimator"]).wrong
    assert small["h", "ML"] > 0.7 > 0.3 > small["ARI", ""]
    turned = dict(reversed(systems.items()))
    assert (ranking_errors(turned, [3000], measures, ["ML", "BUB"], 100, seed=1).wrong == 0).all()


def test_true_ties_have_no_wrong_order():
    systems = {"ten": Population.random_system(GOLD, 10), "thirty": Population.random_system(GOLD, 30)}
    errors = ranking_errors(systems, [20], ["V", "VI", "ARI"], ["ML"], 50).set_index("measure").wrong
    assert math.isnan(errors["V"]) and math.isnan(errors["ARI"]) and not math.isnan(errors["VI"])
    needed = needed_sizes(ranking_errors(systems, [20], ["V", "VI"], ["ML"], 50)).set_index("measure")
    assert needed.tied.to_dict() == {"V": True, "VI": False}


def test_tied_samples_count_as_half_wrong():
    gold = [0.5, 0.5]
    systems = {"perfect": Population.noisy_channel(gold, 2, 0.0), "one": Population.from_table([[1], [1]])}
    found = ranking_errors(systems, [2], ["V"], ["ML"], 4000, seed=2).iloc[0]
    # both items of one class (chance 1/2): V = 1 for both, a tie; else the perfect one wins
    assert found.wrong == pytest.approx(0.25, abs=4 * math.sqrt(1 / 16 / 4000))


def test_endless_truths_are_ordered_too():
    systems = {
        "honest": A,
        "alone": Population.one_per_instance(GOLD),
        "also alone": Population.one_per_instance(GOLD),
    }
    errors = ranking_errors(systems, [50], ["VI", "h"], ["ML"], 100).set_index("measure")
    assert errors.wrong["VI"] < 0.01  # finite against infinite; two infinite ones tie and are left out
    assert errors.wrong["h"] == 0.0  # homogeneity truly prefers singletons


def test_more_systems_give_the_mean_over_pairs():
    systems = {"A": A, "B": B, "C": Population.random_system(GOLD, 6)}
    together = ranking_errors(systems, [15], ["V"], ["ML"], 4000, seed=3).iloc[0]
    pairs = [ranking_errors({x: systems[x], y: systems[y]}, [15], ["V"], ["ML"], 4000, seed=4).iloc[0].wrong
             for x, y in itertools.combinations(systems, 2)]  # fmt: skip
    assert together.wrong == pytest.approx(np.mean(pairs), abs=4 * 0.5 / math.sqrt(4000))
    assert max(pairs) - min(pairs) > 0.1


def test_intervals_are_wilsons():
    for wrong, n in ((0, 50), (3, 50), (25, 50), (50, 50)):
        theirs = binomtest(wrong, n).proportion_ci(method="wilson")
        assert [float(x) for x in wilson(wrong / n, n)] == pytest.approx([theirs.low, theirs.high], abs=1e-12)


@pytest.mark.parametrize(
    ("wrong", "needed", "too_few"),
    [
        ([0.5, 0.2, 0.05, 0.0], 100, 50),
        ([0.04, 0.2, 0.0, 0.0], 50 * 2, 50),  # a lucky start does not count
        ([0.0, 0.0, 0.0, 0.0], 10, math.nan),
        ([0.5, 0.5, 0.5, 0.06], math.nan, 1000),
    ],
)
def test_the_size_needed_is_the_first_from_which_it_stays_right(wrong, needed, too_few):
    rates = pd.DataFrame({"n": [10, 50, 100, 1000], "wrong": wrong}).assign(measure="V", estimator="JK")
    row = needed_sizes(rates.sample(frac=1, random_state=1)).iloc[0]
    assert [row.needed, row.too_few] == pytest.approx([needed, too_few], nan_ok=True)


def test_the_same_seed_gives_the_same_rates():
    arguments = {"A": A, "B": B}, [10, 30], ["V", "ARI"], ["ML", "JK"], 200
    assert ranking_errors(*arguments, seed=1).equals(ranking_errors(*arguments, seed=1))
    assert not ranking_errors(*arguments, seed=1).equals(ranking_errors(*arguments, seed=2))


def test_systems_that_cannot_be_compared_are_refused():
    with pytest.raises(InputError, match="at least two systems"):
        ranking_errors({"A": A}, [10])
    other = Population.noisy_channel([0.5, 0.5], 2, 0.3)
    with pytest.raises(InputError, match="“C” has other class sizes than “A”"):
        ranking_errors({"A": A, "B": B, "C": other}, [10])
    with pytest.raises(InputError, match="too many"):
        ranking_errors({"A": A, "B": Population.random_system(GOLD, 5000)}, [10] * 10, repetitions=10_000)
