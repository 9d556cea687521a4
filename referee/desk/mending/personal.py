"""What an organiser sets about a player that his clocks or seats in running matches hang on."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from sqlalchemy import Connection

from referee.desk import away, persons, setting
from referee.desk.desk import Desk
from referee.desk.mending.act import Done, Refused, Wide, Work
from referee.games.game import Json
from referee.matches.events import NOTICE
from referee.render.moments import day
from referee.render.wording import Catalogue
from referee.store import matches as tables
from referee.store import players
from referee.store.matches import MatchRow
from referee.store.players import PlayerRow


class OfPlayer(Wide):
    """What is set about one player; it may change every match in which he holds a seat."""

    __slots__ = ()

    player: int

    def reach(self, connection: Connection) -> list[MatchRow]:
        return seated(connection, self.player)

    def carry_out(self, desk: Desk, connection: Connection) -> Done:
        return self.set(desk, connection, player_of(connection, self.player))

    @abstractmethod
    def set(self, desk: Desk, connection: Connection, player: PlayerRow) -> Done:
        """Set it about the player. Raises RefereeError: one line that says what is right."""


@dataclass(frozen=True, slots=True)
class Away(OfPlayer):
    """Note days on which a player is away, both included, even beyond his allowance."""

    name: ClassVar[str] = "away"
    player: int
    first: str
    last: str

    def set(self, desk: Desk, connection: Connection, player: PlayerRow) -> Done:
        first, last = date.fromisoformat(self.first), date.fromisoformat(self.last)
        fault = away.fault(desk, connection, player, first, last)
        if fault is not None and fault.why != "allowance":
            raise away.BadDays(f"{player.name}: {_FAULTS[fault.why].format(**fault.fields)}")
        number = away.note(desk, connection, player, first, last)
        said = [f"{player.name} is away from {first} to {last} (entry {number})."]
        if fault is not None:
            said.append(_EXCESS.format(**fault.fields))
        return Done(tuple(said), telling(player, self.name, first, last))


@dataclass(frozen=True, slots=True)
class Back(OfPlayer):
    """Take back days away, by the number of their entry, as far as they are still to come."""

    name: ClassVar[str] = "back"
    player: int
    number: int

    def set(self, desk: Desk, connection: Connection, player: PlayerRow) -> Done:
        row = away.clear(desk, connection, player, self.number)
        first, last = date.fromisoformat(row.first_day), date.fromisoformat(row.last_day)
        today = away.today_of(desk, player)
        past = f"; up to {today} it stays, as these days have begun" if first <= today else ""
        said = f"{player.name} is not away from {first} to {last} any more{past}."
        return Done((said,), telling(player, self.name, first, last))


@dataclass(frozen=True, slots=True)
class Zone(OfPlayer):
    """Set the time zone in which a player's days off begin and end."""

    name: ClassVar[str] = "zone"
    player: int
    value: str

    def set(self, desk: Desk, connection: Connection, player: PlayerRow) -> Done:
        kept = setting.put(desk, connection, player, "zone", self.value)
        return Done((f"{player.name}: zone is {kept}.",), telling(player, self.name))


@dataclass(frozen=True, slots=True)
class Merge(Wide):
    """Make two players one who are the same person; ``old`` goes."""

    name: ClassVar[str] = "merge"
    final: ClassVar[bool] = True
    old: int
    into: int

    def reach(self, connection: Connection) -> list[MatchRow]:
        return seated(connection, self.old, self.into)

    def carry_out(self, desk: Desk, connection: Connection) -> Done:
        old, into = (player_of(connection, each) for each in (self.old, self.into))
        lines = persons.check_merge(connection, old, into)
        persons.merge(desk, connection, old, into)
        return Done(tuple(lines), telling(into, self.name, who=old.name, whom=into.name))


def seated(connection: Connection, *numbers: int) -> list[MatchRow]:
    """Return the matches in which players hold a seat."""
    held = {
        seat.match_id for each in numbers for seat in tables.seats_of_player(connection, each)
    }
    return [tables.by_id(connection, each) for each in sorted(held)]


def player_of(connection: Connection, number: int) -> PlayerRow:
    """Return a player. Raises Refused when he is gone since the act was planned."""
    try:
        return players.by_id(connection, number)
    except KeyError:
        raise Refused(f"there is no player {number} any more: see referee player list") from None


def telling(
    player: PlayerRow | None,
    what: str,
    first: date | None = None,
    last: date | None = None,
    **more: Json,
) -> Callable[[Work], None]:
    """Return how a match is told what was set about a player in it, or taken back."""

    def tell(work: Work) -> None:
        if player is None:
            return
        seat = tables.seats_of_player(work.connection, player.id, work.row.id)[0].seat
        work.note(NOTICE, seat=seat, act=what)

        def fields(reader: PlayerRow) -> dict[str, Json]:
            catalogue = Catalogue(reader.language)
            days: dict[str, Json] = {}
            if first is not None and last is not None:
                days = {"first": day(first, catalogue), "last": day(last, catalogue)}
            said = {"what": what, "seat": seat, "who": player.name, **days, **more}
            return {**said, **work.turn(reader)}

        work.tell("clocks-changed", fields)

    return tell


_FAULTS = {
    "backward": "the last day comes before the first",
    "past": "{first} is over; what has passed stays as it was. To give time: match extend",
    "far": "that is more than two years ahead",
    "overlap": "he is away from {first} to {last} already: --clear {number} first",
}
"""Why days away are not noted."""

_EXCESS = (
    "This is more than he may take by mail: {asked} days in {year}, and {left} were left."
)
