"""A letter becomes events and answers: who sent it, what it says, and what is done about it."""

from __future__ import annotations

import logging
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final

from sqlalchemy import Connection

from referee.desk import players as desk_players
from referee.desk.desk import Desk
from referee.desk.letters import confirm, dispatch, orders, reply, unclear
from referee.desk.letters import sender as letters_sender
from referee.desk.letters import strangers as letters_strangers
from referee.desk.letters.case import Case
from referee.desk.letters.claims import Asked, Claim, Problem, again, claim
from referee.desk.letters.dispatch import ASKING, Standing, fresh, is_old, obey, refuse
from referee.desk.letters.places import MOST_LINES, Said, documents, places
from referee.desk.letters.understand import Understood, understand
from referee.desk.letters.words.keywords import MOST_COMMANDS, Command
from referee.desk.letters.words.schemas import SchemaFault
from referee.desk.mails import delivery
from referee.desk.matches import stoppages
from referee.games.game import Json
from referee.mail.incoming import letter as incoming_letter
from referee.mail.incoming import mime
from referee.mail.incoming.letter import Letter
from referee.store.people import players
from referee.store.people.players import PlayerRow
from referee.store.play import matches
from referee.store.post import letters, outbox, strangers
from referee.store.post.letters import LetterRow
from referee.store.states import LetterState

log = logging.getLogger(__name__)

HOUR: Final = timedelta(hours=1)

DAY: Final = timedelta(days=1)

STRANGERS_BYTES: Final = 65_536
"""Bytes of a stranger's letter that are looked at."""

KEPT_BYTES: Final = 16_384
"""Bytes of a stranger's headers that are kept once his letter is judged; his text is not."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a letter: its state in the store, and the reason."""

    state: LetterState
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """A place of a letter with its claim, or the question it answers, and its lines read."""

    understood: Understood
    claim: Claim | None
    problem: Problem | None
    asked: Asked | None = None


def take(desk: Desk, row: LetterRow, raw: bytes) -> Verdict:
    """Handle one kept letter in one transaction and return what became of it.

    One that has been handled meanwhile is left as it is. The disk is not waited for: before a
    letter is filed or a mail leaves, ``flush`` does that.
    """
    with desk.store.reading() as connection:
        raw = heeded(connection, raw)
    letter = incoming_letter.read(raw)
    with desk.store.writing(lasting=False) as connection:
        row = identify(connection, row, letter)
        if row.state != "kept":
            return Verdict(row.state, row.reason)
        verdict = _judge(desk, connection, row, letter, raw)
        if verdict.state in {"ignored", "repeat"} and not _of_a_player(connection, letter):
            letters.keep_head(connection, row.id, mime.head(raw, KEPT_BYTES))
        letters.finish(connection, row.id, verdict.state, verdict.reason, desk.now())
    log.info("letter %d: %s", row.id, verdict.state, extra={"action": "intake"})
    return verdict


def heeded(connection: Connection, raw: bytes) -> bytes:
    """Return the bytes of a letter that are looked at: of a stranger's only the first."""
    if len(raw) <= STRANGERS_BYTES or is_known(connection, raw):
        return raw
    return raw[:STRANGERS_BYTES]


def is_known(connection: Connection, raw: bytes) -> bool:
    """Tell whether a letter names a player's address as its one sender, from its headers alone.

    One that a player has yet to confirm counts, too.
    """
    found = incoming_letter.senders(raw)
    return len(found) == 1 and players.address(connection, found[0]) is not None


def _of_a_player(connection: Connection, letter: Letter) -> bool:
    return letter.sender is not None and players.by_address(connection, letter.sender) is not None


def identify(connection: Connection, row: LetterRow, letter: Letter) -> LetterRow:
    """Note who sent a letter and what its copies are known by; return it as it now stands."""
    twin = letters.twin_hash(letter.message_id, letter.sender, letter.blocks)
    return letters.identify(
        connection, row.id, message_id=letter.message_id, sender=letter.sender, twin=twin
    )


def _judge(
    desk: Desk, connection: Connection, row: LetterRow, letter: Letter, raw: bytes
) -> Verdict:
    if letters_sender.repeats(connection, row):
        return Verdict("repeat", "the same letter came before")
    if letter.sender == desk.address:
        return Verdict("ignored", "our own mail")
    if bounce := delivery.bounced(desk, connection, letter, raw, row.arrived):
        return Verdict("ignored", bounce)
    ignored = Verdict("ignored", f"automatic: {letter.reason}")
    programs = _by_programs(letter) if letter.automatic else ()
    if letter.automatic and not programs:
        return ignored
    if letter.sender is None:
        return Verdict("ignored", "not exactly one sender")
    player = players.by_address(connection, letter.sender)
    if letter.automatic and player is None:
        return ignored
    if player is None:
        return Verdict(*letters_strangers.take_answer(desk, connection, row, letter, raw))
    letters.set_sender(connection, row.id, letter.sender, player.id)
    if player.blocked:
        strangers.note_stranger(connection, letter.sender, desk.now())
        return Verdict("ignored", "a blocked player")
    case = _case(desk, connection, row, letter, raw, letter.sender, player)
    if case.missing is None and not letter.automatic:
        stoppages.go_on(desk, connection, player.id)
    return _play_silently(case, ignored) if letter.automatic else _hear(case)


def _case(
    desk: Desk,
    connection: Connection,
    row: LetterRow,
    letter: Letter,
    raw: bytes,
    sender: str,
    player: PlayerRow,
) -> Case:
    """Return the letter of a known address as a case, reduced to what is proved of it."""
    proof = letters_sender.prove(desk, letter, raw, sender, player)
    if proof.missing is None and not letter.automatic:
        delivery.address_works(desk, connection, sender)
    lacks = proof.missing is not None or not letters_sender.shows(
        desk, connection, proof.letter, player
    )
    of_it = partial(outbox.answers_since, connection, player.id, unproved=lacks)
    hour, day = of_it(desk.now() - HOUR), of_it(desk.now() - DAY, receipts=False)
    most_an_hour = desk.unproved_per_hour if lacks else desk.answers_per_hour
    most_a_day = desk.unproved_per_day if lacks else desk.answers_per_day
    return Case(
        desk,
        connection,
        row,
        proof.letter,
        player,
        muted=hour >= most_an_hour,
        hushed=day >= most_a_day,
        unproved=lacks,
        silent=letter.automatic,
        missing=proof.missing,
    )


def _by_programs(letter: Letter) -> tuple[Said, ...]:
    """Return what a program may play with: JSON submissions that hold their reply code."""
    found = [each for each in documents(letter) if isinstance(each, Said)]
    return tuple(each for each in found if each.code)


def _play_silently(case: Case, ignored: Verdict) -> Verdict:
    """Play what a program submits with a code that holds; answer nothing, whatever comes of it."""
    if case.missing is not None or case.row.truncated:
        return ignored
    heard = _hear_all(case, _by_programs(case.letter), ())
    good = [each for each in heard if each.claim is not None]
    for each in _of_one_mind(case, good):
        if each.claim is not None:
            orders.submit(case, each.claim, each.understood)
    case.tray.send(case)
    return Verdict("handled", ignored.reason) if good else ignored


def _hear(case: Case) -> Verdict:
    """Act on a letter line by line, and mail what became of it as one answer."""
    verdict = _listen(case)
    confirm.put(case)
    case.tray.send(case)
    return verdict


def _listen(case: Case) -> Verdict:
    if case.row.truncated and case.missing is None:
        reply.send(case, "too-large", {"bytes": case.row.size})
        return Verdict("handled", "too large to be read")
    carried = letters_sender.codes(case)
    text, html = places(case.letter)
    found = documents(case.letter)
    wrong = [each for each in found if isinstance(each, SchemaFault)]
    json = tuple(each for each in found if isinstance(each, Said))
    heard = read = _hear_all(case, text + json, carried)
    if not any(each.understood.says_something for each in heard):
        heard = _hear_all(case, html + json, carried) or heard
        read = [*read, *heard]
    if case.missing is not None and (wrong or not _only_asks(heard)):
        answered = "; he was told" if letters_sender.warn(case) else ""
        return Verdict("handled", f"{letters_sender.UNPROVED}: {case.missing}{answered}")
    told = _act(case, [each for each in heard if each.understood.says_something])
    if wrong and not told:
        faults: list[Json] = [{"path": each.path, "message": each.message} for each in wrong]
        reply.send(case, "schema", {"faults": faults})
    elif not told:
        _nothing_said(case, heard, _doubted(read, said=False))
    else:
        unclear.doubtful(case, _doubted(read, said=True), _claim_in(heard))
    return Verdict("handled")


def _doubted(heard: Sequence[Heard], *, said: bool) -> tuple[str, ...]:
    """Return the lines that order something and may not have been meant, without repeats.

    Where something else was ``said``, what stands in an older mail is no news to anybody.
    """
    lines = [
        line
        for each in heard
        for line in (*(() if said else each.understood.below), *each.understood.trailing)
    ]
    return tuple(dict.fromkeys(lines))


def _claim_in(heard: Sequence[Heard]) -> Claim | None:
    return next((each.claim for each in heard if each.claim), None)


def _only_asks(heard: Sequence[Heard]) -> bool:
    """Tell whether a letter asks for what anybody known may have, and nothing else."""
    said = [each.understood for each in heard if each.understood.says_something]
    return bool(said) and all(
        bool(each.commands)
        and all(command.word in ASKING for command in each.commands)
        and not (each.orders or each.given or each.unreadable or each.faults)
        for each in said
    )


def _hear_all(case: Case, said: Sequence[Said], carried: Sequence[str]) -> list[Heard]:
    codes = [each.code for each in said if each.code]
    found = []
    for each in said:
        others = frozenset(code for code in codes if code != each.code)
        claimed = claim(case.connection, case.player, each, carried, others)
        good = claimed if isinstance(claimed, Claim) else None
        problem = claimed if isinstance(claimed, Problem) else None
        asked = claimed if isinstance(claimed, Asked) else None
        name = good.match if good else _only_match(case)
        game = case.desk.find_game(name.game, name.edition) if name else None
        understood = understand(each, game, case.player.language)
        found.append(Heard(understood, good, problem, asked))
    return found


def _only_match(case: Case) -> matches.MatchRow | None:
    """Return a match of the player to read lines by that came without a code."""
    running = desk_players.matches_of(case.connection, case.player.id)
    return running[0] if running else None


def _act(case: Case, heard: Sequence[Heard]) -> bool:
    """Act on every place that says something; tell whether anything was answered.

    Those of one match come in the sequence of the letter, matches in that of their names. Of a
    place that was not read to its end nothing is done.
    """
    cut = [each for each in heard if each.understood.said.cut]
    if cut:
        reply.send(case, "too-long", {"most": MOST_LINES}, cut[0].claim)
    _act_on_whole(case, [each for each in heard if each not in cut])
    return bool(heard)


def _act_on_whole(case: Case, heard: Sequence[Heard]) -> None:
    speaking = _of_one_mind(case, [each for each in heard if _orders_something(each)])
    left = MOST_COMMANDS
    for each in sorted(heard, key=_match_name):
        left -= _carry_out(case, each, any(each is one for one in speaking), left)


def _orders_something(heard: Heard) -> bool:
    said = heard.understood
    return bool(said.orders or said.given or said.unreadable or said.faults)


def _match_name(heard: Heard) -> str:
    return heard.claim.match.name if heard.claim else ""


def _carry_out(case: Case, heard: Heard, plays: bool, most: int) -> int:
    """Do what one place of a letter says, line by line; return how many commands it held.

    Its orders stand or fall together, so they are played where the first of them stands. In a
    match that has not begun agreeing comes last: words for chance, for instance, come too late
    once it begins.
    """
    claim, said = heard.claim, heard.understood
    old = claim is not None and is_old(case, claim)
    lines = {line.command: line.text for line in reversed(said.lines) if line.command}
    wanted = tuple(dict.fromkeys(said.commands))
    commands: Sequence[Command] = wanted[:most]
    room = max(most - len(commands), 0)
    count = len(commands) + min(len(said.given), room)
    place = Standing(claim, heard.problem, old, luck=_luck_to_join(claim, commands))
    if heard.asked is not None:
        commands = dispatch.hear(case, heard.asked.request, commands)
    begins = claim is None or claim.match.state == "invited"
    if begins and any(each.word == "unclear" and "luck" in each.arguments for each in commands):
        # The match may begin with it, and what was meant for chance would come too late.
        commands = [each for each in commands if each.word != "agree"]
    for step in _steps(said, commands, begins=begins):
        case.tray.lines = (lines.get(step, ""),) if step else _ordering(said)
        if step is None and plays:
            _submit(case, place, said, room)
        elif step is not None and not (place.luck and step.word == "luck"):
            obey(case, place, step)
    case.tray.lines = ()
    if too_many := wanted[most:]:
        left_out: list[Json] = [lines[each] for each in too_many[: unclear.MOST_NAMED]]
        reply.send(case, "too-many", {"most": MOST_COMMANDS, "lines": left_out}, claim)
    unclear.half_answers(case, said.talk, heard.asked or claim)
    return count


def _luck_to_join(claim: Claim | None, commands: Sequence[Command]) -> str | None:
    """Return the words for chance that came with a wish to join a match, if any did."""
    words = [each.text for each in commands if each.word == "luck"]
    joins = claim is None and any(each.word == "join" for each in commands)
    return words[-1] if words and joins else None


def _steps(
    said: Understood, commands: Sequence[Command], *, begins: bool
) -> Iterator[Command | None]:
    """Yield the commands in the sequence of their lines, and None where the orders are played."""
    steps: list[Command | None] = []
    for line in said.lines:
        step = line.command if line.command in commands else None
        if step not in steps and (step or line.order or line.given or line.fault):
            steps.append(step)
    if said.faults and None not in steps:
        steps.append(None)
    yield from sorted(steps, key=lambda each: begins and each is not None and each.word == "agree")


def _ordering(said: Understood) -> tuple[str, ...]:
    """Return the lines that order something, as far as an answer shows them."""
    found = [line.text for line in said.lines if line.order or line.given or line.fault]
    return tuple(found[: unclear.MOST_NAMED])


def _submit(case: Case, place: Standing, said: Understood, room: int) -> None:
    """Play the orders of one place of a letter, as far as it still speaks for its seat."""
    if place.claim is None:
        refuse(case, place)
        return
    now = again(case.connection, case.player, fresh(case, place.claim))
    if isinstance(now, Problem):
        reply.send(case, now.key, now.fields)
    else:
        orders.submit(case, now, said, room)


def _of_one_mind(case: Case, wanting: Sequence[Heard]) -> list[Heard]:
    """Return one place for every seat; where two places say different things, ask instead.

    Of the places that speak for no seat one is returned for each problem.
    """
    by_seat: dict[tuple[int, str] | str | None, list[Heard]] = {}
    for each in wanting:
        problem = each.problem.key if each.problem else None
        key = (each.claim.match.id, each.claim.seat.seat) if each.claim else problem
        by_seat.setdefault(key, []).append(each)
    agreed = []
    for group in by_seat.values():
        sets = {_meaning(each.understood) for each in group}
        if len(sets) == 1 or group[0].claim is None:
            agreed.append(group[0])
        else:
            reply.send(case, "two-sets", {}, group[0].claim)
    return sorted(agreed, key=_match_name)


def _meaning(understood: Understood) -> tuple[Hashable, ...]:
    return understood.entries, understood.given, understood.unreadable


def _nothing_said(case: Case, heard: Sequence[Heard], doubted: Sequence[str]) -> None:
    problem = next((each.problem for each in heard if each.problem), None)
    if problem is not None:
        reply.send(case, problem.key, problem.fields)
        return
    if unclear.doubtful(case, doubted, _claim_in(heard)):
        return
    carried = letters_sender.codes(case)
    claimed = claim(case.connection, case.player, Said("text"), carried, frozenset())
    if any(each.understood.said.cut for each in heard):
        good = claimed if isinstance(claimed, Claim) else None
        reply.send(case, "too-long", {"most": MOST_LINES}, good)
        return
    talk = [line for each in heard for line in each.understood.talk]
    unclear.nothing(case, talk, None if isinstance(claimed, Problem) else claimed)
