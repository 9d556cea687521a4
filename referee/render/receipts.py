"""The receipt: the answer to a submission, line by line."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any, Final, Literal, TypeAlias

from referee.games.game import Fact, Order, Refusal, Scene, Unreadable
from referee.render import common
from referee.render.common import TurnFacts
from referee.render.content import PLAIN, REFUSED, Content, Framing
from referee.render.drawings.changes import Changes
from referee.render.grids import beside_board
from referee.render.layout import Joined, clean
from referee.render.words.wording import Wording
from referee.value import Value

Outcome = Literal[
    "accepted", "forced", "refused", "waiting", "ignored", "unreadable", "noted",
    "played", "begun", "dropped", "known", "cancelled", "nothing", "none-held", "too-late", "held",
    "asked", "full", "news", "unknown",
]  # fmt: skip
"""The fate of a line."""


class TakenBack(Value):
    """The outcome of a line that took orders in advance back: those, as they are kept."""

    orders: tuple[str, ...]


Fate: TypeAlias = Outcome | Unreadable | Refusal | TakenBack
"""The outcome of an order in advance; an Unreadable names the limit it exceeded."""

ABOUT_LATER: Final = frozenset(
    {"noted", "known", "cancelled", "nothing", "none-held", "too-late", "dropped", "full"}
)
"""Outcomes of a line that orders in advance, or takes that back."""

DONE_LATER: Final = frozenset({"noted", "cancelled"})
"""Those of them that changed what waits."""

BAD: Final = frozenset({"refused", "unreadable"})
"""Outcomes of a line that keep others from being carried out."""

GOOD: Final = frozenset({"accepted", "news", "forced", "played", "begun", "noted", "cancelled"})
"""Outcomes of a line that are what its writer wanted."""

MOST_LINKED: Final = 4
"""Bad lines whose suggestions are links; a mail has no room for more."""


class ReceiptLine(Value):
    """A line of a letter and its outcome.

    ``orders`` are those that it took back. ``near`` are legal orders that could replace it, and
    ``answers`` the whole answer with each; ``replaced``: another line seems to be its correction;
    ``alone``: its refusal hinders no other.
    """

    text: str
    outcome: Outcome
    refusal: Refusal | None = None
    unreadable: Unreadable | None = None
    orders: str = ""
    near: tuple[Order, ...] = ()
    answers: tuple[tuple[str, ...], ...] = ()
    replaced: bool = False
    alone: bool = False


class Receipt(TurnFacts, kw_only=True):
    """The answer to a submission.

    ``scene`` is the board of a turn that is still the seat's, or as orders that are held would
    leave it; ``corrected`` is the whole answer as it could be sent; ``possible`` is all the seat
    may do now, when it is still to act.
    ``standing`` and ``ended`` are sentences about the seat's orders in advance, as in a report;
    ``held`` is until when the orders are held, in words, empty until a yes; ``beside`` are the
    writer's words that decided it, ``own``: the sentence of an order itself, ``at_once``: without
    them the orders would have been played; ``rest`` is the board as the match rests; ``again``: the
    orders were played before, and nothing is played now.
    """

    lines: tuple[ReceiptLine, ...]
    facts: tuple[Fact, ...]
    scene: Scene | None
    head: str
    nothing_happened: bool
    corrected: tuple[str, ...] = ()
    possible: tuple[Order, ...] = ()
    standing: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    held: str | None = None
    beside: str = ""
    own: bool = False
    at_once: bool = False
    rest: Scene | None = None
    again: bool = False


class JudgedLine(Value):
    """A line as the receipt shows it, with orders to replace it.

    ``sign`` is ✓ or ✗, empty if it is neither done nor refused; ``answers`` are the whole answer
    with each of the orders.
    """

    text: str
    outcome: str
    sign: str
    instead: str
    near: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...]


class BriefPart(Value):
    """The answer to some ``lines`` of a letter, in words alone.

    Those of a receipt are ``judged``, or all ``played``; the rest of its fields are those of
    receipts and answers.
    """

    title: str = ""
    lines: tuple[str, ...] = ()
    headline: str = ""
    played: tuple[str, ...] = ()
    judged: tuple[JudgedLine, ...] = ()
    corrected: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    paragraphs: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


class Brief(Value):
    """A reply in short, as a report tells it instead.

    ``refused`` is the first sentence of a receipt of which not all was played, else empty.
    """

    parts: tuple[BriefPart, ...]
    refused: str = ""


_WORDS_ALONE: Final = frozenset({"paragraphs", "quoted", "items", "asks"})
"""Fields of an answer that a brief can hold."""


def brief_of(content: Content) -> Brief | None:
    """Return a reply in short; None if it shows more than a report can tell in its place."""
    pieces = content.parts or (((), content),)
    receipts = [piece for _, piece in pieces if piece.body == "receipt"]
    if not receipts:
        return None
    parts = []
    for lines, piece in pieces:
        fields: Mapping[str, Any] = piece.fields
        # Until when orders can be withdrawn their receipt alone says, and that they came before.
        if fields.get("withdraw") or fields.get("again"):
            return None
        # Board, facts and orders in advance stand in the report as well.
        if piece.body == "receipt":
            judged = tuple(fields["lines"])
            part = BriefPart(
                played=tuple(line.text for line in judged) if fields["played"] else (),
                judged=() if fields["played"] else judged,
                corrected=tuple(fields["corrected"]),
                ignored=tuple(fields["ignored"]),
            )
        elif piece.body == "answer" and not any(
            fields[name] for name in fields.keys() - _WORDS_ALONE
        ):
            part = BriefPart(
                piece.title,
                tuple(lines),
                piece.headline,
                paragraphs=tuple(fields["paragraphs"]),
                quoted=tuple(fields["quoted"]),
                items=tuple(fields["items"]),
            )
        else:
            return None
        parts.append(part)
    wrong = (receipt.lines[0] for receipt in receipts if receipt.look == REFUSED)
    return Brief(tuple(parts), next(wrong, ""))


def receipt_content(wording: Wording, value: Receipt, framing: Framing) -> Content:
    """Return a receipt as a mail or its part: the orders accepted and refused, and why."""
    # Ignored lines are listed apart: they were never taken for orders.
    lines = [line for line in value.lines if line.outcome != "ignored"]
    catalogue, say, scene = wording.catalogue, wording.catalogue.say, value.scene
    drawing = None
    if scene:
        changes = Changes(dict.fromkeys(common.spaces_told(value.facts, scene), ()))
        drawing = common.draw_board(value, scene, changes, wording)
    # The outcomes of playable lines left undone because of another line.
    hindered: frozenset[Outcome] = frozenset()
    if value.again:
        hindered = frozenset({"waiting"})
    elif any(line.outcome in BAD and not line.alone for line in value.lines):
        hindered = frozenset({"waiting", "accepted"} if value.nothing_happened else {"waiting"})
    # The commands that may follow orders that were played.
    settled = value.held is None and not value.nothing_happened
    waits = settled and value.to_act not in {None, value.seat}
    parts = {
        "withdraw": value.held is not None,
        "yes": value.held == "",
        "alone": value.at_once,
        "again": value.again,
        "about": common.about(value, wording),
        "lines": worded_lines(lines, wording, hindered, until=value.held),
        "played": bool(lines) and all(line.outcome == "accepted" for line in lines),
        "corrected": value.corrected,
        "ignored": [clean(line.text) for line in value.lines if line.outcome == "ignored"],
        "facts": wording.facts(value.facts),
        "standing": value.standing,
        "ended": value.ended,
        "drawing": drawing,
        "as_if": value.held is not None,
        **beside_board(scene, wording, pictured=value.pictured),
        "groups": common.examples(value.possible, wording),
        "asks": "orders" if value.to_act == value.seat else "queue",
        **common.turn_end(None if value.held is not None else scene, wording),
        "replies": [catalogue.keyword("show"), catalogue.keyword("undo")] if waits else [],
        "notes": common.closing_notes(wording, value.head),
    }
    summary = _summary(value)
    orders = [clean(line.text) for line in value.lines if line.outcome in {"held", "asked"}]
    sentence = say(
        f"receipt.{summary}",
        until=value.held,
        order=Joined("; ".join(orders)),
        beside=clean(value.beside).rstrip("."),
        own=value.own,
        partly=_went_wrong(value),
    )
    # The zone stands below.
    until = value.held.partition(" (")[0] if value.held else None
    news = [say(f"news.receipt_{summary}", until=until)]
    if value.held is None:
        turn = common.turn_sentence(value, value.rest, wording, brief=True)
        sentence = f"{sentence}\n{' '.join(turn.split())}"
        # Of the news the longest wording comes first.
        news.insert(0, f"{news[0]}. {common.turn_news(value, value.rest, wording)}")
    look = REFUSED if _went_wrong(value) or value.held == "" else PLAIN
    return Content(
        "receipt",
        common.subject(value.match, value.seat, value.names, wording),
        sentence,
        news,
        framing,
        catalogue,
        parts,
        title=common.part_title("receipt.title", catalogue),
        look=look,
    )


def _summary(value: Receipt) -> str:
    if value.held is not None:
        return "held" if value.held else "asked"
    if value.again:
        return "again"
    outcomes = {line.outcome for line in value.lines}
    if not value.nothing_happened:
        return "partly" if "full" in outcomes or _went_wrong(value) else "done"
    # The letter only ordered something in advance, or took it back.
    orders = outcomes - {"ignored"}
    if orders and orders <= ABOUT_LATER:
        return "later" if value.standing else "none_later"
    if not DONE_LATER.isdisjoint(outcomes):
        return "partly_later"
    return "waiting" if "waiting" in outcomes and not _went_wrong(value) else "nothing"


def _went_wrong(value: Receipt) -> bool:
    return any(line.outcome in BAD for line in value.lines)


def worded_lines(
    lines: Iterable[ReceiptLine],
    wording: Wording,
    hindered: Container[Outcome] = frozenset({"waiting"}),
    *,
    until: str | None = None,
    tried: bool = False,
) -> list[JudgedLine]:
    """Return lines with their outcomes in words, played or only tried; few of them have links.

    ``hindered`` are outcomes of playable lines left undone because of another one.
    """
    say, judged, left = wording.catalogue.say, list[JudgedLine](), MOST_LINKED
    instead = say("receipt.instead")
    for line in lines:
        reason = ""
        if line.refusal is not None:
            reason = common.reason_of(line.refusal, wording)
        elif line.unreadable is not None:
            reason = wording.unreadable(line.unreadable)
        undone = line.outcome in hindered
        section = "preview" if tried and line.outcome != "unreadable" else "line"
        key = f"{section}.{'hindered' if undone else line.outcome}"
        text = say(key, reason=reason, orders=line.orders, until=until)
        if line.replaced:
            text = say("line.replaced", text=text)
        near = tuple(wording.order(order) for order in line.near)
        done = line.outcome in GOOD and not undone
        sign = "✗" if line.outcome in BAD else "✓" if done else ""
        answers = line.answers if left else ()
        left -= bool(answers)
        judged.append(JudgedLine(clean(line.text), text, sign, instead, near, answers))
    return judged
