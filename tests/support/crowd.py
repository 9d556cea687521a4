"""Many matches at once on real servers: letters that all wait, and how long they take."""

from __future__ import annotations

import contextlib
import email.policy
import json
import multiprocessing
import smtplib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from email.parser import BytesParser
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import select
from support.club import letter
from support.dovecot import Dovecot
from support.installation import Installation, install
from support.smtpd import SmtpServer

from referee.daemon.daemon import Daemon
from referee.desk import agenda
from referee.desk.desk import Desk
from referee.desk.seats import setup
from referee.desk.seats.setup import MatchSetup, parse_holder
from referee.games import registry
from referee.mail.transport.servers import Server
from referee.store import notes
from referee.store import tables as t
from referee.store.play import matches
from referee.store.post import letters, outbox

OF_A_MATCH = (
    t.seats, t.events, t.turns, t.codes, t.snapshots, t.letters, t.outbox, t.standing_orders,
    t.stand_ins,
)  # fmt: skip
BEYOND = 1_000_000
"""Between the numbers of two copies."""


def _copied(table: str, row: dict[str, Any], copy: int, highest: int) -> dict[str, Any]:
    """Return a row of a copy: numbered beyond the last, and other where it must be unique."""
    assert highest < BEYOND
    found = {**row}
    for name in ("id", "match_id", "player_id", "letter_id", "owner_id"):
        if found.get(name) is not None:
            found[name] += copy * BEYOND
    for name in UNIQUE.get(table, ()):
        found[name] = f"{found[name]}-{copy}"
    if table == "letters":
        found["uid"] += copy * BEYOND
    if table == "matches":
        found["agenda_at"] = None
    return found


UNIQUE = {
    "addresses": ("address",),
    "matches": ("name",),
    "codes": ("code",),
    "letters": ("raw_hash", "twin_hash", "message_id"),
    "outbox": ("message_id", "recipient"),
}


@dataclass
class Sink:
    """An SMTP server in a process of its own that takes everything and keeps nothing."""

    port: int
    process: multiprocessing.process.BaseProcess

    def server(self) -> Server:
        """Return the way to it."""
        return Server("plain", "127.0.0.1", self.port)


def _swallow(say: Any) -> None:
    server = SmtpServer()
    server.delivered = _Nothing()
    server.start()
    say.send(server.port)
    with contextlib.suppress(EOFError):
        say.recv()


class _Nothing(list):  # type: ignore[type-arg]
    def append(self, _: object) -> None:
        """Forget it."""


@contextlib.contextmanager
def sink() -> Iterator[Sink]:
    """Run an SMTP sink for as long as the block lasts."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_swallow, args=(theirs,), daemon=True)
    process.start()
    yield Sink(ours.recv(), process)
    process.terminate()
    process.join()


@dataclass
class Crowd:
    """An installation with many matches, all of two players."""

    installation: Installation
    dovecot: Dovecot
    sink: Sink
    chance: Random
    written: int = 0
    delivered: int = 0

    def daemon(self) -> Daemon:
        """Return a daemon of this process, not running."""
        return self.installation.daemon()

    def open_matches(self, game: str, number: int, first: int = 0) -> None:
        """Begin so many matches of two players each; the mails about it count as sent."""
        found = registry.find_installed(game)
        desk = Desk(self.installation.store, self.installation.settings)
        red, blue = found.colours[:2]
        for each in range(first, first + number):
            seats = (f"{red}=red{each}@example.test", f"{blue}=blue{each}@example.test")
            holders = tuple(parse_holder(seat, found) for seat in seats)
            options = setup.read_options(found, [])
            plan = MatchSetup(found, holders, options, seed=each.to_bytes(32), begins=True)
            with desk.writing() as change:
                setup.set_up_match(change, plan)
        while agenda.do_due_steps(desk):
            pass
        with desk.store.writing() as connection:
            for row in outbox.latest_mails(connection, "waiting", limit=10_000_000):
                outbox.mark_mail(connection, row.id, "sent", now=desk.now())

    def answers(self, most: int = 1_000_000, *, in_rotation: bool = False) -> list[bytes]:
        """Return a letter for every match: who is to move plays, his report quoted below.

        Of matches in rotation those come first that were played least lately; none is a copy.
        """
        with self.installation.store.reading() as connection:
            running = list(matches.select_matches(connection, "running"))
            if in_rotation:
                running = [row for row in running if row.id < BEYOND]
                running.sort(key=lambda row: row.turn_began_at or row.created)
            return [self._answer(connection, row.id, row.to_act or "") for row in running[:most]]

    def _answer(self, connection: Any, match_id: int, seat: str) -> bytes:
        columns = t.outbox.c
        query = (
            select(columns.raw, columns.recipient)
            .where(columns.match_id == match_id, columns.seat == seat, columns.kind == "report")
            .order_by(columns.id.desc())
            .limit(1)
        )
        raw, recipient = connection.execute(query).one()
        report = BytesParser(policy=email.policy.default).parsebytes(raw)
        (turn,) = [
            json.loads(part.get_payload(decode=True) or b"")
            for part in report.iter_attachments()
            if part.get_filename() == "turn.json"
        ]
        body = report.get_body(("plain",))
        assert body is not None
        quoted = "".join(f"> {line}\n" for line in body.get_content().splitlines())
        self.written += 1
        text = f"{self.chance.choice(turn['legal'])}\n\nthe referee wrote:\n{quoted}"
        answered = str(report["Message-ID"])
        return letter(recipient, text, answers=answered, number=self.written)

    def noise(self, number: int) -> list[bytes]:
        """Return letters that order nothing: questions, and things of strangers."""
        found = []
        for each in range(number):
            self.written += 1
            sender = f"red{each % 50}@example.test" if each % 3 else f"eve{each}@example.test"
            found.append(letter(sender, "help\n" * (1 + each % 40), number=self.written))
        return found

    def multiply(self, times: int) -> None:
        """Fill the database with so many copies of every match and what belongs to it."""
        with self.installation.store.writing() as connection:
            for table in (t.players, t.addresses, t.matches, *OF_A_MATCH):
                rows = [dict(row) for row in connection.execute(select(table)).mappings()]
                highest = max((row.get("id", 0) for row in rows), default=0)
                for copy in range(1, times):
                    many = [_copied(table.name, row, copy, highest) for row in rows]
                    if many:
                        connection.execute(table.insert(), many)

    def deliver(self, raws: list[bytes]) -> None:
        """Put letters into the inbox."""
        self.delivered += len(raws)
        with smtplib.LMTP("127.0.0.1", self.dovecot.lmtp) as client:
            for raw in raws:
                client.sendmail("alice@example.test", [self.installation.address], raw)

    def wait_until_done(self, seconds: float = 600) -> None:
        """Wait until every letter is handled and filed and nothing is left to be sent."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.filed() >= self.delivered and not self.busy():
                return
            time.sleep(0.02)
        raise AssertionError(f"the letters were not worked off in {seconds} s")

    def filed(self) -> int:
        """Return how many letters are filed."""
        with self.installation.store.reading() as connection:
            found = connection.exec_driver_sql("SELECT count(*) FROM letters WHERE filed")
            return int(found.scalar_one())

    def busy(self) -> bool:
        """Whether mails are to be sent or matches to be attended to."""
        with self.installation.store.reading() as connection:
            counts = notes.counts_by_state(connection)["outbox"]
            left = sum(counts.get(each, 0) for each in ("waiting", "sending", "uncertain"))
            now = self.daemon().desk.now()
            due = matches.needing_attention(connection, now, limit=1)
            return bool(left or due or letters.waiting_letters(connection, 1))

    def newest_mail(self) -> int:
        """Return the number of the newest mail."""
        with self.installation.store.reading() as connection:
            rows = outbox.latest_mails(connection, limit=1)
        return rows[0].id if rows else 0

    def mails_after(self, number: int) -> list[bytes]:
        """Return the mails written after one that were sent."""
        columns = t.outbox.c
        query = select(columns.raw).where(columns.id > number, columns.state == "sent")
        with self.installation.store.reading() as connection:
            return list(connection.execute(query.order_by(columns.id)).scalars())


@contextlib.contextmanager
def crowded(folder: Path, game: str, number: int, database: str | None = None) -> Iterator[Crowd]:
    """Run an installation with so many matches on servers of its own.

    ``database`` is an empty one of PostgreSQL, if it is not to be SQLite.
    """
    dovecot = Dovecot()
    try:
        dovecot.prepare()
        dovecot.start()
        with sink() as found:
            account = dovecot.account("referee")
            installation = install(folder / "club", account, dovecot, found, database)  # type: ignore[arg-type]
            crowd = Crowd(installation, dovecot, found, Random(1))
            crowd.open_matches(game, number)
            yield crowd
            installation.store.close()
    finally:
        dovecot.stop()
        dovecot.remove()
