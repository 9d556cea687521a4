"""Lines of a mail's text, their quote marks taken off and counted."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final, Literal

from referee.signs import plain_line
from referee.value import Value

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


class Line(Value):
    """A line without quote marks, with their number and its original width."""

    depth: int
    text: str
    width: int
    origin: Origin = Origin.TEXT

    @property
    def written(self) -> bool:
        """Whether the line may be the person's: unquoted, outside our frames."""
        return self.depth == 0 and self.origin is Origin.TEXT


Where = Literal["own", "lead", "hint", "aside", "signed", "rest", "below", "older", "dot"]
"""The place of a line in an answer, and so whose it is.

``own`` is its writer's; ``lead`` looks like an attribution: it ends with a colon right above what
is quoted, or last. The others may not be meant: ``aside`` stands between the brackets of a box's
hint, or below a signature in the box; ``signed`` below a signature or a whole text of ours, or may
be the beginning of an original or a program's footer; ``rest`` may be the unmarked rest of a quoted
line; ``below`` stands in an original with nothing above it, ``older`` in one with lines above;
``dot`` begins with the dot of our lists.
"""


class WrittenLine(Value):
    """A line of an answer that is neither quoted nor ours, trimmed, runs of spaces made one.

    ``gap``: a blank line, a rule or anything that its writer did not write stands above; ``runs``:
    its first word would not have fit into the line above, so that a program may have broken it off
    there; ``broken``: text of ours or a quotation stands between it and the line above.
    """

    text: str
    where: Where = "own"
    gap: bool = False
    runs: bool = False
    broken: bool = False


def parse_line(raw: str) -> Line:
    """Return a line with odd spaces made plain, invisible characters removed, trimmed."""
    text = raw.rstrip()
    prefix = _MARKS.match(text)
    if prefix is None:
        return Line(0, plain_line(text), len(text))
    rest = plain_line(text[prefix.end() :])
    return Line(len(_MARK.findall(prefix[0])), rest, len(text))
