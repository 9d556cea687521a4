"""Messages to other seats, and notes to oneself."""

from __future__ import annotations

import pytest
from support.club import ALICE, BOB, CAROL, SEATS, Club, letter
from support.sealing import clear_signed
from support.watching import begun, plays, told

from referee.desk.letters.understand import understand
from referee.desk.letters.words.company import company_of
from referee.desk.letters.words.phrases import Tongue
from referee.desk.letters.words.places import Said
from referee.games import registry
from referee.mail.incoming import marks
from referee.mail.incoming.lines import WrittenLine

pytestmark = pytest.mark.fast


def test_a_message_reaches_the_others_and_its_writer_is_told(club: Club) -> None:
    """`message all` is delivered with the writer's name; its lines play nothing."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.mails(BOB)
    club.answer(club.last(ALICE, "report"), "message all\nhello bob\npass\nend", ALICE)
    told = club.last(BOB, "notice").text
    assert "hello bob" in told
    assert "alice" in told
    assert "bob" in club.last(ALICE, "answer").text
    assert club.match("pebbles-1").to_act == "red"


@pytest.mark.parametrize(
    ("text", "title"),
    [("hello\nend", "Your message was sent"), ("end", "Your message was not sent")],
)
def test_the_heading_about_a_message_begins_like_no_command(
    club: Club, text: str, title: str
) -> None:
    """So it bears no dot that keeps it from being read as one; others have none."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), f"message all\n{text}\nhelp", ALICE)
    assert f"{title}:" in club.last(ALICE, "answer").text.splitlines()


def test_a_signed_message_is_passed_on_without_its_signature(club: Club) -> None:
    """What a program wrote around the text is nobody's words, and a dash is as it was written."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.mails(BOB)
    text = clear_signed("message all: hello bob,\n- shall we?\n")
    club.put(letter(ALICE, text, answers=club.last(ALICE, "report").message["Message-ID"]))
    told = club.last(BOB, "notice").text
    assert "hello bob" in told
    assert "- shall we?" in told
    assert "PGP" not in told
    assert "SHA512" not in told


LONG = "message blue: I think we should both leave the west alone until the third"


def answered(club: Club, text: str, *, box: bool) -> str:
    """Let alice answer her report, in its box or above; return what bob is written, if anything."""
    name = begun(club)
    report = club.last(ALICE, "report")
    if box:
        top, *_, bottom = marks.box_lines(name, 1, "red", club.code(name, "red"), "en", "")
        text = f"{top}\n{text}\n{bottom}"
    club.mails(BOB)
    club.answer(report, text, ALICE)
    notices = [mail.text for mail in club.mails(BOB) if mail.kind == "notice"]
    notice = " ".join("".join(notices).replace("·", "").split())
    return notice.partition("writes to you:")[2].replace(" … ", " ")


@pytest.mark.parametrize("box", [False, True])
@pytest.mark.parametrize(
    ("text", "heard", "fate"),
    [
        (f"{LONG}\nscoring is over.", "until the third scoring is over.", "nothing"),
        (f"{LONG}.\nOr is that too long?", "until the third. Or is that too long?", "nothing"),
        (f"{LONG}\n\nBye", "until the third Bye", "nothing"),
        ("message blue: Hi Bob,\n\nshall we?\nAlice", "Hi Bob, shall we? Alice", "nothing"),
        ("message blue: Hi Bob,\nshall we?\nend\npass", "Hi Bob, shall we?", "played"),
        ("message blue: Hi Bob,\nshall we?\npass\nhelp", "Hi Bob, shall we?", "played"),
        (f"{LONG}\nend\npass", "until the third", "played"),
        (f"pass\n{LONG}", "until the third", "played"),
        ("pass\nmessage blue\nHi,\n\nnot yet!", "Hi, not yet!", "played"),
        (f"{LONG}.\npass", "until the third", "asked"),
        ("message blue: Perhaps I attack.\npass", "Perhaps I attack.", "held"),
    ],
)
def test_a_message_goes_on_to_its_end_or_the_next_order(
    club: Club, text: str, heard: str, fate: str, *, box: bool
) -> None:
    """Its text is no company of orders, unless it is left open above them.

    Nor does it contradict the message itself.
    """
    shown = answered(club, text, box=box)
    assert heard in shown
    assert "pass" not in shown
    assert club.fate("pebbles-1", "red") == fate


@pytest.mark.parametrize("box", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        "pass\nmessage blue: good game\n\nActually no, wait",
        "pass\nmessage blue: good game\n\nI take that back.",
        "message blue: good game\n\nNot yet!\npass",
    ],
)
def test_a_doubt_below_a_message_of_one_line_goes_to_nobody(
    club: Club, text: str, *, box: bool
) -> None:
    """Where such a message ends is not clear, so neither it nor the order counts."""
    assert answered(club, text, box=box) == ""
    assert club.fate("pebbles-1", "red") == "asked"


@pytest.mark.parametrize(
    "line", ["note bob could attack", "note I think bob will wait until tomorrow"]
)
def test_a_note_is_no_company_of_orders(club: Club, line: str) -> None:
    """Whatever it says."""
    answered(club, f"{line}\npass", box=False)
    assert club.fate("pebbles-1", "red") == "played"


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("Message to Blue:\nCould you please\npass\nend\nput 1 A1", "Could you please pass"),
        ("message to blue\nCould you please\npass\nend\nput 1 A1", "Could you please pass"),
        ("nachricht an blau\nSag mal,\npasse\nende\nput 1 A1", "Sag mal, passe"),
        ("Nachricht an Blau:\nSag mal,\npasse\nEnde\nput 1 A1", "Sag mal, passe"),
        ("message blue,\nshall we?\nend\nput 1 A1", "shall we?"),
        ("message blue\n👍\nend\nput 1 A1", "👍"),
        ("message blue\nWell played!\n:-)\nBye\nend\nput 1 A1", "Well played! :-) Bye"),
    ],
)
def test_a_message_is_sent_as_people_write_one(club: Club, text: str, heard: str) -> None:
    """What it says is no order, and what stands below its end is."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), text, ALICE)
    assert heard in " ".join(club.last(BOB, "notice").text.replace("·", "").split())
    assert "put 1 A1 — accepted" in club.last(ALICE, "receipt").text


def test_a_message_that_answers_a_quote_is_asked_for_again(club: Club) -> None:
    """Who quotes and answers line by line would be heard in part."""
    club.new_match("pebbles", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    text = "message blue\n> Shall we leave the west alone?\nNo, sorry.\n> Or the forest?\nYes.\nend"
    club.mails(BOB)
    club.put(letter(ALICE, text, answers=report.message["Message-ID"]))
    club.work()
    assert not club.mails(BOB)
    assert "Your message was not sent" in club.last(ALICE, "answer").text


@pytest.mark.parametrize("line", ["message blue: we leave the east to green", "note green grows"])
def test_an_order_below_a_wrapped_text_is_not_played_at_once(line: str) -> None:
    """It may be the end of its last sentence."""
    wrapped = (WrittenLine("and then I", runs=True), WrittenLine("pass", runs=True))
    said = Said("text", lines=(WrittenLine(line), *wrapped))
    heard = understand(said, Tongue(registry.find_installed("pebbles"), "en")).lines
    assert company_of(heard, heard, (), frozenset()).way == "contradicted"


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ("note the third scoring", "the third scoring is over"),
        ("luck seven swans", "seven swans is over"),
    ],
)
def test_so_do_notes_and_words_of_luck(line: str, whole: str) -> None:
    """The line that a mail program wrapped goes on below."""
    said = Said("text", lines=(WrittenLine(line), WrittenLine("is over", runs=True)))
    heard = understand(said, None)
    assert heard.commands[0].text == whole


@pytest.mark.parametrize("end", ["end.", "End!", "ende:"])
def test_a_message_ends_at_its_end_whatever_sign_follows(club: Club, end: str) -> None:
    """The plans below it are nobody's business."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), f"message blue\nhello\n{end}\nmy plans", ALICE)
    shown = club.last(BOB, "notice").text
    assert "hello" in shown
    assert "plans" not in shown


@pytest.mark.parametrize(
    "text",
    [
        "message blue\nhi\n\nmessage all\nnever mind him\nend",
        "message all\nhi\nmessage blue: don't tell the others\nend",
        "message blue\nhi\nnote I do not mean it\nend",
    ],
)
def test_a_message_that_holds_another_reaches_nobody(club: Club, text: str) -> None:
    """What is meant for one might be read by all."""
    club.new_match("pebbles", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    club.mails(BOB)
    club.answer(report, text, ALICE)
    assert not club.mails(BOB)
    assert "Your message was not sent" in club.last(ALICE, "answer").flat


def test_an_order_below_a_message_is_named(club: Club) -> None:
    """Its writer sees all that was sent, and that the order in it was not played."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), "message blue\nhello bob\npass", ALICE)
    answer = club.last(ALICE, "answer").flat
    assert "nothing in it was played: pass reads like an order" in answer
    assert "· hello bob · pass" in answer
    assert club.match("pebbles-1").to_act == "red"


def test_a_command_that_went_with_a_message_is_named(club: Club) -> None:
    """Nobody thinks that their orders are withdrawn when the word went to somebody else."""
    club.new_match("pebbles", *SEATS)
    club.work()
    text = "message blue\nI need to think again\n\nwithdraw"
    club.answer(club.last(ALICE, "report"), text, ALICE)
    assert "withdraw reads like an order" in club.last(ALICE, "answer").flat


def test_a_message_without_an_order_warns_of_none(club: Club) -> None:
    """Its writer is just told that it went out, and reads it again."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), "message blue\nI pass on that", ALICE)
    answer = club.last(ALICE, "answer").text
    assert "I pass on that" in answer
    assert "reads like an order" not in answer


PARAGRAPH = " ".join(f"Sentence {number} of a long plan." for number in range(1, 200))


@pytest.mark.parametrize("begin", ["message blue\n", "message blue: "])
@pytest.mark.parametrize("size", [1_750, 4_000])
def test_a_long_paragraph_is_passed_on_whole(club: Club, begin: str, size: int) -> None:
    """Telephones send it as one line."""
    said = f"{PARAGRAPH[: size - 1]}!"
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), f"{begin}{said}", ALICE)
    for mail in (club.last(BOB), club.last(ALICE, "answer")):
        assert said.replace(" ", "") in "".join(mail.text.replace("…", "").split())


@pytest.mark.parametrize("begin", ["message blue\n", "message blue: "])
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_message_that_is_too_long_is_not_sent(club: Club, begin: str, language: str) -> None:
    """Its writer is told how long it may be."""
    club.new_match("pebbles", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    club.answer(report, f"set language {language}", ALICE)
    club.mails(BOB)
    club.answer(report, f"{begin}{PARAGRAPH[:4_000]}!", ALICE)
    more = {"en": "more than 4000 characters", "de": "mehr als 4000 Zeichen"}
    told = club.last(ALICE).flat
    assert more[language] in told
    assert {"en": "To answer, write “message”", "de": "Zum Antworten schreib „nachricht“"}[
        language
    ] in told
    assert not club.mails(BOB)


@pytest.mark.parametrize("text", ["message all\nend", "message blue\n\n\nend", "message blue:"])
def test_a_message_without_text_reaches_nobody(club: Club, text: str) -> None:
    """Its writer is told that the text goes below."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    report = club.last(ALICE, "report")
    club.mails(BOB)
    club.put(letter(ALICE, text, answers=report.message["Message-ID"]))
    assert "no text follows it" in club.last(ALICE).text
    assert not club.mails(BOB)


def test_a_player_called_cut_gets_messages(club: Club) -> None:
    """No name is mistaken for the mark of a message whose text was cut."""
    club.new_match("pebbles", f"red={ALICE}", "blue=cut@example.test")
    club.work()
    club.mails("cut@example.test")
    club.answer(club.last(ALICE, "report"), "message cut: hello", ALICE)
    assert "hello" in club.last("cut@example.test", "notice").text


@pytest.mark.parametrize("line", ["nachricht gruen: hallo", "nachricht gruen\nhallo"])
def test_a_seat_is_named_without_its_umlaut_too(club: Club, line: str) -> None:
    """A keyboard may have none."""
    club.new_match("pebbles", f"red={ALICE}", "blue=carol@example.test", f"green={BOB}")
    club.work()
    club.mails(BOB)
    club.answer(club.last(ALICE, "report"), line, ALICE)
    assert "hallo" in club.last(BOB, "notice").text


def test_a_message_to_nobody_is_answered(club: Club) -> None:
    """A seat that is not in the match is named in the answer."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), "message green: hello", ALICE)
    assert "green" in club.last(ALICE, "answer").text


def test_a_note_is_ones_own(club: Club) -> None:
    """It stands in every report to its writer until they clear it, and in nobody else's."""
    begun(club)
    report = club.last(ALICE, "report")
    club.answer(report, "note bob likes the west", ALICE)
    assert "You alone see it" in told(club, ALICE)
    plays(club, ALICE, report)
    assert "bob likes the west" in club.last(ALICE, "report").text
    mail = club.last(BOB, "report")
    assert "west" not in mail.raw.decode()
    plays(club, BOB, mail)
    report = club.last(ALICE, "report")
    club.answer(report, "note clear", ALICE)
    assert "are gone" in told(club, ALICE)
    plays(club, ALICE, report)
    (latest,) = (mail for mail in club.mails(ALICE) if mail.kind == "report")
    assert "likes" not in latest.text


@pytest.mark.parametrize("box", ["more text\nend", "more text\n=== end ==="])
def test_a_message_that_runs_into_an_order_box_is_held_and_asked_for(club: Club, box: str) -> None:
    """What stands in the box may be its end; half a message goes to nobody."""
    club.new_match("pebbles", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    club.mails(BOB)
    head = next(line for line in report.text.splitlines() if line.startswith("==="))
    club.answer(report, f"message all:\nhello bob\n{head}\n{box}", ALICE)
    assert "text of the referee's own" in club.last(ALICE).flat
    assert not club.mails(BOB)


def test_an_order_in_the_box_below_a_message_is_played(club: Club) -> None:
    """Message and box each have their say."""
    club.new_match("pebbles", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    club.mails(BOB)
    head = next(line for line in report.text.splitlines() if line.startswith("==="))
    club.answer(report, f"message all:\nhello bob\n{head}\npass\n=== end ===", ALICE)
    assert "hello bob" in club.last(BOB, "notice").text
    assert club.match("pebbles-1").to_act == "blue"


def test_who_wants_to_write_to_somebody_is_not_told_what_to_play(club: Club) -> None:
    """A message that cannot be read, or nobody is meant by, asks for a message."""
    club.new_match("pebbles", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    for text in ("message green blue", "message green blue please, it is your turn"):
        club.answer(report, text, ALICE)
        answer = club.last(ALICE).flat
        assert "You could write:" not in answer
        assert "message" in answer
    club.answer(report, "message nobody:\nhello", ALICE)
    assert "To answer, write “message” and a seat" in club.last(ALICE).flat


@pytest.mark.parametrize(("language", "label"), [("en", "Answer Red"), ("de", "Antwort an Rot")])
def test_a_private_message_is_answered_to_its_writer(club: Club, language: str, label: str) -> None:
    """The first button and the hint name the writer's seat; words to everybody come second."""
    club.new_match("pebbles", *SEATS, f"green={CAROL}")
    club.work()
    club.answer(club.last(BOB), f"set language {language}", BOB)
    club.answer(club.last(ALICE, "report"), "message blue: just for you", ALICE)
    asked = club.last(BOB, "notice")
    assert next(iter(asked.links)) == label
    assert ("“message red:”" if language == "en" else "„nachricht rot:“") in asked.text
    for who in (ALICE, CAROL):
        club.mails(who)
    club.click(asked.links[label], BOB, added="between us")
    assert "between us" in club.last(ALICE, "notice").text
    assert not club.mails(CAROL)


def test_a_message_to_everybody_is_answered_to_everybody(club: Club) -> None:
    """Its one button writes to all others."""
    begun(club)
    club.answer(club.last(ALICE, "report"), "message all: hello", ALICE)
    assert list(club.last(BOB, "notice").links) == ["Write to the others"]


def test_an_end_below_a_signature_in_a_box_cuts_the_message_above(club: Club) -> None:
    """What stands below it may be an order, and goes to nobody."""
    club.new_match("pebbles", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    club.mails(BOB)
    box = report.text[report.text.index("===") :]
    head = box.partition("(")[0]
    club.answer(report, f"{head}message all:\nHello\n--\nend\npass\n=== end ===", ALICE)
    club.work()
    assert not club.mails(BOB)
    assert "Your message was not sent" in club.last(ALICE, "answer").text
