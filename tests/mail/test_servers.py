"""The addresses of mail servers, as operators write them."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.transport.servers import Server, ServerError, parse_server

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("imap://host", Server("plain", "host", 143)),
        ("imap+starttls://host", Server("starttls", "host", 143)),
        ("imaps://host", Server("tls", "host", 993)),
        ("smtp://host", Server("plain", "host", 25)),
        ("smtp+starttls://host", Server("starttls", "host", 587)),
        ("smtps://host/", Server("tls", "host", 465)),
        ("imaps://user:pass@host:1993", Server("tls", "host", 1993, "user", "pass")),
        ("imaps://a%40b.test:p%2F%3A%40w@h", Server("tls", "h", 993, "a@b.test", "p/:@w")),
        ("imaps://a@b.test:p@w@h", Server("tls", "h", 993, "a@b.test", "p@w")),
        ("imaps://u:p@[::1]:99", Server("tls", "::1", 99, "u", "p")),
    ],
)
def test_servers_are_read_from_urls(url: str, server: Server):
    """Scheme, user, password, host and port are read, with the usual ports."""
    assert parse_server(url, url[:4]) == server


@pytest.mark.parametrize(
    ("url", "advice"),
    [
        ("smtp://host", "must begin with one of imap://"),
        ("host:993", "must begin with one of"),
        ("imaps://", "name of a host"),
        ("imaps://u:hunter2@", "name of a host"),
        ("imaps://u:hunter2@host:0", "port"),
        ("imaps://u:hunter2@host:99999", "port"),
        ("imaps://u:hunter2@host:abc", "port"),
        ("imaps://u:hunter2@host/folder", "may follow"),
        ("imaps://u:hun/hunter2@host", "may follow"),
        ("imaps://u:x@hunter2/x@host", "may follow"),
        ("imaps://u:hunter2#x@host", "may follow"),
        ("imaps://u:hunter2@[::1", "brackets"),
        ("imaps://u:hunter2%0A@host", "control character"),
    ],
)
def test_what_cannot_be_used_is_answered_with_advice(url: str, advice: str):
    """A faulty URL is refused by a sentence that never holds the password."""
    with pytest.raises(ServerError, match=advice) as caught:
        parse_server(url, "imap")
    assert "hunter2" not in str(caught.value)


@given(st.text(max_size=60))
def test_any_url_is_a_server_or_a_server_error(text: str):
    """Whatever follows the scheme, the answer is a server or advice."""
    try:
        server = parse_server(f"imaps://{text}", "imap")
    except ServerError:
        return
    assert 0 < server.port < 65536


def test_a_password_is_shown_nowhere():
    """Neither the short nor the long form of a server shows its password or token."""
    server = Server("tls", "::1", 993, "alice", "hunter2", token=lambda: "hunter2")
    assert "hunter2" not in f"{server} {server!r}"
    assert str(server) == "alice@[::1]:993"


def test_certificates_are_verified_unless_there_is_no_tls():
    """A TLS context verifies certificate and name; a plain connection has none."""
    context = Server("tls", "host", 993).context()
    assert context is not None
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert Server("plain", "host", 143).context() is None


def test_unreadable_certificates_are_named(tmp_path: Path):
    path = tmp_path / "none.pem"
    with pytest.raises(ServerError, match=r"none\.pem"):
        Server("tls", "host", 993, cafile=path).context()


@pytest.mark.parametrize(
    ("url", "exposed"),
    [
        ("imap://a:b@mail.example.org", True),
        ("imap://a:b@192.0.2.1:143", True),
        ("imap://a:b@127.0.0.1.example.org", True),
        ("imap://a:b@[2001:db8::1]", True),
        ("imap://a:b@localhost", False),
        ("imap://a:b@127.3.0.1", False),
        ("imap://a:b@[::1]", False),
        ("imaps://a:b@mail.example.org", False),
        ("imap+starttls://a:b@mail.example.org", False),
    ],
)
def test_what_leaves_the_machine_unencrypted_is_known(url: str, *, exposed: bool) -> None:
    """A plain connection is fine within one machine alone."""
    assert parse_server(url, "imap").exposed is exposed
