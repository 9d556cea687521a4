"""What a plain order letter asks of the database, and that what is remembered is never stale."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import select
from support.club import REFEREE, Club, Mail, letter, open_club
from support.cost import statements

from referee.desk import agenda
from referee.desk.letters import queue
from referee.desk.matches import ledger
from referee.store import tables
from referee.store.database import block
from referee.store.post import letters

SEATS: Final = {
    "red": "alice@example.test",
    "blue": "bob@example.test",
    "green": "carol@example.test",
}

MOST_STATEMENTS: Final = 55
"""Statements of one order letter, from keeping it to its receipt and three reports.

The number may only shrink. Three of them keep and read the position that readers were told of last,
in place of a replay of the log.
"""


def begun(club: Club) -> str:
    """Begin a match of three with a limit for each turn; return its name."""
    holders = [f"{seat}={address}" for seat, address in SEATS.items()]
    row = club.new_match("pebbles", *holders, per_turn=timedelta(days=3))
    club.work()
    return row.name


def legal(club: Club, name: str) -> str:
    """Return the first order the seat to act may give, which is no pass."""
    with club.desk.reading() as change:
        loaded = ledger.load_match(change, club.match(name))
    return loaded.game.format(next(iter(loaded.game.orders(loaded.live.position))), "en")


def arrive(club: Club, number: int, report: Mail, order: str, sender: str) -> None:
    """Keep an answer with one order and handle it, as the daemon does."""
    quoted = "".join(f"> {line}\n" for line in report.text.splitlines())
    answered = report.message["Message-ID"]
    raw = letter(sender, f"{order}\n\n{quoted}", answers=answered, number=number)
    with club.desk.store.writing() as connection:
        letters.keep_letter(
            connection,
            folder="INBOX",
            uidvalidity=1,
            uid=number,
            arrived=club.desk.now(),
            size=len(raw),
            raw=raw,
            mailbox=REFEREE,
            now=club.desk.now(),
        )
    queue.handle_waiting(club.desk, partial(agenda.follow_sender, club.desk))


def play(club: Club, turns: int) -> list[int]:
    """Play turns by letter; return the statements of each."""
    name, counts = begun(club), []
    for number in range(1, turns + 1):
        seat = str(club.match(name).to_act)
        report = club.last(SEATS[seat], "report")
        order = legal(club, name)
        club.later(hours=1)
        with statements() as asked:
            arrive(club, number, report, order, SEATS[seat])
        counts.append(len(asked))
    return counts


def everything(club: Club) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables."""
    with club.desk.store.reading() as connection:
        return {
            name: [tuple(row) for row in connection.execute(select(table))]
            for name, table in tables.metadata.tables.items()
        }


def test_an_order_letter_asks_the_database_little(club: Club) -> None:
    """Its statements are few, and stay so as the match grows longer."""
    counts = play(club, 8)
    with club.desk.store.reading() as connection:
        kinds = [row.kind for row in connection.execute(select(tables.outbox.c.kind))]
    assert kinds.count("receipt") == 8
    assert kinds.count("report") >= 8
    assert max(counts) <= MOST_STATEMENTS
    assert min(counts) > MOST_STATEMENTS // 2


def test_a_match_is_the_same_without_what_blocks_remember(
    club: Club, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every row that letters write, mails included, comes out as if all was read each time."""
    other: Path = tmp_path_factory.mktemp("other")
    few = sum(play(club, 6))
    monkeypatch.setattr(block, "_known", lambda *_: {})
    forgetful = open_club(other)
    many = sum(play(forgetful, 6))
    assert few < many
    assert {**everything(club), "meta": []} == {**everything(forgetful), "meta": []}
    forgetful.desk.store.close()
