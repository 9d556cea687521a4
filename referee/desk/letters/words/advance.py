"""Queues in a letter: orders in advance, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final, TypeAlias

from referee.desk.letters.words.keywords import Command, is_end
from referee.desk.letters.words.phrases import Tongue, entries_in, is_courtesy, without_mark
from referee.desk.letters.words.places import ReadLine
from referee.desk.matches.standing_orders import MOST_QUEUED, Queue
from referee.games.game import Unreadable
from referee.games.notation import SPACE, is_terse
from referee.matches.standing_orders import ListedOrder, read_line
from referee.resources import words_for

MOST_WRONG: Final = 20
"""Faults of a queue named in one answer."""


_Bad: TypeAlias = tuple[str, Unreadable]
"""The part of a queue that cannot be read, empty for the whole, and why."""


def read_queue(
    text: str,
    command: Command,
    below: Sequence[tuple[Command | str, bool]],
    tongue: Tongue | None,
    *,
    strict: bool,
) -> tuple[list[ReadLine], int]:
    """Return a queue as one line, or one for each faulty order; and how many lines it takes.

    Orders on one line are separated by semicolons. With orders behind the command only its own line
    counts, once that is whole; otherwise it takes the lines ``below``, up to ``end``, or without
    that to the first line that is no order of the game. A line below may run on.
    """
    if tongue is None:
        return [ReadLine(text)], 0
    block: list[str] = []
    for piece, _ in below:
        if not isinstance(piece, str) or is_end(piece):
            break
        block.append(piece)
    # With ``end`` every line before it was meant as an order.
    ended = len(block) < len(below) and isinstance(below[len(block)][0], str)
    lines, taken, closed = block, len(block) + ended, ended
    if command.text:
        # The lines below such a command are the turn's own orders.
        whole = _whole(command.text, below, tongue)
        lines, taken, closed = [" ".join(whole)], len(whole) - 1, True
    entries: list[ListedOrder] = []
    bad: _Bad | None = None
    for number, line in enumerate(lines):
        read, bad = _parted(line, tongue)
        # Without ``end`` the queue stops where talk begins.
        if bad is not None and entries and not closed and bad[1].chatter:
            return [ReadLine(text, given=Queue(tuple(entries)))], number
        entries += read
        if bad is not None or len(entries) > MOST_QUEUED:
            break
    if bad is None and not entries:
        bad = "", Unreadable("empty-queue", chatter=True)
    elif bad is None and len(entries) > MOST_QUEUED:
        bad = "", Unreadable("long-queue", most=MOST_QUEUED)
    if bad is None:
        return [ReadLine(text, given=Queue(tuple(entries)))], taken
    bad_part, why = bad
    if " " in text:
        meant = ";" in text or is_terse(text) or bool(SPACE.search(text))
    else:
        meant = bool(bad_part and not text.endswith((".", "!"))) or ended
    if why.chatter and not strict and not meant:
        return [ReadLine(text)], 0
    word = without_mark(text).split(maxsplit=1)[0]
    parts = (part for line in lines for part in _parts(line, tongue)) if bad_part else ()
    wrong = ((part, read) for part, read in parts if isinstance(read, Unreadable))
    # Talk behind the end of an open queue is no order of it.
    faulty = [
        ReadLine(f"{word} {part}", fault=fault, ahead=True)
        for part, fault in islice(wrong, MOST_WRONG)
        if closed or part == bad_part or not fault.chatter
    ]
    return faulty or [ReadLine(text, fault=why, ahead=True)], taken


def _whole(text: str, below: Iterable[tuple[Command | str, bool]], tongue: Tongue) -> list[str]:
    """Return the lines of a one-line queue.

    Behind a semicolon these are orders; behind a full line, what begins with half of one.
    """
    lines = [text]
    for line, full in below:
        if not isinstance(line, str):
            break
        goes_on = lines[-1].endswith(";")
        if _parted(line, tongue)[1] is not None:
            goes_on = (goes_on or full) and (";" in line or bool(SPACE.search(line)))
        if not goes_on:
            break
        lines.append(line.strip())
    return lines


def _parted(line: str, tongue: Tongue) -> tuple[list[ListedOrder], _Bad | None]:
    """Return the orders of a line, and its first piece that cannot be read."""
    entries: list[ListedOrder] = []
    for part, read in _parts(line, tongue):
        if isinstance(read, Unreadable):
            return entries, (part, read)
        entries += read
        # Enough to know that there are too many.
        if len(entries) > MOST_QUEUED:
            break
    return entries, None


def _parts(line: str, tongue: Tongue) -> Iterator[tuple[str, list[ListedOrder] | Unreadable]]:
    """Yield the pieces of a line between semicolons, each read as orders or with its fault.

    Courtesy, as in “place D5; thanks”, is none.
    """
    pieces = (piece.strip() for piece in line.split(";"))
    for part in (piece for piece in pieces if piece and not is_courtesy(piece)):
        read: list[ListedOrder] | Unreadable
        try:
            read = [_entry(part, tongue)]
        except Unreadable as fault:
            read = fault
            # ``place C4 D5`` may be one for each space.
            keyword, *rest = part.split()
            words = [word for word in rest if word.casefold() not in words_for("and")]
            if len(words) > 1:
                with suppress(Unreadable):
                    read = [_entry(f"{keyword} {word}", tongue) for word in words]
            if read is fault:
                read = [*entries_in(part, tongue)] or fault
        yield part, read


def _entry(line: str, tongue: Tongue) -> ListedOrder:
    given = read_line(tongue.game, line, tongue.language)
    # A policy waits for its moment by itself, and has no place in a queue.
    if not isinstance(given, ListedOrder):
        raise Unreadable("not-queued", line=line.strip())
    return given
