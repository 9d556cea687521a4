"""Memory of a thousand waiting letters; cost of a letter among ten thousand matches.

Memory is that of the real daemon, beyond what it holds after its first letters. The cost of a
letter is CPU from the inbox to the last mail sent, with ten matches and with ten thousand.
Run: python benchmarks/crowded.py [GAME]
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.crowd import Crowd, crowded

from referee.games import registry

LETTERS = 1000
FEW, MANY = 10, 10_000
ROUNDS = 6


def main() -> None:
    """Print both figures with what they should be at most."""
    game = sys.argv[1] if len(sys.argv) > 1 else registry.game_names()[0]
    with tempfile.TemporaryDirectory() as folder, crowded(Path(folder), game, FEW) as crowd:
        few = _cost(crowd)
        crowd.multiply(MANY // FEW)
        many = _cost(crowd)
        print(
            f"a letter with {FEW} matches {few:.2f} ms of CPU, with {MANY} {many:.2f} ms: "
            f"{many / few:.2f} times (aim: at most 1.30)"
        )
    with tempfile.TemporaryDirectory() as folder, crowded(Path(folder), game, 250) as crowd:
        _memory(crowd, Path(folder))


def _cost(crowd: Crowd) -> float:
    """Return the CPU of a letter in milliseconds; the least of several rounds."""
    rounds = []
    for _ in range(ROUNDS):
        raws = crowd.answers(FEW)
        crowd.deliver(raws)
        began = time.process_time()
        crowd.daemon().once()
        rounds.append(1000 * (time.process_time() - began) / len(raws))
    return min(rounds)


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
