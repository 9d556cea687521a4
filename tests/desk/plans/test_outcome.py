"""The reports of a plan: as they will read, without what only their seats may see."""

from __future__ import annotations

import json
from datetime import date

import pytest
from support.club import ALICE, BOB, CAROL, Club
from support.mending import NAME, an_order, seated, settle

from referee.desk.matches import ledger
from referee.desk.plans import plan as plans_plan
from referee.desk.plans.act import HEAD, MASK, WITHHELD, Act
from referee.desk.plans.board import Acting, Undo
from referee.desk.plans.match import End, Note, Pause, Resend
from referee.desk.plans.plan import apply_act, apply_plan
from referee.desk.plans.player import Away
from referee.desk.plans.seat import HandOver, SitIn
from referee.render.words.wording import Wording
from referee.store.people import players
from referee.store.play import watchers
from referee.value import asdict

REPORTING: list[Act] = [
    Undo(NAME, revealed=True),
    End(NAME),
    End(NAME, {"red": 2, "blue": 1}),
    Resend(NAME),
    HandOver(NAME, "blue", CAROL),
    SitIn(NAME, "blue", date(2026, 11, 21), date(2026, 11, 24), CAROL),
]


@pytest.fixture
def playing(club: Club) -> Club:
    """Return a match in which red has played a turn, and blue is to act."""
    seated(club)
    apply_act(club.desk, Acting(NAME, "red", [an_order(club)]), "by telephone")
    settle(club)
    return club


def open_lines(text: str) -> list[str]:
    """Return the lines of a plan's report that are no place for something else."""
    told = [line for line in text.splitlines() if line.strip()]
    return [each for each in told if not (MASK in each or "own part is not shown" in each)]


@pytest.mark.parametrize("act", REPORTING, ids=lambda act: f"{act.name}-{len(asdict(act))}")
def test_a_plan_shows_every_report_that_leaves_word_for_word(playing: Club, act: Act) -> None:
    """To each player as many as he gets; every line is in the mail that then leaves."""
    plan = plans_plan.propose(playing.desk, act, "the reason")
    apply_plan(playing.desk, plan.id)
    playing.work()
    for name, address in (("alice", ALICE), ("bob", BOB), ("carol", CAROL)):
        sent = [each.text for each in playing.mails(address) if each.kind == "report"]
        shown = [each.text for each in plan.matches[0].reports if each.to == name]
        assert len(shown) == len(sent)
        for foreseen, real in zip(shown, sent, strict=True):
            missing = set(open_lines(foreseen)) - set(real.splitlines())
            # A row of news goes on with what its reader alone may know.
            flat = " ".join(real.split())
            assert [each for each in missing if each.rstrip(".") not in flat] == []
            assert HEAD in foreseen
            assert WITHHELD.format(seat="red" if name == "alice" else "blue") in foreseen


HEADING = ["plan", "state", "match", "act", "arguments", "by", "why"]
FLAT = [*HEADING, "before", "after", "events", "warnings", "mails"]


def test_programs_read_a_single_act_flat(playing: Club) -> None:
    """Its document is that of its match; of any other act it holds a list of such documents."""
    paused = plans_plan.propose(playing.desk, Pause(NAME), "the reason").document()
    assert [*paused] == [*FLAT, "reports"]
    with playing.desk.store.reading() as connection:
        bob = players.by_address(connection, BOB)
    assert bob is not None
    away = Away(bob.id, "2026-11-25", "2026-11-26")
    planned = plans_plan.propose(playing.desk, away, "the reason").document()
    assert [*planned] == [*HEADING, "done", "matches"]
    [each] = planned["matches"]
    assert [*each] == [*FLAT, "reports"]
    assert (each["plan"], each["state"], each["match"], each["act"]) == (0, "", NAME, "away")


@pytest.mark.parametrize("act", REPORTING, ids=lambda act: f"{act.name}-{len(asdict(act))}")
def test_no_hand_stands_in_a_plan(playing: Club, act: Act) -> None:
    """Nothing that a seat sees and a spectator does not, in either language."""
    with playing.desk.reading() as change:
        live = ledger.load_match(change, playing.match(NAME)).live
    common = [one for each in live.scene(None).panels for one in each.sentences]
    own = [
        Wording(live.game, language).sentence(one)
        for seat in ("red", "blue")
        for each in live.scene(seat).panels
        for one in each.sentences
        if one not in common
        for language in ("en", "de")
    ]
    assert own
    plan = plans_plan.propose(playing.desk, act, "the reason")
    told = json.dumps(plan.document(), ensure_ascii=False)
    joined = " ".join(told.replace("\\n", " ").split())
    assert not [each for each in own if each in joined]


def test_who_watches_gets_a_report_that_is_shown_whole(playing: Club) -> None:
    """Nothing is left out of it, as he sees what everybody sees."""
    with playing.desk.store.writing() as connection:
        carol = players.by_address(connection, CAROL)
        assert carol is not None
        watchers.add_watcher(connection, playing.match(NAME).id, carol.id, playing.desk.now())
    plan = plans_plan.propose(playing.desk, End(NAME), "the reason")
    watched = [each for each in plan.matches[0].reports if "own part" not in each.text]
    assert [each.to for each in watched] == ["carol"]
    apply_plan(playing.desk, plan.id)
    playing.work()
    assert set(open_lines(watched[0].text)) <= set(playing.last(CAROL).text.splitlines())


def test_a_plan_names_the_daily_mail_of_those_who_are_told_in_it(playing: Club) -> None:
    """Of who watches, too; and nobody gets a mail who wants those of their own turns alone."""
    with playing.desk.store.writing() as connection:
        bob, carol = (players.by_address(connection, address) for address in (BOB, CAROL))
        assert bob is not None
        assert carol is not None
        watchers.add_watcher(connection, playing.match(NAME).id, carol.id, playing.desk.now())
        players.update_player(connection, carol.id, mails="few")
        players.update_player(connection, bob.id, digest="daily", mails="turns")
    plan = plans_plan.propose(playing.desk, Undo(NAME, revealed=True), "the reason")
    assert [each.to for each in plan.matches[0].reports] == ["alice", "carol, in the daily mail"]


def test_the_mail_of_who_wants_html_alone_is_shown_as_text(playing: Club) -> None:
    """In words, without a tag, and without its reply code."""
    with playing.desk.store.writing() as connection:
        alice = players.by_address(connection, ALICE)
        assert alice is not None
        players.update_player(connection, alice.id, format="html")
    plan = plans_plan.propose(playing.desk, Note(NAME, "we meet on Sunday"), "the reason")
    [shown] = [each.text for each in plan.mails if each.to == "alice"]
    assert "we meet on Sunday" in shown
    assert "<" not in shown
    assert playing.code(NAME, "red")[:4] not in shown
