"""Pictures of mails and pages for the documents: ``make pictures`` writes ``docs/images``."""

from __future__ import annotations

import base64
import io
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from PIL import Image
from support.archived import by_bots, club_in, written
from support.browser import Browser, chromium
from support.club import ALICE, BOB, CAROL, Club, Mail

from referee.desk.archive.site.pages import Site
from referee.games import registry
from referee.value import Value

FOLDER: Final = Path(__file__).parents[2] / "docs" / "images"

MOST_BYTES: Final = 120_000
"""Bytes of a picture, at most."""

COLOURS: Final = (96, 64, 48, 32)
"""Colours of a picture: as many as its size allows."""

WIDE, NARROW, TALL = 680, 380, 1500
"""The width of a window and of a phone in pixels, and how much of a long mail is shown."""

WHOLE: Final = 3200
"""How much of a report is shown where one shall see what it asks for, in pixels."""

END: Final = """const after = [...document.querySelectorAll('h2')]
.find(each => each.textContent == 'The board as a table');
return Math.ceil(after ? after.getBoundingClientRect().top - 12
: document.body.getBoundingClientRect().bottom)"""
"""The end of what a reader looks at: the same board once more is for those without pictures."""


SHOWN: Final = {"nord": ("red", "green", "blue"), "origo": ("red", "black", "blue")}
"""The games shown, and the seats of Alice, Bob and Carol in them."""

TURNS: Final = {"nord": 28, "origo": 40}
"""The turns from which on a report is shown."""

CLASSICS: Final = {
    "chess": (
        "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7"
    ),
    "go": (
        "R16 D17 Q3 P17 C4 C14 E4 R5 Q15 O4 Q5 Q4 P4 R4 P3 P5 Q6 R3 O3 P6 "
        "Q7 P7 Q8 N4 N3 P8 Q9 M3 M2 L2 M4 L3 R2 S2 S1 N2 O2 Q2 Q1 R1"
    ),
    "backgammon": "",
    "hearts": "",
}
"""Further games, and how masters began them; the others are begun by chance."""

BEGUN: Final = 14
"""Letters of a game that is begun by chance."""

PEOPLE: Final = ("alice", "bob", "carol", "dave")

TOLD: Final = ("(3)", "attacked")
"""What the report says that is shown: three turns, and a fight."""

INBOX: Final = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><style>
body{{margin:0;font:15px/22px Helvetica,Arial,sans-serif;color:#1c2126;background:#fff}}
li{{display:flex;gap:14px;padding:9px 16px;border-bottom:1px solid #d5d0c5;white-space:nowrap}}
ul{{list-style:none;margin:0;padding:0}}b{{flex:none}}span{{overflow:hidden;text-overflow:ellipsis;
color:#55606a}}i{{flex:none;width:80px;font-style:normal}}</style><ul>{rows}</ul></html>"""


class Scenery(Value):
    """The mails and pages that pictures are taken of, as files."""

    club: Club
    folder: Path

    def mail(self, mail: Mail, name: str) -> Path:
        """Write the HTML part of a mail, its pictures inside, and return the file."""
        body = mail.message.get_body(("html",))
        assert body is not None
        # Not as a club reads it, which takes every blank for one: chips are padded by wide ones.
        html = str(body.get_content())
        for part in mail.message.walk():
            if found := part.get("Content-ID"):
                data = base64.b64encode(part.get_payload(decode=True)).decode()
                source = f"data:{part.get_content_type()};base64,{data}"
                html = html.replace(f"cid:{str(found).strip('<> ')}", source)
        path = self.folder / f"{name}.html"
        path.write_text(html, encoding="utf-8")
        return path

    def attached(self, mail: Mail, ending: str) -> Path:
        """Write an attachment of a mail and return the file."""
        for part in mail.message.iter_attachments():
            if str(part.get_filename()).endswith(ending):
                path = self.folder / str(part.get_filename())
                path.write_bytes(part.get_payload(decode=True))
                return path
        raise LookupError(ending)


def report_of(club: Club, game: str, colours: Sequence[str], turn: int) -> Mail:
    """Let three people play a match by chance; return a telling report of Alice's.

    It is of the turn or a later one.
    """
    rng = Random(7)
    people = (ALICE, BOB, CAROL)
    seats = (f"{colour}={each}" for colour, each in zip(colours, people, strict=True))
    row = club.new_match(game, *seats)
    club.work()
    reports = {each: club.last(each, "report") for each in people}
    able = dict(reports)
    # One mail a turn of hers, so that it tells what both others did.
    club.answer(reports[ALICE], "set mails turns", ALICE)
    while row.state == "running":
        for each in people:
            for mail in club.mails(each):
                if mail.kind in {"report", "receipt"}:
                    able[each] = mail
                if mail.kind == "report":
                    reports[each] = mail
        acting = next(each for each in people if able[each].turn_file.get("legal"))
        found = able[acting].turn_file
        latest = reports[ALICE]
        ripe = acting == ALICE and found["turn"] >= turn and able[ALICE] is latest
        if ripe and all(each in latest.text for each in TOLD):
            return latest
        orders = [str(order) for order in found["legal"]]
        # Attacks make a picture worth looking at.
        bold = [order for order in orders if order.startswith("attack")]
        club.later(hours=5)
        club.answer(able[acting], rng.choice(bold or orders), acting)
        club.work()
        row = club.match(row.name)
    raise LookupError(turn)


def classic_report(club: Club, name: str, moves: Sequence[str]) -> Mail:
    """Let a further game be begun by mail, and return a report to whoever is to act."""
    rng = Random(7)
    game = registry.find_installed(name)
    # Others than in the next game, each with reports of this one alone.
    people = {
        seat: f"{person}@{name}.example.test"
        for seat, person in zip(game.colours[: game.seats[0]], PEOPLE, strict=False)
    }
    row = club.new_match(name, *(f"{seat}={address}" for seat, address in people.items()))
    reports: dict[str, Mail] = {}
    letters = moves or [""] * BEGUN
    for move in [*letters, ""]:
        club.work()
        for address in people.values():
            for mail in club.mails(address):
                if mail.kind == "report":
                    reports[address] = mail
        acting = people[str(club.match(row.name).to_act)]
        report = reports[acting]
        legal = [str(order) for order in report.turn_file["legal"]]
        club.answer(report, move or rng.choice(legal), acting)
    return report


def pictures(browser: Browser) -> Iterator[tuple[str, bytes]]:
    """Yield the name and bytes of each picture."""
    with TemporaryDirectory() as folder, club_in(Path(folder) / "club") as club:
        club.settle(pictures=True)
        scenery = Scenery(club, Path(folder))
        shown: list[Mail] = []
        for game, colours in SHOWN.items():
            mail = report_of(club, game, colours, TURNS[game])
            if not shown:
                # At once, for the other match takes weeks.
                club.answer(mail, "place A1", ALICE)
                club.work()
                refused = club.last(ALICE, "receipt")
            shown.append(mail)
            page = scenery.mail(mail, f"report-{game}")
            yield f"report-{game}.png", shot(browser, page, WIDE, tall=WHOLE)
            yield f"report-{game}-dark.png", shot(browser, page, WIDE, scheme="dark")
            yield f"report-{game}-phone.png", shot(browser, page, NARROW)
        for game, moves in CLASSICS.items():
            page = scenery.mail(classic_report(club, game, moves.split()), f"report-{game}")
            yield f"report-{game}.png", shot(browser, page, NARROW)
        shown.append(refused)
        yield "receipt-refused.png", shot(browser, scenery.mail(refused, "receipt"), WIDE)
        composer = scenery.attached(shown[0], "turn.html")
        yield "composer.png", shot(browser, composer, 900)
        club.new_match("nord", f"red={ALICE}", f"green={BOB}", begins=False)
        club.work()
        shown.append(club.last(ALICE, "invitation"))
        yield "invitation.png", shot(browser, scenery.mail(shown[-1], "invitation"), WIDE)
        yield "inbox.png", shot(browser, inbox(scenery, shown), 900)
        match = by_bots(club, "nord", 3)
        written(Site(club.desk, Path(folder) / "pages", "en"))
        page = Path(folder) / "pages" / "matches" / f"{match}.html"
        yield "archive.png", shot(browser, page, 900, prepare=halfway)


def halfway(browser: Browser) -> None:
    """Show a step in the second half of a match."""
    browser.run(
        "const s = document.getElementById('step'); s.value = Math.round(s.max * 0.62);"
        "s.dispatchEvent(new Event('input'))"
    )


def inbox(scenery: Scenery, mails: list[Mail]) -> Path:
    """Write the list of mails as a mail program shows it, and return the file."""
    rows = []
    for mail in mails:
        first = re.sub(r"\s+", " ", mail.text)[:160]
        subject = escape(str(mail.message["Subject"]))
        rows.append(f"<li><i>Referee</i><b>{subject}</b><span>{escape(first)}</span></li>")
    path = scenery.folder / "inbox.html"
    path.write_text(INBOX.format(rows="".join(rows)), encoding="utf-8")
    return path


def shot(
    browser: Browser,
    page: Path,
    width: int,
    *,
    scheme: str = "light",
    tall: int = TALL,
    prepare: Callable[[Browser], None] | None = None,
) -> bytes:
    """Return the upper part of a page as PNG."""
    browser.media(scheme=scheme)
    browser.driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
    browser.open(page, width=width)
    high = min(int(browser.run(END)), tall)
    # As tall as the picture before anything is scrolled into sight, or it would be out of it again.
    window = {"width": width, "height": high, "deviceScaleFactor": 1, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", window)
    if prepare is not None:
        prepare(browser)
    clip = {"x": 0, "y": 0, "width": width, "height": high, "scale": 1}
    taken = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip})
    return small(base64.b64decode(taken["data"]))


def small(data: bytes) -> bytes:
    """Return a picture with as many colours as its size allows."""
    image = Image.open(io.BytesIO(data)).convert("RGB")
    for colours in COLOURS:
        out = io.BytesIO()
        few = image.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        few.save(out, "PNG", optimize=True)
        if out.tell() <= MOST_BYTES:
            break
    return out.getvalue()


NAMES: Final = (
    *(f"report-{game}{kind}.png" for game in SHOWN for kind in ("", "-dark", "-phone")),
    *(f"report-{game}.png" for game in CLASSICS),
    "receipt-refused.png", "composer.png", "invitation.png", "inbox.png", "archive.png",
)  # fmt: skip
"""The pictures that are written, and no others lie in the folder."""


def main() -> None:
    """Write all pictures anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        for name, data in pictures(browser):
            (FOLDER / name).write_bytes(data)
            sys.stdout.write(f"{name} {len(data)}\n")


if __name__ == "__main__":
    main()
