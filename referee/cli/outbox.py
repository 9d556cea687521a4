"""``referee outbox …``: outgoing mail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from referee.cli import output, session
from referee.cli.options import Limit, MailNumber
from referee.desk.desk import Change, opened_desk
from referee.desk.overview.post import describe_mail, describe_mails
from referee.desk.plans.post import drop_mail, hold_mail, release_mail, retry_mail
from referee.store.states import OutboxState


def list_outbox(
    *,
    state: Annotated[OutboxState | None, typer.Option(help="Only mails in this state.")] = None,
    limit: Limit = 50,
) -> None:
    """List mails, newest first.

    Example: referee outbox list --state failed
    """
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        listed = describe_mails(connection, state, limit)
    titles = ("mail", "recipient", "match", "kind", "state", "created", "answer")
    output.result_list(listed, titles, output.none_of("mail", "mails", state))


def show_mail(mail: MailNumber) -> None:
    """Show a mail's delivery, without its text.

    The text may hold what is hidden from you, and a reply code.

    Example: referee outbox show 12
    """
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        described = describe_mail(connection, mail)
    if not output.printed(described):
        output.print_fields(described)


def retry_sending(mail: MailNumber) -> None:
    """Try to send a mail now.

    It may have failed, be uncertain or held, or wait for its next try. Earlier mails that wait for
    the same recipient go first. One that was refused or is uncertain is written anew if its player
    has another address now.

    Example: referee outbox retry 12
    """
    _change(mail, retry_mail, "due now")


def drop_sending(mail: MailNumber) -> None:
    """Drop a mail that was refused, is held or uncertain.

    It is not sent, and referee status speaks of it no more.

    Example: referee outbox drop 12
    """
    _change(mail, drop_mail, "dropped")


def hold(mail: MailNumber) -> None:
    """Hold a mail until it is released.

    Later mails to the same recipient are sent before it.

    Example: referee outbox hold 12
    """
    _change(mail, hold_mail, f"held: referee outbox release {mail}")


def release(mail: MailNumber) -> None:
    """Release a mail that is held.

    Example: referee outbox release 12
    """
    _change(mail, release_mail, "due now")


def _change(mail: int, act: Callable[[Change, int], int], done: str) -> None:
    with opened_desk(session.settings()) as desk, desk.writing() as change:
        number = act(change, mail)
        described = describe_mail(change.connection, number)
    anew = "" if number == mail else f"Mail {mail} is dropped and written anew. "
    output.result(described, f"{anew}Mail {number} to {described['recipient']} is {done}")
