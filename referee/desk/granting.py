"""What an answer to a question of ours does: a yes carries out what was asked, a no ends it."""

from __future__ import annotations

from collections.abc import Sequence

from referee.desk import answers, asking, joining, obeying
from referee.desk.asking import Wish
from referee.desk.case import Case
from referee.desk.commands import Command
from referee.store import requests
from referee.store.requests import RequestRow

ANSWERING = frozenset({"agree", "decline"})


def hear(case: Case, request: RequestRow, commands: Sequence[Command]) -> Sequence[Command]:
    """Do what the answer to a question says; return the commands that are no answer to it."""
    said = [each.word for each in commands if each.word in ANSWERING]
    if not said:
        return commands
    wish = Wish.from_text(request.what)
    if not wish.commands or wish.kind != "command":
        # Only the new address itself can say yes, and a letter from it is heard elsewhere.
        answers.send(case, "foreign-code", {})
        return [each for each in commands if each.word not in ANSWERING]
    waits = asking.waits(request, case.row.arrived)
    rest: Sequence[Command] = [each for each in commands if each.word not in ANSWERING]
    if not waits or len(set(said)) > 1:
        answers.send(case, "request-old" if not waits else "two-sets", {})
        return rest
    if said[0] == "decline":
        requests.settle(case.connection, request.id, "declined")
        answers.send(case, "request-declined", {})
        return rest
    requests.settle(case.connection, request.id, "granted")
    for command in wish.commands:
        rest = _grant(case, command, wish.shown, rest)
    return rest


def _grant(
    case: Case, command: Command, shown: Sequence[str], rest: Sequence[Command]
) -> Sequence[Command]:
    if command.word == "join":
        luck = [each for each in rest if each.word == "luck"]
        joining.join(case, command, shown, luck[-1].text if luck else None)
        return [each for each in rest if each.word != "luck"]
    obeying.carry_out(case, command)
    return rest
