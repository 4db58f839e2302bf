"""What Li, Titov and Sporleder (2014) say about their Figures 1 and 2, and what is exactly true."""

from dataclasses import dataclass

import numpy as np

from ..entropy import expectation
from .distributions import zipf

SUPPORT, LAST = 10, 100  # their ten outcomes, and the largest sample they draw
ARTICLE = "Li, Titov and Sporleder 2014, Improved estimation of entropy for evaluation of word sense induction"


@dataclass(frozen=True)
class Claim:
    """That one estimator is less biased than another; `true_at` are the sample sizes where it is."""

    skew: float  # Zipf's exponent; 0 is the uniform distribution
    better: str
    worse: str
    published: bool  # whether the article's text says so; otherwise it is our own observation
    sizes: tuple[int, ...]
    true_at: tuple[int, ...]

    @property
    def distribution(self) -> str:
        return f"Zipf s = {self.skew:g}" if self.skew else "uniform"

    @property
    def verdict(self) -> str:
        """Where it is true, in words."""
        if len(self.true_at) == len(self.sizes):
            return "true throughout"
        if not self.true_at:
            return "nowhere true"
        return "true for N = " + ", ".join(spans(self.true_at))


def spans(numbers) -> list[str]:
    """Runs of neighbouring numbers.

    >>> spans([2, 3, 4, 9, 11, 12])
    ['2–4', '9', '11–12']
    """
    runs = np.split(np.array(numbers), np.flatnonzero(np.diff(numbers) > 1) + 1)
    return [f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]


def published_claims() -> list[Claim]:
    """The claims, judged by exact biases for N = 2 to 100.

    BUB is the one that reproduces their Table 1, and is told the true ten outcomes.

    >>> next(claim.verdict for claim in published_claims() if claim.skew == 4 and claim.better == "BUB")
    'true for N = 20–100'
    """
    sizes = tuple(range(2, LAST + 1))
    bias = {(skew, name): _bias(skew, sizes, name) for skew in range(5) for name in ("ML", "JK", "BUB")}
    said = [(skew, "JK", "ML", True) for skew in range(5)]
    said += [(skew, "JK", "BUB", True) for skew in (0, 1, 2)] + [(skew, "BUB", "JK", True) for skew in (3, 4)]
    said += [(4, "BUB", "ML", False)]
    return [
        Claim(
            skew,
            better,
            worse,
            published,
            sizes,
            tuple(np.array(sizes)[bias[skew, better] < bias[skew, worse]].tolist()),
        )
        for skew, better, worse, published in said
    ]


def _bias(skew, sizes, estimator):
    p = zipf(SUPPORT, skew)
    return np.abs(expectation(p, sizes, estimator, SUPPORT) + (p * np.log(p)).sum())
