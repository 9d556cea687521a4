"""How the outbox is emptied: claimed, sent, and marked with what the server said."""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.desk import health, reach, timing, told
from referee.desk.desk import Desk
from referee.mail.postman import Outcome, Postman, backoff
from referee.store import outbox
from referee.store.outbox import OutboxRow

log = logging.getLogger(__name__)

Held = tuple[OutboxRow, bytes]
"""A mail that is ours to send, and its bytes."""

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
    _in_hand: set[int] = field(default_factory=set, init=False)

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
            left = deque(due)
            held = self._begin(left)
            while held is not None:
                tried += 1
                held = await self._send(*held, left)
        return tried

    def _recover(self) -> None:
        """Make uncertain what was sent while the database failed; it would wait for ever."""
        if self._in_hand:
            now = self.desk.now()
            with self.desk.store.writing() as connection:
                for each in self._in_hand:
                    outbox.change(connection, each, ["sending"], "uncertain", now)
            self._in_hand.clear()

    def _pausing(self) -> bool:
        now, until = self.desk.now(), self.quiet_until
        # A clock that was put back must not make the rest of a minute last for a year.
        return until is not None and now < until <= now + AFTER_REFUSED_LOGIN

    def _begin(self, left: deque[OutboxRow]) -> Held | None:
        with self.desk.store.writing(lasting=False) as connection:
            return self._claimed(connection, left)

    def _claimed(self, connection: Connection, left: deque[OutboxRow]) -> Held | None:
        """Take the next mail of a batch that nobody else has."""
        while left:
            row = left.popleft()
            self._in_hand.add(row.id)
            raw = outbox.claim(connection, row.id)
            if raw is not None:
                return row, raw
            self._in_hand.remove(row.id)
        return None

    async def _send(self, row: OutboxRow, raw: bytes, left: deque[OutboxRow]) -> Held | None:
        """Send one mail and take the next; none when the server cannot be used, for any mail."""
        outcome = await self.postman.send(row.recipient, row.envelope_from, raw)
        held = None
        if outcome.offline:
            self._offline(row, outcome)
        else:
            held = self._mark(row, outcome, left)
            self._online()
        self._in_hand.discard(row.id)
        return held

    def _mark(self, row: OutboxRow, outcome: Outcome, left: deque[OutboxRow]) -> Held | None:
        """Note what came of a mail, and take the next in the same block.

        The disk is waited for once more in a batch, at its last mail: after a loss of power before
        that, mails are sent once more under the same Message-ID.
        """
        now = self.desk.now()
        again = outcome.state in {"later", "uncertain"}
        # What may have arrived by an earlier try is not superseded as if it had never left.
        later = "uncertain" if row.state == "uncertain" else "waiting"
        wait = backoff(row.attempts + 1, row.message_id)
        lasting = not left or outcome.state != "sent"
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
                reach.accepted(self.desk, connection, row)
            if outcome.state in {"sent", "failed"}:
                told.settle(connection, row, left=outcome.state == "sent")
            if outcome.unknown:
                reach.address_fails(self.desk, connection, row.recipient, _said(outcome))
            held = self._claimed(connection, left)
        if outcome.state != "sent":
            log.warning("mail %d: %s", row.id, outcome.state, extra={"action": "send"})
        return held

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
