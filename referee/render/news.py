"""News on the board for one reader: a row for each player's turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from referee.games import play
from referee.games.game import Fact, Scene, Scoresheet, Seat
from referee.render.drawings.changes import Changes, arrived, between
from referee.render.grids import Grid, Letters, table_grid
from referee.render.parts import seat_and_player, spaces_told
from referee.render.words.wording import Wording
from referee.value import Value


class TurnNews(Value):
    """The facts of a seat's turn that a reader may know."""

    seat: Seat | None
    facts: tuple[Fact, ...]


class NewsRow(Value):
    """One turn in words.

    ``sentences`` come with the name they begin with, empty where they begin otherwise; ``small``
    is small print. ``sheets`` are the scorings of the turn.
    """

    number: int
    seat: Seat | None
    sentences: tuple[tuple[str, str], ...]
    small: str
    sheets: tuple[Grid, ...]
    facts: tuple[Fact, ...]


def news_rows(
    turns: Sequence[TurnNews],
    reader: Seat | None,
    names: Mapping[Seat, str],
    letters: Letters,
    wording: Wording,
) -> tuple[NewsRow, ...]:
    """Return the rows of turns, numbered from 1.

    A turn of which there is nothing to tell is left out, unless it is all that happened.
    """
    told = [each for each in turns if _is_telling(each, wording)] or list(turns)
    named = {seat: _named(seat, reader, names, wording) for seat in names}
    rows = (_row(each, named, letters, wording) for each in told)
    kept = [each for each in rows if each.sentences or each.sheets]
    return tuple(
        NewsRow(number, each.seat, each.sentences, each.small, each.sheets, each.facts)
        for number, each in enumerate(kept, 1)
    )


def _is_telling(turn: TurnNews, wording: Wording) -> bool:
    """Whether any fact of a turn is worth telling beside others."""
    return any(wording.short(each) != "" for each in turn.facts)


def _named(seat: Seat, reader: Seat | None, names: Mapping[Seat, str], wording: Wording) -> str:
    if seat == reader:
        return wording.catalogue.say("report.you", seat=wording.seat(seat))
    return seat_and_player(seat, names, wording)


def _row(turn: TurnNews, named: Mapping[Seat, str], letters: Letters, wording: Wording) -> NewsRow:
    sentences: list[tuple[str, str]] = []
    sheets: list[Grid] = []
    told = list(play.with_sheets(wording.game, turn.facts))
    # What is not worth telling beside others is left out, unless it is all that happened.
    bare = not _is_telling(turn, wording) and all(isinstance(each, Fact) for each in told)
    for is_sheet, stretch in groupby(told, lambda each: isinstance(each, Scoresheet)):
        if is_sheet:
            sheets += [
                table_grid(each, letters, wording)
                for each in stretch
                if isinstance(each, Scoresheet)
            ]
        else:
            facts = [each for each in stretch if isinstance(each, Fact)]
            worth = [each for each in facts if bare or wording.short(each) != ""]
            sentences += _sentences(worth, named, wording)
    small = " ".join(filter(None, (wording.detail(each) for each in turn.facts)))
    return NewsRow(0, turn.seat, tuple(sentences), small, tuple(sheets), turn.facts)


def _sentences(
    facts: Sequence[Fact], named: Mapping[Seat, str], wording: Wording
) -> Iterator[tuple[str, str]]:
    """Yield sentences with the names they begin with."""
    for seat, text, _ in wording.turns(facts, named):
        name = named[seat][:1].upper() + named[seat][1:] if seat is not None else ""
        yield (name, text[len(name) :]) if name and text.startswith(name) else ("", text)


def what_changed(
    rows: Sequence[NewsRow], before: Scene | None, now: Scene, wording: Wording
) -> Changes:
    """Return the differences on the board since an earlier one.

    They come with the numbers of the rows that tell of them. Without an earlier board those are the
    spaces the rows name.
    """
    told: dict[str, tuple[int, ...]] = {}
    for row in rows:
        for space in spaces_told(row.facts, now):
            told[space] = (*told.get(space, ()), row.number)
    moves = play.moves(wording.game, [fact for row in rows for fact in row.facts])
    if before is None:
        return Changes(told, moves=moves)
    found = between(before.cells, now.cells, told)
    return Changes(found.numbers, found.gone, moves, arrived(before.tracks, now.tracks))


LONGEST: Final = 90
"""Characters of the news in a mail's head; the row tells the rest."""


def in_short(row: NewsRow) -> str:
    """Return the beginning of a row's first sentence, without the name."""
    name, rest = row.sentences[0] if row.sentences else ("", "")
    text = rest.strip() if name else rest
    if len(text) <= LONGEST:
        return text.rstrip(".")
    # Between two deeds if possible, else between two words.
    kept = text[:LONGEST]
    cut = max(kept.rfind(";"), kept.rfind(" ("))
    return kept[: cut if cut > 0 else kept.rfind(" ")].rstrip(" ,;:(") + " …"
