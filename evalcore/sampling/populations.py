"""Populations: a known truth about classes and clusters, from which samples are drawn."""

import math
from dataclasses import dataclass

import numpy as np

from ..contingency import Contingency
from ..errors import InputError
from ..measures import resolve
from ..statistics import Statistics, Support
from .distributions import uniform

MOST_CELLS = 20_000  # of a population's table


@dataclass(frozen=True, eq=False)
class Population:
    """How likely each class is, and how a system spreads the items of each class over clusters.

    Make one with `noisy_channel`, `random_system`, `one_per_instance` or `from_table`.

    >>> Population.random_system([0.5, 0.5], 4).truth(["V", "ARI"])
    {'V': 0.0, 'ARI': 0.0}
    """

    classes: np.ndarray  # probabilities, all above 0
    channel: np.ndarray | None  # (classes, clusters), rows add up to 1; None: every item is a cluster of its own

    @classmethod
    def noisy_channel(cls, classes, clusters: int, noise: float) -> "Population":
        """With probability `noise` an item falls into any cluster, otherwise into one of its class's own.

        Clusters are dealt to classes in turn; where there are fewer clusters than classes, they are shared.
        """
        classes = _distribution(classes)
        if not 0 <= noise <= 1:
            raise InputError(f"The noise must lie between 0 and 1, not {noise!r}.")
        _check_cells(len(classes), clusters)
        at_class, at_cluster = np.arange(len(classes))[:, None], np.arange(clusters)
        own = at_cluster % len(classes) == at_class if clusters >= len(classes) else at_class % clusters == at_cluster
        return cls(classes, (1 - noise) * own / own.sum(axis=1, keepdims=True) + noise / clusters)

    @classmethod
    def random_system(cls, classes, clusters: int) -> "Population":
        """Every item falls into any cluster with equal chance: nothing is known."""
        classes = _distribution(classes)
        _check_cells(len(classes), clusters)
        return cls(classes, np.tile(uniform(clusters), (len(classes), 1)))

    @classmethod
    def one_per_instance(cls, classes) -> "Population":
        """Every item is a cluster of its own."""
        return cls(_distribution(classes), None)

    @classmethod
    def from_table(cls, table) -> "Population":
        """A table (fractional or not) taken for the truth: its cells over its total are the probabilities.

        >>> Population.from_table([[3, 0], [0, 1]]).classes.tolist()
        [0.75, 0.25]
        """
        table = table if isinstance(table, Contingency) else Contingency.from_matrix(table)
        _check_cells(*table.shape)
        counts = np.asarray(table.counts, dtype=float)
        counts = counts[counts.any(axis=1)][:, counts.any(axis=0)]
        sizes = counts.sum(axis=1)
        return cls(sizes / sizes.sum(), counts / sizes[:, None])

    @property
    def joint(self) -> np.ndarray | None:
        """Probabilities of class and cluster together."""
        return None if self.channel is None else self.classes[:, None] * self.channel

    @property
    def cells(self) -> int:
        """How many cells a sample's table has to hold."""
        return len(self.classes) if self.channel is None else self.channel.size

    @property
    def support(self) -> Support:
        """The true numbers of classes, clusters and cells; None for endless clusters."""
        if self.channel is None:
            return Support(C=len(self.classes))
        clusters = int((self.channel.sum(axis=0) > 0).sum())
        return Support(len(self.classes), clusters, len(self.classes) * clusters)

    def table(self, n: float = 100) -> Contingency:
        """The truth as a (fractional) table of n items, to be opened elsewhere."""
        if self.joint is None:
            raise InputError("A system with one cluster per instance has no table without a sample.")
        return Contingency.from_matrix(self.joint * n)

    def draw(self, class_counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Tables (samples, classes, clusters) for samples of these class sizes (samples, classes)."""
        return np.stack([rng.multinomial(class_counts[:, i], row) for i, row in enumerate(self.channel)], axis=1)

    def truth(self, measures, base: float = math.e) -> dict[str, float]:
        """What each measure says of an endless sample.

        Pairs are counted as squares. AMI's correction for chance vanishes, so that AMI becomes V.
        """
        chosen = [resolve(name) for name in measures]
        values = self._endless_clusters() if self.channel is None else self._of_joint(chosen)
        unit = math.log(base)
        return {m.name: float(values[m.name]) / (unit if m.unit == "nats" else 1.0) for m in chosen}

    def _of_joint(self, chosen):
        s = Statistics(self.joint, pairs="asymptotic")
        values = {}
        if (self.channel == self.channel[0]).all():  # independent: what is 0 must not come out as 1e-17
            C, K = _entropy(self.classes), _entropy(self.channel[0])
            s = Statistics.from_entropies(C, K, joint=C + K)
            values["ARI"] = 1.0 if C == K == 0 else 0.0
        limit = {"AMI": resolve("V")}
        return values | {m.name: limit.get(m.name, m).compute(s) for m in chosen if m.name not in values}

    def _endless_clusters(self):
        """H(K) and H(C,K) grow without end, and H(C|K) = 0."""
        entropy = _entropy(self.classes)
        known = 1.0 if entropy > 0 else 0.0
        return {
            "V": 0.0,
            "h": 1.0,
            "c": 0.0,
            "VI": np.inf,
            "NVI": np.inf,
            "NVI_K": 1.0,
            "MI": entropy,
            "NMI_max": 0.0,
            "NMI_min": known,
            "NMI_joint": 0.0,
            "AMI": 0.0,
            "ARI": 0.0,
        }


def _entropy(p):
    return abs(float((p[p > 0] * np.log(p[p > 0])).sum()))


def _distribution(classes):
    p = np.asarray(classes, dtype=float)
    if p.ndim != 1 or not p.size or not np.isfinite(p).all() or p.min() < 0 or abs(p.sum() - 1) > 1e-9:
        raise InputError("The probabilities of the classes must be numbers of at least 0 that add up to 1.")
    return p[p > 0] / p.sum()


def _check_cells(classes, clusters):
    if clusters < 1:
        raise InputError(f"A system has at least one cluster, not {clusters}.")
    if classes * clusters > MOST_CELLS:
        raise InputError(
            f"{classes:,} classes with {clusters:,} clusters are {classes * clusters:,} cells; "
            f"{MOST_CELLS:,} are the limit."
        )
