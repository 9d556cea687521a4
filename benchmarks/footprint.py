"""Rows and bytes that a match leaves in the database: as written, once delivered, and for good.

Two players answer each report with a random order, the mail quoted below, until the match is over;
boards come as pictures. Run: python benchmarks/footprint.py [GAME] [MATCHES]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from sqlalchemy import func, select
from support.club import Club, Mail, open_club

from referee.desk.matches import ledger
from referee.desk.service import chores
from referee.games import registry
from referee.store import tables as t
from referee.store.post import outbox

MATCHES = 3
MOST_LETTERS = 1000
TABLES = (t.events, t.private_events, t.turns, t.codes, t.snapshots, t.letters, t.submissions,
          t.outbox)  # fmt: skip
"""The tables that grow with every turn."""


def main() -> None:
    """Print letters, mails, rows and bytes of a match."""
    words = sys.argv[1:]
    game = words[0] if words else "nord"
    number = int(words[1]) if len(words) > 1 else MATCHES
    with tempfile.TemporaryDirectory() as folder:
        club = open_club(Path(folder))
        club.settle(pictures=True)
        before = size(club)
        sent = sum(play(club, game, each) for each in range(number))
        added = size(club) - before
        rows = {table.name: count(club, table.name) / number for table in TABLES}
        raw = {name: stored(club, name) / number for name in ("letters", "outbox")}
        deliver(club)
        delivered = size(club) - before
        club.later(days=club.desk.settings.keep_days + 1)
        while chores.do_chores(club.desk):
            pass
        lasting = size(club) - before
        club.desk.store.close()
    print(f"{game}: {number} matches of two players, each to its end")
    print(f"letters of a match  {sent / number:8.0f}")
    print(f"rows of a match     {sum(rows.values()):8.0f}")
    for name, found in rows.items():
        print(f"  {name:18}{found:8.0f}")
    print(f"bytes of a match    {added / number / 1000:8.0f} kB")
    for name, found in raw.items():
        print(f"  in {name:15}{found / 1000:8.0f} kB")
    print("bytes of a letter, with all that follows from it")
    for when, found in (("as written", added), ("delivered", delivered), ("for good", lasting)):
        print(f"  {when:18}{found / sent / 1000:8.1f} kB")


def play(club: Club, game: str, number: int) -> int:
    """Play a match to its end by letters; return how many there were."""
    found, chance = registry.find_installed(game), Random(number)
    who = {seat: f"{seat}{number}@example.test" for seat in found.colours[:2]}
    row = club.new_match(game, *[f"{seat}={address}" for seat, address in who.items()])
    club.work()
    last: dict[str, Mail] = {}
    for written in range(MOST_LETTERS):
        for address in who.values():
            for mail in club.mails(address):
                last[address] = mail
        match = club.match(row.name)
        if match.to_act is None:
            return written
        with club.desk.reading() as change:
            loaded = ledger.load_match(change, match)
        orders = list(loaded.game.orders(loaded.live.position))
        line = loaded.game.format(orders[chance.randrange(len(orders))], "en")
        club.answer(last[who[match.to_act]], line, who[match.to_act])
        club.work()
    raise AssertionError(f"{row.name} does not end")


def deliver(club: Club) -> None:
    """Let the mails go that wait, and of all of them what goes with their delivery."""
    with club.desk.store.writing() as connection:
        for row in outbox.latest_mails(connection, limit=100_000):
            outbox.mark_mail(connection, row.id, "sent", now=club.desk.now())
            outbox.drop_files(connection, row.id)


def size(club: Club) -> int:
    """Return the bytes of the database in use."""
    with club.desk.store.reading() as connection:
        found = connection.exec_driver_sql(
            "SELECT (c.page_count - f.freelist_count) * s.page_size "
            "FROM pragma_page_count() c, pragma_freelist_count() f, pragma_page_size() s"
        )
        return int(found.scalar_one())


def count(club: Club, name: str) -> int:
    """Return how many rows a table has."""
    with club.desk.store.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(t.metadata.tables[name]))
                   .scalar_one())  # fmt: skip


def stored(club: Club, name: str) -> int:
    """Return the bytes of the mails in a table."""
    raw = t.metadata.tables[name].c.raw
    with club.desk.store.reading() as connection:
        return int(connection.execute(select(func.sum(func.length(raw)))).scalar_one())


if __name__ == "__main__":
    main()
