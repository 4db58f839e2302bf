"""What measures ought to do: checks, how often each measure passes them, and the cases in which it fails."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from .contingency import Contingency
from .errors import InputError
from .measures import Measure, resolve

TOLERANCE = 1e-12  # below it a change is a tie
SHOWN = 10  # counterexamples kept for each check and measure, worst first

Progress = Callable[[int, int, str], None]  # done, total, what is being done; may raise to cancel


@dataclass(frozen=True)
class Check:
    """Something that a good measure does."""

    key: str  # short name of the row, such as P1
    title: str
    says: str  # the requirement in one sentence
    source: str


@dataclass(frozen=True)
class Counterexample:
    """Solutions on which a measure fails a check, with its scores there."""

    tables: dict[str, Contingency]  # by what they are: before and after, or the sides of a triangle
    scores: dict[str, float]
    says: str  # what should have happened, and what did
    wrong_by: float  # how far the score is on the wrong side, in the measure's own units; 0 for a tie


@dataclass(frozen=True)
class Outcome:
    """How often each measure passes one check; a measure that the check cannot judge has a total of 0."""

    check: Check
    held: dict[str, int]
    total: dict[str, int]
    unjudged: dict[str, str]  # why a total is 0
    worst: dict[str, list[tuple[int, float]]] = field(repr=False)  # case number and how wrong, worst first
    explain: Callable[[int, Measure, float], Counterexample] = field(repr=False)

    def counterexamples(self, measure: str, most: int = SHOWN) -> list[Counterexample]:
        """The worst cases in which the measure fails, worst first; an empty list where it always passes."""
        if measure not in self.worst:
            raise InputError(f"{self.check.key} was not checked for {measure}.")
        return [self.explain(case, resolve(measure), by) for case, by in self.worst[measure][:most]]


def goodness(scores: np.ndarray, measures: Sequence[Measure]) -> np.ndarray:
    """Scores (..., measures) with the sign that makes more always better."""
    return scores * np.array([1.0 if m.higher_is_better else -1.0 for m in measures])


def margins(scores: np.ndarray, tolerance: float) -> np.ndarray:
    """The tolerance for each measure: relative to its largest score where that is above 1."""
    axes = tuple(range(scores.ndim - 1))
    return tolerance * np.nanmax(np.abs(scores), axis=axes, initial=1.0, where=~np.isnan(scores))


def outcome(
    check: Check,
    measures: Sequence[Measure],
    held: np.ndarray,
    wrong_by: np.ndarray,
    explain,
    unjudged: dict[str, str] | None = None,
    looks: np.ndarray | None = None,
) -> Outcome:
    """Count what held, and keep the worst cases that did not.

    Parameters
    ----------
    held : (cases, measures) whether the case passes
    wrong_by : (cases, measures) how far the score is on the wrong side
    explain : function of a case's number, a measure and how wrong it is there; gives the Counterexample
    unjudged : measures that this check says nothing about, with the reason
    looks : (cases,) a number for each case; of those with the same number only the first is kept
    """
    unjudged = {m.name: unjudged[m.name] for m in measures if m.name in (unjudged or {})}
    passed, total, worst = {}, {}, {}
    for column, name in enumerate(m.name for m in measures):
        passed[name], total[name], worst[name] = 0, 0, []
        if name in unjudged:
            continue
        failing = np.flatnonzero(~held[:, column])
        passed[name], total[name] = len(held) - len(failing), len(held)
        amount = wrong_by[failing, column]
        order = np.argsort(-amount.round(9), kind="stable")  # among equals the first, which is the simplest
        if looks is not None:
            order = order[np.sort(np.unique(looks[failing[order]], return_index=True)[1])]
        worst[name] = [(int(failing[i]), max(0.0, float(amount[i]))) for i in order[:SHOWN]]
    return Outcome(check, passed, total, unjudged, worst, explain)


def explain_change(
    measure: Measure,
    tables: dict[str, Contingency],
    scores: Sequence[float],
    expected: str,
    wrong_by: float,
    tolerance: float = TOLERANCE,
) -> Counterexample:
    """A counterexample of two solutions; from first to second a score should do what is `expected`."""
    first, second = (float(x) for x in scores)
    change = second - first
    better = (change > 0) == measure.higher_is_better
    if abs(change) <= tolerance * max(1.0, abs(first), abs(second)):
        did = f"it stays at {first:.4g}"
    else:
        way = "better" if better else "worse"
        did = f"it goes from {first:.4g} to {second:.4g}, {way} by {abs(change):.3g}"
    says = f"{measure.name} should {expected}, but {did}."
    return Counterexample(tables, dict(zip(tables, (first, second))), says, wrong_by)


def rates(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """One row for each check and measure: cases that held, of how many, and the rate (NaN where unjudged)."""
    rows = [
        (o.check.key, name, held, o.total[name], held / o.total[name] if o.total[name] else np.nan)
        for o in outcomes
        for name, held in o.held.items()
    ]
    return pd.DataFrame(rows, columns=["check", "measure", "held", "total", "rate"])
