"""Records and files of matches that move, as a stranger might write them: refused, place named."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from support.archived import ALICE, BOB, by_mail, club_in
from support.club import Club
from support.matches import forged
from support.mutated import WRONG, Mutated, mutations, put
from support.tampering import short_record
from support.thorough import one_of

from referee.desk.archive import audit, files
from referee.desk.plans import move
from referee.desk.plans.apply import apply_act
from referee.desk.plans.move import Move
from referee.desk.plans.seat import SitIn
from referee.errors import RefereeError
from referee.games import registry
from referee.matches.record import verify_record
from referee.store.people import players
from referee.store.play import matches, watchers

PLACE = re.compile(r"line [12]: \S")

OPEN = re.compile(
    r"\.(id|agenda_at|due|ended|paused_at|at|created|ends|begins|reason|state|bot|text|board|moment)$"
    r"|\.(began|ended|turn_began|clock|reminded|late_told)_at$|\.(name|zone|language|format|digest)$"
    r"|\.(blocked|no_calendar|no_composer|confirms|grace|subjects|mails|reminders|quiet|digest_at|preferred|thread_id|handed_on|bank|credit|day)$"
    r"|\.(time_per_turn|reported_seq|reported_turn|ended_seq|first_day|last_day|player_id|seat)$"
    r"|\.(seq|kind)$|\.clock!|\.details!|\.(addresses|away|seat_holders|watchers|stand_ins|messages|turns)\b"
    r"|\.standing_orders\b|\.rows\.snapshots|\.private_events\.\d+$"
)
"""Where something else can be true too, or what stands there is made anew."""

ANEW = re.compile(r"\.rows\.snapshots|\.thread_id$")
"""What is not taken from a file whatever stands there."""

EVIL = (
    "a\x00b", "a\nBcc: evil@evil.test", "\x1b[31mred", "\u202eder", "x" * 5000, 2**63, 1.5, [[]],
    {"": None},
)  # fmt: skip
"""What can be true nowhere."""


class _Undone(Exception):
    """Gives up a transaction."""


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Return the file of a match that moves, with a row in every table."""
    folder = tmp_path_factory.mktemp("from")
    with club_in(folder / "club") as club:
        name = by_mail(club, most=4)
        row = club.match(name)
        idle = "red" if row.to_act == "blue" else "blue"
        given = "queue pass\nnote a thought\naway 2026-12-20 to 2027-01-03\nmessage all: hello"
        report = club.last({"red": ALICE, "blue": BOB}[idle], "report")
        club.answer(report, given, {"red": ALICE, "blue": BOB}[idle])
        seat = SitIn(name, idle, date(2026, 12, 20), date(2026, 12, 24), None, "random")
        apply_act(club.desk, seat, "holidays")
        with club.desk.store.writing() as connection:
            watchers.add_watcher(connection, row.id, 1, club.desk.now())
            matches.add_seat_holder(connection, row.id, 3, 2)
        apply_act(club.desk, Move(name, str(folder / "file")), "a new server")
    found = (folder / "file").read_bytes().splitlines()
    assert all(json.loads(found[1])["rows"].values())
    return found


def written(head: Any, content: Any) -> list[bytes]:
    """Return the lines of a file with the right seal."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    seal = sha256(text.encode()).hexdigest()
    first = json.dumps({**head, "seal": seal}, sort_keys=True, separators=(",", ":"))
    return [first.encode(), text.encode()]


def outcome(club: Club, data: list[bytes]) -> str | None:
    """Return why a file is refused, None when it is taken; nothing of it stays."""
    try:
        with club.desk.writing() as change:
            move.take_match(change, data)
            raise _Undone  # noqa: TRY301 - what was taken is given up
    except _Undone:
        return None
    except RefereeError as fault:
        return str(fault)


def few(document: Any, wrong: Sequence[Any], step: int, every: int = 1) -> Iterator[Mutated]:
    """Yield each value of a document changed to one of the wrong ones, or taken away.

    ``every`` how many values one is changed: 2 leaves out every second.
    """
    changed = list(mutations(document, (..., *wrong)))
    size = len(wrong) + 1
    for number in range(0, len(changed) // size, every):
        chosen = {number * step % size, 0 if number % 3 == 0 else number * (step + 2) % size}
        found = (changed[number * size + each] for each in chosen)
        yield from (each for each in found if not same(each, document))


def same(changed: Mutated, document: Any) -> bool:
    """Tell whether nothing was changed by a change."""
    return json.dumps(changed.document, sort_keys=True) == json.dumps(document, sort_keys=True)


def test_file_is_good(other: Club, lines: list[bytes]) -> None:
    """The file the others are made from is taken."""
    assert outcome(other, written(*map(json.loads, lines))) is None


@pytest.mark.parametrize("every", one_of(2))
def test_every_value_of_a_move_is_checked(other: Club, lines: list[bytes], every: int) -> None:
    """Missing, of another kind, of another seat: refused with its place, or it can be true."""
    head, content = map(json.loads, lines)
    for each in few(content, WRONG, 5, every):
        said = outcome(other, written(head, each.document))
        assert said is not None or OPEN.search(each.place), each
        assert said is None or (PLACE.match(said) and said.isprintable()), (each, said)


@pytest.mark.parametrize("every", one_of(3))
def test_nothing_that_can_be_true_nowhere_is_taken(
    other: Club, lines: list[bytes], every: int
) -> None:
    """Control characters, huge numbers and texts, moments that are none: refused everywhere."""
    head, content = map(json.loads, lines)
    for each in few(content, EVIL, 1, every):
        if each.value != "Ellipsis" and not ANEW.search(each.place):
            assert outcome(other, written(head, each.document)) is not None, each


def test_every_value_of_the_first_line_is_checked(other: Club, lines: list[bytes]) -> None:
    """Whatever else stands there, it is refused in a line; another kind is no move at all."""
    head = json.loads(lines[0])
    for each in mutations(head):
        if each.place != ".kind" and not same(each, head):
            first = json.dumps(each.document, sort_keys=True, separators=(",", ":"))
            said = outcome(other, [first.encode(), lines[1]])
            assert said is not None, each
            assert PLACE.match(said), said
            assert said.isprintable()


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("matches", 0, "name"), "../../evil-1", r'matches\[0\].name: "../../evil-1" is not "peb'),
        (("seats", 0, "seat"), "red", r"seats\[\d\].seat: "),
        (("seats", 0, "player_id"), 77, r"seats\[0\].player_id: 77 is not the number of a player"),
        (("seats", 0, "holder"), "nobody", r"seats\[0\].player_id: "),
        (("seats", 0, "bank"), 10**12, r"seats\[0\].bank: 1000000000000 is not a whole number"),
        (
            ("addresses", 0, "address"),
            "a@b.test\nBcc: x@y",
            r"addresses\[0\].address: .* is not a te",
        ),
        (
            ("addresses", 0, "address"),
            "a b@c.test",
            r"addresses\[0\].address: .* is not an address",
        ),
        (("addresses", 0, "address"), "referee@example.test", "it is the referee's own"),
        (("addresses", 1, "address"), ALICE, r"addresses\[1\].address: .* no row before it has"),
        (
            ("players", 0, "name"),
            "--- pebbles-1 · referee ---",
            r"players\[0\].name: .* plain char",
        ),
        (("players", 0, "zone"), "Mars/Olympus", r"players\[0\].zone: .* a time zone such as"),
        (("players", 1, "id"), 1, r"player_id: 2 is not the number of a player in this file"),
        (("turns", 1, "began_at"), "9999-12-31T23:59:59+00:00", r"turns\[1\].began_at: .* 1970 to"),
        (("turns", 1, "began_at"), "2026-13-31T23:59:59+00:00", r"turns\[1\].began_at: .* 1970 to"),
        (("turns", 1, "began_at"), "2026-12-31T23:59:59+01:00", r"turns\[1\].began_at: .* 1970 to"),
        (("away", 0, "last_day"), "2026-02-30", r"away\[0\].last_day: .* a day from 1970"),
        (("away", 0, "last_day"), "2026-12-01", r"away\[0\].last_day: .* come before the first"),
        (("standing_orders", 0, "text"), "dance", r"standing_orders\[0\].text: .* an order of peb"),
        (("stand_ins", 0, "bot"), "deep-thought", r"stand_ins\[0\].bot: .* one of greedy, random"),
        (("stand_ins", 0, "details"), "{}", r"stand_ins\[0\].details: "),
        (("messages", 0, "text"), "you lose", r"messages\[0\].hash: .* the SHA-256 of the text"),
        (
            ("messages", 0, "recipients"),
            '["pink"]',
            r"messages\[0\].recipients: .* a list of seats",
        ),
        (("matches", 0, "time_per_turn"), -5, r"matches\[0\].time_per_turn: -5 is not a whole"),
        (("matches", 0, "released"), True, r"matches\[0\].released: true is not false"),
        (
            ("matches", 0, "clock"),
            '{"late":"explode"}',
            r"clock: no JSON: \$.late: .* is not one of",
        ),
        (("matches", 0, "clock"), '{"late":"bot","bot":"me"}', r"matches\[0\].clock: "),
        (
            ("matches", 0, "clock"),
            '{"bank":5,"late":"wait"}',
            r"clock: .* a time per turn or a bank",
        ),
        (
            ("matches", 0, "clock"),
            '{"days_off":["never"]}',
            r"matches\[0\].clock: .* is no day off",
        ),
        (("matches", 0, "words"), '{"red":"mine"}', r"matches\[0\].words: "),
        (
            ("snapshots", 0, "match_id"),
            9,
            r"snapshots\[0\].match_id: 9 is not 1, the match's number",
        ),
    ],
)
def test_lie_in_a_move_is_named(
    other: Club, lines: list[bytes], place: tuple[Any, ...], value: Any, said: str
) -> None:
    """What a file claims of seats, players, pace and texts is not believed; the answer says why."""
    head, content = map(json.loads, lines)
    document = put(content, ("rows", *place), value)
    fault = outcome(other, written(head, document))
    assert fault is not None
    assert re.match(rf"line 2: .*{said}", fault), fault


def test_position_comes_from_the_log_alone(other: Club, lines: list[bytes]) -> None:
    """A position made up for an earlier event, from which play would go on, is not taken."""
    head, content = map(json.loads, lines)
    position = content["rows"]["snapshots"][0]["position"].replace('"weight":', '"weight": ')
    document = put(
        content, ("rows", "snapshots", 0), {"match_id": 1, "seq": 2, "position": position}
    )
    with other.desk.writing() as change:
        name = move.take_match(change, written(head, document))
    with other.desk.reading() as change:
        row = other.match(name)
        assert matches.find_snapshot(change.connection, row.id) is None
        assert audit.audit_match(change, row).fault is None


def test_one_person_gets_no_second_seat_by_two_addresses(other: Club, lines: list[bytes]) -> None:
    """Two players of the file who are one here would see both hands: refused, nobody is added."""
    head, content = map(json.loads, lines)
    with other.desk.store.writing() as connection:
        alice = players.insert_player(
            connection, name="alice", language="en", zone="UTC", address=ALICE, now=other.desk.now()
        )
        players.give_address(connection, alice, BOB, now=other.desk.now())
    said = outcome(other, written(head, content))
    assert said is not None
    assert "two of them are alice here" in said


def test_name_of_somebody_here_is_not_taken(other: Club, lines: list[bytes]) -> None:
    """A stranger who calls themselves as a player here does is told apart."""
    head, content = map(json.loads, lines)
    with other.desk.writing() as change:
        players.insert_player(
            change.connection,
            name="Alice",
            language="en",
            zone="UTC",
            address="other@example.test",
            now=other.desk.now(),
        )
        move.take_match(change, written(head, content))
        assert [each.name for each in players.all_players(change.connection)] == [
            "Alice",
            "alice 2",
            "bob",
        ]


def test_every_value_of_a_record_is_checked() -> None:
    """With all hashes mended: each value missing or wrong is refused in its line."""
    texts = [each.decode() for each in short_record()]
    documents = [json.loads(each) for each in texts]
    for number, document in enumerate(documents):
        for each in few(document, WRONG, 5):
            if re.search(r"\.(hash|previous|seal|arrival|why)$", each.place):
                continue

            def change(found: list[Any], number: int = number, each: Mutated = each) -> None:
                found[number] = each.document

            try:
                data = [line.encode() for line in forged(texts, change)]
            except (KeyError, TypeError, ValueError, AttributeError):
                data = [line.encode() for line in texts]
                data[number] = json.dumps(each.document).encode()
            verdict = verify_record(data, registry.find_installed)
            free = each.place in FREE and verdict.ok
            assert free or (not verdict.ok and verdict.line), (document["kind"], each)
            assert verdict.message.isprintable()


FREE = frozenset({".details.by", ".given", ".practice", ".seat", ".words.red", ".board"})
"""Where a record that says something else can be as true as the one that was changed."""


@pytest.mark.parametrize(
    "name", ["../../evil-1", "/tmp/evil-1", "a/b-1", "nord-1\n", "nord-..", ""]
)
def test_no_path_is_made_of_a_name_that_is_none(tmp_path: Path, name: str) -> None:
    """Pages and records go into their folder even if the database holds such a name."""
    with pytest.raises(RefereeError, match="no name of a match"):
        files.file_in(tmp_path, name, ".html")
    assert files.file_in(tmp_path, "nord-1", ".html") == tmp_path / "nord-1.html"
