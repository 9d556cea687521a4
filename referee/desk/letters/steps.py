"""Steps of a letter: each place carried out line by line, one meaning for each seat."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Final

from referee.desk.letters import dispatch, orders, reply, unclear
from referee.desk.letters.case import Case, refreshed
from referee.desk.letters.claims import Place, refreshed_claim
from referee.desk.letters.confirm import ANSWERING
from referee.desk.letters.dispatch import (
    ASKING,
    FINAL,
    fresh_claim,
    is_old,
    obey_command,
    refuse_place,
)
from referee.desk.letters.words.company import says_no, spoken_answer
from referee.desk.letters.words.keywords import MOST_COMMANDS, Command
from referee.desk.letters.words.lines import ALONE, ReadLine, Understood
from referee.desk.letters.words.places import MOST_LINES
from referee.desk.letters.words.repair import written
from referee.render.answers import Answer, answer
from referee.value import replace

MOST_SETS: Final = 3
"""Different sets of orders that an answer shows to choose from."""


def act_on_places(case: Case, places: Sequence[Place]) -> None:
    """Act on every place that says something.

    Places of one match come in the sequence of the letter, matches in that of their names. A place
    that was cut off is answered and otherwise left alone: half an order is no order.
    """
    cut = [place for place in places if place.understood.said.cut]
    if cut:
        reply.send_answer(case, answer("too-long", most=MOST_LINES), cut[0].claim)
    whole = [place for place in places if not place.understood.said.cut]
    speaking = of_one_mind(case, [place for place in whole if place.understood.orders_something])
    left, done = MOST_COMMANDS, set[tuple[Hashable, Command]]()
    for place in sorted(whole, key=_match_name):
        plays = any(place is other for other in speaking)
        left -= _carry_out(case, place, plays, left, done, alone=len(whole) == 1)


def _carry_out(
    case: Case,
    place: Place,
    plays: bool,
    most: int,
    done: set[tuple[Hashable, Command]],
    *,
    alone: bool,
) -> int:
    """Act on one place of a letter, line by line; return how many commands it held.

    Its orders stand or fall together, so they are played where the first of them stands. In a match
    that has not begun agreeing comes last: words for chance, for instance, come too late once it
    begins. ``most`` is how many commands are still allowed; those ``done`` are not done again.
    ``alone``: no other place of the letter says anything.
    """
    said = place.understood
    lines = {line.command: line.text for line in reversed(said.lines) if line.command}
    key: Hashable = place.asked.id if place.asked else _speaks_for(place)
    wanted = tuple(word for word in dict.fromkeys(said.commands) if (key, word) not in done)
    commands: Sequence[Command] = wanted[:most]
    done.update((key, command) for command in commands)
    room = max(most - len(commands), 0)
    count = len(commands) + min(len(said.given), room)
    place.old = place.claim is not None and is_old(case, place.claim)
    place.alone = alone and said.company.way == "alone" and len(said.lines) - len(said.talk) == 1
    luck = [command.text for command in commands if command.word == "luck"]
    if place.claim is None and any(command.word == "join" for command in commands):
        place.luck = luck[-1] if luck else None
    unread = any(command.word == "unclear" and "luck" in command.arguments for command in commands)
    if unread and (place.claim is None or place.claim.match.state == "invited"):
        # The match may begin with a yes, and then the unread words would come too late.
        commands = [command for command in commands if command.word != "agree"]
    if place.asked is not None:
        commands = dispatch.hear_answer(case, place, place.asked, commands)
    begins = place.claim is None or place.claim.match.state == "invited"
    commands = _undisputed(case, place, commands, lines)
    ordering = [line.text for line in said.lines if line.order or line.given or line.fault]
    for step in _steps(said, commands, begins=begins):
        case = refreshed(case)
        case.reply.lines = (lines.get(step, ""),) if step else tuple(ordering[: unclear.MOST_NAMED])
        if step is not None:
            if not (place.luck and step.word == "luck"):
                obey_command(case, place, step)
        elif plays and place.claim is None:
            refuse_place(case, place)
        elif plays and place.claim is not None:
            # Earlier lines of the letter may have ended the claim.
            held = fresh_claim(case, place.claim)
            now = refreshed_claim(case.connection, case.player, held)
            if isinstance(now, Answer):
                reply.send_answer(case, now)
            else:
                orders.submit_orders(case, now, place.understood, room)
    case.reply.lines = ()
    if too_many := wanted[most:]:
        left_out = [lines[command] for command in too_many[: unclear.MOST_NAMED]]
        reply.send_answer(case, answer("too-many", most=MOST_COMMANDS, lines=left_out), place.claim)
    unclear.answer_nearly_yes(refreshed(case), said.talk, place.asked or place.claim)
    return count


def with_answer(case: Case, place: Place) -> Understood:
    """Return a place, a yes or no in its writer's own words read as one where it is awaited."""
    said, claimed = place.understood, place.asked or place.claim
    found = spoken_answer(said.lines)
    answers = any(command.word in ANSWERING for command in said.commands)
    if found is None or answers or said.orders_something:
        return said
    at, word, sentence = found
    # With more talk it may mean anything.
    if said.company.way != "alone" and said.company.words != sentence:
        return said
    if unclear.question_meant(case, word, claimed)["meant"] == "nothing":
        return said
    line = ReadLine(said.lines[at].text, command=Command(word))
    return replace(said, lines=(*said.lines[:at], line, *said.lines[at + 1 :]), company=ALONE)


def _undisputed(
    case: Case, place: Place, commands: Sequence[Command], lines: Mapping[Command, str]
) -> Sequence[Command]:
    """Return the commands that nothing in the letter contradicts; answer the first of the others.

    What only asks does no harm, nor do a note and words for chance, and what is final is asked
    about anyway. Words that say no contradict no ``no``, and the text of a message not the message.
    A sentence that an order is part of doubts that order, and no setting.
    """
    company, said = place.understood.company, {command.word for command in commands}
    other = next((line for command, line in lines.items() if command.word == "decline"), "")
    beside = company.words if company.way == "contradicted" else ""
    beside = beside or (other if said >= ANSWERING else "")
    harmless = {*ASKING, *FINAL, "luck", "note", "preview", "unclear"}
    if says_no(beside) and "agree" not in said:
        harmless.add("decline")
    if any(line.spoken == beside for line in place.understood.lines):
        harmless.add("set")
    own = {line.command: line.open_text.partition("\n\n")[0] for line in place.understood.lines}
    disputed = [
        command
        for command in commands
        if beside and command.word not in harmless and beside not in own.get(command, "")
    ]
    if disputed:
        clash = answer("two-sets", word=lines[disputed[0]], beside=beside)
        reply.send_answer(case, clash, place.claim)
    return [command for command in commands if command not in disputed]


def _steps(
    said: Understood, commands: Sequence[Command], *, begins: bool
) -> Iterator[Command | None]:
    """Yield commands in the order of their lines, None for the orders.

    Two leave their line: the language comes first, and agreeing to a match that begins last.
    """
    steps: list[Command | None] = []
    for line in said.lines:
        step = line.command if line.command in commands else None
        if step not in steps and (step or line.order or line.given or line.fault):
            steps.append(step)
    if said.faults and None not in steps:
        steps.append(None)

    def last(step: Command | None) -> int:
        # The whole answer is in the new language.
        if step is not None and step.arguments[:1] == ("language",) and step.word == "set":
            return -1
        return begins and step is not None and step.word == "agree"

    yield from sorted(steps, key=last)


def of_one_mind(case: Case, wanting: Sequence[Place]) -> list[Place]:
    """Return one place for every seat; ask back where two say different things.

    Of the places without a seat, one for each problem is returned.
    """
    by_seat: dict[Hashable, list[Place]] = {}
    for place in wanting:
        by_seat.setdefault(_speaks_for(place), []).append(place)
    agreed = []
    for group in by_seat.values():
        claim = group[0].claim
        said = (place.understood for place in group)
        different = {(read.entries, read.given, read.unreadable): read for read in said}
        if len(different) == 1 or claim is None:
            agreed.append(group[0])
            continue
        sets: list[tuple[str, ...]] = []
        readable = all(read.lines and not read.unreadable for read in different.values())
        if readable and len(different) <= MOST_SETS:
            game = case.desk.find_game(claim.match.game, claim.match.edition)
            sets = [
                tuple(
                    text
                    for line in read.lines
                    if line.order is not None or line.given is not None
                    for text in written(line, game, case.player.language)
                )
                for read in different.values()
            ]
        reply.send_answer(case, answer("two-sets", sets=sets), claim)
    return sorted(agreed, key=_match_name)


def _speaks_for(place: Place) -> Hashable:
    """Return a place's match and seat, or the problem it has instead."""
    if place.claim is None:
        return place.problem and place.problem.key, place.named and place.named.match.id
    return place.claim.match.id, place.claim.seat.seat


def _match_name(place: Place) -> str:
    return place.claim.match.name if place.claim else ""
