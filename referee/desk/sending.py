"""How the outbox is emptied: claimed, sent, and marked with what the server said."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from referee.desk import health, reach, timing
from referee.desk.desk import Desk
from referee.mail.postman import Outcome, Postman, backoff
from referee.store import outbox
from referee.store.outbox import OutboxRow

log = logging.getLogger(__name__)

BATCH: Final = 50

FIRST_PAUSE: Final = timedelta(seconds=2)
LONGEST_PAUSE: Final = timedelta(minutes=1)
"""Between two tries to reach a server that cannot be used; doubling."""

AFTER_REFUSED_LOGIN: Final = timedelta(minutes=2)
"""A server that is asked too often with a wrong password locks the account."""


@dataclass
class Sending:
    """The outbox and a postman; while the server cannot be used, all mail waits together."""

    desk: Desk
    postman: Postman
    failures: int = field(default=0, init=False)
    quiet_until: datetime | None = field(default=None, init=False)
    _in_hand: int | None = field(default=None, init=False)

    async def send_due(self) -> int:
        """Send what is due, in order for each recipient; return how many mails were tried."""
        self._recover()
        tried = 0
        while not self._pausing():
            with self.desk.store.reading() as connection:
                due = outbox.due(connection, self.desk.now(), BATCH)
            if not due:
                break
            # No mail leaves whose cause a loss of power could undo.
            self.desk.store.flush()
            for row in due:
                tried += 1
                if not await self._send(row, last=row is due[-1]):
                    return tried
        return tried

    def _recover(self) -> None:
        """Make uncertain what was sent while the database failed; it would wait for ever."""
        if self._in_hand is not None:
            now = self.desk.now()
            with self.desk.store.writing() as connection:
                outbox.change(connection, self._in_hand, ["sending"], "uncertain", now)
            self._in_hand = None

    def _pausing(self) -> bool:
        now, until = self.desk.now(), self.quiet_until
        # A clock that was put back must not make the rest of a minute last for a year.
        return until is not None and now < until <= now + AFTER_REFUSED_LOGIN

    async def _send(self, row: OutboxRow, *, last: bool) -> bool:
        """Send one mail; False when the server cannot be used, for this mail or any other.

        The disk is waited for once more in a batch, at its ``last`` mail: after a loss of power
        before that, mails are sent once more under the same Message-ID.
        """
        with self.desk.store.writing(lasting=False) as connection:
            if not outbox.claim(connection, row.id):
                return True
            raw = outbox.raw(connection, row.id)
        self._in_hand = row.id
        outcome = await self.postman.send(row.recipient, row.envelope_from, raw)
        if outcome.offline:
            self._offline(row, outcome)
        else:
            self._mark(row, outcome, lasting=last or outcome.state != "sent")
            self._online()
        self._in_hand = None
        return not outcome.offline

    def _mark(self, row: OutboxRow, outcome: Outcome, *, lasting: bool) -> None:
        now = self.desk.now()
        again = outcome.state in {"later", "uncertain"}
        # What may have arrived by an earlier try is not superseded as if it had never left.
        later = "uncertain" if row.state == "uncertain" else "waiting"
        wait = backoff(row.attempts + 1, row.message_id)
        with self.desk.store.writing(lasting=lasting) as connection:
            outbox.mark(
                connection,
                row.id,
                later if outcome.state == "later" else outcome.state,
                now=now,
                answer=_said(outcome),
                next_at=now + wait if again else None,
            )
            if outcome.state == "sent":
                timing.told(self.desk, connection, row)
            if outcome.unknown:
                reach.address_fails(self.desk, connection, row.recipient, _said(outcome))
        if outcome.state != "sent":
            log.warning("mail %d: %s", row.id, outcome.state, extra={"action": "send"})

    def _offline(self, row: OutboxRow, outcome: Outcome) -> None:
        """Put the mail back as it was, note the trouble, and let the server rest."""
        with self.desk.store.writing() as connection:
            outbox.unclaim(connection, row)
        pause = min(FIRST_PAUSE * (1 << min(self.failures, 10)), LONGEST_PAUSE)
        self.quiet_until = self.desk.now() + (AFTER_REFUSED_LOGIN if outcome.alarm else pause)
        self.failures += 1
        text = f"{self.postman.server}: {_said(outcome)}"
        log.error("%s", text, extra={"action": "trouble"})
        health.note_trouble(self.desk, "sending", text)

    def _online(self) -> None:
        if self.failures or self.quiet_until is None:
            health.end_trouble(self.desk, "sending")
        self.failures = 0
        self.quiet_until = self.desk.now()


def _said(outcome: Outcome) -> str:
    return f"{outcome.code or ''} {outcome.text}".strip()
