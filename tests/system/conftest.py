"""An installation of its own on real servers for every test, and its daemon."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from support.dovecot import Dovecot
from support.installation import WAIT, Installation, Process
from support.smtpd import SmtpServer

from referee.installation import Answers, set_up
from referee.store.store import open_store


@pytest.fixture
def installation(
    tmp_path: Path, dovecot: Dovecot, smtp_server: SmtpServer
) -> Iterator[Installation]:
    """Return a fresh installation; its mailbox is empty."""
    address, server = dovecot.account("referee")
    user, password = quote(server.user, safe=""), quote(server.password, safe="")
    smtp = smtp_server.server()
    set_up(
        tmp_path / "club",
        Answers(
            address=address,
            imap=f"imap://{user}:{password}@{server.host}:{server.port}",
            smtp=f"smtp://{smtp.host}:{smtp.port}",
            database="sqlite:///referee.db",
            organiser=None,
            zone="UTC",
            language="en",
        ),
    )
    store = open_store(f"sqlite:///{tmp_path / 'club' / 'referee.db'}")
    yield Installation(tmp_path / "club", address, dovecot, smtp_server, store)
    store.close()


@pytest.fixture
def running(installation: Installation) -> Iterator[Installation]:
    """Return an installation whose daemon runs in a thread."""
    daemon = installation.daemon()
    thread = threading.Thread(target=daemon.run)
    thread.start()
    yield installation
    daemon.stop()
    thread.join(WAIT)
    assert not thread.is_alive()


@pytest.fixture
def start(installation: Installation) -> Iterator[Callable[[], Process]]:
    """Return a function that starts the daemon as a process."""
    started: list[Process] = []

    def begin() -> Process:
        log = installation.folder / f"daemon-{len(started)}.log"
        command = [sys.executable, "-m", "referee", "run", "--config", str(installation.config)]
        with log.open("wb") as file:
            process = Process(subprocess.Popen(command, stdout=file, stderr=file), log)
        started.append(process)
        return process

    yield begin
    for process in started:
        if process.popen.poll() is None:
            process.popen.kill()
            process.popen.wait()
