"""New installations: settings, key and database, written together."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, mkdtemp
from typing import Final

from referee import resources
from referee.config import FILE, ConfigError, Settings, load_settings
from referee.config.keys import sample
from referee.errors import RefereeError
from referee.files import write_whole

KEY: Final = "referee.key"


def refuse_existing(folder: Path) -> None:
    """Raise RefereeError if the folder is a file, or holds a file of an installation already."""
    if folder.exists() and not folder.is_dir():
        raise RefereeError(f"{folder} is a file; name a folder")
    for name in (FILE, KEY):
        if (folder / name).exists():
            raise RefereeError(
                f"{folder / name} exists; an installation is never overwritten. "
                "To move it to PostgreSQL or another machine: see "
                f"{resources.page('organisers/moving.md')}"
            )


def set_up_installation(
    folder: Path,
    given: Mapping[str, str | int | None],
    environ: Mapping[str, str] = os.environ,
) -> None:
    """Write settings, key and database; only a folder that gets all of them is an installation.

    A database elsewhere may stay behind after a later fault. ``given`` are settings by name; the
    others keep their defaults. Passwords may stand in ``environ``. Raises RefereeError, and
    ConfigError for wrong settings.
    """
    # The store costs half a second of start-up, which a wrong option should not.
    from referee.store.store import create_store  # noqa: PLC0415

    # All is written beside the folder, and moves into it once everything is there.
    folder = folder.absolute()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = folder if folder.is_dir() else folder.parent
        stage = Path(mkdtemp(prefix=".referee-init-", dir=beside))
    except OSError as error:
        raise RefereeError(f"{folder} cannot be written ({error.strerror})") from None
    try:
        settings = _staged(stage, given, environ, complete=True)
        url, store = settings.database, settings.database_file
        if store:
            if there := _there(store):
                told = f"{there} exists and is not overwritten; name another --database"
                raise RefereeError(told)
            store.parent.mkdir(parents=True, exist_ok=True)
        try:
            create_store(url)
        except BaseException:
            if store:
                store.unlink(missing_ok=True)
            raise
        if not folder.exists():
            stage.rename(folder)
            return
        # The configuration moves last: without it there is no installation.
        files = sorted(stage.iterdir(), key=lambda file: file.name == FILE)
        for file in files:
            if there := _there(folder / file.name):
                raise RefereeError(f"{there} exists and is not overwritten")
        for file in files:
            file.rename(folder / file.name)
    finally:
        rmtree(stage, ignore_errors=True)


def draft_settings(given: Mapping[str, str | int | None]) -> Settings:
    """Return the settings that an installation would have; nothing of it stays.

    What is not ``given`` has its default or an example. Raises ConfigError.
    """
    with TemporaryDirectory() as stage:
        return _staged(Path(stage), given)


def _staged(
    stage: Path,
    given: Mapping[str, str | int | None],
    environ: Mapping[str, str] = os.environ,
    *,
    complete: bool = False,
) -> Settings:
    """Write settings and key to a folder and return the settings as they are read back."""
    # Only passwords: another variable would override what was given here.
    endings = ("_PASSWORD", "_PASSWORD_FILE")
    passwords = {name: value for name, value in environ.items() if name.endswith(endings)}
    for file, content in ((FILE, sample(given).encode()), (KEY, secrets.token_bytes(32))):
        write_whole(stage / file, content, mode=0o600)
    try:
        settings = load_settings(stage / FILE, passwords)
        if complete and settings.tokens is None:
            settings.require_log_in()
    except ConfigError as error:
        # The staging folder is gone when the message is read.
        shown = [fault.replace(f"{stage}/{FILE}: ", "") for fault in error.faults]
        raise ConfigError(*shown) from None
    return settings


def _there(file: Path) -> Path | None:
    """Return the file, or a log SQLite left beside it, if there is one.

    A new database would read that log as its own.
    """
    beside = (file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm"))
    return next((file for file in beside if file.exists()), None)
