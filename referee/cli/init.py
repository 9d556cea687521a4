"""``referee init``: a new installation in a folder."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias
from urllib.parse import quote, urlsplit, urlunsplit

import typer

from referee.cli import output
from referee.cli.options import Language
from referee.config import FILE
from referee.config.login import MAIL_SERVERS
from referee.config.settings import ConfigError
from referee.errors import RefereeError
from referee.installation import KEY, refuse_existing, set_up_installation
from referee.resources import FALLBACK

Way: TypeAlias = Literal["password", "file", "command", "oauth"]
"""How the referee logs in to its mailbox."""

_WAYS: Final = "Log in by password, file (with it), command (that prints it) or oauth"

_QUESTIONS: Final[Mapping[str, str]] = {
    "address": "The address players write to",
    "imap": "IMAP server, such as imaps://user%40domain@host",
    "smtp": "SMTP server, such as smtps://user%40domain@host",
    "password_file": "File with the password",
    "password_command": "Command that prints the password, such as pass show referee",
    "provider": "Provider: gmail, microsoft or other",
    "client_id": "client_id, which the provider gave for the referee",
    "client_secret": "client_secret, which the provider gave with it",
    "tenant": "Tenant at Microsoft, such as example.org",
    "token_url": "Address that gives tokens",
    "authorize_url": "Address where a person allows the log-in",
    "scope": "Scope, the provider's word for mail",
}


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to set it up.")],
    *,
    address: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="The address players write to.")
    ] = None,
    imap: Annotated[
        str | None, typer.Option(metavar="URL", help="imaps://user%40domain:pass@host")
    ] = None,
    smtp: Annotated[
        str | None, typer.Option(metavar="URL", help="smtps://user%40domain:pass@host")
    ] = None,
    database: Annotated[
        str, typer.Option(metavar="URL", help="sqlite:///file or postgresql://…")
    ] = "sqlite:///referee.db",
    organiser: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="The address for summary and alarms.")
    ] = None,
    zone: Annotated[str, typer.Option(metavar="ZONE", help="The default time zone.")] = "UTC",
    language: Annotated[Language, typer.Option(help="The default language.")] = FALLBACK,
    auth: Annotated[
        Way | None, typer.Option(help="How to log in to the mailbox; otherwise as it follows.")
    ] = None,
    password_file: Annotated[
        str | None, typer.Option(metavar="FILE", help="A file with the password.")
    ] = None,
    password_command: Annotated[
        str | None, typer.Option(metavar="CMD", help="A command that prints the password.")
    ] = None,
    provider: Annotated[
        Literal["gmail", "microsoft", "other"] | None, typer.Option(help="Who gives the tokens.")
    ] = None,
    client_id: Annotated[
        str | None, typer.Option(metavar="ID", help="The provider's name for the referee.")
    ] = None,
    client_secret: Annotated[
        str | None, typer.Option(metavar="SECRET", help="The secret given with it, if any.")
    ] = None,
    tenant: Annotated[
        str | None, typer.Option(metavar="NAME", help="Your tenant at Microsoft.")
    ] = None,
    unattended: Annotated[
        bool, typer.Option("--unattended", help="Log in without any person's consent.")
    ] = False,
    token_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Where another provider gives tokens.")
    ] = None,
    authorize_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Where another provider asks a person.")
    ] = None,
    device_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Where another provider gives codes.")
    ] = None,
    scope: Annotated[
        str | None, typer.Option(metavar="WORDS", help="What another provider calls mail.")
    ] = None,
) -> None:
    """Set up an installation in a folder.

    On a terminal it asks for address, log-in and servers if they are not given.

    Example: referee init my-referee
    """
    refuse_existing(folder)
    ways: dict[Way, dict[str, str | None]] = {
        "password": {},
        "file": {"password_file": password_file},
        "command": {"password_command": password_command},
        "oauth": {
            "provider": provider,
            "client_id": client_id,
            "client_secret": client_secret,
            "tenant": tenant,
            "unattended": "yes" if unattended else None,
            "token_url": token_url,
            "authorize_url": authorize_url,
            "device_url": device_url,
            "scope": scope,
        },
    }
    way = _chosen_way(auth, ways)
    known = _asked(way, {"address": address, "imap": imap, "smtp": smtp, **ways[way]})
    more = {"database": database, "organiser": organiser, "zone": zone, "language": language}
    try:
        set_up_installation(folder, {**known, **more})
    except ConfigError as error:
        raise ConfigError(*map(_by_option, error.faults)) from None
    _print_result(folder.absolute(), way, known)


def _print_result(where: Path, way: Way, known: Mapping[str, str | bool]) -> None:
    """Print where the installation is, and the next step."""
    # A token cannot be had before there are settings to ask for it with.
    first = "referee auth, and when you are logged in " if way == "oauth" else ""
    output.result(
        {"address": known["address"], "folder": where, "config": where / FILE, "key": where / KEY},
        f"The referee {known['address']} is set up in {where}.",
        *(_unwritten(known) if way == "password" else []),
        f"Keep a copy of {where / KEY}. Change {where / FILE} as you like.",
        f"Next: cd {where} && {first}referee doctor; when that finds nothing wrong, referee run.",
    )


def _unwritten(known: Mapping[str, str | bool]) -> list[str]:
    """Return a line about passwords that were not written down."""
    names = [_variable(each) for each in ("imap", "smtp") if _lacks_password(str(known[each]))]
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
    try:
        parts = urlsplit(url)
    # The settings say where it is wrong.
    except ValueError:
        return False
    return parts.username is not None and parts.password is None


def _chosen_way(auth: Way | None, ways: Mapping[Way, Mapping[str, str | None]]) -> Way:
    """Return the way to log in: the one named, else that of the options, else the one asked for.

    Raises RefereeError if options belong to different ways.
    """
    named = {way: [name for name, value in of.items() if value] for way, of in ways.items()}
    meant = auth or next((way for way, names in named.items() if names), None)
    if meant is None and sys.stdin.isatty():
        asked = typer.prompt(_WAYS, default="password").strip()
        meant = next((way for way in ways if way == asked), None)
        if meant is None:
            raise RefereeError(f"{asked}: no way to log in; choose one of {', '.join(ways)}")
    meant = meant or "password"
    for way, names in named.items():
        if names and way != meant:
            raise RefereeError(f"{_option(names[0])} goes with --auth {way}, not {meant}")
    return meant


def _asked(way: Way, given: dict[str, str | None]) -> dict[str, str | bool]:
    """Return the settings of address and log-in; ask for those not given."""
    # The provider decides on the other questions.
    if way == "oauth" and not given["provider"]:
        given |= _answers(given, ["provider"])
    return _log_in(way, _answers(given, _wanted(way, given)))


def _wanted(way: Way, given: Mapping[str, str | None]) -> list[str]:
    """Return the answers that a way to log in needs, by name."""
    more = {"password": [], "file": ["password_file"], "command": ["password_command"]}
    if way != "oauth":
        return ["address", "imap", "smtp", *more[way]]
    provider = given["provider"]
    wanted = ["address", *([] if provider in MAIL_SERVERS else ["imap", "smtp"]), "client_id"]
    if given["unattended"]:
        wanted += ["client_secret", *(["tenant"] if provider == "microsoft" else [])]
    elif provider == "gmail":
        # Google gives each program a secret, the installed ones too.
        wanted += ["client_secret"]
    if provider == "other":
        wanted += ["token_url", "scope"]
        asked = given["unattended"] or given["device_url"]
        wanted += [] if asked else ["authorize_url"]
    return wanted


def _answers(given: Mapping[str, str | None], wanted: list[str]) -> dict[str, str]:
    """Return the answers given, and the wanted ones asked for besides.

    Raises RefereeError naming the options that are missing, where nobody can be asked.
    """
    missing = [name for name in wanted if not given[name]]
    if missing and not sys.stdin.isatty():
        named = ", ".join(_option(name) for name in missing)
        raise RefereeError(f"give {named} too; only on a terminal you are asked")
    known = {name: value for name, value in given.items() if value}
    for name in missing:
        question = _QUESTIONS[name]
        known[name] = str(typer.prompt(question, hide_input=name == "client_secret"))
    return known


def _log_in(way: Way, known: dict[str, str]) -> dict[str, str | bool]:
    """Return the settings for answers: servers of a known provider, passwords asked for."""
    found: dict[str, str | bool] = dict(known)
    if way == "password" and sys.stdin.isatty():
        found |= {name: _with_password(known[name], name.upper()) for name in ("imap", "smtp")}
    if "password_file" in known:
        # It is named from here, but read from the folder of the installation.
        found["password_file"] = str(Path(known["password_file"]).absolute())
    if "unattended" in known:
        found["unattended"] = True
    if known.get("provider") in MAIL_SERVERS:
        user = quote(known["address"], safe="")
        servers = (each.format(user) for each in MAIL_SERVERS[known["provider"]])
        found = {**dict(zip(("imap", "smtp"), servers, strict=True)), **found}
    if known.get("provider") == "other":
        del found["provider"]
    return found


def _by_option(fault: str) -> str:
    """Return a fault that asks for options in place of keys.

    There is no file yet whose keys could be set.
    """
    options = "--password-file, --password-command,"
    return re.sub(r"\b(imap|smtp)_password_file,", options, fault)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _with_password(url: str, what: str) -> str:
    """Ask for a missing password; return the server's URL with it."""
    if not _lacks_password(url) or _variable(what):
        return url
    parts = urlsplit(url)
    password = typer.prompt(f"Password for {what}", hide_input=True)
    user, _, host = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{user}:{quote(password, safe='')}@{host}"))
