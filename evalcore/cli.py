"""The command line: python -m evalcore."""

import argparse
import importlib
import os
import sys

from .errors import InputError

COMMANDS = ("score", "matrix", "bias", "properties", "cluster")  # modules of evalcore/commands
USAGE = """usage: python -m evalcore COMMAND ...

How well clusterings match classes.

{commands}

python -m evalcore COMMAND --help lists the options of a command."""


class Parser(argparse.ArgumentParser):
    """Bad options are bad input: one line, no usage."""

    def error(self, message):
        raise InputError(f"{message[:1].upper()}{message[1:]} ({self.prog} --help says more).")


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit code is 0, 2 on bad input, 130 on Ctrl-C, 1 or 141 if the output is lost."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    try:
        _print(_run(arguments))
        return 0
    except InputError as error:
        print("evalcore:", " ".join(str(error).split()), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        # the output cannot be written; Python must not complain about that again when it closes stdout
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 141
        print(f"evalcore: The output cannot be written: {error.strerror}.", file=sys.stderr)
        return 1


def _run(arguments):
    name, rest = (arguments[0], arguments[1:]) if arguments else ("--help", [])
    if name in ("-h", "--help"):
        return USAGE.format(commands="\n".join(f"  {name:12}{_module(name).SUMMARY}" for name in COMMANDS))
    if name not in COMMANDS:
        raise InputError(f"There is no command called {name!r}; the commands are {', '.join(COMMANDS)}.")
    command = _module(name)
    parser = Parser(prog=f"python -m evalcore {name}", description=command.SUMMARY, allow_abbrev=False)
    command.add_options(parser)
    return command.run(parser.parse_intermixed_args(rest))


def _module(name):
    """The command's module, which is loaded only when it is asked for."""
    return importlib.import_module(f"evalcore.commands.{name}")


def _print(text):
    if hasattr(sys.stdout, "reconfigure"):
        # a name must not stop the output on an old terminal
        sys.stdout.reconfigure(errors="backslashreplace")
    print(text, flush=True)
