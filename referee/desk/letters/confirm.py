"""Questions that wait for a yes, after wishes that came without proof.

The question goes to the address it concerns, so that only its owner can answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from referee.desk.desk import Change
from referee.desk.health import all_letters_known
from referee.desk.letters.case import Case, ReplyPart
from referee.desk.letters.words.keywords import Command, line_of
from referee.desk.mails import post
from referee.desk.mails.post import Mail
from referee.games.game import Json
from referee.games.play import canonical_json
from referee.mail.incoming import marks
from referee.mail.incoming.letter import Letter
from referee.render import mails
from referee.render.answers import answer
from referee.render.mails import Content, Framing
from referee.render.wording import Catalogue
from referee.store.people import players, requests
from referee.store.people.requests import RequestRow
from referee.store.play import matches

LIFE: Final = timedelta(days=7)
"""How long a question waits for its yes."""

KEPT: Final = timedelta(days=30)
"""How long a settled question is remembered, so that a late yes gets an answer."""

SEVERAL: Final = 1000
"""Codes tried before giving up; two rarely agree in 40 bits."""


@dataclass(frozen=True, slots=True)
class Wish:
    """The content of a request: a player's commands, an address, or a new player.

    ``shown`` are the matches whose commitment its mail showed; ``also`` are further commands of the
    same letter, confirmed by the same yes.
    """

    kind: str
    command: Command | None = None
    shown: tuple[str, ...] = ()
    language: str = ""
    also: tuple[Command, ...] = ()

    @property
    def commands(self) -> tuple[Command, ...]:
        """Every command it asks for."""
        return (*([self.command] if self.command else []), *self.also)

    def to_text(self) -> str:
        """Return the wish as canonical JSON."""
        document: dict[str, Json] = {"kind": self.kind, "shown": list(self.shown)}
        document["language"] = self.language
        if self.command is not None:
            document |= _written(self.command)
        if self.also:
            document["also"] = [_written(each) for each in self.also]
        return canonical_json(document)

    @staticmethod
    def from_text(text: str) -> Wish:
        """Return the wish a text holds."""
        found: dict[str, Any] = json.loads(text)
        command = _read(found) if "word" in found else None
        also = tuple(_read(each) for each in found.get("also", ()))
        return Wish(found["kind"], command, tuple(found["shown"]), found["language"], also)


def _written(command: Command) -> dict[str, Json]:
    return {"word": command.word, "arguments": list(command.arguments), "text": command.text}


def _read(document: Mapping[str, Any]) -> Command:
    return Command(document["word"], tuple(document["arguments"]), document["text"])


def note(
    change: Change,
    address: str,
    player_id: int | None,
    wish: Wish,
    letter: Letter,
) -> RequestRow:
    """Return a request that waits for a yes; the one there is if it still waits.

    Its code follows from the letter that asked: if that is read again after a restore, a yes to the
    mail sent before still leads to it.
    """
    now, what = change.desk.now(), wish.to_text()
    # Asked twice it is one question, with one code.
    for each in requests.answered_by(change.connection, address):
        if (each.player_id, each.what) == (player_id, what) and waits(each, now):
            return each
    return requests.add(
        change.connection,
        code=_free_code(change, address, letter),
        address=address,
        player_id=player_id,
        what=what,
        now=now,
        expires=now + LIFE,
    )


def waits(request: RequestRow, arrived: datetime) -> bool:
    """Return whether a question was still open when a letter arrived."""
    return request.state == "waiting" and request.expires > arrived


def _free_code(change: Change, address: str, letter: Letter) -> str:
    stamp = letter.message_id or change.desk.now().isoformat()
    for number in range(SEVERAL):
        code = marks.new_code(change.desk.key, f"request {address}", stamp, number)
        if not (
            matches.find_code(change.connection, code) or requests.find(change.connection, code)
        ):
            return code
    raise RuntimeError("no free code for a request")


def framing(request: RequestRow, language: str) -> Framing:
    """Return the frame of a question's mail, its box with the code."""
    bare = post.bare_framing(language)
    hint = Catalogue(language).say("asking.hint")
    box = marks.request_lines(request.id, request.code, language, hint)
    return Framing(bare.match, bare.open, bare.close, box)


def ask(case: Case, command: Command) -> None:
    """Have the registered address asked to confirm a command without a code."""
    case.reply.wanted.append(command)


def put(case: Case) -> None:
    """Ask for one yes to everything in a letter that needs one."""
    wanted = tuple(dict.fromkeys(case.reply.wanted))
    case.reply.wanted.clear()
    address = players.address_for(case.connection, case.player.id)
    if not wanted or address is None or case.unanswered:
        return
    wish = Wish("command", wanted[0], also=wanted[1:])
    request = note(case.change, address, case.player.id, wish, case.letter)
    language = case.player.language
    said = answer("confirm", lines=[line_of(each) for each in wanted], days=LIFE.days)
    content = mails.answer(Catalogue(language), said, framing(request, language))
    case.reply.put(ReplyPart(Mail("answer", content), request=request))


def mail(case: Case, request: RequestRow, content: Content) -> None:
    """Mail the question of a request to the address that answers it."""
    answers = case.letter if case.letter.sender == request.address else None
    said = Mail("answer", content, code=request.code, answers=answers)
    post.send(case.change, said, case.player, request.address)


def lapsed(change: Change) -> list[RequestRow]:
    """Return the expired questions, once every answer in time is handled."""
    over = requests.expired(change.connection, change.desk.now())
    # An answer counts by its arrival and may still lie in the mailbox.
    return [each for each in over if all_letters_known(change, each.expires)]


def forget_expired(change: Change) -> None:
    """Drop questions that expired, and the addresses that never said yes.

    Questions settled for a month are forgotten altogether.
    """
    requests.drop_settled(change.connection, change.desk.now() - KEPT)
    for each in lapsed(change):
        requests.settle(change.connection, each.id, "dropped")
        known = players.address(change.connection, each.address)
        others = requests.answered_by(change.connection, each.address)
        asked = any(other.state == "waiting" and other.id != each.id for other in others)
        # A newer question about the same address may still be open.
        if known is not None and known.state == "unconfirmed" and not asked:
            players.drop_address(change.connection, each.address)
