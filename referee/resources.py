"""Files that come with the project or with a game."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, Literal, Protocol

DISTRIBUTION: Final = "referee-by-mail"
"""The name pip knows the program by; the command itself is ``referee``."""


def advise_extra(extra: Literal["auth", "demo", "postgres"]) -> str:
    """Return the command that installs what an extra holds."""
    # The distribution is installed already, so pip asks no index for that name.
    return f"pip install '{DISTRIBUTION}[{extra}]'"


class HasResources(Protocol):
    """A game, as far as its files are concerned: the package that holds them."""

    @property
    def resources(self) -> str: ...


@cache
def path(name: str) -> Path:
    """Return the folder ``schemas`` or ``templates``.

    A wheel carries them in ``referee/share``; in a checkout they are beside the package.
    Raises FileNotFoundError if the installation is incomplete.
    """
    package = Path(__file__).parent
    for candidate in (package / "share" / name, package.parent / name):
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(f"the folder {name!r} is missing from this installation")


@cache
def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema ``schemas/<name>.schema.json``. Raises FileNotFoundError."""
    text = (path("schemas") / f"{name}.schema.json").read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


def game_resource(game: HasResources, name: str) -> bytes:
    """Return a file of a game's own resources, such as ``schemas/order.schema.json``.

    Raises FileNotFoundError.
    """
    return resources.files(game.resources).joinpath(name).read_bytes()
