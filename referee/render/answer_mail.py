"""Answers of the core as mails, or as parts of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any, Final, Literal

from msgspec import field

from referee.games.game import MOST_SUGGESTIONS, Options, Seat
from referee.render.answers import Answer, Listed, WordedFault
from referee.render.common import part_title, parted, subject, turn_end
from referee.render.content import NO_FRAMING, PLAIN, REFUSED, Content, Framing, Head
from referee.render.drawings.drawing import draw_scene
from referee.render.grids import beside_board
from referee.render.layout import capital, clean, clean_lines
from referee.render.parts import NAME_LENGTH, reason_of
from referee.render.words.wording import Catalogue, Wording, catalogue_of
from referee.value import Value, asdict

_SEATS: Final = frozenset({"seat", "to_act"})
_NAMES: Final = frozenset(
    {"games", "holders", "open", "orders_in", "others", "question", "to", "waiting"}
)
_SHOWN: Final = frozenset(
    {"answers", "corrected", "legal", "options", "refusal", "scene", "sets", "text"}
)
"""Fields that stand beside the sentence and not in it."""

_WITH_ORDERS: Final = frozenset({"help", "no-orders", "rules", "schema"})
_QUESTIONS: Final = frozenset(
    {
        "agreed",
        "confirm",
        "confirm-address",
        "declined",
        "luck-noted",
        "luck-unread",
        "match-not-begun",
        "undo-asked",
    }
)
"""Answers whose reader has something to say other than orders."""

_REFUSING: Final = frozenset(
    {
        "address-later",
        "address-taken",
        "away-wrong",
        "codes-disagree",
        "doubtful",
        "damaged",
        "encrypted",
        "foreign-code",
        "held-both",
        "join-drawn",
        "join-none",
        "join-seated",
        "join-taken",
        "leave-begun",
        "leave-closed",
        "luck-too-late",
        "luck-unread",
        "match-not-begun",
        "match-over",
        "match-paused",
        "message-address",
        "message-cut",
        "message-empty",
        "message-held",
        "message-long",
        "message-many",
        "message-unsent",
        "no-code",
        "no-orders",
        "not-asked",
        "not-proved",
        "not-seated",
        "not-your-turn",
        "note-many",
        "old-code",
        "other-history",
        "preview-not",
        "quarantined",
        "question-old",
        "schema",
        "seat-passed-on",
        "set-wrong",
        "several-turns",
        "stop-nothing",
        "taken-back",
        "too-large",
        "too-long",
        "too-many",
        "two-sets",
        "which-yes",
        "unclear",
        "undo-not",
        "watch-none",
        "watch-over",
        "watch-seated",
        "which-match",
        "wrong-match",
    }
)
"""Answers that say what was not done, and why."""

_REPLIES: Final[Mapping[str, Sequence[str]]] = MappingProxyType(
    {
        **dict.fromkeys(["confirm", "confirm-address"], ("yes", "no")),
        "undo-asked": ("agree", "decline"),
    }
)
"""The words that answer a question."""

_MESSAGES: Final = frozenset(
    f"message-{what}"
    for what in ("address", "cut", "empty", "held", "long", "many", "sent", "unsent")
)
"""Answers whose reader may have another message to write."""


class About(Value):
    """The seat an answer is about, and the reply asked for.

    "queue" stands for orders in advance, "answer" for any words. ``turn`` is a sentence about
    whose turn it is; ``options`` are the match's, ``names`` the holders of its seats.
    """

    match: str
    seat: Seat
    asks: Literal["orders", "queue", "message", "answer"] = "orders"
    turn: str | None = None
    options: Options | None = None
    names: Mapping[Seat, str] = field(default_factory=dict)


def answer_content(
    words: Wording | Catalogue,
    value: Answer,
    framing: Framing = NO_FRAMING,
    about: About | None = None,
) -> Content:
    """Return an answer of the core as a mail or its part.

    ``words`` is a game's wording where the answer shows something of a game. Raises TypeError when
    a scene, orders or a refusal come without one.
    """
    catalogue, fields = catalogue_of(words), value.fields
    text = catalogue.say(f"answer.{value.key}", **_worded(fields, words))
    headline, *paragraphs = text.split("\n\n")
    colours = REFUSED if value.key in _REFUSING else PLAIN
    paragraphs += _remarks(fields, catalogue)
    shown, quoted = _shown(words, value), _quoted(fields)
    if about and about.turn:
        # The last paragraph leads on to what is quoted.
        paragraphs.insert(-1 if quoted and paragraphs else len(paragraphs), about.turn)
    live = None if value.key == "preview" else fields.get("scene")
    parts = {
        "paragraphs": paragraphs,
        "quoted": quoted,
        "asks": _asked(value, about),
        "items": _items(fields, words),
        "orders": _previewed(fields, shown["refusal"], catalogue),
        "commands": catalogue.commands if value.key == "help" else fields.get("written") or (),
        "blocks": fields.get("blocks") or (),
        "replies": _replies(value, catalogue),
        "writer": _writer(value, words),
        # The board that a preview shows has not come to be.
        **(turn_end(live, words) if isinstance(words, Wording) else {}),
        "finished": _finished(value),
        "corrected": fields.get("corrected") or (),
        "answers": fields.get("answers") or None,
        "sets": [[clean(line) for line in each] for each in fields.get("sets") or ()],
        "help_orders": _help_orders(words, value, about),
        "as_if": value.key == "preview" and fields["accepted"] > 0,
        **(shown | ({"refusal": None} if value.key == "preview" else {})),
    }
    about_it, title = _subject(words, value, about), part_title(f"title.{value.key}", catalogue)
    given = (each if isinstance(each, (list, tuple)) else [each] for each in fields.values())
    head, news = Head(parted(headline, chain.from_iterable(given)), *colours), [_news(value, words)]
    return Content(
        "answer", about_it, headline, news, framing, catalogue, parts, title=title, head=head
    )


def _news(value: Answer, words: Wording | Catalogue) -> str:
    """Return the news of an answer for its frame: its heading, if there are no other words."""
    catalogue = catalogue_of(words)
    if not catalogue.has(f"news.{value.key}"):
        return capital(catalogue.say(f"title.{value.key}"))
    # A seat that no game knows was named by a player.
    seat = str(value.fields.get("seat"))
    known = isinstance(words, Wording) and words.has("seat", seat)
    named = _seat(seat, words) if known else ""
    fields = {key: value.fields.get(key) for key in ("to_all", "to")}
    return catalogue.say(f"news.{value.key}", seat=named, **fields)


def _writer(value: Answer, words: Wording | Catalogue) -> str:
    """Return the seat that wrote to its reader alone; an answer is for nobody else."""
    private = value.key == "message" and not value.fields["to_all"]
    return _seat(value.fields["seat"], words) or "" if private else ""


def _replies(value: Answer, catalogue: Catalogue) -> list[str]:
    """Return the words that answer a question, asked or meant."""
    known = _REPLIES.get(value.key, ())
    if value.key == "no-orders" and value.fields["written"]:
        known = ("agree", "decline")
    if value.key == "unclear" and value.fields.get("meant") not in {None, "nothing"}:
        return [str(value.fields["word"])]
    if value.fields.get("ready"):
        return [str(value.fields["ready"])]
    return [catalogue.say(f"invitation.{each}") for each in known]


def _finished(value: Answer) -> Sequence[str]:
    """Return the orders of a preview that would all be accepted now."""
    fields = value.fields
    if value.key != "preview" or fields["ahead"] or fields["unreadable"]:
        return ()
    if fields["accepted"] < len(fields["orders"]):
        return ()
    return tuple(fields["orders"])


def _asked(value: Answer, about: About | None) -> str:
    """Return the kind of reply expected: orders, a message, or just an answer."""
    if value.key in _QUESTIONS:
        return "answer"
    # With nobody to write to there is no message to ask for.
    if value.key in _MESSAGES and value.fields.get("open", True):
        return "message"
    return about.asks if about else "orders"


def _worded(fields: Mapping[str, Any], words: Wording | Catalogue) -> dict[str, Any]:
    """Return a sentence's fields worded: seats and actors by name, names enumerated."""
    worded = {name: each for name, each in fields.items() if name not in _SHOWN}
    worded |= {name: _seat(worded[name], words) for name in _SEATS & worded.keys()}
    worded |= {name: _names(worded[name], words) for name in _NAMES & worded.keys()}
    if "known" in worded:
        worded["known"] = catalogue_of(words).either(worded["known"])
    if "by" in worded:
        worded["by"] = _actor(worded["by"], words)
    return worded


def _seat(value: str | None, words: Wording | Catalogue) -> str | None:
    known = value and isinstance(words, Wording) and words.has("seat", value)
    return words.seat(value) if known and isinstance(words, Wording) and value else value


def _actor(value: str, words: Wording | Catalogue) -> str | None:
    """Return the actor's name: organiser, referee, or a seat."""
    catalogue = catalogue_of(words)
    if catalogue.has(f"by.{value}"):
        return catalogue.say(f"by.{value}")
    return _seat(value, words)


def _names(names: Sequence[str], words: Wording | Catalogue) -> str:
    return catalogue_of(words).joined(clean(each, NAME_LENGTH) for each in names)


def _subject(words: Wording | Catalogue, value: Answer, about: About | None) -> str:
    if about and isinstance(words, Wording):
        return subject(about.match, about.seat, about.names, words)
    catalogue = catalogue_of(words)
    return catalogue.say("subject.plain", title=catalogue.say(f"title.{value.key}"))


def _remarks(fields: Mapping[str, Any], catalogue: Catalogue) -> list[str]:
    if not fields.get("waiting"):
        return []
    return [catalogue.say("label.waiting", names=_names(fields["waiting"], catalogue))]


def _quoted(fields: Mapping[str, Any]) -> list[str]:
    text = fields.get("text") or fields.get("words")
    if text:
        return list(clean_lines(text))
    return [clean(each) for each in fields.get("lines") or ()]


def _previewed(
    fields: Mapping[str, Any], reason: str | None, catalogue: Catalogue
) -> list[tuple[str, str]]:
    """Return the orders of a preview, each with its likely fate.

    Unreadable lines come first, since with them no other line would be played.
    """
    wrong, lines = fields.get("unreadable"), []
    for line, why in wrong or ():
        lines.append((clean(line), catalogue.say("preview.unreadable", reason=why)))
    at = fields.get("accepted", 0) if fields.get("at") is None else fields["at"]
    for n, order in enumerate(fields.get("orders") or ()):
        news = fields.get("news") and n == fields["accepted"]
        fate = "fine" if n < fields["accepted"] else "news" if news else "unknown"
        if wrong and not (reason and n == at):
            fate = "hindered"
        elif reason and n >= at:
            fate = "refused" if n == at else "hindered"
        elif n == fields["accepted"] and not fields["stopped"]:
            fate = "refused"
        lines.append((clean(order), catalogue.say(f"preview.{fate}", reason=reason)))
    return lines


def _items(fields: Mapping[str, Any], words: Wording | Catalogue) -> list[str]:
    faults = [_fault(each, catalogue_of(words)) for each in fields.get("faults") or ()]
    matches = [_match(each, words) for each in fields.get("matches") or ()]
    return [*faults, *fields.get("entries", ()), *matches]


def _fault(fault: WordedFault, catalogue: Catalogue) -> str:
    known = fault.code if catalogue.has(f"fault.{fault.code}") else "schema"
    names = fault.fields.get("names")
    worded = {"code": fault.code, **fault.fields}
    if isinstance(names, list):
        worded |= {"names": catalogue.joined(names), "count": len(names)}
    message = catalogue.say(f"fault.{known}", **worded)
    key = "label.fault" if fault.path else "label.fault_top"
    return catalogue.say(key, path=fault.path, message=message)


def _match(listed: Listed, words: Wording | Catalogue) -> str:
    catalogue = catalogue_of(words)
    state = listed.state
    if state and catalogue.has(f"state.{state}"):
        state = catalogue.say(f"state.{state}")
    mine = listed.to_act is not None and listed.to_act == listed.seat
    seats = {"seat": _seat(listed.seat, words), "to_act": _seat(listed.to_act, words)}
    return catalogue.say("label.match", **asdict(listed) | seats | {"state": state, "mine": mine})


def _help_orders(
    words: Wording | Catalogue, value: Answer, about: About | None
) -> Sequence[tuple[str, str]]:
    fields = value.fields
    instead = value.key == "no-orders" and (fields["written"] or not fields["mine"])
    if value.key not in _WITH_ORDERS or instead or not isinstance(words, Wording):
        return []
    options = about.options if about else fields.get("options")
    policies = words.help_policies(options) if value.key in {"help", "rules"} else []
    return words.help_orders(options, fields.get("legal", ())) + policies


def _shown(words: Wording | Catalogue, value: Answer) -> dict[str, Any]:
    """Return the drawing, refusal and legal orders that an answer shows."""
    scene, refusal = value.fields.get("scene"), value.fields.get("refusal")
    legal = value.fields.get("legal") or ()
    if not isinstance(words, Wording):
        if scene or refusal or legal:
            raise TypeError("a scene, orders and a refusal are worded by a game")
        return {"drawing": None, "refusal": None, "legal": []}
    return {
        **beside_board(scene, words),
        "drawing": draw_scene(scene, words) if scene else None,
        "refusal": reason_of(refusal, words) if refusal else None,
        "legal": [words.order(each) for each in legal[:MOST_SUGGESTIONS]],
    }
