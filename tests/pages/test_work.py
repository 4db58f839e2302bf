"""Long work: it runs once, is remembered, gives its place back, and never more than two at once."""

import threading
import time
from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from evalcore import InputError
from pages.ui import work

PAGE = """
import streamlit as st
from pages.ui import frame, state, work
from tests.pages.test_work import DESK
with frame.page("sample", (state.integer("size", 1, 0, 9),), "Sample") as page:
    st.number_input("Size", 0, 9, key=page.key("size"))
    found = work.run("sample.sum", (DESK.name, page["size"]), lambda progress: DESK.compute(page["size"], progress),
                     label="Add up", what="A moment.", auto=DESK.auto)
    st.text(f"found {found}")
"""
DESK = SimpleNamespace()  # what the page is to do, and what it did


@pytest.fixture(autouse=True)
def desk(request):
    def compute(size, progress):
        DESK.calls.append(size)
        for part in range(3):
            progress(part, 3, f"part {part}")
        return size * 10

    DESK.name, DESK.calls, DESK.compute, DESK.auto = request.node.name, [], compute, False
    yield DESK
    assert free_places() == work.TOGETHER


def free_places() -> int:
    taken = 0
    while work._places().acquire(blocking=False):
        taken += 1
    for _ in range(taken):
        work._places().release()
    return taken


def opened() -> AppTest:
    return AppTest.from_string(PAGE, default_timeout=30).run()


def found(app) -> str:
    return app.text[0].value if app.text else ""


def test_it_waits_to_be_asked_and_then_runs_once(desk):
    app = opened()
    assert found(app) == "found None" and desk.calls == []
    assert [button.label for button in app.button if button.key.startswith("run.")] == ["Add up"]
    assert "A moment." in [text.value for text in app.markdown]
    app.button(key="run.sample.sum").click().run()
    assert found(app) == "found 10" and desk.calls == [1]
    app.run()
    assert found(app) == "found 10" and desk.calls == [1]
    assert not [button for button in app.button if "sample.sum" in button.key]


def test_another_key_waits_again_and_the_first_is_remembered(desk):
    app = opened()
    app.button(key="run.sample.sum").click().run()
    app.number_input(key="sample.size").set_value(4).run()
    assert found(app) == "found None"
    app.button(key="run.sample.sum").click().run()
    assert found(app) == "found 40"
    app.number_input(key="sample.size").set_value(1).run()
    assert found(app) == "found 10" and desk.calls == [1, 4]


def test_other_visitors_get_the_result_at_once(desk):
    opened().button(key="run.sample.sum").click().run()
    assert found(opened()) == "found 10"
    assert desk.calls == [1]


def test_it_starts_by_itself_where_the_page_says_so(desk):
    desk.auto = True
    assert found(opened()) == "found 10"
    assert desk.calls == [1]


@pytest.mark.parametrize("auto", [False, True])
def test_an_exception_gives_the_place_back_and_is_not_repeated_at_every_click(desk, auto):
    def fail(size, progress):
        desk.calls.append(size)
        raise InputError("There is *nothing* to add up.")

    desk.compute, desk.auto = fail, auto
    app = opened()
    if not auto:
        app.button(key="run.sample.sum").click().run()
    assert [error.value.replace("\\", "") for error in app.error] == ["There is *nothing* to add up."]
    assert free_places() == work.TOGETHER
    app.run()
    assert desk.calls == [1] and not app.error
    app.button(key="run.sample.sum").click().run()
    assert desk.calls == [1, 1] and len(app.error) == 1


def test_being_stopped_gives_the_place_back_and_keeps_no_result(desk):
    """Cancelling, leaving and reloading all end in Streamlit stopping the script at a progress report."""
    compute = desk.compute

    def stopped(size, progress):
        progress(0, 3)
        raise StopException

    desk.compute = stopped
    app = opened()
    app.button(key="run.sample.sum").click().run()
    assert free_places() == work.TOGETHER
    desk.compute = compute
    app.run()
    assert found(app) == "found 10"


def test_a_cancelled_one_waits_to_be_asked(desk):
    desk.auto = True
    app = AppTest.from_string(PAGE, default_timeout=30)
    app.session_state["_asked.sample.sum"] = ((desk.name, 1), "cancelled")  # what the Cancel button does
    app.run()
    assert found(app) == "found None" and desk.calls == []
    assert "Cancelled. Nothing was changed." in [text.value for text in app.markdown]
    app.number_input(key="sample.size").set_value(2).run()
    assert found(app) == "found 20"


def test_no_more_than_two_at_once_and_the_same_work_is_not_done_thrice(desk):
    gate, busy, most = threading.Event(), [], []

    def slow(size, progress):
        busy.append(size)
        most.append(len(busy))
        assert gate.wait(20)
        time.sleep(0.05)
        busy.pop()
        desk.calls.append(size)
        return size * 10

    desk.compute, desk.auto = slow, True
    apps = [AppTest.from_string(PAGE, default_timeout=30) for _ in range(5)]
    threads = [threading.Thread(target=app.run) for app in apps]
    for thread in threads:
        thread.start()
    give_up = time.monotonic() + 20
    while len(busy) < work.TOGETHER and time.monotonic() < give_up:
        time.sleep(0.01)
    time.sleep(0.5)  # time enough for a third to start, if it could
    assert len(busy) == work.TOGETHER
    gate.set()
    for thread in threads:
        thread.join(30)
    assert [found(app) for app in apps] == ["found 10"] * 5
    assert max(most) == work.TOGETHER
    assert len(desk.calls) == work.TOGETHER  # those who waited found the result there


def test_old_results_are_forgotten():
    kept = work._Results()
    for key in range(work.KEPT + 5):
        kept.put(key, (key,))
        kept.get(0)  # still looked at
    assert kept.get(0) == (0,)
    assert kept.get(1) is None
    assert kept.get(work.KEPT + 4) == (work.KEPT + 4,)


class Bar:
    def __init__(self):
        self.said = []

    def progress(self, share, text):
        self.said.append((share, text))


def test_progress_says_how_far_and_how_long(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(work.time, "monotonic", lambda: now[0])
    bar = Bar()
    progress = work._reporter(bar)
    progress(0, 10, "trial *1*")
    now[0] += 0.05
    progress(1, 10, "too soon to be drawn")
    now[0] += 2
    progress(2, 10, "trial 2")
    now[0] += 100
    progress(3, 10)
    progress(12, 10, "beyond")
    progress(0, 0, "nothing to do")
    assert bar.said == [
        (0.0, "trial \\*1\\*"),
        (0.2, "trial 2 · about 8 s left"),
        (0.3, "Working · about 4 min left"),
        (1.0, "beyond"),
        (0.0, "nothing to do"),
    ]
