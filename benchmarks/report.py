"""CPU and size of a whole report, beside a yardstick.

Text, HTML, picture, the page on which orders are composed, turn file: to the seat that acts, in a
match of which a number of turns were played. Each figure is the least of many: other work on the
machine only adds to it. Measured are a report whose picture was drawn before,
one whose picture is another each time, and one with neither picture nor page. The yardstick is one
multipart mail of as many bytes. The last line is the report of a seat that waits.
Run: python benchmarks/report.py [GAME ...]
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from email import policy
from email.message import EmailMessage
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.club import Club, Mail, letter, open_club

from referee.desk.mails import report
from referee.desk.matches import ledger
from referee.games import registry
from referee.render.drawings import raster

TURNS = 30
REPEATS = 60
MOST_MS = {"kept": 25, "bare": 8}
YARDSTICK_MS = 3.0
"""A machine on which the yardstick takes longer is slow or busy, and gets more time for all."""
MOST_BYTES = {"html": 60_000, "picture": 60_000, "page": 120_000}
MOST_WORDS = {"origo": 275}
PEOPLE = ("alice@example.test", "bob@example.test", "carol@example.test")


class Undone(Exception):
    """A mail was written and measured, and is not kept."""


def main() -> None:
    """Print figures of each game; fail where one is over its limit."""
    good = [_measured(name) for name in sys.argv[1:] or registry.game_names()]
    sys.exit(0 if all(good) else 1)


def _measured(name: str) -> bool:
    game = registry.find_installed(name)
    holders = dict(zip(game.colours, PEOPLE, strict=False))
    with tempfile.TemporaryDirectory() as folder:
        club = open_club(Path(folder))
        club.settle(pictures=True)
        last = _play(club, name, holders)
        seat = club.match(f"{name}-1").to_act
        if seat is None:
            print(f"{name:8} is over before {TURNS} turns")
            club.desk.store.close()
            return True
        mail = last[holders[seat]]
        waits = last[next(each for at, each in holders.items() if at != seat)]
        times = {"kept": _again(club, name, seat)}
        times["drawn"] = _again(club, name, seat, raster.pictures.clear)
        club.settle(pictures=False)
        club.answer(mail, "set composer off", holders[seat])
        times["bare"] = _again(club, name, seat)
        club.desk.store.close()
    bare = _yardstick(len(mail.message.as_bytes()))
    slower = max(bare / YARDSTICK_MS, 1)
    limits = {which: most * slower for which, most in MOST_MS.items()}
    for which, found in times.items():
        most = f", at most {limits[which]:.1f}" if which in limits else ""
        print(f"{name:8} {which:5} {found:6.2f} ms of CPU{most}, ratio {found / bare:5.2f}")
    sizes = _sizes(mail)
    told = ", ".join(f"{part} {size / 1000:.1f} kB" for part, size in sizes.items())
    print(f"{name:8} acts  {told}; yardstick {bare:.2f} ms")
    words, most_words = len(waits.text.split()), MOST_WORDS.get(name, sys.maxsize)
    told = ", ".join(f"{part} {size / 1000:.1f} kB" for part, size in _sizes(waits).items())
    most = f", at most {most_words}" if name in MOST_WORDS else ""
    print(f"{name:8} waits {words} words{most}, {told}")
    quick = all(times[which] <= most for which, most in limits.items())
    short = words <= most_words
    return quick and short and all(sizes[part] <= most for part, most in MOST_BYTES.items())


def _play(club: Club, name: str, holders: dict[str, str]) -> dict[str, Mail]:
    """Play turns by letter; return the last report to each address."""
    row = club.new_match(name, *[f"{seat}={address}" for seat, address in holders.items()])
    club.work()
    rng, last = Random(1), dict[str, Mail]()
    for number in range(TURNS):
        last |= _reports(club, holders)
        match = club.match(row.name)
        if match.to_act is None:
            break
        seat = str(match.to_act)
        with club.desk.reading() as change:
            loaded = ledger.load_match(change, match)
            order = rng.choice(loaded.game.orders(loaded.live.position))
        asked = last[holders[seat]].message["Message-ID"]
        line = loaded.game.format(order, "en")
        club.put(letter(holders[seat], f"{line}\n", answers=asked, number=number))
        club.work()
    return last | _reports(club, holders)


def _reports(club: Club, holders: dict[str, str]) -> dict[str, Mail]:
    return {
        address: mail
        for address in holders.values()
        for mail in club.mails(address)
        if mail.kind == "report"
    }


def _again(club: Club, name: str, seat: str, before: Callable[[], object] = lambda: None) -> float:
    """Return the milliseconds of CPU to write a report anew."""
    times = []
    for _ in range(REPEATS):
        before()
        # Undone each time, or the Message-ID of the mail would be taken.
        with suppress(Undone), club.desk.writing() as change:
            loaded = ledger.load_match(change, club.match(f"{name}-1"))
            holder = next(each for each in loaded.seats if each.seat == seat)
            began = time.process_time()
            report.write_again(change, loaded, holder)
            times.append(1000 * (time.process_time() - began))
            raise Undone
    return min(times)


def _sizes(mail: Mail) -> dict[str, int]:
    """Return the bytes of a report's parts and the whole."""
    kinds = {"text/plain": "text", "image/png": "picture", "application/json": "turn file"}
    found: dict[str, int] = {}
    for part in mail.message.walk():
        kind, content = part.get_content_type(), part.get_payload(decode=True)
        if isinstance(content, bytes):
            html = "page" if part.get_filename() else "html"
            named = html if kind == "text/html" else kinds.get(kind, kind)
            found[named] = found.get(named, 0) + len(content)
    return {**found, "mail": len(mail.message.as_bytes())}


def _yardstick(size: int) -> float:
    text = "a line of a report that is about as long as most\n"
    times = []
    for _ in range(REPEATS):
        began = time.process_time()
        message = EmailMessage()
        message["From"], message["To"] = "referee@example.test", "alice@example.test"
        message.set_content(text * 70)
        message.add_alternative(f"<pre>{text * 300}</pre>", subtype="html")
        message.add_attachment(bytes(size // 2), maintype="image", subtype="png")
        message.as_bytes(policy=policy.SMTP)
        times.append(1000 * (time.process_time() - began))
    return min(times)


if __name__ == "__main__":
    main()
