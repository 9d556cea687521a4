"""The entry for calendars that goes with reports: one for a seat, moved and taken out again."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from icalendar import Calendar
from support.club import NOON, Club, Mail, letter

from referee.desk import health
from referee.desk.plans.act import Act
from referee.desk.plans.apply import apply_act
from referee.desk.plans.board import Undo
from referee.desk.plans.nudge import Extend, Resend
from referee.desk.plans.pause import Pause, Resume
from referee.desk.plans.seat import HandOver, SitIn
from referee.matches.time.calendar import parse_days_off

pytestmark = pytest.mark.fast

ALICE, BOB, CAROL = "alice@example.test", "bob@example.test", "carol@example.test"
SEATS = (f"red={ALICE}", f"blue={BOB}")


def entry(mail: Mail) -> dict[str, Any] | None:
    """Return the entry among a mail's attachments, None if there is none."""
    for part in mail.message.iter_attachments():
        if part.get_filename() == "deadline.ics":
            assert part.get_content_type() == "text/calendar"
            calendar = Calendar.from_ical(part.get_payload(decode=True))
            assert str(calendar["method"]) == "PUBLISH"
            (event,) = calendar.walk("VEVENT")
            return dict(event)
    return None


def play(club: Club, mail: Mail, sender: str) -> None:
    """Answer a report with the first order that is legal, and let the match rest."""
    club.answer(mail, mail.turn_file["legal"][0], sender)
    club.work()


def test_the_seat_to_act_gets_the_end_of_its_time(club: Club) -> None:
    """At the moment the report names, in UTC; the other seat has nothing to note."""
    club.new_match("pebbles", *SEATS)
    club.work()
    found = entry(club.last(ALICE, "report"))
    assert found is not None
    assert found["DTSTART"].dt == NOON + timedelta(days=7)
    assert (str(found["UID"]), str(found["STATUS"])) == ("pebbles-1-red@example.test", "CONFIRMED")
    assert "pebbles-1: your turn (Pebbles, red)" in str(found["SUMMARY"])
    assert entry(club.last(BOB, "report")) is None


def test_the_entry_of_a_turn_that_is_over_is_cancelled(club: Club) -> None:
    """Under the same UID, with a higher sequence; and the next turn brings it back."""
    club.new_match("pebbles", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    first = entry(report)
    club.later(hours=1)
    play(club, report, ALICE)
    second = entry(club.last(ALICE, "report"))
    club.later(hours=1)
    play(club, club.last(BOB, "report"), BOB)
    third = entry(club.last(ALICE, "report"))
    assert first is not None
    assert second is not None
    assert third is not None
    assert str(second["STATUS"]) == "CANCELLED"
    assert third["DTSTART"].dt == NOON + timedelta(days=7, hours=2)
    assert len({str(each["UID"]) for each in (first, second, third)}) == 1
    assert first["SEQUENCE"] < second["SEQUENCE"] < third["SEQUENCE"]


def test_each_edition_of_an_entry_has_a_higher_number(club: Club) -> None:
    """Two of one second and of one place in the log too, and after the clock was put back."""
    club.new_match("pebbles", *SEATS, reminders=(timedelta(days=1),))
    club.work()
    report = club.last(ALICE, "report")
    club.later(days=6, hours=1)
    club.work()
    reminder = club.last(ALICE, "report")
    club.later(days=-2)
    play(club, reminder, ALICE)
    play(club, club.last(BOB, "report"), BOB)
    later = [each for each in club.mails(ALICE) if each.kind == "report"]
    found = [entry(each) for each in (report, reminder, *later)]
    numbers = [each["SEQUENCE"] for each in found if each is not None]
    assert len(numbers) == 4
    assert numbers == sorted(set(numbers))


def test_a_reminder_brings_the_entry_as_it_is_now(club: Club) -> None:
    """Calendars take the latest."""
    club.new_match("pebbles", *SEATS, reminders=(timedelta(days=1),))
    club.work()
    club.mails(ALICE)
    club.later(days=6, hours=1)
    club.work()
    found = entry(club.last(ALICE, "report"))
    assert found is not None
    assert found["DTSTART"].dt == NOON + timedelta(days=7)


def test_without_a_limit_there_is_no_entry(club: Club) -> None:
    """Nothing runs out."""
    club.new_match("pebbles", *SEATS, per_turn=None)
    club.work()
    assert entry(club.last(ALICE, "report")) is None


def test_a_player_may_do_without(club: Club) -> None:
    """In either language."""
    club.new_match("pebbles", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    club.answer(report, "set calendar off", ALICE)
    assert "without the entry for your calendar" in club.last(ALICE).text
    play(club, report, ALICE)
    assert entry(club.last(ALICE, "report")) is None
    club.answer(club.last(BOB, "report"), "einstellung kalender aus", BOB)
    assert "without the entry" in club.last(BOB, "answer").text


def test_the_entry_holds_no_order(club: Club) -> None:
    """Sent back as an attachment it is nothing that could be played."""
    club.new_match("pebbles", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    calendar = next(p for p in report.message.iter_attachments() if "ics" in str(p.get_filename()))
    text = calendar.get_payload(decode=True)
    assert isinstance(text, bytes)
    club.answer(report, text.decode(), ALICE)
    assert club.match("pebbles-1").turn == 1


def test_every_report_tells_the_banks(club: Club) -> None:
    """Everybody sees everybody's."""
    bank, increment = timedelta(days=5), timedelta(hours=12)
    club.new_match("pebbles", *SEATS, per_turn=None, bank=bank, increment=increment)
    club.work()
    club.later(days=2)
    report = club.last(ALICE, "report")
    assert "Time in the banks: red 5 days and 12 hours, blue 5 days." in report.text
    assert "5 days and 12 hours left" in " ".join(report.text.split())
    club.later(days=2)
    play(club, report, ALICE)
    said = " ".join(club.last(BOB, "report").text.split())
    assert "Time in the banks: red 3 days and 12 hours, blue 5 days and 12 hours." in said


def test_the_invitation_tells_the_bank(club: Club) -> None:
    """And the increment."""
    bank = timedelta(days=10)
    terms = {"bank": bank, "increment": timedelta(hours=12), "days_off": parse_days_off("fri")}
    club.new_match("pebbles", *SEATS, begins=False, per_turn=None, **terms)
    said = " ".join(club.last(ALICE, "invitation").text.split())
    assert "10 days for all turns together, and 12 hours more with each turn" in said
    assert "No clock runs on these days, where you live: Friday." in said
    assert "When time is up, the match waits" in said


@pytest.mark.parametrize(
    ("late", "told"),
    [
        ({"late": "idle"}, "as the rules provide for a player who does nothing"),
        ({"late": "bot", "bot": "greedy"}, "a bot plays this one turn"),
        (
            {"late": "resign", "leeway": timedelta(days=1)},
            "When time is up and the leeway of 1 day has passed too, the seat has given up.",
        ),
    ],
)
def test_the_invitation_tells_what_happens_to_who_is_late(
    club: Club, late: dict[str, Any], told: str
) -> None:
    """Who agrees knows it, and which days are off."""
    off = parse_days_off("weekends 12-25 2026-12-24")
    club.new_match("pebbles", *SEATS, begins=False, days_off=off, **late)
    said = " ".join(club.last(ALICE, "invitation").text.split())
    assert told in said
    assert "live: Saturday, Sunday, 25 Dec and Thu 24 Dec 2026." in said


def begun(club: Club) -> Mail:
    """Begin a match and return the first report of who begins."""
    club.new_match("pebbles", *SEATS, reminders=())
    club.work()
    return club.last(ALICE, "report")


def mend(club: Club, act: Act) -> None:
    """Let an organiser do something, and the match rest."""
    apply_act(club.desk, act, "why not")
    club.work()


def newest(club: Club, address: str) -> dict[str, Any]:
    """Return the last entry that came to an address since the last look."""
    found = [each for each in map(entry, club.mails(address)) if each is not None]
    assert found, f"no entry for {address}"
    return found[-1]


def test_a_turn_that_was_taken_back_leaves_the_calendar(club: Club) -> None:
    """Who was to act before an undo, and is not after it, has the entry cancelled."""
    play(club, begun(club), ALICE)
    assert str(newest(club, BOB)["STATUS"]) == "CONFIRMED"
    club.later(hours=1)
    mend(club, Undo("pebbles-1", revealed=True))
    assert str(newest(club, BOB)["STATUS"]) == "CANCELLED"
    assert str(newest(club, ALICE)["STATUS"]) == "CONFIRMED"
    mend(club, Resend("pebbles-1"))
    assert not any(map(entry, club.mails(BOB)))


def test_an_entry_follows_what_moves_the_deadline(club: Club) -> None:
    """More time moves it, a pause takes it out, and the match that goes on puts it in again."""
    begun(club)
    mend(club, Extend("pebbles-1", timedelta(days=2)))
    assert newest(club, ALICE)["DTSTART"].dt == NOON + timedelta(days=9)
    mend(club, Pause("pebbles-1"))
    assert str(newest(club, ALICE)["STATUS"]) == "CANCELLED"
    club.later(days=1)
    mend(club, Resume("pebbles-1"))
    found = newest(club, ALICE)
    assert (str(found["STATUS"]), found["DTSTART"].dt) == ("CONFIRMED", NOON + timedelta(days=10))
    assert not any(map(entry, club.mails(BOB)))


def test_who_gives_up_his_seat_has_the_entry_no_more(club: Club) -> None:
    """It goes with the farewell, and comes to the new player with his first report."""
    begun(club)
    mend(club, HandOver("pebbles-1", "red", CAROL))
    assert str(newest(club, ALICE)["STATUS"]) == "CANCELLED"
    assert newest(club, CAROL)["DTSTART"].dt == NOON + timedelta(days=7)


@pytest.mark.parametrize("days", [0, 1])
def test_while_somebody_sits_for_a_player_the_entry_is_gone(club: Club, days: int) -> None:
    """It goes when the days begin, at once or later, is the other's, and comes with the return."""
    begun(club)
    first = date(2026, 11, 21) + timedelta(days=days)
    mend(club, SitIn("pebbles-1", "red", first, first, CAROL))
    assert (len([*filter(None, map(entry, club.mails(CAROL)))]) == 0) == bool(days)
    club.later(days=days)
    health.note_poll(club.desk, club.desk.now())
    club.work()
    gone = newest(club, ALICE)
    assert str(gone["STATUS"]) == "CANCELLED"
    club.later(days=1)
    health.note_poll(club.desk, club.desk.now())
    club.work()
    back = newest(club, ALICE)
    assert str(back["STATUS"]) == "CONFIRMED"
    assert back["SEQUENCE"] > gone["SEQUENCE"]
    assert back["DTSTART"].dt == NOON + timedelta(days=7)


def test_who_has_no_entry_gets_no_mail_for_one(club: Club) -> None:
    """He was told when it was arranged; the days begin in the turn of another."""
    begun(club)
    mend(club, SitIn("pebbles-1", "blue", date(2026, 11, 22), date(2026, 11, 22), CAROL))
    club.mails(BOB)
    club.later(days=1)
    health.note_poll(club.desk, club.desk.now())
    club.work()
    assert club.mails(BOB) == []


def test_days_away_move_the_entry(club: Club) -> None:
    """The answer to `away` brings the entry of every turn whose end moves, and cancelling too."""
    club.new_match("pebbles", *SEATS)
    club.new_match("pebbles", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    club.answer(report, "away 2026-11-23 to 2026-11-25", ALICE)
    noted = club.last(ALICE, "answer")
    ids = {f"pebbles-{n}-red@example.test" for n in (1, 2)}
    assert ends(noted) == dict.fromkeys(ids, NOON + timedelta(days=10))
    club.answer(report, "away cancel 1", ALICE)
    assert ends(club.last(ALICE, "answer")) == dict.fromkeys(ids, NOON + timedelta(days=7))


@pytest.mark.parametrize("coded", [True, False])
def test_each_change_of_days_away_raises_the_sequence(club: Club, *, coded: bool) -> None:
    """Calendars ignore an entry whose sequence is none higher, also of a letter without a code."""
    club.new_match("pebbles", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    first = entry(report)
    assert first is not None
    numbers = [first["SEQUENCE"]]
    for text in ("away 2026-11-23 to 2026-11-25", "away cancel 1", "away 2026-11-23"):
        if coded:
            club.answer(report, text, ALICE)
        else:
            club.put(letter(ALICE, text))
            club.answer(club.last(ALICE), "yes", ALICE)
        found = entry(club.last(ALICE, "answer"))
        assert found is not None
        numbers.append(found["SEQUENCE"])
    assert numbers == sorted(set(numbers))


def test_days_away_that_move_nothing_bring_no_entry(club: Club) -> None:
    """Days after the end of the turn, or while another is to act, change no calendar."""
    club.new_match("pebbles", *SEATS)
    club.work()
    late, early = "2026-12-20 to 2026-12-21", "2026-11-23 to 2026-11-24"
    for address, days in ((ALICE, late), (BOB, early)):
        club.answer(club.last(address, "report"), f"away {days}", address)
        assert entry(club.last(address, "answer")) is None


def ends(mail: Mail) -> dict[str, Any]:
    """Return the ends of turns in a mail's calendar file, by the entry they are of."""
    files = [each for each in mail.message.iter_attachments()
             if each.get_filename() == "deadline.ics"]  # fmt: skip
    assert len(files) == 1
    events = Calendar.from_ical(files[0].get_payload(decode=True)).walk("VEVENT")
    return {str(each["UID"]): each["DTSTART"].dt for each in events}
