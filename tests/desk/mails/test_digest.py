"""The digest: one mail a day while one has nothing to do, and what it told."""

from __future__ import annotations

import dataclasses
import json
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, text
from support.club import ALICE, BOB, CAROL, SEATS, Club, Mail, letter
from support.postgresql import PostgreSQL
from support.smtpd import SmtpServer
from support.watching import begun, plays, sent, watches

from referee.desk import health
from referee.desk.desk import Change
from referee.desk.letters.commands import votes
from referee.desk.mails import report as mails_report
from referee.desk.mails import settings
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.plans import person
from referee.desk.plans.board import Undo
from referee.desk.plans.match import End
from referee.desk.plans.plan import apply_act
from referee.desk.plans.seat import HandOver
from referee.desk.service import chores
from referee.games import registry
from referee.render.links import MOST_LINKS
from referee.render.reports import Report
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import outbox
from referee.store.store import create_store, open_store
from referee.store.tables.play import MatchRow
from referee.value import replace

NORD = tuple(f"{seat}={who}" for seat, who in zip(("red", "green"), (ALICE, BOB), strict=True))


def digest(club: Club, who: str, *, on: bool = True) -> None:
    """Let a player want his reports gathered, or no more."""
    with club.desk.store.writing() as connection:
        player = players.by_address(connection, who)
        assert player is not None
        players.update_player(connection, player.id, mails="few" if on else "all")


@pytest.mark.fast
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
    words = mail.flat
    for name in ("pebbles-1", "pebbles-2"):
        assert f"[{name}] Pebbles with bob · Blue (bob) is to act, until Sat 28 Nov" in words
    assert words.count("pebble of weight 1 on A1") == 2
    assert "===" not in words
    club.later(days=1)
    chores.do_chores(club.desk)
    assert club.mails(ALICE) == []


def test_a_chore_that_fails_holds_up_no_digest(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its fault is told when the others are done, and again as long as it fails."""
    begun(club)
    (report,) = (mail for mail in club.mails(ALICE) if mail.kind == "report")
    digest(club, ALICE)
    plays(club, ALICE, report)
    club.mails(ALICE)

    def fails(_: Change) -> None:
        raise LookupError("lapse")

    monkeypatch.setattr(votes, "has_lapsing_question", lambda _: True)
    monkeypatch.setattr(votes, "lapse_questions", fails)
    club.clock[0] = datetime(2026, 11, 22, 6, 1, tzinfo=UTC)
    for _ in range(2):
        with pytest.raises(LookupError, match="lapse"):
            chores.do_chores(club.desk)
    assert len(club.mails(ALICE)) == 1


def test_a_digest_of_the_rest_says_nothing_of_own_turns(club: Club) -> None:
    """Whose turns come at once may well be to act somewhere."""
    begun(club)
    begun(club)
    one, _ = [each for each in club.mails(ALICE) if each.kind == "report"]
    digest(club, ALICE)
    plays(club, ALICE, one)
    club.mails(ALICE)
    next_morning(club)
    words = club.last(ALICE, "report").flat
    assert "Your own turns are mailed to you at once." in words
    assert "not your turn" not in words


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
    assert f"[{watched}] Pebbles" in text
    assert " ".join(text.split()).count("pebble of weight 1 on A1") == 2
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
    assert "pebble of weight 1 on A1" in own
    assert club.work() == 0
    plays(club, ALICE, club.last(ALICE, "report"))
    club.mails(ALICE)
    plays(club, BOB, club.last(BOB, "report"))
    (own,) = sent(club, smtp_server)
    assert "on A1" not in own.partition("Order")[0].partition("1  2")[0]


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


def plays_from(club: Club, language: str = "en") -> tuple[list[str], Mail]:
    """Begin three matches, two with Alice's turn; return their names and her digest at six pm."""
    wants(club, digest="daily", digest_at="18:00", language=language)
    names = [begun(club), begun(club)]
    waiting = club.new_match("pebbles", f"red={BOB}", f"blue={ALICE}").name
    club.work()
    club.answer(club.last(BOB, "report"), "message all: good luck", BOB)
    assert {each.kind for each in club.mails(ALICE)} == {"invitation"}
    club.clock[0] = datetime(2026, 11, 21, 17, 59, tzinfo=UTC)
    chores.do_chores(club.desk)
    assert club.mails(ALICE) == []
    club.later(minutes=1)
    chores.do_chores(club.desk)
    (mail,) = club.mails(ALICE)
    return [*names, waiting], mail


def wants(club: Club, **settings: str) -> None:
    """Let Alice have settings before her first match."""
    with club.desk.store.writing() as connection:
        number = players.insert_player(
            connection, name="alice", language="en", zone="UTC", address=ALICE, now=club.clock[0]
        )
        players.update_player(connection, number, **settings)


def filled(mail: Mail, orders: dict[str, str]) -> str:
    """Return the boxes of a digest with orders in them, as they come back."""
    boxes = re.findall(r"^=== (\S+) · .*?=== \w+ ===$", mail.text, re.MULTILINE | re.DOTALL)
    found = re.findall(r"^=== \S+ · [^\n]*$", mail.text, re.MULTILINE)
    lines = dict(zip(boxes, found, strict=True))
    return "\n".join(f"{lines[name]}\n{order}\n=== end ===" for name, order in orders.items())


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_digest_is_one_mail_to_play_from(club: Club, language: str) -> None:
    """Own turns with board and box first, messages, and the others; the twin says the same."""
    (one, two, waiting), mail = plays_from(club, language)
    text = mail.text
    places = [text.index(each) for each in (f"[{one}]", f"[{two}]", "good luck", f"[{waiting}]")]
    assert places == sorted(places)
    assert len(re.findall(r"^  1 ", text, re.MULTILINE)) == 2
    assert [text.count(f"=== {each} ·") for each in (one, two, waiting)] == [1, 1, 1]
    for each in ("good luck", f"[{waiting}]", f"=== {two} ·"):
        assert each in mail.html


def test_one_answer_plays_in_several_matches(club: Club) -> None:
    """Each stands or falls alone, and one receipt tells of all, with a box where it goes on."""
    (one, two, _), mail = plays_from(club)
    text = filled(mail, {one: "put 1 A1", two: "put 9 Z9"})
    club.put(letter(ALICE, text, answers=mail.message["Message-ID"]))
    assert [club.match(each).to_act for each in (one, two)] == ["blue", "red"]
    (receipt,) = club.mails(ALICE)
    assert receipt.kind == "receipt"
    words = receipt.flat
    assert "above the quoted text" not in words
    assert words.index(f"[{one}]") < words.index("accepted") < words.index(f"[{two}]")
    assert f"=== {two} ·" in receipt.text
    assert f"=== {one} ·" not in receipt.text
    club.answer(receipt, filled(receipt, {two: "put 1 A1"}), ALICE)
    assert club.match(two).to_act == "blue"


def test_a_digest_answered_a_day_later_gets_what_an_old_code_gets(club: Club) -> None:
    """In the match that went on; the other counts."""
    (one, two, _), mail = plays_from(club)
    club.put(letter(ALICE, filled(mail, {one: "put 1 A1"}), answers=mail.message["Message-ID"]))
    club.work()
    plays(club, BOB, club.last(BOB, "report"))
    club.mails(ALICE)
    club.later(days=1)
    club.answer(mail, filled(mail, {one: "put 1 A2", two: "put 1 A1"}), ALICE)
    assert club.match(two).to_act == "blue"
    assert club.match(one).to_act == "red"
    (receipt,) = club.mails(ALICE)
    assert "turn 1" in receipt.text
    assert "accepted" in receipt.text


def test_orders_outside_of_the_boxes_are_asked_about(club: Club) -> None:
    """With two turns in the digest nobody knows which is meant; with one it is that."""
    (one, two, _), mail = plays_from(club)
    outside = "above the quoted text"
    assert outside not in mail.flat
    club.answer(mail, "put 1 A1", ALICE)
    assert [club.match(each).to_act for each in (one, two)] == ["red", "red"]
    assert "into the box" in club.last(ALICE).flat
    club.answer(mail, "set quiet 22-7", ALICE)
    assert "22:00 and 07:00" in club.last(ALICE).flat
    club.answer(mail, filled(mail, {one: "put 1 A1"}), ALICE)
    club.work()
    club.mails(ALICE)
    club.later(days=1)
    chores.do_chores(club.desk)
    mail = club.last(ALICE, "report")
    assert "Reminder: it is still your turn" in mail.text
    assert outside in mail.flat
    club.answer(mail, "put 1 A1", ALICE)
    assert club.match(two).to_act == "blue"


def test_a_turn_whose_time_is_short_comes_at_once(club: Club) -> None:
    """And its clock starts with its mail; in other turns it runs while the digest waits."""
    wants(club, digest="daily", digest_at="18:00")
    short = club.new_match("pebbles", *SEATS, per_turn=timedelta(hours=10)).name
    long = begun(club)
    (report,) = [each for each in club.mails(ALICE) if each.kind == "report"]
    assert f"[{short}]" in report.message["Subject"]
    assert club.match(long).due == club.clock[0] + timedelta(days=7)
    club.later(hours=6)
    chores.do_chores(club.desk)
    club.mails(ALICE)
    assert club.match(long).due == club.clock[0] + timedelta(days=7, hours=-6)


def test_a_message_stands_in_one_digest_that_left(club: Club, smtp_server: SmtpServer) -> None:
    """Not in the next; but in that if the first came back."""
    plays_from_names = begun(club)
    digest_daily(club)
    club.mails(ALICE)
    club.put(letter(BOB, "message all: good luck", answers=id_of_last(club, BOB)))
    smtp_server.mode = "failed after dot"
    next_morning(club)
    assert sent(club, smtp_server) == []
    smtp_server.mode = "ok"
    next_morning(club)
    (text,) = sent(club, smtp_server)
    assert "good luck" in text
    assert plays_from_names in text
    next_morning(club)
    (text,) = sent(club, smtp_server)
    assert "good luck" not in text


def test_who_ends_the_digest_gets_what_has_waited(club: Club) -> None:
    """At once, with the box to play from."""
    _, mail = plays_from(club)
    third = begun(club)
    assert {each.kind for each in club.mails(ALICE)} == {"invitation"}
    club.answer(mail, "set digest off", ALICE)
    kinds = {each.kind: each for each in club.mails(ALICE)}
    assert set(kinds) == {"report", "answer"}
    assert f"=== {third} ·" in kinds["report"].text
    for value in ("daily 18:00", "off"):
        club.answer(mail, f"set digest {value}", ALICE)
        assert [each.kind for each in club.mails(ALICE)] == ["answer"]


def digest_daily(club: Club) -> None:
    """Let Alice want one mail a day."""
    with club.desk.store.writing() as connection:
        player = players.by_address(connection, ALICE)
        assert player is not None
        players.update_player(connection, player.id, digest="daily")


def id_of_last(club: Club, who: str) -> str:
    """Return the Message-ID of somebody's last report."""
    return str(club.last(who, "report").message["Message-ID"])


def writes(club: Club, name: str, text: str) -> None:
    """Let Alice, who is red, write to blue."""
    code = club.code(name, "red")
    box = f"=== {name} · turn 1 · red · {code} ===\nmessage blue\n{text}\nend\n=== end ==="
    club.put(letter(ALICE, box, number=club.uid))


def setting(club: Club, what: str, value: str, who: str = BOB) -> None:
    """Let the organiser change a setting of a player."""
    with club.desk.writing() as change:
        player = players.by_address(change.connection, who)
        assert player is not None
        settings.change_player(change, player, what, value)


def test_a_waiting_message_follows_its_reader(club: Club) -> None:
    """Whoever takes over the seat does not read it; whoever held it does, without a box."""
    name = begun(club)
    club.new_match("pebbles", f"red={ALICE}", f"blue={CAROL}")
    club.work()
    for who in (BOB, CAROL):
        setting(club, "digest", "daily", who)
        club.mails(who)
    writes(club, "pebbles-2", "hello Carol")
    writes(club, name, "for Bob alone")
    apply_act(club.desk, HandOver(name, "blue", address=CAROL), "Bob has left")
    club.work()
    club.later(days=1)
    chores.do_chores(club.desk)
    (carols,) = [each for each in club.mails(CAROL) if "hello Carol" in each.text]
    assert "for Bob alone" not in carols.text
    (bobs,) = [each for each in club.mails(BOB) if "for Bob alone" in each.text]
    assert f"=== {name} ·" not in bobs.text


def test_a_waiting_message_names_who_wrote_it(club: Club) -> None:
    """The seat it came from has another player by the time the digest tells it."""
    name = begun(club)
    setting(club, "digest", "daily")
    club.mails(BOB)
    writes(club, name, "from Alice")
    apply_act(club.desk, HandOver(name, "red", address=CAROL), "Alice has left")
    next_morning(club)
    (told,) = [each.text for each in club.mails(BOB) if "from Alice" in each.text]
    assert f"alice (red) writes to you in {name}:" in told


def test_a_message_mailed_at_once_is_in_no_later_digest(club: Club) -> None:
    """Neither is one that the digest told before it went off."""
    name = begun(club)
    setting(club, "digest", "daily")
    club.mails(BOB)
    writes(club, name, "the first")
    next_morning(club)
    assert "the first" in club.last(BOB, "report").text
    setting(club, "digest", "off")
    writes(club, name, "the second")
    assert "the second" in club.last(BOB, "notice").text
    setting(club, "digest", "daily")
    writes(club, name, "the third")
    next_morning(club)
    (mail,) = club.mails(BOB)
    assert "the third" in mail.text
    assert "the first" not in mail.text
    assert "the second" not in mail.text


def test_a_message_of_a_broken_match_waits_until_it_is_mended(club: Club) -> None:
    """The others stand in the digest meanwhile."""
    one, two = begun(club), begun(club)
    setting(club, "digest", "daily")
    club.mails(BOB)
    writes(club, one, "from the first")
    writes(club, two, "from the second")
    texts = ("from the second", "from the first")
    for edition, (told, kept) in ((99, texts), (1, texts[::-1])):
        with club.desk.store.writing() as connection:
            matches.change_match(connection, club.match(one).id, edition=edition)
        next_morning(club)
        text = club.last(BOB, "report").text
        assert told in text
        assert kept not in text


def at(club: Club, day: int, hour: int, minute: int = 0) -> None:
    """Let it be a time of a day of November, with everything done that is due."""
    club.clock[0] = datetime(2026, 11, day, hour, minute, tzinfo=UTC)
    health.note_poll(club.desk, club.desk.now())
    chores.do_chores(club.desk)
    club.work()


def waiting_turn(club: Club, **terms: Any) -> tuple[Mail, Mail]:
    """Begin a match at five; return Alice's report, and one of Bob's to answer."""
    at(club, 22, 5)
    club.new_match("pebbles", *SEATS, reminders=(), leeway=timedelta(0), **terms)
    club.work()
    return club.last(ALICE, "report"), club.last(BOB, "report")


def kinds(club: Club, who: str = BOB) -> list[str]:
    """Take the mails to a player and return their kinds."""
    return [each.kind for each in club.mails(who)]


def test_the_organiser_ends_a_digest_as_its_reader_does(club: Club) -> None:
    """Turn and message that waited come at once."""
    alices, _ = waiting_turn(club)
    setting(club, "digest", "daily 18:00")
    at(club, 22, 8)
    club.answer(alices, "message all: good luck\npass", ALICE)
    club.work()
    assert kinds(club) == []
    setting(club, "digest", "off")
    (mail,) = club.mails(BOB)
    assert "good luck" in mail.text
    assert "=== pebbles-1 ·" in mail.text


def test_what_waits_for_somebody_merged_comes_at_once(club: Club) -> None:
    """The one who remains may have no digest."""
    alices, _ = waiting_turn(club)
    club.new_match("pebbles", f"red={ALICE}", f"blue={CAROL}")
    club.work()
    setting(club, "digest", "daily 18:00")
    club.mails(BOB)
    club.answer(alices, "message all: good luck\npass", ALICE)
    club.work()
    with club.desk.writing() as change:
        old, into = (players.by_address(change.connection, each) for each in (BOB, CAROL))
        assert old is not None
        assert into is not None
        person.merge_players(change, old, into)
    club.work()
    (mail,) = club.mails(BOB)
    assert "good luck" in mail.text
    assert "=== pebbles-1 ·" in mail.text


def test_a_second_digest_comes_at_a_later_hour_set_for_today(club: Club) -> None:
    """A turn that waits for it stands in it."""
    alices, bobs = waiting_turn(club, per_turn=timedelta(hours=30))
    setting(club, "digest", "daily 06:00")
    at(club, 22, 6, 1)
    club.mails(BOB)
    at(club, 22, 10)
    club.answer(bobs, "set digest daily 18:00", BOB)
    club.mails(BOB)
    at(club, 22, 12)
    club.answer(alices, "pass", ALICE)
    club.work()
    assert kinds(club) == []
    at(club, 22, 18, 1)
    assert kinds(club) == ["report"]


@pytest.mark.parametrize(
    ("what", "value"),
    [("digest", "daily 06:00"), ("zone", "America/New_York"), ("quiet", "18:00-07:00")],
)
def test_a_turn_whose_digest_moves_too_far_comes_at_once(club: Club, what: str, value: str) -> None:
    """Another hour, zone or quiet hours would tell it when hardly any time is left."""
    alices, bobs = waiting_turn(club, per_turn=timedelta(hours=16))
    setting(club, "digest", "daily 18:00")
    at(club, 22, 10)
    club.answer(alices, "pass", ALICE)
    club.work()
    assert kinds(club) == []
    club.answer(bobs, f"set {what} {value}", BOB)
    club.work()
    assert sorted(kinds(club)) == ["answer", "report"]


def test_a_digest_in_quiet_hours_counts_from_their_end(club: Club) -> None:
    """A turn that ends before they do does not wait for it."""
    alices, _ = waiting_turn(club, per_turn=timedelta(hours=20))
    setting(club, "digest", "daily 22:30")
    setting(club, "quiet", "22:00-12:00")
    club.mails(BOB)
    at(club, 22, 13)
    club.answer(alices, "pass", ALICE)
    club.work()
    assert kinds(club) == ["report"]


def test_a_digest_that_tells_of_a_turn_taken_back_is_written_anew(club: Club) -> None:
    """It waited for the end of quiet hours; the next shows the position of now, once."""
    alices, bobs = waiting_turn(club)
    other = club.new_match("pebbles", *SEATS).name
    club.work()
    others = club.last(ALICE, "report")
    for what, value in (("digest", "daily 22:30"), ("quiet", "22:00-07:00")):
        setting(club, what, value)
    club.mails(BOB)
    club.answer(alices, "put 1 A1", ALICE)
    club.answer(others, "message all: good luck\npass", ALICE)
    club.work()
    at(club, 22, 22, 31)
    (stale,) = unsent(club)
    at(club, 23, 1)
    apply_act(club.desk, Undo("pebbles-1", revealed=True), "a slip")
    at(club, 23, 2)
    (anew,) = unsent(club)
    assert anew.id != stale.id
    text = anew.flat
    assert "good luck" in text
    assert f"=== {other} ·" in text
    assert "=== pebbles-1 ·" not in text
    assert "=== pebbles-1 ·" in stale.text
    at(club, 23, 7)
    club.mails(BOB)
    club.answer(bobs, "set quiet off", BOB)
    club.mails(BOB)
    at(club, 23, 22, 31)
    assert "good luck" not in club.last(BOB, "report").text


def test_a_digest_that_never_left_is_told_anew_to_who_wants_none(club: Club) -> None:
    """After an undo: by the report of the turn, and a mail with the messages."""
    alices, _ = waiting_turn(club)
    for what, value in (("digest", "daily 22:30"), ("quiet", "22:00-07:00")):
        setting(club, what, value)
    club.mails(BOB)
    club.answer(alices, "message all: good luck\nput 1 A1", ALICE)
    club.work()
    at(club, 22, 22, 31)
    (stale,) = unsent(club)
    assert "good luck" in stale.text
    with club.desk.store.writing() as connection:
        player = players.by_address(connection, BOB)
        assert player is not None
        players.update_player(connection, player.id, digest="off")
    apply_act(club.desk, Undo("pebbles-1", revealed=True), "a slip")
    at(club, 22, 22, 40)
    (anew,) = unsent(club)
    assert anew.id != stale.id
    assert "good luck" in anew.text
    club.answer(club.last(ALICE, "report"), "put 1 B1", ALICE)
    club.work()
    at(club, 23, 7)
    (report,) = [each for each in club.mails(BOB) if "It is your turn" in each.text]
    assert "weight 1 on B1" in report.text


def test_a_turn_in_a_digest_that_was_refused_is_reported(
    club: Club, smtp_server: SmtpServer
) -> None:
    """Where its reader has ended the digest meanwhile, at once and not at the next event."""
    begun(club)
    digest_daily(club)
    plays(club, ALICE, club.last(ALICE, "report"))
    plays(club, BOB, club.last(BOB, "report"))
    club.mails(ALICE)
    club.later(days=1)
    chores.do_chores(club.desk)
    with club.desk.store.writing() as connection:
        player = players.by_address(connection, ALICE)
        assert player is not None
        players.update_player(connection, player.id, digest="off")
    smtp_server.modes = ["failed after dot"]
    assert sent(club, smtp_server) == []
    club.work()
    (text,) = sent(club, smtp_server)
    assert "It is your turn" in text


@pytest.mark.fast
def test_each_turn_of_a_digest_has_its_page(club: Club) -> None:
    """Most urgent first; all buttons together stay few, and orders are buttons while they can."""
    wants(club, digest="daily", digest_at="18:00")
    for days in (9, 7, 8):
        club.new_match("nord", *NORD, per_turn=timedelta(days=days))
    club.work()
    club.mails(ALICE)
    club.later(hours=6)
    chores.do_chores(club.desk)
    (mail,) = club.mails(ALICE)
    names = [f"nord-{n}" for n in (2, 3, 1)]
    found = [part.get_filename() for part in mail.message.iter_attachments()]
    pages = [each for each in found if each and each.endswith(".html")]
    assert pages == [f"{name}.turn.html" for name in names]
    for name, page in zip(names, pages, strict=True):
        below = mail.text.partition(f"[{name}]")[2]
        assert page in below.partition("=== end")[0]
    links = re.findall(r'href="(mailto:[^"]+)"', mail.html)
    assert 20 < len(links) <= MOST_LINKS
    assert f"%3D%3D%3D%20{names[0]}" in links[0]
    assert {name for name in names if any(f"%20{name}%20" in each for each in links)} == {*names}


def unsent(club: Club) -> list[Mail]:
    """Return the reports to Bob that have not left."""
    with club.desk.reading() as change:
        rows = outbox.latest_mails(change.connection, "waiting")
        return [
            Mail(row.id, row.kind, outbox.raw_mail(change.connection, row.id))
            for row in rows
            if (row.kind, row.recipient, row.match_id) == ("report", BOB, None)
        ]


def test_a_digest_to_somebody_replaced_is_written_anew(club: Club) -> None:
    """It tells no more of the match whose seat was handed on."""
    alices, _ = waiting_turn(club)
    other = club.new_match("pebbles", f"red={BOB}", f"blue={CAROL}").name
    for what, value in (("digest", "daily 22:30"), ("quiet", "22:00-07:00")):
        setting(club, what, value)
    club.work()
    club.mails(BOB)
    club.answer(alices, "put 1 A1", ALICE)
    club.work()
    at(club, 22, 22, 31)
    (stale,) = unsent(club)
    assert "=== pebbles-1 ·" in stale.text
    apply_act(club.desk, HandOver("pebbles-1", "blue", address=CAROL), "Bob has left")
    at(club, 22, 22, 35)
    (anew,) = unsent(club)
    assert f"=== {other} ·" in anew.text
    assert "=== pebbles-1 ·" not in anew.text


def test_a_digest_locks_its_matches_in_the_order_of_their_names(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it reads how far its reader was told; those watched as well, those over not."""
    watched = club.new_match("pebbles", f"red={CAROL}", f"blue={BOB}").name
    name, over = begun(club), begun(club)
    watches(club, watched, ALICE)
    digest_daily(club)
    apply_act(club.desk, End(over), "enough")
    locked: list[list[str]] = []
    read: list[int] = []
    lock, report = matches.lock_matches, mails_report.report_of

    def locks(connection: Connection, names: Iterable[str]) -> tuple[MatchRow, ...]:
        assert not read
        locked.append(sorted(names))
        return lock(connection, locked[-1])

    def reports(change: Change, loaded: LoadedMatch, *others: Any, **more: Any) -> Report:
        read.append(loaded.row.id)
        return report(change, loaded, *others, **more)

    monkeypatch.setattr(matches, "lock_matches", locks)
    monkeypatch.setattr(mails_report, "report_of", reports)
    next_morning(club)
    assert locked == [sorted([name, watched])]
    assert read


@pytest.fixture
def shared(club: Club, postgresql: PostgreSQL) -> Iterator[Club]:
    """Yield a club on PostgreSQL, where several blocks write at once."""
    postgresql.run("DROP DATABASE IF EXISTS club WITH (FORCE)", "CREATE DATABASE club")
    url = postgresql.url("club")
    create_store(url)
    with open_store(url) as store:
        yield dataclasses.replace(club, desk=replace(club.desk, store=store))


def while_it_is_written(
    club: Club, act: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Do an act that has to wait for the digest that is just being written."""
    entered, let_go = threading.Event(), threading.Event()
    report = mails_report.report_of

    def reports(*given: Any, **more: Any) -> Report:
        entered.set()
        assert let_go.wait(60)
        return report(*given, **more)

    monkeypatch.setattr(mails_report, "report_of", reports)
    with ThreadPoolExecutor() as threads:
        try:
            writes = threads.submit(chores.do_chores, club.desk)
            assert entered.wait(60)
            acts = threads.submit(act)
            while not waiting_blocks(club):
                assert not acts.done(), "it did not wait"
                time.sleep(0.02)
        finally:
            let_go.set()
        assert writes.result(60)
        acts.result(60)
    monkeypatch.setattr(mails_report, "report_of", report)


def waiting_blocks(club: Club) -> int:
    """Return how many blocks wait for another one."""
    with club.desk.store.reading() as connection:
        count = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return int(connection.execute(count).scalar_one())


def evening(club: Club) -> str:
    """Begin a match whose turn waits for Bob's digest of now; return its name."""
    name = begun(club)
    for what, value in (("digest", "daily 22:30"), ("quiet", "22:00-07:00")):
        setting(club, what, value)
    club.mails(BOB)
    plays(club, ALICE, club.last(ALICE, "report"))
    club.clock[0] = datetime(2026, 11, 21, 22, 31, tzinfo=UTC)
    return name


def test_two_blocks_write_one_digest_on_postgresql(
    shared: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two chores that have both found it due; the later one waits, and finds it written."""
    evening(shared)
    while_it_is_written(shared, lambda: chores.do_chores(shared.desk), monkeypatch)
    (mail,) = unsent(shared)
    assert "=== pebbles-1 ·" in mail.text


def test_an_undo_withdraws_the_digest_written_meanwhile_on_postgresql(
    shared: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for that digest, and the next one tells what is true then."""
    name = evening(shared)

    def undo() -> None:
        apply_act(shared.desk, Undo(name, revealed=True), "a slip")

    while_it_is_written(shared, undo, monkeypatch)
    assert unsent(shared) == []
    chores.do_chores(shared.desk)
    (anew,) = unsent(shared)
    assert "It is not your turn anywhere" in anew.text


@pytest.mark.parametrize("game", ["nord", "origo"])
def test_a_digest_of_many_turns_is_not_cut_by_mail_programs(club: Club, game: str) -> None:
    """The first turns show their boards; the last say where theirs is, and can be played."""
    wants(club, digest="daily", digest_at="18:00")
    first, second, third = registry.find_installed(game).colours[:3]
    seats = (f"{first}={ALICE}", f"{second}={BOB}", f"{third}={CAROL}")
    names = [club.new_match(game, *seats, per_turn=timedelta(days=7 + n)).name for n in range(9)]
    club.work()
    club.mails(ALICE)
    club.later(hours=6)
    chores.do_chores(club.desk)
    (mail,) = club.mails(ALICE)
    assert len(mail.html.encode()) < 100_000
    told = []
    for twin in (mail.text, " ".join(mail.html.split())):
        turns = [twin.partition(f"[{name}]")[2].partition("=== end")[0] for name in names]
        assert all(f"=== {name} ·" in turn for name, turn in zip(names, turns, strict=True))
        told.append(["To keep this mail short" in turn for turn in turns])
        boards = ["Only you see this" in turn for turn in turns]
        assert boards == [not each for each in told[-1]]
        assert f"attached page {names[-1]}.turn.html" in " ".join(turns[-1].split())
    assert told[0] == told[1] == sorted(told[0])
    assert not told[0][1]
    file = {part.get_filename(): part for part in mail.message.iter_attachments()}
    turn = json.loads(file[f"{names[-1]}.turn.json"].get_payload(decode=True))
    before = club.match(names[-1]).seq
    club.answer(mail, filled(mail, {names[-1]: turn["legal"][0]}), ALICE)
    assert club.match(names[-1]).seq > before
