"""Whole games by nothing but what mails offer: links alone, a phone's text, sentences heard."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from support.browser import Browser
from support.club import Club, Mail
from support.offered import PLAYERS, Clicking, Played, Reading, joined, lines_below, listed, play
from support.thorough import some

from referee.desk.archive.record import record_bytes
from referee.games import registry
from referee.mail.incoming import marks
from referee.matches import record
from referee.render.layout import NARROW, WIDTH, wrap
from referee.render.words.wording import Catalogue
from referee.store.play import matches
from referee.text import width

pytestmark = pytest.mark.timeout(1200)

KINDS = {
    "nord": {"place", "play", "attack", "challenge"},
    "origo": {"place", "expand", "attack", "add", "yield", "migrate", "exchange", "sail", "done",
              "pass"},
}  # fmt: skip
"""The kinds of orders that a match of two is played with here."""

LARGER = [
    pytest.param(game, seats, language, id=f"{game}-{seats}-{language}", marks=pytest.mark.soak)
    for game, counts in (("nord", (3, 4)), ("origo", (3, 4, 5)))
    for seats in counts
    for language in ("en", "de")
]

DRAWN = re.compile(r"\S {2,}\S|[|^~#%<>\\✓✗]|[\u2500-\u27bf]")
"""What no sentence holds: columns, and signs that stand for a word."""

FRAME = re.compile(r"---|===")
"""Begins the lines around a mail and its order box, the same in every form."""

AS_EVER = {"order", "chance", "extend"}
"""Events of a match that goes as the rules have it; time may be given for a question."""


@pytest.mark.parametrize(("game", "seed"), some([("nord", 1)], [("origo", 5)]))
def test_a_game_of_two_is_played_by_links_alone(
    club: Club, browser: Browser, game: str, seed: int
) -> None:
    """From the invitation to the last report nobody types a word, on the narrowest phone."""
    played = by_links(club, game, 2, seed)
    assert kinds(played) >= KINDS[game]
    assert browser.wider([each.page for each in every_mail(played)], 320) == {}


@pytest.mark.parametrize(("game", "seats", "language"), LARGER)
def test_every_game_is_played_by_links_alone(
    club: Club, browser: Browser, game: str, seats: int, language: str
) -> None:
    """At larger tables too, in every language."""
    played = by_links(club, game, seats, seats, language)
    assert browser.wider([each.page for each in every_mail(played)], 320) == {}


@pytest.mark.parametrize(("game", "seed"), some([("nord", 1)], [("origo", 9)]))
def test_a_game_of_two_is_played_from_short_mails(club: Club, game: str, seed: int) -> None:
    """Who wants mails for a phone writes what they list, and needs no other."""
    played = from_text(club, game, 2, seed, "phone")
    assert kinds(played) >= KINDS[game]


@pytest.mark.parametrize(("game", "seats", "language"), LARGER)
def test_every_game_is_played_from_short_mails(
    club: Club, game: str, seats: int, language: str
) -> None:
    """At larger tables too, in every language."""
    from_text(club, game, seats, seats, "phone", language)


@pytest.mark.parametrize(("game", "seed"), some([("origo", 9)], [("nord", 1)]))
def test_a_game_of_two_is_played_by_ear(club: Club, game: str, seed: int) -> None:
    """Who hears the mails misses no piece, meets no drawing and plays to the end."""
    played = by_ear(club, game, 2, seed)
    assert kinds(played) >= KINDS[game]


@pytest.mark.parametrize(("game", "seats", "language"), LARGER)
def test_every_game_is_played_by_ear(club: Club, game: str, seats: int, language: str) -> None:
    """At larger tables too, in every language."""
    by_ear(club, game, seats, seats, language)


def by_links(club: Club, game: str, seats: int, seed: int, language: str = "en") -> Played:
    """Play a game by links alone to its end."""
    return to_the_end(club, game, seats, seed, "html", language)


def from_text(
    club: Club, game: str, seats: int, seed: int, form: str, language: str = "en"
) -> Played:
    """Play a game from mails of text alone to its end, and see that none is too wide."""
    played = to_the_end(club, game, seats, seed, form, language)
    most = NARROW if form == "phone" else WIDTH
    for mail in every_mail(played):
        assert mail.message.get_body(("html",)) is None
        wide = [each for each in mail.text.splitlines() if width(each) > most]
        assert wide == []
    # What tells a drawing finds those of a phone.
    assert form == "spoken" or any(DRAWN.search(each.text) for each in every_mail(played))
    return played


def by_ear(club: Club, game: str, seats: int, seed: int, language: str = "en") -> Played:
    """Play a game from spoken mails to its end, and see that all is told and nothing drawn."""
    played, say = from_text(club, game, seats, seed, "spoken", language), Catalogue(language)
    told = 0
    for mail in every_mail(played):
        lines = [each.strip() for each in mail.text.splitlines() if not FRAME.match(each)]
        assert [each for each in lines if DRAWN.search(each)] == []
        assert say.say("board.legend") not in lines
        board = lines_below(mail, say.say("board.title", lattice="spaces"))
        if not board:
            continue
        sentences = listed(board[: board.index("")])
        assert sentences
        assert [each for each in sentences if not each.endswith(".")] == []
        public = "\n".join(board).partition(f"\n{say.say('report.secret')}:\n")[0]
        assert occupied(mail) <= {*re.findall(r"\b[A-Z]\d+\b", public)}
        told += bool(occupied(mail))
    # A match of so many letters has some without a piece on the board, and few.
    assert told > len(played.orders)
    return played


def to_the_end(club: Club, game: str, count: int, seed: int, form: str, language: str) -> Played:
    """Play a game in which everybody wants a form of mails, and see that it ends as games do."""
    found, say, rng = registry.find_installed(game), Catalogue(language), Random(seed)
    seats = dict(zip(found.colours, PLAYERS[:count], strict=False))
    reader = Clicking() if form == "html" else Reading(rng)
    # Everybody begins with HTML in English.
    wanted = {"language": language, "format": form}.items() - {
        ("language", "en"),
        ("format", "html"),
    }
    settings = [f"set {name} {value}" for name, value in sorted(wanted)]
    played = play(club, game, seats, reader, rng, settings=settings, language=language)
    bad = [say.say(f"receipt.{each}") for each in ("nothing", "partly", "ignored")]
    for mail in every_mail(played):
        text = joined(mail)
        assert [each for each in bad if each in text] == [], text
        # Brought back without marks below an answer, nothing of it is taken for one.
        head, frame, body = mail.text.partition("\n--- ")
        for columns in (NARROW, 50, 65, WIDTH):
            back = f"rest\n\n{wrap(' '.join(head.split()), columns=columns)}\n{frame}{body}"
            assert marks.cut(back).free == ("rest",), back
    ordinals = [say.say("report.ordinal", n=each) for each in range(1, count + 1)]
    over = [
        say.say("turn.over_place", place=each, n=count, first=first, shared=shared)
        for each in ordinals
        for first in (False, True)
        for shared in (False, True)
    ]
    for mails in played.mails.values():
        # Without an offer to anybody a match stands still.
        assert mails[-1].kind == "report", mails[-1].text
        assert any(each in joined(mails[-1]) for each in over)
    assert orders_of(club, played.name, language) == played.orders
    return played


def orders_of(club: Club, name: str, language: str) -> list[str]:
    """Return the orders of a match that is over, by nothing but its own orders and luck.

    Nobody has resigned, no move was taken back, and its record holds.
    """
    row = club.match(name)
    assert row.state == "over"
    game = registry.find_installed(row.game, row.edition)
    with club.desk.store.reading() as connection:
        events = [json.loads(each.body) for each in matches.events(connection, row.id)]
        lines = record_bytes(connection, row).splitlines()
    assert record.verify_record(lines, registry.find_installed).ok
    assert {each["kind"] for each in events} <= AS_EVER
    given = [each for each in events if each["kind"] == "order" and not each.get("forced")]
    return [game.format(game.parse(each["order"], "en"), language) for each in given]


def kinds(played: Played) -> set[str]:
    """Return the words that its orders begin with."""
    return {each.split()[0] for each in played.orders}


def every_mail(played: Played) -> Iterator[Mail]:
    """Yield the mails of a match, whoever got them."""
    for mails in played.mails.values():
        yield from mails


def occupied(mail: Mail) -> set[str]:
    """Return the spaces that something stands on, by the turn file of a mail if it has one."""
    files = {each.get_filename(): each for each in mail.message.iter_attachments()}
    if "turn.json" not in files:
        return set()
    return {*spaces(mail.turn_file["view"])}


def spaces(document: Any) -> Iterator[str]:
    """Yield the spaces that a position names as keys."""
    if isinstance(document, dict):
        yield from (each for each in document if re.fullmatch(r"[A-Z]\d+", each))
        for each in document.values():
            yield from spaces(each)
