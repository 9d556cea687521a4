"""A letter that the mail server does not give: its sender loses neither time nor a say by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email import message_from_bytes

import pytest
from support.club import ALICE, BOB, SEATS, Club, Mail, letter

from referee.desk import health
from referee.desk.letters import inbox, queue
from referee.desk.matches.time import clock
from referee.desk.plans.post import retry_letter
from referee.mail.transport.mailbox import Fetched, Folders
from referee.store.play import matches
from referee.store.post import letters

HOUR = timedelta(hours=1)


@dataclass
class Inbox:
    """An inbox in memory, whose server gives of some letters the headers alone."""

    club: Club
    letters: dict[int, bytes] = field(default_factory=dict)
    arrived: dict[int, datetime] = field(default_factory=dict)
    kept_back: set[int] = field(default_factory=set)
    asked: list[int] = field(default_factory=list)
    folders: Folders = field(default_factory=Folders)

    def select(self) -> int:
        return 9

    def new(self, known: Callable[[int, Sequence[int]], set[int]]) -> list[int]:
        return sorted(set(self.letters) - known(9, [*self.letters]))

    def fetch(self, uids: Sequence[int], *_: object) -> Iterator[Fetched]:
        self.asked += uids
        for uid in uids:
            raw, missing = self.letters[uid], uid in self.kept_back
            head = raw.partition(b"\n\n")[0] + b"\n\n"
            given, place = head if missing else raw, ("INBOX", 9, uid)
            yield Fetched(*place, self.arrived[uid], len(raw), given, missing, missing)

    def put(self, uid: int, raw: bytes, *, kept_back: bool = False) -> None:
        """Let a letter arrive."""
        self.letters[uid], self.arrived[uid] = raw, self.club.desk.now()
        self.kept_back |= {uid} if kept_back else set()

    def poll(self, **span: float) -> None:
        """Let time pass, then read the inbox, and do what is due."""
        self.club.later(**span)
        inbox.fetch_and_keep(self.club.desk, self)  # type: ignore[arg-type]
        queue.handle_waiting(self.club.desk)
        health.note_poll(self.club.desk, self.club.desk.now())
        self.club.work()


@pytest.fixture
def box(club: Club) -> Inbox:
    """Return the inbox of a club in which alice is to act, and has a day to do so."""
    return Inbox(club)


def begin(club: Club, **agreed: object) -> Mail:
    """Begin a match; return alice's report, which has left."""
    club.new_match("pebbles", *SEATS, **{"per_turn": 10 * HOUR, "reminders": (), **agreed})
    club.work()
    club.mails(BOB)
    return club.last(ALICE, "report")


def stands(club: Club) -> bool:
    """Return whether the clock stands because a letter lies aside."""
    return clock.clock_stands(club.match("pebbles-1"), clock.ASIDE)


def answering(report: Mail, text: str, number: int = 0) -> bytes:
    """Return a letter of alice's that answers her report."""
    return letter(ALICE, text, answers=str(report.message["Message-ID"]), number=number)


def orders(club: Club) -> list[str]:
    """Return the orders that were played."""
    with club.desk.reading() as change:
        log = matches.events(change.connection, club.match("pebbles-1").id)
    return [each.body for each in log if each.kind == "order"]


def test_the_clock_stands_until_the_letter_is_read(club: Club, box: Inbox) -> None:
    """Asked for each hour; what it says is played once it comes, and the clock goes on."""
    box.put(1, answering(begin(club), "pass"), kept_back=True)
    box.poll()
    assert stands(club)
    assert box.asked == [1]
    box.poll(minutes=59)
    assert box.asked == [1]
    box.poll(minutes=1)
    assert box.asked == [1, 1]
    box.poll(hours=12)
    assert stands(club)
    assert orders(club) == []
    box.kept_back.clear()
    box.poll(hours=1)
    assert len(orders(club)) == 1
    assert not stands(club)


def test_the_clock_stands_for_a_day_at_longest(club: Club, box: Inbox) -> None:
    """Then it goes on with the time that was left; the letter is asked for all the same."""
    box.put(1, answering(begin(club), "pass"), kept_back=True)
    box.poll(hours=1)
    for _ in range(23):
        box.poll(hours=1)
        assert stands(club)
    box.poll(hours=1)
    assert not stands(club)
    asked = len(box.asked)
    box.poll(hours=1)
    assert len(box.asked) == asked + 1


@pytest.mark.fast
def test_another_letter_of_its_sender_lets_the_clock_stand(club: Club, box: Inbox) -> None:
    """Whatever it says, the one before may say something else."""
    report = begin(club)
    box.put(1, answering(report, "pass"), kept_back=True)
    box.poll()
    box.put(2, answering(report, "help", number=1))
    box.poll()
    assert stands(club)


def test_a_letter_of_nobody_stops_no_clock(club: Club, box: Inbox) -> None:
    """Nor does it keep back anybody else's."""
    report = begin(club)
    box.put(1, letter("eve@example.net", "pass"), kept_back=True)
    box.put(2, answering(report, "pass"))
    box.poll()
    assert len(orders(club)) == 1
    assert not stands(club)


def test_one_that_is_moved_out_of_the_inbox_stops_no_clock(club: Club, box: Inbox) -> None:
    """The organiser has seen to it."""
    box.put(1, answering(begin(club), "pass"), kept_back=True)
    box.poll()
    assert stands(club)
    del box.letters[1]
    box.poll()
    assert not stands(club)
    with club.desk.store.reading() as connection:
        assert letters.unfetched_letters(connection) == ()


@pytest.mark.parametrize("gone", [True, False])
def test_orders_that_wait_stand_until_the_letter_is_read(
    club: Club, box: Inbox, *, gone: bool
) -> None:
    """It may withdraw them; or it is moved away, and they are played."""
    report = begin(club, grace=HOUR / 6)
    box.put(1, answering(report, "pass"))
    box.poll()
    box.put(2, answering(report, "withdraw", number=1), kept_back=True)
    box.poll(minutes=5)
    box.poll(minutes=30)
    assert orders(club) == []
    if gone:
        del box.letters[2]
    box.kept_back.clear()
    box.poll(hours=1)
    assert len(orders(club)) == gone


def test_the_organiser_may_have_it_asked_for_at_once(club: Club, box: Inbox) -> None:
    """By the command for letters in quarantine, where it is listed."""
    box.put(1, answering(begin(club), "pass"), kept_back=True)
    box.poll()
    with club.desk.store.writing() as connection:
        (row,) = letters.latest_letters(connection, "quarantined")
        assert (row.sender, row.reason) == (ALICE, inbox.UNFETCHED)
        raw = letters.raw_letter(connection, row.id)
        assert message_from_bytes(raw)["Subject"] == "Re: your move"
        retry_letter(connection, row.id)
    box.kept_back.clear()
    box.poll()
    assert len(orders(club)) == 1


def test_a_copy_that_was_read_meanwhile_is_the_one_that_counts(club: Club, box: Inbox) -> None:
    """The letter that comes at last is known as a repeat."""
    raw = answering(begin(club), "pass")
    box.put(1, raw, kept_back=True)
    box.poll()
    box.put(2, raw)
    box.poll()
    assert len(orders(club)) == 1
    box.kept_back.clear()
    box.poll(hours=1)
    with club.desk.store.reading() as connection:
        assert [each.state for each in letters.latest_letters(connection)] == ["repeat", "handled"]


def test_many_of_them_are_no_alarm(club: Club, box: Inbox) -> None:
    """They are the server's fault, and intake goes on."""
    report = begin(club)
    for number in range(5):
        box.put(number + 1, answering(report, "pass", number), kept_back=True)
    box.put(9, letter(BOB, "help"))
    box.poll()
    assert not health.is_alarmed(club.desk)
    assert club.last(BOB, "answer")


def test_a_daemon_asked_to_stop_fetches_no_more(club: Club) -> None:
    """What it had fetched is kept; the next start fetches the rest."""
    box = Inbox(club)
    for uid in range(1, 2 * inbox.CHUNK):
        box.put(uid, letter(ALICE, "hello", number=uid))
    asked = iter([True, False])
    fetched = inbox.fetch_and_keep(club.desk, box, goes_on=lambda: next(asked))  # type: ignore[arg-type]
    assert fetched == inbox.CHUNK
    assert inbox.fetch_and_keep(club.desk, box) == inbox.CHUNK - 1  # type: ignore[arg-type]
