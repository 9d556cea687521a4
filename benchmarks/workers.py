"""Letters a second by one to three workers on PostgreSQL.

Letters of many matches lie in the database; a worker reads, judges and plays each, brings its match
to rest and writes the mails. Nothing is fetched or sent. Rounds of all four follow one another, so
that whatever else the machine does meets them alike, and the best round of each counts; one daemon
on SQLite is the yardstick. Run: python benchmarks/workers.py [GAME] [--json]
"""

from __future__ import annotations

import json
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support import postgresql
from support.crowd import Crowd, Sink
from support.installation import Installation, install

from referee.config import load_settings
from referee.daemon.process import Process
from referee.desk.desk import opened_desk
from referee.desk.letters import queue
from referee.mail.transport.servers import Server
from referee.store.post import claims, letters, outbox

MATCHES = 30
ROUNDS = 3
NAMES = ("one", "two", "three")
BREATH = 0.002
"""Seconds until a worker without a free letter looks again."""

NOWHERE = Server("plain", "127.0.0.1", 1, "referee", "pw")


@dataclass
class Place:
    """An installation without servers, and the workers on its database."""

    crowd: Crowd
    workers: list[Connection]
    kept: int = 0

    def round(self, number: int) -> tuple[float, float]:
        """Let so many workers handle a letter for each match.

        Returns letters per second, and the milliseconds of CPU that workers spent on a letter.
        """
        raws = self.crowd.answers()
        self._keep(raws)
        busy = self.workers[:number]
        began = time.perf_counter()
        for each in busy:
            each.send("go")
        spent = sum(float(each.recv()) for each in busy)
        took = time.perf_counter() - began
        self._clear()
        return len(raws) / took, 1000 * spent / len(raws)

    def _keep(self, raws: list[bytes]) -> None:
        """Put letters into the database as a reader does."""
        desk = self.crowd.daemon().desk
        ids = []
        with desk.store.writing() as connection:
            for raw in raws:
                self.kept += 1
                row = letters.keep_letter(
                    connection,
                    folder="INBOX",
                    uidvalidity=1,
                    uid=self.kept,
                    arrived=desk.now(),
                    size=len(raw),
                    raw=raw,
                    now=desk.now(),
                    mailbox=desk.settings.address,
                )
                assert row is not None
                ids.append(row.id)
            if desk.store.is_shared:
                claims.keep_back(connection, ids, "reader")
        if desk.store.is_shared:
            queue.sort_letters(desk, "reader")

    def _clear(self) -> None:
        """Count the mails as sent, and see that every letter was handled."""
        store, now = self.crowd.installation.store, self.crowd.daemon().desk.now()
        with store.writing() as connection:
            for row in outbox.latest_mails(connection, "waiting", limit=1_000_000):
                outbox.mark_mail(connection, row.id, "sent", now=now)
        with store.reading() as connection:
            found = connection.exec_driver_sql("SELECT state, count(*) FROM letters GROUP BY state")
            assert dict(found.all()) == {"handled": self.kept}


def main() -> None:
    """Print the letters per second of each, and their ratios or JSON."""
    words = [each for each in sys.argv[1:] if not each.startswith("-")]
    game = words[0] if words else "nord"
    reason = postgresql.why_not()
    rounds: dict[str, list[tuple[float, float]]] = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        places = {("sqlite", 1): stack.enter_context(place(folder / "sqlite", game, None, 1))}
        if reason is None:
            shared = stack.enter_context(served(folder / "postgresql", game))
            places |= {(name, number): shared for number, name in enumerate(NAMES, 1)}
        for (_, number), each in places.items():
            each.round(number)
        for _ in range(ROUNDS):
            for (name, number), each in places.items():
                rounds.setdefault(name, []).append(each.round(number))
    found = {name: max(rounds[name])[0] if name in rounds else None for name in ("sqlite", *NAMES)}
    if reason is not None:
        print(reason, file=sys.stderr)
    if "--json" in sys.argv:
        print(json.dumps({name: rate and round(rate, 1) for name, rate in found.items()}))
    else:
        show(found)
        for name, each in rounds.items():
            print(f"CPU of a letter, {name:6} {min(cpu for _, cpu in each):6.1f} ms in its workers")


def show(found: dict[str, float | None]) -> None:
    """Print the figures as a table."""
    one, sqlite = found["one"], found["sqlite"]
    assert sqlite is not None
    print(f"SQLite, one daemon      {sqlite:6.1f} letters/s")
    for name in NAMES:
        rate = found[name]
        if rate is not None and one is not None:
            print(
                f"PostgreSQL, {name:5} of them {rate:6.1f} letters/s, "
                f"{rate / sqlite:4.0%} of SQLite, {rate / one:4.2f} times one"
            )
    print("aim: one at least 60% of SQLite, two at least 1.5 times one on two cores")


@contextmanager
def served(folder: Path, game: str) -> Iterator[Place]:
    """Run a PostgreSQL with an installation and three workers."""
    server = postgresql.PostgreSQL()
    try:
        server.start()
        server.run("CREATE DATABASE referee")
        with place(folder, game, server.url("referee"), len(NAMES)) as found:
            yield found
    finally:
        server.stop()


@contextmanager
def place(folder: Path, game: str, database: str | None, number: int) -> Iterator[Place]:
    """Set up an installation with many matches, and start workers."""
    account = ("referee@example.test", NOWHERE)
    sink = Sink(1, None)  # type: ignore[arg-type]
    installation: Installation = install(folder, account, None, sink, database)  # type: ignore[arg-type]
    crowd = Crowd(installation, None, sink, Random(1))  # type: ignore[arg-type]
    crowd.open_matches(game, MATCHES)
    context = multiprocessing.get_context("spawn")
    pipes, processes = [], []
    for each in range(number):
        ours, theirs = context.Pipe()
        name = f"worker-{each}" if database else None
        given = (theirs, str(installation.config), name)
        processes.append(context.Process(target=work, args=given, daemon=True))
        processes[-1].start()
        pipes.append(ours)
    for pipe in pipes:
        pipe.recv()
    try:
        yield Place(crowd, pipes)
    finally:
        for process in processes:
            process.terminate()
            process.join()
        installation.store.close()


def work(pipe: Connection, config: str, name: str | None) -> None:
    """Handle letters whenever asked to, in a process of its own."""
    settings = load_settings(Path(config), {})
    with opened_desk(settings) as desk:
        process = Process(desk, worker=name)
        pipe.send("ready")
        while pipe.recv():
            began = time.process_time()
            while queue.has_waiting(desk):
                if not process.handle():
                    time.sleep(BREATH)
            if name is not None:
                with desk.store.writing(lasting=False) as connection:
                    claims.release_letters(connection, name)
            pipe.send(time.process_time() - began)


if __name__ == "__main__":
    main()
