"""Populations with a known truth, and measures on samples of them."""

import math

import numpy as np
import pytest

from evalcore import ESTIMATORS, MEASURES, Contingency, InputError, score
from evalcore.entropy import expectation
from evalcore.parametric import dom
from evalcore.published import singletons, solution_r
from evalcore.sampling import (
    MEASURES_SAMPLED,
    Population,
    by_clusters,
    measure_sampling,
    sample_scores,
    sampling_table,
    zipf,
)
from evalcore.sampling.measure_sampling import columns_of, scores

POPULATIONS = {
    "noisy": Population.noisy_channel(zipf(4, 1), 6, 0.4),
    "random": Population.random_system(zipf(5, 1), 12),
    "Dom": Population.from_table(dom(3, 4, 1, 1, 0.1, 0.1, 0.05)),
    "R": Population.from_table(solution_r()),
}
ALL_BUT_NSB = [name for name in ESTIMATORS if name != "NSB"]  # which takes seconds for nothing new


# ---- truth -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", POPULATIONS)
def test_the_truth_is_what_an_endless_sample_scores(name):
    population = POPULATIONS[name]
    truth = population.truth(MEASURES_SAMPLED)
    huge = Contingency.from_matrix(np.round(population.joint * 1e12).astype(np.int64))
    for measure, value in score(huge, [m for m in MEASURES_SAMPLED if m != "AMI"]).items():
        assert truth[measure] == pytest.approx(value, abs=1e-9), measure
    large = Contingency.from_matrix(np.round(population.joint * 1e6).astype(np.int64))
    assert truth["AMI"] == truth["V"] == pytest.approx(score(large, ["AMI"])["AMI"], abs=1e-3)


def test_knowing_nothing_is_exactly_zero():
    truth = POPULATIONS["random"].truth(MEASURES_SAMPLED)
    assert [truth[m] for m in ("V", "h", "c", "MI", "NMI_max", "AMI", "ARI")] == [0.0] * 7
    assert truth["VI"] == pytest.approx(-np.dot(zipf(5, 1), np.log(zipf(5, 1))) + math.log(12))
    assert Population.random_system([1.0], 1).truth(["V", "ARI"]) == {"V": 1.0, "ARI": 1.0}


def test_endless_clusters_are_the_limit_of_ever_more_singletons():
    truth = Population.one_per_instance([0.5, 0.3, 0.2]).truth(MEASURES_SAMPLED)
    far = score(singletons([5000, 3000, 2000]), [m for m in MEASURES_SAMPLED if m != "AMI"])
    near = score(singletons([50, 30, 20]), [m for m in MEASURES_SAMPLED if m != "AMI"])
    for measure, value in far.items():
        if math.isinf(truth[measure]):
            assert value > near[measure] + 3  # VI grows with log N
        else:
            assert abs(value - truth[measure]) <= abs(near[measure] - truth[measure]) + 1e-12, measure
    assert far["h"] == truth["h"] == 1 and far["V"] < 0.25 and truth["V"] == 0


def test_a_noisy_channel_sends_items_where_it_says():
    more = Population.noisy_channel([0.5, 0.5], 4, 0.2).channel
    assert more.tolist() == pytest.approx(np.array([[0.45, 0.05, 0.45, 0.05], [0.05, 0.45, 0.05, 0.45]]))
    fewer = Population.noisy_channel([0.2, 0.3, 0.5], 2, 0.0).channel
    assert fewer.tolist() == [[1, 0], [0, 1], [1, 0]]
    assert Population.from_table([[3, 0, 0], [0, 0, 0], [1, 2, 0]]).channel.tolist() == [
        [1, 0],
        [1 / 3, 2 / 3],
    ]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Population.noisy_channel([0.5, 0.4], 2, 0.1), "add up to 1"),
        (lambda: Population.noisy_channel([0.5, 0.5], 2, 1.5), "between 0 and 1"),
        (lambda: Population.random_system([1.0], 0), "at least one cluster"),
        (lambda: Population.random_system(zipf(200, 1), 200), "20,000 are the limit"),
        (lambda: Population.one_per_instance([1.0]).table(), "no table without a sample"),
        (lambda: columns_of(["purity"], ["ML"]), "purity cannot be followed"),
        (lambda: sample_scores(POPULATIONS["R"], 0, ["V"]), "between 1 and 100,000"),
        (lambda: sample_scores(POPULATIONS["R"], 10, ["V"], repetitions=1), "2 to 10,000"),
        (lambda: sampling_table(POPULATIONS["R"], [10] * 500, ["V"], repetitions=10_000), "too many"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(make, says):
    with pytest.raises(InputError, match=says) as error:
        make()
    assert str(error.value).endswith(".")


# ---- samples -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", POPULATIONS)
def test_cells_are_drawn_as_often_as_the_truth_says(name):
    population, n, many = POPULATIONS[name], 30, 5000
    rng = np.random.default_rng(4)
    tables = population.draw(rng.multinomial(n, population.classes, size=many), rng)
    assert (tables.sum(axis=(1, 2)) == n).all()
    error = np.sqrt(n * population.joint * (1 - population.joint) / many)
    assert (np.abs(tables.mean(axis=0) - n * population.joint) <= 4.5 * error).all()
    variance = n * population.joint * (1 - population.joint)
    held = population.joint > 0.01
    assert tables.var(axis=0)[held] == pytest.approx(variance[held], rel=0.15)  # joint multinomial, not only the mean


def test_scores_are_those_of_the_drawn_tables():
    population, rng = POPULATIONS["noisy"], np.random.default_rng(9)
    counts = rng.multinomial(25, population.classes, size=6)
    tables = population.draw(counts, np.random.default_rng(1))
    columns = columns_of(MEASURES_SAMPLED, list(ESTIMATORS))
    found = scores(population, counts, np.random.default_rng(1), columns)
    for table, row in zip(tables, found, strict=True):
        for (measure, estimator), value in zip(columns, row, strict=True):
            assert value == pytest.approx(score(table, [measure], estimator or "ML")[measure], abs=1e-10)


def test_one_cluster_per_instance_scores_as_such_tables_do():
    population = Population.one_per_instance([0.5, 0.3, 0.1, 0.1])
    counts = np.vstack([np.random.default_rng(2).multinomial(4, population.classes, size=5), [[1, 1, 1, 1]]])
    columns = columns_of(MEASURES_SAMPLED, ALL_BUT_NSB)
    found = scores(population, counts, None, columns)
    for sizes, row in zip(counts, found, strict=True):
        table = singletons(sizes[sizes > 0].tolist())
        for (measure, estimator), value in zip(columns, row, strict=True):
            expected = score(table, [measure], estimator or "ML")[measure]
            assert value == pytest.approx(expected, abs=1e-10), (sizes, measure, estimator)


@pytest.mark.parametrize("name", POPULATIONS)
@pytest.mark.parametrize("n", [10, 60, 400])
def test_means_lie_within_four_standard_errors_of_exact_ones(name, n):
    """VI and MI are linear in the entropies, so their means are exact where the support is known."""
    population, estimators = POPULATIONS[name], ["ML", "MM", "JK", "BUB", "Zhang"]
    table = sampling_table(population, [n], ["VI", "MI"], estimators, 2000, seed=6, known_support=True)
    joint, support = population.joint, population.support
    for row in table.itertuples():
        C = expectation(joint.sum(axis=1), n, row.estimator, support.C)
        K = expectation(joint.sum(axis=0), n, row.estimator, support.K)
        both = expectation(joint.ravel(), n, row.estimator, support.joint)
        exact = 2 * both - C - K if row.measure == "VI" else C + K - both
        assert abs(row.mean - exact) < 4 * row.mean_error, (row.measure, row.estimator)
        assert row.bias == pytest.approx(row.mean - row.truth)


def test_known_support_changes_only_those_that_use_it():
    population = POPULATIONS["random"]
    options = dict(measures=["V"], estimators=["ML", "JK", "BUB", "Dirichlet"], repetitions=50, seed=1)
    seen, known = (sample_scores(population, 15, known_support=flag, **options) for flag in (False, True))
    same = (seen == known).all()
    assert same["V", "ML"] and same["V", "JK"] and not same["V", "BUB"] and not same["V", "Dirichlet"]


def test_the_summary_is_that_of_the_scores():
    options = dict(estimators=["ML", "BUB"], repetitions=300, seed=3)
    found = sample_scores(POPULATIONS["noisy"], 40, ["V", "VI", "ARI"], base=2, **options)
    table = sampling_table(POPULATIONS["noisy"], [20, 40], ["V", "VI", "ARI"], base=2, **options)
    rows = table[table.n == 40].set_index(["measure", "estimator"])
    truth = POPULATIONS["noisy"].truth(["V", "VI", "ARI"], base=2)
    for column, values in found.items():
        x, row = values.to_numpy(), rows.loc[column]
        expected = [
            x.mean(),
            x.std(ddof=1) / math.sqrt(300),
            x.std(ddof=1),
            *np.quantile(x, [0.05, 0.5, 0.95]),
        ]
        assert row[["mean", "mean_error", "sd", "q05", "q50", "q95"]].tolist() == pytest.approx(expected)
        assert row.truth == truth[column[0]]
        assert row.rmse == pytest.approx(math.sqrt(((x - row.truth) ** 2).mean()))
    nats = sample_scores(POPULATIONS["noisy"], 40, ["V", "VI"], **options)
    assert found["VI", "ML"].to_numpy() * math.log(2) == pytest.approx(nats["VI", "ML"].to_numpy())
    assert (found["V", "ML"] == nats["V", "ML"]).all()


def test_the_same_seed_draws_the_same_samples():
    options = dict(measures=["V"], estimators=["ML"], repetitions=100)
    first = sample_scores(POPULATIONS["R"], 30, seed=5, **options)
    assert sample_scores(POPULATIONS["R"], 30, seed=5, **options).equals(first)
    assert not sample_scores(POPULATIONS["R"], 30, seed=6, **options).equals(first)
    more = sampling_table(POPULATIONS["R"], [10, 30], seed=5, **options)
    assert more["mean"].iloc[1] == pytest.approx(first.to_numpy().mean(), rel=1e-12)


def test_v_grows_with_the_clusters_of_a_system_that_knows_nothing():
    table = by_clusters(zipf(5, 1), [2, 5, 15, 40], 100, ["V", "ARI"], ["ML", "JK"], 300, seed=1)
    ml = table[table.estimator == "ML"]
    assert (np.diff(ml["mean"]) > 10 * ml["mean_error"].max()).all() and (ml.truth == 0).all()
    assert (table[table.estimator == "JK"]["mean"].to_numpy() < ml["mean"].to_numpy()).all()
    ari = table[table.measure == "ARI"]
    assert (ari["mean"].abs() < 4 * ari["mean_error"]).all()


def test_progress_goes_on_to_the_end_and_can_stop_it(monkeypatch):
    monkeypatch.setattr(measure_sampling, "CHUNK", 2000)
    shares = []
    sampling_table(POPULATIONS["R"], [10, 20, 30], ["V"], ["ML"], 100,
                   progress=lambda done, total, what: shares.append(done / total))  # fmt: skip
    assert shares == sorted(shares) and shares[-1] == 1 and len(shares) == 15
    shares.clear()
    by_clusters([0.5, 0.5], [2, 30], 20, repetitions=50, progress=lambda d, t, w: shares.append(d / t))
    assert shares == sorted(shares) and shares[-1] == 1


def test_every_measure_offered_is_registered():
    assert all(MEASURES[name].needs != "split" for name in MEASURES_SAMPLED)
