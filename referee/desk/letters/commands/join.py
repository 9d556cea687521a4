"""The commands by which players come and go: join, leave, resign, watch, stop."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Literal

from referee.desk.letters import confirm
from referee.desk.letters.case import Case, Claim, ReplyPart, unplayable
from referee.desk.letters.commands import message
from referee.desk.letters.words.keywords import MOST_LUCK, Command
from referee.desk.mails import invitation, post
from referee.desk.mails.post import Binding, Mail
from referee.desk.mails.report import write_spectator_reports
from referee.desk.mails.settings import apply_setting
from referee.desk.matches import broken, codes, ledger
from referee.desk.seats import setup, vacancies
from referee.desk.seats.handover import resign, return_seat
from referee.games.game import Seat
from referee.render.answers import Answer, answer
from referee.render.content import Content, Framing
from referee.render.invitations import invitation_content
from referee.store.people import players
from referee.store.play import matches, watchers
from referee.store.states import UNFINISHED
from referee.store.tables.play import MatchRow
from referee.value import replace


def ask_to_join(case: Case, command: Command, luck: str | None) -> None:
    """Send a match's terms to a player who wants to join.

    The answer yes takes the seat. Words for chance that came before the terms were seen do not
    count, and the mail says so.
    """
    found = _found(case, command)
    if found is None or case.unanswered:
        return
    row, seat = found
    address = players.address_for(case.connection, case.player.id)
    if address is None:
        return
    meant = Command("join", (row.name, *((seat,) if seat else ())))
    asker, shown = case.player.id, (row.name,)
    question = confirm.keep_question(
        case.change, case.letter, "command", address, asker, (meant,), shown
    )
    framing = confirm.question_framing(question, case.player.language)
    content = _invitation(case, row, seat, "joining", framing, words=luck)
    case.reply.parts.append(ReplyPart(Mail("answer", content), question=question))


def join_match(case: Case, command: Command, shown: Sequence[str], luck: str | None) -> None:
    """Seat a player who confirmed joining, or show the terms first.

    ``shown`` are the matches whose commitment was mailed to the player: only then may words for
    chance be given, and only then may the match begin. Otherwise the seed could have been chosen to
    suit the words.
    """
    found = _found(case, command, shown)
    if found is None:
        return
    row, wanted = found
    if row.name not in shown:
        ask_to_join(case, command, luck)
        return
    left = vacancies.free_seats(case.connection, row)
    seat = wanted or left[0].seat
    if _draws_seats(row):
        seat = vacancies.drawn_seat(row.seed, case.player.id, left)
    vacancies.take_seat(case.connection, row, seat, case.player.id)
    if luck:
        words = {**row.words, seat: luck[:MOST_LUCK]}
        matches.change_match(case.connection, row.id, words=words)
    taken = next(held for held in matches.seats(case.connection, row.id) if held.seat == seat)
    codes.add_codes(case.change, row, [taken], 0, codes.BEFORE_TURN_ONE)
    begins = vacancies.is_complete(case.connection, row)
    binding = Binding(row, taken, 0, codes.code_of(case.change, row, taken))
    wording = case.wording_of(row)
    framing = post.seat_framing(wording, binding, box=not begins)
    content = _invitation(case, row, seat, "joined", framing, begins=begins, words=luck)
    case.reply.parts.append(ReplyPart(Mail("invitation", content), about=(row.id, seat)))
    if begins:
        setup.begin_match(case.change, matches.get_match(case.connection, row.id))


def _found(
    case: Case, command: Command, shown: Sequence[str] = ()
) -> tuple[MatchRow, Seat | None] | None:
    """Return the match and the seat meant; None, after an answer, if there is none.

    Of several matches one of those ``shown`` before is taken.
    """
    name, word = (*command.arguments, None, None)[:2]
    rows = vacancies.open_matches(case.connection)
    if case.desk.store.is_shared:
        # Of two who join at once, the second is to see that the first is there.
        matches.lock_matches(case.connection, [row.name for row in rows])
        rows = vacancies.open_matches(case.connection)
    open_ones = [row for row in rows if broken.has_game(case.desk, row)]
    player_id = case.player.id
    unseated = [
        row for row in open_ones if not matches.seats_of_player(case.connection, player_id, row.id)
    ]
    fitting = [row for row in unseated if name in {None, row.name, row.game}]
    if not fitting:
        asked = next((row for row in open_ones if name in {row.name, row.game}), None)
        if asked is not None:
            case.tell(answer("join-seated", named=asked.name))
        else:
            names = [row.name for row in unseated]
            case.tell(answer("join-none", named=name, open=names))
        return None
    row = next((row for row in fitting if row.name in shown), fitting[0])
    game = case.game_of(row)
    seat = None if word is None else message.addressed_seat(game, word)
    left = [free.seat for free in vacancies.free_seats(case.connection, row)]
    if word is not None and _draws_seats(row):
        case.tell(answer("join-drawn", named=row.name))
        return None
    if word is not None and seat not in left:
        names = [case.wording_of(row).seat(free) for free in left]
        case.tell(answer("join-taken", named=row.name, seat=word, open=names))
        return None
    return row, seat


def _invitation(
    case: Case,
    row: MatchRow,
    seat: Seat | None,
    stage: Literal["joining", "joined"],
    framing: Framing,
    *,
    words: str | None,
    begins: bool = False,
) -> Content:
    """Return the terms of a match for a player about to join it, or who now has a ``seat``."""
    wording = case.wording_of(row)
    terms = replace(
        invitation.invitation_terms(case.change, row, wording, case.player.zone, seat),
        starts_at_once=begins,
        stage=stage,
        drawn=_draws_seats(row),
        words=words[:MOST_LUCK] if words else None,
    )
    return invitation_content(wording, terms, framing)


def _draws_seats(row: MatchRow) -> bool:
    """Return whether the seats of an open match are drawn."""
    terms = vacancies.seating_of(row)
    return terms is not None and terms.drawn


def leave_match(case: Case, claim: Claim, _: Command) -> Answer | None:
    """Give back a seat of an open match that has not begun."""
    row = claim.match
    if row.state != "invited":
        return answer("leave-begun")
    if row.seating is None:
        return answer("leave-closed")
    vacancies.free_seat(case.connection, row, claim.seat.seat)
    case.tell(answer("left", named=row.name))
    return None


def watch_match(case: Case, _: Claim | None, command: Command) -> None:
    """Let a player watch a match; a report of its position comes at once."""
    row = matches.find_match(case.connection, command.arguments[0])
    if row is None:
        return
    # What its watchers were told is kept with the match, and others write it, too.
    row = matches.lock_match(case.connection, row.id)
    watchers.add_watcher(case.connection, row.id, case.player.id, case.desk.now())
    # Told of no turn yet, so that a report is due at once.
    watchers.set_watcher_told(case.connection, row.id, case.player.id, row.seq, 0)
    case.tell(answer("watching", named=row.name))
    if row.header is not None:
        loaded = ledger.load_match(case.change, row)
        write_spectator_reports(case.change, loaded)


def answer_unwatchable(case: Case, command: Command) -> Answer | None:
    """Return the answer to a match that cannot be watched."""
    name = command.arguments[0]
    row = matches.find_match(case.connection, name)
    if row is None:
        rows = matches.select_matches(case.connection)
        unfinished = [row.name for row in rows if row.state in UNFINISHED]
        near = get_close_matches(name, unfinished)
        return answer("watch-none", named=name, open=near)
    if matches.seats_of_player(case.connection, case.player.id, row.id):
        return answer("watch-seated", named=name)
    if row.state not in UNFINISHED:
        return answer("watch-over", named=name)
    return None


def end_watching(case: Case, _: Claim | None, command: Command) -> None:
    """Stop watching one match or all; without a name end the digest as well."""
    names = _watched_still(case, command)
    for row in _watched(case):
        if not command.arguments or row.name in names:
            watchers.drop_watcher(case.connection, row.id, case.player.id)
    digest = not command.arguments and case.player.digest != "off"
    if digest:
        apply_setting(case.change, case.player, "digest", "off")
    case.tell(answer("stopped", to=names, digest=digest, mails=case.player.mails))


def answer_nothing_to_stop(case: Case, command: Command) -> Answer | None:
    """Return the answer to a ``stop`` with nothing to stop."""
    has_digest = not command.arguments and case.player.digest != "off"
    if has_digest or _watched_still(case, command):
        return None
    if case.reply.doubted and not command.arguments:
        return answer("doubted", lines=case.reply.lines)
    return answer("stop-nothing", named=next(iter(command.arguments), None))


def _watched(case: Case) -> list[MatchRow]:
    watched = watchers.watched_by(case.connection, case.player.id)
    return [matches.get_match(case.connection, row.match_id) for row in watched]


def _watched_still(case: Case, command: Command) -> list[str]:
    """Return the matches that a ``stop`` is about: the one it names, or all that are not over."""
    rows = _watched(case)
    if command.arguments:
        return [row.name for row in rows if row.name in command.arguments]
    return [row.name for row in rows if row.state in UNFINISHED]


def resign_by_mail(case: Case, claim: Claim, _: Command) -> Answer | None:
    """Let the seat of a claim resign; a live code or a confirmed question is enough."""
    row = claim.match
    if refusal := unplayable(case, claim):
        return refusal
    # A stand-in's seat goes back to its player instead, who is told with the stand-in.
    if not return_seat(case.change, row, claim.seat.seat):
        bot = resign(case.change, row, claim.seat.seat)
        case.tell(answer("resigned", named=row.name, bot=bot, ended=bot is None))
    return None
