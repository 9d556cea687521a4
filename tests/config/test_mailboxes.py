"""Further mailboxes: tables [[mailbox]] beside the first form, which stays as it is."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest

from referee.config import ConfigError, Settings

pytestmark = pytest.mark.fast

Read: TypeAlias = Callable[..., Settings]

MINIMAL = """
[referee]
address = "referee@example.test"

[mail]
imap = "imaps://referee%40example.test:secret-imap@mail.example.test"
smtp = "smtps://referee%40example.test:secret-smtp@mail.example.test"
"""

FURTHER = MINIMAL + '\n[[mailbox]]\naddress = "games@example.test"\n'


def test_a_further_mailbox_shares_the_servers(read: Read, folder: Path) -> None:
    """Without keys of its own it has the same servers, itself as the user, and their password."""
    (folder / "password").write_text("shared")
    text = FURTHER.replace(":secret-imap", "").replace("[mail]", '[mail]\npassword_file="password"')
    first, further = read(text).mailboxes
    assert first.address == "referee@example.test"
    assert further.address == "games@example.test"
    assert further.imap == replace(first.imap, user="games@example.test")
    assert further.imap.password == "shared"
    assert further.smtp == first.smtp


def test_a_further_mailbox_may_have_its_own_servers(read: Read, folder: Path) -> None:
    """Its own passwords count then, whatever [mail] or a variable says."""
    (folder / "games").write_text("own\n")
    settings = read(
        FURTHER + 'imap = "imaps://g@elsewhere.test"\nsmtp = "smtps://g@elsewhere.test"\n'
        'password_file = "games"\n',
        REFEREE_PASSWORD="common",
    )
    _, further = settings.mailboxes
    assert further.imap.host == further.smtp.host == "elsewhere.test"
    assert further.imap.password == further.smtp.password == "own"
    assert folder / "games" in settings.private
    assert settings.imap.password == "common"


def test_a_mailbox_never_logs_in_with_the_password_in_another_url(read: Read) -> None:
    """A password in the URL of [mail] is that account's; it lacks one and says where."""
    with pytest.raises(ConfigError) as caught:
        read(FURTHER).require_log_in()
    (fault,) = caught.value.faults
    assert "[[mailbox]] no. 1 imap: has no password; give imap_password_file" in fault


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[mailbox]\naddress = 'a@b.test'", "mailbox: begin each mailbox with a line [[mailbox]]"),
        ("[[mailbox]]\nimap = 'imaps://a@b'", "[[mailbox]] no. 1 address: is missing"),
        ("[[mailbox]]\naddress = 'nobody'", "[[mailbox]] no. 1 address: 'nobody' is not a mail"),
        (
            "[[mailbox]]\naddress='a@b.test'\n[[mailbox]]\naddress='a@b.test'",
            "[[mailbox]] no. 2 address: a@b.test is the address of [[mailbox]] no. 1 already",
        ),
        (
            "[[mailbox]]\naddress='Referee@example.test'",
            "[[mailbox]] no. 1 address: referee@example.test is the address of [referee] already",
        ),
        (
            (
                "[[mailbox]]\naddress='a@b.test'\n"
                "imap='imaps://referee%40example.test:x@mail.example.test'"
            ),
            (
                "[[mailbox]] no. 1 imap: referee@example.test@mail.example.test:993 is the mailbox "
                "of [referee] already"
            ),
        ),
        (
            "[[mailbox]]\naddress='a@b.test'\nimap='imaps://b.test'",
            "[[mailbox]] no. 1 imap: names no user",
        ),
        (
            "[[mailbox]]\naddress='a@b.test'\nadress='c'",
            "[[mailbox]] no. 1 adress: is unknown; did you mean address?",
        ),
        (
            "[[mailbox]]\naddress='a@b.test'\npoll_seconds=3",
            "[[mailbox]] no. 1 poll_seconds: is unknown; there are address, imap",
        ),
    ],
)
def test_a_wrong_mailbox_is_named_with_its_place(read: Read, text: str, fault: str) -> None:
    """Each fault of a table [[mailbox]] says which table and which key."""
    with pytest.raises(ConfigError) as caught:
        read(f"{MINIMAL}\n{text}\n")
    assert any(fault in each for each in caught.value.faults), caught.value.faults


def test_a_token_of_one_account_is_not_used_for_another(read: Read, folder: Path) -> None:
    """A further mailbox needs a password then; the token says whose it is."""
    (folder / "referee.token").write_text("{}")
    text = FURTHER.replace(":secret-imap", "").replace(":secret-smtp", "")
    settings = read(text + "[oauth]\nprovider = 'gmail'\nclient_id = 'x'\n")
    first, further = settings.mailboxes
    assert not first.imap.lacking
    assert further.imap.lacking == (
        "[[mailbox]] no. 1: the token of [oauth] is for referee@example.test alone; "
        "give games@example.test a password or a token_file"
    )
    assert not further.smtp.lacking


def test_a_mailbox_may_have_a_token_of_its_own(read: Read, folder: Path) -> None:
    """Each account logs in by its own file, and is told how to fetch it."""
    for name in ("referee.token", "games.token"):
        token = {"access": name, "refresh": None, "expires": 1e12}
        (folder / name).write_text(json.dumps(token))
    text = FURTHER.replace(":secret-imap", "").replace(":secret-smtp", "")
    text += "token_file = 'games.token'\nsmtp = 'smtps://games%40example.test@mail.example.test'\n"
    text += "[oauth]\nprovider = 'gmail'\nclient_id = 'x'\n"
    settings = read(text)
    for each, name in zip(settings.mailboxes, ("referee.token", "games.token"), strict=True):
        for server in (each.imap, each.smtp):
            assert server.token is not None
            assert server.token() == name
    assert folder / "games.token" in settings.private
    (folder / "games.token").unlink()
    _, further = read(text).mailboxes
    assert further.imap.lacking.endswith("log in with referee auth --mailbox games@example.test")


def test_two_further_mailboxes_do_not_share_a_token_file(read: Read, folder: Path) -> None:
    """The second one is named, with what would be right."""
    for name in ("referee.token", "games.token"):
        (folder / name).write_text(json.dumps({"access": name, "refresh": None, "expires": 1e12}))
    text = FURTHER.replace(":secret-imap", "").replace(":secret-smtp", "")
    text += "token_file = 'games.token'\n"
    again = text[text.index("[[mailbox]]") :].replace("games@", "other@")
    with pytest.raises(ConfigError) as caught:
        read(f"{text}{again}[oauth]\nprovider = 'gmail'\nclient_id = 'x'\n")
    fault = "[[mailbox]] no. 2 token_file: is that of [[mailbox]] no. 1; give each account a file"
    assert fault in caught.value.faults[0]


@pytest.mark.parametrize(
    ("oauth", "fault"),
    [
        ("", "token_file: goes with [oauth] client_id only"),
        (
            "[oauth]\nprovider = 'gmail'\nclient_id = 'x'\ntoken_file = 'games.token'\n",
            "token_file: is that of [oauth]; give each account a file of its own",
        ),
    ],
)
def test_a_token_file_that_cannot_be_its_own_is_refused(read: Read, oauth: str, fault: str) -> None:
    """Without a provider there is no token, and two accounts cannot share one."""
    with pytest.raises(ConfigError) as caught:
        read(f"{FURTHER}token_file = 'games.token'\n{oauth}")
    assert f"[[mailbox]] no. 1 {fault}" in caught.value.faults[0]
