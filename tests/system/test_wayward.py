"""What one server, one letter or one folder refuses keeps nobody else from playing."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from imapclient import IMAPClient
from support import audit
from support.correspondents import Correspondents
from support.dovecot import PASSWORD, Dovecot
from support.installation import Installation, install
from support.lane import Lane, Tally
from support.smtpd import SmtpServer
from support.wayward import Rule, Wayward, broken_off, nothing, shorter, without, without_bodies

from referee.daemon import reader
from referee.daemon.daemon import Daemon
from referee.desk.desk import Change, Desk, utc_now
from referee.desk.players import add_player
from referee.desk.service import mailbox_mark
from referee.desk.service.doctor import mail
from referee.desk.service.status import read_status
from referee.store.post import letters
from referee.store.tables.post import LetterRow
from referee.value import replace

pytestmark = pytest.mark.mail

ALICE, BOB = "alice@example.test", "bob@example.test"

OF_ONE = r"^UID FETCH [\d,]*\b1\b[\d,]* "
"""Any question for the first letter."""


@dataclass
class Club:
    """An installation whose daemon reaches its mailbox by a server that misbehaves."""

    installation: Installation
    wayward: Wayward
    later: timedelta = field(default_factory=timedelta)

    def now(self) -> datetime:
        return utc_now() + self.later

    def read(self) -> None:
        """Let a daemon begin, read, play and send."""
        settings = self.installation.settings
        settings = replace(settings, imap=replace(settings.imap, port=self.wayward.port))
        desk = replace(Desk(self.installation.store, settings), now=self.now)
        Daemon(desk).once()

    @property
    def troubles(self) -> str:
        """What the organiser is told of."""
        desk = replace(self.installation.daemon().desk, now=self.now)
        return "\n".join(each.text for each in read_status(desk).concerns)

    def answers(self, to: str) -> list[str]:
        """Return the texts of the mails that an address got."""
        found = self.installation.received(to)
        return [str(each.get_body(("plain",)).get_content()) for each in found]  # type: ignore[union-attr]

    def letters(self) -> list[LetterRow]:
        """Return all letters, oldest first."""
        with self.installation.store.reading() as connection:
            return [*reversed(letters.latest_letters(connection))]

    def lies_in(self, folder: str) -> int:
        """Return how many letters lie in a folder, marked as deleted or not."""
        return self.installation.folder_of(folder)


@pytest.fixture
def club(installation: Installation) -> Iterator[Club]:
    """Return an installation that has read its mailbox once, with two players."""
    with installation.store.writing() as connection:
        change = Change(installation.daemon().desk, connection)
        for player in (ALICE, BOB):
            add_player(change, player, name=None, language=None, zone=None, format="text")
    with Wayward(installation.settings.imap.port) as wayward:
        found = Club(installation, wayward)
        # Twice, so that the first letter of the inbox alone has the number 1.
        found.read()
        found.read()
        yield found


UNFETCHED = {
    "NO": Rule(OF_ONE, "NO [SERVERBUG] Internal error"),
    "NO to its body": Rule(f"{OF_ONE}.*BODY.PEEK\\[\\]\\)", "NO [SERVERBUG] Internal error"),
    "BAD": Rule(f"{OF_ONE}.*BODY.PEEK\\[\\]\\)", "BAD Cannot parse it"),
    "NIL": Rule(f"{OF_ONE}.*BODY.PEEK\\[\\]\\)", changes=without_bodies),
    "no word of it": Rule(OF_ONE, changes=nothing),
    "the end of the connection": Rule(OF_ONE, "BYE", hangs_up=True),
    "the end before its body": Rule(f"{OF_ONE}.*BODY.PEEK\\[\\]\\)", "BYE", hangs_up=True),
}


@pytest.mark.parametrize("fault", UNFETCHED.values(), ids=UNFETCHED)
def test_a_letter_that_cannot_be_fetched_keeps_back_no_other(club: Club, fault: Rule) -> None:
    """It is named in the status, tried again each hour, and answered as soon as it comes."""
    club.installation.send(ALICE, "help")
    club.installation.send(BOB, "help")
    club.wayward.rules = [fault]
    club.read()
    assert (len(club.answers(ALICE)), len(club.answers(BOB))) == (0, 1)
    assert "UID 1" in club.troubles
    assert "move it out of the inbox" in club.troubles
    befell = len(club.wayward.befell)
    club.read()
    assert len(club.wayward.befell) == befell
    club.later = timedelta(hours=1)
    club.read()
    assert len(club.wayward.befell) > befell
    assert club.lies_in("INBOX") == 1
    club.wayward.rules = []
    club.later = timedelta(hours=2)
    club.read()
    assert (len(club.answers(ALICE)), len(club.answers(BOB))) == (1, 1)
    assert "UID" not in club.troubles
    club.read()
    assert club.lies_in("INBOX") == 0


def test_who_wrote_it_is_told_where_its_headers_come(club: Club) -> None:
    """So the organiser knows whom to ask."""
    club.installation.send(ALICE, "help")
    club.wayward.rules = [UNFETCHED["NO to its body"]]
    club.read()
    assert f"UID 1 from {ALICE}" in club.troubles


def test_one_that_is_moved_away_is_no_trouble(club: Club) -> None:
    """The organiser has seen to it in a mail program."""
    club.installation.send(ALICE, "help")
    club.wayward.rules = [UNFETCHED["NIL"]]
    club.read()
    assert "UID 1" in club.troubles
    with signed_in(club) as client:
        client.select_folder("INBOX")
        client.move([1], "Ignored")
    club.read()
    assert "UID" not in club.troubles


def test_a_server_that_gives_nothing_at_all_is_in_trouble_itself(club: Club) -> None:
    """No letter is set aside for it, as all would be, and no deadline acts."""
    club.installation.send(ALICE, "help")
    club.wayward.rules = [Rule("^UID FETCH", "NO [UNAVAILABLE] Backend is down")]
    with pytest.raises(Exception, match="Backend is down"):
        club.read()
    assert club.letters() == []
    assert "Backend is down" in club.troubles
    club.wayward.rules = []
    club.read()
    assert len(club.answers(ALICE)) == 1


SAID = "From: {}\r\nTo: {}\r\nMessage-ID: <one@example.test>\r\n"
PARTS = (
    "Content-Type: multipart/mixed; boundary=bb\r\n\r\n--bb\r\n\r\nhelp\r\n"
    "matches and all that follows here\r\n--bb--\r\n"
)
PLAIN = "\r\nhelp\r\n\r\nNever mind what stands down here, it is long enough.\r\n"


def deliver(club: Club, text: str) -> None:
    address = club.installation.address
    club.installation.dovecot.deliver(address, (SAID.format(ALICE, address) + text).encode())


def test_a_letter_that_came_short_once_is_played_whole(club: Club) -> None:
    """It is fetched again on a new connection before a word of it counts."""
    deliver(club, PLAIN)
    club.wayward.rules = [Rule("BODY.PEEK\\[\\]\\)", changes=shorter(30), times=1)]
    before = club.wayward.connections
    club.read()
    assert club.wayward.connections == before + 2
    (kept,) = club.letters()
    with club.installation.store.reading() as connection:
        assert letters.raw_letter(connection, kept.id).endswith(PLAIN.encode())
    assert len(club.answers(ALICE)) == 1


BODY = r"BODY.PEEK\[\]\)"
SHORT = {
    "as some servers announce": (PLAIN, Rule(BODY, changes=shorter(30)), "You can write"),
    "without its last boundary": (PARTS, Rule(BODY, changes=shorter(30)), "only a part"),
    "broken off": (PLAIN, Rule(BODY, changes=broken_off, hangs_up=True), "only a part"),
}


@pytest.mark.parametrize(("text", "fault", "answer"), SHORT.values(), ids=SHORT)
def test_a_letter_that_is_short_for_ever_is_read_or_answered(
    club: Club, text: str, fault: Rule, answer: str
) -> None:
    """The same bytes twice are read, unless they clearly miss their end."""
    deliver(club, text)
    club.wayward.rules = [fault]
    club.read()
    (said,) = club.answers(ALICE)
    assert answer in said
    club.read()
    assert len(club.answers(ALICE)) == 1
    assert club.lies_in("Handled") == 1


def test_a_letter_that_is_short_in_another_way_each_time_waits(club: Club) -> None:
    """Nobody knows which of its words are there."""
    deliver(club, PLAIN)
    club.wayward.rules = [
        Rule("BODY.PEEK\\[\\]\\)", changes=shorter(30), times=1),
        Rule("BODY.PEEK\\[\\]\\)", changes=shorter(20)),
    ]
    club.read()
    assert club.answers(ALICE) == []
    assert "UID 1" in club.troubles


MOVELESS = Rule("^CAPABILITY|^LOGIN", changes=without(b"MOVE"))
FULL = "NO [OVERQUOTA] Quota exceeded"
UNFILED = {
    "MOVE": [Rule("^UID MOVE", FULL)],
    "MOVE of one letter": [Rule(r"^UID MOVE [\d,]*\b1\b", "NO Cannot move it")],
    "MOVE that moves nothing": [Rule("^UID MOVE", "OK Move completed")],
    "COPY": [MOVELESS, Rule("^UID COPY", FULL)],
    "STORE": [MOVELESS, Rule("^UID STORE", "NO [READ-ONLY] Mailbox is read-only")],
    "EXPUNGE": [MOVELESS, Rule("^UID EXPUNGE", "NO Not today")],
    "EXPUNGE that does nothing": [MOVELESS, Rule("^UID (EXPUNGE|STORE)", "OK Done")],
    "all that writes": [Rule("^UID (MOVE|COPY|STORE|EXPUNGE)|^CREATE|^APPEND", FULL)],
}


@pytest.mark.parametrize("faults", UNFILED.values(), ids=UNFILED)
def test_what_cannot_be_filed_is_handled_once_and_told(club: Club, faults: list[Rule]) -> None:
    """Reading and playing go on, no copy is made twice, and it is filed when that can be done."""
    club.wayward.rules = faults
    for number in range(3):
        club.installation.send(ALICE, "help")
        club.read()
        assert len(club.answers(ALICE)) == number + 1
    club.read()
    assert "handled letters stay in the inbox" in club.troubles
    assert "last read" not in club.troubles
    club.wayward.rules = [each for each in faults if each is MOVELESS]
    club.read()
    assert "stay in the inbox" not in club.troubles
    assert len(club.answers(ALICE)) == 3
    assert (club.lies_in("INBOX"), club.lies_in("Handled")) == (0, 3)


def test_one_letter_that_cannot_be_filed_keeps_no_other_in_the_inbox(club: Club) -> None:
    """They are tried one by one."""
    for number in range(3):
        club.installation.send(ALICE if number else "eve@example.net", "help")
    club.wayward.rules = UNFILED["MOVE of one letter"]
    club.read()
    club.read()
    assert (club.lies_in("INBOX"), club.lies_in("Handled")) == (1, 2)


def test_a_folder_that_was_deleted_is_made_again(club: Club) -> None:
    """Or, where that is refused, letters stay in the inbox, and are read all the same."""
    with signed_in(club) as client:
        client.delete_folder("Handled")
    club.wayward.rules = [Rule("^CREATE", "NO Not allowed")]
    club.installation.send(ALICE, "help")
    club.read()
    club.read()
    assert len(club.answers(ALICE)) == 1
    assert "handled letters stay in the inbox" in club.troubles
    club.wayward.rules = []
    club.read()
    assert "stay in the inbox" not in club.troubles
    assert (club.lies_in("INBOX"), club.lies_in("Handled")) == (0, 1)


def test_while_it_runs_a_daemon_tries_again_after_a_while(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not at every look at the mailbox: a full one is asked seldom."""
    club.wayward.rules = UNFILED["MOVE"]
    club.installation.send(ALICE, "help")
    settings = club.installation.settings
    settings = replace(settings, imap=replace(settings.imap, port=club.wayward.port))
    daemon = Daemon(Desk(club.installation.store, settings))
    with daemon.serving(), daemon.reader.mailbox() as mailbox:
        for _ in range(4):
            daemon.reader.read(mailbox)
        tries = len(club.wayward.befell)
        assert tries == 2
        assert "handled letters stay in the inbox" in club.troubles
        monkeypatch.setattr(reader, "FILING_PAUSE", 0)
        daemon.reader._files_at = 0
        daemon.reader.read(mailbox)
        daemon.reader.read(mailbox)
        assert len(club.wayward.befell) == 3 * tries


def test_a_server_that_refuses_to_tell_of_news_is_asked(club: Club) -> None:
    """It is asked for IDLE once in a connection, and told of nowhere as trouble."""
    club.wayward.rules = [Rule("^IDLE", "NO Not today")]
    settings = club.installation.settings
    settings = replace(settings, imap=replace(settings.imap, port=club.wayward.port))
    with Daemon(Desk(club.installation.store, settings)).reader.mailbox() as mailbox:
        mailbox.select()
        club.installation.send(ALICE, "help")
        assert mailbox.wait(0.1)
        assert not mailbox.wait(0.1)
    assert club.wayward.befell == [b"IDLE"]


def test_where_a_search_for_headers_finds_nothing_there_is_one_mark(club: Club) -> None:
    """It is known by its subject; another installation is kept out by it too."""
    club.wayward.rules = [Rule("^UID SEARCH.* HEADER", changes=nothing)]
    for _ in range(3):
        club.read()
    with signed_in(club) as client:
        client.select_folder("Handled", readonly=True)
        assert len(client.search(["SUBJECT", mailbox_mark.SUBJECT])) == 1


def signed_in(club: Club) -> IMAPClient:
    """Return a mail program in the referee's mailbox."""
    server = club.installation.settings.imap
    client = IMAPClient(server.host, server.port, ssl=False, timeout=60)
    client.login(server.user, PASSWORD)
    return client


EXAMINED = {
    "nothing": ([], "ok", "", ""),
    "IDLE": ([Rule("^IDLE", "NO Not today")], "ok", "", ""),
    "APPEND": ([Rule("^APPEND", FULL)], "failure", "Quota exceeded", "make room"),
    "MOVE": (
        [Rule("^UID MOVE", "NO Not allowed")],
        "failure",
        "Not allowed",
        "let the account write",
    ),
    "MOVE that moves nothing": (
        UNFILED["MOVE that moves nothing"],
        "failure",
        "still there",
        "write",
    ),
    "a body NIL": (
        [Rule(BODY, changes=without_bodies)],
        "failure",
        "does not give",
        "server's log",
    ),
    "SEARCH": (
        [Rule("^UID SEARCH.* SUBJECT", changes=nothing)],
        "failure",
        "not find",
        "search mended",
    ),
    "SEARCH HEADER": ([Rule("^UID SEARCH.* HEADER", changes=nothing)], "ok", "", ""),
}


@pytest.mark.parametrize(("faults", "grade", "found", "advice"), EXAMINED.values(), ids=EXAMINED)
def test_the_doctor_tries_what_the_daemon_will_do(
    club: Club, faults: list[Rule], grade: str, found: str, advice: str
) -> None:
    """And says what is refused and what to do; the referee then still starts."""
    club.wayward.rules = [*faults]
    settings = club.installation.settings
    server = replace(settings.imap, port=club.wayward.port)
    with mail.open_seeker(server) as (entry, looking):
        assert looking is not None
        assert ("no IDLE" in entry.found) == (faults == EXAMINED["IDLE"][0])
        finding = mail.check_filing(club.installation.daemon().desk, looking)
    assert (finding.check, finding.grade) == ("filing", grade)
    assert found in finding.found
    assert advice in (finding.advice or "")
    if grade == "ok":
        assert (club.lies_in("Ignored"), club.lies_in("Quarantine")) == (0, 0)
    club.wayward.rules = []
    club.read()


SOME = r"^UID FETCH [\d,]*[37]\b[\d,]* .*BODY.PEEK\[\]\)"
"""A question for the text of letters whose numbers end in a 3 or a 7."""

BAD_DAYS = (
    Rule(SOME, "NO [SERVERBUG] Internal error"),
    Rule(SOME, "BAD Cannot parse it"),
    Rule(SOME, changes=without_bodies),
    Rule(SOME, changes=nothing),
    Rule(SOME, "BYE", hangs_up=True, times=1),
    Rule(BODY, changes=shorter(30), times=1),
    Rule("^UID FETCH", "NO [UNAVAILABLE] Backend is down"),
    Rule("^UID (MOVE|COPY|STORE|EXPUNGE)|^CREATE|^APPEND", FULL),
    Rule("^UID MOVE", "OK Move completed"),
    Rule("^UID STORE", "NO [READ-ONLY] Mailbox is read-only"),
    Rule("^IDLE", "NO Not today"),
    Rule("^UID SEARCH.* SUBJECT", changes=nothing),
    Rule("^UID SEARCH ALL", "NO Cannot search"),
    Rule("^SELECT", "NO [INUSE] Somebody else has it"),
    Rule("^LOGIN", "NO [UNAVAILABLE] Cannot tell who you are"),
    MOVELESS,
)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seconds", [10, pytest.param(600, marks=pytest.mark.soak)])
def test_of_random_faults_nothing_is_lost_or_done_twice(
    tmp_path: Path, dovecot: Dovecot, smtp_server: SmtpServer, seconds: int
) -> None:
    """By a seed, several at once, for a while; then all is as it would be without them."""
    installation = install(tmp_path / "club", dovecot.account("referee"), dovecot, smtp_server)
    installation.store.close()
    chance, players = Random(27), (ALICE, BOB)
    with Wayward(installation.settings.imap.port) as wayward:
        text = installation.config.read_text().replace("poll_seconds = 60", "poll_seconds = 1")
        old = f":{installation.settings.imap.port}"
        installation.config.write_text(text.replace(old, f":{wayward.port}"))
        writers = Correspondents(installation.address, dovecot, smtp_server, chance, players)
        lane = Lane(installation, writers, chance, Tally(), most_matches=1)
        try:
            lane.open_matches()
            lane.zygote.start("--poisonous")
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                wayward.rules = chance.sample(BAD_DAYS, chance.choice((0, 1, 1, 2)))
                change = time.monotonic() + chance.uniform(1, 6)
                while time.monotonic() < change:
                    assert lane.zygote.running, lane.said()
                    if not lane._running():
                        lane.open_matches()
                    writers.act()
                    time.sleep(0.1)
            wayward.rules = []
            assert lane.zygote.kill(signal.SIGTERM) == 0
            lane.come_to_rest()
        finally:
            lane.zygote.close()
        # A letter read late may come after its writer's next order, and is told so.
        books = audit.opened(installation, writers.sent, players, late=True)
        assert not audit.faults(books)
        assert books.delivered
