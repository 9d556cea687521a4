"""The demo: a whole match by mail between a scripted player and bots, or servers to play on."""

from __future__ import annotations

import base64
import contextlib
import email.policy
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.parser import BytesParser
from itertools import cycle
from pathlib import Path
from queue import SimpleQueue
from typing import Final, TypeAlias

import typer

from referee.config import FILE, PREFIX, load_settings
from referee.demo.player import MOST_TURNS, Alice
from referee.demo.servers import HOST, MailServers, OnDelivery
from referee.desk.archive.record import record_bytes
from referee.desk.desk import Change, Desk, game_named, opened_desk
from referee.desk.matches import ledger
from referee.desk.matches.ledger import result_of
from referee.desk.players import names_of
from referee.desk.seats import setup
from referee.desk.seats.handover import RESIGNED
from referee.desk.seats.setup import Holder, MatchSetup, read_options
from referee.errors import RefereeError
from referee.games import registry
from referee.games.game import AnyGame
from referee.installation import KEY, set_up_installation
from referee.render.drawings.drawing import draw_scene
from referee.render.words.wording import Wording
from referee.store import notes
from referee.store.play import matches
from referee.store.states import UNSENT
from referee.store.tables.play import MatchRow
from referee.text import sqlite_url
from referee.value import Value

REFEREE: Final = "referee@example.test"
PLAYERS: Final = ("alice", "bob", "carol", "dave")
_STOP_SECONDS: Final = 10
"""What the daemon has to end by itself."""

LONGEST: Final = 300
"""Seconds a demo may last."""

LOOK_EVERY: Final = 0.25
ALICE: Final = "alice@example.test"
Say: TypeAlias = Callable[[str], None]


class DemoSite(Value):
    """Running servers, their accounts, and the folder of the installation."""

    servers: MailServers
    accounts: dict[str, str]
    folder: Path

    @property
    def config(self) -> Path:
        """The configuration file, for ``--config``."""
        return self.folder / FILE

    @property
    def log(self) -> Path:
        """The log of the daemon."""
        return self.folder / "daemon.log"

    def check(self, daemon: subprocess.Popen[bytes]) -> None:
        """Raise RefereeError if the daemon has stopped."""
        if daemon.poll() is not None:
            raise RefereeError(f"the daemon stopped: see {self.log}")


def password_of(name: str) -> str:
    """Return the password of a demo account, which works on loopback only."""
    return f"{name}-plays"


@contextlib.contextmanager
def demo_site(
    folder: Path, on_delivery: OnDelivery | None = None, seed: int | None = None
) -> Iterator[DemoSite]:
    """Run servers and a new installation for the block."""
    accounts = {f"{name}@example.test": password_of(name) for name in PLAYERS}
    with MailServers({REFEREE: password_of("referee"), **accounts}, on_delivery) as servers:
        user, password = REFEREE.replace("@", "%40"), password_of("referee")
        settings: dict[str, str | int | None] = {
            "address": REFEREE,
            "imap": f"imap://{user}:{password}@{HOST}:{servers.imap_port}",
            "smtp": f"smtp://{HOST}:{servers.smtp_port}",
            # Whoever tries a letter with talk sees what comes of it now.
            "talk": "0m",
            # This server says nothing of a letter that came just before it was asked to.
            "poll_seconds": 1,
        }
        set_up_installation(folder, settings, {})
        if seed is not None:
            (folder / KEY).write_bytes(hashlib.sha256(f"demo key {seed}".encode()).digest())
        yield DemoSite(servers, accounts, folder)


@contextlib.contextmanager
def run_daemon(site: DemoSite) -> Iterator[subprocess.Popen[bytes]]:
    """Run the daemon as a process for the block, and keep its log beside the configuration.

    At the end the process is asked to stop, and killed if that takes it too long.
    """
    # What the shell says of another installation, with its mailbox, is none of the demo's.
    own = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    with site.log.open("ab") as log:
        process = subprocess.Popen(  # noqa: S603 - our own program, no shell
            [sys.executable, "-m", "referee", "run", "--config", str(site.config)],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=own,
        )  # fmt: skip
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def demo_folder(folder: Path | None) -> Path:
    """Return the folder asked for, made if need be, or a temporary one that is kept.

    Raises RefereeError where something lies in it already: a demo leaves many files.
    """
    if folder is None:
        return Path(tempfile.mkdtemp(prefix="referee-demo-"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        filled = any(folder.iterdir())
    except OSError as fault:
        raise RefereeError(f"--dir {folder}: {fault.strerror}") from None
    if filled:
        raise RefereeError(f"{folder} is not empty: give --dir a new folder")
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
            "imap": {"host": HOST, "port": servers.imap_port},
            "smtp": {"host": HOST, "port": servers.smtp_port},
            "referee": REFEREE,
            "accounts": site.accounts,
            "database": sqlite_url(site.folder / "referee.db"),
            "config": str(site.config),
        }
        typer.echo(json.dumps(document) if as_json else instructions(site, game))
        sys.stdout.flush()
        while not stopping.wait(0.2):
            site.check(process)


def comes_along(game: AnyGame) -> bool:
    """Return whether a game comes with the referee."""
    return type(game).__module__.startswith("referee.games.")


def instructions(site: DemoSite, game: str | None) -> str:
    """Return how to reach the servers and begin a match of a game, or of each of our own."""
    servers = site.servers
    known = registry.installed_games()
    # Others than those that come with the referee are named by ``--game``.
    ours = {own.name: own for own in known.all() if comes_along(own)}.values()
    games = [game_named(game)] if game else [*ours]
    accounts = "\n".join(
        f"  {address}  password {password}" for address, password in site.accounts.items()
    )
    command = own_command()
    new = "\n".join(
        f"  {command} match new {played.name} --seat {played.colours[0]}=alice@example.test "
        + "".join(f"--seat {seat}=bot:greedy " for seat in played.colours[1 : played.seats[0]])
        + f"--start --config {site.config}"
        for played in games
    )
    return (
        f"The referee {REFEREE} is up. Set a mail program to:\n"
        f"  IMAP {HOST} port {servers.imap_port}, no encryption\n"
        f"  SMTP {HOST} port {servers.smtp_port}, no encryption\n"
        f"{accounts}\n"
        f"Start a match against a bot in another terminal:\n"
        f"{new}\n"
        "Orders are played at once here; elsewhere a mail that says more holds them for an hour.\n"
        "Stop with Ctrl-C: the mails are gone then, and the next demo begins anew."
    )


def own_command() -> str:
    """Return the words that start this program again, from any folder."""
    program = Path(sys.argv[0])
    if program.name == "__main__.py":
        return f"{sys.executable} -m referee"
    return str(program.absolute()) if "/" in sys.argv[0] else "referee"


@dataclass
class MailFolder:
    """A folder of all mails delivered, as ``.eml`` and ``.html``."""

    folder: Path
    count: int = 0

    def keep(self, recipient: str, raw: bytes) -> None:
        """Write one mail; runs in the servers' thread."""
        self.count += 1
        name = f"{self.count:04d}-to-{recipient.partition('@')[0]}"
        (self.folder / f"{name}.eml").write_bytes(raw)
        message = BytesParser(policy=email.policy.default).parsebytes(raw)
        body = message.get_body(("html",))
        if body is None:
            return
        page = str(body.get_content())
        # With its pictures inside: a browser knows no parts of a mail.
        for part in message.walk():
            content_id = str(part.get("Content-ID", "")).strip("<>")
            data = part.get_payload(decode=True)
            if content_id and isinstance(data, bytes):
                picture = f"data:{part.get_content_type()};base64,{base64.b64encode(data).decode()}"
                page = page.replace(f"cid:{content_id}", picture)
        (self.folder / f"{name}.html").write_text(page, encoding="utf-8")


def play_demo(
    folder: Path | None, *, game: str | None, seed: int | None, say: Say
) -> dict[str, object]:
    """Play a match to its end and return its name and the paths of its record and mails.

    ``say`` is called with lines of progress. Raises RefereeError.
    """
    known = None if seed is None else hashlib.sha256(f"demo {seed}".encode()).digest()
    place = demo_folder(folder)
    mails = MailFolder(place / "mail")
    inbox: SimpleQueue[bytes] = SimpleQueue()

    def deliver(recipient: str, raw: bytes) -> None:
        mails.keep(recipient, raw)
        if recipient == ALICE:
            inbox.put(raw)

    with demo_site(place, deliver, seed) as site:
        mails.folder.mkdir(exist_ok=True)
        with opened_desk(load_settings(site.config, {})) as desk, desk.writing() as change:
            plan = demo_setup(game, known)
            name = setup.set_up_match(change, plan).name
        others = ", ".join(f"{holder.seat} ({holder.bot})" for holder in plan.holders[1:])
        say(f"{name}: alice answers her mail; bots play {others}.")
        smtp = (HOST, site.servers.smtp_port)
        alice = Alice(ALICE, password_of("alice"), smtp, inbox, seed or 0)
        with run_daemon(site) as daemon:
            alice.start()
            _wait_until_over(site, name, daemon, alice, say)
        record = site.folder / "record.jsonl"
        with opened_desk(load_settings(site.config, {})) as desk, desk.reading() as change:
            row = matches.find_match(change.connection, name)
            if row is None:
                raise RefereeError(f"{name} is gone")
            record.write_bytes(record_bytes(change.connection, row))
            say(final_board(change, row))
        say(f"The record: {record} (check it with: {own_command()} record verify {record})")
        say(f"{mails.count} mails, .eml and .html: {mails.folder}")
        return {"match": name, "record": record, "mails": mails.count, "folder": mails.folder}


def demo_setup(game_name: str | None, seed: bytes | None) -> MatchSetup:
    """Return the match of a demo: alice and two bots, or as many as the game needs."""
    if game_name is None:
        # Of another's games none stands before ours, whatever its name.
        games = registry.installed_games().all()
        game_name = min(games, key=lambda game: not comes_along(game)).name
    game = game_named(game_name)
    alice, *others = game.colours[: min(max(3, game.seats[0]), game.seats[-1])]
    bots = cycle(("greedy", "random"))
    holders = (
        Holder(alice, address=ALICE),
        *(Holder(seat, bot=bot) for seat, bot in zip(others, bots, strict=False)),
    )
    return MatchSetup(game, holders, read_options(game, []), seed=seed, begins=True)


def _wait_until_over(
    site: DemoSite,
    name: str,
    daemon: subprocess.Popen[bytes],
    alice: Alice,
    say: Say,
) -> None:
    started, shown = time.monotonic(), ""
    with opened_desk(load_settings(site.config, {})) as desk:
        while True:
            line, done = match_progress(desk, name)
            if line != shown:
                say(line)
                shown = line
            if done:
                return
            site.check(daemon)
            # She may be done before the last mails have left.
            if not alice.is_alive() and not alice.player.finished:
                raise RefereeError("alice stopped")
            if time.monotonic() - started > LONGEST:
                raise RefereeError(f"the match is not over after {LONGEST} s: see {site.folder}")
            time.sleep(LOOK_EVERY)


def match_progress(desk: Desk, name: str) -> tuple[str, bool]:
    """Return turn and points, and whether match and mail are done."""
    with desk.reading() as change:
        row = matches.find_match(change.connection, name)
        if row is None or row.header is None:
            return f"{name} waits for its players.", False
        loaded = ledger.load_match(change, row)
        names = names_of(change.connection, loaded.seats)
        counts = notes.counts_by_state(change.connection)["outbox"]
        left = not row.released or any(counts.get(state) for state in UNSENT)
    points = loaded.game.points(loaded.live.position)
    scored = loaded.game.scored
    told = ", ".join(
        f"{seat} ({names[seat]}) {points[seat] if scored else ''}".rstrip() for seat in points
    )
    return f"turn {row.turn:>3}: {told}", row.state == "over" and not left


def final_board(change: Change, row: MatchRow) -> str:
    """Return the final board and the places."""
    loaded = ledger.load_match(change, row)
    wording = Wording(loaded.game, change.desk.settings.language)
    scene = loaded.game.scene(loaded.game.view(loaded.live.position, None))
    lines = ["", *draw_scene(scene, wording).text, ""]
    result = result_of(row)
    if result is not None:
        lines.append(wording.ending(result))
        if result.ending == RESIGNED:
            lines.append(f"A demo is to be short, so alice gives up after turn {MOST_TURNS}.")
        names = names_of(change.connection, loaded.seats)
        for seat in sorted(result.places, key=lambda seat: result.places[seat]):
            where = f"{result.places[seat]}. {wording.seat(seat)} ({names[seat]})"
            lines.append(f"{where}: {result.points[seat]} points" if loaded.game.scored else where)
    return "\n".join(lines)
