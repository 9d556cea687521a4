"""The way of a letter: read, sender, claim, understand, act, reply.

Each step is a file: ``mail/incoming/letter.py``, then here ``sender``, ``claims``, ``understand``,
``steps`` (with ``orders`` and ``commands/``) and ``case``. A claim comes first, because the match
decides which words are orders.

All of it is one transaction, so that a letter is carried out as a whole or, after a crash, not at
all and then once more from its bytes.
"""

from __future__ import annotations

import logging
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Change, Desk
from referee.desk.letters import confirm, orders, sender, steps, strangers, unclear
from referee.desk.letters.case import Case, LetterVerdict, refreshed
from referee.desk.letters.claims import read_places
from referee.desk.letters.words.places import documents_of, places_of
from referee.mail.incoming import letter as incoming_letter
from referee.mail.incoming import mime
from referee.mail.incoming.letter import Letter
from referee.render.answers import answer
from referee.store.people import players
from referee.store.post import claims, letters
from referee.store.tables.post import LetterRow
from referee.value import replace

log = logging.getLogger(__name__)

STRANGERS_BYTES: Final = 65_536
"""Bytes of a stranger's letter that are looked at."""

KEPT_BYTES: Final = 16_384
"""Bytes of headers kept of a judged stranger's letter; the text is dropped.

So many bytes in all are kept of a letter that lacks proof of its sender.
"""


def take_letter(desk: Desk, row: LetterRow, raw: bytes) -> LetterVerdict:
    """Handle one kept letter in one transaction and return the verdict.

    If it has been handled meanwhile, it stays as it is. The disk is not waited for: before a letter
    is filed or a mail leaves, ``flush`` does that.
    """
    with desk.store.reading() as connection:
        raw = heeded_bytes(connection, raw)
    letter = incoming_letter.read_letter(raw)
    with desk.writing(lasting=False) as bare:
        change = replace(bare, arrived=row.arrived)
        row = identify_letter(change.connection, row, letter)
        # Another process may have been faster.
        if row.state != "kept":
            return LetterVerdict(row.state, row.reason)
        if desk.store.is_shared:
            # The matches it may touch: those of its lanes, and its sender's.
            player = players.by_address(change.connection, letter.sender)
            named = claims.matches_in_lanes(change.connection, row.id)
            claims.hold_matches(change.connection, named, player.id if player else None)
        verdict = _judge(change, row, letter, raw)
        head = _kept_head(change, letter, raw, unheard=verdict.state in {"ignored", "repeat"})
        if head is not None:
            letters.change_letter(change.connection, row.id, raw=head, truncated=True)
        state, reason, player_id = verdict.state, verdict.reason, verdict.player_id
        letters.finish_letter(change.connection, row.id, state, reason, desk.now(), player_id)
    log.info("letter %d: %s", row.id, verdict.state, extra={"action": "intake", "letter": row.id})
    return verdict


def _kept_head(change: Change, letter: Letter, raw: bytes, *, unheard: bool) -> bytes | None:
    """Return the bytes that are kept of a judged letter, None for all of them."""
    # Nearly every letter ends here, unasked.
    if not unheard and len(raw) <= KEPT_BYTES:
        return None
    player = players.by_address(change.connection, letter.sender)
    if player is None:
        # A stranger's text is none of our business.
        return mime.head_of(raw, KEPT_BYTES) if unheard else None
    # Nor shall anybody fill the disk in a player's name.
    kept = len(raw) <= KEPT_BYTES or sender.shows_proof(change, letter, player)
    return None if kept else raw[:KEPT_BYTES]


def _judge(change: Change, row: LetterRow, letter: Letter, raw: bytes) -> LetterVerdict:
    """Do all that a letter asks for, and send its reply."""
    case = sender.judge_sender(change, row, letter, raw)
    if isinstance(case, LetterVerdict):
        return case
    if case is None:
        return strangers.take_answer(change, row, letter)
    # The server gave less than it announced, twice, and the end is not there.
    damaged = len(raw) < row.size and not row.truncated and mime.is_broken_off(raw)
    verdict = _heed_program(case) if letter.automatic else _heed(case, damaged=damaged)
    case = refreshed(case)
    confirm.ask_for_one_yes(case)
    case.reply.send(case)
    return replace(verdict, player_id=case.player.id)


def _heed(case: Case, *, damaged: bool) -> LetterVerdict:
    """Act on a player's letter; its reply is collected in the case."""
    if damaged and case.trusted:
        unclear.answer_unread(case, answer("damaged"))
        return LetterVerdict("handled", "too damaged to be read")
    if case.row.truncated and case.trusted:
        unclear.answer_unread(case, unclear.too_large(case))
        return LetterVerdict("handled", "too large to be read")
    carried = sender.outer_codes(case)
    text, html = places_of(case.letter)
    json, faults = documents_of(case.letter)
    counting = places = read_places(case, text + json, carried)
    # Many mail programs write HTML beside the text; it counts only if the text says nothing.
    if not any(place.understood.says_something for place in counting):
        counting = read_places(case, html + json, carried) or counting
        places = [*places, *counting]
    said = [place.understood for place in counting if place.understood.says_something]
    only_asks = bool(said) and all(
        understood.commands
        and all(command.word in steps.ASKING for command in understood.commands)
        and not understood.orders_something
        for understood in said
    )
    if not case.trusted and (faults or not only_asks):
        answered = "; the sender was told" if sender.warn_player(case) else ""
        return LetterVerdict("handled", f"{sender.UNPROVED}: dmarc{answered}")
    for place in counting:
        place.understood = steps.with_answer(case, place)
        orders.heed_doubt(case, place)
    speaking = [place for place in counting if place.understood.says_something]
    steps.act_on_places(case, speaking)
    if speaking:
        unclear.show_left_out(refreshed(case), counting, places)
    elif case.letter.encrypted:
        unclear.answer_unread(case, answer("encrypted"))
        return LetterVerdict("handled", "encrypted, so nobody could read it")
    elif faults:
        case.tell(answer("schema", faults=faults))
    elif asked := unclear.answer_silence(case, counting, places):
        orders.submit_orders(case, *asked)
    return LetterVerdict("handled")


def _heed_program(case: Case) -> LetterVerdict:
    """Play the submissions of a program; no answer, for two that answer each other never stop."""
    reason = sender.automatic_reason(case.letter)
    if not case.trusted or case.row.truncated:
        return LetterVerdict("ignored", reason)
    places = read_places(case, sender.by_programs(case.letter), ())
    good = [place for place in places if place.claim is not None]
    for place in steps.of_one_mind(case, good):
        if place.claim is not None:
            orders.submit_orders(case, place.claim, place.understood)
    return LetterVerdict("handled" if good else "ignored", reason)


def heeded_bytes(connection: Connection, raw: bytes) -> bytes:
    """Return the bytes of a letter to look at: of a stranger's only the first."""
    if len(raw) <= STRANGERS_BYTES or names_player(connection, raw):
        return raw
    return raw[:STRANGERS_BYTES]


def names_player(connection: Connection, raw: bytes) -> bool:
    """Return whether headers name one sender, with an address a player gave, confirmed or not."""
    found = incoming_letter.senders_of(raw)
    return len(found) == 1 and players.find_address(connection, found[0]) is not None


def identify_letter(connection: Connection, row: LetterRow, letter: Letter) -> LetterRow:
    """Note a letter's sender and the marks of its copies; return its row."""
    twin = letters.twin_hash(letter.message_id, letter.sender, letter.blocks)
    known = {"message_id": letter.message_id, "sender": letter.sender, "twin_hash": twin}
    # Another daemon may have handled it meanwhile, which its row tells.
    return letters.change_letter(connection, row.id, **known)
