"""Distributional clustering: Pereira, Tishby and Lee (1993), soft clusters that split as beta rises."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from scipy.special import log_expit

from ..errors import InputError
from .counts import Cooccurrence
from .free_energy import Space
from .threads import one_thread

MOST_CLUSTERS, MOST_BETA = 256, 1e6
NEAR = 0.02  # L1; closer centroids are one
BEYOND = 1.015  # beta stops this far beyond the next critical value, where a cluster is split
TOO_FAR = 1.02
STEP, RETRY = 1.2, 1.05  # how fast beta rises at most: towards a split, and after one
HASTE = 0.1  # the part of the usual patience spent between splits that follow at the same beta


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A soft clustering: the state at one beta."""

    beta: float
    log_memberships: np.ndarray  # log p(c|n), nouns x clusters; equal shares for a noun without pairs
    log_centroids: np.ndarray  # log p(v|c), clusters x verbs; -inf only for verbs that never occur
    free_energy: float
    critical: np.ndarray  # the beta at which each cluster becomes unstable
    clusters: tuple[int, ...]  # numbers of the clusters in the tree

    @property
    def k(self) -> int:
        return len(self.clusters)

    @cached_property
    def memberships(self) -> np.ndarray:
        return np.exp(self.log_memberships)

    @cached_property
    def centroids(self) -> np.ndarray:
        return np.exp(self.log_centroids)

    def labels(self) -> np.ndarray:
        """The likeliest cluster of each noun."""
        return self.log_memberships.argmax(axis=1)


class Step(NamedTuple):
    """One beta on the way: the number of clusters there, the free energy, and the lowest critical beta."""

    beta: float
    k: int
    free_energy: float
    critical: float


class Split(NamedTuple):
    """A split: at which beta, and where theory puts it; `ready` if only the rise of beta brought it about."""

    cluster: int
    beta: float
    critical: float
    ready: bool


@dataclass
class Cluster:
    """A cluster in the tree: when it came, when it was split or taken up by others, what is nearest to it."""

    number: int
    parent: int | None
    born: float
    ended: float | None = None
    nearest: tuple = ()  # its nouns, nearest to the centroid first, when last seen


@dataclass(eq=False)
class Annealing:
    """The course of beta: every step, a snapshot of each number of clusters on the way, and the tree."""

    pairs: Cooccurrence
    steps: list[Step] = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)
    splits: list[Split] = field(default_factory=list)
    clusters: dict[int, Cluster] = field(default_factory=dict)

    def by_k(self) -> dict[int, Snapshot]:
        """One snapshot for each k, at the highest beta, leaving out what rose and fell again on the way."""
        chosen = {}
        for snapshot in reversed(self.snapshots):
            if not chosen or snapshot.k < min(chosen):
                chosen[snapshot.k] = snapshot
        return dict(sorted(chosen.items()))

    def plateaus(self) -> pd.DataFrame:
        """Runs of the same number of clusters, with their first and last beta and the ratio of the two."""
        rows = []
        for step, after in zip(self.steps, [*self.steps[1:], self.steps[-1]], strict=True):
            if rows and rows[-1][0] == step.k:
                rows[-1][2] = after.beta
            else:
                rows.append([step.k, step.beta, after.beta])
        frame = pd.DataFrame(rows, columns=["k", "first", "last"])
        return frame.assign(ratio=frame["last"] / frame["first"])

    def plateau(self) -> int | None:
        """The number of clusters that lasts longest, not counting the first (one) and the last (cut off)."""
        inner = self.plateaus().iloc[1:-1]
        return None if inner.empty else int(inner.loc[inner["ratio"].idxmax(), "k"])


def anneal(
    pairs: Cooccurrence,
    max_clusters: int = 16,
    max_beta: float = 1_000.0,
    seed=0,
    progress: Callable[[int, int, str], None] | None = None,
) -> Annealing:
    """Raise beta from one cluster to `max_clusters`, splitting each cluster where it becomes unstable.

    As each centroid weighs the same whatever its mass, a split pulls nouns from other clusters: the
    number of clusters can skip values, or fall again as beta rises.

    Parameters
    ----------
    progress : called with splits so far, `max_clusters`, and what is happening; it may raise to cancel

    >>> from .counts import made
    >>> course = anneal(made(), max_clusters=6)
    >>> course.plateau()
    4
    """
    if not 2 <= max_clusters <= MOST_CLUSTERS:
        raise InputError(f"The largest number of clusters must lie between 2 and {MOST_CLUSTERS}, not {max_clusters}.")
    if not 0 < max_beta <= MOST_BETA:
        raise InputError(f"The highest beta must lie between 0 and {MOST_BETA:g}, not {max_beta:g}.")
    with one_thread():
        return _Run(pairs, max_clusters, max_beta, seed, progress).run()


class _State(NamedTuple):
    """Centroids, memberships, critical betas; `origin` is each cluster's number from before this beta."""

    centroids: np.ndarray
    log_p: np.ndarray
    energy: float
    origin: tuple
    critical: np.ndarray
    direction: np.ndarray

    @property
    def k(self):
        return len(self.origin)

    def criticals(self):
        return zip(self.origin, self.critical, strict=True)

    def unstable(self, beta, room):
        """The unstable clusters, the worst of them where there is not room to split all."""
        worst = np.argsort(self.critical, kind="stable")
        return sorted(c for c in worst[: max(room, 0)] if self.critical[c] <= beta)

    def missed(self, beta, stable):
        """Whether a critical value has been passed by too much: it can fall as beta rises."""
        return any(beta > TOO_FAR * value for number, value in self.criticals() if number in stable)


class _Run:
    def __init__(self, pairs, max_clusters, max_beta, seed, progress):
        self.space, self.result = Space(pairs), Annealing(pairs)
        self.max_clusters, self.max_beta, self.seed = max_clusters, max_beta, seed
        self.progress = progress or (lambda done, total, what: None)

    def run(self) -> Annealing:
        state, last = self.settled(1.0, self.space.single(), (0,)), None
        before = beta = min(state.critical[0] / 2, self.max_beta)
        stable = {0}
        self.result.clusters[0] = Cluster(0, None, float(beta))
        while True:
            settled = self.settled(beta, state.centroids, state.origin, state.direction)
            while beta > 1.01 * before and settled.k == state.k and settled.missed(beta, stable):
                beta = np.sqrt(before * beta)
                settled = self.settled(beta, state.centroids, state.origin, state.direction)
            state, attempted = self.split_all(beta, settled, stable)
            snapshot = self.snapshot(beta, state)
            if last is not None and last.k != state.k:
                self.result.snapshots.append(last)
            last, low = snapshot, float(state.critical.min())
            self.result.steps.append(Step(float(beta), state.k, state.energy, low))
            if state.k >= self.max_clusters or beta >= self.max_beta:
                break
            stable = {number for number, value in state.criticals() if value > beta}
            ahead = BEYOND * state.critical[state.critical > beta].min(initial=np.inf)
            before, beta = (
                beta,
                min(beta * (RETRY if attempted or low <= beta else STEP), ahead, self.max_beta),
            )
        self.result.snapshots.append(last)
        self.name_nearest()
        return self.result

    # ---- one beta ------------------------------------------------------------------------------

    def settled(self, beta, centroids, origin, start=None, haste=1.0) -> _State:
        """Let memberships and centroids settle, taking centroids that come close for one."""
        while True:
            centroids, log_p, energies = self.space.settle(beta, centroids, haste, lambda k: self.report(beta, k))
            near = cdist(*[np.exp(centroids)] * 2, "cityblock") < NEAR
            first = near.argmax(axis=1)  # the first centroid that is near: itself, unless an earlier one is
            kept = np.flatnonzero(first == np.arange(len(first)))
            if len(kept) == len(first):
                break
            centroids, origin, start = centroids[kept], tuple(origin[c] for c in kept), None
        critical, direction = self.space.critical(log_p, centroids, start, self.seed)
        return _State(centroids, log_p, energies[-1], origin, critical, direction)

    def split_all(self, beta, state, stable) -> tuple[_State, bool]:
        """Split whatever is unstable at this beta, and what becomes so; say whether there was anything."""
        reasons, attempted, before = {}, False, state
        while unstable := state.unstable(beta, self.max_clusters - state.k):
            for c in unstable:
                ready = state.origin[c] in stable and not attempted
                reasons.setdefault(state.origin[c], (float(state.critical[c]), ready))
            attempted = True
            after = self.settled(beta, *self.split(state, unstable), haste=HASTE)
            if after.k <= state.k:
                # The halves have found each other, or others, again: keep the better of two equal numbers.
                state = after if after.k == state.k and after.energy < state.energy else state
                break
            state = after
        if attempted:
            state = self.settled(beta, state.centroids, state.origin)
        for number, (critical, ready) in reasons.items():
            if state.origin.count(number) > 1:
                self.result.splits.append(Split(number, float(beta), critical, ready))
        return self.renumbered(beta, before, state), attempted

    def split(self, state, unstable):
        """Part each unstable cluster's nouns along its direction; centroids and origins of what comes out."""
        q = self.space.roots(state.log_p)
        columns, origin = [], []
        for c, number in enumerate(state.origin):
            column = state.log_p[:, c]
            if c in unstable:
                # divided by q, the direction has mean 0 and variance 1 under p(n|c)
                score = np.divide(state.direction[:, c], q[:, c], out=np.zeros(len(q)), where=q[:, c] > 0)
                columns += [column + log_expit(score), column + log_expit(-score)]
                origin += [number, number]
            else:
                columns.append(column)
                origin.append(number)
        return self.space.centre(np.column_stack(columns)), tuple(origin)

    def report(self, beta, k):
        self.progress(k - 1, self.max_clusters, f"beta {beta:.3g}, {k} cluster{'' if k == 1 else 's'}")

    # ---- what is kept --------------------------------------------------------------------------

    def renumbered(self, beta, before, state) -> _State:
        """Enter what has come and gone at this beta into the tree.

        Each cluster from before goes on as the one that shares most of its nouns; what is left over is a part
        of the cluster that it shares most nouns with.
        """
        clusters = self.result.clusters
        shared = (np.exp(before.log_p) * self.space.weights[:, None]).T @ np.exp(state.log_p)
        heirs = dict(zip(*(side.tolist() for side in linear_sum_assignment(-shared)), strict=True))
        whence = shared.argmax(axis=0)
        whence[list(heirs.values())] = list(heirs)
        numbers = [before.origin[old] for old in whence]
        for number in [c.number for c in clusters.values() if c.ended is None]:
            parts = [new for new, parent in enumerate(numbers) if parent == number]
            if len(parts) != 1:
                clusters[number].ended = float(beta)
            if len(parts) > 1:
                for new in parts:
                    numbers[new] = len(clusters)
                    clusters[numbers[new]] = Cluster(numbers[new], number, float(beta))
        return state._replace(origin=tuple(numbers))

    def snapshot(self, beta, state) -> Snapshot:
        n_nouns, n_verbs = self.space.shape
        log_p, centroids = np.full((n_nouns, state.k), -np.log(state.k)), np.full((state.k, n_verbs), -np.inf)
        log_p[self.space.present], centroids[:, self.space.seen] = state.log_p, state.centroids
        return Snapshot(float(beta), log_p, centroids, state.energy, state.critical, state.origin)

    def name_nearest(self, most: int = 12):
        nouns, named = self.result.pairs.nouns, set()
        for snapshot in reversed(self.result.snapshots):
            distance = self.space.distances(snapshot.log_centroids[:, self.space.seen])
            labels = snapshot.labels()[self.space.present]
            for c, number in enumerate(snapshot.clusters):
                if number not in named:
                    named.add(number)
                    order = [i for i in np.argsort(distance[:, c], kind="stable") if labels[i] == c][:most]
                    self.result.clusters[number].nearest = tuple(nouns[self.space.present[i]] for i in order)
