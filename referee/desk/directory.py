"""Directory: matches and players by the words an organiser types for them."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from sqlalchemy import Connection

from referee.errors import RefereeError
from referee.games import registry
from referee.mail.addressing import same_address
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import letters, outbox
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow
from referee.text import did_you_mean, one_meant

_MOST_DIGITS: Final = 18
"""Digits of a number that every database reads."""

NEWEST: Final = 50
"""Letters or mails that are offered."""


def require_match(connection: Connection, name: str) -> MatchRow:
    """Return the match of a name. Raises RefereeError, with similar names."""
    row = matches.find_match(connection, name)
    if row is None:
        raise RefereeError(no_match(connection, name))
    return row


def no_match(connection: Connection, name: str) -> str:
    """Return the error for an unknown match name, with close matches."""
    near = did_you_mean(name.lower(), _match_names(connection))
    return f"there is no match {name}{near or ': see referee match list'}"


def require_player(connection: Connection, who: str) -> PlayerRow:
    """Return the player of an address or a number. Raises RefereeError."""
    if who.isdecimal():
        player = players.find_player(connection, int(who)) if len(who) <= _MOST_DIGITS else None
    else:
        player = players.by_address(connection, same_address(who))
    if player is not None:
        return player
    if "@" in who or who.isdecimal():
        # Those of a club share all behind the @, which makes no two of them alike.
        called: dict[str, list[str]] = {}
        for address in _addresses(connection):
            called.setdefault(address.partition("@")[0], []).append(address)
        alike = get_close_matches(who.partition("@")[0], called, cutoff=0.7)
        near = one_meant([address for name in alike for address in called[name]][:3])
        raise RefereeError(f"there is no player {who}{near or ': see referee player list'}")
    # Players are looked up by address, never by name.
    named = _addresses(connection, who)
    meant = f"such as {', '.join(named)}" if named else "see referee player list"
    raise RefereeError(f"{who!r} is no player: name them by an address or their number, {meant}")


def names_of_kind(connection: Connection, kind: str, words: Iterable[str]) -> list[str]:
    """Return the names of one kind of thing.

    The kinds are game, match, player, seat, letter and mail; seats are those of the first match
    that ``words`` name.
    """
    match kind:
        case "game":
            return playable_games()
        case "match":
            return _match_names(connection)[::-1]
        case "player":
            return _addresses(connection)
        case "seat":
            row = next(filter(None, (matches.find_match(connection, word) for word in words)), None)
            return [] if row is None else [seat.seat for seat in matches.seats(connection, row.id)]
        case "letter":
            return [str(row.id) for row in letters.latest_letters(connection, limit=NEWEST)]
        case _:
            return [str(row.id) for row in outbox.latest_mails(connection, limit=NEWEST)]


def playable_games() -> list[str]:
    """Return the names of the games that are installed."""
    return registry.game_names()


def _match_names(connection: Connection) -> list[str]:
    return [row.name for row in matches.select_matches(connection)]


def _addresses(connection: Connection, name: str | None = None) -> list[str]:
    """Return the addresses of all players, or of those by a name."""
    return [
        address.address
        for row in players.all_players(connection)
        if name is None or row.name.casefold() == name.strip().casefold()
        for address in players.addresses_of(connection, row.id)
    ]
