"""Claims: the letters and mails that one of several daemons has in its hands.

A claim names its daemon, so that others can take it over once that one is dead. Each is a row
changed under its lock, and a row that somebody else has locked is passed over.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Executable, func, or_, select, text, true, update

from referee.store import tables as t
from referee.store.database import query
from referee.store.database.block import note_held
from referee.store.states import ENDED
from referee.store.tables.post import LetterRow, OutboxRow

MATCH: Final = "m"
"""The beginning of the lane of a match, before its number."""

READER: Final = " reader"
"""The end of the name under which a daemon keeps letters back, apart from those it handles."""

_l: Final = t.letters.c
_o: Final = t.outbox.c
_m: Final = t.matches.c

# Of those in hands some are handled: the matches they have touched are being brought to rest.
_NEXT: Final = text("""
    SELECT l.id FROM letters AS l
    WHERE l.state = 'kept' AND NOT EXISTS (
        SELECT 1 FROM letters AS other
        WHERE other.state = 'kept' AND (other.arrived, other.id) < (l.arrived, l.id)
        AND (l.lanes IS NULL OR other.lanes IS NULL
            OR string_to_array(l.lanes, ' ') && string_to_array(other.lanes, ' '))
    ) AND NOT EXISTS (
        SELECT 1 FROM letters AS other
        WHERE (other.claimed_by IS NOT NULL OR other.id = ANY (:theirs))
        AND (l.lanes IS NULL OR other.lanes IS NULL
            OR string_to_array(l.lanes, ' ') && string_to_array(other.lanes, ' '))
    )
    ORDER BY l.arrived, l.id LIMIT 1""")


def next_free(connection: Connection, theirs: Collection[int]) -> int | None:
    """Return the first letter that need not wait for another.

    It shares no lane with one that came before it, or is in somebody's hands, as ``theirs`` are.
    """
    letter_id: int | None = connection.execute(_NEXT, {"theirs": list(theirs)}).scalar()
    return letter_id


def claim_letter(
    connection: Connection, letter_id: int, worker: str
) -> tuple[LetterRow, bytes] | None:
    """Begin an attempt at a letter: return it with its bytes, or None if it is not free."""
    free = (_l.id == letter_id) & (_l.state == "kept") & _l.claimed_by.is_(None)
    locked = select(_l.id).where(free).with_for_update(skip_locked=True).scalar_subquery()
    claimed = update(t.letters).where(_l.id == locked).values(claimed_by=worker, attempting=True)
    letter = claimed.returning(*query.row_columns(LetterRow, t.letters), _l.raw)
    row = connection.execute(letter).first()
    return None if row is None else (LetterRow(*row[:-1]), row.raw)


def keep_back(connection: Connection, letter_ids: Collection[int], worker: str) -> None:
    """Keep letters from all others until their lanes are found."""
    letters = update(t.letters).where(_l.id.in_(list(letter_ids)))
    connection.execute(letters.values(claimed_by=f"{worker}{READER}"))


@query.done
def release_letters(worker: str) -> Executable:
    """Give up the letters a daemon had in work."""
    mine = update(t.letters).where(_l.claimed_by == worker)
    return mine.values(claimed_by=None, attempting=False)


def unsorted_letters(connection: Connection, worker: str) -> dict[int, bytes | None]:
    """Return the bytes of the first letters a reader keeps back, by number.

    One that was erased meanwhile has none.
    """
    kept = select(_l.id, _l.raw).where(_l.claimed_by == f"{worker}{READER}").order_by(_l.id)
    # A backlog of a day need not lie in memory as a whole.
    return {letter.id: letter.raw for letter in connection.execute(kept.limit(50))}


def sort_letter(connection: Connection, letter_id: int, lanes: str | None, worker: str) -> None:
    """Note the lanes of a letter a reader keeps back, if known; any daemon may have it."""
    # While its daemon was taken for dead, another one may have taken it over.
    mine = (_l.id == letter_id) & (_l.claimed_by == f"{worker}{READER}")
    connection.execute(update(t.letters).where(mine).values(lanes=lanes, claimed_by=None))


@query.exists
def has_unfiled(since: datetime) -> Executable:
    """Return whether a letter handled since a moment is not filed."""
    unfiled = _l.filed.is_(False) & (_l.state != "kept")
    return select(_l.id).where(unfiled, _l.handled_at >= since).limit(1)


def claimants(connection: Connection) -> frozenset[str]:
    """Return all names that stand on claims; the first word of each is the daemon's own."""
    letters = select(_l.claimed_by).where(_l.claimed_by.is_not(None))
    claimed = letters.union(select(_o.claimed_by).where(_o.state == "sending"))
    return frozenset(name for name in connection.execute(claimed).scalars() if name)


def recover_claims(connection: Connection, dead: Collection[str]) -> list[int]:
    """Free the letters of dead daemons; those being handled count as killed and are returned.

    Nobody's, too: a letter in work that names no daemon belonged to one that knew no others.
    """
    names = sorted(dead)
    theirs = or_(_l.claimed_by.is_(None), _l.claimed_by.in_(names))
    freed = update(t.letters).values(claimed_by=None, attempting=False)
    killed = freed.where(theirs, _l.attempting, _l.state == "kept").values(kills=_l.kills + 1)
    letters = list(connection.execute(killed.returning(_l.id)).scalars())
    connection.execute(freed.where(_l.claimed_by.in_(names)))
    return letters


def recover_mails(
    connection: Connection, workers: Collection[str], mail_ids: Collection[int] | None = None
) -> tuple[OutboxRow, ...]:
    """Mark mails that daemons were sending, and nobody's, as uncertain; return them.

    ``mail_ids`` are those meant, if not all. A try that was cut off counts as one that may have
    arrived, as one without an answer does.
    """
    in_hand = or_(_o.claimed_by.is_(None), _o.claimed_by.in_(sorted(workers)))
    # Uncertain, not waiting: the server may have accepted it before the daemon died.
    doubted = update(t.outbox).values(state="uncertain", claimed_by=None, doubts=_o.doubts + 1)
    meant = true() if mail_ids is None else _o.id.in_(list(mail_ids))
    theirs = doubted.where(_o.state == "sending", in_hand, meant)
    return query.all_rows(
        OutboxRow, connection.execute(theirs.returning(*query.row_columns(OutboxRow, t.outbox)))
    )


@query.exists
def has_mail(mail_id: int, worker: str | None) -> Executable:
    """Return whether a daemon still has a mail in hand; keep it there."""
    in_hand = (_o.state == "sending") & _o.claimed_by.is_not_distinct_from(worker)
    return select(_o.id).where(_o.id == mail_id, in_hand).with_for_update()


def matches_in_lanes(connection: Connection, letter_id: int) -> list[int]:
    """Return the matches among a letter's lanes."""
    lanes = connection.execute(select(_l.lanes).where(_l.id == letter_id)).scalar() or ""
    return [int(lane.removeprefix(MATCH)) for lane in lanes.split() if lane.startswith(MATCH)]


def hold_matches(connection: Connection, named: Collection[int], player_id: int | None) -> None:
    """Lock matches, and a player's unfinished ones, until the block ends."""
    # Nobody's letter is about no seat; compared with None it would be about all without a player.
    own = t.seats.c.player_id == (player_id or 0)
    seated = _m.id.in_(select(t.seats.c.match_id).where(own))
    wanted = _m.id.in_(named) | (_m.state.not_in(ENDED) & seated)
    # By number, as everywhere.
    locked = select(_m.id).where(wanted).order_by(_m.id).with_for_update()
    note_held(connection, t.matches, connection.execute(locked).scalars())


@query.number
def mails_in_hand() -> Executable:
    """Return how many mails are on their way to a server."""
    return select(func.count()).where(_o.state == "sending")
