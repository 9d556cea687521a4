"""The units for systemd of one installation: those of ``deploy/``, filled in."""

from __future__ import annotations

import re
import sys
import sysconfig
from pathlib import Path
from typing import Final, Literal, TypeAlias

from referee import resources
from referee.config import Settings
from referee.store.database.engine import database_file, parse_url

UnitName: TypeAlias = Literal["referee.service", "referee-backup.service", "referee-backup.timer"]

_HOMES: Final = ("/home", "/root", "/run/user")


def fill_unit(name: UnitName, settings: Settings) -> str:
    """Return a unit with the program, the folders and the owner of an installation."""
    folder, program = settings.path.parent, Path(sysconfig.get_path("scripts"), "referee")
    # The database and the token are written as well, and may lie elsewhere.
    files = [database_file(parse_url(settings.database)), settings.tokens and settings.tokens.file]
    written = dict.fromkeys([folder, *(file.parent for file in files if file)])
    used = [*written, program, Path(sys.base_prefix)]
    places = {
        "/opt/referee/bin/referee": _quoted(program),
        "/var/lib/referee/referee.toml": _quoted(settings.path),
        "/var/lib/referee": " ".join(map(_quoted, written)),
    }

    def fill(line: re.Match[str]) -> str:
        key, value = line.groups()
        if key in {"User", "Group"}:
            value = settings.path.owner() if key == "User" else settings.path.group()
        elif key == "WorkingDirectory":
            value = str(folder).replace("%", "%%")
        elif key == "ProtectHome" and any(
            path.is_relative_to(home) for path in used for home in _HOMES
        ):
            value = "read-only"
        else:
            value = " ".join(places.get(word, word) for word in value.split())
        return f"{key}={value}"

    text = (resources.path("deploy") / name).read_text(encoding="utf-8")
    return re.sub(r"^(\w+)=(.*)$", fill, text, flags=re.MULTILINE)


def _quoted(path: Path) -> str:
    """Return a path as systemd takes it among others; systemd.syntax(7)."""
    plain = str(path).replace("%", "%%")
    return f'"{plain}"' if " " in plain else plain
