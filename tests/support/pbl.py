"""A kind of file for Pebbles: a line about the match, then an order on each line."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from referee.games import registry
from referee.games.game import BadDocument, FileFormat, Result, Transcript
from referee.value import asdict

FIRST = "Pebbles "
"""The beginning of the line that a match begins with."""


def write(match: Transcript) -> str:
    """Return a match as a text."""
    told = {key: value for key, value in asdict(match).items() if key not in {"orders", "places"}}
    return f"{FIRST}{json.dumps(told)}\n" + "".join(f"{order}\n" for order in match.orders)


def read(text: str) -> Iterator[Transcript]:
    """Yield the matches of a text. Raises BadDocument."""
    if not text.startswith(FIRST):
        raise BadDocument("line 1", f"expected {FIRST}")
    for part in text.removeprefix(FIRST).split(FIRST):
        first, *orders = part.splitlines()
        told = json.loads(first)
        told["seats"] = tuple(told["seats"])
        told["result"] = Result(**told["result"]) if told["result"] else None
        places = tuple(f"line {number}" for number, _ in enumerate(orders, start=2))
        yield Transcript(orders=tuple(orders), places=places, **told)


PBL = FileFormat("application/x-pebbles", write, read)


def give_files(monkeypatch: pytest.MonkeyPatch, form: FileFormat = PBL) -> None:
    """Let Pebbles have files of its own."""
    kind = type(registry.find_installed("pebbles"))
    monkeypatch.setattr(kind, "files", {"pbl": form}, raising=False)
