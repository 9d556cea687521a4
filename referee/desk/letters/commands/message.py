"""The commands ``message`` and ``note``: texts for other players, and for oneself."""

from __future__ import annotations

from itertools import islice, takewhile
from typing import Final

from referee.desk import desk
from referee.desk.letters.case import Case, Claim, not_begun
from referee.desk.letters.words.keywords import MOST_MESSAGE, Command, read_command, seats_by_word
from referee.desk.letters.words.phrases import entries_in, without_thanks, words_in
from referee.desk.letters.words.places import CUT
from referee.desk.mails.post import gives_away, has_declined, notify
from referee.desk.matches import ledger, reasons, standing_orders
from referee.desk.matches.time import departure
from referee.desk.names import ACTORS, EVERYBODY
from referee.desk.players import holders_of
from referee.games.game import AnyGame, Document
from referee.mail.addressing import plus_code, valid_address
from referee.mail.incoming.lines import addresses_in
from referee.matches import private
from referee.matches.time.moments import DAY
from referee.render.answers import Answer, answer
from referee.resources import class_words, words_for
from referee.store.people import players
from referee.store.play import messages

MOST_A_DAY: Final = 100
"""Messages a seat may write in its match in a day, so that no mailbox is flooded."""

_MOST_SHOWN: Final = 3
"""Lines of a message that are named as orders."""

MISSED: Final = frozenset(
    ("agree", "away", "cancel", "decline", "draw", "leave", "resign", "set", "stop", "undo",
     "withdraw")
)  # fmt: skip
"""Commands that are named too, as their writer may wait for them in vain."""


def pass_message(case: Case, claim: Claim, command: Command) -> Answer:
    """Pass a text on to one seat or to all.

    A text that is empty, too long, cut, too much for the day, or would give away a reply code or an
    address is held back, and the sender is told.
    """
    row, mine, word = claim.match, claim.seat.seat, command.arguments[0]
    readers = [
        (seat, player)
        for seat, player in holders_of(case.connection, row.id)
        if seat.seat != mine and not has_declined(row, seat)
    ]
    game = case.game_of(row)
    named = addressed_seat(game, word)
    addressed = [
        (seat, player)
        for seat, player in readers
        if named in {None, seat.seat} or player.name.casefold() == word.casefold()
    ]

    def is_meant_for_us(line: str) -> bool:
        given = read_command(without_thanks(line))
        ordered = entries_in(line, case.tongue_of(row))
        return bool(ordered) or (given is not None and given.word in MISSED)

    def orders() -> list[str]:
        # Without an ``end`` before them they went with the message.
        lines = (line.strip() for line in command.text.splitlines())
        return [line for line in lines if is_meant_for_us(line)][:_MOST_SHOWN]

    if not addressed:
        words = case.wording_of(row)
        known = [f"{words.seat(seat.seat)} ({player.name})" for seat, player in readers]
        like = next((words.seat(seat.seat).casefold() for seat, _ in readers), None)
        organiser = case.desk.settings.organiser if word.casefold() in ACTORS else None
        return answer(
            "message-unsent",
            named=word,
            open=known,
            like=like,
            orders_in=orders(),
            organiser=organiser,
        )
    if fault := _fault(case, claim, command):
        return fault
    said = answer(
        "message", sender=case.player.name, seat=mine, text=command.text, to_all=named is None
    )
    # Kept beside the log, so that the record's owner can show who wrote it.
    kept = reasons.keep_text(
        case.change,
        row,
        command.text,
        seat=mine,
        player=case.player.id,
        recipients=[seat.seat for seat, _ in addressed],
    )
    for seat, player in addressed:
        if departure.way_of(case.change, player, "message") == "digest":
            messages.hold_message(case.connection, row.id, kept, player.id, case.player.id)
            players.update_player(case.connection, player.id)
        else:
            notify(case.change, row, seat, player, said)
    names = [player.name for _, player in addressed]
    return answer("message-sent", to=names, text=command.text, orders_in=orders())


def _fault(case: Case, claim: Claim, command: Command) -> Answer | None:
    """Return the answer to a text that is not passed on."""
    if not command.text.strip():
        return answer("message-empty")
    if len(command.text) > MOST_MESSAGE:
        return answer("message-long", most=MOST_MESSAGE)
    # With a reply code in it, its readers could order for the writer.
    if gives_away(case.connection, command.text):
        return answer("message-held")
    # “message blue” below a message to green begins another: neither is meant for both.
    begun = (read_command(without_thanks(line)) for line in command.text.splitlines()[1:])
    if any(given is not None and _begins_text(case, claim, given) for given in begun):
        return answer("message-cut")
    # Some lines may be missing; better none than half a message.
    if CUT in command.arguments[1:]:
        return answer("message-cut")
    # A player's address is known to the referee alone; so may be those of the letter itself.
    ours = {case.desk.settings.address, *case.letter.senders, *case.letter.recipients}
    for address in filter(None, map(valid_address, addresses_in(command.text))):
        if (
            address in ours
            or plus_code(case.desk.settings.address, address) is not None
            or players.find_address(case.connection, address) is not None
        ):
            return answer("message-address")
    since, seat = case.desk.now() - DAY, claim.seat.seat
    if messages.written_since(case.connection, claim.match.id, seat, since) >= MOST_A_DAY:
        return answer("message-many", most=MOST_A_DAY)
    return None


def _begins_text(case: Case, claim: Claim, given: Command) -> bool:
    """Return whether a line begins another message or a note: “message received” does not."""
    if given.word == "note":
        first = next(iter(words_in(given.text)), "")
        # “Note that” and “note of the” speak to somebody.
        beside = (words_for(key) for key in ("article", "beside", "from", "to"))
        return first not in class_words("asking", "pronoun").union(*beside)
    if given.word != "message":
        return False
    to, seats = given.arguments[0], seats_by_word(case.game_of(claim.match))
    names = {player.name.casefold() for _, player in holders_of(case.connection, claim.match.id)}
    return to in EVERYBODY or to in seats or to in names


def addressed_seat(game: AnyGame, word: str) -> str | None:
    """Return the seat a word of any language names, None for all, else the word."""
    if word in EVERYBODY:
        return None
    return seats_by_word(game).get(word.casefold(), word)


MOST_NOTES_A_DAY: Final = 50
"""Notes a seat may write or delete in a day."""


def keep_seat_note(case: Case, claim: Claim, command: Command) -> Answer:
    """Keep a note of the seat, or delete all its notes."""
    row, seat = claim.match, claim.seat.seat
    if row.header is None:
        return not_begun(case, claim)
    loaded = ledger.load_match(case.change, row)
    since, count = desk.stamp(case.desk.now() - DAY), 0
    for kind in (private.NOTE, private.CLEARED):
        latest = standing_orders.entries_of(case.connection, loaded, seat, kind)
        recent = takewhile(lambda entry: entry.moment > since, latest)
        count += sum(1 for _ in islice(recent, MOST_NOTES_A_DAY))
    if count >= MOST_NOTES_A_DAY:
        return answer("note-many", most=MOST_NOTES_A_DAY)
    if command.text.strip().rstrip(".!").casefold() in words_for("clear"):
        standing_orders.write_private(case.change, loaded, seat, private.CLEARED, {})
        return answer("note-cleared")
    # The chain holds the hash alone, so that the text can be erased.
    writer = case.player.id
    kept = reasons.keep_text(case.change, row, command.text, seat=seat, player=writer)
    details: Document = {"hash": kept, "player": writer}
    standing_orders.write_private(case.change, loaded, seat, private.NOTE, details)
    return answer("note-kept", lines=[command.text])
