"""A database that is lost and put back from a copy: the mailbox knows what came since."""

from __future__ import annotations

import json
import signal
from collections import Counter
from typing import Any

import pytest
from imapclient import IMAPClient
from support.correspondents import Correspondents
from support.installation import Installation, parsed, play, seated
from support.zygote import Zygote

from referee.desk.service import backup
from referee.store import notes
from referee.store.play import matches, submissions
from referee.store.post import letters, outbox
from referee.store.store import open_store

pytestmark = pytest.mark.mail

PLAYERS = ("alice@example.test", "bob@example.test", "blue@example.test")
SEATS = (
    ("red=alice@example.test", "blue=bob@example.test"),
    ("red=bob@example.test", "green=bot:random", "blue=blue@example.test"),
)


@pytest.fixture
def club(installation: Installation) -> Correspondents:
    """Return the players of two matches, one of them with a bot; a few letters are played."""
    found = seated(installation, SEATS, PLAYERS)
    play(installation, found, 3)
    return found


def logs(installation: Installation) -> dict[str, list[dict[str, Any]]]:
    """Return every match's events, arrival stamps and hashes included."""
    with open_store(installation.settings.database) as store, store.reading() as connection:
        return {
            row.name: [json.loads(each.body) for each in matches.events(connection, row.id)]
            for row in matches.select_matches(connection)
        }


def message_ids(installation: Installation) -> Counter[str]:
    """Return how often each mail was delivered."""
    return Counter(str(parsed(each)["Message-ID"]) for each in installation.smtp.delivered)


def filed(installation: Installation) -> list[int]:
    """Return how many letters lie in each folder."""
    return [installation.folder_of(each) for each in ("INBOX", "Handled", "Ignored", "Quarantine")]


def copy(installation: Installation) -> None:
    """Take a copy of the database."""
    backup.take_backup(installation.settings.database, installation.folder / "copy.db")


def lose_and_restore(installation: Installation) -> None:
    """Put the copy in the place of the database."""
    installation.store.close()
    done = installation.referee("restore", str(installation.folder / "copy.db"), "--replace")
    assert done.returncode == 0, done.stderr
    installation.store = open_store(installation.settings.database)


def test_ten_letters_lost_are_played_again(
    installation: Installation, club: Correspondents
) -> None:
    """The logs are the same to the last hash; mails told again bear the Message-IDs they had."""
    copy(installation)
    (asked, *_) = [each for each in club.sent if each.kind == "orders"]
    club.write("illegal", asked.sender, "put 9 A1", {}, asked.answers)
    club.write("stranger", "eve@example.test", "help", {}, None)
    play(installation, club, 9)
    assert len(club.sent) >= 13
    before, told, lying = logs(installation), message_ids(installation), filed(installation)
    lose_and_restore(installation)
    assert logs(installation) != before
    installation.daemon().once()
    assert logs(installation) == before
    again = message_ids(installation) - told
    assert again
    assert set(again) <= set(told)
    assert max(again.values()) == 1
    assert filed(installation) == lying


def test_all_three_folders_are_read_again(installation: Installation, club: Correspondents) -> None:
    """What was handled, ignored or set aside since the copy is known again, and filed."""
    copy(installation)
    handled = club.write("chat", PLAYERS[0], "help", {}, None)
    ignored = club.write("stranger", "eve@example.test", "help", {}, None)
    aside = club.write("chat", PLAYERS[1], "rules", {}, None)
    installation.daemon().once()
    installation.daemon().once()
    server = installation.settings.imap
    with IMAPClient(server.host, server.port, ssl=False, timeout=60) as client:
        client.login(server.user, server.password)
        client.select_folder("Handled")
        client.move(client.search(["HEADER", "Message-ID", aside.message_id]), "Quarantine")
    lose_and_restore(installation)
    installation.daemon().once()
    with installation.store.reading() as connection:
        known = [
            letters.letter_by_message_id(connection, x.message_id)
            for x in (handled, ignored, aside)
        ]
    states = [None if row is None else (row.state, row.filed) for row in known]
    assert states == [("handled", True), ("ignored", True), ("handled", True)]
    assert filed(installation)[0] == filed(installation)[3] == 0


def test_answers_to_mails_that_were_lost_are_played(
    installation: Installation, club: Correspondents
) -> None:
    """Who answers a report that the copy does not know finds his answer played."""
    copy(installation)
    play(installation, club, 6)
    lose_and_restore(installation)
    club.quiet = True
    first = len(club.sent)
    assert club.act()
    play(installation, club, 20)
    with installation.store.reading() as connection:
        for sent in club.sent[first:]:
            row = letters.letter_by_message_id(connection, sent.message_id)
            assert row is not None
            outcomes = {each.outcome for each in submissions.submissions_of(connection, row.id)}
            assert outcomes == {"accepted"}, sent


def test_killed_while_it_reads_again(installation: Installation, club: Correspondents) -> None:
    """Whoever is interrupted begins again; nothing acts or leaves before all is known."""
    copy(installation)
    play(installation, club, 6)
    before, mails = logs(installation), len(installation.smtp.delivered)
    lose_and_restore(installation)
    daemon = Zygote(installation)
    for where in (
        "imap fetch: after 3",
        "commit intake.take_letter: before 3",
        "commit inbox.finish_rereading: before 1",
    ):
        point, _, hit = where.rpartition(" ")
        daemon.start("--point", point, "--hit", hit)
        assert daemon.wait() == -signal.SIGKILL, daemon.log.read_text()[-2000:]
        with installation.store.reading() as connection:
            assert notes.read_value(connection, "reread") is not None
        assert len(installation.smtp.delivered) == mails
    installation.daemon().once()
    assert logs(installation) == before
    with installation.store.reading() as connection:
        assert notes.read_value(connection, "reread") is None
        assert not [row for row in letters.latest_letters(connection) if not row.filed]
        assert {row.state for row in outbox.latest_mails(connection)} <= {"sent", "superseded"}
