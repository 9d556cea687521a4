"""The sender of a letter, and its proof as this installation demands.

A reply code and the player's address are always asked for, elsewhere; this comes on top.
"""

from __future__ import annotations

from datetime import timedelta
from importlib.util import find_spec
from typing import Final

from referee.desk.desk import Change, Desk
from referee.desk.letters.case import Case, LetterVerdict, Reply
from referee.desk.letters.claims import answered_mail, carried_codes, is_of
from referee.desk.letters.words.places import Said, documents_of
from referee.desk.mails import delivery, post
from referee.desk.mails.post import Mail
from referee.desk.matches.time import stoppages
from referee.errors import PackageMissing
from referee.mail.codes import parse_code
from referee.mail.incoming.letter import Letter
from referee.matches.time.moments import DAY
from referee.render.answers import answer
from referee.resources import advise_extra
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import letters, outbox, strangers
from referee.store.tables.people import PlayerRow
from referee.store.tables.post import LetterRow

UNPROVED: Final = "not proved"
"""The beginning of the reason of every letter that did not prove its sender."""

_HOUR: Final = timedelta(hours=1)


def judge_sender(
    change: Change, row: LetterRow, letter: Letter, raw: bytes
) -> Case | LetterVerdict | None:
    """Return the case of a player's letter; None for a stranger's.

    A verdict comes back for what nobody answers: repeats, bounces, robots, blocked players. A
    program that submits JSON with a code is a case of its own.
    """
    # One that proved nothing was not heard: a forged copy must not silence the real letter.
    before = letters.twins_of(change.connection, row)
    if any(not (twin.reason or "").startswith(UNPROVED) for twin in before):
        return LetterVerdict("repeat", "the same letter came before")
    if letter.sender == change.desk.settings.address:
        return LetterVerdict("ignored", "our own mail")
    # Before robots are ignored: a bounce is a robot's letter that matters.
    if bounce := delivery.note_bounce(change, letter, raw, row.arrived):
        return LetterVerdict("ignored", bounce)
    if letter.automatic and not by_programs(letter):
        return LetterVerdict("ignored", automatic_reason(letter))
    if letter.sender is None:
        return LetterVerdict("ignored", "not exactly one sender")
    player = players.by_address(change.connection, letter.sender)
    if player is None:
        return LetterVerdict("ignored", automatic_reason(letter)) if letter.automatic else None
    if player.blocked:
        strangers.note_stranger(change.connection, letter.sender, change.desk.now())
        return LetterVerdict("ignored", "a blocked player", player.id)
    lacks = not shows_proof(change, letter, player)
    # Else whoever knows an address could set its player's clocks going.
    if not lacks and not letter.automatic:
        delivery.address_works(change, letter.sender)
        stoppages.resume_clocks(change, player.id)
    now = change.desk.now()
    hour, day = outbox.answers_since(
        change.connection, player.id, now - _HOUR, now - DAY, unproved=lacks
    )
    most_an_hour, most_a_day = change.desk.unproved if lacks else change.desk.answers
    return Case(
        change,
        row,
        letter,
        player,
        unproved=lacks,
        trusted=is_trusted(change.desk, letter, letter.sender),
        reply=Reply(left_this_hour=most_an_hour - hour, left_today=most_a_day - day),
    )


def automatic_reason(letter: Letter) -> str:
    """Return the reason of a letter that a program wrote."""
    return f"automatic: {letter.reason}"


def by_programs(letter: Letter) -> tuple[Said, ...]:
    """Return the JSON submissions of a program that hold a code."""
    places, _ = documents_of(letter)
    return tuple(place for place in places if place.code)


def is_trusted(desk: Desk, letter: Letter, sender: str) -> bool:
    """Return whether a letter proves its sender at the level of trust asked for."""
    if desk.settings.trust == "code":
        return True
    # Imported only here, because only this level of trust needs the package behind it.
    from referee.mail.authentication import is_vouched  # noqa: PLC0415

    return is_vouched(letter.authentication, desk.settings.authserv_id or "", sender)


def check_trust(desk: Desk) -> None:
    """Raise PackageMissing if this machine cannot judge the level of trust."""
    if desk.settings.trust == "dmarc" and find_spec("authres") is None:
        raise PackageMissing(f'trust = "dmarc": authres is missing: {advise_extra("auth")}')


def outer_codes(case: Case) -> tuple[str, ...]:
    """Return the reply codes a letter carries outside its places.

    Where a mail program names no mail it answers, the text that the answer quotes serves: the
    topmost code of each match, as a thread may quote older ones further down, and unknown codes.
    """
    if carried := carried_codes(case.connection, case.letter, case.desk.settings.address):
        return carried
    found: dict[object, str] = {}
    for code in dict.fromkeys(case.letter.boxed):
        row = matches.find_code(case.connection, code)
        found.setdefault(code if row is None else row.match_id, code)
    return tuple(found.values())


def shows_proof(change: Change, letter: Letter, player: PlayerRow) -> bool:
    """Return whether a letter shows more than an address anybody can write.

    A server's verdict does, else an answer to a mail sent to the player, as our Message-IDs cannot
    be guessed, or any reply code they were mailed, of whichever seat and turn.
    """
    if change.desk.settings.trust != "code":
        return is_trusted(change.desk, letter, letter.sender or "")
    answered = answered_mail(change.connection, letter)
    if answered is not None and answered.player_id == player.id:
        return True
    written = (item.value.get("code") for item in letter.json if isinstance(item.value, dict))
    parsed = (parse_code(code) for code in written if isinstance(code, str))
    carried = carried_codes(change.connection, letter, change.desk.settings.address)
    codes = (*carried, *letter.boxed, *parsed)
    return any(is_of(change.connection, code, player) for code in dict.fromkeys(codes) if code)


def warn_player(case: Case) -> bool:
    """Tell a player about a letter in their name without proof; return whether told.

    Once an hour at most, so that forged letters cannot flood a mailbox.
    """
    since = case.desk.now() - _HOUR
    if outbox.warned_since(case.connection, case.player.id, since):
        return False
    said = answer("not-proved", address=case.letter.sender)
    mail = Mail("notice", post.bare_content(said, case.player.language), answers=case.letter)
    sent = post.send(case.change, mail, case.player)
    if sent is not None:
        outbox.change_mail(case.connection, sent, unproved=True)
    return True
