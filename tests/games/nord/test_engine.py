"""Whole games of Nord at random: what must hold after every order, on every kind of island."""

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
)
from referee.games.nord import GAME

pytestmark = pytest.mark.fast

SYMBOLS = ("gold", "hammer", "goblet", "axe", "helmet", "sword")
ISLANDS = ("standard", "variable")


def first(players, island, seed):
    """Return the first position of a match."""
    seats = GAME.colours[:players]
    options = play.complete_options(GAME, {"island": island, "margin": 1 + seed % 4})
    board = GAME.board(seats, options, None, Random(seed))
    return GAME.start(seats, options, board)


@cache
def game(players, island, seed):
    """Return the steps of a random game."""
    return tuple(play.random_play(GAME, first(players, island, seed), Random(seed)))


@pytest.fixture(
    params=[(n, island, seed) for n in GAME.seats for island in ISLANDS for seed in (1, 2)],
    ids=lambda each: "-".join(map(str, each)),
)
def steps(request):
    return game(*request.param)


def schema(name):
    text = resources.files(GAME.resources).joinpath(f"schemas/{name}.schema.json").read_text()
    return Draft202012Validator(json.loads(text))


def men_of(position, seat):
    """Count the men of a seat, the one on the score track included."""
    on_map = position.workers[seat].bit_count() + sum(each[seat] for each in position.warriors)
    dead = position.large_boat.count(f"man:{position.seats[seat]}")
    return 1 + position.men[seat] + on_map + dead


def test_every_seat_keeps_its_25_men(steps):
    """However men move, 25 of each colour are there; Nord 11.7."""
    for step in steps:
        seats = range(len(step.after.seats))
        assert [men_of(step.after, seat) for seat in seats] == [25 for _ in seats]


def test_fishing_boats_stay_as_many(steps):
    """Boats under sea workers and in supply are players + 4; Nord 11.7."""
    for step in steps:
        sea = step.after.geometry.sea
        at_sea = sum((each & sea).bit_count() for each in step.after.workers)
        assert at_sea + step.after.fishing_boats == len(step.after.seats) + 4


def test_treasure_tiles_stay_six_of_each_symbol(steps):
    """The 36 tiles are in hands, on piles, in supply or played; Nord 11.7."""
    for step in steps:
        counts = Counter(tile for tile in step.after.treasures if tile)
        for held in (*step.after.hands, step.after.supply, step.after.discards):
            counts.update(dict(zip(SYMBOLS, held, strict=True)))
        assert counts == dict.fromkeys(SYMBOLS, 6)


def test_jarls_stay_as_many(steps):
    """Once the game runs, a jarl per settlement and per unused colour is there; Nord 11.7."""
    for step in steps:
        if step.after.phase == "start":
            continue
        settled = sum(1 for jarl in step.after.jarls if jarl)
        shipped = sum(1 for each in step.after.large_boat if each.startswith("jarl:"))
        unused = len(GAME.colours) - len(step.after.seats)
        assert settled + shipped == len(step.after.jarls) + unused


def test_a_space_holds_one_worker_and_no_tile_under_him(steps):
    """Workers of different seats, tiles and settlements never share a space; Nord 11.7."""
    for step in steps:
        geo = step.after.geometry
        total = sum(each.bit_count() for each in step.after.workers)
        assert total == step.after.all_workers.bit_count()
        assert step.after.all_workers & ~(geo.land | geo.sea) == 0
        tiles = zip(geo.piles, step.after.treasures, strict=True)
        assert not any(tile and bit & step.after.all_workers for bit, tile in tiles)


def test_the_large_boat_never_overflows(steps):
    """At most as many stand on the large boat as it has places; Nord 11.7."""
    for step in steps:
        assert len(step.after.large_boat) <= len(step.after.board.boat_numbers)


def test_the_game_ends_after_four_scorings(steps):
    """Every game ends, with a place and points for each seat; Nord 8."""
    end = steps[-1].after
    result = GAME.result(end)

    assert (end.phase, end.scorings, GAME.to_act(end)) == ("over", 4, None)
    assert result.ending in GAME.endings
    assert min(result.places.values()) == 1
    assert result.points == GAME.points(end)


def test_documents_are_whole_and_read_back(steps):
    """Every dumped position fits its schema, passes the check and loads as the same position."""
    validator = schema("position")
    for step in steps[::5]:
        document = json.loads(play.canonical_json(GAME.dump(step.after)))
        assert list(validator.iter_errors(document)) == []
        assert list(GAME.check(document)) == []
        assert GAME.load(document) == step.after


STRANGE = (None, True, -1, 0, 7, 2_000_000, "", "E7", "red", "gold", [], ["red"], {}, {"red": 1})


def places_in(value, path=()):
    """Yield the path of every value in a document."""
    yield path
    members = value.items() if isinstance(value, dict) else ()
    members = enumerate(value) if isinstance(value, list) else members
    for key, each in members:
        yield from places_in(each, (*path, key))


def test_what_loads_fits_the_schema():
    """However one value of a document is changed, what is read as a position fits its schema."""
    validator = schema("position")
    text = play.canonical_json(GAME.dump(game(2, "standard", 1)[60].after))
    accepted = 0
    for path in list(places_in(json.loads(text)))[1:]:
        for strange in STRANGE:
            document = json.loads(text)
            holder = document
            for key in path[:-1]:
                holder = holder[key]
            holder[path[-1]] = strange
            with suppress(BadDocument):
                GAME.load(document)
                accepted += 1
                assert list(validator.iter_errors(document)) == [], (path, strange)
    assert accepted > 100


def test_orders_read_back_in_every_language(steps):
    """Every legal order survives text in both languages, and JSON that fits the schema."""
    validator = schema("order")
    for step in steps[::10]:
        chance = [each for each, _ in GAME.chance(step.position)]
        for order in [*chance, *GAME.orders(step.position)[::7]]:
            for language in LANGUAGES:
                assert GAME.parse(GAME.format(order, language), language) == order
            document = json.loads(play.canonical_json(order_to_json(order)))
            assert list(validator.iter_errors(document)) == []
            assert order_from_json(GAME.order_types, document) == order


def test_a_replay_comes_to_the_same_position(steps):
    """The orders alone, read from their text, lead to the same digest."""
    lines = [GAME.format(step.order, "en") for step in steps]

    replayed = play.replay(GAME, steps[0].position, [GAME.parse(each, "en") for each in lines])

    assert play.position_digest(GAME, replayed) == play.position_digest(GAME, steps[-1].after)


def test_listed_orders_are_canonical_and_not_refused(steps):
    for step in steps[::10]:
        for order in GAME.orders(step.position)[::5]:
            assert GAME.canonical(step.position, order) == order
            assert GAME.refusal(step.position, order) is None


def test_what_a_seat_sees_hides_what_it_may_not_know(steps):
    """A view shows the own symbols; other hands, face-down tiles and the supply as counts."""
    for step in steps[::10]:
        if step.after.phase == "over":
            continue
        for seat in (*step.after.seats, None):
            document = GAME.view(step.after, seat).document
            assert isinstance(document["supply"], int)
            assert set(document["treasures"].values()) <= {"?"}
            shown = {each for each, hand in document["hands"].items() if isinstance(hand, dict)}
            assert shown == ({seat} if seat else set())


def test_dealing_anew_keeps_the_view_and_all_pieces(steps):
    """A position dealt anew looks the same to its seat and is whole."""
    rng = Random(5)
    for step in steps[::10]:
        for seat in (*step.after.seats, None):
            anew = GAME.redeal(step.after, seat, rng)
            assert GAME.view(anew, seat) == GAME.view(step.after, seat)
            assert list(GAME.check(GAME.dump(anew))) == []


def test_a_seat_that_never_played_an_action_still_holds_its_tile():
    """Dealing anew respects that the set-up gave everybody a tile of each action; Nord 2.4."""
    position = next(
        step.after for step in game(2, "standard", 1) if GAME.to_act(step.after) != CHANCE
    )

    hands = [GAME.redeal(position, "red", Random(seed)).hands[1] for seed in range(30)]

    assert all(hand[0] + hand[1] == hand[2] + hand[3] == hand[4] + hand[5] == 1 for hand in hands)
    assert len(set(hands)) > 1


def test_forced_is_an_attack_without_choice_or_the_scoring_of_the_blocked(steps):
    """A forced order is the only legal one, and never a placement."""
    for step in steps:
        if step.seat == CHANCE:
            continue
        forced = GAME.forced(step.position)
        listed = GAME.orders(step.position)
        only = len(listed) == 1 and GAME.format(listed[0], "en").startswith(("attack", "score"))
        assert forced == (listed[0] if only else None)


def test_chance_lists_what_is_left_sorted_by_text(steps):
    """Weights count the tiles that can still be drawn."""
    for step in steps:
        outcomes = GAME.chance(step.position)
        texts = [GAME.format(order, "en") for order, _ in outcomes]
        assert texts == sorted(texts)
        assert bool(outcomes) == (step.seat == CHANCE)
        left = dict(zip(SYMBOLS, step.position.supply, strict=True))
        assert all(weight == left[order.tile] for order, weight in outcomes)


def test_only_its_owner_learns_a_symbol(steps):
    """A tile's symbol is told to the seat that drew or claimed it alone, as news."""
    for step in steps:
        for fact in step.facts:
            if fact.fact in {"dealt-tile", "claimed-tile"}:
                assert fact.news
                assert fact.audience == {fact.fields["seat"]}
            elif fact.fact not in {"played", "treasures-scored"}:
                assert fact.audience is None
                assert not set(SYMBOLS) & {str(each) for each in fact.fields.values()}


def test_what_is_to_be_done_next_is_marked_as_pending(steps):
    """A match ended by hand says nothing of it: no other sentence names who is to act."""
    for step in steps[::7]:
        keys = [
            (one.key, one.pending)
            for panel in GAME.scene(GAME.view(step.after, None)).panels
            for one in panel.sentences
        ]
        assert [key for key, pending in keys if pending] == [
            key for key, _ in keys if key.startswith("to-")
        ]
