"""The command line: ``referee …``.

Every command is one function, which reads its arguments, calls the desk and prints what came of
it; rules, mails and plans live below, where the daemon uses them too. The table in ``commands.py``
says which function it is, and its module is imported when it is called and not before: a list of
matches must not wait for a mail server's library.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from typer.exceptions import TyperException
from typer.main import get_command

from referee.cli.commands import GONE, LazyGroup
from referee.cli.session import COMPLETE, CONFIG
from referee.errors import FAILED, RefereeError
from referee.resources import DISTRIBUTION
from referee.text import did_you_mean

BROKEN: Final = 3
"""Exit status for a fault of the referee itself."""

SELDOM: Final = (50_000, 20, 20)
"""Thresholds of the garbage collector: imports make many objects and no garbage."""

DISK_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
"""Errors of a disk, or a share of it, that takes no more."""

LONGEST: Final = 4000
"""Characters a word of a command line may have."""

LONGEST_SHOWN: Final = 80
"""Characters of a word or a file's name that an error repeats."""

app = typer.Typer(
    cls=LazyGroup, rich_markup_mode=None, add_completion=False, no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)  # fmt: skip


def _print_version(*, value: bool) -> None:
    if value:
        # Its import takes longer than all the rest of a help page.
        from importlib.metadata import version  # noqa: PLC0415

        typer.echo(f"referee {version(DISTRIBUTION)}")
        raise typer.Exit


@app.callback()
def program(
    *,
    config: Annotated[
        Path | None, typer.Option("--config", help="The referee.toml to use.", metavar="FILE")
    ] = None,
    version: Annotated[  # noqa: ARG001 - its callback prints and ends
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Referee for slow board games that are played by email."""
    CONFIG.set(config)


def main() -> None:
    """Run the program; an error becomes one line, without traceback.

    ``REFEREE_TRACEBACK=1`` shows the traceback of a fault of the referee itself.
    """
    usual = gc.get_threshold()
    # Otherwise a sixth of every start goes into looking for garbage that is not there.
    gc.set_threshold(*SELDOM)
    try:
        if COMPLETE in os.environ:
            # Typer breaks the line about a command at the width of the terminal, and fish takes
            # each line for a name.
            os.environ["COLUMNS"] = "1000"
            # By itself Typer answers the shells only for completion options of its own.
            import_module("typer.completion").completion_init()
        arguments = config_first(sys.argv[1:])
        try:
            status = get_command(app)(args=arguments, prog_name="referee", standalone_mode=False)
        except typer.Abort:
            raise RefereeError("stopped: nothing further was done") from None
        except TyperException as error:
            sys.stderr.write(f"{_misread(error)}\n")
            status = FAILED
        sys.exit(status if isinstance(status, int) else 0)
    except RefereeError as error:
        if os.environ.get("REFEREE_TRACEBACK") and error.__cause__ is not None:
            raise
        for line in str(error).splitlines():
            sys.stderr.write(f"referee: {line}\n")
        sys.exit(error.status)
    except Exception as error:
        if os.environ.get("REFEREE_TRACEBACK"):
            raise
        full = isinstance(error, OSError) and error.errno in DISK_FULL
        if isinstance(error, OSError) and (error.filename is not None or full):
            # A file without a name is the one that standard output goes to.
            name = str(error.filename or "standard output")[:LONGEST_SHOWN]
            sys.stderr.write(f"referee: {' '.join(name.split())}: {error.strerror}\n")
            sys.exit(FAILED)
        what = " ".join(f"{type(error).__name__}: {error}".split())
        advice = "a fault of the referee; REFEREE_TRACEBACK=1 shows where"
        sys.stderr.write(f"referee: {what} ({advice})\n")
        sys.exit(BROKEN)
    finally:
        gc.set_threshold(*usual)


def _misread(error: Any) -> str:
    """Return an error of the command line in one line that names the help page.

    The answer to a group without a command is that page itself.
    """
    message, context = error.format_message(), getattr(error, "ctx", None)
    if context is None:
        return f"referee: {message}"
    if message == context.get_help():
        return str(message)
    what = " ".join(message.split()).rstrip(".").replace("Value error, ", "")
    # In place of the words of the library that reads numbers.
    what = what.partition(", unable to parse ")[0].replace("a valid integer", "a whole number")
    what = what.replace("Input should be", "it must be")
    if what == "Missing argument 'GAME'":
        from referee.desk.directory import playable_games  # noqa: PLC0415 - takes long

        what += f": {', '.join(playable_games())}"
    wrong = getattr(error, "option_name", "")
    known = [name for parameter in context.command.params for name in parameter.opts]
    if wrong in GONE:
        what = f"{wrong} is no more; {GONE[wrong]}"
    elif wrong and wrong not in known:
        what = error.message + did_you_mean(wrong, [*known, "--help"])
    return f"referee: {what} (see {context.command_path} --help)"


def config_first(arguments: list[str]) -> list[str]:
    """Return the arguments of a command line with ``--config FILE`` moved to the front.

    Raises RefereeError for one that cannot be used.
    """
    for before, word in zip(["", *arguments], arguments, strict=False):
        if len(word) > LONGEST:
            option, equals, _ = word.partition("=")
            option = option if equals else before
            place = f"{option[:LONGEST_SHOWN]}: " if option.startswith("--") else ""
            shown = f"{place}{word[:LONGEST_SHOWN]!a} … is too long"
            raise RefereeError(f"{shown}: a word has at most {LONGEST} characters")
        # Bytes that are not UTF-8 arrive as surrogates, which can be neither stored nor printed.
        if any(letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in word):
            shown = word.encode(errors="replace").decode().replace("\0", "?")[:LONGEST_SHOWN]
            raise RefereeError(f"{shown} cannot be read: write it in UTF-8")
    end = arguments.index("--") if "--" in arguments else len(arguments)
    for number, word in enumerate(arguments[:end]):
        width = 2 if word == "--config" else 1 if word.startswith("--config=") else 0
        if width:
            rest = arguments[:number] + arguments[number + width :]
            return arguments[number : number + width] + rest
    return arguments
