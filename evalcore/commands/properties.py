"""python -m evalcore properties: how often each measure does what it ought to."""

import re

import pandas as pd

from .. import axioms
from ..checks import Outcome, rates
from ..errors import InputError
from ..formats import FORMATS, render
from ..progress import ProgressBar
from ..properties import PROPERTIES, PUBLISHED_NOTE, Grid, beside_published, study

SUMMARY = "how often each measure has the properties P1-P7 and satisfies the axioms of others"
DEFAULT = Grid()
RANGES = {
    "useful_clusters": "2-11",
    "noise_clusters": "0-6",
    "noise_classes": "0-6",
    "eps1": "0,.033,.066,.1",
    "eps2": "0,.066,.133,.2",
    "eps3": "0,.066,.133,.2",
}


def add(subparsers) -> None:
    """Add the command to those of an argument parser; `run` is set as its default."""
    parser = subparsers.add_parser("properties", help=SUMMARY, description=SUMMARY)
    add_options(parser)
    parser.set_defaults(run=run)


def add_options(parser) -> None:
    def option(name, what, **more):
        parser.add_argument(name, help=what, **more)

    option("--measures", "names (default: all)", default="all", metavar="M,M,...")
    option(
        "--checks",
        f"{', '.join([*PROPERTIES, *axioms.CHECKS])}; P is P1 to P7 (default: all)",
        default="all",
        metavar="C,C,...",
    )
    option("--classes", "useful classes (default %(default)s)", type=int, default=DEFAULT.n_classes)
    for name, values in RANGES.items():
        option(
            f"--{name.replace('_', '-')}",
            f"values on the grid, as A-B or X,X,... (default {values})",
            default=values,
            metavar="VALUES",
        )
    option("--n", "total mass of each table (default %(default)s)", type=float, default=DEFAULT.n)
    option(
        "--whole",
        "round tables to whole counts: pairs are counted as n(n-1)/2, and AMI takes part; best "
        "with a large n, such as 100000",
        action="store_true",
    )
    option("--tolerance", "changes up to it are ties (default %(default)s)", type=float, default=DEFAULT.tolerance)
    option("--seed", "of the random cases of the axioms (default %(default)s)", type=int, default=0)
    option(
        "--published", "the rates of Rosenberg and Hirschberg's Table 2 beside the computed ones", action="store_true"
    )
    option("--counterexample", "show the worst case of one cell, such as P6:NVI", metavar="CHECK:MEASURE")
    option("--counts", "numbers of cases that hold, not rates", action="store_true")
    option("--format", "CSV and JSON hold rates and counts in full", choices=FORMATS, default="table")
    option("--digits", "decimals shown (default 2)", type=int, choices=range(16), default=2, metavar="D")


def run(options) -> str:
    cell = _cell(options.counterexample)
    checks = [cell[0]] if cell else list(PROPERTIES) if options.published else _checks(options.checks)
    measures = [cell[1]] if cell else None if options.measures == "all" else options.measures.split(",")
    grid = Grid(
        options.classes, *(_values(options, name) for name in RANGES), options.n, options.whole, options.tolerance
    )
    with ProgressBar("checking") as bar:

        def progress(done, total, what):
            bar(done, total)

        result = study(grid, measures, progress) if any(key in PROPERTIES for key in checks) else None
        outcomes = dict(result.outcomes) if result else {}
        if any(key in axioms.CHECKS for key in checks):
            outcomes |= axioms.study(measures, options.seed, options.tolerance, progress)
    outcomes = {key: outcomes[key] for key in checks}
    if cell:
        return _show_counterexample(outcomes[cell[0]], options)
    if options.published:
        both = beside_published(result)
        both["agrees"] = both.agrees.map({True: "yes", False: "no"})
        text = render(both, options.format, options.digits)
        return text if options.format in ("csv", "json") else f"{text}\n\n{PUBLISHED_NOTE}"
    return show(outcomes, options.format, options.digits, options.counts)


def show(outcomes: dict[str, Outcome], format: str = "table", digits: int = 2, counts: bool = False) -> str:
    """Outcomes as text: a row for each measure, a column for each check; CSV and JSON: a row a cell."""
    long = rates(list(outcomes.values()))
    if format in ("csv", "json"):
        return render(long, format)
    names = list(dict.fromkeys(long.measure))
    wide, judged = (
        long.pivot(index="measure", columns="check", values=what).loc[names, list(outcomes)]
        for what in ("held" if counts else "rate", "total")
    )
    if counts:
        wide = wide.astype(object).where(judged > 0, "–")
        wide = pd.concat([judged.max().to_frame("of").T.astype(object), wide]).astype(str)
    elif digits:  # 0.998 must not read as 1.00: only what always holds says so, and only what never does says 0
        wide = wide.where(wide.isin([0, 1]), wide.clip(10.0**-digits, 1 - 10.0**-digits))
    text = render(wide.rename_axis("measure").reset_index(), format, digits)
    if format != "table":
        return text
    rows = [f"{key:3} {outcome.check.title}" for key, outcome in outcomes.items()]
    reasons = {
        reason: [name for o in outcomes.values() for name, why in o.unjudged.items() if why == reason]
        for o in outcomes.values()
        for reason in o.unjudged.values()
    }
    notes = [f"–: {', '.join(dict.fromkeys(who))} {reason}" for reason, who in reasons.items()]
    return "\n".join([text, "", *rows, *([""] if notes else []), *notes])


def _show_counterexample(outcome, options):
    ((measure, held),) = outcome.held.items()
    total, found = outcome.total[measure], outcome.counterexamples(measure, 1)
    if not total:
        return f"{outcome.check.key} was not judged: {measure} {outcome.unjudged[measure]}."
    if not found:
        return f"{measure} has no counterexample to {outcome.check.key}: it holds in all {total:,} cases."
    parts = [
        f"{outcome.check.key}, {outcome.check.title}: {measure} holds in {held:,} of {total:,} cases.",
        outcome.check.says,
        found[0].says,
    ]
    for name, table in found[0].tables.items():
        frame = table.to_frame().rename_axis(columns=None).reset_index()
        parts += ["", f"{name}: {measure} = {found[0].scores[name]:.6g}", render(frame, options.format, options.digits)]
    return "\n".join(parts)


def _cell(text):
    if text is None:
        return None
    key, _, measure = text.partition(":")
    if key not in {**PROPERTIES, **axioms.CHECKS} or not measure:
        raise InputError(f"--counterexample takes a check and a measure, such as P6:NVI, not {text!r}.")
    return key, measure


def _checks(text):
    known = [*PROPERTIES, *axioms.CHECKS]
    parts = known if text == "all" else text.split(",")
    chosen = [key for part in parts for key in (PROPERTIES if part == "P" else [part])]
    for key in chosen:
        if key not in known:
            raise InputError(f"There is no check called {key!r}; the checks are {', '.join(known)}.")
    return list(dict.fromkeys(chosen))


def _values(options, name):
    """The values of "2-11" or "0,.1,.2"."""
    text, kind = getattr(options, name), float if name.startswith("eps") else int
    span = re.fullmatch(r"\s*(\d{1,4})\s*-\s*(\d{1,4})\s*", text)
    try:
        return tuple(range(int(span[1]), int(span[2]) + 1)) if span else tuple(map(kind, text.split(",")))
    except ValueError:
        form = "numbers separated by commas" if kind is float else "whole numbers, as in 2-11 or 2,3,5"
        raise InputError(f"--{name.replace('_', '-')} takes {form}, not {text!r}.") from None
