"""Delivery of finished mails to the SMTP server, and its outcome.

One transaction per recipient (RFC 5321). A connection is kept for the next mail; once out of step
it is thrown away, never repaired.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
import socket
from contextlib import suppress
from datetime import timedelta
from typing import Final, Literal, Self

from aiosmtplib import SMTP, SMTPStatus
from aiosmtplib.errors import (
    SMTPAuthenticationError,
    SMTPConnectError,
    SMTPException,
    SMTPRecipientRefused,
    SMTPResponseException,
    SMTPSenderRefused,
)

from referee.errors import RefereeError
from referee.mail.refusals import FULL, TOO_LARGE, is_limit, on_one_line, with_remedy
from referee.mail.transport.servers import (
    NO_TOKENS,
    PATIENT,
    Server,
    ServerError,
    Timing,
    tls_fault,
    token_way,
)
from referee.value import Value, replace

State = Literal["sent", "later", "failed", "uncertain"]

FIRST_WAIT: Final = timedelta(minutes=1)

LONGEST_WAIT: Final = timedelta(hours=4)

_NEEDS_LOGIN: Final = frozenset({523, 530, 534, 535, 538})
"""Replies about our account, not about the mail (RFC 4954 section 6)."""

_UNKNOWN: Final = frozenset({550, 551, 553})
"""Replies to RCPT about the recipient's mailbox (RFC 5321 section 4.2.2)."""

_SUSPENDED: Final = "see at the provider whether the account is suspended, or its mailbox full"

_POLICY: Final = re.compile(r"5\.7\.\d")
"""Statuses about permission, not about a mailbox (RFC 3463 section 3.8)."""

_HOST: Final = re.compile(r"(?:[a-z0-9][a-z0-9-]{0,62}\.)+[a-z]{2,63}", re.IGNORECASE)


class DeliveryOutcome(Value):
    """The outcome of a delivery.

    ``later``: not accepted now, try again; ``failed``: refused for good; ``uncertain``: the
    connection broke or fell silent after the mail was handed over, so it may have arrived and is
    sent again with the same Message-ID. ``alarm``: the operator has to do something. ``offline``:
    the server could not be used at all, so it says nothing about the mail. ``unknown``: it refused
    the recipient for good. ``limited``: too much was sent, or too fast, so all mails should rest.
    ``too_large``: it would take a smaller one. ``unauthorised``: it refused our login.
    """

    state: State
    code: int | None
    text: str
    alarm: bool = False
    offline: bool = False
    unknown: bool = False
    limited: bool = False
    too_large: bool = False
    unauthorised: bool = False

    @property
    def said(self) -> str:
        """The server's answer: its code, if it gave one, and its words."""
        return f"{self.code or ''} {self.text}".strip()


def backoff(attempts: int, key: str = "") -> timedelta:
    """Return the pause after so many attempts: a minute, then doubled up to four hours.

    Up to a quarter is added, always the same for one key, so that mails do not come in herds.
    """
    doublings = min(max(attempts - 1, 0), 20)
    wait = min(FIRST_WAIT * (1 << doublings), LONGEST_WAIT)
    digest = hashlib.sha256(f"{key}:{attempts}".encode()).digest()
    # Derived from the key instead of drawn, so that a restart leaves the schedule as it was.
    return wait + wait * (int.from_bytes(digest[:4], "big") / 2**34)


def own_hostname(domain: str) -> str:
    """Return our name towards servers: this machine's full name, else the domain.

    A bare name such as ``localhost`` is refused by servers that check it (RFC 5321 4.1.1.1).
    """
    name = socket.getfqdn()
    local = name.endswith((".localdomain", ".local", ".localhost", ".arpa"))
    return name if _HOST.fullmatch(name) and not local else domain


class Postman:
    """Delivers mails over an SMTP connection, and over more of them while that one is silent.

    ``hostname`` is the name we give ourselves to the server.
    """

    def __init__(
        self, server: Server, timing: Timing = PATIENT, *, hostname: str = "localhost"
    ) -> None:
        self.server = server
        self._timing = timing
        self._hostname = hostname
        self._lock = asyncio.Lock()
        self._client: SMTP | None = None
        self._beside: Postman | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *fault: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Say goodbye to the server; never raises."""
        if self._beside is not None:
            await self._beside.close()
        client, self._client = self._client, None
        if client is None:
            return
        transport = client.transport
        with suppress(SMTPException, OSError):
            # While a mail is on its way, the next answer is for that.
            if not self._lock.locked():
                await client.quit(timeout=min(self._timing.answer, 5))
        client.close()
        _hang_up(transport)

    async def send(self, recipient: str, envelope_from: str, raw: bytes) -> DeliveryOutcome:
        """Deliver a mail and return the outcome. Never raises for the server's replies.

        ``raw`` is sent as it is. An empty ``envelope_from`` is the null sender (RFC 5321 4.5.5).
        While another mail is on its way, it goes over a connection of its own.
        """
        if self._lock.locked():
            again = self._beside or Postman(self.server, self._timing, hostname=self._hostname)
            self._beside = again
            return await again.send(recipient, envelope_from, raw)
        async with self._lock:
            try:
                kept = self._client is not None
                begun = await self._begin(recipient, envelope_from, len(raw))
                # Servers close idle connections without a word, which shows only now.
                if begun is not None and begun.code in {None, 421} and kept:
                    self._drop()
                    begun = await self._begin(recipient, envelope_from, len(raw))
                outcome = begun or await self._hand_over(raw)
            except BaseException:
                # Cancelled between a command and its answer: the connection is out of step.
                self._drop()
                raise
        client = self._client
        if outcome.state == "sent" or client is None:
            return outcome
        # The refused mail's envelope is taken back before the next one.
        if outcome.code == 421 or not client.is_connected:
            self._drop()
            return outcome
        try:
            await client.rset(timeout=self._timing.answer)
        except (SMTPException, OSError):
            self._drop()
        return outcome

    async def log_in(self, sender: str | None = None) -> DeliveryOutcome | None:
        """Connect, log in and name a sender without sending; return the fault, if there is one."""
        async with self._lock:
            return await (self._reach() if sender is None else self._begin(None, sender, 0))

    async def _reach(self) -> DeliveryOutcome | None:
        """Connect if need be; return the fault if that fails."""
        try:
            await self._connect()
        except SMTPAuthenticationError as error:
            self._drop()
            return _login_refused(error, self.server.remedy)
        except (SMTPException, OSError, RefereeError, ValueError) as error:
            self._drop()
            # A wrong certificate or setting does not mend itself, unlike a network.
            for fault in (error, error.__cause__):
                if told := tls_fault(self.server, "smtp", fault):
                    return DeliveryOutcome("later", None, told, alarm=True, offline=True)
            alarm = isinstance(error, (RefereeError, ValueError))
            where = "cannot connect: " if isinstance(error, SMTPConnectError) else ""
            said = _say(error)
            return DeliveryOutcome(
                "later", _code(error), f"{where}{said}",
                alarm=alarm, offline=True, limited=is_limit(said),
            )  # fmt: skip
        return None

    async def _begin(self, to: str | None, sender: str, size: int) -> DeliveryOutcome | None:
        """Connect if need be and give the envelope; return None once the mail may follow."""
        fault = await self._reach()
        if fault is not None:
            return fault
        client = self._client
        assert client is not None  # noqa: S101 - it has just been reached
        try:
            # Told beforehand, a server refuses too large a mail before its transfer (RFC 1870).
            options = [f"size={size}"] if size and client.supports_extension("size") else []
            await client.mail(sender, options=options)
            if to is not None:
                await client.rcpt(to)
        except (SMTPSenderRefused, SMTPRecipientRefused) as error:
            # These codes concern our account, so the recipient must not be marked as failing.
            if error.code in _NEEDS_LOGIN:
                return _login_refused(error, self.server.remedy)
            refused = _answered(error.code, error.message)
            if refused.limited or refused.too_large or error.code < 500:
                return refused
            if isinstance(error, SMTPSenderRefused):
                said = f"sender refused: {refused.text}; {_SUSPENDED}"
                return replace(refused, state="later", text=said, alarm=True, offline=True)
            if refused.state != "failed":
                return refused
            if _POLICY.match(refused.text):
                # Many servers say only here that we may not send at all.
                return replace(refused, state="later", alarm=True)
            return replace(refused, unknown=error.code in _UNKNOWN)
        except (SMTPException, OSError, ValueError) as error:
            self._drop()
            return DeliveryOutcome(
                "later", _code(error), _say(error), alarm=isinstance(error, ValueError)
            )
        return None

    async def _hand_over(self, raw: bytes) -> DeliveryOutcome:
        client = self._client
        assert client is not None  # noqa: S101 - _begin has just used it
        state: State = "later"
        try:
            # The library has one limit for both answers, and does not say which one is missing.
            response = await client.execute_command(b"DATA")
            if response.code == SMTPStatus.start_input and client.protocol is not None:
                # The server may accept the mail just before the connection breaks.
                state = "uncertain"
                dotted = re.sub(rb"(?m)^\.", b"..", raw).removesuffix(b"\r\n")
                client.protocol.write(dotted + b"\r\n.\r\n")
                response = await client.protocol.read_response(timeout=self._timing.taken)
        except (SMTPException, OSError) as error:
            self._drop()
            return DeliveryOutcome(state, None, _say(error))
        if state == "later" or response.code != SMTPStatus.completed:
            return _answered(response.code, response.message)
        return DeliveryOutcome("sent", response.code, _plain(response.message))

    async def _connect(self) -> None:
        if self._client is not None and self._client.is_connected:
            return
        self._drop()
        server = self.server
        server.require()
        token = password = None
        # A provider or a command may take a while to tell it.
        if server.token:
            token = await asyncio.to_thread(server.token)
        elif server.user:
            password = await asyncio.to_thread(server.secret)
        client = SMTP(
            hostname=server.host,
            port=server.port,
            username=None if token else server.user or None,
            password=password,
            local_hostname=self._hostname,
            timeout=self._timing.envelope,
            use_tls=server.security == "tls",
            start_tls=server.security == "starttls",
            tls_context=server.context(),
        )
        self._client = client
        await client.connect()
        if not token:
            return
        if client.is_ehlo_or_helo_needed:
            await client.ehlo()
        offered = [name.upper() for name in client.server_auth_methods]
        mechanism, credentials = token_way(server.user, token, offered)
        if not mechanism:
            raise ServerError(NO_TOKENS)
        proof = base64.b64encode(credentials.encode())
        response = await client.execute_command(b"AUTH", mechanism.encode(), proof)
        if response.code == SMTPStatus.auth_continue:
            # The reason of a refusal comes first; answered with nothing or a lone ^A, the refusal.
            answer = b"AQ==" if mechanism == "OAUTHBEARER" else b""
            response = await client.execute_command(answer)
        if response.code != SMTPStatus.auth_successful:
            if response.code >= 500:
                # It may have to wait for another process that renews the token just now.
                await asyncio.to_thread(server.spurn, token)
            raise SMTPAuthenticationError(response.code, response.message)

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            transport = client.transport
            client.close()
            _hang_up(transport)


def _hang_up(transport: asyncio.BaseTransport | None) -> None:
    """End a connection at once: TLS would wait until the server has said goodbye as well."""
    if isinstance(transport, asyncio.WriteTransport):
        transport.abort()


def _answered(code: int, said: str) -> DeliveryOutcome:
    text = _plain(said)
    limited = is_limit(text)
    # What a daily limit or a full mailbox keeps back is sent later, whatever the code says.
    waits = limited or FULL.match(text)
    state: State = "failed" if code >= 500 and not waits else "later"
    large = state == "failed" and TOO_LARGE.search(text) is not None
    return DeliveryOutcome(state, code, with_remedy(text), limited=limited, too_large=large)


def _login_refused(error: SMTPResponseException, remedy: str) -> DeliveryOutcome:
    """Return the outcome of a login; after a 5xx reply the mails wait for the operator."""
    said = _plain(error.message)
    text = with_remedy(f"login refused: {said}", remedy if error.code >= 500 else None)
    return DeliveryOutcome(
        "later", error.code, text, alarm=error.code >= 500, offline=True, limited=is_limit(said),
        unauthorised=True,
    )  # fmt: skip


def _code(error: Exception) -> int | None:
    return error.code if isinstance(error, SMTPResponseException) else None


def _say(error: Exception) -> str:
    return _plain(str(error)) or type(error).__name__


def _plain(text: str) -> str:
    return on_one_line(text, 400)
