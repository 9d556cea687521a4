"""``referee init``: a new installation in a folder."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias
from urllib.parse import quote, urlsplit, urlunsplit

import typer

from referee.cli import output
from referee.cli.options import Language, argument, flag, option
from referee.config import FILE
from referee.config.login import MAIL_SERVERS
from referee.config.settings import ConfigError
from referee.errors import RefereeError
from referee.installation import KEY, draft_settings, refuse_existing, set_up_installation
from referee.resources import FALLBACK

Way: TypeAlias = Literal["password", "file", "command", "oauth"]
"""How the referee logs in to its mailbox."""

Answers: TypeAlias = dict[str, str | bool | None]
"""Settings by name; None for what may be left out and was."""

_WAYS: Final = "Log in by password, file (with it), command (that prints it) or oauth"

_QUESTIONS: Final[Mapping[str, str]] = {
    "address": "The address players write to",
    "name": "The name of your club, which invites players",
    "organiser": "Your own address, for summary and alarms (Enter for none)",
    "zone": "Time zone",
    "imap": "IMAP server, such as imaps://mail.example.org",
    "smtp": "SMTP server, such as smtp+starttls://mail.example.org",
    "ca_file": "File of certificates to trust (PEM; Enter for the system's)",
    "password_file": "File with the password",
    "password_command": "Command that prints the password, such as pass show referee",
    "provider": "Provider: gmail or microsoft (Enter for another)",
    "client_id": "client_id, which the provider gave for the referee",
    "client_secret": "client_secret, which the provider gave with it",
    "tenant": "Tenant at Microsoft, such as example.org",
    "token_url": "Address that gives tokens",
    "authorize_url": "Address where a person allows the log-in",
    "scope": "Scope, the provider's word for mail",
}


def init(
    folder: Annotated[Path, argument("DIR", "Where to set it up.")],
    *,
    address: Annotated[str | None, option("ADDRESS", "The address players write to.")] = None,
    name: Annotated[
        str | None, option("NAME", "The name of your club; Referee if left out.")
    ] = None,
    imap: Annotated[str | None, option("URL", "imaps://user%40domain:pass@host")] = None,
    smtp: Annotated[str | None, option("URL", "smtps://user%40domain:pass@host")] = None,
    database: Annotated[
        str, option("URL", "sqlite:///file or postgresql://…")
    ] = "sqlite:///referee.db",
    organiser: Annotated[
        str | None, option("ADDRESS", "The address for summary and alarms.")
    ] = None,
    zone: Annotated[str | None, option("ZONE", "The default time zone; UTC if left out.")] = None,
    language: Annotated[Language, typer.Option(help="The default language.")] = FALLBACK,
    auth: Annotated[
        Way | None, typer.Option(help="How to log in to the mailbox; otherwise as it follows.")
    ] = None,
    password_file: Annotated[str | None, option("FILE", "A file with the password.")] = None,
    password_command: Annotated[
        str | None, option("CMD", "A command that prints the password.")
    ] = None,
    ca_file: Annotated[str | None, option("FILE", "Certificates to trust (PEM).")] = None,
    provider: Annotated[
        Literal["gmail", "microsoft", "other"] | None, typer.Option(help="Who gives the tokens.")
    ] = None,
    client_id: Annotated[str | None, option("ID", "The provider's name for the referee.")] = None,
    client_secret: Annotated[
        str | None, option("SECRET", "The secret given with it, if any.")
    ] = None,
    tenant: Annotated[str | None, option("NAME", "Your tenant at Microsoft.")] = None,
    unattended: Annotated[
        bool, flag("Log in without any person's consent.", "--unattended")
    ] = False,
    token_url: Annotated[str | None, option("URL", "Where another provider gives tokens.")] = None,
    authorize_url: Annotated[
        str | None, option("URL", "Where another provider asks a person.")
    ] = None,
    device_url: Annotated[str | None, option("URL", "Where another provider gives codes.")] = None,
    scope: Annotated[str | None, option("WORDS", "What another provider calls mail.")] = None,
) -> None:
    """Set up an installation in a folder.

    On a terminal it asks for what is not given, and tries each answer at once, the servers too.
    Where a server's URL names no user, that is the address.

    Example: referee init my-referee
    """
    refuse_existing(folder)
    ways: dict[Way, Answers] = {
        "password": {},
        "file": {"password_file": password_file},
        "command": {"password_command": password_command},
        "oauth": {
            "provider": provider,
            "client_id": client_id,
            "client_secret": client_secret,
            "tenant": tenant,
            "unattended": unattended or None,
            "token_url": token_url,
            "authorize_url": authorize_url,
            "device_url": device_url,
            "scope": scope,
        },
    }
    way = _chosen_way(auth, ways)
    known = _answers(way, {
        "address": address, "name": name, "organiser": organiser, "zone": zone,
        "imap": imap, "smtp": smtp,
        "ca_file": ca_file, "database": database, "language": language, **ways[way],
    })  # fmt: skip
    try:
        set_up_installation(folder, known)
    except ConfigError as error:
        # Faults name options: while an installation is set up no file has keys yet.
        key, options = (
            r"password_file, password_command, \w+,",
            "--password-file, --password-command,",
        )
        raise ConfigError(*(re.sub(key, options, fault) for fault in error.faults)) from None
    where = folder.absolute()
    urls = {name: urlsplit(str(known[name])) for name in ("imap", "smtp")}
    held = [_variable(name) for name, url in urls.items() if url.username and not url.password]
    unwritten = " and ".join(dict.fromkeys(filter(None, held))) if way == "password" else ""
    more = f"{unwritten} was not written down: referee run and referee doctor need it set, too."
    # A token cannot be had before there are settings to ask for it with.
    first = "referee auth, and when you are logged in " if way == "oauth" else ""
    output.result(
        {"address": known["address"], "folder": where, "config": where / FILE, "key": where / KEY},
        f"The referee {known['address']} is set up in {where}.",
        *([more] if unwritten else []),
        f"Keep a copy of {where / KEY}. Change {where / FILE} as you like; a daemon at work "
        "reads it when it is restarted.",
        f"Next: cd {shlex.quote(str(where))} && {first}referee doctor; when that finds nothing "
        "wrong, referee run.",
    )


def _variable(name: str) -> str | None:
    """Return the variable set that holds a server's password, if any."""
    names = (f"REFEREE_{name.upper()}_PASSWORD", "REFEREE_PASSWORD")
    return next((variable for variable in names if os.environ.get(variable)), None)


def _lacks_password(name: str, known: Answers) -> bool:
    """Return whether neither a server's URL nor a variable holds the password of its user."""
    parts = urlsplit(str(known[name]))
    return parts.username is not None and parts.password is None and not _variable(name)


def _chosen_way(auth: Way | None, ways: Mapping[Way, Answers]) -> Way:
    """Return the way to log in: the one named, else that of the options, else the one asked for.

    Raises RefereeError if options belong to different ways.
    """
    named = {way: [name for name, value in of.items() if value] for way, of in ways.items()}
    meant = auth or next((way for way, names in named.items() if names), None)
    while meant is None and sys.stdin.isatty():
        asked = typer.prompt(_WAYS, default="password").strip()
        meant = next((way for way in ways if way == asked), None)
        if meant is None:
            typer.echo(f"{asked!r} is no way to log in: write one of {', '.join(ways)}.")
    meant = meant or "password"
    for way, names in named.items():
        if names and way != meant:
            raise RefereeError(f"{_option(names[0])} goes with --auth {way}, not {meant}")
    return meant


def _answers(way: Way, given: Answers) -> Answers:
    """Return the settings given, and those asked for besides, each of them tried at once.

    Raises ConfigError for what is given and cannot be used, before anything is asked; and
    RefereeError naming the options that are missing, where nobody can be asked.
    """
    asks = sys.stdin.isatty()
    known: Answers = {name: _placed(name, value) for name, value in given.items() if value}
    if given.get("provider") == "other":
        known["provider"] = None
    if faults := [fault for name in known if (fault := _fault(name, known))]:
        raise ConfigError(*faults)
    while missing := [name for name in _wanted(way, known, asks=asks) if name not in known]:
        if not asks:
            named = ", ".join(_option(name) for name in missing)
            raise RefereeError(f"give {named} too; only on a terminal you are asked")
        name = missing[0]
        if name in {"imap", "smtp"} and way != "oauth":
            _ask_server(name, known, way)
        else:
            # As localtime(5) says it.
            linked = str(Path("/etc/localtime").resolve()).partition("/zoneinfo/")[2]
            proposed = {"name": "Referee", "zone": linked or "UTC"}
            known[name] = _answer(name, known, proposed.get(name))
    if known.get("provider") in MAIL_SERVERS:
        user = quote(str(known["address"]), safe="")
        servers = (url.format(user) for url in MAIL_SERVERS[str(known["provider"])])
        known = {**dict(zip(("imap", "smtp"), servers, strict=True)), **known}
    for name in ("imap", "smtp"):
        known[name] = _with_user(str(known[name]), str(known["address"]))
        if asks and way == "password" and _lacks_password(name, known):
            _ask_server(name, known, way)
    return known


def _wanted(way: Way, known: Answers, *, asks: bool) -> list[str]:
    """Return the answers that a way to log in needs, by name, in the order of the questions."""
    wanted = ["address", *(["name", "organiser", "zone"] if asks else [])]
    if way != "oauth":
        more = {"file": ["password_file"], "command": ["password_command"]}
        return [*wanted, *more.get(way, []), "imap", "smtp"]
    # The provider decides on the other questions.
    if "provider" not in known:
        return ["provider"]
    provider = known["provider"]
    wanted += [*([] if provider in MAIL_SERVERS else ["imap", "smtp"]), "client_id"]
    if "unattended" in known:
        wanted += ["client_secret", *(["tenant"] if provider == "microsoft" else [])]
    elif provider == "gmail":
        # Google gives each program a secret, the installed ones too.
        wanted += ["client_secret"]
    if provider is None:
        wanted += ["token_url", "scope"]
        wanted += [] if "unattended" in known or "device_url" in known else ["authorize_url"]
    return wanted


def _answer(name: str, known: Answers, proposed: str | None = None) -> str | None:
    """Ask for a setting until the answer can be used; None for one that may be left out."""
    optional = name in {"organiser", "ca_file", "provider"}
    while True:
        default, hidden = proposed or "", name == "client_secret"
        said = str(typer.prompt(
            _QUESTIONS[name], default=default, show_default=bool(default), hide_input=hidden
        )).strip()  # fmt: skip
        if not said and not optional:
            typer.echo("This cannot be left out.")
            continue
        answer = str(_placed(name, said)) if said else None
        fault = _fault(name, {**known, name: answer}, asked=True)
        if fault is None:
            return answer
        typer.echo(fault.partition(": ")[2])


def _ask_server(name: str, known: Answers, way: Way) -> None:
    """Ask for a server, and for its password if need be, until it lets us in or is kept so."""
    # Whoever answers no question does not wait for these.
    from referee.desk.service.doctor import mail  # noqa: PLC0415

    url = known.get(name)
    tried = asked_all = False
    while True:
        if url is None or tried:
            url = _answer(name, known, str(url) if url else None)
        if not asked_all:
            known[name] = _with_user(str(url), str(known["address"]))
        if way == "password" and _lacks_password(name, known):
            # For one account the same one, or else it is asked.
            parts, other = urlsplit(str(known[name])), urlsplit(str(known["imap"]))
            if name == "smtp" and other.username == parts.username and other.password and not tried:
                password = other.password
            else:
                asked = typer.prompt(f"Password for {name.upper()}", hide_input=True)
                password = quote(asked, safe="")
            user, _, host = parts.netloc.rpartition("@")
            known[name] = urlunsplit(parts._replace(netloc=f"{user}:{password}@{host}"))
        settings = draft_settings(known)
        if name == "smtp":
            finding = mail.check_smtp(settings.smtp, settings.domain)
        else:
            with mail.open_seeker(settings.imap) as (finding, _):
                pass
        if finding.grade != "failure":
            return
        typer.echo(finding.found)
        # A server may have an authority of its own; without its certificates nothing else helps.
        own = not known.get("ca_file") and "ca_file" in finding.found
        first = "for its authority's certificates, else " if own else ""
        question = f"Keep it all the same (y; n asks {first}for it again)?"
        answers = {"y", "yes", "n", "no"}
        while (said := typer.prompt(question, default="n").strip().lower()) not in answers:
            typer.echo("Write y or n.")
        if said.startswith("y"):
            return
        if own:
            known["ca_file"] = _answer("ca_file", known)
        # If these were all that was missing it is tried as it was given.
        asked_all = own and known["ca_file"] is not None
        tried = not asked_all


def _fault(name: str, known: Answers, *, asked: bool = False) -> str | None:
    """Return why one of these settings cannot be used, if so."""
    try:
        settings = draft_settings(known)
        if name == "password_command":
            program = shlex.split(str(known[name]))[0]
            # A path may lead from the installation's folder, which is not there yet.
            if "/" not in program and not shutil.which(program):
                return f"[mail] password_command: there is no program {program}"
        # A command that is given runs later, in that folder.
        if name == "password_file" or (name == "password_command" and asked):
            settings.imap.require()
            settings.imap.secret()
    except ConfigError as error:
        return next((fault for fault in error.faults if f"] {name}: " in fault), None)
    except RefereeError as error:
        return str(error)
    return None


def _placed(name: str, value: str | bool) -> str | bool:
    """Return a setting; a file is named from here, but read from the installation's folder."""
    return str(Path(str(value)).absolute()) if name in {"password_file", "ca_file"} else value


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _with_user(url: str, address: str) -> str:
    """Return a server's URL; where it names no user that is the address."""
    parts = urlsplit(url)
    # A server that mail is sent through without encryption is a relay, which knows no users.
    if parts.username is not None or parts.scheme == "smtp":
        return url
    return urlunsplit(parts._replace(netloc=f"{quote(address, safe='')}@{parts.netloc}"))
