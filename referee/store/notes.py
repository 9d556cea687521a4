"""The notes an installation keeps about itself, and its figures.

Every key stands here, in one enum; a value whose type belongs to another room is a note made there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Generic, TypeVar

import msgspec
from sqlalchemy import Connection, Executable, delete, func, literal_column, select, text

from referee.store import tables as t
from referee.store.database import query
from referee.store.database.block import forget_unheld
from referee.store.states import MOST_DOUBTS, UNSENT
from referee.value import Value

_m: Final = t.matches.c


class Figures(Value):
    """Counts by state, and since when letters and due mails wait."""

    players: int
    matches: dict[str, int]
    letters: dict[str, int]
    outbox: dict[str, int]
    oldest_letter: datetime | None
    oldest_mail: datetime | None


def read_figures(connection: Connection, now: datetime) -> Figures:
    """Return the figures of the installation."""
    letters, mails = t.letters.c, t.outbox.c
    # Others wait for the organiser.
    unsent = mails.state.in_(UNSENT) & (mails.doubts < MOST_DOUBTS)
    # One that waits for its hour, as in quiet hours, is not late.
    due = (mails.attempts > 0) | (mails.next_at <= now)
    oldest_letter = select(func.min(letters.arrived)).where(letters.state == "kept")
    oldest_mail = select(func.min(mails.created)).where(unsent, due)
    return Figures(
        players=connection.execute(select(func.count()).select_from(t.players)).scalar_one(),
        **counts_by_state(connection),
        oldest_letter=connection.execute(oldest_letter).scalar(),
        oldest_mail=connection.execute(oldest_mail).scalar(),
    )


def database_bytes(connection: Connection) -> int:
    """Return the size of the database."""
    size = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    if connection.dialect.name != "sqlite":
        size = "SELECT pg_database_size(current_database())"
    return int(connection.execute(text(size)).scalar_one())


@query.reading(lambda rows: [(row.name, row.to_act, row.due) for row in rows])
def late_matches(now: datetime) -> Executable:
    """Return the matches out of time, oldest first: name, seat to act, and since when."""
    late = select(_m.name, _m.to_act, _m.due).where(_m.state == "running", _m.due < now)
    return late.order_by(_m.due)


@query.tuples
def running_games() -> Executable:
    """Return the games of the running matches, each with its edition."""
    return select(_m.game, _m.edition).where(_m.state == "running").distinct()


@query.tuples
def running_of(game: str, edition: int) -> Executable:
    """Return the running matches of a game: number and name."""
    running = select(_m.id, _m.name).where(_m.state == "running")
    return running.where(_m.game == game, _m.edition == edition)


def counts_by_state(connection: Connection) -> dict[str, dict[str, int]]:
    """Return how many matches, letters and mails are in each state."""
    counts: dict[str, dict[str, int]] = {}
    for table in (t.matches, t.letters, t.outbox):
        of_table = select(table.c.state, func.count()).group_by(table.c.state)
        counts[table.name] = {row[0]: row[1] for row in connection.execute(of_table)}
    return counts


class NoteKey(StrEnum):
    """The names under which notes are kept; some are kept once for each thing they are about."""

    INSTALLATION = "installation"
    FLUSHED = "flushed"
    LAST_POLL = "last_poll"
    ENTERED = "entered"
    LEADER = "leader"
    READING_TROUBLE = "trouble"
    SENDING_TROUBLE = "sending"
    QUOTA = "quota"
    FILING = "filing"
    UNFETCHED = "unfetched"
    REST = "rest"
    ALARM = "alarm"
    INTAKE_SINCE = "intake_since"
    REREAD = "reread"
    START = "start"
    RIVAL = "rival"
    OUTAGES = "gaps"
    BROKEN = "broken"
    WAITED_FOR = "waited_for"
    SUMMARY = "summary"
    NEWS = "news"
    DIGEST_DAY = "digest"
    DIGEST_MARKS = "digest mail"
    DIGESTS_WITHDRAWN = "digests withdrawn"
    PLUS_ADDRESSING = "plus_addressing"
    STRANGERS_FORGOTTEN = "strangers_forgotten"
    SIZES = "sizes"
    PRUNED = "pruned"
    AUDIT = "audit"


_KEYS: Final = frozenset(NoteKey)

V = TypeVar("V")


class StoredNote(Value, Generic[V]):
    """A value kept under a key, and its form as text.

    ``about`` is the number of the match, mail or player where each has a note of its own.
    """

    key: NoteKey
    parse: Callable[[str], V]
    text: Callable[[V], str]

    def read(self, connection: Connection, about: int | None = None) -> V | None:
        """Return the value, if there is one."""
        # An empty text is left behind where a note was locked, but not written.
        kept = read_value(connection, self._place(about))
        return self.parse(kept) if kept else None

    def lock(self, connection: Connection, about: int | None = None) -> V | None:
        """Return the value for changing it: until the block ends others wait to do the same."""
        # The key is set to itself: DO NOTHING would neither lock a row that is there nor return it.
        row = {"key": self._place(about), "value": ""}
        note = query.insert_or_replace(connection, t.meta, row, "key", returned=("value",))
        kept = note.scalar_one()
        forget_unheld(connection)
        return self.parse(kept) if kept else None

    def write(self, connection: Connection, value: V, about: int | None = None) -> None:
        """Keep a value in place of the one before."""
        put_value(connection, self._place(about), self.text(value))

    def remove(self, connection: Connection, about: int | None = None) -> None:
        """Forget the value."""
        connection.execute(delete(t.meta).where(t.meta.c.key == self._place(about)))

    def _place(self, about: int | None) -> str:
        return f"{self.key}" if about is None else f"{self.key} {about}"


def json_note(key: NoteKey, kind: type[V]) -> StoredNote[V]:
    """Return a note kept as JSON, of a kind that msgspec reads."""

    def text(value: V) -> str:
        # Sorted, so that an unchanged value is written as the same text and SQLite writes nothing.
        plain = msgspec.to_builtins(value, str_keys=True, order="sorted")
        return msgspec.json.encode(plain).decode()

    return StoredNote(key, msgspec.json.Decoder(kind).decode, text)


class Trouble(Value):
    """Something that keeps the daemon from working, and since when."""

    since: datetime
    text: str

    def __str__(self) -> str:
        return f"{self.since.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ} {self.text}"


def _trouble(text: str) -> Trouble:
    since, _, what = text.partition(" ")
    return Trouble(datetime.fromisoformat(since), what)


INSTALLATION: Final[StoredNote[str]] = StoredNote(NoteKey.INSTALLATION, str, str)
"""The name that no other installation has."""

START: Final[StoredNote[str]] = StoredNote(NoteKey.START, str, str)
"""The last start that read the mailbox, as its mark there tells it: a number and a word."""

LAST_POLL: Final = StoredNote(NoteKey.LAST_POLL, datetime.fromisoformat, datetime.isoformat)
"""When the mailbox was last read."""

INTAKE_SINCE: Final = StoredNote(NoteKey.INTAKE_SINCE, datetime.fromisoformat, datetime.isoformat)
"""When the last alarm was ended; letters set aside before do not raise it again."""

REREAD: Final = StoredNote(NoteKey.REREAD, datetime.fromisoformat, datetime.isoformat)
"""Since when the folders wait to be read again, after a backup was put back."""

TROUBLES: Final[Mapping[str, StoredNote[Trouble]]] = MappingProxyType(
    {
        key: StoredNote(key, _trouble, str)
        for key in (
            NoteKey.READING_TROUBLE, NoteKey.SENDING_TROUBLE, NoteKey.QUOTA, NoteKey.FILING,
            NoteKey.UNFETCHED, NoteKey.ALARM,
        )
    }
)  # fmt: skip
"""Troubles by what is in trouble: reading and all else, sending, room, filing, letters that the
server does not give, and intake, which rests."""

RIVAL: Final = StoredNote(NoteKey.RIVAL, _trouble, str)
"""When a second referee was last refused the mailbox, and which."""


class Rest(Value):
    """A pause of sending by an account on a server, and why; mail by another one may leave."""

    server: str
    until: datetime
    why: str


REST: Final = json_note(NoteKey.REST, Rest)
"""The last pause of sending, to keep within rates; it may be over."""

BROKEN: Final = json_note(NoteKey.BROKEN, dict[int, str])
"""Why matches were set aside, by the number of the match."""

WAITED_FOR: Final = json_note(NoteKey.WAITED_FOR, frozenset[int])
"""The players whose clocks stand because a letter of theirs lies with the organiser."""

DIGEST_DAY: Final[StoredNote[str]] = StoredNote(NoteKey.DIGEST_DAY, str, str)
"""The day, as an ISO date, on which a player's last digest was written."""

STRANGERS_FORGOTTEN: Final[StoredNote[str]] = StoredNote(NoteKey.STRANGERS_FORGOTTEN, str, str)
"""The day, as an ISO date, before which strangers are forgotten."""

SIZES: Final = json_note(NoteKey.SIZES, list[tuple[str, int]])
"""The bytes of the database on the last days, with the days as ISO dates."""

PRUNED: Final[StoredNote[str]] = StoredNote(NoteKey.PRUNED, str, str)
"""The seal of the record of a match whose events were pruned."""


def read_value(connection: Connection, key: str) -> str | None:
    """Return the text kept under a key."""
    if key in _KEYS:
        return _kept_once(connection).get(key)
    return connection.execute(select(t.meta.c.value).where(t.meta.c.key == key)).scalar()


@query.cached(t.meta)
@query.mapping
def _kept_once() -> Executable:
    # Most acts look at several of them, so one look reads them all.
    once = t.meta.c.key.in_([literal_column(f"'{key}'") for key in NoteKey])
    return select(t.meta.c.key, t.meta.c.value).where(once)


def put_value(connection: Connection, key: str, value: str) -> None:
    """Keep a text under a key, in place of the one before."""
    query.insert_or_replace(connection, t.meta, {"key": key, "value": value}, "value")
