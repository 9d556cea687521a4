"""Random games keep the rules' promises: legal orders, all pieces, bounded length, endings."""

from __future__ import annotations

import pytest
from support.conformance import check_canonical, check_chance, check_replay, check_step
from support.tables import (
    Table,
    path_to,
    random_game,
    random_games,
    sampled,
    shared_games,
    tables_of,
)

from referee.games.game import CHANCE, AnyGame
from referee.render.site.course import Course, CourseStep, PackedCourse
from referee.render.words.wording import Wording


def test_every_step_is_a_listed_order_and_conserves_all_pieces(table: Table) -> None:
    """Whoever acts plays one of the orders listed; texts are unique; the position stays whole."""
    for step in sampled(table, most=120):
        check_step(table.game, step)


def test_listed_orders_are_canonical_and_never_refused(table: Table) -> None:
    for step in sampled(table, most=40):
        if step.seat != CHANCE:
            check_canonical(table.game, step.position)


def test_chance_lists_weighted_outcomes_by_text(table: Table) -> None:
    """They have positive whole weights, sorted by text; where it acts the game says that it may."""
    for step in sampled(table, most=500):
        if step.seat == CHANCE:
            assert table.game.uses_chance(table.options)
            check_chance(table.game, step.position)


def test_games_end_within_their_bound(table: Table) -> None:
    """No game runs into the number of orders its rules promise to stay below."""
    unfinished = [each for each in shared_games(table) if table.game.result(each.end) is None]
    assert unfinished == []


def test_the_same_seed_plays_the_same_game(table: Table) -> None:
    """Nothing but the generator given decides a random game."""
    assert random_game(table, 0) == random_game(table, 0)


def test_replay_gives_the_same_position_and_digest(table: Table) -> None:
    """The orders alone, as values or as text, lead to the same position."""
    for played in shared_games(table):
        check_replay(table.game, played.start, played.orders, played.end)


def test_a_forced_order_is_the_only_one(table: Table) -> None:
    """What is forced is the one order listed, and playing forced orders comes to an end."""
    for step in sampled(table, most=500):
        if step.seat != CHANCE and (order := table.game.forced(step.position)):
            assert [order] == list(table.game.orders(step.position))
            position, played = step.position, 0
            while table.game.to_act(position) not in {None, CHANCE}:
                if not (order := table.game.forced(position)):
                    break
                position, _ = table.game.apply(position, order)
                played += 1
                assert played <= table.game.max_orders


def test_the_idle_order_may_be_played(table: Table) -> None:
    """What the rules do with a seat out of time is an order it might have given."""
    for step in sampled(table, most=120):
        if step.seat != CHANCE and (order := table.game.idle(step.position)):
            assert table.game.refusal(step.position, order) is None


def test_every_ending_is_reached(game: AnyGame) -> None:
    """Random games, or the game's own hand-made ones, come to every ending there is."""
    reached = set()
    for table in tables_of(game):
        ends = [played.end for played in random_games(table, 0, many=40, steps=600)]
        reached |= {result.ending for end in ends if (result := game.result(end))}
    for ending in game.endings - reached:
        played = path_to(game, ending)
        assert played is not None, f"nothing comes to the ending {ending}"
        result = game.result(played.end)
        assert result is not None
        reached.add(result.ending)
    assert set(game.endings) == reached


def test_a_game_starts_only_with_seats_and_options_that_fit(game: AnyGame) -> None:
    """Too few, too many, repeated or unknown seats are refused."""
    options = tables_of(game)[0].options
    few = game.colours[: game.seats.start - 1]
    many = tuple(f"seat{number}" for number in range(game.seats.stop + 1))
    twice = game.colours[:1] * game.seats.start
    strange = (*game.colours[: game.seats.start - 1], "nobody")
    for seats in (few, many, twice, strange):
        with pytest.raises(ValueError):
            game.start(seats, options)


def test_the_archive_shows_a_random_game_step_by_step(table: Table) -> None:
    """Each look of each space is there, also of a board that grows."""
    game, played = table.game, shared_games(table)[0]
    positions, position = [played.start], played.start
    for order in played.orders[:80]:
        position, _ = game.apply(position, order)
        positions.append(position)
    start, *scenes = [game.scene(game.view(position, None)) for position in positions]
    steps = tuple(
        CourseStep(n, n, None, "order", None, False, (), scene, {}, False)
        for n, scene in enumerate(scenes, 1)
    )
    wording = Wording(game, "en")
    packed = PackedCourse(Course(start, {}, steps, whole=True), wording)
    document = packed.document()
    spaces = {space for space, _, _ in document["spaces"]}
    cells = {cell for scene in (start, *scenes) for cell in scene.cells}
    assert {wording.space(cell) for cell in cells} == spaces
    assert packed.picture("the end").count("<title>") >= len(spaces)
