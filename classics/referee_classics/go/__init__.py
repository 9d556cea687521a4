"""Go on boards of 9, 13 and 19 lines, with handicap, and dead stones agreed upon by both."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from math import isqrt
from typing import Final

from referee.games.game import BadDocument, FileFormat, Options, View, replace
from referee.games.notation import bare
from referee.games.scene import Figure, Mark, Scene
from referee.games.values import Fact, Json, Order, Seat, Sentence
from referee.value import Value
from referee_classics.above import WOOD, from_above, panels_of
from referee_classics.classic import Classic, Move, Position, Reached, State, Why, reach
from referee_classics.data import data, patterns, signs_by_word
from referee_classics.go.points import LETTERS, STARS, Signs, apart, handicap_points, sgf_point
from referee_classics.go.sgf import read_sgf, write_sgf

MOST_RESUMED: Final = 2
"""Times that play may go on after both have passed; then all stones count as alive."""

MOST_SPOKEN: Final = 6
"""Turns in which dead stones may be talked about; then play goes on."""

MOST_MARKED: Final = 2
"""Times that stones may be marked in one such turn: it may be taken back."""

_PATTERNS: Final = patterns(__name__, "patterns")
_SAID: Final = signs_by_word(__name__, "said")
_MARKED: Final = signs_by_word(__name__, "marked")
_BESIDE: Final = data(__name__)["beside"]

SEATS: Final[Mapping[str, Seat]] = {"X": "black", "O": "white"}


class Talk(Value):
    """How far a game has come: the moves of stones, and the talk about dead ones behind them.

    ``counting``: both have passed; ``dead`` are the first points of the chains that are marked
    dead, ``marked`` of those that were marked in this turn, and ``agreed`` says that both agree
    with the marks; ``spoke`` counts the turns of this talk.
    """

    played: tuple[str, ...]
    counting: bool
    dead: tuple[str, ...]
    marked: tuple[str, ...]
    agreed: bool
    spoke: int
    resumed: int


def board_of(state: State) -> Signs:
    """Return the engine's board."""
    rows = re.findall(r"^ *(\d+) ([+XO]+)$", str(state), re.MULTILINE)
    return Signs((f"{LETTERS[x]}{y}", sign) for y, signs in rows for x, sign in enumerate(signs))


class Go(Classic):
    """Go by area or territory; no position of the whole board may come back."""

    @property
    def files(self) -> Mapping[str, FileFormat]:
        media = "application/x-go-sgf"
        return {"sgf": FileFormat(media, partial(write_sgf, self), partial(read_sgf, self))}

    def size(self, position: Position) -> int:
        return int(str(dict(position.options)["size"]).partition("x")[0])

    def komi(self, options: Options) -> str:
        """Return the points of White for moving second, few beside handicap stones."""
        usual = "0.5" if options["handicap"] else "6.5"
        return usual if options["komi"] == "usual" else str(options["komi"])

    def parameters(self, options: Options) -> str:
        size = int(str(options["size"]).partition("x")[0])
        return f"go(board_size={size},komi=0.5,max_game_length={3 * size * size})"

    def check_start(self, position: Position) -> None:
        options, most = dict(position.options), len(STARS[self.size(position)])
        if int(options["handicap"]) > most:
            told = f"a board of {options['size']} has points for {most} handicap stones"
            raise BadDocument("$.options.handicap", told)

    # Moves.

    def spell(self, state: State, action: int) -> str:
        text: str = state.action_to_string(action).split()[1]
        return "pass" if text == "PASS" else text.upper()

    def spellings(self, tidied: str, language: str) -> Iterator[str]:
        first, _, rest = tidied.partition(" ")
        if tidied.casefold() in _SAID:
            yield _SAID[tidied.casefold()]
        if first in self.colours and " " not in rest:
            yield from (f"{first} {move}" for move in self.spellings(rest, language))
        # The verb may be said again behind the stone: “dead: C7 is dead, too”.
        beside = {*_BESIDE, *data(__name__)["being"]}
        words = [word for word in re.split(r"[\s,:]+", tidied.casefold()) if word not in beside]
        marks = {_MARKED[word] for word in words if word in _MARKED}
        points = [word.upper() for word in words if word not in _MARKED]
        if first.casefold() in _MARKED and len(marks) == len(points) == 1:
            yield from (
                f"{mark} {points[0]}" for mark in marks if _PATTERNS["point"].fullmatch(points[0])
            )
        if _PATTERNS["point"].fullmatch(tidied):
            yield tidied.upper()
        if _PATTERNS["sgf"].fullmatch(tidied):
            yield tidied[-4:]
        if _PATTERNS["none_dead"].fullmatch(tidied):
            yield "all alive"

    def parts(self, line: str) -> list[str]:
        """Return the points that a line marks, and its “done”, as lines of one each."""
        mark, before, marked, turned = "", list[str](), list[str](), False
        words = re.split(r"[.!]?[\s,:;]+", bare(line))
        for word in words:
            if word.casefold() in _MARKED:
                # Two marks of one stone say nothing.
                if word is words[-1] and not before:
                    return [line]
                # “Dead C7, and E5 alive”: what is said behind E5 is not what stands before it.
                if mark and not before and _MARKED[mark.casefold()] != _MARKED[word.casefold()]:
                    turned = True
                mark = word
                marked += [f"{mark} {point}" for point in before]
                before = []
            elif _PATTERNS["point"].fullmatch(word):
                turned = False
                (marked if mark else before).append(f"{mark} {word}".strip())
            elif marked and not turned and _SAID.get(word.casefold()) == "done":
                marked.append(word)
            elif word.casefold() not in _BESIDE:
                return [line]
        # Of stones that are dead people speak at any time: “C7 dead” alone marks none.
        first = next((word for word in words if word.casefold() not in _BESIDE), "")
        sure = first.casefold() in _MARKED or marked[-1:] == words[-1:]
        return marked if marked and not before and not turned and sure else [line]

    def readings(self, position: Position, move: str) -> list[str]:
        size, talk = self.size(position), self.talk(position)
        if move == "all alive" and talk.counting and not talk.dead:
            return ["done"]
        word, _, point = move.rpartition(" ")
        point = _named(point, size)
        if word == self.to_act(position):
            # Whose move it is goes without saying.
            return self.readings(position, point)
        if word and point in self.stones(position):
            point = _first(self.signs(position).region(point))
        meant = f"{word} {point}".strip()
        return [meant] if meant in self.standing(position) else super().readings(position, meant)

    def standing(self, position: Position) -> list[str]:
        """Return the marks that stand already: they may be said again and change nothing.

        Whoever lists stones need not know which hang together, nor what the other has said.
        """
        talk = self.talk(position)
        chains = self.signs(position).regions("XO") if talk.marked else ()
        firsts = sorted(map(_first, chains), key=_place)
        alive = [f"alive {first}" for first in firsts if first not in talk.dead]
        return [*(f"dead {first}" for first in dict.fromkeys(talk.dead)), *alive]

    def orders(self, position: Position) -> Sequence[Order]:
        return [*super().orders(position), *map(Move, self.standing(position))]

    def apply(self, position: Position, order: Order) -> tuple[Position, tuple[Fact, ...]]:
        standing = [*map(Move, self.standing(position))]
        if standing and self.canonical(position, order) in standing:
            return position, ()
        return super().apply(position, order)

    @lru_cache(maxsize=512)  # noqa: B019 - a game lives as long as the program
    def talk(self, position: Position) -> Talk:
        points = handicap_points(self.size(position), int(dict(position.options)["handicap"]))
        played = [move for point in points for move in (point, "pass")][:-1]
        passes = resumed = spoke = 0
        dead, marked = list[str](), list[str]()
        content = agreed = False
        for move in position.moves:
            word, _, point = move.partition(" ")
            if move == "all alive":
                marked, dead, content = [*marked, *dead], [], False
            elif word in {"dead", "alive"}:
                dead = [*dead, point] if word == "dead" else [one for one in dead if one != point]
                marked, content = [*marked, point], False
            elif word == "done":
                marked, content, agreed, spoke = [], True, content, spoke + 1
            elif word != "resume":
                passes = passes + 1 if move == "pass" else 0
                played.append(move)
            if word == "resume" or (spoke == MOST_SPOKEN and not agreed):
                # Who was to act when both had passed goes on.
                del played[-2:]
                dead, marked, content, passes, spoke, resumed = [], [], False, 0, 0, resumed + 1
        return Talk(tuple(played), passes == 2, tuple(dead), tuple(marked), agreed, spoke, resumed)

    def reached(self, position: Position) -> Reached:
        talk = self.talk(position)
        reached = reach(position.rules, "", talk.played, self.listing)
        if talk.counting:
            said = self.marks(talk, board_of(reached.state))
            reached = Reached(reached.state, self.listing)
            reached.legal = dict.fromkeys(said, ())
        return reached

    def marks(self, talk: Talk, board: Signs) -> list[str]:
        """Return the orders about the stones that there are when both have passed."""
        chains = sorted(map(_first, board.regions("XO")), key=_place)
        free = [first for first in chains if talk.marked.count(first) < MOST_MARKED]
        said = [f"{'alive' if first in talk.dead else 'dead'} {first}" for first in free]
        if talk.dead and {*talk.dead} <= {*free}:
            said.append("all alive")
        return ["done", *said, *(["resume"] if talk.resumed < MOST_RESUMED else [])]

    def consent(self, position: Position) -> Order | None:
        # A first yes answers nothing: whoever says it may not have thought of dead stones.
        return Move("done") if self.talk(position).spoke else None

    def signs(self, position: Position) -> Signs:
        return board_of(self.reached(position).state)

    def stones(self, position: Position) -> dict[str, str]:
        return {point: sign for point, sign in self.signs(position).items() if sign != "+"}

    def to_act(self, position: Position) -> Seat | None:
        talk = self.talk(position)
        if not talk.counting:
            return super().to_act(position)
        if talk.agreed or talk.resumed == MOST_RESUMED:
            return None
        return self.colours[(len(talk.played) + talk.spoke) % 2]

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        stars = STARS[isqrt(state.num_distinct_actions())]
        # The engine lets a whole board come back, and ends the game by it. A stone does so only
        # where one stood before.
        stood = {self.spell(state, action) for action in state.history()} | {*stars}
        legal = {
            move: actions
            for move, actions in super().listing(state).items()
            if move == "pass" or move not in stood or not _comes_back(state, *actions)
        }
        # A star point and passing come first, as examples of a mail.
        free = next((point for point in legal if point != "pass"), "pass")
        star, *others = [point for point in stars if point in legal] or [free]
        return {move: legal[move] for move in (star, "pass", *others, *legal) if move in legal}

    def nearest(self, position: Position, move: str) -> list[str]:
        """Return the nearest moves.

        While dead stones are talked about none are named but the written ones, and those only as
        what was written, or as dead.
        """
        legal, point = self.reached(position).legal, _named(move, self.size(position))
        # Whoever counts the I, too, means the line behind it, or the one before.
        point = point.replace("I", "J")
        if self.talk(position).counting:
            word, _, point = move.rpartition(" ")
            stones = self.signs(position).region(point) if point in self.stones(position) else ()
            mark = word if word in _MARKED.values() else "dead"
            near = [*(f"{mark} {stone}" for stone in stones), "done", "resume"]
            return [other for other in near if other in legal]
        said = " " in move or move in {"done", "resume"}
        first = ["pass"] if said else []
        if point in self.signs(position):
            points = [other for other in legal if other != "pass"]
            first = sorted(points, key=lambda other: apart(point, other))
        return [*dict.fromkeys([*first, *super().nearest(position, move)])]

    def why_not(self, position: Position, move: str) -> Why:
        size, talk, board = self.size(position), self.talk(position), self.signs(position)
        word, _, point = move.rpartition(" ")
        if word == self.to_act(position):
            return self.why_not(position, point)
        named = _named(point, size)
        if _PATTERNS["point"].fullmatch(named) and named not in board:
            return "no-such-point", {"point": named, "size": size, "last": LETTERS[size - 1]}
        if word in self.colours:
            return ("counting", {}) if talk.counting else ("other-colour", {"seat": word})
        if move == "all alive" and talk.counting:
            return "marked-often", {"move": move}
        if word or move in {"done", "resume"}:
            if not talk.counting:
                return "not-counting", {"move": move}
            if word and board.get(point, "+") == "+":
                return "no-stone", {"point": point}
            often = talk.marked.count(point) == MOST_MARKED
            return "marked-often" if often else "marked", {"move": move}
        if talk.counting:
            return "counting", {}
        point = named
        if board[point] != "+":
            return "occupied", {"point": point, "seat": SEATS[board[point]]}
        own, other = ("X", "O") if self.to_act(position) == "black" else ("O", "X")
        there = Signs(board, **{point: own})
        near = [stone for stone in there.beside(point) if there[stone] == other]
        lives = there.breathes(point) or not all(map(there.breathes, near))
        return ("ko" if lives else "suicide"), {"point": point}

    # What happened.

    def told(self, before: Position, move: str, after: Position) -> list[Fact]:
        seat, (word, _, point) = self.to_act(before), move.partition(" ")
        if word in {"dead", "alive", "all"}:
            firsts = self.talk(before).dead if word == "all" else (point,)
            chains = sorted(self.signs(before).region(*firsts), key=_place)
            told = "marked-dead" if word == "dead" else "marked-alive"
            return [Fact(told, {"seat": seat, "points": [*chains]})]
        if word in {"done", "resume", "pass"}:
            facts = [Fact("passed" if word == "pass" else word, {"seat": seat})]
            if word == "pass" and self.talk(after).counting and self.to_act(after) is not None:
                facts.append(Fact("both-passed", {}))
            if word == "done" and not self.talk(after).counting:
                facts.append(Fact("not-agreed", {"turns": MOST_SPOKEN}))
        else:
            stones, left = self.stones(before), self.stones(after)
            facts = [Fact("moved", {"seat": seat, "move": move, "spaces": [move]})]
            if taken := sorted(stones.keys() - left.keys(), key=_place):
                fields: dict[str, Json] = {"points": [*taken], "count": len(taken)}
                facts.append(Fact("captured", {"seat": seat, **fields}))
        if self.to_act(after) is None:
            score = {seat: f"{points:g}" for seat, points in self.score(after).items()}
            facts.append(Fact("counted", {**score, "margin": self.margin(after)}))
        return facts

    # The count.

    def score(self, position: Position) -> dict[Seat, float]:
        """Return the score as the stones stand, those marked dead taken off; komi has halves."""
        board, talk, options = self.signs(position), self.talk(position), dict(position.options)
        alive = Signs(board, **dict.fromkeys(board.region(*talk.dead), "+"))
        own: dict[Seat, float] = {"black": 0.0, "white": float(self.komi(options))}
        for empty in alive.regions("+"):
            edges = {alive[edge] for point in empty for edge in alive.beside(point)} - {"+"}
            if len(edges) == 1:
                own[SEATS[edges.pop()]] += len(empty)
        if options["count"] == "area":
            more = Counter(SEATS[sign] for sign in alive.values() if sign in SEATS)
        else:
            # Stones that are dead on the board are prisoners, too.
            more = self.prisoners(talk, alive)
        return {seat: points + more[seat] for seat, points in own.items()}

    def margin(self, position: Position) -> str:
        """Return by how much who has won, as players write it: ``W+6.5``; empty for nobody."""
        score = self.score(position)
        lead = score["black"] - score["white"]
        return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else ""

    def prisoners(self, talk: Talk, board: Signs) -> Counter[Seat]:
        """Return the prisoners of each seat: the other's stones that do not stand any more."""
        standing = Counter(board.values())
        black, white = (
            sum(move != "pass" for move in talk.played[first::2]) - standing[sign]
            for first, sign in enumerate("XO")
        )
        return Counter({"white": black, "black": white})

    def points(self, position: Position) -> Mapping[Seat, int]:
        return {seat: int(score) for seat, score in self.score(position).items()}

    def gains(self, position: Position) -> Mapping[Seat, float]:
        return self.score(position)

    def ending(self, position: Position) -> str:
        return "counted" if self.talk(position).counting else "long"

    def board_text(self, position: Position) -> str:
        signs, size = "".join(self.signs(position).values()), self.size(position)
        return "/".join(signs[row : row + size] for row in range(0, size * size, size))

    def scene(self, view: View) -> Scene:
        position = self.seen(view)
        size, board, talk = self.size(position), self.signs(position), self.talk(position)
        dead = board.region(*talk.dead)

        def marks(point: str) -> tuple[Mark, ...]:
            sign = board[point]
            if point in dead:
                return (Mark(sign.lower(), "dead", SEATS[sign], Figure(*data(__name__)["dead"])),)
            return (Mark(sign, "stone", SEATS[sign], "stone"),) if sign in SEATS else ()

        rows = [str(row) for row in range(size, 0, -1)]
        scene = from_above(LETTERS[:size], rows, {"point": WOOD}, marks)
        stars = STARS[size]
        cells = tuple(replace(cell, sign=".+"[cell.space in stars]) for cell in scene.cells)
        score = {seat: f"{points:g}" for seat, points in self.score(position).items()}
        told = Sentence("score", {**score, "marking": self.to_act(position) is not None})
        played = [
            move for move in position.moves if move == "pass" or _PATTERNS["point"].fullmatch(move)
        ]
        panels = panels_of(
            prisoners=[Sentence("prisoners", {**self.prisoners(talk, board)})],
            score=[told] if talk.counting else [],
            moves=[Sentence("last-moves", {"moves": [*played[-8:]]})] if played else [],
        )
        legend = [("X", "seat", "black"), ("O", "seat", "white")]
        legend += [("x/o", "mark", "dead")] if dead else []
        return replace(scene, cells=cells, panels=panels, legend=tuple(legend), lattice="crossings")


def _comes_back(state: State, action: int) -> bool:
    """Return whether a stone brings back a board; the engine ends a game also when it is long."""
    after = state.clone()
    after.apply_action(action)
    return bool(after.is_terminal()) and len(after.history()) < state.get_game().max_game_length()


def _named(point: str, size: int) -> str:
    """Return the point that a text names; one in brackets by the letters of SGF."""
    if point.startswith("["):
        return sgf_point(point[1:3], size)
    return f"{LETTERS[size // 2]}{size // 2 + 1}" if point == "tengen" else point


def _place(point: str) -> tuple[str, int]:
    return point[0], int(point[1:])


def _first(chain: set[str]) -> str:
    return min(chain, key=_place)


GAME: Final = Go("go")
