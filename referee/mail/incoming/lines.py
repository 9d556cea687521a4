"""Lines of a mail's text, their quote marks taken off and counted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from referee.signs import plain_line

LONGEST_LINE: Final = 5000
"""Characters looked at in one line. Telephones send a paragraph, or a whole message, as one."""

_MARKS: Final = re.compile(
    r"[ \t]*+(?:(?:(?:[\w.'-]{0,19}[\w.'])?>|&gt;|[|¦│┃┆┇┊┋║▏▎▍▌├┝]|:(?=[ \t>|:]|$))[ \t]?)++"
)
"""Quote marks. Some programs put the quoted person's name or initials before each, no arrow."""

_MARK: Final = re.compile(r">|&gt;|[|¦│┃┆┇┊┋║▏▎▍▌├┝]|:")


class Origin(Enum):
    """The origin of a line, as far as the frames tell."""

    TEXT = "outside our frames"
    OURS = "inside our frames, or a box"
    END = "the last line of our text"


@dataclass(frozen=True, slots=True)
class Line:
    """A line without quote marks, with their number and its original width."""

    depth: int
    text: str
    width: int
    origin: Origin = Origin.TEXT

    @property
    def written(self) -> bool:
        """Whether the line may be the person's: unquoted, outside our frames."""
        return self.depth == 0 and self.origin is Origin.TEXT


def parse_line(raw: str) -> Line:
    """Return a line with odd spaces made plain, invisible characters removed, trimmed."""
    text = raw.rstrip()
    prefix = _MARKS.match(text)
    if prefix is None:
        return Line(0, plain_line(text), len(text))
    rest = plain_line(text[prefix.end() :])
    return Line(len(_MARK.findall(prefix[0])), rest, len(text))
