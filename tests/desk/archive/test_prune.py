"""What is let go of a match: only what its exported and verified record makes good."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import select, update
from support.archived import by_bots, by_mail, record_of
from support.club import ALICE, BOB, Club, letter
from support.storing import a_letter, a_mail

from referee.desk.archive import audit, prune, take_in
from referee.desk.letters.strangers import is_forgetting_due
from referee.desk.matches.time import outages
from referee.desk.plans.board import Undo
from referee.desk.plans.match import End
from referee.desk.plans.plan import apply_act
from referee.desk.service import chores
from referee.store import tables as t
from referee.store.play import archives, matches
from referee.store.post import letters, outbox, strangers
from referee.store.states import OutboxState


def kept(club: Club, folder: Path, name: str) -> Path:
    """Write the record of a match into a folder."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.jsonl"
    path.write_bytes(record_of(club, name))
    return path


def left(club: Club, name: str) -> tuple[int, int, int]:
    """Return how many letters, mails and events of a match could still go."""
    with club.desk.store.reading() as connection:
        found = archives.prunable_weight(connection, club.match(name).id)
    return found.letters.count, found.mails.count, found.events.count


def test_only_what_was_exported_goes(club: Club, tmp_path: Path) -> None:
    """Letters and mails of the match whose record is there lose their bytes; others keep them."""
    one, other = by_mail(club), by_mail(club)
    club.mails(ALICE)
    kept(club, tmp_path / "records", one)
    before = left(club, other)
    assert min(left(club, one)) > 3
    prune.prune_match(club.desk, tmp_path / "records", one, events=False)
    assert prune.prune_match(club.desk, tmp_path / "records", other, events=True).why == "no record"
    assert left(club, one)[:2] == (0, 0)
    assert left(club, one)[2] == club.match(one).seq
    assert left(club, other) == before
    assert record_of(club, one) == (tmp_path / "records" / f"{one}.jsonl").read_bytes()


def test_letter_to_two_matches_stays(club: Club, tmp_path: Path) -> None:
    """A letter that spoke for another match too keeps its bytes, as does one of no match."""
    from sqlalchemy import text

    name, running = by_mail(club), by_mail(club, most=2)
    kept(club, tmp_path / "records", name)
    with club.desk.store.writing() as connection:
        connection.execute(
            text(
                "UPDATE submissions SET match_id = :other WHERE id = "
                "(SELECT min(id) FROM submissions WHERE match_id = :match)"
            ),
            {"other": club.match(running).id, "match": club.match(name).id},
        )
    prune.prune_match(club.desk, tmp_path / "records", name, events=False)
    with club.desk.store.reading() as connection:
        assert letters.raw_letter(connection, 1) is not None
        with pytest.raises(KeyError):
            letters.raw_letter(connection, 2)


def test_running_matches_and_changed_records_stay(club: Club, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    over, running = by_bots(club, "pebbles"), by_mail(club, most=3)
    path = kept(club, folder, over)
    (folder / f"{running}.jsonl").write_bytes(path.read_bytes())
    assert prune.prune_match(club.desk, folder, running, events=False).why == "not over"
    path.write_bytes(path.read_bytes().replace(b"red", b"RED", 1))
    assert prune.prune_match(club.desk, folder, over, events=True).why == "another record"
    assert [each.match for each in prune.candidates(club.desk, folder)] == [over]
    assert left(club, over)[2] == club.match(over).seq


def test_mails_that_wait_stay(club: Club, tmp_path: Path) -> None:
    """A mail that has not left keeps its bytes, so that it can."""
    name = by_mail(club)
    kept(club, tmp_path / "records", name)
    with club.desk.store.reading() as connection:
        waiting = outbox.latest_mails(connection, "waiting")
    assert waiting
    prune.prune_match(club.desk, tmp_path / "records", name, events=False)
    with club.desk.store.reading() as connection:
        assert all(outbox.raw_mail(connection, each.id) for each in waiting)


def test_events_go_when_asked(club: Club, tmp_path: Path) -> None:
    """Without its events a match keeps its last position, and the audit says it was pruned."""
    name = by_bots(club, "nord")
    kept(club, tmp_path / "records", name)
    prune.prune_match(club.desk, tmp_path / "records", name, events=True)
    assert left(club, name)[2] == 0
    with club.desk.reading() as change:
        row = club.match(name)
        assert audit.audit_match(change, row).pruned
        assert matches.find_snapshot(change.connection, row.id) is not None
    assert (
        prune.prune_match(club.desk, tmp_path / "records", name, events=True).why == "pruned before"
    )


def test_orders_sent_again_after_their_receipt_was_pruned_are_answered(
    club: Club, tmp_path: Path
) -> None:
    """There is no receipt to send once more, and no later mail waits for it."""
    name = by_mail(club, most=2)
    report = club.last(ALICE, "report")
    club.answer(report, report.turn_file["legal"][0], ALICE)
    apply_act(club.desk, End(name), "nobody answers any more")
    club.work()
    club.mails(ALICE)
    prune.prune_match(club.desk, kept(club, tmp_path / "records", name).parent, name, events=False)
    club.answer(report, report.turn_file["legal"][0], ALICE)
    assert "this match has been broken off" in club.last(ALICE).text
    with club.desk.store.reading() as connection:
        assert {each.state for each in outbox.latest_mails(connection)} <= {"sent", "superseded"}


def test_what_no_record_holds_stays(club: Club, tmp_path: Path) -> None:
    """The chain of what a seat ordered in advance is kept, and fits again with the events back."""
    name = by_mail(club, most=2)
    club.answer(club.last(ALICE), "queue pass", ALICE)
    apply_act(club.desk, End(name), "nobody answers any more")
    club.work()
    path = kept(club, tmp_path / "records", name)
    with club.desk.store.reading() as connection:
        chain = matches.private_events(connection, club.match(name).id)
    assert chain
    assert prune.prune_match(club.desk, path.parent, name, events=True).why == ""
    found = take_in.read_record(club.desk, path.read_bytes().splitlines())
    with club.desk.writing() as change:
        assert take_in.take_record(change, found) == (name, "restored")
    with club.desk.reading() as change:
        row = club.match(name)
        assert matches.private_events(change.connection, row.id) == chain
        assert audit.audit_match(change, row).fault is None


def make_room(club: Club) -> int:
    """Do the day's chores until all is done; return in how many steps."""
    steps = 0
    while chores.do_chores(club.desk):
        steps += 1
    return steps


def having_bytes(club: Club) -> tuple[set[int], set[int]]:
    """Return the numbers of the letters and of the mails whose bytes are kept."""
    with club.desk.store.reading() as connection:
        letters_left, mails_left = (
            {*connection.execute(select(table.c.id).where(table.c.raw.is_not(None))).scalars()}
            for table in (t.letters, t.outbox)
        )
    return letters_left, mails_left


def test_bytes_go_when_their_days_are_over(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two weeks after a mail was delivered and a letter handled, a few at a time, once a day."""
    monkeypatch.setattr(prune, "MOST_AT_ONCE", 3)
    name = by_mail(club, most=6)
    club.mails(ALICE)
    record = club.match(name).head
    before = having_bytes(club)
    for days, left in ((13, before), (1.5, (set(), set()))):
        club.later(days=days)
        assert make_room(club) > 0
        assert having_bytes(club) == left
        assert make_room(club) == 0
    assert club.match(name).head == record


def test_organisers_say_how_long_bytes_are_kept(club: Club) -> None:
    """It is a setting."""
    club.settle(keep_days=30)
    by_mail(club, most=2)
    club.mails(ALICE)
    club.later(days=29)
    before = having_bytes(club)
    make_room(club)
    assert having_bytes(club) == before
    club.later(days=2)
    make_room(club)
    assert having_bytes(club) == (set(), set())


@pytest.mark.parametrize("state", ["waiting", "sending", "uncertain", "held", "failed"])
def test_what_may_still_leave_keeps_its_bytes(club: Club, state: OutboxState) -> None:
    """However old it is; and so does a reply that a report tells which has not left."""
    by_mail(club, most=3)
    club.mails(ALICE)
    with club.desk.store.writing() as connection:
        report, reply, *_ = outbox.latest_mails(connection)
        outbox.mark_mail(connection, report.id, state, now=club.desk.now())
        outbox.mark_mail(connection, reply.id, "superseded", now=club.desk.now())
        told = update(t.outbox).where(t.outbox.c.state == "superseded")
        connection.execute(told.values(told_in=report.id))
        stay = {each.id for each in outbox.latest_mails(connection) if each.state != "sent"}
    club.later(days=40)
    make_room(club)
    assert having_bytes(club)[1] == stay > {reply.id}
    with club.desk.store.writing() as connection:
        outbox.mark_mail(connection, report.id, "sent", now=club.desk.now())
    club.later(days=15)
    make_room(club)
    assert having_bytes(club)[1] == set()


def test_letters_that_somebody_has_still_to_read_keep_their_bytes(club: Club) -> None:
    """One that waits, and one in quarantine."""
    with club.desk.store.writing() as connection:
        waits, aside, done = (a_letter(connection, number).id for number in (1, 2, 3))
        for number, state in ((aside, "quarantined"), (done, "handled")):
            letters.finish_letter(connection, number, state, None, club.desk.now())
    club.later(days=40)
    make_room(club)
    assert having_bytes(club)[0] == {waits, aside}


def test_a_match_goes_on_whatever_has_gone(club: Club) -> None:
    """It is undone past what was kept, told anew, and a letter that comes again plays nothing."""
    name = by_mail(club, most=1)
    row = club.match(name)
    report = club.last(BOB if row.to_act == "blue" else ALICE, "report")
    who = str(report.message["To"]).strip("<>")
    raw = letter(who, report.turn_file["legal"][0], answers=report.message["Message-ID"])
    club.put(raw)
    club.work()
    club.mails(ALICE)
    club.later(days=15)
    make_room(club)
    assert having_bytes(club) == (set(), set())
    apply_act(club.desk, Undo(name, revealed=True), "a slip")
    club.work()
    assert "taken back" in newest(club)
    assert club.put(raw).state == "repeat"
    assert club.match(name).turn == row.turn
    with club.desk.reading() as change:
        assert not audit.audit_match(change, club.match(name)).pruned


def newest(club: Club) -> str:
    """Return the newest mail as it lies."""
    with club.desk.store.reading() as connection:
        (row,) = outbox.latest_mails(connection, limit=1)
        return outbox.raw_mail(connection, row.id).decode()


def test_a_file_gives_back_the_room_of_what_has_gone(club: Club) -> None:
    """But for a fifth, which the next mails fill again; step by step."""
    file = Path(str(club.desk.store._engines.reader.url.database))
    with club.desk.store.writing() as connection:
        for number in range(300):
            mail = a_mail(connection, f"{number}@example.test", raw=os.urandom(40_000))
            outbox.mark_mail(connection, mail, "sent", now=club.desk.now())
    club.desk.store.wipe()
    assert file.stat().st_size > 12_000_000
    club.later(days=15)
    assert make_room(club) > 3
    club.desk.store.wipe()
    assert file.stat().st_size < 3_000_000


def right(club: Club, before: datetime) -> None:
    """Put the clock back to a moment before its jump, and say that it is right."""
    club.clock[0] = before
    with club.desk.writing() as change:
        outages.clock_is_right(change)


def test_a_clock_that_jumps_lets_nothing_go(club: Club) -> None:
    """A year ahead nothing is old, and once it is right again days are counted as before."""
    by_mail(club, most=3)
    club.mails(ALICE)
    with club.desk.writing() as change:
        strangers.note_stranger(change.connection, "stranger@example.test", club.desk.now())
    make_room(club)
    before, last = having_bytes(club), club.desk.now()
    club.later(days=365)
    outages.note_jump(club.desk, last)
    make_room(club)
    assert having_bytes(club) == before != (set(), set())
    with club.desk.store.reading() as connection:
        assert strangers.strangers_on(connection, strangers.day_of(last))
    right(club, last)
    club.later(days=15)
    make_room(club)
    assert having_bytes(club) == (set(), set())


def test_a_day_of_the_future_holds_up_no_chore(club: Club) -> None:
    """It was noted by a clock that was ahead already when the daemon began."""
    club.later(days=365)
    make_room(club)
    club.later(days=-365)
    by_mail(club, most=3)
    club.mails(ALICE)
    assert make_room(club) > 0
    club.later(days=15)
    make_room(club)
    assert having_bytes(club) == (set(), set())
    with club.desk.reading() as change:
        assert not is_forgetting_due(change)
    club.later(days=1)
    with club.desk.reading() as change:
        assert is_forgetting_due(change)
