"""Who can make the referee do what: each way to write in another's name, at each level of trust."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from typing import TypeAlias

import pytest
from support.club import Club, Mail, open_club
from support.forging import ALICE, BOB, LEVELS, MALLORY, US, Table
from support.sealing import ENCRYPTED, MIME_ENCRYPTED, clear_signed, mime_signed
from support.unclosed import keep_open

from referee.desk.letters import intake
from referee.desk.letters import sender as letters_sender
from referee.desk.letters.words.keywords import KEYWORDS
from referee.desk.mails.post import gives_away
from referee.desk.service.doctor import checks
from referee.errors import UNFIT, PackageMissing
from referee.store.people import players
from referee.store.post import letters
from referee.value import Value, replace

Forge: TypeAlias = Callable[[Table], bytes]


class Row(Value):
    """A kind of letter, and what its supposed sender is told at each level; in ``later`` turns."""

    name: str
    forge: Forge
    code: str
    dmarc: str
    later: bool = False
    begins: bool = True


def pasted(table: Table, text: str, code: str, match: str = "pebbles-1") -> str:
    """Return an order box as somebody fills it in."""
    return f"=== {match} · turn 1 · red · {code} ===\n{text}\n=== end ==="


def genuine(t: Table) -> bytes:
    return t.letter(ALICE, "pass", answers=t.report(ALICE))


def from_nothing(t: Table) -> bytes:
    return t.letter(MALLORY, "pass", sender=ALICE)


def with_forwarded_report(t: Table) -> bytes:
    return t.letter(MALLORY, "pass", sender=ALICE, answers=t.report(ALICE))


def with_forwarded_code(t: Table) -> bytes:
    return t.letter(MALLORY, pasted(t, "pass", t.code(ALICE)), sender=ALICE)


def forwarded_and_answered(t: Table) -> bytes:
    return t.letter(MALLORY, "pass", answers=t.report(ALICE))


def forwarded_to_bob(t: Table) -> bytes:
    return t.letter(BOB, "pass", answers=t.report(ALICE))


def stolen_code(t: Table) -> bytes:
    return t.letter(BOB, pasted(t, "pass", t.code(ALICE)))


def own_code_in_her_name(t: Table) -> bytes:
    return t.letter(BOB, "pass", sender=ALICE, answers=t.report(BOB))


def old_report(t: Table) -> bytes:
    return t.letter(ALICE, "pass", answers=t.report(ALICE, back=3))


def old_box(t: Table) -> bytes:
    return t.letter(ALICE, pasted(t, "pass", t.code(ALICE, back=3)))


def report_after_undo(t: Table) -> bytes:
    """Bob answers the report of a turn that was taken back, and is his again."""
    old = t.report(BOB)
    t.take_back()
    return t.letter(BOB, "pass", answers=old)


def box_after_undo(t: Table) -> bytes:
    """Alice fills in the box of a turn that there is no more."""
    code = t.code(ALICE)
    t.take_back()
    return t.letter(ALICE, pasted(t, "pass", code))


def command_after_undo(t: Table) -> bytes:
    """Use a code from before an undo for what is no order: it is still one of the seat's."""
    old = t.report(BOB)
    t.take_back()
    return t.letter(BOB, "message red\nsorry\nend", answers=old)


def same_orders_after_undo(t: Table) -> bytes:
    """Bob sends once more what he ordered in the turn that was taken back: it is no repeat."""
    reports = [each for each in t.mails[BOB, "pebbles-1"] if each.kind == "report"]
    files = [(each, each.turn_file) for each in reversed(reports)]
    asked, file = next(pair for pair in files if pair[1]["to_act"] == pair[1]["seat"])
    line = next(each for each in file["legal"] if each.startswith("put"))
    t.take_back()
    return t.letter(BOB, line, answers=asked)


def answer_after_undo(t: Table) -> bytes:
    t.take_back()
    return t.letter(BOB, "pass", answers=t.report(BOB))


def wrong_match(t: Table) -> bytes:
    return t.letter(ALICE, pasted(t, "pass", t.code(ALICE), "pebbles-2"))


def invented_code(t: Table) -> bytes:
    return t.letter(ALICE, pasted(t, "pass", "0000-0000"))


def codes_disagree(t: Table) -> bytes:
    old = t.report(ALICE, back=3)
    return t.letter(ALICE, pasted(t, "pass", t.code(ALICE)), answers=old, quotes=t.report(ALICE))


def quoted_codes_disagree(t: Table) -> bytes:
    return t.letter(ALICE, pasted(t, "pass", t.code(ALICE)), answers=t.report(ALICE, back=3))


def replayed_from_her_account(t: Table) -> bytes:
    """Send what she wrote in her first turn from her account in answer to the newest report."""
    return t.letter(ALICE, "pass", answers=t.report(ALICE), quotes=t.report(ALICE, back=3))


def signed_inline(t: Table) -> bytes:
    """Her program signs the text, whose lines it marks where they begin with a dash."""
    return t.letter(ALICE, "pass\n-- \nAlice", answers=t.report(ALICE), seal=clear_signed)


def signed_and_cut(t: Table) -> bytes:
    """Somebody on the way lets a text be only so long."""
    return t.letter(ALICE, "pass", answers=t.report(ALICE), seal=lambda x: clear_signed(x)[:-60])


def signed_as_a_whole(t: Table) -> bytes:
    return rewrapped(t.letter(ALICE, "pass", answers=t.report(ALICE)), mime_signed)


def encrypted(t: Table, by: str = ALICE) -> bytes:
    return rewrapped(
        t.letter(by, "pass", sender=ALICE, answers=t.report(ALICE)), lambda part: MIME_ENCRYPTED
    )


def encrypted_inline(t: Table) -> bytes:
    return t.letter(ALICE, "pass", answers=t.report(ALICE), seal=lambda text: ENCRYPTED)


def rewrapped(raw: bytes, wrap: Callable[[str], str]) -> bytes:
    """Return a letter whose text was wrapped as another part."""
    top, kind, body = raw.decode().partition("Content-Type:")
    return (top + wrap(kind + body)).encode()


def message_with_code(t: Table) -> bytes:
    """Bob tells his code, in small letters and over two lines."""
    code = f"{ledger_code(t, 'blue')[:4]}\n{ledger_code(t, 'blue')[4:]}".lower()
    return t.letter(BOB, f"message red\nmine is {code}, so play for me\nend", answers=t.report(BOB))


def message_with_her_code(t: Table) -> bytes:
    text = f"message red: you sent me {ledger_code(t, 'red')}!"
    return t.letter(BOB, text, answers=t.report(BOB))


def message_with_box(t: Table) -> bytes:
    text = "message red\nlook:\n> === pebbles-1 · turn 1 · red ===\n> pass\n> === end ===\nend"
    return t.letter(BOB, text, answers=t.report(BOB))


def question(t: Table) -> Mail:
    """Let Alice be asked whether she wants what came without a code; return that mail."""
    t.club.put(t.letter(ALICE, "away 2026-12-20 to 2027-01-03"))
    return t.club.last(ALICE)


def yes_to_a_question(t: Table) -> bytes:
    return t.letter(ALICE, "yes", answers=question(t))


def yes_of_another(t: Table) -> bytes:
    return t.letter(BOB, "yes", answers=question(t))


def yes_of_a_stranger(t: Table) -> bytes:
    return t.letter(MALLORY, "yes", answers=question(t))


def yes_in_her_name(t: Table) -> bytes:
    return t.letter(MALLORY, "yes", sender=ALICE, answers=question(t))


def yes_without_the_question(t: Table) -> bytes:
    question(t)
    return t.letter(MALLORY, "yes", sender=ALICE)


def order_to_a_question(t: Table) -> bytes:
    return t.letter(ALICE, "pass", answers=question(t))


def ledger_code(t: Table, seat: str) -> str:
    """Return the code that a seat of the first match has now, without a dash."""
    return t.club.code("pebbles-1", seat)


def headers(*lines: str, **more: str) -> Forge:
    """Return what writes a good letter of Alice's with headers added."""
    return lambda t: t.letter(ALICE, "pass", answers=t.report(ALICE), headers=lines, **more)


def posing(sender: str) -> Forge:
    """Return what writes from Mallory's account, with Alice's report and any From header."""
    return lambda t: t.letter(MALLORY, "pass", sender=sender, answers=t.report(ALICE))


def forged_result(*lines: str) -> Forge:
    """Return what writes in Alice's name with Authentication-Results of its own."""
    return lambda t: t.letter(MALLORY, "pass", sender=ALICE, answers=t.report(ALICE), headers=lines)


def on_top(line: str, forge: Forge) -> Forge:
    """Return what puts a header above all that our server wrote."""
    return lambda t: line.encode() + b"\n" + forge(t)


def without_result(forge: Forge) -> Forge:
    """Return what writes a letter our server said nothing about."""
    return lambda t: forge(t).partition(b"\n")[2]


def says(text: str, *, by: str = ALICE, sender: str | None = None, of: str | None = None) -> Forge:
    """Return what writes some lines; in answer to nothing, or to the report of somebody."""
    return lambda t: t.letter(by, text, sender=sender, answers=t.report(of) if of else None)


GOOD = f"Authentication-Results: {US}; dmarc=pass header.from=wonder.test"
OTHER = "Authentication-Results: mx.other.test; dmarc="

ROWS = [
    Row("a letter of her own", genuine, "played", "played"),
    Row("in her name, out of nothing", from_nothing, "no-code", "no-dmarc"),
    Row("with a forwarded report", with_forwarded_report, "played", "no-dmarc"),
    Row("with a code alone", with_forwarded_code, "played", "no-dmarc"),
    Row("a third person answers", forwarded_and_answered, "silence", "silence"),
    Row("Bob answers hers", forwarded_to_bob, "foreign-code", "foreign-code"),
    Row("Bob with her code", stolen_code, "foreign-code", "foreign-code"),
    Row("Bob as Alice", own_code_in_her_name, "foreign-code", "no-dmarc"),
    Row("an old report", old_report, "old-code", "old-code", later=True),
    Row("an old box", old_box, "old-code", "old-code", later=True),
    Row("an old report after an undo", report_after_undo, *["taken-back"] * 2, later=True),
    Row("an old box after an undo", box_after_undo, *["taken-back"] * 2, later=True),
    Row("the same orders after an undo", same_orders_after_undo, *["taken-back"] * 2, later=True),
    Row("an old code's message after an undo", command_after_undo, *["message-sent"] * 2,
        later=True),
    Row("the new report after an undo", answer_after_undo, *["played"] * 2, later=True),
    Row("a code in the wrong match", wrong_match, "wrong-match", "wrong-match"),
    Row("an invented code", invented_code, "other-history", "other-history"),
    Row("an invented code for her seat", lambda t: t.letter(BOB, pasted(t, "pass", "0000-0000")),
        "foreign-code", "foreign-code"),
    Row("an invented code for another match", lambda t: t.letter(
        ALICE, pasted(t, "pass", "0000-0000", "pebbles-9")), "foreign-code", "foreign-code"),
    Row("her code for his own seat", lambda t: t.letter(
        BOB, pasted(t, "pass", t.code(ALICE)).replace("red", "blue")), *["other-history"] * 2),
    Row("an invented code for his own seat", lambda t: t.letter(
        BOB, pasted(t, "pass", "0000-0000").replace("red", "blue")), *["other-history"] * 2),
    Row("codes disagree", codes_disagree, "codes-disagree", "codes-disagree", later=True),
    Row("quoted codes disagree", quoted_codes_disagree, "codes-disagree", "codes-disagree",
        later=True),
    Row("replayed", replayed_from_her_account, "played", "played", later=True),
    Row("signed inline", signed_inline, "played", "played"),
    Row("signed inline and cut", signed_and_cut, "played", "played"),
    Row("signed as a whole", signed_as_a_whole, "played", "played"),
    Row("encrypted", encrypted, "encrypted", "encrypted"),
    Row("encrypted inline", encrypted_inline, "encrypted", "encrypted"),
    Row("encrypted in her name", lambda t: encrypted(t, by=MALLORY), "encrypted", "no-dmarc"),
    Row("Reply-To elsewhere", headers(f"Reply-To: {MALLORY}"), "played", "played"),
    Row("Return-Path elsewhere", headers(f"Return-Path: <{MALLORY}>"), "played", "played"),
    Row("her Reply-To", lambda t: t.letter(MALLORY, "pass", answers=t.report(ALICE),
        headers=[f"Reply-To: {ALICE}"]), "silence", "silence"),
    Row("her name for a name", posing(f'"{ALICE}" <{MALLORY}>'), "silence", "silence"),
    Row("unquoted", posing(f"{ALICE} <{MALLORY}>"), "silence", "silence"),
    Row("in a comment", posing(f"({ALICE}) {MALLORY}"), "silence", "silence"),
    Row("encoded", posing(f"=?utf-8?q?alice=40wonder.test?= <{MALLORY}>"), "silence", "silence"),
    Row("two addresses in From", posing(f"{ALICE}, {MALLORY}"), "silence", "silence"),
    Row("two From headers", headers(f"From: {MALLORY}"), "silence", "silence"),
    Row("two From headers, hers last", lambda t: t.letter(MALLORY, "pass", answers=t.report(ALICE),
        headers=[f"From: {ALICE}"]), "silence", "silence"),
    Row("her From twice", headers(f"From: {ALICE}"), "silence", "silence"),
    Row("no From", posing(""), "silence", "silence"),
    Row("another Sender", headers(f"Sender: {MALLORY}"), "played", "played"),
    Row("her Sender", lambda t: t.letter(MALLORY, "pass", answers=t.report(ALICE),
        headers=[f"Sender: {ALICE}"]), "silence", "silence"),
    Row("Resent-From", lambda t: t.letter(MALLORY, "pass", answers=t.report(ALICE),
        headers=[f"Resent-From: {ALICE}"]), "silence", "silence"),
    Row("a forged result", forged_result(GOOD), "played", "no-dmarc"),
    Row("forged twice", forged_result(GOOD, GOOD), "played", "no-dmarc"),
    Row("forged and folded", forged_result(GOOD.replace("; ", ";\n\t")), "played", "no-dmarc"),
    Row("forged, another case", forged_result(GOOD.replace("Auth", "AUTH")), "played", "no-dmarc"),
    Row("another server's", without_result(forged_result(OTHER + "pass header.from=wonder.test")),
        "played", "no-dmarc"),
    Row("ours in a comment", without_result(forged_result(
        f"Authentication-Results: mx.other.test ({US}; dmarc=pass header.from=wonder.test)")),
        "played", "no-dmarc"),
    Row("a commented pass", without_result(forged_result(
        f"Authentication-Results: {US}; dmarc=none (dmarc=pass) header.from=wonder.test")),
        "played", "no-dmarc"),
    Row("another server's pass above", on_top(OTHER + "pass header.from=wonder.test",
        forged_result()), "played", "no-dmarc"),
    Row("another server's fail above", on_top(OTHER + "fail header.from=wonder.test", genuine),
        "played", "played"),
    Row("no result", without_result(genuine), "played", "no-dmarc"),
    Row("a message", says("message red\nhave you K7PQ-M2XD?\nend", by=BOB, of=BOB),
        "message-sent", "message-sent"),
    Row("a message with his code", message_with_code, "message-held", "message-held"),
    Row("a message with her code", message_with_her_code, "message-held", "message-held"),
    Row("a message with a box", message_with_box, *["message-cut+not-your-turn"] * 2),
    Row("a question: yes", yes_to_a_question, "away-noted", "away-noted"),
    Row("a question: Bob's yes", yes_of_another, "foreign-code", "foreign-code"),
    Row("a question: a stranger's yes", yes_of_a_stranger, "silence", "silence"),
    Row("a question: a forged yes", yes_in_her_name, "away-noted", "no-dmarc"),
    Row("a question not seen", yes_without_the_question, "no-code", "no-dmarc"),
    Row("a question: an order", order_to_a_question, "no-code", "no-code"),
    Row("invited: yes", says("agree", of=ALICE), "agreed", "agreed", begins=False),
    Row("invited: a forged yes", says("agree", by=MALLORY, sender=ALICE, of=ALICE), "agreed",
        "no-dmarc", begins=False),
]  # fmt: skip

COMMANDS = ["agree", "decline", "luck seven swans", "message blue: hello", "queue pass", "cancel",
            "leave", "leave pebbles-1", "resign", "away 2026-12-20 to 2027-01-03",
            "set language de", "set digest on", "set address eve@elsewhere.test", "undo",
            "withdraw", "note look here", "watch pebbles-9", "stop", "join pebbles"]  # fmt: skip


def no_code(line: str, *, proved: bool = False) -> str:
    """Return what is said to a command without a code: some are asked back, for her to confirm."""
    word, *rest = line.split()
    if word not in KEYWORDS:
        return "no-orders"
    if word in {"leave", "resign"} and not rest:
        return "which-match"
    if word in {"watch", "stop", "join"}:
        return {"watch": "watch-none", "stop": "stop-nothing", "join": "join-none"}[word]
    # Nobody can harm her by her language, and she is told; a turn of hers may wait for a digest.
    if rest[:1] == ["language"]:
        return "set-done"
    if rest[:1] == ["digest"] and proved:
        return "digest-done"
    return "confirm" if word in {"away", "leave", "set", "resign"} else "no-code"


for _line in COMMANDS:
    _said, _proved = no_code(_line), no_code(_line, proved=True)
    ROWS += [
        Row(f"no code: {_line}", says(_line), _said, _proved),
        Row(f"invited, no code: {_line}", says(_line), _said, _proved, begins=False),
        Row(
            f"forged: {_line}",
            says(_line, by=MALLORY, sender=ALICE), _said, "no-dmarc",
        ),
        Row(
            f"Bob's code: {_line}",
            says(_line, sender=ALICE, by=BOB, of=BOB),
            _said if _line.startswith("join") else "foreign-code", "no-dmarc",
        ),
    ]  # fmt: skip

OLD = {"set language de": "set-done", "set name Alicia": "named", "note go west": "note-kept",
       "away 2026-12-20 to 2027-01-03": "away-noted", "message blue\nhello\nend": "message-sent",
       "resign": "confirm", "set address eve@elsewhere.test": "confirm"}  # fmt: skip
"""What an old code suffices for, and what is asked back."""

for _line, _said in OLD.items():
    ROWS += [
        Row(
            f"an old code: {_line}",
            lambda t, line=_line: t.letter(ALICE, line, answers=t.report(ALICE, back=3)),
            _said, _said, later=True,
        ),
        Row(
            f"an old code, in her name: {_line}",
            lambda t, line=_line: t.letter(
                MALLORY, line, sender=ALICE, answers=t.report(ALICE, back=3)
            ),
            _said, "no-dmarc", later=True,
        ),
    ]  # fmt: skip

for _line in ("help", "rules", "matches", "show"):
    ROWS += [
        Row(_line, says(_line), _line, _line),
        Row(f"forged: {_line}", says(_line, by=MALLORY, sender=ALICE), _line, _line),
        Row(
            f"forged: {_line} and an order",
            says(f"{_line}\npass", by=MALLORY, sender=ALICE),
            f"{_line}+no-code", "no-dmarc",
        ),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def seated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Table]]:
    """Return a function that gives a table at a level some turns on, set up but once."""
    with ExitStack() as stack:

        @cache
        def seated_table(level: str, *, begins: bool, later: bool) -> Table:
            club = open_club(keep_open(tmp_path_factory.mktemp(level)))
            stack.callback(club.desk.store.close)
            table = Table(club, level)
            table.begin(begins=begins)
            if later:
                table.turn_three()
            return table

        yield seated_table


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name.replace(" ", "-"))
def test_each_kind_of_letter_at_each_level(
    seated: Callable[..., Table], row: Row, level: str
) -> None:
    """What is done, what is said, and that nobody else is told anything."""
    with seated(level, begins=row.begins, later=row.later).undone() as table:
        assert getattr(row, level) == table.outcome(row.forge(table))


def test_an_order_box_never_reaches_another_player(club: Club) -> None:
    """A message with a box inside is held, and its writer asked: nobody else gets a mail."""
    table = Table(club, "code")
    table.begin()
    club.put(message_with_box(table))
    assert club.mails(ALICE) == []
    with club.desk.store.reading() as connection:
        assert gives_away(connection, "look:\n=== pebbles-1 · turn 1 · red ===\npass")


def test_a_letter_without_proof_is_answered_once_an_hour(club: Club) -> None:
    """However many come, their supposed sender gets one mail, and an hour later one more."""
    table = Table(club, "dmarc")
    table.begin()
    for _ in range(50):
        table.club.put(with_forwarded_report(table))
    assert [each.kind for each in club.mails(ALICE)] == ["notice"]
    club.later(minutes=61)
    table.club.put(from_nothing(table))
    assert len(club.mails(ALICE)) == 1


def test_letters_without_proof_do_not_use_up_the_answers(club: Club) -> None:
    """Whoever writes in her name cannot keep her own letters from being answered."""
    table = Table(club, "dmarc")
    table.begin()
    club.desk = replace(club.desk, answers=(2, 10_000))
    for _ in range(5):
        club.put(with_forwarded_report(table))
    club.mails(ALICE)
    assert table.outcome(table.letter(ALICE, "help")) == "help"


@pytest.mark.parametrize("level", LEVELS)
def test_of_a_long_letter_without_proof_only_the_beginning_is_kept(club: Club, level: str) -> None:
    """In a player's name anybody could fill the disk; what is proved is kept whole for a while."""
    table = Table(club, level)
    table.begin()
    text = "help\n" + 2 * intake.KEPT_BYTES * "-"
    forged = table.letter(MALLORY, text, sender=ALICE)
    proved = table.letter(ALICE, text, answers=table.report(ALICE))
    numbers = []
    for raw in (forged, proved):
        club.put(raw)
        with club.desk.store.reading() as connection:
            (row,) = letters.latest_letters(connection, None, 1)
            numbers.append((len(letters.raw_letter(connection, row.id)), row.truncated))
    assert numbers == [(intake.KEPT_BYTES, True), (len(proved), False)]


def test_the_same_letter_counts_when_its_proof_comes_later(club: Club) -> None:
    """A copy that proved nothing is not what makes the true one a repeat."""
    table = Table(club, "dmarc")
    table.begin()
    true = genuine(table)
    copy = true.replace(b"dmarc=pass", b"dmarc=fail")
    assert [table.outcome(copy), table.outcome(true)] == ["no-dmarc", "played"]
    assert table.outcome(true) == "silence"


def test_a_letter_without_proof_starts_no_clock(club: Club) -> None:
    """An address that fails works again when a letter from it is proved, not before."""
    table = Table(club, "dmarc")
    table.begin()
    with club.desk.store.writing() as connection:
        players.set_address(connection, ALICE, "failing", "550")

    def state() -> str:
        with club.desk.store.reading() as connection:
            row = players.find_address(connection, ALICE)
        assert row is not None
        return row.state

    club.put(with_forwarded_report(table))
    assert state() == "failing"
    club.put(table.letter(ALICE, "help"))
    assert state() == "ok"


def test_a_daemon_does_not_start_without_what_its_level_needs(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is missing is said at the start, not letter by letter."""
    monkeypatch.setattr(letters_sender, "find_spec", lambda name: None)
    trusting = replace(club.desk, settings=replace(club.desk.settings, trust="dmarc"))
    with pytest.raises(PackageMissing, match=r"is missing: pip install '[^']+\[auth\]'$") as caught:
        letters_sender.check_trust(trusting)
    assert caught.value.status == UNFIT
    letters_sender.check_trust(club.desk)
    found = checks.check_packages(trusting)
    assert (found.grade, str(found.advice)[:11]) == ("failure", "pip install")
    assert checks.check_packages(club.desk).grade == "ok"


def test_what_a_level_needs_is_imported_by_that_level_only() -> None:
    """At the usual level the package is not touched."""
    program = (
        "import sys; import referee.daemon.daemon, referee.desk.letters.intake;"
        "print('authres' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    assert ran.stdout == b"False\n"
