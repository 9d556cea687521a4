"""Hours of a player: what is read, and what follows from it for clocks and the outbox."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from support.club import ALICE, BOB, Club, Mail
from support.cost import cost
from support.watching import begun, plays

from referee.desk.matches.time import departure
from referee.desk.players import read_setting
from referee.store.people import players
from referee.store.post import outbox


def wants(club: Club, who: str, **settings: str | None) -> None:
    """Let a player have settings."""
    with club.desk.store.writing() as connection:
        found = players.by_address(connection, who)
        number = (
            players.insert_player(
                connection, name="alice", language="en", zone="UTC", address=who, now=club.clock[0]
            )
            if found is None
            else found.id
        )
        players.update_player(connection, number, **settings)


def read(setting: str, text: str) -> str | None:
    """Return the value of a setting as it is kept; None if it is none."""
    nobody: Any = None
    return read_setting(nobody, nobody, setting, text)


def leaving(club: Club, to: str) -> list[str]:
    """Return the kinds of the mails to an address that may leave now, and let them."""
    kinds = []
    with club.desk.store.reading() as connection:
        due = [each for each in outbox.due_mails(connection, club.clock[0]) if each.recipient == to]
    for each in due:
        kinds.append(each.kind)
        with club.desk.store.writing() as connection:
            outbox.claim_mail(connection, each.id)
            outbox.mark_mail(connection, each.id, "sent", now=club.clock[0])
    return [*kinds, *leaving(club, to)] if due else kinds


@pytest.mark.fast
def test_no_value_takes_reminders_long() -> None:
    """Neither many times left with a wrong one at their end, nor very many."""
    assert cost(lambda: departure.read_reminders("1d " * 22 + "x")) < 0.1
    assert departure.read_reminders("1d " * 40 + "1d") is None


@pytest.mark.fast
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("24h 2h", "24h 2h"), ("2h 24h 2h", "24h 2h"), ("3d, 12 hours", "3d 12h"),
        ("2 Tage und 30 min", "48h 30m"), ("off", "off"), ("aus", "off"), ("match", "match"),
        ("", None), ("soon", None), ("5m", None), ("31d", None), ("0h", None), ("24", None),
        ("1w, 9 days", "9d 7d"), ("2d2h 90m", "50h 1h30m"), ("10d1m", "240h1m"), ("2h2d", None),
        ("1h 2h 3h 4h 5h 6h", None), ("9" * 400 + "h", None),
    ],
)  # fmt: skip
def test_reminders_are_read(text: str, kept: str | None) -> None:
    """In both languages, the longest first, as they are read again; the rest is refused."""
    assert read("reminders", text) == kept
    assert kept is None or read("reminders", kept) == kept


@pytest.mark.fast
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("22:00-07:00", "22:00-07:00"), ("22-7", "22:00-07:00"), ("from 22:30 to 7", "22:30-07:00"),
        ("von 22 Uhr bis 7 Uhr", "22:00-07:00"), ("22.15 – 6.45", "22:15-06:45"), ("aus", "off"),
        ("0-8", "00:00-08:00"), ("16-24", "16:00-00:00"), ("22", None), ("25-7", None),
        ("22:60-7", None), ("8-8", None), ("8-7", None), ("nights", None),
    ],
)  # fmt: skip
def test_quiet_hours_are_read(text: str, kept: str | None) -> None:
    """In both languages; some hours of a day must remain."""
    assert read("quiet", text) == kept


@pytest.mark.fast
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("daily 18:00", "daily 18:00"), ("on", "daily"), ("täglich um 18 Uhr", "daily 18:00"),
        ("7.30", "daily 07:30"), ("off", "off"), ("weekly", None), ("daily 24:30", None),
        ("daily soon", None), ("off 18:00", None),
    ],
)  # fmt: skip
def test_the_hour_of_a_digest_is_read(text: str, kept: str | None) -> None:
    """In both languages."""
    assert read("digest", text) == kept


def test_no_mail_leaves_in_quiet_hours_but_answers(club: Club) -> None:
    """A report waits until they end; an answer written after it leaves before it."""
    wants(club, ALICE, quiet="11:00-14:00", zone="UTC")
    begun_quietly(club)
    assert leaving(club, ALICE) == []
    club.put(asks("help"))
    assert leaving(club, ALICE) == ["answer"]
    club.later(hours=2)
    assert leaving(club, ALICE) == ["invitation", "report"]


def begun_quietly(club: Club) -> str:
    """Begin a match whose mails stay where they are; return its name."""
    row = club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", reminders=(timedelta(hours=2),))
    club.work()
    return row.name


def asks(text: str) -> bytes:
    """Return a letter of Alice's."""
    return b"From: %s\nTo: referee@example.test\nMessage-ID: <q@x>\n\n%s\n" % (
        ALICE.encode(), text.encode(),
    )  # fmt: skip


def test_quiet_hours_give_nobody_time(club: Club) -> None:
    """The clock of a turn whose report waits runs from the moment it was written."""
    wants(club, ALICE, quiet="11:00-14:00", zone="UTC")
    name = begun_quietly(club)
    assert club.match(name).due == club.clock[0] + timedelta(days=7)
    club.later(hours=2)
    club.mails(ALICE)
    assert club.match(name).due == club.clock[0] + timedelta(days=7, hours=-2)


def reminders_of(club: Club, name: str, until: datetime) -> list[datetime]:
    """Return when reminders were written, looking every half hour."""
    found = []
    while club.clock[0] < until:
        club.later(minutes=30)
        club.work()
        if any("Reminder" in each.text for each in club.mails(ALICE)):
            found.append(club.clock[0])
    return found


def test_of_a_turn_that_ends_in_quiet_hours_one_is_reminded_before(club: Club) -> None:
    """The deadline is at noon; two hours before it all is quiet since nine."""
    name = begun_quietly(club)
    wants(club, ALICE, quiet="09:00-13:00", zone="UTC")
    club.mails(ALICE)
    due = club.match(name).due
    assert due == datetime(2026, 11, 28, 12, tzinfo=UTC)
    assert reminders_of(club, name, due) == [datetime(2026, 11, 28, 9, tzinfo=UTC)]


def test_one_is_reminded_at_ones_own_times(club: Club) -> None:
    """Whatever the match has agreed; or not at all."""
    name = begun_quietly(club)
    wants(club, ALICE, reminders="24h 3h")
    club.mails(ALICE)
    due = club.match(name).due
    assert due is not None
    assert reminders_of(club, name, due) == [due - timedelta(hours=each) for each in (24, 3)]
    wants(club, ALICE, reminders="off")
    plays(club, ALICE, club.last(ALICE) if club.mails(ALICE) else last_report(club))
    plays(club, BOB, club.last(BOB, "report"))
    club.mails(ALICE)
    due = club.match(name).due
    assert due is not None
    assert reminders_of(club, name, due) == []


def last_report(club: Club) -> Mail:
    """Return Alice's last report, taken or not."""
    club.taken.clear()
    return club.last(ALICE, "report")


@pytest.mark.parametrize(("mails", "told"), [("all", ["report"]), ("turns", []), ("few", [])])
def test_one_gets_as_many_reports_as_one_wants(club: Club, mails: str, told: list[str]) -> None:
    """Of one's own turn in any case, and it tells all that happened."""
    begun(club)
    wants(club, ALICE, mails=mails)
    plays(club, ALICE, club.last(ALICE, "report"))
    assert [each.kind for each in club.mails(ALICE) if each.kind == "report"] == told
    plays(club, BOB, club.last(BOB, "report"))
    report = club.last(ALICE, "report")
    assert "It is your turn" in report.text
    if mails != "all":
        assert "on A1" in report.text.partition("The board")[0]
