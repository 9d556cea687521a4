"""Stand-ins: somebody sits at a seat for some days, after which it returns to its player."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from support.club import ALICE, BOB, CAROL, REFEREE, Club, Mail, letter
from support.mending import (
    NAME,
    an_order,
    do,
    holder,
    plain,
    polled,
    said,
    seated,
    settle,
    verified,
)

from referee.desk.letters import queue
from referee.desk.matches.time import outages
from referee.desk.plans import plan as plans_plan
from referee.desk.plans.act import Act
from referee.desk.plans.board import Undo
from referee.desk.plans.match import End, Pause, Resend, Resume
from referee.desk.plans.seat import HandOver, SitIn
from referee.desk.work import Refused
from referee.mail.codes import codes_in
from referee.store.post import letters

SUNDAY, TUESDAY = date(2026, 11, 22), date(2026, 11, 24)


def test_somebody_sits_from_a_day_to_a_day(running: Club, tmp_path: Path) -> None:
    """The seat passes at midnight of the player's zone, and returns by itself after the last day.

    Everybody is told at the beginning; in between the other sees what the seat sees.
    """
    do(running, SitIn(NAME, "red", SUNDAY, TUESDAY, CAROL), "skiing")
    assert "From Sun 22 Nov 2026 to Tue 24 Nov 2026 carol sits for alice in pebbles-1" in said(
        running, ALICE
    )
    assert "springt carol in pebbles-1 für alice ein und spielt Rot" in said(running, BOB)
    assert "skiing" in said(running, CAROL)
    running.later(hours=10, minutes=59)
    settle(running)
    assert holder(running, "red") == "alice"
    running.later(minutes=1, seconds=1)
    polled(running)
    assert holder(running, "red") == "carol"
    introduction, board = running.mails(CAROL)
    told = plain(introduction.text)
    assert "Du spielst ab jetzt Rot in pebbles-1, für alice, bis Di., 24" in told
    running.answer(board, an_order(running), CAROL)
    assert running.match(NAME).to_act == "blue"
    settle(running)
    running.later(days=2, hours=23, minutes=59)
    settle(running)
    assert holder(running, "red") == "carol"
    running.later(minutes=1, seconds=1)
    polled(running)
    assert holder(running, "red") == "alice"
    notice, again = [each for each in running.mails(ALICE) if each.kind in {"notice", "report"}][:2]
    assert "alice plays red again, for whom carol sat" in plain(notice.text)
    assert "Blue (bob) is to act" in plain(again.text)
    assert "spielt alice wieder Rot" in said(running, CAROL)
    do(running, End(NAME))
    running.work()
    assert verified(running, tmp_path) > 5


def test_a_clock_that_jumps_passes_no_seat_on(running: Club) -> None:
    """The day is told by no wrong clock; once it is right, the seat passes on at its day."""
    do(running, SitIn(NAME, "red", SUNDAY, TUESDAY, CAROL))
    last = running.desk.now()
    running.later(days=2)
    outages.note_jump(running.desk, last)
    settle(running)
    assert holder(running, "red") == "alice"
    running.clock[0] = last
    with running.desk.writing() as change:
        outages.clock_is_right(change)
    running.later(hours=11, minutes=1)
    settle(running)
    assert holder(running, "red") == "carol"


def test_an_undo_says_that_a_stand_in_does_not_come_back(running: Club) -> None:
    """The end of a match ends who sits for whom; the plan of its undo warns of that."""
    do(running, SitIn(NAME, "red", SUNDAY, TUESDAY, CAROL), "skiing")
    do(running, End(NAME))
    settle(running)
    warned = " ".join(plans_plan.propose(running.desk, Undo(NAME), "a mistake").matches[0].warnings)
    assert "carol was to sit for alice as red, 2026-11-22 to 2026-11-24; that stays" in warned


def test_who_takes_over_at_once_gets_no_code_but_that_of_his_report(running: Club) -> None:
    """One introduction and one report; nobody gets a code that dies with the hand-over."""
    dead = running.code(NAME, "red")
    do(running, SitIn(NAME, "red", date(2026, 11, 21), SUNDAY, CAROL))
    live = running.code(NAME, "red")
    introduction, board = running.mails(CAROL)
    assert (introduction.kind, board.kind) == ("notice", "report")
    assert not {dead, live} & {*codes_in(introduction.text)}
    assert live in codes_in(board.text)
    [told] = running.mails(ALICE)
    assert not {dead, live} & {*codes_in(told.text)}
    assert "carol sits for alice" in plain(told.text)


@pytest.mark.parametrize(("seat", "who"), [("red", ALICE), ("blue", BOB)])
def test_who_knows_of_the_days_is_not_told_when_they_begin(
    running: Club, seat: str, who: str
) -> None:
    """They were told when it was arranged, whether or not the days begin in a turn of theirs."""
    do(running, SitIn(NAME, seat, SUNDAY, TUESDAY, CAROL))
    assert "carol" in said(running, who)
    running.later(hours=11, minutes=1)
    polled(running)
    assert holder(running, seat) == "carol"
    assert running.mails(who) == []


def keep(club: Club, mail: Mail, text: str, number: int) -> None:
    """Let a letter of alice arrive, to be handled later."""
    raw = letter(ALICE, text, answers=mail.message["Message-ID"], number=number)
    with club.desk.store.writing() as connection:
        letters.keep_letter(
            connection, folder="INBOX", uidvalidity=9, uid=number, arrived=club.desk.now(),
            size=len(raw), truncated=False, raw=raw, mailbox=REFEREE, now=club.desk.now(),
        )  # fmt: skip


def test_a_letter_counts_as_by_who_held_the_seat_when_it_arrived(running: Club) -> None:
    """Handled after midnight, one of before is played; then the seat passes, before the next."""
    do(running, SitIn(NAME, "red", SUNDAY, TUESDAY, CAROL), "skiing")
    do(running, Resend(NAME, "red"))
    board = running.last(ALICE, "report")
    running.later(hours=10, minutes=59)
    keep(running, board, an_order(running), 1)
    running.later(minutes=2)
    keep(running, board, "pass", 2)
    running.later(minutes=2)
    polled(running)
    assert holder(running, "red") == "alice"
    queue.handle_waiting(running.desk, lambda _: running.work())
    assert running.match(NAME).to_act == "blue"
    assert holder(running, "red") == "carol"
    answers = [plain(each.text) for each in running.mails(ALICE) if each.kind != "report"]
    assert "Your mail has been carried out" in answers[0]
    assert "this seat is now held by somebody else" in answers[-1]


def test_no_day_comes_early_by_the_clock_of_a_mail_server(running: Club) -> None:
    """By which a letter arrived tomorrow: it is its writer's who holds the seat now."""
    do(running, SitIn(NAME, "red", SUNDAY, TUESDAY, CAROL), "skiing")
    do(running, Resend(NAME, "red"))
    running.later(hours=11, minutes=5)
    keep(running, running.last(ALICE, "report"), an_order(running), 1)
    running.later(minutes=-10)
    queue.handle_waiting(running.desk, lambda _: running.work())
    assert (running.match(NAME).to_act, holder(running, "red")) == ("blue", "alice")


@pytest.mark.parametrize("writes", [False, True])
def test_orders_held_until_before_the_day_are_played(club: Club, *, writes: bool) -> None:
    """Also by a referee that was stopped meanwhile, whether or not a letter waits for it."""
    running = seated(club, grace=timedelta(minutes=30), reminders=())
    do(running, SitIn(NAME, "red", SUNDAY, TUESDAY, CAROL), "skiing")
    do(running, Resend(NAME, "red"))
    board = running.last(ALICE, "report")
    running.later(hours=10)
    running.answer(board, an_order(running), ALICE)
    assert "held until" in said(running, ALICE, "receipt")
    running.later(hours=1, minutes=20)
    if writes:
        keep(running, board, "show", 9)
        queue.handle_waiting(running.desk)
        assert (running.match(NAME).to_act, holder(running, "red")) == ("blue", "carol")
    running.later(minutes=10)
    polled(running)
    assert (running.match(NAME).to_act, holder(running, "red")) == ("blue", "carol")


def test_orders_held_beyond_the_day_end_with_the_hand_over(club: Club) -> None:
    """The seat's new holder gives others."""
    running = seated(club, grace=timedelta(minutes=30), reminders=())
    do(running, SitIn(NAME, "red", SUNDAY, TUESDAY, CAROL), "skiing")
    do(running, Resend(NAME, "red"))
    running.later(hours=10, minutes=50)
    running.answer(running.last(ALICE, "report"), an_order(running), ALICE)
    running.later(hours=1)
    polled(running)
    assert (running.match(NAME).to_act, holder(running, "red")) == ("red", "carol")


def test_a_seat_waits_for_the_mailbox_to_be_read(running: Club) -> None:
    """What was sent before midnight may still lie there."""
    do(running, SitIn(NAME, "red", SUNDAY, TUESDAY, CAROL), "skiing")
    running.later(hours=11, minutes=1)
    running.work()
    assert holder(running, "red") == "alice"
    running.later(minutes=1)
    polled(running)
    assert holder(running, "red") == "carol"


def test_whoever_sat_in_is_out_again(running: Club) -> None:
    """His code no longer works when the seat has returned."""
    do(running, SitIn(NAME, "red", date(2026, 11, 21), SUNDAY, CAROL))
    assert holder(running, "red") == "carol"
    board = running.last(CAROL, "report")
    running.later(days=2)
    settle(running)
    before = running.match(NAME)
    running.answer(board, an_order(running), CAROL)
    assert "jetzt jemand anders" in said(running, CAROL, "answer")
    assert running.match(NAME) == before


def test_a_bot_may_sit_in(running: Club) -> None:
    """It plays in the days, and then the player has his seat."""
    do(running, SitIn(NAME, "red", date(2026, 11, 21), SUNDAY, bot="greedy"))
    running.work()
    assert running.match(NAME).to_act == "blue"
    running.later(days=2)
    settle(running)
    assert holder(running, "red") == "alice"


@pytest.mark.parametrize("begun", [False, True])
def test_sitting_in_is_taken_back(running: Club, begun: bool) -> None:
    """Giving the seat to its own player ends what was arranged, begun or not."""
    first = date(2026, 11, 21) if begun else SUNDAY
    do(running, SitIn(NAME, "red", first, TUESDAY, CAROL))
    plan = do(running, HandOver(NAME, "red", ALICE))
    assert "what was arranged for red for some days ends with this" in plan.warnings
    running.later(days=2)
    settle(running)
    assert holder(running, "red") == "alice"


@pytest.mark.parametrize("sitter", ["carol", "greedy"])
def test_who_sits_in_may_get_the_seat_for_good(running: Club, sitter: str, tmp_path: Path) -> None:
    """The log says so, the seat does not return, and its player is told like the others."""
    who = {"address": CAROL} if sitter == "carol" else {"bot": sitter}
    do(running, SitIn(NAME, "red", date(2026, 11, 21), TUESDAY, **who))
    for address in (ALICE, BOB, CAROL):
        running.mails(address)
    found = do(running, HandOver(NAME, "red", **who), "Alice moves house")
    assert [(each.kind, each.seat) for each in found.events] == [("seat", "red")]
    assert f"You no longer play red in {NAME}" in said(running, ALICE)
    assert "anstelle von alice" in said(running, BOB)
    if sitter == "carol":
        assert "carol spielt weiter Rot" in said(running, CAROL)
    running.later(days=5)
    settle(running)
    assert holder(running, "red") == sitter
    do(running, End(NAME))
    running.work()
    assert verified(running, tmp_path) > 5


def test_a_seat_given_on_while_somebody_sits_in_is_told_to_its_player(running: Club) -> None:
    """Both the stand-in and the player have lost it."""
    do(running, SitIn(NAME, "red", date(2026, 11, 21), TUESDAY, CAROL))
    running.mails(ALICE), running.mails(CAROL)
    do(running, HandOver(NAME, "red", "dora@example.test"))
    assert f"You no longer play red in {NAME}" in said(running, ALICE)
    assert f"Du spielst nicht mehr Rot in {NAME}" in said(running, CAROL)


def test_days_that_begin_in_a_pause_count_when_it_ends(running: Club) -> None:
    """While a match is paused no seat changes hands by itself."""
    do(running, SitIn(NAME, "red", SUNDAY, TUESDAY, CAROL))
    do(running, Pause(NAME))
    running.later(days=1)
    settle(running)
    assert holder(running, "red") == "alice"
    do(running, Resume(NAME))
    settle(running)
    assert holder(running, "red") == "carol"


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (SitIn(NAME, "red", TUESDAY, SUNDAY, CAROL), "the first day comes first"),
        (SitIn(NAME, "red", date(2026, 11, 1), date(2026, 11, 2), CAROL), "that day is over"),
        (SitIn(NAME, "red", SUNDAY, date(2028, 1, 1), CAROL), "at most 366 days"),
        (SitIn(NAME, "red", date(9999, 12, 30), date.max, bot="greedy"), "at most 730 days from"),
        (SitIn(NAME, "red", SUNDAY, TUESDAY), "who is to sit for the player"),
        (SitIn(NAME, "red", SUNDAY, TUESDAY, ALICE), "red is held by alice already"),
        (SitIn(NAME, "pink", SUNDAY, TUESDAY, CAROL), "has no seat pink"),
    ],
)
def test_days_that_cannot_be_meant_are_refused(running: Club, act: Act, says: str) -> None:
    """One line that says why, and nothing is arranged."""
    with pytest.raises(Refused, match=says):
        plans_plan.propose(running.desk, act, "because")


def test_only_one_sits_at_a_time(running: Club) -> None:
    """Whoever wants another must end the first."""
    do(running, SitIn(NAME, "red", SUNDAY, TUESDAY, CAROL))
    with pytest.raises(Refused, match="somebody sits for the player of red already"):
        do(running, SitIn(NAME, "red", TUESDAY, TUESDAY, BOB))


def test_who_sits_in_gives_the_seat_back_by_resigning(running: Club) -> None:
    """The match goes on with its own player, whom everybody is told of."""
    do(running, SitIn(NAME, "red", date(2026, 11, 21), TUESDAY, CAROL))
    running.mails(ALICE)
    running.answer(running.last(CAROL, "report"), "kapituliere", CAROL)
    assert running.match(NAME).state == "running"
    assert holder(running, "red") == "alice"
    assert "alice plays red again" in said(running, ALICE)
    assert "spielt alice wieder Rot" in said(running, CAROL)


def test_a_stand_in_out_of_time_does_not_make_the_player_resign(club: Club) -> None:
    """The seat is its player's again, with the turn's time; only they themselves can lose it."""
    running = seated(club, late="resign", per_turn=timedelta(days=1), reminders=())
    do(running, SitIn(NAME, "red", date(2026, 11, 21), date(2026, 11, 30), CAROL))
    settle(running)
    running.later(days=1, minutes=1)
    polled(running)
    assert holder(running, "red") == "alice"
    assert "alice plays red again" in said(running, ALICE)
    assert "gives up" not in said(running, CAROL)
    running.later(hours=23, minutes=50)
    polled(running)
    assert running.match(NAME).state == "running"
    running.later(minutes=20)
    polled(running)
    assert running.match(NAME).state == "over"


def test_both_get_the_last_report(running: Club) -> None:
    """Who sat at the end, and the player he sat for, who has his seat again."""
    do(running, SitIn(NAME, "red", date(2026, 11, 21), TUESDAY, CAROL))
    do(running, End(NAME))
    running.work()
    assert "The match is over" in said(running, ALICE, "report")
    assert "Die Partie ist zu Ende" in said(running, CAROL, "report")
    assert "Die Partie ist zu Ende" in said(running, BOB, "report")
    assert holder(running, "red") == "alice"


def test_who_gives_up_his_seat_needs_nobody_to_sit(running: Club) -> None:
    """What was arranged for days to come falls away when another player has the seat."""
    do(running, SitIn(NAME, "red", SUNDAY, TUESDAY, CAROL))
    do(running, HandOver(NAME, "red", bot="greedy"))
    running.later(days=1)
    settle(running)
    assert holder(running, "red") == "greedy"
