"""What the daemon asks its database for a letter costs the same however much lies in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from sqlalchemy import Engine, event, text
from support.installation import Installation

from referee.desk.desk import Change
from referee.desk.seats import setup
from referee.desk.seats.setup import MatchSetup, parse_holder
from referee.games import registry
from referee.store.post import outbox

pytestmark = pytest.mark.mail

GROWING: Final = frozenset(
    {
        "matches", "seats", "letters", "submissions", "outbox", "events", "private_events", "turns",
        "codes", "snapshots", "standing_orders", "stand_ins", "players", "addresses", "messages",
    }
)  # fmt: skip
"""Tables that grow with every match and every letter."""

EXPLAIN: Final = "EXPLAIN QUERY PLAN "


@contextmanager
def asked() -> Iterator[dict[str, Any]]:
    """Collect every statement carried out, with one of its sets of parameters."""
    found: dict[str, Any] = {}

    def note(connection: Any, cursor: Any, statement: str, parameters: Any, *rest: Any) -> None:
        del connection, cursor, rest
        if statement.startswith(("SELECT", "UPDATE", "DELETE")):
            found[statement] = parameters

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def scans(installation: Installation, statements: dict[str, Any]) -> list[str]:
    """Return each reading of a whole table that grows, with the statement that asks for it."""
    found = []
    with installation.store.reading() as connection:
        for statement, parameters in statements.items():
            given = parameters[0] if isinstance(parameters, list) else parameters
            plan = connection.exec_driver_sql(EXPLAIN + statement, given)
            for line in [str(row[-1]) for row in plan]:
                words = line.split()
                if words[:1] == ["SCAN"] and words[1] in GROWING:
                    found.append(f"{line}: {statement}")
    return found


def test_a_letter_reads_no_table_as_a_whole(installation: Installation) -> None:
    """Every question of a pass that plays, refuses, ignores and sends is answered by an index."""
    game = registry.find_installed("pebbles", 2)
    holders = tuple(
        parse_holder(each, game)
        for each in ("red=alice@example.test", "blue=bob@example.test", "green=bot:random")
    )
    desk = installation.daemon().desk
    with installation.store.writing() as connection:
        plan = MatchSetup(game, holders, setup.read_options(game, []), seed=bytes(32), begins=True)
        setup.set_up_match(Change(desk, connection), plan)
    installation.daemon().once()
    with installation.store.reading() as connection:
        report = next(e for e in outbox.latest_mails(connection) if e.recipient.startswith("alice"))
    with asked() as statements:
        for words in ("put 9 A1", "pass", "pass", "help", "message all\nhello\nend"):
            installation.send("alice@example.test", words, report.message_id)
        installation.send("eve@example.test", "help")
        installation.daemon().once()
        installation.daemon().once()
    assert len(statements) > 50
    assert scans(installation, statements) == []


def test_a_question_without_an_index_is_found(installation: Installation) -> None:
    """What the test above looks for is what a database without that index would do."""
    with asked() as statements, installation.store.reading() as connection:
        connection.execute(text("SELECT id FROM letters WHERE reason = 'odd'"))
    assert len(scans(installation, statements)) == 1
