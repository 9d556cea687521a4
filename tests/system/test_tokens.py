"""Tokens in place of passwords, on Postfix and Dovecot, from a provider that has its moods."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from email.message import EmailMessage
from email.utils import parseaddr
from itertools import count
from pathlib import Path

import pytest
from support import mailhost
from support.mailhost import DOMAIN, MailHost
from support.provider import TokenServer, providing
from support.zygote import run_command

from referee.config import load_settings
from referee.daemon.daemon import Daemon
from referee.desk.desk import Desk
from referee.desk.service.login import log_in
from referee.errors import RefereeError
from referee.mail.oauth import tokens as oauth_tokens
from referee.mail.oauth.tokens import Token
from referee.store.store import open_store

pytestmark = pytest.mark.mail

WAIT = 120.0
ADDRESS = f"referee@{DOMAIN}"
EXPIRED = {
    "error": "invalid_grant", "error_description": "Token has been expired or revoked.",
}  # fmt: skip


class Served:
    """A provider, the mail host that believes it, and an installation that has tokens alone."""

    def __init__(self, provider: TokenServer, host: MailHost, folder: Path) -> None:
        self.provider, self.host, self.folder = provider, host, folder
        self.numbers = count(1)
        url, user = provider.url, f"referee%40{DOMAIN}@localhost"
        self.referee(
            "init", str(folder), "--auth", "oauth", "--provider", "other", "--address", ADDRESS,
            "--imap", f"imaps://{user}:{host.imaps}",
            "--smtp", f"smtp+starttls://{user}:{host.submission}",
            "--client-id", "referee-1", "--scope", "mail", "--token-url", url("token"),
            "--device-url", url("device"), "--authorize-url", "https://login.example.org/authorize",
        )  # fmt: skip
        file = folder / "referee.toml"
        text = file.read_text().replace("[mail]\n", f'[mail]\nca_file = "{host.cafile}"\n')
        file.write_text(text.replace("# plus_addressing = true", "plus_addressing = true"))

    def referee(self, *words: str, status: int = 0) -> str:
        """Run a command of the referee, which ends with a status, and return its output."""
        done = run_command(words, self.folder if self.folder.exists() else None)
        assert done.returncode == status, done.stderr + self.host.log()[-3000:]
        return done.stdout

    def log_in_here(self) -> None:
        """Give the consent in a browser on this machine."""
        command = [sys.executable, "-u", "-m", "referee", "auth"]
        with subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.PIPE, text=True
        ) as running:
            assert running.stdout is not None
            address = next(line for line in running.stdout if line.startswith("https://"))
            assert self.provider.say_yes(address.strip()) == 200
            assert "Logged in." in running.stdout.read()
        assert running.returncode == 0

    def consent(self) -> None:
        """Give the consent anew, as a person does who types in a code."""
        settings = load_settings(self.folder / "referee.toml", {})
        self.provider.answers = [{**self.provider.answer("/device", {})[1], "interval": 0.01}]
        log_in(settings, lambda _: None, device=True, port=0)

    def keep(self, token: Token) -> None:
        """Put a token into the file in place of the one there."""
        settings = load_settings(self.folder / "referee.toml", {})
        assert settings.tokens is not None
        settings.tokens.write(token)

    def begin(self) -> None:
        """Begin a match; its first mails wait."""
        seats = ("--seat", f"red=alice@{DOMAIN}", "--seat", f"blue=bob@{DOMAIN}")
        self.referee("match", "new", "pebbles", *seats, "--start")

    def once(self) -> None:
        """Make one pass of the daemon in this process."""
        settings = load_settings(self.folder / "referee.toml", {})
        with closing(open_store(settings.database)) as store:
            Daemon(Desk(store, settings)).once()

    def fails(self) -> str:
        """Make a pass that fails; return why, which is one line without a token."""
        with pytest.raises(RefereeError) as caught:
            self.once()
        assert "\n" not in str(caught.value)
        assert "token-" not in str(caught.value)
        return str(caught.value)

    def write(self, text: str, to: str = ADDRESS) -> str:
        """Have alice write to the referee; return the Message-ID of what lies in its inbox."""
        letter = EmailMessage()
        letter["From"], letter["To"] = f"alice@{DOMAIN}", to
        letter["Message-ID"] = f"<{next(self.numbers)}.{self.host.imaps}@{DOMAIN}>"
        letter.set_content(text)
        before = self.host.letters("referee")
        self.host.submit("alice", letter.as_bytes(), parseaddr(to)[1])
        self.host.wait(lambda: self.host.letters("referee") > before)
        return str(letter["Message-ID"])

    def is_answered(self, letter: str, words: str) -> None:
        """Wait until alice has the answer to a letter of hers, which holds these words."""
        mail = self.host.next_mail("alice", lambda mail: mail["In-Reply-To"] == letter)
        body = mail.get_body(("plain",))
        assert body is not None
        assert words in "\n".join(str(body.get_content()).splitlines())

    def report_address(self) -> str:
        """Return where an answer to alice's report goes."""
        mail = self.host.next_mail(
            "alice", lambda mail: "turn.json" in [each.get_filename() for each in mail.walk()]
        )
        return str(mail["Reply-To"])


@pytest.fixture(scope="module")
def provider() -> Iterator[TokenServer]:
    """Run a provider of tokens."""
    with providing(TokenServer(account=ADDRESS)) as found:
        assert isinstance(found, TokenServer)
        yield found


def hosting(provider: TokenServer, mechanism: str) -> Iterator[MailHost]:
    """Run both servers, with a mailbox for the referee that takes tokens alone."""
    if reason := mailhost.why_not():
        pytest.skip(reason)
    found = MailHost(
        "referee", "alice", "bob", introspection=provider.url("introspect"), mechanism=mechanism
    )
    try:
        found.start()
        yield found
    finally:
        found.stop()


@pytest.fixture(scope="module")
def host(provider: TokenServer) -> Iterator[MailHost]:
    """Run servers that take tokens by XOAUTH2."""
    yield from hosting(provider, "xoauth2")


@pytest.fixture(scope="module")
def newer_host(provider: TokenServer) -> Iterator[MailHost]:
    """Run servers that take tokens by OAUTHBEARER."""
    yield from hosting(provider, "oauthbearer")


@pytest.fixture(scope="module")
def installed(
    provider: TokenServer, host: MailHost, tmp_path_factory: pytest.TempPathFactory
) -> Served:
    """Return an installation with a match of alice's that nobody has given a consent yet."""
    found = Served(provider, host, tmp_path_factory.mktemp("tokens") / "club")
    found.begin()
    return found


@pytest.fixture
def served(installed: Served) -> Served:
    """Return the installation with a consent given just now, and a provider that behaves well."""
    provider = installed.provider
    provider.account, provider.lasts, provider.ahead, provider.delay = ADDRESS, 3600.0, 0.0, 0.0
    provider.renewals = {"renewal-1"}
    provider.answers.clear()
    installed.consent()
    # The match's first mails are out before a test looks at its own.
    installed.once()
    provider.asked.clear()
    provider.questions.clear()
    return installed


def test_a_turn_is_played_after_a_code_was_typed_in(installed: Served) -> None:
    """The commands as written do it; each token is renewed before it ends, on both servers."""
    provider, file = installed.provider, installed.folder / "referee.token"
    # Shorter than the two minutes for which a token must still be good.
    provider.lasts = 60.0
    assert "WDJB-MJHT" in installed.referee("auth", "--device")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    installed.referee("run", "--once")
    letter = installed.write("pass", installed.report_address())
    installed.referee("run", "--once")
    installed.is_answered(letter, "Played:\n·\xa0pass")
    assert provider.grants("refresh_token") >= 2
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "token-1" not in provider.questions
    assert "sasl_method=XOAUTH2" in installed.host.log()


def test_a_turn_is_played_after_a_browser_here(
    provider: TokenServer, newer_host: MailHost, tmp_path: Path
) -> None:
    """Servers that know the newer mechanism alone are logged in to by that."""
    installed = Served(provider, newer_host, tmp_path / "club")
    installed.log_in_here()
    installed.begin()
    installed.once()
    letter = installed.write("pass", installed.report_address())
    installed.once()
    installed.is_answered(letter, "Played:\n·\xa0pass")
    assert "sasl_method=OAUTHBEARER" in newer_host.log()
    assert "XOAUTH2" not in newer_host.log()


def test_an_unattended_mailbox_needs_no_consent(served: Served) -> None:
    """The referee's own secret brings the token (client credentials), and nobody is asked."""
    file, letter = served.folder / "referee.toml", served.write("help")
    text = file.read_text()
    (served.folder / "referee.token").unlink()
    alone = text.replace("unattended = false", 'unattended = true\nclient_secret = "hush"')
    file.write_text(alone)
    try:
        served.once()
    finally:
        file.write_text(text)
    served.is_answered(letter, "help")
    assert [each["grant_type"] for each in served.provider.asked] == ["client_credentials"]
    assert stat.S_IMODE((served.folder / "referee.token").stat().st_mode) == 0o600


def test_a_consent_that_has_ended_is_asked_for_again(served: Served) -> None:
    """After seven days in testing one line names the cause, as does the status."""
    letter = served.write("help")
    served.keep(Token("token-1", "renewal-1", 1.0))
    served.provider.answers = [EXPIRED]
    said = served.fails()
    assert "after seven days while the app is in testing: publish it" in said
    assert said.endswith("referee auth")
    assert said in served.referee("status", status=2)
    served.consent()
    served.once()
    served.is_answered(letter, "help")


def test_a_token_withdrawn_early_is_found_out(served: Served) -> None:
    """It looks good for an hour, is refused, and the next pass learns that no other is given."""
    letter = served.write("help")
    served.provider.revoke()
    assert "login refused" in served.fails()
    said = served.fails()
    assert "renews the token no more (invalid_grant" in said
    assert said.endswith("referee auth")
    served.provider.renewals = {"renewal-1"}
    served.consent()
    served.once()
    served.is_answered(letter, "help")


def test_a_server_with_another_clock_costs_one_login(served: Served) -> None:
    """A token it takes for expired is renewed for the next, though it would last an hour yet."""
    letter = served.write("help")
    served.provider.ahead, served.provider.lasts = 4000.0, 9000.0
    assert "login refused" in served.fails()
    served.once()
    served.is_answered(letter, "help")
    assert served.provider.grants("refresh_token") == 1


def test_a_token_of_another_account_is_named(served: Served) -> None:
    """Whoever consented while logged in as somebody else is told as whom to do it."""
    letter = served.write("help")
    served.provider.account = f"alice@{DOMAIN}"
    served.consent()
    for _ in range(2):
        assert served.fails().endswith(f"referee auth, logged in as {ADDRESS}")
    served.provider.account = ADDRESS
    served.consent()
    served.once()
    served.is_answered(letter, "help")


def test_a_slow_provider_is_waited_for_and_a_silent_one_named(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second of thought changes nothing; one that says nothing stops no mail for good."""
    letter = served.write("help")
    served.keep(Token("token-1", "renewal-1", 1.0))
    served.provider.delay = 1.0
    with monkeypatch.context() as patched:
        patched.setattr(oauth_tokens, "TIMEOUT", 0.2)
        assert served.fails().endswith("cannot be reached (no answer in time)")
    served.once()
    served.is_answered(letter, "help")


def test_a_token_lost_on_the_way_out_keeps_the_mails(served: Served) -> None:
    """The letter was read; when sending is refused, its answer waits and the cause is noted."""
    letter = served.write("help")
    settings = load_settings(served.folder / "referee.toml", {})
    with closing(open_store(settings.database)) as store:
        daemon = Daemon(Desk(store, settings))
        read = daemon.reader.read_once

        def read_and_revoke() -> None:
            read()
            served.provider.revoke()

        daemon.reader.read_once = read_and_revoke  # type: ignore[method-assign]
        daemon.once()
    waiting = json.loads(served.referee("outbox", "list", "--state", "waiting", "--json"))
    assert [each["attempts"] for each in waiting] == [0]
    told = " ".join(served.referee("status", status=2).split())
    assert f"referee auth, logged in as {ADDRESS}" in told
    served.provider.renewals = {"renewal-1"}
    served.consent()
    served.once()
    served.is_answered(letter, "help")
