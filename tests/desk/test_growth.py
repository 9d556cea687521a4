"""What is asked of the database costs the same however much lies in it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Table, insert, select, update
from support.club import ALICE, BOB, SEATS, Club, letter
from support.cost import statements, steps

from referee.desk import agenda
from referee.desk.letters import intake
from referee.desk.overview.players import describe_players
from referee.desk.service import chores
from referee.store import tables as t
from referee.store.people import players
from referee.store.play import matches, standins
from referee.store.post import letters
from referee.store.tables.post import LetterRow

COPIES = 60
SLIGHTLY = 1.03
"""More that is allowed, as deeper trees and longer numbers cost a little."""


def copy(club: Club, *tables: Table, **changed: Callable[[int, Any], Any]) -> None:
    """Copy all rows of tables, each with a number of its own and columns changed by copy."""
    with club.desk.store.writing() as connection:
        for table in tables:
            rows = [dict(row) for row in connection.execute(select(table)).mappings()]
            many = [
                {
                    name: changed[name](number, value) if name in changed else value
                    for name, value in row.items()
                    if (table, name) != (t.outbox, "id")
                }
                for number in range(1, COPIES)
                for row in rows
            ]
            connection.execute(insert(table), many)


def beyond(number: int, value: int) -> int:
    """Return a number that no other copy has."""
    return value + 1000 * number


def named(number: int, value: str) -> str:
    """Return a name that no other copy has."""
    return f"{value}-{number}"


def longer(club: Club) -> None:
    """Let all matches have had many more mails and codes."""

    def earlier(number: int, moment: datetime) -> datetime:
        return moment - timedelta(days=30 + number)

    copy(club, t.outbox, message_id=named, created=earlier)
    copy(club, t.codes, code=named, seq=lambda number, seq: seq - 1000 * number)


def kept(club: Club, raw: bytes) -> LetterRow:
    """Keep a letter that arrives now, not handled yet."""
    club.uid += 1
    with club.desk.store.writing() as connection:
        row = letters.keep_letter(
            connection,
            folder="INBOX",
            uidvalidity=1,
            uid=club.uid,
            arrived=club.desk.now(),
            size=len(raw),
            truncated=False,
            raw=raw,
            mailbox=club.desk.settings.address,
            now=club.desk.now(),
        )
    assert row is not None
    return row


def test_idle_rounds_ask_once_for_all_digests(club: Club) -> None:
    """Where none is due, the number of players who have one makes no difference."""

    def idle() -> None:
        with club.desk.reading() as change:
            assert chores.due_chores(change) == []

    add_readers(club, 3)
    few, asked_few = steps(idle), asked(idle)
    add_readers(club, 100)
    assert asked(idle) == asked_few
    assert steps(idle) <= few * SLIGHTLY


def add_readers(club: Club, number: int) -> None:
    """Add players whose digest of today was written."""
    with club.desk.store.writing() as connection:
        first = len(players.all_players(connection))
        for each in range(first, first + number):
            player = players.insert_player(
                connection,
                name=f"red {each}",
                language="en",
                zone="UTC",
                address=f"red{each}@example.test",
                now=club.desk.now(),
            )
            players.update_player(connection, player, digest="daily")
    while chores.do_chores(club.desk):
        pass


def asked(work: Callable[[], object]) -> int:
    """Return how many statements something asks."""
    with statements() as found:
        work()
    return len(found)


def test_digests_that_are_due_together_let_others_have_their_turn(club: Club) -> None:
    """After the time for chores the rest waits for the next round."""
    add_readers(club, 3)
    club.later(days=1)
    left = []
    for _ in range(6):
        with club.desk.reading() as change:
            left.append(len(chores.due_chores(change)))
        chores.do_chores(club.desk, seconds=0)
    # What is done once a day comes before them.
    assert left == [5, 4, 3, 2, 1, 0]


def test_a_letter_walks_neither_other_matches_nor_what_is_over(club: Club) -> None:
    """Held orders and stand-ins are found by their moment, whatever runs or once was."""
    row = club.new_match("pebbles", *SEATS)
    now = club.desk.now()
    with club.desk.store.writing() as connection:
        owner = players.by_address(connection, ALICE)
        assert owner is not None
        held = matches.add_standing_order(
            connection, row.id, "red", "held", "pass", now, arrived=now, until=now
        )
        matches.end_standing_order(connection, held.id, "cancelled", now)
        who = {"owner_id": owner.id, "player_id": None, "bot": "random", "details": {}}
        days: dict[str, Any] = {"begins": now, "ends": now + timedelta(days=1), "created": now}
        over = standins.add_stand_in(connection, row.id, "red", **who, **days)
        standins.set_stand_in(connection, over, "over")
    club.later(days=2)
    unread = kept(club, letter(ALICE, "help"))
    few = steps(lambda: agenda.catch_up(club.desk, unread.arrived))
    copy(club, t.matches, id=beyond, name=named)
    copy(club, t.standing_orders, t.stand_ins, id=beyond, match_id=beyond)
    assert steps(lambda: agenda.catch_up(club.desk, unread.arrived)) <= few * SLIGHTLY


def test_a_letter_reads_only_the_last_mails_and_codes_of_its_match(club: Club) -> None:
    """However long a match has been going, its next turn costs the same."""
    club.new_match("pebbles", *SEATS)
    club.new_match("pebbles", *SEATS)
    club.work()
    reports = [each for each in club.mails(ALICE) if each.kind == "report"]
    costs = []
    for number, report in enumerate(reports):
        raw = letter(
            ALICE, report.turn_file["legal"][0], answers=report.message["Message-ID"], number=number
        )
        unread = kept(club, raw)

        def take(unread: LetterRow = unread, raw: bytes = raw) -> None:
            intake.take_letter(club.desk, unread, raw)
            agenda.follow_sender(club.desk, unread)

        costs.append(steps(take))
        if number == 0:
            club.mails(BOB)
            longer(club)
    assert [club.match(name).turn for name in ("pebbles-1", "pebbles-2")] == [2, 2]
    assert costs[1] <= costs[0] * SLIGHTLY


@pytest.mark.parametrize("words", ["help", "matches"])
def test_answers_about_a_players_matches_ask_once_for_all(club: Club, words: str) -> None:
    """However many matches they have had, finished ones included."""
    club.new_match("pebbles", *SEATS)
    with club.desk.store.writing() as connection:
        connection.execute(update(t.matches).values(state="over", agenda_at=None))

    def answered() -> None:
        club.put(letter(ALICE, words, number=club.uid))

    answered()
    few = asked(answered)
    copy(club, t.matches, id=beyond, name=named)
    copy(club, t.seats, match_id=beyond)
    assert asked(answered) == few


def test_the_list_of_players_asks_once(club: Club) -> None:
    """Their addresses come with them."""

    def listed() -> None:
        with club.desk.store.reading() as connection:
            assert all(each["addresses"] for each in describe_players(connection))

    add_readers(club, 2)
    few = asked(listed)
    add_readers(club, 10)
    assert asked(listed) == few
