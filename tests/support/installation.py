"""An installation of its own on real servers, and a player with a mail program."""

from __future__ import annotations

import email.policy
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

from imapclient import IMAPClient
from support.correspondents import Correspondents
from support.dovecot import Dovecot
from support.smtpd import Delivered, SmtpServer
from support.zygote import WAIT, Forked, run_command

from referee.config import Settings, load_settings
from referee.daemon.daemon import Daemon
from referee.desk.desk import Change, Desk
from referee.desk.seats import setup
from referee.desk.seats.setup import MatchSetup, parse_holder
from referee.games import registry
from referee.installation import set_up_installation
from referee.mail.transport.servers import Server
from referee.store.store import Store, open_store


@dataclass
class Installation:
    """A referee on Dovecot and a recording SMTP server."""

    folder: Path
    address: str
    dovecot: Dovecot
    smtp: SmtpServer
    store: Store

    @property
    def config(self) -> Path:
        """The configuration file."""
        return self.folder / "referee.toml"

    @property
    def settings(self) -> Settings:
        """The settings as the daemon reads them."""
        return load_settings(self.config, {})

    def daemon(self) -> Daemon:
        """Return a daemon in this process, not running."""
        return Daemon(Desk(self.store, self.settings))

    def referee(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the referee to its end."""
        return run_command([*words, "--config", str(self.config)])

    def send(self, sender: str, text: str, answers: str | None = None, **more: Any) -> None:
        """Deliver a plain letter to the referee's inbox."""
        message = EmailMessage()
        message["From"], message["To"] = sender, self.address
        message["Message-ID"] = f"<{time.monotonic_ns()}@example.test>"
        if answers:
            message["In-Reply-To"] = answers
        message.set_content(text, **more)
        self.dovecot.deliver(self.address, message.as_bytes(), sender)

    def received(self, recipient: str) -> list[EmailMessage]:
        """Return what was sent to an address so far."""
        return [parsed(each) for each in self.smtp.to(recipient)]

    def folder_of(self, name: str) -> int:
        """Return how many letters lie in a folder of the mailbox; our own mark is none."""
        server = self.settings.imap
        with IMAPClient(server.host, server.port, ssl=False, timeout=60) as client:
            client.login(server.user, server.password)
            if not client.folder_exists(name):
                return 0
            client.select_folder(name, readonly=True)
            return len(client.search(["NOT", "HEADER", "X-Referee-Installation", ""]))


def install(
    folder: Path,
    account: tuple[str, Server],
    dovecot: Dovecot,
    smtp: SmtpServer,
    database: str | None = None,
) -> Installation:
    """Set up an installation in a folder on a mailbox; its store is the caller's to close.

    It keeps its data on SQLite, or in an empty ``database`` of PostgreSQL.
    """
    address, server = account
    user, password = quote(server.user, safe=""), quote(server.password, safe="")
    relay = smtp.server()
    imap = f"imap://{user}:{password}@{server.host}:{server.port}"
    given = {"address": address, "imap": imap, "smtp": f"smtp://{relay.host}:{relay.port}"}
    set_up_installation(folder, given if database is None else {**given, "database": database})
    store = open_store(database or f"sqlite:///{folder / 'referee.db'}")
    return Installation(folder, address, dovecot, smtp, store)


def parsed(delivered: Delivered) -> EmailMessage:
    """Return a delivered mail as a message."""
    message = BytesParser(policy=email.policy.default).parsebytes(delivered.raw)
    assert isinstance(message, EmailMessage)
    return message


def until(seen: Callable[[], Any], what: str) -> Any:
    """Wait until something is true and return it."""
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        if found := seen():
            return found
        time.sleep(0.05)
    raise AssertionError(f"waited {WAIT} s in vain for {what}")


@dataclass
class Process:
    """The daemon as a process of its own."""

    popen: subprocess.Popen[bytes] | Forked
    log: Path

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and return the exit status."""
        os.kill(self.popen.pid, number)
        return self.popen.wait(WAIT)


def seated(
    installation: Installation, seatings: Iterable[Sequence[str]], players: tuple[str, ...]
) -> Correspondents:
    """Begin a match of pebbles with each seating; return the players, who have written nothing."""
    game = registry.find_installed("pebbles", 1)
    desk = installation.daemon().desk
    for number, seats in enumerate(seatings):
        holders = tuple(parse_holder(holder, game) for holder in seats)
        seed = number.to_bytes(32)
        plan = MatchSetup(game, holders, setup.read_options(game, []), seed=seed, begins=True)
        with installation.store.writing() as connection:
            setup.set_up_match(Change(desk, connection), plan)
    return Correspondents(
        installation.address, installation.dovecot, installation.smtp, Random(3), players
    )


def play(installation: Installation, club: Correspondents, more: int) -> None:
    """Let the players write so many letters, as long as they can, each handled in its turn."""
    installation.daemon().once()
    end = len(club.sent) + more
    while len(club.sent) < end and club.act():
        installation.daemon().once()
    installation.daemon().once()
