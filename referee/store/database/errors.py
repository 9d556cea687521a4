"""The faults of the store, in words an organiser can act upon."""

from __future__ import annotations

from typing import Final

from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    NoSuchModuleError,
    PendingRollbackError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout

from referee.errors import UNFIT, RefereeError


class StoreError(RefereeError):
    """A fault of the store; its text is one line with a way out."""


class NotInitialised(StoreError):
    """The database is not there or holds no tables of ours."""

    status = UNFIT


class AlreadyInitialised(StoreError):
    """The database to be created is in use already."""


class OlderSchema(StoreError):
    """The tables are of an earlier version and have to be upgraded."""

    status = UNFIT


class UnknownSchema(StoreError):
    """The tables are of a version this one cannot upgrade: a later one, or one never released."""

    status = UNFIT


class NewerSchema(UnknownSchema):
    """The database was made by a newer referee."""


class StoreLocked(StoreError):
    """Somebody else kept the database busy for too long; trying again helps."""


class StoreConflict(StoreLocked):
    """Two blocks were in each other's way, and this one was undone; a repetition helps at once."""


class StoreFull(StoreError):
    """No room is left to write."""


class StoreUnreachable(StoreError):
    """The database cannot be opened, read or talked to."""


class StoreDamaged(StoreUnreachable):
    """The file of the database holds what SQLite would never have written."""


class DatabaseMoved(StoreUnreachable):
    """The file in use was moved, removed or replaced; only a new start opens what is there now."""


class DriverMissing(StoreUnreachable):
    """A package that the database needs is missing."""

    status = UNFIT


class StaleLog(StoreError):
    """The log of this match was appended to in the meantime."""


class Undone(SQLAlchemyError):
    """The database has undone the block, for a reason it gave earlier."""


LOCKED: Final = "The database is busy: another program holds it. Try again in a moment."

FULL: Final = "The database is full: make room on its disk, then try again."

SEE_DOCTOR: Final = "; referee doctor tells more"
"""The end of an error whose remedy depends on the files, their owner and their disk."""

# Primary result codes of SQLite: https://www.sqlite.org/rescode.html
_SQLITE_READONLY: Final = 8
_SQLITE_LOCKED: Final = frozenset({5, 6})
_SQLITE_FULL: Final = frozenset({13})
_SQLITE_DAMAGED: Final = frozenset({11, 26})

# Opening a database takes a file beside it, for which there is no room.
_SQLITE_IOERR_SHMSIZE: Final = 4874
_SQLITE_UNREACHABLE: Final = frozenset({3, 7, 8, 10, 14, 23})

# SQLSTATE of PostgreSQL, whole or by class: appendix A of its manual.
_PG_CONFLICT: Final = ("40001", "40P01")
_PG_LOCKED: Final = ("55P03",)
_PG_READ_ONLY: Final = "25006"
_PG_FULL: Final = ("53100",)
_PG_UNREACHABLE: Final = ("08", _PG_READ_ONLY, "25P03", "28", "3D", "53", "57P", "58", "XX")


def store_error(fault: BaseException | None, *, reading: bool = False) -> StoreError | None:
    """Return the store's own error for a fault of the database.

    None stands for a mistake of ours. A fault that tells nothing by itself is judged by the one
    that was being handled when it was raised.
    """
    first = fault
    while isinstance(fault, SQLAlchemyError):
        error = _alone(fault, reading=reading)
        if error is not None:
            return error
        fault = fault.__cause__ if isinstance(fault, Undone) else fault.__context__
    return unreachable_error(first) if isinstance(first, Undone) else None


def _alone(fault: SQLAlchemyError, *, reading: bool) -> StoreError | None:
    if isinstance(fault, PoolTimeout):
        return StoreLocked(LOCKED)
    if isinstance(fault, ArgumentError | NoSuchModuleError):
        return StoreUnreachable(f"The database address is not understood: {_line(fault)}")
    if isinstance(fault, PendingRollbackError):
        # Somebody passed over the fault that told it.
        return StoreUnreachable("The database cannot be used: the connection to it was lost.")
    if not isinstance(fault, DBAPIError):
        return None
    code, state = (getattr(fault.orig, name, None) for name in ("sqlite_errorcode", "sqlstate"))
    # In a block that only reads, plain SQLITE_READONLY and its like mean that we tried to write.
    if reading and {code, state} & {_SQLITE_READONLY, _PG_READ_ONLY}:
        return None
    if code is not None:
        return of_sqlite(fault.orig)
    # No SQLSTATE: the driver failed before the server could say anything.
    if not isinstance(state, str):
        # By name: the driver is optional, and importing it to ask would fail without it.
        lost = type(fault.orig).__name__ == "OperationalError"
        return unreachable_error(fault.orig) if fault.connection_invalidated or lost else None
    if state.startswith(_PG_CONFLICT):
        return StoreConflict(LOCKED)
    if state.startswith(_PG_LOCKED):
        return StoreLocked(LOCKED)
    if state.startswith(_PG_FULL):
        return StoreFull(FULL)
    return unreachable_error(fault.orig) if state.startswith(_PG_UNREACHABLE) else None


def is_read_only(fault: BaseException | None) -> bool:
    """Return whether the driver says that the database, or our connection to it, only reads."""
    code = getattr(fault, "sqlite_errorcode", 0)
    return code & 0xFF == _SQLITE_READONLY or getattr(fault, "sqlstate", None) == _PG_READ_ONLY


def of_sqlite(fault: BaseException | None) -> StoreError | None:
    """Return the store's own error for one of SQLite's; None stands for a mistake of ours."""
    code = getattr(fault, "sqlite_errorcode", 0)
    # The lower byte is the primary code; the rest says where it happened, and grows by version.
    primary = code & 0xFF
    if primary in _SQLITE_LOCKED:
        return StoreLocked(LOCKED)
    if primary in _SQLITE_FULL or code == _SQLITE_IOERR_SHMSIZE:
        return StoreFull(FULL)
    if primary in _SQLITE_DAMAGED:
        return StoreDamaged(
            f"The database is damaged ({_line(fault)}): stop the daemon, then "
            "`referee restore FILE --replace` with a backup."
        )
    if primary in _SQLITE_UNREACHABLE:
        return StoreUnreachable(f"{unreachable_error(fault)}{SEE_DOCTOR}")
    return None


def unreachable_error(fault: BaseException | None) -> StoreUnreachable:
    """Return the error for an unusable database, with the driver's words."""
    return StoreUnreachable(f"The database cannot be used: {_line(fault)}")


def _line(fault: BaseException | None) -> str:
    return " ".join(str(fault).split())
