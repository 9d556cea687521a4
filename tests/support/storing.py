"""Rows for the tests of the store: a match with two seats, letters, mails; and a place to start."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from sqlalchemy import Connection, select

from referee.desk.service.lease import ServingDaemon
from referee.store import leases
from referee.store import tables as t
from referee.store.database.locks import Lock
from referee.store.database.query import all_rows, row_columns
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import letters, outbox
from referee.store.post.outbox import NewMail
from referee.store.store import Store
from referee.store.tables.play import EventRow, MessageRow
from referee.store.tables.post import LetterRow
from referee.value import asdict

NOW = datetime(2026, 11, 20, 12, 0, 0, 123_456, tzinfo=UTC)
SECOND = timedelta(seconds=1)
_numbers = count(1)


@dataclass(frozen=True, slots=True)
class Placed:
    """A match that has been set up: its id and its players'."""

    match: int
    alice: int
    bob: int


def a_player(connection: Connection, name: str = "alice") -> int:
    """Add a player called so, at example.test."""
    return players.insert_player(
        connection,
        name=name,
        language="en",
        zone="UTC",
        address=f"{name}@example.test",
        now=NOW,
    )


def a_match(connection: Connection, *, begun: bool = False) -> Placed:
    """Add a match between alice on red and bob on blue."""
    known = {each.name: each.id for each in players.all_players(connection)}
    alice = known.get("alice") or a_player(connection, "alice")
    bob = known.get("bob") or a_player(connection, "bob")
    match_id = matches.add_match(
        connection,
        name=matches.new_name(connection, "pebbles"),
        game="pebbles",
        edition=1,
        options={"stones": 12},
        clock={},
        board=None,
        seed=bytes(range(32)),
        commitment="c0ffee",
        practice=False,
        time_per_turn=86_400,
        created=NOW,
    )
    for number, (seat, player) in enumerate((("red", alice), ("blue", bob))):
        matches.add_seat(connection, match_id, seat, number, player_id=player)
    if begun:
        row = {"state": "running", "header": '{"a":1}', "header_hash": "ab", "started": NOW}
        matches.change_match(connection, match_id, board={"a": [1]}, **row)
    return Placed(match_id, alice, bob)


def an_event(seq: int, body: str = "{}") -> EventRow:
    """Return an event of this number."""
    return EventRow(seq, "order", "red", 1, body, "[]", f"hash {seq}", NOW)


def messages_of(connection: Connection, match_id: int) -> tuple[MessageRow, ...]:
    """Return every text kept of a match, oldest first."""
    kept = select(*row_columns(MessageRow, t.messages)).order_by(t.messages.c.id)
    return all_rows(MessageRow, connection.execute(kept.where(t.messages.c.match_id == match_id)))


def a_letter(connection: Connection, uid: int, **given: Any) -> LetterRow:
    """Keep a letter with this UID, identified by what is given of its headers."""
    who = {name: given.pop(name, None) for name in ("message_id", "sender")}
    who["twin_hash"] = given.pop("twin", None)
    row: dict[str, Any] = {
        "folder": "INBOX",
        "uidvalidity": 7,
        "uid": uid,
        "arrived": NOW,
        "size": 3,
        "raw": b"letter %d" % uid,
        "now": NOW,
    }
    kept = letters.keep_letter(connection, **{**row, **given})
    assert kept is not None
    return letters.change_letter(connection, kept.id, **who)


def a_mail(connection: Connection, recipient: str = "alice@example.test", **given: Any) -> int:
    """Write a mail into the outbox, of a state or for a later moment if given."""
    state, next_at = given.pop("state", "waiting"), given.pop("next_at", None)
    row: dict[str, Any] = {
        "recipient": recipient,
        "kind": "notice",
        "message_id": f"<{next(_numbers)}@example.test>",
        "envelope_from": "referee@example.test",
        "raw": b"mail",
        "created": given.pop("now", NOW),
    }
    mail = NewMail(**{**row, **given})
    (found,) = outbox.enqueue_mails(connection, [mail]).values()
    if state != "waiting" or next_at is not None:
        outbox.mark_mail(connection, found, state, now=NOW, next_at=next_at)
    return found


def a_daemon(store: Store, host: str, parts: str, heard: datetime) -> Lock:
    """Let a daemon on another host give a sign of life, as process 7 there; return its lock."""
    daemon = ServingDaemon(host, 7, "2026-11-20T11:00:00Z", f"on {host}", "1", "k", parts)
    lease = f"{leases.DAEMON}{daemon.token}"
    lock = store.lock(lease)
    assert lock.holds()
    with store.writing() as connection:
        leases.give_sign(connection, lease, json.dumps(asdict(daemon)), heard)
    return lock
