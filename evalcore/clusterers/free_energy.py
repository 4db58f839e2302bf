"""Soft clusters of nouns at one inverse temperature: Pereira, Tishby and Lee (1993); nats.

Membership p(c|n) is proportional to exp(-beta D(p_n || p_c)); a centroid p_c is the mean of its nouns'
distributions p_n over verbs, weighted by the Bayes inverse p(n|c), proportional to p(n) p(c|n). (The paper's
equation 7, read literally, cannot split.) The two steps in turn never raise the free energy
F = -(1/beta) sum_n p(n) log sum_c exp(-beta D(p_n || p_c)).
"""

from collections.abc import Callable

import numpy as np
from scipy import sparse
from scipy.special import logsumexp

from .counts import Cooccurrence
from .lanczos import largest_eigenpairs

# Large tables are multiplied in single precision. Numbers below `small` are left out of products, where they
# would only cost time; probabilities that come out below `tiny` because of that are summed in logarithms.
LARGE = 500_000  # cells
LIMITS = {np.float64: (1e-250, 1e-240), np.float32: (1e-32, 1e-24)}
PATIENCE = {
    np.float64: (1e-5, 1000),
    np.float32: (2e-3, 150),
}  # mean change of a noun's memberships that is none; most steps
FLOOR = -1e6  # a logarithm whose exponential is 0 in any use that is made of it
MEMBER = np.log(1e-6)  # nouns with less of themselves in a cluster cannot part it visibly


class Space:
    """The nouns that have pairs, as points: their distributions over the verbs that occur, and their weights.

    >>> from .counts import made
    >>> space = Space(made(sample_size=1000))
    >>> log_centroids, _, energies = space.settle(1.0, space.single())
    >>> round(float(space.critical(space.expect(1.0, log_centroids)[0], log_centroids)[0][0]), 2)
    1.41
    """

    def __init__(self, pairs: Cooccurrence):
        self.shape = pairs.counts.shape
        self.present, self.seen = np.flatnonzero(pairs.noun_totals), np.flatnonzero(pairs.verb_totals)
        counts = pairs.counts[self.present][:, self.seen].toarray().astype(float)
        totals = counts.sum(axis=1)
        self.weights = totals / totals.sum()
        self.dtype = np.float32 if counts.size > LARGE else np.float64
        self.small, self.tiny = LIMITS[self.dtype]
        self.points = counts / totals[:, None]
        logs = np.log(self.points, out=np.zeros_like(counts), where=counts > 0)
        self.minus_entropy = np.einsum("nv,nv->n", self.points, logs)
        by_verb = sparse.csc_array(self.points)
        self.log_points, self.having, self.ends = np.log(by_verb.data), by_verb.indices, by_verb.indptr
        self.points = self.points.astype(self.dtype)

    def single(self) -> np.ndarray:
        """The logarithm of the one centroid of all nouns."""
        return self.centre(np.zeros((len(self.points), 1)))

    def distances(self, log_centroids: np.ndarray) -> np.ndarray:
        """D(p_n || p_c) of all nouns with pairs and all centroids."""
        return self.minus_entropy[:, None] - self.points @ log_centroids.T.astype(self.dtype)

    def expect(self, beta: float, log_centroids: np.ndarray) -> tuple[np.ndarray, float]:
        """log p(c|n) of all nouns with pairs, and the free energy."""
        log_p = self.distances(log_centroids)
        log_p *= -beta
        largest = log_p.max(axis=1, keepdims=True)
        log_p -= largest
        log_z = np.log(np.exp(log_p).sum(axis=1, keepdims=True))
        log_p -= log_z
        return log_p, float(-(self.weights @ (largest + log_z)[:, 0]) / beta)

    def inverse(self, log_p: np.ndarray) -> np.ndarray:
        """log p(n|c), by Bayes from log p(c|n)."""
        joint = log_p + np.log(self.weights)[:, None]
        return joint - logsumexp(joint, axis=0)

    def centre(self, log_p: np.ndarray) -> np.ndarray:
        """The logarithms of the centroids, all finite: a soft cluster has every verb."""
        log_inverse = self.inverse(log_p)
        inverse = np.exp(log_inverse)
        inverse[inverse < self.small] = 0.0
        centroids = (inverse.T.astype(self.dtype) @ self.points).astype(float)
        with np.errstate(divide="ignore"):
            logs = np.log(centroids)
        lost = np.flatnonzero((centroids < self.tiny).any(axis=0))
        if len(lost):
            logs[:, lost] = self._log_mean(log_inverse, lost)
        return logs

    def _log_mean(self, log_inverse, verbs):
        """log sum_n p(n|c) p_n(v) for these verbs, without leaving logarithms."""
        lengths = self.ends[verbs + 1] - self.ends[verbs]
        starts = np.cumsum(lengths) - lengths
        cells = np.arange(lengths.sum()) + np.repeat(self.ends[verbs] - starts, lengths)
        terms = log_inverse[self.having[cells]] + self.log_points[cells, None]
        largest = np.maximum.reduceat(terms, starts)
        terms -= np.repeat(largest, lengths, axis=0)
        return np.maximum(largest + np.log(np.add.reduceat(np.exp(terms), starts)), FLOOR).T

    def settle(
        self,
        beta: float,
        log_centroids: np.ndarray,
        haste: float = 1.0,
        watch: Callable[[int], None] = lambda clusters: None,
    ) -> tuple[np.ndarray, np.ndarray, list[float]]:
        """The two steps in turn until the memberships change no more; `haste` below 1 stops sooner.

        `watch` is told the number of clusters before each step, and may raise to cancel.
        Each two steps are extrapolated (SQUAREM, Varadhan and Roland 2008), which is taken back
        where the free energy would rise. Returns log centroids, log memberships and the free
        energies on the way.
        """
        tolerance, most = PATIENCE[self.dtype]
        longest, x0 = 4.0, log_centroids
        log_p, energy = self.expect(beta, x0)
        energies = [energy]
        while len(energies) < haste * most:
            watch(len(x0))
            x1 = self.centre(log_p)
            log_p1, energy = self.expect(beta, x1)
            energies.append(energy)
            p = np.exp(log_p1)
            if np.einsum("n,nc->", self.weights, np.abs(p - np.exp(log_p))) < tolerance:
                return x1, log_p1, energies
            x2 = self.centre(log_p1)
            far, length = self._extrapolate(x0, x1, x2, self.weights @ p, longest)
            x0, (log_p, energy) = far, self.expect(beta, far)
            if energy > energies[-1]:
                x0, (log_p, energy) = x2, self.expect(beta, x2)
                longest = max(longest / 4.0, 1.0)
            elif length == longest:
                longest *= 4.0
            energies.append(energy)
        return x0, log_p, energies

    def _extrapolate(self, x0, x1, x2, mass, longest):
        """A point further along the way of three; distances in the Fisher metric of the centroids."""
        first = x1 - x0
        bend = x2 - x1 - first
        metric = mass[:, None] * np.exp(x2)
        length = np.sqrt(np.sum(metric * first**2) / max(np.sum(metric * bend**2), 1e-300))
        length = min(max(length, 1.0), longest)
        far = x0 + 2 * length * first + length**2 * bend
        return far - logsumexp(far, axis=1, keepdims=True), length

    def roots(self, log_p: np.ndarray) -> np.ndarray:
        """The square roots of p(n|c), 0 for nouns that hardly belong to the cluster."""
        return np.exp(np.where(log_p > MEMBER, self.inverse(log_p) / 2, -np.inf))

    def critical(
        self, log_p: np.ndarray, log_centroids: np.ndarray, start: np.ndarray | None = None, seed: int = 0
    ) -> tuple[np.ndarray, np.ndarray]:
        """The beta at which each cluster becomes unstable, and the direction in which its nouns then part.

        It is 1 / the largest eigenvalue of the covariance of the p_n under p(n|c), in the metric 1/p_c: two
        equal copies of the centroid, moved apart by d, come back as beta times that matrix times d. Lanczos'
        method, for all clusters at once, on the nouns' side. `start` holds directions that are close already.
        """
        q = self.roots(log_p)
        centroids = np.exp(log_centroids)
        inverse = np.divide(1.0, centroids, out=np.zeros_like(centroids), where=centroids > self.tiny)

        def apply(y):
            y = q * y
            at_verbs = (y.T.astype(self.dtype) @ self.points - y.sum(axis=0)[:, None] * centroids) * inverse
            return q * (self.points @ at_verbs.T.astype(self.dtype) - np.einsum("cv,cv->c", at_verbs, centroids))

        first = np.random.default_rng(seed).standard_normal(q.shape) / np.sqrt(len(q))
        if start is not None:
            first = 0.3 * first + start
        largest, direction = largest_eigenpairs(apply, first, q)
        critical = np.divide(1.0, largest, out=np.full(len(largest), np.inf), where=largest > 1e-12)
        return critical, direction
