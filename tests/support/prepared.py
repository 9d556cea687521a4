"""Installations in which every example of the documentation finds what it names."""

from __future__ import annotations

import contextlib
import json
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from support import pages
from support.storing import a_mail

from referee.config import load_settings
from referee.desk import agenda, health
from referee.desk import desk as desk_desk
from referee.desk.desk import Desk
from referee.desk.matches import ledger
from referee.desk.seats import setup
from referee.desk.seats.setup import MatchSetup, parse_holder
from referee.games import registry
from referee.games.game import BadDocument
from referee.installation import set_up_installation
from referee.matches import match
from referee.store.play import matches
from referee.store.post import letters, outbox
from referee.store.store import open_store

ALICE, BOB, OTHER = "alice@example.org", "bob@example.org", "alice@example.test"
SEATS = (f"red={ALICE}", f"green={BOB}", f"blue={OTHER}")
ADDRESS = "referee@example.org"
TURN = 13
"""In the running match red is to act in this turn or later."""

RAW = b"From: alice@example.org\r\nSubject: my move\r\n\r\npass\r\n"


def fresh(folder: Path) -> None:
    """Set up an installation with nothing in it."""
    imap = "imap://referee%40example.org:secret@127.0.0.1:9"
    set_up_installation(folder, {"address": ADDRESS, "imap": imap, "smtp": "smtp://127.0.0.1:9"})


def invited(folder: Path) -> None:
    """Set up an installation whose match nord-1 waits for its players."""
    fresh(folder)
    with closing(_opened(folder)) as town:
        town.begin(Random(1), begins=False)


def running(folder: Path) -> None:
    """Set up an installation with a match in play, letters in quarantine and mails that wait."""
    fresh(folder)
    with closing(_opened(folder)) as town:
        town.fill()
        town.begin(Random(1))
        town.play(Random(3), until=_ready)
        health.note_poll(town.desk, town.desk.now())
        town.write_mending(folder)


def over(folder: Path) -> None:
    """Set up an installation whose match is over, its record and alice's mails beside."""
    fresh(folder)
    with closing(_opened(folder)) as town:
        town.begin(Random(1))
        town.play(Random(3), until=lambda _: False)
        for name in ("mails", "my-mails"):
            town.write_mails(folder / name)


def positions(folder: Path) -> None:
    """Write the position that the page of formats shows, and orders for it."""
    for fence in pages.fences(pages.TREE / "docs/format.md"):
        if fence.schema == "nord-position":
            (folder / "position.json").write_text(fence.text, encoding="utf-8")
    (folder / "orders.txt").write_text("place B3 B4\n", encoding="utf-8")


def _ready(loaded: Any) -> bool:
    """Whether the match is where the examples want it."""
    return loaded.live.turn.number >= TURN and loaded.live.turn.seat == "red"


class _Town:
    """An installation at work."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def close(self) -> None:
        self.desk.store.close()

    def begin(self, rng: Random, *, begins: bool = True) -> None:
        game = registry.find_installed("nord")
        holders = tuple(parse_holder(each, game) for each in SEATS)
        seed = rng.randbytes(32)
        plan = MatchSetup(game, holders, setup.read_options(game, []), seed=seed, begins=begins)
        with self.desk.writing() as change:
            setup.set_up_match(change, plan)

    def play(self, rng: Random, until: Any) -> None:
        """Play legal orders at random, as if the players had sent them."""
        while True:
            agenda.do_due_steps(self.desk)
            with self.desk.writing() as change:
                row = matches.find_match(change.connection, "nord-1")
                assert row is not None
                loaded = ledger.load_match(change, row)
                live, seat = loaded.live, loaded.live.turn.seat
                if live.turn.over or seat is None or until(loaded):
                    return
                order = rng.choice(live.game.orders(live.position))
                done = match.submit(live, seat, [order], desk_desk.stamp(self.desk.now()))
                ledger.save_match(change, loaded, done.match, done.logged)

    def fill(self) -> None:
        """Put letters into quarantine, and mails that wait into the outbox."""
        with self.desk.store.writing() as connection:
            for number in range(1, 13):
                row = letters.keep_letter(
                    connection, folder="INBOX", uidvalidity=1, uid=number, size=len(RAW),
                    arrived=self.desk.now(), raw=RAW + b"%d" % number, now=self.desk.now(),
                )  # fmt: skip
                assert row is not None
                letters.finish_letter(
                    connection, row.id, "quarantined", "KeyError", self.desk.now()
                )
            for _ in range(30):
                a_mail(connection, ALICE, now=self.desk.now())

    def write_mending(self, folder: Path) -> None:
        """Write a patch that moves a worker to where he may stand, and the position after it."""
        with self.desk.reading() as change:
            row = matches.find_match(change.connection, "nord-1")
            assert row is not None
            live = ledger.load_match(change, row).live
        document: Any = live.game.dump(live.position)
        old = next(iter(document["workers"]))
        for new in (f"{letter}{number}" for letter in "ABCDEFGHIJ" for number in range(1, 16)):
            changed = {**document, "workers": {**document["workers"]}}
            changed["workers"][new] = changed["workers"].pop(old)
            with contextlib.suppress(BadDocument):
                live.game.load(changed)
                break
        patch = [{"op": "move", "from": f"/workers/{old}", "path": f"/workers/{new}"}]
        (folder / "patch.json").write_text(json.dumps(patch), encoding="utf-8")
        (folder / "position.json").write_text(json.dumps(changed), encoding="utf-8")

    def write_mails(self, folder: Path) -> None:
        """Write every mail alice got into a folder."""
        folder.mkdir()
        with self.desk.store.reading() as connection:
            for row in outbox.latest_mails(connection, limit=1000):
                if row.recipient == ALICE:
                    (folder / f"{row.id}.eml").write_bytes(outbox.raw_mail(connection, row.id))


def _opened(folder: Path) -> _Town:
    settings = load_settings(folder / "referee.toml", {})
    return _Town(Desk(open_store(settings.database), settings))
