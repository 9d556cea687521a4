"""Installed games and their editions, found through an entry-point group alone."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from msgspec import field

from referee.games.game import AnyGame
from referee.value import Value

GROUP: Final = "referee.games"
"""The entry-point group of games, with one entry per edition."""

NAME: Final = re.compile(r"[a-z][a-z0-9]{0,40}")
"""The form of a game's name. Its matches bear the name in mails, and replies are found by it."""

log = logging.getLogger(__name__)


class UnknownGame(LookupError):
    """No such game, or no such edition of it, is installed."""

    def __init__(self, name: str, edition: int | None, installed: Mapping[str, list[int]]) -> None:
        wanted = name if edition is None else f"{name} edition {edition}"
        known = ", ".join(
            f"{game} ({'edition' if len(numbers) == 1 else 'editions'} "
            f"{', '.join(map(str, numbers))})"
            for game, numbers in installed.items()
        )
        super().__init__(f"no game {wanted} is installed; there are: {known or 'none'}")
        self.name = name
        self.edition = edition


class BrokenGame(Value):
    """An installed game that could not be loaded, and the reason."""

    entry: str
    value: str
    problem: str


class Registry(Value):
    """The games of a set of entry points, by name and edition.

    Entries that could not be loaded are listed apart.
    """

    games: Mapping[tuple[str, int], AnyGame] = field(default_factory=dict)
    broken: tuple[BrokenGame, ...] = ()

    def find(self, name: str, edition: int | None = None) -> AnyGame:
        """Return a game, in its newest edition by default. Raises UnknownGame."""
        known = self.editions(name)
        # The newest edition for new matches; running ones name theirs.
        wanted = known[-1] if edition is None and known else edition
        if wanted is None or wanted not in known:
            raise UnknownGame(name, edition, {game: self.editions(game) for game in self.names()})
        return self.games[name, wanted]

    def names(self) -> list[str]:
        """Return the names of all games, sorted."""
        return sorted({name for name, _ in self.games})

    def editions(self, name: str) -> list[int]:
        """Return the editions of a game, oldest first, none if it is not installed."""
        return sorted(edition for game, edition in self.games if game == name)

    def all(self) -> list[AnyGame]:
        """Return every edition of every game, by name and edition."""
        return [self.games[key] for key in sorted(self.games)]


def load_games(entries: list[EntryPoint]) -> Registry:
    """Load the games of entry points; broken ones are reported and left out."""
    games: dict[tuple[str, int], AnyGame] = {}
    broken: list[BrokenGame] = []
    # Sorted, because packages are found in the order of the file system.
    for entry in sorted(entries, key=lambda entry: (entry.name, entry.value)):
        try:
            _add(games, entry)
        except Exception as error:  # noqa: BLE001 - a foreign package may fail in any way
            problem = f"{type(error).__name__}: {error}"
            log.warning("game %s cannot be loaded: %s", entry.name, problem)
            broken.append(BrokenGame(entry.name, entry.value, problem))
    return Registry(games, tuple(broken))


def _add(games: dict[tuple[str, int], AnyGame], entry: EntryPoint) -> None:
    """Add the game of an entry named ``<game>-<edition>``.

    Raises TypeError when it holds another, ValueError when its name cannot stand in a mail or is
    taken, or whatever its import does.
    """
    game: Any = entry.load()
    expected = f"{getattr(game, 'name', '?')}-{getattr(game, 'edition', '?')}"
    # The entry's name tells game and edition, so the game behind it must be that one.
    if entry.name != expected:
        raise TypeError(f"the entry {entry.name} holds {expected}")
    # A match is called after its game, and frames and boxes in letters are found by that name.
    if not NAME.fullmatch(game.name):
        raise ValueError(f"{game.name!r}: a name is a small letter, then small letters or digits")
    if games.setdefault((game.name, game.edition), game) is not game:
        raise ValueError(f"{game.name} edition {game.edition} is installed twice")


@cache
def installed_games() -> Registry:
    """Return the games installed here; looked up once."""
    return load_games(list(entry_points(group=GROUP)))


def find_installed(name: str, edition: int | None = None) -> AnyGame:
    """Return an installed game, in its newest edition by default. Raises UnknownGame."""
    return installed_games().find(name, edition)


def game_names() -> list[str]:
    """Return the names of the installed games, sorted."""
    return installed_games().names()


def editions(name: str) -> list[int]:
    """Return the installed editions of a game, oldest first."""
    return installed_games().editions(name)
