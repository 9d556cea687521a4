"""Alice, a scripted player with nothing but a mailbox: `python -m referee.demo.alice`.

Options name her servers; her password is in the variable ``ALICE_PASSWORD``.
"""

from __future__ import annotations

import argparse
import os
import select
import smtplib
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from typing import Final

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from referee.demo.player import DemoPlayer, PlayerReply, ReadMail, read_mail, reply_text
from referee.value import Value

PASSWORD: Final = "ALICE_PASSWORD"  # noqa: S105 - the name of a variable
IDLE_SECONDS: Final = 0.3
"""Length of one IDLE. Mail that arrives as it begins waits for the next."""

FOLLOWING_SECONDS: Final = 1.5
"""Time she leaves for another mail before a ``patient`` answer."""

PATIENCE_SECONDS: Final = 30
"""Time she keeps trying to reach silent servers before giving up."""


class Account(Value):
    """Her mail account, and the only sender she answers, if limited."""

    imap: tuple[str, int]
    smtp: tuple[str, int]
    address: str
    password: str
    referee: str | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer mail until every match is over; return the exit status."""
    account, seed = read_arguments(arguments)
    player, lost_since = DemoPlayer(seed), None
    while not player.finished:
        try:
            with mailbox(account) as client:
                lost_since = None
                attend(account, client, player)
        except (OSError, IMAPClientError, smtplib.SMTPException) as error:
            lost_since = lost_since or time.monotonic()
            if time.monotonic() - lost_since > PATIENCE_SECONDS:
                say(f"gives up: {error}")
                return 1
            time.sleep(0.5)
    say("is done: every match is over")
    return 0


def attend(account: Account, client: IMAPClient, player: DemoPlayer) -> None:
    """Answer incoming mail until every match is over."""
    patient: PlayerReply | None = None
    heard = time.monotonic()
    while not player.finished:
        mails = list(unread(client, account))
        if mails:
            heard = time.monotonic()
        elif patient is not None and time.monotonic() - heard > FOLLOWING_SECONDS:
            send_reply(account, patient)
            patient = None
        for mail in mails:
            reply = player.answer(mail)
            # A receipt is often followed by the next report, which makes its answer wrong.
            patient = reply if reply and reply.patient else None
            if reply and not reply.patient:
                send_reply(account, reply)
        if not mails and not player.finished:
            wait(client)


def unread(client: IMAPClient, account: Account) -> Iterator[ReadMail]:
    """Yield the referee's unread mails as they came, marking them read."""
    # Makes the server tell what has arrived since the folder was selected.
    client.noop()
    for uid in sorted(client.search("UNSEEN")):
        raw = client.fetch([uid], ["BODY.PEEK[]"]).get(uid, {}).get(b"BODY[]")
        client.add_flags([uid], [b"\\Seen"])
        if raw is None:
            continue
        mail = read_mail(raw)
        if account.referee in {None, parseaddr(mail.sender)[1].lower()}:
            yield mail


def wait(client: IMAPClient) -> None:
    """Wait for a mail, but only for a moment."""
    client.idle()
    # idle_check would read the bytes received so far, and fail on half a line.
    select.select([client.socket()], [], [], IDLE_SECONDS)
    client.idle_done()


def send_reply(account: Account, reply: PlayerReply) -> None:
    """Send an answer like a mail program, threaded and with a quotation."""
    mail = reply.mail
    message = EmailMessage()
    message["From"] = account.address
    message["To"] = parseaddr(mail.sender)[1]
    subject = mail.subject
    message["Subject"] = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    message["Date"] = formatdate(localtime=True)
    message["Message-ID"] = make_msgid(domain=account.address.partition("@")[2])
    message["In-Reply-To"] = mail.message_id
    message["References"] = f"{mail.references} {mail.message_id}".strip()
    message.set_content(reply_text(reply))
    with smtplib.SMTP(*account.smtp, timeout=PATIENCE_SECONDS) as smtp:
        smtp.login(account.address, account.password)
        smtp.send_message(message)
    turn = (mail.turn or {}).get("turn")
    where = f"{mail.match}, turn {turn}" if turn else mail.match
    say(f"{where}: {'; '.join(reply.lines)}")


@contextmanager
def mailbox(account: Account) -> Iterator[IMAPClient]:
    """Open a connection to her inbox for the block."""
    host, port = account.imap
    client = IMAPClient(host, port=port, ssl=False, timeout=PATIENCE_SECONDS)
    try:
        client.login(account.address, account.password)
        client.select_folder("INBOX")
        yield client
    finally:
        with suppress(OSError, IMAPClientError):
            client.shutdown()


def say(text: str) -> None:
    """Write a line to the log on standard error."""
    sys.stderr.write(f"alice {text}\n")
    sys.stderr.flush()


def read_arguments(arguments: Sequence[str] | None) -> tuple[Account, int]:
    """Return the account and the seed; wrong arguments end the program."""
    parser = argparse.ArgumentParser(prog="python -m referee.demo.alice", description=__doc__)
    parser.add_argument("--imap", required=True, type=server, metavar="HOST:PORT")
    parser.add_argument("--smtp", required=True, type=server, metavar="HOST:PORT")
    parser.add_argument("--address", required=True)
    parser.add_argument("--referee", type=str.lower, help="answer nobody else")
    parser.add_argument("--seed", type=int, default=0, help="what her choices depend on")
    given = parser.parse_args(arguments)
    password = os.environ.get(PASSWORD)
    if not password:
        parser.error(f"{PASSWORD} holds no password")
    account = Account(given.imap, given.smtp, given.address, str(password), given.referee)
    return account, given.seed


def server(text: str) -> tuple[str, int]:
    """Return host and port of ``host:port``. Raises ValueError."""
    host, _, port = text.rpartition(":")
    if not host:
        raise ValueError(f"{text} lacks a port")
    return host, int(port)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
