"""The papers' experiments: what they show, and that their numbers are right."""

import numpy as np
import pytest
from scipy import sparse

import evalcore as ec
from evalcore.clusterers import experiments, mdl
from evalcore.clusterers.counts import Cooccurrence, known_model, made
from evalcore.clusterers.distributional import anneal
from evalcore.errors import InputError


@pytest.fixture(scope="module")
def found():
    return experiments.experiment_1(known_model()).groupby(["energy", "size"]).mean()


def test_mdl_finds_four_clusters_from_500_pairs_on(found):
    leaves = found["leaves"]
    assert [leaves["mdl", size] for size in (500, 1_000, 10_000)] == [4, 4, 4]
    assert all(leaves["mle", size] >= 30 for size in (100, 200, 500, 1_000, 10_000))


def test_mdl_is_nearer_the_truth_where_there_is_data(found):
    for size in (500, 1_000, 10_000):
        assert found["KL"]["mdl", size] < found["KL"]["mle", size]
    assert found["KL"]["mdl", 10_000] < 0.01


def test_on_small_data_v_prefers_near_singletons_and_nvi_does_not(found):
    for size in (50, 100):
        assert found["V"]["mle", size] > found["V"]["mdl", size] + 0.05
        assert found["NVI"]["mle", size] > 1.4 > 1 >= found["NVI"]["mdl", size]
    for size in (500, 1_000, 10_000):
        assert found["V"]["mdl", size] > 0.95 > 0.6 > found["V"]["mle", size]


def test_a_row_is_what_its_tree_gives():
    model = known_model()
    row = experiments.experiment_1(
        model, sizes=[200], trials=1, smoothing="mix", measures=["V", "ARI"], estimator="JK"
    ).iloc[1]
    pairs = model.sample(200, seed=[0, 0, 200])
    tree = mdl.cluster(pairs, "mle", seed=[0, 0])
    assert (row["energy"], row["leaves"]) == ("mle", len(tree.leaves()))
    assert row["KL"] == mdl.divergence(model.truth, tree.estimate("mix"))
    scores = ec.score(pairs.contingency(tree.labels()), ["V", "ARI"], "JK")
    assert (row["V"], row["ARI"]) == (scores["V"], scores["ARI"])


def test_relative_entropy_is_as_defined():
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 4, (5, 6))
    memberships, centroids = rng.dirichlet(np.ones(3), 5), rng.dirichlet(np.ones(6), 3)
    predicted, total = memberships @ centroids, 0.0
    for row, model in zip(counts, predicted, strict=True):
        p = row / row.sum()
        total += row.sum() * sum(x * np.log(x / m) for x, m in zip(p, model, strict=True) if x)
    value = experiments.relative_entropy(sparse.csr_array(counts), np.log(memberships), np.log(centroids))
    assert value == pytest.approx(total / counts.sum(), rel=1e-12)
    chunk, experiments.CHUNK = experiments.CHUNK, 7
    try:
        assert experiments.relative_entropy(
            sparse.csr_array(counts), np.log(memberships), np.log(centroids)
        ) == pytest.approx(value, rel=1e-12)
    finally:
        experiments.CHUNK = chunk


def test_new_nouns_are_classified_as_the_old_ones_were():
    pairs = made(sample_size=3_000)
    snapshot = anneal(pairs, max_clusters=4).by_k()[2]
    again = np.exp(experiments.classify(pairs.counts, snapshot))
    assert np.abs(again - snapshot.memberships).max() < 0.02  # settled to 1e-5 a step, near a slow mode


@pytest.mark.parametrize("seed", range(4))
def test_train_falls_and_held_out_has_a_minimum_inside(seed):
    curves = experiments.held_out_curves(made(seed=seed), seed=seed)
    assert (np.diff(curves["train"]) < 0).all()
    least = curves.loc[curves["held_out"].idxmin(), "k"]
    assert 4 <= least < curves["k"].max()
    assert curves["held_out"].iloc[-1] > curves["held_out"].min() + 0.005
    assert (curves[["lost_held_out", "lost_new"]] >= 0).all(axis=None)


def test_verbs_unseen_in_training_are_dropped_and_reported():
    counts = made(20, 10, 2, sample_size=800, seed=1).counts.toarray()
    counts = np.column_stack(
        [counts, np.eye(20, dtype=int)]
    )  # a verb of its own for each noun: never seen for new ones
    pairs = Cooccurrence(counts, tuple(range(20)), tuple(range(30)))
    curves = experiments.held_out_curves(pairs, max_clusters=4)
    assert curves["lost_new"].iloc[0] == pytest.approx(4 / 164, rel=0.4)  # 4 new nouns, about 41 pairs each
    assert np.isfinite(curves["new"]).all()


def test_clusters_decide_between_verbs_better_than_frequency():
    decisions = experiments.verb_decisions(made())
    assert decisions["k"].iloc[0] == 1
    assert decisions["all"].iloc[0] == pytest.approx(
        decisions["marginal"].iloc[0], abs=1e-12
    )  # one cluster knows frequencies only
    four = decisions.set_index("k").loc[4]
    assert four["all"] < decisions["all"].iloc[0] / 2
    assert four["exceptional"] < decisions["exceptional"].iloc[0] / 2
    assert decisions["all"].iloc[-1] > four["all"]


def test_verbs_that_are_all_alike_leave_nothing_to_decide():
    alike = Cooccurrence(np.full((4, 3), 2), tuple("abcd"), tuple("xyz"))
    with pytest.raises(InputError, match="nothing to decide"):
        experiments.verb_decisions(alike)


def test_what_is_too_small_is_refused():
    tiny = Cooccurrence([[1, 0], [0, 1]], ("a", "b"), ("x", "y"))
    for call in (
        lambda: experiments.held_out_curves(tiny),
        lambda: experiments.verb_decisions(tiny),
        lambda: experiments.held_out_curves(made(), new_share=1.0),
        lambda: experiments.held_out_curves(made(), share=0),
        lambda: experiments.experiment_1(known_model(), sizes=[]),
        lambda: experiments.experiment_1(known_model(), trials=0),
    ):
        with pytest.raises(InputError):
            call()


def test_progress_is_told_and_may_cancel():
    seen = []
    experiments.experiment_1(known_model(8, 6, 2), sizes=[50, 60], trials=2, progress=lambda *call: seen.append(call))
    assert [done for done, _, _ in seen] == [0, 1, 2, 3, 4] and seen[1][1:] == (4, "50 pairs, trial 2 of 2")

    def cancel(done, total, what):
        raise KeyboardInterrupt

    for work in (experiments.held_out_curves, experiments.verb_decisions):
        seen.clear()
        work(made(sample_size=900), max_clusters=4, progress=lambda *call: seen.append(call))
        assert "beta" in seen[0][2] and seen[-1] == (3, 4, "predicting with 4 clusters")
        with pytest.raises(KeyboardInterrupt):
            work(made(), progress=cancel)
