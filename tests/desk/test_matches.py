"""Whole matches at the desk, from the invitation to the record."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from support.club import ALICE, BOB, Club, Mail, letter

from referee.desk.archive.record import record_bytes
from referee.desk.matches import ledger
from referee.games import registry
from referee.games.game import AnyGame
from referee.mail.codes import new_code
from referee.matches import record
from referee.store.database.errors import StoreFull
from referee.store.play import matches
from referee.store.tables.play import EventRow, MatchRow

LONG = {"origo"}
"""Games that are played to their end by ear and by mail elsewhere too: these take long."""


def sizes(game: str, edition: int) -> Iterator[Any]:
    """Yield every number of seats of a game; more than the fewest, and long games, for the soak."""
    counts = list(registry.find_installed(game, edition).seats)
    for count in counts:
        marks = () if count == counts[0] and game not in LONG else pytest.mark.soak
        yield pytest.param(game, edition, count, id=f"{game}-{edition}-{count}", marks=marks)


GAMES = [
    each
    for game in registry.game_names()
    for edition in registry.installed_games().editions(game)
    for each in sizes(game, edition)
]


def seats_of(game: AnyGame, count: int) -> dict[str, str]:
    """Return who holds each seat of a match for so many: two people, and bots for the rest."""
    holders = (ALICE, BOB, *["bot:random"] * count)
    return dict(zip(game.colours[:count], holders, strict=False))


def play_to_the_end(club: Club, name: str, holders: dict[str, str], seed: int) -> dict[str, Mail]:
    """Answer every report with a legal order until the match is over; return the last mails."""
    rng = Random(seed)
    last: dict[str, Mail] = {}
    club.work()
    while True:
        for address in holders.values():
            for mail in club.mails(address):
                if mail.kind in {"report", "receipt"} and f"[{name}]" in mail.message["Subject"]:
                    last[address] = mail
        row = club.match(name)
        if row.state == "over":
            return last
        assert row.to_act is not None
        address = holders[row.to_act]
        club.answer(last[address], an_order(club, name, rng), address)
        club.later(hours=1)
        club.work()


def an_order(club: Club, name: str, rng: Random) -> str:
    """Return a legal order of the seat to act, as text."""
    with club.desk.reading() as change:
        loaded = ledger.load_match(change, club.match(name))
    orders = list(loaded.game.orders(loaded.live.position))
    return loaded.game.format(orders[rng.randrange(len(orders))], "en")


def record_of(club: Club, name: str) -> bytes:
    """Return the record of a match that is over."""
    with club.desk.store.reading() as connection:
        return record_bytes(connection, club.match(name))


@pytest.mark.parametrize(("name", "edition", "count"), GAMES)
def test_a_match_of_every_game_is_played_by_mail_to_its_end(
    club: Club, name: str, edition: int, count: int
) -> None:
    """For every game, edition and number of seats: letters in, mails out, a record that holds."""
    game = registry.find_installed(name, edition)
    holders = seats_of(game, count)
    seats = [f"{seat}={address}" for seat, address in holders.items()]
    row = club.new_match(name, *seats, edition=edition)
    last = play_to_the_end(club, row.name, holders, seed=count)
    verdict = record.verify_record(record_of(club, row.name).splitlines(), registry.find_installed)
    assert verdict.ok, verdict.message
    for mail in last.values():
        attached = [part.get_filename() for part in mail.message.iter_attachments()]
        assert f"{row.name}.record.jsonl.gz" in attached


def test_a_running_match_finishes_on_its_edition_while_new_ones_begin_on_the_next(
    club: Club,
) -> None:
    """The edition is fixed when a match is set up."""
    holders = {"red": ALICE, "blue": BOB}
    seats = [f"{seat}={address}" for seat, address in holders.items()]
    first = club.new_match("pebbles", *seats, edition=1)
    second = club.new_match("pebbles", *seats)
    play_to_the_end(club, first.name, holders, seed=1)
    club.taken.clear()
    play_to_the_end(club, second.name, holders, seed=1)
    headers = [json.loads(record_of(club, r.name).splitlines()[0]) for r in (first, second)]
    assert [header["edition"] for header in headers] == [1, 2]


def test_bots_play_through_the_same_door_until_a_person_is_to_act(club: Club) -> None:
    """After the agenda's work it is a player's turn, or the match is over."""
    row = club.new_match("pebbles", "red=bot:greedy", f"blue={ALICE}", "green=bot:random")
    club.work()
    assert club.match(row.name).to_act == "blue"
    kinds = {each.kind for each in events(club, row.name)}
    assert kinds == {"order", "chance"}


def test_a_match_of_bots_alone_ends_by_itself(club: Club) -> None:
    """Nobody need be asked."""
    row = club.new_match("pebbles", "red=bot:greedy", "blue=bot:random")
    club.work()
    assert club.match(row.name).state == "over"


def test_a_report_that_was_replaced_before_it_left_tells_its_facts_in_the_next(club: Club) -> None:
    """Nothing that happened is skipped by a superseded report."""
    row = club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    first = [each for each in outbox_of(club) if each.kind == "report"]
    report = club.last(ALICE, "report")
    line = next(each for each in report.turn_file["legal"] if each.startswith("put"))
    club.answer(report, line, ALICE)
    club.work()
    told = club.last(BOB, "report").text
    assert len(first) == 2
    assert "Red (alice) put a pebble" in told
    assert club.match(row.name).turn == 2


def test_the_log_goes_on_from_its_events_when_the_snapshot_is_gone(club: Club) -> None:
    """A snapshot only spares the replay."""
    row = club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    report = club.last(ALICE, "report")
    club.answer(report, "pass", ALICE)
    with club.desk.store.writing() as connection:
        connection.exec_driver_sql("DELETE FROM snapshots")
    with club.desk.reading() as change:
        loaded = ledger.load_match(change, club.match(row.name))
    assert (loaded.live.seq, loaded.live.head) == (loaded.row.seq, loaded.row.head)
    assert loaded.live.turn.seat == "blue"


def test_every_mail_to_a_seat_stays_in_one_thread(club: Club) -> None:
    """The first reference is the same in all mails of a match, and the subject for who wants it."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.put(letter(ALICE, "set subjects plain"))
    club.mails(ALICE)
    row = club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    invitation, report = (
        mail for mail in club.mails(ALICE) if row.name in str(mail.message["Subject"])
    )
    club.answer(report, "pass", ALICE)
    receipt = club.last(ALICE, "receipt")
    subjects = {each.message["Subject"] for each in (invitation, report, receipt)}
    roots = {each.message["References"].split()[0] for each in (report, receipt)}
    assert (len(subjects), roots) == (1, {invitation.message["Message-ID"]})
    assert row.name in subjects.pop()


def test_what_we_send_fed_back_unquoted_holds_no_order(club: Club) -> None:
    """Every kind of mail, sent back as it is, is never taken for orders."""
    holders = {"red": ALICE, "blue": BOB}
    row = club.new_match("pebbles", *[f"{s}={a}" for s, a in holders.items()])
    club.work()
    seen = list(itertools.chain(*(club.mails(address) for address in holders.values())))
    report = next(each for each in seen if each.kind == "report" and "your turn" in each.text)
    for line in ("put 9 A1", "help", "show", "matches", "preview\npass", "nothing at all"):
        club.answer(report, line, ALICE)
        seen += club.mails(ALICE)
    before = club.match(row.name).seq
    for number, mail in enumerate(seen):
        for text in (mail.text, mail.html):
            kind = "html" if text is mail.html else "plain"
            club.put(back(mail, text, kind, number))
    assert club.match(row.name).seq == before


def back(mail: Mail, text: str, kind: str, number: int) -> bytes:
    """Return a letter that holds our own text unquoted."""
    from email.message import EmailMessage

    message = EmailMessage()
    message["From"], message["To"] = ALICE, "referee@example.test"
    message["Message-ID"] = f"<back-{number}-{kind}@example.test>"
    message["In-Reply-To"] = mail.message["Message-ID"]
    message.set_content(text, subtype=kind)
    return message.as_bytes()


def test_a_full_database_leaves_nothing_half_done(club: Club) -> None:
    """When the database cannot grow the letter stays, and nothing of it has happened."""
    row = club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    report = club.last(ALICE, "report")
    before = club.match(row.name)
    with club.desk.store.writing() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFull):
        keep_answering(club, report)
    after = club.match(row.name)
    assert (after.seq, after.head) == (before.seq, before.head)


def keep_answering(club: Club, report: Mail) -> None:
    """Send letters until something gives way."""
    for _ in range(200):
        club.answer(report, "put 9 A1", ALICE)


def events(club: Club, name: str) -> tuple[EventRow, ...]:
    """Return the log of a match."""
    with club.desk.store.reading() as connection:
        return matches.events(connection, club.match(name).id)


def outbox_of(club: Club) -> list[MatchRow]:
    """Return every mail in the outbox."""
    from referee.store.post import outbox

    with club.desk.store.reading() as connection:
        return list(outbox.latest_mails(connection, limit=1000))


def test_two_seats_never_have_one_code(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where two codes agree the later one is made anew, and both lead to their own seats."""
    made = new_code

    def alike(key: bytes, match: str, seat: str, event: int) -> str:
        return made(key, match, seat, event) if "#" in seat else "K7PQM2XD"

    monkeypatch.setattr("referee.desk.matches.codes.new_code", alike)
    for _ in range(2):
        club.new_match("pebbles", "red=alice@example.test", "blue=bob@example.test")
    club.work()
    places = [(name, seat) for name in ("pebbles-1", "pebbles-2") for seat in ("red", "blue")]
    codes = [club.code(name, seat) for name, seat in places]
    assert len(set(codes)) == 4
    for (name, seat), code in zip(places, codes, strict=True):
        with club.desk.store.reading() as connection:
            found = matches.find_code(connection, code)
            assert found is not None
            row = matches.get_match(connection, found.match_id)
        assert (row.name, found.seat) == (name, seat)
    box = f"=== pebbles-2 · turn 1 · red · {codes[2]} ===\npass\n=== end ===\n"
    club.put(letter("alice@example.test", box, number=2))
    assert [club.match(each).to_act for each in ("pebbles-1", "pebbles-2")] == ["red", "blue"]
