"""Word clustering by minimum description length: Li and Abe (1996), a divisive tree of nouns; bits.

The model gives P(noun, verb) = P(cluster, verb) P(noun | cluster). In the paper's form all nouns of a cluster
are equally likely (its equation 1), which makes it cluster by frequency too; the frequency-aware form gives
each noun its share of the cluster's pairs.

The printed algorithm never stops at the true number of clusters. Here a division that is not shorter than
the undivided set is refused, as the description length demands.
"""

import heapq
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln, logsumexp

from ..errors import InputError
from .bipartition import IMPROVEMENT, Rows, divide
from .counts import Cooccurrence

ENERGIES = {"mdl": "minimum description length", "mle": "maximum likelihood: the data alone"}
FORMS = {"paper": "all nouns of a cluster equally likely", "frequency": "each noun by its frequency"}
SMOOTHING = {
    "none": "as estimated",
    "half": "half a pair added to each (cluster, verb)",
    "mix": "1% of the uniform mixed in",
}


class Length(NamedTuple):
    """A description length in bits.

    model : which partition of the nouns it is; all are equally likely, so it is the same for every solution
    parameters : half a log2(pairs) for each of the clusters x verbs - 1 probabilities
    data : the pairs, given these
    """

    model: float
    parameters: float
    data: float

    @property
    def total(self) -> float:
        return self.model + self.parameters + self.data


def description_length(pairs: Cooccurrence, labels, form: str = "paper") -> Length:
    """The length of a solution, from the beginning: one cluster label a noun.

    >>> pairs = Cooccurrence([[8, 0], [8, 0], [0, 8]], ("tea", "milk", "coal"), ("drink", "burn"))
    >>> [round(description_length(pairs, labels).total, 2) for labels in ([0, 0, 0], [0, 0, 1])]
    [64.69, 47.24]
    """
    _check(form=form)
    _, codes = np.unique(np.asarray(labels), return_inverse=True)
    if len(codes) != len(pairs.nouns):
        raise InputError(f"There are {len(codes)} labels for {len(pairs.nouns)} nouns.")
    k, n = codes.max() + 1, pairs.n_pairs
    joint = _cluster_counts(pairs, codes, k)
    F = joint.sum(axis=1)
    if form == "paper":
        within = F @ np.log2(np.bincount(codes))
    else:
        within = _x_log2_x(F).sum() - _x_log2_x(pairs.noun_totals).sum()
    data = _x_log2_x(n) - _x_log2_x(joint).sum() + within
    return Length(_log2_bell(len(codes)), float((k * len(pairs.verbs) - 1) / 2 * np.log2(n)), float(data))


@dataclass(eq=False)
class Node:
    """A set of nouns in the tree; a leaf has no children, `saved` is what the split saved, in bits."""

    number: int
    parent: int | None
    depth: int
    members: np.ndarray
    children: tuple = ()
    saved: float = 0.0


@dataclass(eq=False)
class Tree:
    """A divisive clustering. Its splits are in the order of what they save, as far as parents come first."""

    pairs: Cooccurrence
    energy: str
    form: str
    nodes: list[Node]
    splits: list[int] = field(default_factory=list)  # numbers of the nodes that were split

    def leaves(self, splits: int | None = None) -> list[Node]:
        """The clusters: of the whole tree, or after so many splits."""
        done = set(self.splits[:splits])
        return [node for node in self.nodes if node.number not in done and (node.parent is None or node.parent in done)]

    def labels(self, splits: int | None = None) -> np.ndarray:
        """The number of the cluster of each noun, counted from 0 in the order of `leaves`."""
        labels = np.empty(len(self.pairs.nouns), dtype=np.intp)
        for i, leaf in enumerate(self.leaves(splits)):
            labels[leaf.members] = i
        return labels

    @cached_property
    def history(self) -> list[Length]:
        """The description length of the single cluster and after each split."""
        length = description_length(self.pairs, np.zeros(len(self.pairs.nouns)), self.form)
        lengths, price = [length], _price(self.pairs)
        for number in self.splits:
            saved_data = self.nodes[number].saved + (price if self.energy == "mdl" else 0.0)
            length = Length(length.model, length.parameters + price, length.data - saved_data)
            lengths.append(length)
        return lengths

    def estimate(self, smoothing: str = "none") -> np.ndarray:
        """The estimated P(noun, verb)."""
        if smoothing not in SMOOTHING:
            raise InputError(f"smoothing must be one of {', '.join(SMOOTHING)}, not {smoothing!r}.")
        labels = self.labels()
        k, extra = labels.max() + 1, 0.5 if smoothing == "half" else 0.0
        joint = _cluster_counts(self.pairs, labels, k) + extra
        if self.form == "paper":
            weights = np.ones(len(labels))
        else:
            weights = self.pairs.noun_totals + extra
        inside = np.bincount(labels, weights=weights)[labels]
        share = np.divide(weights, inside, out=np.zeros(len(labels)), where=inside > 0)
        estimate = (joint / joint.sum())[labels] * share[:, None]
        return 0.99 * estimate + 0.01 / estimate.size if smoothing == "mix" else estimate


def cluster(
    pairs: Cooccurrence,
    energy: str = "mdl",
    form: str = "paper",
    seed=0,
    progress: Callable[[int, int, str], None] | None = None,
) -> Tree:
    """Divide the nouns in two, and each part again, as long as that shortens the description.

    By MLE only the length of the data counts.

    Parameters
    ----------
    energy : "mdl" or "mle"
    form : "paper" or "frequency"
    progress : called with nouns done, nouns in all, and what is happening; it may raise to cancel

    >>> from .counts import made
    >>> tree = cluster(made(sample_size=1000))
    >>> len(tree.leaves()), [round(length.total) for length in tree.history]
    (4, [9103, 8782, 8427, 8263])
    """
    _check(energy=energy, form=form)
    rng, counts = np.random.default_rng(seed), pairs.counts
    price = _price(pairs) if energy == "mdl" else 0.0
    x_log_x = _x_log2_x(np.arange(int(pairs.verb_totals.max()) + 1))
    everything = Rows(counts.indices.astype(np.intp), counts.data, np.diff(counts.indptr))
    tree = Tree(pairs, energy, form, [Node(0, None, 0, np.arange(len(pairs.nouns)))])
    waiting, settled = deque([(0, everything)]), 0
    while waiting:
        number, rows = waiting.popleft()
        node = tree.nodes[number]
        watch = _watch(progress, settled, node, tree)
        watch(1.0)
        sides, saved = _split(rows, x_log_x, len(pairs.verbs), price, form, rng, watch)
        if sides is None:
            settled += len(node.members)
            continue
        node.saved, node.children = saved, (len(tree.nodes), len(tree.nodes) + 1)
        for side in (0, 1):
            child = Node(len(tree.nodes), number, node.depth + 1, node.members[sides == side])
            tree.nodes.append(child)
            waiting.append((child.number, rows.part(sides == side)))
    tree.splits += _best_first(tree.nodes)
    return tree


def _best_first(nodes):
    """The nodes that were split, in the order in which a tree would grow that takes what saves most."""
    order, reachable = [], [(-nodes[0].saved, 0)] if nodes[0].children else []
    while reachable:
        _, number = heapq.heappop(reachable)
        order.append(number)
        for child in nodes[number].children:
            if nodes[child].children:
                heapq.heappush(reachable, (-nodes[child].saved, child))
    return order


def divergence(truth: np.ndarray, estimate: np.ndarray) -> float:
    """KL(truth || estimate) in bits; infinite where something possible was estimated as impossible.

    >>> round(divergence(np.array([[0.5, 0.5]]), np.array([[0.25, 0.75]])), 3)
    0.208
    """
    possible = truth > 0
    with np.errstate(divide="ignore"):
        return float((truth[possible] * np.log2(truth[possible] / estimate[possible])).sum())


def _split(rows, x_log_x, n_verbs, price, form, rng, watch):
    """The sides of the best division found and the bits it saves, or (None, 0) where none is shorter."""
    n = len(rows.lengths)
    if n == 1:
        return None, 0.0
    state = divide(rows, x_log_x, n_verbs, price, form, rng, watch)
    if not state.sizes.all():
        return None, 0.0
    whole = state.F.sum()
    alone = (
        whole * np.log2(max(n if form == "paper" else whole, 1))
        - x_log_x.take(state.f.reshape(-1, 2).sum(axis=1)).sum()
    )
    saved = alone - state.energy()
    return (state.side, float(saved)) if saved > IMPROVEMENT else (None, 0.0)


def _watch(progress, settled, node, tree):
    if progress is None:
        return lambda temperature: None
    total, size, leaves = len(tree.pairs.nouns), len(node.members), (len(tree.nodes) + 1) // 2

    def watch(temperature):
        progress(settled, total, f"{leaves} leaves; dividing {size} nouns, temperature {temperature:.2g}")

    return watch


def _check(energy="mdl", form="paper"):
    if energy not in ENERGIES:
        raise InputError(f"energy must be one of {', '.join(ENERGIES)}, not {energy!r}.")
    if form not in FORMS:
        raise InputError(f"form must be one of {', '.join(FORMS)}, not {form!r}.")


def _price(pairs):
    """What one more cluster costs: half a log2(pairs) for each verb."""
    return len(pairs.verbs) / 2 * float(np.log2(pairs.n_pairs))


def _cluster_counts(pairs, codes, k):
    cells = (
        codes[np.repeat(np.arange(len(codes)), np.diff(pairs.counts.indptr))] * len(pairs.verbs) + pairs.counts.indices
    )
    return np.bincount(cells, weights=pairs.counts.data, minlength=k * len(pairs.verbs)).reshape(k, -1)


def _x_log2_x(x):
    x = np.asarray(x, dtype=float)
    return x * np.log2(np.maximum(x, 1))


def _log2_bell(n):
    """log2 of the number of partitions of n things, by Dobinski's series."""
    k = np.arange(1, 2 * n + 20)
    return float((logsumexp(n * np.log(k) - gammaln(k + 1)) - 1) / np.log(2))
