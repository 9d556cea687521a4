"""CPU of one letter, from bytes to written answers, beside a yardstick.

The letter holds one order; a receipt and a report to each of three players are written. The
yardstick is what any such service must do in the same run: parse the letter, validate one JSON
document, commit one row, build four multipart mails. Run: python benchmarks/letters.py [GAME]
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
import time
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from jsonschema import Draft202012Validator
from support.club import Club, Mail, letter, open_club

from referee import resources
from referee.desk.matches import ledger
from referee.games import registry

LETTERS = 120
PEOPLE = ("alice@example.test", "bob@example.test", "carol@example.test")


def main() -> None:
    """Print milliseconds of CPU for each letter, the yardstick's, and their ratio."""
    game = registry.find_installed(sys.argv[1] if len(sys.argv) > 1 else registry.game_names()[0])
    with tempfile.TemporaryDirectory() as folder:
        club = open_club(Path(folder))
        times = sorted(_letters(club, game.name, dict(zip(game.colours, PEOPLE, strict=False))))
        bare = sorted(_yardstick(Path(folder)))
        club.desk.store.close()
    middle, bare_middle = times[len(times) // 2], bare[len(bare) // 2]
    print(
        f"letter    {middle:6.2f} ms of CPU (median of {len(times)}; 9 in 10 below "
        f"{times[len(times) * 9 // 10]:.2f})"
    )
    print(f"yardstick {bare_middle:6.2f} ms")
    print(f"ratio     {middle / bare_middle:6.2f}")


def _letters(club: Club, game: str, holders: dict[str, str]) -> list[float]:
    row = club.new_match(game, *[f"{seat}={address}" for seat, address in holders.items()])
    club.work()
    rng, last, times = Random(1), dict[str, Mail](), []
    for number in range(LETTERS):
        for address in holders.values():
            for mail in club.mails(address):
                last[address] = mail
        match = club.match(row.name)
        if match.to_act is None:
            break
        address = holders[match.to_act]
        with club.desk.reading() as change:
            loaded = ledger.load_match(change, match)
        orders = list(loaded.game.orders(loaded.live.position))
        line = loaded.game.format(orders[rng.randrange(len(orders))], "en")
        mail = last[address]
        quoted = "".join(f"> {each}\n" for each in mail.text.splitlines())
        raw = letter(
            address, f"{line}\n\n{quoted}", answers=mail.message["Message-ID"], number=number
        )
        began = time.process_time()
        club.put(raw)
        club.work()
        times.append(1000 * (time.process_time() - began))
    return times


def _yardstick(folder: Path) -> list[float]:
    database = sqlite3.connect(folder / "yardstick.db")
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE events (body TEXT)")
    validator = Draft202012Validator(resources.schema("submission"))
    document = {"code": "K7PQ-M2XD", "orders": ["pass"]}
    text = "a line of a report that is about as long as most\n" * 70
    raw = letter("alice@example.test", text)
    times = []
    for _ in range(LETTERS):
        began = time.process_time()
        BytesParser(policy=policy.default).parsebytes(raw).get_body(("plain",)).get_content()
        assert not list(validator.iter_errors(document))
        database.execute("INSERT INTO events VALUES (?)", (json.dumps(document),))
        database.commit()
        for _ in range(4):
            message = EmailMessage()
            message["From"], message["To"] = "referee@example.test", "alice@example.test"
            message.set_content(text)
            message.add_alternative(f"<pre>{text * 4}</pre>", subtype="html")
            message.as_bytes(policy=policy.SMTP)
        times.append(1000 * (time.process_time() - began))
    return times


if __name__ == "__main__":
    main()
