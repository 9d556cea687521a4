"""The commands by which the players of a match agree: ``agree``, ``decline``, ``undo``, ``draw``.

An invitation needs every player's yes. In a match that has begun one asks the others to take back a
turn, or offers them a draw; what they were asked lapses with time, or by play. ``luck`` goes with a
yes to an invitation.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import REFEREE, Change, stamp
from referee.desk.health import all_letters_known
from referee.desk.letters import confirm
from referee.desk.letters.case import Case, Claim, players_awaited, unplayable
from referee.desk.letters.claims import answered_mail, is_to_act, orders_to_propose
from referee.desk.letters.words.keywords import MOST_LUCK, Command
from referee.desk.mails import report
from referee.desk.mails.post import notify
from referee.desk.mails.since import worded_orders
from referee.desk.matches import broken, ledger, standing_orders
from referee.desk.matches.codes import BEFORE_TURN_ONE
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.rewind import CONSENT, UNSEEN
from referee.desk.plans import act
from referee.desk.plans.board import Undo, revealed_lines
from referee.desk.players import holders_of
from referee.desk.seats import handover, setup, vacancies
from referee.desk.work import Refused, Work
from referee.games.game import Fact, Result, Seat
from referee.matches import private
from referee.matches.events import ANNOTATIONS, ORDER, Event, current_events, turn_start
from referee.matches.log import conclude
from referee.render.answers import Answer, answer
from referee.render.receipts import Fate
from referee.render.words.moments import moment_text
from referee.render.words.wording import Catalogue, Wording
from referee.store.people import players, questions
from referee.store.play import matches, submissions, watchers
from referee.store.states import UNFINISHED, QuestionKind
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow, QuestionDocument, QuestionRow

AGREED: Final = "agreed"
"""The ending of a match whose players agreed on a draw."""

OFFER_LIFE: Final = timedelta(days=366)
"""How long an offer stands that nothing else ends; the next order does."""


def accept_invitation(case: Case, claim: Claim, command: Command) -> Answer | None:
    """Accept the invitation to a match, which the last yes begins; later, agree to a question."""
    row = claim.match
    if row.state != "invited":
        return _agree_to_question(case, claim) or _unasked(case, claim, command)
    matches.change_seat(case.connection, row.id, claim.seat.seat, agreed="yes")
    left = players_awaited(case, row)
    free = vacancies.players_wanted(case.connection, row)
    case.tell(answer("agreed", waiting=left, free=free), claim)
    if not left and not free:
        setup.begin_match(case.change, row)
    return None


def decline_invitation(case: Case, claim: Claim, command: Command) -> Answer | None:
    """Decline the invitation to a match, and tell the others; later, decline a question."""
    row = claim.match
    if row.state != "invited":
        question = question_open_to(case, claim)
        if question is None:
            return _unasked(case, claim, command)
        _decline(case.change, question, row, by=case.player)
        return None
    # In an open match the seat is free for the next player; else the organiser decides.
    if row.seating is None:
        matches.change_seat(case.connection, row.id, claim.seat.seat, agreed="no")
    else:
        vacancies.free_seat(case.connection, row, claim.seat.seat)
    case.tell(answer("declined"), claim if row.seating is None else None)
    # Declined before, so the others know.
    if claim.seat.agreed != "no":
        said = answer("declined", who=case.player.name)
        for seat, player in holders_of(case.connection, row.id):
            if seat.seat != claim.seat.seat:
                notify(case.change, row, seat, player, said)
    return None


def _unasked(case: Case, claim: Claim, command: Command) -> Answer:
    """Return the answer to a yes or no to nothing: what waits, or what to send instead."""
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
            events = [ledger.event_of(event) for event in logged if event.seq <= played.last_seq]
            lines = [event.order for event in events if event.order and event.seat == seat]
            answered = worded_orders(case.wording_of(row), lines)
    return answer(
        "not-asked",
        word=case.catalogue.say(f"invitation.{word}"),
        question=awaited,
        begun=word == "yes" and claim.code.seq == BEFORE_TURN_ONE,
        answered=answered,
        mine=is_to_act(claim),
        legal=() if awaited or answered else orders_to_propose(case, claim),
    )


def give_luck(case: Case, claim: Claim, command: Command) -> Answer:
    """Note a seat's words for chance, in place of those it gave before."""
    row = claim.match
    if row.state != "invited":
        return answer("luck-too-late")
    words = {**row.words, claim.seat.seat: command.text[:MOST_LUCK]}
    matches.change_match(case.connection, row.id, words=words)
    return answer("luck-noted", words=command.text)


def ask_undo(case: Case, claim: Claim, _: Command) -> Answer:
    """Ask the other players to take back the sender's latest turn.

    If there are none, or none has been told of it as it is still open, it is taken back at once.
    """
    row, seat = claim.match, claim.seat.seat
    if row.state != "running":
        return answer("undo-not", why="state")
    # An older question that is over must not stand in the way.
    current_question(case, row)
    # A broken match is found out before anybody is asked.
    loaded = ledger.load_match(case.change, row)
    log = ledger.log_of(case.connection, row)
    order = _latest_order(log, seat)
    why = _why_not(case, row, log, order)
    if order is None or why:
        return answer("undo-not", why=why, turn=order.turn if order else None)
    unseen = False
    if loaded.row.to_act == seat and loaded.row.turn == order.turn:
        events = current_events(log)
        began = next(event.seq for event in events if event.turn == order.turn and event.order)
        told = [other.reported_seq for other in loaded.seats if other.seat != seat]
        told += [mark.reported_seq for mark in watchers.watchers_of(case.connection, row.id)]
        unseen = max(told, default=0) < began
    if unseen:
        act.enact(case.change, Undo(row.name, order.turn), UNSEEN, seat)
    else:
        start = turn_start(log, order.turn) or 0
        kept = ledger.kept_events(matches.events(case.connection, row.id))
        facts = [
            fact
            for event in kept
            if event.seq > start
            for fact in ledger.facts_from_json(event.facts)
            if fact.known_to(None)
        ]
        life = timedelta(days=case.desk.settings.undo_days)
        if said := _put_to_others(case, claim, "undo", order.turn, life, facts):
            return said
        grant(case.change, "undo", row, seat, order.turn)
    # The answer bears the code of the turn that begins anew.
    return answer("undo-asking", turn=order.turn)


def has_played(case: Case, claim: Claim) -> bool:
    """Return whether a seat has chosen an order that is in force."""
    return _latest_order(ledger.log_of(case.connection, claim.match), claim.seat.seat) is not None


def _latest_order(log: Sequence[Event], seat: Seat) -> Event | None:
    """Return the latest order in force that a seat chose."""
    own = [event for event in current_events(log) if event.kind == ORDER and event.seat == seat]
    # Forced orders are not a player's to take back.
    return next((event for event in reversed(own) if not event.forced), None)


def _why_not(case: Case, row: MatchRow, log: Sequence[Event], order: Event | None) -> str:
    """Return why an order's turn cannot be taken back, or nothing."""
    start = None if order is None else turn_start(log, order.turn)
    if order is None or start is None:
        return "nothing"
    if (put := current_question(case, row)) is not None:
        return "draw" if put.kind == "draw" else "open"
    # A board can be set back; what somebody has learnt cannot.
    known = revealed_lines(Work(case.change, row.name, order.seat or "", CONSENT), row, start)
    return "revealed" if known else ""


def told_late(
    case: Case, loaded: LoadedMatch, seat: Seat, taken: Sequence[Fate]
) -> tuple[Fate, ...]:
    """Return outcomes of cancellations, ``too-late`` for ``none-held`` where undo is left.

    That is so if the seat's last act was an order that was played and can be taken back.
    """
    if "none-held" not in taken or loaded.row.state != "running":
        return tuple(taken)
    log = ledger.log_of(case.connection, loaded.row)
    order = _latest_order(log, seat)
    # Orders may have ended without play since.
    endings = (
        entry
        for kind in (private.CANCELLED, private.NOTICE)
        for entry in islice(standing_orders.entries_of(case.connection, loaded, seat, kind), 1)
    )
    ended = max((end.board for end in endings if end.details.get("kind") != "policy"), default=0)
    late = order is not None and order.seq > ended
    if not late or _why_not(case, loaded.row, log, order):
        return tuple(taken)
    return tuple("too-late" if fate == "none-held" else fate for fate in taken)


def offer_draw(case: Case, claim: Claim, _: Command) -> Answer | None:
    """Offer the other players a draw, or agree to the one that is offered.

    An offer stands until another seat orders something, also when the orders beside it are held.
    """
    row, seat = claim.match, claim.seat.seat
    if refusal := unplayable(case, claim):
        return refusal
    put = current_question(case, row)
    late = ledger.has_moved_on(case.connection, row.id, claim.code.seq, seat, ANNOTATIONS)
    if put is not None and put.kind == "draw" and put.seat != seat and not late:
        return _agree_to_question(case, claim) or answer("draw-not", why="late")
    beside = {
        submission.outcome
        for submission in submissions.submissions_of(case.connection, case.row.id)
        if (submission.match_id, submission.seat) == (row.id, seat)
    }
    why = ""
    if not case.game_of(row).draws:
        why = "game"
    # The offer of an old letter would be about another board.
    elif late:
        why = "late"
    elif not beside <= {"accepted", "held", "repeat"}:
        why = "orders"
    elif put is not None:
        why = "offered" if (put.kind, put.seat) == ("draw", seat) else "open"
    # Only a seat's own player can give a win away.
    elif any(
        held.holder != "player" or handover.sitting_for(case.connection, row.id, held.seat)
        for held in matches.seats(case.connection, row.id)
    ):
        why = "seats"
    if why:
        return answer("draw-not", why=why)
    # The report of the order beside it tells of the offer.
    ways = report.ways_of(case.change, ledger.load_match(case.change, row))
    reading = [seat for seat, way in ways.items() if way == "mail"]
    if said := _put_to_others(case, claim, "draw", row.turn, OFFER_LIFE, reading=reading):
        return said
    grant(case.change, "draw", row, seat, row.turn)
    return answer("draw-agreed", turn=row.turn, waiting=())


def grant(change: Change, kind: QuestionKind, row: MatchRow, seat: Seat, turn: int) -> None:
    """Take back a turn, or end a match by a draw, to which all have agreed. Raises Refused."""
    if kind == "undo":
        act.enact(change, Undo(row.name, turn), CONSENT, seat)
        return
    if kind != "draw":
        raise ValueError(f"players do not agree to this: {kind}")
    loaded = ledger.load_match(change, row)
    live = loaded.live
    if live.turn.over:
        raise Refused(f"{row.name} is over already")
    points = live.game.points(live.position)
    result = Result(AGREED, points, dict.fromkeys(live.terms.seats, 1))
    after, logged = conclude(live, result, stamp(change.desk.now()))
    ledger.save_match(change, loaded, after, [logged])


def _put_to_others(
    case: Case,
    claim: Claim,
    kind: QuestionKind,
    turn: int,
    life: timedelta,
    facts: Sequence[Fact] = (),
    reading: Collection[Seat] = (),
) -> Answer | None:
    """Ask the other players of a match; return the answer to who asks, None without others.

    ``facts`` are what it is about, as far as everybody knows it. The seats ``reading`` need no mail
    of its own, as they are about to get a report that asks them.
    """
    row, seat, asker = claim.match, claim.seat.seat, case.player
    now, until = case.desk.now(), case.desk.now() + life
    others = _others(case.connection, row, asker.id)
    if not others:
        return None
    # Play after this event makes the question void.
    subject = QuestionDocument(turn=turn, seq=row.seq)
    questions.add_question(
        case.connection, kind, subject, created=now, expires=until,
        player_id=asker.id, match_id=row.id, seat=seat,
    )  # fmt: skip
    game = case.game_of(row)

    def worded(player: PlayerRow) -> Answer:
        when, entries = _worded(until, player), Wording(game, player.language).facts(facts)
        return answer(
            f"{kind}-asked", turn=turn, seat=seat, who=asker.name, when=when, entries=entries
        )

    Work(case.change, row.name, REFEREE, "").tell(worded, others.keys() - set(reading))
    names, when = [player.name for player in others.values()], _worded(until, asker)
    return answer(f"{kind}-asking", turn=turn, when=when, to=names, to_one=len(names) == 1)


def current_question(case: Case, row: MatchRow) -> QuestionRow | None:
    """Return the open question in a match; one the letter is late for lapses."""
    question = questions.open_question_in(case.connection, row.id)
    if question is None:
        return None
    late = question.expires <= case.row.arrived
    if not late and not _moved_on(case.connection, question):
        return question
    _decline(case.change, question, row, moved=not late)
    return None


def question_open_to(case: Case, claim: Claim) -> QuestionRow | None:
    """Return the open question that a seat has to answer."""
    question = current_question(case, claim.match)
    return None if question is None or question.seat == claim.seat.seat else question


def _agree_to_question(case: Case, claim: Claim) -> Answer | None:
    """Note a seat's yes; once all agree, do what was asked for.

    Return the answer, None if nothing was asked of the seat. A yes in answer to a mail of an
    earlier turn was meant for something else, unless that mail was written since the question was
    asked.
    """
    question, row = question_open_to(case, claim), claim.match
    if question is None or question.seat is None:
        return None
    mail = answered_mail(case.connection, case.letter)
    asked = mail is not None and mail.created >= question.created
    if claim.code.seq < row.turn_began_seq and not asked:
        return None
    turn, answered = question.document.turn, {*question.answered, claim.seat.seat}
    questions.change_question(case.connection, question.id, answered=answered)
    others = _others(case.connection, row, question.player_id)
    left = [player.name for seat, player in others.items() if seat not in answered]
    if not left:
        try:
            grant(case.change, question.kind, row, question.seat, turn)
        # Something happened meanwhile by which it has become impossible.
        except Refused:
            _decline(case.change, question, row, moved=True)
        else:
            questions.settle_question(case.connection, question.id, "granted")
    return answer(f"{question.kind}-agreed", turn=turn, waiting=left)


def has_lapsing_question(change: Change) -> bool:
    """Return whether any question is to lapse, or to be forgotten."""
    # In few statements, since this runs at every turn of the daemon.
    settled = questions.any_settled(change.connection, change.desk.now() - confirm.KEPT)
    return settled or bool(_over(change))


def lapse_questions(change: Change) -> None:
    """Let questions lapse that time has ended, or play; forget those settled for a month."""
    questions.drop_settled(change.connection, change.desk.now() - confirm.KEPT)
    connection = change.connection
    for question in _over(change):
        if question.match_id is not None:
            row = matches.get_match(connection, question.match_id)
            try:
                with connection.begin_nested(), broken.faults_as_broken(row):
                    _decline(change, question, row, moved=question.expires > change.desk.now())
            # In a broken match nothing can be mailed.
            except broken.BrokenMatch:
                questions.settle_question(connection, question.id, "declined")
        elif question.address is not None:
            questions.settle_question(connection, question.id, "dropped")
            # The address never said yes, but a newer question about it may still be open.
            known = players.find_address(connection, question.address)
            put = questions.questions_put_to(connection, question.address)
            asked = any(other.state == "waiting" for other in put)
            if known is not None and known.state == "unconfirmed" and not asked:
                players.drop_address(connection, question.address)


def _over(change: Change) -> list[QuestionRow]:
    """Return the open questions that time has ended, or play."""
    now = change.desk.now()
    return [
        question
        for question in questions.ending_questions(change.connection, now)
        # An answer counts by its arrival and may still lie in the mailbox.
        if (question.expires <= now and all_letters_known(change, question.expires))
        or _moved_on(change.connection, question)
    ]


def _moved_on(connection: Connection, question: QuestionRow) -> bool:
    if question.match_id is None:
        return False
    seq, asker = question.document.seq, question.seat if question.kind == "draw" else None
    return ledger.has_moved_on(connection, question.match_id, seq, asker)


def _decline(
    change: Change,
    question: QuestionRow,
    row: MatchRow,
    *,
    by: PlayerRow | None = None,
    moved: bool = False,
) -> None:
    # Another daemon may have settled it since it was read, and told everybody.
    if not questions.settle_question(change.connection, question.id, "declined"):
        return
    work = Work(change, row.name, REFEREE, "")
    row, seats = work.row, None
    over = row.state not in UNFINISHED
    acting = row.to_act if row.state == "running" else None
    holders = {seat.seat: player.id for seat, player in holders_of(change.connection, row.id)}
    if question.kind == "draw" and moved:
        # Whoever has played on knows, and the end of a match speaks for itself.
        seats = () if over or question.seat is None else (question.seat, *question.answered)

    def worded(player: PlayerRow) -> Answer:
        return answer(
            f"{question.kind}-declined",
            who=by and by.name,
            you=by is not None and by.id == player.id,
            moved=moved,
            over=over,
            to_act=acting,
            mine=holders.get(acting or "") == player.id,
            due=work.due(player),
        )

    work.tell(worded, seats)


def _worded(until: datetime, player: PlayerRow) -> str:
    return moment_text(until, player.zone, Catalogue(player.language))


def _others(connection: Connection, row: MatchRow, asker: int | None) -> dict[Seat, PlayerRow]:
    """Return the other players, who have a say, by seat; bots have none."""
    held = holders_of(connection, row.id)
    return {seat.seat: player for seat, player in held if player.id != asker}
