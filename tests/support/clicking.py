"""A player who composes orders on the page of a mail, by mouse, touch or keyboard."""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64decode
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait
from support.browser import Browser
from support.club import Mail

READY = "return document.documentElement.dataset.ready"
NEXT = """
const open = (each) => !each.classList.contains("chosen");
return [...document.querySelectorAll("#spots button, #choices .row button")].filter(open);
"""
MIDDLE = "arguments[0].scrollIntoView({block: 'center', inline: 'center'})"
HREF = "return document.getElementById('send').getAttribute('href')"
MOST_CLICKS = 60
MOST_KEYS = 300


def page_of(mail: Mail) -> bytes | None:
    """Return the page attached to a mail; None without one."""
    for part in mail.message.iter_attachments():
        if part.get_filename() == "turn.html":
            page = part.get_payload(decode=True)
            assert isinstance(page, bytes)
            return page
    return None


def unpacked(text: str) -> Any:
    """Return the turn, or the rest of a page, as the page unpacks it."""
    return json.loads(zlib.decompress(urlsafe_b64decode(text + "=" * (-len(text) % 4))))


def packed_in(page: str, name: str) -> Any:
    """Return what a page holds packed under a name: its ``turn``, or its rest, ``packed``."""
    found = re.search(rf'id="{name}">([\w-]+)</script>', page)
    assert found
    return unpacked(found[1])


@dataclass(frozen=True)
class Written:
    """The mail that a ``mailto:`` link opens."""

    to: str
    subject: str
    body: str

    @property
    def lines(self) -> list[str]:
        """The lines inside the order box."""
        return self.body.split("\r\n")[1:-1]

    def sent_by(self, sender: str, number: int) -> bytes:
        """Return it as a letter, as a mail program sends it."""
        message = EmailMessage()
        message["From"] = sender
        message["To"] = self.to
        message["Subject"] = self.subject
        message["Message-ID"] = f"<page-{number}@example.test>"
        message.set_content(f"{self.body}\n\n-- \nSent from my browser\n")
        return message.as_bytes()


def written(link: str) -> Written:
    """Return the mail of a ``mailto:`` link (RFC 6068)."""
    parts = urlsplit(link)
    assert parts.scheme == "mailto"
    # A plus sign stands for itself in these links.
    fields = parse_qs(parts.query.replace("+", "%2B"), strict_parsing=True)
    return Written(unquote(parts.path), fields["subject"][0], fields["body"][0])


class Hand:
    """A hand that clicks with the mouse."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser = browser
        self.folder = folder

    def open(self, page: bytes, width: int = 900) -> None:
        """Open a page, as a mail program opens an attachment."""
        file = self.folder / "turn.html"
        file.write_bytes(page)
        self.browser.open(file, width)
        self.wait()

    def wait(self) -> None:
        """Wait until the page shows its turn or says why not."""
        WebDriverWait(self.browser.driver, 30, 0.02).until(lambda _: self.browser.run(READY))

    def press(self, element: Any) -> None:
        """Press a button of the page."""
        self.browser.run(MIDDLE, element)
        element.click()

    def choices(self) -> list[Any]:
        """Return the buttons of all that can be chosen next."""
        found: list[Any] = self.browser.run(NEXT)
        return [each for each in found if each.is_displayed()]

    def mail(self) -> Written | None:
        """Return the mail the page would open; None while nothing is composed."""
        link = self.browser.run(HREF)
        return None if link is None else written(link)

    def compose(self, rng: Random, soon: frozenset[str] = frozenset()) -> Written:
        """Compose one order at random; the page shows nothing that cannot go.

        Half the time it is one of the keywords in ``soon``, where they can be chosen.
        """
        kinds = self.browser.driver.find_elements("css selector", "#kinds button")
        before = self.mail()
        kept = len(before.lines) if before else 0
        brief = [each for each in kinds if each.text in soon]
        self.press(rng.choice(brief if brief and rng.random() < 0.5 else kinds))
        for _ in range(MOST_CLICKS):
            found, choices = self.mail(), self.choices()
            # What can be sent may often be longer.
            whole = found is not None and len(found.lines) > kept
            if found is not None and whole and (not choices or rng.random() < 0.5):
                return found
            assert choices, "neither a choice nor an order"
            self.press(rng.choice(choices))
        raise AssertionError("an order without an end")


class Finger(Hand):
    """A finger on a narrow screen."""

    def open(self, page: bytes, width: int = 380) -> None:
        """Open a page on a phone."""
        super().open(page, width)

    def press(self, element: Any) -> None:
        """Touch the middle of a button."""
        run, driver = self.browser.run, self.browser.driver
        run(MIDDLE, element)
        x, y = run(
            "const r = arguments[0].getBoundingClientRect();"
            "return [r.left + r.width / 2, r.top + r.height / 2]",
            element,
        )
        touch = {"x": x, "y": y}
        driver.execute_cdp_cmd(
            "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [touch]}
        )
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


class Keyboard(Hand):
    """Somebody without a mouse: the tabulator, arrows and the space bar."""

    def press(self, element: Any) -> None:
        """Go to a button by keys alone, and press it."""
        driver, spot = self.browser.driver, "return arguments[0].matches('.spot')"
        wanted = self.browser.run(spot, element)
        for _ in range(MOST_KEYS):
            active = driver.switch_to.active_element
            if active == element:
                active.send_keys(Keys.SPACE)
                return
            # On the board arrows lead from space to space; the tabulator leaves it.
            inside = wanted and self.browser.run(spot, active)
            ActionChains(driver).send_keys(Keys.ARROW_RIGHT if inside else Keys.TAB).perform()
        raise AssertionError("a button that no key leads to")
