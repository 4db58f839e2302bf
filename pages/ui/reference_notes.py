"""What the reference page adds to the registry: misprints, quirks, and for each entry a telling table."""

from evalcore import MEASURES, Contingency, published
from evalcore.disagreement import SAME_ORDER, SAME_ORDER_ML
from evalcore.parametric import dom

NOTES = {
    "V": (
        "Reichart and Rappoport print V = .587 for solution R. That follows from their rounding VI to 1.9"
        " first; computed in full it is .592."
    ),
    "VI": (
        "It is a sum over clusters, so a split or a merge changes only the terms of the clusters that it "
        "touches (convex additivity)."
    ),
    "NVI": (
        "It normalises by H(C), which grows with the number of classes. So noise classes can improve it: "
        "it fails Rosenberg and Hirschberg's property P6 in about half of all cases, while VI never does."
    ),
    "NVI_K": ("It normalises by H(K), which the solution itself chooses: singletons have the largest one there is."),
    "F": (
        "Weighted by class size, each class with the best of the clusters. The other orientation, each "
        "cluster with the best of the classes, is another number."
    ),
    "Rand": (
        "For a given number of items Mirkin is a decreasing function of Rand. Rosenberg and Hirschberg's "
        "Table 2 gives the two different rates, which cannot both be right."
    ),
    "Mirkin": (
        "For a given number of items it is a decreasing function of Rand. Rosenberg and Hirschberg's "
        "Table 2 gives the two different rates, which cannot both be right."
    ),
    "FM": (
        "On Rosenberg and Hirschberg's grid it has property P3 (more noise clusters are worse) in 6,215 "
        "of 20,160 cases, a rate of 0.31; they print 0.30."
    ),
    "Q0": "Fractional cluster sizes go through the gamma function.",
    "SR": (
        "Needs a mapping and a test part, so a table alone does not give it, but the Systems page does. There "
        "is no fallback for a test item whose clusters were never mapped: it is wrong."
    ),
    "ML": (
        "Of soft answers the expected estimate is computed exactly, as for all linear estimators. In Li, "
        "Titov and Sporleder's recursion for it the superscript j is a misprint: the factor at step t is "
        "the probability of instance t."
    ),
    "MM": (
        "Li, Titov and Sporleder print (m − 1)/N. Their own Table 1 was computed with (m − 1)/(2N), "
        "checked on 22 of its rows; the two starred (soft) cells of its MM column follow from no natural "
        "reading (22.8 and 7.2; computed here 21.7 and 3.6). The term is in nats: it must never be added "
        "to bits. In a joint table m counts the cells that hold anything."
    ),
    "JK": (
        "In Li, Titov and Sporleder's Figures 1 and 2 it beats ML everywhere, computed exactly; against "
        "BUB it depends on the distribution."
    ),
    "BUB": (
        "Computed by Paninski's practical procedure, which reproduces Li, Titov and Sporleder's Table 1: "
        "there H(C,K) is told |C| × |K| outcomes, all cells. Its rule changes from N = 19 to N = 20, and "
        "the estimate jumps there. A wrong number of outcomes moves it a lot, and where that number is "
        "far above N it can exceed the logarithm of it."
    ),
    "Zhang": ("It is the linear part of Chao, Wang and Jost's estimator."),
    "Dirichlet": ("Write Dirichlet(0.5) for a prior weight of a half: evalcore takes any."),
}

ALONE = published.singletons([5, 5, 5])
_EXAMPLES = (
    (
        ALONE,
        "Fifteen items, each in a cluster of its own: nothing has been grouped.",
        ("V NMI NMI_geometric NMI_max NMI_joint NMI_min h MI Entropy purity micro_P micro_R BCubed_P pair_P NVI_K"),
    ),
    (
        Contingency.from_matrix([[5], [5], [5]]),
        "All in one cluster: nothing has been told apart.",
        "c inverse_purity BCubed_R pair_R",
    ),
    (
        published.solution_r(),
        "Solution R: all thirty people asked preferred it to singletons.",
        "VI NVI VI_logN D",
    ),
    (
        published.figure_2()["B"],
        "Solution B of Rosenberg and Hirschberg: F cannot tell it from A, V can.",
        "F L",
    ),
    (
        dom(3, 2, 1, 1, 0.1, 0.2, 0.1, n=60, whole=True),
        "Dom's solution of Figure 3: two useful clusters and one of noise.",
        "Q0 Q2",
    ),
    (
        Contingency.from_matrix([[1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 1], [0, 0, 1, 1, 1, 1]]),
        "Six pairs, none of them of one class: worse than chance, though V is far above 0.",
        "AMI AMI_max ARI Gamma",
    ),
    (
        published.singletons([2] * 8),
        "No two items are together, and most pairs should not be.",
        "Rand Mirkin Mirkin_n",
    ),
    (
        Contingency.from_matrix([[20, 0, 0], [0, 1, 1], [0, 1, 1]]),
        "One large class is right and all the rest is wrong: large clusters weigh by their square.",
        "FM Jaccard pair_F",
    ),
    (
        Contingency.from_matrix([[5, 4], [4, 0]]),
        "Taking the largest overlap first matches 5 items; the best matching has 8.",
        "one_to_one one_to_one_greedy H misclassification CEAF_m",
    ),
    (
        published.figure_2()["D"],
        "Solution D of Rosenberg and Hirschberg: B, and six items more that are left alone.",
        "CEAF_e BCubed_F",
    ),
)
TELLING = {name: (table, says) for table, says, names in _EXAMPLES for name in names.split()}


def telling(entry: str) -> tuple[Contingency | None, str]:
    """A table that shows what an entry is like, and why; None where no table can."""
    if entry in MEASURES:
        return TELLING.get(entry, (None, "The systems of SemEval-2010, ranked by it and by V."))
    return ALONE, "Fifteen items, each alone."


def ranks_like(measure: str) -> tuple[list[str], str]:
    """Other measures that order all solutions of the same items alike, and why."""
    groups = [(names, why) for names, why in (*SAME_ORDER_ML, *SAME_ORDER) if measure in names]
    if not groups:
        return [], ""
    names, why = max(groups, key=lambda group: len(group[0]))
    return [name for name in MEASURES if name in names and name != measure], why
