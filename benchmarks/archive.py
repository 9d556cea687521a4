"""How fast the archive works: orders an audit replays a second, pages written a minute.

Bots play every game in an installation made for it, with the fewest seats and with all. The
yardstick of the audit is SHA-256 over the canonical JSON of the same events; that of the pages is
the same number of bytes through a template. Seconds are of one core. Run:
python benchmarks/archive.py [MATCHES-OF-EACH]
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jinja2 import Environment
from sqlalchemy import Connection
from support.club import club_settings

from referee.desk import agenda
from referee.desk.archive import audit as archive_audit
from referee.desk.archive.audit import begun_matches
from referee.desk.archive.site.pages import Site, WritingProgress
from referee.desk.desk import Desk
from referee.desk.players import parse_holder
from referee.desk.seats import setup
from referee.desk.seats.setup import MatchSetup, read_options
from referee.games import registry
from referee.games.play import canonical_json
from referee.store.play import matches
from referee.store.store import create_store, open_store

EACH = 2


def main() -> None:
    """Print the audit and the pages of each game, with their yardsticks."""
    each = int(sys.argv[1]) if len(sys.argv) > 1 else EACH
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/referee.db"
        create_store(url)
        with open_store(url) as store:
            desk = Desk(store, club_settings())
            names = played(desk, each)
            audit(desk)
            pages(desk, Path(folder), names)


def timed(act: Callable[[], Any]) -> tuple[Any, float]:
    """Time an act: its result, and the seconds of CPU it took."""
    began = time.process_time()
    found = act()
    return found, max(time.process_time() - began, 1e-9)


def played(desk: Desk, each: int) -> dict[str, list[int]]:
    """Let bots play; return the numbers of the matches by game and seats."""
    found: dict[str, list[int]] = {}
    for name in registry.game_names():
        game = registry.find_installed(name)
        for count in sorted({game.seats[0], game.seats[-1]}):
            holders = tuple(parse_holder(f"{s}=bot:random", game) for s in game.colours[:count])
            for _ in range(each):
                plan = MatchSetup(game, holders, read_options(game, []), begins=True)
                with desk.writing() as change:
                    row = setup.set_up_match(change, plan)
                found.setdefault(f"{name} {count}", []).append(row.id)
    while agenda.do_due_steps(desk):
        pass
    return found


def audit(desk: Desk) -> None:
    """Print the audit's orders a second, beside hashing the same events."""
    found, seconds = timed(
        lambda: list(archive_audit.audit_matches(desk, archive_audit.Progress()))
    )
    progress = found[-1][0]
    if progress.faults:
        raise SystemExit(f"the audit found faults: {progress.faults}")
    with desk.store.reading() as connection:
        rows = matches.select_matches(connection)
        documents = [each for row in rows for each in texts(connection, row)]
    _, hashing = timed(lambda: [hashed(each) for each in documents])
    rate, yardstick = progress.orders / seconds, len(documents) / hashing
    print(f"audit {rate:10,.0f} orders/s     {rate / yardstick:.3f} of hashing {yardstick:,.0f}/s")


def texts(connection: Connection, row: Any) -> list[Any]:
    """Return the events of a match as JSON."""
    return [json.loads(each.body) for each in matches.events(connection, row.id)]


def hashed(document: Any) -> str:
    """Return the SHA-256 of a document's canonical JSON."""
    return hashlib.sha256(canonical_json(document).encode()).hexdigest()


def pages(desk: Desk, folder: Path, names: dict[str, list[int]]) -> None:
    """Print matches a minute: for each game and number of seats, for all, and for no changes."""
    site, done, times = Site(desk, folder / "pages", "en"), WritingProgress(), list[float]()
    for label, numbers in names.items():
        _, seconds = timed(lambda numbers=numbers: list(site.write_matches(numbers, done)))
        times.append(seconds)
        tell(len(numbers), seconds, label)
    size = sum(each.stat().st_size for each in (folder / "pages" / "matches").iterdir())
    source = "{% for x in xs %}<i>{{ x }}</i>{% endfor %}"
    template = Environment(autoescape=True).from_string(source)
    _, yardstick = timed(lambda: template.render(xs=["x" * 43] * (size // 50)))
    tell(done.written, sum(times), f"all: {sum(times) / yardstick:.1f} times the template")
    _, seconds = timed(lambda: list(site.write_matches(begun_matches(site.desk), done)))
    tell(done.unchanged, seconds, "when nothing changed")


def tell(count: int, seconds: float, label: str) -> None:
    """Print how many pages that is a minute."""
    print(f"pages {60 * count / seconds:10,.0f} matches/min  {label}")


if __name__ == "__main__":
    main()
