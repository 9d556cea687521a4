"""Players: added, found by address, named, set; and the seats they hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from difflib import get_close_matches
from typing import Final, get_args

from sqlalchemy import Connection

from referee.desk import names
from referee.desk.desk import Change
from referee.desk.matches import ledger
from referee.desk.matches.time import departure
from referee.errors import RefereeError
from referee.games.game import ABANDONED, LANGUAGES, Seat
from referee.mail import addressing
from referee.matches.time.moments import format_duration
from referee.matches.time.pace import MOST_TALK
from referee.render.common import NAME_LENGTH
from referee.render.layout import clean
from referee.render.words.moments import known_zones
from referee.resources import sentences
from referee.store.people import players
from referee.store.play import matches
from referee.store.states import UNFINISHED, MailFormat, Reports
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow, SeatRow

OFF: Final = "off"

YES: Final = "yes"


class BadPlayer(RefereeError):
    """A player cannot be added or changed as asked."""


def matches_of(
    connection: Connection, player_id: int, *, finished: bool = False
) -> tuple[MatchRow, ...]:
    """Return a player's matches as they were made, and those that are over last, if asked for."""
    seated = matches.matches_of_player(connection, player_id)
    rows = sorted(seated, key=lambda row: row.state not in UNFINISHED)
    return tuple(row for row in rows if finished or row.state in UNFINISHED)


def has_ended_one(connection: Connection, player_id: int, game: str) -> bool:
    """Return whether a player has been in a match of a game to its end; broken off is not that."""
    rows = matches_of(connection, player_id, finished=True)
    return any(row.game == game and told_state(row) == "over" for row in rows)


def told_state(row: MatchRow) -> str:
    """Return a match's state as people are told it: abandoned is not just over."""
    result = ledger.result_of(row)
    return ABANDONED if result is not None and result.ending == ABANDONED else row.state


def add_player(
    change: Change,
    address: str,
    *,
    name: str | None = None,
    language: str | None = None,
    zone: str | None = None,
    format: MailFormat = "html",
) -> PlayerRow:
    """Add a player, with defaults for whatever is not given. Raises BadPlayer."""
    valid = _checked_address(change, address)
    if players.by_address(change.connection, valid) is not None:
        raise BadPlayer(f"{valid} belongs to a player already: referee player show {valid}")
    if language is not None and language not in LANGUAGES:
        raise BadPlayer(f"--language {language}: one of {', '.join(LANGUAGES)}")
    if zone is not None and zone not in known_zones():
        raise BadPlayer(f"--zone {zone}: a time zone such as Europe/Berlin")
    if name is None:
        called = names.free_name(change.connection, clean(valid.partition("@")[0], NAME_LENGTH))
    else:
        if len(name) > NAME_LENGTH:
            raise BadPlayer(f"the name has {len(name)} characters: write at most {NAME_LENGTH}")
        called = checked_name(change.connection, name)
    # Another player may have asked for this address without proving it. The organiser's word, or
    # the owner's own yes, goes before that.
    players.drop_address(change.connection, valid)
    player_id = players.insert_player(
        change.connection,
        name=called,
        language=language or change.desk.settings.language,
        zone=zone or change.desk.settings.zone.key,
        format=format,
        address=valid,
        now=change.desk.now(),
    )
    return players.get_player(change.connection, player_id)


def checked_name(connection: Connection, name: str, mine: int | None = None) -> str:
    """Return a name as it is kept, though it be ``mine`` already. Raises BadPlayer if not free."""
    cleaned = clean(name, NAME_LENGTH)
    if not cleaned:
        raise BadPlayer("the name is empty: write what the others are to call them")
    if names.is_reserved(cleaned):
        raise BadPlayer(
            f"{cleaned}: mails have another use for this word; no player is called like a seat, a "
            "match, a command, the referee or the organiser"
        )
    if names.is_taken(connection, cleaned, mine):
        raise BadPlayer(
            f"{cleaned}: somebody else goes by that name or one that looks the same; choose another"
        )
    return cleaned


def _checked_address(change: Change, address: str) -> str:
    """Return an address as it is kept. Raises BadPlayer if no player can have it."""
    valid = addressing.valid_address(address)
    if valid is None:
        raise BadPlayer(f"{address!r} is no mail address")
    if valid == change.desk.settings.address:
        raise BadPlayer(f"{valid} is the referee's own address")
    return valid


def confirm_address(change: Change, player: PlayerRow, address: str) -> str:
    """Give a player one more address by the organiser's word; return it. Raises BadPlayer."""
    valid = _checked_address(change, address)
    known = players.find_address(change.connection, valid)
    if known is not None and known.state != "unconfirmed":
        owner = players.get_player(change.connection, known.player_id)
        if owner.id == player.id:
            raise BadPlayer(f"{valid} is {owner.name}'s already")
        raise BadPlayer(
            f"{valid} is {owner.name}'s (player {owner.id}): "
            f"referee player merge {owner.id} {player.id} makes them one"
        )
    # It was unconfirmed, perhaps as another player asked.
    players.drop_address(change.connection, valid)
    players.give_address(change.connection, player.id, valid, now=change.desk.now())
    return valid


def player_at(change: Change, address: str, language: str | None = None) -> PlayerRow:
    """Return the player of an address; add one, named after it, if needed."""
    player = players.by_address(change.connection, addressing.same_address(address))
    return player or add_player(change, address, language=language or None)


CHOICES: Final[Mapping[str, Mapping[str, str]]] = {
    "language": {code: code for code in LANGUAGES},
    "format": {**{kind: kind for kind in get_args(MailFormat)}, "plain": "text"},
    "subjects": {"plain": "plain", "telling": "telling", "off": "plain", "on": "telling"},
    "mails": {kind: kind for kind in get_args(Reports)},
    "composer": {"on": "on", OFF: OFF},
}
"""What is kept of a setting, by the meaning of the word for it."""

LANGUAGE_NAMES: Final[Mapping[str, str]] = {
    word.casefold(): code
    for code in reversed(LANGUAGES)
    for word in (code, *sentences(code)["language"]["names"].split())
}


def values_of(what: str) -> tuple[str, ...]:
    """Return the values of a setting, or examples of many."""
    return tuple(sorted(known_zones())) if what == "zone" else nearest_values(what, "")


def nearest_values(what: str, value: str) -> tuple[str, ...]:
    """Return the values closest to one that cannot be set; at most three time zones."""
    if what in EXAMPLES:
        return EXAMPLES[what]
    if what != "zone":
        return tuple(dict.fromkeys(CHOICES.get(what, {}).values()))
    known = sorted(known_zones())
    wanted = value.strip().casefold().replace(" ", "_")
    cities = {zone.rpartition("/")[2].casefold(): zone for zone in known if "/" in zone}
    near = [cities[city] for city in get_close_matches(wanted, cities, 3, 0.75)]
    near += get_close_matches(value, known, 3, 0.6)
    return tuple(dict.fromkeys(near))[:3] or ("Europe/Berlin", "America/New_York", "UTC")


EXAMPLES: Final[Mapping[str, tuple[str, ...]]] = {
    "digest": ("daily 18:00", "off"),
    "reminders": ("24h 2h", "off", "match"),
    "quiet": ("22:00-07:00", "off"),
    "grace": ("10m", "1h", YES, OFF),
    "talk": ("10m", "1h", YES, OFF, "match"),
}
"""Good values of the settings that hold more than one word of a list."""

SETTINGS: Final = (
    "language", "format", "subjects", "mails", "digest", "reminders", "quiet", "grace", "talk",
    "composer", "zone", "name",
)  # fmt: skip
"""What players may set, but for their addresses."""


def read_setting(connection: Connection, player: PlayerRow, what: str, value: str) -> str | None:
    """Return the value of a setting as it is kept; None if a player cannot set it."""
    word = value.strip().casefold()
    meaning = departure.VALUES.get(word, "")
    match what:
        case "name":
            with suppress(BadPlayer):
                return checked_name(connection, value, player.id)
            return None
        case "address":
            return addressing.valid_address(value)
        case "language":
            return LANGUAGE_NAMES.get(word)
        case "zone":
            return next((zone for zone in known_zones() if zone.casefold() == word), None)
        case "digest" | "reminders" | "quiet" | "grace" | "talk" if meaning == OFF:
            return OFF
        case "digest":
            return departure.read_digest(word)
        case "reminders" if meaning in {"on", "match"}:
            return "match"
        case "reminders":
            return departure.read_reminders(word)
        case "quiet":
            return departure.read_quiet(word)
        case "talk" if meaning == "match":
            return meaning
        case "grace" | "talk" if meaning == YES:
            return YES
        case "grace" | "talk":
            span = timedelta() if word == "0" else departure.read_span(word)
            # Longer would keep the others waiting in every match, whatever they agreed.
            if span is None or span > MOST_TALK:
                return None
            return format_duration(span) if span else OFF
        case _:
            return CHOICES.get(what, {}).get(meaning)


GONE: Final = frozenset({"calendar", "confirm"})
"""Settings that are no more. Their words stay known, so that the answer says what is instead."""


def players_of(connection: Connection, seats: Iterable[SeatRow]) -> dict[Seat, PlayerRow]:
    """Return the player of each seat that a player holds."""
    held = {seat.seat: seat.player_id for seat in seats if seat.player_id is not None}
    known = players.get_players(connection, held.values())
    return {seat: known[player_id] for seat, player_id in held.items()}


def holders_of(connection: Connection, match_id: int) -> list[tuple[SeatRow, PlayerRow]]:
    """Return the seats of a match that players hold, with them."""
    seats = matches.seats(connection, match_id)
    by_seat = players_of(connection, seats)
    return [(seat, by_seat[seat.seat]) for seat in seats if seat.seat in by_seat]


def names_of(connection: Connection, seats: Sequence[SeatRow]) -> dict[Seat, str]:
    """Return the name shown for each seat's holder; a bot by its kind."""
    shown, holders = {}, players_of(connection, seats)
    for seat in seats:
        if seat.player_id is not None:
            shown[seat.seat] = holders[seat.seat].name
        else:
            shown[seat.seat] = f"bot {seat.bot}" if seat.bot else "–"
    return shown
