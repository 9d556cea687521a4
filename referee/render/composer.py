"""The composer: a page of its own on which a player clicks orders together.

The page knows no rules. It gets the legal orders of one turn, with a board small enough to travel
in a link, and leaves over, after each click, those that still fit; so it works for any game.
"""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise
from typing import Final

from markupsafe import Markup

from referee.games.game import (
    LANGUAGES,
    Cell,
    Document,
    Face,
    Json,
    Mark,
    Order,
    Scene,
    Seat,
    Unreadable,
)
from referee.render.common import turn_end
from referee.render.drawings.board import ground_word, mark_words
from referee.render.drawings.changes import NOTHING, Changes
from referee.render.drawings.columns import CARDS_BESIDE, card_text, text_question
from referee.render.drawings.drawing import worded_panels
from referee.render.drawings.motifs import MOTIFS
from referee.render.drawings.picture import EDGE, FILLED, Extent, Picture, Stamp
from referee.render.drawings.pieces import ink_of, piece
from referee.render.layout import NO_BREAK
from referee.render.templates import inline_file, json_in_script, render_page
from referee.render.words.moments import moment_text
from referee.render.words.wording import Catalogue, Wording
from referee.value import Value, replace

PACKING: Final = 4
"""The version of the packed turn; a page refuses every other one."""

TURN_PAGE: Final = "turn.html"
"""The name of the page as an attachment."""

LONGEST_LINK: Final = 8000
"""Characters of a link with a turn; browsers and servers of mail are known to take as many."""

PAGE_WORDS: Final = (
    "again", "as_buttons", "begin", "board", "can_be", "choices", "chosen", "copied", "copy",
    "cut", "empty", "ends", "foreign", "go_on", "headline", "kinds", "late", "legend",
    "long", "mail", "may_add", "more", "newer", "not_all", "not_copied",
    "nothing", "open", "open_short", "orders", "preview", "preview_word", "remove", "risk",
    "secret", "sent_by", "title", "unlike", "version", "whole", "zoom", "zoom_out",
)  # fmt: skip
"""What the page says, each under ``composer`` in the catalogues; ``{}`` is filled by the page."""

_TURN: Final = "[[turn]]"
_TITLE: Final = "[[title]]"


class BoardSheet(Picture):
    """A picture without motifs and waves, and with no tracks but dice and pieces.

    The page holds the motifs.
    Below a table lie the playing cards of the hand, for the page to click. ``hand`` has a cell for
    each, called as orders call the card.
    """

    on_page = True

    def __init__(self, scene: Scene, wording: Wording, changes: Changes = NOTHING) -> None:
        """Begin a picture of a scene, with changes pointed out but not numbered."""
        cards = [card for hand in scene.secrets for card in hand.cards if card.mark]
        wide, self.hand = max(scene.columns, min(len(cards), CARDS_BESIDE)), list[Cell]()
        for number, card in enumerate(cards):
            down, right = divmod(number, CARDS_BESIDE)
            name, marks = wording.sentence(card.name).rstrip("."), (card.mark,) if card.mark else ()
            self.hand.append(Cell(name, scene.rows + down, right, "", " ", marks))
        if cards:
            # The table stands above the middle of its hand.
            left = (wide - scene.columns) // 2
            cells = (replace(cell, column=cell.column + left) for cell in scene.cells)
            scene = replace(scene, columns=wide, column_names=("",) * wide, cells=tuple(cells))
        beside = tuple(track for track in scene.tracks if track.kind in {"dice", "pieces"})
        # Their numbers are those of lines in the mail.
        changes = replace(changes, numbers=dict.fromkeys(changes.numbers, ()))
        super().__init__(replace(scene, tracks=beside), wording, changes)
        self.high += self.unit * len({cell.row for cell in self.hand}) + EDGE * bool(cards)

    def spots(self) -> Iterator[tuple[Cell, float, float]]:
        """Yield every space and card with the left and the top of its place, from the board's."""
        for cell in (*self.scene.cells, *self.hand):
            x, y = self.corner((cell.row, cell.column))
            yield cell, x, y + (EDGE if cell in self.hand else 0)

    def stamps(self) -> Iterator[Stamp]:
        yield from super().stamps()
        # A little to the left, where the sign of what can be chosen hides no suit.
        box, left, middle = Extent(0, 0, self.unit, self.unit), 0.37 * self.unit, 0.5 * self.unit
        for cell, x, y in self.spots():
            shapes = [mark.shape for mark in cell.marks if cell in self.hand]
            for face in (self.wording.face(shape) for shape in shapes if isinstance(shape, Face)):
                drawn = piece(Mark(face.rank, "", shape=face), left, middle, FILLED * self.unit)
                yield Stamp(drawn, box, EDGE + x, EDGE + y)

    def symbols(self) -> Iterator[str]:
        # The page holds every motif already.
        return iter(())

    def _waves(self, _cell: Cell) -> bool:
        return False


class ComposedTurn(Value, kw_only=True):
    """The turn of a seat that is to act.

    ``at`` is the number of the match's last event, by which a page sees that another is newer.
    ``to`` is the address answers go to, ``subject`` that of the mail, ``box`` its order box.
    ``orders`` are the legal orders, ``count`` the number of all of them if not all are listed;
    ``clicks`` says how each is chosen where its words do not, such as by the spaces from and to.
    ``open_scene`` is the scene of a spectator: its difference from ``scene`` is only for this seat.
    ``changes`` are those that the mail points out.
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
    changes: Changes = NOTHING


def turn_document(value: ComposedTurn, wording: Wording) -> Document:
    """Return the content of a page in the language of a wording."""
    say, board = wording.catalogue.say, BoardSheet(value.scene, wording, value.changes)
    sheet = board.layers()
    ink, seat = ink_of(value.seat), wording.seat(value.seat)
    lines = [wording.order(order) for order in value.orders]
    due = "" if value.due is None else moment_text(value.due, value.zone, wording.catalogue)
    # What is chosen one after the other; a lone first word would be a kind of its own.
    cards = {cell.space for cell in board.hand}
    places = {cell.space for cell, _, _ in board.spots()}
    paths = [f"{say('composer.move')} {line}" if line in cards else line for line in lines]
    if any(value.clicks):
        # What is no place is chosen by the words of its line, such as the one for passing.
        worded = (
            clicks if len(clicks) > 1 or clicks[0] in places else [line.replace(" ", NO_BREAK)]
            for clicks, line in zip(value.clicks, lines, strict=True)
        )
        paths = [" ".join((say("composer.move"), *words)) for words in worded]
    # An order of several words is one, “order up”, where none of them is a place to press, and no
    # other order begins like it.
    split = [path.split(" ") for path in paths]
    begun = Counter(words[0] for words in split)
    paths = [
        (NO_BREAK if begun[words[0]] == 1 and places.isdisjoint(words) else " ").join(words)
        for words in split
    ]
    named = {word for path in paths for word in path.split(" ")}
    # A space that is an order by itself is called as that order is written.
    chosen = zip(value.clicks, lines, strict=False)
    alone = {clicks[0]: line for clicks, line in chosen if len(clicks) == 1}
    # The spaces that orders name: name, its top and left, description, whether free, and what its
    # button says if not the name.
    spaces: list[Json] = []
    for cell, x, y in board.spots():
        if cell.space in named:
            ground = "" if cell in board.hand else ground_word(value.scene, cell.ground, wording)
            space = wording.space(cell)
            about = ", ".join((f"{space} {ground}".rstrip(), *mark_words(cell, wording)))
            label, place = alone.get(cell.space, space), (round(y), round(x))
            said = [label] if label != cell.space else []
            spaces.append([cell.space, *place, about, not cell.marks, *said])
    # The question to the seat: its sentence, both sides, the outcome of each answer.
    asked, question = value.scene.asked, value.scene.question
    asks: list[Json] = [] if asked is None else [wording.sentence(asked)]
    if question is not None:
        asks += text_question(question, wording)
        for choice in question.choices:
            asks.append(f"{wording.order(choice.order)}: {wording.sentence(choice.outcome)}")
    # Hands and other panels hidden from spectators; playing cards lie below the board.
    secrets: list[Json] = []
    for hand in value.scene.secrets:
        told_cards = [card_text(card, wording) for card in hand.cards if not card.mark]
        if held := [*told_cards, *(wording.sentence(note) for note in hand.notes)]:
            secrets.append([wording.word("panel", hand.title), [*held]])
    known = value.open_scene.told()
    own = (panel for panel in value.scene.told() if panel not in known)
    secrets += [[title, [*said]] for title, said in worded_panels(own, wording) if said]
    # What everybody knows beside the board; a table for cards shows little of it, not even bids.
    beside = value.scene.panels if value.scene.lattice == "table" else value.scene.told()
    shared = (panel for panel in beside if panel in value.open_scene.panels)
    told = [[title, " ".join(said)] for title, said in worded_panels(shared, wording)]
    # The seat's commonest piece, for spaces an order takes; before there are any, the first letter
    # of its name stands for them.
    marks = [
        replace(mark, afloat=False)
        for cell in value.scene.cells
        for mark in cell.marks
        if mark.seat == value.seat and mark.count is None and not mark.corner
    ]
    mark = max(marks, key=marks.count, default=Mark(seat[:1].upper(), "", value.seat))
    # Below the strip for names, where there is one.
    view = "0 -34 100 134" if value.scene.areas else "-9 -9 118 118"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}">'
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
        "piece": f"{head}{piece(mark, 50, 50, 100)}</svg>",
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
        "size": len(value.scene.cells),
        "spaces": spaces,
        "board": sheet.svg(),
        "told": told,
        "secrets": secrets,
    }


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


class PageOffer(Value):
    """The page as a mail offers it: behind a ``link``, or attached as a ``file``."""

    file: str = ""
    link: str = ""


def turn_page(turn: Document, packed: str, address: str) -> str:
    """Return the page of one turn, complete in itself; ``packed`` is the same turn.

    ``address`` is the referee's: the page writes to no other.
    """
    language = str(turn["language"])
    title = Catalogue(language).say("composer.title")
    title = title.format(turn["game"], turn["match"], turn["turn"])
    before, after = _page((language,), address).split(_TURN)
    head = before.replace(_TITLE, str(Markup.escape(title)))
    return f"{head}{packed}{after}"


def play_page(language: str, address: str) -> str:
    """Return the page for any turn: a link holds it behind ``#``, where no server sees it.

    ``language`` comes first where the turn cannot be read; it holds the words of all languages.
    ``address`` is the referee's: the page writes to no other.
    """
    others = (other for other in LANGUAGES if other != language)
    page = _page((language, *others), address).replace(_TURN, "")
    return page.replace(_TITLE, Catalogue(language).say("composer.page"))


def turn_link(page: str, packed: str) -> str | None:
    """Return the link to a page with a packed turn; None if it would be too long."""
    link = f"{page}#{packed}"
    return link if len(link) <= LONGEST_LINK else None


@cache
def _page(languages: Sequence[str], address: str) -> str:
    """Return the page without a turn; it is the same for all turns of a language."""
    style, script = inline_file("composer/style.css"), inline_file("composer/script.js")
    said = {language: Catalogue(language).say for language in languages}
    words = {
        language: {key: say(f"composer.{key}") for key in PAGE_WORDS}
        for language, say in said.items()
    }
    motifs = "".join(
        f'<symbol id="m-{name}" viewBox="0 0 100 100">{motif.strokes}</symbol>'
        for name, motif in sorted(MOTIFS.items())
        if motif.strokes
    )
    told = json.dumps({"to": address, "v": PACKING, "languages": words}, ensure_ascii=False)
    body = render_page(
        "composer/body.html.j2",
        motifs=Markup(motifs),  # noqa: S704 - drawn by us
        words=json_in_script(told),
    )
    return render_page(
        "composer/page.html.j2",
        language=languages[0],
        title=_TITLE,
        first=inline_file("composer/first.css"),
        unpack=inline_file("composer/unpack.js"),
        style=style,
        script=script,
        unscripted=[(language, say("composer.unscripted")) for language, say in said.items()],
        old_browser=[(language, say("composer.old_browser")) for language, say in said.items()],
        turn=_TURN,
        packed=pack_json([body, style.text, script.text]),
    )
