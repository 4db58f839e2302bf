"""A real browser, and Streamlit servers for it to visit."""

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.get_browser import NO_BROWSER, find_browser, under_ci

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = Path(__file__).resolve().parent
START_LIMIT = 60  # seconds until a server must answer


@pytest.hookimpl(tryfirst=True)  # before -m selects
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")


# --- servers


@dataclass
class Server:
    """One `streamlit run`, with its output kept in a file for the report of a failing test."""

    script: Path
    log: Path
    url: str = ""
    process: subprocess.Popen | None = field(default=None, repr=False)

    def start(self) -> str:
        port = _free_port()
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "streamlit", "run", str(self.script), "--server.headless", "true",
                   "--server.address", "127.0.0.1", "--server.port", str(port)]  # fmt: skip
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output,
                                            stderr=subprocess.STDOUT)  # fmt: skip
        self._wait_until_healthy()
        return self.url

    def _wait_until_healthy(self) -> None:
        give_up = time.monotonic() + START_LIMIT
        while time.monotonic() < give_up and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=5):
                    return
            except OSError:
                time.sleep(0.05)
        self.stop()
        pytest.fail(f"streamlit run {self.script} did not come up:\n{self.log.read_text()}", pytrace=False)

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


SERVERS = pytest.StashKey[list[Server]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    """Show the servers' logs with a failure: the page itself tells visitors nothing about an exception."""
    report = yield
    if report.failed:
        for server in item.config.stash.get(SERVERS, []):
            text = server.log.read_text(errors="replace")[-6000:]
            report.sections.append((f"log of {server.script.name} at {server.url}", text))
    return report


@pytest.fixture(scope="session")
def _start_server(tmp_path_factory, pytestconfig) -> Iterator[Callable[[Path], Server]]:
    running = pytestconfig.stash.setdefault(SERVERS, [])
    logs = tmp_path_factory.mktemp("servers")

    def start(script: str | Path) -> Server:
        server = Server((ROOT / script).resolve(), logs / f"{len(list(logs.iterdir()))}.log")
        server.start()
        running.append(server)
        return server

    yield start
    for server in running:
        server.stop()


@pytest.fixture(scope="session")
def serve(_start_server) -> Callable[..., str]:
    """serve("app.py") -> base URL of a server of that script, started once and shared by all tests."""
    urls: dict[Path, str] = {}

    def url_of(script: str | Path = "app.py") -> str:
        path = (ROOT / script).resolve()
        if path not in urls:
            urls[path] = _start_server(path).url
        return urls[path]

    return url_of


@pytest.fixture
def fresh_server(_start_server, pytestconfig) -> Iterator[Callable[..., str]]:
    """fresh_server("app.py") -> base URL of a server that nobody has visited; it ends with the test."""
    mine: list[Server] = []

    def url_of(script: str | Path = "app.py") -> str:
        mine.append(_start_server(script))
        return mine[-1].url

    yield url_of
    for server in mine:
        server.stop()
        pytestconfig.stash[SERVERS].remove(server)


# --- the browser


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = find_browser()
    if path is None:
        (pytest.fail if under_ci() else pytest.skip)("no browser to be found: see `make test`")
    expect.set_options(timeout=15_000)  # a busy machine needs longer than playwright's 5 s
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=["--disable-gpu", "--disable-quic", "--disable-component-update", "--disable-sync"],
        )
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """new_page(color_scheme="dark", ...) -> a page in a browser context of its own, without any history."""
    contexts = []

    def open_page(**options) -> Page:
        context = chromium.new_context(**{"viewport": {"width": 1440, "height": 900}} | options)
        contexts.append(context)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def browser_page(new_page) -> Page:
    """A fresh page, 1440 x 900."""
    return new_page()


@pytest.fixture(scope="session")
def axe() -> Callable[[Page], list[dict]]:
    """axe(page) -> the accessibility rules that the page breaks, each with the elements that break it."""
    return lambda page: Axe().run(page).response["violations"]


def pytest_terminal_summary(terminalreporter) -> None:
    """The last thing to be seen must be that the browser tests did not run."""
    skipped = [report for report in terminalreporter.getreports("skipped") if "browser" in report.keywords]
    if skipped and find_browser() is None:
        terminalreporter.write_line(NO_BROWSER, red=True, bold=True)
