"""Tests of the entropy estimators."""
