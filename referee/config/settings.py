"""The settings of an installation, typed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import ClassVar
from zoneinfo import ZoneInfo

from referee.errors import UNFIT, RefereeError
from referee.mail.oauth.tokens import Tokens
from referee.mail.transport.servers import Server
from referee.matches.time.pace import Pace
from referee.value import Discreet


class ConfigError(RefereeError):
    """Unusable settings; ``faults`` gives the place and the remedy of each fault."""

    status = UNFIT

    def __init__(self, *faults: str) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class Settings(Discreet):
    """The settings of an installation, each described in ``schemas/config.schema.json``.

    ``path`` is the file they come from, ``private`` the files that only their owner may read.
    ``late`` is a rule and its bot. Secrets are left out of the representation.
    """

    hidden: ClassVar[frozenset[str]] = frozenset({"imap", "smtp", "tokens", "database", "key"})
    path: Path
    private: tuple[Path, ...]
    address: str
    name: str
    language: str
    zone: ZoneInfo
    organiser: str | None
    open: bool
    log_level: str
    time_per_turn: timedelta
    bank: timedelta | None
    increment: timedelta
    reminders: tuple[timedelta, ...]
    leeway: timedelta
    days_off: frozenset[str]
    late: tuple[str, str | None]
    talk: timedelta
    away_days: int
    undo_days: int
    poll_seconds: int
    letter_bytes: int
    keep_days: int
    pictures: bool
    plus_addressing: bool | None
    composer: str | None
    trust: str
    authserv_id: str | None
    listen: tuple[str, int] | None
    imap: Server
    smtp: Server
    tokens: Tokens | None
    database: str
    key: bytes

    @property
    def domain(self) -> str:
        """The domain of the referee's own address."""
        return self.address.rpartition("@")[2]

    @property
    def pace(self) -> Pace:
        """The default terms of time of a new match."""
        rule, bot = self.late
        return Pace(
            # A match has one or the other; the time per turn has a default and so gives way.
            per_turn=None if self.bank else self.time_per_turn,
            bank=self.bank,
            increment=self.increment if self.bank else timedelta(0),
            reminders=self.reminders,
            leeway=self.leeway,
            days_off=self.days_off,
            late=rule,
            bot=bot,
        )

    def require_log_in(self) -> None:
        """Raise ConfigError if a password or token is missing."""
        lacking = dict.fromkeys(filter(None, (self.imap.lacking, self.smtp.lacking)))
        if lacking:
            raise ConfigError(*(f"{self.path}: {fault}" for fault in lacking))
