"""Go's talk about dead stones, as players answer a mail."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.club import ALICE, BOB, Club, open_club

from referee.desk.matches import ledger


def moves(club: Club) -> tuple[str, ...]:
    """Return the moves behind both passes: marks, agreements, and stones if play goes on."""
    with club.desk.reading() as change:
        position: Any = ledger.load_match(change, club.match("go-1")).live.position
    return tuple(position.moves[6:])


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """Return a club in which Black marked E5 and two stones from C5 on as dead."""
    club = open_club(tmp_path)
    club.new_match("go", f"black={ALICE}", f"white={BOB}", options=["size=9x9"])
    lines = ("C5", "E5", "C6", "H5", "pass", "pass", "dead E5, C6\ndone")
    for at, line in enumerate(lines):
        club.work()
        who = (ALICE, BOB)[at % 2]
        club.answer(club.last(who, "report"), line, who)
    club.work()
    yield club
    club.desk.store.close()


@pytest.mark.parametrize("text", ["Yes, E5 too", "E5 too", "Yes, but C6 too", "C5 auch"])
def test_of_a_stone_that_is_marked_the_contrary_is_not_proposed(club: Club, text: str) -> None:
    """Its writer says that it is dead, too."""
    club.answer(club.last(BOB, "report"), text, BOB)
    assert club.fate("go-1", "white") == "played"
    assert moves(club) == ("dead E5", "dead C5", "done")
    told = club.last(BOB).flat
    assert not any(f"“yes” plays “{word} " in told for word in ("alive", "dead"))


@pytest.mark.parametrize(
    ("text", "order"), [("C5 lebt", "alive C5"), ("H5 is dead, too", "dead H5")]
)
def test_of_a_stone_with_its_verb_its_writer_is_asked(club: Club, text: str, order: str) -> None:
    club.answer(club.last(BOB, "report"), text, BOB)
    assert f"“yes” plays “{order}”" in club.last(BOB).flat


@pytest.mark.parametrize("text", ["dead C6, C5, H5 and E5", "dead E5 and dead H5, and C6 too"])
def test_a_list_with_stones_that_are_marked_already_is_played(club: Club, text: str) -> None:
    club.answer(club.last(BOB, "report"), f"{text}, done", BOB)
    assert moves(club) == ("dead E5", "dead C5", "done", "dead H5", "done")
