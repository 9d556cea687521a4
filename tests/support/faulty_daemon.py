"""The daemon as it is, started so that it is killed at a point or stumbles on the way.

`python -m support.faulty_daemon` imports everything and forks such daemons, and commands as they
are, by lines of JSON: a start then takes a few milliseconds in place of a second.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import pkgutil
import resource
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NoReturn

from support import faults, stumbling

APPENDED: Final = os.O_WRONLY | os.O_CREAT | os.O_APPEND


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """Return what is to be run."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--config")
    parser.add_argument("--point", choices=[faults.ANY, *faults.points()])
    parser.add_argument("--hit", type=int, default=1)
    parser.add_argument("--report", help="a file the point is written to before the kill")
    parser.add_argument("--stumble", action="append", default=[])
    parser.add_argument("--poisonous", action="store_true")
    parser.add_argument("--impatient", action="store_true")
    parser.add_argument("--file-bytes", type=int, help="how large a file may become")
    parser.add_argument("--read", action="store_true")
    parser.add_argument("--work", action="store_true")
    parser.add_argument("--no-lease", action="store_true", help="let two daemons run")
    return parser.parse_args(words)


def run(given: argparse.Namespace) -> NoReturn:
    """Become the daemon."""
    report = 2
    if given.report:
        report = os.open(given.report, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    if given.impatient:
        stumbling.impatient()
    if given.poisonous:
        stumbling.poisonous()
    if given.no_lease:
        stumbling.without_lease()
    for name in given.stumble:
        stumbling.stumble(name)
    faults.install(faults.Passing(given.point, given.hit, report))
    if given.file_bytes:
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (given.file_bytes, most))
    from referee.cli import main

    parts = [f"--{part}" for part in ("read", "work") if getattr(given, part)]
    sys.argv = ["referee", "run", "--config", given.config, *parts]
    main()
    sys.exit(0)


def serve() -> None:
    """Fork what every line asks for; say its process number, and when it has ended its status.

    A process between waits for it, so that any number may run beside each other.
    """
    _warm_up()
    gc.freeze()
    for line in sys.stdin:
        # Those that have waited are waited for, and leave no trace.
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        if os.fork() == 0:
            wish = json.loads(line)
            pid = os.fork()
            if pid == 0:
                _child(wish)
            _say({"number": wish["number"], "pid": pid})
            _, status = os.waitpid(pid, 0)
            _say({"number": wish["number"], "status": os.waitstatus_to_exitcode(status)})
            os._exit(0)


def _warm_up() -> None:
    """Import and compile once what every daemon would: modules, templates, schemas."""
    from support.club import open_club

    import referee

    for module in pkgutil.walk_packages(referee.__path__, "referee."):
        if not module.name.startswith(("referee.store.migrations.", "referee.__main__")):
            import_module(module.name)
    assert faults.points()
    with TemporaryDirectory() as folder:
        club = open_club(Path(folder))
        club.new_match("pebbles", "red=alice@example.test", "blue=bob@example.test")
        club.work()
        report = club.last("alice@example.test", "report")
        for text in ("put 9 A1", "message all\nhello\nend", report.turn_file["legal"][0]):
            club.answer(report, text, "alice@example.test")
        club.work()
        club.desk.store.close()


def _child(wish: dict[str, Any]) -> NoReturn:
    """Become a command, or the daemon that things go wrong in."""
    status = 1
    try:
        os.environ.clear()
        os.environ.update(wish["environ"])
        time.tzset()
        os.chdir(wish["folder"])
        streams = [(os.devnull, os.O_RDONLY), *((file, APPENDED) for file in wish["says"])]
        for number, (file, flags) in enumerate(streams):
            os.dup2(os.open(file, flags), number)
        if wish["faulty"]:
            run(arguments(wish["words"]))
        from referee.cli import main

        sys.argv = ["referee", *wish["words"]]
        main()
        status = 0
    except SystemExit as done:
        status = int(done.code or 0)
    except Exception:  # noqa: BLE001 - shown as Python itself would
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _say(document: object) -> None:
    # In one piece, as several processes say something.
    os.write(1, f"{json.dumps(document)}\n".encode())


if __name__ == "__main__":
    serve()
