"""One mail a day to the organiser, about what is new, or none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from support.club import Club, Mail, letter
from support.storing import a_letter, a_mail

from referee.desk import health
from referee.desk.mails import delivery, summary
from referee.store import notes
from referee.store.post import letters, outbox

OLGA, EVE = "olga@example.test", "eve@example.test"
MORNING = datetime(2026, 11, 22, 6, tzinfo=UTC)


@pytest.fixture
def overseen(club: Club) -> Club:
    """Return a club with an organiser, on the eve of a day."""
    club.settle(organiser=OLGA)
    summary.write_if_due(club.desk)
    return club


def next_morning(club: Club) -> list[Mail]:
    """Let the next six o'clock come and return what the organiser gets."""
    now = club.desk.now()
    club.clock[0] = now.replace(hour=6, minute=0) + timedelta(days=now.hour >= 6)
    summary.write_if_due(club.desk)
    return club.mails(OLGA)


def test_nothing_new_is_no_mail(overseen: Club) -> None:
    """On a quiet day the organiser hears nothing."""
    assert next_morning(overseen) == []


def test_strangers_of_the_day_before_are_told_once(overseen: Club) -> None:
    """By address, with how often they wrote; in one mail, of the organiser's kind."""
    for number in range(3):
        overseen.put(letter(EVE, "hello", number=number))
    overseen.put(letter("mallory@example.test", "hello"))
    (mail,) = next_morning(overseen)
    assert mail.kind == "organiser"
    assert "· eve@example.test: 3 letters\n· mallory@example.test: 1 letter\n" in mail.text
    assert next_morning(overseen) == []


def test_two_daemons_that_both_find_it_due_write_one(
    overseen: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second looked before the first had written, and looks again under lock."""
    overseen.put(letter(EVE, "hello"))
    assert len(next_morning(overseen)) == 1
    monkeypatch.setattr(notes.StoredNote, "read", lambda *_: None)
    assert not summary.write_if_due(overseen.desk)
    assert overseen.mails(OLGA) == []


def test_a_declined_invitation_is_told_once(overseen: Club) -> None:
    """With the match, the name and the seat; not again on the day after."""
    bob = "bob@example.test"
    overseen.new_match("pebbles", "red=bot:random", f"blue={bob}", begins=False)
    overseen.answer(overseen.last(bob), "decline", bob)
    (mail,) = next_morning(overseen)
    assert "· pebbles-1: bob does not want to play blue\n" in mail.text
    assert next_morning(overseen) == []
    # Kept as told without the name, which may be erased.
    with overseen.desk.reading() as change:
        assert "bob" not in str(summary.TOLD.read(change.connection))


def test_the_hour_is_the_installations(overseen: Club) -> None:
    """At six o'clock in its zone, not before, and once on a day."""
    overseen.settle(zone=ZoneInfo("Europe/Berlin"))
    overseen.put(letter(EVE, "hello"))
    overseen.clock[0] = MORNING - timedelta(hours=1, seconds=1)
    assert not summary.write_if_due(overseen.desk)
    overseen.later(seconds=1)
    assert summary.write_if_due(overseen.desk)
    assert not summary.write_if_due(overseen.desk)


def test_what_wants_an_eye_is_told_once(overseen: Club) -> None:
    """Quarantine, failed mail, failing addresses, alarms and turns that ran out, until they end."""
    overseen.new_match("pebbles", "red=alice@example.test", "blue=bob@example.test")
    overseen.work()
    overseen.mails("alice@example.test")
    now = overseen.desk.now()
    with overseen.desk.writing() as change:
        aside = a_letter(change.connection, 901, sender="bob@example.test").id
        letters.finish_letter(
            change.connection, aside, "quarantined", "KeyError while handling it", now
        )
        failed = a_mail(change.connection, "bob@example.test")
        outbox.mark_mail(change.connection, failed, "failed", now=now, answer="552 too much")
        delivery.address_fails(change, "bob@example.test", "5.1.1 gone")
    health.raise_alarm(overseen.desk, "three letters in a row")
    overseen.later(days=8)
    (mail,) = next_morning(overseen)
    text = mail.flat
    assert f"letter {aside} from bob@example.test: KeyError" in text
    assert f"mail {failed} to bob@example.test: 552 too much" in text
    assert "bob@example.test (bob): 5.1.1 gone" in text
    assert "three letters in a row" in text
    assert "pebbles-1: red was to act until Sat 28 Nov 2026" in text
    assert next_morning(overseen) == []
    with overseen.desk.writing() as change:
        delivery.address_works(change, "bob@example.test")
    assert next_morning(overseen) == []
    with overseen.desk.writing() as change:
        delivery.address_fails(change, "bob@example.test", "5.1.1 gone again")
    (mail,) = next_morning(overseen)
    assert "gone again" in mail.text
    assert "552" not in mail.text


def test_trouble_that_passes_is_not_told(overseen: Club) -> None:
    """Only what has lasted an hour."""
    overseen.clock[0] = MORNING - timedelta(minutes=30)
    health.note_trouble(overseen.desk, "sending", "the server sleeps")
    overseen.clock[0] = MORNING
    assert not summary.write_if_due(overseen.desk)
    (mail,) = next_morning(overseen)
    assert "the server sleeps" in mail.text


def test_a_summary_that_fails_is_not_told_of(overseen: Club) -> None:
    """It would fail again, day by day."""
    overseen.put(letter(EVE, "hello"))
    (mail,) = next_morning(overseen)
    with overseen.desk.store.writing() as connection:
        outbox.mark_mail(connection, mail.id, "failed", now=overseen.desk.now())
    assert next_morning(overseen) == []


def test_without_an_organiser_there_is_no_summary(club: Club) -> None:
    """Nobody is told, and nothing is written."""
    club.put(letter(EVE, "hello"))
    club.clock[0] = MORNING
    assert not summary.write_if_due(club.desk)


def test_it_is_written_in_the_installations_language(overseen: Club) -> None:
    """The organiser reads what the installation speaks."""
    overseen.settle(language="de")
    overseen.put(letter(EVE, "hallo"))
    (mail,) = next_morning(overseen)
    assert "eve@example.test: 1 Brief" in mail.text
    assert mail.message["Subject"] == "Referee: Tagesübersicht"
