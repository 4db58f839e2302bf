"""The registry of measures: one entry a measure, with everything that pages, the command line and exports say about it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from ..errors import InputError

FAMILIES = {
    "information": "Information: functions of the entropies H(C), H(K), H(C,K)",
    "chance": "Information, corrected for chance",
    "pairs": "Pair counting: is each pair of items together or apart in both?",
    "matching": "Matching and overlap: which cluster answers which class?",
    "supervised": "Supervised: clusters mapped to classes on one part, tested on another",
}


@dataclass(frozen=True)
class Measure:
    """A measure: what it is, how to read it, and `compute`, a function of `Statistics`.

    >>> MEASURES["NVI"].higher_is_better
    False
    """

    name: str  # how code and the command line call it
    symbol: str  # short form for tables and strips
    title: str  # in words
    family: str  # key of FAMILIES
    higher_is_better: bool
    range: str  # as a person writes it, under maximum likelihood
    # What an axis spans, (lowest, highest): the range, from 0 up where chance is 0 and few values lie below it; None = grows
    # with the data.
    bounds: tuple[float, float | None]
    formula: str  # LaTeX
    rewards: str  # one sentence: what it rewards, and what to beware of
    convention: str  # what happens where the formula divides by zero
    reference: str
    compute: Callable  # Statistics -> number or array
    needs: str = "entropies"  # "entropies" (any estimator feeds it), "table", or "split" (a mapping and a test part)
    unit: str = ""  # "nats" where the value depends on the base of the logarithm
    whole_counts: bool = False  # NaN on fractional tables
    symmetric: bool = False  # the same when classes and clusters change places
    scale_free: bool = True  # the same when all counts are multiplied by a constant
    chance_corrected: bool = False

    @property
    def arrow(self) -> str:
        return "↑" if self.higher_is_better else "↓"

    @property
    def best(self) -> float | None:
        """The best value, where it does not depend on the data."""
        return self.bounds[1] if self.higher_is_better else self.bounds[0]


MEASURES: dict[str, Measure] = {}


def register(name: str, **facts):
    """Decorator: register the function as the computation of a measure."""

    def add(compute):
        if name in MEASURES:
            raise ValueError(f"measure {name} is registered twice")
        MEASURES[name] = Measure(name=name, compute=compute, **facts)
        return compute

    return add


def resolve(name) -> Measure:
    """The measure of that name; "V(2)" is V with beta = 2.

    >>> resolve("v").name, resolve("V(0.5)").symbol
    ('V', 'V₀.₅')
    """
    if isinstance(name, Measure):
        return name
    text = str(name).strip()
    found = MEASURES.get(text) or _BY_LOWER().get(text.lower())
    if found:
        return found
    weighted = re.fullmatch(r"[Vv]\s*\(\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*\)", text)
    if weighted:
        return _v_with(float(weighted[1]))
    raise InputError(f"There is no measure called {text!r}; the measures are {', '.join(MEASURES)} and V(beta).")


def _BY_LOWER():
    """Names without regard to case, but only where that is not ambiguous (h and H, c and C differ)."""
    names = [name.lower() for name in MEASURES]
    return {lower: measure for lower, measure in zip(names, MEASURES.values()) if names.count(lower) == 1}


def _v_with(beta):
    if not 0 <= beta < float("inf"):
        raise InputError(f"beta in V(beta) must be a number of at least 0, not {beta:g}.")
    plain = MEASURES["V"]
    small = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
    exact = repr(beta).removesuffix(".0")  # the name must lead back to the same beta
    return replace(
        plain,
        name=f"V({exact})",
        symbol="V" + f"{beta:g}".translate(small),
        title=f"V-measure, beta = {beta:g}",
        symmetric=beta == 1,
        compute=lambda s: plain.compute(s.with_estimator(s.estimator, beta=beta)),
    )
