"""Options that the commands share, and how they show scores."""

import math
import sys

import pandas as pd

from .entropy import ESTIMATORS
from .formats import FORMATS, SMALL, render
from .measures import resolve

DEFAULT_MEASURES = "V,VI,NVI"
DEFAULT_ESTIMATORS = "ML,MM,JK,BUB"


def add_measures(parser, exception: str = "") -> None:
    """Options for measures and estimators."""
    parser.add_argument(
        "--measures",
        default=DEFAULT_MEASURES,
        metavar="M,M,...",
        help=f"names, or all (default {DEFAULT_MEASURES}); V(2) is V with beta = 2",
    )
    parser.add_argument(
        "--estimators",
        metavar="E,E,...",
        help=f"of {', '.join(ESTIMATORS)}; or all (default {DEFAULT_ESTIMATORS}{exception})",
    )


def add_output(parser) -> None:
    """Options for units and formats."""
    parser.add_argument("--base", type=float, default=math.e, help="of the logarithm; 2 gives bits (default: e, nats)")
    parser.add_argument("--format", choices=FORMATS, default="table", help="CSV and JSON give full precision")
    parser.add_argument(
        "--digits", type=int, choices=range(16), default=4, metavar="D", help="decimals shown (default 4)"
    )


def chosen_measures(options) -> list[str] | None:
    return None if options.measures == "all" else options.measures.split(",")


def chosen_estimators(options, kinds=("linear", "nonlinear")) -> list[str]:
    """By name; "all" are those of the kinds."""
    text = DEFAULT_ESTIMATORS if options.estimators is None else options.estimators
    return [e.name for e in ESTIMATORS.values() if e.kind in kinds] if text == "all" else text.split(",")


def wide(scores, by, facts):
    """A row for each system, with its facts and a column for each score; and which are best when high."""
    columns = dict.fromkeys(zip(scores.measure, scores.estimator, strict=True))
    names = ["-".join(filter(None, column)) for column in columns]
    systems = scores.drop_duplicates(by)[[by, *facts]].reset_index(drop=True)
    values = pd.DataFrame(scores.value.to_numpy().reshape(len(systems), len(names)), columns=names)
    better = {name: resolve(measure).higher_is_better for name, (measure, _) in zip(names, columns, strict=True)}
    return pd.concat([systems, values], axis=1), better


def show(frame, better, options) -> str:
    """The frame as the options ask."""
    try:
        "".join(map(chr, SMALL.values())).encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:  # an old terminal has no small digits to show ranks with
        better = {} if options.format == "table" else better
    return render(frame, options.format, options.digits, better)
