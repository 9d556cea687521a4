"""Way of a letter: read, sender, understand, claim, act, reply; each step is a file.

All of it is one transaction, so that a letter is carried out as a whole or, after a crash, not at
all and then once more from its bytes.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Change, Desk
from referee.desk.letters import confirm, orders, reply, sender, steps, strangers, unclear
from referee.desk.letters.case import Case, Verdict
from referee.desk.letters.claims import Place, read_places
from referee.desk.letters.dispatch import ASKING
from referee.desk.letters.words.places import Said, documents, places
from referee.desk.letters.words.schemas import SchemaFault
from referee.games.game import Json
from referee.mail.incoming import letter as incoming_letter
from referee.mail.incoming import mime
from referee.mail.incoming.letter import Letter
from referee.store.people import players
from referee.store.post import letters
from referee.store.post.letters import LetterRow

log = logging.getLogger(__name__)

STRANGERS_BYTES: Final = 65_536
"""Bytes of a stranger's letter that are looked at."""

KEPT_BYTES: Final = 16_384
"""Bytes of headers kept of a judged stranger's letter; the text is dropped."""


def take(desk: Desk, row: LetterRow, raw: bytes) -> Verdict:
    """Handle one kept letter in one transaction and return the verdict.

    If it has been handled meanwhile, it stays as it is. The disk is not waited for: before a letter
    is filed or a mail leaves, ``flush`` does that.
    """
    with desk.store.reading() as connection:
        raw = heeded(connection, raw)
    letter = incoming_letter.read(raw)
    with desk.writing(lasting=False) as change:
        row = identify(change.connection, row, letter)
        # Another process may have been faster.
        if row.state != "kept":
            return Verdict(row.state, row.reason)
        verdict, player_id = _judge(change, row, letter, raw)
        # A stranger's text is none of our business once it is judged.
        if verdict.state in {"ignored", "repeat"} and not _of_a_player(change.connection, letter):
            letters.keep_head(change.connection, row.id, mime.head(raw, KEPT_BYTES))
        letters.finish(
            change.connection, row.id, verdict.state, verdict.reason, desk.now(), player_id
        )
    log.info("letter %d: %s", row.id, verdict.state, extra={"action": "intake"})
    return verdict


def _judge(
    change: Change, row: LetterRow, letter: Letter, raw: bytes
) -> tuple[Verdict, int | None]:
    """Do all that a letter asks for, and send its reply.

    Return the verdict, and the player it is of if that is still to be noted.
    """
    case = sender.judge(change, row, letter, raw)
    if isinstance(case, Verdict):
        return case, None
    if case is None:
        return Verdict(*strangers.take_answer(change, row, letter, raw)), None
    verdict = _heed_program(case) if case.silent else _heed(case)
    confirm.put(case)
    case.tray.send(case)
    return verdict, case.player.id


def _heed(case: Case) -> Verdict:
    """Act on a player's letter; its reply is collected in the case."""
    if case.row.truncated and case.missing is None:
        reply.send(case, "too-large", {"bytes": case.row.size})
        return Verdict("handled", "too large to be read")
    found, read, faults = _understand(case)
    if case.missing is not None and (faults or not _only_asks(found)):
        answered = "; he was told" if sender.warn(case) else ""
        return Verdict("handled", f"{sender.UNPROVED}: {case.missing}{answered}")
    speaking = [each for each in found if each.understood.says_something]
    steps.act(case, speaking)
    if speaking:
        unclear.left_out(case, found, read)
    elif faults:
        reply.send(case, "schema", {"faults": faults})
    else:
        unclear.silence(case, found, read)
    return Verdict("handled")


def _understand(case: Case) -> tuple[list[Place], list[Place], list[Json]]:
    """Return the places that count, all places read, and JSON faults.

    Many mail programs write HTML beside the text; it counts only if the text says nothing.
    """
    carried = sender.codes(case)
    text, html = places(case.letter)
    submitted = documents(case.letter)
    json = tuple(each for each in submitted if isinstance(each, Said))
    wrong = [each for each in submitted if isinstance(each, SchemaFault)]
    faults: list[Json] = [{"path": each.path, "message": each.message} for each in wrong]
    found = read = read_places(case, text + json, carried)
    if not any(each.understood.says_something for each in found):
        found = read_places(case, html + json, carried) or found
        read = [*read, *found]
    return found, read, faults


def _heed_program(case: Case) -> Verdict:
    """Play the submissions of a program, and answer nothing.

    Two programs that answer each other would never stop.
    """
    reason = sender.automatic(case.letter)
    if case.missing is not None or case.row.truncated:
        return Verdict("ignored", reason)
    found = read_places(case, sender.by_programs(case.letter), ())
    good = [each for each in found if each.claim is not None]
    for each in steps.of_one_mind(case, good):
        if each.claim is not None:
            orders.submit(case, each.claim, each.understood)
    return Verdict("handled" if good else "ignored", reason)


def _only_asks(found: Sequence[Place]) -> bool:
    """Return whether a letter only asks for things free to all players."""
    said = [each.understood for each in found if each.understood.says_something]
    return bool(said) and all(
        bool(each.commands)
        and all(command.word in ASKING for command in each.commands)
        and not each.orders_something
        for each in said
    )


def heeded(connection: Connection, raw: bytes) -> bytes:
    """Return the bytes of a letter to look at: of a stranger's only the first."""
    if len(raw) <= STRANGERS_BYTES or is_known(connection, raw):
        return raw
    return raw[:STRANGERS_BYTES]


def is_known(connection: Connection, raw: bytes) -> bool:
    """Return whether the one sender a letter names has a player's address.

    Only headers are read. An address still to be confirmed counts, too.
    """
    found = incoming_letter.senders(raw)
    return len(found) == 1 and players.address(connection, found[0]) is not None


def _of_a_player(connection: Connection, letter: Letter) -> bool:
    return letter.sender is not None and players.by_address(connection, letter.sender) is not None


def identify(connection: Connection, row: LetterRow, letter: Letter) -> LetterRow:
    """Note a letter's sender and the marks of its copies; return its row."""
    twin = letters.twin_hash(letter.message_id, letter.sender, letter.blocks)
    return letters.identify(
        connection, row.id, message_id=letter.message_id, sender=letter.sender, twin=twin
    )
