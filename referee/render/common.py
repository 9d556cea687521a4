"""Sentences common to a seat's mails: subject, turn, closing notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from referee.games.game import Scene, Seat
from referee.render.drawings.changes import Changes
from referee.render.drawings.drawing import Drawing, draw_scene
from referee.render.layout import DOT, capital, clean
from referee.render.parts import NAME_LENGTH, deadline_fields, seat_and_player
from referee.render.words.wording import Catalogue, Wording
from referee.resources import keywords
from referee.value import Value


class TurnFacts(Value, kw_only=True):
    """The facts about a turn that report and receipt share.

    ``names`` are the holders of the seats. Without a ``seat`` it is for a spectator. ``now`` lets
    the remaining time be told. ``pictured``: the board is drawn as a picture too.
    """

    match: str
    seat: Seat | None
    turn: int
    to_act: Seat | None
    due: datetime | None
    zone: str
    names: Mapping[Seat, str]
    now: datetime | None = None
    pictured: bool = False


MOST_NAMED: Final = 16
"""Changed spaces that the words for a picture name."""


def draw_board(value: TurnFacts, scene: Scene, changes: Changes, wording: Wording) -> Drawing:
    """Return the board, with changes pointed out; as a picture too if the mail shows pictures.

    The words that stand for the picture have below 250 characters.
    """
    alt = None
    if value.pictured and not scene.is_bare:
        changed = list(changes.numbers)
        alt = wording.catalogue.say(
            "board.alt",
            lattice=scene.lattice,
            match=value.match,
            turn=value.turn,
            changed=", ".join(changed[:MOST_NAMED]),
            more=len(changed) - MOST_NAMED,
        )
    return draw_scene(scene, wording, changes, alt)


MOST_OPPONENTS: Final = 3
"""Players whom a subject names."""


def subject(match: str, seat: Seat | None, names: Mapping[Seat, str], wording: Wording) -> str:
    """Return the subject of all mails to a seat about a match: ``[nord-1] Nord with bob``.

    It is constant while no seat changes hands, so that mails thread.
    """
    say = wording.catalogue.say
    others = [
        clean(name, NAME_LENGTH) or wording.seat(other)
        for other, name in names.items()
        if other != seat
    ]
    if len(others) > MOST_OPPONENTS:
        key = "subject.more" if seat else "subject.more_match"
        more = say(key, n=len(others) - MOST_OPPONENTS + 1)
        others = [*others[: MOST_OPPONENTS - 1], more]
    return say(
        "subject.seat" if seat else "subject.match",
        match=match,
        game=wording.word("game", "name"),
        others=wording.catalogue.joined(others),
    )


def turn_sentence(
    value: TurnFacts,
    scene: Scene | None,
    wording: Wording,
    yours: str = "turn.yours",
    *,
    brief: bool = False,
) -> str:
    """Say the seat to act, until when, and how long that is.

    ``scene`` tells what it is asked, and what ends its turn. ``brief``: a near day is told without
    its year.
    """
    fields = deadline_fields(value.due, value.zone, value.now, wording, brief=brief)
    return whose_turn(
        wording, value.seat, value.to_act, value.names, fields, scene=scene, yours=yours
    )


def turn_news(
    value: TurnFacts, scene: Scene | None, wording: Wording, yours: str = "news.yours"
) -> str:
    """Say in a few words which seat is to act, or that none is."""
    if value.to_act is None:
        return wording.catalogue.say("news.over")
    seat = wording.seat(value.to_act)
    key = yours if value.to_act == value.seat else "news.theirs"
    asked, begun = (scene.asked, scene.begun) if scene else (None, False)
    return wording.catalogue.say(f"{key}_asked" if asked else key, seat=seat, begun=begun)


def whose_turn(
    wording: Wording,
    seat: Seat | None,
    to_act: Seat | None,
    names: Mapping[Seat, str],
    fields: Mapping[str, str | None],
    *,
    scene: Scene | None = None,
    yours: str = "turn.yours",
) -> str:
    """Name the seat to act, from a seat's point of view.

    If the seat is asked within another's turn, the sentence also tells about what.
    """
    if to_act is None:
        return wording.catalogue.say("turn.over")
    mine = to_act == seat
    key = yours if mine else "turn.theirs"
    who_acts = wording.seat(to_act) if mine else capital(seat_and_player(to_act, names, wording))
    if scene is None or scene.asked is None:
        ends = turn_end(scene, wording)
        return wording.catalogue.say(key, seat=who_acts, **ends, **fields)
    question = wording.sentence(scene.asked)
    return wording.catalogue.say(f"{key}_asked", seat=who_acts, question=question, **fields)


def turn_end(scene: Scene | None, wording: Wording) -> dict[str, Any]:
    """Return the line that ends the turn shown, and whether anything was done in it yet."""
    if scene is None or scene.ends is None:
        return {"ends": "", "begun": False}
    return {"ends": wording.order(scene.ends), "begun": scene.begun}


def about(value: TurnFacts, wording: Wording) -> str:
    """Return the game, match, turn and seat of a mail."""
    return wording.catalogue.say(
        "report.about" if value.seat else "report.watched",
        game=wording.word("game", "name"),
        match=value.match,
        turn=value.turn,
        seat=wording.seat(value.seat) if value.seat else "",
    )


def closing_notes(wording: Wording, head: str) -> list[str]:
    """Return the closing notes of a mail to a seat: the log's head, and where to find help."""
    say = wording.catalogue.say
    return ([say("foot.head", head=head)] if head else []) + [say("foot.help")]


_SENTENCE_END: Final = re.compile(r"(?:(?<=[^\s\d][^\s\d])|(?<=-\d))([.!?]) (?=[^\W\d_a-z])")
"""The end of a sentence within a text; behind a digit it would be a German date."""


def parted(text: str, given: Iterable[object] = ()) -> str:
    """Return a text with a line break behind its first sentence.

    ``given`` are the fields it was filled with: a name such as “Dr. No” is parted nowhere.
    """
    masked = text
    for value in given:
        name = clean(value) if isinstance(value, str) else ""
        if len(name) <= NAME_LENGTH and _SENTENCE_END.search(name):
            masked = masked.replace(name, "x" * len(name))
    end = _SENTENCE_END.search(masked)
    return text if end is None else f"{text[: end.end(1)]}\n{text[end.end() :]}"


def part_title(key: str, catalogue: Catalogue) -> str:
    """Return the heading of an answer beside others; empty without one.

    One that begins like a command bears our dot, as no quoted heading may be read as one.
    """
    if not catalogue.has(key):
        return ""
    title = capital(catalogue.say(key))
    first = title.split(maxsplit=1)[0].casefold()
    return f"{DOT}{title}" if first in keywords("keyword") else title
