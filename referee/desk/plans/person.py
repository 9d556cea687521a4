"""A person's data: two players merged, one blocked, exported or erased."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from contextlib import suppress
from io import BytesIO

import msgspec
from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.mails import digest, settings, summary
from referee.desk.matches.time import clock, stoppages
from referee.desk.players import BadPlayer
from referee.store import notes
from referee.store.people import persons, players
from referee.store.play import matches, standins, watchers
from referee.store.post import letters, outbox
from referee.store.states import UNFINISHED
from referee.store.tables.base import Damaged
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow, SeatRow
from referee.text import counted


def set_blocked(connection: Connection, player: PlayerRow, *, blocked: bool) -> None:
    """Ignore a player's letters from now on, or read them again."""
    players.update_player(connection, player.id, blocked=blocked)


def seats_of(connection: Connection, player: PlayerRow) -> list[tuple[MatchRow, SeatRow]]:
    """Return a player's seats with their matches, of any state.

    Of a stand-in's days, present or to come, the seat is that of both: each has it at some time.
    """
    held = {(seat.match_id, seat.seat) for seat in matches.seats_of_player(connection, player.id)}
    held.update(standins.seats_arranged_with(connection, player.id))
    return [
        (matches.get_match(connection, match), seat)
        for match in sorted({match for match, _ in held})
        for seat in matches.seats(connection, match)
        if (match, seat.seat) in held
    ]


def check_merge(connection: Connection, old: PlayerRow, into: PlayerRow) -> list[str]:
    """Return lines on what merging would do. Raises BadPlayer if impossible."""
    if old.id == into.id:
        raise BadPlayer(f"{old.name} and {into.name} are the same player")
    mine = seats_of(connection, old)
    theirs = {row.id for row, _ in seats_of(connection, into)}
    both = sorted({row.name for row, _ in mine if row.id in theirs})
    if both:
        raise BadPlayer(
            f"{old.name} and {into.name} both sit in {', '.join(both)}, where stand-ins and those "
            "they sit for count: two that play against each other are not one"
        )
    addresses = ", ".join(_addresses(connection, old)) or "none"
    return [
        f"player {old.id} ({old.name}) goes; player {into.id} ({into.name}) remains",
        f"addresses that become {into.name}'s: {addresses}",
        f"seats that become {into.name}'s: {_listed(mine) or 'none'}",
        f"{into.name} keeps name, language, zone and format; mail goes where it went",
    ]


def merge_players(change: Change, old: PlayerRow, into: PlayerRow) -> list[str]:
    """Make two players one, and return the lines of ``check_merge``. Raises BadPlayer."""
    lines = check_merge(change.connection, old, into)
    # The digest of the one who remains may come later, or never.
    if old.digest == "daily":
        digest.write_digest(change, old.id)
        notes.DIGEST_DAY.remove(change.connection, old.id)
    # Noted before the addresses of both are in one list.
    preferred = players.addresses_of(change.connection, into.id)[:1]
    acting = [row for player in (old, into) for row in clock.rows_of(change.connection, player.id)]
    with clock.calendar_change(change, acting):
        persons.move_rows(change.connection, old.id, into.id)
    stoppages.follow_merge(change.connection, old.id, into.id)
    summary.follow_merge(change.connection, old.id, into.id)
    for address in preferred:
        players.set_preferred(change.connection, into.id, address.address)
    # Who sits in a match reads its reports as a player.
    for row, _ in seats_of(change.connection, into):
        watchers.drop_watcher(change.connection, row.id, into.id)
    players.drop_player(change.connection, old.id)
    players.update_player(change.connection, into.id)
    stoppages.settle_reach(change, into.id)
    settings.look_again(change, into.id)
    return lines


def export_person(change: Change, player: PlayerRow) -> bytes:
    """Return a ZIP file of all data about a player: JSON, and letters and mails as they are."""
    connection, packed = change.connection, BytesIO()
    addresses = _addresses(connection, player)
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        document = {
            "exported": change.desk.now(),
            "player": {name: getattr(player, name) for name in player.__struct_fields__},
            "matches": [
                {"match": row.name, "seat": seat.seat, "state": row.state}
                for row, seat in seats_of(connection, player)
            ],
            "rows": persons.rows_of_person(connection, player.id),
            "texts": persons.texts_of(connection, player.id),
        }
        text = msgspec.json.encode(
            document,
            order="sorted",
            enc_hook=lambda kept: kept.text if isinstance(kept, Damaged) else str(kept),
        )
        archive.writestr("player.json", msgspec.json.format(text, indent=2) + b"\n")
        for folder, kept, raw_of in (
            ("letters", persons.letters_of_person, letters.raw_letter),
            ("mails", persons.mails_of_person, outbox.raw_mail),
        ):
            for number in kept(connection, player.id, addresses):
                # Of old ones the bytes are gone.
                with suppress(KeyError):
                    archive.writestr(f"{folder}/{number}.eml", raw_of(connection, number))
    return packed.getvalue()


def check_erase(connection: Connection, player: PlayerRow) -> list[str]:
    """Return lines on what erasing would do. Raises BadPlayer while the player still plays."""
    sat = seats_of(connection, player)
    if going := [(row, seat) for row, seat in sat if row.state in UNFINISHED]:
        match, seat = going[0][0].name, going[0][1].seat
        raise BadPlayer(
            f"{player.name} sits in {_listed(going)}: first end these matches (referee match end "
            f"{match}) or give the seats to somebody (referee match seat {match} {seat} …)"
        )
    addresses = _addresses(connection, player)
    sent = persons.letters_of_person(connection, player.id, addresses)
    got = persons.mails_of_person(connection, player.id, addresses)
    letters_sent, mails_got = counted(len(sent), "letter"), counted(len(got), "mail")
    ended = ", ".join(row.name for row, _ in sat) or "none"
    return [
        f"name and addresses go: {player.name}, {', '.join(addresses) or 'no address'}",
        f"{letters_sent} and {mails_got}: sender, recipient and text go",
        "letters and mails of others that name them: the text goes in time, as all do (keep_days)",
        "notes, messages, days away and settings go; texts of others that hold an address, too",
        f"seats, orders and words for chance stay, without a name: {ended}",
        "not reached from here: the folders of the mailbox, backups, records that were exported",
    ]


def _listed(sat: Sequence[tuple[MatchRow, SeatRow]]) -> str:
    return ", ".join(f"{row.name} ({seat.seat})" for row, seat in sat)


def erase_person(connection: Connection, player: PlayerRow) -> list[str]:
    """Erase a person: their texts and those about them.

    Return the lines of ``check_erase``. The matches stay as they are, since others played them too.
    Raises BadPlayer while the player still plays.
    """
    lines = check_erase(connection, player)
    addresses = _addresses(connection, player)
    for number in persons.letters_of_person(connection, player.id, addresses):
        persons.forget_letter(connection, number)
    for number in persons.mails_of_person(connection, player.id, addresses):
        persons.forget_mail(connection, number)
    persons.forget_texts(connection, player.id, addresses)
    persons.forget_everything_else(connection, player.id, addresses)
    # In the sequence in which the summary locks them.
    summary.forget_addresses(connection, addresses)
    summary.forget_news_about(connection, player.id)
    notes.DIGEST_DAY.remove(connection, player.id)
    plain = {**players.DEFAULTS, "zone": "UTC"}
    players.update_player(connection, player.id, name=f"player {player.id}", blocked=False, **plain)
    return lines


def _addresses(connection: Connection, player: PlayerRow) -> tuple[str, ...]:
    return tuple(row.address for row in players.addresses_of(connection, player.id))
