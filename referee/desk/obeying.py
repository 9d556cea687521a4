"""What the commands in a letter do: help and lists for anybody known, the rest with a code."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from referee.desk import (
    answers,
    asking,
    away,
    broken,
    consenting,
    joining,
    leaving,
    ledger,
    messaging,
    noting,
    opening,
    people,
    revealing,
    seating,
    setting,
    spectators,
    unclear,
)
from referee.desk.case import Case
from referee.desk.claims import Claim, Problem
from referee.desk.commands import Command
from referee.desk.posting import names_of, players_of
from referee.games.game import Json, Seat
from referee.matches.luck import Luck
from referee.render import rules
from referee.render.moments import moment
from referee.render.wording import Catalogue, Wording
from referee.store import matches as tables


@dataclass(slots=True)
class Standing:
    """What a place of a letter may do: its claim, or its problem, and whether its code is old.

    ``refused``: what it lacks was answered; once is enough. ``luck``: words that came along with
    a wish to join.
    """

    claim: Claim | None
    problem: Problem | None = None
    old: bool = False
    refused: bool = False
    luck: str | None = None


def obey(case: Case, place: Standing, command: Command) -> None:
    """Carry out a command of a place of a letter.

    What needs a code and has none is answered with the problem, once.
    """
    claim, grave = place.claim, _is_grave(command, old=place.old)
    if command.word == "join":
        joining.ask(case, claim, command, place.luck)
    elif command.word in _FREE:
        _FREE[command.word](case, claim, command)
    elif claim is not None and command.word in _BOUND:
        _BOUND[command.word](case, fresh(case, claim), command)
    elif claim is not None and command.word in _OWN and not grave:
        _do(case, fresh(case, claim), command)
    elif place.problem is None and command.word in _OWN:
        _asked(case, _naming(command, claim))
    elif command.word in {*_BOUND, *_OWN}:
        refuse(case, place)


def refuse(case: Case, place: Standing) -> None:
    """Answer what a place of a letter lacks to be acted on, once."""
    if not place.refused:
        problem = place.problem
        answers.send(case, problem.key if problem else "no-code", problem.fields if problem else {})
    place.refused = True


def is_old(case: Case, claim: Claim) -> bool:
    """Tell whether the mails to a seat bear another code by now, or its match is over.

    An old code may stand in a report that was passed on or published long ago.
    """
    now = ledger.code_of(case.desk, case.connection, claim.match, claim.seat)
    return claim.match.state not in people.GOING or claim.code.code != now


def _is_grave(command: Command, *, old: bool) -> bool:
    """Tell whether a command gives something away for good: a seat by an old code, an account.

    Where mail goes decides who the player is from then on. No code in a letter suffices for it:
    codes stand in reports, and reports are passed on.
    """
    if command.word == "resign":
        return old
    return (command.word, *command.arguments[:1]) == ("set", "address")


def _naming(command: Command, claim: Claim | None) -> Command:
    """Return a command about a seat with the match named that an old code leads to."""
    if claim is None or command.arguments or not _OWN[command.word].seated:
        return command
    return Command(command.word, (claim.match.name,))


def carry_out(case: Case, command: Command) -> None:
    """Do what a player asked for without a code and has confirmed by a reply."""
    own = _OWN[command.word]
    claim = _claim_of(case, command) if own.seated else None
    if own.seated and claim is None:
        answers.send(case, "request-old", {})
    elif not own.wrong(case, command):
        own.do(case, claim, command)


def _do(case: Case, claim: Claim, command: Command) -> None:
    """Do what a live code of any seat of the player suffices for; what names a match, for it."""
    own = _OWN[command.word]
    if own.seated and command.arguments and command.arguments[0] != claim.match.name:
        problem = Problem("wrong-match", {"named": command.arguments[0]})
        answers.send(case, problem.key, problem.fields, claim)
    elif not own.wrong(case, command):
        own.do(case, claim, command)


def _asked(case: Case, command: Command) -> None:
    """Ask for a confirmation of what came without a code."""
    own = _OWN[command.word]
    if own.seated and not command.arguments:
        rows = _running(case)
        if len(rows) != 1:
            names: list[Json] = [row.name for row in rows]
            answers.send(case, "which-match", {"word": command.word, "open": names})
            return
        command = Command(command.word, (rows[0].name,))
    bound = _claim_of(case, command) if own.seated else None
    if own.seated and bound is None:
        answers.send(case, "not-seated", {"named": command.arguments[0]})
    elif bound is not None and bound.match.state not in people.GOING:
        answers.send(case, "match-over", {"state": people.told_state(bound.match)}, bound)
    elif not own.wrong(case, command):
        asking.ask(case, setting.canonical(case, command))


def _claim_of(case: Case, command: Command) -> Claim | None:
    """Return the player's seat in the match a command names, as if its code had come along."""
    row = tables.get(case.connection, command.arguments[0]) if command.arguments else None
    if row is None:
        return None
    mine = tables.seats_of_player(case.connection, case.player.id, row.id)
    code = ledger.code_of(case.desk, case.connection, row, mine[0]) if mine else ""
    known = tables.find_code(case.connection, code)
    return Claim(row, mine[0], known) if known else None


def fresh(case: Case, claim: Claim) -> Claim:
    """Return the claim with rows as an earlier line of the letter left them."""
    row = tables.by_id(case.connection, claim.match.id)
    seat = next(s for s in tables.seats(case.connection, row.id) if s.seat == claim.seat.seat)
    return Claim(row, seat, claim.code)


def _help(case: Case, claim: Claim | None, _: Command) -> None:
    answers.send(case, "help", {}, claim)


def _rules(case: Case, claim: Claim | None, _: Command) -> None:
    """Send the short rules of the game of a code, or of every game the player plays."""
    rows = [claim.match] if claim else _running(case)
    games = {}
    for row in rows:
        # Of a game that is not installed any more nothing can be said.
        with suppress(LookupError):
            games[row.game, row.edition] = case.desk.find_game(row.game, row.edition)
    for key, game in games.items():
        first, *others = {row.options for row in rows if (row.game, row.edition) == key}
        options = None if others else json.loads(first)
        wording = Wording(game, case.player.language)
        fields = {"name": wording.word("game", "name"), "blocks": rules.rules(wording)}
        answers.send(case, "rules", fields, claim, game=game, options=options)
    if not games:
        answers.send(case, "rules", {})


def _matches(case: Case, claim: Claim | None, _: Command) -> None:
    rows = people.matches_of(case.connection, case.player.id, finished=True)
    listed: list[Json] = []
    for row in rows:
        seats = tables.seats(case.connection, row.id)
        mine = next(each.seat for each in seats if each.player_id == case.player.id)
        try:
            listed.append(_listed(case, row, mine))
        except broken.BrokenMatch:
            listed.append({"match": row.name, "game": row.game, "seat": mine, "state": "broken"})
    answers.send(case, "matches", {"matches": listed}, claim)


def _listed(case: Case, row: tables.MatchRow, mine: Seat) -> Json:
    """Return how a match stands for its player. Raises BrokenMatch."""
    with broken.known(row):
        wording = Wording(case.desk.find_game(row.game, row.edition), case.player.language)
        asked = row.state == "running" and (
            ledger.load(case.desk, case.connection, row).live.scene(mine).asked is not None
        )
        return {
            "match": row.name,
            "game": wording.word("game", "name"),
            "seat": wording.seat(mine),
            "turn": row.turn,
            "to_act": wording.seat(row.to_act) if row.to_act else None,
            "asked": asked,
            "state": people.told_state(row),
            "due": _due(case, row),
        }


def _due(case: Case, row: tables.MatchRow) -> str | None:
    """Return until when the seat to act has time, worded."""
    if row.due is None or row.state != "running":
        return None
    return moment(row.due, case.player.zone, Catalogue(case.player.language))


def _show(case: Case, claim: Claim | None, command: Command) -> None:
    """Show the board to the registered address; the view is that of the player's own seat."""
    row = claim.match if claim else next(iter(_running(case)), None)
    if row is None or row.state == "invited":
        answers.send(case, "match-not-begun", {}, claim)
        return
    seats = tables.seats(case.connection, row.id)
    mine = next(each.seat for each in seats if each.player_id == case.player.id)
    sitting = ledger.load(case.desk, case.connection, row)
    asked = int(command.arguments[0]) if command.arguments else row.turn
    turn = min(asked, row.turn)
    live = sitting.live
    if turn < row.turn:
        live = ledger.at_turn(case.connection, sitting, turn)
    scene = live.scene(mine)
    ahead = asked if asked > turn else None
    fields: Mapping[str, Json] = {"turn": live.turn.number, "asked": ahead}
    seat = sitting.seat(mine)
    code = tables.find_code(case.connection, ledger.code_of(case.desk, case.connection, row, seat))
    bound = claim or (None if code is None else Claim(row, seat, code))
    answers.send(case, "show", fields, bound, scene=scene)


def _running(case: Case) -> Sequence[tables.MatchRow]:
    return people.matches_of(case.connection, case.player.id)


def _agree(case: Case, claim: Claim, _: Command) -> None:
    row = claim.match
    if row.state != "invited":
        if not consenting.agree(case, claim):
            answers.send(case, "not-asked", {}, claim)
        return
    tables.set_agreed(case.connection, row.id, claim.seat.seat, "yes")
    seats = tables.seats(case.connection, row.id)
    waiting = [s.seat for s in seats if s.holder == "player" and s.agreed != "yes"]
    names = names_of(case.connection, seats)
    fields: Mapping[str, Json] = {"waiting": [names[seat] for seat in waiting]}
    free = seating.wanted(case.connection, row)
    promised = bool(Luck.from_text(row.words).pending)
    answers.send(case, "agreed", {**fields, "free": free, "promised": promised}, claim)
    if not waiting and not free:
        opening.begin(case.desk, case.connection, row)


def _decline(case: Case, claim: Claim, _: Command) -> None:
    row = claim.match
    if row.state != "invited":
        if not consenting.decline(case, claim):
            answers.send(case, "not-asked", {}, claim)
        return
    if row.seating is None:
        tables.set_agreed(case.connection, row.id, claim.seat.seat, "no")
    else:
        seating.give_back(case.connection, row, claim.seat.seat)
    answers.send(case, "declined", {}, claim)
    if claim.seat.agreed == "no":
        return
    seats = tables.seats(case.connection, row.id)
    for seat, player in players_of(case.connection, seats).items():
        if seat != claim.seat.seat:
            messaging.tell(case, claim, "declined", {"who": case.player.name}, (seat, player))


_FREE: Final[Mapping[str, Callable[[Case, Claim | None, Command], None]]] = {
    "help": _help,
    "rules": _rules,
    "matches": _matches,
    "show": _show,
    "unclear": unclear.command,
}


@dataclass(frozen=True, slots=True)
class Own:
    """A command about the player himself or a seat of his: any live code of his, or a reply, does.

    ``seated``: it is about the seat of the match it names, or of the code. ``wrong`` answers what
    cannot be done in any case, and tells whether that was so.
    """

    do: Callable[[Case, Any, Command], None]
    wrong: Callable[[Case, Command], bool] = lambda _, __: False
    seated: bool = False


_OWN: Final[Mapping[str, Own]] = {
    "set": Own(setting.set_, setting.wrong),
    "leave": Own(joining.leave, seated=True),
    "away": Own(away.obey, away.wrong),
    "resign": Own(leaving.resign_by_mail, seated=True),
    "watch": Own(spectators.watch, spectators.wrong),
    "stop": Own(spectators.stop, spectators.nothing_to_stop),
}
"""What is done with a live code, or asked back where none came."""

_BOUND: Final[Mapping[str, Callable[[Case, Claim, Command], None]]] = {
    "agree": _agree,
    "decline": _decline,
    "luck": revealing.note,
    "message": messaging.message,
    "note": noting.note,
    "undo": consenting.ask,
}

ASKING: Final = frozenset(_FREE) - {"unclear"}
"""Commands that only ask: what they bring goes to the registered address and changes nothing."""
