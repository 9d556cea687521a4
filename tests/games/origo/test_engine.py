"""Whole games of Origo at random, every refusal, every document: what the engine promises."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from functools import cache
from importlib import resources
from random import Random

import pytest
from jsonschema import Draft202012Validator
from support.conformance import order_to_json

from referee.games import play
from referee.games.documents import order_from_json
from referee.games.game import (
    CHANCE,
    LANGUAGES,
    BadDocument,
    Fact,
)
from referee.games.origo import GAME
from referee.render.drawings.board import text_board
from referee.render.layout import WIDTH
from referee.render.words.wording import Wording

SHIELDS = {2: 44, 3: 30, 4: 25, 5: 22}


def resource(name):
    """Return a JSON file of the game."""
    text = resources.files(GAME.resources).joinpath(name).read_text(encoding="utf-8")
    return json.loads(text)


def first(players):
    """Return the first position of a match."""
    return GAME.start(GAME.colours[:players], play.complete_options(GAME))


@cache
def game(players, seed):
    """Return the steps of a random game in which every kind of order is as likely as another."""
    rng, position, steps = Random(seed), first(players), []
    while (seat := GAME.to_act(position)) is not None:
        orders = [each for each, _ in GAME.chance(position)] or GAME.orders(position)
        word = rng.choice(sorted({each.word for each in orders}))
        order = rng.choice([each for each in orders if each.word == word])
        after, facts = GAME.apply(position, order)
        steps.append(play.Step(position, seat, order, facts, after))
        position = after
    return tuple(steps)


@pytest.fixture(
    params=[(players, seed) for players in GAME.seats for seed in (1, 2, 3)],
    ids=lambda each: "-".join(map(str, each)),
)
def steps(request):
    return game(*request.param)


def shields_of(position, seat):
    """Count the shields of a seat on the board, fighting, and in supply."""
    fighting = position.combat is not None and seat == position.seat
    return position.shields[seat].bit_count() + position.supply[seat] + fighting


def cards_of(document):
    """Count all cards of a position document by name."""
    found = Counter(document["draw"]) + Counter(document["discards"])
    for hand in document["hands"].values():
        found.update(hand)
    combat = document["combat"] or {}
    found.update(combat.get("attacker_cards", []))
    found.update(combat.get("defender_cards", []))
    return found


def test_cards_are_conserved(steps):
    """All 98 cards are in hands, piles, or a combat, each name as often as on the board; §8.7."""
    whole = Counter(resource("boards/reconstructed.json")["cards"])
    assert all(cards_of(GAME.dump(step.after)) == whole for step in steps)


def test_shields_leave_the_game_only_by_giving_up(steps):
    """Board, supply and lost shields are always the starting number; §8.7."""
    number = len(steps[0].position.seats)
    lost = [0] * number
    for step in steps:
        lost = [
            n + (step.order.word == "yield" and i == step.position.actor)
            for i, n in enumerate(lost)
        ]
        found = [shields_of(step.after, seat) + lost[seat] for seat in range(number)]
        assert found == [SHIELDS[number]] * number


def test_no_square_bears_two_shields_and_no_land_two_stones(steps):
    """A square bears at most one shield outside combat; there are at most 12 stones; §8.7."""
    for step in steps:
        position = step.after
        squares = sum(mask.bit_count() for mask in position.shields)
        assert position.occupied.bit_count() == squares
        assert len(set(position.founded)) == len(position.founded) <= 12


def test_a_round_s_end_holds_at_most_one_scoring(steps):
    """No order brings two tribe scorings, and none comes within a round; §8.7."""
    rounds = []
    for step in steps:
        held = [f for f in step.facts if f.fact in {"scoring", "final-scoring"}]
        rounds += [fact.fields["round"] for fact in held]
    assert len(set(rounds)) == len(rounds)


def test_leaders_never_share_a_field(steps):
    """Every leader stands on a field of the path of his own; §5."""
    for step in steps:
        fields = {(total - 1) % 100 for total in step.after.path}
        assert len(fields) == len(step.after.path)


def test_hands_are_filled_to_ten_between_turns(steps):
    """Whoever begins a turn holds ten cards unless both piles are empty; §3."""
    for step in steps:
        position = step.after
        if position.phase == "turn" and not position.chance and not any(position.turn):
            full = len(position.hands[position.seat]) >= 10
            assert full or not any(position.draw + position.discards)


def test_positions_and_orders_read_back(steps):
    """Documents load to the same position; orders read back from both languages and from JSON."""
    for step in steps[::5]:
        document = GAME.dump(step.after)
        assert GAME.load(json.loads(json.dumps(document))) == step.after
        assert GAME.check(document) == []
        assert order_from_json(GAME.order_types, order_to_json(step.order)) == step.order
        for language in LANGUAGES:
            line = GAME.format(step.order, language)
            assert all(GAME.parse(line, each) == step.order for each in LANGUAGES)


def test_a_game_replays_from_its_orders(steps):
    """The orders alone lead to the same end."""
    end = play.replay(GAME, steps[0].position, [step.order for step in steps])
    assert end == steps[-1].after
    assert GAME.result(end).ending in GAME.endings


def test_combats_are_answered_by_the_side_behind(steps):
    """In a combat the side without enough points acts, and may always give up; §3, attack."""
    for step in steps:
        position = step.after
        if position.combat is not None:
            fields = step.facts[0].fields
            ahead = fields["attacker_points"] > fields["defender_points"]
            behind = position.combat.defender if ahead else position.seat
            assert GAME.to_act(position) == position.seats[behind]
            assert GAME.format(GAME.idle(position), "en") == "yield"
            assert GAME.idle(position) in GAME.orders(position)


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_happens_can_be_said(steps, language):
    """Every fact becomes a sentence that shows no hole; boards keep to the width of a mail."""
    wording = Wording(GAME, language)
    for step in steps:
        for fact in step.facts:
            text = wording.fact(fact)
            assert text.endswith(".")
            assert text[0].isupper()
            assert "None" not in text
    for step in steps[::40]:
        for seat in (*step.after.seats, None):
            scene = GAME.scene(GAME.view(step.after, seat))
            assert max(map(len, text_board(scene, wording))) <= WIDTH
            said = [wording.sentence(each) for panel in scene.panels for each in panel.sentences]
            assert all(each.endswith(".") for each in said)


def test_only_its_owner_learns_a_card(steps):
    """Cards dealt and drawn are told to their seat alone, and as news."""
    for step in steps:
        for fact in step.facts:
            private = fact.fact in {"drew-card", "dealt"}
            audience = frozenset({fact.fields["seat"]}) if private else None
            assert (fact.audience, fact.news) == (audience, private)


@pytest.mark.parametrize("ending", ["founded", "passed", "quiet"])
def test_rare_endings_are_reached_by_their_games(ending):
    """The games kept with the engine come to the endings that random games miss; §6."""
    given = resource(f"endings/{ending}.json")
    position = GAME.start(given["seats"], play.complete_options(GAME))
    for line in given["orders"]:
        order = GAME.parse(line, "en")
        assert play.refusal(GAME, position, order) is None
        position, facts = GAME.apply(position, order)
    assert GAME.result(position).ending == ending
    assert Fact("final-scoring", {"round": position.round, "cause": ending}) in facts


def test_random_games_empty_a_supply():
    """Games in which everybody expands at random end when a supply is empty; §6."""
    end = [step.after for step in play.random_play(GAME, first(3), Random(5))][-1]
    assert GAME.result(end).ending == "exhausted"


SHIELDS_THERE = {"E7": "blue", "E8": "red", "I3": "red", "A1": "red", "J1": "blue"}
TURN = {
    "game": "origo",
    "seats": ["red", "blue"],
    "shields": SHIELDS_THERE,
    "hands": {"red": ["row:E", "land:BRI", "ship", "people"], "blue": ["col:7"]},
}
FOUNDED = {**TURN, "founded": ["POL"]}
COMBAT = {
    **FOUNDED,
    "phase": "combat",
    "combat": {"square": "E7", "attacker": "red", "defender": "blue"},
}
PLACING = {
    "game": "origo",
    "seats": ["red", "blue"],
    "phase": "place",
    "shields": {"A1": "red", "A2": "red", "B1": "blue", "B2": "blue"},
}
NAMING = {**TURN, "phase": "start", "to_act": "red"}

REFUSED = [
    (TURN, "expand K1 with row:E", "no-such-square", "Origo §3 Expansion"),
    (TURN, "expand E8 with row:E", "occupied", "Origo §3 Expansion"),
    (TURN, "expand E1 with col:1", "not-in-hand", "Origo §3 Expansion"),
    (TURN, "expand E1 with row:E/J", "no-such-card", "Origo §3 Expansion"),
    (TURN, "expand D1 with row:E", "card-elsewhere", "Origo §3 Expansion"),
    (TURN, "expand J10 with people", "not-next-to-own", "Origo §3 Expansion"),
    (TURN, "attack E6 with row:E", "nobody-there", "Origo §3 Attack"),
    (TURN, "attack E8 with row:E", "own-shield", "Origo §3 Attack"),
    (TURN, "attack E7 with row:E", "land-not-founded", "Origo §3 Attack"),
    (
        {**TURN, "shields": {**SHIELDS_THERE, "I4": "blue"}},
        "attack I4 with ship",
        "sea-not-full",
        "Origo §3 Attack",
    ),
    ({**FOUNDED, "founded": ["HIS"]}, "attack J1 with row:E", "not-next-to-own", "Origo §3 Attack"),
    (FOUNDED, "attack E7 with ship", "card-not-valid", "Origo §3 Attack"),
    (FOUNDED, "attack E7 with row:E row:E", "not-in-hand", "Origo §3 Attack"),
    (
        {**TURN, "turn": {"actions": 2}},
        "expand E1 with row:E",
        "no-actions-left",
        "Origo §3 A round and a turn",
    ),
    (
        {**TURN, "supply": {"red": 0}},
        "expand E1 with row:E",
        "supply-empty",
        "Origo §3 A round and a turn",
    ),
    (TURN, "migrate I3 I4", "on-sea", "Origo §3 Migration and sailing"),
    (TURN, "migrate J1 J2", "no-own-shield", "Origo §3 Migration and sailing"),
    (TURN, "migrate A1 C1", "out-of-reach", "Origo §3 Migration and sailing"),
    (TURN, "migrate A1 E7", "occupied", "Origo §3 Migration and sailing"),
    (
        {**TURN, "turn": {"migrated": True}},
        "migrate A1 A2",
        "already-migrated",
        "Origo §3 A round and a turn",
    ),
    (
        {**TURN, "turn": {"exchanged": True}},
        "exchange row:E ship",
        "already-exchanged",
        "Origo §3 A round and a turn",
    ),
    (TURN, "exchange row:E row:E", "not-in-hand", "Origo §3 A round and a turn"),
    (TURN, "sail A1 A2", "on-land", "Origo §3 Migration and sailing"),
    (
        {**TURN, "turn": {"sailed": ["I3"]}},
        "sail I3 I4",
        "already-sailed",
        "Origo §3 Migration and sailing",
    ),
    (TURN, "done", "nothing-done", "Origo §3 A round and a turn"),
    ({**TURN, "turn": {"actions": 1}}, "pass", "something-done", "Origo §3 A round and a turn"),
    (TURN, "place A2", "placing-over", "Origo §2 Set-up"),
    (TURN, "start blue", "no-start-to-name", "Origo §4 Tribe scoring"),
    (TURN, "yield", "no-combat", "Origo §3 Attack"),
    (TURN, "draw red ship", "only-chance", "Origo §3 A round and a turn"),
    (COMBAT, "done", "in-combat", "Origo §3 Attack"),
    (COMBAT, "add ship", "card-not-valid", "Origo §3 Attack"),
    (COMBAT, "add col:7", "not-in-hand", "Origo §3 Attack"),
    (PLACING, "place A1", "occupied", "Origo §2 Set-up"),
    (PLACING, "place C1", "land-capped", "Origo §2 Set-up"),
    (PLACING, "pass", "place-first", "Origo §2 Set-up"),
    (NAMING, "start green", "no-such-seat", "Origo §4 Tribe scoring"),
    (NAMING, "pass", "name-start", "Origo §4 Tribe scoring"),
]


@pytest.mark.parametrize(("document", "line", "code", "rule"), REFUSED)
def test_a_refusal_names_what_forbids_it(document, line, code, rule):
    """What the rules forbid is refused by its paragraph, in words, with what would be legal."""
    position = GAME.load(document)
    refusal = GAME.refusal(position, GAME.parse(line, "en"))
    assert (refusal.code, refusal.rule) == (code, rule)
    assert all(GAME.refusal(position, each) is None for each in refusal.legal)
    assert refusal.legal
    for language in LANGUAGES:
        assert "None" not in Wording(GAME, language).refusal(refusal)


def test_suggestions_are_the_nearest_first():
    """What is suggested is like what was wanted: the same square, or the same card."""
    refusal = GAME.refusal(GAME.load(TURN), GAME.parse("expand E1 with row:A", "en"))
    assert GAME.format(refusal.legal[0], "en") == "expand E1 with row:E"
    refusal = GAME.refusal(GAME.load(TURN), GAME.parse("done", "en"))
    assert GAME.format(refusal.legal[0], "en") == "pass"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("expand b3 with SHIP", "expand B3 with ship"),
        ("ausbreiten E1 mit Reihe E", "expand E1 with row:E"),
        ("expand E7 with land:Polen", "expand E7 with land:POL"),
        ("attack E7 with land Poland, col: 7", "attack E7 with col:7 land:POL"),
        ("angriff E7 volk reihe:F/E", "attack E7 with people row:E/F"),
        ("tausche schiff spalte:3.", "exchange col:3 ship"),
        ("startspieler schwarz", "start black"),
    ],
)
def test_lines_are_read_as_people_write_them(written, meant):
    """Cards read in both languages, with a space for the colon, lands by name, in any order."""
    assert GAME.format(GAME.parse(written, "de"), "en") == meant


def broken_boards():
    """Yield a word of the fault and a board that has it; §7."""
    board = resource("boards/reconstructed.json")
    rows, cards, bri = board["map"], board["cards"], board["lands"]["BRI"]
    yield "hang together", {"map": [rows[0].replace("BRI BRI NOR", "NOR BRI BRI"), *rows[1:]]}
    yield "hang together", {"map": [row.replace("BEL", "GAL") for row in rows]}
    yield "hang together", {"map": [*rows[:9], rows[9].replace("MIT MIT", "MIT OST", 1)]}
    yield "larger", {"lands": {**board["lands"], "BRI": {**bri, "setup_limit": 8}}}
    yield "98", {"cards": {**cards, "ship": 11}}
    yield "no card", {"cards": {**cards, "row:B/A": 1}}
    yield "12 numbers", {"founding_track": [3] * 11}
    yield "from 1", {"founding_red": [0, 4]}
    yield "twice", {"scoring_order": ["BRI"] * 12}
    yield "every land", {"scoring_order": board["scoring_order"][:11]}
    yield "10 squares", {"map": [rows[0] + " BAL", *rows[1:]]}
    east = [row.removesuffix("MIT") + "DAL" for row in rows[7:9]]
    bare = {code: {**land, "setup_limit": 0} for code, land in board["lands"].items()}
    yield "starting shields", {"map": [*rows[:7], *east, rows[9]], "lands": bare}


@pytest.mark.parametrize(("fault", "changes"), list(broken_boards()))
def test_a_broken_board_is_refused_by_its_fault(fault, changes):
    """A board file that breaks a rule is refused; the message says which."""
    board = {**resource("boards/reconstructed.json"), **changes}
    with pytest.raises(BadDocument, match=fault):
        GAME.board(("red", "blue"), play.complete_options(GAME), board, Random(0))


def test_an_organiser_s_board_takes_the_place_of_the_shipped_one():
    """A match is played on the board file given, and its positions hold it."""
    board = {
        **resource("boards/reconstructed.json"),
        "name": "mine",
        "clan_values": [9, 7, 5, 3, 1],
    }
    options = play.complete_options(GAME)
    made = GAME.board(("red", "blue"), options, board, Random(0))
    start = GAME.start(("red", "blue"), options, made)
    assert made == board
    assert GAME.dump(start)["board"] == board
    assert GAME.load(GAME.dump(start)) == start != first(2)


def test_schemas_describe_what_is_written(steps):
    """Positions, orders and the board fit their schemas."""
    position, order = (
        Draft202012Validator(resource(f"schemas/{name}.schema.json"))
        for name in ("position", "order")
    )
    for step in steps[::25]:
        assert list(position.iter_errors(GAME.dump(step.after))) == []
        assert list(order.iter_errors(order_to_json(step.order))) == []


def test_half_a_document_is_a_position_or_says_what_is_wrong():
    """Whatever is left out of a document has a default, or BadDocument names the place."""
    whole = GAME.dump(game(3, 1)[200].after)
    for key in whole:
        with suppress(BadDocument):
            GAME.load({name: each for name, each in whole.items() if name != key})
    assert GAME.check({name: each for name, each in whole.items() if name != "path"})
    assert CHANCE not in GAME.points(first(2))


def test_what_is_to_be_done_next_is_marked_as_pending(steps):
    """A match ended by hand says nothing of it: no other sentence names who is to act."""
    for step in steps[::11]:
        keys = [
            (one.key, one.pending)
            for panel in GAME.scene(GAME.view(step.after, None)).panels
            for one in panel.sentences
        ]
        assert [key for key, pending in keys if pending] == [
            key for key, _ in keys if key.startswith("to-") or key == "behind"
        ]
