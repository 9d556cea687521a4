"""Seats that change hands: for good, to a bot and back, for some days."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from support.club import REFEREE, Club, Mail, letter
from support.mending import ALICE, BOB, CAROL, NAME, an_order, plain, said, seated, settle, verified

from referee.desk import health
from referee.desk.letters import inbox
from referee.desk.plans import plan as plans_plan
from referee.desk.plans.act import Act
from referee.desk.plans.act_for import Acting
from referee.desk.plans.apply import apply_act, apply_plan
from referee.desk.plans.board import Redo, Undo
from referee.desk.plans.end import End
from referee.desk.plans.nudge import Resend
from referee.desk.plans.outcome import MatchOutcome
from referee.desk.plans.pause import Pause, Resume
from referee.desk.plans.seat import HandOver, SitIn
from referee.desk.seats import vacancies
from referee.desk.work import Refused
from referee.mail.codes import codes_in
from referee.store.play import matches
from referee.store.post import letters

SUNDAY, TUESDAY = date(2026, 11, 22), date(2026, 11, 24)


@pytest.fixture
def running(club: Club) -> Club:
    """Return a club with a match that rests, everybody told."""
    return seated(club)


def do(club: Club, act: Act, why: str = "the reason") -> MatchOutcome:
    """Carry an act out at once."""
    [found] = apply_act(club.desk, act, why).matches
    return found


def report(club: Club, to: str, seat: str) -> object:
    """Return the last report of a seat once more, to be answered."""
    do(club, Resend(NAME, seat))
    return club.last(to, "report")


def holder(club: Club, seat: str) -> str:
    """Return who holds a seat."""
    with club.desk.store.reading() as connection:
        found = matches.find_seat(connection, club.match(NAME).id, seat)
        assert found is not None
        if found.player_id is None:
            return str(found.bot)
        from referee.store.people import players

        return players.get_player(connection, found.player_id).name


def test_everybody_is_told_of_a_new_player(running: Club) -> None:
    """He gets an introduction and the board, the old one a farewell, the others a notice."""
    do(running, HandOver(NAME, "red", CAROL), "alice is moving house")
    introduction, board = running.mails(CAROL)
    told = plain(introduction.text)
    assert "Du spielst ab jetzt Rot in pebbles-1, anstelle von alice." in told
    assert "Es spielen: Rot (carol) und Blau (bob)." in told
    assert "alice is moving house" in told
    assert "Du bist am Zug" in plain(board.text)
    farewell = said(running, ALICE)
    assert "You no longer play red in pebbles-1: the organiser has given the seat to carol" in (
        farewell
    )
    assert "===" not in farewell
    assert "Rot spielt jetzt carol anstelle von alice" in said(running, BOB)


def test_codes_of_the_old_player_no_longer_work(running: Club) -> None:
    """He is told so, whoever uses them; the new player's code plays."""
    old = report(running, ALICE, "red")
    do(running, HandOver(NAME, "red", CAROL))
    new = running.last(CAROL, "report")
    before = running.match(NAME)
    running.mails(ALICE)
    running.answer(old, an_order(running), ALICE)
    assert "this seat is now held by somebody else" in said(running, ALICE, "answer")
    running.answer(old, an_order(running), CAROL)
    assert "bevor dieser Platz den Spieler wechselte" in said(running, CAROL, "answer")
    assert running.match(NAME) == before
    running.answer(new, an_order(running), CAROL)
    assert running.match(NAME).to_act == "blue"


def test_codes_work_through_later_turns(running: Club) -> None:
    """After a change of holder each turn brings its own codes, as for anybody."""
    do(running, HandOver(NAME, "red", CAROL))
    running.answer(running.last(CAROL, "report"), an_order(running), CAROL)
    running.work()
    running.answer(running.last(BOB, "report"), an_order(running), BOB)
    running.work()
    running.answer(running.last(CAROL, "report"), an_order(running), CAROL)
    assert running.match(NAME).turn == 4


def test_what_was_ordered_in_advance_ends_unseen(running: Club) -> None:
    """Neither introduction, report nor receipt tells the new player that there was anything."""
    running.answer(report(running, BOB, "blue"), "einreihen passe", BOB)
    assert "1: sobald du am Zug bist, passe" in said(running, BOB, "receipt")
    plan = plans_plan.propose(running.desk, HandOver(NAME, "blue", CAROL), "because")
    assert plan.matches[0].warnings == ("whatever blue had ordered in advance ends",)
    apply_plan(running.desk, plan.id)
    texts = [each.text for each in running.mails(CAROL)]
    assert len(texts) == 2
    assert not any("passe" in each or "streiche" in each for each in texts)
    running.answer(report(running, ALICE, "red"), an_order(running), ALICE)
    running.work()
    assert running.match(NAME).to_act == "blue"
    assert "passe" not in said(running, CAROL, "report").partition("Was du jetzt")[0]


def test_what_a_new_player_orders_in_advance_is_numbered_from_one(running: Club) -> None:
    """Not even the numbers tell him how much there was before."""
    running.answer(report(running, BOB, "blue"), "einreihen passe", BOB)
    do(running, HandOver(NAME, "blue", CAROL))
    running.answer(running.last(CAROL, "report"), "einreihen passe", CAROL)
    assert "1: sobald du am Zug bist, passe" in said(running, CAROL, "receipt")
    running.answer(report(running, ALICE, "red"), an_order(running), ALICE)
    running.work()
    assert running.match(NAME).to_act == "red"


def test_a_bot_plays_and_the_player_comes_back(running: Club) -> None:
    """The bot plays at once; the player gets the board when he has his seat again."""
    do(running, HandOver(NAME, "red", bot="greedy"))
    assert "given the seat to bot greedy" in said(running, ALICE)
    running.work()
    assert running.match(NAME).to_act == "blue"
    do(running, HandOver(NAME, "red", ALICE))
    told, board = running.mails(ALICE)
    assert "in place of bot greedy" in plain(told.text)
    assert "Blue (bob) is to act" in plain(board.text)


def test_a_seat_of_nobody_waits(running: Club) -> None:
    """Nobody plays for it, the plan says so, and everybody else is told."""
    plan = plans_plan.propose(running.desk, HandOver(NAME, "red"), "because")
    assert "nobody plays red then: the match stands still on its turn" in plan.matches[0].warnings
    do(running, HandOver(NAME, "red"))
    assert "Rot spielt jetzt niemand anstelle von alice" in said(running, BOB)
    running.later(days=30)
    settle(running)
    assert running.match(NAME).to_act == "red"


def test_who_holds_two_seats_is_pointed_out(running: Club) -> None:
    """It is allowed, but the organiser is warned before he decides."""
    plan = plans_plan.propose(running.desk, HandOver(NAME, "red", BOB), "because")
    assert "bob holds blue in this match too, and would see both hands" in plan.matches[0].warnings


def read(club: Club) -> None:
    """Let the mailbox be read, with nothing in it, and do what is due."""
    health.note_poll(club.desk, club.desk.now())
    club.work()


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
    read(running)
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
    read(running)
    assert holder(running, "red") == "alice"
    notice, again = [each for each in running.mails(ALICE) if each.kind in {"notice", "report"}][:2]
    assert "alice plays red again, for whom carol sat" in plain(notice.text)
    assert "Blue (bob) is to act" in plain(again.text)
    assert "spielt alice wieder Rot" in said(running, CAROL)
    do(running, End(NAME))
    running.work()
    assert verified(running, tmp_path) > 5


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


def test_a_report_that_has_not_left_gives_way_when_its_code_dies(running: Club) -> None:
    """A position is set while the match is paused: what waited shows what is no more."""
    do(running, Acting(NAME, "red", [an_order(running)]))
    running.work()
    do(running, Undo(NAME, revealed=True))
    running.work()
    do(running, Pause(NAME))
    do(running, Redo(NAME))
    assert [each.kind for each in running.mails(BOB) if each.kind == "report"] == []


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
    read(running)
    assert holder(running, "red") == "alice"
    inbox.handle_waiting(running.desk, lambda _: running.work())
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
    inbox.handle_waiting(running.desk, lambda _: running.work())
    assert (running.match(NAME).to_act, holder(running, "red")) == ("blue", "alice")


def test_a_seat_waits_for_the_mailbox_to_be_read(running: Club) -> None:
    """What was sent before midnight may still lie there."""
    do(running, SitIn(NAME, "red", SUNDAY, TUESDAY, CAROL), "skiing")
    running.later(hours=11, minutes=1)
    running.work()
    assert holder(running, "red") == "alice"
    running.later(minutes=1)
    read(running)
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
    assert "jetzt jemand anderes" in said(running, CAROL, "answer")
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


@pytest.fixture
def invited(club: Club) -> Club:
    """Return a club with a match that alice has agreed to, with words for chance, and bob not."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False)
    club.answer(club.last(ALICE, "invitation"), "agree\nluck seven swans", ALICE)
    club.mails(ALICE), club.mails(BOB)
    return club


def test_somebody_else_is_invited_before_a_match_begins(invited: Club) -> None:
    """He gets the terms and is asked to agree; the match begins when he has."""
    plan = plans_plan.propose(invited.desk, HandOver(NAME, "blue", CAROL), "he is abroad")
    assert [each.to for each in plan.mails] == ["bob", "carol", "alice"]
    apply_plan(invited.desk, plan.id)
    codes = {invited.code(NAME, seat) for seat in ("red", "blue")}
    assert not any(set(codes_in(each.text)) & codes for each in plan.mails)
    assert "has not begun yet; you need not answer" in said(invited, BOB)
    assert "he is abroad" in said(invited, ALICE)
    invited.answer(invited.last(CAROL, "invitation"), "agree", CAROL)
    row = invited.match(NAME)
    assert row.state == "running"
    assert json.loads(row.words) == {"red": "seven swans"}


def test_what_one_agreed_to_goes_with_him(invited: Club) -> None:
    """His words for chance are his own, and who comes in his place is asked anew."""
    do(invited, HandOver(NAME, "red", CAROL))
    assert json.loads(invited.match(NAME).words) == {}
    invited.answer(invited.last(BOB, "notice"), "agree", BOB)
    assert invited.match(NAME).state == "invited"


def test_the_code_of_an_invitation_that_was_given_away_is_nobodys(invited: Club) -> None:
    """Who was invited first can agree to nothing for the seat any more."""
    invited.taken.clear()
    old = invited.last(BOB, "invitation")
    do(invited, HandOver(NAME, "blue", CAROL))
    invited.answer(old, "agree", BOB)
    assert invited.match(NAME).state == "invited"


def test_a_bot_in_place_of_the_last_who_had_not_agreed_begins_the_match(invited: Club) -> None:
    """Everybody else has agreed, and a bot need not."""
    done = do(invited, HandOver(NAME, "blue", bot="greedy"))
    assert invited.match(NAME).state == "running"
    assert f"all players have agreed, so {NAME} begins" in done.warnings
    assert done.events


def test_who_declined_is_replaced(invited: Club) -> None:
    """The match need not be set up anew."""
    invited.taken.clear()
    invited.answer(invited.last(BOB, "invitation"), "decline", BOB)
    do(invited, HandOver(NAME, "blue", CAROL))
    invited.answer(invited.last(CAROL, "invitation"), "agree", CAROL)
    assert invited.match(NAME).state == "running"


def test_nobody_holds_a_seat_before_a_match_begins_unless_it_is_open(club: Club) -> None:
    """Of a match that players join a seat is free again; of another it is refused."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False)
    with pytest.raises(Refused, match="no open seats"):
        do(club, HandOver(NAME, "blue"))
    club.new_match("pebbles", f"red={ALICE}", "blue=open", begins=False)
    do(club, HandOver("pebbles-2", "red"))
    with club.desk.store.reading() as connection:
        assert len(vacancies.free_seats(connection, club.match("pebbles-2"))) == 2
