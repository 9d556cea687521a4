"""The table of settings, read from its one source; how values are read, and the commented file.

The source is ``schemas/config.schema.json``; ``referee init`` writes the file. The readers of
formats raise ValueError.
"""

from __future__ import annotations

import json
import re
import shlex
import ssl
import stat
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import Any, Final
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo, available_timezones

from referee import resources
from referee.bots import BOTS
from referee.config.login import run_password_command
from referee.mail.addressing import valid_address
from referee.mail.oauth.tokens import LOOPBACK
from referee.mail.transport.servers import parse_server
from referee.matches.time.calendar import parse_days_off
from referee.matches.time.moments import format_duration, parse_duration
from referee.matches.time.pace import MOST_TALK, is_nothing, read_late, split_reminders
from referee.text import sqlite_url
from referee.value import Value

PREFIX: Final = "REFEREE_"

_TYPES: Final[Mapping[str, tuple[type, str]]] = {
    "string": (str, 'text in quotes, "…"'),
    "integer": (int, "a whole number"),
    "boolean": (bool, "true or false"),
}

_HEAD: Final = """\
# The settings of this referee. A variable wins over a key here: REFEREE_ and the key in capitals,
# such as REFEREE_POLL_SECONDS. Relative paths start from the folder of this file. As it may hold
# passwords, only its owner should be able to read it (chmod 600). Commands read it each time, a
# daemon only when it starts: restart that after a change.
"""

KEY_BYTES: Final = 32

_SERVER_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_DATABASES: Final = ("sqlite:///", "postgresql://", "postgresql+psycopg://")


def _read_address(value: str) -> str:
    # As it is kept everywhere: letters to it and from it are compared with it.
    address = valid_address(value)
    if address is None or value != value.strip():
        raise ValueError(f"{value!r} is not a mail address; write one like referee@example.org")
    return address


def _read_line(value: str) -> str:
    """Return a line that may stand in a mail header."""
    if not value.strip() or not value.isprintable():
        raise ValueError("write one line of text")
    return value.strip()


def _read_zone(value: str) -> ZoneInfo:
    try:
        return ZoneInfo(value)
    except (ValueError, OSError, KeyError):
        if not available_timezones():
            raise ValueError("this machine knows no time zones; run pip install tzdata") from None
        raise ValueError(f"{value!r} is not a time zone; write one like Europe/Berlin") from None


def _read_database(value: str, folder: Path) -> str:
    """Return a database URL, with the path of an SQLite file absolute."""
    if not value.startswith(_DATABASES) or value in (*_DATABASES, "sqlite:///:memory:"):
        wanted = "sqlite:///referee.db or postgresql://user@host/name"
        raise ValueError(f"write a database as {wanted}")
    if value.startswith("sqlite:///"):
        file, mark, query = value.removeprefix("sqlite:///").partition("?")
        return f"{sqlite_url(folder / unquote(file))}{mark}{query}"
    try:
        parts = urlsplit(value)
        plain = parts.port != 0 and parts.netloc.count("@") < 2
    except ValueError:
        plain = False
    if not plain:
        # The value is not repeated: it may hold a password.
        raise ValueError("write @ in a password as %40, : as %3A, / as %2F; a port is a number")
    return value


def _read_server_name(value: str) -> str:
    if not _SERVER_NAME.fullmatch(value):
        raise ValueError(f"{value!r} is not the name of a server; write one like mx.example.org")
    return value


def _read_listen(value: str) -> tuple[str, int]:
    """Return host and port of an address to listen on."""
    host, colon, port = value.rpartition(":")
    # Without brackets the port would be taken from an address of IPv6 itself.
    bracketed = host.startswith("[") and host.endswith("]")
    bare = host.removeprefix("[").removesuffix("]")
    number = port.isascii() and port.isdecimal() and int(port) < 65536
    if not (colon and bare and number) or (":" in host and not bracketed):
        raise ValueError(f"{value!r} is not host and port; write one like 127.0.0.1:9108")
    return bare, int(port)


def _read_page(value: str) -> str:
    """Return an address that a person opens."""
    if not value.startswith("https://") or not urlsplit(value).hostname:
        raise ValueError(f"{value!r} is not an address that begins with https://")
    # What stands behind # is ours to add, or nobody's.
    if "#" in value:
        raise ValueError(f"{value!r} has a part behind #; leave that out")
    return value


def _read_endpoint(value: str) -> str:
    """Return an address that tokens may be sent to."""
    parts = urlsplit(value)
    # Unencrypted only within this machine: a token is as good as the password.
    if parts.scheme == "http" and parts.hostname in LOOPBACK:
        return value
    return _read_page(value)


def _read_span(value: str, like: str = "7d or 36h") -> timedelta:
    try:
        return parse_duration(value)
    except ValueError:
        raise ValueError(f"{value!r} is not a length of time; write one like {like}") from None


def _read_talk(value: str) -> timedelta:
    """Return how long orders with talk are held; nought for ``none``."""
    if is_nothing(value):
        return timedelta(0)
    span = _read_span(value, "10m or 1h, or none")
    if span > MOST_TALK:
        raise ValueError(f"{value!r} is too long; at most {format_duration(MOST_TALK)}")
    return span


def _read_time(value: str) -> timedelta:
    """Return a length of time above zero."""
    time = _read_span(value)
    if not time:
        raise ValueError("the time must be above zero; try 7d")
    return time


def _read_late_rule(value: str) -> tuple[str, str | None]:
    """Return the rule for a seat out of time with its bot."""
    rule, bot = read_late(value)
    if bot is not None and bot not in BOTS:
        raise ValueError(f"{bot!r} is not a bot; choose one of {', '.join(sorted(BOTS))}")
    return rule, bot


def _read_key(value: str, folder: Path) -> bytes:
    """Return the secret key in a file private to its owner."""
    file = folder / value
    # Whoever has the key can make every reply code.
    try:
        mode, key = file.stat().st_mode, file.read_bytes()
    except OSError as error:
        gone = isinstance(error, FileNotFoundError)
        advice = "; put your copy of it back, or set key_file right" if gone else ""
        raise ValueError(f"{file} cannot be read ({error.strerror}){advice}") from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ValueError(f"others may read {file}; run chmod 600 {file}")
    if len(key) < KEY_BYTES:
        raise ValueError(f"{file} holds {len(key)} bytes; a key has {KEY_BYTES}")
    return key


def _read_certificates(value: str, folder: Path) -> Path:
    """Return the path of a usable file of certificates."""
    file = folder / value
    try:
        # Tried now, or the fault would show at the first connection, hours later perhaps.
        ssl.create_default_context(cafile=file)
    except ssl.SSLError:
        raise ValueError(f"{file} holds no certificates in PEM form") from None
    except OSError as error:
        raise ValueError(f"{file} cannot be read ({error.strerror})") from None
    return file


def _read_command(value: str, folder: Path) -> Callable[[], str]:
    """Return a function that runs a command for the password."""
    try:
        words = shlex.split(value)
    except ValueError:
        raise ValueError("the command has a quotation mark without its twin") from None
    if not words:
        raise ValueError("write a command, such as pass show referee")
    return partial(run_password_command, words, folder)


READERS: Final[Mapping[str, Callable[..., Any]]] = {
    "address": _read_address,
    "days-off": parse_days_off,
    "endpoint": _read_endpoint,
    "imap-url": partial(parse_server, kind="imap"),
    "late": _read_late_rule,
    "line": _read_line,
    "listen": _read_listen,
    "page": _read_page,
    "reminders": lambda value: tuple(map(_read_time, split_reminders(value))),
    "server-name": _read_server_name,
    "smtp-url": partial(parse_server, kind="smtp"),
    "span": _read_span,
    "talk": _read_talk,
    "time": _read_time,
    "turn-time": lambda value: None if is_nothing(value) else _read_time(value),
    "zone": _read_zone,
}
"""A reader for each ``format`` of the schema that needs no folder."""

IN_FOLDER: Final[Mapping[str, Callable[..., Any]]] = {
    "certificates": _read_certificates,
    "command": _read_command,
    "database": _read_database,
    "key-file": _read_key,
    # Read only when it is needed.
    "secret-file": lambda value, folder: folder / value,
}
"""Readers that also take the folder for relative paths."""


class Setting(Value):
    """One setting: its section, its name, and its row of the schema."""

    section: str
    name: str
    row: Mapping[str, Any]
    required: bool

    @property
    def default(self) -> Any:
        """The value of a key left out, or None."""
        return self.row.get("default")

    @property
    def place(self) -> str:
        return f"[{self.section}] {self.name}"

    @property
    def kind(self) -> str:
        """How its value is written, in words."""
        return _TYPES[self.row["type"]][1]

    def line(self, value: str | int | None = None) -> str:
        """Return its line in a file: with a value, else with its default, else with an example."""
        value = self.default if value is None else value
        value = self.row["examples"][0] if value is None else value
        # The escapes of JSON strings are TOML's too.
        toml = f"{value:_}" if type(value) is int else json.dumps(value, ensure_ascii=False)
        return f"{self.name} = {toml}"

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper()

    @property
    def is_private(self) -> bool:
        """Whether its value is a file that only the owner may read."""
        return self.row.get("format") in {"key-file", "secret-file"}

    @property
    def is_secret(self) -> bool:
        """Whether its value is a password, or may hold one."""
        return self.name in {"imap", "smtp", "database", "client_secret"}

    def is_given(self, environ: Mapping[str, str]) -> bool:
        """Return whether its variable is given; files of variables leave some empty."""
        # Only where nothing at all is a value too, as no reminders are.
        empty_counts = self.required or self.row.get("format") in {"days-off", "reminders"}
        return self.variable in environ and bool(environ[self.variable] or empty_counts)

    def from_variable(self, text: str) -> str | int | bool:
        """Return the text of a variable as number or flag, where possible."""
        bare = text.strip().lower()
        if self.row["type"] == "integer" and bare.isdecimal():
            return int(bare)
        if self.row["type"] == "boolean" and bare in {"true", "false"}:
            return bare == "true"
        # What does not fit is reported by the reader, with the right form.
        return text

    def read(self, value: object, folder: Path) -> Any:
        """Return the setting for a value; paths start from ``folder``. Raises ValueError."""
        row = self.row
        # By exact type: True would pass for a whole number.
        if type(value) is not _TYPES[row["type"]][0]:
            instead = "" if self.is_secret else f", not {value!r}"
            raise ValueError(f"{self.kind} is expected{instead}")
        if row.get("format") in IN_FOLDER:
            return IN_FOLDER[row["format"]](value, folder)
        if "format" in row:
            return READERS[row["format"]](value)
        if "enum" in row and value not in row["enum"]:
            raise ValueError(f"{value!r} is not one of {', '.join(row['enum'])}")
        if "minimum" in row and not row["minimum"] <= value <= row["maximum"]:
            raise ValueError(f"{value} is not between {row['minimum']} and {row['maximum']}")
        return value


SECTIONS: Final[Mapping[str, Any]] = resources.schema("config")["properties"]

KEYS: Final = tuple(
    Setting(
        name,
        key,
        row | {"enum": list(resources.languages())} if key == "language" else row,
        required=key in section.get("required", ()),
    )
    for name, section in SECTIONS.items()
    for key, row in section["properties"].items()
)


def sample(given: Mapping[str, str | int | None]) -> str:
    """Return a configuration file with every key, each with its description.

    A key has the value ``given`` for its name, else its default, else an example: as its value if
    it is required, otherwise as a comment.
    """
    lines = [_HEAD]
    for name, section in SECTIONS.items():
        lines += [f"# {section['title']}.", f"[{name}]"]
        for key in (key for key in KEYS if key.section == name):
            row = key.row
            said = [row["description"]]
            said += [f"One of {', '.join(row['enum'])}."] if "enum" in row else []
            said += [f"From {row['minimum']} to {row['maximum']}."] if "minimum" in row else []
            said += ["Required."] if key.required else []
            lines += [f"# {line}" for line in wrap(" ".join(said), 98, break_on_hyphens=False)]
            value = given.get(key.name)
            only_example = value is None and key.default is None and not key.required
            lines.append(f"{'# ' if only_example else ''}{key.line(value)}\n")
    return "\n".join(lines)
