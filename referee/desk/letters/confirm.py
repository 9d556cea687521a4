"""What was asked for by mail without proof: it waits for a yes from the address it concerns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection

from referee.desk.desk import Desk
from referee.desk.health import all_letters_known
from referee.desk.letters.case import Case, Part
from referee.desk.letters.words.keywords import Command, line_of
from referee.desk.mails import post
from referee.desk.mails.post import post_to
from referee.games.game import Json
from referee.games.play import canonical_json
from referee.mail.incoming import marks
from referee.mail.incoming.letter import Letter
from referee.render.mails import Answer, Content, Framing, answer_sheet
from referee.render.wording import Catalogue
from referee.store.people import players, requests
from referee.store.people.requests import RequestRow
from referee.store.play import matches
from referee.store.states import OutboxKind

LIFE: Final = timedelta(days=7)
"""How long a yes is waited for."""

KEPT: Final = timedelta(days=30)
"""How long after its time a question that was settled is known, so that a late yes is told so."""

SEVERAL: Final = 1000
"""Codes tried before it is said that something is wrong; two rarely agree in 40 bits."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a request asks for: a command of a player, an address, or to become a player.

    ``shown`` are the matches whose commitment its mail showed; ``also`` are further commands of
    the same letter, which the same yes confirms.
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
    desk: Desk,
    connection: Connection,
    address: str,
    player_id: int | None,
    wish: Wish,
    letter: Letter,
) -> RequestRow:
    """Return a request that waits for a yes from an address; the same one while it waits.

    Its code follows from the letter that asked: if that is read again after a restore, a yes to
    the mail that was sent before still leads to it.
    """
    now, what = desk.now(), wish.to_text()
    for each in requests.answered_by(connection, address):
        if (each.player_id, each.what) == (player_id, what) and waits(each, now):
            return each
    return requests.add(
        connection,
        code=_free_code(desk, connection, address, letter),
        address=address,
        player_id=player_id,
        what=what,
        now=now,
        expires=now + LIFE,
    )


def waits(request: RequestRow, arrived: datetime) -> bool:
    """Tell whether a question still waits for a letter that arrived at a moment."""
    return request.state == "waiting" and request.expires > arrived


def _free_code(desk: Desk, connection: Connection, address: str, letter: Letter) -> str:
    stamp = letter.message_id or desk.now().isoformat()
    for number in range(SEVERAL):
        code = marks.new_code(desk.key, f"request {address}", stamp, number)
        if not (matches.find_code(connection, code) or requests.find(connection, code)):
            return code
    raise RuntimeError("no free code for a request")


def framing(request: RequestRow, language: str) -> Framing:
    """Return the frame of a mail that asks for a yes, with a box that bears its code."""
    bare = post.bare_framing(language)
    hint = Catalogue(language).say("asking.hint")
    box = marks.request_lines(request.id, request.code, language, hint)
    return Framing(bare.match, bare.open, bare.close, box)


def ask(case: Case, command: Command) -> None:
    """Have the registered address asked whether its player wants what came without a code."""
    case.tray.wanted.append(command)


def put(case: Case) -> None:
    """Ask for one yes to everything in a letter that wants one."""
    wanted = tuple(dict.fromkeys(case.tray.wanted))
    case.tray.wanted.clear()
    address = players.address_for(case.connection, case.player.id)
    if not wanted or address is None or case.unanswered:
        return
    wish = Wish("command", wanted[0], also=wanted[1:])
    request = note(case.desk, case.connection, address, case.player.id, wish, case.letter)
    lines: list[Json] = [line_of(each) for each in wanted]
    language = case.player.language
    fields: Mapping[str, Json] = {"lines": lines, "days": LIFE.days}
    value = Answer("confirm", fields, framing=framing(request, language))
    case.tray.put(Part(answer_sheet(Catalogue(language), value), request=request))


def mail(case: Case, request: RequestRow, content: Content, kind: OutboxKind = "answer") -> int:
    """Mail the question of a request to where it is answered; return the mail's id."""
    return post_to(
        case.desk,
        case.connection,
        request.address,
        kind,
        content,
        player=case.player,
        answers=case.letter if case.letter.sender == request.address else None,
        code=request.code,
    )


def lapsed(desk: Desk, connection: Connection) -> list[RequestRow]:
    """Return the questions whose time is over, and to which no yes lies in the mailbox any more."""
    over = requests.expired(connection, desk.now())
    return [each for each in over if all_letters_known(desk, connection, each.expires)]


def forget_expired(desk: Desk, connection: Connection) -> None:
    """Drop what nobody answered in time, and the addresses that never said yes.

    What has been settled for a month is forgotten altogether.
    """
    requests.drop_settled(connection, desk.now() - KEPT)
    for each in lapsed(desk, connection):
        requests.settle(connection, each.id, "dropped")
        known = players.address(connection, each.address)
        others = requests.answered_by(connection, each.address)
        asked = any(other.state == "waiting" and other.id != each.id for other in others)
        if known is not None and known.state == "unconfirmed" and not asked:
            players.drop_address(connection, each.address)
