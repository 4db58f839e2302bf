"""Distributions, simulated entropies, the winner map and the article's claims."""

import itertools
import math

import numpy as np
import pytest

from evalcore import ESTIMATORS, InputError, entropy, moments
from evalcore.bias import bias_table
from evalcore.sampling import (
    entropy_curves,
    geometric,
    published_claims,
    sample_sizes,
    simulated_table,
    support_table,
    two_level,
    uniform,
    weights,
    winner_map,
    zipf,
)

LINEAR = [name for name, e in ESTIMATORS.items() if e.kind == "linear"]
OTHER = [name for name, e in ESTIMATORS.items() if e.kind != "linear"]
DISTRIBUTIONS = {
    "uniform": uniform(10),
    "Zipf": zipf(20, 1.5),
    "geometric": geometric(8, 0.6),
    "two levels": two_level(30, 2, 0.8),
}


# ---- distributions -----------------------------------------------------------------------------


def test_distributions_have_the_shape_they_are_named_for():
    for p in DISTRIBUTIONS.values():
        assert p.sum() == pytest.approx(1, abs=1e-15) and (p > 0).all()
    assert np.ptp(uniform(7)) == 0
    assert geometric(6, 0.3)[1:] / geometric(6, 0.3)[:-1] == pytest.approx(0.3)
    assert zipf(9, 2)[0] / zipf(9, 2)[2] == pytest.approx(9)
    assert two_level(10, 3, 0.6)[:3].sum() == pytest.approx(0.6)
    assert weights("1/2, 1/4;0.25\n0").tolist() == [0.5, 0.25, 0.25, 0]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: geometric(0, 0.5), "at least one outcome"),
        (lambda: geometric(5, 0), "ratio of neighbours"),
        (lambda: two_level(5, 5, 0.5), "at most 4 can be heavy"),
        (lambda: two_level(5, 1, 1.0), "between 0 and 1"),
        (lambda: weights("  ,"), "Type at least one weight"),
        (lambda: weights("1, two, 3"), "Weight 2 is “two”"),
        (lambda: weights("1 -2"), "Weight 2 is -2"),
        (lambda: weights("1 1/0"), "no number"),
        (lambda: weights("1 nan"), "Weight 2 is nan"),
        (lambda: weights("0 0"), "above 0"),
        (lambda: weights("1 " * 2001), "2,000 are the limit"),
        (lambda: sample_sizes(0, 10), "at least 1 upwards"),
        (lambda: sample_sizes(10, 5), "from 10 to 5"),
    ],
)
def test_what_is_no_distribution_is_refused_in_one_sentence(make, says):
    with pytest.raises(InputError, match=says) as error:
        make()
    assert str(error.value).endswith(".") and "\n" not in str(error.value)


def test_sample_sizes_rise_from_first_to_last():
    sizes = sample_sizes(2, 100_000)
    assert sizes[0] == 2 and sizes[-1] == 100_000 and len(sizes) == 39
    assert sizes == sorted(set(sizes)) and sample_sizes(5, 5) == [5]


# ---- known biases and simulation ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("p", "n", "expected"),
    [
        (uniform(10), 10, {"ML": -0.533, "MM": -0.258, "JK": -0.039, "BUB": -0.073}),
        (zipf(10, 4), 50, {"ML": -0.038, "MM": -0.021, "JK": -0.012, "BUB": -0.003}),
    ],
)
def test_known_biases_exactly_and_by_simulation(p, n, expected):
    exact = bias_table(p, [n], list(expected)).set_index("estimator").bias
    assert exact.round(3).to_dict() == expected
    drawn = simulated_table(p, [n], list(expected), 5000, seed=3, support=10).set_index("estimator")
    assert ((drawn.bias - exact).abs() < 4 * drawn.mean_error).all()


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_simulated_moments_lie_within_four_standard_errors_of_exact_ones(name):
    p, sizes = DISTRIBUTIONS[name], [2, 5, 12, 40, 150]
    exact = bias_table(p, sizes, LINEAR).set_index(["n", "estimator"])
    drawn = simulated_table(p, sizes, LINEAR, 4000, seed=11, support=len(p)).set_index(["n", "estimator"])
    assert len(drawn) == len(LINEAR) * len(sizes) and (drawn.truth == exact.truth).all()
    for column in ("mean", "sd", "rmse"):
        off = (drawn[column] - exact[column]).abs() / (drawn[f"{column}_error"] + 1e-9)
        assert off.max() < 4, (column, off.idxmax())


def test_standard_errors_are_as_large_as_the_errors_are():
    runs = [simulated_table(zipf(10, 1), [12], ["JK"], 200, seed=seed, support=10).iloc[0] for seed in range(300)]
    for column in ("mean", "sd", "rmse"):
        values, errors = ([run[name] for run in runs] for name in (column, f"{column}_error"))
        assert np.std(values) / np.mean(errors) == pytest.approx(1, abs=0.15)


@pytest.mark.parametrize("name", OTHER)
def test_simulated_nonlinear_estimators_agree_with_enumeration(name):
    p, n = np.array([0.5, 0.3, 0.2]), 5
    cases = [c for c in itertools.product(range(n + 1), repeat=3) if sum(c) == n]
    chance = [math.factorial(n) / math.prod(map(math.factorial, c)) * np.prod(p**c) for c in cases]
    estimates = entropy(np.array(cases), name, 3)
    mean = float(np.dot(chance, estimates))
    sd = math.sqrt(np.dot(chance, (estimates - mean) ** 2))
    row = simulated_table(p, [n], [name], 4000, seed=5, support=3).iloc[0]
    assert abs(row["mean"] - mean) < 4 * row["mean_error"] and abs(row["sd"] - sd) < 4 * row["sd_error"]


def test_a_simulation_is_what_its_seed_says_and_nothing_else(monkeypatch):
    options = dict(estimators=["ML", "ChaoShen"], repetitions=300, seed=7, support=10)
    first = simulated_table(uniform(10), [5, 50], **options)
    assert simulated_table(uniform(10), [5, 50], **options).equals(first)
    alone = simulated_table(uniform(10), [50], **options)
    assert alone.equals(first[first.n == 50].reset_index(drop=True))
    assert not simulated_table(uniform(10), [5, 50], **options | {"seed": 8}).equals(first)
    monkeypatch.setattr(entropy_curves, "CHUNK", 130)
    assert simulated_table(uniform(10), [5, 50], **options).equals(first)


def test_simulation_in_bits_and_with_the_seen_support():
    nats = simulated_table(zipf(10, 1), [20], ["BUB"], 200, seed=1, support=10).iloc[0]
    bits = simulated_table(zipf(10, 1), [20], ["BUB"], 200, seed=1, support=10, base=2).iloc[0]
    for column in ("truth", "mean", "bias", "sd", "rmse", "mean_error", "sd_error", "rmse_error"):
        assert bits[column] * math.log(2) == pytest.approx(nats[column], rel=1e-12)
    counts = np.random.default_rng([1, 20]).multinomial(20, zipf(10, 1), size=200)
    seen = simulated_table(zipf(10, 1), [20], ["BUB"], 200, seed=1).iloc[0]
    assert seen["mean"] == pytest.approx(entropy(counts, "BUB").mean(), rel=1e-12)
    assert seen["mean"] != pytest.approx(nats["mean"], rel=1e-3)


def test_progress_can_stop_a_simulation():
    class Stop(Exception):
        pass

    seen = []

    def progress(done, total, what):
        seen.append((done / total, what))
        if done / total > 0.3:
            raise Stop

    with pytest.raises(Stop):
        simulated_table(uniform(50), [10, 20, 40], ["ML", "NSB"], 100, progress=progress)
    assert 1 < len(seen) < 6 and "samples of" in seen[0][1]


def test_limits_are_told_before_work_begins():
    with pytest.raises(InputError, match="2 to 10,000 repetitions"):
        simulated_table(uniform(10), [10], ["ML"], 10_001)
    with pytest.raises(InputError, match="their product may be 200,000,000"):
        simulated_table(uniform(2000), [10] * 11, ["ML"], 10_000)


# ---- winner map, wrong support, claims ---------------------------------------------------------


@pytest.mark.parametrize("by", ["bias", "rmse"])
def test_the_winner_is_the_one_with_the_least_loss(by):
    names, sizes, skews = ["ML", "MM", "JK", "BUB"], [3, 19, 20, 80], [0, 1.5, 4]
    found = winner_map(10, sizes, skews, names, by)
    for i, skew in enumerate(skews):
        table = bias_table(zipf(10, skew), sizes, names)
        for j, n in enumerate(sizes):
            loss = table[table.n == n].set_index("estimator")[by].abs().sort_values()
            assert found.estimators[found.winner[i, j]] == loss.index[0]
            assert found.margin[i, j] == pytest.approx(loss.iloc[1] - loss.iloc[0], rel=1e-9, abs=1e-14)
    assert found.decided.all() and len(found.to_frame()) == 12
    frame = found.to_frame().set_index(["skew", "n"])
    assert frame.loc[(4.0, 80), "winner"] == found.estimators[found.winner[2, 3]]


def test_a_simulated_winner_is_decided_only_beyond_its_error():
    found = winner_map(10, [5, 20], [0.0, 3.0], ["ML", "ChaoShen"], "bias", repetitions=200, seed=2)
    assert (found.error[0] == 0).all() and (found.error[1] > 0).all()
    assert (found.decided == (found.margin > 2 * found.error[1])).all()
    assert found.estimators[found.winner[0, 0]] == "ChaoShen" and found.decided[0, 0]
    twice = winner_map(10, [5], [0.0], ["ChaoShen", "ChaoShen"], "bias", repetitions=100)
    assert not twice.decided.any()


def test_a_map_of_one_has_no_margin_and_nonsense_is_refused():
    assert np.isinf(winner_map(5, [5], [1], ["JK"]).margin).all()
    for arguments in ([], "bias"), (["ML"], "sd"):
        with pytest.raises(InputError):
            winner_map(5, [5], [1], *arguments)


def test_a_wrong_support_moves_bub_as_its_coefficients_say():
    table = support_table(uniform(10), 50, [10, 20, 100, 1000])
    for row in table.itertuples():
        assert row.bias == moments(uniform(10), 50, "BUB", row.support).bias
    assert table.bias.iloc[-1] > 10 * abs(table.bias.iloc[0])
    deaf = support_table(uniform(10), 50, [10, 1000], ["ML", "JK"])
    assert deaf.groupby("estimator").bias.nunique().tolist() == [1, 1]


def test_the_claims_hold_exactly_where_they_do():
    true = {(c.skew, c.better, c.worse): set(c.true_at) for c in published_claims()}
    everywhere = set(range(2, 101))
    assert all(true[skew, "JK", "ML"] == everywhere for skew in range(5))
    assert true[0, "JK", "BUB"] == set(range(9, 101)) - set(range(32, 47))
    assert true[1, "JK", "BUB"] == set(range(14, 101))
    assert true[2, "JK", "BUB"] == set(range(20, 101))
    assert true[3, "BUB", "JK"] == {20, 21, 22, *range(38, 78)}
    assert true[4, "BUB", "JK"] == true[4, "BUB", "ML"] == set(range(20, 101))
    verdicts = {c.distribution: c.verdict for c in published_claims() if c.worse == "BUB"}
    assert verdicts["uniform"] == "true for N = 9–31, 47–100"
