"""Backgammon without the cube, as one game or a match to some points."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise, permutations
from operator import sub
from typing import Final

from referee.games.game import FileFormat, View
from referee.games.scene import Called, Cell, Mark, Place, Scene, Track
from referee.games.values import Fact, Json, Order, Sentence
from referee.text import likeness
from referee_classics.above import Grounds, panels_of, plain_scene
from referee_classics.backgammon.checkers import BAR, OFF, Ways, dice_of, listing, place_of
from referee_classics.backgammon.mat import read_mat, write_mat
from referee_classics.classic import Chance, Move, Position, Why
from referee_classics.data import patterns, signs_by_word, whole
from referee_classics.series import Series

_WAYS: Final = patterns(__name__, "patterns")["ways"]

_CHECKERS: Final = {
    seat: Mark(letter, "checker", seat, "stone")
    for seat, letter in (("white", "O"), ("black", "X"))
}


class Backgammon(Series):
    """Backgammon: each side's points are numbered from its own, and a whole roll is one order.

    ``spaces`` are the spaces as their reader sees them; bar and place of the other side have a
    capital. Rolling and doubling are no moves here, and are answered so.
    """

    listing = staticmethod(listing)
    said = signs_by_word(__name__, "said")
    files: Mapping[str, FileFormat] = {"mat": FileFormat("text/plain", write_mat, read_mat)}
    spaces: Sequence[str]
    grounds: Grounds

    # A match of several games.

    def gained(self, position: Position) -> Sequence[int]:
        returns = self.reached(position).state.returns()
        return [max(0, int(returns[self.players[seat]])) for seat in position.seats]

    def ending(self, position: Position) -> str:
        won = int(max(self.reached(position).state.returns()))
        return ("single", "gammon", "backgammon")[won - 1]

    # Moves and rolls.

    def chance(self, position: Position) -> Sequence[tuple[Order, int]]:
        # The engine tells 3-1 from 1-3, and we do not.
        rolls = sorted(self.reached(position).legal)
        return [(Chance(roll), 1 if " " in roll or roll[0] == roll[2] else 2) for roll in rolls]

    def parse(self, line: str, language: str) -> Order:
        # Before the number of a roll could be taken for that of a list.
        roll = whole(__name__, "{roll}")
        return super().parse(re.sub(roll, r"\1\3-\2\4: ", line), language)

    def spellings(self, tidied: str, language: str) -> Iterator[str]:
        roll = "".join(re.findall("^(?:[1-6]-[1-6]|double): ", tidied))
        tidied = tidied.removeprefix(roll)
        ways, rest = Ways.read(tidied), _WAYS.sub("", tidied)
        steps = [(start, stop) for way in ways for (start, _), (stop, _) in pairwise(way)]
        # Alone, 20-10 is no move, nor is 1/2: both stand in talk.
        alone = len(steps) == 1 and (steps[0][0] < steps[0][1] or re.fullmatch(r"\d+-\d+", tidied))
        possible = all(OFF < start <= BAR and start != stop < BAR for start, stop in steps)
        written = str(ways)
        # No roll takes five checkers the same way.
        readable = not (rest + _WAYS.sub("", written)).strip()
        if steps and readable and possible and not alone:
            yield f"{roll}{written}"

    def read_outcome(self, tidied: str) -> str | None:
        return tidied if re.fullmatch(r"(white |black )?[1-6]-[1-6]", tidied) else None

    def to_text(self, move: str, language: str) -> str:
        text = super().to_text(move, language)
        return text.replace("off", "aus") if language == "de" else text

    def readings(self, position: Position, move: str) -> list[str]:
        roll, _, move = move.rpartition(": ")
        legal, ways = self.reached(position).legal, Ways.read(move)
        if roll and not _is_roll(roll, position.moves[-1][-3:]):
            return []
        if move in legal:
            return [move]
        if any(start < stop for way in ways for (start, _), (stop, _) in pairwise(way)):
            return []
        change = ways.net
        same = [text for text in legal if ways and Ways.read(text).net == change]
        # A checker hits on its way where the point is named; otherwise it goes the other way round.
        named = {point for way in ways for point, _ in way[1:]}
        hits = {text: Ways.read(text).hits for text in same}
        if ways.hits - set().union(*hits.values()):
            # The sign stands at the end of a way that hits before it: 11/6* for 11/7*/6.
            return [text for text in same if hits[text]] or same
        most = max((len(hits[text]) for text in same if hits[text] <= named), default=0)
        meant = [text for text in same if hits[text] <= named and len(hits[text]) == most]
        # Whoever names where a checker stops on its way does not mean that it stops elsewhere.
        return meant or ([] if any(len(way) > 2 for way in ways) else same)

    def why_not(self, position: Position, move: str) -> Why:
        player, state = self.players[str(self.to_act(position))], self.reached(position).state
        own, there, other = (place_of(state, side) for side in (player, player, 1 - player))
        roll = position.moves[-1][-3:]
        dice, written = dice_of(roll), move.rpartition(": ")[0]
        if move in {"roll", "double"} or (written == "double" and not _is_roll(written, roll)):
            return f"no-{written or move}", {"roll": roll}
        if written and not _is_roll(written, roll):
            return "other-roll", {"written": written, "roll": roll}
        for way in sorted(Ways.read(move), key=lambda way: -way[0][0]):
            for step in pairwise(way):
                (start, _), (stop, _) = step
                if start < stop:
                    return "wrong-way", {}
                if own[BAR] and start != BAR:
                    return "must-enter", {}
                if not own[start] and there[start]:
                    return "too-few", {"point": start, "n": there[start]}
                if not own[start]:
                    return ("bar-empty", {}) if start == BAR else ("nobody-there", {"point": start})
                own[start] -= 1
                used, code, fields = _with_dice(own, other, start, stop, dice)
                if code:
                    return code, {"way": str(Ways([step])), "roll": roll, **fields}
                own[stop] += 1
                for die in used:
                    dice.remove(die)
        return ("can-move" if move == "pass" else "use-all"), {"roll": roll}

    def nearest(self, position: Position, move: str) -> list[str]:
        """Return the moves that leave most of the written checkers where they were meant to go."""
        wanted = Ways.read(move).net

        def strangeness(text: str) -> tuple[int, float]:
            change = Ways.read(text).net
            return -sum(change[point] == n for point, n in wanted.items()), -likeness(move, text)

        return sorted(self.reached(position).legal, key=strangeness)

    # What happened, and the board.

    def drawn(self, before: Position, outcome: str, after: Position) -> list[Fact]:
        seat, roll = self.to_act(after), outcome[-3:]
        if " " not in outcome:
            return [Fact("rolled", {"seat": seat, "roll": roll})]
        (other,), (high, low) = {*before.seats} - {seat}, dice_of(roll)
        return [Fact("began", {"seat": seat, "other": other, "high": high, "low": low})]

    def told(self, before: Position, move: str, after: Position) -> list[Fact]:
        facts, seat = super().told(before, move, after), self.to_act(before)
        if move == "pass":
            facts = [Fact("stuck", {"seat": seat})]
        if self.reached(after).state.is_terminal():
            ended = {"seat": seat, "kind": self.ending(after), "goal": self.target(after)}
            facts.append(Fact("game-won", {**ended, **self.points(after)}))
        return facts

    def clicks(self, view: View, order: Order) -> tuple[str, ...]:
        ways = Ways.read(order.move) if isinstance(order, Move) else ()
        return tuple(_space(point, own=True) for way in ways for point, _ in way)

    def board_text(self, position: Position) -> str:
        state = self.reached(position).state
        sides: list[str] = []
        for seat, player in self.players.items():
            place = sorted(place_of(state, player).items(), reverse=True)
            sides.append(" ".join((seat, *(f"{point}:{count}" for point, count in place if count))))
        return ", ".join(sides)

    def scene(self, view: View) -> Scene:
        position, reader = self.seen(view), view.seat or "white"
        state, actor = self.reached(position).state, self.to_act(position) or ""
        places = {seat: place_of(state, player) for seat, player in self.players.items()}
        here: dict[str, tuple[Mark, ...]] = {}
        for seat, place in places.items():
            for point, count in place.items():
                space = _space(point, own=seat == reader)
                here[space] = here.get(space, ()) + (_CHECKERS[seat],) * count
        cells: list[Cell] = []
        for number, space in enumerate(self.spaces):
            ground = ("light", "dark")[int(space) % 2] if space.isdigit() else space.lower()
            sign = "." if space.isdigit() else "|" if ground == "bar" else " "
            owner = reader if space.islower() else next(seat for seat in places if seat != reader)
            called = None if space.isdigit() else Called(ground, owner)
            marks, spot = here[space], divmod(number, 14)
            cells.append(Cell(space, *spot, ground, sign, marks, called=called))
        rolled, race, tracks = list[Sentence](), list[Sentence](), list[Track]()
        if actor in places:
            roll = position.moves[-1][-3:]
            rolled.append(Sentence("roll", {"seat": actor, "roll": roll}, pending=True))
            dice = tuple(Place(die, (_CHECKERS[actor],)) for die in roll.split("-"))
            tracks.append(Track("dice", "roll", dice))
        for seat, place in places.items():
            pips = sum(point * count for point, count in place.items())
            race.append(Sentence("pips", {"seat": seat, "pips": pips, "off": place[OFF]}))
            if place[BAR]:
                race.append(Sentence("barred", {"seat": seat, "count": place[BAR]}))
        if (goal := self.target(position)) > 1:
            race.append(Sentence("match", {"goal": goal}))
        return plain_scene(
            cells, self.grounds, tracks=tuple(tracks), tall=5,
            panels=panels_of(roll=rolled, race=race),
            legend=tuple((mark.letter, "seat", seat) for seat, mark in _CHECKERS.items()),
            row_names=("", ""),
            column_names=tuple(space if space.isdigit() else "" for space in self.spaces),
        )  # fmt: skip


def _with_dice(
    own: Mapping[int, int], other: Mapping[int, int], start: int, stop: int, dice: Sequence[int]
) -> tuple[tuple[int, ...], str, dict[str, Json]]:
    """Return the dice that take a checker from one point to another, or why none do."""
    code, fields = "not-rolled", dict[str, Json]()
    sequences = {used for number in range(len(dice)) for used in permutations(dice, number + 1)}
    for used in sorted(sequences, key=lambda used: (len(used), used)):
        *between, last = accumulate(used, sub, initial=start)
        rear = max(point for point, n in {**own, between[-1]: 1}.items() if n)
        if last != stop and not (stop == OFF and last < OFF < between[-1]):
            continue
        held = [point for point in (*between[1:], last) if point > OFF and other[BAR - point] > 1]
        # The home board ends with point 6.
        if stop == OFF and rear > 6:
            code, fields = "not-home", {"point": rear}
        elif held:
            code, fields = "blocked", {"point": held[0], "count": other[BAR - held[0]]}
        elif last < OFF and rear > between[-1]:
            code, fields = "rear-first", {"point": rear}
        else:
            return used, "", {}
    return (), code, fields


def _is_roll(written: str, roll: str) -> bool:
    """Return whether a roll is the one that was written before a move, if only as a double."""
    return roll[0] == roll[2] if written == "double" else sorted(written) == sorted(roll)


def _space(point: int, *, own: bool) -> str:
    """Return the space of a point as the reader names it, of whom or of the other side it is."""
    if point in {BAR, OFF}:
        name = "bar" if point == BAR else "off"
        return name if own else name.capitalize()
    return str(point if own else BAR - point)


GAME: Final = Backgammon("backgammon")
