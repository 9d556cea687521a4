"""The base of all values of the house: frozen, compared by what they hold, cheap to make."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, cast, dataclass_transform

import msgspec

if TYPE_CHECKING:
    # Type checkers know this one, and look at the names and types of the fields it is given.
    from dataclasses import replace
else:
    from msgspec.structs import replace
from typing import TypeVar

__all__ = ["Discreet", "Value", "add_at", "asdict", "put_at", "replace"]

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Value(msgspec.Struct, frozen=True):
    """A value: its fields are given when it is made, and never change.

    Two of one class are equal if their fields are. ``replace`` returns another one with some of its
    fields changed; ``__struct_fields__`` names them.
    """


class Discreet(Value):
    """A value whose ``hidden`` fields never show in its text, and so in no log and no traceback."""

    hidden: ClassVar[frozenset[str]]

    def __repr__(self) -> str:
        """Return its text, as that of any value but for what is hidden."""
        shown = (name for name in self.__struct_fields__ if name not in self.hidden)
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{type(self).__name__}({fields})"


def asdict(value: Value) -> dict[str, Any]:
    """Return a value's fields by name, and those of values within it; moments stay as they are."""
    fields = msgspec.to_builtins(value, builtin_types=(datetime,), enc_hook=_bare)
    return cast("dict[str, Any]", fields)


def _bare(field: object) -> object:
    # Texts and mappings of a class of their own are all that msgspec does not know by itself.
    if isinstance(field, Mapping):
        return dict(field)
    if isinstance(field, str):
        return str(field)
    raise TypeError(f"{type(field).__name__} does not belong into a value")


def put_at(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return the values with one of them replaced."""
    return (*values[:index], value, *values[index + 1 :])


def add_at(values: tuple[int, ...], index: int, change: int) -> tuple[int, ...]:
    """Return the numbers with one of them changed."""
    return (*values[:index], values[index] + change, *values[index + 1 :])
