"""The letters that came in: kept once, handled once, filed where they belong."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import takewhile
from typing import Final

from sqlalchemy import Connection, bindparam, delete, not_, or_, select, update

from referee.store import tables as t
from referee.store.database.rows import all_rows, first_row, only_row, row_columns
from referee.store.database.upsert import dialect_of, insert_or_skip
from referee.store.states import LetterState
from referee.value import Value


class LetterRow(Value):
    """A letter without its bytes; ``size`` is the whole letter's, in bytes."""

    id: int
    folder: str
    uidvalidity: int
    uid: int
    arrived: datetime
    size: int
    truncated: bool
    raw_hash: str
    twin_hash: str | None
    message_id: str | None
    sender: str | None
    state: LetterState
    reason: str | None
    attempts: int
    kills: int
    attempting: bool
    filed: bool
    target: str | None
    player_id: int | None
    kept_at: datetime
    handled_at: datetime | None


_l: Final = t.letters.c

_NAMES: Final = tuple(column.name for column in row_columns(LetterRow, t.letters))

_letters: Final = select(*row_columns(LetterRow, t.letters))

_ONE: Final = _letters.where(_l.id == bindparam("which"))

_RAW: Final = select(_l.raw).where(_l.id == bindparam("which"))

_OF_SENDER: Final = (
    select(t.letters.c.habits)
    .where(t.letters.c.sender == bindparam("who"))
    .where(t.letters.c.id < bindparam("before"))
    .order_by(t.letters.c.id.desc())
    .limit(bindparam("most"))
)

_LATEST: Final = _letters.order_by(_l.id.desc()).limit(bindparam("most"))

_LATEST_IN: Final = _LATEST.where(_l.state == bindparam("which"))

# By the server's stamp: UIDs of different folders do not tell which letter came first.
_WAITING: Final = (
    _letters.where(_l.state == "kept").order_by(_l.arrived, _l.id).limit(bindparam("most"))
)

_WAITING_BEFORE: Final = (
    select(_l.id).where(_l.state == "kept").where(_l.arrived < bindparam("moment")).limit(1)
)

_BY_MESSAGE_ID: Final = _letters.where(_l.message_id == bindparam("which")).order_by(_l.id).limit(1)

# Only earlier ones: of two copies the first is handled and the second is the repeat.
_TWINS: Final = (
    _letters.where(_l.id < bindparam("which"))
    .where(or_(_l.raw_hash == bindparam("raw"), _l.twin_hash == bindparam("twin")))
    .order_by(_l.id)
)

_KNOWN: Final = (
    select(_l.uid)
    .where(_l.mailbox == bindparam("at"))
    .where(_l.folder == bindparam("inside"))
    .where(_l.uidvalidity == bindparam("validity"))
    .where(_l.uid.in_(bindparam("uids", expanding=True)))
)

_SAME_BYTES: Final = select(_l.id).where(_l.raw_hash == bindparam("raw")).limit(1)

_SAME_STAMP: Final = (
    select(_l.id)
    .where(_l.message_id == bindparam("which"))
    .where(_l.arrived == bindparam("moment"))
    .where(_l.size == bindparam("bytes"))
    .limit(1)
)

_UNFILED: Final = (
    _letters.where(_l.filed.is_(False))
    .where(_l.uidvalidity == bindparam("validity"))
    .where(_l.mailbox == bindparam("at"))
    .where(_l.folder == bindparam("inside"))
    .where(_l.state != "kept")
    .where(_l.id > bindparam("after"))
    .order_by(_l.id)
    .limit(100)
)

# Set aside, and never handled.
_UNFETCHED: Final = (
    _letters.where(_l.state == "quarantined").where(_l.handled_at.is_(None)).order_by(_l.id)
)

_DONE: Final = (
    select(_l.state)
    .where(_l.handled_at > bindparam("since"))
    .where(or_(_l.reason.is_(None), not_(_l.reason.startswith(bindparam("but")))))
    .order_by(_l.handled_at.desc(), _l.id.desc())
    .limit(bindparam("most"))
)

_UPDATE: Final = update(t.letters).where(_l.id == bindparam("which"))

_IDENTIFY: Final = _UPDATE.returning(*row_columns(LetterRow, t.letters))

# Apart from kills: an exception is surely the letter's, a kill may be the machine's.
_BEGIN: Final = _UPDATE.values(attempting=True).returning(_l.raw)

_FAIL: Final = _UPDATE.values(attempting=False, attempts=_l.attempts + 1)

_KILL: Final = _UPDATE.values(attempting=False, kills=_l.kills + 1)

_DROP_STRANGE: Final = (
    update(t.letters)
    # Quarantined ones are the organiser's to look at, whoever wrote them.
    .where(_l.state.in_(["ignored", "repeat"]))
    .where(_l.arrived < bindparam("before"))
    .where(_l.player_id.is_(None))
    .where(or_(_l.raw.is_not(None), _l.sender.is_not(None)))
    .values(raw=None, sender=None)
)

_INTERRUPTED: Final = _letters.where(_l.attempting).where(_l.state == "kept").order_by(_l.id)


def keep_letter(
    connection: Connection,
    *,
    folder: str,
    uidvalidity: int,
    uid: int,
    arrived: datetime,
    size: int,
    raw: bytes,
    now: datetime,
    truncated: bool = False,
    mailbox: str = "",
) -> LetterRow | None:
    """Keep a letter; return None if the letter of this mailbox, folder and UID is known.

    ``arrived`` is the stamp of our own server; ``size`` is the whole letter's, in bytes, even
    where ``raw`` holds its beginning only.
    """
    place = {"mailbox": mailbox, "folder": folder, "uidvalidity": uidvalidity, "uid": uid}
    what = {"raw": raw, "raw_hash": _sha256(raw), "size": size, "truncated": truncated}
    times = {"arrived": arrived, "kept_at": now}
    statement = insert_or_skip(dialect_of(connection), t.letters, *_NAMES)
    row = {**place, **what, **times, "state": "kept"}
    return first_row(LetterRow, connection.execute(statement, row))


def set_unfetched(
    connection: Connection, row: LetterRow, reason: str | None, attempts: int = 1
) -> None:
    """Set aside a letter of which the server gives no more than was kept; it stays where it is."""
    aside = {"state": "quarantined", "reason": reason, "filed": True, "attempts": attempts}
    _set(connection, row.id, aside)


def unfetched_letters(connection: Connection) -> tuple[LetterRow, ...]:
    """Return the letters that the server does not give, with the attempts to fetch them."""
    return all_rows(LetterRow, connection.execute(_UNFETCHED))


def drop_unfetched(connection: Connection, letter_id: int) -> None:
    """Forget a letter that was set aside so, as the server gives it, or as it is gone."""
    connection.execute(delete(t.letters).where(_l.id == letter_id))


def twin_hash(message_id: str | None, sender: str | None, text: Iterable[str]) -> str | None:
    """Return the hash two copies of a letter share.

    Their bytes may differ on the way. ``text`` is the body, part by part. None for a letter without
    sender or Message-ID.
    """
    if not message_id or not sender:
        return None
    # NUL separates, which no part can hold; spaces count once, as servers wrap lines anew.
    said = "\0".join((message_id.strip(), sender.strip().lower(), " ".join(" ".join(text).split())))
    return _sha256(said.encode("utf-8", "surrogatepass"))


def known_uids(
    connection: Connection, folder: str, uidvalidity: int, uids: Iterable[int], mailbox: str = ""
) -> set[int]:
    """Return those of the UIDs whose letters were kept."""
    asked, found = list(uids), set[int]()
    # A statement takes a limited number of values: 32766 on SQLite.
    for start in range(0, len(asked), 10_000):
        which = {"at": mailbox, "inside": folder, "validity": uidvalidity}
        uids_here = asked[start : start + 10_000]
        found.update(connection.execute(_KNOWN, {**which, "uids": uids_here}).scalars())
    return found


def was_kept(connection: Connection, raw: bytes) -> bool:
    """Return whether a letter of exactly these bytes was ever kept."""
    return connection.execute(_SAME_BYTES, {"raw": _sha256(raw)}).first() is not None


def is_listed(connection: Connection, message_id: str, arrived: datetime, size: int) -> bool:
    """Return whether a letter with this Message-ID, stamp and size was kept."""
    which = {"which": message_id, "moment": arrived, "bytes": size}
    return connection.execute(_SAME_STAMP, which).first() is not None


def twins_of(connection: Connection, letter: LetterRow) -> tuple[LetterRow, ...]:
    """Return the earlier letters that were the same: same bytes, or same sender, id and body."""
    same = {"which": letter.id, "raw": letter.raw_hash, "twin": letter.twin_hash}
    return all_rows(LetterRow, connection.execute(_TWINS, same))


def get_letter(connection: Connection, letter_id: int) -> LetterRow:
    """Return a letter. Raises KeyError."""
    return only_row(LetterRow, connection.execute(_ONE, {"which": letter_id}), letter_id)


def letter_by_message_id(connection: Connection, message_id: str) -> LetterRow | None:
    """Return the first letter that bore this Message-ID."""
    return first_row(LetterRow, connection.execute(_BY_MESSAGE_ID, {"which": message_id}))


def raw_letter(connection: Connection, letter_id: int) -> bytes:
    """Return the bytes kept of a letter. Raises KeyError without any."""
    found: bytes | None = connection.execute(_RAW, {"which": letter_id}).scalar()
    if found is None:
        raise KeyError(letter_id)
    return found


def has_bytes(connection: Connection, letter_id: int) -> bool:
    """Return whether the bytes of a letter are still kept."""
    return connection.execute(_RAW, {"which": letter_id}).scalar() is not None


def waiting_letters(connection: Connection, limit: int = 100) -> tuple[LetterRow, ...]:
    """Return the letters not handled yet, by arrival."""
    return all_rows(LetterRow, connection.execute(_WAITING, {"most": limit}))


def waiting_before(connection: Connection, moment: datetime) -> bool:
    """Return whether a letter older than a moment is still waiting."""
    return connection.execute(_WAITING_BEFORE, {"moment": moment}).first() is not None


def latest_letters(
    connection: Connection, state: str | None = None, limit: int = 100
) -> tuple[LetterRow, ...]:
    """Return the latest letters, all or those in a state, newest first."""
    if state is None:
        return all_rows(LetterRow, connection.execute(_LATEST, {"most": limit}))
    return all_rows(LetterRow, connection.execute(_LATEST_IN, {"most": limit, "which": state}))


def latest_habits(connection: Connection, sender: str, before: int, limit: int) -> set[str]:
    """Return the habits noted of a sender's latest letters before one, by its id."""
    row = {"who": sender, "before": before, "most": limit}
    found = connection.execute(_OF_SENDER, row).scalars()
    return {*" ".join(filter(None, found)).split()}


def note_habits(connection: Connection, letter_id: int, habits: Iterable[str]) -> None:
    """Note words that stand for what a letter has in common with others of its sender."""
    _set(connection, letter_id, {"habits": " ".join(sorted(habits))})


def begin_attempt(connection: Connection, letter_id: int) -> bytes:
    """Record that handling begins; return the bytes kept of the letter. Raises KeyError."""
    found: bytes | None = connection.execute(_BEGIN, {"which": letter_id}).scalar()
    if found is None:
        raise KeyError(letter_id)
    return found


def end_attempt(connection: Connection, letter_id: int, reason: str | None = None) -> None:
    """Count a failed attempt that is the letter's own fault, and why."""
    connection.execute(_FAIL, {"which": letter_id, "reason": reason})


def forget_attempt(connection: Connection, letter_id: int) -> None:
    """End an attempt without counting it: the machine was at fault."""
    _set(connection, letter_id, {"attempting": False})


def interrupted_letters(connection: Connection) -> tuple[LetterRow, ...]:
    """Return the letters whose handling began and never ended: their process was killed."""
    return all_rows(LetterRow, connection.execute(_INTERRUPTED))


def count_kill(connection: Connection, letter_id: int) -> None:
    """Count an attempt that a killed process did not end."""
    connection.execute(_KILL, {"which": letter_id})


def record_identity(
    connection: Connection,
    letter_id: int,
    *,
    message_id: str | None,
    sender: str | None,
    twin: str | None,
) -> LetterRow:
    """Record a letter's Message-ID, sender and twin hash; return its row."""
    row = {"which": letter_id, "message_id": message_id, "sender": sender, "twin_hash": twin}
    return only_row(LetterRow, connection.execute(_IDENTIFY, row), letter_id)


def aside_in_a_row(connection: Connection, since: datetime, most: int, but: str) -> int:
    """Return how many of the last letters in a row were quarantined.

    Only letters handled after a moment count; those whose reason begins with ``but`` are passed
    over.
    """
    which = {"since": since, "most": most, "but": but}
    states = connection.execute(_DONE, which).scalars()
    return sum(1 for _ in takewhile(lambda state: state == "quarantined", states))


def set_sender(
    connection: Connection, letter_id: int, sender: str, player_id: int | None = None
) -> None:
    """Record the sender of a letter."""
    _set(connection, letter_id, {"sender": sender, "player_id": player_id})


def finish_letter(
    connection: Connection,
    letter_id: int,
    state: LetterState,
    reason: str | None,
    now: datetime,
    player_id: int | None = None,
) -> None:
    """Record the outcome of a letter, and why; and whose it is, if given."""
    row = {"state": state, "reason": reason, "handled_at": now, "attempting": False}
    _set(connection, letter_id, row if player_id is None else {**row, "player_id": player_id})


def reset_letter(connection: Connection, letter_id: int) -> None:
    """Let a letter be handled once more, with a clean slate."""
    row = {"state": "kept", "reason": None, "attempts": 0, "kills": 0, "handled_at": None}
    _set(connection, letter_id, {**row, "attempting": False})


def unfiled_letters(
    connection: Connection, folder: str, uidvalidity: int, mailbox: str = "", after: int = 0
) -> tuple[LetterRow, ...]:
    """Return the next 100 letters not yet moved on the server, of one UIDVALIDITY, by id.

    Those with a ``target`` were copied there.
    """
    which = {"at": mailbox, "inside": folder, "validity": uidvalidity, "after": after}
    return all_rows(LetterRow, connection.execute(_UNFILED, which))


def mark_filed(
    connection: Connection, letter_ids: Iterable[int], target: str | None, *, filed: bool = True
) -> None:
    """Record the folder letters were moved to, or copied; None if they were gone."""
    rows = [{"which": each, "filed": filed, "target": target} for each in letter_ids]
    if rows:
        connection.execute(_UPDATE, rows)


def keep_head(connection: Connection, letter_id: int, head: bytes) -> None:
    """Keep only the headers of a letter from now on."""
    _set(connection, letter_id, {"raw": head, "truncated": True})


def drop_strange(connection: Connection, before: datetime) -> int:
    """Forget strangers' letters before a moment, and senders; return how many.

    Letters may be kept long after they arrived, so no older moment bounds the search.
    """
    return connection.execute(_DROP_STRANGE, {"before": before}).rowcount


def _set(connection: Connection, letter_id: int, row: Mapping[str, object]) -> None:
    connection.execute(_UPDATE, {"which": letter_id, **row})


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
