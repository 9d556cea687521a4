"""The core's short answers, from ``old-code`` to ``message``: keys, their fields, and the mail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from referee.games.game import Order, Scene, Seat
from referee.render.layout import clean, clean_lines
from referee.render.mails import subject
from referee.render.sheets import NO_FRAMING, Content, Framing, draw, write
from referee.render.wording import Catalogue, Wording, catalogue_of

ANSWERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "agreed": "seat? waiting?",
        "away": "first? last?",
        "begun": "commitment?",
        "cancelled": "",
        "codes-disagree": "",
        "confirm": "word what",
        "declined": "who?",
        "foreign-code": "",
        "help": "",
        "joined": "seat?",
        "luck-noted": "text?",
        "luck-too-late": "",
        "match-not-begun": "waiting?",
        "match-over": "",
        "match-paused": "reason?",
        "matches": "matches",
        "message": "sender seat? to_all? text",
        "message-sent": "to text?",
        "no-code": "",
        "no-orders": "",
        "not-json": "line? column? message?",
        "not-possible": "reason?",
        "not-your-turn": "to_act due?",
        "note-kept": "text?",
        "old-code": "then now",
        "organiser-note": "text",
        "preview": "fine lines? stopped?",
        "quarantined": "reason?",
        "repeat": "turn?",
        "resigned": "who?",
        "rules": "game? url?",
        "schema": "faults",
        "settings": "what value",
        "show": "turn?",
        "standing": "lines?",
        "stopped": "",
        "too-large": "limit size?",
        "two-sets": "lines?",
        "undo-asked": "who turn",
        "undone": "turn reason?",
        "watching": "",
        "withdrawn": "",
        "wrong-match": "named?",
    }
)
"""Every answer and the fields it takes; those with a question mark may be left out.

``text`` is a foreign text of several lines; ``lines`` are lines of text; ``faults`` a list of
``{"path", "message"}``; ``matches`` one of ``{"match", "game", "seat"}`` and perhaps ``turn`` and
``status``; ``waiting`` a list of names; sizes are in kB. Seats and times come worded.
"""

_WITH_COMMANDS: Final = frozenset({"help"})
_WITH_ORDERS: Final = frozenset({"help", "no-orders", "not-json", "schema"})


class UnknownAnswer(LookupError):
    """There is no such answer, or it does not take these fields."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the core: its key, its fields as :data:`ANSWERS` lists them.

    ``match``, ``game_name`` and ``seat`` make the subject that threads with the match's other
    mails; ``scene`` and ``legal`` are shown where given.
    """

    key: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    match: str | None = None
    game_name: str | None = None
    seat: Seat | None = None
    scene: Scene | None = None
    legal: tuple[Order, ...] = ()
    framing: Framing | None = None


def answer(words: Wording | Catalogue, value: Answer) -> Content:
    """Return an answer of the core as a mail.

    ``words`` is a game's wording where the answer shows something of a game. Raises
    UnknownAnswer when the key is unknown or the fields are not those it takes, and TypeError
    when a scene or orders come without a game's wording.
    """
    catalogue = catalogue_of(words)
    fields = _complete(value)
    text = catalogue.say(f"answer.{value.key}", **_plain(fields))
    headline, *paragraphs = text.split("\n\n")
    return write(
        "answer",
        _subject(words, value),
        headline,
        value.framing or NO_FRAMING,
        catalogue,
        paragraphs=paragraphs + _remarks(fields, catalogue),
        quoted=_quoted(fields),
        items=_items(fields, catalogue),
        commands=catalogue.commands if value.key in _WITH_COMMANDS else [],
        help_orders=_help_orders(words, value.key),
        **_shown(words, value),
    )


def _complete(value: Answer) -> dict[str, Any]:
    """Return the fields with None for what may be left out."""
    if value.key not in ANSWERS:
        raise UnknownAnswer(f"there is no answer {value.key!r}")
    known = ANSWERS[value.key].split()
    complete: dict[str, Any] = {each.rstrip("?"): None for each in known}
    needed = {each for each in known if not each.endswith("?")}
    missing, unknown = needed - set(value.fields), set(value.fields) - set(complete)
    if missing or unknown:
        wrong = ", ".join(sorted(missing | unknown))
        raise UnknownAnswer(f"answer {value.key!r}: missing or unknown fields: {wrong}")
    return complete | dict(value.fields)


def _plain(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in fields.items() if name != "text"}


def _subject(words: Wording | Catalogue, value: Answer) -> str:
    catalogue = catalogue_of(words)
    if value.match is None or value.game_name is None:
        return catalogue.say("subject.plain", title=catalogue.say(f"title.{value.key}"))
    if isinstance(words, Wording):
        return subject(value.match, value.game_name, value.seat, words)
    return catalogue.say("subject.match", match=value.match, game=value.game_name)


def _remarks(fields: Mapping[str, Any], catalogue: Catalogue) -> list[str]:
    remarks = []
    if waiting := fields.get("waiting"):
        names = catalogue.joined(clean(each, 40) for each in waiting)
        remarks.append(catalogue.say("label.waiting", names=names))
    if reason := fields.get("reason"):
        remarks.append(catalogue.say("label.reason", reason=reason))
    return remarks


def _quoted(fields: Mapping[str, Any]) -> list[str]:
    if fields.get("text"):
        return list(clean_lines(fields["text"]))
    return [clean(each) for each in fields.get("lines") or ()]


def _items(fields: Mapping[str, Any], catalogue: Catalogue) -> list[str]:
    faults = [_fault(each, catalogue) for each in fields.get("faults") or ()]
    matches = [
        catalogue.say("label.match", **({"turn": None, "status": None} | dict(each)))
        for each in fields.get("matches") or ()
    ]
    return faults + matches


def _fault(fault: Mapping[str, str], catalogue: Catalogue) -> str:
    key = "label.fault" if fault["path"] else "label.fault_top"
    return catalogue.say(key, path=fault["path"], message=fault["message"])


def _help_orders(words: Wording | Catalogue, key: str) -> Sequence[tuple[str, str]]:
    return words.help_orders if key in _WITH_ORDERS and isinstance(words, Wording) else []


def _shown(words: Wording | Catalogue, value: Answer) -> dict[str, Any]:
    """Return the drawing and the legal orders an answer shows."""
    if value.scene is None and not value.legal:
        return {"drawing": None, "legal": []}
    if not isinstance(words, Wording):
        raise TypeError("a scene or orders are worded by a game")
    drawing = draw(value.scene, words) if value.scene else None
    return {"drawing": drawing, "legal": [words.order(each) for each in value.legal]}
