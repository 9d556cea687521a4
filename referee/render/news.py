"""News on the board for one reader: a row for each player's turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from referee.games.game import Fact, Scene, Scoresheet, Seat
from referee.render.common import seat_and_player, spaces_told
from referee.render.drawings.changes import NOTHING, Changes, arrived, changes_between
from referee.render.grids import Grid, Letters, table_grid
from referee.render.layout import capital
from referee.render.words.wording import Wording
from referee.value import Value


class TurnNews(Value):
    """The facts of a seat's turn that a reader may know.

    ``forced`` are those of orders that the referee played, for the rules left no choice.
    """

    seat: Seat | None
    facts: tuple[Fact, ...]
    forced: tuple[Fact, ...] = ()


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
    told = [turn for turn in turns if _is_telling(turn, wording)] or turns
    named = {seat: seat_and_player(seat, names, wording) for seat in names}
    if reader in named:
        named[reader] = wording.catalogue.say("report.you", seat=wording.seat(reader))
    rows: list[NewsRow] = []
    for turn in told:
        sentences: list[tuple[str, str]] = []
        sheets: list[Grid] = []
        forced_until = 0
        entries = tuple(wording.game.scoresheets(turn.facts))
        # What is not worth telling beside others is left out, unless it is all that happened.
        only_facts = all(isinstance(entry, Fact) for entry in entries)
        bare = only_facts and not _is_telling(turn, wording)
        for is_forced, alike in groupby(entries, turn.forced.__contains__):
            for _, stretch in groupby(alike, type):
                facts = []
                for entry in stretch:
                    if isinstance(entry, Scoresheet):
                        sheets.append(table_grid(entry, letters, wording))
                    elif bare or wording.short(entry) != "":
                        facts.append(entry)
                for seat, text, _ in wording.turns(facts, named):
                    name = capital(named[seat]) if seat is not None else ""
                    begins = name and text.startswith(name)
                    sentences.append((name, text[len(name) :]) if begins else ("", text))
            if is_forced:
                forced_until = len(sentences)
        if sentences or sheets:
            if turn.forced:
                # Beside its order, for chance may have acted since.
                seat = turn.seat and wording.seat(turn.seat)
                why = wording.catalogue.say("report.forced", seat=seat)
                sentences.insert(forced_until or len(sentences), ("", why))
            small = " ".join(filter(None, (wording.detail(fact) for fact in turn.facts)))
            number = len(rows) + 1
            rows.append(
                NewsRow(number, turn.seat, tuple(sentences), small, tuple(sheets), turn.facts)
            )
    return tuple(rows)


def _is_telling(turn: TurnNews, wording: Wording) -> bool:
    """Whether any fact of a turn is worth telling beside others."""
    return any(wording.short(fact) != "" for fact in turn.facts)


def what_changed(
    rows: Sequence[NewsRow], before: Scene | None, now: Scene, wording: Wording
) -> Changes:
    """Return the differences on the board since an earlier one, with the rows that tell of them.

    Without an earlier board those are the spaces the rows name. On a table for cards all is new
    that lies there, so that nothing is pointed out.
    """
    if now.lattice == "table":
        return NOTHING
    told: dict[str, tuple[int, ...]] = {}
    for row in rows:
        for space in spaces_told(row.facts, now):
            told[space] = (*told.get(space, ()), row.number)
    moves = tuple(wording.game.moves([fact for row in rows for fact in row.facts]))
    if before is None:
        return Changes(told, moves=moves)
    changes = changes_between(before.cells, now.cells, told)
    return Changes(changes.numbers, changes.gone, moves, arrived(before.tracks, now.tracks))


LONGEST: Final = 90
"""Characters of the news in a mail's head; the row tells the rest."""


def in_short(row: NewsRow) -> str:
    """Return the beginning of what a row says first, without the name."""
    text = row.sentences[0][1].strip()
    if len(text) <= LONGEST:
        return text.rstrip(".")
    # Between two deeds if possible, else between two words.
    kept = text[:LONGEST]
    cut = max(kept.rfind(";"), kept.rfind(" ("))
    return kept[: cut if cut > 0 else kept.rfind(" ")].rstrip(" ,;:(") + " …"
