"""Connections to IMAP servers: opened, tuned, and their failures translated.

The library's weaknesses in a long-lived process are put right here: time limits are always set,
small commands are sent at once, a dead peer is noticed.
"""

from __future__ import annotations

import contextlib
import imaplib
import re
import socket
import ssl
from collections.abc import Iterator
from typing import Final

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import LoginError, ProtocolError

from referee.errors import RefereeError
from referee.mail.refusals import with_remedy
from referee.mail.transport.servers import NO_TOKENS, Server, Timing, untrusted

_TEMPORARY: Final = re.compile(
    r"\[(?:UNAVAILABLE|INUSE|LIMIT|SERVERBUG|ALERT\] (?:too many|internal))", re.IGNORECASE
)

_KEEPALIVE: Final = (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 15), ("TCP_KEEPCNT", 4))


class MailboxError(RefereeError):
    """The mailbox cannot be used; subclasses say how."""


class MailboxLost(MailboxError):
    """The connection broke or was never made; connecting again later may help."""


class LoginRefused(MailboxError):
    """The server rejects the user, password or token. Trying again will not help."""


class MailboxRefused(MailboxError):
    """The server refused a request. The message says what to do."""


@contextlib.contextmanager
def naming_faults(server: Server, doing: str) -> Iterator[None]:
    """Translate the libraries' exceptions to a MailboxError naming server and action."""
    try:
        yield
    except MailboxError:
        raise
    except LoginError as error:
        if _TEMPORARY.search(str(error)):
            raise MailboxLost(f"{server}: login not possible now: {_say(error)}") from error
        said = f"{server}: login refused ({_say(error)})"
        raise LoginRefused(with_remedy(said, server.remedy)) from error
    except ssl.SSLCertVerificationError as error:
        raise MailboxRefused(f"{server}: {untrusted(server, error)}") from error
    except (OSError, imaplib.IMAP4.abort, ProtocolError, ValueError, AssertionError) as error:
        # The last two are what the libraries raise on answers that are no IMAP.
        raise MailboxLost(f"{server}: lost while {doing}: {_say(error)}") from error
    except imaplib.IMAP4.error as error:
        said = f"{server}: refused {doing}: {_say(error)}"
        raise MailboxRefused(with_remedy(said)) from error


def _say(error: Exception) -> str:
    text = " ".join(str(error).split())
    # Libraries put the server's words into their errors as bytes.
    text = re.sub(r"""^b(['"])(.*)\1$""", r"\2", text)
    return text[:200] or type(error).__name__


def open_client(server: Server, timing: Timing) -> IMAPClient:
    """Return a client that is connected, secured and logged in.

    Raises MailboxError, or ServerError when something needed to log in is missing.
    """
    server.require()
    with naming_faults(server, "connecting"):
        client = IMAPClient(
            server.host,
            server.port,
            ssl=server.security == "tls",
            ssl_context=server.context() if server.security == "tls" else None,
            timeout=SocketTimeout(timing.connect, timing.answer),
        )
    try:
        # The library's default turns arrival times into naive local ones.
        client.normalise_times = False
        with naming_faults(server, "beginning"):
            _tune(client.socket(), timing)
        with naming_faults(server, "beginning TLS"):
            if server.security == "starttls":
                client.starttls(server.context())
        with naming_faults(server, "logging in"):
            _login(client, server)
    except BaseException:
        # Not only MailboxError: a token or the certificates may not be had either.
        drop_connection(client)
        raise
    return client


def drop_connection(client: IMAPClient) -> None:
    """Close a connection that is not to be used again."""
    with contextlib.suppress(Exception):
        client.shutdown()


def _login(client: IMAPClient, server: Server) -> None:
    if server.token is not None:
        _bear(client, server, server.token())
    elif client.has_capability("LOGINDISABLED"):
        raise MailboxRefused(f"{server}: passwords need TLS here; use imaps:// or imap+starttls://")
    else:
        password = server.secret()
        plain = client.login if (server.user + password).isascii() else client.plain_login
        plain(server.user, password)


def _bear(client: IMAPClient, server: Server, token: str) -> None:
    """Log in by token: XOAUTH2, else OAUTHBEARER (RFC 7628).

    The older one comes first, as every provider has it.
    """
    older, newer = (client.has_capability(f"AUTH={each}") for each in ("XOAUTH2", "OAUTHBEARER"))
    if not (older or newer):
        raise MailboxRefused(f"{server}: {NO_TOKENS}")
    log_in = client.oauth2_login if older else client.oauthbearer_login
    try:
        log_in(server.user, token)
    except LoginError as error:
        if not _TEMPORARY.search(str(error)):
            server.spurn(token)
        raise


def _tune(connection: socket.socket, timing: Timing) -> None:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE:
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        milliseconds = int(timing.answer * 1000)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
