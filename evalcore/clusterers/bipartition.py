"""Dividing one set of nouns in two by simulated annealing, as Li and Abe (1996) do; energies in bits.

The energy of two sides is  -sum f_k(v) log f_k(v) + sum F_k log|C_k| + [neither is empty] price,  where
f_k(v) counts the pairs of side k with verb v, and F_k all its pairs. Moving one noun touches only the noun's
own verbs. The frequency-aware form has F_k log F_k in place of F_k log|C_k|.
"""

from typing import NamedTuple

import numpy as np

TRIALS = 10  # a temperature lasts this many trials a noun; as many without an improvement end the search
COOLING = 0.9
IMPROVEMENT = 1e-6  # bits; less is roundoff
EXHAUSTIVE = 8  # up to this many nouns all divisions are tried: exact, and faster than annealing
GLANCE = 1_000  # cells that can be looked at in the time of one call into numpy, roughly


class Rows(NamedTuple):
    """The non-zero counts of some nouns: noun after noun, and how many each has."""

    verbs: np.ndarray
    counts: np.ndarray
    lengths: np.ndarray

    @property
    def owners(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    def part(self, chosen: np.ndarray) -> "Rows":
        """The nouns marked True."""
        cells = chosen[self.owners]
        return Rows(self.verbs[cells], self.counts[cells], self.lengths[chosen])


class Bipartition:
    """Two sides of a set of nouns, with the change of energy that moving a noun would make.

    Parameters
    ----------
    rows : the nouns' counts
    x_log_x : table of x log2 x, long enough for any verb's total
    n_verbs, price, form : as in the energy above; form is "paper" or "frequency"
    side : 0 or 1 for each noun
    """

    def __init__(self, rows: Rows, x_log_x: np.ndarray, n_verbs: int, price: float, form: str, side: np.ndarray):
        self.x_log_x, self.price, self.form = x_log_x, price, form
        self.side = side.copy()
        self.verbs, self.counts, self.owners = rows.verbs, rows.counts, rows.owners
        self.ends = np.concatenate([[0], np.cumsum(rows.lengths)])
        self.totals = np.bincount(self.owners, weights=rows.counts, minlength=len(side)).astype(float)
        # Both sides' counts of a verb lie side by side, so that `slot ^ 1` is the verb on the other side.
        self.slot = 2 * self.verbs + side[self.owners]
        self.f = np.bincount(self.slot, weights=self.counts, minlength=2 * n_verbs).astype(np.int64)
        self.F = np.bincount(side, weights=self.totals, minlength=2)
        self.sizes = np.bincount(side, minlength=2)

    def energy(self) -> float:
        """The energy, from the beginning."""
        spread = self._spread(self.F, self.sizes).sum()
        return float(spread - self.x_log_x.take(self.f).sum() + self.price * self.sizes.all())

    def _spread(self, F, size):
        """F log|C|, or F log F."""
        return F * np.log2(np.maximum(size if self.form == "paper" else F, 1))

    def changes(self) -> np.ndarray:
        """The change of energy that moving each noun to the other side would make."""
        before = self.x_log_x.take(self.f).reshape(-1, 2).sum(axis=1)
        change = before.take(self.verbs)
        change -= self.x_log_x.take(self.f.take(self.slot) - self.counts)
        change -= self.x_log_x.take(self.f.take(self.slot ^ 1) + self.counts)
        own = np.bincount(self.owners, weights=change, minlength=len(self.side))
        return own + self._spread_changes(self.totals, slice(None))

    def change(self, noun: int) -> float:
        """The same for one noun."""
        cells = slice(self.ends[noun], self.ends[noun + 1])
        slot, counts, table = self.slot[cells], self.counts[cells], self.x_log_x
        here, there = self.f.take(slot), self.f.take(slot ^ 1)
        terms = table.take(here) + table.take(there) - table.take(here - counts) - table.take(there + counts)
        return terms.sum() + self._spread_changes(self.totals[noun], noun)

    def _spread_changes(self, totals, nouns):
        """What the terms in F and |C|, and the price, would change by."""
        a = self.side[nouns]
        spread = self._spread(self.F, self.sizes)
        # opening an empty side pays the price of the split, emptying one saves it
        fixed = self.price * ((self.sizes[::-1] == 0) * 1.0 - (self.sizes == 1)) - spread - spread[::-1]
        if self.form == "frequency":
            return fixed[a] + self._spread(self.F[a] - totals, None) + self._spread(self.F[1 - a] + totals, None)
        fewer, more = np.log2(np.maximum(self.sizes - 1, 1)), np.log2(self.sizes + 1)[::-1]
        fixed += self.F * fewer + self.F[::-1] * more
        return fixed[a] + totals * (more - fewer)[a]

    def move(self, noun: int) -> None:
        cells = slice(self.ends[noun], self.ends[noun + 1])
        slot, counts = self.slot[cells], self.counts[cells]
        self.f[slot] -= counts  # a noun has each verb once, so no slot is met twice
        slot ^= 1
        self.f[slot] += counts
        a = self.side[noun]
        self.side[noun] = b = 1 - a
        total = self.totals[noun]
        self.F[a] -= total
        self.F[b] += total
        self.sizes[a] -= 1
        self.sizes[b] += 1


def anneal(state: Bipartition, rng: np.random.Generator, watch=lambda temperature: None) -> None:
    """Metropolis trials on `state`, at falling temperatures, until nothing has improved for 10 trials a noun.

    The trials are those of the plain algorithm, one noun after another. But while nothing moves, the
    changes of all nouns stay what they are: after a few refusals all are computed at once, and trials
    are looked up until one is accepted.
    """
    n = len(state.side)
    span, patience = TRIALS * n, len(state.counts) // GLANCE
    temperature, idle = 1.0, 0
    while True:
        watch(temperature)
        nouns = rng.integers(0, n, span)
        limits = temperature * rng.exponential(size=span)  # exp(-change / T) > u  means  change < T * exponential
        at = refused = 0
        while at < span:
            if refused < patience:
                change = state.change(nouns[at])
                passed, accepted = 1, change < limits[at]
            else:
                changes = state.changes()
                open_ = changes.take(nouns[at:]) < limits[at:]
                first = int(open_.argmax())
                accepted = bool(open_[first])
                passed = first + 1 if accepted else span - at
                change = changes[nouns[at + first]]
            at, idle, refused = at + passed, idle + passed, refused + passed
            if accepted and idle <= span:
                state.move(nouns[at - 1])
                refused = 0
                if change < -IMPROVEMENT:
                    idle = 0
            if idle >= span:
                return
        temperature *= COOLING


def best_division(rows: Rows, x_log_x: np.ndarray, price: float, form: str) -> np.ndarray:
    """The sides with the least energy, both non-empty, by trying all of them; for a handful of nouns."""
    n = len(rows.lengths)
    codes = np.arange(1, 2 ** (n - 1))
    sides = (codes[:, None] >> np.arange(n)) & 1  # the last noun is always on side 0
    verbs, columns = np.unique(rows.verbs, return_inverse=True)
    counts = np.zeros((n, len(verbs)))
    counts[rows.owners, columns] = rows.counts
    all_ones, totals = counts.sum(axis=0), counts.sum(axis=1)
    ones = sides @ counts
    energy = -(x_log_x.take(ones.astype(np.intp)) + x_log_x.take((all_ones - ones).astype(np.intp))).sum(axis=1)
    F, size = sides @ totals, sides.sum(axis=1)
    for f, m in ((F, size), (totals.sum() - F, n - size)):
        energy += f * np.log2(np.maximum(m if form == "paper" else f, 1))
    return sides[np.argmin(energy + price)]


def divide(
    rows: Rows,
    x_log_x: np.ndarray,
    n_verbs: int,
    price: float,
    form: str,
    rng: np.random.Generator,
    watch=lambda temperature: None,
) -> Bipartition:
    """The nouns in two sides of low energy; one may be empty."""
    n = len(rows.lengths)
    if n <= EXHAUSTIVE:
        return Bipartition(rows, x_log_x, n_verbs, price, form, best_division(rows, x_log_x, price, form))
    state = Bipartition(rows, x_log_x, n_verbs, price, form, rng.integers(0, 2, n))
    anneal(state, rng, watch)
    return state
