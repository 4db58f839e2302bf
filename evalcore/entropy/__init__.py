"""Entropy estimators in nats: registry, coefficients, exact moments, expectations for soft answers."""

from .estimate import coefficients, entropy
from .exact import Moments, expectation, moments
from .registry import ESTIMATORS, Estimator, resolve
from .soft import expected_entropy, expected_triple, poisson_binomial

__all__ = [
    "ESTIMATORS",
    "Estimator",
    "Moments",
    "coefficients",
    "entropy",
    "expectation",
    "expected_entropy",
    "expected_triple",
    "moments",
    "poisson_binomial",
    "resolve",
]
