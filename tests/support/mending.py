"""A club with a match that rests and a German on one seat, for what organisers do to it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from support.club import ALICE, BOB, CAROL, Club, Mail

from referee.desk import health
from referee.desk.archive.record import record_bytes
from referee.desk.matches import ledger
from referee.desk.plans.act import Act, MatchOutcome
from referee.desk.plans.match import Resend
from referee.desk.plans.plan import apply_act
from referee.desk.players import add_player
from referee.matches import record
from referee.store.people import players
from referee.store.play import matches

NAME = "pebbles-1"


def seated(club: Club, **more: Any) -> Club:
    """Begin a match of alice (English) against bob (German), everybody told."""
    with club.desk.writing() as change:
        for address, language in ((ALICE, "en"), (BOB, "de"), (CAROL, "de")):
            add_player(
                change,
                address,
                name=None,
                language=language,
                zone="Europe/Berlin",
                format="html",
            )
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", **more)
    settle(club)
    return club


def settle(club: Club) -> None:
    """Do what is due, and take every mail."""
    polled(club)
    for address in (ALICE, BOB, CAROL):
        club.mails(address)


def polled(club: Club) -> None:
    """Let the mailbox be read, with nothing in it, and do what is due."""
    health.note_poll(club.desk, club.desk.now())
    club.work()


def do(club: Club, act: Act, why: str = "the reason") -> MatchOutcome:
    """Carry an act out at once; return what became of its match."""
    [found] = apply_act(club.desk, act, why).matches
    return found


def holder(club: Club, seat: str) -> str:
    """Return who holds a seat: the name of a player or a bot."""
    with club.desk.store.reading() as connection:
        found = matches.find_seat(connection, club.match(NAME).id, seat)
        assert found is not None
        if found.player_id is None:
            return str(found.bot)
        return players.get_player(connection, found.player_id).name


def resent(club: Club, to: str, seat: str) -> Mail:
    """Let a seat's report be sent once more, to be answered."""
    do(club, Resend(NAME, seat))
    return club.last(to, "report")


def plain(text: str) -> str:
    """Return a text with its lines joined."""
    return " ".join(text.split())


def said(club: Club, to: str, kind: str = "notice") -> str:
    """Return what the last mail of a kind to somebody said, lines joined."""
    return plain(club.last(to, kind).text)


def an_order(club: Club) -> str:
    """Return a legal order of the seat to act."""
    with club.desk.reading() as change:
        loaded = ledger.load_match(change, club.match(NAME))
    return loaded.game.format(next(iter(loaded.game.orders(loaded.live.position))), "en")


def verified(club: Club, folder: Path) -> int:
    """Verify the record of the match, which is over, twice; return how many events it has.

    Once by our own program, once by the one that shares nothing with it.
    """
    with club.desk.store.reading() as connection:
        row = club.match(NAME)
        data = record_bytes(connection, row)
        events = len(matches.events(connection, row.id))
    assert record.verify_record(data.splitlines(), club.desk.find_game).ok
    file = folder / "a.record.jsonl"
    file.write_bytes(data)
    program = Path(__file__).parents[2] / "docs" / "verify_record.py"
    ran = subprocess.run(
        [sys.executable, "-I", "-S", program, file], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return events
