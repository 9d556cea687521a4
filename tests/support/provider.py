"""A provider of tokens on loopback: a person says yes there, and it judges what is asked of it."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

ACCESS = "fresh-token"


@dataclass
class FakeProvider:
    """What the provider knows and was asked; ``answers`` go before what it would say by itself."""

    port: int = 0
    challenges: dict[str, str] = field(default_factory=dict)
    asked: list[dict[str, str]] = field(default_factory=list)
    answers: list[dict[str, Any]] = field(default_factory=list)
    renewals: set[str] = field(default_factory=lambda: {"renewal-1"})

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}/{path}"

    def say_yes(self, address: str, **changed: str) -> int:
        """Do what a browser does in which a person says yes; return the last status."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert query["code_challenge_method"] == "S256"
        self.challenges["code-1"] = query["code_challenge"]
        sent = {"code": "code-1", "state": query["state"], **changed}
        try:
            with urllib.request.urlopen(f"{query['redirect_uri']}?{urlencode(sent)}") as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            refused.close()
            return refused.code

    def answer(self, path: str, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        """Return status and answer to a form (RFC 6749 sections 5.1 and 5.2)."""
        self.asked.append(form)
        if self.answers:
            found = self.answers.pop(0)
            return (400 if "error" in found else 200), found
        if path == "/device":
            return 200, {
                "device_code": "device-1", "user_code": "WDJB-MJHT", "interval": 1,
                "verification_uri": self.url("activate"), "expires_in": 60,
            }  # fmt: skip
        kind = form["grant_type"]
        if kind == "client_credentials":
            granted = {"access_token": ACCESS, "expires_in": 3600}
            return (200, granted) if form.get("client_secret") else (401, {"error": "no"})
        if kind == "refresh_token":
            good = form["refresh_token"] in self.renewals
        elif kind == "authorization_code":
            digest = hashlib.sha256(form["code_verifier"].encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            good = self.challenges.pop(form["code"], None) == challenge
        else:
            good = form["device_code"] == "device-1"
        if not good:
            return 400, {"error": "invalid_grant", "error_description": "not of ours"}
        return 200, {"access_token": ACCESS, "refresh_token": "renewal-1", "expires_in": 3600}


@dataclass
class TokenServer(FakeProvider):
    """A provider whose tokens mail servers ask about (RFC 7662): each is another, and runs out.

    ``account`` is the mailbox that new tokens are for; ``lasts`` how long, in seconds, as they are
    said to; ``ahead`` how far this server's clock is ahead of ours, and ``delay`` how long it
    thinks about each question for a token.
    """

    account: str = "referee@example.test"
    lasts: float = 3600.0
    ahead: float = 0.0
    delay: float = 0.0
    issued: dict[str, tuple[str, float]] = field(default_factory=dict)
    questions: list[str] = field(default_factory=list)

    def answer(self, path: str, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        if path == "/introspect":
            return 200, self._about(form.get("token", ""))
        if path == "/token":
            time.sleep(self.delay)
        status, found = super().answer(path, form)
        if "access_token" in found:
            access = f"token-{len(self.issued) + 1}"
            self.issued[access] = (self.account, time.time() + self.lasts)
            found = found | {"access_token": access, "expires_in": self.lasts}
        return status, found

    def revoke(self) -> None:
        """Withdraw the consent: no token counts any more, none is renewed."""
        self.issued.clear()
        self.renewals.clear()

    def grants(self, kind: str) -> int:
        """Return how often a token was asked for in a way (RFC 6749)."""
        return [each.get("grant_type") for each in self.asked].count(kind)

    def _about(self, access: str) -> dict[str, Any]:
        self.questions.append(access)
        account, until = self.issued.get(access, ("", 0.0))
        if until <= time.time() + self.ahead:
            return {"active": False}
        return {"active": True, "username": account, "exp": int(until)}


@contextmanager
def providing(given: FakeProvider | None = None) -> Iterator[FakeProvider]:
    """Run a provider on a free port of loopback: the given one, or one that is new."""
    found = FakeProvider() if given is None else given

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(raw).items()}
            status, document = found.answer(self.path, form)
            self.send_response(status)
            # Whoever asked may have given up waiting.
            with suppress(OSError):
                self.end_headers()
                self.wfile.write(json.dumps(document).encode())

        def log_message(self, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        thread.join(60)
        server.server_close()
