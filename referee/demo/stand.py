"""The stand a demo is played on: mail servers, an installation in a folder, and its daemon."""

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
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer

from referee.config import FILE
from referee.demo.servers import MailServers
from referee.errors import RefereeError
from referee.games import registry
from referee.installation import KEY, set_up

REFEREE: Final = "referee@example.test"
PLAYERS: Final = ("alice", "bob", "carol", "dave")
STOP_SECONDS: Final = 10


@dataclass(frozen=True, slots=True)
class Stand:
    """Servers that are up, the accounts on them, and the installation that uses them."""

    servers: MailServers
    accounts: dict[str, str]
    folder: Path

    @property
    def config(self) -> Path:
        """The configuration every command can be given with ``--config``."""
        return self.folder / FILE


def password_of(name: str) -> str:
    """Return the password of a demo account: on loopback and for an hour, a plain one."""
    return f"{name}-plays"


@contextlib.contextmanager
def standing(
    folder: Path, on_delivery: Callable[[str, bytes], None] | None = None, seed: int | None = None
) -> Iterator[Stand]:
    """Keep servers up around an installation in a folder; made there if there is none."""
    if (folder / FILE).exists():
        raise RefereeError(f"{folder / FILE} exists: give --dir a new folder")
    accounts = {f"{name}@example.test": password_of(name) for name in PLAYERS}
    with MailServers({REFEREE: password_of("referee"), **accounts}, on_delivery) as servers:
        user, password = REFEREE.replace("@", "%40"), password_of("referee")
        settings = {
            "address": REFEREE,
            "imap": f"imap://{user}:{password}@{servers.host}:{servers.imap_port}",
            "smtp": f"smtp://{servers.host}:{servers.smtp_port}",
        }
        set_up(folder, settings)
        if seed is not None:
            (folder / KEY).write_bytes(hashlib.sha256(f"demo key {seed}".encode()).digest())
        yield Stand(servers, accounts, folder)


@contextlib.contextmanager
def daemon(stand: Stand) -> Iterator[subprocess.Popen[bytes]]:
    """Run the daemon as a process of its own, its log beside the configuration."""
    command = [sys.executable, "-m", "referee", "run", "--config", str(stand.config)]
    with (stand.folder / "daemon.log").open("ab") as log:
        process = subprocess.Popen(  # noqa: S603 - our own program, no shell
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        try:
            yield process
        finally:
            stop(process)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Ask a process to stop, and make sure it does."""
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextlib.contextmanager
def demo_folder(folder: Path | None) -> Iterator[Path]:
    """Give the folder asked for, or a fresh temporary one that stays for a look afterwards."""
    if folder is None:
        yield Path(tempfile.mkdtemp(prefix="referee-demo-"))
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise RefereeError(f"--dir {folder}: {fault.strerror}") from None
    yield folder.absolute()


def serve(folder: Path | None, *, as_json: bool, game: str | None) -> None:
    """Keep servers and daemon up until SIGTERM or SIGINT; print how to reach them."""
    stopping = threading.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: stopping.set())
    with demo_folder(folder) as place, standing(place) as stand, daemon(stand) as process:
        typer.echo(_as_json(stand) if as_json else _as_text(stand, game))
        sys.stdout.flush()
        while not stopping.wait(0.2):
            if process.poll() is not None:
                raise RefereeError(f"the daemon stopped: see {place / 'daemon.log'}")


def _as_json(stand: Stand) -> str:
    servers = stand.servers
    return json.dumps(
        {
            "imap": {"host": servers.host, "port": servers.imap_port},
            "smtp": {"host": servers.host, "port": servers.smtp_port},
            "referee": REFEREE,
            "accounts": stand.accounts,
            "database": f"sqlite:///{stand.folder / 'referee.db'}",
            "config": str(stand.config),
        }
    )


def _as_text(stand: Stand, game: str | None) -> str:
    servers = stand.servers
    name = game or registry.names()[0]
    seats = registry.find(name).colours
    accounts = "\n".join(f"  {address}  password {p}" for address, p in stand.accounts.items())
    command = os.path.relpath(sys.argv[0]) if "/" in sys.argv[0] else "referee"
    return (
        f"The referee {REFEREE} is up. Set a mail program to:\n"
        f"  IMAP {servers.host} port {servers.imap_port}, no encryption\n"
        f"  SMTP {servers.host} port {servers.smtp_port}, no encryption\n"
        f"{accounts}\n"
        "Start a match against a bot in another terminal:\n"
        f"  {command} match new {name} --seat {seats[0]}=alice@example.test "
        f"--seat {seats[1]}=bot:greedy --start --config {stand.config}\n"
        "Stop with Ctrl-C."
    )
