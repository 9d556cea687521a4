"""Print how the referee reads each program: ``python -m support.clients [--all] [program …]``."""

from __future__ import annotations

import sys

from support.clients.measuring import Measure, lines, named
from support.stage import stage

if __name__ == "__main__":
    names = [each for each in sys.argv[1:] if not each.startswith("-")]
    table = Measure(stage("nord", turns=4)).table(named(names), every="--all" in sys.argv)
    for line in lines(table):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
