"""Every command of the program, as the command line finds it."""

from collections.abc import Iterator
from typing import Any

import typer
from typer.main import get_command

from referee.cli import app


def commands(command: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every command of the program by its name."""
    inner = getattr(command, "commands", None)
    if inner is None:
        yield name, command
        return
    for each in command.list_commands(typer.Context(command)):
        below = command.get_command(typer.Context(command), each)
        yield from commands(below, f"{name} {each}".strip())


EVERY = dict(commands(get_command(app)))
