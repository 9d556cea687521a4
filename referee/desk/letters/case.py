"""The case of one letter in work: its reply while collected, and the seat that it speaks for."""

from __future__ import annotations

import sys
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Final, Literal

import msgspec
from sqlalchemy import Connection

from referee.desk.desk import Change, Desk, NotInstalled
from referee.desk.letters.words.keywords import Command
from referee.desk.letters.words.phrases import Tongue
from referee.desk.letters.words.places import Understood
from referee.desk.mails import post, report
from referee.desk.mails.composer import beside_others, file_of
from referee.desk.mails.post import Binding, Mail
from referee.desk.mails.since import worded_orders
from referee.desk.matches import codes, ledger, standing_orders
from referee.desk.matches.broken import BrokenMatch, broken_line
from referee.desk.players import names_of, told_state
from referee.games.game import AnyGame, Seat
from referee.mail.composing import Attachment
from referee.mail.incoming.letter import Letter
from referee.render.answers import About, Answer, answer, answer_content
from referee.render.common import TurnFacts, turn_sentence
from referee.render.content import several, together
from referee.render.words.moments import moment_text
from referee.render.words.wording import Catalogue, Wording
from referee.store.people import players
from referee.store.play import matches, submissions
from referee.store.post import outbox
from referee.store.states import PLAYABLE, LetterState
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import CodeRow, MatchRow, QuestionRow, SeatRow
from referee.store.tables.post import LetterRow
from referee.value import Value, replace

_WHOSE_TURN: Final = frozenset(
    {
        *("match-paused", "no-orders", "not-your-turn", "old-code", "other-history"),
        *("preview", "preview-not", "show", "taken-back"),
    }
)
"""Answers that say whose turn it is, until when, and that orders of the seat are held."""


class LetterVerdict(Value):
    """The outcome for a letter: its state in the store, the reason, and whose letter it is."""

    state: LetterState
    reason: str | None = None
    player_id: int | None = None


class Claim(Value):
    """A valid code: the match and seat it speaks for, and its turn."""

    match: MatchRow
    seat: SeatRow
    code: CodeRow


@dataclass(slots=True)
class Place:
    """A place of a letter: its lines understood, and the seat or question it speaks for.

    ``problem`` answers why it speaks for none; ``named`` is then the sender's own seat, if its box
    names that with a code that is none of theirs. ``old``: its code is one of an earlier mail.
    ``refused``: what it lacks was answered; once is enough. ``luck``: words for chance that came
    along with a ``join``. ``alone``: its one command is all that its letter says.
    """

    understood: Understood
    claim: Claim | None = None
    problem: Answer | None = None
    named: Claim | None = None
    asked: QuestionRow | None = None
    old: bool = False
    refused: bool = False
    luck: str | None = None
    alone: bool = False


class ReplyPart(Value):
    """The answer to one line, or to all orders of one place.

    ``mail`` is what it would be alone. ``about`` is the match and seat it belongs to, ``question``
    the one it asks; both are None if it belongs to no seat. ``submission`` is the one it is the
    receipt of.
    """

    mail: Mail
    about: tuple[int, Seat] | None = None
    question: QuestionRow | None = None
    lines: tuple[str, ...] = ()
    submission: int | None = None


@dataclass(slots=True)
class Reply:
    """The reply to a letter while it is collected; ``lines`` are those in work.

    ``left_this_hour`` and ``left_today`` are how many answers may still be written, receipts being
    counted in the hour alone; above the limit of the hour only letters that change something are
    answered. ``wanted`` are the commands that need a yes; one question asks for all of them.
    ``talked``: they need it because their letter says more. The orders of seats that are
    ``doubted`` wait. There is one mail for all seats, in which each has a box with its code, and
    one for each question. Confirmations are mailed separately, to the registered address.
    """

    lines: tuple[str, ...] = ()
    parts: list[ReplyPart] = field(default_factory=list)
    wanted: list[Command] = field(default_factory=list)
    left_this_hour: int = sys.maxsize
    left_today: int = sys.maxsize
    talked: bool = False
    doubted: set[tuple[int, str]] = field(default_factory=set)

    @property
    def first_line(self) -> str:
        """The first of the lines in work; empty if there is none."""
        return next(iter(self.lines), "")

    def send(self, case: Case) -> None:
        """Mail the collected answers: one mail for all seats, and one for each question."""
        # What belongs to neither goes along: one mail less, and the thread of the seat instead of a
        # new one.
        seat = next((part.about for part in self.parts if part.about), None)
        along = seat or next((part.question.code for part in self.parts if part.question), None)
        groups: dict[Hashable, list[ReplyPart]] = {}
        for part in self.parts:
            place = part.about or (part.question.code if part.question else along)
            groups.setdefault(place, []).append(part)
        self.parts = []
        mails = [(group, _joined(case, group)) for group in groups.values()]
        about = [pair for pair in mails if not any(part.question for part in pair[0])]
        if len(about) > 1:
            asking = [pair for pair in mails if pair not in about]
            parts = [part for group, _ in about for part in group]
            mails = [(parts, _together([mail for _, mail in about])), *asking]
        for parts, mail in mails:
            question = next((part.question for part in parts if part.question), None)
            if question is not None:
                sent = send_question(case, question, _counted(case, mail))
            else:
                # A report may tell the receipt of a seat.
                told = mail.binding is not None and mail.kind == "receipt"
                brief = report.brief_text(mail.content, case.letter) if told else None
                answering = replace(mail, answers=case.letter, brief=brief)
                sent = post.send(case.change, _counted(case, answering), case.player)
            if sent is None:
                continue
            # Counted apart, so that forged letters use up a budget of their own.
            if case.unproved:
                outbox.change_mail(case.connection, sent, unproved=True)
            for part in parts:
                if part.submission is not None:
                    submissions.set_receipt(case.connection, part.submission, sent)


def _counted(case: Case, mail: Mail) -> Mail:
    """Count an answer; return it, the last one of an hour or day with a sentence that says so."""
    if mail.kind == "invitation":
        return mail
    reply, talk = case.reply, mail.kind != "receipt"
    reply.left_this_hour -= 1
    reply.left_today -= talk
    today = talk and reply.left_today == 0
    if reply.left_this_hour != 0 and not today:
        return mail
    an_hour, a_day = case.desk.unproved if case.unproved else case.desk.answers
    closing = case.catalogue.say(
        "letter.last-unproved" if case.unproved else "letter.last",
        most=a_day if today else an_hour,
        today=today,
        # “Reply” brings no proof that the sender's server withholds.
        proof=case.trusted,
    )
    return replace(mail, content=replace(mail.content, closing=closing), brief=None)


def _joined(case: Case, parts: list[ReplyPart]) -> Mail:
    """Return the answers about one seat or question as a mail."""
    about = next((part.about for part in parts if part.about), None)
    binding = None if about is None else seat_binding(case, *about)
    mail = min((part.mail for part in parts), key=_rank)
    if len(parts) > 1:
        first = next((part for part in parts if part.question), parts[0])
        framing = first.mail.content.framing
        if binding is not None:
            boxed = any(part.mail.content.framing.boxed for part in parts if part.about)
            framing = post.seat_framing(case.wording_of(binding.match), binding, box=boxed)
        said = [(part.lines, part.mail.content) for part in parts]
        attached = tuple(file for part in parts for file in part.mail.attachments)
        mail = replace(mail, content=together(said, framing), attachments=attached)
    return replace(mail, binding=binding)


def _together(mails: list[Mail]) -> Mail:
    """Return mails about several matches as one, in which a file bears the name of its own."""
    contents, attached = [], list[Attachment]()
    for mail in mails:
        match = mail.binding.match.name if mail.binding else ""
        contents.append(beside_others(mail.content, match))
        attached += [replace(file, name=file_of(match, file.name)) for file in mail.attachments]
    first, content = min(mails, key=_rank), several(contents, post.BARE_FRAMING)
    return replace(first, content=content, binding=None, headers={}, attachments=tuple(attached))


def send_question(case: Case, question: QuestionRow, mail: Mail) -> int | None:
    """Mail a question to the address that answers it; return the mail's id."""
    # It may be another address than the letter came from; then it must not look like a reply in
    # that thread.
    known = case.letter if case.letter.sender == question.address else None
    mail = replace(mail, code=question.code, answers=known)
    return post.send(case.change, mail, case.player, question.address)


def _rank(mail: Mail) -> int:
    """Return the place of a mail's kind among those joined in one; the first one names it."""
    return {"receipt": 0, "invitation": 1}.get(mail.kind, 2)


def seat_binding(case: Case, match_id: int, name: Seat) -> Binding:
    """Return the present binding of a mail to a seat; it may be newer than the letter."""
    row = matches.get_match(case.connection, match_id)
    seat = next(s for s in matches.seats(case.connection, match_id) if s.seat == name)
    return Binding(row, seat, row.turn, codes.code_of(case.change, row, seat))


class Case(Value):
    """A letter of a known player, within its transaction.

    ``unproved``: only the address says who wrote it, so answers come from a small budget of their
    own. ``trusted``: it proves its sender as far as that is asked for. ``reply`` is collected.
    """

    change: Change
    row: LetterRow
    letter: Letter
    player: PlayerRow
    unproved: bool = False
    trusted: bool = True
    reply: Reply = msgspec.field(default_factory=Reply)

    @property
    def desk(self) -> Desk:
        """The desk at which it happens."""
        return self.change.desk

    @property
    def connection(self) -> Connection:
        """The connection of its transaction."""
        return self.change.connection

    @property
    def catalogue(self) -> Catalogue:
        """Sentences in the player's language."""
        return Catalogue(self.player.language)

    @property
    def unanswered(self) -> bool:
        """Return whether at most a receipt for played orders may be sent; to programs nothing."""
        spent = self.reply.left_this_hour <= 0 or self.reply.left_today <= 0
        return spent or self.letter.automatic

    def game_of(self, row: MatchRow) -> AnyGame:
        """Return the game of a match. Raises BrokenMatch if it is not installed."""
        # Only that: whatever else goes wrong may go well at the next try.
        try:
            return self.desk.find_game(row.game, row.edition)
        except NotInstalled as fault:
            raise BrokenMatch(broken_line(row.name, fault), row) from fault

    def tongue_of(self, row: MatchRow) -> Tongue:
        """Return how orders of a match are written in the player's language."""
        return Tongue(self.game_of(row), self.player.language)

    def wording_of(self, row: MatchRow) -> Wording:
        """Return the words of a match's game in the player's language. Raises BrokenMatch."""
        return Wording(self.game_of(row), self.player.language)

    def tell(
        self, said: Answer, claim: Claim | None = None, *, game: AnyGame | None = None
    ) -> None:
        """Answer the sender; with a claim the answer bears its seat's code.

        ``game`` words it in place of that of the match. Above the daily or hourly limit nothing is
        sent.
        """
        if self.unanswered:
            return
        lines = self.reply.lines
        if claim is None:
            words = Wording(game, self.player.language) if game else self.catalogue
            content = answer_content(words, said, post.BARE_FRAMING)
            self.reply.parts.append(ReplyPart(Mail("answer", content), lines=lines))
            return
        binding = seat_binding(self, claim.match.id, claim.seat.seat)
        row, seat = binding.match, binding.seat.seat
        wording = Wording(game or self.game_of(row), self.player.language)
        # Whoever has declined gets no more mails, and is asked nothing.
        framing = post.seat_framing(wording, binding, box=said.key != "declined")
        # Orders only while a match runs.
        asks: Literal["orders", "queue", "message", "answer"] = "message"
        if row.state == "running":
            asks = "orders" if row.to_act == seat else "queue"
        elif row.state == "invited":
            asks = "answer"
        about = About(
            row.name,
            seat,
            asks,
            turn=_turn(self, binding, wording, said.key),
            options=row.options,
            names=names_of(self.connection, matches.seats(self.connection, row.id)),
        )
        mail = Mail("answer", answer_content(wording, said, framing, about))
        self.reply.parts.append(ReplyPart(mail, about=(row.id, seat), lines=lines))


def refreshed(case: Case) -> Case:
    """Return a case with its player's settings as they are now."""
    return replace(case, player=players.get_player(case.connection, case.player.id))


def _turn(case: Case, binding: Binding, wording: Wording, key: str) -> str | None:
    """Return a sentence about the seat to act and its deadline, where an answer needs it.

    Orders of the reader that are held are told of in every answer, so that a yes to it is theirs.
    None if the match waits for nobody.
    """
    row, seat, mine = binding.match, binding.match.to_act, binding.seat.seat
    if row.state not in PLAYABLE or seat is None:
        return None
    waiting = matches.standing_orders_of(case.connection, row.id, mine)
    if key not in _WHOSE_TURN and not any(order.kind == "held" for order in waiting):
        return None
    loaded, said = ledger.load_match(case.change, row), list[str]()
    kept = standing_orders.held_orders(case.connection, loaded, mine)
    if row.state == "running" and (kept or key in _WHOSE_TURN):
        turn = TurnFacts(
            match=row.name,
            seat=mine,
            turn=row.turn,
            to_act=seat,
            due=row.due,
            zone=case.player.zone,
            names=names_of(case.connection, matches.seats(case.connection, row.id)),
            now=case.desk.now(),
        )
        said.append(turn_sentence(turn, loaded.live.scene(mine), wording))
    if kept is not None:
        until = None if row.state == "paused" else kept.until
        when = moment_text(until, case.player.zone, wording.catalogue) if until else None
        orders = worded_orders(wording, kept.lines)
        said.append(
            wording.catalogue.say("standing.still", until=when, asked=kept.is_asked, orders=orders)
        )
    return " ".join(said) or None


def tell_problem(case: Case, place: Place) -> None:
    """Answer why a place speaks for no seat, with the board if it names the sender's own."""
    named = place.named
    if named is None:
        case.tell(place.problem or answer("no-code"))
        return
    begun = named.match.header is not None
    live = ledger.load_match(case.change, named.match).live if begun else None
    scene = live.scene(named.seat.seat) if live else None
    case.tell(answer("other-history", begun=begun, scene=scene), named)


def not_begun(case: Case, claim: Claim | None) -> Answer:
    """Return the answer that a match has not begun, and whose yes is awaited."""
    waiting = players_awaited(case, claim.match) if claim else []
    # Whoever has agreed waits like the others.
    mine = claim is not None and claim.seat.agreed != "yes"
    return answer("match-not-begun", waiting=waiting, mine=mine)


def unplayable(case: Case, claim: Claim) -> Answer | None:
    """Return the answer that a match has not begun or is over; None if it can be played."""
    if claim.match.state == "invited":
        return not_begun(case, claim)
    over = claim.match.state not in PLAYABLE
    return answer("match-over", state=told_state(claim.match)) if over else None


def players_awaited(case: Case, row: MatchRow) -> list[str]:
    """Return the names of the players whose yes the beginning of a match waits for."""
    seats = matches.seats(case.connection, row.id)
    names = names_of(case.connection, seats)
    return [names[seat.seat] for seat in seats if seat.holder == "player" and seat.agreed != "yes"]
