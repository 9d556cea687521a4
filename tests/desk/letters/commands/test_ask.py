"""Questions of players: help, their matches, the board."""

from __future__ import annotations

import re

import pytest
from support.club import ALICE, BOB, SEATS, Club, letter

from referee.desk import players
from referee.desk.letters.words.keywords import Command, read_command
from referee.desk.plans.match import End
from referee.desk.plans.plan import apply_act

pytestmark = pytest.mark.fast
DORA = "dora@example.test"


def test_help_needs_no_code(club: Club) -> None:
    """Anybody registered is helped."""
    club.new_match("pebbles", *SEATS)
    club.mails(ALICE)
    club.put(letter(ALICE, "help"))
    assert "preview" in club.last(ALICE, "answer").text


def test_matches_lists_where_one_plays(club: Club) -> None:
    """The list names match, game, seat and whose turn it is."""
    club.new_match("pebbles", *SEATS)
    club.put(letter(BOB, "matches"))
    assert "you are blue, turn 1" in club.last(BOB, "answer").text


def test_matches_that_are_over_are_listed_last(club: Club) -> None:
    """The others stand as they were made."""
    for _ in range(3):
        club.new_match("pebbles", *SEATS)
    club.work()
    report = next(each for each in club.mails(BOB) if "match pebbles-1" in each.flat)
    club.answer(report, "resign", BOB)
    club.put(letter(BOB, "matches", number=50))
    listed = re.findall("pebbles-[123]", club.last(BOB, "answer").text)
    assert list(dict.fromkeys(listed)) == ["pebbles-2", "pebbles-3", "pebbles-1"]


def test_the_rules_of_another_game_may_be_asked_for_in_any_match(club: Club) -> None:
    """They come without the order box of the match, whose seat that game does not know."""
    club.new_match("nord", f"green={BOB}", f"yellow={ALICE}")
    club.work()
    verdict = club.answer(club.last(ALICE, "report"), "rules pebbles", ALICE)
    assert verdict.state == "handled"
    mail = club.last(ALICE, "answer")
    assert "Pebbles" in mail.text
    assert "nord-1" not in mail.text


def test_show_sends_the_board_of_ones_own_seat(club: Club) -> None:
    """`show` without a code goes to the registered address with that seat's view."""
    club.new_match("pebbles", *SEATS)
    club.put(letter(BOB, "show"))
    assert "Your pebbles weigh" in club.last(BOB, "answer").text


def test_show_in_a_new_mail_takes_a_match_that_has_begun(club: Club) -> None:
    """Of several it names the others."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.new_match("pebbles", *SEATS)
    club.put(letter(BOB, "show"))
    mail = club.last(BOB, "answer")
    assert "[pebbles-2]" in mail.message["Subject"]
    assert "You also play in" not in mail.text
    club.new_match("pebbles", *SEATS)
    club.put(letter(BOB, "show", number=2))
    mail = club.last(BOB, "answer")
    assert "[pebbles-2]" in mail.message["Subject"]
    assert "You also play in pebbles-3." in mail.text


def test_show_turn_sends_the_board_as_it_was(club: Club) -> None:
    club.new_match("pebbles", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    line = next(each for each in report.turn_file["legal"] if each.startswith("put"))
    club.answer(report, line, ALICE)
    club.work()
    now = club.last(ALICE, "report")
    club.answer(now, "show turn 1", ALICE)
    text = club.last(ALICE, "answer").text
    assert "at turn 1" in text
    assert board(text) != board(now.text)


def board(text: str) -> list[str]:
    """Return the lines of the board in a mail of pebbles."""
    return [line for line in text.splitlines() if line.startswith(("A ", "B "))]


def test_one_command_that_brings_two_answers_is_still_one_thing(club: Club) -> None:
    """Who plays two games gets both rules, and is not told to have asked for several things."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.new_match("nord", f"red={ALICE}", f"blue={BOB}")
    club.work()
    club.mails(ALICE)
    club.put(letter(ALICE, "rules"))
    text = club.last(ALICE).flat
    assert "This is the answer to your mail, in 2 parts." in text
    assert "several things" not in text


def test_of_a_match_that_was_called_off_there_is_no_board(club: Club) -> None:
    """Whoever asks for it is told so."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.work()
    invited = club.last(BOB, "invitation")
    apply_act(club.desk, End("pebbles-1"), "nobody has time")
    club.work()
    club.answer(invited, "show", BOB)
    assert "this match has been broken off" in club.last(BOB).flat


@pytest.mark.parametrize(("line", "told"), [("rules nord", "Nord"), ("regeln Origo", "Origo")])
def test_the_rules_of_any_game_can_be_asked_for(club: Club, line: str, told: str) -> None:
    """By its name, within a match of another game and by somebody who plays none."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(BOB, "report"), line, BOB)
    assert f"These are the rules of {told} in short" in club.last(BOB).flat
    with club.desk.writing() as change:
        players.add_player(change, DORA, name=None, language=None, zone=None, format="html")
    club.put(letter(DORA, line, number=2))
    assert f"These are the rules of {told} in short" in club.last(DORA).flat


def test_rules_without_a_match_name_the_games(club: Club) -> None:
    """Whoever plays none is told which there are; of two games it tells both."""
    with club.desk.writing() as change:
        players.add_player(change, DORA, name=None, language=None, zone=None, format="html")
    club.put(letter(DORA, "rules"))
    said = club.last(DORA).flat
    assert "Write the name of a game behind “rules”: nord, origo and pebbles." in said


@pytest.mark.parametrize("asked", ["How do I win?", "Where are the rules?"])
def test_whoever_asks_about_the_game_is_told_of_the_rules(club: Club, asked: str) -> None:
    """In a match, in answer to an invitation, and in a new mail."""
    club.new_match("pebbles", *SEATS)
    club.new_match("pebbles", *SEATS, begins=False)
    club.work()
    for mail in [each for each in club.mails(BOB) if each.kind in {"report", "invitation"}]:
        club.answer(mail, asked, BOB)
        assert "Did you mean “rules”?" in club.last(BOB).flat
    club.put(letter(BOB, asked, number=9))
    assert "Did you mean “rules”?" in club.last(BOB).flat


def test_talk_that_begins_with_rules_asks_for_none(club: Club) -> None:
    """Only the name of a game may follow."""
    assert read_command("rules matter") is None
    assert read_command("Regeln nord!") == Command("rules", ("nord",))


def test_show_proposes_orders_to_whoever_is_to_act(club: Club) -> None:
    """Not to the others, and not beside a board of the past."""
    club.new_match("pebbles", *SEATS)
    club.work()
    mine = club.last(ALICE, "report")
    club.answer(mine, "show", ALICE)
    assert "You could write:" in club.last(ALICE, "answer").flat
    club.answer(club.last(BOB, "report"), "show", BOB)
    assert "You could write:" not in club.last(BOB, "answer").flat
    club.answer(mine, "put 1 A1", ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), "put 1 B2", BOB)
    club.work()
    club.answer(club.last(ALICE, "report"), "show turn 1", ALICE)
    assert "You could write:" not in club.last(ALICE, "answer").flat
