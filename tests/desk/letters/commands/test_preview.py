"""Orders that are tried, in and out of turn, and orders that wait for their player's yes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from support.club import Club, Mail, letter

from referee.desk import health
from referee.desk.desk import stamp
from referee.desk.matches.standing_orders import MOST_QUEUED
from referee.desk.plans import act
from referee.desk.plans.pause import Pause, Resume
from referee.store.play import matches

pytestmark = pytest.mark.fast

ALICE, BOB = "alice@example.test", "bob@example.test"
SEATS = (f"red={ALICE}", f"blue={BOB}")


def begin(club: Club, game: str = "pebbles", **agreed: Any) -> Mail:
    """Begin a match; return alice's first report, which has left."""
    club.new_match(game, *SEATS, **agreed)
    club.work()
    return club.last(ALICE, "report")


def confirming(club: Club, **agreed: Any) -> Mail:
    """Begin a match in which alice wants to confirm; return her first report."""
    report = begin(club, **agreed)
    club.answer(report, "set confirm on", ALICE)
    assert "count only when you answer “yes”" in words(club.last(ALICE))
    return report


def waiting_player(club: Club) -> Mail:
    """Begin a match in which both players want to confirm; return bob's report, who waits."""
    confirming(club)
    report = club.last(BOB, "report")
    club.answer(report, "set confirm on", BOB)
    club.mails(BOB)
    return report


def words(mail: Mail) -> str:
    """Return the text of a mail on one line."""
    return " ".join(mail.text.split())


def log(club: Club) -> list[str]:
    """Return the orders that were played."""
    with club.desk.reading() as change:
        rows = matches.events(change.connection, club.match("pebbles-1").id)
    return [each.body for each in rows if each.kind == "order"]


def waiting(club: Club) -> list[str]:
    """Return the orders in advance that wait."""
    with club.desk.reading() as change:
        rows = matches.standing_orders_of(change.connection, club.match("pebbles-1").id)
    return [each.text for each in rows]


def test_a_preview_out_of_turn_tries_the_board_as_it_stands(club: Club) -> None:
    """It says whose turn it is, plays nothing, and draws nothing."""
    begin(club)
    report = club.last(BOB, "report")
    before = club.match("pebbles-1")
    club.answer(report, "preview\npass", BOB)
    told = words(club.last(BOB, "answer"))
    assert "These orders would be accepted if it were your turn. Nothing was played." in told
    assert "to play them" not in told
    assert "It is not your turn. They were tried as if it were" in told
    assert club.match("pebbles-1") == before


@pytest.mark.parametrize(
    ("order", "title"),
    [("pass", "The board as it would be"), ("put 9 A1", "The board")],
)
def test_a_preview_says_that_its_board_is_not_the_present_one(
    club: Club, order: str, title: str
) -> None:
    """Where nothing would be accepted, it is."""
    begin(club)
    club.answer(club.last(BOB, "report"), f"preview\n{order}", BOB)
    mail = club.last(BOB, "answer")
    assert f"{title}:" in mail.text.splitlines()
    assert f">{title}</" in mail.html


def test_a_preview_out_of_turn_refuses_what_the_rules_do(club: Club) -> None:
    """With the reason, as on one's own turn."""
    begin(club)
    club.answer(club.last(BOB, "report"), "preview\nput 9 A1", BOB)
    told = words(club.last(BOB, "answer"))
    assert "put 9 A1" in told
    assert "would be refused: " in told


def test_a_queue_can_be_tried_out_of_turn(club: Club) -> None:
    """Nothing is queued by it."""
    begin(club)
    report = club.last(BOB, "report")
    club.answer(report, "preview\nqueue pass", BOB)
    assert "These orders would be accepted" in words(club.last(BOB, "answer"))
    with club.desk.reading() as change:
        assert not matches.standing_orders_of(change.connection, club.match("pebbles-1").id)


def test_no_preview_goes_into_an_interrupted_turn(club: Club) -> None:
    """What could be done depends on the answer that is awaited."""
    report = begin(club)
    club.answer(report, "peek blue", ALICE)
    club.work()
    club.answer(report, "preview\npass", ALICE)
    assert "Nothing was tried: it is not your turn" in words(club.last(ALICE, "answer"))


@pytest.mark.parametrize("game", ["nord", "origo"])
def test_the_games_can_be_tried_out_of_turn(club: Club, game: str) -> None:
    """Their documents say whose turn it is, so another one's can be imagined."""
    second = "green" if game == "nord" else "blue"
    club.new_match(game, f"red={ALICE}", f"{second}={BOB}")
    club.work()
    row = club.match(f"{game}-1")
    waits, acts = (ALICE, BOB) if row.to_act != "red" else (BOB, ALICE)
    line = club.last(acts, "report").turn_file["legal"][0]
    club.answer(club.last(waits, "report"), f"preview\n{line}", waits)
    told = words(club.last(waits, "answer"))
    assert "tried as if it were" in told
    assert club.match(f"{game}-1").seq == row.seq


def test_orders_wait_for_a_yes(club: Club) -> None:
    """They are shown as they would be played; the clock counts to the yes."""
    report = confirming(club)
    club.answer(report, "pass", ALICE)
    asked = club.last(ALICE)
    assert "these orders wait for your “yes”" in words(asked)
    assert "pass" in words(asked)
    assert "%0D%0Ayes%0D%0A" in asked.html
    assert not log(club)
    club.later(hours=2)
    arrived = stamp(club.desk.now())
    club.answer(asked, "yes", ALICE)
    (body,) = log(club)
    assert f'"arrival":"{arrived}"' in body
    assert "pass — accepted" in words(club.last(ALICE, "receipt"))


def test_a_no_leaves_everything_as_it_is(club: Club) -> None:
    """The question is settled; a later yes plays nothing."""
    report = confirming(club)
    club.answer(report, "pass", ALICE)
    asked = club.last(ALICE)
    club.answer(asked, "no", ALICE)
    club.mails(ALICE)
    club.answer(asked, "yes", ALICE)
    assert not log(club)
    assert club.last(ALICE)


def test_a_yes_clicked_twice_plays_once(club: Club) -> None:
    """The second one is told that the question is settled."""
    report = confirming(club)
    club.answer(report, "pass", ALICE)
    asked = club.last(ALICE)
    club.answer(asked, "yes", ALICE)
    club.mails(ALICE)
    club.answer(asked, "yes", ALICE)
    assert len(log(club)) == 1
    assert club.last(ALICE).kind == "answer"


def test_other_orders_in_answer_are_asked_about_anew(club: Club) -> None:
    """The yes to the first question then plays nothing, the one to the second does."""
    report = confirming(club)
    first, second = [each for each in report.turn_file["legal"] if each.startswith("put")][:2]
    club.answer(report, first, ALICE)
    asked = club.last(ALICE)
    club.answer(asked, f"yes\n{second}", ALICE)
    anew = club.last(ALICE)
    assert second in words(anew)
    club.answer(asked, "yes", ALICE)
    assert not log(club)
    club.answer(anew, "yes", ALICE)
    assert second.split()[2] in log(club)[0]


def test_a_yes_with_the_same_orders_is_a_yes(club: Club) -> None:
    """Many people write both."""
    report = confirming(club)
    club.answer(report, "pass", ALICE)
    club.answer(club.last(ALICE), "yes\npass", ALICE)
    assert len(log(club)) == 1
    assert [mail.kind for mail in club.mails(ALICE)] == ["receipt"]


def test_a_yes_after_the_turn_is_told_so(club: Club) -> None:
    """Nothing is played in a turn it was not meant for."""
    report = confirming(club, late="idle", per_turn=timedelta(hours=1), reminders=())
    club.answer(report, "pass", ALICE)
    asked = club.last(ALICE)
    club.later(hours=30)
    with club.desk.writing() as change:
        row = matches.get_match(change.connection, club.match("pebbles-1").id)
        matches.change_match(change.connection, row.id, turn_began_seq=row.turn_began_seq + 1)
    club.answer(asked, "yes", ALICE)
    assert not log(club)
    assert "Nothing changed" in words(club.last(ALICE))


def test_refused_orders_need_no_yes(club: Club) -> None:
    """They are refused at once, as ever."""
    report = confirming(club)
    club.answer(report, "put 9 A1", ALICE)
    assert "put 9 A1 — refused" in words(club.last(ALICE, "receipt"))


def test_a_confirmed_order_is_held_for_its_grace(club: Club) -> None:
    """Both may be wanted."""
    report = confirming(club, grace=timedelta(minutes=5))
    club.answer(report, "pass", ALICE)
    club.answer(club.last(ALICE), "yes", ALICE)
    assert "are held until" in words(club.last(ALICE, "receipt"))
    assert not log(club)


@pytest.mark.parametrize(
    "queue",
    ["then queue:", "- queue", "please queue", "Queue:", "einreihen", "bitte einreihen:"],
)
def test_a_confirmed_queue_stays_a_queue(club: Club, queue: str) -> None:
    """However its line was dressed, a yes plays only what stands outside of it."""
    report = confirming(club)
    first, second = [each for each in report.turn_file["legal"] if each.startswith("put")][:2]
    club.answer(report, f"{queue}\n{first}\n{second}\nend\npass", ALICE)
    asked = club.last(ALICE)
    assert f"queue {first}; {second}" in words(asked)
    club.answer(asked, "yes", ALICE)
    (body,) = log(club)
    assert '"order":"pass"' in body
    assert waiting(club) == [f"{first}\n{second}"]


def test_a_confirmed_queue_of_one_line_stays_a_queue(club: Club) -> None:
    """It is kept as a line of its own as well."""
    report = confirming(club)
    line = next(each for each in report.turn_file["legal"] if each.startswith("put"))
    club.answer(report, f"- queue {line}\npass", ALICE)
    club.answer(club.last(ALICE), "yes", ALICE)
    assert len(log(club)) == 1
    assert waiting(club) == [line]


def test_a_receipt_words_a_queue_by_its_keyword(club: Club) -> None:
    """Words of courtesy before it are no part of the order."""
    report = begin(club)
    line = next(each for each in report.turn_file["legal"] if each.startswith("put"))
    club.answer(report, f"then queue:\n{line}\nend\npass", ALICE)
    told = words(club.last(ALICE, "receipt"))
    assert f"queue {line} — noted for later" in told
    assert "then" not in told.split("noted for later")[0]


def held_then_confirming(club: Club) -> tuple[Mail, str]:
    """Have alice's pass held for ten minutes, then confirming set on; return an order, too."""
    report = begin(club, grace=timedelta(minutes=10), reminders=())
    club.answer(report, "pass", ALICE)
    club.answer(report, "set confirm on", ALICE)
    club.mails(ALICE)
    return report, next(each for each in report.turn_file["legal"] if each.startswith("put"))


def after_the_grace(club: Club) -> None:
    """Let more than ten minutes pass, and do what is due."""
    club.later(minutes=11)
    health.note_poll(club.desk, club.desk.now())
    club.work()


def test_withdraw_counts_before_the_rest_is_asked_about(club: Club) -> None:
    """The question tells that it is done; the yes plays only the other orders."""
    report, line = held_then_confirming(club)
    club.answer(report, f"withdraw\n{line}", ALICE)
    asked = club.last(ALICE)
    assert "withdraw: taken back" in words(asked)
    assert not waiting(club)
    after_the_grace(club)
    assert not log(club)
    club.answer(asked, "yes", ALICE)
    assert waiting(club) == [line]
    after_the_grace(club)
    (body,) = log(club)
    assert line.split()[2] in body


def test_a_cancelled_number_counts_before_the_rest_is_asked_about(club: Club) -> None:
    """The question tells that it is done."""
    report, _ = held_then_confirming(club)
    club.answer(report, "queue pass", ALICE)
    club.answer(club.last(ALICE), "yes", ALICE)
    club.answer(report, "cancel 2\npass", ALICE)
    assert "cancel 2: taken back" in words(club.last(ALICE))
    assert not waiting(club)


@pytest.mark.parametrize(("said", "plays"), [("yes", "put"), ("no", "pass")])
def test_what_waits_behind_held_orders_does_not_act_while_others_are_asked_about(
    club: Club, said: str, plays: str
) -> None:
    """It goes on after the answer: behind the other orders, or in their place."""
    report, line = held_then_confirming(club)
    club.answer(report, "queue pass", ALICE)
    club.answer(club.last(ALICE), "yes", ALICE)
    club.answer(report, line, ALICE)
    asked = club.last(ALICE)
    after_the_grace(club)
    assert not log(club)
    club.answer(asked, said, ALICE)
    after_the_grace(club)
    assert f'"order":"{plays}' in log(club)[0]


def test_orders_that_wait_for_a_yes_replace_what_is_held(club: Club) -> None:
    """It is not played meanwhile, nor after a no, and the question says so."""
    report, line = held_then_confirming(club)
    club.answer(report, line, ALICE)
    asked = club.last(ALICE)
    assert "They replace the orders that were held before" in words(asked)
    club.answer(asked, "no", ALICE)
    after_the_grace(club)
    assert not log(club)
    assert not waiting(club)


def test_orders_that_are_held_already_need_no_other_yes(club: Club) -> None:
    """Sent once more, in answer to another mail, they stay as they are."""
    report, _ = held_then_confirming(club)
    club.answer(report, "show", ALICE)
    club.answer(club.last(ALICE, "answer"), "pass", ALICE)
    assert club.last(ALICE).kind == "receipt"
    assert waiting(club) == ["pass"]


def test_above_the_limits_orders_are_still_asked_about(club: Club) -> None:
    """Neither played nor asked about they would be lost; asked again they need no second mail."""
    report = confirming(club)
    club.desk = replace(club.desk, answers_per_hour=1, answers_per_day=1)
    club.answer(report, "help", ALICE)
    club.mails(ALICE)
    club.answer(report, "help", ALICE)
    assert not club.mails(ALICE)
    club.answer(report, "pass", ALICE)
    (asked,) = club.mails(ALICE)
    club.answer(report, "pass", ALICE)
    assert not club.mails(ALICE)
    club.answer(asked, "yes", ALICE)
    assert len(log(club)) == 1


def test_confirming_is_set_off_in_german(club: Club) -> None:
    """The words are those of the language."""
    report = confirming(club)
    club.answer(report, "einstellung sprache deutsch", ALICE)
    club.answer(report, "pass", ALICE)
    asked = club.last(ALICE)
    assert "warten auf dein „ja“" in words(asked)
    club.answer(asked, "ja", ALICE)
    assert len(log(club)) == 1
    club.answer(report, "einstellung bestätigen aus", ALICE)
    assert "ohne weiteres Ja" in words(club.last(ALICE))


def puts(mail: Mail) -> list[str]:
    """Return the orders to put a pebble that a report's turn file lists."""
    return [each for each in mail.turn_file["legal"] if each.startswith("put")]


def test_orders_in_advance_wait_for_a_yes_as_well(club: Club) -> None:
    """They are tried on the board as it stands, and stand only after the yes."""
    report = waiting_player(club)
    club.answer(report, "queue put 1 A1", BOB)
    asked = club.last(BOB)
    assert "Nothing has been noted in pebbles-1 yet" in words(asked)
    assert "put 1 A1 — would be accepted" in words(asked)
    assert "The board as it would be:" in asked.text.splitlines()
    assert not waiting(club)
    club.answer(asked, "yes", BOB)
    assert waiting(club) == ["put 1 A1"]
    assert "queue put 1 A1 — noted for later" in words(club.last(BOB, "receipt"))


def test_orders_in_advance_that_could_not_be_played_now_are_asked_about(club: Club) -> None:
    """The board may change until then; the question tells the reason of today."""
    report = confirming(club)
    line = puts(report)[0]
    club.answer(report, line, ALICE)
    club.answer(club.last(ALICE), "yes", ALICE)
    club.work()
    club.answer(report, f"queue {line}", ALICE)
    asked = club.last(ALICE)
    assert f"{line} — would be refused: " in words(asked)
    club.answer(asked, "yes", ALICE)
    assert waiting(club) == [line]


def test_what_takes_back_orders_in_advance_needs_no_yes(club: Club) -> None:
    """It is done at once, as it can do no harm."""
    report = confirming(club)
    club.answer(report, "pass", ALICE)
    club.answer(club.last(ALICE), "yes", ALICE)
    club.work()
    club.answer(report, "queue pass", ALICE)
    club.answer(club.last(ALICE), "yes", ALICE)
    assert waiting(club) == ["pass"]
    club.answer(report, "cancel", ALICE)
    assert not waiting(club)


def test_orders_in_advance_asked_about_hold_up_no_others(club: Club) -> None:
    """What was confirmed before is played in its turn, and each yes adds its own."""
    mine = confirming(club)
    report = club.last(BOB, "report")
    club.answer(report, "set confirm on", BOB)
    club.mails(BOB)
    for line in ("queue put 1 A1", "queue pass"):
        club.answer(report, line, BOB)
    first, second = club.mails(BOB)
    club.answer(first, "yes", BOB)
    assert waiting(club) == ["put 1 A1"]
    club.answer(mine, "pass", ALICE)
    club.answer(club.last(ALICE), "yes", ALICE)
    club.work()
    assert len(log(club)) == 2, "what bob confirmed has not been played"
    club.answer(second, "yes", BOB)
    assert "queue pass — played at once" in words(club.last(BOB))


def test_orders_in_advance_that_are_noted_already_need_no_other_yes(club: Club) -> None:
    """Sent once more they stay as they are."""
    confirming(club)
    report = club.last(BOB, "report")
    club.answer(report, "queue pass", BOB)
    club.answer(report, "set confirm on", BOB)
    club.answer(report, "queue pass", BOB)
    assert club.last(BOB).kind == "receipt"
    assert waiting(club) == ["pass"]


def test_a_yes_with_more_orders_in_advance_asks_about_those_alone(club: Club) -> None:
    """The first ones stand, the others wait."""
    report = waiting_player(club)
    club.answer(report, "queue put 1 A1", BOB)
    club.answer(club.last(BOB), "yes\nqueue pass", BOB)
    assert waiting(club) == ["put 1 A1"]
    asked = club.last(BOB, "answer")
    assert "pass — would be accepted" in words(asked)
    club.answer(asked, "yes", BOB)
    assert waiting(club) == ["put 1 A1", "pass"]


def test_orders_in_advance_that_find_room_by_a_cancellation_wait_for_a_yes(club: Club) -> None:
    """The same letter takes back what had filled the queue."""
    confirming(club)
    report = club.last(BOB, "report")
    many = "\n".join(["pass"] * MOST_QUEUED)
    club.answer(report, f"queue\n{many}\nend", BOB)
    club.answer(report, "set confirm on", BOB)
    club.answer(report, "cancel\nqueue put 1 A1", BOB)
    assert not waiting(club)
    club.answer(club.last(BOB), "yes", BOB)
    assert waiting(club) == ["put 1 A1"]


def test_a_cancellation_beside_a_yes_is_asked_back(club: Club) -> None:
    """It may mean what stands, or what the yes is about."""
    confirming(club)
    report = club.last(BOB, "report")
    club.answer(report, "queue pass", BOB)
    club.answer(report, "set confirm on", BOB)
    club.answer(report, "queue put 1 A1", BOB)
    asked = club.last(BOB)
    club.answer(asked, "cancel\nyes", BOB)
    assert "Nothing was done: your mail says “yes”, but also “cancel”." in words(club.last(BOB))
    assert waiting(club) == ["pass"]
    club.answer(asked, "yes\ncancel 1", BOB)
    assert waiting(club) == ["put 1 A1"]


def test_a_queue_asked_about_in_its_turn_tells_that_time_runs(club: Club) -> None:
    """A yes plays it at once."""
    report = confirming(club)
    club.answer(report, "queue pass", ALICE)
    asked = club.last(ALICE)
    assert "Your time runs until then." in words(asked)
    assert "until your turn it may change" not in words(asked)
    club.answer(asked, "yes", ALICE)
    assert len(log(club)) == 1


@pytest.mark.parametrize("line", ["withdraw", "cancel", "please withdraw"])
@pytest.mark.parametrize("to_question", [True, False])
def test_what_takes_everything_back_takes_what_is_asked_about(
    club: Club, line: str, to_question: bool
) -> None:
    """Whatever mail it answers; a yes to the question then notes nothing."""
    report = waiting_player(club)
    club.answer(report, "queue put 1 A1", BOB)
    asked = club.last(BOB)
    club.answer(asked if to_question else report, line, BOB)
    assert f"{line} — taken back: put 1 A1" in words(club.last(BOB, "receipt"))
    club.answer(asked, "yes", BOB)
    assert not waiting(club)


def test_withdraw_takes_back_orders_of_a_turn_that_wait_for_a_yes(club: Club) -> None:
    """What stands in advance acts again, and others are asked about alone."""
    report = confirming(club)
    club.answer(report, "pass", ALICE)
    asked = club.last(ALICE)
    line = puts(report)[0]
    club.answer(report, f"withdraw\n{line}", ALICE)
    anew = club.last(ALICE)
    assert "withdraw: taken back: pass" in words(anew)
    club.answer(asked, "yes", ALICE)
    assert not log(club)
    club.answer(anew, "yes", ALICE)
    assert line.split()[2] in log(club)[0]


def test_withdraw_leaves_answers_in_advance_that_wait_for_a_yes(club: Club) -> None:
    """As it leaves those that stand."""
    report = waiting_player(club)
    club.answer(report, "guard never", BOB)
    asked = club.last(BOB)
    club.answer(report, "withdraw", BOB)
    club.mails(BOB)
    club.answer(asked, "yes", BOB)
    assert waiting(club) == ["guard never"]


@pytest.mark.parametrize("doubt", ["actually no, wait", "not sure about it", "Just kidding!", "no"])
def test_a_yes_beside_a_doubt_is_asked_back(club: Club, doubt: str) -> None:
    """As orders beside it are only tried; the question waits for a yes that stands alone."""
    report = confirming(club)
    club.answer(report, "pass", ALICE)
    asked = club.last(ALICE)
    club.answer(asked, f"yes\n{doubt}", ALICE)
    assert f"your mail says “yes”, but also “{doubt}”." in words(club.last(ALICE))
    assert not log(club)
    club.answer(asked, "yes\nthanks!", ALICE)
    assert len(log(club)) == 1


@pytest.mark.parametrize("answered", ["yes\nqueue put 1 A1", "queue put 1 A1\nyes"])
def test_a_yes_to_orders_of_a_turn_plays_them_beside_a_queue(club: Club, answered: str) -> None:
    """The queue is asked about."""
    report = confirming(club)
    club.answer(report, "pass", ALICE)
    club.answer(club.last(ALICE), answered, ALICE)
    assert len(log(club)) == 1
    (asked,) = (each for each in club.mails(ALICE) if "Nothing has been noted" in words(each))
    club.answer(asked, "yes", ALICE)
    assert waiting(club) == ["put 1 A1"]


@pytest.mark.parametrize("line", ["withdraw", "cancel", "queue put 1 A2", "put 1 A2"])
@pytest.mark.parametrize("asked_about", ["queue put 1 A1", "put 1 A1"])
def test_a_no_counts_beside_other_orders(club: Club, line: str, asked_about: str) -> None:
    """A later yes to the same question does nothing."""
    report = confirming(club)
    club.answer(report, asked_about, ALICE)
    asked = club.last(ALICE)
    club.answer(asked, f"no\n{line}", ALICE)
    club.mails(ALICE)
    club.answer(asked, "yes", ALICE)
    assert "has been answered already" in words(club.last(ALICE))
    assert not log(club)
    assert not waiting(club)


def test_other_orders_in_advance_above_a_yes_are_asked_about_alone(club: Club) -> None:
    """The yes may mean them; what was asked about before waits as well."""
    report = waiting_player(club)
    club.answer(report, "queue put 1 A1", BOB)
    asked = club.last(BOB)
    club.answer(asked, "queue put 1 B1\nyes", BOB)
    assert not waiting(club)
    club.answer(club.last(BOB), "yes", BOB)
    assert waiting(club) == ["put 1 B1"]
    club.answer(asked, "yes", BOB)
    assert waiting(club) == ["put 1 B1", "put 1 A1"]


def test_a_cancellation_with_the_same_orders_again_asks_once(club: Club) -> None:
    """Above the limits no second question goes out."""
    report = confirming(club)
    club.desk = replace(club.desk, answers_per_hour=1, answers_per_day=1)
    for _ in range(4):
        club.answer(report, "withdraw\npass", ALICE)
    (asked,) = club.mails(ALICE)
    club.answer(asked, "yes", ALICE)
    assert len(log(club)) == 1


def test_a_withdrawal_counts_as_of_its_arrival(club: Club) -> None:
    """A daemon that was away carries it out before the yes that came after it."""
    report = waiting_player(club)
    club.answer(report, "queue put 1 A1", BOB)
    asked = club.last(BOB)
    club.later(days=6, hours=20)
    arrived = club.desk.now()
    club.later(hours=10)
    for number, (text, mail) in enumerate((("withdraw", report), ("yes", asked)), start=901):
        quoted = "".join(f"> {line}\n" for line in mail.text.splitlines())
        raw = letter(BOB, f"{text}\n\nThe referee wrote:\n{quoted}",
                     answers=mail.message["Message-ID"], number=number)  # fmt: skip
        club.put(raw, arrived=arrived)
    assert not waiting(club)
    assert "taken back: put 1 A1" in words(club.last(BOB, "receipt"))


def test_a_withdrawal_reads_no_other_match(club: Club) -> None:
    """Its game may be gone."""
    report = confirming(club)
    club.answer(report, "queue pass", ALICE)
    club.mails(ALICE)
    club.new_match("nord", f"red={ALICE}", f"green={BOB}")
    club.work()
    other = club.last(ALICE, "report")

    def find(name: str, edition: str | None = None) -> Any:
        assert name != "pebbles"
        return found(name, edition)

    found = club.desk.find_game
    club.desk = replace(club.desk, find_game=find)
    club.answer(other, "withdraw", ALICE)
    assert "You have no orders held" in words(club.last(ALICE))


def test_a_yes_in_a_pause_is_not_spent(club: Club) -> None:
    """The question waits until the match goes on."""
    report = waiting_player(club)
    club.answer(report, "queue put 1 A1", BOB)
    asked = club.last(BOB)
    with club.desk.writing() as change:
        act.enact(change, Pause("pebbles-1"), "lunch")
    club.mails(BOB)
    club.answer(asked, "yes", BOB)
    assert "pebbles-1 is paused" in words(club.last(BOB))
    with club.desk.writing() as change:
        act.enact(change, Resume("pebbles-1"), "back")
    club.answer(asked, "yes", BOB)
    assert waiting(club) == ["put 1 A1"]


def test_a_yes_said_twice_is_told_that_it_was_heard(club: Club) -> None:
    """A link clicked twice does nothing more, and raises no fear."""
    report = confirming(club)
    club.answer(report, "pass", ALICE)
    asked = club.last(ALICE)
    club.answer(asked, "yes", ALICE)
    club.mails(ALICE)
    club.answer(asked, "yes\n\nthanks", ALICE)
    assert "you have said “yes” to this question before" in words(club.last(ALICE))
    assert len(log(club)) == 1


@pytest.mark.parametrize(
    "talk", ["Please pass as shown.", "Thanks, I wanted to put 1 A1 there.", "Oops, sorry for it!"]
)
def test_a_yes_with_talk_beside_it_counts(club: Club, talk: str) -> None:
    """It holds nothing that may turn it round."""
    report = confirming(club)
    club.answer(report, "put 1 A1", ALICE)
    club.answer(club.last(ALICE), f"yes\n{talk}", ALICE)
    assert len(log(club)) == 1
