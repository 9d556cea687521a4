"""How the outbox is emptied: claimed, sent, and marked with what the server said."""

from __future__ import annotations

import logging
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.desk import health
from referee.desk.desk import Desk
from referee.desk.mails import post, told
from referee.desk.mails.notice import Notice, notify
from referee.desk.mails.post import post_to
from referee.desk.matches import broken, clock
from referee.desk.players import players_of
from referee.mail.incoming import bounces
from referee.mail.incoming.letter import Letter
from referee.mail.transport.postman import Outcome, Postman, backoff
from referee.render.answers import Answer, answer
from referee.render.wording import Catalogue
from referee.store.people import players
from referee.store.play import matches
from referee.store.play.matches import MatchRow
from referee.store.post import outbox
from referee.store.post.outbox import OutboxRow
from referee.store.states import OutboxState

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
        later: OutboxState = "uncertain" if row.state == "uncertain" else "waiting"
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
                clock.told(self.desk, connection, row)
                accepted(self.desk, connection, row)
            if outcome.state in {"sent", "failed"}:
                told.settle(connection, row, left=outcome.state == "sent")
            if outcome.unknown:
                address_fails(self.desk, connection, row.recipient, _said(outcome))
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


BOUNCES_FOR: Final = timedelta(days=10)
"""A mail system gives up within five days; what comes back later than this says nothing."""

CLOCKS_APART: Final = timedelta(minutes=10)
"""A bounce that arrived so long before its mail was written is not of that mail."""


def bounced(
    desk: Desk, connection: Connection, letter: Letter, raw: bytes, arrived: datetime
) -> str | None:
    """Note a mail of ours that came back; return what the letter was, None if it is no bounce.

    Only a bounce to the mail's own envelope sender counts, only one that is for good, once for
    each mail, and not long after it was sent: its reader can write one at any time. One that is
    read again after a restore may name a mail whose number another one has by now.
    """
    if not letter.automatic:
        return None
    keyed = (bounces.bounced_mail(desk.address, desk.key, each) for each in letter.recipients)
    mail_id = next((each for each in keyed if each is not None), None)
    bounce = bounces.read_bounce(raw) if mail_id is not None else None
    if mail_id is None or bounce is None:
        return None
    if not bounce.hard:
        return f"mail {mail_id} is delayed: {bounce.reason}"
    try:
        mail = outbox.get(connection, mail_id)
    except KeyError:
        return None
    if arrived < mail.created - CLOCKS_APART:
        return f"mail {mail_id} was another one before the database was restored"
    if mail.bounced_at is not None:
        return f"mail {mail_id} came back before"
    if arrived > (mail.sent_at or mail.created) + BOUNCES_FOR:
        return f"mail {mail_id} was sent too long ago to come back"
    outbox.note_bounced(connection, mail_id, desk.now())
    address_fails(desk, connection, mail.recipient, bounce.reason)
    return f"mail {mail_id} came back: {bounce.reason}"


def address_fails(desk: Desk, connection: Connection, address: str, reason: str) -> None:
    """Note that mail to an address comes back, and why; that of no player is nobody's matter."""
    row = players.address(connection, address)
    if row is None or row.state == "unconfirmed":
        return
    players.set_address(connection, address, "failing", reason)
    log.warning("mail to player %d comes back", row.player_id, extra={"action": "bounce"})
    for stopped in clock.settle_reach(desk, connection, row.player_id):
        # In a match that is broken nobody can be told.
        with suppress(broken.BrokenMatch), connection.begin_nested(), broken.known(stopped):
            _tell_others(desk, connection, stopped, row.player_id)


def accepted(desk: Desk, connection: Connection, mail: OutboxRow) -> None:
    """Note that a server took a mail: an address that failed before it was written works again."""
    row = players.address(connection, mail.recipient)
    if row is None or row.state != "failing" or outbox.bounced_after(connection, mail):
        return
    players.set_address(connection, mail.recipient, "ok")
    clock.settle_reach(desk, connection, row.player_id)


def probe(desk: Desk, connection: Connection) -> None:
    """Write to those whose clocks stand because a mail that had been accepted came back.

    This is done once a day. If the mail is accepted, too, their clocks go on.
    """
    for each in players.failing(connection):
        last = outbox.last_to(connection, each.address)
        rows = clock.rows_of(connection, each.player_id)
        waits = any(clock.stands(row, clock.UNREACHABLE) for row in rows)
        if waits and last is not None and last.state == "sent":
            player = players.by_id(connection, each.player_id)
            said = Answer("came-back", {}, framing=post.bare_framing(player.language))
            content = answer(Catalogue(player.language), said)
            post_to(desk, connection, each.address, "notice", content, player=player)


def _tell_others(desk: Desk, connection: Connection, row: MatchRow, player_id: int) -> None:
    """Tell the other seats of a match that its clock stands, as mail to one comes back."""
    seats = matches.seats(connection, row.id)
    who = players.by_id(connection, player_id).name
    for name, player in players_of(connection, seats).items():
        if player.id != player_id:
            seat = next(each for each in seats if each.seat == name)
            notify(desk, connection, row, seat, player, Notice("out-of-reach", {"who": who}))


def address_works(desk: Desk, connection: Connection, address: str) -> None:
    """Note that a letter came from an address: if mail to it failed, it is tried again."""
    row = players.address(connection, address)
    if row is not None and row.state == "failing":
        players.set_address(connection, address, "ok")
        clock.settle_reach(desk, connection, row.player_id)
