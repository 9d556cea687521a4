"""Short answers of the core, from ``old-code`` to ``message``: keys, fields, mails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from referee.games.game import MOST_SUGGESTIONS, Options, Order, Refusal, Scene, Seat
from referee.render.common import subject
from referee.render.layout import clean, clean_lines
from referee.render.parts import NAME_LENGTH, reason_of
from referee.render.sheets import NO_FRAMING, Content, Framing, Sheet, bound, draw
from referee.render.wording import Catalogue, Wording, catalogue_of

ANSWERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "acted": "match by text seat ordered?",
        "address-added": "address preferred",
        "address-asked": "address days",
        "address-confirmed": "address",
        "address-later": "address",
        "address-removed": "address",
        "address-taken": "address",
        "agreed": "waiting? free? promised?",
        "away-cancel": "first last year left entries",
        "away-list": "year left entries",
        "away-noted": "first last year left entries",
        "away-wrong": "what",
        "called-off": "match by text",
        "came-back": "",
        "clocks-changed": "match by text what seat? who? whom? first? last? to_act? due?",
        "codes-disagree": "",
        "confirm": "lines days",
        "confirm-address": "who days",
        "declined": "who?",
        "doubtful": "lines",
        "ended": "match by text how",
        "extended": "match by text to_act span due?",
        "foreign-code": "",
        "help": "",
        "late": "turn order",
        "late-other": "seat who",
        "late-resigned": "turn",
        "late-waits": "turn",
        "join-drawn": "named",
        "join-none": "named? open?",
        "join-seated": "named",
        "join-taken": "named seat open",
        "leave-begun": "",
        "leave-closed": "",
        "left": "named",
        "looked": "match by text",
        "luck-asked": "when hash",
        "luck-closed": "",
        "luck-forfeited": "",
        "luck-noted": "words",
        "luck-promised": "hash",
        "luck-told": "words",
        "luck-too-late": "",
        "luck-unfit": "words hash",
        "luck-unread": "words waits",
        "match-not-begun": "waiting?",
        "match-over": "state?",
        "match-paused": "match by since text",
        "matches": "matches",
        "message": "sender text seat? to_all?",
        "message-address": "",
        "message-cut": "",
        "message-empty": "",
        "message-held": "",
        "message-many": "most",
        "message-sent": "to named?",
        "message-unsent": "named open? like? to?",
        "moved": "match by text",
        "no-code": "",
        "no-orders": "lines? written?",
        "not-seated": "named",
        "note-cleared": "",
        "note-kept": "lines",
        "note-many": "most",
        "not-proved": "missing address",
        "not-asked": "",
        "not-your-turn": "",
        "old-code": "turn now",
        "organiser-note": "text",
        "out-of-reach": "who",
        "paused": "match by text",
        "preview": "orders accepted stopped? unreadable? at?",
        "quarantined": "reason?",
        "reminded": "match by text turn due?",
        "repeat": "turn?",
        "resumed": "match by text to_act? due?",
        "question-declined": "",
        "question-old": "",
        "resigned": "bot? ended?",
        "resigned-other": "who seat bot? ended?",
        "resent": "match by text",
        "rules": "name? blocks?",
        "schema": "faults",
        "seat-changed": "match by text seat who whom",
        "seat-left": "match by text seat whom invited?",
        "seat-passed-on": "back?",
        "seat-taken": "match by text seat who holders until?",
        "set-done": "what value",
        "set-wrong": "what value known?",
        "show": "turn? to_act? asked?",
        "stop-nothing": "named?",
        "stopped": "to digest",
        "taken-back": "turn now when kind",
        "stand-in": "match by text seat who whom first last",
        "stand-in-off": "match by text seat who",
        "stand-in-over": "match by text seat who whom",
        "too-large": "bytes? limit?",
        "too-long": "most",
        "too-many": "most lines",
        "two-sets": "lines?",
        "watch-none": "named open?",
        "watch-over": "named",
        "watch-seated": "named",
        "watching": "named",
        "welcome": "name",
        "which-match": "word open?",
        "unclear": "lines written word? meant? question? turn?",
        "undo-agreed": "turn waiting?",
        "undo-asked": "turn seat who when",
        "undo-asking": "turn when to? to_one?",
        "undo-declined": "who? moved? over?",
        "undo-not": "why turn?",
        "wrong-match": "named?",
    }
)
"""Every answer and the fields it takes besides ``match``. Those with ``?`` may be left out.

``by`` is who did it, ``organiser``, ``referee`` or a seat, and ``text`` then why; ``text`` is a
foreign text of several lines, ``lines`` and ``orders`` are lines of text; ``question`` are lines of
commands; ``written`` are pairs of a command and what it is about; ``unreadable`` are pairs of a
line and why; ``accepted`` counts the orders that would be accepted; ``faults`` are ``{"path",
"message"}``; ``blocks`` are those of the short rules; ``matches`` are ``{"match", "game", "seat"}``
and perhaps ``turn``, ``to_act``, ``asked`` (whether that seat is to answer within another's turn)
and ``state``; ``waiting``, ``to``, ``open`` and ``known`` are lists of names; ``due`` is worded;
``bytes`` and ``limit`` are in bytes; ``most`` counts messages, notes, lines or commands.
"""

_WRITING: Final = MappingProxyType(
    dict.fromkeys(("message", "message-held", "message-sent", "organiser-note"), "message")
    | dict.fromkeys(("message-address", "message-cut", "message-empty", "message-many"), "message")
    | dict.fromkeys(("ended", "extended", "paused", "resent", "resumed", "seat-changed"), "message")
    | dict.fromkeys(("clocks-changed", "stand-in", "stand-in-off", "stand-in-over"), "message")
    | dict.fromkeys(
        (
            "agreed",
            "confirm",
            "confirm-address",
            "declined",
            "luck-asked",
            "luck-noted",
            "luck-promised",
            "luck-unfit",
            "luck-unread",
            "match-not-begun",
            "undo-asked",
        ),
        "answer",
    )
)
MOST_PREVIEWED: Final = 3
"""Legal orders a preview names where one would be refused."""

_WITH_COMMANDS: Final = frozenset({"help"})
_SEATS: Final = frozenset({"seat", "to_act"})
_ACTORS: Final = frozenset({"by"})
_SIZES: Final = frozenset({"bytes", "limit"})
_NAMES: Final = frozenset({"holders", "known", "open", "question", "to", "waiting"})
_WITH_ORDERS: Final = frozenset({"help", "no-orders", "rules", "schema"})


class UnknownAnswer(LookupError):
    """There is no such answer, or it does not take these fields."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the core: key, fields, and things to show.

    :data:`ANSWERS` lists the fields. ``match``, ``game_name`` and ``seat`` make the subject that
    threads with the match's other mails (without ``match`` the field of that name counts, without
    ``game_name`` the game's own words); ``scene``, ``refusal`` and ``legal`` are shown where given.
    ``acts``: whether the seat is to act, and is asked for orders, or may only write to others;
    None: the key decides. ``waits``: it is not the seat's turn, so that orders would be in advance.
    ``turn`` is a sentence about whose turn it is; ``options`` are the match's.
    """

    key: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    match: str | None = None
    game_name: str | None = None
    seat: Seat | None = None
    scene: Scene | None = None
    legal: tuple[Order, ...] = ()
    refusal: Refusal | None = None
    framing: Framing | None = None
    acts: bool | None = None
    waits: bool = False
    turn: str | None = None
    options: Options | None = None


def answer(words: Wording | Catalogue, value: Answer) -> Content:
    """Return an answer of the core as a mail. Raises as :func:`answer_sheet` does."""
    return bound(answer_sheet(words, value))


def answer_sheet(words: Wording | Catalogue, value: Answer) -> Sheet:
    """Return an answer of the core as a mail's part.

    It may also be a whole mail. ``words`` is a game's wording where the answer shows something of a
    game. Raises UnknownAnswer when the key is unknown or the fields are not those it takes, and
    TypeError when a scene, orders or a refusal come without a game's wording.
    """
    catalogue = catalogue_of(words)
    fields = _complete(value)
    text = catalogue.say(f"answer.{value.key}", **_worded(fields, words))
    headline, *paragraphs = text.split("\n\n")
    shown = _shown(words, value)
    parts = {
        "paragraphs": [*paragraphs, *_remarks(fields, catalogue), *filter(None, [value.turn])],
        "quoted": _quoted(fields),
        "how": catalogue.say(f"box.{_writing(value)}"),
        "items": _items(fields, words),
        "orders": _previewed(fields, shown["refusal"], catalogue),
        "commands": _commands(fields, value.key, catalogue),
        "blocks": fields.get("blocks") or (),
        "help_orders": _help_orders(words, value),
        **(shown | ({"refusal": None} if value.key == "preview" else {})),
    }
    framing = value.framing or NO_FRAMING
    about = _subject(words, value, fields)
    return Sheet("answer", about, headline, framing, catalogue, parts)


def _writing(value: Answer) -> str:
    """Return the kind of reply expected. Orders, a message, or just an answer."""
    writing = _WRITING.get(value.key, "queue" if value.waits else "orders")
    if value.acts is None or writing == "answer":
        return writing
    return "orders" if value.acts else "message"


def _complete(value: Answer) -> dict[str, Any]:
    """Return the fields, with None for the optional ones left out."""
    if value.key not in ANSWERS:
        raise UnknownAnswer(f"there is no answer {value.key!r}")
    known = ["match?", *ANSWERS[value.key].split()]
    complete: dict[str, Any] = {each.rstrip("?"): None for each in known}
    needed = {each for each in known if not each.endswith("?")}
    missing, unknown = needed - set(value.fields), set(value.fields) - set(complete)
    if missing or unknown:
        wrong = ", ".join(sorted(missing | unknown))
        raise UnknownAnswer(f"answer {value.key!r}: missing or unknown fields: {wrong}")
    return complete | dict(value.fields)


def _worded(fields: Mapping[str, Any], words: Wording | Catalogue) -> dict[str, Any]:
    """Return a sentence's fields worded. Seats by name, sizes in kB, names enumerated."""
    worded = {name: each for name, each in fields.items() if name != "text"}
    worded |= {name: _seat(worded[name], words) for name in _SEATS & worded.keys()}
    worded |= {name: _actor(worded[name], words) for name in _ACTORS & worded.keys()}
    worded |= {name: _kilobytes(worded[name]) for name in _SIZES & worded.keys()}
    worded |= {name: _names(worded[name], words) for name in _NAMES & worded.keys()}
    if "game" not in worded and isinstance(words, Wording):
        worded["game"] = words.word("game", "name")
    return {"game": None, **worded}


def _seat(value: str | None, words: Wording | Catalogue) -> str | None:
    known = value and isinstance(words, Wording) and words.has("seat", value)
    return words.seat(value) if known and isinstance(words, Wording) and value else value


def _actor(value: str | None, words: Wording | Catalogue) -> str | None:
    """Return the actor's name: organiser, referee, or a seat."""
    catalogue = catalogue_of(words)
    if value and catalogue.has(f"by.{value}"):
        return catalogue.say(f"by.{value}")
    return _seat(value, words)


def _kilobytes(count: int | None) -> int | None:
    return None if count is None else -(-count // 1000)


def _names(names: Sequence[str] | None, words: Wording | Catalogue) -> str:
    return catalogue_of(words).joined(clean(each, NAME_LENGTH) for each in names or ())


def _subject(words: Wording | Catalogue, value: Answer, fields: Mapping[str, Any]) -> str:
    catalogue = catalogue_of(words)
    match = value.match or fields["match"]
    if match and isinstance(words, Wording):
        return subject(match, value.game_name, value.seat, words)
    return catalogue.say("subject.plain", title=catalogue.say(f"title.{value.key}"))


def _remarks(fields: Mapping[str, Any], catalogue: Catalogue) -> list[str]:
    remarks = []
    if fields.get("waiting"):
        names = _names(fields["waiting"], catalogue)
        remarks.append(catalogue.say("label.waiting", names=names))
    if fields.get("reason"):
        remarks.append(catalogue.say("label.reason", reason=fields["reason"]))
    return remarks


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
        fate = "fine" if n < fields["accepted"] else "unknown"
        if wrong and not (reason and n == at):
            fate = "hindered"
        elif reason and n >= at:
            fate = "refused" if n == at else "hindered"
        elif n == fields["accepted"] and not fields["stopped"]:
            fate = "refused"
        lines.append((clean(order), catalogue.say(f"preview.{fate}", reason=reason)))
    return lines


def _items(fields: Mapping[str, Any], words: Wording | Catalogue) -> list[str]:
    catalogue = catalogue_of(words)
    faults = [_fault(each, catalogue) for each in fields.get("faults") or ()]
    entries = [str(each) for each in fields.get("entries") or ()]
    return faults + entries + [_match(each, words) for each in fields.get("matches") or ()]


def _fault(fault: Mapping[str, str], catalogue: Catalogue) -> str:
    key = "label.fault" if fault["path"] else "label.fault_top"
    return catalogue.say(key, path=fault["path"], message=fault["message"])


def _match(fields: Mapping[str, Any], words: Wording | Catalogue) -> str:
    catalogue = catalogue_of(words)
    known: dict[str, Any] = dict.fromkeys(("turn", "to_act", "asked", "state", "due"))
    known |= fields
    mine = known["to_act"] is not None and known["to_act"] == known["seat"]
    if known["state"] and catalogue.has(f"state.{known['state']}"):
        known["state"] = catalogue.say(f"state.{known['state']}")
    known |= {name: _seat(known[name], words) for name in ("seat", "to_act")}
    return catalogue.say("label.match", **known, mine=mine)


def _commands(
    fields: Mapping[str, Any], key: str, catalogue: Catalogue
) -> Sequence[tuple[str, str]]:
    """Return the commands an answer lists: all, or those it names."""
    if key in _WITH_COMMANDS:
        return catalogue.commands
    return [(order, about) for order, about in fields.get("written") or ()]


def _help_orders(words: Wording | Catalogue, value: Answer) -> Sequence[tuple[str, str]]:
    instead = value.key == "no-orders" and value.fields.get("written")
    if value.key not in _WITH_ORDERS or instead or not isinstance(words, Wording):
        return []
    policies = words.help_policies(value.options) if value.key in {"help", "rules"} else []
    return words.help_orders(value.options, value.legal) + policies


def _shown(words: Wording | Catalogue, value: Answer) -> dict[str, Any]:
    """Return the drawing, refusal and legal orders that an answer shows."""
    most = MOST_PREVIEWED if value.key == "preview" else MOST_SUGGESTIONS
    legal = value.legal or (value.refusal.legal if value.refusal else ())
    if not isinstance(words, Wording):
        if value.scene or value.refusal or legal:
            raise TypeError("a scene, orders and a refusal are worded by a game")
        return {"drawing": None, "refusal": None, "legal": []}
    return {
        "drawing": draw(value.scene, words) if value.scene else None,
        "refusal": reason_of(value.refusal, words) if value.refusal else None,
        "legal": [words.order(each) for each in legal[:most]],
    }
