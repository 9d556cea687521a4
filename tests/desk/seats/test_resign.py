"""Who gives up: how the match ends or goes on, and who is told."""

from __future__ import annotations

from datetime import timedelta

import pytest
from support.club import ALICE, BOB, CAROL, Club, letter
from support.records import verified

from referee.desk.mails import summary
from referee.desk.matches.ledger import result_of
from referee.store.play import matches

TWO = (f"red={ALICE}", f"blue={BOB}")
THREE = (*TWO, f"green={CAROL}")


def begun(club: Club, *seats: str) -> str:
    """Begin a match and let its reports out."""
    name = club.new_match("pebbles", *seats).name
    club.work()
    return name


def test_giving_up_ends_a_match_of_two(club: Club) -> None:
    """The other comes first whatever the points, both get the last report, the record verifies."""
    name = begun(club, *TWO)
    club.mails(BOB)
    club.answer(club.last(ALICE, "report"), "resign", ALICE)
    assert f"You have resigned in {name}. The match is over" in club.last(ALICE, "answer").text
    row = club.match(name)
    result = result_of(row)
    assert result is not None
    assert (row.state, result.ending, dict(result.places)) == (
        "over", "resigned", {"blue": 1, "red": 2},
    )  # fmt: skip
    club.work()
    told = [each for each in club.mails(BOB) if each.kind in {"notice", "report"}]
    assert "alice (red) has resigned" in told[0].text
    assert "Red has resigned" in told[1].text
    assert verified(club, name)


def test_points_decide_no_place_of_a_match_given_up(club: Club) -> None:
    """At equal points the last report names no rule that the places contradict."""
    club.new_match("nord", *TWO[:1], f"green={BOB}")
    club.work()
    club.mails(BOB)
    club.answer(club.last(ALICE, "report"), "resign", ALICE)
    club.work()
    told = club.last(BOB, "report").flat
    assert "2. Red (alice) 0" in told
    assert "With equal points" not in told


def test_giving_up_in_a_larger_match_hands_the_seat_to_a_bot(club: Club) -> None:
    """The others are told, the bot plays on, what was ordered in advance ends, codes are dead."""
    name = begun(club, *THREE)
    report = club.last(ALICE, "report")
    club.answer(report, "queue pass\nqueue pass", ALICE)
    club.answer(club.last(BOB, "report"), "queue pass", BOB)
    club.mails(CAROL)
    club.answer(report, "resign", ALICE, Subject2="x")
    club.answer(club.last(ALICE, "answer"), "yes", ALICE)
    assert "A bot plays on for you" in club.last(ALICE, "answer").text
    assert "A bot plays on in their place" in club.last(CAROL, "notice").text
    club.work()
    row = club.match(name)
    assert (row.state, row.to_act != "red") == ("running", True)
    with club.desk.store.reading() as connection:
        seat = matches.find_seat(connection, row.id, "red")
        waiting = [each.seat for each in matches.standing_orders_of(connection, row.id)]
    assert seat is not None
    assert (seat.holder, seat.bot, seat.player_id) == ("bot", "greedy", None)
    assert "red" not in waiting
    club.answer(report, "pass", ALICE, Subject2="y")
    assert "this seat is now held by somebody else" in club.last(ALICE, "answer").text


def test_the_last_player_among_bots_ends_the_match(club: Club) -> None:
    """Bots do not play on by themselves."""
    name = begun(club, f"red={ALICE}", "blue=bot:random", "green=bot:random")
    club.answer(club.last(ALICE, "report"), "resign", ALICE)
    assert club.match(name).state == "over"


def test_without_a_code_it_is_asked_back(club: Club) -> None:
    """Which match is plain when there is one; a yes to the question suffices, once."""
    name = begun(club, *TWO)
    club.put(letter(BOB, "resign"))
    asked = club.last(BOB, "answer")
    assert f"resign {name}" in asked.text
    assert club.match(name).state == "running"
    club.answer(asked, "yes", BOB)
    assert club.match(name).state == "over"


def test_of_several_matches_one_must_be_named(club: Club) -> None:
    """With those there are; one he does not sit in is none of his."""
    one, other = begun(club, *TWO), begun(club, *TWO)
    begun(club, f"red={BOB}", f"blue={CAROL}")
    club.put(letter(ALICE, "resign"))
    assert f"{one} and {other}" in club.last(ALICE, "answer").text
    club.put(letter(ALICE, "resign pebbles-3", number=1))
    assert "no seat in pebbles-3" in club.last(ALICE, "answer").text
    club.put(letter(ALICE, f"kapituliere {other}", number=2))
    club.answer(club.last(ALICE, "answer"), "ja", ALICE)
    assert [club.match(each).state for each in (one, other)] == ["running", "over"]


def test_a_code_of_another_match_resigns_nothing(club: Club) -> None:
    """What is named and what is answered must agree."""
    one, other = begun(club, *TWO), begun(club, *TWO)
    reports = [each for each in club.mails(ALICE) if each.kind == "report"]
    club.answer(reports[0], f"resign {other}", ALICE)
    assert f"your mail names the match {other}" in club.last(ALICE, "answer").text
    assert [club.match(each).state for each in (one, other)] == ["running", "running"]


@pytest.mark.parametrize(
    ("state", "said"), [("invited", "has not begun yet"), ("over", "this match is over")]
)
def test_only_what_runs_can_be_given_up(club: Club, state: str, said: str) -> None:
    """Before the beginning one declines; after the end there is nothing to give up."""
    club.new_match("pebbles", *TWO, begins=state != "invited")
    club.work()
    mail = club.last(ALICE)
    if state == "over":
        club.answer(mail, "resign", ALICE)
    club.answer(mail, "resign", ALICE, Subject2="again")
    assert said in club.last(ALICE, "answer").text


@pytest.mark.parametrize("line", ["resign", "set address eve@elsewhere.test"])
def test_an_old_code_gives_nothing_away(club: Club, line: str) -> None:
    """A report passed on long ago, and her address in From: she is asked, nothing else is done."""
    name = begun(club, *TWO)
    old = club.last(ALICE, "report")
    club.answer(old, "pass", ALICE)
    club.work()
    club.answer(old, line, ALICE, Subject2="x")
    asked = club.last(ALICE, "answer")
    assert "Nothing has been done yet" in asked.text
    assert club.match(name).state == "running"
    assert club.mails("eve@elsewhere.test") == []
    club.answer(asked, "yes", ALICE)
    assert (club.match(name).state == "over") is (line == "resign")
    assert bool(club.mails("eve@elsewhere.test")) is (line != "resign")


def test_the_organiser_is_told_in_the_summary_once(club: Club) -> None:
    """With the name, and what became of the seat."""
    club.settle(organiser="o@example.test")
    begun(club, *TWO)
    club.answer(club.last(ALICE, "report"), "resign", ALICE)
    assert summary.write_if_due(club.desk)
    assert "pebbles-1: red (alice); the match is over" in club.last("o@example.test").text
    club.clock[0] += timedelta(days=1)
    summary.write_if_due(club.desk)
    assert all("alice" not in each.text for each in club.mails("o@example.test"))
