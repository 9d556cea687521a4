"""Mail servers inside this process, IMAP from pymap and SMTP from aiosmtpd.

They keep a few accounts and a few thousand messages in memory for as long as they run, which is
enough for a demo or a test but not for real matches.
"""

# aiosmtpd calls its handler by these names with these arguments:
# ruff: noqa: ARG002, N802

from __future__ import annotations

import asyncio
import hmac
import logging
import threading
import warnings
from argparse import Namespace
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, Self, TypeAlias

from referee.errors import RefereeError
from referee.resources import advise_extra

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    try:
        from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword
        from proxyprotocol.reader import ProxyProtocolReader
        from pymap.backend.dict import Config, Identity, Login
        from pymap.imap import IMAPServer
        from pymap.parsing.message import AppendMessage
        from pymap.user import UserMetadata
        from pysasl.hashing import Cleartext
    except ImportError as error:
        raise RefereeError(f"the demo needs more: {advise_extra('demo')}") from error

HOST: Final = "127.0.0.1"
START_SECONDS: Final = 10
_STOP_SECONDS: Final = 5

log = logging.getLogger(__name__)
# aiosmtpd warns about its own deprecated names at every login.
logging.getLogger("mail.log").setLevel(logging.ERROR)


OnDelivery: TypeAlias = Callable[[str, bytes], None]
"""A function called with recipient and bytes of each mail delivered."""


class MailServers:
    """An IMAP and an SMTP server in a thread; a context manager.

    ``accounts`` maps addresses to passwords. An address is also the login name, and mail to
    ``name+detail@…`` reaches it too. ``on_delivery`` runs in the servers' thread. The ``handle_…``
    methods are called by aiosmtpd.
    """

    def __init__(self, accounts: Mapping[str, str], on_delivery: OnDelivery | None = None) -> None:
        self._accounts = {address.lower(): password for address, password in accounts.items()}
        self._on_delivery = on_delivery
        self._ready: Future[tuple[int, int]] = Future()
        self._thread = threading.Thread(target=self._run, name="mail servers", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self.imap_port = self.smtp_port = 0

    def __enter__(self) -> Self:
        self._thread.start()
        self.imap_port, self.smtp_port = self._ready.result(START_SECONDS)
        return self

    def __exit__(self, *fault: object) -> None:
        if self._loop is not None and self._thread.is_alive():
            # The event belongs to the other thread's loop and is not safe to set from here.
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(_STOP_SECONDS)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as error:
            if self._ready.done():
                log.exception("the mail servers stopped")
            else:
                self._ready.set_exception(error)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        first = next(iter(self._accounts.items()), ("nobody", ""))
        config = Config(
            Namespace(passlib_cfg=None, proxy_protocol=None, debug=False),
            host=HOST,
            port=0,
            tls_enabled=False,
            # Unhashed, for speed.
            hash_context=Cleartext(),
            invalid_user_sleep=0.0,
            reject_dnsbl=False,
            demo_data=False,
            demo_user=first[0],
            demo_password=first[1],
        )
        config.apply_context()
        self._login = Login(config)
        for address, password in self._accounts.items():
            await self._identity(address).set(UserMetadata(config, address, password=password))
        reader = ProxyProtocolReader(config.proxy_protocol)
        imap_session = reader.get_callback(IMAPServer(self._login, config))
        smtp_session = partial(
            SMTP,
            self,
            hostname="localhost",
            enable_SMTPUTF8=True,
            auth_require_tls=False,
            authenticator=self._authenticate,
            loop=self._loop,
        )
        async with (
            await asyncio.start_server(imap_session, HOST, 0) as imap,
            await self._loop.create_server(smtp_session, HOST, 0) as smtp,
        ):
            imap_port, smtp_port = (one.sockets[0].getsockname()[1] for one in (imap, smtp))
            self._ready.set_result((imap_port, smtp_port))
            await self._stop.wait()

    def _authenticate(
        self, server: Any, session: Any, envelope: Any, mechanism: str, given: Any
    ) -> AuthResult:
        if not isinstance(given, LoginPassword):
            return AuthResult(success=False)
        right = self._accounts.get(given.login.decode(errors="replace").lower())
        if right is None or not hmac.compare_digest(right.encode(), given.password):
            return AuthResult(success=False, handled=False)
        return AuthResult(success=True)

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if self._account(address) is None:
            return "550 5.1.1 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        # The library hands out the null sender (RFC 5321, 4.5.5) with its brackets.
        sender = (envelope.mail_from or "").removeprefix("<").removesuffix(">")
        for recipient in envelope.rcpt_tos:
            trace = f"Return-Path: <{sender}>\r\nDelivered-To: {recipient}\r\n"
            data = trace.encode() + envelope.content
            account = self._account(recipient) or recipient
            async with self._identity(account).new_session() as opened:
                inbox = await opened.mailbox_set.get_mailbox("INBOX")
                message = AppendMessage(data, datetime.now(UTC), frozenset())
                await inbox.append(message, recent=True)
            try:
                if self._on_delivery is not None:
                    self._on_delivery(recipient, data)
            except Exception:
                log.exception("a mail to %s could not be shown", recipient)
        return "250 2.0.0 OK"

    def _account(self, address: str) -> str | None:
        """Return the account of an address with or without ``+detail``, if any."""
        local, _, domain = address.lower().rpartition("@")
        account = f"{local.partition('+')[0]}@{domain}"
        return account if account in self._accounts else None

    def _identity(self, account: str) -> Identity:
        return Identity(account, self._login, None, frozenset())
