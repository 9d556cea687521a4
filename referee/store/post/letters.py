"""The letters that came in: kept once, handled once, filed where they belong."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime
from itertools import takewhile
from typing import Final

from sqlalchemy import Connection, Executable, bindparam, delete, not_, or_, select, update

from referee.store import tables as t
from referee.store.database import query
from referee.store.states import LetterState
from referee.store.tables.post import LetterRow

_l: Final = t.letters.c
_columns: Final = query.row_columns(LetterRow, t.letters)
_letters: Final = select(*_columns)
_UPDATE: Final = update(t.letters).where(_l.id == bindparam("which"))
_CHANGE: Final = _UPDATE.returning(*_columns)


def keep_letter(
    connection: Connection,
    *,
    raw: bytes,
    now: datetime,
    mailbox: str = "",
    truncated: bool = False,
    **columns: object,
) -> LetterRow | None:
    """Keep a letter; return None if the letter of this mailbox, folder and UID is known.

    ``columns`` are its ``folder``, ``uidvalidity`` and ``uid``; ``arrived``, the stamp of our own
    server; and ``size``, the whole letter's in bytes, even where ``raw`` holds its beginning only.
    """
    kept = {"raw": raw, "raw_hash": _sha256(raw), "truncated": truncated, "mailbox": mailbox}
    names = [column.name for column in _columns]
    row = {**kept, **columns, "state": "kept", "kept_at": now}
    return query.first_row(LetterRow, query.insert_or_skip(connection, t.letters, row, *names))


def change_letter(connection: Connection, letter_id: int, **changes: object) -> LetterRow:
    """Change columns of a letter, and return it. Raises KeyError."""
    rows = connection.execute(_CHANGE, {"which": letter_id, **changes})
    return query.only_row(LetterRow, rows, letter_id)


@query.every(LetterRow)
def unfetched_letters() -> Executable:
    """Return the letters that the server does not give, with the attempts to fetch them."""
    # Set aside where they lie, and never handled.
    aside = _letters.where(_l.state == "quarantined", _l.handled_at.is_(None))
    return aside.order_by(_l.id)


@query.done
def drop_unfetched(letter_id: int) -> Executable:
    """Forget a letter that was set aside so, as the server gives it, or as it is gone."""
    return delete(t.letters).where(_l.id == letter_id)


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
    connection: Connection, folder: str, uidvalidity: int, uids: Iterable[int], mailbox: str
) -> set[int]:
    """Return those of the UIDs whose letters were kept."""
    asked, known = list(uids), set[int]()
    here = (_l.mailbox == mailbox) & (_l.folder == folder) & (_l.uidvalidity == uidvalidity)
    # A statement takes a limited number of values: 32766 on SQLite.
    for start in range(0, len(asked), 10_000):
        these = select(_l.uid).where(here, _l.uid.in_(asked[start : start + 10_000]))
        known.update(connection.execute(these).scalars())
    return known


def was_kept(connection: Connection, raw: bytes) -> bool:
    """Return whether a letter of exactly these bytes was ever kept."""
    same = select(_l.id).where(_l.raw_hash == _sha256(raw)).limit(1)
    return connection.execute(same).first() is not None


@query.exists
def is_listed(message_id: str, arrived: datetime, size: int) -> Executable:
    """Return whether a letter with this Message-ID, stamp and size was kept."""
    same = (_l.message_id == message_id) & (_l.arrived == arrived) & (_l.size == size)
    return select(_l.id).where(same).limit(1)


def twins_of(connection: Connection, letter: LetterRow) -> tuple[LetterRow, ...]:
    """Return the letters heard before this one that were the same.

    They have the same bytes, or the same sender, Message-ID and body.
    """
    return _twins(connection, letter.id, letter.arrived, letter.raw_hash, letter.twin_hash)


@query.every(LetterRow)
def _twins(letter_id: int, arrived: datetime, raw_hash: str, twin: str | None) -> Executable:
    same = or_(_l.raw_hash == raw_hash, _l.twin_hash == twin) & (_l.id != letter_id)
    # Letters are heard by arrival, so a number tells nothing: the server may have given the first
    # of two copies last, after the other was heard. A repeat was not heard: its first, tried once
    # more, is none of it.
    sooner = or_(_l.arrived < arrived, (_l.arrived == arrived) & (_l.id < letter_id))
    heard = (_l.state != "repeat") & or_(sooner, _l.handled_at.is_not(None))
    return _letters.where(same, heard).order_by(_l.id)


@query.required
@query.first(LetterRow)
def get_letter(letter_id: int) -> Executable:
    """Return a letter. Raises KeyError."""
    return _letters.where(_l.id == letter_id)


@query.required
@query.first(LetterRow)
def lock_letter(letter_id: int) -> Executable:
    """Return a letter as it stands, and keep it so until the block ends. Raises KeyError."""
    return _letters.where(_l.id == letter_id).with_for_update()


@query.first(LetterRow)
def letter_by_message_id(message_id: str) -> Executable:
    """Return the first letter that bore this Message-ID."""
    return _letters.where(_l.message_id == message_id).order_by(_l.id).limit(1)


@query.required
@query.value(bytes)
def raw_letter(letter_id: int) -> Executable:
    """Return the bytes kept of a letter. Raises KeyError without any."""
    return select(_l.raw).where(_l.id == letter_id)


@query.exists
def has_bytes(letter_id: int) -> Executable:
    """Return whether the bytes of a letter are still kept."""
    return select(_l.id).where(_l.id == letter_id, _l.raw.is_not(None))


@query.every(LetterRow)
def waiting_letters(limit: int = 100) -> Executable:
    """Return the letters not handled yet, by arrival."""
    # By the server's stamp: UIDs of different folders do not tell which letter came first.
    return _letters.where(_l.state == "kept").order_by(_l.arrived, _l.id).limit(limit)


@query.exists
def waiting_before(moment: datetime) -> Executable:
    """Return whether a letter older than a moment is still waiting."""
    return select(_l.id).where(_l.state == "kept", _l.arrived < moment).limit(1)


@query.exists
def any_aside(player_id: int) -> Executable:
    """Return whether a letter of a player's lies in quarantine."""
    return select(_l.id).where(_l.state == "quarantined", _l.player_id == player_id).limit(1)


def latest_letters(
    connection: Connection, state: str | None = None, limit: int = 100
) -> tuple[LetterRow, ...]:
    """Return the latest letters, all or those in a state, newest first."""
    latest = _letters.order_by(_l.id.desc()).limit(limit)
    if state is not None:
        latest = latest.where(_l.state == state)
    return query.all_rows(LetterRow, connection.execute(latest))


@query.reading(lambda rows: {*" ".join(filter(None, rows.scalars())).split()})
def latest_habits(sender: str, before: int, limit: int) -> Executable:
    """Return the habits noted of a sender's latest letters before one, by its id.

    They are words that stand for what a letter has in common with others of its sender.
    """
    earlier = select(_l.habits).where(_l.sender == sender, _l.id < before)
    return earlier.order_by(_l.id.desc()).limit(limit)


@query.required
@query.value(bytes)
def begin_attempt(letter_id: int) -> Executable:
    """Record that handling begins; return the bytes kept of the letter. Raises KeyError."""
    begun = update(t.letters).where(_l.id == letter_id).values(attempting=True)
    return begun.returning(_l.raw)


@query.done
def end_attempt(letter_id: int, reason: str | None = None) -> Executable:
    """Count a failed attempt that is the letter's own fault, and why."""
    ended = update(t.letters).where(_l.id == letter_id).values(attempting=False)
    return ended.values(attempts=_l.attempts + 1, reason=reason)


@query.every(LetterRow)
def interrupted_letters() -> Executable:
    """Return the letters whose handling began and never ended: their process was killed."""
    return _letters.where(_l.attempting, _l.state == "kept").order_by(_l.id)


@query.done
def count_kill(letter_id: int) -> Executable:
    """Count an attempt that a killed process did not end."""
    # Apart from attempts: an exception is surely the letter's, a kill may be the machine's.
    ended = update(t.letters).where(_l.id == letter_id)
    return ended.values(attempting=False, kills=_l.kills + 1)


def aside_in_a_row(connection: Connection, since: datetime, most: int, but: str) -> int:
    """Return how many of the last letters in a row were quarantined.

    Only letters handled after a moment count; those whose reason begins with ``but`` are passed
    over.
    """
    counted = or_(_l.reason.is_(None), not_(_l.reason.startswith(but)))
    handled = select(_l.state).where(_l.handled_at > since, counted)
    latest = handled.order_by(_l.handled_at.desc(), _l.id.desc()).limit(most)
    states = connection.execute(latest).scalars().all()
    return sum(1 for _ in takewhile(lambda state: state == "quarantined", states))


def finish_letter(
    connection: Connection,
    letter_id: int,
    state: LetterState,
    reason: str | None,
    now: datetime,
    player_id: int | None = None,
) -> None:
    """Record the outcome of a letter, and why; and whose it is, if given."""
    whose = {} if player_id is None else {"player_id": player_id}
    outcome = {"state": state, "reason": reason, "handled_at": now}
    change_letter(connection, letter_id, **outcome, **whose, attempting=False)


def reset_letter(connection: Connection, letter_id: int) -> None:
    """Let a letter be handled once more, with a clean slate."""
    anew = {"state": "kept", "reason": None, "attempts": 0, "kills": 0, "handled_at": None}
    change_letter(connection, letter_id, **anew, attempting=False)


@query.every(LetterRow)
def unfiled_letters(folder: str, uidvalidity: int, mailbox: str, after: int) -> Executable:
    """Return the next 100 letters not yet moved on the server, of one UIDVALIDITY, by id.

    Those with a ``target`` were copied there.
    """
    here = (_l.mailbox == mailbox) & (_l.folder == folder) & (_l.uidvalidity == uidvalidity)
    unfiled = _letters.where(here, _l.filed.is_(False), _l.state != "kept", _l.id > after)
    return unfiled.order_by(_l.id).limit(100)


def mark_filed(
    connection: Connection, letter_ids: Iterable[int], target: str | None, *, filed: bool = True
) -> None:
    """Record the folder letters were moved to, or copied; None if they were gone."""
    rows = [{"which": letter_id, "filed": filed, "target": target} for letter_id in letter_ids]
    if rows:
        connection.execute(_UPDATE, rows)


@query.done
def drop_strange(before: datetime) -> Executable:
    """Forget strangers' letters before a moment, and senders.

    Letters may be kept long after they arrived, so no older moment bounds the search.
    """
    # Quarantined ones are the organiser's to look at, whoever wrote them.
    strange = (_l.state.in_(["ignored", "repeat"])) & _l.player_id.is_(None)
    kept = or_(_l.raw.is_not(None), _l.sender.is_not(None))
    old = update(t.letters).where(strange, _l.arrived < before, kept)
    return old.values(raw=None, sender=None, habits=None, lanes=None)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
