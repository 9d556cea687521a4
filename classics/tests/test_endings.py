"""Why games end: each reason has an ending of its own."""

from __future__ import annotations

import json
import re
from importlib.metadata import entry_points
from importlib.resources import files
from random import Random

import pytest
from referee_classics.classic import Classic

from referee.games.game import LANGUAGES, Sentence
from referee.games.play import complete_options, random_play
from referee.render.words.wording import Wording

pytestmark = pytest.mark.fast

GAMES: dict[str, Classic] = {
    entry.name.partition("-")[0]: entry.load()
    for entry in entry_points(group="referee.games")
    if entry.value.startswith("referee_classics")
}


@pytest.mark.parametrize(
    ("name", "ending", "says"),
    [
        ("breakthrough", "none-left", "One side has no man left."),
        ("ninemensmorris", "no-move", "Whoever is to move cannot, and has lost."),
        ("checkers", "no-move", "Whoever is to move cannot, and has lost."),
        ("xiangqi", "no-moves", "No move left: whoever is to move has lost."),
        ("shogi", "no-moves", "No move left: whoever is to move has lost."),
        ("shogi", "checkmate", "Checkmate."),
        ("linesofaction", "repetition", "A position came back: a draw."),
        ("linesofaction", "long", "The game went on for too long: a draw."),
        ("pentago", "both", "Both have five in a row: a draw."),
        ("pentago", "full", "The board is full and nobody has five in a row: a draw."),
        ("havannah", "ring", "A ring is closed."),
        ("havannah", "bridge", "A bridge joins two corners."),
        ("havannah", "fork", "A fork joins three sides."),
    ],
)
def test_an_ending_names_the_one_reason(name: str, ending: str, says: str) -> None:
    game = GAMES[name]
    path = files(f"referee_classics.{name}").joinpath(f"endings/{ending}.json")
    told = json.loads(path.read_text(encoding="utf-8"))
    options = complete_options(game, told.get("options", {}))
    position = game.start(told["seats"], options, told.get("board"))
    for line in told["orders"]:
        position, _ = game.apply(position, game.parse(line, "en"))
    result = game.result(position)
    assert result is not None
    assert result.ending == ending
    assert Wording(game, "en").ending(result) == says


@pytest.mark.parametrize("name", ["hex", "y", "havannah"])
def test_the_chain_that_wins_is_told_and_lit(name: str) -> None:
    """Its men are the winner's, and the last of all is among them."""
    game = GAMES[name]
    start = game.start(game.colours, complete_options(game, {}))
    *_, last = random_play(game, start, Random(7))
    result = game.result(last.after)
    assert result is not None
    scene = game.scene(game.view(last.after, None))
    told = next(panel for panel in scene.panels if panel.title == "chain")
    lit = [cell for cell in scene.cells if cell.ground == "lit"]
    assert told.sentences[0].fields == {"seat": last.seat, "spaces": [cell.space for cell in lit]}
    assert {mark.seat for cell in lit for mark in cell.marks} == {last.seat}
    assert result.places[last.seat] == 1
    assert last.after.moves[-1] in told.sentences[0].fields["spaces"]
    assert all(
        "chain" not in {panel.title for panel in game.scene(game.view(before, None)).panels}
        for before in (start, last.position)
    )


@pytest.mark.parametrize("name", ["hex", "twixt"])
def test_a_mail_without_pictures_says_which_sides_are_whose(name: str) -> None:
    game = GAMES[name]
    start = game.start(game.colours, complete_options(game, {}))
    told = Wording(game, "en").sentence(Sentence("aims"))
    panels = game.scene(game.view(start, None)).panels
    assert "Red joins the upper and the lower side" in told
    assert [panel.title for panel in panels if Sentence("aims") in panel.sentences] == ["aims"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_no_ending_says_that_the_game_is_won(name: str, language: str) -> None:
    """The player who has lost reads it, too."""
    words = Wording(GAMES[name], language)
    for ending in GAMES[name].endings:
        assert not re.search("is won|ist gewonnen", words.word("ending", ending))


def test_seeds_left_in_houses_count_for_their_owner_and_the_ending_says_so() -> None:
    """Otherwise the last board would not add up to the result."""
    game, rng = GAMES["mancala"], Random(1)
    start = game.start(game.colours, complete_options(game))
    *_, last = random_play(game, start, rng)
    result = game.result(last.after)
    assert result is not None
    squares = GAMES["mancala"].squares(last.after)  # type: ignore[attr-defined]
    left = {seat: [int(n) for space, n in squares.items() if space[0] == seat[0]]
            for seat in game.colours}  # fmt: skip
    assert any(any(seeds[:-1]) for seeds in left.values())
    assert dict(result.points) == {seat: sum(seeds) for seat, seeds in left.items()}
    assert "in the other's houses count" in Wording(game, "en").ending(result)
