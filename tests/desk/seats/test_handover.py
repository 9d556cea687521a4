"""Seats that change hands: for good, to a bot and back, for some days."""

from __future__ import annotations

from datetime import date

import pytest
from support.club import ALICE, BOB, CAROL, NOON, Club
from support.mending import NAME, an_order, do, plain, resent, said, settle

from referee.desk.plans import plan as plans_plan
from referee.desk.plans.act import Act
from referee.desk.plans.board import Acting, Redo, Undo
from referee.desk.plans.match import Pause
from referee.desk.plans.plan import apply_plan
from referee.desk.plans.seat import HandOver, SitIn
from referee.desk.seats import vacancies
from referee.desk.work import Refused
from referee.mail.codes import codes_in


def test_everybody_is_told_of_a_new_player(running: Club) -> None:
    """He gets an introduction and the board, the old one a farewell, the others a notice."""
    do(running, HandOver(NAME, "red", CAROL), "alice is moving house")
    introduction, board = running.mails(CAROL)
    assert introduction.message["Subject"] == f"[{NAME}] Du spielst ab jetzt Rot"
    told = plain(introduction.text)
    assert "Du spielst ab jetzt Rot in pebbles-1, anstelle von alice." in told
    assert "Es spielen: Rot (carol) und Blau (bob)." in told
    assert "alice is moving house" in told
    assert "Du bist am Zug" in plain(board.text)
    left = running.mails(ALICE)[-1]
    assert left.message["Subject"] == f"[{NAME}] You no longer play red"
    farewell = plain(left.text)
    assert "You no longer play red in pebbles-1: the organiser has given the seat to carol" in (
        farewell
    )
    assert "===" not in farewell
    assert "Rot spielt jetzt carol anstelle von alice" in said(running, BOB)


def test_codes_of_the_old_player_no_longer_work(running: Club) -> None:
    """He is told so, whoever uses them; the new player's code plays."""
    old = resent(running, ALICE, "red")
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
    running.answer(resent(running, BOB, "blue"), "einreihen passe", BOB)
    assert "1: sobald du am Zug bist, passe" in said(running, BOB, "receipt")
    plan = plans_plan.propose(running.desk, HandOver(NAME, "blue", CAROL), "because")
    assert plan.matches[0].warnings == ("whatever blue had ordered in advance ends",)
    apply_plan(running.desk, plan.id)
    texts = [each.text for each in running.mails(CAROL)]
    assert len(texts) == 2
    assert not any("passe" in each or "streiche" in each for each in texts)
    running.answer(resent(running, ALICE, "red"), an_order(running), ALICE)
    running.work()
    assert running.match(NAME).to_act == "blue"
    assert "passe" not in said(running, CAROL, "report").partition("Was du jetzt")[0]


@pytest.mark.parametrize(
    "act",
    [HandOver(NAME, "red", CAROL), SitIn(NAME, "red", NOON.date(), date(2026, 11, 24), CAROL)],
    ids=["for good", "for some days"],
)
def test_notes_of_the_holder_before_are_read_by_nobody_else(running: Club, act: Act) -> None:
    """No mail to who plays on holds them, with another turn of the seat or without."""
    report = resent(running, ALICE, "red")
    running.answer(report, "note bob likes the west", ALICE)
    assert "bob likes the west" in said(running, ALICE, "answer")
    do(running, act)
    running.work()
    mails = running.mails(CAROL)
    latest = [each for each in mails if each.kind == "report"][-1]
    running.answer(latest, an_order(running), CAROL)
    running.work()
    running.answer(running.last(BOB, "report"), an_order(running), BOB)
    running.work()
    mails += running.mails(CAROL)
    assert running.match(NAME).turn == 3
    assert [each.kind for each in mails].count("report") > 2
    assert not [each for each in mails if b"west" in each.raw or "west" in each.text + each.html]


def test_what_a_new_player_orders_in_advance_is_numbered_from_one(running: Club) -> None:
    """Not even the numbers tell him how much there was before."""
    running.answer(resent(running, BOB, "blue"), "einreihen passe", BOB)
    do(running, HandOver(NAME, "blue", CAROL))
    running.answer(running.last(CAROL, "report"), "einreihen passe", CAROL)
    assert "1: sobald du am Zug bist, passe" in said(running, CAROL, "receipt")
    running.answer(resent(running, ALICE, "red"), an_order(running), ALICE)
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


def test_a_report_that_has_not_left_gives_way_when_its_code_dies(running: Club) -> None:
    """A position is set while the match is paused: what waited shows what is no more."""
    do(running, Acting(NAME, "red", [an_order(running)]))
    running.work()
    do(running, Undo(NAME, revealed=True))
    running.work()
    do(running, Pause(NAME))
    do(running, Redo(NAME))
    assert [each.kind for each in running.mails(BOB) if each.kind == "report"] == []


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
    assert row.words == {"red": "seven swans"}


def test_what_one_agreed_to_goes_with_him(invited: Club) -> None:
    """His words for chance are his own, and who comes in his place is asked anew."""
    do(invited, HandOver(NAME, "red", CAROL))
    assert invited.match(NAME).words == {}
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
