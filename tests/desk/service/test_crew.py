"""The daemons at work on one PostgreSQL database: who fits in, who is dead, who leads."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text
from support.club import club_settings
from support.cost import statements
from support.installation import until
from support.postgresql import PostgreSQL

from referee.config import Settings
from referee.daemon import worker as daemon_worker
from referee.daemon.daemon import Daemon
from referee.daemon.process import Process
from referee.daemon.reader import Reader
from referee.daemon.worker import Worker
from referee.desk.desk import Desk
from referee.desk.letters import queue
from referee.desk.mails.delivery import Sending
from referee.desk.service import crew, lease
from referee.desk.service.crew import ClocksApart, Membership, Misfit
from referee.desk.service.lease import Lease
from referee.desk.service.life import SILENCE, Pulse
from referee.desk.service.mailbox_mark import MailboxTaken
from referee.store import leases, notes
from referee.store.database.errors import StoreLocked, UnknownSchema
from referee.store.database.locks import LEADER
from referee.store.post import claims, letters, outbox
from referee.store.post.outbox import NewMail
from referee.store.store import Store, create_store, open_store
from referee.store.tables.post import LetterRow
from referee.value import replace

DATABASE = "crew"
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def store(postgresql: PostgreSQL) -> Iterator[Store]:
    """Return a store on PostgreSQL with nothing in it."""
    postgresql.run(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
    postgresql.run(f"CREATE DATABASE {DATABASE}")
    create_store(postgresql.url(DATABASE))
    with open_store(postgresql.url(DATABASE)) as found:
        yield found
    postgresql.run(f"DROP DATABASE {DATABASE} WITH (FORCE)")


@pytest.fixture
def desk(store: Store) -> Desk:
    """Return a desk on it, with the machine's own clock."""
    return Desk(store, club_settings())


@pytest.fixture
def join(desk: Desk) -> Iterator[Callable[[Desk], Membership]]:
    """Return how to join; all members leave in the end."""
    members: list[Membership] = []

    def joined(other: Desk = desk) -> Membership:
        member = Membership(other)
        member.join()
        members.append(member)
        return member

    yield joined
    for each in members:
        each.leave()


def kept(desk: Desk, *found: str | None) -> list[int]:
    """Keep a letter for each set of lanes; return their numbers."""
    numbers = []
    with desk.store.writing() as connection:
        for uid, known in enumerate(found, start=1):
            row = letters.keep_letter(
                connection,
                folder="INBOX",
                uidvalidity=1,
                uid=uid,
                arrived=NOON + timedelta(seconds=uid),
                size=1,
                raw=b"From: eve@example.test\r\n\r\nhello\r\n",
                mailbox=desk.settings.address,
                now=NOON,
            )
            assert row is not None
            claims.keep_back(connection, [row.id], "reader")
            claims.sort_letter(connection, row.id, known, "reader")
            numbers.append(row.id)
    return numbers


def taken(desk: Desk, worker: str) -> int | None:
    """Let a daemon take its next letter; return its number."""
    found = queue._take_next(desk, worker)
    return None if found is None else found[0].id


def letter(desk: Desk, number: int) -> LetterRow:
    """Return a letter as it stands."""
    with desk.store.reading() as connection:
        return letters.get_letter(connection, number)


def silence(desk: Desk) -> None:
    """Let the last signs of life of all daemons be a minute old."""
    with desk.store.writing() as connection:
        # In microseconds, as the tables have it.
        connection.execute(text("UPDATE leases SET heartbeat = heartbeat - 60000000"))


def finish(desk: Desk, number: int) -> None:
    """Record a letter as handled."""
    with desk.store.writing() as connection:
        letters.finish_letter(connection, number, "handled", None, NOON)


def test_daemons_of_one_installation_fit_together(join: Callable[[], Membership]) -> None:
    """Several join, and each has a name of its own."""
    assert join().name != join().name


def test_another_version_is_refused(
    join: Callable[[], Membership], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It hears both versions, with the status that systemd does not start again after."""
    join()
    monkeypatch.setattr(crew, "version", lambda _: "9.9")
    with pytest.raises(Misfit, match=r"is of version .*, this one of 9\.9") as refused:
        join()
    assert refused.value.status == 78


def test_another_key_is_refused(desk: Desk, join: Callable[..., Membership]) -> None:
    """Codes of the one would be strange to the other; neither key is told."""
    join()
    with pytest.raises(Misfit, match="another key") as refused:
        join(replace(desk, settings=replace(desk.settings, key=b"x" * 32)))
    assert refused.value.status == 78
    with desk.store.reading() as connection:
        (row,) = leases.daemon_leases(connection)
    assert (b"k" * 32).hex() not in str(row.owner)


@pytest.mark.parametrize("seconds", [-60, 60])
def test_another_clock_is_refused(
    desk: Desk, join: Callable[..., Membership], seconds: int
) -> None:
    """A minute before or behind the database's is said, to join and later on."""
    wrong = replace(desk, now=lambda: datetime.now(UTC) + timedelta(seconds=seconds))
    with pytest.raises(ClocksApart, match="60 seconds"):
        join(wrong)
    member = join()
    member.beat()
    member.desk = wrong
    with pytest.raises(ClocksApart):
        member.beat()
    # Its sign of life is of the database's time, not of its own.
    with desk.store.reading() as connection:
        (row,) = leases.daemon_leases(connection)
    assert row.heartbeat is not None
    assert abs(row.heartbeat - datetime.now(UTC)) < timedelta(seconds=30)


def test_a_daemon_hears_that_the_tables_were_upgraded(
    desk: Desk, join: Callable[[], Membership]
) -> None:
    """The next sign of life tells it, with the status of what does not fit."""
    member = join()
    with desk.store.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(UnknownSchema) as told:
        member.beat()
    assert told.value.status == 78


def test_letters_of_one_lane_go_one_after_another(desk: Desk) -> None:
    """Each daemon takes the first that shares no lane; until it is given up, nothing follows."""
    first, second, third, fourth = kept(desk, "p1 m1", "p2 m1", "p3 m2", "p1 m3")
    assert taken(desk, "one") == first
    assert taken(desk, "two") == third
    assert taken(desk, "three") is None
    finish(desk, first)
    assert taken(desk, "three") is None
    assert taken(desk, "one") == second
    assert taken(desk, "three") == fourth


def test_a_letter_of_unknown_lanes_goes_alone(desk: Desk) -> None:
    """It waits for all before it, and all after it wait."""
    first, unknown, last = kept(desk, "p1 m1", None, "p2 m2")
    assert taken(desk, "one") == first
    assert taken(desk, "two") is None
    finish(desk, first)
    assert taken(desk, "one") == unknown
    assert taken(desk, "two") is None
    finish(desk, unknown)
    assert taken(desk, "one") == last


def test_among_many_of_one_lane_a_free_one_is_found(desk: Desk) -> None:
    """A flood in one match does not hold up the others."""
    *flood, free = kept(desk, *["p1 m1"] * 70, "p2 m2")
    assert taken(desk, "one") == flood[0]
    assert taken(desk, "two") == free


def test_a_letter_sorted_twice_stays_in_the_hands_it_is_in(desk: Desk) -> None:
    """Its reader may have been taken for dead for a while; it comes too late."""
    (number,) = kept(desk, "p1 m1")
    assert taken(desk, "one") == number
    with desk.store.writing() as connection:
        claims.sort_letter(connection, number, "p1 m1", "reader")
    assert taken(desk, "two") is None


def test_what_a_dead_daemon_had_is_freed(desk: Desk, join: Callable[[], Membership]) -> None:
    """Its letter counts a kill, its mail is uncertain; those of the living stay theirs."""
    living = join()
    killed, theirs, back = kept(desk, "p1", "p2", "p3")
    with desk.store.writing() as connection:
        claims.keep_back(connection, [back], "dead")
        assert claims.claim_letter(connection, killed, "dead") is not None
        assert claims.claim_letter(connection, theirs, living.name) is not None
        mails = [
            NewMail(f"{n}@example.test", "notice", f"<{n}@x>", "r@x", b"", NOON) for n in range(2)
        ]
        numbers = list(outbox.enqueue_mails(connection, mails).values())
        for number, whose in zip(numbers, ("dead", living.name), strict=True):
            outbox.claim_mail(connection, number, whose)
    crew.recover_from_dead(desk)
    assert (letter(desk, killed).kills, letter(desk, killed).attempting) == (1, False)
    assert (letter(desk, theirs).kills, letter(desk, theirs).attempting) == (0, True)
    assert letter(desk, back).kills == 0
    with desk.store.reading() as connection:
        states = [outbox.get_mail(connection, each).state for each in numbers]
    assert states == ["uncertain", "sending"]
    assert [taken(desk, "other"), taken(desk, "another")] == [killed, back]


def test_a_daemon_without_its_lock_counts_as_dead_once_it_was_silent(
    desk: Desk, join: Callable[[], Membership]
) -> None:
    """It may only have lost its connection; its next sign of life brings it back."""
    member = join()
    (number,) = kept(desk, "p1")
    assert taken(desk, member.name) == number
    member._lock.give_up()
    until(lambda: members(desk) == [], "the end of its lock")
    crew.recover_from_dead(desk)
    assert (letter(desk, number).kills, letter(desk, number).attempting) == (0, True)
    silence(desk)
    crew.recover_from_dead(desk)
    assert (letter(desk, number).kills, letter(desk, number).attempting) == (1, False)
    with desk.store.reading() as connection:
        assert not leases.daemon_leases(connection)
    member.beat()
    assert members(desk) == [member.name]


def test_a_daemon_that_holds_its_lock_lives_however_long_it_writes_nothing(
    desk: Desk, join: Callable[[], Membership]
) -> None:
    """A database that takes nothing for a while frees nobody's letters."""
    member = join()
    (number,) = kept(desk, "p1")
    assert taken(desk, member.name) == number
    silence(desk)
    crew.recover_from_dead(desk)
    assert letter(desk, number).attempting
    assert members(desk) == [member.name]


def members(desk: Desk) -> list[str]:
    """Return the names of the daemons at work."""
    with desk.store.reading() as connection:
        return [member.token for member, _ in crew.living_members(connection)]


def test_mail_may_leave_once_a_living_reader_knows_the_mailbox(
    desk: Desk, join: Callable[[], Membership]
) -> None:
    """Neither a lease taken nor the word of a dead reader is enough."""
    reader = join()
    assert not crew.is_entered(desk)
    crew.note_entered(desk, reader.name)
    assert crew.is_entered(desk)
    reader.leave()
    until(lambda: not crew.is_entered(desk), "the end of its lock")


def test_a_clock_that_jumped_takes_nobody_for_dead(
    desk: Desk, join: Callable[[], Membership]
) -> None:
    """How long somebody was silent goes by the database's clock, as the signs of life do."""
    member = join()
    (number,) = kept(desk, "p1")
    assert taken(desk, member.name) == number
    member._lock.give_up()
    until(lambda: members(desk) == [], "the end of its lock")
    ahead = replace(desk, now=lambda: datetime.now(UTC) + timedelta(minutes=1))
    crew.recover_from_dead(ahead)
    assert letter(desk, number).attempting


def test_a_reader_that_gives_up_the_mailbox_lets_no_mail_leave(
    desk: Desk, join: Callable[[], Membership]
) -> None:
    """It belongs to another installation, and so may the match of every mail that waits."""
    process = Process(desk, worker=join().name)
    reader = Reader(process, lambda: None, lambda _: process.stop())
    reader.give_up(MailboxTaken("it is another's"))
    reader.note_entered()
    assert not crew.is_entered(desk)


def test_a_reader_that_waits_is_no_warning(
    desk: Desk,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is as it should be, where several daemons share the work; once it is said all the same."""
    caplog.set_level("INFO")
    monkeypatch.setattr(lease, "BEAT", 0.01)
    daemon, other = Daemon(desk), Lease(desk)
    asked: list[str] = []
    monkeypatch.setattr(Settings, "require_log_in", lambda _: asked.append("again"))
    other.hold()
    waiting = threading.Thread(target=daemon._read_when_free)
    waiting.start()
    try:
        until(lambda: len(asked) > 3, "some tries")
    finally:
        daemon.stop()
        waiting.join()
        other.give_back()
    (line,) = [each for each in caplog.records if each.message.startswith("waiting: ")]
    assert line.levelname == "INFO"


def test_a_daemon_asked_to_stop_leaves_no_letter_behind(desk: Desk) -> None:
    """The letter it was at does not hold up the next of its lane."""
    first, second = kept(desk, "p1 m1", "p1 m1")
    asked = iter([True, False])
    assert queue.handle_free(desk, "one", lambda _: None, lambda: next(asked)) == 1
    assert letter(desk, first).state == "ignored"
    assert taken(desk, "two") == second


def test_one_leads_until_it_ends(store: Store, postgresql: PostgreSQL) -> None:
    """Another leads as soon as the first gives up, or loses its connection."""
    first, second = store.lock(LEADER), store.lock(LEADER)
    assert [first.holds(), second.holds(), first.holds()] == [True, False, True]
    first.give_up()
    until(second.holds, "the lock")
    assert not first.holds()
    postgresql.run(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_locks WHERE locktype = 'advisory'"
        " AND database = (SELECT oid FROM pg_database WHERE datname = 'crew')"
    )
    assert not second.holds()
    assert first.holds()
    first.give_up()


@contextmanager
def at_work(worker: Worker, *, beats: bool = False) -> Iterator[None]:
    """Let a worker work in a thread of its own, or only beat, until it is asked to stop."""
    working = worker.keep_beating if beats else worker.keep_working
    thread = threading.Thread(target=lambda: asyncio.run(working()))
    thread.start()
    try:
        yield
    finally:
        worker.process.stop()
        thread.join()


def leader(desk: Desk) -> str | None:
    """Return the name noted of the one that leads."""
    with desk.store.reading() as connection:
        return notes.read_value(connection, "leader")


def test_a_leader_whose_clock_is_wrong_lets_another_lead(desk: Desk) -> None:
    """It leads again once its clock is right and nobody else does."""
    process, other = Process(desk, worker="one"), desk.store.lock(LEADER)
    worker = Worker(process, Pulse(), lambda: None, lambda _: None)
    process.entered.set()
    with ExitStack() as ending:
        ending.callback(other.give_up)
        ending.enter_context(at_work(worker))
        until(lambda: worker._leads, "the first lead")
        until(lambda: leader(desk) == "one", "its name")
        assert not other.holds()
        process.unfit.set()
        until(other.holds, "the other's lead")
        other.give_up()
        process.unfit.clear()
        until(lambda: worker._leads, "the lead again")


@pytest.fixture
def silent(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Worker:
    """Return a worker that beats often, and has given no sign of life for long."""
    monkeypatch.setattr(daemon_worker, "BEAT", 0.01)
    now = [0.0]
    pulse = Pulse(lambda: now[0])
    now[0] = 2 * SILENCE
    return Worker(Process(desk), pulse, lambda: None, lambda _: None)


def test_a_worker_that_waits_for_a_reader_shows_that_it_lives(silent: Worker) -> None:
    """However long nobody reads it is healthy, and not ready."""
    assert silent.pulse.silent
    with at_work(silent):
        until(lambda: not silent.pulse.silent, "a beat")
        assert not silent.pulse.ready.is_set()


def test_a_reader_is_ready_once_it_has_tried_the_mailbox(silent: Worker) -> None:
    """One that only reads is ready no sooner than those that work."""
    with at_work(silent, beats=True):
        until(lambda: not silent.pulse.silent, "a beat")
        assert not silent.pulse.ready.is_set()
        silent.process.entered.set()
        until(silent.pulse.ready.is_set, "readiness")


def test_a_server_that_hangs_holds_up_no_round_and_no_end(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its mail goes on beside the rounds; at the end it is given up after a while."""
    monkeypatch.setattr(daemon_worker, "SENDING", 0.05)
    monkeypatch.setattr(daemon_worker, "LAST_WORDS", 0.05)
    given_up, rounds, begun = threading.Event(), list[str](), list[str]()

    async def hang(sending: Sending) -> int:
        begun.append(str(sending.postman.server))
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            given_up.set()
            raise
        return 0

    monkeypatch.setattr(Sending, "send_due", hang)
    monkeypatch.setattr(daemon_worker.summary, "write_if_due", lambda _: rounds.append("round"))
    process = Process(desk)
    worker = Worker(process, Pulse(), lambda: None, lambda _: None)
    process.entered.set()
    with at_work(worker):
        until(lambda: len(rounds) > 2, "three rounds")
    assert given_up.is_set()
    assert len(begun) == 1


def test_no_deadline_acts_while_a_jump_cannot_be_noted(desk: Desk) -> None:
    """What follows the look at the clock waits for the next round; other faults end nothing."""

    def fail() -> None:
        raise StoreLocked("locked")

    done: list[str] = []
    worker = Worker(Process(desk), Pulse(), lambda: None, lambda _: None)
    worker._lead_round({"clock": fail, "agenda": lambda: done.append("agenda")})
    assert done == []
    worker._lead_round({"recover": fail, "agenda": lambda: done.append("agenda")})
    assert done == ["agenda"]
    worker._give_up_lead()


@pytest.mark.parametrize(
    ("opened", "free"),
    [
        ([("p1 m1", ""), ("p2 m2", "")], 0),
        ([("p1 m1", "x"), ("p3 m1", ""), ("p2 m2", "")], 2),
        ([("p1 m1", "x"), ("p1 m2", ""), ("p3 m2", "")], None),
        ([("p1 m1", ""), ("p3 m1", "x")], None),
        ([(None, "x"), ("p2 m2", "")], None),
        ([(None, ""), ("p2 m2", "")], 0),
        ([("p1 m1", ""), (None, "")], 0),
        ([], None),
    ],
)
def test_a_letter_waits_for_what_is_in_hands_or_before_it(
    desk: Desk, opened: list[tuple[str | None, str]], free: int | None
) -> None:
    """The first that shares nothing is free; none behind what may touch anything."""
    letters_kept = kept(desk, *(lanes for lanes, _ in opened))
    with desk.store.writing() as connection:
        for number, (_, whose) in zip(letters_kept, opened, strict=True):
            if whose:
                claims.claim_letter(connection, number, whose)
        found = claims.next_free(connection, [])
    assert found == (None if free is None else letters_kept[free])


def test_one_senders_many_letters_hide_nobody_elses(desk: Desk) -> None:
    """While the first of them is in work, another sender's letter is found behind all of them."""
    first, *_, other = kept(desk, *["p1 m1"] * 1100, "p2 m2")
    assert taken(desk, "one") == first
    with statements() as asked:
        assert taken(desk, "two") == other
    assert sum("FROM letters" in statement for statement in asked) < 4
