"""Size and readiness of the composer's page, over random matches.

Printed for each game: the largest page, the longest link, CPU to make both, and how long headless
Chromium takes from opening the largest page until it can be clicked, the median of some openings.
Run: python benchmarks/composer.py [MATCHES-OF-EACH]
"""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.browser import Browser, chromium

from referee.games import registry
from referee.games.game import CHANCE
from referee.mail.incoming.marks import box_lines
from referee.render.composer import LONGEST_LINK, ComposedTurn, pack_json, turn_document, turn_page
from referee.render.words.wording import Wording

EACH = 2
OPENINGS = 9
MOST_BYTES = 120_000
MOST_READY = 300
PAGE = "https://games.example.org/play.html#"
READY = "return document.documentElement.dataset.ready"


def main() -> None:
    """Print a line for each game; fail where a page is too large or too slow."""
    each = int(sys.argv[1]) if len(sys.argv) > 1 else EACH
    good = True
    with TemporaryDirectory() as folder, chromium() as browser:
        for name in registry.game_names():
            pages, links, cpu = _measured(name, each)
            largest = max(pages, key=len)
            ready = _readiness(browser, Path(folder) / "turn.html", largest)
            long = sum(each > LONGEST_LINK for each in links)
            print(
                f"{name:8} page {len(largest) / 1000:.1f} kB (at most {MOST_BYTES / 1000:.0f}), "
                f"link {max(links)} characters, {long} of {len(links)} over {LONGEST_LINK}, "
                f"{cpu * 1000:.1f} ms CPU, ready in {ready:.0f} ms (at most {MOST_READY})"
            )
            good = good and len(largest) <= MOST_BYTES and ready <= MOST_READY
    sys.exit(0 if good else 1)


def _measured(name: str, count: int) -> tuple[list[bytes], list[int], float]:
    """Return pages, lengths of links, and seconds of CPU for one page."""
    pages, links, seconds = [], [], []
    for seed in range(count):
        for turn in _turns(name, seed):
            wording = Wording(registry.find_installed(name), "de")
            began = time.process_time()
            document = turn_document(turn, wording)
            packed = pack_json(document)
            page = turn_page(document, packed, "referee@example.org")
            seconds.append(time.process_time() - began)
            pages.append(page.encode())
            links.append(len(PAGE) + len(packed))
    return pages, links, median(seconds)


def _turns(name: str, seed: int) -> list[ComposedTurn]:
    """Return every turn of a random match with all seats."""
    game, rng = registry.find_installed(name), Random(seed)
    seats = game.colours[: max(game.seats)]
    options = {key: each.default for key, each in game.options.items()}
    position = game.start(seats, options, game.board(seats, options, None, rng))
    found: list[ComposedTurn] = []
    while (actor := game.to_act(position)) is not None and len(found) < game.max_orders:
        if actor == CHANCE:
            outcomes, weights = zip(*game.chance(position), strict=True)
            order = rng.choices(outcomes, weights)[0]
        else:
            legal = game.orders(position)
            order = rng.choice(legal)
            at, seat = len(found), Wording(game, "de").seat(actor)
            box = box_lines(f"{name}-1", at, seat, "ABCD2345", "de", "", at)
            found.append(
                ComposedTurn(
                    match=f"{name}-1",
                    seat=actor,
                    turn=at,
                    at=at,
                    due=datetime(2026, 12, 1, 18, tzinfo=UTC),
                    zone="Europe/Berlin",
                    to="referee+abcd2345@example.org",
                    subject=f"[{name}-1] {name}",
                    box=box,
                    scene=game.scene(game.view(position, actor)),
                    open_scene=game.scene(game.view(position, None)),
                    orders=legal,
                    count=len(legal),
                )
            )
        position, _ = game.apply(position, order)
    return found


def _readiness(browser: Browser, file: Path, page: bytes) -> float:
    """Return the milliseconds from opening a page until it can be clicked."""
    file.write_bytes(page)
    found = []
    for _ in range(OPENINGS):
        browser.open(file)
        while (ready := browser.run(READY)) is None:
            time.sleep(0.01)
        found.append(float(ready))
    return median(found)


if __name__ == "__main__":
    main()
