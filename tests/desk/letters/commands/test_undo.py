"""Undo by mail: one asks, the others agree, decline or keep silent."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select
from support.club import Club, Mail, letter

from referee.desk import health
from referee.desk.matches import ledger
from referee.desk.plans.plan import apply_act
from referee.desk.plans.seat import HandOver
from referee.desk.service import chores
from referee.matches.events import Event
from referee.render.words.wording import Catalogue
from referee.store import tables as t
from referee.store.people import questions
from referee.store.play import matches

ALICE, BOB, CARO = "alice@example.test", "bob@example.test", "caro@example.test"
NAME = "pebbles-1"


def passed(club: Club, *more: str) -> Mail:
    """Begin a match in which red passes, and return blue's report."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", *more)
    club.work()
    club.answer(club.last(ALICE, "report"), "pass", ALICE)
    club.work()
    return club.last(BOB, "report")


def asked(club: Club, *more: str) -> tuple[Mail, Mail]:
    """Let red pass and ask to take it back; return the question to blue and red's answer."""
    passed(club, *more)
    club.answer(club.last(ALICE), "undo", ALICE)
    return club.last(BOB, "notice"), club.last(ALICE, "answer")


def log(club: Club) -> list[Event]:
    """Return the events of the match."""
    with club.desk.store.reading() as connection:
        return ledger.log_of(connection, club.match(NAME))


def test_undo_all_agree_to_is_done(club: Club) -> None:
    """The question names the turn and has a box; with the last yes the turn is taken back."""
    question, answer = asked(club)
    assert "asks to take back what was played since turn 1 began" in question.flat
    assert "=== pebbles-1 · turn 2 · blue" in question.text
    assert "bob is asked to agree" in answer.flat
    club.answer(question, "agree", BOB)
    club.work()
    row = club.match(NAME)
    assert (row.turn, row.to_act) == (1, "red")
    event = log(club)[-1]
    assert (event.kind, event.details["by"]) == ("undo", "red")
    assert "All players have agreed to what red asked for" in club.last(ALICE, "report").flat
    assert "All have, so it is done." in club.last(BOB, "answer").flat


@pytest.mark.parametrize(
    "text",
    [
        *("undo please, I meant {order}", "Please undo. I meant {order}", "Undo, I wanted {order}"),
        *("Bitte zurücknehmen, ich wollte {order}", "Can I take that back? I meant {order}"),
    ],
)
def test_a_takeback_with_the_order_that_was_meant_plays_and_asks_nothing_else(
    club: Club, text: str
) -> None:
    """Whosever turn it is, its writer is told how to take back first."""
    passed(club)
    club.answer(club.last(ALICE), text.format(order="put 1 A1"), ALICE)
    told = club.last(ALICE, "answer").flat
    assert "undo" in told
    assert "not your turn" not in told
    assert club.match(NAME).turn == 2


def test_who_is_asked_to_agree_reads_what_would_be_taken_back(club: Club) -> None:
    """In sentences, as reports tell it."""
    question, _ = asked(club)
    assert "This would be taken back: · Red passed." in question.flat


@pytest.mark.parametrize(
    "text", ["Yes. You can take it back.", "Sure, no problem", "Klar, kein Problem!", "Fine by me"]
)
def test_a_yes_may_speak_of_taking_back(club: Club, text: str) -> None:
    """That is what was asked."""
    question, _ = asked(club)
    club.answer(question, text, BOB)
    assert club.match(NAME).turn == 1


@pytest.mark.parametrize("text", ["I accept the draw", "Ich nehme das Remis an", "Draw agreed!"])
def test_a_yes_to_a_draw_takes_nothing_back(club: Club, text: str) -> None:
    """Nobody has offered one, so its writer is asked what they mean."""
    question, _ = asked(club)
    club.answer(question, text, BOB)
    assert club.match(NAME).turn == 2
    assert "You have agreed" not in club.last(BOB, "answer").flat


@pytest.mark.parametrize(
    "text",
    ["Yes. Take it back, but only if I may, too.", "Sure! No, wait.", "Of course you may, Alice."],
)
def test_who_says_neither_yes_nor_no_is_told_what_is_asked(club: Club, text: str) -> None:
    """And nothing is taken back."""
    question, _ = asked(club)
    club.answer(question, text, BOB)
    assert club.match(NAME).turn == 2
    told = club.last(BOB, "answer").flat
    assert "agree" in told
    assert "turn 1 is taken back" in told or "your mail says" in told


@pytest.mark.parametrize(
    ("language", "promises"),
    [("en", ("follows", "on its way", "get a report")), ("de", ("folgt", "unterwegs", "Bericht"))],
)
def test_no_answer_promises_a_report_that_waits(
    club: Club, language: str, promises: tuple[str, ...]
) -> None:
    """Who wants those of their own turns alone gets none of a match that begins, or is set back."""
    other = f"green={CARO}"
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", other, begins=False)
    first = club.last(BOB, "invitation")
    club.answer(first, f"set mails turns\nset language {language}", BOB)
    club.answer(club.last(ALICE, "invitation"), "agree", ALICE)
    club.answer(club.last(CARO, "invitation"), "agree", CARO)
    club.mails(BOB)
    club.answer(first, "agree", BOB)
    club.work()
    told_bob = club.mails(BOB)
    club.answer(club.last(ALICE, "report"), "pass", ALICE)
    club.work()
    club.mails(BOB)
    club.answer(club.last(ALICE), "undo", ALICE)
    club.answer(club.last(CARO, "notice"), "agree", CARO)
    club.answer(club.last(BOB, "notice"), "agree", BOB)
    club.work()
    told_bob += club.mails(BOB)
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    told_bob += club.mails(BOB)
    kinds = [each.kind for each in told_bob]
    assert kinds == ["answer", "answer", "invitation"]
    text = " ".join(each.flat for each in told_bob)
    assert club.match(NAME).turn == 1
    assert not [each for each in promises if each in text]


def test_yes_to_an_older_mail_agrees_to_nothing(club: Club) -> None:
    """A yes under the code of a turn before was meant for something else."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    older = club.last(BOB, "report")
    club.answer(club.last(ALICE, "report"), "pass", ALICE)
    club.work()
    club.later(minutes=1)
    club.answer(club.last(ALICE), "undo", ALICE)
    club.answer(older, "yes", BOB)
    club.work()
    assert club.match(NAME).turn == 2
    club.answer(club.last(BOB, "notice"), "yes", BOB)
    assert club.match(NAME).turn == 1


@pytest.mark.parametrize(
    "text",
    [
        "Can I take that back?",
        "Sorry!\n\nMay I take back my last move, please?",
        "I'd like to take my move back.",
        "Darf ich den letzten Zug bitte zurücknehmen?",
    ],
)
def test_undo_may_be_asked_for_in_a_sentence(club: Club, text: str) -> None:
    passed(club)
    club.answer(club.last(ALICE), text, ALICE)
    assert "asks to take back" in club.last(BOB).flat


@pytest.mark.parametrize("text", ["I want to take it", "Can I take the train back?"])
def test_taking_something_else_asks_for_no_undo(club: Club, text: str) -> None:
    passed(club)
    club.answer(club.last(ALICE), text, ALICE)
    assert not [mail for mail in club.mails(BOB) if "take back" in mail.flat]


def test_undo_in_german(club: Club) -> None:
    """`zurück` and `einverstanden` do as well."""
    passed(club)
    club.answer(club.last(ALICE), "zurück", ALICE)
    club.answer(club.last(BOB, "notice"), "einverstanden", BOB)
    assert club.match(NAME).turn == 1


def test_one_decline_settles_it_and_all_are_told(club: Club) -> None:
    """Nothing is taken back; asker and decliner read it."""
    question, _ = asked(club)
    club.answer(question, "decline", BOB)
    assert "Nothing is taken back: bob has declined" in club.last(ALICE, "notice").flat
    assert "Nothing is taken back: you have declined" in club.last(BOB, "notice").flat
    club.answer(question, "agree", BOB)
    assert club.match(NAME).turn == 2


def test_silence_declines(club: Club) -> None:
    """After three days it is a no, told without anybody writing."""
    asked(club)
    club.later(days=2, hours=23)
    chores.do_chores(club.desk)
    assert club.mails(ALICE) == []
    club.later(hours=2)
    health.note_poll(club.desk, club.desk.now())
    assert chores.do_chores(club.desk) > 0
    assert "not everybody agreed in time" in club.last(ALICE, "notice").flat


def test_yes_in_the_mailbox_wins_against_the_end_of_time(club: Club) -> None:
    """It came while the referee was out; read after the end it counts by its arrival."""
    question, _ = asked(club)
    club.later(days=3, hours=2)
    chores.do_chores(club.desk)
    assert club.mails(ALICE) == []
    club.put(
        letter(BOB, "agree", answers=question.message["Message-ID"]),
        arrived=club.desk.now() - timedelta(hours=5),
    )
    assert club.match(NAME).turn == 1
    assert log(club)[-1].kind == "undo"


def test_yes_that_comes_too_late_is_none(club: Club) -> None:
    """The answer says that nothing is taken back."""
    question, _ = asked(club)
    club.later(days=3, hours=2)
    club.answer(question, "agree", BOB)
    assert club.match(NAME).turn == 2
    assert "not everybody agreed in time" in club.last(ALICE, "notice").flat


def test_order_in_between_declines(club: Club) -> None:
    """Whoever plays on does not wait for an undo; a later yes does nothing."""
    question, _ = asked(club)
    club.answer(question, "pass", BOB)
    chores.do_chores(club.desk)
    assert "Nothing is taken back: the match is over." in club.last(ALICE, "notice").flat


def test_all_of_several_must_agree(club: Club) -> None:
    """Two others: the first yes waits for the second."""
    passed(club, f"green={CARO}")
    club.answer(club.last(ALICE), "undo", ALICE)
    club.answer(club.last(BOB, "notice"), "agree", BOB)
    assert "Still awaited: caro" in club.last(BOB, "answer").flat
    assert club.match(NAME).turn == 2
    club.answer(club.last(CARO, "notice"), "yes", CARO)
    assert club.match(NAME).turn == 1


def test_what_an_earlier_holder_agreed_to_does_not_count(club: Club) -> None:
    """With a hand-over the question ends: the players who were asked are not those who play."""
    question, _ = asked(club, f"green={CARO}")
    other = club.last(CARO, "notice")
    club.answer(question, "agree", BOB)
    apply_act(club.desk, HandOver(NAME, "blue", "dora@example.test"), "moving house")
    club.answer(other, "agree", CARO)
    club.work()
    assert club.match(NAME).turn == 2
    assert "Nothing is taken back: the match has moved on" in club.last(ALICE, "notice").flat
    assert "undo" not in [each.kind for each in log(club)]


def test_bots_agree(club: Club) -> None:
    """What a bot would say is not waited for."""
    club.new_match("pebbles", f"red={ALICE}", "blue=bot:random", f"green={BOB}")
    club.work()
    club.answer(club.last(ALICE, "report"), "pass", ALICE)
    club.answer(club.last(ALICE), "undo", ALICE)
    club.answer(club.last(BOB, "notice"), "agree", BOB)
    assert (club.match(NAME).turn, club.match(NAME).to_act) == (1, "red")


def test_only_player_among_bots_undoes_at_once(club: Club) -> None:
    """There is nobody to ask."""
    club.new_match("pebbles", f"red={ALICE}", "blue=bot:random")
    club.work()
    club.answer(club.last(ALICE, "report"), "pass", ALICE)
    club.answer(club.last(ALICE), "undo", ALICE)
    answer = club.last(ALICE, "answer")
    assert "Nobody had to be asked" in answer.flat
    assert "=== pebbles-1 · turn 1 · red" in answer.text
    assert club.code(NAME, "red") in answer.text.replace("-", "")
    assert (club.match(NAME).turn, club.match(NAME).to_act) == (1, "red")
    club.work()
    report = club.last(ALICE, "report").flat
    assert "As red asked, turn 1 (red) is taken back." in report
    assert "All players have agreed" not in report


@pytest.mark.parametrize(("n", "turns", "said"), [
    (1, "turn 3 (red)", "asked for: turn 3 (red) is taken back."),
    (2, "turn 3 (red) and turn 4 (blue)", "turn 3 (red) and turn 4 (blue) are taken back."),
])  # fmt: skip
def test_several_turns_are_taken_back(n: int, turns: str, said: str) -> None:
    """The sentence agrees with their number."""
    fields = {"who": "red", "turns": turns, "n": n, "alone": False, "turn": 3, "seat": "red"}
    assert said in Catalogue("en").say("mended.agreed", **fields)


def test_only_one_question_is_open_in_a_match(club: Club) -> None:
    """A second is refused."""
    _, answer = asked(club)
    club.answer(answer, "undo", ALICE)
    assert "it is being asked already" in club.last(ALICE, "answer").flat
    with club.desk.store.reading() as connection:
        assert len(questions.ending_questions(connection, club.desk.now())) == 1


def test_a_settled_question_is_forgotten_in_the_end(club: Club) -> None:
    """A month after it would have lapsed nothing is kept of it."""
    question, _ = asked(club)
    club.answer(question, "decline", BOB)
    for days, kept in ((32, 1), (2, 0)):
        club.later(days=days)
        health.note_poll(club.desk, club.desk.now())
        chores.do_chores(club.desk)
        with club.desk.store.reading() as connection:
            found = connection.execute(select(t.questions)).all()
        assert len(found) == kept


def test_undo_of_what_was_revealed_is_the_organisers(club: Club) -> None:
    """A draw, seen by its seat alone, cannot be unlearnt."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    report = club.last(ALICE, "report")
    put = next(each for each in report.turn_file["legal"] if each.startswith("put"))
    club.answer(report, put, ALICE)
    club.answer(club.last(ALICE), "undo", ALICE)
    assert "Only the organiser can take that back" in club.last(ALICE, "answer").flat
    assert "notice" not in {each.kind for each in club.mails(BOB)}


def test_undo_before_any_turn_of_ones_own_is_refused(club: Club) -> None:
    """Blue has ordered nothing yet."""
    report = passed(club)
    club.answer(report, "undo", BOB)
    assert "there is nothing of yours to take back" in club.last(BOB, "answer").flat


def test_own_question_is_not_agreed_to_by_oneself(club: Club) -> None:
    """The asker's own yes counts for nothing."""
    _, answer = asked(club)
    club.answer(answer, "agree", ALICE)
    assert club.match(NAME).turn == 2


def test_agree_without_a_question_says_that_nothing_is_asked(club: Club) -> None:
    report = passed(club)
    club.answer(report, "agree", BOB)
    assert "your turn asks for an order" in club.last(BOB, "answer").flat


def test_a_question_ends_with_its_match(club: Club) -> None:
    """Who resigns while it is open hears of the end, and nothing of a match that goes on."""
    question, answer = asked(club)
    club.answer(answer, "resign", ALICE)
    club.work()
    chores.do_chores(club.desk)
    assert club.match(NAME).state == "over"
    texts = [each.flat for each in (*club.mails(ALICE), *club.mails(BOB))]
    assert any("has resigned" in each for each in texts)
    assert any("Nothing is taken back: the match is over." in each for each in texts)
    assert not any("goes on as it stands" in each for each in texts)
    with club.desk.store.reading() as connection:
        assert not questions.ending_questions(connection, club.desk.now())
    club.answer(question, "agree", BOB)
    assert "nothing is being asked" in club.last(BOB, "answer").flat


@pytest.mark.fast
def test_a_step_back_in_ones_own_open_turn_needs_nobody(club: Club) -> None:
    """Nobody has been told of it, so nobody is asked."""
    club.new_match("nord", f"red={ALICE}", f"blue={BOB}")
    club.work()
    report = club.last(ALICE, "report")
    club.mails(BOB)
    order = next(line for line in report.turn_file["legal"] if line.startswith("play"))
    club.answer(report, order, ALICE)
    club.work()
    club.answer(club.last(ALICE), "undo", ALICE)
    club.work()
    answer, report = club.mails(ALICE)
    assert "Nobody had to be asked" in answer.flat
    assert "nord-1 · Taken back · referee" in answer.text
    assert order in report.turn_file["legal"]
    (blue,) = club.mails(BOB)
    assert "As Red asked, turn 1 (Red) is taken back." in blue.flat
    assert not club.mails(BOB)


def test_a_turn_others_have_been_told_of_is_asked_about_though_it_is_open(club: Club) -> None:
    """Whoever has a report of it has a say."""
    club.new_match("nord", f"red={ALICE}", f"blue={BOB}")
    club.work()
    report = club.last(ALICE, "report")
    order = next(line for line in report.turn_file["legal"] if line.startswith("play"))
    club.answer(report, order, ALICE)
    with club.desk.store.writing() as connection:
        row = club.match("nord-1")
        matches.set_reported(connection, row.id, ["blue"], row.seq, row.turn)
    report = club.last(ALICE)
    club.answer(report, "undo", ALICE)
    assert "bob is asked to agree" in club.last(ALICE).flat


def test_undo_takes_back_what_is_held(club: Club) -> None:
    """As withdraw does."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", grace=timedelta(minutes=10))
    club.work()
    club.answer(club.last(ALICE, "report"), "pass", ALICE)
    club.answer(club.last(ALICE), "undo", ALICE)
    assert "Nothing of yours waits now" in club.last(ALICE).flat
    club.later(minutes=11)
    club.work()
    assert club.match(NAME).turn == 1
