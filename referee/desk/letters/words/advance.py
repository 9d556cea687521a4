"""Orders in advance in a letter: queues, policies of the game, and cancellations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final

from referee.desk.letters.words.keywords import Command, is_end
from referee.desk.letters.words.phrases import Tongue, entries_in
from referee.desk.matches.standing_orders import MOST_QUEUED, Cancel, Queue
from referee.games.game import Unreadable
from referee.games.notation import JOINTS, SPACE
from referee.matches.standing_orders import ListedOrder, read_line
from referee.value import replace

MOST_WRONG: Final = 20
"""Faults of a queue named in one answer."""


class BadQueue(Exception):
    """A queue that cannot be read: the faulty line, empty for the whole, and why."""

    def __init__(self, line: str, fault: Unreadable) -> None:
        super().__init__(line)
        self.line = line
        self.fault = fault


def read_cancel(command: Command) -> Cancel:
    """Return the standing orders a command takes back."""
    return Cancel(tuple(int(number) for number in command.arguments), command.word == "withdraw")


def read_queue(
    command: Command, following: Sequence[Command | str], tongue: Tongue
) -> tuple[Queue, int]:
    """Return a command's queue and the number of following lines it takes.

    Orders on one line are separated by semicolons. With orders behind the command only its own
    line counts, once that is whole; otherwise it takes the lines that follow, up to ``end``, or
    without that to the first line that is no order of the game. Raises BadQueue, with ``chatter``
    in its fault where the line may be talk.
    """
    # The lines below such a command are the turn's own orders.
    if command.text:
        return _queue(_parted(command.text, tongue)), 0
    entries: list[ListedOrder] = []
    taken, closed = 0, is_closed(following)
    for line in following:
        if not isinstance(line, str):
            break
        if is_end(line):
            taken += 1
            break
        try:
            entries += _parted(line, tongue)
        except BadQueue as bad:
            # Without ``end`` the queue stops where talk begins; with it every line was meant as an
            # order.
            if closed or not entries or not bad.fault.chatter:
                raise
            break
        taken += 1
        if len(entries) > MOST_QUEUED:
            break
    return _queue(entries), taken


def whole_queue(
    command: Command, below: Iterable[tuple[Command | str, bool]], tongue: Tongue
) -> tuple[Command, int]:
    """Return a one-line queue made whole, and the lines that took.

    Behind a semicolon these are orders; behind a full line, what begins with half of one.
    """
    lines = [command.text]
    for line, full in below if command.text else ():
        if not isinstance(line, str):
            break
        goes_on = lines[-1].endswith(";")
        try:
            _parted(line, tongue)
        except BadQueue:
            goes_on = (goes_on or full) and (";" in line or bool(SPACE.search(line)))
        if not goes_on:
            break
        lines.append(line.strip())
    return replace(command, text=" ".join(lines)), len(lines) - 1


def length_of_block(following: Sequence[Command | str]) -> int:
    """Return how many lines belong to an unreadable queue: up to ``end``, or all."""
    for taken, line in enumerate(following):
        if not isinstance(line, str):
            return taken
        if is_end(line):
            return taken + 1
    return len(following)


def _queue(entries: Sequence[ListedOrder]) -> Queue:
    if not entries:
        raise BadQueue("", Unreadable("empty-queue", chatter=True))
    if len(entries) > MOST_QUEUED:
        raise BadQueue("", Unreadable("long-queue", most=MOST_QUEUED))
    return Queue(tuple(entries))


def is_closed(lines: Sequence[Command | str]) -> bool:
    """Return whether ``end`` closes the queue; then every line before it was meant as an order."""
    taken = length_of_block(lines)
    last = lines[taken - 1] if taken else ""
    return isinstance(last, str) and is_end(last)


def _parted(text: str, tongue: Tongue) -> list[ListedOrder]:
    entries: list[ListedOrder] = []
    for line in text.split(";"):
        if line.strip():
            try:
                entries += _entries(line, tongue)
            except Unreadable as fault:
                raise BadQueue(line.strip(), fault) from fault
        # Enough to know that there are too many.
        if len(entries) > MOST_QUEUED:
            break
    return entries


def wrong_in(lines: Sequence[str], tongue: Tongue) -> list[tuple[str, Unreadable]]:
    """Return the first unreadable orders of a queue's lines, and why."""
    found: list[tuple[str, Unreadable]] = []
    for part in (part.strip() for line in lines for part in line.split(";")):
        try:
            if part:
                _entries(part, tongue)
        except Unreadable as fault:
            found.append((part, fault))
        if len(found) == MOST_WRONG:
            break
    return found


def _entries(line: str, tongue: Tongue) -> list[ListedOrder]:
    """Return the orders of a line: ``place C4 D5`` may be one for each space."""
    try:
        return [_entry(line, tongue)]
    except Unreadable:
        keyword, *rest = line.split()
        words = [word for word in rest if word.casefold() not in JOINTS]
        if len(words) > 1:
            with suppress(Unreadable):
                return [_entry(f"{keyword} {word}", tongue) for word in words]
        if found := entries_in(line, tongue):
            return list(found)
        raise


def _entry(line: str, tongue: Tongue) -> ListedOrder:
    given = read_line(tongue.game, line, tongue.language)
    # A policy waits for its moment by itself, and has no place in a queue.
    if not isinstance(given, ListedOrder):
        raise Unreadable("not-queued", line=line.strip())
    return given
