"""Tests of the clusterers."""
