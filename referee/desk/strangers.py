"""What a stranger hears from an open referee: one fixed mail a day, and only if he asks."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import Connection

from referee.desk import asking, broken, frames, seating
from referee.desk.asking import Wish
from referee.desk.commands import Command, read_command
from referee.desk.desk import Desk
from referee.desk.posting import post_to
from referee.mail import marks
from referee.mail.reading import Letter
from referee.render.summaries import stranger_answer
from referee.render.wording import Catalogue, Wording
from referee.store import letters, status, strangers
from referee.store.matches import MatchRow

ALONE: Final[Mapping[str, str | None]] = MappingProxyType({"help": None, "hilfe": "de"})
"""Words that ask for help, alone on the line, and the language they tell, if one."""

JOINING: Final[Mapping[str, str | None]] = MappingProxyType(
    {"join": None, "mitspielen": "de"}
)
"""Words that ask to join, whatever follows them."""

MOST_LISTED: Final = 20
"""Open matches a stranger is told of."""

MOST_A_DAY: Final = 200
"""So many strangers are answered on a day: whoever sends under many names reaches no more."""


KEPT: Final = timedelta(days=30)
"""How long the headers of strangers' letters are kept."""

FORGOTTEN: Final = "strangers_forgotten"
"""Under this key stands the day before which strangers are forgotten."""


def heard(desk: Desk, connection: Connection, letter: Letter, address: str) -> str:
    """Count a stranger's letter, answer it if that is due, and return what became of it."""
    strangers.note_stranger(connection, address, desk.now())
    asked, language, command = _asks(letter)
    if not desk.open or not asked or _answered_today(desk, connection) >= MOST_A_DAY:
        return "a stranger"
    if not strangers.may_answer(connection, address, desk.now()):
        return "a stranger, answered today"
    _answer(desk, connection, letter, address, language or desk.language, command)
    return "a stranger; he was told who answers here"


def forgets(desk: Desk, connection: Connection) -> bool:
    """Tell whether a day's strangers are to be forgotten now."""
    day = strangers.day_of(desk.now() - KEPT)
    return (status.value(connection, FORGOTTEN) or "") < day


def forget(desk: Desk, connection: Connection) -> None:
    """Forget what strangers wrote so long ago, and that they wrote.

    That a letter came remains, so that none is handled again after a restore.
    """
    before = desk.now() - KEPT
    letters.drop_strange(connection, before)
    strangers.drop_before(connection, strangers.day_of(before))
    status.put(connection, FORGOTTEN, strangers.day_of(before))


def _answer(
    desk: Desk,
    connection: Connection,
    letter: Letter,
    address: str,
    language: str,
    command: Command | None,
) -> None:
    """Mail a stranger who answers here; a yes to it makes him a player, unless keys are asked for.

    What he wanted to join is kept beside it, not repeated.
    """
    catalogue = Catalogue(language)
    if desk.trust == "pgp":
        content = stranger_answer(catalogue, frames.bare_framing(catalogue.language))
        post_to(desk, connection, address, "answer", content, replied=True)
        return
    known = [row for row in seating.open_matches(connection) if broken.installed(desk, row)]
    rows = known[:MOST_LISTED]
    wish = Wish("player", command, tuple(row.name for row in rows), catalogue.language)
    request = asking.note(desk, connection, address, None, wish, letter)
    matches = [_listed(desk, connection, row, catalogue.language) for row in rows]
    framing = asking.framing(request, catalogue.language)
    content = stranger_answer(catalogue, framing, matches)
    post_to(desk, connection, address, "answer", content, replied=True, code=request.code)


def _listed(desk: Desk, connection: Connection, row: MatchRow, language: str) -> dict[str, Any]:
    words = Wording(desk.find_game(row.game, row.edition), language)
    return {
        "match": row.name,
        "game": words.word("game", "name"),
        "n": seating.wanted(connection, row),
        "commitment": row.commitment,
    }


def _answered_today(desk: Desk, connection: Connection) -> int:
    today = strangers.strangers_on(connection, strangers.day_of(desk.now()))
    return sum(each.answered for each in today)


def _asks(letter: Letter) -> tuple[bool, str | None, Command | None]:
    """Return whether the first line written freely asks for help or to join, in which language.

    And what it asks to join, if it says so as a player would.
    """
    cuts = (marks.cut(block, letter.thread) for block in letter.blocks)
    lines = (line for cut in cuts for line in cut.free if line.strip())
    line = next(lines, "").strip()
    words = line.rstrip(".!").casefold().split()
    if len(words) == 1 and words[0] in ALONE:
        return True, ALONE[words[0]], None
    if words and words[0] in JOINING:
        return True, JOINING[words[0]], read_command(line)
    return False, None, None
