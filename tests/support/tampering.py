"""Records to tamper with, and every way to tamper with their bytes and lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random

from support.matches import ARRIVAL, GAME, SEED, WHY, exported, orders, terms

from referee.games import registry
from referee.games.play import complete_options
from referee.matches import croupier
from referee.matches.log import annotate
from referee.matches.match import new_match, submit
from referee.value import Value, replace

PROMISED = Path(__file__).with_name("promised.jsonl")
"""The record of a match whose seats promised words by their hash; blue did not tell them."""

MENDING = ("undo", "redo", "fix", "reopen")


class Tampered(Value):
    """A record somebody changed, how, and the first line (from 1) that is not what it was."""

    lines: tuple[bytes, ...]
    how: str
    line: int


@cache
def short_record() -> tuple[bytes, ...]:
    """Return the lines of a short match of Pebbles with words, draws, orders and a notice."""
    match, log = new_match(GAME, terms(options={"hand": 1}, words={"red": "glück"}), SEED)
    done = submit(match, "red", orders("pass"), ARRIVAL)
    match, note = annotate(done.match, "notice", ARRIVAL, details=WHY)
    log = (*log, *done.logged, note)
    done = submit(match, "blue", orders("pass"), ARRIVAL)
    return _lines(exported(done.match, (*log, *done.logged)))


@cache
def nord_record(choice: int = 1) -> tuple[bytes, ...]:
    """Return the lines of a match of Nord of two, played at random to its end."""
    game = registry.find_installed("nord", 1)
    options, colours = complete_options(game, {}), tuple(game.colours[:2])
    board = game.board(colours, options, None, croupier.SeededRandom(SEED))
    given = terms(colours, match="nord-4", game="nord", edition=1, board=board, options=options)
    match, log = new_match(game, given, SEED)
    rng = Random(choice)
    while not match.turn.over:
        order = rng.choice(list(game.orders(match.position)))
        done = submit(match, str(match.turn.seat), [order], ARRIVAL)
        match, log = done.match, (*log, *done.logged)
    return _lines(exported(match, log))


def _lines(lines: Sequence[str]) -> tuple[bytes, ...]:
    return tuple(each.encode() for each in lines)


def whole(lines: Sequence[bytes]) -> bytes:
    """Return lines as a file."""
    return b"".join(line + b"\n" for line in lines)


def split(data: bytes) -> tuple[bytes, ...]:
    """Return the lines of a file as readers take them."""
    return tuple(data.removesuffix(b"\n").split(b"\n"))


def changed(lines: Sequence[bytes], place: int, byte: int) -> Tampered:
    """Return a record in which the byte at a place of the file is another."""
    data = bytearray(whole(lines))
    line = 1 + data[:place].count(b"\n")
    how = f"byte {place}: {data[place]:#04x} became {byte:#04x}"
    data[place] = byte
    return Tampered(split(bytes(data)), how, line)


def dropped(lines: Sequence[bytes], index: int) -> Tampered:
    """Return a record without one line."""
    kept = (*lines[:index], *lines[index + 1 :])
    return Tampered(kept, f"line {index + 1} dropped", index + 1)


def inserted(lines: Sequence[bytes], index: int, line: bytes, what: str = "a line") -> Tampered:
    """Return a record with a line more in front of another."""
    return Tampered((*lines[:index], line, *lines[index:]), f"{what} at {index + 1}", index + 1)


def doubled(lines: Sequence[bytes], index: int) -> Tampered:
    """Return a record with one line twice."""
    found = inserted(lines, index + 1, lines[index])
    return replace(found, how=f"line {index + 1} doubled")


def swapped(lines: Sequence[bytes], one: int, other: int) -> Tampered:
    """Return a record with two lines swapped."""
    found = list(lines)
    found[one], found[other] = found[other], found[one]
    first = min(one, other) + 1
    return Tampered(tuple(found), f"lines {one + 1} and {other + 1} swapped", first)


def bytes_of(lines: Sequence[bytes], kinds: Iterable[str], every: int = 3) -> Iterator[int]:
    """Yield the places of bytes, each of so many, of the events of some kinds."""
    wanted, start = tuple(f'"kind":"{each}"'.encode() for each in kinds), 0
    for line in lines:
        if any(each in line for each in wanted):
            yield from range(start, start + len(line), every)
        start += len(line) + 1


def every_change_of_events(lines: Sequence[bytes], foreign: bytes) -> Iterator[Tampered]:
    """Yield every record with an event dropped, doubled or swapped, or a line inserted."""
    last = len(lines) - 1
    for index in range(1, last):
        yield dropped(lines, index)
        yield doubled(lines, index)
        yield inserted(lines, index, foreign, "a line of another record")
        for other in range(index + 1, last):
            yield swapped(lines, index, other)
            yield inserted(lines, index, lines[other], f"line {other + 1} again")
