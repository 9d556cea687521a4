"""Answers of the core, from ``old-code`` to ``message``: the fields that each key takes.

A key names an answer's title and sentences in the catalogues; the fields are their variables. Each
answer has a signature, so that the type checker finds a wrong key, and a field that is missing,
unknown or of another type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from inspect import Parameter, signature
from typing import Any, Literal, Protocol, TypeAlias, get_args, get_overloads, overload

from referee.games.game import Json, Options, Order, Scene, Seat
from referee.render.receipts import ReceiptLine
from referee.render.words.rules import Block
from referee.value import Value

Names: TypeAlias = Sequence[str]
"""Names of players, matches or values, which a sentence enumerates."""

Lines: TypeAlias = Sequence[str]
"""Lines of text, shown one below the other."""

Table: TypeAlias = Sequence[tuple[str, str]]
"""Commands, orders or lines, each with a few words about it."""


class WordedFault(Protocol):
    """A fault in a JSON document: its place as a path, a code and fields of ``fault``."""

    @property
    def path(self) -> str: ...
    @property
    def code(self) -> str: ...
    @property
    def fields(self) -> Mapping[str, Json]: ...


class Listed(Value):
    """A match in its player's list; ``asked``: the seat to act answers within another's turn.

    ``held``: until when the player's orders are held, worded; ``yes``: until they say yes.
    """

    match: str
    game: str
    seat: Seat
    state: str | None = None
    turn: int | None = None
    to_act: Seat | None = None
    asked: bool = False
    due: str | None = None
    held: str | None = None
    yes: bool = False


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


# Those without a field, and those that name a match or a limit.
@overload
def answer(
    key: Literal[
        "came-back", "codes-disagree", "damaged", "encrypted", "foreign-code", "help",
        "leave-begun", "leave-closed", "luck-too-late", "message-address", "message-cut",
        "message-empty", "message-held", "no-code", "not-your-turn", "note-cleared", "preview-not",
        "quarantined", "question-declined",
    ],
) -> Answer: ...  # fmt: skip
@overload
def answer(
    key: Literal[
        "join-drawn", "join-seated", "left", "not-seated", "watch-over", "watch-seated",
        "watching",
    ],
    *, named: str,
) -> Answer: ...  # fmt: skip
@overload
def answer(key: Literal["wrong-match"], *, named: str, belongs: str) -> Answer: ...
@overload
def answer(
    key: Literal["message-long", "message-many", "note-many", "too-long"], *, most: int
) -> Answer: ...


# Reply codes, turns and orders.
@overload
def answer(key: Literal["match-not-begun"], *, waiting: Names = ()) -> Answer: ...
@overload
def answer(key: Literal["match-over"], *, state: str) -> Answer: ...
@overload
def answer(
    key: Literal["match-paused"], *, match: str, by: str, since: str, text: str
) -> Answer: ...
@overload
def answer(key: Literal["several-turns"], *, open: Names) -> Answer: ...
@overload
def answer(
    key: Literal["not-asked"], *, word: str, question: Names = (), begun: bool,
    answered: str = "", legal: Sequence[Order] = (),
) -> Answer: ...  # fmt: skip
@overload
def answer(key: Literal["not-proved"], *, missing: str | None, address: str | None) -> Answer: ...
@overload
def answer(key: Literal["old-code"], *, turn: int, now: int) -> Answer: ...
@overload
def answer(
    key: Literal["preview"], *, judged: Sequence[ReceiptLine], accepted: int, stopped: bool,
    wrong: bool, scene: Scene, corrected: Lines, ahead: bool,
) -> Answer: ...  # fmt: skip
@overload
def answer(key: Literal["which-yes"], *, draw: bool) -> Answer: ...
@overload
def answer(key: Literal["seat-passed-on"], *, back: bool) -> Answer: ...
@overload
def answer(
    key: Literal["show"], *, turn: int, asked: int | None, scene: Scene, others: Names = ()
) -> Answer: ...
@overload
def answer(key: Literal["other-history"], *, begun: bool, scene: Scene | None) -> Answer: ...
@overload
def answer(
    key: Literal["taken-back"], *, turn: int, now: int, when: str, kind: str, scene: Scene
) -> Answer: ...


# Letters that cannot be read, as they are or at all.
@overload
def answer(key: Literal["doubtful"], *, lines: Lines, why: Names) -> Answer: ...
@overload
def answer(key: Literal["note-kept"], *, lines: Lines) -> Answer: ...
@overload
def answer(
    key: Literal["no-orders"],
    *,
    lines: Lines,
    written: Table,
    legal: Sequence[Order],
    mine: bool,
    outside: bool,
) -> Answer: ...
@overload
def answer(key: Literal["question-old"], *, granted: bool = False) -> Answer: ...
@overload
def answer(key: Literal["schema"], *, faults: Sequence[WordedFault]) -> Answer: ...
@overload
def answer(
    key: Literal["two-sets"],
    *,
    sets: Sequence[Lines] = (),
    word: str = "",
    beside: str = "",
    choice: str = "",
) -> Answer: ...
@overload
def answer(key: Literal["too-large"], *, kilobytes: int) -> Answer: ...
@overload
def answer(key: Literal["too-many"], *, most: int, lines: Lines) -> Answer: ...
@overload
def answer(
    key: Literal["unclear"], *, lines: Lines, written: Table, legal: Sequence[Order] = (),
    word: str | None = None, meant: str | None = None, question: Names = (),
    turn: int | None = None, ready: str | None = None,
) -> Answer: ...  # fmt: skip


# Lists and rules.
@overload
def answer(key: Literal["matches"], *, matches: Sequence[Listed]) -> Answer: ...
@overload
def answer(
    key: Literal["rules"], *, name: str | None = None, blocks: Sequence[Block] = (),
    numbered: bool = False, options: Options | None = None, games: Names = (),
) -> Answer: ...  # fmt: skip


# Invitations, open matches, and words for chance.
@overload
def answer(key: Literal["agreed"], *, waiting: Names, free: int) -> Answer: ...
@overload
def answer(key: Literal["declined"], *, who: str | None = None) -> Answer: ...
@overload
def answer(key: Literal["join-none"], *, named: str | None, open: Names) -> Answer: ...
@overload
def answer(key: Literal["join-taken"], *, named: str, seat: str, open: Names) -> Answer: ...
@overload
def answer(key: Literal["luck-noted", "luck-unread"], *, words: str) -> Answer: ...
@overload
def answer(key: Literal["welcome"], *, name: str) -> Answer: ...
@overload
def answer(key: Literal["which-match"], *, word: str, open: Names) -> Answer: ...


# Settings, addresses, and days away.
@overload
def answer(
    key: Literal["address-confirmed", "address-later", "address-removed", "address-taken"],
    *,
    address: str,
) -> Answer: ...
@overload
def answer(key: Literal["address-added"], *, address: str, preferred: bool) -> Answer: ...
@overload
def answer(key: Literal["address-asked"], *, address: str, days: int) -> Answer: ...
@overload
def answer(
    key: Literal["away-cancel", "away-noted"], *, first: str, last: str, year: int, left: int,
    entries: Lines,
) -> Answer: ...  # fmt: skip
@overload
def answer(key: Literal["away-list"], *, year: int, left: int, entries: Lines) -> Answer: ...
@overload
def answer(key: Literal["away-wrong"], *, what: str) -> Answer: ...
@overload
def answer(key: Literal["confirm"], *, lines: Lines, days: int, talked: bool = False) -> Answer: ...
@overload
def answer(key: Literal["confirm-address"], *, who: str, days: int) -> Answer: ...
@overload
def answer(key: Literal["set-back"], *, value: str) -> Answer: ...
@overload
def answer(
    key: Literal["set-done"], *, what: str, value: str, unproved: bool = False,
    mails: str = "all", at: str | None = None, reminds: bool = True,
) -> Answer: ...  # fmt: skip
@overload
def answer(key: Literal["settings"], *, lines: Lines, others: Names) -> Answer: ...
@overload
def answer(key: Literal["set-wrong"], *, what: str, value: str, known: Names = ()) -> Answer: ...


# Messages, notes, and spectators.
@overload
def answer(
    key: Literal["message"], *, sender: str, seat: Seat, text: str, to_all: bool
) -> Answer: ...
@overload
def answer(
    key: Literal["message-sent"], *, to: Names, text: str, orders_in: Names = ()
) -> Answer: ...
@overload
def answer(
    key: Literal["message-unsent"], *, named: str, open: Names, like: str | None, orders_in: Names
) -> Answer: ...
@overload
def answer(key: Literal["organiser-note"], *, text: str) -> Answer: ...
@overload
def answer(key: Literal["stop-nothing"], *, named: str | None) -> Answer: ...
@overload
def answer(key: Literal["stopped"], *, to: Names, digest: bool, mails: str) -> Answer: ...
@overload
def answer(key: Literal["watch-none"], *, named: str, open: Names) -> Answer: ...


# Deadlines, resignation, undo, and draws.
@overload
def answer(key: Literal["late"], *, turn: int, order: str) -> Answer: ...
@overload
def answer(key: Literal["late-other"], *, seat: Seat, who: str) -> Answer: ...
@overload
def answer(key: Literal["late-resigned"], *, turn: int) -> Answer: ...
@overload
def answer(key: Literal["late-waits"], *, turn: int, asked: bool) -> Answer: ...
@overload
def answer(key: Literal["out-of-reach"], *, who: str) -> Answer: ...
@overload
def answer(key: Literal["resigned"], *, named: str, bot: str | None, ended: bool) -> Answer: ...
@overload
def answer(
    key: Literal["resigned-other"], *, who: str, seat: Seat, bot: str | None, ended: bool
) -> Answer: ...
@overload
def answer(key: Literal["undo-agreed", "draw-agreed"], *, turn: int, waiting: Names) -> Answer: ...
@overload
def answer(
    key: Literal["undo-asked", "draw-asked"],
    *,
    turn: int,
    seat: Seat,
    who: str,
    when: str,
    entries: Lines,
) -> Answer: ...
@overload
def answer(
    key: Literal["undo-asking", "draw-asking"],
    *,
    turn: int,
    when: str = "",
    to: Names = (),
    to_one: bool = False,
) -> Answer: ...
@overload
def answer(
    key: Literal["undo-declined", "draw-declined"], *, who: str | None, moved: bool, over: bool
) -> Answer: ...
@overload
def answer(key: Literal["held-both"], *, sets: Sequence[Lines]) -> Answer: ...
@overload
def answer(key: Literal["draw-not"], *, why: str) -> Answer: ...
@overload
def answer(key: Literal["undo-not"], *, why: str, turn: int | None = None) -> Answer: ...


def answer(key: str, **fields: Any) -> Answer:
    """Return an answer of the core; the signatures above are all there are.

    ``lines`` and ``text`` are quoted; ``written`` says how a command is written; ``accepted``
    counts the orders that would be accepted, ``corrected`` is the whole answer with the nearest in
    place of bad lines; ``meant`` is what a yes or no would have answered, ``question`` the commands
    it would have confirmed. Moments, days and lengths of time are worded.
    """
    return Answer(key, _complete(fields_of(answer)[key], fields))


@overload
def signed(key: Literal["called-off", "looked", "paused", "resent"]) -> Signed: ...
@overload
def signed(key: Literal["acted"], *, seat: Seat, ordered: str | None, held: bool) -> Signed: ...
@overload
def signed(
    key: Literal["clocks-changed"], *, what: str, to_act: Seat | None, due: str | None,
    seat: Seat | None = None, who: str | None = None, whom: str | None = None,
    first: str | None = None, last: str | None = None,
) -> Signed: ...  # fmt: skip
@overload
def signed(key: Literal["ended"], *, how: str) -> Signed: ...
@overload
def signed(key: Literal["extended"], *, to_act: Seat, span: str, due: str | None) -> Signed: ...
@overload
def signed(key: Literal["reminded"], *, turn: int, due: str | None) -> Signed: ...
@overload
def signed(key: Literal["resumed"], *, to_act: Seat | None, due: str | None) -> Signed: ...
@overload
def signed(
    key: Literal["seat-changed", "stand-in-over"], *, seat: Seat, who: str, whom: str
) -> Signed: ...
@overload
def signed(key: Literal["seat-left"], *, seat: Seat, whom: str, invited: bool) -> Signed: ...
@overload
def signed(
    key: Literal["seat-taken"], *, seat: Seat, who: str, holders: Names, until: str | None
) -> Signed: ...
@overload
def signed(
    key: Literal["stand-in"], *, seat: Seat, who: str, whom: str, first: str, last: str
) -> Signed: ...
@overload
def signed(key: Literal["stand-in-off"], *, seat: Seat, who: str) -> Signed: ...


def signed(key: str, **fields: Any) -> Signed:
    """Return an answer still to be signed; the signatures above are all there are."""
    return Signed(key, _complete(fields_of(signed)[key], fields))


@cache
def fields_of(words: Callable[..., object]) -> Mapping[str, Sequence[Parameter]]:
    """Return the fields of ``answer`` or ``signed``, by key."""
    by_key: dict[str, Sequence[Parameter]] = {}
    for overloaded in get_overloads(words):
        key, *taken = signature(overloaded, eval_str=True).parameters.values()
        by_key |= dict.fromkeys(get_args(key.annotation), taken)
    return by_key


def _complete(taken: Sequence[Parameter], fields: Mapping[str, Any]) -> Mapping[str, Any]:
    # A sentence must find every field it names, those left out as well.
    return {p.name: p.default for p in taken if p.default is not Parameter.empty} | dict(fields)
