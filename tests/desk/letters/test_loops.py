"""Mail that answers mail: however the referee's mails come back, it soon falls silent."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from email.message import EmailMessage
from pathlib import Path
from typing import TypeAlias

import pytest
from support.bounced import report as bounce
from support.club import ALICE, BOB, REFEREE, Club, Mail, letter, open_club

from referee.desk.letters.commands import message as commands_message
from referee.store.post import outbox
from referee.value import replace

ROUNDS = 400
FLOOD = commands_message.MOST_A_DAY + 30
OTHER = "other@elsewhere.test"

LIMITS = {"answers": (15, 50), "unproved": (3, 8)}
"""A quarter of the usual ones."""

Program: TypeAlias = Callable[[Mail, int], bytes]


@pytest.fixture
def strict(club: Club) -> Club:
    """Return a club with a match and the limits, before anybody was mailed."""
    club.desk = replace(club.desk, **LIMITS)
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    return club


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Club, Club]]:
    """Return two referees, each of which takes the other one for a player of his."""
    with ExitStack() as open_ones:
        clubs = []
        for name, player in (("one", OTHER), ("two", REFEREE)):
            (tmp_path / name).mkdir()
            club = open_club(tmp_path / name)
            open_ones.callback(club.desk.store.close)
            address = REFEREE if player == OTHER else OTHER
            club.settle(address=address)
            club.desk = replace(club.desk, **LIMITS)
            club.new_match("pebbles", f"red={player}", f"blue={BOB}")
            club.work()
            clubs.append(club)
        yield clubs[0], clubs[1]


def answers(club: Club) -> int:
    """Return how many answers, receipts and notices were ever written."""
    with club.desk.store.reading() as connection:
        rows = outbox.latest_mails(connection, limit=100_000)
    return sum(each.kind in {"answer", "receipt", "notice"} for each in rows)


def rounds(club: Club, program: Program, minutes: float) -> int:
    """Let a program answer every mail to Alice, so many rounds; return how many answers it got."""
    club.put(letter(ALICE, "hello?", number=10_000))
    for number in range(ROUNDS):
        arrived = club.mails(ALICE)
        if not arrived:
            break
        for each in arrived:
            club.put(program(each, number))
        club.later(minutes=minutes)
    return answers(club)


def quoting(mail: Mail) -> str:
    return "".join(f"> {line}\n" for line in mail.text.splitlines())


def away(mail: Mail, number: int) -> bytes:
    """Answer as an old program does that marks nothing: a note, and our mail below."""
    text = f"I am away until Monday. Note {number}.\n\n{quoting(mail)}"
    return letter(ALICE, text, answers=mail.message["Message-ID"], number=number)


def away_marked(mail: Mail, number: int) -> bytes:
    """Answer as RFC 3834 wants it."""
    text = f"I am away. Note {number}.\n\n{quoting(mail)}"
    marked = {"Auto_Submitted": "auto-replied"}
    return letter(ALICE, text, answers=mail.message["Message-ID"], number=number, **marked)


def echo(mail: Mail, number: int) -> bytes:
    """Send our own text back, neither quoted nor marked."""
    return letter(ALICE, mail.text, answers=mail.message["Message-ID"], number=number)


def by_list(mail: Mail, number: int) -> bytes:
    """Send a copy as a mailing list does."""
    marked = {"List_Id": "<club.example.test>", "Precedence": "list"}
    return letter(ALICE, f"pass\n\n{quoting(mail)}", number=number, **marked)


def returned(mail: Mail, number: int) -> bytes:
    return bounce(REFEREE).replace(b"<", f"<{number}".encode(), 1)


def ours(mail: Mail, number: int) -> bytes:
    """Return our own mail as it left, with another Message-ID."""
    return re.sub(rb"(?m)^Message-ID: <", f"Message-ID: <{number}".encode(), mail.raw)


def ours_forwarded(mail: Mail, number: int) -> bytes:
    """Return our own mail with Alice's From, as a rule that redirects badly may do."""
    return re.sub(rb"(?m)^From: .*$", f"From: {ALICE}".encode(), ours(mail, number))


@pytest.mark.parametrize("minutes", [0, 1, 10], ids=lambda each: f"{each}-minutes")
@pytest.mark.parametrize("program", [away, echo])
def test_a_program_that_poses_as_a_person_is_answered_only_so_often(
    strict: Club, program: Program, minutes: float
) -> None:
    """At most as many an hour and a day as both limits allow, and moves go on meanwhile."""
    strict.mails(BOB)
    most = rounds(strict, program, minutes)
    days = 1 + ROUNDS * minutes // (24 * 60)
    assert 0 < most <= (18 if minutes == 0 else 59 * days)
    with strict.desk.store.reading() as connection:
        code = next(each.code for each in outbox.latest_mails(connection, limit=9999) if each.code)
    document = json.dumps({"code": code, "orders": [{"order": "pass"}]})
    strict.put(letter(ALICE, document, number=20_000))
    assert strict.match("pebbles-1").to_act == "blue"
    assert strict.last(ALICE, "receipt")


@pytest.mark.parametrize(
    "program", [away_marked, by_list, returned, ours, ours_forwarded], ids=lambda p: p.__name__
)
def test_what_says_that_it_is_automatic_is_never_answered(strict: Club, program: Program) -> None:
    """The person's letter that began it is answered, and nothing after it."""
    assert rounds(strict, program, 1) == 1


@pytest.mark.parametrize("stripped", [False, True], ids=["marked", "stripped"])
def test_two_referees_soon_have_nothing_to_say_to_each_other(
    two: tuple[Club, Club], *, stripped: bool
) -> None:
    """By their marks at once; where a gateway takes these off, by the limits of a day."""
    one, other = two
    for number in range(ROUNDS):
        for club, to, back in ((one, OTHER, other), (other, REFEREE, one)):
            for each in club.mails(to):
                raw = re.sub(rb"(?m)^Message-ID: <", f"Message-ID: <{number}".encode(), each.raw)
                if stripped:
                    raw = re.sub(rb"(?mi)^(Auto-Submitted|X-[\w-]+): .*\n", b"", raw)
                back.put(raw)
            club.later(minutes=1)
    most = 59 if stripped else 0
    assert answers(one) <= most
    assert answers(other) <= most
    for club in two:
        assert club.match("pebbles-1").to_act == "red"


def test_a_flood_of_messages_ends_at_the_bound_of_its_match(club: Club) -> None:
    """However many one seat writes, the others get a hundred a day; moves go on."""
    for _ in range(2):
        club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    first, second = [each for each in club.mails(ALICE) if each.kind == "report"]
    club.mails(BOB)

    def written(report: Mail, number: int) -> int:
        answered = str(report.message["Message-ID"])
        club.put(letter(ALICE, f"message all: word {number}", answers=answered, number=number))
        return len([each for each in club.mails(BOB) if each.kind == "notice"])

    assert sum(written(first, number) for number in range(FLOOD)) == commands_message.MOST_A_DAY
    assert "100 messages a day" in club.last(ALICE, "answer").flat
    assert written(second, FLOOD) == 1
    club.put(letter(ALICE, "pass", answers=str(first.message["Message-ID"]), number=2 * FLOOD))
    assert club.match("pebbles-1").to_act == "blue"
    club.later(days=1)
    assert written(first, 3 * FLOOD) == 1


def test_who_declines_again_and_again_is_told_of_once(club: Club) -> None:
    """The others hear of it when it is new, also after he had agreed meanwhile."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False)
    club.work()
    invited = str(club.last(ALICE, "invitation").message["Message-ID"])
    club.mails(BOB)
    for number, word in enumerate(("decline",) * 20 + ("agree",) + ("decline",) * 20):
        club.put(letter(ALICE, word, answers=invited, number=number))
    assert [each.kind for each in club.mails(BOB)] == ["notice", "notice"]


def automatic(code: str, orders: list[object], number: int, text: str = "", **more: str) -> bytes:
    """Return what a program sends: a JSON attachment, marked as automatic."""
    message = EmailMessage()
    marked = {"Auto-Submitted": "auto-generated", **more}
    head = {"From": ALICE, "To": REFEREE, "Message-ID": f"<bot-{number}@example.test>", **marked}
    for name, value in head.items():
        message[name] = value
    message.set_content(text)
    data = json.dumps({"code": code, "orders": orders}).encode()
    message.add_attachment(data, maintype="application", subtype="json", filename="orders.json")
    return message.as_bytes()


def boxed(code: str) -> str:
    """Return a filled order box with a code that holds."""
    return f"=== pebbles-1 · turn 1 · red · {code} ===\npass\n=== end ===\n"


PASS: list[object] = [{"order": "pass"}]


@pytest.fixture
def code(strict: Club) -> str:
    """Return Alice's reply code of the first turn."""
    found: str = strict.last(ALICE, "report").turn_file["code"]
    return found


def test_a_program_plays_by_json_and_is_not_answered(strict: Club, code: str) -> None:
    """The turn is played, the others are told by their reports, the program by nothing."""
    strict.mails(BOB)
    verdict = strict.put(automatic(code, PASS, 1))
    assert verdict.state == "handled"
    assert strict.match("pebbles-1").to_act == "blue"
    assert answers(strict) == 0
    strict.work()
    assert strict.last(BOB, "report")


def test_a_program_that_repeats_itself_plays_once(strict: Club, code: str) -> None:
    """The same orders with the same code, under another Message-ID, change nothing more."""
    first = strict.last(BOB, "report")
    assert first
    put = next(each for each in legal_of(strict) if each.startswith("put"))
    strict.put(automatic(code, [put], 1))
    seq = strict.match("pebbles-1").seq
    strict.put(automatic(code, [put], 2))
    assert strict.match("pebbles-1").seq == seq
    assert answers(strict) == 0


def legal_of(club: Club) -> list[str]:
    """Return what red may do now."""
    from referee.desk.matches import ledger

    with club.desk.reading() as change:
        loaded = ledger.load_match(change, club.match("pebbles-1"))
    game = loaded.game
    return [game.format(each, "en") for each in game.orders(loaded.live.position)]


@pytest.mark.parametrize(
    "raw",
    [
        lambda code: automatic("00000000", PASS, 1),
        lambda code: automatic("", PASS, 1),
        lambda code: automatic(code, [{"order": "dance"}], 1),
        lambda code: automatic(code, ["put 9 Z9"], 1),
        lambda code: automatic(code, [], 1, "pass"),
        lambda code: automatic(code, PASS, 1).replace(ALICE.encode(), BOB.encode()),
        lambda code: automatic(code, PASS, 1).replace(ALICE.encode(), OTHER.encode()),
        lambda code: letter(ALICE, f"pass {code}", Auto_Submitted="auto-replied"),
        lambda code: automatic(code, [], 1, "help\nmessage all: hello\n"),
        lambda code: automatic("00000000", PASS, 1, boxed(code)),
    ],
    ids=[
        "invented",
        "none",
        "unknown",
        "illegal",
        "text",
        "bob",
        "stranger",
        "plain",
        "commands",
        "box",
    ],
)
def test_what_a_program_gets_wrong_changes_nothing_and_is_not_answered(
    strict: Club, code: str, raw: Callable[[str], bytes]
) -> None:
    """No code, another seat's, no sense, no JSON: silence."""
    seq = strict.match("pebbles-1").seq
    strict.put(raw(code))
    assert strict.match("pebbles-1").seq == seq
    assert answers(strict) == 0
