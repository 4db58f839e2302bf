"""How long the figures may take: with nothing else running, see the marker."""

import time

import pytest

from evalcore.clusterers import datasets, distributional, experiments, mdl, sweep
from evalcore.clusterers.counts import known_model, made

pytestmark = pytest.mark.timing


def seconds(work):
    """The better of two runs."""
    times = []
    for _ in range(2):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


@pytest.fixture(scope="module")
def large():
    """The paper's scale."""
    return made(1_000, 2_100, 20, skew=1.0, sample_size=1_100_000, frequency_skew=0.8, seed=1)


@pytest.mark.parametrize("energy", ["mdl", "mle"])
@pytest.mark.parametrize("form", ["paper", "frequency"])
def test_li_and_abe_at_the_papers_scale(large, energy, form):
    assert seconds(lambda: mdl.cluster(large, energy, form)) <= 10


def test_pereira_tishby_and_lee_at_the_papers_scale(large):
    assert seconds(lambda: distributional.anneal(large, max_clusters=32)) <= 10


def test_default_figures():
    pairs, items = made(), datasets.load("digits")
    for work in (
        lambda: experiments.experiment_1(known_model()),
        lambda: distributional.anneal(pairs),
        lambda: experiments.held_out_curves(pairs),
        lambda: experiments.verb_decisions(pairs),
        lambda: sweep.sweep(items.X, sweep.ks_around(items.gold)),
    ):
        assert seconds(work) <= 3
