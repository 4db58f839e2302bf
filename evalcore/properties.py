"""The seven properties that Rosenberg and Hirschberg (2007) ask of a measure, on a grid of solutions."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
import pandas as pd

from . import published
from .checks import TOLERANCE, Check, Outcome, Progress, explain_change, goodness, margins, outcome, rates
from .errors import InputError
from .measures import Measure
from .parametric import Setting, dom, score_settings
from .scoring import measures_named
from .statistics import Statistics

MOST_TABLES = 100_000  # of a grid
MOST_CELLS = 20_000_000  # of all its tables together
NEEDS_WHOLE = "needs whole counts; the tables of this grid are fractional"
SOURCE = "Rosenberg and Hirschberg 2007, section 4"


@dataclass(frozen=True)
class Property(Check):
    """A step of one parameter, all else equal, and whether it should make a solution better or worse.

    `applies(before, after)` and `strict(before)` take settings as DataFrames; a step that is not strict need
    only not help.
    """

    parameter: str
    improves: bool
    applies: Callable
    strict: Callable


def _always(before, *_):
    return np.ones(len(before), dtype=bool)


def _property(key, parameter, improves, title, says, applies=_always, strict=_always):
    return Property(key, title, says, SOURCE, parameter, improves, applies, strict)


PROPERTIES = {
    p.key: p
    for p in (
        _property(
            "P1",
            "useful_clusters",
            True,
            "more useful clusters, up to |C|",
            "As the number of useful clusters grows towards that of classes, the score should improve.",
            applies=lambda before, after: after.useful_clusters <= before.n_classes,
        ),
        _property(
            "P2",
            "useful_clusters",
            False,
            "more useful clusters than |C|",
            "As the number of useful clusters grows beyond that of classes, the score should worsen.",
            applies=lambda before, after: before.useful_clusters >= before.n_classes,
        ),
        _property(
            "P3",
            "noise_clusters",
            False,
            "more noise clusters",
            "As the number of noise clusters grows (eps2 above 0), the score should worsen.",
            applies=lambda before, after: before.eps2 > 0,
        ),
        _property(
            "P4",
            "eps1",
            False,
            "more mass in the wrong useful cluster",
            "As eps1 grows, the score should worsen.",
            strict=lambda before: (before.n_classes > 1) & (before.useful_clusters > 1),
        ),
        _property(
            "P5",
            "eps2",
            False,
            "more mass in noise clusters",
            "As eps2 grows, the score should worsen (where there is no noise cluster: not improve).",
            strict=lambda before: before.noise_clusters > 0,
        ),
        _property(
            "P6",
            "noise_classes",
            False,
            "more noise classes",
            "As the number of noise classes grows (eps3 above 0), the score should worsen.",
            applies=lambda before, after: before.eps3 > 0,
        ),
        _property(
            "P7",
            "eps3",
            False,
            "more mass of noise classes",
            "As eps3 grows, the score should worsen (where there is no noise class: not improve).",
            strict=lambda before: before.noise_classes > 0,
        ),
    )
}


@dataclass(frozen=True)
class Grid:
    """The solutions over which properties are counted; by default those of Rosenberg and Hirschberg.

    >>> Grid().size, Grid(eps1=(0, 0.1)).size
    (31360, 15680)
    """

    n_classes: int = 5
    useful_clusters: tuple[int, ...] = tuple(range(2, 12))
    noise_clusters: tuple[int, ...] = tuple(range(7))
    noise_classes: tuple[int, ...] = tuple(range(7))
    eps1: tuple[float, ...] = (0.0, 0.033, 0.066, 0.1)
    eps2: tuple[float, ...] = (0.0, 0.066, 0.133, 0.2)
    eps3: tuple[float, ...] = (0.0, 0.066, 0.133, 0.2)
    n: float = 1000  # the article gives none; Q0, Q2 and VI/log N depend on it
    whole: bool = False  # round to whole counts: pairs are then counted as n(n-1)/2, and AMI takes part
    tolerance: float = TOLERANCE

    def __post_init__(self):
        for name, values in self.axes.items():
            if not values:
                raise InputError(f"The range of {name} is empty.")
            if list(values) != sorted(set(values)):
                raise InputError(f"The values of {name} must rise, each above the one before.")
        if not 0 <= self.tolerance < 1:
            raise InputError(f"The tolerance must lie between 0 and 1, not {self.tolerance!r}.")
        lowest, highest = ([values[end] for values in self.axes.values()] for end in (0, -1))
        for corner in (lowest, highest):
            dom(self.n_classes, *corner, self.n, self.whole)  # says what is impossible, if anything is
        cells = self.size * (self.n_classes + highest[2]) * (highest[0] + highest[1])
        if self.size > MOST_TABLES or cells > MOST_CELLS:
            raise InputError(
                f"The grid has {self.size:,} tables of up to {cells // self.size:,} cells; the "
                f"limit is {MOST_TABLES:,} tables and {MOST_CELLS:,} cells together."
            )

    @property
    def axes(self) -> dict[str, tuple]:
        """The values of each parameter that varies, in the order of Setting."""
        return {name: tuple(getattr(self, name)) for name in Setting._fields[1:7]}

    @property
    def size(self) -> int:
        """The number of solutions."""
        return int(np.prod([len(values) for values in self.axes.values()]))

    @cached_property
    def settings(self) -> pd.DataFrame:
        """All solutions, one row each; the last parameter varies fastest."""
        columns = [column.ravel() for column in np.meshgrid(*self.axes.values(), indexing="ij")]
        return pd.DataFrame(dict(zip(Setting._fields, (self.n_classes, *columns, float(self.n)))))

    def setting(self, row: int) -> Setting:
        """The solution of one row of `settings`."""
        *counts, e1, e2, e3, n = self.settings.iloc[row].tolist()
        return Setting(*map(int, counts), e1, e2, e3, n)

    @cached_property
    def looks(self) -> np.ndarray:
        """A number for each solution, the same for the same table: an eps without cells changes nothing."""
        s = self.settings
        effective = [
            s.useful_clusters,
            s.noise_clusters,
            s.noise_classes,
            s.eps1 * ((s.n_classes > 1) & (s.useful_clusters > 1)),
            s.eps2 * (s.noise_clusters > 0),
            s.eps3 * (s.noise_classes > 0),
        ]
        return np.unique(np.stack(effective, axis=1), axis=0, return_inverse=True)[1].ravel()

    def steps(self, check: Property) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The neighbours that a property compares: rows before and after, and whether the step is strict."""
        number = np.arange(self.size).reshape([len(values) for values in self.axes.values()])
        axis = list(self.axes).index(check.parameter)
        before = np.delete(number, -1, axis=axis).ravel()
        after = np.delete(number, 0, axis=axis).ravel()
        settings = self.settings
        applies = check.applies(*(settings.iloc[rows].reset_index(drop=True) for rows in (before, after)))
        before, after = before[applies], after[applies]
        return before, after, np.asarray(check.strict(settings.iloc[before]))


@dataclass(frozen=True)
class Study:
    """The outcome of each property over a grid."""

    grid: Grid
    measures: tuple[Measure, ...]
    outcomes: dict[str, Outcome]


def judge(
    check: Property, scores: np.ndarray, measures, before, after, strict, tolerance: float
) -> tuple[np.ndarray, np.ndarray]:
    """For each step and measure: whether the property holds, and how far the score is on the wrong side."""
    better = goodness(scores, measures)
    change = (better[after] - better[before]) * (1 if check.improves else -1)
    margin = margins(scores, tolerance)
    return np.where(strict[:, None], change > margin, change >= -margin), -change


def study(grid: Grid = Grid(), measures=None, progress: Progress | None = None) -> Study:
    """How often each measure has each property: every pair of neighbours on the grid, all else equal.

    Measures that need whole counts are not judged on a fractional grid. `progress(done, total, what)` may
    raise to cancel.

    >>> small = Grid(useful_clusters=(5, 6), noise_clusters=(0, 1), noise_classes=(0, 1, 2), eps1=(0, 0.1))
    >>> result = study(small, ["V", "NVI"])
    >>> result.outcomes["P6"].held, result.outcomes["P6"].total
    ({'V': 192, 'NVI': 170}, {'V': 192, 'NVI': 192})
    """
    chosen = tuple(measures_named(measures))
    scores = score_settings(grid.settings, chosen, grid.whole, progress)
    unjudged = {} if grid.whole else {m.name: NEEDS_WHOLE for m in chosen if m.whole_counts}
    outcomes = {}
    for check in PROPERTIES.values():
        before, after, strict = grid.steps(check)
        held, wrong_by = judge(check, scores, chosen, before, after, strict, grid.tolerance)
        looks = grid.looks[before] * grid.size + grid.looks[after]
        found = outcome(check, chosen, held, wrong_by, None, unjudged, looks)
        # only what can be shown is kept, so that a study is small whatever its grid
        steps = {
            case: (grid.setting(before[case]), grid.setting(after[case]), bool(strict[case]))
            for cases in found.worst.values()
            for case, _ in cases
        }
        explain = partial(_explain, check, steps, grid.whole, grid.tolerance)
        outcomes[check.key] = replace(found, explain=explain)
    return Study(replace(grid), chosen, outcomes)


def _explain(check, steps, whole, tolerance, case, measure, wrong_by):
    *settings, strict = steps[case]
    values = [getattr(setting, check.parameter) for setting in settings]
    names = [f"{check.parameter.replace('_', ' ')} = {value:g}" for value in values]
    tables = dict(zip(names, (dom(*setting, whole) for setting in settings)))
    pairs = "auto" if whole else "asymptotic"
    scores = [measure.compute(Statistics(table, pairs=pairs)) for table in tables.values()]
    expected = f"get {'better' if check.improves else 'worse'}" if strict else "not get better"
    return explain_change(measure, tables, scores, expected, wrong_by, tolerance)


PUBLISHED_NAMES = {"Fowlkes-Mallows": "FM"}  # the article's other names are the registry's
PUBLISHED_NOTE = (
    "V, VI and Q0 agree with the article everywhere. Its other cells do not follow from its text under any "
    "reading that was tried (over 2,600), and two of its columns contradict each other: at a fixed n the "
    "Mirkin metric is a decreasing function of the Rand index, so their rates must be equal. Here they are."
)


def beside_published(result: Study) -> pd.DataFrame:
    """Rosenberg and Hirschberg's Table 2 beside the rates computed here, and whether they agree, rounded.

    >>> both = beside_published(study(Grid(), ["V", "FM"])).query("check == 'P3'")
    >>> both[["measure", "published", "held", "agrees"]].values.tolist()
    [['FM', 0.3, 6215, False], ['V', 1.0, 20160, True]]
    """
    printed = published.table("properties_rates").rename(columns={"property": "check", **PUBLISHED_NAMES})
    printed = printed.melt("check", var_name="measure", value_name="published")
    both = printed.merge(rates(list(result.outcomes.values())), on=["check", "measure"])
    return both.assign(agrees=(both.rate.round(2) - both.published).abs() < 1e-9)
