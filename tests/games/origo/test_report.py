"""What a report of Origo says first while a combat waits for an answer."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from support.origo_cases import GAME, load
from support.origo_midland import MANY, fight

from referee.games.game import Seat
from referee.render.content import Framing
from referee.render.drawings.board import CHANGED
from referee.render.reports import Report, report_content
from referee.render.words.wording import Wording

pytestmark = pytest.mark.fast

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def read(seat: Seat, language: str = "en") -> str:
    """Return what a seat reads when black has attacked orange on E7, on one line."""
    begun = load(fight(black=MANY, orange=("people",)))
    position, _ = GAME.apply(begun, GAME.parse("attack E7 with row:E", "en"))
    value = Report(
        match="origo-1",
        seat=seat,
        turn=2,
        to_act="orange",
        due=NOW,
        zone="UTC",
        scene=GAME.scene(GAME.view(position, seat)),
        turns=(),
        legal=tuple(GAME.orders(position)) if seat == "orange" else (),
        points=GAME.points(position),
        names={"black": "alice", "orange": "bob"},
        head="",
        chance_note="words",
        result=None,
    )
    framing = Framing("origo-1")
    said = " ".join(report_content(Wording(GAME, language), value, framing).text.split())
    return said.partition(" · referee --- ")[2]


def test_who_is_attacked_is_told_so_first_and_that_the_turn_waits() -> None:
    """Nothing claims that it is the attacker's turn without saying that it waits."""
    said = read("orange")
    assert said.startswith("It is for you to answer, Orange: until Sat 21 Nov 2026")
    assert "Black attacks Orange on E7" in said[:150]
    assert "The turn of Black waits for that answer" in said
    assert "is at turn" not in said


def test_the_others_are_told_who_answers_in_their_language() -> None:
    """As the attacker reads it in German."""
    said = read("black", "de")
    assert said.startswith("Orange (bob) muss antworten, bis Sa., 21. November")
    assert "Der Zug von Schwarz wartet auf diese Antwort" in said
    assert "ist am Zug" not in said


def test_points_stand_once_while_a_combat_goes_on() -> None:
    """What the sides of the combat have is not taken for the points of the match."""
    assert "Points:" not in read("orange")


def test_who_is_attacked_reads_how_to_answer_and_nothing_else() -> None:
    """Orders for a turn of one's own are of no use there."""
    said = read("orange")
    assert "· add people — 5 against 4" in said
    assert "· yield — " in said
    assert "· expand" not in said


def test_a_changed_square_does_not_look_like_a_founded_one() -> None:
    """The sign of what changed is no sign of the board; a founded land bears a star."""
    drawn = GAME.scene(GAME.view(load(fight(black=MANY)), None))
    assert CHANGED not in {sign for sign, _, _ in drawn.legend}
    assert "*" in {sign for sign, _, _ in drawn.legend}
