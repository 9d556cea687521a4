"""One letter on the desk: everything an answer to it needs."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import Connection

from referee.desk.desk import Desk
from referee.desk.tray import Tray
from referee.mail.reading import Letter
from referee.store.letters import LetterRow
from referee.store.players import PlayerRow


@dataclass(frozen=True, slots=True)
class Case:
    """A letter of a known player, within its transaction.

    ``muted``: he got so many answers this hour that only what changes something is answered.
    ``hushed``: he got so many answers this day that were no receipts that there are no more.
    ``unproved``: nothing but the address says that it is his, so it is answered from a small budget
    of its own. ``silent``: a program wrote it, which is never answered. ``missing`` is what it
    lacks to prove who wrote it, None when it does. ``tray`` holds what is answered until all of it
    is heard.
    """

    desk: Desk
    connection: Connection
    row: LetterRow
    letter: Letter
    player: PlayerRow
    muted: bool = False
    hushed: bool = False
    silent: bool = False
    unproved: bool = False
    missing: str | None = None
    tray: Tray = field(default_factory=Tray)

    @property
    def unanswered(self) -> bool:
        """Tell whether only what was played is answered, or nothing at all."""
        return self.muted or self.hushed or self.silent
