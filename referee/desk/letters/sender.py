"""Whether a letter proves who wrote it, as far as this installation asks for it.

A reply code and the player's address are asked for elsewhere and always; this is what comes on top.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from importlib.util import find_spec
from typing import Final, Literal

from sqlalchemy import Connection

from referee.desk.desk import Desk
from referee.desk.letters.case import Case
from referee.desk.letters.claims import answers_mail_to, carried_codes, first_of_each, is_of
from referee.desk.mails import post as mails_post
from referee.desk.mails.post import post
from referee.errors import RefereeError
from referee.mail.incoming import marks
from referee.mail.incoming.letter import Letter
from referee.render.answers import Answer, answer
from referee.render.wording import Catalogue
from referee.store.people.players import PlayerRow
from referee.store.post import letters, outbox
from referee.store.post.letters import LetterRow

Missing = Literal["one-sender", "dmarc", "key", "signature"]

UNPROVED: Final = "not proved"
"""What the reason of a letter begins with that did not prove who wrote it."""

HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Proof:
    """A letter reduced to what is proved of it; or as it is, with what is missing."""

    letter: Letter
    missing: Missing | None = None


def prove(desk: Desk, letter: Letter, raw: bytes, sender: str, player: PlayerRow | None) -> Proof:
    """Return what a letter proves, at the level of trust asked for; ``player`` has its address."""
    if desk.trust == "dmarc":
        return _by_server(desk, letter, sender)
    if desk.trust == "pgp":
        return _by_signature(desk, letter, raw, player)
    return Proof(letter)


def check(desk: Desk) -> None:
    """Raise RefereeError when the level asked for cannot be judged on this machine."""
    if desk.trust == "dmarc" and find_spec("authres") is None:
        raise RefereeError('trust = "dmarc": authres is missing: pip install authres')
    if desk.trust == "pgp":
        from referee.mail.proofs import openpgp  # noqa: PLC0415

        openpgp.check()


def repeats(connection: Connection, row: LetterRow) -> bool:
    """Tell whether the same letter was heard before; one that proved nothing was not heard."""
    before = letters.twins(connection, row)
    return any(not (each.reason or "").startswith(UNPROVED) for each in before)


def codes(case: Case) -> tuple[str, ...]:
    """Return the reply codes a letter carries outside the places where it orders something.

    No signature covers the headers. Where one is wanted, the code is read from the text that the
    answer quotes, the topmost first, and an old letter cannot be turned to another match or turn.
    So it is where a program names no mail that it answers.
    """
    quoted = case.letter.boxed
    if case.desk.trust == "pgp":
        return quoted[:1]
    carried = carried_codes(case.connection, case.letter, case.desk.address)
    return carried or first_of_each(case.connection, quoted)


def shows(desk: Desk, connection: Connection, letter: Letter, player: PlayerRow) -> bool:
    """Tell whether a letter shows more than an address that anybody can write into it.

    What the server vouches for or a key signed does; else a mail to the player that it answers, or
    a reply code he was mailed, for whichever of his seats and turns.
    """
    if desk.trust != "code" or answers_mail_to(connection, letter, player):
        return True
    written = (each.value.get("code") for each in letter.json if isinstance(each.value, dict))
    parsed = (marks.parse_code(each) for each in written if isinstance(each, str))
    codes = (*carried_codes(connection, letter, desk.address), *letter.boxed, *parsed)
    return any(is_of(connection, code, player) for code in dict.fromkeys(codes) if code)


def warn(case: Case) -> bool:
    """Tell a player that a letter in his name proved nothing, once an hour; tell if he was told."""
    since = case.desk.now() - HOUR
    if outbox.warned_since(case.connection, case.player.id, since):
        return False
    language = case.player.language
    fields = {"missing": case.missing, "address": case.letter.sender}
    value = Answer("not-proved", fields, framing=mails_post.bare_framing(language))
    content = answer(Catalogue(language), value)
    post(case.desk, case.connection, case.player, "notice", content, answers=case.letter)
    return True


def _by_server(desk: Desk, letter: Letter, sender: str) -> Proof:
    # What only one level needs is imported only there.
    from referee.mail.proofs.authentication import vouched  # noqa: PLC0415

    if "several from headers" in letter.problems:
        return Proof(letter, "one-sender")
    good = vouched(letter.authentication, desk.authserv_id or "", sender)
    return Proof(letter, None if good else "dmarc")


def _by_signature(desk: Desk, letter: Letter, raw: bytes, player: PlayerRow | None) -> Proof:
    from referee.mail.proofs import openpgp  # noqa: PLC0415

    if player is None or player.pgp_fingerprint is None or desk.keyring is None:
        return Proof(letter, "key")
    found = openpgp.signed(letter, raw, desk.keyring)
    if found is None or found.fingerprint != player.pgp_fingerprint:
        return Proof(letter, "signature")
    return Proof(found.letter)
