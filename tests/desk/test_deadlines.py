"""What a deadline does, what keeps it from doing it too early, and what comes before it."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from support.club import ALICE, BOB, CAROL, REFEREE, SEATS, Club, Mail, letter
from support.origo_club import GAME, begin_at, round_ends, stands
from support.origo_midland import fight

from referee.desk import agenda, health
from referee.desk.archive.audit import audit_match
from referee.desk.letters import queue
from referee.desk.mails import summary
from referee.desk.matches.history import history
from referee.desk.matches.time import clock
from referee.desk.plans.board import Acting, Fix
from referee.desk.plans.plan import apply_act
from referee.matches.time.calendar import parse_days_off
from referee.store import notes
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import letters, outbox

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def begin(club: Club, rule: str = "wait", **agreed: Any) -> Mail:
    """Begin a match with a day per turn; return alice's first report, which has left."""
    club.new_match("pebbles", *SEATS, **{"late": rule, "per_turn": DAY, "reminders": (), **agreed})
    club.work()
    return club.last(ALICE, "report")


def poll(club: Club, **span: float) -> None:
    """Let time pass, then a poll succeed, and do what is due."""
    club.later(**span)
    health.note_poll(club.desk, club.desk.now())
    club.work()


def reports(club: Club, address: str = ALICE) -> list[str]:
    """Take the reports to an address; return their texts, each on one line."""
    return [m.flat for m in club.mails(address) if m.kind == "report"]


def notices(club: Club, address: str) -> list[str]:
    """Take the notices to an address; return their texts, each on one line."""
    return [m.flat for m in club.mails(address) if m.kind == "notice"]


def test_a_match_that_waits_only_waits(club: Club) -> None:
    """Without another rule nothing is played for anybody."""
    begin(club)
    poll(club, days=1, minutes=1)
    assert club.match("pebbles-1").to_act == "red"


def test_who_is_waited_for_is_told_once_and_so_are_the_others(club: Club) -> None:
    """However often the match is looked at."""
    begin(club)
    for _ in range(3):
        poll(club, days=1, minutes=1)
    (mine,), (theirs,) = notices(club, ALICE), notices(club, BOB)
    assert "Your time for turn 1 is up" in mine
    assert "alice (red) has run out of time" in theirs


def test_who_is_waited_for_is_asked_for_orders(club: Club) -> None:
    """That mail's box and its buttons are for orders, which still count, and not for a message."""
    begin(club)
    poll(club, days=1, minutes=1)
    notice = club.last(ALICE, "notice")
    assert "write your orders above the quoted text" in notice.flat
    assert "Write your orders</a>" in notice.html


def test_after_a_grant_one_can_be_late_again(club: Club) -> None:
    """Then it is told once more."""
    begin(club)
    poll(club, days=1, minutes=1)
    with club.desk.writing() as change:
        clock.grant_time(change, club.match("pebbles-1"), DAY)
    poll(club, hours=23)
    assert len(notices(club, BOB)) == 1
    poll(club, hours=2)
    assert len(notices(club, BOB)) == 1


def test_orders_of_one_who_is_waited_for_count(club: Club) -> None:
    """Late is not too late."""
    report = begin(club)
    poll(club, days=3)
    club.answer(report, report.turn_file["legal"][0], ALICE)
    assert club.match("pebbles-1").to_act == "blue"


def test_the_idle_order_is_played_when_time_is_up(club: Club) -> None:
    """The seat's idle order stands in the log, its player is told, the others get their report."""
    begin(club, "idle")
    poll(club, days=1, minutes=1)
    assert club.match("pebbles-1").to_act == "blue"
    assert "was up, so the referee played for you: pass" in " ".join(
        club.last(ALICE, "notice").text.split()
    )
    assert "It is your turn" in club.last(BOB, "report").text


def test_a_bot_plays_this_turn_only(club: Club) -> None:
    """The seat stays its player's; he reads what was played for him."""
    begin(club, "bot", bot="greedy")
    poll(club, days=1, minutes=1)
    assert club.match("pebbles-1").to_act == "blue"
    assert "the referee played for you: " in notices(club, ALICE)[0]
    with club.desk.store.reading() as connection:
        seat = matches.find_seat(connection, club.match("pebbles-1").id, "red")
    assert seat is not None
    assert seat.holder == "player"


def test_a_deadline_waits_for_a_poll_that_began_after_it(club: Club) -> None:
    """A letter may lie in the mailbox that nobody has looked into yet."""
    begin(club, "idle")
    club.later(days=1, minutes=1)
    health.note_poll(club.desk, club.desk.now() - timedelta(minutes=5))
    club.work()
    assert club.match("pebbles-1").to_act == "red"
    poll(club, minutes=1)
    assert club.match("pebbles-1").to_act == "blue"


def test_a_deadline_waits_for_every_letter_that_came_before_it(club: Club) -> None:
    """A letter that is kept and not handled, whosever it is, may hold the orders that count."""
    report = begin(club, "idle")
    club.later(hours=1)
    raw = letter(ALICE, "pass", answers=str(report.message["Message-ID"]))
    with club.desk.store.writing() as connection:
        letters.keep_letter(
            connection, folder="INBOX", uidvalidity=9, uid=1, size=len(raw), raw=raw,
            arrived=club.desk.now(), mailbox=REFEREE, now=club.desk.now(),
        )  # fmt: skip
    poll(club, days=2)
    assert club.match("pebbles-1").to_act == "red"
    queue.handle_waiting(club.desk)
    poll(club, minutes=1)
    assert club.match("pebbles-1").to_act == "blue"
    assert notices(club, ALICE) == []


def test_after_a_restore_a_deadline_waits_until_all_letters_are_read_again(club: Club) -> None:
    """A poll alone shows nothing of the letters that the database has forgotten."""
    begin(club, "idle")
    with club.desk.store.writing() as connection:
        health.ask_rereading(connection, club.desk.now())
    poll(club, days=1, minutes=1)
    poll(club, minutes=1)
    assert club.match("pebbles-1").to_act == "red"
    with club.desk.store.writing() as connection:
        notes.REREAD.remove(connection)
    poll(club, minutes=1)
    assert club.match("pebbles-1").to_act == "blue"


def test_no_deadline_acts_before_its_moment(club: Club) -> None:
    """A minute before the end of the turn nothing happens."""
    begin(club, "idle")
    poll(club, hours=23, minutes=59)
    assert club.match("pebbles-1").to_act == "red"


def test_the_leeway_passes_before_anything_happens(club: Club) -> None:
    """The report tells the end of time; what comes of it waits for the leeway."""
    begin(club, "idle", leeway=12 * HOUR)
    poll(club, days=1, hours=11)
    assert club.match("pebbles-1").to_act == "red"
    poll(club, hours=2)
    assert club.match("pebbles-1").to_act == "blue"


@pytest.mark.parametrize("act", ["set", "pause"])
def test_nothing_renews_the_leeway(club: Club, act: str) -> None:
    """A setting, days away or a pause within it leaves what has passed of it."""
    begin(club, "idle", leeway=12 * HOUR)
    poll(club, days=1, hours=9)
    for number in range(3):
        if act == "set":
            club.put(letter(ALICE, "set format text", number=number))
        else:
            with club.desk.writing() as change:
                clock.stop_clock(change, club.match("pebbles-1"))
                clock.resume_clock(change, club.match("pebbles-1"))
        poll(club, minutes=50)
        assert club.match("pebbles-1").to_act == "red"
    poll(club, hours=1)
    assert club.match("pebbles-1").to_act == "blue"


def test_a_reminder_is_the_report_once_more(club: Club) -> None:
    """One at each moment that was agreed, with what is left, to the seat to act only."""
    begin(club, reminders=(12 * HOUR, 2 * HOUR))
    club.mails(BOB)
    poll(club, hours=11)
    assert reports(club) == []
    poll(club, hours=1)
    (first,) = reports(club)
    assert "Reminder: it is still your turn" in first
    assert "12 hours left" in first
    poll(club, hours=9)
    assert reports(club) == []
    poll(club, hours=1, minutes=30)
    assert len(reports(club)) == 1
    assert reports(club, BOB) == []


def test_reminders_that_came_due_together_are_one(club: Club) -> None:
    """After a night without the daemon nobody gets three."""
    begin(club, reminders=(12 * HOUR, 6 * HOUR, 2 * HOUR))
    poll(club, hours=23)
    assert len(reports(club)) == 1


def test_a_turn_shorter_than_a_reminder_has_none(club: Club) -> None:
    """It would come with the report."""
    begin(club, reminders=(DAY, 2 * DAY))
    poll(club, hours=20)
    assert reports(club) == []


def test_a_reminder_set_when_time_is_up_comes_once(club: Club) -> None:
    """Within the leeway nothing is left, and no later look owes the same reminder again."""
    begin(club, leeway=12 * HOUR, reminders=(12 * HOUR,))
    poll(club, hours=13)
    poll(club, hours=12)
    with club.desk.writing() as change:
        player = players.by_address(change.connection, ALICE)
        assert player is not None
        players.update_player(change.connection, player.id, reminders="2h 1h")
        matches.set_agenda(change.connection, club.match("pebbles-1").id, club.desk.now())
    club.mails(ALICE)
    assert agenda.do_due_steps(club.desk, most=20) < 20
    poll(club, hours=1)
    assert len(reports(club)) == 1


def test_a_player_who_is_away_is_not_reminded(club: Club) -> None:
    """His clock stands; the reminder comes when he is back."""
    begin(club, reminders=(12 * HOUR,))
    with club.desk.writing() as change:
        player = players.by_address(change.connection, ALICE)
        assert player is not None
        with clock.calendar_change(change, clock.rows_of(change.connection, player.id)):
            players.add_away_days(
                change.connection, player.id, "2026-11-22", "2026-11-24", club.desk.now()
            )
    for _ in range(6):
        poll(club, hours=12)
        assert reports(club) == []
    poll(club, hours=12, minutes=1)
    assert len(reports(club)) == 1


def test_a_reminder_that_has_not_left_goes_when_the_turn_is_over(club: Club) -> None:
    """Who has moved is not told that he should."""
    report = begin(club, reminders=(12 * HOUR,))
    poll(club, hours=13)
    club.answer(report, report.turn_file["legal"][0], ALICE)
    with club.desk.store.reading() as connection:
        latest = outbox.latest_mails(connection)
    states = [m.state for m in latest if (m.kind, m.recipient) == ("report", ALICE)]
    assert states == ["superseded", "sent"]


def test_the_summary_tells_of_who_is_late_after_the_leeway(club: Club) -> None:
    """Once for the turn."""
    club.settle(organiser="olga@example.test")
    begin(club, leeway=DAY)
    poll(club, days=1, hours=12)
    assert not summary.write_if_due(club.desk)
    poll(club, hours=20)
    assert summary.write_if_due(club.desk)
    assert "pebbles-1" in club.last("olga@example.test").text


def test_a_weekend_gives_no_leeway_away(club: Club) -> None:
    """A Saturday at noon that is a day off: what is left is left on Monday."""
    begin(club, "idle", days_off=parse_days_off("weekends"), leeway=HOUR)
    poll(club, days=2, hours=12, minutes=30)
    assert club.match("pebbles-1").to_act == "red"
    poll(club, hours=1)
    assert club.match("pebbles-1").to_act == "blue"


def test_who_is_out_of_time_may_have_given_up(club: Club) -> None:
    """In a match of two it ends the match; both are told why."""
    begin(club, "resign")
    club.mails(BOB)
    poll(club, days=1, minutes=1)
    assert club.match("pebbles-1").state == "over"
    assert "agreed that whoever runs out of time gives up" in notices(club, ALICE)[0]
    assert "pebbles-1" in club.last(BOB, "report").text


def test_that_a_seat_resigned_as_its_time_was_up_is_told_to_all(club: Club) -> None:
    """To the others, to the organiser, in the list of matches, and by the record."""
    begin(club, "resign")
    club.mails(BOB)
    poll(club, days=1, minutes=1)
    told = club.mails(BOB)
    assert "alice (red) has resigned, as the time was up." in told[0].flat
    assert "Red has resigned, as the time was up." in told[1].flat
    row = club.match("pebbles-1")
    assert row.result is not None
    assert (row.result["ending"], row.result["places"]) == ("late", {"red": 2, "blue": 1})
    with club.desk.writing() as change:
        [news] = summary.NEWS.read(change.connection) or []
        assert audit_match(change, row).fault is None
    assert news.fields["late"] is True


@pytest.mark.parametrize("rule", ["bot", "idle"])
def test_the_history_marks_what_was_played_for_a_late_seat(club: Club, rule: str) -> None:
    """And nothing that a player ordered."""
    begin(club, rule, **({"bot": "greedy"} if rule == "bot" else {}))
    poll(club, days=1, minutes=1)
    club.answer(club.last(BOB, "report"), "pass", BOB)
    with club.desk.reading() as change:
        told = [each for each in history(change, club.match("pebbles-1")) if each.kind == "order"]
    assert {(each.seat, each.late) for each in told} == {("red", True), ("blue", False)}


def test_in_a_larger_match_a_bot_goes_on_for_who_gave_up(club: Club) -> None:
    """The seat is the bot's from then on."""
    seats = (*SEATS, "green=carol@example.test")
    club.new_match("pebbles", *seats, late="resign", per_turn=DAY)
    club.work()
    club.mails(ALICE)
    poll(club, days=1, minutes=1)
    row = club.match("pebbles-1")
    with club.desk.store.reading() as connection:
        seat = matches.find_seat(connection, row.id, "red")
    assert seat is not None
    assert (row.state, seat.holder) == ("running", "bot")
    assert row.to_act == "blue"
    with club.desk.reading() as change:
        [passed] = [each for each in history(change, row) if each.kind == "seat"]
    assert (passed.by, passed.why) == ("referee", "the time was up")


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("bot", "Red (alice) ran out of time in turn 1, so a bot played the rest of it."),
        ("idle", "Red (alice) ran out of time in turn 1, so it was played as the rules provide"),
    ],
)
def test_the_others_read_that_a_turn_was_played_for_who_was_late(
    club: Club, rule: str, said: str
) -> None:
    """Their report of that turn says it, once; what its own player plays does not bear it."""
    begin(club, rule, **({"bot": "greedy"} if rule == "bot" else {}))
    poll(club, days=1, minutes=1)
    (report,) = [each for each in club.mails(BOB) if "It is your turn" in each.text]
    assert said in report.flat
    assert "ran out of time" not in " ".join(reports(club))
    line = next(each for each in report.turn_file["legal"] if each.startswith("put"))
    club.answer(report, line, BOB)
    club.work()
    assert "ran out of time" not in " ".join(reports(club) + reports(club, BOB))


def test_what_waits_from_a_letter_is_played_for_who_is_late_with_an_answer(club: Club) -> None:
    """The combat is given up for them, and then their own orders go before the rules'."""
    hands = {"black": ("row:E", "row:A", "ship"), "orange": ("land:POL", "people", "ship")}
    begin_at(club, fight(**hands), late="idle")
    lines = "attack E7 with row:E\nexpand A1 with row:A\ndone"
    club.answer(club.last(BOB, "report"), lines, BOB)
    club.work()
    club.answer(club.last(ALICE, "report"), "add land:POL", ALICE)
    club.work()
    club.mails(BOB)
    poll(club, days=1, minutes=1)
    notice, report = (mail.flat for mail in club.mails(BOB))
    assert "the referee played for you: yield. " in notice
    assert "Played, as your mail had said: expand A1 with row:A; done" in report
    assert stands(club).to_act == "red"


@pytest.mark.fast
def test_for_who_is_late_with_an_answer_and_wrote_no_more_the_turn_is_played(club: Club) -> None:
    """Only orders of their own would go before the rules'."""
    hands = {"black": ("row:E", "row:A", "ship"), "orange": ("land:POL", "people", "ship")}
    begin_at(club, fight(**hands), late="idle")
    club.answer(club.last(BOB, "report"), "attack E7 with row:E", BOB)
    club.work()
    club.answer(club.last(ALICE, "report"), "add land:POL", ALICE)
    club.work()
    club.mails(BOB)
    poll(club, days=1, minutes=1)
    notice = next(mail.flat for mail in club.mails(BOB) if mail.kind == "notice")
    assert "the referee played for you: yield; done. " in notice
    assert stands(club).to_act == "red"


NAMES_ITSELF = round_ends({"red": 30, "blue": 20, "black": 5}, {"black": ["row:A", "row:B"]})
"""Black's turn ends a round, and black is last then: it names the start player, too."""


def test_who_is_to_name_the_start_player_after_an_idle_turn_is_asked(club: Club) -> None:
    """A report asks them, with the time of a turn; time that is up then waits for their word."""
    begin_at(club, NAMES_ITSELF, late="idle")
    club.mails(CAROL)
    poll(club, days=1, minutes=1)
    notice, report = (mail.flat for mail in club.mails(CAROL))
    assert "played for you: pass. " in notice
    assert "referee --- It is your turn, Black: until Mon 23 Nov, 12:01 (UTC)" in report
    assert "Black is last on the path and names the start player" in report
    poll(club, days=1, minutes=1)
    assert "The match waits for you" in club.last(CAROL, "notice").flat
    assert stands(club).position.phase == "start"


@pytest.mark.parametrize("span", [timedelta(hours=23), timedelta(days=1, hours=3)])
def test_who_names_themselves_has_the_time_of_a_turn_for_it(club: Club, span: timedelta) -> None:
    """Whether they did so in time or late, nothing of the new turn is played for them."""
    begin_at(club, NAMES_ITSELF, late="idle")
    club.mails(CAROL)
    poll(club, days=1, minutes=1)
    report = club.last(CAROL, "report")
    poll(club, seconds=span.total_seconds())
    club.answer(report, "start black", CAROL)
    assert "1 day left" in club.last(CAROL, "receipt").flat
    poll(club, hours=23)
    assert (stands(club).to_act, stands(club).position.round) == ("black", 4)
    poll(club, hours=2)
    assert stands(club).to_act == "red"


def test_a_naming_by_the_organiser_gives_the_time_of_a_turn_as_well(club: Club) -> None:
    """The late player's new turn is theirs."""
    begin_at(club, NAMES_ITSELF, late="idle")
    club.mails(CAROL)
    for _ in ("pass", "naming"):
        poll(club, days=1, minutes=1)
    apply_act(club.desk, Acting("origo-1", "black", ["start black"]), "told on the telephone")
    poll(club, hours=23)
    assert (stands(club).to_act, stands(club).position.round) == ("black", 4)


@pytest.mark.parametrize("late", ["idle", "wait"])
def test_a_turn_that_the_organiser_ends_leaves_time_to_name(club: Club, late: str) -> None:
    """A report asks the player, also where they were late and are waited for."""
    begin_at(club, NAMES_ITSELF, late=late)
    if late == "wait":
        poll(club, days=1, minutes=1)
    for order in ("pass", "start black"):
        club.mails(CAROL)
        apply_act(club.desk, Acting("origo-1", "black", [order]), "told on the telephone")
        poll(club, minutes=1)
        report = club.last(CAROL, "report").flat
        assert "referee --- It is your turn, Black: until " in report
        assert "23 hours" in report.split(".")[0] or "1 day left" in report
        assert ("names the start player" in report) == (order == "pass")


def test_orders_behind_the_end_of_a_turn_are_no_orders_for_the_next(club: Club) -> None:
    """Who is then to name the start player may queue them."""
    begin_at(club, NAMES_ITSELF)
    report = club.last(CAROL, "report")
    club.answer(report, "pass\nexpand A5 with row:A", CAROL)
    receipt, *others = club.mails(CAROL)
    assert not others
    assert "Your turn was over before this order." in receipt.flat
    assert "queue%20expand%20A5" in receipt.links["Send it corrected"]
    club.answer(receipt, "start black", CAROL)
    assert stands(club).to_act == "black"


def test_a_bot_neither_names_nor_goes_on_in_the_next_round(club: Club) -> None:
    """It plays the turn alone; late once more it names, and the turn after is the player's."""
    begin_at(club, NAMES_ITSELF, late="bot", bot="random")
    for phase in ("start", "turn"):
        club.mails(CAROL)
        poll(club, days=1, minutes=1)
        notice, report = (mail.flat for mail in club.mails(CAROL))
        assert ("start " in notice.split("played for you:")[1].split("---")[0]) == (phase == "turn")
        assert stands(club).position.phase == phase
        if stands(club).to_act == "black":
            assert "1 day left" in report


@pytest.mark.parametrize("hand", [["row:A", "row:B"], [f"col:{n}" for n in range(1, 11)]])
@pytest.mark.parametrize("lines", ["pass", "pass\nstart black"])
def test_who_ends_a_turn_just_in_time_has_time_for_what_is_asked_next(
    club: Club, lines: str, hand: list[str]
) -> None:
    """As if the turn of somebody else had been between them, with cards to draw or without."""
    begin_at(club, NAMES_ITSELF | {"hands": {"black": hand}}, late="resign")
    report = club.last(CAROL, "report")
    club.later(hours=23, minutes=59)
    club.answer(report, lines, CAROL)
    poll(club, hours=23)
    assert stands(club).to_act == "black"
    assert club.match("origo-1").state == "running"


def test_a_page_of_a_match_set_right_by_hand_changes_nothing(club: Club) -> None:
    """Its answer says why and shows the board as it stands."""
    begin_at(club, NAMES_ITSELF)
    old = club.last(CAROL, "report")
    right = {**GAME.dump(stands(club).position), "path": {"red": 31, "blue": 20, "black": 5}}
    apply_act(club.desk, Fix("origo-1", right), "miscounted")
    club.work()
    club.answer(old, "pass", CAROL)
    assert stands(club).to_act == "black"
    told = club.last(CAROL, "answer").flat
    assert "set by hand" in told
    assert re.search(r"\bRed 31\b", told)
