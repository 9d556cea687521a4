"""What reaches into several matches at once: planned, told and logged in each it changes."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

import pytest
from support.club import ALICE, BOB, CAROL, NOON, REFEREE, Club, letter
from support.mending import NAME, plain, said, seated, settle

from referee.desk.archive import audit
from referee.desk.matches.time import clock, outages, stoppages
from referee.desk.plans import plan as plans_plan
from referee.desk.plans.match import Pause, Resend, SetRight
from referee.desk.plans.plan import apply_act, apply_plan
from referee.desk.plans.player import AddAddress, Away, Back, Drop, Merge, RemoveAddress, Zone
from referee.desk.work import Refused
from referee.errors import RefereeError
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import letters, outbox, reports

OTHER = "pebbles-2"
DAY = timedelta(days=1)
WHY = "the reason"


@pytest.fixture
def running(club: Club) -> Club:
    """Return a club with two matches of alice, who is to act in both, seven days from NOON."""
    seated(club)
    club.new_match("pebbles", f"red={ALICE}", f"blue={CAROL}")
    settle(club)
    return club


def number(club: Club, address: str) -> int:
    """Return the number of a player."""
    with club.desk.store.reading() as connection:
        found = players.by_address(connection, address)
    assert found is not None
    return found.id


def away(club: Club, first: str = "2026-11-25", last: str = "2026-11-26") -> Away:
    """Return that alice is away for two days."""
    return Away(number(club, ALICE), first, last)


def dues(club: Club) -> list[datetime | None]:
    """Return until when the turns of both matches last."""
    return [club.match(name).due for name in (NAME, OTHER)]


def noted(club: Club) -> list[tuple[str, str]]:
    """Return the days alice has noted."""
    with club.desk.store.reading() as connection:
        rows = players.away_of(connection, number(club, ALICE))
    return [(each.first_day, each.last_day) for each in rows]


def log(club: Club, name: str) -> list[dict[str, str]]:
    """Return the details of what was noted in a match besides the board."""
    with club.desk.store.reading() as connection:
        rows = matches.events(connection, club.match(name).id)
    return [json.loads(each.body)["details"] for each in rows if each.kind == "notice"]


def test_a_plan_shows_every_clock_and_changes_none(running: Club) -> None:
    """Each match with its clock now and then, its event and its mails; nothing is done by it."""
    before = running.match(NAME), running.match(OTHER)
    plan = plans_plan.propose(running.desk, away(running), WHY)
    assert (plan.state, plan.names) == ("open", (NAME, OTHER))
    for each in plan.matches:
        assert each.before.due == "2026-11-28T12:00:00Z"
        assert each.after.due == "2026-11-30T12:00:00Z"
        assert [event.kind for event in each.events] == ["notice"]
        assert len(each.mails) == 2
    assert (running.match(NAME), running.match(OTHER), noted(running)) == (*before, [])
    assert running.mails(ALICE) + running.mails(BOB) + running.mails(CAROL) == []


def test_applied_it_is_done_told_and_logged_in_every_match(running: Club) -> None:
    """The clocks go on as the plan said; every player reads who did what and why, in his words."""
    plan = plans_plan.propose(running.desk, away(running), "rain on the roof")
    done = apply_plan(running.desk, plan.id)
    assert [each.after for each in done.matches] == [each.after for each in plan.matches]
    assert dues(running) == [NOON + 9 * DAY] * 2
    assert noted(running) == [("2026-11-25", "2026-11-26")]
    english, german = plain(running.mails(ALICE)[0].text), said(running, BOB)
    assert "alice (red) is away from Wed 25 Nov 2026 to Thu 26 Nov 2026" in english
    assert "red is to act, until Mon 30 Nov 2026" in english
    assert "rain on the roof" in english
    assert "dass alice (Rot) vom Mi., 25. November 2026 bis zum Do., 26. November" in german
    assert "rain on the roof" in german
    for name in (NAME, OTHER):
        (details,) = log(running, name)
        assert (details["act"], details["by"], len(details["why"])) == ("away", "organiser", 64)
        with running.desk.reading() as change:
            row = running.match(name)
            assert audit.audit_match(change, row).fault is None


def test_why_is_asked_only_where_a_match_changes(running: Club) -> None:
    """The refusal names the matches; for a player who plays nowhere it is done at once."""
    with pytest.raises(Refused, match=f"this changes {NAME}, {OTHER}: .*--why"):
        plans_plan.propose(running.desk, away(running), " ")
    assert noted(running) == []
    with running.desk.store.writing() as connection:
        idle = players.insert_player(
            connection, name="d", language="en", zone="UTC", address="d@x.test", now=NOON
        )
    done = plans_plan.propose(running.desk, Away(idle, "2026-12-01", "2026-12-02"), "")
    assert (done.id, done.state, done.matches) == (0, "applied", ())
    assert done.lines == ("d is away from 2026-12-01 to 2026-12-02 (entry 1).",)
    with running.desk.reading() as change:
        assert plans_plan.listed_plans(change) == []


def test_what_no_clock_hangs_on_is_done_at_once(club: Club) -> None:
    """A match without a limit of time, or that has not begun, is not changed by days away."""
    seated(club, per_turn=None)
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False)
    done = plans_plan.propose(club.desk, away(club), "")
    assert (done.state, done.matches) == ("applied", ())
    assert noted(club) == [("2026-11-25", "2026-11-26")]


def test_a_plan_stands_with_all_its_matches(running: Club) -> None:
    """One that moved on since refuses the whole; nothing is half done."""
    plan = plans_plan.propose(running.desk, away(running), WHY)
    apply_act(running.desk, Pause(OTHER), "rain")
    settle(running)
    with pytest.raises(Refused, match=f"{OTHER} has moved on since plan {plan.id}"):
        apply_plan(running.desk, plan.id)
    with running.desk.reading() as change:
        listed = plans_plan.listed_plans(change)
    assert [(each["match"], each["state"]) for each in listed][-1] == (f"{NAME}, {OTHER}", "stale")
    assert (noted(running), running.match(NAME).due) == ([], NOON + 7 * DAY)


def test_a_match_that_came_since_refuses_the_plan(running: Club) -> None:
    """What the plan did not show is not changed by it."""
    plan = plans_plan.propose(running.desk, away(running), WHY)
    running.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    settle(running)
    with pytest.raises(Refused, match="pebbles-3 has moved on since"):
        apply_plan(running.desk, plan.id)
    assert (noted(running), log(running, NAME)) == ([], [])


def test_days_away_are_taken_back_by_a_plan(running: Club) -> None:
    """The clocks lose again what they were given, and the players are told."""
    apply_act(running.desk, away(running), WHY)
    settle(running)
    with running.desk.store.reading() as connection:
        (row,) = players.away_of(connection, number(running, ALICE))
    apply_act(running.desk, Back(number(running, ALICE), row.id), WHY)
    assert (noted(running), dues(running)) == ([], [NOON + 7 * DAY] * 2)
    assert "taken back that alice (red) is away from" in said(running, ALICE)


def test_days_that_cannot_be_are_refused_when_planned_and_when_applied(running: Club) -> None:
    """What was noted by mail meanwhile is seen by whoever applies an old plan."""
    with pytest.raises(RefereeError, match="what has passed stays"):
        plans_plan.propose(running.desk, away(running, "2020-01-01", "2020-01-02"), WHY)
    first, second = (plans_plan.propose(running.desk, away(running), WHY) for _ in range(2))
    apply_plan(running.desk, first.id)
    with pytest.raises(Refused, match="has moved on"):
        apply_plan(running.desk, second.id)


def test_a_zone_is_planned_only_where_days_off_hang_on_it(club: Club) -> None:
    """Without days off no clock knows a zone; with them it says when they begin and end."""
    seated(club)
    who = number(club, ALICE)
    assert plans_plan.propose(club.desk, Zone(who, "Asia/Tokyo"), "").matches == ()
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", days_off=frozenset({"sat", "sun"}))
    settle(club)
    plan = plans_plan.propose(club.desk, Zone(who, "America/New_York"), WHY)
    assert plan.names == (OTHER,)
    apply_plan(club.desk, plan.id)
    told = said(club, BOB)
    assert "andere Zeitzone" in told
    assert "New_York" not in told


def test_merging_is_planned_with_the_seats_it_changes(running: Club) -> None:
    """Who remains holds the seat; his opponent reads who plays now. It needs no match to plan."""
    with running.desk.store.writing() as connection:
        added = [
            players.insert_player(
                connection, name=name, language="en", zone="UTC", address=f"{name}@x.test", now=NOON
            )
            for name in ("dora", "dorothea")
        ]
    idle = plans_plan.propose(running.desk, Merge(added[1], added[0]), "")
    assert (idle.state, idle.matches, idle.id > 0) == ("open", (), True)
    apply_plan(running.desk, idle.id)
    plan = plans_plan.propose(running.desk, Merge(number(running, BOB), added[0]), WHY)
    assert plan.names == (NAME,)
    apply_plan(running.desk, plan.id)
    assert "who was bob is dora now and plays blue" in said(running, ALICE)
    with running.desk.store.reading() as connection:
        seat = matches.find_seat(connection, running.match(NAME).id, "blue")
    assert seat is not None
    assert seat.player_id == added[0]


def test_a_player_who_is_gone_refuses_the_plan(running: Club) -> None:
    """Merged by another plan, there is nobody any more of whom it was."""
    with running.desk.store.writing() as connection:
        gone, into = (
            players.insert_player(
                connection, name=name, language="en", zone="UTC", address=f"{name}@x.test", now=NOON
            )
            for name in ("dora", "dorothea")
        )
    one, other = (plans_plan.propose(running.desk, Merge(gone, into), "") for _ in range(2))
    apply_plan(running.desk, one.id)
    with pytest.raises(Refused, match=f"there is no player {gone} any more"):
        apply_plan(running.desk, other.id)


def test_a_clock_put_right_is_planned_with_what_everybody_has(running: Club) -> None:
    """After three days that did not count each turn lasts so much longer; all are told why."""
    running.later(days=3)
    outages.note_jump(running.desk, NOON)
    plan = plans_plan.propose(running.desk, SetRight(), WHY)
    assert [each.match for each in plan.matches] == [NAME, OTHER]
    assert {each.after.due for each in plan.matches} == {"2026-12-01T12:00:00Z"}
    assert [event.kind for event in plan.matches[0].events] == ["extend", "notice"]
    with running.desk.store.reading() as connection:
        assert outages.lasting_outage(connection) is not None
    apply_plan(running.desk, plan.id)
    assert dues(running) == [NOON + 10 * DAY] * 2
    assert "set the referee's own clock right" in said(running, ALICE)
    running.work()
    assert [each["act"] for each in log(running, NAME)] == ["clock"]
    with pytest.raises(Refused, match="nothing to set right"):
        plans_plan.propose(running.desk, SetRight(), WHY)


def test_the_command_that_an_alarm_names_needs_no_reason(running: Club) -> None:
    """It says by itself why the clocks have changed; the alarm shows it without one."""
    running.later(days=3)
    outages.note_jump(running.desk, NOON)
    plan = plans_plan.propose(running.desk, SetRight(), "")
    assert plan.why == "the clock of the referee's machine was wrong, and is right again"
    apply_plan(running.desk, plan.id)
    assert "was wrong, and is right again" in said(running, ALICE)


def test_a_dropped_letter_that_a_clock_stands_for_is_planned(running: Club) -> None:
    """The clock goes on only when the plan is applied, and the players read that it does."""
    raw = letter(ALICE, "pass")
    with running.desk.writing() as change:
        row = letters.keep_letter(
            change.connection, folder="INBOX", uidvalidity=9, uid=1, arrived=NOON, size=len(raw),
            truncated=False, raw=raw, mailbox=REFEREE, now=NOON,
        )  # fmt: skip
        assert row is not None
        letters.change_letter(change.connection, row.id, sender=ALICE)
        letters.finish_letter(change.connection, row.id, "quarantined", "broken", NOON)
        stoppages.stop_clocks(change, number(running, ALICE))
    with pytest.raises(Refused, match="this changes"):
        plans_plan.propose(running.desk, Drop(row.id), "")
    plan = plans_plan.propose(running.desk, Drop(row.id), WHY)
    assert plan.names == (NAME, OTHER)
    assert not clock.clock_runs(running.match(NAME))
    apply_plan(running.desk, plan.id)
    assert clock.clock_runs(running.match(NAME))
    assert "left it unheard" in said(running, ALICE)
    assert "verworfen: Die Uhr von Rot läuft weiter" in said(running, CAROL)


def test_an_address_that_reaches_a_player_again_is_planned(running: Club) -> None:
    """His clock stands while none of his addresses works, and goes on when the plan is applied."""
    who = number(running, ALICE)
    with running.desk.writing() as change:
        players.set_address(change.connection, ALICE, "failing")
        stoppages.settle_reach(change, who)
    assert not clock.clock_runs(running.match(NAME))
    plan = plans_plan.propose(running.desk, AddAddress(who, "new@example.test"), WHY)
    apply_plan(running.desk, plan.id)
    assert clock.clock_runs(running.match(NAME))
    done = plans_plan.propose(running.desk, RemoveAddress(who, ALICE), "")
    assert (done.state, done.matches) == ("applied", ())


def test_who_is_reached_again_gets_their_invitation_again(club: Club) -> None:
    """Nothing else would: they know no code, and the match waits for them."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False)
    club.work()
    club.mails(ALICE)
    who = number(club, ALICE)
    with club.desk.writing() as change:
        players.set_address(change.connection, ALICE, "failing")
    plans_plan.propose(club.desk, AddAddress(who, "new@example.test"), WHY)
    club.answer(club.last("new@example.test", "invitation"), "agree", "new@example.test")
    club.answer(club.last(BOB, "invitation"), "agree", BOB)
    assert club.match("pebbles-1").state == "running"


def test_the_other_addresses_of_a_player_are_told_of_a_new_one(running: Club) -> None:
    """So nobody's mail is led away without his knowing."""
    plans_plan.propose(running.desk, AddAddress(number(running, ALICE), "new@example.test"), "")
    with running.desk.store.reading() as connection:
        (mail,) = outbox.latest_mails(connection, "waiting", 1)
    assert mail.recipient == ALICE
    told = plain(running.last(ALICE, "answer").text)
    assert "The organiser has noted new@example.test as yours" in told
    assert "Your mails go where they went." in told


def test_who_loses_an_address_is_told_where_his_mail_goes(running: Club) -> None:
    """The address that remains learns that the other one is no longer his."""
    who = number(running, ALICE)
    plans_plan.propose(running.desk, AddAddress(who, "new@example.test"), "")
    settle(running)
    plans_plan.propose(running.desk, RemoveAddress(who, ALICE), "")
    told = plain(running.last("new@example.test", "answer").text)
    assert f"The organiser has removed {ALICE} from your addresses" in told


def test_mails_that_wait_follow_their_player_to_the_address_that_remains(running: Club) -> None:
    """A board that has not left goes to nobody who reads an address no longer theirs."""
    who = number(running, ALICE)
    plans_plan.propose(running.desk, AddAddress(who, "new@example.test"), "")
    settle(running)
    apply_act(running.desk, Resend(NAME, "red"), WHY)
    with running.desk.store.reading() as connection:
        waiting = [mail.kind for mail in reports.unsent_to(connection, who, ALICE)]
    assert waiting == ["notice", "report"]
    plans_plan.propose(running.desk, RemoveAddress(who, ALICE), "")
    assert running.mails(ALICE) == []
    _, board, told = running.mails("new@example.test")
    assert (board.kind, told.kind) == ("report", "answer")
    assert f"=== {NAME} · turn 1 · red" in board.text


def test_an_address_that_takes_the_place_of_a_failing_one_is_where_mail_goes(running: Club) -> None:
    """What the organiser reads says where mail goes indeed; nothing more goes where it fails."""
    who = number(running, ALICE)
    with running.desk.store.writing() as connection:
        players.set_address(connection, ALICE, "failing")
    done = plans_plan.propose(running.desk, AddAddress(who, "new@example.test"), WHY)
    assert "mail goes to new@example.test" in str(done.lines)
    assert running.mails(ALICE) == []
