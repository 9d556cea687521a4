"""The commands that answer an invitation: ``agree``, ``decline``, ``luck``."""

from __future__ import annotations

from contextlib import suppress
from types import MappingProxyType
from typing import Final

from referee.desk.letters import confirm, reply, unclear
from referee.desk.letters.case import Case
from referee.desk.letters.claims import Claim
from referee.desk.letters.commands import preview, undo
from referee.desk.letters.words.keywords import MOST_LUCK, Command
from referee.desk.mails.notice import notify
from referee.desk.players import holders_of, names_of
from referee.desk.seats import setup, vacancies
from referee.matches.luck import Luck
from referee.render.answers import answer
from referee.render.words.wording import Catalogue
from referee.store.play import matches

VOTES: Final[confirm.Granting] = MappingProxyType({"undo": undo.take_back_turn})
"""What players ask each other, and what is done once all have agreed."""


def accept_invitation(case: Case, claim: Claim, command: Command) -> None:
    """Accept the invitation to a match; the last yes begins it.

    In a running match it is the answer to a question of another player.
    """
    row = claim.match
    if row.state != "invited":
        if not confirm.agree_to_question(case, claim, VOTES):
            _answer_unasked(case, claim, command)
        return
    matches.set_agreed(case.connection, row.id, claim.seat.seat, "yes")
    seats = matches.seats(case.connection, row.id)
    waiting = [s.seat for s in seats if s.holder == "player" and s.agreed != "yes"]
    names = names_of(case.connection, seats)
    left = [names[seat] for seat in waiting]
    free = vacancies.players_wanted(case.connection, row)
    promised = bool(Luck.from_text(row.words).pending)
    reply.send_answer(case, answer("agreed", waiting=left, free=free, promised=promised), claim)
    if not waiting and not free:
        setup.begin_match(case.change, row)


def _answer_unasked(case: Case, claim: Claim, command: Command) -> None:
    """Answer a yes or no to nothing: name the question that waits, or what to send instead."""
    awaited = preview.awaited(case, claim.match)
    word = "yes" if command.word == "agree" else "no"
    said = answer(
        "not-asked",
        word=Catalogue(case.player.language).say(f"invitation.{word}"),
        question=awaited,
        legal=() if awaited else unclear.legal_orders(case, claim),
    )
    reply.send_answer(case, said, claim)


def decline_invitation(case: Case, claim: Claim, command: Command) -> None:
    """Decline the invitation to a match, and tell the others.

    In a running match it is the answer to a question of another player.
    """
    row = claim.match
    if row.state != "invited":
        if not confirm.decline_question(case, claim):
            _answer_unasked(case, claim, command)
        return
    # In an open match the seat is free for the next player; else the organiser decides.
    if row.seating is None:
        matches.set_agreed(case.connection, row.id, claim.seat.seat, "no")
    else:
        vacancies.free_seat(case.connection, row, claim.seat.seat)
    reply.send_answer(case, answer("declined"), claim)
    # Declined before, so the others know.
    if claim.seat.agreed == "no":
        return
    said = answer("declined", who=case.player.name)
    for seat, player in holders_of(case.connection, row.id):
        if seat.seat != claim.seat.seat:
            notify(case.change, row, seat, player, said)


def give_luck(case: Case, claim: Claim, command: Command) -> None:
    """Note a seat's words for chance, or their hash.

    After the promise it is the words promised.
    """
    row, seat, text = claim.match, claim.seat.seat, command.text[:MOST_LUCK]
    luck = Luck.from_text(row.words)
    if row.state != "invited":
        reply.send_answer(case, answer("luck-too-late"), claim)
    # A due time before the beginning means that all sit and promised words are awaited.
    elif row.due is not None:
        _reveal(case, claim, luck, text)
    else:
        given = luck.given(seat, text)
        matches.set_words(case.connection, row.id, given.to_text())
        if promise := given.promised.get(seat):
            reply.send_answer(case, answer("luck-promised", hash=promise), claim)
        else:
            reply.send_answer(case, answer("luck-noted", words=command.text), claim)


def _reveal(case: Case, claim: Claim, luck: Luck, text: str) -> None:
    """Note the words a seat has promised; the last of them begin the match."""
    row, seat = claim.match, claim.seat.seat
    if seat not in luck.promised:
        reply.send_answer(case, answer("luck-closed"), claim)
        return
    if seat in luck.words:
        reply.send_answer(case, answer("luck-told", words=luck.words[seat]), claim)
        return
    # By its arrival: a letter handled late was still sent in time.
    if row.due is not None and case.row.arrived > row.due:
        reply.send_answer(case, answer("luck-forfeited"), claim)
        return
    told = luck.told(seat, text)
    if told is None:
        reply.send_answer(case, answer("luck-unfit", words=text, hash=luck.promised[seat]), claim)
        return
    matches.set_words(case.connection, row.id, told.to_text())
    reply.send_answer(case, answer("luck-told", words=told.words[seat]), claim)
    if not told.pending:
        # Somebody may have declined or left since; the words are kept, and the last yes begins it.
        with suppress(setup.BadMatch), case.connection.begin_nested():
            setup.begin_told(case.change, matches.get_match(case.connection, row.id))
