"""Plans, what they show, and what is left when they are applied."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from urllib.parse import unquote

import pytest
from support.club import Club, letter
from support.mending import (
    ALICE,
    BOB,
    CAROL,
    NAME,
    an_order,
    do,
    plain,
    resent,
    said,
    settle,
    verified,
)  # fmt: skip

from referee.desk.plans import plan as plans_plan
from referee.desk.plans.act import GIVEN_BACK, MASK, Act
from referee.desk.plans.board import Acting, Fix, Looking, Redo, Undo
from referee.desk.plans.match import (
    End,
    Extend,
    Note,
    Pause,
    Remind,
    Resend,
    Resume,
    SetRight,
    parse_places,
)
from referee.desk.plans.plan import ACTS, apply_act, apply_plan, preview_plan, read
from referee.desk.plans.player import AddAddress, Away, Back, Drop, Merge, RemoveAddress, Zone
from referee.desk.plans.seat import HandOver, SitIn
from referee.desk.work import Refused
from referee.games.play import canonical_json
from referee.mail.codes import codes_in
from referee.store.play import matches
from referee.value import asdict

EVERY_ACT: list[Act] = [
    Pause(NAME),
    Extend(NAME, 3 * 86_400),
    Remind(NAME),
    Resend(NAME),
    Note(NAME, "we meet on Sunday"),
    HandOver(NAME, "blue", CAROL),
    HandOver(NAME, "blue", bot="greedy"),
    HandOver(NAME, "blue"),
    End(NAME),
    End(NAME, {"red": 1, "blue": 2}),
]


@pytest.mark.parametrize("act", EVERY_ACT, ids=lambda act: act.name)
def test_a_plan_changes_nothing_and_shows_what_then_happens(running: Club, act: Act) -> None:
    """Nothing is done by it; applied, events, stands and mails are those it showed, word for word.

    Only the reply codes are masked.
    """
    before = running.match(NAME)
    plan = plans_plan.propose(running.desk, act, "the reason")
    assert running.match(NAME) == before
    assert running.mails(ALICE) + running.mails(BOB) + running.mails(CAROL) == []
    [shown], [done] = plan.matches, apply_plan(running.desk, plan.id).matches
    assert (shown.before, shown.after) == (done.before, done.after)
    assert [(e.seq, e.kind, e.seat) for e in shown.events] == [
        (e.seq, e.kind, e.seat) for e in done.events
    ]
    codes = {running.code(NAME, seat) for seat in ("red", "blue")}
    sent = [
        each
        for address in (ALICE, BOB, CAROL)
        for each in running.mails(address)
        if each.kind == "notice"
    ]
    texts = [each.text for each in sent]
    for code in codes:
        texts = [each.replace(f"{code[:4]}-{code[4:]}", MASK) for each in texts]
    assert sorted(each.text for each in shown.mails) == sorted(texts)
    assert shown.reports == done.reports
    assert not any(set(codes_in(each.text)) & codes for each in plan.mails)


def test_every_act_of_the_table_is_made_anew_from_its_document() -> None:
    """What is kept of a plan is enough to carry it out."""
    day = date(2026, 12, 1)
    acts: list[Act] = [
        *EVERY_ACT, Resume(NAME), SitIn(NAME, "red", day, day, CAROL),
        Undo(NAME, 3, revealed=True), Redo(NAME), Fix(NAME, [], "a digest"),
        Acting(NAME, "red", ["pass"], "blue"), Looking(NAME),
        Away(1, "2026-12-01", "2026-12-02"), Back(1, 3), Zone(1, "UTC"), Merge(1, 2), SetRight(),
        Drop(4), AddAddress(1, "a@x.test"), RemoveAddress(1, "a@x.test"),
    ]  # fmt: skip
    assert {each.name for each in acts} == {*ACTS}
    for each in acts:
        assert read(each.name, json.loads(canonical_json(asdict(each)))) == each


def test_an_act_of_another_version_is_refused() -> None:
    """A plan kept by it cannot be applied by this one."""
    with pytest.raises(Refused, match="there is no act dance"):
        read("dance", {"match": NAME})


@pytest.mark.parametrize("act", EVERY_ACT, ids=lambda act: act.name)
def test_who_and_why_stand_in_the_log_and_in_the_mails(running: Club, act: Act) -> None:
    """The events hold by and a hash of why, never the words; every player told reads them."""
    done = do(running, act, "rain on the roof")
    with running.desk.store.reading() as connection:
        row = running.match(NAME)
        bodies = [
            each.body
            for each in matches.events(connection, row.id, after=row.seq - len(done.events))
        ]
    details = [json.loads(each)["details"] for each in bodies]
    assert any(each.get("by") == "organiser" and len(each["why"]) == 64 for each in details)
    assert not any("rain on the roof" in each for each in bodies)
    if act.name != "note":
        assert done.mails
        assert all("rain on the roof" in each.text for each in done.mails)


def test_a_stale_plan_is_refused(running: Club) -> None:
    """What was planned before the match moved on is not done, not even in part."""
    plan = plans_plan.propose(running.desk, Pause(NAME), "holidays")
    red = running.code(NAME, "red")
    do(running, Note(NAME, "hello"))
    running.mails(ALICE)
    before = running.match(NAME)
    with pytest.raises(Refused, match=f"{NAME} has moved on since plan {plan.id}"):
        apply_plan(running.desk, plan.id)
    assert running.match(NAME) == before
    assert running.mails(ALICE) == []
    assert running.code(NAME, "red") == red


@pytest.mark.parametrize("answer", ["agree", "decline"])
def test_a_plan_for_an_invited_match_is_stale_after_an_answer(club: Club, answer: str) -> None:
    """There is no log yet; the players and what they have agreed to are what it is bound to."""
    carol = f"green={CAROL}"
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", carol, begins=False)
    act = HandOver(NAME, "blue", address="dora@example.test")
    plan = plans_plan.propose(club.desk, act, "no answer")
    with club.desk.reading() as change:
        assert [each["state"] for each in plans_plan.listed_plans(change)] == ["open"]
    club.answer(club.last(BOB), answer, BOB)
    with club.desk.reading() as change:
        assert [each["state"] for each in plans_plan.listed_plans(change)] == ["stale"]
    with pytest.raises(Refused, match=f"{NAME} has moved on since plan {plan.id}"):
        apply_plan(club.desk, plan.id)


def test_a_plan_for_an_invited_match_is_applied(club: Club) -> None:
    """Nobody has answered since it was made."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False)
    plan = plans_plan.propose(club.desk, HandOver(NAME, "blue", address=CAROL), "a slip")
    apply_plan(club.desk, plan.id)
    assert club.last(CAROL).kind == "invitation"


def test_a_plan_is_applied_once(running: Club) -> None:
    """The second time it says when it was applied."""
    plan = plans_plan.propose(running.desk, Pause(NAME), "holidays")
    apply_plan(running.desk, plan.id)
    with pytest.raises(Refused, match=f"plan {plan.id} was applied at 2026"):
        apply_plan(running.desk, plan.id)


def test_of_two_who_apply_one_is_refused(running: Club) -> None:
    """Two organisers at once: the plan is carried out once, one of them is told so."""
    plan = plans_plan.propose(running.desk, Pause(NAME), "holidays")

    def attempt(_: int) -> str:
        try:
            return apply_plan(running.desk, plan.id).state
        except Refused as refused:
            return str(refused)

    with ThreadPoolExecutor(2) as pool:
        first, second = sorted(pool.map(attempt, range(2)))
    assert first == "applied"
    assert f"plan {plan.id} was applied" in second
    assert len(running.mails(ALICE)) == 1


def test_a_plan_grows_old(running: Club) -> None:
    """After a week it is refused though the match stands as it did, and is shown so."""
    plan = plans_plan.propose(running.desk, Pause(NAME), "holidays")
    running.later(days=7, seconds=1)
    with pytest.raises(Refused, match="too old"):
        apply_plan(running.desk, plan.id)
    assert plans_plan.preview_plan(running.desk, plan.id).state == "too old"
    with running.desk.reading() as change:
        assert [listed["state"] for listed in plans_plan.listed_plans(change)] == ["too old"]


def test_a_plan_can_be_withdrawn(running: Club) -> None:
    """Then nobody applies it, and nobody withdraws it again."""
    plan = plans_plan.propose(running.desk, Pause(NAME), "holidays")
    plans_plan.withdraw(running.desk, plan.id)
    for act in (apply_plan, plans_plan.withdraw):
        with pytest.raises(Refused, match="was withdrawn"):
            act(running.desk, plan.id)


def test_plans_are_listed_with_how_they_stand(running: Club) -> None:
    """Open, stale, applied, withdrawn: newest first."""
    acts = [Pause(NAME), Note(NAME, "one"), Note(NAME, "two")]
    plans = [plans_plan.propose(running.desk, each, "because") for each in acts]
    plans_plan.withdraw(running.desk, plans[2].id)
    apply_plan(running.desk, plans[1].id)
    plans_plan.propose(running.desk, Pause(NAME), "because")
    with running.desk.reading() as change:
        listed = plans_plan.listed_plans(change)
    assert [each["state"] for each in listed] == ["open", "withdrawn", "applied", "stale"]


@pytest.mark.parametrize("why", ["", "  \n", "x" * 1001])
def test_a_reason_is_needed(running: Club, why: str) -> None:
    """Empty or endless it is refused, and nothing is done."""
    with pytest.raises(Refused, match="--why"):
        do(running, Pause(NAME), why)
    assert running.match(NAME).state == "running"


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (Resume(NAME), "is running, not paused"),
        (Pause("pebbles-9"), "there is no match pebbles-9"),
        (Extend(NAME, 86_400, "blue"), "blue is not to act"),
        (Extend(NAME, 86_400, "pink"), "has no seat pink"),
        (Extend(NAME, 0), "more time"),
        (Resend(NAME, "pink"), "has no seat pink; it has red, blue"),
        (HandOver(NAME, "pink", CAROL), "has no seat pink"),
        (HandOver(NAME, "red", ALICE), "red is held by alice already"),
        (HandOver(NAME, "red", "referee@example.test"), "the referee's own address"),
        (End(NAME, {"red": 1}), "every seat needs a place: add blue"),
        (End(NAME, {"red": 2, "blue": 2}), "places count from 1"),
        (End(NAME, {"red": 1, "pink": 2}), "has no seat pink"),
        (Note(NAME, " "), "the note is empty"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(running: Club, act: Act, says: str) -> None:
    """It says what is wrong, and leaves everything as it was."""
    before = running.match(NAME)
    with pytest.raises(Refused, match=says) as refused:
        plans_plan.propose(running.desk, act, "because")
    assert "\n" not in str(refused.value)
    assert running.match(NAME) == before


@pytest.mark.parametrize("act", EVERY_ACT[:3], ids=lambda act: act.name)
def test_a_match_that_has_not_begun_is_not_mended(club: Club, act: Act) -> None:
    """It says how the match stands."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False)
    with pytest.raises(Refused, match="is invited"):
        do(club, act)


@pytest.mark.parametrize("act", [*EVERY_ACT[:3], *EVERY_ACT[5:]], ids=lambda act: act.name)
def test_a_match_that_is_over_is_not_mended(running: Club, act: Act) -> None:
    """It says how the match stands."""
    do(running, End(NAME))
    with pytest.raises(Refused, match="is over"):
        do(running, act)


@pytest.mark.parametrize(
    ("places", "english", "german", "last"),
    [
        (None, "has broken off pebbles-1", "hat pebbles-1 abgebrochen", "The match is over"),
        (
            {"red": 2, "blue": 1},
            "declared its result",
            "das Ergebnis festgestellt",
            "Over: you have lost",
        ),
    ],
)
def test_a_match_is_ended(
    running: Club,
    tmp_path: Path,
    places: dict[str, int] | None,
    english: str,
    german: str,
    last: str,
) -> None:
    """Everybody is told why and gets a last report; the record verifies."""
    do(running, End(NAME, places), "agreed")
    row = running.match(NAME)
    assert row.state == "over"
    assert (row.result or {})["places"] == (places or {"red": 1, "blue": 1})
    assert english in said(running, ALICE)
    assert german in said(running, BOB)
    running.work()
    assert last in said(running, ALICE, "report")
    assert running.match(NAME).released
    assert verified(running, tmp_path) > 1


def test_a_match_that_has_not_begun_is_called_off(club: Club) -> None:
    """Those invited are told; it cannot begin any more."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False)
    club.mails(ALICE)
    do(club, End(NAME), "too few players")
    assert "has called off pebbles-1 before it began" in said(club, ALICE)
    assert club.match(NAME).state == "abandoned"


def test_who_was_not_invited_yet_hears_nothing_of_a_match_called_off(club: Club) -> None:
    """His invitation lies in the outbox and stays there; who joined by himself gets his answer."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False)
    club.mails(ALICE)
    club.new_match("pebbles", f"red={ALICE}", "blue=open", "green=open", begins=False)
    club.put(letter(BOB, "join pebbles-2"))
    question = next(each for each in club.mails(BOB) if each.kind == "answer")
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False)
    club.answer(question, "yes", BOB)
    do(club, End("pebbles-2"), "too few players")
    do(club, End("pebbles-3"), "too few players")
    assert "called off pebbles-2" in plain(club.last(ALICE).text)
    assert [each.kind for each in club.mails(BOB)] == ["invitation", "notice"]


def test_who_was_not_invited_yet_hears_nothing_of_a_seat_passed_on(club: Club) -> None:
    """The invitation to it goes to somebody else, and him alone."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False)
    do(club, HandOver(NAME, "blue", address=CAROL), "a slip of the pen")
    assert club.mails(BOB) == []
    assert [each.kind for each in club.mails(CAROL)] == ["invitation"]


def test_who_declined_hears_no_more_of_the_match(club: Club) -> None:
    """Neither notes, nor what others write or decline, nor that it is called off."""
    carol = f"green={CAROL}"
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", carol, begins=False)
    alice = club.last(ALICE)
    club.answer(club.last(BOB), "decline", BOB)
    assert "you will get no more mails about this match" in said(club, BOB, "answer")
    do(club, Note(NAME, "who else?"))
    club.answer(alice, "message all\nwell?\nend", ALICE)
    club.answer(club.last(CAROL, "invitation"), "decline", CAROL)
    do(club, End(NAME), "too few players")
    assert club.mails(BOB) == []
    told = [plain(each.text) for each in club.mails(ALICE)]
    assert any("carol has declined" in each for each in told)
    assert any("has called off" in each for each in told)


def test_places_are_read(running: Club) -> None:
    """Each as seat and place."""
    assert parse_places(["red=1", " Blue = 2"]) == {"red": 1, "blue": 2}
    for wrong in (["red"], ["red=x"], ["red=1", "red=2"], ["=1"]):
        with pytest.raises(Refused, match="--result"):
            parse_places(wrong)


def test_a_mended_record_verifies(running: Club, tmp_path: Path) -> None:
    """A match paused, resumed, extended, noted on, handed on and ended, and played in between."""
    report = resent(running, ALICE, "red")
    do(running, Pause(NAME))
    do(running, Resume(NAME))
    do(running, Extend(NAME, 86_400))
    running.answer(report, an_order(running), ALICE)
    settle(running)
    do(running, Note(NAME, "well played"))
    do(running, HandOver(NAME, "blue", CAROL))
    running.answer(running.last(CAROL, "report"), an_order(running), CAROL)
    assert running.match(NAME).to_act == "red"
    do(running, HandOver(NAME, "red", bot="greedy"))
    running.work()
    do(running, End(NAME))
    running.work()
    kinds = {"pause", "resume", "extend", "notice", "seat", "order", "end"}
    with running.desk.store.reading() as connection:
        log = matches.events(connection, running.match(NAME).id)
    assert kinds <= {each.kind for each in log}
    assert verified(running, tmp_path) == len(log)


def test_whoever_has_left_a_seat_gets_no_code_of_it(running: Club) -> None:
    """Neither to be read nor in the links that open an answer."""
    do(running, HandOver(NAME, "red", CAROL))
    code = r"=== pebbles-1 .* [0-9A-Z]{4}-[0-9A-Z]{4} ==="
    left, taken = running.mails(ALICE)[-1], running.last(CAROL, "report")
    assert re.search(code, unquote(taken.html))
    assert not re.search(code, left.text + unquote(left.html))


def test_players_read_of_a_match_that_was_broken_off_that_it_was(running: Club) -> None:
    """In the mail that tells it, in answers to what comes later, and in the list of matches."""
    do(running, Resend(NAME))
    report = running.last(ALICE, "report")
    do(running, End(NAME), "Bob antwortet nicht")
    told = said(running, BOB)
    assert f"Der Veranstalter hat {NAME} abgebrochen" in told
    assert "Bob antwortet nicht" in told
    running.work()
    assert "abgebrochen, niemand hat gewonnen oder verloren" in said(running, BOB, "report")
    running.answer(report, an_order(running), ALICE)
    assert "this match has been broken off" in plain(running.last(ALICE).text)
    running.put(letter(BOB, "partien"))
    assert "du spielst Blau, Zug 1: abgebrochen" in said(running, BOB, "answer")


def test_a_stale_plan_can_still_be_read(running: Club) -> None:
    """It shows the act and its reason, and says why it can no longer be applied."""
    plan = plans_plan.propose(running.desk, Pause(NAME), "holidays")
    do(running, Note(NAME, "hello"))
    shown = preview_plan(running.desk, plan.id)
    assert (shown.id, shown.state, shown.act, shown.why) == (plan.id, "stale", "pause", "holidays")
    assert any(f"{NAME} has moved on" in each for each in shown.lines)
    assert shown.created == "2026-11-21T12:00:00Z"
    assert shown.document()["matches"] == []


def test_a_reason_holds_no_reply_code(running: Club) -> None:
    """All players read it, and each could play for the seat."""
    with pytest.raises(Refused, match="a reply code"):
        plans_plan.propose(running.desk, Pause(NAME), f"he answered {running.code(NAME, 'red')}")


@pytest.mark.parametrize("later", [True, False])
def test_an_applied_plan_tells_what_it_did(running: Club, *, later: bool) -> None:
    """When, by whom and why, and the events it wrote; also if it was carried out at once."""
    act = Pause(NAME)
    if later:
        plan = plans_plan.propose(running.desk, act, "holidays")
        running.later(hours=1)
        done = apply_plan(running.desk, plan.id)
    else:
        running.later(hours=1)
        done = apply_act(running.desk, act, "holidays")
    before = running.match(NAME)
    shown = preview_plan(running.desk, done.id)
    assert (shown.state, shown.act, shown.why) == ("applied", "pause", "holidays")
    planned, applied = ("12", "13") if later else ("13", "13")
    assert shown.created == f"2026-11-21T{planned}:00:00Z"
    assert shown.lines == (
        f"match: {NAME}",
        f"applied 2026-11-21T{applied}:00:00Z; nothing is done now",
        f"events written in {NAME}: {before.seq} pause",
    )
    assert running.match(NAME) == before
    plans_plan.withdraw(running.desk, plans_plan.propose(running.desk, Resume(NAME), "back").id)
    assert preview_plan(running.desk, done.id + 1).state == "withdrawn"


def test_an_undo_plan_lists_the_receipt_it_gives_back(running: Club) -> None:
    """The report that told it does not leave; its words, which may be secret, are not shown."""
    order = an_order(running)
    running.answer(resent(running, ALICE, "red"), order, ALICE)
    running.work()
    plan = plans_plan.propose(running.desk, Undo(NAME, revealed=True), "a slip")
    (told,) = [each for each in plan.mails if each.text == GIVEN_BACK]
    assert told.to == "alice"
    apply_plan(running.desk, plan.id)
    running.work()
    assert order in running.last(ALICE, "report").text
    again = plans_plan.propose(running.desk, Pause(NAME), "holidays")
    assert all(each.text != GIVEN_BACK for each in again.mails)
