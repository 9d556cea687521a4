"""The places of a letter in which it says something: order boxes, free text, JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from referee.desk.letters.words.attempts import hint_of, is_said
from referee.desk.letters.words.keywords import opens_text
from referee.desk.letters.words.schemas import SchemaFault
from referee.games.game import Document
from referee.mail.codes import parse_code
from referee.mail.incoming import marks
from referee.mail.incoming.attachments import JsonDocument
from referee.mail.incoming.letter import Letter
from referee.mail.incoming.threads import Thread

MOST_LINES: Final = 200
"""Lines read in one place of a letter; a turn takes a handful."""

MOST_BOXES: Final = 20
"""Filled order boxes read in one letter; people answer a few matches at once."""


@dataclass(frozen=True, slots=True)
class Said:
    """The content of one place of a letter: an order box, free text or JSON.

    ``code``, ``match`` and ``seq``, the match's last event when a box was written, stand in that
    place itself, if at all. ``cut``: it goes on beyond the lines that are read. ``below``,
    ``trailing`` and ``older`` are lines that may not have been meant, as in
    :class:`referee.mail.incoming.marks.Cut`; ``breaks`` are the lines before which text of ours
    stood, ``runs`` those that may continue the line above, ``gaps`` those that begin a block.
    """

    source: str
    code: str | None = None
    match: str | None = None
    turn: int | None = None
    seq: int | None = None
    lines: tuple[str, ...] = ()
    document: Document | None = None
    cut: bool = False
    below: tuple[str, ...] = ()
    trailing: tuple[str, ...] = ()
    older: tuple[str, ...] = ()
    breaks: frozenset[int] = frozenset()
    runs: frozenset[int] = frozenset()
    gaps: frozenset[int] = frozenset()


def places_of(letter: Letter) -> tuple[tuple[Said, ...], tuple[Said, ...]]:
    """Return the places of a letter's text part and of its HTML.

    The HTML is there to fall back to. Lines quoted in the text part count as quoted in the HTML
    part too, whatever its tags say; lines struck out in the HTML part count as struck out in the
    text part, which cannot show it.
    """
    text = _of_blocks(letter.text, letter.thread, letter.struck)
    if not letter.html_text:
        return text, ()
    # Lines that stand in the text part, but not among those written there, are quoted ones.
    lines = {marks.parse_line(line).text for each in letter.text for line in each.splitlines()}
    written = {line for each in text for line in each.lines}
    return text, _of_blocks(letter.html_text, letter.thread, frozenset(lines - written))


def _of_blocks(blocks: Iterable[str], thread: Thread, doubtful: frozenset[str]) -> tuple[Said, ...]:
    free: list[str] = []
    below: list[str] = []
    trailing: list[str] = []
    older: list[str] = []
    breaks: set[int] = set()
    runs: set[int] = set()
    gaps: set[int] = set()
    boxes: list[Said] = []
    for block in blocks:
        cut = marks.cut(block, thread, is_said)
        gaps.add(len(free))
        for at, line, broken in _free(cut):
            if line in doubtful:
                below.append(line)
                continue
            if broken:
                breaks.add(len(free))
            if at in cut.runs:
                runs.add(len(free))
            if broken or at in cut.gaps:
                gaps.add(len(free))
            free.append(line)
        # Talk in a box is likely the rest of a message that the box was put into.
        if len(cut.free) in cut.breaks or any(map(_holds_talk, cut.boxes)):
            breaks.add(len(free))
        below += cut.below
        trailing += cut.trailing
        older += cut.older
        boxes.extend(
            _shortened(Said("box", box.code, box.match, seq=box.seq, lines=box.lines))
            for box in cut.boxes
            if box.lines
        )
    text = Said(
        "text",
        lines=tuple(free),
        below=tuple(below[:MOST_LINES]),
        trailing=tuple(trailing[:MOST_LINES]),
        older=tuple(older[:MOST_LINES]),
        breaks=frozenset(breaks),
        runs=frozenset(runs),
        gaps=frozenset(gaps),
    )
    # The same box twice, as some clients send it, is one.
    filled = tuple(dict.fromkeys(boxes))
    # One of the boxes left out stands for all, so that the answer can say so.
    left_out = [replace(each, lines=(), cut=True) for each in filled[MOST_BOXES:][:1]]
    found = [_shortened(text)] if free or below or trailing else []
    return (*found, *filled[:MOST_BOXES], *left_out)


def _holds_talk(box: marks.Box) -> bool:
    return any(not is_said(line) for line in box.lines)


def _free(cut: marks.Cut) -> Iterator[tuple[int, str, bool]]:
    """Yield the number of each line written freely, the line, and whether ours stands before it.

    Attributions are left out, but not the first line of a message's text.
    """
    before, broken = "", False
    for at, line in enumerate(cut.free):
        broken = broken or at in cut.breaks
        if line not in cut.leads or hint_of(line) is not None or opens_text(before):
            yield at, line, broken
            broken = False
        before = line


def _shortened(said: Said) -> Said:
    """Return a place with only the lines that are read."""
    return replace(said, lines=said.lines[:MOST_LINES], cut=len(said.lines) > MOST_LINES)


def documents_of(letter: Letter) -> tuple[Said | SchemaFault, ...]:
    """Return the JSON submissions of a letter.

    Our own turn file coming back is left out.
    """
    found: list[Said | SchemaFault] = []
    for each in letter.json:
        said = _document(each)
        if said is not None:
            found.append(said)
    return tuple(found)


def _document(each: JsonDocument) -> Said | SchemaFault | None:
    if each.fault is not None:
        return SchemaFault(each.source, each.fault.code, each.fault.fields)
    if not isinstance(each.value, dict):
        return SchemaFault(each.source, "submission")
    document: Document = each.value
    # Our own turn file, sent back along with the answer.
    if document.get("kind") == "turn":
        return None
    code, match, turn = document.get("code"), document.get("match"), document.get("turn")
    return Said(
        "json",
        parse_code(code) if isinstance(code, str) else None,
        match if isinstance(match, str) else None,
        turn if isinstance(turn, int) else None,
        document=document,
    )
