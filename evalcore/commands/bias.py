"""python -m evalcore bias: what estimators do on average, exactly."""

from ..bias import bias_table, zipf
from ..errors import InputError
from ..options import DEFAULT_ESTIMATORS, add_output, chosen_estimators, show
from ..progress import ProgressBar
from ..text import quoted

SUMMARY = "exact bias and error of entropy estimators for a known distribution"
LARGEST_SUPPORT = 100_000
LARGEST_SAMPLE = 1_000_000


def add_options(parser):
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--zipf", type=float, metavar="S", help="probabilities proportional to 1, 1/2^S, 1/3^S, ...")
    kind.add_argument("--uniform", action="store_true", help="equal probabilities")
    kind.add_argument("--probabilities", metavar="P,P,...", help="which add up to 1")
    parser.add_argument("--support", type=int, metavar="M", help="number of possible outcomes")
    parser.add_argument("--n", required=True, metavar="N,N,...", help="sample sizes")
    parser.add_argument(
        "--estimators", metavar="E,E,...", help=f"linear ones, or all of those (default {DEFAULT_ESTIMATORS})"
    )
    add_output(parser)


def run(options) -> str:
    if options.support is not None and options.support > LARGEST_SUPPORT:
        raise InputError(f"--support is {options.support}; {LARGEST_SUPPORT:,} outcomes are the limit.")
    if options.probabilities is not None:
        p = _numbers(options.probabilities, float, "--probabilities")
    elif options.support is None:
        raise InputError("--zipf and --uniform need --support, the number of possible outcomes.")
    else:
        p = zipf(options.support, 0.0 if options.uniform else options.zipf)
    sizes = _numbers(options.n, int, "--n")
    if max(sizes) > LARGEST_SAMPLE:
        raise InputError(f"--n goes up to {max(sizes)}; samples of {LARGEST_SAMPLE:,} are the limit.")
    with ProgressBar("computing") as progress:
        chosen = chosen_estimators(options, kinds=("linear",))
        frame = bias_table(p, sizes, chosen, options.support, options.base, progress)
    return show(frame, {}, options)


def _numbers(text, kind, option):
    try:
        return [kind(part) for part in text.split(",")]
    except ValueError:
        raise InputError(
            f"{option} takes {'whole ' * (kind is int)}numbers separated by commas, not {quoted(text)}."
        ) from None
