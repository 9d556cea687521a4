"""What players of a match write to each other through the referee, and what it tells the others."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from referee.desk import answers
from referee.desk.case import Case
from referee.desk.claims import Claim, gives_away
from referee.desk.commands import EVERYBODY, Command
from referee.desk.mending import reasons
from referee.desk.notices import Notice, has_declined, notify
from referee.desk.posting import players_of
from referee.desk.understanding import CUT
from referee.games.game import LANGUAGES, AnyGame, Json, Seat
from referee.mail.addressing import plus_code, valid_address
from referee.mail.threads import addresses_in
from referee.render.wording import Wording
from referee.store import matches as tables
from referee.store import messages, players
from referee.store.players import PlayerRow

DAY: Final = timedelta(days=1)

MOST_A_DAY: Final = 100
"""Messages a seat may write in its match in a day: nobody's mailbox is filled through ours."""


def message(case: Case, claim: Claim, command: Command) -> None:
    """Pass a text on to a seat or to all, unless it is none, gives a code away or is too many."""
    row, mine, word = claim.match, claim.seat.seat, command.arguments[0]
    readers = _readers(case, claim)
    game = case.desk.find_game(row.game, row.edition)
    named = addressed(game, word)
    holders = {
        seat: player
        for seat, player in readers.items()
        if named in {None, seat} or player.name.casefold() == word.casefold()
    }
    if not holders:
        words = Wording(game, case.player.language)
        known = [f"{words.seat(seat)} ({player.name})" for seat, player in readers.items()]
        like = next((words.seat(seat).casefold() for seat in readers), None)
        answers.send(case, "message-unsent", {"named": word, "open": known, "like": like}, claim)
        return
    if not command.text.strip():
        answers.send(case, "message-empty", {}, claim)
        return
    if gives_away(case.connection, command.text):
        answers.send(case, "message-held", {}, claim)
        return
    if CUT in command.arguments[1:]:
        answers.send(case, "message-cut", {}, claim)
        return
    if _names_address(case, command.text):
        answers.send(case, "message-address", {}, claim)
        return
    since = case.desk.now() - DAY
    if messages.written_since(case.connection, row.id, mine, since) >= MOST_A_DAY:
        answers.send(case, "message-many", {"most": MOST_A_DAY}, claim)
        return
    fields: Mapping[str, Json] = {
        "sender": case.player.name,
        "seat": claim.seat.seat,
        "text": command.text,
        "to_all": named is None,
    }
    for seat, player in holders.items():
        tell(case, claim, "message", fields, (seat, player))
    reasons.keep(case.desk, case.connection, row, command.text, seat=mine, recipients=holders)
    names: list[Json] = [player.name for player in holders.values()]
    answers.send(case, "message-sent", {"to": names}, claim)


def _names_address(case: Case, text: str) -> bool:
    """Tell whether a text holds an address of a player, of the referee or of its letter."""
    ours = {case.desk.address, *case.letter.senders, *case.letter.recipients}
    found = {each for each in map(valid_address, addresses_in(text)) if each}
    return any(
        each in ours
        or plus_code(case.desk.address, each) is not None
        or players.address(case.connection, each) is not None
        for each in found
    )


def _readers(case: Case, claim: Claim) -> dict[Seat, PlayerRow]:
    """Return whom a seat can write to: the players on the others that have not declined."""
    seats = tables.seats(case.connection, claim.match.id)
    reading = [each for each in seats if not has_declined(claim.match, each)]
    found = players_of(case.connection, reading)
    return {seat: player for seat, player in found.items() if seat != claim.seat.seat}


def addressed(game: AnyGame, word: str) -> str | None:
    """Return the seat a word names in any language, None for everybody, else the word itself."""
    if word in EVERYBODY:
        return None
    names = {
        Wording(game, language).seat(colour).casefold(): colour
        for language in LANGUAGES
        for colour in game.colours
    }
    return names.get(word.casefold(), word)


def tell(
    case: Case,
    claim: Claim,
    key: str,
    fields: Mapping[str, Json],
    to: tuple[str, PlayerRow],
) -> None:
    """Mail another seat of the match what this one wrote or decided."""
    seat, player = to
    row = claim.match
    receiver = next(s for s in tables.seats(case.connection, row.id) if s.seat == seat)
    notify(case.desk, case.connection, row, receiver, player, Notice(key, fields))
