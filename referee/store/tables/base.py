"""How a class of rows says its table, and how moments and mails are written in one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from types import MappingProxyType, NoneType
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args, get_origin, get_type_hints

import msgspec
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
    Table,
    Text,
    TypeDecorator,
    false,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import CreateIndex, SchemaItem
from sqlalchemy.types import TypeEngine

from referee.errors import RefereeError
from referee.store.database.packing import pack, unpack
from referee.value import Value

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
IDENTITY: Final = BigInteger().with_variant(Integer(), "sqlite")


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
        del dialect
        return None if value is None else pack(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        del dialect
        return None if value is None else unpack(value)


class Damaged(Mapping[str, Any]):
    """An object that could not be read: whoever looks into it fails.

    So a damaged row stops its own match, and not the list of all. Kept again it is the same text.
    No dataclass, or whoever writes it as JSON would write an object.
    """

    def __init__(self, text: str) -> None:
        """Take the text that is no such object."""
        self.text = text

    def __repr__(self) -> str:
        """Return a text that tells two of them apart."""
        return f"Damaged({self.text!r})"

    def __eq__(self, other: object) -> bool:
        """Return whether it is the same text; no object is equal to it."""
        return isinstance(other, Damaged) and other.text == self.text

    def __hash__(self) -> int:
        """Return the hash of its text."""
        return hash(self.text)

    def __getattr__(self, name: str) -> Any:
        # Python itself looks for some.
        if name.startswith("__"):
            raise AttributeError(name)
        return self._fail()

    def _fail(self, *_: object) -> Any:
        raise ValueError("the database is damaged, an object is unreadable: restore a backup")

    __getitem__ = __iter__ = __len__ = _fail


class AsJson(TypeDecorator[Any]):
    """A value of a kind, kept as JSON."""

    impl = Text
    cache_ok = True

    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.kind = kind

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        del dialect
        if value is None:
            return None
        return value.text if isinstance(value, Damaged) else _ENCODER.encode(value).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Return the value; one that is damaged fails where it is looked into."""
        del dialect
        if value is None:
            return None
        try:
            return msgspec.json.decode(value, type=self.kind)
        except msgspec.MsgspecError:
            return Damaged(value)


class Detail(Value):
    """The details of a column beyond the type of its values.

    ``kind`` is its type where Python's does not say it, ``refers`` the table whose identity it
    holds, ``default`` the value in a row that is added without it.
    """

    kind: TypeEngine[Any] | None = None
    key: bool = False
    refers: str | None = None
    default: str | None = None


Identity: TypeAlias = Annotated[int, Detail(IDENTITY, key=True)]
"""The number of a row, given by the database."""

Tally: TypeAlias = Annotated[int, Detail(default="0")]
"""A number that counts, from nought."""

NumberKey: TypeAlias = Annotated[int, Detail(key=True)]

TextKey: TypeAlias = Annotated[str, Detail(key=True)]

PackedBytes: TypeAlias = Annotated[bytes, Detail(Packed())]

PlayerRef: TypeAlias = Annotated[int, Detail(IDENTITY, refers="players")]

PlayerKey: TypeAlias = Annotated[int, Detail(IDENTITY, refers="players", key=True)]

MatchRef: TypeAlias = Annotated[int, Detail(IDENTITY, refers="matches")]

MatchKey: TypeAlias = Annotated[int, Detail(IDENTITY, refers="matches", key=True)]

LetterRef: TypeAlias = Annotated[int, Detail(IDENTITY, refers="letters")]

MailRef: TypeAlias = Annotated[int, Detail(IDENTITY, refers="outbox")]

_ENCODER: Final = msgspec.json.Encoder(order="deterministic")

_KINDS: Final[Mapping[Any, Any]] = MappingProxyType(
    {int: BigInteger, str: Text, bool: Boolean, datetime: Moment, bytes: LargeBinary}
)


def table(row: type[Value] | None, name: str, *parts: SchemaItem, **unread: Any) -> Table:
    """Return the table of a kind of row: a column for each of its fields, with constraints.

    A field that may be None may be NULL, a Literal is one of its words, a bool defaults to false,
    and a type that no column has is kept as JSON. ``unread`` are columns that the row does not
    show, by their types; they come first. Where ``row`` is None they are all there are.
    """
    hints = get_type_hints(row, include_extras=True) if row else {}
    fields = {field: hints[field] for field in row.__struct_fields__} if row else {}
    columns: list[Column[Any]] = []
    for field, given in (unread | fields).items():
        nullable = NoneType in get_args(given)
        hint = next(part for part in get_args(given) if part is not NoneType) if nullable else given
        detail = Detail()
        if get_origin(hint) is Annotated:
            hint, detail = get_args(hint)
        constraints: list[SchemaItem] = []
        if detail.refers:
            constraints.append(ForeignKey(f"{detail.refers}.id"))
        kind = detail.kind
        if kind is None and get_origin(hint) is Literal:
            # Checked by the database as well, which outlives the version of the program that wrote.
            words = ", ".join(f"'{word}'" for word in get_args(hint))
            constraints.append(CheckConstraint(f"{field} IN ({words})", name=field))
            kind = Text()
        column = Column(
            field,
            kind or _KINDS.get(hint) or AsJson(hint),
            *constraints,
            primary_key=detail.key,
            nullable=nullable,
            server_default=false() if hint is bool else detail.default,
            # Only an identity is numbered by the database, not the other keys.
            autoincrement="auto" if kind is IDENTITY and not detail.refers else False,
        )
        columns.append(column)
    return Table(name, metadata, *columns, *parts)


@compiles(CreateIndex)
def _create_index(create: CreateIndex, compiler: Any, **options: Any) -> str:
    """Return the statement that makes an index, of those rows alone that its ``info`` tells."""
    # Written so, as Index(postgresql_where=…) loads that whole dialect at each start.
    statement = compiler.visit_create_index(create, **options)
    where = create.element.info.get("where")
    return f"{statement} WHERE {where}" if where else f"{statement}"
