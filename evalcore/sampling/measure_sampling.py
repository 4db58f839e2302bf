"""Measures on samples of a known population: how they spread about, and away from, the true value."""

import math

import numpy as np
import pandas as pd

from ..entropy import entropy
from ..entropy import resolve as resolve_estimator
from ..errors import InputError
from ..measures import resolve
from ..statistics import Statistics
from .entropy_curves import MOST_REPETITIONS, Progress
from .populations import Population

MOST_COUNTS = 400_000_000  # cells drawn in one run: repetitions x sizes x cells, of all systems together
LARGEST_SAMPLE = 100_000
CHUNK = 400_000  # cells drawn between two reports of progress
QUANTILES = (0.05, 0.5, 0.95)

# Measures that an endless sample gives a value, and that one cluster per instance has too.
MEASURES_SAMPLED = (
    "V",
    "h",
    "c",
    "VI",
    "NVI",
    "NVI_K",
    "MI",
    "NMI_max",
    "NMI_min",
    "NMI_joint",
    "AMI",
    "ARI",
)


def columns_of(measures, estimators) -> list[tuple[str, str]]:
    """(measure, estimator) for each score; "" for measures that use no estimator.

    >>> columns_of(["V", "ARI"], ["ML", "JK"])
    [('V', 'ML'), ('V', 'JK'), ('ARI', '')]
    """
    chosen, names = [resolve(m) for m in measures], [resolve_estimator(e).name for e in estimators]
    for measure in chosen:
        if measure.name not in MEASURES_SAMPLED:
            raise InputError(
                f"{measure.name} cannot be followed here; those that can are {', '.join(MEASURES_SAMPLED)}."
            )
    return [(m.name, name) for m in chosen for name in (names if m.needs == "entropies" else [""])]


def scores(population: Population, class_counts, rng, columns, known_support: bool = False) -> np.ndarray:
    """Draw a sample for each row of class sizes and score it: (samples, columns)."""
    support = population.support if known_support else None
    by_estimator = _statistics(population, class_counts, rng, support)
    made = {name: by_estimator(name) for name in dict.fromkeys(name for _, name in columns)}
    values = np.empty((len(class_counts), len(columns)))
    for at, (measure, name) in enumerate(columns):
        values[:, at] = (
            _alone(measure, class_counts)
            if population.channel is None and not name
            else resolve(measure).compute(made[name])
        )
    return values


def _statistics(population, class_counts, rng, support):
    """A function from an estimator's name to the statistics of the samples."""
    if population.channel is None:
        return lambda name: _alone_statistics(class_counts, name or "ML", support)
    drawn = Statistics(population.draw(class_counts, rng), support=support)
    return lambda name: drawn.with_estimator(name or "ML")


def _alone_statistics(class_counts, name, support):
    """Entropies where every item is a cluster of its own: all clusters and occupied cells hold one item."""
    n = int(class_counts[0].sum())
    ones = np.ones(n, dtype=np.int64)
    seen = (class_counts > 0).sum(axis=1)
    joint = {m: entropy(ones, name, m * n) for m in np.unique(seen).tolist()}
    return Statistics.from_entropies(
        C=entropy(class_counts, name, support.C if support else None),
        K=entropy(ones, name, n),
        joint=np.array([joint[m] for m in seen.tolist()]),
    )


def _alone(measure, class_counts):
    """AMI and ARI of one cluster per instance: 0, but 1 where every class has one item at most."""
    return (class_counts.max(axis=1) <= 1).astype(float)


def drawn_in_parts(class_p, n, repetitions, seed, cells):
    """Class sizes of all samples of size n, in parts whose tables fit in memory together."""
    counts = np.random.default_rng([seed, n]).multinomial(n, class_p, size=repetitions)
    at_once = max(1, CHUNK // max(cells, 1))
    return [counts[start : start + at_once] for start in range(0, repetitions, at_once)]


def sample_scores(
    population: Population,
    n: int,
    measures,
    estimators=("ML",),
    repetitions: int = 1000,
    seed: int = 0,
    known_support: bool = False,
    base: float = math.e,
    progress=None,
) -> pd.DataFrame:
    """Scores of `repetitions` samples of size n, one row each, a column for each (measure, estimator).

    Samples depend on population, seed and n alone. `known_support` tells the estimators the true numbers of
    classes and clusters; otherwise each sample tells them what it saw, as when a clustering is scored.

    >>> found = sample_scores(Population.random_system([0.5, 0.5], 30), 50, ["V", "ARI"], ["ML", "BUB"])
    >>> found.mean().round(2).to_dict()
    {('V', 'ML'): 0.17, ('V', 'BUB'): 0.11, ('ARI', ''): 0.0}
    """
    columns = columns_of(measures, estimators)
    check_run([population], [n], repetitions)
    rng, parts, done = np.random.default_rng([seed, n, 1]), [], 0
    for counts in drawn_in_parts(population.classes, n, repetitions, seed, population.cells):
        parts.append(scores(population, counts, rng, columns, known_support))
        done += len(counts)
        if progress:
            progress(done, repetitions, f"samples of {n:,}")
    values = np.concatenate(parts) / [math.log(base) if resolve(m).unit == "nats" else 1.0 for m, _ in columns]
    return pd.DataFrame(values, columns=pd.MultiIndex.from_tuples(columns, names=["measure", "estimator"]))


def sampling_table(
    population: Population,
    sizes,
    measures=("V",),
    estimators=("ML",),
    repetitions: int = 1000,
    seed: int = 0,
    known_support: bool = False,
    base: float = math.e,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """One row for each sample size, measure and estimator: truth, mean with error, bias, sd, rmse, quantiles.

    >>> table = sampling_table(Population.random_system([0.5, 0.5], 30), [20, 200], ["V"], ["ML"])
    >>> table["bias"].round(1).tolist()  # the true V is 0
    [0.3, 0.1]
    """
    columns = columns_of(measures, estimators)
    check_run([population], sizes, repetitions)
    truth = population.truth(dict.fromkeys(m for m, _ in columns), base)
    rows, total = [], len(sizes) * repetitions
    for number, n in enumerate(sizes):
        inner = progress and (lambda d, t, what, at=number * repetitions: progress(at + d, total, what))
        found = sample_scores(
            population, n, measures, estimators, repetitions, seed, known_support, base, inner
        ).to_numpy()
        rows += _summaries(n, columns, found, truth)
    return pd.DataFrame(
        rows,
        columns=[
            "n",
            "measure",
            "estimator",
            "truth",
            "mean",
            "mean_error",
            "bias",
            "sd",
            "rmse",
            *(f"q{round(100 * q):02}" for q in QUANTILES),
        ],
    )


def _summaries(n, columns, found, truth):
    true = np.array([truth[measure] for measure, _ in columns])
    mean, sd = found.mean(axis=0), found.std(axis=0, ddof=1)
    rmse = np.sqrt(((found - true) ** 2).mean(axis=0))
    quantiles = np.quantile(found, QUANTILES, axis=0)
    return [
        (
            n,
            *column,
            true[i],
            mean[i],
            sd[i] / math.sqrt(len(found)),
            mean[i] - true[i],
            sd[i],
            rmse[i],
            *quantiles[:, i],
        )
        for i, column in enumerate(columns)
    ]


def by_clusters(
    classes,
    clusters,
    n: int,
    measures=("V",),
    estimators=("ML",),
    repetitions: int = 1000,
    seed: int = 0,
    base: float = math.e,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """As `sampling_table` at one sample size, for systems that know nothing and have ever more clusters.

    >>> by_clusters([0.5, 0.5], [2, 40], 100)["mean"].round(2).tolist()
    [0.01, 0.12]
    """
    parts, before, total = [], 0, sum(clusters)
    for k in clusters:
        inner = progress and (
            lambda d, t, what, k=k, before=before: progress(before + k * d / t, total, f"{k} clusters")
        )
        table = sampling_table(
            Population.random_system(classes, k),
            [n],
            measures,
            estimators,
            repetitions,
            seed,
            base=base,
            progress=inner,
        )
        parts.append(table.assign(clusters=k))
        before += k
    return pd.concat(parts, ignore_index=True)


def check_run(populations, sizes, repetitions):
    """Refuse what would take too long, before it starts."""
    if not 2 <= repetitions <= MOST_REPETITIONS:
        raise InputError(f"A simulation takes 2 to {MOST_REPETITIONS:,} repetitions, not {repetitions}.")
    if not len(sizes) or min(sizes) < 1 or max(sizes) > LARGEST_SAMPLE:
        raise InputError(f"Sample sizes lie between 1 and {LARGEST_SAMPLE:,}.")
    cells = sum(population.cells for population in populations)
    if repetitions * len(sizes) * cells > MOST_COUNTS:
        raise InputError(
            f"{repetitions:,} repetitions at {len(sizes)} sample sizes of {cells:,} cells are too many: "
            f"their product may be {MOST_COUNTS:,}."
        )
