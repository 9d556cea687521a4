"""Small positions of Origo written by hand, and what the game makes of orders on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from support.cases import Cases, Doc
from support.origo_board import SHIELDS, SQUARES_OF, board_document

from referee.games import play
from referee.games.game import Fact, Unreadable
from referee.games.origo import GAME

CASES = Cases(GAME)
load, order, texts, legal = CASES.load, CASES.order, CASES.texts, CASES.legal
after, position_after = CASES.after, CASES.position_after
settled, dealt, outcomes = CASES.settled, CASES.dealt, CASES.outcomes
refused, allowed = CASES.refused, CASES.allowed


def document(**fields: Any) -> Doc:
    """Return a position document; three seats unless said otherwise."""
    base: Doc = {"game": "origo", "edition": 1, "board": "reconstructed"}
    return base | {"seats": ["red", "blue", "black"]} | fields


def whole(**fields: Any) -> Doc:
    """Return a position document in which the cards that nobody holds are to be drawn."""
    position = load(document(**fields))
    held = Counter(card for hand in fields["hands"].values() for card in hand)
    cards = zip(position.board.cards, position.board.counts, strict=True)
    draw = {card: number - held[card] for card, number in cards if number > held[card]}
    found: Doc = GAME.dump(load(document(**fields, draw=draw)))
    return found


def owned(**squares: str) -> dict[str, str]:
    """Return shields by square from the squares of each seat: ``owned(red="A1 A2")``."""
    return {square: seat for seat, names in squares.items() for square in names.split()}


def filled(area: str, seat: str, but: Iterable[str] = ()) -> dict[str, str]:
    """Return a player's shields on all squares of a land or sea, save some."""
    return {square: seat for square in SQUARES_OF[area] if square not in set(but)}


def facts(given: Doc, line: str) -> tuple[Fact, ...]:
    """Return what one legal order tells."""
    return play.play(GAME, load(given), [order(line)]).facts


def goals(given: Doc, word: str, square: str) -> set[str]:
    """Return where the shield on a square may go."""
    start = f"{word} {square} "
    return {line.removeprefix(start) for line in legal(given) if line.startswith(start)}


def cards_for(given: Doc, square: str) -> set[str]:
    """Return the single cards with which a square may be attacked."""
    start = f"attack {square} with "
    lines = [line.removeprefix(start) for line in legal(given) if line.startswith(start)]
    return {cards for cards in lines if " " not in cards}


def squares_for(given: Doc, card: str) -> set[str]:
    """Return the squares a card lets a player expand to."""
    lines = [line.split() for line in legal(given)]
    return {words[1] for words in lines if words[0] == "expand" and words[3] == card}


def hand(given: Doc, seat: str) -> list[str]:
    """Return a player's cards in alphabetical order."""
    return sorted(given["hands"].get(seat, []))


def heap(given: Doc, name: str) -> dict[str, int]:
    """Return the draw pile or the discards without zeros."""
    return {card: number for card, number in given[name].items() if number}


def lost(given: Doc, seat: str) -> int:
    """Return how many shields of a player have left the game."""
    number = SHIELDS[len(given["seats"])]
    on_map = list(given["shields"].values()).count(seat)
    fighting = (given.get("combat") or {}).get("attacker") == seat
    return number - on_map - fighting - given["supply"][seat]


def rejected(given: Doc, *lines: str) -> bool:
    """Tell whether the last line cannot be read, or is refused citing the game's rules."""
    try:
        order(lines[-1])
    except Unreadable:
        return True
    return refused(given, *lines).rule.startswith("Origo")


def zeroed(*, lands: bool = True, clans: bool = True) -> Doc:
    """Return a board on which lands or clans are worth nothing, to see the rest alone."""
    board = board_document()
    if lands:
        nothing = {"values": [0, 0, 0]}
        board["lands"] = {name: land | nothing for name, land in board["lands"].items()}
    if clans:
        board["clan_values"] = [0, 0, 0, 0, 0]
    return board


def scored(shields: dict[str, str], **fields: Any) -> dict[str, int]:
    """Return the path after the tribe scoring that the last seat's pass brings."""
    seats = fields.get("seats", ["red", "blue", "black"])
    start = fields.get("start_player", seats[0])
    order_ = seats[seats.index(start) :] + seats[: seats.index(start)]
    path = {seat: 1 + 19 * number + 100 * number for number, seat in enumerate(seats)}
    base = {"scorings_ordered": 1, "to_act": order_[-1], "path": path, "shields": shields}
    return after(document(**(base | fields)), "pass")["path"]


def gains(shields: dict[str, str], **fields: Any) -> dict[str, int]:
    """Return what a tribe scoring earns everybody whose leader stands in nobody's way."""
    seats = fields.get("seats", ["red", "blue", "black"])
    path = scored(shields, **fields)
    return {seat: path[seat] - (1 + 119 * number) for number, seat in enumerate(seats)}
