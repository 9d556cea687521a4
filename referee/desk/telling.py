"""What a seat is told of its own standing orders: those that wait, and what came of others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from referee.desk.rewinding import Mend
from referee.games.game import Document, Refusal
from referee.games.policies import Expired
from referee.matches.log import LOG_LANGUAGE
from referee.matches.standing import EXPIRED, Standing, read_line, write_line
from referee.render.layout import clean
from referee.render.parts import reason_of
from referee.render.wording import Wording

ACTORS: Final = frozenset({"organiser", "referee"})
"""Who acts on a match besides its seats."""


def waiting(wording: Wording, standings: Iterable[Standing]) -> tuple[str, ...]:
    """Return a sentence for each standing order that waits, with the number it is cancelled by."""
    return tuple(
        wording.catalogue.say(
            f"standing.{each.kind}", number=each.number, orders=_orders(wording, each.lines)
        )
        for each in standings
    )


def came_of(wording: Wording, notes: Iterable[Document]) -> tuple[str, ...]:
    """Return a sentence for each note of a seat's private chain."""
    return tuple(_note(wording, each) for each in notes)


def mends(wording: Wording, found: Iterable[Mend]) -> tuple[str, ...]:
    """Return sentences about how a position was set anew: by whom, what is taken back, and why."""
    return tuple(each for mend in found for each in _mend(wording, mend))


def _mend(wording: Wording, mend: Mend) -> Iterator[str]:
    say = wording.catalogue.say
    turns = [
        say("mended.turn", number=number, seat=wording.seat(seat)) for number, seat in mend.turns
    ]
    yield say(
        f"mended.{mend.kind if mend.by in ACTORS or mend.text else 'consent'}",
        who=say(f"by.{mend.by}") if mend.by in ACTORS else wording.seat(mend.by),
        turns=wording.catalogue.joined(turns),
        turn=mend.turn,
        seat=wording.seat(mend.seat) if mend.seat else None,
    )
    if mend.text:
        yield say("mended.why", text=clean(mend.text))


def _note(wording: Wording, note: Any) -> str:
    lines = note["lines"]
    say = wording.catalogue.say
    return say(
        f"note.{note['note']}-{note['kind']}",
        order=_orders(wording, lines[:1]),
        more=_orders(wording, lines[1:]),
        reason=_reason(wording, note),
    )


def _reason(wording: Wording, note: Any) -> str:
    why = note.get("why")
    if why is None:
        return ""
    if note["note"] == EXPIRED:
        return wording.expired(Expired(why["code"], why["fields"]))
    return reason_of(Refusal(why["code"], note["rule"], why["fields"]), wording)


def _orders(wording: Wording, lines: Sequence[str]) -> str:
    """Return orders kept in English as the reader writes them."""
    game = wording.game
    given = [read_line(game, line, LOG_LANGUAGE) for line in lines]
    return "; ".join(write_line(game, each, wording.language) for each in given)
