"""The status of an installation: what needs attention, and how badly."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, Literal

from referee.desk.desk import Desk, stamp
from referee.desk.mails import delivery
from referee.desk.matches import broken
from referee.desk.matches.time import outages
from referee.desk.service.crew import living_members
from referee.desk.service.lease import ServingDaemon, serving_daemon, silent_since
from referee.games.game import Json
from referee.store import leases, notes
from referee.store.database.errors import SEE_DOCTOR
from referee.store.notes import Figures, Rest, Trouble
from referee.store.people import players
from referee.store.play.matches import Invitation, invitations
from referee.store.post import outbox
from referee.store.states import MOST_DOUBTS
from referee.store.tables.post import OutboxRow
from referee.value import Value, asdict

Level = Literal["fine", "warning", "trouble"]

LEVELS: Final[tuple[Level, ...]] = ("fine", "warning", "trouble")
"""The levels from good to bad; each one's number is the exit status of `referee status`."""

LETTER_WAITS: Final = timedelta(minutes=10)
"""A letter is handled as soon as it is fetched; one that lies longer is stuck."""

MAIL_WAITS: Final = timedelta(hours=2)
"""A mail that was not accepted for so long is worth a look."""

_MOST: Final = 10
"""Concerns of one kind that are told one by one."""


class Concern(Value):
    """A matter for the organiser: trouble stops work, a warning does not."""

    level: Level
    text: str


LITTLE_ROOM: Final = 100_000_000

NO_ROOM: Final = 5_000_000
"""Bytes of the disk below which the database can hardly be written; ``LITTLE_ROOM``: soon."""

ROOM: Final = "the disk of the database has {:.0f} MB free: make room"


class DaemonAtWork(Value):
    """Daemon at work, when it was last heard, and whether it leads the others."""

    daemon: ServingDaemon
    heard: datetime
    leads: bool = False

    def __str__(self) -> str:
        parts = " and ".join(f"{part}s" for part in self.daemon.parts.split())
        parts += " and leads" if self.leads else ""
        return f"{self.daemon}, {parts}, last heard {stamp(self.heard)}"

    def document(self) -> dict[str, Json | Any]:
        """Return all of it for programs."""
        return {
            "host": self.daemon.host,
            "process": self.daemon.pid,
            "parts": self.daemon.parts.split(),
            "leads": self.leads,
            "since": self.daemon.since,
            "heard": self.heard,
        }


class Status(Value):
    """The state of an installation.

    ``daemon`` serves the mailbox, ``daemons`` are all at work; ``silent`` is since when the first
    has written nothing, though it runs. ``free`` and ``size`` are bytes, ``sizes`` those of earlier
    days. ``said`` are the daemon's own notes, by place. ``late`` holds match, seat and end of time,
    ``broken`` a line about each match that cannot go on, ``rest`` the pause while mails wait.
    """

    now: datetime
    daemon: str | None
    daemons: tuple[DaemonAtWork, ...]
    silent: datetime | None
    free: int | None
    size: int
    sizes: Sequence[tuple[str, int]]
    last_poll: datetime | None
    said: Mapping[str, str | None]
    rival: Trouble | None
    failing: tuple[tuple[str, str | None], ...]
    uncertain: tuple[OutboxRow, ...]
    broken: tuple[str, ...]
    late: tuple[tuple[str, str | None, datetime], ...]
    declined: tuple[Invitation, ...]
    counts: Figures
    rest: Rest | None
    longest: timedelta

    @property
    def concerns(self) -> tuple[Concern, ...]:
        """All concerns, the worst first."""
        troubles = [Concern("trouble", text) for text in self._troubles()]
        return (*troubles, *(Concern("warning", text) for text in self._warnings()))

    @property
    def level(self) -> Level:
        """The level of the worst concern, however many lesser ones there are."""
        return next((concern.level for concern in self.concerns), "fine")

    def _troubles(self) -> Iterator[str]:
        for said in filter(None, self.said.values()):
            # The doctor tries the servers, and has advice on what it finds.
            of_server = said.partition(" ")[2].startswith(("mailbox: ", "sending: "))
            # Some, as of a log-in, name the command that helps by themselves.
            yield said + SEE_DOCTOR if of_server and "referee " not in said else said
        if self.free is not None and self.free < NO_ROOM:
            yield ROOM.format(self.free / 1e6)
        if self.silent:
            why = "it cannot write to the database, or hangs; see its log"
            yield f"the daemon runs, but has written nothing since {stamp(self.silent)}: {why}"
            return
        served = self.daemon or any("read" in member.daemon.parts for member in self.daemons)
        if self.last_poll is None:
            why = "its daemon has not reached it yet" if served else "referee run"
            yield f"the mailbox was never read: {why}"
        elif self.now - self.last_poll > self.longest:
            # A daemon that runs and does not read has trouble with the server.
            why = "it cannot be reached" if served else "no daemon serves it: referee run"
            yield f"the mailbox was last read {stamp(self.last_poll)}: {why}"
        # A daemon that starts or runs sees the jump itself, and its line says what to do.
        elif self.last_poll - self.now > outages.LEAP and not self.said.get("clock"):
            yield outages.behind_line(self.last_poll)

    def _warnings(self) -> Iterator[str]:
        # One that has not come back for a day is gone.
        if self.rival is not None and not self._old(self.rival.since, timedelta(days=1)):
            yield self.rival.text
        if self.free is not None and NO_ROOM <= self.free < LITTLE_ROOM:
            yield ROOM.format(self.free / 1e6)
        if number := self.counts.letters.get("quarantined"):
            see = "referee letter list --state quarantined"
            yield f"letters lie in quarantine ({number}): {see}"
        if number := self.counts.outbox.get("failed"):
            see = "referee outbox list --state failed, then outbox retry or outbox drop"
            yield f"mails could not be delivered ({number}): {see}"
        for row in self.uncertain:
            why = row.answer or "no answer"
            name = f"mail {row.id} to {row.recipient} may have arrived, or not ({why})"
            waits = f"it is tried again, {MOST_DOUBTS} times at most"
            retry, drop = (f"outbox {act} {row.id}" for act in ("retry", "drop"))
            asks = f"ask whether it has; referee {retry}, or {drop} unless it tells of their turn"
            yield f"{name}: {waits if row.doubts < MOST_DOUBTS else asks}"
        for address, reason in self.failing[:_MOST]:
            # Only those of players whom no mail reaches, so there is none that could be removed.
            add = f"referee player address add {address} NEW --why …"
            yield f"mail to {address} fails: {reason}: {add}"
        if self._old(self.counts.oldest_letter, LETTER_WAITS):
            yield "a letter waits to be handled: referee letter list --state kept"
        if self._old(self.counts.oldest_mail, MAIL_WAITS):
            see = "referee outbox list --state waiting"
            yield f"a mail waits to be sent: {self.rest_line or see}"
        yield from self.broken[:_MOST]
        if len(self.broken) > _MOST:
            yield f"{len(self.broken) - _MOST} more matches are broken"
        for name, seat, due in self.late[:_MOST]:
            remind = f"referee match remind {name} --why …"
            yield f"{name}: {seat} is out of time since {stamp(due)}: {remind}"
        if len(self.late) > _MOST:
            yield f"{len(self.late) - _MOST} more matches are out of time"
        for declined in self.declined[:_MOST]:
            give = f"referee match seat {declined.match} {declined.seat} …"
            yield f"{declined.match}: {declined.name} has declined {declined.seat}: {give}"

    @property
    def growth(self) -> float | None:
        """The bytes a day by which the database has grown since the first day that is known."""
        days = (self.now.date() - date.fromisoformat(self.sizes[0][0])).days if self.sizes else 0
        return (self.size - self.sizes[0][1]) / days if days > 0 else None

    @property
    def rest_line(self) -> str | None:
        """The rate that mails wait for, and until when; None if none do."""
        if self.rest is None:
            return None
        return f"sending rests until {stamp(self.rest.until)}: {self.rest.why}"

    def _old(self, moment: datetime | None, most: timedelta) -> bool:
        return moment is not None and self.now - moment > most

    def document(self) -> dict[str, Json | Any]:
        """Return all of it for programs."""
        counted = self.counts
        return {
            "level": self.level,
            "concerns": [asdict(concern) for concern in self.concerns],
            "daemon": self.daemon,
            "daemons": [member.document() for member in self.daemons],
            "silent": self.silent,
            "free": self.free,
            "database": {"bytes": self.size, "growth": self.growth},
            "last_poll": self.last_poll,
            **self.said,
            "matches": counted.matches,
            "broken": list(self.broken),
            "late": [
                {"match": name, "seat": seat, "until": until} for name, seat, until in self.late
            ],
            "declined": [
                {"match": invitation.match, "seat": invitation.seat, "name": invitation.name}
                for invitation in self.declined
            ],
            "letters": counted.letters,
            "oldest_letter": counted.oldest_letter,
            "outbox": counted.outbox,
            "oldest_mail": counted.oldest_mail,
            "rest": {"until": self.rest.until, "why": self.rest.why} if self.rest else None,
            "players": counted.players,
            "failing": [{"address": address, "reason": why} for address, why in self.failing],
        }


def read_status(desk: Desk) -> Status:
    """Return the state of an installation: from its database, and this machine's disk."""
    now = desk.now()
    with desk.reading() as change:
        serving = serving_daemon(change.connection)
        leader = notes.read_value(change.connection, notes.NoteKey.LEADER)
        jump = outages.lasting_outage(change.connection)
        troubles = {place: note.read(change.connection) for place, note in notes.TROUBLES.items()}
        counts = notes.read_figures(change.connection, change.desk.now())
        rest = delivery.lasting_rest(change.connection, now) if counts.oldest_mail else None
        said = {place: str(trouble) if trouble else None for place, trouble in troubles.items()}
        # One that fails is of no concern where mail goes to another of its player.
        failing = tuple(
            (row.address, row.reason)
            for row in players.failing_addresses(change.connection)
            if players.address_for(change.connection, row.player_id) == row.address
        )
        lease = leases.find_lease(change.connection)
        heard = [*living_members(change.connection)]
        # One that works alone gives signs of life by its lease only.
        if serving and lease and lease.heartbeat and not heard:
            heard = [(serving, lease.heartbeat)]
        daemons = [DaemonAtWork(who, last, who.token == leader) for who, last in heard]
        return Status(
            now=now,
            daemon=str(serving) if serving else None,
            daemons=tuple(sorted(daemons, key=lambda at: (at.daemon.since, at.daemon.token))),
            silent=silent_since(change.connection, now),
            free=shutil.disk_usage(file.parent).free if (file := desk.store.file) else None,
            size=notes.database_bytes(change.connection),
            sizes=notes.SIZES.read(change.connection) or (),
            last_poll=notes.LAST_POLL.read(change.connection),
            said={**said, "clock": outages.jump_line(jump) if jump else None},
            rival=notes.RIVAL.read(change.connection),
            uncertain=outbox.latest_mails(change.connection, "uncertain", _MOST),
            failing=failing,
            broken=tuple(broken.broken_lines(change).values()),
            late=tuple(notes.late_matches(change.connection, now)),
            declined=tuple(invitations(change.connection, "no")),
            counts=counts,
            rest=rest,
            # A few polls may fail before it is worth a word.
            longest=timedelta(seconds=3 * desk.settings.poll_seconds + 60),
        )
