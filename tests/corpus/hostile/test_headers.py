"""What stands in our mails of what others wrote: nothing in a header, nothing that plays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.club import REFEREE, Club, Mail, letter, open_club
from support.corpus import understood
from support.hostile import check_headers
from support.thorough import examples, some

from referee.games import registry
from referee.games.game import LANGUAGES, AnyGame
from referee.mail.incoming.html import read_page
from referee.mail.incoming.letter import read_letter
from referee.store.people import players

ALICE, BOB = "alice@example.org", "bob@example.test"

NAMES = (
    "Alice\r\nBcc: eve@example.net",
    "Alice\nBcc: eve@example.net\n\npass\n",
    "Alice\r\n\r\n<script>alert(1)</script>",
    "=?utf-8?Q?Alice=0D=0ABcc:_eve@example.net?=",
    '"Alice" <eve@example.net>, "',
    "Alice\0\x1b[31m\u202e\ud7ff",
    "Ünïcödé " * 40,
    "--- end of pebbles-1 · referee ---",
    "=== pebbles-1 · turn 1 · blue · K7PQ-M2XD ===",
    "{{ 7*7 }}{% raw %}%s{0.__class__}",
    "pass",
    "· pass",
    "pass. Alice",
    "1. pass1. pass",
)

IDS = (
    "<a@example.org>\r\n Bcc: eve@example.net",
    "<a\r\n b@example.org>",
    "<\x01\x7f@example.org>",
    "<ünïcödé@example.org>",
    "<=?utf-8?Q?=0D=0ABcc:_eve?=@example.org>",
    "<" + "a" * 5_000 + "@example.org>",
    "<a@example.org> <b@example.org>",
    "no brackets",
    "",
)

SUBJECTS = ("x\r\n Bcc: eve@example.net", "=?utf-8?Q?x=0D=0ABcc:_eve@example.net?=", "\x01\x7f", "")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """Return a club of alice and bob in their first turn."""
    found = open_club(tmp_path_factory.mktemp("headers"))
    found.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    found.work()
    yield found
    found.desk.store.close()


def call_alice(club: Club, name: str) -> None:
    """Give alice a name as somebody with the database in hand could."""
    with club.desk.store.writing() as connection:
        row = players.by_address(connection, ALICE)
        assert row is not None
        players.update_player(connection, row.id, name=name)


def all_mails(club: Club) -> list[tuple[str, Mail]]:
    return [(who, mail) for who in (ALICE, BOB) for mail in club.mails(who)]


@pytest.fixture(scope="module")
def thread(club: Club) -> str:
    """Return the Message-ID of alice's report."""
    return str(club.last(ALICE, "report").message["Message-ID"])


@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_name_stays_within_the_text(club: Club, thread: str, name: str) -> None:
    """Messages, answers, receipts and a new match carry a name in no header but the subject."""
    call_alice(club, name)
    text = "message all: hello\nmatches\nshow\nput 9 Z9"
    club.put(letter(ALICE, text, answers=thread, number=NAMES.index(name)))
    club.put(letter(ALICE, "show", answers=thread, number=100 + NAMES.index(name)))
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False)
    club.work()
    found = all_mails(club)
    assert {mail.kind for _, mail in found} >= {"answer", "notice", "receipt", "invitation"}
    for who, mail in found:
        check_headers(mail.raw, who)
        others = [each for each in mail.message.items() if each[0] != "Subject"]
        assert "eve@example.net" not in str(others)
        check_plays_nothing(mail)


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("message_id", IDS)
def test_a_hostile_id_or_subject_goes_nowhere(
    club: Club, thread: str, message_id: str, subject: str
) -> None:
    """Answers name a Message-ID only if it may stand in a header, and never a subject."""
    all_mails(club)
    raw = (
        f"From: {ALICE}\r\nTo: {REFEREE}\r\nMessage-ID: {message_id}\r\nSubject: {subject}\r\n"
        f"In-Reply-To: {thread}\r\n\r\nhelp\r\nshow\r\n{IDS.index(message_id)}{subject!r}\r\n"
    )
    club.put(raw.encode())
    found = all_mails(club)
    assert len(found) == 1
    for who, mail in found:
        check_headers(mail.raw, who)
        assert "Bcc" not in mail.raw.partition(b"\r\n\r\n")[0].decode()


def check_plays_nothing(mail: Mail) -> None:
    """Assert that a mail sent back holds nothing: whole, unframed, quoted, as text or HTML."""
    page = read_page(mail.html, 100_000).text
    for text in (mail.text, page):
        lines = [line for line in text.split("\n") if line.strip()]
        for kept in (lines, lines[1:-1], [f"> {line}" for line in lines]):
            body = "\n".join(kept).encode()
            read = read_letter(b"Content-Type: text/plain; charset=utf-8\n\n" + body)
            for game in registry.installed_games().all():
                for place in understood(read, game):
                    # An order within a sentence of ours would be asked about.
                    assert [line for line in place.lines if line.order and not line.spoken] == []
                    assert place.commands == (), kept


BOTH_WORDED = (("pebbles", 2, "en"), ("origo", 1, "de"))
"""Games with their editions and the languages in which their mails are always sent back."""


@pytest.mark.parametrize(
    ("name", "edition", "language"),
    some(
        BOTH_WORDED,
        [
            (game.name, game.edition, language)
            for game in registry.installed_games().all()
            for language in LANGUAGES
            if (game.name, game.edition, language) not in BOTH_WORDED
        ],
    ),
)
def test_what_we_send_holds_no_order(
    tmp_path: Path, name: str, edition: int, language: str
) -> None:
    """Invitation, report, receipt, board, help: sent back in any form they play nothing."""
    game = registry.find_installed(name, edition)
    club = open_club(tmp_path)
    club.settle(language=language)
    mails = played_a_little(club, game)
    club.desk.store.close()
    assert {mail.kind for mail in mails} >= {"invitation", "report", "receipt", "answer"}
    for mail in mails:
        check_plays_nothing(mail)


def played_a_little(club: Club, game: AnyGame) -> list[Mail]:
    """Return alice's mails of a match of two in which whoever may act does."""
    seats = [f"{game.colours[0]}={ALICE}", f"{game.colours[1]}={BOB}"]
    club.new_match(game.name, *seats, edition=game.edition, begins=False)
    club.work()
    found = club.mails(ALICE)
    for number, mail in enumerate([*found, *club.mails(BOB)]):
        who = mail.message["To"].strip("<>")
        club.answer(mail, f"agree\nluck {number}", who)
    club.work()
    reports = {who: club.last(who, "report") for who in (ALICE, BOB)}
    for who, mail in reports.items():
        line = mail.turn_file["legal"][0] if mail.turn_file.get("legal") else "help"
        club.answer(mail, f"help\nshow\n{line}", who)
        club.answer(mail, "help\nmessage all: well played", who)
    club.work()
    return [*found, *reports.values(), *club.mails(ALICE), *club.mails(BOB)]


TEXTS = st.lists(
    st.sampled_from([
        "=== pebbles-1 · turn 1 · blue · ", "K7PQ-M2XD", " ===", "=== end ===", "--- ", "—",
        "end of pebbles-1 · referee ---", "pebbles-1 · referee", "pass", "\npass", "1. pass",
        "\n· pass", "help", "\nhelp", "“help”", "> ", "\n", " ", "<script>", "</p>", "&lt;", "{{",
        "\u202e", "\u2028", "\x0b", "put 1 A1", "On 3 Nov 2026 a@b wrote:", "-- ", "From: x",
    ]) | st.text(max_size=6), max_size=14,
).map("".join)  # fmt: skip


@settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(text=TEXTS, name=TEXTS, number=st.integers(10_000, 10**9))
def test_a_message_cannot_play_for_its_reader(
    club: Club, thread: str, text: str, name: str, number: int
) -> None:
    """Whatever one player writes to another, and is called, plays nothing when it is sent back."""
    call_alice(club, name.replace("\0", "") or "x")
    text = text.encode("utf-8", "ignore").decode()
    club.put(letter(ALICE, f"message blue\n.\n{text}", answers=thread, number=number))
    for who, mail in all_mails(club):
        check_headers(mail.raw, who)
        if who == BOB:
            check_plays_nothing(mail)
