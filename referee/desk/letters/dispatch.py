"""The dispatch of commands: from a word in a letter to the function that obeys it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from referee.desk import players
from referee.desk.letters import confirm, reply, unclear, yes
from referee.desk.letters.case import Case
from referee.desk.letters.claims import SEVERAL, Claim, Place, claim_on
from referee.desk.letters.commands import (
    away,
    invitation,
    join,
    message,
    resign,
    settings,
    undo,
    watch,
)
from referee.desk.letters.commands.ask import (
    send_board,
    send_help,
    send_matches,
    send_rules,
    unfinished_matches,
)
from referee.desk.letters.commands.invitation import accept_invitation, decline_invitation
from referee.desk.letters.confirm import ANSWERING
from referee.desk.letters.words.keywords import Command
from referee.desk.matches import codes
from referee.render.answers import Answer, answer
from referee.render.words.wording import Catalogue
from referee.store.people.questions import QuestionRow
from referee.store.play import matches as play_matches
from referee.store.states import UNFINISHED
from referee.value import Value


def obey_command(case: Case, place: Place, command: Command) -> None:
    """Carry out a command of a place of a letter.

    Without the code it needs, it is confirmed by mail or answered with the problem, once.
    """
    claim, act = place.claim, _ACTS.get(command.word)
    # Whoever joins has no seat yet, so there is no code to ask for.
    if command.word == "join":
        join.ask_to_join(case, claim, command, place.luck)
        return
    if act is None:
        return
    if act.needs == "nothing":
        act.do(case, claim, command)
        return
    if act.needs == "seat":
        if claim is None:
            refuse_place(case, place)
        else:
            act.do(case, fresh_claim(case, claim), command)
        return
    # The address mail goes to decides who the player is from then on; no code in a letter suffices
    # for it, as codes stand in reports, and reports are passed on.
    grave = (command.word, *command.arguments[:1]) == ("set", "address")
    if act.final:
        # A seat is given away only by a letter that says nothing else, under the latest code.
        grave = not place.alone or (command.word == "resign" and place.old)
    if claim is not None and not grave:
        # A command about a seat may name its match; that must be the code's.
        named = command.arguments[0] if act.seated and command.arguments else claim.match.name
        if named == claim.match.name:
            _run(case, fresh_claim(case, claim), command)
        else:
            said = answer("wrong-match", named=named, belongs=claim.match.name)
            reply.send_answer(case, said, fresh_claim(case, claim))
    elif place.problem is None:
        # Without any code the registered address is asked. A wrong code is answered instead.
        talked = claim is not None and act.final and not place.old
        if claim is not None and act.seated and not command.arguments:
            command = Command(command.word, (claim.match.name,))
        _asked(case, command, talked=talked)
    # Any of the codes of several matches would do for what is about the player.
    elif place.problem.key == SEVERAL and not act.seated and not grave:
        _run(case, None, command)
    else:
        refuse_place(case, place)


def refuse_place(case: Case, place: Place) -> None:
    """Answer, once, why a place of a letter is not acted on."""
    if not place.refused:
        reply.send_problem(case, place)
    place.refused = True


def is_old(case: Case, claim: Claim) -> bool:
    """Return whether a claim's code is outdated, or its match is over.

    An old code may stand in a report that was passed on or published long ago.
    """
    now = codes.code_of(case.change, claim.match, claim.seat)
    return claim.match.state not in UNFINISHED or claim.code.code != now


def obey_confirmed(case: Case, command: Command) -> None:
    """Carry out a command that came without a code and was confirmed."""
    act = _ACTS[command.word]
    claim = _claim_of(case, command) if act.seated else None
    if act.seated and claim is None:
        reply.send_answer(case, answer("question-old"))
    else:
        _run(case, claim, command)


def _run(case: Case, claim: Claim | None, command: Command) -> None:
    act = _ACTS[command.word]
    if fault := act.wrong(case, command):
        reply.send_answer(case, fault, claim)
    else:
        act.do(case, claim, command)


def _asked(case: Case, command: Command, *, talked: bool) -> None:
    """Ask for a confirmation of a command that came without a code, or beside talk."""
    act = _ACTS[command.word]
    if act.seated and not command.arguments:
        rows = unfinished_matches(case)
        # Only a player's one match goes without saying.
        if len(rows) != 1:
            names = [row.name for row in rows]
            word = Catalogue(case.player.language).keyword(command.word)
            reply.send_answer(case, answer("which-match", word=word, open=names))
            return
        command = Command(command.word, (rows[0].name,))
    bound = _claim_of(case, command) if act.seated else None
    if act.seated and bound is None:
        reply.send_answer(case, answer("not-seated", named=command.arguments[0]))
    elif bound is not None and bound.match.state not in UNFINISHED:
        reply.send_answer(case, answer("match-over", state=players.told_state(bound.match)), bound)
    elif fault := act.wrong(case, command):
        reply.send_answer(case, fault)
    elif settings.needs_no_yes(case, command):
        act.do(case, None, command)
    else:
        confirm.ask_to_confirm(case, settings.canonical_setting(case, command), talked=talked)


def _claim_of(case: Case, command: Command) -> Claim | None:
    """Return the player's claim in the match a command names, as if it came with a code."""
    row = (
        play_matches.find_match(case.connection, command.arguments[0])
        if command.arguments
        else None
    )
    if row is None:
        return None
    mine = play_matches.seats_of_player(case.connection, case.player.id, row.id)
    return claim_on(case.change, row, mine[0]) if mine else None


def fresh_claim(case: Case, claim: Claim) -> Claim:
    """Return the claim as earlier lines of the letter left its rows."""
    row = play_matches.get_match(case.connection, claim.match.id)
    seat = next(s for s in play_matches.seats(case.connection, row.id) if s.seat == claim.seat.seat)
    return Claim(row, seat, claim.code)


def _agree(case: Case, claim: Claim, command: Command) -> None:
    """Play the held orders of a seat, or else take its yes for the question it was asked.

    With both open nobody can know which it answers.
    """
    held = bool(confirm.held_under(case, claim))
    if held and confirm.question_open_to(case, claim) is not None:
        reply.send_answer(case, answer("which-yes"), claim)
    elif not (held and yes.play_at_once(case, claim)):
        accept_invitation(case, claim, command)


def _decline(case: Case, claim: Claim, command: Command) -> None:
    """Take back the held orders of a seat, or else take its no for an answer."""
    line = next(iter(case.reply.lines), "")
    if not yes.take_back_held(case, claim, line):
        decline_invitation(case, claim, command)


def _undo(case: Case, claim: Claim, command: Command) -> None:
    """Take back the held orders of a seat as ``withdraw`` does, or else what it has played."""
    if not yes.take_back_held(case, claim, next(iter(case.reply.lines), "")):
        undo.ask_undo(case, claim, command)


class _Act(Value):
    """A command's function, and what it needs to be obeyed.

    Some need ``nothing``, as they change nothing: the answer goes to the registered address. One
    about the ``player`` or one of their seats needs any live code of theirs, or is confirmed by
    mail. Others need the code of the very ``seat``. ``seated``: it is about the seat of the match
    it names, or of the code. ``final``: it ends a seat, or the reading of a match. ``wrong``
    returns the answer to a command that is impossible in any case.
    """

    do: Callable[[Case, Any, Command], None]
    needs: Literal["nothing", "player", "seat"]
    wrong: Callable[[Case, Command], Answer | None] = lambda _, __: None
    seated: bool = False
    final: bool = False


_ACTS: Final[Mapping[str, _Act]] = {
    "help": _Act(send_help, "nothing"),
    "rules": _Act(send_rules, "nothing"),
    "matches": _Act(send_matches, "nothing"),
    "show": _Act(send_board, "nothing"),
    "settings": _Act(settings.show_settings, "nothing"),
    "unclear": _Act(unclear.answer_command, "nothing"),
    "set": _Act(settings.change_setting, "player", settings.answer_bad_value),
    "away": _Act(away.obey_away, "player", away.answer_bad_days),
    "watch": _Act(watch.watch_match, "player", watch.answer_unwatchable),
    "stop": _Act(watch.end_watching, "player", watch.answer_nothing_to_stop, final=True),
    "leave": _Act(join.leave_match, "player", seated=True, final=True),
    "resign": _Act(resign.resign_by_mail, "player", seated=True, final=True),
    "agree": _Act(_agree, "seat"),
    "decline": _Act(_decline, "seat"),
    "luck": _Act(invitation.give_luck, "seat"),
    "message": _Act(message.pass_message, "seat"),
    "note": _Act(message.keep_seat_note, "seat"),
    "undo": _Act(_undo, "seat"),
}

FINAL: Final = frozenset(word for word, act in _ACTS.items() if act.final)
"""Commands that end a seat, or the reading of a match."""

ASKING: Final = frozenset(
    word for word, act in _ACTS.items() if act.needs == "nothing" and word != "unclear"
)
"""Commands that only ask: they change nothing, so they need no code."""


def hear_answer(
    case: Case, place: Place, question: QuestionRow, commands: Sequence[Command]
) -> Sequence[Command]:
    """Act on the answer to a question; return the commands that do not answer it."""
    said = {command.word for command in commands} & ANSWERING
    rest: Sequence[Command] = [command for command in commands if command.word not in ANSWERING]
    company = place.understood.company
    beside = company.words if company.way == "contradicted" else ""
    if said == ANSWERING:
        beside = beside or Catalogue(case.player.language).keyword("decline")
    word = Catalogue(case.player.language).keyword("agree")
    clash = answer("two-sets", word=word, beside=beside) if "agree" in said and beside else None
    if said and confirm.hear_confirmation(case, question, said, clash):
        for confirmed in confirm.commands_of(question):
            if confirmed.word != "join":
                obey_confirmed(case, confirmed)
                continue
            # Words for chance count only together with joining, before the match begins.
            luck = [command.text for command in rest if command.word == "luck"]
            rest = [command for command in rest if command.word != "luck"]
            join.join_match(case, confirmed, question.document.shown, luck[-1] if luck else None)
    return rest
