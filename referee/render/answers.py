"""Answers of the core, from ``old-code`` to ``message``: their fields, and their mails.

A key names an answer's title and sentences in the catalogues; the fields are their variables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Final, Literal, TypeAlias

from msgspec import field

from referee.games.game import MOST_SUGGESTIONS, Options, Seat
from referee.render import common
from referee.render.content import NO_FRAMING, PLAIN, REFUSED, Content, Framing
from referee.render.drawings.drawing import draw_scene
from referee.render.grids import beside_board
from referee.render.layout import capital, clean, clean_lines
from referee.render.receipts import worded_lines
from referee.render.words.wording import Catalogue, Wording
from referee.value import Value

Table: TypeAlias = Sequence[tuple[str, str]]
"""Commands, orders or lines, each with a few words about it."""


class Answer(Value):
    """A short mail of the core, or a part of one: its key, and its fields."""

    key: str
    fields: Mapping[str, Any]


class Signed(Value):
    """An answer about an act, before it names match, actor and reason."""

    key: str
    fields: Mapping[str, Any]

    def sign(self, match: str, by: str, why: str) -> Answer:
        """Return the answer signed. ``by`` is "organiser", "referee" or a seat."""
        return Answer(self.key, {**self.fields, "match": match, "by": by, "text": why})


class Fields(Value):
    """The fields of an answer: those it needs, and those it can do without, with their defaults.

    ``refuses``: it says what was not done, and why.
    """

    needed: frozenset[str]
    spare: Mapping[str, Any]
    refuses: bool = False

    def complete(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return all fields, for a sentence must find every one it names. Raises TypeError."""
        if not self.needed <= given.keys() <= self.needed | self.spare.keys():
            raise TypeError(f"it takes {sorted(self.needed)} and {sorted(self.spare)}")
        return {**self.spare, **given}


def _told(*needed: str, **spare: Any) -> Fields:
    return Fields(frozenset(needed), spare)


def _refused(*needed: str, **spare: Any) -> Fields:
    return Fields(frozenset(needed), spare, refuses=True)


ANSWERS: Final[Mapping[str, Fields]] = {
    # Reply codes, turns and orders.
    "codes-disagree": _refused(),
    "foreign-code": _refused(),
    "match-not-begun": _refused(waiting=(), mine=False),
    "match-over": _refused("state"),
    "match-paused": _refused("match", "by", "since", "text"),
    "no-code": _refused(),
    "not-asked": _refused("word", "begun", question=(), answered="", mine=False, legal=()),
    "not-proved": _refused("address"),
    "not-your-turn": _refused(slip=False),
    "old-code": _refused("turn", "now"),
    "other-history": _refused("begun", "scene"),
    "preview": _told("judged", "accepted", "stopped", "wrong", "scene", "corrected", "ahead"),
    "preview-not": _refused(),
    "seat-passed-on": _refused("back"),
    "several-turns": _refused("open"),
    "show-pruned": _refused("named"),
    "show": _told("turn", "asked", "scene", others=(), legal=()),
    "taken-back": _refused("turn", "now", "when", "kind", "scene"),
    "which-yes": _refused("draw", talk=False),
    "wrong-match": _refused("named", "belongs"),
    # Letters that cannot be read, as they are or at all.
    "damaged": _refused(),
    "doubted": _told("lines", ready=""),
    "doubtful": _refused("lines", "why"),
    "encrypted": _refused(),
    "no-orders": _refused(
        *("lines", "written", "legal", "mine", "outside", "paused", "organiser"),
        named=(),
        slip=False,
        over=False,
    ),
    "quarantined": _refused(match=""),
    "question-declined": _told(),
    "question-old": _refused(granted=False),
    "schema": _refused("faults"),
    "too-large": _refused("kilobytes"),
    "too-long": _refused("most"),
    "too-many": _refused("most", "lines"),
    "two-sets": _refused(sets=(), word="", beside="", choice=""),
    "unclear": _refused(
        "lines",
        "written",
        legal=(),
        word=None,
        meant=None,
        question=(),
        turn=None,
        ready=None,
        plays=(),
    ),
    # Lists and rules.
    "help": _told(),
    "matches": _told("entries"),
    "rules": _told(name=None, blocks=(), numbered=False, options=None, games=()),
    # Invitations, open matches, and words for chance.
    "agreed": _told("waiting", "free"),
    "declined": _told(who=None),
    "join-drawn": _refused("named"),
    "join-none": _refused("named", "open"),
    "join-seated": _refused("named"),
    "join-taken": _refused("named", "seat", "open"),
    "leave-begun": _refused(),
    "leave-closed": _refused(),
    "left": _told("named"),
    "luck-noted": _told("words"),
    "luck-too-late": _refused(),
    "luck-unread": _refused("words"),
    "not-seated": _refused("named"),
    "welcome": _told("name"),
    "which-match": _refused("word", "open"),
    # Settings, addresses, and days away.
    "address-added": _told("address", "preferred"),
    "address-asked": _told("address", "days"),
    "address-confirmed": _told("address"),
    "address-later": _refused("address"),
    "address-removed": _told("address"),
    "address-taken": _refused("address"),
    "away-cancel": _told("first", "last", "year", "left", "entries"),
    "away-list": _told("year", "left", "entries"),
    "away-noted": _told("first", "last", "year", "left", "entries"),
    "away-wrong": _refused("what"),
    "came-back": _told(),
    "confirm": _told("lines", "days", talked=False),
    "confirm-address": _told("who", "days"),
    "out-of-reach": _told("who"),
    "set-back": _told("value"),
    "set-done": _told("what", "value", unproved=False, mails="all", at=None, reminds=True),
    "set-wrong": _refused("what", "value", known=()),
    "settings": _told("lines", "others"),
    # Messages, notes, and spectators.
    "message": _told("sender", "seat", "text", "to_all"),
    "message-address": _refused(),
    "message-cut": _refused(),
    "message-empty": _refused(),
    "message-held": _refused(),
    "message-long": _refused("most"),
    "message-many": _refused("most"),
    "message-sent": _told("to", "text", orders_in=()),
    "message-unsent": _refused("named", "open", "like", "orders_in", organiser=None),
    "note-cleared": _told(),
    "note-kept": _told("lines"),
    "note-many": _refused("most"),
    "organiser-note": _told("text"),
    "stop-nothing": _refused("named"),
    "stopped": _told("to", "digest", "mails"),
    "watch-none": _refused("named", "open"),
    "watch-over": _refused("named"),
    "watch-seated": _refused("named"),
    "watching": _told("named"),
    # Deadlines, resignation, undo, and draws.
    "draw-not": _refused("why"),
    "held-both": _refused("sets"),
    "late": _told("turn", "order"),
    "late-other": _told("seat", "who"),
    "late-resigned": _told("turn"),
    "late-waits": _told("turn", "asked"),
    "resigned": _told("named", "bot", "ended"),
    "resigned-other": _told("who", "seat", "bot", "ended", late=False),
    "undo-not": _refused("why", turn=None),
    **dict.fromkeys(("draw-agreed", "undo-agreed"), _told("turn", "waiting")),
    **dict.fromkeys(("draw-asked", "undo-asked"), _told("turn", "seat", "who", "when", "entries")),
    **dict.fromkeys(("draw-asking", "undo-asking"), _told("turn", when="", to=(), to_one=False)),
    **dict.fromkeys(
        ("draw-declined", "undo-declined"),
        _told("who", "you", "moved", "over", "to_act", "mine", "due"),
    ),
}
"""All answers.

``lines`` and ``text`` are quoted; ``written`` says how a command is written; ``accepted`` counts
the orders that would be accepted, ``corrected`` is the whole answer with the nearest in place of
bad lines; ``meant`` is what a yes or no would have answered, ``question`` the commands it would
have confirmed. ``waiting``, ``open``, ``games`` and the like are names, which a sentence
enumerates. Moments, days and lengths of time are worded.
"""

SIGNED: Final[Mapping[str, Fields]] = {
    "acted": _told("seat", "ordered", "held"),
    "called-off": _told(),
    "clocks-changed": _told(
        "what", "to_act", "due", seat=None, who=None, whom=None, first=None, last=None
    ),
    "ended": _told("how"),
    "extended": _told("to_act", "span", "due"),
    "looked": _told(),
    "paused": _told(),
    "reminded": _told("turn", "due", up=False),
    "resent": _told(),
    "resumed": _told("to_act", "due"),
    "seat-changed": _told("seat", "who", "whom"),
    "seat-left": _told("seat", "whom", "invited"),
    "seat-taken": _told("seat", "who", "holders", "until"),
    "stand-in": _told("seat", "who", "whom", "first", "last"),
    "stand-in-off": _told("seat", "who"),
    "stand-in-over": _told("seat", "who", "whom"),
}
"""Those about an act, which are signed."""


def answer(key: str, **fields: Any) -> Answer:
    """Return an answer of the core. Raises KeyError or TypeError if there is none such."""
    return Answer(key, ANSWERS[key].complete(fields))


def signed(key: str, **fields: Any) -> Signed:
    """Return an answer still to be signed. Raises KeyError or TypeError if there is none such."""
    return Signed(key, SIGNED[key].complete(fields))


_SEATS: Final = frozenset({"seat", "to_act"})
_NAMES: Final = frozenset(
    {"games", "holders", "open", "orders_in", "others", "question", "to", "waiting"}
)
_SHOWN: Final = frozenset({"corrected", "legal", "options", "scene", "sets", "text"})
"""Fields that stand beside the sentence and not in it."""

_WITH_ORDERS: Final = frozenset({"help", "no-orders", "rules", "schema"})
_QUESTIONS: Final = (
    "agreed", "confirm", "confirm-address", "declined", "draw-asked", "luck-noted", "luck-unread",
    "match-not-begun", "undo-asked",
)  # fmt: skip
"""Answers whose reader has something to say other than orders."""

_BESIDE_THREADS: Final = ("seat-left", "seat-taken")
"""Notices to whoever has no thread of the match any more, or none yet."""

_REPLIES: Final[Mapping[str, Sequence[str]]] = {
    **dict.fromkeys(["confirm", "confirm-address", "doubted"], ("yes", "no")),
    "which-yes": ("yes", "agree"),
    **dict.fromkeys(["undo-asked", "draw-asked"], ("agree", "decline")),
}
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
    catalogue = words.catalogue if isinstance(words, Wording) else words
    fields, key = value.fields, value.key
    text = catalogue.say(f"answer.{key}", **_worded(fields, words, catalogue))
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
        draws = isinstance(words, Wording) and words.game.draws
        draw = catalogue.keyword("draw")
        commands = [row for row in catalogue.commands if draws or row[0] != draw]
    # The words that answer a question, asked or meant.
    known = _REPLIES.get(key, ())
    undecided = key == "unclear" and fields.get("word") == ""
    put = key == "unclear" and fields.get("meant") in {"undo", "draw"}
    if undecided or put or (key == "no-orders" and fields["written"]):
        known = ("agree", "decline")
    replies = [catalogue.say(f"invitation.{reply}") for reply in known]
    if fields.get("ready"):
        replies.append(str(fields["ready"]))
    if key == "unclear" and not known and fields.get("meant") not in {None, "nothing"}:
        replies = [str(fields["word"])]
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
        "items": _items(fields, catalogue),
        "commands": commands,
        "blocks": fields.get("blocks") or (),
        "replies": replies,
        "writer": _seat(fields["seat"], words) or "" if private else "",
        **(common.turn_end(live, words) if isinstance(words, Wording) else {}),
        "finished": [line.text for line in shown["lines"]] if whole else [],
        "corrected": fields.get("corrected") or (),
        "ignored": (),
        "sets": [[clean(line) for line in lines] for lines in fields.get("sets") or ()],
        "as_if": preview and fields["accepted"] > 0,
        **shown,
    }
    if catalogue.has(f"news.{key}"):
        # A seat that no game knows was named by a player.
        seat = str(fields.get("seat"))
        named = words.seat(seat) if isinstance(words, Wording) and words.has("seat", seat) else ""
        to_all, to = fields.get("to_all"), fields.get("to")
        news = catalogue.say(f"news.{key}", seat=named, to_all=to_all, to=to)
    else:
        news = capital(catalogue.say(f"title.{key}"))
    if about and key in _BESIDE_THREADS:
        about_it = common.subject_alone(about.match, news)
    elif about and isinstance(words, Wording):
        about_it = common.subject(about.match, about.seat, about.names, words)
    else:
        about_it = catalogue.say("subject.plain", title=catalogue.say(f"title.{key}"))
    filled = (entry if isinstance(entry, (list, tuple)) else [entry] for entry in fields.values())
    look = REFUSED if key in ANSWERS and ANSWERS[key].refuses else PLAIN
    return Content(
        "answer",
        about_it,
        common.parted(headline, chain.from_iterable(filled)),
        [news],
        framing,
        catalogue,
        parts,
        title=common.part_title(f"title.{key}", catalogue),
        look=look,
    )


def _worded(
    fields: Mapping[str, Any], words: Wording | Catalogue, catalogue: Catalogue
) -> dict[str, Any]:
    """Return a sentence's fields worded: seats and actors by name, names enumerated."""
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
    return catalogue.joined(clean(name, common.NAME_LENGTH) for name in names)


def _items(fields: Mapping[str, Any], catalogue: Catalogue) -> list[str]:
    """Return the list of an answer: faults of a document, or its own entries."""
    items = []
    for fault in fields.get("faults") or ():
        worded = {"code": fault.code, **fault.fields}
        names = fault.fields.get("names")
        if isinstance(names, list):
            worded |= {"names": catalogue.joined(names), "count": len(names)}
        known = fault.code if catalogue.has(f"fault.{fault.code}") else "schema"
        message = catalogue.say(f"fault.{known}", **worded)
        key = "label.fault" if fault.path else "label.fault_top"
        items.append(catalogue.say(key, path=fault.path, message=message))
    return [*items, *fields.get("entries", ())]


def match_line(catalogue: Catalogue, state: str, **told: str | int | None) -> str:
    """Return a match in its player's list, of which so much can be told.

    ``asked``: the seat to act answers within another's turn; ``held``: until when the player's
    orders are held; ``yes``: until they say yes.
    """
    known = dict.fromkeys(("turn", "to_act", "mine", "asked", "due", "held", "yes")) | told
    return catalogue.say("label.match", **known, state=catalogue.say(f"state.{state}"))


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
