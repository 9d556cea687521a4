"""Tables said by their kinds of rows: a column for each field, and values as they were written."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

import pytest
from sqlalchemy import BigInteger, Boolean, CheckConstraint, Text, text, update
from support.storing import a_match

from referee.store import tables as t
from referee.store.play import matches
from referee.store.store import Store
from referee.store.tables.base import (
    AsJson,
    Damaged,
    Identity,
    Moment,
    PlayerRef,
    Tally,
    metadata,
    table,
)
from referee.value import Value

pytestmark = pytest.mark.fast


class Sample(Value):
    """A row with a field of each kind."""

    id: Identity
    player_id: PlayerRef | None
    name: str
    state: Literal["here", "gone"]
    seen: datetime | None
    loud: bool
    count: Tally
    options: Mapping[str, Any]


def test_a_kind_of_row_says_its_columns() -> None:
    """Types, keys, references, defaults, words and what may be missing follow from its fields."""
    found = table(Sample, "sample", hidden=str | None)
    metadata.remove(found)
    columns = found.columns
    assert [column.name for column in columns] == ["hidden", *Sample.__struct_fields__]
    assert [column.name for column in columns if column.nullable] == ["hidden", "player_id", "seen"]
    assert [column.name for column in found.primary_key] == ["id"]
    assert {key.target_fullname for key in columns["player_id"].foreign_keys} == {"players.id"}
    kinds = {"name": Text, "seen": Moment, "loud": Boolean, "count": BigInteger, "options": AsJson}
    assert all(isinstance(columns[name].type, kind) for name, kind in kinds.items())
    assert columns["count"].server_default is not None
    (check,) = columns["state"].constraints
    assert isinstance(check, CheckConstraint)
    assert str(check.sqltext) == "state IN ('here', 'gone')"


def test_an_object_comes_back_as_it_was_kept(store: Store) -> None:
    """With whatever signs it holds."""
    options = {"größe": [1, 2], "deep": {"a": None, "quoted": 'say "hm"'}}
    with store.writing() as connection:
        match_id = a_match(connection).match
        matches.change_match(connection, match_id, options=options)
    with store.reading() as connection:
        assert matches.get_match(connection, match_id).options == options


def test_a_damaged_object_fails_where_it_is_looked_into(store: Store) -> None:
    """The row is read all the same, so a list of many goes on."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        connection.execute(update(t.matches).values(options=text("'[1'")))
    with store.reading() as connection:
        row = matches.get_match(connection, match_id)
    assert isinstance(row.options, Damaged)
    assert row.options != {}
    with store.writing() as connection:
        matches.change_match(connection, match_id, options=row.options)
        kept = connection.execute(text("SELECT options FROM matches")).scalar()
    assert kept == "[1", "it is kept as it was"
    for look in (len, list, dict, lambda found: found["a"], lambda found: found.get("a")):
        with pytest.raises(ValueError, match=r"damaged.*restore a backup"):
            look(row.options)
