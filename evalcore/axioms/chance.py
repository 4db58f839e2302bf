"""What measures say of random solutions: a good one says the same however many clusters there are."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..checks import TOLERANCE, Check, Counterexample, Outcome, Progress, margins, outcome
from ..contingency import Contingency
from ..errors import InputError
from ..measures import Measure
from ..statistics import Statistics

CLUSTERS = (2, 3, 5, 8, 12, 20, 35, 60, 100)
CLASS_SIZES = (20,) * 5
DRAWS = 200
ERRORS = 4  # a step is flat where the mean moves by at most so many standard errors
MOST_CELLS = 20_000_000  # of all tables together

CHANCE = Check(
    "R",
    "response to chance",
    "Random solutions should score the same on average, however many clusters they have.",
    "Hubert and Arabie 1985; Vinh, Epps and Bailey 2010",
)


@dataclass(frozen=True)
class ChanceCurve:
    """Mean scores of random solutions by number of clusters, with a typical solution for each measure."""

    measures: tuple[Measure, ...]
    clusters: tuple[int, ...]
    mean: np.ndarray  # (numbers of clusters, measures)
    error: np.ndarray  # standard error of the mean
    typical: list[np.ndarray]  # by number of clusters: for each measure the draw nearest the mean
    typical_score: np.ndarray  # (numbers of clusters, measures)
    draws: int

    def to_frame(self) -> pd.DataFrame:
        """One row for each number of clusters and measure."""
        index = pd.MultiIndex.from_product(
            [self.clusters, [m.name for m in self.measures]], names=["clusters", "measure"]
        )
        return pd.DataFrame({"mean": self.mean.ravel(), "error": self.error.ravel()}, index).reset_index()


def chance_curve(
    measures: Sequence[Measure],
    class_sizes: Sequence[int] = CLASS_SIZES,
    clusters: Sequence[int] = CLUSTERS,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Progress | None = None,
) -> ChanceCurve:
    """Score `draws` solutions for each number of clusters; an item goes to any cluster with equal chance.

    >>> from evalcore.measures import MEASURES
    >>> curve = chance_curve([MEASURES["V"], MEASURES["ARI"]], clusters=(2, 50))
    >>> curve.mean.round(2).tolist()
    [[0.02, -0.0], [0.33, -0.0]]
    """
    sizes, clusters = [int(size) for size in class_sizes], tuple(int(k) for k in clusters)
    if not sizes or min(sizes) < 1:
        raise InputError("Class sizes must be at least 1, and there must be one.")
    if not clusters or min(clusters) < 1 or list(clusters) != sorted(set(clusters)):
        raise InputError("Numbers of clusters must be at least 1 and rise, and there must be one.")
    if draws < 2 or draws * len(sizes) * sum(clusters) > MOST_CELLS:
        raise InputError(f"There must be at least 2 draws, and at most {MOST_CELLS:,} cells in all tables.")
    rng = np.random.default_rng(seed)
    means, errors, typical, typical_scores = [], [], [], []
    for done, k in enumerate(clusters):
        if progress:
            progress(done, len(clusters), f"scoring random solutions with {k} clusters")
        tables = np.stack([rng.multinomial(size, np.full(k, 1 / k), size=draws) for size in sizes], axis=1)
        statistics = Statistics(tables)
        scores = np.stack([np.broadcast_to(m.compute(statistics), draws) for m in measures], axis=-1)
        nearest = np.abs(scores - scores.mean(axis=0)).argmin(axis=0)
        means.append(scores.mean(axis=0))
        errors.append(scores.std(axis=0, ddof=1) / np.sqrt(draws))
        typical.append(tables[nearest])
        typical_scores.append(scores[nearest, np.arange(len(measures))])
    if progress:
        progress(len(clusters), len(clusters), "scored random solutions")
    return ChanceCurve(
        tuple(measures), clusters, np.array(means), np.array(errors), typical, np.array(typical_scores), draws
    )


def check_chance(curve: ChanceCurve, tolerance: float = TOLERANCE) -> Outcome:
    """How many steps from one number of clusters to the next leave a mean where it is, within its error."""
    moved = np.abs(np.diff(curve.mean, axis=0))
    allowed = ERRORS * np.hypot(curve.error[1:], curve.error[:-1]) + margins(curve.mean, tolerance)

    def explain(case, measure, amount):
        column = [m.name for m in curve.measures].index(measure.name)
        steps = {f"{curve.clusters[at]} random clusters": at for at in (case, case + 1)}
        tables = {name: Contingency.from_matrix(curve.typical[at][column]) for name, at in steps.items()}
        scores = {name: float(curve.typical_score[at, column]) for name, at in steps.items()}
        first, second = (curve.mean[at, column] for at in steps.values())
        says = (
            f"The mean {measure.name} of {curve.draws} random solutions should stay the same, but it "
            f"goes from {first:.4g} with {curve.clusters[case]} clusters to {second:.4g} with "
            f"{curve.clusters[case + 1]}; the tables are draws nearest those means."
        )
        return Counterexample(tables, scores, says, amount)

    return outcome(CHANCE, curve.measures, moved <= allowed, moved, explain)
