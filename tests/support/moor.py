"""Moor: just enough of a game to be worded and drawn, and one mail of every kind about it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, ClassVar

from referee.desk.letters.words.places import SchemaFault
from referee.games.defaults import Defaults
from referee.games.game import (
    Card,
    Cell,
    Face,
    Fact,
    Mark,
    Order,
    Panel,
    Refusal,
    Result,
    Scene,
    Secret,
    Sentence,
    Unreadable,
)
from referee.render.answers import (
    ANSWERS,
    SIGNED,
    About,
    Answer,
    answer,
    answer_content,
    signed,
)
from referee.render.content import NO_FRAMING, Content, Framing, together
from referee.render.invitations import Invitation, invitation_content
from referee.render.layout import clean_lines
from referee.render.news import TurnNews
from referee.render.receipts import Receipt, ReceiptLine, receipt_content
from referee.render.reports import Report, report_content
from referee.render.summaries import DigestPart, digest_content
from referee.render.words.rules import Block
from referee.render.words.wording import Wording

REFEREE = "referee@example.test"
NOW = datetime(2026, 11, 26, 9, 0, tzinfo=UTC)


class Set(Order):
    word: ClassVar[str] = "set"
    spaces: tuple[str, ...]


class Rest(Order):
    word: ClassVar[str] = "rest"


class Moor(Defaults):
    """Only what wording asks of a game."""

    name = "moor"
    edition = 1
    resources = "support.moor_words"
    policies: Mapping[str, Any] = MappingProxyType({})
    endings = frozenset({"full"})

    def format(self, order: Order, language: str) -> str:
        words = {"en": ("set", "rest"), "de": ("stelle", "raste")}[language]
        return f"{words[0]} {' '.join(order.spaces)}" if isinstance(order, Set) else words[1]


MOOR: Any = Moor()
LEGAL = (*(Set((f"A{n}", f"B{n}")) for n in range(1, 31)), Rest())
PLACED = Fact("set", {"seat": "blue", "spaces": ["A1", "B2", "C3"], "ground": "heath"})
STROKE = Fact("luck", {"what": "tower", "space": "A2"})
TAKEN = Refusal("taken", "Moor 3", {"space": "A1"}, (Set(("A2",)), Set(("A3",)), Rest()))


def wording(language: str = "en") -> Wording:
    return Wording(MOOR, language)


def scene(rows: int = 4, columns: int = 5, crowded: bool = False) -> Scene:
    """Return a scene with a few marks, or with some on every cell."""
    marks = {(0, 0): (Mark("R", "stone", "red"),), (1, 2): (Mark("T", "tower"),)}
    full = (Mark("B", "stone", "blue"), Mark("T", "tower"), Mark("R", "stone", "red"))
    cells = tuple(
        Cell(
            f"{chr(65 + row)}{column + 1}",
            row,
            column,
            "water" if row == column else "heath",
            "~" if row == column else "h",
            full if crowded else marks.get((row, column), ()),
        )
        for row in range(rows)
        for column in range(columns)
    )
    stock = tuple(Sentence("stock", {"seat": seat, "stones": 3}) for seat in ("red", "blue"))
    legend = (("~", "ground", "water"), ("h", "ground", "heath"), ("R", "seat", "red"))
    palette = {"water": "#d6ebf7", "heath": "#cfe8c8"}
    return Scene(rows, columns, cells, (Panel("stock", stock),), palette, legend)


def table(*seats: str) -> Scene:
    """Return a table for two, with the queen of spades at the places of some seats."""
    queen = Mark("Q", "queen", shape=Face("spades", "Q"))
    cells = tuple(
        Cell(seat, 0, column, "heath", " ", (queen,) if seat in seats else ())
        for column, seat in enumerate(("red", "blue"))
    )
    name = Sentence("stock", {"seat": "red", "stones": 3})
    hand = Secret("stock", (Card(name, mark=queen),))
    return Scene(
        1, 2, cells, (), {"heath": "#cfe8c8"}, (), secrets=(hand,), row_names=("",),
        column_names=("", ""), lattice="table",
    )  # fmt: skip


def framing(language: str = "en") -> Framing:
    ends = {"en": "end", "de": "ende"}[language]
    box = ("=== moor-7 · turn 14 · red · K7PQ-M2XD ===", "(orders here)", f"=== {ends} ===")
    return Framing("moor-7", box, address=REFEREE)


def report(**changes: Any) -> Report:
    given = {
        "match": "moor-7",
        "seat": "red",
        "turn": 14,
        "to_act": "red",
        "due": NOW + timedelta(days=2, hours=8),
        "zone": "Europe/Berlin",
        "scene": scene(),
        "turns": (TurnNews("blue", (PLACED, STROKE)),),
        "legal": LEGAL,
        "points": {"red": 12, "blue": 1},
        "names": {"red": "alice", "blue": "bob"},
        "head": "abcd-efgh-ijkl",
        "chance_note": "alone",
        "result": None,
        "now": NOW,
        "standing": ("3: as soon as it is your turn, set A1 B1; rest",),
        "ended": ("Skipped, as it has become impossible: set A1 A2.",),
    }
    return Report(**{**given, **changes})


def over() -> Report:
    result = Result("full", {"red": 12, "blue": 30}, {"red": 2, "blue": 1})
    return report(to_act=None, due=None, legal=(), result=result)


def receipt(**changes: Any) -> Receipt:
    lines = (
        ReceiptLine("set A4", "accepted"),
        ReceiptLine(
            "set A1",
            "refused",
            refusal=TAKEN,
            near=TAKEN.legal,
            answers=(("set A2", "rest"), ("set A3", "rest"), ("rest", "rest")),
        ),
        ReceiptLine("rest", "waiting"),
        ReceiptLine("set Q77", "unreadable", unreadable=Unreadable("no-space", word="Q77")),
        ReceiptLine("what a game", "ignored"),
        ReceiptLine("rest", "forced"),
        ReceiptLine("queue set A1 B1", "noted"),
    )
    given = {
        "match": "moor-7",
        "seat": "red",
        "turn": 14,
        "lines": lines,
        "facts": (PLACED,),
        "to_act": "blue",
        "due": NOW + timedelta(days=3),
        "zone": "Europe/Berlin",
        "scene": scene(),
        "head": "abcd-efgh-ijkl",
        "names": {"red": "alice", "blue": "bob"},
        "nothing_happened": False,
        "corrected": ("set A2", "rest"),
        "now": NOW,
        "standing": ("3: as soon as it is your turn, set A1 B1; rest",),
        "ended": ("Skipped, as it has become impossible: set A1 A2.",),
    }
    return Receipt(**{**given, **changes})


def invitation(**changes: Any) -> Invitation:
    given = {
        "match": "moor-7",
        "seat": "red",
        "names": {"red": "alice", "blue": ""},
        "options": {"size": 4, "wild": True, "shape": "round"},
        "commitment": "0123456789abcdef" * 4,
        "time": ("Time: 3 days for each turn.",),
        "starts_at_once": False,
        "practice": False,
        "club": "The Heath Club",
        "organiser": "carol@example.test",
        "introduction": tuple(FIELDS["blocks"]),
    }
    return Invitation(**{**given, **changes})


FIELDS = {
    "days": 7,
    "accepted": 1,
    "corrected": ("set A2", "rest"),
    "at": 1,
    "blocks": [
        Block("heading", ("The heath",)),
        Block("para", ("You set stones on the heath, one after the other, and then you rest.",)),
        Block("items", ("a stone is set", "a tower stands")),
    ],
    "judged": (
        ReceiptLine("set A1", "accepted"),
        ReceiptLine("set A1", "refused", refusal=TAKEN, near=TAKEN.legal),
    ),
    "kilobytes": 5_001,
    "left": 27,
    "games": ("moor", "fen"),
    "faults": [SchemaFault("$.orders[0]", "order")],
    "entries": ["moor-7, moor, you are red, turn 3; it is your turn"],
    "known": ["first", "second"],
    "lines": ["set A1", "set A2"],
    "legal": LEGAL,
    "most": 100,
    "named": "moor-8",
    "now": 16,
    "open": ["moor-7", "moor-9"],
    "options": None,
    "orders": ["set A1", "rest"],
    "plays": [("yes", "rest")],
    "scene": scene(),
    "seat": "blue",
    "sets": [["set A1"], ["set A2", "rest"]],
    "sender": "bob",
    "state": "over",
    "stopped": True,
    "text": "Good luck!\n\nset A1 B1\n=== end ===\n--- end of moor-7 · referee ---\nset A1",
    "to": ["bob", "carol"],
    "to_act": "blue",
    "turn": 14,
    "waiting": ["bob"],
    "written": [["away", "lists them"]],
    "words": "seven grey geese",
}


KEYS = {**ANSWERS, **SIGNED}
"""Every answer, with its fields."""

LEAST: dict[str, Any] = {
    **dict.fromkeys(("bot", "due", "like", "ordered", "until"), None),
    **dict.fromkeys(("plays", "entries", "holders", "orders_in", "others"), ()),
}
"""The least that fields may hold."""

LEAST_IN: dict[tuple[str, str], Any] = {
    ("clocks-changed", "to_act"): None,
    ("doubtful", "why"): (),
    ("draw-declined", "who"): None,
    ("draw-declined", "to_act"): None,
    ("join-none", "named"): None,
    ("other-history", "scene"): None,
    ("resumed", "to_act"): None,
    ("show", "asked"): None,
    ("stop-nothing", "named"): None,
    ("undo-declined", "who"): None,
    ("undo-declined", "to_act"): None,
}
"""The same where another answer's field of that name holds more."""


def said(key: str, *, all_of_them: bool = True, **given: Any) -> Answer:
    """Return an answer, with all its fields or with as little as it takes."""
    if key in SIGNED:
        return signed(key, **fields(key, all_of_them)).sign("moor-7", "organiser", FIELDS["text"])
    return answer(key, **{**fields(key, all_of_them), **given})


def fields(key: str, all_of_them: bool = True) -> dict[str, Any]:
    taken = KEYS[key]
    if all_of_them:
        return {name: FIELDS.get(name, "something") for name in (*taken.needed, *taken.spare)}
    return {name: _least(key, name) for name in taken.needed}


def _least(key: str, name: str) -> Any:
    full: Any = FIELDS.get(name, "something")
    least = () if isinstance(full, (list, tuple)) else full
    return LEAST_IN.get((key, name), LEAST.get(name, least))


def answers(language: str = "en") -> list[Content]:
    """Return every answer, with all its fields and with the least."""
    words, about = wording(language), About("moor-7", "red")
    full = [answer_content(words, said(key), framing(language), about) for key in KEYS]
    least = [said(key, all_of_them=False) for key in ANSWERS]
    return full + [answer_content(words, each) for each in least]


def every_mail(language: str = "en") -> list[Content]:
    """Return a mail of every kind."""
    words, frame = wording(language), framing(language)
    return [
        report_content(words, report(), frame),
        report_content(words, report(to_act="blue"), frame),
        report_content(words, report(reminder=True, turns=(), chance_note="words"), frame),
        report_content(words, over(), frame),
        digest_content(words.catalogue, NO_FRAMING, **digest(language)),
        receipt_content(words, receipt(), frame),
        receipt_content(words, receipt(nothing_happened=True, scene=None), frame),
        invitation_content(words, invitation(), frame),
        invitation_content(words, invitation(practice=True, time=()), frame),
        several(language),
        *answers(language),
    ]


def digest(language: str = "en") -> dict[str, Any]:
    """Return what is in a digest: an own turn, a message and a match in which one waits."""
    words = wording(language)
    writer = words.catalogue.say(
        "digest.message", sender="bob", seat=words.seat("blue"), match="moor-7", to_all=False
    )
    return {
        "turns": [DigestPart(words, report(), framing(language))],
        "messages": [(writer, clean_lines(FIELDS["text"]), ())],
        "others": [DigestPart(words, report(to_act="blue"))],
    }


def several(language: str = "en") -> Content:
    """Return one mail that answers several lines of a letter."""
    words, frame = wording(language), framing(language)
    parts = [
        (["set A1 B1 please"], said("unclear")),
        (["message all"], answer("message-sent", to=["bob"], text="hello bob")),
    ]
    about = About("moor-7", "red")
    parts = [(lines, answer_content(words, each, about=about)) for lines, each in parts]
    parts.append(((), receipt_content(words, receipt(), frame)))
    joined = invitation(words="set A1", stage="joined")
    parts.append(((), invitation_content(words, joined, frame)))
    return together(parts, frame)
