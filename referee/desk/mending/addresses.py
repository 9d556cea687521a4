"""A player's addresses by the organiser's word: his clocks stand while no mail reaches him."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sqlalchemy import Connection

from referee.desk import people, setting, timing
from referee.desk.desk import Desk
from referee.desk.mending.act import Done
from referee.desk.mending.personal import OfPlayer, telling
from referee.desk.people import BadPlayer
from referee.store import players
from referee.store.players import AddressRow, PlayerRow

TOLD = "address"


@dataclass(frozen=True, slots=True)
class AddAddress(OfPlayer):
    """Give a player one more address, which counts at once; his other addresses are told."""

    name: ClassVar[str] = "address-add"
    player: int
    address: str

    def set(self, desk: Desk, connection: Connection, player: PlayerRow) -> Done:
        known = players.addresses_of(connection, player.id)
        added = people.confirm_address(desk, connection, player, self.address)
        timing.settle_reach(desk, connection, player.id)
        for each in known:
            if each.state != "unconfirmed":
                setting.tell_of_address(desk, connection, player, each.address, added)
        goes = players.address_for(connection, player.id)
        said = f"{player.name} may write from {added}; mail goes to {goes}."
        return Done((said,), telling(player, TOLD))


@dataclass(frozen=True, slots=True)
class RemoveAddress(OfPlayer):
    """Take an address from a player, who is told; one that is confirmed must remain."""

    name: ClassVar[str] = "address-remove"
    player: int
    address: str

    def set(self, desk: Desk, connection: Connection, player: PlayerRow) -> Done:
        row = address_of(connection, player, self.address)
        left = [each for each in players.addresses_of(connection, player.id) if each.id != row.id]
        confirmed = [each for each in left if each.state != "unconfirmed"]
        if row.state != "unconfirmed" and not confirmed:
            raise BadPlayer(
                f"{row.address} is the only address of {player.name}: add another one first"
            )
        players.drop_address(connection, row.address)
        if row.preferred and confirmed:
            players.prefer(connection, player.id, confirmed[0].address)
        timing.settle_reach(desk, connection, player.id)
        if row.state != "unconfirmed":
            setting.tell_of_removal(desk, connection, player, row.address)
        goes = players.address_for(connection, player.id)
        said = f"{row.address} is no longer {player.name}'s; mail goes to {goes}."
        return Done((said,), telling(player, TOLD))


def address_of(connection: Connection, player: PlayerRow, address: str) -> AddressRow:
    """Return one of a player's addresses. Raises BadPlayer, naming those he has."""
    known = players.addresses_of(connection, player.id)
    for each in known:
        if each.address == address.strip().lower():
            return each
    listed = ", ".join(each.address for each in known)
    raise BadPlayer(f"{address} is no address of {player.name}; he has {listed}")
