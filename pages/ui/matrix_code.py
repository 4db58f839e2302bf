"""The Matrix lab as Python: the table, its scores and entropies, and the numbers of the panel that is open."""

from evalcore import Contingency, InputError
from evalcore.whatif import merges, moves, splits

from .matrix_finder import class_sizes
from .matrix_whatif import with_new_cluster


def snippet(page, measures: list[str], estimator: str) -> str:
    """A program that prints what the page shows."""
    table = page["table"]
    return f"""import evalcore as ec

table = {_written(table)}
print(ec.score(table, {measures}, estimator={estimator!r}, base={page.base!r}))
for name in {page.estimators if table.is_whole else ["ML"]}:  # nats
    print(name, ec.Statistics(table, estimator=name).entropies)
{PANELS[page["panel"]](page, table, estimator)}"""


def _written(table: Contingency) -> str:
    return f"""ec.Contingency.from_matrix(
    {table.counts.tolist()},
    classes={[str(x) for x in table.classes]},
    clusters={[str(x) for x in table.clusters]})"""


def _shares(page, table, estimator):
    return f"print(ec.contributions(table, by={page['by']!r}))  # nats\n"


def _what_if(page, table, estimator):
    wide, first, second = with_new_cluster(table), page["measure"], page["second"]
    options = f"base={page.base!r}"
    if not _works(
        moves, wide, first, estimator, base=page.base
    ):  # too many at once: the page shows those from one cluster
        options += f", source={page['cluster']!r}"
        if not _works(moves, wide, first, estimator, base=page.base, source=page["cluster"]):
            return ""
    lines = ["from evalcore.whatif import disagreements, moves", ""]
    lines += [f"table = table.add({wide.clusters[-1]!r})"] if wide is not table else []
    lines += [f"print(moves(table, {first!r}, {estimator!r}, {options}).change)  # by class, from where and to where"]
    if first != second:
        lines += [f"print(disagreements(table, ({first!r}, {estimator!r}), ({second!r}, {estimator!r}), {options}))"]
    return "\n".join(lines) + "\n"


def _split_and_merge(page, table, estimator):
    options = page.measures, estimator, page.base
    written = f"table, {page.measures}, {estimator!r}, base={page.base!r}"
    lines = ["from evalcore.whatif import merges, splits", ""]
    if _works(splits, table, *options, cluster=page["cluster"]):
        lines += [f"print(splits({written}, cluster={page['cluster']!r}))"]
    if _works(merges, table, *options):
        lines += [f"print(merges({written}))"]
    return "\n".join(lines) + "\n"


def _works(compute, *given, **options) -> bool:
    """Whether it gives numbers: of a large table some are out of reach, and the page says so in their place."""
    try:
        compute(*given, **options)
    except InputError:
        return False
    return True


def _disagreement(page, table, estimator):
    judges = (page["measure"], page["first_estimator"]), (page["second"], page["second_estimator"])
    try:
        sizes = class_sizes(page["sizes"])
    except InputError:
        return ""  # the page says what is wrong with them
    return f"""from evalcore.disagreement import find

found = find({judges[0]}, {judges[1]}, {sizes}, {page["want"]!r}, seed={page["search_seed"]})
print(found.pair, found.scores, found.reason)
"""


PANELS = {
    "shares": _shares,
    "what if": _what_if,
    "split and merge": _split_and_merge,
    "disagreement": _disagreement,
}
