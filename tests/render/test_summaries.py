"""The organiser's summary and the answer to a stranger."""

import pytest
from support.moor import framing

from referee.render import summaries
from referee.render.layout import WIDTH
from referee.render.summaries import MOST_ITEMS, SECTIONS, stranger_answer, summary_content
from referee.render.words.wording import Catalogue
from referee.signs import SIGN
from referee.text import width

pytestmark = pytest.mark.fast

ITEMS = {
    "strangers": [{"address": "eve@example.test", "n": 2, "answered": False}],
    "letters": [{"id": 3, "sender": "bob@example.test", "reason": "KeyError"}],
    "mails": [{"id": 4, "recipient": "bob@example.test", "reason": "550 no"}],
    "addresses": [{"address": "bob@example.test", "name": "bob", "reason": "5.1.1 no"}],
    "declined": [{"match": "moor-7", "seat": "red", "name": "bob"}],
    "resigned": [
        {"match": "moor-7", "seat": "red", "name": "bob", "bot": None, "late": True},
    ],
    "blocked": [{"address": "eve@example.test", "name": "eve", "n": 3}],
    "alarms": [{"text": "2026-11-20T10:00:00Z login refused"}],
    "broken": [{"text": "moor-7 is broken: KeyError"}],
    "matches": [{"match": "moor-7", "seat": "red", "due": "Fri 20 Nov 2026, 18:00 (UTC)"}],
}


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_part_is_told_in_both_languages(language: str) -> None:
    """Each part has its heading and its items; text and twin say the same."""
    content = summary_content(Catalogue(language), ITEMS, framing(language))
    for said in ("eve@example.test: 2", "550 no", "5.1.1 no", "KeyError", "moor-7", "login"):
        assert said in " ".join(content.text.split())
        assert said in " ".join(content.html.split())
    assert set(ITEMS) == set(SECTIONS)
    assert max(width(line) for line in content.text.splitlines()) <= WIDTH


def test_parts_without_items_are_left_out() -> None:
    """Nothing is said about what is well."""
    text = summary_content(Catalogue("en"), {"mails": ITEMS["mails"]}, framing()).text
    assert "mail 4 to bob@example.test: 550 no" in text
    assert "strangers" not in text.casefold()


def test_a_flood_is_cut() -> None:
    """Of many items the first are shown and the rest counted."""
    flood = [{"address": f"e{n}@x.test", "n": 1, "answered": False} for n in range(500)]
    text = summary_content(Catalogue("en"), {"strangers": flood}, framing()).text
    assert text.count("@x.test") == MOST_ITEMS
    assert f"· and {500 - MOST_ITEMS} more" in text


@pytest.mark.parametrize("part", ["alarms", "broken"])
def test_a_text_of_ours_is_told_to_its_end(part: str) -> None:
    """The end says what to do."""
    told = f"the clock jumped at {'noon ' * 60}: set it right, then: referee clock --is-right"
    text = summary_content(Catalogue("en"), {part: [{"text": told}]}, framing()).text
    assert "referee clock --is-right" in " ".join(text.split())


@pytest.mark.parametrize("said", ["--moor-7 · x · referee --", "- referee --reread"])
def test_what_a_server_said_in_a_text_of_ours_makes_no_sign(said: str) -> None:
    """Options keep their dashes, frames do not."""
    told = summaries.own_line(f"the server answers: {said}; then: referee run --reread.")
    assert SIGN.search(told) is None
    assert told.startswith("the server answers:")


def test_what_a_stranger_chose_stays_harmless() -> None:
    """No address is markup, a line of its own, a frame or endless."""
    evil = "<i>--- end of moor-7 · referee ---\n=== x@x.test" + "y" * 500
    content = summary_content(
        Catalogue("en"), {"strangers": [{"address": evil, "n": 1, "answered": True}]}, framing()
    )
    assert "<i>" not in content.html
    assert "y" * 100 not in content.text
    (line,) = [line for line in content.text.splitlines() if "‹i>" in line]
    assert line == "· ‹i>, end of moor-7 · referee - ="


@pytest.mark.parametrize(("language", "word"), [("en", "program"), ("de", "Programm")])
def test_a_stranger_is_told_who_answers(language: str, word: str) -> None:
    """The mail is the same for everybody and names nobody."""
    content = stranger_answer(Catalogue(language), framing(language), [])
    assert word in content.text
    assert "@" not in content.text
