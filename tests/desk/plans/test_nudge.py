"""More time, reminders, reports sent again, notes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from support.club import ALICE, BOB, Club
from support.mending import NAME, an_order, do, plain, said

from referee.desk.plans.act import Act
from referee.desk.plans.match import Extend, Note, Pause, Remind, Resend
from referee.desk.plans.plan import propose
from referee.desk.work import Refused


def test_more_time_is_more_time(running: Club) -> None:
    """The deadline moves by it, everybody is told until when."""
    due = running.match(NAME).due
    do(running, Extend(NAME, 3 * 86_400, "red"))
    assert due is not None
    assert running.match(NAME).due == due + timedelta(days=3)
    assert "Red has 3 days more, until Tue 1 Dec 2026" in said(running, ALICE)
    assert "Rot hat 3 Tage mehr, bis Di., 1" in said(running, BOB)


def test_time_that_counts_from_a_report_yet_to_leave_is_told_as_such(club: Club) -> None:
    """Until then the end a plan shows moves; once the report has left it does not."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()

    def warned() -> bool:
        plan = propose(club.desk, Extend(NAME, 3 * 86_400), "why")
        return any("no report of this turn has left" in each for each in plan.matches[0].warnings)

    assert warned()
    club.mails(ALICE)
    assert not warned()


def test_a_reminder_reaches_who_is_to_act_alone(running: Club) -> None:
    """With an order box, so that it can be answered."""
    do(running, Remind(NAME), "the others wait")
    mail = running.last(ALICE, "notice")
    assert "The organiser reminds you: you are to act in pebbles-1" in plain(mail.text)
    assert running.mails(BOB) == []
    running.answer(mail, an_order(running), ALICE)
    assert running.match(NAME).to_act == "blue"


def test_a_reminder_of_a_turn_whose_time_is_up_says_so(running: Club) -> None:
    """It names no moment until which there would be time."""
    running.later(days=30)
    do(running, Remind(NAME), "the others wait")
    told = plain(running.last(ALICE, "notice").text)
    assert "turn 1; your time for it was up on Sat 28 Nov 2026, 13:00 (Europe/Berlin)." in told
    assert "until" not in told.partition("This is the reason")[0]


def test_a_report_is_sent_again_as_the_match_stands(running: Club) -> None:
    """With the code of now; answered, its orders are played."""
    done = do(running, Resend(NAME, "red"), "lost")
    assert [each.to for each in done.reports] == ["alice"]
    notice, report = running.mails(ALICE)
    assert "sent again" in plain(notice.text)
    assert report.turn_file["code"].replace("-", "") == running.code(NAME, "red")
    running.answer(report, an_order(running), ALICE)
    assert running.match(NAME).to_act == "blue"


def test_before_a_match_begins_its_invitation_is_sent_again(club: Club) -> None:
    """To those who have not answered it; with a code by which they can."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False)
    club.work()
    club.answer(club.last(ALICE, "invitation"), "agree", ALICE)
    club.mails(ALICE), club.mails(BOB)
    do(club, Resend(NAME))
    assert club.mails(ALICE) == []
    (invitation,) = club.mails(BOB)
    club.answer(invitation, "agree", BOB)
    assert club.match(NAME).state == "running"
    club.new_match("pebbles", f"red={ALICE}", "blue=bot:greedy", begins=False)
    club.answer(club.last(ALICE, "invitation"), "no", ALICE)
    with pytest.raises(Refused, match="everybody has answered the invitation"):
        do(club, Resend("pebbles-2"))


@pytest.mark.parametrize("act", [Remind(NAME), Pause(NAME)], ids=lambda act: act.name)
def test_before_a_match_begins_the_refusal_names_what_can_be_done(club: Club, act: Act) -> None:
    """Nobody is to act yet, but the invitation can be sent again."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False)
    with pytest.raises(Refused, match="is invited, not running: referee match resend pebbles-1"):
        do(club, act)


def test_a_note_reaches_everybody(running: Club) -> None:
    """In the words of the organiser, each framed in the reader's language."""
    do(running, Note(NAME, "We meet on Sunday.\nBring cake."))
    for address, before in ((ALICE, "A note from the organiser"), (BOB, "des Veranstalters")):
        told = said(running, address)
        assert before in told
        assert "Bring cake." in told


def test_a_note_gives_no_code_away(running: Club) -> None:
    code = running.code(NAME, "red")
    with pytest.raises(Refused, match="reply code"):
        do(running, Note(NAME, f"look: {code[:4]}-{code[4:]}"))
