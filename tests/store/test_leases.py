"""Leases, strangers and how the installation stands."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from support.storing import NOW, SECOND, a_letter, a_mail, a_match

from referee.store import leases, notes
from referee.store.leases import MAILBOX
from referee.store.play import matches
from referee.store.post import letters, outbox, strangers
from referee.store.store import Store


def test_a_lease_says_who_holds_it_and_when_it_wrote(store: Store) -> None:
    """The latest sign counts; those of daemons are apart from that of the mailbox."""
    with store.writing() as connection:
        assert leases.find_lease(connection) is None
        leases.give_sign(connection, MAILBOX, "first", NOW)
        leases.give_sign(connection, f"{leases.DAEMON}1", "first", NOW)
        leases.give_sign(connection, MAILBOX, "second", NOW + SECOND)
        lease = leases.find_lease(connection)
        assert lease is not None
        assert (lease.owner, lease.heartbeat) == ("second", NOW + SECOND)
        (daemon,) = leases.daemon_leases(connection)
        assert (daemon.owner, daemon.heartbeat) == ("first", NOW)
        leases.remove_lease(connection, daemon.name)
        assert leases.daemon_leases(connection) == ()


def test_the_last_poll_is_kept_with_the_mailbox(store: Store) -> None:
    """When the last successful poll began is known, whoever serves the mailbox."""
    with store.writing() as connection:
        leases.note_polled(connection, NOW)
        leases.give_sign(connection, MAILBOX, "first", NOW + SECOND)
        lease = leases.find_lease(connection)
        assert lease is not None
        assert (lease.owner, lease.polled_at) == ("first", NOW)
        leases.note_polled(connection, NOW + SECOND)
        lease = leases.find_lease(connection)
        assert lease is not None
        assert (lease.owner, lease.polled_at) == ("first", NOW + SECOND)


def test_strangers_are_counted_by_day(store: Store) -> None:
    """A stranger's letters are counted by address and day, in any case of the address."""
    tomorrow = NOW + timedelta(days=1)
    with store.writing() as connection:
        strangers.note_stranger(connection, "Eve@b.test", NOW)
        strangers.note_stranger(connection, "eve@b.test", NOW)
        strangers.note_stranger(connection, "dan@b.test", NOW)
        strangers.note_stranger(connection, "eve@b.test", tomorrow)
        found = strangers.strangers_on(connection, strangers.day_of(NOW))
        (later,) = strangers.strangers_on(connection, strangers.day_of(tomorrow))
    assert (later.address, later.count) == ("eve@b.test", 1)
    assert [(each.address, each.count) for each in found] == [("dan@b.test", 1), ("eve@b.test", 2)]


def test_a_stranger_is_answered_once_a_day(store: Store) -> None:
    """Each stranger may be answered once a day, and only after he wrote."""
    with store.writing() as connection:
        assert not strangers.may_answer(connection, "eve@b.test", NOW)
        strangers.note_stranger(connection, "eve@b.test", NOW)
        assert strangers.may_answer(connection, "Eve@b.test", NOW)
        strangers.note_stranger(connection, "eve@b.test", NOW)
        assert not strangers.may_answer(connection, "eve@b.test", NOW)


def test_what_is_remembered_can_be_replaced_and_forgotten(store: Store) -> None:
    """A key holds its latest value until it is removed."""
    with store.writing() as connection:
        assert notes.START.read(connection) is None
        notes.START.write(connection, "one")
        notes.START.write(connection, "two")
        notes.put_value(connection, "other", "three")
        assert notes.START.read(connection) == "two"
        notes.START.remove(connection)
        assert notes.START.read(connection) is None
        assert notes.read_value(connection, "other") == "three"


def test_of_many_that_add_to_what_is_remembered_nobody_is_lost(store: Store) -> None:
    """Who reads a value to change it keeps others from it until the block ends."""
    writers, times = 4, 5
    start = threading.Barrier(writers)

    def add(name: str) -> None:
        start.wait()
        for _ in range(times):
            with store.writing() as connection:
                known = notes.START.lock(connection) or ""
                notes.put_value(connection, "last", name)
                notes.START.write(connection, f"{known}{name}")

    with ThreadPoolExecutor(writers) as pool:
        list(pool.map(add, "abcd"))
    with store.reading() as connection:
        found = notes.START.read(connection)
        assert sorted(found or "") == sorted("abcd" * times)
        assert notes.read_value(connection, "last") == (found or "")[-1]


def test_the_status_counts_and_dates(store: Store) -> None:
    """The status counts by state and says since when the oldest letter and mail wait."""
    with store.writing() as connection:
        a_match(connection)
        matches.set_match_state(connection, a_match(connection).match, "running")
        handled = a_letter(connection, 1, arrived=NOW - SECOND).id
        letters.finish_letter(connection, handled, "handled", None, NOW)
        a_letter(connection, 2, arrived=NOW + SECOND)
        a_letter(connection, 3, arrived=NOW)
        outbox.mark_mail(connection, a_mail(connection, now=NOW - SECOND), "sent", now=NOW)
        outbox.claim_mail(connection, a_mail(connection, now=NOW))
        found = notes.read_figures(connection, NOW)
        assert notes.counts_by_state(connection) == {
            "matches": found.matches,
            "letters": found.letters,
            "outbox": found.outbox,
        }
    assert found.players == 2
    assert found.matches == {"invited": 1, "running": 1}
    assert found.letters == {"handled": 1, "kept": 2}
    assert found.outbox == {"sent": 1, "sending": 1}
    assert (found.oldest_letter, found.oldest_mail) == (NOW, NOW)


def test_a_mail_that_waits_for_its_hour_is_not_late(store: Store) -> None:
    """In quiet hours nobody is to be woken because of it; once tried, it is counted."""
    with store.writing() as connection:
        mail = a_mail(connection, now=NOW, next_at=NOW + SECOND)
        assert notes.read_figures(connection, NOW).oldest_mail is None
        assert notes.read_figures(connection, NOW + SECOND).oldest_mail == NOW
        outbox.claim_mail(connection, mail)
        outbox.mark_mail(connection, mail, "waiting", now=NOW, next_at=NOW + SECOND)
        assert notes.read_figures(connection, NOW).oldest_mail == NOW


def test_an_empty_house_has_nothing_waiting(store: Store) -> None:
    """Nothing waits in a store that was just made."""
    with store.reading() as connection:
        found = notes.read_figures(connection, NOW)
    assert (found.players, found.matches, found.oldest_letter, found.oldest_mail) == (
        0,
        {},
        None,
        None,
    )
