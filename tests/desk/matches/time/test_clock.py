"""A turn's clock at the desk: when it starts, what stops it, grants, outages, jumps."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from support.club import CAROL, NOON, Club
from support.timed import ALICE, BOB, DAY, HOUR, MATCH, SEATS, begin, leave, left, play, poll

from referee.desk.mails import settings
from referee.desk.matches.time import away, clock
from referee.desk.overview.match import Begun, look_at_match
from referee.desk.plans.match import Pause, Resume
from referee.desk.plans.plan import apply_act
from referee.desk.plans.seat import HandOver
from referee.desk.players import add_player
from referee.matches.time.calendar import parse_days_off
from referee.store.people import players

pytestmark = pytest.mark.fast


def test_a_clock_starts_when_the_report_was_accepted_for_delivery(club: Club) -> None:
    """While the mail waits nothing of the turn is used, and the turn is due so much later."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.later(days=2)
    assert left(club) == 7 * DAY
    leave(club)
    club.later(days=2)
    assert left(club) == 5 * DAY
    assert club.match(MATCH).due == NOON + 9 * DAY


def shown(club: Club) -> tuple[Any, Any, str]:
    """Return what `match show` tells of time: by its JSON what is left and late, and in words."""
    with club.desk.reading() as change:
        look = look_at_match(change, MATCH, None, None)
        assert isinstance(look, Begun)
        document = look.document()
        return document["left"], document["late"], "\n".join(look.lines())


def test_an_organiser_is_shown_how_much_time_each_seat_has(club: Club) -> None:
    """Each in its bank; in a paused match, too."""
    begin(club, per_turn=None, bank=10 * DAY)
    club.later(days=2)
    for act in (Pause(MATCH), Resume(MATCH)):
        left, late, lines = shown(club)
        assert (left, late) == ({"red": 8 * 86_400, "blue": 10 * 86_400}, False)
        assert "time left: red 1w 1d, blue 1w 3d" in lines
        apply_act(club.desk, act, "rain")


def test_an_organiser_is_shown_that_time_is_up(club: Club) -> None:
    """As in the list of matches; before, how much is left to who is to act."""
    begin(club, per_turn=DAY)
    assert shown(club)[:2] == ({"red": 86_400}, False)
    club.later(days=2)
    left, late, lines = shown(club)
    assert (left, late) == ({"red": 0}, True)
    assert "red (alice) to act · late since 2026-11-22T12:00:00Z" in lines


def test_a_turn_whose_report_never_left_is_never_late(club: Club) -> None:
    """Its player does not know that it is his turn."""
    club.new_match("pebbles", *SEATS, late="idle", per_turn=DAY)
    club.work()
    for _ in range(3):
        club.later(days=1)
        poll(club)
    assert club.match(MATCH).to_act == "red"


def test_weekends_stop_the_clock_where_the_player_lives(club: Club) -> None:
    """The twenty-first of November is a Saturday, so that nothing is used before Monday."""
    begin(club, days_off=parse_days_off("weekends"), per_turn=DAY)
    assert club.match(MATCH).due == datetime(2026, 11, 24, tzinfo=UTC)


def test_what_nobody_had_used_is_used_when_somebody_gets_the_seat(club: Club) -> None:
    """Days on which the new player was away do not give back what passed before he sat down."""
    begin(club)
    apply_act(club.desk, HandOver(MATCH, "red"), "alice has left")
    club.later(days=2)
    with club.desk.writing() as change:
        carol = add_player(change, CAROL, name=None, language="en", zone="UTC", format="html")
        today = club.desk.now().date()
        away.note_away(change, carol, today - 3 * DAY, today)
    apply_act(club.desk, HandOver(MATCH, "red", CAROL), "carol takes it")
    assert left(club) == 5 * DAY


def test_a_stopped_match_uses_no_time(club: Club) -> None:
    """Two days of seven, a month's rest, five days to go."""
    begin(club)
    club.later(days=2)
    with club.desk.writing() as change:
        clock.stop_clock(change, club.match(MATCH))
    assert club.match(MATCH).due is None
    club.later(days=30)
    with club.desk.writing() as change:
        clock.resume_clock(change, club.match(MATCH))
    assert club.match(MATCH).due == club.desk.now() + 5 * DAY


def test_a_grant_to_one_who_is_late_counts_from_now(club: Club) -> None:
    """The match is looked at again when the new time is up."""
    begin(club)
    club.later(days=9)
    with club.desk.writing() as change:
        clock.grant_time(change, club.match(MATCH), 2 * DAY)
    row = club.match(MATCH)
    assert row.due == club.desk.now() + 2 * DAY


def test_a_letter_in_the_mailbox_wins_against_its_deadline(club: Club) -> None:
    """It arrived in time and is read after the deadline: its orders count."""
    begin(club, per_turn=DAY, late="idle")
    report = club.last(ALICE, "report")
    club.later(days=1, minutes=-1)
    arrived = club.desk.now()
    club.later(minutes=30)
    club.work()
    assert club.match(MATCH).to_act == "red"
    club.clock[0] = arrived
    play(club, ALICE, report)
    club.later(minutes=30)
    poll(club)
    assert club.match(MATCH).to_act == "blue"
    assert "so the referee played" not in "".join(each.text for each in club.mails(ALICE))


def test_a_change_of_zone_gives_nobody_a_day_back(club: Club) -> None:
    """What was used before the change stays used."""
    begin(club, days_off=parse_days_off("weekends"), per_turn=DAY)
    club.later(days=2, hours=6)
    before = left(club)
    with club.desk.writing() as change:
        player = players.by_address(change.connection, ALICE)
        assert player is not None
        with clock.calendar_change(change, clock.rows_of(change.connection, player.id)):
            players.update_player(change.connection, player.id, zone="Pacific/Honolulu")
    assert left(club) == before == 6 * HOUR


def test_a_zone_set_by_mail_counts_from_the_next_turn(club: Club) -> None:
    """The weekend of a turn that runs ends when it would have, wherever its player says he is."""
    begin(club, days_off=parse_days_off("weekends"), per_turn=DAY)
    before = club.match(MATCH).due
    assert before == datetime(2026, 11, 24, tzinfo=UTC)
    report = club.last(ALICE, "report")
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        club.later(hours=6)
        club.answer(report, f"set zone {zone}", ALICE)
        assert club.match(MATCH).due == before
    club.later(days=3)
    play(club, ALICE, report)
    club.work()
    club.later(days=2, hours=6)
    play(club, BOB)
    club.work()
    leave(club)
    assert club.clock[0] == datetime(2026, 11, 27, 6, tzinfo=UTC)
    assert club.match(MATCH).due == datetime(2026, 11, 28, 6, tzinfo=UTC)


def test_a_zone_that_the_organiser_sets_counts_at_once(club: Club) -> None:
    """What the player had set by mail within the turn is of no matter then."""
    begin(club, days_off=parse_days_off("weekends"), per_turn=DAY)
    club.answer(club.last(ALICE, "report"), "set zone Pacific/Kiritimati", ALICE)
    with club.desk.writing() as change:
        player = players.by_address(change.connection, ALICE)
        assert player is not None
        settings.change_player(change, player, "zone", "Pacific/Pago_Pago")
    assert club.match(MATCH).due == datetime(2026, 11, 24, 11, tzinfo=UTC)
