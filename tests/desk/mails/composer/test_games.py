"""Whole games played by clicks: page from the mail, answer by the link, letter into the intake."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from support.browser import Browser
from support.clicking import Finger, Hand, Keyboard, page_of
from support.club import Club, Mail

from referee.desk.matches import ledger
from referee.games import registry

PLAYERS = ("alice@example.test", "bob@example.test", "carol@example.test", "dora@example.test",
           "emil@example.test")  # fmt: skip
MOST_TURNS = 2000

pytestmark = pytest.mark.timeout(1200)


BRIEF = frozenset({"pass", "done"})
"""Orders of Origo that bring its end nearer; it is long when most of them are expansions."""


def clicked_through(
    club: Club,
    game: str,
    seats: int,
    hand: Hand,
    seed: int,
    soon: frozenset[str] = frozenset(),
    one_in: int = 1,
) -> int:
    """Play a match to its end by random clicks; return the number of letters.

    Of so many letters ``one_in`` is clicked; the others are written, one order each.
    """
    found, rng = registry.find_installed(game), Random(seed)
    holders = dict(zip(found.colours, PLAYERS[:seats], strict=False))
    row = club.new_match(game, *(f"{seat}={who}" for seat, who in holders.items()))
    club.work()
    last: dict[str, Mail] = {}
    for number in range(MOST_TURNS):
        row = club.match(row.name)
        if row.state != "running":
            return number
        who = holders[str(row.to_act)]
        for mail in club.mails(who):
            last[who] = mail
        with club.desk.reading() as change:
            live = ledger.load_match(change, row).live
            listed = live.game.orders(live.position)
            legal = sorted(live.game.format(order, "en") for order in listed)
        if number % one_in:
            wanted = [line for line in legal if line in soon] or legal
            club.answer(last[who], rng.choice(wanted), who)
        else:
            page = page_of(last[who])
            assert page is not None, last[who].text
            hand.open(page)
            answer = hand.compose(rng, soon)
            assert set(answer.lines) <= set(legal)
            club.put(answer.sent_by(who, number))
        club.later(minutes=10)
        club.work()
        assert club.match(row.name).seq > row.seq, club.last(who).text
        assert hand.browser.console() == []
    raise AssertionError(f"{row.name} does not end")


def test_nord_is_played_by_mouse(club: Club, mouse: Hand) -> None:
    """Two players finish Nord; of five letters one is clicked, in the soak all are."""
    assert clicked_through(club, "nord", 2, mouse, 2, one_in=5) > 30


def test_pebbles_is_played_by_touch(club: Club, browser: Browser, tmp_path: Path) -> None:
    """A game from another package needs nothing of its own for the page."""
    assert clicked_through(club, "pebbles", 2, Finger(browser, tmp_path), 1) > 3


def test_origo_is_played_by_keyboard(club: Club, browser: Browser, tmp_path: Path) -> None:
    """Two players finish Origo, one letter of five by the page."""
    assert clicked_through(club, "origo", 2, Keyboard(browser, tmp_path), 0, BRIEF, one_in=5) > 20


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(
    ("game", "seats", "hand"),
    [("nord", 4, Finger), ("origo", 5, Hand), ("nord", 3, Keyboard), ("origo", 3, Finger)],
)
def test_long_games_are_clicked(
    club: Club, browser: Browser, tmp_path: Path, game: str, seats: int, hand: type[Hand]
) -> None:
    """With more seats, too, each hand plays both games to their end, here or in a short one."""
    assert clicked_through(club, game, seats, hand(browser, tmp_path), seats) > 50
