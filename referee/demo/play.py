"""A whole match by mail between a scripted player and two bots."""

from __future__ import annotations

import base64
import email.policy
import hashlib
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from email.parser import BytesParser
from itertools import cycle
from pathlib import Path
from typing import Final, TypeAlias

from referee.config import load_settings
from referee.demo.site import (
    DemoSite,
    demo_folder,
    demo_site,
    own_command,
    password_of,
    run_daemon,
    run_process,
)
from referee.desk.archive.record import record_bytes
from referee.desk.desk import Change, Desk, game_named, opened_desk
from referee.desk.matches import ledger
from referee.desk.matches.ledger import result_of
from referee.desk.players import Holder, names_of
from referee.desk.seats import setup
from referee.desk.seats.setup import MatchSetup, read_options
from referee.errors import RefereeError
from referee.games import registry
from referee.games.play import is_scored
from referee.render.drawings.drawing import draw_scene
from referee.render.words.wording import Wording
from referee.store import notes
from referee.store.play import matches
from referee.store.states import UNSENT
from referee.store.tables.play import MatchRow

LONGEST: Final = 300
"""Seconds a demo may last."""

LOOK_EVERY: Final = 0.25
ALICE: Final = "alice@example.test"
Say: TypeAlias = Callable[[str], None]


@dataclass
class MailFolder:
    """A folder of all mails delivered, as ``.eml`` and ``.html``."""

    folder: Path
    count: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, recipient: str, raw: bytes) -> None:
        """Write one mail; runs in the servers' thread."""
        with self.lock:
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
    with demo_folder(folder) as place:
        mails = MailFolder(place / "mail")
        mails.folder.mkdir(exist_ok=True)
        with demo_site(place, mails.keep, seed) as site:
            with opened_desk(load_settings(site.config, {})) as desk, desk.writing() as change:
                plan = demo_setup(game, known)
                name = setup.set_up_match(change, plan).name
            others = ", ".join(f"{holder.seat} ({holder.bot})" for holder in plan.holders[1:])
            say(f"{name}: alice answers her mail; bots play {others}.")
            servers = site.servers
            alice = [
                "referee.demo.alice", "--address", ALICE, "--seed", str(seed or 0),
                "--imap", f"{servers.host}:{servers.imap_port}",
                "--smtp", f"{servers.host}:{servers.smtp_port}",
            ]  # fmt: skip
            secrets = {"ALICE_PASSWORD": password_of("alice")}
            with run_daemon(site) as daemon, run_process(site, "alice", alice, secrets) as player:
                _wait_until_over(site, name, daemon, player, say)
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
        game_name = min(
            games, key=lambda game: not type(game).__module__.startswith("referee.")
        ).name
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
    alice: subprocess.Popen[bytes],
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
            if daemon.poll() is not None:
                raise RefereeError(f"the daemon stopped: see {site.folder / 'daemon.log'}")
            # She may be done before the last mails have left.
            if alice.poll() not in {None, 0}:
                raise RefereeError(f"alice stopped: see {site.folder / 'alice.log'}")
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
    scored = is_scored(loaded.game)
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
        names = names_of(change.connection, loaded.seats)
        for seat in sorted(result.places, key=lambda seat: result.places[seat]):
            where = f"{result.places[seat]}. {wording.seat(seat)} ({names[seat]})"
            lines.append(
                f"{where}: {result.points[seat]} points" if is_scored(loaded.game) else where
            )
    return "\n".join(lines)
