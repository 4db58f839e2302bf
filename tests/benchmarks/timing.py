"""The clock of all benchmarks."""

import time
from collections.abc import Callable


def best_of(call: Callable[[], object], times: int) -> float:
    """Seconds of the fastest of several calls: what the machine can do when nothing else is in the way."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best
