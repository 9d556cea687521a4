"""Serving by the real daemon: speed of a report, an idle daemon's cost, and a scrape.

A letter's way runs from its arrival in Dovecot, which announces it by IDLE, to the hand-over of
the report to an SMTP server, beside a bare reader that waits for it, fetches it, and sends one mail
of the same size. Memory stands beside that of an empty Python, idle CPU beside a program that
reads one row a second, a scrape beside a static page of the same size from the same web server.
Run: python benchmarks/serving.py [GAME]
"""

from __future__ import annotations

import contextlib
import os
import smtplib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from email.parser import HeaderParser
from pathlib import Path
from random import Random
from typing import Any, Self
from urllib.request import urlopen

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from imapclient import IMAPClient
from sqlalchemy import update
from support.crowd import Crowd, Sink
from support.dovecot import Dovecot, free_ports
from support.installation import install, until
from support.smtpd import Delivered, SmtpServer

from referee.desk.service import life
from referee.store import tables as t
from referee.store.post import outbox

LETTERS = 15
FEW, MANY = 10, 10_000
SCRAPES = 40
QUIET = 20.0
"""Seconds for which an idle program is watched."""

SETTLED = 5.0
"""Seconds after the last letter until the daemon counts as idle."""

EMPTY = "import time; print(flush=True); time.sleep(600)"

TICKING = """
import sqlite3, sys, time
database = sqlite3.connect(sys.argv[1])
print(flush=True)
while True:
    database.execute("SELECT * FROM matches LIMIT 1").fetchone()
    time.sleep(1)
"""


class Taken(list[Delivered]):
    """The mails a server took, and when it took each Message-ID."""

    def __init__(self) -> None:
        super().__init__()
        self.moments: dict[str, float] = {}

    def __iadd__(self, more: Iterable[Delivered]) -> Self:  # type: ignore[misc, override]
        for each in more:
            head = HeaderParser().parsestr(each.raw[:8192].decode("ascii", "replace"))
            self.moments[head.get("Message-ID", "").strip()] = time.perf_counter()
            self.append(each)
        return self


def main() -> None:
    """Print each figure, its yardstick's, their ratio, and the aim."""
    game = sys.argv[1] if len(sys.argv) > 1 else "nord"
    with tempfile.TemporaryDirectory() as name, served(Path(name), game) as crowd:
        file, port = crowd.installation.config, free_ports(1)[0]
        listens = f'[metrics]\nlisten = "127.0.0.1:{port}"'
        file.write_text(file.read_text().replace("[metrics]", listens))
        with running(sys.executable, "-m", "referee", "run", "--config", str(file)) as daemon:
            until(lambda: fetched(port, "/readyz"), "a daemon that is ready")
            measure_reports(crowd)
            measure_idle(crowd, daemon)
            measure_scrape(crowd, port, daemon)


@contextlib.contextmanager
def served(folder: Path, game: str) -> Iterator[Crowd]:
    """Run an installation with a few matches; its SMTP server notes when it took each mail."""
    dovecot, server = Dovecot(), SmtpServer(delivered=Taken())
    server.start()
    try:
        dovecot.prepare()
        dovecot.start()
        installation = install(folder / "club", dovecot.account("referee"), dovecot, server)
        crowd = Crowd(installation, dovecot, Sink(server.port, None), Random(1))
        crowd.open_matches(game, FEW)
        yield crowd
        installation.store.close()
    finally:
        dovecot.stop()
        dovecot.remove()
        server.stop()


@contextlib.contextmanager
def running(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program while the block lasts."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log)
        try:
            yield process
        finally:
            process.terminate()
            process.wait()


def measure_reports(crowd: Crowd) -> None:
    """Print the seconds from a letter's arrival to its report's hand-over."""
    taken, took = crowd.installation.smtp.delivered, []
    assert isinstance(taken, Taken)
    while len(took) < LETTERS:
        raws, before = crowd.answers(1), crowd.newest_mail()
        crowd.deliver(raws)
        began = time.perf_counter()
        crowd.wait_until_done()
        with crowd.installation.store.reading() as connection:
            rows = outbox.latest_mails(connection, limit=5)
        written = [each for each in rows if each.kind == "report" and each.id > before]
        # After half a turn there is nothing to report yet. Whoever is told last waited longest.
        if written:
            took.append(max(taken.moments[each.message_id] for each in written) - began)
    bare = [*bare_cycles(crowd, len(taken[-1].raw))]
    show("arrival to report", statistics.median(took), statistics.median(bare), "s", 2)
    print(f"  the slowest of {LETTERS} {max(took):.2f} s")


def bare_cycles(crowd: Crowd, size: int) -> Iterator[float]:
    """Yield the seconds of a bare cycle: told of a letter, fetched, sent."""
    address, account = crowd.dovecot.account("bare")
    body = "\r\n".join(["a line of a mail that is about as long as most"] * (size // 46))
    with (
        IMAPClient(account.host, account.port, ssl=False) as imap,
        smtplib.SMTP("127.0.0.1", crowd.sink.port) as smtp,
    ):
        imap.login(account.user, account.password)
        imap.select_folder("INBOX")
        for _ in range(LETTERS):
            imap.idle()
            crowd.dovecot.deliver(address, b"Subject: an order\r\n\r\nN a1\r\n")
            began = time.perf_counter()
            while not imap.idle_check(timeout=30):
                pass
            imap.idle_done()
            imap.fetch(imap.search(["ALL"])[-1:], ["BODY.PEEK[]"])
            smtp.sendmail(address, ["alice@example.test"], body)
            yield time.perf_counter() - began


def measure_idle(crowd: Crowd, daemon: subprocess.Popen[bytes]) -> None:
    """Print an idle daemon's memory and CPU."""
    time.sleep(SETTLED)
    database = str(crowd.installation.folder / "referee.db")
    with (
        running(sys.executable, "-c", EMPTY) as empty,
        running(sys.executable, "-c", TICKING, database) as ticking,
    ):
        for each in (empty, ticking):
            assert each.stdout is not None
            each.stdout.readline()
        began = [cpu(each.pid) for each in (daemon, ticking)]
        time.sleep(QUIET)
        spent = [cpu(each.pid) - at for each, at in zip((daemon, ticking), began, strict=True)]
        show("memory when idle", resident(daemon.pid), resident(empty.pid), "MB", 120)
        shares = [100 * each / QUIET for each in spent]
        show("CPU when idle", shares[0], shares[1], "%", 1)


def measure_scrape(crowd: Crowd, port: int, daemon: subprocess.Popen[bytes]) -> None:
    """Print the milliseconds of a scrape with many matches."""
    with crowd.installation.store.writing() as connection:
        # Their bytes would fill the disk, and no scrape looks at them.
        connection.execute(update(t.outbox).values(raw=None))
    crowd.multiply(MANY // FEW)
    page = fetched(port, "/metrics")
    assert page is not None
    assert f'referee_matches{{state="running"}} {MANY:.1f}'.encode() in page

    def static(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        del environ
        start("200 OK", [("Content-Type", "text/plain")])
        return [page]

    with life.served_pages(("127.0.0.1", free_ports(1)[0]), static) as bare_port:
        began = cpu(daemon.pid)
        took = [scrape(port) for _ in range(SCRAPES)]
        spent = 1000 * (cpu(daemon.pid) - began) / SCRAPES
        bare = [scrape(bare_port) for _ in range(SCRAPES)]
    show(f"scrape, {MANY} matches", statistics.median(took), statistics.median(bare), "ms", 20)
    print(f"  CPU of the daemon for each {spent:.1f} ms")


def scrape(port: int) -> float:
    """Return the milliseconds it takes to fetch the metrics."""
    began = time.perf_counter()
    assert fetched(port, "/metrics") is not None
    return 1000 * (time.perf_counter() - began)


def fetched(port: int, path: str) -> bytes | None:
    """Return a page of a web server on this machine; None while it does not give it."""
    try:
        with urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as page:
            found: bytes = page.read()
            return found
    except OSError:
        return None


def show(label: str, ours: float, bare: float, unit: str, aim: float) -> None:
    """Print one line."""
    ratio = f"{ours / bare:6.1f}" if bare else "     –"
    print(
        f"{label:24}{ours:8.2f} {unit:3} bare {bare:8.2f} ratio {ratio} (aim: under {aim} {unit})"
    )


def cpu(pid: int) -> float:
    """Return the seconds of CPU a process has used; proc(5) counts them in ticks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> float:
    """Return the memory of a process in MB; proc(5) tells it in kB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


if __name__ == "__main__":
    main()
