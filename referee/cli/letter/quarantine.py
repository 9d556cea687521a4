"""``referee letter retry|drop``: letters in quarantine."""

from __future__ import annotations

from referee.cli import output, session
from referee.cli.options import Letter, Why, Yes
from referee.cli.plan import decide
from referee.desk.desk import opened_desk
from referee.desk.plans.player import Drop
from referee.desk.plans.post import retry_letter


def retry_handling(letter: Letter) -> None:
    """Handle a letter in quarantine again.

    The daemon treats it as if it had just arrived.

    Example: referee letter retry 12
    """
    with opened_desk(session.settings()) as desk, desk.store.writing() as connection:
        retry_letter(connection, letter)
    said = f"Letter {letter} will be handled again: referee letter show {letter}"
    output.result({"letter": letter, "state": "kept"}, said)


def drop(letter: Letter, *, why: Why = "", yes: Yes = False) -> None:
    """Drop a letter in quarantine.

    It is not handled, and its sender is not told. If the letter stops a player's clock in a
    match, this makes a plan.

    Example: referee letter drop 12
    """
    decide(Drop(letter), why, yes=yes)
