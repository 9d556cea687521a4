"""Who watches, whose reports are gathered, and what a player notes for himself."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from support.club import Club, Mail, letter
from support.smtpd import SmtpServer

from referee.desk.mails.delivery import Sending
from referee.desk.plans.apply import apply_act
from referee.desk.plans.seat import HandOver
from referee.desk.service import chores
from referee.mail.transport.postman import Postman
from referee.mail.transport.servers import Timing
from referee.store.people import players
from referee.store.play import watchers
from referee.store.post import outbox

ALICE, BOB, CAROL = "alice@example.test", "bob@example.test", "carol@example.test"
SEATS = (f"red={ALICE}", f"blue={BOB}")


def add(club: Club, address: str) -> None:
    """Make a player of an address."""
    with club.desk.store.writing() as connection:
        players.insert_player(
            connection, name=address.partition("@")[0], language="en", zone="UTC", address=address,
            now=club.desk.now(),
        )  # fmt: skip


def begun(club: Club) -> str:
    """Begin a match and let its first reports out."""
    name = club.new_match("pebbles", *SEATS).name
    club.work()
    return name


def plays(club: Club, who: str, report: Mail) -> None:
    """Play the first stone a report offers."""
    line = next(each for each in report.turn_file["legal"] if each.startswith("put"))
    club.answer(report, line, who)
    club.work()


def watches(club: Club, name: str, who: str = CAROL) -> None:
    """Let a player watch a match: he asks, and answers the question."""
    club.put(letter(who, f"watch {name}", number=club.uid))
    club.answer(club.last(who, "answer"), "yes", who)


def told(club: Club, who: str) -> str:
    """Return what somebody was answered last, on one line."""
    return " ".join(club.last(who, "answer").text.split())


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
    assert "Blue (bob) is to act" in report.text
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
        assert f"referee record verify {name}.record.jsonl" in mail.text
    names = [part.get_filename() for part in report.message.iter_attachments()]
    assert names == [f"{name}.record.jsonl"]


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


def digest(club: Club, who: str, *, on: bool = True) -> None:
    """Let a player want his reports gathered, or no more."""
    with club.desk.store.writing() as connection:
        player = players.by_address(connection, who)
        assert player is not None
        players.update_player(connection, player.id, digest="daily" if on else "off")


def test_reports_are_gathered_while_one_has_nothing_to_do(club: Club) -> None:
    """One mail at six in the morning tells of all matches; what is his turn comes at once."""
    begun(club)
    begun(club)
    alices = [each for each in club.mails(ALICE) if each.kind == "report"]
    bobs = [each for each in club.mails(BOB) if each.kind == "report"]
    assert (len(alices), len(bobs)) == (2, 2)
    digest(club, ALICE)
    for report in alices:
        plays(club, ALICE, report)
    assert [each.kind for each in club.mails(ALICE)] == ["receipt", "receipt"]
    assert len([each for each in club.mails(BOB) if each.kind == "report"]) == 2
    club.clock[0] = datetime(2026, 11, 22, 5, 59, tzinfo=UTC)
    chores.do_chores(club.desk)
    club.clock[0] += timedelta(minutes=2)
    chores.do_chores(club.desk)
    (mail,) = club.mails(ALICE)
    assert "[pebbles-1] Pebbles: red" in mail.text
    assert "[pebbles-2] Pebbles: red" in mail.text
    assert mail.text.count("Blue (bob) is to act") == 2
    assert mail.text.count("Head of the log") == 2
    club.later(days=1)
    chores.do_chores(club.desk)
    assert club.mails(ALICE) == []


def next_morning(club: Club) -> None:
    """Let the digests of the next day be written."""
    club.later(days=1)
    chores.do_chores(club.desk)


def sent(club: Club, server: SmtpServer) -> list[str]:
    """Send what is due, as the daemon does; return the texts alice got."""
    before = len(server.to(ALICE))

    async def send() -> None:
        sending = Sending(club.desk, Postman(server.server(), Timing(answer=5)))
        await sending.send_due()
        await sending.postman.close()

    asyncio.run(send())
    return [Mail(0, "report", each.raw).text for each in server.to(ALICE)[before:]]


def test_what_a_digest_that_failed_told_stands_in_the_next(
    club: Club, smtp_server: SmtpServer
) -> None:
    """Of seats and of what is watched; once a digest has left, nothing is told twice."""
    watched = club.new_match("pebbles", f"red={CAROL}", f"blue={BOB}").name
    name = begun(club)
    report = club.last(ALICE, "report")
    watches(club, watched, ALICE)
    digest(club, ALICE)
    plays(club, ALICE, report)
    plays(club, CAROL, club.last(CAROL, "report"))
    club.mails(ALICE)
    smtp_server.mode = "failed after dot"
    next_morning(club)
    assert sent(club, smtp_server) == []
    smtp_server.mode = "ok"
    next_morning(club)
    (text,) = sent(club, smtp_server)
    assert f"[{name}] Pebbles: red" in text
    assert f"[{watched}] Pebbles" in text
    assert text.count("Red put a pebble of weight 1 on A1") == 2
    next_morning(club)
    assert sent(club, smtp_server) == []


def test_what_a_digest_that_failed_told_stands_in_the_report_after_it(
    club: Club, smtp_server: SmtpServer
) -> None:
    """A report that was written before it failed is not written twice."""
    begun(club)
    report = club.last(ALICE, "report")
    digest(club, ALICE)
    plays(club, ALICE, report)
    club.mails(ALICE)
    bobs = club.last(BOB, "report")
    next_morning(club)
    plays(club, BOB, bobs)
    smtp_server.modes = ["failed after dot"]
    (own,) = sent(club, smtp_server)
    assert "on A1" not in own
    assert club.work() == 0
    plays(club, ALICE, club.last(ALICE, "report"))
    club.mails(ALICE)
    plays(club, BOB, club.last(BOB, "report"))
    (own,) = sent(club, smtp_server)
    assert "Red put a pebble of weight 1 on A1" in own


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
    assert "Red put a pebble of weight 1 on A1" in text
    plays(club, CAROL, club.last(CAROL, "report"))
    (text,) = sent(club, smtp_server)
    assert "weight 1 on A1" not in text


def test_a_report_of_ones_turn_tells_what_no_digest_told(club: Club) -> None:
    """Nothing is lost between the last report and the next."""
    begun(club)
    plays(club, ALICE, club.last(ALICE, "report"))
    digest(club, ALICE)
    plays(club, BOB, club.last(BOB, "report"))
    report = club.last(ALICE, "report")
    assert "It is your turn" in report.text
    plays(club, ALICE, report)
    digest(club, ALICE, on=False)
    club.mails(ALICE)
    plays(club, BOB, club.last(BOB, "report"))
    assert "It is your turn" in club.last(ALICE, "report").text


def test_a_note_is_ones_own(club: Club) -> None:
    """It stands in every report to its writer until he clears it, and in nobody else's."""
    begun(club)
    report = club.last(ALICE, "report")
    club.answer(report, "note bob likes the west", ALICE)
    assert "You alone see it" in told(club, ALICE)
    plays(club, ALICE, report)
    assert "bob likes the west" in club.last(ALICE, "report").text
    mail = club.last(BOB, "report")
    assert "west" not in mail.raw.decode()
    plays(club, BOB, mail)
    club.answer(club.last(ALICE, "report"), "note clear", ALICE)
    assert "are gone" in told(club, ALICE)
    mail = club.last(BOB)
    plays(club, ALICE, report)
    assert all("likes" not in each.text for each in club.mails(ALICE) if each.kind == "report")


def test_withdraw_takes_back_what_waits_to_be_played(club: Club) -> None:
    """Queues go; without any there is nothing to take back."""
    begun(club)
    report = club.last(BOB, "report")
    club.answer(report, "queue pass", BOB)
    club.mails(BOB)
    club.answer(report, "withdraw", BOB)
    assert "taken back" in club.last(BOB, "receipt").text
    club.answer(report, "zurückziehen", BOB)
    assert "nothing like that to take back" in club.last(BOB, "receipt").text


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
