"""Several daemons on one PostgreSQL database: killed, cut off, and unfit to work together."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from support import audit
from support.correspondents import Correspondents
from support.dovecot import Dovecot
from support.gang import Gang
from support.installation import install, until
from support.lane import Tally
from support.postgresql import PostgreSQL
from support.smtpd import SmtpServer
from support.zygote import WAIT, Zygote

from referee.daemon.daemon import Daemon
from referee.desk.desk import Desk
from referee.desk.service.lease import serving_daemon
from referee.store.store import open_store

pytestmark = pytest.mark.mail

DATABASE = "gang"
MATCHES = 4
TROUBLES = 6
HOUR = 3600.0

MakeGang = Callable[[tuple[tuple[str, ...], ...]], Gang]


@pytest.fixture
def make_gang(
    tmp_path: Path, dovecot: Dovecot, smtp_server: SmtpServer, postgresql: PostgreSQL
) -> Iterator[MakeGang]:
    """Return how to set up daemons with these parts on one database."""
    made: list[Gang] = []

    def make(parts: tuple[tuple[str, ...], ...]) -> Gang:
        postgresql.run(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        postgresql.run(f"CREATE DATABASE {DATABASE}")
        account, url = dovecot.account("referee"), postgresql.url(DATABASE)
        installation = install(tmp_path / "club", account, dovecot, smtp_server, url)
        installation.store.close()
        text = installation.config.read_text()
        text = text.replace("poll_seconds = 60", "poll_seconds = 1")
        text = text.replace("# organiser =", 'organiser = "olga@example.test" #')
        installation.config.write_text(text)
        names = ("alice", "bob", "red", "blue")
        players = tuple(f"{name}@example.test" for name in names)
        chance = Random(5)
        who = Correspondents(
            installation.address, installation.dovecot, installation.smtp, chance, players
        )
        gang = Gang(
            installation,
            who,
            chance,
            Tally(),
            most_matches=MATCHES,
            server=postgresql,
            database=DATABASE,
            parts=parts,
        )
        made.append(gang)
        return gang

    yield make
    for gang in made:
        gang.close()
    postgresql.run(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")


def troubled(gang: Gang, seconds: float = 0.0) -> None:
    """Make trouble so long, and so often, let all come to rest, and compare what is left."""
    end = time.monotonic() + seconds
    while gang.kills + gang.cuts < TROUBLES or time.monotonic() < end:
        gang.open_matches()
        gang.trouble_once()
    gang.come_to_rest()
    assert not gang.surprises()
    everybody = (*gang.players.players, "olga@example.test")
    books = audit.opened(gang.installation, gang.players.sent, everybody, several=True)
    faults = audit.faults(books)
    # Whole: what an hour has shown cannot be asked for again.
    assert not faults, "\n\n".join(faults)
    assert gang.kills
    assert gang.cuts
    assert sum(row.state == "over" for row in books.matches) >= MATCHES


@pytest.mark.timeout(900)
def test_two_daemons_killed_and_cut_off(make_gang: MakeGang) -> None:
    """Each letter is handled once and each mail sent, whichever daemon ends or is cut off."""
    troubled(make_gang(((), ("--work",))))


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_three_daemons_killed_and_cut_off(make_gang: MakeGang) -> None:
    """The same with a reader that only reads, and two that do both."""
    troubled(make_gang((("--read",), (), ())))


def test_a_database_that_takes_nothing_for_a_moment(
    make_gang: MakeGang, postgresql: PostgreSQL, caplog: pytest.LogCaptureFixture
) -> None:
    """When it can be written again, as after a failover, every part of the daemon goes on."""
    installation = make_gang(((),)).installation
    assert installation.referee("player", "add", "alice@example.test").returncode == 0
    cut = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{DATABASE}'"
    read_only = f"ALTER DATABASE {DATABASE} SET default_transaction_read_only"
    with open_store(postgresql.url(DATABASE)) as store:
        daemon = Daemon(Desk(store, installation.settings))
        thread = threading.Thread(target=daemon.run)
        thread.start()
        try:
            daemon.process.entered.wait(WAIT)
            postgresql.run(f"{read_only} = on", cut)
            installation.send("alice@example.test", "help")
            until(lambda: "read-only" in caplog.text, "the trouble")
            time.sleep(3)
            postgresql.run(f"{read_only} = off", cut)
            until(lambda: installation.received("alice@example.test"), "the answer")
        finally:
            daemon.stop()
            thread.join(WAIT)
    assert not thread.is_alive()


def reads(gang: Gang) -> int | None:
    """Return the process that serves the mailbox."""
    url = gang.server.url(DATABASE) if gang.server else ""
    with open_store(url) as store, store.reading() as connection:
        found = serving_daemon(connection)
    return found.pid if found else None


def has_waited(daemon: Zygote) -> bool:
    """Return whether a daemon has said that it waits for the mailbox."""
    return daemon.log.exists() and "waiting: another daemon serves" in daemon.log.read_text()


def answered(gang: Gang) -> None:
    """Send a letter, and wait until it is answered."""
    installation = gang.installation
    before = len(installation.received("carol@example.test"))
    installation.send("carol@example.test", "help")
    until(lambda: len(installation.received("carol@example.test")) > before, "the answer")


@pytest.fixture
def pair(make_gang: MakeGang) -> Gang:
    """Return two daemons of which the first reads; either could."""
    gang = make_gang(((), ()))
    assert gang.installation.referee("player", "add", "carol@example.test").returncode == 0
    first, second = gang.zygotes
    first.start()
    until(lambda: reads(gang) == first.pid, "the first reader")
    second.start()
    until(lambda: has_waited(second), "the second")
    return gang


def test_the_mailbox_of_a_killed_daemon_is_free_at_once(pair: Gang) -> None:
    """The other one does not wait until it was silent for long."""
    first, second = pair.zygotes
    first.kill()
    until(lambda: reads(pair) == second.pid, "the other reader")
    answered(pair)


def test_a_daemon_that_was_stopped_loses_the_mailbox_and_goes_on(pair: Gang) -> None:
    """PostgreSQL ends its connection; when it goes on it waits, and reads when it is its turn."""
    first, second = pair.zygotes
    first.tell(signal.SIGSTOP)
    until(lambda: reads(pair) == second.pid, "the other reader")
    answered(pair)
    first.tell(signal.SIGCONT)
    until(lambda: has_waited(first), "the first, waiting")
    answered(pair)
    assert reads(pair) == second.pid
    assert first.running
    second.kill()
    until(lambda: reads(pair) == first.pid, "the first reader again")
    answered(pair)
    assert not pair.surprises()


def test_a_daemon_whose_network_fell_silent_is_not_locked_out_by_its_ghost(pair: Gang) -> None:
    """Nor is the other: whoever is first reads on, and both live."""
    link, *_ = pair.links
    with link.unanswered():
        until(lambda: reads(pair) == pair.zygotes[1].pid, "the other reader")
        answered(pair)
    pair.zygotes[1].kill()
    until(lambda: reads(pair) == pair.zygotes[0].pid, "the first reader again")
    answered(pair)
    assert not pair.surprises()


@pytest.mark.soak
@pytest.mark.timeout(14_400)
def test_daemons_killed_for_an_hour(make_gang: MakeGang) -> None:
    """The same again and again, while match after match is played."""
    troubled(make_gang(((), (), ("--work",))), HOUR)
