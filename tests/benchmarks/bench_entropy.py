"""Entropy estimators: BUB's coefficients from nothing, exact moments, and batches."""

import numpy as np
from scipy import stats

from evalcore.entropy import bub, coefficients, entropy, estimate, expectation, expected_triple, moments

from .timing import best_of


def rows():
    rng = np.random.default_rng(0)
    large = cold(lambda: coefficients("BUB", 10_000, 100))
    yield "BUB coefficients, N = 10,000, m = 100, cold", best_of(large, 5), "-", None, "tens of ms"
    sizes = rng.integers(20, 251, 2000).tolist()
    supports = np.exp(rng.uniform(0, 7, 2000)).astype(int).tolist()
    many = cold(lambda: [coefficients("BUB", n, m) for n, m in zip(sizes, supports, strict=True)])
    yield "BUB coefficients, 2,000 pairs (N, m), cold", best_of(many, 3), "-", None, "<= 1 s"
    yield from batch_rows(rng)
    yield from exact_rows()
    yield from soft_rows(rng)


def batch_rows(rng):
    """The peer is timed on 500 of the rows and multiplied up."""
    counts = rng.multinomial(500, np.full(100, 0.01), size=10_000)

    def loop():
        return [stats.entropy(row) for row in counts[:500]]

    peer = best_of(loop, 3) * 20
    for name in ("ML", "MM", "JK", "BUB"):
        ours = best_of(lambda name=name: entropy(counts, name, 100), 5)
        yield (
            f"entropy of 10,000 x 100 counts, {name}",
            ours,
            "looping scipy.stats.entropy (ML)",
            peer,
            "a few ms",
        )
    few = rng.multinomial(50, np.full(10, 0.1), size=1000)
    yield "entropy of 1,000 x 10 counts, NSB", best_of(lambda: entropy(few, "NSB", 10), 2), "-", None, "< 1 s"


def exact_rows():
    """The four estimators of a figure: 40 sample sizes up to 100,000, Zipf over 10 outcomes."""
    p = 1 / np.arange(1, 11)
    p /= p.sum()
    sizes = np.unique(np.geomspace(5, 100_000, 40).astype(int))
    names = ("ML", "MM", "JK", "BUB")
    mean = cold(lambda: [expectation(p, sizes, name) for name in names])
    both = cold(lambda: [moments(p, sizes, name) for name in names])
    yield "exact means, 40 sizes to 100,000, 4 estimators, cold", best_of(mean, 5), "-", None, "<= 50 ms"
    yield "exact means and sds of the same, cold", best_of(both, 5), "-", None, "50 ms would be superb"


def soft_rows(rng):
    """A shared task's weighted answers: 100 words of 90 instances and 200 clusters."""
    words = [(rng.integers(0, 5, 90), rng.dirichlet(np.full(200, 0.1), size=90)) for _ in range(100)]
    ours = best_of(lambda: [expected_triple(*word, "BUB") for word in words], 2)
    yield "soft H(C), H(K), H(C,K), 100 words x 90 x 200 clusters, BUB", ours, "-", None, "1-2 s"


def cold(call):
    """The same call, with nothing remembered from before."""
    remembered = [
        bub.free_coefficients,
        bub._small_sample,
        bub._large_sample,
        estimate._small_table,
        estimate._large_table,
    ]

    def afresh():
        for function in remembered:
            function.cache_clear()
        return call()

    return afresh
