"""`referee auth`: the token file, and what is said on the way."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.given import GIVEN
from support.provider import FakeProvider, providing


@pytest.fixture
def fake(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[FakeProvider]:
    """Run a provider for an installation in the current folder, which has no password."""
    monkeypatch.chdir(tmp_path)
    assert run("init", tmp_path, *GIVEN).status == 0
    with providing() as found:
        file = tmp_path / "referee.toml"
        text = file.read_text().replace(":secret@", "@")
        keys = f'client_id = "x"\nscope = "mail"\ntoken_url = "{found.url("token")}"\n'
        keys += f'device_url = "{found.url("device")}"\n'
        file.write_text(text.replace("[oauth]\n", f"[oauth]\n{keys}"))
        yield found


def test_a_code_typed_in_elsewhere_logs_in(run: Callable[..., Any], fake: FakeProvider) -> None:
    """The code is shown, the token kept for its owner only, and no token is printed."""
    fake.answers = [{**fake.answer("/device", {})[1], "interval": 0.01}]
    ran = run("auth", "--device")
    assert ran.status == 0, ran.err
    assert "type in the code WDJB-MJHT" in ran.out
    assert "fresh-token" not in ran.out
    file = Path("referee.token")
    assert "fresh-token" in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_address_of_another_mailbox_is_refused(run: Callable[..., Any]) -> None:
    """There is one, so there is nothing to choose from."""
    refused = run("auth", "--mailbox", "games@example.test")
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert "--mailbox is no more; one mailbox is read" in refused.err


def test_as_json_the_document_stands_alone(run: Callable[..., Any], fake: FakeProvider) -> None:
    """What the person has to do meanwhile is told beside it; no token is printed."""
    fake.answers = [{**fake.answer("/device", {})[1], "interval": 0.01}]
    ran = run("auth", "--device", "--json")
    assert "type in the code WDJB-MJHT" in ran.err
    assert json.loads(ran.out) == {"file": str(Path.cwd() / "referee.token"), "renewable": True}


def test_before_that_only_what_logs_in_is_refused(
    run: Callable[..., Any], fake: FakeProvider
) -> None:
    """Commands on the database work; the daemon names the command to give."""
    assert fake.port
    assert run("match", "list").status == 0
    ran = run("run", "--once")
    assert ran.status == 78
    assert "log in with referee auth" in ran.err


def test_what_cannot_be_asked_for_is_said(run: Callable[..., Any], fake: FakeProvider) -> None:
    """Without the address of one way the other is named; nobody is let in by a refusal."""
    refused = run("auth")
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert "referee auth --device" in refused.err
    fake.answers = [{"error": "invalid_client", "error_description": "who?"}]
    assert "invalid_client who?" in run("auth", "--device").err
    assert not Path("referee.token").exists()


def test_without_oauth_passwords_are_used(run: Callable[..., Any], fake: FakeProvider) -> None:
    """An installation that is not set up for it says so."""
    assert fake.port
    file = Path("referee.toml")
    file.write_text(file.read_text().partition("[oauth]")[0])
    ran = run("auth")
    assert ran.status == 2
    assert "[oauth] client_id: is missing" in ran.err
