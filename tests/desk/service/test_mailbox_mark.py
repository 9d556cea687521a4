"""The mark in a mailbox: one for each installation, and the newest says whose mailbox it is."""

from __future__ import annotations

import pytest
from support.club import Club, letter
from support.shelf import Shelf

from referee.desk import health
from referee.desk.desk import Desk
from referee.desk.service import mailbox_mark
from referee.desk.service.mailbox_mark import MailboxTaken
from referee.mail.transport.mailbox import MailboxRefused
from referee.store import notes
from referee.store.notes import Trouble

pytestmark = pytest.mark.fast


@pytest.fixture
def shelf() -> Shelf:
    """Return a mailbox that nobody has read yet."""
    return Shelf()


def check(desk: Desk, shelf: Shelf, *, take_over: bool = False) -> None:
    """Let an installation look whose mailbox it is, and leave its mark."""
    mailbox_mark.leave_mark(desk, shelf, take_over=take_over)  # type: ignore[arg-type]


def as_another(club: Club) -> Desk:
    """Let the desk belong to another installation from now on; return it."""
    with club.desk.store.writing() as connection:
        notes.INSTALLATION.write(connection, "another")
    return club.desk


def test_a_mailbox_has_one_mark_of_ours(club: Club, shelf: Shelf) -> None:
    """It tells people who find it to leave it there, and has the number of the latest start."""
    check(club.desk, shelf)
    check(club.desk, shelf)
    [(_, raw)] = shelf.letters["Handled"]
    assert b"Please leave it where it is" in raw
    assert b"X-Referee-Start: 2 " in raw


def test_a_mark_without_a_number_is_the_oldest(club: Club, shelf: Shelf) -> None:
    """An early version left it; the database knows no number either, and goes on from there."""
    check(club.desk, shelf)
    [(arrived, raw)] = shelf.letters["Handled"]
    lines = [each for each in raw.split(b"\n") if not each.startswith(b"X-Referee-Start")]
    shelf.letters["Handled"] = [(arrived, b"\n".join(lines))]
    with club.desk.store.writing() as connection:
        notes.START.remove(connection)
    check(club.desk, shelf)
    assert b"X-Referee-Start: 1 " in shelf.letters["Handled"][0][1]


@pytest.mark.parametrize("forged", ["", "x", "-7", "1e9", "\u0663", "\u00b2"])
def test_a_number_that_is_none_is_the_least(
    club: Club, shelf: Shelf, forged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mark that somebody changed locks nobody out, and the next one goes on from the database."""
    # By chance what stands behind the number may look like one.
    monkeypatch.setattr(mailbox_mark.secrets, "token_hex", lambda _: "01822964")
    check(club.desk, shelf)
    renumber(shelf, forged)
    check(club.desk, shelf)
    [(_, raw)] = shelf.letters["Handled"]
    assert b"X-Referee-Start: 2 " in raw


def test_a_number_without_end_is_a_copy_of_later(club: Club, shelf: Shelf) -> None:
    """Its first digits count, so that no reader of it fails."""
    check(club.desk, shelf)
    renumber(shelf, "9" * 5000)
    with pytest.raises(MailboxTaken, match="was read by a copy of this database"):
        check(club.desk, shelf)


def renumber(shelf: Shelf, number: str) -> None:
    """Forge the number of the mark that a mailbox has."""
    [(arrived, raw)] = shelf.letters["Handled"]
    forged = raw.replace(b"X-Referee-Start: 1 ", f"X-Referee-Start: {number} ".encode())
    assert forged != raw
    shelf.letters["Handled"] = [(arrived, forged)]


def test_a_mark_that_was_lost_is_left_again(club: Club, shelf: Shelf) -> None:
    """A database ahead of its mailbox harms nobody: it was stopped before it could leave it."""
    check(club.desk, shelf)
    first = shelf.letters["Handled"]
    check(club.desk, shelf)
    shelf.letters["Handled"] = first
    check(club.desk, shelf)
    shelf.letters["Handled"] = []
    check(club.desk, shelf)
    assert b"X-Referee-Start: 4 " in shelf.letters["Handled"][0][1]


class Full(Shelf):
    """A mailbox without room for another message."""

    def put(self, folder: str, raw: bytes) -> None:
        """Refuse a message of ours."""
        raise MailboxRefused(f"no room for {len(raw)} bytes in {folder}")


def test_a_full_mailbox_of_ours_is_read_by_the_mark_it_has(club: Club, shelf: Shelf) -> None:
    """It takes no other one, and the next start with room leaves the next number."""
    check(club.desk, shelf)
    full = Full()
    full.letters = shelf.letters
    check(club.desk, full)
    check(club.desk, full)
    [(_, raw)] = shelf.letters["Handled"]
    assert b"X-Referee-Start: 1 " in raw
    check(club.desk, shelf)
    [(_, raw)] = shelf.letters["Handled"]
    assert b"X-Referee-Start: 4 " in raw


def test_a_second_referee_is_kept_out_of_a_full_mailbox_too(club: Club, shelf: Shelf) -> None:
    """It cannot leave word, and ends all the same."""
    check(club.desk, shelf)
    full = Full()
    full.letters = shelf.letters
    with pytest.raises(MailboxTaken):
        check(as_another(club), full)


def test_who_was_refused_leaves_word_once(club: Club, shelf: Shelf) -> None:
    """However often it is started; whoever reads the mailbox takes the word away, and notes it."""
    check(club.desk, shelf)
    mine = mailbox_mark._installation(club.desk)
    for _ in range(25):
        with pytest.raises(MailboxTaken):
            check(as_another(club), shelf)
    assert len(shelf.letters["Handled"]) == 2
    with club.desk.store.writing() as connection:
        notes.INSTALLATION.write(connection, mine)
    mailbox_mark.watch_mark(club.desk, shelf)  # type: ignore[arg-type]
    [(_, raw)] = shelf.letters["Handled"]
    assert b"X-Referee-Start: 1 " in raw
    with club.desk.store.reading() as connection:
        rival = notes.RIVAL.read(connection)
    assert rival is not None
    assert "was refused this mailbox" in rival.text


@pytest.mark.parametrize("noted", [True, False])
def test_a_start_that_reads_all_letters_again_forgets_who_was_refused(
    club: Club, shelf: Shelf, noted: bool
) -> None:
    """It says whose mailbox this is, and the one refused was itself, behind its copy."""
    check(club.desk, shelf)
    check(club.desk, shelf)
    with club.desk.store.writing() as connection:
        notes.START.write(connection, "1 left-behind")
        if noted:
            notes.RIVAL.write(connection, Trouble(club.desk.now(), "a second referee, on here"))
    with pytest.raises(MailboxTaken, match="referee run --reread"):
        check(club.desk, shelf)
    assert len(shelf.letters["Handled"]) == 2
    with club.desk.store.writing() as connection:
        health.ask_rereading(connection, club.desk.now())
    check(club.desk, shelf)
    [(_, raw)] = shelf.letters["Handled"]
    assert b"X-Referee-Start: 3 " in raw
    with club.desk.store.reading() as connection:
        assert notes.RIVAL.read(connection) is None


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
    mailbox_mark.check_mark(club.desk, shelf)  # type: ignore[arg-type]
    assert shelf.letters == {}
    check(club.desk, shelf)
    with pytest.raises(MailboxTaken):
        mailbox_mark.check_mark(as_another(club), shelf)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [0, None])
def test_a_letter_is_no_mark(club: Club, shelf: Shelf, number: int | None) -> None:
    """One that came by mail is known by its Message-ID, or has none; marks are put there."""
    posing = {health.HEADER: "installation eve", "subject": mailbox_mark.SUBJECT}
    raw = letter("eve@example.net", "mine now", **posing)
    if number is None:
        raw = b"\n".join(each for each in raw.split(b"\n") if not each.startswith(b"Message-ID"))
    club.put(raw)
    shelf.put("Handled", raw)
    check(club.desk, shelf)
    assert len(shelf.letters["Handled"]) == 2
