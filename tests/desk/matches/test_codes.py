"""Reply codes and the history they belong to, after a restore and after an undo."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import update
from support.club import ALICE, BOB, CAROL, SEATS, Club, Mail, letter

from referee.desk.plans.board import Undo
from referee.desk.plans.plan import apply_act
from referee.desk.plans.seat import HandOver
from referee.desk.seats import setup
from referee.desk.seats.setup import MatchSetup, parse_holder, read_options
from referee.games import registry
from referee.store import tables
from referee.store.backup import copy_database
from referee.store.play import matches
from referee.store.store import open_store
from referee.value import replace

pytestmark = pytest.mark.fast

NAME = "pebbles-1"
LOST = "is of another history of the match, or mistyped"


def first_report(club: Club) -> Mail:
    """Begin a match; return the report of Alice, whose turn it is."""
    club.new_match("pebbles", *SEATS)
    club.work()
    return club.last(ALICE, "report")


def after(club: Club, report: Mail, order: str) -> Mail:
    """Let Alice answer a report; return the one Bob gets then."""
    club.answer(report, order, ALICE)
    club.work()
    return club.last(BOB, "report")


@contextmanager
def restored(club: Club, copy: Path) -> Iterator[Club]:
    """Yield the club as a copy of its database has it."""
    with open_store(f"sqlite:///{copy}") as store:
        yield Club(replace(club.desk, store=store), club.clock, club.uid)


def boxed(report: Mail, order: str) -> bytes:
    """Return a letter that bears nothing but the box of a report, filled in."""
    lines = report.text.splitlines()
    head = next(line for line in lines if line.startswith(f"=== {NAME}"))
    return letter(BOB, f"{head}\n{order}\n=== end ===", number=99)


def orders_of(report: Mail) -> list[str]:
    """Return the orders that put a stone, as the turn file of a report lists them."""
    return [line for line in report.turn_file["legal"] if line.startswith("put")]


@pytest.mark.parametrize("wholly", [False, True])
def test_an_answer_to_lost_history_is_not_played_on_another_board(
    club: Club, tmp_path: Path, wholly: bool
) -> None:
    """Neither by the code of its box nor by the mail it answers; its writer gets the board."""
    report = first_report(club)
    copy_database(f"sqlite:///{tmp_path / 'club.db'}", tmp_path / "copy.db")
    first, second, *_ = orders_of(report)
    lost = after(club, report, first)
    with restored(club, tmp_path / "copy.db") as again:
        told = after(again, report, second)
        assert told.turn_file["turn"] == lost.turn_file["turn"]
        before = again.match(NAME)
        if wholly:
            again.answer(lost, "pass", BOB)
        else:
            again.put(boxed(lost, "pass"))
        assert (again.match(NAME).seq, again.match(NAME).to_act) == (before.seq, "blue")
        said = again.last(BOB, "answer")
        assert LOST in said.flat
        again.answer(said, "pass", BOB)
        assert again.match(NAME).to_act == "red"


def test_history_repeated_has_its_codes_again(club: Club, tmp_path: Path) -> None:
    """Whoever answers a mail of before a restore plays, once the same letters have come again."""
    report = first_report(club)
    copy_database(f"sqlite:///{tmp_path / 'club.db'}", tmp_path / "copy.db")
    order = orders_of(report)[0]
    lost = after(club, report, order)
    with restored(club, tmp_path / "copy.db") as again:
        told = after(again, report, order)
        assert told.turn_file["code"] == lost.turn_file["code"]
        assert told.message["Message-ID"] == lost.message["Message-ID"]
        again.put(boxed(lost, "pass"))
        assert again.match(NAME).to_act == "red"


def test_who_got_the_seat_in_lost_history_has_another_code(club: Club, tmp_path: Path) -> None:
    """It follows from what was played, as the code of who held the seat before."""
    report = first_report(club)
    copy_database(f"sqlite:///{tmp_path / 'club.db'}", tmp_path / "copy.db")
    first, second, *_ = orders_of(report)
    after(club, report, first)
    apply_act(club.desk, HandOver(NAME, "blue", CAROL), "moving house")
    lost = club.code(NAME, "blue")
    for order, same in ((first, True), (second, False)):
        copy_database(f"sqlite:///{tmp_path / 'copy.db'}", tmp_path / f"{same}.db")
        with restored(club, tmp_path / f"{same}.db") as again:
            after(again, report, order)
            apply_act(again.desk, HandOver(NAME, "blue", CAROL), "moving house")
            assert (again.code(NAME, "blue") == lost) is same


def test_an_invitation_to_another_match_of_the_name_is_not_agreed_to(
    club: Club, tmp_path: Path
) -> None:
    """After a restore a match is set up anew; the yes to the lost one is none to it."""
    copy_database(f"sqlite:///{tmp_path / 'club.db'}", tmp_path / "copy.db")
    invited(club, b"a" * 32)
    lost = club.last(BOB, "invitation")
    with restored(club, tmp_path / "copy.db") as again:
        invited(again, b"b" * 32)
        told = again.last(BOB, "invitation")
        again.answer(lost, "agree", BOB)
        said = again.last(BOB, "answer")
        assert LOST in said.flat
        assert agreed(again) == ["unasked", "unasked"]
        again.answer(told, "agree", BOB)
        assert agreed(again) == ["unasked", "yes"]


def invited(club: Club, seed: bytes) -> None:
    """Invite both players to a match with a seed."""
    game = registry.find_installed("pebbles", None)
    holders = tuple(parse_holder(seat, game) for seat in SEATS)
    plan = MatchSetup(
        game, holders, read_options(game, []), seed=seed, pace=club.desk.settings.pace
    )
    with club.desk.writing() as change:
        setup.set_up_match(change, plan)


def agreed(club: Club) -> list[str]:
    """Return what the players have said to their invitation."""
    row = club.match(NAME)
    with club.desk.store.reading() as connection:
        return [seat.agreed for seat in matches.seats(connection, row.id)]


def test_a_code_of_a_turn_taken_back_is_not_valid_for_what_was_played_instead(club: Club) -> None:
    """The turn begins anew with other codes, and its old mail is answered with what happened."""
    report = first_report(club)
    first, second, *_ = orders_of(report)
    lost = after(club, report, first)
    apply_act(club.desk, Undo(NAME, turn=1, revealed=True), "a slip")
    club.work()
    told = after(club, club.last(ALICE, "report"), second)
    assert told.turn_file["code"] != lost.turn_file["code"]
    club.put(boxed(lost, "pass"))
    assert club.match(NAME).to_act == "blue"


def test_a_code_already_sent_is_good_until_its_turn_ends(club: Club) -> None:
    """Mails of the turn go on bearing it, however it was made; the next turn has one of its own."""
    first_report(club)
    with club.desk.store.writing() as connection:
        known = matches.find_code(connection, club.code(NAME, "red"))
        assert known is not None
        of_red = update(tables.codes).where(tables.codes.c.code == known.code)
        connection.execute(of_red.values(code="K7PQM2XD"))
    assert club.code(NAME, "red") == "K7PQM2XD"
    box = f"=== {NAME} · turn 1 · red · K7PQ-M2XD ===\npass\n=== end ==="
    club.put(letter(ALICE, box, number=98))
    assert club.match(NAME).to_act == "blue"
    assert club.code(NAME, "red") != "K7PQM2XD"
