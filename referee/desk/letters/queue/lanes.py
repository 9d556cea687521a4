"""Lanes: what a letter may touch, so that letters which share any keep their order.

Where several daemons work, letters of different matches and senders are handled at once. A lane is
a match or a sender; a letter whose lanes are not known has the whole road to itself.
"""

from __future__ import annotations

import hashlib
from typing import Final

from sqlalchemy import Connection

from referee.desk import players as desk_players
from referee.desk.desk import Desk
from referee.desk.letters import claims, intake
from referee.mail.codes import codes_in
from referee.mail.incoming import letter as incoming_letter
from referee.store.people import players, questions
from referee.store.play import matches
from referee.store.post.claims import MATCH

MOST_CODES_ASKED: Final = 500
"""Words of a letter that are looked up as codes; what lies beyond stands for no order."""

PLAYER: Final = "p"

SENDER: Final = "s"
"""The beginnings of lanes of a sender: a player's number, or the hash of an unknown address."""


def lanes_of(desk: Desk, connection: Connection, raw: bytes) -> str:
    """Return the lanes of a letter, separated by spaces.

    They are its sender and the matches of all codes it holds. Without a code it may be about any of
    the sender's matches.
    """
    letter = incoming_letter.read_letter(intake.heeded_bytes(connection, raw))
    player = None if letter.sender is None else players.by_address(connection, letter.sender)
    said = [*letter.blocks, *(str(document.value) for document in letter.json)]
    carried = [*claims.carried_codes(connection, letter, desk.settings.address), *letter.boxed]
    words = (code for text in said for code in codes_in(text))
    codes = [*dict.fromkeys([*carried, *words])][:MOST_CODES_ASKED]
    rows = matches.find_codes(connection, codes)
    touched = {row.match_id for row in rows.values() if row is not None}
    asked = [code for code, row in rows.items() if row is None]
    for code in questions.codes_of_questions(connection, asked):
        question = questions.find_question(connection, code)
        if question is not None and question.match_id is not None:
            touched.add(question.match_id)
    if player is not None:
        sender = f"{PLAYER}{player.id}"
        touched = touched or {row.id for row in desk_players.matches_of(connection, player.id)}
    else:
        # Not the address itself: erasing a person would have to reach it here.
        hashed = hashlib.sha256((letter.sender or "").encode("utf-8", "surrogatepass")).hexdigest()
        sender = f"{SENDER}{hashed[:16]}"
    return " ".join([sender, *(f"{MATCH}{match_id}" for match_id in sorted(touched))])
