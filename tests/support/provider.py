"""A provider of tokens on loopback: a person says yes there, and it judges what is asked of it."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def providing() -> Iterator[FakeProvider]:
    """Run a provider on a free port of loopback."""
    found = FakeProvider()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(raw).items()}
            status, document = found.answer(self.path, form)
            self.send_response(status)
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
