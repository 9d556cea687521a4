"""Installed games and their editions, found through an entry-point group alone."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from referee.games.game import AnyGame
from referee.resources import advise_extra
from referee.text import did_you_mean
from referee.value import Value

GROUP: Final = "referee.games"
"""The entry-point group of games, with one entry per edition."""

NAME: Final = re.compile(r"[a-z][a-z0-9]{0,40}")
"""The form of a game's name. Its matches bear the name in mails, and replies are found by it."""

EDITION: Final = re.compile(r"[1-9][0-9]{0,8}")
"""The form of an edition, a number."""

log = logging.getLogger(__name__)


class UnknownGame(LookupError):
    """No such game, or no such edition of it, is installed, or it cannot be loaded."""

    def __init__(self, name: str, edition: int | None, reason: str) -> None:
        wanted = name if edition is None else f"{name} edition {edition}"
        super().__init__(f"no game {wanted} is installed; {reason}")
        self.wanted = wanted


class BrokenGame(Value):
    """An entry without a game that can be played, and the reason."""

    entry: str
    problem: str


class Registry:
    """The games of entry points, which are named ``<game>-<edition>``.

    A game is loaded when it is asked for, as each package costs a command its start.
    """

    def __init__(self, entries: Iterable[EntryPoint]) -> None:
        """Take the entry points; those whose names cannot stand are listed apart."""
        self.entries: dict[tuple[str, int], EntryPoint] = {}
        self._misnamed: list[BrokenGame] = []
        self._games: dict[EntryPoint, AnyGame] = {}
        # Sorted, because packages are found in the order of the file system.
        for entry in sorted(entries, key=lambda entry: (entry.name, entry.value)):
            name, _, edition = entry.name.rpartition("-")
            problem = None
            # A match is called after its game, and frames in letters are found by that name.
            if not NAME.fullmatch(name):
                problem = f"{name!r}: a name is a small letter, then small letters or digits"
            elif not EDITION.fullmatch(edition):
                problem = f"{edition!r}: an edition is a number, from one"
            elif self.entries.setdefault((name, int(edition)), entry) is not entry:
                problem = f"{name} edition {edition} is installed twice"
            if problem is not None:
                self._misnamed.append(_broken(entry, problem))

    def find(self, name: str, edition: int | None = None) -> AnyGame:
        """Return a game, by default in its newest edition. Raises UnknownGame."""
        known = self.editions(name)
        # The newest that can be played for new matches; running ones name theirs.
        wanted = [number for number in reversed(known) if edition in {None, number}]
        if not wanted:
            if not known and (near := did_you_mean(name, self.names())):
                raise UnknownGame(name, edition, near.removeprefix("; "))
            installed = []
            for game_name in [name] if known else self.names():
                numbers = self.editions(game_name)
                word = "edition" if len(numbers) == 1 else "editions"
                installed.append(f"{game_name} ({word} {', '.join(map(str, numbers))})")
            here = known or "chess" in self.names()
            more = "" if here else f"; chess and more come with {advise_extra('classics')}"
            raise UnknownGame(name, edition, f"there are: {', '.join(installed) or 'none'}{more}")
        problems = []
        for number in wanted:
            game = self._load(self.entries[name, number])
            if not isinstance(game, BrokenGame):
                return game
            problems.append(game.problem)
        raise UnknownGame(name, wanted[0], f"its package cannot be loaded: {problems[0]}")

    def names(self) -> list[str]:
        """Return the names of all games, sorted."""
        return sorted({name for name, _ in self.entries})

    def editions(self, name: str) -> list[int]:
        """Return the editions of a game, oldest first, none if it is not installed."""
        return sorted(edition for game, edition in self.entries if game == name)

    def all(self) -> list[AnyGame]:
        """Return every edition of every game that can be loaded, by name and edition."""
        return [game for game in self._loaded() if not isinstance(game, BrokenGame)]

    def broken(self) -> list[BrokenGame]:
        """Return the entries that are misnamed, or cannot be loaded."""
        return [*self._misnamed, *(game for game in self._loaded() if isinstance(game, BrokenGame))]

    def _loaded(self) -> list[AnyGame | BrokenGame]:
        return [self._load(self.entries[key]) for key in sorted(self.entries)]

    def _load(self, entry: EntryPoint) -> AnyGame | BrokenGame:
        # One that fails is tried again: the machine may have been at fault, or is mended.
        if entry not in self._games:
            try:
                game: Any = entry.load()
            except Exception as error:  # noqa: BLE001 - a foreign package may fail in any way
                return _broken(entry, f"{type(error).__name__}: {error}")
            held = f"{getattr(game, 'name', '?')}-{getattr(game, 'edition', '?')}"
            if held != entry.name:
                return _broken(entry, f"the entry {entry.name} holds {held}")
            self._games[entry] = game
        return self._games[entry]


def _broken(entry: EntryPoint, problem: str) -> BrokenGame:
    log.warning("game %s cannot be played: %s", entry.name, problem)
    return BrokenGame(entry.name, problem)


@cache
def installed_games() -> Registry:
    """Return the games installed here; looked up once."""
    return Registry(entry_points(group=GROUP))


def find_installed(name: str, edition: int | None = None) -> AnyGame:
    """Return an installed game, in its newest edition by default. Raises UnknownGame."""
    return installed_games().find(name, edition)


def game_names() -> list[str]:
    """Return the names of the installed games, sorted."""
    return installed_games().names()


@cache
def version_of(name: str, edition: int) -> str:
    """Return the version of the package that an edition of a game is from, empty if none is."""
    entry = installed_games().entries.get((name, edition))
    return "" if entry is None or entry.dist is None else entry.dist.version
