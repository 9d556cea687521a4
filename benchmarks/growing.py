"""Size of the database and cost of a letter while many matches are played for a year.

Each day whoever is to act in each match answers the last report with a random order, the mail
quoted below; boards come as pictures and every mail is delivered at once. A match that ends is
followed by a new one. The daily chores prune as in an installation, and what a letter costs is the
CPU of everything the referee does in a day, in times of what fifty mails take to be parsed, as
other programs on the machine make both dearer. Run: python benchmarks/growing.py [GAME [MATCHES
DAYS]]
"""

from __future__ import annotations

import asyncio
import email.policy
import os
import re
import resource
import sys
import tempfile
import time
from dataclasses import dataclass, field
from email.parser import BytesParser
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.club import REFEREE, Club, Mail, letter, open_club
from support.year import PostOffice

from referee.desk.letters import inbox
from referee.desk.mails.delivery import Sending
from referee.desk.matches import ledger
from referee.desk.service import chores
from referee.games import registry
from referee.store.play import matches
from referee.store.post import letters
from referee.store.tables.play import MatchRow

MATCHES, DAYS = 100, 365
PERIOD = 30
"""Days that one line tells of."""

_MATCH = re.compile(rb"^Subject: \[(\S+)\]", re.MULTILINE)


@dataclass
class Season:
    """A club whose members answer every day, and what that costs the referee."""

    club: Club
    game: str
    number: int
    rng: Random = field(default_factory=lambda: Random(1))
    post: PostOffice = field(default_factory=PostOffice)
    last: dict[tuple[str, str], bytes] = field(default_factory=dict)
    opened: int = 0
    written: int = 0
    spent: float = 0

    def day(self) -> None:
        """Let a day pass: matches begin, everybody whose turn it is answers, the referee works."""
        self.club.later(days=1)
        with self.club.desk.store.reading() as connection:
            running = list(matches.select_matches(connection, "running"))
        colours = registry.find_installed(self.game).colours[:2]
        for _ in range(self.number - len(running)):
            self.opened += 1
            self.club.new_match(
                self.game, *[f"{colour}={self._holder(colour, self.opened)}" for colour in colours]
            )
        self._work()
        for row in running:
            self._answer(row)
        self._work()

    def yardstick(self) -> float:
        """Return the seconds of CPU that it takes to parse fifty mails."""
        raws = [*self.last.values()][:5]
        began = time.process_time()
        for _ in range(50 // len(raws)):
            for raw in raws:
                BytesParser(policy=email.policy.default).parsebytes(raw).as_bytes()
        return time.process_time() - began

    def _holder(self, seat: str, match: int) -> str:
        """Return the address of the player of a seat; as many play as matches run."""
        return f"{seat}{match % self.number}@example.test"

    def _answer(self, row: MatchRow) -> None:
        club = self.club
        with club.desk.reading() as change:
            loaded = ledger.load_match(change, row)
        holder = self._holder(row.to_act or "", row.id)
        order = self.rng.choice(list(loaded.game.orders(loaded.live.position)))
        report = Mail(0, "report", self.last[holder, row.name])
        quoted = "".join(f"> {line}\n" for line in report.text.splitlines())
        self.written += 1
        raw = letter(
            holder,
            f"{loaded.game.format(order, 'en')}\n\nthe referee wrote:\n{quoted}",
            answers=report.message["Message-ID"],
            number=self.written,
        )
        with club.desk.store.writing() as connection:
            letters.keep_letter(
                connection, folder="INBOX", uidvalidity=1, uid=self.written,
                arrived=club.desk.now(), size=len(raw), truncated=False, raw=raw,
                mailbox=REFEREE, now=club.desk.now(),
            )  # fmt: skip

    def _work(self) -> None:
        """Do all that a daemon does with what lies there, and take the mails to their readers."""
        desk = self.club.desk
        began = time.process_time()
        inbox.handle_waiting(desk, lambda _: self.club.work())
        self.club.work()
        asyncio.run(Sending(desk, self.post).send_due())  # type: ignore[arg-type]
        while chores.do_chores(desk):
            pass
        self.spent += time.process_time() - began
        for recipient, raw in self.post.delivered:
            if about := _MATCH.search(raw):
                self.last[recipient, about[1].decode()] = raw
        self.post.delivered.clear()


def main() -> None:
    """Print size and cost, a period a line, and what a thousand matches come to."""
    words = sys.argv[1:]
    game = words[0] if words else registry.game_names()[0]
    number, days = map(int, words[1:3]) if len(words) > 2 else (MATCHES, DAYS)
    with tempfile.TemporaryDirectory() as folder:
        club = open_club(Path(folder))
        club.settle(pictures=True)
        season = Season(club, game, number)
        print(f"{game}: {number} matches of two players at once, a letter a day in each")
        print("  day  letters  ended  ms a letter  yardsticks      MB  MB RSS")
        first = 0.0
        for begun in range(0, days, PERIOD):
            letters_before, spent_before = season.written, season.spent
            for _ in range(min(PERIOD, days - begun)):
                season.day()
            spent = (season.spent - spent_before) / (season.written - letters_before)
            cost = spent / season.yardstick()
            first = first or cost
            size = _size(Path(folder))
            print(
                f"{min(begun + PERIOD, days):5}{season.written:9}{season.opened - number:7}"
                f"{1000 * spent:13.1f}{cost:12.2f}{size:8.0f}{_resident():8.0f}",
                flush=True,
            )
        club.desk.store.close()
    whole = size / number
    print(f"a thousand matches: {whole:.1f} GB (aim: below 8); the last period's letters cost "
          f"{cost / first:.2f} times those of the first (aim: at most 1.1)")  # fmt: skip


def _size(folder: Path) -> float:
    """Return the megabytes of all files of the database."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def _resident() -> float:
    """Return the most memory that this process has held, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    os.nice(5)
    main()
