"""The registry of entropy estimators: what each is called, says and computes."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

from ..errors import InputError
from . import linear, nonlinear
from .bub import bub
from .nsb import nsb


@dataclass(frozen=True, eq=False)
class Estimator:
    """An entropy estimator, in nats.

    Attributes
    ----------
    name : str
        The key in `ESTIMATORS`.
    label, formula, summary, reference : str
        What people read: full name, LaTeX, one sentence, paper.
    kind : "linear" or "nonlinear"
        A linear estimator is a sum of coefficients a[n_i] over all possible outcomes.
    uses_support : bool
        Whether the estimate depends on the number of possible outcomes, and not only on those seen.
    compute : callable
        Linear: `compute(j, n, support)` gives a_j. Nonlinear: `compute(counts, n, support)` gives one
        estimate for each row of counts.
    shared_coefficients : bool
        Whether a linear estimator's coefficients are the same for every support.
    elementwise : bool
        Whether `compute` of a linear estimator broadcasts over `n` and `support` as well.
    whole_counts : bool
        Whether fractional counts are refused.
    """

    name: str
    label: str
    formula: str
    summary: str
    reference: str
    kind: str
    uses_support: bool
    compute: Callable
    shared_coefficients: bool = True
    elementwise: bool = True
    whole_counts: bool = True


_ALL = [
    Estimator(
        name="ML",
        label="Maximum likelihood (plug-in)",
        formula=r"\hat H = -\sum_i \frac{n_i}{N} \log \frac{n_i}{N}",
        summary="The entropy of the observed frequencies; too low on average, badly so in small samples.",
        reference="Shannon (1948), A mathematical theory of communication",
        kind="linear",
        uses_support=False,
        compute=linear.maximum_likelihood,
        whole_counts=False,
    ),
    Estimator(
        name="MM",
        label="Miller-Madow",
        formula=r"\hat H = \hat H_{ML} + \frac{m_{obs} - 1}{2N}",
        summary="Adds the first-order term of ML's bias; good once every outcome has been seen a few times.",
        reference="Miller (1955), Note on the bias of information estimates",
        kind="linear",
        uses_support=False,
        compute=linear.miller_madow,
    ),
    Estimator(
        name="JK",
        label="Jackknife",
        formula=r"\hat H = N \hat H_{ML} - \frac{N-1}{N} \sum_{t=1}^{N} \hat H_{ML}^{(-t)}",
        summary="Cancels ML's first-order bias by leaving out one observation at a time; good for flat distributions.",
        reference="Zahl (1977), Jackknifing an index of diversity",
        kind="linear",
        uses_support=False,
        compute=linear.jackknife,
    ),
    Estimator(
        name="BUB",
        label="Best upper bound",
        formula=r"\hat H = \sum_{i=1}^{m} a_{n_i},\quad a = \arg\min_a \max_p"
        r"\left(\overline{\mathrm{bias}}^2 + \overline{\mathrm{var}}\right)",
        summary="Chooses the coefficients that bound the worst error for a known number of outcomes; "
        "good for skewed distributions, but a wrong number of outcomes moves it a lot.",
        reference="Paninski (2003), Estimation of entropy and mutual information",
        kind="linear",
        uses_support=True,
        compute=bub,
        shared_coefficients=False,
        elementwise=False,
    ),
    Estimator(
        name="Grassberger",
        label="Grassberger 2003",
        formula=r"\hat H = \log N - \frac1N \sum_i n_i G_{n_i},\quad "
        r"G_n = \psi(n) + \frac{(-1)^n}{2}\left(\psi(\tfrac{n+1}{2}) - \psi(\tfrac n2)\right)",
        summary="Replaces the logarithm of a count by a number with less bias for Poisson counts; "
        "good when many outcomes are seen only a few times.",
        reference="Grassberger (2003), Entropy estimates from insufficient samplings",
        kind="linear",
        uses_support=False,
        compute=linear.grassberger,
    ),
    Estimator(
        name="Zhang",
        label="Zhang",
        formula=r"\hat H = \sum_i \frac{n_i}{N} \left(\psi(N) - \psi(n_i)\right)",
        summary="Estimates without bias the first N - 1 terms of a series for the entropy; "
        "its bias falls exponentially with N.",
        reference="Zhang (2012), Entropy estimation in Turing's perspective",
        kind="linear",
        uses_support=False,
        compute=linear.zhang,
    ),
    Estimator(
        name="Bonachela",
        label="Bonachela, Hinrichsen and Muñoz",
        formula=r"\hat H = \frac{1}{N+2} \sum_{i=1}^{m} (n_i + 1) \sum_{l=n_i+2}^{N+2} \frac1l",
        summary="Balances bias against variance on average over all probabilities; meant for very small samples.",
        reference="Bonachela, Hinrichsen and Muñoz (2008), Entropy estimates of small data sets",
        kind="linear",
        uses_support=True,
        compute=linear.bonachela,
    ),
    Estimator(
        name="Dirichlet",
        label="Dirichlet posterior mean",
        formula=r"\hat H = \sum_{i=1}^{m} \frac{n_i + \alpha}{A} \left(\psi(A+1) - \psi(n_i+\alpha+1)\right),"
        r"\quad A = N + m\alpha",
        summary="The Bayes estimate when every outcome starts with weight alpha (1 unless given); "
        "good only when the distribution is as flat as alpha says.",
        reference="Wolpert and Wolf (1995), Estimating functions of probability distributions "
        "from a finite set of samples",
        kind="linear",
        uses_support=True,
        compute=linear.dirichlet,
        shared_coefficients=False,
    ),
    Estimator(
        name="ChaoShen",
        label="Chao-Shen",
        formula=r"\hat H = -\sum_{n_i>0} \frac{C p_i \log (C p_i)}{1 - (1 - C p_i)^N},\quad "
        r"p_i = \frac{n_i}{N},\ C = 1 - \frac{f_1}{N}",
        summary="Shrinks the frequencies by the estimated coverage and weighs each by its chance to be seen "
        "(f_1 = N - 1 if all were seen once); good when outcomes are many and some unseen.",
        reference="Chao and Shen (2003), Nonparametric estimation of Shannon's index of diversity "
        "when there are unseen species in sample",
        kind="nonlinear",
        uses_support=False,
        compute=nonlinear.chao_shen,
    ),
    Estimator(
        name="ChaoWangJost",
        label="Chao-Wang-Jost",
        formula=r"\hat H = \hat H_{Zhang} + \frac{f_1}{N} (1-A)^{1-N}"
        r"\left(-\log A - \sum_{r=1}^{N-1} \frac{(1-A)^r}{r}\right),\quad "
        r"A = \frac{2 f_2}{(N-1) f_1 + 2 f_2}",
        summary="Adds to Zhang's estimate what the outcomes seen once and twice say about the unseen; "
        "good when many outcomes are rare.",
        reference="Chao, Wang and Jost (2013), Entropy and the species accumulation curve",
        kind="nonlinear",
        uses_support=False,
        compute=nonlinear.chao_wang_jost,
    ),
    Estimator(
        name="Shrinkage",
        label="James-Stein shrinkage",
        formula=r"\hat H = -\sum_{i=1}^{m} q_i \log q_i,\quad "
        r"q_i = \frac{\lambda}{m} + (1-\lambda) p_i,\quad p_i = \frac{n_i}{N},\quad "
        r"\lambda = \min\left(1, \frac{1 - \sum_i p_i^2}{(N-1) \sum_i (1/m - p_i)^2}\right)",
        summary="Pulls the frequencies towards equal ones as far as the data allow; "
        "good for nearly flat distributions.",
        reference="Hausser and Strimmer (2009), Entropy inference and the James-Stein estimator",
        kind="nonlinear",
        uses_support=True,
        compute=nonlinear.shrinkage,
    ),
    Estimator(
        name="NSB",
        label="Nemenman-Shafee-Bialek",
        formula=r"\hat H = \frac{\int \langle H \rangle_\beta\, w(\beta)\, d\beta}{\int w(\beta)\, d\beta},"
        r"\quad w(\beta) = \xi'(\beta) \frac{\Gamma(m\beta)}{\Gamma(N+m\beta)} "
        r"\prod_i \frac{\Gamma(n_i+\beta)}{\Gamma(\beta)},\quad \xi(\beta) = \psi(m\beta+1) - \psi(\beta+1)",
        summary="The Bayes estimate under a prior that is nearly flat in entropy; "
        "good in very small samples when the number of outcomes is known.",
        reference="Nemenman, Shafee and Bialek (2002), Entropy and inference, revisited",
        kind="nonlinear",
        uses_support=True,
        compute=nsb,
    ),
]

ESTIMATORS: dict[str, Estimator] = {estimator.name: estimator for estimator in _ALL}

_BY_LOWER_NAME = {name.lower(): estimator for name, estimator in ESTIMATORS.items()}
_DIRICHLET = re.compile(r"dirichlet\s*\(\s*(\S+?)\s*\)")


def resolve(estimator: str | Estimator) -> Estimator:
    """The estimator called so: a registered name in any case, "Dirichlet(alpha)", or an `Estimator` itself.

    Examples
    --------
    >>> resolve("jk").label
    'Jackknife'
    >>> resolve("Dirichlet(0.5)").name
    'Dirichlet(0.5)'
    """
    if isinstance(estimator, Estimator):
        return estimator
    if isinstance(estimator, str):
        return _by_name(estimator.strip().lower(), estimator)
    raise InputError(f"An estimator is given by its name, not by {estimator!r}.")


@lru_cache(maxsize=256)
def _by_name(key, given):
    if key in _BY_LOWER_NAME:
        return _BY_LOWER_NAME[key]
    match = _DIRICHLET.fullmatch(key)
    if match:
        return _dirichlet(match[1])
    raise InputError(f"Unknown estimator {given!r}; the known ones are {', '.join(ESTIMATORS)}.")


def _dirichlet(text):
    """Dirichlet with the prior weight written in `text`."""
    try:
        alpha = float(text)
    except ValueError:
        alpha = float("nan")
    if not 0 < alpha < float("inf"):
        raise InputError(f"Dirichlet's prior weight must be a positive number, not {text!r}.")
    base = ESTIMATORS["Dirichlet"]
    return Estimator(
        name=f"Dirichlet({repr(alpha).removesuffix('.0')})",  # which leads back to the same weight
        label=f"{base.label}, alpha = {alpha:g}",
        formula=base.formula,
        summary=base.summary,
        reference=base.reference,
        kind=base.kind,
        uses_support=True,
        compute=partial(linear.dirichlet, alpha=alpha),
        shared_coefficients=False,
    )
