"""Size of the database and cost of a letter while many matches are played for a year.

Each day whoever is to act in each match answers the last report with a random order, the mail
quoted below; boards come as pictures and every mail is delivered at once. A match that ends is
followed by a new one. The daily chores prune as in an installation, and what a letter costs is the
CPU of everything the referee does in a day, in times of what fifty mails take to be parsed each
day, as other programs on the machine make both dearer. A thousand matches take hours for their
year: with a folder the season is kept there after each day, and the next run goes on where it
ended; DAYS_APART are the days from one letter of a match to its next. Run:
python benchmarks/growing.py [GAME [MATCHES DAYS [FOLDER [DAYS_APART]]]]
"""

from __future__ import annotations

import asyncio
import email.policy
import os
import pickle
import re
import resource
import sys
import tempfile
import time
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import timedelta
from email.parser import BytesParser
from pathlib import Path
from random import Random
from statistics import fmean

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.club import REFEREE, Club, Mail, letter, open_club
from support.year import PostOffice

from referee.desk.letters import queue
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
    apart: int = 1
    """Days from one letter of a match to its next."""

    rng: Random = field(default_factory=lambda: Random(1))
    post: PostOffice = field(default_factory=PostOffice)
    last: dict[tuple[str, str], bytes] = field(default_factory=dict)
    opened: int = 0
    written: int = 0
    spent: float = 0
    days: int = 0
    first: float = 0
    """The yardsticks that a letter of the first period cost."""

    def keep(self, file: Path) -> None:
        """Write down all but the club, whose database stands beside the file."""
        kept = {name: value for name, value in vars(self).items() if name not in ("club", "post")}
        unfinished = file.with_suffix(".new")
        unfinished.write_bytes(pickle.dumps((kept, self.club.desk.now())))
        unfinished.replace(file)

    def go_on(self, file: Path) -> None:
        """Take up what was written down."""
        kept, now = pickle.loads(file.read_bytes())
        vars(self).update(kept)
        self.club.later(seconds=(now - self.club.desk.now()) / timedelta(seconds=1))

    def day(self) -> None:
        """Let a day pass: matches begin, everybody whose turn it is answers, the referee works."""
        self.days += 1
        self.club.later(days=1)
        with self.club.desk.store.reading() as connection:
            running = list(matches.select_matches(connection, "running"))
        names = {row.name for row in running}
        self.last = {about: raw for about, raw in self.last.items() if about[1] in names}
        colours = registry.find_installed(self.game).colours[:2]
        for _ in range(self.number - len(running)):
            self.opened += 1
            self.club.new_match(
                self.game, *[f"{colour}={self._holder(colour, self.opened)}" for colour in colours]
            )
        self._work()
        for row in running:
            if (row.id + self.days) % self.apart == 0:
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
        return f"member-{seat}-{match % self.number}@example.test"

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
        queue.handle_waiting(desk, lambda _: self.club.work())
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
    game = words[0] if words else "nord"
    number, days = map(int, words[1:3]) if len(words) > 2 else (MATCHES, DAYS)
    with nullcontext(words[3]) if len(words) > 3 else tempfile.TemporaryDirectory() as folder:
        club = open_club(Path(folder))
        club.settle(pictures=True)
        apart = int(words[4]) if len(words) > 4 else 1
        season, file = Season(club, game, number, apart), Path(folder) / "season.pickle"
        if file.exists():
            season.go_on(file)
        often = f"every {apart} days" if apart > 1 else "a day"
        print(f"{game}: {number} matches of two players at once, a letter {often} in each")
        print("  day  letters  ended  ms a letter  yardsticks      MB  MB RSS")
        cost = season.first
        while season.days < days:
            letters_before, spent_before, yardsticks = season.written, season.spent, []
            for _ in range(min(PERIOD, days - season.days)):
                season.day()
                season.keep(file)
                yardsticks.append(season.yardstick())
            spent = (season.spent - spent_before) / (season.written - letters_before)
            cost = spent / fmean(yardsticks)
            season.first = season.first or cost
            print(
                f"{season.days:5}{season.written:9}{season.opened - number:7}"
                f"{1000 * spent:13.1f}{cost:12.2f}{_size(club):8.0f}{_resident():8.0f}",
                flush=True,
            )
        whole = _size(club) / number
        club.desk.store.close()
    print(f"a thousand matches: {whole:.1f} GB (aim: below 8); the last period's letters cost "
          f"{cost / season.first:.2f} times those of the first (aim: at most 1.1)")  # fmt: skip


def _size(club: Club) -> float:
    """Return the megabytes of the database and the files that belong to it."""
    file = club.desk.store.file
    assert file is not None
    return sum(path.stat().st_size for path in file.parent.glob(f"{file.name}*")) / 1e6


def _resident() -> float:
    """Return the most memory that this process has held, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    os.nice(5)
    main()
