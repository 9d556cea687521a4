"""Tables about the installation and its correspondents."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Index, UniqueConstraint

from referee.store.states import AddressState, Digest, MailFormat, Reports, Subjects
from referee.store.tables.base import Identity, PlayerRef, Tally, TextKey, table
from referee.value import Value

# A note about the installation, by its key.
meta: Final = table(None, "meta", key=TextKey, value=str)


class PlayerRow(Value):
    """A player and their settings.

    ``digest_at`` is the hour of their digest, ``quiet`` their quiet hours (None: none), both in
    their zone. ``reminders``: the times left at which they want to be reminded, ``off``, or None
    for those of each match. ``grace`` is how many seconds their orders are held, ``talk`` how many
    those with talk around them (None: as match or organiser say); UNTIL_YES: until they say yes.
    """

    id: Identity
    name: str
    language: str
    zone: str
    format: MailFormat
    digest: Digest
    digest_at: str
    subjects: Subjects
    mails: Reports
    reminders: str | None
    quiet: str | None
    created: datetime
    blocked: bool
    no_composer: bool
    grace: Tally
    talk: int | None

    @property
    def gathers(self) -> bool:
        """Whether reports wait for their digest."""
        return self.digest != "off" or self.mails == "few"


players: Final = table(
    PlayerRow,
    "players",
    # Of all digests those due are asked for in each round.
    Index(None, "digest_due"),
    digest_due=datetime | None,
)


class AddressRow(Value):
    """An address of a player, in lower case; mail goes to the preferred one."""

    id: Identity
    address: str
    player_id: PlayerRef
    state: AddressState
    preferred: bool
    reason: str | None
    created: datetime


addresses: Final = table(
    AddressRow,
    "addresses",
    # A letter's sender must lead to one player only.
    UniqueConstraint("address"),
    Index(None, "player_id"),
)


class AwayRow(Value):
    """Days on which a player's clock stands still: ISO dates in their zone, both included."""

    id: Identity
    player_id: PlayerRef
    first_day: str
    last_day: str
    created: datetime


away: Final = table(AwayRow, "away", Index(None, "player_id"))


class StrangerRow(Value):
    """A stranger's letters on a day (ISO date); ``answered`` if one was."""

    address: TextKey
    # By day, since both the one answer and the organiser's summary are for a day.
    day: TextKey
    count: Tally
    answered: bool


strangers: Final = table(StrangerRow, "strangers")


class LeaseRow(Value):
    """A lease; ``polled_at`` is when the last successful poll of the mailbox began."""

    name: TextKey
    owner: str | None
    heartbeat: datetime | None
    polled_at: datetime | None


leases: Final = table(LeaseRow, "leases")
