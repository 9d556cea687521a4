"""Invitations to take a seat, with all that was agreed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from referee.games.game import Seat
from referee.render.common import NAME_LENGTH, subject, subject_alone
from referee.render.content import PLAIN, Content, Framing
from referee.render.layout import capital, clean
from referee.render.words.rules import Block
from referee.render.words.wording import Wording
from referee.value import Value

_REPLIES: Final = {"invited": ("agree", "decline"), "joining": ("yes", "no"), "joined": ("leave",)}
"""The possible replies at each stage."""


class Invitation(Value):
    """The content of an invitation to a seat.

    ``names`` holds a name for every seat, empty while it is free; ``commitment`` is the SHA-256 of
    the seed in hex; ``time`` are sentences about what was agreed on it. ``stage`` is "invited", or
    in a match that players join "joining" before they have said yes (then ``seat`` is the one they
    asked for, None: any, and ``drawn`` tells that it is drawn by lot), and "joined" after it.
    ``words`` are the player's for the seed: kept after joining, too early before it. ``club``
    invites, by its ``organiser``'s address if it has named one; ``introduction`` is that of the
    game.
    """

    match: str
    seat: Seat | None
    names: Mapping[Seat, str]
    options: Mapping[str, str | int | bool]
    commitment: str
    time: tuple[str, ...]
    starts_at_once: bool
    practice: bool
    club: str
    organiser: str | None = None
    introduction: tuple[Block, ...] = ()
    stage: Literal["invited", "joining", "joined"] = "invited"
    drawn: bool = False
    words: str | None = None


def invitation_content(wording: Wording, value: Invitation, framing: Framing) -> Content:
    """Return an invitation to a seat as a mail or its part."""
    catalogue, say, stage = wording.catalogue, wording.catalogue.say, value.stage
    game, joined = wording.word("game", "name"), stage == "joined"
    lines = [say(f"invitation.{reply}") for reply in _REPLIES[stage]]
    at_once = "headline_at_once" if value.starts_at_once else "headline"
    key = at_once if stage == "invited" else f"headline_{stage}"
    sentence = say(
        f"invitation.{key}", club=clean(value.club, NAME_LENGTH), game=game, match=value.match
    )
    if value.seat is not None:
        yours = "asked_seat" if stage == "joining" else "you_are"
        you_are = say(f"invitation.{yours}", seat=wording.seat(value.seat))
    else:
        you_are = say("invitation.a_drawn_seat" if value.drawn else "invitation.a_seat")
    # Where seats are free it does not suffice that those invited agree.
    start = "later" if stage == "invited" and all(value.names.values()) else "when_full"
    chance = wording.game.uses_chance(value.options)
    parts = {
        "organiser": value.organiser or "",
        # Who begins at once reads it in the report that comes with this mail.
        "blocks": () if value.starts_at_once else value.introduction,
        "you_are": you_are,
        "seats": [
            say(
                "invitation.seat" if name else "invitation.open_seat",
                seat=capital(wording.seat(seat)),
                name=clean(name, NAME_LENGTH),
            )
            for seat, name in value.names.items()
        ],
        "options": wording.options(value.options),
        "time": value.time,
        "at_once": value.starts_at_once,
        "starts": say(f"invitation.{'at_once' if value.starts_at_once else start}"),
        "answer": say("invitation.answer_joined" if joined else "invitation.answer"),
        "lines": lines,
        "words": [clean(value.words)] if value.words and joined else [],
        "about_words": say(f"invitation.words_{stage}") if value.words else "",
        # They come before the yes, as that may begin the match.
        "own_words": [f"{catalogue.keyword('luck')} ", *([] if joined else lines[:1])],
        "asks": "answer",
        "practice": value.practice,
        "commitment": value.commitment if value.drawn or chance else "",
    }
    news = say(f"news.{key}", game=game)
    about = subject(value.match, value.seat, value.names, wording)
    return Content(
        "invitation",
        # Who asks has no seat yet, and so no thread that the question could belong to.
        subject_alone(value.match, news) if stage == "joining" else about,
        sentence,
        [news],
        framing,
        catalogue,
        parts,
        look=PLAIN,
    )
