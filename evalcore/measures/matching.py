"""Measures of overlap: which cluster answers which class, item by item or one to one."""

from .information import ratio
from .registry import register

ZHAO = "Zhao and Karypis 2001, Criterion functions for document clustering"
AMIGO = "Amigó, Gonzalo, Artiles and Verdejo 2009, A comparison of extrinsic clustering evaluation metrics"
LUO = "Luo 2005, On coreference resolution performance metrics"
BAGGA = "Bagga and Baldwin 1998, Algorithms for scoring coreference chains"
SLONIM = (
    "Slonim, Friedman and Tishby 2002, Unsupervised document classification using sequential information maximization"
)

UNIT = dict(family="matching", range="[0, 1]", bounds=(0, 1), needs="table")
DEFINED = "always defined"
MATCHED = "NaN where the exact matching of a huge sparse table is out of reach"


@register(
    "purity",
    symbol="Pur",
    title="Purity (many-to-one accuracy)",
    higher_is_better=True,
    **UNIT,
    formula=r"\frac1N\sum_k\max_c n_{ck}",
    rewards="Clusters with one clear class; never falls when a cluster is split.",
    convention=DEFINED,
    reference=ZHAO,
)
def purity(s):
    return s.largest_in_cluster.sum(axis=-1) / s.n


@register(
    "inverse_purity",
    symbol="Pur⁻¹",
    title="Inverse purity",
    higher_is_better=True,
    **UNIT,
    formula=r"\frac1N\sum_c\max_k n_{ck}",
    rewards="Classes that lie mostly in one cluster; one big cluster is perfect.",
    convention=DEFINED,
    reference=AMIGO,
)
def inverse_purity(s):
    return s.largest_in_class.sum(axis=-1) / s.n


@register(
    "F",
    symbol="F",
    title="Clustering F",
    higher_is_better=True,
    **UNIT,
    formula=r"\sum_c\frac{a_c}{N}\max_k\frac{2\,n_{ck}}{a_c+b_k}",
    rewards="For each class one good cluster, large classes first; what the other clusters do goes unseen.",
    convention=DEFINED,
    reference="van Rijsbergen 1979; Larsen and Aone 1999, weighted by class size",
)
def clustering_f(s):
    return (s.cells.a * s.best_dice).sum(axis=-1) / s.n


@register(
    "L",
    symbol="L",
    title="Larsen and Aone's L",
    higher_is_better=True,
    **UNIT,
    formula=r"\frac1{|C|}\sum_c\max_k\frac{2\,n_{ck}}{a_c+b_k}",
    rewards="As F, with every class weighing the same.",
    convention=DEFINED,
    reference="Larsen and Aone 1999, Fast and effective text mining using linear-time document clustering",
)
def larsen_aone(s):
    return s.best_dice.sum(axis=-1) / s.n_classes


@register(
    "D",
    symbol="D",
    title="van Dongen's D",
    higher_is_better=False,
    **UNIT,
    symmetric=True,
    formula=r"\frac{2N-\sum_c\max_k n_{ck}-\sum_k\max_c n_{ck}}{2N}",
    rewards="Large overlaps seen from both sides; a metric.",
    convention=DEFINED,
    reference="van Dongen 2000, Performance criteria for graph clustering",
)
def van_dongen(s):
    return (2 * s.n - s.largest_in_class.sum(axis=-1) - s.largest_in_cluster.sum(axis=-1)) / (2 * s.n)


@register(
    "one_to_one",
    symbol="1:1",
    title="One-to-one accuracy",
    higher_is_better=True,
    **UNIT,
    symmetric=True,
    formula=r"\frac1N\max_{\sigma}\sum_c n_{c\,\sigma(c)}",
    rewards="The best naming of clusters by classes, each name used once; surplus clusters are all wrong.",
    convention=MATCHED,
    reference="Meilă and Heckerman 2001, An experimental comparison of model-based clustering methods",
)
def one_to_one(s):
    return s.matched / s.n


@register(
    "one_to_one_greedy",
    symbol="1:1g",
    title="One-to-one accuracy, greedy",
    higher_is_better=True,
    **UNIT,
    formula=r"\frac1N\sum_{(c,k)\in\text{greedy}} n_{ck}",
    rewards="As one-to-one, but taking the largest overlap left each time: at most the optimum, at least half of it.",
    convention="ties go to the first class, then to the first cluster",
    reference="Haghighi and Klein 2006, Prototype-driven learning for sequence models",
)
def one_to_one_greedy(s):
    return s.matched_greedily / s.n


@register(
    "H",
    symbol="H",
    title="Meilă and Heckerman's H",
    higher_is_better=False,
    **UNIT,
    symmetric=True,
    formula=r"1-\frac1N\max_{\sigma}\sum_c n_{c\,\sigma(c)}",
    rewards="Little mass outside the best one-to-one matching.",
    convention=MATCHED,
    reference="Meilă and Heckerman 2001, An experimental comparison of model-based clustering methods",
)
def meila_heckerman(s):
    return (s.n - s.matched) / s.n


@register(
    "misclassification",
    symbol="MC",
    title="Misclassification index",
    higher_is_better=False,
    **UNIT,
    symmetric=True,
    formula=r"1-\text{one-to-one accuracy}",
    rewards="Few items named wrongly under the best naming; the same number as H.",
    convention=MATCHED,
    reference="Zeng, Tang, Garcia-Frias and Gao 2002, An adaptive meta-clustering approach",
)
def misclassification(s):
    return (s.n - s.matched) / s.n


@register(
    "micro_P",
    symbol="μP",
    title="Micro-averaged precision",
    higher_is_better=True,
    **UNIT,
    formula=r"\frac{\sum_c \mathrm{TP}_c}{\sum_c(\mathrm{TP}_c+\mathrm{FP}_c)}",
    rewards="Items right when each cluster is named after its largest class. Where every item has one class and one cluster, "
    "every false positive is someone's false negative: it equals micro recall and purity.",
    convention=DEFINED,
    reference=SLONIM,
)
def micro_precision(s):
    right, wrong = _named(s)
    return right / (right + wrong)


@register(
    "micro_R",
    symbol="μR",
    title="Micro-averaged recall",
    higher_is_better=True,
    **UNIT,
    formula=r"\frac{\sum_c \mathrm{TP}_c}{\sum_c(\mathrm{TP}_c+\mathrm{FN}_c)}",
    rewards="Items found when each cluster is named after its largest class; see micro precision.",
    convention=DEFINED,
    reference=SLONIM,
)
def micro_recall(s):
    right, _ = _named(s)
    return right / s.cells.a.sum(axis=-1)


def _named(s):
    """Items right and wrong, over all classes, when every cluster is named after its largest class."""
    right = s.largest_in_cluster
    return right.sum(axis=-1), (s.cells.b - right).sum(axis=-1)


@register(
    "BCubed_P",
    symbol="B³P",
    title="B-cubed precision",
    higher_is_better=True,
    **UNIT,
    formula=r"\frac1N\sum_{c,k}\frac{n_{ck}^2}{b_k}",
    rewards="For each item, a cluster mostly of its own class.",
    convention=DEFINED,
    reference=BAGGA,
)
def bcubed_precision(s):
    return s.bcubed[0]


@register(
    "BCubed_R",
    symbol="B³R",
    title="B-cubed recall",
    higher_is_better=True,
    **UNIT,
    formula=r"\frac1N\sum_{c,k}\frac{n_{ck}^2}{a_c}",
    rewards="For each item, most of its class in its cluster.",
    convention=DEFINED,
    reference=BAGGA,
)
def bcubed_recall(s):
    return s.bcubed[1]


@register(
    "BCubed_F",
    symbol="B³F",
    title="B-cubed F",
    higher_is_better=True,
    **UNIT,
    symmetric=True,
    formula=r"\frac{2\,P\,R}{P+R}",
    rewards="B-cubed precision and recall in balance; the only family here to meet all four constraints of Amigó et al.",
    convention=DEFINED,
    reference=AMIGO,
)
def bcubed_f(s):
    precision, recall = s.bcubed
    return ratio(2 * precision * recall, precision + recall, 0.0)


@register(
    "CEAF_m",
    symbol="CEAFₘ",
    title="CEAF, mention form",
    higher_is_better=True,
    **UNIT,
    symmetric=True,
    formula=r"\frac1N\max_{\sigma}\sum_c n_{c\,\sigma(c)}",
    rewards="The best one-to-one alignment by shared items. On a full partition it equals one-to-one accuracy.",
    convention=MATCHED,
    reference=LUO,
)
def ceaf_mention(s):
    # precision and recall both divide by the number of items, so F is that ratio too
    return s.matched / s.n


@register(
    "CEAF_e",
    symbol="CEAFₑ",
    title="CEAF, entity form",
    higher_is_better=True,
    **UNIT,
    symmetric=True,
    formula=r"\frac{2}{|C|+|K|}\max_{\sigma}\sum_c\frac{2\,n_{c\,\sigma(c)}}{a_c+b_{\sigma(c)}}",
    rewards="The best one-to-one alignment by F of class and cluster, every class and cluster weighing the same.",
    convention=MATCHED,
    reference=LUO,
)
def ceaf_entity(s):
    return 2 * s.matched_dice / (s.n_classes + s.n_clusters)
