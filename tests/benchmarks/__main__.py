"""Run all benchmarks, or those named (python -m tests.benchmarks ami batch), and print them as one table."""

import importlib
import sys
import traceback
from pathlib import Path

HEADINGS = ("what", "ours", "peer", "peer's", "ratio", "target")
TO_THE_RIGHT = {1, 3, 4}


def seconds(value: float | None) -> str:
    """A duration to three digits, with its unit."""
    if value is None:
        return "-"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size or unit == "us":
            break
    amount = value / size
    return f"{amount:.{2 if amount < 10 else 1 if amount < 100 else 0}f} {unit}"


def cells(what: str, ours: float, peer: str, peers: float | None, target: str) -> tuple[str, ...]:
    ratio = "-" if peers is None else f"{peers / ours:,.{1 if peers >= ours else 2}f} x"
    return what, seconds(ours), peer, seconds(peers), ratio, target


def table(rows: list[tuple[str, ...]]) -> str:
    """Rows of text as aligned columns under the headings, numbers to the right."""
    rows = [HEADINGS, *rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    return "\n".join(
        "  ".join(
            text.rjust(width) if column in TO_THE_RIGHT else text.ljust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def main(names: list[str]) -> int:
    here = Path(__file__).parent
    names = names or sorted(path.stem.removeprefix("bench_") for path in here.glob("bench_*.py"))
    rows, failed = [], False
    for name in names:
        try:
            for row in importlib.import_module(f"tests.benchmarks.bench_{name}").rows():
                rows.append(cells(*row))
                print(f"{name}: {row[0]}", file=sys.stderr, flush=True)
        except Exception:  # one broken benchmark must not cost the minutes of the others
            traceback.print_exc()
            failed = True
    print(table(rows))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
