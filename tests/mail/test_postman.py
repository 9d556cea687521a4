"""What becomes of a mail at servers that take it, refuse it, or fall silent."""

from __future__ import annotations

import asyncio
import gc
import socket
import ssl
import subprocess
import threading
import warnings
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from support.dovecot import Dovecot
from support.installation import until
from support.misbehaving import nobody
from support.smtpd import FAULTS, PASSWORD, TOKEN, USER, Fault, Mode, SmtpServer, Stage

from referee.mail.oauth.tokens import AuthError
from referee.mail.transport.mailbox import Folders, Mailbox, MailboxRefused
from referee.mail.transport.postman import (
    LONGEST_WAIT,
    DeliveryOutcome,
    Postman,
    backoff,
    own_hostname,
)
from referee.mail.transport.servers import Server, Timing
from referee.value import replace

STEADY = Timing(30, 30, 30, 30)
RAW = b"From: <referee@example.test>\r\nSubject: hi\r\n\r\nline\r\n.dot\r\nlast\r\n"


def posted(
    server: Server,
    talk: Callable[[Postman], Awaitable[Any]],
    timing: Timing = STEADY,
) -> Any:
    async def work() -> Any:
        async with Postman(server, timing) as postman:
            return await talk(postman)

    return asyncio.run(work())


def patience(fault: Mode | Fault) -> Timing:
    """Return how long to wait for each answer: briefly only for the one that will not come."""
    fault = FAULTS.get(fault, Fault("banner", "")) if isinstance(fault, str) else fault
    if fault.does != "silence":
        return STEADY
    return replace(
        STEADY, **{"taken" if fault.stage in {"body", "dot", "taken"} else "envelope": 0.5}
    )


def send_to(*recipients: str) -> Callable[[Postman], Awaitable[list[DeliveryOutcome]]]:
    async def talk(postman: Postman) -> list[DeliveryOutcome]:
        return [await postman.send(each, "referee@example.test", RAW) for each in recipients]

    return talk


def test_a_mail_arrives_byte_for_byte(smtp_server: SmtpServer):
    """What is sent arrives unchanged, lines that begin with a dot included."""
    (outcome,) = posted(smtp_server.server(), send_to("alice@example.test"))
    assert (outcome.state, outcome.code) == ("sent", 250)
    (mail,) = smtp_server.delivered
    assert mail.raw == RAW
    assert mail.envelope_from == "referee@example.test"


def test_several_mails_share_a_connection(smtp_server: SmtpServer):
    """Mails after the first go over the connection that is open already."""
    outcomes = posted(smtp_server.server(), send_to("alice@x.test", "bob@x.test", "carol@x.test"))
    assert [each.state for each in outcomes] == ["sent"] * 3
    assert smtp_server.connections == 1


@pytest.mark.parametrize(
    ("mode", "state", "code"),
    [
        ("later at rcpt", "later", 450),
        ("later at data", "later", 451),
        ("later after dot", "later", 452),
        ("failed at rcpt", "failed", 550),
        ("failed after dot", "failed", 554),
        ("421 at mail", "later", 421),
        ("drop before dot", "uncertain", None),
        ("drop after dot", "uncertain", None),
        ("hang after dot", "uncertain", None),
        ("drop at mail", "later", None),
        ("refuse connection", "later", 554),
    ],
)
def test_every_answer_has_its_outcome(
    smtp_server: SmtpServer, mode: Mode, state: str, code: int | None
):
    """4xx is later, 5xx failed, broken before the mail later, broken after it uncertain."""
    smtp_server.mode = mode
    (outcome,) = posted(smtp_server.server(), send_to("alice@example.test"), patience(mode))
    assert (outcome.state, outcome.code, outcome.alarm) == (state, code, False)


@pytest.mark.parametrize(
    "mode", ["later at rcpt", "failed after dot", "drop after dot", "hang after dot", "421 at mail"]
)
def test_the_next_mail_is_sent_after_trouble(smtp_server: SmtpServer, mode: Mode):
    """Whatever became of one mail, the next one is delivered, and nothing twice to it."""
    smtp_server.modes = [mode]
    talk = send_to("alice@example.test", "bob@example.test")
    outcomes = posted(smtp_server.server(), talk, patience(mode))
    assert outcomes[1].state == "sent"
    assert len(smtp_server.to("bob@example.test")) == 1


def test_a_connection_the_server_gave_up_is_replaced_unnoticed(smtp_server: SmtpServer):
    """A kept connection that the server closed meanwhile costs no attempt."""
    smtp_server.modes = ["say 421 when idle"]
    smtp_server.patience = 0.05

    async def talk(postman: Postman) -> list[DeliveryOutcome]:
        first = await postman.send("alice@example.test", "", RAW)
        await asyncio.to_thread(until, lambda: not smtp_server.talks, "the end of the connection")
        return [first, await postman.send("bob@example.test", "", RAW)]

    outcomes = posted(smtp_server.server(), talk)
    assert [each.state for each in outcomes] == ["sent", "sent"]
    assert smtp_server.connections == 2


def test_a_connection_dropped_in_the_envelope_is_tried_once_more(smtp_server: SmtpServer):
    """When a kept connection breaks before the mail was handed over, a new one is made."""
    smtp_server.modes = ["ok", "drop at mail", "ok"]
    outcomes = posted(smtp_server.server(), send_to("alice@x.test", "bob@x.test"))
    assert [each.state for each in outcomes] == ["sent", "sent"]


def test_one_refused_recipient_does_not_disturb_the_next(smtp_server: SmtpServer):
    """An address the server does not know fails by itself."""
    smtp_server.refused = {"bob@x.test": "550 5.1.1 no bob"}
    outcomes = posted(smtp_server.server(), send_to("bob@x.test", "alice@x.test"))
    assert outcomes[0] == DeliveryOutcome("failed", 550, "5.1.1 no bob", unknown=True)
    assert outcomes[1].state == "sent"
    assert smtp_server.connections == 1


def test_a_refusal_of_the_sender_says_nothing_about_the_recipient(smtp_server: SmtpServer):
    """Many servers refuse whom they do not let send only at RCPT; the operator is to know."""
    text = "5.7.1 <referee@example.test>: Sender address rejected: not owned by user"
    smtp_server.refused = {"bob@x.test": f"553 {text}"}
    (outcome,) = posted(smtp_server.server(), send_to("bob@x.test"))
    assert outcome == DeliveryOutcome("later", 553, text, alarm=True)


@pytest.mark.parametrize(
    ("stage", "does", "state", "means"),
    [
        ("banner", "silence", "later", {"offline"}),
        ("EHLO", "silence", "later", set()),
        ("MAIL", "silence", "later", set()),
        ("RCPT", "silence", "later", set()),
        ("DATA", "silence", "later", set()),
        ("DATA", "drop", "later", set()),
        ("DATA", "554 5.5.1 no", "failed", set()),
        ("DATA", "250 2.0.0 thanks", "later", set()),
        ("body", "silence", "uncertain", set()),
        ("dot", "silence", "uncertain", set()),
        ("dot", "drop", "uncertain", set()),
        ("MAIL", "550 5.7.1 your account is suspended", "later", {"offline", "alarm"}),
        ("MAIL", "552 5.2.2 your mailbox is over quota", "later", {"offline", "alarm"}),
        ("MAIL", "553 5.1.8 no such sender", "later", {"offline", "alarm"}),
        ("MAIL", "452 4.3.1 not now", "later", set()),
        ("MAIL", "550 5.4.5 Daily user sending limit exceeded", "later", {"limited"}),
        ("MAIL", "552 5.3.4 Message size exceeds fixed limit", "failed", {"too_large"}),
        ("RCPT", "550 5.2.3 Message too large for this recipient", "failed", {"too_large"}),
        ("dot", "552 5.3.4 Your message exceeded our limits", "failed", {"too_large"}),
        ("dot", "552 Message size exceeds maximum permitted", "failed", {"too_large"}),
        ("dot", "552 sorry, that exceeds my databytes limit (#5.3.4)", "failed", {"too_large"}),
        ("RCPT", "552 5.2.2 mailbox full", "later", set()),
        ("RCPT", "550 5.2.2 mailbox size limit exceeded", "later", set()),
        ("dot", "552 5.2.2 mailbox full", "later", set()),
    ],
)
def test_a_fault_means_what_its_stage_says(
    smtp_server: SmtpServer, stage: Stage, does: str, state: str, means: set[str]
):
    """What is wrong with us stops all; what may have arrived is told from what cannot have."""
    smtp_server.mode = Fault(stage, does)
    (outcome,) = posted(smtp_server.server(), send_to("a@x.test"), patience(smtp_server.mode))
    flags = {"offline", "alarm", "unknown", "limited", "too_large"}
    assert (outcome.state, {each for each in flags if getattr(outcome, each)}) == (state, means)


@pytest.mark.parametrize("stage", ["banner", "EHLO", "MAIL", "RCPT", "DATA", "dot"])
def test_a_slow_server_has_the_time_of_its_stage(smtp_server: SmtpServer, stage: Stage):
    """No stage is held to the limit of IMAP; outside tests each has what RFC 5321 asks for."""
    smtp_server.mode = Fault(stage, 0.5)
    hurried = replace(Timing(), connect=0.1, answer=0.1)
    slow = "taken" if stage == "dot" else "envelope"

    async def work(timing: Timing) -> str:
        async with Postman(smtp_server.server(), timing) as postman:
            return (await postman.send("alice@x.test", "", RAW)).state

    assert asyncio.run(work(hurried)) == "sent"
    smtp_server.mode = Fault(stage, 60.0)
    assert asyncio.run(work(replace(hurried, **{slow: 0.1}))) != "sent"
    assert (Timing().envelope, Timing().taken) == (300, 600)


def test_a_mail_beside_a_silent_one_has_a_connection_of_its_own(smtp_server: SmtpServer):
    """It waits for nobody, and both connections are closed in the end."""
    smtp_server.silent = {"alice@x.test"}

    async def talk(postman: Postman) -> DeliveryOutcome:
        silent = asyncio.create_task(postman.send("alice@x.test", "", RAW))
        await asyncio.to_thread(until, lambda: smtp_server.delivered, "the mail")
        sent = await postman.send("bob@x.test", "", RAW)
        assert not silent.done()
        return sent

    assert posted(smtp_server.server(), talk).state == "sent"
    assert smtp_server.connections == 2


def test_no_server_at_all_means_later():
    """A server that does not listen is tried again, without an alarm."""
    with nobody() as port:
        (outcome,) = posted(Server("plain", "127.0.0.1", port), send_to("alice@x.test"))
    assert (outcome.state, outcome.code, outcome.alarm) == ("later", None, False)


def test_a_login_with_password_is_made(smtp_server: SmtpServer):
    """With a user the postman logs in before sending."""
    smtp_server.auth = True
    server = smtp_server.server(user=USER, password=PASSWORD)
    (outcome,) = posted(server, send_to("alice@x.test"))
    assert outcome.state == "sent"
    assert smtp_server.logins == [(USER, PASSWORD)]


def test_a_fresh_token_is_asked_for_at_each_login(smtp_server: SmtpServer):
    """With a token provider the login is XOAUTH2 and no password is sent."""
    smtp_server.auth = True
    server = replace(smtp_server.server(user=USER), token=lambda: TOKEN)
    (outcome,) = posted(server, send_to("alice@x.test"))
    assert outcome.state == "sent"
    assert smtp_server.logins == [(USER, TOKEN)]


@pytest.mark.parametrize(
    ("mode", "code", "alarm"), [("refuse login", 535, True), ("refuse login for now", 454, False)]
)
def test_a_refused_login_keeps_the_mail_and_may_raise_the_alarm(
    smtp_server: SmtpServer, mode: Mode, code: int, alarm: bool
):
    """A refused login says nothing about the mail: it waits; a refusal for good alarms."""
    smtp_server.auth, smtp_server.mode = True, mode
    server = smtp_server.server(user=USER, password="wrong")
    (outcome,) = posted(server, send_to("alice@x.test"))
    assert (outcome.state, outcome.code, outcome.alarm) == ("later", code, alarm)
    assert "wrong" not in outcome.text


def test_a_server_that_wants_a_login_alarms(smtp_server: SmtpServer):
    """Being told to log in first is for the operator to put right; the mail waits."""
    smtp_server.auth = True
    (outcome,) = posted(smtp_server.server(), send_to("alice@x.test"))
    assert (outcome.state, outcome.code, outcome.alarm) == ("later", 530, True)


def test_a_server_that_takes_no_tokens_is_told_none(smtp_server: SmtpServer):
    """The operator hears what else there is; the mail waits."""
    server = replace(smtp_server.server(user=USER), token=lambda: TOKEN)
    (outcome,) = posted(server, send_to("alice@x.test"))
    assert (outcome.state, outcome.alarm, outcome.offline) == ("later", True, True)
    assert outcome.text.startswith("it offers no log-in by token")
    assert smtp_server.logins == []


@pytest.mark.mail
def test_an_untrusted_certificate_alarms(dovecot: Dovecot):
    """A server whose certificate nobody vouches for gets no mail, and the operator hears of it."""
    server = Server("tls", "127.0.0.1", dovecot.imaps)
    (outcome,) = posted(server, send_to("alice@x.test"))
    assert (outcome.state, outcome.alarm) == ("later", True)
    assert outcome.text.endswith("name the authority's certificates as ca_file")


@pytest.mark.mail
def test_a_certificate_of_another_name_is_told_from_an_untrusted_one(
    dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch
):
    """Reading and sending say which name was asked for; other certificates would not help."""
    look_up = socket.getaddrinfo

    def at_home(host: str, *more: Any, **named: Any) -> Any:
        return look_up("127.0.0.1" if host == "mail.example.test" else host, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", at_home)
    server = Server("tls", "mail.example.test", dovecot.imaps, "x", "y", cafile=dovecot.cafile)
    (outcome,) = posted(server, send_to("alice@x.test"))
    advice = "call the server as its certificate does, not mail.example.test"
    assert outcome.text.endswith(advice)
    assert outcome.alarm
    with pytest.raises(MailboxRefused) as caught:
        Mailbox(server, Folders()).connect()
    assert str(caught.value).endswith(advice)


def test_a_cancelled_send_leaves_no_connection_behind(smtp_server: SmtpServer):
    """After a send was cancelled the next mail goes over a new connection."""
    smtp_server.modes = ["hang after dot"]

    async def talk(postman: Postman) -> DeliveryOutcome:
        sending = asyncio.create_task(postman.send("alice@x.test", "", RAW))
        await asyncio.to_thread(until, lambda: smtp_server.delivered, "the mail")
        sending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sending
        return await postman.send("bob@x.test", "", RAW)

    assert posted(smtp_server.server(), talk).state == "sent"
    assert smtp_server.connections == 2


def test_waits_double_up_to_a_limit():
    """The wait starts at a minute, doubles, and never exceeds four hours and its quarter."""
    waits = [backoff(attempts, "key") for attempts in range(1, 40)]
    assert timedelta(minutes=1) <= waits[0] <= timedelta(minutes=1, seconds=15)
    assert timedelta(minutes=8) <= waits[3] <= timedelta(minutes=10)
    assert max(waits) <= LONGEST_WAIT * 1.25
    assert min(waits[20:]) >= LONGEST_WAIT


def test_waits_differ_by_key_and_repeat_for_one():
    """Two mails refused together are not tried together, and a restart changes nothing."""
    assert backoff(5, "a") == backoff(5, "a")
    assert backoff(5, "a") != backoff(5, "b")


@pytest.mark.parametrize(
    ("mode", "offline", "unknown"),
    [
        ("refuse connection", True, False),
        ("drop at mail", False, False),
        ("later at rcpt", False, False),
        ("failed at rcpt", False, True),
        ("failed at mail", True, False),
        ("failed after dot", False, False),
    ],
)
def test_what_a_refusal_speaks_about_is_told(
    smtp_server: SmtpServer, mode: Mode, *, offline: bool, unknown: bool
) -> None:
    """The server itself, the recipient's mailbox, or just this mail."""
    smtp_server.mode = mode
    (outcome,) = posted(smtp_server.server(), send_to("alice@example.test"))
    assert (outcome.offline, outcome.unknown) == (offline, unknown)


def test_a_daily_limit_says_nothing_about_mail_or_address(smtp_server: SmtpServer) -> None:
    """What Google answers with 550 is sent later, and the address does not count as failing."""
    smtp_server.refused["a@example.test"] = "550 5.4.5 Daily user sending limit exceeded."
    (outcome,) = posted(smtp_server.server(), send_to("a@example.test"))
    assert (outcome.state, outcome.code, outcome.unknown) == ("later", 550, False)


def test_a_password_is_asked_for_at_the_login(smtp_server: SmtpServer) -> None:
    """It may come from a command, whose fault keeps the mail and calls the operator."""
    smtp_server.auth = True
    asked = replace(smtp_server.server(user=USER, password=""), ask=lambda: PASSWORD)
    (outcome,) = posted(asked, send_to("a@example.test"))
    assert (outcome.state, smtp_server.logins) == ("sent", [(USER, PASSWORD)])

    def fail() -> str:
        raise AuthError("no password")

    (outcome,) = posted(replace(asked, ask=fail), send_to("a@example.test"))
    assert (outcome.state, outcome.offline, outcome.alarm) == ("later", True, True)


def test_a_refused_login_is_the_servers_matter(smtp_server: SmtpServer) -> None:
    """It holds for every mail, and the operator is called."""
    smtp_server.auth = True
    (outcome,) = posted(smtp_server.server(user=USER, password="no"), send_to("a@example.test"))
    assert (outcome.offline, outcome.alarm) == (True, True)


@pytest.mark.parametrize(
    ("machine", "called"),
    [
        ("mail.example.org", "mail.example.org"),
        ("localhost", "example.test"),
        ("localhost.localdomain", "example.test"),
        ("box.local", "example.test"),
        ("1.0.0.127.in-addr.arpa", "example.test"),
        ("what a name.org", "example.test"),
    ],
)
def test_we_call_ourselves_by_a_full_name(
    monkeypatch: pytest.MonkeyPatch, machine: str, called: str
) -> None:
    """The machine's own name where it has one the world can know, else the referee's domain."""
    monkeypatch.setattr(socket, "getfqdn", lambda: machine)
    assert own_hostname("example.test") == called


def test_a_server_that_does_not_hang_up_keeps_no_connection_open(tmp_path: Path):
    """Over TLS a goodbye has two sides; the referee's is enough."""
    certificate = tmp_path / "certificate.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 9"
    named = "-subj /CN=x -addext subjectAltName=IP:127.0.0.1"
    put = ["-keyout", str(certificate), "-out", str(certificate)]
    subprocess.run([*command.split(), *named.split(), *put], check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    looked = threading.Event()

    def serve() -> None:
        with context.wrap_socket(listening.accept()[0], server_side=True) as caller:
            caller.sendall(b"220 loopback ESMTP\r\n")
            said = caller.makefile("rb")
            while not said.readline().startswith(b"QUIT"):
                caller.sendall(b"250 2.0.0 so be it\r\n")
            caller.sendall(b"221 2.0.0 bye\r\n")
            looked.wait(60)

    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        warnings.catch_warnings(record=True, action="always") as warned,
    ):
        serving = threading.Thread(target=serve)
        serving.start()
        server = Server("tls", *listening.getsockname(), cafile=certificate)
        assert posted(server, lambda postman: postman.log_in()) is None
        gc.collect()
        looked.set()
        serving.join()
    assert warned == []
