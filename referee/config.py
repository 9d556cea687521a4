"""What this installation is told: one settings object from referee.toml and REFEREE_… variables.

A variable wins over the file. Every fault is collected with its place before anything is refused.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from referee.access import equipped
from referee.errors import RefereeError
from referee.mail.oauth.tokens import Tokens
from referee.mail.transport.servers import Server
from referee.matches.time.calendar import parse_days_off
from referee.matches.time.pace import Pace
from referee.values import (
    number_reader,
    read_address,
    read_authserv_id,
    read_certificates,
    read_database,
    read_flag,
    read_key,
    read_language,
    read_late_rule,
    read_log_level,
    read_page,
    read_place,
    read_provider,
    read_reminders,
    read_span,
    read_text,
    read_time,
    read_trust,
    read_url,
    read_zone,
    server_reader,
)

FILE: Final = "referee.toml"
PREFIX: Final = "REFEREE_"
KEYRING: Final = "openpgp"
PRIVATE: Final = (
    "key_file", "token_file", "password_file", "imap_password_file", "smtp_password_file",
)  # fmt: skip
PASSWORDS: Final = ("password", "imap_password", "smtp_password")


class ConfigError(RefereeError):
    """The configuration cannot be used; ``faults`` names every place and what would be right."""

    def __init__(self, *faults: str) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything an installation is told. Secrets stay out of its representation.

    ``private`` are the files nobody else may read: the configuration, key and passwords.
    ``poll_seconds`` is the time between two looks at the mailbox; of a letter above
    ``letter_bytes`` only the beginning is read; ``open`` lets strangers join;
    ``plus_addressing`` says whether mail to ``referee+x@host`` reaches the mailbox too (None: as
    `referee doctor` has found); ``trust`` is
    what a letter needs besides a reply code, and ``authserv_id`` the server believed about DMARC.
    """

    path: Path
    private: tuple[Path, ...]
    address: str
    name: str
    language: str
    zone: ZoneInfo
    organiser: str | None
    open: bool
    log_level: str
    time_per_turn: timedelta
    bank: timedelta | None
    increment: timedelta
    reminders: tuple[timedelta, ...]
    grace: timedelta
    days_off: frozenset[str]
    late: tuple[str, str | None]
    away_days: int
    undo_days: int
    poll_seconds: int
    letter_bytes: int
    plus_addressing: bool | None
    trust: str
    authserv_id: str | None
    imap: Server = field(repr=False)
    smtp: Server = field(repr=False)
    tokens: Tokens | None = field(repr=False)
    database: str = field(repr=False)
    key: bytes = field(repr=False)

    @property
    def pace(self) -> Pace:
        """What a new match agrees about time, unless something else is asked for."""
        rule, bot = self.late
        return Pace(
            per_turn=None if self.bank else self.time_per_turn,
            bank=self.bank,
            increment=self.increment if self.bank else timedelta(0),
            reminders=self.reminders,
            grace=self.grace,
            days_off=self.days_off,
            late=rule,
            bot=bot,
        )

    @property
    def keyring(self) -> Path:
        """The folder of the players' OpenPGP keys, beside the configuration."""
        return self.path.absolute().parent / KEYRING

    def require_log_in(self) -> None:
        """Raise ConfigError with what is missing to log in to the servers, if anything is."""
        lacking = dict.fromkeys(each.lacking for each in (self.imap, self.smtp) if each.lacking)
        if lacking:
            raise ConfigError(*(f"{self.path}: {fault}" for fault in lacking))


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the file: its section, its default (None: none), and how its value is read.

    ``read`` takes the value and, if ``rooted``, the folder that relative paths start from; it
    raises ValueError with what would be right.
    """

    section: str
    name: str
    read: Callable[..., Any]
    kind: type = str
    default: str | int | bool | None = None
    required: bool = False
    rooted: bool = False

    @property
    def place(self) -> str:
        return f"[{self.section}] {self.name}"

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper()


KEYS: Final = (
    Key("referee", "address", read_address, required=True),
    Key("referee", "name", read_text, default="Referee"),
    Key("referee", "organiser", read_address),
    Key("referee", "language", read_language, default="en"),
    Key("referee", "zone", read_zone, default="UTC"),
    Key("referee", "open", read_flag, bool, default=False),
    Key("referee", "key_file", read_key, default="referee.key", rooted=True),
    Key("referee", "log_level", read_log_level, default="info"),
    Key("mail", "imap", server_reader("imap"), required=True),
    Key("mail", "smtp", server_reader("smtp"), required=True),
    Key("mail", "password_file", read_place, rooted=True),
    Key("mail", "imap_password_file", read_place, rooted=True),
    Key("mail", "smtp_password_file", read_place, rooted=True),
    Key("mail", "ca_file", read_certificates, rooted=True),
    Key("mail", "poll_seconds", number_reader(1, 3600), int, default=60),
    Key("mail", "letter_bytes", number_reader(65_536, 50_000_000), int, default=1_000_000),
    Key("mail", "plus_addressing", read_flag, bool),
    Key("mail", "trust", read_trust, default="code"),
    Key("mail", "authserv_id", read_authserv_id),
    Key("oauth", "provider", read_provider),
    Key("oauth", "client_id", read_text),
    Key("oauth", "client_secret", read_text),
    Key("oauth", "authorize_url", read_page),
    Key("oauth", "device_url", read_url),
    Key("oauth", "token_url", read_url),
    Key("oauth", "scope", read_text),
    Key("oauth", "token_file", read_place, default="referee.token", rooted=True),
    Key("store", "database", read_database, default="sqlite:///referee.db", rooted=True),
    Key("matches", "time_per_turn", read_time, default="7d"),
    Key("matches", "bank", read_time),
    Key("matches", "increment", read_span, default="0h"),
    Key("matches", "reminders", read_reminders, default="1d"),
    Key("matches", "grace", read_span, default="0h"),
    Key("matches", "days_off", parse_days_off, default=""),
    Key("matches", "late", read_late_rule, default="wait"),
    Key("matches", "away_days", number_reader(0, 366), int, default=30),
    Key("matches", "undo_days", number_reader(1, 30), int, default=3),
)


def find_config(option: Path | None, environ: Mapping[str, str]) -> Path:
    """Return the configuration file: the option, else ./referee.toml, else ``REFEREE_CONFIG``.

    An installation's folder may be named in place of its file. Raises ConfigError when there is
    none.
    """
    named = environ.get(f"{PREFIX}CONFIG")
    candidates = [option] if option else [Path(FILE), *([Path(named)] if named else [])]
    for candidate in candidates:
        file = candidate / FILE if candidate.is_dir() else candidate
        if file.is_file():
            return file.absolute()
    if option or named:
        raise ConfigError(f"there is no {candidates[-1]}; --config names the {FILE} to use")
    raise ConfigError(f"there is no {FILE} here; go to its folder, name it with --config, or init")


def load(path: Path, environ: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings of a configuration file and the environment. Raises ConfigError."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read ({type(error).__name__})") from None
    return read(text, path, environ)


def read(text: str, path: Path, environ: Mapping[str, str]) -> Settings:
    """Return the settings that the text of a configuration file gives; ``path`` is its place.

    Raises ConfigError.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}") from None
    faults = [*_unknown_keys(document), *_unknown_variables(environ)]
    values: dict[str, Any] = {}
    for key in KEYS:
        try:
            values[key.name] = _value(key, document, environ, path.absolute().parent)
        except ValueError as error:
            faults.append(f"{_place(key, environ)}: {error}")
    private = (path.absolute(), *_private(document, environ, path.absolute().parent))
    if not faults:
        faults = [*_unjudged(values), *equipped(values, environ)]
    if faults:
        raise ConfigError(*(f"{path}: {fault}" for fault in faults))
    values["key"] = values.pop("key_file")
    return Settings(path=path, private=private, **values)


def _private(
    document: Mapping[str, Any], environ: Mapping[str, str], folder: Path
) -> Iterator[Path]:
    for key in KEYS:
        section = document.get(key.section, {})
        named = section.get(key.name, key.default) if isinstance(section, dict) else None
        named = environ.get(key.variable, named)
        if key.name in PRIVATE and isinstance(named, str):
            yield folder / named


def _place(key: Key, environ: Mapping[str, str]) -> str:
    return key.variable if key.variable in environ else key.place


def _value(
    key: Key, document: Mapping[str, Any], environ: Mapping[str, str], folder: Path
) -> object:
    section = document.get(key.section, {})
    if not isinstance(section, dict):
        raise ValueError(f"{key.section} is a section, [{key.section}]")  # noqa: TRY004
    value = section.get(key.name, key.default)
    if key.variable in environ:
        value = _from_text(key.kind, environ[key.variable])
    if value is None and key.required:
        raise ValueError("is missing")
    if value is None:
        return None
    if type(value) is not key.kind:
        wanted = {str: 'text in quotes, "…"', int: "a whole number", bool: "true or false"}
        raise ValueError(f"{wanted[key.kind]} is wanted, not {value!r}")
    return key.read(value, folder) if key.rooted else key.read(value)


def _from_text(kind: type, text: str) -> str | int | bool:
    if kind is int and text.strip().isdecimal():
        return int(text)
    if kind is bool and text.strip().lower() in ("true", "false"):
        return text.strip().lower() == "true"
    return text


def _unknown_keys(document: Mapping[str, Any]) -> list[str]:
    faults = []
    sections = sorted({key.section for key in KEYS})
    for name, section in document.items():
        if name not in sections:
            faults.append(f"[{name}]: is unknown{_nearest(name, sections)}")
        elif isinstance(section, dict):
            known = [key.name for key in KEYS if key.section == name]
            faults += [
                f"[{name}] {each}: is unknown{_nearest(each, known, name)}"
                for each in section
                if each not in known
            ]
    return faults


def _nearest(name: str, known: list[str], section: str | None = None) -> str:
    if near := get_close_matches(name, known, n=1):
        return f"; did you mean {near[0]}?"
    elsewhere = [key.section for key in KEYS if section and key.name == name]
    if elsewhere:
        return f"; it belongs to [{elsewhere[0]}]"
    return f"; there are {', '.join(known)}"


def _unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """Return a fault for each variable that is nearly one of ours; others are somebody else's."""
    known = [key.variable for key in KEYS]
    known += [PREFIX + name.upper() for name in ("config", *PASSWORDS)]
    faults = []
    for name in sorted(environ):
        if name.startswith(PREFIX) and name not in known:
            near = get_close_matches(name, known, n=1, cutoff=0.85)
            faults += [f"{name}: is unknown; did you mean {each}?" for each in near]
    return faults


def _unjudged(values: Mapping[str, Any]) -> list[str]:
    if values["trust"] == "dmarc" and values["authserv_id"] is None:
        return ['[mail] authserv_id: is missing; trust = "dmarc" needs to know whom to believe']
    return []
