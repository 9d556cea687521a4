"""The mark in a mailbox: one for each installation, and the newest says whose mailbox it is."""

from __future__ import annotations

import pytest
from support.club import Club, letter
from support.shelf import Shelf

from referee.desk import health
from referee.desk.desk import Desk
from referee.desk.service import mailbox_mark
from referee.desk.service.mailbox_mark import MailboxTaken
from referee.mail.transport.mailbox import Folders
from referee.store import notes

pytestmark = pytest.mark.fast

FOLDERS = Folders()


@pytest.fixture
def shelf() -> Shelf:
    """Return a mailbox that nobody has read yet."""
    return Shelf()


def check(desk: Desk, shelf: Shelf, *, take_over: bool = False) -> None:
    """Let an installation look whose mailbox it is, and leave its mark."""
    mailbox_mark.leave_mark(desk, shelf, FOLDERS, take_over=take_over)  # type: ignore[arg-type]


def as_another(club: Club) -> Desk:
    """Let the desk belong to another installation from now on; return it."""
    with club.desk.store.writing() as connection:
        notes.INSTALLATION.write(connection, "another")
    return club.desk


def test_a_mailbox_without_a_mark_gets_ours_once(club: Club, shelf: Shelf) -> None:
    """It tells people who find it to leave it there."""
    check(club.desk, shelf)
    check(club.desk, shelf)
    [(_, raw)] = shelf.letters["Handled"]
    assert b"Please leave it where it is" in raw


def test_another_installation_is_kept_out_until_it_takes_over(club: Club, shelf: Shelf) -> None:
    """Then the newest mark is its own."""
    check(club.desk, shelf)
    other = as_another(club)
    with pytest.raises(MailboxTaken, match="referee run --take-over"):
        check(other, shelf)
    check(other, shelf, take_over=True)
    check(other, shelf)
    assert len(shelf.letters["Handled"]) == 2


def test_looking_leaves_no_mark(club: Club, shelf: Shelf) -> None:
    """And says whose mailbox it is all the same."""
    mailbox_mark.check_mark(club.desk, shelf, FOLDERS)  # type: ignore[arg-type]
    assert shelf.letters == {}
    check(club.desk, shelf)
    with pytest.raises(MailboxTaken):
        mailbox_mark.check_mark(as_another(club), shelf, FOLDERS)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [0, None])
def test_a_letter_is_no_mark(club: Club, shelf: Shelf, number: int | None) -> None:
    """One that came by mail is known by its Message-ID, or has none; marks are put there."""
    raw = letter("eve@example.net", "mine now", **{health.HEADER: "installation eve"})
    if number is None:
        raw = b"\n".join(each for each in raw.split(b"\n") if not each.startswith(b"Message-ID"))
    club.put(raw)
    shelf.put("Handled", raw)
    check(club.desk, shelf)
    assert len(shelf.letters["Handled"]) == 2
