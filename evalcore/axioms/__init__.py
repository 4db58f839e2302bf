"""Beyond P1-P7: constraints, axioms and invariances that others have asked of a measure."""

from ..checks import TOLERANCE, Check, Outcome, Progress
from ..scoring import measures_named
from .chance import CHANCE, ChanceCurve, chance_curve, check_chance
from .constraints import CHECKS as CASES
from .constraints import check
from .metric import AXIOMS, check_axioms

CHECKS: dict[str, Check] = {
    **{key: CASES[key][0] for key in ("A1", "A2", "A3", "A4")},
    **{axiom.key: axiom for axiom in AXIOMS},
    "S": CASES["S"][0],
    "R": CHANCE,
}

__all__ = ["CHECKS", "ChanceCurve", "chance_curve", "study"]


def study(
    measures=None, seed: int = 0, tolerance: float = TOLERANCE, progress: Progress | None = None
) -> dict[str, Outcome]:
    """How often each measure satisfies each of CHECKS; all counts are whole, so every measure takes part.

    `progress(done, total, what)` may raise to cancel.

    >>> outcomes = study(["VI", "BCubed_F", "AMI"])
    >>> [name for name in ("VI", "BCubed_F", "AMI") if outcomes["R"].held[name] == outcomes["R"].total[name]]
    ['AMI']
    """
    chosen = measures_named(measures)
    outcomes: dict[str, Outcome] = {}

    def report(what):
        if progress:
            progress(len(outcomes), len(CHECKS), what)

    for key, (what, *_) in CASES.items():
        report(f"checking {what.title}")
        outcomes[key] = check(key, chosen, seed, tolerance=tolerance)
    report("checking the axioms of a metric")
    outcomes |= {result.check.key: result for result in check_axioms(chosen, tolerance)}
    curve = chance_curve(chosen, seed=seed, progress=lambda done, total, what: report(what))
    outcomes["R"] = check_chance(curve, tolerance)
    report("checked")
    return {key: outcomes[key] for key in CHECKS}
