"""What commands show of letters and mails, and who may read the files: nothing that is a secret."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.club import Club, letter
from support.spying import (
    Secrets,
    Spied,
    check_found,
    private_words,
    words_of_hands,
    words_told,
)
from support.tables import Table, tables
from support.thorough import some

from referee.config import load_settings
from referee.desk import health
from referee.desk.desk import Desk
from referee.errors import UNFIT
from referee.store.post import letters, outbox
from referee.store.store import open_store
from referee.value import replace

PASSWORDS = ("imap-sesame", "smtp-sesame")
GIVEN = (
    "--address", "referee@example.test",
    "--imap", f"imaps://referee%40example.test:{PASSWORDS[0]}@mail.example.test",
    "--smtp", f"smtps://referee%40example.test:{PASSWORDS[1]}@mail.example.test",
)  # fmt: skip

SMALLEST = [each for each in tables() if len(each.seats) == min(each.game.seats)]
OF_CARDS = [table for table in SMALLEST if table.game.name in {"nord", "origo"}]


@pytest.fixture
def club(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Club]:
    """Return a club that is an installation too, in the current folder."""
    monkeypatch.chdir(tmp_path)
    before = os.umask(0)
    try:
        assert run("init", tmp_path / "here", *GIVEN).status == 0
        monkeypatch.chdir(tmp_path / "here")
        settings = load_settings(Path("referee.toml"), {})
        with open_store(settings.database) as store:
            settings = replace(settings, time_per_turn=None, reminders=())
            desk = Desk(store, settings, answers=(10_000, 200))
            yield Club(desk, [desk.now()])
    finally:
        os.umask(before)


@pytest.mark.parametrize(
    "table",
    some(OF_CARDS, [table for table in SMALLEST if table not in OF_CARDS]),
    ids=lambda each: each.name,
)
def test_lists_hold_nothing_secret(run: Callable[..., Any], club: Club, table: Table) -> None:
    """Of a match in play no command for letters and mails shows a code, a seed or a hidden card."""
    spied, hidden = Spied.begin(club, table, seed=5), set[str]()
    for loaded in spied.moves(25):
        if loaded.live.turn.over:
            break
        hidden |= words_of_hands(loaded, table.seats)
    check_found(spied, hidden)
    club.put(letter(f"{table.seats[0]}@example.test", "queue pass\nmessage all: hush"))
    with club.desk.store.reading() as connection:
        numbers = [each.id for each in letters.latest_letters(connection, limit=5)]
        mails = [each.id for each in outbox.latest_mails(connection, limit=5)]
    health.note_trouble(club.desk, "trouble", "nothing")
    words = [("letter", "list"), ("outbox", "list"), ("match", "list"), ("player", "list"),
             ("status",), ("match", "show", spied.name)]  # fmt: skip
    words += [("letter", "show", each) for each in numbers]
    words += [("outbox", "show", each) for each in mails]
    secrets = Secrets.of(club, *PASSWORDS)
    told = private_words(table.game, spied.facts(), "en", None)
    for command in words:
        for more in ((), ("--json",)):
            ran = run(*command, *more)
            said = ran.out + ran.err
            assert not secrets.found_in(said)
            assert "hush" not in said
            assert not {each for each in told if each in " ".join(said.split())}
            if command[0] in {"letter", "outbox"}:
                assert not words_told(hidden, said)


def test_what_a_letter_orders_is_shown_on_demand(run: Callable[..., Any], club: Club) -> None:
    """Orders may name hidden cards: only --orders prints them."""
    spied = Spied.begin(club, next(t for t in SMALLEST if t.game.name == "pebbles"), seed=5)
    actor = next(spied.moves(1)).live.turn.seat
    report = spied.mailed[str(actor)][-1]
    club.answer(report, "queue put 1 A1", f"{actor}@example.test")
    for more in ((), ("--json",)):
        assert "put 1 A1" not in run("letter", "show", 1, *more).out
        assert "put 1 A1" in run("letter", "show", 1, "--orders", *more).out


def test_a_letter_is_shown_in_words(run: Callable[..., Any], club: Club) -> None:
    """For which match and seat it spoke and what came of it; columns are for programs."""
    spied = Spied.begin(club, next(t for t in SMALLEST if t.game.name == "pebbles"), seed=5)
    actor = next(spied.moves(1)).live.turn.seat
    club.answer(spied.mailed[str(actor)][-1], "queue put 1 A1", f"{actor}@example.test")
    told = run("letter", "show", 1).out
    assert f"For {spied.name} {actor}, turn " in told
    assert ": its orders were accepted" in told
    assert "raw_hash" not in told
    assert "raw_hash" in run("letter", "show", 1, "--json").out


def test_a_letter_of_commands_is_shown_with_the_mail_that_answers_it(
    run: Callable[..., Any], club: Club
) -> None:
    """That names the match and the seat, which are kept with orders alone."""
    spied = Spied.begin(club, next(t for t in SMALLEST if t.game.name == "pebbles"), seed=5)
    actor = next(spied.moves(1)).live.turn.seat
    club.answer(spied.mailed[str(actor)][-1], "draw", f"{actor}@example.test")
    told = run("letter", "show", 1).out
    assert "It gave no orders for a match, but commands or talk at most." in told
    assert f", for {spied.name} {actor}: waiting (referee outbox show " in told


def test_errors_of_commands_hold_no_password(run: Callable[..., Any], club: Club) -> None:
    """A wrong key beside the passwords is told without them."""
    del club
    file = Path("referee.toml")
    file.write_text(file.read_text().replace("\n[mail]\n", "\n[mail]\npoll_secnds = 1\n"))
    ran = run("status")
    assert ran.status == UNFIT
    assert "poll_seconds" in ran.err
    assert not {each for each in PASSWORDS if each in ran.out + ran.err}


def test_every_file_is_its_owners_alone(run: Callable[..., Any], club: Club) -> None:
    """Settings, key, database, its log and its index, and a copy, whatever the umask."""
    with club.desk.store.writing() as connection:
        letters.keep_letter(
            connection,
            folder="INBOX",
            uidvalidity=1,
            uid=1,
            arrived=club.desk.now(),
            size=1,
            raw=b"x",
            now=club.desk.now(),
        )
    assert run("backup", "copy.db").status == 0
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in Path().iterdir()}
    wanted = {"referee.toml", "referee.key", "referee.db", "referee.db-wal", "referee.db-shm"}
    assert wanted | {"copy.db"} <= set(modes)
    assert set(modes.values()) == {0o600}
