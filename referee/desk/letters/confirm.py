"""Questions that wait for a yes: put, found, agreed to, declined, lapsed, forgotten.

What came without proof is asked of the address it concerns, so that only its owner can answer. What
concerns all players of a match is asked of the others by one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import count
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from msgspec.structs import astuple
from sqlalchemy import Connection

from referee.desk.desk import REFEREE, Change
from referee.desk.health import all_letters_known
from referee.desk.letters import reply
from referee.desk.letters.case import Case, ReplyPart
from referee.desk.letters.claims import Claim, answered_mail
from referee.desk.letters.words.keywords import Command
from referee.desk.mails import post
from referee.desk.mails.post import Mail
from referee.desk.mails.settings import told_value
from referee.desk.matches import broken, codes, held, ledger
from referee.desk.matches.standing_orders import KeptStandingOrder
from referee.desk.players import holders_of
from referee.desk.work import Refused, Telling, Work
from referee.games.game import Fact, Seat
from referee.mail.codes import new_code
from referee.mail.incoming import marks
from referee.mail.incoming.letter import Letter
from referee.render.answers import Answer, answer, answer_content
from referee.render.content import Framing
from referee.render.words.moments import moment_text
from referee.render.words.wording import Catalogue, Wording
from referee.store.people import players, questions
from referee.store.play import matches
from referee.store.states import UNFINISHED, QuestionKind
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow, QuestionDocument, QuestionRow
from referee.value import Value, replace

LIFE: Final = timedelta(days=7)
"""How long a question to an address waits for its yes."""

KEPT: Final = timedelta(days=30)
"""How long a settled question is remembered, so that a late yes gets an answer."""

ANSWERING: Final = frozenset({"agree", "decline"})
"""The commands that say yes and no."""


class _Keys(Value):
    """Keys of the answers that tell others of a question."""

    asked: Literal["undo-asked", "draw-asked"]
    asking: Literal["undo-asking", "draw-asking"]
    agreed: Literal["undo-agreed", "draw-agreed"]
    declined: Literal["undo-declined", "draw-declined"]


_KEYS: Final[Mapping[QuestionKind, _Keys]] = MappingProxyType(
    {
        "undo": _Keys("undo-asked", "undo-asking", "undo-agreed", "undo-declined"),
        "draw": _Keys("draw-asked", "draw-asking", "draw-agreed", "draw-declined"),
    }
)

Granting: TypeAlias = Mapping[QuestionKind, Callable[[Change, MatchRow, Seat, int], object]]
"""What is done once all players have agreed, by the kind of question.

It is given the match, the seat that asked, and the turn the question is about.
"""


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
    case.reply.put(ReplyPart(Mail("answer", content), question=question))


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
            return question
    stamp = letter.message_id or now.isoformat()
    # The label is older than the word question; another would make other codes.
    label = f"request {address}"
    tried = (new_code(change.desk.settings.key, label, stamp, str(number)) for number in count())
    code = next(code for code in tried if codes.seat_or_question(change.connection, code) is None)
    return questions.add_question(
        change.connection, kind, subject, now=now, expires=now + LIFE,
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


def hear_confirmation(
    case: Case, question: QuestionRow, said: Collection[str], clash: Answer | None
) -> bool:
    """Settle a question about commands; return whether the letter says yes, in time.

    ``clash`` answers a yes that stands beside the contrary.
    """
    # Only the new address itself can say yes; its letters are heard in ``strangers``.
    if question.kind != "command":
        reply.send_answer(case, answer("foreign-code"))
    elif not still_waits(question, case.row.arrived):
        granted = "agree" in said and question.state == "granted"
        reply.send_answer(case, answer("question-old", granted=granted))
    # A yes and a no in one letter are neither.
    elif clash is not None:
        reply.send_answer(case, clash)
    elif "decline" in said:
        questions.settle_question(case.connection, question.id, "declined")
        reply.send_answer(case, answer("question-declined"))
    else:
        return questions.settle_question(case.connection, question.id, "granted")
    return False


def put_to_others(
    case: Case,
    claim: Claim,
    kind: QuestionKind,
    turn: int,
    life: timedelta,
    facts: Sequence[Fact] = (),
    reading: Collection[Seat] = (),
) -> bool:
    """Ask the other players of a match, and tell who asks; return whether there are any.

    ``facts`` are what it is about, as far as everybody knows it. The seats ``reading`` need no mail
    of its own, as they are about to get a report that asks them.
    """
    row, seat, asker = claim.match, claim.seat.seat, case.player
    now, until = case.desk.now(), case.desk.now() + life
    others = _others(case.connection, row, asker.id)
    if not others:
        return False
    # Play after this event makes the question void.
    subject = QuestionDocument(turn=turn, seq=row.seq)
    questions.add_question(
        case.connection, kind, subject, now=now, expires=until,
        player_id=asker.id, match_id=row.id, seat=seat,
    )  # fmt: skip
    keys, game = _KEYS[kind], case.game_of(row)

    def worded(player: PlayerRow) -> Answer:
        when, entries = _worded(until, player), Wording(game, player.language).facts(facts)
        return answer(keys.asked, turn=turn, seat=seat, who=asker.name, when=when, entries=entries)

    _tell(case.change, row, worded, others.keys() - set(reading))
    names, when = [player.name for player in others.values()], _worded(until, asker)
    told = answer(keys.asking, turn=turn, when=when, to=names, to_one=len(names) == 1)
    reply.send_answer(case, told, claim)
    return True


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


def held_under(case: Case, claim: Claim) -> list[KeptStandingOrder]:
    """Return the held orders of a seat that a yes or no under a code may mean.

    Orders of a turn are meant by the codes of that turn alone.
    """
    row = claim.match
    if row.state not in {"running", "paused"}:
        return []
    now = claim.code.seq >= row.turn_began_seq
    loaded = ledger.load_match(case.change, row)
    kept_orders = held.all_held(case.connection, loaded, claim.seat.seat)
    return [kept for kept in kept_orders if now or kept.standing.kind != "held"]


def agree_to_question(case: Case, claim: Claim, granting: Granting) -> bool:
    """Note a seat's yes; once all agree, do what was asked for.

    Return whether anything was asked of the seat. A yes in answer to a mail of an earlier turn was
    meant for something else, unless that mail was written since the question was asked.
    """
    question, row = question_open_to(case, claim), claim.match
    if question is None or question.seat is None:
        return False
    mail = answered_mail(case.connection, case.letter)
    asked = mail is not None and mail.created >= question.created
    if claim.code.seq < row.turn_began_seq and not asked:
        return False
    turn, answered = question.document.turn, {*question.answered, claim.seat.seat}
    questions.set_answered(case.connection, question.id, answered)
    others = _others(case.connection, row, question.player_id)
    left = [player.name for seat, player in others.items() if seat not in answered]
    if not left:
        try:
            granting[question.kind](case.change, row, question.seat, turn)
        # Something happened meanwhile by which it has become impossible.
        except Refused:
            _decline(case.change, question, row, moved=True)
        else:
            questions.settle_question(case.connection, question.id, "granted")
    # Last, as it asks for what the match then waits for.
    reply.send_answer(case, answer(_KEYS[question.kind].agreed, turn=turn, waiting=left), claim)
    return True


def decline_question(case: Case, claim: Claim) -> bool:
    """Note a seat's no and tell all; return whether anything was asked."""
    question = question_open_to(case, claim)
    if question is not None:
        _decline(case.change, question, claim.match, who=case.player.name)
    return question is not None


def has_lapsing_question(change: Change) -> bool:
    """Return whether any question is to lapse, or to be forgotten."""
    # In few statements, since this runs at every turn of the daemon.
    return questions.any_settled(change.connection, change.desk.now() - KEPT) or bool(_over(change))


def lapse_questions(change: Change) -> None:
    """Let questions lapse that time has ended, or play; forget those settled for a month."""
    questions.drop_settled(change.connection, change.desk.now() - KEPT)
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
    change: Change, question: QuestionRow, row: MatchRow, *, who: str = "", moved: bool = False
) -> None:
    # Another daemon may have settled it since it was read, and told everybody.
    if not questions.settle_question(change.connection, question.id, "declined"):
        return
    over = matches.get_match(change.connection, row.id).state not in UNFINISHED
    seats = None
    if question.kind == "draw" and moved:
        # Whoever has played on knows, and the end of a match speaks for itself.
        seats = () if over or question.seat is None else (question.seat, *question.answered)
    key = _KEYS[question.kind].declined
    _tell(change, row, answer(key, who=who or None, moved=moved, over=over), seats)


def _tell(change: Change, row: MatchRow, telling: Telling, seats: Iterable[Seat] | None) -> None:
    Work(change, row.name, REFEREE, "").tell(telling, seats)


def _worded(until: datetime, player: PlayerRow) -> str:
    return moment_text(until, player.zone, Catalogue(player.language))


def _others(connection: Connection, row: MatchRow, asker: int | None) -> dict[Seat, PlayerRow]:
    """Return the other players, who have a say, by seat; bots have none."""
    held = holders_of(connection, row.id)
    return {seat.seat: player for seat, player in held if player.id != asker}
