"""Every measure again, slowly and from its definition: from lists of labels, with 50 digits, brute force over pairs and matchings.

Nothing here uses evalcore; a measure that is registered but missing here fails the tests.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

from mpmath import mp, mpf

mp.dps = 50


def entropy(labels):
    n = len(labels)
    return -sum((mpf(x) / n * mp.log(mpf(x) / n) for x in Counter(labels).values()), mpf(0))


def triple(gold, predicted):
    return entropy(gold), entropy(predicted), entropy(list(zip(gold, predicted)))


def mutual(gold, predicted):
    hc, hk, joint = triple(gold, predicted)
    return hc + hk - joint


def vi(gold, predicted):
    hc, hk, joint = triple(gold, predicted)
    return 2 * joint - hc - hk


def one(labels):
    return len(set(labels)) == 1


def homogeneity(gold, predicted):
    hc, hk, joint = triple(gold, predicted)
    return mpf(1) if one(gold) else 1 - (joint - hk) / hc


def completeness(gold, predicted):
    return homogeneity(predicted, gold)


def v(gold, predicted, beta=1):
    h, c = homogeneity(gold, predicted), completeness(gold, predicted)
    if beta == 0:  # the limit: homogeneity alone
        return h
    if abs(h) < mpf(10) ** -40 and abs(c) < mpf(10) ** -40:
        return mpf(0)
    return (1 + beta) * h * c / (beta * h + c)


def nmi(mean):
    def value(gold, predicted):
        if one(gold) and one(predicted):
            return mpf(1)
        if one(gold) or one(predicted):
            return mpf(0)
        return mutual(gold, predicted) / mean(*triple(gold, predicted))

    return value


def expected_mutual(gold, predicted):
    """Over all different ways to arrange the predicted labels (small n only)."""
    arrangements = set(permutations(predicted))
    return sum(mutual(gold, list(x)) for x in arrangements) / len(arrangements)


def ami(mean):
    def value(gold, predicted):
        if same_partition(gold, predicted):
            return mpf(1)
        if one(gold) or one(predicted):
            return mpf(0)
        expected = expected_mutual(gold, predicted)
        hc, hk, _ = triple(gold, predicted)
        return (mutual(gold, predicted) - expected) / (mean(hc, hk) - expected)

    return value


def same_partition(gold, predicted):
    return len(set(gold)) == len(set(predicted)) == len(set(zip(gold, predicted)))


def log_binomial(n, k):
    return mp.log(mp.binomial(n, k))


def code(sizes, classes, n):
    return sum(log_binomial(x + classes - 1, classes - 1) for x in sizes) / n


def q0(gold, predicted):
    _, hk, joint = triple(gold, predicted)
    return joint - hk + code(Counter(predicted).values(), len(set(gold)), len(gold))


def q2(gold, predicted):
    if one(gold):
        return mpf(1)
    return code(Counter(gold).values(), len(set(gold)), len(gold)) / q0(gold, predicted)


def cluster_entropy(gold, predicted):
    if one(gold):
        return mpf(0)
    total = mpf(0)
    for k in set(predicted):
        members = [c for c, x in zip(gold, predicted) if x == k]
        total += mpf(len(members)) / len(gold) * entropy(members) / mp.log(len(set(gold)))
    return total


def pair_counts(gold, predicted):
    counts = Counter()
    for i, j in combinations(range(len(gold)), 2):
        counts[gold[i] == gold[j], predicted[i] == predicted[j]] += 1
    return tuple(counts[x] for x in ((True, True), (True, False), (False, True), (False, False)))


def over(x, y, otherwise=1):
    return mpf(x) / y if y else mpf(otherwise)


def pairs(formula):
    return lambda gold, predicted: formula(*pair_counts(gold, predicted))


def ari(a, b, c, d):
    """Hubert and Arabie's own form: (index - expected index) / (largest index - expected index)."""
    if b == c == 0:
        return mpf(1)
    total = a + b + c + d
    expected = Fraction((a + b) * (a + c), total)
    value = (a - expected) / (Fraction(2 * a + b + c, 2) - expected)
    return mpf(value.numerator) / value.denominator


def gamma(a, b, c, d):
    if b == c == 0:
        return mpf(1)
    total = a + b + c + d
    x, y = [1] * (a + b) + [0] * (c + d), [1] * a + [0] * b + [1] * c + [0] * d
    mx, my = Fraction(sum(x), total), Fraction(sum(y), total)
    covariance = sum((u - mx) * (w - my) for u, w in zip(x, y))
    spread = sum((u - mx) ** 2 for u in x) * sum((w - my) ** 2 for w in y)
    return (
        mpf(covariance.numerator) / covariance.denominator / mp.sqrt(mpf(spread.numerator) / spread.denominator)
        if spread
        else mpf(0)
    )


def overlap(gold, predicted):
    classes, clusters = sorted(set(gold)), sorted(set(predicted))
    joint = Counter(zip(gold, predicted))
    return [[joint[c, k] for k in clusters] for c in classes]


def best_matching(weights):
    """Over all one-to-one maps of the shorter side."""
    if len(weights) > len(weights[0]):
        weights = [list(column) for column in zip(*weights)]
    return max(
        sum(row[k] for row, k in zip(weights, chosen)) for chosen in permutations(range(len(weights[0])), len(weights))
    )


def greedy(gold, predicted):
    table, mass = overlap(gold, predicted), 0
    rows, columns = set(range(len(table))), set(range(len(table[0])))
    while rows and columns:
        count, _, _, r, k = max((table[r][k], -r, -k, r, k) for r in rows for k in columns)
        mass += count
        rows.remove(r)
        columns.remove(k)
    return mpf(mass) / len(gold)


def dice(gold, predicted):
    table = overlap(gold, predicted)
    columns = [sum(column) for column in zip(*table)]
    return [[mpf(2 * x) / (sum(row) + b) for x, b in zip(row, columns)] for row in table]


def one_to_one(gold, predicted):
    return mpf(best_matching(overlap(gold, predicted))) / len(gold)


def bcubed(gold, predicted, of):
    """The mean over items of the share of its cluster (of=1) or class (of=0) that shares both with it."""
    total = mpf(0)
    for g, k in zip(gold, predicted):
        both = sum(x == g and y == k for x, y in zip(gold, predicted))
        total += mpf(both) / sum((y == k) if of else (x == g) for x, y in zip(gold, predicted))
    return total / len(gold)


def bcubed_f(gold, predicted):
    p, r = bcubed(gold, predicted, 1), bcubed(gold, predicted, 0)
    return 2 * p * r / (p + r)


def micro(gold, predicted, precision):
    """Each cluster named after its largest class; per class true and false positives and negatives, then summed."""
    name = {k: Counter(c for c, x in zip(gold, predicted) if x == k).most_common(1)[0][0] for k in set(predicted)}
    said = [name[k] for k in predicted]
    right = sum(g == s for g, s in zip(gold, said))
    false_positive = sum(sum(s == c and g != c for g, s in zip(gold, said)) for c in set(gold))
    false_negative = sum(sum(s != c and g == c for g, s in zip(gold, said)) for c in set(gold))
    return mpf(right) / (right + (false_positive if precision else false_negative))


def supervised_recall(gold, predicted, mapping):
    right = tested = 0
    for g, k, mapped in zip(gold, predicted, mapping):
        if mapped:
            continue
        tested += 1
        seen = Counter(c for c, x, m in zip(gold, predicted, mapping) if m and x == k)
        right += bool(seen) and min(seen, key=lambda c: (-seen[c], c)) == g
    return mpf(right) / tested


REFERENCE = {
    "V": v,
    "h": homogeneity,
    "c": completeness,
    "VI": vi,
    "MI": mutual,
    "NVI": lambda g, p: vi(g, p) / entropy(g) if not one(g) else entropy(p),
    "NVI_K": lambda g, p: vi(g, p) / entropy(p) if not one(p) else entropy(g),
    "VI_logN": lambda g, p: vi(g, p) / mp.log(len(g)) if len(g) > 1 else mpf(0),
    "NMI": lambda g, p: v(g, p),
    "NMI_geometric": nmi(lambda c, k, j: mp.sqrt(c * k)),
    "NMI_max": nmi(lambda c, k, j: max(c, k)),
    "NMI_min": nmi(lambda c, k, j: min(c, k)),
    "NMI_joint": nmi(lambda c, k, j: j),
    "AMI": ami(lambda c, k: (c + k) / 2),
    "AMI_max": ami(max),
    "Q0": q0,
    "Q2": q2,
    "Entropy": cluster_entropy,
    "Rand": pairs(lambda a, b, c, d: over(a + d, a + b + c + d)),
    "ARI": pairs(ari),
    "Gamma": pairs(gamma),
    "Jaccard": pairs(lambda a, b, c, d: over(a, a + b + c)),
    "FM": pairs(lambda a, b, c, d: mp.sqrt(over(a, a + b) * over(a, a + c))),
    "Mirkin": pairs(lambda a, b, c, d: mpf(2 * (b + c))),
    "Mirkin_n": lambda g, p: mpf(2 * sum(pair_counts(g, p)[1:3])) / len(g) ** 2,
    "pair_P": pairs(lambda a, b, c, d: over(a, a + c)),
    "pair_R": pairs(lambda a, b, c, d: over(a, a + b)),
    "pair_F": pairs(lambda a, b, c, d: over(2 * a, 2 * a + b + c)),
    "purity": lambda g, p: mpf(sum(max(column) for column in zip(*overlap(g, p)))) / len(g),
    "inverse_purity": lambda g, p: mpf(sum(max(row) for row in overlap(g, p))) / len(g),
    "F": lambda g, p: sum(mpf(sum(row)) / len(g) * max(f) for row, f in zip(overlap(g, p), dice(g, p))),
    "L": lambda g, p: sum(max(f) for f in dice(g, p)) / len(set(g)),
    "D": lambda g, p: mpf(2 * len(g) - sum(map(max, overlap(g, p))) - sum(map(max, overlap(p, g)))) / (2 * len(g)),
    "one_to_one": one_to_one,
    "one_to_one_greedy": greedy,
    "H": lambda g, p: 1 - one_to_one(g, p),
    "misclassification": lambda g, p: 1 - one_to_one(g, p),
    "micro_P": lambda g, p: micro(g, p, True),
    "micro_R": lambda g, p: micro(g, p, False),
    "BCubed_P": lambda g, p: bcubed(g, p, 1),
    "BCubed_R": lambda g, p: bcubed(g, p, 0),
    "BCubed_F": bcubed_f,
    "CEAF_m": one_to_one,
    "CEAF_e": lambda g, p: 2 * best_matching(dice(g, p)) / (len(set(g)) + len(set(p))),
    "SR": supervised_recall,
}
