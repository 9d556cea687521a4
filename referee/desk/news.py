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
    kept = [*_read(status.locked(connection, KEY)), {"part": part, "fields": dict(fields)}]
    status.put(connection, KEY, canonical_json(kept[-MOST:]))


def take(connection: Connection) -> list[tuple[str, dict[str, Any]]]:
    """Return what is kept, in order, and drop it: the part and the fields of each."""
    kept = _read(status.locked(connection, KEY))
    status.remove(connection, KEY)
    return [(each["part"], each["fields"]) for each in kept]


def forget_about(connection: Connection, name: str) -> None:
    """Drop what is kept about somebody."""
    kept = _read(status.locked(connection, KEY))
    left = [each for each in kept if name not in each["fields"].values()]
    status.put(connection, KEY, canonical_json(left))


def _read(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(text or "[]")
    return found
