"""The record of a match of a club, and whether it verifies."""

from __future__ import annotations

from support.club import Club

from referee.desk.archive import record as archive_record
from referee.matches import record


def record_of(club: Club, name: str) -> bytes:
    """Return the record of a finished match."""
    with club.desk.store.reading() as connection:
        return archive_record.record_bytes(connection, club.match(name))


def verified(club: Club, name: str) -> bool:
    """Tell whether the record of a finished match is consistent in itself."""
    return record.verify_record(record_of(club, name).splitlines(), club.desk.find_game).ok
