"""Answers of the core as mails, or as parts of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any, Final, Literal

from msgspec import field

from referee.games.game import MOST_SUGGESTIONS, Options, Seat
from referee.games.play import allows_draws
from referee.render.answers import Answer, Listed, WordedFault
from referee.render.common import NAME_LENGTH, part_title, parted, subject, turn_end
from referee.render.content import NO_FRAMING, PLAIN, REFUSED, Content, Framing, Head
from referee.render.drawings.drawing import draw_scene
from referee.render.grids import beside_board
from referee.render.layout import capital, clean, clean_lines
from referee.render.receipts import worded_lines
from referee.render.words.wording import Catalogue, Wording, catalogue_of
from referee.value import Value, asdict

_SEATS: Final = frozenset({"seat", "to_act"})
_NAMES: Final = frozenset(
    {"games", "holders", "open", "orders_in", "others", "question", "to", "waiting"}
)
_SHOWN: Final = frozenset({"corrected", "legal", "options", "scene", "sets", "text"})
"""Fields that stand beside the sentence and not in it."""

_WITH_ORDERS: Final = frozenset({"help", "no-orders", "rules", "schema"})
_QUESTIONS: Final = frozenset(
    {
        "agreed",
        "confirm",
        "confirm-address",
        "declined",
        "draw-asked",
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
        "draw-not",
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
        **dict.fromkeys(["undo-asked", "draw-asked"], ("agree", "decline")),
    }
)
"""The words that answer a question."""


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
    catalogue, fields, key = catalogue_of(words), value.fields, value.key
    text = catalogue.say(f"answer.{key}", **_worded(fields, words))
    headline, *paragraphs = text.split("\n\n")
    if fields.get("waiting"):
        waiting = _names(fields["waiting"], catalogue)
        paragraphs.append(catalogue.say("label.waiting", names=waiting))
    written = fields.get("text") or fields.get("words")
    quoted = list(clean_lines(written) if written else map(clean, fields.get("lines") or ()))
    if about and about.turn:
        # The last paragraph leads on to what is quoted.
        paragraphs.insert(-1 if quoted and paragraphs else len(paragraphs), about.turn)
    asks: str = about.asks if about else "orders"
    if key in _QUESTIONS:
        asks = "answer"
    # There may be another message to write, but with nobody to write to there is none to ask for.
    elif key.startswith("message-") and fields.get("open", True):
        asks = "message"
    commands = fields.get("written") or ()
    if key == "help":
        # A draw is only told of where the game allows one.
        draws = isinstance(words, Wording) and allows_draws(words.game)
        draw = catalogue.keyword("draw")
        commands = [row for row in catalogue.commands if draws or row[0] != draw]
    preview = key == "preview"
    private = key == "message" and not fields["to_all"]
    shown = _shown(words, value, about)
    # Orders that would all be accepted now.
    whole = preview and fields["accepted"] == len(shown["lines"]) and not fields["ahead"]
    # The board that a preview shows has not come to be.
    live = None if preview else fields.get("scene")
    parts = {
        "paragraphs": paragraphs,
        "quoted": quoted,
        "asks": asks,
        "items": _items(fields, words),
        "commands": commands,
        "blocks": fields.get("blocks") or (),
        "replies": _replies(value, catalogue),
        "writer": _seat(fields["seat"], words) or "" if private else "",
        **(turn_end(live, words) if isinstance(words, Wording) else {}),
        "finished": [line.text for line in shown["lines"]] if whole else [],
        "corrected": fields.get("corrected") or (),
        "ignored": (),
        "sets": [[clean(line) for line in lines] for lines in fields.get("sets") or ()],
        "as_if": preview and fields["accepted"] > 0,
        **shown,
    }
    if about and isinstance(words, Wording):
        about_it = subject(about.match, about.seat, about.names, words)
    else:
        about_it = catalogue.say("subject.plain", title=catalogue.say(f"title.{key}"))
    if catalogue.has(f"news.{key}"):
        # A seat that no game knows was named by a player.
        seat = str(fields.get("seat"))
        named = words.seat(seat) if isinstance(words, Wording) and words.has("seat", seat) else ""
        to_all, to = fields.get("to_all"), fields.get("to")
        news = catalogue.say(f"news.{key}", seat=named, to_all=to_all, to=to)
    else:
        news = capital(catalogue.say(f"title.{key}"))
    filled = (entry if isinstance(entry, (list, tuple)) else [entry] for entry in fields.values())
    colours = REFUSED if key in _REFUSING else PLAIN
    return Content(
        "answer",
        about_it,
        headline,
        [news],
        framing,
        catalogue,
        parts,
        title=part_title(f"title.{key}", catalogue),
        head=Head(parted(headline, chain.from_iterable(filled)), *colours),
    )


def _replies(value: Answer, catalogue: Catalogue) -> list[str]:
    """Return the words that answer a question, asked or meant."""
    fields = value.fields
    if value.key == "unclear" and fields.get("meant") not in {None, "nothing"}:
        return [str(fields["word"])]
    if fields.get("ready"):
        return [str(fields["ready"])]
    known = _REPLIES.get(value.key, ())
    if value.key == "no-orders" and fields["written"]:
        known = ("agree", "decline")
    return [catalogue.say(f"invitation.{reply}") for reply in known]


def _worded(fields: Mapping[str, Any], words: Wording | Catalogue) -> dict[str, Any]:
    """Return a sentence's fields worded: seats and actors by name, names enumerated."""
    catalogue = catalogue_of(words)
    worded = {name: value for name, value in fields.items() if name not in _SHOWN}
    worded |= {name: _seat(worded[name], words) for name in _SEATS & worded.keys()}
    worded |= {name: _names(worded[name], catalogue) for name in _NAMES & worded.keys()}
    if "known" in worded:
        worded["known"] = catalogue.either(worded["known"])
    if "by" in worded:
        by = f"by.{worded['by']}"
        worded["by"] = catalogue.say(by) if catalogue.has(by) else _seat(worded["by"], words)
    return worded


def _seat(value: str | None, words: Wording | Catalogue) -> str | None:
    if value and isinstance(words, Wording) and words.has("seat", value):
        return words.seat(value)
    return value


def _names(names: Sequence[str], catalogue: Catalogue) -> str:
    return catalogue.joined(clean(name, NAME_LENGTH) for name in names)


def _items(fields: Mapping[str, Any], words: Wording | Catalogue) -> list[str]:
    """Return the list of an answer: faults of a document, its own entries, matches."""
    catalogue = catalogue_of(words)
    items = []
    faults: Sequence[WordedFault] = fields.get("faults") or ()
    for fault in faults:
        worded = {"code": fault.code, **fault.fields}
        names = fault.fields.get("names")
        if isinstance(names, list):
            worded |= {"names": catalogue.joined(names), "count": len(names)}
        known = fault.code if catalogue.has(f"fault.{fault.code}") else "schema"
        message = catalogue.say(f"fault.{known}", **worded)
        key = "label.fault" if fault.path else "label.fault_top"
        items.append(catalogue.say(key, path=fault.path, message=message))
    items += fields.get("entries", ())
    matches: Sequence[Listed] = fields.get("matches") or ()
    for match in matches:
        told = asdict(match)
        told |= {"seat": _seat(match.seat, words), "to_act": _seat(match.to_act, words)}
        if match.state and catalogue.has(f"state.{match.state}"):
            told["state"] = catalogue.say(f"state.{match.state}")
        mine = match.to_act is not None and match.to_act == match.seat
        items.append(catalogue.say("label.match", **told, mine=mine))
    return items


def _shown(words: Wording | Catalogue, value: Answer, about: About | None) -> dict[str, Any]:
    """Return the things of a game an answer shows: board, lines, legal orders, examples."""
    fields = value.fields
    scene, legal = fields.get("scene"), fields.get("legal") or ()
    if not isinstance(words, Wording):
        if scene or legal:
            raise TypeError("a scene and orders are worded by a game")
        return {"drawing": None, "lines": [], "legal": [], "help_orders": []}
    examples: list[tuple[str, str]] = []
    instead = value.key == "no-orders" and (fields["written"] or not fields["mine"])
    if value.key in _WITH_ORDERS and not instead:
        options = about.options if about else fields.get("options")
        examples = words.help_orders(options, legal)
        examples += words.help_policies(options) if value.key in {"help", "rules"} else []
    return {
        **beside_board(scene, words),
        "drawing": draw_scene(scene, words) if scene else None,
        "lines": worded_lines(fields.get("judged", ()), words, tried=True),
        "legal": [words.order(order) for order in legal[:MOST_SUGGESTIONS]],
        "help_orders": examples,
    }
