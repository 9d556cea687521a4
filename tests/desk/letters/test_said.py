"""Words that people write in place of ours."""

from __future__ import annotations

import pytest
from support.club import ALICE, BOB, CAROL, SEATS, Club, letter
from support.origo_cases import owned
from support.origo_club import begin_at, round_ends

from referee.store.people import players

pytestmark = pytest.mark.fast

LEADING = "Hello my dear friend Bob\n\nI think that today"
ENDING = "See you soon my friend, have fun"


@pytest.mark.parametrize(
    "text",
    [
        "I agree!", "Sure!", "I'm in", "Count me in", "Yes, gladly!", "Yes please :-)",
        "Agreed, looking forward to it!", "ok, let's play", "Of course!", "With pleasure.",
        "Hi, yes!", "Absolutely", "Yep", "Sounds good!", "I accept",
        "Ja, gerne!", "Einverstanden!", "Klar!", "Ich bin dabei", "Ja, ich spiele mit",
        "Bin dabei!", "Na klar, gern", "Auf jeden Fall!", "ok, los geht's",
        "Sure, why not", "I would be happy to play", "Let's play!", "I accept the invitation",
        "Yes please, I'd love to play!", "Great, thanks!", "Game on!", "Sounds good to me",
        "Ich mache mit", "Mit Vergnügen", "Na gut", "Sehr gern, danke für die Einladung!",
    ],
)  # fmt: skip
def test_a_yes_in_ones_own_words_accepts_an_invitation(club: Club, text: str) -> None:
    """Short, as the first sentence."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.work()
    club.answer(club.last(ALICE, "invitation"), text, ALICE)
    assert "You have agreed to play." in club.last(ALICE).flat


@pytest.mark.parametrize(
    "text",
    [
        "I'd love to, but I can't", "Great game, but no", "Thanks for the invitation!",
        "I will play next week", "Let's play tomorrow", "Why not?", "Great!\nBut not this time.",
        "Sure, but only in January", "Danke für die Einladung!", "Ich spiele nicht mit",
        "OK. Let me think.", "Yes. Tomorrow.", "Ja. Ich überlege noch.",
        "Super, aber leider keine Zeit", "Ja, aber erst im Januar", "Let's play on", "Not today",
    ],
)  # fmt: skip
def test_who_hesitates_has_accepted_no_invitation(club: Club, text: str) -> None:
    """They are told how to answer it."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.work()
    club.answer(club.last(ALICE, "invitation"), text, ALICE)
    assert club.match("pebbles-1").state == "invited"
    assert "agree" in club.last(ALICE, "answer").text


@pytest.mark.parametrize("text", ["show", "resign", "put 1 A1"])
def test_before_a_match_begins_whoever_is_asked_reads_both_words(club: Club, text: str) -> None:
    club.new_match("pebbles", *SEATS, begins=False)
    club.work()
    invitation = club.last(ALICE, "invitation")
    club.answer(invitation, text, ALICE)
    told = club.last(ALICE, "answer").flat
    assert "Answer with the one word “agree” to play in it, or “decline” not to." in told
    club.answer(invitation, "agree", ALICE)
    club.answer(invitation, text, ALICE)
    assert "Answer with the one word" not in club.last(ALICE, "answer").flat


@pytest.mark.parametrize(
    ("text", "ready"),
    [
        ("state", "show"),
        ("Could I see the board again?", "show"),
        ("position please", "show"),
        ("holiday from 20.12. to 3.1.", "away 2026-12-20 to 2027-01-03"),
        (
            "Hi, I'm travelling from 2026-12-01 to 2026-12-05, sorry",
            "away 2026-12-01 to 2026-12-05",
        ),
        ("Urlaub vom 20.12. bis 3.1.2027", "away 2026-12-20 to 2027-01-03"),
        ("I am on vacation on 24. 12.", "away 2026-12-24 to 2026-12-24"),
        ("Urlaub vom 3. bis 10. Dezember", "away 2026-12-03 to 2026-12-10"),
        ("I am away 20.12. to 3.1.", "away 2026-12-20 to 2027-01-03"),
        ("Ich bin vom 20.12. bis 3.1. abwesend", "away 2026-12-20 to 2027-01-03"),
        ("Urlaub 3.-10.12.", "away 2026-12-03 to 2026-12-10"),
        ("holiday from 3rd until 10th of December", "away 2026-12-03 to 2026-12-10"),
        ("I'm travelling Dec 1–5", "away 2026-12-01 to 2026-12-05"),
        ("I am away Dec 1-15.", "away 2026-12-01 to 2026-12-15"),
        ("Sprache englisch", "set language en"),
        ("Please change my language to german", "set language de"),
        ("How do I win?", "rules"),
        ("Wie gewinnt man hier?", "rules"),
    ],
)
def test_a_word_in_place_of_a_command_is_answered_with_it(
    club: Club, text: str, ready: str
) -> None:
    """It is proposed, ready to be sent, and nothing is done before."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), text, ALICE)
    answer = club.last(ALICE, "answer")
    assert f"Did you mean “{ready}”? Then send that." in answer.flat
    assert ready in answer.links
    assert club.match("pebbles-1").state == "running"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("I'm on holiday next week", "· away 2026-"),
        ("Which games can I join?", "· join "),
        ("Am 31.2. bin ich im Urlaub", "· away 2026-"),
        ("I never resign, well played", "· resign "),
        ("Should I resign here?", "· resign "),
        ("I resign in pebbles-2", "· resign "),
    ],
)
def test_where_a_part_is_missing_its_form_is_shown(club: Club, text: str, form: str) -> None:
    """Nothing is proposed that its writer would have to complete, or could not take back."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), text, ALICE)
    answer = club.last(ALICE, "answer").text
    assert "Did you mean" not in answer
    assert form in answer


@pytest.mark.parametrize("text", ["setze sprache de", "Setze Sprache deutsch", "stelle sprache de"])
def test_a_setting_is_set_by_other_verbs_too(club: Club, text: str) -> None:
    """In German the verb is an order of Nord; no order is about a setting."""
    club.new_match("nord", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), text, ALICE)
    assert "Von jetzt an kommen deine Mails auf Deutsch" in club.last(ALICE, "answer").text


def test_outside_of_any_match_nobody_is_sent_to_a_quoted_text(club: Club) -> None:
    """There is none; orders belong into the answer to a mail of the match."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.put(letter(ALICE, "Hello, is anybody there?"))
    club.work()
    answer = club.last(ALICE, "answer").flat
    assert "quoted text" not in answer
    assert "answer the latest mail of the match" in answer


@pytest.mark.parametrize(
    ("text", "ready"),
    [
        ("workers on D8, D9 and E9", "place D8 D9 E9"),
        ("your D8", "place D8"),
        ("I'd like D8 and D9 this time, thank you", "place D8 D9"),
        ("axe", "play axe"),
        ("the axe please", "play axe"),
    ],
)
def test_words_that_fit_one_legal_order_are_asked_about(club: Club, text: str, ready: str) -> None:
    """Its keyword may be missing. A yes plays it, and no other is proposed."""
    club.new_match("nord", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    assert ready in report.turn_file["legal"]
    club.answer(report, text, ALICE)
    asked = club.last(ALICE, "receipt")
    assert f"Not played: your mail says “{text}”. “yes” plays “{ready}”." in asked.flat
    assert "You could write" not in asked.text
    assert club.fate("nord-1", "red") == "asked"
    club.answer(asked, "yes", ALICE)
    assert club.fate("nord-1", "red") == "played"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("D8 D9 E9", "place D8 D9 E9"),
        ("e9, d8 and d9.", "place D8 D9 E9"),
        ("Hi Bob,\n\nRed: d 8 (the forest), please\n\nCheers\nAlice", "place D8"),
        ("Sorry for the delay!\nD8", "place D8"),
    ],
)
def test_spaces_alone_are_the_only_order_that_takes_them(club: Club, text: str, line: str) -> None:
    """A letter that says nothing else may leave out the keyword."""
    club.new_match("nord", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), text, ALICE)
    assert f"· {line} — accepted" in club.last(ALICE, "receipt").text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("D8\n\nI am not sure about it, though.", "“yes” plays “place D8”"),
        ("I like your\nD8", "“yes” plays “place D8”"),
        ("Cheers\nAlice\nD8", "“yes” plays “place D8”"),
        ("D8\n\n--\nPlease ignore this", "“yes” plays “place D8”"),
        ("your D8", "“yes” plays “place D8”"),
        ("Z9", "place Z9 — refused: "),
        ("D8?", "You could write:"),
        ("I am in room 5", "You could write:"),
    ],
)
def test_spaces_beside_anything_else_are_not_played(club: Club, text: str, said: str) -> None:
    """They are asked about where they fit, and refused alone where they do not."""
    club.new_match("nord", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), text, ALICE)
    assert said in " ".join(mail.flat for mail in club.mails(ALICE))
    assert club.match("nord-1").turn == 1


@pytest.mark.parametrize("command", ["help", "show", "set digest on", "message blue\nhi\nend"])
def test_spaces_below_a_command_are_no_order(club: Club, command: str) -> None:
    club.new_match("nord", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), f"{command}\nD8", ALICE)
    assert club.fate("nord-1", "red") == "nothing"


def test_spaces_in_an_answer_that_holds_an_order_elsewhere_are_none(club: Club) -> None:
    """As in a signature above the order box."""
    club.new_match("nord", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    box = report.text.replace("=== end ===", "place D8\n=== end ===")
    quoted = "\n".join(f"> {line}" for line in box.splitlines())
    club.put(letter(ALICE, f"A4\n\n{quoted}", answers=report.message["Message-ID"]))
    club.work()
    assert club.fate("nord-1", "red") == "played"


def test_spaces_that_several_kinds_of_order_take_are_none(club: Club) -> None:
    """Whether a shield migrates or sails is not said."""
    given = round_ends({"red": 5, "blue": 8, "black": 2}, {"black": ["people"]})
    shields = owned(red="A1 A2 B1", blue="D7 D8 D9", black="I5 J5")
    begin_at(club, given | {"shields": shields})
    report = club.last(CAROL, "report")
    assert {"migrate I5 I4", "sail J5 I4"} <= {*report.turn_file["legal"]}
    club.answer(report, "I5 I4", CAROL)
    assert "You could write:" in club.last(CAROL, "answer").text


@pytest.mark.parametrize(
    "thanks",
    [
        ", thanks for waiting", " - have a nice weekend everyone", ". Danke und schönen Sonntag!",
        ", happy new year to you all", ", over to you", ", danke für deine Geduld :)",
        " mit lieben Grüßen", ", sorry it took so long",
    ],
)  # fmt: skip
def test_thanks_and_wishes_behind_an_order_are_courtesy(club: Club, thanks: str) -> None:
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), f"put 1 A1{thanks}", ALICE)
    assert "· put 1 A1 — accepted" in club.last(ALICE, "receipt").text


@pytest.mark.parametrize(
    "doubt",
    [
        ", thanks but no", ", danke nein", ", happy to change it", ", happy new move",
        ", sorry for that slip", ", thanks, thinking about it", ", thanks for A2", ", danke?",
        ", thanks I changed my mind", ", danke hab mich vertippt", ", enjoy the blunder",
        "\nThanks I changed my mind",
    ],
)  # fmt: skip
def test_thanks_that_doubt_or_name_another_space_are_none(club: Club, doubt: str) -> None:
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), f"put 1 A1{doubt}", ALICE)
    assert club.fate("pebbles-1", "red") != "played"


@pytest.mark.parametrize(
    "thanks", ["\nthanks but I stay", "\nhave a good fight", ". Thanks for talking me out"]
)
def test_thanks_that_say_more_keep_whoever_resigns(club: Club, thanks: str) -> None:
    """It cannot be taken back, so they are asked."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), f"resign{thanks}", ALICE)
    assert "Nothing has been done yet" in club.last(ALICE, "answer").text
    assert club.match("pebbles-1").state == "running"


@pytest.mark.parametrize(
    "talk",
    ["- have a look everyone", ". If that is ok with you", "! Finally spring, right?"],
)
def test_what_goes_on_behind_an_order_on_its_line_has_it_asked_about(club: Club, talk: str) -> None:
    """It is not told off as if it were a part of the order."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), f"put 1 A1 {talk}", ALICE)
    assert "“yes” plays “put 1 A1”" in club.last(ALICE, "receipt").flat


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("place D8. No, place E7", "“yes” plays “place E7”"),
        ("place D8. I meant place E7", "“yes” plays “place E7”"),
        ("place D8. E7 looks nice, too", "“yes” plays “place D8”"),
        ("place D8. Or place D9?", "leaves it open which you mean"),
    ],
)
def test_an_order_with_another_in_the_next_sentence_is_asked_about(
    club: Club, text: str, told: str
) -> None:
    """By the one that corrects the other; the second is no unreadable part of the first."""
    club.new_match("nord", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), text, ALICE)
    assert told in club.last(ALICE).flat
    assert club.fate("nord-1", "red") in {"asked", "nothing"}


@pytest.mark.parametrize("below", ["sorry I mean A2", "the other one", "Ich meinte A2"])
def test_an_order_that_a_short_sentence_below_it_corrects_is_asked_about(
    club: Club, below: str
) -> None:
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), f"put 1 A1\n{below}", ALICE)
    assert club.fate("pebbles-1", "red") == "asked"


@pytest.mark.parametrize("below", ["(A2)", "A2 is better", "Ist A2 besser?", "sorry two"])
def test_an_order_beside_talk_of_another_space_waits(club: Club, below: str) -> None:
    """The talk may correct it, whatever its words."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), f"put 1 A1\n{below}", ALICE)
    assert club.fate("pebbles-1", "red") == "held"


@pytest.mark.parametrize(
    ("text", "fate"),
    [
        # A sentence that begins with a condition has no other clause than the order.
        ("put 1 A1\n\nIf Bob agrees.", "asked"),
        ("put 1 A1\n\nUnless Bob objects.", "asked"),
        ("put 1 A1\n\nBut only if Bob has confirmed the pause.", "asked"),
        ("put 1 A1\n\nOnce again a wonderful evening with all of you.", "held"),
        ("put 1 A1\n\nWenn Bob zustimmt.", "asked"),
        ("put 1 A1\n\nAber nur nachdem Bob geantwortet hat.", "asked"),
        ("put 1 A1\n\nIf you have time, visit us.", "held"),
        # Few words at the end of a letter are no closing if they doubt.
        ("put 1 A1\n\nWait for my confirmation.", "held"),
        ("put 1 A1\n\nNever mind.", "held"),
        ("put 1 A1\n\nSent by accident.", "held"),
        ("put 1 A1\n\nKeep this until Friday.", "held"),
        ("put 1 A1\n\nHeb das bis Freitag auf.", "held"),
        ("put 1 A1\n\nSee you tomorrow!", "played"),
        ("put 1 A1\n\nUntil next time!", "played"),
        ("put 1 A1\n\nBis morgen!", "played"),
        # Nothing but a doubt, or a short sentence that speaks of the order.
        ("Not yet!\n\nput 1 A1", "asked"),
        ("put 1 A1\n\nMaybe.", "asked"),
        ("put 1 A1\n\nI am not sure about it", "asked"),
        # A verb that moves corrects if it moves the order.
        ("put 1 A1\ntake that one", "held"),
        ("put 1 A1\nmake it so please", "held"),
        ("put 1 A1\ntake care Bob", "played"),
        # What leads in to an order goes on below it.
        (f"{LEADING}\n\nput 1 A1\n\nor perhaps another one.\n\n{ENDING}", "asked"),
        (f"{LEADING}.\n\nput 1 A1\n\nor perhaps another one.\n\n{ENDING}", "held"),
        ("put 1 A1\n\nCheers\nAlice", "played"),
        # What stands above it with a colon says that it is the order, or whose it is.
        ("Bobs Rat:\nput 1 A1", "asked"),
        ("Zum Testen:\nput 1 A1", "asked"),
        ("My move for turn 1:\nput 1 A1", "played"),
        ("Hier mein Zug:\nput 1 A1", "played"),
        ("Hi Bob:\nput 1 A1", "played"),
        ("Mein Zug als Rot:\nput 1 A1", "played"),
        # A name is one, whatever else it means.
        ("put 1 A1\n\nViele Grüße\nAlice May", "played"),
        # Behind a greeting stands no name that doubts.
        ("Hey wait! put 1 A1", "asked"),
        ("Danke nein! put 1 A1", "asked"),
        ("Hi preview! put 1 A1", "nothing"),
        ("Hello Bob! put 1 A1. Have a nice Sunday!", "played"),
    ],
)
def test_few_words_beside_an_order_decide_whether_it_is_played_at_once(
    club: Club, text: str, fate: str
) -> None:
    club.new_match("pebbles", *SEATS)
    with club.desk.writing() as change:
        player = players.by_address(change.connection, ALICE)
        assert player is not None
        players.update_player(change.connection, player.id, name="Alice May")
    club.work()
    club.answer(club.last(ALICE, "report"), text, ALICE)
    assert club.fate("pebbles-1", "red") == fate


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("I play the axe and place D8.", "play axe; place D8"),
        ("First I play the axe, then I place D8.", "play axe; place D8"),
        ("Ich spiele die Axt und setze D8.", "play axe; place D8"),
    ],
)
def test_a_sentence_of_several_orders_is_asked_about_as_all_of_them(
    club: Club, text: str, yes: str
) -> None:
    """A yes would play half of what is meant."""
    club.new_match("nord", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), text, ALICE)
    assert f"“yes” plays “{yes}”" in club.last(ALICE, "receipt").flat


def test_an_order_that_names_another_match_is_none_of_the_one_its_mail_answers(club: Club) -> None:
    for _ in range(2):
        club.new_match("pebbles", *SEATS)
    club.work()
    first = next(mail for mail in club.mails(ALICE) if "match pebbles-1" in mail.flat)
    club.answer(first, "pebbles-2: put 1 A1", ALICE)
    assert club.fate("pebbles-1", "red") == club.fate("pebbles-2", "red") == "nothing"
    told = club.last(ALICE, "answer").flat
    assert "your mail names the match pebbles-2, but the reply code belongs to pebbles-1" in told
    assert "=== pebbles-1 " in told
    club.answer(first, "pebbles-2: put 1 A1\nset language de", ALICE)
    assert "Von jetzt an kommen deine Mails auf Deutsch." in club.last(ALICE, "answer").flat
    club.answer(first, "put 1 A1 (as in pebbles-2)", ALICE)
    assert club.fate("pebbles-1", "red") == "asked"


def test_an_order_beside_talk_of_its_own_space_is_played(club: Club) -> None:
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), "put 1 A1\nA1 is so lovely, you know", ALICE)
    assert club.fate("pebbles-1", "red") == "played"


@pytest.mark.parametrize(
    "text",
    [
        "axe or sword",
        "Good luck to you all",
        "what about D6 and D7",
        "D8 D9?",
        "I will never ever take E7 and E8 with D8",
    ],
)
def test_what_fits_none_or_several_is_not_guessed(club: Club, text: str) -> None:
    """Legal orders are shown instead."""
    club.new_match("nord", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), text, ALICE)
    answer = club.last(ALICE, "answer").text
    assert "Did you mean" not in answer
    assert "You could write" in answer


def test_a_preview_of_what_comes_to_light_says_that_it_is_allowed(club: Club) -> None:
    """What comes to light is told when it is played."""
    club.new_match("nord", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    finding = [line for line in report.turn_file["legal"] if line.startswith("place")]
    told = set()
    for order in finding:
        club.answer(report, f"preview\n{order}", ALICE)
        text = club.last(ALICE, "answer").flat
        told.add("what comes to light by it is told when it is played" in text)
        assert "cannot be foreseen from here" not in text
    assert told == {False, True}


@pytest.mark.parametrize("text", ["Change name to Bobby", "Put name on the list"])
def test_a_sentence_changes_no_setting(club: Club, text: str) -> None:
    """Only the three words of a setting do."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), text, ALICE)
    assert "From now on" not in club.last(ALICE, "answer").text


@pytest.mark.parametrize("text", ["Yes, unfortunately I am ill", "sure, go away", "Yes?"])
def test_a_yes_that_goes_on_otherwise_is_none(club: Club, text: str) -> None:
    """Behind its first comma stands nothing but courtesy."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.work()
    club.answer(club.last(ALICE, "invitation"), text, ALICE)
    assert "You have agreed to play." not in club.last(ALICE).text


def test_days_away_that_have_begun_end_next(club: Club) -> None:
    """Their first day lies before the last one, in the year that is."""
    club.later(days=34)
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), "holiday from 20.12. to 3.1.", ALICE)
    assert "“away 2026-12-20 to 2027-01-03”" in club.last(ALICE).flat


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("place D8\nplace D9", "says “place D8; place D9”. “yes” plays “place D8 D9”"),
        ("place D8; place D9; place E9", "“yes” plays “place D8 D9 E9”"),
        ("place D8\nplace A1", "says both “place D8” and “place A1”. “yes” plays “place D8”"),
        ("play axe\nplace D8\nplace D9", "“yes” plays “play axe; place D8 D9”"),
    ],
)
def test_orders_of_a_kind_that_do_not_fit_into_one_turn_are_asked_about(
    club: Club, text: str, told: str
) -> None:
    """As the one that they are parts of, or the one that can be played; none is played alone."""
    club.new_match("nord", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), text, ALICE)
    asked = club.last(ALICE, "receipt")
    assert told in asked.flat
    assert club.fate("nord-1", "red") == "asked"
    club.answer(asked, "yes", ALICE)
    assert club.fate("nord-1", "red") == "played"


@pytest.mark.parametrize("text", ["Did I win?", "Wer gewinnt gerade?"])
def test_who_asks_who_wins_is_led_to_no_rules(club: Club, text: str) -> None:
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), text, ALICE)
    assert "Did you mean" not in club.last(ALICE, "answer").flat


def test_who_wants_a_rematch_is_told_who_sets_it_up(club: Club) -> None:
    club.new_match("pebbles", *SEATS[:2])
    club.work()
    club.answer(club.last(ALICE, "report"), "resign", ALICE)
    club.work()
    club.answer(club.last(ALICE, "report"), "Rematch?", ALICE)
    told = club.last(ALICE, "answer").flat
    assert "This match is over. The organiser sets up new ones" in told


@pytest.mark.parametrize("text", ["Oops, my last one was a mistake.", "Das letzte war falsch"])
def test_a_slip_told_in_ones_next_turn_is_answered_with_undo(club: Club, text: str) -> None:
    """Whoever has played nothing yet has nothing to take back."""
    club.new_match("pebbles", *SEATS[:2])
    club.work()
    report = club.last(ALICE, "report")
    club.answer(report, text, ALICE)
    assert "“undo”" not in club.last(ALICE, "answer").flat
    order = next(line for line in report.turn_file["legal"] if line.startswith("put"))
    club.answer(report, order, ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), order, BOB)
    club.work()
    club.answer(club.last(ALICE, "report"), text, ALICE)
    assert "If your last turn was a slip, write “undo”" in club.last(ALICE, "answer").flat
