"""Backgammon played by answering mails, as its players write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from referee_classics.backgammon import GAME
from referee_classics.classic import Move
from support.club import Club, Mail, open_club

from referee.desk.matches import ledger

NAME = "backgammon-1"

ADDRESSES = {"white": "alice@example.test", "black": "bob@example.test"}


@pytest.fixture
def club(tmp_path: Path) -> Club:
    """Return a club in which a match to three points has begun."""
    club = open_club(tmp_path)
    seats = (f"{seat}={address}" for seat, address in ADDRESSES.items())
    club.new_match("backgammon", *seats, options=["length=3"])
    club.work()
    return club


def position(club: Club) -> Any:
    """Return the position of the match."""
    with club.desk.reading() as change:
        return ledger.load_match(change, club.match(NAME)).live.position


def answer(club: Club, mails: list[Mail], text: str) -> Mail:
    """Answer the report of whoever is to act with a text; return their next mail."""
    seat = str(GAME.to_act(position(club)))
    address = ADDRESSES[seat]
    mails += club.mails(address)
    club.answer(next(mail for mail in reversed(mails) if mail.kind == "report"), text, address)
    club.work()
    return club.mails(address)[-1]


def test_rolls_are_played_as_players_write_them_and_told_in_one_sentence(club: Club) -> None:
    """In any sequence, with the roll before it, in German; the roll that follows is told too."""
    mails: dict[str, list[Mail]] = {seat: [] for seat in ADDRESSES}
    for turn in range(4):
        seat, before = str(GAME.to_act(position(club))), position(club)
        move = next(
            order.move
            for order in GAME.orders(before)
            if isinstance(order, Move) and order.move.count("/") > 1 and "(" not in order.move
        )
        roll = before.moves[-1][-3:].replace("-", "")
        turned = " ".join(reversed(move.split()))
        written = (turned, f"{roll}: {move}", turned.replace(" ", ", "), move.upper())[turn]
        told = answer(club, mails[seat], written)
        after = position(club)
        assert after.moves[len(before.moves)] == move
        assert f"played {move}." in told.flat
        assert f"rolled {after.moves[-1]}" in told.flat


def test_a_blocked_point_is_told_with_what_could_be_played(club: Club) -> None:
    """The six-point of the other side, as everybody tries once."""
    refused = answer(club, [], "24/19 24/19")
    assert "Not played" in refused.flat
    roll = position(club).moves[-1][-3:]
    reason = "blocked: your opponent has 5 checkers on your 19-point" if "5" in roll else roll
    assert reason in refused.flat
    assert "You could write:" in refused.flat


@pytest.mark.parametrize("text", ["run {}, cover {}", "anchor {} and build {}"])
def test_a_roll_told_in_a_sentence_is_asked_about_whole(club: Club, text: str) -> None:
    """None of its parts is refused for want of the other."""
    before = position(club)
    move = next(
        line
        for order in GAME.orders(before)
        if (line := GAME.format(order, "en")).count(" ") == 1 and "(" not in line
    )
    asked = answer(club, [], text.format(*move.split()))
    assert f"“yes” plays “{move}”" in asked.flat
    assert position(club).moves == before.moves


def test_talk_beside_a_move_plays_nothing_else(club: Club) -> None:
    """Points in a sentence are no move."""
    before = position(club)
    move = GAME.format(GAME.orders(before)[0], "en")
    answer(club, [], f"I thought of 6/2 for long.\nSee you on 24/12.\n\n{move}\n\nGood luck!")
    assert position(club).moves[: len(before.moves) + 1] == (*before.moves, move)


def test_the_last_mail_brings_the_match_for_other_programs(club: Club) -> None:
    """Whoever resigns gives the match away, with the points that are left."""
    mails: list[Mail] = []
    club.work()
    first = str(GAME.to_act(position(club)))
    move = GAME.format(GAME.orders(position(club))[0], "en")
    answer(club, mails, move)
    question = answer(club, [], "resign")
    club.answer(question, "yes", ADDRESSES["black" if first == "white" else "white"])
    club.work()
    last = club.mails(ADDRESSES[first])[-1]
    [file] = [part for part in last.message.walk() if part.get_filename() == f"{NAME}.mat"]
    text = file.get_content()
    assert text.startswith(" 3 point match")
    assert f": {move.split('(')[0]}" in text
    assert "Wins 3 points" in text
