"""How the value of one key of the configuration is read, and what is said when it is wrong."""

from __future__ import annotations

import re
import ssl
import stat
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from referee.access import PROVIDERS
from referee.bots import BOTS
from referee.games.game import LANGUAGES
from referee.mail.oauth.tokens import LOOPBACK
from referee.mail.transport.servers import Server, parse_server
from referee.matches.time.moments import parse_duration
from referee.matches.time.pace import read_late

KEY_BYTES: Final = 32
LOG_LEVELS: Final = ("debug", "info", "warning", "error")
TRUST_LEVELS: Final = ("code", "dmarc", "pgp")
DATABASES: Final = ("sqlite:///", "postgresql://", "postgresql+psycopg://")
AUTHSERV_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


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


def read_provider(value: str) -> str:
    """Return a provider whose addresses are known here. Raises ValueError."""
    if value not in PROVIDERS:
        raise ValueError(f"{value!r} is no provider known here; there are {', '.join(PROVIDERS)}")
    return value


def read_page(value: str) -> str:
    """Return an address that a person opens. Raises ValueError."""
    if not value.startswith("https://") or not urlsplit(value).hostname:
        raise ValueError(f"{value!r} is no address that begins with https://")
    return value


def read_url(value: str) -> str:
    """Return an address that tokens may be sent to. Raises ValueError."""
    parts = urlsplit(value)
    if parts.scheme == "https" and parts.hostname:
        return value
    if parts.scheme == "http" and parts.hostname in LOOPBACK:
        return value
    raise ValueError(f"{value!r} is no address that begins with https://")


def read_time(value: str) -> timedelta:
    """Return a positive length of time, ``7d``. Raises ValueError."""
    try:
        time = parse_duration(value)
    except ValueError:
        raise ValueError(f"{value!r} is no length of time; one looks like 7d or 36h") from None
    if time <= timedelta(0):
        raise ValueError("a turn takes some time; try 7d")
    return time


def read_span(value: str) -> timedelta:
    """Return a length of time, ``12h``; nought too. Raises ValueError."""
    try:
        return parse_duration(value)
    except ValueError:
        raise ValueError(f"{value!r} is no length of time; one looks like 12h or 0h") from None


def read_reminders(value: str) -> tuple[timedelta, ...]:
    """Return when players are reminded, ``2d, 6h`` before the end. Raises ValueError."""
    return tuple(read_time(each) for each in value.split(",") if each.strip())


def read_late_rule(value: str) -> tuple[str, str | None]:
    """Return what happens to a seat out of time, and the bot that plays. Raises ValueError."""
    rule, bot = read_late(value)
    if bot is not None and bot not in BOTS:
        raise ValueError(f"{bot!r} is no bot; there are {', '.join(sorted(BOTS))}")
    return rule, bot


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


def server_reader(*kinds: str) -> Callable[[str], Server]:
    """Return what reads the URL of a server of one of these kinds."""

    def read_server(value: str) -> Server:
        return parse_server(value, kinds)

    return read_server


def number_reader(least: int, most: int) -> Callable[[int], int]:
    """Return what reads a number within bounds."""

    def read_number(value: int) -> int:
        if not least <= value <= most:
            raise ValueError(f"{value} is not between {least} and {most}")
        return value

    return read_number
