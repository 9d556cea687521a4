"""One letter gets one answer, which goes through its lines as they were written."""

from __future__ import annotations

import pytest
from support.club import ALICE, BOB, CAROL, SEATS, Club, Mail, letter
from support.origo_club import begin_at, round_ends

from referee.games import registry
from referee.games.play import complete_options, opening_order
from referee.render.words.rules import rules_blocks
from referee.render.words.wording import Wording
from referee.store.people import players

pytestmark = pytest.mark.fast


def report(club: Club, who: str = ALICE) -> Mail:
    """Begin a match where red is to act and return somebody's report."""
    club.new_match("pebbles", *SEATS)
    club.work()
    return club.last(who, "report")


def put(mail: Mail) -> str:
    """Return the first order a report proposes."""
    return next(each for each in mail.turn_file["legal"] if each.startswith("put"))


def test_commands_and_orders_of_a_letter_are_answered_in_one_mail(club: Club) -> None:
    """Every line is answered below itself, in the sequence of the letter, under one code."""
    mail = report(club)
    club.answer(mail, f"note go west\n{put(mail)}\nmessage blue: hello\nset name Alicia", ALICE)
    (answer,) = club.mails(ALICE)
    said = answer.flat
    expected = [
        "Your mail asked for several things.",
        "· note go west Noted.",
        "has been carried out",
        f"· {put(mail)} — accepted",
        "· message blue: hello Your message was sent to bob.",
        "· set name Alicia From now on the others see you as Alicia.",
        f"=== pebbles-1 · turn 2 · red · {club.code('pebbles-1', 'red')[:4]}",
    ]
    places = [said.index(each) for each in expected]
    assert places == sorted(places)
    assert answer.turn_file["turn"] == 2


IDLE = [f"so be it {number}" for number in range(200)]


def test_what_is_not_read_to_its_end_is_not_played(club: Club) -> None:
    """Of too many lines none counts, and the answer says so; the other places do."""
    mail = report(club)
    order = put(mail)
    club.answer(mail, "\n".join([order, *IDLE]), ALICE)
    assert "it has more than 200 lines" in club.last(ALICE, "answer").flat
    assert club.match("pebbles-1").turn == 1
    club.answer(mail, "\n".join([*IDLE, order]), ALICE)
    assert "it has more than 200 lines" in club.last(ALICE, "answer").flat
    code = club.code("pebbles-1", "red")
    box = f"=== pebbles-1 · turn 1 · red · {code} ===\n{order}\n=== end ==="
    club.put(letter(ALICE, "\n".join(["help", *IDLE, box]), number=9))
    (answer,) = club.mails(ALICE)
    assert "it has more than 200 lines" in answer.flat
    assert f"· {order} — accepted" in answer.flat
    assert club.match("pebbles-1").turn == 2


def test_too_long_a_box_is_named_though_nothing_in_it_is_an_order(club: Club) -> None:
    """As is the first of more boxes than are read."""
    mail = report(club)
    code = club.code("pebbles-1", "red")
    box = f"=== pebbles-1 · turn 1 · red · {code} ==="
    club.put(letter(ALICE, "\n".join([box, *IDLE, put(mail), "=== end ==="])))
    assert "it has more than 200 lines" in club.last(ALICE, "answer").flat
    boxes = "\n".join(f"{box}\nso be it {number}\n=== end ===" for number in range(21))
    club.put(letter(ALICE, boxes, number=2))
    assert "it has more than 200 lines" in club.last(ALICE).flat
    assert club.match("pebbles-1").turn == 1


def test_the_commands_that_are_too_many_are_named(club: Club) -> None:
    """Twenty are carried out; what comes after them is not passed over without a word."""
    mail = report(club)
    club.answer(mail, "\n".join(f"note number {each}" for each in range(1, 23)), ALICE)
    said = club.last(ALICE, "answer").flat
    assert said.count("Noted.") == 20
    assert "has more than 20 commands" in said
    assert said.index("has more than 20 commands") < said.index("note number 22")


def twice(mail: Mail, line: str) -> bytes:
    """Return an answer of alice with a line both above the quoted mail and in its box."""
    text = mail.text.replace("=== end ===", f"{line}\n=== end ===")
    quoted = "\n".join(f"> {each}" for each in text.splitlines())
    return letter(ALICE, f"{line}\n\n{quoted}", answers=mail.message["Message-ID"])


def test_agreeing_twice_in_a_letter_begins_the_match_once(club: Club) -> None:
    """Nothing else is said of the second yes."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.answer(club.last(BOB), "agree", BOB)
    club.put(twice(club.last(ALICE), "agree"))
    assert club.match("pebbles-1").state == "running"
    assert "nothing was done" not in "".join(each.flat for each in club.mails(ALICE)).lower()


def test_a_no_twice_in_a_letter_answers_a_question_once(club: Club) -> None:
    """One sentence says so."""
    club.new_match("pebbles", *SEATS)
    club.put(letter(ALICE, "set grace 10m"))
    club.put(twice(club.last(ALICE), "no"))
    assert club.last(ALICE).flat.lower().count("nothing was done") == 1


def test_a_message_twice_in_a_letter_goes_out_once(club: Club) -> None:
    """Text and box are two places of one letter."""
    mail = report(club)
    club.work()
    club.mails(BOB)
    club.put(twice(mail, "message blue: hello"))
    assert len(club.mails(BOB)) == 1


def test_orders_that_came_before_are_answered_again(club: Club) -> None:
    """The answer is made anew, and says that they were played before."""
    mail = report(club)
    club.answer(mail, f"{put(mail)}\nshow", ALICE)
    first = club.last(ALICE, "receipt")
    club.answer(mail, put(mail), ALICE)
    again = club.last(ALICE, "receipt")
    assert again.id != first.id
    assert "These orders were played before, and nothing was played now." in again.flat


def test_two_matches_are_answered_in_two_mails(club: Club) -> None:
    """A mail bears the code of one seat, so each match has its own."""
    report(club)
    club.new_match("pebbles", *SEATS)
    club.work()
    second = club.last(ALICE, "report")
    box = [line for line in second.text.splitlines() if line.startswith("===")]
    club.put(letter(ALICE, f"{box[0]}\n{put(second)}\nnote two\n{box[1]}", number=7))
    (answer,) = club.mails(ALICE)
    assert answer.message["Subject"].startswith("[pebbles-2]")


def test_what_wants_a_yes_is_asked_once_for_all_of_it(club: Club) -> None:
    """Two commands without a code are one question, and one yes does both."""
    report(club)
    club.mails(ALICE)
    club.put(letter(ALICE, "set grace 10m\nset name Alicia", number=3))
    (question,) = club.mails(ALICE)
    assert "· set grace 10m · set name Alicia" in question.flat
    club.answer(question, "yes", ALICE)
    (answer,) = club.mails(ALICE)
    assert "your orders are held for" in answer.flat
    assert "see you as Alicia" in answer.flat


def test_join_and_luck_in_one_new_letter_get_the_terms_and_why_luck_waits(club: Club) -> None:
    """Words count only from who has seen the commitment, and the one answer says so."""
    with club.desk.store.writing() as connection:
        players.insert_player(
            connection, name="alice", language="en", zone="UTC", address=ALICE, now=club.desk.now()
        )
    row = club.new_match("pebbles", "red=open", "blue=open", begins=False)
    club.put(letter(ALICE, "join\nluck seven swans", number=4))
    (terms,) = club.mails(ALICE)
    assert "Your words for the seed of chance were not kept" in terms.flat
    assert "seven swans" not in terms.flat
    assert "reply code" not in terms.flat
    assert "seven swans" not in club.match(row.name).words.values()
    club.answer(terms, "yes\nluck seven swans", ALICE)
    joined = club.last(ALICE, "invitation").flat
    assert "hey will be mixed into the seed of chance: · seven swans" in joined
    assert "seven swans" in club.match(row.name).words.values()


@pytest.mark.parametrize("text", ["{order}\nresign", "resign\n{order}"])
def test_resign_beside_an_order_is_asked_about(club: Club, text: str) -> None:
    """The order is played, and a yes to the question gives the seat up."""
    mail = report(club)
    club.answer(mail, text.format(order=put(mail)), ALICE)
    answers = {answer.kind: answer for answer in club.mails(ALICE)}
    assert "has been carried out" in answers["receipt"].flat
    assert "cannot be taken back" in answers["answer"].flat
    assert (club.match("pebbles-1").state, club.match("pebbles-1").turn) == ("running", 2)
    club.answer(answers["answer"], "yes", ALICE)
    assert "You have resigned in pebbles-1" in club.last(ALICE, "answer").flat


def test_a_letter_in_german_is_answered_in_german(club: Club) -> None:
    """The sentence above the lines too."""
    mail = report(club)
    club.answer(mail, "einstellung sprache de", ALICE)
    club.answer(club.last(ALICE, "answer"), "notiz nach Westen\nzeige", ALICE)
    assert "In deiner Mail stand mehreres." in club.last(ALICE).flat


def test_a_preview_names_every_line_that_cannot_be_read(club: Club) -> None:
    """All of them, each with its reason, and until when there is time."""
    mail = report(club)
    club.answer(mail, f"preview\n{put(mail)}\nput nine Q\nput it C", ALICE)
    said = club.last(ALICE, "answer").flat
    assert "· put nine Q — not understood" in said
    assert "· put it C — not understood" in said
    assert "It is your turn, red: until Sat 28 Nov 2026" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("queue {put}", "played at once, as it is your turn"),
        ("queue {put}; {put}", "played as far as your turn went; what is left is noted for later"),
        ("queue put 4 A1", "not played; the reason is below"),
    ],
)
def test_what_is_queued_in_ones_own_turn_is_said_to_be_played(
    club: Club, text: str, said: str
) -> None:
    """The receipt says what came of the line, not that it is for later."""
    mail = report(club)
    club.answer(mail, text.format(put=put(mail)), ALICE)
    receipt = club.last(ALICE, "receipt").flat
    assert said in receipt
    assert "— noted for later" not in receipt


def test_answers_about_the_board_say_whose_turn_it_is_and_until_when(club: Club) -> None:
    """`show`, `matches`, an old code, and orders out of turn."""
    mail = report(club)
    club.answer(mail, put(mail), ALICE)
    club.work()
    club.mails(ALICE)
    club.answer(mail, "put 3 B1", ALICE)
    until = "until Sat 28 Nov 2026, 12:00"
    old = club.last(ALICE).flat
    assert f"shows the board as it is. Blue (bob) is to act, {until}" in old
    for number, (line, expected) in enumerate(
        [("show", f"Blue (bob) is to act, {until}"), ("matches", f"blue is to act, {until}")]
    ):
        club.put(letter(ALICE, line, number=30 + number))
        assert expected in club.last(ALICE).flat
    club.put(letter(BOB, "show", number=33))
    assert f"It is your turn, blue: {until}" in club.last(BOB).flat


@pytest.mark.parametrize("line", ["yes of course", "hello there", "help", "matches", "undo"])
def test_before_a_match_begins_no_answer_asks_for_orders(club: Club, line: str) -> None:
    """Whoever is invited may answer, and is offered no button for orders."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.answer(club.last(BOB, "invitation"), line, BOB)
    answer = club.last(BOB, "answer")
    assert "Answer this mail: write above the quoted text or inside this box." in answer.flat
    assert "rite your orders" not in answer.flat
    assert not {"Write your orders", "Try orders first"} & set(answer.links)


@pytest.mark.parametrize(("language", "said"), [("en", "in short"), ("de", "in Kürze")])
def test_rules_are_sent_in_short_with_the_orders(club: Club, language: str, said: str) -> None:
    """`rules` brings the game's own text, in the language of the player, without a code too."""
    mail = report(club)
    club.answer(mail, f"set language {language}", ALICE)
    club.mails(ALICE)
    club.put(letter(ALICE, "rules", number=40))
    answer = club.last(ALICE).flat
    game = registry.find_installed("pebbles")
    wording = Wording(game, language)
    order = opening_order(game, ("red", "blue"), complete_options(game))
    assert said in answer
    for block in rules_blocks(wording, order):
        assert all(text.strip(":") in answer for text in block.texts)
    assert f"· {wording.help_orders()[0][0]} — " in answer
    # Pebbles has options, and no numbers on its paragraphs.
    assert all(line in answer for line in wording.options(club.match("pebbles-1").options))
    assert "names the paragraph" not in answer


@pytest.mark.parametrize("lines", ["put 9 B1\nshow", "show\nput 9 B1"])
def test_a_board_that_is_asked_for_stands_once_beside_a_receipt(club: Club, lines: str) -> None:
    """The receipt of a refused order shows the board, too, but not when `show` does."""
    mail = report(club)
    club.answer(mail, "put 9 B1", ALICE)
    first = next(each for each in mail.text.splitlines() if each.startswith("  1 "))
    assert club.last(ALICE, "receipt").text.count(first) == mail.text.count(first) > 0
    club.answer(mail, lines, ALICE)
    answer = club.last(ALICE, "receipt")
    assert "· put 9 B1 — " in answer.flat
    assert "The board at turn 1" in answer.flat
    assert answer.text.count(first) == mail.text.count(first)
    # One holds the page, one its head, one the board.
    assert answer.html.count("<table") == 3


def test_a_board_that_orders_have_changed_stands_once_as_well(club: Club) -> None:
    """In a turn that goes on a receipt shows what has changed, too, but not beside `show`."""
    begin_at(club, round_ends({"red": 5, "blue": 8, "black": 2}, {"black": ["people", "row:C"]}))
    club.answer(club.last(CAROL, "report"), "expand I6 with people\nshow", CAROL)
    answer = club.last(CAROL, "receipt").text
    assert "· Black expanded to I6 (Italy) with people." in answer
    assert answer.count("\nThe board:\n  1   2") == answer.count("\nI h   h   ~") == 1
