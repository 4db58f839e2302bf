"""How fast the core is beside its peers, measured in one run: python -m tests.benchmarks.

Each bench_*.py here has a function rows() that yields, one after another,

    (what, our seconds, the peer's name, the peer's seconds or None, the target in words)
"""
