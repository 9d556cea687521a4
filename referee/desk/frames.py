"""The frame and the order box a mail to a seat is written in."""

from __future__ import annotations

from referee.games.game import Seat
from referee.mail import marks
from referee.render.mails import Framing
from referee.render.wording import Catalogue, Wording


def framing(
    wording: Wording, match: str, turn: int, seat: Seat, code: str, *, box: bool = True
) -> Framing:
    """Return the frame of a mail to a seat; with ``box``, the order box as well."""
    language = wording.language
    lines: tuple[str, ...] = ()
    if box:
        hint = Catalogue(language).say("box.hint")
        lines = marks.box_lines(match, turn, wording.seat(seat), code, language, hint)
    return Framing(match, marks.frame_open(match), marks.frame_close(match, language), lines)


def bare_framing(language: str) -> Framing:
    """Return the frame of a mail that belongs to no seat."""
    name = "referee"
    return Framing(name, marks.frame_open(name), marks.frame_close(name, language), ())
