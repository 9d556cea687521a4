"""The turn that the composer's page shows: legal orders, board and mail, packed for a link."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

from referee.games.game import Document, Json, Mark, Order, Scene, Seat, Unreadable
from referee.render.common import turn_end
from referee.render.composer.sheet import BoardSheet
from referee.render.drawings.board import ground_word, mark_words
from referee.render.drawings.columns import card_text, question_lines
from referee.render.drawings.drawing import worded_panels
from referee.render.drawings.picture import EDGE
from referee.render.drawings.pieces import ink_of, piece
from referee.render.words.moments import moment_text
from referee.render.words.wording import Wording
from referee.value import Value, replace

PACKING: Final = 3
"""The version of the packed turn; a page refuses every other one."""


class ComposedTurn(Value, kw_only=True):
    """The turn of a seat that is to act.

    ``at`` is the number of the match's last event, by which a page sees that another is newer.
    ``to`` is the address answers go to, ``subject`` that of the mail, ``box`` its order box.
    ``orders`` are the legal orders, ``count`` the number of all of them if not all are listed;
    ``clicks`` says how each is chosen where its words do not, such as by the spaces from and to.
    ``open_scene`` is the scene of a spectator: its difference from ``scene`` is only for this seat.
    """

    match: str
    seat: Seat
    turn: int
    at: int
    due: datetime | None
    zone: str
    to: str
    subject: str
    box: tuple[str, ...]
    scene: Scene
    open_scene: Scene
    orders: Sequence[Order]
    count: int
    clicks: Sequence[tuple[str, ...]] = ()


def turn_document(value: ComposedTurn, wording: Wording) -> Document:
    """Return the content of a page in the language of a wording."""
    say, board = wording.catalogue.say, BoardSheet(value.scene, wording)
    sheet = board.layers()
    ink, seat = ink_of(value.seat), wording.seat(value.seat)
    lines = [wording.order(order) for order in value.orders]
    due = "" if value.due is None else moment_text(value.due, value.zone, wording.catalogue)
    # What is chosen one after the other; a lone first word would be a kind of its own.
    cards = {cell.space for cell in board.hand}
    paths = [f"{say('composer.move')} {line}" if line in cards else line for line in lines]
    if any(value.clicks):
        paths = [" ".join((say("composer.move"), *clicks)) for clicks in value.clicks]
    named = {word for path in paths for word in path.split()}
    # The spaces that orders name: name, its top and left, description, whether free.
    spaces: list[Json] = []
    for cell, x, y in board.spots():
        if cell.space in named:
            ground = "" if cell in board.hand else ground_word(value.scene, cell.ground, wording)
            told = ", ".join((f"{cell.space} {ground}".rstrip(), *mark_words(cell, wording)))
            spaces.append([cell.space, round(y), round(x), told, not cell.marks])
    # The question to the seat: its sentence, both sides, the outcome of each answer.
    asked, question = value.scene.asked, value.scene.question
    asks: list[Json] = [] if asked is None else [wording.sentence(asked)]
    if question is not None:
        asks += question_lines(question, wording)
        for choice in question.choices:
            asks.append(f"{wording.order(choice.order)}: {wording.sentence(choice.outcome)}")
    return {
        "v": PACKING,
        "language": wording.language,
        "game": wording.word("game", "name"),
        "match": value.match,
        "turn": value.turn,
        "seat": seat,
        "at": value.at,
        "until": say("composer.until", due=due) if due else "",
        "asked": asks,
        "due": None if value.due is None else value.due.astimezone(UTC).isoformat(),
        "ink": [ink.fill, ink.ink],
        "piece": _piece(value, seat),
        "to": value.to,
        "subject": f"Re: {value.subject}",
        "box": [value.box[0], value.box[-1]],
        "orders": "\n".join(lines),
        "paths": "" if paths == lines else "\n".join(paths),
        "count": value.count,
        "ends": turn_end(value.scene, wording)["ends"],
        "passes": wording.order(value.scene.passes) if value.scene.passes else "",
        "loose": {} if any(value.clicks) else loose_words(value.orders, lines, wording),
        "measures": [
            round(n) for n in (sheet.wide, sheet.high, sheet.space, EDGE, board.space_high)
        ],
        "spaces": spaces,
        "board": sheet.svg(),
        "secrets": _secrets(value, wording),
    }


def _secrets(value: ComposedTurn, wording: Wording) -> list[Json]:
    """Return hands and other panels hidden from spectators, as titles with lines.

    Playing cards lie below the board.
    """
    secrets: list[Json] = []
    for hand in value.scene.secrets:
        cards = [card_text(card, wording) for card in hand.cards if not card.mark]
        if lines := [*cards, *(wording.sentence(note) for note in hand.notes)]:
            secrets.append([wording.word("panel", hand.title), [*lines]])
    known = value.open_scene.told()
    own = (panel for panel in value.scene.told() if panel not in known)
    secrets += [[title, [*lines]] for title, lines in worded_panels(own, wording) if lines]
    return secrets


def _piece(value: ComposedTurn, seat: str) -> str:
    """Return the seat's commonest piece as SVG, for spaces an order takes."""
    marks = [
        replace(mark, afloat=False)
        for cell in value.scene.cells
        for mark in cell.marks
        if mark.seat == value.seat and mark.count is None and not mark.corner
    ]
    # Before there are any, the first letter of the seat's name stands for them.
    mark = max(marks, key=marks.count, default=Mark(seat[:1].upper(), "", value.seat))
    drawn = piece(mark, 50, 50, 100)
    # Below the strip for names, where there is one.
    box = "0 -34 100 134" if value.scene.areas else "-9 -9 118 118"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{drawn}</svg>'


def loose_words(orders: Sequence[Order], lines: Sequence[str], wording: Wording) -> Document:
    """Return the runs of interchangeable words, by keyword and number of words.

    ``{"place 4": "abbb"}`` says that the last three of four words are a run whose sequence means
    nothing: words with the same letter stand in the same run.
    """
    by_shape: dict[str, str] = {}
    for order, line in zip(orders, lines, strict=True):
        words = line.split()
        shape = f"{words[0]} {len(words)}"
        # One order of each shape is tried; one that says a word twice would tell nothing.
        if len(words) <= 2 or shape in by_shape or len(set(words)) < len(words):
            continue
        runs = "a"
        for at, (one, other) in enumerate(pairwise(words)):
            swapped = " ".join([*words[:at], other, one, *words[at + 2 :]])
            # The keyword stands first whatever it is exchanged with.
            try:
                same = at > 0 and wording.game.parse(swapped, wording.language) == order
            except Unreadable:
                same = False
            runs += runs[-1] if same else chr(ord(runs[-1]) + 1)
        by_shape[shape] = runs
    return {shape: runs for shape, runs in by_shape.items() if len(set(runs)) < len(runs)}


def pack_json(document: Json) -> str:
    """Return a turn or page as text: JSON, compressed (RFC 1950), base64url without padding.

    The checksum of RFC 1950 tells a page that its link was cut or changed.
    """
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
