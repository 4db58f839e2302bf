"""Measures that count pairs of items.

n11: same class and same cluster; n10: same class only; n01: same cluster only; n00: neither. 0/0 is read as 1: nothing was
claimed and nothing was wrong, so identical singletons match perfectly.
"""

import numpy as np

from .information import ratio
from .registry import register

HUBERT = "Hubert and Arabie 1985, Comparing partitions"


@register(
    "Rand",
    symbol="Rand",
    title="Rand index",
    family="pairs",
    higher_is_better=True,
    range="[0, 1]",
    bounds=(0, 1),
    formula=r"\frac{N_{11}+N_{00}}{N_{11}+N_{10}+N_{01}+N_{00}}",
    rewards="Pairs decided alike; most pairs are apart in both, so with many clusters nearly everything scores high.",
    convention="one item gives 1",
    reference="Rand 1971, Objective criteria for the evaluation of clustering methods",
    needs="table",
    symmetric=True,
    scale_free=False,
)
def rand(s):
    p = s.pairs
    return ratio(p.n11 + p.n00, p.n11 + p.n10 + p.n01 + p.n00, 1.0)


@register(
    "ARI",
    symbol="ARI",
    title="Adjusted Rand index",
    family="pairs",
    higher_is_better=True,
    range="[-1/2, 1]",
    bounds=(0, 1),
    formula=r"\frac{2\,(N_{11}N_{00}-N_{10}N_{01})}{(N_{11}+N_{10})(N_{10}+N_{00})+(N_{11}+N_{01})(N_{01}+N_{00})}",
    rewards="Agreement beyond what random partitions with the same sizes reach; random solutions score 0 on average.",
    convention="identical partitions give 1",
    reference=HUBERT,
    needs="table",
    symmetric=True,
    scale_free=False,
    chance_corrected=True,
)
def adjusted_rand(s):
    p = s.pairs
    return ratio(
        2 * (p.n11 * p.n00 - p.n10 * p.n01), (p.n11 + p.n10) * (p.n10 + p.n00) + (p.n11 + p.n01) * (p.n01 + p.n00), 1.0
    )


@register(
    "Jaccard",
    symbol="J",
    title="Jaccard index",
    family="pairs",
    higher_is_better=True,
    range="[0, 1]",
    bounds=(0, 1),
    formula=r"\frac{N_{11}}{N_{11}+N_{10}+N_{01}}",
    rewards="Pairs that are together in both, among those together in either.",
    convention="identical singletons give 1",
    reference="Jaccard 1912, The distribution of the flora in the alpine zone",
    needs="table",
    symmetric=True,
    scale_free=False,
)
def jaccard(s):
    p = s.pairs
    return ratio(p.n11, p.n11 + p.n10 + p.n01, 1.0)


@register(
    "FM",
    symbol="FM",
    title="Fowlkes and Mallows index",
    family="pairs",
    higher_is_better=True,
    range="[0, 1]",
    bounds=(0, 1),
    formula=r"\frac{N_{11}}{\sqrt{(N_{11}+N_{10})(N_{11}+N_{01})}}",
    rewards="Pair precision and recall (geometric mean); large clusters weigh by their square.",
    convention="identical singletons give 1",
    needs="table",
    symmetric=True,
    scale_free=False,
    reference="Fowlkes and Mallows 1983, A method for comparing two hierarchical clusterings",
)
def fowlkes_mallows(s):
    # the roots one by one: their product is exactly n11 + 0 where the partitions are identical
    p = s.pairs
    return np.sqrt(_precision(p)) * np.sqrt(_recall(p))


@register(
    "Gamma",
    symbol="Γ",
    title="Hubert's Gamma",
    family="pairs",
    higher_is_better=True,
    range="[-1, 1]",
    bounds=(0, 1),
    formula=r"\frac{N_{11}N_{00}-N_{10}N_{01}}{\sqrt{(N_{11}+N_{10})(N_{11}+N_{01})(N_{00}+N_{10})(N_{00}+N_{01})}}",
    rewards="Correlation, over pairs, of being together in one and in the other.",
    convention="identical partitions give 1; otherwise 0 where one of them has all pairs together or all apart",
    reference=HUBERT,
    needs="table",
    symmetric=True,
    scale_free=False,
    chance_corrected=True,
)
def gamma(s):
    p = s.pairs
    with np.errstate(invalid="ignore"):  # with one class or cluster a fractional n00 + n10 may be -1e-17
        spread = (np.sqrt(p.n11 + p.n10) * np.sqrt(p.n11 + p.n01)) * (np.sqrt(p.n00 + p.n10) * np.sqrt(p.n00 + p.n01))
    value = np.where((s.n_classes == 1) | (s.n_clusters == 1), 0.0, ratio(p.n11 * p.n00 - p.n10 * p.n01, spread, 0.0))
    return np.where(p.n10 + p.n01 == 0, 1.0, value)[()]


@register(
    "Mirkin",
    symbol="M",
    title="Mirkin metric",
    family="pairs",
    higher_is_better=False,
    range="[0, N²]",
    bounds=(0, None),
    formula=r"2\,(N_{10}+N_{01})",
    rewards="Few pairs decided differently; grows with the square of the data.",
    convention="always defined",
    reference="Mirkin 1996, Mathematical classification and clustering",
    needs="table",
    symmetric=True,
    scale_free=False,
)
def mirkin(s):
    return 2 * (s.pairs.n10 + s.pairs.n01)


@register(
    "Mirkin_n",
    symbol="M/N²",
    title="Mirkin metric over N squared",
    family="pairs",
    higher_is_better=False,
    range="[0, 1)",
    bounds=(0, 1),
    formula=r"\frac{2\,(N_{10}+N_{01})}{N^2}",
    rewards="As Mirkin, comparable between data sets; nearly 1 - Rand.",
    convention="always defined",
    reference=HUBERT,
    needs="table",
    symmetric=True,
)
def mirkin_normalised(s):
    return mirkin(s) / (s.n * s.n)


def _precision(p):
    return ratio(p.n11, p.n11 + p.n01, 1.0)


def _recall(p):
    return ratio(p.n11, p.n11 + p.n10, 1.0)


@register(
    "pair_P",
    symbol="P₂",
    title="Pair precision",
    family="pairs",
    higher_is_better=True,
    range="[0, 1]",
    bounds=(0, 1),
    formula=r"\frac{N_{11}}{N_{11}+N_{01}}",
    rewards="Pairs put together that belong together; singletons claim none and score 1.",
    convention="no pair in a cluster gives 1",
    reference=HUBERT,
    needs="table",
    scale_free=False,
)
def pair_precision(s):
    return _precision(s.pairs)


@register(
    "pair_R",
    symbol="R₂",
    title="Pair recall",
    family="pairs",
    higher_is_better=True,
    range="[0, 1]",
    bounds=(0, 1),
    formula=r"\frac{N_{11}}{N_{11}+N_{10}}",
    rewards="Pairs that belong together and are put together; one cluster scores 1.",
    convention="no pair in a class gives 1",
    reference=HUBERT,
    needs="table",
    scale_free=False,
)
def pair_recall(s):
    return _recall(s.pairs)


@register(
    "pair_F",
    symbol="F₂",
    title="Pair F",
    family="pairs",
    higher_is_better=True,
    range="[0, 1]",
    bounds=(0, 1),
    formula=r"\frac{2\,N_{11}}{2\,N_{11}+N_{10}+N_{01}}",
    rewards="Pair precision and recall in balance.",
    convention="identical singletons give 1",
    reference=HUBERT,
    needs="table",
    symmetric=True,
    scale_free=False,
)
def pair_f(s):
    p = s.pairs
    return ratio(2 * p.n11, 2 * p.n11 + p.n10 + p.n01, 1.0)
