"""What `referee status` sees, and how bad it says it is; each thing goes wrong once."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace

import pytest
from support.club import Club
from support.smtpd import SmtpServer
from support.storing import a_daemon, a_letter, a_mail

from referee.desk import health
from referee.desk.desk import stamp
from referee.desk.mails.delivery import Sending
from referee.desk.matches.time import outages
from referee.desk.plans import post
from referee.desk.plans.plan import apply_act
from referee.desk.plans.player import AddAddress
from referee.desk.plans.seat import HandOver
from referee.desk.service import chores, crew, status
from referee.desk.service.lease import Lease
from referee.desk.service.status import Status
from referee.mail.transport.postman import Postman
from referee.store import notes
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import letters, outbox

POLL = 60
SEATS = ("red=alice@example.test", "blue=bob@example.test")


@pytest.fixture
def well(club: Club) -> Club:
    """Return a club whose mailbox has just been read, with a match in play."""
    club.new_match("pebbles", *SEATS)
    club.work()
    for each in SEATS:
        club.mails(each.partition("=")[2])
    health.note_poll(club.desk, club.desk.now())
    return club


def seen(club: Club) -> Status:
    """Look at a club."""
    return status.read_status(club.desk)


def test_all_is_well(well: Club) -> None:
    """A mailbox that was read and a match in time give no reason for concern."""
    found = seen(well)
    assert (found.level, found.concerns) == ("fine", ())
    assert found.counts.matches == {"running": 1}


def test_a_daemon_that_works_alone_is_at_work(well: Club) -> None:
    """It is told by its lease of the mailbox, for as long as that lasts."""
    assert seen(well).daemons == ()
    lease = Lease(well.desk)
    lease.hold()
    (found,) = seen(well).daemons
    assert (found.daemon, found.heard) == (lease.server, well.desk.now())
    assert found.document()["parts"] == ["read", "work"]
    lease.give_back()
    assert seen(well).daemons == ()


def test_a_mailbox_that_was_never_read_is_trouble(club: Club) -> None:
    """The daemon was never started, which is said."""
    assert seen(club).level == "trouble"
    assert "never read: referee run" in seen(club).concerns[0].text


def test_a_mailbox_not_read_for_long_is_trouble(well: Club) -> None:
    """Three times the pause and a minute are waited for."""
    well.later(seconds=3 * POLL + 60)
    assert seen(well).level == "fine"
    well.later(seconds=1)
    assert seen(well).level == "trouble"
    assert "no daemon serves it: referee run" in seen(well).concerns[0].text


def test_a_mailbox_read_in_the_future_is_trouble(well: Club) -> None:
    """The clock jumped while no daemon ran; five minutes may be two machines' clocks."""
    well.later(minutes=-5)
    assert seen(well).level == "fine"
    well.later(seconds=-1)
    assert seen(well).level == "trouble"
    (concern,) = seen(well).concerns
    assert "lies in the future" in concern.text
    assert "referee clock" in concern.text


def test_a_jump_that_is_noted_is_told_once(well: Club) -> None:
    """The poll before it, now in the future, is no second trouble."""
    well.later(hours=-1)
    outages.note_jump(well.desk, well.desk.now() + timedelta(hours=1))
    (concern,) = seen(well).concerns
    assert "referee clock --is-right" in concern.text


def test_the_daemon_is_named(well: Club) -> None:
    """Who serves the mailbox is told."""
    lease = Lease(well.desk)
    lease.hold()
    assert seen(well).daemon == str(lease.server)
    lease.give_back()
    assert seen(well).daemon is None


def in_quarantine(club: Club) -> None:
    with club.desk.store.writing() as connection:
        row = a_letter(connection, 1, arrived=club.desk.now())
        letters.finish_letter(connection, row.id, "quarantined", "KeyError", club.desk.now())


def failed_mail(club: Club) -> None:
    with club.desk.store.writing() as connection:
        mail = a_mail(connection, "carol@example.test", now=club.desk.now())
        outbox.mark_mail(connection, mail, "failed", now=club.desk.now())


def uncertain_mail(club: Club) -> None:
    with club.desk.store.writing() as connection:
        mail = a_mail(connection, "carol@example.test", now=club.desk.now())
        outbox.mark_mail(connection, mail, "uncertain", now=club.desk.now(), doubts=1)


def doubtful_mail(club: Club) -> None:
    with club.desk.store.writing() as connection:
        mail = a_mail(connection, "carol@example.test", now=club.desk.now() - timedelta(days=1))
        outbox.mark_mail(connection, mail, "uncertain", now=club.desk.now(), doubts=3)


def failing_address(club: Club) -> None:
    with club.desk.store.writing() as connection:
        players.set_address(connection, "alice@example.test", "failing", "550 gone")


def late_match(club: Club) -> None:
    due = club.match("pebbles-1").due
    assert due is not None
    club.clock[0] = due + timedelta(minutes=1)
    health.note_poll(club.desk, club.desk.now())


def declined(club: Club) -> None:
    club.new_match("pebbles", "red=bob@example.test", "blue=bot:random", begins=False)
    club.answer(club.last("bob@example.test", "invitation"), "decline", "bob@example.test")
    club.mails("bob@example.test")


def waiting_letter(club: Club) -> None:
    with club.desk.store.writing() as connection:
        a_letter(connection, 1, arrived=club.desk.now() - timedelta(minutes=11))


def waiting_mail(club: Club) -> None:
    with club.desk.store.writing() as connection:
        a_mail(connection, now=club.desk.now() - timedelta(hours=3))


def trouble(club: Club) -> None:
    health.note_trouble(club.desk, "trouble", "mailbox: lost")


def sending(club: Club) -> None:
    health.note_trouble(club.desk, "sending", "mail.example.test: login refused")


def alarm(club: Club) -> None:
    health.raise_alarm(club.desk, "3 letters in a row could not be handled")


def jumped(club: Club) -> None:
    outages.note_jump(club.desk, club.desk.now() - timedelta(days=1))


@pytest.mark.parametrize(
    ("breaks", "level", "said"),
    [
        (in_quarantine, "warning", "letter list --state quarantined"),
        (failed_mail, "warning", "outbox list --state failed"),
        (uncertain_mail, "warning", "to carol@example.test may have arrived, or not (no answer)"),
        (doubtful_mail, "warning", "ask whether it has; referee outbox retry"),
        (failing_address, "warning", "fails: 550 gone: referee player address add alice@"),
        (late_match, "warning", ": referee match remind pebbles-1 --why"),
        (declined, "warning", "bob has declined red: referee match seat pebbles-2 red …"),
        (waiting_letter, "warning", "letter list --state kept"),
        (waiting_mail, "warning", "outbox list --state waiting"),
        (trouble, "trouble", "mailbox: lost"),
        (sending, "trouble", "login refused"),
        (alarm, "trouble", "3 letters in a row"),
        (jumped, "trouble", "referee clock --is-right"),
    ],
)
def test_what_goes_wrong_is_seen(
    well: Club, breaks: Callable[[Club], None], level: str, said: str
) -> None:
    """Each thing is a concern of its own, with the level it deserves."""
    breaks(well)
    (concern,) = seen(well).concerns
    assert concern.level == level
    assert said in concern.text
    assert seen(well).level == level


def test_nobody_is_advised_to_remove_the_only_address_of_a_player(well: Club) -> None:
    """That is refused: another one is added, and mail goes there."""
    failing_address(well)
    (concern,) = seen(well).concerns
    assert concern.text.endswith("NEW --why …")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("mailbox: imap.example.test: cannot connect", "; referee doctor tells more"),
        ("sending: smtp.example.test: cannot connect", "; referee doctor tells more"),
        ("mailbox: the log-in was refused: referee auth", ""),
        ("referee: TypeError: see the log", ""),
    ],
)
def test_trouble_with_a_server_sends_to_the_doctor(well: Club, text: str, hint: str) -> None:
    """It tries both servers; where another command helps, the trouble names that alone."""
    health.note_trouble(well.desk, "trouble", text)
    (concern,) = seen(well).concerns
    assert concern.text.endswith(f"Z {text}{hint}")


def test_the_log_tells_once_that_trouble_is_over(
    well: Club, caplog: pytest.LogCaptureFixture
) -> None:
    """Of reading and of sending, since when it was and what."""
    caplog.set_level("INFO")
    began = well.desk.now()
    trouble(well)
    sending(well)
    for _ in range(2):
        well.later(minutes=1)
        health.note_poll(well.desk, well.desk.now())
        health.end_trouble(well.desk, "sending")
    assert [line for line in caplog.messages if "over" in line] == [
        f"trouble since {stamp(began)} is over: mailbox: lost",
        f"trouble since {stamp(began)} is over: mail.example.test: login refused",
    ]
    assert seen(well).level == "fine"


@pytest.mark.parametrize(
    ("free", "level"), [(100_000_000, "fine"), (99_000_000, "warning"), (4_000_000, "trouble")]
)
def test_the_room_on_the_disk_is_looked_at(
    well: Club, monkeypatch: pytest.MonkeyPatch, free: int, level: str
) -> None:
    """A database that cannot be written cannot say so itself."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    found = seen(well)
    assert (found.level, found.document()["free"]) == (level, free)
    assert all(f"{free // 1_000_000} MB free: make room" in each.text for each in found.concerns)


def test_a_daemon_that_runs_and_cannot_write_is_not_taken_for_gone(well: Club) -> None:
    """It holds its lock; its last sign of life tells since when it has written nothing."""
    lease = Lease(well.desk)
    lease.hold()
    since = well.desk.now()
    well.later(minutes=5)
    found = seen(well)
    assert (found.daemon, found.silent) == (str(lease.server), since)
    (concern,) = found.concerns
    assert concern.level == "trouble"
    assert "the daemon runs, but has written nothing since" in concern.text
    lease.give_back()
    found = seen(well)
    assert (found.daemon, found.silent) == (None, None)
    assert "no daemon serves it: referee run" in found.concerns[0].text


def test_a_sign_of_life_from_the_future_is_none(well: Club) -> None:
    """The clock was set back since: it does not tell whether the daemon can write now."""
    lease = Lease(well.desk)
    lease.hold()
    since = well.desk.now()
    well.later(minutes=-5)
    assert seen(well).silent == since
    lease.hold()
    assert seen(well).silent is None
    lease.give_back()


def test_a_daemon_that_has_not_read_yet_is_not_started_again(club: Club) -> None:
    """While it runs, whatever keeps it from the mailbox is not that it does not."""
    lease = Lease(club.desk)
    lease.hold()
    assert "never read: its daemon has not reached it yet" in seen(club).concerns[0].text
    lease.give_back()


def test_the_one_that_leads_is_told(well: Club) -> None:
    """Of several daemons one does what follows from the clock."""
    locks = [
        a_daemon(well.desk.store, host, "read work", well.desk.now()) for host in ("one", "two")
    ]
    crew.note_leader(well.desk, "on two")
    first, second = seen(well).daemons
    assert (first.leads, second.leads) == (False, True)
    assert "reads and works, last heard" in str(first)
    assert "reads and works and leads, last heard" in str(second)
    assert second.document()["leads"] is True
    for lock in locks:
        lock.give_up()


def test_a_mistyped_address_that_was_mended_is_no_concern(
    well: Club, smtp_server: SmtpServer
) -> None:
    """Its refused mails count until the report that takes their place has left."""
    well.new_match("pebbles", "red=alice@exampel.test", "blue=bob@example.test")
    well.work()
    office = Sending(well.desk, Postman(smtp_server.server()))

    async def send() -> None:
        await office.send_due()
        await office.postman.close()

    smtp_server.refused = {"alice@exampel.test": "550 5.1.1 no such mailbox"}
    asyncio.run(send())
    assert ["could not be delivered (2)" in each.text for each in seen(well).concerns] == [
        True,
        False,
    ]
    with well.desk.store.reading() as connection:
        player = players.by_address(connection, "alice@exampel.test")
    assert player is not None
    apply_act(well.desk, AddAddress(player.id, "alicia@example.test"), "a slip of mine")
    well.work()
    assert seen(well).level == "warning"
    asyncio.run(send())
    assert {each.recipient for each in smtp_server.delivered} >= {"alicia@example.test"}
    assert (seen(well).level, seen(well).concerns) == ("fine", ())
    assert well.match("pebbles-2").due == well.desk.now() + timedelta(days=7)


def test_a_refused_mail_counts_until_it_is_dropped_or_its_seat_has_gone_on(well: Club) -> None:
    """What was to be said to who held a seat is of no use to the next."""
    failed_mail(well)
    with well.desk.writing() as change:
        row = well.match("pebbles-1")
        a_mail(change.connection, match_id=row.id, seat="red", state="failed")
        post.drop_mail(change, outbox.last_mail_id(change.connection) - 1)
    assert "(1)" in seen(well).concerns[0].text
    apply_act(well.desk, HandOver("pebbles-1", "red", bot="random"), "ill")
    assert seen(well).level == "fine"


def test_trouble_comes_before_warnings(well: Club) -> None:
    """The worst stands first and gives the level."""
    failed_mail(well)
    alarm(well)
    assert [each.level for each in seen(well).concerns] == ["trouble", "warning"]
    document = seen(well).document()
    assert document["level"] == "trouble"
    assert [each["level"] for each in document["concerns"]] == ["trouble", "warning"]


def test_a_paused_match_is_not_late(well: Club) -> None:
    """Where the clock stands nobody is out of time."""
    late_match(well)
    with well.desk.store.writing() as connection:
        row = well.match("pebbles-1")
        matches.set_match_state(connection, row.id, "paused", now=well.desk.now())
    assert seen(well).level == "fine"


def test_size_and_growth_are_told(well: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The daemon notes the size each day; a week later it is known what is added a day."""
    assert (seen(well).size > 100_000, seen(well).growth) == (True, None)
    for day in range(9):
        monkeypatch.setattr(notes, "database_bytes", lambda _, day=day: 1_000_000 + 1000 * day)
        chores.do_chores(well.desk)
        well.later(days=1)
    found = seen(well)
    assert (found.size, found.sizes[0][1], len(found.sizes)) == (1_008_000, 1_001_000, 8)
    assert found.document()["database"] == {"bytes": 1_008_000, "growth": 875.0}
