"""Pieces beside a board: those that were captured, or that are held in hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from referee.games.game import Json, Mark, Panel, Place, Seat, Sentence, Track


def lost(before: Iterable[str], now: Iterable[str]) -> list[str]:
    """Return the letters of the pieces that left the board, one for each, in any sequence.

    A piece more than before was a pawn (``P``, or ``p`` of whoever has small letters).
    """
    then, there = Counter(before), Counter(now)
    gone = then - there
    for man, count in (there - then).items():
        gone["P" if man.isupper() else "p"] -= count
    return [*gone.elements()]


def pieces_aside(
    title: str, sentence: str, pieces: Mapping[Seat, Sequence[Mark]]
) -> tuple[tuple[Panel, ...], Track]:
    """Return each seat's pieces as a panel, if there are any, and as a row in the picture.

    ``title`` is that of both; the fields of the ``sentence`` are ``seat`` and ``pieces``, a list of
    pairs of word and number. The row is there without pieces too, so that a picture keeps its size.
    """
    counted = {seat: Counter(marks) for seat, marks in pieces.items()}
    told: list[Sentence] = []
    for seat, marks in counted.items():
        pairs: list[Json] = [[mark.word, count] for mark, count in marks.items()]
        if pairs:
            told.append(Sentence(sentence, {"seat": seat, "pieces": pairs}))
    places = tuple(
        Place(f"×{count}" if count > 1 else "", (mark,))
        for marks in counted.values() for mark, count in marks.items()
    )  # fmt: skip
    return (Panel(title, tuple(told)),) * bool(told), Track("pieces", title, places)
