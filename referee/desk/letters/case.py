"""The case of one letter in work, and its reply while collected."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

import msgspec
from sqlalchemy import Connection

from referee.desk.desk import Change, Desk
from referee.desk.letters.words.keywords import Command
from referee.desk.mails import post, report
from referee.desk.mails.composer import beside_others, file_of
from referee.desk.mails.post import Binding, Mail
from referee.desk.matches import codes
from referee.games.game import AnyGame, Seat
from referee.mail.incoming.letter import Letter
from referee.render.content import Framing, several, together
from referee.render.words.wording import Catalogue, Wording
from referee.store.people import players
from referee.store.play import matches, submissions
from referee.store.post import outbox
from referee.store.states import LetterState
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow, QuestionRow
from referee.store.tables.post import LetterRow
from referee.value import Value, replace


class LetterVerdict(Value):
    """The outcome for a letter: its state in the store, the reason, and whose letter it is."""

    state: LetterState
    reason: str | None = None
    player_id: int | None = None


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

    @property
    def framing(self) -> Framing:
        """The frame of the mail it would be alone."""
        return self.mail.content.framing


@dataclass(slots=True)
class Reply:
    """The reply to a letter while it is collected; ``lines`` are those in work.

    ``left_this_hour`` and ``left_today`` are how many answers may still be written, receipts being
    counted in the hour alone. ``wanted`` are the commands that need a yes; one question asks for
    all of them. ``talked``: they need it because their letter says more. There is one mail for all
    seats, in which each has a box with its code, and one for each question. Confirmations are
    mailed separately, to the registered address.
    """

    lines: tuple[str, ...] = ()
    parts: list[ReplyPart] = field(default_factory=list)
    wanted: list[Command] = field(default_factory=list)
    left_this_hour: int = 0
    left_today: int = 0
    talked: bool = False

    @property
    def first_line(self) -> str:
        """The first of the lines in work; empty if there is none."""
        return next(iter(self.lines), "")

    def put(self, part: ReplyPart) -> None:
        """Add an answer."""
        self.parts.append(part)

    def send(self, case: Case) -> None:
        """Mail the collected answers: one mail for all seats, one a question."""
        # What belongs to neither goes along: one mail less, and the thread of the seat instead of a
        # new one.
        seat = next((part.about for part in self.parts if part.about), None)
        along = seat or next((part.question.code for part in self.parts if part.question), None)
        groups: dict[Hashable, list[ReplyPart]] = {}
        for part in self.parts:
            place = part.about or (part.question.code if part.question else along)
            groups.setdefault(place, []).append(part)
        self.parts = []
        asking = [group for group in groups.values() if any(part.question for part in group)]
        about = [group for group in groups.values() if group not in asking]
        if len(about) > 1:
            # In a mail about several matches a file bears the name of its own.
            alone = []
            for group in about:
                mail = _joined(case, group)
                if mail.binding is not None:
                    match = mail.binding.match.name
                    files = (
                        replace(file, name=file_of(match, file.name)) for file in mail.attachments
                    )
                    content = beside_others(mail.content, match)
                    mail = replace(mail, content=content, attachments=tuple(files))
                alone.append(mail)
            content = several([mail.content for mail in alone], post.BARE_FRAMING)
            attached = tuple(file for mail in alone for file in mail.attachments)
            mail = replace(min(alone, key=_rank), content=content, binding=None, headers={})
            mail = _counted(case, replace(mail, attachments=attached, answers=case.letter))
            sent = post.send(case.change, mail, case.player)
            _note_sent(case, [part for group in about for part in group], sent)
        for group in asking if len(about) > 1 else groups.values():
            question = next((part.question for part in group if part.question), None)
            mail = _joined(case, group)
            if question is not None:
                sent = send_question(case, question, _counted(case, mail))
            else:
                # A report may tell the receipt of a seat.
                told = mail.binding is not None and mail.kind == "receipt"
                brief = report.brief_text(mail.content, case.letter) if told else None
                mail = _counted(case, replace(mail, answers=case.letter, brief=brief))
                sent = post.send(case.change, mail, case.player)
            _note_sent(case, group, sent)


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
    an_hour, a_day = case.desk.most_answers(unproved=case.unproved)
    closing = case.catalogue.say(
        "letter.last-unproved" if case.unproved else "letter.last",
        most=a_day if today else an_hour,
        today=today,
        # “Reply” brings no proof that the sender's server withholds.
        proof=case.missing is None,
    )
    return replace(mail, content=replace(mail.content, closing=closing), brief=None)


def _joined(case: Case, parts: list[ReplyPart]) -> Mail:
    """Return the answers about one seat or question as a mail."""
    about = next((part.about for part in parts if part.about), None)
    binding = None if about is None else seat_binding(case, *about)
    mail = min((part.mail for part in parts), key=_rank)
    if len(parts) > 1:
        framing = next((part for part in parts if part.question), parts[0]).framing
        if binding is not None:
            boxed = any(part.framing.boxed for part in parts if part.about)
            framing = post.seat_framing(case.wording_of(binding.match), binding, box=boxed)
        said = [(part.lines, part.mail.content) for part in parts]
        attached = tuple(file for part in parts for file in part.mail.attachments)
        mail = replace(mail, content=together(said, framing), attachments=attached)
    return replace(mail, binding=binding)


def _note_sent(case: Case, parts: list[ReplyPart], sent: int | None) -> None:
    """Note the mail that holds the answers."""
    if sent is None:
        return
    # Counted apart, so that forged letters use up a budget of their own.
    if case.unproved:
        outbox.change_mail(case.connection, sent, unproved=True)
    for part in parts:
        if part.submission is not None:
            submissions.set_receipt(case.connection, part.submission, sent)


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

    ``over_hourly_limit``: the hourly limit is used up, so only letters that change something are
    answered. ``over_daily_limit``: the daily limit on answers other than receipts is used up.
    ``unproved``: only the address says who wrote it, so answers come from a small budget of their
    own. ``silent``: a program wrote it, which is never answered. ``missing`` is the proof of its
    sender it lacks, None if complete. ``reply`` is collected.
    """

    change: Change
    row: LetterRow
    letter: Letter
    player: PlayerRow
    over_hourly_limit: bool = False
    over_daily_limit: bool = False
    silent: bool = False
    unproved: bool = False
    missing: str | None = None
    reply: Reply = msgspec.field(default_factory=Reply)

    @property
    def desk(self) -> Desk:
        """Desk at which this happens."""
        return self.change.desk

    @property
    def connection(self) -> Connection:
        """Connection of the transaction."""
        return self.change.connection

    @property
    def catalogue(self) -> Catalogue:
        """Sentences in the player's language."""
        return Catalogue(self.player.language)

    @property
    def unanswered(self) -> bool:
        """Return whether at most a receipt for played orders may be sent."""
        return self.over_hourly_limit or self.over_daily_limit or self.silent

    def game_of(self, row: MatchRow) -> AnyGame:
        """Return the game of a match. Raises NotInstalled."""
        return self.desk.find_game(row.game, row.edition)

    def wording_of(self, row: MatchRow) -> Wording:
        """Return the words of a match's game in the player's language. Raises NotInstalled."""
        return Wording(self.game_of(row), self.player.language)


def refreshed(case: Case) -> Case:
    """Return a case with its player's settings as they are now."""
    return replace(case, player=players.get_player(case.connection, case.player.id))
