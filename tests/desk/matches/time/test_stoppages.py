"""A letter that lies with the organiser stops its writer's clock until something comes of it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from support.club import ALICE, BOB, CAROL, NOON, REFEREE, Club, letter
from support.mending import an_order

from referee.desk.letters import queue, steps
from referee.desk.overview.match import Begun, look_at_match
from referee.desk.plans import post
from referee.desk.plans.board import Acting
from referee.desk.plans.match import Pause, Resume
from referee.desk.plans.person import merge_players
from referee.desk.plans.plan import apply_act
from referee.desk.plans.seat import HandOver
from referee.desk.players import add_player
from referee.games.game import AnyGame
from referee.store.people import players
from referee.store.post import letters, outbox
from referee.value import replace

pytestmark = pytest.mark.fast

WEEK = timedelta(days=7)


@pytest.fixture
def stumbled(club: Club) -> Club:
    """Return a club in which a letter of alice, who is to act, lies in quarantine for an hour."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    report = club.last(ALICE, "report")
    club.later(days=1)
    raw = letter(ALICE, "pass", answers=report.message["Message-ID"], number=7)
    with club.desk.store.writing() as connection:
        letters.keep_letter(
            connection, folder="INBOX", uidvalidity=9, uid=1, arrived=club.desk.now(),
            size=len(raw), truncated=False, raw=raw, mailbox=REFEREE, now=club.desk.now(),
        )  # fmt: skip

    def lost(name: str, edition: int | None) -> AnyGame:
        raise RuntimeError(f"no {name} {edition}")

    broken = replace(club.desk, find_game=lost)
    queue.handle_waiting(broken)
    club.later(hours=1)
    return club


def answering(club: Club, sender: str) -> bytes:
    """Return a letter that answers the last mail to alice."""
    with club.desk.store.reading() as connection:
        told = outbox.last_to(connection, ALICE)
    assert told is not None
    return letter(sender, "help", answers=told.message_id, number=8)


def test_the_clock_stands_while_the_letter_lies_aside(stumbled: Club) -> None:
    """A day was used before it came; nothing since."""
    assert stumbled.match("pebbles-1").due is None
    with stumbled.desk.store.reading() as connection:
        (row,) = letters.latest_letters(connection, "quarantined", 9)
    assert row.sender == ALICE


def test_an_organiser_is_shown_why_a_clock_stands(stumbled: Club) -> None:
    """By `match show`, every reason in words; the clock of an earlier turn does not stand."""

    def shown(turn: int | None = None) -> tuple[list[str], str]:
        with stumbled.desk.reading() as change:
            look = look_at_match(change, "pebbles-1", None, turn)
            assert isinstance(look, Begun)
            return look.document()["stands"], "\n".join(look.lines())

    stops, lines = shown()
    assert stops == ["aside"]
    assert "the clock of red stands: a letter of theirs lies in quarantine" in lines
    apply_act(stumbled.desk, Pause("pebbles-1"), "rain")
    stops, lines = shown()
    assert stops == ["aside", "paused"]
    assert lines.count("stands: ") == 1
    assert ", and the match is paused" in lines
    apply_act(stumbled.desk, Resume("pebbles-1"), "sun")
    apply_act(stumbled.desk, Acting("pebbles-1", "red", [an_order(stumbled)]), "what she wrote")
    stumbled.work()
    stumbled.answer(stumbled.last(BOB, "report"), "pass", BOB)
    assert shown()[0] == ["aside", "untold"]
    stumbled.put(answering(stumbled, ALICE))
    for stops, lines in (shown(), shown(1)):
        assert stops == []
        assert "stands" not in lines


def test_who_gets_the_seat_has_a_clock_that_runs(stumbled: Club) -> None:
    """It stood for what its holder wrote; back with him, it stands again."""
    apply_act(stumbled.desk, HandOver("pebbles-1", "red", CAROL), "moving house")
    stumbled.mails(CAROL)
    assert stumbled.match("pebbles-1").due == NOON + WEEK + timedelta(hours=1)
    apply_act(stumbled.desk, HandOver("pebbles-1", "red", ALICE), "back again")
    stumbled.mails(ALICE)
    assert stumbled.match("pebbles-1").due is None


def test_a_turn_that_begins_later_stands_too(stumbled: Club) -> None:
    """Whoever ends the present one, their letter still lies with the organiser."""
    apply_act(stumbled.desk, Acting("pebbles-1", "red", [an_order(stumbled)]), "what she wrote")
    stumbled.work()
    stumbled.answer(stumbled.last(BOB, "report"), "pass", BOB)
    stumbled.work()
    stumbled.mails(ALICE)
    row = stumbled.match("pebbles-1")
    assert (row.to_act, row.due) == ("red", None)
    stumbled.put(answering(stumbled, ALICE))
    assert stumbled.match("pebbles-1").due == stumbled.desk.now() + WEEK


def test_a_letter_aside_follows_its_player_when_two_become_one(stumbled: Club) -> None:
    """Any answer of theirs lets the clock go on, as before."""
    with stumbled.desk.writing() as change:
        carol = add_player(change, CAROL, name=None, language="en", zone="UTC", format="text")
        alice = players.by_address(change.connection, ALICE)
        assert alice is not None
        merge_players(change, alice, carol)
    stumbled.put(answering(stumbled, CAROL))
    assert stumbled.match("pebbles-1").due == NOON + WEEK + timedelta(hours=1)


def test_another_letter_of_his_lets_it_go_on(stumbled: Club) -> None:
    """He has been told, and answers."""
    stumbled.put(answering(stumbled, ALICE))
    assert stumbled.match("pebbles-1").due == NOON + WEEK + timedelta(hours=1)


def test_a_letter_that_proves_no_sender_lets_it_stand(stumbled: Club) -> None:
    """Anybody who knows his address could have written it."""
    stumbled.put(letter(ALICE, "help", number=8))
    assert stumbled.match("pebbles-1").due is None


def test_a_letter_aside_that_proves_no_sender_stops_no_clock(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor will its being handled start one; it could order nothing."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    raw = letter(ALICE, "help", number=7)
    with club.desk.store.writing() as connection:
        letters.keep_letter(
            connection, folder="INBOX", uidvalidity=9, uid=1, arrived=club.desk.now(),
            size=len(raw), truncated=False, raw=raw, mailbox=REFEREE, now=club.desk.now(),
        )  # fmt: skip
    monkeypatch.setattr(steps, "act_on_places", lambda *_: 1 / 0)
    queue.handle_waiting(club.desk)
    with club.desk.store.reading() as connection:
        assert letters.latest_letters(connection, "quarantined", 9)
    assert club.match("pebbles-1").due == NOON + WEEK


def test_a_dropped_letter_lets_it_go_on(stumbled: Club) -> None:
    """Nothing will come of it any more."""
    with stumbled.desk.writing() as change:
        (row,) = letters.latest_letters(change.connection, "quarantined", 9)
        post.drop_letter(change, row.id)
    assert stumbled.match("pebbles-1").due == NOON + WEEK + timedelta(hours=1)


def test_a_letter_tried_again_is_played_and_ends_it(stumbled: Club) -> None:
    """As if it came now: its orders count."""
    with stumbled.desk.store.writing() as connection:
        (row,) = letters.latest_letters(connection, "quarantined", 9)
        post.retry_letter(connection, row.id)
    queue.handle_waiting(stumbled.desk)
    assert stumbled.match("pebbles-1").to_act == "blue"
