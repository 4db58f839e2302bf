"""Entropy estimates against sample size: simulated, the best by size and skew, and with a wrong support.

Exact curves of linear estimators are in `evalcore.bias`; what is here has the same columns.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..bias import bias_table, zipf
from ..entropy import entropy, expectation, moments
from ..entropy import resolve as resolve_estimator
from ..errors import InputError

MOST_REPETITIONS = 10_000
MOST_COUNTS = 200_000_000  # outcomes drawn in one run: repetitions x sizes x outcomes
CHUNK = 400_000  # outcomes drawn between two reports of progress
CRITERIA = ("bias", "rmse")

Progress = Callable[[int, int, str], None]  # done, total, what is being done; may raise to cancel


def sample_sizes(first: int, last: int, points: int = 40) -> list[int]:
    """Sample sizes from first to last, about evenly spaced on a log axis, none twice.

    >>> sample_sizes(2, 50, 8)
    [2, 3, 5, 8, 13, 20, 32, 50]
    """
    if not 1 <= first <= last:
        raise InputError(f"Sample sizes go from at least 1 upwards, not from {first} to {last}.")
    return np.unique(np.round(np.geomspace(first, last, points)).astype(int)).tolist()


def simulated_table(
    p,
    sizes,
    estimators=("ML",),
    repetitions: int = 1000,
    seed: int = 0,
    support: int | None = None,
    base: float = math.e,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """As `bias_table`, for any estimators and by simulation; each figure has its standard error beside it.

    Samples of one size are the same for all estimators and depend on seed and size alone. `support` is what
    the estimators are told; None lets each sample tell them how many outcomes were seen.

    >>> row = simulated_table(zipf(10, 0), [10], ["ML"], seed=1, support=10).iloc[0]
    >>> bool(abs(row["bias"] - -0.533) < 4 * row["mean_error"])
    True
    """
    p = np.asarray(p, dtype=float)
    p = p[p > 0] / p.sum()
    if not 2 <= repetitions <= MOST_REPETITIONS:
        raise InputError(f"A simulation takes 2 to {MOST_REPETITIONS:,} repetitions, not {repetitions}.")
    if repetitions * len(sizes) * len(p) > MOST_COUNTS:
        raise InputError(
            f"{repetitions:,} repetitions at {len(sizes)} sample sizes of {len(p):,} outcomes are too many: "
            f"their product may be {MOST_COUNTS:,}."
        )
    names = [resolve_estimator(estimator).name for estimator in estimators]
    unit, truth = math.log(base), float(-(p * np.log(p)).sum())
    at_once = max(1, CHUNK // len(p))
    rows, done, total = [], 0, len(sizes) * repetitions * len(names)
    for size in sizes:
        rng = np.random.default_rng([seed, size])
        estimates = np.empty((len(names), repetitions))
        for start in range(0, repetitions, at_once):
            part = slice(start, min(start + at_once, repetitions))
            counts = rng.multinomial(size, p, size=part.stop - part.start)
            for row, name in enumerate(names):
                if progress:
                    progress(done, total, f"drawing samples of {size:,} for {name}")
                estimates[row, part] = entropy(counts, name, support)
                done += len(counts)
        rows += [
            (size, name, truth / unit, *_moments(x / unit, truth / unit))
            for name, x in zip(names, estimates, strict=True)
        ]
    if progress:
        progress(total, total, "drawn")
    return pd.DataFrame(
        rows,
        columns=[
            "n",
            "estimator",
            "truth",
            "mean",
            "bias",
            "sd",
            "rmse",
            "mean_error",
            "sd_error",
            "rmse_error",
        ],
    )


def _moments(x, truth):
    """Mean, bias, sd and RMSE of simulated values; standard errors of mean, sd and RMSE (delta method)."""
    r, mean = len(x), float(x.mean())
    centred, squared = (x - mean) ** 2, (x - truth) ** 2
    sd, rmse = float(np.sqrt(centred.sum() / (r - 1))), float(np.sqrt(squared.mean()))
    root = math.sqrt(r)
    return (
        mean,
        mean - truth,
        sd,
        rmse,
        sd / root,
        float(centred.std()) / (2 * sd * root) if sd else 0.0,
        float(squared.std()) / (2 * rmse * root) if rmse else 0.0,
    )


def support_table(p, n: int, supports, estimators=("BUB",), base: float = math.e) -> pd.DataFrame:
    """Exact moments at one sample size when the estimators are told each of these numbers of outcomes.

    >>> support_table(zipf(10, 0), 50, [10, 100])["bias"].round(3).tolist()
    [-0.014, 0.078]
    """
    parts = [bias_table(p, [n], estimators, support, base).assign(support=support) for support in supports]
    return pd.concat(parts, ignore_index=True)


@dataclass(frozen=True)
class WinnerMap:
    """The estimator with the least |bias| or RMSE for each skew (rows) and sample size (columns)."""

    by: str
    estimators: tuple[str, ...]
    skews: tuple[float, ...]
    sizes: tuple[int, ...]
    loss: np.ndarray  # (estimators, skews, sizes): |bias| or RMSE
    error: np.ndarray  # its standard error, 0 where it is exact

    @property
    def winner(self) -> np.ndarray:
        """Position of the winner in `estimators`."""
        return self.loss.argmin(axis=0)

    @property
    def margin(self) -> np.ndarray:
        """How much worse the second is; infinite where there is none."""
        if len(self.estimators) == 1:
            return np.full(self.loss.shape[1:], np.inf)
        best, second = np.partition(self.loss, 1, axis=0)[:2]
        return second - best

    @property
    def decided(self) -> np.ndarray:
        """Whether the margin is more than two standard errors of what was simulated."""
        return (
            self.margin > 2 * np.sqrt((self.error**2).sum(axis=0))
            if self.error.any()
            else np.ones(self.winner.shape, dtype=bool)
        )

    def to_frame(self) -> pd.DataFrame:
        """One row for each cell."""
        skew, size = (x.ravel() for x in np.meshgrid(self.skews, self.sizes, indexing="ij"))
        frame = pd.DataFrame(
            {
                "skew": skew,
                "n": size,
                "winner": np.array(self.estimators)[self.winner.ravel()],
                "margin": self.margin.ravel(),
                "decided": self.decided.ravel(),
            }
        )
        for name, values in zip(self.estimators, self.loss, strict=True):
            frame[f"{self.by} {name}"] = values.ravel()
        return frame


def winner_map(
    support: int,
    sizes,
    skews,
    estimators=("ML", "MM", "JK", "BUB"),
    by: str = "bias",
    repetitions: int = 200,
    seed: int = 0,
    base: float = math.e,
    progress: Progress | None = None,
) -> WinnerMap:
    """Who is closest to the entropy of a Zipf distribution, by its exponent and the sample size.

    Linear estimators are exact; the others are simulated. All are told the true support.

    >>> found = winner_map(10, [10, 50], [0, 4])
    >>> [[found.estimators[i] for i in row] for row in found.winner]
    [['JK', 'MM'], ['JK', 'BUB']]
    """
    if by not in CRITERIA:
        raise InputError(f"The map is by {' or '.join(CRITERIA)}, not by {by!r}.")
    chosen = [resolve_estimator(estimator) for estimator in estimators]
    if not chosen:
        raise InputError("The map needs at least one estimator.")
    loss, error = (np.zeros((len(chosen), len(skews), len(sizes))) for _ in range(2))
    done, total = 0, len(skews) * len(chosen)
    for row, skew in enumerate(skews):
        p = zipf(support, skew)
        for layer, estimator in enumerate(chosen):
            if progress:
                progress(done, total, f"{estimator.name}, Zipf s = {skew:g}")
            if estimator.kind == "linear":
                loss[layer, row] = _exact_loss(p, sizes, estimator, by, support) / math.log(base)
            else:
                inner = progress and (lambda d, t, what, done=done: progress(done + d / t, total, what))
                found = simulated_table(p, sizes, [estimator], repetitions, seed, support, base, inner)
                loss[layer, row] = found[by].abs()
                error[layer, row] = found["mean_error" if by == "bias" else "rmse_error"]
            done += 1
    return WinnerMap(by, tuple(e.name for e in chosen), tuple(map(float, skews)), tuple(map(int, sizes)), loss, error)


def _exact_loss(p, sizes, estimator, by, support):
    if by == "bias":  # the variance costs more than the mean and is not needed
        mean = expectation(p, sizes, estimator, support)
        return np.abs(mean - float(-(p * np.log(p)).sum()))
    return moments(p, sizes, estimator, support).rmse
