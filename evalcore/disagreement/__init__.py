"""The disagreement finder: two solutions of the same items that two measures rank in opposite order.

A gap is a difference in score as a share of the span that the measure has between one cluster, singletons
and the perfect solution; a pair is the more blatant, the larger the smaller of its two gaps. All solutions
are tried where they are few. Otherwise a seeded walk by moves, splits and merges looks for solutions that the
one measure likes and the other does not. How far it goes is counted in tables, not in seconds, so the same
question has the same answer everywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ..checks import Progress
from ..contingency import Contingency
from ..errors import InputError
from ..judges import Judge
from .enumeration import all_solutions, checked_sizes, size_lists
from .fronts import Fronts, Pair
from .walk import Walk

WISHES = ("blatant", "small")
ALL = 100_000  # solutions up to which all are tried
BUDGET, SLOW_BUDGET = 30_000, 6_000  # tables that a walk scores; fewer where an estimator is not linear
MOST_ITEMS, MOST_CLASSES = 300, 30
MOST_ITEMS_TRIED = 8  # where no class sizes are given

# Measures that order all solutions of the same items alike, each being a monotone function of the other
# there: whatever the estimator, and (below) by maximum likelihood, where no entropy is negative.
SAME_ORDER = (
    ({"V", "NMI"}, "both are 2 I / (H(C) + H(K))"),
    ({"VI", "VI_logN"}, "for a given number of items the one is the other over a constant"),
    ({"MI", "Entropy"}, "for given classes both depend on H(C|K) alone"),
    ({"Rand", "Mirkin", "Mirkin_n"}, "for a given number of items both depend on N10 + N01 alone"),
    ({"Jaccard", "pair_F"}, "both are rising functions of N11 / (N10 + N01)"),
    ({"purity", "micro_P", "micro_R"}, "they are one number where every item has one class and one cluster"),
    ({"one_to_one", "H", "misclassification", "CEAF_m"}, "both depend on the best one-to-one matching alone"),
)
SAME_ORDER_ML = (
    ({"V", "NMI", "NMI_joint"}, "both are rising functions of I / (H(C) + H(K))"),
    ({"VI", "NVI", "VI_logN"}, "for given classes both are VI over a constant"),
    ({"h", "MI", "Entropy"}, "for given classes both depend on H(C|K) alone"),
    ({"Q0", "Q2"}, "for given classes Q2 is a constant over Q0"),
)


@dataclass(frozen=True)
class Finding:
    """What a search found: two solutions, or the reason why there are none.

    `possible` is True where the judges disagree about these items, False where they cannot, and None where
    nothing was found but not everything was tried.
    """

    judges: tuple[Judge, Judge]
    class_sizes: tuple[int, ...]
    pair: tuple[Contingency, Contingency] | None  # what the first judge prefers, what the second prefers
    scores: tuple[tuple[float, float], tuple[float, float]] | None  # of each judge: for the one and the other
    gaps: tuple[float, float] | None  # by how much each judge prefers its own, as a share of its span
    searched: int  # tables scored
    exhaustive: bool  # whether these were all there are
    possible: bool | None
    reason: str  # one sentence


def find(
    first,
    second,
    class_sizes: Sequence[int] | None = None,
    wish: str = "blatant",
    *,
    least: float = 0.01,
    seed: int = 0,
    budget: int | None = None,
    progress: Progress | None = None,
) -> Finding:
    """Search for two solutions that two judges rank in opposite order.

    Parameters
    ----------
    first, second : measures, or (measure, estimator) pairs
    class_sizes : of the items; None means any classes of as few items as possible (all solutions are tried)
    wish : "blatant" (the smaller gap as large as can be) or "small" (as few clusters as can be, then blatant)
    least : the smallest gap that counts, as a share of each measure's span
    seed : of the walk, where there are too many solutions to try all
    budget : tables that the walk scores at most; BUDGET unless given
    progress : called as progress(done, total, what); may raise to cancel

    >>> found = find("V", "NVI", [2, 2])
    >>> [table.counts.tolist() for table in found.pair], found.searched, found.exhaustive
    ([[[1, 1, 0], [1, 0, 1]], [[2], [2]]], 9, True)
    >>> find("VI", "NVI", [5, 5]).reason
    'VI and NVI cannot disagree: for given classes both are VI over a constant.'
    """
    judges = Judge.of(first), Judge.of(second)
    if wish not in WISHES:
        raise InputError(f"The wish is one of {', '.join(WISHES)}, not {wish!r}.")
    if not 0 <= least < 1:
        raise InputError(f"The least gap is a share from 0 to 1, not {least!r}.")
    if budget is None:
        budget = SLOW_BUDGET if any(judge.estimator.kind == "nonlinear" for judge in judges) else BUDGET
    if budget < 1:
        raise InputError(f"The budget is at least one table, not {budget!r}.")
    sizes = () if class_sizes is None else checked_sizes(class_sizes)
    if sum(sizes) > MOST_ITEMS or len(sizes) > MOST_CLASSES:
        raise InputError(
            f"The finder takes up to {MOST_ITEMS} items in {MOST_CLASSES} classes, not {sum(sizes)} in {len(sizes)}."
        )
    why = same_order(*judges)
    if why:
        return _nothing(judges, sizes, 0, False, False, f"{_names(judges)} cannot disagree: {why}.")
    if class_sizes is None:
        return _fewest_items(judges, wish, least, progress)
    return _with_sizes(judges, sizes, wish, least, seed, budget, progress)


def same_order(first: Judge, second: Judge) -> str:
    """Why two judges order all solutions of the same items alike; "" where nothing of that kind is known.

    >>> same_order(Judge.of("Rand"), Judge.of("Mirkin"))
    'for a given number of items both depend on N10 + N01 alone'
    """
    if first.estimator is not second.estimator:
        return ""
    if first.measure.name == second.measure.name:
        return "they are one and the same"
    known = SAME_ORDER + (SAME_ORDER_ML if first.estimator.name == "ML" else ())
    return next((why for names, why in known if {first.measure.name, second.measure.name} <= names), "")


def _with_sizes(judges, sizes, wish, least, seed, budget, progress):
    fronts = Fronts(judges, sizes)
    tables = all_solutions(sizes, ALL)
    if tables is None:
        Walk(fronts, sizes, seed, budget, progress).run(wish, least)
    else:
        total = sum(map(len, tables.values()))
        fronts.add_all(tables, lambda done: progress and progress(done, total, f"all {total:,} solutions"))
    pair = fronts.best(wish, least)
    if pair:
        return _found(judges, sizes, pair, fronts.searched, exhaustive=tables is not None)
    blatant = fronts.best("blatant", 0.0)
    return _failed(judges, sizes, fronts.searched, tables is not None, blatant, least, "of these classes")


def _fewest_items(judges, wish, least, progress):
    """All solutions of all classes of 2 items, of 3, and so on, until some pair will do."""
    searched, blatant = 0, None
    for n in range(2, MOST_ITEMS_TRIED + 1):
        found = []
        for sizes in size_lists(n):
            fronts = Fronts(judges, sizes)
            what = f"all solutions of {n} items"
            fronts.add_all(
                all_solutions(sizes, ALL),
                lambda _, n=n, what=what: progress and progress(n - 1, MOST_ITEMS_TRIED, what),
            )
            searched += fronts.searched
            here, pair = fronts.best("blatant", 0.0), fronts.best(wish, least)
            if here and (blatant is None or here.gap > blatant.gap):
                blatant = here
            if pair:
                found.append((pair, sizes))
        if found:
            pair, sizes = min(found, key=lambda way: (way[0].clusters if wish == "small" else 0, -way[0].gap))
            return _found(judges, sizes, pair, searched, exhaustive=True)
    return _failed(judges, (), searched, True, blatant, least, f"of up to {MOST_ITEMS_TRIED} items")


def _found(judges, sizes, pair: Pair, searched, exhaustive):
    first, second = (Contingency.from_matrix(table) for table in pair.tables)
    counts = [f"{k} clusters" if k > 1 else "one cluster" for k in (first.shape[1], second.shape[1])]
    reason = f"{judges[0].label} prefers the first solution ({counts[0]}), {judges[1].label} the second ({counts[1]})."
    scores = tuple(tuple(of_judge) for of_judge in pair.values.T.tolist())
    return Finding(judges, sizes, (first, second), scores, pair.gaps, searched, exhaustive, True, reason)


def _failed(judges, sizes, searched, exhaustive, blatant: Pair | None, least, which):
    if blatant is not None:
        possible, reason = (
            True,
            (
                f"{_names(judges)} disagree, but among {searched:,} solutions {which} by no more than "
                f"{blatant.gap:.2g} of their spans; {least:g} was asked for."
            ),
        )
    elif exhaustive and searched == 1:
        possible, reason = False, f"{_names(judges)} cannot disagree here: there is only one solution {which}."
    elif exhaustive:
        possible, reason = (
            False,
            (
                f"{_names(judges)} cannot disagree here: all {searched:,} solutions {which} were tried, and no "
                "two are ranked in opposite order."
            ),
        )
    else:
        possible, reason = (
            None,
            (
                f"Nothing was found among {searched:,} solutions {which}; that does not mean that "
                f"{_names(judges)} never disagree."
            ),
        )
    return _nothing(judges, sizes, searched, exhaustive, possible, reason)


def _nothing(judges, sizes, searched, exhaustive, possible, reason):
    return Finding(judges, sizes, None, None, None, searched, exhaustive, possible, reason)


def _names(judges):
    return " and ".join(judge.label for judge in judges)
