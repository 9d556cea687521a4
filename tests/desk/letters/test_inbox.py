"""Bad letters and bad days: what is tried again, what is set aside, and when intake stops."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError
from support.club import ALICE, BOB, REFEREE, Club, letter, with_attachment
from support.spying import plain

from referee import resources
from referee.desk import health
from referee.desk.desk import Change
from referee.desk.letters import intake, queue
from referee.desk.letters.queue import IntakeStopped
from referee.desk.letters.words import places
from referee.desk.matches import broken
from referee.desk.matches.time import stoppages
from referee.games import registry
from referee.games.game import AnyGame
from referee.mail.incoming import letter as incoming_letter
from referee.mail.incoming.letter import Letter
from referee.store.database.errors import StoreConflict, StoreError, StoreFull, StoreLocked
from referee.store.post import letters
from referee.store.tables.post import LetterRow
from referee.value import replace

GOOD, BAD = 1, 2
"""Editions: the match of one goes well, whatever concerns that of the other goes wrong."""


ASIDE = "it was set aside"

LOST = OperationalError("SELECT 1", {}, sqlite3.OperationalError("disk I/O error"))
# As the driver raises it, with the code by which it is known.
LOST.orig.sqlite_errorcode = sqlite3.SQLITE_IOERR  # type: ignore[union-attr]


@dataclass
class House:
    """A club of two matches, one of which cannot be played; ``fault`` says what goes wrong."""

    club: Club
    fault: Callable[[], Exception] = RuntimeError
    reports: dict[int, str] = field(default_factory=dict)
    tries: int = 0

    def break_down(self) -> None:
        """From now on whatever asks for the game of the bad match fails, and time passes."""
        find, club = self.club.desk.find_game, self.club

        def now() -> datetime:
            club.later(seconds=1)
            return club.clock[0]

        def found(name: str, edition: int | None) -> AnyGame:
            if edition == BAD:
                self.tries += 1
                raise self.fault()
            return find(name, edition)

        club.desk = replace(club.desk, find_game=found, now=now)

    def keep(self, edition: int, number: int, text: str = "pass", sender: str = ALICE) -> int:
        """Let a letter arrive that answers the report of a match; return its number."""
        raw = letter(sender, text, answers=self.reports[edition], number=number)
        return kept(self.club, number, raw)

    def handle(self) -> int:
        """Handle what waits."""
        return queue.handle_waiting(self.club.desk)

    def row(self, number: int) -> LetterRow:
        """Return a letter as it stands."""
        with self.club.desk.store.reading() as connection:
            return letters.get_letter(connection, number)

    def states(self, *numbers: int) -> list[str]:
        """Return what became of letters."""
        return [self.row(each).state for each in numbers]


def kept(club: Club, number: int, raw: bytes) -> int:
    """Let a letter arrive and wait; return its number."""
    with club.desk.store.writing() as connection:
        row = letters.keep_letter(
            connection, folder="INBOX", uidvalidity=9, uid=number, size=len(raw), raw=raw,
            arrived=club.desk.now() + timedelta(seconds=number), mailbox=REFEREE,
            now=club.desk.now(),
        )  # fmt: skip
    assert row is not None
    return row.id


@pytest.fixture
def house(club: Club) -> House:
    """Return a house in which Alice is to act in both matches; one is about to break."""
    found = House(club)
    for edition in (GOOD, BAD):
        club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", edition=edition)
        club.work()
        found.reports[edition] = str(club.last(ALICE, "report").message["Message-ID"])
    club.mails(BOB)
    found.break_down()
    return found


def test_a_letter_that_fails_by_itself_is_tried_three_times(house: House) -> None:
    """Then it lies aside with the kind of fault for a reason, and its sender is told once."""
    bad = house.keep(BAD, 1)
    assert house.handle() == 1
    assert (house.tries, house.row(bad).state) == (3, "quarantined")
    assert house.row(bad).reason == "RuntimeError while handling it"
    (told,) = house.club.mails(ALICE)
    assert ASIDE in plain(told.text)
    assert house.handle() == 0


def test_what_a_try_began_is_undone(house: House) -> None:
    """A command above the orders that fail is carried out by no try, and answered by none."""
    house.keep(BAD, 1, "set language de\nmessage blue: hello\npass")
    house.handle()
    assert house.club.mails(BOB) == []
    (told,) = house.club.mails(ALICE)
    assert ASIDE in plain(told.text)


def test_a_bad_letter_keeps_no_good_one_waiting(house: House) -> None:
    numbers = [house.keep(GOOD, 1, "help"), house.keep(BAD, 2), house.keep(GOOD, 3)]
    house.handle()
    assert house.states(*numbers) == ["handled", "quarantined", "handled"]
    assert house.club.match("pebbles-1").to_act == "blue"


def test_a_copy_of_a_bad_letter_is_a_repeat(house: House) -> None:
    """Delivered again by another way it neither fails again nor makes a bad day."""
    house.keep(BAD, 1)
    house.handle()
    raw = letter(ALICE, "pass", answers=house.reports[BAD], number=1)
    for number in range(4):
        copied = b"Received: from relay%d.example.test\n" % number + raw
        assert house.club.put(copied).state == "repeat"


@pytest.mark.parametrize("fault", [StoreLocked, StoreFull, OSError])
def test_our_own_trouble_counts_for_nothing(house: House, fault: type[Exception]) -> None:
    """Faults of database and disk stop the pass; later the letter is played as ever."""
    house.fault = lambda: fault("trouble")
    bad = house.keep(BAD, 1)
    for _ in range(2 * queue.MOST_ATTEMPTS):
        with pytest.raises(fault, match="trouble"):
            house.handle()
        assert (house.row(bad).state, house.row(bad).attempts) == ("kept", 0)
    queue.recover_letters(house.club.desk)
    assert house.row(bad).kills == 0
    house.club.desk = replace(house.club.desk, find_game=registry.find_installed)
    house.handle()
    assert house.club.match("pebbles-2").to_act == "blue"


def test_a_letter_that_takes_all_memory_keeps_no_other_waiting(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is set aside like any that fails by itself, even if nobody can read whom to tell."""
    numbers = [house.keep(BAD, 1), house.keep(GOOD, 2)]
    read = incoming_letter.read_letter

    def greedy(raw: bytes) -> Letter:
        if house.reports[BAD].encode() in raw:
            raise MemoryError
        return read(raw)

    monkeypatch.setattr(incoming_letter, "read_letter", greedy)
    house.handle()
    assert house.states(*numbers) == ["quarantined", "handled"]
    assert house.row(numbers[0]).reason == "MemoryError while handling it"
    assert house.club.match("pebbles-1").to_act == "blue"


def test_a_file_missing_from_a_game_concerns_its_match_alone(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An order as JSON cannot be checked without its schema; the letters behind it are handled."""
    found = resources.game_resource

    def missing(game: AnyGame, path: str) -> bytes:
        if path == "schemas/order.schema.json":
            raise FileNotFoundError(path)
        return found(game, path)

    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    monkeypatch.setattr(resources, "game_resource", missing)
    # As in a process that has read none yet.
    monkeypatch.setattr(places, "_VALIDATORS", {})
    submission = {"code": club.code("pebbles-1", "red"), "orders": [{"order": "pass"}]}
    kept(club, 1, with_attachment(ALICE, "", json.dumps(submission)))
    kept(club, 2, letter(BOB, "help"))
    assert queue.handle_waiting(club.desk) == 2
    with club.desk.store.reading() as connection:
        bad, good = (letters.get_letter(connection, number) for number in (1, 2))
    assert (bad.state, good.state) == ("quarantined", "handled")
    assert str(bad.reason).startswith(f"{broken.ASIDE}pebbles-1 {broken.APART}its game")


def test_three_bad_letters_in_a_row_stop_intake(house: House) -> None:
    """Nobody's fourth letter is tried: it waits for the organiser, and so does the good one."""
    bad = [house.keep(BAD, number, f"pass\nhello {number}") for number in (1, 2, 3, 4)]
    good = house.keep(GOOD, 5)
    with pytest.raises(IntakeStopped, match="3 letters in a row"):
        house.handle()
    assert house.states(*bad, good) == ["quarantined"] * 3 + ["kept"] * 2
    assert house.tries == 3 * queue.MOST_ATTEMPTS


def test_a_good_letter_between_bad_ones_is_no_bad_day(house: House) -> None:
    """Two, a good one, and two again are set aside, and intake goes on."""
    editions = (BAD, BAD, GOOD, BAD, BAD, GOOD)
    texts = ["help" if edition == GOOD else "pass" for edition in editions]
    numbers = [house.keep(e, n, texts[n - 1]) for n, e in enumerate(editions, start=1)]
    house.handle()
    aside = {BAD: "quarantined", GOOD: "handled"}
    assert house.states(*numbers) == [aside[each] for each in editions]


def test_a_bad_day_is_counted_across_restarts_until_the_alarm_is_ended(house: House) -> None:
    """Two before a restart and one after it are three; whoever starts again begins at nought."""
    for number in (1, 2):
        house.keep(BAD, number, f"pass\nhello {number}")
    house.handle()
    queue.recover_letters(house.club.desk)
    house.keep(BAD, 3)
    with pytest.raises(IntakeStopped) as stopped:
        house.handle()
    health.raise_alarm(house.club.desk, str(stopped.value))
    house.club.later(minutes=1)
    health.end_alarm(house.club.desk)
    house.club.later(minutes=1)
    for number in (4, 5):
        house.keep(BAD, number, f"pass\nhello {number}")
    assert house.handle() == 2


def kill_at(house: House, number: int) -> None:
    """Leave a letter as a process does that is killed while it handles it, and start again."""
    with house.club.desk.store.writing() as connection:
        letters.begin_attempt(connection, number)
    queue.recover_letters(house.club.desk)


def test_a_killed_process_says_little_about_its_letter(house: House) -> None:
    """Nine times it is handled all the same, and no attempt is counted against it."""
    number = house.keep(GOOD, 1)
    for _ in range(queue.MOST_KILLS - 1):
        kill_at(house, number)
    assert (house.row(number).kills, house.row(number).attempts) == (queue.MOST_KILLS - 1, 0)
    house.handle()
    assert house.club.match("pebbles-1").to_act == "blue"


def test_a_letter_that_kills_each_time_is_set_aside_unread(house: House) -> None:
    """After ten times it is not handled again; its sender is told, and the others' go on."""
    deadly, good = house.keep(GOOD, 1), house.keep(GOOD, 2, "help")
    for _ in range(queue.MOST_KILLS):
        kill_at(house, deadly)
    house.handle()
    assert house.states(deadly, good) == ["quarantined", "handled"]
    assert "stopped each time" in (house.row(deadly).reason or "")
    assert house.club.match("pebbles-1").to_act == "red"
    assert ASIDE in plain(house.club.mails(ALICE)[0].text)


def test_a_database_lost_while_a_sender_is_told_is_no_fault_of_the_letter(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The letter waits; when the database is back it is set aside, and its sender told once."""
    bad = house.keep(BAD, 1)
    with monkeypatch.context() as patched:

        def lost(*_: object) -> None:
            raise LOST

        patched.setattr(stoppages, "stop_clocks", lost)
        with pytest.raises(StoreError):
            house.handle()
    assert house.row(bad).state != "quarantined"
    assert house.club.mails(ALICE) == []
    house.handle()
    assert house.row(bad).state == "quarantined"
    assert len(house.club.mails(ALICE)) == 1


def test_a_sender_of_an_unread_letter_is_told_although_others_were_in_the_way(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The letter is aside already when telling them is begun again."""
    deadly = house.keep(GOOD, 1)
    for _ in range(queue.MOST_KILLS):
        kill_at(house, deadly)
    stop_clocks, conflicts = stoppages.stop_clocks, [StoreConflict("another daemon was first")]

    def stop(change: Change, player: int) -> None:
        if conflicts:
            raise conflicts.pop()
        stop_clocks(change, player)

    monkeypatch.setattr(stoppages, "stop_clocks", stop)
    house.handle()
    assert house.states(deadly) == ["quarantined"]
    assert ASIDE in plain(house.club.mails(ALICE)[0].text)


@pytest.mark.parametrize("fault", [LOST, ValueError("unreadable")])
def test_what_goes_wrong_while_a_bad_letter_is_noted(
    house: House, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    """A lost database is told, and counts for nothing; another fault does not hold the note up."""
    bad = house.keep(BAD, 1)
    identify, tries = intake.identify_letter, list[int]()

    def second_fails(connection: Connection, row: LetterRow, found: Letter) -> LetterRow:
        tries.append(row.id)
        if len(tries) == 2:
            raise fault
        return identify(connection, row, found)

    monkeypatch.setattr(intake, "identify_letter", second_fails)
    if fault is LOST:
        with pytest.raises(StoreError):
            house.handle()
        assert house.row(bad).state == "kept"
    house.handle()
    assert house.row(bad).state == "quarantined"
    assert len(house.club.mails(ALICE)) == 1


@pytest.mark.parametrize("attempts", [0, queue.MOST_ATTEMPTS - 1])
def test_a_daemon_taken_for_dead_changes_nothing_about_a_letter_others_have_handled(
    house: House, monkeypatch: pytest.MonkeyPatch, attempts: int
) -> None:
    """Its own attempt fails after theirs: the letter stays handled, and is answered once."""
    number = house.keep(GOOD, 1)
    with house.club.desk.store.writing() as connection:
        for _ in range(attempts):
            letters.end_attempt(connection, number)
    take = intake.take_letter

    def late(*given: Any) -> Any:
        assert take(*given).state == "handled"
        raise RuntimeError

    monkeypatch.setattr(intake, "take_letter", late)
    assert queue.handle_once(house.club.desk, house.row(number)) == "handled"
    assert (house.row(number).state, house.row(number).attempts) == ("handled", attempts)
    assert len(house.club.mails(ALICE)) == 1


def test_a_program_is_told_nothing_of_its_bad_letter(house: House) -> None:
    """A submission marked as automatic that fails lies aside like any other, in silence."""
    code = house.club.code("pebbles-2", "red")
    document = f'{{"code": "{code}", "orders": ["pass"]}}'
    raw = letter(ALICE, document, Auto_Submitted="auto-generated")
    with house.club.desk.store.writing() as connection:
        row = letters.keep_letter(
            connection, folder="INBOX", uidvalidity=9, uid=1, size=len(raw), raw=raw,
            arrived=house.club.desk.now(), mailbox=REFEREE, now=house.club.desk.now(),
        )  # fmt: skip
    assert row is not None
    house.handle()
    assert house.row(row.id).state == "quarantined"
    assert house.club.mails(ALICE) == []
