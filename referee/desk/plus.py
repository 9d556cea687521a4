"""Whether mail to ``referee+x@host`` reaches the mailbox, and the addresses that are used then.

What referee.toml says counts; if it says nothing, what `referee doctor` has seen.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Desk
from referee.mail import addressing
from referee.store import status

KEY: Final = "plus_addressing"
"""Under this key stands for which address of ours it works: ``yes`` or ``no``, and the address."""


def works(desk: Desk, connection: Connection) -> bool:
    """Return whether plus-addresses are to be used."""
    if desk.plus_addressing is not None:
        return desk.plus_addressing
    return seen(desk, connection) is True


def seen(desk: Desk, connection: Connection) -> bool | None:
    """Return whether a letter to a plus-address arrived when it was tried; None: never tried."""
    answer, _, address = (status.value(connection, KEY) or "").partition(" ")
    return answer == "yes" if answer and address == desk.address else None


def note(desk: Desk, connection: Connection, *, arrives: bool) -> None:
    """Remember whether a letter to a plus-address of ours arrived."""
    status.put(connection, KEY, f"{'yes' if arrives else 'no'} {desk.address}")


def reply_to(desk: Desk, code: str) -> str | None:
    """Return the address that carries a code, None where it would be longer than one may be."""
    return addressing.valid_address(addressing.plus_address(desk.address, code.lower()))
