"""Fixtures for all tests."""

from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

# A shared machine may stall any one example; how fast things are is measured in tests/benchmarks.
settings.register_profile("no-deadline", settings(), deadline=None)
settings.load_profile("no-deadline")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Look for tests in test files only: --doctest-modules would import benchmarks and sample apps too."""
    if collection_path.suffix == ".py" and not collection_path.name.startswith("test_"):
        return True
    return None


@pytest.fixture(scope="session")
def semeval() -> Path:
    """The SemEval-2010 keys, which are not part of the project."""
    path = ROOT.parent / "shared" / "data" / "semeval2010"
    if not path.is_dir():
        pytest.skip("the SemEval-2010 keys are not beside the project")
    return path
