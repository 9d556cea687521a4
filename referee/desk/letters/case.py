"""Case of a letter in work, and its reply while that is collected."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from referee.desk.desk import Desk
from referee.desk.mails import post as mails_post
from referee.desk.mails.post import Binding, Extras, post, post_to
from referee.desk.matches import codes
from referee.games.game import Seat
from referee.mail.incoming.letter import Letter
from referee.render.mails import Framing, Sheet, bound, together
from referee.render.wording import Wording
from referee.store.people.players import PlayerRow
from referee.store.people.requests import RequestRow
from referee.store.play import matches
from referee.store.post import outbox
from referee.store.post.letters import LetterRow
from referee.store.states import ANSWERABLE, OutboxKind

if TYPE_CHECKING:
    from referee.desk.letters.words.keywords import Command


@dataclass(frozen=True, slots=True)
class Part:
    """The answer to one line, or to the orders of a letter together.

    ``about`` is the match and the seat it belongs to, ``request`` the question it puts; neither
    for what belongs to no seat. ``mailed`` is told the id of the mail.
    """

    sheet: Sheet
    kind: OutboxKind = "answer"
    about: tuple[int, Seat] | None = None
    request: RequestRow | None = None
    lines: tuple[str, ...] = ()
    extras: Extras | None = None
    mailed: Callable[[int], None] | None = None


@dataclass(slots=True)
class Tray:
    """What a letter is answered, as far as it has been heard; ``lines`` are those heard now.

    ``wanted`` are the commands that want a yes, for which one question is asked.
    """

    lines: tuple[str, ...] = ()
    parts: list[Part] = field(default_factory=list)
    wanted: list[Command] = field(default_factory=list)

    def put(self, part: Part) -> None:
        """Add an answer."""
        self.parts.append(part)

    def send(self, case: Case) -> None:
        """Mail what was collected, one mail for each seat and each question."""
        groups: dict[Hashable, list[Part]] = {}
        for part in self.parts:
            groups.setdefault(self._place(part), []).append(part)
        self.parts = []
        for group in groups.values():
            _mail(case, group)

    def _place(self, part: Part) -> Hashable:
        if part.about is not None or part.request is not None:
            return part.about or (part.request and part.request.code)
        first = next((each.about for each in self.parts if each.about), None)
        return first or next((each.request.code for each in self.parts if each.request), None)


def _mail(case: Case, parts: list[Part]) -> None:
    request = next((each.request for each in parts if each.request), None)
    about = next((each.about for each in parts if each.about), None)
    binding = None if about is None else binding_of(case, about)
    framing = next((each.sheet.framing for each in parts if each.request), parts[0].sheet.framing)
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
    letter = case.letter
    if request is not None:
        known = letter if letter.sender == request.address else None
        mail: int | None = post_to(
            case.desk, case.connection, request.address, kind, content,
            player=case.player, answers=known, code=request.code,
        )  # fmt: skip
    else:
        mail = post(
            case.desk, case.connection, case.player, kind, content,
            binding=binding, answers=letter, extras=extras,
        )  # fmt: skip
    if mail is not None and case.unproved:
        outbox.note_unproved(case.connection, mail)
    for each in parts:
        if each.mailed is not None and mail is not None:
            each.mailed(mail)


def _framing(case: Case, binding: Binding, *, boxed: bool) -> Framing:
    row = binding.match
    wording = Wording(case.desk.find_game(row.game, row.edition), case.player.language)
    boxed = boxed and row.state in ANSWERABLE
    return mails_post.framing(
        wording, row.name, binding.turn, binding.seat.seat, binding.code, box=boxed
    )


def binding_of(case: Case, about: tuple[int, Seat]) -> Binding:
    """Return what a mail to a seat is bound to now, not when the letter was written."""
    match_id, name = about
    row = matches.by_id(case.connection, match_id)
    seat = next(s for s in matches.seats(case.connection, match_id) if s.seat == name)
    return Binding(row, seat, row.turn, codes.code_of(case.desk, case.connection, row, seat))


@dataclass(frozen=True, slots=True)
class Case:
    """A letter of a known player, within its transaction.

    ``muted``: he got so many answers this hour that only what changes something is answered.
    ``hushed``: he got so many answers this day that were no receipts that there are no more.
    ``unproved``: nothing but the address says that it is his, so it is answered from a small budget
    of its own. ``silent``: a program wrote it, which is never answered. ``missing`` is what it
    lacks to prove who wrote it, None when it does. ``tray`` holds what is answered until all of it
    is heard.
    """

    desk: Desk
    connection: Connection
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
    def unanswered(self) -> bool:
        """Tell whether only what was played is answered, or nothing at all."""
        return self.muted or self.hushed or self.silent
