"""Reports: the mails to players and spectators when a match rests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from msgspec import field

from referee.games.game import (
    CellValue,
    Options,
    Order,
    Result,
    Row,
    Scene,
    Scoresheet,
    Seat,
    Table,
    Word,
)
from referee.render import common, grids
from referee.render.common import TurnFacts
from referee.render.content import PLAIN, REFUSED, Content, Framing, Look
from referee.render.drawings.changes import Changes
from referee.render.drawings.charts import chart_picture
from referee.render.drawings.columns import letters_of, seat_letters
from referee.render.drawings.pieces import ink_of
from referee.render.drawings.raster import DrawnPicture, draw_picture
from referee.render.grids import Letters
from referee.render.layout import LONGEST_PARAGRAPH, capital, clean
from referee.render.news import NewsRow, TurnNews, in_short, news_rows, what_changed
from referee.render.receipts import Brief
from referee.render.site.course import Course
from referee.render.words.rules import Block
from referee.render.words.wording import Wording
from referee.resources import keywords
from referee.value import Value, replace

ChanceNote = Literal["alone", "words", "practice"]

_OVER: Final = Look("#1c2126", "#ffffff")
"""The look of a last report."""

POINTS: Final = Word("column", "points")
"""The head of a column of everybody's points."""

Parts = Mapping[CellValue, Mapping[Seat, int]]
"""The points of each seat by their origin."""

MOST_PARTS: Final = 5
"""Origins a table has room for on a phone."""

CHART_WIDTH: Final = 900
"""Width of the chart in pixels."""

_AS_GIVEN: Final = (
    "away", "commitment", "credits", "ended", "first", "mended", "newcomer", "standing", "withheld",
)  # fmt: skip
"""Fields of a report that its template takes as they are."""

RECORD: Final = ".record.jsonl.gz"
KEEPSAKE: Final = ".zip"
"""How the names of a match's compressed record and of its keepsake end, a page to replay it on."""


class Ending(Value):
    """The end of a match in its last reports: its course, and the names of the files attached.

    ``left_out``: its record is too large for a mail.
    """

    course: Course | None = None
    files: tuple[str, ...] = ()
    left_out: bool = False


class Report(TurnFacts, kw_only=True):
    """The content of a report.

    ``turns`` hold the facts since the last report that this seat may learn, and ``before`` is the
    board of that one, ``gained`` the points gained since; ``first``: there was none in this match;
    ``newcomer``: it was under way when its reader came, who has had none. ``legal`` are the seat's
    possible orders; ``chance_note`` says where the seed came from, if chance has any part.
    ``credits`` are sentences about time that was given, ``away`` about absences, ``standing`` about
    the orders this seat gave in advance, ``ended`` about the fate of others since the last report,
    ``mended`` about moves taken back or positions set right since (``commitment`` is that of a new
    seed). ``remarks`` are the player's own notes. ``options`` are the match's, if its orders hang
    on them. ``withheld`` replaces the seat's own part, in a report without it. ``introduction`` is
    that of the game, for a reader to whom it may be new. ``replied`` are the briefs of replies that
    this report goes out in place of. ``offered`` is the seat that offers its reader a draw.
    """

    scene: Scene
    turns: tuple[TurnNews, ...]
    legal: tuple[Order, ...]
    points: Mapping[Seat, int]
    head: str
    chance_note: ChanceNote | None
    result: Result | None
    before: Scene | None = None
    gained: Mapping[Seat, int] = field(default_factory=dict)
    first: bool = False
    newcomer: bool = False
    reminder: bool = False
    credits: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    commitment: str | None = None
    remarks: tuple[str, ...] = ()
    withheld: str = ""
    options: Options | None = None
    ending: Ending = Ending()
    replied: tuple[Brief, ...] = ()
    introduction: tuple[Block, ...] = ()
    offered: Seat | None = None

    @property
    def mine(self) -> bool:
        """Whether its reader is to act."""
        return self.seat is not None and self.to_act == self.seat

    @property
    def whole(self) -> bool:
        """Whether it tells everything: its reader is to act, or the match is over."""
        return self.mine or self.to_act is None


def report_content(wording: Wording, value: Report, framing: Framing) -> Content:
    """Return the mail with board, changes and possible orders."""
    rows = _rows(value, wording)
    # The bar is of the reader's own colour when they are to act.
    ink = ink_of(value.seat)
    look = Look(ink.fill, ink.ink, ink.edge) if value.mine else PLAIN
    if value.to_act is None:
        look = _OVER
    elif _refused(value):
        look = REFUSED
    return Content(
        "report",
        common.subject(value.match, value.seat, value.names, wording),
        *_headline_and_news(value, rows, wording),
        framing,
        wording.catalogue,
        _fields(wording, value, rows),
        look=look,
    )


def in_two_lines(value: Report, wording: Wording) -> tuple[str, tuple[str, ...]]:
    """Return a report's turn in a sentence, and its news."""
    if value.result is not None:
        state = " ".join(_outcome(value, value.result, wording).split())
    else:
        state = common.turn_sentence(value, value.scene, wording)
    rows = _rows(value, wording)
    return state, tuple("".join(sentence) for row in rows for sentence in row.sentences)


def changes_told(value: Report, wording: Wording) -> Changes:
    """Return the changes of the board that a report points out, with the rows that tell of them."""
    return what_changed(_rows(value, wording), value.before, value.scene, wording)


def _rows(value: Report, wording: Wording) -> tuple[NewsRow, ...]:
    letters = letters_of(value.scene)
    return news_rows(value.turns, value.seat, value.names, letters, wording)


def _fields(wording: Wording, value: Report, rows: Sequence[NewsRow]) -> dict[str, Any]:
    """Return the variables of a report's template."""
    say, scene, course = wording.catalogue.say, value.scene, value.ending.course
    record, keepsake = f"{value.match}{RECORD}", f"{value.match}{KEEPSAKE}"
    legal = value.legal if value.mine else ()
    changes = what_changed(rows, value.before, scene, wording)
    board = scene
    if not value.whole:
        # What stands beside the board is not told with it; who waits gets but the first table.
        panels = scene.panels if grids.needs_panels(scene) else ()
        board = replace(scene, tables=scene.tables[:1], panels=panels)
        # Who has seen the signs before, and decides nothing by them, is spared their meanings.
        if not value.first and not value.newcomer:
            board = replace(board, legend=())
    drawing = common.draw_board(value, board, changes, wording)
    letters = letters_of(scene)
    places = chart = None
    # A match that was broken off has no places worth showing.
    if value.result and value.result.ranks:
        parts = parts_of(course, value.result, wording) if course else {}
        places = grids.result_grid(value.result, value.names, parts, letters, wording)
        if course and value.pictured and wording.game.scored:
            chart = chart_of(course, letters, wording)
    pointed = places or _tells_points(value) or not wording.game.scored
    # Who waits decides nothing by them; the first tells everybody's points.
    gains = _with_gains(scene, value.gained)
    beside = grids.beside_board(
        gains, wording, changes.by_place(scene), whole=value.whole, pictured=value.pictured
    )
    # Where the seed came from is told in the first and last report.
    told = value.chance_note and (value.first or value.to_act is None)
    chance = [say(f"chance.{value.chance_note}")] if told else []
    offered = ""
    if value.offered is not None:
        who = capital(common.seat_and_player(value.offered, value.names, wording))
        offered = say("report.offered", who=who)
    if value.result is not None:
        # With the end of the match its secrets end.
        beside["hands"] = ()
    return {
        **{name: getattr(value, name) for name in _AS_GIVEN},
        **beside,
        "about": common.about(value, wording),
        # A subject has no room for the news before it, but orders not played come first.
        "telling": "" if value.result or _refused(value) else _turn(value, wording),
        "blocks": value.introduction,
        "replied": [part for brief in value.replied for part in brief.parts],
        "places": places,
        "chart": chart,
        "record": record if record in value.ending.files else "",
        "keepsake": keepsake if keepsake in value.ending.files else "",
        "files": [name for name in value.ending.files if name not in {record, keepsake}],
        "left_out": value.ending.left_out,
        "rows": rows,
        "offered": offered,
        "answers": [say(f"invitation.{word}") for word in ("agree", "decline")],
        "remarks": [clean(remark, LONGEST_PARAGRAPH) for remark in value.remarks],
        "choices_withheld": value.withheld if value.mine else "",
        "drawing": drawing,
        "chips": grids.chips_of(value.names, letters, wording),
        "question": grids.worded_question(scene.question, value.names, wording),
        "points": [] if pointed else common.standings(value.points, value.names, wording),
        "groups": common.examples(legal, wording),
        "asks": "orders" if value.mine else "queue" if value.to_act else "message",
        **common.turn_end(scene, wording),
        "help_orders": _help(value, wording),
        "notes": [*chance, *common.closing_notes(wording, value.head)],
    }


def _help(value: Report, wording: Wording) -> Sequence[tuple[str, str]]:
    """Return examples of orders, in the first report of a match.

    If the seat is asked a question, only answers to it, unless the question comes with them.
    """
    asked, choices = value.scene.asked, value.scene.question and value.scene.question.choices
    if not value.mine or choices or (asked is None and not value.first):
        return []
    known = wording.help_orders(value.options, value.legal)
    if asked is None:
        # Players look for these among the moves.
        ends = {"draw", "resign"} if wording.game.draws else {"resign"}
        commands = wording.catalogue.commands
        return [*known, *(row for row in commands if keywords("keyword").get(row[0]) in ends)]
    words = {wording.order(order).split()[0] for order in value.legal}
    return [(order, line) for order, line in known if order.split()[0] in words]


def _tells_points(value: Report) -> bool:
    """Whether a table or the panels beside the board already give everybody's points."""
    points = value.points
    for table in value.scene.tables:
        rows = [row.cells for row in table.rows]
        by_seat = {cells[0].key: cells for cells in rows if isinstance(cells[0], Word)}
        if points and set(by_seat) == set(points):
            columns = zip(*(by_seat[seat] for seat in points), strict=True)
            if any(list(column) == list(points.values()) for column in columns):
                return True
    told = [sentence.fields for panel in value.scene.panels for sentence in panel.sentences]
    known = [(said["seat"], said["points"]) for said in told if {"seat", "points"} <= set(said)]
    # Games that show points in a panel need no second table of the same numbers.
    return bool(known) and all(pair in known for pair in points.items())


def _with_gains(scene: Scene, gained: Mapping[Seat, int]) -> Scene:
    """Return a scene whose tables tell gained points in brackets behind all points."""

    def told(table: Table, row: Row) -> Row:
        head = row.cells[0]
        more = gained.get(head.key, 0) if isinstance(head, Word) else 0
        if not more or POINTS not in table.columns:
            return row
        at = table.columns.index(POINTS)
        cells = (*row.cells[:at], f"{row.cells[at]} ({more:+})", *row.cells[at + 1 :])
        return replace(row, cells=cells)

    if not gained:
        return scene
    tables = (
        replace(table, rows=tuple(told(table, row) for row in table.rows)) for table in scene.tables
    )
    return replace(scene, tables=tuple(tables))


def _headline_and_news(
    value: Report, rows: Sequence[NewsRow], wording: Wording
) -> tuple[str, list[str]]:
    """Return the first words of a report and the news for its frame.

    A line break parts words of two lines; of the news the longest wording comes first.
    """
    say = wording.catalogue.say
    if value.result is not None:
        place = _place(value, value.result, wording)
        over = say("news.over_place", **place) if place else say("news.over")
        return _outcome(value, value.result, wording), [over]
    headline = _turn(value, wording)
    second_line = " ".join(headline.split())
    yours = "news.yours_still" if value.reminder else "news.yours"
    news = [common.turn_news(value, value.scene, wording, yours)]
    if refused := _refused(value):
        told = say("news.refused")
        return f"{refused}\n{second_line}", [f"{told}. {news[0]}", told]
    last = rows[-1] if rows else None
    if value.mine or last is None or last.seat is None or last.seat == value.seat:
        return headline, news
    if last.sentences and last.sentences[0][0]:
        who = capital(common.seat_and_player(last.seat, value.names, wording))
        headline = f"{say('turn.played', seat=who, said=in_short(last))}\n{second_line}"
    if value.to_act is not None:
        news.insert(0, f"{say('news.played', seat=wording.seat(last.seat))}. {news[0]}")
    return headline, news


def _turn(value: Report, wording: Wording) -> str:
    yours = "turn.yours_still" if value.reminder and value.mine else "turn.yours"
    return common.turn_sentence(value, value.scene, wording, yours, brief=True)


def _refused(value: Report) -> str:
    """Return the first sentence about orders not played, if any."""
    return next((brief.refused for brief in value.replied if brief.refused), "")


def _outcome(value: Report, result: Result, wording: Wording) -> str:
    reason, place = wording.ending(result), _place(value, result, wording)
    if not place:
        return wording.catalogue.say("turn.over_by", ending=reason)
    return f"{wording.catalogue.say('turn.over_place', **place)}\n{capital(reason)}"


def _place(value: Report, result: Result, wording: Wording) -> dict[str, Any]:
    """Return the place of a report's reader, and of how many; empty if there is none.

    Partners have one place together.
    """
    place = result.places.get(value.seat or "")
    if place is None or not result.ranks:
        return {}
    places, partners = [*result.places.values()], wording.game.partners
    ordinal = wording.catalogue.say("report.ordinal", n=1 + (place - 1) // partners)
    shared = places.count(place) > partners
    return {"place": ordinal, "n": len(places) // partners, "first": place == 1, "shared": shared}


def parts_of(course: Course, result: Result, wording: Wording) -> Parts:
    """Return the origins of all points: scorings, and the rest.

    Empty where no scoring was told, or where they have too many parts.
    """
    parts: dict[CellValue, dict[Seat, int]] = {}
    facts = [fact for step in course.steps if not step.undone for fact in step.facts]
    for sheet in wording.game.scoresheets(facts):
        if not isinstance(sheet, Scoresheet):
            continue
        rows = [row for row in sheet.rows if isinstance(row[0], Word)]
        if sheet.part is not None:
            rows = [(sheet.part, sheet.sums[0][1])] if sheet.sums else []
        for origin, numbers in rows:
            gained = parts.setdefault(origin, {})
            for seat, number in zip(sheet.seats, numbers, strict=True):
                gained[seat] = gained.get(seat, 0) + (number or 0)
    if not parts or len(parts) > MOST_PARTS:
        return {}
    rest = {
        seat: points - sum(gained.get(seat, 0) for gained in parts.values())
        for seat, points in result.points.items()
    }
    return {**parts, wording.catalogue.say("report.rest"): rest} if any(rest.values()) else parts


def chart_of(course: Course, letters: Letters, wording: Wording) -> DrawnPicture | None:
    """Return the points after each turn as a picture; None if it cannot be drawn."""
    curves = course.curves(seat_letters(course.points, letters, wording), wording)
    drawing = chart_picture(curves, [turn for _, turn in course.scorings])
    label = wording.catalogue.say("report.chart")
    return draw_picture(drawing, CHART_WIDTH, label) if drawing else None
