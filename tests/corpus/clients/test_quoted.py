"""Quotes of our mails, made of either part, marked and broken into lines, are never orders."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from support.club import letter
from support.corpus import understood
from support.quoted import Quote, mails, quotes
from support.stage import ALICE
from support.thorough import some

from referee.desk.letters.words.places import Understood
from referee.games import registry
from referee.mail.incoming.letter import read_letter

GAMES = ("nord", "origo")

LEADS = (
    "On Sat, 21 Nov 2026, Referee <referee@example.test> wrote:",
    "-----Original Message-----\nFrom: Referee <referee@example.test>\nSent: Saturday\nTo: alice\n",
    "W dniu 21.11.2026 o 13:00, Referee <referee@example.test> pisze:",
)


def meant(game: str, raw: bytes) -> list[str]:
    """Return what was meant as orders or commands in a letter, line by line."""
    places: tuple[Understood, ...] = understood(read_letter(raw), registry.find_installed(game))
    return [line.text for each in places for line in each.lines if not line.is_talk]


def check(game: str, rng: Random, many: int, reports: int) -> None:
    """Check that of quotes of a match's mails nothing is read, and of lines above all."""
    wrong: list[tuple[Quote, list[str]]] = []
    for quote in islice(quotes(rng), many):
        mail = rng.choice(mails(game, 7, reports))
        lead = rng.choice(LEADS)
        found = meant(game, letter(ALICE, f"message all: hello\n\n{lead}\n{quote.of(mail)}"))
        if found != ["message all: hello"]:
            wrong.append((quote, found))
    assert wrong == [], f"{len(wrong)} of {many}"


@pytest.mark.fast
@pytest.mark.parametrize("game", GAMES)
def test_a_few_quotes_hold_nothing(game: str) -> None:
    """Whatever is quoted of the first mails of a match is no order."""
    check(game, Random(1), 25, 10)


@pytest.mark.parametrize("seed", some([0], [1, 2, 3]))
@pytest.mark.parametrize("game", GAMES)
def test_quotes_of_a_match_hold_nothing(game: str, seed: int) -> None:
    """The mails of a match played at random are quoted in every manner."""
    check(game, Random(f"{game}{seed}"), 150, 40)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("game", GAMES)
def test_ten_thousand_quotes_hold_nothing(game: str, seed: int) -> None:
    """Marks, widths and manners of a whole match come together by chance."""
    check(game, Random(-seed), 500, 120)
