"""The Sampling lab: exact curves, simulated measures, rankings; the peer loops over samples."""

import numpy as np
from sklearn.metrics import v_measure_score

from evalcore.bias import bias_table
from evalcore.entropy import expectation
from evalcore.sampling import (
    Population,
    published_claims,
    ranking_errors,
    sample_sizes,
    sampling_table,
    simulated_table,
    uniform,
    winner_map,
    zipf,
)

from .bench_entropy import cold
from .timing import best_of

FOUR = ["ML", "MM", "JK", "BUB"]
LOOPED = 100  # samples that scikit-learn is timed on; its time for all is theirs, multiplied


def rows():
    yield from exact_rows()
    yield from simulation_rows()


def exact_rows():
    small, large = sample_sizes(2, 100), sample_sizes(2, 100_000)
    first = best_of(cold(lambda: bias_table(uniform(10), small, FOUR)), 5)
    yield "first paint: exact means and sds, N = 2-100, 4 estimators, cold", first, "", None, "<= 50 ms"
    means = best_of(cold(lambda: [expectation(zipf(10, 1), large, name) for name in FOUR]), 5)
    yield "exact means, N = 2-100,000, 4 estimators, cold", means, "", None, "<= 50 ms"
    skews = np.linspace(0, 4, 21)
    for by in ("bias", "rmse"):
        grid = best_of(lambda by=by: winner_map(10, sample_sizes(2, 100, 28), skews, FOUR, by), 2)
        yield f"winner map by {by}, 28 sizes x 21 skews", grid, "", None, "< 1 s"
    yield "the article's claims, N = 2-100", best_of(published_claims, 3), "", None, "< 0.2 s"


def simulation_rows():
    truth, sizes = Population.noisy_channel(zipf(5, 1), 8, 0.4), sample_sizes(10, 10_000, 40)
    ours = best_of(cold(lambda: sampling_table(truth, sizes, ["V"], FOUR, 1000)), 2)
    peer = looped(truth, sizes) * 1000 / LOOPED
    what = "V of 1,000 samples x 40 sizes to 10,000 x 4 estimators"
    yield (
        what,
        ours,
        f"looping scikit-learn (ML alone; {LOOPED} samples a size, times {1000 // LOOPED})",
        peer,
        "<= 2 s",
    )
    pair = {"honest": truth, "random": Population.random_system(zipf(5, 1), 60)}
    arguments = pair, sample_sizes(10, 10_000, 25), ["V", "VI", "NVI", "ARI"], FOUR
    yield (
        "rankings of 2 systems, 1,000 samples x 25 sizes",
        best_of(lambda: ranking_errors(*arguments, 1000), 1),
        "",
        None,
        "<= 5 s",
    )
    few = sample_sizes(2, 100, 14)
    nsb = best_of(lambda: simulated_table(uniform(10), few, ["NSB"], 1000, support=10), 1)
    yield "NSB of 1,000 samples x 14 sizes", nsb, "", None, "seconds"


def looped(truth, sizes):
    """Seconds of scikit-learn for the same, drawing included."""
    rng = np.random.default_rng(0)

    def loop():
        for n in sizes:
            for sample in rng.multinomial(n, truth.joint.ravel(), size=LOOPED):
                cells = np.repeat(np.arange(truth.joint.size), sample)
                v_measure_score(cells // 8, cells % 8)

    return best_of(loop, 1)
