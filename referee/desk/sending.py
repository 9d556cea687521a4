"""How the outbox is emptied: claimed, sent, and marked with what the server said."""

from __future__ import annotations

import logging

from referee.desk.desk import Desk
from referee.mail.postman import Postman, backoff
from referee.store import outbox
from referee.store.outbox import OutboxRow

log = logging.getLogger(__name__)

BATCH = 50


async def send_due(desk: Desk, postman: Postman) -> int:
    """Send what is due, in order for each recipient; return how many mails were tried."""
    tried = 0
    while True:
        with desk.store.reading() as connection:
            due = outbox.due(connection, desk.now(), BATCH)
        for row in due:
            await _send(desk, postman, row)
        tried += len(due)
        if not due:
            return tried


async def _send(desk: Desk, postman: Postman, row: OutboxRow) -> None:
    with desk.store.writing() as connection:
        if not outbox.claim(connection, row.id):
            return
        raw = outbox.raw(connection, row.id)
    outcome = await postman.send(row.recipient, row.envelope_from, raw)
    now = desk.now()
    again = outcome.state in {"later", "uncertain"}
    state = "waiting" if outcome.state == "later" else outcome.state
    wait = backoff(row.attempts + 1, row.message_id)
    with desk.store.writing() as connection:
        outbox.mark(
            connection,
            row.id,
            state,
            now=now,
            answer=f"{outcome.code or ''} {outcome.text}".strip(),
            next_at=now + wait if again else None,
        )
    if outcome.state != "sent":
        log.warning("mail %d: %s", row.id, outcome.state, extra={"action": "send"})
