"""``referee service``: the units for systemd of this installation."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli import output, session
from referee.desk.service.units import UnitName, fill_unit


def service(
    unit: Annotated[
        UnitName, typer.Argument(metavar="UNIT", help="The unit: the daemon's, or of the backup.")
    ] = "referee.service",
) -> None:
    """Print a unit for systemd, filled in for this installation.

    Example: referee service > /etc/systemd/system/referee.service

    Example: referee service referee-backup.timer > /etc/systemd/system/referee-backup.timer
    """
    text = fill_unit(unit, session.settings())
    if not output.printed({"unit": unit, "text": text}):
        typer.echo(text, nl=False)
