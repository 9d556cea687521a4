"""Coverage of the last `make coverage` by room, held against the floor in pyproject.toml."""

from __future__ import annotations

import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from coverage import Coverage

COUNTED = ("num_statements", "num_branches")
REACHED = ("covered_lines", "covered_branches")


def room_of(path: str) -> str:
    """Return the room of a module: a folder of the house, or one of the desk's."""
    parts = Path(path).parts[1:-1]
    return "/".join(parts[: 2 if parts[:1] == ("desk",) else 1]) or "referee"


def by_room(files: dict[str, Any]) -> dict[str, float]:
    """Return the percentage of statements and branches reached in each room."""
    sums: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for path, each in files.items():
        for place, names in enumerate((REACHED, COUNTED)):
            sums[room_of(path)][place] += sum(each["summary"][name] for name in names)
    return {room: 100 * reached / of for room, (reached, of) in sorted(sums.items()) if of}


def main() -> int:
    """Print every room and the total; return 1 if it is below the floor."""
    measured = Coverage()
    measured.load()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "coverage.json"
        total = measured.json_report(outfile=str(path))
        files = json.loads(path.read_text())["files"]
    for room, percent in by_room(files).items():
        print(f"{room:20} {percent:6.1f} %")  # noqa: T201
    floor = float(measured.get_option("report:fail_under"))
    print(f"{'total':20} {total:6.1f} %, floor {floor} %")  # noqa: T201
    return int(total < floor)


if __name__ == "__main__":
    sys.exit(main())
