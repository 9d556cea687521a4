"""What becomes of a letter with orders."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.club import ALICE, BOB, CAROL, REFEREE, SEATS, Club, Mail, letter, with_attachment
from support.sealing import ENCRYPTED

from referee.desk.archive import prune
from referee.desk.letters import intake
from referee.store.play import matches
from referee.store.post import letters, outbox
from referee.value import replace

pytestmark = pytest.mark.fast


def begun(club: Club) -> Mail:
    """Begin a match of pebbles and return alice's first report; it is her turn."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.mails(BOB)
    return club.last(ALICE, "report")


def legal(mail: Mail) -> list[str]:
    """Return the orders a report's turn file lists, as lines."""
    lines: list[str] = mail.turn_file["legal"]
    return lines


def test_a_letter_locks_its_match_before_it_looks_at_what_waits_there(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two like orders handled at once by two daemons the second finds the first one held."""
    looked: list[str] = []

    def noting(name: str, real: Any) -> Any:
        def called(*args: Any, **named: Any) -> Any:
            looked.append(name)
            return real(*args, **named)

        return called

    report = begun(club)
    for name in ("lock_match", "standing_orders_of"):
        monkeypatch.setattr(matches, name, noting(name, getattr(matches, name)))
    club.answer(report, "pass\n\nI am not sure that I like it.", ALICE)
    assert looked[0] == "lock_match"
    assert "standing_orders_of" in looked


def test_an_order_above_the_quoted_report_is_played(club: Club) -> None:
    """Answering the mail with one line is enough."""
    report = begun(club)
    club.answer(report, "pass", ALICE)
    assert "· pass — accepted" in club.last(ALICE, "receipt").text
    assert club.match("pebbles-1").to_act == "blue"


def test_an_order_inside_the_box_is_played(club: Club) -> None:
    report = begun(club)
    text = report.text.replace("=== end ===", "pass\n=== end ===")
    club.put(letter(ALICE, "\n".join(f"> {line}" for line in text.splitlines())))
    assert club.match("pebbles-1").to_act == "blue"


def test_orders_as_json_are_played(club: Club) -> None:
    """A JSON attachment with the reply code is a submission."""
    report = begun(club)
    document = {"code": report.turn_file["code"], "orders": [{"order": "pass"}]}
    club.put(with_attachment(ALICE, "", json.dumps(document)))
    assert club.match("pebbles-1").to_act == "blue"


def test_every_fault_of_a_json_document_is_named_by_its_path(club: Club) -> None:
    """Two wrong orders in one document are both named, and nothing is played."""
    report = begun(club)
    orders = [{"order": "put", "weight": "heavy"}, {"order": "dance"}]
    document = {"code": report.turn_file["code"], "orders": orders, "extra": 1}
    club.put(with_attachment(ALICE, "", json.dumps(document)))
    text = club.last(ALICE, "answer").text
    assert "$.orders[0].weight" in text
    assert "$.orders[1]" in text
    assert "extra" in text
    assert club.match("pebbles-1").to_act == "red"


def test_our_own_turn_file_coming_back_is_no_submission(club: Club) -> None:
    """A mail program that returns the attachment plays nothing by it."""
    report = begun(club)
    club.put(
        with_attachment(ALICE, "pass", json.dumps(report.turn_file), report.message["Message-ID"])
    )
    assert club.match("pebbles-1").to_act == "blue"


def test_text_and_attachment_that_disagree_are_refused(club: Club) -> None:
    """Two candidate sets of orders for one seat: nothing happens, the player is asked."""
    report = begun(club)
    first, second, *_ = [line for line in legal(report) if line.startswith("put")]
    document = {"code": report.turn_file["code"], "orders": [second]}
    club.put(with_attachment(ALICE, first, json.dumps(document), report.message["Message-ID"]))
    assert "two different things" in club.last(ALICE, "answer").text
    assert club.match("pebbles-1").turn == 1


def test_text_and_attachment_that_agree_are_one_submission(club: Club) -> None:
    """The same orders said twice in one letter are played once."""
    report = begun(club)
    document = {"code": report.turn_file["code"], "orders": ["pass"]}
    club.put(with_attachment(ALICE, "pass", json.dumps(document), report.message["Message-ID"]))
    assert [mail.kind for mail in club.mails(ALICE)] == ["receipt"]


def test_a_refused_order_is_answered_with_line_rule_and_what_would_be_legal(club: Club) -> None:
    """The receipt shows the line, cites the rule and names legal orders."""
    report = begun(club)
    club.answer(report, "put 9 A1", ALICE)
    text = club.last(ALICE, "receipt").text
    assert "put 9 A1 — refused" in text
    assert "Pebbles" in text
    assert "You could write: · " in text
    assert club.match("pebbles-1").to_act == "red"


def test_orders_after_the_turn_has_passed_are_refused_with_what_stands_kept(club: Club) -> None:
    """What stands is played; the line behind it is refused because another seat is to act."""
    report = begun(club)
    club.answer(report, "pass\nput 1 A1", ALICE)
    text = club.last(ALICE, "receipt").flat
    assert "pass — accepted" in text
    assert "put 1 A1 — refused: Your turn was over before this order: blue is to act." in text


def test_an_unreadable_line_in_the_box_stops_the_whole_box(club: Club) -> None:
    """Inside the box every line must be an order; otherwise nothing is played."""
    report = begun(club)
    text = report.text.replace("=== end ===", "pass\nwhat a game\n=== end ===")
    club.put(letter(ALICE, text))
    told = club.last(ALICE, "receipt").text
    assert "what a game — not understood" in told
    assert club.match("pebbles-1").to_act == "red"


def test_talk_outside_the_box_is_shown_as_ignored(club: Club) -> None:
    """A line that is no order does not keep the others from being played."""
    report = begun(club)
    club.answer(report, "What a pass that was, bob!\npass", ALICE)
    text = club.last(ALICE, "receipt").text
    assert "What a pass that was, bob!" in text.partition("Not read as orders")[2]
    assert club.match("pebbles-1").to_act == "blue"


@pytest.mark.parametrize("above", ["Hi all,", "Good morning Bob!", "Guten Morgen Bob,"])
@pytest.mark.parametrize("below", ["Kind regards,\nAlice Morton", "Thanks!", "Grüße\nAlice"])
def test_who_greets_and_signs_is_not_told_that_this_is_no_order(
    club: Club, above: str, below: str
) -> None:
    club.answer(begun(club), f"{above}\n\npass\n\n{below}", ALICE)
    assert "Not read as orders" not in club.last(ALICE, "receipt").text
    assert club.match("pebbles-1").to_act == "blue"


@pytest.mark.parametrize(
    "line",
    [
        *("Hello A9,", "Such weather", "Hi wait,", "Thanks for B2", "Rematch?", "Extend Time"),
        *("Hi Bob, draw?", "Dear Bob, away", "Hi, timeout", "Timeout", "Rook Takes"),
    ],
)
def test_what_may_be_more_than_a_greeting_is_told(club: Club, line: str) -> None:
    club.answer(begun(club), f"{line}\n\npass\n\nCheers", ALICE)
    receipt = club.last(ALICE, "receipt").text
    assert f"· {line}" in receipt.partition("Not read as orders")[2]


def test_a_letter_without_orders_is_told_how_they_are_written(club: Club) -> None:
    """Silence is never the answer to a known player."""
    report = begun(club)
    club.answer(report, "Thank you for the nice game.", ALICE)
    assert "nothing in your mail looked like an order" in club.last(ALICE, "answer").text


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("pass", ("· pass — accepted",)),
        ("pass\nput 1 A1", ("· pass — accepted", "· put 1 A1 — not played")),
    ],
)
def test_the_same_orders_under_the_same_code_get_their_receipt_anew(
    club: Club, lines: str, told: tuple[str, ...]
) -> None:
    """Sending twice from worry plays once, however long ago the first receipt left.

    What happened is made anew from the log, and the board is that of today.
    """
    report = begun(club)
    club.answer(report, lines, ALICE)
    first = club.last(ALICE, "receipt")
    match = club.match("pebbles-1")
    club.later(days=20)
    with club.desk.writing() as change:
        prune.make_room(change)
        with pytest.raises(KeyError):
            outbox.raw_mail(change.connection, first.id)
    club.answer(report, lines, ALICE)
    again = club.last(ALICE, "receipt")
    assert "These orders were played before, and nothing was played now." in again.text
    assert [each for each in told if each not in again.text] == []
    happened = first.text.partition("What happened:")[2].partition("\n\n")[0]
    assert happened in again.text
    assert club.match("pebbles-1") == match


def test_a_receipt_that_was_refused_leaves_when_the_orders_come_again(club: Club) -> None:
    """One that has still to leave is not written a second time."""
    report = begun(club)
    club.answer(report, "pass", ALICE)
    first = club.last(ALICE, "receipt")
    for state in ("failed", "uncertain"):
        with club.desk.store.writing() as connection:
            outbox.mark_mail(connection, first.id, state, now=club.desk.now())
        club.answer(report, "pass", ALICE)
        with club.desk.store.reading() as connection:
            row = outbox.latest_mails(connection, limit=1)[0]
        assert (row.id, row.state) == (first.id, {"failed": "waiting"}.get(state, state))


def test_an_order_written_again_without_what_was_unreadable_is_played(club: Club) -> None:
    """A letter that could not be read as a whole has played nothing, so this is no repeat."""
    report = begun(club)
    box = "=== end ==="
    for lines in (f"pass\nwhatever\n{box}", f"pass\n{box}"):
        text = report.text.replace(box, lines)
        club.put(letter(ALICE, text, answers=report.message["Message-ID"], number=len(lines)))
    assert club.match("pebbles-1").to_act == "blue"


def test_a_corrected_letter_is_judged_anew(club: Club) -> None:
    """After a box with one bad line the good one alone is played, under the same code."""
    report = begun(club)
    text = report.text.replace("=== end ===", "pass\nThanks!\n=== end ===")
    club.put(letter(ALICE, text, answers=report.message["Message-ID"]))
    assert "Thanks! — not understood" in club.last(ALICE, "receipt").text
    club.answer(report, "pass", ALICE)
    assert "pass — accepted" in club.last(ALICE, "receipt").text


def test_what_was_previewed_can_be_played(club: Club) -> None:
    """The same orders without `preview` are no repeat, and a preview may be asked twice."""
    report = begun(club)
    line = legal(report)[0]
    for _ in range(2):
        club.answer(report, f"preview\n{line}", ALICE)
        assert "Nothing was played" in club.last(ALICE, "answer").text
    club.answer(report, line, ALICE)
    assert f"{line} — accepted" in club.last(ALICE, "receipt").text


def test_an_order_that_half_reads_stops_the_letter(club: Club) -> None:
    """A line with a keyword and a space that is no order is asked about; nothing is played."""
    report = begun(club)
    club.answer(report, "peek blue\nput it all on A1 then", ALICE)
    text = club.last(ALICE, "receipt").text
    assert "put it all on A1 then — not understood" in text
    assert club.match("pebbles-1").turn == 1


def test_a_receipt_within_a_turn_says_what_may_be_done_now(club: Club) -> None:
    """Who is still to act need not guess."""
    report = begun(club)
    club.answer(report, "put 9 A1", ALICE)
    text = club.last(ALICE, "receipt").text
    assert "What you may do now" in text
    assert "· put" in text


def test_a_letter_handled_meanwhile_by_another_daemon_is_left_as_it_is(club: Club) -> None:
    """Whoever comes second changes nothing and answers nothing."""
    report = begun(club)
    club.answer(report, "message all\nhello\nend\npass", ALICE)
    with club.desk.store.reading() as connection:
        (row,) = letters.latest_letters(connection)
        raw = letters.raw_letter(connection, row.id)
    club.mails(ALICE)
    club.mails(BOB)
    verdict = intake.take_letter(club.desk, replace(row, state="kept"), raw)
    assert (verdict.state, club.mails(ALICE), club.mails(BOB)) == ("handled", [], [])


def test_the_same_letter_delivered_again_is_a_repeat(club: Club) -> None:
    """A letter redelivered with other Received lines is handled once and not answered again."""
    report = begun(club)
    raw = letter(ALICE, "pass", answers=report.message["Message-ID"])
    club.put(raw)
    club.mails(ALICE)
    assert club.put(b"Received: from elsewhere\r\n" + raw).state == "repeat"
    assert club.mails(ALICE) == []


def test_an_old_code_is_answered_with_both_turns(club: Club) -> None:
    """Answering an old report changes nothing and says which turn it was and is."""
    report = begun(club)
    first, second, *_ = [line for line in legal(report) if line.startswith("put")]
    club.answer(report, first, ALICE)
    club.work()
    club.mails(ALICE)
    club.answer(report, second, ALICE)
    text = club.last(ALICE, "answer").text
    assert "answers turn 1, and now it is turn" in text.replace("\n", " ")


def test_orders_out_of_turn_say_who_is_to_act(club: Club) -> None:
    """The current code of a seat that is not to act plays nothing."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(BOB, "report"), "pass", BOB)
    assert "not your turn" in club.last(BOB, "answer").text


def test_a_code_of_another_seat_is_refused(club: Club) -> None:
    """A known player who got hold of another seat's mail cannot play by it."""
    report = begun(club)
    club.answer(report, "pass", BOB)
    assert "does not belong to you" in club.last(BOB, "answer").text
    assert club.match("pebbles-1").to_act == "red"


def test_orders_without_any_code_are_refused(club: Club) -> None:
    """A fresh letter with an order cannot be tied to a turn."""
    begun(club)
    club.put(letter(ALICE, "pass"))
    assert "no reply code" in club.last(ALICE, "answer").text


def test_codes_of_two_turns_in_one_letter_are_refused(club: Club) -> None:
    """A box of one turn pasted into the answer to another: refused, asked."""
    report = begun(club)
    club.answer(report, next(each for each in legal(report) if each.startswith("put")), ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), "pass", BOB)
    club.work()
    later = club.last(ALICE, "report")
    box = report.text[report.text.index("===") :].replace("=== end ===", "pass\n=== end ===")
    club.put(letter(ALICE, box, answers=later.message["Message-ID"], number=77))
    assert "do not belong together" in club.last(ALICE, "answer").flat


def test_a_letter_to_an_alias_is_like_any_other(club: Club) -> None:
    """It is read by its code and its sender, and answered from the referee's own address."""
    report = begun(club)
    raw = letter(ALICE, "pass", answers=report.message["Message-ID"])
    club.put(raw.replace(f"To: {REFEREE}".encode(), b"To: games@other.test"))
    assert club.match("pebbles-1").to_act == "blue"
    receipt = club.last(ALICE, "receipt")
    assert receipt.message["From"].addresses[0].addr_spec == REFEREE


def test_a_stranger_hears_nothing(club: Club) -> None:
    begun(club)
    verdict = club.put(letter("eve@example.test", "help"))
    assert (verdict.state, club.mails("eve@example.test")) == ("ignored", [])


@pytest.mark.parametrize("name", ["Auto-Submitted", "List-Id", "X-Referee-Loop"])
def test_automatic_mail_is_never_answered(club: Club, name: str) -> None:
    """Out-of-office notes, lists and our own mail coming back end in silence."""
    begun(club)
    value = "auto-replied" if name == "Auto-Submitted" else "<list.example.test>"
    verdict = club.put(letter(ALICE, "help", **{name.replace("-", "_"): value}))
    assert (verdict.state, club.mails(ALICE)) == ("ignored", [])


def test_a_letter_too_large_is_answered_and_not_played(club: Club) -> None:
    """Of a letter above the cap only the beginning is known; nothing of it is played."""
    report = begun(club)
    raw = letter(ALICE, "pass", answers=report.message["Message-ID"])
    club.put(raw, truncated=True)
    assert "too large" in club.last(ALICE, "answer").text
    assert club.match("pebbles-1").to_act == "red"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("{quoted}pass", False),
        ("{quoted}", False),
        ("pass\n{quoted}", True),
    ],
)
def test_a_letter_whose_end_is_not_read_is_answered_so_if_nothing_above_is_an_order(
    club: Club, text: str, read: bool
) -> None:
    """Orders may stand below more quoted lines than are looked at."""
    report = begun(club)
    club.mails(ALICE)
    club.answer(report, text.format(quoted="> an older mail\n" * 5000), ALICE)
    assert ("too large" in club.mails(ALICE)[-1].text) == (not read)
    assert (club.match("pebbles-1").to_act == "blue") == read


@pytest.mark.parametrize(
    ("said", "more"),
    [("only a part of your mail", {"missing": 500}), ("too large", {"truncated": True})],
)
def test_the_answer_to_a_letter_that_is_not_read_can_be_answered(
    club: Club, said: str, more: dict[str, Any]
) -> None:
    """It brings the box of the seat whose mail the letter answers, and asks for its orders."""
    report = begun(club)
    text = "pass" if "truncated" in more else ""
    club.put(letter(ALICE, text, answers=report.message["Message-ID"], number=7), **more)
    answer = club.last(ALICE, "answer")
    assert said in answer.flat
    assert "=== pebbles-1 · turn 1 · red" in answer.text
    club.put(letter(ALICE, "pass", answers=answer.message["Message-ID"], number=8))
    assert club.match("pebbles-1").to_act == "blue"


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Send it again without encryption"), ("de", "ohne sie zu verschlüsseln")],
)
def test_an_encrypted_letter_is_answered_and_its_answer_can_be_answered(
    club: Club, language: str, said: str
) -> None:
    """It is said why nothing was done, in the player's language; the answer bears their code."""
    report = begun(club)
    club.answer(report, f"set language {language}", ALICE)
    club.mails(ALICE)
    verdict = club.answer(report, ENCRYPTED, ALICE)
    assert (verdict.state, verdict.reason) == ("handled", "encrypted, so nobody could read it")
    told = club.last(ALICE, "answer")
    assert said in told.flat
    club.answer(told, "pass", ALICE)
    assert club.match("pebbles-1").to_act == "blue"


def test_what_stands_beside_an_encrypted_part_is_carried_out(club: Club) -> None:
    """As beside any other part that is not read."""
    club.answer(begun(club), f"pass\n\n{ENCRYPTED}", ALICE)
    assert club.match("pebbles-1").to_act == "blue"


def test_an_unknown_charset_stops_nothing(club: Club) -> None:
    """A letter in a charset nobody knows is still read."""
    report = begun(club)
    raw = letter(ALICE, "pass", answers=report.message["Message-ID"])
    club.put(raw.replace(b'charset="utf-8"', b'charset="klingon-9"'))
    assert club.match("pebbles-1").to_act == "blue"


def test_a_broken_mime_tree_is_read_as_far_as_it_goes(club: Club) -> None:
    """A multipart letter whose last boundary is missing is still read."""
    report = begun(club)
    raw = (
        f"From: {ALICE}\r\nTo: {REFEREE}\r\nMessage-ID: <broken@example.test>\r\n"
        f"In-Reply-To: {report.message['Message-ID']}\r\n"
        'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="x"\r\n\r\n'
        "--x\r\nContent-Type: text/plain\r\n\r\npass\r\n"
    )
    club.put(raw.encode())
    assert club.match("pebbles-1").to_act == "blue"


def test_too_many_answers_in_an_hour_end_in_silence(club: Club) -> None:
    """Answers for each player and hour are capped, so that no loop runs for long."""
    report = begun(club)
    club.desk = replace(club.desk, answers=(3, 10_000))
    for _ in range(5):
        club.answer(report, "help", ALICE)
    assert len(club.mails(ALICE)) == 3


def test_too_many_answers_in_an_hour_end_what_is_told_to_others(club: Club) -> None:
    """Nobody can have any number of notices or reports written; a yes still counts."""
    club.new_match("pebbles", *SEATS, begins=False)
    to_alice, invitation = club.last(ALICE), club.last(BOB)
    club.desk = replace(club.desk, answers=(6, 10_000))
    for _ in range(10):
        club.answer(invitation, "decline", BOB)
        club.answer(invitation, "agree", BOB)
    assert [mail.kind for mail in club.mails(ALICE)] == ["notice"] * 3
    assert len(club.mails(BOB)) == 6
    club.answer(to_alice, "agree", ALICE)
    assert club.match("pebbles-1").state == "running"


def test_too_many_answers_in_an_hour_end_the_reports_of_a_watcher(club: Club) -> None:
    """Whether or not one stops watching in between."""
    report = begun(club)
    other = club.new_match("pebbles", f"red={CAROL}", f"blue={BOB}").name
    club.work()
    club.mails(ALICE)
    club.desk = replace(club.desk, answers=(6, 10_000))
    for _ in range(10):
        club.answer(report, f"watch {other}", ALICE)
        club.answer(report, f"stop {other}", ALICE)
        club.work()
    assert [mail.kind for mail in club.mails(ALICE)].count("report") == 3


def test_too_many_answers_in_an_hour_do_not_keep_a_player_from_playing(club: Club) -> None:
    """Orders are held, taken back and played, and a seat can be given up."""
    report = begun(club)
    club.desk = replace(club.desk, answers=(0, 10_000))
    held = "pass\n\nI am not sure that I like it."
    club.answer(report, held, ALICE)
    club.answer(report, "no", ALICE)
    club.answer(report, "yes", ALICE)
    assert club.match("pebbles-1").to_act == "red"
    club.answer(report, held, ALICE)
    club.answer(report, "yes", ALICE)
    assert club.match("pebbles-1").to_act == "blue"
    club.work()
    club.answer(club.last(BOB, "report"), "resign", BOB)
    assert club.match("pebbles-1").state == "over"


def test_the_last_answer_of_an_hour_says_that_it_is(club: Club) -> None:
    """Those before it do not."""
    report = begun(club)
    club.desk = replace(club.desk, answers=(3, 10_000))
    for _ in range(2):
        club.answer(report, "help", ALICE)
    told = [mail.flat for mail in club.mails(ALICE)]
    assert not [each for each in told if "within an hour" in each]
    club.answer(report, "help\nmatches", ALICE)
    last = club.last(ALICE)
    assert "With this you have had 3 answers within an hour" in last.flat
    assert "With this you have had 3 answers within an hour" in last.html


def test_the_last_answer_of_a_day_says_that_it_is(club: Club) -> None:
    """A receipt after it is none of those counted, and says nothing of them."""
    report = begun(club)
    club.desk = replace(club.desk, answers=(10_000, 2))
    for _ in range(3):
        club.answer(report, "help", ALICE)
    told = ["within a day" in mail.flat for mail in club.mails(ALICE)]
    assert told == [False, True]
    club.answer(report, "pass", ALICE)
    assert "within a day" not in club.last(ALICE, "receipt").flat


def test_who_answers_no_mail_is_told_so_before_the_answers_end(club: Club) -> None:
    """An address alone proves little, so its answers end sooner; an answer to a mail ends that."""
    report = begun(club)
    club.desk = replace(club.desk, unproved=(2, 10_000))
    for number in range(3):
        club.put(letter(ALICE, "help", number=50 + number))
    told = ["to mails that answer none of mine" in mail.flat for mail in club.mails(ALICE)]
    assert told == [False, True]
    club.answer(report, "help", ALICE)
    assert "within" not in club.last(ALICE).flat


def test_a_receipt_that_is_the_last_answer_is_not_left_to_the_report(club: Club) -> None:
    """A report in its place would not say that it is the last."""
    report = begun(club)
    club.desk = replace(club.desk, answers=(1, 10_000))
    club.answer(report, "pass", ALICE)
    club.work()
    said = [mail.flat for mail in club.mails(ALICE)]
    assert "With this you have had 1 answer within an hour" in said[0]


def test_letters_that_prove_nothing_use_up_no_answers(club: Club) -> None:
    """Sixty in a player's name are answered a few times; his own refusals are told all the same."""
    report = begun(club)
    club.desk = replace(club.desk, answers=(3, 4), unproved=(2, 5))
    for number in range(60):
        club.put(letter(ALICE, "help", number=100 + number))
    assert len(club.mails(ALICE)) == 2
    for _ in range(5):
        club.answer(report, "put 9 A1", ALICE)
    assert [mail.kind for mail in club.mails(ALICE)] == ["receipt"] * 3
    for hour in range(5):
        club.later(hours=1, minutes=1)
        for number in range(5):
            club.put(letter(ALICE, "help", number=1000 + 10 * hour + number))
    assert len(club.mails(ALICE)) == 3


@pytest.mark.parametrize("by", ["thread", "code in a box", "plus-address", "JSON"])
def test_a_letter_that_bears_a_code_has_the_larger_budget(club: Club, by: str) -> None:
    """Wherever the code stands; a mail of ours that it answers is as good."""
    report = begun(club)
    club.desk = replace(club.desk, unproved=(0, 10_000))
    code = report.turn_file["code"]
    box = f"=== pebbles-1 · turn 1 · red · {code} ===\nput 9 A1\n=== end ===\n"
    document = json.dumps({"code": code, "orders": ["put 9 A1"]})
    raw = {
        "thread": letter(ALICE, "help", answers=report.message["Message-ID"]),
        "code in a box": letter(ALICE, box),
        "plus-address": letter(ALICE, "help", Cc=f"referee+{code.replace('-', '')}@example.test"),
        "JSON": letter(ALICE, document),
    }[by]
    club.put(raw)
    assert len(club.mails(ALICE)) == 1
    club.put(letter(ALICE, "help", number=2))
    assert club.mails(ALICE) == []


def test_an_order_is_played_and_answered_however_many_answers_there_were(club: Club) -> None:
    """The cap on answers silences talk, never a move."""
    report = begun(club)
    club.desk = replace(club.desk, answers=(0, 10_000))
    club.answer(report, "put 9 A1", ALICE)
    assert club.mails(ALICE) == []
    club.answer(report, "pass", ALICE)
    assert [mail.kind for mail in club.mails(ALICE)] == ["receipt"]


def test_preview_tells_and_plays_nothing(club: Club) -> None:
    """`preview` above the orders says what they would do and leaves the match as it is."""
    report = begun(club)
    line = legal(report)[0]
    club.answer(report, f"preview\n{line}", ALICE)
    assert "Nothing was played" in club.last(ALICE, "answer").text
    assert club.match("pebbles-1").turn == 1


@pytest.mark.parametrize(("above", "boxed"), [("preview", "pass"), ("pass", "preview")])
def test_a_preview_counts_for_orders_elsewhere_in_the_letter(
    club: Club, above: str, boxed: str
) -> None:
    """Above the quote or in the box, it keeps the orders in the other place from being played."""
    report = begun(club)
    text = report.text.replace("=== end ===", f"{boxed}\n=== end ===")
    quoted = "\n".join(f"> {line}" for line in text.splitlines())
    club.put(letter(ALICE, f"{above}\n\n{quoted}", answers=report.message["Message-ID"]))
    assert "Nothing was played" in club.last(ALICE, "answer").text
    assert club.match("pebbles-1").turn == 1


def test_a_preview_counts_for_attached_orders(club: Club) -> None:
    """Orders in JSON have no word of their own for it."""
    report = begun(club)
    document = json.dumps({"code": report.turn_file["code"], "orders": ["pass"]})
    club.put(with_attachment(ALICE, "preview", document, report.message["Message-ID"]))
    assert "Nothing was played" in club.last(ALICE, "answer").text
    assert club.match("pebbles-1").turn == 1


def test_a_preview_in_a_box_leaves_other_matches_alone(club: Club) -> None:
    """The orders in the box of another match are played."""
    first = begun(club)
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    second = club.last(ALICE, "report")
    boxes = zip((first, second), ("preview\npass", "pass"), strict=True)
    text = "\n".join(
        mail.text.replace("=== end ===", f"{lines}\n=== end ===") for mail, lines in boxes
    )
    club.put(letter(ALICE, text))
    assert club.match("pebbles-1").turn == 1
    assert club.match("pebbles-2").to_act == "blue"


def test_a_preview_tells_the_reason_with_the_line(club: Club) -> None:
    """What would be refused says why at once, and so does what cannot be read."""
    report = begun(club)
    line = legal(report)[0]
    club.answer(report, "preview\nput 9 A1", ALICE)
    text = club.last(ALICE, "answer").flat
    assert "· put 9 A1 — would be refused: " in text
    club.answer(report, f"preview\n{line}\nput what A1", ALICE)
    text = club.last(ALICE, "answer").flat
    assert "· put what A1 — not understood: " in text
    assert f"· {line} — would not be played" in text
    assert text.index(f"{line} —") < text.index("put what A1 —")


def test_preview_alone_is_told_how_orders_are_written(club: Club) -> None:
    """There is nothing to preview, and silence is never the answer."""
    club.answer(begun(club), "preview", ALICE)
    assert "looked like an order" in club.last(ALICE, "answer").text


def test_a_submission_for_another_turn_is_refused(club: Club) -> None:
    """A JSON document that names its turn is played on that turn only."""
    report = begun(club)
    document = {"code": report.turn_file["code"], "turn": 7, "orders": ["pass"]}
    club.put(with_attachment(ALICE, "", json.dumps(document)))
    assert "answers turn 7" in club.last(ALICE, "answer").text
    assert club.match("pebbles-1").to_act == "red"


@pytest.mark.parametrize("way", ["box", "JSON", "plus-address"])
def test_codes_of_two_matches_in_one_place_are_asked_about(club: Club, way: str) -> None:
    """A mail of one match answered with the code of another plays in neither."""
    for _ in range(2):
        club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    first, second = [each for each in club.mails(ALICE) if each.kind == "report"]
    code = second.turn_file["code"]
    document = json.dumps({"code": code, "orders": [{"order": "pass"}]})
    plus = {"Cc": f"referee+{code.replace('-', '')}@example.test"}
    text, more = {
        "box": (f"=== pebbles-2 · turn 1 · red · {code} ===\npass\n=== end ===\n", {}),
        "JSON": (document, {}),
        "plus-address": ("pass", plus),
    }[way]
    club.put(letter(ALICE, text, answers=first.message["Message-ID"], **more))
    assert [club.match(each).to_act for each in ("pebbles-1", "pebbles-2")] == ["red", "red"]
    (told,) = club.mails(ALICE)
    assert "reply codes" in told.message["Subject"]
