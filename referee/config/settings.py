"""The settings of an installation, typed; and their loader, which raises all faults together."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from datetime import timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Any, ClassVar, Final
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from referee import resources
from referee.config.keys import KEYS, PREFIX, SECTIONS, Setting
from referee.config.login import complete_servers
from referee.errors import UNFIT, RefereeError
from referee.mail.oauth.tokens import Tokens
from referee.mail.transport.servers import Server
from referee.matches.time.pace import Pace
from referee.value import Discreet

FILE: Final = "referee.toml"
_OTHER_VARIABLES: Final = ("CONFIG", "PASSWORD", "IMAP_PASSWORD", "SMTP_PASSWORD")

_SIGNS: Final = (
    f"have the mail server sign what it sends: see DKIM in {resources.page('providers.md')}"
)

_GONE: Final[Mapping[str, str]] = {
    '[mail] trust = "pgp"': (
        'choose trust = "dmarc", for which your mail server must vouch for the sender of a letter, '
        'or trust = "code", for which a reply code and the address of its player are enough'
    ),
    "[mailbox]": (
        "one mailbox is read: make the other address an alias of it on the same server (mail "
        "forwarded from another server would lose the proof of its sender that DMARC asks for)"
    ),
    "[mail] dkim_key_file": _SIGNS,
    "[mail] dkim_selector": _SIGNS,
}
"""What to use instead of a section ``[name]``, key ``[name] key`` or value that is no more."""

_KEY: Final = re.compile(r"\[\w+\] (\w+)")

_AT: Final = re.compile(r" \(at line (\d+)")

_TWICE: Final = re.compile(r"Cannot declare \((.+)\) twice \(at line (\d+)")


class ConfigError(RefereeError):
    """Unusable settings; ``faults`` gives the place and the remedy of each fault."""

    status = UNFIT

    def __init__(self, *faults: str) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class Settings(Discreet):
    """The settings of an installation, each described in ``schemas/config.schema.json``.

    ``path`` is the file they come from, ``private`` the files that only their owner may read.
    ``late`` is a rule and its bot. Secrets are left out of the representation.
    """

    hidden: ClassVar[frozenset[str]] = frozenset({"imap", "smtp", "tokens", "database", "key"})
    path: Path
    private: tuple[Path, ...]
    address: str
    name: str
    language: str
    zone: ZoneInfo
    organiser: str | None
    open: bool
    log_level: str
    time_per_turn: timedelta | None
    bank: timedelta | None
    increment: timedelta
    reminders: tuple[timedelta, ...]
    leeway: timedelta
    days_off: frozenset[str]
    late: tuple[str, str | None]
    talk: timedelta
    away_days: int
    undo_days: int
    poll_seconds: int
    letter_bytes: int
    keep_days: int
    pictures: bool
    plus_addressing: bool | None
    composer: str | None
    trust: str
    authserv_id: str | None
    listen: tuple[str, int] | None
    imap: Server
    smtp: Server
    tokens: Tokens | None
    database: str
    key: bytes

    @property
    def domain(self) -> str:
        """The domain of the referee's own address."""
        return self.address.rpartition("@")[2]

    @property
    def database_file(self) -> Path | None:
        """The file of an SQLite database, otherwise None."""
        file = self.database.removeprefix("sqlite:///").partition("?")[0]
        return Path(unquote(file)) if self.database.startswith("sqlite:///") else None

    @property
    def pace(self) -> Pace:
        """The default terms of time of a new match."""
        rule, bot = self.late
        return Pace(
            # A match has one or the other; the time per turn has a default and so gives way.
            per_turn=None if self.bank else self.time_per_turn,
            bank=self.bank,
            increment=self.increment if self.bank else timedelta(0),
            reminders=self.reminders,
            leeway=self.leeway,
            days_off=self.days_off,
            late=rule,
            bot=bot,
        )

    def require_log_in(self) -> None:
        """Raise ConfigError if a password or token is missing."""
        lacking = dict.fromkeys(filter(None, (self.imap.lacking, self.smtp.lacking)))
        if lacking:
            raise ConfigError(*(f"{self.path}: {fault}" for fault in lacking))


def find_config(option: Path | None, environ: Mapping[str, str]) -> Path:
    """Return the configuration file: the option, else ./referee.toml, else ``REFEREE_CONFIG``.

    The folder of an installation may stand for its file. Raises ConfigError if there is none.
    """
    named = environ.get(f"{PREFIX}CONFIG")
    candidates = [option] if option else [Path(FILE), *([Path(named)] if named else [])]
    for candidate in candidates:
        file = candidate / FILE if candidate.is_dir() else candidate
        if file.is_file():
            return file.absolute()
    if option or named:
        last = candidates[-1]
        missing = f"{FILE} in {last.absolute()}" if last.is_dir() else last
        raise ConfigError(f"there is no {missing}; --config names the {FILE} to use")
    missing = f"there is no {FILE} here"
    raise ConfigError(f"{missing}; go to its folder, name it with --config, or referee init DIR")


def load_settings(path: Path, environ: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings of a configuration file and the environment. Raises ConfigError."""
    try:
        data = path.read_bytes()
        # Some editors put a byte-order mark before it.
        text = data.decode("utf-8-sig")
        document = tomllib.loads(text)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({type(error).__name__})") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        told = f"line {line}: cannot be read, for it is not UTF-8; have your editor save it as such"
        raise ConfigError(f"{path}: {told}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {_unreadable(text, str(error))}") from None
    odd = [name for name in SECTIONS if not isinstance(document.get(name, {}), dict)]
    faults = [f"[{name}]: is a section; its keys stand below a line [{name}]" for name in odd]
    faults += _unknown(document, environ)
    values: dict[str, Any] = {}
    file = path.absolute()
    private = [file]
    for key in (key for key in KEYS if key.section not in odd):
        try:
            value = _given_value(key, document, environ)
            if value is not None and key.is_private:
                private.append(file.parent / str(value))
            values[key.name] = None if value is None else key.read(value, file.parent)
        except ValueError as error:
            place = key.variable if key.is_given(environ) else key.place
            faults.append(f"{place}: {error}")
    # Only then do the values these compare exist.
    if not faults:
        if values["trust"] == "dmarc" and values["authserv_id"] is None:
            needed = 'trust = "dmarc" needs a server to believe'
            faults.append(f"[mail] authserv_id: is missing; {needed}")
        if values["increment"] and values["bank"] is None:
            faults.append("[matches] increment: goes into a bank; give one, or leave it out")
        faults += complete_servers(values, environ)
    if faults:
        # A fault of a variable lies in no file.
        raise ConfigError(
            *(fault if fault.startswith(PREFIX) else f"{path}: {fault}" for fault in faults)
        )
    values["key"] = values.pop("key_file")
    return Settings(path=path, private=tuple(private), **values)


def _unreadable(text: str, told: str) -> str:
    """Return the fault of a text that is no TOML, and how to write its line; never a secret.

    ``told`` is the fault in the parser's words, which name the line.
    """
    if twice := _TWICE.match(told):
        name = ".".join(re.findall(r"'([^']*)'", twice[1]))
        return f"line {twice[2]}: [{name}] stands there a second time; put both into one [{name}]"
    if not (at := _AT.search(told)):
        return told
    place, line = f"line {at[1]}", text.split("\n")[int(at[1]) - 1].strip()
    name, *_ = line.replace("=", " ").replace(":", " ").split() or [""]
    key = next((key for key in KEYS if key.name == name), None)
    if key is None:
        # It is not shown: a password may stand in it.
        expected = 'a line is [section], key = "value" or # remark'
        return f"{place}: cannot be read ({told[: at.start()]}); {expected}"
    if told.startswith("Cannot overwrite"):
        return f"{place}: {name} stands there a second time; leave one of them out"
    bare = line.partition("=")[2].partition("#")[0].strip(" \"'“”„")
    # A password may also stand in a command, in an address, or in what ran into this line.
    private = key.name.startswith("password") or "://" in line
    private = private or any(other.is_secret and other.name in line for other in KEYS)
    if private or key.row["type"] != "string" or not bare or '"' in bare:
        shown = name if private else line
        return f"{place}: {shown} cannot be read; {key.kind} is expected, as in {key.line()}"
    return f"{place}: {line} cannot be read; write {key.line(bare)}"


def _given_value(key: Setting, document: Mapping[str, Any], environ: Mapping[str, str]) -> object:
    """Return the value of a key in a file or variable, its default, or None. Raises ValueError."""
    value = document.get(key.section, {}).get(key.name, key.default)
    if key.is_given(environ):
        value = key.from_variable(environ[key.variable])
    elif value is None and key.required:
        raise ValueError("is missing")
    if instead := _GONE.get(f'{key.place} = "{value}"'):
        raise ValueError(f'"{value}" is no more; {instead}')
    return value


def _unknown(document: Mapping[str, Any], environ: Mapping[str, str]) -> list[str]:
    """Return a fault for each key and variable that is no more, or none of ours."""
    faults = []
    for name, section in document.items():
        if instead := _GONE.get(f"[{name}]"):
            faults.append(f"[{name}]: is no more; {instead}")
        elif name not in SECTIONS:
            faults.append(f"[{name}]: is unknown{_nearest(name, sorted(SECTIONS), '[{}]')}")
        elif isinstance(section, dict):
            known = [key.name for key in KEYS if key.section == name]
            for key in section:
                if instead := _GONE.get(f"[{name}] {key}"):
                    faults.append(f"[{name}] {key}: is no more; {instead}")
                elif key not in known:
                    faults.append(f"[{name}] {key}: is unknown{_nearest(key, known)}")
    # Other variables with our prefix may belong to another program, and pass.
    ours = [*(key.variable for key in KEYS), *(PREFIX + name for name in _OTHER_VARIABLES)]
    gone = {PREFIX + key[1].upper(): key[0] for key in map(_KEY.fullmatch, _GONE) if key}
    for name in sorted(environ):
        if name in gone:
            faults.append(f"{name}: is no more; {_GONE[gone[name]]}")
        elif name.startswith(PREFIX) and name not in ours:
            close = get_close_matches(name, ours, n=1, cutoff=0.85)
            faults += [f"{name}: is unknown; did you mean {near}?" for near in close]
    return faults


def _nearest(name: str, known: list[str], shown: str = "{}") -> str:
    if near := get_close_matches(name, known):
        # Two letters that changed places are likelier than others.
        swapped = [one for one in near if sorted(one) == sorted(name)]
        return f"; did you mean {shown.format((swapped or near)[0])}?"
    elsewhere = {key.name: key.section for key in KEYS}
    if name in elsewhere:
        return f"; it belongs to [{elsewhere[name]}]"
    if near := get_close_matches(name, elsewhere, n=1, cutoff=0.8):
        return f"; did you mean {near[0]}, in [{elsewhere[near[0]]}]?"
    return f"; there are {', '.join(known)}"
