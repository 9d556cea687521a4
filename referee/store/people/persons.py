"""Everything kept about a person, in any table: found, moved, erased."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Table,
    Text,
    delete,
    false,
    or_,
    select,
    type_coerce,
    update,
)

from referee.store import tables as t
from referee.store.post.letters import change_letter
from referee.store.post.outbox import change_mail, get_mail
from referee.store.states import SETTLED

ERASED: Final = "erased"
"""What stands in the place of an address that was erased."""


def player_references() -> list[tuple[Table, Column[Any]]]:
    """Return every column that refers to a player, in any table."""
    return [
        (table, column)
        for table in t.metadata.sorted_tables
        for column in table.columns
        # Found by the foreign keys, so that a new table cannot be forgotten here.
        if any(key.column is t.players.c.id for key in column.foreign_keys)
    ]


def move_rows(connection: Connection, old: int, new: int) -> None:
    """Let all rows of a player refer to another."""
    watched = select(t.watchers.c.match_id).where(t.watchers.c.player_id == new)
    twice = (t.watchers.c.player_id == old) & t.watchers.c.match_id.in_(watched)
    # First, or the rows of both would collide in the key once they are one person's.
    connection.execute(delete(t.watchers).where(twice))
    for table, column in player_references():
        connection.execute(update(table).where(column == old).values({column.name: new}))


def rows_of_person(connection: Connection, player_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return every row that refers to a player, by table, without the bytes of mails."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for table, column in player_references():
        shown = [field for field in table.columns if field.name not in {"raw", "brief"}]
        selected = connection.execute(select(*shown).where(column == player_id)).mappings()
        rows.setdefault(table.name, []).extend(dict(row) for row in selected)
    return {name: listed for name, listed in rows.items() if listed}


def letters_of_person(
    connection: Connection, player_id: int, addresses: Iterable[str]
) -> list[int]:
    """Return a person's letters, by player or sender."""
    c = t.letters.c
    # By address too: letters from before they were a player bear no player's number.
    mine = or_(c.player_id == player_id, c.sender.in_(list(addresses)))
    return [*connection.execute(select(c.id).where(mine)).scalars()]


def mails_of_person(connection: Connection, player_id: int, addresses: Iterable[str]) -> list[int]:
    """Return the mails to a person."""
    c = t.outbox.c
    theirs = or_(c.player_id == player_id, c.recipient.in_(list(addresses)))
    return [*connection.execute(select(c.id).where(theirs)).scalars()]


def forget_letter(connection: Connection, letter_id: int) -> None:
    """Forget the sender and text of a letter; one still waiting is dropped."""
    row = {"sender": None, "message_id": None, "reason": ERASED, "raw": None}
    if change_letter(connection, letter_id, **row, habits=None, lanes=None).state in {
        "kept",
        "quarantined",
    }:
        # Handled later it could no longer be read, and would be set aside as broken.
        change_letter(connection, letter_id, state="ignored")


def forget_mail(connection: Connection, mail_id: int) -> None:
    """Forget the recipient and text of a mail; one still waiting is dropped."""
    change_mail(connection, mail_id, recipient=ERASED, answer=None, raw=None, brief=None)
    if get_mail(connection, mail_id).state not in SETTLED:
        change_mail(connection, mail_id, state="superseded")


def forget_texts(connection: Connection, player_id: int, addresses: Iterable[str]) -> None:
    """Forget texts that a player wrote, and what others wrote that holds one of the addresses.

    That is texts about matches, plans, and what became of letters. The bytes of letters and mails
    go by themselves.
    """
    named, c = list(addresses), t.messages.c
    documents = type_coerce(t.plans.c.document, Text)
    mine = c.player_id == player_id

    def holds(column: ColumnElement[str]) -> ColumnElement[bool]:
        return or_(false(), *(column.icontains(address, autoescape=True) for address in named))

    for changed in (
        update(t.messages).where(mine | holds(c.text)).values(text=None),
        update(t.messages).where(mine).values(player_id=None),
        update(t.letters).where(holds(t.letters.c.reason)).values(reason=ERASED),
        update(t.plans).where(holds(documents)).values(document={}, state="dropped"),
    ):
        connection.execute(changed)


def texts_of(connection: Connection, player_id: int) -> list[str]:
    """Return the texts that a player wrote, for any seat."""
    c = t.messages.c
    mine = select(c.text).where(c.player_id == player_id).where(c.text.is_not(None))
    texts = connection.execute(mine.order_by(c.id)).scalars()
    return [text.partition("\n")[2] for text in texts]


def forget_everything_else(
    connection: Connection, player_id: int, addresses: Iterable[str]
) -> None:
    """Forget addresses, days away, questions, watched matches and the like.

    What stays is the seats, letters, mails and messages, whose rows others need.
    """
    keep = {t.seats.name, t.letters.name, t.outbox.name, t.messages.name}
    for table, column in player_references():
        if table.name not in keep:
            connection.execute(delete(table).where(column == player_id))
    named = list(addresses)
    connection.execute(delete(t.strangers).where(t.strangers.c.address.in_(named)))
    connection.execute(delete(t.questions).where(t.questions.c.address.in_(named)))
