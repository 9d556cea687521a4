"""Connections to IMAP servers: opened, logged in, and their failures translated."""

from __future__ import annotations

import contextlib
import imaplib
import re
from collections.abc import Iterator
from typing import Final

from imapclient.exceptions import ProtocolError

from referee.errors import RefereeError
from referee.mail.refusals import with_remedy
from referee.mail.transport.client import Client, LoginError
from referee.mail.transport.servers import NO_TOKENS, Server, Timing, oauth_bearer, tls_fault

_TEMPORARY: Final = re.compile(
    r"\[(?:UNAVAILABLE|INUSE|LIMIT|SERVERBUG|ALERT\] (?:too many|internal))", re.IGNORECASE
)

_NO_IMAP: Final = (ValueError, AssertionError, LookupError, TypeError, AttributeError)
"""Errors that the libraries, and we, raise on answers that are no IMAP."""


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
    except (OSError, imaplib.IMAP4.abort, ProtocolError, *_NO_IMAP) as error:
        if told := tls_fault(server, "imap", error):
            raise MailboxRefused(f"{server}: {told}") from error
        raise MailboxLost(f"{server}: lost while {doing}: {_say(error)}") from error
    except imaplib.IMAP4.error as error:
        said = f"{server}: refused {doing}: {_say(error)}"
        raise MailboxRefused(with_remedy(said)) from error


def _say(error: Exception) -> str:
    text = " ".join(str(error).split())
    # Libraries put the server's words into their errors as bytes.
    text = re.sub(r"""^b(['"])(.*)\1$""", r"\2", text)
    return text[:200] or type(error).__name__


def open_client(server: Server, timing: Timing) -> Client:
    """Return a client that is connected, secured and logged in.

    Raises MailboxError, or ServerError when something needed to log in is missing.
    """
    server.require()
    context = server.context()
    later = server.security == "starttls"
    with naming_faults(server, "connecting"):
        client = Client(server.host, server.port, timing, None if later else context)
    try:
        if later and context is not None:
            with naming_faults(server, "beginning TLS"):
                client.encrypt(context)
        with naming_faults(server, "logging in"):
            _log_in(client, server)
            client.learn_capabilities()
    except BaseException:
        # Not only MailboxError: a token may not be had either.
        drop_connection(client)
        raise
    return client


def drop_connection(client: Client) -> None:
    """Close a connection that is not to be used again."""
    with contextlib.suppress(Exception):
        client.shutdown()


def _log_in(client: Client, server: Server) -> None:
    if server.token is None:
        if "LOGINDISABLED" in client.capabilities:
            needed = "passwords need TLS here; use imaps:// or imap+starttls://"
            raise MailboxRefused(f"{server}: {needed}")
        client.log_in(server.user, server.secret())
        return
    token = server.token()
    ways = {
        "XOAUTH2": f"user={server.user}\1auth=Bearer {token}\1\1",
        "OAUTHBEARER": oauth_bearer(server.user, token),
    }
    # By XOAUTH2, which every provider has, else by OAUTHBEARER.
    mechanism = next((way for way in ways if f"AUTH={way}" in client.capabilities), None)
    if mechanism is None:
        raise MailboxRefused(f"{server}: {NO_TOKENS}")
    try:
        client.bear(mechanism, ways[mechanism])
    except LoginError as error:
        if not _TEMPORARY.search(str(error)):
            server.spurn(token)
        raise
