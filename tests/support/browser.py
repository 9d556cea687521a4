"""A headless Chromium, driven over its own protocol, that pages of the archive are opened in."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.keys import Keys

AXE = Path(__file__).parent.parent / "vendor" / "axe" / "axe.min.js"
SEARCH = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations"]}).then(
  (found) => done(found.violations.map((each) => each.id + ": " + each.nodes[0].html)));
"""
WIDER = """
const over = (e) => Math.round(e.scrollWidth - e.clientWidth);
const frames = [...document.querySelectorAll("iframe")];
return frames.map((frame) => over(frame.contentDocument.documentElement));
"""
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--disable-background-networking", "--no-first-run")  # fmt: skip


class Browser:
    """A browser with one page open."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, page: Path, width: int = 1000) -> None:
        """Open a file, as wide as told, and forget what the console said before."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False},
        )
        self.driver.get_log("browser")
        self.driver.get(page.as_uri())

    def console(self) -> list[str]:
        """Return what the console said since the page was opened."""
        return [each["message"] for each in self.driver.get_log("browser")]

    def run(self, script: str, *given: Any) -> Any:
        """Return what a script returns."""
        return self.driver.execute_script(script, *given)

    def text(self, selector: str) -> str:
        """Return the text of an element."""
        return str(self.run("return document.querySelector(arguments[0]).textContent", selector))

    def shown(self, selector: str) -> bool:
        """Tell whether an element takes room on the page."""
        found = "return document.querySelector(arguments[0]).getClientRects().length > 0"
        return bool(self.run(found, selector))

    def press(self, *names: str) -> None:
        """Press keys, one after the other, wherever the focus is."""
        keys = [getattr(Keys, each.upper()) for each in names]
        self.driver.switch_to.active_element.send_keys(*keys)

    def click(self, selector: str) -> None:
        """Click an element."""
        self.driver.find_element("css selector", selector).click()

    def overflow(self) -> int:
        """Return by how many pixels the page is wider than its window."""
        wide = "const e = document.documentElement; return e.scrollWidth - e.clientWidth"
        return int(self.run(wide))

    def wider(self, pages: Sequence[str], width: int) -> dict[int, int]:
        """Return which of many pages are wider than a window, and by how many pixels."""
        frames = "".join(
            f'<iframe width="{width}" height="500" scrolling="no" srcdoc="{escape(page)}"></iframe>'
            for page in pages
        )
        with TemporaryDirectory() as folder:
            page = Path(folder, "pages.html")
            page.write_text(f"<!DOCTYPE html><meta charset='utf-8'>{frames}", encoding="utf-8")
            self.open(page)
            wide: list[int] = self.run(WIDER)
        return {n: by for n, by in enumerate(wide) if by > 0}

    def axe(self) -> list[str]:
        """Return what axe-core objects to in the page."""
        self.run(AXE.read_text(encoding="utf-8"))
        found: list[str] = self.driver.execute_async_script(SEARCH)
        return found

    def media(self, media: str = "", scheme: str = "light") -> None:
        """Show the page as printed, or in a colour scheme."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"media": media, "features": features}
        )

    def without_script(self, off: bool = True) -> None:
        """Let no page run scripts from now on, or let them again."""
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": off})


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium; skip the test where it is not installed."""
    missing = [each for each in ("chromium", "chromedriver") if shutil.which(each) is None]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not installed: apt-get install chromium-driver")
    options = Options()
    options.binary_location = str(shutil.which("chromium"))
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        # A page in which much is to be looked at takes long on a busy machine.
        driver.set_script_timeout(300)
        yield Browser(driver)
    finally:
        driver.quit()
