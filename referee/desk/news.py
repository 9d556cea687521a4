"""What happened once and the organiser is told in his next summary; kept until then."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Connection

from referee.games.play import canonical_json
from referee.store import status

KEY: Final = "news"

MOST: Final = 200
"""Items kept; of more only the latest."""


def note(connection: Connection, part: str, fields: Mapping[str, Any]) -> None:
    """Keep something for the next summary: in which part, and the fields of its sentence."""
    kept = [*_kept(connection), {"part": part, "fields": dict(fields)}]
    status.put(connection, KEY, canonical_json(kept[-MOST:]))


def items(connection: Connection) -> list[tuple[str, dict[str, Any]]]:
    """Return what is kept, in order: the part and the fields of each."""
    return [(each["part"], each["fields"]) for each in _kept(connection)]


def forget(connection: Connection) -> None:
    """Drop what is kept: it has been told."""
    status.put(connection, KEY, "[]")


def forget_about(connection: Connection, name: str) -> None:
    """Drop what is kept about somebody."""
    left = [each for each in _kept(connection) if name not in each["fields"].values()]
    status.put(connection, KEY, canonical_json(left))


def _kept(connection: Connection) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(status.value(connection, KEY) or "[]")
    return found
