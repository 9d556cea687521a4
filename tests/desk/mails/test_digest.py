"""The digest: one mail a day while one has nothing to do, and what it told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from support.club import Club
from support.smtpd import SmtpServer
from support.watching import ALICE, BOB, CAROL, begun, plays, sent, watches

from referee.desk.service import chores
from referee.store.people import players


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
    text = " ".join(mail.text.split())
    assert "[pebbles-1] Pebbles with bob" in text
    assert "[pebbles-2] Pebbles with bob" in text
    assert text.count("Blue (bob) is to act") == 2
    assert mail.text.count("Head of the log") == 2
    club.later(days=1)
    chores.do_chores(club.desk)
    assert club.mails(ALICE) == []


def next_morning(club: Club) -> None:
    """Let the digests of the next day be written."""
    club.later(days=1)
    chores.do_chores(club.desk)


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
    assert f"[{name}] Pebbles with bob" in text
    assert f"[{watched}] Pebbles: carol and bob" in text
    assert text.count("You put a pebble of weight 1 on A1") == 1
    assert text.count("Red (carol) put a pebble of weight 1 on A1") == 1
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
    assert "You put a pebble of weight 1 on A1" in own


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
