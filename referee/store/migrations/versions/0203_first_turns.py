"""Matches taken in from records and files get the first turn that they lacked."""

from alembic import op

revision = "0203"
down_revision = "0202"


def upgrade() -> None:
    """Write the first turn where nothing was drawn before it, so that it began with the match."""
    op.execute(
        """
        INSERT INTO turns (match_id, number, seat, began_seq, ended_seq, ended_at, state)
        SELECT began.match_id, 1, (
            SELECT seat FROM events WHERE match_id = began.match_id AND turn = 1 AND kind = 'order'
            ORDER BY seq LIMIT 1
        ), 0, ended.seq, ended.at, 'done'
        FROM events AS began
        JOIN events AS ended ON ended.match_id = began.match_id AND ended.seq = (
            SELECT max(seq) FROM events WHERE match_id = began.match_id AND turn = 1
        )
        WHERE began.seq = 1 AND began.turn = 1 AND NOT EXISTS (
            SELECT 1 FROM turns WHERE turns.match_id = began.match_id AND turns.number = 1
        )
        """
    )
