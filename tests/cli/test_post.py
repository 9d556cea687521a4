"""`referee outbox …` and `referee letter …` on an installation without servers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from support.given import GIVEN
from support.storing import NOW, a_daemon, a_letter, a_mail, a_match

from referee.config import load_settings
from referee.daemon.daemon import Daemon
from referee.desk.desk import opened_desk
from referee.mail.transport.mailbox import MailboxError
from referee.store import tables as t
from referee.store.post import letters, outbox
from referee.store.store import Store, open_store

RAW = b"Subject: =?utf-8?q?Sch=C3=B6n?=\r\nMessage-ID: <hush@example.test>\r\n\r\nK7PQ-M2XD\r\n"


@pytest.fixture
def store(run: Callable[..., Any], tmp_path: Path, monkeypatch: Any) -> Iterator[Store]:
    """Set up an installation in the current folder and return its store."""
    monkeypatch.chdir(tmp_path)
    assert run("init", tmp_path, *GIVEN).status == 0
    with open_store(f"sqlite:///{tmp_path / 'referee.db'}") as found:
        yield found


def test_a_mail_is_shown_without_what_it_says(run: Callable[..., Any], store: Store) -> None:
    """Recipient, subject and the server's words, but neither code nor Message-ID nor text."""
    with store.writing() as connection:
        mail = a_mail(connection, raw=RAW, code="K7PQM2XD", message_id="<hush@example.test>")
        outbox.mark_mail(connection, mail, "failed", now=NOW, answer="550 nobody there")
    for more in ((), ("--json",)):
        shown = run("outbox", "show", mail, *more)
        assert shown.status == 0
        assert "alice@example.test" in shown.out
        assert "Schön" in shown.out
        assert "550 nobody there" in shown.out
        assert "K7PQ" not in shown.out
        assert "hush" not in shown.out
    assert json.loads(shown.out)["state"] == "failed"


def test_of_a_mail_to_a_seat_the_match_alone_is_shown_of_its_subject(
    run: Callable[..., Any], store: Store
) -> None:
    """The rest may say which order is held, or what somebody wrote to the seat."""
    with store.writing() as connection:
        match = a_match(connection).match
        mail = a_mail(connection, raw=RAW, match_id=match, seat="red")
    shown = run("outbox", "show", mail, "--json")
    assert json.loads(shown.out)["subject"] == "[pebbles-1] …"
    assert "Schön" not in shown.out


def test_mails_are_listed_in_a_row_each_that_a_terminal_holds(
    run: Callable[..., Any], store: Store
) -> None:
    """Whom for, of what kind, in which state and since when; the rest stands in ``show``."""
    with store.writing() as connection:
        mail = a_mail(connection, raw=RAW)
        outbox.mark_mail(connection, mail, "sent", now=NOW, answer="250 OK")
    title, row = run("outbox", "list").out.splitlines()
    assert title.split() == ["mail", "recipient", "match", "kind", "state", "created", "answer"]
    assert len(row) < 80
    assert "attempts" in json.loads(run("outbox", "list", "--json").out)[0]


def test_a_letter_has_the_same_keys_in_list_and_show(run: Callable[..., Any], store: Store) -> None:
    """A program that reads the one can read the other."""
    with store.writing() as connection:
        a_letter(connection, 1)
    (listed,) = json.loads(run("letter", "list", "--json").out)
    shown = json.loads(run("letter", "show", 1, "--json").out)
    assert {key: shown[key] for key in listed} == listed


def test_a_mail_is_held_released_and_tried_again(run: Callable[..., Any], store: Store) -> None:
    """Each command says what it did, and does it."""

    def state() -> str:
        with store.reading() as connection:
            return outbox.get_mail(connection, mail).state

    with store.writing() as connection:
        mail = a_mail(connection)
    assert "is held" in run("outbox", "hold", mail).out
    assert state() == "held"
    assert "due now" in run("outbox", "release", mail).out
    assert state() == "waiting"
    with store.writing() as connection:
        outbox.mark_mail(connection, mail, "failed", now=NOW)
    assert "due now" in run("outbox", "retry", mail).out
    assert state() == "waiting"
    with store.writing() as connection:
        outbox.mark_mail(connection, mail, "failed", now=NOW)
    assert "is dropped" in run("outbox", "drop", mail).out
    assert state() == "superseded"


def test_a_letter_is_retried_and_dropped(run: Callable[..., Any], store: Store) -> None:
    """From quarantine it goes back to those waiting, or is ended as ignored."""
    with store.writing() as connection:
        first, second = a_letter(connection, 1).id, a_letter(connection, 2).id
        for each in (first, second):
            letters.finish_letter(connection, each, "quarantined", "KeyError", NOW)
    told = run("letter", "show", first).out
    assert all(f"referee letter {each} {first}" in told for each in ("retry", "drop"))
    assert run("letter", "retry", first).status == 0
    assert run("letter", "drop", second).status == 0
    with store.reading() as connection:
        assert letters.get_letter(connection, first).state == "kept"
        assert letters.get_letter(connection, second).state == "ignored"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("outbox", "show", 9), "there is no mail 9: see referee outbox list"),
        (("outbox", "retry", 9), "there is no mail 9"),
        (("outbox", "hold", 1), "mail 1 is sent"),
        (("outbox", "release", 1), "mail 1 is sent"),
        (("outbox", "retry", 1), "mail 1 is sent"),
        (("outbox", "drop", 1), "mail 1 is sent: this is for mails that are failed or held"),
        (("letter", "show", 9), "there is no letter 9: see referee letter list"),
        (("letter", "retry", 1), "letter 1 is kept"),
        (("letter", "drop", 9), "there is no letter 9"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    run: Callable[..., Any], store: Store, words: tuple[object, ...], says: str
) -> None:
    """Exit status 2, one line that says how it stands."""
    with store.writing() as connection:
        outbox.mark_mail(connection, a_mail(connection), "sent", now=NOW)
        a_letter(connection, 1)
    ran = run(*words)
    assert ran.status == 2
    assert says in ran.err
    assert len(ran.err.splitlines()) == 1


def test_what_is_kept_no_more_is_neither_shown_nor_tried_again(
    run: Callable[..., Any], store: Store
) -> None:
    """One line says that the bytes are gone; the rest is shown as ever."""
    with store.writing() as connection:
        mail, letter = a_mail(connection, raw=RAW), a_letter(connection, 1).id
        outbox.mark_mail(connection, mail, "failed", now=NOW, answer="550 nobody there")
        letters.finish_letter(connection, letter, "quarantined", "odd", NOW)
        for table in (t.outbox, t.letters):
            connection.execute(update(table).values(raw=None))
    assert "bytes, kept no more" in run("letter", "show", letter).out
    assert re.search(r"^kept +no$", run("outbox", "show", mail).out, re.MULTILINE)
    for words, thing in (
        (("letter", "show", letter, "--raw"), f"letter {letter}"),
        (("letter", "retry", letter), f"letter {letter}"),
        (("outbox", "retry", mail), f"mail {mail}"),
    ):
        ran = run(*words)
        assert (ran.status, len(ran.err.splitlines())) == (2, 1)
        assert f"{thing} is kept no more" in ran.err
    assert "failed" in run("outbox", "show", mail).out


def test_a_terminal_obeys_no_letter(
    run: Callable[..., Any], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What would command it is written out; a file or a pipe gets the bytes as they came."""
    text = "From: eve@example.test\r\n\r\nGrüße\x1b]0;x\x07 \x9b2J \u202e\ta\rb"
    raw = text.encode() + b"\xff\n"
    with store.writing() as connection:
        number = a_letter(connection, 1, raw=raw).id
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    shown = run("letter", "show", number, "--raw").out
    assert shown == ("From: eve@example.test\n\nGrüße\\x1b]0;x\\x07 \\x9b2J \\u202e\ta\\rb\\xff\n")


def test_status_tells_of_each_of_several_daemons(run: Callable[..., Any], store: Store) -> None:
    """Where each is, its parts, and when it was last heard; one alone has no line of its own."""
    heard = datetime.now(UTC)
    alpha = a_daemon(store, "alpha", "read work", heard)
    assert "at work" not in run("status").out
    beta = a_daemon(store, "beta", "work", heard)
    said = " ".join(run("status").out.split())
    assert "at work 1 process 7 on alpha, since 2026-11-20T11:00:00Z, reads and works, " in said
    assert "at work 2 process 7 on beta, since 2026-11-20T11:00:00Z, works, last heard " in said
    found = json.loads(run("status", "--json").out)["daemons"]
    assert [(each["host"], each["process"], each["parts"]) for each in found] == [
        ("alpha", 7, ["read", "work"]),
        ("beta", 7, ["work"]),
    ]
    assert datetime.fromisoformat(found[0]["heard"]) <= heard
    alpha.give_up()
    beta.give_up()


def test_status_tells_of_a_single_pass_that_failed(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mailbox that could not be read is noted, as it is by a daemon that stays."""
    monkeypatch.chdir(tmp_path)
    here = "imaps://referee%40example.test:secret@127.0.0.1:1"
    assert run("init", tmp_path, *GIVEN[:2], "--imap", here, *GIVEN[4:]).status == 0
    settings = load_settings(tmp_path / "referee.toml")
    with opened_desk(settings) as desk, pytest.raises(MailboxError) as failed:
        Daemon(desk).once()
    told = run("status")
    assert told.status == 2
    assert f"mailbox: {failed.value}" in told.out
