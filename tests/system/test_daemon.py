"""The daemon on a real IMAP server and an SMTP server that records what it gets."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from support.bounced import report
from support.installation import Installation, Process, until
from support.misbehaving import nobody
from support.zygote import WAIT

from referee.daemon.daemon import Daemon
from referee.daemon.reader import Reader
from referee.desk import health
from referee.desk.letters import inbox, intake
from referee.desk.service import lease
from referee.errors import UNFIT, RefereeError
from referee.mail.transport.mailbox import Mailbox
from referee.store import notes
from referee.store.database.errors import DatabaseMoved
from referee.store.post import letters, outbox
from referee.value import replace

pytestmark = pytest.mark.mail

ALICE, BOB = "alice@example.test", "bob@example.test"


def new_match(installation: Installation, *more: str) -> None:
    """Start a match of pebbles between alice and bob by the command line."""
    seats = ("--seat", f"red={ALICE}", "--seat", f"blue={BOB}")
    done = installation.referee("match", "new", "pebbles", *seats, "--start", *more)
    assert done.returncode == 0, done.stderr


def ids(mails: list[EmailMessage]) -> set[str]:
    """Return the Message-IDs of mails: one that came twice is one mail."""
    return {str(mail["Message-ID"]) for mail in mails}


def reports(installation: Installation, to: str) -> list[EmailMessage]:
    """Return the reports an address got: the mails with a turn file."""
    found = []
    for mail in installation.received(to):
        names = [part.get_filename() for part in mail.iter_attachments()]
        if "turn.json" in names:
            found.append(mail)
    return found


def first_report(installation: Installation) -> EmailMessage:
    """Wait for everybody's report of turn 1 and return alice's.

    One that has not left when she answers is superseded by the next.
    """
    until(lambda: reports(installation, BOB), "bob's report")
    return until(lambda: reports(installation, ALICE), "alice's report")[-1]


def receipts(installation: Installation) -> list[EmailMessage]:
    """Return the mails that told alice of a pass that was played."""
    found = installation.received(ALICE)
    return [each for each in found if {"Played:", "·\xa0pass"} <= {*text_of(each).splitlines()}]


def text_of(mail: EmailMessage) -> str:
    """Return the plain text of a mail."""
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def test_what_a_command_wrote_leaves_and_an_answer_is_played(running: Installation) -> None:
    """Match new, invitations and reports out, an answer in, receipt and reports out."""
    new_match(running)
    report = first_report(running)
    running.send(ALICE, "pass", report["Message-ID"])
    until(lambda: len(reports(running, BOB)) == 2, "bob's report of turn 2")
    until(lambda: receipts(running), "alice's receipt")
    until(lambda: running.folder_of("Handled") == 1, "the letter to be filed")
    until(lambda: running.folder_of("INBOX") == 0, "the letter to leave the inbox")


def test_one_pass_reads_plays_and_sends(installation: Installation) -> None:
    """`run --once` leaves nothing undone that could be done."""
    new_match(installation)
    installation.daemon().once()
    report = reports(installation, ALICE)[-1]
    installation.send(ALICE, "pass", report["Message-ID"])
    installation.daemon().once()
    assert len(reports(installation, BOB)) == 2
    installation.daemon().once()
    assert installation.folder_of("Handled") == 1


def test_the_disk_is_waited_for_before_a_letter_is_moved(installation: Installation) -> None:
    """The server loses nothing of which a loss of power could undo that it was handled."""
    seen: list[str | None] = []

    def flushed() -> str | None:
        with installation.store.reading() as connection:
            return notes.read_value(connection, "flushed")

    class Watching(Mailbox):
        def move(self, uids: Sequence[int], *where: Any) -> bool:
            seen.append(flushed())
            return super().move(uids, *where)

    installation.send(ALICE, "help")
    daemon, server = installation.daemon(), installation.settings.imap
    folders = daemon.process.folders
    with daemon.serving(), Watching(server, folders) as mailbox:
        daemon.reader.enter(mailbox)
        daemon.reader.read(mailbox)
        before = flushed()
        inbox.file_away(daemon.desk, mailbox)
    assert len(seen) == 1
    assert seen[0] not in {None, before}


def test_letters_of_strangers_are_filed_and_not_answered(running: Installation) -> None:
    """They lie in Ignored; no mail leaves."""
    running.send("eve@example.test", "help")
    until(lambda: running.folder_of("Ignored") == 1, "the letter to be filed")
    assert running.received("eve@example.test") == []


def test_a_letter_of_ten_megabytes_is_answered_and_the_loop_goes_on(running: Installation) -> None:
    """Only its head is fetched; the next letter is handled as usual."""
    new_match(running)
    report = first_report(running)
    message = EmailMessage()
    message["From"], message["To"] = ALICE, running.address
    message["Message-ID"], message["In-Reply-To"] = "<big@example.test>", report["Message-ID"]
    message.set_content("pass")
    message.add_attachment(
        b"x" * 10_000_000, maintype="application", subtype="octet-stream", filename="holiday.jpg"
    )
    running.dovecot.deliver(running.address, message.as_bytes(), ALICE)
    until(
        lambda: any("too large" in text_of(mail) for mail in running.received(ALICE)),
        "the answer to the large letter",
    )
    running.send(ALICE, "pass", report["Message-ID"])
    until(lambda: len(reports(running, BOB)) == 2, "bob's report of turn 2")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_the_daemon_cleanly(
    installation: Installation, start: Callable[[], Process], number: int
) -> None:
    """Exit status 0, within seconds, nothing half done."""
    process = start()
    new_match(installation)
    until(lambda: reports(installation, ALICE), "alice's report")
    assert process.stop(number) == 0
    assert "Traceback" not in process.log.read_text()


def test_a_daemon_asked_to_stop_before_it_read_anything_stops(installation: Installation) -> None:
    """However early the signal comes, nobody waits for a first look at the mailbox."""
    daemon = installation.daemon()
    daemon.stop()
    thread = threading.Thread(target=daemon.run, daemon=True)
    thread.start()
    thread.join(WAIT)
    assert not thread.is_alive()


@contextmanager
def at_work(installation: Installation) -> Iterator[None]:
    """Run the daemon in a thread for the block."""
    daemon = installation.daemon()
    thread = threading.Thread(target=daemon.run)
    thread.start()
    try:
        yield
    finally:
        daemon.stop()
        thread.join(WAIT)
        assert not thread.is_alive()


def test_an_alarm_stops_the_reading(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After three letters that break it none is read; a restart reads again."""
    assert installation.referee("player", "add", ALICE).returncode == 0
    assert installation.referee("player", "add", BOB).returncode == 0
    judge = intake._judge

    def judging(*given: Any) -> Any:
        if b"poison" in given[-1]:
            raise LookupError("poison")
        return judge(*given)

    monkeypatch.setattr(intake, "_judge", judging)
    for number in range(3):
        installation.send(ALICE, f"poison {number}")
    with at_work(installation):
        until(lambda: health.is_alarmed(installation.daemon().desk), "the alarm")
        installation.send(BOB, "help")
        told = installation.referee("status")
        assert told.returncode == 2
        assert "3 letters in a row could not be handled" in told.stdout
        assert not installation.received(BOB)
    with at_work(installation):
        until(lambda: installation.received(BOB), "the answer after the restart")
    assert not health.is_alarmed(installation.daemon().desk)


def test_a_reader_that_fails_as_nobody_foresaw_begins_again(
    installation: Installation, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The mailbox is read on, and the log holds the fault."""
    assert installation.referee("player", "add", ALICE).returncode == 0
    keep_reading, calls = Reader.keep_reading, list[int]()

    def failing_once(reader: Reader) -> None:
        calls.append(1)
        if len(calls) == 1:
            raise LookupError("unforeseen")
        keep_reading(reader)

    monkeypatch.setattr(Reader, "keep_reading", failing_once)
    with at_work(installation):
        installation.send(ALICE, "help")
        until(lambda: installation.received(ALICE), "the answer")
    faults = [each for each in caplog.records if each.exc_info and each.exc_info[0] is LookupError]
    assert len(faults) == 1


def test_a_reader_that_lost_its_lock_for_a_moment_reads_on(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody removed the file of locks, and the next sign of life made a new one."""
    assert installation.referee("player", "add", ALICE).returncode == 0
    keep_reading, calls = Reader.keep_reading, list[int]()

    def losing_once(reader: Reader) -> None:
        calls.append(1)
        if len(calls) > 1:
            keep_reading(reader)

    monkeypatch.setattr(Reader, "keep_reading", losing_once)
    with at_work(installation):
        installation.send(ALICE, "help")
        until(lambda: installation.received(ALICE), "the answer")


def test_a_part_goes_on_where_its_trouble_cannot_be_noted(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault met while a fault is noted ends no thread."""
    assert installation.referee("player", "add", ALICE).returncode == 0
    read, calls = Reader.read, list[int]()

    def failing_once(reader: Reader, mailbox: Mailbox) -> int:
        calls.append(1)
        if len(calls) == 1:
            raise OSError("the network is down")
        return read(reader, mailbox)

    def note(*given: object) -> None:
        raise LookupError(given)

    monkeypatch.setattr(Reader, "read", failing_once)
    monkeypatch.setattr(health, "note_trouble", note)
    with at_work(installation):
        installation.send(ALICE, "help")
        until(lambda: installation.received(ALICE), "the answer")


def test_a_part_that_dies_ends_the_daemon(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its status is one after which the service manager starts it again."""

    def dying(reader: Reader) -> None:
        raise GeneratorExit(reader)

    monkeypatch.setattr(Reader, "keep_reading", dying)
    daemon = installation.daemon()
    patience = threading.Timer(WAIT, daemon.stop)
    patience.start()
    with pytest.raises(RefereeError, match="mailbox") as ended:
        daemon.run()
    patience.cancel()
    assert ended.value.status not in {0, UNFIT}


def test_a_database_moved_away_ends_the_daemon(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It writes nothing more to a file that no command would find, and says what to put back."""
    monkeypatch.setattr(lease, "BEAT", 0.2)
    daemon = installation.daemon()
    patience = threading.Timer(WAIT, daemon.stop)
    patience.start()
    file = installation.folder / "referee.db"
    moving = threading.Timer(1, file.rename, [file.with_name("moved.db")])
    moving.start()
    with pytest.raises(DatabaseMoved, match="-wal") as ended:
        daemon.run()
    patience.cancel()
    assert ended.value.status not in {0, UNFIT}
    assert not file.exists()


def test_a_killed_daemon_loses_and_repeats_nothing(
    installation: Installation, start: Callable[[], Process]
) -> None:
    """After SIGKILL the next daemon goes on; the answer is played once."""
    process = start()
    new_match(installation)
    report = first_report(installation)
    process.stop(signal.SIGKILL)
    installation.send(ALICE, "pass", report["Message-ID"])
    start()
    # What was sent when the daemon died may come once more, as the same mail.
    until(lambda: len(ids(reports(installation, BOB))) == 2, "bob's report of turn 2")
    until(lambda: receipts(installation), "alice's receipt")
    assert len(ids(receipts(installation))) == 1


def test_an_unreachable_mail_server_is_waited_for(
    installation: Installation, start: Callable[[], Process]
) -> None:
    """The daemon stays up, says what is wrong, and `status` shows it with exit status 2."""
    with nobody() as port:
        text = installation.config.read_text()
        old = installation.settings.imap.port
        installation.config.write_text(text.replace(f"127.0.0.1:{old}", f"127.0.0.1:{port}"))
        process = start()
        until(lambda: "trouble" in installation.referee("status", "--json").stdout, "the trouble")
        until(
            lambda: f":{port}" in installation.referee("status").stdout,
            "status to name the server",
        )
        assert installation.referee("status").returncode == 2
        assert process.popen.poll() is None


def test_a_wrong_password_is_named(installation: Installation) -> None:
    """One line says that the log-in was refused; the password is not in it."""
    text = installation.config.read_text()
    password = installation.settings.imap.password
    installation.config.write_text(text.replace(f":{password}@", ":wrong-word@"))
    done = installation.referee("run", "--once")
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "wrong-word" not in done.stderr


def test_mail_that_the_server_takes_later_waits(installation: Installation) -> None:
    """A temporary refusal leaves the mail waiting, with what the server said."""
    new_match(installation)
    installation.smtp.mode = "later at rcpt"
    installation.daemon().once()
    listed = installation.referee("outbox", "list", "--state", "waiting").stdout
    assert ALICE in listed
    assert installation.received(ALICE) == []


def test_mail_that_the_server_refuses_is_shown_to_the_organiser(
    installation: Installation,
) -> None:
    """A definite refusal marks the mail failed; others' mail leaves all the same."""
    installation.smtp.refused = {BOB: "550 5.1.1 no such mailbox"}
    new_match(installation)
    installation.daemon().once()
    failed = installation.referee("outbox", "list", "--state", "failed").stdout
    assert "no such mailbox" in failed
    assert installation.received(BOB) == []
    assert reports(installation, ALICE)
    assert installation.referee("status").returncode == 1


def test_a_letter_tried_again_is_handled_at_once(running: Installation) -> None:
    """`letter retry` wakes the daemon that waits for mail; the letter is played."""
    new_match(running)
    report = first_report(running)
    before = len(running.received(ALICE))
    running.send(ALICE, "help", report["Message-ID"])
    until(lambda: len(running.received(ALICE)) == before + 1, "the first answer")
    until(lambda: running.folder_of("Handled") == 1, "the letter to be filed")
    with running.store.writing() as connection:
        (row,) = letters.latest_letters(connection)
        letters.finish_letter(connection, row.id, "quarantined", "KeyError", row.arrived)
    assert running.referee("letter", "retry", str(row.id)).returncode == 0
    until(lambda: len(running.received(ALICE)) == before + 2, "the second answer")


def test_a_refused_smtp_login_is_shown(
    installation: Installation, start: Callable[[], Process]
) -> None:
    """`status` names it, and no mail counts an attempt for it."""
    installation.smtp.auth = True
    new_match(installation)
    text = installation.config.read_text()
    installation.config.write_text(text.replace("smtp://", "smtp://referee:wrong-word@"))
    start()
    until(
        lambda: "login refused" in installation.referee("status").stdout,
        "status to show the log-in",
    )
    listed = json.loads(installation.referee("outbox", "list", "--json").stdout)
    assert {(each["state"], each["attempts"]) for each in listed} == {("waiting", 0)}


def test_a_bounce_is_shown_until_the_player_answers(installation: Installation) -> None:
    """`status` names the address and why; an answer from it to a mail ends that."""
    text = installation.config.read_text()
    installation.config.write_text(
        text.replace("# plus_addressing = true", "plus_addressing = true")
    )
    new_match(installation)
    installation.daemon().once()
    sent = next(each for each in installation.smtp.to(ALICE))
    assert "+b-" in sent.envelope_from
    installation.dovecot.deliver(installation.address, report(sent.envelope_from), "")
    installation.daemon().once()
    assert f"mail to {ALICE} fails: 5.1.1" in installation.referee("status").stdout
    assert installation.received("MAILER-DAEMON@mx.example.test") == []
    told = installation.received(ALICE)[-1]
    installation.send(ALICE, "help", told["Message-ID"])
    installation.daemon().once()
    assert "fails" not in installation.referee("status").stdout


def test_the_organiser_hears_of_a_refused_mail_once(installation: Installation) -> None:
    """The daemon writes the summary of the day and sends it; not again on that day."""
    organiser = "olga@example.test"
    text = installation.config.read_text()
    text = text.replace('# organiser = "organiser@example.org"', f'organiser = "{organiser}"')
    installation.config.write_text(text)
    installation.smtp.refused = {BOB: "550 5.1.1 no such mailbox"}
    new_match(installation)
    morning = datetime.now(UTC).replace(hour=7)

    def daemon(now: datetime) -> Daemon:
        return Daemon(replace(installation.daemon().desk, now=lambda: now))

    with installation.store.writing() as connection:
        for row in outbox.latest_mails(connection):
            outbox.mark_mail(connection, row.id, row.state, now=morning, next_at=morning)
    daemon(morning).once()
    assert installation.received(organiser) == []
    next_day = daemon(morning + timedelta(days=1))
    next_day.once()
    next_day.once()
    (mail,) = installation.received(organiser)
    assert "no such mailbox" in text_of(mail)
