"""Scores of Dom's solutions along one or two of their parameters, and the steps that go the wrong way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from .checks import TOLERANCE, Progress
from .errors import InputError
from .measures import Measure
from .parametric import Setting, score_settings
from .properties import PROPERTIES, judge
from .scoring import measures_named

MOST_POINTS = 10_000
MOST_CELLS = 20_000_000


@dataclass(frozen=True)
class Sweep:
    """Scores over the values of one or two parameters; NaN where the setting is impossible.

    `expected[parameter]` says of the step that arrives at each point along that parameter what it should do
    to a score: 1 improve it, -1 worsen it, 0 nothing much. `wrong[parameter]` marks the steps that do not.
    """

    values: dict[str, tuple]
    measures: tuple[Measure, ...]
    settings: pd.DataFrame = field(repr=False)
    scores: np.ndarray  # (first values, [second values,] measures)
    expected: dict[str, np.ndarray]  # (first values, [second values])
    wrong: dict[str, np.ndarray]  # the shape of scores
    impossible: int  # points left out because the error masses exceed 1

    def to_frame(self) -> pd.DataFrame:
        """One row for each point and measure."""
        points = self.settings[list(self.values)]
        parts = [
            points.assign(
                measure=m.name,
                score=self.scores[..., i].ravel(),
                **{f"wrong_{p}": self.wrong[p][..., i].ravel() for p in self.values},
            )
            for i, m in enumerate(self.measures)
        ]
        return pd.concat(parts, ignore_index=True)


def sweep(
    setting: Setting,
    values: Mapping[str, Sequence],
    measures=None,
    whole: bool = False,
    tolerance: float = TOLERANCE,
    progress: Progress | None = None,
) -> Sweep:
    """Score the solutions in which one or two parameters of `setting` take other values.

    >>> along = sweep(Setting(5, 8, 2, 1, 0.1, 0.2, 0.2), {"noise_classes": range(5)}, ["VI", "NVI"])
    >>> along.wrong["noise_classes"].sum(axis=0).tolist()  # more noise classes lower NVI
    [0, 3]
    """
    values = {name: tuple(x) for name, x in values.items()}
    for name, x in values.items():
        if name not in Setting._fields:
            raise InputError(f"{name!r} is no parameter; the parameters are {', '.join(Setting._fields)}.")
        if not x or list(x) != sorted(set(x)):
            raise InputError(f"The values of {name} must rise, each above the one before.")
    if len(values) not in (1, 2):
        raise InputError(f"A sweep goes along one or two parameters, not {len(values)}.")
    shape = tuple(len(x) for x in values.values())
    columns = dict(zip(values, (x.ravel() for x in np.meshgrid(*values.values(), indexing="ij"))))
    settings = pd.DataFrame(
        {name: columns.get(name, value) for name, value in setting._asdict().items()}, index=range(int(np.prod(shape)))
    )
    classes = settings.n_classes + settings.noise_classes
    clusters = settings.useful_clusters + settings.noise_clusters
    if len(settings) > MOST_POINTS or (classes * clusters).sum() > MOST_CELLS:
        raise InputError(f"A sweep may have at most {MOST_POINTS:,} points, and {MOST_CELLS:,} cells in all.")
    chosen = tuple(measures_named(measures))
    possible = (settings.eps1 + settings.eps2 + settings.eps3 <= 1 + 1e-12).to_numpy()
    if not possible.any():
        raise InputError("eps1 + eps2 + eps3 is above 1 at every point: the error mass cannot exceed 1.")
    scores = np.full((len(settings), len(chosen)), np.nan)
    scores[possible] = score_settings(settings[possible].reset_index(drop=True), chosen, whole, progress)
    expected, wrong = {}, {}
    for axis, name in enumerate(values):
        expected[name], wrong[name] = _directions(name, axis, shape, settings, scores, chosen, tolerance)
    return Sweep(values, chosen, settings, scores.reshape(*shape, len(chosen)), expected, wrong, int((~possible).sum()))


def _directions(name, axis, shape, settings, scores, measures, tolerance):
    number = np.arange(len(settings)).reshape(shape)
    before, after = np.delete(number, -1, axis).ravel(), np.delete(number, 0, axis).ravel()
    expected, wrong = np.zeros(len(settings), dtype=int), np.zeros(scores.shape, dtype=bool)
    for check in PROPERTIES.values():
        if check.parameter != name or not len(before):
            continue
        applies = check.applies(*(settings.iloc[x].reset_index(drop=True) for x in (before, after)))
        start, end = before[applies], after[applies]
        strict = np.asarray(check.strict(settings.iloc[start]))
        held, _ = judge(check, scores, measures, start, end, strict, tolerance)
        known = ~np.isnan(scores[start]) & ~np.isnan(scores[end])
        expected[end] = np.where(strict, 1 if check.improves else -1, 0)
        wrong[end] = ~held & known
    return expected.reshape(shape), wrong.reshape(*shape, len(measures))
