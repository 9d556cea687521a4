"""Reports: the mails to players and spectators when a match rests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from referee.games.game import Fact, Options, Order, Result, Scene, Seat
from referee.render.common import TurnFacts, about, closing_notes, subject, turn_sentence
from referee.render.content import Content, Drawing, Framing, draw_scene
from referee.render.drawings.changes import Changes
from referee.render.layout import LONGEST_PARAGRAPH, clean
from referee.render.parts import changed_spaces, examples, placings, standings
from referee.render.wording import Wording

ChanceNote = Literal["alone", "words", "promised", "practice"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(TurnFacts):
    """The content of a report.

    ``facts`` are those since the last report that this seat may learn; ``legal`` the seat's
    possible orders, ``legal_count`` the number of all of them; ``chance_note`` says where the seed
    came from, ``forfeits`` whose promised words are not in it. ``credits`` are sentences about time
    that was given, ``away`` about absences, ``standing`` about the orders this seat gave in
    advance, ``ended`` about the fate of others since the last report, ``mended`` about moves taken
    back or positions set right since (``commitment`` is that of a new seed). ``remarks`` are the
    player's own notes. ``options`` are the match's, if its orders hang on them. ``withheld``
    replaces the seat's own part, in a report without it. ``record`` names the attached file with
    the match's record, if there is one. ``pictured``: the board is drawn as a picture too.
    """

    scene: Scene
    facts: tuple[Fact, ...]
    legal: tuple[Order, ...]
    legal_count: int
    points: Mapping[Seat, int]
    head: str
    chance_note: ChanceNote
    result: Result | None
    reminder: bool = False
    credits: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    commitment: str | None = None
    remarks: tuple[str, ...] = ()
    withheld: str = ""
    options: Options | None = None
    forfeits: tuple[Seat, ...] = ()
    record: str = ""
    pictured: bool = False


def report_content(wording: Wording, value: Report, framing: Framing) -> Content:
    """Return the mail with board, changes and possible orders."""
    return Content(
        "report",
        subject(value.match, value.seat, wording),
        headline_of(value, wording),
        framing,
        wording.catalogue,
        _fields(wording, value),
    )


def _fields(wording: Wording, value: Report) -> dict[str, Any]:
    """Return the variables of a report's template."""
    mine = value.seat is not None and value.to_act == value.seat
    legal = value.legal if mine else ()
    # The caller may list fewer orders than there are, never more.
    count = max(value.legal_count, len(legal))
    # A match that was broken off has no places worth showing.
    result = value.result if value.result and value.result.ranks else None
    return {
        "about": about(value, wording),
        "places": placings(result, value.names, wording) if result else [],
        "facts": [*wording.facts(value.facts), *value.credits],
        "mended": value.mended,
        "watched": value.seat is None,
        "commitment": value.commitment,
        "away": value.away,
        "standing": value.standing,
        "remarks": [clean(each, LONGEST_PARAGRAPH) for each in value.remarks],
        "ended": value.ended,
        "withheld": value.withheld,
        "choices_withheld": value.withheld if mine else "",
        "drawing": _drawing(value, wording),
        "points": []
        if result or _tells_points(value)
        else standings(value.points, value.names, wording),
        "record": value.record,
        "groups": examples(legal, count, wording),
        "total": count if mine and count > len(legal) else 0,
        "asks": "orders" if mine else "queue" if value.to_act else "message",
        "help_orders": _help(value, wording) if mine else [],
        "notes": [
            wording.catalogue.say(f"chance.{value.chance_note}"),
            *_forfeits(value, wording),
            *closing_notes(wording, value.head),
        ],
    }


def _drawing(value: Report, wording: Wording) -> Drawing:
    """Return the board, what changed on it pointed out."""
    changes = changed_spaces(value.facts, value.scene)
    alt = _alt(value, changes, wording) if value.pictured else None
    return draw_scene(value.scene, wording, changes, alt)


MOST_NAMED: Final = 16
"""Changed spaces that the words for a picture name."""


def _alt(value: Report, changes: Changes, wording: Wording) -> str:
    """Return what a picture shows, in fewer than 250 characters."""
    changed = list(changes.numbers)
    return wording.catalogue.say(
        "board.alt",
        match=value.match,
        turn=value.turn,
        changed=", ".join(changed[:MOST_NAMED]),
        more=len(changed) - MOST_NAMED,
    )


def _forfeits(value: Report, wording: Wording) -> list[str]:
    """Return the sentence about words promised but never told, if any were."""
    if not value.forfeits:
        return []
    who = wording.catalogue.joined(wording.seat(each) for each in value.forfeits)
    return [wording.catalogue.say("chance.forfeits", who=who)]


def _help(value: Report, wording: Wording) -> Sequence[tuple[str, str]]:
    """Return examples of orders. If the seat is asked a question, only answers to it."""
    known = wording.help_orders(value.options, value.legal)
    if value.scene.asked is None:
        return known
    words = {wording.order(each).split()[0] for each in value.legal}
    return [each for each in known if each[0].split()[0] in words]


def _tells_points(value: Report) -> bool:
    """Whether the panels beside the board already give everybody's points."""
    told = [each.fields for panel in value.scene.panels for each in panel.sentences]
    known = [(each["seat"], each["points"]) for each in told if {"seat", "points"} <= set(each)]
    # Games that show points in a panel need no second table of the same numbers.
    return bool(known) and all(each in known for each in value.points.items())


def headline_of(value: Report, wording: Wording) -> str:
    """Return the first sentence of a report: whose turn it is, or that the match is over."""
    if value.result is not None:
        return wording.catalogue.say("turn.over_by", ending=wording.ending(value.result.ending))
    still = value.reminder and value.to_act == value.seat
    yours = "turn.yours_still" if still else "turn.yours"
    return turn_sentence(value, value.scene.asked, wording, yours)
