"""The command line as a program: bad input, interruption, closed pipes, old terminals, the progress bar."""

import io
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evalcore.cli import main
from evalcore.progress import ProgressBar

from .command_files import write_files

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_files(tmp_path)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ("frobnicate", "There is no command called 'frobnicate'; the commands are score, matrix, bias, "),
        ("score", "The following arguments are required: FILE"),
        ("score gold.key", "gold.key stands alone; name the systems' keys after the gold key."),
        ("score keys", "keys stands alone; name the systems' keys after the gold key."),
        ("score none.key keys", "none.key does not exist."),
        ("score gold.key none.key", "none.key does not exist."),
        (
            "score gold.key keys/notes.txt",
            "keys/notes.txt, line 1: instance 'a' of 'not' is not in gold.key.",
        ),
        (
            "score keys/mine.key gold.key",
            "gold.key, line 2: instance '1' of 'b' is not in keys/mine.key, and 1 more are not.",
        ),
        (
            "score gold.key labels.csv",
            "labels.csv, line 1: 'item,gold,s,t' stands alone; a line is a word, an instance and senses",
        ),
        ("score gold.key empty", "empty is a folder without *.key files."),
        (
            "score gold.key bad.key",
            "bad.key, line 2: the weight of 'A/high' is not a number of 0 or more.",
        ),
        ("score gold.key bin.key", "bin.key, line 1: byte 0x89 is not UTF-8; save the file as UTF-8 text."),
        ("score gold.key keys --measures V,W", "There is no measure called 'W'; the measures are "),
        ("score gold.key keys --measures ", "There is no measure called ''"),
        ("score gold.key keys --estimators XX", "XX"),
        ("score gold.key keys --soft --estimators NSB", "NSB"),
        ("score gold.key keys --average mean", "Argument --average: invalid choice: 'mean'"),
        ("score gold.key keys --format xml", "Argument --format: invalid choice: 'xml'"),
        ("score gold.key keys --base x", "Argument --base: invalid float value: 'x'"),
        (
            "score gold.key keys --base 1",
            "The base of the logarithm must be a finite number above 1, not 1.0.",
        ),
        ("bias --uniform --support 3 --n 5 --base 0.5", "The base of the logarithm must be a finite number above 1"),
        ("score gold.key keys --nonsense", "Unrecognized arguments: --nonsense"),
        (
            "score gold.key keys --mapping gold.key",
            "There are 1 --mapping and 0 --test keys; they come in pairs.",
        ),
        (
            "score gold.key keys --mapping gold.key --test gold.key",
            "gold.key, line 1: instance '1' is in gold.key too",
        ),
        (
            "score labels.csv --soft",
            "labels.csv is read as a table of labels, where --soft, --average and --mapping have no meaning.",
        ),
        ("score m.csv", "m.csv has 2 columns; it needs at least three"),
        ("matrix labels.csv", "labels.csv, line 2, column 2: 'a' is not a number."),
        ("matrix m.csv none.csv", "none.csv does not exist."),
        ("matrix half.csv --estimators MM", "half: MM needs whole counts"),
        ("bias --support 10 --n 5", "One of the arguments --zipf --uniform --probabilities is required"),
        ("bias --uniform --n 5", "--zipf and --uniform need --support, the number of possible outcomes."),
        ("bias --uniform --support 5 --n 5,x", "--n takes whole numbers separated by commas, not '5,x'."),
        ("bias --uniform --support 5 --n 0", "The sample size must be a whole number of at least 1, not 0."),
        ("bias --uniform --support 0 --n 5", "A distribution has at least one outcome, not 0."),
        (
            "bias --uniform --support 1000000000 --n 5",
            "--support is 1000000000; 100,000 outcomes are the limit.",
        ),
        (
            "bias --uniform --support 5 --n 1000000000",
            "--n goes up to 1000000000; samples of 1,000,000 are the limit.",
        ),
        (
            "bias --zipf nan --support 5 --n 5",
            "Zipf's exponent must be a finite number of at least 0, not nan.",
        ),
        ("bias --probabilities 0.5,0.4 --n 5", "Probabilities must add up to 1, not to 0.9."),
        ("bias --probabilities a --n 5", "--probabilities takes numbers separated by commas, not 'a'."),
        (
            "bias --uniform --support 5 --n 5 --estimators ML,NSB",
            "NSB is not linear, so its bias has no exact form; linear are ML, ",
        ),
    ],
)
def test_bad_input(folder, capsys, arguments, message):
    (folder / "empty").mkdir()
    (folder / "bad.key").write_text("a 1 A\na 2 A/high\n")
    (folder / "bin.key").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    code = main(arguments.split(" "))
    out, err = capsys.readouterr()
    assert code == 2 and out == "" and err.count("\n") == 1
    assert err.startswith("evalcore: ") and message in err


def evalcore(*arguments, **options):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **options.pop("env", {})}
    return subprocess.Popen([sys.executable, "-m", "evalcore", *arguments], env=environment, text=True, **options)


def test_as_a_program(folder):
    with evalcore("score", "gold.key", "nothing\nhere.key", stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        out, err = process.communicate(timeout=60)
    assert process.returncode == 2 and out == "" and err == "evalcore: nothing?here.key does not exist.\n"
    with evalcore("score", "gold.key", "keys", stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0 and err == "" and len(out.splitlines()) == 3


def test_an_old_terminal_gets_no_small_digits(folder):
    with evalcore(
        "score",
        "gold.key",
        "keys",
        "--digits",
        "1",
        stdout=subprocess.PIPE,
        env={"PYTHONIOENCODING": "ascii"},
    ) as process:
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 0 and out.splitlines()[2].split()[:3] == ["theirs", "2.0", "1.0"]


def test_a_reader_that_goes_away(folder):
    read, write = os.pipe()
    os.close(read)
    with evalcore("score", "gold.key", "keys", stdout=write, stderr=subprocess.PIPE) as process:
        os.close(write)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 141 and err == ""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full disk to write to")
def test_a_full_disk(folder):
    with (
        open("/dev/full", "w") as full,
        evalcore("score", "gold.key", "keys", stdout=full, stderr=subprocess.PIPE) as process,
    ):
        _, err = process.communicate(timeout=60)
    assert process.returncode == 1 and err == "evalcore: The output cannot be written: No space left on device.\n"


# seconds of work, in steps of a fraction of one
LONG = "bias", "--zipf", "1", "--support", "20000", "--n", ",".join(str(n) for n in range(1000, 5000, 50))


def wait_for(stream, pattern, seconds=60):
    seen, end = "", time.monotonic() + seconds
    while not re.search(pattern, seen):
        assert time.monotonic() < end, seen
        try:
            seen += os.read(stream, 1000).decode()
        except OSError:  # the program has closed the terminal
            break
    return seen


def test_progress_on_a_terminal_and_interruption(folder):
    terminal, its_end = pty.openpty()
    with evalcore(*LONG, stdout=subprocess.PIPE, stderr=its_end) as process:
        os.close(its_end)
        seen = wait_for(terminal, r"computing \[#* *\] +\d+%, \d+ s left")
        assert process.poll() is None, seen
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    rest = wait_for(terminal, "(?!)")
    os.close(terminal)
    assert process.returncode == 130 and out == "" and "Traceback" not in seen + rest
    assert rest.endswith("\r\x1b[K")  # the bar is wiped away


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_bar(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("evalcore.progress.time.monotonic", lambda: now[0])
    stream = Terminal()
    with ProgressBar("working", stream) as progress:
        progress(1, 10)
        assert stream.getvalue() == ""  # quick work shows no bar
        now[0] += 2
        progress(5, 10)
        assert stream.getvalue() == "\rworking [###############               ]  50%, 2 s left\x1b[K"
        progress(6, 10)
        now[0] += 1
        progress(0, 0)
    assert stream.getvalue().count("working") == 1 and stream.getvalue().endswith("\r\x1b[K")
    file = io.StringIO()
    with ProgressBar("working", file) as progress:
        now[0] += 5
        progress(5, 10)
    assert file.getvalue() == ""
