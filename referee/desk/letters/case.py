"""The case of one letter in work, and its reply while collected."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from referee.desk.desk import Change, Desk
from referee.desk.mails import post as mails_post
from referee.desk.mails.post import Binding, Extras, post, post_to
from referee.desk.matches import codes
from referee.games.game import Seat
from referee.mail.incoming.letter import Letter
from referee.render.mails import Content, Framing, Sheet, bound, together
from referee.render.wording import Wording
from referee.store.people.players import PlayerRow
from referee.store.people.questions import QuestionRow
from referee.store.play import matches
from referee.store.post import outbox
from referee.store.post.letters import LetterRow
from referee.store.states import ANSWERABLE, LetterState, OutboxKind

if TYPE_CHECKING:
    from referee.desk.letters.words.keywords import Command


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome for a letter: its state in the store, and the reason."""

    state: LetterState
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """The answer to one line, or to all of a letter's orders.

    ``about`` is the match and seat it belongs to, ``question`` the one it asks; both are None
    if it belongs to no seat. ``mailed`` is called with the id of the mail.
    """

    sheet: Sheet
    kind: OutboxKind = "answer"
    about: tuple[int, Seat] | None = None
    question: QuestionRow | None = None
    lines: tuple[str, ...] = ()
    extras: Extras | None = None
    mailed: Callable[[int], None] | None = None


@dataclass(slots=True)
class Tray:
    """The reply to a letter while it is collected; ``lines`` are those in work.

    ``wanted`` are the commands that need a yes; one question asks for all of them. There is one
    mail per seat, because a mail carries one seat's reply code; the rest joins the first.
    Confirmations are mailed separately, to the registered address.
    """

    lines: tuple[str, ...] = ()
    parts: list[Part] = field(default_factory=list)
    wanted: list[Command] = field(default_factory=list)

    def put(self, part: Part) -> None:
        """Add an answer."""
        self.parts.append(part)

    def send(self, case: Case) -> None:
        """Mail the collected answers, one mail for each seat and each question."""
        groups: dict[Hashable, list[Part]] = {}
        for part in self.parts:
            groups.setdefault(self._place(part), []).append(part)
        self.parts = []
        for group in groups.values():
            _mail(case, group)

    def _place(self, part: Part) -> Hashable:
        if part.about is not None or part.question is not None:
            return part.about or (part.question and part.question.code)
        # One mail less, and the thread of the seat instead of a new one.
        first = next((each.about for each in self.parts if each.about), None)
        return first or next((each.question.code for each in self.parts if each.question), None)


def _mail(case: Case, parts: list[Part]) -> None:
    question = next((each.question for each in parts if each.question), None)
    about = next((each.about for each in parts if each.about), None)
    binding = None if about is None else binding_of(case, about)
    framing = next((each.sheet.framing for each in parts if each.question), parts[0].sheet.framing)
    if len(parts) == 1:
        content = bound(parts[0].sheet)
    else:
        if binding is not None:
            boxed = any(each.sheet.framing.box for each in parts if each.about)
            framing = _framing(case, binding, boxed=boxed)
        content = together([(each.lines, each.sheet) for each in parts], framing)
    kinds = [each.kind for each in parts]
    first: tuple[OutboxKind, ...] = ("receipt", "invitation")
    kind: OutboxKind = next((each for each in first if each in kinds), "answer")
    extras = next((each.extras for each in parts if each.extras), None)
    mail: int | None
    if question is not None and question.address is not None:
        mail = mail_question(case, question.address, question.code, content, kind)
    else:
        mail = post(
            case.change, case.player, kind, content,
            binding=binding, answers=case.letter, extras=extras,
        )  # fmt: skip
    # Counted apart, so that forged letters use up a budget of their own.
    if mail is not None and case.unproved:
        outbox.note_unproved(case.connection, mail)
    for each in parts:
        if each.mailed is not None and mail is not None:
            each.mailed(mail)


def mail_question(
    case: Case, address: str, code: str | None, content: Content, kind: OutboxKind = "answer"
) -> int:
    """Mail a question to the address that answers it; return the mail's id."""
    # It may be another address than the letter came from; then it must not look like a reply in
    # that thread.
    known = case.letter if case.letter.sender == address else None
    return post_to(
        case.change, address, kind, content, player=case.player, answers=known, code=code
    )


def _framing(case: Case, binding: Binding, *, boxed: bool) -> Framing:
    row = binding.match
    wording = Wording(case.desk.find_game(row.game, row.edition), case.player.language)
    boxed = boxed and row.state in ANSWERABLE
    return mails_post.framing(
        wording, row.name, binding.turn, binding.seat.seat, binding.code, box=boxed
    )


def binding_of(case: Case, about: tuple[int, Seat]) -> Binding:
    """Return the present binding of a mail to a seat.

    It may have changed since the letter was written.
    """
    match_id, name = about
    row = matches.by_id(case.connection, match_id)
    seat = next(s for s in matches.seats(case.connection, match_id) if s.seat == name)
    return Binding(row, seat, row.turn, codes.code_of(case.change, row, seat))


@dataclass(frozen=True, slots=True)
class Case:
    """A letter of a known player, within its transaction.

    ``muted``: the hourly limit is used up, so only letters that change something are answered.
    ``hushed``: the daily limit on answers other than receipts is used up. ``unproved``: only the
    address says who wrote it, so answers come from a small budget of their own. ``silent``: a
    program wrote it, which is never answered. ``missing`` is the proof of its sender it lacks, None
    if complete. ``tray`` collects the reply.
    """

    change: Change
    row: LetterRow
    letter: Letter
    player: PlayerRow
    muted: bool = False
    hushed: bool = False
    silent: bool = False
    unproved: bool = False
    missing: str | None = None
    tray: Tray = field(default_factory=Tray)

    @property
    def desk(self) -> Desk:
        """Desk at which this happens."""
        return self.change.desk

    @property
    def connection(self) -> Connection:
        """Connection of the transaction."""
        return self.change.connection

    @property
    def unanswered(self) -> bool:
        """Return whether at most a receipt for played orders may be sent."""
        return self.muted or self.hushed or self.silent
