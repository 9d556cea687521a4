"""A club that moves from SQLite to PostgreSQL: nothing is lost, and play goes on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, func, select
from support.correspondents import Correspondents
from support.installation import Installation, play, seated
from support.postgresql import PostgreSQL
from support.storing import a_letter, a_mail

from referee.store import notes, states
from referee.store import tables as t
from referee.store.post import letters
from referee.store.store import create_store, open_store

pytestmark = pytest.mark.mail

ALICE, BOB = PLAYERS = ("alice@example.test", "bob@example.test")
LETTERS: tuple[states.LetterState, ...] = ("kept", "handled", "ignored", "repeat", "quarantined")
MAILS: tuple[states.OutboxState, ...] = (
    "waiting", "sending", "sent", "uncertain", "failed", "held", "superseded",
)  # fmt: skip


@pytest.fixture
def club(installation: Installation) -> Correspondents:
    """Return two players of two matches in which some letters are played already."""
    found = seated(installation, [(f"red={ALICE}", f"blue={BOB}")] * 2, PLAYERS)
    play(installation, found, 4)
    return found


@pytest.fixture
def empty(postgresql: PostgreSQL) -> Iterator[str]:
    """Return the address of an empty PostgreSQL database."""
    drop = "DROP DATABASE IF EXISTS moved WITH (FORCE)"
    postgresql.run(drop, "CREATE DATABASE moved")
    yield postgresql.url("moved")
    postgresql.run(drop)


def rename(installation: Installation, url: str) -> None:
    """Name another database in the settings."""
    text = installation.config.read_text()
    assert "sqlite:///referee.db" in text
    installation.config.write_text(text.replace("sqlite:///referee.db", url))


def rows(connection: Connection) -> dict[str, list[str]]:
    """Return every row of every table in words, but for what is noted when a copy is put back."""
    found = {
        table.name: sorted(repr(tuple(row)) for row in connection.execute(select(table)))
        for table in t.metadata.sorted_tables
    }
    found["meta"] = [row for row in found["meta"] if "'reread'" not in row]
    del found["leases"]
    return found


def everything(url: str) -> dict[str, list[str]]:
    """Return every row of a database."""
    with open_store(url) as store, store.reading() as connection:
        return rows(connection)


def bodies(url: str) -> list[str]:
    """Return all events, with their arrival and hashes; only when they were kept is left out."""
    with open_store(url) as store, store.reading() as connection:
        return [
            *connection.execute(
                select(t.events.c.body).order_by(t.events.c.match_id, t.events.c.seq)
            ).scalars()
        ]


def test_letters_and_mails_in_every_state_move(installation: Installation, empty: str) -> None:
    """Each row is the same afterwards, bytes and moments included, and new ones get new numbers."""
    hard = b"\x00\xff\r\n.\r\n" + "Grüße ☃".encode()
    with installation.store.writing() as connection:
        for uid, state in enumerate(LETTERS, start=1):
            kept = a_letter(connection, uid, raw=hard * uid, message_id=f"<{uid}@x.test>")
            connection.execute(
                t.letters.update().where(t.letters.c.id == kept.id).values(state=state)
            )
        for state in MAILS:
            a_mail(connection, raw=hard, state=state)
    was = everything(installation.settings.database)
    assert {len(was["letters"]), len(was["outbox"])} == {len(LETTERS), len(MAILS)}
    rename(installation, empty)
    done = installation.referee("restore", str(installation.folder / "referee.db"))
    assert done.returncode == 0, done.stderr
    assert everything(empty) == was
    with open_store(empty) as store, store.writing() as connection:
        assert a_letter(connection, 99).id == len(LETTERS) + 1
        assert a_mail(connection) == len(MAILS) + 1


def test_a_club_goes_on_in_postgresql(
    installation: Installation, club: Correspondents, empty: str
) -> None:
    """Every match is replayed; what came meanwhile is handled, and answers are understood."""
    assert installation.referee("backup", str(installation.folder / "club.db")).returncode == 0
    play(installation, club, 2)
    was, before = everything(installation.settings.database), bodies(installation.settings.database)
    installation.store.close()
    rename(installation, empty)
    done = installation.referee("restore", str(installation.folder / "club.db"))
    assert done.returncode == 0, done.stderr
    assert "2 matches, " in done.stdout
    assert "all fit" in done.stdout
    installation.store = open_store(empty)
    installation.daemon().once()
    assert bodies(empty) == before
    play(installation, club, 6)
    with installation.store.reading() as connection:
        last = connection.execute(select(func.max(t.outbox.c.id))).scalar_one()
        written = {each.message_id for each in club.sent}
        assert all(letters.letter_by_message_id(connection, each) for each in written)
    assert last > len(was["outbox"])
    assert len(bodies(empty)) > len(before)


def test_the_old_database_is_locked_out(
    installation: Installation, club: Correspondents, empty: str
) -> None:
    """Once PostgreSQL was served, a daemon left on SQLite ends with 78."""
    del club
    before = installation.config.read_text()
    rename(installation, empty)
    file = installation.folder / "referee.db"
    assert installation.referee("restore", str(file)).returncode == 0
    assert installation.referee("run", "--once").returncode == 0
    installation.config.write_text(before)
    done = installation.referee("run", "--once")
    assert done.returncode == 78
    assert "was read by a copy of this database" in done.stderr


def test_only_an_empty_database_is_filled(installation: Installation, empty: str) -> None:
    """One that is only set up counts as empty; what holds a player stays as it is."""
    create_store(empty)
    file = str(installation.folder / "referee.db")
    rename(installation, empty)
    assert installation.referee("restore", file).returncode == 0
    assert installation.referee("player", "add", ALICE).returncode == 0
    was = everything(empty)
    for words in ((file,), (file, "--replace")):
        done = installation.referee("restore", *words)
        assert done.returncode == 2
        assert "is not empty" in done.stderr
    assert everything(empty) == was


def test_nothing_is_kept_of_a_database_that_cannot_be_filled(
    installation: Installation, empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If one row is not as it was the whole is undone, and it may be tried again."""
    from referee.store import backup

    compared: list[Any] = []
    sum_up = backup._sum_up

    def other(*given: Any) -> int:
        compared.append(given)
        return sum_up(*given) + (len(compared) == 20)

    file = installation.folder / "referee.db"
    with monkeypatch.context() as during:
        during.setattr(backup, "_sum_up", other)
        with pytest.raises(backup.StoreUnreachable, match="did not keep"):
            backup.fill_database(file, empty)
    with open_store(empty) as store, store.reading() as connection:
        assert len(rows(connection)["meta"]) == 1
    backup.fill_database(file, empty)
    with open_store(empty) as store, store.reading() as connection:
        with installation.store.reading() as original:
            here = notes.INSTALLATION.read(original)
        assert notes.INSTALLATION.read(connection) == here


def test_each_command_says_how_to_move(installation: Installation, empty: str) -> None:
    """Whoever names an empty PostgreSQL is led to `restore` and to the page about it."""
    rename(installation, empty)
    assert "referee restore FILE" in installation.referee("run").stderr
    again = installation.referee("init", str(installation.folder), "--database", empty)
    assert "docs/organisers/moving.md" in again.stderr
