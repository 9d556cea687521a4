"""Matches as text in the form of Jellyfish (``.mat``), which other programs of backgammon read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from referee.games.game import BadDocument, Result, Transcript
from referee_classics.backgammon.checkers import FIRST, Ways, listing
from referee_classics.classic import reach
from referee_classics.data import data, patterns

SEATS: Final = ("white", "black")

MARGIN: Final = 34
"""Columns before what the second player did."""

_SAID: Final = patterns("referee_classics.backgammon", "mat")


def write_mat(transcript: Transcript) -> str:
    """Return a match as text."""
    goal, orders, won = int(transcript.options["length"]), transcript.orders, [0, 0]
    engine = data("referee_classics.backgammon")["backgammon"]["engine"]
    # In columns of their own, with a colon behind each.
    names = [
        name.replace(":", " ").strip(" –")[: MARGIN - 8].rstrip() or seat.capitalize()
        for seat in SEATS
        for name in [transcript.players.get(seat, "")]
    ]
    lines = [f" {goal} point match"]
    begins = [number for number, order in enumerate(orders) if order.startswith(FIRST)]
    for game, (begin, end) in enumerate(zip_longest(begins, begins[1:])):
        left, right = (f"{name} : {points}" for name, points in zip(names, won, strict=True))
        lines += ["", f" Game {game + 1}", f" {left:<{MARGIN - 1}}{right}"]
        played = orders[begin:end]
        turns = [""] if played[0].startswith("black") else []
        for roll, move in zip(played[::2], played[1::2], strict=False):
            steps = " ".join(str(Ways([way])) for way in Ways.read(move)) or "Cannot Move"
            turns.append(f"{roll[-3]}{roll[-1]}: {steps}")
        for number in range(0, len(turns), 2):
            first, second = (*turns[number : number + 2], "")[:2]
            lines.append(f"{number // 2 + 1:3}) {first:<{MARGIN - 6}} {second}".rstrip())
        state = reach(engine, "", played, listing).state
        winner, gained = max(enumerate(map(int, state.returns())), key=lambda won: won[1])
        places = transcript.result.places if transcript.result else {}
        if not state.is_terminal() and len(set(places.values())) > 1:
            # Whoever resigns gives the match away.
            winner = 0 if places["white"] == 1 else 1
            gained = goal - won[winner]
        won[winner] += gained
        if gained:
            margin = " " * (MARGIN if winner else 6)
            lines.append(f"{margin}Wins {gained} point{'s' * (gained > 1)}")
    return "\n".join((*lines, ""))


def read_mat(text: str) -> Iterator[Transcript]:
    """Yield the match of a text. Raises BadDocument where there is none, or one with the cube."""
    length = re.search(r"^[ \t]*(\d+) point match", text, re.MULTILINE)
    _, *games = re.split(r"^[ \t]*Game \d+.*$", text, flags=re.MULTILINE)
    if length is None or not games:
        raise BadDocument("$", "must say “5 point match” and “Game 1”")
    options = {"length": max(1, int(length[1]))}
    orders, places, result, players = list[str](), list[str](), None, dict[str, str]()
    for number, game in enumerate(games, start=1):
        lines = [line for line in game.expandtabs().splitlines() if line.strip()]
        names = _SAID["players"].fullmatch(lines[0]) if lines else None
        if names is None:
            raise BadDocument("$", f"game {number}: must begin with both players and their points")
        players, turn = {"white": names[1], "black": names[3]}, 0
        for line in lines[1:]:
            place = f"game {number}, move {turn // 2 + 1}"
            if cube := _SAID["cube"].search(line):
                raise BadDocument("$", f"{place}: {cube[1]}: here it is played without the cube")
            if wins := re.search(r"Wins (\d+) point", line):
                winner = 0 if wins.start() < MARGIN // 2 else 1
                seats = (SEATS[winner], SEATS[1 - winner])
                if int(names[4 if winner else 2]) + int(wins[1]) >= options["length"]:
                    result = Result("resigned", {}, {seats[0]: 1, seats[1]: 2})
                continue
            for roll in _SAID["roll"].finditer(line):
                low, high = sorted(roll.groups()[:2])
                begins = "" if turn else FIRST[roll.start() > MARGIN // 2]
                move = roll[3].strip()
                turn += 1 if turn or begins == FIRST[0] else 2
                orders += [f"{begins}{high}-{low}", move if "/" in move else "pass"]
                places += [place, place]
    yield Transcript(SEATS, options, tuple(orders), None, result, players, places=tuple(places))
