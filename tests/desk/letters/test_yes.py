"""Orders held by what their mail says: the hour of talk, the yes, the no, second letters."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from support.club import ALICE, BOB, SEATS, Club, Mail, letter, undone

from referee.desk import agenda, health
from referee.desk.archive import prune
from referee.desk.desk import stamp
from referee.desk.overview.match import look_at_match
from referee.desk.plans.board import Acting, Undo
from referee.desk.plans.match import Pause, Resume
from referee.desk.plans.plan import apply_act
from referee.desk.plans.seat import HandOver
from referee.store.play import matches, submissions
from referee.store.post import letters
from referee.value import replace

pytestmark = pytest.mark.fast

TALK = "We have been at the zoo yesterday, and it was marvellous."
DOUBT = "I take that back."


def begin(club: Club, **agreed: Any) -> Mail:
    """Begin a match; return alice's first report, who is to act."""
    club.new_match("pebbles", *SEATS, **{"reminders": (), **agreed})
    club.work()
    return club.last(ALICE, "report")


def theirs(club: Club) -> Mail:
    """Return bob's report of the match that has begun."""
    return club.last(BOB, "report")


def poll(club: Club, **span: float) -> None:
    """Let time pass, then a poll succeed, and do what is due."""
    club.later(**span)
    health.note_poll(club.desk, club.desk.now())
    club.work()


def played(club: Club) -> list[str]:
    """Return the orders that were played."""
    with club.desk.reading() as change:
        events = matches.events(change.connection, club.match("pebbles-1").id)
    return [event.body for event in events if event.kind == "order"]


def kept(club: Club) -> list[tuple[str, bool]]:
    """Return what waits of the standing orders, each with whether it waits for a yes."""
    with club.desk.reading() as change:
        rows = matches.standing_orders_of(change.connection, club.match("pebbles-1").id)
    return [(row.text, row.arrived is not None and row.until is None) for row in rows]


def puts(report: Mail) -> list[str]:
    """Return the orders to put a pebble that a report lists."""
    return [line for line in report.turn_file["legal"] if line.startswith("put")]


def answer(club: Club, mail: Mail, *lines: str) -> Mail:
    """Let alice answer a mail with lines; return what she is answered."""
    club.mails(ALICE)
    club.answer(mail, "\n".join(lines), ALICE)
    return club.last(ALICE)


def said(club: Club, mail: Mail, *lines: str) -> str:
    """Let alice answer a mail with lines; return the words of the answer."""
    return answer(club, mail, *lines).flat


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"pass\n\n{TALK}", "Held until"),
        (f"{TALK}\n\npass", "Held until"),
        (f"pass\n\n{DOUBT}", "Not played: your mail says both “pass” and “I take that back”."),
        ("pass\n\nNot yet!", "Not played"),
        ("If Blue agrees:\npass", "Not played"),
        ("pass\nunless Blue minds", "Not played"),
        ("pass?", "Not played: your mail says “pass?”. “yes” plays “pass”."),
        ("pass\n\nI will decide tomorrow.", "Not played"),
        ("pass\n\n-- \nAlice\nPS I will write tomorrow instead.", "Not played"),
        ("Other game:\npass", "Not played"),
        ("pass\nis too timid", "Not played"),
        ("pass\nwäre auch nett", "Not played"),
        ("pass\n\nunter Vorbehalt", "Not played"),
        ("pass\n\njk", "Not played"),
        ("pass\n\nich ziehe zurück", "Not played"),
        ("Nicht abschicken!\n\npass", "Not played"),
        ("Hi all,\n\npass\n\nCheers\nAlice", "Your mail has been carried out."),
        ("Hi Bob, pass", "carried out"),
        ("Thanks Bob! pass", "carried out"),
        ("Sorry for the delay! pass", "carried out"),
        ("pass. Your move, Bob!", "carried out"),
        ("My move:\npass\n\nGreetings from the seaside to all of you!", "carried out"),
        ("pass\n\nIl pleut sur la ville comme il pleure dans mon coeur, tout le temps.", "Held"),
    ],
)
def test_the_company_of_an_order_decides(club: Club, text: str, told: str) -> None:
    """Alone it is played, in company it waits, contradicted it is asked about."""
    report = begin(club)
    assert told in said(club, report, text)
    assert bool(played(club)) == ("carried out" in told)


def test_orders_below_the_name_of_another_match_are_asked_about(club: Club) -> None:
    """They may be for that one, if their writer plays in it."""
    report = begin(club)
    club.new_match("pebbles", f"red={ALICE}", "blue=carol@example.test")
    club.work()
    assert "says both “pass” and “pebbles-2”" in said(club, report, "pebbles-2", "pass")
    club.new_match("pebbles", f"red={BOB}", "blue=carol@example.test")
    assert "carried out" in said(club, report, "pebbles-3", "pass")


@pytest.mark.parametrize("doubt", ["wait", "stop", "I take it back", "Das war nur ein Beispiel"])
def test_who_doubts_held_orders_later_is_told_that_they_wait(club: Club, doubt: str) -> None:
    """Both answers are a click away."""
    report = begin(club)
    assert "Held until" in said(club, report, "pass", "", TALK)
    told = answer(club, report, doubt)
    assert "Your mail doubts your orders, so they wait." in told.flat
    assert "not played before you say “yes”" in told.flat
    assert {"yes", "no"} <= set(told.links)
    poll(club, hours=2)
    assert not played(club)


def test_a_held_order_is_told_to_nobody_and_played_after_an_hour(club: Club) -> None:
    """Its receipt shows the board as it would be, and offers both answers by a click."""
    report = begin(club)
    receipt = answer(club, report, "pass", "", TALK)
    assert f"as your mail says more than your orders: “{TALK[:-1]}”" in receipt.flat
    assert "pass — held until" in receipt.flat
    assert "The board as it would be" in receipt.text
    assert ">Play now</" in receipt.html
    assert ">Take back</" in receipt.html
    poll(club, minutes=59)
    assert not played(club)
    assert not [mail for mail in club.mails(BOB) if "red has" in mail.text.lower()]
    poll(club, minutes=2)
    assert len(played(club)) == 1
    assert "It is your turn" in club.last(BOB, "report").flat


@pytest.mark.parametrize("text", ["A draw is ok", "Yes, draw. Good game!", "Draw declined"])
def test_whoever_speaks_of_a_draw_says_neither_yes_nor_no_to_what_is_held(
    club: Club, text: str
) -> None:
    """Nobody has offered one: what is held goes on waiting."""
    asked = answer(club, begin(club), "pass", DOUBT)
    answer(club, asked, text)
    assert not played(club)
    assert kept(club) == [("pass", True)]


def test_what_is_asked_is_never_played_by_the_clock(club: Club) -> None:
    """Its yes counts as of its letter's arrival."""
    report = begin(club, per_turn=timedelta(hours=2))
    arrived = stamp(club.desk.now())
    asked = answer(club, report, "pass", DOUBT)
    poll(club, hours=30)
    assert not played(club)
    assert "carried out" in said(club, asked, "yes")
    (body,) = played(club)
    assert f'"arrival":"{arrived}"' in body


@pytest.mark.parametrize("beside", [TALK, DOUBT])
@pytest.mark.parametrize("answered", ["no", "withdraw", "cancel"])
def test_a_no_takes_back_what_is_held(club: Club, beside: str, answered: str) -> None:
    """Nothing is played then, now or later."""
    report = begin(club)
    receipt = answer(club, report, "pass", "", beside)
    assert "pass" in said(club, receipt, answered)
    poll(club, hours=3)
    assert not kept(club)
    assert not played(club)


@pytest.mark.parametrize("beside", [TALK, DOUBT])
@pytest.mark.parametrize("answered", ["yes", "pass", "yes\npass"])
def test_a_yes_or_the_same_orders_alone_play_what_is_held(
    club: Club, beside: str, answered: str
) -> None:
    """Said twice it is played once."""
    report = begin(club)
    receipt = answer(club, report, "pass", "", beside)
    assert "carried out" in said(club, receipt, answered)
    again = said(club, receipt, "yes")
    assert "that mail has been answered already, and this was played: pass." in again
    poll(club, hours=3)
    assert len(played(club)) == 1


def test_a_yes_and_a_no_in_one_mail_are_neither(club: Club) -> None:
    """What waits goes on waiting."""
    report = begin(club)
    asked = answer(club, report, "pass", DOUBT)
    assert "Nothing was done" in said(club, asked, "yes", "no")
    assert kept(club) == [("pass", True)]


@pytest.mark.parametrize("boxed", [False, True])
@pytest.mark.parametrize("no", ["no", "No!", "nein"])
def test_a_no_below_an_order_speaks_of_it(club: Club, no: str, boxed: bool) -> None:
    """Its writer is asked, and the no takes back nothing else."""
    report = begin(club)
    if boxed:
        head = report.text.rpartition("(write your orders here, one per line)")[0]
        box = f"{head[head.rindex('===', 0, head.rindex('===')) :]}pass\n{no}\n=== end ==="
        receipt = answer(club, report, box)
    else:
        receipt = answer(club, report, "pass", no)
    assert "Not played: your mail says both" in receipt.flat
    assert kept(club) == [("pass", True)]


def test_a_contradicted_yes_is_asked_back(club: Club) -> None:
    """It plays nothing."""
    report = begin(club)
    asked = answer(club, report, "pass", DOUBT)
    assert "but also “no, wait" in said(club, asked, "yes", "no, wait")
    assert not played(club)


def test_a_yes_in_a_pause_is_not_spent(club: Club) -> None:
    """It can be said again when the match goes on."""
    report = begin(club)
    receipt = answer(club, report, "pass", DOUBT)
    apply_act(club.desk, Pause("pebbles-1"), "lunch")
    assert "paused" in said(club, receipt, "yes")
    apply_act(club.desk, Resume("pebbles-1"), "lunch")
    club.work()
    assert "carried out" in said(club, receipt, "yes")


def test_other_orders_take_the_place_of_what_is_held(club: Club) -> None:
    """Where there is room for one of them alone."""
    report = begin(club)
    first, second, *_ = puts(report)
    said(club, report, first, "", TALK)
    told = said(club, report, second)
    assert f"Not played, as your new orders replace it: {first}" in told
    (body,) = played(club)
    assert second.split()[2] in body


def test_orders_that_could_be_instead_or_behind_are_asked_about(club: Club) -> None:
    """Each of the two has a button, which replaces what is held."""
    club.new_match("nord", *SEATS, reminders=())
    club.work()
    report = club.last(ALICE, "report")
    place = next(line for line in report.turn_file["legal"] if line.startswith("place"))
    said(club, report, "play axe", "", TALK)
    asked = answer(club, report, place)
    assert "these could be meant instead of them or behind them" in asked.flat
    assert asked.html.count(">Send the ") == 2
    assert "carried out" in said(club, report, "withdraw", place)


@pytest.mark.parametrize("beside", ["", TALK])
def test_a_letter_whose_orders_go_on_behind_held_ones_is_known_like_theirs(
    club: Club, beside: str
) -> None:
    """Nothing is told to be replaced, and neither letter is played twice."""
    club.new_match("nord", *SEATS, reminders=())
    club.work()
    report = club.last(ALICE, "report")
    said(club, report, "play axe", "", TALK)
    shown = said(club, report, "preview", "play axe", "place C8 D8")
    assert "place C8 D8" in shown
    told = said(club, report, "place C8 D8", "", beside)
    assert "replace" not in told.partition("Your lines")[2]
    poll(club, minutes=61)
    for line in ("play axe", "place C8 D8"):
        assert "These orders were played before" in said(club, report, line)


def test_an_order_came_by_one_letter_also_if_another_was_in_work_when_its_time_was_over(
    club: Club,
) -> None:
    """The same orders, written again, are a repeat that led to nothing."""
    report = begin(club)
    club.answer(report, f"pass\n\n{TALK}", ALICE)
    club.later(minutes=61)
    health.note_poll(club.desk, club.desk.now())
    club.answer(report, f"pass\n\n{TALK}", ALICE)
    club.work()
    assert len(played(club)) == 1
    with club.desk.reading() as change:
        rows = [
            row
            for letter_row in letters.latest_letters(change.connection)
            for row in submissions.submissions_of(change.connection, letter_row.id)
        ]
    assert [row.first_seq is None for row in rows].count(False) == 1


def test_a_letter_that_a_yes_has_played_is_a_repeat(club: Club) -> None:
    report = begin(club)
    asked = answer(club, report, "pass", DOUBT)
    assert "carried out" in said(club, asked, "yes")
    assert "These orders were played before" in said(club, report, "pass", DOUBT)
    assert len(played(club)) == 1


@pytest.mark.parametrize(("beside", "asked"), [(TALK, False), (DOUBT, True)])
def test_what_acts_later_waits_as_well(club: Club, beside: str, asked: bool) -> None:
    """A queue acts when the hour is over, or with the yes."""
    mine, report = begin(club), theirs(club)
    club.answer(report, f"queue pass\n\n{beside}", BOB)
    assert kept(club) == [("pass", asked)]
    club.answer(mine, "pass", ALICE)
    club.work()
    assert len(played(club)) == 1
    if asked:
        poll(club, hours=5)
        assert len(played(club)) == 1
        club.answer(club.last(BOB), "yes", BOB)
    poll(club, hours=2)
    assert len(played(club)) == 2


def test_a_held_answer_in_advance_replaces_nothing_before_its_time(club: Club) -> None:
    """The one given before stands until then."""
    begin(club, edition=2)
    report = theirs(club)
    club.answer(report, "guard up to 1", BOB)
    club.answer(report, f"guard up to 2\n\n{TALK}", BOB)
    assert [text for text, _ in kept(club)] == ["guard up to 1", "guard up to 2"]
    poll(club, minutes=61)
    assert [text for text, _ in kept(club)] == ["guard up to 2"]


@pytest.mark.parametrize("act", ["undo", "act for", "pause"])
def test_what_others_do_to_a_match_ends_or_keeps_what_is_asked(club: Club, act: str) -> None:
    """An undo and an order by the organiser end it, a pause keeps it."""
    report = begin(club)
    if act == "undo":
        club.answer(report, "pass", ALICE)
        club.work()
        club.answer(club.last(BOB, "report"), f"{puts(report)[0]}\n{DOUBT}", BOB)
        apply_act(club.desk, Undo("pebbles-1", 1), "by mistake")
        assert not kept(club)
        return
    said(club, report, "pass", DOUBT)
    if act == "act for":
        apply_act(club.desk, Acting("pebbles-1", "red", [puts(report)[0]]), "asked by phone")
    else:
        apply_act(club.desk, Pause("pebbles-1"), "lunch")
    club.work()
    assert bool(kept(club)) == (act == "pause")


def test_what_is_asked_ends_with_the_turn(club: Club) -> None:
    """The clock passes the turn on, and a late yes plays nothing."""
    report = begin(club, per_turn=timedelta(hours=1), late="idle")
    asked = answer(club, report, puts(report)[0], DOUBT)
    poll(club, hours=30)
    assert not kept(club)
    count = len(played(club))
    said(club, asked, "yes")
    assert len(played(club)) == count


@pytest.mark.parametrize(
    ("setting", "beside", "fate"),
    [
        ("talk off", TALK, "played"),
        ("talk yes", TALK, "asked"),
        ("talk 10m", TALK, "held"),
        ("talk off", DOUBT, "asked"),
        ("grace yes", "Cheers", "asked"),
        ("grace 10m", "Cheers", "held"),
    ],
)
def test_a_player_sets_how_orders_are_held(
    club: Club, setting: str, beside: str, fate: str
) -> None:
    """For all orders, or for those with talk around them."""
    report = begin(club)
    assert "From now on" in said(club, report, f"set {setting}")
    said(club, report, "pass", "", beside)
    assert ("played" if played(club) else "asked" if kept(club)[0][1] else "held") == fate
    poll(club, minutes=11)
    assert bool(played(club)) == (fate != "asked")


@pytest.mark.parametrize(("setting", "told"), [("talk 10m", True), ("grace 10m", False)])
def test_who_waits_for_words_beside_an_order_is_told_how_not_to(
    club: Club, setting: str, told: bool
) -> None:
    """Where all orders wait it would make no difference."""
    report = begin(club)
    said(club, report, f"set {setting}")
    answered = said(club, report, "pass", "", DOUBT)
    assert ("A mail that says nothing but orders is played at once." in answered) is told


@pytest.mark.parametrize("value", ["99d", "maybe", "13h"])
def test_a_bad_time_of_talk_is_answered(club: Club, value: str) -> None:
    """With values that would do."""
    told = said(club, begin(club), f"set talk {value}")
    assert "no length of time for which orders can be held" in told
    assert "10m" in told


def test_no_time_at_all_is_off(club: Club) -> None:
    """As is said of it."""
    assert "played at once" in said(club, begin(club), "set talk 0m")


@pytest.mark.parametrize("command", ["resign", "resign pebbles-1"])
@pytest.mark.parametrize(
    "beside", [TALK, DOUBT, "message blue: good game", "My wife says so.", "pebbles-2", "Wait, Bob"]
)
def test_a_seat_is_given_away_only_by_a_letter_that_says_nothing_else(
    club: Club, command: str, beside: str
) -> None:
    """Else its player is asked."""
    club.answer(begin(club), f"{beside}\n\n{command}", ALICE)
    assert club.match("pebbles-1").state == "running"
    assert any("resign pebbles-1" in mail.flat for mail in club.mails(ALICE))


@pytest.mark.parametrize(
    "text", ["No", "Not now", "I'd rather play on", "Nein, ich spiele weiter."]
)
def test_a_no_to_a_resignation_may_be_said_in_ones_own_words(club: Club, text: str) -> None:
    """What was asked is settled with it."""
    club.answer(begin(club), "resign\n\nreally?", ALICE)
    asked = club.last(ALICE)
    club.answer(asked, text, ALICE)
    club.answer(asked, "yes", ALICE)
    assert club.match("pebbles-1").state == "running"


@pytest.mark.parametrize("closing", ["Alice", "Thanks for the game, Bob!", "Congratulations!"])
def test_a_resignation_alone_is_one(club: Club, closing: str) -> None:
    """With greeting and closing around it, as around the yes to one that was asked about."""
    with undone(club) as at_first:
        said(at_first, begin(at_first), "Hi all", "", "resign", "", closing)
        assert at_first.match("pebbles-1").state != "running"
    club.answer(begin(club), "resign\n\nreally?", ALICE)
    club.answer(club.last(ALICE), f"yes\n\n{closing}", ALICE)
    assert club.match("pebbles-1").state != "running"


def test_alternatives_are_asked_about_with_a_button_for_each(club: Club) -> None:
    """Nothing waits meanwhile, as a yes would not say which."""
    report = begin(club)
    first, second, *_ = puts(report)
    told = said(club, report, first, "or", second)
    assert "leaves it open which you mean (“or”)" in told
    assert not played(club)
    assert not kept(club)


def test_a_letter_of_many_orders_with_a_doubt_in_its_last_line_plays_none(club: Club) -> None:
    """However far the doubt stands from the first."""
    report = begin(club)
    said(club, report, *["pass"] * 190, "", "No, ignore all of the above please.")
    assert not played(club)


def test_what_ends_all_letters_of_a_writer_is_no_company(club: Club) -> None:
    """A disclaimer holds up the first letter alone, even when its bytes have gone."""
    report = begin(club)
    end = "If you are not the one this mail is meant for, tell us and forget what it says."
    asked = answer(club, report, puts(report)[0], "", "Cheers", "", end)
    assert "Not played" in asked.flat
    assert "carried out" in said(club, asked, "yes")
    club.work()
    club.answer(theirs(club), "pass", BOB)
    club.work()
    report = club.last(ALICE, "report")
    club.later(days=15)
    with club.desk.writing() as change:
        prune.make_room(change)
        with pytest.raises(KeyError):
            letters.raw_letter(change.connection, 1)
    assert "carried out" in said(club, report, puts(report)[0], "", "Cheers", "", end)


@pytest.mark.parametrize("line", ["set quiet 22-7", "note the west is weak", "help"])
def test_a_doubt_that_comes_with_a_command_is_told_with_its_answer(club: Club, line: str) -> None:
    """The player reads that a yes is missing."""
    report = begin(club)
    said(club, report, "pass", "", TALK)
    told = said(club, report, line, "", DOUBT)
    assert "not played before you say “yes”" in told
    assert kept(club) == [("pass", True)]


def test_a_doubt_above_a_box_counts_for_its_orders(club: Club) -> None:
    """Talk outside a box is company of all that is said."""
    report = begin(club)
    box = report.text[report.text.index("===") :].partition("\n\n")[0].splitlines()
    filled = "\n".join([box[0], "pass", box[-1]])
    club.put(letter(ALICE, f"Please do not play this yet.\n\n{filled}"))
    assert not played(club)
    assert kept(club) == [("pass", True)]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("Sure!", "running"),
        ("I'm in", "running"),
        ("ok, let's play", "running"),
        ("Hi Bob,\n\ngladly! It has been too long.", "running"),
        ("Ja, gerne.", "running"),
        ("In London now", "invited"),
        ("Sure! I will tell you tomorrow whether I can.", "invited"),
        ("No idea", "invited"),
    ],
)
def test_a_yes_in_ones_own_words_counts(club: Club, text: str, state: str) -> None:
    """First in the letter, behind a greeting at most, where a question is open."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.work()
    club.answer(club.last(BOB, "invitation"), "yes", BOB)
    club.answer(club.last(ALICE, "invitation"), text, ALICE)
    assert club.match("pebbles-1").state == state


@pytest.mark.parametrize("text", ["Nein, lieber nicht", "No thanks.", "nope"])
def test_a_no_in_ones_own_words_takes_back(club: Club, text: str) -> None:
    """What waited ends without play."""
    asked = answer(club, begin(club), "pass", DOUBT)
    club.answer(asked, text, ALICE)
    assert not kept(club)
    assert not played(club)


@pytest.mark.parametrize("text", ["No! Sorry, I meant {order}", "Nein, lieber {order}"])
def test_what_stands_behind_a_no_is_meant_instead(club: Club, text: str) -> None:
    """It is asked about, or refused, but never dropped."""
    report = begin(club)
    first, second = puts(report)[:2]
    asked = answer(club, report, first, DOUBT)
    club.answer(asked, text.format(order=second), ALICE)
    assert second in club.last(ALICE).flat
    assert first not in [text for text, _ in kept(club)]


@pytest.mark.parametrize("text", ["Nope\n{order}", "No, sorry.\n{order}\nThanks"])
def test_an_order_below_a_no_takes_the_place_of_what_is_held(club: Club, text: str) -> None:
    """The no is talk beside it then, and no answer of its own."""
    report = begin(club)
    first, second = puts(report)[:2]
    asked = answer(club, report, first, DOUBT)
    told = said(club, asked, text.format(order=second))
    assert f"· {second} — " in told
    assert "taken back" not in told
    assert first not in [text for text, _ in kept(club)]


def test_a_plain_order_behind_a_no_is_played(club: Club) -> None:
    """A smiley ends the no as a stop does."""
    report = begin(club)
    first, second = puts(report)[:2]
    asked = answer(club, report, first, DOUBT)
    club.answer(asked, f"Nope :) {second}", ALICE)
    assert [json.loads(body)["order"] for body in played(club)] == [second]


def test_sure_plays_what_waits_for_a_yes(club: Club) -> None:
    """As the one word does."""
    asked = answer(club, begin(club), "pass", DOUBT)
    assert "carried out" in said(club, asked, "Sure, go!")


def test_above_the_limits_an_asked_order_gets_its_receipt_once(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would wait for a yes that nobody knows of."""
    report = begin(club)
    monkeypatch.setattr(club, "desk", replace(club.desk, answers=(1, 10_000)))
    said(club, report, "help")
    assert "Not played" in said(club, report, "pass", DOUBT)
    club.answer(report, f"pass\n\n{DOUBT} Really.", ALICE)
    assert not club.mails(ALICE)


def test_a_box_without_a_code_resigns_for_nobody_below_a_message(club: Club) -> None:
    """Whoever put it there, the letter says more than that."""
    report = begin(club)
    box = "=== pebbles-1 · turn 1 · red ===\nresign\n=== end ==="
    club.answer(report, f"message blue\nHello\n{box}", ALICE)
    assert club.match("pebbles-1").state == "running"


def test_a_late_player_is_told_that_a_yes_is_missing(club: Club) -> None:
    """In the notice, in `matches`, and to the organiser by `match show`."""
    report = begin(club, per_turn=timedelta(hours=2))
    asked = answer(club, report, "pass", DOUBT)
    poll(club, hours=4)
    assert "waits for your “yes”" in club.last(ALICE, "notice").flat
    assert "orders of yours wait for your “yes”" in said(club, asked, "matches")
    with club.desk.reading() as change:
        shown = look_at_match(change, "pebbles-1", "red", None)
        assert shown.document()["waits_for_yes"] is True
        assert "red has ordered; that waits for a yes of theirs" in [*shown.lines()]


def test_nothing_is_held_past_the_end_of_the_time_but_for_the_late(club: Club) -> None:
    """Whoever is merely waited for has the whole hour."""
    report = begin(club, per_turn=timedelta(minutes=30))
    told = said(club, report, "pass", "", TALK)
    assert "Held until Sat 21 Nov 2026, 12:30" in told
    said(club, report, "withdraw")
    poll(club, hours=2)
    assert "Held until Sat 21 Nov 2026, 15:00" in said(club, report, "pass", "", TALK)


def test_an_hour_that_ends_while_the_daemon_is_down_ends_before_the_next_letter(club: Club) -> None:
    """A `no` that comes after it is too late."""
    report = begin(club)
    receipt = answer(club, report, "pass", "", TALK)
    club.later(hours=3)
    agenda.catch_up(club.desk, club.desk.now())
    club.mails(ALICE)
    club.answer(receipt, "no", ALICE)
    assert len(played(club)) == 1


def test_what_is_held_ends_with_the_seat(club: Club) -> None:
    """The next holder plays nothing of it."""
    report = begin(club)
    said(club, report, "pass", DOUBT)
    apply_act(club.desk, HandOver("pebbles-1", "red", bot="greedy"), "swapped")
    club.work()
    assert not kept(club)


@pytest.mark.parametrize(
    ("answered", "text", "meant"),
    [
        ("receipt", "yes", "orders"),
        ("receipt", "agree", "either"),
        ("wish", "yes", "question"),
        ("report", "yes", "either"),
        ("report", "agree", "question"),
        ("receipt", "no", "no orders"),
        ("wish", "no", "no question"),
        ("report", "decline", "no question"),
    ],
)
def test_a_yes_that_two_questions_wait_for_is_for_what_its_mail_told_of(
    club: Club, answered: str, text: str, meant: str
) -> None:
    """Orders that are held, and another player's wish to take back a turn; else it is asked.

    Where the mail tells of neither, the words that the wish names are for it.
    """
    red = begin(club)
    club.answer(red, "pass", ALICE)
    club.work()
    mails = {"report": theirs(club)}
    club.answer(mails["report"], f"{puts(red)[0]}\n\n{DOUBT}", BOB)
    mails["receipt"] = club.last(BOB, "receipt")
    club.answer(red, "undo", ALICE)
    mails["wish"] = club.last(BOB)
    club.answer(mails[answered], text, BOB)
    said = club.last(BOB).flat
    assert ("your “yes” could mean your orders that are held" in said) is (meant == "either")
    assert ("You have agreed that what was played" in said) is (meant == "question")
    assert bool(kept(club)) is (meant in {"either", "no question"})
    assert (len(played(club)) == 2) is (meant == "orders")


def test_good_wishes_are_no_doubt_and_are_quoted_as_they_were_written(club: Club) -> None:
    """“Viel Spaß” is no joke; beside a doubt it stands in the question about it."""
    report = begin(club)
    first, second = puts(report)[:2]
    told = said(club, report, first, "Viel Spaß! Have fun, but I may take that back.")
    assert "“Have fun, but I may take that back" in told
    said(club, report, second, "Hallo Bob, dir auch viel Spaß!")
    assert len(played(club)) == 1


def test_a_yes_with_the_held_order_said_again_is_a_yes(club: Club) -> None:
    """Another order beside it is none."""
    report = begin(club)
    first, second = puts(report)[:2]
    receipt = answer(club, report, first, "", DOUBT)
    club.answer(receipt, f"Yes, {second}", ALICE)
    assert not played(club)
    receipt = answer(club, report, first, "", DOUBT)
    club.answer(receipt, f"Yes, {first}", ALICE)
    assert len(played(club)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Yes, {order} was my order, but don't play it yet.",
        "Fine, the {order} order is cancelled",
        "yes, {order}\nno",
    ],
)
def test_more_than_a_yes_and_the_held_order_plays_nothing(club: Club, text: str) -> None:
    report = begin(club)
    first = puts(report)[0]
    receipt = answer(club, report, first, "", DOUBT)
    club.answer(receipt, text.format(order=first), ALICE)
    assert not played(club)


@pytest.mark.parametrize(
    "text",
    [
        "Yes, that one.",
        "oh yes",
        "Ja, genau so.",
        "jawohl",
        "ja mach",
        "Y",
        "Yes, right.",
        "Sure, no problem",
        "Fine by me",
        "Genau!",
        "👍",
        "go ahead",
        "Play it!",
        "Yes please, I pass",
    ],
)
def test_a_yes_may_be_said_in_many_ways(club: Club, text: str) -> None:
    receipt = answer(club, begin(club), "pass", "", DOUBT)
    club.answer(receipt, text, ALICE)
    assert len(played(club)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Yes, but wait",
        "Right, about that",
        "Right.",
        "ja aber erst morgen",
        "Thanks!\n\nY",
        "Yes A1.",
        "Ok: what does held mean?",
        "I played that before",
        "You have played it",
        "Yes, A1",
    ],
)
def test_a_yes_that_goes_on_plays_nothing(club: Club, text: str) -> None:
    receipt = answer(club, begin(club), "pass", "", DOUBT)
    club.answer(receipt, text, ALICE)
    assert not played(club)


@pytest.mark.parametrize(
    "text",
    [
        *("I changed my mind", "The other one, sorry", "I mistyped", "Typo!", "Please don't"),
        *("Never mind", "Let me think about it", "I need to think again", "stop", "I retract that"),
        *("Not {order}", "I take back {order}", "Could I have another day?", "Warte mal"),
        *("Vertippt!", "Ich habe es mir anders überlegt", "Doch nicht {order}"),
    ],
)
def test_a_later_mail_that_doubts_has_held_orders_wait_for_a_yes(club: Club, text: str) -> None:
    """Whatever would have held them in their own letter; no hour is over for them any more."""
    report = begin(club)
    first = puts(report)[0]
    answer(club, report, first, "", "Is this allowed?")
    club.answer(report, text.format(order=first), ALICE)
    poll(club, hours=3)
    assert not played(club)
    club.answer(club.last(ALICE), "yes", ALICE)
    assert len(played(club)) == 1


@pytest.mark.parametrize("text", ["Thanks!", "I love this game", "Nice weather in Rome", "help"])
def test_a_later_mail_of_other_things_leaves_held_orders_as_they_are(club: Club, text: str) -> None:
    report = begin(club)
    answer(club, report, puts(report)[0], "", "Is this allowed?")
    club.answer(report, text, ALICE)
    poll(club, hours=3)
    assert len(played(club)) == 1


@pytest.mark.parametrize("text", ["no, play it", "No, it is fine", "nein, passt schon"])
def test_a_no_that_has_it_played_is_neither_yes_nor_no(club: Club, text: str) -> None:
    """Its writer is asked, and the order waits."""
    receipt = answer(club, begin(club), "pass", "", DOUBT)
    club.answer(receipt, text, ALICE)
    assert not played(club)
    assert kept(club)


def test_a_queue_below_a_doubtful_order_does_not_take_its_place(club: Club) -> None:
    """Both wait for one yes, and then the order is played and the queue is for the next turn."""
    report = begin(club)
    first, second = puts(report)[:2]
    lead = f"For now I'll take the corner: {first}"
    receipt = answer(club, report, lead, "queue", second, "pass", "end")
    assert "Not played: your mail says “For now" in receipt.flat
    poll(club, hours=3)
    assert not played(club)
    answer(club, receipt, "yes", "")
    assert [json.loads(body)["order"] for body in played(club)] == [first]
    assert [text for text, _ in kept(club)] == [f"{second}\npass"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Is it my turn?", "It is your turn"),
        ("Did you get my move?", "It is your turn"),
        ("can you show me the board", "If you meant “show”, send that."),
    ],
)
def test_a_question_while_an_order_waits_is_answered_too(club: Club, text: str, said: str) -> None:
    """What is held is told as well."""
    report = begin(club)
    answer(club, report, "pass", "", DOUBT)
    told = answer(club, report, text)
    assert said in told.flat
    assert "not played before you say “yes”" in told.flat
    assert {"yes", "no"} <= set(told.links)


def test_a_yes_to_a_mail_that_tells_of_held_orders_is_for_them_whatever_else_is_asked(
    club: Club,
) -> None:
    """So that mail promises; who means the draw by it is told the word for that."""
    red = begin(club)
    club.answer(red, f"{puts(red)[0]}\ndraw?", ALICE)
    club.work()
    club.answer(theirs(club), f"{puts(red)[1]}\n\n{DOUBT}", BOB)
    club.answer(club.last(BOB, "receipt"), "help", BOB)
    helped = club.last(BOB, "answer")
    assert "not played before you say “yes”" in helped.flat
    club.answer(helped, "Sorry, I meant to accept it, the last offer!", BOB)
    which = club.last(BOB, "answer")
    assert "To play the orders, answer this mail with “yes”." in which.flat
    assert {"yes", "agree"} <= set(which.links)
    assert len(played(club)) == 1
    club.answer(which, "Agreed!", BOB)
    assert "Nothing was done: your “yes” could mean" in club.last(BOB, "answer").flat
    club.answer(which, "Yes, play it please :-)", BOB)
    assert len(played(club)) == 2


@pytest.mark.parametrize("text", ["Yes, {order}", "Yes, why not?\n{order}"])
def test_a_yes_beside_an_order_that_is_held_only_now_is_no_answer_to_it(
    club: Club, text: str
) -> None:
    """Its line is either asked about or said to be none, not both."""
    report = begin(club)
    told = said(club, report, text.format(order=puts(report)[0]))
    assert kept(club)
    assert "nothing was done with this line" not in told


def test_an_order_written_twice_in_a_letter_is_one_where_it_cannot_be_played_twice(
    club: Club,
) -> None:
    told = said(club, begin(club), "pass", "Pass.")
    assert len(played(club)) == 1
    assert "carried out" in told
    assert "refused" not in told
