"""Orders that are held for a while: withdrawn, replaced, played, and told of by nobody before."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from support.club import ALICE, BOB, REFEREE, SEATS, Club, Mail, letter

from referee.desk import agenda, health
from referee.desk.desk import stamp
from referee.desk.matches.ledger import load_match
from referee.desk.matches.standing_orders import grace_of, held_orders
from referee.desk.matches.time import outages
from referee.desk.overview.match import Begun, look_at_match
from referee.desk.plans.board import Acting, Undo
from referee.desk.plans.match import End, Extend, Pause, Resume
from referee.desk.plans.plan import apply_act
from referee.store.people import players
from referee.store.play import matches, submissions

MINUTE = timedelta(minutes=1)


def begin(club: Club, **agreed: Any) -> Mail:
    """Begin a match with ten minutes of grace; return alice's first report, which has left."""
    club.new_match("pebbles", *SEATS, **{"grace": 10 * MINUTE, "reminders": (), **agreed})
    club.work()
    club.mails(BOB)
    return club.last(ALICE, "report")


def poll(club: Club, **span: float) -> None:
    """Let time pass, then a poll succeed, and do what is due."""
    club.later(**span)
    health.note_poll(club.desk, club.desk.now())
    club.work()


def played(club: Club) -> list[tuple[str | None, str]]:
    """Return the orders that were played: each seat, and when its letter came."""
    row = club.match("pebbles-1")
    with club.desk.reading() as change:
        log = matches.events(change.connection, row.id)
    return [(each.seat, each.body) for each in log if each.kind == "order"]


def puts(mail: Mail) -> list[str]:
    """Return the orders to put a pebble that a report's turn file lists."""
    return [line for line in mail.turn_file["legal"] if line.startswith("put")]


def held(club: Club) -> tuple[Mail, tuple[str, str]]:
    """Begin with the first of two orders held; return the report that lists both, and them."""
    report = begin(club)
    first, second, *_ = puts(report)
    club.answer(report, first, ALICE)
    club.mails(ALICE)
    return report, (first, second)


def answered(club: Club, report: Mail, *lines: str) -> str:
    """Let Alice answer a report with lines; return the words of the receipt."""
    club.answer(report, "\n".join(lines), ALICE)
    return club.last(ALICE).flat


def test_held_orders_are_told_to_nobody_until_the_grace_is_over(club: Club) -> None:
    """Then they are played as if they had just come, and everybody gets a report."""
    report = begin(club)
    club.answer(report, "pass", ALICE)
    club.work()
    receipt = club.last(ALICE).flat
    assert "Held until" in receipt
    assert "pass — held until" in receipt
    poll(club, minutes=9)
    assert not club.mails(BOB)
    assert not club.mails(ALICE)
    assert club.match("pebbles-1").to_act == "red"
    poll(club, minutes=2)
    assert club.match("pebbles-1").to_act == "blue"
    assert "It is your turn" in club.last(BOB, "report").flat
    assert "Played, as you had ordered: pass" in club.last(ALICE, "report").flat


def test_a_clock_that_jumps_cuts_no_grace_short(club: Club) -> None:
    """The orders are held until it is right again, and may be withdrawn all the while."""
    report = begin(club)
    club.answer(report, "pass", ALICE)
    last = club.desk.now()
    club.later(hours=1)
    outages.note_jump(club.desk, last)
    poll(club)
    assert not played(club)
    club.clock[0] = last
    with club.desk.writing() as change:
        outages.clock_is_right(change)
    poll(club, minutes=9)
    assert not played(club)
    poll(club, minutes=2)
    assert len(played(club)) == 1


def test_the_clock_counts_the_arrival(club: Club) -> None:
    """The event bears the letter's moment, and a bank pays up to it."""
    report = begin(club, per_turn=None, bank=timedelta(hours=5))
    club.later(hours=1)
    arrived = stamp(club.desk.now())
    club.answer(report, "pass", ALICE)
    poll(club, minutes=11)
    (_, body), *_ = played(club)
    assert f'"arrival":"{arrived}"' in body
    with club.desk.reading() as change:
        red = matches.find_seat(change.connection, club.match("pebbles-1").id, "red")
    assert red is not None
    assert red.bank == 4 * 3600


@pytest.mark.parametrize("act", ["set", "pause", "grant"])
def test_a_bank_pays_up_to_the_arrival_whatever_happens_while_orders_are_held(
    club: Club, act: str
) -> None:
    """A setting, a pause or more time settles the clock; the time since is not charged."""
    report = begin(club, per_turn=None, bank=timedelta(hours=5), grace=60 * MINUTE)
    club.later(hours=1)
    club.answer(report, "pass", ALICE)
    poll(club, minutes=40)
    if act == "set":
        club.put(letter(ALICE, "set format text"))
    elif act == "pause":
        apply_act(club.desk, Pause("pebbles-1"), "lunch")
        apply_act(club.desk, Resume("pebbles-1"), "lunch")
    else:
        apply_act(club.desk, Extend("pebbles-1", 2 * 3_600), "lunch")
    poll(club, minutes=21)
    with club.desk.reading() as change:
        red = matches.find_seat(change.connection, club.match("pebbles-1").id, "red")
    assert red is not None
    assert red.bank == (6 if act == "grant" else 4) * 3600


def test_no_grace_means_at_once(club: Club) -> None:
    """As long as nobody asks for one, everything is as it always was."""
    club.answer(begin(club, grace=timedelta(0)), "pass", ALICE)
    assert club.match("pebbles-1").to_act == "blue"


def test_withdraw_takes_back_what_is_held(club: Club) -> None:
    """Nothing is played, nobody is told, and other orders can be sent."""
    report = begin(club)
    club.answer(report, "pass", ALICE)
    receipt = club.last(ALICE)
    assert "%0D%0Ano%0D%0A" in receipt.html
    club.answer(receipt, "withdraw", ALICE)
    assert "withdraw — taken back: pass" in club.last(ALICE).flat
    poll(club, minutes=20)
    assert not played(club)
    assert not club.mails(BOB)
    club.answer(receipt, "pass", ALICE)
    assert "Held until" in club.last(ALICE).flat
    poll(club, minutes=20)
    assert len(played(club)) == 1


def test_withdraw_above_other_orders_takes_back_the_earlier_ones(club: Club) -> None:
    """What the same letter orders is held in their place."""
    report, (first, second) = held(club)
    told = answered(club, report, "withdraw", first, second)
    assert "withdraw — taken back" in told
    assert f"{second} — held" in told
    club.answer(report, f"withdraw\n{second}", ALICE)
    poll(club, minutes=11)
    ((_, body),) = played(club)
    assert second.split()[2] in body


def test_a_withdraw_counts_by_its_arrival(club: Club) -> None:
    """It came in time and was read late: what it is about has not been played meanwhile."""
    report = begin(club)
    club.answer(report, "pass", ALICE)
    receipt = club.last(ALICE)
    club.later(minutes=9)
    arrived = club.desk.now()
    club.later(minutes=9)
    club.work()
    assert not played(club)
    text = letter(ALICE, "withdraw", answers=receipt.message["Message-ID"], number=77)
    club.put(text, arrived=arrived)
    poll(club, minutes=9)
    assert not played(club)


def test_withdraw_too_late_says_what_is_left(club: Club) -> None:
    """What was played can only be undone, if all agree."""
    report = begin(club)
    club.answer(report, "pass", ALICE)
    receipt = club.last(ALICE)
    poll(club, minutes=11)
    club.mails(ALICE)
    club.answer(receipt, "withdraw", ALICE)
    assert "withdraw — too late: your last orders have been played" in club.last(ALICE).flat


def test_withdraw_of_nothing_says_so(club: Club) -> None:
    """There was never anything to take back."""
    club.answer(begin(club), "withdraw", ALICE)
    told = club.last(ALICE).flat
    assert "withdraw — nothing of yours is held now or waits to be played" in told
    assert "You have no orders held or in advance now" in told


def put_twice(club: Club) -> tuple[Mail, Mail]:
    """Let both seats put a pebble; return alice's first report and that of her next turn."""
    old = begin(club)
    club.answer(old, puts(old)[0], ALICE)
    poll(club, minutes=11)
    theirs = club.last(BOB, "report")
    club.answer(theirs, puts(theirs)[0], BOB)
    poll(club, minutes=11)
    return old, club.last(ALICE, "report")


def test_withdraw_twice_does_not_say_that_anything_was_played(club: Club) -> None:
    """Earlier orders of the match are no reason for it."""
    _, report = put_twice(club)
    club.answer(report, "pass", ALICE)
    club.mails(ALICE)
    assert "withdraw — taken back: pass" in answered(club, report, "withdraw")
    told = answered(club, report, "withdraw")
    assert "nothing of yours is held now" in told
    assert "too late" not in told


def test_withdraw_goes_by_what_was_done_last(club: Club) -> None:
    """An order that was played could be undone; what was taken back since is nothing more."""
    report = begin(club)
    club.answer(report, "pass", ALICE)
    poll(club, minutes=11)
    club.answer(report, "queue pass", ALICE)
    club.mails(ALICE)
    assert "withdraw — taken back: pass" in answered(club, report, "withdraw")
    assert "nothing of yours is held now" in answered(club, report, "withdraw")


def test_withdraw_does_not_name_an_undo_that_would_be_refused(club: Club) -> None:
    """In a pause nothing is taken back by mail."""
    report = begin(club)
    club.answer(report, "pass", ALICE)
    poll(club, minutes=11)
    apply_act(club.desk, Pause("pebbles-1"), "rain")
    assert "nothing of yours is held now" in answered(club, report, "withdraw")


def test_a_withdraw_beside_a_refused_order_is_in_the_headline(club: Club) -> None:
    """Something was done, so the receipt must not begin with the contrary."""
    report, (first, _) = held(club)
    told = answered(club, report, "withdraw", "put 9 A1")
    assert "Part of your mail has been carried out, but nothing on the board" in told
    assert "nothing was done" not in told.lower()
    assert f"withdraw — taken back: {first}" in told


def test_an_answer_to_an_old_mail_says_that_orders_are_still_held(club: Club) -> None:
    """Its `withdraw` was not done either, as the letter orders something beside it."""
    old, report = put_twice(club)
    club.answer(report, "pass", ALICE)
    club.mails(ALICE)
    told = answered(club, old, "withdraw", puts(old)[0])
    assert "Nothing changed: your mail answers turn 1, and now it is turn 3" in told
    assert "Orders of yours are held until" in told
    assert "then played; “yes” plays them now, and “no” takes them back" in told


def test_a_pause_says_that_orders_are_still_held(club: Club) -> None:
    """It stands above the reason for the pause, which is quoted."""
    report, (_, second) = held(club)
    apply_act(club.desk, Pause("pebbles-1"), "rain")
    told = answered(club, report, "withdraw", second)
    assert "Orders of yours are held; “yes” plays them now" in told
    assert told.index("“no” takes them back") < told.index("This is the reason given:")


@pytest.mark.parametrize("asked", ["show", "matches"])
def test_who_asks_how_things_stand_is_told_what_is_held(club: Club, asked: str) -> None:
    """It is no longer just their turn."""
    report, _ = held(club)
    told = answered(club, report, asked)
    assert "held until" in told
    assert "“no”" in told or "“withdraw”" in told
    club.answer(report, "withdraw", ALICE)
    club.mails(ALICE)
    assert "held" not in answered(club, report, asked)


def test_a_corrected_answer_replaces_what_is_held(club: Club) -> None:
    """Only the latest is played, and its own grace counts."""
    report, (first, second) = held(club)
    club.later(minutes=5)
    told = answered(club, report, second)
    assert f"{second} — held" in told
    assert "Not played, as your new orders" in told
    assert f"replace it: {first}" in told
    poll(club, minutes=6)
    assert not played(club)
    poll(club, minutes=5)
    ((_, body),) = played(club)
    assert second.split()[1] in body


def test_a_corrected_answer_that_is_refused_changes_nothing(club: Club) -> None:
    """The receipt says what still stands."""
    report = begin(club)
    club.answer(report, "pass", ALICE)
    club.mails(ALICE)
    club.answer(report, "put 9 A1", ALICE)
    told = club.last(ALICE).flat
    assert "put 9 A1 — refused" in told
    assert "then played: pass" in told
    poll(club, minutes=11)
    assert len(played(club)) == 1


def test_a_line_behind_a_draw_is_judged_when_it_is_played(club: Club) -> None:
    """Nobody can know before whether the turn goes on."""
    report, (first, second) = held(club)
    told = answered(club, report, first, second)
    assert f"{second} — held until" in told
    poll(club, minutes=11)
    ((_, body),) = played(club)
    assert first.split()[1] in body
    assert "Your turn was over before this could be played" in club.last(ALICE, "report").flat


def test_orders_behind_the_end_of_the_turn_are_refused_at_once(club: Club) -> None:
    """Everybody can see that they have no place in it."""
    report = begin(club)
    club.answer(report, "pass\nput 1 A1", ALICE)
    told = club.last(ALICE).flat
    assert "Held until" in told
    assert "What is not held is explained below." in told
    assert "pass — held" in told
    assert "Your turn was over before this order" in told


def test_the_same_orders_twice_are_held_once(club: Club) -> None:
    """The second letter holds them no longer than the first."""
    report = begin(club)
    club.answer(report, "pass", ALICE)
    club.later(minutes=5)
    club.mails(ALICE)
    told = answered(club, report, "pass")
    assert "Held until Sat 21 Nov 2026, 12:10" in told
    poll(club, minutes=6)
    assert len(played(club)) == 1


def test_a_receipt_tells_nothing_that_play_would_reveal(club: Club) -> None:
    """Peeking shows a hand: it is shown when it is played, and not before."""
    report = begin(club, edition=1)
    club.answer(report, "peek blue", ALICE)
    told = club.last(ALICE).flat
    assert "peek blue — held" in told
    assert "What happened" not in told
    poll(club, minutes=11)
    later = club.last(ALICE, "report").flat
    assert "Played, as you had ordered: peek blue" in later
    assert "It is your turn" in later


def test_time_is_not_up_while_orders_are_held(club: Club) -> None:
    """They came in time; but nothing is held past the end of it."""
    report = begin(club, per_turn=timedelta(hours=1), late="idle")
    poll(club, minutes=55)
    club.answer(report, "peek blue", ALICE)
    assert "held until" in club.last(ALICE).flat
    club.later(minutes=6)
    club.work()
    assert not played(club)
    poll(club, minutes=1)
    assert "peek" in played(club)[0][1]


def test_late_orders_are_played_at_once(club: Club) -> None:
    """Whoever withdrew them would be late again."""
    report = begin(club, per_turn=timedelta(hours=1))
    poll(club, minutes=61)
    club.answer(report, "pass", ALICE)
    assert club.match("pebbles-1").to_act == "blue"


def test_no_reminder_comes_while_orders_are_held(club: Club) -> None:
    report = begin(club, per_turn=timedelta(hours=2), reminders=(timedelta(hours=1),))
    poll(club, minutes=55)
    club.answer(report, "pass", ALICE)
    club.mails(ALICE)
    poll(club, minutes=6)
    assert not club.mails(ALICE)


def test_what_was_ordered_in_advance_waits_behind_what_is_held(club: Club) -> None:
    """A queue is for the turns after this one, and withdraw takes both back."""
    report = begin(club, edition=1)
    club.answer(report, "peek blue\nqueue pass", ALICE)
    club.work()
    assert not played(club)
    poll(club, minutes=11)
    assert [seat for seat, _ in played(club)] == ["red", "red"]


def test_a_players_own_grace_holds_their_orders_in_every_match(club: Club) -> None:
    """The longer of both terms counts; the others' orders are played at once."""
    report = begin(club, grace=timedelta(0))
    club.answer(report, "set grace 15m", ALICE)
    assert "From now on your orders are held for 15m" in club.last(ALICE).flat
    club.answer(report, "pass", ALICE)
    assert "Held until" in club.last(ALICE).flat
    poll(club, minutes=16)
    club.answer(club.last(BOB, "report"), "pass", BOB)
    assert len(played(club)) == 2


@pytest.mark.parametrize("value", ["nonsense", "13h", "-5m", "10"])
def test_a_grace_that_is_none_is_answered_with_good_ones(club: Club, value: str) -> None:
    """Nothing changes, and the answer says how it is written."""
    club.answer(begin(club), f"set grace {value}", ALICE)
    told = club.last(ALICE).flat
    assert f"“{value}” is no length of time" in told
    assert "10m, 1h" in told


def test_grace_is_set_off_in_german(club: Club) -> None:
    """The words of the setting are those of the player's language."""
    report = begin(club)
    club.answer(report, "einstellung sprache deutsch\neinstellung widerrufsfrist 5m", ALICE)
    assert "5m lang zurückgehalten" in club.last(ALICE).flat
    club.answer(report, "einstellung widerrufsfrist aus", ALICE)
    assert "sofort gespielt" in club.last(ALICE).flat
    with club.desk.reading() as change:
        alice = players.by_address(change.connection, ALICE)
        assert alice is not None
        assert grace_of(club.match("pebbles-1"), alice) == 10 * MINUTE


def test_a_pause_keeps_orders_held_and_lets_them_be_withdrawn(club: Club) -> None:
    """Nothing is played in a pause; afterwards they are."""
    report = begin(club)
    club.answer(report, "pass", ALICE)
    receipt = club.last(ALICE)
    apply_act(club.desk, Pause("pebbles-1"), "rain")
    poll(club, minutes=30)
    assert not played(club)
    club.answer(receipt, "withdraw", ALICE)
    assert "taken back" in club.last(ALICE).flat
    apply_act(club.desk, Resume("pebbles-1"), "sun")
    poll(club, minutes=30)
    assert not played(club)


def test_held_orders_are_played_after_a_pause(club: Club) -> None:
    report = begin(club)
    club.answer(report, "pass", ALICE)
    apply_act(club.desk, Pause("pebbles-1"), "rain")
    poll(club, minutes=30)
    apply_act(club.desk, Resume("pebbles-1"), "sun")
    poll(club, minutes=1)
    assert len(played(club)) == 1


def test_an_undo_ends_what_is_held(club: Club) -> None:
    """It was ordered for a position that is gone; its author is told."""
    report = begin(club)
    club.answer(report, "pass", ALICE)
    poll(club, minutes=11)
    club.answer(club.last(BOB, "report"), "pass", BOB)
    apply_act(club.desk, Undo("pebbles-1", 1), "slip")
    poll(club, minutes=11)
    assert "This was held and has ended" in club.last(BOB, "report").flat
    assert club.match("pebbles-1").to_act == "red"


def test_an_organiser_who_plays_for_the_seat_ends_what_is_held(club: Club) -> None:
    """It is not played in the next turn."""
    report = begin(club)
    club.answer(report, "pass", ALICE)
    apply_act(club.desk, Acting("pebbles-1", "red", [puts(report)[0]]), "by phone")
    told = club.last(ALICE, "notice").flat
    assert ("was still held and will not be played." in told, "pass" in told) == (True, False)
    assert "held" not in club.last(BOB, "notice").flat
    poll(club, minutes=1)
    club.answer(club.last(BOB, "report"), "pass", BOB)
    poll(club, minutes=30)
    assert [seat for seat, _ in played(club)] == ["red", "blue"]


def test_what_is_held_ends_even_if_the_turn_goes_on(club: Club) -> None:
    """Its player orders anew, knowing what was ordered for them."""
    club.answer(begin(club, edition=1), "pass", ALICE)
    apply_act(club.desk, Acting("pebbles-1", "red", ["peek blue"]), "by phone")
    told = club.last(ALICE, "notice").flat
    assert ("was still held and will not be played." in told, "pass" in told) == (True, False)
    poll(club, minutes=30)
    assert [seat for seat, _ in played(club)] == ["red"]
    assert club.match("pebbles-1").to_act == "red"


def test_the_end_of_a_match_ends_what_is_held(club: Club) -> None:
    """Nothing is played after it."""
    club.answer(begin(club), "pass", ALICE)
    apply_act(club.desk, End("pebbles-1"), "no time")
    poll(club, minutes=30)
    assert not played(club)


def test_another_holder_of_the_seat_does_not_inherit_what_is_held(club: Club) -> None:
    """Whoever resigns has withdrawn it."""
    report = begin(club)
    club.answer(report, "pass", ALICE)
    club.answer(report, "resign", ALICE)
    poll(club, minutes=30)
    assert not any('"pass"' in body for seat, body in played(club) if seat == "red")


def test_a_match_that_cannot_read_its_mail_does_not_play_what_is_held(club: Club) -> None:
    """A withdraw may lie in the mailbox."""
    club.answer(begin(club), "pass", ALICE)
    club.later(hours=3)
    club.work()
    assert not played(club)
    poll(club, minutes=1)
    assert len(played(club)) == 1


def test_letters_read_again_after_a_restore_find_the_match_as_they_did(club: Club) -> None:
    """What was held was played before a later letter came, so it is before that is handled."""
    report = begin(club)
    club.answer(report, "pass", ALICE)
    with club.desk.store.writing() as connection:
        health.ask_rereading(connection, club.desk.now())
    agenda.catch_up(club.desk, club.desk.now() + 30 * MINUTE)
    assert not played(club), "no letter comes from the future"
    club.later(minutes=9)
    agenda.catch_up(club.desk, club.desk.now())
    assert not played(club)
    club.later(minutes=2)
    club.work()
    assert not played(club)
    agenda.catch_up(club.desk, club.desk.now())
    assert len(played(club)) == 1
    assert club.last(BOB, "report").turn_file["to_act"] == "blue"


def test_the_grace_counts_from_the_arrival(club: Club) -> None:
    """A letter that was read late is held no longer for it."""
    report = begin(club)
    arrived = club.desk.now()
    club.later(hours=1)
    health.note_poll(club.desk, club.desk.now())
    text = letter(ALICE, "pass", answers=report.message["Message-ID"], number=78)
    club.put(text, arrived=arrived)
    club.work()
    assert len(played(club)) == 1


def test_undo_withdraws_what_is_held(club: Club) -> None:
    """What has not been played needs nobody's consent, and is withdrawn."""
    report = begin(club)
    club.answer(report, "pass", ALICE)
    club.answer(report, "undo", ALICE)
    assert "Nothing of yours waits now" in club.last(ALICE).flat


def test_an_invitation_names_the_grace(club: Club) -> None:
    """Whoever agrees knows how long orders are held."""
    club.new_match("pebbles", *SEATS, begins=False, grace=10 * MINUTE)
    assert "For 10 minutes after a mail its orders are held" in club.last(ALICE).flat


def test_an_answer_to_another_seat_s_order_is_held_too(club: Club) -> None:
    """It is given within that turn, and the rest of the turn waits for it."""
    report = begin(club, edition=2)
    club.answer(report, "peek blue\npass", ALICE)
    poll(club, minutes=11)
    asked = club.last(BOB, "report")
    club.answer(asked, "let", BOB)
    poll(club, minutes=1)
    assert len(played(club)) == 1
    poll(club, minutes=11)
    assert [seat for seat, _ in played(club)] == ["red", "blue", "red"]


def test_the_organiser_sees_that_something_is_held_and_not_what(club: Club) -> None:
    """Whoever plays along must not learn it from a list."""
    report = begin(club)
    club.answer(report, "pass", ALICE)
    with club.desk.reading() as change:
        shown = look_at_match(change, "pebbles-1", "blue", None)
        assert isinstance(shown, Begun)
        document, lines = shown.document(), "\n".join(shown.lines())
    assert document["held_until"] == stamp(club.desk.now() + 10 * MINUTE)
    assert "red has ordered; that is held until" in lines
    assert "pass" not in lines.lower()


def test_what_became_of_a_held_submission_is_noted(club: Club) -> None:
    """As accepted with its events, or as withdrawn."""
    report = begin(club)
    club.answer(report, "pass", ALICE)
    club.answer(report, "withdraw", ALICE)
    club.answer(report, "pass", ALICE)
    poll(club, minutes=11)
    with club.desk.reading() as change:
        of = submissions.submissions_of
        found = [each for n in (1, 2, 3) for each in of(change.connection, n)]
    assert [each.outcome for each in found] == ["withdrawn", "accepted", "accepted"]
    assert found[2].first_seq is not None


def test_nothing_held_means_nothing_found(club: Club) -> None:
    """Without a seat to act there is nobody who could have ordered."""
    begin(club)
    with club.desk.reading() as change:
        loaded = load_match(change, club.match("pebbles-1"))
        assert held_orders(change.connection, loaded, None) is None
        assert held_orders(change.connection, loaded, "red") is None
    assert REFEREE


@pytest.mark.parametrize("word", ["cancel", "withdraw"])
def test_a_letter_does_not_cancel_the_orders_it_holds(club: Club, word: str) -> None:
    """Behind a queue it takes that back, as the receipt says, and the others are played."""
    report = begin(club)
    club.answer(report, f"pass\nqueue {puts(report)[0]}\n{word}", ALICE)
    receipt = club.last(ALICE, "receipt").flat
    assert "Held until" in receipt
    assert f"· {word} — taken back: {puts(report)[0]}" in receipt
    poll(club, minutes=11)
    assert [seat for seat, _ in played(club)] == ["red"]
