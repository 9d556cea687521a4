"""What goes wrong inside a daemon on command: once in its life, or with every letter of a kind."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final

from referee.value import replace

POISON: Final = b"X-Poison: "
"""A header that makes the handling of its letter raise, in the room it names."""


def impatient() -> None:
    """Shorten every wait between two tries, and answer as often as is asked."""
    from referee.cli import run
    from referee.daemon import daemon, process, reader
    from referee.desk import desk as desk_desk
    from referee.desk.letters import inbox
    from referee.desk.mails import delivery, summary
    from referee.desk.service import crew, lease
    from referee.mail.transport.servers import Timing
    from referee.store.database import locks

    hasty = functools.partial(daemon.Daemon, timing=Timing(3, 3, 3, 3))
    daemon.Daemon = run.Daemon = hasty
    desk_desk.Desk = functools.partial(  # type: ignore[misc]
        desk_desk.Desk,
        answers=(1_000_000, 1_000_000),
        unproved=(1_000_000, 1_000_000),
    )
    process.TICK = 0.1  # type: ignore[misc]
    reader.LONGEST_PAUSE = reader.FILING_PAUSE = 1.0  # type: ignore[misc]
    inbox.AGAIN = timedelta(seconds=1)  # type: ignore[misc]
    lease.BEAT = crew.CREW_BEAT = 0.2  # type: ignore[misc]
    crew.CREW_TTL = timedelta(seconds=5)  # type: ignore[misc]
    locks.SILENCE, locks.UNSURE = 3, 2.0  # type: ignore[misc]
    summary.HOUR = 0  # type: ignore[misc]
    delivery.FIRST_PAUSE = delivery.LONGEST_PAUSE = timedelta(seconds=0.1)  # type: ignore[misc]
    delivery.backoff = lambda _, __="": timedelta(seconds=0.1)  # type: ignore[assignment]


def stumble(name: str) -> None:
    """Make something fail once. Raises KeyError when there is nothing of that name."""
    _STUMBLES[name]()


def poisonous() -> None:
    """Make letters that bear the header of poison raise where it says: intake, answer or read."""
    from referee.desk.letters import intake
    from referee.desk.letters.case import Case
    from referee.mail.incoming import letter

    judge, tell, read = intake._judge, Case.tell, letter.read_letter

    def judging(*given: Any) -> Any:
        _raise_if(given[-1], b"intake")
        return judge(*given)

    def telling(case: Any, *given: Any, **named: Any) -> Any:
        if case.letter.thread.subject == "poison":
            raise LookupError("poison")
        return tell(case, *given, **named)

    def reads(raw: bytes, *given: Any) -> Any:
        _raise_if(raw, b"read")
        return read(raw, *given)

    intake._judge, letter.read_letter = judging, reads
    Case.tell = telling  # type: ignore[method-assign]


def _raise_if(raw: bytes, room: bytes) -> None:
    if POISON + room in raw:
        raise LookupError("poison")


def _once(owner: Any, name: str, fault: Exception) -> None:
    """Let the first call of a function raise."""
    act: Callable[..., Any] = getattr(owner, name)
    calls: list[int] = []

    def first(*given: Any, **named: Any) -> Any:
        calls.append(1)
        if len(calls) == 1:
            raise fault
        return act(*given, **named)

    setattr(owner, name, first)


def _intake() -> None:
    from referee.desk.letters import intake

    _once(intake, "_judge", OSError("the disk stumbled"))


def _mark() -> None:
    from referee.desk.mails import delivery
    from referee.store.database.errors import StoreLocked

    _once(delivery.outbox, "mark_mail", StoreLocked("the database stumbled"))


def _claim() -> None:
    from referee.desk.mails import delivery
    from referee.store.database.errors import StoreLocked

    _once(delivery.outbox, "claim_mail", StoreLocked("the database stumbled"))


def _smtp() -> None:
    from aiosmtplib import SMTP

    _once(SMTP, "connect", OSError("the network stumbled"))


def _imap() -> None:
    from referee.mail.transport.mailbox import Mailbox, MailboxLost

    _once(Mailbox, "connect", MailboxLost("the network stumbled"))


def _deadly() -> None:
    from referee.desk.letters import queue
    from referee.store.post import letters

    handle = queue.handle_once

    def handling(desk: Any, row: Any, begun: Any = None) -> Any:
        with desk.store.reading() as connection:
            poisoned = POISON in letters.raw_letter(connection, row.id)
        kills = queue.MOST_KILLS if poisoned else row.kills
        return handle(desk, replace(row, kills=kills), begun)

    queue.handle_once = handling


def _summary() -> None:
    from referee.desk.mails import summary

    own: Any = f"summary {os.getpid()}"
    summary.TOLD = replace(summary.TOLD, key=own)  # type: ignore[misc]


def _chores() -> None:
    from referee.desk.letters.commands import votes
    from referee.desk.service import chores

    chores.due_chores = lambda change: [votes.lapse_questions]


def _outage() -> None:
    from referee.desk.matches.time import outages

    slack, add = outages.SLACK, outages._add
    outages.SLACK = timedelta(days=-1)  # type: ignore[misc]

    def adding(*given: Any) -> Any:
        outages.SLACK = slack  # type: ignore[misc]
        return add(*given)

    outages._add = adding


def _jump() -> None:
    from referee.desk.matches.time import outages

    leap, note = outages.LEAP, outages.note_jump
    outages.LEAP = timedelta(seconds=-1)  # type: ignore[misc]

    def noting(*given: Any) -> Any:
        outages.LEAP = leap  # type: ignore[misc]
        return note(*given)

    outages.note_jump = noting


def _alarm() -> None:
    from referee.desk.letters import queue

    _once(queue, "handle_waiting", queue.IntakeStopped("the intake stumbled"))


def _broken() -> None:
    from referee.desk import agenda

    _once(agenda, "_step", ArithmeticError("the match stumbled"))


def _full() -> None:
    from sqlalchemy import event

    from referee.store import store

    make = store.make_engines

    def limit(dbapi: Any, record: Any) -> None:
        del record
        (pages,) = dbapi.execute("PRAGMA page_count").fetchone()
        dbapi.execute(f"PRAGMA max_page_count = {pages + 4}")

    def small(*given: Any) -> Any:
        engines = make(*given)
        for engine in engines:
            event.listen(engine, "connect", limit)
        return engines

    store.make_engines = small


def _hasty() -> None:
    from referee.cli import run

    run.opened_desk = functools.partial(run.opened_desk, patience=0.5)


_STUMBLES: Final[Mapping[str, Callable[[], None]]] = {
    "intake": _intake,
    "mark": _mark,
    "claim": _claim,
    "smtp": _smtp,
    "imap": _imap,
    "alarm": _alarm,
    "broken": _broken,
    "summary": _summary,
    "chores": _chores,
    "outage": _outage,
    "jump": _jump,
    "deadly": _deadly,
    "full": _full,
    "hasty": _hasty,
}


def without_lease() -> None:
    """Let the daemon serve a mailbox that another one serves, and lead beside it."""
    from referee.store.database.locks import FileLock

    FileLock.holds = FileLock.is_sure = lambda self: True  # type: ignore[method-assign]
