"""What an installation is made of, and how it is written: complete or not at all."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Final

from referee.config import ConfigError, load
from referee.errors import RefereeError

KEY: Final = "referee.key"
CONFIG: Final = "referee.toml"
DATABASE: Final = "sqlite:///referee.db"

TEMPLATE: Final = """\
# The settings of this referee. Every key may also be given as a variable: REFEREE_ADDRESS, …
# This file may hold passwords: it is for its owner only.

[referee]
address = {address}
# The name beside the address in every mail.
# name = "Referee"
# Who gets the daily summary and the alarms.
{organiser}
# For those who have not chosen their own.
language = {language}
zone = {zone}
# May strangers join by mail?
open = false
# The secret that reply codes are made with. Keep a copy; without it running matches need new ones.
key_file = "referee.key"
# debug, info, warning or error
log_level = "info"

[mail]
# A user's @ is written %40. In place of the password in the URL: password_file, or
# imap_password_file and smtp_password_file, or REFEREE_IMAP_PASSWORD and REFEREE_SMTP_PASSWORD.
imap = {imap}
smtp = {smtp}
# The time between two looks at the mailbox; new mail is often announced sooner.
poll_seconds = 60
# Of a larger letter only the beginning is read.
letter_bytes = 1_000_000
# Does mail to referee+anything@… reach this mailbox too? Then bounces mark the addresses that fail.
# Unless it is said here, it is as `referee doctor` has found.
# plus_addressing = true
# What a letter needs besides a reply code and the player's address: "code" nothing, "dmarc" the
# word of the mail server named by authserv_id, "pgp" a signature by the player's key.
trust = "code"
# authserv_id = "mx.example.org"

[store]
# sqlite:///file (relative to this file) or postgresql://user:password@host/name
database = {database}

[matches]
# What a new match starts with: 7d, 36h, 1w 2d.
time_per_turn = "7d"
"""


@dataclass(frozen=True, slots=True)
class Answers:
    """What an installation is made of, as it was given or asked for."""

    address: str
    imap: str
    smtp: str
    database: str
    organiser: str | None
    zone: str
    language: str

    def toml(self) -> str:
        """Return the commented configuration file."""
        organiser = f"organiser = {_quoted(self.organiser or 'organiser@example.org')}"
        return TEMPLATE.format(
            address=_quoted(self.address),
            organiser=organiser if self.organiser else f"# {organiser}",
            language=_quoted(self.language),
            zone=_quoted(self.zone),
            imap=_quoted(self.imap),
            smtp=_quoted(self.smtp),
            database=_quoted(self.database),
        )


def refuse_existing(folder: Path) -> None:
    """Raise RefereeError when something stands where an installation would be written."""
    if folder.exists() and not folder.is_dir():
        raise RefereeError(f"{folder} is a file; name a folder")
    for name in (CONFIG, KEY):
        if (folder / name).exists():
            raise RefereeError(f"{folder / name} exists; an installation is never overwritten")


def set_up(folder: Path, answers: Answers) -> None:
    """Write settings, key and database, or nothing at all. Raises RefereeError."""
    # The store costs half a second of start-up, which a wrong option should not.
    from referee.store.store import create  # noqa: PLC0415

    passwords = {name: os.environ[name] for name in os.environ if name.endswith("_PASSWORD")}
    with staged(folder) as stage:
        _write(stage / CONFIG, answers.toml().encode())
        _write(stage / KEY, secrets.token_bytes(32))
        try:
            settings = load(stage / CONFIG, passwords)
            settings.require_log_in()
        except ConfigError as error:
            shown = [each.replace(f"{stage}/{CONFIG}: ", "") for each in error.faults]
            raise ConfigError(*shown) from None
        with _removed_on_failure(settings.database):
            create(settings.database)


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """Give a folder whose files take their places in ``folder`` only if nothing fails.

    The configuration is moved last: without it there is no installation.
    """
    folder = folder.absolute()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = folder if folder.is_dir() else folder.parent
        stage = Path(mkdtemp(prefix=".referee-init-", dir=beside))
    except OSError as error:
        raise RefereeError(f"{folder} cannot be written ({error.strerror})") from None
    try:
        yield stage
        if not folder.exists():
            stage.rename(folder)
            return
        _move(stage, folder)
    finally:
        rmtree(stage, ignore_errors=True)


def _move(stage: Path, folder: Path) -> None:
    """Move all files into a folder, the configuration last. Raises RefereeError if one is there."""
    files = sorted(stage.iterdir(), key=lambda file: file.name == CONFIG)
    for file in files:
        if (folder / file.name).exists():
            raise RefereeError(f"{folder / file.name} exists and is not overwritten")
    for file in files:
        file.rename(folder / file.name)


@contextmanager
def _removed_on_failure(url: str) -> Iterator[None]:
    """Remove an SQLite file that did not exist before when creating it fails."""
    file = Path(url.removeprefix("sqlite:///")) if url.startswith("sqlite:///") else None
    if file and file.exists():
        raise RefereeError(f"{file} exists and is not overwritten; name another --database")
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        if file:
            file.unlink(missing_ok=True)
        raise


def _write(file: Path, data: bytes) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as opened:
        opened.write(data)


def _quoted(text: str) -> str:
    """Return a TOML string; JSON's escapes are TOML's too."""
    return json.dumps(text, ensure_ascii=False)
