"""The command line: `referee …`. A command's module is imported when it is called, not before."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from typer.exceptions import TyperException
from typer.main import get_command

from referee.cli.commands import LazyGroup
from referee.cli.completion import VARIABLE
from referee.cli.session import CONFIG
from referee.errors import RefereeError
from referee.text import did_you_mean

FAILED: Final = 2
"""Exit status when something is wrong that whoever runs the referee can put right."""

BROKEN: Final = 3
"""Exit status when the fault is the referee's own."""

SELDOM: Final = (50_000, 20, 20)
"""How rarely garbage is looked for: imports make objects by the hundred thousand and no garbage."""

LONGEST: Final = 4000
"""Characters a word of a command line may have."""

LONGEST_SHOWN: Final = 80
"""Characters of a word or a file's name that an error repeats."""

app = typer.Typer(cls=LazyGroup, rich_markup_mode=None, add_completion=False, no_args_is_help=True)


@app.callback()
def program(
    config: Annotated[
        Path | None,
        typer.Option("--config", help="The referee.toml to use.", metavar="FILE"),
    ] = None,
) -> None:
    """Referee for slow board games that are played by email."""
    CONFIG.set(config)


def main() -> None:
    """Run the program: an error is one line that says what to do, never a traceback.

    ``REFEREE_TRACEBACK=1`` shows where an error of the referee itself came from.
    """
    usual = gc.get_threshold()
    # A sixth of every start went into looking for garbage that is not there.
    gc.set_threshold(*SELDOM)
    try:
        if VARIABLE in os.environ:
            _learn_shells()
        sys.exit(_run(config_first(_readable(sys.argv[1:]))))
    except RefereeError as error:
        if os.environ.get("REFEREE_TRACEBACK") and error.__cause__ is not None:
            raise
        for line in str(error).splitlines():
            sys.stderr.write(f"referee: {line}\n")
        sys.exit(FAILED)
    except Exception as error:
        if os.environ.get("REFEREE_TRACEBACK"):
            raise
        if isinstance(error, OSError) and error.filename is not None:
            name = str(error.filename)[:LONGEST_SHOWN]
            sys.stderr.write(f"referee: {' '.join(name.split())}: {error.strerror}\n")
            sys.exit(FAILED)
        what = " ".join(f"{type(error).__name__}: {error}".split())
        advice = "a fault of the referee; REFEREE_TRACEBACK=1 shows where"
        sys.stderr.write(f"referee: {what} ({advice})\n")
        sys.exit(BROKEN)
    finally:
        gc.set_threshold(*usual)


def _readable(arguments: list[str]) -> list[str]:
    """Return the arguments of a command line. Raises RefereeError if one can mean nothing here.

    Bytes that are no UTF-8 come as half characters, which can be neither kept nor printed.
    """
    for each in arguments:
        if len(each) > LONGEST:
            shown = each[:LONGEST_SHOWN]
            raise RefereeError(f"{shown!a} … is too long: a word has at most {LONGEST} characters")
        if any(letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in each):
            shown = each.encode(errors="replace").decode().replace("\0", "?")[:LONGEST_SHOWN]
            raise RefereeError(f"{shown} cannot be read: write it in UTF-8")
    return arguments


def _run(arguments: list[str]) -> int:
    """Run a command and return its exit status."""
    try:
        status = get_command(app)(args=arguments, prog_name="referee", standalone_mode=False)
    except typer.Abort:
        raise RefereeError("stopped: nothing further was done") from None
    except TyperException as error:
        sys.stderr.write(f"{_misread(error)}\n")
        return FAILED
    return status if isinstance(status, int) else 0


def _misread(error: Any) -> str:
    """Return in one line what is wrong with a command line, and where its help is.

    A group without a command is answered with its help, which is that.
    """
    message, context = error.format_message(), getattr(error, "ctx", None)
    if context is None:
        return f"referee: {message}"
    if message == context.get_help():
        return str(message)
    what = " ".join(message.split()).rstrip(".")
    wrong = getattr(error, "option_name", "")
    known = [name for each in context.command.params for name in each.opts]
    if wrong and wrong not in known:
        what = error.message + did_you_mean(wrong, [*known, "--help"])
    return f"referee: {what} (see {context.command_path} --help)"


def _learn_shells() -> None:
    """Let the library answer the shells; it does so by itself only for options of its own."""
    # It would break what a command does into lines as wide as the terminal, and fish takes each
    # line for a name.
    os.environ["COLUMNS"] = "1000"
    import_module("typer.completion").completion_init()


def config_first(arguments: list[str]) -> list[str]:
    """Return the arguments with ``--config FILE`` moved to the front, wherever it was written."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    for number, each in enumerate(arguments[:end]):
        width = 2 if each == "--config" else 1 if each.startswith("--config=") else 0
        if width:
            rest = arguments[:number] + arguments[number + width :]
            return arguments[number : number + width] + rest
    return arguments
