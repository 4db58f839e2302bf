"""Find a Chromium for the browser tests, or get one: python -m tests.browser.get_browser."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

from playwright.sync_api import sync_playwright

NO_BROWSER = """
    ########################################################################
    #  NO BROWSER: the tests in tests/browser cannot run.                  #
    #  Install one (Debian: apt-get install chromium libatomic1), or name  #
    #  one: make test CHROMIUM=/path/to/chromium                           #
    #  If there is one: does .venv/bin/python -m playwright --version run? #
    ########################################################################
"""


def under_ci() -> bool:
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


def find_browser() -> str | None:
    """The first browser that starts, or None; None too if playwright, which drives it, does not start."""
    if not _runs(sys.executable, "-m", "playwright", "--version"):
        return None
    return next((path for path in _candidates() if _runs(path, "--version")), None)


def _candidates() -> Iterator[str]:
    if chosen := os.environ.get("CHROMIUM"):
        yield chosen
        return  # a browser asked for by name is not silently replaced by another
    yield "/usr/bin/chromium"
    for name in ("chromium", "google-chrome", "google-chrome-stable", "chromium-browser"):
        if path := shutil.which(name):
            yield path
    with sync_playwright() as playwright:
        yield playwright.chromium.executable_path


def _runs(*command: str) -> bool:
    # A file is not enough: Ubuntu's chromium-browser may be a stub, and a download may lack libraries.
    try:
        return subprocess.run(command, capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def install_browser() -> None:
    """Try Debian's chromium where we may install it, then playwright's own download."""
    may_install = hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None
    if may_install:
        print("Installing chromium for the browser tests with apt-get.", flush=True)
        apt = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300"]
        # libatomic1 is for playwright's driver, the font for text in charts: a bare Debian has neither.
        packages = ["chromium", "libatomic1", "fonts-dejavu-core"]
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run([*apt, "update"], env=environment)
        subprocess.run([*apt, "install", "-y", "--no-install-recommends", *packages], env=environment)
        if find_browser():
            return
    print("Downloading a browser for the browser tests with playwright.", flush=True)
    libraries = ["--with-deps"] if may_install else []
    subprocess.run([sys.executable, "-m", "playwright", "install", *libraries, "chromium"])


def main() -> int:
    if find_browser() is None and not os.environ.get("CHROMIUM"):
        install_browser()
    if find_browser() is None:
        print(NO_BROWSER, file=sys.stderr, flush=True)
        return 1 if under_ci() else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
