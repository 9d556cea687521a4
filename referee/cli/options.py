"""Arguments and options of several commands, and the files they name."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

import typer

from referee.cli.completion import offering
from referee.errors import RefereeError
from referee.resources import languages

LARGEST_ID: Final = 2**63 - 1
"""The largest number a row of the database can have."""

if TYPE_CHECKING:
    Language: TypeAlias = str
else:
    Language = Literal[languages()]
"""The languages of mails and pages: those that have a folder."""


def argument(metavar: str, help: str, *, offered: bool = False, **limits: Any) -> Any:
    """Return an argument; if ``offered``, a shell is offered the names of its kind."""
    completion = offering(metavar) if offered else None
    return typer.Argument(metavar=metavar, help=help, autocompletion=completion, **limits)


def flag(help: str, *names: str) -> Any:
    """Return an option without a value."""
    return typer.Option(*names, help=help)


def option(metavar: str, help: str, *names: str, offered: bool = False, **limits: Any) -> Any:
    """Return an option with a value; if ``offered``, a shell is offered the names of its kind."""
    completion = offering(metavar) if offered else None
    return typer.Option(*names, metavar=metavar, help=help, autocompletion=completion, **limits)


MatchName: TypeAlias = Annotated[str, argument("MATCH", "Its name, such as nord-1.", offered=True)]

PlayerName: TypeAlias = Annotated[
    str, argument("PLAYER", "An address, or a player's number.", offered=True)
]

LetterNumber: TypeAlias = Annotated[
    int, argument("LETTER", "Its number.", min=1, max=LARGEST_ID, offered=True)
]

MailNumber: TypeAlias = Annotated[
    int, argument("MAIL", "Its number.", min=1, max=LARGEST_ID, offered=True)
]

PlanNumber: TypeAlias = Annotated[int, argument("PLAN", "Its number.", min=1, max=LARGEST_ID)]

Limit: TypeAlias = Annotated[
    int, option("NUMBER", "How many of the newest.", min=1, max=LARGEST_ID)
]

Why: TypeAlias = Annotated[
    str, option("TEXT", "Why; the players read it. Required if a match changes.")
]

Reason: TypeAlias = Annotated[str, option("TEXT", "Why; the players read it. Required.")]

Yes: TypeAlias = Annotated[bool, flag("Carry it out at once.", "--yes", "-y")]

LARGEST_FILE: Final = 4 << 20
"""Bytes of a file that are read; real ones are smaller."""


def seat_named(name: str) -> str:
    """Return a seat as its game writes it."""
    return name.strip().lower()


def content_of(file: Path, largest: int = LARGEST_FILE) -> bytes:
    """Return the content of a file, ``-`` for standard input.

    Raises RefereeError, with the name of the file, if it cannot be read or is too large.
    """
    try:
        if str(file) == "-":
            data = sys.stdin.buffer.read(largest + 1)
        else:
            with file.open("rb") as opened:
                data = opened.read(largest + 1)
    except OSError as fault:
        raise RefereeError(f"{file}: cannot be read: {fault.strerror}") from None
    if len(data) > largest:
        raise RefereeError(f"{file}: is larger than {largest >> 20} MiB, which no such file is")
    return data


def text_of(file: Path) -> str:
    """Return the text of a file in UTF-8, ``-`` for standard input. Raises RefereeError."""
    try:
        # Some editors put a byte-order mark before it.
        return content_of(file).decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise RefereeError(f"{file}: is not UTF-8 at byte {fault.start}: save it so") from None


def json_of(file: Path, option: str = "") -> Any:
    """Return the JSON in a file, ``-`` for standard input. Raises RefereeError.

    ``option`` is the option that names the file, for the error.
    """
    text = text_of(file)
    try:
        document = json.loads(text)
        # JSON can spell half of a surrogate pair, which cannot be written as UTF-8.
        json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as fault:
        raise RefereeError(f"{option} {file}: is no JSON: {fault}".lstrip()) from None
    return document
