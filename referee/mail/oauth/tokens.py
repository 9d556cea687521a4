"""Fresh tokens that log in to mail servers without passwords (RFC 6749).

The token file holds what a provider gave at `referee auth`; only its owner may read it.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final
from urllib.parse import urlencode, urlsplit

import msgspec

from referee.errors import RefereeError
from referee.files import write_whole
from referee.mail.refusals import on_one_line, with_remedy
from referee.value import Discreet, asdict, replace

log = logging.getLogger(__name__)

TIMEOUT: Final = 30.0
"""Seconds to wait for an answer of the provider."""

_LEAST_LEFT: Final = 120.0
"""Seconds for which a token must still be good. Otherwise it is renewed first."""

USUAL_LIFE: Final = 3600.0
"""Seconds a token is good for, unless the provider says."""

LONGEST_LIFE: Final = 366 * 86_400.0
"""Seconds; a longer span is no sensible answer."""

LARGEST_ANSWER: Final = 100_000
"""Bytes of an answer that are read."""

LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})

JUST_NOW: Final = 300.0
"""Seconds for which a new token is not replaced, whatever a mail server says of it."""

_AGAIN: Final = "log in again: referee auth"

_PATIENCE: Final = 90.0
"""Seconds to wait for another process that renews the same token."""


class AuthError(RefereeError):
    """A token or password is unobtainable. The message says what to do."""


class Provider(Discreet):
    """A source of tokens, and the program as which it knows us.

    ``extra`` goes into the address a person opens. ``unattended``: no person is asked, the
    referee's own credentials suffice (RFC 6749 section 4.4).
    """

    hidden: ClassVar[frozenset[str]] = frozenset({"client_secret"})
    client_id: str
    token_url: str
    scope: str
    client_secret: str | None = None
    authorize_url: str | None = None
    device_url: str | None = None
    extra: Mapping[str, str] = msgspec.field(default_factory=dict)
    unattended: bool = False


class Token(Discreet):
    """A provider's token; ``expires`` is in seconds since 1970."""

    hidden: ClassVar[frozenset[str]] = frozenset({"access", "refresh"})
    access: str
    refresh: str | None
    expires: float


@dataclass
class Tokens:
    """The token file of an installation; threads and processes may share it."""

    provider: Provider
    file: Path
    now: Callable[[], float] = time.time
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _renewed_at: float = field(default=0.0, init=False)
    _unwritten: Token | None = field(default=None, init=False)
    _replaced: bytes = field(default=b"", init=False)

    def fresh(self) -> str:
        """Return an access token good for a while, renewed if need be. Raises AuthError."""
        # One that is good is there for all, however long somebody renews the one after it.
        if self._unwritten is None and (self.file.exists() or not self.provider.unattended):
            token = self.read()
            if token.expires - self.now() >= _LEAST_LEFT:
                return token.access
        # Threads and processes log in; two renewals at once would void one of the tokens.
        with self._alone():
            if self._unwritten is not None and self._bytes() != self._replaced:
                # Somebody logged in again meanwhile.
                self._unwritten = None
            ungranted = self.provider.unattended and not self.file.exists()
            if self._unwritten is None and ungranted:
                return self._keep(self._fetched(None))
            token = self._unwritten or self.read()
            if token.expires - self.now() >= _LEAST_LEFT:
                return token.access if self._unwritten is None else self._keep(token)
            try:
                return self._keep(self._fetched(token))
            except AuthError:
                # A provider that is away for a minute stops nothing while the old one is good, and
                # one that was renewed on another machine meanwhile is as good.
                latest = self._unwritten or self.read()
                if latest.expires > self.now():
                    return latest.access
                raise

    def discard(self, access: str) -> None:
        """Note that a mail server refused an access token: the next login gets another.

        It may have been withdrawn, or the server's clock may differ. One that was renewed just now
        stays: another would be refused too. Raises AuthError.
        """
        with self._alone():
            token = self._unwritten or self.read()
            if token.access == access and self.now() - self._renewed_at > JUST_NOW:
                self._keep(replace(token, expires=0.0))

    def grant(self) -> None:
        """Fetch a token with the referee's own credentials and keep it. Raises AuthError."""
        with self._alone():
            self._write(self._fetched(None))

    def read(self) -> Token:
        """Return the token that is kept. Raises AuthError."""
        try:
            return msgspec.json.decode(self.file.read_bytes(), type=Token)
        except OSError as fault:
            raise AuthError(f"{self.file} cannot be read ({fault.strerror}); {_AGAIN}") from None
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            raise AuthError(f"{self.file} holds no token; {_AGAIN}") from None

    def write(self, token: Token) -> None:
        """Write a token atomically, readable by its owner alone. Raises AuthError.

        It is on the disk when this returns: many providers withdraw the token that it replaces.
        """
        # A renewal that is under way must not put the old account's token over it.
        with self._alone():
            self._write(token)

    def _write(self, token: Token) -> None:
        try:
            written = json.dumps(asdict(token)).encode()
            write_whole(self.file, written, mode=0o600, lasting=True)
        except OSError as fault:
            raise AuthError(f"{self.file} cannot be written ({fault.strerror})") from None

    def _fetched(self, old: Token | None) -> Token:
        """Return a new token: for the referee itself, or one renewed (RFC 6749, 4.4 and 6)."""
        refresh = None if old is None or self.provider.unattended else old.refresh
        if refresh is not None:
            form = {"grant_type": "refresh_token", "refresh_token": refresh}
        elif old is None or self.provider.unattended:
            form = {"grant_type": "client_credentials", "scope": self.provider.scope}
        else:
            raise AuthError(f"the token has expired and cannot be renewed; {_AGAIN}")
        answer = post_form(self.provider, self.provider.token_url, form)
        if refresh is not None and "error" in answer:
            said = f"the provider renews the token no more ({complaint(answer)})"
            raise AuthError(f"{with_remedy(said)}; {_AGAIN}")
        token = token_of(answer, self.now(), refresh)
        self._renewed_at = self.now()
        return token

    def _bytes(self) -> bytes:
        """Return the token file's bytes; none if it cannot be read."""
        try:
            return self.file.read_bytes()
        except OSError:
            return b""

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other threads and processes from changing the token file while the block lasts.

        One that does not come to an end is waited for as long as a provider may take.
        """
        end = time.monotonic() + _PATIENCE
        with self._lock, ExitStack() as stack:
            # Where there is no file yet, or none that can be locked, it goes on without.
            with suppress(OSError):
                while time.monotonic() < end:
                    file = stack.enter_context(self.file.open("rb"))
                    with suppress(BlockingIOError):
                        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                        # One replaced meanwhile is another file, locked by whoever has it.
                        if os.path.samestat(os.fstat(file.fileno()), self.file.stat()):
                            break
                    stack.close()
                    time.sleep(0.05)
            yield

    def _keep(self, token: Token) -> str:
        """Write a new token, which is held in memory where the disk is full; return its access."""
        try:
            self._write(token)
        except AuthError as fault:
            # The provider may have withdrawn the old one, so this one must not be lost.
            self._unwritten, self._replaced = token, self._bytes()
            what = "the new token is in memory alone: make room before the next restart"
            log.error("%s; %s", fault, what, extra={"action": "trouble"})  # noqa: TRY400 - one line
        else:
            self._unwritten = None
        return token.access


def token_of(answer: Mapping[str, Any], now: float, refresh: str | None = None) -> Token:
    """Return the token in a provider's answer (RFC 6749 section 5.1). Raises AuthError.

    A provider that gives no new refresh token goes on with the old one.
    """
    access, renewal = answer.get("access_token"), answer.get("refresh_token", refresh)
    if not isinstance(access, str) or not access:
        raise AuthError(with_remedy(f"the provider gave no token ({complaint(answer)})"))
    lasts = lifetime(answer, "expires_in", USUAL_LIFE)
    return Token(access, renewal if isinstance(renewal, str) else None, now + lasts)


def lifetime(answer: Mapping[str, Any], name: str, otherwise: float) -> float:
    """Return a span named by a provider, or a default if it makes no sense."""
    try:
        span = float(answer.get(name, otherwise))
    except (TypeError, ValueError, OverflowError):
        return otherwise
    return span if 0 <= span <= LONGEST_LIFE else otherwise


def post_form(provider: Provider, url: str, form: Mapping[str, str]) -> dict[str, Any]:
    """Post a form with our credentials; return the answer, a refusal too. Raises AuthError."""
    # Most commands need no token, and these cost a tenth of their start-up.
    import urllib.error  # noqa: PLC0415
    import urllib.request  # noqa: PLC0415
    from http.client import HTTPException  # noqa: PLC0415

    place = urlsplit(url)
    # The form holds secrets, so it never leaves this machine unencrypted.
    if place.scheme != "https" and place.hostname not in LOOPBACK:
        raise AuthError(f"{url}: a token is asked for by https:// only")
    sent = {**form, "client_id": provider.client_id}
    if provider.client_secret:
        sent["client_secret"] = provider.client_secret
    request = urllib.request.Request(  # noqa: S310 - the scheme has just been looked at
        url, urlencode(sent).encode(), {"Accept": "application/json"}
    )
    try:
        try:
            answer = urllib.request.urlopen(request, timeout=TIMEOUT)  # noqa: S310
        except urllib.error.HTTPError as refused:
            # A refusal carries its reason as JSON in the body (RFC 6749 section 5.2).
            answer = refused
        raw, end = b"", time.monotonic() + TIMEOUT
        with answer:
            # The time limit of the connection holds for one read only; a slow server could go on
            # forever.
            while len(raw) < LARGEST_ANSWER and (more := answer.read1(LARGEST_ANSWER - len(raw))):
                raw += more
                if time.monotonic() > end:
                    raise TimeoutError
    except OSError as fault:
        reason = getattr(fault, "reason", None) or fault.strerror or type(fault).__name__
        # The time limit may end the connecting or the reading, which words it in two ways.
        if isinstance(fault, TimeoutError) or isinstance(reason, TimeoutError):
            reason = "no answer in time"
        raise AuthError(f"{place.netloc} cannot be reached ({reason})") from None
    except (HTTPException, ValueError) as fault:
        raise AuthError(f"{place.netloc} does not speak HTTP ({type(fault).__name__})") from None
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise AuthError(f"{place.netloc} answered something that is no JSON object")
    return document


def complaint(answer: Mapping[str, Any]) -> str:
    """Return the provider's complaint in one line, without any token."""
    text = f"{answer.get('error', 'no reason given')} {answer.get('error_description', '')}"
    return on_one_line(text, 200)
