"""The composer's page in a real browser: what it offers, and what it says when it cannot."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from zlib import compress, decompress

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait
from support.browser import Browser
from support.clicking import Finger, Hand, Keyboard, page_of
from support.club import ALICE, BOB, CAROL, REFEREE, Club, Mail
from support.origo_club import begin_at, round_ends
from support.thorough import some

from referee.games import registry
from referee.mail.addressing import plus_address
from referee.mail.codes import format_code
from referee.mail.incoming.marks import cut
from referee.render.composer import PACKING, play_page
from referee.render.templates import inline_file

PLACE = "https://games.example.test/play.html"

pytestmark = pytest.mark.timeout(600)


def report_of(club: Club, game: str = "nord", **more: Any) -> Mail:
    """Begin a match of Alice and Bob; return Alice's report."""
    first, second = registry.find_installed(game).colours[:2]
    club.new_match(game, f"{first}={ALICE}", f"{second}={BOB}", **more)
    club.work()
    return club.last(ALICE, "report")


@pytest.fixture
def page(club: Club) -> bytes:
    """Return the page of a report of Nord."""
    found = page_of(report_of(club))
    assert found is not None
    return found


def spot(hand: Hand, name: str) -> Any:
    """Return the button of a space."""
    return hand.browser.driver.find_element("css selector", f'.spot[data-key="{name}"]')


def spots(hand: Hand) -> set[str]:
    """Return the names of all spaces that can be pressed."""
    found = "return [...document.querySelectorAll('.spot')].map((each) => each.dataset.key)"
    return set(hand.browser.run(found))


def press(hand: Hand, selector: str) -> None:
    """Press a button of the page."""
    hand.press(hand.browser.driver.find_element("css selector", selector))


def link(turn: bytes) -> str:
    """Return the part of a link that holds a turn."""
    return urlsafe_b64encode(compress(turn)).decode().rstrip("=")


def turn_in(fragment: str) -> str:
    """Return the turn that such a part of a link holds."""
    return decompress(urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4))).decode()


@pytest.fixture
def linked(club: Club, mouse: Hand) -> str:
    """Write the page for links beside the mouse; return what the link of a report holds."""
    club.settle(composer=PLACE)
    mail = report_of(club)
    (mouse.folder / "play.html").write_text(play_page("de", REFEREE), encoding="utf-8")
    return mail.html.partition(f'href="{PLACE}#')[2].partition('"')[0]


def follow(hand: Hand, fragment: str) -> None:
    """Open the page for links with what a link holds behind its #."""
    hand.browser.driver.get("about:blank")
    hand.browser.driver.get(f"{(hand.folder / 'play.html').as_uri()}#{fragment}")
    hand.wait()


@pytest.mark.parametrize("game", ["nord", "origo", "pebbles"])
@pytest.mark.parametrize(
    ("scheme", "width"),
    some([("dark", 380), ("light", 900)], [("light", 380), ("dark", 900)]),
)
def test_the_page_is_quiet_narrow_and_accessible(
    club: Club, mouse: Hand, game: str, width: int, scheme: str
) -> None:
    """Before, amid and after composing it does not scroll sideways, and axe finds nothing."""
    found = page_of(report_of(club, game))
    assert found is not None
    browser = mouse.browser
    try:
        browser.media(scheme=scheme)
        mouse.open(found, width)
        assert browser.overflow() <= 0
        assert browser.axe() == []
        mouse.press(mouse.choices()[0])
        assert browser.axe() == []
        press(mouse, "#again")
        mouse.compose(Random(1))
        assert browser.axe() == []
        assert browser.overflow() <= 0
        assert browser.console() == []
    finally:
        browser.media()


def test_where_most_of_a_board_can_be_chosen_it_is_not_buried(club: Club, mouse: Hand) -> None:
    """A dot takes the place of frame and plus on each free space, and the legend says so."""
    found = page_of(report_of(club, "origo"))
    assert found is not None
    mouse.open(found)
    assert mouse.browser.text("#legend").startswith("•")
    shown = "return getComputedStyle(document.querySelector('.spot'), arguments[0])[arguments[1]]"
    assert mouse.browser.run(shown, None, "boxShadow") == "none"
    assert mouse.browser.run(shown, "::before", "content") == '""'
    mouse.press(mouse.choices()[0])
    assert mouse.browser.text("#legend").startswith("+")


def test_only_what_can_become_an_order_stays(club: Club, mouse: Hand) -> None:
    """After a space those remain that stand in one order with it, whichever came first."""
    mail = report_of(club)
    legal = [set(each.split()[1:]) for each in mail.turn_file["legal"] if each.startswith("place")]
    pair = next(each for each in legal if len(each) == 2)
    found = page_of(mail)
    assert found is not None
    for first in sorted(pair):
        mouse.open(found)
        assert spots(mouse) == set().union(*legal)
        mouse.press(spot(mouse, first))
        assert spots(mouse) == set().union(*(each for each in legal if first in each))
        (second,) = pair - {first}
        # Where nothing else can follow the page has chosen it already.
        if "chosen" not in str(spot(mouse, second).get_attribute("class")):
            mouse.press(spot(mouse, second))
        answer = mouse.mail()
        assert answer is not None
        assert set(answer.lines[0].split()[1:]) == pair
        assert answer.lines[0] in mail.turn_file["legal"]


def test_a_choice_is_taken_back(mouse: Hand, page: bytes) -> None:
    """A chosen space pressed again, × in the list, and “Start again” lead back."""
    mouse.open(page)
    before = spots(mouse)
    for undo in ("again", "×", "spot"):
        name = min(before)
        mouse.press(spot(mouse, name))
        assert "chosen" in spot(mouse, name).get_attribute("class")
        selector = {"again": "#again", "×": "#orders button", "spot": f'[data-key="{name}"].spot'}
        press(mouse, selector[undo])
        assert spots(mouse) == before
        assert mouse.mail() is None


def test_several_orders_go_into_one_mail(club: Club, mouse: Hand) -> None:
    """Each is a line of its own in the box; one is taken out again by its ×."""
    mail = report_of(club, "origo")
    found = page_of(mail)
    assert found is not None
    mouse.open(found)
    one = mouse.compose(Random(1))
    press(mouse, "#more")
    both = mouse.compose(Random(2))
    assert len(both.lines) == 2
    assert both.lines[0] == one.lines[0]
    assert mouse.browser.shown("#risk")
    press(mouse, "#orders button")
    answer = mouse.mail()
    assert answer is not None
    assert answer.lines == both.lines[1:]


def test_a_preview_plays_nothing(club: Club, mouse: Hand) -> None:
    """With the tick the mail asks for a preview, and the referee answers with one."""
    found = page_of(report_of(club))
    assert found is not None
    mouse.open(found)
    mouse.compose(Random(1))
    press(mouse, "#try")
    answer = mouse.mail()
    assert answer is not None
    assert answer.lines[0] == "preview"
    before = club.match("nord-1").seq
    club.put(answer.sent_by(ALICE, 1))
    assert club.match("nord-1").seq == before
    assert answer.lines[1] in club.last(ALICE).text


def test_the_text_is_copied(mouse: Hand, page: bytes) -> None:
    """Where no mail program is the text can be copied; the page says whom it goes to."""
    mouse.open(page)
    answer = mouse.compose(Random(1))
    press(mouse, "#copy")
    mouse.browser.driver.implicitly_wait(0)
    shown = str(mouse.browser.run("return document.getElementById('text').value"))
    assert shown == answer.body.replace("\r\n", "\n")
    for _ in range(100):
        if mouse.browser.text("#copied"):
            break
    assert REFEREE in mouse.browser.text("#copied")


def test_arrows_lead_over_the_board(browser: Browser, tmp_path: Path, page: bytes) -> None:
    """One spot is in the way of the tabulator; Home, End and arrows lead to all others."""
    keyboard = Keyboard(browser, tmp_path)
    keyboard.open(page)
    names = spots(keyboard)
    while "spot" not in str(browser.driver.switch_to.active_element.get_attribute("class")):
        browser.press("tab")
    seen = set()
    for _ in range(len(names)):
        seen.add(browser.driver.switch_to.active_element.get_attribute("data-key"))
        browser.press("arrow_right")
    assert seen == names
    browser.press("home", "arrow_down")
    active = browser.driver.switch_to.active_element
    assert "can be chosen" in active.get_attribute("aria-label")
    active.send_keys(Keys.ENTER)
    assert "chosen" in browser.driver.switch_to.active_element.get_attribute("aria-label")


def test_keys_of_the_browser_move_nothing(browser: Browser, tmp_path: Path, page: bytes) -> None:
    """With Alt, Ctrl, Shift or Meta an arrow is the browser's, which goes back by it."""
    keyboard = Keyboard(browser, tmp_path)
    keyboard.open(page)
    sent = (
        "const spot = document.querySelector('.spot[tabindex=\"0\"]'); spot.focus();"
        "const more = {key: 'ArrowRight', bubbles: true, cancelable: true, [arguments[0]]: true};"
        "return spot.dispatchEvent(new KeyboardEvent('keydown', more)) "
        "&& document.activeElement === spot"
    )
    assert [browser.run(sent, f"{each}Key") for each in ("alt", "ctrl", "shift", "meta")] == [
        True, True, True, True,
    ]  # fmt: skip
    assert browser.run(sent, "none") is False


def test_what_is_taken_out_leaves_the_keyboard_a_place(
    browser: Browser, tmp_path: Path, page: bytes
) -> None:
    """After × by key the focus stands on a button that shows, though the list is closed."""
    keyboard = Keyboard(browser, tmp_path)
    keyboard.open(page)
    browser.run("document.querySelector('#choices details').open = false")
    keyboard.press(spot(keyboard, min(spots(keyboard))))
    browser.run(
        "for (const each of document.querySelectorAll('#choices details')) each.open = false"
    )
    keyboard.press(browser.driver.find_element("css selector", "#orders button"))
    assert browser.run("return document.activeElement !== document.body")
    assert browser.run("return document.activeElement.matches('summary, #choices button')")


def test_a_finger_gets_room(browser: Browser, tmp_path: Path, page: bytes) -> None:
    """On a phone “zoom in” makes every spot 44 pixels large, and shows where there are some."""
    finger = Finger(browser, tmp_path)
    finger.open(page)
    size = "return document.querySelector('.spot').getBoundingClientRect().width"
    assert browser.run(size) < 44
    press(finger, "#zoom")
    assert browser.run(size) >= 44
    assert browser.overflow() <= 0
    finger.press(spot(finger, min(spots(finger))))
    assert browser.run("return document.querySelectorAll('.spot.chosen').length") > 0
    small = [
        each.text
        for each in browser.driver.find_elements("css selector", "button, a.main, summary")
        if each.is_displayed() and min(each.size.values()) < 44
    ]
    assert small == []
    assert browser.axe() == []


def test_a_page_without_scripts_says_what_to_do(browser: Browser, page: bytes, mouse: Hand) -> None:
    """Where no script may run the page refers to the mail."""
    file = mouse.folder / "turn.html"
    file.write_bytes(page)
    try:
        browser.without_script()
        browser.open(file)
        box = browser.driver.find_element("css selector", "#fault")
        # It shows after a moment, which a page whose script runs does not wait for.
        early = box.is_displayed()
        WebDriverWait(browser.driver, 30).until(lambda _: box.is_displayed())
        told = box.text
    finally:
        browser.without_script(off=False)
    assert "answer the mail" in told
    assert not early


def test_a_turn_that_is_over_is_known(club: Club, mouse: Hand) -> None:
    """After its time the page says so, and before it does not."""
    found = page_of(report_of(club))
    assert found is not None
    mouse.open(found)
    stand = "const now = Date.parse(arguments[0]); Date.now = () => now;"
    due = club.match("nord-1").due
    assert due is not None
    for moment, late in ((due, False), (due.replace(year=due.year + 1), True)):
        mouse.browser.run(stand, moment.isoformat())
        press(mouse, "#again")
        notes = mouse.browser.text("#notes")
        assert ("time of this turn is over" in notes) is late
        assert ("if the match has waited, your orders count" in notes) is late


def test_an_older_page_knows_of_a_newer_one(club: Club, mouse: Hand) -> None:
    """Once a later page of the match was opened here, the older one says so."""
    report = report_of(club)
    first = page_of(report)
    assert first is not None
    order = next(each for each in report.turn_file["legal"] if each.startswith("place"))
    club.answer(report, order, ALICE)
    club.work()
    other = page_of(club.last(BOB, "report"))
    assert other is not None
    mouse.open(first)
    mouse.browser.run("localStorage.clear()")
    press(mouse, "#again")
    mouse.open(other)
    mouse.open(first)
    # Bob's page is another seat's; only one of Alice's own is newer.
    assert "newer page" not in mouse.browser.text("#notes")
    code = cut(report.text).boxes[0].code
    # Another referee's match may bear the same name.
    name = f"referee {REFEREE} nord-1 {code[4:]}"
    kept = mouse.browser.run("return Object.keys(localStorage)")
    assert name in kept
    # Whoever reads what browsers keep cannot play by it.
    assert not any(code[:4] in each for each in kept)
    mouse.browser.run("localStorage.setItem(arguments[0], '9999')", name)
    mouse.open(first)
    assert "newer page" in mouse.browser.text("#notes")
    mouse.browser.run("localStorage.clear()")


def test_a_forged_link_calls_no_true_page_out_of_date(club: Club, mouse: Hand, linked: str) -> None:
    """Whoever makes a link does not know the code of the box, by which the page remembers pages."""
    follow(mouse, linked)
    mouse.browser.run("localStorage.clear()")
    turn, code = json.loads(turn_in(linked)), format_code(club.code("nord-1", "red"))
    at, (head, end) = turn["at"], turn["box"]
    later = {**turn, "at": 9999, "box": [head.replace(f"e{at} ", "e9999 "), end]}
    forged = json.dumps(later).replace(code, "ABCD-EFGH")
    for opened, told in ((forged, False), (json.dumps(later), True)):
        follow(mouse, link(opened.encode()))
        assert mouse.browser.text("#headline") == "It is your turn, Red"
        follow(mouse, linked)
        # Only a later page with the same code is one of this turn.
        assert ("newer page" in mouse.browser.text("#notes")) is told
    mouse.browser.run("localStorage.clear()")


def test_an_answer_from_an_old_page_is_told_the_state(club: Club, mouse: Hand) -> None:
    """An answer sent a second time from a page changes nothing, and is answered so."""
    found = page_of(report_of(club))
    assert found is not None
    mouse.open(found)
    answer = mouse.compose(Random(3))
    club.put(answer.sent_by(ALICE, 1))
    club.work()
    before = club.match("nord-1").seq
    club.mails(ALICE)
    mouse.open(found)
    late = mouse.compose(Random(9))
    club.put(late.sent_by(ALICE, 2))
    assert club.match("nord-1").seq == before
    assert "turn" in club.last(ALICE).text


def test_a_link_opens_the_same_page(club: Club, mouse: Hand, linked: str) -> None:
    """The page for links composes as the attached one does, in the language of the turn."""
    follow(mouse, linked)
    assert mouse.browser.text("#headline") == "It is your turn, Red"
    assert mouse.browser.text("#again") == "Start again"
    answer = mouse.compose(Random(1))
    before = club.match("nord-1").seq
    club.put(answer.sent_by(ALICE, 1))
    assert club.match("nord-1").seq > before
    assert mouse.browser.console() == []
    assert mouse.browser.axe() == []


def test_a_damaged_link_is_told_so(mouse: Hand, linked: str) -> None:
    """Cut, lowered, one letter changed, or empty: a clear message, and nothing to press."""
    half = len(linked) // 2
    swapped = "A" if linked[half] != "A" else "B"
    damaged = {
        linked[:half]: "cut or changed",
        linked[:-4]: "cut or changed",
        linked.lower(): "cut or changed",
        f"{linked[:half]}{swapped}{linked[half + 1 :]}": "cut or changed",
        link(b"[1, 2"): "cut or changed",
        link(b'{"v": %d}' % PACKING): "lines of its own",
        link(b'{"v": %d}' % (PACKING - 1)): "different versions",
        link(b'{"v": 99}'): "different versions",
        link(b"[]"): "different versions",
        link(b" " * 3_000_000): "cut or changed",
        "": "by the link in a mail",
    }
    for fragment, said in damaged.items():
        follow(mouse, fragment)
        assert said in mouse.browser.text("#fault"), fragment[:40]
        assert not mouse.browser.shown("#page")
        assert mouse.browser.console() == []
    assert mouse.browser.axe() == []


def test_a_browser_too_old_to_unpack_says_so(club: Club, mouse: Hand) -> None:
    """It names the way that is left, the answer to the mail."""
    found = page_of(report_of(club))
    assert found is not None
    path = mouse.folder / "old.html"
    script = inline_file("composer/unpack.js")
    old = script.text.replace("DecompressionStream", "NoSuchStream")
    digest = b64encode(sha256(old.encode()).digest()).decode()
    page = found.decode().replace(script.text, old).replace(script.hash, digest)
    path.write_text(page, encoding="utf-8")
    mouse.browser.driver.get(path.as_uri())
    assert "too old for the page. Answer the mail" in mouse.browser.text("#fault")
    assert mouse.browser.console() == []


def test_a_link_writes_nothing_of_its_own(club: Club, mouse: Hand, linked: str) -> None:
    """The mail holds the empty box of the turn that is shown and what is clicked, or nothing."""
    turn = json.loads(turn_in(linked))
    head, end = turn["box"]
    code, first = format_code(club.code("nord-1", "red")), turn["orders"].partition("\n")[0]
    forged: list[dict[str, Any]] = [
        {"box": [f"{head}\nresign", end]},
        {"box": [f"{head}\u2028resign", end]},
        {"box": [head, f"resign\n{end}"]},
        {"box": [head, f"{end}\r\nresign"]},
        {"box": [head, f"{end} resign"]},
        {"box": [head, "resign", end]},
        {"box": [head]},
        {"box": f"{head}\n{end}"},
        {"box": [f"{head} resign", end]},
        {"box": [head.replace(code, "resign"), end]},
        {"box": [head.replace("nord-1", "nord-2"), end]},
        {"box": [head.replace("Red", "Green"), end]},
        {"match": "nord-2"},
        {"seat": "Green"},
        {"turn": turn["turn"] + 1},
        {"at": turn["at"] + 1},
        {"subject": "Re: nord-1\r\nBcc: mallory@example.org"},
        {"orders": f"{turn['orders']}\n{first}\rresign"},
        {"ends": "done\nresign"},
        {"passes": "pass\nresign"},
    ]
    for changes in forged:
        follow(mouse, link(json.dumps({**turn, **changes}).encode()))
        assert "or the box of another match" in mouse.browser.text("#fault"), changes
        assert not mouse.browser.shown("#page")
    # Not even the word that makes a mail a mere try comes with the link.
    follow(mouse, link(json.dumps({**turn, "preview": "resign"}).encode()))
    press(mouse, "#try")
    assert mouse.compose(Random(1)).lines[0] == "preview"
    assert mouse.browser.console() == []


def test_a_foreign_link_gets_nothing(club: Club, mouse: Hand, linked: str) -> None:
    """A link made by somebody else cannot send orders elsewhere, nor bring markup along."""
    turn = turn_in(linked)
    local, code = REFEREE.partition("@")[0], format_code(club.code("nord-1", "red"))
    for foreign in (
        "mallory@example.org", "referee@example.test.example.org", "x@y@example.test",
        f"{local}+x,mallory@example.test", f"{local}+x%2Cmallory@example.test",
        f"{local}+@example.test", f"{local}+ABCDEFGH@example.test", f"mallory,{REFEREE}", "",
    ):  # fmt: skip
        follow(mouse, link(turn.replace(f'"to":"{REFEREE}"', f'"to":"{foreign}"').encode()))
        assert "not the referee" in mouse.browser.text("#fault"), foreign
        assert not mouse.browser.shown("#page")
    keyed = plus_address(REFEREE, code.replace("-", "").lower())
    follow(mouse, link(turn.replace(f'"to":"{REFEREE}"', f'"to":"{keyed}"').encode()))
    assert mouse.compose(Random(1)).to == keyed
    evil = (
        "<script>document.title='taken'</script><image href='https://example.org/x'/>"
        "<use href='https://example.org/x#y'/><rect fill='url(https://example.org/x)' "
        "onclick='document.title=1' style='fill:red'/><a href='javascript:1'>x</a></svg>"
    )
    follow(mouse, link(turn.replace("</svg>", evil.replace('"', "'"), 1).encode()))
    markup = str(mouse.browser.run("return document.getElementById('picture').innerHTML"))
    assert mouse.browser.text("#headline") == "It is your turn, Red"
    for each in ("<script", "<image", "example.org", "onclick", "style", "<a "):
        assert each not in markup
    assert mouse.browser.driver.title == "Nord, nord-1, turn 1"


def test_a_turn_is_ended_with_the_orders_that_are_clicked(club: Club, mouse: Hand) -> None:
    """Where a turn goes on until it is ended, the page offers that behind the first order."""
    begin_at(club, round_ends({"red": 5, "blue": 8, "black": 2}, {"black": ["people", "row:C"]}))
    report = club.last(CAROL, "report")
    found = page_of(report)
    assert found is not None
    mouse.open(found)
    assert not mouse.browser.driver.find_element("id", "closing").is_displayed()
    press(mouse, '#kinds [data-key="expand"]')
    mouse.press(spot(mouse, "I6"))
    press(mouse, "#end")
    answer = mouse.mail()
    assert answer is not None
    assert answer.lines == ["expand I6 with people", "done"]
    club.put(answer.sent_by(CAROL, 1))
    assert "Black ended the turn." in club.last(CAROL, "receipt").text


def test_nothing_is_sent_behind_what_ends_the_turn(club: Club, mouse: Hand) -> None:
    """Beside a pass no tick ends the turn once more, and no other order is offered behind it."""
    begin_at(club, round_ends({"red": 5, "blue": 8, "black": 2}, {"black": ["people", "row:C"]}))
    found = page_of(club.last(CAROL, "report"))
    assert found is not None
    mouse.open(found)
    press(mouse, '#kinds [data-key="expand"]')
    mouse.press(spot(mouse, "I6"))
    press(mouse, "#end")
    press(mouse, "#more")
    kinds = mouse.browser.driver.find_elements("css selector", "#kinds button")
    assert "pass" not in [each.text for each in kinds]
    press(mouse, "#orders button")
    press(mouse, '#kinds [data-key="pass"]')
    answer = mouse.mail()
    assert answer is not None
    assert answer.lines == ["pass"]
    assert not mouse.browser.shown("#closing")
    assert not mouse.browser.shown("#more")
