"""Mail servers: address, encryption, and account."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Collection, Mapping
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import ClassVar, Final, Literal
from urllib.parse import unquote, urlsplit

from referee.errors import RefereeError
from referee.value import Discreet, Value

Security = Literal["plain", "starttls", "tls"]

_SCHEMES: Final[Mapping[str, Mapping[str, tuple[Security, int]]]] = {
    "imap": {"imap": ("plain", 143), "imap+starttls": ("starttls", 143), "imaps": ("tls", 993)},
    "smtp": {"smtp": ("plain", 25), "smtp+starttls": ("starttls", 587), "smtps": ("tls", 465)},
}
"""The schemes of each kind of server, with the port that is meant if none is given."""


class ServerError(RefereeError, ValueError):
    """A mail server's address is unusable. Says where and how to correct it."""


class Rate(Value):
    """The most mails that may leave within a minute or day."""

    mails: int
    unit: Literal["minute", "day"]

    def __str__(self) -> str:
        """Return the limit and the setting that changes it."""
        return f"{self.mails} mails a {self.unit} ([mail] mails_per_{self.unit})"

    @property
    def span(self) -> timedelta:
        """The time within which they are counted."""
        return timedelta(minutes=1) if self.unit == "minute" else timedelta(days=1)


class Server(Discreet):
    """A mail server and an account on it.

    ``token`` returns a fresh OAuth access token and replaces the password; ``spurn`` is told of one
    the server refused. ``cafile`` names certificates to trust instead of the system's. Certificates
    are always verified. ``ask`` returns the password and replaces ``password``; it may take
    seconds. ``source`` says where the password stands. ``lacking`` names the setting still missing
    for a login. ``rates`` bound what is sent.
    """

    hidden: ClassVar[frozenset[str]] = frozenset({"password", "token", "spurn", "ask"})
    security: Security
    host: str
    port: int
    user: str = ""
    password: str = ""
    token: Callable[[], str] | None = None
    spurn: Callable[[str], None] = lambda _: None
    cafile: Path | None = None
    source: str = "referee.toml"
    lacking: str = ""
    rates: tuple[Rate, ...] = ()
    ask: Callable[[], str] | None = None

    def __str__(self) -> str:
        """Return the place without secrets, as messages show it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.user}@{host}:{self.port}" if self.user else f"{host}:{self.port}"

    @property
    def exposed(self) -> bool:
        """Whether password and mails go to another machine without encryption."""
        if self.security != "plain":
            return False
        try:
            return not ip_address(self.host).is_loopback
        except ValueError:
            return self.host.lower() != "localhost"

    @property
    def remedy(self) -> str:
        """The advice after a refused login."""
        if self.token is None:
            return "check user and password"
        return f"the token may be another account's: referee auth, logged in as {self.user}"

    def secret(self) -> str:
        """Return the password, asked for if need be. Raises RefereeError."""
        return self.password if self.ask is None else self.ask()

    def require(self) -> None:
        """Raise ServerError with the ``lacking`` setting, if any."""
        if self.lacking:
            raise ServerError(self.lacking)

    def context(self) -> ssl.SSLContext | None:
        """Return the TLS context for certificate checks, None on a plain connection.

        Raises ServerError when ``cafile`` cannot be read.
        """
        if self.security == "plain":
            return None
        try:
            # Verification stays on: an impostor would be told the password.
            return ssl.create_default_context(cafile=self.cafile)
        except (OSError, ssl.SSLError) as error:
            raise ServerError(f"the certificates in {self.cafile} cannot be read") from error


NO_TOKENS: Final = (
    "it offers no log-in by token (XOAUTH2, OAUTHBEARER); use TLS if you do not, else a password"
)


def token_way(user: str, token: str, offered: Collection[str]) -> tuple[str, str]:
    """Return a mechanism and the credentials to log in by token; empty if none is offered."""
    # A user may hold both signs that the header itself is written with (RFC 5801 section 4).
    name = user.replace("=", "=3D").replace(",", "=2C")
    ways = {
        "XOAUTH2": f"user={user}\1auth=Bearer {token}\1\1",
        "OAUTHBEARER": f"n,a={name},\1auth=Bearer {token}\1\1",
    }
    # By XOAUTH2, which every provider has, else by OAUTHBEARER (RFC 7628 section 3.1).
    return next((way for way in ways.items() if way[0] in offered), ("", ""))


_TLS_REMEDIES: Final = {
    9: "the clock here is probably wrong; set it right (timedatectl set-ntp true)",
    10: "whoever runs the server must renew it, if the clock here is right",
    62: "call the server as its certificate does, not {host}",
    64: "call the server as its certificate does, not {host}",
}
"""What helps, by OpenSSL's code: not yet valid, expired, for another name, or another address."""


def tls_fault(server: Server, kind: str, error: BaseException | None) -> str | None:
    """Return why TLS fails and what to do, where trying again would not help; otherwise None.

    ``kind`` is what the server speaks, ``imap`` or ``smtp``.
    """
    if isinstance(error, ssl.SSLError) and error.reason == "WRONG_VERSION_NUMBER":
        here = "" if server.exposed else f", or {kind}:// on this machine"
        told = f"port {server.port} does not begin with TLS"
        return f"{told}; write {kind}+starttls://, if it is so{here}"
    if not isinstance(error, ssl.SSLCertVerificationError):
        return None
    otherwise = "name the authority's certificates as ca_file"
    remedy = _TLS_REMEDIES.get(error.verify_code, otherwise).format(host=server.host)
    return f"the certificate is not trusted ({error.verify_message}); {remedy}"


class Timing(Value):
    """Seconds to wait for an IMAP server's connection, and for each of its answers.

    An SMTP server has the time that RFC 5321 section 4.5.3.2 gives it at each stage: ``envelope``
    for the connecting and each answer up to DATA, and ``taken`` for the last one, since servers
    look through a mail first.
    """

    connect: float = 10
    answer: float = 30
    envelope: float = 300
    taken: float = 600


PATIENT: Final = Timing()
"""The limits outside tests. Connections are quick, but small servers may answer slowly."""


def parse_server(url: str, kind: str) -> Server:
    """Return the server a URL names: ``imaps://user:password@host:port``.

    ``kind`` is ``imap`` or ``smtp``. User and password are percent-encoded (RFC 3986). Raises
    ServerError, whose message never holds the password.
    """
    schemes = _SCHEMES[kind]
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        raise ServerError("a server's address is not readable: check its brackets") from None
    if parts.scheme not in schemes:
        named = ", ".join(f"{name}://" for name in schemes)
        raise ServerError(f"a server's address must begin with one of {named}")
    security, default_port = schemes[parts.scheme]
    host = unquote(parts.hostname or "")
    if not host or any(sign.isspace() or not sign.isprintable() for sign in host):
        raise ServerError(f"{parts.scheme}:// lacks the name of a host")
    place = f"{parts.scheme}://{host}"
    if parts.path.strip("/") or parts.query or parts.fragment:
        # What stands before the first slash may be a piece of a password, so it is not named.
        raise ServerError(
            f"{parts.scheme}://: nothing may follow the host and port; "
            "write / ? # in a user or password as %2F %3F %23"
        )
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if not (user + password).isprintable():
        raise ServerError(f"{place}: user or password holds a control character")
    try:
        port = default_port if parts.port is None else parts.port
    except ValueError:
        port = 0
    if port == 0:
        raise ServerError(f"{place}: the port must be a number from 1 to 65535")
    return Server(security, host, port, user, password)
