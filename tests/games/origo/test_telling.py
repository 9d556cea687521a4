"""Origo told: turns as sentences, scorings as sheets, tables, cards and both sides of a combat."""

from __future__ import annotations

from typing import Any

import pytest
from support.origo_cases import GAME, document, load
from support.origo_midland import MANY, fight
from support.tables import random_game, tables

from referee.games.game import Fact, Move, Scoresheet, Word
from referee.games.origo.legal import ATTACK, EXPANSION, MOVING, NAMING, SETUP, TURN_RULE
from referee.games.play import replay
from referee.render.words.wording import Wording

pytestmark = pytest.mark.fast


def played():
    """Return a random game of three seats."""
    return random_game(next(each for each in tables() if each.name == "origo-1-3"), 3)


def test_a_turn_is_one_sentence_with_its_cards_below() -> None:
    """Cards played are small print; drawing and ending the turn are left out."""
    facts = [
        Fact("round", {"seat": "blue", "round": 7}),
        Fact("expanded", {"seat": "blue", "square": "G7", "area": "HEL", "card": "row:G"}),
        Fact(
            "founded",
            {"seat": "blue", "land": "HEL", "stone": 4, "points": 4, "total": 9, "red": True},
        ),
        Fact("sailed", {"seat": "blue", "start": "C3", "goal": "C4", "area": "NOR"}),
        Fact("done", {"seat": "blue"}),
        Fact("drew", {"seat": "blue", "number": 2}),
    ]
    words = Wording(GAME, "en")
    ((seat, sentence, _),) = words.turns(facts, {"blue": "Blue (bob)"})
    assert seat == "blue"
    assert sentence == (
        "Blue (bob) expanded to G7; founded Helvetia with stone 4 (+4; the red field orders a "
        "tribe scoring) and sailed from C3 to C4."
    )
    assert [words.detail(each) for each in facts if words.detail(each)] == ["G7 with row G."]
    assert tuple(GAME.moves(facts)) == (Move("blue", ("C3", "C4")),)


GERMAN = (
    "Blau breitete sich nach G7 und J9 aus; tauschte zwei Karten und segelte von C3 nach C4 und H9 "
    "nach I9."
)
ENGLISH = "Blue expanded to G7 and J9; exchanged two cards and sailed from C3 to C4 and H9 to I9."


@pytest.mark.parametrize(("language", "told"), [("en", ENGLISH), ("de", GERMAN)])
def test_deeds_of_one_kind_share_their_verb(language: str, told: str) -> None:
    """What differs in the middle alone is enumerated, in any language."""
    facts = [
        Fact("expanded", {"seat": "blue", "square": "G7", "area": "HEL", "card": "row:G"}),
        Fact("expanded", {"seat": "blue", "square": "J9", "area": "MIT", "card": "ship"}),
        Fact("exchanged", {"seat": "blue", "cards": ["row:G", "ship"]}),
        Fact("sailed", {"seat": "blue", "start": "C3", "goal": "C4", "area": "NOR"}),
        Fact("sailed", {"seat": "blue", "start": "H9", "goal": "I9", "area": "MIT"}),
    ]
    words = Wording(GAME, language)
    assert [text for _, text, _ in words.turns(facts, {"blue": words.seat("blue")})] == [told]


def test_founding_twice_is_told_twice() -> None:
    """Points in brackets belong to one deed alone."""
    fields = {"seat": "blue", "stone": 4, "points": 4, "total": 9, "red": False}
    facts = [Fact("founded", {**fields, "land": land}) for land in ("HEL", "POL")]
    ((_, text, _),) = Wording(GAME, "en").turns(facts, {"blue": "Blue"})
    assert text == "Blue founded Helvetia with stone 4 (+4) and founded Poland with stone 4 (+4)."


def test_every_tribe_scoring_is_a_sheet_whose_rows_make_its_sums() -> None:
    """Clans, sea and lands add up to the points, and points to the way on the path."""
    facts = [fact for step in played().steps for fact in step.facts]
    sheets = [each for each in GAME.scoresheets(facts) if isinstance(each, Scoresheet)]
    assert len(sheets) == sum(fact.fact in {"scoring", "final-scoring"} for fact in facts) > 0
    for sheet in sheets:
        parts = [row for _, row in sheet.rows]
        (_, points), (_, total) = sheet.sums
        assert tuple(sum(n or 0 for n in each) for each in zip(*parts, strict=True)) == points
        assert all((one or 0) <= (other or 0) for one, other in zip(points, total, strict=True))
    left = [each.fact for each in GAME.scoresheets(facts) if isinstance(each, Fact)]
    assert not {each for each in left if each.startswith("scored")}


def test_an_area_is_a_sea_where_its_squares_are() -> None:
    """Pictures draw the borders between seas otherwise than those between lands."""
    view = GAME.scene(GAME.view(played().positions[0], None))
    grounds = {cell.space: view.grounds[cell.ground].motif for cell in view.cells}
    for area in view.areas:
        assert {grounds[space] for space in area.spaces} == {"sea" if area.sea else "none"}
    assert sum(area.sea for area in view.areas) == 4


def test_lands_and_seas_count_the_shields_on_the_board() -> None:
    """Shields and free squares of an area are all its squares."""
    for position in played().positions[::40]:
        view = GAME.scene(GAME.view(position, None))
        areas = {each.key: each for each in view.areas}
        _, lands, seas = view.tables
        for row in (*lands.rows, *seas.rows):
            numbers = [each for each in row.cells if isinstance(each, int)]
            assert sum(numbers) == len(areas[str(row.place)].spaces)


def test_the_seat_that_is_asked_sees_where_its_answers_lead() -> None:
    """A card it may add brings two points; nobody else is told what it could add."""
    begun = load(fight(black=MANY, orange=("people",)))
    position = replay(GAME, begun, [GAME.parse("attack E7 with row:E", "en")])
    question = GAME.scene(GAME.view(position, "orange")).question
    assert question is not None
    assert {choice.order for choice in question.choices} == set(GAME.orders(position))
    points = {side.seat: side.points for side in question.sides}
    adding = [each.outcome.fields for each in question.choices if each.order.word == "add"]
    assert adding == [{"own": points["orange"] + 2, "other": points["black"]}]
    for seat in ("black", None):
        others = GAME.scene(GAME.view(position, seat)).question
        assert others is not None
        assert (others.sides, others.choices) == (question.sides, ())


def test_choices_are_the_legal_answers_in_any_combat() -> None:
    """All that may be ordered in a combat has an outcome, and nothing else has."""
    asked = [each for each in played().positions if each.combat and not each.chance]
    assert asked
    for position in asked:
        question = GAME.scene(GAME.view(position, GAME.to_act(position))).question
        assert question is not None
        assert {each.order for each in question.choices} == set(GAME.orders(position))


def test_the_hand_is_a_secret_of_its_seat() -> None:
    """Cards stand there with number and squares; no other view has them."""
    position = played().positions[60]
    (hand,) = GAME.scene(GAME.view(position, "red")).secrets
    document: Any = GAME.view(position, "red").document
    assert sum(card.count for card in hand.cards) == len(document["hands"]["red"])
    assert GAME.scene(GAME.view(position, None)).secrets == ()
    assert {Word("column", "cards")} <= set(GAME.scene(GAME.view(position, None)).tables[0].columns)


@pytest.mark.parametrize(
    ("supply", "told"), [(2, ": 2 card actions left"), (1, ": 1 card action left"), (0, ": 0 card")]
)
def test_no_more_card_actions_are_left_than_shields_in_supply(supply: int, told: str) -> None:
    """Expansion and attack take one each."""
    position = load(document(supply={"red": supply}))
    (pending,) = (
        sentence
        for panel in GAME.scene(GAME.view(position, "red")).panels
        for sentence in panel.sentences
        if sentence.pending
    )
    assert told in Wording(GAME, "en").sentence(pending)


@pytest.mark.parametrize("rule", [SETUP, TURN_RULE, EXPANSION, MOVING, ATTACK, NAMING])
def test_a_refusal_cites_its_rule_as_its_readers_rules_call_it(rule: str) -> None:
    """In German by the German heading, with the same number."""
    assert Wording(GAME, "en").rule(rule) == rule
    german = Wording(GAME, "de").rule(rule)
    assert german.split()[:2] == rule.split()[:2]
    assert german != rule
