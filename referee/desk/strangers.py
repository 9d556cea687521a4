"""What a stranger hears from an open referee: one fixed mail a day, and only if he asks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from sqlalchemy import Connection

from referee.desk import frames
from referee.desk.desk import Desk
from referee.desk.posting import post_to
from referee.mail import marks
from referee.mail.reading import Letter
from referee.render.summaries import stranger_answer
from referee.render.wording import Catalogue
from referee.store import strangers

ALONE: Final[Mapping[str, str | None]] = MappingProxyType({"help": None, "hilfe": "de"})
"""Words that ask for help, alone on the line, and the language they tell, if one."""

JOINING: Final[Mapping[str, str | None]] = MappingProxyType(
    {"join": None, "mitspielen": "de", "beitreten": "de"}
)
"""Words that ask to join, whatever follows them."""

MOST_A_DAY: Final = 200
"""So many strangers are answered on a day: whoever sends under many names reaches no more."""


def heard(desk: Desk, connection: Connection, letter: Letter, address: str) -> str:
    """Count a stranger's letter, answer it if that is due, and return what became of it."""
    strangers.note_stranger(connection, address, desk.now())
    asked, language = _asks(letter)
    if not desk.open or not asked or _answered_today(desk, connection) >= MOST_A_DAY:
        return "a stranger"
    if not strangers.may_answer(connection, address, desk.now()):
        return "a stranger, answered today"
    catalogue = Catalogue(language or desk.language)
    content = stranger_answer(catalogue, frames.bare_framing(catalogue.language))
    post_to(desk, connection, address, "answer", content, replied=True)
    return "a stranger; he was told who answers here"


def _answered_today(desk: Desk, connection: Connection) -> int:
    today = strangers.strangers_on(connection, strangers.day_of(desk.now()))
    return sum(each.answered for each in today)


def _asks(letter: Letter) -> tuple[bool, str | None]:
    """Return whether the first line written freely asks for help or to join, and its language."""
    lines = (line for block in letter.blocks for line in marks.cut(block).free if line.strip())
    words = next(lines, "").strip().rstrip(".!").casefold().split()
    if len(words) == 1 and words[0] in ALONE:
        return True, ALONE[words[0]]
    if words and words[0] in JOINING:
        return True, JOINING[words[0]]
    return False, None
