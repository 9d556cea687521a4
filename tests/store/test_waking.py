"""What becomes due at once when a clock was put right: matches, mails, and no deadline before."""

from __future__ import annotations

from datetime import timedelta

from support.storing import NOW, a_mail, a_match

from referee.store import leases
from referee.store.play import matches
from referee.store.post import outbox
from referee.store.store import Store

LATER = NOW + timedelta(days=365)


def test_every_running_match_is_attended_to(store: Store) -> None:
    """One that has not begun stays as it is."""
    with store.writing() as connection:
        running, invited = a_match(connection, begun=True).match, a_match(connection).match
        for match in (running, invited):
            matches.set_agenda(connection, match, LATER)
        matches.wake_running(connection, NOW)
        assert matches.get_match(connection, running).agenda_at == NOW
        assert matches.get_match(connection, invited).agenda_at == LATER


def test_mails_that_wait_for_a_moment_wait_no_longer(store: Store) -> None:
    """What was sent or held is not touched."""
    with store.writing() as connection:
        waiting = a_mail(connection, next_at=LATER)
        held = a_mail(connection, "bob@example.test", next_at=LATER, state="held")
        outbox.hasten_all(connection, NOW)
        assert [each.id for each in outbox.due_mails(connection, NOW)] == [waiting]
        assert outbox.get_mail(connection, held).next_at == LATER


def test_a_poll_can_be_forgotten(store: Store) -> None:
    """The mailbox and who serves it stay known."""
    with store.writing() as connection:
        leases.give_sign(connection, leases.MAILBOX, "first", NOW)
        leases.note_polled(connection, LATER)
        leases.note_polled(connection, None)
        lease = leases.find_lease(connection)
    assert lease is not None
    assert (lease.owner, lease.polled_at) == ("first", None)
