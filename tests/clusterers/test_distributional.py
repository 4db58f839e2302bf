"""Pereira, Tishby and Lee: free energy, critical betas, the course of annealing."""

import itertools

import mpmath
import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, v_measure_score
from threadpoolctl import threadpool_info

import evalcore as ec
from evalcore.clusterers import distributional, free_energy
from evalcore.clusterers.counts import Cooccurrence, made
from evalcore.clusterers.distributional import anneal
from evalcore.clusterers.free_energy import Space
from evalcore.clusterers.threads import one_thread
from evalcore.errors import InputError


@pytest.fixture(scope="module")
def course():
    return anneal(made(), max_clusters=12)


def random_centroids(space, k, seed):
    p = np.random.default_rng(seed).dirichlet(np.ones(len(space.points)), size=k) @ space.points
    return np.log(p / p.sum(axis=1, keepdims=True))


def plain_free_energy(points, weights, beta, log_centroids):
    """By the definition, with p log p = 0 at 0."""
    total = 0.0
    for p, w in zip(points, weights, strict=True):
        distances = [sum(x * (np.log(x) - y) for x, y in zip(p, c, strict=True) if x) for c in log_centroids]
        total -= w * np.log(sum(np.exp(-beta * d) for d in distances)) / beta
    return total


# ---- one beta ----------------------------------------------------------------------------------


def test_memberships_and_free_energy_are_as_defined():
    space = Space(made(8, 6, 2, sample_size=200))
    log_centroids = random_centroids(space, 3, 0)
    log_p, energy = space.expect(2.5, log_centroids)
    assert energy == pytest.approx(plain_free_energy(space.points, space.weights, 2.5, log_centroids), rel=1e-12)
    p = np.exp(log_p)
    assert np.allclose(p.sum(axis=1), 1, atol=1e-14)
    ratio = -2.5 * (space.distances(log_centroids)[:, 0] - space.distances(log_centroids)[:, 1])
    assert np.allclose(log_p[:, 0] - log_p[:, 1], ratio)
    inverse = p * space.weights[:, None]
    inverse /= inverse.sum(axis=0)
    assert np.allclose(np.exp(space.centre(log_p)), inverse.T @ space.points, rtol=1e-12)


@pytest.mark.parametrize("beta", [0.5, 1.6, 2.2, 8.0, 60.0, 900.0])
def test_free_energy_never_rises(beta):
    for seed in range(6):
        pairs = made(sample_size=2_000, frequency_skew=0.8, seed=seed)
        space = Space(pairs)
        _, _, energies = space.settle(beta, random_centroids(space, 6, seed))
        assert len(energies) >= 2
        assert np.diff(energies).max() <= 1e-13 * max(map(abs, energies))


def test_free_energy_never_rises_in_single_precision(monkeypatch):
    monkeypatch.setattr(free_energy, "LARGE", 0)
    space = Space(made(sample_size=2_000))
    assert space.points.dtype == np.float32
    _, _, energies = space.settle(2.2, random_centroids(space, 6, 1))
    assert np.diff(energies).max() <= 1e-6


def test_single_and_double_precision_agree(monkeypatch):
    double = anneal(made(), max_clusters=5)
    monkeypatch.setattr(free_energy, "LARGE", 0)
    monkeypatch.setitem(free_energy.PATIENCE, np.float32, free_energy.PATIENCE[np.float64])
    single = anneal(made(), max_clusters=5)
    assert double.plateau() == single.plateau() == 4
    one, other = double.by_k()[4], single.by_k()[4]
    assert one.beta == pytest.approx(other.beta, rel=0.01)
    assert one.free_energy == pytest.approx(other.free_energy, rel=1e-3)
    assert adjusted_rand_score(one.labels(), other.labels()) == 1


def test_settling_ends_at_a_fixed_point():
    space = Space(made(sample_size=5_000))
    log_centroids, log_p, _ = space.settle(5.0, random_centroids(space, 5, 3))
    assert np.abs(np.exp(space.expect(5.0, space.centre(log_p))[0]) - np.exp(log_p)).max() < 1e-3


def test_tiny_probabilities_do_not_vanish():
    """Centroids of clusters that hardly hold a verb, against 50 digits."""
    counts = np.array([[9, 1, 0, 0], [8, 2, 0, 0], [0, 0, 5, 5], [0, 0, 4, 6]])
    space = Space(Cooccurrence(counts, tuple("abcd"), tuple("wxyz")))
    log_p = np.array([[-1e-9, -2000.0], [-1e-9, -1500.0], [-900.0, -1e-9], [-1800.0, -1e-9]])
    logs = space.centre(log_p)
    with mpmath.workdps(50):
        for c, v in itertools.product(range(2), range(4)):
            joint = [mpmath.mpf(float(space.weights[n])) * mpmath.exp(mpmath.mpf(log_p[n, c])) for n in range(4)]
            share = sum(j * mpmath.mpf(int(counts[n, v])) / 10 for n, j in enumerate(joint)) / sum(joint)
            assert logs[c, v] == pytest.approx(float(mpmath.log(share)), rel=1e-9)


# ---- critical betas ----------------------------------------------------------------------------


def dense_critical(points, weights, p, centroid, c):
    """1 / the largest eigenvalue of the covariance in the metric 1/p_c, by a full decomposition."""
    inverse = weights * p[:, c]
    inverse = inverse / inverse.sum()
    centred = (points - centroid) / np.sqrt(centroid)
    return 1 / np.linalg.eigvalsh((centred * inverse[:, None]).T @ centred)[-1]


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_critical_betas_equal_a_full_eigendecomposition(course, k):
    space, snapshot = Space(course.pairs), course.by_k()[k]
    for c, found in enumerate(snapshot.critical):
        exact = dense_critical(space.points, space.weights, snapshot.memberships, snapshot.centroids[c], c)
        assert exact * 0.999 <= found <= exact * 1.005


def twins_part(space, log_centroids, c, beta, direction):
    """Whether two copies of cluster c part; the others are doubled too, so that all weigh the same."""
    nudge = np.zeros_like(log_centroids)
    nudge[c] = 1e-3 * direction
    both = np.concatenate([log_centroids + nudge, log_centroids - nudge])
    k, apart = len(log_centroids), []
    for _ in range(300):
        apart.append(np.abs(np.exp(both[c]) - np.exp(both[k + c])).sum())
        both = space.centre(space.expect(beta, both)[0])
    return bool(apart[-1] > apart[60])  # after other modes have died away


@pytest.mark.parametrize("k", [1, 4])
def test_twins_part_beyond_the_critical_beta_and_merge_below(course, k):
    space, snapshot = Space(course.pairs), course.by_k()[k]
    c = int(snapshot.critical.argmin())
    critical = snapshot.critical[c]
    direction = np.random.default_rng(0).standard_normal(len(snapshot.log_centroids[0]))
    for factor, parts in ((0.98, False), (1.02, True)):
        log_centroids, _, _ = space.settle(critical * factor, snapshot.log_centroids)
        assert twins_part(space, log_centroids, c, critical * factor, direction) is parts


@pytest.mark.parametrize("seed", range(5))
def test_splits_come_within_2_percent_of_theory(seed):
    found = anneal(made(seed=seed), max_clusters=10)
    ready = [split for split in found.splits if split.ready]
    assert len(ready) >= 2
    for split in ready:
        assert 1.0 <= split.beta / split.critical <= 1.02


# ---- the course --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_the_plateau_is_at_the_true_number(seed):
    course = anneal(made(seed=seed), max_clusters=8)
    assert course.plateau() == 4
    plateaus = course.plateaus()
    assert plateaus["ratio"].iloc[1:-1].max() > 10
    table = course.pairs.contingency(course.by_k()[4].labels())
    assert ec.score(table, ["V"])["V"] == 1


@pytest.mark.parametrize("clusters", [2, 3, 6])
def test_other_true_numbers_are_found_too(clusters):
    assert anneal(made(36, 24, clusters, sample_size=30_000), max_clusters=clusters + 3).plateau() == clusters


def test_snapshots_are_consistent(course):
    assert [step.beta for step in course.steps] == sorted(step.beta for step in course.steps)
    by_k = course.by_k()
    assert list(by_k) == sorted(by_k) and [s.beta for s in by_k.values()] == sorted(s.beta for s in by_k.values())
    assert max(by_k) == 12 and min(by_k) == 1
    for snapshot in course.snapshots:
        assert snapshot.memberships.shape == (32, snapshot.k)
        assert np.allclose(snapshot.memberships.sum(axis=1), 1)
        assert np.allclose(snapshot.centroids.sum(axis=1), 1)
        distance = np.abs(snapshot.centroids[:, None] - snapshot.centroids[None]).sum(axis=2)
        assert distance[np.triu_indices(snapshot.k, 1)].min(initial=9) >= distributional.NEAR
        space = Space(course.pairs)
        again = plain_free_energy(space.points, space.weights, snapshot.beta, snapshot.log_centroids)
        assert snapshot.free_energy == pytest.approx(again, rel=1e-6)


def test_the_tree_is_one(course):
    clusters = course.clusters
    for number, cluster in clusters.items():
        assert cluster.number == number
        if cluster.parent is None:
            assert number == 0
        else:
            assert clusters[cluster.parent].ended == cluster.born
        assert cluster.ended is None or cluster.ended > cluster.born
    assert {n for n, c in clusters.items() if c.ended is None} == set(course.snapshots[-1].clusters)
    parents = [c.parent for c in clusters.values() if c.parent is not None]
    assert all(parents.count(parent) >= 2 for parent in parents)
    assert {split.cluster for split in course.splits} <= set(clusters)


def test_the_nearest_nouns_are_of_the_cluster(course):
    four = course.by_k()[4]
    for c, number in enumerate(four.clusters):
        nearest = course.clusters[number].nearest
        assert nearest and len({noun[0] for noun in nearest}) == 1
        members = [noun for noun, label in zip(course.pairs.nouns, four.labels(), strict=True) if label == c]
        assert set(nearest) <= set(members)


def test_scores_of_snapshots_are_those_of_their_labels(course):
    for snapshot in course.snapshots:
        table = course.pairs.contingency(snapshot.labels())
        assert ec.score(table, ["V"])["V"] == pytest.approx(
            v_measure_score(course.pairs.gold, snapshot.labels()), abs=1e-12
        )


@pytest.mark.parametrize("estimator", ["ML", "JK", "BUB"])
def test_soft_scores_are_expectations_over_hard_solutions(estimator):
    pairs = made(7, 6, 2, sample_size=150)
    p = anneal(pairs, max_clusters=3, max_beta=3).snapshots[-1].memberships
    k = p.shape[1]
    assert k > 1 and (p.max(axis=1) < 0.99).any()
    expected = np.zeros(3)
    for labels in itertools.product(range(k), repeat=7):
        probability = np.prod([p[n, c] for n, c in enumerate(labels)])
        joint = np.zeros((2, k))
        np.add.at(joint, ([0 if g == "A" else 1 for g in pairs.gold], list(labels)), 1)
        outcomes = (joint.sum(axis=1), 2), (joint.sum(axis=0), k), (joint.ravel(), 2 * k)
        entropies = [ec.entropy(n.astype(int), estimator, support=m) for n, m in outcomes]
        expected += probability * np.array(entropies)
    C, K, both = expected
    scores = ec.score(pairs.soft_contingency(p), ["V", "NVI"], estimator)
    h, c = 1 - (both - K) / C, 1 - (both - C) / K
    assert scores["NVI"] == pytest.approx((2 * both - C - K) / C, abs=1e-9)
    assert scores["V"] == pytest.approx(2 * h * c / (h + c), abs=1e-9)


def test_a_hard_snapshot_scores_alike_hard_and_soft(course):
    four = course.by_k()[4]
    assert (1 - four.memberships.max(axis=1)).max() < 1e-12
    hard, soft = course.pairs.contingency(four.labels()), course.pairs.soft_contingency(four.memberships)
    for estimator in ("ML", "JK", "BUB"):
        one, other = (ec.score(table, ["V", "VI", "NVI"], estimator) for table in (hard, soft))
        assert np.allclose(one, other, atol=1e-9)


def test_a_noun_or_verb_without_pairs_is_left_open():
    counts = made(8, 6, 2, sample_size=400).counts.toarray()
    counts[3] = 0
    counts[:, 2] = 0
    course = anneal(Cooccurrence(counts, tuple(range(8)), tuple(range(6))), max_clusters=3)
    last = course.snapshots[-1]
    assert np.allclose(last.memberships[3], 1 / last.k)
    assert (last.log_centroids[:, 2] == -np.inf).all() and np.isfinite(np.delete(last.log_centroids, 2, axis=1)).all()
    assert all(3 not in cluster.nearest for cluster in course.clusters.values())


def test_equal_nouns_never_part():
    pairs = Cooccurrence(np.tile([3, 2, 1], (5, 1)), tuple(range(5)), tuple(range(3)))
    course = anneal(pairs, max_clusters=4, max_beta=100)
    assert {step.k for step in course.steps} == {1} and course.steps[-1].beta == 100 and course.plateau() is None


def test_the_same_seed_gives_the_same_course_and_cancelling_works():
    one, other = (anneal(made(sample_size=2_000), max_clusters=6, seed=3) for _ in range(2))
    assert one.steps == other.steps
    seen = []

    def cancel(done, total, what):
        seen.append((done, total, what))
        if done >= 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        anneal(made(), max_clusters=16, progress=cancel)
    assert all(total == 16 for _, total, _ in seen) and "beta" in seen[0][2] and "1 cluster" in seen[0][2]
    assert all(done < total for done, total, _ in seen)  # the last number of clusters is not the end of the work


def test_cancelling_takes_hold_within_one_beta():
    space, steps = Space(made(sample_size=2_000)), []

    def cancel(clusters):
        steps.append(clusters)
        if len(steps) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        space.settle(1.6, random_centroids(space, 6, 0), watch=cancel)
    assert steps == [6, 6, 6]


def test_linear_algebra_keeps_to_one_thread_until_the_last_run_ends():
    def threads():
        return {pool["num_threads"] for pool in threadpool_info()}

    before = threads()
    with one_thread():
        with one_thread():
            assert threads() == {1}
        assert threads() == {1}
    assert threads() == before
    seen = []
    anneal(made(sample_size=500), max_clusters=2, progress=lambda *_: seen.append(threads()))
    assert {1} in seen and threads() == before


@pytest.mark.parametrize("options", [{"max_clusters": 1}, {"max_clusters": 257}, {"max_beta": 0}, {"max_beta": 1e9}])
def test_limits_are_stated(options):
    with pytest.raises(InputError, match="must lie between"):
        anneal(made(sample_size=100), **options)
