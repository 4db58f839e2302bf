"""How often samples put systems in the wrong order."""

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd

from ..errors import InputError
from ..measures import resolve
from .entropy_curves import Progress
from .measure_sampling import check_run, columns_of, drawn_in_parts, scores
from .populations import Population

TIE = 1e-9  # true scores closer than this have no order
LEVEL = 0.95


def ranking_errors(
    systems: Mapping[str, Population],
    sizes,
    measures=("V", "ARI"),
    estimators=("ML",),
    repetitions: int = 500,
    seed: int = 0,
    known_support: bool = False,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """How often two systems are ranked wrongly, for each sample size, measure and estimator.

    Every measure is held to its own truth: what it says of an endless sample. All systems are given the same
    items; an item's clusters in two systems are independent given its class. With more than two systems
    `wrong` is the mean over all pairs. A tied sample counts as half wrong; pairs that truly tie are left out,
    and `wrong` is NaN where none is left. `low` and `high` are Wilson's 95% interval, which is too wide
    rather than too narrow for more than two systems.

    >>> gold = [0.4, 0.3, 0.3]
    >>> honest, chance = Population.noisy_channel(gold, 3, 0.7), Population.random_system(gold, 30)
    >>> ranking_errors({"A": honest, "B": chance}, [30, 1000], ["V"], ["ML"]).wrong.round(1).tolist()
    [1.0, 0.0]
    """
    columns = columns_of(measures, estimators)
    check_systems(systems)
    populations = list(systems.values())
    check_run(populations, sizes, repetitions)
    names = list(dict.fromkeys(measure for measure, _ in columns))
    truth = np.array([[system.truth(names)[measure] for measure, _ in columns] for system in populations])
    sign = np.array([1.0 if resolve(measure).higher_is_better else -1.0 for measure, _ in columns])
    first, second = np.triu_indices(len(populations), 1)
    with np.errstate(invalid="ignore"):  # infinity minus infinity is a tie
        gap = sign * (truth[first] - truth[second])
    order = np.where(np.abs(gap) > TIE, np.sign(gap), 0.0)  # (pairs, columns)
    rows, done, total = [], 0, len(sizes) * repetitions
    for n in sizes:
        rng, wrong = np.random.default_rng([seed, n, 1]), np.zeros(len(columns))
        for counts in drawn_in_parts(populations[0].classes, n, repetitions, seed, sum(p.cells for p in populations)):
            found = np.stack([sign * scores(p, counts, rng, columns, known_support) for p in populations])
            seen = np.sign(found[first] - found[second])  # (pairs, samples, columns)
            wrong += np.where(order[:, None] == 0, 0.0, (1 - seen * order[:, None]) / 2).sum(axis=(0, 1))
            done += len(counts)
            if progress:
                progress(done, total, f"ranking by samples of {n:,}")
        pairs = (order != 0).sum(axis=0)
        rate = np.divide(wrong, pairs * repetitions, out=np.full(len(columns), math.nan), where=pairs > 0)
        low, high = wilson(rate, repetitions)
        rows += [(n, *column, rate[i], low[i], high[i]) for i, column in enumerate(columns)]
    return pd.DataFrame(rows, columns=["n", "measure", "estimator", "wrong", "low", "high"])


def needed_sizes(errors: pd.DataFrame, level: float = LEVEL) -> pd.DataFrame:
    """The first sample size from which rankings stay right at this rate, for each row of `ranking_errors`.

    `needed` is NaN where no simulated size suffices (or there is no true order); `too_few` is the largest
    size that does not suffice.

    >>> rates = pd.DataFrame({"n": [10, 100, 1000], "wrong": [0.5, 0.2, 0.01]})
    >>> rates = rates.assign(measure="V", estimator="ML")
    >>> needed_sizes(rates)[["needed", "too_few"]].values.tolist()
    [[1000, 100]]
    """
    rows = []
    for (measure, estimator), part in errors.groupby(["measure", "estimator"], sort=False):
        part = part.sort_values("n")
        n, enough = part["n"].to_numpy(), (part["wrong"] <= 1 - level + 1e-12).to_numpy()
        failing = np.flatnonzero(~enough)
        stays = failing[-1] + 1 if len(failing) else 0
        rows.append(
            (
                measure,
                estimator,
                n[stays] if stays < len(n) else math.nan,
                n[stays - 1] if stays else math.nan,
                bool(part["wrong"].isna().all()),
            )
        )
    return pd.DataFrame(rows, columns=["measure", "estimator", "needed", "too_few", "tied"])


def wilson(rate, n: int, z: float = 1.959963984540054):
    """Wilson's interval for a rate seen in n trials.

    >>> [round(float(x), 3) for x in wilson(0.0, 500)]
    [0.0, 0.008]
    """
    rate = np.asarray(rate, dtype=float)
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return np.where(rate == 0, 0.0, centre - half), np.where(rate == 1, 1.0, centre + half)


def check_systems(systems: Mapping[str, Population]):
    """Refuse systems that cannot have clustered the same items."""
    if len(systems) < 2:
        raise InputError("Ranking takes at least two systems.")
    (first_name, first), *others = systems.items()
    for name, other in others:
        if len(other.classes) != len(first.classes) or not np.allclose(other.classes, first.classes, rtol=0, atol=1e-9):
            raise InputError(
                f"“{name}” has other class sizes than “{first_name}”, so they cannot have clustered the same items."
            )
