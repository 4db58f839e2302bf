"""A class on one server: thirty sessions of the Matrix lab, each opening a new table about once a second."""

import asyncio
import random
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.ui.state import pack

ROOT = Path(__file__).resolve().parent.parent.parent
SESSIONS, SECONDS = 30, 40


def rows():
    port = _free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true", "--server.port", str(port)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(port)
        asyncio.run(_class(port, 3, 4))  # imports and caches first
        before = _memory(server.pid)
        times = sorted(asyncio.run(_class(port, SESSIONS, SECONDS)))
        grown = _memory(server.pid) - before
    finally:
        server.terminate()
        server.wait()
    yield (
        f"new table to scores, {SESSIONS} sessions, {len(times) / SECONDS:.0f} runs a second, 95th percentile",
        times[int(0.95 * len(times))],
        f"memory grew by {grown:.0f} MB",
        None,
        "tens of ms on a quiet machine",
    )


async def _class(port, sessions, seconds):
    times, stop = [], time.monotonic() + seconds
    await asyncio.gather(*(_student(port, seed, times, stop) for seed in range(sessions)))
    return times


async def _student(port, seed, times, stop):
    rng = random.Random(seed)
    address = f"127.0.0.1:{port}"
    async with websockets.connect(
        f"ws://{address}/_stcore/stream", subprotocols=["streamlit"], max_size=None, origin=f"http://{address}"
    ) as socket_:
        await asyncio.sleep(rng.random())
        while time.monotonic() < stop:
            message = BackMsg()
            message.rerun_script.page_name = "matrix"
            message.rerun_script.query_string = "table=" + pack(
                {"counts": [[rng.randrange(10) for _ in range(10)] for _ in range(10)]}
            )
            start = time.perf_counter()
            await socket_.send(message.SerializeToString())
            while not _finished(await socket_.recv()):
                pass
            times.append(time.perf_counter() - start)
            await asyncio.sleep(0.5 + rng.random())


def _finished(data):
    message = ForwardMsg()
    message.ParseFromString(data)
    return (
        message.WhichOneof("type") == "script_finished" and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
    )


def _memory(pid):
    """Resident memory in MB, where the system tells."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return float("nan")
    return pages * 4096 / 2**20


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait(port):
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server did not start")
