"""The composer's page goes with the mails that ask for orders, attached or linked."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support.clicking import packed_in, page_of, unpacked
from support.club import ALICE, BOB, Club, Mail, letter
from support.origo_midland import added, attacked

from referee.games import registry
from referee.render.composer import LONGEST_LINK, loose_words
from referee.render.drawings.picture import GOLD
from referee.render.templates import inline_file
from referee.render.words.wording import Wording

pytestmark = pytest.mark.fast

PAGE = "https://games.example.test/play.html"
LINK = re.compile(r'href="(https://games[^"]+)"')


def turn_in(mail: Mail) -> dict[str, Any]:
    """Return the turn in the page of a mail."""
    page = page_of(mail)
    assert page is not None
    turn: dict[str, Any] = packed_in(page.decode(), "turn")
    return turn


def begun(club: Club, game: str = "nord", **more: Any) -> Mail:
    """Begin a match of Alice and Bob; return Alice's report."""
    first, second = registry.find_installed(game).colours[:2]
    club.new_match(game, f"{first}={ALICE}", f"{second}={BOB}", **more)
    club.work()
    return club.last(ALICE, "report")


def test_who_is_to_act_gets_the_page(club: Club) -> None:
    """The page holds the legal orders and the box of the mail; the other player gets none."""
    mail = begun(club)
    turn, file = turn_in(mail), mail.turn_file
    assert turn["orders"].split("\n") == file["legal"]
    assert turn["count"] == file["legal_count"]
    assert turn["box"][0] in mail.text
    assert turn["to"] == mail.message["From"].addresses[0].addr_spec
    assert turn["subject"] == "Re: [nord-1] Nord with bob"
    assert page_of(club.last(BOB)) is None
    assert "turn.html" in mail.text
    assert "turn.html" in mail.html


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_mail_about_several_matches_names_each_page_as_attached(
    club: Club, language: str
) -> None:
    """Files of several matches bear the names of these, and so do the words that offer them."""
    first = begun(club)
    second = begun(club)
    club.answer(first, f"set language {language}", ALICE)
    club.mails(ALICE)
    boxes = [each.turn_file for each in (first, second)]
    text = "\n".join(
        f"=== {each['match']} · turn {each['turn']} · {each['code']} ===\nplace A1\n=== end ==="
        for each in boxes
    )
    club.put(letter(ALICE, text, number=club.uid))
    mail = club.last(ALICE, "receipt")
    names = [part.get_filename() for part in mail.message.iter_attachments()]
    pages = [str(each) for each in names if str(each).endswith(".html")]
    assert pages == [f"{each['match']}.turn.html" for each in boxes]
    for twin in (mail.text, mail.html):
        assert re.findall(r"[\w-]*\.?turn\.html", twin) == pages


def test_a_receipt_brings_the_next_page(club: Club) -> None:
    """A refusal in one's own turn brings a page with the code of now."""
    mail = begun(club)
    club.answer(mail, "place A1", ALICE)
    receipt = club.last(ALICE, "receipt")
    assert turn_in(receipt)["orders"] == turn_in(mail)["orders"]
    assert "turn.html" in receipt.text


def test_an_equal_order_is_played_by_the_next_page(club: Club) -> None:
    """The receipt's page means it once more; each page plays it but once."""
    attacked(club, ALICE, BOB)

    def send(mail: Mail) -> None:
        head, end = turn_in(mail)["box"]
        club.put(letter(ALICE, f"{head}\nadd people\n{end}\n", number=club.uid))

    report = club.last(ALICE, "report")
    send(report)
    receipt = club.last(ALICE, "receipt")
    send(report)
    assert added(club) == ["people"]
    for mail in (receipt, receipt, report):
        send(mail)
        assert added(club) == ["people", "people"]


def test_the_page_speaks_its_readers_language(club: Club) -> None:
    """Orders, box and words are German where the player's mails are."""
    report = begun(club)
    club.answer(report, "set language de", ALICE)
    club.answer(report, "place A1", ALICE)
    mail = club.last(ALICE, "receipt")
    turn = turn_in(mail)
    assert turn["orders"].startswith("setze ")
    assert turn["seat"] == "Rot"
    assert turn["box"][0] in mail.text
    page = page_of(mail)
    assert page is not None
    assert '"preview_word": "vorschau"' in packed_in(page.decode(), "packed")[0]
    assert f"<title>Nord, {turn['match']}, Zug {turn['turn']}</title>" in page.decode()
    assert "angehängte Seite turn.html" in mail.flat


def test_set_composer_off(club: Club) -> None:
    """Who wants no page gets none, until they want it again."""
    mail = begun(club)
    club.answer(mail, "set composer off", ALICE)
    assert "without the page" in club.last(ALICE).text
    club.answer(mail, "place A1", ALICE)
    bare = club.last(ALICE, "receipt")
    assert page_of(bare) is None
    assert "turn.html" not in bare.text
    club.answer(bare, "einstellung klickseite an", ALICE)
    club.answer(bare, "place A1", ALICE)
    assert page_of(club.last(ALICE, "receipt")) is not None


@pytest.mark.parametrize("game", ["nord", "origo", "pebbles"])
def test_the_link_holds_the_turn(club: Club, game: str) -> None:
    """Where the organiser has a page mails link to it, and nothing is attached."""
    club.settle(composer=PAGE)
    mail = begun(club, game)
    assert page_of(mail) is None
    found = LINK.search(mail.html)
    assert found
    page, _, packed = found[1].partition("#")
    assert page == PAGE
    assert len(found[1]) <= LONGEST_LINK
    assert unpacked(packed)["orders"].split("\n") == mail.turn_file["legal"]
    assert f"<{found[1]}>" in mail.text


def test_a_link_that_is_quoted_does_no_harm(club: Club) -> None:
    """An answer below which the whole mail is quoted is read as any other."""
    club.settle(composer=PAGE)
    mail = begun(club)
    order = mail.turn_file["legal"][0]
    club.answer(mail, order, ALICE)
    assert club.last(ALICE).text.count("accepted") == 1


def test_text_alone_gets_the_file(club: Club) -> None:
    """In a mail of text alone a link of thousands of characters helps nobody."""
    club.settle(composer=PAGE)
    mail = begun(club)
    club.answer(mail, "set format text", ALICE)
    club.answer(mail, "place A1", ALICE)
    receipt = club.last(ALICE, "receipt")
    assert page_of(receipt) is not None
    assert PAGE not in receipt.text


def test_a_turn_too_large_for_a_link_is_attached(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link that programs would cut is not written."""
    monkeypatch.setattr("referee.render.composer.LONGEST_LINK", 500)
    club.settle(composer=PAGE)
    mail = begun(club)
    assert page_of(mail) is not None
    assert PAGE not in mail.html


def test_the_page_knows_no_more_than_its_reader(club: Club) -> None:
    """Only the reader's own tiles are secret there, and nobody else's are in it."""
    mail = begun(club)
    turn = turn_in(mail)
    ((title, lines),) = turn["secrets"]
    hands = mail.turn_file["view"]["hands"]
    assert title == "Your treasure tiles"
    assert len(lines) == len(hands["red"])
    assert all(any(tile in line.lower() for line in lines) for tile in hands["red"])
    assert isinstance(hands["green"], int)


@pytest.mark.parametrize("game", ["nord", "origo", "pebbles"])
def test_the_page_draws_all_of_a_board(club: Club, game: str) -> None:
    """Its script lets everything of our boards and pieces through but titles and roles."""
    turn = turn_in(begun(club, game))
    script = inline_file("composer/script.js").text
    tags, names = (
        set("".join(re.findall(r'"([^"]*)"', found)).split())
        for found in re.findall(r"(?:TAGS|NAMES) = new Set\(\((.*?)\)\.split", script, re.DOTALL)
    )
    drawn = turn["board"] + turn["piece"]
    assert set(re.findall(r"<([\w-]+)", drawn)) - {"title"} <= tags
    assert set(re.findall(r' ([\w-]+)="', drawn)) - {"xmlns", "role"} <= names


def test_the_page_tells_what_stands_beside_the_board(club: Club) -> None:
    """Panels that everybody sees stand on it as in the mail, but those that a table replaces."""
    mail = begun(club)
    ((title, said),) = turn_in(mail)["told"]
    assert title == "Course of the game"
    assert all(sentence in mail.flat for sentence in said.rstrip(".").split(". "))


def test_the_page_points_out_what_the_mail_does(club: Club) -> None:
    """What changed since the last mail is framed there too, without the numbers of its lines."""
    first = begun(club)
    club.answer(first, first.turn_file["legal"][0], ALICE)
    club.work()
    for mail in (first, club.last(BOB, "report")):
        (changed,) = re.findall(r"! changed: ([\w, ]+)", mail.flat)
        board = turn_in(mail)["board"]
        assert board.count(f'stroke="{GOLD}"') == len(changed.split(", "))
        assert f'fill="{GOLD}"' not in board


def test_interchangeable_words_are_found() -> None:
    """Spaces of a placement and cards of an exchange may come in any sequence, others not."""
    nord, origo = (Wording(registry.find_installed(each), "en") for each in ("nord", "origo"))
    cases = {
        nord: {"place A1 B2 C3": "abbb", "attack C5 E8 via D6 D7": None, "play gold D5 D8": None},
        origo: {
            "exchange people ship": "abb",
            "attack E7 with col:7 row:E": "abcdd",
            "migrate H9 H5": None,
        },
    }
    for wording, lines in cases.items():
        for line, runs in lines.items():
            order = wording.game.parse(line, "en")
            text = wording.order(order)
            shape = f"{text.split()[0]} {len(text.split())}"
            assert loose_words([order], [text], wording).get(shape) == runs, line
