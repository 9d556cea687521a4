"""Acts on a player that clocks or seats depend on.

Days away, zone, addresses, merging, and a letter in quarantine: each is a plan, because it may
change running matches.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from datetime import date
from typing import ClassVar

from sqlalchemy import Connection

from referee.desk import players as desk_players
from referee.desk.desk import Change
from referee.desk.mails import post as mails_post
from referee.desk.mails import settings
from referee.desk.mails.invitation import invite_player
from referee.desk.matches.time import away, clock, stoppages
from referee.desk.plans import person, post
from referee.desk.plans.act import Act, Begun, telling
from referee.desk.players import BadPlayer
from referee.desk.work import Refused
from referee.mail import addressing
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import reports
from referee.store.states import PLAYABLE
from referee.store.tables.people import AddressRow, PlayerRow


class OnPlayer(Act):
    """A change of one player, in every match they sit in."""

    player: int

    def reach(self, connection: Connection) -> Iterable[str]:
        return seated_matches(connection, self.player)

    def begin(self, change: Change) -> Begun:
        return self.set(change, player_of(change.connection, self.player))

    @abstractmethod
    def set(self, change: Change, player: PlayerRow) -> Begun:
        """Change the player. Raises RefereeError, saying what is right."""


class Away(OnPlayer):
    """Note days away, both ends included, even beyond the allowance."""

    name: ClassVar[str] = "away"
    first: str
    last: str

    def set(self, change: Change, player: PlayerRow) -> Begun:
        first, last = date.fromisoformat(self.first), date.fromisoformat(self.last)
        fault = away.away_fault(change, player, first, last)
        if fault is not None and fault.why != "allowance":
            raise Refused(f"{player.name}: {_FAULTS[fault.why].format(**fault.fields)}")
        number = away.note_away(change, player, first, last)
        said = [f"{player.name} is away from {first} to {last} (entry {number})."]
        if fault is not None:
            said.append(_EXCESS.format(**fault.fields))
        return Begun(tuple(said), telling(player, self.name, first, last))


class Back(OnPlayer):
    """Cancel days away, as far as they are still to come."""

    name: ClassVar[str] = "back"
    number: int

    def set(self, change: Change, player: PlayerRow) -> Begun:
        row = away.cancel_away(change, player, self.number)
        first, last = clock.days_of(row)
        today = away.today_of(change.desk, player)
        past = f"; up to {today} it stays, as these days have begun" if first <= today else ""
        said = f"{player.name} is not away from {first} to {last} any more{past}."
        return Begun((said,), telling(player, self.name, first, last))


class Zone(OnPlayer):
    """Set the time zone a player's days off follow."""

    name: ClassVar[str] = "zone"
    value: str

    def set(self, change: Change, player: PlayerRow) -> Begun:
        kept = settings.change_player(change, player, "zone", self.value)
        return Begun((f"{player.name}: zone is {kept}.",), telling(player, self.name))


class Merge(Act):
    """Make two players one, as they are one person; ``old`` goes."""

    name: ClassVar[str] = "merge"
    final: ClassVar[bool] = True
    old: int
    into: int

    def reach(self, connection: Connection) -> Iterable[str]:
        return seated_matches(connection, self.old, self.into)

    def begin(self, change: Change) -> Begun:
        old, into = (player_of(change.connection, number) for number in (self.old, self.into))
        lines = person.merge_players(change, old, into)
        return Begun(tuple(lines), telling(into, self.name, who=old.name, whom=into.name))


def seated_matches(connection: Connection, *numbers: int) -> list[str]:
    """Return the playable matches in which players hold a seat."""
    held = {
        seat.match_id for number in numbers for seat in matches.seats_of_player(connection, number)
    }
    rows = [matches.get_match(connection, match_id) for match_id in held]
    return [row.name for row in rows if row.state in PLAYABLE]


def player_of(connection: Connection, number: int) -> PlayerRow:
    """Return a player. Raises Refused if gone since the plan."""
    try:
        return players.get_player(connection, number)
    except KeyError:
        raise Refused(f"there is no player {number} any more: see referee player list") from None


_FAULTS = {
    "backward": "the last day comes before the first",
    "past": "{first} is over; what has passed stays as it was. To give time: match extend",
    "far": "that is more than two years ahead",
    "overlap": "away from {first} to {last} already: first player away clear, entry {number}",
}
"""The wording of each fault of days away."""

_EXCESS = "This is more than one may take by mail: {asked} days in {year}, and {left} were left."

ADDRESS_CHANGED = "address"


class AddAddress(OnPlayer):
    """Give a player another address, valid at once; their other addresses are told."""

    name: ClassVar[str] = "address-add"
    address: str

    def set(self, change: Change, player: PlayerRow) -> Begun:
        known = players.addresses_of(change.connection, player.id)
        added = desk_players.confirm_address(change, player, self.address)
        # Only here the time that was lost comes back: players could make mails fail for it.
        stoppages.settle_reach(change, player.id, anew=True)
        for row in known:
            # One that was never confirmed may be somebody else's, and one that fails reads nothing.
            if row.state == "ok":
                settings.tell_of_address(change, player, row.address, added)
        # What came back is written again. A running match owes its report anyway.
        if all(row.state != "ok" for row in known):
            for seat in matches.seats_of_player(change.connection, player.id):
                match = matches.get_match(change.connection, seat.match_id)
                if match.state == "invited" and seat.agreed == "unasked":
                    invite_player(change, match, seat)
        goes = players.address_for(change.connection, player.id)
        said = f"{player.name} may write from {added}; mail goes to {goes}."
        return Begun((said,), telling(player, ADDRESS_CHANGED))


class RemoveAddress(OnPlayer):
    """Take an address from a player, who is told; one confirmed address must remain."""

    name: ClassVar[str] = "address-remove"
    address: str

    def set(self, change: Change, player: PlayerRow) -> Begun:
        row = _address_of(change.connection, player, self.address)
        known = players.addresses_of(change.connection, player.id)
        others = [other for other in known if other.id != row.id]
        confirmed = [other for other in others if other.state != "unconfirmed"]
        if row.state != "unconfirmed" and not confirmed:
            raise BadPlayer(
                f"{row.address} is the only address of {player.name}: add another one first"
            )
        players.drop_address(change.connection, row.address)
        # Mail has to go somewhere from now on.
        if row.preferred and confirmed:
            players.set_preferred(change.connection, player.id, confirmed[0].address)
        stoppages.settle_reach(change, player.id)
        goes = players.address_for(change.connection, player.id)
        if row.state != "unconfirmed":
            for mail in reports.unsent_to(change.connection, player.id, row.address):
                if goes is not None:
                    mails_post.send_anew(change, mail, goes)
            settings.tell_of_removal(change, player, row.address)
        said = f"{row.address} is no longer {player.name}'s; mail goes to {goes}."
        return Begun((said,), telling(player, ADDRESS_CHANGED))


def prefer(connection: Connection, player: PlayerRow, address: str) -> str:
    """Send a player's mail to one of their addresses; return it. Raises BadPlayer."""
    row = _address_of(connection, player, address)
    if row.state == "unconfirmed":
        raise BadPlayer(
            f"{row.address} is not confirmed yet: referee player address add confirms it"
        )
    players.set_preferred(connection, player.id, row.address)
    return row.address


def _address_of(connection: Connection, player: PlayerRow, address: str) -> AddressRow:
    """Return one of a player's addresses. Raises BadPlayer, naming them."""
    known = players.addresses_of(connection, player.id)
    for row in known:
        if row.address == addressing.same_address(address):
            return row
    listed = ", ".join(row.address for row in known)
    raise BadPlayer(f"{address} is no address of {player.name}; they have {listed}")


class Drop(Act):
    """End a letter in quarantine unheard; clocks go on."""

    name: ClassVar[str] = "drop"
    letter: int

    def reach(self, connection: Connection) -> Iterable[str]:
        player = self._player(connection)
        return [] if player is None else seated_matches(connection, player.id)

    def begin(self, change: Change) -> Begun:
        player = self._player(change.connection)
        post.drop_letter(change, self.letter)
        return Begun((f"Letter {self.letter} is ignored.",), telling(player, self.name))

    def _player(self, connection: Connection) -> PlayerRow | None:
        sender = post.require_letter(connection, self.letter).sender
        return players.by_address(connection, sender)
