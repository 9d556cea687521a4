"""The mail server of deploy/mail/: Postfix and Dovecot as shipped play a turn with the referee."""

from __future__ import annotations

import email.utils
import smtplib
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from support import mailhost
from support.mailhost import DOMAIN, PASSWORD, MailHost
from support.zygote import run_command

pytestmark = pytest.mark.mail

WAIT = 60.0


@pytest.fixture(scope="module")
def host() -> Iterator[MailHost]:
    """Run the two servers with mailboxes for a referee and two players."""
    if reason := mailhost.why_not():
        pytest.skip(reason)
    found = MailHost("referee", "alice", "bob")
    try:
        found.start()
        yield found
    finally:
        found.stop()


def referee(folder: Path, *words: str) -> str:
    """Run a command of the referee and return its output."""
    done = run_command(words, folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def folder(host: MailHost, tmp_path: Path) -> Path:
    """Set up a referee whose servers are ours, and begin a match."""
    login = f"referee%40{DOMAIN}:{PASSWORD}@localhost"
    given = (
        "--address", f"referee@{DOMAIN}", "--imap", f"imaps://{login}:{host.imaps}",
        "--smtp", f"smtp+starttls://{login}:{host.submission}",
    )  # fmt: skip
    file = tmp_path / "club" / "referee.toml"
    referee(tmp_path, "init", "club", *given)
    text = file.read_text().replace("[mail]\n", f'[mail]\nca_file = "{host.cafile}"\n')
    file.write_text(text.replace("# plus_addressing = true", "plus_addressing = true"))
    seats = ("--seat", f"red=alice@{DOMAIN}", "--seat", f"blue=bob@{DOMAIN}")
    referee(file.parent, "match", "new", "pebbles", *seats, "--start")
    return file.parent


def test_a_turn_is_played_through_both_servers(host: MailHost, folder: Path) -> None:
    """The report reaches alice; her answer, at the plus address, is played and answered."""
    referee(folder, "run", "--once")
    report = host.next_mail("alice")
    to = str(report["Reply-To"] or report["From"])
    assert "referee+" in to
    answer = EmailMessage()
    answer["From"], answer["To"] = f"alice@{DOMAIN}", to
    answer["Subject"], answer["In-Reply-To"] = f"Re: {report['Subject']}", report["Message-ID"]
    answer["Message-ID"] = f"<one@{DOMAIN}>"
    answer.set_content("pass")
    address = email.utils.parseaddr(to)[1]
    host.submit("alice", answer.as_bytes(), address)
    host.next_mail("referee")
    referee(folder, "run", "--once")
    host.next_mail("alice", lambda mail: mail["In-Reply-To"] == answer["Message-ID"])
    shown = referee(folder, "letter", "list", "--json")
    assert '"handled"' in shown


def test_nobody_relays_without_logging_in(host: MailHost) -> None:
    """The port for mail from elsewhere takes mail for our mailboxes alone."""
    with smtplib.SMTP("127.0.0.1", host.smtp, timeout=WAIT) as client:
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            client.sendmail("x@example.net", ["y@example.com"], b"Subject: x\r\n\r\nx\r\n")
        assert client.sendmail("x@example.net", [f"bob@{DOMAIN}"], b"Subject: x\r\n\r\nx\r\n") == {}
        with pytest.raises(smtplib.SMTPRecipientsRefused, match="550"):
            client.sendmail("x@example.net", [f"nobody@{DOMAIN}"], b"Subject: x\r\n\r\nx\r\n")


def test_no_password_travels_in_the_clear(host: MailHost) -> None:
    """Without TLS the port for sending offers no log-in."""
    with smtplib.SMTP("127.0.0.1", host.submission, timeout=WAIT) as client:
        client.ehlo()
        assert not client.has_extn("auth")
