"""One mail, not two: the report that follows at once tells what became of the orders."""

from __future__ import annotations

from datetime import timedelta
from unittest.mock import Mock

import pytest
from support.club import ALICE, BOB, Club, Mail, letter
from support.mending import NAME, an_order, polled, resent
from support.smtpd import SmtpServer
from support.watching import sent

from referee.desk.mails import post
from referee.desk.mails.post import Answered, Binding
from referee.store.people import persons, players
from referee.store.play import matches, submissions
from referee.store.post import letters, outbox, reports

pytestmark = pytest.mark.fast


def send(club: Club, text: str, seat: str = "red") -> None:
    """Send a seat's orders in a box with the code of now."""
    sender = {"red": ALICE, "blue": BOB}[seat]
    box = f"=== {NAME} · turn 1 · {club.code(NAME, seat)} ===\n{text}\n=== end ==="
    club.put(letter(sender, box, number=club.uid))


def one_mail(club: Club, to: str = ALICE) -> Mail:
    """Do what is due, and take the one mail that a player gets."""
    club.work()
    (mail,) = club.mails(to)
    return mail


def test_the_report_that_follows_answers_the_letter(running: Club) -> None:
    """It stands in the letter's thread, is an answer, and says what was played."""
    report, order = resent(running, ALICE, "red"), an_order(running)
    running.answer(report, order, ALICE)
    mail = one_mail(running)
    assert mail.kind == "report"
    assert mail.message["In-Reply-To"] == f"<alice-{running.uid - 1}@example.test>"
    assert mail.message["References"].split()[-1] == mail.message["In-Reply-To"]
    assert mail.message["Auto-Submitted"] == "auto-replied"
    assert f"Played:\n· {order}" in mail.text
    assert "Played</h2>" in mail.html
    assert mail.told.startswith("Blue (bob) is to act,")


def test_in_german_it_says_the_same(running: Club) -> None:
    """The words are those of the reader."""
    send(running, an_order(running))
    running.work()
    running.mails(BOB)
    send(running, "passen", "blue")
    assert "Gespielt:\n· passe" in one_mail(running, BOB).text


def test_what_was_not_played_stands_at_the_head_with_the_reason(running: Club) -> None:
    """The first words say that something is missing, on the ground of refusals."""
    order = an_order(running)
    send(running, f"{order}\npass")
    mail = one_mail(running)
    assert mail.told.startswith("Part of your mail has been carried out;")
    assert f"· {order} — accepted" in mail.text
    assert "· pass — refused: " in mail.text
    assert "#ffc21a" in mail.html.partition("<h1")[0]


def test_what_was_not_played_stands_at_the_head_beside_other_answers_too(running: Club) -> None:
    """A letter that also holds a note is answered in parts."""
    send(running, f"{an_order(running)}\npass\nnote the corner counts")
    mail = one_mail(running)
    assert mail.told.startswith("Part of your mail has been carried out;")
    assert "Noted." in mail.text
    assert "#ffc21a" in mail.html.partition("<h1")[0]


def test_other_parts_of_the_letter_are_told_as_well(running: Club) -> None:
    """A note and a line that is no order lose nothing by it."""
    order = an_order(running)
    send(running, f"{order}\nnote the corner counts")
    mail = one_mail(running)
    assert "· Note:\n· note the corner counts\n\nNoted." in mail.text
    assert f"Played:\n· {order}" in mail.text


def test_an_answer_that_shows_more_stays_a_mail_of_its_own(running: Club) -> None:
    """A list of commands finds no room at the head of a report."""
    send(running, f"{an_order(running)}\nhelp")
    running.work()
    assert [each.kind for each in running.mails(ALICE)] == ["receipt", "report"]


def test_a_reply_waits_for_the_report_but_not_for_long(running: Club) -> None:
    """While the match has something to do the receipt stays, for a minute at most."""
    send(running, an_order(running))
    with running.desk.store.reading() as connection:
        assert outbox.due_mails(connection, running.desk.now()) == ()
        late = running.desk.now() + outbox.FOLLOWS_WITHIN + timedelta(seconds=1)
        assert [each.kind for each in outbox.due_mails(connection, late)] == ["receipt"]
    running.work()
    with running.desk.store.reading() as connection:
        due = outbox.due_mails(connection, running.desk.now())
    assert {each.kind for each in due} == {"report"}


def test_a_receipt_that_has_left_is_not_told_again(running: Club) -> None:
    """The report says nothing of it."""
    send(running, an_order(running))
    assert [each.kind for each in running.mails(ALICE)] == ["receipt"]
    mail = one_mail(running)
    assert mail.kind == "report"
    assert "Played:" not in mail.text


def test_a_report_taken_back_gives_its_reply_back(running: Club) -> None:
    """Nothing that was answered is lost with a report that never leaves."""
    order = an_order(running)
    send(running, order)
    running.work()
    with running.desk.writing() as change:
        reports.withdraw_reports(change.connection, running.match(NAME).id, "red")
    (mail,) = running.mails(ALICE)
    assert mail.kind == "receipt"
    assert f"· {order} — accepted" in mail.text


def test_the_next_report_tells_what_one_before_it_told(running: Club) -> None:
    """It takes the place of a report that has not left, and of all that this answered."""
    order = an_order(running)
    send(running, order)
    running.work()
    send(running, "passen", "blue")
    mail = one_mail(running)
    assert f"Played:\n· {order}" in mail.text
    assert mail.told.startswith("It is your turn, red")


def test_the_same_orders_once_more_bring_a_receipt(running: Club) -> None:
    """The first answer stood in a report, and the new one stands in none."""
    report, order = resent(running, ALICE, "red"), an_order(running)
    running.answer(report, order, ALICE)
    one_mail(running)
    running.answer(report, order, ALICE, subject="once more")
    with running.desk.store.reading() as connection:
        (last,) = letters.latest_letters(connection, None, 1)
        (kept,) = submissions.submissions_of(connection, last.id)
        assert kept.outcome == "repeat"
    running.work()
    (mail,) = running.mails(ALICE)
    assert (mail.kind, "played before" in mail.text) == ("receipt", True)


def test_who_wants_few_mails_gets_the_receipt(running: Club) -> None:
    """Where no report follows, nothing waits and nothing is lost."""
    running.answer(resent(running, ALICE, "red"), "set mails turns", ALICE)
    running.mails(ALICE)
    send(running, an_order(running))
    assert one_mail(running).kind == "receipt"


def quiet(club: Club) -> None:
    """Let Alice want no mail while it is light."""
    club.answer(resent(club, ALICE, "red"), "set quiet 06:00-18:00", ALICE)
    assert "06:00 and 18:00" in club.last(ALICE).text


def due_to_alice(club: Club) -> list[str]:
    """Return the kinds of the mails to Alice that may leave now."""
    with club.desk.store.reading() as connection:
        due = outbox.due_mails(connection, club.desk.now())
    return [each.kind for each in due if each.recipient == ALICE]


def test_in_quiet_hours_the_answer_leaves_alone_and_at_once(running: Club) -> None:
    """Whoever has just written is not asleep, but the report waits as it would have without."""
    quiet(running)
    order = an_order(running)
    send(running, order)
    running.work()
    assert due_to_alice(running) == ["receipt"]
    receipt, report = running.mails(ALICE)
    assert f"· {order} — accepted" in receipt.text
    assert "Played:" not in report.text
    assert report.message["In-Reply-To"] != f"<alice-{running.uid - 1}@example.test>"
    with running.desk.store.reading() as connection:
        waits = outbox.get_mail(connection, report.id)
    assert waits.next_at > running.desk.now()


def test_a_report_written_anew_in_quiet_hours_gives_its_reply_back(running: Club) -> None:
    """The one before it told the reply and would have left at once; this one waits."""
    order = an_order(running)
    send(running, order)
    running.work()
    with running.desk.writing() as change:
        alice = players.by_address(change.connection, ALICE)
        assert alice is not None
        players.update_player(change.connection, alice.id, quiet="06:00-18:00")
    send(running, "passen", "blue")
    running.work()
    assert due_to_alice(running) == ["receipt"]
    receipt, report = running.mails(ALICE)
    assert f"· {order} — accepted" in receipt.text
    assert report.told.startswith("It is your turn, red")


def test_a_report_refused_for_good_gives_its_reply_back(
    running: Club, smtp_server: SmtpServer
) -> None:
    """The server does not take the report; what became of the orders is told all the same."""
    order = an_order(running)
    send(running, order)
    running.work()
    with running.desk.store.reading() as connection:
        kinds = {each.kind for each in outbox.latest_mails(connection, "waiting")}
    assert kinds == {"report"}
    smtp_server.modes = ["failed after dot"] * 2
    sent(running, smtp_server)
    sent(running, smtp_server)
    texts = [Mail(0, "receipt", each.raw).text for each in smtp_server.to(ALICE)]
    assert [f"· {order} — accepted" in each for each in texts] == [True]
    sent(running, smtp_server)
    assert len(smtp_server.to(ALICE)) == 1


def test_what_a_refused_report_told_is_told_in_the_next(
    running: Club, smtp_server: SmtpServer
) -> None:
    """If that is written before the reply has left by itself."""
    order = an_order(running)
    send(running, order)
    running.work()
    with running.desk.writing() as change:
        (report,) = [
            each
            for each in outbox.latest_mails(change.connection, "waiting")
            if each.recipient == ALICE
        ]
        outbox.mark_mail(change.connection, report.id, "failed", now=running.desk.now())
        reports.give_back_replies(change.connection, report)
    send(running, "passen", "blue")
    running.work()
    with running.desk.store.reading() as connection:
        assert {each.kind for each in outbox.latest_mails(connection, "waiting")} == {"report"}
    sent(running, smtp_server)
    (mail,) = (Mail(0, "report", each.raw) for each in smtp_server.to(ALICE))
    assert mail.told.startswith("It is your turn, red")
    assert f"Played:\n· {order}" in mail.text


def test_one_report_answers_two_letters(running: Club) -> None:
    """It tells what came of both, and its references name them."""
    order = an_order(running)
    send(running, order)
    send(running, "queue pass")
    mail = one_mail(running)
    assert f"Played:\n· {order}" in mail.text
    assert "· queue pass — noted for later" in mail.text
    sent = [f"<alice-{running.uid - n}@example.test>" for n in (2, 1)]
    assert mail.message["References"].split()[-2:] == sent
    assert mail.message["In-Reply-To"] == sent[-1]


def test_an_answer_beside_a_receipt_is_told_by_the_report_too(running: Club) -> None:
    """Also one about all matches."""
    order = an_order(running)
    away = running.desk.now() + timedelta(days=1)
    send(running, f"{order}\naway {away:%Y-%m-%d}")
    running.work()
    mail = one_mail(running)
    assert f"· {order}" in mail.text
    assert "no time of yours runs then, in any match" in mail.flat


def test_a_receipt_of_held_orders_is_told_by_nothing_else(running: Club) -> None:
    """Until when they can be withdrawn stands in it alone."""
    running.answer(resent(running, ALICE, "red"), "set grace 5m", ALICE)
    running.mails(ALICE)
    send(running, an_order(running))
    running.later(minutes=6)
    polled(running)
    assert [each.kind for each in running.mails(ALICE)] == ["receipt", "report"]


def test_an_erased_reply_is_not_given_back(running: Club) -> None:
    """Nothing of it is left to be sent."""
    send(running, an_order(running))
    running.work()
    with running.desk.writing() as change:
        (reply,) = outbox.latest_mails(change.connection, "superseded", 1)
        persons.forget_mail(change.connection, reply.id)
        reports.withdraw_reports(change.connection, running.match(NAME).id, "red")
        assert outbox.get_mail(change.connection, reply.id).state == "superseded"


def test_a_reply_that_is_being_sent_stays_with_its_daemon(running: Club) -> None:
    """Another one took it while the report was written, so it has left."""
    send(running, an_order(running))
    with running.desk.writing() as change:
        (reply,) = outbox.latest_mails(change.connection, "waiting", 1)
        assert outbox.claim_mail(change.connection, reply.id, "another daemon")
        reports.tell_in(change.connection, reply.id, [reply.id])
        assert outbox.get_mail(change.connection, reply.id).state == "sending"


def test_a_report_bears_the_same_message_id_whatever_reply_it_tells(running: Club) -> None:
    """After a restore nothing leaves between the letters, and answers to it still lead to it."""
    with running.desk.store.reading() as connection:
        row = matches.find_match(connection, NAME)
        assert row is not None
        bound = Binding(row, matches.seats(connection, row.id)[0], row.turn, "code")
    answered = (None, Answered("<one@example.test>"), Answered("<two@example.test>"))
    told = (post.Mail("report", Mock(), bound, answers=each) for each in answered)
    assert len({post._message_id(running.desk, each, ALICE, 0) for each in told}) == 1
