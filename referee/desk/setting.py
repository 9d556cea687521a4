"""What a player sets by mail: language, format, digest, zone, his name, and where mail goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final

from sqlalchemy import Connection

from referee.desk import answers, asking, frames, people, timing
from referee.desk.asking import Wish
from referee.desk.case import Case
from referee.desk.claims import Claim
from referee.desk.commands import Command
from referee.desk.desk import Desk
from referee.desk.health import all_letters_known
from referee.desk.posting import post_to
from referee.games.game import Json
from referee.mail import addressing
from referee.render.answers import Answer
from referee.render.answers import answer as render
from referee.render.moments import known_zones
from referee.render.wording import Catalogue
from referee.store import players, requests
from referee.store.players import PlayerRow
from referee.store.requests import RequestRow

WORDS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "language": {
            "en": "en", "english": "en", "englisch": "en",
            "de": "de", "german": "de", "deutsch": "de",
        },
        "format": {
            "text": "text", "plain": "text", "html": "html", "both": "both", "beides": "both",
        },
        "digest": {
            "on": "daily", "daily": "daily", "an": "daily", "täglich": "daily", "taeglich": "daily",
            "off": "off", "aus": "off",
        },
        "calendar": {"on": "on", "an": "on", "off": "off", "aus": "off"},
    }
)  # fmt: skip
"""What can be set, by every word for it."""

MOST_NEW_ADDRESSES: Final = 3
"""Addresses a player may have asked on one day."""


def set_(case: Case, _: Claim | None, command: Command) -> None:
    """Set what a command says, and tell the player."""
    what, value = command.arguments
    if what == "address":
        _address(case, value)
        return
    good = _READ[what](case.connection, case.player, value)
    changes = {"no_calendar": good == "off"} if what == "calendar" else {what: good}
    if what == "zone":
        timing.keep_zone(case.desk, case.connection, case.player)
    with timing.days_change(case.desk, case.connection, case.player.id):
        players.update(case.connection, case.player.id, **changes)
    told = replace(case, player=players.by_id(case.connection, case.player.id))
    answers.send(told, "set-done", {"what": what, "value": good})


def canonical(case: Case, command: Command) -> Command:
    """Return a command with what would be set in place of what somebody wrote."""
    if command.word != "set":
        return command
    what, value = command.arguments
    if what == "address":
        good = addressing.valid_address(value)
    else:
        good = _READ[what](case.connection, case.player, value)
    return Command(command.word, (what, good or ""))


def put(desk: Desk, connection: Connection, player: PlayerRow, what: str, value: str) -> str:
    """Set something of a player by the organiser's word; return it. Raises BadPlayer."""
    if what == "name":
        value = people.checked_name(connection, value, player.id)
    good = _READ[what](connection, player, value)
    if good is None:
        near = "on or off" if what == "digest" else ", ".join(_nearest(what, value))
        raise people.BadPlayer(f"{value}: no {what} that can be set; for example {near}")
    with timing.days_change(desk, connection, player.id):
        players.update(connection, player.id, **{what: good})
        if what == "zone":
            timing.forget_zone(desk, connection, player)
    return good


def wrong(case: Case, command: Command) -> bool:
    """Answer what cannot be set as asked; tell whether that was so."""
    what, value = command.arguments
    if what == "address":
        return _wrong_address(case, value)
    if _READ[what](case.connection, case.player, value) is not None:
        return False
    known: list[Json] = list(_nearest(what, value))
    answers.send(case, "set-wrong", {"what": what, "value": value, "known": known})
    return True


def zone_named(text: str) -> str | None:
    """Return the time zone of a name, in any case."""
    wanted = text.strip().casefold()
    return next((each for each in known_zones() if each.casefold() == wanted), None)


def zones_like(text: str) -> tuple[str, ...]:
    """Return a few time zones whose name, or the city in it, is like a text."""
    known = sorted(known_zones())
    wanted = text.strip().casefold().replace(" ", "_")
    cities = {each.rpartition("/")[2].casefold(): each for each in known if "/" in each}
    near = get_close_matches(wanted, cities, 3, 0.75)
    whole = get_close_matches(text, known, 3, 0.6)
    return tuple(dict.fromkeys([*(cities[each] for each in near), *whole]))[:3]


def _nearest(what: str, value: str) -> tuple[str, ...]:
    if what == "zone":
        return zones_like(value) or ("Europe/Berlin", "America/New_York", "UTC")
    return tuple(dict.fromkeys(WORDS[what].values())) if what in WORDS else ()


def _word(what: str) -> Callable[[Connection, PlayerRow, str], str | None]:
    return lambda _, __, value: WORDS[what].get(value.casefold())


def _zone(_: Connection, __: PlayerRow, value: str) -> str | None:
    return zone_named(value)


def _name(connection: Connection, player: PlayerRow, value: str) -> str | None:
    """Return a name nobody else goes by."""
    try:
        return people.checked_name(connection, value, player.id)
    except people.BadPlayer:
        return None


_READ: Final[Mapping[str, Callable[[Connection, PlayerRow, str], str | None]]] = MappingProxyType(
    {
        "language": _word("language"),
        "format": _word("format"),
        "digest": _word("digest"),
        "calendar": _word("calendar"),
        "zone": _zone,
        "name": _name,
    }
)


def _wrong_address(case: Case, value: str) -> bool:
    valid = addressing.valid_address(value)
    if valid is None:
        answers.send(case, "set-wrong", {"what": "address", "value": value, "known": []})
        return True
    known = players.address(case.connection, valid)
    taken = known is not None and known.state != "unconfirmed" and known.player_id != case.player.id
    if taken or valid == case.desk.address:
        answers.send(case, "address-taken", {"address": valid})
        return True
    return False


def _address(case: Case, value: str) -> None:
    """Send mail to an address of the player's from now on; a new one is asked first."""
    valid = addressing.valid_address(value) or value
    known = players.address(case.connection, valid)
    if known is not None and known.state != "unconfirmed":
        players.prefer(case.connection, case.player.id, valid)
        answers.send(case, "set-done", {"what": "address", "value": valid})
        return
    since = case.desk.now() - people.DAY
    asked = [
        each
        for each in requests.of_player(case.connection, case.player.id, since)
        if Wish.from_text(each.what).kind == "address"
    ]
    if len(asked) >= MOST_NEW_ADDRESSES:
        answers.send(case, "address-later", {"address": valid})
        return
    if known is not None:
        players.drop_address(case.connection, valid)
    players.add_address(
        case.connection, case.player.id, valid, now=case.desk.now(), state="unconfirmed"
    )
    if any(each.address == valid and each.state == "waiting" for each in asked):
        answers.send(case, "address-asked", {"address": valid, "days": asking.LIFE.days})
        return
    request = asking.note(
        case.desk, case.connection, valid, case.player.id, Wish("address"), case.letter
    )
    fields: Mapping[str, Json] = {"who": case.player.name, "days": asking.LIFE.days}
    language = case.player.language
    value_ = Answer("confirm-address", fields, framing=asking.framing(request, language))
    asking.mail(case, request, render(Catalogue(language), value_))
    answers.send(case, "address-asked", {"address": valid, "days": asking.LIFE.days})


def confirm(case: Case, request: RequestRow) -> None:
    """Make an address that said yes its player's, and the one mail goes to; tell the others."""
    others = [
        each.address
        for each in players.addresses_of(case.connection, case.player.id)
        if each.state != "unconfirmed" and each.address != request.address
    ]
    # Somebody else may have asked for it since; it is his to whom it said yes.
    players.drop_address(case.connection, request.address)
    players.add_address(
        case.connection, case.player.id, request.address, now=case.desk.now(), preferred=True
    )
    timing.settle_reach(case.desk, case.connection, case.player.id)
    answers.send(case, "address-confirmed", {"address": request.address})
    for address in others:
        tell_of_address(case.desk, case.connection, case.player, address, request.address)


def tell_of_address(
    desk: Desk, connection: Connection, player: PlayerRow, to: str, new: str
) -> None:
    """Tell an address of a player that he has a new one, and whether his mails go there now."""
    preferred = players.address_for(connection, player.id) == new
    fields: dict[str, Json] = {"address": new, "preferred": preferred}
    _tell(desk, connection, player, to, "address-added", fields)


def tell_of_removal(desk: Desk, connection: Connection, player: PlayerRow, gone: str) -> None:
    """Tell a player, where his mail goes, that an address is his no more."""
    to = players.address_for(connection, player.id)
    if to is not None:
        _tell(desk, connection, player, to, "address-removed", {"address": gone})


def _tell(
    desk: Desk,
    connection: Connection,
    player: PlayerRow,
    to: str,
    key: str,
    fields: dict[str, Json],
) -> None:
    said = Answer(key, fields, framing=frames.bare_framing(player.language))
    content = render(Catalogue(player.language), said)
    post_to(desk, connection, to, "answer", content, player=player)


def lapsed(desk: Desk, connection: Connection) -> list[RequestRow]:
    """Return the questions whose time is over, and to which no yes lies in the mailbox any more."""
    over = requests.expired(connection, desk.now())
    return [each for each in over if all_letters_known(desk, connection, each.expires)]


def forget_expired(desk: Desk, connection: Connection) -> None:
    """Drop what nobody answered in time, and the addresses that never said yes.

    What has been settled for a month is forgotten altogether.
    """
    requests.drop_settled(connection, desk.now() - asking.KEPT)
    for each in lapsed(desk, connection):
        requests.settle(connection, each.id, "dropped")
        known = players.address(connection, each.address)
        others = requests.answered_by(connection, each.address)
        asked = any(other.state == "waiting" and other.id != each.id for other in others)
        if known is not None and known.state == "unconfirmed" and not asked:
            players.drop_address(connection, each.address)
