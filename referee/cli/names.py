"""Names that a shell is offered for an argument: matches, players, seats, numbers."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection

from referee.config import find_config, load
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import letters, outbox
from referee.store.store import open_store

MOST: Final = 200
"""Names offered at once."""

# Shells put what they are offered into the line as it is. An address may hold what a shell would
# carry out, and its owner chose it: whoever means that one types it, in quotation marks.
_PLAIN: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@+-]*")

Names = Callable[[Connection, list[str]], Iterable[str]]
"""Yields names; the list holds the earlier words of the line."""


def equip(command: Any) -> None:
    """Give the arguments of a command the names they can have."""
    for parameter in command.params:
        names = NAMES.get(parameter.metavar or "")
        if names is not None:
            # Typer's own ``autocompletion`` would need this at every argument of every command.
            parameter._custom_shell_complete = _offered(names)  # noqa: SLF001


def _line() -> str:
    """Return the command line so far, as the shell hands it over."""
    return os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")


def _offered(names: Names) -> Callable[[Any, Any, str], list[str]]:
    def offer(ctx: Any, parameter: Any, incomplete: str) -> list[str]:
        del parameter
        root = ctx.find_root().params.get("config")
        words = _line().split()
        try:
            with _reading(root) as connection:
                found = [
                    each
                    for each in names(connection, words)
                    if each.startswith(incomplete) and _PLAIN.fullmatch(each)
                ]
        except Exception:  # noqa: BLE001 - a shell that asks wants no complaints
            return []
        return found[:MOST]

    return offer


@contextmanager
def _reading(config: Path | None) -> Iterator[Connection]:
    settings = load(find_config(config, os.environ), os.environ)
    with open_store(settings.database, patience=0.2) as store, store.reading() as connection:
        yield connection


def _matches(connection: Connection, _: list[str]) -> Iterable[str]:
    return [row.name for row in reversed(matches.list_matches(connection))]


def _players(connection: Connection, _: list[str]) -> Iterable[str]:
    for row in players.list_players(connection):
        yield from (each.address for each in players.addresses_of(connection, row.id))


def _seats(connection: Connection, words: list[str]) -> Iterable[str]:
    row = next(filter(None, (matches.get(connection, word) for word in words)), None)
    return [] if row is None else [each.seat for each in matches.seats(connection, row.id)]


def _letters(connection: Connection, _: list[str]) -> Iterable[str]:
    return [str(row.id) for row in letters.list_letters(connection, limit=50)]


def _mails(connection: Connection, _: list[str]) -> Iterable[str]:
    return [str(row.id) for row in outbox.list_outbox(connection, limit=50)]


NAMES: Final[Mapping[str, Names]] = {
    "MATCH": _matches,
    "PLAYER": _players,
    "SEAT": _seats,
    "LETTER": _letters,
    "MAIL": _mails,
}
"""The names for each argument, by its word in help pages."""
