"""The commands that answer an invitation: ``agree``, ``decline``, ``luck``."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from referee.desk.letters import confirm, reply, unclear
from referee.desk.letters.case import Case
from referee.desk.letters.claims import Claim
from referee.desk.letters.commands import draw, undo
from referee.desk.letters.words.keywords import MOST_LUCK, Command
from referee.desk.mails.post import notify
from referee.desk.mails.since import worded_orders
from referee.desk.matches.codes import BEFORE_TURN_ONE
from referee.desk.matches.ledger import event_of
from referee.desk.players import holders_of
from referee.desk.seats import setup, vacancies
from referee.render.answers import answer
from referee.render.words.wording import Wording
from referee.store.people import questions
from referee.store.play import matches, submissions

VOTES: Final[confirm.Granting] = MappingProxyType(
    {"undo": undo.take_back_turn, "draw": draw.end_drawn}
)
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
    matches.change_seat(case.connection, row.id, claim.seat.seat, agreed="yes")
    left = reply.players_awaited(case, row)
    free = vacancies.players_wanted(case.connection, row)
    reply.send_answer(case, answer("agreed", waiting=left, free=free), claim)
    if not left and not free:
        setup.begin_match(case.change, row)


def _answer_unasked(case: Case, claim: Claim, command: Command) -> None:
    """Answer a yes or no to nothing: name the question that waits, or what to send instead."""
    since = case.desk.now() - confirm.LIFE
    asked = questions.questions_of(case.connection, case.player.id, "command", since)
    waiting = [question for question in asked if confirm.still_waits(question, case.row.arrived)]
    awaited = confirm.asked_lines(case, waiting[-1]) if waiting else []
    word = "yes" if command.word == "agree" else "no"
    answered, row, seat = "", claim.match, claim.seat.seat
    if not awaited and word == "yes":
        # The orders that were played under the code of the mail this yes answers.
        played = submissions.latest_played(case.connection, row.id, seat, claim.code.code)
        if played is not None and played.first_seq and played.last_seq:
            logged = matches.events(case.connection, row.id, after=played.first_seq - 1)
            events = [event_of(event) for event in logged if event.seq <= played.last_seq]
            lines = [event.order for event in events if event.order and event.seat == seat]
            game = case.game_of(row)
            answered = worded_orders(Wording(game, case.player.language), lines)
    said = answer(
        "not-asked",
        word=case.catalogue.say(f"invitation.{word}"),
        question=awaited,
        begun=word == "yes" and claim.code.seq == BEFORE_TURN_ONE,
        answered=answered,
        legal=() if awaited or answered else unclear.legal_orders(case, claim),
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
        matches.change_seat(case.connection, row.id, claim.seat.seat, agreed="no")
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
    """Note a seat's words for chance, in place of those it gave before."""
    row = claim.match
    if row.state != "invited":
        reply.send_answer(case, answer("luck-too-late"), claim)
        return
    words = {**row.words, claim.seat.seat: command.text[:MOST_LUCK]}
    matches.change_match(case.connection, row.id, words=words)
    reply.send_answer(case, answer("luck-noted", words=command.text), claim)
