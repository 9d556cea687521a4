"""``referee init``: a new installation in a folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated
from urllib.parse import quote, urlsplit, urlunsplit

import typer

from referee.cli import output
from referee.cli.options import Language
from referee.config import FILE
from referee.errors import RefereeError
from referee.installation import KEY, refuse_existing, set_up_installation


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to set it up.")],
    *,
    address: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="The address players write to.")
    ] = None,
    imap: Annotated[
        str | None, typer.Option(metavar="URL", help="imaps://user%40domain:password@host")
    ] = None,
    smtp: Annotated[
        str | None, typer.Option(metavar="URL", help="smtps://user%40domain:password@host")
    ] = None,
    database: Annotated[
        str, typer.Option(metavar="URL", help="sqlite:///file or postgresql://…")
    ] = "sqlite:///referee.db",
    organiser: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="The address for summary and alarms.")
    ] = None,
    zone: Annotated[str, typer.Option(metavar="ZONE", help="The default time zone.")] = "UTC",
    language: Annotated[Language, typer.Option(help="The default language.")] = "en",
) -> None:
    """Set up an installation in a folder.

    On a terminal it asks for address and servers if they are not given.

    Example: referee init my-referee
    """
    refuse_existing(folder)
    given = {"address": address, "imap": imap, "smtp": smtp}
    known = ask_missing(given) if sys.stdin.isatty() else require_answers(given)
    more = {"database": database, "organiser": organiser, "zone": zone, "language": language}
    set_up_installation(folder, {**known, **more})
    where = folder.absolute()
    output.result(
        {"address": known["address"], "folder": where, "config": where / FILE, "key": where / KEY},
        f"The referee {known['address']} is set up in {where}.",
        *_unwritten(known),
        f"Keep a copy of {where / KEY}. Change {where / FILE} as you like.",
        f"Next: cd {where} && referee doctor; when that finds nothing wrong, referee run.",
    )


def _unwritten(known: Mapping[str, str]) -> list[str]:
    """Return a line naming variables with passwords that the configuration does not hold."""
    names = [_variable(each) for each in ("imap", "smtp") if _lacks_password(known[each])]
    found = list(dict.fromkeys(each for each in names if each))
    if not found:
        return []
    told = " and ".join(found)
    return [f"{told} was not written down: referee run and referee doctor need it set, too."]


def _variable(name: str) -> str | None:
    """Return the variable set that holds a server's password, if any."""
    names = (f"REFEREE_{name.upper()}_PASSWORD", "REFEREE_PASSWORD")
    return next((each for each in names if os.environ.get(each)), None)


def _lacks_password(url: str) -> bool:
    parts = urlsplit(url)
    return parts.username is not None and parts.password is None


def require_answers(given: dict[str, str | None]) -> dict[str, str]:
    """Return the answers given. Raises RefereeError naming the options that are missing."""
    missing = [f"--{name}" for name, value in given.items() if not value]
    if missing:
        raise RefereeError(f"give {', '.join(missing)} too; only on a terminal you are asked")
    return {name: value for name, value in given.items() if value}


def ask_missing(given: dict[str, str | None]) -> dict[str, str]:
    """Ask for the answers not given, passwords included, and return all."""
    questions = {
        "address": "The address players write to",
        "imap": "IMAP server, such as imaps://user%40domain@host",
        "smtp": "SMTP server, such as smtps://user%40domain@host",
    }
    known = {
        name: given[name] or str(typer.prompt(question)) for name, question in questions.items()
    }
    for name in ("imap", "smtp"):
        known[name] = _with_password(known[name], name.upper())
    return known


def _with_password(url: str, what: str) -> str:
    """Ask for a missing password; return the server's URL with it."""
    parts = urlsplit(url)
    if not _lacks_password(url) or _variable(what):
        return url
    password = typer.prompt(f"Password for {what}", hide_input=True)
    user, _, host = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{user}:{quote(password, safe='')}@{host}"))
