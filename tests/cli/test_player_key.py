"""`referee player key …`: a player's public key is pinned, shown, and forgotten."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.signing import NEEDS_GPG, Signer, signers

pytestmark = NEEDS_GPG

GIVEN = (
    "--address", "referee@example.test",
    "--imap", "imaps://referee%40example.test:secret@mail.example.test",
    "--smtp", "smtps://referee%40example.test:secret@mail.example.test",
)  # fmt: skip
ALICE = "alice@example.test"


@pytest.fixture(scope="module")
def alice() -> Iterator[Signer]:
    """Return Alice with a key of her own."""
    with signers(ALICE) as (found,):
        yield found


@pytest.fixture
def home(run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set up an installation in the current folder, with two players."""
    monkeypatch.chdir(tmp_path)
    assert run("init", tmp_path, *GIVEN).status == 0
    assert run("player", "add", ALICE).status == 0
    assert run("player", "add", "bob@example.test").status == 0
    return tmp_path


def pinned(run: Callable[..., Any], who: str = ALICE) -> str | None:
    found: str | None = json.loads(run("player", "show", who, "--json").out)["key"]
    return found


def test_a_key_is_pinned_and_forgotten(run: Callable[..., Any], home: Path, alice: Signer) -> None:
    """The fingerprint is said and shown, the folder of keys is its owner's; --remove ends it."""
    (home / "alice.asc").write_bytes(alice.public)
    assert alice.fingerprint in run("player", "key", ALICE, "alice.asc").out
    assert pinned(run) == alice.fingerprint
    assert stat.S_IMODE((home / "openpgp").stat().st_mode) == 0o700
    assert "forgotten" in run("player", "key", ALICE, "--remove").out
    assert pinned(run) is None


def test_a_key_of_two_players_stays_with_the_other(
    run: Callable[..., Any], home: Path, alice: Signer
) -> None:
    """What one player forgets is kept for the other who signs with it too."""
    from referee.mail.proofs.openpgp import _gpg

    (home / "shared.asc").write_bytes(alice.public)
    for who in (ALICE, "bob@example.test"):
        assert run("player", "key", who, "shared.asc").status == 0
    run("player", "key", ALICE, "--remove")
    assert pinned(run, "bob@example.test") == alice.fingerprint
    assert len(_gpg(home / "openpgp").list_keys()) == 1
    run("player", "key", "bob@example.test", "--remove")
    assert len(_gpg(home / "openpgp").list_keys()) == 0


def test_a_merge_removes_the_key_of_the_one_who_goes(
    run: Callable[..., Any], home: Path, alice: Signer
) -> None:
    """If the one who remains has one; a plan alone removes none."""
    from referee.mail.proofs.openpgp import _gpg

    def known() -> set[str]:
        return {each["fingerprint"] for each in _gpg(home / "openpgp").list_keys()}

    with signers("bob@example.test") as (bob,):
        for who, signer in ((ALICE, alice), ("bob@example.test", bob)):
            (home / "a.asc").write_bytes(signer.public)
            assert run("player", "key", who, "a.asc").status == 0
        assert run("player", "merge", ALICE, "bob@example.test").status == 0
        assert known() == {alice.fingerprint, bob.fingerprint}
        assert run("player", "merge", ALICE, "bob@example.test", "--yes").status == 0
        assert known() == {bob.fingerprint}
        assert pinned(run) == bob.fingerprint


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((ALICE,), "name the file"),
        ((ALICE, "alice.asc", "--remove"), "name the file"),
        ((ALICE, "nowhere.asc"), "cannot be read"),
        ((ALICE, "referee.toml"), "holds 0 OpenPGP keys"),
        (("carol@example.test", "--remove"), "there is no player"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    run: Callable[..., Any], home: Path, arguments: tuple[str, ...], said: str
) -> None:
    """A wrong call ends with status 2 and a line, and pins nothing."""
    ran = run("player", "key", *arguments)
    assert ran.status == 2
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1
    assert pinned(run) is None
