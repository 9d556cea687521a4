"""Who writes from an address that is nobody's yet: his answer to a question of ours counts."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection

from referee.desk import answers, asking, joining, people, setting, strangers, trust
from referee.desk.asking import Wish
from referee.desk.case import Case
from referee.desk.claims import carried_codes
from referee.desk.commands import Command, read_commands
from referee.desk.desk import Desk
from referee.mail import marks
from referee.mail.reading import Letter
from referee.store import letters, players, requests
from referee.store.letters import LetterRow
from referee.store.players import PlayerRow
from referee.store.requests import RequestRow

YES = frozenset({"agree", "join"})
"""With one of these a newcomer confirms that he wrote."""


def heard(
    desk: Desk, connection: Connection, row: LetterRow, letter: Letter, raw: bytes
) -> tuple[str, str | None]:
    """Hear a letter from an address of no player: return its state and what became of it."""
    address = letter.sender or ""
    request = _request(desk, connection, row, letter, address)
    if request is not None:
        commands = _commands(letter)
        words = {each.word for each in commands}
        owner = None if request.player_id is None else players.find(connection, request.player_id)
        if "decline" in words:
            requests.settle(connection, request.id, "declined")
            return "handled", "a question of ours declined"
        if words & YES and _proved(desk, letter, raw, address, owner):
            return _granted(desk, connection, row, letter, request, owner, commands)
    return "ignored", strangers.heard(desk, connection, letter, address)


def _request(
    desk: Desk, connection: Connection, row: LetterRow, letter: Letter, address: str
) -> RequestRow | None:
    """Return the question a letter answers, if it was put to its sender and waited on arrival."""
    boxes = (box for block in letter.blocks for box in marks.cut(block).boxes)
    codes = (*carried_codes(connection, letter, desk.address), *(box.code for box in boxes))
    found = (requests.find(connection, code) for code in codes if code)
    put = (each for each in found if each is not None and each.address == address)
    waiting = (each for each in put if asking.waits(each, row.arrived))
    return next((each for each in waiting if _is_open(desk, connection, each)), None)


def _is_open(desk: Desk, connection: Connection, request: RequestRow) -> bool:
    """Tell whether a yes from nobody's address may grant a request: of a player only a new address.

    A stranger's yes counts while strangers may join. What else a player was asked went to an
    address that was his then, and is no more.
    """
    if request.player_id is None:
        return desk.open
    owner = players.find(connection, request.player_id)
    wanted = Wish.from_text(request.what).kind == "address"
    return wanted and owner is not None and not owner.blocked


def _commands(letter: Letter) -> list[Command]:
    """Return what a newcomer wrote freely or into the box of our mail."""
    found: list[Command] = []
    for block in letter.blocks:
        cut = marks.cut(block, letter.thread)
        for lines in (cut.free, *(box.lines for box in cut.boxes)):
            found += _only_commands(read_commands(list(lines))[0])
        if found:
            break
    return found


def _only_commands(pieces: Iterable[Command | str]) -> list[Command]:
    return [each for each in pieces if isinstance(each, Command)]


def _proved(
    desk: Desk, letter: Letter, raw: bytes, address: str, owner: PlayerRow | None
) -> bool:
    """Tell whether a letter proves its sender as far as this installation asks for it."""
    if owner is None and desk.trust == "pgp":
        return False
    return trust.prove(desk, letter, raw, address, owner).missing is None


def _granted(
    desk: Desk,
    connection: Connection,
    row: LetterRow,
    letter: Letter,
    request: RequestRow,
    owner: PlayerRow | None,
    commands: list[Command],
) -> tuple[str, str | None]:
    wish = Wish.from_text(request.what)
    requests.settle(connection, request.id, "granted")
    if owner is not None:
        letters.set_sender(connection, row.id, request.address, owner.id)
        case = Case(desk, connection, row, letter, owner)
        setting.confirm(case, request)
        case.tray.send(case)
        return "handled", "an address confirmed"
    player = people.player_at(desk, connection, request.address, language=wish.language)
    letters.set_sender(connection, row.id, request.address, player.id)
    case = Case(desk, connection, row, letter, player)
    asked = [each for each in commands if each.word == "join"]
    luck = [each.text for each in commands if each.word == "luck"]
    said_more = bool(asked) and (bool(asked[0].arguments) or wish.command is None)
    command = asked[0] if said_more else wish.command
    answers.send(case, "welcome", {"name": player.name})
    if command is not None:
        joining.join(case, command, wish.shown, luck[-1] if luck else None)
    case.tray.send(case)
    return "handled", "a new player"
