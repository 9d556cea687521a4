"""Static pages of the archive, each complete with style and script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.metadata import version
from typing import Any, Final

from markupsafe import Markup

from referee.games.game import CHANCE, Result, Seat
from referee.games.play import ENCODER
from referee.render.drawings.board import legend, text_board
from referee.render.drawings.charts import svg_chart
from referee.render.drawings.columns import letters_of, seat_letters
from referee.render.drawings.drawing import worded_panels
from referee.render.site.course import Course, CourseStep, PackedCourse
from referee.render.templates import InlineFile, inline_file, json_in_script, render_page
from referee.render.words.wording import Catalogue, Wording
from referee.resources import DISTRIBUTION, path
from referee.value import Value, asdict, replace

MOST_BYTES: Final = 390_000
"""Bytes of a match's page at most, to which the panels beside the board give way."""

SIDES: Final = ("all", "turns", "none")
"""Steps after which panels are shown: the first choice that fits is taken."""

PLAYED: Final = frozenset({"order", "chance"})
"""Kinds of events that are moves; the others have a sentence of their own among them."""

BADGED: Final = frozenset({*PLAYED, "end", "extend", "seat"})
"""Kinds of events whose seat did them, or got them; others only name the seat to act then."""


class SitePlayer(Value):
    """The player of a seat: a name, which may be empty, and perhaps a page."""

    seat: Seat
    name: str
    link: str | None


class MatchPage(Value):
    """The content of a match's page. ``about`` is a sentence, ``print`` its fingerprint.

    ``files`` stand beside it, for other programs. ``alone``: it is no page of an archive, and
    links to no other.
    """

    name: str
    about: str
    players: tuple[SitePlayer, ...]
    course: Course
    result: Result | None
    print: str
    files: tuple[str, ...] = ()
    alone: bool = False


class ListEntry(Value):
    """A match in a list. ``link`` leads to its page, if it has one, from the list's folder."""

    name: str
    link: str | None
    game_key: str
    game: str
    year: str
    who: str
    how: str


class Row(Value):
    """A line of a table of ratings."""

    place: int
    name: str
    link: str | None
    rating: str
    spread: str
    played: int
    won: int


class Table(Value):
    """A table of ratings. ``first`` heads the column of names, ``chart`` is SVG or empty."""

    title: str
    link: str | None
    first: str
    rows: tuple[Row, ...]
    chart: str = ""


def match_page(value: MatchPage, wording: Wording) -> str:
    """Return the page of a match."""
    course, result, say = value.course, value.result, wording.catalogue.say
    scenes, count = (course.start, *(step.scene for step in course.steps)), len(course.steps)
    seats = [player.seat for player in value.players]
    signs = seat_letters(seats, letters_of(scenes[-1]), wording)
    ranked = result is not None and result.ranks
    places = result.places if result and ranked else {}
    by_turn, stages = course.by_turn(), course.scorings
    points = result.points if result else by_turn[-1][1]
    rows: list[dict[str, Any]] = [
        {
            **asdict(player),
            "colour": wording.seat(player.seat),
            "place": places.get(player.seat, ""),
            "points": points.get(player.seat, 0),
            "letter": signs[player.seat],
        }
        for player in value.players
    ]
    curves = course.curves(signs, wording)
    chart = svg_chart(curves, say("site.chart"), [turn for _, turn in stages])
    # The legend is of every board that can be shown.
    entries = dict.fromkeys(entry for scene in scenes for entry in scene.legend)
    game = wording.word("game", "name")
    m = {
        "name": value.name,
        "game": game,
        "about": value.about,
        "whole": course.whole,
        "over": result is not None,
        "ranked": ranked,
        "scored": wording.game.scored,
        # Without places the sort is stable and leaves the order of seats.
        "seats": sorted(rows, key=lambda row: row["place"] or 0),
        "count": count,
        "stages": [round(100 * step / max(count, 1), 1) for step, _ in stages],
        "legend": " ".join(legend(replace(scenes[-1], legend=tuple(entries)), wording)),
        "panels": worded_panels(scenes[-1].panels, wording),
        "chart": Markup(chart),  # noqa: S704 - escaped there
        "by_turn": [(turn, [gained[seat] for seat in seats]) for turn, gained in by_turn],
        "files": () if value.alone else value.files,
        "steps": [_step(step, wording, signs) for step in course.steps],
        "text": "\n".join(text_board(scenes[-1], wording)),
    }
    # Tried from the richest to the barest; a long match loses its panels before its board.
    for panels in SIDES:
        packed = PackedCourse(course, wording, panels=panels)
        board = packed.picture(say("site.board_of", match=value.name))
        data = json_in_script(ENCODER.encode(packed.document()))
        page = _page(
            "match",
            wording.catalogue,
            f"{value.name} · {game}",
            "../",
            value.print,
            scripted=True,
            m=m | {"board": Markup(board), "data": data},  # noqa: S704 - escaped there
            alone=value.alone,
        )
        if len(page.encode()) <= MOST_BYTES:
            break
    return page


def _step(step: CourseStep, wording: Wording, signs: Mapping[Seat, str]) -> dict[str, Any]:
    say, turn, seat = wording.catalogue.say, step.turn, step.seat
    named = "" if seat in {None, CHANCE} else wording.seat(str(seat))
    if step.kind not in PLAYED:
        # Where a seat ended the match, it resigned.
        head = say(f"site.kind_{step.kind}", turn=turn, to=step.to, seat=named, late=step.late)
    elif named:
        head = say("site.seat_step", turn=turn, seat=named, forced=step.forced)
    else:
        head = say("site.chance_step", turn=turn)
    return {
        "head": head,
        "seat": seat,
        "letter": signs.get(seat or "") if step.kind in BADGED else None,
        "order": step.order,
        "facts": " ".join(wording.facts(step.facts)),
        "undone": step.undone,
    }


def index_page(
    catalogue: Catalogue,
    entries: Sequence[ListEntry],
    games: Sequence[tuple[str, str]],
    years: Sequence[str],
) -> str:
    """Return the list of all matches, with a search in browsers that run scripts."""
    title = catalogue.say("site.archive")
    fields = {"entries": entries, "games": games, "years": years}
    return _page("index", catalogue, title, "", "index", scripted=True, **fields)


def ratings_page(
    catalogue: Catalogue,
    title: str,
    tables: Sequence[Table],
    *,
    root: str = "",
    entries: Sequence[ListEntry] = (),
) -> str:
    """Return a page of ratings, and matches below it if given."""
    return _page("ratings", catalogue, title, root, "ratings", tables=tables, entries=entries)


def look_of_pages() -> str:
    """Return a digest of all that pages share: this version and its templates."""
    folder = path("templates") / "site"
    digest = sha256(version(DISTRIBUTION).encode())
    for file in sorted(folder.iterdir()):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _page(
    template: str,
    catalogue: Catalogue,
    title: str,
    root: str,
    mark: str,
    *,
    scripted: bool = False,
    **fields: object,
) -> str:
    style = inline_file("site/style.css")
    code = inline_file(f"site/{template}.js") if scripted else InlineFile(Markup(), "")
    page = render_page(
        f"site/{template}.html.j2",
        language=catalogue.language,
        t=catalogue.say,
        title=title,
        root=root,
        print=mark,
        style=style.text,
        style_hash=style.hash,
        script=code.text,
        script_hash=code.hash,
        **{"alone": False, **fields},
    )
    return f"{page}\n"
