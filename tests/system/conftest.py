"""An installation of its own on real servers for every test, and its daemon."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.dovecot import Dovecot
from support.installation import Installation, Process, install
from support.smtpd import SmtpServer
from support.zygote import WAIT, fork

from referee.mail.transport.servers import Server


@pytest.fixture
def account(dovecot: Dovecot) -> tuple[str, Server]:
    """Return a fresh mailbox: its address, and the way to it."""
    return dovecot.account("referee")


@pytest.fixture
def installation(
    tmp_path: Path, account: tuple[str, Server], dovecot: Dovecot, smtp_server: SmtpServer
) -> Iterator[Installation]:
    """Return a fresh installation; its mailbox is empty."""
    found = install(tmp_path / "club", account, dovecot, smtp_server)
    yield found
    found.store.close()


@pytest.fixture
def rival(
    tmp_path: Path, account: tuple[str, Server], dovecot: Dovecot, smtp_server: SmtpServer
) -> Iterator[Installation]:
    """Return another installation on the same mailbox."""
    found = install(tmp_path / "rival", account, dovecot, smtp_server)
    yield found
    found.store.close()


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
        words = ["run", "--config", str(installation.config)]
        process = Process(fork(words, log, log), log)
        started.append(process)
        return process

    yield begin
    for process in started:
        if process.popen.poll() is None:
            process.popen.kill()
            process.popen.wait()
