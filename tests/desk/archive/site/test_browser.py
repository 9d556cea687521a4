"""The archive's pages in a real browser: script, keyboard, print, narrow screens, accessibility."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.browser import Browser

pytestmark = pytest.mark.timeout(600)

PAGES = (
    "index.html", "ratings.html", "games/pebbles.html", "players/1.html",
    "matches/nord-1.html", "matches/nord-2.html", "matches/pebbles-2.html",
)  # fmt: skip
OVER, RUNNING = "matches/nord-1.html", "matches/nord-2.html"
BOARD = "return document.getElementById('picture').innerHTML.replace(/ class=\"(hot)?\"/g, '')"


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_quiet_narrow_and_accessible(archive: Path, browser: Browser, page: str) -> None:
    """At 380 pixels no page scrolls sideways, says anything on the console, or offends axe."""
    browser.open(archive / page, width=380)
    assert browser.overflow() <= 0
    assert browser.axe() == []
    assert browser.console() == []


def test_ratings_are_seen_whole_on_a_phone(archive: Path, browser: Browser) -> None:
    """At 360 pixels no column is cut off, as nothing shows that the table could be scrolled."""
    browser.open(archive / "ratings.html", width=360)
    wide = (
        "return [...document.querySelectorAll('.wide')].map((e) => e.scrollWidth - e.clientWidth)"
    )
    assert browser.run(wide) == [0]


def test_dark_pages_are_readable(archive: Path, browser: Browser) -> None:
    """In the dark scheme the page is dark, and axe finds the contrasts good."""
    try:
        browser.media(scheme="dark")
        browser.open(archive / OVER)
        colour = browser.run("return getComputedStyle(document.body).backgroundColor")
        assert max(map(int, re.findall(r"\d+", colour))) < 64
        assert browser.axe() == []
    finally:
        browser.media()


def test_keys_step_through_the_match(archive: Path, browser: Browser) -> None:
    """Home leads to the first board, arrows one step on and back, End to the board at first."""
    browser.open(archive / OVER)
    final = browser.run(BOARD)
    browser.press("home")
    first = browser.run(BOARD)
    assert browser.text("#now") == "0"
    browser.press(*["arrow_right"] * 20)
    middle = browser.run(BOARD)
    assert browser.text("#now").startswith("20. ")
    assert browser.run("return document.querySelector('.here').id") == "s20"
    browser.press("arrow_left", "arrow_right")
    assert browser.run(BOARD) == middle
    browser.press("end")
    assert len({first, middle, final}) == 3
    assert browser.run(BOARD) == final
    assert browser.console() == []


def test_keys_scroll_where_something_scrolls(archive: Path, browser: Browser) -> None:
    """In the list of moves, the table and the board as text the keys do not step."""
    browser.open(archive / OVER)
    sent = """
    const event = (key) => new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true});
    return ["Home", "ArrowLeft", " "].map(
      (key) => document.querySelector(arguments[0]).dispatchEvent(event(key)));
    """
    for place in ("pre", ".wide", ".list"):
        assert browser.run(sent, place) == [True, True, True]
    assert browser.run(sent, "#picture") == [False, False, False]


def test_every_step_can_be_reached_from_both_sides(archive: Path, browser: Browser) -> None:
    """Going back from the end shows the same boards and panels as going on from the beginning."""
    browser.open(archive / OVER)
    walk = """
    const seen = [], board = document.getElementById("picture"), side = document.body;
    const look = () => board.innerHTML + document.getElementById("panels").innerHTML;
    const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", {key}));
    const last = Number(document.getElementById("step").max);
    press(arguments[0]);
    for (let n = 0; n <= last; n += 1) { seen.push(look()); press(arguments[1]); }
    return seen;
    """
    script = walk.replace("document.dispatchEvent", "document.body.dispatchEvent").replace(
        "{key}", "{key, bubbles: true}"
    )
    on = browser.run(script, "Home", "ArrowRight")
    back = browser.run(script, "End", "ArrowLeft")
    assert len(on) > 50
    assert on == back[::-1]


def test_buttons_do_what_keys_do(archive: Path, browser: Browser) -> None:
    """The buttons step too; the slider follows."""
    browser.open(archive / OVER)
    browser.click("#first")
    browser.click("#next")
    assert browser.run("return document.getElementById('step').value") == "1"
    browser.click("#last")
    last = browser.run("return document.getElementById('step').max")
    assert browser.run("return document.getElementById('step').value") == last
    browser.click("#back")
    assert browser.text("#now").startswith(f"{int(last) - 1}. ")


def test_play_runs_and_stops(archive: Path, browser: Browser) -> None:
    """Play begins anew from the end and shows that it runs; pressed again it stops."""
    browser.open(archive / OVER)
    browser.click("#run")
    pressed = "return document.getElementById('run').getAttribute('aria-pressed')"
    assert browser.run(pressed) == "true"
    step = "return Number(document.getElementById('step').value)"
    assert browser.run(step) < browser.run("return document.getElementById('step').max / 2")
    browser.click("#run")
    assert browser.run(pressed) == "false"


def test_without_script_everything_is_told(archive: Path, browser: Browser) -> None:
    """Without script the last board, its panels and all moves stand there, and no dead buttons."""
    browser.open(archive / OVER)
    with_script = browser.run(BOARD)
    browser.without_script()
    try:
        browser.open(archive / OVER)
        assert not browser.shown("#controls")
        assert browser.shown("#picture")
        assert browser.run(BOARD) == with_script
        moves = browser.run("return document.querySelectorAll('.moves li').length")
        assert moves == int(browser.run("return document.getElementById('step').max"))
        browser.open(archive / "index.html")
        assert not browser.shown("#search")
        assert browser.run("return document.querySelectorAll('#matches li').length") == 7
    finally:
        browser.without_script(off=False)


def test_search_by_player_game_and_year(archive: Path, browser: Browser) -> None:
    """The index shows those matches that fit all three fields, and how many they are."""
    browser.open(archive / "index.html")
    assert browser.text("#count") == "7 found"
    fill = """
    for (const [id, value] of Object.entries(arguments[0])) {
      const field = document.getElementById(id);
      field.value = value;
      field.dispatchEvent(new Event("input"));
    }
    return [...document.querySelectorAll("#matches li")].filter(
      (each) => each.getClientRects().length).map((each) => each.firstChild.textContent);
    """
    assert browser.run(fill, {"who": "ALICE"}) == ["nord-2", "pebbles-2"]
    assert browser.run(fill, {"game": "nord"}) == ["nord-2"]
    assert browser.run(fill, {"who": ""}) == ["nord-2", "nord-1"]
    assert browser.run(fill, {"year": "2026", "game": ""}) == browser.run(fill, {})
    assert browser.run(fill, {"who": "nobody"}) == []
    assert browser.text("#count") == "0 found"


def test_printed_pages_leave_controls_out(archive: Path, browser: Browser) -> None:
    """On paper there are board and moves on white, but nothing to click."""
    try:
        browser.open(archive / OVER)
        browser.media("print", scheme="dark")
        assert not browser.shown("nav")
        assert not browser.shown("#controls")
        assert browser.shown("#picture")
        assert browser.shown(".moves")
        white = "rgb(255, 255, 255)"
        assert browser.run("return getComputedStyle(document.body).backgroundColor") == white
    finally:
        browser.media()
