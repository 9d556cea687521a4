"""The site of a demo: mail servers, an installation, and its daemon."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import typer

from referee.config import FILE
from referee.demo.servers import MailServers, OnDelivery
from referee.desk.desk import game_named
from referee.errors import RefereeError
from referee.games import registry
from referee.installation import KEY, set_up_installation
from referee.value import Value

REFEREE: Final = "referee@example.test"
PLAYERS: Final = ("alice", "bob", "carol", "dave")
STOP_SECONDS: Final = 10


class DemoSite(Value):
    """Running servers, their accounts, and the folder of the installation."""

    servers: MailServers
    accounts: dict[str, str]
    folder: Path

    @property
    def config(self) -> Path:
        """The configuration file, for ``--config``."""
        return self.folder / FILE


def password_of(name: str) -> str:
    """Return the password of a demo account, which works on loopback only."""
    return f"{name}-plays"


@contextlib.contextmanager
def demo_site(
    folder: Path, on_delivery: OnDelivery | None = None, seed: int | None = None
) -> Iterator[DemoSite]:
    """Run servers and a new installation for the block. Raises RefereeError if there is one."""
    if (folder / FILE).exists():
        raise RefereeError(f"{folder / FILE} exists: give --dir a new folder")
    accounts = {f"{name}@example.test": password_of(name) for name in PLAYERS}
    with MailServers({REFEREE: password_of("referee"), **accounts}, on_delivery) as servers:
        user, password = REFEREE.replace("@", "%40"), password_of("referee")
        settings = {
            "address": REFEREE,
            "imap": f"imap://{user}:{password}@{servers.host}:{servers.imap_port}",
            "smtp": f"smtp://{servers.host}:{servers.smtp_port}",
            # Whoever tries a letter with talk sees what comes of it now.
            "talk": "0m",
        }
        set_up_installation(folder, settings)
        if seed is not None:
            (folder / KEY).write_bytes(hashlib.sha256(f"demo key {seed}".encode()).digest())
        yield DemoSite(servers, accounts, folder)


@contextlib.contextmanager
def run_daemon(site: DemoSite) -> Iterator[subprocess.Popen[bytes]]:
    """Run the daemon as a process for the block, its log beside the configuration.

    It is asked to stop, and killed if it is slow.
    """
    with (site.folder / "daemon.log").open("ab") as log:
        process = subprocess.Popen(  # noqa: S603 - our own program, no shell
            [sys.executable, "-m", "referee", "run", "--config", str(site.config)],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def demo_folder(folder: Path | None) -> Path:
    """Return the folder asked for, made if need be, or a temporary one that is kept."""
    if folder is None:
        return Path(tempfile.mkdtemp(prefix="referee-demo-"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise RefereeError(f"--dir {folder}: {fault.strerror}") from None
    return folder.absolute()


def serve(folder: Path | None, *, as_json: bool, game: str | None) -> None:
    """Run servers and daemon until SIGTERM or SIGINT; print their addresses."""
    if game:
        game_named(game)  # Before anything is set up, so that one that is missing is told at once.
    stopping = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())
    signal.signal(signal.SIGINT, lambda *_: stopping.set())
    with demo_site(demo_folder(folder)) as site, run_daemon(site) as process:
        servers = site.servers
        document = {
            "imap": {"host": servers.host, "port": servers.imap_port},
            "smtp": {"host": servers.host, "port": servers.smtp_port},
            "referee": REFEREE,
            "accounts": site.accounts,
            "database": f"sqlite:///{site.folder / 'referee.db'}",
            "config": str(site.config),
        }
        typer.echo(json.dumps(document) if as_json else instructions(site, game))
        sys.stdout.flush()
        while not stopping.wait(0.2):
            if process.poll() is not None:
                raise RefereeError(f"the daemon stopped: see {site.folder / 'daemon.log'}")


def instructions(site: DemoSite, game: str | None) -> str:
    """Return how to reach the servers and begin a match of a game, or of each of our own."""
    servers = site.servers
    known = registry.installed_games()
    installed = [game_named(game)] if game else {one.name: one for one in known.all()}.values()
    # Others than those that come with the referee are named by ``--game``.
    package = registry.__name__.rpartition(".")[0]
    games = [one for one in installed if game or type(one).__module__.startswith(f"{package}.")]
    accounts = "\n".join(f"  {address}  password {p}" for address, p in site.accounts.items())
    command = own_command()
    new = "\n".join(
        f"  {command} match new {one.name} --seat {one.colours[0]}=alice@example.test "
        f"--seat {one.colours[1]}=bot:greedy --start --config {site.config}"
        for one in games
    )
    return (
        f"The referee {REFEREE} is up. Set a mail program to:\n"
        f"  IMAP {servers.host} port {servers.imap_port}, no encryption\n"
        f"  SMTP {servers.host} port {servers.smtp_port}, no encryption\n"
        f"{accounts}\n"
        f"Start a match against a bot in another terminal:\n"
        f"{new}\n"
        "Stop with Ctrl-C."
    )


def own_command() -> str:
    """Return the words that start this program again from the current folder."""
    return os.path.relpath(sys.argv[0]) if "/" in sys.argv[0] else "referee"
