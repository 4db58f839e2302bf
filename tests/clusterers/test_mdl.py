"""Li and Abe: energies, annealing, trees."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evalcore.clusterers import bipartition, mdl
from evalcore.clusterers.bipartition import Bipartition, Rows, anneal, best_division
from evalcore.clusterers.counts import Cooccurrence, known_model, made
from evalcore.errors import InputError

X_LOG_X = np.array([0.0] + [x * math.log2(x) for x in range(1, 3000)])
FORMS = st.sampled_from(["paper", "frequency"])
PRICES = st.sampled_from([0.0, 7.25])


def rows_of(counts):
    counts = np.asarray(counts)
    nouns, verbs = np.nonzero(counts)
    return Rows(verbs, counts[nouns, verbs], np.bincount(nouns, minlength=len(counts)))


def plain_energy(counts, side, price, form):
    """The energy by its definition, in plain Python."""
    total = 0.0
    for k in (0, 1):
        chosen = [row for row, s in zip(counts.tolist(), side, strict=True) if s == k]
        if not chosen:
            continue
        f = [sum(column) for column in zip(*chosen, strict=True)]
        F = sum(f)
        total -= sum(x * math.log2(x) for x in f if x)
        if F:
            total += F * math.log2(len(chosen) if form == "paper" else F)
    return total + (price if 0 < sum(side) < len(side) else 0.0)


def small_tables(most=9):
    shape = st.tuples(st.integers(2, most), st.integers(1, 6))
    return shape.flatmap(lambda s: arrays(np.int64, s, elements=st.integers(0, 40)))


# ---- changes -----------------------------------------------------------------------------------


@given(small_tables(), FORMS, PRICES, st.data())
def test_incremental_changes_equal_recomputation(counts, form, price, data):
    n = len(counts)
    side = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    state = Bipartition(rows_of(counts), X_LOG_X, counts.shape[1], price, form, side)
    for noun in data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=12)):
        before = plain_energy(counts, state.side, price, form)
        assert state.energy() == pytest.approx(before, abs=1e-8)
        for other in range(n):
            moved = state.side.copy()
            moved[other] ^= 1
            change = plain_energy(counts, moved, price, form) - before
            assert state.changes()[other] == pytest.approx(change, abs=1e-8)
            assert state.change(other) == pytest.approx(change, abs=1e-8)
        state.move(noun)
    fresh = Bipartition(rows_of(counts), X_LOG_X, counts.shape[1], price, form, state.side)
    for name in ("f", "F", "sizes", "slot"):
        assert np.array_equal(getattr(state, name), getattr(fresh, name))


@given(small_tables(7), FORMS, PRICES)
def test_all_divisions_are_tried(counts, form, price):
    side = best_division(rows_of(counts), X_LOG_X, price, form)
    n = len(counts)
    all_sides = [[code >> i & 1 for i in range(n)] for code in range(1, 2**n - 1)]
    least = min(plain_energy(counts, s, price, form) for s in all_sides)
    assert 0 < side.sum() < n
    assert plain_energy(counts, side, price, form) == pytest.approx(least, abs=1e-8)


# ---- annealing ---------------------------------------------------------------------------------


def plain_annealing(counts, side, price, form, rng):
    """The algorithm as printed: one noun after another, each change computed when it is proposed."""
    n, temperature, idle, side = len(counts), 1.0, 0, side.copy()
    while True:
        nouns, limits = rng.integers(0, n, 10 * n), temperature * rng.exponential(size=10 * n)
        for noun, limit in zip(nouns, limits, strict=True):
            moved = side.copy()
            moved[noun] ^= 1
            change = plain_energy(counts, moved, price, form) - plain_energy(counts, side, price, form)
            idle += 1
            if change < limit:
                side = moved
                if change < -1e-6:
                    idle = 0
            if idle >= 10 * n:
                return side
        temperature *= 0.9


@pytest.mark.parametrize("glance", [1, 20, 10_000])  # cells a call: long, middling and no patience with single trials
@pytest.mark.parametrize(("form", "price"), [("paper", 0.0), ("paper", 20.0), ("frequency", 20.0)])
def test_the_quick_way_makes_the_same_moves_as_the_plain_one(monkeypatch, glance, form, price):
    monkeypatch.setattr(bipartition, "GLANCE", glance)
    for seed in range(4):
        counts = made(12, 8, 3, sample_size=150, seed=seed).counts.toarray()
        rng = np.random.default_rng(seed)
        side = rng.integers(0, 2, len(counts))
        state = Bipartition(rows_of(counts), X_LOG_X, 8, price, form, side)
        again = np.random.default_rng(seed)
        again.integers(0, 2, len(counts))
        anneal(state, rng)
        assert state.side.tolist() == plain_annealing(counts, side, price, form, again).tolist()


def test_annealing_mostly_finds_the_best_division():
    found = 0
    for seed in range(10):
        counts = made(11, 8, 2, sample_size=200, seed=seed).counts.toarray()
        rng = np.random.default_rng(seed)
        state = Bipartition(rows_of(counts), X_LOG_X, 8, 0.0, "paper", rng.integers(0, 2, 11))
        anneal(state, rng)
        best = plain_energy(counts, best_division(rows_of(counts), X_LOG_X, 0.0, "paper"), 0.0, "paper")
        assert state.energy() >= best - 1e-8
        found += state.energy() < best + 1e-6
    assert found >= 8


# ---- description lengths -----------------------------------------------------------------------


def bell(n):
    row = [1]
    for _ in range(n - 1):
        row = [row[-1], *row]
        for i in range(1, len(row)):
            row[i] += row[i - 1]
    return row[-1]


@pytest.mark.parametrize("n", [1, 2, 3, 10, 60, 1000])
def test_the_number_of_partitions(n):
    assert mdl._log2_bell(n) == pytest.approx(math.log2(bell(n)), rel=1e-12)


@pytest.mark.parametrize("form", mdl.FORMS)
@pytest.mark.parametrize("energy", mdl.ENERGIES)
def test_the_history_equals_lengths_computed_anew(energy, form):
    pairs = made(sample_size=700, frequency_skew=0.7, seed=2)
    tree = mdl.cluster(pairs, energy, form, seed=1)
    assert len(tree.history) == len(tree.splits) + 1 == len(tree.leaves())
    for splits, length in enumerate(tree.history):
        anew = mdl.description_length(pairs, tree.labels(splits), form)
        assert tuple(length) == pytest.approx(tuple(anew), abs=1e-6)


@pytest.mark.parametrize("form", mdl.FORMS)
def test_the_data_length_is_that_of_the_estimated_probabilities(form):
    pairs = made(sample_size=700, frequency_skew=0.7, seed=2)
    tree = mdl.cluster(pairs, "mdl", form)
    estimate, counts = tree.estimate(), pairs.counts.toarray()
    assert estimate.sum() == pytest.approx(1, abs=1e-12)
    occupied = counts > 0
    bits = -(counts[occupied] * np.log2(estimate[occupied])).sum()
    assert tree.history[-1].data == pytest.approx(bits, rel=1e-12)
    k = len(tree.leaves())
    assert tree.history[-1].parameters == pytest.approx((k * 20 - 1) / 2 * math.log2(700))


@pytest.mark.parametrize("form", mdl.FORMS)
def test_every_split_kept_shortens_and_every_split_left_does_not(form):
    pairs = made(16, 10, 3, sample_size=300, seed=4)
    tree = mdl.cluster(pairs, "mdl", form)
    totals = [length.total for length in tree.history]
    assert all(after < before for before, after in itertools.pairwise(totals))
    for leaf in tree.leaves():
        if 1 < len(leaf.members) <= 8:  # here all divisions were tried
            whole = tree.labels()
            for code in range(1, 2 ** (len(leaf.members) - 1)):
                parted = whole.copy()
                parted[leaf.members[[code >> i & 1 == 1 for i in range(len(leaf.members))]]] = 999
                assert mdl.description_length(pairs, parted, form).total >= totals[-1] - 1e-6


# ---- trees -------------------------------------------------------------------------------------


@given(small_tables(12).filter(lambda c: c.sum()), st.sampled_from(["mdl", "mle"]), FORMS)
@settings(max_examples=40)
def test_leaves_are_a_partition_at_every_stage(counts, energy, form):
    n, v = counts.shape
    pairs = Cooccurrence(counts, tuple(range(n)), tuple(range(v)))
    tree = mdl.cluster(pairs, energy, form)
    for splits in range(len(tree.splits) + 1):
        members = np.concatenate([leaf.members for leaf in tree.leaves(splits)])
        assert sorted(members.tolist()) == list(range(n))
        assert len(tree.leaves(splits)) == splits + 1 == tree.labels(splits).max() + 1
    for node in tree.nodes:
        for child in node.children:
            assert tree.nodes[child].parent == node.number and tree.nodes[child].depth == node.depth + 1


def test_alike_nouns_stay_together_even_by_maximum_likelihood():
    pairs = Cooccurrence([[1, 0], [1, 0], [0, 5], [0, 5]], tuple("abcd"), ("x", "y"))
    assert sorted(map(sorted, (leaf.members.tolist() for leaf in mdl.cluster(pairs, "mle").leaves()))) == [
        [0, 1],
        [2, 3],
    ]


@pytest.mark.parametrize("size", [500, 1_000, 10_000])
@pytest.mark.parametrize("fixed", [True, False])
def test_mdl_finds_the_four_clusters_and_mle_overfits(size, fixed):
    for seed in range(10):
        pairs = known_model(seed=0 if fixed else seed).sample(size, seed=[seed, size])
        assert len(mdl.cluster(pairs, "mdl", seed=seed).leaves()) == 4
        assert len(mdl.cluster(pairs, "mle", seed=seed).leaves()) >= 30


def test_small_samples_give_fewer_clusters():
    def leaves(size, seed):
        return len(mdl.cluster(known_model().sample(size, [seed]), seed=seed).leaves())

    found = {size: np.mean([leaves(size, seed) for seed in range(10)]) for size in (100, 200)}
    assert 1.2 <= found[100] <= 2.4 and 1.8 <= found[200] <= 3.0


def test_the_papers_form_clusters_by_frequency_and_the_other_does_not():
    pairs = made(60, 20, 4, sample_size=60_000, frequency_skew=1.0)
    paper, aware = (mdl.cluster(pairs, "mdl", form) for form in ("paper", "frequency"))
    assert len(aware.leaves()) == 4 < len(paper.leaves())


def test_divergence_needs_smoothing_on_small_samples():
    model = known_model()
    tree = mdl.cluster(model.sample(300, 1))
    assert mdl.divergence(model.truth, tree.estimate()) == math.inf
    for smoothing in ("half", "mix"):
        estimate = tree.estimate(smoothing)
        assert estimate.sum() == pytest.approx(1, abs=1e-12) and estimate.min() > 0
        assert 0 < mdl.divergence(model.truth, estimate) < 2
    assert mdl.divergence(model.truth, model.truth) == 0
    half = mdl.cluster(model.sample(300, 1), "mdl", "frequency").estimate("half")
    assert half.sum() == pytest.approx(1, abs=1e-12) and half.min() > 0


def test_the_same_seed_gives_the_same_tree_and_cancelling_works():
    pairs = made(sample_size=300)
    one, other = (mdl.cluster(pairs, "mle", seed=7).labels().tolist() for _ in range(2))
    assert one == other
    seen = []

    def cancel(done, total, what):
        seen.append((done, total, what))
        if len(seen) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mdl.cluster(pairs, "mle", progress=cancel)
    assert len(seen) == 5 and all(0 <= done <= total == 32 for done, total, _ in seen)
    assert "temperature" in seen[0][2]


def test_unknown_names_are_refused():
    pairs = made(sample_size=100)
    for call in (
        lambda: mdl.cluster(pairs, "map"),
        lambda: mdl.cluster(pairs, form="new"),
        lambda: mdl.cluster(pairs).estimate("quarter"),
        lambda: mdl.description_length(pairs, [0, 1]),
    ):
        with pytest.raises(InputError):
            call()
