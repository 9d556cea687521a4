"""What the referee's mails say: report, receipt and invitation, from typed values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from referee.games.game import Fact, Order, Refusal, Result, Scene, Seat, Unreadable
from referee.render.layout import clean
from referee.render.moments import span
from referee.render.parts import (
    NAME_LENGTH,
    capital,
    changed_spaces,
    deadline,
    examples,
    placings,
    standings,
    who,
)
from referee.render.sheets import Content, Framing, draw, write
from referee.render.wording import Wording

ChanceNote = Literal["alone", "words", "practice"]
Outcome = Literal[
    "accepted", "forced", "refused", "waiting", "ignored", "unreadable", "command", "not_reached"
]

MOST_SUGGESTED: Final = 3
"""Legal orders a receipt names beside a refused one."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a player is told when the match rests.

    ``facts`` are those since the last report that this seat may learn; ``legal`` what the seat
    may do now, ``legal_count`` how many that are in all; ``names`` who holds each seat;
    ``chance_note`` says where the seed came from; ``now`` lets the remaining time be told.
    """

    match: str
    game_name: str
    seat: Seat
    turn: int
    to_act: Seat | None
    due: datetime | None
    zone: str
    scene: Scene
    facts: tuple[Fact, ...]
    legal: tuple[Order, ...]
    legal_count: int
    points: Mapping[Seat, int]
    names: Mapping[Seat, str]
    head: str
    chance_note: ChanceNote
    result: Result | None
    reminder: bool = False
    now: datetime | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a letter and what became of it; ``note`` adds a few words of the core."""

    text: str
    outcome: Outcome
    refusal: Refusal | None = None
    unreadable: Unreadable | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to a submission.

    ``scene`` is shown when something was refused or asked; ``legal`` serves where a refusal
    names nothing of its own; ``game_name`` None: the game's own words name it.
    """

    match: str
    seat: Seat
    turn: int
    lines: tuple[Line, ...]
    facts: tuple[Fact, ...]
    to_act: Seat | None
    due: datetime | None
    zone: str
    scene: Scene | None
    head: str
    names: Mapping[Seat, str]
    nothing_happened: bool
    legal: tuple[Order, ...] = ()
    now: datetime | None = None
    game_name: str | None = None


@dataclass(frozen=True, slots=True)
class Invitation:
    """What somebody is asked who may take a seat.

    ``names`` holds a name for every seat, empty while it is free; ``commitment`` is the SHA-256
    of the seed in hex; ``time_per_turn`` None: no limit.
    """

    match: str
    game_name: str
    seat: Seat
    names: Mapping[Seat, str]
    options: Mapping[str, str | int | bool]
    commitment: str
    time_per_turn: timedelta | None
    zone: str
    starts_at_once: bool
    practice: bool
    inviter: str | None = None


def subject(match: str, game_name: str | None, seat: Seat | None, wording: Wording) -> str:
    """Return the subject of every mail about a match to a seat; constant, so that mails thread.

    Without a game's name the one in its own words is taken.
    """
    game = game_name or wording.word("game", "name")
    if seat is None:
        return wording.catalogue.say("subject.match", match=match, game=game)
    return wording.catalogue.say("subject.seat", match=match, game=game, seat=wording.seat(seat))


def report(wording: Wording, value: Report, framing: Framing) -> Content:
    """Return the mail that tells a player the board, what changed, and what he can do."""
    mine = value.to_act == value.seat
    legal = value.legal if mine else ()
    count = max(value.legal_count, len(legal))
    return write(
        "report",
        subject(value.match, value.game_name, value.seat, wording),
        _headline(value, wording),
        framing,
        wording.catalogue,
        about=_about(value, wording),
        places=placings(value.result, value.names, wording) if value.result else [],
        facts=[wording.fact(each) for each in value.facts],
        drawing=draw(value.scene, wording, changed_spaces(value.facts, value.scene)),
        points=[] if value.result else standings(value.points, value.names, wording),
        groups=examples(legal, count, wording),
        total=count if mine and count > len(legal) else 0,
        help_orders=wording.help_orders if mine else [],
        notes=list(_notes(wording, value.head, value.chance_note)),
    )


def _headline(value: Report, wording: Wording) -> str:
    if value.result is not None:
        return wording.catalogue.say("turn.over_by", ending=wording.ending(value.result.ending))
    still = value.reminder and value.to_act == value.seat
    return turn_sentence(value, wording, "turn.yours_still" if still else "turn.yours")


def turn_sentence(value: Report | Receipt, wording: Wording, yours: str = "turn.yours") -> str:
    """Return whose turn it is, until when, and how long that is from now."""
    if value.to_act is None:
        return wording.catalogue.say("turn.over")
    fields = deadline(value.due, value.zone, value.now, wording)
    if value.to_act == value.seat:
        return wording.catalogue.say(yours, seat=wording.seat(value.seat), **fields)
    seat = capital(who(value.to_act, value.names, wording))
    return wording.catalogue.say("turn.theirs", seat=seat, **fields)


def _about(value: Report | Receipt, wording: Wording) -> str:
    return wording.catalogue.say(
        "report.about",
        game=value.game_name or wording.word("game", "name"),
        match=value.match,
        turn=value.turn,
        seat=wording.seat(value.seat),
    )


def _notes(wording: Wording, head: str, chance: ChanceNote | None = None) -> Iterator[str]:
    if chance is not None:
        yield wording.catalogue.say(f"chance.{chance}")
    if head:
        yield wording.catalogue.say("foot.head", head=head)
    yield wording.catalogue.say("foot.help")


def receipt(wording: Wording, value: Receipt, framing: Framing) -> Content:
    """Return the mail that tells what of a submission was accepted or refused, and why."""
    ignored = [each for each in value.lines if each.outcome == "ignored"]
    lines = [each for each in value.lines if each.outcome != "ignored"]
    return write(
        "receipt",
        subject(value.match, value.game_name, value.seat, wording),
        wording.catalogue.say(f"receipt.{_summary(value)}"),
        framing,
        wording.catalogue,
        turn=turn_sentence(value, wording),
        about=_about(value, wording),
        lines=[(clean(each.text), *_outcome(each, value, wording)) for each in lines],
        ignored=[clean(each.text) for each in ignored],
        facts=[wording.fact(each) for each in value.facts],
        drawing=_drawing(value, wording),
        notes=list(_notes(wording, value.head)),
    )


def _drawing(value: Receipt, wording: Wording) -> object:
    if value.scene is None:
        return None
    return draw(value.scene, wording, changed_spaces(value.facts, value.scene))


def _summary(value: Receipt) -> str:
    outcomes = {each.outcome for each in value.lines}
    bad = outcomes & {"refused", "unreadable", "not_reached"}
    if value.nothing_happened:
        return "waiting" if "waiting" in outcomes and not bad else "nothing"
    return "partly" if bad else "done"


def _outcome(line: Line, value: Receipt, wording: Wording) -> tuple[str, list[str]]:
    """Return what became of a line, and orders to suggest instead."""
    say = wording.catalogue.say
    reason, legal = "", []
    if line.refusal is not None:
        reason = wording.refusal(line.refusal)
        if line.refusal.rule:
            reason = say("line.rule", text=reason, rule=line.refusal.rule)
        suggested = (line.refusal.legal or value.legal)[:MOST_SUGGESTED]
        legal = [wording.order(each) for each in suggested]
    elif line.unreadable is not None:
        reason = wording.unreadable(line.unreadable)
    text = say(f"line.{line.outcome}", reason=reason)
    if line.note:
        text = say("line.with_note", text=text, note=line.note)
    return text, legal


def invitation(wording: Wording, value: Invitation, framing: Framing) -> Content:
    """Return the mail that asks somebody to take a seat."""
    say = wording.catalogue.say
    time = say("time.none")
    if value.time_per_turn is not None:
        time = say("time.per_turn", span=span(value.time_per_turn, wording.catalogue))
    return write(
        "invitation",
        subject(value.match, value.game_name, value.seat, wording),
        say(
            "invitation.headline",
            inviter=clean(value.inviter or "", NAME_LENGTH),
            game=value.game_name,
            match=value.match,
        ),
        framing,
        wording.catalogue,
        you_are=say("invitation.you_are", seat=wording.seat(value.seat)),
        seats=[_seat_line(seat, name, wording) for seat, name in value.names.items()],
        options=[_option_line(name, each, wording) for name, each in value.options.items()],
        time=say("invitation.time", time=time, zone=value.zone),
        starts=say("invitation.at_once" if value.starts_at_once else "invitation.later"),
        practice=value.practice,
        commitment=value.commitment,
    )


def _seat_line(seat: Seat, name: str, wording: Wording) -> str:
    key = "invitation.seat" if name else "invitation.open_seat"
    shown = clean(name, NAME_LENGTH)
    return wording.catalogue.say(key, seat=capital(wording.seat(seat)), name=shown)


def _option_line(name: str, value: str | int | bool, wording: Wording) -> str:
    say = wording.catalogue.say
    shown: object = value
    if isinstance(value, bool):
        shown = say("invitation.on" if value else "invitation.off")
    label = wording.word("option", name) if wording.has("option", name) else name
    return say("invitation.option", name=label, value=shown)
