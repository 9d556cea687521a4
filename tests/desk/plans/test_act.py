"""What mending never does: show what is hidden, stop half-way, lose what was written."""

from __future__ import annotations

import json
from datetime import date, timedelta
from hashlib import sha256
from random import Random
from typing import ClassVar

import pytest
from support.club import ALICE, BOB, CAROL, Club
from support.mending import NAME, said, seated, settle
from support.storing import messages_of

from referee.desk.matches import ledger, reasons
from referee.desk.plans import plan as plans_plan
from referee.desk.plans.act import Act, OnMatch
from referee.desk.plans.board import Undo
from referee.desk.plans.match import End, Extend, Note, Pause, Remind, Resend
from referee.desk.plans.plan import apply_act
from referee.desk.plans.seat import HandOver, SitIn
from referee.desk.work import Work
from referee.games import registry
from referee.games.game import Document
from referee.games.play import canonical_json
from referee.store.play import matches
from referee.value import replace

HIDING = [each for each in registry.game_names() if each != "pebbles"]


def every_act(name: str, seat: str) -> list[OnMatch]:
    """Return one of each act on a match, for a seat."""
    return [
        Pause(name),
        Extend(name, 86_400),
        Remind(name),
        Resend(name),
        Note(name, "hello"),
        HandOver(name, seat, CAROL),
        SitIn(name, seat, date(2026, 11, 21), date(2026, 11, 22), CAROL),
        End(name),
    ]


@pytest.mark.parametrize("game", HIDING)
def test_a_plan_shows_nothing_hidden(club: Club, game: str) -> None:
    """With everything dealt anew that spectators cannot see, each plan says the very same."""
    found = registry.find_installed(game)
    count = found.seats[0]
    seats = found.colours[:count]
    holders = [ALICE, BOB, *["bot:random"] * count]
    row = club.new_match(game, *(f"{s}={h}" for s, h in zip(seats, holders, strict=False)))
    club.work()
    row = club.match(row.name)
    assert row.to_act is not None
    acts = every_act(row.name, row.to_act)
    shown = [plan(club, each) for each in acts]
    with club.desk.writing() as change:
        live = ledger.load_match(change, row).live
        hidden = live.game.redeal(live.position, None, Random(7))
        assert live.game.dump(hidden) != live.game.dump(live.position)
        text = canonical_json(live.game.dump(hidden))
        matches.save_snapshot(change.connection, row.id, row.seq, text)
    assert [plan(club, each) for each in acts] == shown


def plan(club: Club, act: Act) -> Document:
    """Return what a plan of an act shows, but for its number."""
    return replace(plans_plan.propose(club.desk, act, "because"), id=0).document()


class Failing(OnMatch):
    """An act that fails when all of it has been done but one last thing."""

    name: ClassVar[str] = "failing"
    act: OnMatch

    def carry_out(self, work: Work) -> None:
        self.act.carry_out(work)
        raise MemoryError


@pytest.mark.parametrize("act", every_act(NAME, "red"), ids=lambda act: act.name)
def test_what_fails_half_way_leaves_nothing(club: Club, act: OnMatch) -> None:
    """Neither events nor mails nor texts nor a plan: all or none."""
    seated(club)
    before = club.match(NAME)
    for deed in (apply_act, plans_plan.propose):
        with pytest.raises(MemoryError):
            deed(club.desk, Failing(act.match, act), "because")
    assert club.match(NAME) == before
    assert club.mails(ALICE) + club.mails(BOB) + club.mails(CAROL) == []
    with club.desk.reading() as change:
        assert matches.events(change.connection, before.id, after=before.seq) == ()
        assert messages_of(change.connection, before.id) == ()
        assert plans_plan.listed_plans(change) == []


def test_reasons_are_kept_by_hash(club: Club) -> None:
    """The hash in the log is that of the text beside it, and says nothing once that is erased."""
    seated(club)
    apply_act(club.desk, Pause(NAME), "rain on the roof")
    with club.desk.store.reading() as connection:
        row = club.match(NAME)
        event = matches.latest_event(connection, row.id, "pause")
        assert event is not None
        why = json.loads(event.body)["details"]["why"]
        (kept,) = messages_of(connection, row.id)
        assert reasons.find_text(connection, row, why) == "rain on the roof"
        assert reasons.find_text(connection, row, "0" * 64) is None
    assert kept.text is not None
    assert sha256(kept.text.encode()).hexdigest() == why == kept.hash


def test_messages_between_players_are_kept_by_hash(club: Club) -> None:
    """With their writer and those they went to, so that they can be erased."""
    seated(club)
    apply_act(club.desk, Resend(NAME, "red"), "because")
    report = club.last(ALICE, "report")
    club.answer(report, "message all: good luck to you", ALICE)
    assert "good luck to you" in said(club, BOB)
    with club.desk.store.reading() as connection:
        row = club.match(NAME)
        kept = [each for each in messages_of(connection, row.id) if each.seat == "red"]
        assert [reasons.find_text(connection, row, each.hash) for each in kept] == [
            "good luck to you"
        ]
    assert [text.recipients for text in kept] == [("blue",)]


def test_more_time_goes_into_a_bank(club: Club) -> None:
    """Where each seat has a bank, a seat that is not to act can be given time too."""
    seated(club, per_turn=None, bank=timedelta(days=10))
    apply_act(club.desk, Extend(NAME, 2 * 86_400, "blue"), "because")
    with club.desk.store.reading() as connection:
        seat = matches.find_seat(connection, club.match(NAME).id, "blue")
    assert seat is not None
    assert seat.bank == timedelta(days=12).total_seconds()
    assert "Blue has 2 days more." in said(club, ALICE)


def test_an_end_taken_back_takes_back_no_turn(club: Club) -> None:
    """Reports say that the match is open again, and name nothing that was played."""
    seated(club)
    apply_act(club.desk, End(NAME), "too hasty")
    settle(club)
    apply_act(club.desk, Undo(NAME), "they go on")
    club.work()
    assert "its end. After that the match stood at turn 1 again" in said(club, ALICE, "report")
    assert "aufgenommen. Danach stand die Partie wieder bei Zug 1" in said(club, BOB, "report")
