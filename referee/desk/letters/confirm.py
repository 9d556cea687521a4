"""Questions to an address, and orders that are held: what waits for its owner's yes.

What came without proof is asked of the address it concerns, so that only its owner can answer. What
concerns all players of a match is asked of the others by one of them, in ``commands/votes``.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import count
from typing import Final

from msgspec.structs import astuple

from referee.desk.desk import Change
from referee.desk.letters.case import Case, Claim, ReplyPart
from referee.desk.letters.words.keywords import Command
from referee.desk.mails import post
from referee.desk.mails.post import Mail
from referee.desk.mails.settings import told_value
from referee.desk.matches import codes, ledger, standing_orders
from referee.mail.codes import new_code
from referee.mail.incoming import marks
from referee.mail.incoming.letter import Letter
from referee.matches.standing_orders import StandingOrder
from referee.render.answers import answer, answer_content
from referee.render.content import Framing
from referee.render.words.wording import Catalogue
from referee.store.people import players, questions
from referee.store.states import PLAYABLE, QuestionKind
from referee.store.tables.play import QuestionDocument, QuestionRow
from referee.value import replace

LIFE: Final = timedelta(days=7)
"""How long a question to an address waits for its yes."""

KEPT: Final = timedelta(days=30)
"""How long a settled question is remembered, so that a late yes gets an answer."""

ANSWERING: Final = frozenset({"agree", "decline"})
"""The commands that say yes and no."""


def ask_for_one_yes(case: Case) -> None:
    """Ask for one yes to everything in a letter that needs one."""
    wanted = tuple(dict.fromkeys(case.reply.wanted))
    case.reply.wanted.clear()
    address = players.address_for(case.connection, case.player.id)
    if not wanted or address is None or case.unanswered:
        return
    question = keep_question(case.change, case.letter, "command", address, case.player.id, wanted)
    lines = [told_line(command, case.catalogue) for command in wanted]
    said = answer("confirm", lines=lines, days=LIFE.days, talked=case.reply.talked)
    framing = question_framing(question, case.player.language)
    content = answer_content(case.catalogue, said, framing)
    case.reply.parts.append(ReplyPart(Mail("answer", content), question=question))


def told_line(command: Command, catalogue: Catalogue) -> str:
    """Return a command as it is written in a language."""
    match command.word, command.arguments:
        case "set", (what, value):
            # A name is the player's own words.
            value = value if what == "name" else told_value(value, catalogue)
            rest = [catalogue.written(f"setting.{what}"), value]
        case "away", arguments:
            words = {word: catalogue.keyword(word) for word in ("to", "cancel")}
            rest = [words.get(word, word) for word in arguments]
        case _, arguments:
            rest = [*arguments]
    return " ".join((catalogue.keyword(command.word), *rest))


def commands_of(question: QuestionRow) -> tuple[Command, ...]:
    """Return the commands a question is about."""
    return tuple(Command(*command) for command in question.document.commands)


def asked_lines(case: Case, question: QuestionRow) -> list[str]:
    """Return the lines a question is about, in its player's language."""
    return [told_line(command, case.catalogue) for command in commands_of(question)]


def keep_question(
    change: Change,
    letter: Letter,
    kind: QuestionKind,
    address: str,
    player_id: int | None,
    commands: Iterable[Command] = (),
    shown: tuple[str, ...] = (),
    language: str = "",
) -> QuestionRow:
    """Return a question to an address that waits; the one there is if it still does.

    Its code follows from the letter that asked: if that is read again after a restore, a yes to the
    mail sent before still leads to it.
    """
    now = change.desk.now()
    subject = QuestionDocument(tuple(astuple(command) for command in commands), shown, language)
    # Asked twice it is one question, with one code.
    for question in questions.questions_put_to(change.connection, address):
        same = (question.kind, question.document, question.player_id) == (kind, subject, player_id)
        if same and still_waits(question, now):
            # Its new mail says how long it waits.
            questions.change_question(change.connection, question.id, expires=now + LIFE)
            return question
    stamp = letter.message_id or now.isoformat()
    # The label is older than the word question; another would make other codes.
    label = f"request {address}"
    tried = (new_code(change.desk.settings.key, label, stamp, str(number)) for number in count())
    code = next(code for code in tried if codes.seat_or_question(change.connection, code) is None)
    return questions.add_question(
        change.connection, kind, subject, created=now, expires=now + LIFE,
        player_id=player_id, code=code, address=address,
    )  # fmt: skip


def still_waits(question: QuestionRow, arrived: datetime) -> bool:
    """Return whether a question was still open when a letter arrived."""
    return question.state == "waiting" and question.expires > arrived


def question_framing(question: QuestionRow, language: str) -> Framing:
    """Return the frame of a question's mail, its box with the code."""
    hint = Catalogue(language).say("asking.hint")
    box = marks.question_lines(question.id, question.code or "", language, hint)
    return replace(post.BARE_FRAMING, box=box)


def held_under(case: Case, claim: Claim) -> list[StandingOrder]:
    """Return the held orders of a seat that a yes or no under a code may mean.

    Orders of a turn are meant by the codes of that turn alone.
    """
    row = claim.match
    if row.state not in PLAYABLE:
        return []
    now = claim.code.seq >= row.turn_began_seq
    loaded = ledger.load_match(case.change, row)
    mine = standing_orders.kept_standing_orders(case.connection, loaded, claim.seat.seat)
    return [kept for kept in mine if kept.hold and (now or kept.kind != "held")]
