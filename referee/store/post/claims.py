"""Claims: the letters and mails that one of several daemons has in its hands.

A claim names its daemon, so that others can take it over once that one is dead. Each is a row
changed under its lock, and a row that somebody else has locked is passed over.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, func, or_, select, text, update

from referee.store import tables as t
from referee.store.database.block import note_held
from referee.store.database.rows import row_columns
from referee.store.post.letters import LetterRow
from referee.store.states import ENDED

MATCH: Final = "m"
"""The beginning of the lane of a match, before its number."""


READER: Final = " reader"
"""The end of the name under which a daemon keeps letters back, apart from those it handles."""


_l: Final = t.letters.c

_o: Final = t.outbox.c

_SENDING: Final = select(func.count()).where(_o.state == "sending")

_LANES: Final = select(_l.lanes).where(_l.id == bindparam("which"))


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

_FREE: Final = (
    select(_l.id)
    .where(_l.id == bindparam("which"))
    .where(_l.state == "kept")
    .where(_l.claimed_by.is_(None))
    .with_for_update(skip_locked=True)
    .scalar_subquery()
)

_CLAIM: Final = (
    update(t.letters)
    .where(_l.id == _FREE)
    .values(claimed_by=bindparam("whose"), attempting=True)
    .returning(*row_columns(LetterRow, t.letters), _l.raw)
)

_RELEASE: Final = (
    update(t.letters)
    .where(_l.claimed_by == bindparam("whose"))
    .values(claimed_by=None, attempting=False)
)

_KEEP_BACK: Final = (
    update(t.letters)
    .where(_l.id.in_(bindparam("those", expanding=True)))
    .values(claimed_by=bindparam("whose"))
)

_SORT: Final = (
    update(t.letters)
    .where(_l.id == bindparam("which"))
    # While its daemon was taken for dead, another one may have taken it over.
    .where(_l.claimed_by == bindparam("whose"))
    .values(lanes=bindparam("found"), claimed_by=None)
)

_UNSORTED: Final = (
    select(_l.id, _l.raw)
    .where(_l.claimed_by == bindparam("whose"))
    .where(_l.state == "kept")
    .where(_l.raw.is_not(None))
    .order_by(_l.id)
    # A backlog of a day need not lie in memory as a whole.
    .limit(50)
)

_UNFILED: Final = (
    select(_l.id)
    .where(_l.filed.is_(False))
    .where(_l.state != "kept")
    .where(_l.handled_at >= bindparam("since"))
    .limit(1)
)

_CLAIMANTS: Final = (
    select(_l.claimed_by)
    .where(_l.claimed_by.is_not(None))
    .union(select(_o.claimed_by).where(_o.state == "sending"))
)

# Nobody's, too: a letter in work that names no daemon belonged to one that knew no others.
_dead: Final = or_(_l.claimed_by.is_(None), _l.claimed_by.in_(bindparam("dead", expanding=True)))

_KILLED: Final = (
    update(t.letters)
    .where(_dead)
    .where(_l.attempting)
    .where(_l.state == "kept")
    .values(kills=_l.kills + 1, claimed_by=None, attempting=False)
    .returning(_l.id)
)

_LEFT: Final = (
    update(t.letters)
    .where(_l.claimed_by.in_(bindparam("dead", expanding=True)))
    .values(claimed_by=None, attempting=False)
)

# Uncertain, not waiting: the server may have accepted it before the daemon died.
_UNSENT: Final = (
    update(t.outbox)
    .where(_o.state == "sending")
    .where(or_(_o.claimed_by.is_(None), _o.claimed_by.in_(bindparam("dead", expanding=True))))
    .values(state="uncertain", claimed_by=None)
    .returning(_o.id)
)

_DOUBT: Final = (
    update(t.outbox)
    .where(_o.id.in_(bindparam("those", expanding=True)))
    .where(_o.state == "sending")
    .where(_o.claimed_by.is_not_distinct_from(bindparam("whose")))
    .values(state="uncertain", next_at=bindparam("now"))
)

_MINE: Final = (
    select(_o.id)
    .where(_o.id == bindparam("which"))
    .where(_o.state == "sending")
    .where(_o.claimed_by.is_not_distinct_from(bindparam("whose")))
    .with_for_update()
)

_HOLD: Final = (
    select(t.matches.c.id)
    .where(
        t.matches.c.id.in_(bindparam("named", expanding=True))
        | (
            t.matches.c.state.not_in(sorted(ENDED))
            & t.matches.c.id.in_(
                select(t.seats.c.match_id).where(t.seats.c.player_id == bindparam("whom"))
            )
        )
    )
    # In one order, so that two blocks never wait in a ring.
    .order_by(t.matches.c.id)
    .with_for_update()
)


def next_free(connection: Connection, theirs: Collection[int]) -> int | None:
    """Return the first letter that need not wait for another.

    It shares no lane with one that came before it, or is in somebody's hands, as ``theirs`` are.
    """
    found: int | None = connection.execute(_NEXT, {"theirs": list(theirs)}).scalar()
    return found


def claim_letter(
    connection: Connection, letter_id: int, worker: str
) -> tuple[LetterRow, bytes] | None:
    """Take a letter for handling, and return it with its bytes; None if it is not free.

    The attempt counts as begun.
    """
    found = connection.execute(_CLAIM, {"which": letter_id, "whose": worker}).first()
    if found is None:
        return None
    return LetterRow(*found[:-1]), found.raw


def keep_back(connection: Connection, letter_ids: Collection[int], worker: str) -> None:
    """Keep letters from all others until their lanes are found."""
    which = {"those": list(letter_ids), "whose": f"{worker}{READER}"}
    connection.execute(_KEEP_BACK, which)


def release_letters(connection: Connection, worker: str) -> None:
    """Give up the letters a daemon had in work."""
    connection.execute(_RELEASE, {"whose": worker})


def unsorted_letters(connection: Connection, worker: str) -> tuple[tuple[int, bytes], ...]:
    """Return number and bytes of the first letters a reader keeps back."""
    found = connection.execute(_UNSORTED, {"whose": f"{worker}{READER}"})
    return tuple((row.id, row.raw) for row in found)


def sort_letter(connection: Connection, letter_id: int, lanes: str | None, worker: str) -> None:
    """Note the lanes of a letter a reader keeps back, if known; any daemon may have it."""
    which = {"which": letter_id, "found": lanes, "whose": f"{worker}{READER}"}
    connection.execute(_SORT, which)


def has_unfiled(connection: Connection, since: datetime) -> bool:
    """Return whether a letter handled since a moment is not filed."""
    return connection.execute(_UNFILED, {"since": since}).first() is not None


def claimants(connection: Connection) -> frozenset[str]:
    """Return all names that stand on claims.

    The first word of each is the daemon's own.
    """
    return frozenset(each for each in connection.execute(_CLAIMANTS).scalars() if each)


def recover_claims(connection: Connection, dead: Collection[str]) -> tuple[list[int], list[int]]:
    """Free all claims of dead daemons; return letters killed and mails uncertain."""
    which = {"dead": sorted(dead)}
    killed = list(connection.execute(_KILLED, which).scalars())
    connection.execute(_LEFT, which)
    return killed, list(connection.execute(_UNSENT, which).scalars())


def has_mail(connection: Connection, mail_id: int, worker: str | None) -> bool:
    """Return whether a daemon still has a mail in hand; keep it there."""
    which = {"which": mail_id, "whose": worker}
    return connection.execute(_MINE, which).first() is not None


def doubt_mails(
    connection: Connection, mail_ids: Collection[int], worker: str | None, now: datetime
) -> None:
    """Mark a daemon's mails as uncertain: the database failed as they were sent."""
    connection.execute(_DOUBT, {"those": list(mail_ids), "whose": worker, "now": now})


def matches_in_lanes(connection: Connection, letter_id: int) -> list[int]:
    """Return the matches among a letter's lanes."""
    lanes: str = connection.execute(_LANES, {"which": letter_id}).scalar() or ""
    return [int(each.removeprefix(MATCH)) for each in lanes.split() if each.startswith(MATCH)]


def hold_matches(connection: Connection, named: Collection[int], player_id: int | None) -> None:
    """Lock matches, and a player's unfinished ones, until the block ends."""
    which = {"named": sorted(named), "whom": player_id or 0}
    note_held(connection, t.matches, connection.execute(_HOLD, which).scalars())


def mails_in_hand(connection: Connection) -> int:
    """Return how many mails are on their way to a server."""
    found: int = connection.execute(_SENDING).scalar_one()
    return found
