"""The delivery of the outbox, and mail that comes back: bounces, failing addresses.

Sending keeps within the rates of providers by waiting. One that is sent too much refuses mails, and
may close the account for a day.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio import Task
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.desk import health
from referee.desk.desk import Change, Desk, carried_through
from referee.desk.mails import post
from referee.desk.matches import broken, told
from referee.desk.matches.time import clock, stoppages
from referee.desk.players import holders_of
from referee.mail.incoming import bounces
from referee.mail.incoming.letter import Letter
from referee.mail.transport.postman import DeliveryOutcome, Postman, backoff
from referee.mail.transport.servers import Server
from referee.render.answers import answer
from referee.store import notes
from referee.store.people import players
from referee.store.post import claims, outbox, reports
from referee.store.states import MOST_DOUBTS, OutboxState
from referee.store.tables.post import OutboxRow

log = logging.getLogger(__name__)

Held = tuple[OutboxRow, bytes]
"""A mail claimed for sending, and its bytes."""

FIRST_PAUSE: Final = timedelta(seconds=2)

LONGEST_PAUSE: Final = timedelta(minutes=1)
"""Pauses between tries to reach a server double from ``FIRST_PAUSE`` up to this."""

LOOKS: Final = timedelta(hours=1)
"""How long a server that no mail is sent through is left alone."""

AFTER_REFUSED_LOGIN: Final = timedelta(minutes=2)
"""The pause after a refused login: too many wrong passwords lock an account."""

MOST_SILENT: Final = 2
"""Connections that may be silent while mails leave over another; providers allow few at a time."""

_CLEAR_AGAIN: Final = timedelta(minutes=1)
"""How long trouble that another daemon has noted may outlive its end."""

FIRST_REST: Final = timedelta(minutes=1)

_LONGEST_REST: Final = timedelta(minutes=15)
"""Rests after refusals in a row double from ``FIRST_REST`` up to this."""

_WITHIN: Final = timedelta(days=1)
"""No rate lasts longer than its span; a rest beyond that is of a clock that was set back."""


def rest_after(refusals: int) -> timedelta:
    """Return how long to rest after so many refusals in a row."""
    return min(FIRST_REST * (1 << min(refusals, 10)), _LONGEST_REST)


def rest_for(connection: Connection, server: Server, now: datetime) -> notes.Rest | None:
    """Return the rest that a server's rates ask for, if any."""
    rests = []
    # Those that other daemons have in hand will have been sent when the next one leaves.
    busy = claims.mails_in_hand(connection) if server.rates else 0
    for rate in server.rates:
        sent = outbox.latest_sent(connection, max(1, rate.mails - busy), now)
        if sent is not None and sent + rate.span > now:
            rests.append(notes.Rest(str(server), sent + rate.span, f"no more than {rate}"))
    return max(rests, key=lambda rest: rest.until, default=None)


def lasting_rest(connection: Connection, now: datetime) -> notes.Rest | None:
    """Return the rest that was noted last, if it lasts yet."""
    return _lasting(notes.REST.read(connection), now)


def must_rest(connection: Connection, server: Server, now: datetime) -> bool:
    """Return whether sending by a server rests."""
    rest = lasting_rest(connection, now)
    # After a change of the account the rest of the one before holds nothing up.
    return rest is not None and rest.server == str(server)


def note_rest(connection: Connection, rest: notes.Rest, now: datetime) -> None:
    """Let sending by a server rest, unless it rests for longer already, and log why."""
    # Read under lock: other daemons send by the same server.
    known = _lasting(notes.REST.lock(connection), now)
    if known is None or known.server != rest.server or known.until < rest.until:
        notes.REST.write(connection, rest)
    log.info("sending rests until %s: %s", rest.until, rest.why, extra={"action": "rest"})


def _lasting(rest: notes.Rest | None, now: datetime) -> notes.Rest | None:
    return rest if rest is not None and now < rest.until <= now + _WITHIN else None


@dataclass
class Sending:
    """The outbox and a postman; if the server is down or its rates are reached, all mail waits.

    ``note_sent`` learns of every mail the server has taken. ``worker`` is the name of one of
    several daemons. ``goes_on`` says whether the next one may be sent at once. ``patience`` is how
    many seconds others wait for a mail that has no answer. ``failures`` and ``refusals`` count the
    tries in a row at which the server could not be used, or said that too much was sent.
    """

    desk: Desk
    postman: Postman
    note_sent: Callable[[OutboxRow], None] = lambda _: None
    worker: str | None = None
    goes_on: Callable[[], bool] = lambda: True
    patience: float = 30
    failures: int = field(default=0, init=False)
    refusals: int = field(default=0, init=False)
    quiet_until: datetime | None = field(default=None, init=False)
    _troubled: bool = field(default=False, init=False)
    _cleared: datetime | None = field(default=None, init=False)
    _looked: datetime = field(default=datetime.min.replace(tzinfo=UTC), init=False)
    _in_hand: set[int] = field(default_factory=set, init=False)
    _taken: dict[int, tuple[OutboxRow, DeliveryOutcome]] = field(default_factory=dict, init=False)
    _silent: dict[Task[DeliveryOutcome], OutboxRow] = field(default_factory=dict, init=False)

    async def send_due(self) -> int:
        """Send the mails due, in order per recipient; return how many were tried."""
        self._recover()
        tried, rests = 0, False
        while True:
            due: tuple[OutboxRow, ...] = ()
            if self.goes_on() and not self._pausing() and len(self._silent) <= MOST_SILENT:
                with self.desk.store.reading() as connection:
                    now = self.desk.now()
                    rests = must_rest(connection, self.postman.server, now)
                    due = () if rests else outbox.due_mails(connection, now)
            if due:
                # A mail may leave only after its cause is safe from a loss of power.
                self.desk.store.flush()
                left = deque(due)
                with self.desk.store.writing(lasting=False) as connection:
                    held = self._claimed(connection, left)
                while held is not None:
                    tried += 1
                    held = await self._send(*held, left)
            elif not self._silent:
                break
            if self._silent:
                answered, _ = await asyncio.wait(self._silent, timeout=0 if due else 1)
                for sending in answered:
                    self._settle(self._silent.pop(sending), sending.result(), deque())
        now = self.desk.now()
        # Trouble is told before a mail meets it, and ends without one.
        is_due = self.failures or not now - LOOKS < self._looked <= now
        if is_due and self.goes_on() and not (rests or self._pausing()):
            outcome = await self.postman.log_in(self.desk.settings.address)
            await self.postman.close()
            if outcome is not None:
                self._unreachable(outcome)
            # What the server has against a mail does not end by a log-in.
            elif not self._troubled:
                self._online()
            self._looked = now
        return tried

    def _recover(self) -> None:
        """Note mails sent while the database failed; those of no known outcome are uncertain.

        Otherwise they would wait for ever, or leave once more.
        """
        for row, outcome in tuple(self._taken.values()):
            with self.desk.writing() as change:
                outbox.mark_mail(change.connection, row.id, "sent", now=self.desk.now())
                with _apart(change, row):
                    _note(change, row, outcome)
            del self._taken[row.id]
            self._in_hand.discard(row.id)
            self.note_sent(row)
        # The server may have taken them before the database failed to hear of it.
        lost = self._in_hand - {row.id for row in self._silent.values()}
        if lost:
            with self.desk.writing() as change:
                doubt_mails(change, [self.worker or ""], lost)
            self._in_hand -= lost

    def _pausing(self) -> bool:
        now, until = self.desk.now(), self.quiet_until
        # After the clock was set back, the rest of a minute must not last a year.
        return until is not None and now < until <= now + AFTER_REFUSED_LOGIN

    def _claimed(self, connection: Connection, left: deque[OutboxRow]) -> Held | None:
        """Take the next free mail of a batch, if the rates allow."""
        if left:
            now = self.desk.now()
            # Another daemon may have been asked for patience since this batch was begun.
            if must_rest(connection, self.postman.server, now):
                return None
            rest = rest_for(connection, self.postman.server, now)
            if rest is not None:
                note_rest(connection, rest, now)
                return None
        while left:
            row = left.popleft()
            self._in_hand.add(row.id)
            raw = outbox.claim_mail(connection, row.id, self.worker, row.attempts)
            if raw is not None:
                return row, raw
            self._in_hand.remove(row.id)
        return None

    def _refused(self, connection: Connection, outcome: DeliveryOutcome) -> None:
        """Let sending rest, since the server asked for patience."""
        server, now = str(self.postman.server), self.desk.now()
        until, why = now + rest_after(self.refusals), f"{server} said: {outcome.said}"
        note_rest(connection, notes.Rest(server, until, why), now)

    async def _send(self, row: OutboxRow, raw: bytes, left: deque[OutboxRow]) -> Held | None:
        """Send one mail and take the next; None if the server is down or silent."""
        sending = asyncio.create_task(self.postman.send(row.recipient, row.envelope_from, raw))
        answered, _ = await asyncio.wait({sending}, timeout=self.patience)
        if answered:
            return self._settle(row, sending.result(), left)
        self._silent[sending] = row
        self._troubled = True
        self._note_trouble(f"no answer to mail {row.id} for {self.patience:.0f} seconds")
        return None

    def _settle(
        self, row: OutboxRow, outcome: DeliveryOutcome, left: deque[OutboxRow]
    ) -> Held | None:
        """Note the outcome of a mail, and take the next; None if the server is down."""
        held = None
        if outcome.offline:
            # The mail is put back, and the server may rest.
            with self.desk.store.writing() as connection:
                if claims.has_mail(connection, row.id, self.worker):
                    # The attempt does not count: the server was at fault.
                    outbox.change_mail(connection, row.id, state=row.state, attempts=row.attempts)
                if outcome.limited:
                    self._refused(connection, outcome)
            self._unreachable(outcome)
        else:
            if outcome.state == "sent":
                self._taken[row.id] = row, outcome
            waiting = tuple(left) if self.goes_on() else ()
            held = carried_through(lambda: self._mark(row, outcome, left, waiting))
            self._taken.pop(row.id, None)
            # Without an answer the server could not be used.
            if outcome.alarm:
                self._looked = self.desk.now()
                self._note_trouble(outcome.said)
                self._troubled = True
            elif outcome.code:
                self._online()
        self._in_hand.discard(row.id)
        return held

    def _mark(
        self,
        row: OutboxRow,
        outcome: DeliveryOutcome,
        left: deque[OutboxRow],
        waiting: Iterable[OutboxRow],
    ) -> Held | None:
        """Note a mail's outcome, and take the next in the same transaction.

        The disk is waited for once in a batch, at its last mail: after a loss of power before that,
        mails are sent once more under the same Message-ID.
        """
        # As the batch was before a transaction that failed took from it.
        left.clear()
        left.extend(waiting)
        lasting = not left or outcome.state != "sent"
        with self.desk.writing(lasting=lasting) as change:
            # If it is another's by now, only that it has left counts: it leaves no second time.
            if outcome.state == "sent" or claims.has_mail(change.connection, row.id, self.worker):
                _note(change, row, outcome)
            if outcome.limited:
                held = None
                self._refused(change.connection, outcome)
            else:
                held = self._claimed(change.connection, left)
        # Only now: a transaction may be carried out twice.
        self.refusals += outcome.limited
        if outcome.state == "sent":
            self.refusals = 0
            self.note_sent(row)
        else:
            extra = {"action": "send", "mail": row.id}
            log.warning("mail %d: %s", row.id, outcome.state, extra=extra)
        return held

    def _unreachable(self, outcome: DeliveryOutcome) -> None:
        """Note the trouble, and let the server rest."""
        self.refusals += outcome.limited
        pause = min(FIRST_PAUSE * (1 << min(self.failures, 10)), LONGEST_PAUSE)
        self.quiet_until = self.desk.now() + (AFTER_REFUSED_LOGIN if outcome.alarm else pause)
        self.failures += 1
        self._note_trouble(outcome.said)

    def _note_trouble(self, said: str) -> None:
        text = f"sending: {self.postman.server}: {said}"
        log.error("%s", text, extra={"action": "trouble"})
        health.note_trouble(self.desk, "sending", text)

    def _online(self) -> None:
        """Note that the server could be used; trouble about a mail ends with the next that left."""
        self._looked = now = self.desk.now()
        # Trouble may be noted that another daemon will not end: it was stopped in the middle of
        # it, or this one before its start.
        elsewhere = self._cleared is None or (
            self.worker is not None and not now - _CLEAR_AGAIN <= self._cleared <= now
        )
        if self._troubled or self.failures or elsewhere:
            health.end_trouble(self.desk, "sending")
            self._cleared = now
        self._troubled = False
        self.failures = 0
        self.quiet_until = now


def doubt_mails(
    change: Change, workers: Collection[str], mail_ids: Collection[int] | None = None
) -> list[int]:
    """Mark mails that daemons had in hand when these or the database failed; return them.

    They may have arrived. After the third such try the organiser decides, and the clock of the turn
    that they tell of stands. ``mail_ids`` are those meant, if not all.
    """
    doubted, now = claims.recover_mails(change.connection, workers, mail_ids), change.desk.now()
    for row in doubted:
        later = now + backoff(row.attempts, row.message_id)
        outbox.mark_mail(change.connection, row.id, "uncertain", now=now, next_at=later)
        if row.doubts == MOST_DOUBTS:
            with _apart(change, row):
                clock.start_clock(change, row, told=False)
    return [row.id for row in doubted]


@contextmanager
def _apart(change: Change, row: OutboxRow) -> Iterator[None]:
    """Undo the block, and go on, if it fails by a fault of a match: other mails must leave."""
    try:
        with change.connection.begin_nested():
            yield
    except Exception as fault:
        if broken.is_machine_fault(fault, inside=True):
            raise
        log.exception("mail %d: what follows from it cannot be noted", row.id)


def _note(change: Change, row: OutboxRow, outcome: DeliveryOutcome) -> None:
    """Note the outcome of a mail, and what follows from it."""
    now = change.desk.now()
    again = outcome.state in {"later", "uncertain"}
    # What may have arrived by an earlier try is not superseded as if it had never left.
    later: OutboxState = "uncertain" if row.state == "uncertain" else "waiting"
    wait = backoff(row.attempts + 1, row.message_id)
    outbox.mark_mail(
        change.connection,
        row.id,
        later if outcome.state == "later" else outcome.state,
        now=now,
        answer=outcome.said,
        next_at=now + wait if again else None,
        doubts=row.doubts + 1 if outcome.state == "uncertain" else None,
    )
    if outcome.too_large and post.send_shorter(change, row):
        return
    if outcome.state == "uncertain" and row.doubts + 1 == MOST_DOUBTS:
        clock.start_clock(change, row, told=False)
    if outcome.state == "sent":
        outbox.drop_files(change.connection, row.id)
        clock.start_clock(change, row)
        address_works(change, row.recipient, row)
        if row.kind in {"report", "organiser"}:
            which = (row.match_id, row.seat, row.kind, row.player_id)
            outbox.replace_failed(change.connection, *which)
    if outcome.state in {"sent", "failed"}:
        told.settle_marks(change, row, left=outcome.state == "sent")
    if outcome.state == "failed":
        reports.give_back_replies(change.connection, row)
    # The server knows no such mailbox, so trying again is of no use.
    if outcome.unknown:
        address_fails(change, row.recipient, outcome.said)


BOUNCES_FOR: Final = timedelta(days=10)
"""Mail systems give up within five days; a later bounce proves nothing."""

CLOCKS_APART: Final = timedelta(minutes=10)
"""A bounce that arrived this long before its mail was written belongs to another."""


def note_bounce(change: Change, letter: Letter, raw: bytes, arrived: datetime) -> str | None:
    """Note a bounce of our mail; return its meaning, None if it is none.

    Only a permanent bounce to the mail's own envelope sender counts, once for each mail, and not
    long after it was sent: the mail's reader could write one at any time. One read again after a
    restore may name a mail whose number another one has by now.
    """
    if not letter.automatic:
        return None
    # Each mail has an envelope sender of its own, so the address of a bounce names its mail.
    keyed = (
        bounces.bounced_mail(change.desk.settings.address, change.desk.settings.key, recipient)
        for recipient in letter.recipients
    )
    mail_id = next((number for number in keyed if number is not None), None)
    bounce = bounces.read_bounce(raw) if mail_id is not None else None
    if mail_id is None or bounce is None:
        return None
    if not bounce.hard:
        return f"mail {mail_id} is delayed: {bounce.reason}"
    try:
        mail = outbox.get_mail(change.connection, mail_id)
    except KeyError:
        return None
    if arrived < mail.created - CLOCKS_APART:
        return f"mail {mail_id} was another one before the database was restored"
    if mail.bounced_at is not None:
        return f"mail {mail_id} came back before"
    if arrived > (mail.sent_at or mail.created) + BOUNCES_FOR:
        return f"mail {mail_id} was sent too long ago to come back"
    outbox.change_mail(change.connection, mail_id, bounced_at=change.desk.now())
    address_fails(change, mail.recipient, bounce.reason)
    return f"mail {mail_id} came back: {bounce.reason}"


def address_fails(change: Change, address: str, reason: str) -> None:
    """Mark a player's address as failing. Unknown addresses are ignored."""
    row = players.find_address(change.connection, address)
    if row is None or row.state == "unconfirmed":
        return
    players.set_address(change.connection, address, "failing", reason)
    log.warning("mail to player %d comes back", row.player_id, extra={"action": "bounce"})
    for stopped in stoppages.settle_reach(change, row.player_id):
        # In a broken match there is no way to word a mail.
        with (
            suppress(broken.BrokenMatch),
            change.connection.begin_nested(),
            broken.faults_as_broken(stopped),
        ):
            who = players.get_player(change.connection, row.player_id).name
            for seat, player in holders_of(change.connection, stopped.id):
                if player.id != row.player_id:
                    post.notify(change, stopped, seat, player, answer("out-of-reach", who=who))


def address_works(change: Change, address: str, accepted: OutboxRow | None = None) -> None:
    """Let a failing address work again: a letter proved to be from it came, or a mail was accepted.

    That mail must have been written since the address failed, and no later one come back. The
    answer to a letter without proof says nothing: by it anybody could set clocks going.
    """
    row = players.find_address(change.connection, address)
    if row is None or row.state != "failing":
        return
    if accepted is not None and (
        accepted.unproved
        or outbox.bounced_since(change.connection, accepted.player_id, address, accepted.created)
    ):
        return
    players.set_address(change.connection, address, "ok")
    stoppages.settle_reach(change, row.player_id)


def probe_addresses(change: Change) -> None:
    """Write, once a day, to players whose clocks stand because an accepted mail came back.

    If that mail is accepted, too, their clocks go on.
    """
    for failing in players.failing_addresses(change.connection):
        last = outbox.last_to(change.connection, failing.address)
        rows = clock.rows_of(change.connection, failing.player_id)
        # A failing address of somebody whose clocks run does no harm.
        waits = any(clock.clock_stands(row, clock.UNREACHABLE) for row in rows)
        if waits and last is not None and last.state == "sent":
            player = players.get_player(change.connection, failing.player_id)
            said = post.bare_content(answer("came-back"), player.language)
            post.send(change, post.Mail("notice", said), player, failing.address)
