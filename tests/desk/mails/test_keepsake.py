"""The last mail's attachments: the record, compressed, and a page that replays the match."""

from __future__ import annotations

import gzip
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from support.archived import by_mail, club_in, record_of
from support.browser import Browser, chromium
from support.club import ALICE, BOB, Mail
from support.thorough import some

MOST_BYTES = 300_000
"""Bytes of the last mail of any match with its picture, as they are sent."""


def attached(mail: Mail) -> dict[str, bytes]:
    """Return the attachments of a mail by name."""
    return {
        str(part.get_filename()): part.get_payload(decode=True)
        for part in mail.message.iter_attachments()
    }


def page_in(data: bytes) -> tuple[str, str]:
    """Return name and text of the one page in a keepsake."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        (name,) = archive.namelist()
        return name, archive.read(name).decode()


@pytest.mark.parametrize(("game", "after"), some([("pebbles", 0), ("nord", 30)], [("origo", 60)]))
def test_the_last_mail_brings_record_and_keepsake(game: str, after: int, tmp_path: Path) -> None:
    """Both are told in the text; the mail stays small, and the page needs nothing else."""
    with club_in(tmp_path) as club:
        club.settle(pictures=True)
        name = by_mail(club, game, most=4000, after=after)
        record = record_of(club, name)
        for who in (ALICE, BOB):
            mail = club.last(who, "report")
            found = attached(mail)
            assert gzip.decompress(found[f"{name}.record.jsonl.gz"]) == record
            told, page = page_in(found[f"{name}.zip"])
            assert told == f"{name}.html"
            for text in (mail.text, mail.html):
                assert f"{name}.zip" in text
                assert f"verify {name}.record.jsonl.gz" in text
            assert "default-src 'none'" in page
            assert 'href="../' not in page
            assert page.count('<li id="s') == club.match(name).seq
            assert len(mail.raw) < MOST_BYTES


def test_a_record_too_large_for_a_mail_is_not_missed_silently(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mail says who has it."""
    monkeypatch.setattr("referee.desk.mails.report.MOST_ATTACHED", 100)
    with club_in(tmp_path) as club:
        by_mail(club)
        mail = club.last(ALICE, "report")
        assert attached(mail).keys() == {"turn.json"}
        for text in (mail.text, mail.html):
            assert "The record of the match is too large for a mail." in " ".join(text.split())


def test_a_match_that_cannot_be_drawn_ends_without_keepsake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of the page never keeps the result from anybody."""
    monkeypatch.setattr("referee.render.site.pages.match_page", lambda *_: 1 / 0)
    with club_in(tmp_path) as club:
        name = by_mail(club)
        mail = club.last(ALICE, "report")
        assert f"{name}.zip" not in attached(mail)
        assert f"{name}.zip" not in mail.text
        assert f"{name}.record.jsonl.gz" in attached(mail)


@pytest.fixture
def browser() -> Browser:  # type: ignore[misc]
    """Return a browser."""
    with chromium() as found:
        yield found


@pytest.mark.timeout(600)
def test_the_keepsake_replays_the_match(tmp_path: Path, browser: Browser) -> None:
    """Opened from a disk alone it shows each step; axe finds nothing, the console is silent."""
    with club_in(tmp_path) as club:
        name = by_mail(club)
        file, page = page_in(attached(club.last(BOB, "report"))[f"{name}.zip"])
    path = tmp_path / file
    path.write_text(page, encoding="utf-8")
    browser.open(path, width=380)
    assert not browser.run("return document.querySelectorAll('a[href]').length")
    browser.press("home", "arrow_right")
    assert browser.text("#now").startswith("1. ")
    assert (browser.axe(), browser.console(), browser.overflow()) == ([], [], 0)
