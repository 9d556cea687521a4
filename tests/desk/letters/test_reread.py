"""Folders read again after a restore: which letters come, and in which sequence."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from support.club import ALICE, BOB, NOON, REFEREE, Club, letter
from support.shelf import Shelf

from referee.daemon.process import Process
from referee.daemon.reader import Reader
from referee.desk import health
from referee.desk.letters import inbox, queue
from referee.mail.transport.mailbox import MailboxLost
from referee.store.post import letters

pytestmark = pytest.mark.fast


@pytest.fixture
def shelf() -> Shelf:
    """Return an empty mailbox."""
    return Shelf()


def kept(club: Club) -> list[tuple[str, datetime]]:
    """Return sender and arrival of the letters that wait, as they will be handled."""
    with club.desk.store.reading() as connection:
        rows = letters.waiting_letters(connection)
    return [(each.folder, each.arrived) for each in rows]


def read(club: Club, shelf: Shelf) -> int:
    """Read the folders again; return how many letters were new."""
    return inbox.keep_unknown(club.desk, shelf)  # type: ignore[arg-type]


def test_unknown_letters_wait_in_the_sequence_they_came_in(
    club: Club, shelf: Shelf, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever folder each was filed in; read once more, none comes twice."""
    caplog.set_level("INFO")
    shelf.lay("Handled", 3, letter(ALICE, "third", number=3))
    shelf.lay("Handled", 1, letter(ALICE, "first", number=1))
    shelf.lay("Quarantine", 2, letter(BOB, "second", number=2))
    shelf.lay("Ignored", 4, letter(BOB, "fourth", number=4))
    assert read(club, shelf) == 4
    folders = ["Handled", "Quarantine", "Handled", "Ignored"]
    assert kept(club) == [
        (folder, NOON + timedelta(minutes=at)) for at, folder in enumerate(folders, start=1)
    ]
    assert read(club, shelf) == 0
    # That there are none is no news.
    (line,) = [each for each in caplog.records if "handled again" in each.message]
    assert (line.levelname, line.message) == ("INFO", "letters that are handled again: 4")


def test_a_letter_the_store_knows_is_left_where_it_lies(club: Club, shelf: Shelf) -> None:
    """It was filed under a new UID, and is known by Message-ID, arrival and size."""
    raw = letter(ALICE, "help", number=1)
    club.put(raw)
    shelf.lay("Handled", 0, raw)
    assert read(club, shelf) == 0


def test_our_own_mark_is_no_letter(club: Club, shelf: Shelf) -> None:
    """From another address the same header makes a letter of it."""
    for sender in (REFEREE, ALICE):
        shelf.lay("Handled", 1, letter(sender, "mark", **{health.HEADER: "yes"}))
    assert read(club, shelf) == 1


def test_a_folder_made_anew_in_between_stops_it(club: Club, shelf: Shelf) -> None:
    """Its UIDs name other letters, so that nothing of it is kept."""
    shelf.lay("Handled", 1, letter(ALICE, "first", number=1))
    shelf.anew = "Handled"
    with pytest.raises(MailboxLost, match="Handled was made anew"):
        read(club, shelf)
    assert kept(club) == []


def test_when_all_is_handled_the_letters_are_filed_and_nothing_is_asked(
    club: Club, shelf: Shelf
) -> None:
    """What was filed as handled and counts for nothing now goes where it belongs."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    with club.desk.store.writing() as connection:
        health.ask_rereading(connection, club.desk.now())
    assert inbox.is_rereading_due(club.desk)
    shelf.lay("Handled", 1, letter("eve@example.net", "hello", number=1))
    read(club, shelf)
    queue.handle_waiting(club.desk, lambda _: None)
    inbox.finish_rereading(club.desk, shelf)  # type: ignore[arg-type]
    assert shelf.moved == [("Handled", "Ignored")]
    assert not inbox.is_rereading_due(club.desk)


@pytest.mark.parametrize("folder", ["Handled", "INBOX"])
def test_a_daemon_asked_to_stop_leaves_the_rereading_to_the_next(
    club: Club, shelf: Shelf, folder: str
) -> None:
    """Letters may still wait, in the store or in the mailbox."""
    with club.desk.store.writing() as connection:
        health.ask_rereading(connection, club.desk.now())
    shelf.lay(folder, 1, letter("eve@example.net", "hello", number=1))
    process = Process(club.desk)
    process.stop()
    reader = Reader(process, process.handle, lambda _: None)
    assert not reader._reread_if_due(shelf)  # type: ignore[arg-type]
    assert shelf.moved == []
    assert inbox.is_rereading_due(club.desk)
