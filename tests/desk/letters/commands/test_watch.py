"""Who watches, whose reports are gathered, and what a player notes for himself."""

from __future__ import annotations

import pytest
from support.club import ALICE, BOB, CAROL, Club, letter
from support.smtpd import SmtpServer
from support.watching import begun, plays, sent, told, watches

from referee.desk.plans.match import End
from referee.desk.plans.plan import apply_act
from referee.desk.plans.seat import HandOver
from referee.store.people import players
from referee.store.play import watchers
from referee.store.post import outbox


def add(club: Club, address: str) -> None:
    """Make a player of an address."""
    with club.desk.store.writing() as connection:
        players.insert_player(
            connection, name=address.partition("@")[0], language="en", zone="UTC", address=address,
            now=club.desk.now(),
        )  # fmt: skip


def test_a_watcher_sees_what_anybody_may_see(club: Club) -> None:
    """A report at once and for every turn that begins, without box, code or anybody's hand."""
    name = begun(club)
    add(club, CAROL)
    watches(club, name)
    first, *_ = [each for each in club.mails(CAROL) if each.kind == "report"]
    assert "You watch it" in first.text
    assert "Your pebbles weigh" not in first.text
    assert "===" not in first.text
    plays(club, ALICE, club.last(ALICE, "report"))
    report = club.last(CAROL, "report")
    assert "Blue (bob) is to act" in report.flat
    assert "You are" not in report.text
    club.work()
    assert club.mails(CAROL) == []


def test_the_last_report_of_a_watcher_brings_the_record(club: Club) -> None:
    """It says how to check the file, as the players' do."""
    name = begun(club)
    add(club, CAROL)
    watches(club, name)
    club.answer(club.last(ALICE, "report"), "resign", ALICE)
    club.work()
    report = club.last(CAROL, "report")
    for mail in (report, club.last(BOB, "report")):
        assert f"referee record verify {name}.record.jsonl.gz" in mail.text
    names = [part.get_filename() for part in report.message.iter_attachments()]
    assert names == [f"{name}.record.jsonl.gz", f"{name}.zip"]


@pytest.mark.fast
def test_watching_ends_when_it_is_stopped(club: Club) -> None:
    """One match by its name, all without; a live code of any seat suffices."""
    one, other = begun(club), begun(club)
    begun(club)
    club.new_match("pebbles", f"red={CAROL}", f"blue={BOB}")
    club.work()
    report = club.last(CAROL, "report")
    for number, name in enumerate((one, other)):
        club.answer(report, f"watch {name}", CAROL, X_Number=str(number))
    club.answer(report, f"stop {one}", CAROL)
    assert f"no longer watch {one}." in told(club, CAROL)
    with club.desk.store.reading() as connection:
        player = players.by_address(connection, CAROL)
        assert player is not None
        assert len(watchers.watched_by(connection, player.id)) == 1
    club.answer(report, "stop", CAROL)
    assert f"no longer watch {other}." in told(club, CAROL)
    club.answer(report, "stop", CAROL, X_Number="again")
    assert "you watch no match" in told(club, CAROL)


def test_what_is_over_is_watched_no_more(club: Club) -> None:
    """A bare `stop` has nothing to stop then; one that names the match is still answered."""
    name = begun(club)
    club.new_match("pebbles", f"red={CAROL}", f"blue={BOB}")
    club.work()
    report = club.last(CAROL, "report")
    club.answer(report, f"watch {name}", CAROL)
    apply_act(club.desk, End(name), "the club house burns")
    club.work()
    club.mails(CAROL)
    club.answer(report, "stop", CAROL)
    assert "you watch no match" in told(club, CAROL)
    club.answer(report, f"stop {name}", CAROL)
    assert f"no longer watch {name}." in told(club, CAROL)


@pytest.mark.parametrize(
    ("who", "name", "said"),
    [
        (CAROL, "pebbles-9", "there is no match pebbles-9. Like it: pebbles-1"),
        (ALICE, "pebbles-1", "you play in pebbles-1"),
    ],
)
def test_what_cannot_be_watched_is_said(club: Club, who: str, name: str, said: str) -> None:
    """Without asking back first."""
    begun(club)
    add(club, CAROL)
    club.put(letter(who, f"watch {name}"))
    assert said in told(club, who)


def test_what_a_watcher_was_not_told_stands_in_his_next_report(
    club: Club, smtp_server: SmtpServer
) -> None:
    """A report that failed for good lies with the organiser, and counts as told no more."""
    watched = club.new_match("pebbles", f"red={CAROL}", f"blue={BOB}").name
    add(club, ALICE)
    club.work()
    watches(club, watched, ALICE)
    club.mails(ALICE)
    report = club.last(CAROL, "report")
    smtp_server.mode = "failed after dot"
    plays(club, CAROL, report)
    assert sent(club, smtp_server) == []
    smtp_server.mode = "ok"
    with club.desk.store.reading() as connection:
        failed = outbox.latest_mails(connection, "failed")
    assert ALICE in {each.recipient for each in failed}
    plays(club, BOB, club.last(BOB, "report"))
    (text,) = sent(club, smtp_server)
    assert "Red (carol) put a pebble of weight 1 on A1" in text
    plays(club, CAROL, club.last(CAROL, "report"))
    (text,) = sent(club, smtp_server)
    assert "weight 1 on A1" not in text


def test_withdraw_takes_back_what_waits_to_be_played(club: Club) -> None:
    """Queues go; without any there is nothing to take back."""
    begun(club)
    report = club.last(BOB, "report")
    club.answer(report, "queue pass", BOB)
    club.mails(BOB)
    club.answer(report, "withdraw", BOB)
    assert "taken back" in club.last(BOB, "receipt").text
    club.answer(report, "zurückziehen", BOB)
    assert "nothing of yours is held now" in club.last(BOB, "receipt").flat


def test_who_gets_a_seat_watches_no_more(club: Club) -> None:
    """One report comes for his seat, and none for a spectator."""
    name = begun(club)
    add(club, CAROL)
    watches(club, name)
    apply_act(club.desk, HandOver(name, "blue", CAROL), "bob has left")
    club.work()
    club.mails(CAROL)
    plays(club, ALICE, club.last(ALICE, "report"))
    (report,) = [each for each in club.mails(CAROL) if each.kind == "report"]
    assert "You are blue" in report.text
    with club.desk.store.reading() as connection:
        assert watchers.watchers_of(connection, club.match(name).id) == ()


@pytest.mark.fast
def test_the_first_report_of_a_watcher_speaks_of_none_before(club: Club) -> None:
    """Who has just begun to watch has had no mail since which nothing happened, nor any signs."""
    name = begun(club)
    add(club, CAROL)
    watches(club, name)
    report = club.last(CAROL, "report").flat
    assert "Since your last mail" not in report
    assert "Nothing has happened" not in report
    assert "Signs: " in report
    alice = club.last(ALICE, "report")
    plays(club, ALICE, alice)
    report = club.last(CAROL, "report").flat
    assert "Since your last mail" in report
    assert "Signs: " not in report
