"""The receipt: the answer to a submission, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

from referee.games.game import Fact, Order, Refusal, Scene, Unreadable
from referee.render.common import (
    TurnFacts,
    about,
    closing_notes,
    part_title,
    subject,
    turn_end,
    turn_news,
    turn_sentence,
)
from referee.render.content import PLAIN, REFUSED, Content, Framing, Head
from referee.render.drawings.drawing import Drawing, draw_scene
from referee.render.grids import beside_board
from referee.render.layout import Joined, clean
from referee.render.parts import changed_spaces, examples, reason_of
from referee.render.words.wording import Wording
from referee.value import Value, replace

Outcome = Literal[
    "accepted",
    "forced",
    "refused",
    "waiting",
    "ignored",
    "unreadable",
    "command",
    "noted",
    "played",
    "begun",
    "dropped",
    "known",
    "cancelled",
    "nothing",
    "none-held",
    "too-late",
    "held",
    "asked",
    "full",
]


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

GOOD: Final[Mapping[str, str]] = MappingProxyType(
    dict.fromkeys(("accepted", "forced", "played", "begun", "noted", "cancelled", "command"), "✓")
)
"""The sign of each outcome that is what its writer wanted."""

MOST_LINKED: Final = 4
"""Bad lines whose suggestions are links; a mail has no room for more."""


class ReceiptLine(Value):
    """A line of a letter and its outcome.

    ``orders`` are those that it took back.
    ``near`` are legal orders that could replace it, and ``answers`` the whole answer with each;
    ``replaced``: another line seems to be its correction; ``alone``: its refusal hinders no other.
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

    ``scene`` is shown when something was refused or asked; ``corrected`` is the whole answer as it
    could be sent; ``possible`` is all the seat may do now, when it is still to act.
    ``standing`` and ``ended`` are sentences about the seat's orders in advance, as in a report;
    ``held`` is until when the orders are held, in words, empty until a yes; ``beside`` are the
    writer's words that decided it; ``rest`` is the board as the match rests; ``again``: the orders
    were played before, and nothing is played now.
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

    ``refused`` is the first sentence of a receipt that not all was played of.
    """

    parts: tuple[BriefPart, ...]
    refused: str = ""

    @classmethod
    def read(cls, parts: Iterable[Mapping[str, Any]], refused: str) -> Brief:
        """Return the brief of which JSON was kept."""
        return cls(tuple(_read_part(each) for each in parts), refused)


_WORDS_ALONE: Final = frozenset({"paragraphs", "quoted", "items", "asks"})
"""Fields of an answer that a brief can hold."""


def brief_of(content: Content) -> Brief | None:
    """Return a reply in short; None if it shows more than a report can tell in its place."""
    pieces = content.parts or (((), content),)
    parts = [_brief_part(lines, each) for lines, each in pieces]
    if not any(each.body == "receipt" for _, each in pieces) or None in parts:
        return None
    heads = [each.head for _, each in pieces if each.body == "receipt"]
    wrong = (each.lines[0] for each in heads if each and each.ground == REFUSED[0])
    return Brief(tuple(each for each in parts if each), next(wrong, ""))


def _read_part(kept: Mapping[str, Any]) -> BriefPart:
    judged = tuple(
        JudgedLine(**each | {"near": tuple(each["near"]), "answers": tuple(each["answers"])})
        for each in kept["judged"]
    )
    told: dict[str, Any]
    told = {name: each if isinstance(each, str) else tuple(each) for name, each in kept.items()}
    return BriefPart(**told | {"judged": judged})


def _brief_part(lines: Sequence[str], content: Content) -> BriefPart | None:
    fields: Mapping[str, Any] = content.fields
    # Until when orders can be withdrawn stands in their receipt alone, and that they came before.
    if fields.get("withdraw") or fields.get("again"):
        return None
    # Board, facts and orders in advance stand in the report as well.
    if content.body == "receipt":
        judged: Sequence[JudgedLine] = fields["lines"]
        played = tuple(each.text for each in judged) if fields["played"] else ()
        return BriefPart(
            played=played,
            judged=() if played else tuple(judged),
            corrected=tuple(fields["corrected"]),
            ignored=tuple(fields["ignored"]),
        )
    if content.body != "answer" or any(fields[each] for each in fields.keys() - _WORDS_ALONE):
        return None
    return BriefPart(
        content.title,
        tuple(lines),
        content.headline,
        paragraphs=tuple(fields["paragraphs"]),
        quoted=tuple(fields["quoted"]),
        items=tuple(fields["items"]),
    )


def receipt_content(wording: Wording, value: Receipt, framing: Framing) -> Content:
    """Return the receipt of a submission as a mail or its part.

    It says which orders were accepted or refused, and why.
    """
    ignored = [each for each in value.lines if each.outcome == "ignored"]
    # Ignored lines are listed apart: they were never taken for orders.
    lines = [each for each in value.lines if each.outcome != "ignored"]
    parts = {
        "withdraw": value.held is not None,
        "yes": value.held == "",
        "again": value.again,
        "about": about(value, wording),
        "lines": [_judged(each, value, wording) for each in _with_few_links(lines)],
        "played": bool(lines) and all(each.outcome == "accepted" for each in lines),
        "corrected": value.corrected,
        "ignored": [clean(each.text) for each in ignored],
        "facts": wording.facts(value.facts),
        "standing": value.standing,
        "ended": value.ended,
        "drawing": _drawing(value, wording),
        "as_if": value.held is not None,
        **beside_board(value.scene, wording),
        "groups": examples(value.possible, len(value.possible), wording),
        "asks": "orders" if value.to_act == value.seat else "queue",
        **turn_end(None if value.held else value.scene, wording),
        "replies": _replies(value, wording),
        "notes": closing_notes(wording, value.head),
    }
    about_it = subject(value.match, value.seat, value.names, wording)
    sentence = _headline(value, wording)
    headline = " ".join(sentence.split())
    head = Head(sentence, *(REFUSED if _went_wrong(value) or value.held == "" else PLAIN))
    title = part_title("receipt.title", wording.catalogue)
    news, catalogue = _news(value, wording), wording.catalogue
    return Content(
        "receipt", about_it, headline, news, framing, catalogue, parts, title=title, head=head
    )


def _headline(value: Receipt, wording: Wording) -> str:
    """Return the first words of a receipt; a line break parts those of two lines."""
    orders = [clean(line.text) for line in value.lines if line.outcome in {"held", "asked"}]
    outcome = wording.catalogue.say(
        f"receipt.{_summary(value)}",
        until=value.held,
        order=Joined("; ".join(orders)),
        beside=clean(value.beside).rstrip("."),
        partly=_went_wrong(value),
    )
    if value.held is not None:
        return outcome
    turn = turn_sentence(value, value.rest, wording, brief=True)
    return f"{outcome}\n{' '.join(turn.split())}"


def _news(value: Receipt, wording: Wording) -> list[str]:
    """Return the news of a receipt for its frame, the longest wording first."""
    # The zone stands below.
    until = value.held.partition(" (")[0] if value.held else None
    outcome = wording.catalogue.say(f"news.receipt_{_summary(value)}", until=until)
    if value.held is not None:
        return [outcome]
    return [f"{outcome}. {turn_news(value, value.rest, wording)}", outcome]


def _replies(value: Receipt, wording: Wording) -> list[str]:
    """Return the commands that may follow orders that were played."""
    keyword = wording.catalogue.keyword
    if value.held is not None or value.nothing_happened or value.to_act in {None, value.seat}:
        return []
    return [keyword("show"), keyword("undo")]


def _drawing(value: Receipt, wording: Wording) -> Drawing | None:
    if value.scene is None:
        return None
    return draw_scene(value.scene, wording, changed_spaces(value.facts, value.scene))


def _summary(value: Receipt) -> str:
    if value.held is not None:
        return "held" if value.held else "asked"
    if value.again:
        return "again"
    if value.nothing_happened:
        if _all_for_later(value):
            return "later" if value.standing else "none_later"
        outcomes = {each.outcome for each in value.lines}
        if not DONE_LATER.isdisjoint(outcomes):
            return "partly_later"
        return "waiting" if "waiting" in outcomes and not _went_wrong(value) else "nothing"
    full = any(each.outcome == "full" for each in value.lines)
    return "partly" if full or _went_wrong(value) else "done"


def _all_for_later(value: Receipt) -> bool:
    """Whether the letter only ordered something in advance, or took it back."""
    outcomes = {each.outcome for each in value.lines} - {"ignored"}
    return bool(outcomes) and outcomes <= ABOUT_LATER


def _hindered(value: Receipt) -> frozenset[Outcome]:
    """Return the outcomes of playable lines left undone because of another line."""
    if value.again:
        return frozenset({"waiting"})
    if not any(each.outcome in BAD and not each.alone for each in value.lines):
        return frozenset()
    return frozenset({"waiting", "accepted"} if value.nothing_happened else {"waiting"})


def _went_wrong(value: Receipt) -> bool:
    return any(each.outcome in BAD for each in value.lines)


def _judged(line: ReceiptLine, value: Receipt, wording: Wording) -> JudgedLine:
    say = wording.catalogue.say
    hindered = line.outcome in _hindered(value)
    key = "line.hindered" if hindered else f"line.{line.outcome}"
    text = say(key, reason=_reason(line, wording), orders=line.orders, until=value.held)
    if line.replaced:
        text = say("line.replaced", text=text)
    near = tuple(wording.order(each) for each in line.near)
    sign = "✗" if line.outcome in BAD else "" if hindered else GOOD.get(line.outcome, "")
    return JudgedLine(clean(line.text), text, sign, say("receipt.instead"), near, line.answers)


def _with_few_links(lines: Sequence[ReceiptLine]) -> Iterator[ReceiptLine]:
    left = MOST_LINKED
    for each in lines:
        yield each if left else replace(each, answers=())
        left -= bool(each.answers and left)


def _reason(line: ReceiptLine, wording: Wording) -> str:
    if line.refusal is not None:
        return reason_of(line.refusal, wording)
    return wording.unreadable(line.unreadable) if line.unreadable is not None else ""
