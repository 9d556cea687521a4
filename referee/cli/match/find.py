"""The match that an argument names."""

from __future__ import annotations

from sqlalchemy import Connection

from referee.desk.names import no_match
from referee.errors import RefereeError
from referee.store.play import matches
from referee.store.play.matches import MatchRow


def find_match(connection: Connection, name: str) -> MatchRow:
    """Return the match of a name. Raises RefereeError, with similar names."""
    row = matches.get(connection, name)
    if row is None:
        raise RefereeError(no_match(connection, name))
    return row
