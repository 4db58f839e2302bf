"""Measures of how well clusters match classes, in one registry."""

from . import information, matching, pairs, supervised
from .registry import FAMILIES, MEASURES, Measure, resolve

__all__ = ["FAMILIES", "MEASURES", "Measure", "resolve", "information", "matching", "pairs", "supervised"]
