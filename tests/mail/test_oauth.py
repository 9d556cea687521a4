"""Tokens in place of passwords: asked for with a browser, kept, renewed, used by both servers."""

from __future__ import annotations

import asyncio
import base64
import errno
import json
import os
import socket
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from support.fakeimap import FakeImap
from support.installation import until
from support.misbehaving import answer, misbehaving
from support.provider import ACCESS, FakeProvider, providing
from support.smtpd import SmtpServer
from support.zygote import WAIT

from referee.config import ConfigError, load_settings
from referee.mail.oauth import consent
from referee.mail.oauth import tokens as oauth_tokens
from referee.mail.oauth.tokens import AuthError, Provider, Token, Tokens
from referee.mail.transport.mailbox import Folders, Mailbox
from referee.mail.transport.postman import Postman
from referee.value import replace

NOW = 1_700_000_000.0


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    """Run a provider."""
    with providing() as found:
        yield found


@pytest.fixture
def provider(fake: FakeProvider) -> Provider:
    """Return the way to the provider."""
    return Provider(
        client_id="referee-1",
        token_url=fake.url("token"),
        scope="mail",
        client_secret="hush",
        authorize_url="https://login.example.test/authorize",
        device_url=fake.url("device"),
        extra={"prompt": "consent"},
    )


@pytest.fixture
def tokens(provider: Provider, tmp_path: Path) -> Tokens:
    """Return a token file that is not there yet, by a clock that stands still."""
    return Tokens(provider, tmp_path / "referee.token", now=lambda: NOW)


def test_a_browser_here_brings_a_token(fake: FakeProvider, provider: Provider) -> None:
    """The person is sent to the provider and back; the code is worth nothing without PKCE."""
    opened: list[threading.Thread] = []
    shown: list[str] = []

    def show(address: str) -> None:
        shown.append(address)
        opened.append(threading.Thread(target=fake.say_yes, args=(address,)))
        opened[0].start()

    token = consent.with_browser_here(provider, show, patience=WAIT)
    opened[0].join(WAIT)
    assert (token.access, token.refresh) == (ACCESS, "renewal-1")
    assert token.expires == pytest.approx(time.time() + 3600, abs=600)
    assert "client_id=referee-1" in shown[0]
    assert "prompt=consent" in shown[0]
    assert "hush" not in shown[0]
    assert fake.asked[0]["client_secret"] == "hush"


def test_what_comes_back_with_another_state_is_not_taken(
    fake: FakeProvider, provider: Provider
) -> None:
    """Somebody else's code is refused, and the person's own is still waited for."""
    statuses: list[int] = []

    def browse(address: str) -> None:
        statuses.append(fake.say_yes(address, state="forged", code="theirs"))
        statuses.append(fake.say_yes(address))

    opened: list[threading.Thread] = []

    def show(address: str) -> None:
        opened.append(threading.Thread(target=browse, args=(address,)))
        opened[0].start()

    assert consent.with_browser_here(provider, show, patience=WAIT).access == ACCESS
    opened[0].join(WAIT)
    assert statuses == [400, 200]
    assert fake.asked[0]["code"] == "code-1"


def test_a_program_that_sends_a_byte_now_and_then_holds_up_nobody(provider: Provider) -> None:
    """The wait ends when it should."""
    ends = threading.Event()

    def drip(address: str) -> None:
        here = parse_qs(urlsplit(address).query)["redirect_uri"][0]
        port = urlsplit(here).port
        assert port is not None

        def send() -> None:
            with socket.create_connection(("127.0.0.1", port)) as slow:
                while not ends.wait(0.05):
                    with suppress(OSError):
                        slow.send(b"G")

        threading.Thread(target=send, daemon=True).start()

    begun = time.monotonic()
    with pytest.raises(AuthError, match="nobody came back"):
        consent.with_browser_here(provider, drip, patience=0.5)
    ends.set()
    assert time.monotonic() - begun < WAIT


def test_a_browser_that_hangs_up_early_has_said_what_it_knew(
    fake: FakeProvider, provider: Provider
) -> None:
    """A code counts though nobody waits for the page that thanks for it."""

    def hang_up(address: str) -> None:
        query = parse_qs(urlsplit(address).query)
        fake.challenges["code-1"] = query["code_challenge"][0]
        port = urlsplit(query["redirect_uri"][0]).port
        assert port is not None
        with socket.create_connection(("127.0.0.1", port)) as browser:
            browser.sendall(
                f"GET /?code=code-1&state={query['state'][0]} HTTP/1.1\r\n\r\n".encode()
            )

    assert consent.with_browser_here(provider, hang_up, patience=WAIT).access == ACCESS


def test_who_says_no_or_never_comes_back_lets_nobody_in(
    fake: FakeProvider, provider: Provider
) -> None:
    """A refusal is told in the provider's words; a wait ends."""

    def refuse(address: str) -> None:
        threading.Thread(
            target=fake.say_yes, args=(address,), kwargs={"error": "access_denied", "code": ""}
        ).start()

    with pytest.raises(AuthError, match="access_denied"):
        consent.with_browser_here(provider, refuse, patience=WAIT)
    with pytest.raises(AuthError, match="nobody came back within 0 seconds"):
        consent.with_browser_here(provider, lambda _: None, patience=0.1)
    assert fake.asked == []


def test_a_browser_elsewhere_brings_a_token(fake: FakeProvider, provider: Provider) -> None:
    """The code to type in is shown; the provider is asked as slowly as it wants."""
    fake.answers = [
        fake.answer("/device", {})[1],
        {"error": "authorization_pending"},
        {"error": "slow_down"},
    ]
    shown: list[str] = []
    pauses: list[float] = []
    token = consent.with_browser_elsewhere(provider, shown.append, pauses.append)
    assert token.access == ACCESS
    assert shown == [f"Open {fake.url('activate')} and type in the code WDJB-MJHT"]
    assert pauses == [1, 1, 6]


@pytest.mark.parametrize(("interval", "pause"), [(0, 1), (20, 20)])
def test_a_provider_is_asked_once_a_second_at_most_until_the_code_expires(
    fake: FakeProvider, provider: Provider, interval: int, pause: int
) -> None:
    """The clock tells when it expires, not the sum of the pauses."""
    begun = {**fake.answer("/device", {})[1], "interval": interval, "expires_in": 30}
    fake.answers = [begun, *[{"error": "authorization_pending"}] * 2]
    pauses: list[float] = []
    token = consent.with_browser_elsewhere(provider, lambda _: None, pauses.append)
    assert (token.access, pauses) == (ACCESS, [pause] * 3)


@pytest.mark.parametrize("error", ["access_denied", "expired_token"])
def test_a_code_that_is_refused_or_expires_ends_the_wait(
    fake: FakeProvider, provider: Provider, error: str
) -> None:
    """Nobody is let in, in the provider's words."""
    fake.answers = [fake.answer("/device", {})[1], {"error": error}]
    with pytest.raises(AuthError, match=error):
        consent.with_browser_elsewhere(provider, lambda _: None, lambda _: None)


def test_a_token_is_kept_for_its_owner_only(tokens: Tokens) -> None:
    """The file is readable by its owner alone, also in place of one that was not."""
    tokens.file.touch(0o644)
    token = Token("access", "renewal", NOW + 3600)
    tokens.write(token)
    assert stat.S_IMODE(tokens.file.stat().st_mode) == 0o600
    assert tokens.read() == token
    assert "access" not in repr(token)


def test_a_token_is_renewed_before_it_ends(fake: FakeProvider, tokens: Tokens) -> None:
    """One that is good for long is used as it is, one that ends soon is renewed and kept."""
    tokens.write(Token("old", "renewal-1", NOW + 3600))
    assert tokens.fresh() == "old"
    assert fake.asked == []
    tokens.write(Token("old", "renewal-1", NOW + 60))
    assert tokens.fresh() == ACCESS
    assert tokens.read() == Token(ACCESS, "renewal-1", NOW + 3600)


def slow(fake: FakeProvider, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a provider take its time over each answer."""
    answered = fake.answer

    def answering(path: str, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        found = answered(path, form)
        time.sleep(0.5)
        return found

    monkeypatch.setattr(fake, "answer", answering)


def test_processes_that_share_a_token_renew_it_once(
    fake: FakeProvider, tokens: Tokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second waits for the first and has its token, for a renewal may void the one before."""
    slow(fake, monkeypatch)
    tokens.write(Token("old", "renewal-1", NOW))
    found: list[str] = []
    each = [Tokens(tokens.provider, tokens.file, now=tokens.now) for _ in range(3)]
    threads = [threading.Thread(target=lambda one=one: found.append(one.fresh())) for one in each]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT)
    assert found == [ACCESS] * 3
    assert len(fake.asked) == 1


def test_a_renewal_under_way_does_not_undo_a_log_in(
    fake: FakeProvider, tokens: Tokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The token that a person fetched meanwhile is the one that is kept."""
    slow(fake, monkeypatch)
    tokens.write(Token("old", "renewal-1", NOW))
    renewing = threading.Thread(target=tokens.fresh)
    renewing.start()
    until(lambda: fake.asked, "the renewal")
    Tokens(tokens.provider, tokens.file).write(Token("new", "renewal-2", NOW + 3600))
    renewing.join(WAIT)
    assert tokens.read().access == "new"


def test_a_token_held_in_memory_gives_way_to_a_newer_one(
    fake: FakeProvider, tokens: Tokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a full disk the file has what another process put there."""
    tokens.write(Token("old", "renewal-1", NOW))
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", raising(OSError(errno.ENOSPC, "full")))
        assert tokens.fresh() == ACCESS
    Tokens(tokens.provider, tokens.file).write(Token("new", "renewal-2", NOW + 3600))
    assert tokens.fresh() == "new"
    assert tokens.read().access == "new"
    assert len(fake.asked) == 1


def raising(fault: Exception) -> Callable[..., None]:
    """Return a function that fails."""

    def fails(*_: object) -> None:
        raise fault

    return fails


def test_the_old_renewal_is_kept_if_no_new_one_is_given(fake: FakeProvider, tokens: Tokens) -> None:
    """A provider that sends only an access token goes on with the refresh token there is."""
    fake.answers = [{"access_token": "next", "expires_in": 10}]
    tokens.write(Token("old", "renewal-1", NOW))
    assert tokens.fresh() == "next"
    assert tokens.read().refresh == "renewal-1"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "cannot be read"),
        ("no JSON", "holds no token"),
        ('{"access": "a"}', "holds no token"),
        ('{"access": 5, "refresh": "r", "expires": 9e9}', "holds no token"),
        ('{"access": "a", "refresh": "r", "expires": []}', "holds no token"),
        ("[" * 100_000, "holds no token"),
        ('{"access": "old", "refresh": "stolen", "expires": 0}', "invalid_grant not of ours"),
        ('{"access": "old", "refresh": null, "expires": 0}', "cannot be renewed"),
    ],
)
def test_a_token_that_cannot_be_had_says_to_log_in(
    tokens: Tokens, content: str | None, says: str
) -> None:
    """Gone, torn, revoked or without renewal: one line that names the command, and no token."""
    if content is not None:
        tokens.file.write_text(content)
    with pytest.raises(AuthError) as caught:
        tokens.fresh()
    assert says in str(caught.value)
    assert "referee auth" in str(caught.value)
    assert "stolen" not in str(caught.value)


def test_a_provider_that_is_not_there_or_speaks_no_json_is_named(tokens: Tokens) -> None:
    """The host is told; a token is never sent unencrypted but to this machine."""
    for url, says in (
        ("http://127.0.0.1:9/token", "127.0.0.1:9 cannot be reached"),
        ("http://login.example.test/token", "https:// only"),
    ):
        far = Tokens(replace(tokens.provider, token_url=url), tokens.file, now=tokens.now)
        far.write(Token("old", "renewal-1", NOW))
        with pytest.raises(AuthError, match=says):
            far.fresh()


DEEP = b"[" * 100_000

MISBEHAVIOUR = {
    "hangs up": (b"", "cannot be reached"),
    "speaks something else": (b"220 mail.example.test ESMTP\r\n", "does not speak HTTP"),
    "has no end of a line": (b"HTTP/1.1 200 " + b"O" * 70_000, "does not speak HTTP"),
    "has headers without end": (
        b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 200 + b"\r\n", "does not speak HTTP",
    ),
    "breaks off": (
        b'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{"access_token":', "no JSON object",
    ),
    "breaks off a chunk": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{", "does not speak HTTP",
    ),
    "has chunks without a length": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "does not speak HTTP",
    ),
    "says a list": (answer(b"[1, 2]"), "no JSON object"),
    "says no text": (answer(b"\xff\xfe\x00"), "no JSON object"),
    "says nothing": (answer(b""), "no JSON object"),
    "nests without end": (answer(DEEP), "no JSON object"),
    "says a page": (answer(b"<html>", "500 Oops"), "no JSON object"),
    "sends elsewhere": (answer(b"", "302 Found", "Location: file:///etc/passwd"), "no JSON object"),
    "gives no token": (answer(b'{"access_token": 5}'), "gave no token"),
}  # fmt: skip


@pytest.mark.parametrize("how", MISBEHAVIOUR)
def test_a_provider_that_misbehaves_is_one_line(tokens: Tokens, how: str) -> None:
    """Whatever it says or does not, an error tells who it was; the old token is kept."""
    said, says = MISBEHAVIOUR[how]
    with misbehaving([said]) as port:
        url = f"http://127.0.0.1:{port}/token"
        asked = Tokens(replace(tokens.provider, token_url=url), tokens.file, now=tokens.now)
        asked.write(Token("old", "renewal-1", NOW))
        with pytest.raises(AuthError) as caught:
            asked.fresh()
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert tokens.read() == Token("old", "renewal-1", NOW)


def test_a_provider_that_drips_is_not_waited_for_without_end(
    tokens: Tokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A byte now and then, each in time, does not hold the daemon up."""
    monkeypatch.setattr(oauth_tokens, "TIMEOUT", 0.3)
    over = threading.Event()

    def drips() -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n"
        while not over.wait(0.02):
            yield b" "

    with misbehaving(drips()) as port:
        slow = replace(tokens.provider, token_url=f"http://127.0.0.1:{port}/token")
        with pytest.raises(AuthError, match="cannot be reached"):
            oauth_tokens.post_form(slow, slow.token_url, {})
        over.set()


@pytest.mark.parametrize("lasts", [b'"soon"', b"-5", b"1e999", b"NaN", b"[]", b"null", b"9" * 400])
def test_a_span_that_makes_no_sense_is_taken_for_an_hour(tokens: Tokens, lasts: bytes) -> None:
    """What is kept can be read again, and is renewed in time."""
    with misbehaving([answer(b'{"access_token": "new", "expires_in": %s}' % lasts)]) as port:
        url = f"http://127.0.0.1:{port}/token"
        asked = Tokens(replace(tokens.provider, token_url=url), tokens.file, now=tokens.now)
        asked.write(Token("old", "renewal-1", NOW))
        assert asked.fresh() == "new"
    assert tokens.read() == Token("new", "renewal-1", NOW + 3600)


def test_a_device_code_with_spans_that_make_no_sense_is_asked_for_all_the_same(
    fake: FakeProvider, provider: Provider
) -> None:
    """The pause between two questions is never nothing that sleep would refuse."""
    begun = {**fake.answer("/device", {})[1], "interval": "often", "expires_in": -1}
    fake.answers = [begun]
    pauses: list[float] = []
    token = consent.with_browser_elsewhere(provider, lambda _: None, pauses.append)
    assert (token.access, pauses) == (ACCESS, [5])


def test_a_browser_that_hangs_up_is_nobodys_fault(
    fake: FakeProvider, provider: Provider, capfd: pytest.CaptureFixture[str]
) -> None:
    """The next one is waited for, and nothing is written that looks like a fault."""
    opened: list[threading.Thread] = []

    def browse(address: str) -> None:
        back = urlsplit(parse_qs(urlsplit(address).query)["redirect_uri"][0])
        for said in (b"", b"GET //[ HTTP/1.1\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", back.port or 0)) as early:
                early.sendall(said)
        fake.say_yes(address)

    def show(address: str) -> None:
        opened.append(threading.Thread(target=browse, args=(address,)))
        opened[0].start()

    assert consent.with_browser_here(provider, show, patience=WAIT).access == ACCESS
    opened[0].join(WAIT)
    assert capfd.readouterr() == ("", "")


def test_a_token_that_cannot_be_written_leaves_the_old_one(tokens: Tokens, tmp_path: Path) -> None:
    """Nothing half written lies about, in its place or beside it."""
    tokens.write(Token("old", "renewal-1", NOW))
    lost = Tokens(tokens.provider, tmp_path / "none" / "referee.token")
    with pytest.raises(AuthError, match="cannot be written"):
        lost.write(Token("new", None, NOW))
    folder = Tokens(tokens.provider, tmp_path)
    with pytest.raises(AuthError, match="cannot be written"):
        folder.write(Token("new", None, NOW))
    assert tokens.read().access == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["referee.token"]


def test_a_new_token_outlives_a_full_disk(
    fake: FakeProvider, tokens: Tokens, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    """It is used from memory, as the old one may count no more, and written when there is room."""
    tokens.write(Token("old", "renewal-1", NOW))
    fault = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", raising(fault))
        assert tokens.fresh() == ACCESS
        assert tokens.fresh() == ACCESS
        with pytest.raises(AuthError, match="No space left on device"):
            tokens.grant()
    assert tokens.read() == Token("old", "renewal-1", NOW)
    assert "make room before the next restart" in caplog.messages[0]
    assert ACCESS not in caplog.text
    assert len(fake.asked) == 2
    assert tokens.fresh() == ACCESS
    assert tokens.read().access == ACCESS
    assert [each.name for each in tokens.file.parent.iterdir()] == ["referee.token"]


def test_both_servers_are_logged_in_to_by_token(
    fake: FakeProvider, tmp_path: Path, smtp_server: SmtpServer
) -> None:
    """With [oauth] and no password the configuration gives servers that use a fresh token."""
    smtp_server.auth = True
    with FakeImap() as imap:
        settings = load_settings(_config(tmp_path, fake, imap.server.port, smtp_server.port), {})
        with pytest.raises(ConfigError, match="log in with referee auth"):
            settings.require_log_in()
        assert settings.tokens is not None
        settings.tokens.write(Token("old", "renewal-1", 0))
        settings = load_settings(settings.path, {})
        settings.require_log_in()
        with Mailbox(settings.imap, Folders()):
            pass
        (line,) = [each for each in imap.commands if each.startswith(b"AUTHENTICATE")]
    assert line.startswith(b"AUTHENTICATE XOAUTH2")
    sent = [base64.b64decode(each + b"==") for each in imap.commands if b" " not in each and each]
    assert b"auth=Bearer fresh-token" in b"".join(sent)

    async def knock() -> object:
        async with Postman(settings.smtp) as postman:
            return await postman.log_in()

    assert asyncio.run(knock()) is None
    assert smtp_server.logins == [("referee", ACCESS)]
    assert len(fake.asked) == 1


def _config(folder: Path, fake: FakeProvider, imap: int, smtp: int) -> Path:
    (folder / "referee.key").write_bytes(bytes(32))
    (folder / "referee.key").chmod(0o600)
    file = folder / "referee.toml"
    file.write_text(
        f"""
[referee]
address = "referee@example.test"
[mail]
imap = "imap://referee@127.0.0.1:{imap}"
smtp = "smtp://referee@127.0.0.1:{smtp}"
[oauth]
client_id = "referee-1"
token_url = "{fake.url("token")}"
scope = "mail"
"""
    )
    return file


def test_a_password_wins_over_a_token(fake: FakeProvider, tmp_path: Path) -> None:
    """A server whose password is given is logged in to by it."""
    file = _config(tmp_path, fake, 9, 9)
    settings = load_settings(file, {"REFEREE_SMTP_PASSWORD": "secret"})
    assert (settings.smtp.token, settings.smtp.password) == (None, "secret")
    assert settings.imap.lacking.startswith("[oauth] token_file: there is no ")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('client_id = "x"', "[oauth] token_url: is missing; or name a provider"),
        ('provider = "gmail"', "[oauth] client_id: is missing beside provider"),
        ('provider = "gogle"', "not one of gmail, microsoft"),
        ('client_id = "x"\ntoken_url = "http://example.test/"', "begins with https://"),
    ],
)
def test_what_is_missing_or_wrong_is_named(
    fake: FakeProvider, tmp_path: Path, text: str, says: str
) -> None:
    """A half configured provider is a fault of the configuration, with its place."""
    file = _config(tmp_path, fake, 9, 9)
    content = file.read_text().partition("[oauth]")[0] + "[oauth]\n" + text
    file.write_text(content)
    with pytest.raises(ConfigError) as caught:
        load_settings(file, {})
    assert says in str(caught.value)


def test_a_known_provider_needs_only_who_we_are(fake: FakeProvider, tmp_path: Path) -> None:
    """Its addresses and scope are known; each can be given otherwise."""
    file = _config(tmp_path, fake, 9, 9)
    top = file.read_text().partition("[oauth]")[0]
    file.write_text(f'{top}[oauth]\nprovider = "gmail"\nclient_id = "x"\nscope = "less"\n')
    tokens = load_settings(file, {}).tokens
    assert tokens is not None
    assert tokens.provider.token_url == "https://oauth2.googleapis.com/token"
    assert tokens.provider.scope == "less"
    assert tokens.file == tmp_path / "referee.token"


def test_a_token_that_a_server_refused_is_renewed_once(fake: FakeProvider, tokens: Tokens) -> None:
    """However long it would last; not again at once, and not for one that was refused before."""
    tokens.write(Token("old", "renewal-1", NOW + 3600))
    tokens.discard("older")
    assert tokens.fresh() == "old"
    tokens.discard("old")
    assert tokens.fresh() == ACCESS
    tokens.discard(ACCESS)
    assert tokens.fresh() == ACCESS
    assert len(fake.asked) == 1
    tokens.now = lambda: NOW + 600
    tokens.discard(ACCESS)
    assert tokens.fresh() == ACCESS
    assert len(fake.asked) == 2


def test_an_unattended_mailbox_asks_nobody(fake: FakeProvider, tokens: Tokens) -> None:
    """The first token, and each after it, comes by the referee's own secret."""
    alone = Tokens(replace(tokens.provider, unattended=True), tokens.file, now=tokens.now)
    assert alone.fresh() == ACCESS
    assert stat.S_IMODE(alone.file.stat().st_mode) == 0o600
    assert alone.fresh() == ACCESS
    assert [each["grant_type"] for each in fake.asked] == ["client_credentials"]
    assert (fake.asked[0]["client_secret"], fake.asked[0]["scope"]) == ("hush", "mail")
    alone.write(Token("old", None, NOW + 60))
    assert alone.fresh() == ACCESS
    assert len(fake.asked) == 2


def test_a_provider_that_is_away_stops_nothing_while_the_token_is_good(
    fake: FakeProvider, tokens: Tokens
) -> None:
    """Renewal begins two minutes early; a fault counts only once the token has ended."""
    fake.answers = [{"error": "temporarily_unavailable"}] * 2
    tokens.write(Token("old", "renewal-1", NOW + 60))
    assert tokens.fresh() == "old"
    tokens.write(Token("old", "renewal-1", NOW))
    with pytest.raises(AuthError, match="temporarily_unavailable"):
        tokens.fresh()
    assert tokens.fresh() == ACCESS


@pytest.mark.parametrize(
    ("description", "remedy"),
    [
        ("Token has been expired or revoked.", "after seven days while the app is in testing"),
        ("AADSTS700082: The refresh token has expired due to inactivity.", "for 90 days"),
        ("AADSTS7000222: The provided client secret keys are expired.", "make a new one"),
        ("AADSTS53003: Access has been blocked by policies.", "Conditional Access"),
    ],
)
def test_a_refusal_says_what_to_do(
    fake: FakeProvider, tokens: Tokens, description: str, remedy: str
) -> None:
    """The provider's own words come first, then the remedy, then the command."""
    fake.answers = [{"error": "invalid_grant", "error_description": description}]
    tokens.write(Token("old", "renewal-1", NOW))
    with pytest.raises(AuthError) as caught:
        tokens.fresh()
    said = str(caught.value)
    assert said.index(description) < said.index(remedy) < said.index("referee auth")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("false", "false ended with status 1"),
        ("true", "true prints no password"),
        ("no-such-program-here", "cannot be run (No such file or directory)"),
        ("printf '\\377'", "prints something that is no text"),
    ],
)
def test_a_command_that_gives_no_password_is_named(
    fake: FakeProvider, tmp_path: Path, command: str, says: str
) -> None:
    """The log-in fails with one line, and nothing the command printed is repeated."""
    file = _config(tmp_path, fake, 9, 9)
    text = file.read_text().partition("[oauth]")[0]
    file.write_text(f"{text}password_command = {json.dumps(command)}\n")
    settings = load_settings(file, {})
    settings.require_log_in()
    with pytest.raises(AuthError) as caught:
        settings.imap.secret()
    assert says in str(caught.value)
