"""Events of a match's log, each sealed over the one before by SHA-256, and its current line."""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, ClassVar, Final, Self, TypeVar

from msgspec import field

from referee.games.game import Document, Json, Seat
from referee.games.play import ENCODER, canonical_json, check_json
from referee.value import Value, asdict, replace

ORDER: Final = "order"
CHANCE_EVENT: Final = "chance"
END: Final = "end"
UNDO: Final = "undo"
REDO: Final = "redo"
FIX: Final = "fix"
REOPEN: Final = "reopen"
SEAT: Final = "seat"
PAUSE: Final = "pause"
RESUME: Final = "resume"
EXTEND: Final = "extend"
NOTICE: Final = "notice"

BOARD_KINDS: Final = frozenset({ORDER, CHANCE_EVENT})
"""Kinds that change the position by one order."""

ANNOTATIONS: Final = frozenset({SEAT, PAUSE, RESUME, EXTEND, NOTICE})
"""Kinds that stand in the chain but leave position and turn unchanged."""

TAKING_BACK: Final = frozenset({UNDO, REDO, REOPEN})
"""Kinds after which the match stands again as after an earlier event."""

SETTING: Final = TAKING_BACK | {FIX}
"""Kinds that set the position instead of playing on it. Their digest is the new position's."""

DOERS: Final = ("organiser", "referee")
"""Actors besides a seat whose acts an event's details name."""

HEAD_LETTERS: Final = 12
"""Letters of a hash in a mail: 60 bits, grouped by four."""


class BrokenLog(Exception):
    """The log of a match is inconsistent. Names the event and the expectation."""

    def __init__(self, seq: int, message: str) -> None:
        super().__init__(f"event {seq}: {message}")
        self.seq = seq
        self.message = message


class LoggedDraw(Value):
    """A draw by chance: its number, and each outcome's text and weight."""

    number: int
    outcomes: tuple[tuple[str, int], ...]


class Sealed(Value):
    """An entry of a chain, sealed by a hash of all it says, and so of the entry before it."""

    called: ClassVar[str]

    def to_document(self) -> Document:
        """Return the entry as JSON: every field under its name."""
        return asdict(self)

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """Return the entry a document describes. Raises ValueError when its keys are others."""
        if wrong := document.keys() ^ set(cls.__struct_fields__):
            raise ValueError(f"keys of {cls.called} wrong or missing: {', '.join(sorted(wrong))}")
        return cls(**document)

    @property
    def line(self) -> str:
        """The entry as canonical JSON, an event's line in the record."""
        return canonical_json(self.to_document())


S = TypeVar("S", bound=Sealed)


class Event(Sealed):
    """One entry of a match's log.

    ``order`` is English canonical text. ``arrival`` is when our server took the letter, RFC 3339
    in UTC; None for chance. ``details`` holds what kinds other than orders say. ``digest``, of
    the position reached, stands in the event that ends a turn or sets the position; the latter
    has ``turn`` and ``seat`` as they are afterwards.
    """

    called: ClassVar[str] = "an event"
    seq: int
    kind: str
    turn: int
    seat: Seat | None
    order: str | None
    forced: bool
    arrival: str | None
    draw: LoggedDraw | None
    previous: str
    salt: str
    details: Document = field(default_factory=dict)
    digest: str | None = None
    hash: str = ""

    def to_document(self) -> Document:
        """Return the event as JSON: every field under its name."""
        document = super().to_document()
        if self.draw is not None:
            outcomes: list[Json] = [[text, weight] for text, weight in self.draw.outcomes]
            document["draw"] = {"number": self.draw.number, "outcomes": outcomes}
        return document

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """Return the event a document describes. Raises ValueError when its keys are others."""
        event, draw = super().from_document(document), document["draw"]
        if draw is None:
            return event
        outcomes = tuple([(text, weight) for text, weight in draw["outcomes"]])
        return replace(event, draw=LoggedDraw(draw["number"], outcomes))


def hash_of(entry: Sealed) -> str:
    """Return the SHA-256 of an entry's canonical JSON without the hash itself, in hexadecimal."""
    document = {n: getattr(entry, n) for n in entry.__struct_fields__ if n != "hash"}
    # A draw has fifty outcomes, whose kinds are known: only the rest need be looked through.
    check_json({**document, "draw": None})
    if isinstance(entry, Event) and entry.draw is not None:
        document["draw"] = {"number": entry.draw.number, "outcomes": entry.draw.outcomes}
    return sha256(ENCODER.encode(document).encode()).hexdigest()


def seal(entry: S) -> S:
    """Return the entry with its hash."""
    return replace(entry, hash=hash_of(entry))  # type: ignore[call-arg]  # every entry has one


def format_head(hash_hex: str) -> str:
    """Return a hash as mails show it, its first 60 bits in base32 (RFC 4648): ``abcd-efgh-ijkl``.

    Raises ValueError when it is not hexadecimal.
    """
    # Base 32 has no 0, 1 or 8, which people take for letters.
    letters = b32encode(bytes.fromhex(hash_hex)).decode("ascii").lower()[:HEAD_LETTERS]
    return "-".join(letters[i : i + 4] for i in range(0, HEAD_LETTERS, 4))


def base_of(event: Event) -> int:
    """Return the seq of the event from whose position this one began, 0 for the first position.

    For an event that takes back, it is the event to which the match returned.
    """
    if event.kind in TAKING_BACK:
        return int(str(event.details["to"]))
    return event.seq - 1


def kept_seqs(last: int, backs: Mapping[int, int], first: int = 1) -> list[int]:
    """Return the events from ``first`` on that led to the present state.

    ``backs`` gives for each event that took back the one it went back to.
    """
    kept: list[int] = []
    while last >= first:
        kept.append(last)
        last = backs.get(last, last - 1)
    return kept[::-1]


def current_events(log: Sequence[Event]) -> list[Event]:
    """Return the events that led to a complete log's present state."""
    backs = {event.seq: base_of(event) for event in log if event.kind in TAKING_BACK}
    # An undo may reach behind an earlier undo, so the way is followed from the end.
    return [log[seq - 1] for seq in kept_seqs(len(log), backs)]


def check_chain(head: str, log: Iterable[Event]) -> None:
    """Raise BrokenLog at the first event that does not follow from a head, or is not as sealed."""
    for seq, event in enumerate(log, start=1):
        if (event.seq, event.previous, event.hash) != (seq, head, hash_of(event)):
            raise BrokenLog(seq, "the chain is broken here")
        head = event.hash


def turn_start(log: Sequence[Event], turn: int) -> int | None:
    """Return the event after which a current turn began.

    None if the turn holds no events. Draws that come first belong to the turn before, and so does
    a fix that ends it.
    """
    before = 0
    for event in current_events(log):
        # Turn 0 is the set-up, whose draws belong to no seat's turn.
        if event.turn >= max(turn, 1) and event.kind != CHANCE_EVENT:
            return event.seq if event.kind == FIX and before < event.turn else base_of(event)
        before = event.turn
    return None


def redo_goal(log: Sequence[Event]) -> int | None:
    """Return the event a redo returns to, where the match stood before the latest taking back.

    None if there is nothing to redo, or more than annotations has happened since.
    """
    last = next((event for event in reversed(log) if event.kind not in ANNOTATIONS), None)
    if last is None or last.kind not in TAKING_BACK:
        return None
    if last.kind in {UNDO, REOPEN}:
        return last.seq - 1
    # A redo may itself be followed by another one; then the log before it decides.
    return redo_goal(log[: base_of(last)])
