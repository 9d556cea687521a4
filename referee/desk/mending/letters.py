"""What becomes of a letter in quarantine, on which a player's clocks may hang."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sqlalchemy import Connection

from referee.desk import overseeing
from referee.desk.desk import Desk
from referee.desk.mending.act import Done, Wide
from referee.desk.mending.personal import seated, telling
from referee.store import players
from referee.store.matches import MatchRow
from referee.store.players import PlayerRow


@dataclass(frozen=True, slots=True)
class Drop(Wide):
    """End a letter in quarantine unheard; clocks that stood for it go on."""

    name: ClassVar[str] = "drop"
    letter: int

    def reach(self, connection: Connection) -> list[MatchRow]:
        player = self._player(connection)
        return [] if player is None else seated(connection, player.id)

    def carry_out(self, desk: Desk, connection: Connection) -> Done:
        player = self._player(connection)
        overseeing.drop_letter(desk, connection, self.letter)
        return Done((f"Letter {self.letter} is ignored.",), telling(player, self.name))

    def _player(self, connection: Connection) -> PlayerRow | None:
        sender = overseeing.find_letter(connection, self.letter).sender
        return players.by_address(connection, sender) if sender else None
