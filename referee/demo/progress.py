"""The progress and result of a demo, as lines for a terminal."""

from __future__ import annotations

from referee.desk.desk import Change, Desk
from referee.desk.matches import ledger
from referee.desk.matches.ledger import result_of
from referee.desk.players import names_of
from referee.render.drawings.drawing import draw_scene
from referee.render.words.wording import Wording
from referee.store.play import matches
from referee.store.post import tallies
from referee.store.states import UNSENT
from referee.store.tables.play import MatchRow


def match_progress(desk: Desk, name: str) -> tuple[str, bool]:
    """Return turn and points, and whether match and mail are done."""
    with desk.reading() as change:
        row = matches.find_match(change.connection, name)
        if row is None or row.header is None:
            return f"{name} waits for its players.", False
        loaded = ledger.load_match(change, row)
        names = names_of(change.connection, loaded.seats)
        counts = tallies.count_mails(change.connection)
        left = not row.released or any(counts.get(state) for state in UNSENT)
    points = loaded.game.points(loaded.live.position)
    told = ", ".join(f"{seat} ({names[seat]}) {points[seat]}" for seat in points)
    return f"turn {row.turn:>3}: {told}", row.state == "over" and not left


def final_board(change: Change, row: MatchRow) -> str:
    """Return the final board and the places."""
    loaded = ledger.load_match(change, row)
    wording = Wording(loaded.game, change.desk.settings.language)
    scene = loaded.game.scene(loaded.game.view(loaded.live.position, None))
    lines = ["", *draw_scene(scene, wording).text, ""]
    result = result_of(row)
    if result is not None:
        lines.append(wording.ending(result.ending))
        names = names_of(change.connection, loaded.seats)
        for seat in sorted(result.places, key=lambda seat: result.places[seat]):
            where = f"{result.places[seat]}. {wording.seat(seat)} ({names[seat]})"
            lines.append(f"{where}: {result.points[seat]} points")
    return "\n".join(lines)
