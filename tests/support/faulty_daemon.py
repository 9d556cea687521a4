"""The daemon as it is, started so that it is killed at a point or stumbles on the way.

`python -m support.faulty_daemon --config FILE --point NAME --hit N` runs one. With `--serve` one
process imports everything and forks a daemon for every line of arguments it is given as JSON: a
start then takes a few milliseconds in place of a second.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

from support import faults, stumbling


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Return what is to be run."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--serve", action="store_true")
    parser.add_argument("--config")
    parser.add_argument("--point", choices=[faults.ANY, *faults.points()])
    parser.add_argument("--hit", type=int, default=1)
    parser.add_argument("--report", help="a file the point is written to before the kill")
    parser.add_argument("--log", help="a file for what the daemon says")
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
    if given.log:
        descriptor = os.open(given.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(descriptor, 1)
        os.dup2(descriptor, 2)
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
    """Fork a daemon for every line; say its process number, and when it has ended its status."""
    _warm_up()
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            _child(json.loads(line))
        _say({"pid": pid})
        _, status = os.waitpid(pid, 0)
        _say({"status": os.waitstatus_to_exitcode(status)})


def _warm_up() -> None:
    """Import and compile once what every daemon would: modules, templates, schemas."""
    import aiosmtplib
    import imapclient
    from support.club import open_club

    import referee.cli.run
    import referee.daemon.daemon

    assert all((aiosmtplib, imapclient, referee.cli.run, referee.daemon, faults.points()))
    with TemporaryDirectory() as folder:
        club = open_club(Path(folder))
        club.new_match("pebbles", "red=alice@example.test", "blue=bob@example.test")
        club.work()
        report = club.last("alice@example.test", "report")
        for text in ("put 9 A1", "message all\nhello\nend", report.turn_file["legal"][0]):
            club.answer(report, text, "alice@example.test")
        club.work()
        club.desk.store.close()


def _child(words: Sequence[str]) -> NoReturn:
    status = 70
    try:
        run(arguments(words))
    except SystemExit as done:
        status = int(done.code or 0)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _say(document: object) -> None:
    sys.stdout.write(f"{json.dumps(document)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    wanted = arguments()
    if wanted.serve:
        serve()
    else:
        run(wanted)
