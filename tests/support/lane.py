"""A referee that is killed and started again, its players, and the tally of where it was killed."""

from __future__ import annotations

import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final

from imapclient import IMAPClient
from psycopg.errors import ConnectionTimeout
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError
from support import faults
from support.correspondents import Correspondents
from support.installation import Installation
from support.zygote import Zygote

from referee.desk import health
from referee.desk.desk import Change, Desk
from referee.desk.matches.time import outages
from referee.desk.seats import setup
from referee.desk.seats.setup import MatchSetup, parse_holder
from referee.desk.service import mailbox_mark
from referee.games import registry
from referee.mail.transport.mailbox import Folders, Mailbox
from referee.matches.time.pace import Pace
from referee.store import notes
from referee.store.play import matches
from referee.store.post import letters, outbox
from referee.store.store import Store, open_store

TIMED: Final = "at a random moment"
FETCHED: Final = "imap fetch: after"
PROVOKED: Final = {
    "commit agenda._tried 1": "broken",
    "commit agenda._tried 2": "broken",
    "commit queue.handle_once 2": "intake",
    "commit queue.handle_once 3": "poison",
    "commit queue.keep_aside": "poison",
    "commit queue.tell": "deadly",
    "commit delivery._settle": "smtp",
    "commit delivery._recover 1": "mark",
    "commit delivery._recover 2": "claim",
    "commit health.note_trouble": "imap",
    "commit health.end_trouble": "smtp",
    "commit health.raise_alarm": "alarm",
    "commit mailbox_mark.watch_mark": "rival",
    "commit chores.do": "chores",
    "commit summary.write_if_due": "summary",
    "commit outages.note_outage": "outage",
    "commit outages.note_jump": "jump",
    "commit inbox.finish_rereading": "reread",
    "imap overview": "reread",
    "imap put": "unmarked",
    "smtp rset": "refusal",
}
"""Points that are only passed when something goes wrong, and what is made to."""

AGAIN: Final = (
    "commit agenda", "commit inbox._", "commit queue", "commit intake", "commit delivery",
    "smtp",
)  # fmt: skip
"""Points passed many times in a run, so that they can also be hit at a later one."""

PATIENCE: Final = 2.5
"""Seconds a daemon has to come to the point; the more, the more often it did not in a row."""

LONGEST_PATIENCE: Final = 20.0


@dataclass
class Tally:
    """Where daemons were killed, shared by all lanes."""

    hits: Counter[str] = field(default_factory=Counter)
    between: int = 0
    missed: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def kills(self) -> int:
        return self.hits.total()

    def wanted(self, least: int) -> list[str]:
        """Return the points hit less often than ``least``."""
        return [each for each in faults.points() if self.hits[each] < least]

    def note(self, point: str, *, between: bool) -> None:
        with self.lock:
            self.hits[point] += 1
            self.between += between

    def table(self) -> str:
        """Return the tally as lines."""
        rows = [f"{count:5}  {point}" for point, count in sorted(self.hits.items())]
        between = f"{self.between} of them between fetch and the last answer to a mail"
        return "\n".join([*rows, f"{self.kills:5}  kills, {between}"])


@dataclass
class Lane:
    """One installation with its daemon and players."""

    installation: Installation
    players: Correspondents
    chance: Random
    tally: Tally
    least: int = 1
    most_matches: int = 4
    opened: int = 0
    missed_in_a_row: int = 0
    zygote: Zygote = field(init=False)

    def __post_init__(self) -> None:
        self.zygote = Zygote(self.installation)

    def open_matches(self) -> None:
        """Begin matches until enough of them run, as an organiser's command does."""
        with self._store() as store:
            desk = Desk(store, self.installation.settings)
            with store.reading() as connection:
                rows = matches.select_matches(connection)
            with store.writing() as connection:
                outages.clock_is_right(Change(desk, connection))
            self._send_doubtful(store)
            for number in range(self.most_matches - sum(r.state == "running" for r in rows)):
                with store.writing() as connection:
                    setup.set_up_match(Change(desk, connection), self._plan(number))

    def _send_doubtful(self, store: Store) -> None:
        """Have mails sent on that were cut off, as an organiser may, before others pass them."""
        now = datetime.now(UTC)
        with store.writing() as connection:
            for row in outbox.latest_mails(connection, "uncertain", limit=100_000):
                if row.doubts:
                    outbox.move_mail(connection, row.id, ["uncertain"], "uncertain", now)

    def _plan(self, number: int) -> MatchSetup:
        game = registry.find_installed("pebbles", 1)
        first = self.players.players[2 * number :][:2] if self.opened < 2 else ()
        who = first or self.chance.sample(self.players.players, 2)
        self.opened += 1
        seats = [f"red={who[0]}", f"blue={who[1]}"]
        if number % 2:
            seats.append("green=bot:random")
        holders = tuple(parse_holder(each, game) for each in seats)
        options = setup.read_options(game, [])
        seed = self.chance.randbytes(32)
        # In every other match orders are held for a moment before they are played.
        pace = Pace(grace=timedelta(seconds=number % 2))
        return MatchSetup(game, holders, options, seed=seed, begins=True, pace=pace)

    def kill_once(self) -> None:
        """Start the daemon, let it be killed somewhere, and note where that was."""
        self.players.act()
        wanted = self.tally.wanted(self.least)
        point = self.chance.choice(wanted) if wanted and self.chance.random() < 0.8 else None
        if not self.tally.hits[TIMED] or (point is None and self.chance.random() < 0.5):
            self._kill_from_outside()
            return
        site = (point or "").rpartition(":")[0]
        often = site.startswith(AGAIN) and site not in PROVOKED
        hit = self.chance.choice((1, 1, 2) if often else (1,))
        if point is None:
            hit = self.chance.randint(3, 60)
        more = self._provoke(PROVOKED.get(site))
        self.zygote.start("--poisonous", "--point", point or faults.ANY, "--hit", str(hit), *more)
        slowness = 1 + self.missed_in_a_row
        end = time.monotonic() + min(PATIENCE * slowness, LONGEST_PATIENCE)
        self._wait(end)
        if not self.zygote.running and self.zygote.report.exists():
            said = self.zygote.report.read_text().strip()
            if said:
                self.missed_in_a_row = 0
                self.tally.note(said, between=said == FETCHED or bool(self.under_way()))
                return
        self.tally.missed[f"{point} {hit}"] += 1
        self.missed_in_a_row += 1
        self._kill_now()

    def _provoke(self, trouble: str | None) -> list[str]:
        """Make trouble; return what the daemon has to be told for it."""
        if trouble in {"poison", "deadly"}:
            self.players.write_poison()
        if trouble == "reread":
            with self._store() as store:
                desk = Desk(store, self.installation.settings)
                with store.writing() as connection:
                    health.ask_rereading(connection, desk.now())
            return []
        if trouble == "unmarked":
            self._take_the_mark_away()
            return []
        if trouble == "rival":
            self._let_a_rival_be_refused()
            return []
        if trouble == "refusal":
            self.installation.smtp.modes.insert(0, "later at rcpt")
            return []
        return ["--stumble", trouble] if trouble not in {None, "poison"} else []

    def _take_the_mark_away(self) -> None:
        """Delete what says whose mailbox it is, so that the next daemon leaves it anew."""
        server = self.installation.settings.imap
        with IMAPClient(server.host, server.port, ssl=False, timeout=60) as client:
            client.login(server.user, server.password)
            if client.folder_exists("Handled"):
                client.select_folder("Handled")
                client.delete_messages(client.search(["HEADER", health.HEADER, mailbox_mark.WORD]))
                client.expunge()

    def _let_a_rival_be_refused(self) -> None:
        """Leave word in the mailbox as another installation does that wanted to read it."""
        with self._store() as store:
            desk = Desk(store, self.installation.settings)
            with Mailbox(self.installation.settings.imap, Folders()) as mailbox:
                mailbox.ensure_folders()
                mine = mailbox_mark._installation(desk)
                mailbox.put("Handled", mailbox_mark._compose(desk, mine, mailbox_mark.REFUSED))

    def _wait(self, end: float) -> None:
        """Wait for the kill; meanwhile the players write."""
        act_at = time.monotonic() + 0.2
        while self.zygote.running and time.monotonic() < end:
            time.sleep(0.005)
            if time.monotonic() > act_at:
                self.players.act()
                act_at = time.monotonic() + 0.2

    def _kill_from_outside(self) -> None:
        self.zygote.start("--poisonous")
        self._wait(time.monotonic() + self.chance.uniform(0.02, 0.7))
        if self.chance.random() < 0.3:
            # In the middle of its end.
            self.zygote.tell(signal.SIGTERM)
            time.sleep(self.chance.uniform(0, 0.2))
        self._kill_now()

    def _kill_now(self) -> None:
        ended = not self.zygote.running
        status = self.zygote.kill()
        # A daemon asked to stop may not have come far enough to stop by itself.
        good = {0, -signal.SIGKILL, -signal.SIGTERM}
        assert not ended or status in good, f"status {status}: {self.said()}"
        if status == -signal.SIGKILL:
            self.tally.note(TIMED, between=bool(self.under_way()))

    @contextmanager
    def _store(self) -> Iterator[Store]:
        """Open the store, however long a busy machine's database server takes to answer."""
        with ExitStack() as stack:
            while True:
                try:
                    store = stack.enter_context(open_store(self.installation.settings.database))
                except OperationalError as fault:
                    if not isinstance(fault.orig, ConnectionTimeout):
                        raise
                else:
                    break
            yield store

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._store() as store, store.reading() as reading:
            yield reading

    def said(self) -> str:
        """Return the end of what the daemon logged."""
        return self.zygote.log.read_text()[-3000:]

    def unfinished(self) -> list[str]:
        """Return what is not at rest: what is under way, unfiled letters, matches due some day."""
        with self._reading() as connection:
            unfiled = [
                f"letter {row.id} is {row.state} and not filed"
                for row in letters.latest_letters(connection, limit=100_000)
                if not row.filed
            ]
            due = [
                f"match {row.name} is due"
                for row in matches.select_matches(connection)
                if row.agenda_at is not None
            ]
        return unfiled + due + self.under_way()

    def under_way(self) -> list[str]:
        """Return what is between the fetch of a letter and the last answer to a mail it causes."""
        with self._reading() as connection:
            kept = letters.latest_letters(connection, "kept", 100_000)
            mails = outbox.latest_mails(connection, limit=100_000)
            due = matches.needing_attention(connection, datetime.now(UTC), limit=9)
        left = [each for each in mails if each.state in {"waiting", "sending", "uncertain"}]
        return [
            *(f"letter {row.id} is kept" for row in kept),
            *(f"mail {row.id} is {row.state}" for row in left),
            *(f"match {each} is to be attended to" for each in due),
        ]

    def come_to_rest(self, seconds: float = 400) -> None:
        """Let the daemon work until every match is over and nothing is on its way."""
        self.players.quiet = True
        self.zygote.start("--poisonous")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            assert self.zygote.running, self.said()
            if not self.players.act() and self._at_rest():
                assert self.zygote.kill(signal.SIGTERM) == 0, self.said()
                return
            if self._stopped():
                self.zygote.kill(signal.SIGTERM)
                self.zygote.start("--poisonous")
            with self._store() as store:
                self._send_doubtful(store)
            time.sleep(0.2)
        said = f"{self.unfinished()[:10]} {self._running()}"
        raise AssertionError(f"no rest: {said}\n{self.said()}")

    def _stopped(self) -> bool:
        """Whether the intake has stopped, for three poisoned letters came in a row."""
        with self._reading() as connection:
            return notes.read_value(connection, "alarm") is not None

    def _at_rest(self) -> bool:
        delivered = sum(each.copies for each in self.players.sent)
        with self._reading() as connection:
            kept = len(letters.latest_letters(connection, limit=100_000))
            # What the server did not give yet is asked for again.
            kept -= len(letters.unfetched_letters(connection))
        return kept >= delivered and not self._running() and not self.unfinished()

    def _running(self) -> list[str]:
        with self._reading() as connection:
            return [
                f"{row.name} turn {row.turn} to act {row.to_act}"
                for row in matches.select_matches(connection)
                if row.state == "running"
            ]


def kill_in_lanes(lanes: list[Lane], kills: int, *, everywhere: bool) -> None:
    """Kill in every lane at once until so many kills are done and, if wanted, all points hit."""

    def work(lane: Lane) -> None:
        while lane.tally.kills < kills or (everywhere and lane.tally.wanted(lane.least)):
            # Where everything is slow most kills come before their point.
            assert lane.tally.kills < 8 * kills, f"missed: {lane.tally.missed}"
            lane.open_matches()
            lane.kill_once()

    assert faults.points(), "read before the threads begin: two at once confuse the parser"
    in_every(lanes, work)


def in_every(lanes: list[Lane], work: Callable[[Lane], None]) -> None:
    """Do something in every lane at once; raise what went wrong in one."""
    with ThreadPoolExecutor(len(lanes)) as threads:
        for done in [threads.submit(work, lane) for lane in lanes]:
            done.result()
