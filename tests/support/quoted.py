"""Every mail of a match played at random, and quotes of them as programs make and break them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

from support.archived import club_in
from support.clients.letters import original_of
from support.clients.quoting import marked, wrapped
from support.clients.rendering import MANNERS, rendered
from support.club import Club, Mail, letter
from support.stage import ALICE, BOB, SEATS

from referee.desk import desk as desk_desk
from referee.desk.matches import ledger
from referee.matches import match
from referee.store.play import matches

MARKS = ("> ", ">", "| ", ": ", "Referee> ")
WIDTHS = range(50, 91)

ASKED = ("help", "rules", "show", "matches", "preview", "set language xx", "hello, is it my turn?")
"""What alice also asks, for the answers to it hold commands and orders."""


@cache
def mails(game: str, seed: int, many: int) -> tuple[Mail, ...]:
    """Return mails to alice from a match played at random, at most so many reports."""
    rng = Random(seed)
    with club_in(Path(mkdtemp(prefix="quoted-"))) as club:
        seats = zip(SEATS[game], (ALICE, BOB), strict=True)
        club.new_match(game, *(f"{seat}={who}" for seat, who in seats))
        club.work()
        found = club.mails(ALICE)
        latest = found[-1]
        for number, each in enumerate(ASKED):
            raw = letter(ALICE, each, answers=latest.message["Message-ID"], number=number)
            club.put(raw)
            club.work()
            found += club.mails(ALICE)
        while len(found) < many and _play(club, f"{game}-1", rng):
            club.work()
            found += club.mails(ALICE)
    return tuple(found[:many])


def _play(club: Club, name: str, rng: Random) -> bool:
    """Play a legal order for whoever is to act; tell whether there was one."""
    desk = club.desk
    with desk.writing(lasting=False) as change:
        row = matches.find_match(change.connection, name)
        assert row is not None
        loaded = ledger.load_match(change, row)
        live: Any = loaded.live
        if live.turn.over or live.turn.seat is None:
            return False
        order = rng.choice(live.game.orders(live.position))
        done = match.submit(live, live.turn.seat, [order], desk_desk.stamp(desk.now()))
        ledger.save_match(change, loaded, done.match, done.logged)
    return True


@dataclass(frozen=True)
class Quote:
    """How a mail is quoted: of which part, in which manner, with which marks and line breaks.

    ``loosely``: lines are broken after they were marked, so the rest of each stands bare.
    """

    manner: str
    mark: str
    width: int | None
    loosely: bool

    def of(self, mail: Mail) -> str:
        """Return the quote of a mail."""
        original = original_of(mail.raw)
        text = original.text if self.manner == "text" else rendered(original.html, self.manner)
        if self.width is None:
            return marked(text, self.mark)
        if self.loosely:
            return wrapped(marked(text, self.mark), self.width)
        return marked(wrapped(text, self.width - len(self.mark)), self.mark)


def quotes(rng: Random) -> Iterator[Quote]:
    """Yield ways of quoting without end, careless ones twice as often."""
    while True:
        width = rng.choice([None, *rng.sample(WIDTHS, 6)])
        manner = rng.choice([*MANNERS, *MANNERS, "text"])
        yield Quote(manner, rng.choice(MARKS), width, rng.random() < 0.66)
