"""How much of a letter is looked at: each bound holds, and what is just within it is read."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from support.corpus import understood
from support.hostile import HEAD, HTML, MIXED

from referee.games import registry
from referee.mail.incoming import marks, mime
from referee.mail.incoming.attachments import JsonFault
from referee.mail.incoming.letter import Letter, read_letter
from referee.mail.incoming.lines import LONGEST_LINE

pytestmark = pytest.mark.fast


def words(letter: Letter) -> list[str]:
    """Return the commands that the desk hears in a letter, whatever the game."""
    game = registry.installed_games().all()[0]
    return [each.word for place in understood(letter, game) for each in place.commands]


def html(filler: int) -> bytes:
    """Return a page whose one word stands behind so many bytes that show nothing."""
    return HEAD + HTML + b"<!--" + b"x" * (filler - 7) + b"-->help"


def test_of_a_page_so_many_bytes_are_read() -> None:
    """Text behind the last of them is not there, and the letter says that it was cut."""
    within, beyond = read_letter(html(1_000_000 - 10)), read_letter(html(1_000_000))
    assert words(within) == ["help"]
    assert (words(beyond), beyond.truncated) == ([], True)


def test_of_a_text_so_many_lines_are_read() -> None:
    """A word on the last of them is read, and on the next one it is not."""
    for filler, said in ((4_000 - 1, True), (4_000, False)):
        letter = read_letter(HEAD + b"\n" + b"\n" * filler + b"help\n")
        assert ("help" in "".join(letter.text)) is said
        assert letter.truncated is True


@pytest.mark.parametrize("encoding", ["8bit", "quoted-printable", "base64"])
def test_of_a_part_so_many_bytes_are_decoded(encoding: str) -> None:
    """Whatever its encoding makes of them; only so much of it is decoded at all."""
    raw = f"Content-Transfer-Encoding: {encoding}\n\n".encode() + b"QUFB" * 2_000_000
    part = mime.parse_tree(raw, most_parts=1, deepest=0).leaves[0]
    content, cut = part.content(512_000)
    assert (len(content), cut) == (512_000, True)
    assert len(read_letter(HEAD + raw).text[0]) == LONGEST_LINE


def test_a_json_file_may_have_so_many_bytes() -> None:
    """A longer one is a fault of its own and is not parsed."""
    document = json.dumps({"x": "y" * 512_000}).encode()
    (found,) = read_letter(HEAD + b"Content-Type: application/json\n\n" + document).json
    assert (found.value, found.fault) == (
        None,
        JsonFault("large", {"most": 512_000, "all": 1_024_000}),
    )


def test_all_json_files_of_a_letter_may_have_so_many_bytes() -> None:
    """Of twenty within their own limit the first few are parsed, as each costs fifty times that."""
    part = b"--b\nContent-Type: application/json\n\n" + json.dumps("y" * 300_000).encode() + b"\n"
    letter = read_letter(HEAD + MIXED + part * 20 + b"--b--\n")
    assert [found.fault and found.fault.code for found in letter.json] == [None] * 3 + ["large"] * 2


def test_so_many_json_files_are_read() -> None:
    """The sixth is left alone."""
    part = b"--b\nContent-Type: application/json\n\n{}\n"
    letter = read_letter(HEAD + MIXED + part * 6 + b"--b--\n")
    assert len(letter.json) == 5


@pytest.mark.parametrize("padding", [b"X: y\n" * 1000, b"X: " + b"y" * 70_000 + b"\n"])
def test_so_many_headers_are_read(padding: bytes) -> None:
    """By number and by bytes; a sender below the last of them is none."""
    sender = b"From: alice@example.org\n"
    assert read_letter(sender + padding + b"\nhelp\n").sender == "alice@example.org"
    small = read_letter(
        padding[: len(padding) // 2].rpartition(b"\n")[0] + b"\n" + sender + b"\nhelp\n"
    )
    assert small.sender == "alice@example.org"
    found = read_letter(padding + sender + b"\nhelp\n")
    assert (found.sender, words(found)) == (None, ["help"])


def test_of_a_header_so_many_characters_are_read() -> None:
    """A Message-ID or an address behind them is not there."""
    letter = read_letter(b"References: " + b" " * 9_000 + b"<late@example.org>\n\nhelp\n")
    assert letter.references == ()


def test_so_many_texts_are_read() -> None:
    """Of many text parts the first twenty speak."""
    texts = b"".join(b"--b\n\nline %d\n" % number for number in range(25))
    letter = read_letter(HEAD + MIXED + texts + b"--b--\n")
    assert letter.text[-1] == "line 19"


def test_of_all_texts_so_many_characters_are_read() -> None:
    """What stands behind them in another part is not there, and the letter says that it was cut."""
    part = b"--b\n\n" + (b"> " + b"x" * 61 + b"\n") * 1023 + b"\n"
    for count, said in ((1, ["help"]), (2, [])):
        letter = read_letter(
            HEAD + MIXED + part * count + b"--b\n\n" + b"\n" * 500 + b"help\n--b--\n"
        )
        assert (words(letter), letter.truncated) == (said, not said)


def test_so_many_codes_of_boxes_are_looked_up() -> None:
    """Each once, the first ones, as they stand in the boxes that are found."""
    codes = [f"{number:08}" for number in range(150)]
    lines = [f"> === moor-7 · turn 1 · red · {each[:4]}-{each[4:]} ===" for each in codes]
    text = "\n".join([*lines[:40], *lines])
    letter = read_letter(HEAD + b"\n" + text.encode())
    assert letter.boxed == tuple(codes[:100])
    assert tuple(dict.fromkeys(box.code for box in marks.cut(text).boxes)) == tuple(codes)


def test_of_a_text_so_many_lines_are_taken_apart() -> None:
    """A box or a line below the last of them is not seen."""
    within = "\n" * 4_999 + "help"
    assert list(marks.cut(within).free)[-1:] == ["help"]
    assert "help" not in marks.cut("\n" + within).free


def said(lines: Sequence[str]) -> list[str]:
    return words(read_letter(HEAD + b"\n" + "\n".join(lines).encode()))


def test_so_many_lines_of_a_place_are_orders() -> None:
    """Two hundred free lines are looked at, empty ones left out, and two hundred of a box."""
    idle = [f"so be it {number}" for number in range(200)]
    assert said(["", *idle[:-1], "", "matches"]) == ["matches"]
    assert said([*idle, "matches"]) == []
    box = "=== moor-7 · turn 1 · red · K7PQ-M2XD ==="
    assert said([box, *idle[:-1], "matches", "=== end ==="]) == ["matches"]
    assert said([box, *idle, "matches", "=== end ==="]) == []


def test_of_a_place_with_just_so_many_lines_nothing_is_cut() -> None:
    """Only one with more is answered as too long."""
    for filler, cut in ((199, False), (200, True)):
        lines = ["matches", *(f"so be it {number}" for number in range(filler))]
        letter = read_letter(HEAD + b"\n" + "\n".join(lines).encode())
        game = registry.installed_games().all()[0]
        assert [place.said.cut for place in understood(letter, game)] == [cut]


def test_so_many_documents_in_a_text_are_read() -> None:
    """The first five."""
    text = "\n".join(f'{{"number": {number}}}' for number in range(7))
    found = read_letter(HEAD + b"\n" + text.encode()).json
    assert [each.value for each in found] == [{"number": number} for number in range(5)]


def test_so_many_boxes_are_heard() -> None:
    """The twenty-first filled box of a letter is passed over."""
    boxes = [
        line
        for number in range(23)
        for line in (f"=== moor-{number} · turn 1 · red · K7PQ-M2XD ===", "matches", "=== end ===")
    ]
    assert len(said(boxes)) == 20


def test_empty_boxes_are_not_counted() -> None:
    """Below many of them, as a long thread quotes them, an order is heard."""
    boxes = [
        line
        for number in range(30)
        for line in (f"=== moor-{number} · turn 1 · red · K7PQ-M2XD ===", "(here)", "=== end ===")
    ]
    boxes.insert(-1, "matches")
    assert said(boxes) == ["matches"]


def test_so_many_faults_are_told() -> None:
    """Of a document with hundreds of wrong orders twenty are named."""
    body = json.dumps({"code": "K7PQM2XD", "orders": [17] * 300}).encode()
    letter = read_letter(HEAD + b"Content-Type: application/json\n\n" + body)
    wrong = [each for place in understood(letter, registry.installed_games().all()[0])
             for each in place.faults]  # fmt: skip
    assert len(wrong) == 20
