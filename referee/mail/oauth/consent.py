"""Consent to the use of a mailbox, given in a browser.

Here: an authorization code with PKCE, sent to loopback (RFC 8252, RFC 7636). Elsewhere: a code to
be typed in at the provider's (RFC 8628).
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from queue import Empty, SimpleQueue
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from oauthlib.oauth2 import DeviceClient, WebApplicationClient

from referee.mail.oauth.tokens import (
    AuthError,
    Provider,
    Token,
    complaint,
    lifetime,
    post_form,
    token_of,
)
from referee.mail.refusals import with_remedy

_HOST: Final = "127.0.0.1"

_PATIENCE: Final = 600.0
"""Seconds a person has to say yes."""

SLOWER: Final = 5.0
"""Seconds added to the pause when the provider asks for it (RFC 8628 section 3.5)."""

PAGE: Final = """\
<!doctype html><html lang="en"><meta charset="utf-8"><title>Referee</title>
<p>%s You may close this page.</p></html>
"""

Show = Callable[[str], None]


def with_browser_here(
    provider: Provider, show: Show, port: int = 0, patience: float = _PATIENCE
) -> Token:
    """Fetch a token with a browser on this machine, sent to the provider and back.

    ``show`` is given the address to open. Raises AuthError.
    """
    if provider.authorize_url is None:
        raise AuthError("[oauth] authorize_url: is missing; or use referee auth --device")
    client = WebApplicationClient(provider.client_id)
    verifier = client.create_code_verifier(64)
    # The state proves that an answer belongs to this request (RFC 6749 section 10.12).
    state, came_back = secrets.token_urlsafe(24), SimpleQueue[dict[str, str]]()
    with _listening(state, came_back, port) as server:
        here = f"http://{_HOST}:{server.server_address[1]}/"
        challenge = client.create_code_challenge(verifier, "S256")
        address = client.prepare_request_uri(
            provider.authorize_url,
            redirect_uri=here,
            scope=provider.scope,
            state=state,
            code_challenge=challenge,
            code_challenge_method="S256",
            **provider.extra,
        )
        show(address)
        # Each knock has a thread of its own: a program that sends a byte at times holds up nobody.
        threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
        try:
            answer = came_back.get(timeout=patience)
        except Empty:
            late = f"nobody came back within {patience:.0f} seconds; try again"
            raise AuthError(late) from None
        finally:
            server.shutdown()
    if "code" not in answer:
        raise AuthError(with_remedy(f"nobody was let in ({complaint(answer)})"))
    form = {
        "grant_type": "authorization_code",
        "code": answer["code"],
        "redirect_uri": here,
        "code_verifier": verifier,
    }
    return token_of(post_form(provider, provider.token_url, form), time.time())


def _listening(state: str, came_back: SimpleQueue[dict[str, str]], port: int) -> HTTPServer:
    class Handler(BaseHTTPRequestHandler):
        timeout = 10

        def do_GET(self) -> None:
            query = parse_qs(urlsplit(self.path).query)
            answer = {name: values[0] for name, values in query.items()}
            ours = hmac.compare_digest(answer.get("state", "").encode(), state.encode())
            told = "The referee has what it needs." if ours else "This is nothing we asked for."
            page = (PAGE % told).encode()
            try:
                self.send_response(200 if ours else 400)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)
            finally:
                # After the page, as this process ends then; and also if nobody is there to read it.
                # Browsers also ask for icons, and any local program can knock here.
                if ours and {"code", "error"} & set(answer):
                    came_back.put(answer)

        def log_message(self, *args: Any) -> None:
            """Log nothing: the address holds the code."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, *args: Any) -> None:
            """Keep waiting after a browser has hung up early."""

    try:
        return Server((_HOST, port), Handler)
    except OSError as fault:
        raise AuthError(f"--port {port}: nobody can listen there ({fault.strerror})") from None


def with_browser_elsewhere(
    provider: Provider, show: Show, pause: Callable[[float], None] = time.sleep
) -> Token:
    """Fetch a token with a code typed in at the provider's, in any browser.

    ``show`` is given the instructions. Raises AuthError.
    """
    if provider.device_url is None:
        raise AuthError("[oauth] device_url: is missing; or use referee auth without --device")
    begun = post_form(provider, provider.device_url, {"scope": provider.scope})
    device, address = begun.get("device_code"), begun.get("verification_uri")
    # Google still uses the name of an early draft.
    address = address or begun.get("verification_url")
    if not device or not address:
        raise AuthError(with_remedy(f"the provider gave no code ({complaint(begun)})"))
    show(f"Open {address} and type in the code {begun.get('user_code')}")
    form = {"grant_type": DeviceClient.grant_type, "device_code": str(device)}
    # A provider that names no span to wait would be asked without an end.
    every = max(lifetime(begun, "interval", SLOWER), 1)
    until = time.monotonic() + lifetime(begun, "expires_in", _PATIENCE)
    while time.monotonic() < until:
        pause(every)
        answer = post_form(provider, provider.token_url, form)
        error = answer.get("error")
        if error is None:
            return token_of(answer, time.time())
        if error == "slow_down":
            # A client then waits five seconds longer for good (RFC 8628 section 3.5).
            every += SLOWER
        elif error != "authorization_pending":
            raise AuthError(with_remedy(f"nobody was let in ({complaint(answer)})"))
    raise AuthError("nobody typed the code in; try again")
