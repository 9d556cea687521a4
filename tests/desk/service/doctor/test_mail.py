"""What the doctor says of real mail servers: log-ins, folders, and letters that go round."""

from __future__ import annotations

import dataclasses
import json
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from imapclient import IMAPClient
from support.dovecot import QUOTA, Dovecot
from support.fakeimap import CAPABILITY, FakeImap, Say
from support.installation import Installation, install
from support.nameserver import answering
from support.smtpd import Delivered, SmtpServer

from referee.desk.desk import Desk, utc_now
from referee.desk.mails import post
from referee.desk.service import mailbox_mark
from referee.desk.service.doctor import Finding, checks, domain
from referee.desk.service.doctor import mail as doctor_mail
from referee.desk.service.status import read_status
from referee.mail.oauth.tokens import AuthError
from referee.mail.transport.mailbox import Folders, Mailbox
from referee.mail.transport.postman import Postman
from referee.mail.transport.servers import Server
from referee.value import replace

pytestmark = pytest.mark.mail


@pytest.fixture
def house(tmp_path: Path, dovecot: Dovecot, smtp_server: SmtpServer) -> Iterator[Installation]:
    """Return an installation whose mail server delivers what is sent to the referee."""
    found = install(tmp_path / "club", dovecot.account("referee"), dovecot, smtp_server)

    def deliver(mail: Delivered) -> None:
        dovecot.deliver(mail.recipient, mail.raw, mail.envelope_from)

    smtp_server.relay = deliver
    yield found
    found.store.close()


def way_out(house: Installation) -> Postman:
    """Return the way of mails to the server."""
    return Postman(house.settings.smtp)


def gone_round(
    house: Installation, *, configured: bool | None = None, patience: float = 20, ahead: float = 0
) -> dict[str, Finding]:
    """Let letters go round, by a clock that may be ahead, and return what is found."""
    settings = replace(house.settings, plus_addressing=configured)
    desk = Desk(house.store, settings, now=lambda: utc_now() + timedelta(seconds=ahead))
    with doctor_mail.open_seeker(house.settings.imap) as (_, looking):
        assert looking is not None
        found = doctor_mail.go_round(desk, way_out(house), looking, patience)
    return {each.check: each for each in found}


def seen(house: Installation) -> bool | None:
    """Return what is remembered of plus-addresses."""
    desk = house.daemon().desk
    with desk.reading() as change:
        trial = post.TRIAL.read(change.connection)
        return None if trial is None else bool(trial["arrives"])


def test_letters_that_come_back_are_praised(house: Installation) -> None:
    """Where each arrives is told, with which headers; plus-addresses are used from then on."""
    found = gone_round(house)
    assert {each.grade for each in found.values()} == {"ok"}
    assert found["delivery"].found.startswith("a letter to itself arrived in INBOX after")
    assert "named in To, Delivered-To; used from now on" in found["plus-addressing"].found
    assert seen(house) is True


@pytest.mark.parametrize("published", [True, False])
def test_a_letter_that_the_server_signed_needs_its_key_in_dns(
    house: Installation, monkeypatch: pytest.MonkeyPatch, *, published: bool
) -> None:
    """Without the key a signature makes the letter look forged."""
    place = f"club._domainkey.{house.address.partition('@')[2]}"
    owner = place.partition("._domainkey.")[2]
    signature = f"DKIM-Signature: v=1; a=rsa-sha256; d={owner};\r\n s=club; b=Ab\r\n".encode()
    deliver = house.smtp.relay
    assert deliver is not None
    house.smtp.relay = lambda mail: deliver(dataclasses.replace(mail, raw=signature + mail.raw))
    records = {(place, "TXT"): ['"v=DKIM1; p=abc"']} if published else {}
    with answering(records) as port:
        make = partial(domain.make_asker, ["127.0.0.1"], port)
        monkeypatch.setattr(domain, "make_asker", make)
        found = gone_round(house)["delivery"]
    assert found.grade == ("ok" if published else "failure")
    told = found.found if published else found.advice or ""
    assert (f"signed by the key at {place}" if published else f"TXT record for {place}") in told


def test_a_running_daemon_may_file_the_letters_first(house: Installation) -> None:
    """A letter that the daemon has moved by then is found where it lies."""
    with doctor_mail.open_seeker(house.settings.imap) as (_, looking):
        assert looking is not None
        assert doctor_mail.check_folders(looking).grade == "ok"
        house.smtp.relay = lambda mail: _file(house, mail)
        desk = house.daemon().desk
        found = doctor_mail.go_round(desk, way_out(house), looking, 20)
    assert [each.grade for each in found] == ["ok", "ok", "ok"]
    assert "Ignored" in found[0].found


def _file(house: Installation, mail: Delivered) -> None:
    with _client(house) as client:
        client.append("Ignored", mail.raw)


def _client(house: Installation) -> IMAPClient:
    server = house.settings.imap
    client = IMAPClient(server.host, server.port, ssl=False, timeout=60)
    client.login(server.user, server.password)
    return client


@pytest.mark.parametrize(
    ("configured", "grade", "advice"),
    [(None, "warning", "nothing need be done"), (True, "failure", "take that line out")],
)
def test_plus_addresses_that_are_refused_are_not_used(
    house: Installation,
    monkeypatch: pytest.MonkeyPatch,
    configured: bool | None,
    grade: str,
    advice: str,
) -> None:
    """The server's words are told; it is a failure only where referee.toml says otherwise."""

    class Refusing(dict[str, str]):
        def __contains__(self, recipient: object) -> bool:
            return "+" in str(recipient)

        def __getitem__(self, recipient: str) -> str:
            return "550 5.1.1 no such user"

    monkeypatch.setattr(house.smtp, "refused", Refusing())
    finding = gone_round(house, configured=configured)["plus-addressing"]
    assert (finding.grade, seen(house)) == (grade, False)
    assert "550 5.1.1 no such user" in finding.found
    assert advice in finding.advice


def test_plus_addresses_that_swallow_mail_are_not_used(house: Installation) -> None:
    """A letter that was accepted and never comes is waited for, then given up."""
    relay = house.smtp.relay
    assert relay is not None
    house.smtp.relay = lambda mail: None if "+" in mail.recipient else relay(mail)
    found = gone_round(house, patience=2)
    assert found["delivery"].grade == "ok"
    assert found["plus-addressing"].found == "did not arrive within 2 seconds; not used"
    assert seen(house) is False


def test_a_filter_that_takes_letters_away_is_seen(house: Installation) -> None:
    """A letter to itself in another folder is a failure that names the folder."""
    with _client(house) as client:
        client.create_folder("Junk")

    def junk(mail: Delivered) -> None:
        with _client(house) as client:
            client.append("Junk", mail.raw)

    house.smtp.relay = junk
    finding = gone_round(house)["delivery"]
    assert (finding.grade, finding.found) == ("failure", "a letter to itself arrived in Junk")
    assert "filters" in finding.advice


def test_mail_that_does_not_come_back_is_a_failure(house: Installation) -> None:
    """Accepted and lost, or refused: the advice says where to look."""
    house.smtp.relay = None
    (lost,) = gone_round(house, patience=1).values()
    assert (lost.check, lost.grade) == ("delivery", "failure")
    assert "MX record" in lost.advice
    house.smtp.mode = "failed at mail"
    (refused,) = gone_round(house, patience=1).values()
    assert refused.found.startswith("550 sender refused: 5.7.1 not from you; see at the provider")


@pytest.mark.parametrize(
    ("ahead", "grade", "way"),
    [(600, "failure", "ahead of"), (-600, "failure", "behind"), (90, "warning", "ahead of")],
)
def test_a_wrong_clock_is_seen_by_the_servers_stamp(
    house: Installation, ahead: float, grade: str, way: str
) -> None:
    """Minutes are a failure, less a warning; the advice is to keep time by NTP."""
    finding = gone_round(house, ahead=ahead)["clock"]
    assert finding.grade == grade
    assert f"{way} the mail server's" in finding.found
    assert "NTP" in finding.advice


def test_missing_folders_are_made(house: Installation) -> None:
    """The first time they are made and named, the second time they are there."""
    server = house.settings.imap
    with doctor_mail.open_seeker(server) as (entry, looking):
        assert looking is not None
        assert entry.grade == "ok"
        first, second = (doctor_mail.check_folders(looking) for _ in range(2))
    assert first.found == "made Handled, Ignored, Quarantine; now all are there"
    assert second.found == "all are there"


def test_folders_that_cannot_be_made_are_a_failure() -> None:
    """The server's refusal is told, and which folders to make by hand."""

    def refuse(say: Say, tag: bytes) -> None:
        say(tag + b" NO [NOPERM] not you\r\n")

    inbox = b'* LIST () "/" INBOX\r\n'
    answers: dict[bytes, bytes | Callable[[Say, bytes], None]] = {
        b'LIST "" "*"': inbox,
        b"LIST": b"",
        b"CREATE": refuse,
    }
    with FakeImap(answers=answers) as fake, doctor_mail.open_seeker(fake.server) as (_, looking):
        assert looking is not None
        finding = doctor_mail.check_folders(looking)
    assert finding.grade == "failure"
    assert "not you" in finding.found
    assert "Handled, Ignored and Quarantine" in finding.advice


def test_a_mailbox_of_another_installation_is_a_failure(
    house: Installation, tmp_path: Path, dovecot: Dovecot, smtp_server: SmtpServer
) -> None:
    """Another installation's mark is told of, and left as it is."""
    house.daemon().once()
    server = house.settings.imap
    assert doctor_mail.check_owner(house.daemon().desk).grade == "ok"
    rival = install(tmp_path / "rival", (house.address, server), dovecot, smtp_server)
    with Mailbox(server, Folders()) as mailbox:
        before = mailbox.find("Handled", mailbox_mark.SUBJECT)
    finding = doctor_mail.check_owner(rival.daemon().desk)
    with Mailbox(server, Folders()) as mailbox:
        assert mailbox.find("Handled", mailbox_mark.SUBJECT) == before
    rival.store.close()
    assert finding.grade == "failure"
    assert "referee run --take-over" in finding.advice


def test_a_mailbox_without_room_is_seen(tmp_path: Path, smtp_server: SmtpServer) -> None:
    """By its quota a letter would not fit; `status` and `doctor` say so until there is room."""
    crowded = Dovecot(QUOTA)
    crowded.prepare()
    crowded.start()
    try:
        house = install(tmp_path / "club", crowded.account("referee"), crowded, smtp_server)
        desk = house.daemon().desk
        house.daemon().once()
        assert read_status(desk).said["quota"] is None
        with _client(house) as client:
            client.append("Handled", b"Subject: much\r\n\r\n" + (b"x" * 70 + b"\r\n") * 17_000)
        house.daemon().once()
        assert "hardly any room left by its quota" in (read_status(desk).said["quota"] or "")
        found = doctor_mail.check_owner(desk)
        assert (found.check, found.grade) == ("mailbox", "failure")
        assert "delete old ones" in found.advice
        with _client(house) as client:
            client.delete_folder("Handled")
        house.daemon().once()
        assert read_status(desk).said["quota"] is None
        house.store.close()
    finally:
        crowded.stop()
        crowded.remove()


def test_a_server_that_tells_no_quota_is_one_without() -> None:
    """It may refuse the question; letters are read all the same."""

    def refuse(say: Say, tag: bytes) -> None:
        say(tag + b" NO [NOPERM] not you\r\n")

    with FakeImap(CAPABILITY + b" QUOTA", answers={b"GETQUOTAROOT": refuse}) as fake:
        with Mailbox(fake.server, Folders()) as mailbox:
            assert not mailbox.lacks_room(1_000_000)
        assert fake.said(b"GETQUOTAROOT")


def test_a_refused_imap_log_in_is_a_failure(house: Installation) -> None:
    """The advice is to check user and password; no password is shown."""
    wrong = replace(house.settings.imap, password="wrong-word")
    with doctor_mail.open_seeker(wrong) as (finding, looking):
        assert looking is None
    assert finding.grade == "failure"
    assert "login refused" in finding.found
    assert "wrong-word" not in finding.found
    assert "b'" not in finding.found
    assert "check user and password" in finding.advice


def test_a_missing_password_is_a_failure_of_both(house: Installation) -> None:
    """What is lacking is named in place of a refusal."""
    lacking = Server("plain", "127.0.0.1", 9, "referee", lacking="[mail] imap: has no password")
    with doctor_mail.open_seeker(lacking) as (finding, _):
        assert (finding.grade, finding.found) == ("failure", lacking.lacking)
    assert doctor_mail.check_smtp(lacking, "localhost").found == lacking.lacking


def test_a_password_command_at_fault_is_not_blamed_on_the_server() -> None:
    """Neither host nor port is wrong, and no server is asked."""

    def ask() -> str:
        raise AuthError("[mail] password_command: nosuch cannot be run")

    server = Server("plain", "127.0.0.1", 9, "referee", ask=ask, source="password_command")
    with doctor_mail.open_seeker(server) as (finding, _):
        found = [finding, doctor_mail.check_smtp(server, "localhost")]
    for each in found:
        assert each.found == "[mail] password_command: nosuch cannot be run"
        assert each.advice.startswith("correct the command")


def test_a_refused_log_in_names_where_the_password_came_from(
    house: Installation, smtp_server: SmtpServer
) -> None:
    """Not referee.toml, where it stands in a file of its own; and that once."""
    smtp_server.auth = True
    wrong = {"user": "referee", "password": "wrong-word", "source": "/club/password"}
    with doctor_mail.open_seeker(replace(house.settings.imap, **wrong)) as (finding, _):
        outgoing = replace(smtp_server.server(), **wrong)
        found = [finding, doctor_mail.check_smtp(outgoing, "localhost")]
    for each in found:
        assert "check user and password" not in each.found
        assert "which comes from /club/password" in each.advice


def test_a_server_that_is_not_there_is_a_failure(dovecot: Dovecot) -> None:
    """Nobody listens: the advice is to check host and port."""
    nobody = Server("plain", "127.0.0.1", 9, "referee", "pw")
    with doctor_mail.open_seeker(nobody) as (finding, _):
        assert "check host, port" in finding.advice
    assert "check host, port" in doctor_mail.check_smtp(nobody, "localhost").advice


def test_a_port_that_does_not_begin_with_tls_is_named(
    dovecot: Dovecot, smtp_server: SmtpServer
) -> None:
    """The kind of connection to write in its place is told, and trying again is left."""
    _, server = dovecot.account(security="tls")
    with doctor_mail.open_seeker(replace(server, port=dovecot.imap)) as (finding, _):
        told = f"port {dovecot.imap} does not begin with TLS; write imap+starttls://"
        assert told in finding.found
    found = doctor_mail.check_smtp(replace(smtp_server.server(), security="tls"), "localhost").found
    assert f"port {smtp_server.port} does not begin with TLS; write smtp+starttls://" in found


@pytest.mark.skipif(shutil.which("faketime") is None, reason="faketime is not installed")
def test_a_clock_that_is_wrong_shows_in_certificates(tmp_path: Path) -> None:
    """A certificate that is not valid yet tells of the clock here, not of the authority."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = "faketime 2100-01-01 openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256"
    named = "-nodes -days 9 -subj /CN=x -addext subjectAltName=IP:127.0.0.1"
    put = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*command.split(), *named.split(), *put], check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def greet() -> None:
            with suppress(OSError), listening.accept()[0] as caller:
                context.wrap_socket(caller, server_side=True)

        threading.Thread(target=greet).start()
        server = Server("tls", *listening.getsockname(), "x", "y", cafile=certificate)
        with doctor_mail.open_seeker(server) as (finding, _):
            pass
    assert "(certificate is not yet valid); the clock here is probably wrong" in finding.found


def test_the_smtp_log_in_is_tried_without_a_mail(smtp_server: SmtpServer) -> None:
    """A right password is accepted, a wrong one refused; nothing is sent."""
    smtp_server.auth = True
    right = smtp_server.server(user="referee", password="secret")
    assert doctor_mail.check_smtp(right, "localhost").grade == "ok"
    wrong = doctor_mail.check_smtp(replace(right, password="wrong-word"), "localhost")
    assert wrong.grade == "failure"
    assert "login refused" in wrong.found
    assert "wrong-word" not in wrong.found
    assert "check user and password" in wrong.advice
    assert smtp_server.delivered == []


def test_a_log_in_that_others_may_read_is_a_warning(
    smtp_server: SmtpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plain connection to another machine works, and is told of with what to write instead."""
    monkeypatch.setattr(Server, "exposed", True)
    found = doctor_mail.check_smtp(smtp_server.server(), "localhost")
    assert (found.check, found.grade) == ("SMTP", "warning")
    assert "without encryption" in found.found
    assert "smtps://" in found.advice


def test_the_command_tells_all_and_exits_by_the_worst(house: Installation) -> None:
    """Failures make the status 1; JSON holds every check, in order, once."""
    ran = house.referee("doctor", "--offline", "--json")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    told = {each["check"]: each["grade"] for each in json.loads(ran.stdout)}
    assert (told["IMAP"], told["database"], told["daemon"]) == ("skipped", "ok", "warning")
    (house.folder / "referee.db").chmod(0o644)
    ran = house.referee("doctor", "--offline")
    assert ran.returncode == 1
    assert f"→ chmod go= {house.folder / 'referee.db'}" in ran.stdout


def test_wrong_settings_are_told_each_with_what_is_skipped(house: Installation) -> None:
    """Every fault of referee.toml is a line of its own, and nothing else is judged."""
    file = house.folder / "referee.toml"
    file.write_text(file.read_text().replace("address =", "adress =") + '\n[what]\nis = "this"\n')
    ran = house.referee("doctor", "--offline", "--json")
    assert ran.returncode == 1
    told = json.loads(ran.stdout)
    faults = [each for each in told if each["check"] == "config"]
    assert {each["grade"] for each in faults} == {"failure"}
    assert [each for each in faults if "did you mean address?" in each["found"]]
    assert {each["advice"] for each in faults} == {f"correct {file}"}
    rest = {each["check"]: each["grade"] for each in told if each["check"] != "config"}
    assert [*rest] == [*checks.NAMES[1:]]
    assert {*rest.values()} == {"skipped"}


def test_a_key_that_others_may_read_is_mended_by_its_mode(house: Installation) -> None:
    """The advice is what to run; nothing in referee.toml has to be corrected."""
    key = house.folder / "referee.key"
    key.chmod(0o644)
    told = json.loads(house.referee("doctor", "--offline", "--json").stdout)
    assert told[0]["advice"] == f"run chmod 600 {key}"


def test_a_key_that_is_not_there_is_to_be_put_back(house: Installation) -> None:
    """Nor is referee.toml at fault here, and a new key would not be the same."""
    key = house.folder / "referee.key"
    key.unlink()
    told = json.loads(house.referee("doctor", "--offline", "--json").stdout)
    assert told[0]["advice"] == "put your copy of it back, or set key_file right"
    assert told[0]["found"].endswith(f"{key} cannot be read (No such file or directory)")
    assert "; put your copy of it back" in house.referee("status").stderr


@pytest.mark.parametrize(
    ("broken", "failed", "lost"),
    [
        ((), (), ()),
        (
            ("imap",),
            ("IMAP",),
            ("folders", "filing", "mailbox", "delivery", "plus-addressing", "clock"),
        ),
        (("smtp",), ("SMTP",), ("delivery", "plus-addressing", "clock")),
    ],
)
def test_all_servers_are_asked_as_far_as_each_lets_in(
    house: Installation,
    monkeypatch: pytest.MonkeyPatch,
    broken: tuple[str, ...],
    failed: tuple[str, ...],
    lost: tuple[str, ...],
) -> None:
    """One that refuses is a failure, what hangs on it is skipped, all else is judged."""
    monkeypatch.setattr(domain, "SECONDS", 0.05)
    nobody = Server("plain", "127.0.0.1", 9, "referee", "pw")
    settings = replace(house.settings, **dict.fromkeys(broken, nobody))
    found = list(checks.mail_checks(settings, Desk(house.store, settings), 20))
    asked = [each for each in found if not each.check.startswith("DNS")]
    names = [each for each in checks.ASKING if not each.startswith("DNS")]
    assert [each.check for each in asked] == [each for each in names if each not in lost]
    assert tuple(each.check for each in asked if each.grade == "failure") == failed
    made = {each.check for each in found}
    assert {each.check for each in checks.skipped_checks(made, offline=False)} >= {*lost}


@pytest.mark.parametrize(
    ("lacks", "said"),
    [
        ((), ""),
        (("UIDPLUS",), ""),
        (("IDLE",), "; it has no IDLE: mail is found by looking every poll_seconds"),
        (("MOVE",), "; it has no MOVE: letters are copied and removed"),
        (("MOVE", "UIDPLUS"), "; it has no UIDPLUS: copied letters stay, marked as deleted"),
    ],
)
def test_what_a_server_lacks_is_told_with_what_is_done_instead(
    lacks: tuple[str, ...], said: str
) -> None:
    """The referee works with each of them; whoever wonders about delays can read why."""
    capability = b" ".join(each for each in CAPABILITY.split() if each.decode() not in lacks)
    with (
        FakeImap(capability=capability) as fake,
        doctor_mail.open_seeker(fake.server) as (finding, _),
    ):
        assert said in finding.found
        assert ("it has no" in finding.found) == bool(said)
        assert finding.grade == "ok"


def test_a_token_that_cannot_be_had_is_a_finding() -> None:
    """The other checks are made all the same."""

    def token() -> str:
        raise AuthError("the provider renews the token no more; log in again: referee auth")

    with FakeImap() as fake:
        server = replace(fake.server, token=token)
        with doctor_mail.open_seeker(server) as (finding, looking):
            assert looking is None
    assert finding.grade == "failure"
    assert finding.found.endswith("referee auth")
