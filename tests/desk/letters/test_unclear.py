"""Lines that were meant as a queue or a command but cannot be read are named, never dropped."""

from __future__ import annotations

import pytest
from support.club import ALICE, BOB, CAROL, SEATS, Club, Mail, letter

from referee.desk import health
from referee.desk.plans.match import Pause
from referee.desk.plans.plan import apply_act
from referee.mail.incoming import marks
from referee.store.people import players


def begun(club: Club) -> Mail:
    """Begin a match where red is to act and return blue's first mail."""
    club.new_match("pebbles", *SEATS)
    club.work()
    return club.last(BOB)


def red(club: Club) -> Mail:
    """Begin a match and return the report of red, who is to act."""
    begun(club)
    return club.last(ALICE, "report")


def answered(club: Club, mail: Mail, text: str, who: str = ALICE, kind: str | None = None) -> str:
    """Let somebody answer a mail; return what they are answered, on one line."""
    club.answer(mail, text, who)
    return club.last(who, kind).flat


LEADS = ["On some day, Referee wrote:", "Referee wrote:", "Am Tag schrieb Referee:"]


@pytest.mark.parametrize("line", LEADS)
def test_what_introduces_the_quote_is_not_called_unread(club: Club, line: str) -> None:
    """An attribution without date or time is no line of the player's; others are named."""
    report = begun(club)
    quote = "\n".join(f"> {each}" for each in report.text.splitlines())
    receipt = answered(
        club, report, f"queue put 3 A1\nso be it\n\n{line}\n{quote}", BOB, kind="receipt"
    )
    assert "so be it" in receipt
    assert line not in receipt
    for below in (quote, ""):
        club.put(letter(BOB, f"so be it\n{line}\n{below}", answers=report.message["Message-ID"]))
        answer = club.last(BOB).flat
        assert "so be it" in answer
        assert line not in answer


def test_a_message_of_one_line_is_never_taken_for_an_attribution(club: Club) -> None:
    """However it reads, it is passed on."""
    report = begun(club)
    text = "message red\nDo you know what Goethe wrote:"
    club.put(letter(BOB, text, answers=report.message["Message-ID"]))
    club.work()
    assert any("what Goethe wrote:" in each.flat for each in club.mails(ALICE))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("note Red wrote:", "Noted."),
        ("message red: he wrote:", "Your message was sent to alice."),
        ("put it as he wrote:", "put it as he wrote:"),
    ],
)
def test_a_command_that_reads_like_an_attribution_is_one(
    club: Club, text: str, expected: str
) -> None:
    """Above a quote too a line that begins with a keyword counts."""
    assert expected in answered(club, begun(club), f"{text}\n> so it was", BOB)


def test_what_introduces_the_quote_is_no_part_of_a_message(club: Club) -> None:
    """A message of several lines ends above it."""
    club.answer(begun(club), "message red:\nwhat do you say?\n\nReferee wrote:\n> so", BOB)
    club.work()
    (message,) = (mail.flat for mail in club.mails(ALICE) if "what do you say?" in mail.flat)
    assert "Referee wrote:" not in message


@pytest.mark.fast
@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("queue putt 3 A1", "queue putt 3 A1"),
        ("queue\nputt 3 A1\nput 3 A2\nend", "queue putt 3 A1"),
        ("queue\nput 3 A1\nwhatever comes first to your mind, dear friend\nend", "whatever"),
        ("einreihen\nput 3 A1; putt 3 A2\nende", "einreihen putt 3 A2"),
        ("queue\nputt 3 A1", "queue putt 3 A1"),
    ],
)
def test_a_queue_that_cannot_be_read_is_refused_by_its_line(
    club: Club, text: str, named: str
) -> None:
    """Out of turn too the receipt names the line at fault, and nothing is noted."""
    receipt = answered(club, begun(club), text, BOB, kind="receipt")
    assert "none of your orders was carried out" in receipt
    assert named in receipt
    assert "not understood" in receipt
    assert "What you ordered in advance" not in receipt


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("queue\nputt 3 A1\nput 3 A1\nput 3 Q\nend", "not understood"),
        ("queue putt 3 A1; put 3 Q", "not understood"),
        ("einreihen\nfliege 3 A1\nlege 3 Q\nende", "nicht verstanden"),
    ],
)
def test_every_order_of_a_queue_that_cannot_be_read_is_named(
    club: Club, text: str, reason: str
) -> None:
    """One answer gives each with its reason, so that one more letter is enough."""
    report = begun(club)
    if reason == "nicht verstanden":
        club.answer(report, "set language de", BOB)
        club.mails(BOB)
    club.answer(report, text, BOB)
    (mail,) = club.mails(BOB)
    assert mail.flat.count(reason) == 2


@pytest.mark.parametrize("preview", ["", "preview\n"])
def test_an_illegal_order_beside_a_line_that_cannot_be_read_is_refused_too(
    club: Club, preview: str
) -> None:
    """Receipt and preview give the reason of each; only what is legal waits for the others."""
    said = answered(club, red(club), f"{preview}put 99 A1\nput 3 Q\npass")
    assert "refused: You hold no pebble of that weight." in said
    assert "put 3 Q — not understood: q is no cell." in said
    assert ("pass — would not be played" if preview else "pass — not played") in said


def test_an_illegal_order_beside_one_that_cannot_be_read_is_refused_in_german(club: Club) -> None:
    """Both reasons stand in one answer."""
    report = red(club)
    club.answer(report, "set language de", ALICE)
    said = answered(club, report, "lege 99 A1\nlege 3 Q", kind="receipt")
    assert "lege 99 A1 — abgelehnt: Du hast keinen Kiesel von diesem Gewicht." in said
    assert "lege 3 Q — nicht verstanden: q ist kein Feld." in said


def test_a_queue_that_cannot_be_read_holds_back_the_orders_beside_it(club: Club) -> None:
    """On one's own turn the letter is refused with the line, and nothing is played."""
    receipt = answered(club, red(club), "put 1 A1\nqueue putt 3 A2", kind="receipt")
    assert "none of your orders was carried out" in receipt
    assert "queue putt 3 A2" in receipt
    assert club.match("pebbles-1").turn == 1


def test_a_bad_queue_is_refused_though_it_answers_an_older_mail(club: Club) -> None:
    """The answer is about the queue, not about the turn the mail answers."""
    old = begun(club)
    row = club.match("pebbles-1")
    code = club.code(row.name, "red")
    top, _, bottom = marks.box_lines(row.name, row.turn, "red", code, "en", "")
    club.put(letter(ALICE, f"{top}\nput 1 A1\n{bottom}", number=90))
    club.work()
    assert club.match("pebbles-1").turn == 2
    club.mails(BOB)
    assert "queue putt 3 A2" in answered(club, old, "queue putt 3 A2", BOB, kind="receipt")


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("set foo bar", "set language en"),
        ("away yesterday", "away 2026-12-20 to 2027-01-03"),
        ("abwesend gestern", "away 2026-12-20 to 2027-01-03"),
        ("show turn abc", "show turn 12"),
        ("join pebbles-1 as red now", "join"),
    ],
)
def test_a_line_that_begins_like_a_command_is_named(club: Club, text: str, how: str) -> None:
    """The answer shows the line and how the command is written."""
    answer = answered(club, begun(club), text, BOB, kind="answer")
    assert "begins like a command" in answer
    assert text in answer
    assert f"· {how}" in answer


def test_an_unclear_command_beside_an_order_does_not_vanish(club: Club) -> None:
    """The order is played, and the line is named in the same answer."""
    club.answer(red(club), "put 1 A1\nset name", ALICE)
    (mail,) = club.mails(ALICE)
    assert mail.kind == "receipt"
    assert "has been carried out" in mail.flat
    assert "· set name A line of your mail was not understood: it begins like" in mail.flat


@pytest.mark.parametrize("text", ["I set the table yesterday", "We are away, sorry"])
def test_talk_is_no_unclear_command(club: Club, text: str) -> None:
    assert "nothing in your mail looked like an order" in answered(
        club, begun(club), text, BOB, kind="answer"
    )


@pytest.mark.parametrize("text", ["I need more time", "message organiser: I need more time"])
def test_whoever_wants_what_only_the_organiser_can_do_is_given_their_address(
    club: Club, text: str
) -> None:
    report = begun(club)
    assert CAROL not in answered(club, report, text, BOB, kind="answer")
    club.settle(organiser=CAROL)
    assert CAROL in answered(club, report, text, BOB, kind="answer")


def test_an_unknown_addressee_is_not_the_organiser(club: Club) -> None:
    club.settle(organiser=CAROL)
    answer = answered(club, begun(club), "message purple: I need more time", BOB, kind="answer")
    assert "goes by “purple”" in answer
    assert CAROL not in answer


@pytest.mark.parametrize("word", ["yes", "no"])
def test_a_yes_or_no_to_nothing_is_told_so(club: Club, word: str) -> None:
    """In a match that runs, without a question, the answer says that nothing is asked."""
    answer = answered(club, begun(club), word, BOB, kind="answer")
    assert "nothing is being asked of you" in answer
    assert "SHA-256" not in answer


@pytest.mark.parametrize(
    ("text", "expected"),
    [("show turn 9", "only at turn 1; there is no turn 9"), ("show turn 1", "The board at turn 1")],
)
def test_a_turn_that_is_still_to_come_is_not_shown(club: Club, text: str, expected: str) -> None:
    """The answer says how far the match is, and shows the board as it is."""
    assert expected in answered(club, begun(club), text, BOB, kind="answer")


@pytest.mark.parametrize(
    ("text", "named"),
    [("put pebbles:Spain", "put pebbles:Spain"), ("peek", "peek"), ("lege den Stein", "lege")],
)
def test_a_line_that_begins_like_an_order_is_refused_with_what_is_legal(
    club: Club, text: str, named: str
) -> None:
    """Outside the box too: the line, the reason, three legal orders, and nothing is played."""
    begun(club)
    before = club.match("pebbles-1").seq
    club.answer(club.last(ALICE, "report"), text, ALICE)
    receipt = club.last(ALICE, "receipt").flat
    assert f"· {named}" in receipt
    assert "not understood" in receipt
    near = receipt.split("You could write:")[1].split("Your answer,")[0].split("The board:")[0]
    assert near.count("·") == 3
    assert club.match("pebbles-1").seq == before


def test_an_order_of_another_game_is_talk_in_this_one(club: Club) -> None:
    """Alone its line is shown with orders that are legal here; beside an order it is ignored."""
    report = red(club)
    assert "· palisade A1 A2" in answered(club, report, "palisade A1 A2", kind="answer")
    assert "has been carried out" in answered(club, report, "put 1 A1\npalisade A1", kind="receipt")


@pytest.mark.parametrize(
    "text", ["Put it on my bill, as you always do", "help me, please", "Away from home, sorry"]
)
def test_talk_that_begins_like_an_order_is_named_where_nothing_else_is_said(
    club: Club, text: str
) -> None:
    """The answer shows the line, how it would be written, and three legal orders."""
    answer = answered(club, red(club), text, kind="answer")
    assert f"· {text}" in answer
    assert "begins like a command or an order" in answer
    assert answer.split("You could write:")[1].split("Answer this mail")[0].count("·") == 3


def test_talk_that_begins_like_an_order_holds_no_order_back(club: Club) -> None:
    """A sentence beside an order is shown as ignored, and the order is played."""
    receipt = answered(
        club, red(club), "put 1 A1\nPass my regards to Bob, will you", kind="receipt"
    )
    assert "has been carried out" in receipt
    assert "Not read as orders: · Pass my regards" in receipt


def test_preview_and_order_on_one_line_play_nothing(club: Club) -> None:
    assert "These orders would be accepted" in answered(
        club, red(club), "preview put 1 A1", kind="answer"
    )
    assert club.match("pebbles-1").turn == 1


@pytest.mark.parametrize(
    "line",
    ["please preview", "preview, please:", "Vorschau bitte", "- preview", "preview looks fine"],
)
def test_what_is_to_be_tried_is_not_played_however_politely_it_is_asked(
    club: Club, line: str
) -> None:
    """A `preview` with courtesy or other words on its line lets nothing below it be played."""
    assert "These orders would be accepted" in answered(
        club, red(club), f"{line}\nput 1 A1", kind="answer"
    )
    assert club.match("pebbles-1").turn == 1


@pytest.mark.parametrize(
    "line", ["please preview put {}", "preview please put {} :-)", "preview put {}, then pass"]
)
def test_an_order_dressed_behind_preview_is_tried(club: Club, line: str) -> None:
    """What is understood without `preview` is understood behind it."""
    answer = answered(club, red(club), line.format("1 A1"), kind="answer")
    assert "put 1 A1 — would be accepted" in answer
    assert "begins like a command" not in answer
    assert club.match("pebbles-1").turn == 1


def test_a_message_keeps_its_lists_and_its_courtesy(club: Club) -> None:
    """Lines of a message are passed on as they were written, even if they hold commands."""
    report = begun(club)
    club.answer(report, "message red\n- help\nplease preview\n1. show\nend", BOB)
    text = club.last(ALICE).text
    assert all(each in text for each in ("- help", "please preview", "1. show"))


def test_a_yes_with_more_words_is_told_what_it_would_have_meant(club: Club) -> None:
    """An invitation answered under a condition is not agreed to, and says what to write."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.answer(club.last(BOB), "yes, if Alice is quick\nluck seven swans", BOB)
    answer = club.last(BOB, "answer").flat
    assert "· luck seven swans Your words have been noted" in answer
    assert "“yes” counts alone on its line, or as a short first sentence" in answer
    assert "· yes, if Alice is quick" in answer
    assert "answer to the invitation to this match" in answer


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "nothing in your mail answers the invitation to this match"),
        ("de", "In deiner Mail beantwortet nichts die Einladung zu dieser Partie"),
    ],
)
def test_talk_to_an_invitation_is_told_how_it_is_answered(
    club: Club, language: str, said: str
) -> None:
    """Whoever is invited is told of yes and no, not of the orders of a match not yet begun."""
    club.new_match("pebbles", *SEATS, begins=False)
    with club.desk.store.writing() as connection:
        for each in players.all_players(connection):
            players.update_player(connection, each.id, language=language)
    club.answer(club.last(BOB), "I have to ask my brother first.", BOB)
    answer = club.last(BOB, "answer").flat
    assert said in answer
    assert {"en": "· agree — yes", "de": "· einverstanden — "}[language] in answer
    assert "2 A3" not in answer


def test_a_message_where_only_bots_play_says_that_bots_get_no_mail(club: Club) -> None:
    """Nobody is said to be missing who plays: a bot is named as what cannot be written to."""
    club.new_match("pebbles", f"red={ALICE}", "blue=bot:random")
    club.work()
    club.answer(club.last(ALICE), "message all: hi\nmessage blue: hi", ALICE)
    answer = club.last(ALICE, "answer").flat
    assert "nobody in this match to write to just now, as bots get no mail" in answer
    assert "goes by" not in answer
    assert "write “message”" not in answer
    assert "write your orders above" in answer


def test_a_yes_with_more_words_to_a_question_names_the_question(club: Club) -> None:
    """The answer says what the yes would have done; in German too."""
    club.new_match("pebbles", *SEATS)
    club.put(letter(BOB, "set language de"))
    club.answer(club.last(BOB, "answer"), "yes", BOB)
    club.put(letter(BOB, "einstellung name Robert", number=8))
    club.answer(club.last(BOB, "answer"), "ja, aber erst morgen", BOB)
    answer = club.last(BOB, "answer").flat
    assert "„ja“ zählt allein in seiner Zeile" in answer
    assert "einstellung name Robert" in answer


def test_each_part_of_an_answer_stands_below_its_lines(club: Club) -> None:
    """Orders stand once, in their receipt, and another command above its answer."""
    receipt = answered(club, red(club), "pass\nset name Anna", kind="receipt")
    above = "of each line. Your orders: Your mail has been carried out."
    assert above in receipt
    assert "· pass — accepted" in receipt
    assert receipt.count("· pass") == 1
    assert "Your settings: · set name Anna From now on" in receipt


def test_a_telling_subject_is_no_half_sentence(club: Club) -> None:
    """It has no colon at its end, and of a long sentence the first clause."""
    report = red(club)
    club.answer(report, "set name", ALICE)
    assert club.last(ALICE).message["Subject"].endswith("] A line of your mail was not understood")


def test_talk_is_shown_in_the_answer_that_found_no_order(club: Club) -> None:
    """Whoever wrote only talk sees what was read, and three orders that are legal."""
    answer = answered(club, red(club), "I wonder what to do", kind="answer")
    assert "This is what was read: · I wonder what to do" in answer
    assert answer.split("You could write:")[1].split("Answer this mail")[0].count("·") == 3


def test_talk_out_of_turn_is_told_whose_turn_it_is_and_asked_for_no_orders(club: Club) -> None:
    """The same letter from whoever is to act is told how orders are written."""
    reports, answers = {BOB: begun(club), ALICE: club.last(ALICE)}, []
    for who in (ALICE, BOB):
        club.answer(reports[who], "Thank you all so much!", who)
        answers.append(club.last(who, "answer").flat)
    mine, other = answers
    assert "It is your turn, red: until" in mine
    assert "Write your orders above the quoted text" in mine
    assert "How orders are written" in mine
    assert "Red (alice) is to act, until" in other
    assert "Words for the others go below a line “message all”. “rules” brings" in other
    assert "Write your orders" not in other
    assert "How orders are written" not in other


def test_orders_that_were_refused_come_first_in_an_answer_of_several_parts(club: Club) -> None:
    """The first words are the receipt's, and each part has a heading of its own."""
    club.answer(red(club), "put 9 A1\nmatches", ALICE)
    receipt = club.last(ALICE, "receipt")
    assert receipt.told.startswith("Not played: none of your orders was carried out, the position")
    assert receipt.text.lower().count("none of your orders was carried out") == 1
    assert receipt.flat.count("· put 9 A1") == 1
    assert "· put 9 A1 — refused" in receipt.flat
    assert "Your matches:\n· matches" in receipt.text
    assert "#ffc21a" in receipt.html.partition("<h1")[0]


@pytest.mark.parametrize("text", ["Agreed, thanks!", "yes please", "agree, thanks!", "agreed"])
def test_a_yes_with_thanks_is_a_yes(club: Club, text: str) -> None:
    """It accepts an invitation; German as well."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False)
    club.work()
    club.answer(club.last(ALICE, "invitation"), text, ALICE)
    assert "You have agreed to play." in club.last(ALICE).flat
    club.answer(club.last(BOB, "invitation"), "einverstanden, danke!", BOB)
    assert club.match("pebbles-1").state == "running"


def test_a_second_yes_to_an_invitation_is_told_that_the_match_has_begun(club: Club) -> None:
    """It has answered it already."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.work()
    asked = club.last(ALICE, "invitation")
    club.answer(asked, "yes", ALICE)
    club.answer(club.last(BOB, "invitation"), "yes", BOB)
    club.answer(asked, "yes", ALICE)
    assert "heard already: everybody has accepted" in club.last(ALICE, "answer").flat


def test_a_yes_to_nothing_says_so_and_what_can_be_sent(club: Club) -> None:
    """After a refused order nothing waits for a yes, but orders do."""
    club.answer(red(club), "put 9 A1", ALICE)
    club.answer(club.last(ALICE, "receipt"), "yes", ALICE)
    answer = club.last(ALICE, "answer")
    assert answer.told.startswith(
        "Nothing was done: your turn asks for an order, and “yes” is none."
    )
    assert "You could write:\n· put 1 A1" in answer.text


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("pass\nI take that back.", "about: pass."),
        ("pass\nqueue\npass\npass\nend\nI take that back.", "about: pass and pass; pass."),
        ("queue pass\n\nWe were at the zoo yesterday.", "about: pass."),
    ],
)
def test_a_yes_with_more_words_names_the_orders_that_are_held(
    club: Club, text: str, asked: str
) -> None:
    """Those of the turn, and those in advance."""
    report = red(club)
    club.answer(report, "set talk 2h\nset grace 1h", ALICE)
    club.answer(report, text, ALICE)
    told = answered(club, report, "yes, if you think so", kind="answer")
    assert f"your answer to this question, which is {asked} Write the one word “yes”" in told
    assert "Nothing is being asked" not in told


def test_a_yes_to_any_mail_of_the_turn_plays_what_is_held(club: Club) -> None:
    """It need not answer the very mail that asks for it."""
    report = red(club)
    club.answer(report, "pass\nI take that back.", ALICE)
    told = answered(club, report, "set language de\nja", kind="receipt")
    assert "passe — angenommen" in told
    assert club.match("pebbles-1").to_act == "blue"


def test_a_mail_that_changes_language_is_answered_wholly_in_the_new_one(club: Club) -> None:
    """Orders above the line are worded in it, too."""
    club.answer(red(club), "put 9 A1\nset language de\nmatches", ALICE)
    told = club.last(ALICE, "receipt").flat.partition(" · referee --- ")[2]
    assert told.startswith("Nicht gespielt: Kein Befehl wurde ausgeführt")
    assert "Deine Einstellungen: · set language de Von jetzt an kommen deine Mails auf" in told
    assert "lege 9 A1 — abgelehnt" in told
    assert "Your" not in told


def test_a_harmless_setting_without_a_code_is_set_at_once(club: Club) -> None:
    """Whoever forged it would change little, and its owner reads how to set it back."""
    begun(club)
    club.put(letter(ALICE, "set mails few"))
    told = club.last(ALICE).flat
    assert "the rest comes together, in one mail a day" in told
    assert "If you did not ask for this, somebody else used your address" in told


@pytest.mark.parametrize("line", ["set grace 10m", "set digest daily 18:00"])
def test_a_setting_for_which_a_turn_may_wait_is_asked_back_without_a_code(
    club: Club, line: str
) -> None:
    """Its owner would not see in time that it is their turn, or that they have played."""
    begun(club)
    club.put(letter(ALICE, line))
    assert "answer this mail with the one word “yes”" in club.last(ALICE).flat


def test_a_forged_language_is_told_in_the_one_before_as_well(club: Club) -> None:
    """Its owner may not be able to read the other."""
    begun(club)
    club.put(letter(ALICE, "set language de"))
    told = club.last(ALICE).flat
    assert "Von jetzt an kommen deine Mails auf Deutsch." in told
    assert "somebody else used your address: write “set language en” to set it back." in told


@pytest.mark.fast
def test_orders_right_below_a_wide_quoted_line_are_named(club: Club) -> None:
    """The first may be the wrapped end of that line; without it the next is not played either."""
    report = red(club)
    quoted = f"> {'wide ' * 14}no\n> {'wide ' * 14}"
    club.put(letter(ALICE, f"{quoted}\nput 1 A1\npass", answers=report.message["Message-ID"]))
    told = club.last(ALICE, "answer").flat
    assert "· put 1 A1" in told
    assert "· pass" in told
    assert club.match("pebbles-1").to_act == "red"


def test_talk_in_a_paused_match_is_asked_for_no_orders(club: Club) -> None:
    """Nothing would be played."""
    report = red(club)
    apply_act(club.desk, Pause("pebbles-1"), "test")
    club.mails(ALICE)
    club.answer(report, "Thanks all!", ALICE)
    told = club.last(ALICE, "answer")
    assert "The match is paused." in told.flat
    assert "message all" in told.flat
    assert "write your orders" not in told.flat


@pytest.mark.parametrize(
    "text",
    [
        "Preview, don't play!\npass",
        "Just a preview:\npass",
        "Vorschau, bitte noch nicht spielen:\npass",
        "pass\nPS: Please ignore this, I will send new orders tomorrow.",
        "Danke, bitte für den nächsten Zug vormerken\npass",
        "pass\nForget that, I need more time.",
        "pass\nwithdraw that",
        "pass\nundo that if you can",
        "pass\nOnly kidding!",
        "pass\nUps, das war falsch",
        "pass\nWait a moment",
        "pass\nNur einen Moment!",
        "pass\nna ja, dann doch nicht",
        "pass\nbut only if it costs nothing",
        "If blue greift an:\npass",
        "pass\n(not sure, what do you think?)",
        "Sorry, I could not play sooner.\npass",
        "pass\nIf that is not possible put 1 B1",
        "pass\nAch nein, doch lieber etwas anderes",
        "pass\nHi Bob, why did you put 1 B1?",
        "Hi there, it is late and I still think about it; let it\npass",
    ],
)
def test_orders_that_their_letter_contradicts_are_asked_about(club: Club, text: str) -> None:
    """A condition, a second thought or another order in a sentence; each is named as it stands."""
    told = answered(club, red(club), text, kind="receipt")
    assert "Not played: your mail says both “pass” and “" in told
    assert any(f"and “{line}"[:20] in told for line in text.replace("PS: ", "").splitlines())
    assert club.fate("pebbles-1", "red") == "asked"


@pytest.mark.parametrize("below", ["Correction: put 1 B1", "I mean put 1 B1", "besser: put 1 B1"])
def test_of_an_order_and_another_that_corrects_it_the_writer_is_asked_which(
    club: Club, below: str
) -> None:
    told = answered(club, red(club), f"pass\n{below}", kind="answer")
    assert "Either: · pass Or: · put 1 B1" in told


@pytest.mark.parametrize(
    "text",
    [
        "Could I see a preview of this first?\n\npass",
        "Thanks for the preview! I play it now:\npass",
        "Is this allowed?\n\npass\n\nThanks",
        "Geht das so?\npass",
        "What do you think?\npass",
        "pass\nI'm not sure",
        "pass\nBin mir nicht sicher",
        "pass\nyes, but tomorrow",
        "pass\nSee you on F7",
        "No worries about yesterday, here are my orders:\npass",
        "pass\nSorry, wait times are my fault",
        "Hello everybody, sorry if I am late, here is what I play \N{GRINNING FACE}\npass",
        "Hello everybody, sorry if I am late, here is what I play ❤️\npass",
        "Hello everybody, sorry if I am late, here is what I play :-)\npass",
    ],
)
def test_orders_in_company_are_held(club: Club, text: str) -> None:
    """A doubting word that may be about anything, a question, few words right below an order."""
    assert "Held until" in answered(club, red(club), text, kind="receipt")
    assert club.fate("pebbles-1", "red") == "held"


@pytest.mark.parametrize(
    "talk",
    [
        "Sorry for the delay!",
        "How are you?",
        "Thanks, good game so far!",
        "I have put a lot of time into this",
        "I chose to pass because of the corner.",
        f"Hi\n{'_' * 60}",
        "\nSee you tomorrow.",
        "\nCan't wait!",
    ],
)
def test_other_talk_beside_orders_raises_no_doubt(club: Club, talk: str) -> None:
    """It is friendly, and the orders count; above them or below."""
    club.answer(red(club), f"{talk}\npass", ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), f"pass\n{talk}", BOB)
    assert [club.fate("pebbles-1", seat) for seat in ("red", "blue")] == ["played", "played"]


@pytest.mark.parametrize(
    ("text", "between"),
    [
        ("If Blue passes:\nput 1 A1\nOtherwise:\npass", "Otherwise:"),
        ("put 1 A1\n\nUps, nein, doch lieber:\n\npass", "Ups, nein, doch lieber:"),
        ("put 1 A1\nor\npass", "or"),
        ("put 1 A1 or pass?", "put 1 A1 or pass?"),
        ("Soll ich lieber lege 1 A1 oder passe?", "Soll ich lieber lege 1 A1 oder passe?"),
    ],
)
def test_of_alternatives_one_is_to_be_chosen(club: Club, text: str, between: str) -> None:
    """Nothing waits for a yes, as that would not say which."""
    told = answered(club, red(club), text, kind="answer")
    assert f"leaves it open which you mean (“{between}”)" in told
    assert "Either: · put 1 A1 Or: · pass" in told
    assert club.fate("pebbles-1", "red") == "nothing"


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("put 1 A1 or B1?", "put 1 B1"),
        ("Hi! Either put 1 A1 or rather 2 B1, what do you think?", "put 2 B1"),
        ("lege 1 A1 oder B1?", "put 1 B1"),
        ("put 1 A1 or put 1 B1?", "put 1 B1"),
        ("put 1 A1 or B1", "put 1 B1"),
    ],
)
def test_a_choice_on_one_line_offers_both(club: Club, text: str, second: str) -> None:
    """Behind the first order its writer may say only what differs."""
    told = answered(club, red(club), text, kind="answer")
    assert f"Either: · put 1 A1 Or: · {second}" in told
    assert club.fate("pebbles-1", "red") == "nothing"


@pytest.mark.parametrize("text", ["put 1 A1 or whatever?", "put 1 A1, or do you mind?"])
def test_a_choice_that_names_one_order_is_asked_with_it(club: Club, text: str) -> None:
    """It is part of a sentence, and nothing else in that is an order."""
    told = answered(club, red(club), text, kind="receipt")
    assert f"Not played: your mail says “{text}”." in told
    assert club.fate("pebbles-1", "red") == "asked"


@pytest.mark.parametrize("text", ["pass?\n\nset language de", "set language de\n\npass?"])
def test_a_doubt_about_an_order_holds_up_no_setting(club: Club, text: str) -> None:
    club.answer(red(club), text, ALICE)
    told = club.last(ALICE).flat
    assert "Von jetzt an kommen deine Mails auf Deutsch." in told
    assert "Nicht gespielt" in told
    assert club.fate("pebbles-1", "red") == "asked"


def test_a_doubt_beside_orders_holds_up_a_setting(club: Club) -> None:
    """Whatever it means, it may mean that as well."""
    told = answered(club, red(club), "pass\nset language de\n\nForget this!")
    assert "Nothing was done: your mail says “set language de”, but also “Forget this!”" in told


@pytest.mark.parametrize(
    ("closing", "fate"),
    [
        ("Can't wait!", "played"),
        ("Bis morgen!", "played"),
        ("I'm not sure", "held"),
        ("Bin mir nicht sicher", "held"),
    ],
)
def test_a_short_last_line_apart_is_a_closing_unless_it_doubts(
    club: Club, closing: str, fate: str
) -> None:
    club.answer(red(club), f"pass\n\n{closing}", ALICE)
    assert club.fate("pebbles-1", "red") == fate


@pytest.mark.parametrize("closing", ["Not sure about it", "Bin mir da nicht sicher, ob das geht"])
def test_a_last_line_apart_may_contradict(club: Club, closing: str) -> None:
    """With a pronoun for the order, however far below, or with more words than a closing has."""
    club.answer(red(club), f"pass\n\n{closing}", ALICE)
    assert club.fate("pebbles-1", "red") in {"asked", "held"}


def test_orders_below_one_that_may_end_a_sentence_wait_with_it(club: Club) -> None:
    """Orders stand or fall together, so none below the doubtful one is played without it."""
    begun(club)
    wide = "Hello everybody, sorry for being so late, and here is now what"
    club.answer(club.last(ALICE, "report"), f"{wide}\nput 1 A1\npass", ALICE)
    assert f"both “put 1 A1; pass” and “{wide}”" in club.last(ALICE, "receipt").flat
    assert club.fate("pebbles-1", "red") == "asked"


@pytest.mark.parametrize(
    ("talk", "fate"),
    [
        ("Oops, I meant:", "nothing"),
        ("Please do not play that!", "nothing"),
        ("I will write again tomorrow.", "nothing"),
        ("If red attacks:", "played"),
    ],
)
@pytest.mark.parametrize("given", ["withdraw", "cancel all"])
def test_words_that_say_no_never_keep_what_takes_back(
    club: Club, talk: str, given: str, fate: str
) -> None:
    """They say the same; only a condition says something else, and is asked about."""
    report = begun(club)
    club.answer(report, "queue pass", BOB)
    club.answer(report, f"{talk}\n{given}", BOB)
    assert (f"says “{given}”, but also “{talk}”" in club.last(BOB).flat) == (fate == "played")
    club.answer(club.last(ALICE, "report"), "pass", ALICE)
    club.work()
    assert club.fate("pebbles-1", "blue") == fate


@pytest.mark.parametrize("talk", ["Please don't play it.", "I will write again tomorrow."])
@pytest.mark.parametrize("beside", ["I take that back.", "We were at the zoo yesterday."])
def test_words_that_say_no_never_keep_a_no(club: Club, talk: str, beside: str) -> None:
    """What was held is not played when its hour is over."""
    club.answer(red(club), f"pass\n\n{beside}", ALICE)
    club.answer(club.last(ALICE, "receipt"), f"no\n\n{talk}", ALICE)
    assert club.fate("pebbles-1", "red") == "nothing"


@pytest.mark.parametrize(
    ("text", "fate"),
    [
        ("Please don't play that yet, I want to think.", "asked"),
        ("Wait!", "asked"),
        ("withdraw\nIf you can.", "asked"),
        ("yes\nno, wait", "asked"),
        ("pass\nI take that back.", "asked"),
        ("Thanks, all is well.", "held"),
        ("message blue: I take that back.", "held"),
    ],
)
def test_a_doubt_in_a_later_letter_has_what_is_held_wait_for_a_yes(
    club: Club, text: str, fate: str
) -> None:
    """Its hour passes without play, and the yes plays it."""
    report = red(club)
    club.answer(report, "pass\n\nWe were at the zoo yesterday.", ALICE)
    assert club.fate("pebbles-1", "red") == "held"
    club.answer(report, text, ALICE)
    assert club.fate("pebbles-1", "red") == fate
    club.later(hours=2)
    health.note_poll(club.desk, club.desk.now())
    club.work()
    assert club.fate("pebbles-1", "red") == {"asked": "asked", "held": "played"}[fate]
    club.answer(report, "yes", ALICE)
    assert club.fate("pebbles-1", "red") == "played"


def test_a_doubt_outside_a_box_counts_for_its_orders(club: Club) -> None:
    """The receipt names the sentence."""
    report = red(club)
    box = report.text[report.text.index("===") :].replace("(write", "pass\n(write")
    text = f"I am not sure whether this is clever.\n\n{box}"
    club.put(letter(ALICE, text, answers=report.message["Message-ID"]))
    assert club.fate("pebbles-1", "red") == "held"
    assert "“I am not sure whether this is clever”" in club.last(ALICE).flat


@pytest.mark.parametrize(
    ("line", "fate", "told"),
    [
        ("stop pebbles-1 and 2", "asked", True),
        ("cancel 1 and 2", "asked", True),
        ("show turn 1 and 2", "played", True),
        ("stop pebbles-1 now, no", "asked", False),
    ],
)
def test_a_command_with_a_number_that_cannot_be_read_is_named_beside_orders(
    club: Club, line: str, fate: str, *, told: bool
) -> None:
    """How it is written is told, unless the line is prose; what it takes back may be the order."""
    club.answer(red(club), f"{line}\npass", ALICE)
    assert club.fate("pebbles-1", "red") == fate
    assert ("written" in club.last(ALICE).flat) is told


@pytest.mark.parametrize(
    "line",
    [
        "please withdraw",
        "Bitte zurückziehen!",
        "withdraw, please",
        "please cancel",
        "cancel 1 please",
        "Thanks, withdraw",
    ],
)
def test_a_please_around_what_takes_back_does_no_harm(club: Club, line: str) -> None:
    """Before the word or behind it."""
    report = begun(club)
    club.answer(report, "queue pass", BOB)
    club.answer(report, line, BOB)
    club.answer(club.last(ALICE, "report"), "pass", ALICE)
    club.work()
    assert club.match("pebbles-1").to_act == "blue"


@pytest.mark.parametrize("line", ["please set grace 10m", "set grace 10m, please"])
def test_a_please_around_a_setting_does_no_harm(club: Club, line: str) -> None:
    """Nor does thanks."""
    assert "your orders are held for 10" in answered(club, begun(club), line, BOB)


def test_the_answer_to_a_setting_can_be_answered_with_orders(club: Club) -> None:
    """It bears the code of the match whose mail it answers."""
    club.answer(red(club), "set format phone", ALICE)
    club.answer(club.last(ALICE), "pass", ALICE)
    assert club.match("pebbles-1").to_act == "blue"


def test_who_is_asked_nothing_is_offered_orders_and_no_answer(club: Club) -> None:
    told = answered(club, red(club), "No, wait", kind="answer")
    assert "Nothing is being asked of you here at present" in told
    assert "You could write: · " in told
    assert "· decline" not in told


@pytest.mark.parametrize("text", ["resign\nJust kidding! put 1 A1", "pass\nnot sure\nresign"])
def test_of_a_resignation_beside_doubted_orders_nothing_is_carried_out_or_asked(
    club: Club, text: str
) -> None:
    """A yes to the orders could be taken for one that gives up the seat."""
    told = answered(club, red(club), text, kind="answer")
    assert "Nothing was done: your mail says “resign”, but also “" in told
    assert club.fate("pebbles-1", "red") == "nothing"


@pytest.mark.parametrize("doubt", ["no, wait", "Just kidding!"])
def test_a_resignation_beside_a_doubt_is_asked_back(club: Club, doubt: str) -> None:
    """Nothing takes it back; with thanks it is one."""
    report = red(club)
    told = answered(club, report, f"resign\n{doubt}", kind="answer")
    assert "your mail says more than the following, which cannot be taken back" in told
    assert club.match("pebbles-1").state == "running"
    club.answer(report, "resign\nthanks for the game", ALICE)
    assert club.match("pebbles-1").state != "running"


@pytest.mark.parametrize("line", ["note green looks weak", "help"])
def test_a_doubt_keeps_no_command_that_does_no_harm(club: Club, line: str) -> None:
    """It is carried out, and the order in the sentence is asked about."""
    told = answered(club, red(club), f"{line}\nI would like to put 1 B1 if I can", kind="receipt")
    assert {"note green looks weak": "Noted.", "help": "You can write these commands"}[line] in told
    assert "your mail says “I would like to put 1 B1 if I can”. “yes” plays “put 1 B1”." in told
    assert club.fate("pebbles-1", "red") == "asked"


def test_a_yes_with_more_words_is_named_beside_a_setting(club: Club) -> None:
    """In the language just set; the player would take themself for agreed."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False)
    club.work()
    text = "Einstellung Sprache Deutsch\nja, aber erst morgen"
    club.answer(club.last(ALICE, "invitation"), text, ALICE)
    told = club.last(ALICE, "answer").flat
    assert "Von jetzt an kommen deine Mails auf Deutsch." in told
    assert "„ja“ zählt allein in seiner Zeile oder als kurzer erster Satz" in told


@pytest.mark.parametrize("line", ["whatever comes", "put 1 A1 versus put 1 B1"])
def test_no_correction_is_made_of_what_may_mean_anything(club: Club, line: str) -> None:
    """Legal orders are named, but nothing is ready to be sent in its place."""
    report = red(club)
    head = report.text.rpartition("(write your orders here, one per line)")[0]
    begin = head.rindex("===", 0, head.rindex("==="))
    told = answered(club, report, f"{head[begin:]}{line}\n=== end ===", kind="receipt")
    assert "You could write:" in told
    assert "Your answer, corrected" not in told


@pytest.mark.parametrize("box", [False, True])
def test_another_order_below_a_message_goes_to_nobody(club: Club, *, box: bool) -> None:
    """Where the message ends is not clear, so neither it nor the order above counts."""
    report = red(club)
    club.mails(BOB)
    doubt = "I would like to put 1 B1 when I may."
    text = f"put 1 A1\nmessage blue: good game\n\n{doubt}"
    if box:
        head = report.text.rpartition("(write your orders here, one per line)")[0]
        text = f"{head[head.rindex('===', 0, head.rindex('===')) :]}{text}\n=== end ==="
    club.answer(report, text, ALICE)
    assert not club.mails(BOB)
    assert f"both “put 1 A1” and “{doubt[:-1]}”" in club.last(ALICE).flat
    assert club.fate("pebbles-1", "red") == "asked"
