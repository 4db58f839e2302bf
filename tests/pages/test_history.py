"""Undo and redo."""

from hypothesis import given
from hypothesis import strategies as some

from pages.ui.history import LONGEST, History


def test_steps_back_and_forth():
    steps = History("a")
    assert (steps.now, steps.before, steps.label, steps.can_undo, steps.can_redo) == ("a", None, "", False, False)
    steps.do("b", "to b")
    steps.do("c", "to c")
    assert (steps.now, steps.before, steps.label) == ("c", "b", "to c")
    steps.undo()
    assert (steps.now, steps.before, steps.label, steps.label_ahead) == ("b", "a", "to b", "to c")
    steps.redo()
    assert (steps.now, steps.label_ahead, steps.can_redo) == ("c", "", False)


def test_a_new_step_forgets_what_was_undone():
    steps = History("a")
    steps.do("b", "")
    steps.undo()
    steps.do("c", "")
    assert not steps.can_redo
    steps.redo()
    assert steps.now == "c"
    steps.undo()
    assert steps.now == "a"


def test_undo_and_redo_at_the_ends_change_nothing():
    steps = History("a")
    steps.undo()
    steps.redo()
    assert (steps.now, steps.version) == ("a", 0)


def test_the_version_rises_unless_the_grid_shows_the_step_already():
    steps = History("a")
    steps.do("b", "typed", silently=True)
    assert steps.version == 0
    steps.do("c", "example")
    steps.undo()
    steps.redo()
    assert steps.version == 3


def test_it_forgets_the_oldest():
    steps = History(0)
    for value in range(1, 3 * LONGEST):
        steps.do(value, str(value))
    back = 0
    while steps.can_undo:
        steps.undo()
        back += 1
    assert back == LONGEST - 1
    assert steps.now == 2 * LONGEST
    assert not steps.can_undo


@given(some.lists(some.sampled_from(["do", "undo", "redo"]), max_size=60))
def test_it_behaves_like_two_stacks(actions):
    steps, past, now, future = History(0), [], 0, []
    for number, action in enumerate(actions, 1):
        if action == "do":
            past, now, future = [*past, now], number, []
            steps.do(number, f"step {number}")
        elif action == "undo":
            if past:
                future, now, past = [now, *future], past[-1], past[:-1]
            steps.undo()
        else:
            if future:
                past, now, future = [*past, now], future[0], future[1:]
            steps.redo()
        assert (steps.now, steps.can_undo, steps.can_redo) == (now, bool(past), bool(future))
        assert steps.before == (past[-1] if past else None)
        assert steps.label == (f"step {now}" if now else "")
