"""``referee service``: the units for systemd of ``deploy/``, filled in for this installation."""

from __future__ import annotations

import re
import sys
import sysconfig
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import typer

from referee import resources
from referee.cli import output, session
from referee.cli.options import argument

Unit: TypeAlias = Literal["referee.service", "referee-backup.service", "referee-backup.timer"]

_HOMES: Final = ("/home", "/root", "/run/user")


def service(
    unit: Annotated[
        Unit, argument("UNIT", "The unit: the daemon's, or of the backup.")
    ] = "referee.service",
) -> None:
    """Print a unit of systemd for this installation.

    Example: referee service > /etc/systemd/system/referee.service

    Example: referee service referee-backup.timer > /etc/systemd/system/referee-backup.timer
    """
    settings = session.settings()
    file, program = settings.path, Path(sysconfig.get_path("scripts"), "referee")
    # A database elsewhere is written there, and so is a token whenever it is renewed.
    elsewhere = (settings.database_file, settings.tokens and settings.tokens.file)
    written = dict.fromkeys([file.parent, *(path.parent for path in elsewhere if path)])
    used = [*written, program, Path(sys.base_prefix)]
    at_home = any(path.is_relative_to(home) for path in used for home in _HOMES)
    places = {
        "/opt/referee/bin/referee": f'"{_spelt(program)}"',
        "/var/lib/referee/referee.toml": f'"{_spelt(file)}"',
        "/var/lib/referee": " ".join(f'"{_spelt(folder)}"' for folder in written),
    }
    values = {
        "User": file.owner(),
        "Group": file.group(),
        "WorkingDirectory": _spelt(file.parent),
        **({"ProtectHome": "read-only"} if at_home else {}),
    }

    def fill(line: re.Match[str]) -> str:
        key, value = line.groups()
        words = [places.get(word, word) for word in value.split()]
        return f"{key}={values.get(key, ' '.join(words))}"

    text = (resources.path("deploy") / unit).read_text(encoding="utf-8")
    text = re.sub(r"^(\w+)=(.*)$", fill, text, flags=re.MULTILINE)
    if not output.printed({"unit": unit, "text": text}):
        typer.echo(text, nl=False)


def _spelt(path: Path) -> str:
    """Return a path as a unit spells it, in which ``%`` begins what systemd fills in."""
    return str(path).replace("%", "%%")
