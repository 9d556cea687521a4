"""Tables about matches: seats, logs, turns, codes and standing orders."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, ClassVar, Final

from sqlalchemy import Index, Text, UniqueConstraint

from referee.store import states
from referee.store.tables.base import (
    Detail,
    Identity,
    MailRef,
    MatchKey,
    MatchRef,
    NumberKey,
    PlayerKey,
    PlayerRef,
    Tally,
    TextKey,
    table,
)
from referee.value import Discreet, Value

# The number of the last match of a game: beside the matches, so that no name is ever given twice.
counters: Final = table(None, "counters", game=TextKey, last=int)


class MatchRow(Discreet):
    """A match: its terms, the state of its log, and its deadline.

    ``words`` are the seats' contributions to chance. ``time_per_turn`` is in seconds; ``clock``
    holds the other terms about time; ``seating`` is how an open match is seated, None for one whose
    organiser seats everybody.
    """

    hidden: ClassVar[frozenset[str]] = frozenset({"seed"})

    id: Identity
    name: str
    game: str
    edition: int
    state: states.MatchState
    options: Mapping[str, Any]
    words: Mapping[str, str]
    board: dict[str, Any] | None
    # Never in a log or traceback: with the seed all chance of a running match is known.
    seed: bytes
    commitment: str
    practice: bool
    # Empty until the match begins: only then seats and words are settled.
    header: str | None
    header_hash: str | None
    created: datetime
    started: datetime | None
    ended: datetime | None
    paused_at: datetime | None
    time_per_turn: int | None
    clock: Mapping[str, Any]
    seq: Tally
    head: str
    draws: Tally
    turn: Tally
    to_act: str | None
    turn_began_seq: Tally
    turn_began_at: datetime | None
    due: datetime | None
    agenda_at: datetime | None
    result: Mapping[str, Any] | None
    released: bool
    seating: Mapping[str, Any] | None


matches: Final = table(
    MatchRow,
    "matches",
    UniqueConstraint("name"),
    # Each scrape asks who is late and which games are played, of all running matches.
    Index(None, "state", "due"),
    Index(None, "state", "game", "edition"),
    # The daemon asks for what is due after every letter.
    Index(None, "agenda_at"),
)


class SeatRow(Value):
    """A seat of a match: its holder, its mail thread, and how far it has been told.

    ``handed_on`` counts how often it was given to somebody else.
    """

    match_id: MatchKey
    seat: TextKey
    number: int
    holder: states.Holder
    player_id: PlayerRef | None
    bot: str | None
    agreed: states.Agreed
    thread_id: str | None
    reported_seq: Tally
    reported_turn: Tally
    bank: int | None
    handed_on: Tally


seats: Final = table(SeatRow, "seats", Index(None, "player_id"))


class EventRow(Value):
    """An event of a match: ``body`` is its canonical JSON, kept byte for byte."""

    # The key refuses a second event of this number: two writers would both append one.
    seq: NumberKey
    kind: str
    seat: str | None
    turn: int
    body: str
    facts: str
    hash: str
    at: datetime


events: Final = table(EventRow, "events", match_id=MatchKey)


class PrivateEventRow(Value):
    """An event of one seat's own chain."""

    seat: TextKey
    seq: NumberKey
    kind: str
    body: str
    hash: str
    at: datetime


private_events: Final = table(
    PrivateEventRow,
    "private_events",
    # The log of a seat is read backwards for its last events of one kind.
    Index(None, "match_id", "seat", "kind", "seq"),
    match_id=MatchKey,
)


class TurnRow(Value):
    """A turn of a match."""

    id: Identity
    match_id: MatchRef
    number: int
    seat: str | None
    began_seq: int
    late_told_at: datetime | None
    ended_seq: int | None
    ended_at: datetime | None
    state: states.TurnState


turns: Final = table(
    TurnRow,
    "turns",
    # Not unique: a turn that was taken back is played again under the same number.
    Index(None, "match_id", "number"),
)


class CodeRow(Value):
    """A reply code, and the seat and turn it stands for.

    ``handed_on`` is how often its seat had been given to somebody else when it was made.
    """

    # A code leads to one seat of one match, or a letter could order for another.
    code: TextKey
    match_id: MatchRef
    seat: str
    turn: int
    seq: int
    handed_on: Tally
    created: datetime


codes: Final = table(CodeRow, "codes", Index(None, "match_id", "seat", "seq"))


# The position of a match after an event.
snapshots: Final = table(None, "snapshots", match_id=MatchKey, seq=int, position=str)


# The position after an event that reports tell up to: as their readers saw it last, so that the
# next report replays no log.
told_positions: Final = table(
    None, "told_positions", match_id=MatchKey, seq=NumberKey, position=str
)


class StandingOrderRow(Value):
    """A standing order; ``text`` holds its lines, English. Rows are never deleted.

    ``number`` counts those that one holder of the seat gave, as its mails name them; ``handed_on``
    tells which holder that was. Of what is held, ``arrived`` is when its letter came, ``until`` for
    how long; without, it waits for its player's yes.
    """

    id: Identity
    match_id: MatchRef
    seat: str
    kind: states.StandingKind
    text: str
    state: states.StandingState
    created: datetime
    ended_at: datetime | None
    number: Tally
    handed_on: Tally
    arrived: datetime | None
    until: datetime | None


standing_orders: Final = table(
    StandingOrderRow,
    "standing_orders",
    Index(None, "match_id", "state"),
    Index(None, "match_id", "seat", "id"),
    # Asked before every letter; empty for all that is not held.
    Index(None, "state", "until"),
)


class MessageRow(Value):
    """A text kept by hash.

    ``player_id`` wrote it for ``seat``; both are None for the organiser. ``recipients`` are seats;
    ``text`` is None once erased.
    """

    id: Identity
    match_id: MatchRef
    seat: str | None
    # The writer, who may have left the seat since.
    player_id: PlayerRef | None
    recipients: tuple[str, ...]
    hash: str
    text: str | None
    created: datetime


# Apart from the log, which keeps a hash: a text can be erased, an event cannot.
messages: Final = table(
    MessageRow,
    "messages",
    Index(None, "match_id", "hash"),
    Index(None, "match_id", "seat", "created"),
)


# A text that waits for a player's digest. By person, as either seat may have changed hands before
# the digest is written.
waiting_messages: Final = table(
    None,
    "waiting_messages",
    Index(None, "player_id"),
    Index(None, "mail_id"),
    id=Identity,
    match_id=MatchRef,
    hash=str,
    player_id=PlayerRef,
    sender_id=PlayerRef,
    mail_id=MailRef | None,
)


class WatcherRow(Value):
    """A spectator of a match, and how far their reports tell."""

    match_id: MatchKey
    player_id: PlayerKey
    created: datetime
    reported_seq: Tally
    reported_turn: Tally


watchers: Final = table(WatcherRow, "watchers")


class StandInRow(Value):
    """A player or bot that sits for ``owner_id`` from ``begins``, and no longer than ``ends``."""

    id: Identity
    match_id: MatchRef
    seat: str
    owner_id: PlayerRef
    player_id: PlayerRef | None
    bot: str | None
    begins: datetime
    ends: datetime
    details: Mapping[str, Any]
    state: states.StandInState
    created: datetime


stand_ins: Final = table(
    StandInRow,
    "stand_ins",
    Index(None, "match_id", "state"),
    # Asked before every letter.
    Index(None, "state", "begins"),
    Index(None, "state", "ends"),
)


# The player whom an event gave a seat. Apart from the events, which are published with the record
# and name no persons.
seat_holders: Final = table(
    None, "seat_holders", match_id=MatchKey, seq=NumberKey, player_id=PlayerRef
)


class PlanRow(Value):
    """A plan, as its document says."""

    id: Identity
    match_id: MatchRef | None
    document: Mapping[str, Any]
    state: states.PlanState
    created: datetime
    ended_at: datetime | None


plans: Final = table(PlanRow, "plans", Index(None, "match_id"))


class QuestionDocument(Value):
    """The subject of a question; each kind uses some of it.

    ``commands`` are those a yes confirms: word, arguments and text of each. ``shown`` are the
    matches whose commitment its mail showed, ``language`` a newcomer's. ``turn`` is the one it is
    about, ``seq`` the last event of the match before it was put.
    """

    commands: tuple[tuple[str, tuple[str, ...], str], ...] = ()
    shown: tuple[str, ...] = ()
    language: str = ""
    turn: int = 0
    seq: int = 0


class QuestionRow(Value):
    """A question of a player, or about a stranger: then ``player_id`` is None.

    One to an ``address`` is answered under its ``code``. One of a ``seat`` to the other players of
    its match is answered by their seats' codes; ``answered`` are the seats that said yes.
    """

    id: Identity
    # Left unchecked, so that a new kind of question needs no migration.
    kind: Annotated[states.QuestionKind, Detail(Text())]
    code: str | None
    address: str | None
    player_id: PlayerRef | None
    match_id: MatchRef | None
    seat: str | None
    document: QuestionDocument
    answered: tuple[str, ...]
    state: states.QuestionState
    created: datetime
    expires: datetime


questions: Final = table(
    QuestionRow,
    "questions",
    UniqueConstraint("code"),
    Index(None, "player_id"),
    Index(None, "address"),
    Index(None, "match_id", "state"),
    Index(None, "state", "expires"),
)
