"""python -m evalcore matrix: matrices of counts."""

from ..labels import unused_name
from ..options import add_measures, add_output, chosen_estimators, chosen_measures, show, wide
from ..progress import ProgressBar
from ..tables import read_matrix
from ..text import title
from ..words import word_scores

SUMMARY = "score matrices of counts"


def add_options(parser):
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="matrices of counts, a row for each class and a column for each cluster, with or without names",
    )
    add_measures(parser, "; ML alone where counts are fractional")
    add_output(parser)


def run(options) -> str:
    tables = {}
    for file in options.files:
        name = title(file) if [title(other) for other in options.files].count(title(file)) == 1 else file
        tables[unused_name(name, tables)] = read_matrix(file)
    fractional = not all(table.is_whole for table in tables.values())
    estimators = ["ML"] if fractional and options.estimators is None else chosen_estimators(options)
    with ProgressBar("scoring") as progress:
        scores = word_scores(tables, chosen_measures(options), estimators, base=options.base, progress=progress)
    return show(*wide(scores.rename(columns={"word": "matrix"}), "matrix", ["n", "clusters"]), options)
