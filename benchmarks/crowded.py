"""The cost of a letter, an idle minute and a command among few matches and among many.

The matches are in rotation: each letter is about the match whose last one lies furthest back, and
among many these are more than memory holds. The rest are copies. Every third player has a digest,
and each match a stand-in and a held order that are over. Costs are CPU of this process; the ratio
is what counts (aim: at most 1.1). At last: memory of a thousand waiting letters, beyond what the
real daemon holds after its first ones. Run: python benchmarks/crowded.py [GAME [FEW MANY]]
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from sqlalchemy import select
from support.crowd import Crowd, crowded

from referee.desk import agenda
from referee.desk.desk import Desk
from referee.desk.letters import queue
from referee.desk.overview.match import look_at_match
from referee.desk.overview.players import describe_player
from referee.desk.service import chores
from referee.desk.service.status import read_status
from referee.store import tables as t
from referee.store.people import players
from referee.store.play import matches, standins

LETTERS = 1000
FEW, MANY = 100, 10_000
ROTATING = 300
AT_ONCE = 20
ROUNDS = 5
MINUTE = 60


def main() -> None:
    """Print each figure with what it should be at most."""
    game = sys.argv[1] if len(sys.argv) > 1 else "nord"
    few, many = map(int, sys.argv[2:4]) if len(sys.argv) > 3 else (FEW, MANY)
    with tempfile.TemporaryDirectory() as folder, crowded(Path(folder), game, few) as crowd:
        _furnish(crowd)
        before = _costs(crowd)
        real = max(few, min(ROTATING, many))
        crowd.open_matches(game, real - few, first=few)
        crowd.multiply(many // real)
        after = _costs(crowd)
        for what, cost in before.items():
            print(
                f"{what}: {cost:.2f} ms of CPU with {few} matches, {after[what]:.2f} ms with "
                f"{many}: {after[what] / cost:.2f} times (aim: at most 1.1)"
            )
    if len(sys.argv) <= 3:
        with tempfile.TemporaryDirectory() as folder, crowded(Path(folder), game, 250) as crowd:
            _memory(crowd, Path(folder))


def _furnish(crowd: Crowd) -> None:
    """Give each match what is over, and every third player a digest that was written today."""
    desk = crowd.daemon().desk
    now = desk.now()
    past: dict[str, object] = {"begins": now - timedelta(days=9), "ends": now - timedelta(days=8)}
    with desk.store.writing() as connection:
        for row in matches.select_matches(connection):
            seat = matches.seats(connection, row.id)[0]
            assert seat.player_id is not None
            order = matches.add_standing_order(
                connection, row.id, seat.seat, "held", "pass", now, arrived=now, until=now
            )
            matches.end_standing_order(connection, order.id, "cancelled", now)
            stand_in = standins.add_stand_in(
                connection,
                row.id,
                seat.seat,
                owner_id=seat.player_id,
                player_id=None,
                bot="random",
                details={},
                created=now,
                **past,
            )
            standins.set_stand_in(connection, stand_in, "over")
            if seat.player_id % 3 == 0:
                players.update_player(connection, seat.player_id, digest="daily")
    _settle(desk)


def _settle(desk: Desk) -> None:
    while agenda.do_due_steps(desk) or chores.do_chores(desk):
        pass


def _costs(crowd: Crowd) -> Mapping[str, float]:
    """Return the milliseconds of each kind of work; the least of several rounds."""
    desk = crowd.daemon().desk
    _settle(desk)
    works: dict[str, Callable[[], None]] = {
        "one letter": lambda: crowd.daemon().once(),
        "one idle minute": lambda: _idle(desk),
        "match show": lambda: _show_match(desk),
        "player show": lambda: _show_player(desk),
        "status": lambda: _show_status(crowd, desk),
    }
    found = {}
    for what, work in works.items():
        rounds = []
        for _ in range(ROUNDS):
            ready = _deliver(crowd) if what == "one letter" else 1
            began = time.process_time()
            work()
            rounds.append(1000 * (time.process_time() - began) / ready)
        found[what] = min(rounds)
    return found


def _deliver(crowd: Crowd) -> int:
    """Put letters about the matches that were played least lately into the inbox."""
    raws = crowd.answers(AT_ONCE, in_rotation=True)
    crowd.deliver(raws)
    return len(raws)


def _idle(desk: Desk) -> None:
    """Look as often as the daemon does in a minute in which nothing happens."""
    for _ in range(MINUTE):
        agenda.has_due_step(desk)
        chores.do_chores(desk)
        queue.has_waiting(desk)


def _show_match(desk: Desk) -> None:
    with desk.reading() as change:
        row = change.connection.execute(select(t.matches.c.name).limit(1)).scalar_one()
        look_at_match(change, row, None, None)


def _show_player(desk: Desk) -> None:
    with desk.store.reading() as connection:
        describe_player(connection, 1)


def _show_status(_: Crowd, desk: Desk) -> None:
    read_status(desk)


def _memory(crowd: Crowd, folder: Path) -> None:
    log = (folder / "daemon.log").open("wb")
    command = [sys.executable, "-m", "referee", "run", "--config", str(crowd.installation.config)]
    process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        crowd.deliver(crowd.answers(50))
        crowd.wait_until_done()
        before = _resident(process.pid, "VmRSS")
        os.kill(process.pid, signal.SIGSTOP)
        waiting = [*crowd.answers(), *crowd.noise(LETTERS)][:LETTERS]
        crowd.deliver(waiting)
        os.kill(process.pid, signal.SIGCONT)
        began = time.perf_counter()
        crowd.wait_until_done()
        took = time.perf_counter() - began
        peak = _resident(process.pid, "VmHWM")
        print(
            f"{LETTERS} waiting letters in {took:.0f} s ({LETTERS / took:.1f} a second): memory "
            f"grew from {before:.0f} to {peak:.0f} MB, by {peak - before:.0f} MB (aim: at most 50)"
        )
    finally:
        process.terminate()
        process.wait()
        log.close()


def _resident(pid: int, what: str) -> float:
    """Return the memory of a process in MB; proc(5) tells it in kB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(what)) / 1024


if __name__ == "__main__":
    main()
