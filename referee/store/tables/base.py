"""How columns are written: identities, moments in UTC, packed mails, words from a list."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final, get_args

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Dialect,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Text,
    TypeDecorator,
    false,
)

from referee.errors import RefereeError
from referee.store.database.packing import pack, unpack

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)

# Constraints need names, or no later migration could change them.
metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite numbers rows by itself only where the type is written INTEGER.
Identity: Final = BigInteger().with_variant(Integer(), "sqlite")


class Moment(TypeDecorator[datetime]):
    """A moment, an aware datetime kept as whole microseconds since 1970-01-01 UTC."""

    # Numbers: SQLite has no type for moments, and texts of several zones do not sort by time.
    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Return the microseconds. Raises TypeError for a moment without a time zone."""
        del dialect
        return None if value is None else (value - EPOCH) // MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Return the moment in UTC. Raises RefereeError for one that is damaged."""
        del dialect
        try:
            return None if value is None else EPOCH + timedelta(microseconds=value)
        except (TypeError, OverflowError):
            said = f"the database is damaged, {value!r} is no moment: restore a backup"
            raise RefereeError(said) from None


class Packed(TypeDecorator[bytes]):
    """A mail's bytes, packed: it takes half the room."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return the bytes packed."""
        del dialect
        return None if value is None else pack(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return the bytes as they were."""
        del dialect
        return None if value is None else unpack(value)


def identity_column() -> Column[int]:
    """Return the column that numbers the rows of a table."""
    return Column("id", Identity, primary_key=True)


def reference_column(
    name: str, target: str, *, optional: bool = False, key: bool = False
) -> Column[int]:
    """Return a column that refers to the identity of another table."""
    return Column(name, Identity, ForeignKey(f"{target}.id"), nullable=optional, primary_key=key)


def text_column(name: str, *, optional: bool = False) -> Column[str]:
    """Return a column of text."""
    return Column(name, Text, nullable=optional)


def whole_column(name: str, *, optional: bool = False) -> Column[int]:
    """Return a column of whole numbers."""
    return Column(name, BigInteger, nullable=optional)


def tally_column(name: str) -> Column[int]:
    """Return a column that counts, from nought."""
    return Column(name, BigInteger, nullable=False, server_default="0")


def flag_column(name: str) -> Column[bool]:
    """Return a column that says yes or no, no unless told."""
    return Column(name, Boolean, nullable=False, server_default=false())


def moment_column(name: str, *, optional: bool = False) -> Column[datetime]:
    """Return a column of moments."""
    return Column(name, Moment, nullable=optional)


def choice_column(name: str, words: Any) -> Column[str]:
    """Return a column that holds one of the words of a Literal."""
    # Checked by the database as well, which outlives the version of the program that wrote.
    listed = ", ".join(f"'{word}'" for word in get_args(words))
    check = CheckConstraint(f"{name} IN ({listed})", name=name)
    return Column(name, Text, check, nullable=False)
