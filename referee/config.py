"""What this installation is told: one settings object from referee.toml and REFEREE_… variables.

A variable wins over the file. Every fault is collected with its place before anything is refused.
"""

from __future__ import annotations

import os
import re
import ssl
import stat
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
from referee.games.game import LANGUAGES
from referee.mail.servers import Server, parse_server
from referee.matches.clock import parse_duration
from referee.matches.pace import Pace

FILE: Final = "referee.toml"
PREFIX: Final = "REFEREE_"
KEY_BYTES: Final = 32
KEYRING: Final = "openpgp"
LOG_LEVELS: Final = ("debug", "info", "warning", "error")
TRUST_LEVELS: Final = ("code", "dmarc", "pgp")
DATABASES: Final = ("sqlite:///", "postgresql://", "postgresql+psycopg://")
AUTHSERV_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
PRIVATE: Final = ("key_file", "password_file", "imap_password_file", "smtp_password_file")
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
    poll_seconds: int
    letter_bytes: int
    plus_addressing: bool | None
    trust: str
    authserv_id: str | None
    imap: Server = field(repr=False)
    smtp: Server = field(repr=False)
    database: str = field(repr=False)
    key: bytes = field(repr=False)

    @property
    def pace(self) -> Pace:
        """What a new match agrees about time, unless something else is asked for."""
        return Pace(per_turn=self.time_per_turn)

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


def read_address(value: str) -> str:
    """Return a mail address. Raises ValueError."""
    local, at, domain = value.rpartition("@")
    strange = any(not c.isprintable() or c in ' <>",;' for c in value)
    if not (local and at and domain.strip(".")) or "@" in local or strange:
        raise ValueError(f"{value!r} is no mail address; one looks like referee@example.org")
    return value


def read_text(value: str) -> str:
    """Return a line of text that may stand in a mail header. Raises ValueError."""
    if not value.strip() or not value.isprintable():
        raise ValueError("one line of text is wanted")
    return value.strip()


def read_language(value: str) -> str:
    """Return a language the referee writes. Raises ValueError."""
    if value not in LANGUAGES:
        raise ValueError(f"{value!r} is no language known here; there are {', '.join(LANGUAGES)}")
    return value


def read_zone(value: str) -> ZoneInfo:
    """Return a time zone by its name in the zone database. Raises ValueError."""
    try:
        return ZoneInfo(value)
    except (ValueError, OSError, KeyError):
        raise ValueError(f"{value!r} is no time zone; one looks like Europe/Berlin") from None


def read_database(value: str, folder: Path) -> str:
    """Return a database URL; a relative SQLite file starts from the folder. Raises ValueError."""
    if not value.startswith(DATABASES) or value in (*DATABASES, "sqlite:///:memory:"):
        wanted = "sqlite:///referee.db or postgresql://user@host/name"
        raise ValueError(f"a database looks like {wanted}")
    if value.startswith("sqlite:///"):
        return f"sqlite:///{folder / value.removeprefix('sqlite:///')}"
    return value


def read_log_level(value: str) -> str:
    """Return a level of the log. Raises ValueError."""
    if value not in LOG_LEVELS:
        raise ValueError(f"{value!r} is no log level; there are {', '.join(LOG_LEVELS)}")
    return value


def read_trust(value: str) -> str:
    """Return what a letter needs besides a reply code. Raises ValueError."""
    if value not in TRUST_LEVELS:
        raise ValueError(f"{value!r} is no level of trust; there are {', '.join(TRUST_LEVELS)}")
    return value


def read_authserv_id(value: str) -> str:
    """Return the name a mail server gives itself in Authentication-Results. Raises ValueError."""
    if not AUTHSERV_ID.fullmatch(value):
        raise ValueError(f"{value!r} is no name of a server; one looks like mx.example.org")
    return value


def read_time(value: str) -> timedelta:
    """Return a positive length of time, ``7d``. Raises ValueError."""
    try:
        time = parse_duration(value)
    except ValueError:
        raise ValueError(f"{value!r} is no length of time; one looks like 7d or 36h") from None
    if time <= timedelta(0):
        raise ValueError("a turn takes some time; try 7d")
    return time


def read_flag(value: bool) -> bool:
    """Return a yes or no."""
    return value


def read_key(value: str, folder: Path) -> bytes:
    """Return the key of the installation; only its owner may read the file. Raises ValueError."""
    file = folder / value
    try:
        mode, key = file.stat().st_mode, file.read_bytes()
    except OSError as error:
        raise ValueError(f"{file} cannot be read ({error.strerror})") from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ValueError(f"others may read {file}; run chmod 600 {file}")
    if len(key) < KEY_BYTES:
        raise ValueError(f"{file} holds {len(key)} bytes; a key has {KEY_BYTES}")
    return key


def read_place(value: str, folder: Path) -> Path:
    """Return where a file is that is read only when it is needed."""
    return folder / value


def read_certificates(value: str, folder: Path) -> Path:
    """Return a file of certificates. Raises ValueError when it cannot be used."""
    file = folder / value
    try:
        ssl.create_default_context(cafile=file)
    except (OSError, ssl.SSLError):
        raise ValueError(f"{file} holds no certificates in PEM form") from None
    return file


def _server(*kinds: str) -> Callable[[str], Server]:
    def read_server(value: str) -> Server:
        return parse_server(value, kinds)

    return read_server


def _number(least: int, most: int) -> Callable[[int], int]:
    def read_number(value: int) -> int:
        if not least <= value <= most:
            raise ValueError(f"{value} is not between {least} and {most}")
        return value

    return read_number


KEYS: Final = (
    Key("referee", "address", read_address, required=True),
    Key("referee", "name", read_text, default="Referee"),
    Key("referee", "organiser", read_address),
    Key("referee", "language", read_language, default="en"),
    Key("referee", "zone", read_zone, default="UTC"),
    Key("referee", "open", read_flag, bool, default=False),
    Key("referee", "key_file", read_key, default="referee.key", rooted=True),
    Key("referee", "log_level", read_log_level, default="info"),
    Key("mail", "imap", _server("imap"), required=True),
    Key("mail", "smtp", _server("smtp"), required=True),
    Key("mail", "password_file", read_place, rooted=True),
    Key("mail", "imap_password_file", read_place, rooted=True),
    Key("mail", "smtp_password_file", read_place, rooted=True),
    Key("mail", "ca_file", read_certificates, rooted=True),
    Key("mail", "poll_seconds", _number(1, 3600), int, default=60),
    Key("mail", "letter_bytes", _number(65_536, 50_000_000), int, default=1_000_000),
    Key("mail", "plus_addressing", read_flag, bool),
    Key("mail", "trust", read_trust, default="code"),
    Key("mail", "authserv_id", read_authserv_id),
    Key("store", "database", read_database, default="sqlite:///referee.db", rooted=True),
    Key("matches", "time_per_turn", read_time, default="7d"),
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
