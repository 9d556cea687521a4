"""Tables of people."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make them."""
    _meta()
    _players()
    _addresses()
    _away()
    _strangers()
    _leases()


def _meta() -> None:
    op.create_table(
        "meta",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_meta")),
    )


def _players() -> None:
    op.create_table(
        "players",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column(
            "format",
            sa.Text(),
            sa.CheckConstraint(
                "format IN ('both', 'text', 'html')", name=op.f("ck_players_format")
            ),
            nullable=False,
        ),
        sa.Column(
            "digest",
            sa.Text(),
            sa.CheckConstraint("digest IN ('off', 'daily')", name=op.f("ck_players_digest")),
            nullable=False,
        ),
        sa.Column("pgp_fingerprint", sa.Text(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
    )


def _addresses() -> None:
    op.create_table(
        "addresses",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("player_id", IDENTITY, nullable=False),
        sa.Column(
            "state",
            sa.Text(),
            sa.CheckConstraint(
                "state IN ('ok', 'failing', 'unconfirmed')", name=op.f("ck_addresses_state")
            ),
            nullable=False,
        ),
        sa.Column("preferred", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_addresses_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_addresses")),
        sa.UniqueConstraint("address", name=op.f("uq_addresses_address")),
    )
    op.create_index(op.f("ix_addresses_player_id"), "addresses", ["player_id"], unique=False)


def _away() -> None:
    op.create_table(
        "away",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("player_id", IDENTITY, nullable=False),
        sa.Column("first_day", sa.Text(), nullable=False),
        sa.Column("last_day", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_away_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_away")),
    )
    op.create_index(op.f("ix_away_player_id"), "away", ["player_id"], unique=False)


def _strangers() -> None:
    op.create_table(
        "strangers",
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("count", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("answered", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("address", "day", name=op.f("pk_strangers")),
    )


def _leases() -> None:
    op.create_table(
        "leases",
        sa.Column("mailbox", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("heartbeat", sa.BigInteger(), nullable=True),
        sa.Column("polled_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("mailbox", name=op.f("pk_leases")),
    )
