"""The invitation: what somebody is asked who may take a seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from referee.games.game import Seat
from referee.render.common import subject
from referee.render.layout import capital, clean
from referee.render.moments import span
from referee.render.parts import NAME_LENGTH
from referee.render.sheets import Content, Framing, write
from referee.render.wording import Wording


@dataclass(frozen=True, slots=True)
class Invitation:
    """What somebody is asked who may take a seat.

    ``names`` holds a name for every seat, empty while it is free; ``commitment`` is the SHA-256
    of the seed in hex; ``time_per_turn`` is in seconds, None: no limit.
    """

    match: str
    game_name: str
    seat: Seat
    names: Mapping[Seat, str]
    options: Mapping[str, str | int | bool]
    commitment: str
    time_per_turn: int | None
    zone: str
    starts_at_once: bool
    practice: bool
    inviter: str | None = None


def invitation(wording: Wording, value: Invitation, framing: Framing) -> Content:
    """Return the mail that asks somebody to take a seat."""
    say = wording.catalogue.say
    time = say("time.none")
    if value.time_per_turn is not None:
        length = timedelta(seconds=value.time_per_turn)
        time = say("time.per_turn", span=span(length, wording.catalogue))
    return write(
        "invitation",
        subject(value.match, value.game_name, value.seat, wording),
        say(
            "invitation.headline_at_once" if value.starts_at_once else "invitation.headline",
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
        at_once=value.starts_at_once,
        starts=say("invitation.at_once" if value.starts_at_once else "invitation.later"),
        how=say("box.answer"),
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
