"""The record of a finished match: taken from the log, once nothing in it is secret any more."""

from __future__ import annotations

import json

from sqlalchemy import Connection

from referee.desk import broken, ledger
from referee.errors import RefereeError
from referee.matches import record
from referee.matches.events import Event
from referee.store import matches as tables
from referee.store.matches import MatchRow


class NotOver(RefereeError):
    """A match that still runs has secrets; its record comes with the last report."""


def seal_of(data: bytes) -> str:
    """Return the seal in the closing line of a record."""
    return str(json.loads(data.splitlines()[-1])["seal"])


def record_bytes(connection: Connection, row: MatchRow) -> bytes:
    """Return the record of a finished match, UTF-8 JSON lines. Raises NotOver or BrokenMatch."""
    with broken.known(row):
        result = ledger.result_of(row)
    if row.state != "over" or result is None:
        if row.header is None and row.state != "invited":
            raise NotOver(f"{row.name} was called off before it began: it has no record")
        raise NotOver(f"{row.name} is {row.state}: its record is released when it is over")
    stored = tables.events(connection, row.id)
    if len(stored) != row.seq:
        if stored:
            raise broken.BrokenMatch(broken.told(row.name, LookupError()))
        raise NotOver(f"{row.name} was pruned: its record is the file that was exported before")
    with broken.known(row):
        events = [Event.from_document(json.loads(each.body)) for each in stored]
        lines = record.export(ledger.terms_of(row), events, row.seed, result)
    return "".join(f"{line}\n" for line in lines).encode()
