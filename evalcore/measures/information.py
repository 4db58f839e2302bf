"""Measures made of entropies: V and its parts, VI and its normalised forms, MI, NMI, AMI, Dom's Q0 and Q2.

C are the classes, K the clusters. Every function takes a Statistics, whose entropies may come from any estimator; with
an estimator other than maximum likelihood the values may leave their range, and nothing here pulls them back.
"""

import numpy as np

from .registry import register

RH = "Rosenberg and Hirschberg 2007, V-Measure: a conditional entropy-based external cluster evaluation measure"
RR = "Reichart and Rappoport 2009, The NVI clustering evaluation measure"
MEILA = "Meilă 2007, Comparing clusterings: an information based distance"
VINH = "Vinh, Epps and Bailey 2010, Information theoretic measures for clusterings comparison"
DOM = "Dom 2001, An information-theoretic external cluster-validity measure"


def share(gain, loss, whole):
    """gain / whole, where gain + loss = whole; the smaller of the two decides, so that 0 and 1 come out exactly.

    1 where there is nothing to gain.
    """
    if all(isinstance(x, float) for x in (gain, loss, whole)):  # one table: no arrays to set up
        return 1.0 if whole == 0 else gain / whole if abs(gain) <= abs(loss) else 1 - loss / whole
    gain, loss, whole = np.broadcast_arrays(gain, loss, whole)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(np.abs(gain) <= np.abs(loss), gain / whole, 1 - loss / whole)
    return np.where(whole == 0, 1.0, value)[()]


def ratio(x, y, otherwise):
    """x / y, and `otherwise` where y is 0."""
    if isinstance(x, float) and isinstance(y, float):
        return otherwise if y == 0 else x / y
    x, y = np.broadcast_arrays(x, y)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(y == 0, otherwise, x / y)[()]


@register(
    "V",
    symbol="V",
    title="V-measure",
    family="information",
    higher_is_better=True,
    range="[0, 1]",
    bounds=(0, 1),
    formula=r"V_\beta=\frac{(1+\beta)\,h\,c}{\beta h+c}",
    rewards="Homogeneity and completeness in balance; beware: many small clusters raise it, most of all on small samples.",
    convention="h = c = 0 gives 0; one class and one cluster gives 1",
    reference=RH,
    symmetric=True,
)
def v_measure(s):
    # (1+beta) h c / (beta h + c) with h = I/H(C), c = I/H(K); this form does not divide two tiny numbers at independence
    e, beta = s.entropies, s.beta
    return share((1 + beta) * e.mutual, e.C_given_K + beta * e.K_given_C, e.C + beta * e.K)


@register(
    "h",
    symbol="h",
    title="Homogeneity",
    family="information",
    higher_is_better=True,
    range="[0, 1]",
    bounds=(0, 1),
    formula=r"h=1-\frac{H(C\mid K)}{H(C)}",
    rewards="Clusters that hold one class only; singletons are always perfect.",
    convention="one class gives 1",
    reference=RH,
)
def homogeneity(s):
    e = s.entropies
    return share(e.mutual, e.C_given_K, e.C)


@register(
    "c",
    symbol="c",
    title="Completeness",
    family="information",
    higher_is_better=True,
    range="[0, 1]",
    bounds=(0, 1),
    formula=r"c=1-\frac{H(K\mid C)}{H(K)}",
    rewards="Classes that lie in one cluster only; one big cluster is always perfect.",
    convention="one cluster gives 1",
    reference=RH,
)
def completeness(s):
    e = s.entropies
    return share(e.mutual, e.K_given_C, e.K)


@register(
    "VI",
    symbol="VI",
    title="Variation of information",
    family="information",
    higher_is_better=False,
    range="[0, log N]",
    bounds=(0, None),
    formula=r"VI=H(C\mid K)+H(K\mid C)",
    rewards="Losing and adding little information; a metric, but its size depends on the data set's size.",
    convention="always defined",
    reference=MEILA,
    unit="nats",
    symmetric=True,
)
def variation_of_information(s):
    return s.entropies.C_given_K + s.entropies.K_given_C


@register(
    "NVI",
    symbol="NVI",
    title="Normalised variation of information",
    family="information",
    higher_is_better=False,
    range="[0, ∞)",
    bounds=(0, None),
    formula=r"NVI=\frac{H(C\mid K)+H(K\mid C)}{H(C)}",
    rewards="A low VI for the information in the classes, so data sets of different size compare; one cluster scores 1, "
    "worse than that is worse than saying nothing. It falls when noise classes are added.",
    convention="one class gives H(K), in nats",
    reference=RR,
)
def nvi(s):
    e = s.entropies
    return ratio(variation_of_information(s), e.C, e.K)


@register(
    "NVI_K",
    symbol="NVIₖ",
    title="VI normalised by the clusters' entropy",
    family="information",
    higher_is_better=False,
    range="[0, ∞)",
    bounds=(0, None),
    formula=r"NVI_K=\frac{H(C\mid K)+H(K\mid C)}{H(K)}",
    rewards="A low VI for the information in the clusters: it forgives many clusters.",
    convention="one cluster gives H(C), in nats",
    reference=RR,
)
def nvi_k(s):
    e = s.entropies
    return ratio(variation_of_information(s), e.K, e.C)


@register(
    "VI_logN",
    symbol="VI/log N",
    title="VI over log N",
    family="information",
    higher_is_better=False,
    range="[0, 1]",
    bounds=(0, 1),
    formula=r"\frac{VI}{\log N}",
    rewards="A low VI on a fixed data set, scaled to at most 1; not comparable between data sets of different size.",
    convention="one item gives 0; NaN where fractions add up to less than two items, for N is not a number of items then",
    reference=MEILA,
    symmetric=True,
    scale_free=False,
)
def vi_over_log_n(s):
    # near N = 1 the roundoff of a mass would decide: 1 + 1e-16 gives 1e16
    no_number = (np.asarray(s.n) < 2) & ~np.asarray(s.counts_items)
    with np.errstate(divide="ignore"):
        return np.where(no_number, np.nan, ratio(variation_of_information(s), np.log(s.n), 0.0))[()]


@register(
    "MI",
    symbol="I",
    title="Mutual information",
    family="information",
    higher_is_better=True,
    range="[0, min(H(C), H(K))]",
    bounds=(0, None),
    formula=r"I(C;K)=H(C)+H(K)-H(C,K)",
    rewards="Clusters that tell about classes; never falls when a cluster is split.",
    convention="always defined",
    reference=VINH,
    unit="nats",
    symmetric=True,
)
def mutual_information(s):
    return s.entropies.mutual


def _register_nmi(name, symbol, words, formula, mean, loss, note):
    """NMI = I / mean; `loss` is mean - I, written so that nothing cancels."""

    @register(
        name,
        symbol=symbol,
        title=f"Normalised mutual information, {words}",
        family="information",
        higher_is_better=True,
        range="[0, 1]",
        bounds=(0, 1),
        formula=formula,
        rewards=note,
        convention="one class and one cluster gives 1; only one of them gives 0",
        reference=VINH,
        symmetric=True,
    )
    def nmi(s):
        e = s.entropies
        with np.errstate(invalid="ignore"):  # an estimator may make an entropy negative: a geometric mean is then NaN
            norm = mean(e.C, e.K, e.joint)
            value = share(e.mutual, loss(e.C_given_K, e.K_given_C, e.mutual, norm), norm)
        only_one = (np.asarray(norm) == 0) & ((np.asarray(e.C) != 0) | (np.asarray(e.K) != 0))
        return np.where(only_one, 0.0, value)[()]

    return nmi


@register(
    "NMI",
    symbol="NMI",
    title="Normalised mutual information, arithmetic mean",
    family="information",
    higher_is_better=True,
    range="[0, 1]",
    bounds=(0, 1),
    formula=r"\frac{I}{\frac12\,(H(C)+H(K))}",
    rewards="The same as V with beta = 1.",
    convention="one class and one cluster gives 1",
    reference=VINH,
    symmetric=True,
)
def nmi_arithmetic(s):
    e = s.entropies
    return share(2 * e.mutual, e.C_given_K + e.K_given_C, e.C + e.K)


_register_nmi(
    "NMI_geometric",
    "NMI√",
    "geometric mean",
    r"\frac{I}{\sqrt{H(C)\,H(K)}}",
    lambda C, K, joint: np.sqrt(C * K),
    lambda x, y, mutual, norm: ratio(mutual * (x + y) + x * y, norm + mutual, 0.0),
    "Shared information; between the arithmetic and the smallest norm in how far it forgives many clusters.",
)
_register_nmi(
    "NMI_max",
    "NMIₘₐₓ",
    "largest entropy",
    r"\frac{I}{\max(H(C),H(K))}",
    lambda C, K, joint: np.maximum(C, K),
    lambda x, y, mutual, norm: np.maximum(x, y),
    "Shared information against the richer of the two partitions: the strictest norm for many clusters but the joint.",
)
_register_nmi(
    "NMI_min",
    "NMIₘᵢₙ",
    "smallest entropy",
    r"\frac{I}{\min(H(C),H(K))}",
    lambda C, K, joint: np.minimum(C, K),
    lambda x, y, mutual, norm: np.minimum(x, y),
    "Shared information against the poorer partition: any refinement of the classes is perfect, singletons too.",
)
_register_nmi(
    "NMI_joint",
    "NMIⱼ",
    "joint entropy",
    r"\frac{I}{H(C,K)}",
    lambda C, K, joint: joint,
    lambda x, y, mutual, norm: x + y,
    "Shared information against all there is; 1 minus it is a metric.",
)


def _adjusted(s, mean):
    """(I - E[I]) / (mean - E[I]) by maximum likelihood, for E[I] assumes the table's own margins; 1 for identical partitions."""
    e, expected = s.with_estimator("ML", support=(None, None, None)).entropies, s.expected_mutual
    identical = np.asarray(e.C_given_K + e.K_given_C) == 0
    value = ratio(e.mutual - expected, mean(e) - expected, 0.0)
    return np.where(identical & ~np.isnan(expected), 1.0, value)[()]


@register(
    "AMI",
    symbol="AMI",
    title="Adjusted mutual information",
    family="chance",
    higher_is_better=True,
    range="(-1, 1]",
    bounds=(0, 1),
    formula=r"\frac{I-E[I]}{\frac12\,(H(C)+H(K))-E[I]}",
    rewards="Information beyond what random partitions with the same sizes share; random solutions score 0 on average.",
    convention="identical partitions give 1",
    reference=VINH,
    needs="table",
    whole_counts=True,
    symmetric=True,
    scale_free=False,
    chance_corrected=True,
)
def adjusted_mutual_information(s):
    return _adjusted(s, lambda e: (e.C + e.K) / 2)


@register(
    "AMI_max",
    symbol="AMIₘₐₓ",
    title="Adjusted mutual information, largest entropy",
    family="chance",
    higher_is_better=True,
    range="(-1, 1]",
    bounds=(0, 1),
    formula=r"\frac{I-E[I]}{\max(H(C),H(K))-E[I]}",
    rewards="As AMI, with the strictest norm.",
    convention="identical partitions give 1",
    reference=VINH,
    needs="table",
    whole_counts=True,
    symmetric=True,
    scale_free=False,
    chance_corrected=True,
)
def adjusted_mutual_information_max(s):
    return _adjusted(s, lambda e: np.maximum(e.C, e.K))


@register(
    "Q0",
    symbol="Q₀",
    title="Dom's Q0",
    family="information",
    higher_is_better=False,
    range="[0, ∞)",
    bounds=(0, None),
    formula=r"Q_0=H(C\mid K)+\frac1N\sum_k\log\binom{b_k+|C|-1}{|C|-1}",
    rewards="A short message that tells each item's class, given its cluster: few clusters, each clean.",
    convention="always defined; fractional sizes through the gamma function",
    reference=DOM,
    unit="nats",
    scale_free=False,
)
def q0(s):
    return s.entropies.C_given_K + s.cluster_code


@register(
    "Q2",
    symbol="Q₂",
    title="Dom's Q2",
    family="information",
    higher_is_better=True,
    range="(0, 1]",
    bounds=(0, 1),
    formula=r"Q_2=\frac{\frac1N\sum_c\log\binom{a_c+|C|-1}{|C|-1}}{Q_0}",
    rewards="Q0 of the perfect solution over Q0 of this one.",
    convention="one class gives 1",
    reference=DOM,
    scale_free=False,
)
def q2(s):
    return ratio(s.class_code, q0(s), 1.0)


@register(
    "Entropy",
    symbol="E",
    title="Cluster entropy (Zhao and Karypis)",
    family="information",
    higher_is_better=False,
    range="[0, 1]",
    bounds=(0, 1),
    formula=r"\sum_k\frac{b_k}{N}\,\frac{H(C\mid K=k)}{\log|C|}",
    rewards="Clean clusters, however many.",
    convention="one class gives 0",
    reference="Zhao and Karypis 2001, Criterion functions for document clustering",
)
def cluster_entropy(s):
    return ratio(s.entropies.C_given_K, np.log(s.n_classes), 0.0)
