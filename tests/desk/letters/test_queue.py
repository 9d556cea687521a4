"""What a letter may touch, by its sender and the codes in it."""

from __future__ import annotations

import pytest
from support.club import ALICE, BOB, Club, letter
from support.storing import a_letter

from referee.daemon import process as daemon_process
from referee.daemon.process import Process
from referee.desk.letters import queue
from referee.store.database.errors import StoreLocked
from referee.store.tables.post import LetterRow

pytestmark = pytest.mark.fast


def found(club: Club, raw: bytes) -> set[str]:
    """Return the lanes of a letter."""
    with club.desk.store.reading() as connection:
        return set(queue.lanes_of(club.desk, connection, raw).split())


def begun(club: Club) -> tuple[str, str]:
    """Begin two matches of alice and bob; return their lanes."""
    seats = f"red={ALICE}", f"blue={BOB}"
    one, two = (club.new_match("pebbles", *seats) for _ in range(2))
    club.work()
    return f"m{one.id}", f"m{two.id}"


def test_an_answer_touches_the_match_of_its_mail(club: Club) -> None:
    """By the thread alone as well as by the code in the quoted text."""
    one, _ = begun(club)
    report = next(
        each for each in club.mails(ALICE) if each.kind == "report" and "pebbles-1" in each.text
    )
    by_thread = found(club, letter(ALICE, "pass", answers=report.message["Message-ID"]))
    by_code = found(club, letter(ALICE, f"pass {report.turn_file['code']}"))
    assert by_thread == by_code
    assert one in by_thread
    assert len(by_thread) == 2


def test_a_letter_without_code_may_touch_all_of_its_senders_matches(club: Club) -> None:
    """Such as one that says when its writer is away."""
    assert set(begun(club)) < found(club, letter(ALICE, "away 2026-12-01 2026-12-05"))


def test_letters_of_one_sender_share_a_lane(club: Club) -> None:
    """A player's under each of their addresses; a stranger's address is not told by it."""
    begun(club)
    stranger = found(club, letter("eve@example.test", "help"))
    assert stranger == found(club, letter("eve@example.test", "join"))
    assert stranger.isdisjoint(found(club, letter("mallory@example.test", "help")))
    assert "eve" not in " ".join(stranger)
    assert found(club, letter(ALICE, "help")) & found(club, letter(ALICE, "matches"))


def test_a_daemon_asked_to_stop_handles_the_letter_in_hand_alone(club: Club) -> None:
    """Those behind it wait for the next start, however many they are."""
    with club.desk.store.writing() as connection:
        numbers = [a_letter(connection, number).id for number in (1, 2, 3)]
    process = Process(club.desk)
    handled = list[int]()

    def follow(row: LetterRow) -> None:
        handled.append(row.id)
        process.stop()

    assert queue.handle_waiting(club.desk, follow, process.may_go_on) == 1
    assert handled == numbers[:1]
    assert queue.has_waiting(club.desk)
    assert process.handle() == 0


def test_a_trouble_that_lasts_is_logged_once_a_minute(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Each second every part that needs the database meets it; another is told at once."""
    seconds = [0.0]
    monkeypatch.setattr(daemon_process.time, "monotonic", lambda: seconds[0])
    process = Process(club.desk)
    for _ in range(120):
        process.report(StoreLocked("the database is locked"))
        process.report(OSError("the network is down"))
        seconds[0] += 1
    assert caplog.messages.count("the database is locked") == 2
    assert caplog.messages.count("the network is down") == 2
