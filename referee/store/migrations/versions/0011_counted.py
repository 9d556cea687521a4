"""Numbers of standing orders are kept, and indexes make what a seat said last cheap to find."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

_ORDERS = sa.table(
    "standing_orders",
    sa.column("id", sa.BigInteger()),
    sa.column("match_id", sa.BigInteger()),
    sa.column("seat", sa.Text()),
    sa.column("number", sa.BigInteger()),
    sa.column("handed_on", sa.BigInteger()),
)
_SEATS = sa.table(
    "seats",
    sa.column("match_id", sa.BigInteger()),
    sa.column("seat", sa.Text()),
    sa.column("handed_on", sa.BigInteger()),
)
_EVENTS = sa.table(
    "events",
    sa.column("match_id", sa.BigInteger()),
    sa.column("seq", sa.BigInteger()),
    sa.column("kind", sa.Text()),
    sa.column("seat", sa.Text()),
)
_PRIVATE = sa.table(
    "private_events",
    sa.column("match_id", sa.BigInteger()),
    sa.column("seat", sa.Text()),
    sa.column("kind", sa.Text()),
    sa.column("body", sa.Text()),
)


def upgrade() -> None:
    """Add columns and indexes, and number what was given so far."""
    for name in ("number", "handed_on"):
        op.add_column(
            "standing_orders",
            sa.Column(name, sa.BigInteger(), server_default="0", nullable=False),
        )
    for table, columns in (
        ("standing_orders", ["match_id", "seat", "id"]),
        ("private_events", ["match_id", "seat", "kind", "seq"]),
        ("messages", ["match_id", "hash"]),
        ("messages", ["match_id", "seat", "created"]),
    ):
        op.create_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table, columns)
    op.drop_index(op.f("ix_messages_match_id"), "messages")
    _number(op.get_bind())


def _number(connection: sa.Connection) -> None:
    """Count on for each seat; whoever got it from somebody else begins with 1."""
    counted: dict[tuple[int, str], int] = {}
    before: dict[tuple[int, str], int] = {}
    handed = {
        (row.match_id, row.seat): row.handed_on
        for row in connection.execute(sa.select(_SEATS).where(_SEATS.c.handed_on > 0))
    }
    for row in connection.execute(sa.select(_ORDERS).order_by(_ORDERS.c.id)).all():
        seat = (row.match_id, row.seat)
        if seat not in before:
            before[seat] = _given_before(connection, *seat) if seat in handed else 0
        counted[seat] = counted.get(seat, 0) + 1
        number = counted[seat] - before[seat]
        of_holder = {"number": number, "handed_on": handed.get(seat, 0)}
        values = of_holder if number > 0 else {"number": counted[seat]}
        connection.execute(sa.update(_ORDERS).where(_ORDERS.c.id == row.id).values(values))


def _given_before(connection: sa.Connection, match_id: int, seat: str) -> int:
    """Return how many standing orders the earlier holders of a seat gave."""
    e, p = _EVENTS.c, _PRIVATE.c
    came = (e.match_id == match_id) & (e.kind == "seat") & (e.seat == seat)
    since = connection.execute(sa.select(sa.func.max(e.seq)).where(came)).scalar() or 0
    gave = (p.match_id == match_id) & (p.seat == seat) & (p.kind == "given")
    bodies = connection.execute(sa.select(p.body).where(gave)).scalars()
    return sum(json.loads(body)["board"] < since for body in bodies)
