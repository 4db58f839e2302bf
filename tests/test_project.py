"""The project's frame: what is installed, what imports what, and what a file may be."""

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.benchmarks.__main__ import cells, seconds, table

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("app.py", "pages", "evalcore", "tests", ".streamlit", ".ci")
FRAME = ("Makefile", "pyproject.toml", "requirements.txt", "README.md", "LICENSE")


def project_files(*rooms: str) -> list[Path]:
    found = []
    for room in rooms:
        path = ROOT / room
        found += [path] if path.is_file() else path.rglob("*")
    return [path for path in found if path.is_file() and "__pycache__" not in path.parts]


IMPORT_ALL = """
import importlib, pkgutil, sys, evalcore
for module in pkgutil.walk_packages(evalcore.__path__, "evalcore."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def test_evalcore_imports_only_its_dependencies():
    done = subprocess.run([sys.executable, "-c", IMPORT_ALL], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    imported = set(done.stdout.split())
    assert {"evalcore", "numpy"} <= imported
    # scikit-learn is for the dashboard: code that needs it imports it when called
    assert imported.isdisjoint({"streamlit", "plotly", "sklearn", "pages", "app"})


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> zipfile.ZipFile:
    source = tmp_path_factory.mktemp("source")
    for name in FRAME:
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "evalcore", source / "evalcore", ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "."]
    subprocess.run(command, cwd=source, check=True)
    (built,) = source.glob("measure_lab-*.whl")
    return zipfile.ZipFile(built)


def test_the_wheel_holds_all_of_evalcore_and_nothing_else(wheel):
    packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert packed == {path.relative_to(ROOT).as_posix() for path in project_files("evalcore")}


def test_the_wheel_needs_only_numpy_scipy_and_pandas(wheel):
    (metadata,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    needed = re.findall(r"^Requires-Dist: (\w+)", wheel.read(metadata).decode(), flags=re.MULTILINE)
    assert sorted(needed) == ["numpy", "pandas", "scipy"]


def test_files_fit_in_the_head():
    lengths = {
        path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in project_files(*ROOMS)
        if path.suffix in (".py", ".js")
    }
    assert {name: length for name, length in lengths.items() if length > 400} == {}


MACHINE_PATH = re.compile(r"(?<![\w.:/-])/(?:work|tmp|root|home|Users)/\w")


def test_no_path_of_one_machine_in_any_file():
    assert MACHINE_PATH.search("read " + "/".join(["", "home", "someone", "keys"]))  # the pattern can match
    offenders = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in project_files(*ROOMS, *(name for name in FRAME if (ROOT / name).exists()))
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if MACHINE_PATH.search(line)
    ]
    assert offenders == []


def test_versions_are_pinned():
    for path in (ROOT / "requirements.txt", ROOT / "tests" / "requirements.txt"):
        lines = [line for line in path.read_text().splitlines() if line and not line.startswith(("#", "-r"))]
        assert lines and all(re.fullmatch(r"[\w-]+==[\d.]+", line) for line in lines)


def test_benchmark_table():
    assert [seconds(value) for value in (2.5, 0.0123456, 4.2e-6, None)] == [
        "2.50 s", "12.3 ms", "4.20 us", "-"
    ]  # fmt: skip
    rows = [cells("AMI", 0.002, "scikit-learn", 3.0, "50 x"), cells("BUB, N = 10,000", 0.05, "", None, "")]
    assert table(rows).splitlines() == [
        "what                ours  peer          peer's      ratio  target",
        "AMI              2.00 ms  scikit-learn  3.00 s  1,500.0 x  50 x",
        "BUB, N = 10,000  50.0 ms                     -          -",
    ]
