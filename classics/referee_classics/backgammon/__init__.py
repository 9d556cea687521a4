"""Backgammon without the cube, as one game or a match to some points."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise, permutations
from operator import sub
from typing import Final, TypeAlias

from referee.games.game import (
    MOST_SUGGESTIONS,
    Fact,
    Json,
    Option,
    Order,
    Result,
    Seat,
    View,
    replace,
)
from referee.text import likeness
from referee_classics.backgammon.checkers import (
    BAR,
    OFF,
    PART,
    joined,
    net,
    read_trips,
    write_trips,
)
from referee_classics.classic import Classic
from referee_classics.engine import Listing, NoMove, Reached, State, reach
from referee_classics.position import Chance, Move, Position

CHECKERS: Final = 15
"""Checkers of either side."""

HOME: Final = 6
"""The highest point of the home board."""

ENDINGS: Final = ("single", "gammon", "backgammon")
"""The ways to win a game, by their points less one."""

_PASSES: Final = frozenset({"pass", "passe", "no move", "cannot move", "kein zug"})

_ROLL: Final = re.compile(r"^[1-6]-?[1-6](?: ?: ?(?=\S)| (?=.*/))")
"""The roll before a move: ``42: 8/4 6/4``."""

Leg: TypeAlias = tuple[int, int, bool]

_ENGINE_BAR: Final = 100

_FIRST: Final = ("white ", "black ")
"""The first roll of a game names the one who begins."""


class Backgammon(Classic):
    """Backgammon: each side's points are numbered from its own, and a whole roll is one order."""

    name = "backgammon"
    engine = "backgammon(scoring_type=full_scoring)"
    players: Mapping[Seat, int] = {"white": 0, "black": 1}
    max_orders = 20000
    endings = frozenset(ENDINGS)
    options: Mapping[str, Option] = {
        "length": Option(1, "the points a match is played to; 1 is a single game", least=1, most=15)
    }
    draws = False
    scored = True

    # A match of several games.

    def reached(self, position: Position) -> Reached:
        """Return the engine's state of the game that is on: the next one where one is over."""
        game, won = _games(self.listing, position)
        if not game.state.is_terminal() or max(won) >= _goal(position):
            return game
        return reach(position.rules, "", (), self.listing)

    def points(self, position: Position) -> dict[Seat, int]:
        _, won = _games(self.listing, position)
        return {seat: won[self.players[seat]] for seat in position.seats}

    def result(self, position: Position) -> Result | None:
        state = self.reached(position).state
        if not state.is_terminal():
            return None
        points = self.points(position)
        places = {seat: 1 if won == max(points.values()) else 2 for seat, won in points.items()}
        return Result(self.ending(position), points, places)

    def ending(self, position: Position) -> str:
        return ENDINGS[_worth(self.reached(position).state) - 1]

    # Moves and rolls.

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        if state.is_chance_node():
            return {
                _roll(state.action_to_string(action)): (action,)
                for action, _ in state.chance_outcomes()
            }
        ways: dict[str, tuple[tuple[int, ...], list[Leg]]] = {}
        for action in state.legal_actions():
            after, legs = state.clone(), _legs(state, action)
            after.apply_action(action)
            # A double is two actions, each of two checkers.
            if after.is_chance_node() or after.is_terminal():
                ways.setdefault(str(after), ((action,), legs))
            elif str(after) not in ways:
                ways[str(after)] = (), legs
                for second in after.legal_actions():
                    last = after.clone()
                    last.apply_action(second)
                    if str(last) not in ways:
                        ways[str(last)] = (action, second), legs + _legs(after, second)
        return {_spelled(tuple(legs)): actions for actions, legs in ways.values() if actions}

    def chance(self, position: Position) -> Sequence[tuple[Order, int]]:
        # The engine tells 3-1 from 1-3, and we do not.
        rolls = sorted(self.reached(position).legal)
        return [(Chance(roll), 1 if " " in roll or roll[0] == roll[2] else 2) for roll in rolls]

    def tidy(self, line: str) -> str:
        text = line.lower().translate(str.maketrans("–—−\N{FRACTION SLASH}", "---/"))
        text = re.sub(r"[\s,;&+]+|\b(?:and|und)\b", " ", text)
        text = re.sub(r" *([/*]) *(?=[\d/*boa])", r"\1", " ".join(text.split()))
        return _ROLL.sub("", text, count=1)

    def spellings(self, tidied: str, language: str) -> Iterator[str]:
        if tidied in _PASSES:
            yield "pass"
        trips = read_trips(tidied)
        names_all = re.fullmatch(r"\s*", PART.sub("", tidied))
        legs = [leg for trip in trips for leg in pairwise(trip.points)]
        # Alone, 20-10 is no move, and 1/2 is none: both stand in talk.
        alone = len(legs) == 1 and (legs[0][0] < legs[0][1] or re.fullmatch(r"\d+-\d+", tidied))
        possible = all(start != stop and max(start, stop) <= BAR for start, stop in legs)
        if legs and names_all and possible and not alone:
            yield write_trips(trips)

    def read_outcome(self, tidied: str) -> str | None:
        outcome = re.fullmatch(r"(white |black )?([1-6])-([1-6])", tidied)
        return tidied if outcome and outcome[2] >= outcome[3] else None

    def to_text(self, move: str, language: str) -> str:
        if language != "de":
            return move
        return "passe" if move == "pass" else move.replace("off", "aus")

    def readings(self, position: Position, move: str) -> list[str]:
        legal, trips = self.reached(position).legal, read_trips(move)
        if move in legal:
            return [move]
        if any(start < stop for trip in trips for start, stop in pairwise(trip.points)):
            return []
        same = [text for text in legal if net(read_trips(text)) == net(trips)] if trips else []
        # On the way, a checker hits where it says so or names the point; the rest is asked back.
        named = {point for trip in trips for point in trip.points[1:]}
        meant = [(len(hits), text) for text in same if (hits := _hits(text)) <= named]
        return [text for count, text in meant if count == max(meant)[0]] or same

    def why_not(self, position: Position, move: str) -> tuple[str, dict[str, Json]]:
        player, state = self.players[str(self.to_act(position))], self.reached(position).state
        own, other = place_of(state, player), place_of(state, 1 - player)
        roll = position.moves[-1][-3:]
        dice = dice_of(roll)
        for trip in sorted(read_trips(move), key=lambda trip: -trip.points[0]):
            for start, stop in pairwise(trip.points):
                if start < stop:
                    return "wrong-way", {}
                if own[BAR] and start != BAR:
                    return "must-enter", {}
                if not own[start]:
                    return ("bar-empty", {}) if start == BAR else ("nobody-there", {"point": start})
                own[start] -= 1
                used, code, fields = _with_dice(own, other, start, stop, dice)
                if code:
                    way = write_trips([replace(trip, points=(start, stop))])
                    return code, {"way": way, "roll": roll, **fields}
                own[stop] += 1
                for die in used:
                    dice.remove(die)
        return ("can-move" if move == "pass" else "use-all"), {"roll": roll}

    def nearest(self, position: Position, move: str) -> tuple[Order, ...]:
        """Return the moves that leave most of the written checkers where they were meant to go."""
        wanted = net(read_trips(move))

        def strangeness(text: str) -> tuple[int, float]:
            change = net(read_trips(text))
            return -sum(change.get(point) == n for point, n in wanted.items()), -likeness(
                move, text
            )

        legal = sorted(self.reached(position).legal, key=strangeness)
        return tuple(Move(text) for text in legal[:MOST_SUGGESTIONS])

    # What happened.

    def drawn(self, before: Position, outcome: str, after: Position) -> list[Fact]:
        seat, roll = self.to_act(after), outcome[-3:]
        if not outcome.startswith(_FIRST):
            return [Fact("rolled", {"seat": seat, "roll": roll})]
        high, low = dice_of(roll)
        other = next(other for other in before.seats if other != seat)
        return [Fact("began", {"seat": seat, "other": other, "high": high, "low": low})]

    def told(self, before: Position, move: str, after: Position) -> list[Fact]:
        seat = self.to_act(before)
        facts = (
            [Fact("stuck", {"seat": seat})] if move == "pass" else super().told(before, move, after)
        )
        game, _ = _games(self.listing, after)
        if game.state.is_terminal():
            points, kind = self.points(after), ENDINGS[_worth(game.state) - 1]
            goal = dict(after.options)["length"]
            facts.append(Fact("game-won", {"seat": seat, "kind": kind, "goal": goal, **points}))
        return facts

    def way(self, position: Position, move: str) -> tuple[str, ...]:
        seat = self.to_act(position)
        return tuple(
            space_of(point, str(seat)) for trip in read_trips(move) for point in trip.points
        )

    def board_text(self, position: Position) -> str:
        state = self.reached(position).state
        sides: list[str] = []
        for seat, player in self.players.items():
            place = sorted(place_of(state, player).items(), reverse=True)
            sides.append(" ".join((seat, *(f"{point}:{count}" for point, count in place if count))))
        return ", ".join(sides)

    def view(self, position: Position, seat: Seat | None) -> View:
        document = super().view(position, seat).document
        return View(seat, {**document, "points": dict(self.points(position))})


def dice_of(roll: str) -> list[int]:
    """Return the dice of a roll such as ``3-1``: four of a double."""
    high, low = int(roll[-3]), int(roll[-1])
    return [high] * 4 if high == low else [high, low]


def place_of(state: State, player: int) -> Counter[int]:
    """Return how many checkers of one of the engine's players stand on each point of theirs."""
    place = Counter({BAR: state.board(player, _ENGINE_BAR)})
    for at in range(24):
        place[at + 1 if player else 24 - at] = state.board(player, at)
    place[OFF] = CHECKERS - place.total()
    return place


def space_of(point: int, seat: Seat) -> str:
    """Return the space of the board that a seat's point is: those of White bear their numbers."""
    if point in {BAR, OFF}:
        return f"{seat}-{'bar' if point == BAR else 'off'}"
    return str(point if seat == "white" else BAR - point)


def _with_dice(
    own: Mapping[int, int], other: Mapping[int, int], start: int, stop: int, dice: Sequence[int]
) -> tuple[tuple[int, ...], str, dict[str, Json]]:
    """Return the dice that take a checker from one point to another, or why none do."""
    code, fields = "not-rolled", dict[str, Json]()
    orders = {used for number in range(len(dice)) for used in permutations(dice, number + 1)}
    for used in sorted(orders, key=lambda used: (len(used), used)):
        *between, last = accumulate(used, sub, initial=start)
        rear = max(point for point, n in {**own, between[-1]: 1}.items() if n)
        if last != stop and not (stop == OFF and last < OFF < between[-1]):
            continue
        held = [point for point in (*between[1:], last) if point > OFF and other[BAR - point] > 1]
        if held:
            code, fields = "blocked", {"point": held[0], "count": other[BAR - held[0]]}
        elif stop == OFF and rear > HOME:
            code, fields = "not-home", {"point": rear}
        elif last < OFF and rear > between[-1]:
            code, fields = "rear-first", {"point": rear}
        else:
            return used, "", {}
    return (), code, fields


def _games(listing: Listing, position: Position) -> tuple[Reached, tuple[int, int]]:
    """Return the last game of a match, over or not, and the points of White and of Black."""
    moves = position.moves
    first = next((at for at in range(len(moves) - 1, 0, -1) if moves[at].startswith(_FIRST)), 0)
    won = _won(listing, replace(position, moves=moves[:first])) if first else (0, 0)
    game = reach(position.rules, "", moves[first:], listing)
    if game.state.is_terminal():
        white, black = game.state.returns()
        won = won[0] + max(0, int(white)), won[1] + max(0, int(black))
    return game, won


@lru_cache(maxsize=1000)
def _won(listing: Listing, position: Position) -> tuple[int, int]:
    """Return the points after a game of a match that goes on. Raises NoMove where it does not."""
    game, won = _games(listing, position)
    if not game.state.is_terminal() or max(won) >= _goal(position):
        raise NoMove(len(position.moves), "a first roll")
    return won


def _worth(state: State) -> int:
    """Return the points of a game that is over."""
    return int(max(state.returns()))


def _goal(position: Position) -> int:
    return int(dict(position.options)["length"])


def _legs(state: State, action: int) -> list[Leg]:
    """Return where the checkers of one of the engine's actions go, and whether they hit there."""
    player = state.current_player()
    steps = state.augment_with_hit_info(player, state.spiel_move_to_checker_moves(player, action))
    legs: list[Leg] = []
    for step in steps:
        if step.pos >= 0:
            point = step.pos + 1 if player else 24 - step.pos
            start = BAR if step.pos == _ENGINE_BAR else point
            legs.append((start, max(OFF, start - step.num), step.hit))
    return legs


@lru_cache(maxsize=20_000)
def _spelled(legs: tuple[Leg, ...]) -> str:
    """Return the steps of a roll in their one spelling; few of them are new."""
    hits = frozenset(stop for _, stop, hit in legs if hit)
    return write_trips(joined([leg[:2] for leg in legs], hits)) or "pass"


def _roll(text: str) -> str:
    """Return a roll as players write it, of the engine's text."""
    low, high = sorted(re.findall(r"[1-6]", text.rpartition("roll:")[2]))
    first = _FIRST["O starts" in text] if "starts" in text else ""
    return f"{first}{high}-{low}"


def _hits(text: str) -> frozenset[int]:
    return frozenset(point for trip in read_trips(text) for point in trip.hits)


GAME: Final = Backgammon()
